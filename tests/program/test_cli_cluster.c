/* SPDX-License-Identifier: MIT
 *
 * test_cli_cluster.c - the methods of `cluster` that need only one
 * task, and what all of them have in common.
 */
#include "cli.h"

TEST kmeans_parts_two_obvious_groups(void)
{
    RUNS(0, "cluster kmeans a.csv --json -");
    ASSERT(json_is("method", "\"kmeans\""));
    JSON_NEAR("tasks.0.n", 4);
    JSON_NEAR("tasks.0.d", 2);
    JSON_NEAR("tasks.0.k", 2);
    JSON_NEAR("tasks.0.k_effective", 2);
    JSON_NEAR("tasks.0.acc", 1);
    JSON_NEAR("tasks.0.nmi", 1);
    JSON_NEAR("tasks.0.ari", 1);
    ASSERT_EQ(json_number("tasks.0.labels.0"), json_number("tasks.0.labels.1"));
    ASSERT_EQ(json_number("tasks.0.labels.2"), json_number("tasks.0.labels.3"));
    ASSERT(json_is("converged", "true"));
    /* Every sample is half a unit from its center: 4 * 0.25. */
    ASSERT_IN_RANGE(1.0, json_loss(), 1e-5);
    PASS();
}

TEST json_has_the_members_of_the_contract(void)
{
    RUNS(0, "cluster kmeans a.csv --json -");
    ASSERT_STR_EQ("mtc schema notices sentence apart method options "
                  "iterations converged objective tasks relatedness correspondence seconds ",
                  json_members(""));
    ASSERT_STR_EQ("name n d k k_effective acc nmi ari labels sizes silhouette "
                  "apart features centers classes table ",
                  json_members("tasks.0"));
    ASSERT_STR_EQ("k init pool restarts iterations tolerance k-min "
                  "k-max seed preprocess log labels use drop id onehot header "
                  "missing missing-word split decimal names dates match text markup token "
                  "word-length stop stem min-texts max-share vocabulary ",
                  json_members("options"));
    ASSERT(json_is("relatedness", "null"));
    ASSERT(json_is("correspondence", "null"));
    ASSERT(json_is("options.pool", "false"));
    ASSERT(json_is("options.init", "null"));
    JSON_NEAR("options.k", 2);
    JSON_NEAR("options.restarts", 10);
    ASSERT(json_number("seconds") >= 0 && json_number("seconds") < 1e6);
    PASS();
}

TEST every_cluster_method_finds_the_obvious_groups(void)
{
    static const char *const runs[] = {
        "cluster kmeans a.csv --json -", "cluster pcakm a.csv --json -",
        "cluster vote a.csv --json -",
        "cluster pcakm --keep 1 a.csv --json -",
        "cluster ncut --sigma 4 a.csv --json -",
        "cluster ncut --similarity gaussian a.csv --json -",
        "cluster ncut --similarity cosine r.csv --json -",
        "cluster ncut a.csv --json -", "cluster snmf r.csv --json -",
        "cluster snmf --neighbors .5 r.csv --json -",
        "cluster kmeans --init good.txt a.csv --json -"};
    /* Rows in two directions: what cosine sees. */
    cli_write("r.csv", "class,u,v\n1,1,0\n1,2,.1\n1,3,.1\n"
                       "2,0,1\n2,.1,2\n2,.1,5\n");
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        ASSERT_EQ_FMTm(runs[i], 0, cli(runs[i]), "%d");
        ASSERT_EQ_FMTm(runs[i], 1.0, json_number("tasks.0.acc"), "%g");
        ASSERT_EQm(runs[i], 1, json_is("converged", "true"));
    }
    RUNS(0, "cluster ncut a.csv --json -");         /* dense: by distances */
    ASSERT(json_is("similarity", "\"local\""));
    PASS();
}

