# SPDX-License-Identifier: MIT
"""What goes wrong, as exceptions."""


class Error(ValueError):
    """A call that failed: its status (a word of mtc_status), what was wrong
    and where.  task, row and column count from 0, or are None."""
    status, what, task, row, column = "invalid", None, None, None, None


class Notice(UserWarning):
    """What the data made mtc do, or what its reader should know; the code is
    that of the program's notices."""
    def __init__(self, text, code=None, columns=()):
        super().__init__(text)
        self.code, self.columns = code, list(columns)


class OutOfMemory(Error, MemoryError):
    """The memory that a call needs could not be had."""


class NotNumbers(Error, TypeError):
    """Numbers that are none, or cannot be what they stand for."""
