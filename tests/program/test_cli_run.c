/* SPDX-License-Identifier: MIT
 *
 * test_cli_run.c - the program as such: usage, help, files out, Ctrl-C, manual.
 */
#include "cli.h"

TEST bad_usage_says_what_is_allowed(void)
{
    static const struct { const char *args, *message; } bad[] = {
        {"", "a command is missing"},
        {"frobnicate", "unknown command frobnicate"},
        {"auto a.csv", "auto is a method of `mtc cluster`"},
        {"cluster", "cluster needs a file, and has the methods: kmeans vote pcakm "
                    "ncut genie snmf"},
        {"cluster nonsense a.csv", "unknown method nonsense; known: kmeans"},
        {"cluster svm a.csv", "svm is a method of `mtc transfer`"},
        {"transfer kmeans", "kmeans is a method of `mtc cluster`"},
        {"transfer", "methods: auto svm gfhf llgc tsvm nb cocc cdsc tritl "
                     "latentmap cotransfer htlic lssttc"},
        {"cluster kmeans", "at least one TASK file"},
        {"cluster kmeans --color red a.csv", "unknown option --color"},
        {"cluster kmeans --mode pca a.csv",
         "--mode is not an option of kmeans"},
        {"cluster kmeans --sigma 1 a.csv", "--sigma is not an option of"},
        {"cluster kmeans -s 2 a.csv", "-s: options begin with two dashes"},
        {"cluster kmeans a.csv --k", "--k: a value is missing"},
        {"cluster kmeans a.csv --k 0", "--k 0: expected whole numbers"},
        {"cluster kmeans a.csv --k two", "in [1,inf)"},
        {"cluster kmeans a.csv --k 2,", "--k"},
        {"cluster kmeans a.csv --k -1", "--k -1"},
        {"cluster kmeans a.csv --k 99999999999999999999999", "--k 9999"},
        {"cluster kmeans a.csv --restarts 1.5", "--restarts 1.5: expected a "
                                                "whole number in [1,inf)"},
        {"cluster kmeans a.csv --restarts 2,3", "--restarts 2,3: expected"},
        {"cluster kmeans a.csv --seed -1", "a whole number below 2^64"},
        {"cluster kmeans a.csv --tolerance -1", "a number in [0,inf)"},
        {"cluster kmeans a.csv --tolerance nan", "--tolerance nan"},
        {"cluster kmeans a.csv --tolerance 0x1", "--tolerance 0x1"},
        {"cluster kmeans a.csv --pick loss", "unknown option --pick"},
        {"centroid a.csv b.csv", "unknown command centroid"},
        {"cluster kmeans a.csv --preprocess magic",
         "--preprocess magic: expected one of auto|none|l2|tfidf|zscore"},
        {"cluster kmeans a.csv --preprocess l", "--preprocess l: expected"},
        {"cluster kmeans a.csv --pool=yes", "--pool takes no value"},
        {"cluster kmeans a.csv --init a,,b", "--init a,,b: expected FILE"},
        {"cluster kmeans a.csv --out ''", "--out : expected DIR"},
        {"cluster pcakm a.csv --keep 0", "--keep 0: expected a number in "
                                         "(0,1]"},
        {"cluster pcakm a.csv --keep 1.1", "(0,1]"},
        {"cluster ncut a.csv --sigma 0", "[1e-22,1e22]"},
        {"cluster ncut a.csv --similarity cosine --sigma 1",
         "--sigma is for --similarity gaussian"},
        {"cluster ncut a.csv --sigma 1e-200", "[1e-22,1e22]"},
        {"cluster lssmtc a.csv --offset 11", "[0,10]"},
        {"cluster snmf a.csv --neighbors 2", "(0,1]"},
        {"transfer svm --target a.csv", "--source FILE... is missing"},
        {"transfer svm --source a.csv", "--target FILE is missing"},
        {"transfer svm --source --target a.csv", "--source: a value"},
        {"transfer svm --source a.csv --target b.csv extra", "extra: one "
                                                             "argument"},
        {"transfer svm --source a.csv --target b.csv --moves 3",
         "--moves is not an option of svm"},
        {"transfer svm --source a.csv --target b.csv --kernel poly",
         "linear|rbf"},
        {"transfer gfhf --source a.csv --target b.csv --neighbors .5",
         "--neighbors .5: expected a whole number"},
        {"transfer gfhf --source a.csv --target b.csv --mu 1",
         "--mu is not an option of gfhf"},
        {"emd", "one file of costs"},
        {"emd a.csv b.csv", "b.csv: one argument too many"},
        {"score good.txt", "two files"},
        {"relate a.csv", "two TASK files"},
        {"generate", "one NAME"},
        {"generate nothing --out g", "unknown data nothing; known: blobs"},
        {"generate blobs", "--out DIR is missing"},
        {"generate blobs --k 3,4 --out g", "--k: blobs takes one number"},
        {"generate blobs --n 0 --out g", "--n 0"},
        {"generate blobs --n 2 --out g", "--n 2: 3 classes need 3 samples or "
         "more"},
        {"generate text --n 7 --k 8 --out g", "8 classes need 8 samples"},
        {"help nonsense", "no help on nonsense"}
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ASSERT_EQ_FMTm(bad[i].args, 2, cli(bad[i].args), "%d");
        ASSERT(strncmp(cli_last()->err, "mtc: ", 5) == 0);
        ASSERTm(bad[i].args, strstr(cli_last()->err, bad[i].message) != NULL);
        ERR_HAS("See `mtc help");
        ASSERT_STR_EQ("", cli_last()->out);
    }
    PASS();
}

