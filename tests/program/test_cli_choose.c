/* SPDX-License-Identifier: MIT
 *
 * The program: how many clusters, as a command and as `--k auto`.
 */
#include "cli.h"

enum { ROWS = 60 };

/* A CSV file of Gaussian groups around the corners of a triangle. */
static void write_groups(const char *name, int rows, int groups, uint64_t seed)
{
    static const double corner[3][2] = {{0, 0}, {12, 0}, {6, 10}};
    static char csv[ROWS * 60];
    mtc_random rng = mtc_random_seed(seed);
    size_t at = (size_t)sprintf(csv, "x,y,u,v\n");
    for (int i = 0; i < 4 * rows; i++) {
        double center = i % 4 < 2 ? corner[i / 4 % groups][i % 4] : 0;
        at += (size_t)sprintf(csv + at, "%.6f%c",
                              center + (double)mtc_random_normal(&rng),
                              i % 4 == 3 ? '\n' : ',');
    }
    cli_write(name, csv);
}

static void write_tiers(const char *name);

static void choose_setup(void *unused)
{
    cli_setup(unused);
    write_groups("three.csv", ROWS, 3, 1);
    write_groups("too.csv", 54, 3, 2);
    write_groups("two.csv", ROWS, 2, 3);
    write_groups("one.csv", ROWS, 1, 4);
    write_groups("few.csv", 11, 2, 5);
    write_groups("five.csv", 5, 2, 6);
    write_tiers("tiers.csv");
}

TEST choose_says_how_many_and_how_sure(void)
{
    RUNS(0, "choose three.csv");
    ASSERT(strncmp(cli_last()->out, "3 clusters in three (sure over .99).\n\n"
                   "   k   belief\n", 52) == 0);
    OUT_HAS("\n   3   1.0000\n");
    RUNS(0, "choose one.csv");
    OUT_HAS("No evidence of more than one cluster in one (");
    SAYS("is the best guess.");
    RUNS(0, "choose few.csv");
    ASSERT_STR_EQ("1 cluster in few: too few rows to choose from (12 "
                  "are needed).\n", cli_last()->out);
    RUNS(0, "choose --k-min 4 few.csv");
    OUT_HAS("(24 are needed)");
    RUNS(0, "choose --k-min 3 --k-max 3 three.csv");
    OUT_HAS("3 clusters in three: no other number was searched.\n");
    RUNS(0, "choose --k-max 3 three.csv");
    OUT_HAS("at the limit of the search; raise");
    SAYS("(4 clusters need 24 rows a file).");
    RUNS(0, "cluster kmeans --k 2-3 three.csv");
    OUT_HAS("raise --k-max (4 clusters need 24 rows a file)\n");
    RUNS(0, "choose --k-min 2 one.csv");
    ASSERT(strstr(cli_last()->out, "no evidence") == NULL);
    RUNS(0, "choose --quiet three.csv");
    ASSERT_STR_EQ("", cli_last()->out);
    PASS();
}

/* The groups of a file, and lines behind them. */
static void write_behind(const char *name, const char *from, const char *lines)
{
    static char csv[CLI_TEXT + 100];
    cli_read(cli_path(from), csv);
    strcat(csv, lines);
    cli_write(name, csv);
}

/* Rows that lie far from all others are told where the answer hangs on them,
 * by their numbers, and what it is without them. */
TEST rows_far_from_all_others_are_told(void)
{
    RUNS(0, "choose three.csv one.csv two.csv");
    ASSERT(strstr(cli_last()->err, "far from all others") == NULL);
    write_behind("slip.csv", "three.csv", "700,-3,0,0\n0,0,-900,0\n");
    RUNS(0, "choose slip.csv");
    ERR_HAS("warning: 2 samples lie far from all others (slip: 61, 62), which "
            "may be mistakes; without them: 3 clusters (sure over .99)\n");
    RUNS(0, "cluster kmeans --json - slip.csv");
    OUT_HAS("\"far-rows\"");
    write_behind("slip.csv", "one.csv", "NA,0,0,0\n0,0,0,5000\n");
    RUNS(0, "choose --missing drop slip.csv");
    ERR_HAS("1 sample lies far from all others (slip: 62), which may be a "
            "mistake; without it: no evidence of more than one cluster");
    write_behind("slip.csv", "three.csv", "9999,9999,0,0\n9999,9999,0,0\n"
                 "9999,9999,0,0\n");
    RUNS(0, "choose slip.csv two.csv");
    ERR_HAS("(slip: 61, 62, 63), which may be mistakes; without them: ");
    PASS();
}

/* What is told is what a run without the rows says: these made the means and
 * deviations by which columns are scaled. */
