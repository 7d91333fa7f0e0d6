/* SPDX-License-Identifier: MIT
 *
 * test_cli_commands.c - the commands emd, score, relate, compare,
 * generate, demo.
 */
#include "golden/emd.h"
#include "golden/measures.h"
#include "golden/graph.h"
#include "cli.h"

TEST emd_of_two_by_two_by_hand(void)
{
    /* Only row 0 has enough for column 0; sending anything from row 1 to
     * column 0 costs 2 more a unit. */
    cli_write("c.csv", "1,2\n4,3\n");
    cli_write("s.txt", ".75\n.25\n");
    cli_write("h.txt", "0.5\n0.5\n");
    RUNS(0, "emd c.csv --supply s.txt --demand h.txt --json -");
    ASSERT_STR_EQ("mtc schema notices cost plan row_dual column_dual gap pivots ",
                  json_members(""));
    JSON_NEAR("cost", 1.75);
    JSON_NEAR("plan.0.0", 0.5);
    JSON_NEAR("plan.0.1", 0.25);
    JSON_NEAR("plan.1.0", 0);
    JSON_NEAR("plan.1.1", 0.25);
    JSON_NEAR("gap", 0);
    /* Duals are unique up to one constant: tight on the three cells. */
    double u0 = json_number("row_dual.0"), u1 = json_number("row_dual.1");
    double v0 = json_number("column_dual.0"), v1 = json_number("column_dual.1");
    ASSERT_IN_RANGE(1.0, u0 + v0, 1e-5);
    ASSERT_IN_RANGE(2.0, u0 + v1, 1e-5);
    ASSERT_IN_RANGE(3.0, u1 + v1, 1e-5);
    ASSERT(u1 + v0 <= 4 + 1e-5);
    RUNS(0, "emd c.csv --supply s.txt");        /* demand: 1/2 each */
    OUT_HAS("cost   1.75\n");
    PASS();
}

TEST emd_without_marginals_is_uniform_and_may_be_oblong(void)
{
    cli_write("c.csv", "0;1;2\n2;1;0\n");
    RUNS(0, "emd c.csv --json -");
    /* Rows have 1/2, columns take 1/3: the middle one is shared. */
    JSON_NEAR("cost", 1.0 / 3);
    JSON_NEAR("plan.0.0", 1.0 / 3);
    JSON_NEAR("plan.0.1", 1.0 / 6);
    JSON_NEAR("plan.1.2", 1.0 / 3);
    PASS();
}

TEST emd_refuses_bad_costs_and_marginals(void)
{
    cli_write("c.csv", "1,2\n4,3\n");
    cli_write("s.txt", "1\n2\n");
    cli_write("n.txt", "1\n-1\n");
    cli_write("l.txt", "1\n1\n1\n");
    cli_write("x.txt", "1\nx\n");
    cli_write("bad.csv", "1,2\n4,oops\n");
    RUNS(1, "emd c.csv --supply s.txt");
    ERR_HAS("c.csv: ");
    ERR_HAS("supply and demand differ in total");
    RUNS(1, "emd c.csv --supply n.txt");
    ERR_HAS("n.txt:2: '-1' is out of range: below 0");
    RUNS(1, "emd c.csv --demand l.txt");
    ERR_HAS("l.txt: 3 numbers for 2 columns");
    RUNS(1, "emd c.csv --demand x.txt");
    ERR_HAS("x.txt:2: 'x' is not a number");
    RUNS(1, "emd bad.csv");
    ERR_HAS("bad.csv:2: column 2, 'oops'");
    cli_write("index.csv", ",a,b\n0,1.5,2.5\n1,3.5,1.25\n");   /* by pandas */
    RUNS(1, "emd index.csv");
    ERR_HAS("index.csv:1: the first column has no name; if it numbers the rows");
    RUNS(1, "emd none.csv");
    PASS();
}

TEST score_agrees_with_the_golden_case(void)
{
    cli_write("p.labels", "2\n1\n0\n2\n2\n2\n0\n1\n1\n0\n");
    cli_write("t.labels", "0\n0\n1\n0\n2\n0\n2\n2\n2\n2\n");
    RUNS(0, "score p.labels t.labels --json -");
    ASSERT_STR_EQ("mtc schema notices acc nmi ari purity direct ",
                  json_members(""));
    JSON_NEAR("acc", 0.6);
    JSON_NEAR("nmi", 0.33201870133901773);
    JSON_NEAR("ari", 0.07534246575342465);
    JSON_NEAR("purity", 0.7);       /* clusters 0, 1, 2 hold 2, 2, 3 alike */
    RUNS(0, "score p.labels t.labels");
    OUT_HAS("0.6000   0.3320   0.0753   0.7000");
    RUNS(0, "score p.labels t.labels --json score.json");
    OUT_HAS("0.6000   0.3320   0.0753   0.7000");
    RUNS(0, "score p.labels t.labels --quiet");
    ASSERT_STR_EQ("", cli_last()->out);
    PASS();
}

