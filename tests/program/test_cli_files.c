/* SPDX-License-Identifier: MIT
 *
 * test_cli_files.c - the files that the program writes and what it shows of
 * names: links, pipes, two programs at once, control characters, locales.
 */
#include "cli.h"

/* A shell command with two %s: both become the program. */
static int shell_with_program(const char *format)
{
    static char line[6 * CLI_PATH];
    snprintf(line, sizeof line, format, cli_program(), cli_program());
    return cli_shell(line);
}

TEST links_in_the_way_are_not_followed(void)
{
    ASSERT_EQ(0, cli_shell("rm -rf t && mkdir t && echo mine > victim"));
    ASSERT_EQ(0, shell_with_program(
        "sh -c 'ln -s ../victim t/.mtc-0.part; echo x > t/.mtc-1.part;"
        " exec %s cluster kmeans a.csv --json t/j.json --quiet'"));
    ASSERT_EQ(0, cli_shell("test \"`cat victim`\" = mine"));
    ASSERT_EQ(0, cli_shell("grep -q schema t/j.json && test ! -L t/j.json"));
    ASSERT_EQ(0, cli_shell("test `ls -A t | wc -l` = 3"));
    PASS();
}

/* Whoever reads a pipe sees all that goes there, and one end of it. */
TEST pipes_are_written_as_one_stream(void)
{
    if (cli_shell("rm -f pipe && mkfifo pipe && timeout 5 true") != 0)
        SKIPm("no pipes with names, or no timeout");
    ASSERT_EQ(0, shell_with_program(
        "{ cat pipe > got.txt & timeout 20 %s cluster kmeans a.csv --json "
        "pipe --svg p.svg --quiet && wait; }"));
    ASSERT_EQ(0, cli_shell("grep -q schema got.txt && tail -n 1 got.txt | grep "
                           "-q '^}' && test -p pipe"));
    PASS();
}

TEST a_directory_that_cannot_be_made_says_why(void)
{
    cli_write("a.csv", "x,y\n1,5\n2,6\n3,9\n");
    cli_write("f", "");
    RUNS(1, "cluster kmeans --k 1 a.csv --out f/x --quiet");
    ERR_HAS("mtc: f: the directory cannot be made: ");
    PASS();
}

TEST a_file_that_is_given_twice_is_told(void)
{
    cli_write("a.csv", "x,y\n1,5\n2,6\n3,9\n");
    RUNS(0, "cluster kmeans --k 1 a.csv a.csv");
    ERR_HAS("warning: a.csv is given twice\n");
    PASS();
}

TEST one_file_is_not_two_outputs(void)
{
    cli_write("a.csv", "x,y\n1,5\n2,6\n3,9\n");
    ASSERT_EQ(0, cli_shell("rm -rf x w new && mkdir w"));
    RUNS(2, "cluster kmeans --k 1 not-read.csv --json x --svg x");
    ERR_HAS("--json and --svg both go to x");
    RUNS(2, "cluster kmeans --k 1 a.csv --save x --svg x");
    ERR_HAS("--svg and --save both go to x");
    RUNS(2, "cluster kmeans --k 1 a.csv --save - --json -");
    ERR_HAS("--json and --save both go to -");
    RUNS(2, "cluster kmeans --k 1 a.csv --out new --json new/a.csv");
    ERR_HAS("new/a.csv: two outputs would go there");
    ASSERT_EQ(0, cli_shell("test -z \"`ls -A w`\" && ! test -e x && ! test -e "
                           "new"));
    RUNS(0, "cluster kmeans --k 1 a.csv --json w/x --svg x --quiet");
    RUNS(0, "cluster kmeans --k 1 a.csv --json - --svg ./-");
    OUT_HAS("schema");
    ASSERT_EQ(0, cli_shell("rm ./-"));
    PASS();
}

