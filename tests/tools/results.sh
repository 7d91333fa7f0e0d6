#!/bin/sh
# SPDX-License-Identifier: MIT
# results.sh [--write] BUILD [DATA [WORD]]: are the tables of
# examples/experiments what the programs print?  A table, or lines in a fence,
# stand between
#   <!-- run: build/PROGRAM ... -->  and  <!-- end -->
# and have to be part of what that command prints, to the letter.  With --write
# they become that: the table whose head is the same.  A command that names DATA
# is left out where there is no DATA.  MADE is what data.sh makes of DATA/texts.
# WORD: only commands that have it.
set -u
cd "$(dirname "$0")/../.." || exit 1
unset MTC_DATA
write=0
[ "$1" != --write ] || { write=1; shift; }
build=$1
data=${2-}
word=${3-}
made=$build/data
bad=0
left=0
out=$(mktemp)
list=$(mktemp)
fresh=$(mktemp)
trap 'rm -f "$out" "$list" "$fresh"' EXIT

# Prints the page, with the blocks of the command as they should be.
compare='
    function from_head(head,   i, text) {
        for (i = 1; i <= rows && row[i] != head; i++)
            ;
        for (; i <= rows && row[i] != ""; i++)
            text = text row[i] "\n"
        return text
    }
    function block_end(   is) {
        is = !write ? body : index(body, "|") == 1 ? from_head(head) : printed
        if (is != "" && index(printed, is) != 0)
            body = is
        else {
            print page ":" first ": not what is printed" wrong > "/dev/stderr"
            bad = 1
        }
        printf "%s%s%s", open, body, close_
    }
    BEGIN {
        while ((getline line < out) > 0) {
            row[++rows] = line
            printed = printed line "\n"
            there[line] = 1
        }
        close(out)
    }
    !inside { print }
    $0 == "<!-- run: " command " -->" {
        inside = 1
        first = FNR + 1
        head = body = open = close_ = wrong = ""
        next
    }
    inside && $0 == "<!-- end -->" {
        inside = 0
        block_end()
        print
        next
    }
    inside && /^```/ {
        if (open == "")
            open = $0 "\n"
        else
            close_ = $0 "\n"
        next
    }
    inside {
        if (body == "")
            head = $0
        body = body $0 "\n"
        if (!($0 in there) && wrong == "")
            wrong = ", first here:\n" $0
    }
    END { exit bad }'
sed -n 's/^<!-- run: \(.*\) -->$/\1/p' examples/experiments/*.md |
    sort -u | grep -e "$word" > "$list"
while read -r command; do
    case $command in
    *DATA*|*MADE*)
        [ -n "$data" ] || { left=$((left + 1)); continue; }
        ;;
    esac
    case $command in
    *MADE*)
        [ -e "$made/sizes.txt" ] || examples/experiments/data.sh "$build/mtc" \
            "$data/texts" "$made" > /dev/null || bad=1
        ;;
    esac
    echo "results: $command"
    run=$(echo "$command" | sed "s|build/|$build/|; s|DATA|$data|g
                                 s|MADE|$made|g")
    $run < /dev/null > "$out" 2> /dev/null || {
        echo "results: $command failed"
        bad=1
    }
    for page in examples/experiments/*.md; do
        awk -v command="$command" -v out="$out" -v write=$write \
            -v page="$page" "$compare" "$page" > "$fresh" || bad=1
        [ $write = 0 ] || cmp -s "$fresh" "$page" || cp "$fresh" "$page"
    done
done < "$list"
[ "$left" -eq 0 ] || echo "results: $left commands need DATA"
exit "$bad"
