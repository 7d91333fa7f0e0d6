#!/bin/sh
# SPDX-License-Identifier: MIT
# make debian MAIL=...: the folder debian at the top, for dpkg-buildpackage.
# DEBFULLNAME may name the maintainer.  What the library exports is what
# tests/promises/abi.txt lists.
set -eu
cd "$(dirname "$0")/../.."
export LC_ALL=C
refuse() { echo "make debian: $*" >&2; exit 1; }
case ${MAIL-} in
*@*) ;;
*) refuse "MAIL=... has to be the address of the maintainer" ;;
esac
[ ! -e debian ] || refuse "debian/ is there already"
words=$(examples/packages/words.sh
        date=$(date -R -u -d "@${SOURCE_DATE_EPOCH:-$(date +%s)}")
        echo "s|@DATE@|$date|")
if [ -n "${DEBFULLNAME-}" ]; then
    words="s|@AUTHOR@ <|$DEBFULLNAME <|
$words"
fi
cp -r examples/packages/debian debian
find debian -type f | while read -r f; do
    sed "$words" "$f" > debian/filled && cat debian/filled > "$f"
done
{ sed 's/^$/./; s/^/ /' LICENSE | sed '1,4d'; } >> debian/copyright
rm -f debian/filled
so=$(echo @SO@ | sed "$words") version=$(echo @VERSION@ | sed "$words")
mv debian/libmtc.install "debian/libmtc$so.install"
{
    echo "libmtc.so.$so libmtc$so #MINVER#"
    echo "* Build-Depends-Package: libmtc-dev"
    sed -n "s/^function \(.*\)/ \1@Base $version/p" tests/promises/abi.txt | sort
} > "debian/libmtc$so.symbols"
echo "debian/ is ready: mtc_$version.orig.tar.gz beside this folder, then" \
    "dpkg-buildpackage -us -uc"
