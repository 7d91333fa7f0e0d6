# SPDX-License-Identifier: MIT
"""One table: how many times faster than its peers this library is.

usage: bench_peers.py LIBMTC_DEFAULT.so LIBMTC_FAST.so BENCH_READ MTC
(make bench-peers; in the environment READ_MB=1000: the size of files read,
and ROWS='EMD|logistic': only rows whose name this pattern finds)

A figure is the peer's time over ours, so above 1 we are faster.  One thread
each, both builds and the peer taking turns in the same run, median of the
turns; processor time, so that a busy machine does not decide.  Calls too
short for the clock are repeated within a turn, long ones take fewer turns.
Copies of inputs that a call destroys are made outside the clock, for both
sides.  Every answer is compared with the peer's before its time counts.
The column "all cores" is by the wall, so a busy machine spoils it: the default
build with a lane for each processor, the peer with as many threads, and behind
it how many times faster than with one lane we are.  Calls that take no context
have nothing there.
A peer without a fast BLAS is none: gemm, eigenpairs, Cholesky and k-means have
no rows then but a line that says what to install.
Both sides take the widest vectors that they find when they run.  The default
build rounds every product before it is added, for the same bits everywhere;
OpenBLAS and the fast build do both at once.
"""
import os
for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import ctypes
import json
import re
import subprocess
import sys
import tempfile
import warnings
from time import perf_counter, process_time as clock, sleep
try:
    from threadpoolctl import threadpool_limits
except ImportError:
    threadpool_limits = None

warnings.filterwarnings("ignore")
try:
    import numpy as np
except ImportError:
    sys.exit("bench-peers needs numpy: apt-get install python3-numpy")
from transcribed import (transcribed_lssmtc, transcribed_mtcfir,
                         transcribed_ttl, transcribed_vote)

TURNS = 7           # odd: the median is one of them; 3 for long calls
LEAST = 0.02        # seconds a turn lasts at least
LONG = 1.0          # seconds of a turn of all
CORES = os.cpu_count() or 1
cores = ""          # what the last race has for the column "all cores"
missing = []


def peer(module, package):
    """The module, or None and a line that says what to install."""
    try:
        return __import__(module, fromlist=["x"])
    except ImportError:
        missing.append("%s: apt-get install %s" % (module, package))
        return None


linalg = peer("scipy.linalg", "python3-scipy")
cluster = peer("sklearn.cluster", "python3-sklearn")
sparse = peer("scipy.sparse", "python3-scipy")
pandas = peer("pandas", "python3-pandas")
datasets = peer("sklearn.datasets", "python3-sklearn")
linear = peer("sklearn.linear_model", "python3-sklearn")
vector = peer("sklearn.svm", "python3-sklearn")
nearest = peer("sklearn.neighbors", "python3-sklearn")
metrics = peer("sklearn.metrics", "python3-sklearn")
emd_wrap = peer("ot.lp.emd_wrap", "python3-pot (or: pip install pot)")
try:
    libsvm = ctypes.CDLL("libsvm.so.3")
except OSError:
    libsvm = None
    missing.append("libsvm.so.3: apt-get install libsvm3")


def blas_name():
    """The BLAS that numpy runs, if it is a fast one, by threadpoolctl."""
    try:
        from threadpoolctl import threadpool_info
    except ImportError:
        missing.append("threadpoolctl, which tells the BLAS: apt-get install "
                       "python3-threadpoolctl; no gemm, eigenpairs, Cholesky, "
                       "k-means without it")
        return None
    for pool in threadpool_info():
        if pool["user_api"] == "blas":          # the reference is none
            return pool["internal_api"]
    missing.append("a fast BLAS: apt-get install libopenblas0-pthread; no gemm, "
                   "eigenpairs, Cholesky, k-means without it")
    return None


# ---- clock ---------------------------------------------------------------

def seconds(call, setup, repeat):
    """Time of one call; setup() makes its arguments, outside the clock."""
    if setup is None:
        start = clock()
        for _ in range(repeat):
            call()
        return (clock() - start) / repeat
    total = 0.0
    for _ in range(repeat):
        args = setup()
        start = clock()
        call(*args)
        total += clock() - start
    return total / repeat


def race(calls, setups=None, lent=True):
    """Medians of the calls' times, the calls taking turns; lent: they take a
    context, so a column of all cores."""
    setups = setups or [None] * len(calls)
    once = [seconds(c, s, 1) for c, s in zip(calls, setups)]
    repeat = [max(1, min(2000, int(LEAST / max(t, 1e-7)))) for t in once]
    times = [[seconds(c, s, r) for c, s, r in zip(calls, setups, repeat)]
             for _ in range(TURNS if sum(once) < LONG else 3)]
    if lent:
        race_all_cores(calls, setups, repeat)
    return np.median(np.array(times), axis=0)


def wall(call, setup, repeat, lanes):
    """Seconds of one call by the wall, with so many threads for anybody."""
    libs[0].shim_lend(size(lanes))
    total = 0.0
    with threadpool_limits(lanes):
        for _ in range(repeat):
            args = setup() if setup else ()
            start = perf_counter()
            call(*args)
            total += perf_counter() - start
    libs[0].shim_lend(size(1))
    return total / repeat


def race_all_cores(calls, setups, repeat):
    """The peer and the default build; of two calls the first is ours."""
    global cores
    if CORES < 2 or threadpool_limits is None:
        return
    at = len(calls) - 2
    ours, theirs = (calls[at], setups[at], repeat[at]), (
        calls[0], setups[0], repeat[0])
    turns = [(wall(*theirs, CORES), wall(*ours, CORES), wall(*ours, 1))
             for _ in range(3)]
    peers, many, one = np.min(np.array(turns), axis=0)
    cores = "%5.2f " % (peers / many) if at else "    - "
    cores += "(x%.2f)" % (one / many)


# ---- table ---------------------------------------------------------------

HEAD = "%-38s %-22s %10s  %-17s %-17s %-15s %s"
rows = 0


def table_row(task, name, times, aims, note):
    """times: peer, default, fast; aims: of the default and the fast build."""
    global rows, cores
    if rows == 0:
        print(HEAD % ("task", "peer", "peer ms", "default (aim)",
                      "fast (aim)", "all cores", "check"))
    rows += 1
    cells = []
    for ours, aim in zip(times[1:], aims):
        if ours is None:
            cells.append("      -")
            continue
        ratio = times[0] / ours
        mark = " " if aim is None or ratio >= aim else "*"
        cells.append("%7.2f %s%s" % (
            ratio, "" if aim is None else "(%.*f)" % (
                1 if round(aim, 1) == aim else 2, aim), mark))
    print(HEAD % (task, name, "%.3f" % (times[0] * 1e3), cells[0], cells[1],
                  cores, note))
    cores = ""
    sys.stdout.flush()


