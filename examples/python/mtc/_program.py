# SPDX-License-Identifier: MIT
"""The program, which comes with the package."""
import os
import sys

from ._places import PROGRAM, find


def main():
    """The command `mtc` of an installed wheel."""
    program = find("MTC_PROGRAM", PROGRAM)
    os.execv(program, [program] + sys.argv[1:])
