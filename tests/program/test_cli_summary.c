/* SPDX-License-Identifier: MIT
 *
 * test_cli_summary.c - what stands below the table, and in the JSON for it.
 */
#include "cli.h"

#include <math.h>

/* b.csv is (0,0) (0,2) (10,0) (10,2), cut into its left and right side.  A
 * sample is 2 from its own, 10 and sqrt(104) from the others, on average
 * 10.099: its silhouette is 1 - 2/10.099 = .802.  Only x differs. */
TEST clusters_have_size_share_silhouette_and_features(void)
{
    RUNS(0, "cluster kmeans --k 2 --init good.txt b.csv");
    OUT_HAS("b: silhouette 0.80\n");
    OUT_HAS(" cluster    size  share silhouette  differs in: its mean (of all rows)");
    OUT_HAS("       0       2  50.0%       0.80  ");
    OUT_HAS(" 0 (5)\n");
    OUT_HAS(" 10 (5)\n");
    PASS();
}

/* The same rows, each side in a file of its own, which is one cluster. */
TEST pooled_rows_have_one_silhouette(void)
{
    /* 1, 1 and 1000 are higher than 50, 60 and 70, but not their logs. */
    cli_write("u.csv", "x,y\n1,1000\n1,1001\n1000,1002\n50,1\n60,2\n70,3\n");
    RUNS(0, "cluster kmeans --k 2 --pool u.csv u.csv --log x --preprocess none");
    SAYS("much higher y, higher x");
    cli_write("left.csv", "x,y\n0,0\n0,2\n");
    cli_write("right.csv", "x,y\n10,0\n10,2\n");
    RUNS(0, "cluster kmeans --k 2 --pool left.csv right.csv --svg -");
    OUT_HAS("<title>mtc cluster kmeans, 2 clusters, clearly apart</title>");
    RUNS(0, "cluster kmeans --k 2 --pool left.csv right.csv");
    SAYS("Group 0: much lower x; group 1: much higher x. They lie clearly "
            "apart.");
    /* A group that is high in its file is low among all rows: they are where
     * the first file's 9 and the second's 80 are. */
    cli_write("low.csv", "x\n0\n1\n0\n9\n8\n9\n");
    cli_write("high.csv", "x\n80\n81\n80\n90\n91\n90\n");
    RUNS(0, "cluster kmeans --k 4 --pool low.csv high.csv --json -");
    static char words[2][60];
    sprintf(words[0], "roup %d, in low alone: lower x",
            (int)json_number("tasks.0.labels.3"));
    sprintf(words[1], "roup %d, in high alone: higher x",
            (int)json_number("tasks.1.labels.0"));
    RUNS(0, "cluster kmeans --k 4 --pool low.csv high.csv");
    SAYS(words[0]);
    SAYS(words[1]);
    RUNS(0, "cluster kmeans --k 1 --pool left.csv right.csv --svg -");
    OUT_HAS("<title>mtc cluster kmeans, 1 cluster</title>");
    PASS();
}

/* Four corners of a square of two far columns, and a third that parts two. */
TEST groups_are_not_told_in_the_same_words(void)
{
    cli_write("corners.csv", "x,y,z\n0,0,3.2\n1,1,4.8\n0,1,5.2\n1,0,6.8\n"
              "90,90,3.2\n91,91,4.8\n90,91,5.2\n91,90,6.8\n");
    cli_write("corners.txt", "0\n0\n1\n1\n2\n2\n3\n3\n");
    RUNS(0, "cluster kmeans --k 4 --iterations 1 --init corners.txt "
            "--preprocess none corners.csv");
    SAYS("Group 0: lower x, lower y, lower z; group 1: lower x, lower y, "
         "higher z; group 2: higher x, higher y, lower z; group 3: higher x, "
         "higher y, higher z.");
    PASS();
}

/* The means of y are equal, but for the order of sums. */
TEST features_that_do_not_differ_are_not_told(void)
{
    cli_write("equal.csv", "x,y\n0,.1\n0,.2\n0,.3\n10,.3\n10,.1\n10,.2\n");
    cli_write("halves.txt", "0\n0\n0\n1\n1\n1\n");
    RUNS(0, "cluster kmeans --k 2 --init halves.txt equal.csv");
    OUT_HAS("  x 0 (5)\n");
    OUT_HAS("  x 10 (5)\n");
    PASS();
}

