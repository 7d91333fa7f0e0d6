#!/bin/sh
# SPDX-License-Identifier: MIT
# The two programs of examples/firmware on a Cortex-M4: data are generated,
# clustered, saved and exported by the program; then both are built (-Os,
# float), run on an emulated board and compared with the host.  Prints flash
# and RAM; fails where labels differ or a promise of size is broken.
#
#     tests/tools/firmware.sh BUILD_DIRECTORY PROGRAM
set -u
dir=$1 mtc=$2
cc=arm-none-eabi-gcc
for tool in $cc qemu-system-arm; do
    command -v $tool >/dev/null || { echo "firmware: skipped, no $tool"
                                     exit 0; }
done
rm -rf "$dir"
mkdir -p "$dir"
warn="-std=c99 -pedantic -Wall -Wextra -Wconversion -Wshadow -Werror"
arm="-std=c99 -Os -mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16
     -ffunction-sections -fdata-sections -I$dir"
src="mtc.c linalg.c lp.c"
bad=0
wrong() { echo "firmware: FAILED, $*"; bad=1; }

# ---- at the desk: data, model, header; what the host says ----
$mtc generate blobs --n 100 --k 4 --out "$dir" --quiet &&
    $mtc cluster mbc --k 4 "$dir/blobs1.svm" "$dir/blobs2.svm" --quiet \
        --save "$dir/model.json" &&
    $mtc export "$dir/model.json" --c model --out "$dir" &&
    $mtc assign "$dir/model.json" "$dir/blobs1.svm" "$dir/blobs2.svm" \
        --quiet --out "$dir" || exit 1
cat "$dir/blobs1.labels" "$dir/blobs2.labels" > "$dir/label.want"
# `label index:value ...` lines to a table: [task][sample][feature]
awk 'BEGIN {print "#define R(x) (SAMPLE_REAL)x"}
     FNR == 1 {tasks++}
     {
         rows = rows (FNR > 1 ? ",\n" : tasks > 1 ? "}, {\n" : "") "    {"
         for (j = 2; j <= NF; j++) {
             sub(/.*:/, "", $j)
             rows = rows (j > 2 ? ", " : "") "R(" $j ")"
         }
         rows = rows "}"
         n = FNR
         d = NF - 1
     }
     END {
         print "enum { SAMPLES = " n ", FEATURES = " d " };"
         print "static const SAMPLE_REAL samples[" tasks "][" n "][" d \
               "] = {{\n" rows "\n}};"
     }' "$dir/blobs1.svm" "$dir/blobs2.svm" > "$dir/samples.h"
# shellcheck disable=SC2086
cc $warn -O1 -DMTC_SINGLE -I"$dir" examples/firmware/kmeans.c $src -lm \
    -o "$dir/kmeans" && "$dir/kmeans" > "$dir/kmeans.want" || exit 1

# ---- on the board ----
# PROGRAM NAME FLAGS...: builds, runs and compares; flash and RAM
board() {
    program=$1 name=$2
    shift 2
    # shellcheck disable=SC2086
    $cc $arm $warn "$@" -Dmain=measured -c "examples/firmware/$program.c" \
        -o "$dir/$name.o" && $cc $arm "$@" -nostartfiles -Wl,--gc-sections \
        -T tests/bare/mps2.ld tests/bare/start.c tests/bare/measure.c \
        "$dir/$name.o" $more -lm -o "$dir/$name.elf" || exit 1
    tests/bare/board.sh "$dir/$name.elf" > "$dir/$name.said"
    stack=$(sed -n 's/^stack //p' "$dir/$name.said")
    grep -v '^stack ' "$dir/$name.said" | cmp - "$dir/$program.want" ||
        wrong "$name: other labels than the host's"
    # shellcheck disable=SC2046
    set -- $(arm-none-eabi-size "$dir/$name.elf" | tail -n 1)
    ram=$(($2 + $3 + ${stack:-0}))
    echo "firmware $name: flash $(($1 + $2)), RAM $ram (stack" \
        "${stack:-0}), $(wc -l < "$dir/$program.want") labels as the host's"
}
more=$src
board kmeans kmeans -DMTC_SINGLE -DMTC_NO_MALLOC
[ "$ram" -le 6144 ] || wrong "kmeans: at most 6144 bytes of RAM"
more=
board label label -DMODEL_SINGLE
more="tests/bare/double.c -Wl,--wrap=__aeabi_dadd -Wl,--wrap=__aeabi_dsub
      -Wl,--wrap=__aeabi_drsub"
board label label_double
exit $bad
