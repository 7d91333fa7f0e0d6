# SPDX-License-Identifier: MIT
"""Tests of the package examples/python/mtc: the header, the calls, estimators.

usage: test_python.py BUILD_DIRECTORY [--all] [NAME...]

Without --all what takes long is left out: scikit-learn's own checks, and
threads.  The last line is "N passed, N failed".
"""
import copy
import ctypes
import inspect
import os
import pickle
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import warnings

sys.dont_write_bytecode = True                  # the tree stays clean
from python_util import (
    LABELS, ROOT, PACKAGE, SINGLE, TEXT, TEXT_Y, X, Y, extents_of,
    library, long_test, long_tests, mtc, np, optional, raises, sparse,
    test, tests)
sys.path.insert(0, os.path.join(ROOT, "tests", "program"))
import python_habits                            # their tests are in the list
import python_program


# ---- the header and the library ----

@test
def structs_have_the_layout_of_the_compiler():
    lines = ["#include <stdio.h>", "#include <stddef.h>",
             '#include "examples/advice/mtc_advice.h"', "int main(void) {"]
    ours = []
    for name, fields in library.structs.items():
        lines.append('printf("%%zu\\n", sizeof(%s));' % name)
        ours.append(ctypes.sizeof(library.C[name]))
        for f in fields:
            lines.append('printf("%%zu\\n", offsetof(%s, %s));'
                         % (name, f.name))
            ours.append(getattr(library.C[name], f.name).offset)
    with tempfile.TemporaryDirectory() as at:
        with open(at + "/layout.c", "w") as file:
            file.write("\n".join(lines + ["return 0; }"]))
        subprocess.run(["cc", "-I" + ROOT, at + "/layout.c", "-o",
                        at + "/layout"] + ["-DMTC_SINGLE"] * SINGLE,
                       check=True)
        out = subprocess.run([at + "/layout"], stdout=subprocess.PIPE,
                             check=True).stdout
    assert len(library.structs) > 50
    assert ours == list(map(int, out.split()))


@test
def enums_have_the_numbers_of_the_header():
    assert library.enums["mtc_status"]["no_memory"] == -1
    assert library.enums["mtc_subspace_mode"] == {"recon": 0, "pca": 1,
                                               "literal": 2}
    assert library.enums["mtc_bridge_form"] == {"links": 0, "linear": 1}
    assert library.enums["mtc_geometry"]["distances"] == 3


@test
def every_call_with_a_context_is_a_function():
    with open(os.path.join(ROOT, "mtc.h")) as file:
        text = file.read().split("#ifdef MTC_INTERNAL")[0]
    with open(library.advice) as file:
        text += file.read()
    names = re.findall(r"MTC_API mtc_status mtc_(\w+)\(mtc_context", text)
    left = {"data_check", "eigen_operator", "match", "symeig", "symeig_range",
            "mbc_centroid"}
    assert len(names) > 45
    for name in set(names) - left:
        assert callable(getattr(mtc, name)), name
    assert not any(hasattr(mtc, name) for name in left)
    assert "transported" in mtc.mbc.__doc__ and "lambda_" in mtc.mbc.__doc__


@test
def every_array_of_a_result_has_an_extent():
    for name, fields in library.structs.items():
        if name.endswith(("_result", "_options", "_ensemble")):
            extents = extents_of(name)
            for f in fields:
                if f.stars and f.type in library.NUMPY:
                    outer, inner = extents[f.name]
                    assert inner and (outer is not None) == (f.stars == 2), \
                        (name, f.name, extents[f.name])


@test
def defaults_are_those_of_the_library():
    found = inspect.signature(mtc.lssttc).parameters
    assert found["lambda_"].default == .25 and found["mode"].default == "pca"
    assert found["subspace"].default == 16 and found["rank"].default == 100
    assert inspect.signature(mtc.lssmtc).parameters["lambda_"].default == .75
    assert mtc.KMeans().get_params()["restarts"] == 10
    assert mtc.TrEC().get_params()["runs"] == 10


def in_other_python(code, **env):
    return subprocess.run(
        [sys.executable, "-c", code], stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, universal_newlines=True,
        env={**os.environ, "PYTHONPATH": os.path.dirname(PACKAGE), **env})


@test
def another_version_is_refused_with_a_sentence():
    with tempfile.TemporaryDirectory() as at:
        with open(os.path.join(ROOT, "mtc.h")) as file:
            text = file.read()
        with open(at + "/mtc.h", "w") as file:
            file.write(re.sub(r"(MTC_VERSION_PATCH) \d+", r"\1 99", text))
        run = in_other_python("import mtc", MTC_HEADER=at + "/mtc.h")
        assert run.returncode != 0
        assert re.search(r"ImportError: .*libmtc.so is mtc 0\.\d+\.\d+, but "
                         r".*/mtc.h is of version 0\.\d+\.99", run.stdout), \
            run.stdout
    run = in_other_python("import mtc", MTC_LIBRARY="/nowhere/libmtc.so")
    assert "ImportError: no /nowhere/libmtc.so" in run.stdout, run.stdout


@test
def a_result_of_another_size_is_refused():
    kind = library.C["mtc_kmeans_result"]
    larger = type("larger", (kind,), {"_fields_": [("more", ctypes.c_int)]})
    try:
        library.C["mtc_kmeans_result"] = larger
        raises(mtc.Error, lambda: mtc.kmeans(X), "are not of one version")
    finally:
        library.C["mtc_kmeans_result"] = kind


@long_test
def it_needs_no_more_than_numpy():
    run = in_other_python(
        "import sys\n"
        "for m in ('scipy', 'scipy.sparse', 'pandas', 'sklearn'):\n"
        "    sys.modules[m] = None\n"
        "import mtc, numpy as np\n"
        "X = np.abs(np.random.default_rng(0).normal(3, 1, (40, 3)))\n"
        "mtc.SNMF(2).fit(X), mtc.MTCFIR(2).fit([X, X + 1]).predict(X, 1)\n"
        "try: mtc.SVM().predict(X)\n"
        "except mtc.Error as error: print(error)\n")
    assert run.stdout == "This SVM instance is not fitted yet\n", run.stdout


@long_test
def it_is_found_beside_its_library_and_header():
    with tempfile.TemporaryDirectory() as at:
        home = shutil.copytree(PACKAGE, at + "/mtc")
        run = in_other_python("import mtc", PYTHONPATH=at, MTC_LIBRARY="")
        assert run.stdout.count("/libmtc.so") == 2, run.stdout
        shutil.copy(mtc.library, home + "/libmtc.so")
        shutil.copy(mtc.header, home)
        shutil.copy(library.advice, home)
        code = "import mtc; print(mtc.library, mtc.header)"
        run = in_other_python(code, PYTHONPATH=at, MTC_LIBRARY="")
        assert run.stdout.split() == [home + "/libmtc.so", home + "/mtc.h"], run
        with open(home + "/libmtc.so", "r+b") as file:
            file.seek(18)                       # the machine, in ELF
            file.write(b"\0\xf0")
        run = in_other_python(code, PYTHONPATH=at, MTC_LIBRARY="")
        last = run.stdout.strip().split("\n")[-1]
        assert last.startswith("ImportError: %s/libmtc.so was not built for "
                               "this machine" % home), run.stdout


@long_test
def nothing_is_leaked():
    import gc
    import resource
    data, few = np.ones((4000, 20)), [X, Y]
    data[::2] = 2

    def some():
        mtc.kmeans(data), mtc.mbc(few, clusters=3), mtc.pca(data)
        raises(mtc.Error, lambda: mtc.ec(data, clusters=0))
        gc.collect()
    for _ in range(5):
        some()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(20):
        some()
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 6000, "%d KB" % grown


