/* SPDX-License-Identifier: MIT
 *
 * The first command on tables as people have them: what is decided, and said.
 */
#include "cli.h"

/* `group` of row i in three groups far apart. */
static double at(int i)
{
    return 20 * (i % 3) + (i * 7 % 5) / 10.0;
}

/* n rows of two features in three groups; `more` writes the other columns. */
static void write_first(const char *name, const char *header, int n,
                        const char *(*more)(int i))
{
    static char text[CLI_TEXT];
    char *s = text + sprintf(text, "a,b%s\n", header);
    for (int i = 0; i < n; i++)
        s += sprintf(s, "%g,%g%s\n", at(i), at(i + 1), more(i));
    cli_write(name, text);
}

static const char *words_of(int i)
{
    static const char *const of[] = {",setosa", ",versicolor", ",virginica"};
    return of[i % 3];
}

static const char *none_of(int i)
{
    (void)i;
    return "";
}

static const char *names_of(int i)
{
    static char text[60];
    sprintf(text, ",row %c%d,%s", 'a' + i % 7, i, i % 2 ? "yes" : "No");
    return text;
}

TEST a_file_alone_is_a_command(void)
{
    write_first("f.csv", "", 60, none_of);
    RUNS(0, "f.csv --json -");
    JSON_NEAR("tasks.0.k", 3);
    ASSERT(json_is("method", "\"auto\""));
    RUNS(0, "cluster f.csv --json -");
    ASSERT(json_is("method", "\"auto\""));
    RUNS(0, "cluster --k 2 f.csv --json -");
    JSON_NEAR("tasks.0.k", 2);
    RUNS(2, "nothing-of-this-name");
    ERR_HAS("unknown command nothing-of-this-name");
    RUNS(1, "nothing.csv");
    ERR_HAS("nothing.csv: No such file");
    PASS();
}

/* The numbers beside the words stay: means by hand. */
TEST words_become_features_beside_the_numbers(void)
{
    cli_write("hot.csv", "x,c,y\n1,a,4\n2,b,6\n3,a,8\n6,c,2\n");
    RUNS(0, "cluster kmeans --k 1 --onehot c --preprocess none hot.csv "
            "--json -");
    ASSERT(json_is("tasks.0.centers", "[[3, 0.5, 0.25, 0.25, 5]]"));
    PASS();
}

TEST words_are_left_out_and_said(void)
{
    write_first("f.csv", ",species", 60, words_of);
    RUNS(0, "f.csv --json -");
    JSON_NEAR("tasks.0.d", 2);
    JSON_NEAR("tasks.0.k", 3);
    ERR_HAS("note: f.csv: species: 3 different words, left out (--onehot species "
            "makes features of them, --labels species compares them with the "
            "groups)\n");
    ASSERT(json_is("notices.0.code", "\"words\""));
    RUNS(1, "f.csv --strict");
    ERR_HAS("species: 3 different words, left out");
    RUNS(0, "f.csv --drop species --strict");
    RUNS(0, "f.csv --labels species --json -");
    JSON_NEAR("tasks.0.acc", 1);
    /* a number in each fifth cell: words all the same */
    cli_write("m.csv", "x,y\n1,u\n2,v\n9,4\n8,u\n7,v\n");
    RUNS(0, "cluster kmeans --k 1 m.csv --json -");
    JSON_NEAR("tasks.0.d", 1);
    PASS();
}