/* Rows that --missing drop leaves out have no cluster; a class -1 has one. */
TEST score_leaves_rows_without_a_label_out(void)
{
    cli_write("p.txt", "0\n-1\n1\n1\n");
    cli_write("t.labels", "5\n5\n7\n7\n");
    RUNS(0, "score p.txt t.labels --json -");
    JSON_NEAR("acc", 1);
    JSON_NEAR("purity", 1);
    ERR_HAS("note: p.txt: 1 of 4 rows has no label (-1) and is left out");
    cli_write("t.labels", "-1\n-1\n1\n1\n");
    RUNS(0, "score p.txt t.labels --json -");
    JSON_NEAR("acc", 0.75);
    ASSERT_STR_EQ("", cli_last()->err);
    cli_write("p.txt", "-1\n-1\n");
    cli_write("t.labels", "0\n1\n");
    RUNS(1, "score p.txt t.labels");
    ERR_HAS("p.txt: all labels are -1, which means none");
    cli_write("t.csv", "x,class\n1,a\n2,\n");
    RUNS(1, "score p.txt t.csv");
    ERR_HAS("t.csv:3: the label is empty: score needs one in every row\n");
    PASS();
}

/* Clusters 0, 1 are the classes 1, 0, but for one row: 1 of 4 is equal. */
TEST score_has_the_direct_share_of_equal_labels(void)
{
    cli_write("p.labels", "0\n0\n1\n1\n");
    cli_write("t.labels", "1\n1\n0\n1\n");
    RUNS(0, "score p.labels t.labels --json -");
    JSON_NEAR("acc", 0.75);
    JSON_NEAR("direct", 0.25);
    RUNS(0, "score p.labels t.labels");
    OUT_HAS("  purity   direct\n");
    OUT_HAS("   0.7500   0.2500\n");
    cli_write("t.labels", "1\n2\n0\n1\n");       /* a class without a row */
    RUNS(0, "score p.labels t.labels --json -");
    JSON_NEAR("direct", 0.25);
    cli_write("t.labels", "5\n5\n0\n0\n");       /* clusters, by a number */
    RUNS(0, "score p.labels t.labels --json -");
    ASSERT(json_is("direct", "null"));
    RUNS(0, "score p.labels t.labels");
    OUT_HAS("   1.0000        -\n");
    cli_write("t.csv", "x,class\n1,a\n2,a\n3,b\n4,b\n");   /* or by words */
    RUNS(0, "score p.labels t.csv --json -");
    ASSERT(json_is("direct", "null"));
    RUNS(0, "help score");
    OUT_HAS("best one-to-one matching");
    PASS();
}

/* A -1 that only TRUTH has is a class as others. */
TEST score_takes_minus_one_of_the_truth_for_a_class(void)
{
    cli_write("p.labels", "0\n0\n1\n1\n");
    cli_write("t.labels", "-1\n-1\n1\n-1\n");
    RUNS(0, "score p.labels t.labels --json -");
    JSON_NEAR("acc", 0.75);
    ASSERT_STR_EQ("", cli_last()->err);
    PASS();
}

TEST score_agrees_with_all_worked_cases(void)
{
    for (size_t c = 0; c < sizeof golden_scores / sizeof *golden_scores; c++) {
        const golden_score *g = &golden_scores[c];
        write_labels("p.labels", g->n, g->z);
        write_labels("t.labels", g->n, g->y);
        RUNS(0, "score p.labels t.labels --json -");
        JSON_NEAR("acc", g->acc);
        JSON_NEAR("nmi", g->nmi);
        JSON_NEAR("ari", g->ari);
    }
    PASS();
}

TEST score_takes_truth_from_data_files(void)
{
    cli_write("p.csv", "0\n1\n1\n");       /* one column: the labels */
    cli_write("t.csv", "5\n3\n3\n");
    RUNS(0, "score p.csv t.csv --json -");
    JSON_NEAR("acc", 1);
    RUNS(0, "score good.txt a.csv --json -");
    JSON_NEAR("acc", 1);
    RUNS(0, "score bad.txt a.svm --json -");
    JSON_NEAR("acc", 0.5);
    JSON_NEAR("nmi", 0);
    RUNS(1, "score good.txt b.csv");
    ERR_HAS("b.csv: no labels");
    cli_write("three.txt", "0\n1\n0\n");
    RUNS(1, "score three.txt a.csv");
    ERR_HAS("three.txt has 3 labels, a.csv has 4");
    cli_write("half.txt", "0\n1.5\n");
    RUNS(1, "score half.txt half.txt");
    ERR_HAS("half.txt:2: '1.5' is not a whole number");
    cli_write("two.labels", "0\n1 1\n");
    RUNS(1, "score two.labels two.labels");
    ERR_HAS("two.labels:2: ");
    PASS();
}