# ---- what a call gives ----

def shapes(found):
    """{name: shape}, of lists the shapes of their members."""
    def shape(value):
        if isinstance(value, list):
            return [shape(v) for v in value]
        if hasattr(value, "row"):               # sparse, without scipy
            return value.n, value.d
        return getattr(value, "shape", None)
    return {k: shape(v) for k, v in vars(found).items() if k[0] != "_"}


def has(found, **expected):
    real = shapes(found)
    for name, shape in expected.items():
        assert real[name] == shape, (name, real[name], shape)


@test
def shapes_are_those_of_the_header():
    k, T = 3, [(60,), (50,)]
    res = mtc.lssmtc([X, Y], clusters=k, subspace=2)
    has(res, labels=T, P=[(60, k), (50, k)], centers=[(k, 4)] * 2,
        means=[(k, 4)] * 2, W=(4, res.width), M=(k, res.width),
        relatedness=(2, 2), matched=(2,), objective=(res.iterations + 1,),
        k_effective=(2,))
    res = mtc.mbc([X, Y], clusters=[3, 2])
    has(res, labels=T, centers=[(3, 4), (2, 4)], coherence=(2, 2),
        plans=[[None, (3, 2)], [(2, 3), None]], within=(2,), clusters=(2,))
    res = mtc.mtcfir([TEXT, TEXT_Y], clusters=[3, 2])
    has(res, labels=[(60,), (45,)], Y=[(60, 3), (45, 2)], alpha=(2, 2),
        M=[(60, 60), (45, 45)],
        objective=[(i + 1,) for i in res.iterations])
    has(res.features, h=(3, 105, 30))
    res = mtc.ttl([TEXT], [LABELS], [TEXT_Y], TEXT_Y, classes=3, features=6,
                  common=2, iterations=10)
    has(res, labels=(45,), target=(45, 3), bridge=(45, 3), shared=(2,),
        bridge_labels=(45,), objective=(11,), weights=(30,), center=(30, 3),
        gram=(3, 3))
    res = mtc.ec(X, clusters=3, runs=4, columns=2)
    has(res, labels=(60,), support=(4, 3, 3))
    has(res.ensemble, partitions=(4, 60), features=(4, 2), sizes=(4, 3),
        centers=(4, 3, 2))
    has(res.vote, embedding=(60, res.vote.rank), cluster_stability=(3,))
    res = mtc.trec(X, LABELS, Y[:, :3], clusters=2)
    has(res, labels=(50,), same=(11,), moved=(res.iterations,),
        from_=(res.iterations,), to=(res.iterations,))
    has(res.target.vote, labels=(50,))
    res = mtc.choose([X, Y])
    for choice in [res.common] + list(res.task):
        has(choice, p=(choice.limit,), gap=(choice.limit,),
            usil=(choice.limit,))
        assert abs(choice.p.sum() - 1) < 1e-6
    res = mtc.guard([X, Y], clusters=3, runs=2)
    has(res, single=T, shared=T, kept=(2,), centers=[(3, 4)] * 2)
    res = mtc.auto([X, Y], clusters=[3, 2], runs=2)
    has(res, labels=T, by_family=(2, res.families),
        margin=(2,), centers=[(3, 4), (2, 4)])
    assert [len(of) for of in res.candidate] == [5, 5]
    assert res.candidate[1][0].smallest <= 25
    assert len(res.name) == res.families and res.geometry == "distances"


@test
def shapes_of_learners_and_measures_are_those_of_the_header():
    has(mtc.kmeans(X, clusters=3), labels=(60,), centers=(3, 4))
    has(mtc.neighbors(X, k=5), index=(60, 5), key=(60, 5))
    has(mtc.neighbors(X, 2, Y), index=(50, 2))
    has(mtc.graph_build([X, Y], neighbors=3), weights=(110, 110))
    tree = mtc.tree(X)
    has(tree, from_=(59,), to=(59,), length=(59,))
    assert mtc.tree_cut(tree, clusters=3, gini=.5).max() == 2
    judged = mtc.judge(X, [LABELS, 1 - np.minimum(LABELS, 1)], clusters=3)
    assert [of.allowed for of in judged.of] == [1, 0]
    assert [of.smallest for of in judged.of] == [20, 0]
    both = mtc.across([X, Y], [LABELS, np.arange(50) % 3])
    has(both, group=[(3,), (3,)], scale=(2, 4), sure=(both.groups,))
    has(mtc.align(X, LABELS, 3, Y[:, :4]), scale=(4, 4), share=(3,))
    assert mtc.align(X, LABELS, 3, Y, map=2).kept == "own"
    has(mtc.logistic(X, LABELS, classes=3), W=(3, 4), bias=(3,))
    has(mtc.svm(X, LABELS, classes=3), coefficients=(3, 60), gap=(3,))
    has(mtc.ncut(X, clusters=3), embedding=(60, 3), eigenvalues=(3,))
    has(mtc.snmf(np.eye(9) + 1, clusters=2, start_labels=np.arange(9) % 2),
        Y=(9, 2))
    has(mtc.msda([X, Y], layers=2), h=(2, 110, 4))
    has(mtc.consistent([X, Y], clusters=3), M=[(60, 60), (50, 50)],
        alpha=(2, 2))
    pca = mtc.pca(X, dimension=2)
    has(pca, components=(2, 4), scores=(60, 2))
    assert np.allclose(mtc.pca_assign(X, pca), pca.scores, atol=1e-4)
    pca = mtc.pca([X, Y], dimension=2, mean="own")
    has(pca, mean=(2, 4), scores=(110, 2))
    assert np.allclose(pca.mean[1], Y.mean(axis=0))
    assert np.allclose(mtc.pca_assign(Y, pca, view=1), pca.scores[60:],
                       atol=1e-4)
    table = mtc.contingency([0, 0, 7, -2], [1, 1, 1, 5])
    has(table, count=(3, 2), match=(3,))
    assert list(table.row_label) == [-2, 0, 7]
    assert sorted(table.match) == [-1, 0, 1]    # one has no partner
    has(mtc.silhouette(X, LABELS, 3), values=(60,))
    has(mtc.spectral(np.eye(9) + 1, 2), U=(9, 2), values=(2,))
    has(mtc.vote([LABELS, LABELS], clusters=3), embedding=(60, 3))
    assert mtc.bridge_features(TEXT, TEXT_Y, TEXT).shape == (6,)


@test
def measures_agree_with_numpy():
    truth, found = [0, 0, 1, 1, 1], [1, 1, 0, 0, 1]
    score = mtc.score(truth, found)
    assert abs(score.accuracy - .8) < 1e-6 and abs(score.purity - .8) < 1e-6
    plan = mtc.emd([[1, 2], [3, 1.]], [.5, .5], [.25, .75])
    assert np.allclose(plan.plan, [[.25, .25], [0, .5]], atol=1e-6)
    assert abs(plan.info.cost - 1.25) < 1e-6
    match = mtc.assignment([[4, 1, 3], [2, 0, 5.]])
    assert list(match.column_of) == [1, 0] and abs(match.total - 3) < 1e-6
    assert mtc.a_distance(X, X + 50) == 2 and mtc.complexity(X, 0) == 0
    near = mtc.neighbors(X, k=1).index[:, 0]
    far = ((X[:, None] - X) ** 2).sum(2) + 1e9 * np.eye(60)
    assert list(near) == list(far.argmin(1))


