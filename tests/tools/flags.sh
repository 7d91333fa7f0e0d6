#!/bin/sh
# SPDX-License-Identifier: MIT
# Flags that change results do not pass silently: a part of -ffast-math is
# refused when the library is compiled; what no macro tells, mtc_selftest() does.
#
#     tests/tools/flags.sh BUILD_DIRECTORY
set -u
dir=$1
bad=0
mkdir -p "$dir"
cat > "$dir/selftest.c" <<'END'
#include "mtc.h"
#include <stdio.h>
int main(void)
{
    const char *wrong = mtc_selftest();
    puts(wrong != NULL ? wrong : "ok");
    return 0;
}
END
expect() {                              # WHAT IS WANTED
    if [ "$2" != "$3" ]; then
        echo "flags: $1: '$2', not '$3'"
        bad=1
    fi
}
# Has the processor a fused multiply-add?  Not every x86-64 does.
fuses() { [ "$(uname -m)" != x86_64 ] || grep -qw fma /proc/cpuinfo; }

for cc in gcc clang; do
    command -v $cc > /dev/null || { echo "flags: no $cc"; continue; }
    for flags in -ffast-math -funsafe-math-optimizations -ffinite-math-only \
        -freciprocal-math \
        '-fassociative-math -fno-signed-zeros -fno-trapping-math'; do
        # clang has no macro for these: see below
        case $cc$flags in
        clang-funsafe* | clang-freciprocal* | clang-fassociative*) continue ;;
        esac
        # shellcheck disable=SC2086
        $cc -std=c99 $flags -fsyntax-only linalg.c 2> /dev/null
        expect "$cc $flags" $? 1
        # shellcheck disable=SC2086
        $cc -std=c99 $flags -DMTC_FAST -fsyntax-only linalg.c 2> /dev/null
        expect "$cc $flags -DMTC_FAST" $? 0
    done
    for real in -UMTC_SINGLE -DMTC_SINGLE; do
        for flags in -ffp-contract=off -ffp-contract=fast -freciprocal-math \
            -funsafe-math-optimizations; do
            want=ok machine=
            case $cc$flags in
            gcc-freciprocal* | gcc-funsafe*) continue ;;    # refused above
            clang-ffp-contract=fast)
                fuses || continue
                [ "$(uname -m)" = x86_64 ] && machine=-mfma
                want='products are fused into sums' ;;
            clang-fr*) want='divisions are done by the reciprocal' ;;
            clang-fu*) want='sums are taken in another order' ;;
            esac
            # shellcheck disable=SC2086
            $cc -std=c99 -O1 $real $flags $machine -ffunction-sections -I. \
                "$dir/selftest.c" linalg.c -lm -o "$dir/selftest"
            expect "$cc $real $flags" "$("$dir/selftest")" "$want"
        done
    done
done
[ $bad = 0 ] && echo "flags: ok"
exit $bad