/* A reader that goes away is an error, and leaves nothing behind. */
TEST a_pipe_that_breaks_leaves_nothing(void)
{
    if (cli_shell("rm -rf w pipe && mkfifo pipe && timeout 5 true") != 0)
        SKIPm("no pipes with names, or no timeout");
    RUNS(0, "generate blobs --n 40000 --out g --quiet");
    ASSERT_EQ(1, shell_with_program(
        "{ mkdir w; head -c 1 pipe > got.txt & timeout 20 %s cluster kmeans "
        "g/blobs1.svm --out w --json pipe --quiet 2>stderr.txt; }"));
    ASSERT_EQ(0, cli_shell("grep -q 'pipe: ' stderr.txt && test -z \"`ls -A "
                           "w`\""));
    PASS();
}

/* Ten times: what lies there in the end is whole, and one of the two. */
TEST two_programs_write_the_same_files(void)
{
    ASSERT_EQ(0, shell_with_program(
        "rm -rf w; for i in 1 2 3 4 5; do %s cluster kmeans a.csv --k 2 "
        "--out w --svg w/p.svg --quiet & %s cluster kmeans a.csv --k 1 --out "
        "w --svg w/p.svg --quiet || exit 1; wait || exit 1; "
        "test `wc -l < w/a.labels` = 4 || exit 1; "
        "tail -n 1 w/p.svg | grep -q '</svg>' || exit 1; done"));
    ASSERT_EQ(0, cli_shell("test `ls -A w | wc -l` = 3"));
    PASS();
}

/* The directory of an output goes away while data are read. */
TEST a_directory_that_goes_away_is_bad_data(void)
{
    ASSERT_EQ(1, shell_with_program(
        "mkdir -p gone; (rmdir gone; cat a.csv) | %s cluster kmeans - --json "
        "gone/j.json --quiet 2>stderr.txt"));
    ASSERT_EQ(0, cli_shell("grep -q 'gone/j.json: ' stderr.txt"));
    PASS();
}

/* Standard output is no directory; a directory may begin with that name. */
TEST a_dash_is_no_directory(void)
{
    static const char *const runs[] = {
        "cluster kmeans --k 1 s.csv", "describe s.csv", "generate blobs",
        "vectorize s.csv", "assign m.json s.csv",
        "export m.json --c r"};
    static char text[CLI_TEXT];
    char args[100];
    cli_write("s.csv", SQUARE);
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        sprintf(args, "%s --out -", runs[i]);
        ASSERT_EQ_FMTm(runs[i], 2, cli(args), "%d");
        ASSERTm(runs[i], strstr(cli_last()->err, "mtc: --out -: a directory is "
                                "needed\n") != NULL);
    }
    ASSERT(cli_shell("test -e ./-") != 0);
    RUNS(0, "describe s.csv --out -/read");
    ASSERT(*cli_read(cli_path("-/read/s.csv"), text) != '\0');
    PASS();
}

/* Escape sequences, a newline, DEL, U+0085, U+202E: of columns, labels and a
 * file's name.  The table of labels keeps its bytes. */
#define HOSTILE                                                           \
    "a\033[31m,\"b\nmtc: c\",d\x7f,label\n"                               \
    "1,2,0,x\xc2\x85\n2,3,1,x\xc2\x85\n9,8,0,\xe2\x80\xaey\n"              \
    "8,9,1,\xe2\x80\xaey\n"

TEST control_characters_are_shown_escaped(void)
{
    static char svg[CLI_TEXT];
    cli_write("h.csv", HOSTILE);
    ASSERT_EQ(0, cli_shell("cp h.csv \"`printf 'n\\nm\\033.csv'`\""));
    RUNS(0, "cluster kmeans \"`printf 'n\\nm\\033.csv'`\" --json h.json "
            "--svg h.svg --out w --quiet");
    RUNS(0, "cluster kmeans \"`printf 'n\\nm\\033.csv'`\"");
    OUT_HAS("n\\x0am\\x1b");
    OUT_HAS("a\\x1b[31m");
    OUT_HAS("b\\x0amtc: c");
    ASSERT(strpbrk(cli_last()->out, "\033\x7f") == NULL);
    ASSERT(strstr(cli_last()->out, "\nm") == NULL);
    cli_read(cli_path("h.svg"), svg);
    ASSERT(strstr(svg, "n\\x0am\\x1b") != NULL);
    ASSERT(strpbrk(svg, "\033\x7f") == NULL);
    RUNS(0, "transfer svm --source h.csv --target h.csv --json - --out w");
    OUT_HAS("x\\u0085");
    OUT_HAS("\\u202ey");
    ASSERT_EQ(0, cli_shell("grep -q \"`printf '\\302\\205'`\" w/h.csv"));
    RUNS(0, "describe h.csv");
    OUT_HAS("b\\x0amtc: c");
    OUT_HAS("d\\x7f");
    PASS();
}