TEST columns_are_scaled_without_far_rows(void)
{
    char csv[ROWS * 40] = "x,y\n";
    size_t at = 4;
    mtc_random rng = mtc_random_seed(5);
    for (int i = 0; i < ROWS; i++)
        at += (size_t)sprintf(csv + at, "%.3f,%.3f\n",
                              i % 3 * 3 + 0.2 * (double)mtc_random_normal(&rng),
                              1000 * i % 3000 / 1000 * 400 +
                              30 * (double)mtc_random_normal(&rng));
    cli_write("plain.csv", csv);
    RUNS(0, "choose plain.csv");
    OUT_HAS("3 clusters in plain (sure over .99).");
    strcat(csv, "900,100\n");
    cli_write("slip.csv", csv);
    RUNS(0, "choose slip.csv");
    ERR_HAS("(slip: 61), which may be a mistake; without it: 3 clusters (sure "
            "over .99)\n");
    RUNS(0, "cluster kmeans --pool plain.csv slip.csv");
    ERR_HAS("(slip: 61), which may be a mistake; without it: 3 clusters (sure "
            "over .99)\n");
    PASS();
}

/* In one column the ends of a normal distribution are no slips. */
TEST ends_of_one_column_are_near(void)
{
    static char csv[4000];
    for (uint64_t seed = 1; seed <= 20; seed++) {
        mtc_random rng = mtc_random_seed(seed);
        size_t at = (size_t)sprintf(csv, "x\n");
        for (int i = 0; i < 100; i++)
            at += (size_t)sprintf(csv + at, "%.4f\n",
                                  (double)mtc_random_normal(&rng));
        cli_write("ends.csv", csv);
        RUNS(0, "choose ends.csv");
        ASSERT(strstr(cli_last()->err, "far from all others") == NULL);
    }
    PASS();
}

/* A group of 12 rows in 1500 is one, however few of them are drawn. */
TEST rare_groups_are_not_far(void)
{
    static char csv[1500 * 24 + 10];
    mtc_random rng = mtc_random_seed(3);
    size_t at = (size_t)sprintf(csv, "x,y\n");
    for (int i = 0; i < 1500; i++) {
        double rare = i % 125 == 7 ? 60 : 0, x = i % 3 * 9 + rare;
        at += (size_t)sprintf(csv + at, "%.4f,%.4f\n",
                              x + (double)mtc_random_normal(&rng),
                              rare + (double)mtc_random_normal(&rng));
    }
    cli_write("rare.csv", csv);
    for (int seed = 1; seed <= 1 + 7 / TEST_FEWER; seed++) {
        char line[60];
        sprintf(line, "choose rare.csv --seed %d", seed);
        RUNS(0, line);
        ASSERT(strstr(cli_last()->err, "far from all others") == NULL);
    }
    strcpy(csv + at, "900,-700\n");
    cli_write("rare.csv", csv);
    int told = 0;                       /* where the row is drawn by choose */
    for (int seed = 1; seed <= 8 && told == 0; seed++) {
        char line[60];
        sprintf(line, "choose rare.csv --seed %d", seed);
        RUNS(0, line);
        told += strstr(cli_last()->err, "(rare: 1501)") != NULL;
    }
    ASSERT(told > 0);
    PASS();
}

/* A tail is no slip: more than one row of twenty stays, and is not told. */
TEST many_far_rows_are_none(void)
{
    write_behind("tail.csv", "one.csv", "100,0,0,0\n0,200,0,0\n0,0,300,0\n"
                 "0,0,0,400\n");
    RUNS(0, "choose tail.csv");
    ASSERT(strstr(cli_last()->err, "far from all others") == NULL);
    PASS();
}

/* Common is a guess, but each file has a clear number of its own. */
TEST sentence_is_as_sure_as_the_numbers_it_names(void)
{
    write_groups("small.csv", 30, 2, 11);
    RUNS(0, "cluster kmeans three.csv small.csv");
    OUT_HAS("3 groups: ");
    OUT_HAS(" are in both files, ");
    OUT_HAS(" in three alone.");
    OUT_HAS("k by choice, all tasks: no clear number");
    ASSERT(strstr(cli_last()->out, "guess") == NULL);
    PASS();
}

/* The rows of a file, in turn of class a and b. */
static void write_labeled(const char *name, const char *from)
{
    static char text[CLI_TEXT];
    FILE *f = fopen(cli_path(name), "w");
    int i = 0;
    cli_read(cli_path(from), text);
    for (char *s = strtok(text, "\n"); s != NULL; s = strtok(NULL, "\n"), i++)
        fprintf(f, "%s,%s\n", s, i == 0 ? "class" : i % 2 ? "a" : "b");
    fclose(f);
}

/* The number that was chosen is two; rows that are all equal have one group. */
TEST sentence_claims_no_choice_where_groups_are_empty(void)
{
    char csv[600] = "x,y,u,v\n";
    for (int i = 0; i < 54; i++)
        strcat(csv, "1,2,3,4\n");
    cli_write("equal.csv", csv);
    RUNS(0, "cluster lssmtc --preprocess none two.csv equal.csv");
    ERR_HAS("equal: only 1 of 2 clusters is in use\n");
    ASSERT(strstr(cli_last()->out, "was chosen") == NULL);
    RUNS(0, "cluster lssmtc --preprocess none two.csv");
    SAYS("number was chosen and is clear.");
    PASS();
}

