# SPDX-License-Identifier: MIT
"""Rows that mislead `choose`, by the rule of the program: those far from all
others, such as slips of the decimal point."""
import numpy as np

from ._call import calls
from ._data import View

FEW_SHOWN = 5


def _far(x, seed):
    """Which rows are far from all others."""
    return calls.far_rows(View(x), seed=seed).astype(bool)


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
        f"{'a mistake' if found == 1 else 'mistakes'}; without {'it' if found == 1 else 'them'}: "
