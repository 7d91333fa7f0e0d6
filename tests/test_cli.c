/* SPDX-License-Identifier: MIT
 *
 * test_cli.c - the `mtc` program as a user meets it: files in, exit status,
 * tables, JSON and files out.  Every input is written by the test itself
 * into a directory beside the program; every expected value is worked out by
 * hand or comes from the golden cases.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../mtc.h"
#include "golden_ec.h"
#include "golden_emd.h"
#include "golden_fir.h"
#include "golden_graph.h"
#include "golden_lss.h"
#include "golden_mbc.h"
#include "golden_measures.h"
#include "golden_ttl.h"
#include "test_util.h"
#include "greatest.h"

#ifndef MTC_PROGRAM
#define MTC_PROGRAM "build/mtc"
#endif

/* ---- running it -------------------------------------------------------- */

enum { CLI_TEXT = 1 << 18, CLI_PATH = 1024 };

/* What the last run said. */
typedef struct cli_run {
    int status;
    char out[CLI_TEXT], err[CLI_TEXT];
} cli_run;

static cli_run *cli_last(void)
{
    static cli_run last;
    return &last;
}

/* The directory of the program. */
static const char *cli_beside(void)
{
    static char directory[CLI_PATH];
    const char *slash = strrchr(MTC_PROGRAM, '/');
    sprintf(directory, "%.*s", slash ? (int)(slash - MTC_PROGRAM) : 1,
            slash ? MTC_PROGRAM : ".");
    return directory;
}

/* The path of a file of ours; good for the next four calls. */
static const char *cli_path(const char *name)
{
    static char paths[4][CLI_PATH];
    static int turn;
    turn = (turn + 1) % 4;
    sprintf(paths[turn], "%s/cli_test/%s", cli_beside(), name);
    return paths[turn];
}

/* Reads a whole file into text [CLI_TEXT]; "" if there is none. */
static const char *cli_read(const char *path, char *text)
{
    FILE *f = fopen(path, "rb");
    size_t n = f ? fread(text, 1, CLI_TEXT - 1, f) : 0;
    text[n] = '\0';
    if (f)
        fclose(f);
    return text;
}

static void cli_write_bytes(const char *name, const char *text, size_t n)
{
    FILE *f = fopen(cli_path(name), "wb");
    if (f == NULL)
        return;
    fwrite(text, 1, n, f);
    fclose(f);
}

static void cli_write(const char *name, const char *text)
{
    cli_write_bytes(name, text, strlen(text));
}

/* Runs `program args` inside our directory: files are named without it.
 * The exit status, or -1 if a signal ended the program.  The search for
 * leaks at the end of a sanitized program takes seconds on some machines:
 * `leaks` asks for it. */
static int cli_start(const char *program, const char *args, int leaks)
{
    cli_run *r = cli_last();
    static char command[8 * CLI_PATH];
#if defined(__SANITIZE_ADDRESS__)
    const char *sanitizer = leaks ? "" : "ASAN_OPTIONS=detect_leaks=0 ";
#else
    const char *sanitizer = "";
    (void)leaks;
#endif
    sprintf(command, "cd '%s/cli_test' && %s%s %s >stdout.txt 2>stderr.txt",
            cli_beside(), sanitizer, program, args);
    int status = system(command);
#if defined(__unix__) || defined(__APPLE__)
    status = (status & 127) != 0 ? -1 : (status >> 8) & 255;
#endif
    cli_read(cli_path("stdout.txt"), r->out);
    cli_read(cli_path("stderr.txt"), r->err);
    return r->status = status;
}

/* The program's path as seen from our directory. */
static const char *cli_program(void)
{
    static char program[CLI_PATH];
    const char *slash = strrchr(MTC_PROGRAM, '/');
    sprintf(program, "../%s", slash ? slash + 1 : MTC_PROGRAM);
    return program;
}

static int cli(const char *args)
{
    return cli_start(cli_program(), args, 0);
}

/* Is there a program?  Cross builds have none and skip these tests. */
static int cli_ready(void)
{
    FILE *f = fopen(MTC_PROGRAM, "rb");
    if (f != NULL)
        fclose(f);
    return f != NULL;
}

/* All run in a directory beside the program that is empty at first. */
TEST there_is_room_for_files(void)
{
    static char command[2 * CLI_PATH];
    sprintf(command, "cd '%s' && rm -rf cli_test && mkdir cli_test",
            cli_beside());
    ASSERT_EQ(0, system(command));
    PASS();
}

/* ---- a little JSON ----------------------------------------------------- */

static const char *json_space(const char *s)
{
    return s + strspn(s, " \n");
}

/* What follows the value at s.  Strings are skipped as wholes. */
static const char *json_skip(const char *s)
{
    int depth = 0;
    do {
        if (*s == '"')
            for (s++; *s != '"' && *s != '\0'; s++)
                s += *s == '\\' && s[1] != '\0';
        else if (*s == '[' || *s == '{')
            depth++;
        else if (*s == ']' || *s == '}')
            depth--;
        else if (depth == 0)
            return s + strcspn(s, " ,]}\n");
        s += *s != '\0';
    } while (depth > 0 && *s != '\0');
    return s;
}

/* What follows the string, number or word at s, or NULL if none is there. */
static const char *json_scalar(const char *s)
{
    static const char *const words[] = {"true", "false", "null"};
    char *end;
    if (*s == '"')
        return json_skip(s);
    for (size_t i = 0; i < 3; i++)
        if (strncmp(s, words[i], strlen(words[i])) == 0)
            return s + strlen(words[i]);
    if (strchr("-0123456789", *s) == NULL)
        return NULL;
    (void)strtod(s, &end);
    return end;
}

/* Is the text one JSON value and nothing else? */
static int json_valid(const char *s)
{
    char open[32];
    int depth = 0;
    for (;;) {
        s = json_space(s);
        if (depth > 0 && open[depth - 1] == '{') {          /* a key */
            if (*s != '"' || *(s = json_skip(s)) != ':')
                return 0;
            s = json_space(s + 1);
        }
        if ((*s == '{' || *s == '[') && depth < 32) {
            open[depth++] = *s;
            s = json_space(s + 1);
            if (*s != open[depth - 1] + 2)      /* '}' and ']' in ASCII */
                continue;
        } else if ((s = json_scalar(s)) == NULL)
            return 0;
        for (s = json_space(s); depth > 0 && *s == open[depth - 1] + 2;
             s = json_space(s + 1))
            depth--;
        if (depth == 0)
            return *s == '\0';
        if (*s++ != ',')
            return 0;
    }
}

/* The value at a path such as "tasks.0.acc", or NULL. */
static const char *json_at(const char *s, const char *path)
{
    s = json_space(s);
    while (*path != '\0') {
        size_t n = strcspn(path, ".");
        int object = *s == '{';
        long index = object ? -1 : strtol(path, NULL, 10);
        if (*s != '{' && *s != '[')
            return NULL;
        for (s = json_space(s + 1);; s = json_space(s + 1)) {
            if (*s == ']' || *s == '}' || *s == '\0')
                return NULL;
            int found = object ? strncmp(s + 1, path, n) == 0 && s[n + 1] == '"'
                               : index-- == 0;
            if (object)
                s = json_space(json_skip(s) + 1);
            if (found)
                break;
            s = json_space(json_skip(s));
            if (*s != ',')
                return NULL;
        }
        path += n + (path[n] == '.');
    }
    return s;
}

/* A number of the last output, or a huge one if there is none. */
static double json_number(const char *path)
{
    const char *s = json_at(cli_last()->out, path);
    char *end;
    double x = s ? strtod(s, &end) : 1e300;
    return s && end != s ? x : 1e300;
}

/* The last value of the objective. */
static double json_loss(void)
{
    char path[40];
    sprintf(path, "objective.%d", (int)json_number("iterations"));
    return json_number(path);
}

/* Does the value at the path begin with that text? */
static int json_is(const char *path, const char *text)
{
    const char *s = json_at(cli_last()->out, path);
    return s != NULL && strncmp(s, text, strlen(text)) == 0;
}

/* The names of an object's members, in order, each with a space behind. */
static const char *json_members(const char *path)
{
    static char names[1024];
    const char *s = json_at(cli_last()->out, path);
    names[0] = '\0';
    if (s == NULL || *s != '{')
        return names;
    for (s = json_space(s + 1); *s == '"'; s = json_space(s + 1)) {
        sprintf(names + strlen(names), "%.*s ", (int)strcspn(s + 1, "\""),
                s + 1);
        s = json_space(json_skip(json_space(json_skip(s) + 1)));
        if (*s != ',')
            break;
    }
    return names;
}

#define JSON_NEAR(path, x) ASSERT_IN_RANGE(x, json_number(path), 1e-5)

#define OUT_HAS(s) ASSERTm(s, strstr(cli_last()->out, s) != NULL)
#define ERR_HAS(s) ASSERTm(s, strstr(cli_last()->err, s) != NULL)
#define RUNS(status, args)                                                \
    do {                                                                  \
        ASSERT_EQ_FMT(status, cli(args), "%d");                           \
        ASSERT(cli_last()->out[0] != '{' || json_valid(cli_last()->out)); \
    } while (0)

/* ---- data that several tests use --------------------------------------- */

/* Two obvious groups: a square's sides, ten apart. */
static const char *const SQUARE = "x,y,label\n0,0,5\n0,1,5\n10,0,7\n10,1,7\n";

static void cli_setup(void *unused)
{
    (void)unused;
    cli_write("a.csv", SQUARE);
    cli_write("b.csv", "x,y\n0,0\n0,2\n10,0\n10,2\n");
    cli_write("a.svm", "5 \n5 2:1\n7 1:10\n7 1:10 2:1\n");
    cli_write("good.txt", "0\n0\n1\n1\n");
    cli_write("bad.txt", "0\n1\n0\n1\n");
}

/* ---- clustering -------------------------------------------------------- */

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
    /* Every sample is half a unit from its centre: 4 * 0.25. */
    ASSERT_IN_RANGE(1.0, json_loss(), 1e-5);
    PASS();
}

TEST json_has_the_members_of_the_contract(void)
{
    RUNS(0, "cluster kmeans a.csv --json -");
    ASSERT_STR_EQ("method options seconds iterations converged objective "
                  "tasks relatedness correspondence ", json_members(""));
    ASSERT_STR_EQ("name n d k k_effective acc nmi ari labels ",
                  json_members("tasks.0"));
    ASSERT_STR_EQ("k init centers pool restarts pick iterations tolerance seed "
                  "preprocess labels out json svg quiet ",
                  json_members("options"));
    ASSERT(json_is("relatedness", "null"));
    ASSERT(json_is("correspondence", "null"));
    ASSERT(json_is("options.pick", "\"vote\""));
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
        "cluster pcakm --keep 1 a.csv --json -",
        "cluster ncut --sigma 4 a.csv --json -",
        "cluster ncut --similarity gaussian a.csv --json -",
        "cluster ncut r.csv --json -", "cluster snmf r.csv --json -",
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
    OUT_HAS("task         n        d    k      acc      nmi      ari  "
            "aligned\n");
    OUT_HAS("a            4        2    2   1.0000   1.0000   1.0000        "
            "-\n");
    ASSERT(strstr(cli_last()->out, "mean") == NULL);
    RUNS(0, "cluster kmeans --k 2 b.csv");
    OUT_HAS("b            4        2    2        -        -        -        "
            "-\n");
    RUNS(0, "cluster kmeans a.csv a.svm");
    OUT_HAS("mean                           1.0000   1.0000   1.0000        "
            "-\n");
    ASSERT_STR_EQ("", cli_last()->err);
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

TEST aligned_uses_one_matching_for_all_tasks(void)
{
    /* The same two points in both tasks with classes swapped: each task by
     * itself is perfect, one matching can serve one of them only. */
    cli_write("one.csv", "x,label\n0,1\n9,2\n0,1\n");
    cli_write("other.csv", "x,label\n0,2\n9,1\n");
    RUNS(0, "cluster kmeans --pool one.csv other.csv");
    OUT_HAS("one          3        1    2   1.0000   1.0000   1.0000   "
            "1.0000\n");
    OUT_HAS("other        2        1    2   1.0000   1.0000   1.0000   "
            "0.0000\n");
    OUT_HAS("mean                           1.0000   1.0000   1.0000   "
            "0.5000\n");
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
    RUNS(2, "cluster kmeans b.csv");
    ERR_HAS("b has no labels to count classes by: give --k");
    RUNS(2, "cluster kmeans a.csv --labels none");
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

TEST warnings_tell_of_unused_clusters(void)
{
    cli_write("same.csv", "1,1\n1,1\n1,1\n");
    RUNS(0, "cluster kmeans --k 2 same.csv");
    ERR_HAS("mtc: warning: same: only 1 of 2 clusters are in use");
    RUNS(0, "cluster kmeans --k 2 --quiet same.csv");
    ASSERT_STR_EQ("", cli_last()->err);
    ASSERT_STR_EQ("", cli_last()->out);
    PASS();
}

/* How often does `what` occur in the text? */
static int occurrences(const char *s, const char *what)
{
    int n = 0;
    for (; (s = strstr(s, what)) != NULL; s++)
        n++;
    return n;
}

/* The samples of a picture: each begins a line `M x,y` or follows d=". */
static int svg_samples(const char *svg)
{
    int n = 0;
    for (const char *s = svg; (s = strstr(s, "fill-opacity=\"0.8\" d=\"")) !=
                              NULL;) {
        const char *end = strstr(s, "/>");
        for (s = strchr(s, 'M'); s != NULL && s < end; s = strchr(s + 1, 'M'))
            n++;
        s = end;
    }
    return n;
}

TEST svg_is_a_picture_with_every_sample(void)
{
    static char svg[CLI_TEXT];
    cli_write("t&<x>.csv", SQUARE);
    RUNS(0, "cluster kmeans a.csv 't&<x>.csv' --svg p.svg");
    cli_read(cli_path("p.svg"), svg);
    ASSERT(strncmp(svg, "<?xml", 5) == 0);
    ASSERT(strstr(svg, "</svg>\n") != NULL);
    ASSERT(strstr(svg, "t&#38;&#60;x&#62;") != NULL);
    ASSERT(strstr(svg, "nan") == NULL);
    ASSERT_EQ_FMT(8, svg_samples(svg), "%d");
    /* The long side spans the inner 212 of 260, the short one a tenth of it
     * around the middle. */
    ASSERT(strstr(svg, "M24.00,") && strstr(svg, "M236.00,"));
    ASSERT(strstr(svg, ",119.40m") && strstr(svg, ",140.60m"));
    PASS();
}

TEST svg_goes_to_standard_output_alone(void)
{
    RUNS(0, "cluster kmeans a.csv --svg -");
    OUT_HAS("</svg>");
    ASSERT(strstr(cli_last()->out, "task ") == NULL);
    RUNS(2, "cluster kmeans a.csv --svg - --json -");
    ERR_HAS("--json and --svg both go to -");
    PASS();
}

TEST svg_leaves_out_what_a_method_has_not(void)
{
    static char svg[CLI_TEXT];
    RUNS(0, "cluster kmeans --k 2 a.csv b.csv --svg p.svg --quiet");
    cli_read(cli_path("p.svg"), svg);
    ASSERT(strstr(svg, ">relatedness<") == NULL);
    ASSERT(strstr(svg, "fill-opacity=\"0.4\"") == NULL);     /* ribbons */
    ASSERT(strstr(svg, "equal marks do not mean") != NULL);
    RUNS(0, "transfer svm --source a.csv --target b.csv --svg p.svg --quiet");
    cli_read(cli_path("p.svg"), svg);
    ASSERT(strstr(svg, ">objective") == NULL);
    ASSERT(strstr(svg, ">class<") != NULL);
    PASS();
}

TEST svg_shows_correspondence_relatedness_and_objective(void)
{
    static char svg[CLI_TEXT];
    RUNS(0, "cluster lssmtc --k 2 a.csv b.csv a.csv --svg p.svg --quiet");
    cli_read(cli_path("p.svg"), svg);
    ASSERT_EQ_FMT(12, svg_samples(svg), "%d");
    ASSERT_EQ_FMT(4, occurrences(svg, "fill-opacity=\"0.4\""), "%d");
    ASSERT_EQ_FMT(1, occurrences(svg, ">relatedness<"), "%d");
    ASSERT_EQ_FMT(9, occurrences(svg, "height=\"26\""), "%d");
    ASSERT_EQ_FMT(1, occurrences(svg, "<polyline"), "%d");
    ASSERT(strstr(svg, ">20 iterations<") != NULL);
    ASSERT(strstr(svg, "Matched clusters have the same colour") != NULL);
    /* Light as it stands, dark where the reader asks for it. */
    ASSERT(strstr(svg, "prefers-color-scheme:dark") != NULL);
    ASSERT(strstr(svg, "fill=\"#ffffff\"") != NULL);
    RUNS(0, "cluster kmeans --k 2 --pick loss a.csv b.csv --svg p.svg "
            "--quiet");
    ASSERT_EQ_FMT(4, occurrences(cli_read(cli_path("p.svg"), svg),
                                 "<polyline"), "%d");   /* and the legend's */
    /* snmf's start is far above all that follows, unless the graph is tiny. */
    RUNS(0, "generate blobs --n 40 --tasks 1 --out g");
    RUNS(0, "cluster snmf g/blobs1.svm --svg p.svg --json -");
    cli_read(cli_path("p.svg"), svg);
    ASSERT(json_number("objective.0.0") > 10 * json_number("objective.0.1"));
    ASSERT(strstr(svg, ">objective after the first step<") != NULL);
    ASSERT(strstr(svg, ">1</text>") != NULL);
    PASS();
}

TEST svg_of_many_samples_shows_all(void)
{
    static char svg[CLI_TEXT];
    RUNS(0, "generate blobs --n 1500 --tasks 1 --out g");
    RUNS(0, "cluster kmeans --restarts 1 g/blobs1.svm --svg p.svg");
    cli_read(cli_path("p.svg"), svg);
    ASSERT_EQ_FMT(1500, svg_samples(svg), "%d");
    PASS();
}

TEST svg_shortens_long_names_and_takes_many_clusters(void)
{
    static char svg[CLI_TEXT];
    RUNS(0, "generate blobs --n 60 --tasks 8 --out g");
    RUNS(0, "cluster kmeans --k 20 g/blobs1.svm g/blobs2.svm g/blobs3.svm "
            "g/blobs4.svm g/blobs5.svm g/blobs6.svm g/blobs7.svm g/blobs8.svm "
            "--svg p.svg --quiet");
    cli_read(cli_path("p.svg"), svg);
    ASSERT_EQ_FMT(480, svg_samples(svg), "%d");
    ASSERT(strstr(svg, "viewBox=\"0 0 1040 ") != NULL);      /* rows of 4 */
    cli_write("a_name_that_goes_on_and_on_and_on_and_on_for_ever_2026.csv",
              SQUARE);
    RUNS(0, "cluster kmeans --svg p.svg --quiet "
            "a_name_that_goes_on_and_on_and_on_and_on_for_ever_2026.csv");
    ASSERT(strstr(cli_read(cli_path("p.svg"), svg),
                  ">a_name_that_goes_on_a..r_ever_2026<") != NULL);
    PASS();
}

TEST svg_of_data_without_spread_is_fine(void)
{
    static char svg[CLI_TEXT];
    cli_write("same.csv", "1,1\n1,1\n");
    RUNS(0, "cluster kmeans --k 1 same.csv --svg p.svg");
    cli_read(cli_path("p.svg"), svg);
    ASSERT(strstr(svg, "nan") == NULL && strstr(svg, "inf") == NULL);
    PASS();
}

/* ---- preprocessing: k-means with one cluster measures the spread ------- */

TEST preprocess_l2_gives_unit_rows(void)
{
    cli_write("rays.csv", "3,4\n6,8\n");
    RUNS(0, "cluster kmeans --k 1 --preprocess l2 rays.csv --json -");
    ASSERT_IN_RANGE(0.0, json_loss(), 1e-5);
    ASSERT(json_is("options.preprocess", "\"l2\""));
    PASS();
}

TEST preprocess_zscore_standardises_over_all_tasks(void)
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
    for (int i = 0; i < 60; i++)
        strcat(text, "1 1000000:1\n");
    cli_write("wide.svm", text);
    RUNS(1, "cluster kmeans --preprocess zscore wide.svm");
    ERR_HAS("wide.svm: --preprocess zscore would make 60 x 1000000 sparse");
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
    ASSERT_IN_RANGE(1.0, json_number("objective.0.0"), 1e-5);
    ASSERT_IN_RANGE(1.0, json_number("objective.1.0"), 1e-5);
    RUNS(0, "relate huge.svm a.csv --json -");
    JSON_NEAR("complexity.0", 1);
    RUNS(0, "cluster kmeans --preprocess tfidf huge.svm");
    RUNS(0, "cluster kmeans --pool huge.svm a.csv");
    PASS();
}

/* ---- formats ----------------------------------------------------------- */

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
        {"e.svm", "1 1:1\n\n2 0:1\n", "e.svm:3: index 0"},
        {"e.svm", "1 2:1 1:1\n", "e.svm:1: index 1 comes after 2"},
        {"e.svm", "1 2:1 2:1\n", "e.svm:1: index 2 comes after 2"},
        {"e.svm", "1 1:nan\n", "e.svm:1: value 'nan' of index 1 is not a "
                               "finite number"},
        {"e.svm", "1 1:-inf\n", "is not a finite number"},
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
        {"e.csv", "1,2\n3\n", "e.csv:2: 1 fields, but 2 before"},
        {"e.csv", "a,b\n1,2\n1,2,3\n", "e.csv:3: 3 fields, but 2 before"},
        {"e.csv", "1,2\n1,x\n", "e.csv:2: column 2, 'x', is not a number"},
        {"e.csv", "1,2\n1,\n", "e.csv:2: column 2, '', is empty"},
        {"e.csv", "1,x\n1,2\n", "e.csv:1: column 2, 'x', is not a number"},
        {"e.csv", "1,2,cat\n3,4,dog\n", "e.csv:1: column 3, 'cat', is not a "
                                        "number"},
        {"e.csv", "1,nan\n1,2\n", "e.csv:1: column 2, 'nan', is not a "
                                  "finite"},
        {"e.csv", "1,2\n1,Inf\n", "e.csv:2: column 2, 'Inf', is not a "
                                  "finite"},
        {"e.csv", "1,2\n1,2 3\n", "e.csv:2: column 2, '2 3', is not a number"},
        {"e.csv", "1 2\n3 4\n", "e.csv:1: column 1, '1 2', is not a number"},
        {"e.csv", "a,b\n", "e.csv:1: no samples"},
        {"e.csv", "", "e.csv:1: no samples"},
        {"e.csv", "x,label\n1,\n", "e.csv:2: the label is empty"},
        {"e.csv", "x,y\n1,\"2\n", "e.csv:2: a quote is not closed"},
        {"e.csv", "x,y\n1,\"2\"3\n", "e.csv:2: text after a closing quote"},
        {"e.csv", "x,label\n1,\"a\nb\"\n1\n", "e.csv:4: 1 fields"},
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
    RUNS(1, "cluster kmeans a.csv --labels colour");
    ERR_HAS("a.csv:1: no column is named colour");
    RUNS(0, "generate blobs --out dir.csv");
    RUNS(1, "cluster kmeans --k 1 dir.csv");
    ERR_HAS("mtc: dir.csv: cannot be read: ");
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
    RUNS(1, "cluster kmeans head.csv --labels last");
    ERR_HAS("head.csv:2: label 'y' is a word, all others are numbers");
    RUNS(0, "cluster kmeans head.csv --labels y --json -");
    JSON_NEAR("tasks.0.n", 2);
    PASS();
}