TEST relate_finds_equal_tasks_equal(void)
{
    RUNS(0, "relate a.csv a.svm --json -");
    ASSERT_STR_EQ("mtc schema notices mmd a_distance emd chance "
                  "differences ",
                  json_members(""));
    JSON_NEAR("mmd.0.1", 0);
    JSON_NEAR("mmd.1.0", 0);
    JSON_NEAR("emd.0.1", 0);
    JSON_NEAR("mmd.0.0", 0);
    PASS();
}

TEST relate_measures_a_shift(void)
{
    cli_write("near.csv", "x,label\n0,1\n0,1\n4,2\n4,2\n");
    cli_write("far.csv", "x,label\n1,1\n1,1\n5,2\n5,2\n");
    RUNS(0, "relate near.csv far.csv --json -");
    JSON_NEAR("emd.0.1", 1);        /* each cluster moves by 1, squared */
    ASSERT(json_number("mmd.0.1") > 0.01);
    ASSERT_EQ(json_number("mmd.0.1"), json_number("mmd.1.0"));
    ASSERT(json_number("a_distance.0.1") >= 0);
    ASSERT(json_number("a_distance.0.1") <= 2);
    RUNS(0, "relate near.csv far.csv");
    ASSERT(strstr(cli_last()->out, "The two tasks have too few samples to tell "
                  "whether they differ.\n\nnear, far: ") == cli_last()->out);
    ASSERT(strstr(cli_last()->out, "mmd") == NULL);
    RUNS(0, "relate near.csv far.csv --verbose");
    OUT_HAS("mmd ");
    OUT_HAS("a_distance ");
    OUT_HAS("emd ");
    PASS();
}

/* a is the same, b is 3 higher (2.7 deviations), c ten times as wide; of
 * three files the second is as the first. */
TEST relate_says_which_columns_differ(void)
{
    static const char *const names[] = {"one.csv", "two.csv", "odd.csv"};
    for (int t = 0; t < 3; t++) {
        char csv[600];
        int odd = t == 2, at = sprintf(csv, "a,b,c\n");
        for (int i = 0; i < 40; i++)
            at += sprintf(csv + at, "%d,%d,%d\n", i % 5, i % 4 + 3 * odd,
                          i % 3 * (odd ? 10 : 1));
        cli_write(names[t], csv);
    }
    RUNS(0, "relate one.csv odd.csv");
    OUT_HAS("they differ\nc in odd spreads 10 times as widely as in one: other "
            "units, or other groups?\nodd: much higher b than in one\n");
    RUNS(0, "relate one.csv two.csv odd.csv");
    OUT_HAS("\nc in odd spreads 10 times as widely as in the others: other "
            "units, or other groups?\nodd: much higher b than in the others\n");
    ASSERT(strstr(cli_last()->out, "in two") == NULL);
    ASSERT(strstr(cli_last()->out, "two:") == NULL);
    ASSERT(strstr(cli_last()->out, "in one spreads") == NULL);
    char csv[600];
    int at = sprintf(csv, "a,b,c\n");
    for (int i = 0; i < 40; i++)
        at += sprintf(csv + at, "%d,%d,%d\n", i % 5, i % 4 + 9, i % 3);
    cli_write("high.csv", csv);
    RUNS(0, "relate one.csv odd.csv high.csv --drop c");
    OUT_HAS("one: much lower b than in the others\n");
    OUT_HAS("high: much higher b than in the others\n");
    ASSERT(strstr(cli_last()->out, "\nodd: ") == NULL); /* it lies between */
    RUNS(0, "relate one.csv two.csv odd.csv --json -");
    ASSERT(json_is("differences.0.task", "\"odd\""));
    ASSERT(json_is("differences.0.column", "\"b\""));
    JSON_NEAR("differences.0.effect", 3 / sqrt(1.25));
    ASSERT(json_is("differences.1.column", "\"c\""));
    ASSERT(json_is("differences.1.kind", "\"units\""));
    JSON_NEAR("differences.1.spread", 10);
    ASSERT(strstr(cli_last()->out, "\"two\"") == NULL);
    RUNS(0, "relate one.csv two.csv");
    ASSERT(strstr(cli_last()->out, "spreads") == NULL);
    PASS();
}