TEST options_may_stand_anywhere_and_take_equals(void)
{
    static char expected[CLI_TEXT];
    static const char *const same[] = {
        "cluster kmeans a.csv --k 2 --seed 7",
        "cluster kmeans --k=2 --seed=7 a.csv",
        "cluster kmeans --k 2 a.csv --seed=7",
        "cluster kmeans --k 1 --seed 7 --k 2 -- a.csv"};
    RUNS(0, "cluster kmeans --k 2 --seed 7 a.csv");
    strcpy(expected, cli_last()->out);
    for (size_t i = 0; i < 4; i++) {
        ASSERT_EQ(0, cli(same[i]));
        ASSERT_STR_EQ(expected, cli_last()->out);
    }
    cli_write("--k.csv", SQUARE);
    RUNS(0, "cluster kmeans -- --k.csv");
    OUT_HAS("--k ");
    RUNS(1, "cluster kmeans -- --seed");
    ERR_HAS("--seed: No such file or directory");
    PASS();
}

TEST help_is_there_for_everything(void)
{
    static const char *const topics[] = {
        "cluster", "transfer", "relate", "compare", "emd",
        "score", "bridge", "generate",
        "kmeans", "vote", "pcakm", "ncut", "snmf", "asi", "lssmtc", "svm",
        "gfhf", "llgc", "tsvm", "nb", "cocc", "cdsc", "tritl", "latentmap",
        "cotransfer", "htlic", "lssttc", "mbc"};
    RUNS(0, "help");
    for (const char *s = cli_last()->out; (s = strstr(s, "\n  mtc "));) {
        char line[20];
        sprintf(line, "%.15s", s++);
        ASSERTm(line, strstr(s, line) == NULL);     /* commands once each */
    }
    for (size_t i = 0; i < sizeof topics / sizeof topics[0]; i++)
        OUT_HAS(topics[i]);
    for (size_t i = 0; i < sizeof topics / sizeof topics[0]; i++) {
        char args[60];
        sprintf(args, "help %s", topics[i]);
        ASSERT_EQ_FMTm(args, 0, cli(args), "%d");
        OUT_HAS(topics[i]);
        ASSERT_STR_EQ("", cli_last()->err);
    }
    RUNS(0, "help pcakm");
    OUT_HAS("--keep X in (0,1]  (default .95)");
    RUNS(0, "cluster pcakm --help");
    OUT_HAS("--keep X in (0,1]  (default .95)");
    RUNS(0, "cluster --help");
    OUT_HAS("snmf");
    RUNS(0, "--help");
    OUT_HAS("Exit status");
    PASS();
}

