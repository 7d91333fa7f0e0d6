/* SPDX-License-Identifier: MIT
 *
 * cli.h - what the tests of the `mtc` program share: they meet it as a user
 * does, files in, exit status, tables, JSON and files out.  Every input is
 * written by the test itself into a directory beside the program; every
 * expected value is worked out by hand or comes from the golden cases.
 */
#ifndef TESTS_CLI_H
#define TESTS_CLI_H

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test_util.h"
#include "greatest.h"

#ifndef MTC_PROGRAM
#define MTC_PROGRAM "build/mtc"
#endif

/* ---- running it -------------------------------------------------------- */

enum { CLI_TEXT = 1 << 19, CLI_PATH = 1024 };

/* What the last run said. */
typedef struct cli_run {
    int status;
    char out[CLI_TEXT], err[CLI_TEXT];
} cli_run;

static inline cli_run *cli_last(void)
{
    static cli_run last;
    return &last;
}

/* The directory of the program. */
static inline const char *cli_beside(void)
{
    static char directory[CLI_PATH];
    const char *slash = strrchr(MTC_PROGRAM, '/');
    sprintf(directory, "%.*s", slash ? (int)(slash - MTC_PROGRAM) : 1,
            slash ? MTC_PROGRAM : ".");
    return directory;
}

/* The path of a file of ours; good for the next four calls. */
static inline const char *cli_path(const char *name)
{
    static char paths[4][CLI_PATH];
    static int turn;
    turn = (turn + 1) % 4;
    sprintf(paths[turn], "%s/cli_test/%s", cli_beside(), name);
    return paths[turn];
}

/* Reads a whole file into text [CLI_TEXT]; "" if there is none. */
static inline const char *cli_read(const char *path, char *text)
{
    FILE *f = fopen(path, "rb");
    size_t n = f ? fread(text, 1, CLI_TEXT - 1, f) : 0;
    text[n] = '\0';
    if (f)
        fclose(f);
    return text;
}

static inline void cli_write_bytes(const char *name, const char *text, size_t n)
{
    FILE *f = fopen(cli_path(name), "wb");
    if (f == NULL)
        return;
    fwrite(text, 1, n, f);
    fclose(f);
}

static inline void cli_write(const char *name, const char *text)
{
    cli_write_bytes(name, text, strlen(text));
}

/* Runs `program args` inside our directory: files are named without it.
 * The exit status, or -1 if a signal ended the program.  The search for
 * leaks at the end of a sanitized program takes seconds on some machines:
 * `leaks` asks for it. */
static inline int cli_start(const char *program, const char *args, int leaks)
{
    cli_run *r = cli_last();
    static char command[12 * CLI_PATH];
#if defined(__SANITIZE_ADDRESS__)
    const char *sanitizer = leaks ? "" : "ASAN_OPTIONS=detect_leaks=0 ";
#else
    const char *sanitizer = "";
    (void)leaks;
#endif
    snprintf(command, sizeof command,
             "cd '%s/cli_test' && %s%s %s >stdout.txt 2>stderr.txt",
             cli_beside(), sanitizer, program, args);
    int status = system(command);
#if defined(__unix__) || defined(__APPLE__)
    status = (status & 127) != 0 ? -1 : (status >> 8) & 255;
#endif
    cli_read(cli_path("stdout.txt"), r->out);
    cli_read(cli_path("stderr.txt"), r->err);
    return r->status = status;
}

/* What starts a program of another machine (RUN of the Makefile); or "". */
static inline const char *cli_emulator(void)
{
    const char *run = getenv("RUN");
    return run != NULL && strlen(run) < 100 ? run : "";
}

/* The program's path as seen from our directory. */
static inline const char *cli_program(void)
{
    static char program[CLI_PATH];
    const char *slash = strrchr(MTC_PROGRAM, '/');
    sprintf(program, "%s ../%s", cli_emulator(),
            slash ? slash + 1 : MTC_PROGRAM);
    return program;
}

static inline int cli(const char *args)
{
    return cli_start(cli_program(), args, 0);
}

/* Is there a program?  Builds that have none skip these tests. */
static inline int cli_ready(void)
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

static inline const char *json_space(const char *s)
{
    return s + strspn(s, " \n");
}

/* What follows the value at s.  Strings are skipped as wholes. */
static inline const char *json_skip(const char *s)
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
static inline const char *json_scalar(const char *s)
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
static inline int json_valid(const char *s)
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
static inline const char *json_at(const char *s, const char *path)
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
static inline double json_number(const char *path)
{
    const char *s = json_at(cli_last()->out, path);
    char *end;
    double x = s ? strtod(s, &end) : 1e300;
    return s && end != s ? x : 1e300;
}

/* The last value of the objective. */
static inline double json_loss(void)
{
    char path[40];
    sprintf(path, "objective.%d", (int)json_number("iterations"));
    return json_number(path);
}

/* Does the value at the path begin with that text? */
static inline int json_is(const char *path, const char *text)
{
    const char *s = json_at(cli_last()->out, path);
    return s != NULL && strncmp(s, text, strlen(text)) == 0;
}

