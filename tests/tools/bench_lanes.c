/* SPDX-License-Identifier: MIT
 *
 * bench_lanes.c - what more lanes would gain, on any machine
 *
 * usage: bench_lanes [NAME]        only rows whose name begins so
 *
 * The pool runs the pieces of a call one after the other and clocks each.  With
 * as many processors as lanes the call would take what is left of its time,
 * the serial part, and of each call of `parallel` the longest piece.  That over
 * the time of one lane is the figure; the serial share is of 16 lanes.  Waking
 * threads and sharing memory cost more than this knows.  Processor time, the
 * least of five turns of every piece and of the serial part.  Calls that lend
 * none at this size say so.  What stays serial of eigenpairs is the matrix by
 * vector of the reduction, half of its work.
 *
 * The column "2 clock" is two real threads by the clock on the wall, against
 * one.  With nothing else on the machine it is within a tenth of "2".
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../examples/advice/mtc_advice.h"
#include "../../mtc.h"
#define main threads_page               /* its pool: real threads */
int threads_page(void);
#include "../../examples/threads.c"
#undef main

enum { TURNS = 5, TASKS = 4, PIECES = 1 << 17 };

/* Data of a row, and its call. */
typedef struct row {
    const char *name;
    size_t tasks, n, d, k;          /* n: of each task */
    mtc_status (*call)(mtc_context *ctx, const struct row *r,
                       const mtc_data *X, const int *const *groups);
    const char *rest;               /* what keeps more lanes from more, if
                                       profiles have told */
} row;

/* ---- the clock, and the pool ---- */

typedef struct clocked {
    double pieces, longest;         /* sums over the calls of parallel */
    double *least;                  /* [PIECES] of each piece, over all turns */
    size_t at;                      /* the next piece */
} clocked;