@test
def centers_are_means():
    res = mtc.kmeans(X, clusters=3)
    for z in range(3):
        assert np.allclose(res.centers[z], X[res.labels == z].mean(0),
                           atol=1e-5)
    loss = ((X - res.centers[res.labels]) ** 2).sum()
    assert abs(res.loss - loss) < 1e-4 * loss
    model = mtc.MTCFIR(3).fit([TEXT, TEXT_Y])
    if sparse:
        again = mtc.MTCFIR(3).fit([sparse.csr_matrix(TEXT), TEXT_Y])
        assert np.allclose(again.cluster_centers_[0],
                           model.cluster_centers_[0], atol=1e-5)
    for z in range(3):
        assert np.allclose(model.cluster_centers_[0][z],
                           TEXT[model.labels_[0] == z].mean(0), atol=1e-5)
    rules = []                                  # by distance, by angle
    for rows in ((TEXT, TEXT_Y), [T / np.linalg.norm(T, axis=1)[:, None]
                                  for T in (TEXT, TEXT_Y)]):
        rules.append([])
        for T, labels in zip(rows, model.labels_):
            u = np.array([T[labels == z].mean(0) for z in range(3)])
            if rows[0] is not TEXT:
                u /= np.linalg.norm(u, axis=1)[:, None]
            rules[-1].append(((T[:, None] - u) ** 2).sum(2).argmin(1))
    others = [sum((a != b).sum() for a, b in zip(rule, model.labels_))
              for rule in rules]
    best = rules[int(others[1] < others[0])]
    for t, T in enumerate((TEXT, TEXT_Y)):
        assert np.array_equal(model.predict(T, t), best[t])


@test
def any_stride_and_type_gives_the_same():
    grid = np.round(X * 8).astype(np.int64)
    expected = mtc.kmeans(grid.astype(float), clusters=3)
    wide = np.zeros((120, 9))
    wide[::2, 3:7] = grid
    kinds = {"int": grid, "float32": grid.astype(np.float32),
             "int8": grid.astype(np.int8), "list": grid.tolist(),
             "fortran": np.asfortranarray(grid.astype(float)),
             "stride": wide[::2, 3:7], "big": grid.astype(">f8"),
             "reversed": grid[:, ::-1].astype(float)[:, ::-1],
             "object": grid.astype(object)}
    for name, data in kinds.items():
        before = copy.deepcopy(data)
        res = mtc.kmeans(data, clusters=3)
        assert np.array_equal(res.labels, expected.labels), name
        assert np.array_equal(res.centers, expected.centers), name
        assert np.array_equal(np.asarray(data), np.asarray(before)), name
    one = mtc.kmeans(wide[:1, ::3], clusters=1)  # a row of any stride
    assert np.array_equal(one.centers, wide[:1, ::3])


@test
def sparse_matrices_of_any_format_are_rows():
    if sparse is None:
        return
    expected = mtc.kmeans(sparse.csr_matrix(TEXT), clusters=3)
    unsorted = sparse.csr_matrix(TEXT)
    for i in range(60):                         # the columns backwards
        a, b = unsorted.indptr[i:i + 2]
        unsorted.indices[a:b] = unsorted.indices[a:b][::-1].copy()
        unsorted.data[a:b] = unsorted.data[a:b][::-1].copy()
    unsorted.has_sorted_indices = unsorted.has_canonical_format = False
    before = unsorted.indices.copy()
    for data in (sparse.csc_matrix(TEXT), sparse.coo_matrix(TEXT),
                 sparse.lil_matrix(TEXT), unsorted,
                 sparse.csr_matrix(TEXT.astype(np.float32))):
        assert np.array_equal(mtc.kmeans(data, clusters=3).labels,
                              expected.labels)
    assert np.array_equal(unsorted.indices, before)
    twice = sparse.coo_matrix(([1, 2, 3.], ([0, 0, 1], [1, 1, 0])), (2, 2))
    assert np.array_equal(mtc.pca(twice, dimension=1).mean, [[1.5, 1.5]])


@test
def options_are_taken_by_name_and_word():
    res = mtc.lssmtc([X, Y], clusters=3, mode="pca", lambda_=1)
    again = mtc.lssmtc([X, Y], clusters=3, mode=1, **{"lambda_": 1.})
    assert np.array_equal(res.labels[0], again.labels[0])
    raises(mtc.Error, lambda: mtc.lssmtc([X], mode="pcb"), "mode", "literal")
    raises(mtc.Error, lambda: mtc.kmeans(X, clusters=-1), "clusters")
    raises(mtc.Error, lambda: mtc.kmeans(X, clusters=2.5), "clusters")
    raises(mtc.Error, lambda: mtc.kmeans(X, clusters=2 ** 64 + 2), "clusters")
    raises(mtc.Error, lambda: mtc.kmeans(X, seed=-1), "seed")
    raises(mtc.Error, lambda: mtc.kmeans(X, tolerance="low"), "tolerance")
    raises(TypeError, lambda: mtc.kmeans(X, clustres=3), "clustres")
    assert mtc.kmeans(X, clusters=np.int32(3)).clusters == 3
    assert mtc.trec(X, LABELS, Y, clusters=3).target.vote.clusters == 3
    assert mtc.ncut(X, clusters=3, similarity="gaussian", neighbors=9).cut >= 0
    res = mtc.guard([X, Y], clusters=3, runs=2, method="mbc",
                    mbc={"lambda_": .1, "iterations": 3})
    assert len(res.labels) == 2


@test
def starts_are_taken_and_their_sizes_checked():
    start = np.roll(LABELS, 1)
    res = mtc.kmeans(X, clusters=3, start_labels=start, iterations=1)
    means = np.array([X[start == z].mean(0) for z in range(3)])
    same = mtc.kmeans(X, clusters=3, start_centers=means, iterations=1)
    assert np.array_equal(res.labels, same.labels)
    raises(mtc.Error, lambda: mtc.kmeans(X, clusters=3, start_labels=start[1:]),
           "start_labels", "59", "60")
    raises(mtc.Error, lambda: mtc.kmeans(X, clusters=3, weights=np.ones(61)),
           "weights", "61")
    raises(mtc.Error, lambda: mtc.kmeans(X, clusters=3,
                                         start_centers=np.ones((3, 5))),
           "start_centers")
    raises(mtc.Error, lambda: mtc.mbc([X, Y], clusters=3,
                                      start_labels=[start]), "1 arrays")
    raises(mtc.Error, lambda: mtc.mbc(
        [X, Y], clusters=3, start_labels=[start, start]), "start_labels[1]")
    raises(mtc.Error, lambda: mtc.svm(X, LABELS[:-1], classes=3), "labels")
    raises(mtc.Error, lambda: mtc.lssttc([X], [LABELS, LABELS], Y, clusters=3),
           "source_labels")
    raises(mtc.Error, lambda: mtc.score([1, 2], [1, 2, 3]), "predicted")
    raises(mtc.Error, lambda: mtc.kmeans(X, start_labels=LABELS + .5),
           "whole numbers")
    runs = [LABELS, start]
    res = mtc.ec(X, clusters=3, runs=2, partitions=runs)
    assert np.array_equal(res.ensemble.partitions, runs)
    raises(mtc.Error, lambda: mtc.ec(X, clusters=3, partitions=runs),
           "partitions", "10")
    mtc.mbc([X, Y], clusters=[3, 2], start_centers=[X[:3], Y[:2]])
    raises(mtc.Error, lambda: mtc.mbc([X, Y], clusters=[3, 2],
                                      start_centers=[X[:3], Y[:3]]), "[1]")
    svm = mtc.svm(X, LABELS, classes=3)
    again = mtc.svm(X, LABELS, classes=3, start=np.abs(svm.coefficients))
    assert again.iterations < svm.iterations
    raises(mtc.Error, lambda: mtc.svm(X, LABELS, classes=3,
                                      start=np.zeros((1, 60))), "start")
    raises(mtc.Error, lambda: mtc.svm(X, LABELS % 2, start=np.zeros((3, 60))),
           "start")
    raises(mtc.Error, lambda: mtc.emd(np.ones((2, 3)), [1, 1], [1, 1]),
           "demand")
    raises(mtc.Error, lambda: mtc.emd(np.ones((2, 3)), [1], [1, 1, 1]),
           "supply")
    raises(mtc.Error, lambda: mtc.vote([LABELS, LABELS[:9]]), "runs[1]")
    raises(mtc.Error, lambda: mtc.vote([LABELS] * 3, weights=[1, 1]), "weights")
    raises(mtc.Error, lambda: mtc.bridge_fit(np.ones((4, 5)), [0, 1, 0, 1]),
           "features")
    raises(mtc.Error, lambda: mtc.ttl(
        [TEXT], [LABELS], [TEXT_Y], TEXT_Y, classes=3,
        bridge_known=[np.zeros(9, int)]), "bridge_known[0]")
    W = np.eye(4)[:, :2]
    assert mtc.lssmtc([X], clusters=3, subspace=2, start_W=W).width >= 2
    res = mtc.lssttc([X], [LABELS], Y, clusters=3,
                     start_labels=[np.arange(50) % 3], iterations=1)
    assert len(res.labels) == 2


