# SPDX-License-Identifier: MIT
"""Estimators that find clusters."""
import math
import warnings

import numpy as np

from ._call import CALLS, calls
from ._convert import Result
from ._data import Named, View, is_one, tasks_of, unit_rows, views_of
from ._errors import Error, Notice
from ._estimator import Estimator
from ._library import REAL
from ._odd_rows import FEW_SHOWN, without_far
from ._picture import shown, told
from ._scale import LOOK_ROWS, settle

ROWS_SURE = 40                          # fewer look sure by chance
FEW_ROWS = 12                           # fewer have no curve
MOST = CALLS["choose"].defaults["max"]  # clusters that are looked for,
FIRST = 12                              # and at first


class Clusterer(Estimator):
    """labels_ and cluster_centers_ are lists; of one matrix the arrays."""
    _draws, _centers = True, "centers"

    def __init_subclass__(cls):
        super().__init_subclass__()
        if f"{cls._call}_assign" in CALLS:
            def predict(self, X, task=0):
                return self._assigned(X, task)
            predict.__doc__ = cls._assigned.__doc__
            cls.predict = predict
            cls._document()

    def _is_one(self, X):  # the samples of one task, not a list of tasks
        return "tasks" not in CALLS[self._call].lists or is_one(X)

    def fit(self, X, y=None):
        """Finds clusters in X: one matrix, or a list or dictionary of matrices
        where the method takes several tasks; gives the estimator itself.  y is
        not read."""
        if "tasks" not in CALLS[self._call].lists:
            return self._found(self._run(*self._prepared([View(X)])))
        return self._found(self._run(self._prepared(views_of(X))), X)

    def _found(self, res, X=None):
        """What a fit leaves; X: what it was given, if it takes tasks."""
        unpack, names = X is not None and is_one(X), tasks_of(X)[1]
        vars(self).pop("task_names_", None)
        if names is not None:
            self.task_names_ = names
        self._learned(res, res.labels[0] if unpack else self._named(res.labels))
        found = getattr(res, self._centers, None)
        if found is not None:                   # in the units of the data
            restore = self.scale_.restore
            centers = [restore(c) for c in found] \
                if isinstance(found, list) else restore(found)
            self.cluster_centers_ = centers[0] if unpack else \
                self._named(centers)
        return self

    def _named(self, found):  # a list of tasks that have names
        names = vars(self).get("task_names_")
        return found if names is None else Named(found, names)

    @property
    def sentence_(self):
        """The answer in words, as the program gives it; None where the program
        has no such method or option, or the data have been changed since."""
        if not self.__sklearn_is_fitted__():
            raise AttributeError("sentence_: fit comes first")
        found = told(self)
        return found and found.sentence

    def _repr_html_(self):
        return shown(self)

    def fit_predict(self, X, y=None):
        """Fits, and gives labels_: an array, or one for each task."""
        return self.fit(X).labels_


class WithCenters(Clusterer):
    """A clusterer whose clusters have centers."""
    _call = None

    def transform(self, X, task=0):
        """Euclidean distances to the centers, of scaled data if `scale` did
        that; task=None takes the samples of all tasks, as a list."""
        if task is None:
            return [self.transform(x, t)
                    for t, x in enumerate(tasks_of(X)[0])]
        view = self._checked(X)
        by = vars(self).get("divergence")
        if by is not None and not (isinstance(by, str) and
                                   by == "sqeuclidean"):
            raise Error("transform: the divergence is none of distances")
        if not np.isfinite(view.values).all():
            raise Error("X: a value is NaN or infinity")
        centers = getattr(self.result_, self._centers)
        task = self._place(task)
        if isinstance(centers, list):
            centers = centers[task]
        if view.row is None:
            found = [np.square(view.values - c).sum(1) for c in centers]
        else:                                   # |x|^2 - 2 x.c + |c|^2
            n, rows, x = view.n, view.rows(), view.values
            found = [np.maximum(np.bincount(rows, np.square(
                x - c[view.column]) - np.square(c[view.column]), n) +
                np.square(c).sum(), 0) for c in centers]
        return np.sqrt(np.transpose(found)).astype(REAL)

    def fit_transform(self, X, y=None):
        """Fits, and gives the distances to the centers."""
        return self.fit(X).transform(X, 0 if self._is_one(X) else None)

    def score(self, X, y=None, task=0):
        """Minus the sum of squared distances to the nearest center."""
        if not self._is_one(X):
            return sum(self.score(x, None, t)
                       for t, x in enumerate(tasks_of(X)[0]))
        return -float(np.square(self.transform(X, task).min(1)).sum())


