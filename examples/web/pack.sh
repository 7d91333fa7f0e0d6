#!/bin/sh
# SPDX-License-Identifier: MIT
# One file that is the whole page: index.html with the files that its lines
# @NAME name, and the program, compressed, as base64.  The page allows no
# script but its own, by hash.
#
#     examples/web/pack.sh PROGRAM.wasm > index.html
set -eu
from=$(dirname "$0")
scripts=$(sed -n '/^<script>$/,/^<\/script>$/s/^@//p' "$from/index.html")
hash=$({ echo; cd "$from" && cat $scripts; } | sha256sum |
    cut -c 1-64 | sed 's/../\\x&/g')
hash=$(env printf %b "$hash" | base64)

while IFS= read -r line; do
    case $line in
    @program)
        xz --format=lzma --lzma1=preset=9e,pb=0 -c "$1" | base64 -w 0
        echo ;;
    @*) cat "$from/${line#@}" ;;
    *@hash*) printf '%s\n' "${line%@hash*}$hash${line#*@hash}" ;;
    *) printf '%s\n' "$line" ;;
    esac
done < "$from/index.html"