def pointer(a):
    return ctypes.c_void_p(a.ctypes.data)


def size(n):
    return ctypes.c_size_t(n)


def done(status):
    if status != 0:
        raise SystemExit("the library failed with status %d" % status)


libs = [ctypes.CDLL(os.path.abspath(p)) for p in sys.argv[1:3]]
rng = np.random.default_rng(1)


# ---- linear algebra ------------------------------------------------------

def bench_gemm(n, blas):
    A, B = rng.standard_normal((2, n, n))
    C, P = np.zeros((n, n)), np.zeros((n, n))
    args = (size(n), pointer(A), pointer(B), pointer(C))
    np.dot(A, B, out=P)
    worst = 0.0
    for lib in libs:
        done(lib.shim_gemm(*args))
        worst = max(worst, abs(C - P).max() / abs(P).max())
    times = race([lambda: np.dot(A, B, out=P)]
                 + [lambda lib=lib: lib.shim_gemm(*args) for lib in libs],
                 lent=False)
    table_row("gemm %d" % n, "numpy, " + blas, times, (0.5, 1.0),
              "diff %.0e" % worst)


def bench_cholesky(n, blas):
    A = rng.standard_normal((n, n))
    A = A @ A.T + n * np.eye(n)
    worst = 0.0
    for lib in libs:
        L = A.copy()
        done(lib.shim_cholesky(size(n), pointer(L)))
        L = np.tril(L)
        worst = max(worst, abs(L @ L.T - A).max() / abs(A).max())
    times = race(
        [lambda X: linalg.cholesky(X, lower=True, overwrite_a=True,
                                   check_finite=False)]
        + [lambda X, lib=lib: lib.shim_cholesky(size(n), pointer(X))
           for lib in libs],
        [lambda: (np.asfortranarray(A),)] + [lambda: (A.copy(),)] * 2,
        lent=False)
    table_row("Cholesky %d" % n, "scipy, " + blas, times, (None, 1.0),
              "residual %.0e" % worst)


def eigen_residual(A, w, V):
    return max(abs(A @ V - V * w).max() / abs(w).max(),
               abs(V.T @ V - np.eye(V.shape[1])).max())


def bench_eigen(n, blas):
    A = rng.standard_normal((n, n))
    A = A + A.T
    w, V = np.zeros(n), np.zeros((n, n))
    worst = 0.0
    for lib in libs:
        X = A.copy()
        done(lib.shim_symeig(size(n), pointer(X), pointer(w), pointer(V)))
        worst = max(worst, eigen_residual(A, w, V))
    times = race(
        [lambda X: linalg.eigh(X, driver="evd", overwrite_a=True,
                               check_finite=False)]
        + [lambda X, lib=lib: lib.shim_symeig(size(n), pointer(X), pointer(w),
                                              pointer(V)) for lib in libs],
        [lambda: (np.asfortranarray(A),)] + [lambda: (A.copy(),)] * 2)
    table_row("all eigenpairs of %d" % n, "scipy evd, " + blas, times,
              (None, 0.5), "residual %.0e" % worst)


def bench_eigen_top(n, count, blas):
    A = rng.standard_normal((n, n))
    A = A + A.T
    w, V = np.zeros(count), np.zeros((n, count))
    worst = 0.0
    for lib in libs:
        X = A.copy()
        done(lib.shim_symeig_top(size(n), size(count), pointer(X), pointer(w),
                                 pointer(V)))
        worst = max(worst, eigen_residual(A, w, V))
    times = race(
        [lambda X: linalg.eigh(X, driver="evr", overwrite_a=True,
                               check_finite=False,
                               subset_by_index=[n - count, n - 1])]
        + [lambda X, lib=lib: lib.shim_symeig_top(
            size(n), size(count), pointer(X), pointer(w), pointer(V))
           for lib in libs],
        [lambda: (np.asfortranarray(A),)] + [lambda: (A.copy(),)] * 2)
    table_row("%d of %d eigenpairs" % (count, n), "scipy evr, " + blas, times,
              (None, 0.7), "residual %.0e" % worst)


def bench_gram(n, d, share):
    """Here the peer is ourselves: the dense Gram matrix of the same data."""
    X = rng.random((n, d)) * (rng.random((n, d)) < share)
    row = np.zeros(n + 1, dtype=np.uintp)
    row[1:] = np.cumsum((X != 0).sum(axis=1))
    column = np.ascontiguousarray(np.nonzero(X)[1], dtype=np.uint32)
    values = np.ascontiguousarray(X[X != 0])
    G = np.zeros((n, n))
    dense = (size(n), size(d), pointer(X), pointer(G))
    sparse = (size(n), size(d), pointer(row), pointer(column),
              pointer(values), pointer(G))
    exact, worst, ratios = X @ X.T, 0.0, []
    for lib in libs:
        for call, args in ((lib.shim_gram_dense, dense),
                           (lib.shim_gram_csr, sparse)):
            done(call(*args))
            worst = max(worst, abs(G - exact).max() / abs(exact).max())
        ratios.append(race([lambda: lib.shim_gram_dense(*dense),
                            lambda: lib.shim_gram_csr(*sparse)],
                           lent=False))
    (dense_time, sparse_time), fast = ratios
    times = (dense_time, sparse_time, dense_time * fast[1] / fast[0])
    table_row("CSR Gram, %d x %d, %g %%" % (n, d, 100 * share),
              "our own dense Gram", times, (5.0, 5.0), "diff %.0e" % worst)


# ---- transport -----------------------------------------------------------

def bench_emd(m, n, uniform):
    """ot.emd spends its time in emd_c; that is called, without its checks."""
    x, y = rng.standard_normal((m, 10)), rng.standard_normal((n, 10))
    cost = np.ascontiguousarray(((x[:, None, :] - y[None]) ** 2).sum(axis=2))
    a, b = (np.ones(k) if uniform else rng.random(k) + 0.01 for k in (m, n))
    a, b = a / a.sum(), b / b.sum()
    plan, out = np.zeros((m, n)), np.zeros(3)
    args = (size(m), size(n), pointer(cost), pointer(a), pointer(b),
            pointer(plan), pointer(out))

    def theirs():
        return emd_wrap.emd_c(a, b, cost, 10000000, 1)

    best = theirs()[1]
    worst = 0.0
    for lib in libs:
        done(lib.shim_emd(*args))
        worst = max(worst, abs(out[0] - best) / best)
    times = race([theirs]
                 + [lambda lib=lib: lib.shim_emd(*args) for lib in libs])
    table_row("EMD %d x %d, %s" % (m, n, "uniform" if uniform else "random"),
              "POT emd_c", times, (1.0, 1.0), "cost differs %.0e" % worst)