/* Preprocessing changes what the method sees, not what is told of the file. */
TEST features_are_told_in_the_units_of_the_file(void)
{
    RUNS(0, "cluster kmeans --k 2 --init good.txt --preprocess zscore b.csv");
    OUT_HAS(" 0 (5)\n");
    OUT_HAS(" 10 (5)\n");
    RUNS(0, "cluster kmeans --init good.txt --preprocess zscore b.csv --k 2 "
            "--json -");
    ASSERT(json_is("tasks.0.sizes", "[2, 2]"));
    JSON_NEAR("tasks.0.centers.0.1", 1);
    JSON_NEAR("tasks.0.centers.1.0", 10);
    PASS();
}

TEST sparse_files_have_sizes_and_no_centers(void)
{
    cli_write("words.svm", "1 1:1 7:2\n1 1:2 9:1\n2 3:1 8:1\n2 3:2\n");
    RUNS(0, "cluster kmeans --k 2 words.svm --init good.txt --json -");
    ASSERT_STR_EQ("name n d k k_effective acc nmi ari labels sizes silhouette "
                  "apart classes table ",
                  json_members("tasks.0"));
    RUNS(0, "cluster kmeans --k 2 words.svm --init good.txt");
    OUT_HAS("       1       2  50.0%");
    ASSERT(strstr(cli_last()->out, "column") == NULL);
    cli_write("alike.svm", "1 1:1 2:9\n1 1:1 3:9\n2 4:1 5:9\n2 4:1 6:9\n");
    RUNS(0, "cluster kmeans --k 2 alike.svm --init good.txt");
    SAYS("They lie clearly apart. ");
    PASS();
}

/* Both features part the clusters alike, 2 deviations: the first comes first,
 * also where zeros of the second are not stored. */
TEST values_that_are_not_stored_count_as_zero(void)
{
    cli_write("half.svm", "1 1:5\n1 1:5\n2 1:9 2:10\n2 1:9 2:10\n");
    RUNS(0, "cluster kmeans --k 2 half.svm --init good.txt");
    OUT_HAS("  column 1 5 (7), column 2 0 (5)\n");
    PASS();
}

/* A cluster without samples has size 0, no silhouette and no center. */
TEST empty_clusters_are_shown_as_such(void)
{
    cli_write("same.csv", "x,y\n1,1\n1,1\n1,1\n");
    cli_write("ones.txt", "0\n0\n0\n");
    RUNS(0, "cluster lssmtc --k 2 same.csv --init ones.txt --json -");
    ASSERT(json_is("tasks.0.sizes", "[3, 0]"));
    ASSERT(json_is("tasks.0.centers.1", "null"));
    PASS();
}

/* 4000 rows, of which 2000 are looked at: not every second one, which would be
 * of one cluster.  All of a cluster are alike, so silhouettes are 1.  Of two
 * rows side by side one is looked at, which says nothing of their cluster. */
TEST clusters_that_take_turns_have_silhouettes(void)
{
    enum { ROWS = 4000 };
    static char text[4 * ROWS + 1];
    for (size_t i = 0; i < ROWS; i++)
        memcpy(text + 4 * i, i % 2 ? "9,9\n" : "0,0\n", 4);
    cli_write("turns.csv", text);
    RUNS(0, "cluster kmeans --k 2 turns.csv --header no");
    OUT_HAS("       0    2000  50.0%       1.00");
    OUT_HAS("       1    2000  50.0%       1.00");
    OUT_HAS("turns: silhouette 1.00 of 2000 rows drawn from 4000\n");
    memcpy(text + 4 * 2000, "5,0\n5,0\n", 8);
    cli_write("turns.csv", text);
    RUNS(0, "cluster kmeans --k 3 turns.csv --header no");
    OUT_HAS("       2   0.1%          -  ");
    PASS();
}

TEST classes_are_shown_by_their_words(void)
{
    cli_write("named.csv", "x,y,class\n0,0,low\n0,1,low\n9,0,high\n9,1,high\n");
    RUNS(0, "transfer svm --source named.csv --target b.csv");
    OUT_HAS("   class    size  share");
    OUT_HAS("     low       2  50.0%");
    OUT_HAS("    high       2  50.0%");
    cli_write("named.csv", "x,y,class\n0,0,tr\xc3\xa8s\n0,1,tr\xc3\xa8s\n"
              "9,0,peu\n9,1,peu\n");             /* two bytes, one letter */
    RUNS(0, "transfer svm --source named.csv --target b.csv");
    OUT_HAS("    tr\xc3\xa8s       2  50.0%");
    OUT_HAS("     peu       2  50.0%");
    cli_write("u.csv", "x,y\n1,2.50 \xc2\xb5m\n2,3.70 \xc2\xb5m\n"
              "9,1.20 \xc2\xb5m\n");
    RUNS(0, "describe u.csv");
    OUT_HAS("numbers             0 1 to 9 ");
    OUT_HAS("numbers (\xc2\xb5m)        0 1.2 to 3.7 ");
    PASS();
}

