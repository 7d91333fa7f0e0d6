#!/bin/bash
# SPDX-License-Identifier: MIT
# MBC and LSSMTC over MPI beside `mtc cluster` on one machine: the same labels, the
# objective to 1e-12, with 1 to 6 ranks; and what fails, fails whole.
#
#     tests/tools/federated.sh BUILD_DIRECTORY
set -u
bin=$(cd "$1" && pwd) || exit 1
dir=$bin/federated
rm -rf "$dir" && mkdir -p "$dir" && cd "$dir" || exit 1
failed=0 passed=0

# Root, and more ranks than processors, have to be asked for.
run="mpirun"
for flags in "" "--oversubscribe" "--allow-run-as-root --oversubscribe"; do
    # shellcheck disable=SC2086
    if mpirun $flags -np 4 true >/dev/null 2>&1; then
        run="mpirun $flags"
        break
    fi
    run=
done
[ -n "$run" ] || { echo "check-federated: skipped, no mpirun that starts"; exit; }
mbc() {                         # RANKS ARGUMENTS...
    local ranks=$1
    shift
    timeout 60 $run -np "$ranks" "$bin/federated_mbc" --quiet "$@"
}
ok() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)); echo "FAIL  $*"; }

# ---- data: three tasks of unequal size, and one of them in two parts ----
"$bin/mtc" generate text --out . --tasks 3 --n 150 --k 4 --quiet || exit 1
head -n 97 text2.svm > b.svm
(echo "# a comment"; echo; head -n 61 text1.svm) > a1.svm
tail -n +62 text1.svm > a2.svm
mv text1.svm a.svm && mv text3.svm c.svm && rm text2.svm
for t in a b c a1 a2; do
    grep -c : $t.svm | awk -v s=$t '{
        for (i = 0; i < $1; i++) print (i + (s == "a2") * 61) * 7 % 4}' > $t.init
    awk '{print 0}' $t.init > $t.zero
done
tasks="a.svm b.svm c.svm"
init="--init a.init,b.init,c.init"

objective() { sed -n 's/^ *"objective": \[\(.*\)\],*$/\1/p' "$1" | tr -d ' '; }
agree() {                       # the two traces of the objective
    [ -s ref.json ] && [ -s got.json ] &&
        printf '%s\n%s\n' "$(objective ref.json)" "$(objective got.json)" |
        awk -F, 'NR == 1 {n = NF; for (i = 1; i <= n; i++) a[i] = $i}
            NR == 2 {for (i = 1; i <= n; i++) {
                         far = a[i] - $i; far = far < 0 ? -far : far
                         bad += far > 1e-12 * a[i]}
                     exit !(NF == n && n > 1 && !bad)}'
}
same_trace() {                  # whatever the number of ranks, to the last digit
    objective got.json > trace.new
    [ ! -e trace ] || cmp trace trace.new || return 1
    mv trace.new trace
}
same_labels() {                 # REFERENCE FOUND NAMES...
    local ref=$1 got=$2
    shift 2
    for t; do cmp "$ref/$t.labels" "$got/$t.labels" || return 1; done
}
# As the program finds it, whatever the number of ranks: NAME RANKS OPTIONS...
method=mbc
as_alone() {
    local name=$1 counts=$2
    shift 2
    "$bin/mtc" cluster $method "$@" $tasks --out ref --json ref.json --quiet || bad "$name: mtc"
    rm -f trace
    for ranks in $counts; do
        rm -rf got got.json
        if mbc "$ranks" --method $method "$@" --out got --json got.json \
            $tasks && same_labels ref got a b c && agree && same_trace; then ok
        else bad "$name, $ranks ranks"; fi
    done
}
as_alone "labels given" "1 2 3 4 6" --k 4 $init
as_alone "k-means" "1 3 4" --k 4 --lambda 0 $init
awk '{print $1 % 3}' a.init > a.three
as_alone "other numbers of clusters" "1 2 5" --k 3,5,4 --lambda 1 \
    --init a.three,b.init,c.init