# ---- learners ------------------------------------------------------------

STEPS = 20


def groups(n, d, k, structure=1.0):
    """Centers of unit variance, noise 1.5; structure 0: noise alone."""
    middle = structure * rng.standard_normal((k, d))
    return middle[rng.integers(k, size=n)] + 1.5 * rng.standard_normal((n, d))


def bench_kmeans(n, d, k, structure=1.0):
    """The same start, at most 20 steps."""
    X = groups(n, d, k, structure)
    start = np.ascontiguousarray(X[rng.choice(n, k, replace=False)])
    labels, out = np.zeros(n, dtype=np.intc), np.zeros(2)
    args = (size(n), size(d), pointer(X), size(k), pointer(start), size(STEPS),
            pointer(labels), pointer(out))
    model = cluster.KMeans(k, init=start, n_init=1, algorithm="lloyd", tol=0,
                           max_iter=STEPS)
    model.fit(X)
    worst = 0.0
    for lib in libs:
        done(lib.shim_kmeans(*args))
        worst = max(worst, abs(out[0] - model.inertia_) / model.inertia_)
    times = race([lambda: model.fit(X)]
                 + [lambda lib=lib: lib.shim_kmeans(*args) for lib in libs])
    aim = 1.0 if structure else 0.8
    table_row("k-means %d x %d, k = %d%s"
              % (n, d, k, "" if structure else ", noise"),
              "scikit-learn, lloyd",
              times, (aim, aim), "inertia differs %.0e, steps %d / %d"
              % (worst, model.n_iter_, out[1]))


def bench_restarts(n, d, k):
    """Ten restarts each, from seeds that differ."""
    X = groups(n, d, k)
    labels, out = np.zeros(n, dtype=np.intc), np.zeros(2)
    args = (size(n), size(d), pointer(X), size(k), None, size(STEPS),
            pointer(labels), pointer(out))
    model = cluster.KMeans(k, n_init=10, algorithm="lloyd", tol=0,
                           max_iter=STEPS, random_state=1).fit(X)
    worst = -1.0
    for lib in libs:
        done(lib.shim_kmeans(*args))
        worst = max(worst, out[0] / model.inertia_ - 1)
    times = race([lambda: model.fit(X)]
                 + [lambda lib=lib: lib.shim_kmeans(*args) for lib in libs])
    table_row("k-means %dx%d, k = %d, 10 starts" % (n, d, k),
              "scikit-learn, lloyd", times, (1.0, 1.0),
              "inertia higher by %.0e" % worst)


def bench_kmeans_lanes(n, d, k):
    """One start on two lanes beside two threads, by the wall; the ratio takes
    the place of the default build's."""
    if CORES < 2:
        return missing.append("a second processor: k-means on two lanes")
    X = groups(n, d, k)
    start = np.ascontiguousarray(X[rng.choice(n, k, replace=False)])
    labels, out = np.zeros(n, dtype=np.intc), np.zeros(2)
    args = (size(n), size(d), pointer(X), size(k), pointer(start), size(STEPS),
            pointer(labels), pointer(out))
    model = cluster.KMeans(k, init=start, n_init=1, algorithm="lloyd", tol=0,
                           max_iter=STEPS)
    model.fit(X)
    turns = [[wall(lambda: model.fit(X), None, 3, 2)]
             + [wall(lambda: libs[0].shim_kmeans(*args), None, 3, lanes)
                for lanes in (2, 1)] for _ in range(5)]
    peers, two, one = np.min(np.array(turns), axis=0)
    table_row("k-means %dx%d, k = %d, two lanes" % (n, d, k),
              "scikit-learn, 2 threads", [peers, two, None], (.85, None),
              "%.2f of one lane" % (one / two))


def view(X):
    """n, d, and the three arrays of a CSR view or of a dense one; the arrays
    themselves are returned, too, to be kept."""
    if sparse is not None and sparse.issparse(X):
        kept = (X.indptr.astype(np.uintp), X.indices.astype(np.uint32), X.data)
        arrays = [pointer(a) for a in kept]
    else:
        kept = (X,)
        arrays = [None, None, pointer(X)]
    return (size(X.shape[0]), size(X.shape[1]), *arrays), kept


def bench_kmeans_text(n, d, k):
    X = text_task(n, d, 60, k, 0)
    start = np.ascontiguousarray(
        X[rng.choice(n, k, replace=False)].toarray())
    labels, out = np.zeros(n, dtype=np.intc), np.zeros(2)
    args, kept = view(X)
    args += (size(k), pointer(start), size(1000), pointer(labels),
             pointer(out))
    model = cluster.KMeans(k, init=start, n_init=1, algorithm="lloyd", tol=0,
                           max_iter=1000)
    model.fit(X)
    worst = 0.0
    for lib in libs:
        done(lib.shim_kmeans_view(*args))
        worst = max(worst, abs(out[0] - model.inertia_) / model.inertia_)
    times = race([lambda: model.fit(X)]
                 + [lambda lib=lib: lib.shim_kmeans_view(*args)
                    for lib in libs])
    table_row("k-means of text %d x %d, k = %d" % (n, d, k),
              "scikit-learn, lloyd", times, (1.0, 1.0),
              "inertia differs %.0e, steps %d / %d"
              % (worst, model.n_iter_, out[1]))