/* The names of an object's members, in order, each with a space behind. */
static inline const char *json_members(const char *path)
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

static inline int cli_says(const char *s)
{
    static char line[CLI_TEXT];
    strcpy(line, cli_last()->out);
    for (char *at = line; (at = strchr(at, '\n')) != NULL;)
        *at = ' ';
    return strstr(line, s) != NULL;
}

#define JSON_NEAR(path, x)                \
    ASSERT_IN_RANGE(x, json_number(path), \
                    1e-5 + 4 * TEST_EPS * fabs((double)(x)))

#define OUT_HAS(s) ASSERTm(s, strstr(cli_last()->out, s) != NULL)
/* The same of sentences, whose lines are broken anywhere. */
#define SAYS(s) ASSERTm(s, cli_says(s))
#define ERR_HAS(s) ASSERTm(s, strstr(cli_last()->err, s) != NULL)
#define RUNS(status, args)                                                \
    do {                                                                  \
        ASSERT_EQ_FMT(status, cli(args), "%d");                           \
        ASSERT(cli_last()->out[0] != '{' || json_valid(cli_last()->out)); \
    } while (0)

/* ---- data that several tests use --------------------------------------- */

/* Two obvious groups: a square's sides, ten apart. */
static const char *const SQUARE = "x,y,label\n0,0,5\n0,1,5\n10,0,7\n10,1,7\n";

/* Values that can be read and are too large for the library. */
#ifdef MTC_SINGLE
#define CLI_HUGE "1e30,1e30\n-1e30,2e30\n1,1\n3e30,1e30\n"
#else
#define CLI_HUGE "1e300,1e300\n-1e300,2e300\n1,1\n3e300,1e300\n"
#endif

static inline void cli_setup(void *unused)
{
    (void)unused;
    cli_write("a.csv", SQUARE);
    cli_write("b.csv", "x,y\n0,0\n0,2\n10,0\n10,2\n");
    cli_write("a.svm", "5 \n5 2:1\n7 1:10\n7 1:10 2:1\n");
    cli_write("good.txt", "0\n0\n1\n1\n");
    cli_write("bad.txt", "0\n1\n0\n1\n");
}

/* ---- emd, score, relate ------------------------------------------------ */

/* Numbers, `width` to a line with commas between them, as NAME. */
static inline void write_numbers(const char *name, size_t n, size_t width,
                                 const double *x)
{
    static char text[CLI_TEXT];
    char *at = text;
    for (size_t e = 0; e < n; e++)
        at += sprintf(at, "%.17g%c", x[e], e % width == width - 1 ? '\n' : ',');
    cli_write(name, text);
}

/* A matrix [n*d], with labels behind each row unless NULL, as NAME. */
static inline void write_rows(const char *name, size_t n, size_t d,
                              const double *X, const int *labels)
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
static inline void write_labels(const char *name, size_t n, const int *labels)
{
    static char text[CLI_TEXT];
    char *at = text;
    for (size_t i = 0; i < n; i++)
        at += sprintf(at, "%d\n", labels[i]);
    cli_write(name, text);
}

/* ---- files: whole or not at all ------------------------------------------ */

/* Runs a line of shell in our directory: its exit status. */
static inline int cli_shell(const char *line)
{
    static char command[8 * CLI_PATH];
    snprintf(command, sizeof command, "cd '%s/cli_test' && %s", cli_beside(),
             line);
    int status = system(command);
#if defined(__unix__) || defined(__APPLE__)
    status = (status & 127) != 0 ? -1 : (status >> 8) & 255;
#endif
    return status;
}

/* ---- methods that share -------------------------------------------------- */

/* Are the labels of task t, in the JSON, these? */
static inline int json_task_labels(size_t t, size_t n, const int *labels)
{
    char path[60];
    for (size_t i = 0; i < n; i++) {
        sprintf(path, "tasks.%d.labels.%d", (int)t, (int)i);
        if (json_number(path) != labels[i])
            return 0;
    }
    return 1;
}

/* The index of the row of that method and kind, or -1. */
static inline int compare_row(const char *method, const char *kind)
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

/* The means of the last run as text. */
static inline const char *means_read(void)
{
    static char text[400];
    text[0] = '\0';
    for (int j = 0; j < 20; j++) {
        char path[40];
        sprintf(path, "tasks.0.centers.0.%d", j);
        if (json_at(cli_last()->out, path) == NULL)
            break;
        sprintf(text + strlen(text), "%s%.8g", j == 0 ? "" : " ",
                json_number(path));
    }
    return text;
}

/* The same numbers, in float to its digits, with the same signs between. */
static inline int same_numbers(const char *a, const char *b)
{
    while (*a != '\0' && *b != '\0') {
        char *after_a, *after_b;
        double x = strtod(a, &after_a), y = strtod(b, &after_b);
        if ((after_a == a) != (after_b == b))
            return 0;
        if (after_a == a) {
            if (*a++ != *b++)
                return 0;
            continue;
        }
        if (!(fabs(x - y) <= 4 * (double)TEST_EPS * fabs(x)))
            return 0;
        a = after_a;
        b = after_b;
    }
    return *a == *b;
}

#endif
