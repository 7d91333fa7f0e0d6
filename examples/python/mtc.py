# SPDX-License-Identifier: MIT
"""mtc for Python: multi-task clustering and transfer learning.

It reads mtc.h when it is imported: structs, defaults and calls are what that
header says, and help(mtc.mbc) is its text.  Data are numpy arrays, matrices
of scipy.sparse, or DataFrames, which are matched by column name.

    res = mtc.mbc([X0, X1], clusters=4, lambda_=.5)     # the calls of mtc.h
    res.labels[0], res.centers[1], mtc.mbc_assign(new, 1, res)
    model = mtc.MBC(n_clusters=4).fit([X0, X1])         # as in scikit-learn
    model.labels_, model.predict(new, task=1)
"""
import collections, ctypes, functools, inspect, json, keyword, math, os
import pathlib, re, signal, sys, threading
from ctypes import addressof, c_char_p, c_int, c_size_t, c_void_p, sizeof

import numpy as np
from numpy import ascontiguousarray as _packed

class Error(ValueError):
    """A call that failed: its status (a word of mtc_status), what was wrong
    and where.  task, row and column count from 0, or are None."""
    status, what, task, row, column = "invalid", None, None, None, None

class OutOfMemory(Error, MemoryError):
    """The memory that a call needs could not be had."""

class NotNumbers(Error, TypeError):
    """Numbers that are none, or cannot be what they stand for."""

# ---- the header ------------------------------------------------------------
# Marks like @7@ stand for comments while the rest, plain C, is looked at.

Field = collections.namedtuple("Field", "type stars name dims doc const")
Call = collections.namedtuple("Call", "returns name arguments doc section")

_ITEM = re.compile(r"""
    @(?P<comment>\d+)@
  | \#define\s+(?P<macro>\w+)\ +(?P<value>\w+)
  | enum\s*(?P<enum>\w*)\s*{(?P<words>[^}]*)}\s*\w*\s*;
  | typedef\s+struct\s+(?P<struct>\w+)\s*{(?P<body>[^}]*)}\s*\w+\s*;
  | MTC_API\s+(?P<returns>[\w\s*]+?)\s*(?P<call>mtc_\w+)
    \((?P<arguments>[^)]*)\)\s*;
""", re.VERBOSE)

class Header:
    """What mtc.h declares: macros, enums, structs and calls."""
    def __init__(self, text):
        self.macros, self.enums, self.structs, self.calls = {}, {}, {}, {}
        self.comments, section, doc = [], "", ""
        text = re.sub(r"/\*.*?\*/", self._hide,
                      text.split("#ifdef MTC_INTERNAL")[0], flags=re.DOTALL)
        for item in map(re.Match.groupdict, _ITEM.finditer(text)):
            if item["comment"]:
                doc = self.comments[int(item["comment"])]
                if doc.startswith(("----", "====")):
                    section, doc = re.sub("[-=]{3,}", "", doc).strip(), ""
                continue
            if item["macro"]:
                self.macros[item["macro"]] = item["value"]
            elif item["words"]:                 # less what all have in front
                words = self._enum(item["words"])
                most = len(os.path.commonprefix(list(words)).rpartition("_")[0])
                self.enums[item["enum"]] = {
                    w[most + 1:].lower(): v for w, v in words.items()}
                self.macros.update(words)
            elif item["struct"]:
                self.structs[item["struct"]] = self._fields(item["body"])
            else:
                arguments = re.sub(r"@\d+@", "", item["arguments"]).split(",")
                self.calls[item["call"]] = Call(
                    item["returns"], item["call"],
                    [self._declared(a.strip(), "")[0] for a in arguments
                     if a != "void"], doc, section)
            doc = ""
        self.version = ".".join(self.macros.get("MTC_VERSION_" + part, "?")
                                for part in ("MAJOR", "MINOR", "PATCH"))

    def _hide(self, match):                     # keeps it without its stars
        self.comments.append(re.sub(r"\n\s*\* ?", "\n",
                                    match.group()[2:-2]).strip())
        return f"@{len(self.comments) - 1}@"

    @staticmethod
    def _enum(body):
        words, value = {}, 0
        for name, given in re.findall(r"(\w+)(?:\s*=\s*(-?\d+))?",
                                      re.sub(r"@\d+@", "", body)):
            words[name] = int(given or value)
            value = words[name] + 1
        return words

    def _fields(self, body):  # members, with the comment behind each
        fields = []
        for text, number in re.findall(r"([^;]+);[ \t]*(?:@(\d+)@)?", body):
            doc = self.comments[int(number)] if number else ""
            fields += self._declared(re.sub(r"@\d+@", "", text).strip(),
                                     re.sub(r"\s+", " ", doc))
        return fields

    def _declared(self, text, doc):
        """`const T *a, *b[2]`: one Field for each name."""
        pointer = re.match(r"[\w\s*]+\(\*(\w+)\)\s*\(", text)
        if pointer:                             # to a function
            return [Field("function", 1, pointer.group(1), (), doc, False)]
        const = text.startswith("const")
        kind, names = re.match(r"\s*(unsigned char|\w+)([^$]*)", re.sub(
            r"\b(const|struct)\b", "", text)).groups()
        fields = []
        for each in names.split(","):
            name, dims = re.search(r"(\w+)((?:\[\w+\])*)\s*$", each).groups()
            dims = tuple(int(self.macros.get(x, x))
                         for x in re.findall(r"\w+", dims))
            fields.append(Field(kind, each.count("*"), name, dims, doc, const))
        return fields

# ---- the library -----------------------------------------------------------

_HERE = os.path.dirname(os.path.abspath(__file__))
_TREE = os.path.dirname(os.path.dirname(_HERE))

def _find(variable, places, load):  # the file named, or the first there is
    places = [os.environ[variable]] if os.environ.get(variable) else places
    for path in places:
        try:
            return load(path), path
        except OSError as error:
            last = error
    raise ImportError(f"no {' or '.join(places)}: `make` in mtc's directory "
                      f"builds the library; {variable} names a file") from last

_lib, library = _find("MTC_LIBRARY", [
    place + "libmtc." + kind for kind in ("so", "dylib", "dll") for place in (
        _HERE + "/", _TREE + "/build/", "", "/usr/local/lib/")], ctypes.CDLL)
_header, header = _find("MTC_HEADER", [place + "/mtc.h" for place in (
    _HERE, _TREE, os.path.dirname(os.path.abspath(library)) + "/../include",
    "/usr/local/include", "/usr/include")],
    lambda path: Header(pathlib.Path(path).read_text("ascii")))
