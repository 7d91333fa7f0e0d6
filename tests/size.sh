#!/bin/sh
# SPDX-License-Identifier: MIT
# What a method costs on a Cortex-M4: for each, the bytes of code and
# constants that are left when it alone is called (-Os, sections collected;
# the compiler's soft double and libm included), in double and in float.
# And the largest frame, and that no function calls itself by way of others
# (calls by pointer aside): the depth of the stack is bounded whatever the
# data; check-bits measures it.
#
#     tests/size.sh BUILD_DIRECTORY
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

# Every public function that takes a context and is neither a query nor a
# helper of one; one file that names it keeps it and what it needs.
names=$(sed -n 's/^MTC_API mtc_status mtc_\([a-z_]*\)(mtc_context.*/\1/p' \
    mtc.h | grep -vxE 'data_check|fail|tick|job_run')
text() {
    # shellcheck disable=SC2086
    $cc $flags -nostartfiles -Wl,--gc-sections -Wl,-e,keep "$dir/keep.c" \
        "$dir"/*_"$1".o -lm -o "$dir/keep.elf" 2>"$dir/log" || return 1
    arm-none-eabi-size "$dir/keep.elf" | awk 'NR == 2 {print $1 + $2}'
}
printf 'size %-18s %8s %8s\n' "bytes of" double float
body=
for name in $names; do
    cat > "$dir/keep.c" <<END
void mtc_$name(void);
void (*volatile kept)(void);
void keep(void);
void keep(void) { kept = mtc_$name; }
END
    printf 'size %-18s %8s %8s\n' "$name" "$(text double)" "$(text float)"
    body="$body void mtc_$name(void);"
done
{
    echo "$body void (*volatile kept)(void); void keep(void);"
    echo 'void keep(void) {'
    for name in $names; do echo "kept = mtc_$name;"; done
    echo '}'
} > "$dir/keep.c"
printf 'size %-18s %8s %8s\n' "all of them" "$(text double)" "$(text float)"