/* The length of the difference of kernel means from its definition, gamma being
 * 1 / (mean squared distance between all samples); far from the origin too. */
TEST relate_measures_the_distance_of_kernel_means(void)
{
    enum { N = 85, FIRST = 50 };
    double x[N], move = sizeof(mtc_real) == 8 ? 1e9 : 0;
    mtc_random rng = mtc_random_seed(4);
    double spread = 0, sum = 0;
    for (size_t i = 0; i < N; i++)
        x[i] = (double)(mtc_random_below(&rng, 64)) / 32 + (i < FIRST ? 0 : .5);
    for (size_t i = 0; i < N; i++)
        for (size_t k = 0; k < N; k++)
            spread += (x[i] - x[k]) * (x[i] - x[k]);
    for (size_t i = 0; i < N; i++)
        for (size_t k = 0; k < N; k++) {
            double sq = (x[i] - x[k]) * (x[i] - x[k]);
            double ci = i < FIRST ? 1. / FIRST : -1. / (N - FIRST);
            double ck = k < FIRST ? 1. / FIRST : -1. / (N - FIRST);
            sum += ci * ck * exp(-sq * N * (N - 1) / spread);
        }
    for (int far = 0; far < 2; far++) {
        for (size_t i = 0; i < N; i++)
            x[i] += far * move;
        write_numbers("first.csv", FIRST, 1, x);
        write_numbers("second.csv", N - FIRST, 1, x + FIRST);
        RUNS(0, "relate first.csv second.csv --use 1 --json -");
        ASSERT_IN_RANGE(sqrt(sum), json_number("mmd.0.1"),
                        sizeof(mtc_real) == 8 ? 1e-7 : 1e-3);
    }
    PASS();
}

/* Four samples fall into two pairs in three ways, so that a third of the deals
 * is the tasks themselves, which are as far apart as can be: the level is their
 * own figure. */
TEST relate_knows_the_level_of_chance(void)
{
    cli_write("left.csv", "x\n0\n1\n");
    cli_write("right.csv", "x\n10\n11\n");
    RUNS(0, "relate left.csv right.csv --k 1 --json -");
    ASSERT_STR_EQ("mmd a_distance emd ", json_members("chance"));
    JSON_NEAR("chance.mmd.0.1", json_number("mmd.0.1"));
    JSON_NEAR("chance.mmd.1.0", json_number("mmd.0.1"));
    JSON_NEAR("chance.emd.0.1", 100);
    RUNS(0, "relate left.csv right.csv --k 1");
    OUT_HAS("left, right: too few samples to tell");
    RUNS(0, "generate blobs --tasks 1 --seed 1 --out rel --quiet");
    RUNS(0, "generate blobs --tasks 1 --seed 2 --out other --quiet");
    RUNS(0, "relate rel/blobs1.svm other/blobs1.svm");
    OUT_HAS("they differ, and so do the places of their clusters");
    RUNS(0, "relate rel/blobs1.svm rel/blobs1.svm");
    SAYS("The two tasks do not differ by more than chance.  cluster --pool "
         "treats them as one data set and has more rows to work with.");
    RUNS(0, "relate rel/blobs1.svm rel/blobs1.svm "
            "other/blobs1.svm");
    SAYS("All other pairs show no difference beyond chance");
    PASS();
}

/* Eight of 1, ..., 8 against eight of 11, ..., 18: no deal but the tasks and
 * their mirror, 2 of 12 870, has as large a distance, so they differ.  Four
 * against four have 35 deals, one of them the tasks: too few for one in 60. */
TEST relate_has_one_level_for_three_tests(void)
{
    cli_write("low.csv", "x\n1\n2\n3\n4\n5\n6\n7\n8\n");
    cli_write("high.csv", "x\n11\n12\n13\n14\n15\n16\n17\n18\n");
    RUNS(0, "relate low.csv high.csv --k 1");
    OUT_HAS("The two tasks differ by more than chance.");
    RUNS(0, "relate low.csv high.csv --k 1 --json -");
    ASSERT(json_number("chance.emd.0.1") < 100);
    JSON_NEAR("emd.0.1", 100);
    cli_write("low.csv", "x\n1\n2\n3\n4\n");
    cli_write("high.csv", "x\n11\n12\n13\n14\n");
    RUNS(0, "relate low.csv high.csv --k 1");
    OUT_HAS("too few samples to tell");
    PASS();
}

/* Three groups, 5 wide, and the same 28 farther: the places differ, though a
 * reassignment often moves a center to another group, which is farther yet. */
