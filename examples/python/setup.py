# SPDX-License-Identifier: MIT
"""Puts the library, its header and the program into the package.

They are compiled from the source tree around this directory, or from csrc/,
its copy in the source archive.  CC and CFLAGS are as for make; MTC_BUILT names
a directory that holds them already built, as `make wheel` has it.  What is
made on the way goes to a temporary directory, so that the tree stays clean.
"""
import atexit
import concurrent.futures
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist
from wheel.bdist_wheel import bdist_wheel

HERE = pathlib.Path(__file__).resolve().parent
COPIED = HERE / "csrc"
TREE = COPIED if COPIED.exists() else HERE.parent.parent
CORE = ["mtc.c", "linalg.c", "lp.c"]
ADVICE = "examples/advice"
LIBRARY = CORE + sorted(str(path.relative_to(TREE))
                        for path in (TREE / ADVICE).glob("*.c"))
POOL = [] if os.name == "nt" else ["examples/python/pool.c"]
FOLDERS = ["examples/mtc/*", "examples/compared"]
WINDOWS = os.name == "nt"
SHARED = "libmtc.dll" if WINDOWS else "libmtc.so"
PROGRAM = "mtc.exe" if WINDOWS else "mtc"
COMPILER = shlex.split(os.environ.get("CC") or ("gcc" if WINDOWS else "cc"))
FLAGS = ["-std=c99"] + shlex.split(os.environ.get("CFLAGS") or "-O3")
FLAGS += [] if WINDOWS else ["-fPIC"]
THREADS = [] if WINDOWS else ["-pthread"]


def readme():
    """The page; its picture is found at URL, the project's address."""
    text = (HERE / "README.md").read_text("utf-8")
    url = os.environ.get("URL")
    return text.replace("](stations.svg)", f"]({url}/examples/python/"
                        "stations.svg)") if url else text


def version():
    text = (TREE / "mtc.h").read_text("ascii")
    return ".".join(re.findall(r"define MTC_VERSION_[MP]\w+ +(\d+)", text))


def run(*command):
    subprocess.run([*COMPILER, *map(str, command)], check=True)


def compiled(sources, at):
    """The objects of the sources, as many at a time as there are processors."""
    def one(source):
        made = pathlib.Path(at, "_".join(pathlib.Path(source).parts) + ".o")
        own = [] if source in LIBRARY else ["-O1"]
        run(*FLAGS, *own, "-c", TREE / source, "-o", made)
        return made
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(one, sources))


def link_library(objects, to, at):
    """The shared library, with a pool of threads for it."""
    run(*FLAGS, "-s", "-shared", *THREADS, *objects, *compiled(POOL, at),
        "-lm", "-o", to / SHARED)


def build(to):
    """Library and program into the directory `to`."""
    program = [str(path.relative_to(TREE)) for folder in FOLDERS
               for path in sorted(TREE.glob(folder + "/*.c"))]
    with tempfile.TemporaryDirectory() as at:
        library, rest = compiled(LIBRARY, at), compiled(program, at)
        link_library(library, to, at)
        run(*FLAGS, "-s", *THREADS, *rest, *library, "-lm", "-o",
            to / PROGRAM)


def take(built, to):
    """The same from the objects and the program of make."""
    with tempfile.TemporaryDirectory() as at:
        link_library([built / "obj" / "pic" / (name[:-1] + "o")
                      for name in LIBRARY], to, at)
    shutil.copy(built / PROGRAM, to)


class BuildWithLibrary(build_py):
    def run(self):
        super().run()
        if getattr(self, "editable_mode", False):
            return                              # it finds those of make
        to = pathlib.Path(self.build_lib, "mtc")
        shutil.copy(TREE / "mtc.h", to)
        text = (TREE / ADVICE / "mtc_advice.h").read_text("ascii")
        (to / "mtc_advice.h").write_text(text.replace("../../mtc.h", "mtc.h"))
        shutil.copy(TREE / "LICENSE", to)
        if os.environ.get("MTC_BUILT"):
            take(pathlib.Path(os.environ["MTC_BUILT"]), to)
        else:
            build(to)


class WithSources(sdist):
    def make_release_tree(self, base_dir, files):
        super().make_release_tree(base_dir, files)
        patterns = CORE + ["mtc.h", "LICENSE", "examples/threads.c",
                              "examples/python/pool.c"]
        patterns += [folder + "/*.[ch]" for folder in [ADVICE] + FOLDERS]
        for path in (p for name in patterns for p in TREE.glob(name)):
            to = pathlib.Path(base_dir, "csrc", path.relative_to(TREE))
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, to)


def platform_of(folder, tag):
    """manylinux with the GLIBC that library and program really need."""
    needed = [tuple(map(int, found)) for name in (SHARED, PROGRAM)
              if (folder / name).exists()
              for found in re.findall(rb"GLIBC_(\d+)\.(\d+)",
                                      (folder / name).read_bytes())]
    if not tag.startswith("linux_") or not needed:
        return tag
    return "manylinux_%d_%d_" % max(needed + [(2, 17)]) + tag[len("linux_"):]


class AnyPython(bdist_wheel):
    """The library needs a machine, but no version of Python."""
    def get_tag(self):
        built = pathlib.Path(self.get_finalized_command("build").build_lib)
        return "py3", "none", platform_of(built / "mtc", super().get_tag()[2])


class WithBinary(Distribution):
    def has_ext_modules(self):
        return True


scratch = tempfile.mkdtemp()
atexit.register(shutil.rmtree, scratch, True)
setup(version=version(), packages=["mtc"], distclass=WithBinary,
      package_data={"mtc": ["py.typed", "*.pyi"]}, url=os.environ.get("URL"),
      long_description=readme(), long_description_content_type="text/markdown",
      cmdclass={"build_py": BuildWithLibrary, "sdist": WithSources,
                "bdist_wheel": AnyPython},
      options={"build": {"build_base": scratch},
               "egg_info": {"egg_base": scratch}})