# Two: three at one point leave the choice between plans to rounding.
as_alone "empty clusters" "2 4" --k 6 $init
as_alone "one cluster has all" "2 4" --k 3 --init a.zero,b.zero,c.zero
as_alone "kl" "1 2 4" --k 4 $init --divergence kl --smooth .1
as_alone "Itakura-Saito" "3 5" --k 4 $init --divergence is --smooth .5
method=lssmtc
as_alone "lssmtc" "1 2 3 4 6" --k 4 $init
as_alone "lssmtc by itself" "1 2 3 4 7" --k 4
as_alone "lssmtc, seeds" "1 2 3 5" --k 5 --seed 7 --restarts 3
as_alone "lssmtc, mostly shared" "1 4" --k 4 $init --lambda .1 --subspace 2 --offset .5
as_alone "lssmtc, shared alone" "2 5" --k 4 $init --lambda 0 --iterations 40
as_alone "lssmtc, nothing shared" "1 3" --k 4 $init --lambda 1
as_alone "lssmtc, until it is still" "2 4" --k 4 $init --tolerance 1e-4 --iterations 500
for t in a b c; do
    ! cmp -s got/$t.labels $t.init || bad "lssmtc: labels of $t are the start"
done

# The last row of P falls to the floor before centers come near it.
printf '%s\n' '1 1:-2 2:2' '1 1:-5 2:-4' '1 1:1 2:-4' '0 1:1 2:-1' '1 1:2 2:6' > row.svm
cut -c 1 row.svm > row.init
row="--k 2 --init row.init --iterations 50 row.svm"
"$bin/mtc" cluster lssmtc $row --out ref --json ref.json --quiet
if mbc 2 --method lssmtc $row --out got --json got.json &&
    same_labels ref got row && agree; then ok
else bad "lssmtc: a row that comes back"; fi

# Seeds of its own: the same from any number of ranks.
rm -f trace
for ranks in 1 2 4; do
    rm -rf got got.json
    if mbc "$ranks" --k 4 --seed 3 --out got --json got.json $tasks &&
        same_trace && { [ "$ranks" != 1 ] || { rm -rf one && cp -r got one; }; } &&
        same_labels one got a b c; then ok
    else bad "seeds, $ranks ranks"; fi
done

# From the labels of MBC: both steps alone, both on ranks.
"$bin/mtc" cluster mbc --k 4 $init $tasks --out alone --quiet
"$bin/mtc" cluster lssmtc --k 4 --out ref --quiet $tasks \
    --init alone/a.labels,alone/b.labels,alone/c.labels
if mbc 3 --k 4 $init --out start $tasks && mbc 3 --method lssmtc --k 4 --out got \
    --init start/a.labels,start/b.labels,start/c.labels $tasks &&
    same_labels ref got a b c; then ok
else bad "lssmtc from the labels of mbc"; fi

# ---- a task in parts; k-means of all rows as one task ----
"$bin/mtc" cluster mbc --k 4 $init $tasks --out ref --quiet
for ranks in 1 2 4 7; do
    rm -rf got
    if mbc "$ranks" --k 4 --init a1.init,a2.init,b.init,c.init --out got \
        a1.svm,a2.svm b.svm c.svm && same_labels ref got b c &&
        cat got/a1.labels got/a2.labels | cmp - ref/a.labels; then ok
    else bad "a task in two parts, $ranks ranks"; fi
done
"$bin/mtc" cluster lssmtc --k 4 $tasks --out ref --quiet
for ranks in 1 2 3 4 7 9; do
    rm -rf got
    if mbc "$ranks" --method lssmtc --k 4 --out got a1.svm,a2.svm b.svm c.svm &&
        same_labels ref got b c &&
        cat got/a1.labels got/a2.labels | cmp - ref/a.labels; then ok
    else bad "lssmtc, a task in two parts, $ranks ranks"; fi