/* Three and small have clear numbers, labels give those of others. */
TEST sentence_says_in_how_many_files_a_number_is_a_guess(void)
{
    write_groups("small.csv", 30, 2, 11);
    write_labeled("l_one.csv", "one.csv");
    write_labeled("l_few.csv", "few.csv");
    RUNS(0, "cluster kmeans three.csv small.csv one.csv");
    SAYS("In one their number was chosen");
    RUNS(0, "cluster kmeans l_one.csv one.csv three.csv");
    SAYS("In 2 of 3 files ");
    RUNS(0, "cluster kmeans l_one.csv one.csv");
    SAYS("In one one group is likelier than several");
    RUNS(0, "cluster kmeans l_one.csv three.csv");
    SAYS("In three their number was chosen and is clear.");
    RUNS(0, "cluster kmeans l_few.csv few.csv");
    SAYS("In few there are too few rows to tell how many groups there are.");
    RUNS(0, "cluster kmeans l_one.csv l_few.csv");
    ASSERT(strstr(cli_last()->out, "heir number was") == NULL);
    PASS();
}

TEST choose_names_all_tasks(void)
{
    RUNS(0, "choose three.csv too.csv two.csv");
    OUT_HAS(" in all files together");
    OUT_HAS("\nthree by itself: 3 clusters (sure over .99)\n");
    OUT_HAS("\ntoo by itself: 3 clusters (sure over .99)\n");
    OUT_HAS("\ntwo by itself: 2 clusters (sure over .99)\n");
    OUT_HAS("belief    three      too      two\n");
    RUNS(0, "choose three.csv few.csv");        /* few rows take no part */
    ASSERT(strncmp(cli_last()->out, "3 clusters in files with enough rows", 36)
           == 0);
    OUT_HAS("\nthree by itself: 3 clusters");
    OUT_HAS("\nfew by itself: too few rows to choose from (12 are needed)\n");
    ASSERT_EQ(0, cli_shell("sed 's/^[0-9-].*/1,2,3,4/' three.csv >equal.csv"));
    RUNS(0, "choose three.csv equal.csv");      /* that has one */
    OUT_HAS("3 clusters in all files together (sure over .99).\n");
    OUT_HAS("\nequal by itself: 1 cluster: all rows are equal\n");
    RUNS(0, "cluster kmeans three.csv equal.csv");
    OUT_HAS("\nequal: 1 cluster: all rows are equal\n");
    PASS();
}

TEST choose_writes_json(void)
{
    RUNS(0, "choose three.csv too.csv --seed 5 --json -");
    ASSERT_STR_EQ("mtc schema notices options k_choice seconds ",
                  json_members(""));
    ASSERT_STR_EQ("common tasks scaled apart logs ",
                  json_members("k_choice"));
    ASSERT_STR_EQ("k best second verdict sure limit p gap usil mix mixdep "
                  "height ", json_members("k_choice.common"));
    ASSERT(json_is("k_choice.common.verdict", "\"clear"));
    JSON_NEAR("k_choice.common.k", 3);
    JSON_NEAR("k_choice.common.limit", 9);
    JSON_NEAR("k_choice.tasks.0.limit", 10);
    JSON_NEAR("k_choice.common.sure", json_number("k_choice.common.p.2"));
    ASSERT(json_number("k_choice.common.p.2") > 0.99);
    JSON_NEAR("k_choice.tasks.1.k", 3);
    JSON_NEAR("k_choice.common.gap.0", 0);      /* three components: */
    JSON_NEAR("k_choice.common.gap.1", 0);      /* 1 is a triple value */
    RUNS(0, "choose few.csv --json -");
    ASSERT(json_is("k_choice.common.second", "null"));
    ASSERT(json_is("k_choice.common.verdict", "\"few"));
    ASSERT(json_is("k_choice.common.p", "null"));
    PASS();
}

/* Up to 500 rows nothing is drawn; carry is by k-means, with a seed. */
TEST choose_is_the_same_for_every_seed(void)
{
    static char first[CLI_TEXT];
    RUNS(0, "choose one.csv --seed 3");
    strcpy(first, cli_last()->out);
    RUNS(0, "choose one.csv --seed 77");
    ASSERT_STR_EQ(first, cli_last()->out);
    RUNS(0, "choose one.csv two.csv --seed 3");
    strcpy(first, cli_last()->out);
    RUNS(0, "choose one.csv two.csv --seed 3");
    ASSERT_STR_EQ(first, cli_last()->out);
    PASS();
}