TEST version_is_the_library_s(void)
{
    char expected[60];
    sprintf(expected, "mtc %s\n", mtc_version());
    RUNS(0, "version");
    ASSERT_STR_EQ(expected, cli_last()->out);
    RUNS(0, "-V");
    ASSERT_STR_EQ(expected, cli_last()->out);
    RUNS(0, "--version");
    ASSERT_STR_EQ(expected, cli_last()->out);
    PASS();
}

TEST json_goes_to_a_file_beside_the_table(void)
{
    static char json[CLI_TEXT];
    RUNS(0, "cluster kmeans a.csv --json r.json");
    OUT_HAS("task ");
    cli_read(cli_path("r.json"), json);
    ASSERT(json_at(json, "tasks.0.labels") != NULL);
    RUNS(0, "cluster kmeans a.csv --quiet --json -");
    ASSERT(cli_last()->out[0] == '{');
    PASS();
}

TEST json_escapes_odd_names(void)
{
    cli_write("q\"b\\\xff.csv", SQUARE);
    RUNS(0, "cluster kmeans 'q\"b\\\xff.csv' --json -");
    ASSERT(json_is("tasks.0.name", "\"q\\\"b\\\\\xc3\xbf\""));
    PASS();
}

TEST same_seed_same_output(void)
{
    static char once[CLI_TEXT];
    RUNS(0, "generate text --out g --seed 5");
    RUNS(0, "cluster kmeans --seed 9 --restarts 3 g/text1.svm --out s1");
    cli_read(cli_path("s1/text1.labels"), once);
    RUNS(0, "cluster kmeans --seed 9 --restarts 3 g/text1.svm --out s2");
    ASSERT_STR_EQ(once, cli_read(cli_path("s2/text1.labels"),
                                 cli_last()->out));
    PASS();
}

/* Under the address sanitizer, that is; else two runs like any other. */
TEST memory_is_freed_on_every_way_out(void)
{
    ASSERT_EQ(0, cli_start(cli_program(), "cluster snmf a.csv --json j --svg "
                                          "p --out o", 1));
    ASSERT_EQ(1, cli_start(cli_program(), "transfer svm --source a.csv "
                                          "--target missing.csv", 1));
    ASSERT_EQ(0, cli_start(cli_program(), "compare --k 2,3 --repeats 1 a.csv "
                                          "b.csv", 1));
    PASS();
}

/* The output in the comment that closes an example's source, without the
 * leading " * ". */
static void expected_output(const char *source, char *text)
{
    static char code[CLI_TEXT];
    const char *s = strstr(cli_read(source, code), "/* Prints:\n");
    text[0] = '\0';
    for (s = s ? strchr(s, '\n') + 1 : ""; strncmp(s, " *", 2) == 0 &&
                                           s[2] != '/';) {
        size_t n = strcspn(s, "\n");
        size_t skip = n > 2 ? 3 : 2;
        sprintf(text + strlen(text), "%.*s\n", (int)(n - skip), s + skip);
        s += n + (s[n] == '\n');
    }
}

TEST examples_print_what_they_promise(void)
{
    static const char *const names[] = {"quickstart", "sparse",
                                        "static_memory"};
    static char expected[CLI_TEXT];
    for (size_t i = 0; i < 3; i++) {
        char path[100], program[200];
        sprintf(path, "examples/%s.c", names[i]);
        expected_output(path, expected);
        if (expected[0] == '\0')
            SKIPm("not run from the top of the source");
        sprintf(program, "%s ../%s", cli_emulator(), names[i]);
        ASSERT_EQ_FMTm(names[i], 0, cli_start(program, "", 0), "%d");
        ASSERT_STR_EQ(expected, cli_last()->out);
    }
    PASS();
}

/* Is there a file of that name? */
static int cli_exists(const char *name)
{
    FILE *f = fopen(cli_path(name), "rb");
    if (f != NULL)
        fclose(f);
    return f != NULL;
}