@test
def divergences_have_names_or_are_matrices():
    P = np.abs(X) + .1
    labels = mtc.kmeans(P, clusters=3).labels
    same = mtc.kmeans(P, clusters=3, divergence=np.eye(4)).labels
    assert mtc.score(labels, same).accuracy == 1
    for by in "is", np.diag([9, 1, 1, .1]):
        res = mtc.kmeans(P, clusters=3, divergence=by)
        assert np.array_equal(mtc.kmeans_assign(P, res), res.labels)
    res = mtc.mbc([P, P + 1], clusters=2, divergence="kl")
    near = np.array([[(x * np.log(x / u) - x + u).sum() for u in
                      res.centers[1]] for x in P]).argmin(1)
    assert np.array_equal(mtc.mbc_assign(P, 1, res), near)
    A = np.diag([1., 9, 1, 1]) + .5
    res = mtc.mbc([P, P + 1], clusters=3, divergence=A, smooth=2)
    near = np.array([[(x + 2 - u) @ A @ (x + 2 - u) for u in res.centers[1]]
                     for x in P]).argmin(1)
    assert np.array_equal(mtc.mbc_assign(P, 1, res), near)
    assert mtc.lssttc([X], [LABELS], Y, clusters=3, lambda_=.5).lambda_ == .5
    raises(mtc.Error, lambda: mtc.kmeans(X, divergence="kl"), "domain", "row")
    raises(mtc.Error, lambda: mtc.kmeans(X, divergence="cosine"), "cosine")
    raises(mtc.Error, lambda: mtc.kmeans(X, divergence=np.ones((4, 4))), "4 x")
    raises(mtc.Error, lambda: mtc.kmeans(X, divergence=np.eye(3)), "4 x 4")


@test
def assign_gives_the_labels_of_the_fit():
    for call, assign in ((mtc.kmeans, mtc.kmeans_assign),
                         (mtc.ec, mtc.ec_assign)):
        res = call(X, clusters=3)
        assert np.array_equal(assign(X, res), res.labels)
    tasks = [X, Y]
    for call, assign in ((mtc.mbc, mtc.mbc_assign),
                         (mtc.lssmtc, mtc.lssmtc_assign),
                         (mtc.auto, mtc.auto_assign)):
        res = call(tasks, clusters=3)
        for t in range(2):
            assert np.array_equal(assign(tasks[t], t, res), res.labels[t])
    svm = mtc.svm(X, LABELS, classes=3, kernel="rbf")
    found = mtc.svm_assign(X, X, svm)
    assert np.array_equal(found.labels, found.decisions.argmax(1))
    assert (found.labels == LABELS).all()
    raises(mtc.Error, lambda: mtc.svm_assign(X, X, res), "svm_result")
    raises(mtc.Error, lambda: mtc.mbc_assign(X, 7, mtc.mbc(tasks)), "range")
    raises(mtc.Error, lambda: mtc.kmeans_assign(X[:, :3], mtc.kmeans(X)),
           "range")


# ---- failures, progress, threads ----

@test
def what_is_no_data_is_an_error():
    for kind in (mtc.Auto, mtc.KMeans, mtc.MBC, mtc.Ward):
        for bad in ([[1, 2], [3]], 5, None, [], {}, "x", [None], [[None]],
                    object()):
            raises(mtc.Error, lambda: kind().fit(bad))


@test
def a_bad_value_is_refused_by_its_place():
    bad = Y.copy()
    bad[7, 2] = np.nan
    error = raises(mtc.Error, lambda: mtc.mbc([X, bad]), "mbc:", "NaN")
    assert (error.status, error.task, error.row, error.column) == \
        ("domain", 1, 7, 2)
    assert isinstance(error, ValueError)
    bad[7, 2] = np.inf
    error = raises(mtc.Error, lambda: mtc.kmeans(bad), "row 7, column 2")
    assert error.task is None
    if sparse:
        bad = sparse.csr_matrix(TEXT)
        bad.data[3] = np.nan
        row, column = sparse.csr_matrix(TEXT).nonzero()
        error = raises(mtc.Error, lambda: mtc.kmeans(bad))
        assert (error.row, error.column) == (row[3], column[3])
    raises(mtc.Error, lambda: mtc.kmeans(X[0]), "2D")
    raises(mtc.Error, lambda: mtc.kmeans(X[:0]), "0 sample")
    raises(mtc.Error, lambda: mtc.kmeans(X, clusters=61), "clusters: need 1..n")
    raises(mtc.Error, lambda: mtc.mbc([X, Y[:, :3]]), "features differ")
    raises(mtc.Error, lambda: mtc.mbc([]), "none")
    raises(mtc.Error, lambda: mtc.kmeans(X + 1j), "Complex")
    masked = np.ma.masked_less(X, X.max())
    raises(mtc.Error, lambda: mtc.kmeans(masked), "X: masked values")
    raises(mtc.Error, lambda: mtc.score(masked[:, 0], masked[:, 0]), "masked")
    assert mtc.kmeans(np.ma.masked_array(X)).labels.size == 60  # no mask
    hidden, shown = np.ma.masked_equal(LABELS, 2), np.ma.masked_array(LABELS)
    for kind in (mtc.SVM, mtc.Logistic):
        raises(mtc.Error, lambda: kind().fit(X, hidden), "y: masked values")
        model = kind().fit(X, shown)
        assert model.score(X, shown) > .9
        raises(mtc.Error, lambda: model.score(X, hidden), "y: masked values")
    for kind in (mtc.LSSTTC, mtc.TrEC):
        raises(mtc.Error, lambda: kind().fit(X, hidden, Y), "y: masked values")
    raises(mtc.Error, lambda: mtc.LSSTTC().fit([X, X], [LABELS, hidden], Y),
           "y: masked values")
    raises(mtc.Error, lambda: mtc.kmeans([["a", "b"], ["c", "d"]]), "X:")
    raises(TypeError, lambda: mtc.kmeans())


@test
def want_of_memory_is_a_memory_error():
    error = raises(MemoryError, lambda: mtc.msda([X], layers=2 ** 40), "memory")
    assert isinstance(error, mtc.Error) and error.status == "no_memory"