def bench_logistic(n, d, classes, text):
    """The same objective; all stop at a gradient of about 1e-7 of the first."""
    if text:
        X = text_task(n, d, 60, classes, 0)
        middle = rng.standard_normal((d, classes)) * 3
    else:
        X = rng.standard_normal((n, d))
        middle = rng.standard_normal((d, classes))
    y = np.ascontiguousarray(np.argmax(
        X @ middle + rng.gumbel(size=(n, classes)), axis=1), dtype=np.intc)
    W, out = np.zeros((classes, d + 1)), np.zeros(3)
    args, kept = view(X)
    args += (pointer(y), size(classes), ctypes.c_double(1.0 / n),
             ctypes.c_double(1e-7), pointer(W), pointer(out))

    def value(coef, bias):
        Z = X @ coef.T + bias
        Z = np.hstack([-Z, Z]) / 2 if Z.shape[1] == 1 else Z
        top = Z.max(axis=1)
        loss = (np.log(np.exp(Z - top[:, None]).sum(axis=1)) + top
                - Z[np.arange(n), y]).sum()
        return loss + (coef ** 2).sum() / 2

    for solver in ("newton-cg", "lbfgs"):
        model = linear.LogisticRegression(
            C=1.0, solver=solver, tol=1e-4, max_iter=10000)
        model.fit(X, y)
        best, worst = value(model.coef_, model.intercept_), -np.inf
        for lib in libs:
            done(lib.shim_logistic(*args))
            worst = max(worst, value(W[:, :d], W[:, d]) / best - 1)
        times = race([lambda: model.fit(X, y)]
                     + [lambda lib=lib: lib.shim_logistic(*args)
                        for lib in libs])
        table_row("logistic%s %d x %d, c = %d" % (" of text" if text else "",
                                                  n, d, classes),
                  "scikit-learn, " + solver, times, (1.0, 1.0),
                  "objective higher by %.0e, steps %d / %d%s"
                  % (worst, np.max(model.n_iter_), out[0], "" if text
                     or solver != "lbfgs" else "; easy for L-BFGS: 20 pairs "
                     "of products, Newton's method 35; on text it takes "
                     "long"))


def bench_linear_svm(n, d):
    """Hinge loss, C = 1.  LIBLINEAR's penalty has the bias in it, ours has not:
    the signs are compared."""
    X = text_task(n, d, 60, 2, 0)
    y = np.ascontiguousarray(X @ rng.standard_normal(d)
                             + 0.1 * rng.standard_normal(n) > 0, dtype=np.intc)
    ours, out = np.zeros(n), np.zeros(3)
    args, kept = view(X)
    args += (pointer(y), ctypes.c_double(1e-2), pointer(ours), pointer(out))
    model = vector.LinearSVC(loss="hinge", C=1.0, tol=1e-2, max_iter=100000)
    model.fit(X, y)
    values, same = model.decision_function(X), 0.0
    for lib in libs:
        done(lib.shim_linear_svm(*args))
        same = np.mean((ours > 0) == (values > 0))
    times = race([lambda: model.fit(X, y)]
                 + [lambda lib=lib: lib.shim_linear_svm(*args)
                    for lib in libs])
    table_row("linear SVM of text %d x %d" % (n, d), "LIBLINEAR, hinge", times,
              (None, None), "%.3f of signs equal; no aim: a kernel solver of "
              "n^2, made for both kernels" % same)


def bench_ncut(n, k):
    """S given, complete: what differs is eigenvectors and k-means."""
    X = (3 * rng.standard_normal((k, 10))[rng.integers(k, size=n)]
         + rng.standard_normal((n, 10)))
    square = (X ** 2).sum(axis=1)
    S = np.exp(-np.maximum(square[:, None] + square - 2 * X @ X.T, 0) / 20)
    S = np.ascontiguousarray((S + S.T) / 2)
    labels, out = np.zeros(n, dtype=np.intc), np.zeros(k)
    args = (size(n), pointer(S), size(k), pointer(labels), pointer(out))
    model = cluster.SpectralClustering(
        k, affinity="precomputed", eigen_solver="arpack", n_init=10,
        random_state=1)
    model.fit(S)
    D = S.sum(axis=1)

    def cut(z):
        return sum(S[z == c][:, z != c].sum() / D[z == c].sum()
                   for c in range(k) if (z == c).any())

    theirs, worst = cut(model.labels_), -np.inf
    for lib in libs:
        done(lib.shim_ncut(*args))
        worst = max(worst, cut(labels) / theirs - 1)
    times = race([lambda: model.fit(S)]
                 + [lambda lib=lib: lib.shim_ncut(*args) for lib in libs])
    table_row("normalized cut %d, k = %d" % (n, k), "scikit-learn, arpack",
              times, (1.0, 1.0), "cut higher by %.0e" % worst)


def bench_neighbors(n, d, k):
    X = rng.standard_normal((n, d))
    index = np.zeros((n, k), dtype=np.uintp)
    args = (size(n), size(d), pointer(X), size(k), pointer(index))
    model = nearest.NearestNeighbors(n_neighbors=k, algorithm="brute").fit(X)
    theirs, same = model.kneighbors(return_distance=False), 1.0
    for lib in libs:
        done(lib.shim_neighbors(*args))
        same = min(same, np.mean(index == theirs))
    times = race([lambda: model.kneighbors(return_distance=False)]
                 + [lambda lib=lib: lib.shim_neighbors(*args) for lib in libs])
    table_row("%d neighbors, %d x %d" % (k, n, d), "scikit-learn, brute",
              times, (1.0, 1.0), "%.4f of them equal; ours are exact where "
              "squares cancel" % same)


def bench_silhouette(n, d, k):
    y = np.ascontiguousarray(rng.integers(k, size=n), dtype=np.intc)
    X = rng.standard_normal((k, d))[y] + rng.standard_normal((n, d))
    out = np.zeros(1)
    args = (size(n), size(d), pointer(X), pointer(y), size(k), pointer(out))
    theirs, worst = metrics.silhouette_score(X, y), 0.0
    for lib in libs:
        done(lib.shim_silhouette(*args))
        worst = max(worst, abs(out[0] - theirs))
    times = race([lambda: metrics.silhouette_score(X, y)]
                 + [lambda lib=lib: lib.shim_silhouette(*args)
                    for lib in libs])
    table_row("silhouette %d x %d, k = %d" % (n, d, k), "scikit-learn", times,
              (1.0, 1.0), "differs %.0e" % worst)


class Problem(ctypes.Structure):
    _fields_ = [("l", ctypes.c_int), ("y", ctypes.c_void_p),
                ("x", ctypes.c_void_p)]


class Parameter(ctypes.Structure):
    _fields_ = [("svm_type", ctypes.c_int), ("kernel_type", ctypes.c_int),
                ("degree", ctypes.c_int), ("gamma", ctypes.c_double),
                ("coef0", ctypes.c_double), ("cache_size", ctypes.c_double),
                ("eps", ctypes.c_double), ("C", ctypes.c_double),
                ("nr_weight", ctypes.c_int), ("weight_label", ctypes.c_void_p),
                ("weight", ctypes.c_void_p), ("nu", ctypes.c_double),
                ("p", ctypes.c_double), ("shrinking", ctypes.c_int),
                ("probability", ctypes.c_int)]