TEST names_and_pairs_are_found(void)
{
    static char text[CLI_TEXT];
    write_first("f.csv", ",who,member", 60, names_of);
    RUNS(0, "f.csv --k 3 --json - --out o");
    ERR_HAS("note: f.csv: who has the names of the rows\n");
    ERR_HAS("note: f.csv: member: yes is 1, no is 0\n");
    JSON_NEAR("tasks.0.d", 3);
    cli_read(cli_path("o/f.csv"), text);
    ASSERT(strncmp(text, "who,cluster\n\"row a0\",", 21) == 0);
    RUNS(0, "cluster kmeans f.csv --use member --k 1 --preprocess none --json -");
    ASSERT_STR_EQ("0.5", means_read());
    RUNS(0, "cluster kmeans f.csv --k 3 --save m.json --quiet");
    ASSERT(strstr(cli_read(cli_path("m.json"), text), "\"member=yes\"") != NULL);
    RUNS(0, "assign m.json f.csv --json -");
    ASSERT(json_at(cli_last()->out, "tasks.0.labels.59") != NULL);
    cli_write("p.csv", "x,sex\n1,m\n3,f\n5,m\n9,m\n");
    RUNS(0, "cluster kmeans p.csv --k 1 --preprocess none --json -");
    ASSERT_STR_EQ("4.5 0.75", means_read());
    cli_write("p.csv", "x,sex\n1,m\n3,f\n5,m\n9,x\n");   /* three words */
    RUNS(0, "cluster kmeans p.csv --k 1 --preprocess none --json -");
    ASSERT_STR_EQ("4.5", means_read());
    PASS();
}

static const char *pair_in_one(int i)
{
    return i % 2 ? ",yes" : ",no";
}

static const char *always_yes(int i)
{
    (void)i;
    return ",yes";
}

TEST columns_are_judged_over_all_files(void)
{
    write_first("one.csv", ",member", 12, pair_in_one);
    write_first("all.csv", ",member", 12, always_yes);
    RUNS(0, "cluster kmeans --k 1 --preprocess none one.csv all.csv --json -");
    ERR_HAS("note: one.csv (and 1 more): member: yes is 1, no is 0\n");
    JSON_NEAR("tasks.0.centers.0.2", .5);
    JSON_NEAR("tasks.1.centers.0.2", 1);
    PASS();
}

static const char *few_gaps(int i)
{
    return i == 7 ? ",k.A." : i == 9 ? "," : i % 3 == 0 ? ",2" : ",5";
}

static const char *more_gaps(int i)
{
    return i % 6 == 0 ? ",ERR" : i % 3 == 1 ? ",5" : ",2";
}

static const char *mostly_gaps(int i)
{
    return i % 3 ? ",," : i % 5 == 0 ? ",,1" : ",4,2";
}

TEST few_gaps_are_filled_and_more_refused(void)
{
    write_first("f.csv", ",c", 60, few_gaps);
    RUNS(0, "cluster kmeans f.csv --k 1 --preprocess none --json -");
    ERR_HAS("note: f.csv: c: 'k.A.' in 1 row is taken for missing\n");
    ERR_HAS("note: f.csv: 2 gaps in c are filled with the column's mean "
            "(--missing drop leaves their rows out)\n");
    /* of 58 rows 19 have 2 (row 9 has none), 39 have 5 (row 7 has none) */
    JSON_NEAR("tasks.0.centers.0.2", (19 * 2 + 39 * 5) / 58.0);
    RUNS(0, "f.csv --k 1 --missing drop --json -");
    ASSERT(json_is("tasks.0.labels.7", "-1"));
    ASSERT(json_is("tasks.0.labels.9", "-1"));
    RUNS(1, "f.csv --missing fail");
    RUNS(1, "f.csv --strict");
    write_first("g.csv", ",c", 60, more_gaps);
    RUNS(1, "g.csv");
    ERR_HAS("mtc: g.csv:2: column 3 (c), 'ERR', is not a number (10 of 60 are "
            "none)\n  try: mtc g.csv --missing-word ERR --missing mean\n");
    RUNS(0, "g.csv --missing-word ERR --missing mean");
    RUNS(0, "g.csv --missing-word ERR,40.1 --missing drop --k 1 --json -");
    ASSERT(json_is("tasks.0.labels.0", "-1"));
    ASSERT(json_is("tasks.0.labels.3", "0"));
    write_first("h.csv", ",c,d", 60, mostly_gaps);
    RUNS(1, "h.csv");
    ERR_HAS("column 3 (c) is empty (44 of 60, 73 %)\n");
    ERR_HAS("try: mtc h.csv --drop c,d\n");     /* more than half empty */
    RUNS(0, "h.csv --drop c,d");
    PASS();
}

