# SPDX-License-Identifier: MIT
"""Tests of what users of Python expect: names, documentation, types."""
import inspect
import os
import re
import shutil
import subprocess
import tempfile

from python_util import PACKAGE, X, Y, mtc, np, raises, sparse, test


@test
def rows_of_csr_are_checked_before_they_are_read():
    if sparse is None:
        return
    whole = sparse.csr_matrix(np.eye(4))
    for name, value, text in [
            ("data", np.ones(2), "have 2 values"),
            ("indices", np.zeros(3, np.int32), "have 3 values"),
            ("indptr", np.array([0, 3, 2, 3, 4], np.int32), "never fall"),
            ("indptr", np.array([0, 1, 2, 3, -1], np.int32), "never fall"),
            ("indptr", np.array([1, 1, 2, 3, 4], np.int32), "begin with 0"),
            ("indptr", np.array([0, 1, 2, 3, 99], np.int32), "ends at 99")]:
        broken = whole.copy()
        setattr(broken, name, value)
        raises(ValueError, lambda: mtc.kmeans(broken), text)


@test
def no_number_of_clusters_is_refused_but_by_auto():
    for name in ("KMeans", "MBC", "LSSMTC", "MTCFIR", "Guard", "EC", "NCut",
                 "Genie", "Ward", "SNMF"):
        raises(ValueError, lambda: getattr(mtc, name)(n_clusters=None).fit(X),
               "a number is needed; mtc.Auto chooses")
    assert mtc.Auto(n_clusters=None).fit(X).n_clusters_ >= 1


@test
def tasks_are_a_dictionary_and_go_by_name():
    tasks = {"north": X, "south": Y}
    for name in ("MBC", "LSSMTC", "MTCFIR", "Guard", "Auto"):
        kind = getattr(mtc, name)
        model = kind(n_clusters=2).fit(tasks)
        plain = kind(n_clusters=2).fit([X, Y])
        assert (model.labels_["south"] == plain.labels_[1]).all(), name
        assert (model.labels_[0] == plain.labels_[0]).all(), name
        assert (model.predict(Y, task="south") == plain.predict(Y, 1)).all()
        assert (model.predict(Y, 1) == plain.predict(Y, 1)).all()
        for wrong in ("west", 2, -1, None):
            raises(ValueError, lambda: model.predict(Y, task=wrong),
                   f"task: {wrong!r} is none of ['north', 'south']")
        raises(ValueError, lambda: plain.predict(Y, task="south"),
               "task: 'south' is none of [0, 1]")
    assert (mtc.mbc(tasks, clusters=2).labels[1] ==
            mtc.mbc([X, Y], clusters=2).labels[1]).all()
    words = np.array(["a", "b"])[np.arange(len(X)) % 2]
    far = mtc.LSSTTC().fit({"north": X, "south": Y}, {
        "south": words[:len(Y)], "north": words}, X)
    near = mtc.LSSTTC().fit([X, Y], [words, words[:len(Y)]], X)
    assert (far.labels_ == near.labels_).all()


@test
def whatever_is_like_an_array_is_one_matrix():
    class Like:
        def __init__(self, values):
            self.values, self.shape = values, values.shape

        def __array__(self, dtype=None, copy=None):
            return np.array(self.values, dtype)
    for name in ("KMeans", "MBC", "Auto", "MTCFIR"):
        kind = getattr(mtc, name)
        labels = kind(n_clusters=2).fit(X).labels_
        for same in (X.tolist(), Like(X), tuple(map(tuple, X.tolist())),
                     list(X)):
            assert (kind(n_clusters=2).fit(same).labels_ == labels).all()
    two = mtc.MBC(2).fit([X.tolist(), Like(Y)]).labels_
    assert (two[1] == mtc.MBC(2).fit([X, Y]).labels_[1]).all()


@test
def parameters_of_other_libraries_are_told_ours():
    for given, ours in [("n_init", "restarts"), ("max_iter", "iterations"),
                        ("tol", "tolerance"), ("k", "n_clusters")]:
        raises(TypeError, lambda: mtc.KMeans(**{given: 1}), f"{ours} is what")
    raises(TypeError, lambda: mtc.SVM(C=1), "cost is what")
    raises(TypeError, lambda: mtc.kmeans(X, n_clusters=2), "clusters is what")
    raises(TypeError, lambda: mtc.KMeans(colour=1), "there are n_clusters")


@test
def every_parameter_is_documented():
    for cls in {c for c in vars(mtc).values()
                if inspect.isclass(c) and getattr(c, "_call", None)}:
        for name in cls._parameters:
            assert f"\n{name} : " in cls.__doc__, (cls, name)
        assert "Attributes\n" in cls.__doc__ and ">>> model" in cls.__doc__
        for name in ("fit", "predict", "fit_predict", "transform", "score",
                     "predict_proba", "decision_function", "fit_transform"):
            if hasattr(cls, name):
                assert inspect.getdoc(getattr(cls, name)), (cls, name)
    for name in mtc._calls.__dict__:
        text = getattr(mtc, name).__doc__
        assert "Parameters\n" in text and "Returns\n" in text, name
        for argument in inspect.signature(getattr(mtc, name)).parameters:
            assert f"\n{argument} : " in text, (name, argument)


@test
def types_are_those_of_the_headers():
    from mtc import _stubs
    with open(os.path.join(PACKAGE, "__init__.pyi")) as file:
        assert file.read() == _stubs.text(), \
            "python -m mtc._stubs > examples/python/mtc/__init__.pyi"
    if shutil.which("mypy") is None:
        print("python mypy: skipped, not there")
        return
    with open(os.path.join(PACKAGE, "..", "README.md")) as file:
        blocks = re.findall(r"^```python\n(.*?)^```", file.read(), re.M | re.S)
    with tempfile.TemporaryDirectory() as at:
        with open(at + "/page.py", "w") as file:
            file.write("\n".join(blocks))
        ran = subprocess.run(
            ["mypy", "--ignore-missing-imports", "--cache-dir", at, "page.py"],
            cwd=at, env={**os.environ, "MYPYPATH": os.path.dirname(PACKAGE)},
            stdout=subprocess.PIPE, text=True)
    assert ran.returncode == 0, ran.stdout
