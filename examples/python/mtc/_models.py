# SPDX-License-Identifier: MIT
"""Models that the program has saved."""
import json
import pathlib
import re

import numpy as np

from ._call import calls
from ._convert import Result
from ._data import View, packed
from ._errors import Error
from ._library import REAL, c_function


class Model:
    """A model of `mtc cluster` or `mtc transfer --save`; predict gives the
    labels of `mtc assign`, of a transfer the classes themselves."""
    TABLES = {"nearest": "centers:rows*d",
              "components": "components:w*d mean:d centers:rows*w",
              "subspace": "centers:rows*d projection:d*l shared:rows*l lambda:",
              "linear": "weights:P*d bias:P scale:",
              "kernel": "support:m*d coefficients:P*m bias:P gamma:"}

    def __init__(self, path):
        try:
            self._model = m = json.loads(pathlib.Path(path).read_text("utf-8"))
            self.method, self.rule = m["method"], m["rule"]
            self.classes_ = np.array(m["classes"]) if "classes" in m else None
            self.tasks = [task["name"] for task in m["tasks"]]
            self._tables = [self._task(task) for task in m["tasks"]]
            if (m["format"], m["schema"]) != ("mtc-model", 1):
                raise ValueError("its schema is of another version")
        except (KeyError, TypeError, ValueError) as error:
            raise Error(f"{path} is no model of mtc: {error}") from None

    def _task(self, task):                      # tables have to fit together
        sizes, found = {"d": self._model["features"]["count"]}, {}
        parts = (self.TABLES[self.rule] + " k: fill:d numbers:rows").split()
        for name, extent in (part.split(":") for part in parts):
            if name in task or name not in ("fill", "numbers"):
                table = np.array(task[name], REAL)
                dims = re.findall(r"\w+", extent)
                if table.shape == (0,):         # no rows: of any width
                    table = table.reshape([sizes.get(n, 0) for n in dims])
                if table.ndim != len(dims) or any(
                        sizes.setdefault(n, length) != length
                        for n, length in zip(dims, table.shape)):
                    raise ValueError(f"{name} does not fit the others")
                found[name] = table
        return Result("", found)

    def predict(self, X, task=0):
        """Labels of new samples; task is a number or a name."""
        block = 2 ** 22 // np.shape(X)[1] + 1   # rows that are written out
        if hasattr(X, "tocsr") and X.shape[0] > block:
            return np.concatenate([self.predict(X.tocsr()[i:i + block], task)
                                   for i in range(0, X.shape[0], block)])
        names = self.tasks if isinstance(task, str) else range(len(self.tasks))
        if task not in names:
            raise Error(f"task: {task!r} is none of {self.tasks}")
        task = self._tables[names.index(task)]
        labels = getattr(self, "_" + self.rule)(self._prepared(X, task), task)
        if hasattr(task, "numbers"):            # of centers, some being empty
            labels = task.numbers[labels]
        labels = labels.astype(np.intc)
        return labels if self.classes_ is None else self.classes_[labels]

    def _prepared(self, X, task):  # dense rows as the method saw them
        features, how = self._model["features"], self._model["preprocess"]
        if hasattr(X, "columns"):
            for hot in features.get("onehot", ()):
                words = X[hot["column"]].astype(str)
                X = X.drop(columns=hot["column"]).assign(**{
                    features["names"][hot["first"] + i]: 1. * (words == word)
                    for i, word in enumerate(hot["words"])})
        X = X.toarray() if hasattr(X, "toarray") else X
        if "columns" in features and not hasattr(X, "columns"):
            X = np.asarray(X)[:, np.array(features["columns"]) - 1]
        view = View(X, "X", features.get("names"))
        if view.d != features["count"]:
            raise Error(f"X has {view.d} features, but the model is expecting "
                        f"{features['count']} features as input")
        x = view.values.copy()
        if hasattr(task, "fill"):
            x = np.where(np.isnan(x), task.fill, x)
        for f in np.flatnonzero(how.get("log", [])):
            if not (x[:, f] > 0).all():
                raise Error(f"feature {f}: a value has no logarithm")
            x[:, f] = np.log(x[:, f])
        if how["how"] == "tfidf":
            x *= np.array(how["idf"], REAL)
        if how["how"] in ("tfidf", "l2"):       # sums in order of columns
            length = np.sqrt(np.cumsum(np.square(x, dtype=float), 1)[:, -1:])
            x = (x / np.where(length * 0 < length, length, 1)).astype(REAL)
        if how["how"] == "zscore":
            by = np.array(how["deviation"])
            x = np.where(by > 0, (x - np.array(how["mean"])) / np.where(
                by > 0, by, 1), 0).astype(REAL)
        return x

    def _nearest(self, x, task):
        by = self._model.get("divergence", "sqeuclidean")
        model = Result("", dict(clusters=len(task.centers), d=x.shape[1],
                                centers=task.centers), "mtc_kmeans_result")
        if by != "sqeuclidean":
            model.divergence = self._model.get("metric", by)
            x = x + REAL.type(self._model["smooth"])
        return calls.kmeans_assign(x, model)

    def _subspace(self, x, task):
        model = Result("", dict(
            tasks=1, clusters=len(task.centers), d=x.shape[1],
            width=task.shared.shape[1], centers=[task.centers],
            W=task.projection, M=task.shared, lambda_=task.lambda_),
            "mtc_lssmtc_result")
        return calls.lssmtc_assign(x, 0, model)

    def _components(self, x, task):
        return self._nearest(dots(x - task.mean, task.components), task) \
            if len(task.components) else np.zeros(len(x), np.intc)

    def _linear(self, x, task):
        x = x / REAL.type(task.scale) if task.scale != 1 else x
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
