# SPDX-License-Identifier: MIT
"""The ten calls of calls.mjs in Python: the same lines are to come out."""
import json
import math
import struct

import numpy as np

import mtc


def rounded(x):
    return math.floor(x * 1000 + .5) / 1000


def table(n, d, shift):
    return np.array([[rounded(math.sin(7 * i + 3 * j + shift) +
                              (4 if (i + j) % 3 == 0 else 1))
                      for j in range(d)] for i in range(n)])


def plain(v):
    if isinstance(v, list):
        return [plain(x) for x in v]
    v = np.asarray(v)
    return v.ravel().tolist() if v.dtype.kind in "iu" else [
        struct.pack(">d", x).hex() for x in v.ravel()]


X, Y = table(60, 4, 0), table(50, 4, 1)
z = np.arange(60) % 3
k = {"clusters": 3}
found = {
    "kmeans": mtc.kmeans(X, **k).centers,
    "lssmtc": mtc.lssmtc([X, Y], **k).objective,
    "mbc": mtc.mbc([X, Y], seed=7, **k).centers,
    "mtcfir": mtc.mtcfir([X, Y], **k).labels,
    "lssttc": mtc.lssttc([X], [z], Y, **k).W,
    "svm": mtc.svm_assign(Y, X, mtc.svm(X, z, classes=3)).decisions,
    "ec": mtc.ec(X, **k).labels,
    "auto": mtc.auto([X, Y], **k).by_family,
    "choose": mtc.choose([X]).common.p,
    "pca": mtc.pca([X, Y], dimension=2).components,
}
for name, value in found.items():
    print(name, json.dumps(plain(value), separators=(",", ":")))
