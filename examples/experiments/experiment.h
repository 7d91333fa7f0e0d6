/* SPDX-License-Identifier: MIT
 *
 * experiment.h - what the programs that rerun a paper's tables share: data
 * from a directory of LIBSVM files, means with deviations, and one way out
 * when something fails.  Every line of a file: label index:value ...
 */
#ifndef EXPERIMENT_H
#define EXPERIMENT_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../mtc.h"

#if defined(__unix__) || defined(__APPLE__)
extern int isatty(int file);                /* POSIX's, not C99's */
#define EX_TERMINAL isatty(2)
#else
#define EX_TERMINAL 0
#endif

/* One bar for the whole program, on a terminal: `done` of `total` parts. */
static inline void ex_progress(size_t done, size_t total)
{
    static time_t began;
    if (!EX_TERMINAL)
        return;
    began = done == 0 ? time(NULL) : began;
    double spent = difftime(time(NULL), began);
    fflush(stdout);
    fprintf(stderr, "\r%30s\r", "");
    if (done < total)
        fprintf(stderr, "%3d %%", (int)(100 * done / total));
    if (done > 0 && done < total && spent >= 1) {
        int left = (int)(spent * (double)(total - done) / (double)done);
        fprintf(stderr, "  %d:%02d left", left / 60, left % 60);
    }
}

static inline void ex_die(const char *what, const char *why)
{
    fprintf(stderr, "%s: %s\n", what, why);
    exit(1);
}

static inline void ex_try(mtc_status s, const char *what)
{
    if (s != MTC_OK)
        ex_die(what, mtc_status_text(s));
}

static inline void *ex_grow(void *block, size_t count, size_t size)
{
    void *grown = realloc(block, count * size);
    if (grown == NULL)
        ex_die("memory", "exhausted");
    return grown;
}

/* The directory of the data: the program's argument, or MTC_DATA. */
static inline const char *ex_directory(int argc, char **argv)
{
    const char *dir = argc > 1 ? argv[1] : getenv("MTC_DATA");
    if (dir == NULL)
        ex_die(argv[0], "give the data directory, or set MTC_DATA");
    return dir;
}

/* One file: CSR and labels 0..classes-1, in the order of the labels found. */
typedef struct ex_set {
    mtc_data X;
    int *labels;
    size_t classes;
} ex_set;

/* Next number on the line; 0 when the line is over. */
static inline int ex_number(FILE *f, int after, double *x)
{
    int c = getc(f);
    while (c == ' ' || c == '\t' || c == '\r')
        c = getc(f);
    if (c == '\n' || c == EOF) {
        ungetc(c, f);
        return 0;
    }
    ungetc(c, f);
    return fscanf(f, "%lf", x) == 1 && (after == 0 || getc(f) == after);
}

/* Labels become their rank among the distinct ones; returns how many. */
static inline size_t ex_rank(size_t n, int *labels)
{
    size_t classes = 0;
    int next = -2147483647 - 1, *rank = ex_grow(NULL, n, sizeof *rank);
    for (size_t left = n; left > 0; classes++) {
        int least = 2147483647;
        for (size_t i = 0; i < n; i++)
            if (labels[i] >= next && labels[i] < least)
                least = labels[i];
        for (size_t i = 0; i < n; i++)
            if (labels[i] == least) {
                rank[i] = (int)classes;
                left--;
            }
        next = least + 1;
    }
    memcpy(labels, rank, n * sizeof *rank);
    free(rank);
    return classes;
}

static inline ex_set ex_load(const char *dir, const char *name)
{
    char path[1024];
    int length = snprintf(path, sizeof path, "%s/%s.svm", dir, name);
    FILE *f = length > 0 && length < (int)sizeof path ? fopen(path, "r") : NULL;
    if (f == NULL)
        ex_die(path, "cannot be opened");
    size_t n = 0, nnz = 0, d = 0, room = 0, rows = 0, *row = NULL;
    uint32_t *column = NULL;
    mtc_real *values = NULL;
    ex_set set = {{0, 0, NULL, 0, NULL, NULL}, NULL, 0};
    double label, index, value;
    while (ex_number(f, 0, &label)) {
        if (n + 1 >= rows) {
            rows = 2 * rows + 64;
            row = ex_grow(row, rows + 1, sizeof *row);
            set.labels = ex_grow(set.labels, rows, sizeof *set.labels);
        }
        row[n] = nnz;
        set.labels[n++] = (int)label;
        while (ex_number(f, ':', &index) && fscanf(f, "%lf", &value) == 1) {
            if (nnz == room) {
                room = 2 * room + 1024;
                column = ex_grow(column, room, sizeof *column);
                values = ex_grow(values, room, sizeof *values);
            }
            column[nnz] = (uint32_t)index - 1;
            values[nnz++] = (mtc_real)value;
            d = index > (double)d ? (size_t)index : d;
        }
        while (getc(f) == '\r')
            continue;
    }
    fclose(f);
    if (n == 0)
        ex_die(path, "holds no samples");
    row[n] = nnz;
    set.X = mtc_csr(n, d, row, column, values);
    set.classes = ex_rank(n, set.labels);
    return set;
}

static inline void ex_free(ex_set *set)
{
    free((void *)set->X.row);
    free((void *)set->X.column);
    free((void *)set->X.values);
    free(set->labels);
}

/* Mean and standard deviation of what was added. */
typedef struct ex_stat { double n, sum, squares; } ex_stat;

static inline void ex_add(ex_stat *s, double x)
{
    s->n += 1;
    s->sum += x;
    s->squares += x * x;
}

static inline double ex_mean(const ex_stat *s)
{
    return s->n > 0 ? s->sum / s->n : 0;
}

static inline double ex_deviation(const ex_stat *s)
{
    double mean = ex_mean(s);
    double left = s->n > 1 ? (s->squares - s->n * mean * mean) / (s->n - 1) : 0;
    return left > 0 ? sqrt(left) : 0;
}

/* Labels in another order, all orders alike. */
static inline void ex_shuffle(mtc_random *r, size_t n, int *labels)
{
    for (size_t i = n - 1; i > 0; i--) {
        size_t k = mtc_random_below(r, i + 1);
        int t = labels[i];
        labels[i] = labels[k];
        labels[k] = t;
    }
}

/* k-means by vote: the consensus of ten single runs, each with a seed of its
 * own. */
static inline void ex_vote(const mtc_data *X, size_t k, uint64_t seed,
                           int *labels)
{
    enum { RUNS = 10 };
    mtc_kmeans_options o = mtc_kmeans_defaults();
    mtc_kmeans_result run[RUNS];
    mtc_vote_options v = mtc_vote_defaults();
    mtc_vote_result res;
    const int *of_run[RUNS];
    mtc_context ctx = mtc_context_defaults();
    o.clusters = v.clusters = k;
    o.restarts = 1;
    for (size_t r = 0; r < RUNS; r++) {
        ctx.seed = seed + r;
        ex_try(mtc_kmeans(&ctx, X, &o, &run[r]), "k-means");
        of_run[r] = run[r].labels;
    }
    ctx.seed = seed;
    ex_try(mtc_vote(&ctx, X->n, of_run, RUNS, &v, &res), "vote");
    memcpy(labels, res.labels, X->n * sizeof *labels);
    mtc_free(&ctx, &res.block);
    for (size_t r = 0; r < RUNS; r++)
        mtc_free(&ctx, &run[r].block);
}

#endif /* EXPERIMENT_H */
