#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints what @WORD@ becomes in the folders here, as commands for sed.  Words
# come from `description`, the version from mtc.h, URL and MAIL from the
# environment: a field with no URL is left out, an author may have no MAIL.
cd "$(dirname "$0")/../.." || exit 1
word() { printf 's|@%s@|%s|g\n' "$1" "$(echo "$2" | sed 's/[&|\\]/\\&/g')"; }
if [ -n "${URL-}" ]; then word URL "$URL"; else echo '/@URL@/d'; fi
case ${MAIL-} in                # shells may have a mailbox there
*@*) word MAIL "$MAIL" ;;
*) echo 's/ <@MAIL@>//' ;;
esac
version=$(awk '/define MTC_VERSION_[MP]/ {v = v s $3; s = "."} END {print v}' \
    mtc.h)
word VERSION "$version"
word SO "${version%.*}"         # until 1.0 a minor number breaks programs
sed -n 's/^\([A-Z]*\)=\(.*\)/\1 \2/p' examples/packages/description |
    while read -r name text; do word "$name" "$text"; done
