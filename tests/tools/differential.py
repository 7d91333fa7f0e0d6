# SPDX-License-Identifier: MIT
"""Thousands of random cases against peers: scikit-learn, POT, LIBSVM.

usage: differential.py LIBMTC.so [SCALE]                (make differential)

Every case is drawn from a seed of its own, so that a disagreement can be
repeated.  A peer that is not installed is skipped and said so.  Transport is
certified by its duals, whoever is right; where POT disagrees with a certified
answer the case counts as POT's.  SCALE multiplies the number of cases; the
environment's SVM_CASES is the number of support vector machines (2000), MTC the
program, whose words are compared, too.
"""
import os
for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ[name] = "1"

import ctypes
import json
import re
import subprocess
import sys
import tempfile
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


class Block(ctypes.Structure):          # the first member of every result
    _fields_ = [("at", ctypes.c_void_p), ("bytes", size_t),
                ("whole", size_t)]


def p(array):
    return array.ctypes.data_as(ctypes.c_void_p)


def dense(X):
    return Data(X.shape[0], X.shape[1], X.ctypes.data, X.shape[1], None, None)


def array(address, n, kind):
    """A copy of [n] numbers of the library's."""
    return np.ctypeslib.as_array(ctypes.cast(int(
        address), ctypes.POINTER(kind)), (n,)).copy()


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
    out = np.zeros(5)                   # accuracy, nmi, ari, purity, direct
    status = lib.mtc_score(None, size_t(n), p(a), p(b), p(out))
    if status != 0:
        return "status %d" % status
    trivial = len(set(a)) == 1 or len(set(b)) == 1
    want = metrics.normalized_mutual_info_score(a, b,
                                                average_method="geometric")
    if not trivial and abs(out[1] - want) > 1e-10:
        return "NMI %r, not %r" % (out[1], want)
    want = metrics.adjusted_rand_score(a, b)
    if abs(out[2] - want) > 1e-10:
        return "ARI %r, not %r" % (out[2], want)
    table = metrics.cluster.contingency_matrix(a, b)
    if abs(out[3] - table.max(axis=0).sum() / n) > 1e-12:
        return "purity %r" % out[3]
    if abs(out[4] - (a == b).mean()) > 1e-12:
        return "direct %r" % out[4]


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
                             size_t(300), p(labels), p(out))
    if status != 0:
        return "status %d" % status
    centers = np.array([X[labels == z].mean(axis=0) if (labels == z).any()
                        else np.full(d, 1e9) for z in range(k)])
    near = ((X[:, None] - centers) ** 2).sum(axis=2)
    loss = near[np.arange(n), labels].sum()
    if (near[np.arange(n), labels] > near.min(axis=1) + 1e-9).any():
        return "a label that is not nearest"
    if abs(loss - out[0]) > 1e-9 * (1 + loss):
        return "loss %r, not %r" % (out[0], loss)
    if len(set(labels)) < k:
        return None
    again = cluster.KMeans(k, init=centers, n_init=1, max_iter=1, tol=0,
                           algorithm="lloyd").fit(X)
    if again.inertia_ < loss * (1 - 1e-9):
        return "scikit-learn goes on from %r to %r" % (loss, again.inertia_)


# ---- transport: certified by duals -----------------------------------------

emd_wrap = peer("ot.lp", "python3-pot")


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
    cost = np.ascontiguousarray(cost)
    status = lib.mtc_emd(None, size_t(m), size_t(n), p(cost), size_t(n), p(a),
                         p(b), None, p(plan), p(u), p(v), p(info))
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
svm_cases = float(os.environ.get("SVM_CASES", 2000))


class SvmOptions(ctypes.Structure):
    _fields_ = [("classes", size_t), ("kernel", ctypes.c_int),
                ("gamma", real), ("cost", real), ("costs", ctypes.c_void_p),
                ("tolerance", real), ("iterations", size_t),
                ("cache", size_t), ("start", ctypes.c_void_p)]


class SvmResult(ctypes.Structure):
    _fields_ = [("block", Block), ("classes", size_t), ("problems", size_t),
                ("n", size_t), ("d", size_t), ("kernel", ctypes.c_int),
                ("gamma", real), ("coefficients", ctypes.c_void_p),
                ("bias", ctypes.c_void_p), ("objective", ctypes.c_void_p),
                ("gap", ctypes.c_void_p), ("support", ctypes.c_void_p),
                ("iterations", size_t), ("converged", ctypes.c_int)]