TEST run_that_fails_writes_nothing(void)
{
    static const char *const bad[] = {
        "cluster kmeans --k 1 a.csv broken.svm --json w/j --svg w/s --out w",
        "cluster kmeans --k 9 a.csv --json w/j --svg w/s --out w",
        "transfer svm --source b.csv --target a.csv --json w/j --out w",
        "cluster kmeans a.csv --out w --json no/such/place.json",
        "cluster kmeans a.csv --out w --svg ."};
    cli_write("broken.svm", "1 1:1\n1 1:x\n");
    cli_shell("rm -rf w");
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ASSERTm(bad[i], cli(bad[i]) > 0);
        ASSERT_EQ_FMTm(bad[i], 1, cli_shell("test -d w"), "%d");
        ASSERTm(bad[i], !cli_exists("w/a.labels") && !cli_exists("w/j") &&
                        !cli_exists("w/s"));
    }
    cli_shell("rm -rf deep");
    RUNS(1, "cluster kmeans a.csv --out deep/er/still --json nowhere/x");
    ASSERT(!cli_exists("deep"));
    RUNS(0, "cluster kmeans a.csv --out deep/er/still/");
    ASSERT(cli_exists("deep/er/still/a.labels"));
    PASS();
}

TEST files_are_replaced_as_wholes(void)
{
    static char json[CLI_TEXT];
    cli_shell("rm -rf w && mkdir w");
    cli_write("w/j", "the old one");
    RUNS(0, "cluster kmeans a.csv --json w/j --svg w/s --out w");
    ASSERT(json_valid(cli_read(cli_path("w/j"), json)));
    ASSERT_EQ_FMT(0, cli_shell("test \"`ls w | tr '\\n' ' '`\" = "
                               "'a.csv a.labels j s '"), "%d");
    RUNS(1, "cluster kmeans missing.csv --json w/j");
    ASSERT(json_valid(cli_read(cli_path("w/j"), json)));    /* still there */
    PASS();
}

TEST devices_are_written_to_and_never_replaced(void)
{
    if (cli_shell("test -c /dev/full && test -c /dev/null") != 0)
        SKIPm("no /dev/full here");
    RUNS(0, "cluster kmeans a.csv --json /dev/null");
    ASSERT_EQ(0, cli_shell("test -c /dev/null"));
    cli_shell("rm -rf w");
    RUNS(1, "cluster kmeans a.csv --json /dev/full --out w");
    ERR_HAS("/dev/full: ");
    ASSERT(!cli_exists("w/a.labels"));
    ASSERT_EQ(0, cli_shell("ln -sf real.json link.json"));
    RUNS(0, "cluster kmeans a.csv --json link.json");       /* through it */
    ASSERT_EQ(0, cli_shell("test -L link.json && test -s real.json"));
    PASS();
}

/* A limit on the size of files stands for a disk that fills: whichever of the
 * outputs meets it, none is left, not even in part. */
TEST a_disk_that_fills_leaves_nothing(void)
{
    static const char *const outputs[] = {"--out w", "--json w/j",
                                          "--svg w/s --out w --json w/j"};
    char line[3 * CLI_PATH];
    RUNS(0, "generate blobs --n 2000 --out g");
    for (size_t e = 0; e < sizeof outputs / sizeof outputs[0]; e++) {
        cli_shell("rm -rf w && mkdir w && echo old > w/j");
        sprintf(line, "(ulimit -f 1 && exec %s cluster kmeans g/blobs1.svm %s) "
                ">/dev/null 2>/dev/null", cli_program(), outputs[e]);
        ASSERT_EQ(1, cli_shell(line));
        ASSERT_EQ(0, cli_shell("test \"`ls -A w`\" = j && grep -q old w/j"));
    }
    PASS();
}

