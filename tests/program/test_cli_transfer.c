/* SPDX-License-Identifier: MIT
 *
 * test_cli_transfer.c - the methods of `transfer`, ensembles, and bridges.
 */
#include "golden/align.h"
#include "golden/ec.h"
#include "golden/lss.h"
#include "golden/ttl.h"
#include "cli.h"

TEST every_transfer_method_labels_the_obvious_target(void)
{
    static const char *const runs[] = {
        "transfer svm --source a.csv --target t.svm --json -",
        "transfer svm --kernel rbf --gamma .1 --source a.csv --target t.svm "
        "--json -",
        "transfer svm --source a.csv a.svm --target t.svm --json -",
        "transfer gfhf --source a.csv --target t.svm --json -",
        "transfer llgc --mu .5 --source a.csv --target t.svm --json -",
        "transfer gfhf --neighbors 2 --source a.csv --source a.svm "
        "--target t.svm --json -"};
    cli_write("t.svm", "7 1:9\n5 2:.5\n7 1:11 2:1\n");
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        ASSERT_EQ_FMTm(runs[i], 0, cli(runs[i]), "%d");
        ASSERTm(runs[i], json_is("tasks.0.labels", "[1, 0, 1]"));
        ASSERT(json_is("tasks.0.name", "\"t\""));
        ASSERT(json_is("classes", "[5, 7]"));
        JSON_NEAR("tasks.0.acc", 1);
        JSON_NEAR("tasks.0.k", 2);
        ASSERT(json_is("converged", "true"));
        ASSERT(json_at(cli_last()->out, "tasks.1") == NULL);
    }
    PASS();
}

TEST transfer_accuracy_is_direct(void)
{
    /* Every sample is told apart but named the wrong way round. */
    cli_write("swap.csv", "x,y,label\n0,0,7\n0,1,7\n10,0,5\n10,1,5\n");
    RUNS(0, "transfer svm --source a.csv --target swap.csv --json -");
    JSON_NEAR("tasks.0.acc", 0);
    JSON_NEAR("tasks.0.nmi", 1);
    JSON_NEAR("tasks.0.ari", 1);
    PASS();
}

TEST class_that_no_source_has_is_never_right(void)
{
    cli_write("new.csv", "x,y,label\n0,0,5\n0,1,1\n10,0,7\n10,1,0\n");
    RUNS(0, "transfer svm --source a.csv --target new.csv --json -");
    ASSERT(json_is("tasks.0.labels", "[0, 0, 1, 1]"));
    JSON_NEAR("tasks.0.acc", 0.5);
    PASS();
}

TEST sources_that_share_no_class_are_told(void)
{
    cli_write("small.csv", "x,y,class\n0,0,no\n0,1,no\n9,0,yes\n9,1,yes\n");
    cli_write("big.csv", "x,y,class\n0,0,No\n0,1,No\n9,0,Yes\n9,1,Yes\n");
    RUNS(0, "transfer svm --source small.csv big.csv --target b.csv");
    ERR_HAS("small.csv: shares no class with another source: it has 'no', "
            "big.csv has 'No'\n");
    RUNS(0, "transfer svm --source small.csv big.csv small.csv --target b.csv");
    ERR_HAS("big.csv: shares no class with another source: it has 'No', "
            "small.csv has 'no'\n");
    cli_write("low.csv", "x,y,class\n0,0,0\n0,1,0\n9,0,1\n9,1,1\n");
    RUNS(0, "transfer svm --source a.csv low.csv --target b.csv");
    ERR_HAS("it has 5, low.csv has 0\n");
    cli_write("part.csv", "x,y,class\n0,0,5\n0,1,5\n9,0,1\n9,1,1\n");
    RUNS(0, "transfer svm --source a.csv part.csv --target b.csv");
    ASSERT(strstr(cli_last()->err, "shares no class") == NULL);
    PASS();
}

TEST transfer_needs_labels_in_the_source_alone(void)
{
    static char labels[CLI_TEXT];
    RUNS(1, "transfer svm --source b.csv --target a.csv");
    ERR_HAS("b.csv: a source needs labels; --labels says which column has");
    RUNS(0, "transfer svm --source a.csv --target b.csv --out o");
    ASSERT(strstr(cli_last()->out, "2 classes in b. Class ") ==
           cli_last()->out);
    OUT_HAS("b            4        2    2\n");
    ASSERT_STR_EQ("0\n0\n1\n1\n", cli_read(cli_path("o/b.labels"), labels));
    PASS();
}

/* Columns of a table are scaled where they are on different scales; methods
 * that cannot have that leave them, and say so. */
TEST transfer_says_whether_it_scales(void)
{
    const char *said = "this command scales nothing by itself; --preprocess";
    cli_write("s.csv", "x,y,class\n1000,.1,a\n3000,.2,b\n2000,.1,a\n500,.3,b\n");
    RUNS(0, "transfer svm --source s.csv --target s.csv --json -");
    ERR_HAS("times the other one): z-scored; --preprocess none leaves them\n");
    ASSERT(json_is("options.preprocess", "\"zscore\""));
    RUNS(0, "transfer cdsc --source s.csv --target s.csv");
    ERR_HAS(said);
    RUNS(0, "transfer trec --source s.csv --target s.csv --k 2");
    ERR_HAS(said);
    RUNS(0, "transfer nb --source s.csv --target s.csv");
    ASSERT(strstr(cli_last()->err, said) == NULL);
    RUNS(0, "transfer svm --source s.csv --target s.csv --preprocess none");
    ASSERT(strstr(cli_last()->err, said) == NULL);
    RUNS(0, "transfer svm --source a.csv --target b.csv");
    ASSERT(strstr(cli_last()->err, said) == NULL);
    PASS();
}

