#!/bin/sh
# SPDX-License-Identifier: MIT
# data.sh MTC ARCHIVES OUT: the papers' texts as LIBSVM files.
# ARCHIVES holds what was unpacked from the public archives, anywhere below it:
#   20 Newsgroups   a directory for each group, such as .../rec.autos/
#   WebKB           .../course/cornell/ or .../cornell/course/ and so on
# A set of which a part is missing is left out, and that is said; the ng20 sets
# are made of the groups that are there.  OUT gets a directory for each set and
# sizes.txt: file, texts, values that are not 0, checksum.
set -eu
[ $# = 3 ] && [ -d "$2" ] || {
    echo 'data: say where the archives are: make data ARCHIVES=dir' >&2
    exit 1
}
export LC_ALL=C
mtc=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
archives=$2
mkdir -p "$3"
out=$(cd "$3" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
words='--word-length 3-25 --stop english --stem english --max-share 1'
news="--markup mail $words"

# add TASK CLASS PATH [REST]: the files of all directories that end in PATH, or
# those whose number is REST modulo 2, as a class of a task.
add() {
    mkdir -p "$work/in/$1/$2"
    find "$archives" -type f -path "*/$3/*" | sort > "$work/list"
    [ -s "$work/list" ] || {
        echo "data: there is no $3"
        return 1
    }
    n=0
    while IFS= read -r file; do
        n=$((n + 1))
        [ -n "${4-}" ] && [ $((n % 2)) -ne "$4" ] ||
            cp -- "$file" "$work/in/$1/$2/$(echo "$3" | tr / .).$n"
    done < "$work/list"
}

# The tasks that were added become SET: weighted, and as counts.
make() {                        # SET OPTIONS...
    set=$1
    shift
    rm -rf "${out:?}/$set"
    mkdir "$out/$set"
    cd "$work/in"
    echo "data: mtc vectorize" * "--out $set $*"
    "$mtc" vectorize * --out "$work/made" "$@" --quiet
    "$mtc" vectorize * --out "$work/made/counts" "$@" --preprocess none --quiet
    cd - > /dev/null
    for f in "$work"/made/*.svm; do
        name=$(basename "$f" .svm)
        mv "$f" "$out/$set"
        mv "$work/made/counts/$name.svm" "$out/$set/$name.counts.svm"
    done
    fresh
}

fresh() {
    rm -rf "$work/in" "$work/made"
    mkdir "$work/in"
}

# Adds two groups, whose classes are their roots.
two() {                         # TASK GROUP GROUP
    add "$1" "${2%%.*}" "$2" && add "$1" "${3%%.*}" "$3"
}

pair() {                        # SET, two groups, two groups
    if two task1 "$2" "$3" && two task2 "$4" "$5"; then
        make "$1" $news --min-texts 1 --vocabulary 2000
    else
        fresh
    fi
}

# Counts; words in odd columns are struck out of the source, those in even
# columns out of the target.
ttl() {                         # NAME, two groups for each of three domains
    if two source "$2" "$3" && two intermediate "$4" "$5" &&
        two target "$6" "$7"; then
        make "$1" $news --min-texts 1 --vocabulary 5000
    else
        fresh
        return
    fi
    mkdir -p "$out/ttl"
    for role in source intermediate target; do
        awk -v role="$role" '{
            printf "%s", $1
            for (i = 2; i <= NF; i++) {
                odd = $i % 2
                if (role == "intermediate" || odd == (role == "target"))
                    printf " %s", $i
            }
            print ""
        }' "$out/$1/$role.counts.svm" > "$out/ttl/$1.$role.svm"
    done
    rm -r "${out:?}/$1"
}

# ---- WebKB4 ------------------------------------------------------------------
fresh
webkb4() {
    for university in cornell texas washington wisconsin; do
        for class in course faculty project student; do
            add $university $class $class/$university > /dev/null ||
                add $university $class $university/$class || return
        done
    done
}
if webkb4; then
    make webkb4 --markup mail,html $words --min-texts 1 --vocabulary 2500
fi

# ---- 20 Newsgroups -----------------------------------------------------------
fresh
pair recvstalk rec.autos talk.politics.guns \
    rec.sport.baseball talk.politics.mideast
pair compvssci comp.os.ms-windows.misc sci.crypt \
    comp.sys.mac.hardware sci.space
if two task1 comp.graphics rec.autos && add task1 sci sci.crypt &&
    two task2 comp.os.ms-windows.misc rec.motorcycles &&
    two task2 sci.electronics talk.politics.mideast &&
    two task3 comp.sys.ibm.pc.hardware rec.sport.baseball &&
    add task3 sci sci.med && two task4 comp.sys.mac.hardware rec.sport.hockey &&
    two task4 sci.space talk.religion.misc; then
    make ng4 $news --min-texts 1 --vocabulary 3000
else
    fresh
fi
ttl rec-vs-comp rec.sport.baseball comp.sys.mac.hardware \
    rec.autos comp.os.ms-windows.misc rec.sport.hockey comp.windows.x
ttl rec-vs-talk rec.autos talk.politics.guns \
    rec.motorcycles talk.politics.mideast rec.sport.hockey talk.politics.misc
ttl rec-vs-sci rec.autos sci.electronics \
    rec.motorcycles sci.med rec.sport.hockey sci.space
ttl sci-vs-comp sci.electronics comp.graphics \
    sci.med comp.os.ms-windows.misc sci.space comp.windows.x
ttl sci-vs-talk sci.crypt talk.politics.guns \
    sci.electronics talk.politics.mideast sci.med talk.politics.misc
ttl comp-vs-talk comp.graphics talk.politics.guns \
    comp.os.ms-windows.misc talk.politics.mideast \
    comp.windows.x talk.politics.misc
fresh
groups=$(find "$archives" -type d | sed 's|.*/||' | sort -u |
    grep -E '^(alt|comp|misc|rec|sci|soc|talk)\.' || true)
if [ -n "$groups" ]; then
    for g in $groups; do
        add task1 "$g" "$g" 0
        add task2 "$g" "$g" 1
    done
    make ng20-1 $news --min-texts 3 --vocabulary 50000
    for g in $groups; do
        case $g in talk.*) ;; *) add task1 "$g" "$g" ;; esac
        case $g in comp.*) ;; *) add task2 "$g" "$g" ;; esac
    done
    make ng20-2 $news --min-texts 3 --vocabulary 50000
    for g in $groups; do
        add task1 "$g" "$g"
        add task2 "${g%%.*}" "$g"
    done
    make ng20-3 $news --min-texts 3 --vocabulary 50000
fi

cd "$out"
for f in */*.svm; do
    [ -e "$f" ] || { echo "data: nothing could be made" >&2; exit 1; }
    printf '%s %s %s %s\n' "$f" "$(wc -l < "$f" | tr -d ' ')" \
        "$(tr -cd : < "$f" | wc -c | tr -d ' ')" \
        "$(cksum < "$f" | cut -d ' ' -f 1)"
done > sizes.txt
cat sizes.txt