class Libsvm:
    """LIBSVM's own C interface on dense data."""

    def __init__(self, X, y, cost, gamma, tolerance):
        n, d = X.shape
        self.nodes = np.zeros((n, d + 1),
                              dtype=np.dtype([("i", np.intc),
                                              ("v", np.float64)], align=True))
        self.nodes["i"][:, :d] = np.arange(1, d + 1)
        self.nodes["i"][:, d] = -1
        self.nodes["v"][:, :d] = X
        step = self.nodes.strides[0]
        self.rows = (self.nodes.ctypes.data
                     + step * np.arange(n)).astype(np.uintp)
        self.y = np.where(y == 1, 1.0, -1.0)
        self.problem = Problem(n, self.y.ctypes.data, self.rows.ctypes.data)
        self.parameter = Parameter(0, 2, 3, gamma, 0, 64, tolerance, cost, 0,
                                   None, None, 0.5, 0.1, 1, 0)
        self.quiet = ctypes.CFUNCTYPE(None, ctypes.c_char_p)(lambda s: None)
        libsvm.svm_set_print_string_function(self.quiet)
        libsvm.svm_train.restype = ctypes.c_void_p
        libsvm.svm_predict_values.restype = ctypes.c_double

    def train(self):
        model = libsvm.svm_train(ctypes.byref(self.problem),
                                 ctypes.byref(self.parameter))
        return ctypes.c_void_p(model)

    def free(self, model):
        libsvm.svm_free_and_destroy_model(ctypes.byref(model))

    def fit(self):
        self.free(self.train())

    def decisions(self):
        model, value = self.train(), ctypes.c_double()
        out = []
        for row in self.rows:
            libsvm.svm_predict_values(model, ctypes.c_void_p(int(row)),
                                      ctypes.byref(value))
            out.append(value.value)
        self.free(model)
        return np.array(out)


def bench_svm(n, d):
    cost, gamma, tolerance = 1.0, 1.0 / d, 1e-3
    y = np.ascontiguousarray(rng.integers(2, size=n), dtype=np.intc)
    X = rng.standard_normal((n, d)) + 0.35 * (2 * y[:, None] - 1)
    ours, out = np.zeros(n), np.zeros(3)
    real = ctypes.c_double

    def call(lib, decisions=None):
        return lib.shim_svm(size(n), size(d), pointer(X), pointer(y),
                            real(cost), real(gamma), real(tolerance),
                            decisions, pointer(out))

    their = Libsvm(X, y, cost, gamma, tolerance)
    values, worst = their.decisions(), 0.0
    for lib in libs:
        done(call(lib, pointer(ours)))
        worst = max(worst, abs(ours - values).max())
    times = race([their.fit] + [lambda lib=lib: call(lib) for lib in libs])
    table_row("RBF SVM %d x %d, 1e-3" % (n, d), "LIBSVM", times, (1.0, 1.0),
              "decisions differ %.0e" % worst)


# ---- methods -------------------------------------------------------------

def bench_lssmtc():
    """The paper's size: four tasks, 1041 x 2500, l = 16, 20 iterations."""
    sizes, d, c, l, steps, lam = [226, 252, 255, 308], 2500, 4, 16, 20, 0.75
    n, filled = sum(sizes), 76
    column = np.sort(np.array([rng.choice(d, filled, replace=False)
                               for _ in range(n)]), axis=1).astype(np.uint32)
    values = rng.random((n, filled))
    values /= np.linalg.norm(values, axis=1)[:, None]
    row = np.arange(0, n * filled + 1, filled, dtype=np.uintp)
    X = np.zeros((n, d))
    X[np.arange(n)[:, None], column] = values
    start = np.ascontiguousarray(rng.integers(c, size=n), dtype=np.intc)
    counts, out = np.array(sizes, dtype=np.uintp), np.zeros(1)

    def call(lib, pca, width):
        return lib.shim_lssmtc(size(4), pointer(counts), size(d), pointer(row),
                               pointer(column), pointer(values),
                               pointer(start), size(c), size(width),
                               ctypes.c_int(pca), size(steps), pointer(out))

    worst, expected = 0.0, transcribed_lssmtc(X, sizes, start, c, c, lam,
                                              steps, True)
    for lib in libs:
        done(call(lib, 0, c))
        worst = max(worst, abs(out[0] / expected - 1))
    begin = clock()
    transcribed_lssmtc(X, sizes, start, c, l, lam, 1, False)
    peer_time = (clock() - begin) * (steps + 1) / 2
    for pca, width in ((1, l), (0, c)):
        ours = race([lambda lib=lib: call(lib, pca, width) for lib in libs])
        table_row("LSSMTC %s 1041 x 2500, %d steps"
                  % ("pca" if pca else "recon", steps), "numpy, as printed",
                  [peer_time] + list(ours), (20.0, 20.0),
                  "recon objective differs %.0e; peer timed over 1 step"
                  % worst)


def text_task(n, d, filled, topics, first):
    """n rows of about `filled` words by Zipf's law, a third of them from one
    of the topics first..first+topics-1; length 1."""
    own = rng.integers(first, first + topics, size=n)
    word = (d * rng.random((n, filled)) ** 3).astype(np.int64)
    special = rng.random((n, filled)) < 1 / 3
    word[special] = ((own[:, None] * 1499 + 700 * rng.random((n, filled)) ** 2)
                     .astype(np.int64) % d)[special]
    X = sparse.csr_matrix((np.ones(n * filled), word.ravel(),
                           np.arange(0, n * filled + 1, filled)), (n, d))
    X.sum_duplicates()
    length = np.sqrt(np.asarray(X.multiply(X).sum(axis=1)).ravel())
    X.data /= np.repeat(length, np.diff(X.indptr))
    return X


def mbc_tasks():
    """NG20-2 from MTC_DATA, or two tasks of its size and filling."""
    where = os.environ.get("MTC_DATA")
    if where and os.path.exists(where + "/ng20-2/task1.svm"):
        from sklearn.datasets import load_svmlight_files
        loaded = load_svmlight_files([where + "/ng20-2/task%d.svm" % t
                                      for t in (1, 2)])
        return [sparse.csr_matrix(loaded[0]), sparse.csr_matrix(loaded[2])]
    return [text_task(15593, 31353, 84, 16, 0),
            text_task(13955, 31353, 100, 15, 5)]