TEST target_keeps_its_name_beside_a_source_of_the_same(void)
{
    RUNS(0, "transfer svm --source a.csv --target a.svm --json -");
    ASSERT(json_is("tasks.0.name", "\"a\""));
    PASS();
}

TEST target_that_is_a_source_is_told(void)
{
    const char *said = "a.csv is source and target: its labels teach, and the "
                       "accuracy is that of the training data\n";
    RUNS(0, "transfer svm --source a.svm a.csv --target a.csv --json -");
    ERR_HAS("mtc: warning: a.csv is source and");
    ERR_HAS(said);
    ASSERT(json_is("notices.0.code", "\"source-is-target\""));
    RUNS(0, "transfer svm --source ./a.csv --target ../cli_test/a.csv");
    ERR_HAS(said);
    RUNS(0, "transfer svm --source a.svm --target a.csv");
    ASSERT(strstr(cli_last()->err, "is source and target") == NULL);
    (void)cli_shell("cp a.csv again.csv");
    RUNS(0, "transfer svm --source again.csv --target a.csv");
    ASSERT(strstr(cli_last()->err, "is source and target") == NULL);
    PASS();
}

TEST svm_reports_gamma_as_used(void)
{
    RUNS(0, "transfer svm --kernel rbf --source a.csv --target b.csv --json -");
    JSON_NEAR("options.gamma", 0.5);            /* 1/d */
    ASSERT(json_number("gap") <= 1e-3);
    RUNS(0, "transfer svm --source a.csv --target b.csv --json -");
    ASSERT(json_is("options.gamma", "null"));
    ASSERT(json_is("options.source", "[\"a.csv\"]"));
    ASSERT(json_is("objective", "[]"));
    PASS();
}

TEST class_names_carry_over_from_source_to_target(void)
{
    cli_write("words1.csv", "x,label\n0,cat\n1,cat\n9,dog\n10,dog\n");
    cli_write("words2.csv", "label,x\ndog,9.5\ncat,.5\n");
    RUNS(0, "transfer svm --source words1.csv --target words2.csv --json -");
    ASSERT(json_is("tasks.0.labels", "[1, 0]"));
    ASSERT(json_is("classes", "[\"cat\", \"dog\"]"));
    JSON_NEAR("tasks.0.acc", 1);
    PASS();
}

TEST lssttc_and_tsvm_carry_classes_to_the_target(void)
{
    RUNS(0, "transfer lssttc --lambda .75 --mode recon --source a.csv "
            "--target b.csv --json -");
    ASSERT(json_is("tasks.0.labels", "[0, 0, 1, 1]"));
    ASSERT(json_is("classes", "[5, 7]"));
    RUNS(0, "transfer tsvm --source a.csv --target b.csv --json -");
    ASSERT(json_is("tasks.0.labels", "[0, 0, 1, 1]"));
    RUNS(0, "transfer lssttc --lambda 1 --offset 0 --init bad.txt "
            "--source a.csv --target b.csv --json -");
    JSON_NEAR("objective.0", 100);      /* b about its rows: 4 * 5^2 */
    RUNS(2, "transfer lssttc --init bad.txt,good.txt --source a.csv "
            "--target b.csv");
    PASS();
}

/* Source and target share no feature; the bridge (rows 0, 2: the first class)
 * ties feature 1 to 3 and 2 to 4. */
static void write_triple(void)
{
    cli_write("s.svm", "5 1:3\n5 1:2\n7 2:3\n7 2:4\n");
    cli_write("i.svm", "0 1:2 3:2\n0 2:2 4:3\n0 1:1 3:2\n0 2:3 4:1\n");
    cli_write("t.svm", "7 4:2\n5 3:5\n5 3:1\n7 4:3\n7 4:1\n");
    cli_write("far.svm", "0 9:2\n0 9:2\n0 8:1\n0 8:1\n");
    cli_write("v1.svm", "0 1:2\n0 2:2\n0 1:1\n0 2:3\n");
    cli_write("v2.svm", "0 1:2\n0 2:3\n0 1:2\n0 2:1\n");
    cli_write("v3.svm", "7 2:2\n5 1:5\n5 1:1\n7 2:3\n7 2:1\n");
    cli_write("minus.svm", "0 1:2 3:2\n0 2:-2 4:3\n0 1:1\n0 2:3\n");
    cli_write("start.txt", "1\n0\n0\n1\n1\n");
}

TEST ttl_carries_classes_over_a_bridge(void)
{
    write_triple();
    RUNS(0, "transfer ttl --source s.svm --bridge i.svm --target t.svm "
            "--features 4 --common 3 --json -");
    ASSERT(json_is("tasks.0.labels", "[1, 0, 0, 1, 1]"));
    JSON_NEAR("tasks.0.acc", 1);
    JSON_NEAR("bridge.shared_with_source", 2);
    JSON_NEAR("bridge.shared_with_target", 2);
    ASSERT(json_is("bridge.labels", "[0, 1, 0, 1]"));
    ASSERT(json_is("classes", "[5, 7]"));
    ASSERT(json_is("options.variant", "\"repaired\""));
    RUNS(0, "transfer ttl --source s.svm --view1 v1.svm --view2 v2.svm "
            "--target v3.svm --json -");
    ASSERT(json_is("tasks.0.labels", "[1, 0, 0, 1, 1]"));
    JSON_NEAR("tasks.0.d", 2);
    RUNS(0, "transfer ttl --source s.svm --view1 v1.svm --view2 v2.svm "
            "--target v3.svm --start random --json -");
    JSON_NEAR("tasks.0.nmi", 1);        /* which class is which is chance */
    RUNS(0, "transfer ttl --source s.svm --bridge i.svm i.svm --target t.svm "
            "--variant published --init start.txt --json -");
    ASSERT(json_is("tasks.0.labels", "[1, 0, 0, 1, 1]"));
    ASSERT(json_is("bridge.labels", "[0, 1, 0, 1, 0, 1, 0, 1]"));
    ASSERT(json_is("options.variant", "\"published\""));
    PASS();
}