/* /proc is a folder in which nobody, not even root, makes a file. */
TEST a_folder_without_rights_is_bad_data(void)
{
    if (cli_shell("test -d /proc/self && ! test -e /proc/mtc") != 0)
        SKIPm("no /proc here");
    cli_shell("rm -rf w && mkdir w");
    RUNS(1, "cluster kmeans a.csv --out /proc/mtc --json w/j");
    ERR_HAS("mtc: /proc/mtc");
    RUNS(1, "cluster kmeans a.csv --out w --json /proc/mtc");
    RUNS(1, "generate blobs --out /proc/mtc");
    ASSERT_EQ(0, cli_shell("test -z \"`ls -A w`\""));
    PASS();
}

TEST files_without_permission_are_bad_data(void)
{
    if (cli_shell("test \"`id -u`\" != 0") != 0)
        SKIPm("root may read everything");
    cli_write("closed.csv", SQUARE);
    ASSERT_EQ(0, cli_shell("chmod 000 closed.csv"));
    RUNS(1, "cluster kmeans closed.csv");
    ERR_HAS("mtc: closed.csv: ");
    ASSERT_EQ(0, cli_shell("rm -f closed.csv"));
    PASS();
}

TEST progress_shows_on_a_terminal_alone(void)
{
    static char seen[CLI_TEXT];
    char line[3 * CLI_PATH];
    if (cli_shell("script -qec true tty.txt >/dev/null 2>&1") != 0)
        SKIPm("no `script` to make a terminal");
    RUNS(0, "generate blobs --n 60 --out g");
    /* A terminal that closes at once may lose the last words: hold it. */
    sprintf(line, "script -qec '%s cluster kmeans g/blobs1.svm; sleep .1' "
                  "tty.txt >/dev/null 2>&1", cli_program());
    for (int i = 0; i < 3; i++) {
        ASSERT_EQ(0, cli_shell(line));
        if (strstr(cli_read(cli_path("tty.txt"), seen), "blobs1 ") != NULL)
            break;
    }
    ASSERT(strstr(seen, "\rk-means") != NULL && strstr(seen, " % ") != NULL);
    ASSERT(strstr(seen, "blobs1 ") != NULL);
    sprintf(line, "script -qec '%s cluster kmeans g/blobs1.svm --quiet' "
                  "tty.txt >/dev/null 2>&1", cli_program());
    ASSERT_EQ(0, cli_shell(line));
    ASSERT(strstr(cli_read(cli_path("tty.txt"), seen), " % ") == NULL);
    RUNS(0, "cluster kmeans g/blobs1.svm");
    ASSERT_STR_EQ("", cli_last()->err);
    PASS();
}

/* One bar for all runs of a command. */
TEST progress_never_goes_back(void)
{
    static char seen[CLI_TEXT];
    char line[3 * CLI_PATH];
    int last = -1, lines = 0;
    if (cli_shell("script -qec true tty.txt >/dev/null 2>&1") != 0)
        SKIPm("no `script` to make a terminal");
    RUNS(0, "generate blobs --n 120 --out g");
    sprintf(line, "script -qec '%s compare g/blobs1.svm g/blobs2.svm; "
                  "sleep .1' tty.txt >/dev/null 2>&1",
            cli_program());
    ASSERT_EQ(0, cli_shell(line));
    cli_read(cli_path("tty.txt"), seen);
    for (const char *s = seen; (s = strstr(s, " % ")) != NULL; s++) {
        int percent = atoi(s - 3);
        ASSERT(percent >= last && percent <= 100);
        last = percent;
        lines++;
    }
    ASSERT(lines > 0);
    PASS();
}

TEST want_of_memory_says_how_much(void)
{
#if defined(__SANITIZE_ADDRESS__)
    SKIPm("a sanitizer needs room of its own");
#endif
    char program[2 * CLI_PATH];
    if (cli_emulator()[0] != '\0')
        SKIPm("an emulator needs room of its own");
    if (cli_shell("ulimit -v 30000 2>/dev/null") != 0)
        SKIPm("no limit on memory here");
    RUNS(0, "generate blobs --n 3000 --out g");
    sprintf(program, "ulimit -v 30000 && %s", cli_program());
    ASSERT_EQ(1, cli_start(program, "cluster ncut --k 3 g/blobs1.svm "
                           "--similarity cosine", 0));
    ERR_HAS("blobs1: the allocator could not supply the memory (");
    ERR_HAS(" MB are needed)");
    PASS();
}