def bench_mbc():
    """Two tasks of NG20-2's size, 16 and 15 clusters, to convergence; the
    peer clusters each alone from the same seeds.  Timed once."""
    X, k = mbc_tasks(), [16, 15]
    d = X[0].shape[1]
    seeds = [np.ascontiguousarray(
        A[rng.choice(A.shape[0], c, replace=False)].toarray())
        for A, c in zip(X, k)]
    counts = np.array([A.shape[0] for A in X], dtype=np.uintp)
    kept, out = np.array(k, dtype=np.uintp), np.zeros(3)
    parts = [part for A in X for part in (A.indptr.astype(np.uintp),
                                          A.indices.astype(np.uint32),
                                          A.data)]

    def call(lib, lam):
        return lib.shim_mbc(size(d), pointer(counts), pointer(kept),
                            *[pointer(p) for p in parts + seeds],
                            ctypes.c_double(lam), pointer(out))

    def kmeans():
        return [cluster.KMeans(c, init=s, n_init=1, tol=0, max_iter=1000,
                               algorithm="lloyd").fit(A)
                for A, c, s in zip(X, k, seeds)]

    start = clock()
    models = kmeans()
    peer_time = clock() - start
    theirs = sum(m.inertia_ / A.shape[0] for m, A in zip(models, X))
    data = sum(p.nbytes for p in parts)
    for lam in (0.0, 0.5):
        ours = [seconds(lambda: done(call(lib, lam)), None, 1) for lib in libs]
        note = ("%d steps, k-means %s; memory %.1f x data"
                % (out[1], "+".join(str(m.n_iter_) for m in models),
                   out[2] / data))
        if lam == 0:
            note += "; loss differs %.0e" % (out[0] / theirs - 1)
            plain = ours[0] / out[1]
        else:
            note += "; a step takes %.2f of one without sharing" % (
                ours[0] / out[1] / plain)
        table_row("MBC lambda %g, %dk x %dk, nnz %.1fM"
                  % (lam, sum(counts) // 1000, d // 1000,
                     (X[0].nnz + X[1].nnz) / 1e6), "scikit-learn k-means",
                  [peer_time] + ours, (0.5, 0.5), note)


def bench_mtcfir():
    """The paper's sizes, three layers, starts given: WebKB4 with d > N, then
    Handdigits with d << N (one turn only: it is long)."""
    def run(title, sizes, d, k, X, csr, steps, aims, once):
        counts = np.array(sizes, dtype=np.uintp)
        start = np.ascontiguousarray(rng.integers(k, size=sum(sizes)),
                                     dtype=np.intc)
        row, column, values = csr or (None, None, X)
        out = np.zeros(len(sizes))

        def call(lib):
            done(lib.shim_mtcfir(size(len(sizes)), pointer(counts), size(d),
                                 pointer(row) if csr else None,
                                 pointer(column) if csr else None,
                                 pointer(values), pointer(start), size(k),
                                 size(3), size(steps), pointer(out)))
            return out.copy()

        begin = clock()
        expected = transcribed_mtcfir(X, sizes, start, k, 3, steps)
        times, worst = [clock() - begin], 0.0
        for lib in libs:
            begin = clock()
            worst = max(worst, abs(call(lib) / expected - 1).max())
            times.append(clock() - begin)
        if not once:
            times = race([lambda: transcribed_mtcfir(X, sizes, start, k, 3,
                                                     steps)]
                         + [lambda lib=lib: call(lib) for lib in libs])
        table_row(title, "numpy, as printed", times, aims,
                  "objective differs %.0e%s" % (worst, "; one turn"
                                                if once else ""))

    sizes, d, filled = [226, 252, 255, 308], 2500, 76
    n = sum(sizes)
    column = np.sort(np.array([rng.choice(d, filled, replace=False)
                               for _ in range(n)]), axis=1).astype(np.uint32)
    values = rng.random((n, filled))
    values /= np.linalg.norm(values, axis=1)[:, None]
    row = np.arange(0, n * filled + 1, filled, dtype=np.uintp)
    X = np.zeros((n, d))
    X[np.arange(n)[:, None], column] = values
    run("MTCFIR 1041 x 2500 in 4, 3 layers", sizes, d, 4, X,
        (row, column, values), 30, (3.0, 3.0), False)
    X = rng.random((10, 256))[rng.integers(10, size=10000)]
    X = np.ascontiguousarray(X * (rng.random(X.shape) < 0.6))
    run("MTCFIR 10000 x 256 in 2, 3 layers", [5000, 5000], 256, 10, X, None,
        30, (1.0, 1.0), True)

def bench_ttl():
    """7000 documents of 6000 words, 80 in each; p = 30, 100 sweeps."""
    sparse = peer("scipy.sparse", "python3-scipy")
    sizes, d, filled, c, p1, p2 = [2300, 2400, 2300], 6000, 80, 2, 15, 15
    n, sweeps = sum(sizes), 100
    column = np.sort(np.array([rng.choice(d, filled, replace=False)
                               for _ in range(n)]), axis=1).astype(np.uint32)
    values = rng.random((n, filled))
    values /= values.sum(1)[:, None]
    row = np.arange(0, n * filled + 1, filled, dtype=np.uintp)
    whole = sparse.csr_matrix((values.ravel(), column.ravel().astype(np.int32),
                               row.astype(np.int32)), shape=(n, d))
    X = [whole[:sizes[0]], whole[sizes[0]:sizes[0] + sizes[1]],
         whole[sizes[0] + sizes[1]:]]
    labels = np.ascontiguousarray(rng.integers(c, size=sizes[0]),
                                  dtype=np.intc)
    def rows_to_one(G):
        return np.ascontiguousarray(G / G.sum(1)[:, None])
    GI = rows_to_one(rng.random((sizes[1], c)) + .01)
    Gt = rows_to_one(rng.random((sizes[2], c)) + .01)
    F = [[rng.random((d, p)) + .01 for p in (p1, p2, p2)] for _ in range(2)]
    F = [[f / f.sum(0) for f in leg] for leg in F]
    A = [[rng.random((p, c)) + .01 for p in (p1, p2, p2)] for _ in range(2)]
    flat = [M for leg in range(2)
            for M in (F[leg][0], A[leg][0], F[leg][1], A[leg][1], F[leg][2],
                      A[leg][2])]
    parts = (ctypes.c_void_p * 12)(*[M.ctypes.data for M in flat])
    counts, out = np.array(sizes, dtype=np.uintp), np.zeros(2)

    def call(lib):
        return lib.shim_ttl(pointer(counts), size(d), pointer(row),
                            pointer(column), pointer(values), pointer(labels),
                            size(p1), size(p2), parts, pointer(GI),
                            pointer(Gt), size(sweeps), pointer(out))

    begin = clock()
    expected = transcribed_ttl(X, np.eye(c)[labels], [list(f) for f in F],
                               [list(a) for a in A], GI, Gt, sweeps)
    peer_time, worst = clock() - begin, 0.0
    for lib in libs:
        done(call(lib))
        worst = max(worst, abs(out[0] / expected[0] - 1),
                    abs(out[1] / expected[1] - 1))
    ours = race([lambda lib=lib: call(lib) for lib in libs])
    table_row("TTL 7000 x 6000, %d sweeps" % sweeps, "scipy, as printed",
              [peer_time] + list(ours), (5.0, 5.0),
              "objective differs %.0e; ours %.2f s" % (worst, ours[0]))


