# SPDX-License-Identifier: MIT
"""What a notebook shows of a fitted clusterer: the program's picture of it.

The program is given the same data and options.  Its labels are the same bits;
where they are not, because it was asked otherwise, or the data have been
changed since, there is no picture."""
import os
import tempfile

import numpy as np

from ._data import marks_of
from ._errors import Error
from ._program import page, run

#: methods of the program, by class; options that are its own words
METHODS = {"Auto": "auto", "MBC": "mbc", "LSSMTC": "lssmtc", "Guard": None,
           "MTCFIR": "mtcfir", "KMeans": "kmeans", "EC": "ec", "SNMF": "snmf",
           "Genie": "genie", "Ward": "ward", "NCut": "ncut"}
KNOWN = {"n_clusters": "k", "lambda_": "lambda", "method": "guard",
         "neighbor_share": "neighbors", "start_labels": "init",
         "start_centers": "init", **{name: name for name in (
             "columns", "divergence", "iterations", "layers", "mode", "noise",
             "offset", "rank", "restarts", "ridge", "runs", "seed",
             "similarity", "smooth", "start", "subspace", "tolerance",
             "variant")}}
MOST_ROWS = 20000                               # that are written for it


def _options(model):
    """The parameters that are not as usual, as options of the program; None:
    it has no such option."""
    options = {"preprocess": {None: "none"}.get(model.scale, model.scale),
               "labels": "none"}            # all columns are features
    if options["preprocess"] != "auto":
        options["log"] = "none"
    for name, value in model.get_params().items():
        usual = model._parameters[name]
        if name in ("scale", "progress", "n_jobs", "random_state") or \
                value is usual or np.array_equal(value, usual) and \
                name != "n_clusters":
            continue
        if name not in KNOWN:
            return None
        options[KNOWN[name]] = model.labels_ if name == "start_centers" \
            else value                          # the fit ends where it is
    if model.random_state is not None:
        options["seed"] = model.seed_
    if getattr(model, "n_clusters", None) is not None:
        options["k"] = model.n_clusters
    return options


def _files(starts, path, single):
    """A start of one task, or of each, as files for the program."""
    single = single or isinstance(starts, np.ndarray)
    names = []
    for t, rows in enumerate([starts] if single else starts):
        names.append(f"{path}{t}.csv")
        np.savetxt(names[-1], rows, "%.17g", ",")
    return names


def _report(model):
    method, views = METHODS.get(type(model).__name__), model._seen
    options = _options(model)
    if type(model).__name__ == "Guard":
        method = getattr(model, "method", "mbc")
        options = options and {**options, "guard": True}
    if not method or options is None or \
            sum(view.n for view in views) > MOST_ROWS:
        return None
    if method == "ncut" and "similarity" not in options:
        options["similarity"] = "cosine"
    with tempfile.TemporaryDirectory() as at:
        if "init" in options:
            options["init"] = _files(options["init"], os.path.join(at, "init"),
                                     not isinstance(model.labels_, list))
        found = run("cluster", [views], options, [method], tell=False)
    labels = model.labels_ if isinstance(model.labels_, list) \
        else [model.labels_]
    same = all(np.array_equal(task["labels"], mine)
               for task, mine in zip(found.tasks, labels))
    return found if same else None


def told(model):
    """What the program says of a fit; None: it cannot, or is not there."""
    if "_seen" not in vars(model) or marks_of(model._seen) != model._marks:
        return None
    try:
        return _report(model)
    except (Error, ImportError):
        return None


def shown(model):
    """HTML of a clusterer."""
    if not model.__sklearn_is_fitted__():
        return page(repr(model), None)
    found = told(model)
    labels = model.labels_ if isinstance(model.labels_, list) \
        else [model.labels_]
    text = found.text if found else "\n".join(
        f"task {t}: {len(h)} samples, clusters of " + ", ".join(
            map(str, np.bincount(h))) for t, h in enumerate(labels))
    return page("\n".join([repr(model), ""] + model.notices_ + [text]),
                found and found.svg)
