#!/bin/sh
# SPDX-License-Identifier: MIT
# What `mtc` does, on data that it generates: each command is printed, run and
# explained.
#
#     examples/demo.sh [DIRECTORY]      where the files go; default: mtc-demo
#
# MTC names the program; default: mtc.
set -eu
program=${MTC:-mtc}
case $program in */*) program=$(cd "${program%/*}" && pwd)/${program##*/} ;; esac
mkdir -p "${1:-mtc-demo}"
cd "${1:-mtc-demo}"
run() {                         # ARGUMENTS...
    printf '\n$ mtc %s\n' "$*"
    "$program" "$@"
}
say() { printf '%s\n' "$@"; }

run generate blobs --out .
say "Two related tasks: three clusters each around the same centers.  The" \
    "second task is shifted as a whole."
run choose blobs1.svm blobs2.svm
say "How many clusters there are, if the files had no labels."
run cluster kmeans blobs1.svm blobs2.svm --out . --save model.json
say "Each task by itself.  The labels in the files only score the result: acc" \
    "is the best one-to-one matching; nmi and ari need none."
run assign model.json blobs1.svm --task blobs2
say "New samples get labels from the saved model: here those of the first task" \
    "from the centers of the second.  Samples that lie far out are told."
run export model.json --c model --out .
say "The same model for a device: one C header that needs no library."
run cluster auto blobs1.svm blobs2.svm --svg auto.svg
say "What to try first: a vote of methods that share between the tasks and" \
    "methods that do not.  The picture is auto.svg."
run cluster lssmtc --guard blobs1.svm blobs2.svm
say "The tasks share a subspace.  The guard runs the method with and without" \
    "sharing and keeps for each task the answer that changes less."
run cluster mbc blobs1.svm blobs2.svm --svg mbc.svg
say "Each task keeps clusters of its own, which are pulled towards those of the" \
    "other task that they match at least cost."
run relate blobs1.svm blobs2.svm
say "How far the tasks are apart."
run compare blobs1.svm blobs2.svm
say "All methods on the same data: does sharing help here?"
run score blobs1.labels blobs1.svm
say "Labels from a file, scored."

run generate text --out .
run cluster kmeans --preprocess tfidf text1.svm text2.svm
run cluster mtcfir text1.svm text2.svm
say "Counts of words.  In mtcfir words that occur together stand for each" \
    "other, in both tasks."

run transfer svm --source blobs1.svm --target blobs2.svm
run transfer lssttc --source blobs1.svm --target blobs2.svm
say "Labels of the first task teach, the second task is labeled."
run generate bridge --out .
run bridge --source bridge1.svm --target bridge3.svm bridge2.svm bridge4.svm \
    bridge5.svm
say "Source and target share no word.  Which of three domains is between them?"
run transfer ttl --source bridge1.svm --bridge bridge2.svm --target bridge3.svm
say "The labels go from the source over the bridge to the target."
run generate siblings --out .
run cluster ec siblings1.svm
run transfer trec --source blobs1.svm --target siblings1.svm
say "Ten runs of k-means in random features and their vote.  Then a rule that" \
    "was learned on the source repairs the vote, although the files have other" \
    "features."
printf '4,1,3\n2,0,5\n3,2,2\n' > cost.csv
run emd cost.csv
say "The cheapest plan of transport, and the gap that proves it."