def _has_curve(choice):  # none is needed for rows of few values
    return choice.verdict != "few" and (choice.gap + choice.height).sum() > 0


def _all_equal(choice):  # the rows
    return choice.verdict == "none" and not _has_curve(choice)


def _groups(choice):
    """Who asks for groups gets the best guess, even where one is likelier."""
    return 1 if _all_equal(choice) else choice.best


def _sure(own):
    """Is the answer of a task by itself a sure one?"""
    return own.verdict == "clear" or _all_equal(own)


def _answers(found):
    """For each task its own, where that is clear, else that of all."""
    return [own if _sure(own) else found.common for own in found.task]


def _all(found):
    return "all tasks: " * (len(found.task) > 1)


def _other(found, before, drawn):
    """The first answer that is another one than before, in words, or None.
    Both come from curves; where rows are drawn it is a clear one."""
    names = [_all(found)] + [f"task {t}: " for t in range(len(found.task))]
    for name, a, b in zip(names, [found.common] + _answers(found),
                          [before.common] + _answers(before)):
        if a.k != b.k and _has_curve(a) and _has_curve(b) and \
                (not drawn and max(a.k, b.k) <= FIRST or a.verdict == "clear"):
            shared = a is found.common and name.startswith("task")
            return name + "as all tasks together, " * shared + _in_words(a)
    return None


def _share(p):
    """.35; the belief is never quite 1."""
    return "over " * bool(p > .99) + f"{min(p, .99):.2f}"[1:]


def _belief(choice):
    """In words, where there is a choice."""
    k, sure = choice.k, _share(choice.sure)
    if choice.verdict == "clear":
        return f"{k} cluster{'s' * (k != 1)} (sure {sure})"
    if choice.verdict == "none":
        return f"no evidence of more than one cluster ({sure}); if there " \
            f"are groups, {choice.best} is the best guess"
    other = choice.second
    return f"no clear number: {k} ({sure})" + (
        f", else {other} ({_share(choice.p[other - 1])})" if other else "")


def _in_words(choice):
    """As the program says it."""
    k = choice.k
    if choice.verdict == "few":
        return f"too few rows to choose from ({FEW_ROWS} are needed)"
    if _all_equal(choice):
        return "1 cluster: all rows are equal"
    if not _has_curve(choice):
        s = "s" * (k != 1)
        return f"{k} cluster{s}: rows take only {k} value{s}"
    return _belief(choice) + (
        "" if choice.limit in (2, FIRST) or choice.best < choice.limit else
        "; at the limit of the search" + (
            ", six rows a cluster" if choice.limit < MOST else
            "; n_clusters says how many"))


