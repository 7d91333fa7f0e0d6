# SPDX-License-Identifier: MIT
"""Models that the program has saved."""
import ctypes
import warnings
from ctypes import c_size_t, c_void_p

import numpy as np

from ._call import calls
from ._convert import Result
from ._data import View, packed, place_of, unit_rows
from ._errors import Error, Notice
from ._library import C, REAL, c_function
from ._model_file import model_file
from ._scale import LOG
from ._write import Writer


class Model:
    """A model of `mtc cluster` or `mtc transfer --save`; predict gives the
    labels of `mtc assign`, of a transfer the classes themselves."""

    def __init__(self, path):
        self._take(model_file(path))

    def _take(self, m):
        self._file = m
        self.method, self.rule, self.classes_ = m.method, m.rule, m.classes
        self.tasks = [task.name for task in m.tasks]

    @classmethod
    def _of(cls, m):  # what was never a file
        model = cls.__new__(cls)
        model._take(m)
        return model

    def __repr__(self):
        return f"<mtc.Model: {self.method}, tasks {', '.join(self.tasks)}>"

    def predict(self, X, task=0):
        """Labels of new samples; task is a number or a name."""
        task = self._file.tasks[place_of(task, self.tasks, len(self.tasks))]
        return np.concatenate([self._labels(rows, task)
                               for rows in self._blocks(X)])

    @staticmethod
    def _blocks(X):  # of sparse rows, which are written out
        if not hasattr(X, "tocsr"):
            return [X]
        X, block = X.tocsr(), 2 ** 22 // max(X.shape[-1], 1) + 1
        return [X[i:i + block] for i in range(0, max(X.shape[0], 1), block)]

    def _radii(self, X, task):
        """The largest distance of a sample that goes to each center."""
        radius = np.zeros(len(task.centers), REAL)
        for rows in self._blocks(X):
            x, z = self._to_centers(self._prepared(rows, task), task)
            np.maximum.at(radius, z, self._distances(x, task.centers[z]))
        return radius

    def _labels(self, X, task):
        labels = getattr(self, "_" + self.rule)(self._prepared(X, task), task)
        if hasattr(task, "numbers"):            # of centers, some being empty
            labels = task.numbers[labels]
        labels = labels.astype(np.intc)
        return labels if self.classes_ is None else self.classes_[labels]

    def _columns(self, X):  # the features of the fit, as a view
        features = self._file.features
        if hasattr(X, "columns"):
            for column, names, words in features.onehot:
                if column not in X.columns:
                    raise Error(f"X: The feature names should match those that "
                                f"were passed: {column} is missing")
                found, gap = X[column].astype(str), X[column].isna()
                found = found.str.replace(r"^([-+]?\d+)\.0$", r"\1", regex=True)
                for word in sorted(set(found[~gap]) - set(words))[:3]:
                    warnings.warn(Notice(f"{column}={word} is new to the model "
                                         "and left out", "new-word"),
                                  stacklevel=5)
                X = X.drop(columns=column).assign(**{
                    name: np.where(gap, np.nan, found == word)
                    for name, word in zip(names, words)})
        X = self._chosen(X.toarray() if hasattr(X, "toarray") else X)
        if features.columns is not None and not hasattr(X, "columns"):
            X = View(X, "X").values
            if features.columns[-1] > X.shape[1]:
                raise Error(f"X has {X.shape[1]} features, but the model looks "
                            f"at number {features.columns[-1]}")
            X = X[:, features.columns - 1]
        view = View(X, "X", features.names)
        if view.d != features.count:
            raise Error(f"X has {view.d} features, but the model is expecting "
                        f"{features.count} features as input")
        return view.values.copy()

    def _chosen(self, X):
        """Without columns that the model left out or does not know: by their
        names, or by their places in an array as wide as its files."""
        of = self._file.features
        if hasattr(X, "columns"):
            names = of.names or X.columns
            more = [str(c) for c in X.columns
                    if c not in names and c not in of.left]
            if more:
                warnings.warn(Notice(f"{', '.join(more)}: unknown to the model "
                                     "and left out", "unknown-columns"),
                              stacklevel=6)
            return X[[c for c in names if c in X.columns]]
        if not len(of.places) or of.onehot:
            return X
        X = View(X, "X").values
        wide = X.shape[1] == of.count + len(of.places)
        return np.delete(X, of.places - 1, 1) if wide else X

    def _prepared(self, X, task):  # dense rows as the method saw them
        x, how = self._columns(X), self._file.preparation
        if hasattr(task, "fill"):
            x = np.where(np.isnan(x), task.fill, x).astype(REAL)
        for f in np.flatnonzero(how.log):
            if not (x[:, f] > 0).all():
                raise Error(f"feature {f}: a value has no logarithm")
            x[:, f] = LOG(x[:, f])
        with np.errstate(all="ignore"):         # it is looked at below
            x = self._scaled(x, how)
        if not np.isfinite(x).all():
            row, column = np.argwhere(~np.isfinite(x))[0]
            raise Error(f"X: a value is not finite or too large, row {row}, "
                        f"column {column}")
        return x

    @staticmethod
    def _scaled(x, how):
        if how.how == "tfidf":
            x = x * how.idf.astype(REAL)
        if how.how in ("tfidf", "l2"):
            x = unit_rows(x)
        if how.how == "zscore":
            by = how.deviation
            x = np.where(by > 0, (x - how.mean) / np.where(by > 0, by, 1),
                         0).astype(REAL)
        return x

    def _nearest(self, x, task):
        return self._to_centers(x, task)[1]

    def _to_centers(self, x, task):
        """Rows as centers see them, and the number of the nearest."""
        by = self._file.divergence
        model = Result("", dict(clusters=len(task.centers), d=x.shape[1],
                                centers=task.centers), "mtc_kmeans_result")
        if self._file.angles and \
                self._file.preparation.how not in ("tfidf", "l2"):
            x = unit_rows(x)
        if not isinstance(by, str) or by != "sqeuclidean":
            model.divergence = by
            x = x + REAL.type(self._file.smooth)
        return x, calls.kmeans_assign(x, model)

    def _distances(self, x, centers):
        """Of each row from a center of its own, with the sums of the program."""
        by, d = self._file.divergence, x.shape[1]
        if self._file.angles:
            square = np.array([dots(c[None], c[None])[0, 0] for c in centers])
            sums = np.cumsum(x * centers, 1)[:, -1].astype(float)
            return np.where(square > 0, 1 - sums / np.sqrt(np.where(
                square > 0, square, 1)), 1).astype(REAL)
        if isinstance(by, str) and by == "sqeuclidean":
            return np.sqrt(np.cumsum(np.square(x - centers), 1)[:, -1].astype(
                float)).astype(REAL)
        writer, x, centers = Writer(), packed(x), packed(centers)
        div = C["mtc_divergence"].from_address(writer.divergence(by, d))
        value = ctypes.CFUNCTYPE(C["mtc_real"], c_void_p, c_size_t, c_void_p,
                                 c_void_p)(div.value)
        found = np.array([value(div.user, d, a.ctypes.data, b.ctypes.data)
                          for a, b in zip(x, centers)], float)
        return (found if isinstance(by, str) else np.sqrt(found)).astype(REAL)

    def _linear(self, x, task):
        if self._file.method == "nb" and (x < 0).any():
            row, column = np.argwhere(x < 0)[0]
            raise Error(f"X: values: need 0 or more, row {row}, column "
                        f"{column}")
        return self._winner(dots(x, task.weights) + task.bias, task)

    def _kernel(self, x, task):
        model = Result("", dict(
            classes=int(task.k), problems=len(task.bias), n=len(task.support),
            d=x.shape[1], kernel="rbf", gamma=task.gamma, bias=task.bias,
            coefficients=task.coefficients), "mtc_svm_result")
        return self._winner(
            calls.svm_assign(x, task.support, model).decisions if len(task.support)
            else np.tile(task.bias, (len(x), 1)), task)

    @staticmethod
    def _winner(scores, task):
        if scores.shape[1] == 1:                # of one problem: its side
            scores = np.hstack([0 * scores, scores])
        return scores.argmax(1) if task.k > 1 else np.zeros(len(scores), int)


def dots(X, W):  # X W' by mtc_dot, whose order of sums is the program's
    X, W = packed(X, REAL), packed(W, REAL)
    dot, d = c_function("mtc_dot"), X.shape[1]
    return np.array([[dot(d, x.ctypes.data, w.ctypes.data) for w in W]
                     for x in X], REAL).reshape(len(X), len(W))


load = Model