TEST relate_does_not_call_places_equal(void)
{
    static const int middle[3][2] = {{10, 10}, {60, 10}, {10, 90}};
    char text[2][1000];
    for (int t = 0; t < 2; t++) {
        size_t n = (size_t)sprintf(text[t], "x,y\n");
        for (int i = 0; i < 60; i++)
            n += (size_t)sprintf(text[t] + n, "%d,%d\n",
                                 middle[i % 3][0] + 20 * t + i % 5,
                                 middle[i % 3][1] + 20 * t + i % 4);
    }
    cli_write("here.csv", text[0]);
    cli_write("there.csv", text[1]);
    RUNS(0, "relate here.csv there.csv --k 3");
    OUT_HAS("they differ, but the places of their clusters do not beyond "
            "chance\n");
    RUNS(0, "relate here.csv there.csv --k 3 --json -");
    ASSERT_IN_RANGE(1, json_number("emd.0.1") / 800, 1e-5); /* 20^2 + 20^2 */
    PASS();
}

/* Shares of two kinds, but all incomes of one: what is small counts only if
 * columns are brought to one scale, which is done as in all commands. */
TEST relate_scales_as_cluster_does(void)
{
    char text[2][2000];
    for (int t = 0; t < 2; t++) {
        size_t n = (size_t)sprintf(text[t], "income,share\n");
        for (int i = 0; i < 40; i++)
            n += (size_t)sprintf(text[t] + n, "%d,%.3f\n",
                                 40000 + 7919 * (i + t) % 10007 +
                                     6353 * (i + t) % 10009,
                                 .3 + .5 * t + .01 * (i * 7 % 11));
    }
    cli_write("poor.csv", text[0]);
    cli_write("rich.csv", text[1]);
    RUNS(0, "relate poor.csv rich.csv");
    ERR_HAS("columns on different scales");
    ERR_HAS("z-scored; --preprocess none leaves them");
    OUT_HAS("The two tasks differ by more than chance.");
    RUNS(0, "relate poor.csv rich.csv --preprocess none");
    OUT_HAS("The two tasks do not differ by more than chance.");
    ASSERT(strstr(cli_last()->err, "columns on different scales") == NULL);
    PASS();
}

TEST relate_without_k_leaves_the_emd_out(void)
{
    RUNS(0, "relate a.csv b.csv --json -");
    ERR_HAS("b: clusters are not compared");
    ASSERT(json_is("emd", "null"));
    RUNS(0, "relate a.csv b.csv --k 2 --json -");
    /* Centers (0,.5) and (10,.5) go to (0,1) and (10,1). */
    JSON_NEAR("emd.0.1", 0.25);
    PASS();
}

TEST generated_data_is_the_same_for_a_seed(void)
{
    static char one[CLI_TEXT], two[CLI_TEXT];
    static const char *const names[] = {"blobs", "siblings", "text"};
    for (size_t i = 0; i < 3; i++) {
        char args[100], file[100];
        sprintf(args, "generate %s --out g1 --n 30 --tasks 3", names[i]);
        ASSERT_EQ(0, cli(args));
        sprintf(args, "generate %s --out g2 --n 30 --tasks 3", names[i]);
        ASSERT_EQ(0, cli(args));
        sprintf(file, "g1/%s3.svm", names[i]);
        cli_read(cli_path(file), one);
        sprintf(file, "g2/%s3.svm", names[i]);
        cli_read(cli_path(file), two);
        ASSERT(strlen(one) > 100);
        ASSERT_STR_EQ(one, two);
        sprintf(args, "generate %s --out g2 --n 30 --tasks 3 --seed 2",
                names[i]);
        ASSERT_EQ(0, cli(args));
        ASSERT(strcmp(one, cli_read(cli_path(file), two)) != 0);
        sprintf(args, "cluster kmeans g1/%s1.svm g1/%s3.svm", names[i],
                names[i]);
        ASSERT_EQ(0, cli(args));
    }
    PASS();
}

/* Classes are the first word of each line, and told beside the samples. */
TEST every_class_that_is_generated_has_samples(void)
{
    static const struct { const char *name; int k; } data[] = {
        {"blobs", 3}, {"siblings", 3}, {"text", 3}, {"bridge", 2}};
    static char text[CLI_TEXT];
    for (size_t i = 0; i < sizeof data / sizeof *data; i++)
        for (int n = data[i].k; n < 12; n++) {
            char args[100];
            int size[5] = {0};
            sprintf(args, "generate %s --out g --n %d --quiet", data[i].name,
                    n);
            ASSERT_EQ_FMTm(args, 0, cli(args), "%d");
            sprintf(args, "g/%s1.svm", data[i].name);
            cli_read(cli_path(args), text);
            for (char *at = text; *at != '\0'; at = strchr(at, '\n') + 1)
                size[*at - '0']++;
            for (int z = 1; z <= data[i].k; z++) {
                ASSERTm(args, size[z] >= n / data[i].k);
                ASSERTm(args, size[z] <= n / data[i].k + 1);
            }
        }
    PASS();
}

