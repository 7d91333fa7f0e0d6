# SPDX-License-Identifier: MIT
"""Models as files: mtc-model(5), read as the program reads it, and written.

What is missing, unknown, there twice, of another size than the rest or no
number is refused with an Error, whatever the file holds."""
import json
import pathlib
import re
import types

import numpy as np

from ._errors import Error
from ._library import REAL, __version__

#: of each rule the tables of a task and their extents
TABLES = {"nearest": "centers:rows*d",
          "linear": "bias:P weights:P*d",
          "kernel": "bias:P support:m*d coefficients:P*m gamma:"}
OPTIONAL = "fill:d radius:rows numbers:rows"
TOP = ("angles classes divergence features format guard kind method metric mtc "
       "options preprocess rule schema smooth stand_in tasks").split()
FEATURES = ("columns count decimal first_day left_out left_out_places "
            "names onehot signs").split()
SCALING = {"none": [], "l2": [], "tfidf": ["idf"],
           "zscore": ["mean", "deviation"]}
MOST = 2 ** 32 - 1


def _once(pairs):
    found = dict(pairs)
    if len(found) < len(pairs):
        raise Error("a member is there twice")
    return found


def _no_number(word):
    raise Error(f"{word} is no number")


def _member(of, name, *kinds):
    """A member of an object, which has to be there and of one of the kinds."""
    if name not in of:
        raise Error(f"the member {name} is missing")
    if type(of[name]) not in kinds:             # true is no number here
        raise Error(f"{name} is a {type(of[name]).__name__}")
    return of[name]


def _allow(of, known):
    for name in of:
        if name not in known:
            raise Error(f"the member {name!r} is not known here")


def _count(of, name, low, high=MOST):
    value = _member(of, name, int, float)
    if not low <= value <= high or value != int(value):
        raise Error(f"{name}: a whole number from {low} to {high} is needed")
    return int(value)


def _numbers(value, name, depth):
    """Lists of numbers as an array of doubles of that many dimensions."""
    def checked(part, left):
        if left == 0:
            if type(part) not in (int, float):
                raise Error(f"{name}: numbers are needed")
        elif type(part) is not list:
            raise Error(f"{name}: an array is needed")
        else:
            for each in part:
                checked(each, left - 1)
    checked(value, depth)
    if depth == 2 and len(set(map(len, value))) > 1:
        raise Error(f"{name}: its rows differ in length")
    try:
        table = np.array(value, float)
    except OverflowError:
        table = np.array([np.inf])
    if not np.isfinite(table).all():
        raise Error(f"{name}: a number is too large")
    return table


def _table(of, name, extent, sizes):
    """A table whose sizes agree with those of the tables before it."""
    dims = re.findall(r"\w+", extent)
    table = _numbers(_member(of, name, list, *([] if dims else [int, float])),
                     name, len(dims))
    if table.shape == (0,):                     # no rows: of any width
        table = table.reshape([0] + [sizes.get(n, 0) for n in dims[1:]])
    for size, length in zip(dims, table.shape):
        if sizes.setdefault(size, length) != length:
            raise Error(f"{name} does not fit the others")
    return table


def _texts(of, name, n=None):
    words = _member(of, name, list)
    if not words or any(type(w) is not str for w in words):
        raise Error(f"{name}: texts are needed")
    if n not in (None, len(words)):
        raise Error(f"{name}: {n} texts are needed")
    if name != "signs" and len(set(words)) < len(words):
        raise Error(f"{name}: a text is there twice")
    return words


def _ascending(of, name, low, high):
    numbers = _numbers(_member(of, name, list), name, 1)
    if np.any(numbers != np.floor(numbers)) or np.any(np.diff(numbers) <= 0) \
            or np.any((numbers < low) | (numbers > high)):
        raise Error(f"{name}: ascending whole numbers from {low} to {high} are "
                    "needed")
    return numbers.astype(np.intp)


def _features(top):
    of = _member(top, "features", dict)
    if "texts" in of:
        raise Error("its features are words of texts, see `mtc assign`")
    _allow(of, FEATURES)
    d = _count(of, "count", 1)
    names = _texts(of, "names", d) if "names" in of else None
    columns = _ascending(of, "columns", 1, MOST) if "columns" in of else None
    if columns is not None and len(columns) != d:
        raise Error(f"columns: {d} numbers are needed")
    hot, least = [], 0
    for each in _member(of, "onehot", list) if "onehot" in of else []:
        if type(each) is not dict or names is None:
            raise Error("onehot: objects are needed, and names")
        _allow(each, ("column", "first", "words"))
        words, first = _texts(each, "words"), _count(each, "first", least, d)
        least = first + len(words)
        if least > d:
            raise Error("onehot: more words than features")
        hot.append((_member(each, "column", str), names[first:least], words))
    left = _texts(of, "left_out") if "left_out" in of else []
    places = _ascending(of, "left_out_places", 1, MOST) if left else \
        np.zeros(0, np.intp)
    if len(places) != len(left):
        raise Error(f"left_out_places: {len(left)} numbers are needed")
    return types.SimpleNamespace(count=d, names=names, columns=columns,
                                 onehot=hot, left=left, places=places)


def _preparation(top, d):
    of = _member(top, "preprocess", dict)
    how = _member(of, "how", str)
    if how not in SCALING:
        raise Error(f"preprocess: {how!r} is not known")
    _allow(of, ["how", "log"] + SCALING[how])
    log = _table(of, "log", "d", {"d": d}) if "log" in of else np.zeros(0)
    found = {name: _table(of, name, "d", {"d": d}) for name in SCALING[how]}
    if np.any(found.get("deviation", log) < 0) or np.any(log != log.astype(bool)):
        raise Error("preprocess: a number is out of range")
    return types.SimpleNamespace(how=how, log=log, **found)


