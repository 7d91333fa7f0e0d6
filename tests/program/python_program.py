# SPDX-License-Identifier: MIT
"""Tests of Python against the program: labels, models, pictures, reports."""
import copy
import json
import os
import pickle
import shutil
import subprocess
import sys
import tempfile
import warnings

from python_util import (
    LABELS, PROGRAM, SINGLE, TEXT, TEXT_Y, X, Y, blobs, counts,
    long_test, mtc, np, optional, raises, sparse, test)
from mtc import _odd_rows as odd_rows


# ---- the program ----

def write(at, name, data, labels=None):
    """One file: CSV in full digits, or LIBSVM if the data are sparse."""
    if hasattr(data, "tocsr"):
        path = os.path.join(at, name + ".svm")
        with open(path, "w") as file:
            for i in range(data.shape[0]):
                row = data.getrow(i)
                file.write(" ".join(["%d" % (0 if labels is None
                                             else labels[i])] + [
                    "%d:%.17g" % (j + 1, v)
                    for j, v in zip(row.indices, row.data)]) + "\n")
        return path
    path = os.path.join(at, name + ".csv")
    with open(path, "w") as file:
        names = ["f%d" % j for j in range(data.shape[1])]
        file.write(",".join(names + ["label"] * (labels is not None)) + "\n")
        for i, row in enumerate(data):
            file.write(",".join(["%.17g" % v for v in row] + (
                [] if labels is None else ["%d" % labels[i]])) + "\n")
    return path


def program(at, *arguments):
    run = subprocess.run([PROGRAM, *arguments, "--quiet", "--out", at + "/out"],
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         universal_newlines=True)
    assert run.returncode == 0, run.stdout


def labels_in(at, name):
    return np.loadtxt("%s/out/%s.labels" % (at, name), dtype=int, ndmin=1)


CLUSTERINGS = {
    "kmeans": lambda: mtc.KMeans(3), "ec": lambda: mtc.EC(3),
    "ncut --similarity cosine": lambda: mtc.NCut(3),
    "snmf": lambda: mtc.SNMF(3),
    "genie": lambda: mtc.Genie(3), "ward": lambda: mtc.Ward(3),
    "mbc": lambda: mtc.MBC(3), "lssmtc": lambda: mtc.LSSMTC(3),
    "mtcfir": lambda: mtc.MTCFIR(3), "auto": lambda: mtc.Auto(3, scale=None),
    "mbc --guard": lambda: mtc.Guard(3),
    "lssmtc --guard": lambda: mtc.Guard(3, method="lssmtc"),
    "mbc --divergence kl --smooth 1":
        lambda: mtc.MBC(3, divergence="kl", smooth=1),
    "lssmtc --mode pca --lambda .5 --seed 7":
        lambda: mtc.LSSMTC(3, mode="pca", lambda_=.5, seed=7)}
SINGLES = ("kmeans", "ec", "ncut --similarity cosine", "snmf", "genie",
           "ward")


def renumbered(said, found):
    """The labels, where they part the rows as `found` does, in its numbers."""
    number = dict(zip(said, found))
    return [number[z] for z in said] if len(set(number.values())) == \
        len(number) else said


def clusters_as_the_program(tasks, methods):
    if not os.path.exists(PROGRAM):
        return
    with tempfile.TemporaryDirectory() as at:
        files = [write(at, "t%d" % t, X) for t, X in enumerate(tasks)]
        for name in methods:
            program(at, "cluster", *name.split(), "--k", "3",
                    "--preprocess", "none", *files)
            if name in SINGLES:
                found = [CLUSTERINGS[name]().fit(X).labels_ for X in tasks]
            else:
                found = CLUSTERINGS[name]().fit(tasks).labels_
            for t in range(len(tasks)):
                said = labels_in(at, "t%d" % t)
                # The program gives clusters of all tasks one numbering.
                if name in SINGLES + ("auto",):
                    said = renumbered(said, found[t])
                assert np.array_equal(found[t], said), name


@test
def labels_are_those_of_the_program():
    tasks = [np.abs(blobs(60, 4, 3, 1, 2)[0]), np.abs(blobs(40, 4, 3, 2, 2)[0])]
    clusters_as_the_program(tasks, ["kmeans", "mbc", "snmf", "ward", "auto"])


@long_test
def labels_of_every_method_are_those_of_the_program():
    tasks = [np.abs(blobs(60, 4, 3, 1, 2)[0]), np.abs(blobs(40, 4, 3, 2, 2)[0])]
    clusters_as_the_program(tasks, CLUSTERINGS)


@test
def auto_chooses_and_scales_as_the_program():
    if SINGLE or not os.path.exists(PROGRAM):
        return
    rng = np.random.default_rng(5)
    tiers = np.exp(rng.normal(0, .25, (180, 3))) * np.array(
        [[2, 20, 40], [8, 45, 300], [25, 90, 2000.]])[np.arange(180) % 3]
    wide = blobs(700, 4, 4, 7)[0] * [1, 1, 900, 1]
    cases = {"": [X, Y], "scaled": [X * [1, 500, 1, 1], Y * [1, 500, 1, 1]],
             "logs": [tiers], "drawn": [wide], "noise": [
                 rng.normal(size=(80, 3))], "equal": [np.ones((20, 2))],
             "unscaled": [rng.poisson(.15, (80, 6)) * [1, 1, 1, 1, 1, 90.]]}
    for name, tasks in cases.items():
        with tempfile.TemporaryDirectory() as at:
            files = [write(at, "t%d" % t, x) for t, x in enumerate(tasks)]
            program(at, "cluster", "auto", *files, "--json", at + "/j.json")
            with open(at + "/j.json") as file:
                said = {n["code"] for n in json.load(file)["notices"]}
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                model = mtc.Auto().fit(tasks)
            for t in range(len(tasks)):
                assert np.array_equal(model.labels_[t],
                                      labels_in(at, "t%d" % t)), name
            assert len(caught) == (name == "noise") + len(
                said & {"scaled", "logs", "unscaled"}), (
                    name, said, [str(w.message) for w in caught])
            assert name not in ("scaled", "logs", "unscaled") or name in said


@test
def labels_on_sparse_data_are_those_of_the_program():
    if sparse:
        clusters_as_the_program([sparse.csr_matrix(TEXT),
                                 sparse.csr_matrix(TEXT_Y)],
                                ["mtcfir", "lssmtc",
                                 "ncut --similarity cosine"])


@long_test
def labels_of_every_method_on_sparse_data_are_those_of_the_program():
    if sparse:
        clusters_as_the_program([sparse.csr_matrix(TEXT),
                                 sparse.csr_matrix(TEXT_Y)], CLUSTERINGS)