TEST cluster_chooses_where_nothing_is_given(void)
{
    RUNS(0, "cluster kmeans three.csv two.csv");
    OUT_HAS("k by choice, all tasks: ");
    RUNS(0, "cluster kmeans three.csv two.csv --json -");
    JSON_NEAR("tasks.0.k", 3);                  /* clear by itself */
    JSON_NEAR("tasks.1.k", 2);
    ASSERT(json_is("options.k", "[3, 2]"));
    ASSERT(json_is("k_choice.tasks.1.verdict", "\"clear"));
    RUNS(0, "cluster lssmtc three.csv two.csv --json -");
    JSON_NEAR("tasks.0.k", json_number("k_choice.common.k"));
    JSON_NEAR("tasks.1.k", json_number("k_choice.common.k"));
    RUNS(0, "cluster kmeans --pool three.csv too.csv --json -");
    JSON_NEAR("tasks.0.k", 3);
    RUNS(0, "cluster kmeans a.csv --k auto");   /* labels are not asked */
    OUT_HAS("k by choice: too few rows");
    PASS();
}

/* Who asks for groups gets the best guess, and is told so. */
TEST cluster_gives_the_best_guess_where_one_is_likelier(void)
{
    RUNS(0, "cluster kmeans one.csv");
    SAYS("One group is likelier than several: these are the best guess.");
    RUNS(0, "cluster kmeans one.csv --json -");
    JSON_NEAR("k_choice.common.k", 1);
    JSON_NEAR("tasks.0.k", json_number("k_choice.common.best"));
    cli_write("equal.csv", "1,2\n1,2\n1,2\n1,2\n1,2\n1,2\n1,2\n1,2\n1,2\n"
              "1,2\n1,2\n1,2\n1,2\n1,2\n");
    RUNS(0, "cluster kmeans equal.csv --json -");
    JSON_NEAR("tasks.0.k", 1);
    RUNS(0, "choose equal.csv");
    ASSERT_STR_EQ("1 cluster in equal: all rows are equal.\n",
                  cli_last()->out);
    cli_write("values.csv", "1,2\n3,4\n1,2\n3,4\n1,2\n3,4\n1,2\n3,4\n1,2\n"
              "1,2\n1,2\n1,2\n1,2\n1,2\n");
    RUNS(0, "choose values.csv");
    ASSERT_STR_EQ("2 clusters in values: rows take only 2 values.\n",
                  cli_last()->out);
    PASS();
}

