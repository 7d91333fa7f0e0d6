/* SPDX-License-Identifier: MIT
 *
 * desk.h - what the calls of advice share.  Private to examples/advice and
 * examples/compared.
 *
 * A call of advice is a program that calls the library.  It works at a desk,
 * which is memory that it takes as it goes, and a context for the calls that
 * it makes:
 *
 *     adv_desk desk = adv_open(ctx, task);
 *     D = ADV_TAKE(&desk, n * n, mtc_real);
 *     ADV_TRY(desk.status);                          NULL: no memory
 *     ADV_TRY(adv_call(&desk, 0, mtc_ward, &X, &tree));
 *     adv_keep(&desk, tree.block);                   until the desk is closed
 *     ...
 *     return adv_close(&desk, s);                    all memory goes back
 *
 * ADV_TRY leaves a function at once, so a desk is opened in one function and
 * used in another, which it calls.
 *
 * The context's allocator is called from the caller's thread alone, because it
 * need not be safe among threads.  In a lane a desk takes its memory by malloc;
 * without malloc there is one lane.  The library's methods do it otherwise:
 * they lay out all memory before they begin, which is what exact needs cost
 * (mtc_job_run, and the code that runs twice).
 */
#ifndef ADV_DESK_H
#define ADV_DESK_H

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "mtc_advice.h"

/* The same bits everywhere: as in mtc.h. */
#ifndef MTC_FAST
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#endif
#endif

#define ADV_BY_TYPE(x, y) ((mtc_real)(sizeof(mtc_real) == 8 ? (x) : (y)))
#define ADV_HUGE ADV_BY_TYPE(DBL_MAX, FLT_MAX)
#define ADV_TINY ADV_BY_TYPE(DBL_MIN, FLT_MIN)
/* Squared distances below this share of the largest are 0, and those that
 * differ by no more than this share are equal. */
#define ADV_EQUAL ADV_BY_TYPE(1e-12, 1e-10)
#define ADV_TIE ADV_BY_TYPE(1e-12, 1e-5)
#define ADV_MIN(a, b) ((a) < (b) ? (a) : (b))
#define ADV_MAX(a, b) ((a) > (b) ? (a) : (b))
#define ADV_SQRT(x) ((mtc_real)sqrt((double)(x)))
#define ADV_FABS(x) ((mtc_real)fabs((double)(x)))
#define ADV_FINITE(x) ((x) - (x) == 0)  /* false for NaN and Inf */

#define ADV_ZERO(x, n) memset(x, 0, (n) * sizeof *(x))  /* x [n] = 0 */
#define ADV_COPY(to, from, n) \
    ((n) > 0 ? (void)memcpy(to, from, (n) * sizeof *(to)) : (void)0)

#define ADV_TRY(call)                 \
    do {                              \
        mtc_status tried = (call);    \
        if (tried != MTC_OK)          \
            return tried;             \
    } while (0)

/* ---- failures and checks ------------------------------------------------- */

/* a*b, a+b, or SIZE_MAX when that overflows (or an operand is SIZE_MAX). */
size_t adv_mul(size_t a, size_t b);
size_t adv_add(size_t a, size_t b);

/* Both record a failure and return s; adv_fail with a place in the data. */
mtc_status adv_fail(mtc_context *ctx, mtc_status s, const char *what,
    size_t task, size_t row, size_t column);
mtc_status adv_refuse(mtc_context *ctx, mtc_status s, const char *what);
/* Refuses the call unless a condition on its arguments holds. */
mtc_status adv_require(mtc_context *ctx, int holds, const char *need);
/* Reports progress; returns OK or CANCELLED. */
mtc_status adv_tick(mtc_context *ctx, const char *stage, size_t done,
    size_t total);

mtc_status adv_check_clusters(mtc_context *ctx, size_t k, size_t n,
    size_t task);
/* Labels of n samples lie in 0..k-1. */
mtc_status adv_check_labels(mtc_context *ctx, const int *labels, size_t n,
    size_t k, size_t task);
/* Sets given together are sound and have one width. */
mtc_status adv_check_sets(mtc_context *ctx, const mtc_data *sets,
    size_t n_sets);

/* ---- a desk -------------------------------------------------------------- */

union adv_piece;

typedef struct adv_desk {
    mtc_context *ctx;       /* of the call that is served, or NULL */
    size_t task;            /* that a failure is reported in, or MTC_NONE */
    mtc_status status;      /* why a piece of memory could not be had */
    union adv_piece *last;  /* all pieces, newest first */
    mtc_context within;     /* what calls are given */
} adv_desk;

