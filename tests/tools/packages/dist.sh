#!/bin/sh
# SPDX-License-Identifier: MIT
# Every package of `make dist` as its user meets it: unpacked, built, called.
#     tests/tools/packages/dist.sh DIR
# One line for each; what has no tools here is skipped and said so.  Not
# tried at all: ESP-IDF and Zephyr, whose build systems are not packaged.
set -u
cd "$(dirname "$0")/../../.." || exit 1
top=$PWD failed=0
mkdir -p "$1" && dir=$(cd "$1" && pwd) || exit 1
rm -rf "${dir:?}"/*
version=$(awk '/define MTC_VERSION_[MP]/ {v = v s $3; s = "."} END {print v}' \
    mtc.h)
try() {                         # NAME NEEDED... -- FUNCTION
    name=$1
    shift
    while [ "$1" != -- ]; do
        command -v "$1" >/dev/null ||
            { echo "dist $name: skipped, no $1"; return; }
        shift
    done
    (cd "$dir" && set -e && "$2") > "$dir/log" 2>&1
    # shellcheck disable=SC2181         # in a condition set -e has no effect
    if [ $? = 0 ]; then
        echo "dist $name: ok"
    else
        echo "dist $name: FAILED"
        tail -n 30 "$dir/log"
        failed=1
    fi
}
unpack() { tar -C "$dir" -xzf "$dir/one/mtc-$1-$version.tar.gz"; }
make() { MAKEFLAGS='' command make -C "$@" > /dev/null; }

# ---- the same bytes from another place and at another time ----
make "$top" B="$dir/b" dist && mv "$dir/b/dist" "$dir/one"
reproducible() {
    mkdir "$dir/else"
    tar -C "$dir/else" -xzf "one/mtc-$version.tar.gz"
    (umask 077 && make "else/mtc-$version" B=build dist)
    diff one/SHA256SUMS "else/mtc-$version/build/dist/SHA256SUMS"
}
try "the same bytes again" tar -- reproducible

# ---- a program that calls the library and knows the answer ----
cat > "$dir/app.c" <<'END'
#include <mtc.h>
int main(void)
{
    static unsigned char memory[8192];
    mtc_real x[4] = {0, 1, 10, 11};
    mtc_data X = mtc_dense(4, 1, x);
    mtc_kmeans_options opt = mtc_kmeans_defaults();
    mtc_arena arena = mtc_arena_over(memory, sizeof memory);
    mtc_context ctx = mtc_arena_context(&arena);
    mtc_kmeans_result res;
    opt.clusters = 2;
    if (sizeof(mtc_real) != REAL || mtc_selftest() != NULL)
        return 1;
    return mtc_kmeans(&ctx, &X, &opt, &res) != MTC_OK ||
        res.labels[0] != res.labels[1] || res.labels[0] == res.labels[2];
}
END
amalgamation() {
    unpack amalgamation
    cd "mtc-amalgamation-$version"
    sed 's/<mtc.h>/"mtc_amalgamation.c"/' ../app.c > app.c
    ${CC:-cc} -DREAL=8 app.c -lm -o app && ./app
}
try "amalgamation" -- amalgamation

# ---- CMake: installed, found from another project ----
unpack cmake
mkdir "$dir/user"
cat > "$dir/user/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.15)
project(user LANGUAGES C)
find_package(mtc ${version%.*} REQUIRED)
add_executable(app ../app.c)
target_compile_definitions(app PRIVATE REAL=\${REAL})
target_link_libraries(app PRIVATE mtc::mtc)
END
cmake_with() {                  # NAME REAL OPTION...
    to=$dir/c-$1 real=$2
    shift 2
    cmake -S "mtc-cmake-$version" -B "$to" -DCMAKE_INSTALL_PREFIX="$to/root" \
        -DCMAKE_C_FLAGS=-O0 "$@"
    cmake --build "$to"
    cmake --install "$to"
    cmake -S user -B "$to/user" -DREAL="$real" "$@" \
        -DCMAKE_PREFIX_PATH="$to/root" -DCMAKE_FIND_ROOT_PATH="$to/root"
    cmake --build "$to/user"
}
cmake_static() { cmake_with static 8 && c-static/user/app; }
cmake_shared() {
    cmake_with shared 4 -DMTC_SINGLE=ON -DMTC_NO_MALLOC=ON -DMTC_FAST=ON \
        -DBUILD_SHARED_LIBS=ON
    c-shared/user/app
    readelf -d c-shared/user/app | grep "libmtc.so.${version%.*}"
    # what the header declares is exported, and nothing else
    test "$(nm -D --defined-only c-shared/libmtc.so | grep -c mtc_take)" = 0
}
cmake_pc() {                    # as its mtc.pc says, and moved elsewhere
    mv c-shared/root c-shared/moved
    pc=$(find c-shared/moved -name mtc.pc)
    lib=$(dirname "$(find c-shared/moved -name libmtc.so)")
    # shellcheck disable=SC2046
    ${CC:-cc} -DREAL=4 app.c -o app $(PKG_CONFIG_PATH=${pc%/*} \
        pkg-config --cflags --libs mtc)
    LD_LIBRARY_PATH=$lib ./app
}
cmake_inside() {                # as a folder of one's own project
    mkdir inside
    sed "s/^find_package.*/add_subdirectory(..\/mtc-cmake-$version mtc)/" \
        user/CMakeLists.txt > inside/CMakeLists.txt
    cmake -S inside -B c-inside -DREAL=8 -DCMAKE_C_FLAGS=-O0
    cmake --build c-inside
    c-inside/app
}
cmake_fetched() {               # the repository, here its archive
    mkdir fetched
    cat > fetched/CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.18)