/* ---- usage ------------------------------------------------------------- */

TEST bad_usage_is_told_with_what_is_allowed(void)
{
    static const struct { const char *args, *message; } bad[] = {
        {"", "a command is missing"},
        {"frobnicate", "unknown command frobnicate"},
        {"cluster", "cluster needs a method; known: kmeans pcakm ncut snmf"},
        {"cluster nonsense a.csv", "unknown method nonsense; known: kmeans"},
        {"cluster svm a.csv", "svm is a method of `mtc transfer`"},
        {"transfer kmeans", "kmeans is a method of `mtc cluster`"},
        {"transfer", "known: svm gfhf llgc tsvm lssttc"},
        {"cluster kmeans", "at least one TASK file"},
        {"cluster kmeans --colour red a.csv", "unknown option --colour"},
        {"cluster kmeans --mode pca a.csv", "--mode is not an option of kmeans"},
        {"cluster kmeans --sigma 1 a.csv", "--sigma is not an option of"},
        {"cluster kmeans -k 2 a.csv", "-k: options begin with two dashes"},
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
        {"cluster kmeans a.csv --pick best", "--pick best: expected one of "
                                             "vote|loss"},
        {"cluster kmeans a.csv --preprocess magic",
         "--preprocess magic: expected one of none|l2|tfidf|zscore"},
        {"cluster kmeans a.csv --preprocess l", "--preprocess l: expected"},
        {"cluster kmeans a.csv --pool=yes", "--pool takes no value"},
        {"cluster kmeans a.csv --init a,,b", "--init a,,b: expected FILE"},
        {"cluster kmeans a.csv --out ''", "--out : expected DIR"},
        {"cluster pcakm a.csv --keep 0", "--keep 0: expected a number in "
                                         "(0,1]"},
        {"cluster pcakm a.csv --keep 1.1", "(0,1]"},
        {"cluster ncut a.csv --sigma 0", "(0,inf)"},
        {"cluster ncut a.csv --similarity cosine --sigma 1",
         "--sigma is for --similarity gaussian"},
        {"cluster ncut a.csv --sigma 1e-200", "--sigma 1e-200: its square"},
        {"cluster lssmtc a.csv --offset 101", "[0,100]"},
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
        {"generate moons --k 3 --out g", "--k: moons takes 2"},
        {"generate blobs --n 0 --out g", "--n 0"},
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
    ERR_HAS("--seed: unknown kind of file");
    PASS();
}

TEST help_is_there_for_everything(void)
{
    static const char *const topics[] = {
        "cluster", "transfer", "relate", "compare", "emd",
        "centroid", "score", "bridge", "generate", "demo",
        "kmeans", "pcakm", "ncut", "snmf", "asi", "lssmtc", "svm", "gfhf", "llgc",
        "tsvm", "lssttc", "mbc"};
    RUNS(0, "help");
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
    ASSERT(json_is("tasks.0.name", "\"q\\\"b\\\\?\""));
    PASS();
}

/* ---- transfer ---------------------------------------------------------- */

TEST every_transfer_method_labels_the_obvious_target(void)
{
    static const char *const runs[] = {
        "transfer svm --source a.csv --target t.svm --json -",
        "transfer svm --kernel rbf --gamma .1 --source a.csv --target t.svm "
        "--json -",
        "transfer svm --source a.csv a.svm --target t.svm --json -",
        "transfer gfhf --source a.csv --target t.svm --json -",
        "transfer llgc --mu .5 --source a.csv --target t.svm --json -",
        "transfer gfhf --neighbors 2 --source a.csv --source a.svm "
        "--target t.svm --json -"};
    cli_write("t.svm", "7 1:9\n5 2:.5\n7 1:11 2:1\n");
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        ASSERT_EQ_FMTm(runs[i], 0, cli(runs[i]), "%d");
        ASSERTm(runs[i], json_is("tasks.0.labels", "[1, 0, 1]"));
        ASSERT(json_is("tasks.0.name", "\"t\""));
        ASSERT(json_is("classes", "[5, 7]"));
        JSON_NEAR("tasks.0.acc", 1);
        JSON_NEAR("tasks.0.k", 2);
        ASSERT(json_is("converged", "true"));
        ASSERT(json_at(cli_last()->out, "tasks.1") == NULL);
    }
    PASS();
}

TEST transfer_accuracy_is_direct(void)
{
    /* Every sample is told apart but named the wrong way round. */
    cli_write("swap.csv", "x,y,label\n0,0,7\n0,1,7\n10,0,5\n10,1,5\n");
    RUNS(0, "transfer svm --source a.csv --target swap.csv --json -");
    JSON_NEAR("tasks.0.acc", 0);
    JSON_NEAR("tasks.0.nmi", 1);
    JSON_NEAR("tasks.0.ari", 1);
    PASS();
}

TEST class_that_no_source_has_is_never_right(void)
{
    cli_write("new.csv", "x,y,label\n0,0,5\n0,1,1\n10,0,7\n10,1,0\n");
    RUNS(0, "transfer svm --source a.csv --target new.csv --json -");
    ASSERT(json_is("tasks.0.labels", "[0, 0, 1, 1]"));
    JSON_NEAR("tasks.0.acc", 0.5);
    PASS();
}

TEST transfer_needs_labels_in_the_source_alone(void)
{
    static char labels[CLI_TEXT];
    RUNS(1, "transfer svm --source b.csv --target a.csv");
    ERR_HAS("b.csv: a source needs labels");
    RUNS(0, "transfer svm --source a.csv --target b.csv --out o");
    OUT_HAS("b            4        2    2        -        -        -");
    ASSERT_STR_EQ("0\n0\n1\n1\n", cli_read(cli_path("o/b.labels"), labels));
    PASS();
}

TEST target_keeps_its_name_beside_a_source_of_the_same(void)
{
    RUNS(0, "transfer svm --source a.csv --target a.svm --json -");
    ASSERT(json_is("tasks.0.name", "\"a\""));
    PASS();
}

TEST svm_reports_gamma_as_used(void)
{
    RUNS(0, "transfer svm --kernel rbf --source a.csv --target b.csv --json -");
    JSON_NEAR("options.gamma", 0.5);            /* 1/d */
    ASSERT(json_number("gap") <= 1e-3);
    RUNS(0, "transfer svm --source a.csv --target b.csv --json -");
    ASSERT(json_is("options.gamma", "null"));
    ASSERT(json_is("options.source", "[\"a.csv\"]"));
    ASSERT(json_is("objective", "[]"));
    PASS();
}

TEST class_names_carry_over_from_source_to_target(void)
{
    cli_write("words1.csv", "x,label\n0,cat\n1,cat\n9,dog\n10,dog\n");
    cli_write("words2.csv", "label,x\ndog,9.5\ncat,.5\n");
    RUNS(0, "transfer svm --source words1.csv --target words2.csv --json -");
    ASSERT(json_is("tasks.0.labels", "[1, 0]"));
    ASSERT(json_is("classes", "[\"cat\", \"dog\"]"));
    JSON_NEAR("tasks.0.acc", 1);
    PASS();
}

/* ---- emd, score, relate ------------------------------------------------ */

TEST emd_of_two_by_two_by_hand(void)
{
    /* Only row 0 has enough for column 0; sending anything from row 1 to
     * column 0 costs 2 more a unit. */
    cli_write("c.csv", "1,2\n4,3\n");
    cli_write("s.txt", ".75\n.25\n");
    cli_write("h.txt", "0.5\n0.5\n");
    RUNS(0, "emd c.csv --supply s.txt --demand h.txt --json -");
    ASSERT_STR_EQ("cost plan row_dual column_dual gap pivots ",
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
    ERR_HAS("supply 3 and demand 1");
    RUNS(1, "emd c.csv --supply n.txt");
    ERR_HAS("n.txt:2: '-1' is out of range: below 0");
    RUNS(1, "emd c.csv --demand l.txt");
    ERR_HAS("l.txt: 3 numbers for 2 columns");
    RUNS(1, "emd c.csv --demand x.txt");
    ERR_HAS("x.txt:2: 'x' is not a number");
    RUNS(1, "emd bad.csv");
    ERR_HAS("bad.csv:2: column 2, 'oops'");
    RUNS(1, "emd none.csv");
    PASS();
}

/* Numbers, `width` to a line with commas between them, as NAME. */
static void write_numbers(const char *name, size_t n, size_t width,
                          const double *x)
{
    static char text[CLI_TEXT];
    char *at = text;
    for (size_t e = 0; e < n; e++)
        at += sprintf(at, "%.17g%c", x[e], e % width == width - 1 ? '\n' : ',');
    cli_write(name, text);
}

/* A matrix [n*d], with labels behind each row unless NULL, as NAME. */
static void write_rows(const char *name, size_t n, size_t d, const double *X,
                       const int *labels)
{
    static char text[CLI_TEXT];
    char *at = text;
    for (size_t j = 0; j < d && labels != NULL; j++)
        at += sprintf(at, "x%d,%s", (int)j, j + 1 == d ? "label\n" : "");
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < d; j++)
            at += sprintf(at, "%s%.17g", j == 0 ? "" : ",", X[i * d + j]);
        at += labels != NULL ? sprintf(at, ",%d\n", labels[i])
                             : sprintf(at, "\n");
    }
    cli_write(name, text);
}

/* Labels, one a line, as NAME. */
static void write_labels(const char *name, size_t n, const int *labels)
{
    static char text[CLI_TEXT];
    char *at = text;
    for (size_t i = 0; i < n; i++)
        at += sprintf(at, "%d\n", labels[i]);
    cli_write(name, text);
}

TEST score_agrees_with_the_golden_case(void)
{
    cli_write("p.labels", "2\n1\n0\n2\n2\n2\n0\n1\n1\n0\n");
    cli_write("t.labels", "0\n0\n1\n0\n2\n0\n2\n2\n2\n2\n");
    RUNS(0, "score p.labels t.labels --json -");
    ASSERT_STR_EQ("acc nmi ari purity ", json_members(""));
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
    ASSERT_STR_EQ("mmd a_distance emd complexity ", json_members(""));
    JSON_NEAR("mmd.0.1", 0);
    JSON_NEAR("mmd.1.0", 0);
    JSON_NEAR("emd.0.1", 0);
    JSON_NEAR("mmd.0.0", 0);
    /* Both features are positive in half of the samples. */
    JSON_NEAR("complexity.0", 0);
    PASS();
}