lib.mtc_svm_defaults.restype = SvmOptions


def svm_case(rng):
    """Two classes of all shapes: ties, duplicates, unscaled, separable or
    not."""
    n, d = rng.randint(2, 60), rng.choice([1, 1, 2, 2, 3, 3, 5, 10])
    X, kind = rng.randn(n, d), rng.randint(7)
    if kind == 1:
        X = np.round(X * rng.choice([1, 2, 4])) / rng.choice([1, 2, 4, 10])
    elif kind == 2:
        X = np.round(10 * rng.rand(n, d)) / rng.choice([1, 2, 10])
    elif kind == 3:
        X = X * 10.0 ** rng.uniform(-3, 3) + \
            10.0 ** rng.uniform(-1, 2) * rng.randn(d)
    elif kind == 4:
        X = X[rng.randint(0, max(2, n // 3), n)]
    elif kind == 5:
        X = X * 10.0 ** rng.uniform(-2, 2, d)
    s = X @ rng.randn(d)
    s = s + rng.choice([0, 0, .1, .5, 2]) * s.std() * rng.randn(n)
    y = s > np.quantile(s, rng.uniform(.1, .9))
    if kind == 6:
        y = rng.randint(0, 2, n)
    return np.ascontiguousarray(X), np.asarray(y, np.intc)


def svm_fit(X, y, opt):
    n, view, res = len(X), dense(X), SvmResult()
    status = lib.mtc_svm(None, ctypes.byref(view), p(y), ctypes.byref(opt),
                         ctypes.byref(res))
    if status != 0:
        return status, None, 0, 0, 0, 0
    out = (0, array(res.coefficients, n, real), array(res.bias, 1, real)[0],
           array(res.gap, 1, real)[0], res.converged, res.iterations)
    lib.mtc_free(None, ctypes.byref(res.block))
    return out


def svm_bias_span(F, b, lo, hi, room):
    """Every bias in between is as good; `room`: at a bound, but for
    rounding."""
    top = F[b < hi - room].max(initial=-np.inf)
    bottom = F[b > lo + room].min(initial=np.inf)
    return min(top, bottom), max(top, bottom)


def svm_libsvm(X, y, opt):
    """LIBSVM's model and its y_i a_i, of which class 1 is positive."""
    model = svm_peer.SVC(
        C=opt.cost, tol=opt.tolerance, gamma=opt.gamma, max_iter=100000,
        kernel="rbf" if opt.kernel else "linear").fit(X, y)
    c = np.zeros(len(y))
    c[model.support_] = model.dual_coef_[0]
    return model, c


def svm(rng):
    X, y = svm_case(rng)
    opt, s = lib.mtc_svm_defaults(), 2.0 * y - 1
    opt.kernel = rng.rand() > .7
    opt.cost = 10.0 ** rng.choice([-3, -1, 0, 0, 0, 1, 2, 3])
    opt.gamma = 10.0 ** rng.uniform(-2, 1)
    opt.tolerance = tol = rng.choice([1e-3, 1e-3, 1e-6, 1e-8])
    if len(set(y)) < 2:
        return None
    status, b, bias, gap, converged, steps = svm_fit(X, y, opt)
    if status != 0:
        return "status %d" % status
    model, c = svm_libsvm(X, y, opt)
    K = np.exp(-opt.gamma * ((X[:, None] - X) ** 2).sum(2)) if opt.kernel \
        else X @ X.T
    lo, hi = np.where(s > 0, 0, -opt.cost), np.where(s > 0, opt.cost, 0)
    noise = 2.2e-16 * np.abs(K).max() * np.abs(b).sum()
    # Each of the steps rounds two entries, which are at most the cost.
    if (b < lo).any() or (b > hi).any() or \
            abs(b.sum()) > 2.2e-16 * (len(b) + 2 * steps) * opt.cost:
        return "not in the box, or not balanced"
    F = s - K @ b
    true = max(0, F[b < hi].max(initial=-np.inf) -
               F[b > lo].min(initial=np.inf))
    if abs(true - gap) > tol / 10 + 50 * noise or \
            converged != (gap <= tol):
        return "gap %r, not %r" % (gap, true)
    ours, theirs = (s @ v - v @ K @ v / 2 for v in (b, c))
    apart = np.abs(b - c).sum()         # convexity: at most gap * apart / 2
    slack = 1e-6 * abs(theirs) + len(b) * noise
    if theirs - ours > slack + (tol * apart / 2 if converged else 0):
        v = svm_libsvm(X, 1 - y, opt)[1]    # its steps begin on the other side
        if converged or -s @ v - v @ K @ v / 2 - ours > slack:
            return "dual %r, LIBSVM has %r" % (ours, theirs)
        return ("note", "LIBSVM is as slow with the classes exchanged")
    if model.fit_status_ != 0:
        return ("note", "LIBSVM needs more than 10^5 steps")
    G = s - K @ c
    if G[c < hi].max() - G[c > lo].min() > 1e3 * tol + 1e-3 + 50 * noise:
        return ("note", "LIBSVM stops before its tolerance")
    f = K @ c + model.intercept_[0]
    ends = svm_bias_span(s - K @ c, c, lo, hi, 1e-9 * opt.cost)
    sure = (K @ c + ends[0] > 0) == (K @ c + ends[1] > 0)
    near = 2 * tol + np.sqrt(2 * tol * apart * np.diag(K)) + \
        1e-9 + 6e-8 * np.abs(K).max() * opt.cost    # LIBSVM keeps K in float
    wrong = ((K @ b + bias > 0) != (f > 0)) & sure & (np.abs(f) > near)
    if wrong.any():
        return "%d other labels" % wrong.sum()
    return None if converged else ("note", "not converged in 10^7 steps")


# ---- vote: by H itself and a dense SVD; the labels are a fixed point -


class VoteOptions(ctypes.Structure):
    _fields_ = [("clusters", size_t), ("weights", ctypes.c_void_p),
                ("losses", ctypes.c_void_p), ("restarts", size_t),
                ("start_labels", ctypes.c_void_p)]


class VoteResult(ctypes.Structure):
    _fields_ = [("block", Block), ("clusters", size_t),
                ("labels", ctypes.c_void_p), ("rank", size_t),
                ("embedding", ctypes.c_void_p),
                ("singular_values", ctypes.c_void_p),
                ("stability", ctypes.c_void_p),
                ("cluster_stability", ctypes.c_void_p),
                ("mean_stability", real), ("objective", ctypes.c_void_p),
                ("iterations", size_t), ("converged", ctypes.c_int),
                ("k_effective", size_t)]


lib.mtc_vote_defaults.restype = VoteOptions


def vote(rng):
    n, m, k = rng.randint(6, 40), rng.randint(1, 7), rng.randint(1, 5)
    truth = rng.randint(0, rng.randint(1, 6), n)
    runs = np.array([np.where(rng.rand(n) < rng.choice([0, .1, .4, 1]),
                              rng.randint(0, rng.randint(1, 6), n), truth)
                     for _ in range(m)], np.intc)
    w = rng.rand(m) + .1
    opt, res = lib.mtc_vote_defaults(), VoteResult()
    opt.clusters, opt.weights = k, w.ctypes.data
    rows = (ctypes.c_void_p * m)(*[runs[r].ctypes.data for r in range(m)])
    status = lib.mtc_vote(None, size_t(n), rows, size_t(m), ctypes.byref(opt),
                          ctypes.byref(res))
    if status != 0:
        return "status %d" % status
    labels, rank = array(res.labels, n, ctypes.c_int), res.rank
    values = array(res.singular_values, rank, real)
    stability = array(res.stability, n, real)
    lib.mtc_free(None, ctypes.byref(res.block))
    H = sum(v * (z[:, None] == z) for v, z in zip(w / w.sum(), runs))
    together = (labels[:, None] == labels) & ~np.eye(n, dtype=bool)
    want = (H * together).sum(1) / np.maximum(together.sum(1), 1)
    if np.abs(stability - want).max() > 1e-12:
        return "stability off by %g" % np.abs(stability - want).max()
    B = np.hstack([np.sqrt(v) * (z[:, None] == np.unique(z))
                   for v, z in zip(w, runs)])
    B = B / np.sqrt(B @ B.sum(0))[:, None]
    U, s, _ = np.linalg.svd(B, full_matrices=False)
    s = np.append(s, 0.0)
    most = min(k, int((s > 1e-6).sum()))
    if most != rank or np.abs(values - s[:rank]).max() > 1e-7:
        return "singular values %r, not %r" % (values, s[:k])
    if s[rank - 1] - s[rank] < 1e-4:
        return ("note", "no gap, no unique subspace")
    U = U[:, :rank] / np.linalg.norm(U[:, :rank], axis=1)[:, None]
    centers = np.array([U[labels == z].mean(axis=0) if (labels == z).any()
                        else np.full(rank, 1e9) for z in range(k)])
    near = ((U[:, None] - centers) ** 2).sum(axis=2)
    if (near[np.arange(n), labels] > near.min(axis=1) + 1e-6).any():
        return "a label that is not nearest in numpy's embedding"


# ---- guard: what it reports, computed again from the labels it returns ------


class GuardOptions(ctypes.Structure):
    _fields_ = [("method", ctypes.c_int), ("clusters", size_t),
                ("clusters_of", ctypes.c_void_p), ("runs", size_t),
                ("folds", size_t), ("margin", real),
                ("mbc", ctypes.c_void_p), ("lssmtc", ctypes.c_void_p)]


class GuardResult(ctypes.Structure):
    _fields_ = [("block", Block), ("tasks", size_t), ("d", size_t)] + \
        [(name, ctypes.c_void_p) for name in
         ("clusters", "labels", "single", "shared", "kept", "matched")] + \
        [(name, ctypes.c_void_p) for name in
         ("stability_single", "stability_shared", "agreement", "loss_single",
          "loss_shared", "k_effective", "centers")]


lib.mtc_guard_defaults.restype = GuardOptions


def blobs(rng, tasks, d, k):
    """Tasks that share their centers, or do not."""
    C = 3 * rng.randn(k, d)
    out = []
    for _ in range(tasks):
        n = rng.randint(4 * k, 14 * k)
        own = C if rng.rand() < .5 else 3 * rng.randn(k, d)
        out.append(np.ascontiguousarray(own[rng.randint(0, k, n)] +
                                        rng.randn(n, d) + 10))
    return out


def mean_loss(X, z):
    return sum(((X[z == c] - X[z == c].mean(0)) ** 2).sum()
               for c in set(z)) / len(X)


def guard(rng):
    tasks, d, k = rng.randint(1, 4), rng.randint(1, 5), rng.randint(2, 4)
    X = blobs(rng, tasks, d, k)
    views = (Data * tasks)(*[dense(x) for x in X])
    opt, res = lib.mtc_guard_defaults(), GuardResult()
    opt.method, opt.clusters = rng.randint(2), k
    opt.runs = 4
    status = lib.mtc_guard(None, views, size_t(tasks), ctypes.byref(opt),
                           ctypes.byref(res))
    if status != 0:
        return "status %d" % status
    out = {name: array(getattr(res, name), tasks, real) for name in
           ("stability_single", "stability_shared", "agreement",
            "loss_single", "loss_shared")}
    kept = array(res.kept, tasks, ctypes.c_int)
    effective = array(res.k_effective, tasks, size_t)
    z = {name: [array(q, len(x), ctypes.c_int) for q, x in
                zip(array(getattr(res, name), tasks, size_t), X)]
         for name in ("labels", "single", "shared")}
    centers = [array(q, k * d, real).reshape(k, d)
               for q in array(res.centers, tasks, size_t)]
    lib.mtc_free(None, ctypes.byref(res.block))
    margin = (.025, .1)[opt.method]
    for t in range(tasks):
        a, b, last = z["single"][t], z["shared"][t], z["labels"][t]
        ari = metrics.adjusted_rand_score(a, b)
        if abs(out["agreement"][t] - ari) > 1e-12:
            return "agreement %r, not %r" % (out["agreement"][t], ari)
        for name, y in (("loss_single", a), ("loss_shared", b)):
            want = mean_loss(X[t], y)
            if abs(out[name][t] - want) > 1e-9 * (1 + want):
                return "%s %r, not %r" % (name, out[name][t], want)
        if effective[t] != len(set(last)):
            return "k_effective %d" % effective[t]
        for c in set(last):
            if np.abs(centers[t][c] - X[t][last == c].mean(0)).max() > 1e-9:
                return "center %d of task %d" % (c, t)
        if (last != (b if kept[t] else a)).any():
            return "labels are not those kept"
        low, high = out["stability_single"][t], out["stability_shared"][t]
        if len(X[t]) < 10 * k and (low, high) != (-1, -1):
            return "folds of a task below 10 k"
        if kept[t] != (low >= -.9 and high > low + margin):
            return "kept %d at %r, %r" % (kept[t], low, high)


LETTERS = ("abcdefgxyzABCXYZ", "\u00e4\u00e9\u00df\u00c4\u00c9",
           "\u03b1\u03b2\u0391\u0392", "\u0430\u0431\u0436\u0410\u0416",
           "\u05d0\u05d1")


def random_text(rng):
    """Words of one script each, digits and signs between them."""
    words = []
    for _ in range(rng.randint(0, 30)):
        letters = list(LETTERS[rng.choice(5, p=[.6, .1, .1, .1, .1])])
        words.append("".join(rng.choice(letters, rng.randint(1, 4))))
        words.append(rng.choice([" ", "-", "'", "7", "\n", ", ", " & "]))
    return "".join(words)


def weighted(counts):
    """tf idf rows of length 1, or 0."""
    texts_with = np.maximum((counts > 0).sum(axis=0), 1)
    x = counts * np.log(len(counts) / texts_with)
    length = np.sqrt((x * x).sum(axis=1, keepdims=True))
    return x / np.where(length > 0, length, 1)


def texts(rng):
    """`mtc vectorize` beside CountVectorizer: words without those of a list,
    counts or weights."""
    alone = "(?<![%s])%s(?![%s])"
    letter = r"^\W\d_"
    pattern = alone % (letter, "[%s]{2,25}" % letter, letter)
    lines = [random_text(rng) for _ in range(rng.randint(4, 30))]
    stops = [] if rng.rand() < .5 else list(rng.choice(
        re.findall(pattern, " ".join(lines).lower()) or ["x"], 5))
    weights = rng.rand() < .5
    count = feature_extraction.CountVectorizer(token_pattern=pattern, min_df=2,
                                               max_df=.5, stop_words=stops or None)
    try:
        want = count.fit_transform(lines).toarray()
    except ValueError:
        want = None
    with tempfile.TemporaryDirectory() as place:
        path = os.path.join(place, "t.jsonl")
        with open(path, "w", encoding="utf-8") as f:
            f.writelines(json.dumps({"t": s}) + "\n" for s in lines)
        stop_list = os.path.join(place, "stop.txt")
        with open(stop_list, "w", encoding="utf-8") as f:
            f.writelines(s + "\n" for s in stops)
        done = subprocess.run([program, "vectorize", path, "--text", "t",
                               "--stop", stop_list if stops else "none",
                               "--preprocess", "tfidf" if weights else "none",
                               "--quiet", "--out", place],
                              stderr=subprocess.PIPE)
        if want is None or done.returncode != 0:
            return None if (want is None) == (done.returncode == 1) \
                else "status %d" % done.returncode
        with open(os.path.join(place, "words.txt"), encoding="utf-8") as f:
            words = f.read().split("\n")[:-1]
        with open(os.path.join(place, "t.svm")) as f:
            rows = [line.split()[1:] for line in f]
    names = sorted(count.vocabulary_, key=lambda s: s.encode())
    if words != names:
        return "words %r, not %r" % (words, names)
    got = np.zeros(want.shape)
    for i, row in enumerate(rows):
        for pair in row:
            j, x = pair.split(":")
            got[i, count.vocabulary_[words[int(j) - 1]]] = float(x)
    if weights:
        want = weighted(want)
    if (abs(got - want) > (1e-15 if weights else 0)).any():
        return "weights differ" if weights else "counts differ"


program = os.environ.get("MTC")
feature_extraction = peer("sklearn.feature_extraction.text", "python3-sklearn")
if feature_extraction and program:
    run("words of texts", 200, texts)
if metrics:
    run("NMI, ARI, purity", 3000, score)
    run("silhouette", 1000, silhouette)
if cluster:
    run("k-means fixed points", 600, kmeans)
run("transport", 5000, emd)
run("vote", 2000, vote)
if metrics:
    run("guard", 150, guard)
if svm_peer:
    run("SVM (LIBSVM in scikit-learn)", svm_cases, svm)
sys.exit(1 if failed else 0)
