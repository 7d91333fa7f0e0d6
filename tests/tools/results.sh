#!/bin/sh
# SPDX-License-Identifier: MIT
# results.sh BUILD [DATA]: are the tables of examples/experiments what the
# programs print?  A table stands between
#   <!-- run: build/PROGRAM ... -->  and  <!-- end -->
# and has to be part of what that command prints, to the letter.  A command that
# names DATA is left out where there is no DATA.
set -u
cd "$(dirname "$0")/../.." || exit 1
build=$1
data=${2-}
bad=0
left=0
out=$(mktemp)
list=$(mktemp)
trap 'rm -f "$out" "$list"' EXIT
sed -n 's/^<!-- run: \(.*\) -->$/\1/p' examples/experiments/*.md |
    sort -u > "$list"
while read -r command; do
    case $command in
    *DATA*)
        [ -n "$data" ] || { left=$((left + 1)); continue; }
        ;;
    esac
    echo "results: $command"
    run=$(echo "$command" | sed "s|build/|$build/|; s|DATA|$data|")
    $run < /dev/null > "$out" 2> /dev/null || {
        echo "results: $command failed"
        bad=1
    }
    awk -v command="$command" -v out="$out" '
        BEGIN {
            while ((getline row < out) > 0)
                printed = printed row "\n"
        }
        $0 == "<!-- run: " command " -->" {
            block = ""
            first = FNR + 1
            inside = 1
            next
        }
        inside && $0 == "<!-- end -->" {
            inside = 0
            if (block == "" || index(printed, block) == 0) {
                print FILENAME ":" first ": not what is printed"
                bad = 1
            }
        }
        inside { block = block $0 "\n" }
        END { exit bad }' examples/experiments/*.md || bad=1
done < "$list"
[ "$left" -eq 0 ] || echo "results: $left commands need DATA"
exit "$bad"