def transfers_as_the_program(source, labels, target, methods):
    made = {"svm": lambda: mtc.SVM().fit(source, labels).predict(target),
            "svm --kernel rbf --cost 3": lambda: mtc.SVM(
                kernel="rbf", cost=3).fit(source, labels).predict(target),
            "lssttc": lambda: mtc.LSSTTC().fit(source, labels, target).labels_,
            "trec --k 3": lambda: mtc.TrEC(3).fit(source, labels,
                                                  target).labels_,
            "ttl": lambda: mtc.TTL().fit(source, labels, target,
                                         bridges=[target]).labels_}
    if not os.path.exists(PROGRAM):
        return
    with tempfile.TemporaryDirectory() as at:
        files = ["--source", write(at, "source", source, labels),
                 "--target", write(at, "target", target)]
        for name in methods or made:
            program(at, "transfer", *name.split(), *files, *(
                ["--bridge", files[3]] if name == "ttl" else []))
            assert np.array_equal(made[name](), labels_in(at, "target")), name


@test
def transferred_labels_are_those_of_the_program():
    P, h = blobs(60, 4, 3, 1, 2)
    transfers_as_the_program(np.abs(P), h, np.abs(blobs(40, 4, 3, 2, 2)[0]),
                             ["lssttc", "svm"])


@long_test
def transferred_labels_of_every_method_are_those_of_the_program():
    P, h = blobs(60, 4, 3, 1, 2)
    transfers_as_the_program(np.abs(P), h, np.abs(blobs(40, 4, 3, 2, 2)[0]), [])
    if sparse:
        transfers_as_the_program(sparse.csr_matrix(TEXT), LABELS,
                                 sparse.csr_matrix(TEXT_Y), [])


os.environ.setdefault("MTC_PROGRAM", PROGRAM)


@test
def pictures_and_summaries_are_those_of_the_program():
    if SINGLE or not os.path.exists(PROGRAM):
        return
    one = [mtc.KMeans(3), mtc.Ward(3), mtc.NCut(3, seed=3)]
    many = [mtc.MBC(3, lambda_=.7), mtc.Auto(), mtc.Guard(3)]
    for model in one + many:
        assert "<svg" not in model._repr_html_()
        assert not hasattr(model, "sentence_")
        html = model.fit(X if model in one else [X, Y])._repr_html_()
        assert model.sentence_.startswith("3 groups"), model.sentence_
        assert model.sentence_.split()[-1] in html  # as the picture's text has it
        assert html.startswith("<div><svg") and "<pre>" in html, model
        again = pickle.loads(pickle.dumps(model))
        assert "<svg" not in again._repr_html_()    # it has no data
        assert "samples" in again._repr_html_()
    moved = X.copy()
    model = mtc.KMeans(3).fit(moved)
    moved -= 5                                  # not what the fit has seen
    assert "<svg" not in model._repr_html_()
    assert model.sentence_ is None
    centers = mtc.KMeans(3).fit(X).cluster_centers_
    for model, data in [
            (mtc.KMeans(3, start_labels=LABELS), X),
            (mtc.KMeans(3, start_labels=list(LABELS), tolerance=.1), X),
            (mtc.KMeans(3, start_centers=centers[::-1].copy()), X),
            (mtc.KMeans(3, start_centers=centers.tolist()), X),
            (mtc.MBC(3, start_labels=[LABELS, LABELS[10:]]), [X, Y]),
            (mtc.MBC(3, start_centers=[centers, centers + 1]), [X, Y]),
            (mtc.LSSMTC(3, start_labels=[LABELS, LABELS[10:]], subspace=2,
                        offset=.1), [X, Y]),
            (mtc.MTCFIR(3, layers=2, noise=.4, neighbor_share=.5), [X, Y])]:
        assert "<svg" in model.fit(data)._repr_html_(), model
    alone = mtc.MBC(3, center=1).fit([X, Y])
    assert "<svg" not in alone._repr_html_()        # no option of the program
    drawn = mtc.KMeans(2, random_state=7).fit(X)
    assert "<svg" in drawn._repr_html_()            # 7 is --seed 7
    for make in (np.random.RandomState, np.random.default_rng):
        for drawn in (mtc.KMeans(2, random_state=make(7)).fit(X),
                      mtc.Auto(random_state=make(7)).fit([X, Y])):
            assert "<svg" in drawn._repr_html_(), drawn


@test
def transfer_labels_as_the_program():
    if not os.path.exists(PROGRAM):
        return
    words = np.array(["a", "b", "c"])[LABELS]
    truth = np.arange(50) % 3                   # how Y was made
    target = Y * [1, 1000, 1, 1] + [0, 9, 0, 0]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = mtc.Transfer().fit(X, words)
        found = model.predict(target)
    assert (found == np.array(["a", "b", "c"])[truth]).mean() > .95
    assert [w.message.code for w in caught][:2] == ["moved", "units"]
    assert caught[1].message.columns == ["f2"]
    assert caught[1].filename == __file__
    assert model.votes_.shape == model.far_.shape == (50,)
    assert model.far_.dtype == bool and model.votes_.max() == 1
    assert ((model.distance_ > 1) == model.far_).all()
    assert model.sentence_.startswith("50 rows labeled: %d a, " %
                                      (found == "a").sum())
    with tempfile.TemporaryDirectory() as at:
        program(at, "transfer", "--source", write(at, "s", X, LABELS),
                "--target", write(at, "t", target))
        assert (words[labels_in(at, "t")] == found).all()
    raises(mtc.Error, lambda: mtc.Transfer().predict(X), "not fitted")
    raises(mtc.Error, lambda: mtc.Transfer(nosuch=1).fit(X, words).predict(Y),
           "nosuch")
    if sparse is not None:
        model = mtc.Transfer(seed=3).fit(sparse.csr_matrix(TEXT), LABELS)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", mtc.Notice)
            found = model.predict(sparse.csr_matrix(TEXT_Y))
        assert model.report_.options["seed"] == 3
        assert (found == np.arange(45) % 3).mean() > .8
    pandas = optional("pandas")
    if pandas is not None:
        frame = pandas.DataFrame(X, columns=["class", "b", "c", "d"])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", mtc.Notice)
            found = mtc.Transfer().fit(frame, words).predict(frame)
        assert (found == words).mean() > .95


