# SPDX-License-Identifier: MIT
"""Samples as the library takes them: dense rows, or CSR."""
import zlib

import numpy as np
from numpy import ascontiguousarray as packed

from ._errors import Error, NotNumbers
from ._library import REAL


def refuse_masked(X, what):
    """numpy would hand the values below a mask on."""
    if np.ma.is_masked(X):
        raise Error(f"{what}: masked values; fill them or leave them out")


def _held(kind):  # the type of the values; of a category's, too
    return getattr(getattr(kind, "categories", None), "dtype", kind)


class View:
    """Samples as rows, in the library's type; converted only if needed.
    The columns of a DataFrame are put in the order of `names`."""

    def __init__(self, X, what="X", names=None):
        if isinstance(X, View):
            vars(self).update(vars(X))
            return
        self.what, self.names, self.row = what, None, None
        if hasattr(X, "columns") and hasattr(X, "iloc"):
            X = self._frame(X, names)
        refuse_masked(X, what)
        try:
            X = X if hasattr(X, "tocsr") else np.asarray(X)
        except ValueError as error:             # rows of different lengths
            raise NotNumbers(f"{what}: {error}") from None
        if X.dtype.kind == "c":
            raise Error(f"{what}: Complex data not supported")
        if X.dtype.kind in "mM":                # would count nanoseconds
            raise NotNumbers(f"{what}: dates or times; make numbers of them")
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
            A = A.astype(REAL, copy=False)
        except (TypeError, ValueError) as error:
            raise NotNumbers(f"{self.what}: {error}") from None
        step, item = A.strides[0], A.itemsize
        if A.strides[1] != item or step < self.d * item or step % item \
                or not A.flags.aligned:
            A = packed(A)
        self.values = A
        self.stride = max(A.strides[0] // item, self.d)

    def _sparse(self, X):
        X = X.tocsr()
        self._check_rows(X)                     # scipy itself reads them below
        if not X.has_canonical_format:
            X = X.copy()
            X.sum_duplicates()                  # sorts as well
        self.row = packed(X.indptr, np.uintp)
        self.column = packed(X.indices, np.uint32)
        self.values = packed(X.data, REAL)

    def _check_rows(self, X):
        """scipy makes a matrix of arrays of any length: none is read beyond."""
        at, stored = np.asarray(X.indptr), min(len(X.indices), len(X.data))
        if len(at) != self.n + 1 or at[0] != 0 or (np.diff(at) < 0).any():
            raise Error(f"{self.what}: indptr needs {self.n + 1} numbers that "
                        "begin with 0 and never fall")
        if at[-1] > stored:
            raise Error(f"{self.what}: indptr ends at {at[-1]}, but indices and "
                        f"data have {stored} values")

    def _frame(self, X, names):
        own = [str(name) for name in X.columns]     # 400 is "400" of a file
        plain = [str(j) for j in range(len(own))]   # are none beside others
        names = own if names is None else list(names)
        if names == plain and not set(own) & set(plain):
            names = own
        if own != plain or set(own) & set(names):
            self.names = names
            if sorted(own) != sorted(set(self.names)):
                raise Error(f"{self.what}: The feature names should match "
                            "those that were passed, each once: " + ", ".join(
                                sorted(set(own) ^ set(self.names))))
            place = {name: j for j, name in enumerate(own)}
            X = X.iloc[:, [place[name] for name in names]]
        odd = [str(name) for name, kind in X.dtypes.items()
               if _held(kind).kind in "mMc"]    # as nanoseconds, or in part
        if odd:
            raise NotNumbers(f"{self.what}: dates, times or complex numbers: "
                             + ", ".join(odd))
        try:
            return X.to_numpy(dtype=REAL, na_value=np.nan)
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


def unit_rows(x, row=None, n=0):
    """Values at length 1 of their rows: of a matrix or, with the row of each,
    of a sparse one of n.  Sums in order of columns; a row of zeros stays."""
    square = np.square(x, dtype=float)
    length = np.sqrt(np.cumsum(square, 1)[:, -1:] if row is None
                     else np.bincount(row, square, n)[row])
    return (x / np.where(length * 0 < length, length, 1)).astype(REAL)


def _is_row(x):  # numbers, one behind the other
    return isinstance(x, np.ndarray) and x.ndim == 1 or \
        isinstance(x, (list, tuple)) and all(np.ndim(v) == 0 for v in x[:1])


def is_one(X):  # one matrix, not a list of them?
    if isinstance(X, (list, tuple)):
        return len(X) > 0 and _is_row(X[0])
    return isinstance(X, View) or hasattr(X, "tocsr") or \
        hasattr(X, "columns") or \
        hasattr(X, "__array__") and len(getattr(X, "shape", ())) == 2


def tasks_of(tasks):
    """The matrices of a list or of a dictionary, and the names of these."""
    if isinstance(tasks, dict):
        return list(tasks.values()), [str(name) for name in tasks]
    return tasks, None


def views_of(tasks, what="tasks", names=None):  # one matrix: a list of one
    views = []
    tasks, _ = tasks_of(tasks)
    if not is_one(tasks) and not hasattr(tasks, "__iter__"):
        raise NotNumbers(f"{what}: matrices are needed, not {tasks!r}")
    for t, X in enumerate([tasks] if is_one(tasks) else tasks):
        views.append(View(X, f"{what}[{t}]", names))
        names = views[-1].names or names        # of words, once there are
    for view in views:
        view.names = names
    return views


class Named(list):
    """A list of what tasks have, which takes their names, too."""
    def __init__(self, values, names):
        super().__init__(values)
        self.names = names

    def __getitem__(self, task):
        return super().__getitem__(
            place_of(task, self.names, len(self)) if isinstance(task, str)
            else task)


def place_of(task, names, count):
    """The number of a task that is given by its number or its name."""
    known = names or list(range(count))
    if isinstance(task, str) and task in known:
        return known.index(task)
    if isinstance(task, (int, np.integer)) and 0 <= task < count:
        return int(task)
    raise Error(f"task: {task!r} is none of {known}")


def marks_of(views):
    """Numbers that tell whether someone has changed the values since."""
    return [zlib.crc32(packed(view.values)) for view in views]