/* Known labels are the answer, though false, and may be of a new class. */
TEST ttl_keeps_known_labels_of_the_target(void)
{
    write_triple();
    cli_write("known.txt", "# two of five\n0 5\n3 7\n");
    RUNS(0, "transfer ttl --source s.svm --bridge i.svm --target t.svm "
            "--known known.txt --json -");
    ASSERT(json_is("tasks.0.labels", "[0, 0, 0, 1, 1]"));
    ASSERT(json_is("target_classes.0", "[1, 0]"));
    ASSERT(json_is("target_classes.3", "[0, 1]"));
    ASSERT(json_is("options.known", "\"known.txt\""));
    cli_write("known.txt", "4 9\n");
    RUNS(0, "transfer ttl --source s.svm --bridge i.svm --target t.svm "
            "--known known.txt --json -");
    ERR_HAS("known.txt:1: no source has the label 9");
    ASSERT(json_is("classes", "[5, 7, 9]"));
    ASSERT(json_is("target_classes.4", "[0, 0, 1]"));
    cli_write("known.txt", "5 7\n");
    RUNS(1, "transfer ttl --source s.svm --bridge i.svm --target t.svm "
            "--known known.txt");
    ERR_HAS("known.txt:1: ");
    PASS();
}

TEST ttl_weights_its_features(void)
{
    write_triple();
    RUNS(0, "generate bridge --out g --n 60");
    RUNS(0, "transfer ttl --source g/bridge1.svm --bridge g/bridge2.svm "
            "--target g/bridge3.svm --json -");
    ASSERT(json_is("options.weights", "\"auto\""));
    RUNS(0, "transfer ttl --source g/bridge1.svm --bridge g/bridge2.svm "
            "--target g/bridge3.svm --weights idf --json -");
    ASSERT(json_is("weighted", "true"));
    RUNS(0, "transfer ttl --source g/bridge1.svm --bridge g/bridge2.svm "
            "--target g/bridge3.svm --weights none --json -");
    ASSERT(json_is("weighted", "false"));
    RUNS(2, "transfer ttl --source s.svm --bridge i.svm --target t.svm "
            "--weights df");
    PASS();
}

TEST ttl_says_what_is_missing(void)
{
    write_triple();
    RUNS(2, "transfer ttl --source s.svm --target t.svm");
    ASSERT(strstr(cli_last()->err, "--bridge FILE...") != NULL);
    RUNS(2, "transfer ttl --source s.svm --target t.svm --view1 v1.svm");
    RUNS(2, "transfer ttl --source s.svm --target t.svm --bridge i.svm "
            "--view1 v1.svm --view2 v2.svm");
    RUNS(2, "transfer ttl --source s.svm --target t.svm --bridge i.svm "
            "--common 31");
    RUNS(2, "transfer ttl --source s.svm --target t.svm --bridge i.svm "
            "--variant other");
    RUNS(2, "transfer svm --source s.svm --target t.svm --bridge i.svm");
    RUNS(1, "transfer ttl --source s.svm --target t.svm --bridge far.svm");
    ASSERT(strstr(cli_last()->err, "far.svm") != NULL);
    ASSERT(strstr(cli_last()->err, "shares no feature") != NULL);
    RUNS(1, "transfer ttl --source s.svm --target t.svm --bridge minus.svm");
    ASSERT(strstr(cli_last()->err, "minus.svm") != NULL);
    ASSERT(strstr(cli_last()->err, "sample 2, feature 2") != NULL);
    RUNS(1, "transfer ttl --source s.svm --target v3.svm --view1 v1.svm "
            "--view2 v3.svm");
    PASS();
}

TEST bridge_ranks_candidates_and_gives_reasons(void)
{
    RUNS(0, "generate bridge --out g --n 60");
    RUNS(0, "bridge --source g/bridge1.svm --target g/bridge3.svm "
            "g/bridge4.svm g/bridge5.svm g/bridge2.svm --json -");
    ASSERT(json_is("candidates.0.name", "\"bridge2\""));
    JSON_NEAR("candidates.0.rank", 1);
    JSON_NEAR("candidates.0.features.4", 2);        /* no word in common */
    RUNS(0, "bridge --source g/bridge1.svm --target g/bridge3.svm "
            "g/bridge2.svm");
    ASSERT(strstr(cli_last()->out, "bridge2") != NULL);
    RUNS(2, "bridge --source g/bridge1.svm g/bridge2.svm");
    RUNS(2, "bridge --source g/bridge1.svm --target g/bridge3.svm");
    PASS();
}

/* Each sample has one neighbor: those near 90 have only each other. */
TEST samples_that_no_label_reaches_are_told(void)
{
    cli_write("s.csv", "x,class\n1,u\n2,u\n2.5,u\n7,v\n8,v\n");
    cli_write("t.csv", "x\n1.5\n7.5\n90\n90.5\n");
    RUNS(0, "transfer gfhf --source s.csv --target t.csv --neighbors 1");
    ERR_HAS("warning: t: no label reaches 2 of 4 samples, which get the most "
            "frequent class;");
    RUNS(0, "transfer llgc --source s.csv --target t.csv --neighbors 1");
    ERR_HAS("no label reaches 2 of 4 samples");
    RUNS(0, "transfer llgc --source s.csv --target t.csv --neighbors 8 --width 9");
    ASSERT(strstr(cli_last()->err, "reaches") == NULL);
    PASS();
}