/* Ctrl-C after so many seconds: 0.1 sh ... */
#define INTERRUPT "timeout --foreground --preserve-status -s INT "

/* Each run takes longer than the longest wait, and little memory: a trace has a
 * number for each iteration. */
TEST interrupt_stops_the_run_and_writes_nothing(void)
{
    static const char *const runs[] = {
        "cluster kmeans --restarts 1000000000 g/blobs1.svm --json w/j "
        "--out w",
        "compare --repeats 100000 g/blobs1.svm g/blobs2.svm --json w/j",
        "cluster mtcfir --iterations 10000000 --tolerance 0 g/blobs1.svm "
        "g/blobs2.svm --out w",
        "cluster mbc --restarts 1000000000 g/blobs1.svm g/blobs2.svm --save w/j",
        "cluster lssmtc --restarts 1000000000 g/blobs1.svm g/blobs2.svm --svg "
        "w/j",
        "relate --restarts 1000000000 g/blobs1.svm g/blobs2.svm --json w/j"};
    char program[2 * CLI_PATH];
    if (cli_shell(INTERRUPT "5 true 2>/dev/null") != 0)
        SKIPm("no `timeout` to send a signal");
    RUNS(0, "generate blobs --n 60 --out g");
    cli_shell("rm -rf w");
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        /* On a busy machine the signal may come before the program is ready
         * for it, and then ends it without a word: later, then. */
        static const char *const delays[] = {".3", "1", "3", "10"};
        for (size_t d = 0; d < 4; d++) {
            sprintf(program, INTERRUPT "%s %s",
                    delays[d], cli_program());
            ASSERT_EQ_FMTm(runs[i], 130, cli_start(program, runs[i], 0), "%d");
            if (cli_last()->err[0] != '\0')
                break;
        }
        ASSERT_STR_EQ("mtc: interrupted; nothing was written\n",
                      cli_last()->err);
        ASSERT_STR_EQ("", cli_last()->out);
        ASSERT(!cli_exists("w"));
    }
    PASS();
}

/* Nobody writes to the pipe, so that the program comes to no safe point.  On a
 * busy machine the signal may come too early: see above. */
TEST an_interrupt_ends_a_run_that_waits_for_data(void)
{
    static const char *const delays[] = {".3", "1", "3", "10"};
    char program[2 * CLI_PATH];
    if (cli_shell(INTERRUPT "5 true 2>/dev/null && "
                  "rm -f pipe.svm && mkfifo pipe.svm") != 0)
        SKIPm("no `timeout` or no pipe");
    for (size_t d = 0; d < 4; d++) {
        sprintf(program, INTERRUPT "-k 20 %s %s", delays[d], cli_program());
        ASSERT_EQ_FMT(130, cli_start(program, "cluster kmeans pipe.svm "
                      "<>pipe.svm --out w", 0), "%d");
        if (cli_last()->err[0] != '\0')
            break;
    }
    ASSERT_STR_EQ("mtc: interrupted; nothing was written\n", cli_last()->err);
    ASSERT_STR_EQ("", cli_last()->out);
    ASSERT(!cli_exists("w/pipe.labels"));
    PASS();
}

/* Runs what it is given.  Who reads its output sends Ctrl-C when the first byte
 * is there, and reads on only later: by then the program has begun to write, and
 * has more than a pipe holds. */
#define INTERRUPT_OUTPUT                                                  \
    "{ sh -c 'echo $$ >pid.txt; exec \"$@\"' sh \"$@\" 2>err.txt\n"       \
    "  echo $? >status.txt; } |\n"                                        \
    "{ dd bs=1 count=1 2>/dev/null; kill -INT $(cat pid.txt)\n"           \
    "  sleep 1; cat; }\n"                                                 \
    "cat err.txt >&2\n"                                                   \
    "exit $(cat status.txt)\n"