def _classes(top):
    if "classes" not in top:
        return None
    of = _member(top, "classes", list)
    words = of and type(of[0]) is str
    return np.array(_texts(top, "classes")) if words else \
        _ascending(top, "classes", -2 ** 31, 2 ** 31 - 1)


def _task(of, rule, d, classes):
    if type(of) is not dict:
        raise Error("tasks: objects are needed")
    parts, sizes = TABLES[rule].split(), {"d": d}
    more = OPTIONAL.split() if "centers" in TABLES[rule] else ["fill:d"]
    _allow(of, ["name", "k"] + [p.split(":")[0] for p in parts + more])
    parts += [p for p in more if p.split(":")[0] in of]
    found = {name: _table(of, name, extent, sizes).astype(REAL)
             for name, extent in (p.split(":") for p in parts)}
    if not all(np.isfinite(table).all() for table in found.values()):
        raise Error("a number is larger than data may be")
    k = found["k"] = _count(of, "k", 1, 2 ** 24)
    found["name"] = _member(of, "name", str)
    if "numbers" in found:
        found["numbers"] = _ascending(of, "numbers", 0, k - 1)
    elif sizes.get("rows", k) != k:
        raise Error(f"{sizes['rows']} centers for {k} clusters")
    if sizes.get("rows") == 0 or sizes.get("P", k) != k and not (
            k < 3 and sizes["P"] + 1 == k):
        raise Error(f"tables for {k} clusters or classes are needed")
    if found.get("gamma", 1) <= 0:
        raise Error("a number is out of range")
    if classes is not None and len(classes) != k:
        raise Error(f"k is {k}, but there are {len(classes)} classes")
    return types.SimpleNamespace(**found)


def _divergence(top, m):
    """What centers are near by: a word, or Mahalanobis' matrix."""
    by = m.divergence = top.get("divergence", "sqeuclidean")
    m.angles = top.get("angles", False)
    known = ("sqeuclidean", "mahalanobis", "kl", "is")
    m.smooth = float(_numbers(top.get("smooth", 0), "smooth", 0))
    if by not in known or m.smooth < 0 or type(m.angles) is not bool or \
            (by == "mahalanobis") != ("metric" in top):
        raise Error("divergence, metric and smooth do not fit")
    if by == "mahalanobis":
        m.divergence = _table(top, "metric", "d*d", {"d": m.features.count})
    if by in ("kl", "is") and any(np.any(t.centers <= 0) for t in m.tasks):
        raise Error(f"centers: {by} needs numbers above 0")


def _model(top):
    if type(top) is not dict or top.get("format") != "mtc-model":
        raise Error('it has no "format": "mtc-model"')
    if type(top.get("schema")) is not int or top["schema"] != 2:
        raise Error(f"it was written by mtc {top.get('mtc', '')}, save it again")
    _allow(top, TOP)
    rule = _member(top, "rule", str)
    if rule not in TABLES:
        raise Error(f"rule: {rule!r} is not known")
    m = types.SimpleNamespace(rule=rule, method=_member(top, "method", str),
                              features=_features(top), classes=_classes(top))
    m.preparation = _preparation(top, m.features.count)
    m.tasks = [_task(task, rule, m.features.count, m.classes)
               for task in _member(top, "tasks", list)]
    names = [task.name for task in m.tasks]
    if not names or len(set(names)) < len(names):
        raise Error("tasks: a name is there twice, or there is none")
    _divergence(top, m)
    return m


def model_file(path):
    """What the file holds, checked; a file that cannot be read is an
    OSError."""
    data = pathlib.Path(path).read_bytes()
    try:
        with np.errstate(over="ignore"):
            return _model(json.loads(
                data.decode("utf-8"), object_pairs_hook=_once,
                parse_constant=_no_number))
    except RecursionError:
        raise Error(f"{path} is no model of mtc: it is nested too deep") \
            from None
    except ValueError as error:                 # of JSON, or our own
        raise Error(f"{path} is no model of mtc that is read here: {error}") \
            from None


def _plain(value):
    """Numbers and texts of Python, of an array or another value."""
    value = np.asarray(value).tolist()
    if isinstance(value, list) and value and type(value[0]) is bool:
        return list(map(str, value))            # classes
    return value


def _members(of, names):  # those that it has, by their names
    return {name: _plain(getattr(of, name)) for name in names
            if getattr(of, name, None) is not None}


def write_model(m, path):
    """Writes what model_file would read as m, by the same tables."""
    parts = (TABLES[m.rule] + " " + OPTIONAL).split()
    top = {"format": "mtc-model", "schema": 2, "mtc": __version__,
           "options": {}, "guard": m.guarded,
           "features": _members(m.features, ("count", "names")),
           "preprocess": _members(m.preparation, ["how"] + SCALING[
               m.preparation.how] + ["log"] * (len(m.preparation.log) > 0)),
           "tasks": [_members(task, ["name", "k"] + [
               p.split(":")[0] for p in parts]) for task in m.tasks],
           **_members(m, ("classes", "kind", "method", "rule", "stand_in",
                          "angles", "smooth"))}
    if m.rule == "nearest":
        word = isinstance(m.divergence, str)
        top["divergence"] = m.divergence if word else "mahalanobis"
        top.update({} if word else {"metric": _plain(m.divergence)})
    lines = [f'  "{name}": {json.dumps(top[name])}' for name in sorted(top)]
    pathlib.Path(path).write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
