# SPDX-License-Identifier: MIT
"""Methods as their papers print them, in numpy: peers of bench_peers.py."""
import numpy as np


def transcribed_lssmtc(X, sizes, start, c, l, lam, steps, recon):
    """Algorithm 1 of Gu & Zhou 2009 as it reads, in numpy; recon: our
    neighbor of it, for a check of the objective."""
    from scipy import linalg
    cuts = np.cumsum(sizes)[:-1]
    tasks = np.split(X, cuts)
    P = [np.eye(c)[z] + 0.2 for z in np.split(start, cuts)]

    def subspace():
        stacked = np.vstack(P)
        F = stacked.T @ X
        Q = np.linalg.pinv(stacked.T @ stacked)
        if recon:
            U = np.linalg.svd(F.T @ np.linalg.cholesky(Q),
                              full_matrices=False)[0]
            return U[:, :l]
        S = X.T @ X - F.T @ Q @ F
        return linalg.eigh(S, subset_by_index=[0, l - 1])[1]

    def objective():
        stacked = np.vstack(P)
        Q = np.linalg.pinv(stacked.T @ stacked)
        own = sum(((Y - p @ np.linalg.pinv(p) @ Y) ** 2).sum()
                  for Y, p in zip(tasks, P))
        D = stacked.T @ (X @ W)
        return lam * own + (1 - lam) * ((X ** 2).sum() - np.vdot(Q @ D, D))

    W = subspace()
    for _ in range(steps):
        stacked = np.vstack(P)
        M = np.linalg.pinv(stacked.T @ stacked) @ stacked.T @ (X @ W)
        for k, Y in enumerate(tasks):
            Mk = np.linalg.pinv(P[k].T @ P[k]) @ P[k].T @ Y
            A = lam * Y @ Mk.T + (1 - lam) * (Y @ W) @ M.T
            B = lam * Mk @ Mk.T + (1 - lam) * M @ M.T
            plus, minus = lambda Z: (abs(Z) + Z) / 2, lambda Z: (abs(Z) - Z) / 2
            P[k] = P[k] * np.sqrt((plus(A) + P[k] @ minus(B))
                                  / (minus(A) + P[k] @ plus(B)))
        W = subspace()
    return objective() if recon else None


def transcribed_mtcfir(X, sizes, start, k, layers, steps, noise=0.5,
                       ridge=1e-5, share=0.3):
    """Algorithms 1 to 4 of the paper in numpy, loops over samples taken out:
    mSDA with a (d+1) x (d+1) system, all V_ts, A by Gram matrices, the
    columns of M by partial sorting, M sparse in the factorization."""
    from scipy import linalg
    from scipy import sparse
    d = X.shape[1]
    q = np.append(np.full(d, 1 - noise), 1.0)
    H, h = [X], X
    for _ in range(layers):
        hb = np.hstack([h, np.ones((len(h), 1))])
        S = hb.T @ hb
        P, Q = S[:d] * q, S * np.outer(q, q)
        np.fill_diagonal(Q, np.diag(S) * q + np.append(np.full(d, ridge), 0))
        W = linalg.solve(Q, P.T, assume_a="pos").T
        h = np.tanh(hb @ W.T)
        H.append(h)
    Z = np.hstack(H)
    Z /= np.linalg.norm(Z, axis=1)[:, None]
    cut = np.cumsum([0] + list(sizes))
    parts = [Z[a:b] for a, b in zip(cut[:-1], cut[1:])]
    result = []
    for t, n in enumerate(sizes):
        l = int(np.ceil(share * n / k))
        V = [parts[t] @ other.T for other in parts]
        eps = np.median(np.partition(V[t], n - l - 1, axis=1)[:, n - l - 1])
        G = sum((v >= eps - 1e-10).mean() * (v @ v.T) for v in V)
        A = np.diag(G)[:, None] + np.diag(G) - 2 * G
        np.fill_diagonal(A, np.inf)
        order = np.argpartition(A, l, axis=1)[:, :l + 1]
        near = np.take_along_axis(A, order, 1)
        b = near.max(axis=1)[:, None]
        weight = (b - near) / (l * b - near.sum(axis=1)[:, None] + b)
        weight /= weight.max(axis=1)[:, None]
        M = sparse.csr_matrix((weight.ravel(), order.ravel(),
                               np.arange(0, n * (l + 1) + 1, l + 1)), (n, n))
        M = (M + M.T) / 2
        Y = np.eye(k)[start[cut[t]:cut[t + 1]]] + 0.2
        for _ in range(steps):
            Y = Y * np.sqrt((M @ Y) / (Y @ (Y.T @ Y)))
        result.append(M.multiply(M).sum() - 2 * np.vdot(Y, M @ Y)
                      + np.linalg.norm(Y.T @ Y) ** 2)
    return np.array(result)