static double clock_of(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double seconds(void)
{
    return clock_of(CLOCK_PROCESS_CPUTIME_ID);
}

static void run_in_turn(void *pool, size_t n,
                        void (*piece)(void *job, size_t i), void *job)
{
    clocked *c = (clocked *)pool;
    double longest = 0, first = seconds(), from = first;
    for (size_t i = 0; i < n; i++) {
        piece(job, i);
        double to = seconds(), taken = to - from;
        if (c->at < PIECES) {
            double *least = &c->least[c->at++];
            taken = *least > 0 && *least < taken ? *least : taken;
            *least = taken;
        }
        longest = taken > longest ? taken : longest;
        from = to;
    }
    c->pieces += from - first;
    c->longest += longest;
}

/* ---- the calls ---- */

/* Its result is freed, if there is one. */
#define DONE(status) \
    do { \
        mtc_status said = (status); \
        if (said == MTC_OK) \
            mtc_free(ctx, &res.block); \
        return said; \
    } while (0)

static mtc_status one_start(mtc_context *ctx, const row *r, const mtc_data *X,
                            const int *const *groups)
{
    mtc_kmeans_options opt = mtc_kmeans_defaults();
    mtc_kmeans_result res;
    (void)groups;
    opt.clusters = r->k;
    opt.iterations = 20;
    opt.start_centers = X->values;      /* the first rows */
    DONE(mtc_kmeans(ctx, X, &opt, &res));
}

static mtc_status ten_starts(mtc_context *ctx, const row *r, const mtc_data *X,
                             const int *const *groups)
{
    mtc_kmeans_options opt = mtc_kmeans_defaults();
    mtc_kmeans_result res;
    (void)groups;
    opt.clusters = r->k;
    opt.iterations = 20;
    DONE(mtc_kmeans(ctx, X, &opt, &res));
}

static mtc_status neighbors(mtc_context *ctx, const row *r, const mtc_data *X,
                            const int *const *groups)
{
    static size_t index[50000];
    (void)groups;
    return mtc_neighbors(ctx, X, NULL, r->k, MTC_DISTANCE_SQEUCLIDEAN, index,
                         NULL);
}

static mtc_status silhouette(mtc_context *ctx, const row *r, const mtc_data *X,
                             const int *const *groups)
{
    mtc_real mean;
    return mtc_silhouette(ctx, X, groups[0], r->k, NULL, &mean);
}

static mtc_status graph(mtc_context *ctx, const row *r, const mtc_data *X,
                        const int *const *groups)
{
    mtc_graph_options opt = mtc_graph_defaults();
    mtc_graph res;
    (void)groups;
    opt.similarity = MTC_SIMILARITY_GAUSSIAN;
    opt.neighbors = r->k;
    DONE(mtc_graph_build(ctx, X, 1, &opt, &res));
}

static mtc_status ncut(mtc_context *ctx, const row *r, const mtc_data *X,
                       const int *const *groups)
{
    mtc_ncut_options opt = mtc_ncut_defaults();
    mtc_ncut_result res;
    (void)groups;
    opt.clusters = r->k;
    opt.graph.similarity = MTC_SIMILARITY_GAUSSIAN;
    DONE(mtc_ncut(ctx, X, &opt, &res));
}

static mtc_status svm(mtc_context *ctx, const row *r, const mtc_data *X,
                      const int *const *groups)
{
    mtc_svm_options opt = mtc_svm_defaults();
    mtc_svm_result res;
    opt.classes = r->k;
    opt.kernel = MTC_KERNEL_RBF;
    DONE(mtc_svm(ctx, X, groups[0], &opt, &res));
}

/* All pairs of a symmetric matrix of the rows. */
static mtc_status eigenpairs(mtc_context *ctx, const row *r, const mtc_data *X,
                             const int *const *groups)
{
    size_t n = r->n;
    mtc_real *A = (mtc_real *)calloc(2 * n * n + n, sizeof *A);
    (void)groups;
    if (A == NULL)
        return MTC_NO_MEMORY;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            A[i * n + j] = A[j * n + i] = X->values[i * X->stride + j];
    mtc_status s = mtc_symeig(ctx, n, A, n, A + n * n, A + n * n + n, n);
    free(A);
    return s;
}

static mtc_status mbc(mtc_context *ctx, const row *r, const mtc_data *X,
                      const int *const *groups)
{
    mtc_mbc_options opt = mtc_mbc_defaults();
    mtc_mbc_result res;
    (void)groups;
    opt.clusters = r->k;
    DONE(mtc_mbc(ctx, X, r->tasks, &opt, &res));
}

static mtc_status lssmtc(mtc_context *ctx, const row *r, const mtc_data *X,
                         const int *const *groups)
{
    mtc_lssmtc_options opt = mtc_lssmtc_defaults();
    mtc_lssmtc_result res;
    (void)groups;
    opt.clusters = r->k;
    DONE(mtc_lssmtc(ctx, X, r->tasks, &opt, &res));
}

static mtc_status mtcfir(mtc_context *ctx, const row *r, const mtc_data *X,
                         const int *const *groups)
{
    mtc_mtcfir_options opt = mtc_mtcfir_defaults();
    mtc_mtcfir_result res;
    (void)groups;
    opt.clusters = r->k;
    opt.iterations = 30;
    opt.tolerance = -1;
    DONE(mtc_mtcfir(ctx, X, r->tasks, &opt, &res));
}

static mtc_status ec(mtc_context *ctx, const row *r, const mtc_data *X,
                     const int *const *groups)
{
    mtc_ec_options opt = mtc_ec_defaults();
    mtc_ec_result res;
    (void)groups;
    opt.clusters = r->k;
    DONE(mtc_ec(ctx, X, &opt, &res));
}

/* d runs: the groups, with three rows in ten elsewhere. */
static mtc_status vote(mtc_context *ctx, const row *r, const mtc_data *X,
                       const int *const *groups)
{
    mtc_vote_options opt = mtc_vote_defaults();
    mtc_vote_result res;
    static int run[10][20000];
    const int *runs[10];
    mtc_random rng = mtc_random_seed(5);
    (void)X;
    static int ready;   /* they are made but once */
    for (size_t m = 0; m < r->d; m++) {
        for (size_t i = 0; i < r->n && !ready; i++)
            run[m][i] = mtc_random_below(&rng, 10) < 3
                ? (int)mtc_random_below(&rng, r->k) : groups[0][i];
        runs[m] = run[m];
    }
    ready = 1;
    opt.clusters = r->k;
    DONE(mtc_vote(ctx, r->n, runs, r->d, &opt, &res));
}

static mtc_status guard(mtc_context *ctx, const row *r, const mtc_data *X,
                        const int *const *groups)
{
    mtc_guard_options opt = mtc_guard_defaults();
    mtc_guard_result res;
    mtc_mbc_options shared = mtc_mbc_defaults();
    (void)groups;
    shared.clusters = r->k;
    opt.mbc = &shared;
    DONE(mtc_guard(ctx, X, r->tasks, &opt, &res));
}

static mtc_status choose(mtc_context *ctx, const row *r, const mtc_data *X,
                         const int *const *groups)
{
    mtc_choose_result res;
    (void)groups;
    DONE(mtc_choose(ctx, X, r->tasks, NULL, &res));
}

static mtc_status automatic(mtc_context *ctx, const row *r, const mtc_data *X,
                            const int *const *groups)
{
    mtc_auto_options opt = mtc_auto_defaults();
    mtc_auto_result res;
    (void)groups;
    opt.clusters = r->k;
    DONE(mtc_auto(ctx, X, r->tasks, &opt, &res));
}

/* ---- the table ---- */

static const row rows[] = {
    {"auto 2 x 1000 x 10, k = 4", 2, 1000, 10, 4, automatic,
     "    two thirds of them: one task's eigenproblem of all rows; a seventh: its\n"
     "    votes and judge, when all runs are done"},
    {"choose 2 x 1000 x 10", 2, 1000, 10, 4, choose, NULL},
    {"guard 2 x 1000 x 10, k = 4", 2, 1000, 10, 4, guard, NULL},
    {"vote of 10 runs, 20000 samples, k = 8", 1, 20000, 10, 8, vote,
     "    serial: four parts in ten are counts and losses of k-means, in the order\n"
     "    of rows, six what the vote reads, its eigenpairs and stabilities; pieces:\n"
     "    means of 8 clusters are 8"},
    {"neighbors 10 of 5000 x 50", 1, 5000, 50, 10, neighbors, NULL},
    {"silhouette 5000 x 50, k = 8", 1, 5000, 50, 8, silhouette, NULL},
    {"graph of 10 neighbors, 3000 x 50", 1, 3000, 50, 10, graph, NULL},
    {"ncut 1000 x 10, k = 4", 1, 1000, 10, 4, ncut,
     "    serial: .63 of one lane is an eigenproblem"},
    {"eigenpairs of 500", 1, 500, 500, 1, eigenpairs, NULL},
    {"eigenpairs of 1000", 1, 1000, 1000, 1, eigenpairs, NULL},
    {"MTCFIR 2 x 2500 x 100, k = 10", 2, 2500, 100, 10, mtcfir, NULL},
    {"MBC 4 x 5000 x 100, k = 8", 4, 5000, 100, 8, mbc, NULL},
    {"LSSMTC 4 x 500 x 200, k = 4", 4, 500, 200, 4, lssmtc, NULL},
    {"EC 5000 x 20, k = 8", 1, 5000, 20, 8, ec, NULL},
    {"SVM 1500 x 20, RBF, 8 classes", 1, 1500, 20, 8, svm, NULL},
    {"k-means one start 100000x2, k = 100", 1, 100000, 2, 100, one_start, NULL},
    {"k-means one start 10000x50, k = 50", 1, 10000, 50, 50, one_start, NULL},
    {"k-means ten starts 10000x50, k = 10", 1, 10000, 50, 10, ten_starts, NULL}
};

/* Groups around centers of unit variance, noise 1.5. */
static void make_data(const row *r, mtc_real *x, int *label)
{
    mtc_random rng = mtc_random_seed(3);
    mtc_real *middle = (mtc_real *)calloc(r->k * r->d, sizeof *middle);
    if (middle == NULL)
        exit(1);
    for (size_t e = 0; e < r->k * r->d; e++)
        middle[e] = mtc_random_normal(&rng);
    for (size_t i = 0; i < r->tasks * r->n; i++) {
        label[i] = (int)mtc_random_below(&rng, r->k);
        for (size_t j = 0; j < r->d; j++)
            *x++ = middle[(size_t)label[i] * r->d + j] +
                   (mtc_real)1.5 * mtc_random_normal(&rng);
    }
    free(middle);
}

/* Seconds with so many lanes, did each have a processor of its own; of them
 * those in which there is but one; 1: the call lent some. */
static int time_lanes(const row *r, const mtc_data *X, const int *const *groups,
                      size_t lanes, double *all, double *serial)
{
    static double least[PIECES];
    int lent = 0;
    memset(least, 0, sizeof least);
    for (int turn = 0; turn < TURNS; turn++) {
        clocked c = {0, 0, least, 0};
        mtc_context ctx = mtc_context_defaults();
        if (lanes > 1) {
            ctx.parallel = run_in_turn;
            ctx.pool = &c;
            ctx.lanes = lanes;
        }
        double from = seconds();
        mtc_status s = r->call(&ctx, r, X, groups);
        double rest = seconds() - from - c.pieces;
        if (s != MTC_OK) {
            printf("%-38s %s\n", r->name, mtc_status_text(s));
            exit(1);
        }
        if (turn == 0 || rest + c.longest < *all) {
            *all = rest + c.longest;
            *serial = rest;
        }
        lent |= c.pieces > 0;
    }
    return lent;
}

/* Seconds on the wall with so many threads. */
static double time_threads(const row *r, const mtc_data *X,
                           const int *const *groups, size_t lanes)
{
    static thread_pool pool;
    double least = 0;
    pool_open(&pool, lanes);
    for (int turn = 0; turn < TURNS; turn++) {
        mtc_context ctx = mtc_context_defaults();
        ctx.parallel = pool_parallel;
        ctx.pool = &pool;
        ctx.lanes = lanes;
        double from = clock_of(CLOCK_MONOTONIC);
        mtc_status s = r->call(&ctx, r, X, groups);
        double taken = clock_of(CLOCK_MONOTONIC) - from;
        if (s != MTC_OK)
            exit(1);
        least = turn == 0 || taken < least ? taken : least;
    }
    pool_close(&pool);
    return least;
}

static void measure(const row *r)
{
    size_t most = r->tasks * r->n * r->d;
    mtc_real *x = (mtc_real *)calloc(most, sizeof *x);
    int *label = (int *)calloc(r->tasks * r->n, sizeof *label);
    mtc_data X[TASKS];
    const int *groups[TASKS];
    double one, serial, many[4], share;
    int lent = 0;
    if (x == NULL || label == NULL)
        exit(1);
    make_data(r, x, label);
    for (size_t t = 0; t < r->tasks; t++) {
        X[t] = mtc_dense(r->n, r->d, x + t * r->n * r->d);
        groups[t] = label + t * r->n;
    }
    time_lanes(r, X, groups, 1, &one, &serial);
    for (size_t l = 0; l < 4; l++)
        lent |= time_lanes(r, X, groups, (size_t)2 << l, &many[l], &serial);
    share = serial / one;
    if (lent)
        printf("%-38s %12.3f %7.2f %7.2f %7.2f %7.2f %7.2f   %.3f s\n",
               r->name, share, one / many[0], one / many[1], one / many[2],
               one / many[3], time_threads(r, X, groups, 1) /
                                  time_threads(r, X, groups, 2), one);
    else
        printf("%-38s lends no lanes\n", r->name);
    if (lent && r->rest != NULL)
        printf("    %.2f of one lane is the longest pieces of 16\n%s\n",
               many[3] / one - share, r->rest);
    fflush(stdout);
    free(x);
    free(label);
}

int main(int argc, char **argv)
{
    const char *wanted = argc > 1 ? argv[1] : "";
    printf("%-38s %12s %7s %7s %7s %7s %7s   %s\n",
           "times faster than one lane", "serial share", "2", "4", "8", "16",
           "2 clock", "one lane");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strncmp(rows[i].name, wanted, strlen(wanted)) == 0)
            measure(&rows[i]);
    return 0;
}