TEST relate_measures_a_shift(void)
{
    write_numbers("complex.csv", 225, 9, complexity_X);     /* worked case */
    RUNS(0, "relate complex.csv complex.csv --json -");
    JSON_NEAR("complexity.0", 1.0 / 9);
    JSON_NEAR("complexity.1", 1.0 / 9);
    cli_write("near.csv", "x,label\n0,1\n0,1\n4,2\n4,2\n");
    cli_write("far.csv", "x,label\n1,1\n1,1\n5,2\n5,2\n");
    RUNS(0, "relate near.csv far.csv --json -");
    JSON_NEAR("emd.0.1", 1);        /* each cluster moves by 1, squared */
    ASSERT(json_number("mmd.0.1") > 0.01);
    ASSERT_EQ(json_number("mmd.0.1"), json_number("mmd.1.0"));
    ASSERT(json_number("a_distance.0.1") >= 0);
    ASSERT(json_number("a_distance.0.1") <= 2);
    RUNS(0, "relate near.csv far.csv");
    OUT_HAS("mmd ");
    OUT_HAS("a_distance ");
    OUT_HAS("emd ");
    OUT_HAS("complexity");
    PASS();
}

TEST relate_without_k_leaves_the_emd_out(void)
{
    RUNS(0, "relate a.csv b.csv --json -");
    ERR_HAS("b has no labels");
    ASSERT(json_is("emd", "null"));
    RUNS(0, "relate a.csv b.csv --k 2 --json -");
    /* Centres (0,.5) and (10,.5) go to (0,1) and (10,1). */
    JSON_NEAR("emd.0.1", 0.25);
    PASS();
}

/* ---- generate, demo, examples ------------------------------------------ */

TEST generated_data_is_the_same_for_a_seed(void)
{
    static char one[CLI_TEXT], two[CLI_TEXT];
    static const char *const names[] = {"blobs", "siblings", "strangers",
                                        "text", "moons"};
    for (size_t i = 0; i < 5; i++) {
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

/* Every method there is, as a command and in one of the two tables. */
/* `mtc demo`, and beside it, to be quick, `mtc demo --out kept`: output in
 * kept.txt, once for both tests. */
static int both_demos(void)
{
    static char args[8 * CLI_PATH], first[CLI_PATH];
    static int status = -1;
    if (status >= 0) {
        cli_read(cli_path("demo.txt"), cli_last()->out);
        cli_read(cli_path("stderr.txt"), cli_last()->err);
        return status;
    }
    sprintf(first, "{ %s", cli_program());
    sprintf(args, "demo --out kept >kept.txt & %s demo >demo.txt; s=$?; "
            "wait $! && exit $s; }", cli_program());
    status = cli_start(first, args, 0);
    cli_read(cli_path("demo.txt"), cli_last()->out);
    return status;
}

TEST demo_shows_every_method_and_writes_nothing(void)
{
    static const char *const parts[] = {
        "mtc generate blobs", "mtc cluster lssmtc --guard", "mtc relate",
        "mtc emd", "mtc score", "mtc bridge", "nothing is written",
        "Does sharing between tasks help?", "best single",
        "unrelated, 4 x 30", "what is a labelled source worth?"};
    static const char *const methods[] = {
        "cluster kmeans", "cluster pcakm", "cluster ncut", "cluster snmf",
        "cluster auto", "cluster lssmtc", "cluster mbc", "cluster mtcfir",
        "cluster ec", "transfer svm", "transfer gfhf", "transfer llgc",
        "transfer tsvm", "transfer lssttc", "transfer ttl", "transfer trec"};
    static char text[CLI_TEXT];
    ASSERT_EQ(0, both_demos());
    const char *tables = strstr(cli_last()->out, "Does sharing between");
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        OUT_HAS(parts[i]);
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        char command[40];
        sprintf(command, "$ mtc %s ", methods[i]);
        OUT_HAS(command);
        if (strstr("cluster pcakm cluster ncut", methods[i]) == NULL)
            ASSERTm(methods[i],
                    strstr(tables, strchr(methods[i], ' ') + 1) != NULL);
    }
    ASSERT_STR_EQ("", cli_last()->err);
    ASSERT_STR_EQ("", cli_read(cli_path("demo/blobs1.svm"), text));
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
    static const char *const names[] = {"quickstart", "static_memory"};
    static char expected[CLI_TEXT];
    for (size_t i = 0; i < 2; i++) {
        char path[100], program[100];
        sprintf(path, "examples/%s.c", names[i]);
        expected_output(path, expected);
        if (expected[0] == '\0')
            SKIPm("not run from the top of the source");
        sprintf(program, "../%s", names[i]);
        ASSERT_EQ_FMTm(names[i], 0, cli_start(program, "", 0), "%d");
        ASSERT_STR_EQ(expected, cli_last()->out);
    }
    PASS();
}

/* ---- files: whole or not at all ------------------------------------------ */

/* Is there a file of that name? */
static int cli_exists(const char *name)
{
    FILE *f = fopen(cli_path(name), "rb");
    if (f != NULL)
        fclose(f);
    return f != NULL;
}

/* Runs a line of shell in our directory: its exit status. */
static int cli_shell(const char *line)
{
    static char command[4 * CLI_PATH];
    sprintf(command, "cd '%s/cli_test' && %s", cli_beside(), line);
    int status = system(command);
#if defined(__unix__) || defined(__APPLE__)
    status = (status & 127) != 0 ? -1 : (status >> 8) & 255;
#endif
    return status;
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
                               "'a.labels j s '"), "%d");
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

/* ---- progress and Ctrl-C ------------------------------------------------- */

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

TEST want_of_memory_is_told_with_how_much(void)
{
#if defined(__SANITIZE_ADDRESS__)
    SKIPm("a sanitizer needs room of its own");
#endif
    char program[2 * CLI_PATH];
    if (cli_shell("ulimit -v 30000 2>/dev/null") != 0)
        SKIPm("no limit on memory here");
    RUNS(0, "generate blobs --n 3000 --out g");
    sprintf(program, "ulimit -v 30000 && %s", cli_program());
    ASSERT_EQ(1, cli_start(program, "cluster ncut --k 3 g/blobs1.svm", 0));
    ERR_HAS("blobs1: the allocator could not supply the memory (");
    ERR_HAS(" MB at once)");
    PASS();
}

TEST interrupt_stops_the_run_and_writes_nothing(void)
{
    static const char *const runs[] = {
        "cluster kmeans --pick loss --restarts 1000000000 g/blobs1.svm --json w/j --out w",
        "compare --repeats 100000 g/blobs1.svm g/blobs2.svm --json w/j"};
    char program[2 * CLI_PATH];
    if (cli_shell("timeout --foreground --preserve-status -s INT 5 true 2>/dev/null") != 0)
        SKIPm("no `timeout` to send a signal");
    RUNS(0, "generate blobs --n 60 --out g");
    cli_shell("rm -rf w");
    for (size_t i = 0; i < 2; i++) {
        /* On a busy machine the signal may come before the program is ready
         * for it, and then ends it without a word: later, then. */
        static const char *const delays[] = {".3", "1", "3", "10"};
        for (size_t d = 0; d < 4; d++) {
            sprintf(program, "timeout --foreground --preserve-status -s INT %s %s",
                    delays[d], cli_program());
            ASSERT_EQ_FMTm(runs[i], 130, cli_start(program, runs[i], 0), "%d");
            if (cli_last()->err[0] != '\0')
                break;
        }
        ASSERT_STR_EQ("mtc: interrupted; nothing was written\n",
                      cli_last()->err);
        ASSERT_STR_EQ("", cli_last()->out);
        ASSERT(!cli_exists("w/j") && !cli_exists("w/blobs1.labels"));
    }
    PASS();
}