@test
def progress_is_told_and_may_stop():
    seen = []
    mtc.ec(X, clusters=3, progress=lambda *tick: seen.append(tick))
    assert seen and all(isinstance(s, str) and 0 <= d <= t
                        for s, d, t in seen), seen[:3]
    error = raises(mtc.Error, lambda: mtc.ec(X, progress=lambda *_: True))
    assert error.status == "cancelled"

    def fails(*_):
        raise KeyError("mine")
    raises(KeyError, lambda: mtc.ec(X, progress=fails), "mine")

    class Bar:                                  # as much of tqdm as it takes
        def refresh(self):
            seen.append((self.desc, self.n, self.total))
    seen.clear()
    mtc.EC(3, progress=Bar()).fit(X)
    mtc.EC(3, progress=Bar).fit(X)
    assert seen and seen[-1][1] <= seen[-1][2]


@long_test
def a_bar_of_tqdm_is_filled():
    tqdm = optional("tqdm")
    if tqdm is None:
        return
    import io
    out = io.StringIO()
    with tqdm.tqdm(file=out, mininterval=0) as bar:
        mtc.ec(X, clusters=3, runs=20, progress=bar)
        assert bar.total > 0 and 0 < bar.n <= bar.total
    assert bar.desc in out.getvalue() and len(bar.desc) > 2


@test
def an_interrupt_stops_a_call():
    before = signal.getsignal(signal.SIGINT)

    def interrupts(*_):
        os.kill(os.getpid(), signal.SIGINT)
    ticks = []
    raises(KeyboardInterrupt, lambda: mtc.ec(X, runs=200, progress=lambda *t: (
        ticks.append(t), interrupts())[0]))
    assert len(ticks) < 50 and signal.getsignal(signal.SIGINT) is before
    raises(KeyboardInterrupt, interrupts)       # and the next one is Python's


