/* SPDX-License-Identifier: MIT
 *
 * One numbering of groups over several files: the worked cases of across as
 * files, and the words for them.
 */
#include "golden/across.h"
#include "cli.h"

#include <math.h>

static double itself(double x)
{
    return x;
}

/* The tables of a worked case as t0.csv, t1.csv, ..., with a function of each
 * value. */
static void write_values(const across_case *c, const char *head,
                         double (*of)(double x))
{
    static char csv[CLI_TEXT];
    const double *x = c->x;
    for (size_t t = 0; t < c->tasks; t++) {
        char name[20];
        size_t at = (size_t)sprintf(csv, "%s\n", head);
        for (size_t e = 0; e < c->n[t] * c->d; e++)
            at += (size_t)sprintf(csv + at, "%.17g%c", of(*x++),
                                  (e + 1) % c->d == 0 ? '\n' : ',');
        sprintf(name, "t%d.csv", (int)t);
        cli_write(name, csv);
    }
}

static void write_case(const across_case *c, const char *head)
{
    write_values(c, head, itself);
}

static const across_case *case_named(const char *name)
{
    const across_case *c = across_cases;
    while (strcmp(c->name, name) != 0)
        c++;
    return c;
}

/* The sentences of the cases, up to what the groups are like. */
TEST files_are_numbered_together(void)
{
    write_case(case_named("missing"), "age,spend,visits");
    RUNS(0, "cluster ward --k 4,3 t0.csv t1.csv --json - --save m.json "
         "--out o");
    OUT_HAS("\"sentence\": \"4 groups: 0 to 2 are in both files, 3 in t0 "
            "alone. ");
    ASSERT(json_is("tasks.1.numbers", "[0, 1, 2]"));
    ASSERT(json_is("tasks.1.sizes", "[7, 7, 7]"));
    ASSERT(json_is("groups.3.in", "[\"t0\"]"));
    ASSERT(json_is("groups.3.perhaps", "null"));
    JSON_NEAR("groups.3.sure", 1 / (1 + exp(-5.)));
    JSON_NEAR("correspondence.0.sure.0.0", 1 / (1 + exp(-5.)));
    ASSERT(json_is("maps", "[]"));
    static char given[2][CLI_TEXT];
    RUNS(0, "assign m.json t1.csv --out again");    /* a model keeps them */
    cli_read(cli_path("o/t1.labels"), given[0]);
    cli_read(cli_path("again/t1.labels"), given[1]);
    ASSERT_STR_EQ(given[0], given[1]);
    write_case(case_named("units"), "age,spend,visits");
    RUNS(0, "cluster ward --k 4,3,4 --preprocess none t0.csv t1.csv t2.csv "
         "--json -");
    OUT_HAS(" are in all 3 files, ");
    OUT_HAS(" in t0 and t2. spend in t2 looks like ");
    OUT_HAS(" times the others'. Its groups are paired as if that were "
            "undone. ");
    ASSERT(json_is("maps.0.kind", "\"scaled\""));
    ASSERT(json_is("maps.0.column", "\"spend\""));
    ASSERT_IN_RANGE(30, json_number("maps.0.scale"), 1);
    PASS();
}

TEST files_that_are_moved_or_share_nothing_are_told(void)
{
    write_case(case_named("moved"), "age,spend,visits");
    RUNS(0, "cluster ward --k 4 --preprocess none t0.csv t1.csv --json -");
    OUT_HAS("\"4 groups, all in both files. t1 is moved against t0: age by "
            "3.73, spend by -5.83, visits by 5.15. Its groups are paired as if "
            "that were undone. ");
    write_values(case_named("moved"), "age,spend,visits", exp);
    RUNS(0, "cluster ward --k 4 --preprocess none --log age,spend,visits "
         "t0.csv t1.csv --json -");
    /* e^3.73, e^-5.83 and e^5.15 */
    OUT_HAS("both files. age in t1 looks like 41.");
    OUT_HAS(" times t0's. spend in t1 looks like 0.0029");
    OUT_HAS(" times t0's. visits in t1 looks like 17");
    OUT_HAS(" times t0's. Its groups are paired as if that were undone. ");
    write_case(case_named("nothing"), "a,b,c");
    RUNS(0, "cluster ward --k 3 --preprocess none t0.csv t1.csv --json -");
    OUT_HAS("\"6 groups: 0 to 2 in t0 alone, 3 to 5 in t1 alone; none is in "
            "both files, as they stand. Group 0, in t0 alone: ");
    ASSERT(json_is("tasks.1.numbers", "[3, 4, 5]"));
    RUNS(0, "cluster ward --k 3 --preprocess none t0.csv t1.csv");
    ASSERT(strstr(cli_last()->err, "in use") == NULL);
    OUT_HAS("\nt1          18        3    3\n");
    PASS();
}

SUITE(cli_across_suite)
{
    if (!cli_ready())
        return;
    RUN_TEST(there_is_room_for_files);
    SET_SETUP(cli_setup, NULL);
    RUN_TEST(files_are_numbered_together);
    RUN_TEST(files_that_are_moved_or_share_nothing_are_told);
}