/* Where a signal ends a write, the rest is left out; elsewhere all of it is
 * there. */
TEST an_interrupt_does_not_deny_what_was_written(void)
{
    static char text[40000];
    char program[2 * CLI_PATH];
    size_t n = 0;
    if (cli_shell(INTERRUPT "5 true 2>/dev/null") != 0)
        SKIPm("no signals");
    for (int row = 0; row < 3; row++)
        for (int j = 0; j < 1500; j++)
            n += (size_t)sprintf(text + n, row == 0 ? "x%d%s" : "%d.5%s",
                                 row == 2 ? -3 - j : j, j < 1499 ? "," : "\n");
    cli_write("wide.csv", text);
    cli_write("interrupt.sh", INTERRUPT_OUTPUT);
    sprintf(program, "sh interrupt.sh %s", cli_program());
    int status = cli_start(program, "describe wide.csv --quiet --json -", 0);
    ASSERT_EQ('{', cli_last()->out[0]);
    if (status == 130)
        ASSERT_STR_EQ("mtc: interrupted; nothing more was written\n",
                      cli_last()->err);
    else {
        ASSERT_EQ_FMT(0, status, "%d");
        ASSERT_STR_EQ("", cli_last()->err);
        OUT_HAS("\"x1499\"");
    }
    PASS();
}

TEST names_as_long_as_the_system_allows_can_be_written(void)
{
    char name[300], args[1000];
    memset(name, 'n', 247);
    strcpy(name + 247, ".csv");
    cli_write(name, SQUARE);
    if (!cli_exists(name))
        SKIPm("no names of 251 letters here");
    sprintf(args, "cluster kmeans %s --json %.247s.json", name, name);
    ASSERT_EQ_FMT(0, cli(args), "%d");
    sprintf(args, "%.247s.json", name);
    ASSERT(cli_exists(args));
    PASS();
}

/* Appends the option names (\n  --NAME) of a help text that do not occur in
 * the page as \-\-NAME. */
static void options_missing(const char *help, const char *page, char *missing)
{
    for (const char *s = help; (s = strstr(s, "\n  --")) != NULL; s++) {
        char name[40], wanted[60];
        if (sscanf(s + 5, "%39[a-z0-9-]", name) != 1)
            continue;
        sprintf(wanted, " \\-\\-%s", name);
        const char *at = strstr(page, wanted);
        while (at != NULL && strchr(" \n", at[strlen(wanted)]) == NULL)
            at = strstr(at + 1, wanted);
        sprintf(wanted, "--%s ", name);
        if (at == NULL && strstr(missing, wanted) == NULL)
            strcat(missing, wanted);
    }
}

TEST manual_has_every_command_method_and_option(void)
{
    static char page[CLI_TEXT], usage[CLI_TEXT], missing[CLI_TEXT];
    cli_read("examples/mtc.1.in", page);
    if (page[0] == '\0')
        SKIPm("not run from the top of the source");
    RUNS(0, "help manual");
    strcat(page, cli_last()->out);
    RUNS(0, "help");
    strcpy(usage, cli_last()->out);
    missing[0] = '\0';
    /* Commands and methods: the words that begin a line of the usage. */
    for (const char *s = usage; (s = strstr(s, "\n  ")) != NULL; s++) {
        char name[40], args[60], wanted[60];
        int command = strncmp(s + 3, "mtc ", 4) == 0;
        if (sscanf(s + (command ? 7 : 3), "%39[a-z]", name) != 1)
            continue;
        if (strcmp(name, "help") == 0 || strcmp(name, "version") == 0)
            continue;
        sprintf(wanted, "\n.B %s\n", name);
        if (strstr(page, wanted) == NULL)
            sprintf(missing + strlen(missing), "%s ", name);
        sprintf(args, "help %s", name);
        ASSERT_EQ_FMTm(args, 0, cli(args), "%d");
        options_missing(cli_last()->out, page, missing);
    }
    ASSERT_STR_EQ("", missing);
    PASS();
}

/* The families mtc_X with a function mtc_X_defaults, and the other way round
 * whatever the page calls a function. */