/* Four of each side of b.csv and one that the file calls by the other's name:
 * what a person reads of it, JSON has as well. */
TEST groups_are_counted_by_the_classes_of_the_file(void)
{
    cli_write("pets.csv", "who,x,y,kind\nA,0,0,cat\nB,0,1,cat\nC,1,0,dog\n"
              "D,9,9,dog\nE,9,8,dog\nF,8,9,dog\n");
    cli_write("sides.txt", "0\n0\n0\n1\n1\n1\n");
    RUNS(0, "cluster kmeans --k 2 --init sides.txt pets.csv --labels kind "
            "--id who");
    OUT_HAS("pets by the file's own labels:\n"
            "   found     cat     dog\n"
            "       0       2       1\n"
            "       1       0       3\n");
    RUNS(0, "cluster kmeans --k 2 --init sides.txt pets.csv --labels kind "
            "--id who --json -");
    ASSERT(json_is("tasks.0.classes", "[\"cat\", \"dog\"]"));
    ASSERT(json_is("tasks.0.table", "[[2, 1], [0, 3]]"));
    ASSERT(json_is("tasks.0.features", "[\"x\", \"y\"]"));
    ASSERT(json_is("tasks.0.rows", "[\"A\", \"B\", \"C\", \"D\", \"E\", "
                                   "\"F\"]"));
    RUNS(0, "cluster kmeans --k 1 pets.csv --labels kind --id who --json -");
    ASSERT(json_is("tasks.0.silhouette", "null"));
    ASSERT(json_is("apart", "null"));
    RUNS(0, "cluster kmeans --k 1 pets.csv --labels kind --id who");
    OUT_HAS("\npets: one cluster\n");
    OUT_HAS("       0       6 100.0%          -");
    /* Of a transfer: classes by classes, with one that no source has. */
    cli_write("more.csv", "x,y,kind\n0,0,cat\n9,9,dog\n8,8,bird\n");
    RUNS(0, "transfer svm --source pets.csv --target more.csv --labels kind "
            "--drop who");
    OUT_HAS("   found     cat     dog    bird\n"
            "     cat       1       0       0\n"
            "     dog       0       1       1\n");
    PASS();
}

/* What goes wrong is told in JSON, too, also if it is the command line. */
TEST json_has_errors_and_where_notices_belong(void)
{
    RUNS(2, "cluster kmean a.csv --json -");
    ASSERT(json_is("error.status", "2"));
    RUNS(2, "cluster kmeans a.csv --restart 3 --json=-");
    ASSERT(json_is("error.status", "2"));
    cli_write("gap.csv", "x,y\n1,4\n2,\n5,3\n");
    RUNS(0, "cluster kmeans --k 1 gap.csv --missing mean --json -");
    ASSERT(json_is("notices.0.code", "\"missing\""));
    OUT_HAS("gap.csv\", \"option\": \"--missing\"}");
    PASS();
}

/* Columns of 12 points: two of them side by side are one mass, cut in two; a
 * third lies far away.  Whether groups touch is the same at any size. */
TEST borders_of_groups_are_told_in_words(void)
{
    static char text[CLI_TEXT], far[CLI_TEXT];
    size_t at = (size_t)sprintf(text, "x,y\n"), to = 0;
    for (int i = 0; i < 144; i++)
        at += (size_t)sprintf(text + at, "%d,%d\n", i / 6, i % 6);
    cli_write("mass.csv", text);
    for (int i = 0; i < 144; i++)
        memcpy(far + 2 * i, i < 72 ? "0\n" : "1\n", 3);
    cli_write("z.labels", far);
    for (int i = 0; i < 144; i++)
        far[2 * i] = i < 72 ? '1' : '0';
    cli_write("y.labels", far);
    RUNS(0, "cluster kmeans --k 2 mass.csv --svg p.svg");
    SAYS("They touch: no gap parts them.");
    RUNS(0, "cluster kmeans --k 2 mass.csv --svg -");
    OUT_HAS("<title>mtc cluster kmeans, 2 clusters, touching</title>");
    for (int i = 0; i < 36; i++)
        to += (size_t)sprintf(far + to, "%d,%d\n", 200 + i / 6, i % 6);
    strcpy(text + at, far);
    cli_write("three.csv", text);
    RUNS(0, "cluster kmeans --k 3 three.csv --preprocess none --json -");
    int alone = (int)json_number("tasks.0.labels.150");
    ASSERT(json_is("apart", "\"touch\""));
    ASSERT(json_is("tasks.0.apart.groups", "[0, 1, 2]"));
    ASSERT(json_is("tasks.0.apart.word", "\"touch\""));
    JSON_NEAR("tasks.0.apart.rows", 180);
    JSON_NEAR("tasks.0.apart.mix.0.0", 0);
    RUNS(0, "cluster kmeans --k 3 three.csv --preprocess none");
    static const char *const words[] = {
        "Groups 1 and 2 touch; group 0 lies apart.",
        "Groups 0 and 2 touch; group 1 lies apart.",
        "Groups 0 and 1 touch; group 2 lies apart."};
    SAYS(words[alone]);
    RUNS(0, "cluster kmeans --k 2 three.csv mass.csv --preprocess none");
    SAYS("none is in both files, as they stand.");
    SAYS("Groups 2 and 3 touch; groups 0 and 1 lie apart.");
    RUNS(0, "cluster kmeans --k 2 three.csv three.csv --preprocess none");
    SAYS("They lie clearly apart.");
    RUNS(0, "cluster kmeans --k 2 --init z.labels,y.labels mass.csv mass.csv "
            "--preprocess none");
    SAYS("In no file do all lie apart.");
    PASS();
}