_structs, _enums, __version__ = \
    _header.structs, _header.enums, _header.version
_lib.mtc_version.restype = c_char_p
if _lib.mtc_version().decode() != __version__:  # its numbers would be wrong
    raise ImportError(f"{library} is mtc {_lib.mtc_version().decode()}, but "
                      f"{header} is of version {__version__}: set MTC_LIBRARY "
                      "or MTC_HEADER")
if header == _TREE + "/mtc.h" and library == _TREE + "/build/libmtc.so" \
        and os.path.getmtime(header) > os.path.getmtime(library):
    raise ImportError(f"{library} is older than mtc.h: run make")
#: "float" or "double": what the library was built for
real = "float" if hasattr(_lib, _header.macros.get("mtc_free", "")) \
    else "double"

# Every pointer is an address: the header says what it points to.
_NUMPY = {"size_t": np.dtype(np.uintp), "int": np.dtype(np.intc),
          "mtc_real": np.dtype(np.float32 if real == "float" else float),
          "uint32_t": np.dtype(np.uint32)}
_REAL = _NUMPY["mtc_real"]
_C = {"size_t": c_size_t, "int": c_int, "mtc_operator": c_void_p,
      "mtc_real": ctypes.c_float if real == "float" else ctypes.c_double,
      "uint32_t": ctypes.c_uint32, "uint64_t": ctypes.c_uint64,
      **{name: c_int for name in _enums}}

def _c_type(f):
    if not f.stars and f.type not in _C:
        raise ImportError(f"{header}: {f.type} {f.name}: not known to mtc.py")
    kind = c_void_p if f.stars else _C[f.type]
    for size in reversed(f.dims):
        kind = kind * size
    return kind

for _name, _fields in _structs.items():
    _C[_name] = type(_name, (ctypes.Structure,),
                     {"_fields_": [(f.name, _c_type(f)) for f in _fields]})

@functools.lru_cache(None)
def _function(name):  # of the library, with types as in the header
    call = _header.calls[name]
    function = getattr(_lib, _header.macros.get(name, name)
                       if real == "float" else name)
    kind = call.returns.replace("const", "").strip()
    function.restype = {"char *": c_char_p, "void": None}.get(
        kind, _C.get(kind))
    function.argtypes = [_c_type(a) for a in call.arguments]
    return function

def _words(enum):
    return {value: word for word, value in _enums[enum].items()}
def _python(name):
    return name + "_" * keyword.iskeyword(name)

# ---- extents ---------------------------------------------------------------
# "[n*d]" in a comment is looked up in scopes, the nearest first; "[tasks] of
# [n_t*k]" is an array of addresses.

_EXTENT = re.compile(r"\[([^\]]+)\](?: of \[([^\]]+)\])?")
_GIVEN = {                                      # what no comment says
    "mtc_trec_options.source_partitions": "[runs] of [source.n]",
    "mtc_trec_options.source_features": "[runs*columns]",
    **dict.fromkeys(("mtc_trec_result.from", "mtc_trec_result.to"),
                    "[iterations]"),
    "mtc_ttl_options.start_bridge": "[bridges] of [n_b*c]",
    "mtc_lssttc.start_labels": "[1] of [target.n]"}

class _Scopes(list):
    """Dictionaries of numbers, or of numbers of each task."""
    ALIAS = {"c": ("clusters", "classes"), "k": ("clusters", "classes"),
             "K": ("limit",), "r": ("dimension",)}

    def size(self, symbol, t=0, s=0):  # what a symbol stands for; None: unknown
        if symbol.isdigit():
            return int(symbol)
        base, _, index = symbol.rpartition("_")
        if base in ("n", "k", "K") and index in ("t", "k", "s", "b"):
            t = s if index == "s" else t        # of the t-th, or s-th, task
            symbol = "n_b" if index == "b" else "n_t" if base == "n" else "k"
        for scope in self:
            for name in (symbol,) + self.ALIAS.get(symbol, ()):
                value = scope.get(name)
                if value is not None:
                    return int(value[t] if np.ndim(value) else value)
        return None

    def dims(self, extent, t=0, s=0):  # "layers*(d+1)*d" -> (3, 5, 4)
        dims = []
        for name, more in re.findall(r"([\w.]+)([+-]\d+)?", extent):
            size = self.size(name, t, s)
            if size is None:
                raise Error(f"the extent [{extent}] is not known here")
            dims.append(size + int(more or 0))
        return tuple(dims)

@functools.lru_cache(None)
def _extents(struct):
    """Of every pointer in a struct: {name: (outer or None, inner)}."""
    result, last, seen = {}, (None, None), collections.Counter()
    names = collections.Counter(f.doc for f in _structs[struct])
    for f in filter(lambda f: f.stars, _structs[struct]):
        found = _EXTENT.findall(_GIVEN.get(f"{struct}.{f.name}", f.doc))
        place = seen[f.doc] if len(found) >= names[f.doc] else 0
        if found:                               # "; [m]" goes on with [tasks]
            outer, inner = found[place]
            last = result[f.name] = (None, outer) if f.stars == 1 else \
                (outer, inner) if inner else (last[0], outer)
        seen[f.doc] += 1
    return result

# ---- from C ----------------------------------------------------------------

class Result:
    """What a call found: numpy arrays under the names of mtc.h, copies."""
    def __init__(self, name, values, struct=None):
        self._name, self._struct = name, struct
        vars(self).update((_python(k), v) for k, v in values.items())

    def __repr__(self):
        return f"<mtc.{self._name}: " + ", ".join(
            f"{k}={v!r}" if np.isscalar(v) else k
            for k, v in vars(self).items() if k[0] != "_") + ">"

def _copy(kind, address, dims):  # counts become signed, MTC_NONE is -1
    out = np.empty(dims, _NUMPY[kind])
    if out.nbytes:
        ctypes.memmove(out.ctypes.data, address, out.nbytes)
    return out.view(np.intp) if kind == "size_t" else out

