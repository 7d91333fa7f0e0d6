#!/bin/sh
# SPDX-License-Identifier: MIT
# The same bits everywhere: builds tests/tools/hash.c with every compiler and for
# every machine at hand, runs it (emulated where need be) and compares with
# tests/promises/hashes.txt, in float with tests/promises/hashes_single.txt.  A line for each;
# what is not installed is skipped and said so.
#
#     tests/tools/bits.sh BUILD_DIRECTORY [NAME...]
#
# Emulators are slow: the small shapes alone, and float on ARM alone, unless
# EMULATED=all is said.
set -u
dir=$1
shift
only=$*
src="tests/tools/hash.c mtc.c linalg.c lp.c $(echo examples/advice/*.c)"
mkdir -p "$dir"
rm -f "$dir/failed"

have() {                        # the first of the arguments not installed
    for tool; do
        command -v "${tool%% *}" >/dev/null || { echo "$tool"; return 1; }
    done
}

# One build and run: NAME REAL COMMAND...
one() {
    name=$1 real=$2 run=$3
    shift 3
    file=tests/promises/hashes.txt single=
    [ "$real" = float ] && file=tests/promises/hashes_single.txt single=-DMTC_SINGLE
    exe=$dir/hash_${name}_$real
    # shellcheck disable=SC2086
    if "$@" $single $src -lm -o "$exe" > "$exe.log" 2>&1 &&
        $run "$exe" $file $shapes > "$exe.out" 2>&1; then
        echo "bits $name $real: $(tail -n 1 "$exe.out")"
    else
        tail -n 20 "$exe.log" "$exe.out" 2>/dev/null
        echo "bits $name $real: FAILED"
        : > "$dir/failed"
    fi
}

# REALS NAME COMPILER RUNNER FLAGS...: two at a time
started=0
row() {
    reals=$1 row=$2 cc=$3 with=$4
    shift 4
    case " ${only:-$row} " in *" $row "*) ;; *) return ;; esac
    if ! missing=$(have "$cc" ${with:+"$with"}); then
        echo "bits $row: skipped, no $missing"
        return
    fi
    for r in $reals; do
        one "$row" "$r" "$with" "$cc" -std=c99 "$@" &
        started=$((started + 1))
        [ $((started % 2)) = 1 ] || wait
    done
}

# The small shapes on a Cortex-M4 without operating system, all memory static;
# hash_bare compares what the board says.
board() {
    examples/firmware/board.sh "$1" | sort > "$1.said"
    grep ' small-' "$1.said" > "$1.got"
    grep ' small-' "$2" | sort > "$1.want"
    grep '^stack' "$1.said" | sort -k 3nr > "$1.stack"
    diff "$1.want" "$1.got" &&
        echo "$(wc -l < "$1.want") equal, 0 differ; $(head -n 1 "$1.stack" |
            sed 's/stack \(.*\) \(.*\)/stack at most \2 bytes (\1)/')"
}

# The same program with this machine's vectors, and as one that has only SSE or
# AVX2.
vectors() {
    "$@" && qemu-x86_64 -cpu Nehalem "$@" && qemu-x86_64 -cpu Haswell "$@"
}
narrow=
if [ "$(uname -m)" = x86_64 ]; then
    if missing=$(have qemu-x86_64); then
        narrow=vectors
    else
        echo "bits sse, avx: skipped, no $missing"
    fi
fi

both="double float" shapes=
row double gcc-O0 gcc "" -O0
row double gcc-O2 gcc "$narrow" -O2
row float gcc-O2 gcc "" -O2
row double gcc-O3 gcc "" -O3
row "$both" clang clang "" -O2
row double tcc tcc ""
row double musl musl-gcc "" -O1 -static
wasi="--target=wasm32-wasi --sysroot=${WASI_SYSROOT:-/usr}"
# shellcheck disable=SC2086
if echo 'int main(void) { return 0; }' |
    clang $wasi -x c - -o "$dir/wasi" 2>/dev/null; then
    row "$both" wasm clang "node tests/tools/web/wasm.js" -O2 $wasi
elif [ "${only:-wasm}" != "${only#*wasm}" ]; then
    echo "bits wasm: skipped, no clang with wasi-libc"
fi
wait
some=$both
[ "${EMULATED-}" = all ] || shapes=small some=double
[ "$(uname -m)" = aarch64 ] || row double aarch64 aarch64-linux-gnu-gcc \
    qemu-aarch64 -O2 -static
[ "$(uname -m)" = x86_64 ] || row "$some" x86_64 x86_64-linux-gnu-gcc \
    "qemu-x86_64 -L /usr/x86_64-linux-gnu" -O2
row "$both" arm arm-linux-gnueabihf-gcc qemu-arm -O2 -static
# ISO C on s390x means floats in double (FLT_EVAL_METHOD 1) unless told so.
row "$some" s390x s390x-linux-gnu-gcc qemu-s390x -O2 -static \
    -fexcess-precision=fast
wait
shapes=
case " ${only:-bare} " in *" bare "*)
    if missing=$(have arm-none-eabi-gcc qemu-system-arm); then
        for real in double float; do
            one bare $real board arm-none-eabi-gcc -std=c99 -O2 \
                -mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16 \
                -ffunction-sections -fdata-sections -nostartfiles \
                -Wl,--gc-sections -T examples/firmware/mps2.ld -DMTC_BARE=2 \
                -DMTC_NO_MALLOC -Wl,--wrap=__aeabi_dadd \
                -Wl,--wrap=__aeabi_dsub -Wl,--wrap=__aeabi_drsub \
                examples/firmware/start.c tests/bare/stack.c \
                tests/bare/double.c &
        done
        wait
    else
        echo "bits bare: skipped, no $missing"
    fi
esac
wait
[ ! -e "$dir/failed" ]