/* A number of that row. */
static double compare_number(const char *method, const char *kind,
                             const char *what)
{
    char path[80];
    sprintf(path, "rows.%d.%s", compare_row(method, kind), what);
    return json_number(path);
}

/* The methods that `mtc help cluster` lists, one after the other; NULL at
 * the end. */
static const char *next_listed(const char **s)
{
    static char name[40];
    const char *line = strstr(*s, "\n  ");
    while (line != NULL && line[3] == ' ')      /* goes on about the last */
        line = strstr(line + 3, "\n  ");
    if (line == NULL || sscanf(line, " %39s", name) != 1)
        return NULL;
    *s = line + 3;
    return name;
}

TEST compare_runs_every_method_of_the_table(void)
{
    static char help[CLI_TEXT];
    RUNS(0, "generate blobs --n 30 --out g --seed 2");
    RUNS(0, "help cluster");
    strcpy(help, cli_last()->out);
    RUNS(0, "compare g/blobs1.svm g/blobs2.svm --repeats 1 "
         "--json -");
    const char *s = strstr(help, "\nMethods"), *name;
    int methods = 0;
    *strstr(s, "Systems that the papers compare") = '\0';
    while ((name = next_listed(&s)) != NULL) {
        ASSERTm(name, compare_row(name, "single") >= 0 ||
                      compare_row(name, "shared") >= 0);
        methods++;
    }
    ASSERT(methods >= 6);
    ASSERT(compare_row("kmeans", "pooled") > 0);
    ASSERT(compare_row("lssmtc", "shared") > 0);
    ASSERT_EQ(-1, compare_row("lssmtc", "shared control"));
    ASSERT_STR_EQ("mtc schema notices options truth rows best_single best_shared "
                  "difference "
                  "verdict ", json_members(""));
    ASSERT(json_is("truth", "true"));
    ASSERT(strstr(cli_last()->out, "One run each says nothing of noise"));
    PASS();
}

TEST compare_agrees_with_the_single_runs(void)
{
    double acc[3];
    RUNS(0, "generate blobs --n 40 --out g --seed 4");
    for (int i = 0; i < 3; i++) {
        char args[100];
        sprintf(args, "cluster lssmtc g/blobs1.svm g/blobs2.svm --seed %d "
                      "--json -", i + 1);
        ASSERT_EQ(0, cli(args));
        acc[i] = (json_number("tasks.0.acc") + json_number("tasks.1.acc")) / 2;
    }
    double mean = (acc[0] + acc[1] + acc[2]) / 3, error = 0;
    for (int i = 0; i < 3; i++)
        error += (acc[i] - mean) * (acc[i] - mean) / 6;
    RUNS(0, "compare g/blobs1.svm g/blobs2.svm --json -");
    ASSERT_IN_RANGE(mean, compare_number("lssmtc", "shared", "acc.mean"),
                    1e-6);
    ASSERT_IN_RANGE(sqrt(error), compare_number("lssmtc", "shared",
                                                "acc.error"), 1e-6);
    /* ec draws from each task's own features: here 5 and 30. */
    RUNS(0, "generate siblings --n 40 --out g --seed 4");
    RUNS(0, "cluster ec g/blobs1.svm g/siblings1.svm --json -");
    JSON_NEAR("tasks.0.d", 5);
    mean = (json_number("tasks.0.acc") + json_number("tasks.1.acc")) / 2;
    RUNS(0, "compare g/blobs1.svm g/siblings1.svm --repeats 1 --json -");
    ASSERT_IN_RANGE(mean, compare_number("ec", "single", "acc.mean"), 1e-6);
    PASS();
}