project(user LANGUAGES C)
include(FetchContent)
FetchContent_Declare(mtc URL $dir/one/mtc-$version.tar.gz
    SOURCE_SUBDIR examples/packages/cmake)
FetchContent_MakeAvailable(mtc)
add_executable(app ../app.c)
target_compile_definitions(app PRIVATE REAL=8)
target_link_libraries(app PRIVATE mtc::mtc)
END
    cmake -S fetched -B c-fetched
    cmake --build c-fetched
    c-fetched/app
}
cmake_mingw() {
    cmake_with mingw 8 -DCMAKE_SYSTEM_NAME=Windows -DBUILD_SHARED_LIBS=ON \
        -DCMAKE_C_COMPILER=x86_64-w64-mingw32-gcc
    ls c-mingw/user/app.exe c-mingw/root/bin/libmtc.dll
}
cmake_arm() {
    cat > arm.cmake <<'END'
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR arm)
set(CMAKE_C_COMPILER arm-linux-gnueabihf-gcc)
set(CMAKE_EXE_LINKER_FLAGS -static)
END
    cmake_with arm 4 -DMTC_SINGLE=ON \
        -DCMAKE_TOOLCHAIN_FILE="$dir/arm.cmake"
    qemu-arm c-arm/user/app
}
try "CMake, static" cmake -- cmake_static
try "CMake, shared, float, no malloc, fast" cmake readelf -- cmake_shared
try "CMake, mtc.pc" cmake pkg-config -- cmake_pc
try "CMake, as a subdirectory" cmake -- cmake_inside
try "CMake, by FetchContent" cmake -- cmake_fetched
try "CMake, for Windows" cmake x86_64-w64-mingw32-gcc -- cmake_mingw
try "CMake, for ARM" cmake arm-linux-gnueabihf-gcc qemu-arm -- cmake_arm

# ---- pkg-config ----
pkg_config() {
    PKG_CONFIG_PATH=$dir/one pkg-config --exact-version="$version" mtc
    PKG_CONFIG_PATH=$dir/one pkg-config --static --libs mtc | grep -e -lm
}
try "pkg-config" pkg-config -- pkg_config