def bench_vote(n, m, k):
    truth = rng.integers(k, size=n)
    runs = np.where(rng.random((m, n)) < 0.3, rng.integers(k, size=(m, n)),
                    truth).astype(np.intc)
    labels, out = np.zeros(n, dtype=np.intc), np.zeros(k)
    args = (size(n), pointer(runs), size(m), size(k), pointer(labels),
            pointer(out))
    values, theirs = transcribed_vote(runs, k)
    worst = same = 0.0
    for lib in libs:
        done(lib.shim_vote(*args))
        worst = max(worst, np.max(np.abs(out - values)))
        table = np.zeros((k, k))
        np.add.at(table, (labels, theirs), 1)
        same = table.max(axis=1).sum() / n
    times = race([lambda: transcribed_vote(runs, k)]
                 + [lambda lib=lib: lib.shim_vote(*args) for lib in libs])
    table_row("vote of %d runs, %d samples, k = %d" % (m, n, k),
              "numpy and scikit-learn", times, (1.0, 1.0),
              "singular values differ %.0e, %.4f of labels equal"
              % (worst, same))


def bench_clients(n, d, k):
    """auto and choose on two tasks by the wall, beside themselves on one lane;
    a busy machine spoils both rows."""
    if CORES < 2 or threadpool_limits is None:
        return missing.append("a second processor: auto, choose")
    middle = 2 * rng.standard_normal((k, d))
    X = middle[rng.integers(k, size=2 * n)] + rng.standard_normal((2 * n, d))
    found = np.zeros(2 * n, dtype=np.intc)
    args = (size(2), size(n), size(d), pointer(X), size(k), pointer(found))
    one = {}
    for name in ("auto", "choose"):
        def call():
            done(getattr(libs[0], "shim_" + name)(*args))
        turns = [(wall(call, None, 1, 1), found.copy(),
                  wall(call, None, 1, CORES), found.copy()) for _ in range(3)]
        one[name] = min(t[0] for t in turns)
        same = all(np.array_equal(t[1], t[3]) for t in turns)
        note = "same results" if same else "DIFFERS"
        if name == "choose":
            note += "; %.1f of one auto (at most 3)" % (one[name]
                                                        / one["auto"])
        table_row("%s 2 x %d x %d, %d lanes" % (name, n, d, CORES),
                  "itself, one lane",
                  [one[name], min(t[2] for t in turns), None], (1.7, None),
                  note)


# ---- files ---------------------------------------------------------------

def table_text(row, line):
    return ",".join(map(repr, row)) + "\n"


def libsvm_text(row, line):
    return "%d %s\n" % (line % 3, " ".join(
        "%d:%r" % (7 * j + 1 + line % 5, x) for j, x in enumerate(row)))


def write_file(path, head, text_of, megabytes):
    """Full doubles, 17 digits; a block of 20 MB over and over."""
    X = rng.standard_normal((50000, 20)).tolist()
    block = "".join(text_of(row, i) for i, row in enumerate(X)).encode()
    with open(path, "wb") as f:
        f.write(head)
        for _ in range(max(1, int(megabytes * 1e6 / len(block)))):
            f.write(block)


