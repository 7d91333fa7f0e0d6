/* SPDX-License-Identifier: MIT
 *
 * The program: several runs at once.  What comes out is what one after the
 * other gives, byte for byte, but for the seconds that it took.
 */
#include "cli.h"

/* The text without what follows "seconds", and without the last column of
 * the rows of compare. */
static void leave_out_seconds(char *text)
{
    char *to = text;
    for (const char *s = text; *s != '\0';) {
        size_t row = strcspn(s, "\n"), end = row;
        while (end > 0 && strchr("0123456789.", s[end - 1]) != NULL)
            end--;
        int figure = row > end + 3 && s[row - 3] == '.' && s[end - 1] == ' ';
        while (figure && end > 0 && s[end - 1] == ' ')
            end--;
        const char *json = strstr(s, "\"seconds\": ");
        if (json != NULL && json < s + row) {
            size_t before = (size_t)(json - s) + 11;
            size_t digits = strcspn(s + before, ",\n");
            memmove(to, s, before);
            to += before;
            s += before + digits;
            continue;
        }
        memmove(to, s, figure ? end : row);
        to += figure ? end : row;
        s += row;
        if (*s == '\n')
            *to++ = *s++;
    }
    *to = '\0';
}

/* Runs the line with 1 job, then with others: the same status and text. */
static int same_with_any_jobs(const char *line, int status)
{
    static const int jobs[] = {1, 2, 7};
    static cli_run one;
    for (int i = 0; i < 3; i++) {
        char args[600];
        sprintf(args, "%s --jobs %d", line, jobs[i]);
        if (cli(args) != status)
            return 0;
        leave_out_seconds(cli_last()->out);
        if (i == 0)
            one = *cli_last();
        else if (strcmp(one.out, cli_last()->out) != 0 ||
                 strcmp(one.err, cli_last()->err) != 0)
            return 0;
    }
    return one.out[0] != '\0' || one.err[0] != '\0';
}

#define SAME(status, line) ASSERTm(line, same_with_any_jobs(line, status))

/* A table without labels: 24 rows in three groups. */
static void write_groups(const char *name, uint64_t seed)
{
    double x[24 * 3];
    mtc_random rng = mtc_random_seed(seed);
    for (int i = 0; i < 72; i++)
        x[i] = (i / 3 % 3 == i % 3 ? 9 : 0) + (double)mtc_random_normal(&rng);
    write_numbers(name, 72, 3, x);
}

static void jobs_setup(void *unused)
{
    cli_setup(unused);
    cli("generate blobs --n 30 --tasks 3 --out g --quiet");
    cli("generate bridge --n 30 --out g --quiet");
}

TEST what_comes_out_does_not_depend_on_jobs(void)
{
    SAME(0, "compare --repeats 2 g/blobs1.svm g/blobs2.svm");
    SAME(0, "compare --json - g/blobs1.svm g/blobs2.svm");
    SAME(0, "choose --json - g/blobs1.svm g/blobs2.svm g/blobs3.svm");
    SAME(0, "relate g/blobs1.svm g/blobs2.svm g/blobs3.svm");
    SAME(0, "bridge --source g/bridge1.svm --target g/bridge3.svm "
            "g/bridge2.svm g/bridge4.svm g/bridge5.svm --json -");
    ASSERT(json_valid(cli_last()->out));
    PASS();
}

/* Without labels the guards' rows come in pairs; a control has no rows of
 * tasks alone. */
/* Large enough that lanes are lent: a million multiply-adds and more. */
TEST what_comes_out_does_not_depend_on_lanes(void)
{
    RUNS(0, "generate blobs --n 600 --out large --quiet");
    SAME(0, "cluster kmeans large/blobs1.svm large/blobs2.svm");
    SAME(0, "cluster auto large/blobs1.svm large/blobs2.svm");
    SAME(0, "cluster mbc --guard large/blobs1.svm large/blobs2.svm");
    SAME(0, "cluster lssmtc large/blobs1.svm large/blobs2.svm");
    SAME(0, "transfer svm --source large/blobs1.svm --target "
            "large/blobs2.svm");
    PASS();
}

TEST rows_of_guards_do_not_depend_on_jobs(void)
{
    write_groups("u.csv", 1);
    write_groups("v.csv", 2);
    SAME(0, "compare --k 2 --repeats 2 --json - u.csv v.csv");
    ASSERT(json_is("truth", "false"));
    PASS();
}