TEST manual_of_the_library_has_every_family(void)
{
    static char page[CLI_TEXT], header[CLI_TEXT], missing[CLI_TEXT];
    char name[60], wanted[80];
    cli_read("examples/mtc.3", page);
    cli_read("mtc.h", header);
    cli_read("examples/advice/mtc_advice.h", header + strlen(header));
    if (page[0] == '\0' || header[0] == '\0')
        SKIPm("not run from the top of the source");
    missing[0] = '\0';
    for (const char *s = header; (s = strstr(s, " mtc_")) != NULL; s++) {
        char *end;
        if (sscanf(s + 1, "%59[a-z_](", name) != 1 ||
            (end = strstr(name, "_defaults")) == NULL || end[9] != '\0')
            continue;
        *end = '\0';
        sprintf(wanted, ".BR %s", name);        /* mtc_graph_build, too */
        if (strstr(page, wanted) == NULL)
            sprintf(missing + strlen(missing), "%s ", name);
    }
    for (const char *s = page; (s = strstr(s, ".BR mtc_")) != NULL; s++) {
        if (sscanf(s + 4, "%59[a-z_] (", name) != 1)
            continue;
        sprintf(wanted, "%s(", name);
        if (strcmp(name, "mtc") != 0 && strstr(header, wanted) == NULL)
            sprintf(missing + strlen(missing), "no %s ", name);
    }
    ASSERT_STR_EQ("", missing);
    PASS();
}

/* By whatever name: the file that is read is not written. */
TEST inputs_are_never_overwritten(void)
{
    cli_write("in.csv", "1,2\n2,1\n8,9\n9,8\n");
    RUNS(2, "cluster kmeans --k 2 in.csv --json in.csv");
    RUNS(2, "cluster kmeans --k 2 in.csv not-read.csv --svg ./in.csv");
    ASSERT(strstr(cli_last()->err, "is an input of this command") != NULL);
    RUNS(0, "cluster kmeans --k 2 in.csv --out spared");
    RUNS(2, "cluster kmeans --k 2 in.csv --init spared/in.labels --out spared");
    RUNS(0, "score spared/in.labels spared/in.labels");
    RUNS(0, "cluster kmeans --k 2 in.csv --json -");    /* it is still there */
    PASS();
}

SUITE(cli_run_suite)
{
    if (!cli_ready())
        return;
    RUN_TEST(there_is_room_for_files);
    SET_SETUP(cli_setup, NULL);
    RUN_TEST(bad_usage_says_what_is_allowed);
    RUN_TEST(options_may_stand_anywhere_and_take_equals);
    RUN_TEST(help_is_there_for_everything);
    RUN_TEST(version_is_the_library_s);
    RUN_TEST(json_goes_to_a_file_beside_the_table);
    RUN_TEST(json_escapes_odd_names);
    RUN_TEST(same_seed_same_output);
    RUN_TEST(memory_is_freed_on_every_way_out);
    RUN_TEST(run_that_fails_writes_nothing);
    RUN_TEST(files_are_replaced_as_wholes);
    RUN_TEST(devices_are_written_to_and_never_replaced);
    RUN_TEST(a_disk_that_fills_leaves_nothing);
    RUN_TEST(a_folder_without_rights_is_bad_data);
    RUN_TEST(files_without_permission_are_bad_data);
    RUN_TEST(progress_shows_on_a_terminal_alone);
    RUN_TEST(progress_never_goes_back);
    RUN_TEST(want_of_memory_says_how_much);
    RUN_TEST(interrupt_stops_the_run_and_writes_nothing);
    RUN_TEST(an_interrupt_ends_a_run_that_waits_for_data);
    RUN_TEST(an_interrupt_does_not_deny_what_was_written);
    RUN_TEST(names_as_long_as_the_system_allows_can_be_written);
    RUN_TEST(manual_has_every_command_method_and_option);
    RUN_TEST(manual_of_the_library_has_every_family);
    RUN_TEST(examples_print_what_they_promise);
    RUN_TEST(inputs_are_never_overwritten);
}