/* Two columns of two values each, and one of noise: four groups that are the
 * columns once more. */
TEST groups_that_are_values_of_columns_are_told(void)
{
    char csv[4000] = "sex,smoker,w\n";
    for (int i = 0; i < 160; i++)
        sprintf(csv + strlen(csv), "%d,%d,%.2f\n", 90 * (i % 2),
                70 * (i / 2 % 2), i * 7 % 11 * .1);
    cli_write("coins.csv", csv);
    RUNS(0, "cluster kmeans --k 4 coins.csv --preprocess none");
    SAYS("The groups are the combinations of sex and smoker; --drop sex,smoker "
         "looks beyond them.");
    RUNS(0, "cluster kmeans --k 2 coins.csv --preprocess none");
    SAYS("The groups are the two values of sex; --drop sex looks beyond it.");
    RUNS(0, "cluster kmeans --k 5 coins.csv --preprocess none");
    ASSERT(strstr(cli_last()->out, "--drop") == NULL);
    char words[1000] = "member,w\n";
    for (int i = 0; i < 60; i++)
        sprintf(words + strlen(words), "%s,%.2f\n", i % 2 ? "yes" : "no",
                i * 7 % 11 * .01);
    cli_write("yes.csv", words);
    RUNS(0, "cluster kmeans --k 2 yes.csv --preprocess none");
    SAYS("Group 0: much less often member=yes; group 1: much more often "
         "member=yes.");
    SAYS("The groups are the two values of member; --drop member looks beyond");
    RUNS(0, "cluster kmeans --k 2 yes.csv --preprocess none --drop member");
    strcpy(words, "kind\n");
    for (int i = 0; i < 60; i++)
        strcat(words, i % 3 == 0 ? "red\n" : i % 3 == 1 ? "blue\n" : "green\n");
    cli_write("kinds.csv", words);
    RUNS(0, "cluster kmeans --k 3 kinds.csv --onehot kind --preprocess none");
    SAYS("The groups are the values of kind; --drop kind looks beyond it.");
    PASS();
}

/* A ring around a heap: what it differs in is no mean. */
TEST groups_of_equal_means_are_not_called_average(void)
{
    char csv[4000] = "x,y\n";
    for (int i = 0; i < 120; i++)
        sprintf(csv + strlen(csv), "%.3f,%.3f\n",
                (i % 2 ? 0.2 : 2) * cos(i * 0.10471975512),
                (i % 2 ? 0.2 : 2) * sin(i * 0.10471975512));
    cli_write("rings.csv", csv);
    RUNS(0, "cluster rings.csv --k 2");
    SAYS("2 groups in rings. No column's mean tells them from one another. They "
         "lie clearly apart.");
    PASS();
}

/* What says where results go is no part of them. */
TEST two_runs_differ_in_seconds_only(void)
{
    static char first[CLI_TEXT], second[CLI_TEXT];
    RUNS(0, "cluster kmeans --k 2 b.csv --json one.json --out p --quiet");
    RUNS(0, "cluster kmeans --k 2 b.csv --json two.json");
    cli_read(cli_path("one.json"), first);
    cli_read(cli_path("two.json"), second);
    char *end = strstr(first, "\"seconds\""), *end2 = strstr(second, "\"sec");
    ASSERT(end != NULL && end2 != NULL);
    *end = *end2 = '\0';
    ASSERT_STR_EQ(first, second);
    PASS();
}