TEST a_refusal_has_twelve_lines_and_works(void)
{
    static char text[CLI_TEXT];
    char line[CLI_PATH];
    char *s = text;
    for (int j = 0; j < 40; j++)
        s += sprintf(s, "c%d%c", j, j < 39 ? ',' : '\n');
    for (int i = 0; i < 20; i++)
        for (int j = 0; j < 40; j++)
            s += sprintf(s, "%s%c", i % 4 == 0 && j > 1 ? "" : i % 2 ? "1" : "7",
                         j < 39 ? ',' : '\n');
    cli_write("w.csv", text);
    RUNS(1, "w.csv");
    size_t lines = 0;
    for (s = cli_last()->err; *s != '\0'; s++)
        lines += *s == '\n';
    ASSERT(lines <= 12);
    ERR_HAS("\n  and 30 more\n");
    const char *command = strstr(cli_last()->err, "  try: mtc ");
    ASSERT(command != NULL);
    sprintf(line, "%.*s", (int)strcspn(command + 11, "\n"), command + 11);
    RUNS(0, line);
    /* Nothing helps: a number beyond all rules, in the only column. */
    cli_write("i.csv", "x\n1\ninf\n");
    RUNS(1, "i.csv");
    ASSERT(strstr(cli_last()->err, "try:") == NULL);
    /* What helps comes in two steps, of which each is tried. */
    cli_write("j1.csv", "x,y\n1,\n3,4\n");
    cli_write("j2.csv", "x,y,z\n1,2,3\n4,5,7\n");
    RUNS(1, "cluster kmeans --k 1 j1.csv j2.csv");
    ERR_HAS("try: mtc cluster kmeans --k 1 j1.csv j2.csv --missing mean --match "
            "common\n");
    PASS();
}

static const char *regions(int i)
{
    static const char *const of[] = {",north", ",south", ",west"};
    return of[i / 20];
}

TEST a_table_is_split_by_a_column(void)
{
    write_first("f.csv", ",region", 60, regions);
    RUNS(0, "cluster f.csv --split region --k 3 --out o --json -");
    ASSERT(json_is("tasks.0.name", "\"north\""));
    ASSERT(json_is("tasks.2.name", "\"west\""));
    JSON_NEAR("tasks.1.n", 20);
    JSON_NEAR("tasks.1.d", 2);
    static char text[CLI_TEXT];
    ASSERT(strncmp(cli_read(cli_path("o/south.csv"), text), "row,cluster\n20,",
                   15) == 0);
    RUNS(0, "cluster f.csv --split region --k 3");
    SAYS("3 groups, all in all 3 parts.");
    RUNS(0, "relate f.csv --split region --k 3");
    cli_write("s.csv", "x,at\n1,u\n2,u\n3,v\n");
    RUNS(1, "cluster kmeans --k 1 s.csv --split at");
    ERR_HAS("only 1 row has 'v'; a task needs 2 at least");
    RUNS(1, "cluster kmeans --k 1 s.csv --split an");
    ERR_HAS("no column is named an (--split)");
    cli_write("s.csv", "x,at\n1,u\n2,u\n3,u\n");
    RUNS(1, "cluster kmeans --k 1 s.csv --split at");
    ERR_HAS("has 1 different value, but 2 to 100 are wanted");
    PASS();
}

static const char *classes_of(int i)
{
    static char text[40];
    sprintf(text, ",%d", i % 3);
    return text;
}

static const char *prices_of(int i)
{
    static char text[40];
    sprintf(text, ",%g", i * 1.25);
    return text;
}

static const char *many_of(int i)
{
    static char text[40];
    sprintf(text, ",%d", i * 37 % 61);
    return text;
}