TEST ec_votes_and_tells_how_stable_it_is(void)
{
    RUNS(0, "cluster ec a.csv --json -");
    JSON_NEAR("tasks.0.acc", 1);
    JSON_NEAR("options.runs", 10);
    JSON_NEAR("ensemble.0.columns", 2);
    JSON_NEAR("options.restarts", 10);
    JSON_NEAR("ensemble.0.stability.3", 1);
    JSON_NEAR("ensemble.0.cluster_stability.1", 1);
    JSON_NEAR("ensemble.0.mean_stability", 1);
    JSON_NEAR("ensemble.0.singular_values.1", 1);
    ASSERT(json_is("ensemble.0.features", "null"));     /* both of them */
    ASSERT(json_at(cli_last()->out, "ensemble.0.partitions.9") != NULL);
    ASSERT(json_at(cli_last()->out, "ensemble.0.partitions.10") == NULL);
    /* Two points of the embedding: a fixed point of its k-means. */
    cli_write("turned.txt", "1\n1\n0\n0\n");
    RUNS(0, "cluster ec --init turned.txt a.csv --json -");
    ASSERT(json_is("tasks.0.labels", "[1, 1, 0, 0]"));
    JSON_NEAR("options.restarts", 1);
    RUNS(0, "cluster ec --k 1 a.csv --json -");
    ASSERT(json_is("tasks.0.labels", "[0, 0, 0, 0]"));
    PASS();
}

/* What a task is called together with must not matter to it. */
TEST ec_tasks_have_features_of_their_own(void)
{
    static char alone[CLI_TEXT], beside[CLI_TEXT];
    static const char *const how[] = {"none", "zscore"};
    RUNS(0, "generate blobs --n 100 --tasks 1 --out e");
    RUNS(0, "generate siblings --n 80 --tasks 1 --out e");
    for (size_t h = 0; h < 2; h++) {
        char args[200];
        sprintf(args, "cluster ec --preprocess %s e/blobs1.svm --out one",
                how[h]);
        ASSERT_EQ(0, cli(args));
        sprintf(args, "cluster ec --preprocess %s e/blobs1.svm "
                "e/siblings1.svm --out two --json -", how[h]);
        ASSERT_EQ(0, cli(args));
        JSON_NEAR("tasks.0.d", 5);
        JSON_NEAR("tasks.1.d", 30);
        cli_read(cli_path("one/blobs1.labels"), alone);
        cli_read(cli_path("two/blobs1.labels"), beside);
        ASSERT(strlen(alone) == 200);
        ASSERT_STR_EQ(alone, beside);
    }
    cli_write("far.svm", "1 2000000:1\n1 2000000:2\n2 2000001:9\n");
    RUNS(0, "cluster ec far.svm a.csv --json -");
    JSON_NEAR("tasks.1.d", 2);
    JSON_NEAR("tasks.1.acc", 1);
    RUNS(0, "cluster ec --pool a.csv a.svm --json -");
    JSON_NEAR("tasks.1.acc", 1);
    PASS();
}

TEST trec_repairs_by_what_the_source_tells(void)
{
    static const char *const metas[] = {"probability", "both",
                                        "coassociation"};
    /* Another feature space, other classes. */
    cli_write("s.csv", "u,label\n0,3\n0.1,3\n0.2,3\n5,4\n5.1,4\n5.2,4\n"
                       "9,8\n9.1,8\n9.2,8\n");
    cli_write("wrong.txt", "0\n0\n1\n0\n");
    for (size_t i = 0; i < 3; i++) {
        char args[200];
        sprintf(args, "transfer trec --meta %s --qmin 0 --k 2 --init "
                "wrong.txt --source s.csv --target b.csv --json -", metas[i]);
        ASSERT_EQ_FMTm(args, 0, cli(args), "%d");
        ASSERTm(args, json_is("start", "[0, 0, 1, 0]"));
        ASSERTm(args, json_is("moves", "[[3, 0, 1]]"));
        ASSERTm(args, json_is("tasks.0.labels", "[0, 0, 1, 1]"));
        ASSERT(json_is("classes", "[3, 4, 8]"));
        ASSERT(json_is("converged", "true"));
        JSON_NEAR("tasks.0.d", 2);
        JSON_NEAR("tasks.0.k", 2);
        JSON_NEAR("iterations", 1);
        JSON_NEAR("ensemble.stability.0", 1);
        JSON_NEAR("options.gamma", 0.03125);
        JSON_NEAR("options.cost", 10);
        JSON_NEAR("options.moves", 40);                 /* as used */
    }
    /* coassociation: 0 0 | 1 1 against 0 0 1 0: three pairs, six ordered. */
    ASSERT_IN_RANGE(sqrt(6.0), json_number("objective.0"), 1e-6);
    JSON_NEAR("objective.1", 0);
    RUNS(0, "transfer trec --k 2 --init wrong.txt --source s.csv "
            "--target b.csv --json -");
    JSON_NEAR("iterations", 0);                         /* below --qmin 5 */
    PASS();
}

TEST trec_takes_its_k_from_option_target_or_source(void)
{
    cli_write("s.csv", "u,label\n0,3\n0.1,3\n0.2,3\n5,4\n5.1,4\n5.2,4\n"
                       "9,8\n9.1,8\n9.2,8\n");
    cli_write("one.csv", "u,label\n0,3\n0.1,3\n5,3\n");
    RUNS(0, "transfer trec --source s.csv --target b.csv --json -");
    JSON_NEAR("options.k", 3);                          /* the source's */
    RUNS(0, "transfer trec --source s.csv --target a.csv --json -");
    JSON_NEAR("options.k", 2);                          /* the target's */
    JSON_NEAR("tasks.0.acc", 1);                        /* by matching */
    RUNS(0, "transfer trec --k 4 --source s.csv --target a.csv --json -");
    JSON_NEAR("options.k", 4);
    RUNS(0, "transfer trec --source one.csv --target a.csv --json -");
    RUNS(0, "transfer trec --meta both --source one.csv s.csv "
            "--target a.csv");
    RUNS(2, "transfer trec --k 9 --source s.csv --target a.csv");
    RUNS(2, "transfer trec --k 2,3 --source s.csv --target a.csv");
    ERR_HAS("--k has 2 numbers for one target");
    RUNS(1, "transfer trec --source b.csv --target a.csv");
    ERR_HAS("a source needs labels");
    PASS();
}

