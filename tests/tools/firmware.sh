#!/bin/sh
# SPDX-License-Identifier: MIT
# The programs of examples/firmware on a Cortex-M4.  Its own Makefile builds
# and runs them as they are.  Then data are generated, clustered, saved and
# exported by the program, and all are built again (-Os, float) with these,
# run on an emulated board and compared with the host.  Prints flash
# and RAM, and the bytes of the exported function for every kind of model;
# fails where labels differ or a promise of size is broken.  With avr-gcc and
# simavr the headers are compiled, and one runs, on an ATmega328P, too.
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
cp examples/firmware/*.c "$dir"         # its headers come from the program
project=$(cd "$dir" && pwd)/project
warn="-std=c99 -pedantic -Wall -Wextra -Wconversion -Wshadow -Werror"
arm="-std=c99 -Os -mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16
     -ffunction-sections -fdata-sections -I."
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
# `label index:value ...` lines to a table: [task][sample][feature], of each
# task the first ROWS.
table() { # ROWS
awk -v most="$1" 'BEGIN {print "/* SPDX-License-Identifier: MIT */"
            print "#define R(x) (SAMPLE_REAL)x"}
     FNR == 1 {tasks++}
     FNR <= most {
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
     }' "$dir/blobs1.svm" "$dir/blobs2.svm"
}
table 100 > "$dir/samples.h"
host() {                        # PROGRAM: what it says here
    # shellcheck disable=SC2086
    cc $warn -O0 -DMTC_SINGLE -I. "$dir/$1.c" \
        "$dir"/host_*.o -lm -o "$dir/$1" && "$dir/$1" > "$dir/$1.want" ||
        exit 1
}
for f in mtc linalg lp; do
    cc -std=c99 -O0 -DMTC_SINGLE -c $f.c -o "$dir/host_$f.o" || exit 1
done
host kmeans
host assign
awk '/^\/\* Prints:/ {on = 1} on && sub(/^ \* /, "")' \
    examples/firmware/assign.c | cmp - "$dir/assign.want" ||
    wrong "assign prints other lines than it promises"

# ---- the project as it is: the same samples, the same labels ----
MAKEFLAGS='' make -C examples/firmware B="$project" \
    CFLAGS='-Os -Werror' run > "$dir/project.log" 2>&1 ||
    { cat "$dir/project.log"; exit 1; }
cmp examples/firmware/samples.h "$dir/samples.h" ||
    wrong "samples.h is not what the program generates"
for program in assign kmeans label; do
    cmp "$project/$program.said" "$dir/$program.want" ||
        wrong "$program: its project says other lines than the host"
done

# ---- on the board ----
# PROGRAM NAME FLAGS...: builds, runs and compares; flash and RAM
board() {
    program=$1 name=$2
    shift 2
    # shellcheck disable=SC2086
    $cc $arm $warn "$@" -Dmain=measured -c "$dir/$program.c" \
        -o "$dir/$name.o" && $cc $arm "$@" -nostartfiles -Wl,--gc-sections \
        -T examples/firmware/mps2.ld examples/firmware/start.c \
        tests/bare/measure.c tests/bare/stack.c "$dir/$name.o" $more -lm -o "$dir/$name.elf" || exit 1
    examples/firmware/board.sh "$dir/$name.elf" > "$dir/$name.said"
    stack=$(sed -n 's/^stack //p' "$dir/$name.said")
    grep -v '^stack ' "$dir/$name.said" | cmp - "$dir/$program.want" ||
        wrong "$name: other lines than the host's"
    samples=$(arm-none-eabi-nm -S "$dir/$name.elf" |
        sed -n 's/^[^ ]* \([^ ]*\) . samples$/\1/p')
    # shellcheck disable=SC2046
    set -- $(arm-none-eabi-size "$dir/$name.elf" | tail -n 1)
    ram=$(($2 + $3 + ${stack:-0}))
    echo "firmware $name: flash $(($1 + $2)), of it $((0x${samples:-0})) samples;" \
        "RAM $ram, of it ${stack:-0} stack; $(wc -l < "$dir/$program.want")" \
        "lines as the host's"
}
more="$project/mtc.o $project/linalg.o $project/lp.o"
board assign assign -DMTC_SINGLE -DMTC_NO_MALLOC
board kmeans kmeans -DMTC_SINGLE -DMTC_NO_MALLOC
[ "$ram" -le 6144 ] || wrong "kmeans: at most 6144 bytes of RAM"
more=
board label label -DMODEL_SINGLE
more="tests/bare/double.c -Wl,--wrap=__aeabi_dadd -Wl,--wrap=__aeabi_dsub
      -Wl,--wrap=__aeabi_drsub"
board label label_double

# ---- memory by rows, and instructions of a label ----
# shellcheck disable=SC2086
$cc $arm $warn -DMTC_SINGLE -DMTC_NO_MALLOC -DMODEL_SINGLE -I"$dir" \
    -nostartfiles -Wl,--gc-sections -T examples/firmware/mps2.ld \
    examples/firmware/start.c tests/bare/rows.c "$project"/mtc.o \
    "$project"/linalg.o "$project"/lp.o -lm -o "$dir/rows.elf" || exit 1