TEST labels_set_the_number_of_groups_and_that_is_said(void)
{
    write_first("f.csv", ",Class", 60, classes_of);
    RUNS(0, "f.csv --json -");
    JSON_NEAR("tasks.0.k", 3);
    JSON_NEAR("tasks.0.acc", 1);
    ERR_HAS("note: f.csv: Class is taken for labels: 3 classes set the number "
            "of groups (--k auto: they do not)\n");
    RUNS(0, "f.csv --k 2 --json -");
    ERR_HAS("Class is taken for labels: 3 classes, and is no feature");
    RUNS(1, "f.csv --strict");
    RUNS(0, "f.csv --labels Class --strict");
    write_first("f.csv", ",target", 60, prices_of);     /* fractions */
    RUNS(0, "f.csv --k 2 --json -");
    JSON_NEAR("tasks.0.d", 3);
    write_first("f.csv", ",target", 60, many_of);       /* 60 of 60 rows */
    RUNS(0, "f.csv --k 2 --json -");
    JSON_NEAR("tasks.0.d", 3);
    PASS();
}

static const char *texts_of(int i)
{
    static char text[80];
    sprintf(text, ",the note of row %d is long", i);
    return text;
}

TEST texts_are_left_out_beside_numbers(void)
{
    write_first("f.csv", ",body", 60, texts_of);
    RUNS(0, "f.csv --k 3 --json -");
    JSON_NEAR("tasks.0.d", 2);
    ERR_HAS("note: f.csv: body has texts: left out (--text body clusters by "
            "them)\n");
    PASS();
}

TEST empty_columns_and_cells_of_sheets_are_read(void)
{
    cli_write("e.csv", "x,,note\n1,,\n3,,\n8,,\n");
    RUNS(0, "cluster kmeans --k 1 e.csv --json -");
    ERR_HAS("note: e.csv: columns 2 and note are empty: left out\n");
    JSON_NEAR("tasks.0.d", 1);
    cli_write("e.csv", "x,y\n1,\" $1,007.10 \"\n2,\" $-   \"\n3,\" $(7.10)\"\n");
    RUNS(0, "cluster kmeans --k 1 e.csv --preprocess none --json -");
    JSON_NEAR("tasks.0.centers.0.0", 1000 / 3.0);
    cli_write("e.csv", "x,y\n1,\" 12.5 \"\n2,\"  3\"\n");
    RUNS(0, "cluster kmeans --k 1 e.csv --preprocess none --json -");
    JSON_NEAR("tasks.0.centers.0.1", 7.75);
    cli_write("e.csv", "x,y\n1,7.0cm\n2,8.5cm\n");
    RUNS(0, "cluster kmeans --k 1 e.csv --preprocess none --json -");
    JSON_NEAR("tasks.0.centers.0.1", 7.75);
    PASS();
}

TEST use_may_keep_one_column_beside_all_others(void)
{
    cli_write("k.csv", "customer_id,x,y\n17,1,5\n12,4,5\n15,7,5\n");
    RUNS(0, "cluster kmeans --k 1 k.csv --json -");
    JSON_NEAR("tasks.0.d", 1);
    ERR_HAS("column customer_id only numbers the samples and is left out; --use "
            "+customer_id keeps it\n");
    RUNS(0, "cluster kmeans --k 1 k.csv --use +customer_id --json -");
    JSON_NEAR("tasks.0.d", 2);
    RUNS(0, "cluster kmeans --k 1 k.csv --use +customer_id,+y --json -");
    JSON_NEAR("tasks.0.d", 3);
    PASS();
}

/* ---- clocks, counters, years, postal codes, codes for missing ---- */

static const char *clock_of(int i)
{
    static char text[60];
    sprintf(text, ",%d", 1760000000 + 60 * i);
    return text;
}

static const char *counter_of(int i)
{
    static char text[60];
    sprintf(text, ",%d", 60 - i);
    return text;
}

static const char *year_of(int i)
{
    static char text[60];
    sprintf(text, ",%d,%d", 1990 + i % 7, 20000 + i * 7919 % 70000);
    return text;
}

static const char *heights_of(int i)
{
    static char text[60];
    sprintf(text, ",%g", 150 + i * .7 + (i % 4) * .1);
    return text;
}

