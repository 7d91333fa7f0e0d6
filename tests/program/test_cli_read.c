/* SPDX-License-Identifier: MIT
 *
 * test_cli_read.c - files in: every dialect, every fault, preprocessing.
 */
#include "cli.h"

TEST preprocess_l2_gives_unit_rows(void)
{
    cli_write("rays.csv", "3,4\n6,8\n");
    RUNS(0, "cluster kmeans --k 1 --preprocess l2 rays.csv --json -");
    ASSERT_IN_RANGE(0.0, json_loss(), 1e-5);
    ASSERT(json_is("options.preprocess", "\"l2\""));
    PASS();
}

TEST preprocess_zscore_standardizes_over_all_tasks(void)
{
    cli_write("z1.csv", "1,7\n1,7\n");
    cli_write("z2.svm", "0 1:3 2:7\n0 1:3 2:7\n");
    /* Pooled, the first feature is 1 1 3 3 with deviation 1; the second is
     * constant.  So the tasks sit at -1 and 1. */
    RUNS(0, "cluster kmeans --k 1 --pool --preprocess zscore z1.csv z2.svm "
            "--json -");
    ASSERT_IN_RANGE(4.0, json_loss(), 1e-5);
    RUNS(0, "cluster kmeans --k 1 --preprocess zscore z1.csv z2.svm --json -");
    JSON_NEAR("objective.0.0", 0);
    PASS();
}

TEST preprocess_tfidf_drops_what_is_everywhere(void)
{
    /* Feature 1 is in both: weight ln(3/3).  What is left are two different
     * unit vectors, each at squared distance 1/2 from their mean. */
    cli_write("w.svm", "0 1:9 2:1\n0 1:7 3:5\n");
    RUNS(0, "cluster kmeans --k 1 --preprocess tfidf w.svm --json -");
    ASSERT_IN_RANGE(1.0, json_loss(), 1e-5);
    PASS();
}

TEST zscore_refuses_to_make_huge_data_dense(void)
{
    static char text[CLI_TEXT];
    text[0] = '\0';
    for (int i = 0; i < 800; i++)
        strcat(text, i == 0 ? "1 65536:1\n" : "1 1:1\n");
    cli_write("wide.svm", text);
    RUNS(1, "cluster kmeans --preprocess zscore wide.svm");
    ERR_HAS("wide.svm: --preprocess zscore would make 800 x 65536 sparse");
    PASS();
}

TEST huge_indices_cost_nothing(void)
{
    /* Only the four columns that occur are worked on, but d is what it is. */
    cli_write("huge.svm", "1 4294967295:2\n1 4000000000:1 4294967295:2\n"
                          "2 3:9\n2 3:9 7:1\n");
    RUNS(0, "cluster kmeans huge.svm a.csv --json -");
    JSON_NEAR("tasks.0.d", 4294967295.0);
    JSON_NEAR("tasks.1.d", 4294967295.0);
    JSON_NEAR("tasks.0.acc", 1);
    JSON_NEAR("tasks.1.acc", 1);
    RUNS(0, "cluster kmeans huge.svm --json -");
    ASSERT_IN_RANGE(1.0, json_loss(), 1e-5);
    RUNS(0, "relate huge.svm a.csv");
    RUNS(0, "cluster kmeans --preprocess tfidf huge.svm");
    RUNS(0, "cluster kmeans --pool huge.svm a.csv");
    static const char *const methods[] = {
        "auto", "vote", "pcakm", "ncut", "snmf", "asi", "lssmtc", "mbc",
        "mtcfir", "ec", "smbc", "smkc", "samtc", "mtctki", "dmtc"};
    char line[100];
    for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++) {
        snprintf(line, sizeof line, "cluster %s huge.svm huge.svm",
                 methods[m]);
        ASSERT_EQm(line, 0, cli(line));
    }
    OUT_HAS("column 4294967295");               /* as the file counts */
    static const char *const transfers[] = {
        "svm", "tsvm", "gfhf", "llgc", "lssttc", "trec", "nb", "cocc", "cdsc",
        "tritl", "latentmap"};
    for (size_t m = 0; m < sizeof transfers / sizeof transfers[0]; m++) {
        snprintf(line, sizeof line, "transfer %s --source huge.svm --target "
                 "huge.svm", transfers[m]);
        ASSERT_EQm(line, 0, cli(line));
    }
    RUNS(0, "transfer ttl --source huge.svm --bridge huge.svm --target "
         "huge.svm");
    PASS();
}