done
"$bin/mtc" cluster kmeans --pool --k 4 $init $tasks --out ref --quiet
for ranks in 1 2 4; do
    rm -rf got
    if mbc "$ranks" a.svm,b.svm,c.svm --k 4 $init --out got &&
        same_labels ref got a b c; then ok
    else bad "k-means of all rows, $ranks ranks"; fi
done

# ---- tables, read by the program's own reader ----
table() {                       # NAME SEPARATOR DECIMAL: b.svm in 5 columns
    awk -v s="$2" -v p="$3" 'BEGIN {print "who" s "x" s "y" s "z" s "class"}
        {y = NR % 7 + (NR % 3) * 20 "." NR % 10; sub(/[.]/, p, y)
         print "n" NR s NR % 5 * 3 s y s (NR * NR) % 11 s "c" NR % 2}' \
        b.svm > "$1"
}
table t1.csv "," .
table t2.csv ";" ,
table t3.tsv "\t" .
columns="--id who --labels class"
for t in 1 2 3; do awk '{print NR % 3}' b.svm > t$t.init; done
starts="--init t1.init,t2.init,t3.init"
"$bin/mtc" cluster mbc --k 3 $starts --preprocess none $columns --out ref \
    --json ref.json --quiet t1.csv t2.csv t3.tsv || bad "tables: mtc"
rm -f trace
for ranks in 1 2 3 5; do
    rm -rf got got.json
    if mbc "$ranks" --k 3 $starts $columns --out got --json got.json \
        t1.csv t2.csv t3.tsv && same_labels ref got t1 t2 t3 && agree &&
        same_trace; then ok
    else bad "tables, $ranks ranks"; fi
done
"$bin/mtc" cluster lssmtc --k 3 --seed 2 --preprocess none $columns --out ref \
    --json ref.json --quiet t1.csv t2.csv t3.tsv || bad "tables, lssmtc: mtc"
for ranks in 1 2 3 5; do
    rm -rf got got.json
    if mbc "$ranks" --method lssmtc --k 3 --seed 2 $columns --out got \
        --json got.json t1.csv t2.csv t3.tsv && agree &&
        same_labels ref got t1 t2 t3; then ok
    else bad "tables, lssmtc, $ranks ranks"; fi
done
# ---- two machines: each has its own files only, and gets its own labels ----
mkdir -p site1 site2 && cp a.svm a.init site1 && cp b.svm b.init site2
"$bin/mtc" cluster mbc --k 4 --init a.init,b.init a.svm b.svm --out ref --quiet
args="--quiet --k 4 --init a.init,b.init --out got a.svm b.svm"
if timeout 60 $run -np 1 -wdir site1 "$bin/federated_mbc" $args : \
    -np 1 -wdir site2 "$bin/federated_mbc" $args &&
    same_labels ref site1/got a && same_labels ref site2/got b &&
    [ "$(find site1/got site2/got -type f | wc -l)" = 2 ]; then ok
else bad "two machines"; fi
"$bin/mtc" cluster lssmtc --k 4 a.svm b.svm --out ref --quiet
args="--quiet --method lssmtc --k 4 --out got a.svm b.svm"
if timeout 60 $run -np 1 -wdir site1 "$bin/federated_mbc" $args : \
    -np 1 -wdir site2 "$bin/federated_mbc" $args &&
    same_labels ref site1/got a && same_labels ref site2/got b; then ok
else bad "two machines, lssmtc"; fi
mkdir -p half1 half2 && cp a1.svm half1 && cp a2.svm half2
args="--quiet --method lssmtc --k 4 --out got a1.svm,a2.svm"
timeout 60 $run -np 1 -wdir half1 "$bin/federated_mbc" $args : \
    -np 1 -wdir half2 "$bin/federated_mbc" $args > said 2>&1
rc=$?
if [ $rc = 1 ] && grep -q 'a2.svm: rank 0 cannot read it, and lssmtc' said &&
    [ ! -e half1/got ]; then ok