adv_desk adv_open(mtc_context *ctx, size_t task);
mtc_status adv_close(adv_desk *desk, mtc_status s);
/* Gives back what was taken since desk->last was `mark`. */
void adv_release(adv_desk *desk, union adv_piece *mark);

/* Takes `count` objects of `size` bytes, all 0; NULL if there is no memory, or
 * was none before.  ADV_REALS(desk, n, &a, &b) takes several pieces of one
 * extent. */
void *adv_take(adv_desk *desk, size_t count, size_t size);
void adv_take_reals(adv_desk *desk, size_t count, mtc_real **const *pieces);
void adv_take_sizes(adv_desk *desk, size_t count, size_t **const *pieces);
#define ADV_TAKE(desk, count, type) \
    ((type *)adv_take(desk, count, sizeof(type)))
#define ADV_REALS(desk, count, ...) \
    adv_take_reals(desk, count, (mtc_real **const[]){__VA_ARGS__, NULL})
#define ADV_SIZES(desk, count, ...) \
    adv_take_sizes(desk, count, (size_t **const[]){__VA_ARGS__, NULL})
/* The block of a result belongs to the desk from now on, also if this fails. */
mtc_status adv_keep(adv_desk *desk, mtc_block block);

/* One of the seed's independent streams. */
mtc_random adv_stream(const mtc_context *ctx, uint64_t stream);
#define ADV_SAME_SEED UINT64_MAX  /* a stream: keep the seed of the call */

/* Makes a call of the library, with a seed of its own for each stream but
 * ADV_SAME_SEED.  Its failure becomes the failure of the call that is served,
 * in the desk's task unless the call has named one. */
mtc_context *adv_within(adv_desk *desk, uint64_t stream);
mtc_status adv_passed(adv_desk *desk, mtc_status s);
#define adv_call(desk, stream, learner, ...) \
    adv_passed(desk, learner(adv_within(desk, stream), __VA_ARGS__))
/* Labels [n] and, unless NULL, loss of k-means on X. */
mtc_status adv_kmeans(adv_desk *desk, uint64_t stream, const mtc_data *X,
    const mtc_kmeans_options *o, int *labels, mtc_real *loss);

/* ---- results, and lanes -------------------------------------------------- */

/* The memory of a result: one block.  A shape sets the pointers of a result
 * whose extents are known.  It runs twice: without a base it only measures. */
typedef struct adv_carver {
    unsigned char *base;
    size_t used;
} adv_carver;
void *adv_carve(adv_carver *c, size_t count, size_t size);
#define ADV_CARVE(c, count, type) ((type *)adv_carve(c, count, sizeof(type)))

typedef void (*adv_shape)(adv_carver *c, void *job);
typedef mtc_status (*adv_work)(adv_desk *desk, void *job);
/* Takes the block of a result of `size` bytes, which begins with its mtc_block
 * and is 0 else, runs the work at a desk, and copies the result to `out` if all
 * went well. */
mtc_status adv_run(mtc_context *ctx, adv_shape shape, adv_work work, void *job,
    void *result, size_t size, void *out);
/* Runs a job that holds its result in the member r. */
#define adv_result(ctx, shape, work, job, res) \
    adv_run(ctx, shape, work, job, &(job)->r, sizeof (job)->r, res)

/* How many lanes work on items of `each` multiply-adds: at most one an item. */
size_t adv_lanes(const mtc_context *ctx, size_t items, size_t each);
/* Runs all items of a job, each with outputs and a desk of its own, in the
 * lanes that the context lends, if an item takes `each` multiply-adds.  Returns
 * the status of the lowest item that failed. */
typedef mtc_status (*adv_item)(adv_desk *desk, void *job, size_t item);
mtc_status adv_share(adv_desk *desk, size_t items, size_t each, adv_item run,
    void *job);

/* ---- rows and labels (rows.c) -------------------------------------------- */

/* Room for copies of at most n rows of X: a view of no rows yet. */
mtc_data adv_rows(adv_desk *desk, const mtc_data *X, size_t n);
/* Appends row i of X to the copy, which is dense if X is. */
void adv_add_row(const mtc_data *X, size_t i, mtc_data *copy);
/* A copy of `wanted` rows of X, drawn in their order. */
mtc_data adv_draw(adv_desk *desk, const mtc_data *X, size_t wanted,
    uint64_t stream);
/* Knuth's algorithm S: `wanted` of the `left` remaining items are still to be
 * drawn.  Is the next one among them? */
