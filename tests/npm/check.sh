#!/bin/bash
# SPDX-License-Identifier: MIT
# Installs BUILD/npm/mtc-*.tgz into an empty project and uses it there.
#     tests/npm/check.sh BUILD
set -u
build=$1 here=$(cd "$(dirname "$0")" && pwd)
room=$build/npm/project failed=0
rm -rf "$room" && mkdir -p "$room" && cd "$room" || exit 1
npm() { command npm --silent --no-audit --no-fund --loglevel=error "$@"; }
say() { echo "npm: $*"; }
fail() { say "FAILED: $*"; failed=1; }

pack=$(ls "$build"/npm/mtc-*.tgz)
size=$(stat -c %s "$pack")
say "$(basename "$pack") has $size bytes"
[ "$size" -lt 900000 ] || fail "more than 900 KB"
echo '{"private": true}' > package.json
npm install "$pack" || fail "npm install"
cp "$here"/* .

# ---- ten calls: the same bits as from Python, and without SIMD ----
node calls.mjs > js.out || fail "calls.mjs"
python=${PYTHON:-/usr/bin/python3}
if "$python" -c 'import numpy' 2>/dev/null; then
    PYTHONPATH=$here/../../examples/python MTC_LIBRARY=$(ls "$build"/libmtc.so*\
        | head -n 1) "$python" calls.py > py.out || fail "calls.py"
    cmp js.out py.out && say "ten calls have the bits of Python's" ||
        fail "other bits than Python's"
else
    say "no numpy, so bits were not compared with Python's"
fi
sed 's/hasSimd() ?/false ?/' node_modules/mtc/mtc.mjs > node_modules/mtc/plain.mjs
sed "s#'mtc'#'./node_modules/mtc/plain.mjs'#" calls.mjs > plain.mjs
node plain.mjs | cmp - js.out && say "SIMD moves no bit" || fail "SIMD"

# ---- errors, types, the program ----
node errors.cjs || fail "errors.cjs"
node --input-type=module -e 'import {mbc} from "mtc"; mbc([[[1], [2]]]);' ||
    fail "named import"
if npm install typescript@5; then
    npx tsc --strict --noEmit --target es2022 --module node16 \
        --moduleResolution node16 types.ts && say "types compile" ||
        fail "types"
else
    say "no typescript, so types were not compiled"
fi
printf 'a,b\n' > north.csv
for i in $(seq 40); do
    echo "$((i % 3 * 10 + i % 7)),$((i % 2 * 9 + i % 5))"
done >> north.csv
same() {                        # the program and npx print the same
    "$room/node_modules/.bin/mtc" "$@" > js.out 2> js.err < /dev/null
    local status=$?
    "$build/mtc" "$@" > c.out 2> c.err < /dev/null
    [ $? = $status ] || fail "mtc $*: exit status $status"
    cut -c 1-4000 js.out | sed 's/ *[0-9.]* s$//' > a
    cut -c 1-4000 c.out | sed 's/ *[0-9.]* s$//' > b
    cmp a b && cmp js.err c.err || fail "mtc $*: other output"
}
same cluster auto north.csv
same cluster kmeans north.csv --k 3 --out labels --save model.json
same assign model.json north.csv
same cluster kmeans nobody.csv
same help kmeans
same kmean north.csv
mkdir -p below && cd below && same cluster kmeans ../north.csv "$room/north.csv"
cd ..
npx mtc version > v 2> /dev/null && grep -q mtc v || fail 'npx mtc version'
[ -s labels/north.labels ] || fail "npx mtc wrote no labels"
[ $failed = 1 ] || say "the program prints what the native one prints"

# ---- what the README shows ----
node readme.mjs node_modules/mtc/README.md && node lines.mjs > lines.now
cmp lines.out lines.now || fail "README's lines print something else"
if command -v chromium > /dev/null; then
    timeout 60 node browser.mjs "$here/../tools/web/browser.js" node_modules/mtc \
        page.html && say "the README's page runs in a browser" || fail "page"
else
    say "no chromium, so README's page was not opened"
fi

# ---- a table beside the registry's packages ----
npm install ml-kmeans ml-hclust density-clustering ||
    say "no other packages to measure beside"
node peers.mjs || fail "peers.mjs"
exit $failed
