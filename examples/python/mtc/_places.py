# SPDX-License-Identifier: MIT
"""Where the library, its headers and the program are.

An installed package has them in its own directory, or knows from `make
install` where they are; in the source tree they are in build/.  MTC_LIBRARY,
MTC_HEADER, MTC_ADVICE and MTC_PROGRAM name other files."""
import os
import platform

HERE = os.path.dirname(os.path.abspath(__file__))
TREE = os.path.abspath(os.path.join(HERE, "..", "..", ".."))
WINDOWS = os.name == "nt"
_LIBRARY = "libmtc.dll" if WINDOWS else "libmtc.so"
_PROGRAM = "mtc.exe" if WINDOWS else "mtc"

try:
    from . import _installed
except ImportError:
    _installed = None

LIBRARY = [os.path.join(HERE, _LIBRARY), getattr(
    _installed, "LIBRARY", os.path.join(TREE, "build", _LIBRARY))]
HEADER = [os.path.join(HERE, "mtc.h"), os.path.join(TREE, "mtc.h")]
ADVICE = os.path.join(TREE, "examples", "advice", "mtc_advice.h")
PROGRAM = [os.path.join(HERE, _PROGRAM), getattr(
    _installed, "PROGRAM", os.path.join(TREE, "build", _PROGRAM))]


def find(variable, places):
    """The file that the variable names, or else the first there is."""
    places = [os.environ[variable]] if os.environ.get(variable) else places
    for path in places:
        if os.path.exists(path):
            return path
    raise ImportError(f"no {' or '.join(places)}: run `make` in mtc's "
                      f"directory, or let {variable} name the file")


def refuse(path, error):
    """A file that is there and does not run, as one of another machine."""
    raise ImportError(f"{path} was not built for this machine "
                      f"({platform.system()} {platform.machine()}), or is "
                      f"broken: install mtc again ({error})") from None