TEST unknown_words_are_answered_with_the_nearest(void)
{
    RUNS(2, "cluster kmean a.csv");
    ERR_HAS("unknown method kmean; did you mean kmeans?");
    RUNS(2, "cluster kmeans --restart 3 a.csv");
    ERR_HAS("unknown option --restart; did you mean --restarts?");
    RUNS(2, "cluster kmeans --completely-else 3 a.csv");
    ASSERT(strstr(cli_last()->err, "did you mean") == NULL);
    PASS();
}

/* Incomes deviate by thousands, ages by tens. */
TEST values_that_want_preprocessing_are_hinted_at(void)
{
    cli_write("scales.csv", "income,age\n10000,20\n90000,30\n20000,60\n");
    cli_write("counts.svm", "1 1:2 40:1\n1 2:1 39:3\n2 5:1\n2 7:2 38:1\n");
    RUNS(0, "cluster kmeans --k 2 scales.csv");
    /* Deviations sqrt(3.8e9 / 3) and sqrt(2600 / 9). */
    ERR_HAS("columns on different scales (the largest deviation is 2090 "
            "times the other one): z-scored; --preprocess none leaves them");
    cli_write("alike.csv", "u,v\n1,2\n3,1\n2,5\n");
    RUNS(0, "cluster ec --k 2 scales.csv alike.csv");
    SAYS("In 1 of 2 files every column counts alike (z-scores).");
    ERR_HAS("note: scales.csv: columns on different scales (the largest ");
    RUNS(0, "cluster ec scales.csv alike.csv --json -");
    ASSERT(json_is("options.preprocess", "\"auto\""));
    ASSERT(json_is("tasks.0.preprocess", "\"zscore\""));
    ASSERT(json_is("tasks.1.preprocess", "\"none\""));
    ASSERT(json_is("tasks.0.logs", "[]"));
    ASSERT(json_is("k_choice.scaled", "null"));
    ASSERT(json_is("k_choice.logs", "null"));
    cli_write("scales.svm", "1 1:10000 2:20\n1 1:90000 2:30\n2 1:20000 2:60\n");
    RUNS(0, "cluster kmeans --k 2 scales.svm");
    ASSERT_STR_EQ("", cli_last()->err);         /* prepared data */
    RUNS(0, "cluster kmeans --k 2 scales.csv --preprocess zscore");
    ASSERT_STR_EQ("", cli_last()->err);
    RUNS(0, "cluster kmeans --k 2 counts.svm");
    ERR_HAS("the values look like counts of words: --preprocess tfidf");
    PASS();
}

/* The columns of a source and of its target are not the same. */
TEST notices_name_the_file_where_features_are_apart(void)
{
    cli_write("from.csv", "income,age,when,label\n10000,20,2024-01-02,0\n"
              "90000,30,2024-02-03,1\n20000,60,2023-03-04,0\n");
    cli_write("other.csv", "income,age,when,label\n10000,20,2024-01-02,0\n"
              "80000,30,2024-02-03,1\n20000,60,2023-03-04,0\n");
    cli_write("to.csv", "w,h,since,label\n1,20,2024-01-02,0\n"
              "3,90000,2024-02-03,1\n2,60,2023-03-04,1\n");
    RUNS(0, "transfer trec --source from.csv other.csv --target to.csv");
    ERR_HAS("note: from.csv (and 1 more): columns on different scales");
    ERR_HAS("note: to.csv: columns on different scales");
    ERR_HAS("note: from.csv (and 1 more): column when has dates or times and");
    ERR_HAS("note: to.csv: column since has dates or times and is left out");
    cli_write("to.csv", "w,h,when,label\n1,20,2024-01-02,0\n"
              "3,90000,2024-02-03,1\n2,60,2023-03-04,1\n");
    RUNS(0, "transfer trec --source from.csv --target to.csv");
    PASS();
}

/* Two rings around one point: k-means cuts them across, the graph does not. */
TEST auto_says_where_its_two_answers_contradict_each_other(void)
{
    static char rings[CLI_TEXT];
    size_t at = 0;
    for (int i = 0; i < 160; i++) {
        double turn = 6.2831853 * (i / 2) / 80, far = i % 2 ? 4 : 1;
        at += (size_t)sprintf(rings + at, "%.6f,%.6f,%d\n", far * cos(turn),
                              far * sin(turn), i % 2);
    }
    cli_write("rings.csv", rings);
    RUNS(0, "cluster auto rings.csv --labels last --json -");
    ERR_HAS("rings: prototypes, graph and tree contradict one another; ");
    ERR_HAS("the answer is that of the graph; look at vote, ncut");
    JSON_NEAR("tasks.0.nmi", 1);
    ASSERT(json_is("auto.geometry", "\"distances\""));
    ASSERT(json_is("auto.tasks.0.kept", "\"graph\""));
    PASS();
}

