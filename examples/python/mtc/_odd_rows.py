# SPDX-License-Identifier: MIT
"""Rows that mislead `choose`, by the rule of the program: those far from all
others, such as slips of the decimal point."""
import numpy as np

from ._call import calls
from ._data import View
from ._scale import drawn

FAR_TIMES, FAR_SPREADS = 4., 2.         # as far as most rows; of the others
FAR_NEAR, FAR_SHARE = 4, 20             # neighbors; one of 20 rows at most
FEW_SHOWN = 5


def _reach(x, points):
    """Squared distance of each row to its FAR_NEAR-th neighbor among points,
    of which it may be one itself."""
    return calls.neighbors(View(points), FAR_NEAR, queries=View(x)).key[:, -1]


def _far(x, seed):
    """Which rows are far from all others; more than a few are a tail.  Few of
    a rare group may be drawn, so marked rows are neighbors of each other."""
    n, points = len(x), drawn([View(x)], seed)[0]
    if n < FAR_SHARE:
        return np.zeros(n, bool)
    reach = _reach(x, points)
    usual = np.sort(reach)[n - 1 - n // 10]
    far = (usual > 0) & (reach > FAR_TIMES ** 2 * usual)
    if far.sum() > n // FAR_SHARE:
        return np.zeros(n, bool)
    if far.sum() >= FAR_NEAR:
        reach[far] = np.minimum(reach[far], _reach(x[far], x[far]))
        far &= reach > FAR_TIMES ** 2 * usual
    return far & (reach > FAR_SPREADS ** 2 * x[~far].var(0).sum())


def _rest(raw, marked):
    """The rows that are not marked, as they were before they were scaled."""
    return [view if view.row is not None else View(view.values[~rows])
            for view, rows in zip(raw, marked)]


def without_far(views, raw, seed):
    """The raw views without such rows and what to say of these; None: no row
    is far."""
    far = [np.zeros(view.n, bool) if view.row is not None
           else _far(view.values, seed) for view in views]
    found = sum(int(rows.sum()) for rows in far)
    if found == 0:
        return None
    which = [f"task {t}: {i}" if len(views) > 1 else str(i)
             for t, rows in enumerate(far) for i in np.flatnonzero(rows)]
    more = f" and {found - FEW_SHOWN} more" * (found > FEW_SHOWN)
    return _rest(raw, far), \
        f"{found} row{' lies' if found == 1 else 's lie'} far from " \
        f"all others ({', '.join(which[:FEW_SHOWN])}{more}), which may be " \
        f"mistakes; without {'it' if found == 1 else 'them'}: "
