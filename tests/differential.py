# SPDX-License-Identifier: MIT
"""Thousands of random cases against peers: scikit-learn, POT, LIBSVM.

usage: differential.py LIBMTC.so [SCALE]                (make differential)

Every case is drawn from a seed of its own, so that a disagreement can be
repeated.  A peer that is not installed is skipped and said so.  Transport is
certified by its duals, whoever is right; where POT disagrees with a certified
answer the case counts as POT's.  SCALE multiplies the number of cases.
"""
import os
for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ[name] = "1"

import ctypes
import sys
import warnings

warnings.filterwarnings("ignore")
try:
    import numpy as np
except ImportError:
    print("differential: skipped, no python3-numpy")
    sys.exit(0)

lib = ctypes.CDLL(os.path.abspath(sys.argv[1]))
scale = float(sys.argv[2]) if len(sys.argv) > 2 else 1.0
size_t, real = ctypes.c_size_t, ctypes.c_double
failed = 0


class Data(ctypes.Structure):
    _fields_ = [("n", size_t), ("d", size_t), ("values", ctypes.c_void_p),
                ("stride", size_t), ("row", ctypes.c_void_p),
                ("column", ctypes.c_void_p)]


def p(array):
    return array.ctypes.data_as(ctypes.c_void_p)


def dense(X):
    return Data(X.shape[0], X.shape[1], X.ctypes.data, X.shape[1], None, None)


def peer(module, package):
    try:
        return __import__(module, fromlist=["x"])
    except ImportError:
        print("differential %s: skipped, no %s" % (module, package))
        return None


def run(name, cases, test):
    """test(rng) returns None, or what disagrees, or ("note", text)."""
    global failed
    bad, notes = [], {}
    cases = int(cases * scale)
    for seed in range(cases):
        out = test(np.random.RandomState(seed))
        if isinstance(out, tuple):
            notes[out[1]] = notes.get(out[1], 0) + 1
        elif out is not None:
            bad.append((seed, out))
    for seed, out in bad[:5]:
        print("  %s, seed %d: %s" % (name, seed, out))
    more = "".join("; %s: %d" % x for x in sorted(notes.items()))
    print("differential %s: %d cases, %d disagree%s"
          % (name, cases, len(bad), more), flush=True)
    failed += len(bad) > 0


# ---- measures --------------------------------------------------------------

metrics = peer("sklearn.metrics", "python3-sklearn")


def score(rng):
    n = rng.randint(1, 60)
    a = rng.randint(0, rng.randint(1, 8), n).astype(np.intc)
    b = (a if rng.rand() < .2 else rng.randint(0, rng.randint(1, 8), n))
    b = b.astype(np.intc)
    out = np.zeros(8)
    status = lib.mtc_score(None, size_t(n), p(a), p(b), p(out))
    if status != 0:
        return "status %d" % status
    trivial = len(set(a)) == 1 or len(set(b)) == 1
    for at, method in ((1, "geometric"), (2, "arithmetic"), (3, "min"),
                       (4, "max")):
        want = metrics.normalized_mutual_info_score(a, b,
                                                    average_method=method)
        if not trivial and abs(out[at] - want) > 1e-10:
            return "NMI %s %r, not %r" % (method, out[at], want)
    want = metrics.adjusted_rand_score(a, b)
    if abs(out[5] - want) > 1e-10:
        return "ARI %r, not %r" % (out[5], want)
    table = metrics.cluster.contingency_matrix(a, b)
    if abs(out[6] - table.max(axis=0).sum() / n) > 1e-12:
        return "purity %r" % out[6]


def silhouette(rng):
    n, d, k = rng.randint(4, 50), rng.randint(1, 6), rng.randint(2, 5)
    X = np.ascontiguousarray(rng.randn(n, d))
    labels = rng.randint(0, k, n).astype(np.intc)
    if len(set(labels)) < 2 or len(set(labels)) >= n:
        return None
    view, out, mean = dense(X), np.zeros(n), real()
    status = lib.mtc_silhouette(None, ctypes.byref(view), p(labels),
                                size_t(k), p(out), ctypes.byref(mean))
    want = metrics.silhouette_samples(X, labels)
    if status != 0 or np.abs(out - want).max() > 1e-9:
        return "status %d, off by %g" % (status, np.abs(out - want).max())


# ---- k-means: a fixed point of ours is one of scikit-learn's ---------------

cluster = peer("sklearn.cluster", "python3-sklearn")


