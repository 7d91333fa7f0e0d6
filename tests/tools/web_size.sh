#!/bin/sh
# SPDX-License-Identifier: MIT
# The page with all that belongs to it, compressed, is at most 256 KB.
#
#     tests/tools/web_size.sh DIRECTORY
set -eu
bytes=$(cat "$1"/* | gzip -9nc | wc -c)
echo "web: $1, $bytes of 262144 bytes compressed"
[ "$bytes" -le 262144 ] || { echo "web: too large"; exit 1; }
