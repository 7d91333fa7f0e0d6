#!/bin/sh
# SPDX-License-Identifier: MIT
# What is promised of the files themselves: the top level holds what README
# names, the library is 80 columns of ASCII without tabs, every file has its
# license, and each file stays within what a reader can carry.
set -u
cd "$(dirname "$0")/../.." || exit 1
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
sources=$(find tests examples -name '*.[ch]' -o -name '*.sh' -o -name '*.py' \
    -o -name '*.js' -o -name '*.css' -o -name '*.html')
for f in mtc.h ./*.c $sources Makefile .ci/run; do
    head -n 3 "$f" | grep -q SPDX || wrong "no SPDX line" "$f"
done

# ---- budgets: NAME USED MOST ----
budget() {
    printf 'layout: %-24s %6d of %6d\n' "$1" "$2" "$3"
    [ "$2" -le "$3" ] || { echo "$1: over its budget"; bad=1; }
}
budget mtc.h "$(wc -l < mtc.h)" 1600
budget mtc.c "$(wc -l < mtc.c)" 9500
budget "mtc.c, bytes" "$(wc -c < mtc.c)" 409600
budget linalg.c "$(wc -l < linalg.c)" 3900
budget lp.c "$(wc -l < lp.c)" 950
budget README.md "$(wc -l < README.md)" 240
budget "public functions" \
    "$(sed '/ifdef MTC_INTERNAL/q' mtc.h | grep -c '^MTC_API')" 125
long=0
for f in $sources; do           # numbers in golden/ may be as long as it takes
    case $f in tests/golden/*) continue ;; esac
    lines=$(wc -l < "$f")
    [ "$lines" -le "$long" ] || { long=$lines longest=$f; }
    [ "$lines" -le 1200 ] || wrong "$((lines)) lines, at most 1200" "$f"
done
budget "longest, ${longest##*/}" "$long" 1200
[ $bad = 0 ] && echo "layout: ok"
exit $bad