@long_test
def an_interrupt_from_outside_stops_a_long_call():
    rng = np.random.default_rng(0)
    tasks = [1 + rng.random((1500, 60)) for _ in range(3)]
    timer = threading.Timer(.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    start = time.process_time()                 # the machine may be busy
    raises(KeyboardInterrupt, lambda: mtc.mtcfir(tasks, clusters=8))
    assert time.process_time() - start < 3


@long_test
def calls_run_side_by_side():
    """Without the interpreter's lock, each with its own context."""
    rng = np.random.default_rng(0)
    data = rng.normal(size=(3000, 30))
    alone = mtc.kmeans(data, clusters=20).labels
    counted, found = [0], [None] * 3

    def work(i):
        found[i] = mtc.kmeans(data, clusters=20).labels
    threads = [threading.Thread(target=work, args=(i,)) for i in range(3)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        counted[0] += 1
        time.sleep(.001)
    assert counted[0] > 5
    assert all(np.array_equal(f, alone) for f in found)


def forked_labels(data):
    return mtc.kmeans(data, clusters=8, n_jobs=2).labels


@long_test
def a_forked_process_has_threads_of_its_own():
    if not hasattr(os, "fork"):
        return
    import multiprocessing
    data = np.random.default_rng(0).normal(size=(4000, 20))
    alone = forked_labels(data)                 # the pool is there by now
    with multiprocessing.get_context("fork").Pool(2) as pool:
        found = pool.map_async(forked_labels, [data] * 3).get(timeout=120)
    assert all(np.array_equal(alone, labels) for labels in found)


# ---- DataFrames ----

@long_test
def frames_are_matched_by_name():
    pandas = optional("pandas")
    if pandas is None:
        return
    A = pandas.DataFrame(X, columns=list("abcd"))
    B = pandas.DataFrame(Y, columns=list("abcd"))
    expected = mtc.mbc([X, Y], clusters=3)
    res = mtc.mbc([A, B[list("dbca")]], clusters=3)
    assert np.array_equal(res.labels[1], expected.labels[1])
    assert np.array_equal(mtc.mbc_assign(B[list("cdab")], 1, res),
                          mtc.mbc_assign(Y, 1, expected))
    error = raises(mtc.Error, lambda: mtc.mbc([A, B.rename(
        columns={"a": "z"})]), "a, z", "tasks[1]")
    model = mtc.MBC(3).fit([A, B])
    assert list(model.feature_names_in_) == list("abcd")
    assert np.array_equal(model.predict(B[list("dcba")], task=1),
                          model.labels_[1])
    raises(mtc.Error, lambda: model.predict(B[list("abc")]), "d")
    words = A.assign(b="x")
    raises(mtc.Error, lambda: mtc.kmeans(words), "b")
    holes = A.astype("Float64")
    holes.iloc[5, 1] = pandas.NA
    error = raises(mtc.Error, lambda: mtc.kmeans(holes))
    assert (error.row, error.column) == (5, 1)
    other = pandas.DataFrame(Y[:, :3], columns=list("xyz"))
    assert len(mtc.TrEC(3).fit(A, LABELS, other).predict(
        other[list("zyx")])) == 50
    frame = pandas.DataFrame(TEXT, columns=["w%d" % i for i in range(30)])
    near = pandas.DataFrame(TEXT_Y, columns=frame.columns)
    ttl = mtc.TTL().fit(frame, LABELS, near[near.columns[::-1]],
                        bridges=[near[np.roll(near.columns, 3)]])
    plain = mtc.TTL().fit(TEXT, LABELS, TEXT_Y, bridges=[TEXT_Y])
    assert np.array_equal(ttl.labels_, plain.labels_)
    assert np.array_equal(ttl.result_.objective, plain.result_.objective)
    far = near.iloc[:, :20].add_prefix("far ")  # the target's own features
    ttl = mtc.TTL().fit(frame, LABELS, far[far.columns[::-1]], bridges=[near],
                        views=[far])
    plain = mtc.TTL().fit(TEXT, LABELS, TEXT_Y[:, :20], bridges=[TEXT_Y],
                          views=[TEXT_Y[:, :20]])
    assert np.array_equal(ttl.result_.objective, plain.result_.objective)
    assert np.array_equal(ttl.predict(far[np.roll(far.columns, 3)]),
                          plain.predict(TEXT_Y[:, :20]))
    raises(mtc.Error, lambda: mtc.TTL().fit(frame, LABELS, near, bridges=[near],
                                            views=[far]), "target", "far w0")
    raises(mtc.Error, lambda: mtc.TTL(scale="auto").fit(
        frame, LABELS, far, bridges=[near], views=[far]), "of their own")
    raises(mtc.Error, lambda: mtc.TTL().fit(frame, LABELS, near, bridges=[near],
                                            views=[]), "views: there are none")


@long_test
def dates_are_no_numbers():
    pandas = optional("pandas")
    if pandas is None:
        return
    A = pandas.DataFrame(X, columns=list("abcd"))
    days = pandas.date_range("2024-01-01", periods=60)
    for other in (days, days - days[0], X[:, 0] + 1j,
                  pandas.Categorical(days)):
        raises(mtc.Error, lambda: mtc.kmeans(A.assign(b=other)),
               "dates, times or complex numbers: b")
    raises(mtc.Error, lambda: mtc.kmeans(days.to_numpy()[:, None]), "dates")


@long_test
def names_of_columns_may_be_numbers():
    pandas = optional("pandas")
    if pandas is None:
        return
    expected = mtc.mbc([X, Y], clusters=3)
    some = [[2, 0, 3, 1], [405, 400, 410.5, 415], [True, False, 7, None],
            [("a", 1), ("a", 2), ("b", 1), ("b", 2)],
            list(pandas.date_range("2024-01-01", periods=4))]
    for names in some:
        A = pandas.DataFrame(X, columns=names)
        B = pandas.DataFrame(Y, columns=names)
        moved = B.iloc[:, [3, 1, 0, 2]]
        res = mtc.mbc([A, moved], clusters=3)
        assert np.array_equal(res.labels[1], expected.labels[1])
        model = pickle.loads(pickle.dumps(mtc.MBC(3).fit([A, B])))
        assert np.array_equal(model.predict(moved, task=1), model.labels_[1])
        assert np.array_equal(model.predict(Y, task=1), model.labels_[1])
        other = B.iloc[:, [0, 1, 2]].assign(z=1.)
        raises(mtc.Error, lambda: mtc.mbc([A, other]), "z")
    plain = pandas.DataFrame(Y)                 # no names beside words
    for names in (None, list("abcd")):
        A = pandas.DataFrame(X, columns=names)
        res = mtc.mbc([A, plain], clusters=3)
        assert np.array_equal(res.labels[1], expected.labels[1])
    res = mtc.mbc([pandas.DataFrame(X), plain[[3, 1, 0, 2]]], clusters=3)
    assert np.array_equal(res.labels[1], expected.labels[1])
    raises(mtc.Error, lambda: mtc.mbc([pandas.DataFrame(X), pandas.DataFrame(
        Y, columns=[1, 2, 3, 4])]), "0, 4")


@long_test
def the_first_names_are_those_of_all():
    pandas = optional("pandas")
    if pandas is None:
        return
    plain, words = pandas.DataFrame(X), list("abcd")
    B = pandas.DataFrame(Y, columns=words)
    moved, expected = B[list("dbca")], mtc.MBC(3).fit([X, Y, Y])
    for first in (X, plain):                    # names come with the second
        model = mtc.MBC(3).fit([first, B, moved])
        assert list(model.feature_names_in_) == words
        for t in (1, 2):
            assert np.array_equal(model.labels_[t], expected.labels_[t])
            assert np.array_equal(model.predict(moved, task=t),
                                  model.labels_[t])
        raises(mtc.Error, lambda: mtc.mbc([first, B, B.rename(
            columns={"a": "z"})]), "a, z", "tasks[2]")
        far = mtc.LSSTTC().fit([first], [LABELS], B)    # or with the target
        assert np.array_equal(far.predict(moved), far.labels_)
    text = pandas.DataFrame(TEXT_Y, columns=["w%d" % i for i in range(30)])
    back = text[text.columns[::-1]]
    found = [mtc.TTL().fit(pandas.DataFrame(TEXT), LABELS, target,
                           bridges=[text]) for target in (text, back)]
    assert np.array_equal(found[0].labels_, found[1].labels_)


# ---- estimators ----

@test
def estimators_keep_the_habits_of_the_ecosystem():
    for kind in (mtc.Auto, mtc.MBC, mtc.LSSMTC, mtc.MTCFIR, mtc.Guard):
        model = kind(n_clusters=3, seed=2)
        labels = model.fit_predict([X, Y])
        assert [len(h) for h in labels] == [60, 50]
        assert [c.shape for c in model.cluster_centers_] == [(3, 4)] * 2
        assert model.predict(Y, task=1).shape == (50,)
        again = pickle.loads(pickle.dumps(model))
        assert np.array_equal(again.predict(Y, 1), model.predict(Y, 1))
        assert copy.deepcopy(model).get_params() == model.get_params()
        assert kind(**model.get_params()).fit(X).labels_.shape == (60,)
    assert mtc.MBC(n_clusters=[3, 2]).fit([X, Y]).relatedness_.shape == (2, 2)
    assert mtc.KMeans(4).set_params(n_clusters=3).fit(X).inertia_ > 0
    assert repr(mtc.KMeans(3, seed=2)) == "KMeans(n_clusters=3, seed=2)"
    raises(ValueError, lambda: mtc.KMeans().set_params(k=3), "k")
    raises(TypeError, lambda: mtc.KMeans(k=3))
    raises(mtc.Error, lambda: mtc.KMeans().predict(X), "not fitted")
    raises(mtc.Error, lambda: mtc.KMeans().fit(X).predict(X[:, 1:]),
           "X has 3 features, but KMeans is expecting 4 features")
    raises(mtc.Error, lambda: mtc.LSSMTC([3, 2]).fit([X, Y]), "clusters")
    assert mtc.LSSMTC([3, 3]).fit([X, Y]).result_.clusters == 3
    raises(mtc.Error, lambda: mtc.SNMF(0).fit(X), "clusters")
    raises(mtc.Error, lambda: mtc.MBC([3, 2, 2]).fit([X, Y]), "clusters_of")


@test
def a_fit_does_not_depend_on_what_becomes_of_its_data():
    data = X.copy()
    model = mtc.SVM(kernel="rbf").fit(data, LABELS)
    expected = model.decision_function(Y)
    data[:] = 0
    assert np.array_equal(model.decision_function(Y), expected)


@test
def random_state_is_a_seed():
    rng = np.random.default_rng(3)
    data = rng.normal(size=(200, 5))            # no clusters: seeds matter
    by_seed = mtc.KMeans(9, restarts=1, seed=5).fit(data).labels_
    by_state = mtc.KMeans(9, restarts=1, random_state=5).fit(data).labels_
    other = mtc.KMeans(9, restarts=1, random_state=6).fit(data).labels_
    assert np.array_equal(by_seed, by_state)
    assert not np.array_equal(by_seed, other)
    for make in (np.random.RandomState, np.random.default_rng):
        a, b = (mtc.KMeans(9, restarts=1, random_state=make(1)).fit(
            data).labels_ for _ in range(2))
        assert np.array_equal(a, b)
        state = make(1)                         # one draw for each fit
        model = mtc.Auto(random_state=state).fit(data[:40])
        first, again = model.seed_, mtc.Auto(seed=model.seed_).fit(data[:40])
        assert np.array_equal(model.labels_, again.labels_)
        assert model.fit(data[:40]).seed_ != first
        other = make(1)
        draw = getattr(other, "integers", getattr(other, "randint", None))
        assert first == draw(2 ** 31) and model.seed_ == draw(2 ** 31)
    raises(mtc.Error, lambda: mtc.KMeans(random_state="x").fit(data), "seed")
    for kind in (mtc.SVM, mtc.TTL, mtc.Ward, mtc.Auto):
        assert kind().get_params()["random_state"] is None


@test
def transform_gives_distances_and_score_their_sum():
    for data in [X] + ([sparse.csr_matrix(TEXT)] if sparse else []):
        model = mtc.KMeans(3).fit(data)
        far, rows = model.transform(data), np.asarray(
            data.todense() if hasattr(data, "todense") else data)
        expected = np.linalg.norm(rows[:, None] - model.cluster_centers_,
                                  axis=2)
        assert np.allclose(far, expected, atol=1e-4)
        assert np.array_equal(far.argmin(1), model.labels_)
        assert abs(model.score(data) + model.inertia_) < 1e-3 * model.inertia_
    model = mtc.MBC(3).fit([X, Y])
    assert [d.shape for d in model.fit_transform([X, Y])] == [(60, 3), (50, 3)]
    assert np.isclose(model.score([X, Y]),
                      model.score(X) + model.score(Y, task=1))
    model = mtc.LSSMTC(3)
    far = model.fit_transform([X + 100, Y + 100])[0]
    assert np.array_equal(far.argmin(1), model.labels_[0])
    assert np.allclose(far, np.linalg.norm(
        X[:, None] + 100 - model.cluster_centers_[0], axis=2), atol=1e-4)
    raises(mtc.Error, lambda: mtc.MBC(2, divergence="kl").fit(
        [TEXT + 1]).transform(TEXT + 1), "divergence")
    for task in (2, -1, "x"):                   # as predict has it
        raises(mtc.Error, lambda: model.transform(X, task), "task")
    raises(mtc.Error, lambda: model.score([X, Y, X]), "task")
    two = np.repeat([[5., 5.], [9., 9.]], 10, 0)
    model = mtc.MTCFIR(4).fit(two)              # two clusters stay empty
    assert model.result_.k_effective[0] == 2
    assert np.isclose(model.score([[0., 0.]]), -50)     # none is at 0
    assert not hasattr(mtc.Ward(), "transform")


@test
def a_small_task_has_as_many_clusters_as_the_others():
    auto = mtc.Auto(scale=None).fit([X, Y, X[:9] + .1])
    assert auto.k_choice_.task[2].verdict == "few"
    assert auto.n_clusters_ == 3                # of all, as the program has it
    auto = mtc.Auto(scale=None).fit([X, Y, np.ones((20, 4))])
    assert auto.n_clusters_ == [3, 3, 1]        # equal rows have one


@test
def scaled_columns_count_alike():
    wide = X * [1, 1000, 1, 1]
    model = mtc.KMeans(3, scale="zscore").fit(wide)
    z = (wide - wide.mean(0)) / wide.std(0)
    assert np.array_equal(model.labels_, mtc.KMeans(3).fit(z).labels_)
    assert np.array_equal(model.predict(wide), model.labels_)
    for h in range(3):
        assert np.allclose(model.cluster_centers_[h],
                           wide[model.labels_ == h].mean(0), rtol=1e-3)
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.predict(wide), model.labels_)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        auto = mtc.Auto().fit(wide)
        after = sys._getframe().f_lineno
    assert [w.category for w in caught] == [mtc.Notice]
    assert caught[0].lineno == after - 1        # where the user's call is
    assert "z-scored" in str(caught[0].message) and auto.scale_.how == "zscore"
    assert auto.n_clusters_ == 3 and auto.k_choice_.common.verdict == "clear"
    assert np.array_equal(auto.predict(wide), auto.labels_)
    svm = mtc.SVM(scale="zscore").fit(wide, LABELS)
    assert np.array_equal(svm.predict(wide), mtc.SVM().fit(z, LABELS).predict(z))
    far = mtc.LSSTTC(scale="zscore").fit([wide], [LABELS], wide)
    assert np.array_equal(far.predict(wide), far.labels_)
    raises(mtc.Error, lambda: mtc.KMeans(scale="range").fit(X), "scale")
    if sparse:
        text = sparse.csr_matrix(TEXT)
        assert mtc.Auto(3).fit(text).scale_.how == "none"
        raises(mtc.Error, lambda: mtc.KMeans(scale="zscore").fit(text),
               "sparse")


@test
def no_result_depends_on_threads():
    rng = np.random.default_rng(1)
    data = rng.normal(size=(4000, 20))
    one = mtc.kmeans(data, clusters=8, n_jobs=1)
    for lanes in (2, 3, -1, None):
        all_ = mtc.kmeans(data, clusters=8, n_jobs=lanes)
        assert np.array_equal(all_.labels, one.labels)
        assert np.array_equal(all_.centers, one.centers)
    before = mtc.threads()
    assert mtc.threads(3) == 3 == mtc.threads()
    mtc.threads(before)
    raises(mtc.Error, lambda: mtc.kmeans(X, n_jobs=0), "n_jobs")
    for bad in (1.5, "2", 0):
        raises(mtc.Error, lambda: mtc.threads(bad), "n_jobs")
    assert mtc.KMeans(3, n_jobs=2).fit(X).labels_.shape == (60,)


def flat(value):
    """All numbers of a result, as bytes."""
    if isinstance(value, mtc.Result):
        value = [v for k, v in sorted(vars(value).items()) if k[0] != "_"]
    if hasattr(value, "indptr"):                # sparse, of scipy or not
        value = [value.indptr, value.indices, value.data]
    elif hasattr(value, "row"):
        value = [value.row, value.column, value.values]
    if isinstance(value, (list, tuple)):
        return b"".join(map(flat, value))
    return value.tobytes() if isinstance(value, np.ndarray) \
        else repr(value).encode()


@test
def one_and_two_threads_give_the_same_bits():
    from mtc import _threads
    rng = np.random.default_rng(2)
    means = rng.normal(0, 2, (4, 20))
    y = [np.arange(n) % 4 for n in (400, 300)]
    tasks = [means[h] + rng.normal(0, 1, (len(h), 20)) for h in y]
    wide = [rng.normal(size=(2000, 100)) for _ in range(2)]
    fits = {
        "KMeans": lambda n: mtc.KMeans(4, n_jobs=n).fit(tasks[0]),
        "LSSMTC": lambda n: mtc.LSSMTC(4, n_jobs=n).fit(wide),
        "MTCFIR": lambda n: mtc.MTCFIR(4, n_jobs=n).fit(tasks),
        "Auto": lambda n: mtc.Auto(4, n_jobs=n).fit(tasks),
        "Guard": lambda n: mtc.Guard(n_clusters=4, n_jobs=n).fit(tasks),
        "SVM": lambda n: mtc.SVM(kernel="rbf", n_jobs=n).fit(tasks[0], y[0])}
    lent, run, before = [], _threads.run_pieces, mtc.threads()
    _threads.run_pieces = lambda *all_: (lent.append(all_[0]), run(*all_))[1]
    try:
        for name, fit in fits.items():
            lent.clear()
            alone = fit(1)
            assert not lent, name
            assert flat(fit(2).result_) == flat(alone.result_), name
            assert _threads.IN_C or 2 in lent, name
            found = [mtc.threads(n) and flat(fit(None).result_)
                     for n in (1, 2)]
            assert found == [flat(alone.result_)] * 2, name
    finally:
        _threads.run_pieces = run
        mtc.threads(before)


@test
def pieces_all_run_whatever_happens():
    from mtc import _threads
    done, errors = [], []

    @_threads._PIECE
    def piece(job, i):
        done.append((job, i))
    address = ctypes.cast(piece, ctypes.c_void_p).value
    _threads.run_pieces(5, address, 7, errors.append)
    assert sorted(done) == [(7, i) for i in range(5)] and not errors
    pool, done[:] = _threads._pool, []
    try:                                        # no threads to be had
        pool.submit, kept = (lambda *_: None), pool.submit
        _threads.run_pieces(3, address, 1, errors.append)
    finally:
        pool.submit = kept
    assert sorted(done) == [(1, 0), (1, 1), (1, 2)]


@test
def classifiers_have_names_and_scores():
    names = np.array(["ant", "bee", "cat"])
    for kind in (mtc.SVM, mtc.Logistic):
        model = kind().fit(X, names[LABELS])
        assert list(model.classes_) == list(names)
        assert model.score(X, names[LABELS]) == 1
        scores = model.decision_function(Y)
        assert np.array_equal(names[scores.argmax(1)], model.predict(Y))
        two = kind().fit(X[LABELS > 0], names[LABELS[LABELS > 0]])
        assert np.array_equal(two.decision_function(Y) > 0,
                              two.predict(Y) == "cat")
    odds = two.decision_function(Y)
    linear = Y @ (two.result_.W[1] - two.result_.W[0]) + \
        two.result_.bias[1] - two.result_.bias[0]
    assert np.allclose(odds, linear, atol=1e-3)
    assert np.allclose(two.predict_proba(Y).sum(1), 1, atol=1e-5)
    raises(mtc.Error, lambda: mtc.SVM().fit(X, LABELS[1:]), "y should be")
    for model in (mtc.SVM().fit(X, LABELS), mtc.Logistic().fit(X, LABELS)):
        for y in (LABELS[:, None], LABELS[None], LABELS[:10], 0):
            raises(mtc.Error, lambda: model.score(X, y), "y should be")
    weight = np.where(LABELS == 2, 0, 1.)
    assert 2 not in mtc.Logistic(ridge=.1).fit(X, LABELS, weight).predict(X)


@test
def missing_labels_are_no_class():
    pandas, words = optional("pandas"), np.array(["ant", "bee", "cat"])[LABELS]
    gaps = []
    for gap in (np.nan, None):                  # a column of True, False, NaN
        gaps += [np.where(LABELS == 2, gap, (LABELS > 0).astype(object))]
        gaps += [[gap if w == "cat" else w for w in words]]
    if pandas is not None:
        gaps += [pandas.Series(gaps[1], dtype=kind)
                 for kind in ("string", "category", object)]
        gaps += [pandas.Series(np.where(LABELS > 1, None, LABELS), dtype=kind)
                 for kind in ("Int64", "boolean")]
    for y in gaps:
        for kind in (mtc.SVM, mtc.Logistic):
            raises(mtc.Error, lambda: kind().fit(X, y), "labels are missing")
        for kind in (mtc.LSSTTC, mtc.TrEC):
            raises(mtc.Error, lambda: kind().fit(X, y, Y), "labels are missing")
    named = np.where(LABELS == 2, "nan", words)     # a word is a word
    assert list(mtc.SVM().fit(X, named).classes_) == ["ant", "bee", "nan"]


@test
def a_fit_that_fails_leaves_no_model():
    bad = X.copy()
    bad[7, 2] = np.nan
    for model in (mtc.KMeans(3, scale="zscore"), mtc.Auto(3)):
        model.fit(X)
        raises(mtc.Error, lambda: model.fit(bad), "row 7")
        raises(mtc.Error, lambda: model.predict(X), "not fitted")
    for model in (mtc.SVM(), mtc.Logistic()):
        model.fit(X, LABELS)                    # classes would be of `bad`
        raises(mtc.Error, lambda: model.fit(bad, 7 - LABELS), "row 7")
        raises(mtc.Error, lambda: model.predict(X), "not fitted")
        assert model.fit(X, 7 - LABELS).score(X, 7 - LABELS) > .9
    model = mtc.LSSTTC().fit(X, LABELS, Y)
    kept = model.predict(Y)                     # refused before it began
    raises(mtc.Error, lambda: model.fit(X, 7 - LABELS, None))
    assert np.array_equal(model.predict(Y), kept)
    raises(mtc.Error, lambda: model.fit(X, 7 - LABELS, bad), "row 7")
    raises(mtc.Error, lambda: model.predict(Y), "not fitted")


@test
def transfer_gives_the_classes_of_the_source():
    names = np.array(["ant", "bee", "cat"])
    truth = names[np.arange(50) % 3]
    model = mtc.LSSTTC().fit([X, X + .1], [names[LABELS]] * 2, Y)
    assert (model.labels_ == truth).mean() > .9
    assert np.array_equal(model.predict(Y), model.labels_)
    model = mtc.TTL(features=6, common=3).fit(TEXT, names[LABELS], TEXT_Y,
                                              bridges=[TEXT_Y])
    assert set(model.labels_) <= set(names)
    assert model.predict(TEXT_Y[:7]).shape == (7,)
    for kinds in (np.arange(1, 4), names):      # what is known stays so
        known = [kinds[0]] * 40 + [-1] * 5
        model = mtc.TTL(known=known, bridge_known=[known]).fit(
            TEXT, kinds[LABELS], TEXT_Y, bridges=[TEXT_Y])
        assert set(model.labels_[:40]) == {kinds[0]}
        assert set(model.result_.bridge_labels[:40]) == {0}
    for known, least in ([0] * 45, 1), ([-1] * 45, -1):
        raises(mtc.Error, lambda: mtc.TTL(known=known).fit(
            TEXT, LABELS + least, TEXT_Y, bridges=[TEXT_Y]), "known")
    model = mtc.TrEC(3).fit(X, names[LABELS], Y[:, :3])
    assert model.labels_.dtype.kind == "i"
    assert mtc.score(model.predict(Y[:, :3]), model.labels_).accuracy > .9
    raises(mtc.Error, lambda: mtc.TrEC(3).fit([X, X], [LABELS] * 2, Y),
           "one is needed")
    raises(mtc.Error, lambda: mtc.LSSTTC().fit([X, X], [LABELS], Y), "y should")
    raises(mtc.Error, lambda: mtc.LSSTTC().predict(X), "not fitted")


# ---- the page ----

@long_test
def the_page_prints_what_it_says():
    if SINGLE or optional("pandas") is None:
        return
    import contextlib
    import io
    with open(os.path.join(ROOT, "examples", "python", "README.md")) as file:
        cells = re.findall(r"```python\n(.*?)```\n\n```\n(.*?)```\n",
                           file.read(), re.DOTALL)
    names, here = {}, os.getcwd()
    assert len(cells) > 6
    with tempfile.TemporaryDirectory() as at:   # it writes files
        os.chdir(at)
        try:
            for code, expected in cells:
                out = io.StringIO()
                with contextlib.redirect_stdout(out):
                    exec(code, names)
                assert out.getvalue() == expected, (code, out.getvalue())
        finally:
            os.chdir(here)


# ---- scikit-learn ----

EXEMPT = {
    "check_supervised_y_2d":
        "labels in a column are refused, not flattened with a warning",
    "KMeans.check_sample_weights_invariance":
        "a sample of weight 0 keeps its place in the draws of k-means++: the "
        "same clusters, other numbers",
    "SVM.check_sample_weights_invariance":
        "equal within the tolerance of the solver, not to 1e-9"}


@long_test
def single_data_estimators_pass_the_checks_of_scikit_learn():
    if SINGLE or optional("sklearn") is None:   # which asks for 1e-9
        return
    import warnings
    from sklearn.utils.estimator_checks import check_estimator
    from unittest import SkipTest
    warnings.simplefilter("ignore")
    passed, failed, left = 0, [], set()
    for kind in (mtc.KMeans, mtc.EC, mtc.NCut, mtc.SNMF, mtc.SVM,
                 mtc.Logistic):
        for estimator, check in check_estimator(kind(), generate_only=True):
            name = getattr(check, "func", check).__name__
            try:
                check(estimator)
                passed += 1
            except SkipTest:
                pass
            except Exception as error:
                both = {name, kind.__name__ + "." + name} & set(EXEMPT)
                left |= both
                if not both:
                    failed.append("%s %s: %s" % (kind.__name__, name, error))
    print("python: %d checks of scikit-learn passed; not: %s" % (
        passed, "; ".join("%s (%s)" % (n, EXEMPT[n]) for n in sorted(left))))
    assert not failed, "\n".join(failed)
    assert left == set(EXEMPT)                  # none that would pass by now
    assert passed > 200


@long_test
def estimators_work_in_a_pipeline():
    if optional("sklearn") is None:
        return
    from sklearn.base import clone, is_classifier
    from sklearn.model_selection import GridSearchCV, cross_val_score
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    model = make_pipeline(StandardScaler(), mtc.SVM(kernel="rbf"))
    assert cross_val_score(model, X, LABELS, cv=3).mean() > .9
    assert is_classifier(mtc.SVM()) and clone(mtc.MBC([2, 3])) is not None
    search = GridSearchCV(mtc.SVM(), {"cost": [.1, 1]}, cv=3).fit(X, LABELS)
    assert search.best_score_ > .9


# ---- all of it ----

def main():
    # A background job inherits that interrupts are ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    words = [w for w in sys.argv[2:] if w != "--all"]
    chosen = tests + (long_tests if "--all" in sys.argv or words else [])
    failed = 0
    chosen = [t for t in chosen if not words or
              any(w in t.__name__ for w in words)]
    for each in chosen:
        start = time.time()
        try:
            each()
        except Exception:
            failed += 1
            print("FAIL python %s" % each.__name__)
            traceback.print_exc(file=sys.stdout)
        if words:
            print("%s: %.2f s" % (each.__name__, time.time() - start))
    print("%d passed, %d failed" % (len(chosen) - failed, failed))
    return failed > 0


sys.exit(main())