else bad "half a task elsewhere, lssmtc: status $rc"; head -n 5 said; fi
cp c.svm half1 && cp b.svm half2
args="--quiet --method lssmtc --k 4 --out got a1.svm,c.svm,a2.svm,b.svm"
for other in "a.svm b.svm" "a1.svm b.svm" "b.svm a2.svm"; do
    # shellcheck disable=SC2086
    set -- $other               # other files of the same names
    cp "$1" half1/a2.svm && cp "$2" half1/b.svm
    timeout 60 $run -np 1 -wdir half1 "$bin/federated_mbc" $args : \
        -np 1 -wdir half2 "$bin/federated_mbc" $args > said 2>&1
    rc=$?
    if [ $rc = 1 ] && grep -q 'their files differ' said && [ ! -e half1/got ]
    then ok
    else bad "$other for a2.svm b.svm, lssmtc: status $rc"; head -n 5 said; fi
done

# What the reader of tables remarks is told once, whoever reads the file, and
# without advice that names options of the program.
awk 'BEGIN {print "one,day,x,y"}
     {print "4,2024-03-" NR % 9 + 10 "," NR % 5 "," NR * NR % 7}' b.svm > k1.csv
cp k1.csv k2.csv
for method in mbc lssmtc; do
    timeout 60 $run -np 3 "$bin/federated_mbc" --method $method --k 2 k1.csv \
        k2.csv > said 2>&1
    told=$(grep -c '^federated_mbc: note: k[12].csv: column one never' said)
    advice=$(grep -c 'note:.*; --' said)
    mbc 3 --method $method --k 2 k1.csv k2.csv > said 2>&1
    if [ "$told$advice" = 20 ] && ! grep -q 'note:' said; then ok
    else bad "notices, $method: $told"; head -n 5 said; fi
done

for ranks in 1 3; do            # one row a rank, and ranks without one
    printf '1 1:1\n1 2:5\n' > two.svm
    if mbc $((2 * ranks)) --k 2 --out got two.svm &&
        [ "$(sort got/two.labels | tr -d '\n')" = 01 ]; then ok
    else bad "two rows, $((2 * ranks)) ranks"; fi
done
printf '1\n1\n2 4:0\n' > zeros.svm  # rows that store nothing
if mbc 2 --k 2 --out got zeros.svm b.svm; then ok; else bad "rows of zeros"; fi
for method in mbc lssmtc; do
    made="--method $method --k 3 --generate 300x1000x20 --tasks 3"
    # shellcheck disable=SC2086
    if mbc 1 $made --out got && mbc 4 $made --out four &&
        same_labels got four task1 task2 task3; then ok
    else bad "generated, $method"; fi
done

if [ "$(mbc 2 --help | grep -c '^mpirun -np N')" = 1 ]; then ok; else bad help; fi