TEST messages_have_no_control_characters(void)
{
    cli_write("h.csv", "a,\"b\nmtc: c\"\n1,z\033\n2,5\n3,6\n");
    RUNS(1, "cluster kmeans h.csv --k 2");
    ERR_HAS("column 2 (b\\x0amtc: c), 'z\\x1b', is not a number");
    ASSERT(strchr(cli_last()->err, '\033') == NULL);
    RUNS(1, "cluster kmeans \"`printf 'no\\nmtc: \\302\\233'`\"");
    ERR_HAS("mtc: no\\x0amtc: \\x9b: ");
    RUNS(2, "cluster kmeans \"`printf -- '--k\\033'`\" 2 a.csv");
    ERR_HAS("--k\\x1b");
    PASS();
}

/* Latin-1 is no UTF-8.  What is long is cut between two characters. */
TEST messages_are_utf8(void)
{
    cli_write("l.csv", "x,y\n1,caf\xe9\n2,5\n3,6\n");
    RUNS(1, "cluster kmeans l.csv --k 2");
    ERR_HAS("column 2 (y), 'caf\\xe9', is not a number");
    ASSERT(strchr(cli_last()->err, '\xe9') == NULL);
    cli_write("l.csv", "x,y\n1,23456789012345678901234567890\xc3\xa9t\n2,5\n3,6\n");
    RUNS(1, "cluster kmeans l.csv --k 2");
    ERR_HAS("'23456789012345678901234567890...', is not a number");
    cli_write("n\xe9.csv", "x,x,label\n1,5,0\n2,3,0\n4,4,1\n");
    RUNS(0, "cluster kmeans n\xe9.csv --k 2");
    ERR_HAS("mtc: note: n\\xe9.csv: column");
    ASSERT(strchr(cli_last()->err, '\xe9') == NULL);
    OUT_HAS("n\\xe9");
    ASSERT(strchr(cli_last()->out, '\xe9') == NULL);
    PASS();
}

/* Decimal commas, digit groups, a dotless i: nothing changes, where such
 * locales can be built. */
TEST locales_change_nothing(void)
{
    static const char *const locales[] = {"de_DE", "fr_FR", "tr_TR"};
    static char line[3 * CLI_PATH];
    RUNS(0, "generate blobs --n 60 --out g --quiet");
    RUNS(0, "cluster auto g/blobs1.svm g/blobs2.svm --out w --json plain.json "
            "--svg plain.svg");
    cli_shell("mv stdout.txt plain.txt");
    for (size_t i = 0; i < 3; i++) {
        sprintf(line, "mkdir -p ../loc && { test -d ../loc/%s.utf8 || "
                "localedef -c -i %s -f UTF-8 ../loc/%s.utf8 >/dev/null 2>&1; "
                "test -d ../loc/%s.utf8; }", locales[i], locales[i], locales[i],
                locales[i]);
        if (cli_shell(line) != 0)
            SKIPm("no localedef, or no sources of locales");
        sprintf(line, "LOCPATH=\"$PWD/../loc\" LC_ALL=%s.utf8 %s", locales[i],
                cli_program());
        ASSERT_EQ(0, cli_start(line, "cluster auto g/blobs1.svm g/blobs2.svm "
                               "--out w --json said.json --svg said.svg", 0));
        ASSERT_EQ(0, cli_shell("cmp -s plain.txt stdout.txt && cmp -s "
                               "plain.svg said.svg"));
        ASSERT_EQ(0, cli_shell("grep -v seconds plain.json > one.txt; grep -v "
                               "seconds said.json | cmp -s - one.txt"));
    }
    PASS();
}