TEST snmf_leaves_a_bad_start(void)
{
    /* Sample 2 starts in the wrong group and has to move. */
    cli_write("r.csv", "class,u,v\n1,1,0\n1,2,.1\n1,3,.1\n"
                       "2,0,1\n2,.1,2\n2,.1,5\n");
    cli_write("off.txt", "0\n0\n1\n1\n1\n1\n");
    RUNS(0, "cluster snmf --neighbors .5 --init off.txt r.csv --json -");
    ASSERT(json_is("tasks.0.labels", "[0, 0, 0, 1, 1, 1]"));
    PASS();
}

TEST objective_is_one_array_for_each_of_several_tasks(void)
{
    RUNS(0, "cluster kmeans --k 2 a.csv b.csv --json -");
    ASSERT(json_is("objective", "[["));
    ASSERT(json_number("objective.1.0") < 1e300);
    ASSERT(json_at(cli_last()->out, "objective.2") == NULL);
    RUNS(0, "cluster kmeans a.csv --json -");
    ASSERT(!json_is("objective", "[["));
    RUNS(0, "cluster snmf a.csv --json -");
    ASSERT(json_is("objective", "[["));
    ASSERT(json_at(cli_last()->out, "objective.1") == NULL);
    PASS();
}

TEST objectives_never_rise(void)
{
    static const char *const runs[] = {
        "cluster kmeans --restarts 1 g/blobs1.svm --json -",
        "cluster ncut g/blobs1.svm --json -"};
    RUNS(0, "generate blobs --out g --seed 3");
    for (size_t i = 0; i < 2; i++) {
        ASSERT_EQ(0, cli(runs[i]));
        int n = (int)json_number("iterations");
        for (int it = 1; it <= n; it++) {
            char before[40], after[40];
            sprintf(before, "objective.%d", it - 1);
            sprintf(after, "objective.%d", it);
            ASSERT(json_number(after) <= json_number(before) * (1 + 1e-5));
        }
        char beyond[40];
        sprintf(beyond, "objective.%d", n + 1);
        ASSERT(json_at(cli_last()->out, beyond) == NULL);
    }
    PASS();
}

TEST labels_in_the_file_never_reach_the_method(void)
{
    static char honest[CLI_TEXT];
    cli_write("liar.csv", "x,y,label\n0,0,1\n0,1,2\n10,0,1\n10,1,2\n");
    cli_write("mute.csv", "x,y\n0,0\n0,1\n10,0\n10,1\n");
    RUNS(0, "cluster kmeans --k 2 --out . a.csv");
    cli_read(cli_path("a.labels"), honest);
    RUNS(0, "cluster kmeans --k 2 --out . liar.csv mute.csv");
    ASSERT_STR_EQ(honest, cli_read(cli_path("liar.labels"), cli_last()->out));
    ASSERT_STR_EQ(honest, cli_read(cli_path("mute.labels"), cli_last()->out));
    PASS();
}

TEST table_shows_scores_means_and_dashes(void)
{
    RUNS(0, "cluster kmeans --k 2 a.csv");
    OUT_HAS("task         n        d    k      acc      nmi      ari\n");
    OUT_HAS("a            4        2    2   1.0000   1.0000   1.0000\n");
    ASSERT(strstr(cli_last()->out, "\nmean") == NULL);
    RUNS(0, "cluster kmeans --k 2 b.csv");
    OUT_HAS("task         n        d    k\nb            4        2    2\n");
    /* columns by characters, not by bytes: seven letters, ten bytes */
    cli_write("southern.csv", "1,2\n1,3\n9,8\n9,7\n");
    cli_write("n\xc3\xb6rdl\xc3\xb6\xc3\xb6.csv", "1,2\n1,3\n9,8\n9,7\n");
    RUNS(0, "cluster kmeans --k 2 b.csv n\xc3\xb6rdl\xc3\xb6\xc3\xb6.csv");
    OUT_HAS("\nb             4        2    2\n");
    RUNS(0, "cluster kmeans --k 2 southern.csv "
            "n\xc3\xb6rdl\xc3\xb6\xc3\xb6.csv");
    OUT_HAS("southern       4        2    2\n"
            "n\xc3\xb6rdl\xc3\xb6\xc3\xb6        4        2    2\n");
    RUNS(0, "cluster kmeans --k 2 a.csv b.csv");
    OUT_HAS("b            4        2    2        -        -        -\n");
    RUNS(0, "cluster kmeans a.csv a.svm");
    OUT_HAS("mean                           1.0000   1.0000   1.0000\n");
    ERR_HAS("a.csv: label is taken for labels: 2 classes set the number of ");
    PASS();
}

