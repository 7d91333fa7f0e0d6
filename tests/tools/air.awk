# SPDX-License-Identifier: MIT
# Places without air in C files: two statements on a line, margin comments that
# stand at another column than their neighbor's although both would fit there,
# functions or chapters without
# a blank line before them.
function code(s) {              # s without strings, characters and comments
    gsub(/\\./, "", s)
    gsub(/"[^"]*"/, "\"\"", s)
    gsub(/'[^']*'/, "''", s)
    gsub(/\/\*.*\*\//, "", s)
    sub(/\/\*.*/, "", s)
    return s
}
function length_of(s) {         # without the spaces behind
    sub(/[ \t]+$/, "", s)
    return length(s)
}
FNR == 1 { inside = 0; margin = 0; before = "" }
{
    bare = inside ? "" : code($0)
    if (bare ~ /;[ \t]*[a-zA-Z_*]/ && bare !~ /^[ \t]*for[ \t]*\(/ &&
        bare !~ /^(typedef )?(struct|enum)/)
        print FILENAME ":" FNR ": two statements on a line"
    at = inside ? 0 : match($0, /[^ \t\/*].*[ \t]\/\*/) ? RSTART + RLENGTH - 2 : 0
    ends = at ? length_of(substr($0, 1, at - 1)) : 0
    if (at && margin && at != margin && ends + 1 < margin && ended + 1 < at)
        print FILENAME ":" FNR ": a margin comment not aligned with the one above"
    if (/^\/\* =====/ && before != "")
        print FILENAME ":" FNR ": no blank line before a chapter"
    if (/^[a-z].*[^;]$/ && before == "}")
        print FILENAME ":" FNR ": no blank line before a function"
    margin = at
    ended = ends
    rest = $0
    while (match(rest, inside ? "[*]/" : "/[*]")) {
        rest = substr(rest, RSTART + 2)
        inside = !inside
    }
    before = $0
}