/* Deviations about 1, 1 and 1000: the largest is above 10 of the middle one. */
TEST auto_says_that_columns_are_on_different_scales(void)
{
    static char table[CLI_TEXT];
    size_t at = 0;
    for (int i = 0; i < 60; i++)
        at += (size_t)sprintf(table + at, "%d,%d,%d\n", i % 3 + i % 5,
                              i % 4 + i % 7, 1000 * (i % 2) + i % 11);
    cli_write("far.csv", table);
    RUNS(0, "cluster auto far.csv --k 2");
    ERR_HAS("columns on different scales");
    RUNS(0, "cluster auto far.csv --k 2 --preprocess zscore");
    ASSERT(strstr(cli_last()->err, "different scales") == NULL);
    PASS();
}

TEST help_tells_of_methods_and_files(void)
{
    RUNS(0, "help mbc");
    OUT_HAS("Assumes related tasks that are small; k may differ.\n");
    OUT_HAS("Common options");
    RUNS(0, "help files");
    OUT_HAS("standard input, as CSV");
    RUNS(0, "help options");
    OUT_HAS("--preprocess auto|none|l2|tfidf|zscore\n");
    RUNS(0, "cluster kmeans -k 2 b.csv");
    RUNS(0, "cluster kmeans -k=2 b.csv");
    RUNS(2, "cluster kmeans -x 2 b.csv");
    ERR_HAS("options begin with two dashes (but -k)");
    PASS();
}

/* Times and numbers of accounts differ in their last digits only. */
TEST means_have_the_digits_that_tell_them_apart(void)
{
    if (sizeof(mtc_real) < sizeof(double))
        SKIPm("float has no such digits");
    cli_write("when.csv", "at,n\n1604941231,45001\n1604941233,45003\n"
              "1604971231,65001\n1604971233,65003\n");
    RUNS(0, "cluster kmeans --k 2 when.csv");
    OUT_HAS("at 1604941232 (1604956232)");
    OUT_HAS("n 45002 (55002)");
    OUT_HAS("at 1604971232 (1604956232)");
    cli_write("near.csv", "x\n1000000.001\n1000000.002\n1000000.005\n"
              "1000000.006\n");
    RUNS(0, "cluster kmeans --k 2 near.csv");
    OUT_HAS("x 1000000.0015 (1000000.0035)");
    PASS();
}

TEST rows_that_are_all_equal_contradict_nobody(void)
{
    cli_write("equal.csv", "5,5\n5,5\n5,5\n5,5\n5,5\n5,5\n5,5\n5,5\n");
    RUNS(0, "cluster auto --k 2 equal.csv");
    ASSERT(strstr(cli_last()->err, "contradict") == NULL);
    ERR_HAS("only 1 of 2 clusters is in use");
    PASS();
}

/* Three groups of five: spend 10 and visits 9; 90 and 1; 10 and 1. */
static void write_groups(const char *name, double shift)
{
    static const double middle[3][2] = {{10, 9}, {90, 1}, {10, 1}};
    FILE *f = fopen(cli_path(name), "w");
    fprintf(f, "nr,spend,visits\n");
    for (int i = 0; i < 15; i++)
        fprintf(f, "%d,%g,%g\n", 7 * i % 15,
                middle[i % 3][0] + shift + 0.5 * (i % 5),
                middle[i % 3][1] + 0.1 * (i % 5));
    fclose(f);
}

/* The number, whether groups match, what they are like, are they apart, where
 * their number came from, what became of the values. */
