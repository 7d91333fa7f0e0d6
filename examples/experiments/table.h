/* SPDX-License-Identifier: MIT
 *
 * table.h - what the programs of the papers' pages print: tables, filled cell
 * by cell.  On a terminal columns are aligned, with --markdown a table is
 * what stands on the page, and nothing else is printed.
 *
 * The arguments of all of them: [--markdown] [--jobs N] [DATA [PART...]].
 * DATA is the directory of the data, - or nothing says that there is none.
 * PART names what to run; without one all is run.
 */
#ifndef EXPERIMENT_TABLE_H
#define EXPERIMENT_TABLE_H

#include <stdarg.h>

#include "experiment.h"

typedef struct ex_cell_text { char text[64]; } ex_cell_text;

typedef struct ex_table {
    size_t columns, cells;
    ex_cell_text *cell;             /* [cells], the head first */
} ex_table;

static inline int *ex_markdown(void)
{
    static int on;
    return &on;
}

/* What is said beside the tables. */
static inline void ex_say(const char *format, ...)
{
    va_list rest;
    if (*ex_markdown())
        return;
    va_start(rest, format);
    vprintf(format, rest);
    va_end(rest);
    fflush(stdout);
}

/* The next cell, from left to right and row by row. */
static inline void ex_cell(ex_table *t, const char *format, ...)
{
    va_list rest;
    t->cell = ex_grow(t->cell, t->cells + 1, sizeof *t->cell);
    va_start(rest, format);
    vsnprintf(t->cell[t->cells++].text, sizeof t->cell->text, format, rest);
    va_end(rest);
}

static inline void ex_blank(ex_table *t)
{
    ex_cell(t, "%s", "");
}

/* A table whose head is what stands between the bars. */
static inline ex_table ex_head(const char *names)
{
    ex_table t = {0, 0, NULL};
    while (*names != '\0') {
        int length = (int)strcspn(names, "|");
        ex_cell(&t, "%.*s", length, names);
        names += length;
        names += *names == '|';
    }
    t.columns = t.cells;
    return t;
}

static inline double ex_error(const ex_stat *s)
{
    return ex_deviation(s) / sqrt(s->n);
}

/* A mean and the deviation of what was averaged. */
static inline void ex_mean_cell(ex_table *t, const ex_stat *s)
{
    ex_cell(t, "%.3f +- %.3f", ex_mean(s), ex_deviation(s));
}

/* A mean, its paired difference to another and Student's t of that, unless
 * all differences are the same. */
static inline void ex_pair_cell(ex_table *t, const ex_stat *mean,
                                const ex_stat *difference)
{
    double error = ex_error(difference), by = ex_mean(difference);
    if (error > 0)
        ex_cell(t, "%.3f (%+.3f, t %.1f)", ex_mean(mean), by, by / error);
    else
        ex_cell(t, "%.3f", ex_mean(mean));
}

static inline void ex_print_row(const ex_table *t, size_t row)
{
    const char *left = *ex_markdown() ? "| " : "";
    const char *right = *ex_markdown() ? " " : "  ";
    for (size_t c = 0; c < t->columns; c++) {
        const char *text = t->cell[row * t->columns + c].text;
        size_t width = 0;
        for (size_t e = c; e < t->cells && !*ex_markdown(); e += t->columns) {
            size_t length = strlen(t->cell[e].text);
            width = length > width ? length : width;
        }
        printf("%s%-*s%s", left, (int)width, text, right);
    }
    printf(*ex_markdown() ? "|\n" : "\n");
}

/* Prints the table and frees it. */
static inline void ex_print(ex_table *t)
{
    while (t->cells % t->columns != 0)      /* cells that were left out */
        ex_blank(t);
    for (size_t row = 0; row < t->cells / t->columns; row++) {
        ex_print_row(t, row);
        for (size_t c = 0; row == 0 && *ex_markdown() && c < t->columns; c++)
            printf("|---%s", c + 1 < t->columns ? "" : "|\n");
    }
    printf("\n");
    fflush(stdout);
    free(t->cell);
    t->cell = NULL;
    t->cells = 0;
}

/* Two tables, accuracy and NMI: a column for each task, and the mean. */
typedef struct ex_tasks {
    size_t tasks;
    ex_table of[2];
} ex_tasks;