/* A label of the target that no source has counts as wrong, and is told. */
TEST classes_that_no_source_has_are_told(void)
{
    cli_write("s.csv", "x,label\n0,True\n0.1,True\n5,False\n5.1,False\n");
    cli_write("t.csv", "x,label\n0,TRUE\n0.1,TRUE\n5,False\n5.1,FALSE\n");
    RUNS(0, "transfer svm --source s.csv --target t.csv --save m.json "
            "--json -");
    JSON_NEAR("tasks.0.acc", .25);
    ERR_HAS("t.csv: 3 of 4 labels, such as 'TRUE', are not among the classes "
            "and count as wrong");
    RUNS(0, "assign m.json t.csv");
    ERR_HAS("t.csv: 3 of 4 labels, such as 'TRUE', are not among");
    cli_write("s.csv", "x,label\n0,1\n0.1,1\n5,2\n5.1,2\n");
    cli_write("t.csv", "x,label\n0,1\n0.1,1\n5,2\n5.1,3\n");
    RUNS(0, "transfer svm --source s.csv --target t.csv");
    ERR_HAS("t.csv: 1 of 4 labels, such as 3, is not among the classes and "
            "counts as wrong");
    RUNS(0, "transfer trec --source s.csv --target t.csv");   /* its own */
    ASSERT(strstr(cli_last()->err, "among the classes") == NULL);
    PASS();
}

/* Zeros stand for no labels in LIBSVM text; they can be a class, too. */
TEST labels_of_a_target_that_are_all_equal_are_told(void)
{
    char rows[20 * 8 + 1] = "";
    for (int i = 0; i < 20; i++)
        sprintf(rows + strlen(rows), "0 1:%d\n", i % 2 ? 5 : 1);
    cli_write("s.svm", "0 1:1\n0 1:1.1\n1 1:5\n1 1:5.1\n");
    cli_write("t.svm", rows);
    RUNS(0, "transfer svm --source s.svm --target t.svm --json -");
    JSON_NEAR("tasks.0.acc", .5);
    ERR_HAS("t.svm: all its labels are 0; if that stands for none, the "
            "accuracy says nothing");
    cli_write("t.svm", strchr(rows, '\n') + 1);  /* 19: no word of it */
    RUNS(0, "transfer svm --source s.svm --target t.svm");
    ASSERT_STR_EQ("", cli_last()->err);
    PASS();
}

/* Sources share their features, though the target has its own. */
TEST trec_matches_columns_of_sources_by_name(void)
{
    cli_write("s.csv", "x,y,label\n0,5,3\n0.1,1,3\n0.4,9,3\n"
                       "9,2,4\n9.3,6,4\n8.8,7,4\n");
    cli_write("s2.csv", "x,y,label\n0.2,5.5,3\n0.3,1.5,3\n9.1,2.5,4\n"
                        "9.2,8,4\n");
    RUNS(0, "transfer trec --source s.csv s2.csv --target b.csv --json -");
    double same = json_number("same.10"), last = json_number("objective.0");
    cli_write("s2.csv", "y,label,x\n5.5,3,0.2\n1.5,3,0.3\n2.5,4,9.1\n"
                        "8,4,9.2\n");
    RUNS(0, "transfer trec --source s.csv s2.csv --target b.csv --json -");
    JSON_NEAR("same.10", same);
    JSON_NEAR("objective.0", last);
    cli_write("s2.csv", "y,label,z\n55,3,0.2\n15,3,0.3\n25,4,9.1\n");
    RUNS(1, "transfer trec --source s.csv s2.csv --target b.csv");
    ERR_HAS("s2.csv: no column is named x, as in s.csv");
    cli_write("s.csv", "n,x,label\n1,0,3\n2,0.1,3\n3,9,4\n4,9.3,4\n");
    cli_write("s2.csv", "n,x,label\n7,0.2,3\n3,0.3,3\n5,9.1,4\n9,9.2,4\n");
    RUNS(0, "transfer trec --source s.csv s2.csv --target b.csv");
    PASS();
}

/* The source's classes, here two words, are not those of the target, whose
 * labels are numbers and whose clusters may be more. */
TEST trec_names_no_cluster_after_a_class_of_the_source(void)
{
    cli_write("pets.csv", "x,y,label\n0,0,cat\n0,1,cat\n9,9,dog\n9,8,dog\n");
    RUNS(0, "transfer trec --k 4 --source pets.csv --target a.csv --svg -");
    OUT_HAS(">cluster</text>");
    OUT_HAS(">3</text>");
    ASSERT(strstr(cli_last()->out, ">cat<") == NULL);
    ASSERT(strstr(cli_last()->out, "cluster cat") == NULL);
    OUT_HAS("<title>row 1, class cat</title>");
    RUNS(0, "transfer trec --source pets.csv --target a.csv --json -");
    ASSERT(json_is("classes", "[\"cat\", \"dog\"]"));
    RUNS(1, "transfer trec --source a.csv pets.csv --target a.csv");
    ERR_HAS("pets.csv: labels are words, but in a.csv they are numbers");
    PASS();
}

