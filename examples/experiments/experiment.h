/* SPDX-License-Identifier: MIT
 *
 * experiment.h - what the programs that rerun a paper's tables share: data
 * from a directory of LIBSVM files, means with deviations, runs on all
 * processors, and one way out when something fails.  Every line of a file:
 * label index:value ...
 * Included before anything else: it says which parts of POSIX are used.
 */
#ifndef EXPERIMENT_H
#define EXPERIMENT_H

#if defined(__unix__) || defined(__APPLE__)
#define EX_POSIX
#define _POSIX_C_SOURCE 200112L
#define _DARWIN_C_SOURCE                    /* macOS: for the processors */
#endif

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../mtc.h"

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF                /* the same figures everywhere */
#endif

#ifdef EX_POSIX
#include <unistd.h>
#define EX_TERMINAL isatty(2)
#ifndef MTC_NO_THREADS
#include <pthread.h>
#define EX_THREADS
#endif
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

/* ---- runs that do not depend on each other ------------------------------- */

/* Seconds of this thread. */
static inline double ex_seconds(void)
{
#if defined(EX_POSIX) && defined(CLOCK_THREAD_CPUTIME_ID)
    struct timespec t;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) == 0)
        return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
#endif
    return (double)clock() / CLOCKS_PER_SEC;
}

static inline size_t *ex_job_count(void)
{
    static size_t jobs = 1;
    return &jobs;
}

/* Takes the flag out of the arguments: 1 if it was there. */
static inline int ex_flag(int *argc, char **argv, const char *flag)
{
    int kept = 1, found = 0;
    for (int i = 1; i < *argc; i++)
        if (strcmp(argv[i], flag) == 0)
            found = 1;
        else
            argv[kept++] = argv[i];
    *argc = kept;
    return found;
}

/* Takes `--jobs N` out of the arguments: so many runs at once, by default as
 * many as there are processors.  The output does not depend on it. */
static inline void ex_jobs(int *argc, char **argv)
{
    size_t jobs = 1;
    int kept = 1;
#if defined(EX_THREADS) && defined(_SC_NPROCESSORS_ONLN)
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    jobs = n > 1 ? (size_t)n : 1;
#endif
    for (int i = 1; i < *argc; i++)
        if (strcmp(argv[i], "--jobs") == 0)
            jobs = ++i < *argc ? strtoul(argv[i], NULL, 10) : 0;
        else
            argv[kept++] = argv[i];
    *argc = kept;
    if (jobs < 1 || jobs > 1024)
        ex_die("--jobs", "a number from 1 to 1024");
    *ex_job_count() = jobs;
}

/* Run i of some work, which writes its figures. */
typedef void ex_run(const void *of, size_t i, double *figure);

typedef struct ex_crew {
    ex_run *run;
    const void *of;
    size_t n, width, next;
    double *figure;                 /* [n*width] */
#ifdef EX_THREADS
    pthread_mutex_t lock;
#endif
} ex_crew;

static inline void *ex_work(void *of)
{
    ex_crew *c = (ex_crew *)of;
    for (;;) {
#ifdef EX_THREADS
        pthread_mutex_lock(&c->lock);
#endif
        size_t i = c->next < c->n ? c->next++ : c->n;
#ifdef EX_THREADS
        pthread_mutex_unlock(&c->lock);
#endif
        if (i == c->n)
            return NULL;
        c->run(c->of, i, c->figure + i * c->width);
    }
}

/* Runs 0 to n-1: their figures [n*width], 0 where none was written. */
static inline double *ex_runs(size_t n, size_t width, ex_run *run,
                              const void *of)
{
    ex_crew c;
    memset(&c, 0, sizeof c);
    c.run = run;
    c.of = of;
    c.n = n;
    c.width = width;
    c.figure = ex_grow(NULL, n * width + 1, sizeof *c.figure);
    memset(c.figure, 0, n * width * sizeof *c.figure);
#ifdef EX_THREADS
    size_t more = *ex_job_count() < n ? *ex_job_count() : n, begun = 1;
    pthread_t *thread = ex_grow(NULL, more + 1, sizeof *thread);
    pthread_attr_t how;
    pthread_attr_init(&how);
    pthread_attr_setstacksize(&how, 8 << 20);   /* as the first has */
    pthread_mutex_init(&c.lock, NULL);
    while (begun < more &&
           pthread_create(&thread[begun], &how, ex_work, &c) == 0)
        begun++;
    ex_work(&c);
    while (--begun > 0)
        pthread_join(thread[begun], NULL);
    pthread_mutex_destroy(&c.lock);
    pthread_attr_destroy(&how);
    free(thread);
#else
    ex_work(&c);
#endif
    return c.figure;
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