static inline ex_tasks ex_task_head(const char *title, size_t tasks)
{
    static const char *const measure[2] = {"accuracy", "NMI"};
    ex_tasks p = {tasks, {{tasks + 2, 0, NULL}, {tasks + 2, 0, NULL}}};
    for (size_t m = 0; m < 2; m++) {
        ex_cell(&p.of[m], "%s, %s", title, measure[m]);
        for (size_t t = 0; t < tasks; t++)
            ex_cell(&p.of[m], "task %zu", t + 1);
        ex_cell(&p.of[m], "mean");
    }
    return p;
}

/* A row of each: stat [2*tasks] has accuracy and NMI of every task. */
static inline void ex_task_row(ex_tasks *p, const char *name,
                               const ex_stat *stat)
{
    for (size_t m = 0; m < 2; m++) {
        double mean = 0;
        ex_cell(&p->of[m], "%s", name);
        for (size_t t = 0; t < p->tasks; t++) {
            mean += ex_mean(&stat[2 * t + m]) / (double)p->tasks;
            ex_mean_cell(&p->of[m], &stat[2 * t + m]);
        }
        ex_cell(&p->of[m], "%.3f", mean);
    }
}

/* The paper's figures [2*tasks] in the same order. */
static inline void ex_task_paper(ex_tasks *p, const char *name,
                                 const double *figure)
{
    for (size_t m = 0; m < 2; m++) {
        double mean = 0;
        ex_cell(&p->of[m], "%s", name);
        for (size_t t = 0; t < p->tasks; t++) {
            mean += figure[2 * t + m] / (double)p->tasks;
            ex_cell(&p->of[m], "%.3f", figure[2 * t + m]);
        }
        ex_cell(&p->of[m], "%.3f", mean);
    }
}

/* Is there DIR/NAME.svm? */
static inline int ex_there(const char *dir, const char *name)
{
    char path[1100];
    snprintf(path, sizeof path, "%.1000s/%.60s.svm", dir, name);
    FILE *f = fopen(path, "r");
    if (f != NULL)
        fclose(f);
    return f != NULL;
}

/* A part of a program; `run` gets the directory, NULL if there is none. */
typedef struct ex_part {
    const char *name;
    int needs_data;
    void (*run)(const char *dir);
} ex_part;

static inline int ex_named(int argc, char **argv, const char *name)
{
    for (int i = 2; i < argc; i++)
        if (strcmp(argv[i], name) == 0)
            return 1;
    return argc <= 2;
}

static inline void ex_list(FILE *f, const ex_part *parts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        fprintf(f, " %s", parts[i].name);
    fprintf(f, "\n");
}

static inline void ex_known(const char *name, const ex_part *parts,
                            size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(parts[i].name, name) == 0)
            return;
    fprintf(stderr, "%s is no part; there are", name);
    ex_list(stderr, parts, count);
    exit(2);
}

/* --help, or an option that there is not: says how the program is called. */
static inline void ex_usage(const char *program, const char *option,
                            const ex_part *parts, size_t count)
{
    int asked = strcmp(option, "--help") == 0 || strcmp(option, "-h") == 0;
    FILE *f = asked ? stdout : stderr;
    if (!asked)
        fprintf(f, "%s is no option.\n", option);
    fprintf(f, "usage: %s [--markdown] [--jobs N] [DATA [PART...]]\n"
               "DATA is the directory of the data, - if there is none.\n"
               "Parts, all of them by default:", program);
    ex_list(f, parts, count);
    exit(asked ? 0 : 2);
}

/* The whole program: those parts that are named, or all; those that need data
 * where there are data. */
static inline int ex_main(int argc, char **argv, const ex_part *parts,
                          size_t count)
{
    *ex_markdown() = ex_flag(&argc, argv, "--markdown");
    ex_jobs(&argc, argv);
    if (argc > 1 && argv[1][0] == '-' && argv[1][1] != '\0')
        ex_usage(argv[0], argv[1], parts, count);
    const char *dir = argc > 1 ? argv[1] : getenv("MTC_DATA");
    if (dir != NULL && strcmp(dir, "-") == 0)
        dir = NULL;
    for (int i = 2; i < argc; i++)
        ex_known(argv[i], parts, count);
    for (size_t i = 0; i < count; i++) {
        ex_progress(i, count);
        if (!ex_named(argc, argv, parts[i].name))
            continue;
        if (dir != NULL || !parts[i].needs_data)
            parts[i].run(dir);
        else
            ex_say("%s needs the data directory.\n", parts[i].name);
    }
    ex_progress(count, count);
    return 0;
}

#endif /* EXPERIMENT_TABLE_H */