TEST a_range_is_searched(void)
{
    RUNS(0, "cluster kmeans --k 2-3 three.csv --json -");
    JSON_NEAR("tasks.0.k", 3);
    RUNS(0, "cluster kmeans --k 4-40 three.csv");
    OUT_HAS("(searched up to 10: six rows a cluster)\n");
    RUNS(0, "cluster kmeans --k auto --k-min 2 --k-max 2 three.csv --json -");
    JSON_NEAR("tasks.0.k", 2);
    static const char *const bad[][2] = {
        {"--k 1-3", "--k 1-3: expected"}, {"--k 3-2", "--k 3-2: expected"},
        {"--k 3-", "--k 3-: expected"}, {"--k -3", ""},
        {"--k 2-4x", "--k 2-4x: expected"}, {"--k automatic", "expected"},
        {"--k 61-70", "61 clusters or more: three has only 60 samples"},
        {"--k auto --k-min 5 --k-max 4", "--k-min 5 is above --k-max 4"},
        {"--k-min 49", "--k-min 49 is above --k-max 48"},
        {"--k 3 --k-max 5", "--k-min and --k-max are for --k auto"},
        {"--k auto --k-max 1", "--k-max 1: expected"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char args[200];
        sprintf(args, "cluster kmeans three.csv %s", bad[i][0]);
        ASSERT_EQ_FMTm(bad[i][0], 2, cli(args), "%d");
        ASSERTm(bad[i][0], strstr(cli_last()->err, bad[i][1]) != NULL);
    }
    cli_write("told.csv", "x,label\n1,0\n2,0\n8,1\n9,1\n");
    RUNS(2, "cluster kmeans told.csv --k-max 3");
    ERR_HAS("told has labels, which say how many clusters there are: --k-min and "
            "--k-max need --k auto");
    PASS();
}

/* Of many tasks five have a column, unless all are asked for.  What is said
 * of all holds for those that have enough rows. */
TEST tables_of_choose_tell_of_tasks_that_are_not_shown(void)
{
    RUNS(0, "choose three.csv three.csv three.csv three.csv three.csv "
            "three.csv");
    OUT_HAS("\n(6 tasks, of which the first 5; --verbose shows all)\n");
    ASSERT(strstr(cli_last()->out, " three.5  three.6\n") == NULL);
    RUNS(0, "choose three.csv three.csv three.csv three.csv three.csv "
            "three.csv --verbose");
    ASSERT(strstr(cli_last()->out, "the first 5") == NULL);
    OUT_HAS("  three.5  three.6\n");
    cli_write("equal.csv", "1,2\n1,2\n1,2\n1,2\n1,2\n1,2\n1,2\n1,2\n1,2\n1,2\n"
              "1,2\n1,2\n");
    cli_write("four.csv", "1,2\n3,2\n5,2\n1,7\n");
    RUNS(0, "choose equal.csv four.csv");
    OUT_HAS("1 cluster in files with enough rows: all rows are equal.");
    PASS();
}

/* One cluster, and no failure, whatever the method. */
TEST every_method_takes_one_cluster(void)
{
    static const char *const methods[] = {
        "kmeans", "vote", "pcakm", "ncut", "snmf", "asi", "auto", "lssmtc",
        "mbc", "mtcfir", "ec", "smbc", "smkc", "samtc", "mtctki", "dmtc",
        "genie", "ward", "lssmtc --guard", "mbc --guard"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        char args[100];
        sprintf(args, "cluster %s few.csv few.csv --json -", methods[i]);
        ASSERT_EQ_FMTm(methods[i], 0, cli(args), "%d");
        ASSERT(json_is("tasks.1.labels", "[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]"));
    }
    PASS();
}

TEST compare_takes_the_common_number(void)
{
    RUNS(0, "compare three.csv too.csv --repeats 1 --json -");
    ERR_HAS("k by choice: 3 clusters (sure over .99)");
    RUNS(0, "help compare");
    OUT_HAS("all tasks have the number that is chosen for all.");
    PASS();
}

/* Of 14 rows there are two clusters at most, which have no say beside 60. */
TEST a_small_task_that_bounds_the_number_is_told(void)
{
    const char *small = "small (14 rows) is too small to take part in the "
                        "common number\n";
    write_groups("small.csv", 14, 3, 7);
    write_groups("tiny.csv", 14, 3, 9);
    write_groups("twice.csv", 24, 3, 7);
    RUNS(0, "choose twice.csv small.csv");
    OUT_HAS("twice by itself: 3 clusters");
    ASSERT(strstr(cli_last()->err, small) == NULL);
    RUNS(0, "choose three.csv small.csv --json -");
    ERR_HAS(small);
    ASSERT(strstr(cli_last()->err, "no more than") == NULL);
    JSON_NEAR("k_choice.common.k", 3);
    RUNS(0, "choose three.csv small.csv tiny.csv");
    ERR_HAS("small (14 rows) and 1 more are too small to take part");
    RUNS(0, "choose three.csv too.csv");
    ASSERT_STR_EQ("", cli_last()->err);
    RUNS(0, "choose two.csv small.csv");
    ASSERT(strstr(cli_last()->err, "warning") == NULL);
    PASS();
}

/* Twenty numbers of one normal distribution fall into two groups, over .9 sure,
 * in most draws: fewer than 40 rows are told. */
TEST few_rows_are_told(void)
{
    char csv[20 * 12] = "x\n";
    size_t sure = 0, at;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        mtc_random rng = mtc_random_seed(seed);
        at = 2;
        for (int i = 0; i < 20; i++)
            at += (size_t)sprintf(csv + at, "%.4f\n",
                                  170 + 8 * (double)mtc_random_normal(&rng));
        cli_write("chance.csv", csv);
        RUNS(0, "choose chance.csv");
        int clear = strstr(cli_last()->out, "(sure ") != NULL;
        sure += (size_t)clear;
        ASSERT_EQ(clear, strstr(cli_last()->err, "note: chance: 20 samples "
                                "are few: with fewer than 40 chance often") != NULL);
    }
    ASSERT(sure > 5);
    RUNS(0, "choose three.csv");
    ASSERT_STR_EQ("", cli_last()->err);
    write_groups("small.csv", 39, 3, 7);
    RUNS(0, "cluster kmeans three.csv small.csv");
    ERR_HAS("note: small: 39 samples are few: with fewer than 40");
    PASS();
}

/* A file of too few rows has the number of the others, which is not its own
 * choice. */
TEST files_of_too_few_rows_choose_nothing(void)
{
    RUNS(0, "choose three.csv five.csv");
    OUT_HAS("3 clusters in files with enough rows (sure over .99).\n");
    RUNS(0, "choose three.csv two.csv five.csv");
    OUT_HAS(" in all files with enough rows together");
    RUNS(0, "cluster kmeans three.csv five.csv");
    ERR_HAS("note: five: 5 samples are too few to choose from (12 are needed): "
            "it has the number of all tasks, 3\n");
    cli_write("pair.csv", "x,y,u,v\n0,0,0,0\n9,9,0,1\n");
    RUNS(0, "cluster kmeans three.csv pair.csv");
    ERR_HAS("note: pair: 2 samples are too few to choose from (12 are needed): "
            "it has 2 clusters, all tasks 3\n");
    SAYS("In three their number was chosen and is clear.");
    cli_write("known.csv", "x,y,u,v,class\n0,0,0,0,a\n9,9,0,1,b\n");
    RUNS(0, "cluster kmeans three.csv known.csv");
    ASSERT(strstr(cli_last()->err, "too few") == NULL);
    RUNS(0, "cluster lssmtc three.csv five.csv");
    ASSERT(strstr(cli_last()->err, "too few") == NULL);
    PASS();
}