class Auto(WithCenters):
    """A vote of methods that share and methods that do not.  Without
    n_clusters it chooses as the program does, see k_choice_.  Equal labels are
    one group in all tasks, as `across` finds them; centers of groups that a
    task does not have are NaN.  predict goes to the nearest center: of clusters
    that are not round, and of texts, also training samples may get another
    label than in labels_."""
    _call, _other = "auto", {"n_clusters": None, "scale": "auto"}

    def fit(self, X, y=None):
        raw, k = views_of(X), self.n_clusters
        views = self._prepared(raw)
        vars(self).pop("k_choice_", None)
        if k is None:
            k = self._chosen(views, raw)
        res = self._run(views, clusters=k)
        self.n_clusters_ = k
        self._found(res, X)
        self._groups = None
        if len(views) > 1:
            self._number(views)
        return self

    def _number(self, views):
        """The numbers of groups for those of each task by itself."""
        zero, scale = np.zeros(views[0].d), self.scale_
        if scale.how == "zscore":
            varied = scale.deviation > 0
            zero[varied] = -scale.mean[varied] / scale.deviation[varied]
        found = calls.across(views, self.result_.labels, zero=zero,
                             seed=self.seed_, n_jobs=self.n_jobs)
        self._groups, centers = found.group, []
        for group, own in zip(found.group, self.cluster_centers_):
            centers.append(np.full((found.groups, own.shape[1]), np.nan, REAL))
            centers[-1][group[group >= 0]] = own[group >= 0]
        self.cluster_centers_ = self._named(centers)
        self.labels_ = self._named([
            group[labels] for group, labels in
            zip(found.group, self.result_.labels)])

    def _assigned(self, X, task=0):
        labels = super()._assigned(X, task)
        return labels if self._groups is None else \
            self._groups[self._place(task)][labels]
    _assigned.__doc__ = Estimator._assigned.__doc__

    def transform(self, X, task=0):
        found = super().transform(X, task)
        if task is None or self._groups is None:
            return found
        group = self._groups[self._place(task)]
        all_groups = np.full((len(found), len(self.cluster_centers_[0])),
                             np.inf, REAL)
        all_groups[:, group[group >= 0]] = found[:, group >= 0]
        return all_groups
    transform.__doc__ = WithCenters.transform.__doc__

    def _chosen(self, views, raw):
        """The number of each task, and what makes it unsure."""
        found = self.k_choice_ = self._asked(views)
        self._say(found)
        self._doubt_bound(found)
        self._tell_small(found, views)
        self._doubt_small(found, views)
        self._doubt_groups(found)
        self._doubt_few(found, views)
        self._look_without(found, views, raw)
        counts = [min(_groups(answer), view.n)
                  for answer, view in zip(_answers(found), views)]
        return counts[0] if len(set(counts)) == 1 else counts

    def _say(self, found):
        """The answer for all, and tasks that clearly have another one."""
        self.notices_.append(
            f"k by choice{', ' if _all(found) else ': '}" + _all(found) +
            _in_words(found.common))
        self.notices_ += [
            f"task {t}: {_in_words(own)}" for t, own in enumerate(found.task)
            if _sure(own) and own.k != found.common.k]

    def _tell(self, line):
        self.notices_.append(line)
        warnings.warn(Notice(line), stacklevel=5)

    def _doubt_bound(self, found):
        """All tasks together have no more clusters than the smallest."""
        most = found.common.limit
        for t, own in enumerate(found.task):
            if _has_curve(own) and own.best > most != FIRST:
                return self._tell(
                    f"all tasks: no more than {most} clusters were searched, "
                    f"six rows of the smallest task each; task {t} by itself: "
                    f"{own.best}; n_clusters says how many")

    def _tell_small(self, found, views):
        """Tasks with too short a curve beside the others' have no say."""
        most = FIRST if found.common.limit <= FIRST else MOST
        longest = [min(min(view.n, LOOK_ROWS) // 6, most) * _has_curve(own)
                   for own, view in zip(found.task, views)]
        small = [t for t, own in enumerate(found.task)
                 if _has_curve(own) and 2 * longest[t] < max(longest)]
        if small:
            t, others = small[0], len(small) - 1
            self._tell(
                f"task {t} ({views[t].n} rows)" +
                (f" and {others} more are" if others else " is") +
                " too small to take part in the common number")

    def _doubt_small(self, found, views):
        """A task of a few rows gets the number of the others."""
        k = _groups(found.common)
        small = [(t, view.n) for t, (own, view) in
                 enumerate(zip(found.task, views)) if own.verdict == "few"]
        if found.common.verdict == "few" or k < 2:
            return
        for t, n in small[:FEW_SHOWN]:
            self._tell(
                f"task {t}: {n} sample{' is' if n == 1 else 's are'} too few "
                f"to choose from ({FEW_ROWS} are needed): it has " + (
                    f"the number of all tasks, {k}" if n >= k else
                    f"{n} cluster{'s' * (n != 1)}, all tasks {k}"))
        if len(small) > FEW_SHOWN:
            self._tell(f"and {len(small) - FEW_SHOWN} more tasks are too "
                       "small to choose from")

    def _doubt_groups(self, found):
        """There are groups, even where one cluster is likelier."""
        by, n = found.common, len(found.task)
        shared = sum(own.verdict != "few" and answer is by
                     for own, answer in zip(found.task, _answers(found)))
        if by.verdict == "none" and not _all_equal(by) and shared > 0:
            self._tell(
                f"{by.best} clusters are a guess: that there is only one is "
                f"likelier ({_share(by.sure)})" +
                f" in {shared} of {n} tasks" * (shared < n))

    def _doubt_few(self, found, views):
        """Few rows of one cluster often fall into groups that look clear."""
        least = min([view.n for own, view in zip(found.task, views)
                     if _has_curve(own)], default=0)
        for by, view in zip(_answers(found), views):
            n = least if by is found.common else view.n
            if by.verdict == "clear" and _has_curve(by) and n < ROWS_SURE:
                return self._tell(
                    f"{n} rows are few: with fewer than {ROWS_SURE} chance "
                    "often makes groups that look as sure")

    def _look_without(self, found, views, raw):
        """Does the answer hang on rows far from all others?"""
        rest = without_far(views, raw, self.seed_)
        other = rest and _other(
            self._asked(self._scaled_anew(rest[0])), found,
            any(view.n > LOOK_ROWS for view in views))
        if other:
            self._tell(rest[1] + other)

    def _scaled_anew(self, raw):  # deviations are others without odd rows
        scale, _ = settle(raw, self.scale, self.seed_)
        return [scale.apply(view) for view in raw]

    def _asked(self, views):
        return calls.choose(views, seed=self.seed_, n_jobs=self.n_jobs)


class MBC(WithCenters):
    """Multitask Bregman clustering: centroids are transported."""
    _call = "mbc"


class LSSMTC(WithCenters):
    """Tasks with the same clusters, which share a subspace."""
    _call, _centers = "lssmtc", "means"


class Guard(WithCenters):
    """A method that shares (method=), only where that is safe."""
    _call = "guard"


class EC(Clusterer):
    """An ensemble of k-means in random subspaces."""
    _call = "ec"


class NCut(Clusterer):
    """The normalized cut of a graph of similarities, by default cosines.  The
    program takes similarity="gaussian", local=7, neighbors=10, loops=1 where
    data are no counts."""
    _call = "ncut"


def _directions(view):
    one = View(view)
    one.values = unit_rows(view.values) if view.row is None else \
        unit_rows(view.values, view.rows(), view.n)
    one.stride = one.d
    return one


def _means(view, labels, k):
    """The mean of each cluster; of an empty one, that of the first filled."""
    means = np.zeros((k, view.d), REAL)
    np.add.at(means, labels if view.row is None else
              (labels[view.rows()], view.column), view.values)
    count = np.bincount(labels, minlength=k)
    means /= np.maximum(count, 1)[:, None]
    means[count == 0] = means[labels.min()]     # as of other methods
    return means


class MTCFIR(WithCenters):
    """Tasks that share features and similarities; the centers are means.  New
    samples go to the nearest of a cluster that occurs: by distance, or by
    angle if that puts more samples of the fit where the answer has them, as
    models that the program saves."""
    _call, _assign = "mtcfir", "mbc_assign"

    def _model(self):
        used = self._used
        return Result("", dict(
            tasks=len(used), d=self.result_.d, clusters=[len(z) for z in used],
            centers=[c[z] for c, z in zip(self._nearest, used)]),
            "mtc_mbc_result")

    def _labels(self, view, task):
        view = _directions(view) if self._angles else view
        labels = calls.mbc_assign(X=view, task=task, res=self._model())
        return self._used[task][labels]

    def predict(self, X, task=0):
        """The labels of new samples of a task, by its number or name."""
        return self._labels(self._checked(X), self._place(task))

    def _unit_means(self, views, res):  # a row of zeros goes to the first
        found = [unit_rows(_means(_directions(view), labels, k))
                 for view, labels, k in zip(views, res.labels, res.clusters)]
        for centers, used in zip(found, self._used):
            centers[used[0]] *= 1 - 1e-5
        return found

    def _others(self, views):  # samples that go elsewhere than the answer's
        return sum(np.count_nonzero(self._labels(view, t) != labels)
                   for t, (view, labels) in
                   enumerate(zip(views, self.result_.labels)))

    def fit(self, X, y=None):
        views = self._prepared(views_of(X))
        res = self._run(views)
        self._used = [np.unique(labels) for labels in res.labels]
        res.centers = [_means(*each) for each in
                       zip(views, res.labels, res.clusters)]
        self._found(res, X)
        self._angles, self._nearest = False, res.centers
        plain = self._others(views)
        if plain > 0:
            self._angles, self._nearest = True, self._unit_means(views, res)
            if self._others(views) >= plain:
                self._angles, self._nearest = False, res.centers
        return self


class Genie(Clusterer):
    """Clusters of any shape, cut from the minimum spanning tree."""
    _call = "tree_cut"

    def fit(self, X, y=None):
        view, = self._prepared([View(X)])
        res = calls.tree(view, n_jobs=self.n_jobs)
        res.labels = calls.tree_cut(res, clusters=self.n_clusters, gini=self.gini)
        return self._found(res)


class Ward(Clusterer):
    """Ward's tree, cut at n_clusters; result_.height has its heights."""
    _call, _more = "ward", {"n_clusters": 2}

    def fit(self, X, y=None):
        view, = self._prepared([View(X)])
        res = calls.ward(view, n_jobs=self.n_jobs)
        res.labels = calls.ward_cut(res, self.n_clusters)
        return self._found(res)


class KMeans(WithCenters):
    """k-means, the restart of lowest loss."""
    _call, _without = "kmeans", ("weights",)

    def fit(self, X, y=None, sample_weight=None):
        view, = self._prepared([View(X)])
        res = self._run(view, weights=sample_weight)
        self.inertia_ = res.loss
        return self._found(res)


class SNMF(Clusterer):
    """Symmetric NMF of a graph of nearest neighbors, as the program's."""
    _call = "snmf"
    _more = {"neighbor_share": .3, "restarts": 10}

    def fit(self, X, y=None):
        (view,), k = self._prepared([View(X)]), self.n_clusters
        near = math.ceil(self.neighbor_share * view.n / max(k, 1) * (1 - 1e-12))
        W = View(calls.graph_build([view], neighbors=min(near, view.n - 1)).weights)
        if W.row is not None:                   # D^-1/2 W D^-1/2
            root = np.sqrt(np.bincount(W.rows(), W.values, W.n))
            scale = root[W.rows()] * root[W.column]
            scale[scale == 0] = np.inf
            W.values = (W.values / scale).astype(REAL)
        res = self._run(W, start_labels=calls.kmeans(
            view, clusters=k, restarts=self.restarts, seed=self.seed_).labels
            if self.start_labels is None else self.start_labels)
        res._names, res._d = view.names, view.d
        return self._found(res)
