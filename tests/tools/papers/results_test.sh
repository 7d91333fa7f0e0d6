#!/bin/sh
# SPDX-License-Identifier: MIT
# Does results.sh find what is wrong on a page, and restore it or leave it?
set -u
cd "$(dirname "$0")/../../.." || exit 1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
bad=0
mkdir "$dir/b" "$dir/pages"
program() {                     # STATUS: prints two tables and ends so
    printf '#!/bin/sh\ncat %s\nexit %s\n' "$dir/printed" "$1" > "$dir/b/p"
    chmod +x "$dir/b/p"
}
expect() {                      # CHECK WRITE PAGE WHAT: statuses, what is left
    PAGES="$dir/pages" tests/tools/papers/results.sh "$dir/b" > /dev/null 2>&1
    checked=$?
    PAGES="$dir/pages" tests/tools/papers/results.sh --write "$dir/b" > /dev/null 2>&1
    if [ "$checked $?" != "$1 $2" ] || ! cmp -s "$3" "$page"; then
        echo "results.sh: $4: FAILED"
        bad=1
    fi
}
page=$dir/pages/p.md
printf '%s\n' Text. '<!-- run: build/p -->' '| a | b |' '|---|---|' '| 1 | 2 |' \
    '| 3 | 4 |' '<!-- end -->' 'More.' '<!-- run: build/p -->' '```' '| a | b |' \
    '|---|---|' '| 1 | 2 |' '| 3 | 4 |' '' '| c |' '```' '<!-- end -->' \
    > "$dir/right"
sed -n '11,16p' "$dir/right" > "$dir/printed"
program 0
cp "$dir/right" "$page"
expect 0 0 "$dir/right" "a page that is right"
sed 's/4/5/' "$dir/right" > "$page"
expect 1 0 "$dir/right" "other figures are restored"
sed '6d' "$dir/right" > "$page"
expect 1 0 "$dir/right" "a row that is missing is restored"
for damage in 7d 2d '3,6d' '3s/a/z/' 10d 18d; do
    sed "$damage" "$dir/right" > "$page"
    cp "$page" "$dir/was"
    expect 1 1 "$dir/was" "a page is left alone after sed $damage"
done
program 3
sed 's/4/5/' "$dir/right" > "$page"
cp "$page" "$dir/was"
expect 1 1 "$dir/was" "nothing is written where the program fails"
[ $bad = 0 ] && echo "results.sh: ok"
exit $bad