/* Two files of one group each, which x tells apart: their pool is scaled as one
 * table with all rows is.  z-scores would let seven columns of noise count. */
TEST a_pool_is_scaled_as_one_table(void)
{
    static char csv[2][ROWS * 100], all[2 * ROWS * 100];
    mtc_random rng = mtc_random_seed(2);
    for (int f = 0; f < 2; f++) {
        size_t at = (size_t)sprintf(csv[f], "x,a,b,c,d,e,f,g\n");
        for (int i = 0; i < ROWS * 8; i++)
            at += (size_t)sprintf(csv[f] + at, "%.3f%c",
                                  (i % 8 == 0 ? 30 : 1) *
                                      (double)mtc_random_normal(&rng) +
                                      (i % 8 == 0 ? 300 * f : 0),
                                  i % 8 == 7 ? '\n' : ',');
    }
    strcpy(all, csv[0]);
    strcat(all, strchr(csv[1], '\n') + 1);
    cli_write("left.csv", csv[0]);
    cli_write("right.csv", csv[1]);
    cli_write("all.csv", all);
    RUNS(0, "cluster kmeans all.csv");
    OUT_HAS("2 groups in all.");
    ERR_HAS("clusters are clear as they are: left");
    RUNS(0, "cluster kmeans --pool left.csv right.csv");
    OUT_HAS("2 groups: 0 in left alone, 1 in right alone");
    ERR_HAS("clusters are clear as they are: left");
    RUNS(0, "cluster kmeans left.csv right.csv");
    ERR_HAS("z-scored");
    PASS();
}

/* Who asks for 2 to 4 clusters does not ask for 1. */
TEST too_few_rows_for_a_range_take_its_least(void)
{
    RUNS(0, "cluster kmeans --k 2-4 few.csv --json -");
    JSON_NEAR("tasks.0.k", 2);
    RUNS(0, "cluster kmeans --k 3-4 few.csv");
    OUT_HAS("k by choice: too few rows to choose from (18 are needed): 3, the "
            "least asked for\n");
    ASSERT(strstr(cli_last()->out, "searched up to 0") == NULL);
    RUNS(0, "cluster kmeans --k auto few.csv --json -");
    JSON_NEAR("tasks.0.k", 1);
    RUNS(0, "compare --k 2-4 few.csv few.csv");
    ERR_HAS("(12 are needed): 2, the least asked for");
    PASS();
}

/* ---- scales and logs ---------------------------------------------------- */

enum { TABLE = 180 };

/* Three groups: in column u 1, 2 and 3 deviations of `by` apart; v is the same
 * in all.  Both times their factors. */
static void write_scales(const char *name, double by, double u, double v)
{
    static char csv[TABLE * 80];
    mtc_random rng = mtc_random_seed(5);
    size_t at = (size_t)sprintf(csv, "u,v,w\n");
    for (int i = 0; i < TABLE; i++) {
        double center = by * (i % 3);
        double a = u * (center + (double)mtc_random_normal(&rng));
        double b = v * ((i % 3 == 1 ? by : 0) +
                        (double)mtc_random_normal(&rng));
        at += (size_t)sprintf(csv + at, "%.9g,%.9g,%.9g\n", a, b,
                              (double)mtc_random_normal(&rng));
    }
    cli_write(name, csv);
}

/* Customers in three tiers, log-normal in all columns. */
static void write_tiers(const char *name)
{
    static const double median[3][3] = {
        {2, 20, 40}, {8, 45, 300}, {25, 90, 2000}};
    static char csv[TABLE * 80];
    mtc_random rng = mtc_random_seed(9);
    size_t at = (size_t)sprintf(csv, "visits,age,spend\n");
    for (int i = 0; i < TABLE; i++)
        for (int f = 0; f < 3; f++)
            at += (size_t)sprintf(
                csv + at, "%.9g%c", median[i % 3][f] *
                exp(0.25 * (double)mtc_random_normal(&rng)),
                f == 2 ? '\n' : ',');
    cli_write(name, csv);
}