TEST ec_and_trec_refuse_bad_options(void)
{
    RUNS(2, "cluster ec --runs 0 a.csv");
    RUNS(2, "cluster ec --runs 4000000000 a.csv");
    ERR_HAS("in [1,1000000]");
    RUNS(2, "cluster ec --columns 0 a.csv");
    RUNS(2, "cluster ec --meta both a.csv");
    ERR_HAS("--meta is not an option of ec");
    RUNS(2, "transfer trec --meta all --source a.csv --target b.csv");
    ERR_HAS("probability|both|coassociation");
    RUNS(2, "transfer trec --gamma 0 --source a.csv --target b.csv");
    RUNS(2, "transfer trec --qmin -1 --source a.csv --target b.csv");
    RUNS(2, "transfer trec --init good.txt,bad.txt --source a.csv "
            "--target b.csv");
    RUNS(0, "help ec");
    OUT_HAS("--columns N in [1,inf)");
    RUNS(0, "help trec");
    OUT_HAS("(default probability)");
    PASS();
}

/* Writes the tasks and starts; appends their names to the command. */
static void write_lss_case(const golden_lss *g, char *args)
{
    char init[100] = "", files[100] = "";
    for (size_t t = 0; t < g->tasks; t++) {
        char name[20], start[400] = "";
        int source = t < g->sources;
        sprintf(name, "lss%d.csv", (int)t);
        write_rows(name, g->n[t], g->d, g->X[t], source ? g->start[t] : NULL);
        sprintf(files + strlen(files), "%s%s ", g->sources == 0 ? ""
                : t == 0 ? "--source " : source ? "" : "--target ", name);
        if (source)
            continue;
        for (size_t i = 0; i < g->n[t]; i++)
            sprintf(start + strlen(start), "%d\n", g->start[t][i]);
        sprintf(name, "lss%d.txt", (int)t);
        cli_write(name, start);
        sprintf(init + strlen(init), "%s%s", init[0] ? "," : "", name);
    }
    sprintf(args, "%s --k %d --lambda %.17g --mode %s --subspace %d --rank %d "
            "--iterations %d --tolerance 0 --init %s %s--json -",
            g->sources ? "transfer lssttc" : "cluster lssmtc", (int)g->c,
            g->lambda, g->mode, (int)g->l, (int)(g->rank ? g->rank : 1),
            (int)g->steps, init, files);
}

TEST lssmtc_and_lssttc_run_worked_cases_from_files(void)
{
    size_t cases = sizeof golden_lss_cases / sizeof *golden_lss_cases;
    for (size_t c = 0; c < cases; c++) {
        const golden_lss *g = &golden_lss_cases[c];
        char args[600], path[60];
        double close = sizeof(mtc_real) == 8 ? 1e-8 : 1e-2;
        write_lss_case(g, args);
        if (g->start_W != NULL)
            continue;                   /* the program draws its own */
        ASSERT_EQ_FMTm(args, 0, cli(args), "%d");
        for (size_t i = 0; i <= g->steps; i++) {
            sprintf(path, "objective.%d", (int)i);
            ASSERT_IN_RANGEm(g->name, g->objective[i], json_number(path),
                             close * (1 + g->objective[0]));
        }
        sprintf(path, "objective.%d", (int)g->steps + 1);
        ASSERT(json_at(cli_last()->out, path) == NULL);
        for (size_t t = g->sources; t < g->tasks; t++)
            for (size_t i = 0; i < g->n[t] && sizeof(mtc_real) == 8; i++) {
                sprintf(path, "tasks.%d.labels.%d", (int)(t - g->sources),
                        (int)i);
                ASSERT_EQm(g->name, g->labels[t][i], json_number(path));
            }
    }
    PASS();
}

/* A fault is that of the file that has it, wherever it stands. */
TEST bridge_blames_the_file_at_fault(void)
{
    cli_write("fine.csv", "1,2\n2,1\n3,5\n9,8\n");
    cli_write("huge.csv", CLI_HUGE);
    cli_write("one.csv", "1,2\n");
    RUNS(1, "bridge --source huge.csv --target fine.csv fine.csv");
    ERR_HAS("mtc: huge.csv: a value lies outside the domain");
    RUNS(1, "bridge --source fine.csv --target huge.csv fine.csv");
    ERR_HAS("mtc: huge.csv: a value lies outside the domain");
    RUNS(1, "bridge --source fine.csv --target fine.csv fine.csv huge.csv");
    ERR_HAS("mtc: huge: a value lies outside the domain");
    RUNS(1, "bridge --source fine.csv --target one.csv fine.csv");
    ERR_HAS("mtc: one.csv: an argument or option is out of its range (samples");
    PASS();
}

/* ---- auto ---- */

/* Answers, votes, far rows and units of an independent program. */
TEST auto_votes_as_in_worked_cases(size_t number)
{
    static const char *const kept[] = {"\"as-is\"", "\"units\"", "\"own\"",
                                       "\"shares\""};
    const align_case *c = &align_cases[number];
    size_t far = 0, labeled = 0, last = 0;
    char path[60];
    write_rows("s.csv", c->n_source, c->d, c->source, c->labels);
    write_rows("t.csv", c->n_target, c->d, c->target, c->answer);
    RUNS(0, "transfer --source s.csv --target t.csv --json -");
    ASSERT(json_is("auto.kept", kept[c->kept]));
    for (size_t i = 0; i < c->n_target; i++) {
        sprintf(path, "tasks.0.labels.%d", (int)i);
        JSON_NEAR(path, c->answer[i]);
        sprintf(path, "tasks.0.votes.%d", (int)i);
        JSON_NEAR(path, (double)c->votes[i] / c->voters);
        sprintf(path, "tasks.0.distance.%d", (int)i);
        JSON_NEAR(path, c->distance[i]);
        sprintf(path, "tasks.0.far.%d", (int)i);
        JSON_NEAR(path, c->distance[i] > 1);
        far += c->distance[i] > 1;
        labeled += c->answer[i] == 0;
    }
    JSON_NEAR("auto.far_share", (double)far / (double)c->n_target);
    JSON_NEAR("auto.shares.0", (double)labeled / (double)c->n_target);
    while (last < c->d && c->unit[last] == 0)
        last++;
    ASSERT_EQ(last < c->d, json_at(cli_last()->out, "auto.units.0") != NULL);
    sprintf(path, "auto.members.%d.method", c->voters - 1);
    ASSERT(json_is(path, "\"svm\""));
    sprintf(path, "auto.members.%d.method", c->voters);
    ASSERT(json_at(cli_last()->out, path) == NULL);
    PASS();
}

