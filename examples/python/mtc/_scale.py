# SPDX-License-Identifier: MIT
"""Columns on one scale, by the rule of the program's --preprocess auto.

Distances are wrong where one column is money and another an age: the first
decides alone.  But where columns are noise, one scale for all makes the noise
count.  So the deviations are looked at; if the largest is far above the median
one, `choose` is asked about the rows as they are and z-scored.  It is asked in
the same way about the logs of columns that grow by factors."""
from ctypes import addressof

import numpy as np

from ._call import calls
from ._data import View
from ._errors import Error
from ._library import REAL, c_function

SCALES_APART, PAIR_APART = 4., .4       # largest over median; of two columns
COUNT_ZEROS = .75                       # share of zeros in tables of counts
LOG_RANGE, LOG_SKEWNESS = 10., .5
LOOK_ROWS = 500                         # of a task, as choose has them
LOOK_MOST = 12                          # clusters, as it has them at first
WORDS = (None, "none", "auto", "zscore")
LOG = np.frompyfunc(c_function("mtc_log"), 1, 1)    # numpy's has other bits


class Scaling:
    """What is done to the columns: logs of some, then z-scores or nothing."""
    def __init__(self, how="none", logs=None, mean=None, deviation=None,
                 apart=1.):
        self.how, self.logs, self.apart = how, logs, apart
        self.mean, self.deviation = mean, deviation

    def __repr__(self):
        logs = 0 if self.logs is None else int(np.sum(self.logs))
        return f"<mtc scaling: {self.how}" + f", logs of {logs} columns" * (
            logs > 0) + f", deviations {self.apart:.3g} apart>"

    @property
    def changes(self):
        return self.how == "zscore" or self.logs is not None

    def apply(self, view):
        """A view as the fit saw its data."""
        if not self.changes:
            return view
        if view.row is not None:
            raise Error(f"{view.what}: scaled columns have to be dense")
        x, logs = view.values, self.logs
        if logs is not None:
            if not (x[:, logs] > 0).all():
                raise Error(f"{view.what}: a value has no logarithm, which is "
                            "taken of its column")
            x = _logs(x, logs)
        if self.how == "zscore":
            x = _zscores(x, self.mean, self.deviation)
        made = View(x, view.what)
        made.names = view.names
        return made

    def restore(self, centers):
        """Centers in the units of the data."""
        if self.how == "zscore":
            centers = centers * self.deviation + self.mean
        if self.logs is not None:
            centers = centers.copy()
            with np.errstate(over="ignore"):
                centers[:, self.logs] = np.exp(centers[:, self.logs])
        return centers


def _logs(x, logs):
    x = x.copy()
    x[:, logs] = LOG(x[:, logs])
    return x


def _zscores(x, mean, deviation):
    by = np.where(deviation > 0, deviation, 1)
    return np.where(deviation > 0, (x - mean) / by, 0).astype(REAL)


def _sum(x):  # in the order of rows, as the program has it
    return np.cumsum(x, 0, dtype=float)[-1]


def _figures(x):
    """Mean and deviation of columns; deviation 0: a constant one."""
    mean = _sum(x) / len(x)
    deviation = np.sqrt(_sum(np.square(x - mean)) / len(x))
    return mean, np.where(deviation <= 1e-12 * np.abs(mean), 0, deviation)


def _apart(deviation):
    """How far apart the scales of the columns that vary are."""
    by = np.sort(deviation[deviation > 0])
    if len(by) < 2:
        return 1.
    return PAIR_APART * by[1] / by[0] if len(by) == 2 else \
        by[-1] / np.median(by)


def _by_factors(x):
    """Which columns grow by factors: positive, wide, skewed?"""
    mean, deviation = _figures(x)
    by = np.where(deviation > 0, deviation, 1)
    skewness = (((x - mean) / by) ** 3).mean(0)
    low, high = x.min(0), x.max(0)
    return (deviation > 0) & (low > 0) & (high > LOG_RANGE * low) & \
        (skewness > LOG_SKEWNESS)


