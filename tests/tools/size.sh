#!/bin/sh
# SPDX-License-Identifier: MIT
# What a method costs on a Cortex-M4: for each, the bytes of code and
# constants that are left when it alone is called (-Os, sections collected;
# the compiler's soft double and libm included), in double and in float.
# And the largest frame, and that no function calls itself by way of others
# (calls by pointer aside): the depth of the stack is bounded whatever the
# data; check-bits measures it.
#
#     tests/tools/size.sh BUILD_DIRECTORY
set -u
dir=$1
cc=arm-none-eabi-gcc
command -v $cc >/dev/null || { echo "check-size: skipped, no $cc"; exit 0; }
mkdir -p "$dir"
flags="-std=c99 -Os -mcpu=cortex-m4 -mthumb -mfloat-abi=hard
       -mfpu=fpv4-sp-d16 -ffunction-sections -fdata-sections -DMTC_NO_MALLOC"
for real in double float; do
    single=
    [ $real = float ] && single=-DMTC_SINGLE
    for f in linalg lp mtc; do
        # shellcheck disable=SC2086
        $cc $flags $single -fcallgraph-info=su -c $f.c \
            -o "$dir/${f}_$real.o" || exit 1
    done
done

calls=$(sed -n \
    's/^edge: { sourcename: "\([^"]*\)" targetname: "\([^"]*\)".*/\1 \2/p' \
    "$dir"/*_double.ci | sed 's/[^ ]*://g' | sort -u)
if echo "$calls" | awk '$1 == $2 {print; bad = 1} END {exit bad}' &&
    echo "$calls" | tsort > /dev/null; then
    echo "calls: $(echo "$calls" | wc -l), no recursion; largest frame:" \
        "$(sed -n 's/.*title: "\([^"]*\)".*n\([0-9]*\) bytes.*/\2 \1/p' \
            "$dir"/*_double.ci | sed 's/ .*:/ /' | sort -rn | head -n 1)"
else
    echo "calls: FAILED, a function calls itself"
    exit 1
fi

# Every public function that takes a context: a file that names it keeps it
# and what it needs.  Below `MTC_INTERNAL` nothing is public.
names=$(sed -n -e '/ifdef MTC_INTERNAL/q' \
    -e 's/^MTC_API mtc_status mtc_\([a-z_]*\)(mtc_context.*/\1/p' mtc.h |
    grep -vx data_check)
keep() {                        # NAME...: a program that needs just these
    printf '#include "mtc.h"\nvoid (*volatile kept)(void);\n'
    printf 'void keep(void);\nvoid keep(void)\n{\n'
    printf '    kept = (void (*)(void))mtc_%s;\n' "$@"
    echo '}'
}
text() {                        # REAL: bytes of keep.c linked with the rest
    single=
    [ "$1" = float ] && single=-DMTC_SINGLE
    # shellcheck disable=SC2086
    $cc $flags $single -I. -nostartfiles -Wl,--gc-sections -Wl,-e,keep \
        "$dir/keep.c" "$dir"/*_"$1".o -lm -o "$dir/keep.elf" \
        2>"$dir/log" || { cat "$dir/log"; return 1; }
    arm-none-eabi-size "$dir/keep.elf" | awk 'NR == 2 {print $1 + $2}'
}
limit() {                       # NAME: most bytes it may take in float
    case $1 in
    kmeans_assign) echo 3400 ;;
    emd) echo 9216 ;;           # 9 KB
    kmeans) echo 10500 ;;
    mbc) echo 25000 ;;
    *) echo 999999 ;;
    esac
}
bad=0
printf 'size %-18s %8s %8s\n' "bytes of" double float
for name in $names; do
    keep "$name" > "$dir/keep.c"
    float=$(text float)
    printf 'size %-18s %8s %8s\n' "$name" "$(text double)" "$float"
    if [ "$float" -gt "$(limit "$name")" ]; then
        echo "size $name: FAILED, at most $(limit "$name") are promised"
        bad=1
    fi
done
# shellcheck disable=SC2086
keep $names > "$dir/keep.c"
printf 'size %-18s %8s %8s\n' "all of them" "$(text double)" "$(text float)"

# The memory of k-means on 100 x 3 values, 4 clusters, in float: 6 KB.
cat > "$dir/need.c" <<'END'
#include <stdio.h>
#include "mtc.h"
int main(void)
{
    static mtc_real x[100 * 3];
    mtc_data X = mtc_dense(100, 3, x);
    mtc_kmeans_options opt = mtc_kmeans_defaults();
    mtc_kmeans_result res;
    mtc_context ask = mtc_measure();
    opt.clusters = 4;
    mtc_kmeans(&ask, &X, &opt, &res);
    printf("%lu\n", (unsigned long)ask.need);
    return 0;
}
END
cc -std=c99 -O1 -DMTC_SINGLE -I. "$dir/need.c" mtc.c linalg.c lp.c -lm \
    -o "$dir/need" || exit 1
need=$("$dir/need")
echo "size of memory for k-means, 100 x 3, k = 4, float: $need"
[ "$need" -le 6144 ] || { echo "need: FAILED, at most 6144"; bad=1; }
exit $bad
