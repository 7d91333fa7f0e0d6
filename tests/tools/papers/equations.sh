#!/bin/sh
# SPDX-License-Identifier: MIT
# Where is each equation of a paper?  A page of examples/experiments has
#   <!-- equations TAG N CHAPTERS --> ... <!-- end -->
# and between them a table of what mtc.c cites as "[TAG] (n)", in comments of
# these chapters also as "(n)" alone: the function and the line.  `equations.sh
# --write` writes the tables, without it they are compared.  Each of the N
# equations needs a row, or a line "- (n): why not".
set -u
cd "$(dirname "$0")/../../.." || exit 1
export LC_ALL=C
bad=0

rows() {                        # TAG N CHAPTERS: the table
    awk -v tag="[$1]" -v most="$2" -v own=" $3 " '
    { line[NR] = $0 }
    function cite(i, text,   one, from, n, range) {     # (a), (b) or (a)-(b)
        sub(/^ *\*? */, "", text)
        while (match(text, /^(,| |to|and)*-?\([0-9]+\)/)) {
            one = substr(text, 1, RLENGTH)
            text = substr(text, RLENGTH + 1)
            range = one ~ /-|to/
            gsub(/[^0-9]/, "", one)
            for (n = range ? from + 1 : one + 0; n <= one + 0; n++)
                add(n, i)
            from = one + 0
        }
    }
    function add(n, i) {
        if (n > most || (n, where(i)) in seen)
            return
        seen[n, where(i)] = 1
        cell[n] = cell[n] (cell[n] == "" ? "" : ", ") where(i) " " i
    }
    function where(l,   m) {    # the function around line l, or after it
        if (l in chapter)
            return "head of chapter " chapter[l]
        for (m = l; m <= NR && !(m in owner); m++)
            ;
        return "`" owner[m] "`"
    }
    END {
        for (i = 1; i <= NR; i++) {
            if (line[i] ~ /^\/\* ====/)
                head = 1
            if (head && line[i] ~ /^ \* Chapter /)
                split(line[i], word, " ")
            inside[i] = word[3]
            if (head)
                chapter[i] = word[3]
            if (line[i] ~ /====.*\*\/$/)
                head = 0
            if (line[i] != "{")
                continue
            for (k = i - 1; line[k] !~ /^[a-z].*\(/; k--)
                ;
            name = line[k]
            sub(/\(.*/, "", name)
            sub(/.*[ *]/, "", name)
            for (; line[k] != "}"; k++)
                owner[k] = name
        }
        for (i = 1; i <= NR; i++) {
            rest = line[i]
            if (index(own, " " inside[i] " ") && rest ~ /^ \*|\/\*/) {
                sub(/^.*\/\*/, "", rest)
                while (match(rest, /[ ,(]\([0-9]+\)/)) {
                    rest = substr(rest, RSTART + 1)
                    cite(i, rest)
                    sub(/^[^)]*\)/, "", rest)
                }
                continue
            }
            while ((at = index(rest, tag)) > 0) {
                rest = substr(rest, at + length(tag))
                cite(i, rest ~ /^ *$/ ? line[i + 1] : rest)
            }
        }
        print "| equation | function and line of mtc.c |"
        print "|---|---|"
        for (n = 1; n <= most; n++)
            if (cell[n] != "")
                print "| (" n ") | " cell[n] " |"
    }' mtc.c
}

table=$(mktemp)
page=$(mktemp)
trap 'rm -f "$table" "$page"' EXIT
for f in examples/experiments/*.md; do
    mark=$(sed -n 's/^<!-- equations \(.*\) -->$/\1/p' "$f")
    [ -n "$mark" ] || continue
    tag=${mark%% *}
    mark=${mark#* }
    rows "$tag" "${mark%% *}" "${mark#* }" > "$table"
    awk -v table="$table" '
        /^<!-- equations / {
            print
            while ((getline row < table) > 0)
                print row
            skip = 1
        }
        skip && /^<!-- run/ { exit }
        skip && /^<!-- end -->/ { skip = 0 }
        !skip { print }
        END { exit skip }' "$f" > "$page" || {
        echo "$f: the table of equations has no end"
        bad=1
        continue
    }
    if [ "${1-}" = --write ]; then
        cat "$page" > "$f"
    elif ! cmp -s "$page" "$f"; then
        echo "$f: the table of equations is stale: make equations"
        bad=1
    fi
    n=1
    while [ "$n" -le "${mark%% *}" ]; do
        grep -qE "^(\| \($n\) \|)|^- .*\($n\).*: " "$f" || {
            echo "$f: equation ($n) has neither a row nor a reason"
            bad=1
        }
        n=$((n + 1))
    done
done
exit "$bad"