/* Column u is money: as it is, it decides alone. */
TEST columns_on_different_scales_are_scaled(void)
{
    write_scales("money.csv", 8, 5000, 1);
    RUNS(0, "choose money.csv --json -");
    ERR_HAS("mtc: note: columns on different scales (the largest ");
    ERR_HAS(" times the median one): z-scored; --preprocess none leaves them");
    ASSERT(json_is("k_choice.scaled", "true"));
    ASSERT(json_number("k_choice.apart") > 1000);
    JSON_NEAR("k_choice.common.k", 3);
    ASSERT(json_is("options.preprocess", "\"zscore"));
    ASSERT(json_is("notices.0.code", "\"scaled"));
    static char first[CLI_TEXT];
    RUNS(0, "cluster kmeans --k 3 money.csv --out o --quiet");
    cli_read(cli_path("o/money.labels"), first);
    RUNS(0, "cluster kmeans --k 3 --preprocess zscore money.csv --out p "
         "--quiet");
    static char second[CLI_TEXT];
    cli_read(cli_path("p/money.labels"), second);
    ASSERT_STR_EQ(first, second);
    write_scales("near.csv", 8, 1, 1);
    RUNS(0, "choose near.csv --json -");
    ASSERT(json_is("k_choice.scaled", "false"));
    ASSERT(json_number("k_choice.apart") < 4);
    ASSERT_STR_EQ("", cli_last()->err);
    RUNS(0, "cluster mbc --divergence is --k 2 tiers.csv --quiet --json -");
    ASSERT(json_is("options.preprocess", "\"none"));
    ASSERT(json_is("notices.0.code", "\"unscaled"));
    PASS();
}

/* Twelve columns of noise on a small scale: z-scores would bring them up. */
TEST clear_clusters_as_they_are_are_left(void)
{
    static char csv[TABLE * 160];
    mtc_random rng = mtc_random_seed(3);
    size_t at = 0;
    for (int i = 0; i < TABLE; i++)
        for (int f = 0; f < 14; f++) {
            double x = (double)mtc_random_normal(&rng) * (f < 2 ? 1 : 0.1);
            x += f == i % 3 && f < 2 ? 12 : 0;
            at += (size_t)sprintf(csv + at, "%.5f%c", x,
                                  f == 13 ? '\n' : ',');
        }
    cli_write("noise.csv", csv);
    RUNS(0, "choose noise.csv --json -");
    ERR_HAS("columns on different scales, but clusters are clear as they are: "
            "left; --preprocess zscore scales them");
    ASSERT(json_is("k_choice.scaled", "false"));
    JSON_NEAR("k_choice.common.k", 3);
    /* The same if the first two are powers, whose logs are taken. */
    rng = mtc_random_seed(3);
    at = 0;
    for (int i = 0; i < TABLE; i++)
        for (int f = 0; f < 14; f++) {
            double x = (double)mtc_random_normal(&rng) * (f < 2 ? 1 : 0.1);
            x += f == i % 3 && f < 2 ? 12 : 0;
            at += (size_t)sprintf(csv + at, "%.5f%c", f < 2 ? exp(x) : x,
                                  f == 13 ? '\n' : ',');
        }
    cli_write("powers.csv", csv);
    RUNS(0, "choose powers.csv --log 1,2 --json -");
    ERR_HAS("columns on different scales, but clusters are clear by logs alone: "
            "left; --preprocess zscore scales them");
    JSON_NEAR("k_choice.common.k", 3);
    PASS();
}

/* Age, income and 30 towns: 29 of 32 values are 0, none of them a count.  Of
 * six columns of counts five are mostly 0, which is said. */
TEST words_make_no_counts_of_a_table(void)
{
    static char csv[CLI_TEXT], counts[CLI_TEXT];
    size_t at = (size_t)sprintf(csv, "age,income,town\n");
    size_t to = (size_t)sprintf(counts, "a,b,c,d,e,all\n");
    for (int i = 0; i < 60; i++) {
        at += (size_t)sprintf(csv + at, "%d,%d,t%d\n", 20 + i * 7 % 31,
                              1000 + i * 377 % 2900, i % 30);
        to += (size_t)sprintf(counts + to, "%d,%d,%d,%d,%d,%d\n", i % 5 == 0,
                              i % 7 == 0, i % 9 == 0, i % 8 == 0, i % 6 == 0,
                              i % 2 * 90);
    }
    cli_write("towns.csv", csv);
    RUNS(0, "cluster kmeans --k 2 towns.csv --onehot town --json -");
    ERR_HAS("times the median one): z-scored; --preprocess none leaves them");
    ASSERT(json_is("options.preprocess", "\"zscore\""));
    ASSERT(strstr(cli_last()->err, "counts of words") == NULL);
    cli_write("counts.csv", counts);
    RUNS(0, "cluster kmeans --k 2 counts.csv --json -");
    ERR_HAS("columns on different scales, but most values are 0, as counts are: "
            "left; --preprocess zscore scales them");
    PASS();
}

