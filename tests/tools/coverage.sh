#!/bin/sh
# SPDX-License-Identifier: MIT
# Lines and branches of the library that `make test` reaches, by gcovr; the
# lines that it does not, by number.  Fails below LINES or BRANCHES per cent.
#
#     tests/tools/coverage.sh BUILD_DIRECTORY
#
# Left out, by name and reason:
#   branches of MTC_ASSERT          empty outside test builds
#   branches of MTC_COPY            whether there is anything to copy
#   branches that no source has     cleanup of exceptions: there are none in C
#   what EXCLUDED names             function, statement and how many lines from
#                                   there on; only where no test comes.  Kinds:
#     bound     the last resort of an eigensolver that has ended by itself on
#               everything ever tried; kept so that no input can hang
#     handed    the status of a call that fails only on NaN, on infinity or at
#               such a bound, where the values have been checked before; memory
#               that was measured by a shape at least as large
#     size      more samples than 32 bits count: beyond a test's memory
#     rounding  a cancellation to the last bits that no search has found; kept
#               because the next line would divide by what is left, or go up
#     single    in float only; this is measured in double
set -u
dir=$1
LINES=100
BRANCHES=98
EXCLUDED='
bound    tql_solve           if (sweep == TQL_ROTATIONS)                    2
bound    inv_normalize       if (!(largest > 0) || !MTC_FINITE(largest))    2
bound    inv_vector          if (!inv_purge(n, m, out - m * n, ws->x))      2
bound    inv_range           INV_LIMIT(n, ws->norm))                        2
bound    mtc_spectral_in     if (residual > near && residual > MTC_SQRT(    2
bound    pca_work            if (exact && j->svd.residual > MTC_SQRT(       2
handed   lss_work            if (!MTC_FINITE(f[0]))                         2
size     graph_check         if (N > UINT32_MAX)                            3
rounding tql_sweep           if (r == 0) {                                  4
rounding snmf_work           if (!(value <= most))                          2
single   snmf_work           if (!MTC_FINITE(f[0]))                         2
'
mkdir -p "$dir"
# The lanes of tests run at once: their counters have to be atomic.
command make test B="$dir" PY= CFLAGS='-O0 --coverage -fprofile-update=atomic' \
    CPPFLAGS=-DMTC_NO_THREADS TFLAGS="${TFLAGS--x demo}" \
    PROGS="$dir/mtc $dir/quickstart $dir/sparse $dir/static_memory" \
    > "$dir.log" 2>&1 || { tail -n 20 "$dir.log"; exit 1; }
# A program that ends inside a call makes gcov count a branch below 0.
gcovr -r . --gcov-ignore-parse-errors --object-directory "$dir/obj" -f 'mtc\.c' -f 'linalg\.c' \
    -f 'lp\.c' --exclude-unreachable-branches --exclude-throw-branches \
    --json "$dir/coverage.json" "$dir/obj" > /dev/null 2> "$dir/gcovr.log" \
    || { cat "$dir/gcovr.log"; exit 1; }
LINES=$LINES BRANCHES=$BRANCHES EXCLUDED=$EXCLUDED \
    python3 - "$dir/coverage.json" <<'END'
import json
import os
import re
import sys

rules = []
for row in os.environ["EXCLUDED"].strip().split("\n"):
    kind, function, text, count = re.match(
        r"(\S+)\s+(\S+)\s+(.*?)\s+(\d+)$", row).groups()
    rules.append((kind, function, text, int(count)))
used, kinds = set(), {}
total = {"line": [0, 0], "branch": [0, 0]}      # there are, are reached


def excluded(source):
    """{line number: rule} of one file."""
    out, function = {}, ""
    for i, line in enumerate(source):
        name = re.match(r"[a-z].*?(\w+)\(", line)
        if name and not line.endswith(";"):
            function = name.group(1)
        for rule in rules:
            if rule[1] == function and line.strip().startswith(rule[2]):
                out.update({i + 1 + k: rule for k in range(rule[3])})
    return out


for file in json.load(open(sys.argv[1]))["files"]:
    source = open(file["file"]).read().split("\n")
    left_out = excluded(source)
    missed = {"line": [], "branch": []}
    for line in file["lines"]:
        if line.get("gcovr/noncode"):
            continue
        n = line["line_number"]
        counts = {"line": [line["count"]],
                  "branch": [b["count"] for b in line["branches"]]}
        if "MTC_COPY(" in source[n - 1]:
            counts["branch"] = []
        for what, hits in counts.items():
            for hit in hits:
                if hit == 0 and n in left_out:
                    used.add(left_out[n])
                    kind = left_out[n][0], what
                    kinds[kind] = kinds.get(kind, 0) + 1
                    continue
                total[what][0] += 1
                total[what][1] += hit > 0
                if hit == 0:
                    missed[what].append(n)
    for what in ("line", "branch"):
        print("%-9s %d %s(s) not reached: %s"
              % (file["file"], len(missed[what]), what,
                 " ".join(map(str, sorted(set(missed[what]))))))
for rule in rules:
    if rule not in used:
        print("coverage: nothing to exclude any more: %s, %s" % rule[1:3])
print("excluded: " + ", ".join("%d %s(s) %s" % (kinds[k], k[1], k[0])
                               for k in sorted(kinds)))
share = {what: 100.0 * b / a for what, (a, b) in total.items()}
print("coverage: %.2f %% of %d lines, %.2f %% of %d branches"
      % (share["line"], total["line"][0], share["branch"],
         total["branch"][0]))
sys.exit(share["line"] < float(os.environ["LINES"]) or
         share["branch"] < float(os.environ["BRANCHES"]))
END