int adv_drawn(mtc_random *random, size_t left, size_t wanted);
/* Scales the rows of a copy, or of E [n*k], to length 1; a zero row stays. */
void adv_unit(mtc_data *copy);
void adv_unit_rows(size_t n, size_t k, mtc_real *E);
/* A copy of all rows, of length 1. */
mtc_data adv_directions(adv_desk *desk, const mtc_data *X);
/* |x|^2 of row i. */
mtc_real adv_square(const mtc_data *X, size_t i);
/* Do the values look like those of texts: none negative, and 0 in nine of ten?
 * *zeros, unless NULL, is the share of 0. */
int adv_sparse(const mtc_data *sets, size_t n_sets, mtc_real *zeros);

/* Index of the largest of value [k], the lowest on a tie. */
size_t adv_argmax(size_t k, const mtc_real *value);
/* Writes to order [k] the indices of the k smallest of key [n], 0 < k <= n,
 * ascending, ties to the lowest index. */
void adv_select(size_t n, const mtc_real *key, size_t k, size_t *order);
/* The value of key [n] that is larger than m others, m < n, and the median, the
 * mean of two if n is even.  order [n] is scratch. */
mtc_real adv_nth(size_t n, const mtc_real *key, size_t m, size_t *order);
mtc_real adv_median(size_t n, const mtc_real *key, size_t *order);

/* count [k] = samples of each cluster; returns how many clusters occur. */
size_t adv_count(size_t n, const int *labels, size_t k, size_t *count);
/* means [k*d] of the clusters.  share [k] is scratch. */
void adv_means(const mtc_data *X, size_t k, const int *labels, mtc_real *means,
    mtc_real *share);
/* An empty cluster has no mean, and its center must not be nearest to any row,
 * old or new.  It is the mean of a cluster of lower number, which wins the tie,
 * or lies where values end.  used [k] is scratch. */
void adv_fill(const mtc_data *X, size_t k, const int *labels, mtc_real *means,
    mtc_real *used);
/* count [k] rows, means [k*d] and sums of squares about them [k*d] of the
 * clusters; all 0 if one is empty.  Rows with a label below 0 take no part.
 * Without labels, which may be NULL, all rows are cluster 0. */
void adv_moments(const mtc_data *X, const int *labels, size_t k,
    mtc_real *count, mtc_real *means, mtc_real *squares);
/* The adjusted Rand index of two labelings of n samples, from count [k*k]: how
 * many samples have the labels a and b. */
mtc_real adv_ari(const size_t *count, size_t n, size_t k);

/* Row i holds values[e] for e from adv_begin to before adv_end, dense or not;
 * adv_column tells the column of e. */
static inline size_t adv_begin(const mtc_data *X, size_t i)
{
    return X->row == NULL ? i * X->stride : X->row[i];
}

static inline size_t adv_end(const mtc_data *X, size_t i)
{
    return X->row == NULL ? i * X->stride + X->d : X->row[i + 1];
}

static inline size_t adv_column(const mtc_data *X, size_t begin, size_t e)
{
    return X->row == NULL ? e - begin : X->column[e];
}

/* ---- between the trees (tree.c, ward.c), and judge (judge.c) ------------- */

/* mtc_tree by max(d_ij^2, core_i, core_j); core [n] may be NULL. */
mtc_status adv_tree(mtc_context *ctx, const mtc_data *X, const mtc_real *core,
    mtc_tree_result *res);
/* The cluster of a row: its lowest row.  Rows point to lower ones, the lowest
 * to itself; paths are halved on the way. */
int adv_link_root(int *lower, size_t row);
/* Two clusters, by their roots, become one. */
void adv_link_join(int *lower, int a, int b);
/* Pointers [n] become labels, numbered in the order of the first rows. */
void adv_link_number(size_t n, int *labels);

/* Has mtc_judge enough rows and clusters for a walk? */
int adv_can_judge(size_t n, size_t k);

/* What judge finds in n rows before it sees a partition. */
typedef struct adv_ground {
    mtc_data S;        /* the graph: CSR, as n > 6, and all above 0 */
    size_t *child;     /* [2n-2] edge e of the tree joins two parts into part
                          n + e; parts 0..n-1 are rows */
    mtc_real *length;  /* [n-1] of the edges, squared */
} adv_ground;
/* Memory for it, and it, of rows that can be judged. */
adv_ground adv_ground_open(adv_desk *desk, size_t n);
mtc_status adv_ground_find(adv_desk *desk, const mtc_data *X, adv_ground *g);
/* mtc_judge of rows of which that is known. */
mtc_status adv_judge(mtc_context *ctx, const mtc_data *X,
    const adv_ground *ground, const int *const *partitions, size_t m,
    size_t clusters, mtc_judge_result *res);

#endif /* ADV_DESK_H */