TEST compare_without_truth_has_stability_and_loss(void)
{
    /* Both tasks fall in two groups, whoever looks: every run agrees.  Samples
     * are 1/2 from their centers in a and 1 in b.  Four samples are too few
     * for a guard. */
    RUNS(0, "compare --k 2 a.csv b.csv --json -");
    ASSERT(json_is("truth", "false"));
    ASSERT_IN_RANGE(0.625, compare_number("kmeans", "single", "loss.mean"),
                    1e-5);
    ASSERT_IN_RANGE(0.25, compare_number("kmeans", "single", "tasks.0.loss"),
                    1e-5);
    ASSERT_IN_RANGE(0.625, compare_number("kmeans", "pooled", "loss.mean"),
                    1e-5);
    ASSERT(json_is("difference", "null"));
    OUT_HAS("No answer: no stability could be measured");
    /* So it is of times in milliseconds, whose squares have 24 digits; float
     * cannot hold these times. */
    cli_write("ms.csv", "x,y\n1700000000000,1700000000000\n"
              "1700000000000,1700000000001\n1700000000010,1700000000000\n"
              "1700000000010,1700000000001\n");
    RUNS(0, "compare --k 2 ms.csv ms.csv --preprocess none --json -");
    if (sizeof(mtc_real) == 8)
        ASSERT_IN_RANGE(0.25, compare_number("kmeans", "single", "loss.mean"),
                        1e-5);
    /* Five copies of these have 20 samples, ten for each cluster. */
    static char copies[2][2000];
    strcpy(copies[0], "x,y\n");
    strcpy(copies[1], "x,y\n");
    for (int i = 0; i < 5; i++) {
        strcat(copies[0], "0,0\n0,1\n10,0\n10,1\n");
        strcat(copies[1], "0,0\n0,2\n10,0\n10,2\n");
    }
    cli_write("a5.csv", copies[0]);
    cli_write("b5.csv", copies[1]);
    RUNS(0, "compare --k 2 a5.csv b5.csv --json -");
    for (size_t i = 0; i < 3; i++) {
        const char *m = i == 0 ? "vote" : i == 1 ? "mbc" : "lssmtc";
        const char *kind = i == 0 ? "guard alone" : "guard shared";
        ASSERT_IN_RANGE(1.0, compare_number(m, kind, "stability.mean"), 1e-6);
        ASSERT_IN_RANGE(0.625, compare_number(m, kind, "loss.mean"), 1e-5);
    }
    JSON_NEAR("difference.mean", 0);
    OUT_HAS("No clear answer");
    OUT_HAS("A stable answer need not be right");
    PASS();
}

/* The stability of a row is what the guard of the method says; alone, both
 * guards have one vote, which gets one row. */
TEST compare_has_the_stability_of_the_guard(void)
{
    static const char *const files =
        "--labels none --k 3 g/siblings1.svm g/siblings2.svm --json -";
    double stability[2][2][2];
    RUNS(0, "generate siblings --n 45 --out g");
    for (int m = 0; m < 2; m++) {
        char args[200];
        sprintf(args, "cluster %s --guard %s", m == 0 ? "mbc" : "lssmtc",
                files);
        ASSERT_EQ(0, cli(args));
        for (int t = 0; t < 2; t++) {
            char path[60];
            sprintf(path, "guard.%d.stability_single", t);
            stability[m][0][t] = json_number(path);
            sprintf(path, "guard.%d.stability_shared", t);
            stability[m][1][t] = json_number(path);
        }
    }
    char args[200];
    sprintf(args, "compare --repeats 1 %s", files);
    ASSERT_EQ(0, cli(args));
    for (int i = 0; i < 8; i++) {
        int m = i / 4, shared = i / 2 % 2, t = i % 2;
        char path[40];
        sprintf(path, "tasks.%d.stability", t);
        ASSERT_EQ_FMT(stability[m][shared][t],
                      compare_number(!shared ? "vote" : m == 0 ? "mbc"
                                                               : "lssmtc",
                                     shared ? "guard shared" : "guard alone",
                                     path),
                      "%.17g");
    }
    sprintf(args, "compare --repeats 1 %.*s", (int)strlen(files) - 8, files);
    ASSERT_EQ(0, cli(args));
    const char *vote = strstr(cli_last()->out, "vote      guard alone ");
    ASSERT(vote != NULL && strstr(vote + 20, "guard alone") == NULL);
    OUT_HAS(" the best single-task method, vote, ");
    PASS();
}

TEST compare_tells_why_a_method_cannot_run(void)
{
    RUNS(0, "compare --k 2,3 a.csv b.csv");
    OUT_HAS("lssmtc    guard shared   cannot run: a has 2 clusters, b 3");
    OUT_HAS("kmeans    pooled         cannot run: tasks have different");
    RUNS(0, "compare --k 2,3 a.csv b.csv --json -");
    char path[60];
    sprintf(path, "rows.%d.reason", compare_row("lssmtc", "guard shared"));
    ASSERT(json_is(path, "\"a has 2 clusters, b 3"));
    sprintf(path, "rows.%d.reason", compare_row("kmeans", "single"));
    ASSERT(json_is(path, "null"));
    ASSERT(!json_is("best_shared.method", "\"lssmtc\""));
    ASSERT(!json_is("best_shared.method", "\"kmeans\""));
    RUNS(0, "compare a.csv b.csv --repeats 1");
    ERR_HAS("k by choice: too few rows to choose from (12 are needed): 1 "
            "cluster\n");
    RUNS(2, "compare a.csv");
    RUNS(1, "compare a.csv missing.csv");
    RUNS(2, "compare --repeats 0 a.csv a.svm");
    PASS();
}