# ---- what fails ends every rank, says why, and leaves nothing ----
refused() {                     # STATUS MESSAGE RANKS ARGUMENTS...
    local status=$1 message=$2 ranks=$3
    shift 3
    rm -rf got got.json
    mbc "$ranks" --out got --json got.json "$@" > said 2>&1
    local rc=$?
    if [ $rc = "$status" ] && grep -qF -- "federated_mbc: $message" said &&
        [ ! -e got.json ] && ! ls got/* >/dev/null 2>&1; then ok
    else bad "'$message': status $rc"; head -n 5 said; fi
}
(cat c.svm; echo "1 3:2 2:1") > down.svm
(cat c.svm; echo "1 3:nan") > nan.svm
echo "a,b" > table.svm
mkdir -p taken labels
head -n 5 a.init > short.init
sed '3s/.*/4/' a.init > wrong.init
refused 1 "absent.svm: No such file" 3 --k 2 a.svm absent.svm
refused 1 "down.svm:151: '2:1': indices begin at 1 and ascend" 4 --k 2 down.svm
refused 1 "nan.svm:151: '3:nan' is not index:value" 2 --k 2 a.svm nan.svm
refused 1 "table.svm:1: 'a,b' is no label" 2 --k 2 a.svm table.svm
refused 1 "short.init has 5 labels, a.svm 150 rows" 2 --k 4 \
    --init short.init,b.init a.svm b.svm
refused 1 "wrong.init:3: '4' is no cluster in 0..3" 3 --k 4 \
    --init wrong.init a.svm
refused 1 "two: 2 rows are too few for 3 clusters" 2 --k 3 two.svm a.svm
refused 1 "a: row 1 of this rank has a value that kl cannot take" 1 --k 2 \
    --divergence kl a.svm
# One of the two alone is refused: two ranks that abort race for the last word.
echo "1 1:1e3" > large.svm
echo "1 1:1e149" > huge.svm
refused 1 "huge.svm:1: '1:1e149' is not index:value" 2 --k 1 large.svm huge.svm
sed '1s/x/w/' t1.csv > other.csv
sed '3s/,6,/,six,/' t1.csv > word.csv
refused 1 "other.csv: its columns are not those of the table before" 1 --k 2 \
    $columns t1.csv other.csv
refused 1 "tables on several ranks have different columns" 2 --k 2 \
    $columns t1.csv other.csv
# Two years, a table each: in both the year never varies, but it is a feature.
awk 'BEGIN {print "year,x,y"} {print "2023," NR % 5 "," NR * NR % 7}' b.svm > y1.csv
sed 's/^2023/2053/' y1.csv > y2.csv
refused 1 "y2.csv: its columns are not those of the table before" 1 --k 2 y1.csv,y2.csv
refused 1 "tables on several ranks have different columns" 2 --k 2 y1.csv,y2.csv
if mbc 2 --k 2 --use year,x,y --out got y1.csv,y2.csv &&
    [ "$(sort -u got/y1.labels)" != "$(sort -u got/y2.labels)" ]; then ok
else bad "a year each, --use"; fi
refused 1 "word.csv:" 2 --k 2 $columns t1.csv word.csv
refused 1 "absent.csv" 2 --k 2 $columns t1.csv absent.csv
refused 2 "--k: how many clusters?" 2 a.svm
refused 2 "lssmtc: --lambda is at most 1" 2 --method lssmtc --k 4 \
    --init a.init --lambda 2 a.svm
refused 2 "lssmtc: takes squared distances, and one --k" 2 --method lssmtc \
    --k 4,3 --init a.init,b.init a.svm b.svm
refused 2 "--method ward: need mbc or lssmtc" 2 --method ward --k 3 a.svm
refused 2 "unknown option --ks" 2 --ks 3 a.svm
refused 2 "two files are called a" 2 --k 2 a.svm ./a.svm
refused 1 "a.svm/got: Not a directory" 2 --k 2 --out a.svm/got a.svm
refused 1 "absent/got.json: No such file" 2 --k 2 --json absent/got.json a.svm
refused 1 "taken is a directory" 2 --k 2 --json taken a.svm
cp a.init labels/a.labels
refused 1 "labels/a.labels is an input" 2 --k 4 --init labels/a.labels \
    --out labels a.svm
cmp -s a.init labels/a.labels || bad "an input was written to"
# One file of labels that cannot be written: none is there then.
rm -rf got
mkdir -p got/b.labels.part
mbc 2 --k 2 --out got --json got.json a.svm b.svm > said 2>&1
rc=$?
if [ $rc = 1 ] && [ ! -e got.json ] && ! ls got/*.labels > /dev/null 2>&1
then ok; else bad "half an output: status $rc"; fi
# A rank that is killed in the middle; $$ is the program after exec.
rm -rf got
# shellcheck disable=SC2016
timeout 60 $run -np 3 sh -c '
    if [ "${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-0}}" = 1 ]; then
        (sleep 2; kill -9 $$) &
    fi
    exec "$@"' sh "$bin/federated_mbc" --quiet --k 4 --iterations 1000000 \
    --tolerance -1 --out got $tasks > said 2>&1
rc=$?
if [ $rc != 0 ] && [ $rc != 124 ] && [ ! -e got ] && grep -qi 'rank 1' said
then ok; else bad "a rank that is killed: status $rc"; head -n 5 said; fi

echo "federated: $passed passed, $failed failed"
[ $failed = 0 ]
