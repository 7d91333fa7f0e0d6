#!/bin/sh
# SPDX-License-Identifier: MIT
# What is promised of the files themselves: the top level holds what README
# names, the library is 80 columns of ASCII without tabs, every file has its
# licence.  Sizes beyond what was meant are told, and do not count.
set -u
cd "$(dirname "$0")/.." || exit 1
export LC_ALL=C
bad=0
wrong() {                       # REASON LINES
    [ -z "$2" ] || { echo "$2" | sed "s/\$/: $1/"; bad=1; }
}

names=$(if [ -e .git ]; then git ls-files; else ls; fi)
wrong "has no place in the top level" "$(echo "$names" | cut -d/ -f1 |
    sort -u | grep -vxE '\..*|build|tests|examples|Makefile|mtc\.[ch]' |
    grep -vxE 'linalg\.c|lp\.c|LICENSE|README\.md|CHANGELOG\.md')"
wrong "over 80 columns, a tab, or not ASCII" \
    "$(grep -nE '^.{81,}|[^ -~]' mtc.h mtc.c linalg.c lp.c)"
for f in mtc.h ./*.c tests/*.[ch] tests/*.sh examples/*.c Makefile .ci/run; do
    head -n 3 "$f" | grep -q SPDX || wrong "no SPDX line" "$f"
done

for b in mtc.h:900 linalg.c:2600 lp.c:900 mtc.c:4200; do
    lines=$(wc -l < "${b%:*}")
    [ "$lines" -le "${b#*:}" ] ||
        echo "over  ${b%:*} has $((lines)) lines, meant to have ${b#*:}"
done
[ $bad = 0 ] && echo "layout: ok"
exit $bad