TEST compare_says_no_where_sharing_cannot_help(void)
{
    /* Groups at 0 and 1 here, at 100 and 300 there: in one pool the first
     * task is a single group. */
    cli_write("small.csv", "x,label\n0,1\n0,1\n0,1\n1,2\n1,2\n1,2\n");
    cli_write("large.csv", "x,label\n100,1\n100,1\n100,1\n300,2\n300,2\n"
                           "300,2\n");
    RUNS(0, "compare small.csv large.csv --json -");
    ASSERT_IN_RANGE(1.0, compare_number("kmeans", "single", "acc.mean"),
                    1e-6);
    ASSERT_IN_RANGE(0.75, compare_number("kmeans", "pooled", "acc.mean"),
                    1e-6);
    ASSERT_EQ(0, compare_number("kmeans", "single", "acc.error"));
    PASS();
}

/* Of clear blobs both answers are stable.  What sharing gains there is less than
 * the guard asks for. */
TEST compare_asks_for_the_margin_of_the_guard(void)
{
    RUNS(0, "generate blobs --n 60 --tasks 3 --seed 4 --out g");
    RUNS(0, "compare g/blobs1.svm g/blobs2.svm g/blobs3.svm --labels none "
            "--json -");
    OUT_HAS("No clear answer: the stability of mbc (guard shared)");
    OUT_HAS("which is less than a guard asks for.");
    PASS();
}

TEST emd_runs_worked_cases_from_files(void)
{
    double near = sizeof(mtc_real) == 8 ? 1e-8 : 1e-5;
    for (size_t c = 0; c < sizeof golden_emds / sizeof *golden_emds; c++) {
        const golden_emd *g = &golden_emds[c];
        write_numbers("cost.csv", g->m * g->n, g->n, g->c);
        write_numbers("a.txt", g->m, 1, g->a);
        write_numbers("b.txt", g->n, 1, g->b);
        RUNS(0, "emd cost.csv --supply a.txt --demand b.txt --json -");
        ASSERT_STR_EQ("mtc schema notices cost plan row_dual column_dual gap pivots ",
                      json_members(""));
        ASSERT_IN_RANGE(g->value, json_number("cost"), near);
        if (c < 6) {                            /* these are uniform */
            RUNS(0, "emd cost.csv --json -");
            ASSERT_IN_RANGE(g->value, json_number("cost"), near);
        }
    }
    PASS();
}

SUITE(cli_commands_suite)
{
    if (!cli_ready())
        return;
    RUN_TEST(there_is_room_for_files);
    SET_SETUP(cli_setup, NULL);
    RUN_TEST(emd_of_two_by_two_by_hand);
    RUN_TEST(emd_without_marginals_is_uniform_and_may_be_oblong);
    RUN_TEST(emd_refuses_bad_costs_and_marginals);
    RUN_TEST(score_agrees_with_the_golden_case);
    RUN_TEST(score_leaves_rows_without_a_label_out);
    RUN_TEST(score_has_the_direct_share_of_equal_labels);
    RUN_TEST(score_takes_minus_one_of_the_truth_for_a_class);
    RUN_TEST(score_agrees_with_all_worked_cases);
    RUN_TEST(score_takes_truth_from_data_files);
    RUN_TEST(relate_finds_equal_tasks_equal);
    RUN_TEST(relate_measures_a_shift);
    RUN_TEST(relate_says_which_columns_differ);
    RUN_TEST(relate_measures_the_distance_of_kernel_means);
    RUN_TEST(relate_knows_the_level_of_chance);
    RUN_TEST(relate_has_one_level_for_three_tests);
    RUN_TEST(relate_does_not_call_places_equal);
    RUN_TEST(relate_scales_as_cluster_does);
    RUN_TEST(relate_without_k_leaves_the_emd_out);
    RUN_TEST(generated_data_is_the_same_for_a_seed);
    RUN_TEST(every_class_that_is_generated_has_samples);
    RUN_TEST(compare_runs_every_method_of_the_table);
    RUN_TEST(compare_agrees_with_the_single_runs);
    RUN_TEST(compare_without_truth_has_stability_and_loss);
    RUN_TEST(compare_has_the_stability_of_the_guard);
    RUN_TEST(compare_tells_why_a_method_cannot_run);
    RUN_TEST(compare_says_no_where_sharing_cannot_help);
    RUN_TEST(compare_asks_for_the_margin_of_the_guard);
    RUN_TEST(emd_runs_worked_cases_from_files);
}