TEST out_writes_one_label_a_line(void)
{
    static char labels[CLI_TEXT];
    RUNS(0, "cluster kmeans --init good.txt --out o a.csv");
    ASSERT_STR_EQ("0\n0\n1\n1\n", cli_read(cli_path("o/a.labels"), labels));
    PASS();
}

TEST tasks_of_one_name_do_not_overwrite_each_other(void)
{
    static char labels[CLI_TEXT];
    RUNS(0, "cluster kmeans --k 2 --out two --json - a.csv a.svm ./a.csv");
    ASSERT(json_is("tasks.0.name", "\"a\""));
    ASSERT(json_is("tasks.1.name", "\"a.2\""));
    ASSERT(json_is("tasks.2.name", "\"a.3\""));
    ASSERT_EQ(8, strlen(cli_read(cli_path("two/a.labels"), labels)));
    ASSERT_EQ(8, strlen(cli_read(cli_path("two/a.2.labels"), labels)));
    ASSERT_EQ(8, strlen(cli_read(cli_path("two/a.3.labels"), labels)));
    PASS();
}

TEST init_is_where_the_method_starts(void)
{
    /* One cluster for each row of the rectangle: a fixed point of k-means
     * when the sides are long, with loss 2 * (2^2 / 2). */
    cli_write("tall.csv", "0,0\n0,4\n2,0\n2,4\n");
    RUNS(0, "cluster kmeans --k 2 --init bad.txt tall.csv --json -");
    ASSERT(json_is("tasks.0.labels", "[0, 1, 0, 1]"));
    JSON_NEAR("objective.0", 4);
    JSON_NEAR("options.restarts", 1);
    ASSERT(json_is("options.init", "[\"bad.txt\"]"));
    RUNS(0, "cluster kmeans --k 2 --init good.txt tall.csv --json -");
    JSON_NEAR("objective.0", 16);
    PASS();
}

TEST start_with_an_empty_cluster_is_legal(void)
{
    cli_write("zeros.txt", "0\n0\n0\n0\n");
    RUNS(0, "cluster kmeans --k 2 --init zeros.txt a.csv --json -");
    JSON_NEAR("tasks.0.k_effective", 2);
    PASS();
}

TEST init_files_must_fit_the_tasks(void)
{
    cli_write("three.txt", "0\n1\n0\n");
    cli_write("high.txt", "0\n1\n\n2\n0\n");
    RUNS(2, "cluster kmeans --init good.txt a.csv b.csv --k 2");
    ERR_HAS("--init has 1 files for 2 tasks");
    RUNS(1, "cluster kmeans --init three.txt a.csv");
    ERR_HAS("three.txt: 3 labels, but a.csv has 4 samples");
    RUNS(1, "cluster kmeans --init high.txt a.csv");
    ERR_HAS("mtc: high.txt:4: '2' is out of range: above 1");
    RUNS(1, "cluster kmeans --init nowhere.txt a.csv");
    ERR_HAS("nowhere.txt: ");
    PASS();
}

