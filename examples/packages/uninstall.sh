#!/bin/sh
# SPDX-License-Identifier: MIT
# make uninstall: removes these FILES below DESTDIR, and folders that are empty
# then: in the system itself those of PREFIX alone, and none of its own.
#     DESTDIR=... PREFIX=... examples/packages/uninstall.sh FILE...
# A name that ends in / is Python's module: only that of make install-python.
set -u
gone() {                        # may this folder go, if it is empty?
    [ -n "$1" ] || return 1
    [ -z "$DESTDIR" ] || return 0
    case $1 in
    /usr | /usr/local | /usr/local/share/man) return 1 ;;
    "$PREFIX" | "$PREFIX"/*) return 0 ;;
    esac
    return 1
}
for file; do
    case $file in
    */)
        [ -e "$DESTDIR${file}_installed.py" ] || continue
        rm -rf "$DESTDIR$file"
        [ -n "$DESTDIR" ] || continue # site-packages stays
        ;;
    *) rm -f "$DESTDIR$file" ;;
    esac
    dir=${file%/}
    dir=${dir%/*}
    while gone "$dir" && rmdir "$DESTDIR$dir" 2>/dev/null; do
        dir=${dir%/*}
    done
done