TEST csv_is_read_in_many_dialects(void)
{
    static const struct { const char *text, *args; } dialects[] = {
        {"0,0,5\n0,1,5\n10,0,7\n10,1,7\n", "--labels last"},
        {"x,y,label\r\n0,0,5\r\n0,1,5\r\n10,0,7\r\n10,1,7\r\n", ""},
        {"\xef\xbb\xbfx,y,label\n0,0,5\n0,1,5\n10,0,7\n10,1,7", ""},
        {"\xef\xbb\xbf" "0,0,5\n0,1,5\n10,0,7\n10,1,7", "--labels last"},
        {"x;CLASS;y\n0;5;0\n0;5;1\n10;7;0\n10;7;1\n", ""},
        {"x\ty\tLabel\n0\t0\t5\n0\t1\t5\n10\t0\t7\n10\t1\t7\n", ""},
        {"kind,x,y\n5,0,0\n5,0,1\n7,10,0\n7,10,1\n", "--labels kind"},
        {"kind,x,y\n5,0,0\n5,0,1\n7,10,0\n7,10,1\n", "--labels first"},
        {"a,0,0\na,0,1\nb,10,0\nb,10,1\n", "--labels first"},
        {"class,1,2\n5,0,0\n5,0,1\n7,10,0\n7,10,1\n", ""},
        {"1,kind,2\n0,5,0\n0,5,1\n10,7,0\n10,7,1\n", "--labels kind"},
        {"x,,label\n0,0,5\n0,1,5\n10,0,7\n10,1,7\n", ""},
        {"0,0,a\n0,1,a\n10,0,b\n10,1,b\n", "--labels last"},
        {"x,y,label\n0,0,a b\n0,1,a b\n10,0,\"b,c\"\n10,1,\"b,c\"\n", ""},
        {"\"x\",\"y\",\"label\"\n\"0\",0,\"5\"\n0,1,5\n10,0,7\n10,1,7\n", ""},
        {"x,y,label\n0,0,\"say \"\"a\"\"\"\n0,1,\"say \"\"a\"\"\"\n"
         "10,0,\"two\nlines\"\n10,1,\"two\nlines\"\n", ""},
        {"\n\nx , y , label\n 0 , 0 , 5\n\n0,1,5.0\n1e1,0,7\n+10,1.,7\n", ""},
        {"# label, \"but no header\n#\nx;y;label\n0;0;5\n  # a, b\n0;1;5\n"
         "10;0;7\n10;1;7\n# end", ""},
        {"# by hand\n# x, y, label\n0,0,5\n0,1,5\n10,0,7\n10,1,7\n", ""},
        {"\"#1\",0,0\n\"#1\",0,1\nb,10,0\nb,10,1\n", "--labels first"}
    };
    for (size_t i = 0; i < sizeof dialects / sizeof dialects[0]; i++) {
        char args[200];
        cli_write("d.csv", dialects[i].text);
        sprintf(args, "cluster kmeans d.csv --json - %s", dialects[i].args);
        ASSERT_EQ_FMTm(dialects[i].text, 0, cli(args), "%d");
        JSON_NEAR("tasks.0.n", 4);
        JSON_NEAR("tasks.0.d", 2);
        JSON_NEAR("tasks.0.k", 2);
        ASSERT_EQ_FMTm(dialects[i].text, 1.0, json_number("tasks.0.acc"),
                       "%g");
    }
    PASS();
}

TEST libsvm_is_read_in_many_dialects(void)
{
    static const char *const dialects[] = {
        "5 3:0\n5 2:1\n7 1:10\n7 1:10 2:1\n",
        "5 3:0\r\n5 2:1\r\n7 1:10\r\n7 1:10 2:1\r\n",
        "# two groups\n\n+5 3:0 # origin\n5.0 2:1\n\n7 1:10\n7 1:1e1 2:1",
        "  5\t3:0\n5   2:1  \n7 1:10\n7 1:10\t2:1\n",
        "-1 3:0\n-1 2:1\n+1 1:10\n+1 1:10 2:+1.0\n"};
    static const char *const endings[] = {"d.svm", "d.libsvm", "d.txt",
                                          "d.SVM"};
    for (size_t i = 0; i < sizeof dialects / sizeof dialects[0]; i++)
        for (size_t e = 0; e < 4; e++) {
            char args[200];
            cli_write(endings[e], dialects[i]);
            sprintf(args, "cluster kmeans %s --json -", endings[e]);
            ASSERT_EQ_FMTm(dialects[i], 0, cli(args), "%d");
            JSON_NEAR("tasks.0.n", 4);
            JSON_NEAR("tasks.0.d", 3);
            JSON_NEAR("tasks.0.k", 2);
            ASSERT_EQ_FMTm(dialects[i], 1.0, json_number("tasks.0.acc"),
                           "%g");
        }
    PASS();
}