examples/firmware/board.sh "$dir/rows.elf" -icount shift=0 > "$dir/rows.said"
said=$(awk '/^rows / {printf "%s| %d x 5 |", sep, $2; sep = "\n"}
            /^kmeans |^mbc / {printf " %d |", $2}
            /^instructions / {n = $2}
            END {print "\ninstructions a label: " n}' "$dir/rows.said")
echo "$said" | sed 's/^/firmware /'
echo "$said" | grep '^|' | while read -r line; do
    grep -qF "$line" examples/firmware/README.md ||
        echo "firmware: README of the project has not: $line"
done

# ---- an ATmega328P, whose double is a float: 12 labels ----
avr=avr-gcc
for tool in avr-gcc simavr; do
    command -v $tool >/dev/null ||
        { echo "firmware avr: skipped, no $tool"; avr=; }
done
mega="-Os -mmcu=atmega328p"
if [ -n "$avr" ]; then
    mkdir -p "$dir/avr"
    cp "$dir/label.c" "$dir/model.h" "$dir/avr"
    table 6 > "$dir/avr/samples.h"
    # shellcheck disable=SC2086
    $avr $mega $warn -DMODEL_SINGLE -Dmain=measured -c "$dir/avr/label.c" \
        -o "$dir/avr/label.o" && $avr $mega $warn tests/bare/avr.c \
        "$dir/avr/label.o" -o "$dir/avr/label.elf" || exit 1
    { head -n 6 "$dir/blobs1.labels"
      head -n 6 "$dir/blobs2.labels"; } > "$dir/avr/want"
    # The emulator writes lines in color, each with a dot for its end.
    timeout 60 simavr -m atmega328p -f 16000000 "$dir/avr/label.elf" \
        2>&1 < /dev/null | sed -n 's/.*[[]32m\(-*[0-9]*\)[.].*/\1/p' \
        > "$dir/avr/said"
    if cmp "$dir/avr/said" "$dir/avr/want"; then
        echo "firmware avr: $(wc -l < "$dir/avr/said") lines as the host's;" \
            "flash $(avr-size "$dir/avr/label.elf" |
                awk 'NR == 2 {print $1 + $2 ", RAM " $2 + $3}') and the stack"
    else
        wrong "avr: other lines than the host's"
    fi
fi

# ---- the function alone, in float: ARGUMENTS of mtc... ----
most=1024
compiled() {                    # OPTIONS of mtc export: $code, with tables
    # shellcheck disable=SC2086
    $mtc export "$dir/f.json" --c f --out "$dir" --quiet "$@" &&
        $cc $arm $warn -DF_SINGLE -c "$dir/f.c" -o "$dir/f.o" || exit 1
    # shellcheck disable=SC2086
    [ -z "$avr" ] || $avr $mega $warn -DF_SINGLE -c "$dir/f.c" \
        -o "$dir/avr/f.o" || wrong "avr: a warning"
    code=$(arm-none-eabi-size -A "$dir/f.o" |
        awk '/^\.text/ {code += $2} /^\.rodata/ {tables += $2}
             END {print code + 0, tables + 0}')
}
function_of() { # NAME...
    echo '#include "f.h"'
    for f; do
        printf '%s\n' "int $f(int t, const f_real *x);" \
            "int $f(int t, const f_real *x) { return f_$f(t, x); }"
    done
}
bytes() {
    $mtc "$@" --quiet --save "$dir/f.json" || exit 1
    more=
    if [ "$1" = cluster ]; then
        function_of label far > "$dir/f.c"
        compiled --far
        more=${code% *}
    fi
    function_of label > "$dir/f.c"
    compiled
    [ -z "$more" ] || more=", --far $((more - ${code% *}))"
    echo "firmware bytes of code, of tables: $code ($1 $2$(echo "$*" |
        sed -n 's/.*\( --[dkp][^ ]* [^0-9 ][^ ]*\).*/\1/p')$more)"
    [ "0${more##* }" -le 120 ] || wrong "--far: at most 120 bytes more"
    [ "${code% *}" -le "$most" ] || wrong "at most $most bytes of code"
    arm-none-eabi-nm -u "$dir/f.o" | grep . && wrong "it calls these"
}
tasks="$dir/blobs1.svm $dir/blobs2.svm"
pair="--source $dir/blobs1.svm --target $dir/blobs2.svm"
bytes cluster kmeans --k 4 $tasks
bytes cluster mbc --k 4 $tasks
bytes cluster mbc --k 4 --smooth 20 --divergence kl $tasks
bytes cluster mbc --k 4 --smooth 20 --divergence is $tasks
bytes cluster kmeans --k 4 --preprocess zscore $tasks
bytes cluster kmeans --k 4 --preprocess l2 $tasks
bytes cluster pcakm --k 4 $tasks
bytes cluster lssmtc --k 4 $tasks
bytes transfer svm $pair
bytes transfer svm --kernel rbf $pair
for t in 1 2; do                        # tables above 1, which have logs
    awk 'BEGIN { print "label,a,b,c,d,e" }
         { printf "%s", $1
           for (i = 2; i <= NF; i++) { sub(/.*:/, "", $i); printf ",%s", $i + 20 }
           print "" }' "$dir/blobs$t.svm" > "$dir/table$t.csv"
done
tables="--log a,b,c,d,e $dir/table1.csv $dir/table2.csv"
bytes cluster mbc --k 4 --divergence kl --preprocess l2 $tables
bytes cluster pcakm --k 4 --preprocess l2 $tables
exit $bad
