#!/bin/sh
# SPDX-License-Identifier: MIT
# results.sh BUILD [DATA [WORD]]: are the tables of examples/experiments what
# the programs print?  A table, or lines in a fence, stand between
#   <!-- run: build/PROGRAM ... -->  and  <!-- end -->
# and have to be part of what that command prints, to the letter.  A command
# that names DATA is left out where there is no DATA.  MADE is what data.sh
# makes of DATA/texts.  WORD: only commands that have it.
set -u
cd "$(dirname "$0")/../.." || exit 1
unset MTC_DATA
build=$1
data=${2-}
word=${3-}
made=$build/data
bad=0
left=0
out=$(mktemp)
list=$(mktemp)
trap 'rm -f "$out" "$list"' EXIT
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
    awk -v command="$command" -v out="$out" '
        BEGIN {
            while ((getline row < out) > 0) {
                printed = printed row "\n"
                there[row] = 1
            }
        }
        $0 == "<!-- run: " command " -->" {
            block = ""
            first = FNR + 1
            inside = 1
            next
        }
        inside && /^```/ { next }
        inside && $0 == "<!-- end -->" {
            inside = 0
            if (block == "" || index(printed, block) == 0) {
                print FILENAME ":" first ": not what is printed" wrong
                bad = 1
            }
            wrong = ""
        }
        inside {
            block = block $0 "\n"
            if (!($0 in there) && wrong == "")
                wrong = ", first here:\n" $0
        }
        END { exit bad }' examples/experiments/*.md || bad=1
done < "$list"
[ "$left" -eq 0 ] || echo "results: $left commands need DATA"
exit "$bad"