TEST lines_may_be_of_any_length(void)
{
    static char text[CLI_TEXT];
    size_t n = 0;
    for (int row = 0; row < 2; row++) {
        n += (size_t)sprintf(text + n, "%d", row);
        for (int j = 1; j <= 9000; j++)
            n += (size_t)sprintf(text + n, " %d:%d", j, row + 1);
        n += (size_t)sprintf(text + n, "\n");
    }
    cli_write("long.svm", text);
    RUNS(0, "cluster kmeans long.svm --json -");
    JSON_NEAR("tasks.0.d", 9000);
    PASS();
}

TEST data_without_a_single_value_is_data(void)
{
    cli_write("zero.svm", "1 3:0\n1 2:0\n");
    cli_write("zeros.svm", "1 4000000000:0\n1 2:0\n");
    RUNS(0, "cluster kmeans zero.svm zeros.svm --json -");
    JSON_NEAR("tasks.0.k_effective", 1);
    JSON_NEAR("objective.0.0", 0);
    RUNS(0, "cluster kmeans zero.svm --preprocess tfidf --svg p.svg");
    RUNS(0, "cluster pcakm zero.svm");
    RUNS(0, "cluster ncut zero.svm");
    RUNS(0, "cluster snmf zero.svm");
    PASS();
}

TEST tasks_of_one_run_share_the_feature_space(void)
{
    cli_write("wide.svm", "1 5:1\n2 1:1\n");
    RUNS(0, "cluster kmeans a.csv wide.svm --json -");
    JSON_NEAR("tasks.0.d", 5);
    JSON_NEAR("tasks.1.d", 5);
    JSON_NEAR("tasks.0.acc", 1);
    PASS();
}

TEST bad_data_is_named_by_file_and_line(void)
{
    static const struct { const char *file, *text, *message; } bad[] = {
        {"e.svm", "1 1:1\n1:1 2:1\n", "e.svm:2: no label before '1:1'"},
        {"e.svm", "1 1:1\n\n2 0:1\n", "e.svm:3: '0:1' is not index:value"},
        {"e.svm", "1 2:1 1:1\n", "e.svm:1: '1:1' is not index:value with an index above 2 "},
        {"e.svm", "1 2:1 2:1\n", "e.svm:1: '2:1' is not index:value with an index above 2 "},
        {"e.svm", "1 1:nan\n", "e.svm:1: value 'nan' of index 1 is not a "
                               "number"},
        {"e.svm", "1 1:-inf\n", "is not a number"},
        {"e.svm", "1 1:1e999\n", "is too large"},
        {"e.svm", "1 1:1x\n", "e.svm:1: value '1x' of index 1 is not a "
                              "number"},
        {"e.svm", "1 1:0x10\n", "is not a number"},
        {"e.svm", "1 1:\n", "is not a number"},
        {"e.svm", "1 1\n", "e.svm:1: '1' is not index:value"},
        {"e.svm", "1 a:1\n", "e.svm:1: 'a:1' is not index:value"},
        {"e.svm", "1 -1:1\n", "is not index:value"},
        {"e.svm", "1 4294967296:1\n", "is not index:value"},
        {"e.svm", "1 99999999999999999999999:1\n", "is not index:value"},
        {"e.svm", "1.5 1:1\n", "e.svm:1: label '1.5' is not a whole number"},
        {"e.svm", "x 1:1\n", "e.svm:1: label 'x' is not a number"},
        {"e.svm", "3000000000 1:1\n", "is not a whole number that fits"},
        {"e.svm", "", "e.svm:1: no samples"},
        {"e.svm", "# nothing\n\n", "e.svm:1: no samples"},
        {"e.svm", "1\n2\n", "e.svm:1: no features"},
        {"e.csv", "1,2\n3\n", "e.csv:2: 1 field, but 2 before"},
        {"e.csv", "a,b\n1,2\n1,2,3\n", "e.csv:3: 3 fields, but 2 before"},
        {"e.csv", "1,2\n1,x\n", "e.csv:2: column 2, 'x', is not a number"},
        {"e.csv", "1,2\n1,\n", "e.csv:2: column 2 is empty (1 of 2, 50 %)\n  "
                              "try: "},
        {"e.csv", "1,x\n1,2\n", "e.csv:1: column 2, 'x', is not a number"},
        {"e.csv", "1,nan\n1,2\n", "e.csv:1: column 2, 'nan', is "
                                  "missing (1 of 2, 50 %)\n"},
        {"e.csv", "1,2\n1,Inf\n", "e.csv:2: column 2, 'Inf', is not a "
                                  "finite"},
        {"e.csv", "a,b\n1,5%\n2,1e999%\n", "e.csv:3: column 2 (b), '1e999%', is "
                                         "too large"},
        {"e.csv", "1,2\n1,2 3\n", "e.csv:2: column 2, '2 3', is not a number"},
        {"e.csv", "1 2\n3 4\n", "e.csv: no features: no column is left\n"},
        {"e.csv", "a,b\n", "e.csv:1: no samples"},
        {"e.csv", "", "e.csv:1: no samples"},
        {"e.csv", "# of\n# comments", "e.csv:1: no samples"},
        {"e.csv", "x,y\n1,\"2\n", "e.csv:2: a quote is not closed"},
        {"e.csv", "x,y\n1,\"2\"3\n", "e.csv:2: text after a closing quote"},
        {"e.csv", "x,label\n1,\"a\nb\"\n1\n", "e.csv:4: 1 field"},
        {"e.dat", "1 1:1\n", "e.dat: unknown kind of file; known are .svm"}
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char args[200];
        cli_write(bad[i].file, bad[i].text);
        sprintf(args, "cluster kmeans --k 1 %s", bad[i].file);
        ASSERT_EQ_FMTm(bad[i].text, 1, cli(args), "%d");
        ASSERT(strncmp(cli_last()->err, "mtc: ", 5) == 0);
        ERR_HAS(bad[i].message);
        ASSERT_STR_EQ("", cli_last()->out);
    }
    PASS();
}