def drawn(views, seed):
    """Up to LOOK_ROWS rows of each task."""
    rng = c_function("mtc_random_seed")(seed)
    below, rows = c_function("mtc_random_below"), []
    for view in views:
        n, index = view.n, []
        most = min(n, LOOK_ROWS)
        for i in range(n):
            if below(addressof(rng), n - i) < most - len(index):
                index.append(i)
        rows.append(view.values[index])
    return rows


class _Look:
    """The question to choose, for all rows `x` and some of them, `rows`."""
    def __init__(self, views, seed):
        self.seed, self.rows = seed, drawn(views, seed)
        self.x = np.vstack([view.values for view in views])
        self.counts = not (self.x < 0).any() and \
            (self.x == 0).mean() >= COUNT_ZEROS

    def choice(self, prepared):  # the answer for all tasks together
        return calls.choose([prepared(rows) for rows in self.rows],
                            max=LOOK_MOST, seed=self.seed).common

    def decide(self, logs, asked):
        """A Scaling with these logs, and the answer under it, if asked."""
        def taken(x):
            return x if logs is None else _logs(x, logs)
        mean, deviation = _figures(taken(self.x))
        found = Scaling("none", logs, None, None, _apart(deviation))
        differ = found.apart > SCALES_APART and not self.counts
        as_is = self.choice(taken) if differ or asked else None
        if not differ:
            return found, as_is
        scaled = self.choice(lambda x: _zscores(taken(x), mean, deviation))
        beyond = as_is.verdict == "unclear" and as_is.k == as_is.limit \
            and as_is.second == 0               # more parts than it looks for
        if (_is_clear(as_is) or beyond) and scaled.verdict != "clear":
            return found, as_is
        return Scaling("zscore", logs, mean, deviation, found.apart), scaled


def _is_clear(choice):
    return choice.verdict == "clear" and choice.k >= 2


def _columns(logs, names):
    return ", ".join(f"column {f + 1}" if names is None else names[f]
                     for f in np.flatnonzero(logs))


def _said(found, look, names):
    """What was done, in the words of the program."""
    lines = []
    if found.logs is not None:
        lines.append(f"{_columns(found.logs, names)}: logs are taken (they "
                     "grow by factors); scale=None leaves them")
    if found.how == "zscore":
        two = np.sum(found.deviation > 0) == 2
        apart = f"{found.apart / (PAIR_APART if two else 1):.3g}"
        lines.append(
            "columns on different scales (the largest deviation is "
            f"{float(apart):.15g} times the "
            f"{'other' if two else 'median'} one): z-scored; scale=None leaves "
            "them")
    elif found.apart > SCALES_APART:
        why = "most values are 0, as counts are" if look.counts \
            else "clusters are clear by logs alone" if found.logs is not None \
            else "clusters are clear as they are"
        lines.append(f"columns on different scales, but {why}: left; "
                     "scale=\"zscore\" scales them")
    return lines


def settle(views, how, seed):
    """The Scaling for the data of a fit, and what there is to say of it."""
    if how not in WORDS:
        raise Error(f"scale: {how!r} is none of {list(WORDS)}")
    sparse = any(view.row is not None for view in views)
    if not views or how in (None, "none") or sparse and how == "auto":
        return Scaling(), []
    if sparse:
        raise Error("scale: z-scores would make sparse data dense")
    for view in views:                          # refused before it is looked at
        if not np.isfinite(view.values).all() or view.d != views[0].d:
            return Scaling(), []                # by the call, which says where
    if how == "zscore":
        mean, deviation = _figures(np.vstack([v.values for v in views]))
        return Scaling("zscore", None, mean, deviation, _apart(deviation)), []
    look = _Look(views, seed)
    logs = _by_factors(look.x)
    found, as_is = look.decide(None, logs.any())
    if logs.any():
        other, answer = look.decide(logs, True)
        if _is_clear(answer) and (as_is.verdict != "clear" or
                                  as_is.sure < answer.sure):
            found = other
    return found, _said(found, look, views[0].names)
