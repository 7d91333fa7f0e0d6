# SPDX-License-Identifier: MIT
"""Estimators that find clusters."""
import math

import numpy as np

from ._call import CALLS, calls
from ._convert import Result
from ._data import View, is_one, views_of
from ._estimator import Estimator
from ._library import REAL


class Clusterer(Estimator):
    """labels_ and cluster_centers_ are lists; of one matrix the arrays."""

    def __init_subclass__(cls):
        super().__init_subclass__()
        if cls._call + "_assign" in CALLS:
            cls.predict = cls._assigned

    def fit(self, X, y=None):
        return self._found(self._run(X), "tasks" in CALLS[self._call].lists
                           and is_one(X))

    def _found(self, res, unpack=False):
        if hasattr(res, "centers"):
            self.cluster_centers_ = res.centers[0] if unpack else res.centers
        return self._learned(res, res.labels[0] if unpack else res.labels)

    def fit_predict(self, X, y=None):
        return self.fit(X).labels_


class Auto(Clusterer):
    """A vote of methods that share and methods that do not."""
    _call = "auto"


class MBC(Clusterer):
    """Multitask Bregman clustering: centroids are transported."""
    _call = "mbc"


class LSSMTC(Clusterer):
    """Tasks with the same clusters, which share a subspace."""
    _call = "lssmtc"


class Guard(Clusterer):
    """A method that shares (method=), only where that is safe."""
    _call = "guard"


class EC(Clusterer):
    """An ensemble of k-means in random subspaces."""
    _call = "ec"


class NCut(Clusterer):
    """The normalized cut of a graph of similarities."""
    _call = "ncut"


class MTCFIR(Clusterer):
    """Tasks that share features and similarities; the centers are means, and
    new samples go to the nearest of a cluster that occurs."""
    _call, _assign = "mtcfir", "mbc_assign"

    def _model(self):
        res, used = self.result_, self._used
        return Result("", dict(
            tasks=len(used), d=res.d, clusters=[len(z) for z in used],
            centers=[c[z] for c, z in zip(res.centers, used)]),
            "mtc_mbc_result")

    def predict(self, X, task=0):
        labels = self._assigned(X, task)
        return self._used[task][labels]

    def fit(self, X, y=None):
        views = views_of(X)
        res = self._run(views)
        self._used = [np.unique(labels) for labels in res.labels]
        res.centers = [np.zeros((k, res.d), REAL) for k in res.clusters]
        for view, labels, means in zip(views, res.labels, res.centers):
            np.add.at(means, labels if view.row is None else
                      (labels[view.rows()], view.column), view.values)
            means /= np.maximum(np.bincount(labels, minlength=len(means)),
                                1)[:, None]
        return self._found(res, is_one(X))


class Genie(Clusterer):
    """Clusters of any shape, cut from the minimum spanning tree."""
    _call = "tree_cut"

    def fit(self, X, y=None):
        res = calls.tree(X)
        res.labels = calls.tree_cut(res, clusters=self.n_clusters, gini=self.gini)
        return self._found(res)


class Ward(Clusterer):
    """Ward's tree, cut at n_clusters; result_.height has its heights."""
    _call, _without, _more = "ward", ("given",), {"n_clusters": 2}

    def fit(self, X, y=None):
        res = calls.ward(X)
        res.labels = calls.ward_cut(res, self.n_clusters)
        return self._found(res)


class KMeans(Clusterer):
    """k-means, the restart of lowest loss."""
    _call, _without = "kmeans", ("weights",)

    def fit(self, X, y=None, sample_weight=None):
        res = self._run(X, weights=sample_weight)
        self.inertia_ = res.loss
        return self._found(res)


class SNMF(Clusterer):
    """Symmetric NMF of a graph of nearest neighbors, as the program's."""
    _call, _without = "snmf", ("start",)
    _more = {"neighbor_share": .3, "restarts": 10}

    def fit(self, X, y=None):
        view, k = View(X), self.n_clusters
        near = math.ceil(self.neighbor_share * view.n / max(k, 1))
        W = View(calls.graph_build([view], neighbors=min(near, view.n - 1)).weights)
        if W.row is not None:                   # D^-1/2 W D^-1/2
            root = np.sqrt(np.bincount(W.rows(), W.values, W.n))
            scale = root[W.rows()] * root[W.column]
            scale[scale == 0] = np.inf
            W.values = (W.values / scale).astype(REAL)
        res = self._run(W, start_labels=calls.kmeans(
            view, clusters=k, restarts=self.restarts, seed=self.seed).labels
            if self.start_labels is None else self.start_labels)
        res._names, res._d = view.names, view.d
        return self._found(res)