TEST files_that_cannot_be_read_are_bad_data(void)
{
    cli_write_bytes("nul.csv", "1,2\n1,\0" "2\n", 9);
    RUNS(1, "cluster kmeans --k 1 nul.csv");
    ERR_HAS("nul.csv:2: a NUL byte");
    RUNS(1, "cluster kmeans --k 1 missing.csv");
    ERR_HAS("mtc: missing.csv: ");
    RUNS(1, "cluster kmeans a.csv --labels color");
    ERR_HAS("a.csv:1: no column is named color");
    RUNS(0, "generate blobs --out dir.csv");
    RUNS(1, "cluster kmeans --k 1 dir.csv");
    ERR_HAS("mtc: dir.csv: no word is left");
    RUNS(1, "cluster kmeans a.csv --json no/such/place.json");
    ERR_HAS("no/such/place.json: ");
    RUNS(1, "cluster kmeans a.csv --out a.csv/below");
    PASS();
}

TEST labels_are_words_or_numbers_but_not_both(void)
{
    cli_write("word.csv", "x,label\n0,cat\n1,dog\n");
    cli_write("whole.csv", "x,label\n0,1\n1,2\n");
    RUNS(1, "cluster kmeans word.csv whole.csv");
    ERR_HAS("word.csv: labels are words, but in whole.csv they are numbers");
    /* A header of numbers is not taken for a sample of a class `y`. */
    cli_write("head.csv", "\n0,1,y\n1,2,3\n4,5,6\n");
    RUNS(0, "cluster kmeans head.csv --labels last --json -");
    JSON_NEAR("tasks.0.n", 2);
    RUNS(0, "cluster kmeans head.csv --labels y --json -");
    JSON_NEAR("tasks.0.n", 2);
    PASS();
}

TEST directories_are_no_data(void)
{
    cli_shell("mkdir -p folder.svm folder.csv folder.labels");
    RUNS(1, "cluster kmeans --k 1 folder.svm");
    ERR_HAS("mtc: folder.svm: ");
    RUNS(1, "emd folder.csv");
    ERR_HAS("mtc: folder.csv: ");
    RUNS(1, "score folder.labels good.txt");
    ERR_HAS("mtc: folder.labels: ");
    PASS();
}

TEST label_files_are_read_in_many_dialects(void)
{
    static const char *const dialects[] = {
        "0\n0\n1\n1\n", "0\r\n0\r\n1\r\n1\r\n", "0\n0\n1\n1",
        ("\xef\xbb\xbf" "0\n0\n1\n1\n"), "# found\n0\n\n0 # here\n1\n 1 \n",
        "0.0\n+0\n1e0\n1.\n"};
    for (size_t i = 0; i < sizeof dialects / sizeof dialects[0]; i++) {
        cli_write("d.labels", dialects[i]);
        ASSERT_EQ_FMTm(dialects[i], 0, cli("score d.labels a.csv --json -"),
                       "%d");
        JSON_NEAR("acc", 1);
    }
    PASS();
}