def transcribed_ttl(X, Gs, F, A, GI, Gt, sweeps):
    """The printed updates (equations 9, 10, 12, 13 and table 7), columns as
    samples there; X' G and X' (F A) by sparse products, N G as F A (G'G) so
    that no m x n matrix is formed.  F, A: [leg][shared, side 0, side 1]."""
    G = [[Gs, GI], [GI, Gt]]
    data = [[X[0], X[1]], [X[1], X[2]]]
    tiny = 1e-300

    def center(leg, side):
        return (np.hstack([F[leg][0], F[leg][1 + side]])
                @ np.vstack([A[leg][0], A[leg][1 + side]]))

    def value():
        total = 0.0
        for leg in range(2):
            for side in range(2):
                C, g, Y = center(leg, side), G[leg][side], data[leg][side]
                total += (Y.multiply(Y).sum() - 2 * np.vdot(Y @ C, g)
                          + np.vdot(C.T @ C, g.T @ g))
        return total

    first = value()
    for _ in range(sweeps):
        for leg in range(2):
            f, a = F[leg], A[leg]
            def M(side):
                return data[leg][side].T @ G[leg][side]
            def N(side):
                g = G[leg][side]
                return center(leg, side) @ (g.T @ g)
            f[0] = f[0] * ((M(0) + M(1)) @ a[0].T
                           / np.maximum((N(0) + N(1)) @ a[0].T, tiny))
            for i in (0, 1):
                f[1 + i] = f[1 + i] * (M(i) @ a[1 + i].T
                                       / np.maximum(N(i) @ a[1 + i].T, tiny))
            a[0] = a[0] * (f[0].T @ (M(0) + M(1))
                           / np.maximum(f[0].T @ (N(0) + N(1)), tiny))
            for i in (0, 1):
                a[1 + i] = a[1 + i] * (f[1 + i].T @ M(i)
                                       / np.maximum(f[1 + i].T @ N(i), tiny))
        Ch, Ct, C = center(0, 1), center(1, 0), center(1, 1)
        g = G[0][1]
        g = g * ((X[1] @ Ch + X[1] @ Ct)
                 / np.maximum(g @ (Ch.T @ Ch + Ct.T @ Ct), tiny))
        t = G[1][1] * ((X[2] @ C) / np.maximum(G[1][1] @ (C.T @ C), tiny))
        for leg in range(2):
            for i in range(3):
                total = F[leg][i].sum(0)
                F[leg][i] = F[leg][i] / total
                A[leg][i] = A[leg][i] * total[:, None]
        g, t = g / g.sum(1)[:, None], t / t.sum(1)[:, None]
        G[0][1] = G[1][0] = g
        G[1][1] = t
    return first, value()


def transcribed_vote(runs, k):
    """The same low-rank normalized cut, by numpy and scikit-learn."""
    from sklearn import cluster
    m, n = runs.shape
    B = np.hstack([np.eye(z.max() + 1)[z] for z in runs]) / np.sqrt(m)
    B /= np.sqrt(B @ B.sum(axis=0))[:, None]
    w, V = np.linalg.eigh(B.T @ B)
    U = B @ V[:, ::-1][:, :k]
    U /= np.linalg.norm(U, axis=0)
    U /= np.linalg.norm(U, axis=1)[:, None]
    model = cluster.KMeans(k, n_init=5, tol=0, algorithm="lloyd").fit(U)
    return np.sqrt(w[::-1][:k]), model.labels_