TEST pool_clusters_all_tasks_as_one(void)
{
    cli_write("left.csv", "x,label\n0,1\n1,1\n");
    cli_write("right.csv", "x,label\n100,1\n101,2\n");
    /* Alone, `left` has one class and one cluster; pooled there are two
     * classes, and the gap lies between the files. */
    RUNS(0, "cluster kmeans left.csv right.csv --pool --json -");
    ASSERT(json_is("options.pool", "true"));
    ASSERT(!json_is("objective", "[["));
    JSON_NEAR("options.k", 2);
    JSON_NEAR("tasks.0.k_effective", 1);
    JSON_NEAR("tasks.1.k_effective", 1);
    ASSERT_EQ(json_number("tasks.0.labels.0"), json_number("tasks.0.labels.1"));
    ASSERT_EQ(json_number("tasks.1.labels.0"), json_number("tasks.1.labels.1"));
    ASSERT(json_number("tasks.0.labels.0") != json_number("tasks.1.labels.0"));
    /* One pool has no tasks that could be related. */
    RUNS(0, "cluster mbc left.csv right.csv --pool --json -");
    ASSERT(json_is("relatedness", "null"));
    ASSERT(json_is("correspondence", "null"));
    PASS();
}

TEST pool_takes_one_start_for_each_task(void)
{
    cli_write("left.csv", "0\n1\n");
    cli_write("right.csv", "100\n101\n");
    cli_write("s1.txt", "0\n0\n");
    cli_write("s2.txt", "1\n1\n");
    RUNS(0, "cluster kmeans left.csv right.csv --pool --k 2 "
            "--init s1.txt,s2.txt --json -");
    ASSERT(json_is("tasks.0.labels", "[0, 0]"));
    ASSERT(json_is("tasks.1.labels", "[1, 1]"));
    JSON_NEAR("objective.0", 1);
    PASS();
}

TEST k_comes_from_the_labels_or_the_option(void)
{
    RUNS(0, "cluster kmeans b.csv");            /* by choice: few rows */
    OUT_HAS("k by choice: too few rows to choose from (12 are needed)");
    RUNS(0, "cluster kmeans a.csv --labels none");
    OUT_HAS("k by choice: ");
    RUNS(0, "cluster kmeans --k 3,1 a.csv b.csv --json -");
    JSON_NEAR("tasks.0.k", 3);
    JSON_NEAR("tasks.1.k", 1);
    ASSERT(json_is("options.k", "[3, 1]"));
    RUNS(2, "cluster kmeans --k 3,1 a.csv");
    ERR_HAS("--k has 2 numbers for 1 task");
    RUNS(2, "cluster kmeans --k 5 a.csv");
    ERR_HAS("a has only 4 samples");
    PASS();
}

/* Two groups of 20.  One label for all, as unlabeled LIBSVM text has, or one
 * for each row say nothing of them. */
TEST labels_that_are_no_classes_do_not_count(void)
{
    char one[2048], each[2048] = "label,x,y\n";
    size_t at = 0, to = strlen(each);
    for (int i = 0; i < 40; i++) {
        int x = 90 * (i % 2) + i % 7, y = i % 5;
        at += (size_t)snprintf(one + at, sizeof one - at, "0 1:%d 2:%d\n", x,
                               y);
        to += (size_t)snprintf(each + to, sizeof each - to, "%d,%d,%d\n", i, x,
                               y);
    }
    cli_write("one.svm", one);
    cli_write("each.csv", each);
    RUNS(0, "cluster kmeans one.svm --json -");
    JSON_NEAR("tasks.0.k", 2);
    ASSERT(strstr(cli_last()->out, "\"acc\"") == NULL);
    ERR_HAS("all labels are equal, so they do not count");
    RUNS(0, "cluster kmeans each.csv --json -");
    JSON_NEAR("tasks.0.k", 2);
    RUNS(1, "cluster kmeans each.csv --strict");
    RUNS(0, "cluster kmeans each.csv --labels label --json -");
    JSON_NEAR("tasks.0.k", 40);
    RUNS(0, "compare one.svm one.svm --json -");
    ASSERT(json_is("truth", "false"));
    RUNS(0, "compare one.svm one.svm --k 2 --json -");
    ASSERT(json_is("truth", "false"));
    for (char *c = one; *c != '\0'; c = strchr(c, '\n') + 1)
        *c = strstr(c, "1:9") == c + 2 ? '2' : '1';   /* the groups' own */
    cli_write("both.svm", one);
    RUNS(0, "cluster kmeans both.svm one.svm --json -");
    JSON_NEAR("tasks.0.acc", 1);
    JSON_NEAR("tasks.1.k", 2);
    ERR_HAS("one.svm: all labels are equal, so they do not count");
    RUNS(0, "cluster kmeans both.svm --save m.json --quiet");
    RUNS(0, "assign m.json one.svm both.svm --task both --json -");
    JSON_NEAR("tasks.1.acc", 1);
    ERR_HAS("one.svm: all labels are equal, so they do not count");
    RUNS(0, "relate both.svm one.svm --json -");
    ASSERT(json_is("emd", "null"));
    RUNS(0, "cluster kmeans both.svm one.svm --labels first --json -");
    JSON_NEAR("tasks.1.k", 1);
    for (char *c = one; *c != '\0'; c = strchr(c, '\n') + 1)
        *c = '7';                               /* one of its own, too */
    cli_write("seven.svm", one);
    RUNS(0, "cluster kmeans one.svm seven.svm --json -");
    JSON_NEAR("tasks.0.k", 2);
    JSON_NEAR("tasks.1.k", 2);
    ERR_HAS("seven.svm: all labels are equal, so they do not count");
    PASS();
}

