#!/bin/sh
# SPDX-License-Identifier: MIT
#
# halves.sh PROGRAM DIRECTORY [DRAWS] - random halves of one data set: in how
# many draws does `mtc relate` find a difference?  There is none, so 5 % are to
# be expected.  The set is three groups of 40 points in four columns.
set -eu

program=$1
directory=$2
draws=${3:-200}
mkdir -p "$directory"
differ=0
draw=0
while [ "$draw" -lt "$draws" ]; do
    draw=$((draw + 1))
    awk -v seed="$draw" -v to="$directory" -v OFS=, '
        function normal() {
            return sqrt(-2 * log(1 - rand())) * cos(6.283185307179586 * rand())
        }
        BEGIN {
            srand(seed)
            n = 120
            for (i = 0; i < n; i++)
                order[i] = i
            for (i = n - 1; i > 0; i--) {
                p = int((i + 1) * rand())
                keep = order[i]; order[i] = order[p]; order[p] = keep
            }
            for (i = 0; i < n; i++) {
                file = to "/" (i < n / 2 ? "left" : "right") ".csv"
                if (i == 0 || i == n / 2)
                    print "a,b,c,d" > file
                group = order[i] % 3
                print normal() + 3 * (group == 1), normal() + 3 * (group == 2),
                      normal(), normal() > file
            }
        }'
    answer=$("$program" relate "$directory/left.csv" "$directory/right.csv" \
        --k 3 --seed "$draw")
    case $answer in
        "1 of 1 "*) differ=$((differ + 1)) ;;
    esac
done
rm -f "$directory/left.csv" "$directory/right.csv"
echo "random halves differ in $differ of $draws draws," \
     "$(awk -v x="$differ" -v n="$draws" 'BEGIN { print 100 * x / n }') %"
[ "$differ" -le $((draws * 7 / 100)) ]
