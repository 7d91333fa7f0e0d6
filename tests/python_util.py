# SPDX-License-Identifier: MIT
"""What the tests of Python share: data, and a list of the tests."""
import os
import sys

try:
    import numpy as np
except Exception:                               # also one half installed
    print("python: skipped, no python3-numpy")
    sys.exit(0)
for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ[name] = "1"

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.path.abspath(sys.argv[1])
os.environ.setdefault("MTC_LIBRARY", os.path.join(BUILD, "libmtc.so"))
sys.path.insert(0, os.path.join(ROOT, "examples", "python"))
import mtc
from mtc import _library as library
from mtc._convert import extents_of

PACKAGE = os.path.dirname(mtc.__file__)
PROGRAM = os.path.join(BUILD, "mtc")
SINGLE = mtc.real == "float"


def optional(module):
    try:
        return __import__(module, fromlist=["x"])
    except Exception:
        print("python %s: skipped, not there" % module)
        return None


sparse = optional("scipy.sparse")
tests, long_tests = [], []


def test(function):
    tests.append(function)
    return function


def long_test(function):
    long_tests.append(function)
    return function


def raises(kind, call, *words):
    """The exception that a call raises; its text has all of the words."""
    try:
        call()
    except kind as error:
        for word in words:
            assert word in str(error), "%r is not in %r" % (word, str(error))
        return error
    raise AssertionError("nothing was raised")


def blobs(n, d, k, seed, spread=.5):
    """n samples of d features about k centers, and whose they are."""
    rng = np.random.default_rng(seed)
    labels = np.arange(n) % k
    centers = np.random.default_rng(99).normal(0, 3, (k, d))
    return centers[labels] + rng.normal(0, spread, (n, d)), labels


def counts(n, d, k, seed):
    """Word counts of k topics, mostly zeros."""
    rng = np.random.default_rng(seed)
    labels = np.arange(n) % k
    rate = np.full((k, d), .02)
    for z in range(k):
        rate[z, z::k] = .4
    return rng.poisson(rate[labels]).astype(float), labels


X, Y = blobs(60, 4, 3, 1)[0], blobs(50, 4, 3, 2)[0]
LABELS = np.arange(60) % 3
TEXT, TEXT_Y = counts(60, 30, 3, 3)[0] + 0., counts(45, 30, 3, 4)[0]
TEXT[:, 0] += 1                                 # no empty rows
TEXT_Y[:, 0] += 1
