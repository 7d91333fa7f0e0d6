#!/bin/sh
# SPDX-License-Identifier: MIT
# results.sh [--write] BUILD [DATA [WORD]]: are the tables of
# examples/experiments what the programs print?  A table, or lines in a fence,
# stand between
#   <!-- run: build/PROGRAM ... -->  and  <!-- end -->
# A table has to be the one that the command prints with the same head, the
# lines in a fence all that it prints, to the letter.  With --write they become
# that.  Nothing is written where a marker is missing, where a command fails, or
# where it prints no table of this head.
#
# A command that names DATA is left out where there is no DATA.  MADE is what
# data.sh makes of DATA/texts.  WORD: only commands that have it.  What a command
# printed is kept in BUILD/results until its program or MADE changes, so that a
# run that was stopped goes on where it was; delete that after a change of DATA.
# PAGES=dir: other pages than those.
set -u
cd "$(dirname "$0")/../../.." || exit 1
unset MTC_DATA
write=0
[ "$1" != --write ] || { write=1; shift; }
build=$1
data=${2-}
word=${3-}
pages=${PAGES-examples/experiments}
made=$build/made
kept=$build/results
bad=0
left=0
list=$(mktemp)
fresh=$(mktemp)
trap 'rm -f "$list" "$fresh"' EXIT
mkdir -p "$kept"

# Each marker that opens a block has its end, and the other way round.
awk '
    function wrong(where, what) { print where ": " what; bad = 1 }
    FNR == 1 && open { wrong(open, "no end"); open = "" }
    /^<!-- (run|equations)/ {
        if (open)
            wrong(open, "no end")
        open = FILENAME ":" FNR
    }
    /^<!-- end -->$/ {
        if (!open)
            wrong(FILENAME ":" FNR, "an end, and no beginning")
        open = ""
    }
    END {
        if (open)
            wrong(open, "no end")
        exit bad
    }' "$pages"/*.md || exit 1

# Prints the page, with the blocks of the command as they should be.
compare='
    function from_head(head,   i, tables, text) {
        for (i = 1; i <= rows; i++)
            if (row[i] == head) {
                tables++
                for (; i <= rows && row[i] != ""; i++)
                    text = text row[i] "\n"
            }
        return tables == 1 ? text : ""
    }
    function block_end(   is) {
        is = fences == 2 ? printed : fences == 0 ? from_head(head) : ""
        if (is == "" || (!write && body != is)) {
            print page ":" first ": not what is printed" wrong > "/dev/stderr"
            bad = 1
            printf "%s", all
        } else
            printf "%s%s%s", open, is, close_
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
        fences = 0
        head = body = all = open = close_ = wrong = ""
        next
    }
    inside && $0 == "<!-- end -->" {
        inside = 0
        block_end()
        print
        next
    }
    inside { all = all $0 "\n" }
    inside && /^```/ {
        if (fences++ == 0)
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

sum() { cksum | cut -d ' ' -f 1; }

# The sets of DATA/texts, by the program as it is now.
make_sets() {
    of="$data/texts, $(sum < "$build/mtc")"
    [ "$(cat "$made/of" 2> /dev/null)" != "$of" ] || return 0
    echo "results: makes $made of the texts"
    rm -rf "$made"
    examples/experiments/data.sh "$build/mtc" "$data/texts" "$made" \
        > /dev/null && echo "$of" > "$made/of"
}

# What a command line answers by: itself, its program, the sets it reads.
key() {
    echo "$1"
    cat "${1%% *}"
    case $1 in *"$made"*) find "$made" -type f | sort | xargs cat ;; esac
}

sed -n 's/^<!-- run: \(.*\) -->$/\1/p' "$pages"/*.md |
    sort -u | grep -e "$word" > "$list"
while read -r command; do
    case $command in
    *DATA*|*MADE*)
        [ -n "$data" ] || { left=$((left + 1)); continue; }
        ;;
    esac
    case $command in
    *MADE*) make_sets || { echo "results: no sets"; bad=1; continue; } ;;
    esac
    run=$(echo "$command" | sed "s|build/|$build/|; s|DATA|$data|g
                                 s|MADE|$made|g")
    out=$kept/$(key "$run" | sum)
    if [ -e "$out" ]; then
        echo "results: $command (kept)"
    else
        since=$(date +%s)
        $run < /dev/null > "$out.part" 2> /dev/null || {
            echo "results: $command failed"
            bad=1
            continue
        }
        mv "$out.part" "$out"
        echo "results: $command ($(($(date +%s) - since)) s)"
    fi
    for page in "$pages"/*.md; do
        awk -v command="$command" -v out="$out" -v write=$write \
            -v page="$page" "$compare" "$page" > "$fresh" || bad=1
        [ $write = 0 ] || cmp -s "$fresh" "$page" || cp "$fresh" "$page"
    done
done < "$list"
[ "$left" -eq 0 ] || echo "results: $left commands need DATA"
exit "$bad"
