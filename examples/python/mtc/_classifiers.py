# SPDX-License-Identifier: MIT
"""Estimators that learn from labels: of the samples, or of other tasks."""
import numpy as np

from ._data import View, is_one, refuse_masked, tasks_of, views_of
from ._errors import Error
from ._estimator import Estimator
from ._library import REAL


def _has_gaps(y):
    """Is a label None, NaN or pandas' NA?  A list makes a word of NaN, and
    numpy sorts objects with NaN in no order."""
    return np.asarray(y).dtype.kind in "OUS" and any(
        str(label) in ("None", "nan", "<NA>", "NaT")
        for label in np.asarray(y, object)
        if not isinstance(label, (str, bytes)))


def encoded(labels, sizes):  # classes of all, labels as numbers of these
    for y in labels:
        refuse_masked(y, "y")
    arrays = [np.asarray(y) for y in labels]
    if [y.shape for y in arrays] != [(n,) for n in sizes]:
        raise Error("y should be a 1d array: one label for each sample")
    if any(map(_has_gaps, labels)):
        raise Error("y: labels are missing; leave their samples out")
    y = np.concatenate(arrays)
    if y.dtype.kind == "f" and not np.all(np.isfinite(y) & (y == np.floor(y))):
        raise Error("Unknown label type: continuous, NaN or infinity")
    classes, codes = np.unique(y, return_inverse=True)
    return classes, np.split(codes, np.cumsum(sizes)[:-1])


def numbered(known, classes):  # labels as numbers of these; -1: not known
    if -1 in classes or not {*known} <= {-1, *classes}:
        raise Error("known: a class of the sources is needed, or -1, not known")
    number = {-1: -1, **{label: z for z, label in enumerate(classes)}}
    return [number[label] for label in known]


class Classifier(Estimator):
    _estimator_type = "classifier"

    def fit(self, X, y, sample_weight=None):
        """Learns from the samples X and their labels y, numbers or words."""
        view = self._prepared([View(X)])[0].owned()
        self.classes_, (codes,) = encoded([y], [view.n])
        weights = {self._without[0]: sample_weight}
        res = self._run(view, codes, classes=len(self.classes_), **weights)
        self._data = {"train": view}
        return self._learned(res)

    def predict(self, X):
        """The classes of new samples."""
        labels = self._assigned(X).labels
        return self.classes_[labels]

    def score(self, X, y, sample_weight=None):
        """The share of samples whose predicted class is that of y."""
        found = self.predict(X)
        encoded([y], [len(found)])              # refuses what a fit refuses
        return float(np.average(found == np.asarray(y),
                                weights=sample_weight))


class SVM(Classifier):
    """Support vector machine, one class against the rest."""
    _call, _without = "svm", ("costs", "start")

    def decision_function(self, X):
        """Decision values [n, classes]; of two classes those of the second."""
        scores = self._assigned(X).decisions
        return scores.ravel() if scores.shape[1] == 1 else scores


class Logistic(Classifier):
    """Logistic regression."""
    _call, _without = "logistic", ("weights",)

    def predict_proba(self, X):
        """Probabilities of the classes [n, classes]."""
        return self._assigned(X).probabilities

    def decision_function(self, X):
        """Logs of the probabilities; of two classes the log-odds."""
        log = np.log(np.maximum(self.predict_proba(X), np.finfo(REAL).tiny))
        return log[:, 1] - log[:, 0] if log.shape[1] == 2 else log


class OfTarget(Estimator):
    _number = None                              # the option that is classes

    def fit(self, sources, labels, target, **more):
        """Labels the target's samples by sources, a matrix or several with the
        labels of each (lists or dictionaries), and gives the estimator."""
        views = views_of(sources, "sources")      # more: bridges, views of TTL
        names = tasks_of(sources)[1]
        if names is not None:                   # dictionaries go by name
            labels = [labels[name] for name in sources]
        classes, codes = encoded([labels] if is_one(sources) else labels,
                                 [view.n for view in views])
        apart = more.get("views") is not None
        if (apart or self._number is None) and self.scale is not None:
            raise Error("scale: source and target have features of their own")
        if self._number is None:                # labels are clusters
            if len(views) > 1:
                raise Error("sources: one is needed; stack them")
            self._draw_seed()
            self.classes_ = classes
            res = self._run(views[0], codes[0], target)
            return self._learned(res, res.labels)
        more[self._number] = len(classes)
        known, of_bridges = map(vars(self).get, ("known", "bridge_known"))
        if known is not None:
            more["known"] = numbered(known, classes.tolist())
        if of_bridges is not None:
            more["bridge_known"] = [numbered(each, classes.tolist())
                                    for each in of_bridges]
        bridges = views_of(more.pop("bridges", []), "bridges", views[0].names)
        if apart:
            more["views"] = views_of(more["views"], "views")
        near = more.get("views") or bridges or views    # have its features
        *views, target = self._prepared(
            views + [View(target, "target", near[0].names)])
        self.classes_ = classes
        if bridges:
            more["bridges"] = [self.scale_.apply(view) for view in bridges]
        res = self._run(sources=views, source_labels=codes, target=target,
                        **more)
        return self._learned(res, self.classes_[    # the target is the last
            res.labels[-1] if self._call == "lssttc" else res.labels])

    def predict(self, X):
        """The labels of new samples of the target."""
        res = vars(self).get("result_")
        found = self._assigned(X, getattr(res, "tasks", 1) - 1)
        return found if self._number is None else self.classes_[found]


class LSSTTC(OfTarget):
    """LSSMTC with labeled sources: fit(sources, labels, target)."""
    _call, _assign, _without = "lssttc", "lssmtc_assign", ("n_clusters",)
    _number, _draws = "clusters", True          # a file needs the target


class TTL(OfTarget):
    """By way of bridges: fit(sources, labels, target, bridges=, views=None);
    views are the bridges' samples with the target's features.  known and
    bridge_known have labels as the sources have them; -1: not known."""
    _call, _without, _number = "ttl", ("start_factors",), "classes"


class TrEC(OfTarget):
    """EC, and what being together means learned from a source that may have
    other features: fit(source, labels, target).  labels_ are clusters."""
    _call, _assign = "trec", "ec_assign"

    def _model(self):
        return self.result_.target
