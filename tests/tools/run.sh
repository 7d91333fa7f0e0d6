#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the tests in two halves of about the same time side by side, suites that
# begin with c (those of the program among them) and all others, then those of
# Python, and adds up: the last line is "N passed, N failed".
#
#     tests/tools/run.sh BUILD_DIRECTORY [flags of build/tests]
#
# RUN stands in front of the tests: valgrind, an emulator.  PYTHON runs
# Python's, if it is set and all tests are asked for.
set -u
dir=$1
shift
for tool in awk cat chmod cmp cp env grep ln mkdir mkfifo rm sed sleep tee tr; do
    command -v $tool >/dev/null || missing="${missing-} $tool"
done
if [ -n "${missing-}" ]; then
    echo "make test needs these utilities of POSIX, missing here:$missing"
    echo "0 passed, 1 failed"
    exit 1
fi
half() {                        # NUMBER VARIABLE FLAGS...: suites c*, or not
    number=$1 which=$2
    shift 2
    # shellcheck disable=SC2086
    env "$which=c" ${RUN-} "$dir/tests" "$@" 2>&1
    echo $? > "$dir/tests_$number.status"
}
rm -f "$dir"/tests_[123].status "$dir"/tests_3.log
half 2 TESTS_ONLY "$@" > "$dir/tests_2.log" &
half 1 TESTS_WITHOUT "$@" | tee "$dir/tests_1.log"
wait
cat "$dir/tests_2.log"
if [ -n "${PYTHON-}" ] && ! command -v "$PYTHON" >/dev/null; then
    echo "python: skipped, no $PYTHON"
elif [ -n "${PYTHON-}" ] && [ $# = 0 ]; then
    "$PYTHON" tests/test_python.py "$dir" > "$dir/tests_3.log" 2>&1
    echo $? > "$dir/tests_3.status"
    cat "$dir/tests_3.log"
fi
echo
bad=$(cat "$dir"/tests_[123].status | grep -vcx 0)
awk -v bad="$bad" '
    /^[0-9]+ passed, [0-9]+ failed$/ {
        passed += $1
        failed += $3
        if (FILENAME !~ /tests_3.log$/) library += $1 + $3
    }
    END {
        if (bad && !failed) {
            print "FAIL: the test program ended badly"
            failed = bad
        }
        if (!library) {
            print "FAIL: no test of the library was run"
            failed++
        }
        print passed + 0 " passed, " failed + 0 " failed"
        exit failed > 0
    }' "$dir"/tests_[123].log