TEST logs_are_taken_where_they_make_clusters_clear(void)
{
    RUNS(0, "choose tiers.csv --json -");
    ERR_HAS("visits, age and spend: logs are taken (they grow by factors); --log "
            "none leaves them");
    ASSERT(json_is("k_choice.logs", "[\"visits\", \"age\", \"spend\"]"));
    JSON_NEAR("k_choice.common.k", 3);
    ASSERT(json_is("k_choice.common.verdict", "\"clear"));
    RUNS(0, "choose tiers.csv --log none --json -");
    ASSERT(json_is("k_choice.logs", "[]"));
    ASSERT(json_is("options.log", "[\"none\"]"));
    RUNS(0, "choose tiers.csv --log spend,1 --json -");
    ASSERT(json_is("k_choice.logs", "[\"visits\", \"spend\"]"));
    RUNS(0, "cluster ec tiers.csv one.csv --json -");
    ERR_HAS("note: tiers.csv: visits, age and spend: logs are taken (they grow ");
    ASSERT(json_is("tasks.0.logs", "[\"visits\", \"age\", \"spend\"]"));
    ASSERT(json_is("tasks.1.logs", "[]"));
    RUNS(2, "choose tiers.csv --log money");
    ERR_HAS("--log money: no feature has that name or number");
    RUNS(0, "choose tiers.csv --drop 1 --log 2 --json -");
    ASSERT(json_is("k_choice.logs", "[\"age\"]"));
    RUNS(0, "choose tiers.csv --log 2 --log visits --json -");
    ASSERT(json_is("k_choice.logs", "[\"visits\", \"age\"]"));
    RUNS(0, "choose tiers.csv --drop 1 --log 2-3 --json -");
    ASSERT(json_is("k_choice.logs", "[\"age\", \"spend\"]"));
    RUNS(2, "choose tiers.csv --drop 1 --log 1");
    ERR_HAS("--log 1: no feature has that name or number");
    RUNS(1, "choose one.csv --log x");
    ERR_HAS("one.csv: sample ");
    ERR_HAS(", x: -");
    ERR_HAS(" has no logarithm, which is taken of this column");
    PASS();
}

/* A model takes the logs that its data had, and the scales. */
TEST models_keep_scales_and_logs(void)
{
    static char first[CLI_TEXT], second[CLI_TEXT];
    RUNS(0, "cluster kmeans tiers.csv --save m.json --out o --quiet");
    RUNS(0, "assign m.json tiers.csv --out again --quiet");
    cli_read(cli_path("o/tiers.labels"), first);
    cli_read(cli_path("again/tiers.labels"), second);
    ASSERT_STR_EQ(first, second);
    cli_write("zero.csv", "visits,age,spend\n3,20,50\n3,0,50\n");
    RUNS(1, "assign m.json zero.csv");
    ERR_HAS("zero.csv: sample 2, age: 0 has no logarithm, which is taken of "
            "this column");
    RUNS(0, "export m.json --c tiers --out c --quiet");
    PASS();
}

TEST ward_is_a_method(void)
{
    RUNS(0, "cluster ward --k 3 three.csv --json -");
    JSON_NEAR("tasks.0.sizes.0", 20);
    JSON_NEAR("tasks.0.sizes.2", 20);
    ASSERT(json_number("tasks.0.height") > 10);
    JSON_NEAR("tasks.0.labels.0", 0);
    RUNS(0, "cluster ward --k 3 three.csv --save w.json --out o --quiet");
    RUNS(0, "assign w.json three.csv --quiet");
    RUNS(0, "cluster ward --k 1 few.csv");
    PASS();
}

SUITE(cli_choose_suite)
{
    if (!cli_ready())
        return;
    RUN_TEST(there_is_room_for_files);
    SET_SETUP(choose_setup, NULL);
    RUN_TEST(choose_says_how_many_and_how_sure);
    RUN_TEST(rows_far_from_all_others_are_told);
    RUN_TEST(columns_are_scaled_without_far_rows);
    RUN_TEST(ends_of_one_column_are_near);
    RUN_TEST(rare_groups_are_not_far);
    RUN_TEST(many_far_rows_are_none);
    RUN_TEST(sentence_is_as_sure_as_the_numbers_it_names);
    RUN_TEST(sentence_claims_no_choice_where_groups_are_empty);
    RUN_TEST(sentence_says_in_how_many_files_a_number_is_a_guess);
    RUN_TEST(choose_names_all_tasks);
    RUN_TEST(choose_writes_json);
    RUN_TEST(choose_is_the_same_for_every_seed);
    RUN_TEST(cluster_chooses_where_nothing_is_given);
    RUN_TEST(cluster_gives_the_best_guess_where_one_is_likelier);
    RUN_TEST(a_range_is_searched);
    RUN_TEST(a_small_task_that_bounds_the_number_is_told);
    RUN_TEST(few_rows_are_told);
    RUN_TEST(files_of_too_few_rows_choose_nothing);
    RUN_TEST(a_pool_is_scaled_as_one_table);
    RUN_TEST(too_few_rows_for_a_range_take_its_least);
    RUN_TEST(tables_of_choose_tell_of_tasks_that_are_not_shown);
    RUN_TEST(every_method_takes_one_cluster);
    RUN_TEST(compare_takes_the_common_number);
    RUN_TEST(columns_on_different_scales_are_scaled);
    RUN_TEST(clear_clusters_as_they_are_are_left);
    RUN_TEST(words_make_no_counts_of_a_table);
    RUN_TEST(logs_are_taken_where_they_make_clusters_clear);
    RUN_TEST(models_keep_scales_and_logs);
    RUN_TEST(ward_is_a_method);
}