/* A system that cannot take this data has its line, and the others run. */
TEST a_method_that_cannot_run_does_not_depend_on_jobs(void)
{
    cli_write("p.csv", "1,2\n2,1\n3,5\n9,8\n8,9\n9,9\n");
    cli_write("q.csv", "1,2\n2,1\n3,5\n9,8\n8,9\n9,9\n8,8\n");
    SAME(0, "compare --k 2,3 --repeats 2 p.csv q.csv");
    OUT_HAS("lssmtc    guard shared   cannot run: ");
    PASS();
}

/* The first fault in the order of the pieces ends the program, whichever is
 * met first. */
TEST the_first_failure_is_the_same_with_any_jobs(void)
{
    cli_write("fine.csv", "1,2\n2,1\n3,5\n9,8\n8,9\n9,9\n");
    cli_write("huge.csv", CLI_HUGE);
    SAME(1, "relate --k 2 fine.csv huge.csv fine.csv huge.csv");
    ERR_HAS("mtc: huge: a value lies outside the domain");
    ASSERT_STR_EQ("", cli_last()->out);
    SAME(1, "bridge --source fine.csv --target fine.csv fine.csv huge.csv");
    ERR_HAS("mtc: huge: a value lies outside the domain");
    SAME(2, "compare --k 50 --preprocess none fine.csv huge.csv");
    PASS();
}

TEST jobs_is_a_number_of_commands_that_have_runs(void)
{
    RUNS(2, "compare --jobs 0 g/blobs1.svm g/blobs2.svm");
    ERR_HAS("--jobs 0: expected a whole number in [1,1024]");
    RUNS(2, "choose --jobs many g/blobs1.svm");
    RUNS(2, "emd --jobs 2 g/blobs1.svm");
    ERR_HAS("--jobs is not an option of emd");
    RUNS(0, "help compare");
    OUT_HAS("--jobs N in [1,1024]");
    PASS();
}

/* Ctrl-C reaches every thread; files are left as they are. */
TEST an_interrupt_ends_all_jobs(void)
{
    char program[2 * CLI_PATH];
    static const char *const delays[] = {".2", "1", "3", "10"};
    const char *signal = "timeout --foreground --preserve-status -s INT";
    sprintf(program, "%s 5 true 2>/dev/null", signal);
    if (cli_shell(program) != 0)
        SKIPm("no `timeout` to send a signal");
    for (size_t d = 0; d < 4; d++) {    /* later, if it was not ready for it */
        sprintf(program, "%s %s %s", signal, delays[d], cli_program());
        ASSERT_EQ_FMT(130, cli_start(program, "compare --repeats 10000 --jobs "
                                     "3 g/blobs1.svm g/blobs2.svm --json j",
                                     0), "%d");
        if (cli_last()->err[0] != '\0')
            break;
    }
    ASSERT_STR_EQ("mtc: interrupted; nothing was written\n", cli_last()->err);
    ASSERT_STR_EQ("", cli_last()->out);
    static char left[CLI_TEXT];
    ASSERT_STR_EQ("", cli_read(cli_path("j"), left));
    PASS();
}

TEST figures_of_an_experiment_do_not_depend_on_jobs(void)
{
    static char one[CLI_TEXT], program[2 * CLI_PATH];
    sprintf(program, "%s/mbc_experiment", cli_beside());
    FILE *built = fopen(program, "rb");
    if (built == NULL)
        SKIPm("the experiments were not built");
    fclose(built);
    sprintf(program, "unset MTC_DATA && %s ../mbc_experiment", cli_emulator());
    ASSERT_EQ_FMT(0, cli_start(program, "--jobs 1", 0), "%d");
    strcpy(one, cli_last()->out);
    ASSERT_EQ_FMT(0, cli_start(program, "--jobs 3", 0), "%d");
    ASSERT_STR_EQ(one, cli_last()->out);
    ASSERT(strstr(one, "NMI, lambda 0") != NULL);
    ASSERT_EQ_FMT(1, cli_start(program, "--jobs none", 0), "%d");
    ERR_HAS("--jobs: a number from 1 to 1024");
    PASS();
}

SUITE(cli_jobs)
{
    if (!cli_ready())
        return;
    RUN_TEST(there_is_room_for_files);
    SET_SETUP(jobs_setup, NULL);
    RUN_TEST(what_comes_out_does_not_depend_on_jobs);
    RUN_TEST(what_comes_out_does_not_depend_on_lanes);
    RUN_TEST(rows_of_guards_do_not_depend_on_jobs);
    RUN_TEST(a_method_that_cannot_run_does_not_depend_on_jobs);
    RUN_TEST(the_first_failure_is_the_same_with_any_jobs);
    RUN_TEST(jobs_is_a_number_of_commands_that_have_runs);
    RUN_TEST(an_interrupt_ends_all_jobs);
    RUN_TEST(figures_of_an_experiment_do_not_depend_on_jobs);
}