TEST interrupts_end_a_run_that_waits_for_data(void)
{
    char program[2 * CLI_PATH];
    if (cli_shell("timeout --foreground --preserve-status -s INT 5 true 2>/dev/null && "
                  "rm -f pipe.svm && mkfifo pipe.svm") != 0)
        SKIPm("no `timeout` or no pipe");
    /* Nobody writes to the pipe.  Where reading goes on after the first
     * signal, the second one ends the program.  On a busy machine both may
     * arrive as one: then the program is killed, and it is tried again. */
    static const char *const delays[3][2] = {{".2", ".4"}, {"1", "3"},
                                             {"4", "10"}};
    int status = 137;
    for (size_t i = 0; i < 3 && status == 137; i++) {
        sprintf(program, "timeout --foreground --preserve-status -s INT %s timeout "
                "--preserve-status -k 20 -s INT %s %s", delays[i][1],
                delays[i][0], cli_program());
        status = cli_start(program, "cluster kmeans pipe.svm <>pipe.svm", 0);
    }
    ASSERT(status == 130 || status == -1);
    ASSERT_STR_EQ("", cli_last()->out);
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

/* ---- compare ------------------------------------------------------------- */

/* The index of the row of that method and kind, or -1. */
static int compare_row(const char *method, const char *kind)
{
    for (int i = 0;; i++) {
        char path[60], text[60];
        sprintf(path, "rows.%d", i);
        if (json_at(cli_last()->out, path) == NULL)
            return -1;
        sprintf(path, "rows.%d.method", i);
        sprintf(text, "\"%s\"", method);
        if (!json_is(path, text))
            continue;
        sprintf(path, "rows.%d.kind", i);
        sprintf(text, "\"%s\"", kind);
        if (json_is(path, text))
            return i;
    }
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
    RUNS(0, "compare g/blobs1.svm g/blobs2.svm --repeats 1 --json -");
    const char *s = strstr(help, "\nMethods"), *name;
    int methods = 0;
    while ((name = next_listed(&s)) != NULL) {
        ASSERTm(name, compare_row(name, "single") >= 0 ||
                      compare_row(name, "shared") >= 0);
        methods++;
    }
    ASSERT(methods >= 6);
    ASSERT(compare_row("kmeans", "pooled") > 0);
    ASSERT(compare_row("lssmtc", "shared") > 0);
    ASSERT_EQ(-1, compare_row("lssmtc", "shared control"));
    ASSERT_STR_EQ("options truth rows best_single best_shared difference "
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
     * are 1/2 from their centres in a and 1 in b. */
    RUNS(0, "compare --k 2 a.csv b.csv --json -");
    ASSERT(json_is("truth", "false"));
    ASSERT_IN_RANGE(1.0, compare_number("kmeans", "single", "stability.mean"),
                    1e-6);
    ASSERT_IN_RANGE(0.625, compare_number("kmeans", "single", "loss.mean"),
                    1e-5);
    ASSERT_IN_RANGE(0.25, compare_number("kmeans", "single", "tasks.0.loss"),
                    1e-5);
    ASSERT_IN_RANGE(0.625, compare_number("kmeans", "pooled", "loss.mean"),
                    1e-5);
    JSON_NEAR("difference.mean", 0);
    ASSERT(strstr(cli_last()->out, "No clear answer") != NULL);
    ASSERT(strstr(cli_last()->out, "Stable is not the same as right"));
    PASS();
}

TEST compare_tells_why_a_method_cannot_run(void)
{
    RUNS(0, "compare --k 2,3 a.csv b.csv");
    OUT_HAS("lssmtc    shared         cannot run: a has 2 clusters, b 3");
    OUT_HAS("kmeans    pooled         cannot run: tasks have different");
    ASSERT_STR_EQ("", cli_last()->err);
    RUNS(0, "compare --k 2,3 a.csv b.csv --json -");
    char path[60];
    sprintf(path, "rows.%d.reason", compare_row("lssmtc", "shared"));
    ASSERT(json_is(path, "\"a has 2 clusters, b 3"));
    sprintf(path, "rows.%d.reason", compare_row("kmeans", "single"));
    ASSERT(json_is(path, "null"));
    ASSERT(!json_is("best_shared", "\"lssmtc"));
    ASSERT(!json_is("best_shared", "\"kmeans"));
    RUNS(2, "compare a.csv b.csv");
    ERR_HAS("b has no labels to count classes by: give --k");
    RUNS(2, "compare a.csv");
    RUNS(1, "compare a.csv missing.csv");
    RUNS(2, "compare --repeats 0 a.csv a.svm");
    PASS();
}

TEST compare_has_a_control_and_an_answer_in_words(void)
{
    RUNS(0, "generate blobs --n 60 --tasks 3 --out g --seed 2");
    RUNS(0, "compare --control --verbose g/blobs1.svm g/blobs2.svm "
            "g/blobs3.svm");
    OUT_HAS("lssmtc    shared control");
    OUT_HAS("kmeans    pooled control");
    OUT_HAS("  blobs3 ");
    OUT_HAS("With columns permuted");
    ASSERT(strstr(cli_last()->out, "haring ") ||
           strstr(cli_last()->out, "No clear answer"));
    /* Pooling is at a loss where columns have different meanings. */
    RUNS(0, "compare --control g/blobs1.svm g/blobs2.svm g/blobs3.svm "
            "--json -");
    ASSERT(compare_number("kmeans", "pooled control", "acc.mean") <
           compare_number("kmeans", "pooled", "acc.mean"));
    PASS();
}

/* Here mtcfir is good at each task: on permuted columns it has its gain all
 * the same, and sharing must not get the credit. */
TEST compare_gives_sharing_no_credit_for_what_the_control_has(void)
{
    RUNS(0, "generate bridge --n 60 --out g");
    RUNS(0, "compare --control --repeats 1 g/bridge1.svm g/bridge2.svm "
            "--json -");
    double single = compare_number("ncut", "single", "acc.mean");
    double shared = compare_number("mtcfir", "shared", "acc.mean");
    double control = compare_number("mtcfir", "shared control", "acc.mean");
    ASSERT(shared > single + 0.1);
    ASSERT(control - single > shared - control);
    OUT_HAS("\"Sharing hardly helps: acc of mtcfir");
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

TEST demo_keeps_its_files_and_tells_where_sharing_helps(void)
{
    /* The marks stand for what `compare` says of the same data. */
    static char demo[CLI_TEXT];
    char cell[40];
    static char text[CLI_TEXT];
    ASSERT_EQ(0, both_demos());
    strcpy(demo, cli_read(cli_path("kept.txt"), cli_last()->out));
    ASSERT(strlen(cli_read(cli_path("kept/blobs1.svm"), text)) > 100);
    ASSERT(strlen(cli_read(cli_path("kept/blobs1.labels"), text)) > 100);
    OUT_HAS("Pictures: kept/kmeans.svg");
    ASSERT(strstr(cli_read(cli_path("kept/lssmtc.svg"), text), "</svg>"));
    RUNS(0, "generate siblings --n 30 --tasks 6 --out g");
    RUNS(0, "compare g/siblings1.svm g/siblings2.svm g/siblings3.svm "
            "g/siblings4.svm g/siblings5.svm g/siblings6.svm --json -");
    const char *row = strstr(demo, "same centres, 6 x 30");
    ASSERT(row != NULL);
    sprintf(cell, " %.3f", compare_number("lssmtc", "shared", "acc.mean"));
    ASSERTm(cell, strstr(row, cell) != NULL);
    ASSERT(strstr(cli_last()->out, "Sharing helps: ") != NULL);
    ASSERT_EQ(0, strncmp(strstr(row, "helps"), "helps\n", 6));
    RUNS(0, "generate strangers --n 30 --tasks 4 --out g");
    RUNS(0, "compare g/strangers1.svm g/strangers2.svm g/strangers3.svm "
            "g/strangers4.svm");
    OUT_HAS("Sharing does not help: ");
    PASS();
}

/* ---- the manual pages ---------------------------------------------------- */

/* Appends the option names (\n  --NAME) of a help text that do not occur in
 * the page as \-\-NAME. */
static void options_missing(const char *help, const char *page, char *missing)
{
    for (const char *s = help; (s = strstr(s, "\n  --")) != NULL; s++) {
        char name[40], wanted[60];
        if (sscanf(s + 5, "%39[a-z0-9]", name) != 1)
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
    cli_read("examples/mtc.1", page);
    if (page[0] == '\0')
        SKIPm("not run from the top of the source");
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

/* ---- methods that share -------------------------------------------------- */

TEST lssmtc_shares_between_tasks_and_reports_how(void)
{
    RUNS(0, "cluster lssmtc --k 2 --iterations 5 a.csv b.csv --json -");
    ASSERT(json_is("tasks.0.labels.0", "0") || json_is("tasks.0.labels.0", "1"));
    ASSERT_EQ(json_number("tasks.0.labels.0"),
              json_number("tasks.1.labels.0"));     /* named alike */
    ASSERT_EQ(json_number("tasks.0.labels.3"),
              json_number("tasks.1.labels.3"));
    ASSERT(!json_is("objective", "[["));            /* one for all tasks */
    ASSERT(json_at(cli_last()->out, "objective.5") != NULL);
    ASSERT(json_at(cli_last()->out, "objective.6") == NULL);
    JSON_NEAR("relatedness.0.0", 1);
    JSON_NEAR("relatedness.1.1", 1);
    JSON_NEAR("correspondence.0.from", 0);
    JSON_NEAR("correspondence.0.to", 1);
    JSON_NEAR("correspondence.0.weights.0.0", 0.5);
    JSON_NEAR("correspondence.0.weights.0.1", 0);
    JSON_NEAR("correspondence.1.weights.1.1", 0.5);
    JSON_NEAR("options.lambda", 0.75);
    JSON_NEAR("options.subspace", 2);               /* as used */
    PASS();
}

TEST lssmtc_starts_from_init_and_needs_one_k(void)
{
    /* lambda 1, offset 0: the objective starts at the squares about the
     * means of the start's clusters, 4 * 5^2 in a and 4 * 1^2 in b. */
    RUNS(0, "cluster lssmtc --k 2 --lambda 1 --offset 0 "
            "--init bad.txt,good.txt a.csv b.csv --json -");
    JSON_NEAR("objective.0", 104);
    cli_write("W.csv", "1,1\n0,1\n");
    RUNS(1, "cluster lssmtc --k 2 --projection W.csv a.csv b.csv");
    ERR_HAS("W.csv: columns are not orthonormal");
    cli_write("W.csv", "1,0\n0,1\n");
    RUNS(0, "cluster lssmtc --k 2 --projection W.csv a.csv b.csv");
    RUNS(1, "cluster lssmtc --k 1 --projection W.csv a.csv b.csv");
    ERR_HAS("W.csv: wider than the subspace can be");
    RUNS(2, "cluster lssmtc --k 2,3 a.csv b.csv");
    RUNS(2, "cluster lssmtc --k 2 --lambda 1.5 a.csv b.csv");
    RUNS(2, "cluster lssmtc --k 2 --mode exact a.csv b.csv");
    RUNS(0, "cluster asi --k 2 a.csv b.csv --json -");
    ASSERT(json_is("objective", "[["));
    ASSERT(json_is("relatedness", "null"));
    PASS();
}

TEST lssttc_and_tsvm_carry_classes_to_the_target(void)
{
    RUNS(0, "transfer lssttc --lambda .75 --mode recon --source a.csv "
            "--target b.csv --json -");
    ASSERT(json_is("tasks.0.labels", "[0, 0, 1, 1]"));
    ASSERT(json_is("classes", "[5, 7]"));
    RUNS(0, "transfer tsvm --source a.csv --target b.csv --json -");
    ASSERT(json_is("tasks.0.labels", "[0, 0, 1, 1]"));
    RUNS(0, "transfer lssttc --lambda 1 --offset 0 --init bad.txt "
            "--source a.csv --target b.csv --json -");
    JSON_NEAR("objective.0", 100);      /* b about its rows: 4 * 5^2 */
    RUNS(2, "transfer lssttc --init bad.txt,good.txt --source a.csv "
            "--target b.csv");
    PASS();
}

/* Writes tasks and starts of a worked case as t0.csv, s0.txt, ...; appends
 * ` --k K,.. --init FILE,.. FILE.. --json -` to the command. */
static void write_tasks(size_t tasks, size_t d, const size_t *n,
                        const size_t *k, const double *const *X,
                        const int *const *start, char *args)
{
    char files[100] = "", init[100] = "";
    strcat(args, " --k ");
    for (size_t t = 0; t < tasks; t++) {
        char name[20];
        sprintf(args + strlen(args), t == 0 ? "%d" : ",%d", (int)k[t]);
        sprintf(name, "t%d.csv", (int)t);
        write_numbers(name, n[t] * d, d, X[t]);
        sprintf(files + strlen(files), "%s ", name);
        sprintf(name, "s%d.txt", (int)t);
        write_labels(name, n[t], start[t]);
        sprintf(init + strlen(init), t == 0 ? "%s" : ",%s", name);
    }
    sprintf(args + strlen(args), " --init %s %s--json -", init, files);
}

/* Are the labels of task t, in the JSON, these? */
static int json_task_labels(size_t t, size_t n, const int *labels)
{
    char path[60];
    for (size_t i = 0; i < n; i++) {
        sprintf(path, "tasks.%d.labels.%d", (int)t, (int)i);
        if (json_number(path) != labels[i])
            return 0;
    }
    return 1;
}

/* d_M has the scale of the data, not of the loss: it is held to 1e-8 of the
 * first loss, like everything here. */
static enum greatest_test_res mbc_pairs(const golden_mbc *g, double close)
{
    char path[60];
    for (size_t p = 0; p < g->tasks * (g->tasks - 1); p++) {
        size_t t = p / (g->tasks - 1), s = p % (g->tasks - 1);
        s += s >= t;
        for (size_t e = 0; e < g->k[t] * g->k[s]; e++) {
            sprintf(path, "correspondence.%d.weights.%d.%d", (int)p,
                    (int)(e / g->k[s]), (int)(e % g->k[s]));
            ASSERT_IN_RANGEm(g->name, g->W[t][s][e], json_number(path), 1e-6);
        }
        sprintf(path, "d_M.%d.%d", (int)t, (int)s);
        ASSERT_IN_RANGEm(g->name, g->d_M[t][s], json_number(path), close);
    }
    PASS();
}

TEST mbc_runs_worked_cases_from_files(void)
{
    int wide = sizeof(mtc_real) == 8;
    for (size_t c = 0; c < sizeof golden_mbcs / sizeof *golden_mbcs; c++) {
        const golden_mbc *g = &golden_mbcs[c];
        double close = (wide ? 1e-8 : 1e-3) * (1 + g->loss[0]);
        char args[400], path[60];
        sprintf(args, "cluster mbc --divergence %s --lambda %.17g "
                "--iterations %d", g->divergence, g->lambda, (int)g->most);
        if (g->metric != NULL) {
            write_numbers("metric.csv", g->d * g->d, g->d, g->metric);
            strcat(args, " --metric metric.csv");
        }
        write_tasks(g->tasks, g->d, g->n, g->k, g->X, g->start, args);
        ASSERT_EQ_FMTm(g->name, 0, cli(args), "%d");
        for (size_t t = 0; t < g->tasks; t++)
            ASSERTm(g->name, json_task_labels(t, g->n[t], g->labels[t]));
        if (wide)
            JSON_NEAR("iterations", (double)g->steps);
        for (size_t i = 0; i <= (wide ? g->steps : 2); i++) {
            sprintf(path, "objective.%d", (int)i);
            ASSERT_IN_RANGEm(g->name, g->loss[i], json_number(path), close);
        }
        CHECK_CALL(mbc_pairs(g, 10 * close));
        JSON_NEAR("d_M.1.1", 0);
        JSON_NEAR("relatedness.0.0", 1);
        ASSERT(json_number("gap") <= 1e-5);
    }
    PASS();
}

/* The means of a worked case's start as u0.csv, ...; 0 if one is empty. */
static int write_means(const golden_mbc *g)
{
    for (size_t t = 0; t < g->tasks; t++) {
        double U[100] = {0}, n[20] = {0};
        char name[20];
        for (size_t i = 0; i < g->n[t]; i++) {
            size_t z = (size_t)g->start[t][i];
            n[z]++;
            for (size_t j = 0; j < g->d; j++)
                U[z * g->d + j] += g->X[t][i * g->d + j];
        }
        for (size_t e = 0; e < g->k[t] * g->d; e++) {
            if (n[e / g->d] < 1)
                return 0;
            U[e] /= n[e / g->d];
        }
        sprintf(name, "u%d.csv", (int)t);
        write_numbers(name, g->k[t] * g->d, g->d, U);
    }
    return 1;
}

/* Centroids that are the means of the start's labels lead where these lead:
 * the first value alone is another, as samples are at their nearest. */
TEST mbc_starts_from_centroids(void)
{
    int runs = 0, wide = sizeof(mtc_real) == 8;
    for (size_t c = 0; c < sizeof golden_mbcs / sizeof *golden_mbcs; c++) {
        const golden_mbc *g = &golden_mbcs[c];
        double close = (wide ? 1e-8 : 1e-3) * (1 + g->loss[0]);
        char args[400] = "cluster mbc --k ", path[60];
        if (!write_means(g) || g->metric != NULL)
            continue;
        runs++;
        for (size_t t = 0; t < g->tasks; t++) {
            sprintf(path, "t%d.csv", (int)t);
            write_numbers(path, g->n[t] * g->d, g->d, g->X[t]);
            sprintf(args + strlen(args), t == 0 ? "%d" : ",%d",
                    (int)g->k[t]);
        }
        sprintf(args + strlen(args), " --divergence %s --lambda %.17g "
                "--iterations %d --json - --centers u0.csv,u1.csv%s t0.csv "
                "t1.csv%s", g->divergence, g->lambda, (int)g->most,
                g->tasks > 2 ? ",u2.csv" : "", g->tasks > 2 ? " t2.csv" : "");
        ASSERT_EQ_FMTm(g->name, 0, cli(args), "%d");
        ASSERTm(g->name, json_number("objective.0") <= g->loss[0] + close);
        for (size_t i = 1; i <= (wide ? g->steps : 2); i++) {
            sprintf(path, "objective.%d", (int)i);
            ASSERT_IN_RANGEm(g->name, g->loss[i], json_number(path), close);
        }
        for (size_t t = 0; t < g->tasks; t++)
            ASSERTm(g->name, json_task_labels(t, g->n[t], g->labels[t]));
    }
    ASSERT(runs >= 4);
    PASS();
}

/* 0, 2, 10 and 12 about 3 and 1, and about 1 alone. */
TEST kmeans_starts_from_centers_and_mbc_counts_their_smooth(void)
{
    cli_write("line.csv", "0\n2\n10\n12\n");
    cli_write("u.csv", "3\n1\n");
    RUNS(0, "cluster kmeans --k 2 --centers u.csv line.csv --json -");
    ASSERT(json_is("tasks.0.labels", "[1, 1, 0, 0]"));
    JSON_NEAR("objective.0", 1 + 1 + 49 + 81);
    JSON_NEAR("options.restarts", 1);
    cli_write("v.csv", "1\n");
    RUNS(0, "cluster mbc --k 1 --lambda 0 --centers v.csv line.csv --json -");
    JSON_NEAR("objective.0", (1 + 1 + 81 + 121) / 4.0);
    RUNS(0, "cluster mbc --k 1 --lambda 0 --smooth 3 --centers v.csv line.csv "
            "--json -");
    JSON_NEAR("objective.0", (1 + 1 + 81 + 121) / 4.0);
    RUNS(0, "cluster mbc --k 1 --lambda 0 --smooth 3 --divergence mahalanobis "
            "--metric v.csv --centers v.csv line.csv --json -");
    JSON_NEAR("objective.0", (1 + 1 + 81 + 121) / 4.0);
    RUNS(1, "cluster kmeans --k 2 --centers v.csv line.csv");
    ERR_HAS("v.csv: 1 x 1 numbers; expected 2 x 1, clusters x features");
    RUNS(1, "cluster mbc --k 1 --centers no-such.csv line.csv");
    ERR_HAS("no-such.csv: No such file");
    cli_write("w.csv", "-1\n");
    RUNS(1, "cluster mbc --k 1 --smooth 1 --divergence kl --centers w.csv "
            "line.csv");
    ERR_HAS("w.csv: row 1, column 1: -1 is outside the divergence's domain");
    cli_write("w.csv", "0\n");                  /* 0 + 1 is fine */
    RUNS(0, "cluster mbc --k 1 --smooth 1 --divergence kl --centers w.csv "
            "line.csv");
    RUNS(2, "cluster kmeans --k 1 --centers v.csv,v.csv line.csv");
    ERR_HAS("--centers has 2 files for 1 task");
    RUNS(2, "cluster mbc --k 1 --guard --centers v.csv,v.csv line.csv "
            "line.csv");
    ERR_HAS("--guard makes its own starts: no --centers");
    RUNS(0, "cluster kmeans --k 2 --pool --centers u.csv line.csv line.csv "
            "--json -");
    ASSERT(json_is("tasks.1.labels", "[1, 1, 0, 0]"));
    PASS();
}

TEST centroid_runs_the_worked_cases_from_files(void)
{
    double digits = sizeof(mtc_real) == 8 ? 1e-8 : 1e-4;
    size_t cases = sizeof golden_centroids / sizeof *golden_centroids;
    for (size_t c = 0; c < cases; c++) {
        const golden_centroid *g = &golden_centroids[c];
        double close = digits * test_largest(g->u, g->d);
        char args[200], path[40];
        write_numbers("own.csv", g->d, g->d, g->left);
        write_numbers("other.csv", g->d, g->d, g->right);
        sprintf(args, "centroid --divergence %s --weights %.17g,%.17g own.csv "
                "other.csv --json -", g->divergence, g->A, g->B);
        ASSERT_EQ_FMTm(args, 0, cli(args), "%d");
        for (size_t j = 0; j < g->d; j++) {
            sprintf(path, "centroids.0.%d", (int)j);
            ASSERT_IN_RANGEm(args, g->u[j], json_number(path), close);
        }
        ASSERT_IN_RANGEm(args, g->value, json_number("values.0"),
                         digits * (1 + g->value));
        strcat(args, " --centroid geodesic");
        ASSERT_EQ_FMTm(args, 0, cli(args), "%d");
        ASSERT_IN_RANGEm(args, g->geodesic, json_number("values.0"),
                         digits * (1 + g->geodesic));
    }
    PASS();
}

TEST centroid_takes_row_by_row_and_refuses(void)
{
    /* (1 * 0 + .5 * 3) / 1.5 = 1, at 1 + .5 * 4; with a metric that counts
     * the first coordinate twice, the second row costs 2 * 3 + 3. */
    cli_write("own.csv", "0,5\n0,0\n");
    cli_write("other.csv", "3,5\n3,3\n");
    RUNS(0, "centroid own.csv other.csv --json -");
    ASSERT_STR_EQ("centroids values ", json_members(""));
    JSON_NEAR("centroids.0.0", 1);
    JSON_NEAR("centroids.0.1", 5);
    JSON_NEAR("values.0", 3);
    JSON_NEAR("values.1", 6);
    cli_write("metric.csv", "2,0\n0,1\n");
    RUNS(0, "centroid --divergence mahalanobis --metric metric.csv own.csv "
            "other.csv --json -");
    JSON_NEAR("centroids.1.0", 1);
    JSON_NEAR("values.1", 9);
    RUNS(0, "centroid own.csv other.csv");
    OUT_HAS("     0              3  1 5\n     1              6  1 1\n");
    RUNS(1, "centroid --divergence kl own.csv other.csv");
    ERR_HAS("own.csv: row 1, column 1: 0 is outside the divergence's domain");
    cli_write("one.csv", "1,2\n");
    RUNS(1, "centroid own.csv one.csv");
    ERR_HAS("own.csv has 2 x 2 numbers, one.csv 1 x 2");
    RUNS(0, "centroid --divergence is one.csv one.csv --json -");
    JSON_NEAR("centroids.0.1", 2);
    JSON_NEAR("values.0", 0);
    cli_write("none.csv", "");
    RUNS(1, "centroid none.csv one.csv");
    RUNS(2, "centroid own.csv other.csv --weights 0,1");
    ERR_HAS("A above 0");
    RUNS(2, "centroid own.csv other.csv --weights 1");
    RUNS(2, "centroid own.csv other.csv --weights 1,2,3");
    RUNS(2, "centroid own.csv");
    ERR_HAS("two files of means");
    RUNS(2, "centroid --metric metric.csv own.csv other.csv");
    PASS();
}

TEST mbc_reports_and_refuses(void)
{
    RUNS(0, "cluster mbc --k 2,3 --lambda 7 a.csv b.csv --json -");
    JSON_NEAR("options.lambda", 7);
    ASSERT(json_is("options.divergence", "\"sqeuclidean\""));
    ASSERT(json_at(cli_last()->out, "correspondence.0.weights.1.2") != NULL);
    ASSERT(json_at(cli_last()->out, "correspondence.0.weights.2") == NULL);
    ASSERT(json_at(cli_last()->out, "correspondence.1.weights.2.1") != NULL);
    RUNS(0, "cluster mbc --k 2 --divergence kl --smooth .5 a.csv b.csv "
            "--centroid geodesic --seeds spread --restarts 3");
    OUT_HAS("a ");
    RUNS(0, "cluster mbc --k 2 --pool a.csv b.csv --json -");
    RUNS(0, "cluster mbc --k 2,3 a.csv a.csv --json -");
    ASSERT(json_number("nmi.0.1") >= 0);    /* one data set, two resolutions */
    RUNS(1, "cluster mbc --k 2 --divergence kl a.csv b.csv");
    ERR_HAS("a: ");
    ERR_HAS("domain");
    ERR_HAS("sample 1, feature 1");
    RUNS(2, "cluster mbc --k 2 --lambda -1 a.csv b.csv");
    RUNS(2, "cluster mbc --k 2 --divergence cosine a.csv b.csv");
    RUNS(2, "cluster mbc --k 2 --divergence mahalanobis a.csv b.csv");
    RUNS(2, "cluster mbc --k 2 --metric metric.csv a.csv b.csv");
    cli_write("metric.csv", "1,2\n2,1\n");
    RUNS(1, "cluster mbc --k 2 --divergence mahalanobis --metric metric.csv "
            "a.csv b.csv");
    ERR_HAS("not positive definite");
    cli_write("metric.csv", "1,.5\n.25,1\n");
    RUNS(1, "cluster mbc --k 2 --divergence mahalanobis --metric metric.csv "
            "a.csv b.csv");
    ERR_HAS("not symmetric");
    cli_write("metric.csv", "1\n");
    RUNS(1, "cluster mbc --k 2 --divergence mahalanobis --metric metric.csv "
            "a.csv b.csv");
    RUNS(0, "help mbc");
    OUT_HAS("--lambda X in [0,inf)  (default .5)");
    OUT_HAS("--tolerance X in [0,inf)  (default 1e-10)");
    PASS();
}

/* Runs a worked case: with as many neighbours, but the command line knows
 * shares of n / k. */
static int run_fir_case(const golden_fir *g)
{
    char args[600];
    sprintf(args, "cluster mtcfir --variant %s --layers %d --noise %.17g "
            "--ridge %.17g --iterations 20 --tolerance 0 --neighbors ",
            g->variant, (int)g->layers, g->noise, g->ridge);
    for (size_t t = 0; t < g->tasks; t++)
        sprintf(args + strlen(args), t == 0 ? "%.3f" : ",%.3f",
                ((double)g->l[t] - .5) * (double)g->k[t] / (double)g->n[t]);
    write_tasks(g->tasks, g->d, g->n, g->k, g->X, g->start, args);
    return cli(args);
}

TEST mtcfir_runs_worked_cases_from_files(void)
{
    size_t cases = sizeof golden_fir_cases / sizeof *golden_fir_cases;
    double near = sizeof(mtc_real) == 8 ? 1e-8 : 1e-2;
    for (size_t c = 0; c < cases; c++) {
        const golden_fir *g = &golden_fir_cases[c];
        char path[60];
        ASSERT_EQ_FMTm(g->name, 0, run_fir_case(g), "%d");
        ASSERT(json_is("objective", "[["));         /* one for each task */
        for (size_t t = 0; t < g->tasks; t++) {
            sprintf(path, "neighbors.%d", (int)t);
            ASSERT_EQm(g->name, (double)g->l_used[t], json_number(path));
            for (size_t i = 0; i < 21; i++) {
                sprintf(path, "objective.%d.%d", (int)t, (int)i);
                ASSERT_IN_RANGEm(g->name, g->objective[t][i],
                                 json_number(path),
                                 near * (1 + g->objective[t][0]));
            }
            if (sizeof(mtc_real) == 8)
                ASSERTm(g->name, json_task_labels(t, g->n[t], g->labels[t]));
            for (size_t s = 0; s < g->tasks; s++) {
                sprintf(path, "relatedness.%d.%d", (int)t, (int)s);
                ASSERT_IN_RANGEm(g->name, g->scaled[g->tasks * t + s],
                                 json_number(path), near);
                sprintf(path, "alpha.%d.%d", (int)t, (int)s);
                ASSERT_IN_RANGEm(g->name, g->alpha[g->tasks * t + s],
                                 json_number(path), near);
            }
            sprintf(path, "threshold.%d", (int)t);
            ASSERT_IN_RANGEm(g->name, g->eps[t], json_number(path), near);
        }
    }
    PASS();
}

/* The one worked case with two tasks of 2 and 3 clusters. */
static const golden_fir *cli_worked_fir(void)
{
    const golden_fir *g = golden_fir_cases;
    while (strcmp(g->name, "mtcfir_d_gt_n") != 0)
        g++;
    return g;
}

TEST mtcfir_moves_shares_between_clusters(void)
{
    char path[60];
    ASSERT_EQ(0, run_fir_case(cli_worked_fir()));
    double moved = 0;                               /* 2 x 3: all of a task */
    for (int e = 0; e < 6; e++) {
        sprintf(path, "correspondence.0.weights.%d.%d", e / 3, e % 3);
        moved += json_number(path);
    }
    ASSERT_IN_RANGE(1.0, moved, 1e-6);
    ASSERT(json_at(cli_last()->out, "correspondence.1.weights.2.1") != NULL);
    ASSERT(json_at(cli_last()->out, "correspondence.2") == NULL);
    PASS();
}

TEST mtcfir_takes_its_options_and_refuses_others(void)
{
    RUNS(0, "cluster mtcfir a.csv b.csv --k 2 --variant nI --normalize "
            "--layers 1 --noise .2 --ridge 0 --json -");
    JSON_NEAR("options.layers", 1);
    JSON_NEAR("options.noise", 0.2);
    JSON_NEAR("options.ridge", 0);
    ASSERT(json_is("options.variant", "\"nI\""));
    ASSERT(json_is("options.normalize", "true"));
    RUNS(0, "cluster mtcfir a.csv --k 2 --json -");
    JSON_NEAR("options.layers", 3);
    JSON_NEAR("options.noise", 0.5);
    JSON_NEAR("options.neighbors", 0.3);
    JSON_NEAR("options.ridge", 1e-5);
    JSON_NEAR("options.iterations", 300);
    ASSERT_IN_RANGE(1e-6, json_number("options.tolerance"), 1e-12);
    ASSERT(json_is("options.variant", "\"full\""));
    ASSERT(json_is("objective", "[["));
    ASSERT(json_is("correspondence", "[]"));
    RUNS(0, "cluster mtcfir a.csv b.csv --k 2 --layers 0 --pool");
    RUNS(0, "cluster mtcfir a.csv b.csv --k 1,4 --variant nR");
    RUNS(2, "cluster mtcfir a.csv b.csv --k 2 --noise 1");
    RUNS(2, "cluster mtcfir a.csv b.csv --k 2 --noise 0 --ridge 0");
    RUNS(2, "cluster mtcfir a.csv b.csv --k 2 --variant some");
    RUNS(2, "cluster mtcfir a.csv b.csv --k 2 --neighbors 0");
    RUNS(2, "cluster mtcfir a.csv b.csv --k 2 --neighbors .3,x");
    ERR_HAS("--neighbors x: expected numbers with commas, in (0,1]");
    RUNS(2, "cluster mtcfir a.csv b.csv --k 2 --neighbors .3,.4,.5");
    ERR_HAS("--neighbors has 3 numbers for 2 tasks");
    RUNS(2, "cluster mtcfir a.csv b.csv --k 2 --noise .5,.5");
    RUNS(0, "cluster snmf a.csv b.csv --k 2 --neighbors .5,1 --json -");
    JSON_NEAR("options.neighbors.1", 1);
    RUNS(2, "cluster mtcfir a.csv b.csv --k 2 --lambda .5");
    RUNS(2, "cluster mtcfir a.csv b.csv --k 2,2,2");
    RUNS(0, "help mtcfir");
    OUT_HAS("--layers N in [0,1000]  (default 3)");
    PASS();
}

/* Source and target share no feature; the bridge (rows 0, 2: the first class)
 * ties feature 1 to 3 and 2 to 4. */
static void write_triple(void)
{
    cli_write("s.svm", "5 1:3\n5 1:2\n7 2:3\n7 2:4\n");
    cli_write("i.svm", "0 1:2 3:2\n0 2:2 4:3\n0 1:1 3:2\n0 2:3 4:1\n");
    cli_write("t.svm", "7 4:2\n5 3:5\n5 3:1\n7 4:3\n7 4:1\n");
    cli_write("far.svm", "0 9:2\n0 9:2\n0 8:1\n0 8:1\n");
    cli_write("v1.svm", "0 1:2\n0 2:2\n0 1:1\n0 2:3\n");
    cli_write("v2.svm", "0 1:2\n0 2:3\n0 1:2\n0 2:1\n");
    cli_write("v3.svm", "7 2:2\n5 1:5\n5 1:1\n7 2:3\n7 2:1\n");
    cli_write("minus.svm", "0 1:2 3:2\n0 2:-2 4:3\n0 1:1\n0 2:3\n");
    cli_write("start.txt", "1\n0\n0\n1\n1\n");
}

TEST ttl_carries_classes_over_a_bridge(void)
{
    write_triple();
    RUNS(0, "transfer ttl --source s.svm --bridge i.svm --target t.svm "
            "--features 4 --common 3 --json -");
    ASSERT(json_is("tasks.0.labels", "[1, 0, 0, 1, 1]"));
    JSON_NEAR("tasks.0.acc", 1);
    JSON_NEAR("bridges.0.shared_with_source", 2);
    JSON_NEAR("bridges.0.shared_with_target", 2);
    ASSERT(json_is("bridges.0.labels", "[0, 1, 0, 1]"));
    ASSERT(json_is("classes", "[5, 7]"));
    ASSERT(json_is("options.variant", "\"repaired\""));
    RUNS(0, "transfer ttl --source s.svm --view1 v1.svm --view2 v2.svm "
            "--target v3.svm --start random --json -");
    ASSERT(json_is("tasks.0.labels", "[1, 0, 0, 1, 1]"));
    JSON_NEAR("tasks.0.d", 2);
    RUNS(0, "transfer ttl --source s.svm --bridge i.svm i.svm --target t.svm "
            "--variant published --init start.txt --json -");
    ASSERT(json_is("tasks.0.labels", "[1, 0, 0, 1, 1]"));
    ASSERT(json_is("options.variant", "\"published\""));
    PASS();
}

/* 40 samples whose labels have nothing to do with their words: the program
 * says so and gives one class; --evidence 0 lets the labels pass. */
TEST ttl_warns_of_labels_that_teach_nothing(void)
{
    char s[4000] = "", line[64];
    write_triple();
    for (int i = 0; i < 40; i++) {
        snprintf(line, sizeof line, "%d 1:%d 2:%d\n", i % 3 == 0 ? 5 : 7, 2, 2);
        strcat(s, line);
    }
    cli_write("idle.svm", s);
    RUNS(0, "transfer ttl --source idle.svm --bridge i.svm --target t.svm "
            "--json -");
    ASSERT(strstr(cli_last()->err, "the source's labels cannot be predicted "
                                   "from its own features") != NULL);
    ASSERT(json_is("untaught", "true"));
    ASSERT(json_is("tasks.0.labels", "[1, 1, 1, 1, 1]"));
    JSON_NEAR("evidence", 0);
    JSON_NEAR("target_classes.0.0", 14 / 40.);
    RUNS(0, "transfer ttl --source idle.svm --bridge i.svm --target t.svm "
            "--evidence 0 --json -");
    ASSERT(strstr(cli_last()->err, "cannot be predicted") == NULL);
    ASSERT(json_is("untaught", "false"));
    RUNS(0, "transfer ttl --source idle.svm --bridge i.svm --target t.svm "
            "--variant published --json -");
    ASSERT(json_is("untaught", "false"));
    RUNS(2, "transfer ttl --source s.svm --bridge i.svm --target t.svm "
            "--evidence -1");
    RUNS(0, "generate bridge --out g --n 60");
    RUNS(0, "transfer ttl --source g/bridge1.svm --bridge g/bridge2.svm "
            "--target g/bridge3.svm --json -");
    ASSERT(json_is("untaught", "false"));
    ASSERT(json_number("evidence") > 2.33);
    RUNS(0, "help ttl");
    OUT_HAS("--evidence X in [0,inf)  (default 2.33)");
    PASS();
}

TEST ttl_says_what_is_missing(void)
{
    write_triple();
    RUNS(2, "transfer ttl --source s.svm --target t.svm");
    ASSERT(strstr(cli_last()->err, "--bridge FILE...") != NULL);
    RUNS(2, "transfer ttl --source s.svm --target t.svm --view1 v1.svm");
    RUNS(2, "transfer ttl --source s.svm --target t.svm --bridge i.svm "
            "--view1 v1.svm --view2 v2.svm");
    RUNS(2, "transfer ttl --source s.svm --target t.svm --bridge i.svm "
            "--common 31");
    RUNS(2, "transfer ttl --source s.svm --target t.svm --bridge i.svm "
            "--variant other");
    RUNS(2, "transfer svm --source s.svm --target t.svm --bridge i.svm");
    RUNS(1, "transfer ttl --source s.svm --target t.svm --bridge far.svm");
    ASSERT(strstr(cli_last()->err, "far.svm") != NULL);
    ASSERT(strstr(cli_last()->err, "shares no feature") != NULL);
    RUNS(1, "transfer ttl --source s.svm --target t.svm --bridge minus.svm");
    ASSERT(strstr(cli_last()->err, "minus.svm") != NULL);
    ASSERT(strstr(cli_last()->err, "sample 2, feature 2") != NULL);
    RUNS(1, "transfer ttl --source s.svm --target v3.svm --view1 v1.svm "
            "--view2 v3.svm");
    PASS();
}

TEST bridge_ranks_candidates_and_gives_reasons(void)
{
    RUNS(0, "generate bridge --out g --n 60");
    RUNS(0, "bridge --source g/bridge1.svm --target g/bridge3.svm "
            "g/bridge4.svm g/bridge5.svm g/bridge2.svm --json -");
    ASSERT(json_is("candidates.0.name", "\"bridge2\""));
    JSON_NEAR("candidates.0.rank", 1);
    JSON_NEAR("candidates.0.features.4", 2);        /* no word in common */
    RUNS(0, "bridge --source g/bridge1.svm --target g/bridge3.svm "
            "g/bridge2.svm");
    ASSERT(strstr(cli_last()->out, "bridge2") != NULL);
    RUNS(2, "bridge --source g/bridge1.svm g/bridge2.svm");
    RUNS(2, "bridge --source g/bridge1.svm --target g/bridge3.svm");
    RUNS(0, "generate views --out g --n 60");
    RUNS(0, "transfer ttl --source g/views1.svm --view1 g/views2.svm "
            "--view2 g/views3.svm --target g/views4.svm --json -");
    PASS();
}

/* The worked triples as lines of seven numbers. */
static void write_triples(const char *name, size_t from, size_t to)
{
    double line[24 * 7];
    for (size_t i = from; i < to; i++) {
        memcpy(line + 7 * (i - from), bridge_features + 6 * i,
               6 * sizeof *line);
        line[7 * (i - from) + 6] = bridge_labels[i];
    }
    write_numbers(name, 7 * (to - from), 7, line);
}

TEST bridge_score_is_fitted_to_the_worked_triples(void)
{
    const double close = sizeof(mtc_real) == 8 ? 1e-8 : 2e-2;
    char path[40];
    double z = 0;
    RUNS(0, "generate bridge --out g --n 60");
    write_triples("first.csv", 0, 10);
    write_triples("others.csv", 10, 24);
    RUNS(0, "bridge --source g/bridge1.svm --target g/bridge3.svm "
            "g/bridge2.svm g/bridge4.svm --triples first.csv,others.csv "
            "--form linear --json -");
    JSON_NEAR("model.triples", 24);
    ASSERT_IN_RANGE(bridge_beta[0], json_number("model.bias"), 10 * close);
    for (int k = 0; k < 6; k++) {
        sprintf(path, "model.weights.%d", k);
        ASSERT_IN_RANGE(bridge_beta[k + 1], json_number(path), 10 * close);
        sprintf(path, "candidates.1.features.%d", k);
        z += bridge_beta[k + 1] * json_number(path);
    }
    for (int i = 0; i < 24; i++) {
        sprintf(path, "model.scores.%d", i);
        ASSERT_IN_RANGE(bridge_scores[i], json_number(path), close);
    }
    ASSERT_IN_RANGE(1 / (1 + exp(-z - bridge_beta[0])),
                    json_number("candidates.1.score"), 10 * close);
    write_triples("bad.csv", 0, 2);                 /* both helped */
    RUNS(1, "bridge --source g/bridge1.svm --target g/bridge3.svm "
            "g/bridge2.svm --triples bad.csv");
    ERR_HAS("--triples: all of the 2 helped; needed are both kinds");
    cli_write("bad.csv", "1,2,3,4,5,6\n");
    RUNS(1, "bridge --source g/bridge1.svm --target g/bridge3.svm "
            "g/bridge2.svm --triples bad.csv");
    ERR_HAS("bad.csv: 1 lines of 6 numbers");
    cli_write("bad.csv", "1,1,1,1,1,1,1\n1,1,1,1,1,1,2\n");
    RUNS(1, "bridge --source g/bridge1.svm --target g/bridge3.svm "
            "g/bridge2.svm --triples bad.csv");
    ERR_HAS("bad.csv: triple 2 ends with 2, neither 0 nor 1");
    PASS();
}

/* What --try writes, --triples reads; by the links both candidates that were
 * tried are told apart.  bridge4 is near the source, so that nothing helps
 * there; between bridge1 and bridge3, which share no feature, `direct` is
 * chance, and differs from build to build. */
TEST bridges_that_were_tried_teach_the_score(void)
{
    static char text[CLI_TEXT];
    RUNS(0, "generate bridge --out g --n 150");
    RUNS(0, "bridge --source g/bridge1.svm --target g/bridge3.svm --try "
            "--out tried g/bridge5.svm g/bridge2.svm --json -");
    ASSERT(json_is("candidates.0.name", "\"bridge2\""));
    RUNS(0, "bridge --source g/bridge1.svm --target g/bridge4.svm --try "
            "--out not_so g/bridge5.svm --json -");
    ASSERT(json_is("candidates.0.helps", "false"));
    RUNS(0, "bridge --source g/bridge1.svm --target g/bridge3.svm --try "
            "--out tried g/bridge2.svm --json -");
    ASSERT(json_is("candidates.0.helps", "true"));
    ASSERT(json_number("candidates.0.bridged") >
           1.03 * json_number("candidates.0.direct"));
    ASSERT(json_at(cli_last()->out, "model") == NULL);
    cli_read(cli_path("tried/triples.csv"), text);
    ASSERT(strstr(text, "distance_bridge_target,helps\n") != NULL);
    RUNS(0, "bridge --source g/bridge1.svm --target g/bridge3.svm "
            "--triples tried/triples.csv,not_so/triples.csv g/bridge5.svm "
            "g/bridge2.svm --json -");
    ASSERT(json_is("candidates.0.name", "\"bridge2\""));
    ASSERT(json_number("candidates.0.score") > .5);
    ASSERT(json_number("candidates.1.score") < .5);
    ASSERT(json_is("model.form", "\"links\""));
    RUNS(0, "bridge --source g/bridge1.svm --target g/bridge3.svm --try "
            "--triples tried/triples.csv,not_so/triples.csv g/bridge2.svm");
    ASSERT(strstr(cli_last()->out, "helps") != NULL);
    ASSERT(strstr(cli_last()->out, "fitted to 2 triples") != NULL);
    RUNS(2, "bridge --source g/bridge1.svm --target g/bridge3.svm "
            "g/bridge2.svm --out tried");
    ERR_HAS("--out goes with --try");
    cli_write("bare.csv", "1,2\n3,4\n");
    RUNS(1, "bridge --source g/bridge1.svm --target bare.csv --try "
            "g/bridge2.svm");
    ERR_HAS("bare.csv: --try needs labels");
    PASS();
}

/* The complete graph with a given width. */
TEST gfhf_follows_the_worked_propagation(void)
{
    const double close = sizeof(mtc_real) == 8 ? 1e-8 : 1e-4;
    write_rows("s.csv", 6, 4, bridge_propagate, bridge_propagate_y);
    write_rows("t.csv", 8, 4, bridge_propagate + 24, NULL);
    RUNS(0, "transfer gfhf --preprocess l2 --neighbors 0 --width 1 --absolute "
            "--source s.csv --target t.csv --json -");
    for (int i = 0; i < 16; i++) {
        char path[40];
        sprintf(path, "scores.%d.%d", i / 2, i % 2);
        ASSERT_IN_RANGE(bridge_propagation[i], json_number(path), close);
    }
    PASS();
}

TEST ec_votes_and_tells_how_stable_it_is(void)
{
    RUNS(0, "cluster ec a.csv --json -");
    JSON_NEAR("tasks.0.acc", 1);
    JSON_NEAR("options.runs", 10);
    JSON_NEAR("options.columns", 3);
    JSON_NEAR("options.restarts", 10);
    JSON_NEAR("ensemble.0.stability.3", 1);
    JSON_NEAR("ensemble.0.cluster_stability.1", 1);
    JSON_NEAR("ensemble.0.mean_stability", 1);
    JSON_NEAR("ensemble.0.singular_values.1", 1);
    ASSERT(json_is("ensemble.0.features", "null"));     /* both of them */
    ASSERT(json_at(cli_last()->out, "ensemble.0.partitions.9") != NULL);
    ASSERT(json_at(cli_last()->out, "ensemble.0.partitions.10") == NULL);
    /* Two points of the embedding: a fixed point of its k-means. */
    cli_write("turned.txt", "1\n1\n0\n0\n");
    RUNS(0, "cluster ec --init turned.txt a.csv --json -");
    ASSERT(json_is("tasks.0.labels", "[1, 1, 0, 0]"));
    JSON_NEAR("options.restarts", 1);
    RUNS(0, "cluster ec --k 1 a.csv --json -");
    ASSERT(json_is("tasks.0.labels", "[0, 0, 0, 0]"));
    PASS();
}

/* What a task is called together with must not matter to it. */
TEST ec_tasks_have_features_of_their_own(void)
{
    static char alone[CLI_TEXT], beside[CLI_TEXT];
    static const char *const how[] = {"none", "zscore"};
    RUNS(0, "generate ensemble --separation .25 --out e");
    for (size_t h = 0; h < 2; h++) {
        char args[200];
        sprintf(args, "cluster ec --preprocess %s e/ensemble1.svm --out one",
                how[h]);
        ASSERT_EQ(0, cli(args));
        sprintf(args, "cluster ec --preprocess %s e/ensemble1.svm "
                "e/ensemble2.svm --out two --json -", how[h]);
        ASSERT_EQ(0, cli(args));
        JSON_NEAR("tasks.0.d", 16);
        JSON_NEAR("tasks.1.d", 24);
        cli_read(cli_path("one/ensemble1.labels"), alone);
        cli_read(cli_path("two/ensemble1.labels"), beside);
        ASSERT(strlen(alone) == 200);
        ASSERT_STR_EQ(alone, beside);
    }
    cli_write("far.svm", "1 2000000:1\n1 2000000:2\n2 2000001:9\n");
    RUNS(0, "cluster ec far.svm a.csv --json -");
    JSON_NEAR("tasks.1.d", 2);
    JSON_NEAR("tasks.1.acc", 1);
    RUNS(0, "cluster ec --pool a.csv a.svm --json -");
    JSON_NEAR("tasks.1.acc", 1);
    PASS();
}

TEST trec_repairs_by_what_the_source_tells(void)
{
    static const char *const metas[] = {"probability", "both",
                                        "coassociation", "threshold"};
    /* Another feature space, other classes. */
    cli_write("s.csv", "u,label\n0,3\n0.1,3\n0.2,3\n5,4\n5.1,4\n5.2,4\n"
                       "9,8\n9.1,8\n9.2,8\n");
    cli_write("wrong.txt", "0\n0\n1\n0\n");
    for (size_t i = 0; i < 4; i++) {
        char args[200];
        sprintf(args, "transfer trec --meta %s --qmin 0 --k 2 --init "
                "wrong.txt --source s.csv --target b.csv --json -", metas[i]);
        ASSERT_EQ_FMTm(args, 0, cli(args), "%d");
        ASSERTm(args, json_is("start", "[0, 0, 1, 0]"));
        ASSERTm(args, json_is("moves", "[[3, 0, 1]]"));
        ASSERTm(args, json_is("tasks.0.labels", "[0, 0, 1, 1]"));
        ASSERT(json_is("classes", "[3, 4, 8]"));
        ASSERT(json_is("converged", "true"));
        JSON_NEAR("tasks.0.d", 2);
        JSON_NEAR("tasks.0.k", 2);
        JSON_NEAR("iterations", 1);
        JSON_NEAR("ensemble.stability.0", 1);
        JSON_NEAR("options.gamma", 0.03125);
        JSON_NEAR("options.cost", 10);
        JSON_NEAR("options.pairs", 2000);
        JSON_NEAR("options.moves", 40);                 /* as used */
    }
    /* threshold: 0 0 | 1 1 against 0 0 1 0: three pairs, six ordered. */
    ASSERT_IN_RANGE(sqrt(6.0), json_number("objective.0"), 1e-6);
    JSON_NEAR("objective.1", 0);
    RUNS(0, "transfer trec --k 2 --init wrong.txt --source s.csv "
            "--target b.csv --json -");
    JSON_NEAR("iterations", 0);                         /* below --qmin 5 */
    PASS();
}

/* Partitions [runs*n] as a line for each sample. */
static void write_partitions(const char *name, size_t n, size_t runs,
                             const int *partitions)
{
    double x[200];
    for (size_t e = 0; e < n * runs; e++)
        x[e] = partitions[e % runs * n + e / runs];
    write_numbers(name, n * runs, runs, x);
}

static void write_subsets(const char *name, size_t n, size_t columns,
                          const size_t *features)
{
    double x[200];
    for (size_t e = 0; e < n; e++)
        x[e] = (double)features[e];
    write_numbers(name, n, columns, x);
}

/* The repair by one rule, from the files that are there. */
static enum greatest_test_res trec_case(const golden_trec *g, const char *meta,
                                        size_t n_moves, const double *moves,
                                        const double *norms,
                                        const int *labels)
{
    char args[300], path[60];
    double close = sizeof(mtc_real) == 8 ? 1e-8 : 1e-4;
    sprintf(args, "transfer trec --meta %s --k %d --qmin 0 --moves 40 --init "
            "s.txt --partitions ps.csv,pt.csv --subsets fs.csv,ft.csv "
            "--source xs.csv --target xt.csv --json -", meta, (int)g->k);
    ASSERT_EQ_FMTm(g->name, 0, cli(args), "%d");
    ASSERT_EQm(g->name, (double)n_moves, json_number("iterations"));
    for (size_t m = 0; m <= n_moves; m++) {
        sprintf(path, "objective.%d", (int)m);
        ASSERT_IN_RANGEm(g->name, norms[m], json_number(path),
                         close * (1 + norms[0]));
    }
    for (size_t e = 0; e < 3 * n_moves; e++) {
        sprintf(path, "moves.%d.%d", (int)(e / 3), (int)(e % 3));
        ASSERT_EQm(g->name, moves[e / 3 * 4 + e % 3], json_number(path));
    }
    ASSERTm(g->name, json_task_labels(0, g->n, labels));
    PASS();
}

TEST trec_runs_worked_cases_from_files(void)
{
    for (size_t c = 0; c < sizeof golden_trecs / sizeof *golden_trecs; c++) {
        const golden_trec *g = &golden_trecs[c];
        write_rows("xs.csv", g->n_source, g->d_source, g->source,
                   g->source_labels);
        write_rows("xt.csv", g->n, g->d, g->target, NULL);
        write_partitions("ps.csv", g->n_source, g->runs, g->source_partitions);
        write_partitions("pt.csv", g->n, g->runs, g->partitions);
        write_subsets("fs.csv", g->runs * g->columns, g->columns,
                      g->source_features);
        write_subsets("ft.csv", g->runs * g->columns, g->columns, g->features);
        write_labels("s.txt", g->n, g->start);
        CHECK_CALL(trec_case(g, "both", g->n_moves, g->moves, g->norms,
                             g->labels));
        CHECK_CALL(trec_case(g, "threshold", g->n_moves_threshold,
                             g->moves_threshold, g->norms_threshold,
                             g->labels_threshold));
        JSON_NEAR("options.runs", (double)g->runs);
    }
    PASS();
}

TEST ec_votes_over_partitions_it_is_given(void)
{
    cli_write("pt.csv", "0,1,1\n0,1,0\n1,0,0\n1,0,0\n");
    RUNS(0, "cluster ec --k 2 --partitions pt.csv b.csv --json -");
    ASSERT_EQ(json_number("tasks.0.labels.0"), json_number("tasks.0.labels.1"));
    ASSERT_EQ(json_number("tasks.0.labels.2"), json_number("tasks.0.labels.3"));
    ASSERT(json_number("tasks.0.labels.0") != json_number("tasks.0.labels.2"));
    ASSERT(json_is("ensemble.0.partitions.2", "[1, 0, 0, 0]"));
    JSON_NEAR("options.runs", 3);
    RUNS(2, "cluster ec --k 2 --partitions pt.csv a.csv b.csv");
    ERR_HAS("--partitions has 1 file for 2 data sets");
    RUNS(2, "cluster ec --k 2 --partitions pt.csv,pt.csv --pool a.csv b.csv");
    RUNS(2, "cluster ec --k 2 --subsets pt.csv b.csv");
    cli_write("pt.csv", "0,1\n0,1\n1,4\n1,0\n");
    RUNS(1, "cluster ec --k 2 --partitions pt.csv b.csv");
    ERR_HAS("pt.csv: row 3, column 2 is not a whole number from 0 to 3");
    cli_write("pt.csv", "0\n0\n1\n");
    RUNS(1, "cluster ec --k 2 --partitions pt.csv b.csv");
    ERR_HAS("pt.csv: 3 lines of 1 labels; expected 4 of 1, samples by runs");
    PASS();
}

TEST trec_takes_its_k_from_option_target_or_source(void)
{
    cli_write("s.csv", "u,label\n0,3\n0.1,3\n0.2,3\n5,4\n5.1,4\n5.2,4\n"
                       "9,8\n9.1,8\n9.2,8\n");
    cli_write("one.csv", "u,label\n0,3\n0.1,3\n5,3\n");
    RUNS(0, "transfer trec --source s.csv --target b.csv --json -");
    JSON_NEAR("options.k", 3);                          /* the source's */
    RUNS(0, "transfer trec --source s.csv --target a.csv --json -");
    JSON_NEAR("options.k", 2);                          /* the target's */
    JSON_NEAR("tasks.0.acc", 1);                        /* by matching */
    RUNS(0, "transfer trec --k 4 --source s.csv --target a.csv --json -");
    JSON_NEAR("options.k", 4);
    RUNS(0, "transfer trec --source one.csv --target a.csv --json -");
    RUNS(0, "transfer trec --meta both --source one.csv s.csv "
            "--target a.csv");
    RUNS(2, "transfer trec --k 9 --source s.csv --target a.csv");
    RUNS(2, "transfer trec --k 2,3 --source s.csv --target a.csv");
    ERR_HAS("--k has 2 numbers for one target");
    RUNS(1, "transfer trec --source b.csv --target a.csv");
    ERR_HAS("a source needs labels");
    PASS();
}

/* The source's classes, here two words, are not those of the target, whose
 * labels are numbers and whose clusters may be more. */
TEST trec_names_no_cluster_after_a_class_of_the_source(void)
{
    cli_write("pets.csv", "x,y,label\n0,0,cat\n0,1,cat\n9,9,dog\n9,8,dog\n");
    RUNS(0, "transfer trec --k 4 --source pets.csv --target a.csv --svg -");
    OUT_HAS(">cluster</text>");
    OUT_HAS(">3</text>");
    ASSERT(strstr(cli_last()->out, "cat") == NULL);
    RUNS(0, "transfer trec --source pets.csv --target a.csv --json -");
    ASSERT(json_is("classes", "[\"cat\", \"dog\"]"));
    RUNS(1, "transfer trec --source a.csv pets.csv --target a.csv");
    ERR_HAS("pets.csv: labels are words, but in a.csv they are numbers");
    PASS();
}

TEST ec_and_trec_refuse_bad_options(void)
{
    RUNS(2, "cluster ec --runs 0 a.csv");
    RUNS(2, "cluster ec --runs 4000000000 a.csv");
    ERR_HAS("in [1,1000000]");
    RUNS(2, "cluster ec --columns 0 a.csv");
    RUNS(2, "cluster ec --meta both a.csv");
    ERR_HAS("--meta is not an option of ec");
    RUNS(2, "transfer trec --meta all --source a.csv --target b.csv");
    ERR_HAS("probability|both|coassociation|silhouette|threshold");
    RUNS(2, "transfer trec --pairs 0 --source a.csv --target b.csv");
    RUNS(2, "transfer trec --gamma 0 --source a.csv --target b.csv");
    RUNS(2, "transfer trec --qmin -1 --source a.csv --target b.csv");
    RUNS(2, "transfer trec --init good.txt,bad.txt --source a.csv "
            "--target b.csv");
    RUNS(2, "generate ensemble --k 3 --out g");
    ERR_HAS("--k: ensemble takes 4");
    RUNS(0, "help ec");
    OUT_HAS("--columns N in [1,inf)  (default 3)");
    RUNS(0, "help trec");
    OUT_HAS("(default both)");
    PASS();
}

/* ---- worked cases of the subspace methods -------------------------------- */

/* Writes the tasks and starts; appends their names to the command. */
static void write_lss_case(const golden_lss *g, char *args)
{
    char init[100] = "", files[100] = "";
    for (size_t t = 0; t < g->tasks; t++) {
        char name[20], start[400] = "";
        int source = t < g->sources;
        sprintf(name, "lss%d.csv", (int)t);
        write_rows(name, g->n[t], g->d, g->X[t], source ? g->start[t] : NULL);
        sprintf(files + strlen(files), "%s%s ", g->sources == 0 ? ""
                : t == 0 ? "--source " : source ? "" : "--target ", name);
        if (source)
            continue;
        for (size_t i = 0; i < g->n[t]; i++)
            sprintf(start + strlen(start), "%d\n", g->start[t][i]);
        sprintf(name, "lss%d.txt", (int)t);
        cli_write(name, start);
        sprintf(init + strlen(init), "%s%s", init[0] ? "," : "", name);
    }
    sprintf(args, "%s --k %d --lambda %.17g --mode %s --subspace %d --rank %d "
            "--iterations %d --tolerance 0 --init %s %s--json -",
            g->sources ? "transfer lssttc" : "cluster lssmtc", (int)g->c,
            g->lambda, g->mode, (int)g->l, (int)(g->rank ? g->rank : 1),
            (int)g->steps, init, files);
}

TEST lssmtc_and_lssttc_run_worked_cases_from_files(void)
{
    size_t cases = sizeof golden_lss_cases / sizeof *golden_lss_cases;
    for (size_t c = 0; c < cases; c++) {
        const golden_lss *g = &golden_lss_cases[c];
        char args[600], path[60];
        double close = sizeof(mtc_real) == 8 ? 1e-8 : 1e-2;
        write_lss_case(g, args);
        if (g->start_W != NULL) {
            write_numbers("W.csv", g->d * g->l, g->l, g->start_W);
            strcat(args, " --projection W.csv");
        }
        ASSERT_EQ_FMTm(args, 0, cli(args), "%d");
        for (size_t i = 0; i <= g->steps; i++) {
            sprintf(path, "objective.%d", (int)i);
            ASSERT_IN_RANGEm(g->name, g->objective[i], json_number(path),
                             close * (1 + g->objective[0]));
        }
        sprintf(path, "objective.%d", (int)g->steps + 1);
        ASSERT(json_at(cli_last()->out, path) == NULL);
        for (size_t t = g->sources; t < g->tasks; t++)
            for (size_t i = 0; i < g->n[t] && sizeof(mtc_real) == 8; i++) {
                sprintf(path, "tasks.%d.labels.%d", (int)(t - g->sources),
                        (int)i);
                ASSERT_EQm(g->name, g->labels[t][i], json_number(path));
            }
    }
    PASS();
}

/* The 14 matrices of a start as ttl0.csv to ttl13.csv. */
static void write_ttl_start(const golden_ttl *g, char *list)
{
    list[0] = '\0';
    for (size_t i = 0; i < 14; i++) {
        char name[20];
        size_t p = i % 3 == 0 ? g->p1 : g->p2, m = g->m[i < 6 ? 0 : 1];
        size_t rows = i == 12 ? g->n[1] : i == 13 ? g->n[2]
                    : i % 6 < 3 ? m : p;
        size_t columns = i < 12 && i % 6 < 3 ? p : g->c;
        sprintf(name, "ttl%d.csv", (int)i);
        write_numbers(name, rows * columns, columns, g->start[i]);
        sprintf(list + strlen(list), "%s%s", i == 0 ? "" : ",", name);
    }
}

TEST ttl_runs_worked_cases_from_files(void)
{
    const double close = sizeof(mtc_real) == 8 ? 1e-8 : 5e-3;
    for (size_t w = 0; w < sizeof golden_ttls / sizeof *golden_ttls; w++) {
        const golden_ttl *g = &golden_ttls[w];
        int views = g->X[1] != g->X[2];
        char list[300], args[900], path[60];
        write_ttl_start(g, list);
        write_rows("s.csv", g->n[0], g->m[0], g->X[0], g->source);
        write_rows("v1.csv", g->n[1], g->m[0], g->X[1], NULL);
        write_rows("v2.csv", g->n[1], g->m[1], g->X[2], NULL);
        write_rows("t.csv", g->n[2], g->m[1], g->X[3], NULL);
        sprintf(args, "transfer ttl --variant published --rows given --k %d "
                "--features %d --common %d --iterations 20 --source s.csv %s "
                "--target t.csv --factors %s --json -", (int)g->c, (int)(g->p1 + g->p2),
                (int)g->p1, views ? "--view1 v1.csv --view2 v2.csv"
                                  : "--bridge v1.csv", list);
        ASSERT_EQ_FMTm(cli_last()->err, 0, cli(args), "%d");
        for (size_t i = 0; i <= 20; i++) {
            sprintf(path, "objective.%d", (int)i);
            ASSERT_IN_RANGEm(g->name, g->objective[i], json_number(path),
                             close * (1 + g->objective[0]));
        }
        for (size_t i = 0; i < g->n[2]; i++) {
            sprintf(path, "tasks.0.labels.%d", (int)i);
            ASSERT_EQm(g->name, g->labels_t[i], json_number(path));
        }
    }
    RUNS(2, "transfer ttl --source s.csv --bridge v1.csv --target t.csv "
            "--factors ttl0.csv");
    ERR_HAS("needed are 14");
    PASS();
}

TEST lssmtc_checks_the_projection_it_is_given(void)
{
    cli_write("W.csv", "1\n0\n");
    RUNS(0, "cluster lssmtc --k 2 --projection W.csv a.csv b.csv --json -");
    JSON_NEAR("options.subspace", 1);
    RUNS(1, "cluster lssmtc --k 2 --subspace 2 --projection W.csv a.csv b.csv");
    ERR_HAS("W.csv: 2 x 1 numbers; expected 2 x 2, features x --subspace");
    RUNS(2, "cluster lssmtc --k 2 --guard --projection W.csv a.csv b.csv");
    cli_write("W.csv", "1\n0\n0\n");
    RUNS(1, "cluster lssmtc --k 2 --projection W.csv a.csv b.csv");
    RUNS(1, "cluster lssmtc --k 2 --projection none.csv a.csv b.csv");
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
        ASSERT_STR_EQ("cost plan row_dual column_dual gap pivots ",
                      json_members(""));
        ASSERT_IN_RANGE(g->value, json_number("cost"), near);
        if (c < 6) {                            /* these are uniform */
            RUNS(0, "emd cost.csv --json -");
            ASSERT_IN_RANGE(g->value, json_number("cost"), near);
        }
    }
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
    RUNS(0, "cluster ncut --k 2 --sigma 3 line.csv --json -");
    JSON_NEAR("sigma.0", 3);
    JSON_NEAR("options.sigma", 3);
    /* Clusters {0, 1} and {4, 11.5}, or whatever was found: the cut is known
     * from exp(-|x-y|^2 / 18); a sample is not its own neighbour. */
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

/* ---- guard and auto ------------------------------------------------------ */

/* Three tasks of 40 samples around the same centres. */
#define SIBLINGS "s/siblings1.svm s/siblings2.svm s/siblings3.svm "

static int write_siblings(void)
{
    return cli("generate siblings --n 40 --tasks 3 --out s --quiet");
}

TEST guard_reports_what_it_kept_and_why(void)
{
    static const char *const runs[] = {
        "cluster mbc --guard " SIBLINGS,
        "cluster lssmtc --guard --gate seeds --restarts 4 " SIBLINGS};
    ASSERT_EQ(0, write_siblings());
    for (int m = 0; m < 2; m++) {
        char args[300];
        sprintf(args, "%s --json -", runs[m]);
        ASSERT_EQ_FMTm(args, 0, cli(args), "%d");
        ASSERT_STR_EQ("method options seconds iterations converged objective "
                      "tasks relatedness correspondence guard ",
                      json_members(""));
        ASSERT_STR_EQ("stability_single stability_shared kept agreement_ab "
                      "loss_single loss_shared ", json_members("guard.2"));
        for (int t = 0; t < 3; t++) {
            char path[40];
            sprintf(path, "guard.%d.kept", t);
            ASSERT(json_is(path, "\"single\"") || json_is(path, "\"shared\""));
            sprintf(path, "guard.%d.stability_single", t);
            double alone = json_number(path);
            sprintf(path, "guard.%d.stability_shared", t);
            double shared = json_number(path);
            sprintf(path, "guard.%d.kept", t);
            ASSERT(alone > 0 && alone <= 1 && shared > 0 && shared <= 1);
            ASSERT_EQ(shared > alone + (m == 0 ? .05 : 0),
                      json_is(path, "\"shared\""));
            sprintf(path, "guard.%d.loss_single", t);
            ASSERT(json_number(path) > 0 && json_number(path) < 1e9);
        }
        ASSERT(json_at(cli_last()->out, "guard.3") == NULL);
        ASSERT(json_is("objective", "[]"));
        ASSERT(json_is("options.guard", "true"));
        ASSERT_EQ(m == 0 ? 10 : 4, json_number("options.restarts"));
        ASSERT_EQ(m == 0 ? 30 : 20, json_number("options.iterations"));
        JSON_NEAR("options.lambda", .5);    /* the guard's own default */
        ASSERT_EQ(0, cli(runs[m]));
        OUT_HAS("\nsiblings1: ");
        OUT_HAS("(stability alone ");
    }
    RUNS(0, "cluster lssmtc --guard --lambda .25 --iterations 3 --folds 2 "
            "--margin .9 " SIBLINGS "--json -");
    JSON_NEAR("options.lambda", .25);
    JSON_NEAR("options.iterations", 3);
    JSON_NEAR("options.folds", 2);
    ASSERT(json_is("guard.1.kept", "\"single\""));  /* a margin few have */
    RUNS(0, "cluster lssmtc " SIBLINGS "--json -");
    JSON_NEAR("options.lambda", .75);
    ASSERT(json_at(cli_last()->out, "guard") == NULL);
    PASS();
}

TEST guard_serves_small_single_and_unequal_tasks(void)
{
    ASSERT_EQ(0, write_siblings());
    RUNS(0, "cluster mbc --guard --k 2,3 a.csv b.csv --json -");
    JSON_NEAR("guard.1.stability_shared", -1);      /* below 10 k samples */
    ASSERT(json_is("guard.1.kept", "\"single\""));
    RUNS(0, "cluster mbc --guard --k 2 a.csv b.csv");
    OUT_HAS("b: alone: too few samples");
    RUNS(0, "cluster mbc --guard --k 3,2,4 " SIBLINGS "--json -");
    JSON_NEAR("tasks.2.k", 4);
    ASSERT(json_number("guard.2.stability_single") > 0);
    RUNS(0, "cluster lssmtc --guard s/siblings1.svm");
    OUT_HAS("siblings1: alone");
    RUNS(0, "cluster lssmtc --guard --pool " SIBLINGS "--json -");
    ASSERT(json_at(cli_last()->out, "guard.1") == NULL);
    RUNS(0, "cluster mtcfir --guard --restarts 2 " SIBLINGS);
    OUT_HAS("siblings3: the vote of both");
    RUNS(0, "cluster mtcfir --guard --k 2 a.csv b.csv --json -");
    ASSERT(json_is("guard.0.kept", "\"shared\""));
    JSON_NEAR("guard.0.stability_single", -1);
    RUNS(2, "cluster lssmtc --guard --k 2,3 a.csv b.csv");
    RUNS(2, "cluster lssmtc --guard --k 2 --restarts 1 a.csv b.csv");
    ERR_HAS("needs 2 runs");
    RUNS(2, "cluster mbc --guard --k 2 --init good.txt,bad.txt a.csv b.csv");
    ERR_HAS("--guard makes its own starts");
    RUNS(2, "cluster mbc --guard --k 2 --gate doors a.csv b.csv");
    RUNS(2, "cluster mbc --guard --k 2 --folds 1 a.csv b.csv");
    RUNS(2, "cluster mtcfir --gate seeds --k 2 a.csv b.csv");
    PASS();
}

TEST auto_reports_how_far_families_agree(void)
{
    ASSERT_EQ(0, write_siblings());
    RUNS(0, "cluster auto " SIBLINGS "--json -");
    ASSERT_STR_EQ("families agreement sharing voting ",
                  json_members("auto.2"));
    ASSERT_STR_EQ("spec own lsa lsaJ mbc lss ",
                  json_members("auto.0.families"));
    double sum = 0;
    static const char *const names[] = {"spec", "own", "lsa", "lsaJ", "mbc",
                                        "lss"};
    for (size_t f = 0; f < 6; f++) {
        char path[40];
        sprintf(path, "auto.0.families.%s", names[f]);
        sum += json_number(path);
    }
    ASSERT_IN_RANGE(sum / 6, json_number("auto.0.agreement"), 1e-6);
    JSON_NEAR("auto.0.voting", 40);
    ASSERT(json_number("auto.0.sharing") <= 1);
    JSON_NEAR("options.restarts", 10);
    ASSERT(json_is("options.rich", "false"));
    ASSERT(json_is("relatedness", "null"));
    RUNS(0, "cluster auto " SIBLINGS);
    OUT_HAS("\nsiblings2: families agree with the answer by ");
    OUT_HAS("; sharing ");
    RUNS(0, "cluster auto --rich --k 2,3,2 --restarts 2 " SIBLINGS "--json -");
    ASSERT_STR_EQ("spec own lsaJ mbc msda msdaJ ",      /* no lss: k differ */
                  json_members("auto.0.families"));
    RUNS(0, "cluster auto s/siblings1.svm");
    ASSERT(strstr(cli_last()->out, "sharing") == NULL); /* with whom? */
    RUNS(0, "cluster auto a.csv --json -");
    ASSERT_STR_EQ("kmeans spec own lsa ", json_members("auto.0.families"));
    JSON_NEAR("tasks.0.acc", 1);
    RUNS(2, "cluster auto b.csv");
    ERR_HAS("b has no labels to count classes by: give --k");
    RUNS(0, "cluster auto --k 2 b.csv");
    RUNS(2, "cluster auto --k 2 --restarts 1 b.csv");
    RUNS(0, "compare --k 2 --repeats 1 a.csv b.csv --json -");
    ASSERT(compare_row("auto", "shared") > 0);
    PASS();
}

/* Budgets are common to all methods; one that has no use for them says so. */
TEST common_options_are_taken_by_every_method(void)
{
    RUNS(0, "cluster ncut a.csv --iterations 5 --tolerance 0 --json -");
    ERR_HAS("--iterations has no effect on ncut");
    ERR_HAS("--tolerance has no effect on ncut");
    ASSERT(json_at(cli_last()->out, "options.tolerance") == NULL);
    RUNS(0, "cluster auto a.csv --iterations=5 --quiet");
    ASSERT_STR_EQ("", cli_last()->err);
    RUNS(0, "cluster auto a.csv --init good.txt");
    ERR_HAS("--init has no effect on auto");
    RUNS(0, "bridge --seed 2 --source a.csv --target a.csv b.csv");
    ERR_HAS("--seed has no effect on bridge");
    RUNS(2, "cluster ncut a.csv --iterations 0");
    RUNS(0, "cluster kmeans a.csv --guard");
    ERR_HAS("--guard has no effect on kmeans");
    RUNS(0, "transfer gfhf --init good.txt --pool --source a.csv --target "
            "b.csv");
    ERR_HAS("--init has no effect on gfhf");
    ERR_HAS("--pool has no effect on gfhf");
    RUNS(0, "transfer svm --restarts 2 --k 2 --source a.csv --target b.csv "
            "--json -");
    ERR_HAS("--restarts has no effect on svm");
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

/* A failure in the library is told with the file or task that it is about. */
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
    RUNS(1, "transfer lssttc --source a.csv --target big.csv");
    ERR_HAS("mtc: big: ");
    RUNS(1, "transfer tsvm --source a.csv --target big.csv");
    ERR_HAS("mtc: big: ");
    RUNS(1, "transfer lssttc --source a.csv bigger.csv --target b.csv");
    ERR_HAS("mtc: bigger.csv: ");
    RUNS(1, "transfer gfhf --source a.csv bigger.csv --target b.csv");
    ERR_HAS("mtc: bigger.csv: ");
    RUNS(1, "transfer llgc --source a.csv --target big.csv");
    ERR_HAS("mtc: big: ");
    RUNS(1, "transfer svm --source a.csv bigger.csv --target b.csv");
    ERR_HAS("mtc: bigger.csv: ");
    ERR_HAS("sample 2, feature 2");
    RUNS(1, "transfer trec --source a.csv --target big.csv --k 2");
    ERR_HAS("mtc: big: ");
    RUNS(1, "transfer trec --source a.csv bigger.csv --target b.csv --k 2");
    ERR_HAS("mtc: bigger.csv: ");
    PASS();
}

/* ---- what is printed is what the library says, to the last bit ----------- */

enum { BIT_N = 40, BIT_D = 4, BIT_K = 3 };

typedef struct bit_data {
    mtc_real X[3][BIT_N * BIT_D];
    int y[3][BIT_N];
    mtc_data view[3];
    const int *labels[3];
} bit_data;

/* Three tasks, positive values, written as bit0.csv .. in full precision. */
static const bit_data *write_bits(void)
{
    static bit_data b;
    double rows[BIT_N * BIT_D];
    mtc_random r = mtc_random_seed(5);
    for (size_t t = 0; t < 3; t++) {
        char name[20];
        for (size_t i = 0; i < BIT_N; i++) {
            b.y[t][i] = (int)(i % BIT_K);
            for (size_t j = 0; j < BIT_D; j++) {
                mtc_real x = (mtc_real)(j == i % BIT_K ? 3 : 1) +
                             (mtc_real)t / 4 + 2 * mtc_random_real(&r);
                b.X[t][i * BIT_D + j] = x;
                rows[i * BIT_D + j] = (double)x;
            }
        }
        sprintf(name, "bit%d.csv", (int)t);
        write_rows(name, BIT_N, BIT_D, rows, b.y[t]);
        b.view[t] = mtc_dense(BIT_N, BIT_D, b.X[t]);
        b.labels[t] = b.y[t];
    }
    return &b;
}

/* Is the array at the path x [n], bit for bit, and no longer? */
static int json_equal(const char *path, size_t n, const mtc_real *x)
{
    char at[80];
    for (size_t i = 0; i < n; i++) {
        sprintf(at, "%s.%d", path, (int)i);
        if (json_number(at) != (double)x[i])
            return 0;
    }
    sprintf(at, "%s.%d", path, (int)n);
    return json_at(cli_last()->out, at) == NULL;
}

static int json_rows(const char *path, size_t m, size_t n, const mtc_real *x)
{
    char at[80];
    for (size_t i = 0; i < m; i++) {
        sprintf(at, "%s.%d", path, (int)i);
        if (!json_equal(at, n, x + i * n))
            return 0;
    }
    return 1;
}

static int json_labels(size_t task, const int *labels)
{
    char at[80];
    for (size_t i = 0; i < BIT_N; i++) {
        sprintf(at, "tasks.%d.labels.%d", (int)task, (int)i);
        if (json_number(at) != labels[i])
            return 0;
    }
    return 1;
}

TEST json_has_the_bits_of_single_learners(void)
{
    const bit_data *b = write_bits();
    mtc_kmeans_options ko = mtc_kmeans_defaults();
    mtc_ncut_options no = mtc_ncut_defaults();
    mtc_ec_options eo = mtc_ec_defaults();
    mtc_kmeans_result km;
    mtc_ncut_result cut;
    mtc_ec_result ec;
    ko.clusters = no.clusters = eo.clusters = BIT_K;
    no.pick = MTC_PICK_VOTE;
    ASSERT_EQ(MTC_OK, mtc_kmeans(NULL, &b->view[0], &ko, &km));
    RUNS(0, "cluster kmeans bit0.csv --json -");
    ASSERT(json_labels(0, km.labels));
    ASSERT(json_equal("objective", km.iterations + 1, km.objective));
    mtc_kmeans_free(NULL, &km);
    ko.pick = MTC_PICK_LOSS;
    ASSERT_EQ(MTC_OK, mtc_kmeans(NULL, &b->view[0], &ko, &km));
    RUNS(0, "cluster kmeans --pick loss bit0.csv --json -");
    ASSERT(json_equal("objective", km.iterations + 1, km.objective));
    mtc_kmeans_free(NULL, &km);
    ASSERT_EQ(MTC_OK, mtc_ncut(NULL, &b->view[0], &no, &cut));
    RUNS(0, "cluster ncut bit0.csv --json -");
    ASSERT(json_labels(0, cut.labels));
    ASSERT(json_equal("cut", 1, &cut.cut));
    mtc_ncut_free(NULL, &cut);
    ASSERT_EQ(MTC_OK, mtc_ec(NULL, &b->view[0], &eo, &ec));
    RUNS(0, "cluster ec bit0.csv --json -");
    ASSERT(json_labels(0, ec.labels));
    ASSERT(json_equal("ensemble.0.stability", BIT_N, ec.stability));
    ASSERT(json_equal("ensemble.0.singular_values", ec.rank,
                      ec.singular_values));
    mtc_ec_free(NULL, &ec);
    PASS();
}

TEST json_has_the_bits_of_methods_that_share(void)
{
    const bit_data *b = write_bits();
    mtc_lssmtc_options lo = mtc_lssmtc_defaults();
    mtc_mbc_options mo = mtc_mbc_defaults();
    mtc_mtcfir_options fo = mtc_mtcfir_defaults();
    mtc_lssmtc_result lss;
    mtc_mbc_result mbc;
    mtc_mtcfir_result fir;
    lo.clusters = mo.clusters = fo.clusters = BIT_K;
    ASSERT_EQ(MTC_OK, mtc_lssmtc(NULL, b->view, 3, &lo, &lss));
    RUNS(0, "cluster lssmtc bit0.csv bit1.csv bit2.csv --json -");
    ASSERT(json_labels(2, lss.labels[2]));
    ASSERT(json_equal("objective", lss.iterations + 1, lss.objective));
    ASSERT(json_rows("relatedness", 3, 3, lss.relatedness));
    mtc_lssmtc_free(NULL, &lss);
    ASSERT_EQ(MTC_OK, mtc_mbc(NULL, b->view, 3, &mo, &mbc));
    RUNS(0, "cluster mbc bit0.csv bit1.csv bit2.csv --json -");
    ASSERT(json_labels(1, mbc.labels[1]));
    ASSERT(json_equal("objective", mbc.iterations + 1, mbc.objective));
    ASSERT(json_rows("d_M", 3, 3, mbc.coherence));
    ASSERT(json_rows("correspondence.5.weights", 3, 3, mbc.plans[7]));
    ASSERT(json_equal("within", 3, mbc.within));
    mtc_mbc_free(NULL, &mbc);
    ASSERT_EQ(MTC_OK, mtc_mtcfir(NULL, b->view, 3, &fo, &fir));
    RUNS(0, "cluster mtcfir bit0.csv bit1.csv bit2.csv --json -");
    ASSERT(json_labels(2, fir.labels[2]));
    ASSERT(json_equal("objective.1", fir.iterations[1] + 1,
                      fir.objective[1]));
    ASSERT(json_rows("alpha", 3, 3, fir.alpha));
    ASSERT(json_rows("relatedness", 3, 3, fir.relatedness));
    mtc_mtcfir_free(NULL, &fir);
    PASS();
}

TEST json_has_the_bits_of_guard_and_auto(void)
{
    const bit_data *b = write_bits();
    mtc_guard_options go = mtc_guard_defaults();
    mtc_auto_options ao = mtc_auto_defaults();
    mtc_guard_result guard;
    mtc_auto_result all;
    go.clusters = ao.clusters = BIT_K;
    ASSERT_EQ(MTC_OK, mtc_guard(NULL, b->view, 3, &go, &guard));
    RUNS(0, "cluster mbc --guard bit0.csv bit1.csv bit2.csv --json -");
    for (size_t t = 0; t < 3; t++) {
        static const char *const names[] = {
            "stability_single", "stability_shared", "agreement_ab",
            "loss_single", "loss_shared"};
        const mtc_real *of[] = {guard.stability_single, guard.stability_shared,
                                guard.agreement, guard.loss_single,
                                guard.loss_shared};
        ASSERT(json_labels(t, guard.labels[t]));
        for (size_t i = 0; i < 5; i++) {
            char path[60];
            sprintf(path, "guard.%d.%s", (int)t, names[i]);
            ASSERT_EQm(path, (double)of[i][t], json_number(path));
        }
    }
    mtc_guard_free(NULL, &guard);
    ASSERT_EQ(MTC_OK, mtc_auto(NULL, b->view, 3, &ao, &all));
    RUNS(0, "cluster auto bit0.csv bit1.csv bit2.csv --json -");
    for (size_t t = 0; t < 3; t++) {
        char path[60];
        ASSERT(json_labels(t, all.labels[t]));
        sprintf(path, "auto.%d.agreement", (int)t);
        ASSERT_EQ((double)all.agreement[t], json_number(path));
        sprintf(path, "auto.%d.sharing", (int)t);
        ASSERT_EQ((double)all.sharing[t], json_number(path));
        for (size_t f = 0; f < all.families; f++) {
            sprintf(path, "auto.%d.families.%s", (int)t, all.name[f]);
            ASSERT_EQm(path, (double)all.by_family[t * all.families + f],
                       json_number(path));
        }
    }
    mtc_auto_free(NULL, &all);
    PASS();
}

TEST json_has_the_bits_of_transfer_methods(void)
{
    const bit_data *b = write_bits();
    mtc_lssmtc_options lo = mtc_lssttc_defaults();
    mtc_ttl_options to = mtc_ttl_defaults();
    mtc_trec_options ro = mtc_trec_defaults();
    mtc_propagate_options po = mtc_propagate_defaults();
    mtc_lssmtc_result lss;
    mtc_ttl_result ttl;
    mtc_trec_result trec;
    mtc_propagate_result gfhf;
    lo.clusters = to.classes = ro.ec.clusters = po.classes = BIT_K;
    ASSERT_EQ(MTC_OK, mtc_lssttc(NULL, b->view, b->labels, 2, &b->view[2],
                                 &lo, &lss));
    RUNS(0, "transfer lssttc --source bit0.csv bit1.csv --target bit2.csv "
            "--json -");
    ASSERT(json_labels(0, lss.labels[2]));
    ASSERT(json_equal("objective", lss.iterations + 1, lss.objective));
    mtc_lssmtc_free(NULL, &lss);
    ASSERT_EQ(MTC_OK, mtc_ttl(NULL, b->view, b->labels, 1, &b->view[1], NULL,
                              1, &b->view[2], &to, &ttl));
    RUNS(0, "transfer ttl --source bit0.csv --bridge bit1.csv --target "
            "bit2.csv --json -");
    ASSERT(json_labels(0, ttl.labels));
    ASSERT(json_equal("objective", ttl.sweeps + 1, ttl.objective));
    ASSERT(json_rows("target_classes", BIT_N, BIT_K, ttl.target));
    mtc_ttl_free(NULL, &ttl);
    ASSERT_EQ(MTC_OK, mtc_trec(NULL, &b->view[0], b->labels[0], &b->view[2],
                               &ro, &trec));
    RUNS(0, "transfer trec --source bit0.csv --target bit2.csv --json -");
    ASSERT(json_labels(0, trec.labels));
    ASSERT(json_equal("objective", trec.iterations + 1, trec.objective));
    ASSERT(json_equal("same", ro.ec.runs + 1, trec.same));
    mtc_trec_free(NULL, &trec);
    ASSERT_EQ(MTC_OK, mtc_propagate(NULL, b->view, b->labels, 2, &b->view[2],
                                    &po, &gfhf));
    RUNS(0, "transfer gfhf --source bit0.csv bit1.csv --target bit2.csv "
            "--json -");
    ASSERT(json_labels(0, gfhf.labels));
    ASSERT_EQ((double)gfhf.residual, json_number("residual"));
    mtc_propagate_free(NULL, &gfhf);
    PASS();
}

TEST json_has_the_bits_of_measures(void)
{
    const bit_data *b = write_bits();
    mtc_real mmd, distance, complexity;
    ASSERT_EQ(MTC_OK, mtc_mmd(NULL, &b->view[0], &b->view[1], 0, &mmd));
    ASSERT_EQ(MTC_OK, mtc_a_distance(NULL, &b->view[0], &b->view[1],
                                     &distance));
    ASSERT_EQ(MTC_OK, mtc_complexity(NULL, &b->view[0], (mtc_real)0.1,
                                     &complexity));
    RUNS(0, "relate bit0.csv bit1.csv --json -");
    ASSERT_EQ((double)mmd, json_number("mmd.0.1"));
    ASSERT_EQ((double)distance, json_number("a_distance.0.1"));
    ASSERT_EQ((double)complexity, json_number("complexity.0"));
    PASS();
}

SUITE(cli_suite)
{
    if (!cli_ready())
        return;
    RUN_TEST(there_is_room_for_files);
    SET_SETUP(cli_setup, NULL);
    RUN_TEST(kmeans_parts_two_obvious_groups);
    RUN_TEST(lssmtc_shares_between_tasks_and_reports_how);
    RUN_TEST(lssmtc_starts_from_init_and_needs_one_k);
    RUN_TEST(lssttc_and_tsvm_carry_classes_to_the_target);
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
    RUN_TEST(aligned_uses_one_matching_for_all_tasks);
    RUN_TEST(pool_takes_one_start_for_each_task);
    RUN_TEST(k_comes_from_the_labels_or_the_option);
    RUN_TEST(warnings_tell_of_unused_clusters);
    RUN_TEST(svg_is_a_picture_with_every_sample);
    RUN_TEST(svg_goes_to_standard_output_alone);
    RUN_TEST(svg_leaves_out_what_a_method_has_not);
    RUN_TEST(svg_shows_correspondence_relatedness_and_objective);
    RUN_TEST(svg_of_many_samples_shows_all);
    RUN_TEST(svg_shortens_long_names_and_takes_many_clusters);
    RUN_TEST(svg_of_data_without_spread_is_fine);
    RUN_TEST(preprocess_l2_gives_unit_rows);
    RUN_TEST(preprocess_zscore_standardises_over_all_tasks);
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
    RUN_TEST(bad_usage_is_told_with_what_is_allowed);
    RUN_TEST(options_may_stand_anywhere_and_take_equals);
    RUN_TEST(help_is_there_for_everything);
    RUN_TEST(version_is_the_library_s);
    RUN_TEST(json_goes_to_a_file_beside_the_table);
    RUN_TEST(json_escapes_odd_names);
    RUN_TEST(every_transfer_method_labels_the_obvious_target);
    RUN_TEST(transfer_accuracy_is_direct);
    RUN_TEST(class_that_no_source_has_is_never_right);
    RUN_TEST(transfer_needs_labels_in_the_source_alone);
    RUN_TEST(target_keeps_its_name_beside_a_source_of_the_same);
    RUN_TEST(svm_reports_gamma_as_used);
    RUN_TEST(class_names_carry_over_from_source_to_target);
    RUN_TEST(emd_of_two_by_two_by_hand);
    RUN_TEST(emd_without_marginals_is_uniform_and_may_be_oblong);
    RUN_TEST(emd_refuses_bad_costs_and_marginals);
    RUN_TEST(score_agrees_with_the_golden_case);
    RUN_TEST(score_agrees_with_all_worked_cases);
    RUN_TEST(score_takes_truth_from_data_files);
    RUN_TEST(relate_finds_equal_tasks_equal);
    RUN_TEST(relate_measures_a_shift);
    RUN_TEST(relate_without_k_leaves_the_emd_out);
    RUN_TEST(generated_data_is_the_same_for_a_seed);
    RUN_TEST(demo_shows_every_method_and_writes_nothing);
    RUN_TEST(same_seed_same_output);
    RUN_TEST(memory_is_freed_on_every_way_out);
    RUN_TEST(compare_runs_every_method_of_the_table);
    RUN_TEST(compare_agrees_with_the_single_runs);
    RUN_TEST(compare_without_truth_has_stability_and_loss);
    RUN_TEST(compare_tells_why_a_method_cannot_run);
    RUN_TEST(compare_has_a_control_and_an_answer_in_words);
    RUN_TEST(compare_gives_sharing_no_credit_for_what_the_control_has);
    RUN_TEST(compare_says_no_where_sharing_cannot_help);
    RUN_TEST(run_that_fails_writes_nothing);
    RUN_TEST(files_are_replaced_as_wholes);
    RUN_TEST(devices_are_written_to_and_never_replaced);
    RUN_TEST(files_without_permission_are_bad_data);
    RUN_TEST(directories_are_no_data);
    RUN_TEST(label_files_are_read_in_many_dialects);
    RUN_TEST(classes_may_have_thousands_of_names);
    RUN_TEST(progress_shows_on_a_terminal_alone);
    RUN_TEST(want_of_memory_is_told_with_how_much);
    RUN_TEST(interrupt_stops_the_run_and_writes_nothing);
    RUN_TEST(interrupts_end_a_run_that_waits_for_data);
    RUN_TEST(names_as_long_as_the_system_allows_can_be_written);
    RUN_TEST(demo_keeps_its_files_and_tells_where_sharing_helps);
    RUN_TEST(manual_has_every_command_method_and_option);
    RUN_TEST(manual_of_the_library_has_every_family);
    RUN_TEST(examples_print_what_they_promise);
    RUN_TEST(mbc_runs_worked_cases_from_files);
    RUN_TEST(mbc_starts_from_centroids);
    RUN_TEST(kmeans_starts_from_centers_and_mbc_counts_their_smooth);
    RUN_TEST(centroid_runs_the_worked_cases_from_files);
    RUN_TEST(centroid_takes_row_by_row_and_refuses);
    RUN_TEST(mbc_reports_and_refuses);
    RUN_TEST(mtcfir_runs_worked_cases_from_files);
    RUN_TEST(mtcfir_moves_shares_between_clusters);
    RUN_TEST(mtcfir_takes_its_options_and_refuses_others);
    RUN_TEST(ttl_carries_classes_over_a_bridge);
    RUN_TEST(ttl_warns_of_labels_that_teach_nothing);
    RUN_TEST(ttl_says_what_is_missing);
    RUN_TEST(bridge_ranks_candidates_and_gives_reasons);
    RUN_TEST(bridge_score_is_fitted_to_the_worked_triples);
    RUN_TEST(bridges_that_were_tried_teach_the_score);
    RUN_TEST(gfhf_follows_the_worked_propagation);
    RUN_TEST(ec_votes_and_tells_how_stable_it_is);
    RUN_TEST(ec_tasks_have_features_of_their_own);
    RUN_TEST(trec_repairs_by_what_the_source_tells);
    RUN_TEST(trec_runs_worked_cases_from_files);
    RUN_TEST(ec_votes_over_partitions_it_is_given);
    RUN_TEST(trec_takes_its_k_from_option_target_or_source);
    RUN_TEST(trec_names_no_cluster_after_a_class_of_the_source);
    RUN_TEST(ec_and_trec_refuse_bad_options);
    RUN_TEST(lssmtc_and_lssttc_run_worked_cases_from_files);
    RUN_TEST(ttl_runs_worked_cases_from_files);
    RUN_TEST(lssmtc_checks_the_projection_it_is_given);
    RUN_TEST(emd_runs_worked_cases_from_files);
    RUN_TEST(ncut_takes_the_median_distance_for_sigma);
    RUN_TEST(guard_reports_what_it_kept_and_why);
    RUN_TEST(guard_serves_small_single_and_unequal_tasks);
    RUN_TEST(auto_reports_how_far_families_agree);
    RUN_TEST(common_options_are_taken_by_every_method);
    RUN_TEST(failures_name_the_task_or_the_method);
    RUN_TEST(json_has_the_bits_of_single_learners);
    RUN_TEST(json_has_the_bits_of_methods_that_share);
    RUN_TEST(json_has_the_bits_of_guard_and_auto);
    RUN_TEST(json_has_the_bits_of_transfer_methods);
    RUN_TEST(json_has_the_bits_of_measures);
}