@test
def reports_are_what_the_program_prints():
    if not os.path.exists(PROGRAM):
        return
    found = mtc.relate({"north": X, "south": X[::-1] + 9}, k=3)
    assert "north, south" in str(found) and np.shape(found.mmd) == (2, 2)
    assert found._repr_html_().startswith("<div><svg")
    found = mtc.compare([X, Y], k=3, repeats=1)
    assert found.verdict.split(":")[0] in str(found)
    assert {row["method"] for row in found.rows} >= {"kmeans", "mbc"}
    with tempfile.TemporaryDirectory() as at:
        path = os.path.join(at, "shop.csv")
        with open(path, "w") as file:
            file.write("id;price;size;class\n" + "".join(
                "s%d;%s;%d;%s\n" % (i, ("%.2f" % (i / 4)).replace(".", ","),
                                    i % 7, "ab"[i % 2]) for i in range(40)))
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            shown = mtc.describe(path)
            table = mtc.read(path)
        assert shown.tasks[0]["decimal"] == ","
        assert all(w.category is mtc.Notice and w.message.code
                   for w in caught)
        assert table.features == ["price", "size"]
        assert np.allclose(table.data[0][:, 0], np.arange(40) / 4)
        assert list(table.labels[0][:3]) == ["a", "b", "a"]
        assert "<pre>" in table._repr_html_() and "shop 40 x 2" in repr(table)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", mtc.Notice)
            assert mtc.read(path, labels=False).labels[0] is None
            with open(path + ".csv", "w") as file:
                file.write("2001,2002\n" + "1.5,2.5\n" * 3)
            assert len(mtc.read(path + ".csv", header=False).data[0]) == 4
            assert len(mtc.read(path + ".csv", header=True).data[0]) == 3
        with open(path, "a") as file:
            file.write("s41;;3;a\n")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", mtc.Notice)
            assert np.isnan(mtc.read(path).data[0][40, 0])
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            mtc.relate(path, path, k=2, missing="mean", id="id")
        assert "missing" in [w.message.code for w in caught]
    error = raises(mtc.Error, lambda: mtc.describe("/nowhere.csv"), "nowhere")
    assert "\n" not in str(error)
    raises(mtc.Error, lambda: mtc.relate([X, Y], weather=3), "--weather")
    raises(mtc.Error, lambda: mtc.read(X), "files")
    raises(mtc.Error, lambda: mtc.read("x.csv", missing="mean"), "missing=")
    raises(mtc.Error, lambda: mtc.relate([X, Y], json="x"), "the result has")
    raises(mtc.Error, lambda: mtc.relate({"a/b": X, "c": Y}), "'a/b'")
    raises(mtc.Error, lambda: mtc.relate(("a", X), ("a", Y)), "one name")
    if sparse:
        text = [sparse.csr_matrix(TEXT), sparse.csr_matrix(TEXT_Y)]
        assert np.shape(mtc.relate(text, k=2).emd) == (2, 2)


