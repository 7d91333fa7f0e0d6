#!/bin/sh
# SPDX-License-Identifier: MIT
# Python's packages as their users meet them: the wheel of `make wheel` in a
# fresh environment, the source archive compiled in another one, and what `make
# install install-python` puts in place; each used from a directory without our sources.
#     tests/tools/packages/wheel.sh BUILD_DIRECTORY PYTHON
set -eu
cd "$(dirname "$0")/../../.."
python=$2 build=$(cd "$1" && pwd)
for module in pip setuptools wheel venv; do
    $python -c "import $module" 2>/dev/null ||
        { echo "wheel: skipped, no $module"; exit 0; }
done
dir=$build/python/wheel
rm -rf "$dir"
mkdir -p "$dir/away"
MAKEFLAGS='' make B="$1" PYTHON="$python" CC="${CC:-cc}" wheel > "$dir/log" 2>&1 ||
    { cat "$dir/log"; exit 1; }
cat > "$dir/away/try.py" <<'END'
import sys
import numpy as np
import mtc
X = np.array([[0, 0], [0, 1], [9, 9], [9, 8.]])
assert mtc.__file__.startswith(sys.argv[1]), mtc.__file__
assert mtc.library.startswith(sys.argv[1]), mtc.library
labels = mtc.KMeans(2).fit(X).labels_
assert labels[0] == labels[1] != labels[2] == labels[3], labels
print(mtc.__version__, mtc.real)
from mtc import _threads
X = np.random.default_rng(1).normal(size=(2000, 16))
if _threads.IN_C:
    import ctypes
    from mtc import _library
    seen = set()
    piece = _threads._PIECE(lambda job, i: seen.add((job, i)))
    parallel = _library.dll.mtc_python_parallel
    parallel.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p,
                         ctypes.c_void_p]
    parallel(_threads._pool.c_pool(), 5, piece, 3)
    assert seen == {(3, i) for i in range(5)}, seen
for n in (2, 3):
    assert np.array_equal(mtc.kmeans(X, clusters=9, n_jobs=n).labels,
                          mtc.kmeans(X, clusters=9, n_jobs=1).labels)
END

# in NAME: the example in the environment of that name, from another directory
in_environment() {
    (cd "$dir/away" && env -u PYTHONPATH -u MTC_LIBRARY -u MTC_HEADER \
        "$dir/$1/bin/python" try.py "$dir/$1" > "$dir/$1.log" &&
        "$dir/$1/bin/mtc" version > /dev/null) || { echo "$1: FAILED"; exit 1; }
    echo "$1: mtc $(cat "$dir/$1.log")"
}
install_in() {                  # NAME FILE
    "$python" -m venv --system-site-packages --without-pip "$dir/$1"
    "$python" -m pip --python "$dir/$1/bin/python" -q \
        --disable-pip-version-check install \
        --no-index --no-deps --no-build-isolation "$2" > "$dir/log" 2>&1 ||
        { cat "$dir/log"; exit 1; }
    in_environment "$1"
    "$dir/$1/bin/python" -c 'from mtc import _threads; assert _threads.IN_C' ||
        { echo "$1: no pool of threads in it"; exit 1; }
}
install_in wheel "$build"/dist/python/mtc-*.whl
CFLAGS=-O0 install_in archive "$build"/dist/python/mtc-*.tar.gz

# ---- make install: found through PYTHONDIR, gone after uninstall ----
at=$dir/installed
MAKEFLAGS='' make B="$1" CC="${CC:-cc}" PREFIX="$at" PYTHONDIR="$at/py" \
    install install-python > "$dir/log"
(cd "$dir/away" && env -u MTC_LIBRARY -u MTC_HEADER PYTHONPATH="$at/py" \
    "$python" try.py "$at") > "$dir/log" || { echo "install: FAILED"; exit 1; }
MAKEFLAGS='' make B="$1" PREFIX="$at" PYTHONDIR="$at/py" uninstall > "$dir/log"
test ! -e "$at/py/mtc" || { echo "uninstall left $at/py/mtc"; exit 1; }
if ls -d examples/python/*.egg-info examples/python/build 2>/dev/null; then
    echo "wheel: left behind in the sources"
    exit 1
fi
echo "install: found by Python, and gone again"