TEST the_answer_is_a_sentence(void)
{
    write_groups("north.csv", 0);
    write_groups("south.csv", 2);
    RUNS(0, "cluster lssmtc --k 3 north.csv south.csv");
    ASSERT(strstr(cli_last()->out, "3 groups, all in both files. Group 0: ") ==
           cli_last()->out);
    SAYS("much higher visits");
    SAYS("much higher spend");
    SAYS("They lie clearly");
    RUNS(0, "cluster kmeans --k 3 north.csv south.csv");
    ASSERT(strstr(cli_last()->out, "3 groups, all in both files.") ==
           cli_last()->out);
    SAYS("much higher spend");
    RUNS(0, "cluster smkc --k 3 north.csv south.csv");
    OUT_HAS("3 groups, all in both files. Group 0: ");
    RUNS(0, "cluster mbc --k 2,3 north.csv south.csv");
    OUT_HAS("2 groups, all in both files.");    /* those in use */
    RUNS(0, "cluster kmeans --k 3 north.csv --preprocess zscore");
    ASSERT(strstr(cli_last()->out, "3 groups in north. Group 0: ") ==
           cli_last()->out);
    OUT_HAS("(z-scores).\n");
    RUNS(0, "cluster kmeans north.csv");
    SAYS("number was chosen and is clear.");
    RUNS(0, "compare --k 3 north.csv south.csv");
    ASSERT(strstr(cli_last()->out, "Take ") == cli_last()->out ||
           strstr(cli_last()->out, "No answer") == cli_last()->out);
    PASS();
}

/* Numbers that the method keeps: those of the starts, which fit or do not. */
TEST numbers_of_a_method_are_held_against_the_data(void)
{
    static char same[31], next[31];
    for (int i = 0; i < 15; i++) {
        sprintf(same + 2 * i, "%d\n", i % 3);
        sprintf(next + 2 * i, "%d\n", (i + 1) % 3);
    }
    write_groups("north.csv", 0);
    write_groups("south.csv", 2);
    cli_write("same.labels", same);
    cli_write("next.labels", next);
    RUNS(0, "cluster kmeans --k 3 --init same.labels,same.labels north.csv "
            "south.csv --json -");
    OUT_HAS("\"sentence\": \"3 groups, all in both files. Group 0: ");
    JSON_NEAR("groups.1.clusters.south", 1);
    RUNS(0, "cluster kmeans --k 3 --init same.labels,next.labels north.csv "
            "south.csv --json -");
    OUT_HAS("\"sentence\": \"3 groups in each file; by their centers 0 of "
            "north is 1 of south, 1 of north is 2 of south, 2 of north is 0 of "
            "south. They lie clearly apart");
    ASSERT(strstr(cli_last()->out, "Group 0") == NULL);
    ASSERT(json_is("tasks.1.labels", "[1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, "
                                     "2, 0]"));
    JSON_NEAR("groups.1.clusters.north", 1);
    JSON_NEAR("groups.1.clusters.south", 2);
    ASSERT(json_number("correspondence.0.sure.0.1") > 0.5);
    ASSERT(json_number("correspondence.0.sure.0.0") < 0.5);
    PASS();
}

/* Visits of 9 are 8 above the rest, 2.1 deviations, in the one file that has
 * them; files without them say nothing of that group. */
TEST a_group_is_described_by_files_that_have_it(void)
{
    cli_write("all.csv", "spend,visits\n10,9\n90,1\n10,1\n11,9\n91,1\n11,1\n"
              "12,9\n92,1\n12,1\n");
    cli_write("some.csv", "spend,visits\n10,1\n90,1\n11,1\n91,1\n");
    RUNS(0, "cluster kmeans --pool --k 3 --preprocess zscore all.csv some.csv "
            "some.csv");
    OUT_HAS("3 groups: 1 and 2 are in all 3 files, 0 in all alone. ");
    SAYS("group 0, in all alone: much higher visits");
    PASS();
}

/* Labels set the number in each of several files. */
TEST classes_that_set_the_number_are_said(void)
{
    static char text[2000];
    size_t at = (size_t)sprintf(text, "x,y,kind\n");
    for (int i = 0; i < 60; i++)
        at += (size_t)sprintf(text + at, "%d,%d,%s\n", i % 4 + 50 * (i % 2),
                              i % 5, i % 2 ? "b" : "a");
    cli_write("one.csv", text);
    cli_write("two.csv", text);
    RUNS(0, "cluster kmeans one.csv --labels kind");
    SAYS("2 groups in one, as many as kind has classes (--k auto: their number "
         "is chosen).");
    RUNS(0, "cluster kmeans one.csv --labels kind --k auto");
    SAYS("2 groups in one. ");
    RUNS(0, "cluster kmeans one.csv two.csv --labels kind");
    SAYS("Each file has as many groups as classes");
    RUNS(0, "cluster kmeans one.csv --labels none --drop kind");
    ASSERT(strstr(cli_last()->out, "classes") == NULL);
    PASS();
}

