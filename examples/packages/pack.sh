#!/bin/sh
# SPDX-License-Identifier: MIT
# make dist: the library as packages of other build systems, in DIR.
#     examples/packages/pack.sh DIR AMALGAMATION
# What manifests say comes from words.sh.  The same sources give the same bytes:
# times are those of the last change, or SOURCE_DATE_EPOCH.
set -eu
cd "$(dirname "$0")/../.."
here=examples/packages dir=$1 one=$2
export LC_ALL=C TZ=UTC
library="mtc.h mtc.c linalg.c lp.c"
version=$(awk '/define MTC_VERSION_[MP]/ {v = v s $3; s = "."} END {print v}' \
    mtc.h)
if [ -e .git ]; then
    files() { git ls-files; }
    changed=$(git log -1 --format=%ct)
else                            # an unpacked tarball
    files() {
        find . -type f ! -path '*/build/*' ! -path './debian/*' |
            sed 's,^\./,,'
    }
    changed=$(date -r CHANGELOG.md +%s)
fi
time=${SOURCE_DATE_EPOCH:-$changed}
mkdir -p "$dir"                 # packages of `make wheel` stay there
find "$dir" -mindepth 1 -maxdepth 1 ! -name python \
    -exec rm -rf {} +

# fill FILE...: @WORD@ becomes what words.sh has for it, in place
$here/words.sh > "$dir/words"
fill() {
    for f; do
        sed -f "$dir/words" "$f" > "$dir/filled" && cat "$dir/filled" > "$f"
        ! grep -n '@[A-Z]*@' "$f" /dev/null ||
            { echo "pack.sh: not in $here/description" >&2; exit 1; }
    done
}

# archive NAME: the folder NAME of DIR as NAME.tar.gz, the same bytes always
archive() {
    tar -C "$dir" --sort=name --mtime="@$time" --owner=0 --group=0 \
        --numeric-owner --mode=u=rwX,go=rX --format=ustar -cf - "$1" |
        gzip -9n > "$dir/$1.tar.gz"
}

# package KIND [SUBFOLDER]: its templates filled, the library in SUBFOLDER
package() {
    to=$dir/mtc-$1-$version
    cp -r "$here/$1" "$to"
    cp LICENSE "$to"
    mkdir -p "$to/${2:-.}"
    # shellcheck disable=SC2086
    cp $library "$to/${2:-.}"
}
finish() {
    # shellcheck disable=SC2046
    fill $(find "$to" -type f ! -name '*.[ch]' ! -name LICENSE)
    archive "${to##*/}"
}

# ---- the sources, all of them ----
source=mtc-$version
mkdir "$dir/$source"
files | tar -cf - -T - | tar -C "$dir/$source" -xf -
archive "$source"

# ---- the library as one file ----
to=$dir/mtc-amalgamation-$version
mkdir "$to"
cp mtc.h "$one" LICENSE "$to"
archive "${to##*/}"

# ---- build systems ----
package cmake
cp $here/mtc.pc.in "$to"
finish
package platformio src
cp -r $here/arduino/examples "$to"
finish
package arduino src
mv "$to/mtc_config.h" "$to/src"
# The header, and through it every file, reads the settings first.
sed 's/^#ifndef MTC_H$/#include "mtc_config.h"\n&/' mtc.h > "$to/src/mtc.h"
grep -q mtc_config.h "$to/src/mtc.h"
finish
package esp-idf
cp $here/Kconfig.options "$to"
finish
package zephyr
cp $here/Kconfig.options "$to/zephyr"
finish

# Arduino's IDE takes zip files alone.
if command -v python3 >/dev/null; then
    (cd "$dir" && python3 - "mtc-arduino-$version" "$time" <<'END'
import os, sys, time, zipfile
name, when = sys.argv[1], max(int(sys.argv[2]), 315532800)
with zipfile.ZipFile(name + ".zip", "w", zipfile.ZIP_DEFLATED) as z:
    for d, folders, files in os.walk(name):
        folders.sort()
        for f in sorted(files):
            path = os.path.join(d, f)
            info = zipfile.ZipInfo(path, time.gmtime(when)[:6])
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            z.writestr(info, open(path, "rb").read())
END
    )
else
    echo "dist: no zip file for Arduino, no python3"
fi

# ---- pkg-config, for who installs by hand ----
sed 's,@prefix@,/usr/local,; s,@libdir@,${prefix}/lib,
     s,@includedir@,${prefix}/include,; s, *@single@,,' $here/mtc.pc.in > "$dir/mtc.pc"
fill "$dir/mtc.pc"

rm "$dir/words" "$dir/filled"
(cd "$dir" && find . -name "mtc[-_]python-*" -prune -o \
    \( -name "*.gz" -o -name "*.zip" \) -print | sed "s,^./,," | sort |
    xargs sha256sum > SHA256SUMS)
echo "dist: $version in $dir: $(ls "$dir" | tr '\n' ' ')"