# ---- Arduino and PlatformIO: their published rules, and the sketch run ----
manifests() {
    unpack arduino
    unpack platformio
    python3 "$top/tests/tools/packages/dist_rules.py" "mtc-arduino-$version" \
        "mtc-platformio-$version" "$version"
    python3 -m zipfile -t "one/mtc-arduino-$version.zip"
}
sketch() {                      # with just enough of an Arduino around it
    mkdir board
    cat > board/Arduino.h <<'END'
#include <stddef.h>
#include <stdio.h>
struct Port {
    void begin(long) {}
    void print(const char *s) { fputs(s, stdout); }
    void print(char c) { putchar(c); }
    void print(int i) { printf("%d", i); }
    void print(unsigned long i) { printf("%lu", i); }
    template <class T> void println(T x) { print(x); putchar('\n'); }
    void println() { putchar('\n'); }
} Serial;
END
    src=mtc-arduino-$version/src
    for f in mtc linalg lp; do
        ${CC:-cc} -std=gnu11 -O1 -c "$src/$f.c" -o "board/$f.o"
    done
    { echo '#include "Arduino.h"'
      cat "mtc-arduino-$version/examples/TwoTasks/TwoTasks.ino"
      echo 'int main() { setup(); loop(); return 0; }'; } > board/sketch.cpp
    ${CXX:-c++} -std=gnu++11 -Wall -Wextra -Werror -Iboard -I"$src" \
        board/sketch.cpp board/*.o -lm -o board/sketch
    board/sketch | tee board/out
    tail -n 2 board/out | diff - "$dir/expected"
    # and with the other setting of mtc_config.h
    sed -i 's,^/\* #define MTC_SINGLE.*,#define MTC_SINGLE,' "$src/mtc_config.h"
    for f in mtc linalg lp; do
        ${CC:-cc} -std=gnu11 -O1 -c "$src/$f.c" -o "board/$f.o"
    done
    ${CXX:-c++} -std=gnu++11 -Wall -Wextra -Werror -Iboard -I"$src" \
        board/sketch.cpp board/*.o -lm -o board/sketch
    board/sketch | tail -n 2 | diff - "$dir/expected"
}
printf '0 0 0 1 1 1 \n1 1 0 0 \n' > "$dir/expected"  # as in README
try "Arduino and PlatformIO, rules" python3 -- manifests
try "Arduino, sketch" c++ -- sketch

# ---- Debian: built, without a complaint, and used from where it unpacks ----
debian() {
    cp "one/mtc-$version.tar.gz" "deb/mtc_$version.orig.tar.gz"
    tar -C deb -xzf "one/mtc-$version.tar.gz"
    cd "deb/mtc-$version"
    make . debian MAIL=packager@mtc-project.net
    DEB_BUILD_OPTIONS=nocheck env -u MAKEFLAGS -u MAKELEVEL \
        dpkg-buildpackage -us -uc -Pnocheck
    cd ..
    for p in libmtc${version%.*} libmtc-dev mtc-tools python3-mtc; do
        dpkg-deb -x "${p}_$version"-1_*.deb root
    done
    lib=$(dirname root/usr/lib/*/libmtc.so)
    nm -D --defined-only "$lib/libmtc.so" | awk '{print "function " $3}' |
        LC_ALL=C sort | diff - "$dir/deb/functions"
    ${CC:-cc} -DREAL=8 -Iroot/usr/include ../app.c -L"$lib" -lmtc -lm -o app
    LD_LIBRARY_PATH=$lib ./app
    root/usr/bin/mtc --version
}
debian_python() {
    cd deb
    lib=$(dirname root/usr/lib/*/libmtc.so)
    grep "/${lib#root/}/libmtc.so.${version%.*}\"" \
        root/usr/lib/python3/dist-packages/mtc/_installed.py
    PYTHONPATH=root/usr/lib/python3/dist-packages MTC_PROGRAM=root/usr/bin/mtc \
        MTC_LIBRARY=$lib/libmtc.so.${version%.*} /usr/bin/python3 -c \
        'import mtc, sys; sys.exit(mtc.__version__ != "'"$version"'")'
}
debian_clean() {                # it is new to Debian: no bug to close
    ! lintian --allow-root deb/*.changes 2>/dev/null | grep '^[EW]:' |
        grep -v ': initial-upload-closes-no-bugs'
}
mkdir "$dir/deb"
grep '^function' tests/promises/abi.txt | LC_ALL=C sort > "$dir/deb/functions"
try "Debian, packages" dpkg-buildpackage dh dh_python3 -- debian
if ls "$dir"/deb/*.changes > /dev/null 2>&1; then
    try "Debian, lintian" lintian -- debian_clean
    try "Debian, Python" /usr/bin/python3 -- debian_python
fi

echo "dist ESP-IDF, Zephyr: not tried, their build systems are not here"
exit $failed