/* Groups that lie in different files, as one file for each machine has them:
 * they are as far apart as in one file. */
TEST sentence_sees_groups_of_different_files(void)
{
    char near[512] = "x,y\n", far[512] = "x,y\n", both[1024];
    for (int i = 0; i < 20; i++) {
        sprintf(near + strlen(near), "%d,%d\n", i % 4 + 90 * (i % 2), i % 5);
        sprintf(far + strlen(far), "%d,%d\n", i % 4, i % 5 + 90);
    }
    sprintf(both, "%s%s", near, strchr(far, '\n') + 1);
    cli_write("near.csv", near);
    cli_write("far.csv", far);
    cli_write("both.csv", both);
    RUNS(0, "cluster kmeans --k 3 both.csv");
    SAYS("They lie clearly apart.");
    RUNS(0, "cluster kmeans --k 3 --pool near.csv far.csv --svg p.svg");
    SAYS("none is in both files, as they stand.");
    SAYS("They lie clearly apart.");
    RUNS(0, "cluster kmeans --k 3 --pool far.csv near.csv");
    SAYS("They lie clearly apart.");
    RUNS(0, "cluster kmeans --k 2 --pool far.csv far.csv");
    OUT_HAS("2 groups, all in both files. ");
    PASS();
}

/* Rows near 0 and near 20 are one cluster of the pool, but not one group: they
 * lie 20 apart and spread by 1. */
TEST pooled_clusters_are_not_always_one_group(void)
{
    cli_write("a.csv", "x\n0\n1\n2\n100\n101\n102\n");
    cli_write("b.csv", "x\n20\n21\n22\n100\n101\n102\n");
    RUNS(0, "cluster kmeans --k 2 --pool a.csv b.csv --json p.json");
    SAYS("2 groups in each file; by their centers ");
    SAYS("is one group in both files; the others are each in one file alone.");
    RUNS(0, "cluster kmeans --k 2 --pool a.csv b.csv --json -");
    JSON_NEAR("groups.2.group", 2);
    PASS();
}

TEST warnings_tell_of_unused_clusters(void)
{
    cli_write("same.csv", "1,1\n1,1\n1,1\n");
    RUNS(0, "cluster kmeans --k 2 same.csv");
    ERR_HAS("mtc: warning: same: only 1 of 2 clusters is in use");
    RUNS(0, "cluster kmeans --k 2 --quiet same.csv");
    ASSERT_STR_EQ("", cli_last()->err);
    ASSERT_STR_EQ("", cli_last()->out);
    PASS();
}

