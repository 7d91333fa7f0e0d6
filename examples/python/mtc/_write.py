# SPDX-License-Identifier: MIT
"""Python values as structs and arrays of C."""
import math
from ctypes import addressof, c_void_p

import numpy as np

from ._convert import EXTENT, GIVEN, Scopes, extents_of
from ._data import View, packed, refuse_masked
from ._errors import Error, NotNumbers
from ._library import (C, NUMPY, REAL, c_function, c_type, declared, enums,
                       python_name, structs)


def number_of(kind, value, what):  # a number for C, or that of a word of an enum
    words = enums.get(kind, {})
    try:
        number = words[value.lower()] if isinstance(value, str) else value
        made = C[kind](number).value
        if kind != "mtc_real" and made != number:
            raise ValueError                    # it did not fit
        return made
    except (KeyError, TypeError, ValueError):
        which = f"one of {list(words)}" if words else "a number it can be"
        raise NotNumbers(f"{what}: {value!r} is not {which}") from None


def defaults_of(struct, call=""):  # a struct of options as the library fills it
    for name in call + "_defaults", struct.replace("options", "defaults"):
        if name in declared.calls:
            return c_function(name)()
    return C[struct]()                         # zeros are its defaults


def numbers_of(struct, raw):  # the scope of a struct of options
    scope = {}
    for f in structs[struct]:
        if not f.stars and f.type in structs:
            scope = {**numbers_of(f.type, getattr(raw, f.name)), **scope}
        elif not f.stars:
            scope[f.name] = getattr(raw, f.name)
    c = scope.get("classes", 0)
    return {**scope, "l": scope.get("subspace") or scope.get("clusters"),
            "problems": max(c, 1) - (c < 3)}    # of an SVM


class Writer:
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
        return self.address((C["mtc_data"] * len(views))(
            *[C["mtc_data"](*v.members()) for v in views]))

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
        refuse_masked(value, what)
        array, wanted = np.asarray(value), NUMPY[f.type]
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
        return self.address(packed(array, wanted))

    def divergence(self, value, d):  # a word, or Mahalanobis' matrix
        if isinstance(value, str):
            names = {"sqeuclidean": "mtc_sqeuclidean", "kl": "mtc_kl",
                     "is": "mtc_itakura_saito"}
            if value not in names:
                raise Error(f"divergence: {value!r} is none of {list(names)}")
            return self.address(c_function(names[value])())
        L = np.array(value, REAL)
        if L.shape != (d, d) or not np.array_equal(L, L.T) or \
                c_function("mtc_cholesky")(d, L.ctypes.data, d, None):
            raise Error(f"divergence: {d} x {d}, symmetric, definite is needed")
        metric = C["mtc_metric"](d, self.address(L))
        return self.address(c_function("mtc_mahalanobis")(self.address(metric)))

    def rebuilt(self, struct, result):  # of a Result that a call has made
        raw = C[struct]()
        for f in structs[struct]:
            value = getattr(result, python_name(f.name), None)
            if value is None or f.type in ("mtc_block", "char", "mtc_judged"):
                continue
            if f.type == "mtc_data":
                value = self.views([View(v) for v in value])
            elif f.type == "mtc_divergence":
                value = self.divergence(value, result.d)
            elif f.type in structs:
                value = self.rebuilt(f.type, value)
                value = self.address(value) if f.stars else value
            elif f.stars:
                value = [None if v is None else self.address(
                    packed(v, NUMPY[f.type])) for v in (
                        [value] if f.stars == 1 else sum(value, [])
                        if isinstance(value[0], list) else value)]
                value = value[0] if f.stars == 1 else self.list(value)
            else:
                value = c_type(f)(*value) if f.dims else \
                    number_of(f.type, value, f.name)
            setattr(raw, f.name, value)
        return raw

    def options(self, struct, raw, values, scopes, call=""):
        """By name: numbers, then what depends on them; inner ones as well."""
        fields = {f.name: f for f in structs[struct]}
        inner = {g.name: f for f in fields.values() if not f.stars
                 for g in structs.get(f.type, ())}
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
                value = self.option(f, value, struct, call, Scopes(
                    [{**numbers_of(struct, raw), **several}] + scopes))
            elif f.type in structs:
                value = self.options(f.type, getattr(raw, f.name), value
                                     if name in fields else {name: value},
                                     scopes)
            else:
                value = number_of(f.type, value, name)
            setattr(raw, f.name, value)
        return raw

    def option(self, f, value, struct, call, scopes):  # its address
        if f.type == "mtc_divergence":
            return self.divergence(value, scopes.size("d"))
        if f.type.endswith("_options"):         # those of a guard's method
            return self.address(self.options(f.type, defaults_of(f.type),
                                             value, scopes))
        if f.type not in NUMPY:
            raise Error(f"{f.name} cannot be given from Python")
        given = EXTENT.findall(GIVEN.get(f"{call}.{f.name}", ""))
        return self.array(f, value, given[0] if given else
                          extents_of(struct).get(f.name), scopes)
