# SPDX-License-Identifier: MIT
"""Fitted estimators as files: models that the program reads, and headers of C
that it makes of them."""
import os
import tempfile
import types

import numpy as np

from ._data import marks_of
from ._errors import Error
from ._library import REAL
from ._model_file import write_model
from ._models import Model
from ._program import started

#: the rule of each class that predicts as its file does
RULES = {"KMeans": "nearest", "MBC": "nearest", "LSSMTC": "nearest",
         "Auto": "nearest", "Guard": "nearest", "MTCFIR": "nearest",
         "LSSTTC": "nearest", "SVM": "svm"}


def _rows(view):  # as users give them
    if view.row is None:
        return view.values
    from scipy.sparse import csr_matrix
    return csr_matrix((view.values, view.column.astype(np.intp),
                       view.row.astype(np.intp)), shape=(view.n, view.d))


def _seen(model):
    """The data of the fit, from which the centers have their radii."""
    if "_seen" not in vars(model):
        raise Error("save: a copy by pickle has no data: save what was fitted")
    if marks_of(model._seen) != model._marks:
        raise Error("save: the data have been changed since the fit")
    return [_rows(view) for view in model._seen]


def _listed(found):  # of one matrix, as of one task
    return found if isinstance(found, list) else [found]


def _centers(model):
    """Centers and labels of each task.  A center that no sample has would draw
    none, but in k-means and MBC, where it has its place."""
    res = model.result_
    centers = _listed(getattr(model, "_nearest", None) or
                      getattr(res, getattr(model, "_centers", "means")))
    labels = _listed(res.labels)
    if type(model).__name__ == "LSSTTC":        # of the target, the last
        centers, labels = centers[-1:], labels[-1:]
    tasks, groups = [], vars(model).get("_groups")
    for t, (U, h) in enumerate(zip(centers, labels)):
        task = types.SimpleNamespace(k=len(U), centers=U)
        used = np.unique(h)
        if groups is not None:                  # of Auto, over all tasks
            used = used[np.argsort(groups[t][used])]
            task.k = len(model.cluster_centers_[t])
            task.centers, task.numbers = U[used], groups[t][used]
        elif type(model).__name__ not in ("KMeans", "MBC") and \
                len(used) < len(U):
            task.centers, task.numbers = U[used], used
        tasks.append(task)
    return tasks


def _machine(model):
    """A machine by its support; of a linear one what that comes to."""
    res, view = model.result_, model._data["train"]
    a = np.asarray(res.coefficients, REAL)
    support = np.flatnonzero((a != 0).any(0))
    rows, a = _rows(view)[support], a[:, support]
    rows = rows.toarray() if hasattr(rows, "toarray") else rows
    task = types.SimpleNamespace(k=res.classes, bias=res.bias)
    if res.kernel == "linear":
        task.weights = a @ rows
    else:
        task.support, task.coefficients, task.gamma = rows, a, res.gamma
    return task


def _preparation(scale):
    found = types.SimpleNamespace(how=scale.how, log=np.zeros(0))
    if scale.logs is not None:
        found.log = scale.logs.astype(int)
    if scale.how == "zscore":
        found.mean, found.deviation = scale.mean, scale.deviation
    return found


def _file(model):
    """What _model_file reads, of a fitted estimator."""
    kind = type(model).__name__
    if kind not in RULES:
        raise Error(f"save: {kind} has no rule for new samples that a file "
                    f"of the program holds; these have: {', '.join(RULES)}")
    model._need_fit()
    machine, classes = RULES[kind] == "svm", getattr(model, "classes_", None)
    m = types.SimpleNamespace(
        method=model.method if kind == "Guard" else model._call,
        guarded=kind == "Guard", stand_in=kind == "MTCFIR",
        kind="cluster" if classes is None else "transfer", classes=classes,
        rule="nearest" if not machine else "linear"
        if model.result_.kernel == "linear" else "kernel",
        tasks=[_machine(model)] if machine else _centers(model),
        preparation=_preparation(model.scale_),
        features=types.SimpleNamespace(
            count=model.n_features_in_, columns=None, onehot=[], left=[],
            places=np.zeros(0, int),
            names=vars(model).get("feature_names_in_")))
    names = vars(model).get("task_names_") or [
        f"task{t + 1}" for t in range(len(m.tasks))]
    for task, name in zip(m.tasks, names if classes is None else ["target"]):
        task.name = name
    if not machine:
        by = vars(model).get("divergence")
        m.divergence = "sqeuclidean" if by is None else by
        m.smooth = float(vars(model).get("smooth", 0))
        m.angles = vars(model).get("_angles", getattr(
            model.result_, "geometry", None) == "directions")
        reader = Model._of(m)
        for task, X in zip(m.tasks, _seen(model)[-len(m.tasks):]):
            task.radius = reader._radii(X, task)
    return m


def save(model, path):
    write_model(_file(model), path)


def export_c(model, path, far):
    folder, name = os.path.split(os.fspath(path))
    if not name.endswith(".h"):
        raise Error(f"export_c: {name!r} is not the name of a header, NAME.h")
    with tempfile.TemporaryDirectory() as at:
        file = os.path.join(at, "model.json")
        save(model, file)
        try:
            started("export", ["export", file, "--c", name[:-2], "--out",
                               folder or ".", "--quiet"] +
                    ["--far"] * bool(far))
        except Error as error:                  # the file is none of the user's
            raise Error(str(error).replace(file + ": ", "")) from None
