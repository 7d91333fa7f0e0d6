# SPDX-License-Identifier: MIT
"""Documentation and types of functions and estimators, in the header's words."""
import re

from ._header import Field
from ._library import enums, python_name, structs

OWN = {  # what no header says: type and meaning
    "seed": ("int", "of everything random; the same seed gives the same bits"),
    "random_state": ("int, generator or None",
                     "as scikit-learn has it; it takes the place of seed"),
    "scale": ("{None, 'none', 'auto', 'zscore'}",
              "brings columns to one scale; 'auto' looks whether that helps"),
    "n_jobs": ("int or None", "processors to use; None: all"),
    "progress": ("callable, bar or None", "is told stage, done and total; a "
                 "true answer stops the call; or a bar as tqdm's"),
    "neighbor_share": ("float", "neighbors in the graph, as a share of the "
                       "rows of a cluster"),
    "n_clusters": ("int or list of int", "clusters, or clusters of each task"),
    "clusters": ("int or list of int", "clusters, or clusters of each task"),
}
ATTRIBUTES = {
    "labels_": ("array or list of arrays", "the cluster of each sample"),
    "cluster_centers_": ("array or list of arrays", "in units of the data"),
    "result_": ("Result", "all that the call found, under the names of mtc.h"),
    "n_features_in_": ("int", "features of the fit"),
    "notices_": ("list of str", "what was decided, in sentences"),
    "sentence_": ("str or None", "the answer in words, as the program gives it"),
    "classes_": ("array", "the classes, sorted"),
}
DATA = "array, DataFrame or scipy.sparse matrix"


def type_of(f):
    """The type of an option or a result's member, for a reader."""
    if f.type == "mtc_data":
        return "matrix" if f.stars == 0 else "list of matrices"
    if f.type == "mtc_divergence":
        return "'sqeuclidean', 'kl', 'is' or matrix"
    if f.type in enums:
        return "{" + ", ".join(f"'{word}'" for word in enums[f.type]) + "}"
    if f.type in structs:
        return "dict" if f.type.endswith("_options") else "Result"
    plain = "float" if f.type == "mtc_real" else "int"
    return plain if not f.stars and not f.dims else \
        f"array of {plain}" if f.stars < 2 else f"list of arrays of {plain}"


def entry(name, kind, doc, default=""):
    lines = [f"{name} : {kind}{default}"]
    return "\n".join(lines + ["    " + line for line in wrapped(doc)])


def wrapped(text, width=72):
    lines, line = [], ""
    for word in text.split():
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = ""
        line = f"{line} {word}".strip()
    return lines + [line] if line else lines


def part(title, entries):
    return "" if not entries else "\n".join(
        [title, "-" * len(title)] + list(entries))


def option_fields(call):
    """Options by their Python names, those of inner structs, too."""
    fields = {}
    for f in structs.get(call.options, ()):
        if not f.stars and f.type in structs:
            fields.update((g.name, g) for g in structs[f.type])
        else:
            fields[f.name] = f
    return fields


def option_entry(name, default, fields):
    f = fields.get(name.rstrip("_"))
    if f is None and name == "n_clusters":
        f = fields.get("clusters")
    if name in OWN and (f is None or name in ("n_clusters", "clusters")):
        kind, doc = OWN[name]
        doc = doc if f is None else f.doc
    elif f is None:
        kind, doc = "object", ""
    else:
        kind, doc = type_of(f), f.doc
    return entry(name, kind, doc, f", default {default!r}")


def input_entry(call, a):
    kind = call.kinds[a.name]
    if kind == "data":
        several = a.name in call.lists
        return entry(a.name, f"list or dict of matrices, or one ({DATA})"
                     if several else DATA, "samples are rows")
    if kind == "model":
        return entry(a.name, "Result", f"what mtc.{a.type[4:-7]} found")
    extent = call.documented.get(a.name)
    return entry(a.name, type_of(a), f"[{extent}]" if extent else "")


def result_entries(struct):
    return [entry(python_name(f.name), type_of(f), f.doc)
            for f in structs[struct] if f.type != "mtc_block"]


def of_function(call, section, doc):
    """The documentation of a function: the header's text, then arguments."""
    options = option_fields(call)
    parameters = [input_entry(call, a) for a in call.inputs] + [
        option_entry(name, p.default, options)
        for name, p in call.signature.parameters.items()
        if p.kind == p.KEYWORD_ONLY]
    if call.result:
        returns = result_entries(call.result)
    else:
        outputs = [a for a in call.arguments if call.kinds[a.name] == "output"]
        returns = [text for a in outputs for text in (
            result_entries(a.type) if a.type in structs else
            [entry(a.name, type_of(a) if call.documented.get(
                a.name, call.USUAL.get(a.name)) != "1" else
                type_of(Field(a.type, 0, a.name, (), "", False)), "")])]
    return "\n\n".join(filter(None, [
        section, doc, part("Parameters", parameters), part("Returns", returns)]))


def of_estimator(cls, call):
    """The documentation of a class: its words, parameters, attributes."""
    options = option_fields(call)
    attributes = {name: ATTRIBUTES[name] for name in ("labels_", "result_")}
    if getattr(cls, "_estimator_type", "") == "classifier":
        attributes.pop("labels_")
        attributes["classes_"] = ATTRIBUTES["classes_"]
    if hasattr(cls, "transform"):
        attributes["cluster_centers_"] = ATTRIBUTES["cluster_centers_"]
    attributes.update((n, ATTRIBUTES[n]) for n in ("n_features_in_",
                                                   "notices_"))
    if hasattr(cls, "sentence_"):
        attributes["sentence_"] = ATTRIBUTES["sentence_"]
    for name in ("iterations", "objective", "relatedness"):
        f = next((f for f in structs.get(call.result, ()) if f.name == name), None)
        if f is not None:
            own = {"iterations": "n_iter_"}.get(name, name + "_")
            attributes[own] = type_of(f), f.doc
    return "\n\n".join(filter(None, [
        re.sub(r"\n\s+", "\n", cls._words or ""),
        part("Parameters", [option_entry(name, value, options)
                            for name, value in cls._parameters.items()]),
        part("Attributes", [entry(name, kind, doc) for name, (kind, doc)
                            in attributes.items()]),
        part("Example", [example(cls)])]))


def example(cls):
    fit = {"Classifier": "fit(X, y)", "OfTarget":
           "fit(sources, labels, target)"}.get(cls.__mro__[1].__name__)
    if fit is None:
        several = "tasks" in getattr(cls, "_several", ())
        fit = "fit([north, south])" if several else "fit(X)"
    first = "n_clusters=3" if "n_clusters" in cls._parameters else ""
    return f">>> model = mtc.{cls.__name__}({first}).{fit}\n" + (
        ">>> model.predict(new)" if hasattr(cls, "predict")
        else ">>> model.labels_")