TEST clocks_and_counters_are_no_features(void)
{
    write_first("f.csv", ",stamp", 60, clock_of);
    RUNS(0, "f.csv --json -");
    ERR_HAS("note: f.csv: column stamp is a clock and is left out; --use +stamp "
            "keeps it\n");
    JSON_NEAR("tasks.0.d", 2);
    write_first("f.csv", ",t", 60, counter_of);     /* 60 down to 1 */
    RUNS(0, "f.csv --json -");
    ERR_HAS("column t counts the rows and is left out");
    JSON_NEAR("tasks.0.d", 2);
    write_first("f.csv", ",year,plz", 60, year_of);
    RUNS(0, "f.csv --json -");
    ERR_HAS("column year has years and stays a feature; --drop year leaves it ");
    ERR_HAS("column plz has postal codes, whose size means nothing, and stays a ");
    JSON_NEAR("tasks.0.d", 4);
    write_first("f.csv", ",height", 60, heights_of);    /* sorted by it */
    RUNS(0, "f.csv --json -");
    JSON_NEAR("tasks.0.d", 3);
    PASS();
}

static const char *code_of(int i)
{
    static char text[60];
    sprintf(text, ",%g", i % 20 == 3 ? 99999.0 : 6.0 + i * 7 % 52);
    return text;
}

static const char *minus_of(int i)
{
    static char text[60];
    sprintf(text, ",%d", i % 20 == 3 ? -1 : 30 + i * 13 % 30);
    return text;
}

TEST codes_for_missing_are_told(void)
{
    write_first("f.csv", ",c", 120, code_of);
    RUNS(0, "f.csv --json -");
    ERR_HAS("warning: f.csv: column c has 99999 in 6 rows, the others lie "
            "between 6 and 57: a code for missing? --missing-word 99999 "
            "--missing mean treats it so\n");
    JSON_NEAR("tasks.0.d", 3);
    RUNS(0, "f.csv --missing-word 99999 --missing mean");
    ASSERT(strstr(cli_last()->err, "a code for missing") == NULL);
    write_first("f.csv", ",c", 120, minus_of);
    RUNS(0, "f.csv");
    ERR_HAS("column c has -1 in 6 rows");
    write_first("f.csv", ",c", 60, heights_of);
    RUNS(0, "f.csv");
    ASSERT(strstr(cli_last()->err, "a code for missing") == NULL);
    PASS();
}

TEST a_model_knows_rows_as_its_files_had_them(void)
{
    write_first("f.csv", ",who,member", 60, names_of);
    RUNS(0, "cluster kmeans f.csv --k 3 --save m.json --quiet");
    cli_write("new.csv", "who,member,b,a\nx,yes,20.1,0.2\ny,,0.3,40\n"
              "z,no,40.1,\n");
    RUNS(0, "assign m.json new.csv --json -");
    ASSERT(json_at(cli_last()->out, "tasks.0.labels.2") != NULL);
    ERR_HAS("missing values are the means of the training data");
    write_first("f.csv", ",Class", 60, classes_of);
    RUNS(0, "f.csv --save m.json --quiet");
    RUNS(0, "assign m.json f.csv --json -");
    JSON_NEAR("tasks.0.acc", 1);
    PASS();
}

SUITE(cli_first_suite)
{
    if (!cli_ready())
        return;
    SET_SETUP(cli_setup, NULL);
    RUN_TEST(there_is_room_for_files);
    RUN_TEST(a_file_alone_is_a_command);
    RUN_TEST(words_become_features_beside_the_numbers);
    RUN_TEST(words_are_left_out_and_said);
    RUN_TEST(names_and_pairs_are_found);
    RUN_TEST(columns_are_judged_over_all_files);
    RUN_TEST(few_gaps_are_filled_and_more_refused);
    RUN_TEST(a_refusal_has_twelve_lines_and_works);
    RUN_TEST(a_table_is_split_by_a_column);
    RUN_TEST(labels_set_the_number_of_groups_and_that_is_said);
    RUN_TEST(texts_are_left_out_beside_numbers);
    RUN_TEST(empty_columns_and_cells_of_sheets_are_read);
    RUN_TEST(use_may_keep_one_column_beside_all_others);
    RUN_TEST(clocks_and_counters_are_no_features);
    RUN_TEST(codes_for_missing_are_told);
    RUN_TEST(a_model_knows_rows_as_its_files_had_them);
}
