# SPDX-License-Identifier: MIT
"""The shared library and its headers: where they are, and the types of C."""
import ctypes
import functools
import keyword
import os
import pathlib
from ctypes import c_char_p, c_int, c_size_t, c_void_p

import numpy as np

from ._header import Header
from ._places import ADVICE, HEADER, LIBRARY, find, refuse

library = find("MTC_LIBRARY", LIBRARY)
header = find("MTC_HEADER", HEADER)
advice = find("MTC_ADVICE", [
    os.path.join(os.path.dirname(header), "mtc_advice.h"), ADVICE])
try:
    dll = ctypes.CDLL(os.path.abspath(library))
except OSError as error:
    refuse(library, error)
declared = Header(pathlib.Path(header).read_text("ascii"),
                  pathlib.Path(advice).read_text("ascii"))
structs, enums, __version__ = \
    declared.structs, declared.enums, declared.version
dll.mtc_version.restype = c_char_p
if dll.mtc_version().decode() != __version__:  # its numbers would be wrong
    raise ImportError(f"{library} is mtc {dll.mtc_version().decode()}, but "
                      f"{header} is of version {__version__}: set MTC_LIBRARY "
                      "or MTC_HEADER")
if (library, header) == (LIBRARY[1], HEADER[1]) \
        and os.path.getmtime(header) > os.path.getmtime(library):
    raise ImportError(f"{library} is older than mtc.h: run make")
#: "float" or "double": what the library was built for
real = "float" if hasattr(dll, declared.macros.get("mtc_free", "")) \
    else "double"

# Every pointer is an address: the header says what it points to.
NUMPY = {"size_t": np.dtype(np.uintp), "int": np.dtype(np.intc),
         "mtc_real": np.dtype(np.float32 if real == "float" else float),
         "uint32_t": np.dtype(np.uint32),
         "unsigned char": np.dtype(np.uint8)}
REAL = NUMPY["mtc_real"]
C = {"size_t": c_size_t, "int": c_int, "mtc_operator": c_void_p,
     "mtc_real": ctypes.c_float if real == "float" else ctypes.c_double,
     "uint32_t": ctypes.c_uint32, "uint64_t": ctypes.c_uint64,
     "unsigned char": ctypes.c_ubyte,
     **{name: c_int for name in enums}}


def c_type(f):
    if not f.stars and f.type not in C:
        raise ImportError(f"{header}: {f.type} {f.name}: a type that is not known")
    kind = c_void_p if f.stars else C[f.type]
    for size in reversed(f.dims):
        kind = kind * size
    return kind


for _name, _fields in structs.items():
    C[_name] = type(_name, (ctypes.Structure,),
                    {"_fields_": [(f.name, c_type(f)) for f in _fields]})


@functools.lru_cache(None)
def c_function(name):  # of the library, with types as in the header
    call = declared.calls[name]
    function = getattr(dll, declared.macros.get(name, name)
                       if real == "float" else name)
    kind = call.returns.replace("const", "").strip()
    function.restype = {"char *": c_char_p, "void": None}.get(
        kind, C.get(kind))
    function.argtypes = [c_type(a) for a in call.arguments]
    return function


def words_of(enum):
    return {value: word for word, value in enums[enum].items()}


def python_name(name):
    return name + "_" * keyword.iskeyword(name)