TEST auto_says_what_it_did(void)
{
    static char rows[CLI_TEXT];
    const align_case *c = &align_cases[2];
    size_t hollow = 0;
    write_rows("s.csv", c->n_source, c->d, c->source, c->labels);
    write_rows("t.csv", c->n_target, c->d, c->target, c->answer);
    RUNS(0, "transfer auto --source s.csv --target t.csv --out o --save m.json "
            "--svg p.svg");
    OUT_HAS("19 rows labeled: 8 of class 0, 6 of 1, 5 of 2. All 3 votes agree on");
    ERR_HAS("note: x1 of the target was brought to the mean and spread of the "
            "source's: as they are, its rows lie 510 times as far");
    ERR_HAS("x1: the target's values lie outside the source's and spread 997 "
            "times as much: other units? The column was brought to the "
            "source's mean and spread\n");
    ERR_HAS("2 of 19 rows lie farther from the source than 95 % of the source's "
            "rows from one another: their labels are guesses, perhaps of a "
            "class that the source lacks\n");
    ASSERT(strstr(cli_last()->err, "scales nothing") == NULL);
    (void)cli_read(cli_path("o/t.csv"), rows);
    ASSERT(strstr(rows, "row,class,votes,far\n1,0,1,0\n") == rows);
    ASSERT(strstr(rows, "\n5,0,1,1\n") != NULL);
    (void)cli_read(cli_path("p.svg"), rows);
    for (const char *s = rows; (s = strstr(s, "fill=\"none\" d=\"M")); s++)
        hollow++;
    ASSERT_EQ_FMT((size_t)2, hollow, "%zu");
    ASSERT(strstr(rows, ">Hollow: far from the source.<") != NULL);
    RUNS(0, "assign m.json t.csv --json -");    /* the model moves columns */
    ASSERT(json_is("tasks.0.labels", "[0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, "
                   "1, 2, 2, 2, 2, 2]"));
    c = &align_cases[0];
    write_rows("s.csv", c->n_source, c->d, c->source, c->labels);
    write_rows("t.csv", c->n_target, c->d, c->target, c->answer);
    RUNS(0, "transfer --source s.csv --target t.csv");
    OUT_HAS("24 rows labeled: 7 of class 0, 9 of 1, 8 of 2. All 6 votes agree on");
    ERR_HAS("1.2 times as far");
    ERR_HAS("; the rows as they are vote too; --align none leaves them\n");
    ERR_HAS("1 of 24 rows lies farther");
    PASS();
}

/* Two files of two columns, the first of the target in degrees Fahrenheit; more
 * rows than are looked at. */
TEST methods_leave_other_units_and_say_so(void)
{
    enum { N = 1203 };
    static double x[2 * N];
    static int y[N];
    mtc_random rng = mtc_random_seed(3);
    for (int target = 0; target < 2; target++) {
        for (size_t i = 0; i < N; i++) {
            y[i] = (int)(i % 2);
            double t = 20 + 4 * y[i] + (double)mtc_random_normal(&rng);
            x[2 * i] = target ? 1.8 * t + 32 : t;
            x[2 * i + 1] = 3 * y[i] + (double)mtc_random_normal(&rng);
        }
        write_rows(target ? "t.csv" : "s.csv", N, 2, x, y);
    }
    RUNS(0, "transfer svm --source s.csv --target t.csv");
    ERR_HAS("note: x0: the target seems to be in degrees Fahrenheit, the source "
            "in Celsius. --align auto brings it to the source's\n");
    ASSERT(strstr(cli_last()->err, "x1:") == NULL);
    RUNS(0, "transfer svm --align auto --source s.csv --target t.csv");
    ERR_HAS("in Celsius. The column was brought to the source's mean");
    RUNS(0, "transfer svm --align none --source s.csv --target t.csv");
    ASSERT(strstr(cli_last()->err, "Celsius") == NULL);
    RUNS(0, "transfer svm --source s.csv --target s.csv");
    ASSERT(strstr(cli_last()->err, "Celsius") == NULL);
    PASS();
}

/* llgc of the worked case on the rows as they are, and on its own moments. */
TEST align_is_for_named_methods_too(void)
{
    const align_case *c = &align_cases[0];
    const char *own = "[0, 0, 0, 2, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, "
                      "2, 2, 2, 2, 2, 2]";
    const char *as_is = "[0, 0, 0, 2, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, "
                        "1, 2, 2, 2, 2, 2, 2]";
    write_rows("s.csv", c->n_source, c->d, c->source, c->labels);
    write_rows("t.csv", c->n_target, c->d, c->target, c->answer);
    RUNS(0, "transfer llgc --align auto --source s.csv --target t.csv --json -");
    ASSERT(json_is("tasks.0.labels", own));
    ASSERT(json_is("notices.0.code", "\"moved\""));
    JSON_NEAR("tasks.0.distance.0", c->distance[0]);
    RUNS(0, "transfer llgc --align own --source s.csv --target t.csv --json -");
    ASSERT(json_is("tasks.0.labels", own));
    RUNS(0, "transfer llgc --align none --source s.csv --target t.csv --json -");
    ASSERT(json_is("tasks.0.labels", as_is));
    ASSERT(json_is("notices.0.code", "\"far\""));
    RUNS(0, "transfer --align none --source s.csv --target t.csv --json -");
    ASSERT(json_is("auto.voting_maps", "[\"as-is\"]"));
    RUNS(2, "transfer nb --align own --source s.csv --target t.csv");
    c = &align_cases[2];
    write_rows("s.csv", c->n_source, c->d, c->source, c->labels);
    write_rows("t.csv", c->n_target, c->d, c->target, c->answer);
    RUNS(0, "transfer svm --align units --source s.csv --target t.csv --json - "
            "--save m.json");
    JSON_NEAR("tasks.0.acc", 1);
    RUNS(0, "assign m.json t.csv --json -");
    JSON_NEAR("tasks.0.acc", 1);
    RUNS(2, "transfer svm --align units --preprocess zscore --source s.csv "
            "--target t.csv --save m.json");
    ERR_HAS("--save: a model has --align only with --preprocess none");
    PASS();
}