/* The upper of the two in the middle where distances are even in number. */
TEST ncut_takes_the_median_distance_for_sigma(void)
{
    cli_write("line.csv", "0\n1\n4\n11.5\n");
    cli_write("two.csv", "3\n5\n");
    RUNS(0, "cluster ncut --k 2 --similarity gaussian two.csv line.csv "
            "--json -");
    JSON_NEAR("sigma.0", 2);
    JSON_NEAR("sigma.1", 7.5);                  /* 1 3 4 7.5 10.5 11.5 */
    ASSERT(json_is("options.similarity", "\"gaussian\""));
    cli_write("far.csv", sizeof(mtc_real) == 8
                             ? "1700000000\n1700000001\n1700000004\n"
                             : "16777000\n16777001\n16777004\n");
    RUNS(0, "cluster ncut --k 2 --similarity gaussian far.csv --header no "
            "--use 1 --json -");
    JSON_NEAR("sigma.0", 3);                    /* 1 3 4 */
    RUNS(0, "cluster ncut --k 2 --sigma 3 line.csv --json -");
    JSON_NEAR("sigma.0", 3);
    JSON_NEAR("options.sigma", 3);
    /* Clusters {0, 1} and {4, 11.5}, or whatever was found: the cut is known
     * from exp(-|x-y|^2 / 18); a sample is not its own neighbor. */
    static const double x[] = {0, 1, 4, 11.5};
    double within[2] = {0, 0}, all[2] = {0, 0};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            char one[40], other[40];
            sprintf(one, "tasks.0.labels.%d", i);
            sprintf(other, "tasks.0.labels.%d", j);
            int z = (int)json_number(one);
            double s = i == j ? 0 : exp(-(x[i] - x[j]) * (x[i] - x[j]) / 18);
            all[z] += s;
            within[z] += z == (int)json_number(other) ? s : 0;
        }
    ASSERT_IN_RANGE(2 - within[0] / all[0] - within[1] / all[1],
                    json_number("cut.0"), 1e-5);
    cli_write("same.csv", "3\n3\n3\n");
    RUNS(0, "cluster ncut --k 1 --similarity gaussian same.csv --json -");
    JSON_NEAR("sigma.0", 1);
    PASS();
}

TEST an_option_without_effect_is_refused(void)
{
    RUNS(2, "cluster ncut a.csv --iterations 5");
    ERR_HAS("--iterations is not an option of ncut; it has: --k ");
    RUNS(2, "cluster auto a.csv --init good.txt");
    ERR_HAS("--init is not an option of auto");
    RUNS(2, "bridge --seed 2 --source a.csv --target a.csv b.csv");
    ERR_HAS("--seed is not an option of bridge");
    RUNS(2, "cluster kmeans a.csv --guard");
    ERR_HAS("--guard is not an option of kmeans");
    RUNS(0, "cluster ec a.csv b.csv --k 2 --names nowhere.txt");
    ERR_HAS("--names has no effect on several files with features of their "
            "own");
    RUNS(2, "transfer gfhf --pool --source a.csv --target b.csv");
    ERR_HAS("--pool is not an option of gfhf");
    RUNS(0, "transfer svm --k 2 --source a.csv --target b.csv --json -");
    JSON_NEAR("options.k", 2);
    RUNS(2, "transfer svm --k 3 --source a.csv --target b.csv");
    ERR_HAS("--k: the source has 2 classes");
    RUNS(0, "transfer tsvm --iterations 100 --source a.csv --target b.csv "
            "--json -");
    JSON_NEAR("options.iterations", 100);
    RUNS(0, "transfer trec --iterations 1 --k 2 --source a.csv --target b.csv "
            "--json -");
    JSON_NEAR("options.iterations", 1);
    RUNS(0, "help ncut");
    ASSERT(strstr(cli_last()->out, "~") == NULL &&
           strstr(cli_last()->out, "--iterations") == NULL);
    PASS();
}

