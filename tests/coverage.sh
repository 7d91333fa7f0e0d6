#!/bin/sh
# SPDX-License-Identifier: MIT
# Lines and branches of the library that `make test` reaches, by gcovr; the
# lines that it does not, by number.  Fails below LINES or BRANCHES per cent.
#
#     tests/coverage.sh BUILD_DIRECTORY
#
# Left out, by name and reason:
#   branches of MTC_ASSERT          empty outside test builds
#   branches that no source has     cleanup of exceptions: there are none in C
set -u
dir=$1
LINES=98
BRANCHES=94
mkdir -p "$dir"
command make test B="$dir" CFLAGS='-O0 --coverage' TFLAGS="${TFLAGS-}" \
    > "$dir.log" 2>&1 || { tail -n 20 "$dir.log"; exit 1; }
gcovr -r . --object-directory "$dir/obj" -f 'mtc\.c' -f 'linalg\.c' \
    -f 'lp\.c' --exclude-unreachable-branches --exclude-throw-branches \
    --json-summary "$dir/summary.json" --txt "$dir/lines.txt" \
    "$dir/obj" > /dev/null 2> "$dir/gcovr.log" || { cat "$dir/gcovr.log"; exit 1; }
sed -n '/^[a-z]*\.c/p' "$dir/lines.txt"
LINES=$LINES BRANCHES=$BRANCHES python3 - "$dir/summary.json" <<'END'
import json
import os
import sys
t = json.load(open(sys.argv[1]))
print("coverage: %.2f %% of %d lines, %.2f %% of %d branches"
      % (t["line_percent"], t["line_total"], t["branch_percent"],
         t["branch_total"]))
sys.exit(t["line_percent"] < float(os.environ["LINES"]) or
         t["branch_percent"] < float(os.environ["BRANCHES"]))
END
