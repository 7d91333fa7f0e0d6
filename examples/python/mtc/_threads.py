# SPDX-License-Identifier: MIT
"""Threads that a call may use: the lanes of a context.

The library has no threads of its own and takes those that it is lent; no
result depends on them.  The library of a wheel has a pool of threads in C.
Where it has none they are threads of Python, which run pieces of C that do not
hold the interpreter's lock."""
import concurrent.futures
import ctypes
import numbers
import os
import threading
from ctypes import c_size_t, c_void_p

from ._errors import Error
from ._library import dll

_PIECE = ctypes.CFUNCTYPE(None, c_void_p, c_size_t)
IN_C = hasattr(dll, "mtc_python_pool")
PARALLEL = ctypes.CFUNCTYPE(None, c_void_p, c_size_t, c_void_p, c_void_p)


def _processors():
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:                      # not on this system
        return os.cpu_count() or 1


class _Pool:
    def __init__(self):
        self.lanes = _processors()
        self.forget()
        if IN_C:
            dll.mtc_python_pool.argtypes = [c_size_t]
            dll.mtc_python_pool.restype = c_void_p

    def forget(self):                           # a fork has no threads
        self.workers = self.in_c = None
        self.lock = threading.Lock()

    def c_pool(self):
        """The address of the pool in C, or None."""
        with self.lock:
            if IN_C and self.in_c is None:
                self.in_c = dll.mtc_python_pool(_processors())
            return self.in_c

    def submit(self, piece, job, i):
        """Someone to run a piece, or None if that cannot be had."""
        try:
            if self.workers is None:
                self.workers = concurrent.futures.ThreadPoolExecutor(
                    _processors(), "mtc")
            return self.workers.submit(piece, job, i)
        except RuntimeError:
            return None


_pool = _Pool()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.forget)


def lanes_for(n_jobs):
    """How many threads n_jobs of scikit-learn stands for."""
    if n_jobs is None:
        return _pool.lanes
    if not isinstance(n_jobs, numbers.Integral) or n_jobs == 0:
        raise Error(f"n_jobs: {n_jobs!r} is no number of threads")
    return min(int(n_jobs) if n_jobs > 0
               else max(_processors() + 1 + int(n_jobs), 1), 1024)


def threads(n=None):
    """How many threads calls use that take long, at most; n sets it: 1 is the
    caller's alone, -1 all processors, as at first."""
    if n is not None:
        _pool.lanes = lanes_for(n)
    return _pool.lanes


def lend(raw, lanes, failed):
    """Gives a context so many lanes; what is returned has to live as long."""
    if lanes < 2:
        return None
    raw.lanes, raw.pool = lanes, _pool.c_pool()
    parallel = dll.mtc_python_parallel if raw.pool else PARALLEL(
        lambda _, n, piece, job: run_pieces(n, piece, job, failed))
    raw.parallel = ctypes.cast(parallel, c_void_p)
    return parallel


def run_pieces(n, piece, job, failed):
    """Runs pieces 0 to n - 1 and returns when all of them have.  An exception
    from a signal is handed to `failed`: the pieces have to end first."""
    piece, waiting = _PIECE(piece), list(range(n))
    sent = []
    while waiting or sent:
        try:
            while len(waiting) > 1:             # the last is the caller's
                future = _pool.submit(piece, job, waiting[-1])
                if future is None:
                    break
                waiting.pop()
                sent.append(future)
            while waiting:
                i = waiting.pop()
                piece(job, i)
            while sent:
                sent[-1].result()
                sent.pop()
        except BaseException as error:
            failed(error)