/* A failure in the library is reported with the file or task that it is about. */
TEST failures_name_the_task_or_the_method(void)
{
    /* Sums of squares would overflow, in float sooner. */
    int twice = sizeof(mtc_real) == 8;
    cli_write("big.csv", twice ? "x,y\n0,0\n0,1e200\n10,0\n10,1\n"
                               : "x,y\n0,0\n0,1e20\n10,0\n10,1\n");
    cli_write("bigger.csv", twice ? "x,y,label\n0,0,1\n0,1e200,1\n10,0,2\n"
                                  : "x,y,label\n0,0,1\n0,1e20,1\n10,0,2\n");
    RUNS(1, "cluster lssmtc --k 2 a.csv big.csv");
    ERR_HAS("mtc: big: ");
    ERR_HAS("sample 2, feature 2");
    RUNS(1, "cluster mtcfir --k 2 a.csv big.csv");
    ERR_HAS("mtc: big: ");
    RUNS(1, "cluster auto --k 2 a.csv big.csv");
    ERR_HAS("mtc: big: ");
    RUNS(1, "cluster mbc --guard --k 2 a.csv big.csv");
    ERR_HAS("mtc: big: ");
    RUNS(1, "transfer lssttc --source a.csv --target big.csv --preprocess none");
    ERR_HAS("mtc: big.csv: ");
    RUNS(1, "transfer tsvm --source a.csv --target big.csv --preprocess none");
    ERR_HAS("mtc: big.csv: ");
    RUNS(1, "transfer lssttc --source a.csv bigger.csv --target b.csv "
            "--preprocess none");
    ERR_HAS("mtc: bigger.csv: ");
    RUNS(1, "transfer gfhf --source a.csv bigger.csv --target b.csv "
            "--preprocess none");
    ERR_HAS("mtc: bigger.csv: ");
    RUNS(1, "transfer llgc --source a.csv --target big.csv "
            "--preprocess none");
    ERR_HAS("mtc: big.csv: ");
    RUNS(1, "transfer svm --source a.csv bigger.csv --target b.csv "
            "--preprocess none");
    ERR_HAS("mtc: bigger.csv: ");
    ERR_HAS("sample 2, feature 2");
    RUNS(1, "transfer trec --source a.csv --target big.csv --k 2");
    ERR_HAS("mtc: big.csv: ");
    RUNS(1, "transfer trec --source a.csv bigger.csv --target b.csv --k 2");
    ERR_HAS("mtc: bigger.csv: ");
    /* In float these values can be z-scored: deviations are doubles. */
    RUNS(twice, "transfer svm --source a.csv bigger.csv --target b.csv");
    if (twice)
        ERR_HAS("mtc: bigger.csv: ");
    PASS();
}

SUITE(cli_cluster_suite)
{
    if (!cli_ready())
        return;
    RUN_TEST(there_is_room_for_files);
    SET_SETUP(cli_setup, NULL);
    RUN_TEST(kmeans_parts_two_obvious_groups);
    RUN_TEST(json_has_the_members_of_the_contract);
    RUN_TEST(every_cluster_method_finds_the_obvious_groups);
    RUN_TEST(snmf_leaves_a_bad_start);
    RUN_TEST(objective_is_one_array_for_each_of_several_tasks);
    RUN_TEST(objectives_never_rise);
    RUN_TEST(labels_in_the_file_never_reach_the_method);
    RUN_TEST(table_shows_scores_means_and_dashes);
    RUN_TEST(out_writes_one_label_a_line);
    RUN_TEST(tasks_of_one_name_do_not_overwrite_each_other);
    RUN_TEST(init_is_where_the_method_starts);
    RUN_TEST(start_with_an_empty_cluster_is_legal);
    RUN_TEST(init_files_must_fit_the_tasks);
    RUN_TEST(pool_clusters_all_tasks_as_one);
    RUN_TEST(pool_takes_one_start_for_each_task);
    RUN_TEST(k_comes_from_the_labels_or_the_option);
    RUN_TEST(labels_that_are_no_classes_do_not_count);
    RUN_TEST(sentence_sees_groups_of_different_files);
    RUN_TEST(pooled_clusters_are_not_always_one_group);
    RUN_TEST(warnings_tell_of_unused_clusters);
    RUN_TEST(ncut_takes_the_median_distance_for_sigma);
    RUN_TEST(an_option_without_effect_is_refused);
    RUN_TEST(failures_name_the_task_or_the_method);
}