def _read_data(raw):
    """A matrix of a result: an array, or of scipy.sparse if that is there."""
    if raw.row is None:
        return _copy("mtc_real", raw.values, (raw.n, raw.stride))[:, :raw.d]
    view = object.__new__(_View)
    view.n, view.d, view.names = raw.n, raw.d, None
    view.row = _copy("size_t", raw.row, (raw.n + 1,))
    view.column = _copy("uint32_t", raw.column, (view.row[-1],))
    view.values = _copy("mtc_real", raw.values, (view.row[-1],))
    try:
        from scipy.sparse import csr_matrix
    except ImportError:
        return view
    return csr_matrix((view.values, view.column.astype(np.intp), view.row),
                      shape=(raw.n, raw.d))

def _read_member(f, value, extent, scopes):  # of a struct
    if f.type == "mtc_divergence":              # see _Run._found
        return None
    if f.type == "char":                        # static texts
        return [ctypes.string_at(word).decode() for word in value if word]
    if value is None:
        return None
    if f.type in _enums:
        return _words(f.type)[value]
    if f.type in _structs:                      # one, or several
        if f.stars == 0:
            return [_read(f.type, each, scopes) for each in value] \
                if f.dims else _read(f.type, value, scopes)
        if f.type == "mtc_msda_result":
            return _read(f.type, _C[f.type].from_address(value), scopes)
        return [_read(f.type, each, scopes) for each in (
            _C[f.type] * scopes.dims(extent[1])[0]).from_address(value)]
    if f.stars == 0:
        return np.array(list(value), _NUMPY[f.type]) if f.dims else value
    if f.stars == 1:
        return _copy(f.type, value, scopes.dims(extent[1]))
    outer = scopes.dims(extent[0])              # (tasks,) or (tasks, tasks)
    each = (c_void_p * math.prod(outer)).from_address(value)
    found = [None if each[i] is None else _copy(f.type, each[i], scopes.dims(
        extent[1], i // math.prod(outer[1:]), i % outer[-1]))
        for i in range(len(each))]
    return found if len(outer) == 1 else [
        found[i:i + outer[1]] for i in range(0, len(found), outer[1])]

def _read(struct, raw, scopes):
    """A struct of C as a Result: numbers first, which the extents are of."""
    if struct == "mtc_data":
        return _read_data(raw)
    own, extents = {}, _extents(struct)
    scopes = _Scopes([own] + scopes)
    fields = [f for f in _structs[struct]
              if f.type not in ("mtc_block", "mtc_ttl_factors")]
    for f in sorted(fields, key=lambda f: f.stars):
        own[f.name] = value = _read_member(f, getattr(raw, f.name), extents.get(
            f.name, (None, "unknown")), scopes)
        if f.name == "clusters":
            own["k_r"] = value
        if hasattr(value, "runs"):              # an ensemble
            own.update(k_r=value.clusters, runs=value.runs)
    return Result(struct[4:], {f.name: own[f.name] for f in fields}, struct)

# ---- to C ------------------------------------------------------------------

def _number(kind, value, what):  # a number for C, or that of a word of an enum
    words = _enums.get(kind, {})
    try:
        number = words[value.lower()] if isinstance(value, str) else value
        made = _C[kind](number).value
        if kind != "mtc_real" and made != number:
            raise ValueError                    # it did not fit
        return made
    except (KeyError, TypeError, ValueError):
        which = f"one of {list(words)}" if words else "a number it can be"
        raise NotNumbers(f"{what}: {value!r} is not {which}") from None

def _defaults(struct, call=""):  # a struct of options as the library fills it
    for name in call + "_defaults", struct.replace("options", "defaults"):
        if name in _header.calls:
            return _function(name)()
    return _C[struct]()                         # zeros are its defaults

def _numbers(struct, raw):  # the scope of a struct of options
    scope = {}
    for f in _structs[struct]:
        if not f.stars and f.type in _structs:
            scope = {**_numbers(f.type, getattr(raw, f.name)), **scope}
        elif not f.stars:
            scope[f.name] = getattr(raw, f.name)
    c = scope.get("classes", 0)
    return {**scope, "l": scope.get("subspace") or scope.get("clusters"),
            "problems": max(c, 1) - (c < 3)}    # of an SVM

class _Writer:
    """Python values as arrays and structs of C, which it keeps alive."""
    def __init__(self):
        self.keep = []

    def address(self, thing):
        self.keep.append(thing)
        return thing.ctypes.data if isinstance(thing, np.ndarray) \
            else addressof(thing)
    def list(self, addresses):
        return self.address((c_void_p * len(addresses))(*addresses))
    def views(self, views):
        self.keep.append(views)
        return self.address((_C["mtc_data"] * len(views))(
            *[_C["mtc_data"](*v.members()) for v in views]))

    def array(self, f, value, extent, scopes, what=None, t=0):
        """An array of an extent, or several; what is unknown yet is set."""
        what = what or f.name
        if extent[0] is not None:
            value = list(value)
            needed = len(value) if extent[0] == "m" else scopes.size(extent[0])
            scopes[0].setdefault("m", needed)   # runs of a vote
            if len(value) != needed:
                raise Error(f"{what}: {len(value)} arrays, not {needed}")
            return self.list([self.array(f, v, (None, extent[1]), scopes,
                                         f"{what}[{t}]", t)
                              for t, v in enumerate(value)])
        array, wanted = np.asarray(value), _NUMPY[f.type]
        if array.dtype.kind not in "biuf" and array.size:
            raise NotNumbers(f"{what}: numbers are needed, not {array.dtype}")
        limits = np.iinfo(wanted) if wanted.kind != "f" else None
        if limits and not np.all((array >= limits.min) & (array <= limits.max)
                                 & (array == np.floor(array))):
            raise NotNumbers(f"{what}: whole numbers are needed")
        for name, length in zip(extent[1].split("*"), array.shape):
            if name in ("n", "m") and scopes.size(name) is None:
                scopes[0][name] = length        # of a call without data
        dims = scopes.dims(extent[1], t)
        if array.shape not in (dims, (math.prod(dims),)):
            raise Error(f"{what}: its shape is {array.shape}, not {dims}")
        return self.address(_packed(array, wanted))

    def divergence(self, value, d):  # a word, or Mahalanobis' matrix
        if isinstance(value, str):
            names = {"sqeuclidean": "mtc_sqeuclidean", "kl": "mtc_kl",
                     "is": "mtc_itakura_saito"}
            if value not in names:
                raise Error(f"divergence: {value!r} is none of {list(names)}")
            return self.address(_function(names[value])())
        A, L = np.array(value, _REAL), np.array(value, _REAL)
        if A.shape != (d, d) or not np.array_equal(A, A.T) or \
                _function("mtc_cholesky")(d, L.ctypes.data, d, None):
            raise Error(f"divergence: {d} x {d}, symmetric, definite is needed")
        metric = _C["mtc_metric"](d, self.address(A), self.address(L))
        return self.address(_function("mtc_mahalanobis")(self.address(metric)))

    def rebuilt(self, struct, result):  # of a Result that a call has made
        raw = _C[struct]()
        for f in _structs[struct]:
            value = getattr(result, _python(f.name), None)
            if value is None or f.type in ("mtc_block", "char"):
                continue
            if f.type == "mtc_data":
                value = self.views([_View(v) for v in value])
            elif f.type == "mtc_divergence":
                value = self.divergence(value, result.d)
            elif f.type in _structs:
                value = self.rebuilt(f.type, value)
                value = self.address(value) if f.stars else value
            elif f.stars:
                value = [None if v is None else self.address(
                    _packed(v, _NUMPY[f.type])) for v in (
                        [value] if f.stars == 1 else sum(value, [])
                        if isinstance(value[0], list) else value)]
                value = value[0] if f.stars == 1 else self.list(value)
            else:
                value = _c_type(f)(*value) if f.dims else \
                    _number(f.type, value, f.name)
            setattr(raw, f.name, value)
        return raw

    def options(self, struct, raw, values, scopes, call=""):
        """By name: numbers, then what depends on them; inner ones as well."""
        fields = {f.name: f for f in _structs[struct]}
        inner = {g.name: f for f in fields.values() if not f.stars
                 for g in _structs.get(f.type, ())}
        values = {k.rstrip("_"): v for k, v in values.items() if v is not None}
        several, k = {}, values.get("clusters")
        if np.ndim(k) and "clusters_of" in fields:
            several["clusters"] = values["clusters_of"] = values.pop("clusters")
        elif np.ndim(k) and len(set(k)) == 1:
            values["clusters"] = k[0]
        for name, value in sorted(values.items(), key=lambda item: getattr(
                fields.get(item[0]), "stars", 0)):
            f = fields.get(name) or inner.get(name)
            if f is None:
                raise Error(f"{name} is no option of {struct}")
            if f.stars:
                value = self.option(f, value, struct, call, _Scopes(
                    [{**_numbers(struct, raw), **several}] + scopes))
            elif f.type in _structs:
                value = self.options(f.type, getattr(raw, f.name), value
                                     if name in fields else {name: value},
                                     scopes)
            else:
                value = _number(f.type, value, name)
            setattr(raw, f.name, value)
        return raw

    def option(self, f, value, struct, call, scopes):  # its address
        if f.type == "mtc_divergence":
            return self.divergence(value, scopes.size("d"))
        if f.type.endswith("_options"):         # those of a guard's method
            return self.address(self.options(f.type, _defaults(f.type),
                                             value, scopes))
        if f.type not in _NUMPY:
            raise Error(f"{f.name} cannot be given from Python")
        given = _EXTENT.findall(_GIVEN.get(f"{call}.{f.name}", ""))
        return self.array(f, value, given[0] if given else
                          _extents(struct).get(f.name), scopes)

# ---- data ------------------------------------------------------------------

class _View:
    """Samples as rows, in the library's type; converted only if needed.
    The columns of a DataFrame are put in the order of `names`."""
    def __init__(self, X, what="X", names=None):
        if isinstance(X, _View):
            vars(self).update(vars(X))
            return
        self.what, self.names, self.row = what, None, None
        if hasattr(X, "columns") and hasattr(X, "iloc"):
            X = self._frame(X, names)
        if not hasattr(X, "tocsr"):
            X = np.asarray(X)
        if X.dtype.kind == "c":
            raise Error(f"{what}: Complex data not supported")
        if X.ndim != 2:
            raise Error(f"{what}: Expected 2D array, got {X.ndim}D array "
                        "instead. Reshape your data: samples are rows")
        self.n, self.d = X.shape
        if 0 in X.shape:
            raise Error(f"{what}: 0 {'feature' if self.n else 'sample'}(s) "
                        f"(shape={X.shape}) while a minimum of 1 is required.")
        with np.errstate(over="ignore"):        # to infinity: C refuses it
            (self._sparse if hasattr(X, "tocsr") else self._dense)(X)

    def _dense(self, A):
        try:
            A = A.astype(_REAL, copy=False)
        except (TypeError, ValueError) as error:
            raise NotNumbers(f"{self.what}: {error}") from None
        step, item = A.strides[0], A.itemsize
        if A.strides[1] != item or step < self.d * item or step % item \
                or not A.flags.aligned:
            A = _packed(A)
        self.values = A
        self.stride = max(A.strides[0] // item, self.d)

    def _sparse(self, X):
        X = X.tocsr()
        if not X.has_canonical_format:
            X = X.copy()
            X.sum_duplicates()                  # sorts as well
        self.row = _packed(X.indptr, np.uintp)
        self.column = _packed(X.indices, np.uint32)
        self.values = _packed(X.data, _REAL)

    def _frame(self, X, names):
        own = list(X.columns)
        if all(isinstance(name, str) for name in own):
            self.names = own if names is None else list(names)
            if sorted(own) != sorted(set(self.names)):
                raise Error(f"{self.what}: The feature names should match "
                            "those that were passed, each once: " + ", ".join(
                                sorted(set(own) ^ set(self.names))))
            X = X[self.names]
        try:
            return X.to_numpy(dtype=_REAL, na_value=np.nan)
        except (TypeError, ValueError) as error:
            raise NotNumbers(f"{self.what}: {error}: " + ", ".join(
                str(name) for name, kind in X.dtypes.items()
                if kind.kind not in "biuf")) from None

    def members(self):                          # of a struct mtc_data
        return (self.n, self.d, self.values.ctypes.data) + (
            (self.stride, None, None) if self.row is None else
            (0, self.row.ctypes.data, self.column.ctypes.data))
    def owned(self):                            # whatever becomes of X
        self.values, self.stride = self.values.copy(), self.d
        return self
    def rows(self):  # the row of each value of a sparse one
        return np.repeat(np.arange(self.n), np.diff(self.row.view(np.intp)))

def _is_one(X):  # one matrix, not a list of them?
    return isinstance(X, _View) or hasattr(X, "tocsr") or \
        hasattr(X, "columns") or isinstance(X, np.ndarray) and X.ndim == 2

def _views(tasks, what="tasks", names=None):  # one matrix: a list of one
    views = []
    for t, X in enumerate([tasks] if _is_one(tasks) else tasks):
        views.append(_View(X, f"{what}[{t}]", names))
        names = names or views[-1].names
    return views

# ---- calls -----------------------------------------------------------------

_PROGRESS = ctypes.CFUNCTYPE(c_int, c_void_p, c_char_p,
                             c_size_t, c_size_t)

class _Context:
    """The context of one call: seed, progress, Ctrl-C."""
    def __init__(self, seed, progress):
        self.raw = _function("mtc_context_defaults")()
        self.raw.seed = _number("uint64_t", seed, "seed")
        self.progress = progress() if isinstance(progress, type) else progress
        self.stop, self.raised = False, None
        self.main = threading.current_thread() is threading.main_thread() \
            and signal.getsignal(signal.SIGINT) is signal.default_int_handler
        self.callback = _PROGRESS(self._tick)
        if self.main or progress is not None:
            self.raw.progress = ctypes.cast(self.callback, c_void_p)

    def _tick(self, _user, stage, done, total):
        bar, stage = self.progress, stage.decode()
        try:
            if hasattr(bar, "refresh"):         # as tqdm's
                bar.desc, bar.n, bar.total = stage, done, total
                bar.refresh()
            elif bar is not None and bar(stage, done, total):
                self.stop = True
        except BaseException as error:          # not to be lost in C
            self.stop, self.raised = True, error
        return int(self.stop)

    def run(self, function, arguments):
        """The call; a Ctrl-C stops it and is raised when it has returned."""
        def interrupt(*_):
            self.stop, self.raised = True, KeyboardInterrupt()
        before = signal.signal(signal.SIGINT, interrupt) if self.main else None
        try:
            return function(addressof(self.raw), *arguments)
        finally:
            if self.main:
                signal.signal(signal.SIGINT, before)

    def error(self, name, status):  # the Error of a status, with its place
        place, word = self.raw.error, _words("mtc_status")[status]
        what = ctypes.string_at(place.what or b"").decode()
        where = {key: getattr(place, key) for key in ("task", "row", "column")
                 if getattr(place, key) != c_size_t(-1).value}
        text = f"{name}: {_function('mtc_status_text')(status).decode()}"
        text += f": {what}" * (what not in text) + "".join(
            f", {key} {i}" for key, i in where.items())
        error = (OutOfMemory if word == "no_memory" else Error)(text)
        vars(error).update(where, status=word, what=what)
        return error

class _Call:
    """One call of mtc.h: its arguments come from Python values."""
    #: what an argument is if it is left out; usual extents of outputs
    LEFT_OUT = {"queries": None, "views": None, "distance": "sqeuclidean",
                "gamma": 0, "div": None, "form": "links", "ridge": 1e-3,
                "view": 0}
    USUAL = {"labels": "X.n", "out": "1", "mean": "1", "total": "1"}

    def __init__(self, call):
        self.c_name, self.name = call.name, call.name[4:]
        self.function = _function(call.name)
        self.arguments = call.arguments[1:]
        self.lists = {a.name[2:] for a in self.arguments
                      if a.name[:2] == "n_"} | {"views"}
        self.kinds = {a.name: self._kind(a) for a in self.arguments}
        kinds = {self.kinds[a.name]: a.type for a in self.arguments}
        self.model, self.result = kinds.get("model"), kinds.get("result")
        self.options = kinds.get("options")
        self.inputs = [a for a in self.arguments if self.kinds[a.name] in (
            "data", "model", "divergence", "array", "number")]
        self.defaults, P = {}, inspect.Parameter
        if self.options:                        # clusters=[3, 4] is for each
            found = vars(_read(self.options, _defaults(self.options, call.name),
                               _Scopes()))
            for value in [v for v in found.values() if isinstance(v, Result)]:
                found = {**vars(value), **found}
            self.defaults = {k: v for k, v in found.items() if k[0] != "_" and
                             k != "clusters_of" and not isinstance(v, Result)}
        self.documented = {n.strip(): extent for names, extent in re.findall(
            r"((?:\w+,\s)*\w+)\s\[([^\]]+)\]",
            call.section + call.doc) for n in names.split(",")}
        left_out = {name: value for name, value in self.LEFT_OUT.items()
                    if not any(a.name == "n_" + name for a in self.arguments)}
        self.signature = inspect.Signature([
            P(a.name, P.POSITIONAL_OR_KEYWORD,
              default=left_out.get(a.name, P.empty))
            for a in sorted(self.inputs, key=lambda a: a.name in left_out)
        ] + [P(name, P.KEYWORD_ONLY, default=value) for name, value in
             {**self.defaults, "seed": 1, "progress": None}.items()])

    @staticmethod
    def _kind(a):
        if a.stars == 0:
            return "derived" if a.name in ("n", "m", "ldc") \
                or a.name[:2] == "n_" else "number"
        fields = _structs.get(a.type)
        if fields and fields[0].type == "mtc_block":
            return "model" if a.const else "result"
        return "options" if a.type.endswith("_options") else \
            "output" if not a.const else "data" if a.type == "mtc_data" else \
            "divergence" if a.type == "mtc_divergence" else "array"

    def python(self):  # a plain function, with all that the header says
        def function(*args, **kwargs):
            given = self.signature.bind(*args, **kwargs)
            given.apply_defaults()
            try:
                return _Run(self, given.arguments).result()
            except Error as error:
                if not str(error).startswith(self.name + ": "):
                    error.args = (f"{self.name}: {error}",)
                raise
        function.__name__ = function.__qualname__ = self.name
        function.__signature__ = self.signature
        call = _header.calls[self.c_name]
        function.__doc__ = "\n\n".join(filter(None, [
            call.section if self.result else "", call.doc] + ["\n".join(
                [struct[4:]] + [f"  {_python(f.name):14} {f.doc}" for f in
                                _structs[struct] if f.type != "mtc_block"])
                for struct in (self.options, self.result) if struct]))
        return function

class _Run(_Writer):
    """One run of a call; a method for each kind of argument makes it ready."""
    def __init__(self, call, given):
        super().__init__()
        self.call, self.given, self.env = call, given, {}
        self.scopes, self.names = _Scopes([self.env]), {}
        self.out, self.last = {}, (None, None)
        self.context = _Context(given["seed"], given["progress"])
        if call.model:
            if getattr(given["res"], "_struct", None) != call.model:
                raise Error(f"res: a {call.model[4:]} is needed")
            self.scopes.append(vars(given["res"]))
        self.ready = {a.name: getattr(self, "_" + call.kinds[a.name])(
            a, given.get(a.name)) for a in sorted(
                call.arguments, key=lambda a: call.kinds[a.name] == "derived")}

    def _data(self, a, value):  # features that are shared go by name
        many = a.name in self.call.lists
        group = a.name if self.call.name == "trec" else "far" if a.name in (
            "views", "target") and self.given.get("views") is not None else ""
        if self.call.model and a.name == "X":
            self.names[group] = getattr(self.given["res"], "_names", None)
        if value is None:
            return None
        names = self.names.get(group)
        views = _views(value, a.name, names) if many else \
            [_View(value, a.name, names)]
        if not views:
            raise Error(f"{a.name}: there are none")
        self.names[group] = names or views[0].names
        self.last = self.names[group], views[0].d
        self._sizes(a.name, many, views)
        return self.views(views)

    def _sizes(self, name, many, views):        # what extents can be of
        rows, env = [v.n for v in views], self.env
        env[name + ".n"] = rows if many else rows[0]
        env.setdefault("d", views[0].d)
        if many:
            env[name] = env["n_" + name] = len(views)
            env["N"] = sum(rows)
        if many and name not in ("bridges", "views") or \
                self.call.name == "lssttc":
            env["n_t"] = env.get("n_t", []) + rows
        if name in ("bridges", "points", "queries"):
            env["n_b"], env["n_q"] = rows, rows[0]
        if not many and (name == "target" or "n" not in env):
            env["n"] = rows[0]

    def _derived(self, a, _value):              # rows are contiguous
        return self.env.get("n" if a.name == "ldc" else a.name)
    def _number(self, a, value):
        self.env[a.name] = _number(a.type, value, a.name)
        return self.env[a.name]
    def _divergence(self, _a, value):
        return None if value is None else self.divergence(value, self.env["d"])

    def _array(self, a, value):
        """Labels of data, labels of each source, or as documented."""
        owner = a.name.replace("labels", "").strip("_") or "X"
        owner = next((n for n in (owner, owner.upper(), owner + "s")
                      if n + ".n" in self.env), None)
        extent = (None, owner + ".n" if owner else "m*n" if a.name == "cost"
                  else self.call.documented.get(a.name, "n"))
        if a.stars == 2:
            extent = (owner, owner + ".n") if owner else ("m", "n")
        return self.array(a, value, extent, self.scopes)
    def _model(self, a, value):
        return self.address(self.rebuilt(a.type, value))

    def _options(self, a, _value):
        name, given = self.call.c_name, self.given
        values = {key: given[key] for key in self.call.defaults}
        raw = self.options(a.type, _defaults(a.type, name), values,
                           self.scopes, name)
        self.scopes.append(_numbers(a.type, raw))
        return self.address(raw)

    def _output(self, a, _value):               # room for what is written
        extent = self.call.documented.get(
            a.name, self.call.USUAL.get(a.name, "unknown"))
        room = _C[a.type]() if a.type in _structs else np.zeros(
            self.scopes.dims(extent), _NUMPY[a.type])
        self.out[a.name] = (a.type, room, extent)
        return self.address(room)

    def _result(self, a, _value):  # more room, should the library be another
        self.raw = _C[a.type].from_buffer(bytearray(sizeof(_C[a.type]) + 1024))
        return addressof(self.raw)

    def result(self):
        context, call = self.context, self.call
        status = context.run(call.function, [self.ready[a.name]
                                             for a in call.arguments])
        try:
            if context.raised is not None or status != 0:
                raise context.raised or context.error(call.name, status)
            return self._found() if call.result else self._written()
        finally:
            if status == 0 and call.result:
                _function("mtc_free")(addressof(context.raw),
                                      addressof(self.raw))

    def _found(self):
        whole, size = self.raw.block.whole, sizeof(self.raw)
        if whole != size:                       # the library says its size
            raise Error(f"{self.call.result} has {whole} bytes in {library}, "
                        f"{size} by {header}: these are not of one version")
        found = _read(self.call.result, self.raw, self.scopes[::-1])
        used = {**self.given, **self.scopes[-1]}
        found._names, found._d = self.last      # for the call's assign
        if hasattr(found, "divergence"):        # functions of C: as it was given
            found.divergence = used["divergence"]
        return found

    def _written(self):
        values = {
            name: _read(kind, room, []) if kind in _structs
            else room[0].item() if extent == "1"
            else room.view(np.intp) if kind == "size_t" else room
            for name, (kind, room, extent) in self.out.items()}
        return next(iter(values.values())) if len(values) == 1 \
            else Result(self.call.name, values)

# Linear algebra is left to numpy, and so is a step of MBC.
_LEFT = {"mtc_data_check", "mtc_eigen_operator", "mtc_symeig",
         "mtc_symeig_range", "mtc_free", "mtc_mbc_centroid"}
_CALLS = {name[4:]: _Call(call) for name, call in _header.calls.items()
          if call.arguments and call.arguments[0].type == "mtc_context"
          and name not in _LEFT}
globals().update((name, call.python()) for name, call in _CALLS.items())

def bridge_score(features, model=None):
    """In [0,1]: larger is better.  The model is one of bridge_fit, or None."""
    to, f = _Writer(), Field("mtc_real", 1, "features", (), "", True)
    model = model and to.address(to.rebuilt("mtc_bridge_model", model))
    return _function("mtc_bridge_score")(
        model, to.array(f, features, (None, "6"), _Scopes()))

# ---- estimators ------------------------------------------------------------
# As scikit-learn's, which they do not need: parameters are the options of a
# call, with n_clusters for clusters (a number, or one for each task).

class _Estimator:
    _call, _assign, _without, _more = None, None, (), {}
    _estimator_type = "clusterer"

    def __init_subclass__(cls):
        if cls._call is None:
            return
        P, options = inspect.Parameter, dict(_CALLS[cls._call].defaults)
        first = {"n_clusters": options.pop("clusters")} \
            if "clusters" in options else {}
        cls._parameters = {
            k: v for k, v in {**first, **options, **cls._more, "seed": 1,
                              "progress": None}.items()
            if k not in cls._without + ("classes",)}
        signature = inspect.Signature(
            [P(k, P.POSITIONAL_OR_KEYWORD if k in ("self", "n_clusters")
               else P.KEYWORD_ONLY, default=v) for k, v in
             {"self": P.empty, **cls._parameters}.items()])

        def __init__(*args, **kwargs):
            given = signature.bind(*args, **kwargs)
            given.apply_defaults()
            vars(given.arguments.pop("self")).update(given.arguments)
        cls.__init__, __init__.__signature__ = __init__, signature

    def get_params(self, deep=True):
        return {name: getattr(self, name) for name in self._parameters}

    def set_params(self, **params):
        for name, value in params.items():
            if name not in self._parameters:
                raise Error(f"Invalid parameter {name!r}: none of "
                            f"{list(self._parameters)}")
            setattr(self, name, value)
        return self

    def __repr__(self):
        return f"{type(self).__name__}(" + ", ".join(
            f"{k}={v!r}" for k, v in self.get_params().items()
            if np.any(v != self._parameters[k])) + ")"

    def __sklearn_is_fitted__(self):
        return hasattr(self, "result_")
    def _more_tags(self):                       # scikit-learn below 1.6
        return {"requires_y": self._estimator_type == "classifier"}
    def __sklearn_tags__(self):                 # and from then on
        from sklearn.base import BaseEstimator
        tags = BaseEstimator().__sklearn_tags__()
        tags.estimator_type = self._estimator_type
        tags.target_tags.required = self._estimator_type == "classifier"
        return tags

    def _run(self, *data, **more):  # the call, with our parameters
        given = {"clusters" if k == "n_clusters" else k: v for k, v in
                 self.get_params().items() if k not in self._more}
        return globals()[self._call](*data, **{**given, **more})

    def _learned(self, res, labels=None):       # what every fit leaves
        self.result_, self.n_features_in_ = res, res._d
        vars(self).pop("feature_names_in_", None)
        if res._names is not None:
            self.feature_names_in_ = np.array(res._names, object)
        found = {"labels_": labels, "n_iter_": getattr(res, "iterations", None),
                 "objective_": getattr(res, "objective", None),
                 "relatedness_": getattr(res, "relatedness", None)}
        vars(self).update({k: v for k, v in found.items() if v is not None})
        return self

    def _model(self):                           # what _assign reads
        return self.result_

    def _assigned(self, X, task=0):
        """What the library's _assign says of new samples, which have to have
        the features of the fit."""
        name = type(self).__name__
        if not self.__sklearn_is_fitted__():
            known = sys.modules.get("sklearn.exceptions", object)
            raise type("NotFittedError", (
                Error, getattr(known, "NotFittedError", object)), {})(
                    f"This {name} instance is not fitted yet")
        view = _View(X, "X", getattr(self, "feature_names_in_", None))
        if view.d != self.n_features_in_:
            raise Error(f"X has {view.d} features, but {name} is expecting "
                        f"{self.n_features_in_} features as input")
        call = self._assign or self._call + "_assign"
        given = {"X": view, "task": task, "res": self._model(),
                 **vars(self).get("_data", {})}
        return globals()[call](**{a.name: given[a.name]
                                  for a in _CALLS[call].inputs})

class _Clusterer(_Estimator):
    """labels_ and cluster_centers_ are lists; of one matrix the arrays."""
    def __init_subclass__(cls):
        super().__init_subclass__()
        if cls._call + "_assign" in _CALLS:
            cls.predict = cls._assigned

    def fit(self, X, y=None):
        return self._found(self._run(X), "tasks" in _CALLS[self._call].lists
                           and _is_one(X))

    def _found(self, res, unpack=False):
        if hasattr(res, "centers"):
            self.cluster_centers_ = res.centers[0] if unpack else res.centers
        return self._learned(res, res.labels[0] if unpack else res.labels)

    def fit_predict(self, X, y=None):
        return self.fit(X).labels_

for _name, _doc in (
        ("Auto", "A vote of methods that share and methods that do not."),
        ("MBC", "Multitask Bregman clustering: centroids are transported."),
        ("LSSMTC", "Tasks with the same clusters, which share a subspace."),
        ("Guard", "A method that shares (method=), only where that is safe."),
        ("EC", "An ensemble of k-means in random subspaces."),
        ("NCut", "The normalized cut of a graph of similarities.")):
    globals()[_name] = type(_name, (_Clusterer,), {
        "_call": _name.lower(), "__doc__": _doc, "__module__": __name__})

class MTCFIR(_Clusterer):
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
        views = _views(X)
        res = self._run(views)
        self._used = [np.unique(labels) for labels in res.labels]
        res.centers = [np.zeros((k, res.d), _REAL) for k in res.clusters]
        for view, labels, means in zip(views, res.labels, res.centers):
            np.add.at(means, labels if view.row is None else
                      (labels[view.rows()], view.column), view.values)
            means /= np.maximum(np.bincount(labels, minlength=len(means)),
                                1)[:, None]
        return self._found(res, _is_one(X))

class Genie(_Clusterer):
    """Clusters of any shape, cut from the minimum spanning tree."""
    _call = "tree_cut"

    def fit(self, X, y=None):
        res = tree(X)
        res.labels = tree_cut(res, clusters=self.n_clusters, gini=self.gini)
        return self._found(res)

class Ward(_Clusterer):
    """Ward's tree, cut at n_clusters; result_.height has its heights."""
    _call, _without, _more = "ward", ("given",), {"n_clusters": 2}

    def fit(self, X, y=None):
        res = ward(X)
        res.labels = ward_cut(res, self.n_clusters)
        return self._found(res)

class KMeans(_Clusterer):
    """k-means, the restart of lowest loss."""
    _call, _without = "kmeans", ("weights",)

    def fit(self, X, y=None, sample_weight=None):
        res = self._run(X, weights=sample_weight)
        self.inertia_ = res.loss
        return self._found(res)

class SNMF(_Clusterer):
    """Symmetric NMF of a graph of nearest neighbors, as the program's."""
    _call, _without = "snmf", ("start",)
    _more = {"neighbor_share": .3, "restarts": 10}

    def fit(self, X, y=None):
        view, k = _View(X), self.n_clusters
        near = math.ceil(self.neighbor_share * view.n / max(k, 1))
        W = _View(graph_build([view], neighbors=min(near, view.n - 1)).weights)
        if W.row is not None:                   # D^-1/2 W D^-1/2
            root = np.sqrt(np.bincount(W.rows(), W.values, W.n))
            scale = root[W.rows()] * root[W.column]
            scale[scale == 0] = np.inf
            W.values = (W.values / scale).astype(_REAL)
        res = self._run(W, start_labels=kmeans(
            view, clusters=k, restarts=self.restarts, seed=self.seed).labels
            if self.start_labels is None else self.start_labels)
        res._names, res._d = view.names, view.d
        return self._found(res)

def _encoded(labels, views):  # classes of all, labels as numbers of these
    labels = [np.asarray(y) for y in labels]
    if [y.shape for y in labels] != [(v.n,) for v in views]:
        raise Error("y should be a 1d array: one label for each sample")
    y = np.concatenate(labels)
    if y.dtype.kind == "f" and not np.all(np.isfinite(y) & (y == np.floor(y))):
        raise Error("Unknown label type: continuous, NaN or infinity")
    classes, codes = np.unique(y, return_inverse=True)
    return classes, np.split(codes, np.cumsum([v.n for v in views])[:-1])

class _Classifier(_Estimator):
    _estimator_type = "classifier"

    def fit(self, X, y, sample_weight=None):
        view = _View(X).owned()
        self.classes_, (codes,) = _encoded([y], [view])
        weights = {self._without[0]: sample_weight}
        res = self._run(view, codes, classes=len(self.classes_), **weights)
        self._data = {"train": view}
        return self._learned(res)

    def predict(self, X):
        labels = self._assigned(X).labels
        return self.classes_[labels]

    def score(self, X, y, sample_weight=None):
        return float(np.average(self.predict(X) == np.asarray(y),
                                weights=sample_weight))

class SVM(_Classifier):
    """Support vector machine, one class against the rest."""
    _call, _without = "svm", ("costs", "start")

    def decision_function(self, X):
        scores = self._assigned(X).decisions
        return scores.ravel() if scores.shape[1] == 1 else scores

class Logistic(_Classifier):
    """Logistic regression."""
    _call, _without = "logistic", ("weights",)

    def predict_proba(self, X):
        return self._assigned(X).probabilities

    def decision_function(self, X):  # of two classes the log-odds
        log = np.log(np.maximum(self.predict_proba(X), np.finfo(_REAL).tiny))
        return log[:, 1] - log[:, 0] if log.shape[1] == 2 else log

class _Transfer(_Estimator):
    _number = None                              # the option that is classes

    def fit(self, sources, labels, target, **more):
        views = _views(sources, "sources")      # more: bridges, views of TTL
        self.classes_, codes = _encoded([labels] if _is_one(sources)
                                        else labels, views)
        if self._number is None:                # labels are clusters
            res = self._run(views[0], codes[0], target)
            return self._learned(res, res.labels)
        more[self._number] = len(self.classes_)
        res = self._run(sources=views, source_labels=codes, target=target,
                        **more)
        return self._learned(res, self.classes_[    # the target is the last
            res.labels[-1] if self._call == "lssttc" else res.labels])

    def predict(self, X):
        res = vars(self).get("result_")
        found = self._assigned(X, getattr(res, "tasks", 1) - 1)
        return found if self._number is None else self.classes_[found]

class LSSTTC(_Transfer):
    """LSSMTC with labeled sources: fit(sources, labels, target)."""
    _call, _assign, _without = "lssttc", "lssmtc_assign", ("n_clusters",)
    _number = "clusters"

class TTL(_Transfer):
    """By way of bridges: fit(sources, labels, target, bridges=, views=None);
    views are the bridges' samples with the target's features."""
    _call, _without, _number = "ttl", ("start_factors",), "classes"

class TrEC(_Transfer):
    """EC, and what being together means learned from a source that may have
    other features: fit(source, labels, target).  labels_ are clusters."""
    _call, _assign = "trec", "ec_assign"

    def _model(self):
        return self.result_.target

# ---- models that the program has saved -------------------------------------

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
                table = np.array(task[name], _REAL)
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
        view = _View(X, "X", features.get("names"))
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
            x *= np.array(how["idf"], _REAL)
        if how["how"] in ("tfidf", "l2"):       # sums in order of columns
            length = np.sqrt(np.cumsum(np.square(x, dtype=float), 1)[:, -1:])
            x = (x / np.where(length * 0 < length, length, 1)).astype(_REAL)
        if how["how"] == "zscore":
            by = np.array(how["deviation"])
            x = np.where(by > 0, (x - np.array(how["mean"])) / np.where(
                by > 0, by, 1), 0).astype(_REAL)
        return x

    def _nearest(self, x, task):
        by = self._model.get("divergence", "sqeuclidean")
        model = Result("", dict(clusters=len(task.centers), d=x.shape[1],
                                centers=task.centers), "mtc_kmeans_result")
        if by != "sqeuclidean":
            model.divergence = self._model.get("metric", by)
            x = x + _REAL.type(self._model["smooth"])
        return kmeans_assign(x, model)

    def _subspace(self, x, task):
        model = Result("", dict(
            tasks=1, clusters=len(task.centers), d=x.shape[1],
            width=task.shared.shape[1], centers=[task.centers],
            W=task.projection, M=task.shared, lambda_=task.lambda_),
            "mtc_lssmtc_result")
        return lssmtc_assign(x, 0, model)

    def _components(self, x, task):
        return self._nearest(_dots(x - task.mean, task.components), task) \
            if len(task.components) else np.zeros(len(x), np.intc)
    def _linear(self, x, task):
        x = x / _REAL.type(task.scale) if task.scale != 1 else x
        return self._winner(_dots(x, task.weights) + task.bias, task)

    def _kernel(self, x, task):
        model = Result("", dict(
            classes=int(task.k), problems=len(task.bias), n=len(task.support),
            d=x.shape[1], kernel="rbf", gamma=task.gamma, bias=task.bias,
            coefficients=task.coefficients), "mtc_svm_result")
        return self._winner(
            svm_assign(x, task.support, model).decisions if len(task.support)
            else np.tile(task.bias, (len(x), 1)), task)

    @staticmethod
    def _winner(scores, task):
        if scores.shape[1] == 1:                # of one problem: its side
            scores = np.hstack([0 * scores, scores])
        return scores.argmax(1) if task.k > 1 else np.zeros(len(scores), int)

def _dots(X, W):  # X W' by mtc_dot, whose order of sums is the program's
    X, W = _packed(X, _REAL), _packed(W, _REAL)
    dot, d = _function("mtc_dot"), X.shape[1]
    return np.array([[dot(d, x.ctypes.data, w.ctypes.data) for w in W]
                     for x in X], _REAL).reshape(len(X), len(W))

load = Model
