#!/bin/sh
# SPDX-License-Identifier: MIT
# What is promised of the files themselves: the top level holds what README
# names, the library is 80 columns of ASCII without tabs and has air, every file
# has its license, and each file stays within what a reader can carry.
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
    "$(grep -nE '^.{81,}|[^ -~]' mtc.h mtc.c linalg.c lp.c \
        examples/advice/*.[ch])"
sources=$(find tests examples -name '*.[ch]' -o -name '*.sh' -o -name '*.py' \
    -o -name '*.js' -o -name '*.css' -o -name '*.html')
rules=$(find tests examples -name '*.mk')
for f in mtc.h ./*.c $sources Makefile $rules .ci/run; do
    head -n 3 "$f" | grep -q SPDX || wrong "no SPDX line" "$f"
done

air=$(awk -f tests/tools/air.awk mtc.h mtc.c linalg.c lp.c \
    examples/advice/*.[ch])
[ -z "$air" ] || { echo "$air"; bad=1; }

# ---- budgets: NAME USED MOST [NOW] ----
# They count features, not spaces.  Who needs air may go over by 3 %.  What is
# farther over its budget has to be cut: until then it may not grow above NOW.
budget() {
    printf 'layout: %-24s %6d of %6d\n' "$1" "$2" "$3"
    [ "$(($2 * 100))" -le "$(($3 * 103))" ] && return
    echo "layout: $1 is $(($2 - $3)) over its budget, at most ${4-0} for now"
    [ "$2" -le "${4-0}" ] || bad=1
}
budget mtc.h "$(wc -l < mtc.h)" 1500
budget mtc.c "$(wc -l < mtc.c)" 8700 8961
budget linalg.c "$(wc -l < linalg.c)" 3930 # 130 of them: kernels of k-means
budget lp.c "$(wc -l < lp.c)" 830
budget examples/advice "$(cat examples/advice/*.[ch] | wc -l)" 4900 5819
budget examples/mtc "$(cat examples/mtc/*/*.[ch] | wc -l)" 24000 25477
budget Makefile "$(wc -l < Makefile)" 170
budget README.md "$(wc -l < README.md)" 170
budget CHANGELOG.md "$(wc -l < CHANGELOG.md)" 160
end=$(($(grep -n '^ . Private to' mtc.h | cut -d: -f1) - 2))
wrong "not where the public part ends, line $end" \
    "$(sed -n 1p mtc.h | grep -v "line $end\.\$")"
for f in mtc.h mtc.c linalg.c lp.c; do  # hosts show a larger one without colors
    [ "$(wc -c < $f)" -lt 500000 ] || wrong "500 KB or more" "$f"
done
budget "public functions" \
    "$(sed '/ifdef MTC_INTERNAL/q' mtc.h | grep -c '^MTC_API')" 108
budget "options of the program" "$(sed -n '/^static const option/,/^};/p' \
    examples/mtc/base/options.c | sed -n 's/^    {"\([a-z0-9-]\{1,\}\).*/\1/p' |
    sort -u | wc -l)" 110
long=0
for f in $sources; do           # numbers in golden/ may be as long as it takes
    case $f in tests/golden/*) continue ;; esac
    lines=$(wc -l < "$f")
    [ "$lines" -le "$long" ] || { long=$lines longest=$f; }
done
full=$(echo "$sources" | sed 's,/[^/]*$,,' | sort | uniq -c | sort -n | tail -n 1)
budget "fullest, ${full#*/}" "$(echo "$full" | sed 's, *\([0-9]*\).*,\1,')" 26
budget "longest, ${longest##*/}" "$long" 1200
[ $bad = 0 ] && echo "layout: ok"
exit $bad
