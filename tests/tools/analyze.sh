#!/bin/sh
# SPDX-License-Identifier: MIT
# Static analysis without a finding: cppcheck, clang-tidy, clang -Weverything,
# gcc -fanalyzer; and the program builds for Windows without a warning.
#
#     tests/tools/analyze.sh BUILD_DIRECTORY
#
# Not asked of clang-tidy, and why:
#   bugprone-easily-swappable-parameters  (size_t m, size_t n) is how matrices
#                                         are written
#   bugprone-narrowing-conversions        gcc and clang -Wconversion do it
#   bugprone-reserved-identifier, cert-dcl37-c, cert-dcl51-cpp
#                                         greatest.h, not ours
#   cert-err33-c                          no call of the library has a result
#                                         that may be lost
#   bugprone-implicit-widening...         sizes are size_t throughout
#   cert-flp30-c                          steps are halved and doubled, exactly
#
# Not asked of clang -Weverything:
#   declaration-after-statement           this is C99
#   padded, switch-enum                   both are meant
#   float-equal                           zeros of sparse data are exact
#   cast-qual                             a view is const, who carves its
#                                         arrays fills them
#   bad-function-cast, double-promotion   conversions that are written out
#   unreachable-code                      one branch for float, one for double
#   conditional-uninitialized             arrays that a loop fills
#
# gcc sees three states of each place in mtc.c, not eight: a third of the time.
set -u
dir=$1
mkdir -p "$dir"
rm -f "$dir/failed"
library=$(echo lp.c linalg.c mtc.c examples/advice/*.c)

tool() {                        # NAME COMMAND...: silence is success
    name=$1
    shift
    if ! command -v "$1" >/dev/null; then
        echo "analyze $name: skipped, no $1"
    elif "$@" > "$dir/$name.log" 2>&1 &&
        ! grep -E '(warning|error|style|portability):' "$dir/$name.log"; then
        echo "analyze $name: no finding"
    else
        tail -n 30 "$dir/$name.log"
        echo "analyze $name: FAILED"
        : > "$dir/failed"
    fi
}
with_gcc() {
    for f in $library; do
        tool "gcc-$(basename $f .c)" gcc -std=c99 -O1 -fanalyzer -Wall -Wextra \
            --param analyzer-max-enodes-per-program-point=3 -c $f \
            -o "$dir/$(basename $f .c).o"
    done
}

with_clang() {
    for f in $library; do
        tool "clang-$(basename $f .c)" clang -std=c99 -Weverything -fsyntax-only \
            -Wno-declaration-after-statement -Wno-padded -Wno-switch-enum \
            -Wno-float-equal -Wno-cast-qual -Wno-bad-function-cast \
            -Wno-double-promotion -Wno-unreachable-code \
            -Wno-conditional-uninitialized $f
    done
}

with_gcc &                      # two at a time
with_clang
tool windows x86_64-w64-mingw32-gcc -std=c99 -pedantic -Wall -Wextra \
    -Wconversion -Wshadow -Wvla -Wstrict-prototypes examples/mtc/*/*.c \
    examples/compared/*.c $library -lm -o "$dir/mtc.exe"
tool cppcheck cppcheck -q --std=c99 --inline-suppr --error-exitcode=1 \
    --enable=warning,portability,performance $library
tool clang-tidy clang-tidy --quiet $library \
    --checks='-*,bugprone-*,cert-*,-bugprone-easily*,-bugprone-narrow*,-bugprone-implicit-widening*,-bugprone-reserved*,-cert-dcl37*,-cert-dcl51*,-cert-err33*,-cert-flp30*' \
    -- -std=c99
wait
[ ! -e "$dir/failed" ]