/* Of many tasks the first, and --verbose all. */
TEST many_tasks_stay_readable(void)
{
    char args[1000] = "cluster kmeans --k 2", one[20];
    for (int t = 0; t < 20; t++) {
        sprintf(one, " t%02d.csv", t);
        strcat(args, one);
        write_groups(one + 1, 0);
    }
    RUNS(0, args);
    OUT_HAS("The first 5 of 20 tasks (--verbose: all):\n");
    OUT_HAS("\nt04: silhouette");
    ASSERT(strstr(cli_last()->out, "t05") == NULL);
    size_t lines = 0;
    for (const char *s = cli_last()->out; *s != '\0'; s++)
        lines += *s == '\n';
    ASSERT(lines < 42);
    strcat(args, " --verbose");
    RUNS(0, args);
    for (int t = 0; t < 20; t++) {
        sprintf(one, "\nt%02d: silhouette", t);
        OUT_HAS(one);
    }
    PASS();
}

/* What is not printed is in the JSON. */
TEST many_notices_are_cut_short(void)
{
    char args[500] = "cluster kmeans --k 1 --missing mean --json -", one[20];
    size_t printed = 0;
    for (int t = 0; t < 8; t++) {
        sprintf(one, " h%d.csv", t);
        strcat(args, one);
        cli_write(one + 1, "x,y\n1,4\n2,\n5,3\n");
    }
    RUNS(0, args);
    for (const char *s = cli_last()->err; (s = strstr(s, "missing")) != NULL;
         s++)
        printed++;
    ASSERT_EQ_FMT((size_t)5, printed, "%zu");
    ERR_HAS("h4.csv: 1 gap in y is filled with the column's mean (--missing drop "
            "leaves its row out)\nmtc: note: and ");
    ERR_HAS(" more: --verbose or --json FILE has all\n");
    ASSERT(json_is("notices.7.code", "\"missing\""));
    PASS();
}

/* Sparse rows that z-scores made dense are told of as they were read. */
TEST pooled_sparse_files_are_told_of_as_read(void)
{
    cli_write("p1.svm", "0 1:1.0 3:2\n0 1:1.2 3:2.5\n0 2:5 3:9\n"
              "0 2:5.5 3:9.5\n");
    cli_write("p2.svm", "0 1:1.1 3:2.2\n0 2:5.2 3:9.2\n");
    RUNS(0, "cluster kmeans --pool --preprocess zscore --k 2 p1.svm p2.svm");
    SAYS("Group 0: much higher column 2, much higher column 3; group 1: much "
         "lower column 2, much lower column 3.");
    PASS();
}

SUITE(cli_summary_suite)
{
    if (!cli_ready())
        return;
    RUN_TEST(there_is_room_for_files);
    SET_SETUP(cli_setup, NULL);
    RUN_TEST(clusters_have_size_share_silhouette_and_features);
    RUN_TEST(pooled_rows_have_one_silhouette);
    RUN_TEST(groups_are_not_told_in_the_same_words);
    RUN_TEST(features_that_do_not_differ_are_not_told);
    RUN_TEST(features_are_told_in_the_units_of_the_file);
    RUN_TEST(the_answer_is_a_sentence);
    RUN_TEST(numbers_of_a_method_are_held_against_the_data);
    RUN_TEST(a_group_is_described_by_files_that_have_it);
    RUN_TEST(classes_that_set_the_number_are_said);
    RUN_TEST(many_tasks_stay_readable);
    RUN_TEST(many_notices_are_cut_short);
    RUN_TEST(sparse_files_have_sizes_and_no_centers);
    RUN_TEST(values_that_are_not_stored_count_as_zero);
    RUN_TEST(empty_clusters_are_shown_as_such);
    RUN_TEST(clusters_that_take_turns_have_silhouettes);
    RUN_TEST(classes_are_shown_by_their_words);
    RUN_TEST(groups_are_counted_by_the_classes_of_the_file);
    RUN_TEST(json_has_errors_and_where_notices_belong);
    RUN_TEST(borders_of_groups_are_told_in_words);
    RUN_TEST(groups_that_are_values_of_columns_are_told);
    RUN_TEST(groups_of_equal_means_are_not_called_average);
    RUN_TEST(two_runs_differ_in_seconds_only);
    RUN_TEST(values_that_want_preprocessing_are_hinted_at);
    RUN_TEST(notices_name_the_file_where_features_are_apart);
    RUN_TEST(auto_says_where_its_two_answers_contradict_each_other);
    RUN_TEST(auto_says_that_columns_are_on_different_scales);
    RUN_TEST(help_tells_of_methods_and_files);
    RUN_TEST(unknown_words_are_answered_with_the_nearest);
    RUN_TEST(means_have_the_digits_that_tell_them_apart);
    RUN_TEST(rows_that_are_all_equal_contradict_nobody);
    RUN_TEST(pooled_sparse_files_are_told_of_as_read);
}