TEST classes_may_have_thousands_of_names(void)
{
    static char text[CLI_TEXT];
    size_t n = (size_t)sprintf(text, "x,label\n");
    for (int i = 0; i < 12000; i++)
        n += (size_t)sprintf(text + n, "%d,name%d\n", i % 2, i % 6000);
    cli_write("names.csv", text);
    /* Numbers go by appearance, whatever the name. */
    n = 0;
    for (int i = 0; i < 12000; i++)
        n += (size_t)sprintf(text + n, "%d\n", i % 6000);
    cli_write("names.labels", text);
    RUNS(0, "score names.labels names.csv --json -");
    JSON_NEAR("ari", 1);
    PASS();
}

/* A command that is proposed has to work, or there is none. */
TEST proposals_suit_all_files(void)
{
    cli_write("s.csv", "len,wid,kind\n1.5,2,a\n2.5,3,b\n1,2.5,a\n");
    cli_write("t.csv", "len,wid\n1.5,2\n2.5,3\n");
    cli_write("n.csv", "name,len,wid\np1,1.5,2\np2,2.5,3\np3,2,9\n");
    RUNS(0, "transfer svm --source s.csv --target t.csv");
    ERR_HAS("s.csv: kind has the classes (--labels names another column)\n");
    RUNS(1, "transfer svm --source t.csv --target t.csv");
    ERR_HAS("a source needs labels; --labels says which column has them\n");
    cli_write("s.csv", "len,wid,kind,sort\n1.5,2,a,u\n2.5,3,b,v\n1,2.5,a,u\n");
    RUNS(1, "transfer svm --source s.csv --target t.csv");
    ERR_HAS("s.csv: a source needs labels: columns kind and sort may have them\n"
            "  try: mtc transfer svm --source s.csv --target t.csv --labels "
            "kind");
    RUNS(0, "cluster kmeans --k 2 n.csv t.csv");
    RUNS(0, "cluster kmeans --k 2 n.csv");
    ERR_HAS("n.csv: name has the names of the rows\n");
    cli_write("n.csv", "order status,x\nin,1.5\nout,3\nin,9\nin,1\n"
              "out,2\nout,7\nin,4\nin,3\n");
    RUNS(0, "cluster kmeans --k 2 n.csv");
    ERR_HAS("(--onehot 'order status' makes features of them, ");
    cli_write("n.csv", "\"t, s\",\"a\nb,c\",y\n2,3,4\n3,3,9\n5,5,7\n6,2,4\n"
              "7,9,8\n8,1,2\n9,9,1\n");
    RUNS(0, "cluster kmeans --k 2 n.csv");
    ERR_HAS("--drop 't\\, s' leaves it out");
    RUNS(0, "cluster kmeans --k 2 n.csv --drop 't\\, s' --json -");
    JSON_NEAR("tasks.0.d", 2);
    PASS();
}

SUITE(cli_read_suite)
{
    if (!cli_ready())
        return;
    RUN_TEST(there_is_room_for_files);
    SET_SETUP(cli_setup, NULL);
    RUN_TEST(preprocess_l2_gives_unit_rows);
    RUN_TEST(preprocess_zscore_standardizes_over_all_tasks);
    RUN_TEST(preprocess_tfidf_drops_what_is_everywhere);
    RUN_TEST(zscore_refuses_to_make_huge_data_dense);
    RUN_TEST(huge_indices_cost_nothing);
    RUN_TEST(csv_is_read_in_many_dialects);
    RUN_TEST(libsvm_is_read_in_many_dialects);
    RUN_TEST(lines_may_be_of_any_length);
    RUN_TEST(data_without_a_single_value_is_data);
    RUN_TEST(tasks_of_one_run_share_the_feature_space);
    RUN_TEST(bad_data_is_named_by_file_and_line);
    RUN_TEST(files_that_cannot_be_read_are_bad_data);
    RUN_TEST(labels_are_words_or_numbers_but_not_both);
    RUN_TEST(directories_are_no_data);
    RUN_TEST(label_files_are_read_in_many_dialects);
    RUN_TEST(classes_may_have_thousands_of_names);
    RUN_TEST(proposals_suit_all_files);
}
