# SPDX-License-Identifier: MIT
"""mtc for Python: multi-task clustering and transfer learning.

It reads mtc.h when it is imported: structs, defaults and calls are what that
header says, and help(mtc.mbc) is its text.  Data are numpy arrays, matrices
of scipy.sparse, or DataFrames, which are matched by column name.

    res = mtc.mbc([X0, X1], clusters=4, lambda_=.5)     # the calls of mtc.h
    res.labels[0], res.centers[1], mtc.mbc_assign(new, 1, res)
    model = mtc.MBC(n_clusters=4).fit([X0, X1])         # as in scikit-learn
    model.labels_, model.predict(new, task=1)
"""
from ._errors import Error, Notice, NotNumbers, OutOfMemory
from ._header import Call, Field, Header
from ._library import __version__, header, library, real
from ._convert import Result
from ._call import bridge_score, calls as _calls
from ._classifiers import LSSTTC, SVM, TTL, Logistic, TrEC
from ._clusterers import (
    EC, LSSMTC, MBC, MTCFIR, SNMF, Auto, Genie, Guard, KMeans, NCut, Ward)
from ._models import Model, load
from ._program import Report, Tables, compare, describe, read, relate
from ._threads import threads
from ._transfer import Transfer

globals().update(vars(_calls))                   # mtc.kmeans, mtc.mbc, ...
for _each in (EC, LSSMTC, LSSTTC, MBC, MTCFIR, SNMF, SVM, TTL, Auto, Genie,
              Guard, KMeans, Logistic, NCut, TrEC, Transfer, Ward, Error, Notice,
              NotNumbers, OutOfMemory, Result, Model, Report, Tables):
    _each.__module__ = __name__