def told(fit):
    """The notices of a call."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        fit()
    return [str(w.message) for w in caught if w.category is mtc.Notice]


@long_test
def rows_that_mislead_the_choice_are_told():
    auto, n = mtc.Auto(scale=None), len(X)
    assert told(lambda: auto.fit([X, Y])) == []
    assert told(lambda: auto.fit(X[:39]))[0].startswith("39 rows are few: ")
    far = np.vstack([X, np.full((1, 4), 700.), np.full((1, 4), -900.)])
    said = told(lambda: auto.fit(far))
    assert len(said) == 1 and said[0].startswith(
        f"2 rows lie far from all others ({n}, {n + 1}), which may be mistakes; "
        "without them: 3 clusters (sure "), said
    assert said[0] in auto.notices_
    rest = X * [1, 50, 1, 1]                    # scaled without the slip
    said = told(lambda: mtc.Auto().fit(np.vstack([rest, [[0, 9e4, 0, 0]]])))
    alone = mtc.Auto().fit(rest).k_choice_.common
    assert alone.verdict == "clear" and said[-1].endswith(
        f"without it: {alone.k} clusters (sure over .99)"), said


def planted(n):
    """Three clusters of n rows, and the generator that drew them."""
    rng = np.random.RandomState(0)
    where = rng.randint(0, 3, n)
    return np.array([[0, 0, 0], [10, 0, 3], [0, 10, 6]])[where] + \
        rng.normal(0, 1, (n, 3)), rng


@long_test
def a_rare_group_is_not_far_in_a_large_table():
    rare, rng = planted(5000)
    slip = rare.copy()
    chosen = rng.choice(5000, 30, False)
    rare[chosen] = 40 + rng.normal(0, .5, (30, 3))
    auto = mtc.Auto(scale=None)
    assert told(lambda: auto.fit(rare)) == []
    assert auto.n_clusters_ == 4 and not odd_rows._far(rare, 1).any()
    rare[chosen[3:]] = slip[chosen[3:]]         # three of them are no group
    assert np.array_equal(np.flatnonzero(odd_rows._far(rare, 1)),
                          np.sort(chosen[:3]))
    far = slip.copy()
    far[:70] = rng.normal(0, 1e4, (70, 3))      # each by itself
    assert np.array_equal(np.flatnonzero(odd_rows._far(far, 1)), np.arange(70))
    far[:300] = rng.normal(0, 1e4, (300, 3))    # more than a few: a tail
    assert not odd_rows._far(far, 1).any()
    slip[3] = [400, 0, 0]                       # one of those that are drawn
    said = told(lambda: auto.fit(slip))
    assert len(said) == 1 and said[0].startswith(
        "1 row lies far from all others (3), which may be a mistake; without "
        "it: 3 clusters (sure "), said


@long_test
def the_choice_is_said_as_the_program_says_it():
    if SINGLE or not os.path.exists(PROGRAM):
        return
    rng = np.random.RandomState(0)
    noise = rng.normal(0, 1, (300, 3))
    near = X[:, :2] + rng.normal(0, 1.5, (60, 2))
    bound = [blobs(90, 3, 8, 1, .1)[0], blobs(24, 3, 3, 2, .1)[0]]
    cases = [
        ([X], "3 clusters (sure over .99)"), ([noise], "no evidence of more "
         "than one cluster (.85); if there are groups, 2 is the best guess"),
        ([near], "no clear number: "), ([X[:9]], "too few rows to choose from "
         "(12 are needed)"), ([np.ones((20, 2))], "1 cluster: all rows are "
         "equal"), ([np.repeat(X[:4], 9, 0)], "4 clusters: rows take only 4 "
         "values"), ([blobs(240, 3, 12, 1, .01)[0]], "12 clusters ("),
        ([blobs(24, 3, 4, 1, .01)[0]], "4 clusters ("), ([X[:9], Y[:9]], "too "
         "few rows"), ([X, Y, X[:9]], "3 clusters"), ([X, np.ones((20, 4))],
         "3 clusters"), (bound, "8 clusters")]
    for tasks, words in cases:
        with tempfile.TemporaryDirectory() as at:
            files = [write(at, "task %d" % t, x) for t, x in enumerate(tasks)]
            shown = subprocess.run(
                [PROGRAM, "cluster", "auto", "--preprocess", "none", *files],
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                universal_newlines=True).stdout
        auto = mtc.Auto(scale=None)
        told(lambda: auto.fit(tasks))
        several = ", all tasks: " if len(tasks) > 1 else ": "
        said = [line for line in auto.notices_ if "too few to" not in line
                and line.startswith(("k by", "task"))]
        assert said[0].startswith("k by choice" + several + words), said
        said[0], limit, _ = said[0].partition("; n_clusters says how many")
        assert (limit != "") == ("; raise --k-max" in shown), shown
        for line in said:
            assert line in shown, (line, shown)
        shown = shown.partition("k by choice")[2].partition("\n\n")[0]
        own = [line for line in said if "too small to take part" not in line]
        assert len(own) - 1 == shown.count("\ntask "), (said, shown)


@long_test
def a_number_that_is_a_guess_is_told():
    rng = np.random.RandomState(0)
    noise = rng.normal(0, 1, (300, 3))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        auto = mtc.Auto(scale=None).fit(noise)
        line = sys._getframe().f_lineno - 1
    assert [str(w.message) for w in caught] == [
        "2 clusters are a guess: that there is only one is likelier (.85)"]
    assert caught[0].category is mtc.Notice and caught[0].lineno == line
    assert caught[0].filename == __file__ and auto.n_clusters_ == 2
    assert auto.notices_[0].startswith("k by choice: no evidence of more than")
    for rows in np.ones((20, 2)), X[:9], np.repeat(X[:4], 9, 0):
        assert told(lambda: auto.fit(rows)) == []
    assert told(lambda: mtc.Auto(2, scale=None).fit(noise)) == []
    said = told(lambda: auto.fit([noise, noise[::-1], np.ones((20, 3))]))
    assert said[0].endswith(" in 2 of 3 tasks"), said
    near = X[:, :2] + rng.normal(0, 1.5, (60, 2))
    assert told(lambda: auto.fit(near)) == []   # which is no clear number
    assert auto.k_choice_.common.verdict == "unclear"


@long_test
def small_tasks_are_told():
    auto = mtc.Auto(scale=None)
    small = "task %d: %s too few to choose from (12 are needed): it has %s"
    said = told(lambda: auto.fit([X[:4], Y, X[:1]]))
    assert said == [
        small % (0, "4 samples are", "the number of all tasks, 3"),
        small % (2, "1 sample is", "1 cluster, all tasks 3")]
    assert [len(set(h)) for h in auto.labels_] == [3, 3, 1]
    assert told(lambda: auto.fit([X[:4], Y[:4]])) == []
    said = told(lambda: auto.fit([X] + [Y[:6]] * 7))
    assert len(said) == 6 and said[5] == \
        "and 2 more tasks are too small to choose from"
    said = told(lambda: auto.fit([blobs(90, 3, 8, 1, .1)[0],
                                  blobs(24, 3, 3, 2, .1)[0]]))
    assert said[0] == "task 1 (24 rows) is too small to take part in the " \
        "common number"
    assert [len(set(h)) for h in auto.labels_] == [8, 3]


@long_test
def frames_are_written_as_they_are():
    pandas = optional("pandas")
    if pandas is None or not os.path.exists(PROGRAM):
        return
    two = pandas.DataFrame(X, columns=pandas.MultiIndex.from_product(
        [["sales", "cost"], [2019, 2020]]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", mtc.Notice)
        found = mtc.relate(two, two[:30] + 1, k=2)
        assert np.allclose(found.mmd, mtc.relate(X, X[:30] + 1, k=2).mmd)
        found = mtc.describe(pandas.DataFrame({"t, s": X[:, 0], "y": X[:, 1]}),
                             drop=["t, s"]).tasks[0]
        assert [c["role"] for c in found["columns"]] == ["left out", "feature"]
        tags = pandas.DataFrame({"tag": ["#a", "NA", "#1042"] * 10,
                                 "x": [.5, None, 7.] * 10})
        shown = mtc.describe(tags).tasks[0]
        eighths = np.array([[1.125, 2.375, 934.], [1., 2., 4.]]).T
        low, high = mtc.describe(eighths).tasks[0]["columns"][0]["range"]
    assert shown["n"] == 30, shown
    assert [c["missing"] for c in shown["columns"]] == [0, 10]
    assert (low, high) == (1.125, 934)


@long_test
def numbers_above_columns_are_no_sample():
    pandas = optional("pandas")
    if pandas is None or not os.path.exists(PROGRAM):
        return
    for names in ([0, 1, 2, 3], [400, 405, 410, 415], [3, .5, 7, 2]):
        A = pandas.DataFrame(np.round(9 * X), columns=names)
        B = pandas.DataFrame(np.round(9 * Y), columns=names)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", mtc.Notice)
            tasks = mtc.describe(A, B).tasks
            found = mtc.relate(A, B[names[::-1]], k=3)
            assert found.mmd == mtc.relate(A, B, k=3).mmd
            assert mtc.compare(A, B, k=3, repeats=1).rows
        assert [task["n"] for task in tasks] == [60, 50]
        assert [c["name"] for c in tasks[0]["columns"]] == list(map(str, names))


@long_test
def names_of_columns_are_only_names():
    pandas = optional("pandas")
    if pandas is None or not os.path.exists(PROGRAM):
        return
    A = pandas.DataFrame(X[:, :2], columns=["#x", "y"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", mtc.Notice)
        task = mtc.describe(A).tasks[0]
        assert task["n"] == 60
        assert [c["name"] for c in task["columns"]] == ["#x", "y"]
    B = pandas.DataFrame(np.round(9 * X[:, :2]), columns=["size", "target"])
    html = mtc.KMeans(2).fit(B)._repr_html_()
    assert "<svg" in html and "nmi" not in html     # they are no classes


def text_file(path, text, encoding="utf-8"):
    with open(path, "w", newline="", encoding=encoding) as file:
        file.write(text)
    return path


@test
def tables_are_read_by_the_program():
    if not os.path.exists(PROGRAM):
        return
    with tempfile.TemporaryDirectory() as at, warnings.catch_warnings():
        warnings.simplefilter("ignore", mtc.Notice)
        path = text_file(at + "/shop.csv", "\ufeffno,cost,share,class\n# none\n"
                         "007,\"$1,234.50\",5%,1.0\n\n008,($2.25),12.5%,2\n"
                         "009,n/a,.1%,1.0\n\"a \"\"b\"\"\nc\",3e2,1%,2\n")
        two = os.path.join(at, "two.csv")       # of names, the first names rows
        with open(two, "w") as file:
            file.write("name,mail,age\n" + "".join(
                "n%d,m%d@x,%d\n" % (i, i, 30 + i * 7 % 11) for i in range(12)))
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            assert list(mtc.read(two, id="mail").ids[0][:2]) == ["m0@x", "m1@x"]
            assert "name" in str(caught[0].message)
            assert list(mtc.read(two).ids[0][:2]) == ["n0", "n1"]
        table = mtc.read(path, id="no")
        assert table.features == ["cost", "share"], table.features
        assert np.array_equal(table.data[0], [[1234.5, 5], [-2.25, 12.5],
                                              [np.nan, .1], [300, 1]],
                              equal_nan=True), table.data
        assert list(table.labels[0]) == ["1.0", "2", "1.0", "2"]
        assert list(table.ids[0]) == ["007", "008", "009", 'a "b"\nc']
        text_file(path, "id,when,city,c,x,y\n7,2024-01-02,Rome,5,1,2\n"
                  "4,2024-01-03,Oslo,5,2,1\n9,2024-01-04,Rome,5,4,4\n")
        for more, left in (({}, ["id", "when", "city", "c"]),
                           ({"drop": "city,c"}, ["id", "when"]),
                           ({"use": "x,y"}, []),
                           ({"onehot": "city"}, ["id", "when", "city", "c"])):
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                here = sys._getframe().f_lineno + 1
                assert mtc.read(path, **more).features == ["x", "y"]
            told = [w for w in caught if w.message.code == "left-out"]
            assert [w.message.columns for w in told] == [left][:len(left)], told
            assert all(w.lineno == here for w in told)
        text_file(path, "a,rate\n4,7%\n1,.07\n9,8%\n")
        raises(mtc.Error, lambda: mtc.read(path), "shop.csv:2: '7%' has")
        assert mtc.read(path, drop="rate").data[0].tolist() == [[4], [1], [9]]
        text_file(path, "1;2,5;M\u00fcnchen\n4;3;Ulm\n3;3;Bonn\n", "latin-1")
        table = mtc.read(path, labels=3)
        assert table.data[0].tolist() == [[1, 2.5], [4, 3], [3, 3]]
        assert list(table.labels[0]) == ["M\u00fcnchen", "Ulm", "Bonn"]
        raises(mtc.Error, lambda: mtc.read(path, out=at), "mtc.describe")
        text_file(path, "x,class\n4,%s\n1,b\n" % ("a" * 200000))
        raises(mtc.Error, lambda: mtc.read(path), "field_size_limit")
        text_file(path, "word\none\ntwo\n")
        raises(mtc.Error, lambda: mtc.read(path), "no column")
        table = mtc.read(text_file(at + "/a.svm", "1 2:.5 7:-3\n2\n1 1:1e-3\n"),
                         text_file(at + "/b.svm", "4 9:1\n"))
        found = [x.toarray() if hasattr(x, "toarray") else x
                 for x in table.data]
        want = [np.zeros((3, 9)), np.zeros((1, 9))]
        want[0][0, [1, 6]], want[0][2, 0], want[1][0, 8] = [.5, -3], 1e-3, 1
        assert all(map(np.array_equal, found, want)) and table.ids[0] is None
        assert list(table.labels[0]) == ["1", "2", "1"]
        text_file(at + "/t.jsonl", '{"text": "some words"}\n')
        raises(mtc.Error, lambda: mtc.read(at + "/t.jsonl"), "no column")


MODELS = ["cluster kmeans", "cluster kmeans --preprocess l2",
          "cluster kmeans --preprocess zscore", "cluster pcakm",
          "cluster mbc --divergence kl --smooth 1",
          "cluster mbc --preprocess tfidf", "cluster lssmtc",
          "cluster lssmtc --mode pca", "cluster auto", "cluster ncut",
          "cluster mtcfir", "cluster mbc --guard", "transfer svm",
          "transfer svm --kernel rbf --preprocess l2", "transfer lssttc",
          "transfer nb", "transfer ttl", "transfer trec --k 3"]


def models_as_the_program(tasks, labels, fresh, methods):
    """A model saved by the program labels new data as `mtc assign` does."""
    if not os.path.exists(PROGRAM):
        return
    with tempfile.TemporaryDirectory() as at:
        names = ["a", "b"]
        files = [write(at, n, X, labels if n == "a" else None)
                 for n, X in zip(names, tasks)]
        new = write(at, "new", fresh)
        for method in methods:
            kind = method.split()[0]
            where = ["--k", "3", *files] if kind == "cluster" else \
                ["--source", files[0], "--target", files[1]]
            if "ttl" in method:
                where += ["--bridge", files[1]]
            program(at, *method.split(), *where, "--save", at + "/m.json")
            program(at, "assign", at + "/m.json", new, "--task", "b")
            model = mtc.load(at + "/m.json")
            found = model.predict(fresh, task="b")
            if model.classes_ is not None:
                found = np.searchsorted(model.classes_, found)
            assert np.array_equal(found, labels_in(at, "new")), method
        raises(mtc.Error, lambda: model.predict(fresh, task="c"), "'b'")
        raises(mtc.Error, lambda: model.predict(fresh[:, :3]), "3 features")


@test
def mtcfir_labels_new_samples_as_the_program_does():
    """By angle where samples of a cluster differ in length, else by distance;
    the model of the program says which it is."""
    if not os.path.exists(PROGRAM):
        return
    rng = np.random.RandomState(5)
    z = np.arange(90) % 3
    rays = (np.eye(6)[z] * 3 + rng.rand(90, 6)) * 10 ** rng.rand(90, 1)
    groups, _ = blobs(90, 6, 3, 4, 1)
    with tempfile.TemporaryDirectory() as at:
        for data, angles in ((rays, True), (groups + 30, False)):
            tasks, fresh = [data[:40], data[40:70]], data[70:].copy()
            fresh[3] = 0                        # has no direction
            files = [write(at, "t%d" % t, X) for t, X in enumerate(tasks)]
            program(at, "cluster", "mtcfir", "--k", "3", "--preprocess", "none",
                    *files, "--save", at + "/m.json")
            assert json.load(open(at + "/m.json"))["angles"] is angles
            program(at, "assign", at + "/m.json", write(at, "new", fresh),
                    "--task", "t1")
            loaded = mtc.load(at + "/m.json").predict(fresh, task="t1")
            assert np.array_equal(loaded, labels_in(at, "new"))
            model = mtc.MTCFIR(3).fit(tasks)
            assert np.array_equal(model.predict(fresh, 1), labels_in(at, "new"))
            if sparse:
                model.fit([sparse.csr_matrix(X) for X in tasks])
                assert np.array_equal(
                    model.predict(sparse.csr_matrix(fresh), 1),
                    labels_in(at, "new"))


@test
def models_of_the_program_predict_as_it_does():
    P, h = blobs(60, 4, 3, 1, 2)
    tasks = [np.abs(P), np.abs(blobs(40, 4, 3, 2, 2)[0])]
    models_as_the_program(tasks, h, np.abs(blobs(30, 4, 3, 5, 2)[0]),
                          MODELS[1:8:3])


@long_test
def models_of_every_kind_predict_as_the_program_does():
    P, h = blobs(60, 4, 3, 1, 2)
    tasks = [np.abs(P), np.abs(blobs(40, 4, 3, 2, 2)[0])]
    models_as_the_program(tasks, h, np.abs(blobs(30, 4, 3, 5, 2)[0]), MODELS)
    if sparse:
        models_as_the_program([sparse.csr_matrix(TEXT),
                               sparse.csr_matrix(TEXT_Y)], LABELS,
                              sparse.csr_matrix(counts(20, 30, 3, 8)[0]),
                              MODELS)


def estimators_with_files(tasks, y):
    """Estimators that have files, fitted, by what they are."""
    A = np.cov(tasks[0].T) + np.eye(tasks[0].shape[1])
    named = dict(zip(["a", "b"], tasks))
    return [mtc.KMeans(3).fit(tasks[1]), mtc.MBC(3).fit(named),
            mtc.KMeans(3, scale="zscore").fit(tasks[1]),
            mtc.MBC(3, divergence="kl", smooth=.5).fit(tasks),
            mtc.MBC(3, divergence="is").fit(tasks),
            mtc.MBC(3, divergence=A).fit(tasks),
            mtc.Auto(3, scale="zscore").fit(tasks), mtc.LSSMTC(3).fit(tasks),
            mtc.Auto(3, geometry="directions", scale=None).fit(tasks),
            mtc.Guard(3).fit(tasks), mtc.MTCFIR(3).fit(tasks),
            mtc.SVM().fit(tasks[1], y), mtc.SVM(kernel="rbf").fit(tasks[1], y),
            mtc.SVM().fit(tasks[1], np.where(y == "v", 7, 3)),
            mtc.LSSTTC().fit([tasks[1]], [y], tasks[1])]


def saved(model, at, new, old):
    """A fitted estimator as a file: its labels, those of the file here, those
    of `mtc assign`; and samples of the fit that it calls far."""
    model.save(at + "/m.json")
    loaded = mtc.load(at + "/m.json")
    last = len(loaded.tasks) - 1
    said = []
    for file in (new, old):
        program(at, "assign", at + "/m.json", file, "--task", str(last),
                "--json", at + "/said.json")
        with open(at + "/said.json") as json_file:
            said.append(json.load(json_file)["tasks"][0])
    given = said[0]["labels"] if loaded.classes_ is None \
        else loaded.classes_[said[0]["labels"]]
    return last, loaded, given, said[1]["far"]


@test
def saved_estimators_label_as_assign_does():
    if SINGLE or not os.path.exists(PROGRAM):
        return
    tasks = [np.abs(blobs(60, 4, 3, 1, 2)[0]) + .1,
             np.abs(blobs(40, 4, 3, 2, 2)[0]) + .1]
    y = np.array(["u", "v", "w"])[blobs(40, 4, 3, 2, 2)[1]]
    fresh = np.abs(blobs(50, 4, 3, 5, 4)[0]) + .1
    with tempfile.TemporaryDirectory() as at:
        new, old = write(at, "new", fresh), write(at, "old", tasks[1])
        for model in estimators_with_files(tasks, y):
            last, loaded, given, far = saved(model, at, new, old)
            found = model.predict(fresh, last) if last else model.predict(fresh)
            assert np.array_equal(found, loaded.predict(fresh, last)), model
            assert np.array_equal(found, given), model
            assert far is None or not any(far), model


@test
def equal_labels_are_one_group_in_all_tasks():
    at = np.array([[0., 0.], [50., 0.], [0., 50.], [50., 90.]])
    noise = np.random.RandomState(4).normal(0, 1, (40, 2))
    tasks = [np.repeat(at[rows], 40, 0) + np.vstack([noise] * 3)
             for rows in ([0, 1, 2], [2, 3, 0])]
    auto = mtc.Auto(3, scale=None).fit(tasks)
    groups = [np.array(labels)[::40] for labels in auto.labels_]
    assert groups[0][0] == groups[1][2] and groups[0][2] == groups[1][0]
    assert len(set(groups[0]) | set(groups[1])) == 4
    for t, rows in enumerate(([0, 1, 2], [2, 3, 0])):
        assert np.array_equal(auto.predict(tasks[t], t), auto.labels_[t])
        centers = auto.cluster_centers_[t]
        assert np.isnan(centers).any(1).sum() == 1 and len(centers) == 4
        assert np.allclose(centers[groups[t]], at[rows] + noise.mean(0))
        far = auto.transform(at[rows], t)
        assert np.array_equal(far.argmin(1), groups[t]), far
        assert np.isinf(far).sum() == 3
    with tempfile.TemporaryDirectory() as at:
        auto.save(at + "/m.json")
        found = mtc.load(at + "/m.json")
        for t, X in enumerate(tasks):
            assert np.array_equal(found.predict(X, t), auto.labels_[t])


@test
def maps_of_columns_are_arrays_of_bytes():
    found = mtc.across([X, X[:50] * [1, 10, 1, 1]], [LABELS, LABELS[:50]])
    assert found.kind.dtype == np.uint8 and found.kind.size == 8


@test
def saved_tables_are_those_of_the_fit_bit_for_bit():
    tasks = [X[:9] / 3, X[9:] / 7]
    model = mtc.MBC(2, scale="zscore").fit({"a": tasks[0], "b": tasks[1]})
    with tempfile.TemporaryDirectory() as at:
        model.save(at + "/m.json")
        found = mtc.load(at + "/m.json")
    assert found.tasks == ["a", "b"] and found.method == "mbc"
    for task, centers in zip(found._file.tasks, model.result_.centers):
        assert np.array_equal(task.centers, centers)
    kept = found._file.preparation
    assert np.array_equal(kept.mean, model.scale_.mean)
    assert np.array_equal(kept.deviation, model.scale_.deviation)


@test
def sparse_and_named_data_are_saved():
    if sparse is None or not os.path.exists(PROGRAM):
        return
    text = sparse.csr_matrix(TEXT)
    with tempfile.TemporaryDirectory() as at:
        file = write(at, "t", text)
        for model in (mtc.KMeans(3).fit(text), mtc.Auto(3).fit(text),
                      mtc.SVM().fit(text, LABELS)):
            last, loaded, given, far = saved(model, at, file, file)
            assert np.array_equal(model.predict(text), given), model
            assert np.array_equal(loaded.predict(text), given), model
            assert SINGLE or far is None or not any(far), model
        pandas = optional("pandas")
        if pandas is not None:
            frame = pandas.DataFrame(X, columns=list("pqrs"))
            model = mtc.KMeans(2).fit(frame)
            frame[list("srqp")].to_csv(at + "/f.csv", index=False,
                                       float_format="%.17g")
            assert np.array_equal(
                saved(model, at, *[at + "/f.csv"] * 2)[2], model.labels_)


@test
def headers_of_estimators_label_as_predict_does():
    if SINGLE or not os.path.exists(PROGRAM) or shutil.which("cc") is None:
        return
    model = mtc.MBC(2).fit([X, Y])
    with tempfile.TemporaryDirectory() as at:
        model.export_c(at + "/zone.h", far=True)
        rows = np.vstack([Y, 9 * Y[:3]])
        with open(at + "/main.c", "w") as file:
            file.write("#include <stdio.h>\n#include \"zone.h\"\n"
                       "static const double x[][4] = {%s};\n"
                       "int main(void) { int i; for (i = 0; i < %d; i++)\n"
                       "    printf(\"%%d %%d\\n\", zone_label(1, x[i]),\n"
                       "           zone_far(1, x[i])); return 0; }\n" % (
                           ", ".join("{" + ", ".join(map(repr, row)) + "}"
                                     for row in rows.tolist()), len(rows)))
        subprocess.run(["cc", at + "/main.c", "-o", at + "/main"], check=True)
        ran = subprocess.run([at + "/main"], stdout=subprocess.PIPE, check=True)
        said = np.array(ran.stdout.split(), int).reshape(-1, 2)
        assert np.array_equal(said[:, 0], model.predict(rows, 1))
        assert said[:, 1].tolist() == [0] * len(Y) + [1] * 3
        raises(mtc.Error, lambda: model.export_c(at + "/zone"), "NAME.h")
        raises(mtc.Error, lambda: model.export_c(at + "/7.h"), "name of C")
        raises(mtc.Error, lambda: mtc.MTCFIR(2).fit([X, Y]).export_c(
            at + "/m.h"), "export: a model of mtcfir cannot be exported")


@test
def save_says_what_it_cannot_do():
    with tempfile.TemporaryDirectory() as at:
        raises(mtc.Error, lambda: mtc.KMeans().save(at + "/m.json"),
               "not fitted")
        raises(mtc.Error, lambda: mtc.EC(2).fit(X).save(at + "/m.json"),
               "EC has no rule")
        data = X.astype("f4" if SINGLE else float)
        model = mtc.KMeans(2).fit(data)
        raises(mtc.Error, lambda: pickle.loads(pickle.dumps(model)).save(
            at + "/m.json"), "pickle")
        data += 1
        raises(mtc.Error, lambda: model.save(at + "/m.json"), "changed")
        assert not os.listdir(at)


@long_test
def models_label_many_sparse_rows_block_by_block():
    if sparse is None or not os.path.exists(PROGRAM):
        return
    wide = sparse.random(150, 60000, .001, "lil", random_state=1)
    wide[:, 0] = 1
    wide = wide.tocsr()
    with tempfile.TemporaryDirectory() as at:
        write(at, "a", wide)
        program(at, "cluster", "kmeans", "--k", "3", at + "/a.svm", "--save",
                at + "/m.json")
        width = mtc.load(at + "/m.json")._file.features.count
        found = mtc.load(at + "/m.json").predict(wide[:, :width])
        assert np.array_equal(found, labels_in(at, "a"))


@long_test
def models_of_words_and_holes_predict_as_the_program_does():
    pandas = optional("pandas")
    if pandas is None or not os.path.exists(PROGRAM):
        return
    rng = np.random.default_rng(4)
    frame = pandas.DataFrame(blobs(40, 3, 3, 1)[0], columns=["x", "y", "z"])
    frame["color"] = rng.choice(["red", "green", "blue"], 40)
    frame.iloc[3, 1] = frame.iloc[8, 0] = np.nan
    with tempfile.TemporaryDirectory() as at:
        frame.to_csv(at + "/a.csv", index=False, float_format="%.17g")
        program(at, "cluster", "kmeans", "--k", "3", "--onehot", "color",
                "--missing", "mean", at + "/a.csv", "--save", at + "/m.json")
        program(at, "assign", at + "/m.json", at + "/a.csv")
        found = mtc.load(at + "/m.json").predict(
            frame[["color", "z", "y", "x"]])
        assert np.array_equal(found, labels_in(at, "a"))
        model, new = mtc.load(at + "/m.json"), frame[4:6].copy()
        new["color"] = ["pink", None]           # one is new, one is missing
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            found = model.predict(new)
        assert [(w.category, w.message.code) for w in caught] == [
            (mtc.Notice, "new-word")]
        assert "color=pink is new" in str(caught[0].message)
        new.to_csv(at + "/new.csv", index=False, float_format="%.17g")
        program(at, "assign", at + "/m.json", at + "/new.csv")
        assert np.array_equal(found, labels_in(at, "new"))
        codes = frame.assign(color=rng.choice([1, 2, 30], 40) * 1.0)
        codes.to_csv(at + "/c.csv", index=False)        # 1.0 is the word 1
        program(at, "cluster", "kmeans", "--k", "3", "--onehot", "color",
                "--missing", "mean", at + "/c.csv", "--save", at + "/c.json")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found = mtc.load(at + "/c.json").predict(codes)
        program(at, "assign", at + "/c.json", at + "/c.csv")
        assert np.array_equal(found, labels_in(at, "c"))
        frame = frame.drop(index=[3, 8])
        frame.to_csv(at + "/a.csv", index=False, float_format="%.17g")
        program(at, "cluster", "kmeans", "--k", "3", "--onehot", "color",
                at + "/a.csv", "--save", at + "/m.json")
        new = new.assign(color=["red", None])   # a model knows its means
        new.to_csv(at + "/new.csv", index=False, float_format="%.17g")
        program(at, "assign", at + "/m.json", at + "/new.csv")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", mtc.Notice)
            found = mtc.load(at + "/m.json").predict(new)
        assert np.array_equal(found, labels_in(at, "new"))


@test
def models_of_naive_bayes_refuse_values_below_zero():
    if not os.path.exists(PROGRAM):
        return
    with tempfile.TemporaryDirectory() as at:
        text_file(at + "/a.csv", "x,y,class\n4,1,a\n6,1,a\n1,5,b\n1,3,b\n")
        program(at, "transfer", "nb", "--source", at + "/a.csv", "--target",
                at + "/a.csv", "--save", at + "/m.json")
        model = mtc.load(at + "/m.json")
        assert list(model.predict([[3, 0], [0, 3]])) == ["a", "b"]
        raises(mtc.Error, lambda: model.predict([[3, 0], [0, -3]]),
               "need 0 or more, row 1, column 1")


@test
def models_that_left_columns_out_load():
    if not os.path.exists(PROGRAM):
        return
    with tempfile.TemporaryDirectory() as at:
        text_file(at + "/a.csv", "x,c,y\n1,5,2\n1,5,3\n8,5,9\n8,5,7\n")
        program(at, "cluster", "kmeans", "--k", "2", at + "/a.csv", "--save",
                at + "/m.json")
        with open(at + "/m.json") as file:
            assert json.load(file)["features"]["left_out_places"] == [2]
        program(at, "assign", at + "/m.json", at + "/a.csv")
        found = mtc.load(at + "/m.json").predict([[1, 2], [1, 3], [8, 9],
                                                  [8, 7]])
        assert np.array_equal(found, labels_in(at, "a"))
        whole = np.array([[1, 5, 2], [1, 5, 3], [8, 5, 9], [8, 5, 7]])
        assert np.array_equal(mtc.load(at + "/m.json").predict(whole), found)
        pandas = optional("pandas")
        if pandas is not None:
            frame = pandas.DataFrame(whole[:, [2, 1, 0]], columns=["y", "c", "x"])
            assert np.array_equal(mtc.load(at + "/m.json").predict(frame), found)
            with warnings.catch_warnings(record=True) as said:
                warnings.simplefilter("always")
                more = mtc.load(at + "/m.json").predict(frame.assign(u=7))
            assert np.array_equal(more, found) and "u: unknown" in str(
                said[0].message)


@test
def logs_have_the_bits_of_the_program():
    """At 1.4, where numpy's logarithm is another, and twice as far lies the
    second center: a tie, which the first one wins."""
    if not os.path.exists(PROGRAM) or SINGLE:
        return
    half = 0.33647223662121284
    with tempfile.TemporaryDirectory() as at:
        text_file(at + "/a.csv", "x\n1\n1.4\n1.5\n20\n")
        program(at, "cluster", "kmeans", "--k", "2", "--log", "x", "--save",
                at + "/m.json", at + "/a.csv")
        with open(at + "/m.json") as file:
            model = json.load(file)
        model["tasks"][0]["centers"] = [[0], [2 * half]]
        text_file(at + "/m.json", json.dumps(model))
        program(at, "assign", at + "/m.json", at + "/a.csv")
        assert list(labels_in(at, "a")) == [0, 0, 1, 1]
        found = mtc.load(at + "/m.json").predict([[1], [1.4], [1.5], [20]])
        assert list(found) == [0, 0, 1, 1]


@test
def what_is_no_model_is_refused():
    good = {"format": "mtc-model", "schema": 2, "method": "kmeans",
            "rule": "nearest", "divergence": "sqeuclidean", "smooth": 0,
            "features": {"count": 2}, "preprocess": {"how": "none"},
            "tasks": [{"name": "a", "k": 2, "centers": [[0, 0], [9, 9]]}]}

    def loaded(**other):
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump({**good, **other}, file)
            file.flush()
            return mtc.load(file.name)
    assert list(loaded().predict([[8, 7], [1, 2]])) == [1, 0]
    assert list(loaded(classes=["x", "y"]).predict([[8, 7]], "a")) == ["y"]
    for other in ({"format": "x"}, {"schema": 1}, {"rule": "best"},
                  {"tasks": 3}, {"tasks": [{"name": "a", "k": 2}]},
                  {"features": {"count": 3}}, {"tasks": [{
                      "name": "a", "k": 2, "centers": [0, 0, 9, 9]}]},
                  {"rule": "linear", "tasks": [{
                      "name": "a", "k": 2, "weights": [[1, 2]],
                      "bias": [1, 2]}]}):
        raises(mtc.Error, lambda: loaded(**other), "is no model of mtc")
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        raises(mtc.Error, lambda: mtc.load(file.name), "is no model of mtc")
    raises(OSError, lambda: mtc.load("/nowhere.json"))


def mutated(rng, model):
    """One change to a JSON value: a member lost, of another kind, too many."""
    other = [None, True, -1, 0, 1.5, 1e300, 10 ** 400, "", "x", [], {}, [[]],
             [1, "a"], {"a": 1}, float("nan"), 2 ** 40, "nearest", "kl"]
    places = []

    def walk(value):
        items = value.items() if isinstance(value, dict) else \
            enumerate(value) if isinstance(value, list) else ()
        for key, each in items:
            places.append((value, key))
            walk(each)
    walk(model)
    holder, key = places[rng.integers(len(places))]
    what = rng.integers(4)
    if what == 0:
        del holder[key]
    elif what == 1 and isinstance(holder, list):
        holder.append(copy.deepcopy(holder[key]))
    elif what == 2:
        holder[key] = [holder[key]]
    else:
        holder[key] = other[rng.integers(len(other))]
    return model


@long_test
def hostile_models_raise_an_error_of_ours():
    if not os.path.exists(PROGRAM):
        return
    rng = np.random.default_rng(1)
    P, h = np.abs(blobs(40, 3, 3, 1, 2)[0]), np.arange(40) % 3
    tried = {"loaded": 0, "refused": 0}

    def attempt(path, data):
        with open(path, "wb") as file:
            file.write(data)
        try:
            mtc.load(path).predict(P)
            tried["loaded"] += 1
        except mtc.Error as error:
            assert "\n" not in str(error)
            tried["refused"] += 1
        except Exception:
            print(data.decode("utf-8", "replace"))
            raise
    with tempfile.TemporaryDirectory() as at:
        file = write(at, "a", P, h)
        for method in MODELS[1:5] + ["cluster lssmtc", "transfer svm",
                                     "transfer svm --kernel rbf"]:
            where = ["--k", "3", file] if method[0] == "c" else [
                "--source", file, "--target", file]
            program(at, *method.split(), *where, "--save", at + "/m.json")
            with open(at + "/m.json", "rb") as saved:
                good = saved.read()
            for i in range(450):
                model = json.loads(good)
                for _ in range(rng.integers(1, 3)):
                    model = mutated(rng, model)
                attempt(at + "/bad.json", json.dumps(model).encode())
            for i in range(150):                # bytes
                bad = bytearray(good)
                cut = rng.integers(len(bad))
                bad[cut] = rng.integers(256)
                attempt(at + "/bad.json", bytes(bad[:cut] if i % 3 == 0
                                                else bad))
        attempt(at + "/bad.json", b"[" * 100000)
        attempt(at + "/bad.json", good.replace(b'"rule"', b'"kind"'))
    assert tried["refused"] > 2000 and tried["loaded"] > 100, tried