/* On 40 columns no line of progress is longer than the terminal. */
TEST progress_fits_a_narrow_terminal(void)
{
    static char seen[CLI_TEXT], line[3 * CLI_PATH];
    if (cli_shell("script -qec true tty.txt >/dev/null 2>&1") != 0)
        SKIPm("no `script` to make a terminal");
    RUNS(0, "generate blobs --n 300 --out g --quiet");
    sprintf(line, "script -qec 'stty cols 40; %s cluster auto g/blobs1.svm "
            "g/blobs2.svm --json j.json >/dev/null; sleep .1' tty.txt "
            ">/dev/null 2>&1", cli_program());
    ASSERT_EQ(0, cli_shell(line));
    cli_read(cli_path("tty.txt"), seen);
    size_t longest = 0;
    const char *from = strchr(seen, '\r');
    ASSERT(from != NULL);
    while (*from != '\0' && strstr(from, "%") != NULL) {
        size_t n = strcspn(from, "\r\n");
        longest = n > longest ? n : longest;
        from += n + (from[n] != '\0');
    }
    ASSERT(longest <= 39);
    PASS();
}

static const char *const typed[][2] = {
    {"mtc cl", "cluster"}, {"mtc cluster lssm", "lssmtc"},
    {"mtc cluster mbc --diver", "--divergence"},
    {"mtc cluster mbc --divergence maha", "mahalanobis"},
    {"mtc compare --rep", "--repeats"},
    {"mtc relate --verb", "--verbose"}, {"mtc choose --verb", "--verbose"},
    {"mtc help tex", "texts"}, {"mtc help vect", "vectorize"},
    {"mtc help lssm", "lssmtc"}};

/* What bash offers, where there is one. */
TEST shells_complete_what_the_tables_have(void)
{
    char line[600];
    RUNS(2, "completion fish");
    RUNS(2, "completion");
    RUNS(0, "completion bash");
    if (cli_shell("bash -c 'type compgen' >/dev/null 2>&1") != 0)
        SKIPm("no bash");
    cli_shell("cp stdout.txt complete.bash");
    for (size_t i = 0; i < sizeof typed / sizeof *typed; i++) {
        sprintf(line, "bash -c '. ./complete.bash; COMP_WORDS=(%s); "
                "COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _mtc; "
                "test \"${COMPREPLY[*]}\" = \"%s\"'", typed[i][0],
                typed[i][1]);
        ASSERT_EQ_FMTm(typed[i][0], 0, cli_shell(line), "%d");
    }
    PASS();
}

SUITE(cli_files_suite)
{
    if (!cli_ready())
        return;
    RUN_TEST(there_is_room_for_files);
    SET_SETUP(cli_setup, NULL);
    RUN_TEST(links_in_the_way_are_not_followed);
    RUN_TEST(pipes_are_written_as_one_stream);
    RUN_TEST(a_directory_that_cannot_be_made_says_why);
    RUN_TEST(a_file_that_is_given_twice_is_told);
    RUN_TEST(one_file_is_not_two_outputs);
    RUN_TEST(a_pipe_that_breaks_leaves_nothing);
    RUN_TEST(two_programs_write_the_same_files);
    RUN_TEST(a_directory_that_goes_away_is_bad_data);
    RUN_TEST(a_dash_is_no_directory);
    RUN_TEST(control_characters_are_shown_escaped);
    RUN_TEST(messages_have_no_control_characters);
    RUN_TEST(messages_are_utf8);
    RUN_TEST(locales_change_nothing);
    RUN_TEST(progress_fits_a_narrow_terminal);
    RUN_TEST(shells_complete_what_the_tables_have);
}