def kmeans(rng):
    n, d, k = rng.randint(6, 80), rng.randint(1, 6), rng.randint(1, 5)
    X = np.ascontiguousarray(rng.randn(n, d) + 3 * rng.randint(0, 3, (n, 1)))
    start = np.ascontiguousarray(X[rng.permutation(n)[:k]])
    labels, out = np.zeros(n, np.intc), np.zeros(4)
    status = lib.shim_kmeans(size_t(n), size_t(d), p(X), size_t(k), p(start),
                             p(labels), p(out))
    if status != 0:
        return "status %d" % status
    centres = np.array([X[labels == z].mean(axis=0) if (labels == z).any()
                        else np.full(d, 1e9) for z in range(k)])
    near = ((X[:, None] - centres) ** 2).sum(axis=2)
    loss = near[np.arange(n), labels].sum()
    if (near[np.arange(n), labels] > near.min(axis=1) + 1e-9).any():
        return "a label that is not nearest"
    if abs(loss - out[0]) > 1e-9 * (1 + loss):
        return "loss %r, not %r" % (out[0], loss)
    if len(set(labels)) < k:
        return None
    again = cluster.KMeans(k, init=centres, n_init=1, max_iter=1, tol=0,
                           algorithm="lloyd").fit(X)
    if again.inertia_ < loss * (1 - 1e-9):
        return "scikit-learn goes on from %r to %r" % (loss, again.inertia_)


# ---- transport: certified by duals -----------------------------------------

emd_wrap = peer("ot.lp", "python3-pot")
lib.mtc_emd_work.restype = size_t
lib.mtc_emd_work.argtypes = [size_t, size_t]


def transport_case(rng):
    m, n = rng.randint(1, 13), rng.randint(1, 13)
    kind = rng.randint(4)
    cost = rng.rand(m, n)
    if kind == 1:                       # ties
        cost = np.floor(3 * cost)
    elif kind == 2:                     # wide: where absolute tolerances fail
        cost = 10.0 ** rng.uniform(-16, 16, (m, n))
    a, b = rng.rand(m), rng.rand(n)
    if kind == 3:                       # degenerate: equal partial sums
        a, b = rng.randint(0, 3, m) + 0.0, rng.randint(0, 3, n) + 0.0
        a[0] += 1
        b[0] += 1
    return m, n, cost, a / a.sum(), b / b.sum()


def emd(rng):
    m, n, cost, a, b = transport_case(rng)
    plan, u, v = np.zeros((m, n)), np.zeros(m), np.zeros(n)
    info = np.zeros(3)
    work = np.zeros(lib.mtc_emd_work(m, n) // 8 + 1)
    cost = np.ascontiguousarray(cost)
    status = lib.mtc_emd(None, size_t(m), size_t(n), p(cost), size_t(n), p(a),
                         p(b), None, p(plan), p(u), p(v), p(info), p(work))
    if status != 0:
        return "status %d" % status
    top = cost.max() if cost.max() > 0 else 1.0
    ours = (plan * cost).sum()
    if plan.min() < 0 or np.abs(plan.sum(1) - a).max() > 1e-12 or \
            np.abs(plan.sum(0) - b).max() > 1e-12:
        return "marginals"
    if (u[:, None] + v - cost).max() > 1e-12 * top:
        return "duals not feasible by %g" % (u[:, None] + v - cost).max()
    if abs(ours - (a @ u + b @ v)) > 1e-12 * top:
        return "gap %g" % abs(ours - (a @ u + b @ v))
    if emd_wrap is None:
        return None
    theirs = (emd_wrap.emd(a, b, cost) * cost).sum()
    if theirs > ours * (1 + 1e-6):      # our plan is feasible, and cheaper
        return ("note", "POT is not optimal")
    if ours - theirs > 1e-12 * top:
        return "POT finds less: %r, not %r" % (theirs, ours)
    return None


# ---- support vector machine -------------------------------------------------

svm_peer = peer("sklearn.svm", "python3-sklearn")


def svm(rng):
    n, d = rng.randint(8, 50), rng.randint(1, 6)
    X = np.ascontiguousarray(rng.randn(n, d))
    y = (X[:, 0] + .5 * rng.randn(n) > 0).astype(np.intc)
    if len(set(y)) < 2:
        return None
    cost, gamma = 10.0 ** rng.uniform(-1, 1), 10.0 ** rng.uniform(-1, .5)
    ours, out = np.zeros(n), np.zeros(4)
    status = lib.shim_svm(size_t(n), size_t(d), p(X), p(y), real(cost),
                          real(gamma), real(1e-8), p(ours), p(out))
    model = svm_peer.SVC(C=cost, gamma=gamma, tol=1e-8).fit(X, y)
    theirs = model.decision_function(X)
    if status != 0:
        return "status %d" % status
    # Two points within 1e-8 of the optimum may be 1e-4 apart (the square
    # root); and the bias is free in an interval where no a is inside.
    shift = ours - theirs
    if np.abs(shift - np.median(shift)).max() > 1e-4:
        return "decisions off by %g" % np.abs(shift).max()
    if np.abs(shift).max() > 1e-4:
        return ("note", "bias within its interval")


if metrics:
    run("NMI, ARI, purity", 3000, score)
    run("silhouette", 1000, silhouette)
if cluster:
    run("k-means fixed points", 600, kmeans)
run("transport", 5000, emd)
if svm_peer:
    run("SVM (LIBSVM in scikit-learn)", 600, svm)
sys.exit(1 if failed else 0)
