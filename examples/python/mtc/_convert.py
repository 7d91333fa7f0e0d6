# SPDX-License-Identifier: MIT
"""Structs and arrays of C as Python values.

An extent such as "[n*d]" in a comment of mtc.h says how long an array is.  It
is looked up in scopes, the nearest first; "[tasks] of [n_t*k]" is an array of
addresses."""
import collections
import ctypes
import functools
import math
import re
from ctypes import c_void_p

import numpy as np

from ._data import View
from ._errors import Error
from ._library import (C, NUMPY, enums, python_name, structs, words_of)

EXTENT = re.compile(r"\[([^\]]+)\](?: of \[([^\]]+)\])?")
GIVEN = {                                      # what no comment says
    "mtc_trec_options.source_partitions": "[runs] of [source.n]",
    "mtc_trec_options.source_features": "[runs*columns]",
    **dict.fromkeys(("mtc_trec_result.from", "mtc_trec_result.to"),
                    "[iterations]"),
    "mtc_lssttc.start_labels": "[1] of [target.n]"}


class Scopes(list):
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
def extents_of(struct):
    """Of every pointer in a struct: {name: (outer or None, inner)}."""
    result, last, seen = {}, (None, None), collections.Counter()
    names = collections.Counter(f.doc for f in structs[struct])
    for f in filter(lambda f: f.stars, structs[struct]):
        found = EXTENT.findall(GIVEN.get(f"{struct}.{f.name}", f.doc))
        place = seen[f.doc] if len(found) >= names[f.doc] else 0
        if found:                               # "; [m]" goes on with [tasks]
            outer, inner = found[place]
            last = result[f.name] = (None, outer) if f.stars == 1 else \
                (outer, inner) if inner else (last[0], outer)
        seen[f.doc] += 1
    return result


class Result:
    """What a call found: numpy arrays under the names of mtc.h, copies."""

    def __init__(self, name, values, struct=None):
        self._name, self._struct = name, struct
        vars(self).update((python_name(k), v) for k, v in values.items())

    def __repr__(self):
        return f"<mtc.{self._name}: " + ", ".join(
            f"{k}={v!r}" if np.isscalar(v) else k
            for k, v in vars(self).items() if k[0] != "_") + ">"


def copied(kind, address, dims):  # counts become signed, MTC_NONE is -1
    out = np.empty(dims, NUMPY[kind])
    if out.nbytes:
        ctypes.memmove(out.ctypes.data, address, out.nbytes)
    return out.view(np.intp) if kind == "size_t" else out


def _read_data(raw):
    """A matrix of a result: an array, or of scipy.sparse if that is there."""
    if raw.row is None:
        return copied("mtc_real", raw.values, (raw.n, raw.stride))[:, :raw.d]
    view = object.__new__(View)
    view.n, view.d, view.names = raw.n, raw.d, None
    view.row = copied("size_t", raw.row, (raw.n + 1,))
    view.column = copied("uint32_t", raw.column, (view.row[-1],))
    view.values = copied("mtc_real", raw.values, (view.row[-1],))
    try:
        from scipy.sparse import csr_matrix
    except ImportError:
        return view
    return csr_matrix((view.values, view.column.astype(np.intp), view.row),
                      shape=(raw.n, raw.d))


def _read_member(f, value, extent, scopes):  # of a struct
    if f.type == "mtc_divergence":              # see Run._found
        return None
    if f.type == "char":                        # static texts
        return [ctypes.string_at(word).decode() for word in value if word]
    if value is None:
        return None
    if f.type in enums:
        return words_of(f.type)[value]
    if f.type in structs:                      # one, or several
        if f.stars == 0:
            return [read_struct(f.type, each, scopes) for each in value] \
                if f.dims else read_struct(f.type, value, scopes)
        if f.type == "mtc_msda_result":
            return read_struct(f.type, C[f.type].from_address(value), scopes)
        dims = scopes.dims(extent[1])           # a list, or lists in a list
        found = [read_struct(f.type, each, scopes) for each in (
            C[f.type] * math.prod(dims)).from_address(value)]
        return found if len(dims) == 1 else [
            found[i:i + dims[1]] for i in range(0, len(found), dims[1])]
    if f.stars == 0:
        return np.array(list(value), NUMPY[f.type]) if f.dims else value
    if f.stars == 1:
        return copied(f.type, value, scopes.dims(extent[1]))
    outer = scopes.dims(extent[0])              # (tasks,) or (tasks, tasks)
    each = (c_void_p * math.prod(outer)).from_address(value)
    found = [None if each[i] is None else copied(f.type, each[i], scopes.dims(
        extent[1], i // math.prod(outer[1:]), i % outer[-1]))
        for i in range(len(each))]
    return found if len(outer) == 1 else [
        found[i:i + outer[1]] for i in range(0, len(found), outer[1])]


def read_struct(struct, raw, scopes):
    """A struct of C as a Result: numbers first, which the extents are of."""
    if struct == "mtc_data":
        return _read_data(raw)
    own, extents = {}, extents_of(struct)
    scopes = Scopes([own] + scopes)
    fields = [f for f in structs[struct]
              if f.type not in ("mtc_block", "mtc_ttl_factors")]
    for f in sorted(fields, key=lambda f: f.stars):
        own[f.name] = value = _read_member(f, getattr(raw, f.name), extents.get(
            f.name, (None, "unknown")), scopes)
        if f.name == "clusters":
            own["k_r"] = value
        if hasattr(value, "runs"):              # an ensemble
            own.update(k_r=value.clusters, runs=value.runs)
    return Result(struct[4:], {f.name: own[f.name] for f in fields}, struct)
