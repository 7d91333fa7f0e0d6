#!/bin/sh
# SPDX-License-Identifier: MIT
# What a program that was linked yesterday counts on: the public functions,
# and the size of every public struct with the offset of each member, the
# value of each enumerator.  Read off both headers, and asked of the compiler.
#     abi.sh DIR [FILE]    prints them; with FILE, what differs from it
# tests/promises/abi.txt is of 64-bit machines in double; others are skipped.
set -u
cd "$(dirname "$0")/../.." || exit 1
dir=$1 file=${2-}
export LC_ALL=C
mkdir -p "$dir"
{
    echo '#include <stdio.h>'
    echo '#include "examples/advice/mtc_advice.h"'
    echo 'int main(void)'
    echo '{'
    echo '    if (sizeof(size_t) != 8)'
    echo '        return 3;'
    # comments out, one declaration a line
    sed '/ifdef MTC_INTERNAL/q' mtc.h |
        cat - examples/advice/mtc_advice.h | tr '\n' ' ' |
        sed 's,/\*,\n&,g; s,\*/,&\n,g' | grep -v '^/\*' | tr -s '\n ' ' ' |
        sed 's/typedef \(struct\|enum\)/\n&/g; s/MTC_API/\n&/g
             s/} mtc_[a-z_]*;/&\n/g' | tr '#' '\n' |
        awk '
function say(format, value) {
    printf "    printf(\"%s %%ld\\n\", (long)%s);\n", format, value
}
/^MTC_API .*\(/ {                # the name before the first parenthesis
    sub(/\(.*/, ""); sub(/.*[ *]/, "")
    printf "    puts(\"function %s\");\n", $0
}
/^typedef struct [a-z_]* {/ {
    struct = $3
    say("struct " struct, "sizeof(" struct ")")
    gsub(/^[^{]*{|} mtc_[a-z_]*;.*/, "")
    n = split($0, member, ";")
    for (i = 1; i < n; i++) {
        if (match(member[i], /\(\*[a-z_]+\)/))      # a pointer to a function
            member[i] = substr(member[i], RSTART + 2, RLENGTH - 3)
        gsub(/\[[^]]*\]/, "", member[i])
        m = split(member[i], name, ",")
        for (j = 1; j <= m; j++) {
            gsub(/^ +| +$/, "", name[j]); sub(/.*[ *]/, "", name[j])
            say("    " name[j], "offsetof(" struct ", " name[j] ")")
        }
    }
}
/^typedef enum [a-z_]* {/ {
    gsub(/^[^{]*{|} mtc_[a-z_]*;.*/, "")
    n = split($0, value, ",")
    for (i = 1; i <= n; i++) {
        split(value[i], word, " ")
        if (word[1] != "") say("enum " word[1], word[1])
    }
}'
    echo '    return 0;'
    echo '}'
} > "$dir/abi.c"
${CC:-cc} -std=c99 -I. "$dir/abi.c" -o "$dir/abi" || exit 1
"$dir/abi" > "$dir/abi.txt"
[ $? != 3 ] || { echo "abi: skipped, no 64 bits here"; exit 0; }
[ -n "$file" ] || { cat "$dir/abi.txt"; exit 0; }
diff "$file" "$dir/abi.txt" && echo "abi: ok" && exit 0
echo "abi: programs linked before have to be compiled again. If that is meant,
raise the minor number unless this version was never released, say so in
CHANGELOG.md, and write $file again by make abi"
exit 1
