#!/bin/sh
# SPDX-License-Identifier: MIT
# The page with all that belongs to it, compressed, is at most 400 KB.
#
#     tests/tools/web/web_size.sh DIRECTORY
set -eu
bytes=$(cat "$1"/* | gzip -9nc | wc -c)
echo "web: $1, $bytes of 409600 bytes compressed"
[ "$bytes" -le 409600 ] || { echo "web: too large"; exit 1; }