def in_order(x):
    """The sum, value by value, as a loop in C makes it."""
    total = 0.0
    for part in np.array_split(x, max(1, x.size // 1000000)):
        total = np.cumsum(np.concatenate(([total], part)))[-1]
    return total


def read_ours(program, path, standard_input=False):
    with open(path) as f:
        out = subprocess.run([program, "-" if standard_input else path],
                             stdin=f, stdout=subprocess.PIPE, check=True)
    return [float(x) for x in out.stdout.split()]


def bench_read(program, name, head, text_of, peer_name, theirs):
    """theirs(path): all values that they read, row by row."""
    megabytes = float(os.environ.get("READ_MB", "1000"))
    with tempfile.TemporaryDirectory() as place:
        path = os.path.join(place, name)
        write_file(path, head, text_of, megabytes)
        start = clock()
        values = theirs(path)
        times = [clock() - start]
        ours = [read_ours(program, path) for _ in range(3)]
        times += 2 * [np.median([x[0] for x in ours])]
        note = "equal to the bit" if in_order(values) == ours[0][3] \
            else "DIFFERS"
        note += ", memory %.2f of the data" % (ours[0][5] / ours[0][4])
        if name.endswith("csv"):
            through = read_ours(program, path, True)
            note += ", %.2f from standard input" % (through[5] / through[4])
        table_row("read %s, %.0f MB" % (name, os.path.getsize(path) / 1e6),
                  peer_name, times, (1.0, 1.0), note)


def write_texts(path, texts, length=200, words=50000):
    """JSON lines of words drawn by Zipf's law."""
    letters = np.array(list("abcdefghijklmnopqrstuvwxyz"))
    word = np.array(["".join(rng.choice(letters, rng.integers(2, 11)))
                     for _ in range(words)])
    share = np.cumsum(1 / np.arange(1, words + 1))
    with open(path, "w") as f:
        for _ in range(texts):
            drawn = np.searchsorted(share, share[-1] * rng.random(length))
            f.write(json.dumps({"text": " ".join(word[drawn])}) + "\n")


def bench_texts(program, texts=20000):
    from sklearn.feature_extraction.text import (CountVectorizer,
                                                 TfidfVectorizer)
    same = dict(token_pattern=r"[^\W\d_]{2,25}", min_df=2, max_df=.5)
    with tempfile.TemporaryDirectory() as place:
        path = os.path.join(place, "texts.jsonl")
        write_texts(path, texts)
        start = clock()
        with open(path) as f:
            read = [json.loads(line)["text"] for line in f]
        TfidfVectorizer(**same).fit_transform(read)
        times = [clock() - start]
        ours = [read_ours(program, path) for _ in range(3)]
        times += 2 * [np.median([x[0] for x in ours])]
        X = CountVectorizer(**same).fit_transform(read).astype(float)
        df = np.bincount(X.indices, minlength=X.shape[1])
        X.data *= np.log(texts / df)[X.indices]
        length = np.sqrt(np.asarray(X.multiply(X).sum(axis=1)).ravel())
        total = (np.asarray(X.sum(axis=1)).ravel()
                 / np.where(length > 0, length, 1)).sum()
        note = "%d words, weights %s, memory %.2f of the data" % (
            ours[0][2], "equal" if X.shape[1] == ours[0][2]
            and abs(total / ours[0][3] - 1) < 1e-12 else "DIFFER",
            ours[0][5] / ours[0][4])
        table_row("words of %d texts, %.0f MB" % (
            texts, os.path.getsize(path) / 1e6), "scikit-learn", times,
            (5.0, 5.0), note)


def bench_files(program):
    if datasets:
        bench_texts(program)
    if pandas:
        bench_read(program, "table.csv", ",".join(
            "x%d" % j for j in range(20)).encode() + b"\n", table_text,
            "pandas, round_trip", lambda path: pandas.read_csv(
                path, float_precision="round_trip").values.ravel())
    if datasets:
        bench_read(program, "text.svm", b"", libsvm_text, "scikit-learn",
                   lambda path: datasets.load_svmlight_file(path)[0].data)


# ---- the program on two processors ---------------------------------------

def thread_seconds(process):
    """Processor time of each thread so far; {} where nobody tells."""
    found = {}
    place = "/proc/%d/task" % process.pid
    try:
        for thread in os.listdir(place):
            with open("%s/%s/schedstat" % (place, thread)) as f:
                found[thread] = int(f.read().split()[0]) / 1e9
    except (OSError, IndexError):
        pass
    return found


def compared(program, place, jobs):
    """Seconds by the wall, what comes out, and the processor time of the
    first thread and the busiest other one: the wall's on an idle machine."""
    files = [os.path.join(place, "blobs%d.svm" % (i + 1)) for i in range(2)]
    path, threads = os.path.join(place, "out.json"), {}
    start = perf_counter()
    process = subprocess.Popen([program, "compare", "--json", path, "--quiet",
                                "--jobs", str(jobs)] + files)
    while process.poll() is None:
        threads.update(thread_seconds(process))
        sleep(0.01)
    wall = perf_counter() - start
    with open(path) as f:
        out = json.load(f)
    first = threads.pop(str(process.pid), 0)
    return wall, out, first + max(threads.values(), default=0)


def bench_jobs(program):
    """By the wall: the one row here that a busy machine spoils."""
    if (os.cpu_count() or 1) < 2:
        return missing.append("a second processor: compare --jobs 2")
    with tempfile.TemporaryDirectory() as place:
        subprocess.run([program, "generate", "blobs", "--n", "1000", "--quiet",
                        "--out", place], check=True)
        load = os.getloadavg()[0]
        pairs = [[compared(program, place, jobs) for jobs in (1, 2)]
                 for _ in range(3)]
    times = [np.median([pair[i][0] for pair in pairs]) for i in range(2)]
    runs = [row.pop("seconds") for row in pairs[0][0][1]["rows"]]
    for row in pairs[0][1][1]["rows"]:
        row.pop("seconds")
    longest = max(runs) / pairs[0][0][1]["options"]["repeats"] / sum(runs)
    note = "same results" if pairs[0][0][1] == pairs[0][1][1] else "DIFFERS"
    busy = [np.median([pair[i][2] for pair in pairs]) for i in range(2)]
    if min(busy) > 0:
        note += "; %.2f by processor time" % (busy[0] / busy[1])
    table_row("mtc compare --jobs 2, 2 x 1000", "itself, --jobs 1",
              [times[0], times[1], None], (1.6, None),
              "%s; longest run %.2f of all; load %.1f before"
              % (note, longest, load))


def jobs():
    """Name and call of every row or group of rows whose peer is here."""
    blas = blas_name()
    for n in (128, 256, 512, 1024) if blas else ():
        yield "gemm %d" % n, bench_gemm, n, blas
    if linalg and blas:
        for n in (500, 1000):
            yield "Cholesky %d" % n, bench_cholesky, n, blas
        for n in (500, 1000):
            yield "eigenpairs %d" % n, bench_eigen, n, blas
        yield "eigenpairs top", bench_eigen_top, 1000, 16, blas
    yield "Gram", bench_gram, 1000, 5000, 0.05
    if emd_wrap:
        for n in (20, 100, 500, 1000):
            yield "EMD %d" % n, bench_emd, n, n, True
            yield "EMD %d" % n, bench_emd, n, n, False
        for m, n in ((10, 5000), (5000, 10), (30, 3000), (3, 20000)):
            yield "EMD %d x %d" % (m, n), bench_emd, m, n, False
    if cluster and blas:
        for structure in (1.0, 0.0):
            for d in (10, 50, 100):
                for k in (3, 8, 20, 50):
                    yield "k-means one", bench_kmeans, 10000, d, k, structure
        for k in (3, 8, 20, 50):
            yield "k-means restarts", bench_restarts, 10000, 50, k
        for k in (3, 8, 20, 50):
            yield "k-means lanes", bench_kmeans_lanes, 10000, 50, k
    if cluster and sparse and blas:
        yield "k-means text", bench_kmeans_text, 10000, 20000, 16
    if linear:
        yield "logistic dense", bench_logistic, 10000, 50, 3, False
        if sparse:
            yield "logistic text", bench_logistic, 5000, 10000, 4, True
    if libsvm:
        yield "SVM RBF", bench_svm, 3000, 20
    if vector and sparse:
        yield "SVM linear text", bench_linear_svm, 3000, 10000
    if cluster:
        yield "normalized cut", bench_ncut, 2000, 8
    if nearest:
        yield "neighbors", bench_neighbors, 5000, 50, 10
    if metrics:
        yield "silhouette", bench_silhouette, 5000, 50, 8
    if linalg:
        yield "LSSMTC", bench_lssmtc
    if cluster and sparse:
        yield "MBC", bench_mbc
    if linalg:
        yield "MTCFIR", bench_mtcfir
        yield "TTL", bench_ttl
    if cluster:
        yield "vote", bench_vote, 20000, 10, 8
    yield "auto and choose", bench_clients, 1000, 10, 4
    if len(sys.argv) > 3:
        yield "read", bench_files, sys.argv[3]
    if len(sys.argv) > 4:
        yield "compare jobs", bench_jobs, os.path.abspath(sys.argv[4])


def main():
    wanted = os.environ.get("ROWS", "")
    for name, call, *args in jobs():
        if re.search(wanted, name):
            call(*args)
    print("peer time / our time, one thread, median of several turns; "
          "* below the aim")
    for line in missing:
        print("missing, %s" % line)


main()