TEST auto_takes_a_source_of_one_class_and_few_rows(void)
{
    cli_write("one.csv", "x,y,class\n0,0,a\n0,1,a\n1,0,a\n1,1,a\n");
    RUNS(0, "transfer --source one.csv --target b.csv");
    OUT_HAS("4 rows labeled: 4 a. The source has no other class.");
    RUNS(0, "transfer --source a.csv --target b.csv --json -");
    ASSERT(json_is("tasks.0.labels", "[0, 0, 1, 1]"));
    ASSERT(json_is("auto.voting_maps", "[\"as-is\"]"));
    ASSERT(json_at(cli_last()->out, "auto.maps.1") == NULL);
    RUNS(2, "transfer auto");
    ERR_HAS("--source FILE... is missing");
    RUNS(2, "transfer auto --k 3 --source a.csv --target b.csv");
    RUNS(0, "transfer --help");
    RUNS(0, "transfer auto --help");
    OUT_HAS("mtc transfer auto [options] --source FILE... --target FILE");
    PASS();
}

/* Three words of ten for each class; rows of other words are strange. */
static void write_sparse(const char *name, int first, int step)
{
    char text[CLI_TEXT];
    size_t at = 0;
    for (int i = 0; i < 24; i++) {
        int word = first + (i % 2) * 30 + i / 2 * step % 8;
        at += (size_t)sprintf(text + at, "%d %d:1 %d:2 %d:1\n", 5 + i % 2,
                              word, word + 1, word + 2);
    }
    cli_write(name, text);
}

TEST auto_asks_other_methods_of_strange_texts(void)
{
    write_sparse("s.svm", 1, 1);
    write_sparse("near.svm", 1, 1);
    write_sparse("far.svm", 9, 1);
    RUNS(0, "transfer --source s.svm --target near.svm --json -");
    ASSERT(json_is("auto.geometry", "\"directions\""));
    ASSERT(json_is("auto.members.0.method", "\"rbf\""));
    ASSERT(json_is("auto.members.2.method", "\"svm\""));
    JSON_NEAR("tasks.0.acc", 1);
    RUNS(0, "transfer --source s.svm --target far.svm --json -");
    ASSERT(json_is("auto.members.0.method", "\"lssttc\""));
    ASSERT(json_is("auto.members.1.method", "\"cdsc\""));
    ASSERT(json_is("auto.members.2.method", "\"cocc\""));
    PASS();
}

SUITE(cli_transfer_suite)
{
    if (!cli_ready())
        return;
    RUN_TEST(there_is_room_for_files);
    SET_SETUP(cli_setup, NULL);
    RUN_TEST(lssttc_and_tsvm_carry_classes_to_the_target);
    RUN_TEST(every_transfer_method_labels_the_obvious_target);
    for (size_t c = 0; c < sizeof align_cases / sizeof align_cases[0]; c++)
        RUN_TESTp(auto_votes_as_in_worked_cases, c);
    RUN_TEST(auto_says_what_it_did);
    RUN_TEST(methods_leave_other_units_and_say_so);
    RUN_TEST(align_is_for_named_methods_too);
    RUN_TEST(auto_takes_a_source_of_one_class_and_few_rows);
    RUN_TEST(auto_asks_other_methods_of_strange_texts);
    RUN_TEST(transfer_accuracy_is_direct);
    RUN_TEST(class_that_no_source_has_is_never_right);
    RUN_TEST(sources_that_share_no_class_are_told);
    RUN_TEST(transfer_needs_labels_in_the_source_alone);
    RUN_TEST(transfer_says_whether_it_scales);
    RUN_TEST(target_keeps_its_name_beside_a_source_of_the_same);
    RUN_TEST(target_that_is_a_source_is_told);
    RUN_TEST(svm_reports_gamma_as_used);
    RUN_TEST(class_names_carry_over_from_source_to_target);
    RUN_TEST(ttl_carries_classes_over_a_bridge);
    RUN_TEST(ttl_keeps_known_labels_of_the_target);
    RUN_TEST(ttl_weights_its_features);
    RUN_TEST(ttl_says_what_is_missing);
    RUN_TEST(bridge_blames_the_file_at_fault);
    RUN_TEST(bridge_ranks_candidates_and_gives_reasons);
    RUN_TEST(samples_that_no_label_reaches_are_told);
    RUN_TEST(ec_votes_and_tells_how_stable_it_is);
    RUN_TEST(ec_tasks_have_features_of_their_own);
    RUN_TEST(trec_repairs_by_what_the_source_tells);
    RUN_TEST(trec_takes_its_k_from_option_target_or_source);
    RUN_TEST(classes_that_no_source_has_are_told);
    RUN_TEST(labels_of_a_target_that_are_all_equal_are_told);
    RUN_TEST(trec_matches_columns_of_sources_by_name);
    RUN_TEST(trec_names_no_cluster_after_a_class_of_the_source);
    RUN_TEST(ec_and_trec_refuse_bad_options);
    RUN_TEST(lssmtc_and_lssttc_run_worked_cases_from_files);
}
