/* SPDX-License-Identifier: MIT
 *
 * mtc.c - the learners, measures and methods of mtc.
 *
 * Read it from top to bottom: each subject has a chapter, and nothing is used
 * before it is defined.  Everything builds on linalg.c and lp.c.  A learner is
 * a job: its public call runs the job, and a method can nest it in its own job.
 *
 *   Chapter 1   What the learners share
 *   Chapter 2   Bregman divergences
 *   Chapter 3   k-means
 *   Chapter 4   Vote: the consensus of several partitions
 *   Chapter 5   Nearest neighbors and similarity graphs
 *   Chapter 6   Logistic regression
 *   Chapter 7   Support vector machine
 *   Chapter 8   Normalized cut
 *   Chapter 9   Principal components
 *   Chapter 10  Symmetric non-negative factorization
 *   Chapter 11  Shared features: the denoising autoencoder
 *   Chapter 12  Consistent similarities
 *   Chapter 13  Measures
 *   Chapter 14  LSSMTC and LSSTTC: one subspace shared by all tasks
 *   Chapter 15  MBC: Bregman clustering with transported centroids
 *   Chapter 16  MTCFIR: features and similarities that tasks share
 *   Chapter 17  TTL: from a source to a target through bridges
 *   Chapter 18  EC and TrEC: ensembles in random subspaces, their transfer
 *
 * What a reader of one paper needs, besides chapter 1:
 *   [GZ09]    chapter 14, on 3          [TSZX15]  chapter 17, on 6 and 13
 *   [ZZ10]    chapter 15, on 2 and 3    [B19]     chapter 18, on 3 4 7 13
 *   [ZZL19]   chapter 16, on 3 5 10 11 12
 *
 * Numbers.  Values and weights are 0 or lie within 1e-45 .. 1e45 (float: 1e-9
 * .. 1e9); others are MTC_DOMAIN.  Distances of dense rows are sums of squared
 * differences.  Distances from |x|^2 + |y|^2 - 2 x.y are computed again if they
 * cancel (PAIR_CANCEL).  Means are summed from a pivot.  All tasks need equal
 * units.  Nothing else is done for data that are tiny or far from 0.
 *
 * Flash.  k-means and labels by centers also run on microcontrollers (make
 * check-size).  Code that both link is kept small: a macro in place of a
 * function, a loop in place of a logarithm, memory taken piece by piece.
 *
 * References are listed at the head of mtc.h.
 */
#define MTC_INTERNAL
#include "mtc.h"

#if MTC_VERSION != 400
#error "mtc.c and mtc.h are of different versions"
#endif

/* ==========================================================================
 * Chapter 1  What the learners share
 *
 * Checks of arguments, small vectors, rows of a view and the distances between
 * them, several views as one, copies of rows, blocks of rows for lanes, labels
 * and means of clusters.
 *
 * `sets` are n_sets views of one width d, dense or CSR, with N rows in all;
 * `at` is the number of a set's first row among these.  A' is A transposed.
 * ========================================================================== */

/* ---- arguments and options ----------------------------------------------- */

/* Checks a condition on arguments and options; `need` is the error message. */
static mtc_status require(mtc_context *ctx, int holds, const char *need)
{
    return holds ? MTC_OK : mtc_refuse(ctx, MTC_INVALID, need);
}

/* Refuses the call unless the condition holds; it uses the caller's ctx. */
#define REQUIRE(holds, need) MTC_TRY(require(ctx, holds, need))

/* The caller's options, or those of mtc_X_defaults() for NULL. */
#define options_of(opt, X) \
    ((opt) != NULL ? (opt) : (const mtc_##X##_options[]){mtc_##X##_defaults()})

/* Runs a job that holds its result in the member r. */
#define job_result(ctx, layout, work, job, res) \
    mtc_job_result(ctx, layout, work, job, &(job)->r, sizeof (job)->r, res)

static int in_range(mtc_real x, mtc_real low, mtc_real high)
{
    return x >= low && x <= high;  /* NaN compares false */
}

/* Can n samples have k clusters? */
static int count_fits(size_t k, size_t n)
{
    return k > 0 && k <= n && k <= INT_MAX;  /* labels are ints */
}

/* A message that several chapters give. */
static const char need_restarts[] = "restarts: need 1 or more";

static mtc_status check_clusters(mtc_context *ctx, size_t k, size_t n,
    size_t task)
{
    return count_fits(k, n) ? MTC_OK
                            : mtc_fail(ctx, MTC_INVALID, "clusters: need 1..n",
                                       task, MTC_NONE, MTC_NONE);
}

/* Labels and answers may be NULL only while a call is measured. */
#define is_given(ctx, labels) ((labels) != NULL || mtc_measuring(ctx))

/* Checks that the labels of n samples lie in 0..k-1. */
static mtc_status check_labels(mtc_context *ctx, const int *labels, size_t n,
    size_t k, size_t task)
{
    size_t rows = labels != NULL ? n : 0, i = 0;
    while (i < rows && labels[i] >= 0 && (size_t)labels[i] < k)
        i++;
    if (i == rows && is_given(ctx, labels))
        return MTC_OK;
    return mtc_fail(ctx, MTC_INVALID, "labels: need 0..k-1", task,
                    labels != NULL ? i : MTC_NONE, MTC_NONE);
}

/* Checks labels that are given as a start; NULL is fine. */
static mtc_status check_start(mtc_context *ctx, const int *labels, size_t n,
    size_t k, size_t task)
{
    return labels == NULL ? MTC_OK : check_labels(ctx, labels, n, k, task);
}

/* Is a weight or a cost, which multiplies the data, 0 or in the range? */
static int is_moderate(mtc_real x)
{
    return x == 0 || in_range(x, MTC_LEAST, MTC_MOST);
}

/* Checks that weights of n samples are moderate and not all 0; NULL is fine. */
static mtc_status check_weights(mtc_context *ctx, const mtc_real *weights,
    size_t n)
{
    mtc_real total = 0;
    if (weights == NULL)
        return MTC_OK;
    for (size_t i = 0; i < n; i++) {
        if (!is_moderate(weights[i]))
            return mtc_fail(ctx, MTC_DOMAIN, "weights: need 0 or a size near 1",
                            MTC_NONE, i, MTC_NONE);
        total += weights[i];
    }
    return require(ctx, total > 0, "weights: all are 0");
}

/* Checks sets, which need one width.  An error names the set as the task. */
static mtc_status check_sets(mtc_context *ctx, const mtc_data *sets,
    size_t n_sets)
{
    REQUIRE(sets != NULL && n_sets > 0, "no data");
    for (size_t s = 0; s < n_sets; s++) {
        MTC_TRY(mtc_data_check(ctx, &sets[s], s));
        if (sets[s].d != sets[0].d)
            return mtc_fail(ctx, MTC_INVALID, "features differ in number", s,
                            MTC_NONE, MTC_NONE);
    }
    return MTC_OK;
}

/* ---- vectors ------------------------------------------------------------- */

/* Index of the largest of value [k], the lowest on a tie. */
static size_t argmax(size_t k, const mtc_real *value)
{
    size_t best = 0;
    for (size_t z = 1; z < k; z++)
        best = value[z] > value[best] ? z : best;
    return best;
}

/* share [n] = weights / their sum; NULL weights are all 1.  `share` may be the
 * same array as `weights`. */
static void weight_shares(size_t n, const mtc_real *weights, mtc_real *share)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        share[i] = weights == NULL ? 1 : weights[i];
        sum += (double)share[i];
    }
    for (size_t i = 0; i < n; i++)
        share[i] /= (mtc_real)sum;
}

/* At [columns*rows] = A', where A is [rows*columns]. */
static void transpose(size_t rows, size_t columns, const mtc_real *A,
    mtc_real *At)
{
    for (size_t k = 0; k < columns; k++)
        for (size_t i = 0; i < rows; i++)
            At[k * rows + i] = A[i * columns + k];
}

/* ---- rows of a view ------------------------------------------------------ */

/* Row i as d contiguous reals: in place if dense, else in buffer [d]. */
static const mtc_real *row_dense(const mtc_data *X, size_t i, mtc_real *buffer)
{
    if (!mtc_is_csr(X))
        return X->values + i * X->stride;
    MTC_ZERO(buffer, X->d);
    for (size_t e = X->row[i]; e < X->row[i + 1]; e++)
        buffer[X->column[e]] = X->values[e];  /* the rest is 0 */
    return buffer;
}

/* out [d] = row i; row_dense writes a CSR row to `out` itself. */
static void row_copy(const mtc_data *X, size_t i, mtc_real *out)
{
    const mtc_real *x = row_dense(X, i, out);
    if (x != out)
        MTC_COPY(out, x, X->d);
}

/* Rows first..first+count-1 as a view of their own. */
static mtc_data row_slice(const mtc_data *X, size_t first, size_t count)
{
    mtc_data S = *X;
    S.n = count;
    if (!mtc_is_csr(X))
        S.values += first * X->stride;
    else
        S.row += first;  /* row[0] > 0; values are not moved */
    return S;
}

/* |x|^2 of row i. */
static mtc_real row_square(const mtc_data *X, size_t i)
{
    mtc_data one = row_slice(X, i, 1);
    mtc_real xx;
    mtc_data_norms(&one, &xx);
    return xx;
}

/* |X|^2, the sum of all squares. */
static mtc_real squared_norm(const mtc_data *X)
{
    double total = 0;
    for (size_t i = 0; i < X->n; i++)
        total += (double)row_square(X, i);
    return (mtc_real)total;
}

/* count [d] += the samples of X whose feature is above 0. */
static void count_having(const mtc_data *X, mtc_real *count)
{
    for (size_t i = 0; i < X->n; i++) {
        size_t e0 = row_begin(X, i), e1 = row_end(X, i);
        for (size_t e = e0; e < e1; e++)
            count[entry_column(X, e0, e)] += X->values[e] > 0;
    }
}

/* How many values are not 0 (of a shape: all that it stores). */
static size_t rows_filled(const mtc_data *X)
{
    size_t filled = 0;
    if (mtc_is_shape(X))
        return mtc_stored(X);
    for (size_t i = 0; i < X->n; i++)
        for (size_t e = row_begin(X, i); e < row_end(X, i); e++)
            filled += X->values[e] != 0;
    return filled;
}

/* Is the share of values that are not 0 at most a tenth, as in texts? */
static int is_sparse(double filled, size_t n, size_t d)
{
    return filled * 10 <= (double)n * (double)d;
}

/* ---- squared distances --------------------------------------------------- */

/* |x|^2 + |y|^2 - 2 x.y loses every digit if x and y are close.  If it is below
 * this share of |x|^2 + |y|^2, squared differences are summed instead. */
#define PAIR_CANCEL ((mtc_real)1e-3)

/* |x - y|^2 of x, y [d], in four sums, which compilers turn into vector code.
 * The sums are added in a fixed order, for the same bits everywhere. */
static mtc_real sq_distance(size_t d, const mtc_real *x, const mtc_real *y)
{
    mtc_real sum[4] = {0, 0, 0, 0};
    size_t j = 0;
    for (; j + 4 <= d; j += 4)
        for (size_t z = 0; z < 4; z++) {
            mtc_real t = x[j + z] - y[j + z];
            sum[z] += t * t;
        }
    for (; j < d; j++)
        sum[0] += (x[j] - y[j]) * (x[j] - y[j]);  /* the last d mod 4 */
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* |a x_i - b y_j|^2 of rows of any two views, merged by their columns. */
static mtc_real scaled_sq_distance(const mtc_data *X, size_t i, mtc_real a,
    const mtc_data *Y, size_t j, mtc_real b)
{
    size_t x0 = row_begin(X, i), x1 = row_end(X, i);
    size_t y0 = row_begin(Y, j), y1 = row_end(Y, j);
    mtc_real sum = 0;
    for (size_t x = x0, y = y0; x < x1 || y < y1;) {
        /* A row that is at its end has a column after all others. */
        size_t cx = x < x1 ? entry_column(X, x0, x) : SIZE_MAX;
        size_t cy = y < y1 ? entry_column(Y, y0, y) : SIZE_MAX;
        mtc_real t = 0;
        if (cx <= cy)
            t = a * X->values[x++];
        if (cy <= cx)
            t -= b * Y->values[y++];  /* both, where the columns agree */
        sum += t * t;
    }
    return sum;
}

mtc_real mtc_data_distance(const mtc_data *X, size_t i, const mtc_data *Y,
    size_t j)
{
    if (mtc_is_csr(X) || mtc_is_csr(Y))
        return scaled_sq_distance(X, i, 1, Y, j, 1);
    return sq_distance(X->d, X->values + i * X->stride,
                       Y->values + j * Y->stride);
}

/* ---- several views as one ------------------------------------------------ */

/* N: samples of all sets; SIZE_MAX on overflow. */
static size_t count_samples(const mtc_data *sets, size_t n_sets)
{
    size_t n = 0;
    for (size_t s = 0; s < n_sets; s++)
        n = mtc_add(n, sets[s].n);
    return n;
}

/* mean [d] = the mean of the rows of all sets or, if there are labels, of the
 * rows of one set with label z; 0 without rows.  Dense rows are summed as
 * differences from the first of them, the pivot. */
static void mean_of_rows(const mtc_data *sets, size_t n_sets,
    const int *labels, int z, mtc_real *mean)
{
    size_t d = sets[0].d, count = 0, sparse = 0;
    const mtc_real *pivot = NULL;
    MTC_ZERO(mean, d);
    for (size_t s = 0; s < n_sets; s++)
        sparse += (size_t)mtc_is_csr(&sets[s]);
    for (const mtc_data *X = sets; X < sets + n_sets; X++)
        for (size_t i = 0; i < X->n; i++) {
            if (labels != NULL && labels[i] != z)
                continue;
            count++;
            if (sparse > 0) {
                mtc_data_axpy(X, i, 1, mean);
                continue;
            }
            const mtc_real *x = X->values + i * X->stride;
            if (pivot == NULL)
                pivot = x;
            for (size_t e = 0; e < d; e++)
                mean[e] += x[e] - pivot[e];
        }
    for (size_t e = 0; e < d && count > 0; e++)
        mean[e] = mean[e] / (mtc_real)count + (pivot != NULL ? pivot[e] : 0);
}

/* sum [d] = sum_i w_i x_ij^2 over the rows of all sets; NULL w are all 1. */
static void column_squares(const mtc_data *sets, size_t n_sets,
    const mtc_real *w, mtc_real *sum)
{
    size_t row = 0;
    MTC_ZERO(sum, sets[0].d);
    for (const mtc_data *X = sets; X < sets + n_sets; X++)
        for (size_t i = 0; i < X->n; i++, row++) {
            size_t e0 = row_begin(X, i), e1 = row_end(X, i);
            mtc_real weight = w == NULL ? 1 : w[row];
            for (size_t e = e0; e < e1; e++)
                sum[entry_column(X, e0, e)] +=
                    weight * X->values[e] * X->values[e];
        }
}

/* ---- copies of rows ------------------------------------------------------ */

/* Takes room for a copy of rows: returns a view of no rows, to which rows_add
 * appends, or while measuring the shape itself. */
static mtc_data rows_take(mtc_stack *st, mtc_data shape)
{
    size_t stored = mtc_stored(&shape);
    const mtc_real *values = MTC_TAKE(st, stored, mtc_real);
    if (!mtc_is_csr(&shape))
        return values != NULL ? mtc_dense(0, shape.d, values) : shape;
    const size_t *row = MTC_TAKE(st, mtc_add(shape.n, 1), size_t);
    const uint32_t *column = MTC_TAKE(st, stored, uint32_t);
    return row != NULL ? mtc_csr(0, shape.d, row, column, values) : shape;
}

/* Appends row i of X to the copy, which is dense only if X is. */
static void rows_add(const mtc_data *X, size_t i, mtc_data *copy)
{
    size_t e0 = row_begin(X, i), count = row_end(X, i) - e0, line = copy->n++;
    size_t *row = (size_t *)copy->row;  /* our memory: drop const */
    uint32_t *column = (uint32_t *)copy->column;
    size_t at = line * X->d;
    if (row != NULL)
        at = line > 0 ? row[line] : 0;  /* row[0] is not written yet */
    MTC_COPY((mtc_real *)copy->values + at, X->values + e0, count);
    if (row == NULL)
        return;
    for (size_t e = 0; e < count; e++)
        column[at + e] = (uint32_t)entry_column(X, e0, e0 + e);
    row[line] = at;
    row[line + 1] = at + count;
}

/* Takes room for a stacked copy of all sets: dense if all are, else CSR. */
static void stack_layout(mtc_stack *st, const mtc_data *sets, size_t n_sets,
    mtc_data *out)
{
    size_t n = count_samples(sets, n_sets), stored = 0, sparse = 0;
    for (size_t s = 0; s < n_sets; s++) {
        stored = mtc_add(stored, mtc_stored(&sets[s]));
        sparse += (size_t)mtc_is_csr(&sets[s]);
    }
    stored = sparse > 0 ? MTC_MAX(stored, 1) : 0;  /* 0: a dense shape */
    *out = rows_take(st, mtc_shape(n, sets[0].d, stored));
    out->n = n;
}

/* Copies all sets to `out`. */
static void stack_fill(const mtc_data *sets, size_t n_sets, mtc_data *out)
{
    out->n = 0;
    for (size_t s = 0; s < n_sets; s++)
        for (size_t i = 0; i < sets[s].n; i++)
            rows_add(&sets[s], i, out);
}

/* ---- blocks of rows ------------------------------------------------------
 * Work on rows, each with outputs of its own, is dealt to lanes in blocks of a
 * fixed size, so that no bit depends on the number of lanes. */

#define BLOCK_ROWS ((size_t)64)

/* The work on rows first..first+rows-1, in a lane. */
typedef void (*block_step)(void *job, size_t first, size_t rows, size_t lane);

/* Lanes that work on blocks, with scratch for each lane, and their work. */
typedef struct block_crew {
    const char *stage;    /* of mtc_tick; NULL: no tick, as the step writes to
                             the caller's outputs and must not be cancelled */
    size_t size, lanes;   /* rows of a block; lanes */
    size_t bytes;         /* of work for a lane */
    mtc_lane *lane;       /* [lanes] */
    unsigned char *work;  /* [lanes*bytes] */
    size_t n;             /* rows in all */
    block_step step;
    void *job;
} block_crew;

#define block_work(crew, i) ((crew).work + (i) * (crew).bytes)

/* Lanes for n rows of `each` multiply-adds, in blocks of `size`. */
static size_t block_lanes(const mtc_context *ctx, size_t n, size_t size,
    size_t each)
{
    return mtc_lanes(ctx, mtc_add(n, size - 1) / size, mtc_mul(size, each));
}

static void block_layout(mtc_stack *tmp, size_t bytes, block_crew *c)
{
    c->bytes = bytes;
    c->lane = MTC_TAKE(tmp, c->lanes, mtc_lane);
    c->work = MTC_TAKE(tmp, mtc_mul(c->lanes, bytes), unsigned char);
}

static mtc_status block_run(mtc_context *ctx, void *job, size_t item,
    size_t lane)
{
    const block_crew *c = (const block_crew *)job;
    size_t first = item * c->size, left = c->n - first;
    if (c->stage != NULL)
        MTC_TRY(mtc_tick(ctx, c->stage, first, c->n));
    c->step(c->job, first, MTC_MIN(left, c->size), lane);
    return MTC_OK;
}

/* Runs `step` on all n rows, block by block. */
static mtc_status block_each(mtc_context *ctx, block_crew *c, size_t n,
    block_step step, void *job)
{
    c->n = n;
    c->step = step;
    c->job = job;
    return mtc_share(ctx, c->lanes, c->lane, (n + c->size - 1) / c->size,
                     block_run, c);
}

/* Returns the part of rows first..first+rows-1, counted over all sets, that is
 * in X, whose first row is number `at`.  *i: number of the part's first row. */
static mtc_data block_part(const mtc_data *X, size_t at, size_t first,
    size_t rows, size_t *i)
{
    size_t end = MTC_MIN(first + rows, at + X->n);
    *i = MTC_MAX(first, at);
    return *i < end ? row_slice(X, *i - at, end - *i) : row_slice(X, 0, 0);
}

/* Bytes of work for the Gram matrix of any two of the sets. */
static size_t gram_work(const mtc_data *sets, size_t n_sets)
{
    size_t most = 0;
    for (size_t a = 0; a < n_sets; a++)
        for (size_t b = 0; b < n_sets; b++) {
            size_t need = mtc_data_work(&sets[a], &sets[b], 1);
            most = MTC_MAX(need, most);
        }
    return most;
}

/* Writes rows first..first+rows-1 of G [N*N], the Gram matrix of the rows of
 * all sets, up to the diagonal.  `work` has gram_work() bytes. */
static void block_gram(const mtc_data *sets, size_t n_sets, size_t first,
    size_t rows, size_t N, mtc_real *G, void *work)
{
    for (size_t s = 0, at = 0; s < n_sets; at += sets[s++].n) {
        size_t i, unused;
        mtc_data X = block_part(&sets[s], at, first, rows, &i);
        for (size_t t = 0, to = 0; t <= s; to += sets[t++].n) {
            mtc_data Y = block_part(&sets[t], to, 0, i + X.n, &unused);
            mtc_data_gram(&X, &Y, G + i * N + to, N, work);
        }
    }
}

/* ---- clusters and their labels ------------------------------------------- */

/* k of task t: its own number, or the number for all tasks. */
#define clusters_of(o, t) \
    ((o)->clusters_of == NULL ? (o)->clusters : (o)->clusters_of[t])

/* An upper bound on the number of clusters in z [n]; 0 if z is NULL. */
static size_t label_bound(size_t n, const int *z)
{
    int largest = -1;
    if (z == NULL)
        return 0;
    for (size_t i = 0; i < n; i++)
        largest = MTC_MAX(z[i], largest);
    return MTC_MIN((size_t)largest + 1, n);
}

/* count [k] = samples of each cluster; returns how many clusters occur. */
static size_t labels_used(size_t n, const int *labels, size_t k, size_t *count)
{
    size_t used = 0;
    MTC_ZERO(count, k);
    for (size_t i = 0; i < n; i++)
        used += count[labels[i]]++ == 0;
    return used;
}

/* Writes the labels that occur to distinct [n], ascending, and returns their
 * number.  It uses Shell's sort, since qsort differs between libraries. */
static size_t distinct_labels(size_t n, const int *label, int *distinct)
{
    size_t gap = 1, found = 0;
    MTC_COPY(distinct, label, n);
    while (gap < n / 3)
        gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3)
        for (size_t i = gap, k; i < n; i++) {
            int moving = distinct[i];
            for (k = i; k >= gap && distinct[k - gap] > moving; k -= gap)
                distinct[k] = distinct[k - gap];
            distinct[k] = moving;
        }
    for (size_t i = 0; i < n; i++)
        if (i == 0 || distinct[i] != distinct[i - 1])
            distinct[found++] = distinct[i];
    return found;
}

/* A cluster without rows has mean 0 and share 0. */
void mtc_data_means(const mtc_data *X, const int *labels, size_t k,
    mtc_real *means, mtc_real *share)
{
    MTC_ZERO(share, k);
    for (size_t i = 0; i < X->n; i++)
        share[labels[i]] += 1;
    for (size_t z = 0; z < k; z++) {
        mean_of_rows(X, 1, labels, (int)z, means + z * X->d);
        share[z] /= (mtc_real)X->n;
    }
}

/* A stack over memory that the caller's layout has taken; NULL measures. */
static mtc_stack stack_within(void *memory)
{
    return (mtc_stack){(unsigned char *)memory, 0, 0, SIZE_MAX};
}

/* ---- one numbering over tasks ---------------------------------------------
 * The k clusters of a task are paired with those of task 0 by squared distances
 * of centers, and take their numbers. */

typedef struct match_ws {
    size_t k, d;
    size_t layers;    /* of the features: 1, except for MTCFIR */
    size_t *from;     /* [k] the cluster that becomes z */
    size_t *members;  /* [k] samples of each cluster of the task */
    mtc_real *cost;   /* [k*k] */
    void *work;       /* for mtc_assignment_in */
} match_ws;

static void match_layout(mtc_stack *tmp, size_t k, size_t d, match_ws *m)
{
    *m = (match_ws){.k = k, .d = d, .layers = 1};
    MTC_SIZES(tmp, k, &m->from, &m->members);
    MTC_REALS(tmp, mtc_mul(k, k), &m->cost);
    m->work = mtc_take(tmp, mtc_assignment_work(k, k), 1);
}

/* Label from[z] becomes z. */
static void match_labels(const size_t *from, size_t n, int *labels)
{
    for (size_t i = 0; i < n; i++) {
        size_t z = 0;
        while (from[z] != (size_t)labels[i])
            z++;
        labels[i] = (int)z;
    }
}

/* Moves line from[z] of k lines to place z.  A line is `count` numbers `stride`
 * apart, and begins `step` after the one before. */
static void match_lines(size_t k, const size_t *from, mtc_real *x, size_t step,
    size_t count, size_t stride)
{
    for (size_t z = 0; z < k; z++) {
        size_t y = from[z];
        while (y < z)  /* follow a line that was swapped */
            y = from[y];
        mtc_real *a = x + z * step, *b = x + y * step;
        for (size_t e = 0; e < count * stride; e += stride) {
            mtc_real keep = a[e];
            a[e] = b[e];
            b[e] = keep;
        }
    }
}

/* Column e of U and V [k*d], less its means: adds 2 sum ab to *both, returns
 * sum a^2 + b^2. */
static mtc_real match_column(size_t k, size_t d, const mtc_real *U,
    const mtc_real *V, size_t e, mtc_real *both)
{
    mtc_real u = 0, v = 0, part = 0;
    for (size_t i = e; i < k * d; i += d) {
        u += U[i] / (mtc_real)k;
        v += V[i] / (mtc_real)k;
    }
    for (size_t i = e; i < k * d; i += d) {
        mtc_real a = U[i] - u, b = V[i] - v;
        *both += 2 * a * b;
        part += a * a + b * b;
    }
    return part;
}

/* Returns how alike the matched rows of U and V [k*d] lie:  2 sum a.b / sum
 * (|a|^2 + |b|^2), where a and b are rows less the mean row.  It is 1 if U is V
 * plus a shift.  *holds is 1 if the value is above what unrelated tasks reach
 * in one case of ten.  In simulations that bound was 1.6 / sqrt(w + 1.5) for
 * the best pairing in w features, whatever k is; after a method has drawn the
 * tasks together it was 2.1 in place of 1.6.  w = 1 / sum p^2 counts features
 * by their shares p of the sum.  A feature that comes in several layers, d /
 * layers columns apart, has one share. */
static mtc_real match_alike(size_t k, size_t d, size_t layers,
    const mtc_real *U, const mtc_real *V, int *holds)
{
    mtc_real both = 0, all = 0;
    double squares = 0;  /* all^2 sum p^2 */
    for (size_t e = 0; e < d / layers; e++) {
        mtc_real part = 0;
        for (size_t at = e; at < d; at += d / layers)
            part += match_column(k, d, U, V, at, &both);
        all += part;
        squares += (double)part * (double)part;
    }
    mtc_real alike = both >= all ? 1 : both > 0 ? both / all : 0;  /* k=1: 1 */
    double w = (double)all * (double)all / squares;
    double strength = (double)alike * (double)alike * (w + 1.5);
    *holds = alike > (mtc_real)0.2 &&
             (strength > 2.1 * 2.1 || alike > (mtc_real)0.9);
    return alike;
}

/* Replaces value [m] by the nearest values that do not decrease, in squares
 * weighted by weight [m].  While the last pool is not above the pool before it,
 * the two join, with their mean.  weight and length [m] are overwritten. */
static void monotone(size_t m, mtc_real *value, double *weight, size_t *length)
{
    size_t pools = 0;
    for (size_t h = 0; h < m; h++) {
        value[pools] = value[h];
        weight[pools] = weight[h];
        length[pools++] = 1;  /* a pool of its own */
        while (pools > 1 && value[pools - 2] >= value[pools - 1]) {
            size_t b = --pools, a = b - 1;  /* b joins a */
            value[a] = (mtc_real)((weight[a] * (double)value[a] +
                                   weight[b] * (double)value[b]) /
                                  (weight[a] + weight[b]));
            weight[a] += weight[b];
            length[a] += length[b];
        }
    }
    for (size_t h = m; pools-- > 0;)  /* from the end: none is overwritten */
        for (size_t t = length[pools]; t-- > 0;)
            value[--h] = value[pools];
}

/* Renumbers labels [n] and centers U [k*d] of a task like those of task 0,
 * which has centers V; m->from reorders other arrays.  An empty cluster takes a
 * number that is left.  *holds is as in match_alike. */
static mtc_status match_task(mtc_context *ctx, const match_ws *m,
    const mtc_real *V, mtc_real *U, size_t n, int *labels, int *holds)
{
    size_t k = m->k, d = m->d;
    labels_used(n, labels, k, m->members);
    for (size_t y = 0; y < k; y++)
        for (size_t z = 0; z < k; z++)
            m->cost[y * k + z] = m->members[z] == 0
                ? 0 : sq_distance(d, V + y * d, U + z * d);
    MTC_TRY(mtc_assignment_in(ctx, k, k, m->cost, k, m->from, NULL, NULL, NULL,
                              m->work));
    match_lines(k, m->from, U, d, d, 1);
    match_labels(m->from, n, labels);
    match_alike(k, d, m->layers, V, U, holds);
    return MTC_OK;
}

mtc_status mtc_match(mtc_context *ctx, size_t k, size_t d, const mtc_real *to,
    mtc_real *centers, size_t n, int *labels, size_t *from, int *matched)
{
    match_ws m;
    int holds;
    mtc_stack st = {0};
    mtc_block work;
    REQUIRE(k > 0 && d > 0 && is_given(ctx, to) && is_given(ctx, centers),
            "centers: need [k*d] of two");
    MTC_TRY(check_labels(ctx, labels, n, k, MTC_NONE));
    match_layout(&st, k, d, &m);  /* measures */
    MTC_TRY(mtc_scratch(ctx, st.peak, &work));
    st = stack_within(work.at);
    match_layout(&st, k, d, &m);  /* carves */
    mtc_status s = match_task(ctx, &m, to, centers, n, labels, &holds);
    if (s == MTC_OK && from != NULL)
        MTC_COPY(from, m.from, k);
    if (s == MTC_OK && matched != NULL)
        *matched = holds;
    return mtc_scratch_end(ctx, &work, s);
}

/* ==========================================================================
 * Chapter 2  Bregman divergences
 *
 *   d(x||y) = phi(x) - phi(y) - <x - y, grad phi(y)>       [BMDG05] def. 1
 *
 *   name          phi(x)             d(x||y)                   grad phi  domain
 *   sqeuclidean   sum x^2            sum (x - y)^2             2x        reals
 *   mahalanobis   x'Ax               (x - y)'A(x - y)          2Ax       reals
 *   kl            sum x log x - x    sum x log(x/y) - x + y    log x     x > 0
 *   is            - sum log x        sum x/y - log(x/y) - 1    -1/x      x > 0
 *
 * [ZZ10] table 1 has kl on the simplex, where - x + y vanishes, and Itakura-
 * Saito (is) for one feature.  A = L L' is given by its factor L.
 * For each divergence the mean is the best representative, [BMDG05] prop. 1, so
 * one k-means serves them all.
 * ========================================================================== */

static int admits_all(const void *user, size_t j, mtc_real xj)
{
    (void)user, (void)j;
    return MTC_FINITE(xj);
}

static int admits_positive(const void *user, size_t j, mtc_real xj)
{
    (void)user, (void)j;
    return xj > 0 && MTC_FINITE(xj);
}

static mtc_real sqe_value(const void *user, size_t d, const mtc_real *x,
    const mtc_real *y)
{
    (void)user;
    return sq_distance(d, x, y);
}

static void sqe_gradient(const void *user, size_t d, const mtc_real *x,
    mtc_real *g)
{
    (void)user;
    for (size_t j = 0; j < d; j++)
        g[j] = 2 * x[j];
}

static void sqe_inverse(const void *user, size_t d, const mtc_real *g,
    mtc_real *x)
{
    (void)user;
    for (size_t j = 0; j < d; j++)
        x[j] = g[j] / 2;
}

mtc_divergence mtc_sqeuclidean(void)
{
    return (mtc_divergence){sqe_value, sqe_gradient, sqe_inverse, admits_all,
                            NULL};
}

/* |L'(x - y)|^2, a sum of squares, which is never negative. */
static mtc_real maha_value(const void *user, size_t d, const mtc_real *x,
    const mtc_real *y)
{
    const mtc_real *L = ((const mtc_metric *)user)->L;
    mtc_real sum = 0;
    for (size_t j = 0; j < d; j++) {
        mtc_real t = 0;
        for (size_t i = j; i < d; i++)  /* L is lower */
            t += L[i * d + j] * (x[i] - y[i]);
        sum += t * t;
    }
    return sum;
}

/* 2 L (L'x).  g is L'x at first.  It is overwritten from its end, because g_i
 * of the result uses only entries up to i. */
static void maha_gradient(const void *user, size_t d, const mtc_real *x,
    mtc_real *g)
{
    const mtc_real *L = ((const mtc_metric *)user)->L;
    for (size_t j = 0; j < d; j++) {
        g[j] = 0;
        for (size_t i = j; i < d; i++)
            g[j] += L[i * d + j] * x[i];
    }
    for (size_t i = d; i-- > 0;)
        g[i] = 2 * mtc_dot(i + 1, L + i * d, g);
}

static void maha_inverse(const void *user, size_t d, const mtc_real *g,
    mtc_real *x)
{
    sqe_inverse(NULL, d, g, x);
    mtc_cholesky_solve(d, 1, ((const mtc_metric *)user)->L, d, x, 1, NULL);
}

mtc_divergence mtc_mahalanobis(const mtc_metric *metric)
{
    return (mtc_divergence){maha_value, maha_gradient, maha_inverse,
                            admits_all, metric};
}

/* r - log r - 1 for r = x / y.  If x and y are close this would cancel.  But
 * then x - y is exact, and so t = r - 1 has all digits.  With s = t / (2 + t),
 * log r is 2 (s + s^3/3 + s^5/5 + ...), and t - 2 s is t s. */
static mtc_real saito_term(mtc_real x, mtc_real y)
{
    mtc_real r = x / y, t = (x - y) / y, s = t / (2 + t), sum = 0;
    if (!(MTC_FABS(t) < (mtc_real)0.125))
        return r < MTC_HUGE ? r - mtc_log(r) - 1 : r;
    for (int m = 17; m > 1; m -= 2)  /* |s| <= 1/15: the rest is below eps */
        sum = sum * s * s + 1 / (mtc_real)m;
    return t * s - 2 * s * s * s * sum;
}

/* x log(x/y) - x + y = x (y/x - log(y/x) - 1), x times the term of (y, x).  If
 * y/x overflows, it is y. */
static mtc_real kl_value(const void *user, size_t d, const mtc_real *x,
    const mtc_real *y)
{
    (void)user;
    mtc_real sum = 0;
    for (size_t j = 0; j < d; j++)
        sum += y[j] / x[j] < MTC_HUGE ? x[j] * saito_term(y[j], x[j]) : y[j];
    return sum;
}

static void kl_gradient(const void *user, size_t d, const mtc_real *x,
    mtc_real *g)
{
    (void)user;
    for (size_t j = 0; j < d; j++)
        g[j] = mtc_log(x[j]);
}

static void kl_inverse(const void *user, size_t d, const mtc_real *g,
    mtc_real *x)
{
    (void)user;
    for (size_t j = 0; j < d; j++)
        x[j] = mtc_exp(g[j]);
}

mtc_divergence mtc_kl(void)
{
    return (mtc_divergence){kl_value, kl_gradient, kl_inverse, admits_positive,
                            NULL};
}

static mtc_real saito_value(const void *user, size_t d, const mtc_real *x,
    const mtc_real *y)
{
    (void)user;
    mtc_real sum = 0;
    for (size_t j = 0; j < d; j++)
        sum += saito_term(x[j], y[j]);
    return sum;
}

static void saito_gradient(const void *user, size_t d, const mtc_real *x,
    mtc_real *g)
{
    (void)user;
    for (size_t j = 0; j < d; j++)
        g[j] = -1 / x[j];  /* its own inverse */
}

mtc_divergence mtc_itakura_saito(void)
{
    return (mtc_divergence){saito_value, saito_gradient, saito_gradient,
                            admits_positive, NULL};
}

/* Is div mtc_mahalanobis, which has a metric? */
static int has_metric(const mtc_divergence *div)
{
    return div != NULL && div->value == maha_value;
}

/* Is every value of X + smooth in the domain of div?  Squared Euclidean, NULL,
 * takes all values.  A value that CSR does not store becomes `smooth`: if every
 * column admits that, only stored values are visited. */
static mtc_status check_smoothed(mtc_context *ctx, const mtc_data *X,
    const mtc_divergence *div, mtc_real smooth, size_t task)
{
    int holes = 0;  /* 1: values not stored may be refused */
    if (div == NULL || mtc_is_shape(X))
        return MTC_OK;
    for (size_t j = 0; j < X->d && mtc_is_csr(X); j++)
        holes |= !div->admits(div->user, j, smooth);
    for (size_t i = 0; i < X->n; i++) {
        size_t e0 = row_begin(X, i), e = e0, e1 = row_end(X, i), j = 0;
        while (e < e1 || (holes && j < X->d)) {
            size_t next = e < e1 ? entry_column(X, e0, e) : X->d;
            j = holes ? j : next;  /* next: the next stored column */
            mtc_real x = j == next ? X->values[e++] : 0;
            if (!div->admits(div->user, j, x + smooth))
                return mtc_fail(ctx, MTC_DOMAIN, "value not in the domain of "
                                "the divergence", task, i, j);
            j++;
        }
    }
    return MTC_OK;
}

/* Checks a divergence that is given as an option: it needs its four functions,
 * and a metric needs a factor L of d features with a diagonal above 0, so that
 * A = L L' is definite.  The divergence of a model was checked before: code
 * that only labels samples omits this check and stays small. */
static mtc_status check_divergence(mtc_context *ctx, const mtc_divergence *div,
    size_t d)
{
    if (div == NULL)
        return MTC_OK;
    if (has_metric(div)) {
        const mtc_metric *metric = (const mtc_metric *)div->user;
        REQUIRE(metric != NULL && metric->L != NULL && metric->d == d,
                "metric: need L, d x d");
        for (size_t j = 0; j < d; j++)
            if (!(metric->L[j * d + j] > 0))
                return mtc_fail(ctx, MTC_SINGULAR, "metric: need an L with a "
                                "diagonal above 0", MTC_NONE, j, j);
    }
    return require(ctx, div->value != NULL && div->gradient != NULL &&
                   div->inverse != NULL && div->admits != NULL,
                   "divergence: need all four functions");
}

/* Checks div, and all values of X by check_smoothed without smoothing. */
static mtc_status check_domain(mtc_context *ctx, const mtc_data *X,
    const mtc_divergence *div, size_t task)
{
    MTC_TRY(check_divergence(ctx, div, X->d));
    return check_smoothed(ctx, X, div, 0, task);
}

/* Copies the divergence of the options, and its metric, to the result's block.
 * What a divergence of the caller's own points to is not copied.  Returns the
 * copy: NULL for squared Euclidean, and while measuring. */
static const mtc_divergence *keep_divergence(mtc_stack *own,
    const mtc_divergence *div)
{
    if (div == NULL)
        return NULL;
    mtc_divergence *kept = MTC_TAKE(own, 1, mtc_divergence);
    if (kept != NULL)
        *kept = *div;
    if (!has_metric(div))
        return kept;
    const mtc_metric *given = (const mtc_metric *)div->user;
    size_t cells = mtc_mul(given->d, given->d);
    mtc_metric *metric = MTC_TAKE(own, 1, mtc_metric);
    mtc_real *L = MTC_TAKE(own, cells, mtc_real);
    if (kept != NULL) {
        MTC_COPY(L, given->L, cells);
        *metric = (mtc_metric){given->d, L};
        kept->user = metric;
    }
    return kept;
}

/* ==========================================================================
 * Chapter 3  k-means
 *
 *   min  sum_i q_i d(x_i || u_h(i))      h labels, u centers, q weights
 *
 *   X  w.X       n x d   samples    U   w.U       k x d   centers
 *   h  w.labels  [n]     labels     U'  w.factor  d x kp  transposed, padded
 *
 *   A1  seeds: greedy k-means++, or given
 *   A2  h(i) = argmin_z d(x_i || u_z), lowest z on a tie
 *   A3  an empty cluster takes the sample with the largest q_i d(x_i||u_h(i))
 *   A4  u_z = weighted mean of its samples [BMDG05] prop. 1; stop when no
 *       label changes
 *
 * A2, squared Euclidean: the distance of a sample to its own center is computed
 * every time, because it is the loss.  The others are computed only if
 * Hamerly's bound cannot rule out a change: lower [n] is a lower bound on the
 * distance to the second nearest center, and falls by the largest movement of
 * a center.  Rounding always works against the bound, so the labels are those
 * of plain Lloyd.
 * Deviation: the recorded loss never rises, although rounding may raise it.
 * References: Arthur & Vassilvitskii, SODA 2007 (A1); Hamerly, SDM 2010.
 * ========================================================================== */

#define KM_SAME (4096 * MTC_EPS * MTC_EPS)  /* share of the squares that is
                                               rounding: see km_cost */
/* The relative rounding of a sum of d squares, and of its root. */
#define KM_SLACK(d) ((mtc_real)((d) + 16) * MTC_EPS)

/* ---- types --------------------------------------------------------------- */

struct km_ws;

/* How distances are found: by k-means itself, or by another method.  prepare()
 * fills factor and offset after the centers move; distances() fills `dist` for
 * the samples rows [count], at most MTC_SIDE.  Both get `user`. */
typedef struct km_metric {
    void (*prepare)(struct km_ws *w);
    void (*distances)(struct km_ws *w, const size_t *rows, size_t count);
    void *user;
} km_metric;

typedef struct km_ws {
    const mtc_data *X;
    const mtc_kmeans_options *o;       /* weights, divergence, start */
    size_t k;                          /* clusters */
    mtc_real *U;                       /* [k*d] centers */
    int *labels;                       /* [n] h */
    mtc_real *row;                     /* [d] one sample, dense */
    mtc_real *cost;                    /* [n] q_i d(x_i || u_h(i)) */

    /* A2 */
    km_metric metric;
    size_t kp;                         /* k rounded up to MTC_SIDE */
    mtc_real *factor, *offset;         /* [d*kp] U'; [kp] |u|^2 */
    mtc_real *dist;                    /* [SIDE*kp] of samples to all u */
    mtc_real *norm;                    /* [n] |x|^2, used if CSR */
    mtc_real *lower;                   /* [n] Hamerly's; A1: [draws*n] costs */
    mtc_real largest;                  /* |u|^2 */
    mtc_real step;                     /* the centers' largest movement */
    int *next;                         /* [n] new labels */
    size_t *changed;                   /* [lanes] how many changed */
    block_crew crew;                   /* its work: dist and row of a lane */

    /* A3 and A4 */
    mtc_real *mass;                    /* [k] weight of a cluster; A1: draws */
    size_t *members;                   /* [k] samples of positive weight */
    mtc_real *sum;                     /* [k*d] sums, then new means; in A1
                                          the draws for a seed */
    size_t draws;                      /* for a seed */
} km_ws;

/* A lane's current restart, and its best so far. */
typedef struct km_part {
    km_ws w;
    mtc_kmeans_result now, r;
    size_t kept;  /* number of the restart in r */
} km_part;

typedef struct km_job {
    const mtc_data *X;
    const mtc_kmeans_options *o;
    mtc_kmeans_result r;  /* lane 0's best; at the end the best of all */
    size_t lanes;         /* see km_lanes */
    size_t parts;         /* restarts at a time */
    km_part *part;        /* [parts] */
    mtc_lane *lane;       /* [parts] */
} km_job;

/* ---- distances and means ------------------------------------------------- */

/* q_i */
static mtc_real km_weight(const km_ws *w, size_t i)
{
    return w->o->weights == NULL ? 1 : w->o->weights[i];
}

/* |x_i - u|^2 of a CSR row from x.u and |u|^2, by differences if it cancels. */
static mtc_real km_expanded(const km_ws *w, size_t i, const mtc_real *u,
    mtc_real xu, mtc_real uu)
{
    mtc_real xx = w->norm[i], sq = (xx - 2 * xu) + uu;
    if (sq >= PAIR_CANCEL * (xx + uu))
        return sq;
    const mtc_real *x = row_dense(w->X, i, w->row);
    sq = 0;
    for (size_t j = 0; j < w->X->d; j++)
        sq += (x[j] - u[j]) * (x[j] - u[j]);
    return sq;
}

/* d(x_i || u); uu is |u|^2. */
static mtc_real km_distance(const km_ws *w, size_t i, const mtc_real *u,
    mtc_real uu)
{
    const mtc_divergence *div = w->o->divergence;
    if (div != NULL)
        return div->value(div->user, w->X->d, row_dense(w->X, i, w->row), u);
    if (mtc_is_csr(w->X))
        return km_expanded(w, i, u, mtc_data_dot(w->X, i, u), uu);
    return sq_distance(w->X->d, w->X->values + i * w->X->stride, u);
}

static size_t km_padded(size_t k)
{
    return (k + MTC_SIDE - 1) / MTC_SIDE * MTC_SIDE;
}

/* U' and |u|^2, after U changed. */
static void km_transpose(km_ws *w)
{
    size_t d = w->X->d;
    MTC_ZERO(w->factor, w->kp * d);  /* 0 beyond k */
    for (size_t z = 0; z < w->k; z++) {
        const mtc_real *u = w->U + z * d;
        for (size_t j = 0; j < d; j++)
            w->factor[j * w->kp + z] = u[j];
        w->offset[z] = mtc_dot(d, u, u);
    }
}

/* These squares differ from sq_distance by rounding; km_stays allows for it. */
static void km_distances(km_ws *w, const size_t *rows, size_t count)
{
    const mtc_data *X = w->X;
    const mtc_divergence *div = w->o->divergence;
    int squared = div == NULL && !mtc_is_csr(X);
    mtc_real *dist = w->dist;
    if (div == NULL)
        mtc_meet(X, rows, count, squared, w->kp, w->factor, dist);
    for (size_t r = 0; r < count && !squared; r++, dist += w->kp) {
        const mtc_real *x = div == NULL ? NULL : row_dense(X, rows[r], w->row);
        for (size_t z = 0; z < w->k; z++) {
            const mtc_real *u = w->U + z * X->d;
            dist[z] = div == NULL
                          ? km_expanded(w, rows[r], u, dist[z], w->offset[z])
                          : div->value(div->user, X->d, x, u);
        }
    }
}

/* A copy of the workspace gets the scratch of a lane. */
static void km_enter(km_ws *w, size_t lane)
{
    w->dist = (mtc_real *)(void *)block_work(w->crew, lane);
    w->row = w->dist + MTC_SIDE * w->kp;
}

/* Index of the least of dist [k], the lowest on a tie, and the second least. */
static size_t km_argmin(size_t k, const mtc_real *dist, mtc_real *second)
{
    size_t best = 0;
    mtc_real least = dist[0], next = MTC_HUGE;  /* k = 1 has no second */
    for (size_t z = 1; z < k; z++) {  /* selects: no branch to guess */
        mtc_real more = MTC_MAX(dist[z], least);
        best = dist[z] < least ? z : best;
        least = MTC_MIN(dist[z], least);
        next = MTC_MIN(more, next);
    }
    *second = next;
    return best;
}

/* members and mass of the clusters; returns how many are not empty. */
static size_t km_count(km_ws *w)
{
    size_t used = 0;
    MTC_ZERO(w->mass, w->k);
    MTC_ZERO(w->members, w->k);
    for (size_t i = 0; i < w->X->n; i++) {
        mtc_real q = km_weight(w, i);
        w->mass[w->labels[i]] += q;
        if (q > 0)  /* weight 0: a label, no count */
            used += w->members[w->labels[i]]++ == 0;
    }
    return used;
}

/* Finds the means of one part of the clusters; there are as many parts as
 * lanes.  Dense rows are summed as differences from the old centers, so that
 * the mean of equal rows is that row, to the bit.  If a divergence has a
 * domain, rows are summed as they are: a mean of 1e-30 would be lost beside an
 * old center of .1, and could leave the domain. */
static mtc_status km_mean_part(mtc_context *ctx, void *job, size_t part,
    size_t lane)
{
    const km_ws *w = (const km_ws *)job;
    const mtc_data *X = w->X;
    size_t d = X->d, parts = w->crew.lanes;
    size_t from = w->k * part / parts, to = w->k * (part + 1) / parts;
    const mtc_divergence *div = w->o->divergence;
    int plain = mtc_is_csr(X) || (div != NULL && !has_metric(div));
    (void)ctx, (void)lane;
    MTC_ZERO(w->sum + from * d, (to - from) * d);
    for (size_t i = 0; i < X->n; i++) {
        if ((size_t)w->labels[i] - from >= to - from)  /* in another part */
            continue;
        size_t at = (size_t)w->labels[i] * d;
        mtc_real q = km_weight(w, i);
        if (plain) {
            mtc_data_axpy(X, i, q, w->sum + at);
            continue;
        }
        const mtc_real *x = X->values + i * X->stride;
        for (size_t j = 0; j < d; j++)
            w->sum[at + j] += q * (x[j] - w->U[at + j]);
    }
    for (size_t z = from; z < to; z++) {
        mtc_real *sum = w->sum + z * d, *u = w->U + z * d;
        for (size_t j = 0; j < d; j++)
            sum[j] = w->members[z] == 0  /* A3 found no sample */
                         ? u[j]
                         : sum[j] / w->mass[z] + (plain ? 0 : u[j]);
    }
    return MTC_OK;
}

/* Counts the clusters; sum [k*d] = their weighted means. */
static void km_means(mtc_context *ctx, km_ws *w)
{
    size_t parts = w->crew.lanes;
    km_count(w);
    (void)mtc_share(ctx, parts, w->crew.lane, parts, km_mean_part, w);
}

/* Returns the sum of cost [n], in the order of the rows. */
static mtc_real km_sum(const km_ws *w, const mtc_real *cost)
{
    mtc_real sum = 0;
    for (size_t i = 0; i < w->X->n; i++)
        sum += cost[i];
    return sum;
}

/* ---- A1: how it starts --------------------------------------------------- */

/* Draw t of a seed: draws a sample with probability proportional to cost [n],
 * where mass[t] is a random share of their sum.  If all costs are 0, it is the
 * first with a weight; if rounding leaves some of the sum, the last above 0. */
static mtc_status km_draw(mtc_context *ctx, void *job, size_t t, size_t lane)
{
    const km_ws *w = (const km_ws *)job;
    mtc_real at = w->mass[t];
    size_t c = 0;
    (void)ctx, (void)lane;
    while (!(km_weight(w, c) > 0))
        c++;
    for (size_t i = 0; i < w->X->n && !(at < 0); i++) {
        c = w->cost[i] > 0 ? i : c;
        at -= w->cost[i];
    }
    row_copy(w->X, c, w->sum + t * w->X->d);
    return MTC_OK;
}

/* offset[t] = the sum of the costs that draw t leaves. */
static mtc_status km_left(mtc_context *ctx, void *job, size_t t, size_t lane)
{
    const km_ws *w = (const km_ws *)job;
    (void)ctx, (void)lane;
    w->offset[t] = km_sum(w, w->lower + t * w->X->n);
    return MTC_OK;
}

/* 2 + floor(log k) */
static size_t km_draws(size_t k)
{
    const mtc_real e = (mtc_real)2.718281828459045;
    size_t draws = 2;
    for (mtc_real power = e; (mtc_real)k >= power; power *= e)
        draws++;
    return draws;
}

/* The cost of a block of rows if one of the centers U were a seed, too. */
static void km_try_rows(void *job, size_t first, size_t count, size_t lane)
{
    km_ws w = *(const km_ws *)job;
    size_t rows[MTC_SIDE], end = first + count, some;
    km_enter(&w, lane);
    for (; first < end; first += some) {
        some = MTC_MIN(MTC_SIDE, end - first);
        for (size_t r = 0; r < some; r++)
            rows[r] = first + r;
        km_distances(&w, rows, some);
        for (size_t t = 0; t < w.k; t++)
            for (size_t r = 0; r < some; r++) {
                mtc_real cost = km_weight(&w, rows[r]) * w.dist[r * w.kp + t];
                if (w.k > 1)  /* else there is no seed yet */
                    cost = MTC_MIN(cost, w.cost[rows[r]]);
                w.lower[t * w.X->n + rows[r]] = cost;
            }
    }
}

/* Returns the draw that leaves the least costs, and stores these in cost; *left
 * is their sum. */
static size_t km_try(mtc_context *ctx, km_ws *w, size_t draws, mtc_real *left)
{
    km_ws c = *w;
    size_t n = w->X->n, best = 0;
    c.k = draws;
    c.kp = km_padded(draws);
    c.U = w->sum;
    km_transpose(&c);
    (void)block_each(ctx, &c.crew, n, km_try_rows, &c);
    (void)mtc_share(ctx, c.crew.lanes, c.crew.lane, draws, km_left, &c);
    for (size_t t = 1; t < draws; t++)
        best = c.offset[t] < c.offset[best] ? t : best;
    *left = c.offset[best];
    MTC_COPY(w->cost, w->lower + best * n, n);
    return best;
}

/* Greedy k-means++.  Each seed is the best of some draws, where i has
 * probability q_i d(x_i || nearest seed), up to scale; the first is drawn by
 * weight alone.  No distance is left if distinct samples are fewer than k. */
static void km_seed(mtc_context *ctx, km_ws *w, mtc_random *rng)
{
    size_t n = w->X->n, k = w->k, d = w->X->d;
    for (size_t i = 0; i < n; i++)
        w->cost[i] = km_weight(w, i);
    mtc_real left = km_sum(w, w->cost);
    for (size_t z = 0; z < k; z++) {
        size_t draws = z == 0 ? 1 : w->draws;
        for (size_t t = 0; t < draws; t++)
            w->mass[t] = mtc_random_real(rng) * left;
        (void)mtc_share(ctx, w->crew.lanes, w->crew.lane, draws, km_draw, w);
        size_t best = km_try(ctx, w, draws, &left);
        MTC_COPY(w->U + z * d, w->sum + best * d, d);
    }
}

/* Sets centers to the means of given labels, by A4 with the first row as pivot.
 * A cluster without samples gets the mean of all rows, computed in the same
 * way, so that it ties, to the bit, with a cluster that has all samples. */
static void km_start_labels(mtc_context *ctx, km_ws *w)
{
    size_t d = w->X->d, k = w->k;
    for (size_t z = 0; z < k; z++)
        row_copy(w->X, 0, w->U + z * d);
    km_means(ctx, w);  /* all labels are 0 */
    MTC_COPY(w->row, w->sum, d);
    MTC_COPY(w->labels, w->o->start_labels, w->X->n);
    km_means(ctx, w);
    for (size_t z = 0; z < k; z++)
        MTC_COPY(w->U + z * d, w->members[z] > 0 ? w->sum + z * d : w->row, d);
}

/* A1: sets the first centers: those given, or from labels or seeds. */
static void km_start(mtc_context *ctx, km_ws *w, mtc_random *rng)
{
    size_t n = w->X->n;
    MTC_ZERO(w->labels, n);
    if (w->o->start_centers != NULL)
        MTC_COPY(w->U, w->o->start_centers, w->k * w->X->d);
    else if (w->o->start_labels != NULL)
        km_start_labels(ctx, w);
    else
        km_seed(ctx, w, rng);
    for (size_t i = 0; i < n; i++)
        w->lower[i] = -1;  /* nothing is known yet */
    km_transpose(w);  /* not prepare: MBC starts here, too, and does it later */
}

/* ---- A2 to A4 ------------------------------------------------------------ */

/* Does Hamerly's bound tell that no other center is as near to sample i as its
 * own, at the squared distance *near?  `slack` is the relative rounding of d
 * squares.  A sparse row has |x|^2 - 2 x.u + |u|^2, where |u|^2 <= largest: it
 * errs by (stored + 64) eps (|x|^2 + largest), and its root by `blur`. */
static int km_stays(const km_ws *w, size_t i, mtc_real *near)
{
    const mtc_data *X = w->X;
    const mtc_real slack = KM_SLACK(X->d);
    size_t h = (size_t)w->labels[i];
    mtc_real blur = 0;
    if (w->o->divergence != NULL || !(w->lower[i] > 0))
        return 0;
    *near = km_distance(w, i, w->U + h * X->d, w->offset[h]);
    if (mtc_is_csr(X))
        blur = MTC_SQRT((mtc_real)(64 + X->row[i + 1] - X->row[i]) *
                        MTC_EPS * (w->norm[i] + w->largest));
    return MTC_SQRT(*near) * (1 + slack) + blur < w->lower[i] * (1 - slack);
}

/* The samples rows [count] meet all centers. */
static void km_meet(km_ws *w, const size_t *rows, size_t count, size_t lane)
{
    w->metric.distances(w, rows, count);
    for (size_t r = 0; r < count; r++) {
        size_t i = rows[r];
        mtc_real second, *dist = w->dist + r * w->kp;
        int best = (int)km_argmin(w->k, dist, &second);
        w->changed[lane] += best != w->labels[i];
        w->next[i] = best;
        w->lower[i] = MTC_SQRT(second);
        w->cost[i] = km_weight(w, i) * dist[w->labels[i]];
    }
}

/* A2 for a block.  Its open rows are gathered. */
static void km_nearest_rows(void *job, size_t first, size_t count, size_t lane)
{
    km_ws w = *(const km_ws *)job;
    size_t rows[MTC_SIDE], open = 0;
    km_enter(&w, lane);
    for (size_t i = first; i < first + count; i++) {
        mtc_real near, low = w.lower[i];
        w.lower[i] = (low - w.step) - 4 * MTC_EPS * (MTC_FABS(low) + w.step);
        if (km_stays(&w, i, &near)) {
            w.next[i] = w.labels[i];
            w.cost[i] = km_weight(&w, i) * near;
            continue;
        }
        rows[open++] = i;
        if (open == MTC_SIDE) {
            km_meet(&w, rows, open, lane);
            open = 0;
        }
    }
    if (open > 0)
        km_meet(&w, rows, open, lane);
}

/* A2: next_i = the nearest center.  lower_i then belongs to next_i, so `next`
 * has to be the labels, or become the labels before the centers move.  *loss is
 * that of the labels after this.  Returns how many labels differ from next. */
static size_t km_nearest(mtc_context *ctx, km_ws *w, int *next, mtc_real *loss)
{
    size_t changed = 0;
    w->next = next;
    w->largest = w->offset[argmax(w->k, w->offset)];
    MTC_ZERO(w->changed, w->crew.lanes);
    (void)block_each(ctx, &w->crew, w->X->n, km_nearest_rows, w);
    for (size_t l = 0; l < w->crew.lanes; l++)
        changed += w->changed[l];
    w->step = 0;  /* lower has fallen by it */
    *loss = km_sum(w, w->cost);
    return changed;
}

/* q_i d(x_i || u_h(i)).  The mean of equal sparse rows may differ from the rows
 * by rounding; they still cost 0. */
static mtc_real km_cost(const km_ws *w, size_t i)
{
    size_t h = (size_t)w->labels[i];
    mtc_real uu = w->offset[h];
    mtc_real distance = km_distance(w, i, w->U + h * w->X->d, uu);
    if (mtc_is_csr(w->X) && w->o->divergence == NULL &&
        distance <= KM_SAME * (w->norm[i] + uu))
        distance = 0;
    return km_weight(w, i) * distance;
}

/* A3, and the means of A4: fills empty clusters, the lowest first, with the
 * sample that costs most and is not the only one of its cluster, the lowest on
 * a tie.  Returns the number of moves; a move makes all bounds lower_i void. */
static size_t km_repair(mtc_context *ctx, km_ws *w)
{
    size_t moves = 0, n = w->X->n;
    km_means(ctx, w);
    for (size_t z = 0; z < w->k; z++) {
        size_t worst = MTC_NONE;
        mtc_real most = 0;  /* cost 0 would only repeat a center */
        if (w->members[z] > 0)
            continue;
        for (size_t i = 0; i < n; i++) {
            mtc_real cost = w->members[w->labels[i]] > 1 ? km_cost(w, i) : 0;
            if (cost > most) {
                worst = i;
                most = cost;
            }
        }
        if (worst == MTC_NONE)
            continue;  /* it stays empty */
        w->labels[worst] = (int)z;
        row_copy(w->X, worst, w->U + z * w->X->d);  /* for the means */
        km_means(ctx, w);
        w->step = MTC_HUGE;  /* the new center may be anywhere */
        moves++;
    }
    return moves;
}

/* U = sum.  The largest movement, by which all lower_i are to fall, is rounded
 * upwards. */
static void km_move(km_ws *w)
{
    size_t k = w->k, d = w->X->d;
    mtc_real step = 0;
    for (size_t z = 0; z < k; z++) {
        mtc_real moved = 0;
        for (size_t j = z * d; j < (z + 1) * d; j++) {
            moved += (w->sum[j] - w->U[j]) * (w->sum[j] - w->U[j]);
            w->U[j] = w->sum[j];
        }
        step = MTC_MAX(moved, step);
    }
    w->step += MTC_SQRT(step) * (1 + KM_SLACK(d));
    w->metric.prepare(w);
}

/* ---- all restarts, in lanes ---------------------------------------------- */

/* Restart t: A1, A2, then A3, A4, A2 until nothing changes.  Each restart draws
 * from a stream of its own: it does not depend on how many there are. */
static mtc_status km_descend(mtc_context *ctx, km_ws *w, size_t t,
    mtc_kmeans_result *now)
{
    const mtc_kmeans_options *o = w->o;
    mtc_random rng = mtc_stream(ctx, t);
    mtc_real *f = now->objective;
    now->iterations = 0;
    now->converged = 0;
    km_start(ctx, w, &rng);            /* A1 */
    km_nearest(ctx, w, w->labels, f);  /* A2 */
    for (;; f++) {  /* f[0] is the loss so far */
        MTC_TRY(mtc_tick(ctx, "k-means", t, o->restarts));
        if (now->iterations == o->iterations || now->converged)
            break;
        size_t moves = km_repair(ctx, w);  /* A3 */
        km_move(w);                        /* A4 */
        size_t changed = km_nearest(ctx, w, w->labels, f + 1);  /* A2 */
        f[1] = MTC_MIN(f[1], f[0]);   /* it may not rise */
        int slow = o->tolerance > 0 && f[0] - f[1] <= o->tolerance * f[0];
        now->converged = slow || (changed == 0 && moves == 0);
        now->iterations++;
    }
    return MTC_FINITE(now->objective[0]) ? MTC_OK : MTC_DOMAIN;  /* largest */
}

/* With a given start all restarts would be equal, so there is one. */
static size_t km_restarts(const mtc_kmeans_options *o)
{
    return o->start_centers == NULL && o->start_labels == NULL ? o->restarts
                                                               : 1;
}

/* A restart that has ended in `from` becomes the result `to`. */
static void km_keep(const km_ws *w, const mtc_kmeans_result *from,
    mtc_kmeans_result *to)
{
    MTC_COPY(to->labels, from->labels, w->X->n);
    MTC_COPY(to->centers, from->centers, w->k * w->X->d);
    MTC_COPY(to->objective, from->objective, from->iterations + 1);
    to->loss = from->objective[from->iterations];
    to->iterations = from->iterations;
    to->converged = from->converged;
}

/* Runs restart t, the lane's first if t == lane; keeps the lowest loss. */
static mtc_status km_restart(mtc_context *ctx, void *job, size_t t,
    size_t lane)
{
    km_job *j = (km_job *)job;
    km_part *p = &j->part[lane];
    mtc_kmeans_result *best = lane > 0 ? &p->r : &j->r;
    p->w.labels = p->now.labels;  /* an earlier call swapped them */
    MTC_TRY(km_descend(ctx, &p->w, t, &p->now));
    if (t == lane || p->now.objective[p->now.iterations] < best->loss) {
        km_keep(&p->w, &p->now, best);
        p->kept = t;
    }
    return MTC_OK;
}

/* The first restart with the lowest loss of all is the result. */
static mtc_status km_work(mtc_context *ctx, void *job)
{
    km_job *j = (km_job *)job;
    km_part *first = &j->part[0];
    if (mtc_is_csr(j->X))
        mtc_data_norms(j->X, first->w.norm);
    MTC_TRY(mtc_share(ctx, j->parts, j->lane, km_restarts(j->o),
                      km_restart, j));
    for (km_part *p = first + 1; p < first + j->parts; p++)
        if (p->r.loss < j->r.loss ||
            (p->r.loss == j->r.loss && p->kept < first->kept)) {
            km_keep(&p->w, &p->r, &j->r);
            first->kept = p->kept;
        }
    first->w.labels = j->r.labels;
    j->r.k_effective = km_count(&first->w);
    return MTC_OK;
}

/* ---- memory -------------------------------------------------------------- */

/* Lanes for the restarts, of about ten iterations each; or lanes for the rows,
 * if these are at least twice as many as the restarts. */
static size_t km_lanes(const mtc_context *ctx, const mtc_data *X,
    const mtc_kmeans_options *o)
{
    size_t step = mtc_mul(mtc_stored(X), o->clusters), many = km_restarts(o);
    size_t lanes = block_lanes(ctx, X->n, BLOCK_ROWS, step / X->n);
    return lanes / 2 >= many ? lanes
                             : mtc_lanes(ctx, many, mtc_mul(step, 10));
}

/* Memory that A2 needs beside the centers; `norms` is n if rows may be CSR and
 * the caller has no |x|^2 of its own, else 0. */
static void km_layout_distances(mtc_stack *tmp, const mtc_data *X,
    const mtc_kmeans_options *o, size_t norms, km_ws *w)
{
    w->X = X;
    w->o = o;
    w->metric.prepare = km_transpose;
    w->metric.distances = km_distances;
    w->k = o->clusters;
    w->kp = km_padded(w->k);
    w->factor = MTC_TAKE(tmp, mtc_mul(w->kp, X->d), mtc_real);
    w->offset = MTC_TAKE(tmp, w->kp, mtc_real);
    w->dist = MTC_TAKE(tmp, MTC_SIDE * w->kp, mtc_real);
    w->row = MTC_TAKE(tmp, X->d, mtc_real);
    w->norm = MTC_TAKE(tmp, norms, mtc_real);
}

/* Takes the memory that the other steps need. */
static void km_layout_steps(mtc_stack *tmp, size_t lanes, km_ws *w)
{
    size_t k = w->k;
    w->cost = MTC_TAKE(tmp, w->X->n, mtc_real);
    w->draws = km_draws(k);
    w->lower = MTC_TAKE(tmp, mtc_mul(w->X->n, w->draws), mtc_real);
    w->step = 0;
    w->changed = MTC_TAKE(tmp, lanes, size_t);
    w->crew = (block_crew){.size = BLOCK_ROWS, .lanes = lanes};
    block_layout(tmp, mtc_mul(MTC_SIDE * w->kp + w->X->d, sizeof(mtc_real)),
                 &w->crew);
    w->members = MTC_TAKE(tmp, k, size_t);
    w->sum = MTC_TAKE(tmp, mtc_mul(k, w->X->d), mtc_real);
    w->mass = MTC_TAKE(tmp, k, mtc_real);
}

/* A restart, or the best of them. */
static void km_layout_result(mtc_stack *st, const km_job *j,
    mtc_kmeans_result *r)
{
    size_t size = mtc_mul(j->o->clusters, j->X->d);
    r->labels = MTC_TAKE(st, j->X->n, int);
    r->centers = MTC_TAKE(st, size, mtc_real);
    r->objective = MTC_TAKE(st, mtc_add(j->o->iterations, 1), mtc_real);
}

/* The best of lane 0 is laid out as the result.  All lanes share norm. */
static void km_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    km_job *j = (km_job *)job;
    int across = j->lanes > km_restarts(j->o);  /* the rows */
    mtc_real *norm = MTC_TAKE(tmp, mtc_is_csr(j->X) ? j->X->n : 0, mtc_real);
    j->parts = across ? 1 : j->lanes;
    j->r.clusters = j->o->clusters;
    j->r.d = j->X->d;
    km_layout_result(own, j, &j->r);
    j->r.divergence = keep_divergence(own, j->o->divergence);
    j->lane = MTC_TAKE(tmp, j->parts, mtc_lane);
    j->part = MTC_TAKE(tmp, j->parts, km_part);
    for (size_t i = 0; i < j->parts; i++) {
        km_part measured = {.kept = 0};
        km_part *p = j->part != NULL ? &j->part[i] : &measured;
        km_ws *w = &p->w;
        km_layout_result(tmp, j, &p->now);
        km_layout_distances(tmp, j->X, j->o, 0, w);
        km_layout_steps(tmp, across ? j->lanes : 1, w);
        if (i > 0)
            km_layout_result(tmp, j, &p->r);
        w->norm = norm;
        w->labels = p->now.labels;
        w->U = p->now.centers;
    }
}

/* ---- the public calls ---------------------------------------------------- */

mtc_kmeans_options mtc_kmeans_defaults(void)
{
    return (mtc_kmeans_options){.clusters = 2, .restarts = 10,
                                .iterations = 300};
}

mtc_status mtc_kmeans(mtc_context *ctx, const mtc_data *X,
    const mtc_kmeans_options *opt, mtc_kmeans_result *res)
{
    const mtc_kmeans_options *o = options_of(opt, kmeans);
    km_job job = {.X = X, .o = o};
    MTC_TRY(mtc_data_check(ctx, X, MTC_NONE));
    MTC_TRY(check_clusters(ctx, o->clusters, X->n, MTC_NONE));
    REQUIRE(o->restarts > 0, need_restarts);
    REQUIRE(in_range(o->tolerance, 0, MTC_HUGE), "tolerance: need 0 or more");
    MTC_TRY(check_weights(ctx, o->weights, X->n));
    MTC_TRY(check_domain(ctx, X, o->divergence, MTC_NONE));
    if (o->start_centers != NULL) {  /* labels are not read */
        mtc_data U = mtc_dense(o->clusters, X->d, o->start_centers);
        MTC_TRY(mtc_data_sound(ctx, &U, MTC_NONE));
        MTC_TRY(check_domain(ctx, &U, o->divergence, MTC_NONE));
    } else {
        MTC_TRY(check_start(ctx, o->start_labels, X->n, o->clusters,
                            MTC_NONE));
    }
    job.lanes = km_lanes(ctx, X, o);
    return job_result(ctx, km_layout, km_work, &job, res);
}

/* ---- new samples ---------------------------------------------------------
 * This runs on one lane.  A caller with more can cut the rows into blocks. */

static void km_assign(km_ws *w, int *labels)
{
    const mtc_data *X = w->X;
    if (mtc_is_csr(X))
        mtc_data_norms(X, w->norm);
    w->metric.prepare(w);
    for (size_t i = 0, count; i < X->n; i += count) {
        size_t rows[MTC_SIDE] = {i, i + 1, i + 2, i + 3};
        count = MTC_MIN(MTC_SIDE, X->n - i);
        w->metric.distances(w, rows, count);
        for (size_t r = 0; r < count; r++) {
            const mtc_real *dist = w->dist + r * w->kp;
            size_t best = 0;
            for (size_t z = 1; z < w->k; z++)
                best = dist[z] < dist[best] ? z : best;
            labels[i + r] = (int)best;
        }
    }
}

mtc_status mtc_kmeans_assign(mtc_context *ctx, const mtc_data *X,
    const mtc_kmeans_result *res, int *labels)
{
    MTC_TRY(mtc_data_sound(ctx, X, MTC_NONE));
    REQUIRE(res != NULL && X->d == res->d && is_given(ctx, labels),
            "need a result of X's width, and labels");
    mtc_kmeans_options o = {.clusters = res->clusters,
                            .divergence = res->divergence};
    size_t norms = mtc_is_csr(X) ? X->n : 0;
    km_ws w;
    mtc_stack st = {0};
    mtc_block work;
    MTC_TRY(check_smoothed(ctx, X, o.divergence, 0, MTC_NONE));
    km_layout_distances(&st, X, &o, norms, &w);  /* measures */
    MTC_TRY(mtc_scratch(ctx, st.peak, &work));
    st = stack_within(work.at);
    km_layout_distances(&st, X, &o, norms, &w);  /* carves */
    w.U = res->centers;
    km_assign(&w, labels);
    return mtc_scratch_end(ctx, &work, MTC_OK);
}

/* ---- within another call ------------------------------------------------- */

/* The job of k-means on one lane, laid out; its result lies in `st`, too.  The
 * caller has checked X and o, and they outlive the job. */
static void km_within(mtc_stack *st, const mtc_data *X,
    const mtc_kmeans_options *o, km_job *j)
{
    *j = (km_job){.X = X, .o = o, .lanes = 1};
    km_layout(st, st, j);
}

/* ==========================================================================
 * Chapter 4  Vote: the consensus of several partitions
 *
 * Normalized cut of the weighted co-association matrix
 *   H = B B',   B = [ sqrt(w_r) indicator(z_r) ]_r          n x q, sum w = 1
 *
 * Notation   n samples, m runs, q clusters of all runs, k clusters sought
 *   z_r  runs [m] of [n]    the partitions   column [m*n]  where B_i is not 0
 *   g    degree [n]         H 1 = B (B'1)    size [q]      B'1, not weighted
 *   V    V [q*cols]         eigenvectors     U             r.embedding [n*rank]
 *
 *   A1  weights (by loss, if given), columns, sizes, degrees; runs of weight 0
 *       and empty clusters drop out
 *   A2  B <- diag(g)^-1/2 B;  V = eigenvectors of B'B (q x q) for the largest
 *       cols = min(k, q) eigenvalues;  U = B V, columns to length 1
 *   A3  rows of U to length 1; k-means
 *   A4  stability: mean H of a sample with the rest of its cluster, from the
 *       counts of every run's clusters in the final ones
 *
 * Clusters of a run are numbered by first occurrence, so that names of labels
 * change no bit.
 * Deviation: singular values that a Gram matrix cannot tell from 0 drop out,
 * and so do runs whose loss is above VOTE_NEAR times the lowest.
 * Reference: Berikov, Novikov: Model and computationally efficient method of
 *   ensemble clustering.  IDP 2018; with weights.
 * ========================================================================== */

#define VOTE_NULL (16 * MTC_EPS)    /* times q: an eigenvalue of 0, rounded */
#define VOTE_NEAR ((mtc_real)1.02)  /* times the lowest loss, to vote */
#define EMBED_STEPS ((size_t)300)   /* of the k-means of A3 */

/* A3, also for chapter 8: k-means on the rows of an embedding. */
typedef struct embed_job {
    mtc_data rows;  /* view of the embedding */
    mtc_kmeans_options options;
    km_job km;  /* reads `rows` and `options` */
} embed_job;

/* For n rows of at most k columns. */
static embed_job embed_of(const mtc_context *ctx, size_t n, size_t k,
    size_t restarts, const int *start_labels)
{
    mtc_data rows = mtc_shape(n, k, 0);
    mtc_kmeans_options o = {.clusters = k, .restarts = restarts,
                            .iterations = EMBED_STEPS,
                            .start_labels = start_labels};
    return (embed_job){.options = o, .km.lanes = km_lanes(ctx, &rows, &o)};
}

/* The job points into itself and must not be moved after this.  km_layout
 * writes to its lanes' memory at once, so no step before A3 may use that. */
static void embed_layout(mtc_stack *own, mtc_stack *tmp, mtc_data rows,
    embed_job *e)
{
    e->rows = rows;
    e->km.X = &e->rows;
    e->km.o = &e->options;
    km_layout(tmp, tmp, &e->km);  /* all scratch, except: */
    e->km.r.labels = MTC_TAKE(own, rows.n, int);
    MTC_REALS(own, EMBED_STEPS + 1, &e->km.r.objective);
}

typedef struct vote_job {
    size_t n, m;
    const int *const *runs;     /* [m] of [n] z_r */
    const mtc_vote_options *o;
    mtc_vote_result r;
    size_t most;                /* bound on q, from the labels */
    size_t used;                /* runs of positive weight */
    size_t q;                   /* columns of B */
    size_t *seen;               /* [n] column of a label, or NONE */
    uint32_t *column;           /* [m*n] of the used runs */
    mtc_real *weight, *root;    /* [m] w and sqrt(w) */
    mtc_real *size, *degree;    /* [most] B'1, not weighted; [n] g */
    mtc_real *G, *V, *lambda;   /* [q*q] [q*cols] [cols] of A2, ascending */
    void *work;                 /* of mtc_symeig_range_in */
    block_crew crew;            /* for rows, and for runs */
    embed_job embed;            /* A3 */
    mtc_real *count;            /* A4: [most*k] of run's clusters in final */
    size_t *members;            /* [k] samples of the final clusters */
} vote_job;

/* weight [m] = shares of the votes.  If losses are given, only runs near the
 * lowest vote: most of the others miss clusters that are clear but small. */
static void vote_weigh(vote_job *j)
{
    const mtc_real *loss = j->o->losses, *w = j->o->weights;
    mtc_real least = MTC_HUGE;  /* of the runs that have a weight */
    for (size_t r = 0; r < j->m; r++) {
        j->weight[r] = w != NULL ? w[r] : 1;
        if (loss != NULL && j->weight[r] > 0 && loss[r] < least)
            least = loss[r];
    }
    if (loss != NULL)
        for (size_t r = 0; r < j->m; r++)
            if (!(loss[r] <= VOTE_NEAR * least))
                j->weight[r] = 0;
    weight_shares(j->m, j->weight, j->weight);
}

/* A1: columns of B for the runs that have a weight; sizes and degrees. */
static void vote_read(vote_job *j)
{
    size_t n = j->n;
    j->q = j->used = 0;
    vote_weigh(j);
    for (size_t r = 0; r < j->m; r++) {
        if (!(j->weight[r] > 0))
            continue;
        for (size_t z = 0; z < n; z++)
            j->seen[z] = MTC_NONE;
        for (size_t i = 0; i < n; i++) {
            size_t *column = &j->seen[j->runs[r][i]];
            if (*column == MTC_NONE) {
                *column = j->q++;
                j->size[*column] = 0;
            }
            j->size[*column] += 1;  /* B'1 */
            j->column[j->used * n + i] = (uint32_t)*column;
        }
        j->weight[j->used] = j->weight[r];  /* those in use come first */
        j->root[j->used] = MTC_SQRT(j->weight[r]);
        j->used++;
    }

    MTC_ZERO(j->degree, n);  /* g = B (B'1) */
    for (size_t r = 0; r < j->used; r++)
        for (size_t i = 0; i < n; i++)
            j->degree[i] += j->weight[r] * j->size[j->column[r * n + i]];
}

/* Run r's rows of the lower triangle of G = B'B, B scaled by g^-1/2: its
 * clusters and those of run s share samples i that add sqrt(w_r w_s) / g_i
 * each.  O(n m^2) for all runs. */
static mtc_status vote_gram(mtc_context *ctx, void *job, size_t r, size_t lane)
{
    const vote_job *j = (const vote_job *)job;
    size_t n = j->n, q = j->q;
    (void)ctx, (void)lane;
    for (size_t i = 0; i < n; i++) {
        mtc_real *row = j->G + j->column[r * n + i] * q;
        mtc_real b = j->root[r] / j->degree[i];
        for (size_t s = 0; s <= r; s++)
            row[j->column[s * n + i]] += b * j->root[s];
    }
    return MTC_OK;
}

/* U = B V, from the last column of V to the first: eigenvalues ascend. */
static void vote_embed(void *job, size_t first, size_t rows, size_t lane)
{
    const vote_job *j = (const vote_job *)job;
    size_t rank = j->r.rank, cols = MTC_MIN(j->o->clusters, j->q);
    mtc_real *u = j->r.embedding + first * rank;
    (void)lane;
    MTC_ZERO(u, rows * rank);
    for (size_t i = first; i < first + rows; i++, u += rank) {
        mtc_real root = MTC_SQRT(j->degree[i]);
        for (size_t r = 0; r < j->used; r++) {
            mtc_real b = j->root[r] / root;
            const mtc_real *v = j->V + j->column[r * j->n + i] * cols;
            for (size_t z = 0; z < rank; z++)
                u[z] += b * v[cols - 1 - z];
        }
    }
}

/* A2.  lambda = sigma^2 ascends to 1; the rank counts those above rounding. */
static mtc_status vote_spectral(mtc_context *ctx, vote_job *j)
{
    size_t n = j->n, q = j->q, rank = 1;
    size_t cols = MTC_MIN(j->o->clusters, q);
    MTC_ZERO(j->G, q * q);
    MTC_TRY(mtc_share(ctx, j->crew.lanes, j->crew.lane, j->used, vote_gram, j));
    MTC_TRY(mtc_symeig_range_in(ctx, q, j->G, q, q - cols, cols, j->lambda,
                                j->V, cols, 1, j->work));
    mtc_real null = VOTE_NULL * (mtc_real)q * j->lambda[cols - 1];
    while (rank < cols && j->lambda[cols - 1 - rank] > null)
        rank++;
    j->r.rank = rank;
    j->embed.rows = mtc_dense(n, rank, j->r.embedding);
    MTC_TRY(block_each(ctx, &j->crew, n, vote_embed, j));
    for (size_t z = 0; z < rank; z++) {  /* columns of U to length 1 */
        mtc_real *u = j->r.embedding + z;
        double square = 0;
        j->r.singular_values[z] = MTC_SQRT(j->lambda[cols - 1 - z]);
        for (size_t i = 0; i < n; i++)
            square += (double)(u[i * rank] * u[i * rank]);
        for (size_t i = 0; i < n; i++)
            u[i * rank] /= MTC_SQRT((mtc_real)square);
    }
    return MTC_OK;
}

/* A4 (TrEC calls it again after its moves):
 *   stability_i = mean of H_ij over the others j of i's cluster
 *     = sum_r w_r (count of i's cluster of r in it - 1) / (members - 1)
 * O(n m) by the counts [q*k]; leaves members [k], and k_effective. */
static void vote_stability(vote_job *j, const int *labels)
{
    mtc_vote_result *res = &j->r;
    size_t n = j->n, k = j->o->clusters;
    double mean = 0;
    MTC_ZERO(j->count, j->q * k);
    res->k_effective = labels_used(n, labels, k, j->members);
    for (size_t r = 0; r < j->used; r++)
        for (size_t i = 0; i < n; i++)
            j->count[j->column[r * n + i] * k + (size_t)labels[i]] += 1;
    for (size_t i = 0; i < n; i++) {
        size_t z = (size_t)labels[i];
        mtc_real sum = 0, others = (mtc_real)(j->members[z] - 1);
        for (size_t r = 0; r < j->used; r++)  /* - 1: i itself */
            sum += j->weight[r] * (j->count[j->column[r * n + i] * k + z] - 1);
        sum = others > 0 ? sum / others : 0;
        res->stability[i] = MTC_MIN(sum, 1);  /* <= 1 but for rounding */
        mean += (double)res->stability[i];
    }
    res->mean_stability = (mtc_real)mean / (mtc_real)n;
    for (size_t z = 0; z < k; z++) {
        double sum = 0;
        for (size_t i = 0; i < n; i++)
            sum += labels[i] == (int)z ? (double)res->stability[i] : 0;
        res->cluster_stability[z] = (mtc_real)sum /
                                    (mtc_real)MTC_MAX(j->members[z], 1);
    }
}

static mtc_status vote_work(mtc_context *ctx, void *job)
{
    vote_job *j = (vote_job *)job;
    mtc_vote_result *r = &j->r;
    const mtc_kmeans_result *km = &j->embed.km.r;
    MTC_TRY(mtc_tick(ctx, "vote", 0, 2));
    vote_read(j);                         /* A1 */
    MTC_TRY(vote_spectral(ctx, j));       /* A2 */
    mtc_unit_rows(j->n, r->rank, r->embedding);
    MTC_TRY(km_work(ctx, &j->embed.km));  /* A3 */
    vote_stability(j, km->labels);        /* A4 */
    r->clusters = j->o->clusters;
    r->labels = km->labels;
    r->objective = km->objective;
    r->iterations = km->iterations;
    r->converged = km->converged;
    return MTC_OK;
}

/* Takes room for the most columns; A2 narrows the embedding to its rank. */
static void vote_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    vote_job *j = (vote_job *)job;
    size_t n = j->n, m = j->m, k = j->o->clusters;
    size_t most = j->most, cols = MTC_MIN(k, most);
    MTC_REALS(own, mtc_mul(n, cols), &j->r.embedding);
    MTC_REALS(own, cols, &j->r.singular_values);
    MTC_REALS(own, n, &j->r.stability);
    MTC_REALS(own, k, &j->r.cluster_stability);
    j->column = MTC_TAKE(tmp, mtc_mul(m, n), uint32_t);
    MTC_REALS(tmp, m, &j->weight, &j->root);
    MTC_SIZES(tmp, n, &j->seen);
    MTC_REALS(tmp, most, &j->size);
    MTC_REALS(tmp, n, &j->degree);
    MTC_REALS(tmp, mtc_mul(most, most), &j->G);  /* A2 */
    MTC_REALS(tmp, mtc_mul(most, cols), &j->V);
    MTC_REALS(tmp, cols, &j->lambda);
    j->work = mtc_take(tmp, mtc_symeig_range_work(most, cols, 1), 1);
    j->crew = (block_crew){.size = BLOCK_ROWS, .lanes = j->embed.km.lanes};
    block_layout(tmp, 0, &j->crew);
    embed_layout(own, tmp, mtc_dense(n, cols, j->r.embedding), &j->embed);
    MTC_REALS(tmp, mtc_mul(most, k), &j->count);  /* A4 */
    MTC_SIZES(tmp, k, &j->members);
}

mtc_vote_options mtc_vote_defaults(void)
{
    return (mtc_vote_options){.clusters = 2, .restarts = 5};
}

mtc_status mtc_vote(mtc_context *ctx, size_t n, const int *const *runs,
    size_t m, const mtc_vote_options *opt, mtc_vote_result *res)
{
    const mtc_vote_options *o = options_of(opt, vote);
    vote_job job = {.n = n, .m = m, .runs = runs, .o = o};
    REQUIRE(is_given(ctx, runs) && m > 0, "runs: need 1 or more");
    MTC_TRY(check_clusters(ctx, o->clusters, n, MTC_NONE));
    REQUIRE(o->restarts > 0, need_restarts);
    MTC_TRY(check_weights(ctx, o->weights, m));
    size_t given = runs != NULL ? m : 0;
    if (runs == NULL)  /* measuring: k clusters a run */
        job.most = mtc_mul(m, o->clusters);
    for (size_t r = 0; r < given; r++) {
        if (o->losses != NULL && !in_range(o->losses[r], 0, MTC_HUGE))
            return mtc_fail(ctx, MTC_DOMAIN, "losses: need 0 or more",
                            MTC_NONE, r, MTC_NONE);
        MTC_TRY(check_labels(ctx, runs[r], n, n, r));
        job.most = mtc_add(job.most, label_bound(n, runs[r]));
    }
    MTC_TRY(check_start(ctx, o->start_labels, n, o->clusters, MTC_NONE));
    job.embed = embed_of(ctx, n, o->clusters, o->restarts, o->start_labels);
    return job_result(ctx, vote_layout, vote_work, &job, res);
}

/* ==========================================================================
 * Chapter 5  Nearest neighbors and similarity graphs
 *
 * A visitor gets the keys of a query to all samples.  The L nearest of a sample
 * are exact, ties by index.  The graph is the symmetric union of the lists of
 * `neighbors` (and itself with `loops`).
 *
 * Samples of several sets are numbered in turn, set 0 first.
 *
 *   w_ij = max(cos(x_i, x_j), 0)   or   exp(-|x_i - x_j|^2 / width_ij)
 *   width_ij is one for all, or a multiple of s_i s_j, where s_i (scale) is the
 *   distance of x_i to its m-th (local) nearest (Zelnik-Manor, Perona, NIPS
 *   2004): the sparser the samples, the wider.
 *
 *   key  pair.D [rows*N]  |x_i - x_j|^2, or 1 - cosine: small is near
 *   v    out.value [N*L]  w_ij where j is one of the L nearest of i
 *   W    r.weights [N x N]  CSR, or dense if complete; W = W' to the bit
 *
 *   A1  find the L nearest of each sample, by key; keys become weights
 *   A2  transpose the lists: which samples list i
 *   A3  merge into row i of W those that i lists and those that list i
 * ========================================================================== */

/* ---- keys of pairs ------------------------------------------------------- */

#define PAIR_ROWS ((size_t)64)        /* of a block */
#define PAIR_SELF ((mtc_real)-1)      /* key of a sample to itself: first */

/* A visitor is called for query i, in a lane, with the keys D [N].  It may
 * write only D, the outputs of query i, and the scratch of the lane. */
typedef void (*pair_visit)(void *job, size_t i, mtc_real *D, size_t lane);

/* Keys between queries, the rows of some views, and all samples of the sets. */
typedef struct pair_ws {
    const mtc_data *sets, *queries;
    size_t n_sets, n_queries, N;  /* how many views; samples of the sets */
    pair_visit visit;             /* of each query, with `job` */
    void *job;
    mtc_distance distance;        /* what the keys are */
    mtc_real *norm;               /* [N] |x|^2 of all samples */
    mtc_real *D;                  /* lanes * [PAIR_ROWS*N] keys of a block */
    block_crew crew;              /* its work is for the Gram matrix */
} pair_ws;

/* Lanes for the blocks of all queries among N samples. */
static size_t pair_lanes(const mtc_context *ctx, const mtc_data *queries,
    size_t n_queries, size_t N)
{
    return block_lanes(ctx, count_samples(queries, n_queries), PAIR_ROWS,
                       mtc_mul(N, queries[0].d));
}

/* crew.lanes must be set before. */
static void pair_layout(mtc_stack *tmp, size_t N, size_t work, pair_ws *w)
{
    w->crew.size = PAIR_ROWS;
    block_layout(tmp, work, &w->crew);
    MTC_REALS(tmp, N, &w->norm);
    MTC_REALS(tmp, mtc_mul(mtc_mul(w->crew.lanes, PAIR_ROWS), N), &w->D);
}

static void pair_begin(const mtc_data *sets, size_t n_sets,
    mtc_distance distance, pair_ws *w)
{
    w->sets = sets;
    w->n_sets = n_sets;
    w->distance = distance;
    w->N = 0;
    for (size_t s = 0; s < n_sets; s++) {
        mtc_data_norms(&sets[s], w->norm + w->N);
        w->N += sets[s].n;
    }
}

/* The key 1 - cosine of row i of Q and row j of Y, from x.y and their squares;
 * or, if that cancels, half of |x/|x| - y/|y||^2.  It is 1 for a zero row;
 * rounding leaves it within 0 and 2. */
static mtc_real pair_cosine(const mtc_data *Q, size_t i, const mtc_data *Y,
    size_t j, mtc_real xy, mtc_real xx, mtc_real yy)
{
    if (!(xx >= MTC_TINY && yy >= MTC_TINY))
        return 1;
    mtc_real x = MTC_SQRT(xx), y = MTC_SQRT(yy), key = 1 - xy / (x * y);
    if (key < PAIR_CANCEL)
        return scaled_sq_distance(Q, i, 1 / x, Y, j, 1 / y) / 2;
    return MTC_MIN(key, 2);
}

/* Products D [Y.n] of row i of Q with the rows of Y become keys.  The squares
 * have a loop of their own, which compilers vectorize. */
static void pair_finish(mtc_distance distance, const mtc_data *Q, size_t i,
    mtc_real xx, const mtc_data *Y, const mtc_real *yy, mtc_real *D)
{
    size_t close = 0;
    if (distance == MTC_DISTANCE_COSINE) {
        for (size_t j = 0; j < Y->n; j++)
            D[j] = pair_cosine(Q, i, Y, j, D[j], xx, yy[j]);
        return;
    }
    for (size_t j = 0; j < Y->n; j++) {
        mtc_real sum = xx + yy[j], key = sum - 2 * D[j];
        close += !(key >= PAIR_CANCEL * sum);
        D[j] = key;
    }
    for (size_t j = 0; close > 0 && j < Y->n; j++)
        if (!(D[j] >= PAIR_CANCEL * (xx + yy[j]))) {
            D[j] = mtc_data_distance(Q, i, Y, j);
            close--;
        }
}

/* keys [Q.n*N] between the rows of Q, of squares nq, and all samples. */
static void pair_keys(const pair_ws *w, const mtc_data *Q, const mtc_real *nq,
    size_t lane, mtc_real *keys)
{
    size_t at = 0;
    for (const mtc_data *Y = w->sets; Y < w->sets + w->n_sets; at += Y++->n) {
        mtc_data_gram(Q, Y, keys + at, w->N, block_work(w->crew, lane));
        for (size_t i = 0; i < Q->n; i++)
            pair_finish(w->distance, Q, i, nq[i], Y, w->norm + at,
                        keys + i * w->N + at);
    }
}

/* Keys of a block of rows, from view to view of the queries, and visits. */
static void pair_block(void *job, size_t first, size_t rows, size_t lane)
{
    const pair_ws *w = (const pair_ws *)job;
    size_t N = w->N;
    mtc_real nq[PAIR_ROWS];  /* |x|^2 of the block */
    mtc_real *D = w->D + lane * PAIR_ROWS * N;
    for (size_t s = 0, at = 0; s < w->n_queries; at += w->queries[s++].n) {
        size_t i;
        mtc_data Q = block_part(&w->queries[s], at, first, rows, &i);
        mtc_data_norms(&Q, nq);
        pair_keys(w, &Q, nq, lane, D);
        for (size_t r = 0; r < Q.n; r++)
            w->visit(w->job, i + r, D + r * N, lane);
    }
}

/* Visits every row of Q, or of all sets if Q is NULL.  Keys are found for a
 * block of rows at a time: D is never a matrix of all pairs. */
static mtc_status pair_each(mtc_context *ctx, const char *stage, pair_ws *w,
    const mtc_data *Q, pair_visit visit, void *job)
{
    w->queries = Q != NULL ? Q : w->sets;
    w->n_queries = Q != NULL ? 1 : w->n_sets;
    w->visit = visit;
    w->job = job;
    w->crew.stage = stage;
    return block_each(ctx, &w->crew, Q != NULL ? Q->n : w->N, pair_block, w);
}

/* ---- nearest neighbors --------------------------------------------------- */

/* Finds the k nearest samples of n queries. */
typedef struct nearest_ws {
    pair_ws pair;
    size_t n, k;
    int self;            /* 1: the queries are the samples */
    mtc_real self_key;   /* of a sample to itself; if HUGE, k < N: it is out */
    size_t *index;       /* [n*k] nearest first */
    mtc_real *key;       /* as index */
} nearest_ws;

/* A1: the nearest of query i are selected from its row. */
static void nearest_of(void *job, size_t i, mtc_real *D, size_t lane)
{
    nearest_ws *w = (nearest_ws *)job;
    size_t k = w->k;
    (void)lane;
    if (w->self)
        D[i] = w->self_key;
    mtc_select_order(w->pair.N, D, k, w->index + i * k);
    for (size_t t = i * k; t < (i + 1) * k; t++)
        w->key[t] = D[w->index[t]];
}

/* Call this after pair_layout, with n and k set. */
static void nearest_layout(mtc_stack *tmp, nearest_ws *w)
{
    MTC_SIZES(tmp, mtc_mul(w->n, w->k), &w->index);
    MTC_REALS(tmp, mtc_mul(w->n, w->k), &w->key);
}

static void neighbors_layout(mtc_stack *tmp, const mtc_data *points,
    const mtc_data *Q, nearest_ws *w)
{
    pair_layout(tmp, points->n, mtc_data_work(Q, points, 1), &w->pair);
    nearest_layout(tmp, w);
}

mtc_status mtc_neighbors(mtc_context *ctx, const mtc_data *points,
    const mtc_data *queries, size_t k, mtc_distance distance, size_t *index,
    mtc_real *key)
{
    int self = queries == NULL;
    const mtc_data *Q = self ? points : queries;
    MTC_TRY(mtc_data_check(ctx, points, MTC_NONE));
    MTC_TRY(mtc_data_check(ctx, Q, MTC_NONE));
    REQUIRE(Q->d == points->d, "features differ in number");
    REQUIRE(k > 0 && k <= points->n - (size_t)self,
            "k: need 1..the number of (other) points");
    REQUIRE((unsigned)distance <= MTC_DISTANCE_COSINE,
            "distance: need one of MTC_DISTANCE_*");
    REQUIRE(is_given(ctx, index), "index: need [n*k]");
    nearest_ws w = {.n = Q->n, .k = k, .self = self, .self_key = MTC_HUGE};
    mtc_stack st = {0};
    mtc_block work;
    w.pair.crew.lanes = pair_lanes(ctx, Q, 1, points->n);
    neighbors_layout(&st, points, Q, &w);  /* measures */
    MTC_TRY(mtc_scratch(ctx, st.peak, &work));
    st = stack_within(work.at);
    neighbors_layout(&st, points, Q, &w);  /* carves */
    pair_begin(points, 1, distance, &w.pair);
    mtc_status s = pair_each(ctx, "neighbors", &w.pair, queries, nearest_of,
                             &w);
    if (s == MTC_OK)  /* no tick can cancel from here */
        MTC_COPY(index, w.index, Q->n * k);
    if (s == MTC_OK && key != NULL)
        MTC_COPY(key, w.key, Q->n * k);
    return mtc_scratch_end(ctx, &work, s);
}

/* ---- similarity graphs --------------------------------------------------- */

/* Sparse rows: sample i lists index[start[i]..start[i+1]-1]. */
typedef struct knn_lists {
    size_t *start, *index;  /* [N+1] [N*L] */
    mtc_real *value;        /* [N*L] of each pair: a key, then a weight */
} knn_lists;

static void lists_layout(mtc_stack *tmp, size_t N, size_t pairs, knn_lists *l)
{
    MTC_SIZES(tmp, mtc_add(N, 1), &l->start);
    MTC_SIZES(tmp, pairs, &l->index);
    MTC_REALS(tmp, pairs, &l->value);
}

/* to = from': j lists i where i listed j, ascending.  Done twice, it sorts. */
static void lists_transpose(size_t N, const knn_lists *from, knn_lists *to)
{
    MTC_ZERO(to->start, N + 1);
    for (size_t e = 0; e < from->start[N]; e++)
        to->start[from->index[e]]++;
    for (size_t i = 0; i < N; i++)
        to->start[i + 1] += to->start[i];  /* start_i is the end of list i, */
    for (size_t i = N; i-- > 0;)           /* which is filled backwards */
        for (size_t e = from->start[i]; e < from->start[i + 1]; e++) {
            size_t at = --to->start[from->index[e]];
            to->index[at] = i;
            to->value[at] = from->value[e];
        }
}

/* A2, A3: W as CSR with w_ij = max(v_ij, v_ji), or with `mean` (v_ij + v_ji)/2.
 * v is what `out` lists, and 0 where it lists nothing.  Weights of 0 are left
 * out.  There is room for two entries a pair. */
static mtc_status merge_rows(mtc_context *ctx, size_t N, knn_lists *out,
    knn_lists *in, int mean, size_t *row, uint32_t *column, mtc_real *value)
{
    lists_transpose(N, out, in);
    lists_transpose(N, in, out);  /* the lists of `out` ascend now, too */
    row[0] = 0;
    for (size_t i = 0, at = 0; i < N; i++) {
        MTC_TRY(mtc_tick(ctx, "lists", i, N));
        size_t a = out->start[i], a1 = out->start[i + 1];
        size_t b = in->start[i], b1 = in->start[i + 1];
        while (a < a1 || b < b1) {
            /* A list that is at its end has an index after all others. */
            size_t ja = a < a1 ? out->index[a] : SIZE_MAX;
            size_t jb = b < b1 ? in->index[b] : SIZE_MAX;
            mtc_real va = ja <= jb ? out->value[a++] : 0;  /* v_ij */
            mtc_real vb = jb <= ja ? in->value[b++] : 0;   /* v_ji */
            mtc_real w = mean ? (va + vb) / 2 : MTC_MAX(va, vb);
            column[at] = (uint32_t)MTC_MIN(ja, jb);
            value[at] = w;
            at += w > 0;  /* a weight of 0 is overwritten */
        }
        row[i + 1] = at;
    }
    return MTC_OK;
}

typedef struct graph_job {
    const mtc_data *sets;
    size_t n_sets, N;
    const mtc_graph_options *o;
    mtc_graph r;           /* weights: W [N x N] */
    nearest_ws near;
    knn_lists out, in;     /* what i lists; what lists i */
    mtc_real *mean;        /* [d] of mean_sq_distance */
    size_t local;          /* m, N - 1 at most: widths s_i s_j; or 0 */
    mtc_real *scale;       /* [N] s_i */
    size_t *order;         /* [lanes*m] complete: the nearest */
} graph_job;

static int graph_is_complete(const mtc_graph_options *o, size_t N)
{
    return o->neighbors == 0 || o->neighbors >= N - 1;
}

/* w_ij.  A sample with m equal samples has s = 0: only these are near to it. */
static mtc_real graph_weight(const graph_job *j, size_t i, size_t c,
    mtc_real key)
{
    if (key == PAIR_SELF)
        return 1;
    if (j->o->similarity != MTC_SIMILARITY_GAUSSIAN)
        return key < 1 ? 1 - key : 0;  /* key = 1 - cosine */
    mtc_real width = j->r.width;
    if (j->local > 0)
        width *= j->scale[i] * j->scale[c];
    return mtc_exp(-key / MTC_MAX(width, MTC_TINY));
}

/* s_i from its square, kept large enough that s_i s_j is not 0. */
static mtc_real graph_scale(mtc_real square)
{
    mtc_real least = MTC_SQRT(MTC_TINY), s = MTC_SQRT(square);
    return MTC_MAX(s, least);
}

/* Complete graph: keys, and s_i. */
static void graph_row(void *job, size_t i, mtc_real *D, size_t lane)
{
    graph_job *j = (graph_job *)job;
    size_t *order = j->order + lane * j->local;
    MTC_COPY((mtc_real *)j->r.weights.values + i * j->N, D, j->N);
    if (j->local == 0)
        return;
    D[i] = MTC_HUGE;  /* i is not its own neighbor */
    mtc_select_order(j->N, D, j->local, order);
    j->scale[i] = graph_scale(D[order[j->local - 1]]);
}

/* Turns keys into weights, once all s are known.  The two keys of a pair may
 * differ by rounding; the key in the lower row counts. */
static void graph_weigh(void *job, size_t first, size_t rows, size_t lane)
{
    const graph_job *j = (const graph_job *)job;
    mtc_real *W = (mtc_real *)j->r.weights.values;  /* our memory: drop const */
    (void)lane;
    for (size_t i = first; i < first + rows; i++) {
        W[i * j->N + i] = j->o->loops != 0;
        for (size_t c = i + 1; c < j->N; c++)
            W[i * j->N + c] = W[c * j->N + i] =
                graph_weight(j, i, c, W[i * j->N + c]);
    }
}

static mtc_status graph_complete(mtc_context *ctx, graph_job *j)
{
    MTC_TRY(pair_each(ctx, "graph", &j->near.pair, NULL, graph_row, j));
    j->near.pair.crew.size = BLOCK_ROWS / 4;  /* first rows have most pairs */
    return block_each(ctx, &j->near.pair.crew, j->N, graph_weigh, j);
}

/* A1: makes lists, and s_i from them; cuts them to L, turns keys to weights. */
static mtc_status graph_lists(mtc_context *ctx, graph_job *j, size_t L)
{
    size_t N = j->N, loops = j->o->loops != 0, listed = j->near.k;
    size_t *index = j->out.index;
    mtc_real *key = j->out.value;
    MTC_TRY(pair_each(ctx, "neighbors", &j->near.pair, NULL, nearest_of,
                      &j->near));
    if (j->local > 0)
        for (size_t i = 0; i < N; i++)
            j->scale[i] = graph_scale(key[i * listed + loops + j->local - 1]);
    for (size_t i = 0; i < N; i++) {
        j->out.start[i] = i * L;
        for (size_t t = 0; t < L; t++) {  /* L <= listed: none is overtaken */
            size_t from = i * listed + t, c = index[from];
            index[i * L + t] = c;
            key[i * L + t] = graph_weight(j, i, c, key[from]);
        }
    }
    j->out.start[N] = N * L;
    return MTC_OK;
}

/* The mean of |x_i - x_j|^2 over all pairs i != j of all sets, which is
 * 2 sum_i |x_i - mean|^2 / (N - 1), or 1 if that is 0.  mean [d]. */
static mtc_real mean_sq_distance(const mtc_data *sets, size_t n_sets,
    mtc_real *mean)
{
    size_t d = sets[0].d, N = count_samples(sets, n_sets);
    mtc_data center = mtc_dense(1, d, mean);
    double spread = 0;  /* sum |x_i - mean|^2 */
    mean_of_rows(sets, n_sets, NULL, 0, mean);
    mtc_real mm = mtc_dot(d, mean, mean);
    for (size_t s = 0; s < n_sets; s++)
        for (size_t i = 0; i < sets[s].n; i++) {
            mtc_real xx = row_square(&sets[s], i);
            mtc_real sq = xx - 2 * mtc_data_dot(&sets[s], i, mean) + mm;
            if (!(sq >= PAIR_CANCEL * (xx + mm)))
                sq = mtc_data_distance(&sets[s], i, &center, 0);
            spread += (double)sq;
        }
    return N > 1 && spread > 0 ? 2 * (mtc_real)spread / (mtc_real)(N - 1) : 1;
}

/* Runs A1 to A3.  With a relative width the units of features do not matter; a
 * width of 0 would make weights of 0/0. */
static mtc_status graph_work(mtc_context *ctx, void *job)
{
    graph_job *j = (graph_job *)job;
    int gaussian = j->o->similarity == MTC_SIMILARITY_GAUSSIAN;
    mtc_real width = j->o->width;
    mtc_data *W = &j->r.weights;  /* our memory: drop const */
    pair_begin(j->sets, j->n_sets,
               gaussian ? MTC_DISTANCE_SQEUCLIDEAN : MTC_DISTANCE_COSINE,
               &j->near.pair);
    if (gaussian && !j->o->absolute && j->local == 0)
        width *= mean_sq_distance(j->sets, j->n_sets, j->mean);
    j->r.width = MTC_MIN(MTC_MAX(width, MTC_TINY), MTC_HUGE);
    if (graph_is_complete(j->o, j->N))
        return graph_complete(ctx, j);
    MTC_TRY(graph_lists(ctx, j, j->o->neighbors + (j->o->loops != 0)));
    return merge_rows(ctx, j->N, &j->out, &j->in, 0, (size_t *)W->row,
                      (uint32_t *)W->column, (mtc_real *)W->values);
}

static mtc_status graph_check(mtc_context *ctx, const mtc_graph_options *o,
    size_t N)
{
    if (N > UINT32_MAX)  /* a column is uint32_t */
        return mtc_refuse(ctx, MTC_TOO_BIG, "samples");
    REQUIRE((unsigned)o->similarity <= MTC_SIMILARITY_GAUSSIAN,
            "similarity: need one of MTC_SIMILARITY_*");
    return require(ctx, in_range(o->width, MTC_TINY, MTC_HUGE),
                   "width: need above 0");
}

static graph_job graph_of(const mtc_context *ctx, const mtc_data *sets,
    size_t n_sets, const mtc_graph_options *o)
{
    size_t N = count_samples(sets, n_sets);
    return (graph_job){.sets = sets, .n_sets = n_sets, .N = N, .o = o,
                       .near.pair.crew.lanes = pair_lanes(ctx, sets, n_sets,
                                                          N)};
}

static void graph_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    graph_job *j = (graph_job *)job;
    size_t N = j->N, loops = j->o->loops != 0;
    size_t pairs = mtc_mul(N, mtc_add(j->o->neighbors, loops));
    int gaussian = j->o->similarity == MTC_SIMILARITY_GAUSSIAN;
    j->local = gaussian ? MTC_MIN(j->o->local, N - 1) : 0;
    MTC_REALS(tmp, j->local > 0 ? N : 0, &j->scale);
    MTC_SIZES(tmp, mtc_mul(j->local, j->near.pair.crew.lanes), &j->order);
    MTC_REALS(tmp, j->sets[0].d, &j->mean);
    pair_layout(tmp, N, gram_work(j->sets, j->n_sets), &j->near.pair);
    if (graph_is_complete(j->o, N)) {
        j->r.weights = mtc_dense(N, N, MTC_TAKE(own, mtc_mul(N, N), mtc_real));
        return;
    }
    /* A pair has 2 entries at most. */
    j->r.weights = rows_take(own, mtc_shape(N, N, mtc_mul(2, pairs)));
    j->r.weights.n = N;
    size_t longest = MTC_MAX(j->local, j->o->neighbors);
    j->near.n = N;
    j->near.k = mtc_add(longest, loops);
    j->near.self = 1;
    j->near.self_key = loops ? PAIR_SELF : MTC_HUGE;
    nearest_layout(tmp, &j->near);
    j->out = (knn_lists){NULL, j->near.index, j->near.key};
    MTC_SIZES(tmp, mtc_add(N, 1), &j->out.start);
    lists_layout(tmp, N, pairs, &j->in);
}

mtc_graph_options mtc_graph_defaults(void)
{
    return (mtc_graph_options){.similarity = MTC_SIMILARITY_COSINE, .width = 1};
}

mtc_status mtc_graph_build(mtc_context *ctx, const mtc_data *sets,
    size_t n_sets, const mtc_graph_options *opt, mtc_graph *res)
{
    MTC_TRY(check_sets(ctx, sets, n_sets));
    graph_job job = graph_of(ctx, sets, n_sets, options_of(opt, graph));
    MTC_TRY(graph_check(ctx, job.o, job.N));
    return job_result(ctx, graph_layout, graph_work, &job, res);
}

/* ---- similarities that are given ----------------------------------------- */

/* M_ij, by bisection if M is CSR. */
static mtc_real entry_at(const mtc_data *M, size_t i, size_t j)
{
    if (!mtc_is_csr(M))
        return M->values[i * M->stride + j];
    size_t low = M->row[i], high = M->row[i + 1];
    while (low < high) {  /* first column >= j */
        size_t middle = low + (high - low) / 2;
        if (M->column[middle] < j)
            low = middle + 1;
        else
            high = middle;
    }
    return low < M->row[i + 1] && M->column[low] == j ? M->values[low] : 0;
}

/* Checks that a given M is square, >= 0, and symmetric to sqrt(eps). */
static mtc_status check_similarity(mtc_context *ctx, const mtc_data *M)
{
    MTC_TRY(mtc_data_check(ctx, M, MTC_NONE));
    REQUIRE(M->n == M->d, "M is not square");
    MTC_TRY(mtc_data_positive(ctx, M, MTC_NONE));
    if (mtc_is_shape(M))
        return MTC_OK;
    for (size_t i = 0; i < M->n; i++) {
        size_t e0 = row_begin(M, i), e1 = row_end(M, i);
        for (size_t e = e0; e < e1; e++) {
            size_t j = entry_column(M, e0, e);
            mtc_real value = M->values[e], twin = entry_at(M, j, i);
            if (MTC_FABS(value - twin) > MTC_SQRT(MTC_EPS) * value)
                return mtc_fail(ctx, MTC_INVALID, "M is not symmetric",
                                MTC_NONE, i, j);
        }
    }
    return MTC_OK;
}

/* ==========================================================================
 * Chapter 6  Logistic regression
 *
 *   min over Theta   f = sum_i s_i (-log p_i,y(i)) + ridge/2 |W|^2
 *   p_i = softmax(z_i),   Z = X W' + 1 b',   s_i = w_i / sum w
 *
 * There are n samples, d features and c classes.
 *   Theta  theta  [(d+1)*c]  W' with b as its last row: X has a column of ones
 *   P      P      [n*c]      rows p_i, those of the last objective
 *   Y             [n*c]      one-hot rows of the labels
 *   S      share  [n]        s_i, a diagonal
 *   G      G      [(d+1)*c]  gradient;   D  D  the step;   H  the Hessian
 *   M      scale  [d+1]      diagonal preconditioner, one for all classes
 *
 * The method is a truncated Newton iteration:
 *   A1  G = X' S (P - Y) + ridge W'; stop when |G| <= tolerance |G at start|
 *   A2  solve H D = -G by conjugate gradients, loosely far from the minimum
 *   A3  Theta += t D,  t = 1, 1/2, 1/4 ... until f falls by a share of what
 *       the slope promises (Armijo)
 *
 * The Hessian is never formed.  Moving Theta by V moves z_i by u_i, the row of
 * U = X V, and p_i by p_i o (u_i - p_i'u_i), the Jacobian of softmax times u_i:
 *   H V = X' S [p_i o (u_i - p_i'u_i)]_i + ridge V
 * Without a ridge, H is flat where all classes move alike.  G sums to 0 over
 * the classes and M is the same for all of them, so that no step ever enters
 * the flat directions.
 *
 * A product takes O(nnz c) time.  Scratch is 2 n c + 7 (d+1) c reals.
 * Reference: Nocedal & Wright, Numerical Optimization, algorithm 7.1.
 * ========================================================================== */

#define LOGISTIC_HALVINGS 60              /* 2^-60 of a step is none */
#define LOGISTIC_PRODUCTS ((size_t)1000)  /* most products with H in a step */
#define LOGISTIC_NOISE (8 * MTC_EPS)      /* rounding of f, relative */
#define LOGISTIC_FALL ((mtc_real)1e-4)    /* share of the slope in A3 */

typedef struct logistic_job {
    const mtc_data *X;
    const int *labels;
    const mtc_logistic_options *o;
    mtc_logistic_result r;
    size_t n, d, c, size;             /* size = (d+1) c */
    mtc_real *share, *P, *U;          /* [n] [n*c] [n*c]; U: S (P - Y), or the
                                         rows of a product */
    mtc_real *theta, *trial, *G, *D;  /* [size] point, trial, G, step */
    mtc_real *resid, *q, *Hq;         /* [size] -G - H D, direction q, H q */
    mtc_real *scale, *moment;         /* [d+1] M, and sum_i s_i x_if^2 */
    void *work;                       /* for products with X and X' */
} logistic_job;

/* z [c] <- softmax(z); returns -log of its entry y = log sum exp(z) - z_y.
 * The scores are shifted by the largest, so that nothing overflows. */
static mtc_real logistic_softmax(size_t c, size_t y, mtc_real *z)
{
    size_t top = argmax(c, z);
    mtc_real behind = z[top] - z[y], largest = z[top], sum = 0;
    for (size_t k = 0; k < c; k++) {
        z[k] = k == top ? 1 : mtc_exp(z[k] - largest);  /* c - 1 of them */
        sum += z[k];
    }
    for (size_t k = 0; k < c; k++)
        z[k] /= sum;
    return behind + mtc_log(sum);
}

/* Z [n*c] = X V + 1 v' for V [(d+1)*c], with v its last row. */
static void logistic_times(const logistic_job *j, const mtc_real *V,
    mtc_real *Z)
{
    mtc_data_times(j->X, j->c, V, j->c, Z, j->c, j->work);
    for (size_t i = 0; i < j->n; i++)
        mtc_axpy(j->c, 1, V + j->d * j->c, Z + i * j->c);
}

/* out [(d+1)*c] = (X'R + ridge V; 1'R).  b is not penalized. */
static void logistic_transpose_times(const logistic_job *j, const mtc_real *R,
    const mtc_real *V, mtc_real *out)
{
    mtc_real *last = out + j->d * j->c;
    mtc_data_transpose_times(j->X, j->c, R, j->c, out, j->c, j->work);
    mtc_axpy(j->d * j->c, j->o->ridge, V, out);
    MTC_ZERO(last, j->c);
    for (size_t i = 0; i < j->n; i++)
        mtc_axpy(j->c, 1, R + i * j->c, last);
}

/* Returns f at theta, and computes P.  The sum is in double, because its last
 * digits decide whether a step is taken. */
static mtc_real logistic_objective(const logistic_job *j,
    const mtc_real *theta)
{
    double sum = 0;
    logistic_times(j, theta, j->P);
    for (size_t i = 0; i < j->n; i++) {
        size_t y = (size_t)j->labels[i];
        mtc_real loss = logistic_softmax(j->c, y, j->P + i * j->c);
        sum += (double)j->share[i] * (double)loss;
    }
    return (mtc_real)sum +
           j->o->ridge / 2 * mtc_dot(j->d * j->c, theta, theta);
}

/* A1: G from the P of the last objective, and M = h moment + ridge, where h is
 * the mean of p (1 - p), the curvature of softmax.  Returns |G|. */
static mtc_real logistic_gradient(const logistic_job *j)
{
    size_t c = j->c;
    mtc_real h = 0;
    for (size_t i = 0; i < j->n; i++) {
        const mtc_real *p = j->P + i * c;
        mtc_real *u = j->U + i * c;  /* row of S (P - Y) */
        for (size_t k = 0; k < c; k++)
            u[k] = j->share[i] * (p[k] - (k == (size_t)j->labels[i]));
        h += j->share[i] * (1 - mtc_dot(c, p, p)) / (mtc_real)c;
    }
    logistic_transpose_times(j, j->U, j->theta, j->G);
    for (size_t f = 0; f <= j->d; f++) {
        mtc_real m = h * j->moment[f] + (f < j->d ? j->o->ridge : 0);
        j->scale[f] = m > MTC_TINY ? m : 1;  /* 1 if feature f is all 0 */
    }
    return MTC_SQRT(mtc_dot(j->size, j->G, j->G));
}

/* HV = H V, at the P of the last objective. */
static void logistic_hessian(const logistic_job *j, const mtc_real *V,
    mtc_real *HV)
{
    logistic_times(j, V, j->U);
    for (size_t i = 0; i < j->n; i++) {
        const mtc_real *p = j->P + i * j->c;
        mtc_real *u = j->U + i * j->c, mean = mtc_dot(j->c, p, u);
        for (size_t k = 0; k < j->c; k++)
            u[k] = j->share[i] * p[k] * (u[k] - mean);  /* p o (u - p'u) */
    }
    logistic_transpose_times(j, j->U, V, HV);
}

/* A2: D ~ -H^-1 G to a residual of `target`, within `size` steps but for
 * rounding.  Each direction q is conjugate to all before, and M is the
 * preconditioner.  If the curvature along q vanishes beside q' M q, the steps
 * so far are the answer, or -M^-1 G if there are none.  Returns G'D < 0. */
static mtc_real logistic_newton(const logistic_job *j, mtc_real target)
{
    size_t c = j->c, limit = MTC_MIN(2 * j->size + 10, LOGISTIC_PRODUCTS);
    mtc_real before = 0, *r = j->resid, *q = j->q;
    MTC_ZERO(j->D, j->size);
    MTC_ZERO(q, j->size);
    for (size_t e = 0; e < j->size; e++)
        r[e] = -j->G[e];
    for (size_t it = 0; it < limit; it++) {
        mtc_real rho = 0, expected = 0;  /* r' M^-1 r, q' M q */
        for (size_t f = 0; f <= j->d; f++)
            rho += mtc_dot(c, r + f * c, r + f * c) / j->scale[f];
        mtc_real beta = before > 0 ? rho / before : 0;  /* makes q conjugate */
        for (size_t f = 0; f <= j->d; f++) {
            for (size_t e = f * c; e < (f + 1) * c; e++)
                q[e] = r[e] / j->scale[f] + beta * q[e];
            expected += j->scale[f] * mtc_dot(c, q + f * c, q + f * c);
        }
        logistic_hessian(j, q, j->Hq);
        mtc_real curvature = mtc_dot(j->size, q, j->Hq);
        if (!(curvature > MTC_EPS * expected)) {
            if (it == 0)
                MTC_COPY(j->D, q, j->size);  /* -M^-1 G */
            break;
        }
        mtc_real a = rho / curvature;  /* minimum along q */
        mtc_axpy(j->size, a, q, j->D);
        mtc_axpy(j->size, -a, j->Hq, r);
        if (!(MTC_SQRT(mtc_dot(j->size, r, r)) > target))
            break;
        before = rho;
    }
    return mtc_dot(j->size, j->G, j->D);
}

/* A3: theta moves along D to where f is lower, or stays.  Returns f there. */
static mtc_real logistic_search(const logistic_job *j, mtc_real f,
    mtc_real slope)
{
    mtc_real t = 1;
    for (int halving = 0; halving < LOGISTIC_HALVINGS; halving++, t /= 2) {
        MTC_COPY(j->trial, j->theta, j->size);
        mtc_axpy(j->size, t, j->D, j->trial);
        mtc_real ft = logistic_objective(j, j->trial);
        if (ft <= f + LOGISTIC_FALL * t * slope + LOGISTIC_NOISE * f) {
            MTC_COPY(j->theta, j->trial, j->size);
            return ft;
        }
    }
    return logistic_objective(j, j->theta);  /* for the P of theta */
}

/* Runs the loop.  A2 is solved to a residual of min(.1, sqrt(|G| / |G at
 * start|)) |G|, ever finer, so that convergence is superlinear.  The recorded
 * objective never increases, although A3 lets f rise by rounding. */
static mtc_status logistic_work(mtc_context *ctx, void *job)
{
    logistic_job *j = (logistic_job *)job;
    mtc_real *objective = j->r.objective, start = 0, before = 0;
    MTC_ZERO(j->theta, j->size);
    weight_shares(j->n, j->o->weights, j->share);
    column_squares(j->X, 1, j->share, j->moment);
    j->moment[j->d] = 1;
    mtc_real f = objective[0] = logistic_objective(j, j->theta);
    for (size_t it = 0;; it++) {
        MTC_TRY(mtc_tick(ctx, "logistic", it, j->o->iterations));
        mtc_real g = logistic_gradient(j);
        if (it == 0)
            start = g;
        int idle = it > 0 && !(objective[it] < objective[it - 1]) &&
                   !(g < before);  /* only rounding is left */
        j->r.iterations = it;
        j->r.gradient = before = g;
        j->r.converged = g <= j->o->tolerance * start;
        if (j->r.converged || idle || it == j->o->iterations)
            break;
        mtc_real ratio = MTC_SQRT(g / start);
        mtc_real slope = logistic_newton(j, MTC_MIN(ratio, (mtc_real).1) * g);
        f = slope < 0 ? logistic_search(j, f, slope) : f;
        objective[it + 1] = MTC_MIN(f, objective[it]);
    }
    transpose(j->d, j->c, j->theta, j->r.W);  /* all but the last row */
    MTC_COPY(j->r.bias, j->theta + j->d * j->c, j->c);
    return MTC_OK;
}

static void logistic_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    logistic_job *j = (logistic_job *)job;
    size_t n = j->X->n, d = j->X->d, c = j->o->classes;
    j->n = n;
    j->d = j->r.d = d;
    j->c = j->r.classes = c;
    j->size = mtc_mul(mtc_add(d, 1), c);
    MTC_REALS(own, mtc_mul(c, d), &j->r.W);
    MTC_REALS(own, c, &j->r.bias);
    MTC_REALS(own, mtc_add(j->o->iterations, 1), &j->r.objective);
    MTC_REALS(tmp, n, &j->share);
    MTC_REALS(tmp, mtc_mul(n, c), &j->P, &j->U);
    MTC_REALS(tmp, j->size, &j->theta, &j->trial, &j->G, &j->D, &j->resid,
        &j->q, &j->Hq);
    MTC_REALS(tmp, mtc_add(d, 1), &j->scale, &j->moment);
    j->work = mtc_take(tmp, mtc_data_work(j->X, NULL, c), 1);
}

mtc_logistic_options mtc_logistic_defaults(void)
{
    return (mtc_logistic_options){
        .classes = 2, .ridge = (mtc_real)1e-3, .iterations = 100,
        .tolerance = MTC_BY_TYPE(1e-8, 1e-4)};
}

mtc_status mtc_logistic(mtc_context *ctx, const mtc_data *X, const int *labels,
    const mtc_logistic_options *opt, mtc_logistic_result *res)
{
    const mtc_logistic_options *o = options_of(opt, logistic);
    logistic_job job = {.X = X, .labels = labels, .o = o};
    REQUIRE(count_fits(o->classes, INT_MAX), "classes: need 1 or more");
    REQUIRE(in_range(o->ridge, 0, MTC_HUGE), "ridge: need 0 or more");
    REQUIRE(in_range(o->tolerance, 0, MTC_HUGE), "tolerance: need 0 or more");
    MTC_TRY(mtc_data_check(ctx, X, MTC_NONE));
    MTC_TRY(check_labels(ctx, labels, X->n, o->classes, MTC_NONE));
    MTC_TRY(check_weights(ctx, o->weights, X->n));
    return job_result(ctx, logistic_layout, logistic_work, &job, res);
}

mtc_status mtc_logistic_assign(mtc_context *ctx, const mtc_data *X,
    const mtc_logistic_result *res, int *labels, mtc_real *probabilities)
{
    mtc_block none;
    MTC_TRY(mtc_data_sound(ctx, X, MTC_NONE));
    REQUIRE(res != NULL && res->classes > 0 && X->d == res->d,
            "need a result of X's width");
    MTC_TRY(mtc_scratch(ctx, 0, &none));  /* 0 bytes; measuring ends here */
    size_t c = res->classes;
    for (size_t i = 0; i < X->n; i++) {
        mtc_real best = 0;
        for (size_t k = 0; k < c; k++) {
            mtc_real z = mtc_data_dot(X, i, res->W + k * res->d) + res->bias[k];
            int better = k == 0 || z > best;  /* the lowest wins a tie */
            if (better && labels != NULL)
                labels[i] = (int)k;
            best = better ? z : best;
            if (probabilities != NULL)
                probabilities[i * c + k] = z;  /* scores, until the softmax */
        }
        if (probabilities != NULL)
            logistic_softmax(c, 0, probabilities + i * c);
    }
    return MTC_OK;
}

/* ==========================================================================
 * Chapter 7  Support vector machine
 *
 *   min 1/2 a'Qa - sum a,   0 <= a_i <= C_i,   y'a = 0,   Q_ij = y_i y_j K_ij
 *
 * With the signed multiplier b_i = y_i a_i the labels leave the matrix, and the
 * rows of K serve every problem of one against the rest:
 *   min 1/2 b'Kb - y'b,   lo <= b <= hi,   sum b = 0
 *   y_i = +1: box [0, C_i];   y_i = -1: box [-C_i, 0]
 *
 *   F    F     [n]     y - K b, the negative gradient
 *   b    beta  [n]     its box is lo, hi [n]
 *   rise_bar   [n]     0 if b may rise, else -huge: top = max F + rise_bar
 *   fall_bar   [n]     0 if b may fall, else huge: bottom = min F + fall_bar
 *   K    rows          a cache of the rows that were used last
 *
 * The method is sequential minimal optimization, [FCL05] WSS 2:
 *   B1  top = max F over b < hi, at i;   bottom = min F over b > lo
 *   B2  stop when top - bottom, the KKT gap, is within the tolerance
 *   B3  j has the largest gain (F_i - F_j)^2 / (K_ii + K_jj - 2 K_ij)
 *   B4  t = (F_i - F_j) / (K_ii + K_jj - 2 K_ij), cut to the box of the two:
 *       b_i += t, b_j -= t
 *   B5  F -= t (K_i - K_j)
 *
 * A step takes O(n) time, and O(n d) for a row of K that is not cached.  The
 * cache is that of Chang & Lin: LIBSVM, ACM TIST 2011.
 * Deviation: [FCL05] replaces K_ii + K_jj - 2 K_ij by a small constant where it
 *   is not positive.  We take its magnitude plus eps (K_ii + K_jj) everywhere.
 * Deviation: there is no shrinking.  It pays only if the steps are many times
 *   n, as they are when the cost is large.
 * ========================================================================== */

#define SVM_PERIOD ((size_t)500000)     /* values of F from tick to tick */
#define SVM_STEPS ((size_t)10000000)    /* bound on steps, as in LIBSVM */
#define SVM_WORK ((size_t)500000000)    /* bound on steps times n */

/* K(x, z) = x.z or exp(-gamma |x-z|^2) between vectors and rows of X. */
typedef struct svm_kernel {
    const mtc_data *X;
    mtc_real gamma;   /* 0: x.z */
    mtc_real *norms;  /* [n] |x|^2 */
} svm_kernel;

typedef struct svm_job {
    const int *labels;        /* [n] */
    const mtc_svm_options *o;
    mtc_svm_result r;
    svm_kernel K;
    mtc_real *diag;           /* [n] K_ii */
    size_t n, lanes;
    mtc_lane *lane;           /* [lanes] */
    struct svm_job *part;     /* [lanes] copies; each has its own: */

    size_t slots, clock;      /* cached rows of K; rows asked for so far */
    size_t *owner, *used_at;  /* [slots] sample; time of its last use */
    size_t *slot;             /* [n] of a sample, or MTC_NONE */
    mtc_real *rows;           /* [slots*n] */
    mtc_real *x;              /* [d] a CSR row spread out */

    mtc_real *F, *beta, *y;   /* [n] of the present problem */
    mtc_real *lo, *hi;        /* [n] */
    mtc_real *rise_bar, *fall_bar;  /* [n] */
    mtc_real top, bottom;     /* B1: F at `highest` and at `lowest` */
    size_t highest, lowest;   /* MTC_NONE: no b may rise, or fall */
} svm_job;

/* ---- the kernel and its cache -------------------------------------------- */

/* out [m] = K(x, rows which[0..m-1] of X); NULL stands for rows 0..m-1.  For
 * rbf, dense rows are compared by differences, CSR rows if squares cancel. */
static void svm_kernel_row(const svm_kernel *K, const mtc_real *x,
    const size_t *which, size_t m, mtc_real *out)
{
    const mtc_data *X = K->X, one = mtc_dense(1, X->d, x);
    mtc_real xx = mtc_dot(X->d, x, x);
    int rbf = K->gamma > 0, dense = !mtc_is_csr(X);
    for (size_t k = 0; k < m; k++) {
        size_t j = which != NULL ? which[k] : k;
        mtc_real dot = rbf && dense ? 0 : mtc_data_dot(X, j, x);
        mtc_real sum = xx + K->norms[j], sq = sum - 2 * dot;
        if (rbf && (dense || !(sq >= PAIR_CANCEL * sum)))
            sq = mtc_data_distance(&one, 0, X, j);
        out[k] = rbf ? sq : dot;
    }
    if (rbf)  /* a loop of its own is a quarter faster */
        for (size_t k = 0; k < m; k++)
            out[k] = mtc_exp(-K->gamma * out[k]);
}

/* Returns K_i.  If it is not cached, it takes the slot used longest ago: the
 * search costs O(slots), the row O(n d).  There are two slots or more, so that
 * the row fetched before stays. */
static const mtc_real *svm_row(svm_job *w, size_t i)
{
    size_t s = w->slot[i];
    if (s == MTC_NONE) {
        s = 0;
        for (size_t z = 1; z < w->slots; z++)
            s = w->used_at[z] < w->used_at[s] ? z : s;
        if (w->used_at[s] > 0)
            w->slot[w->owner[s]] = MTC_NONE;
        w->owner[s] = i;
        w->slot[i] = s;
        svm_kernel_row(&w->K, row_dense(w->K.X, i, w->x), NULL, w->n,
            w->rows + s * w->n);
    }
    w->used_at[s] = ++w->clock;
    return w->rows + s * w->n;
}

/* ---- steps --------------------------------------------------------------- */

/* Notes whether b_k may rise or fall.  svm_step puts b exactly on a bound. */
static void svm_mask(svm_job *w, size_t k)
{
    w->rise_bar[k] = w->beta[k] < w->hi[k] ? 0 : -MTC_HUGE;
    w->fall_bar[k] = w->beta[k] > w->lo[k] ? 0 : MTC_HUGE;
}

/* Sets labels, boxes and start of a problem whose positive class is given. */
static void svm_begin(svm_job *w, int positive, const mtc_real *start)
{
    const mtc_svm_options *o = w->o;
    mtc_real side[2] = {0, 0};  /* sum of a over y = -1, over y = +1 */
    for (size_t k = 0; k < w->n; k++) {
        int plus = w->labels[k] == positive;
        mtc_real C = o->costs == NULL ? o->cost : o->cost * o->costs[k];
        mtc_real a = start != NULL && start[k] > 0 ? start[k] : 0;
        a = MTC_MIN(a, C);
        w->y[k] = (mtc_real)(plus ? 1 : -1);
        w->hi[k] = plus ? C : 0;
        w->lo[k] = plus ? 0 : -C;
        w->beta[k] = plus ? a : -a;
        side[plus] += a;
    }
    /* Shrinks the heavier side, not for rounding: a b at its bound stays. */
    mtc_real fair = 1 + (mtc_real)w->n * MTC_EPS;
    for (size_t k = 0; k < w->n; k++) {
        int plus = w->y[k] > 0;
        if (side[plus] > fair * side[!plus])
            w->beta[k] *= side[!plus] / side[plus];
        svm_mask(w, k);
    }
}

/* F = y - K b, from the rows of the support. */
static void svm_refresh(svm_job *w)
{
    MTC_COPY(w->F, w->y, w->n);
    for (size_t k = 0; k < w->n; k++)
        if (w->beta[k] != 0)
            mtc_axpy(w->n, -w->beta[k], svm_row(w, k), w->F);
}

/* B1.  The lowest index wins a tie, as in B3.  Selects make vector code. */
static void svm_find_extremes(svm_job *w)
{
    const mtc_real *F = w->F;
    mtc_real top = -MTC_HUGE, bottom = MTC_HUGE;
    size_t i = MTC_NONE, j = MTC_NONE;
    for (size_t k = 0; k < w->n; k++) {
        mtc_real u = F[k] + w->rise_bar[k], v = F[k] + w->fall_bar[k];
        i = u > top ? k : i;
        top = MTC_MAX(u, top);
        j = v < bottom ? k : j;
        bottom = MTC_MIN(v, bottom);
    }
    w->highest = i;
    w->lowest = j;
    w->top = top;
    w->bottom = bottom;
}

/* |K_ii + K_jj - 2 K_ij| plus its rounding error: positive. */
static mtc_real svm_curvature(mtc_real kii, mtc_real kjj, mtc_real kij)
{
    mtc_real sum = kii + kjj;
    return MTC_FABS(sum - 2 * kij) + MTC_EPS * sum + MTC_TINY;
}

/* B3: returns the partner of i = w->highest. */
static size_t svm_find_partner(const svm_job *w, const mtc_real *Ki)
{
    const mtc_real *F = w->F, *fall_bar = w->fall_bar, *diag = w->diag;
    mtc_real top = w->top, kii = diag[w->highest], most = 0;
    size_t j = w->lowest;
    for (size_t k = 0; k < w->n; k++) {
        mtc_real u = top - (F[k] + fall_bar[k]);
        mtc_real eta = svm_curvature(kii, diag[k], Ki[k]);
        mtc_real gain = u * MTC_FABS(u) / eta;
        j = gain > most ? k : j;
        most = MTC_MAX(gain, most);
    }
    return j;
}

/* B4 and B5 with the partner of B3.  A multiplier whose room is the step goes
 * to its bound exactly.  Returns 0 if neither moved. */
static int svm_step(svm_job *w)
{
    const mtc_real *restrict Ki = svm_row(w, w->highest);
    size_t i = w->highest, j = svm_find_partner(w, Ki);
    const mtc_real *restrict Kj = svm_row(w, j);
    mtc_real *restrict F = w->F;
    mtc_real eta = svm_curvature(w->diag[i], w->diag[j], Ki[j]);
    mtc_real bi = w->beta[i], room_i = w->hi[i] - bi;
    mtc_real bj = w->beta[j], room_j = bj - w->lo[j];
    mtc_real t = MTC_MIN((F[i] - F[j]) / eta, MTC_MIN(room_i, room_j));
    w->beta[i] = t < room_i ? bi + t : w->hi[i];
    w->beta[j] = t < room_j ? bj - t : w->lo[j];
    svm_mask(w, i);
    svm_mask(w, j);
    for (size_t k = 0; k < w->n; k++)
        F[k] -= t * (Ki[k] - Kj[k]);
    return w->beta[i] > bi || w->beta[j] < bj;
}

/* The largest number of steps for one problem. */
static size_t svm_bound(const svm_job *w)
{
    size_t least = mtc_mul(1000, mtc_add(w->n, 100));
    size_t bound = MTC_MIN(SVM_WORK / w->n, SVM_STEPS);
    bound = MTC_MAX(bound, least);     /* LIBSVM: max(SVM_STEPS, 100 n) */
    bound /= (w->r.problems + 3) / 4;  /* fewer for each problem if c > 4 */
    return w->o->iterations > 0 ? w->o->iterations : bound;
}

/* Runs the loop until the gap closes or a pair does not move.  Each step adds
 * its rounding to F, so F is computed again before the end.  The last steps and
 * the reported gap use this F. */
static mtc_status svm_solve(mtc_context *ctx, svm_job *w, size_t p)
{
    size_t it = 0, bound = svm_bound(w);
    for (int renewed = 0;;) {
        if (it % (1 + SVM_PERIOD / w->n) == 0)
            MTC_TRY(mtc_tick(ctx, "svm", p, w->r.problems));
        svm_find_extremes(w);
        int open = w->highest != MTC_NONE && w->lowest != MTC_NONE &&
                   w->top - w->bottom > w->o->tolerance && it < bound;  /* B2 */
        it += (size_t)open;
        if (open && svm_step(w))
            continue;
        if (it == 0 || renewed)
            break;
        svm_refresh(w);
        renewed = 1;
    }
    w->r.iterations += it;
    return MTC_OK;
}

/* The bias is the mean of F over all free vectors.  Without any it is midway
 * between the extremes, or the only extreme: with all samples on one side, b =
 * 0 and F = y.  The objective 1/2 b'Kb - y'b is -1/2 b'(y + F).  A gap below
 * the rounding of F proves nothing if this rounding exceeds the tolerance. */
static void svm_finish(svm_job *w, size_t p)
{
    mtc_svm_result *r = &w->r;
    mtc_real sum = 0, twice = 0, blur = 0;
    size_t free_vectors = 0, support = 0;
    MTC_COPY(r->coefficients + p * w->n, w->beta, w->n);
    for (size_t k = 0; k < w->n; k++) {
        mtc_real b = w->beta[k], F = w->F[k];
        if (b < w->hi[k] && b > w->lo[k]) {
            sum += F;
            free_vectors++;
        }
        support += b != 0;
        twice -= b * (w->y[k] + F);
        blur = MTC_MAX(MTC_EPS * MTC_FABS(b) * w->diag[k], blur);
    }
    r->bias[p] = (w->top + w->bottom) / 2;
    if (free_vectors > 0)
        r->bias[p] = sum / (mtc_real)free_vectors;
    else if (w->highest == MTC_NONE)
        r->bias[p] = w->bottom;
    else if (w->lowest == MTC_NONE)
        r->bias[p] = w->top;
    r->support[p] = support;
    r->objective[p] = twice / 2;
    blur = blur > w->o->tolerance ? blur : 0;
    r->gap[p] = MTC_MAX(w->top - w->bottom, blur);
    r->converged &= r->gap[p] <= w->o->tolerance;
}

/* Solves problem p.  The rows of K cached by its lane serve the next, too. */
static mtc_status svm_problem(mtc_context *ctx, void *job, size_t p,
    size_t lane)
{
    svm_job *w = &((svm_job *)job)->part[lane];
    const mtc_real *start = w->o->start;
    if (p == lane) {  /* the first one of the lane */
        MTC_ZERO(w->used_at, w->slots);
        for (size_t i = 0; i < w->n; i++)
            w->slot[i] = MTC_NONE;
    }
    svm_begin(w, w->r.problems == 1 ? 1 : (int)p,
              start == NULL ? NULL : start + p * w->n);
    svm_refresh(w);
    MTC_TRY(svm_solve(ctx, w, p));
    svm_finish(w, p);
    if (!MTC_FINITE(w->r.objective[p] + w->r.bias[p]))
        return mtc_refuse(ctx, MTC_DOMAIN, "kernel times multipliers overflow");
    return MTC_OK;
}

static mtc_status svm_work(mtc_context *ctx, void *job)
{
    svm_job *w = (svm_job *)job;
    mtc_svm_result *r = &w->r;
    mtc_data_norms(w->K.X, w->K.norms);
    for (size_t i = 0; i < w->n; i++)
        w->diag[i] = w->K.gamma > 0 ? 1 : w->K.norms[i];
    MTC_TRY(mtc_share(ctx, w->lanes, w->lane, r->problems, svm_problem, w));
    for (size_t i = 0; i < w->lanes; i++) {
        r->iterations += w->part[i].r.iterations;
        r->converged &= w->part[i].r.converged;
    }
    return MTC_OK;
}

/* ---- memory -------------------------------------------------------------- */

/* Two classes make one problem; with more, each class has one with the rest. */
static svm_job svm_of(const mtc_context *ctx, const mtc_data *X,
    const int *labels, const mtc_svm_options *o)
{
    mtc_real gamma = o->gamma > 0 ? o->gamma : 1 / (mtc_real)X->d;
    size_t problems = o->classes < 3 ? o->classes - 1 : o->classes;
    int rbf = o->kernel == MTC_KERNEL_RBF;
    return (svm_job){.labels = labels, .o = o, .n = X->n,
                     .K = {.X = X, .gamma = rbf ? gamma : 0},
                     .r = {.n = X->n, .d = X->d, .classes = o->classes,
                           .problems = problems, .kernel = o->kernel,
                           .gamma = gamma, .converged = 1},
                     .lanes = mtc_lanes(ctx, problems,
                                        mtc_mul(X->n, mtc_stored(X)))};
}

/* All problems of a lane use the same arrays and the same cached rows of K, as
 * many as `cache` bytes hold. */
static void svm_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    svm_job *w = (svm_job *)job;
    const mtc_data *X = w->K.X;
    mtc_svm_result *r = &w->r;
    size_t n = w->n, p = r->problems;
    size_t slots = w->o->cache / mtc_mul(n, sizeof(mtc_real));
    slots = MTC_MIN(slots, n);
    w->slots = MTC_MAX(slots, 2);  /* at least K_i and K_j */
    MTC_REALS(own, mtc_mul(p, n), &r->coefficients);
    MTC_REALS(own, p, &r->bias, &r->objective, &r->gap);
    MTC_SIZES(own, p, &r->support);
    MTC_REALS(tmp, n, &w->diag, &w->K.norms);
    w->lane = MTC_TAKE(tmp, w->lanes, mtc_lane);
    w->part = MTC_TAKE(tmp, w->lanes, svm_job);
    for (size_t i = 0; i < w->lanes; i++) {
        svm_job part = *w;
        MTC_REALS(tmp, mtc_mul(w->slots, n), &part.rows);
        MTC_SIZES(tmp, w->slots, &part.owner, &part.used_at);
        MTC_SIZES(tmp, n, &part.slot);
        MTC_REALS(tmp, n, &part.F, &part.beta, &part.lo, &part.hi,
            &part.rise_bar, &part.fall_bar, &part.y);
        MTC_REALS(tmp, mtc_is_csr(X) ? X->d : 0, &part.x);
        if (w->part != NULL)
            w->part[i] = part;
    }
}

/* ---- the call ------------------------------------------------------------ */

mtc_svm_options mtc_svm_defaults(void)
{
    return (mtc_svm_options){.classes = 2, .kernel = MTC_KERNEL_LINEAR,
                             .cost = 1, .tolerance = (mtc_real)1e-3,
                             .cache = (size_t)64 << 20};
}

mtc_status mtc_svm(mtc_context *ctx, const mtc_data *X, const int *labels,
    const mtc_svm_options *opt, mtc_svm_result *res)
{
    const mtc_svm_options *o = options_of(opt, svm);
    REQUIRE(count_fits(o->classes, INT_MAX), "classes: need 1..INT_MAX");
    REQUIRE((unsigned)o->kernel <= MTC_KERNEL_RBF,
            "kernel: need linear or rbf");
    REQUIRE(in_range(o->gamma, 0, MTC_HUGE), "gamma: need 0 or more");
    REQUIRE(o->cost > 0 && is_moderate(o->cost), "cost: need above 0");
    REQUIRE(in_range(o->tolerance, 0, MTC_HUGE), "tolerance: need 0 or more");
    MTC_TRY(mtc_data_check(ctx, X, MTC_NONE));
    MTC_TRY(check_labels(ctx, labels, X->n, o->classes, MTC_NONE));
    MTC_TRY(check_weights(ctx, o->costs, X->n));
    svm_job job = svm_of(ctx, X, labels, o);
    return job_result(ctx, svm_layout, svm_work, &job, res);
}

/* ---- new samples --------------------------------------------------------- */

/* A linear kernel needs W [problems*d] = coef X.  The RBF kernel needs the m
 * samples that support any problem, and a row of values that problems share. */
typedef struct svm_assign_job {
    const mtc_data *X;
    const mtc_svm_result *r;
    int *labels;          /* [X.n], or NULL */
    mtc_real *decisions;  /* [X.n*problems], or NULL */
    svm_kernel K;         /* of the training data */
    int linear;
    mtc_real *W;          /* linear */
    size_t m, *list;      /* RBF: [m] the support, ascending */
    mtc_real *row, *x;    /* RBF: [lanes*n] [lanes*d] */
    block_crew crew;
} svm_assign_job;

/* f_p(x) = W_p x + bias_p, or sum_k coef_k K(x_k, x) + bias_p over the support.
 * The class with the largest f wins, the lowest on a tie.  A class without
 * samples in the fit never wins: its f is -1 everywhere.  A model from a file
 * may have coefficients and bias alone. */
static void svm_label_rows(void *job, size_t first, size_t rows, size_t lane)
{
    const svm_assign_job *a = (const svm_assign_job *)job;
    const mtc_svm_result *r = a->r;
    size_t P = r->problems;
    mtc_real *row = a->linear ? NULL : a->row + lane * r->n;
    mtc_real *x = a->linear ? NULL : a->x + lane * r->d;
    for (size_t i = first; i < first + rows; i++) {
        mtc_real best = -MTC_HUGE;
        int winner = 0;
        if (!a->linear)
            svm_kernel_row(&a->K, row_dense(a->X, i, x), a->list, a->m, row);
        for (size_t p = 0; p < P; p++) {
            mtc_real f = a->linear ? mtc_data_dot(a->X, i, a->W + p * r->d) : 0;
            for (size_t k = 0; k < a->m; k++)  /* m = 0 if linear */
                f += r->coefficients[p * r->n + a->list[k]] * row[k];
            f += r->bias[p];
            if (a->decisions != NULL)
                a->decisions[i * P + p] = f;
            int empty = r->support != NULL && r->support[p] == 0;
            if (P == 1) {
                winner = f > 0;  /* class 1 is positive */
            } else if (f > best && !(empty && r->bias[p] < 0)) {
                winner = (int)p;
                best = f;
            }
        }
        if (a->labels != NULL)
            a->labels[i] = winner;
    }
}

static mtc_status svm_assign_work(mtc_context *ctx, void *job)
{
    svm_assign_job *a = (svm_assign_job *)job;
    const mtc_svm_result *r = a->r;
    const mtc_real *coef = r->coefficients;
    if (a->linear) {
        MTC_ZERO(a->W, r->problems * r->d);
        for (size_t p = 0; p < r->problems; p++)
            for (size_t i = 0; i < r->n; i++)
                mtc_data_axpy(a->K.X, i, coef[p * r->n + i], a->W + p * r->d);
    } else {
        mtc_data_norms(a->K.X, a->K.norms);
        for (size_t i = 0; i < r->n; i++) {
            int supports = 0;
            for (size_t p = 0; p < r->problems; p++)
                supports |= coef[p * r->n + i] != 0;
            if (supports)
                a->list[a->m++] = i;
        }
    }
    return block_each(ctx, &a->crew, a->X->n, svm_label_rows, a);
}

static void svm_assign_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    svm_assign_job *a = (svm_assign_job *)job;
    size_t n = a->linear ? 0 : a->r->n, d = a->linear ? 0 : a->r->d;
    (void)own;
    MTC_REALS(tmp, a->linear ? mtc_mul(a->r->problems, a->r->d) : 0, &a->W);
    MTC_SIZES(tmp, n, &a->list);
    MTC_REALS(tmp, n, &a->K.norms);
    MTC_REALS(tmp, mtc_mul(a->crew.lanes, n), &a->row);
    MTC_REALS(tmp, mtc_mul(a->crew.lanes, d), &a->x);
    block_layout(tmp, 0, &a->crew);
}

mtc_status mtc_svm_assign(mtc_context *ctx, const mtc_data *X,
    const mtc_data *train, const mtc_svm_result *res, int *labels,
    mtc_real *decisions)
{
    MTC_TRY(mtc_data_sound(ctx, X, MTC_NONE));
    MTC_TRY(mtc_data_check(ctx, train, MTC_NONE));
    REQUIRE(res != NULL && res->classes > 0 && train->n == res->n &&
            train->d == res->d && X->d == res->d,
            "data differ from the model's");
    svm_assign_job job = {.X = X, .r = res, .labels = labels,
                          .decisions = decisions,
                          .K = {.X = train, .gamma = res->gamma},
                          .linear = res->kernel == MTC_KERNEL_LINEAR};
    size_t meets = job.linear ? res->problems : res->n;
    job.crew.size = BLOCK_ROWS;
    job.crew.lanes = block_lanes(ctx, X->n, BLOCK_ROWS, mtc_mul(meets, X->d));
    return mtc_job_run(ctx, svm_assign_layout, svm_assign_work, &job);
}

/* ==========================================================================
 * Chapter 8  Normalized cut
 *
 *   min over A_1..A_k  sum_z cut(A_z, rest) / volume(A_z), relaxed by A2
 *
 *   S    S [n x n]  symmetric, >= 0       D    diag(S 1), degrees
 *   U    r.embedding [n*k]                h    r.labels [n]
 *
 *   A1  S is the graph of X (chapter 5), or X itself
 *   A2  U = top k eigenvectors of D^-1/2 S D^-1/2
 *   A3  scale the rows of U to length 1; h by k-means
 *   A4  the value of the cut that h makes of S
 *
 * Reference: Shi & Malik, PAMI 2000; Ng, Jordan & Weiss, NIPS 2001.
 * Cost: the graph, then eigenpairs: O(n^3) dense, O(k nnz(S)) a step if CSR.
 * ========================================================================== */

typedef struct ncut_job {
    const mtc_data *X;
    const mtc_ncut_options *o;
    mtc_ncut_result r;
    graph_job graph;            /* A1; not used if X is S */
    const mtc_data *S;          /* the graph's weights, or X */
    void *spectral;             /* work of mtc_spectral_in */
    embed_job embed;            /* A3 */
    mtc_real *inside, *volume;  /* [k] of A4 */
} ncut_job;

/* A4.  An edge counts from both ends, the diagonal once.  inside [k] sums the
 * weights within a cluster, volume [k] the degrees of its samples. */
static mtc_real ncut_value(const mtc_data *S, size_t k, const int *h,
    mtc_real *inside, mtc_real *volume)
{
    mtc_real cut = 0;
    MTC_ZERO(inside, k);
    MTC_ZERO(volume, k);
    for (size_t i = 0; i < S->n; i++) {
        size_t e0 = row_begin(S, i), e1 = row_end(S, i);
        mtc_real within = inside[h[i]], all = volume[h[i]];
        for (size_t e = e0; e < e1; e++) {
            int same = h[entry_column(S, e0, e)] == h[i];
            within += same ? S->values[e] : 0;
            all += S->values[e];
        }
        inside[h[i]] = within;
        volume[h[i]] = all;
    }
    for (size_t z = 0; z < k; z++)
        if (volume[z] > 0)
            cut += (volume[z] - inside[z]) / volume[z];
    return cut;
}

/* An isolated sample has a row of zeros in U and goes where k-means puts it. */
static mtc_status ncut_work(mtc_context *ctx, void *job)
{
    ncut_job *j = (ncut_job *)job;
    const mtc_kmeans_result *km = &j->embed.km.r;
    size_t k = j->o->clusters;
    if (!j->o->given)
        MTC_TRY(graph_work(ctx, &j->graph));  /* A1 */
    MTC_TRY(mtc_spectral_in(ctx, j->S, k, j->o->tolerance, j->r.embedding,
                            j->r.eigenvalues, j->spectral));
    mtc_unit_rows(j->X->n, k, j->r.embedding);
    MTC_TRY(km_work(ctx, &j->embed.km));  /* A3 */
    j->r.cut = ncut_value(j->S, k, km->labels, j->inside, j->volume);
    j->r.labels = km->labels;
    j->r.objective = km->objective;
    j->r.iterations = km->iterations;
    j->r.converged = km->converged;
    j->r.k_effective = km->k_effective;
    return MTC_OK;
}

static void ncut_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    ncut_job *j = (ncut_job *)job;
    size_t n = j->X->n, k = j->o->clusters;
    int sparse = j->o->given ? mtc_is_csr(j->X)
                             : !graph_is_complete(&j->o->graph, n);
    MTC_REALS(own, mtc_mul(n, k), &j->r.embedding);
    MTC_REALS(own, k, &j->r.eigenvalues);
    MTC_REALS(tmp, k, &j->inside, &j->volume);
    j->S = j->X;
    if (!j->o->given) {
        graph_layout(tmp, tmp, &j->graph);  /* the weights are scratch here */
        j->S = &j->graph.r.weights;
    }
    j->spectral = mtc_take(tmp, mtc_spectral_work(n, k, sparse), 1);
    embed_layout(own, tmp, mtc_dense(n, k, j->r.embedding), &j->embed);
}

mtc_ncut_options mtc_ncut_defaults(void)
{
    return (mtc_ncut_options){.clusters = 2, .graph = mtc_graph_defaults(),
                              .restarts = 10};
}

mtc_status mtc_ncut(mtc_context *ctx, const mtc_data *X,
    const mtc_ncut_options *opt, mtc_ncut_result *res)
{
    const mtc_ncut_options *o = options_of(opt, ncut);
    ncut_job job = {.X = X, .o = o};
    MTC_TRY(o->given ? check_similarity(ctx, X)
                     : mtc_data_check(ctx, X, MTC_NONE));
    MTC_TRY(check_clusters(ctx, o->clusters, X->n, MTC_NONE));
    REQUIRE(o->restarts > 0, need_restarts);
    REQUIRE(in_range(o->tolerance, 0, 1), "tolerance: need 0..1");
    MTC_TRY(check_start(ctx, o->start_labels, X->n, o->clusters, MTC_NONE));
    if (!o->given)
        MTC_TRY(graph_check(ctx, &o->graph, X->n));
    job.embed = embed_of(ctx, X->n, o->clusters, o->restarts, o->start_labels);
    job.graph = graph_of(ctx, X, 1, &o->graph);
    return job_result(ctx, ncut_layout, ncut_work, &job, res);
}

/* ==========================================================================
 * Chapter 9  Principal components
 *
 *   X - 1 mean' ~ scores components        scores [N*r]  components C [r*d]
 *
 * X is the N rows of all views.  The rows of C are the top right singular
 * vectors of X less its mean, or less the mean of each view, as mtc_svd finds
 * them; `variance` holds the squared singular values.  r is given, or the least
 * number that keeps the share `keep` of their sum; it is never above the rank.
 * ========================================================================== */

/* With r given, the matrix of all pairs is formed only up to this side.  In
 * float that is more exact than products with X, which stop at 1e-4. */
#define PCA_FULL ((size_t)(sizeof(mtc_real) == 8 ? 1000 : 2000))

typedef struct pca_job {
    const mtc_data *views;
    size_t n_views;
    const mtc_pca_options *o;
    mtc_pca_result r;  /* its arrays are svd's */
    mtc_svd svd;
    void *work;
} pca_job;

static mtc_status pca_work(mtc_context *ctx, void *job)
{
    pca_job *j = (pca_job *)job;
    mtc_pca_result *r = &j->r;
    size_t N = count_samples(j->views, j->n_views);
    MTC_ZERO(r->mean, r->views * r->d);
    if (j->o->mean == MTC_MEAN_COMMON)
        mean_of_rows(j->views, j->n_views, NULL, 0, r->mean);
    if (j->o->mean == MTC_MEAN_OWN)
        for (size_t t = 0; t < j->n_views; t++)
            mean_of_rows(&j->views[t], 1, NULL, 0, r->mean + t * r->d);
    MTC_TRY(mtc_svd_in(ctx, &j->svd, j->work));
    r->dimension = j->svd.rank;
    r->total = j->svd.total;
    for (size_t i = 0; i < N; i++)
        memmove(r->scores + i * r->dimension, r->scores + i * j->svd.most,
            r->dimension * sizeof *r->scores);  /* packed to r columns */

    int exact = !(j->o->tolerance > 0);  /* else any residual is accepted */
    if (exact && j->svd.residual > MTC_SQRT(MTC_EPS))
        return mtc_refuse(ctx, MTC_LIMIT, "eigenvectors");
    return MTC_OK;
}

/* Takes room for the largest possible r; with a smaller r some stays unused. */
static void pca_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    pca_job *j = (pca_job *)job;
    mtc_pca_result *r = &j->r;
    size_t N = count_samples(j->views, j->n_views), d = j->views[0].d;
    size_t asked = j->o->dimension, side = MTC_MIN(N, d);
    size_t most = asked > 0 ? MTC_MIN(asked, side) : side;
    int own_means = j->o->mean == MTC_MEAN_OWN;
    size_t full = asked > 0 ? PCA_FULL : SIZE_MAX;
    int loose = j->o->tolerance > 0 && asked > 0;  /* by products with X */
    r->d = d;
    r->views = own_means ? j->n_views : 1;
    MTC_REALS(own, mtc_mul(r->views, d), &r->mean);
    MTC_REALS(own, mtc_mul(most, d), &r->components);
    MTC_REALS(own, most, &r->variance);
    MTC_REALS(own, mtc_mul(N, most), &r->scores);
    j->svd = (mtc_svd){.sets = j->views, .n_sets = j->n_views, .most = most,
                       .centered = j->o->mean != MTC_MEAN_NONE,
                       .mean = r->mean, .mean_step = own_means ? d : 0,
                       .tolerance = j->o->tolerance,
                       .keep = asked > 0 ? 0 : j->o->keep,  /* 0: `most` */
                       .full = loose ? 0 : full,
                       .w = r->variance, .V = r->components, .Z = r->scores};
    j->work = mtc_take(tmp, mtc_svd_work(&j->svd), 1);
}

mtc_pca_options mtc_pca_defaults(void)
{
    return (mtc_pca_options){.keep = (mtc_real)0.95, .mean = MTC_MEAN_COMMON};
}

mtc_status mtc_pca(mtc_context *ctx, const mtc_data *views, size_t n_views,
    const mtc_pca_options *opt, mtc_pca_result *res)
{
    const mtc_pca_options *o = options_of(opt, pca);
    pca_job job = {.views = views, .n_views = n_views, .o = o};
    MTC_TRY(check_sets(ctx, views, n_views));
    REQUIRE(o->dimension > 0 || (o->keep > 0 && o->keep <= 1),
            "keep: need 0 < keep <= 1");
    REQUIRE((unsigned)o->mean <= MTC_MEAN_OWN, "mean: need one of MTC_MEAN_*");
    REQUIRE(in_range(o->tolerance, 0, 1), "tolerance: need 0..1");
    return job_result(ctx, pca_layout, pca_work, &job, res);
}

/* Projects new samples: (X - 1 mean') C', with the mean of the old samples. */
mtc_status mtc_pca_assign(mtc_context *ctx, const mtc_data *X, size_t view,
    const mtc_pca_result *res, mtc_real *scores)
{
    mtc_block work;
    MTC_TRY(mtc_data_sound(ctx, X, MTC_NONE));
    REQUIRE(res != NULL && X->d == res->d && is_given(ctx, scores),
            "need scores, and features as the model's");
    REQUIRE(res->views <= 1 || view < res->views,
            "view: need one that the model has");
    const mtc_real *mean = res->mean;  /* a single mean is for all views */
    if (res->views > 1)
        mean += view * res->d;
    size_t r = res->dimension;  /* 0 of constant data */
    MTC_TRY(mtc_scratch(ctx, r > 0 ? mtc_project_work(X, r) : 0, &work));
    if (r > 0)
        mtc_project(X, mean, r, res->components, scores, r, work.at);
    return mtc_scratch_end(ctx, &work, MTC_OK);
}

/* ==========================================================================
 * Chapter 10  Symmetric non-negative factorization
 *
 *   min_{Y >= 0} f(Y) = |M - Y Y'|^2 = |M|^2 - 2 <Y, M Y> + |Y'Y|^2
 *
 *   M    M [n x n]    symmetric, >= 0     Y    r.Y [n*k]
 *   M Y  MY [n*k]                         Y'Y  YtY [k*k]
 *
 *   A1  Y0 is made from labels, or random
 *   A2  Y <- Y o (M Y / Y (Y'Y))^e, a ratio being 0 if its denominator is;
 *       e = 1/2 ([ZZL19] (25)), and if f rose, again with 1/4
 *   A3  label = argmax of a row
 *
 * Deviation: [ZZL19] use 1/2 alone, which is faster and hardly ever raises f;
 *   with 1/4, f provably never rises, but for the rounding of |M|^2.
 * A try of e takes nnz(M) k + 2 n k^2 multiply-adds.  Reference: [KDP12].
 * ========================================================================== */

#define SNMF_SLACK (16 * MTC_EPS)    /* rounding of f, relative to |M|^2 */
#define SNMF_OFFSET ((mtc_real)0.2)  /* added to a start from labels [ZZL19] */

typedef struct snmf_job {
    const mtc_data *M;
    const mtc_snmf_options *o;
    mtc_snmf_result r;
    mtc_real *MY, *YtY, *next;  /* [n*k] [k*k] [n*k] */
    mtc_real *ratio;            /* [n*k] Y (Y'Y), then the ratio to the e */
    const mtc_real *factor;     /* Y or next, that M Y is of */
    block_crew crew;            /* for rows of M Y */
    mtc_real square;            /* |M|^2 */
    size_t *count;              /* [k] samples of each cluster */
    void *work;                 /* for gemm */
} snmf_job;

/* A1.  Random entries, of mean 1/2 times the scale [KDP12], give Y Y' the mean
 * of M.  A2 cannot move a 0, so SNMF_OFFSET and 1 - random keep entries > 0. */
static void snmf_start(mtc_context *ctx, snmf_job *j)
{
    const mtc_snmf_options *o = j->o;
    size_t n = j->M->n, k = o->clusters;
    mtc_real *Y = j->r.Y;
    if (o->start_labels != NULL) {
        for (size_t i = 0; i < n; i++)
            for (size_t z = 0; z < k; z++)
                Y[i * k + z] = SNMF_OFFSET + (o->start_labels[i] == (int)z);
    } else {
        double total = 0;
        for (size_t i = 0; i < n; i++)
            for (size_t e = row_begin(j->M, i); e < row_end(j->M, i); e++)
                total += (double)j->M->values[e];
        mtc_real mean = (mtc_real)total / (mtc_real)n / (mtc_real)n;
        mtc_real scale = 2 * MTC_SQRT(mean / (mtc_real)k);
        mtc_random rng = mtc_stream(ctx, 0);
        for (size_t e = 0; e < n * k; e++)
            Y[e] = scale * (1 - mtc_random_real(&rng));
    }
    for (size_t i = 0; i < n; i++)
        j->r.labels[i] = (int)argmax(k, Y + i * k);
}

static void snmf_rows(void *job, size_t first, size_t rows, size_t lane)
{
    const snmf_job *j = (const snmf_job *)job;
    size_t k = j->o->clusters;
    mtc_data part = row_slice(j->M, first, rows);
    mtc_data_times(&part, k, j->factor, k, j->MY + first * k, k,
                   block_work(j->crew, lane));
}

/* Returns f(Y), or 0 if rounding takes it below 0, and leaves M Y and Y'Y for
 * the next step. */
static mtc_real snmf_objective(mtc_context *ctx, snmf_job *j, const mtc_real *Y)
{
    size_t n = j->M->n, k = j->o->clusters;
    j->factor = Y;
    (void)block_each(ctx, &j->crew, n, snmf_rows, j);
    mtc_syrk(1, k, n, 1, Y, k, 0, j->YtY, k, j->work);
    mtc_real f = j->square - 2 * mtc_dot(n * k, Y, j->MY) +
                 mtc_dot(k * k, j->YtY, j->YtY);
    return f < 0 ? 0 : f;
}

/* A2: next = Y o ratio^e, where each call halves e.  Returns f there.  An entry
 * that underflowed to 0 could not grow again. */
static mtc_real snmf_try(mtc_context *ctx, snmf_job *j)
{
    size_t cells = j->M->n * j->o->clusters;
    for (size_t e = 0; e < cells; e++) {
        mtc_real y = j->r.Y[e], root = MTC_SQRT(j->ratio[e]), to = y * root;
        j->next[e] = to < MTC_TINY && y > 0 && root > 0 ? MTC_TINY : to;
        j->ratio[e] = root;
    }
    return snmf_objective(ctx, j, j->next);
}

/* Y becomes what snmf_objective got last, so that M Y and Y'Y belong to Y when
 * a step begins.  A row that vanished keeps its starting label. */
static mtc_status snmf_work(mtc_context *ctx, void *job)
{
    snmf_job *j = (snmf_job *)job;
    const mtc_snmf_options *o = j->o;
    size_t n = j->M->n, k = o->clusters, it = 0;
    mtc_real *Y = j->r.Y, *f = j->r.objective;
    j->square = squared_norm(j->M);
    snmf_start(ctx, j);
    f[0] = snmf_objective(ctx, j, Y);
    while (it < o->iterations && !j->r.converged) {  /* A2 */
        mtc_real most = f[it] + SNMF_SLACK * j->square;
        MTC_TRY(mtc_tick(ctx, "symmetric nmf", it, o->iterations));
        mtc_gemm(0, 0, n, k, k, 1, Y, k, j->YtY, k, 0, j->ratio, k, j->work);
        for (size_t e = 0; e < n * k; e++) {
            mtc_real below = j->ratio[e];
            mtc_real ratio = below > 0 ? j->MY[e] / below : 0;  /* (25) */
            j->ratio[e] = MTC_MIN(ratio, MTC_HUGE);
        }
        mtc_real value = snmf_try(ctx, j);  /* e = 1/2 */
        if (value > most)
            value = snmf_try(ctx, j);       /* e = 1/4 */
        if (!(value <= most))
            break;  /* only rounding can do this: Y stays */
        MTC_COPY(Y, j->next, n * k);
        f[it + 1] = MTC_MIN(value, f[it]);
        j->r.converged = o->tolerance > 0 &&
                         f[it] - f[it + 1] <= o->tolerance * f[it];
        it++;
    }
    j->r.iterations = it;
    for (size_t i = 0; i < n; i++) {  /* A3 */
        size_t z = argmax(k, Y + i * k);
        j->r.labels[i] = Y[i * k + z] > MTC_TINY ? (int)z : j->r.labels[i];
    }
    j->r.k_effective = labels_used(n, j->r.labels, k, j->count);
    return MTC_OK;
}

static void snmf_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    snmf_job *j = (snmf_job *)job;
    size_t n = j->M->n, k = j->o->clusters, nk = mtc_mul(n, k);
    j->r.labels = MTC_TAKE(own, n, int);
    MTC_REALS(own, nk, &j->r.Y);
    MTC_REALS(own, mtc_add(j->o->iterations, 1), &j->r.objective);
    MTC_REALS(tmp, nk, &j->MY, &j->next, &j->ratio);
    MTC_REALS(tmp, mtc_mul(k, k), &j->YtY);
    MTC_SIZES(tmp, k, &j->count);
    j->work = mtc_take(tmp, mtc_gemm_work(n, n, n), 1);
    block_layout(tmp, mtc_data_work(j->M, NULL, k), &j->crew);
}

mtc_snmf_options mtc_snmf_defaults(void)
{
    return (mtc_snmf_options){.clusters = 2, .iterations = 300,
                              .tolerance = (mtc_real)1e-6};
}

mtc_status mtc_snmf(mtc_context *ctx, const mtc_data *M,
    const mtc_snmf_options *opt, mtc_snmf_result *res)
{
    const mtc_snmf_options *o = options_of(opt, snmf);
    snmf_job job = {.M = M, .o = o, .crew.size = BLOCK_ROWS};
    MTC_TRY(check_similarity(ctx, M));
    MTC_TRY(check_clusters(ctx, o->clusters, M->n, MTC_NONE));
    REQUIRE(MTC_FINITE(o->tolerance), "tolerance: need a number");
    MTC_TRY(check_start(ctx, o->start_labels, M->n, o->clusters, MTC_NONE));
    job.crew.lanes = block_lanes(ctx, M->n, BLOCK_ROWS,
                                 mtc_mul(mtc_stored(M) / M->n, o->clusters));
    return job_result(ctx, snmf_layout, snmf_work, &job, res);
}

/* ==========================================================================
 * Chapter 11  Shared features: the denoising autoencoder
 *
 * This is the first step of MTCFIR (chapter 16), the marginalized stacked
 * denoising autoencoder [CXWS12], [ZZL19] algorithm 2.  A layer restores its
 * input X from copies X~ in which each feature is 0 with probability p.  The
 * papers have samples as columns; here samples are rows: our X is their X'.
 *
 *   X   in      N x d    the sets stacked, or h of the layer before
 *   Xb  [X, 1]           the constant is always kept: its q is 1
 *   S   Xb'Xb            q  keep = 1 - p of a feature
 *   h   h       N x d    the layer, in r.h
 *
 *   min_W |X - X~ W'|^2 (1) has, with infinitely many copies,
 *   W = E[P] E[Q]^-1                                                    (4)
 *   E[P]_ij = S_ij q_j (5),  E[Q]_ij = S_ij q_i q_j, E[Q]_ii = S_ii q_i (6)
 *   h = tanh(Xb W'), with the first d rows of W
 *
 * (4) is solved by features (primal) or by samples (dual: text, where d > N),
 * whichever is cheaper.  Both use E[Q] = diag(q) S diag(q) + Lambda, where
 * Lambda_i is S_ii q (1-q) + ridge for a feature and 0 for the constant.
 *
 *   P1  S = Xb'Xb and from it E[Q], scaled to a unit diagonal, so that the
 *       scale of a feature does not matter
 *   P2  W' = ([I;0] - E[Q]^-1 [Lambda;0]) / q
 *   P3  Xb W'                               in all 3 N d^2 + 7/3 d^3
 *
 *   D1  K = X Lambda^-1 X'
 *   D2  G = (I + q^2 K)^-1 = R'R, where R = L^-1 and L L' = I + q^2 K
 *   D3  u = G1,  s = 1'u,  m = 1'GX / s:
 *       Xb W' = (X - GX - (1-u)m')/q + 1m'  in all 3 N^2 d + N^3
 *
 * The dual form follows from the push-through identity, and from
 * Sherman-Morrison for the constant, whose Lambda goes to 0.
 * Deviation: we add a ridge, which is needed only where p = 0.
 * ========================================================================== */

typedef struct msda_job {
    const mtc_data *in;    /* [n_in] X */
    mtc_data before;       /* h of the layer before */
    size_t n_in;
    mtc_real ridge, keep;  /* keep is q */
    int dual;
    mtc_msda_result r;
    mtc_real *h;           /* [N*d] the layer; X, or X Lambda^-1/2, at first */
    mtc_real *scale;       /* [d+1] E[Q]_ii^-1/2, or [d] Lambda^-1/2 */
    mtc_real *row;         /* [d], room for d+1: a row of X */
    mtc_real *Q, *Wt;      /* primal: [(d+1)^2] S, then E[Q]; [(d+1)*d] W' */
    mtc_real *K, *R, *G;   /* dual: [N*N]; G takes the place of K */
    mtc_real *u, *m;       /* dual: [N] [d] */
    mtc_data *scaled;      /* dual: [n_in] X Lambda^-1/2 */
    block_crew crew;       /* its work is for gemm and Gram matrices */
} msda_job;

/* P1: rows of X'X up to the diagonal. */
static void msda_moment_rows(void *job, size_t first, size_t rows, size_t lane)
{
    const msda_job *j = (const msda_job *)job;
    size_t d = j->r.d, d1 = d + 1;
    const mtc_real *X = j->h;
    mtc_gemm(1, 0, rows, first + rows, j->r.n, 1, X + first, d, X, d, 0,
             j->Q + first * d1, d1, block_work(j->crew, lane));
}

/* P1: the lower triangle of S, from a dense copy of X in h, then E[Q] (6) at a
 * unit diagonal.  Wt becomes [Lambda;0] in that scale, the right side of P2.  A
 * feature that is 0 throughout has scale 0 and a row of I. */
static mtc_status msda_moments(mtc_context *ctx, msda_job *j)
{
    size_t d = j->r.d, d1 = d + 1, N = 0;
    mtc_real *X = j->h, *Q = j->Q, *scale = j->scale, q = j->keep;
    for (size_t s = 0; s < j->n_in; s++)
        for (size_t i = 0; i < j->in[s].n; i++)
            row_copy(&j->in[s], i, X + N++ * d);
    MTC_TRY(block_each(ctx, &j->crew, d, msda_moment_rows, j));
    MTC_ZERO(Q + d * d1, d);
    for (size_t i = 0; i < N; i++)
        mtc_axpy(d, 1, X + i * d, Q + d * d1);  /* the last row of S is 1'X */
    MTC_ZERO(j->Wt, d1 * d);
    for (size_t i = 0; i < d; i++) {
        mtc_real S = Q[i * d1 + i];
        scale[i] = S > MTC_TINY ? 1 / MTC_SQRT(q * S + j->ridge) : 0;
        j->Wt[i * d + i] = scale[i] * (q * (1 - q) * S + j->ridge);
    }
    scale[d] = 1 / MTC_SQRT((mtc_real)N);
    for (size_t i = 0; i < d1; i++) {
        mtc_real kept = i < d ? q * q : q;  /* the constant is always kept */
        for (size_t k = 0; k < i; k++)
            Q[i * d1 + k] *= kept * scale[i] * scale[k];
        Q[i * d1 + i] = 1;
    }
    return MTC_OK;
}

/* P3: rows of Xb W'. */
static void msda_restore_rows(void *job, size_t first, size_t rows, size_t lane)
{
    const msda_job *j = (const msda_job *)job;
    size_t d = j->r.d;
    for (size_t s = 0, at = 0; s < j->n_in; at += j->in[s++].n) {
        size_t i;
        mtc_data X = block_part(&j->in[s], at, first, rows, &i);
        mtc_real *h = j->h + i * d;
        mtc_data_times(&X, d, j->Wt, d, h, d, block_work(j->crew, lane));
        for (size_t c = 0; c < X.n; c++)
            mtc_axpy(d, 1, j->Wt + d * d, h + c * d);
    }
}

/* P1 to P3: h = Xb W'.  May be SINGULAR. */
static mtc_status msda_primal(mtc_context *ctx, msda_job *j)
{
    size_t d = j->r.d, d1 = d + 1;
    mtc_real *Wt = j->Wt, *scale = j->scale;
    MTC_TRY(msda_moments(ctx, j));                      /* P1 */
    MTC_TRY(mtc_cholesky(d1, j->Q, d1, j->crew.work));  /* P2 */
    mtc_cholesky_solve(d1, d, j->Q, d1, Wt, d, j->crew.work);
    for (size_t i = 0; i < d1; i++)
        for (size_t k = 0; k < d; k++) {
            mtc_real one = i == k && scale[i] > 0;  /* of [I;0] */
            Wt[i * d + k] = (one - scale[i] * Wt[i * d + k]) / j->keep;
        }
    return block_each(ctx, &j->crew, j->r.n, msda_restore_rows, j);  /* P3 */
}

/* D1: rows of K up to the diagonal. */
static void msda_kernel_rows(void *job, size_t first, size_t rows, size_t lane)
{
    const msda_job *j = (const msda_job *)job;
    block_gram(j->scaled, j->n_in, first, rows, j->r.n, j->K,
               block_work(j->crew, lane));
}

/* D1: the lower triangle of K, where a feature that is 0 throughout is left
 * out.  X Lambda^-1/2 is made in h. */
static mtc_status msda_kernel(mtc_context *ctx, msda_job *j)
{
    const mtc_data *in = j->in;
    mtc_real q = j->keep, *scale = j->scale, *values = j->h;
    size_t d = j->r.d;
    column_squares(in, j->n_in, NULL, scale);  /* S_ff */
    for (size_t f = 0; f < d; f++) {
        mtc_real S = scale[f], lambda = q * (1 - q) * S + j->ridge;
        scale[f] = S > MTC_TINY && lambda > MTC_TINY ? MTC_SQRT(1 / lambda) : 0;
    }
    for (size_t s = 0; s < j->n_in; s++) {
        j->scaled[s] = in[s];
        j->scaled[s].values = values;
        j->scaled[s].stride = d;
        for (size_t i = 0; i < in[s].n; i++) {
            size_t e0 = row_begin(&in[s], i), e1 = row_end(&in[s], i);
            for (size_t e = e0; e < e1; e++)
                *values++ = in[s].values[e] *
                            scale[entry_column(&in[s], e0, e)];
        }
    }
    return block_each(ctx, &j->crew, j->r.n, msda_kernel_rows, j);
}

/* D2: columns of R = L^-1, where L has overwritten K.  R is triangular too, so
 * a block begins at its own row: R and R'R take 2/3 N^3, while two solves for I
 * would take 2 N^3. */
static void msda_root_columns(void *job, size_t first, size_t columns,
    size_t lane)
{
    const msda_job *j = (const msda_job *)job;
    size_t N = j->r.n, at = first * (N + 1);
    const mtc_real *L = j->K;
    for (size_t i = first; i < first + columns; i++)
        j->R[i * N + i] = 1;
    mtc_triangular_solve(0, N - first, columns, L + at, N, j->R + at, N,
                         block_work(j->crew, lane));
}

/* D2: rows of G = R'R up to the diagonal. */
static void msda_inverse_rows(void *job, size_t first, size_t rows, size_t lane)
{
    const msda_job *j = (const msda_job *)job;
    size_t N = j->r.n, at = first * N;
    mtc_gemm(1, 0, rows, first + rows, N - first, 1, j->R + at + first, N,
             j->R + at, N, 0, j->G + at, N, block_work(j->crew, lane));
}

/* D2.  I + q^2 K has no eigenvalue below 1.  So it returns SINGULAR only if 1
 * is lost in the rounding of q^2 K. */
static mtc_status msda_inverse(mtc_context *ctx, msda_job *j)
{
    size_t N = j->r.n;
    mtc_real q = j->keep;
    for (size_t i = 0; i < N; i++)
        for (size_t k = 0; k <= i; k++)
            j->K[i * N + k] = q * q * j->K[i * N + k] + (i == k);
    MTC_TRY(mtc_cholesky(N, j->K, N, j->crew.work));
    MTC_ZERO(j->R, N * N);
    MTC_TRY(block_each(ctx, &j->crew, N, msda_root_columns, j));
    MTC_TRY(block_each(ctx, &j->crew, N, msda_inverse_rows, j));
    mtc_mirror(0, N, j->G, N);
    return MTC_OK;
}

/* D3: rows of h = G X. */
static void msda_product_rows(void *job, size_t first, size_t rows, size_t lane)
{
    const msda_job *j = (const msda_job *)job;
    size_t N = j->r.n, d = j->r.d;
    const mtc_real *G = j->G + first * N;
    mtc_real *h = j->h + first * d;
    MTC_ZERO(h, rows * d);
    for (size_t s = 0; s < j->n_in; G += j->in[s++].n) {
        const mtc_data *X = &j->in[s];
        if (!mtc_is_csr(X)) {
            mtc_gemm(0, 0, rows, d, X->n, 1, G, N, X->values, X->stride, 1, h,
                     d, block_work(j->crew, lane));
            continue;
        }
        for (size_t i = 0; i < rows; i++)
            for (size_t k = 0; k < X->n; k++)
                mtc_data_axpy(X, k, G[i * N + k], h + i * d);
    }
}

/* D1 to D3: h = Xb W'.  May be SINGULAR. */
static mtc_status msda_dual(mtc_context *ctx, msda_job *j)
{
    size_t N = j->r.n, d = j->r.d;
    mtc_real *u = j->u, *m = j->m, *h = j->h, sum = 0;
    MTC_TRY(msda_kernel(ctx, j));                                 /* D1 */
    MTC_TRY(msda_inverse(ctx, j));                                /* D2 */
    MTC_TRY(block_each(ctx, &j->crew, N, msda_product_rows, j));  /* D3 */
    MTC_ZERO(m, d);
    for (size_t i = 0; i < N; i++) {
        u[i] = 0;
        for (size_t k = 0; k < N; k++)
            u[i] += j->G[i * N + k];
        sum += u[i];
        mtc_axpy(d, 1, h + i * d, m);
    }
    for (size_t f = 0; f < d; f++)
        m[f] /= sum;
    for (size_t s = 0, row = 0; s < j->n_in; s++)
        for (size_t i = 0; i < j->in[s].n; i++, row++) {
            const mtc_real *x = row_dense(&j->in[s], i, j->row);
            mtc_real *to = h + row * d;
            for (size_t f = 0; f < d; f++)
                to[f] = (x[f] - to[f] - (1 - u[row]) * m[f]) / j->keep + m[f];
        }
    return MTC_OK;
}

static void msda_tanh_rows(void *job, size_t first, size_t rows, size_t lane)
{
    msda_job *j = (msda_job *)job;
    (void)lane;
    for (size_t e = first * j->r.d; e < (first + rows) * j->r.d; e++)
        j->h[e] = mtc_tanh(j->h[e]);
}

static mtc_status msda_work(mtc_context *ctx, void *job)
{
    msda_job *j = (msda_job *)job;
    const mtc_msda_result *r = &j->r;
    size_t N = r->n, d = r->d;
    for (size_t i = 0; i < r->layers; i++) {
        j->h = r->h + i * N * d;
        mtc_status s = j->dual ? msda_dual(ctx, j) : msda_primal(ctx, j);
        if (s == MTC_SINGULAR)
            return mtc_refuse(ctx, s, "noise and ridge too small for the data");
        MTC_TRY(s);
        MTC_TRY(block_each(ctx, &j->crew, N, msda_tanh_rows, j));
        j->before = mtc_dense(N, d, j->h);
        j->in = &j->before;
        j->n_in = 1;
    }
    return MTC_OK;
}

/* With p = 0 and ridge = 0, Lambda is 0 and E[Q] = S may be singular.  A p that
 * is lost in 1 - p counts as 0.  Near 1, few digits of 1 - p are left. */
static mtc_status msda_check(mtc_context *ctx, const mtc_msda_options *o)
{
    int some = 1 - o->noise < 1 || o->ridge > 0;
    REQUIRE(in_range(o->ridge, 0, MTC_HUGE / 4), "ridge: need 0 or more");
    REQUIRE(in_range(o->noise, 0, MTC_BY_TYPE(0.999999, 0.999)),
            "noise: need 0..0.999999, in float 0..0.999");
    return require(ctx, some, "noise: need above 0 without a ridge");
}

/* Sets the sizes, and chooses the cheaper form: costs as above, over N d. */
static msda_job msda_of(const mtc_data *sets, size_t n_sets,
    const mtc_msda_options *o, size_t lanes)
{
    msda_job j = {.in = sets, .n_in = n_sets, .ridge = o->ridge,
                  .keep = 1 - o->noise,
                  .crew = {.stage = "shared features", .size = BLOCK_ROWS,
                           .lanes = lanes},
                  .r = {.n = count_samples(sets, n_sets), .d = sets[0].d,
                        .layers = o->layers}};
    mtc_real N = (mtc_real)j.r.n, d = (mtc_real)j.r.d;
    j.dual = d >= N || 3 * d + 7 * d * (d / N) / 3 > 3 * N + N * (N / d);
    return j;
}

static void msda_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    msda_job *j = (msda_job *)job;
    size_t N = j->r.n, d = j->r.d, d1 = mtc_add(d, 1), big = MTC_MAX(N, d1);
    size_t work = mtc_gemm_work(big, big, big);
    size_t pairs = j->dual ? gram_work(j->in, j->n_in) : 0;
    MTC_REALS(own, mtc_mul(j->r.layers, mtc_mul(N, d)), &j->r.h);
    if (j->r.layers == 0)
        return;
    MTC_REALS(tmp, d1, &j->scale, &j->row);
    if (j->dual) {
        MTC_REALS(tmp, mtc_mul(N, N), &j->K, &j->R);
        MTC_REALS(tmp, N, &j->u);
        MTC_REALS(tmp, d, &j->m);
        j->scaled = MTC_TAKE(tmp, j->n_in, mtc_data);
        j->G = j->K;
    } else {
        MTC_REALS(tmp, mtc_mul(d1, d1), &j->Q);
        MTC_REALS(tmp, mtc_mul(d1, d), &j->Wt);
    }
    block_layout(tmp, MTC_MAX(work, pairs), &j->crew);
}

mtc_msda_options mtc_msda_defaults(void)
{
    return (mtc_msda_options){.layers = 3, .noise = (mtc_real)0.5,
                              .ridge = (mtc_real)1e-5};
}

mtc_status mtc_msda(mtc_context *ctx, const mtc_data *sets, size_t n_sets,
    const mtc_msda_options *opt, mtc_msda_result *res)
{
    const mtc_msda_options *o = options_of(opt, msda);
    MTC_TRY(check_sets(ctx, sets, n_sets));
    MTC_TRY(msda_check(ctx, o));
    size_t N = count_samples(sets, n_sets);
    msda_job job = msda_of(sets, n_sets, o, block_lanes(ctx, N, BLOCK_ROWS,
                                                        mtc_mul(sets->d, N)));
    return job_result(ctx, msda_layout, msda_work, &job, res);
}

/* ==========================================================================
 * Chapter 12  Consistent similarities
 *
 * This is the second step of MTCFIR (chapter 16), [ZZL19] algorithm 3.  Two
 * samples of task t are alike if their cosines to every task agree; task s
 * counts by how related it is to t:
 *   min sum_ij A_ij M_ij + beta |M|^2,  M >= 0, columns sum to 1          (8)
 *   A_ij = sum_s alpha_ts |V_ts(i,:) - V_ts(j,:)|^2
 *
 *   Z_t   n_t x D    features of task t: X, h^1 .. h^layers side by side
 *   V_ts  n_t x n_s  cosines of the rows of Z_t and Z_s; 0 with a zero row
 *   alpha_ts  r.alpha        alpha_ts / alpha_tt  r.relatedness
 *   eps_t     r.threshold    M_t  r.M             l_t  r.neighbors
 *
 *   S1  V_ts of all pairs
 *   S2  eps_t = median over rows of the (l+1)-th largest of V_tt, itself
 *       counted;  alpha_ts = |V_ts >= eps_t| / (n_t n_s)                 (20)
 *   S3  A_ij = Gm_ii + Gm_jj - 2 Gm_ij,  Gm = sum_s alpha_ts V_ts V_ts'
 *   S4  column j of M: a_1..a_l are the l smallest A_ij, i != j, b the next;
 *       M_ij = (b - a_i) / (l b - sum a)                        (14, 16, 19)
 *       columns / their largest entry, then (M + M') / 2       (section 3.5)
 *
 * A is computed by the cheaper of two routes (costs in products and sums); an
 * option selects a third.  Every step works on the present pair, j->pair.
 *   by cosines    V is whole [N*N]: many features (text)     sum n_t^2 N
 *   by features   rows of Z have length 1;                   4 N D^2 +
 *                 Gm = Z_t (sum_s alpha_ts Z_s'Z_s) Z_t'       sum n_t^2 D
 *   by distances  A_ij = |x_i - x_j|^2; there is no S1 and no S2
 *
 * Deviation: eps is made of entries of V, so >= allows for rounding.  If l b =
 *   sum a (ties), the l lowest indices get 1/l each.  A sample is excluded from
 *   its own neighbors by its index, since a duplicate may sort before it.
 * ========================================================================== */

/* Rounding of a cosine, or of a cost over b; of a cost 0, over largest_g. */
#define SIM_TIE MTC_BY_TYPE(1e-10, 1e-5)
#define SIM_ZERO (256 * MTC_EPS * MTC_EPS)

/* Tasks t and s, and where their cosines are. */
typedef struct sim_pair {
    size_t t, s, n, m;       /* n = n_t, m = n_s */
    size_t row, column, ld;  /* their first samples among all N; ld of V */
    mtc_real *V;             /* V_ts, a part of the whole or made in A */
} sim_pair;

typedef struct sim_job {
    const mtc_data *sets;
    const mtc_real *h;         /* [layers*N*d], or NULL */
    size_t T, N, d, layers;
    size_t D;                  /* d (layers+1); 0 by distances */
    size_t most, cells;        /* largest n_t; sum n_t^2 */
    size_t M_room, list_room;  /* sum 2 l n_t for M; max l n_t for lists */
    int whole;                 /* by cosines: V is kept */
    mtc_consistent_options o;
    mtc_consistent_result r;
    size_t *M_row;             /* where the next M is stored */
    uint32_t *M_column;
    mtc_real *M_value;
    sim_pair pair;             /* the present one; a task twice in S3, S4 */
    block_crew crew;           /* its work is for gemm and Gram */

    mtc_real *norm;            /* S1: [N] 1 / |z_i|, or 0 */
    mtc_real *V;               /* S1 by cosines: [N*N], whole */
    mtc_real *Z, *C;           /* S1 by features: [N*D]; [T*D*D] C_t */
    mtc_real *key, *level;     /* S2: [lanes*most]; [most] see sim_levels */
    size_t *order;             /* S2, S4: [lanes*most] of key, of a row of A */
    mtc_real *C_sum, *B;       /* S3 by features: [D*D] [most*D] */
    pair_ws keys;              /* S3 by distances */
    mtc_real *A, *g;           /* S3: [most*most]; [most] Gm_ii */
    mtc_real largest_g;        /* S3: max Gm_ii; 0 by distances */
    knn_lists out, in;         /* S4: columns of M; rows of M */
} sim_job;

/* Makes tasks t and s the present pair. */
static void sim_set_pair(sim_job *j, size_t t, size_t s)
{
    sim_pair p = {.t = t, .s = s, .n = j->sets[t].n, .m = j->sets[s].n,
                  .row = count_samples(j->sets, t),
                  .column = count_samples(j->sets, s)};
    p.ld = j->whole ? j->N : p.m;
    p.V = j->whole ? j->V + p.row * p.ld + p.column : j->A;
    j->pair = p;
}

/* l of a task is given, or ceil(share n / k), [ZZL19] section 4.3.  A cut to
 * 1..n-2 leaves one sample for b; l is 1 if n <= 3. */
static size_t sim_neighbors(const sim_job *j, size_t t)
{
    size_t n = j->sets[t].n, most = n > 3 ? n - 2 : 1, l;
    if (j->o.neighbors_of != NULL) {
        l = j->o.neighbors_of[t];
    } else {
        size_t k = clusters_of(&j->o, t);
        mtc_real x = j->o.neighbor_share * (mtc_real)n / (mtc_real)k;
        l = x < (mtc_real)most ? (size_t)x : most;
        l += (mtc_real)l < x * (1 - 4 * MTC_EPS);  /* ceil, but for rounding */
    }
    return l < 1 ? 1 : MTC_MIN(l, most);
}

/* x^-1/2; 0 where x underflows. */
static mtc_real inverse_root(mtc_real x)
{
    return x >= MTC_TINY ? 1 / MTC_SQRT(x) : 0;
}

/* Z_t [n_t*D]: X and its rows of each layer of h [layers*N*d] side by side. */
static void join_features(const mtc_data *sets, size_t n_sets, size_t t,
    const mtc_real *h, size_t layers, mtc_real *Z)
{
    const mtc_data *X = &sets[t];
    size_t d = X->d, at = count_samples(sets, t);
    size_t N = count_samples(sets, n_sets);
    for (size_t i = 0; i < X->n; i++) {
        mtc_real *z = Z + i * (layers + 1) * d;
        row_copy(X, i, z);
        for (size_t b = 0; b < layers; b++)
            MTC_COPY(z + (b + 1) * d, h + (b * N + at + i) * d, d);
    }
}

/* ---- S1 and S3 by cosines ------------------------------------------------ */

/* S1: rows of Z Z' up to the diagonal. */
static void sim_cosines_products(void *job, size_t first, size_t rows,
    size_t lane)
{
    const sim_job *j = (const sim_job *)job;
    size_t N = j->N, d = j->d, columns = first + rows;
    void *work = block_work(j->crew, lane);
    block_gram(j->sets, j->T, first, rows, N, j->V, work);
    for (size_t b = 0; b < j->layers; b++) {
        const mtc_real *h = j->h + b * N * d;
        mtc_gemm(0, 1, rows, columns, d, 1, h + first * d, d, h, d, 1,
                 j->V + first * N, N, work);
    }
}

/* S1: all of V.  norm_i norm_k commutes: equal rows get equal cosines. */
static mtc_status sim_cosines_whole(mtc_context *ctx, sim_job *j)
{
    size_t N = j->N;
    MTC_TRY(block_each(ctx, &j->crew, N, sim_cosines_products, j));
    for (size_t i = 0; i < N; i++)
        j->norm[i] = inverse_root(j->V[i * N + i]);
    for (size_t i = 0; i < N; i++)
        for (size_t k = 0; k <= i; k++)
            j->V[i * N + k] *= j->norm[i] * j->norm[k];
    mtc_mirror(0, N, j->V, N);
    return MTC_OK;
}

/* S3: rows of Gm = sum_s alpha_ts V_ts V_ts' up to the diagonal. */
static void sim_cosines_gram(void *job, size_t first, size_t rows, size_t lane)
{
    const sim_job *j = (const sim_job *)job;
    size_t n = j->pair.n, N = j->N, columns = first + rows;
    const mtc_real *alpha = j->r.alpha + j->pair.t * j->T;
    const mtc_real *V = j->V + j->pair.row * N;
    for (size_t s = 0; s < j->T; s++) {
        mtc_gemm(0, 1, rows, columns, j->sets[s].n, alpha[s], V + first * N, N,
                 V, N, s > 0, j->A + first * n, n, block_work(j->crew, lane));
        V += j->sets[s].n;
    }
}

/* S3: A_ik from differences of cosines. */
static mtc_real sim_cosines_cost(const sim_job *j, size_t i, size_t k)
{
    size_t N = j->N;
    const mtc_real *alpha = j->r.alpha + j->pair.t * j->T;
    const mtc_real *V = j->V + j->pair.row * N;
    mtc_real sum = 0;
    for (size_t s = 0; s < j->T; s++) {
        sum += alpha[s] * sq_distance(j->sets[s].n, V + i * N, V + k * N);
        V += j->sets[s].n;
    }
    return sum;
}

/* ---- S1 to S3 by features ------------------------------------------------ */

/* S1: rows of C_t = Z_t'Z_t [D*D], and columns. */
static void sim_features_moments(void *job, size_t first, size_t rows,
    size_t lane)
{
    const sim_job *j = (const sim_job *)job;
    size_t D = j->D, columns = first + rows;
    const mtc_real *Z = j->Z + j->pair.row * D;
    mtc_real *C = j->C + (j->pair.t * D + first) * D;
    mtc_gemm(1, 0, rows, columns, j->pair.n, 1, Z + first, D, Z, D, 0, C, D,
             block_work(j->crew, lane));
    mtc_mirror(first, columns, C - first * D, D);
}

/* S1: Z, rows to length 1, and C_t of all tasks. */
static mtc_status sim_features_all(mtc_context *ctx, sim_job *j)
{
    size_t D = j->D;
    for (size_t t = 0; t < j->T; t++) {
        sim_set_pair(j, t, t);
        mtc_real *Z = j->Z + j->pair.row * D;
        join_features(j->sets, j->T, t, j->h, j->layers, Z);
        for (size_t i = 0; i < j->pair.n; i++) {
            mtc_real *norm = j->norm + j->pair.row + i;
            *norm = inverse_root(mtc_dot(D, Z + i * D, Z + i * D));
            for (size_t f = 0; f < D; f++)
                Z[i * D + f] *= *norm;
        }
        MTC_TRY(block_each(ctx, &j->crew, D, sim_features_moments, j));
    }
    return MTC_OK;
}

/* S2: rows of V_ts; of V_tt up to the diagonal, and columns. */
static void sim_features_cosines(void *job, size_t first, size_t rows,
    size_t lane)
{
    const sim_job *j = (const sim_job *)job;
    const sim_pair *p = &j->pair;
    size_t D = j->D, columns = p->s == p->t ? first + rows : p->m;
    mtc_gemm(0, 1, rows, columns, D, 1, j->Z + (p->row + first) * D, D,
             j->Z + p->column * D, D, 0, p->V + first * p->ld, p->ld,
             block_work(j->crew, lane));
    if (p->s == p->t)
        mtc_mirror(first, columns, p->V, p->ld);
}

/* S3: rows of B = Z sum_s alpha_ts C_s, and of Gm = B Z' up to the diagonal. */
static void sim_features_gram(void *job, size_t first, size_t rows, size_t lane)
{
    const sim_job *j = (const sim_job *)job;
    size_t n = j->pair.n, D = j->D, columns = first + rows;
    const mtc_real *Z = j->Z + j->pair.row * D;
    mtc_real *B = j->B + first * D;
    void *work = block_work(j->crew, lane);
    mtc_gemm(0, 0, rows, D, D, 1, Z + first * D, D, j->C_sum, D, 0, B, D, work);
    mtc_gemm(0, 1, rows, columns, D, 1, B, D, Z, D, 0, j->A + first * n, n,
             work);
}

/* S3: A_ik from differences of rows of Z and of B. */
static mtc_real sim_features_cost(const sim_job *j, size_t i, size_t k)
{
    size_t D = j->D;
    const mtc_real *Z = j->Z + j->pair.row * D, *B = j->B;
    mtc_real sum = 0;
    for (size_t f = 0; f < D; f++)
        sum += (Z[i * D + f] - Z[k * D + f]) * (B[i * D + f] - B[k * D + f]);
    return sum;
}

/* ---- S3 by distances ----------------------------------------------------- */

/* S3: gets row i of A from pair_each. */
static void sim_distance_row(void *job, size_t i, mtc_real *D, size_t lane)
{
    sim_job *j = (sim_job *)job;
    (void)lane;
    MTC_COPY(j->A + i * j->pair.n, D, j->pair.n);
}

/* ---- S2: thresholds and relatedness -------------------------------------- */

/* S2: level_i is the (l+1)-th largest of row i of V_tt. */
static void sim_levels(void *job, size_t first, size_t rows, size_t lane)
{
    const sim_job *j = (const sim_job *)job;
    const sim_pair *p = &j->pair;
    size_t l = MTC_MIN(j->r.neighbors[p->t], p->n - 1);
    size_t *order = j->order + lane * j->most;
    mtc_real *key = j->key + lane * j->most;
    for (size_t i = first; i < first + rows; i++) {
        for (size_t k = 0; k < p->n; k++)
            key[k] = -p->V[i * p->ld + k];
        mtc_select_order(p->n, key, l + 1, order);
        j->level[i] = -key[order[l]];
    }
}

/* S2: eps_t, the median of the levels; rounding may leave cosines above 1. */
static mtc_status sim_threshold(mtc_context *ctx, sim_job *j)
{
    size_t n = j->pair.n, *order = j->order;
    MTC_TRY(block_each(ctx, &j->crew, n, sim_levels, j));
    mtc_select_order(n, j->level, n, order);
    mtc_real sum = j->level[order[(n - 1) / 2]] + j->level[order[n / 2]];
    j->r.threshold[j->pair.t] = MTC_MIN(MTC_MAX(sum / 2, -1), 1);
    return MTC_OK;
}

/* S2: alpha_ts and alpha_st (20), with room for the rounding of eps.  V_st is
 * V_ts', but eps is each task's own. */
static void sim_alpha(sim_job *j)
{
    const sim_pair *p = &j->pair;
    size_t T = j->T, of_t = 0, of_s = 0;
    mtc_real eps_t = j->r.threshold[p->t], eps_s = j->r.threshold[p->s];
    mtc_real n = (mtc_real)p->n, m = (mtc_real)p->m;
    for (size_t i = 0; i < p->n; i++)
        for (size_t k = 0; k < p->m; k++) {
            of_t += p->V[i * p->ld + k] >= eps_t - SIM_TIE;
            of_s += p->V[i * p->ld + k] >= eps_s - SIM_TIE;
        }
    j->r.alpha[p->t * T + p->s] = (mtc_real)of_t / n / m;
    j->r.alpha[p->s * T + p->t] = (mtc_real)of_s / n / m;
}

/* With `direct`, M_t = max(V_tt, 0), stored after the M of earlier tasks. */
static void sim_direct(sim_job *j)
{
    const sim_pair *p = &j->pair;
    j->r.M[p->t] = mtc_dense(p->n, p->n, j->M_value);
    for (size_t i = 0; i < p->n; i++)
        for (size_t k = 0; k < p->n; k++)
            *j->M_value++ = MTC_MIN(MTC_MAX(p->V[i * p->ld + k], 0), 1);
}

/* S2 for all pairs.  V_ss comes first, so that both thresholds are known when
 * two tasks are compared. */
static mtc_status sim_relate(mtc_context *ctx, sim_job *j)
{
    for (size_t s = 0; s < j->T; s++)
        for (size_t t = s + 1; t-- > 0;) {
            sim_set_pair(j, t, s);
            if (!j->whole)
                MTC_TRY(block_each(ctx, &j->crew, j->pair.n,
                                   sim_features_cosines, j));
            if (t == s)
                MTC_TRY(sim_threshold(ctx, j));
            if (t == s && j->o.direct)
                sim_direct(j);
            if (j->o.uniform)
                break;  /* every alpha is 1 */
            sim_alpha(j);
        }
    return MTC_OK;
}

/* ---- S3 and S4: costs, and columns of M ---------------------------------- */

/* S3: rows of A up to the diagonal, which overwrite Gm, and columns.  For equal
 * rows, the rounding error that is left is set to 0. */
static void sim_cost_rows(void *job, size_t first, size_t rows, size_t lane)
{
    const sim_job *j = (const sim_job *)job;
    size_t n = j->pair.n;
    (void)lane;
    for (size_t i = first; i < first + rows; i++)
        for (size_t k = 0; k <= i; k++) {
            mtc_real both = j->g[i] + j->g[k], a = both - 2 * j->A[i * n + k];
            if (a < PAIR_CANCEL * both)
                a = j->whole ? sim_cosines_cost(j, i, k)
                             : sim_features_cost(j, i, k);
            j->A[i * n + k] = a < SIM_ZERO * j->largest_g ? 0 : a;
        }
    mtc_mirror(first, first + rows, j->A, n);
}

/* S3: lower triangle of Gm, then A in its place: costs of a column of M (9). */
static mtc_status sim_costs(mtc_context *ctx, sim_job *j)
{
    size_t n = j->pair.n, size = j->D * j->D;
    const mtc_real *alpha = j->r.alpha + j->pair.t * j->T;
    if (j->whole) {
        MTC_TRY(block_each(ctx, &j->crew, n, sim_cosines_gram, j));
    } else {
        MTC_ZERO(j->C_sum, size);
        for (size_t s = 0; s < j->T; s++)
            mtc_axpy(size, alpha[s], j->C + s * size, j->C_sum);
        MTC_TRY(block_each(ctx, &j->crew, n, sim_features_gram, j));
    }
    j->largest_g = 0;
    for (size_t i = 0; i < n; i++) {
        j->g[i] = j->A[i * n + i];
        j->largest_g = MTC_MAX(j->g[i], j->largest_g);
    }
    return block_each(ctx, &j->crew, n, sim_cost_rows, j);
}

/* S4: if costs tie, the l lowest samples other than i that cost at most `most`
 * get 1 each; there are l, at least. */
static void sim_tied(size_t i, size_t l, const mtc_real *a, mtc_real most,
    size_t *index, mtc_real *value)
{
    for (size_t k = 0, z = 0; z < l; k++)
        if (k != i && a[k] <= most) {
            index[z] = k;
            value[z++] = 1;
        }
}

/* S4: column i of M as a list, from row i of A: M = lam - a / (2 beta) (14),
 * where 2 beta = l b - sum a (19) is the largest that leaves no more than l
 * positive, and lam = (1 + sum a / (2 beta)) / l (16) makes the sum 1.  If
 * n = 2, b is huge and M is 1.  Costs tie where only rounding tells them apart:
 * b = |u - v|^2 errs by eps |u - v| |u|, where |u|^2 is up to largest_g. */
static void sim_column(sim_job *j, size_t i, size_t l, size_t *near)
{
    size_t n = j->pair.n, *index = j->out.index + i * l;
    mtc_real *a = j->A + i * n, *value = j->out.value + i * l, sum = 0;
    a[i] = MTC_HUGE;  /* i is not its own neighbor */
    mtc_select_order(n, a, l + 1, near);
    for (size_t z = 0; z < l; z++)
        sum += a[near[z]];
    mtc_real b = a[near[l]], den = (mtc_real)l * b - sum;
    mtc_real blur = SIM_TIE * b + 16 * MTC_EPS * MTC_SQRT(b * j->largest_g);
    if (!(den > (mtc_real)l * blur)) {
        sim_tied(i, l, a, b + blur, index, value);
        return;
    }
    mtc_real largest = (b - a[near[0]]) / den;  /* of column i */
    for (size_t z = 0; z < l; z++) {
        index[z] = near[z];
        value[z] = (b - a[near[z]]) / den / largest;
    }
}

/* S4: columns of M from a block of rows of A, and where their lists start. */
static void sim_columns(void *job, size_t first, size_t rows, size_t lane)
{
    sim_job *j = (sim_job *)job;
    size_t l = j->pair.n > 1 ? j->r.neighbors[j->pair.t] : 0;
    for (size_t i = first; i < first + rows; i++) {
        sim_column(j, i, l, j->order + lane * j->most);
        j->out.start[i + 1] = (i + 1) * l;
    }
}

/* S4: M_t as CSR, stored after the M of earlier tasks. */
static mtc_status sim_matrix(mtc_context *ctx, sim_job *j)
{
    size_t n = j->pair.n;
    j->out.start[0] = 0;
    MTC_TRY(block_each(ctx, &j->crew, n, sim_columns, j));
    MTC_TRY(merge_rows(ctx, n, &j->out, &j->in, 1, j->M_row, j->M_column,
                       j->M_value));
    j->r.M[j->pair.t] = mtc_csr(n, n, j->M_row, j->M_column, j->M_value);
    j->M_column += j->M_row[n];
    j->M_value += j->M_row[n];
    j->M_row += n + 1;
    return MTC_OK;
}

/* On the route by distances, each task is related to itself only. */
static mtc_status sim_work(mtc_context *ctx, void *job)
{
    sim_job *j = (sim_job *)job;
    mtc_consistent_result *r = &j->r;
    size_t T = j->T;
    int alone = j->o.distances;
    MTC_ZERO(r->threshold, T);
    for (size_t t = 0; t < T; t++) {
        r->neighbors[t] = sim_neighbors(j, t);
        for (size_t s = 0; s < T; s++)
            r->alpha[t * T + s] = !alone || s == t;
    }
    if (!alone) {
        MTC_TRY(j->whole ? sim_cosines_whole(ctx, j)
                         : sim_features_all(ctx, j));  /* S1 */
        MTC_TRY(sim_relate(ctx, j));                   /* S2 */
    }
    for (size_t t = 0; t < T; t++) {
        const mtc_real *alpha = r->alpha + t * T;
        for (size_t s = 0; s < T; s++)
            r->relatedness[t * T + s] = alpha[s] / alpha[t];
        if (j->o.direct)
            continue;  /* M was made already */
        sim_set_pair(j, t, t);
        if (alone)
            pair_begin(&j->sets[t], 1, MTC_DISTANCE_SQEUCLIDEAN, &j->keys);
        MTC_TRY(alone ? pair_each(ctx, "distances", &j->keys, NULL,
                                  sim_distance_row, j)
                      : sim_costs(ctx, j));  /* S3 */
        MTC_TRY(sim_matrix(ctx, j));         /* S4 */
    }
    return MTC_OK;
}

/* ---- checks and memory --------------------------------------------------- */

static mtc_status sim_check(mtc_context *ctx, const mtc_data *sets, size_t T,
    const mtc_consistent_options *o)
{
    REQUIRE(o->neighbor_share > 0 && MTC_FINITE(o->neighbor_share),
            "neighbor_share: need above 0");
    REQUIRE(!o->distances || !o->direct, "distances: not with direct");
    for (size_t t = 0; t < T; t++)
        MTC_TRY(check_clusters(ctx, clusters_of(o, t), sets[t].n, t));
    return MTC_OK;
}

/* Sets the sizes, and chooses the route by the costs listed above. */
static sim_job sim_of(const mtc_context *ctx, const mtc_data *sets, size_t T,
    size_t layers, const mtc_consistent_options *o)
{
    sim_job j = {.sets = sets, .T = T, .d = sets[0].d, .layers = layers,
                 .N = count_samples(sets, T), .o = *o, .r = {.tasks = T},
                 .crew = {.stage = "similarities", .size = BLOCK_ROWS}};
    j.D = o->distances ? 0 : mtc_mul(j.d, mtc_add(layers, 1));
    for (size_t t = 0; t < T; t++) {
        size_t n = sets[t].n, nl = mtc_mul(n, sim_neighbors(&j, t));
        j.most = MTC_MAX(n, j.most);
        j.cells = mtc_add(j.cells, mtc_mul(n, n));
        j.M_room = mtc_add(j.M_room, mtc_mul(2, nl));
        j.list_room = MTC_MAX(nl, j.list_room);
    }
    mtc_real D = (mtc_real)j.D, N = (mtc_real)j.N, cells = (mtc_real)j.cells;
    j.whole = !o->distances && !(cells * N > 4 * N * D * D + cells * D);
    j.r.n = j.N;
    j.crew.lanes = block_lanes(ctx, j.N, BLOCK_ROWS, mtc_mul(j.most, j.d));
    return j;
}

/* The M_t are contiguous, and sparse or, with `direct`, dense.  Each route
 * takes its own scratch: V by cosines; Z, C, C_sum and B by features; keys by
 * distances. */
static void sim_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    sim_job *j = (sim_job *)job;
    mtc_consistent_result *r = &j->r;
    size_t T = j->T, N = j->N, n = j->most, big = MTC_MAX(N, j->D);
    size_t D = j->whole ? 0 : j->D;  /* no Z */
    size_t lanes = j->crew.lanes, gemm = mtc_gemm_work(big, big, big);
    size_t gram = gram_work(j->sets, T);
    int direct = j->o.direct;
    r->M = MTC_TAKE(own, T, mtc_data);
    MTC_SIZES(own, T, &r->neighbors);
    MTC_REALS(own, T, &r->threshold);
    MTC_REALS(own, mtc_mul(T, T), &r->alpha, &r->relatedness);
    MTC_SIZES(own, direct ? 0 : mtc_add(N, T), &j->M_row);
    j->M_column = MTC_TAKE(own, direct ? 0 : j->M_room, uint32_t);
    MTC_REALS(own, direct ? j->cells : j->M_room, &j->M_value);

    MTC_REALS(tmp, N, &j->norm);  /* S1 */
    MTC_REALS(tmp, j->whole ? mtc_mul(N, N) : 0, &j->V);
    MTC_REALS(tmp, mtc_mul(N, D), &j->Z);
    MTC_REALS(tmp, mtc_mul(T, mtc_mul(D, D)), &j->C);

    MTC_REALS(tmp, mtc_mul(lanes, n), &j->key);  /* S2 */
    MTC_REALS(tmp, n, &j->level);
    MTC_SIZES(tmp, mtc_mul(lanes, n), &j->order);

    MTC_REALS(tmp, mtc_mul(D, D), &j->C_sum);  /* S3 */
    MTC_REALS(tmp, mtc_mul(n, D), &j->B);
    MTC_REALS(tmp, j->whole && direct ? 0 : mtc_mul(n, n), &j->A);
    MTC_REALS(tmp, n, &j->g);
    lists_layout(tmp, n, direct ? 0 : j->list_room, &j->out);  /* S4 */
    lists_layout(tmp, n, direct ? 0 : j->list_room, &j->in);
    block_layout(tmp, MTC_MAX(gemm, gram), &j->crew);
    j->keys.crew.lanes = lanes;
    if (j->o.distances)
        pair_layout(tmp, n, gram, &j->keys);
}

/* ---- the call ------------------------------------------------------------ */

mtc_consistent_options mtc_consistent_defaults(void)
{
    return (mtc_consistent_options){.clusters = 2,
                                    .neighbor_share = (mtc_real)0.3};
}

mtc_status mtc_consistent(mtc_context *ctx, const mtc_data *tasks,
    size_t n_tasks, const mtc_consistent_options *opt,
    mtc_consistent_result *res)
{
    const mtc_consistent_options *o = options_of(opt, consistent);
    MTC_TRY(check_sets(ctx, tasks, n_tasks));
    MTC_TRY(sim_check(ctx, tasks, n_tasks, o));
    sim_job job = sim_of(ctx, tasks, n_tasks, 0, o);
    return job_result(ctx, sim_layout, sim_work, &job, res);
}

/* ==========================================================================
 * Chapter 13  Measures
 *
 * Two labelings of n samples are compared by their contingency table n_rc with
 * margins n_r (rows) and n_c (columns):
 *   accuracy  max over matchings r -> c of  sum_r n_rc / n      [GZ09] (21)
 *   purity    sum_c max_r n_rc / n        direct  share of equal labels
 *   nmi       I / sqrt(Ha Hb),   I = Ha + Hb - Hab              [GZ09] (22)
 *             n H = n log n - sum x log x over n_r, n_c or n_rc
 *   ari       (S - E) / (M - E),   S = sum_rc C(n_rc, 2),
 *             A = sum_r C(n_r, 2),  B = sum_c C(n_c, 2),
 *             E = A B / C(n, 2),  M = (A + B) / 2
 * The sums are double in the float build too, since a count may exceed the
 * integers that a float holds.  The other measures are defined below.
 *
 * References: Hubert & Arabie 1985 (ari); Rousseeuw 1987 (silhouette);
 *   Ben-David et al. 2007 (A-distance); [ZZ10] (partitions).
 * Scores take O(n^1.5 + R C) time for an R x C table, and that of the matching.
 * ========================================================================== */

/* ---- two labelings ------------------------------------------------------- */

/* Returns the index of the label among `found` distinct ones, by bisection. */
static size_t label_rank(int label, const int *distinct, size_t found)
{
    size_t low = 0, high = found;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (distinct[middle] < label)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

typedef struct table_job {
    size_t n;
    const int *a, *b;          /* [n] any ints */
    mtc_contingency_result r;
    int *sorted;               /* [n] */
    mtc_real *cost;            /* [rows*columns] -n_rc */
    void *work;                /* for mtc_assignment_in */
} table_job;

/* n_rc = |{i : a_i = r, b_i = c}|, and the matching that keeps most samples: an
 * assignment problem on -n_rc (exact up to 2^53, float 2^24). */
static mtc_status table_work(mtc_context *ctx, void *job)
{
    table_job *j = (table_job *)job;
    mtc_contingency_result *r = &j->r;
    size_t cells = r->rows * r->columns;
    distinct_labels(j->n, j->a, j->sorted);
    MTC_COPY(r->row_label, j->sorted, r->rows);
    distinct_labels(j->n, j->b, j->sorted);
    MTC_COPY(r->column_label, j->sorted, r->columns);
    MTC_ZERO(r->count, cells);
    for (size_t i = 0; i < j->n; i++) {
        size_t row = label_rank(j->a[i], r->row_label, r->rows);
        size_t col = label_rank(j->b[i], r->column_label, r->columns);
        r->count[row * r->columns + col]++;
    }
    for (size_t e = 0; e < cells; e++)
        j->cost[e] = -(mtc_real)r->count[e];
    return mtc_assignment_in(ctx, r->rows, r->columns, j->cost, r->columns,
                             r->match, NULL, NULL, NULL, j->work);
}

static void table_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    table_job *j = (table_job *)job;
    size_t rows = j->r.rows, columns = j->r.columns;
    j->sorted = MTC_TAKE(tmp, j->n, int);
    j->r.row_label = MTC_TAKE(own, rows, int);
    j->r.column_label = MTC_TAKE(own, columns, int);
    MTC_SIZES(own, mtc_mul(rows, columns), &j->r.count);
    MTC_SIZES(own, rows, &j->r.match);
    MTC_REALS(tmp, mtc_mul(rows, columns), &j->cost);
    j->work = mtc_take(tmp, mtc_assignment_work(rows, columns), 1);
}

/* The layout needs the numbers of distinct labels.  They are counted first, in
 * scratch that is free again before the job runs.  ctx->need does not depend on
 * the labels: it is that of n distinct labels on either side. */
mtc_status mtc_contingency(mtc_context *ctx, size_t n, const int *a,
    const int *b, mtc_contingency_result *res)
{
    table_job job = {.n = n, .a = a, .b = b};
    table_job bound = {.n = n, .r = {.rows = n, .columns = n}};
    mtc_stack own = {0}, tmp = {0};  /* these measure */
    mtc_block sorted;
    REQUIRE(n > 0 && a != NULL && b != NULL && res != NULL,
            "labels: need [n] of both, n 1 or more");
    mtc_status s = mtc_scratch(ctx, mtc_mul(n, sizeof(int)), &sorted);
    if (s == MTC_OK) {
        job.r.rows = distinct_labels(n, a, (int *)sorted.at);
        job.r.columns = distinct_labels(n, b, (int *)sorted.at);
        mtc_free(ctx, &sorted);
        s = job_result(ctx, table_layout, table_work, &job, res);
    }
    table_layout(&own, &tmp, &bound);
    if (ctx != NULL)
        ctx->need = mtc_add(own.peak, tmp.peak);
    return s;
}

typedef struct table_margin {
    double entropy, pairs;  /* n H in nats; sum C(x, 2) */
    double largest;         /* sum of the largest cells of the lines */
} table_margin;

/* Sums over the lines of a table, where x is the sum of a line.  A line begins
 * `step` after the one before and has `cells` counts, `stride` apart. */
static table_margin table_margin_of(const size_t *count, size_t n, size_t lines,
    size_t step, size_t cells, size_t stride)
{
    table_margin m = {0, 0, 0};
    double sum = 0;  /* of x log x */
    for (size_t l = 0; l < lines; l++) {
        size_t x = 0, most = 0;
        for (size_t c = 0; c < cells; c++) {
            size_t cell = count[l * step + c * stride];
            x += cell;
            most = MTC_MAX(cell, most);
        }
        sum += x > 0 ? (double)x * (double)mtc_log((mtc_real)x) : 0;
        m.pairs += (double)x * ((double)x - 1) / 2;
        m.largest += (double)most;
    }
    m.entropy = (double)n * (double)mtc_log((mtc_real)n) - sum;
    return m;
}

mtc_status mtc_score(mtc_context *ctx, size_t n, const int *truth,
    const int *predicted, mtc_scores *out)
{
    mtc_contingency_result t;
    MTC_TRY(mtc_contingency(ctx, n, truth, predicted, out ? &t : NULL));
    size_t R = t.rows, C = t.columns, matched = 0, equal = 0;
    table_margin a = table_margin_of(t.count, n, R, C, C, 1);       /* n_r */
    table_margin b = table_margin_of(t.count, n, C, 1, R, C);       /* n_c */
    table_margin ab = table_margin_of(t.count, n, R * C, 1, 1, 1);  /* n_rc */
    double nmi = (a.entropy + b.entropy - ab.entropy) /
                 sqrt(a.entropy * b.entropy);
    if (R == 1 || C == 1)
        nmi = R == C;  /* an entropy is 0: no quotient */
    double all = (double)n * ((double)n - 1) / 2, M = (a.pairs + b.pairs) / 2;
    double E = all > 0 ? a.pairs * b.pairs / all : 0;
    for (size_t r = 0; r < R; r++)
        matched += t.match[r] == MTC_NONE ? 0 : t.count[r * C + t.match[r]];
    for (size_t i = 0; i < n; i++)
        equal += truth[i] == predicted[i];
    out->accuracy = (mtc_real)((double)matched / (double)n);
    out->purity = (mtc_real)(b.largest / (double)n);
    out->direct = (mtc_real)((double)equal / (double)n);
    out->nmi = (mtc_real)(nmi < 0 ? 0 : MTC_MIN(nmi, 1));
    out->ari = M == E ? 1 : (mtc_real)((ab.pairs - E) / (M - E));
    mtc_free(ctx, &t.block);
    return MTC_OK;
}

/* ---- silhouette -------------------------------------------------------
 * s_i = (b - a) / max(a, b), where a is the mean distance of i to the others of
 * its cluster and b the least mean distance to another cluster.  s_i is 0 for
 * the only sample of a cluster, and if there is no other cluster. */

/* Reals between the sums of two lanes, so that these share no cache line. */
#define SILHOUETTE_APART ((size_t)32)

typedef struct silhouette_job {
    const mtc_data *X;
    const int *labels;
    size_t k;
    pair_ws pair;
    mtc_real *sum, *value;            /* lanes * [k] of a sample; [n] s */
    size_t *size;                     /* [k] samples of each cluster */
    mtc_real *values_out, *mean_out;  /* the caller's, each may be NULL */
} silhouette_job;

/* s_i; D [n] has the squared distances of i. */
static void silhouette_of(void *job, size_t i, mtc_real *D, size_t lane)
{
    silhouette_job *j = (silhouette_job *)job;
    size_t h = (size_t)j->labels[i];
    mtc_real a = 0, b = MTC_HUGE;
    mtc_real *sum = j->sum + lane * (j->k + SILHOUETTE_APART);
    MTC_ZERO(sum, j->k);
    for (size_t c = 0; c < j->X->n; c++)
        sum[j->labels[c]] += c == i ? 0 : MTC_SQRT(D[c]);
    for (size_t z = 0; z < j->k; z++) {
        size_t others = j->size[z] - (z == h);
        mtc_real mean = others > 0 ? sum[z] / (mtc_real)others : MTC_HUGE;
        if (z == h)
            a = mean;
        else if (mean < b)
            b = mean;
    }
    int is_zero = j->size[h] < 2 || b == MTC_HUGE || a == b;
    j->value[i] = is_zero ? 0 : (b - a) / MTC_MAX(a, b);
}

static mtc_status silhouette_work(mtc_context *ctx, void *job)
{
    silhouette_job *j = (silhouette_job *)job;
    size_t n = j->X->n;
    double total = 0;
    labels_used(n, j->labels, j->k, j->size);
    pair_begin(j->X, 1, MTC_DISTANCE_SQEUCLIDEAN, &j->pair);
    MTC_TRY(pair_each(ctx, "silhouette", &j->pair, NULL, silhouette_of, j));
    for (size_t i = 0; i < n; i++)
        total += (double)j->value[i];
    if (j->values_out != NULL)  /* no tick can cancel from here */
        MTC_COPY(j->values_out, j->value, n);
    if (j->mean_out != NULL)
        *j->mean_out = (mtc_real)total / (mtc_real)n;
    return MTC_OK;
}

static void silhouette_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    silhouette_job *j = (silhouette_job *)job;
    (void)own;
    pair_layout(tmp, j->X->n, mtc_data_work(j->X, j->X, 1), &j->pair);
    MTC_REALS(tmp, mtc_mul(j->pair.crew.lanes,
                           mtc_add(j->k, SILHOUETTE_APART)), &j->sum);
    MTC_SIZES(tmp, j->k, &j->size);
    MTC_REALS(tmp, j->X->n, &j->value);
}

mtc_status mtc_silhouette(mtc_context *ctx, const mtc_data *X,
    const int *labels, size_t k, mtc_real *values, mtc_real *mean)
{
    silhouette_job job = {.X = X, .labels = labels, .k = k,
                          .values_out = values, .mean_out = mean};
    MTC_TRY(mtc_data_check(ctx, X, MTC_NONE));
    MTC_TRY(check_labels(ctx, labels, X->n, k, MTC_NONE));
    job.pair.crew.lanes = pair_lanes(ctx, X, 1, X->n);
    return mtc_job_run(ctx, silhouette_layout, silhouette_work, &job);
}

/* ---- A-distance -------------------------------------------------------
 * This is 2 (1 - 2 err), where err is the held-out error of a classifier that
 * tells X from Y: logistic regression in two folds, the mean of four error
 * rates by fold and side.  Worse than chance counts as chance. */

typedef struct a_distance_job {
    mtc_data sets[2];
    mtc_data stacked;      /* X above Y, scaled */
    mtc_real *mean;        /* [d] for mean_sq_distance */
    mtc_real *weights;     /* [N] 0 for the fold held out */
    int *side, *guess;     /* [N] 0 for X, 1 for Y */
    mtc_logistic_options o;
    logistic_job fit;      /* `side` from `stacked` */
    mtc_real out;
} a_distance_job;

/* Adds half the error on the rows of one fold after a fit to the others.  Each
 * side has weight 1/2, however large the other is.  The fold of a row is the
 * top bit of Knuth's multiplicative hash, since i mod 2 would follow data that
 * alternate.  Rows 0 and 1 are in different folds. */
static mtc_status a_distance_fold(mtc_context *ctx, a_distance_job *j,
    size_t fold, mtc_real *error)
{
    size_t n = j->sets[0].n, N = j->stacked.n;
    size_t trained[2] = {0, 0}, wrong[2] = {0, 0};  /* of X, of Y */
    for (size_t i = 0; i < N; i++) {
        uint32_t row = (uint32_t)(i < n ? i : i - n);
        j->weights[i] = row * UINT32_C(2654435761) >> 31 != fold;
        trained[j->side[i]] += j->weights[i] > 0;
    }
    for (size_t i = 0; i < N; i++)
        j->weights[i] *= (mtc_real)0.5 / (mtc_real)trained[j->side[i]];
    MTC_TRY(logistic_work(ctx, &j->fit));
    MTC_TRY(mtc_logistic_assign(ctx, &j->stacked, &j->fit.r, j->guess, NULL));
    for (size_t i = 0; i < N; i++)
        wrong[j->side[i]] += j->weights[i] == 0 && j->guess[i] != j->side[i];
    for (size_t y = 0; y < 2; y++)
        *error += (mtc_real)wrong[y] /
                  (mtc_real)(j->sets[y].n - trained[y]) / 4;
    return MTC_OK;
}

/* The mean is subtracted from dense rows, as only the bias would have to learn
 * it.  All rows are scaled by one number to a mean squared distance of 2, so
 * that the ridge depends on neither unit nor origin.  Scaled by length, rows
 * far from 0 would hide their differences. */
static mtc_status a_distance_work(mtc_context *ctx, void *job)
{
    a_distance_job *j = (a_distance_job *)job;
    size_t N = j->stacked.n;
    mtc_real apart = mean_sq_distance(j->sets, 2, j->mean);
    mtc_real scale = MTC_SQRT(2 / apart), error = 0;
    stack_fill(j->sets, 2, &j->stacked);
    size_t stored = mtc_stored(&j->stacked);
    mtc_real *values = (mtc_real *)j->stacked.values;  /* ours */
    for (size_t i = 0; i < N && !mtc_is_csr(&j->stacked); i++)
        mtc_axpy(j->stacked.d, -1, j->mean, values + i * j->stacked.d);
    for (size_t e = 0; e < stored; e++)
        values[e] *= scale;
    for (size_t i = 0; i < N; i++)
        j->side[i] = i >= j->sets[0].n;
    for (size_t fold = 0; fold < 2; fold++)
        MTC_TRY(a_distance_fold(ctx, j, fold, &error));
    j->out = error < (mtc_real)0.5 ? 2 * (1 - 2 * error) : 0;
    return MTC_OK;
}

static void a_distance_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    a_distance_job *j = (a_distance_job *)job;
    size_t N = count_samples(j->sets, 2);
    (void)own;
    stack_layout(tmp, j->sets, 2, &j->stacked);
    MTC_REALS(tmp, j->stacked.d, &j->mean);
    MTC_REALS(tmp, N, &j->weights);
    j->side = MTC_TAKE(tmp, N, int);
    j->guess = MTC_TAKE(tmp, N, int);
    j->o = mtc_logistic_defaults();
    j->o.weights = j->weights;
    j->fit = (logistic_job){.X = &j->stacked, .labels = j->side, .o = &j->o};
    logistic_layout(tmp, tmp, &j->fit);  /* its result is scratch here */
}

mtc_status mtc_a_distance(mtc_context *ctx, const mtc_data *X,
    const mtc_data *Y, mtc_real *out)
{
    REQUIRE(X != NULL && Y != NULL && out != NULL, "need X, Y and out");
    a_distance_job job = {.sets = {*X, *Y}};
    MTC_TRY(check_sets(ctx, job.sets, 2));
    REQUIRE(X->n > 1 && Y->n > 1, "samples: need 2 or more of each");
    MTC_TRY(mtc_job_run(ctx, a_distance_layout, a_distance_work, &job));
    *out = job.out;
    return MTC_OK;
}

/* ---- complexity -------------------------------------------------------
 * This is the share of features j with |{i : x_ij > 0}| < t n [TSZX15].  A
 * feature that no sample has is rare too, unless t = 0. */

static mtc_real complexity_of(const mtc_data *X, mtc_real t, mtc_real *count)
{
    size_t rare = 0;
    MTC_ZERO(count, X->d);
    count_having(X, count);
    for (size_t c = 0; c < X->d; c++)
        rare += count[c] / (mtc_real)X->n < t;
    return (mtc_real)rare / (mtc_real)X->d;
}

mtc_status mtc_complexity(mtc_context *ctx, const mtc_data *X, mtc_real t,
    mtc_real *out)
{
    mtc_block work;
    MTC_TRY(mtc_data_check(ctx, X, MTC_NONE));
    REQUIRE(in_range(t, 0, MTC_HUGE) && out != NULL,
            "need t of 0 or more, and out");
    MTC_TRY(mtc_scratch(ctx, mtc_mul(X->d, sizeof(mtc_real)), &work));
    *out = complexity_of(X, t, (mtc_real *)work.at);
    return mtc_scratch_end(ctx, &work, MTC_OK);
}

/* ---- earth mover's distance between partitions ------------------------
 * d_M = min <W, D> with D_zl = d(u_z || v_l) of cluster means and the shares of
 * clusters as marginals [ZZ10] (5), (8).  Symmetric if the divergence is. */

typedef struct partition_job {
    mtc_data X[2];
    const int *labels[2];          /* [n] in 0..k-1 */
    size_t k[2];
    const mtc_divergence *div;
    mtc_real *mean[2], *share[2];  /* [k*d] [k] of the clusters */
    mtc_real *cost;                /* [k*k'] D */
    void *work;                    /* for mtc_emd_in */
    mtc_emd_info info;             /* its cost is d_M */
} partition_job;

/* The cost of an empty cluster is 0; no mass moves from it or to it. */
static mtc_status partition_work(mtc_context *ctx, void *job)
{
    partition_job *j = (partition_job *)job;
    size_t d = j->X[0].d;
    const size_t *k = j->k;
    for (int s = 0; s < 2; s++)
        mtc_data_means(&j->X[s], j->labels[s], k[s], j->mean[s], j->share[s]);
    for (size_t z = 0; z < k[0]; z++)
        for (size_t l = 0; l < k[1]; l++)
            j->cost[z * k[1] + l] = j->share[0][z] > 0 && j->share[1][l] > 0
                ? j->div->value(j->div->user, d, j->mean[0] + z * d,
                                j->mean[1] + l * d) : 0;
    return mtc_emd_in(ctx, k[0], k[1], j->cost, k[1], j->share[0], j->share[1],
                      NULL, NULL, NULL, NULL, &j->info, j->work);
}

static void partition_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    partition_job *j = (partition_job *)job;
    (void)own;
    for (int s = 0; s < 2; s++) {
        MTC_REALS(tmp, mtc_mul(j->k[s], j->X[s].d), &j->mean[s]);
        MTC_REALS(tmp, j->k[s], &j->share[s]);
    }
    MTC_REALS(tmp, mtc_mul(j->k[0], j->k[1]), &j->cost);
    j->work = mtc_take(tmp, mtc_emd_work(j->k[0], j->k[1]), 1);
}

mtc_status mtc_partition_emd(mtc_context *ctx, const mtc_data *X,
    const int *x_labels, size_t x_k, const mtc_data *Y, const int *y_labels,
    size_t y_k, const mtc_divergence *div, mtc_real *out)
{
    const mtc_divergence euclidean = mtc_sqeuclidean();
    REQUIRE(X != NULL && Y != NULL && out != NULL, "need X, Y and out");
    partition_job job = {.X = {*X, *Y}, .labels = {x_labels, y_labels},
                         .div = div != NULL ? div : &euclidean,
                         .k = {x_k, y_k}};
    MTC_TRY(check_sets(ctx, job.X, 2));
    for (size_t s = 0; s < 2; s++) {
        MTC_TRY(check_labels(ctx, job.labels[s], job.X[s].n, job.k[s], s));
        MTC_TRY(check_domain(ctx, &job.X[s], div, s));
    }
    MTC_TRY(mtc_job_run(ctx, partition_layout, partition_work, &job));
    *out = job.info.cost;
    return MTC_OK;
}

/* ==========================================================================
 * Chapter 14  LSSMTC and LSSTTC: one subspace shared by all tasks
 *
 * Every task is clustered in the input space, with centers of its own, and all
 * tasks together in a subspace W, with centers M that they share:
 *   min  lambda     sum_k |X_k - P_k M_k|^2                     [GZ09] (4)
 *      + (1-lambda) sum_k |X_k W - P_k M|^2,    P_k >= 0,  W'W = I
 *
 *   [GZ09]: samples are columns;  here they are rows;  variable
 *   X(k)  d x n_k           X_k = X(k)'  n_k x d     lss_data(j, k)
 *   P(k)  n_k x c           P_k = P(k)   n_k x c     r.P[k]
 *   M(k)  d x c             M_k = M(k)'  c x d       Mt_k holds M(k)
 *   W     d x l             W, the same  d x l       r.W
 *   M     l x c             M, its M'    c x l       r.M
 *   X, P  of all tasks      stacked in the order of the tasks, N rows
 *   m tasks k               T tasks t, s             j->T
 *
 *   Q_k = (P_k'P_k)^+       c x c    so that  M_k = Q_k F_k             (8)
 *   F_k = P_k'X_k           c x d
 *   Q   = (P'P)^+,  F = P'X = sum_k F_k,  Pi = P Q P' (never formed)
 *   Y   N x q   coordinates in which W is sought: X itself, or (mode pca)
 *               X V' with V [q*d] the top right singular vectors of X
 * Variables are named by their factors: PP_k is P_k'P_k of every task, PP is
 * P'P, PXW is P'X W, Ft is F'.
 *
 * This is algorithm 1 of the paper, entered at the last line of its loop:
 *   A1  labels by k-means; P_k = indicator + offset, since A5 cannot move a 0.
 *       For the same reason a class that no source has stays at 0
 *   A2  F_k, M_k (8) and Q of the present P
 *   A3  W = l smallest eigenvectors of Y'(I - Pi) Y                    (16)
 *   A4  M = Q P'X W                                                     (6)
 *   A5  for every task, against the same M and W: (14) = (18)
 *       P_k <- P_k o ((A+ + P_k B-) / (A- + P_k B+))^1/2,  and again A2
 *       A = lambda X_k M_k' + (1-lambda) X_k W M'              (below (11))
 *       B = lambda M_k M_k' + (1-lambda) M M'
 *       A+ = (|A| + A)/2, A- = (|A| - A)/2, B+ and B- alike    (above (13))
 *   A6  label = largest entry of the row of P (the paper has no rule), or by
 *       the nearest centers if the row is 0 or has fallen to LSS_FLOOR
 * (1) to (3) have a hard P; (5), (7), (9) and (15) are (4) in one block at a
 * time; (10) to (13) and (17) lead to (14); (21) and (22) are in chapter 13.
 * Algorithm 2, LSSTTC, minimizes (20), which is (19) with P relaxed: sources
 * have a fixed one-hot P_k, which A5 leaves alone, and no term in the input
 * space.  The objective is f(P, W): (4) or (20) with the best M (6), M_k (8).
 *
 * Deviation: (14) and (18) get a square root, which our copy of [GZ09] lacks.
 * Deviation: (.)^-1 is a pseudo-inverse; an empty cluster makes P'P singular.
 * Deviation: W begins with A3, or with start_W, not with any orthonormal W.
 * Deviation: clusters of different tasks are matched before A2 (lss_align).
 * Deviation: a row of P that fits no center falls like P^1.5, but must be able
 *   to rise again once centers have moved: no entry falls below LSS_FLOOR.
 * Deviation: where d >= N - c the smallest eigenvectors in (16) are an
 *   arbitrary basis of a null space.  Hence there are three modes:
 *     recon    (default) the shared term is sum_k |X_k - P_k M W'|^2, in f as
 *              well; A3 takes the top l eigenvectors of X' Pi X.  With l = c
 *              that spans Pi X: centers are shared, but no space is reduced
 *     pca      (16) within the top r singular vectors of X, not centered
 *     literal  (16) as printed; refused where it is not defined
 * Reference: [GZ09]; errata are in examples/experiments/gu-zhou-2009.md.  An
 *   iteration takes O(nnz c + d c^2) time in mode recon, and q^3 + d q c more
 *   in the others; memory is O(N c + T d c), and q (q + d) more in the others.
 * ========================================================================== */

#define LSS_FULL ((size_t)3000)  /* `full` of mtc_svd */
/* An eigenvalue below this share of the largest is 0. */
#define LSS_NULL MTC_BY_TYPE(1e-12, 1e-6)
#define LSS_ROUNDING (1000 * MTC_EPS)  /* error of f / |X|^2 */
#define LSS_FLOOR MTC_BY_TYPE(1e-60, 1e-12)  /* least entry of P but 0 */

typedef struct lss_job {
    const mtc_data *sources, *targets;
    const int *const *source_labels;  /* [n_sources] of [n_k] classes */
    size_t n_sources, n_targets;      /* 0 and T for LSSMTC */
    const mtc_lssmtc_options *o;
    int recon, pca;                   /* modes; neither: literal */
    size_t T, N, d, c, l, q;          /* q: width of Y */
    size_t *first;                    /* [T] number of a task's first row */
    mtc_real *norm, total;            /* [T] |X_k|^2; |X|^2 */

    mtc_lssmtc_result r;              /* the only place of W and M */
    int *labels;                      /* [N], that is r.labels of all tasks */
    mtc_real *P, *centers, *means;    /* [N*c] r.P; [T*c*d] r.centers, means */

    /* A1 */
    int pooled;                       /* 1: one k-means on all targets, */
    mtc_data stacked;                 /* whose rows are copied here */
    size_t lanes;
    mtc_lane *lane;                   /* [lanes] */
    size_t bytes;                     /* of k-means for a target, */
    unsigned char *memory;            /* [lanes*bytes] which is here */
    size_t *known;                    /* [c] samples of a class in sources */
    mtc_real *class_mean;             /* [c*d] their means */
    mtc_real *mean;                   /* [c*d] of the centers of tasks so far */
    match_ws match;                   /* its members serve A6, too */

    /* A2 */
    mtc_real *Ft_k, *Mt_k;            /* [T*d*c] F_k', M_k' */
    mtc_real *PP_k, *MM_k;            /* [T*c*c] P_k'P_k, M_k M_k' */
    mtc_real *Ft, *PP;                /* [d*c] F'; [c*c] P'P */
    mtc_real *Q, *root;               /* [c*c] the last made of Q_k and Q; its
                                         root */
    mtc_real *vectors, *values;       /* [c*c] [c] its eigenpairs */

    /* A3 of recon, all [c*c]: R is Q^1/2, W is F' mix */
    mtc_real *FF, *RFF, *RFFR, *Rv, *mix;

    /* A3 of the others */
    mtc_real *YY, *Sw, *Y_values;     /* [q*q] Y'Y, Sw; [q] eigenvalues */
    mtc_real *YPQ, *YP;               /* [q*c] Y'P Q; Y'P if pca */
    mtc_real *YW;                     /* [q*l] W in Y, if pca */
    mtc_svd svd;                      /* finds V, if pca */

    /* A4 to A6 */
    mtc_real *XW, *PXW;               /* [N*l] X W; [c*l] P'X W */
    mtc_real *A, *B;                  /* [N*c] [c*c] */
    mtc_real *before;                 /* [N*c] P before A5 */
    mtc_real *share;                  /* [c] of samples in each cluster */
    void *work;                       /* of svd, A2 to A5 */
} lss_job;

/* Task t: sources come first. */
static const mtc_data *lss_data(const lss_job *j, size_t t)
{
    return t < j->n_sources ? &j->sources[t] : &j->targets[t - j->n_sources];
}

/* ---- A1: labels to start from -------------------------------------------- */

/* A1 begins at the means of the classes, or at 0 if there are none. */
static void lss_source_means(const lss_job *j)
{
    size_t c = j->c, d = j->d;
    MTC_ZERO(j->known, c);
    MTC_ZERO(j->class_mean, c * d);
    for (size_t t = 0; t < j->n_sources; t++)
        for (size_t i = 0; i < j->sources[t].n; i++) {
            size_t z = (size_t)j->source_labels[t][i];
            mtc_data_axpy(&j->sources[t], i, 1, j->class_mean + z * d);
            j->known[z]++;
        }
    for (size_t z = 0; z < c; z++)
        for (size_t e = z * d; e < (z + 1) * d; e++)
            j->class_mean[e] /= (mtc_real)MTC_MAX(j->known[z], 1);
}

/* May a target have cluster z?  Not if it is a class that no source has. */
static int lss_is_known(const lss_job *j, size_t z)
{
    return j->n_sources == 0 || j->known[z] > 0;
}

/* The options with which A1 calls k-means on one target or all.  Given labels
 * stay: k-means with 0 iterations only finds their means. */
static mtc_kmeans_options lss_kmeans(const lss_job *j, size_t t)
{
    mtc_kmeans_options o = mtc_kmeans_defaults();
    o.clusters = j->c;
    o.restarts = j->o->restarts;
    if (j->o->start_labels != NULL) {
        o.start_labels = j->o->start_labels[t];
        o.iterations = 0;
    } else if (j->n_sources > 0) {
        o.start_centers = j->class_mean;
    }
    return o;
}

/* A1 finds labels of target t or, pooled, of all targets, whose labels are
 * contiguous, and writes their centers to r.centers. */
static mtc_status lss_target(mtc_context *ctx, void *job, size_t t, size_t lane)
{
    lss_job *j = (lss_job *)job;
    mtc_stack st = stack_within(j->memory + lane * j->bytes);
    mtc_kmeans_options o = lss_kmeans(j, t);
    const mtc_data *X = j->pooled ? &j->stacked : &j->targets[t];
    size_t task = j->n_sources + t;
    km_job km;
    km_within(&st, X, &o, &km);
    MTC_TRY(km_work(ctx, &km));
    MTC_COPY(j->r.labels[task],
             o.start_labels != NULL ? o.start_labels : km.r.labels, X->n);
    MTC_COPY(j->r.centers[task], km.r.centers, j->c * j->d);
    return MTC_OK;
}

/* A1, a deviation: M is shared, so cluster z has to mean the same in all tasks.
 * Clusters are renumbered so that their centers lie nearest to the mean centers
 * of earlier tasks.  With sources, clusters have the numbers of the classes. */
static mtc_status lss_align(mtc_context *ctx, lss_job *j)
{
    const mtc_lssmtc_options *o = j->o;
    int match = o->start_labels != NULL ? o->match_start : !j->pooled;
    size_t cd = j->c * j->d;
    mtc_real *mean = j->mean;
    if (!match || j->n_sources > 0)
        return MTC_OK;
    MTC_COPY(mean, j->r.centers[0], cd);
    for (size_t t = 1; t < j->T; t++) {
        mtc_real *u = j->r.centers[t];
        MTC_TRY(match_task(ctx, &j->match, mean, u, j->targets[t].n,
                           j->r.labels[t], &j->r.matched[t]));  /* see A6 */
        for (size_t e = 0; e < cd; e++)
            mean[e] += (u[e] - mean[e]) / (mtc_real)(t + 1);
    }
    return MTC_OK;
}

/* A1 for all tasks.  P of a source is 1 at its labels, and stays so (20). */
static mtc_status lss_start(mtc_context *ctx, lss_job *j)
{
    size_t c = j->c, runs = j->pooled ? 1 : j->n_targets;
    if (j->n_sources > 0)
        lss_source_means(j);
    if (j->pooled)
        stack_fill(j->targets, j->n_targets, &j->stacked);
    MTC_TRY(mtc_share(ctx, j->lanes, j->lane, runs, lss_target, j));
    MTC_TRY(lss_align(ctx, j));
    for (size_t t = 0; t < j->T; t++) {
        int fixed = t < j->n_sources;
        const int *h = fixed ? j->source_labels[t] : j->r.labels[t];
        mtc_real *P = j->r.P[t], offset = fixed ? 0 : j->o->offset;
        for (size_t i = 0; i < lss_data(j, t)->n; i++)
            for (size_t z = 0; z < c; z++)
                P[i * c + z] =
                    lss_is_known(j, z) ? (h[i] == (int)z) + offset : 0;
    }
    return MTC_OK;
}

/* ---- A2: centers --------------------------------------------------------- */

/* Writes C^+ of a symmetric C [c*c] >= 0, and its root, as sums of v v' / w:
 * a deviation, since [GZ09] have C^-1. */
static mtc_status lss_invert(lss_job *j, const mtc_real *C, mtc_real *inverse)
{
    size_t c = j->c;
    const mtc_real *v = j->vectors, *w = j->values;
    MTC_COPY(inverse, C, c * c);  /* symeig overwrites it */
    MTC_TRY(mtc_symeig_range_in(NULL, c, inverse, c, 0, c, j->values,
                                j->vectors, c, 1, j->work));
    MTC_ZERO(inverse, c * c);
    MTC_ZERO(j->root, c * c);
    for (size_t i = 0; i < c; i++) {
        if (!(w[i] > LSS_NULL * w[c - 1]))
            continue;  /* null: w ascends */
        for (size_t a = 0; a < c; a++)
            for (size_t b = 0; b < c; b++) {
                mtc_real vv = v[a * c + i] * v[b * c + i];
                inverse[a * c + b] += vv / w[i];
                j->root[a * c + b] += vv / MTC_SQRT(w[i]);
            }
    }
    return MTC_OK;
}

/* A2 finds F_k' = X_k'P_k and M_k' = F_k'Q_k (8) for tasks `from` on, whose P
 * has changed; then F', Q of P'P = sum_k P_k'P_k, and root = Q^1/2. */
static mtc_status lss_centers(lss_job *j, size_t from)
{
    size_t c = j->c, d = j->d, cc = c * c, dc = d * c;
    for (size_t t = from; t < j->T; t++) {
        const mtc_data *X = lss_data(j, t);
        const mtc_real *P = j->r.P[t];
        mtc_real *Ft = j->Ft_k + t * dc, *Mt = j->Mt_k + t * dc;
        mtc_real *PP = j->PP_k + t * cc, *MM = j->MM_k + t * cc;
        mtc_syrk(1, c, X->n, 1, P, c, 0, PP, c, j->work);
        mtc_data_transpose_times(X, c, P, c, Ft, c, j->work);
        MTC_TRY(lss_invert(j, PP, j->Q));
        mtc_gemm(0, 0, d, c, c, 1, Ft, c, j->Q, c, 0, Mt, c, j->work);
        mtc_syrk(1, c, d, 1, Mt, c, 0, MM, c, j->work);
    }
    MTC_ZERO(j->PP, cc);
    MTC_ZERO(j->Ft, dc);
    for (size_t t = 0; t < j->T; t++) {
        mtc_axpy(cc, 1, j->PP_k + t * cc, j->PP);
        mtc_axpy(dc, 1, j->Ft_k + t * dc, j->Ft);
    }
    return lss_invert(j, j->PP, j->Q);
}

/* ---- A3, A4: the subspace and its centers -------------------------------- */

/* Computes Y'Y once.  In mode literal it is X'X.  In mode pca V is found, and
 * Y'Y is the diagonal of the squared singular values; entries beyond the rank
 * of X are set above every eigenvalue of Y'(I - Pi) Y. */
static mtc_status lss_coordinates(mtc_context *ctx, lss_job *j)
{
    size_t q = j->q;
    if (j->recon)
        return MTC_OK;
    MTC_ZERO(j->YY, q * q);
    if (j->pca) {
        const mtc_real *square = j->svd.w;
        MTC_TRY(mtc_svd_in(ctx, &j->svd, j->work));
        for (size_t i = 0; i < q; i++)
            j->YY[i * q + i] = i < j->svd.rank ? square[i] : 2 * square[0];
        return MTC_OK;
    }
    for (size_t t = 0; t < j->T; t++) {
        const mtc_data *X = lss_data(j, t);
        for (size_t i = 0; i < X->n; i++) {
            size_t e0 = row_begin(X, i), e1 = row_end(X, i);
            for (size_t e = e0; e < e1; e++)  /* row e of x x' */
                mtc_data_axpy(X, i, X->values[e],
                    j->YY + entry_column(X, e0, e) * q);
        }
    }
    return MTC_OK;
}

/* A3 of pca and literal, [GZ09] (16): the l smallest eigenvectors of
 *   Sw = Y'(I - Pi) Y = Y'Y - (Y'P Q) P'Y,   q x q.
 * In mode pca Y'P = V F', and W is V' times what is found. */
static mtc_status lss_smallest(lss_job *j)
{
    size_t c = j->c, d = j->d, l = j->l, q = j->q;
    mtc_real *YP = j->pca ? j->YP : j->Ft, *YPQ = j->YPQ, *Sw = j->Sw;
    mtc_real *V = j->svd.V, *W = j->r.W, *YW = j->pca ? j->YW : W;
    if (j->pca)
        mtc_gemm(0, 0, q, c, d, 1, V, d, j->Ft, c, 0, YP, c, j->work);
    MTC_COPY(Sw, j->YY, q * q);
    mtc_gemm(0, 0, q, c, c, 1, YP, c, j->Q, c, 0, YPQ, c, j->work);
    mtc_gemm(0, 1, q, q, c, -1, YPQ, c, YP, c, 1, Sw, q, j->work);
    MTC_TRY(mtc_symeig_range_in(NULL, q, Sw, q, 0, l, j->Y_values, YW, l,
                                1, j->work));
    if (j->pca)
        mtc_gemm(1, 0, d, l, q, 1, V, d, YW, l, 0, W, l, j->work);
    j->r.subspace = j->pca && j->svd.rank < l ? j->svd.rank : l;
    return MTC_OK;
}

/* A3 of recon: the l largest eigenvectors of X' Pi X.  With R = Q^1/2
 *   X' Pi X = (F'R)(F'R)',   so that  W = F'R v / sqrt(w)
 * for the eigenpairs (w, v) of R F F' R, c x c.  Columns of small w hold the
 * rounding of large ones: QR makes them orthonormal. */
static mtc_status lss_largest(lss_job *j)
{
    size_t c = j->c, d = j->d, l = j->l, found = 0;
    mtc_real *R = j->root, *v = j->vectors, *w = j->values;
    mtc_syrk(1, c, d, 1, j->Ft, c, 0, j->FF, c, j->work);
    mtc_gemm(0, 0, c, c, c, 1, R, c, j->FF, c, 0, j->RFF, c, j->work);
    mtc_gemm(0, 0, c, c, c, 1, j->RFF, c, R, c, 0, j->RFFR, c, j->work);
    MTC_TRY(mtc_symeig_range_in(NULL, c, j->RFFR, c, 0, c, w, v, c, 1,
                                j->work));
    mtc_gemm(0, 0, c, c, c, 1, R, c, v, c, 0, j->Rv, c, j->work);
    MTC_ZERO(j->mix, c * l);
    for (size_t at = c; at > c - l && w[at - 1] > LSS_NULL * w[c - 1]; at--) {
        for (size_t a = 0; a < c; a++)  /* w ascends */
            j->mix[a * l + found] = j->Rv[a * c + at - 1] / MTC_SQRT(w[at - 1]);
        found++;
    }
    mtc_gemm(0, 0, d, l, c, 1, j->Ft, c, j->mix, l, 0, j->r.W, l, j->work);
    j->r.subspace = found;
    return mtc_qr(d, found, j->r.W, l, NULL, 0, j->work);
}

/* A2 to A4 after P of tasks `from` on has changed; A4 is M = Q P'X W (6).
 * start_W, unless NULL, replaces A3; it may have few digits.  W and M are one
 * block, as (16) is (15) with M eliminated: a new W with the old M could raise
 * f. */
static mtc_status lss_fit(lss_job *j, size_t from, const mtc_real *start_W)
{
    size_t c = j->c, d = j->d, l = j->l;
    mtc_real *W = j->r.W, *XW = j->XW, *PXW = j->PXW;
    MTC_TRY(lss_centers(j, from));  /* A2 */
    if (start_W != NULL) {
        MTC_COPY(W, start_W, d * l);
        MTC_TRY(mtc_qr(d, l, W, l, NULL, 0, j->work));
        j->r.subspace = l;
    } else {
        MTC_TRY(j->recon ? lss_largest(j) : lss_smallest(j));  /* A3 */
    }
    for (size_t t = 0; t < j->T; t++)
        mtc_data_times(lss_data(j, t), l, W, l, XW + j->first[t] * l, l,
                       j->work);
    mtc_gemm(1, 0, c, l, j->N, 1, j->P, c, XW, l, 0, PXW, l, j->work);
    mtc_gemm(0, 0, c, l, c, 1, j->Q, c, PXW, l, 0, j->r.M, l, j->work);
    return MTC_OK;
}

/* ---- A5: partitions ------------------------------------------------------ */

/* A [n*c] and B [c*c] of A5 for task t; the gradient of f in P_k is
 * 2 (P_k B - A), [GZ09] (11). */
static void lss_gradient(lss_job *j, size_t t)
{
    size_t c = j->c, l = j->l, n = lss_data(j, t)->n;
    const mtc_real *Mt = j->Mt_k + t * j->d * c, *M = j->r.M;
    const mtc_real *XW = j->XW + j->first[t] * l;
    mtc_real lambda = j->o->lambda, *A = j->A, *B = j->B;
    mtc_data_times(lss_data(j, t), c, Mt, c, A, c, j->work);
    mtc_gemm(0, 1, n, c, l, 1 - lambda, XW, l, M, l, lambda, A, c, j->work);
    MTC_COPY(B, j->MM_k + t * c * c, c * c);
    mtc_syrk(0, c, l, 1 - lambda, M, l, lambda, B, c, j->work);
}

/* A5 for task t: [GZ09] (14), with a square root, a deviation.  The denominator
 * can be 0: for a center at 0, where the numerator is 0 as well, and if P_iz is
 * 0, which no factor changes.  Then the factor is 1.  Adding an epsilon to the
 * denominator would break the descent. */
static void lss_update(lss_job *j, size_t t)
{
    size_t c = j->c, n = lss_data(j, t)->n;
    const mtc_real *A = j->A, *B = j->B;
    const mtc_real *old = j->before + j->first[t] * c;
    mtc_real *P = j->r.P[t];
    lss_gradient(j, t);
    for (size_t i = 0; i < n; i++, A += c, P += c, old += c)
        for (size_t z = 0; z < c; z++) {
            mtc_real up = MTC_MAX(A[z], 0);     /* A+ + P B- */
            mtc_real down = MTC_MAX(-A[z], 0);  /* A- + P B+ */
            for (size_t y = 0; y < c; y++) {
                mtc_real b = old[y] * B[y * c + z];
                up += MTC_MAX(-b, 0);
                down += MTC_MAX(b, 0);
            }
            mtc_real p = down > 0 ? old[z] * MTC_SQRT(up / down) : old[z];
            P[z] = p > 0 ? MTC_MAX(p, LSS_FLOOR) : 0;
        }
}

/* ---- the objective ------------------------------------------------------- */

/* |X - P M|^2 from |X|^2, fit = <F, M> and model = <P'P, M M'>, or 0 if
 * rounding takes it below 0. */
static mtc_real lss_rest(mtc_real square, mtc_real fit, mtc_real model)
{
    mtc_real rest = (model - fit) + (square - fit);
    return rest < 0 ? 0 : rest;
}

/* f(P, W): [GZ09] (4), or (20), where only the targets have the first term.
 * lss_rest is right for M_k as it was computed; |X_k|^2 - <F_k, M_k> would be
 * right for the exact (8), which M_k misses if P_k'P_k is nearly singular.
 * |X W - P M|^2 is summed by rows: a difference of large sums would round. */
static mtc_real lss_objective(const lss_job *j)
{
    size_t c = j->c, cc = c * c, dc = j->d * c, l = j->l;
    mtc_real lambda = j->o->lambda, sum = 0, *M = j->r.M;
    double shared = 0;
    for (size_t t = j->n_sources; t < j->T; t++) {
        mtc_real fit = mtc_dot(dc, j->Ft_k + t * dc, j->Mt_k + t * dc);
        mtc_real model = mtc_dot(cc, j->PP_k + t * cc, j->MM_k + t * cc);
        sum += lambda * lss_rest(j->norm[t], fit, model);
    }
    if (j->recon) {
        mtc_real fit = mtc_dot(c * l, j->PXW, M), model = 0;
        for (size_t a = 0; a < c; a++)
            for (size_t b = 0; b < c; b++)
                model += j->PP[a * c + b] * mtc_dot(l, M + a * l, M + b * l);
        return sum + (1 - lambda) * lss_rest(j->total, fit, model);
    }
    for (size_t i = 0; i < j->N; i++)
        for (size_t a = 0; a < l; a++) {
            mtc_real left = j->XW[i * l + a];
            for (size_t z = 0; z < c; z++)
                left -= j->P[i * c + z] * M[z * l + a];
            shared += (double)(left * left);
        }
    return sum + (1 - lambda) * (mtc_real)shared;
}

/* ---- A6: labels, and how the tasks relate -------------------------------- */

/* The center nearest to row i, in the input space and in the subspace, at
 * const - 2 A_iz + B_zz. */
static size_t lss_nearest(const lss_job *j, size_t i)
{
    size_t c = j->c, best = 0;
    mtc_real least = MTC_HUGE;
    for (size_t z = 0; z < c; z++) {
        mtc_real far = j->B[z * c + z] - 2 * j->A[i * c + z];
        if (lss_is_known(j, z) && far < least) {
            best = z;
            least = far;
        }
    }
    return best;
}

/* A6 for task t: r.centers, r.labels and r.means.  New samples go to the
 * nearest mean, not center, as the size of M_k depends on that of P.  An empty
 * cluster gets a mean beyond all values, so that no row is nearest to it. */
static void lss_label(lss_job *j, size_t t)
{
    const mtc_data *X = lss_data(j, t);
    size_t c = j->c, n = X->n;
    const mtc_real *P = j->r.P[t];
    int *labels = j->r.labels[t];
    lss_gradient(j, t);
    for (size_t i = 0; i < n; i++) {
        size_t z = argmax(c, P + i * c);
        if (!(P[i * c + z] > LSS_FLOOR))
            z = lss_nearest(j, i);
        labels[i] = (int)z;
    }
    j->r.k_effective[t] = labels_used(n, labels, c, j->match.members);
    transpose(j->d, c, j->Mt_k + t * j->d * c, j->r.centers[t]);
    mtc_data_means(X, labels, c, j->r.means[t], j->share);
    for (size_t e = 0; e < c * j->d; e++)
        if (j->share[e / j->d] == 0)
            j->r.means[t][e] = MTC_MOST;
}

/* A6 for all tasks.  Relates tasks by M_k.  Then it compares their numbers with
 * those of task 0 by the means, because sharing draws the M_k together.  An
 * empty cluster has no match. */
static void lss_finish(lss_job *j)
{
    size_t T = j->T, c = j->c, d = j->d;
    mtc_lssmtc_result *r = &j->r;
    for (size_t t = 0; t < T; t++)
        lss_label(j, t);
    for (size_t t = 0; t < T; t++)
        for (size_t s = 0; s < T; s++)
            r->relatedness[t * T + s] =
                match_alike(c, d, 1, r->centers[t], r->centers[s],
                                &r->matched[s]);
    for (size_t t = 0; t < T; t++) {
        match_alike(c, d, 1, r->means[0], r->means[t], &r->matched[t]);
        r->matched[t] &= t == 0 ||
                         (r->k_effective[t] == c && r->k_effective[0] == c);
    }
}

/* ---- the method ---------------------------------------------------------- */

/* Finds where each task is in the result, |X_k|^2 and |X|^2. */
static void lss_tasks(lss_job *j)
{
    size_t at = 0;
    for (size_t t = 0; t < j->T; t++) {
        const mtc_data *X = lss_data(j, t);
        j->first[t] = at;
        j->r.labels[t] = j->labels + at;
        j->r.P[t] = j->P + at * j->c;
        j->r.centers[t] = j->centers + t * j->c * j->d;
        j->r.means[t] = j->means + t * j->c * j->d;
        j->norm[t] = squared_norm(X);
        j->total += j->norm[t];
        at += X->n;
    }
}

/* Algorithms 1 and 2.  start_W, if given, is W until the first A5.  f is what
 * is left of |X|^2, so a rise within the rounding of |X|^2 does not count.  If
 * P'P is nearly singular, rounding can make f rise by more than the proof of
 * (18) allows: then the step is undone, and the run ends. */
static mtc_status lss_work(mtc_context *ctx, void *job)
{
    lss_job *j = (lss_job *)job;
    const mtc_lssmtc_options *o = j->o;
    mtc_real *f = j->r.objective;
    size_t cells = j->N * j->c, from = j->n_sources, it = 0;
    lss_tasks(j);
    MTC_TRY(lss_start(ctx, j));  /* A1 */
    MTC_TRY(lss_coordinates(ctx, j));
    MTC_TRY(lss_fit(j, 0, o->start_W));  /* A2 to A4 */
    f[0] = lss_objective(j);
    while (it < o->iterations && !j->r.converged) {
        MTC_TRY(mtc_tick(ctx, "lssmtc", it, o->iterations));
        MTC_COPY(j->before, j->P, cells);
        for (size_t t = from; t < j->T; t++)
            lss_update(j, t);             /* A5 */
        MTC_TRY(lss_fit(j, from, NULL));  /* A2 to A4 */
        f[it + 1] = lss_objective(j);
        if (!(f[it + 1] - f[it] <= LSS_ROUNDING * j->total)) {
            MTC_COPY(j->P, j->before, cells);
            MTC_TRY(lss_fit(j, from, it == 0 ? o->start_W : NULL));
            break;
        }
        f[it + 1] = f[it + 1] <= f[it] ? f[it + 1] : f[it];
        j->r.converged = o->tolerance > 0 &&
                         f[it] - f[it + 1] <= o->tolerance * f[it];
        it++;
    }
    j->r.iterations = it;
    lss_finish(j);  /* A6 */
    return MTC_OK;
}

/* ---- checks and memory --------------------------------------------------- */

static mtc_status lss_check(mtc_context *ctx, const lss_job *j)
{
    const mtc_lssmtc_options *o = j->o;
    size_t l = o->subspace > 0 ? o->subspace : j->c;
    for (size_t t = 0; t < j->n_targets; t++) {
        size_t n = j->targets[t].n, task = j->n_sources + t;
        MTC_TRY(check_clusters(ctx, j->c, n, task));
        if (o->start_labels != NULL)
            MTC_TRY(check_labels(ctx, o->start_labels[t], n, j->c, task));
    }
    REQUIRE(in_range(o->lambda, 0, 1), "lambda: need 0..1");
    REQUIRE((unsigned)o->mode <= MTC_SUBSPACE_LITERAL,
            "mode: need one of MTC_SUBSPACE_*");
    REQUIRE((unsigned)o->start <= MTC_START_POOLED,
            "start: need one of MTC_START_*");
    REQUIRE(!j->pca || o->rank > 0, "rank: need 1 or more");
    REQUIRE(in_range(o->offset, 0, 10), "offset: need 0..10");
    REQUIRE(in_range(o->tolerance, 0, MTC_HUGE), "tolerance: need 0 or more");
    REQUIRE(o->restarts > 0, need_restarts);
    if (o->mode == MTC_SUBSPACE_LITERAL)  /* X'(I - Pi)X has rank <= N - c */
        REQUIRE(mtc_add(j->d, j->c) < j->N,
                "mode: literal needs more samples than features and clusters; "
                "try recon or pca");
    if (o->start_W == NULL)
        return MTC_OK;
    mtc_data W = mtc_dense(j->d, l, o->start_W);
    REQUIRE(j->l == l, "start_W: wider than the subspace can be");
    return mtc_data_sound(ctx, &W, MTC_NONE);
}

/* Adds the sizes to a job that has data and options.  l is cut to what the mode
 * can find: in mode recon to c, the rank of Pi X. */
static lss_job lss_of(const mtc_context *ctx, lss_job j)
{
    const mtc_lssmtc_options *o = j.o;
    size_t c = o->clusters;
    j.T = j.n_sources + j.n_targets;
    j.N = mtc_add(count_samples(j.sources, j.n_sources),
                   count_samples(j.targets, j.n_targets));
    j.d = j.targets[0].d;
    j.c = c;
    j.recon = o->mode == MTC_SUBSPACE_RECON;
    j.pca = o->mode == MTC_SUBSPACE_PCA;
    j.pooled = o->start == MTC_START_POOLED && j.n_sources == 0 &&
                o->start_labels == NULL;
    j.q = j.d;  /* Y = X but for pca, where r < N - c */
    if (j.pca) {
        size_t most = j.N > c + 1 ? j.N - c - 1 : 1;
        j.q = MTC_MIN(j.d, MTC_MIN(o->rank, most));
    }
    j.l = o->subspace > 0 ? o->subspace : c;
    if (j.recon)
        j.l = MTC_MIN(j.l, c);
    j.l = MTC_MIN(j.l, j.q);
    j.lanes = mtc_lanes(ctx, j.pooled ? 1 : j.n_targets,
                         mtc_mul(mtc_mul(j.N, c), j.d));
    j.r = (mtc_lssmtc_result){.tasks = j.T, .clusters = c, .d = j.d,
                               .width = j.l, .lambda = o->lambda};
    return j;
}

/* Bytes of work for the svd, and the products and eigenproblems of A2 to A5. */
static size_t lss_work_bytes(const lss_job *j)
{
    size_t c = j->c, q = j->q, wide = MTC_MAX(c, j->l), most = 0;
    size_t rows = MTC_MAX(j->N, j->d), tall = mtc_add(q, wide);
    const size_t need[] = {
        mtc_gemm_work(rows, tall, tall),  /* V'W, F'Q, Y'PQ */
        mtc_gemm_work(tall, wide, rows),  /* V F', P'X W, P'P */
        mtc_symeig_range_work(c, c, 1),   /* P'P */
        mtc_qr_work(j->d, j->l),          /* W */
        j->recon ? 0 : mtc_symeig_range_work(q, j->l, 1),
        j->pca ? mtc_svd_work(&j->svd) : 0};
    for (size_t e = 0; e < sizeof need / sizeof *need; e++)
        most = MTC_MAX(need[e], most);
    for (size_t t = 0; t < j->T; t++) {
        size_t bytes = mtc_data_work(lss_data(j, t), NULL, tall);
        most = MTC_MAX(bytes, most);
    }
    return most;
}

static void lss_layout_result(mtc_stack *own, lss_job *j)
{
    mtc_lssmtc_result *r = &j->r;
    size_t T = j->T, N = j->N, c = j->c, d = j->d, l = j->l;
    r->labels = MTC_TAKE(own, T, int *);
    r->P = MTC_TAKE(own, T, mtc_real *);
    r->centers = MTC_TAKE(own, T, mtc_real *);
    r->means = MTC_TAKE(own, T, mtc_real *);
    r->matched = MTC_TAKE(own, T, int);
    j->labels = MTC_TAKE(own, N, int);
    MTC_REALS(own, mtc_mul(N, c), &j->P);
    MTC_REALS(own, mtc_mul(T, mtc_mul(c, d)), &j->centers, &j->means);
    MTC_REALS(own, mtc_mul(d, l), &r->W);
    MTC_REALS(own, mtc_mul(c, l), &r->M);
    MTC_REALS(own, mtc_add(j->o->iterations, 1), &r->objective);
    MTC_REALS(own, mtc_mul(T, T), &r->relatedness);
    MTC_SIZES(own, T, &r->k_effective);
}

/* Memory of A1, which the later steps use as work. */
static void lss_layout_start(mtc_stack *tmp, lss_job *j)
{
    mtc_stack one = stack_within(NULL);
    mtc_kmeans_options o = lss_kmeans(j, 0);
    mtc_data X = mtc_shape(1, j->d, 1);  /* CSR, which takes more */
    km_job km;
    for (size_t t = 0; t < j->n_targets; t++)
        X.n = MTC_MAX(X.n, j->targets[t].n);
    MTC_REALS(tmp, mtc_mul(j->c, j->d),
              j->n_sources > 0 ? &j->class_mean : &j->mean);
    if (j->pooled) {
        stack_layout(tmp, j->targets, j->n_targets, &j->stacked);
        X.n = j->stacked.n;
    }
    km_within(&one, &X, &o, &km);
    j->bytes = one.peak;
    j->memory = MTC_TAKE(tmp, mtc_mul(j->lanes, j->bytes), unsigned char);
}

static void lss_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    lss_job *j = (lss_job *)job;
    size_t T = j->T, N = j->N, c = j->c, d = j->d, l = j->l, q = j->q;
    size_t cc = mtc_mul(c, c), Y = j->recon ? 0 : q;
    lss_layout_result(own, j);
    MTC_SIZES(tmp, T, &j->first);
    MTC_SIZES(tmp, j->n_sources > 0 ? c : 0, &j->known);
    j->lane = MTC_TAKE(tmp, j->lanes, mtc_lane);
    MTC_REALS(tmp, T, &j->norm);
    MTC_REALS(tmp, c, &j->values, &j->share);
    MTC_REALS(tmp, cc, &j->PP, &j->Q, &j->root, &j->vectors, &j->B);
    MTC_REALS(tmp, cc, &j->FF, &j->RFF, &j->RFFR, &j->Rv, &j->mix);
    MTC_REALS(tmp, mtc_mul(T, cc), &j->PP_k, &j->MM_k);
    MTC_REALS(tmp, mtc_mul(d, c), &j->Ft);
    MTC_REALS(tmp, mtc_mul(T, mtc_mul(d, c)), &j->Ft_k, &j->Mt_k);
    MTC_REALS(tmp, mtc_mul(Y, Y), &j->YY, &j->Sw);
    MTC_REALS(tmp, mtc_mul(Y, c), &j->YPQ, &j->YP);
    MTC_REALS(tmp, mtc_mul(Y, l), &j->YW);
    MTC_REALS(tmp, Y, &j->Y_values);
    MTC_REALS(tmp, mtc_mul(N, l), &j->XW);
    MTC_REALS(tmp, mtc_mul(c, l), &j->PXW);
    MTC_REALS(tmp, mtc_mul(N, c), &j->A, &j->before);
    j->svd = (mtc_svd){.sets = lss_data(j, 0), .n_sets = T, .most = q,
                       .last = j->n_sources > 0 ? j->targets : NULL,
                       .full = LSS_FULL, .w = j->Y_values};
    MTC_REALS(tmp, mtc_mul(j->pca ? q : 0, d), &j->svd.V);
    match_layout(tmp, c, d, &j->match);
    size_t mark = tmp->used;
    j->work = mtc_take(tmp, lss_work_bytes(j), 1);
    tmp->used = mark;
    lss_layout_start(tmp, j);
}

/* ---- calls --------------------------------------------------------------- */

mtc_lssmtc_options mtc_lssmtc_defaults(void)
{
    return (mtc_lssmtc_options){.clusters = 2, .lambda = (mtc_real)0.75,
                                .mode = MTC_SUBSPACE_RECON, .rank = 32,
                                .offset = (mtc_real)0.2, .iterations = 20,
                                .restarts = 10};
}

mtc_lssmtc_options mtc_lssttc_defaults(void)
{
    mtc_lssmtc_options o = mtc_lssmtc_defaults();
    o.lambda = (mtc_real)0.25;
    o.mode = MTC_SUBSPACE_PCA;
    o.subspace = 16;
    o.rank = 100;
    return o;
}

static mtc_status lss_run(mtc_context *ctx, lss_job given,
    mtc_lssmtc_result *res)
{
    lss_job job = lss_of(ctx, given);
    MTC_TRY(lss_check(ctx, &job));
    return job_result(ctx, lss_layout, lss_work, &job, res);
}

mtc_status mtc_lssmtc(mtc_context *ctx, const mtc_data *tasks, size_t n_tasks,
    const mtc_lssmtc_options *opt, mtc_lssmtc_result *res)
{
    lss_job job = {.targets = tasks, .n_targets = n_tasks,
                   .o = options_of(opt, lssmtc)};
    MTC_TRY(check_sets(ctx, tasks, n_tasks));
    return lss_run(ctx, job, res);
}

mtc_status mtc_lssttc(mtc_context *ctx, const mtc_data *sources,
    const int *const *source_labels, size_t n_sources, const mtc_data *target,
    const mtc_lssmtc_options *opt, mtc_lssmtc_result *res)
{
    const mtc_lssmtc_options usual = mtc_lssttc_defaults();
    lss_job job = {.sources = sources, .source_labels = source_labels,
                   .n_sources = n_sources, .targets = target, .n_targets = 1,
                   .o = opt != NULL ? opt : &usual};
    MTC_TRY(check_sets(ctx, sources, n_sources));
    MTC_TRY(mtc_data_check(ctx, target, n_sources));
    REQUIRE(target->d == sources[0].d && source_labels != NULL,
            "features differ in number, or no labels");
    for (size_t t = 0; t < n_sources; t++)
        MTC_TRY(check_labels(ctx, source_labels[t], sources[t].n,
                             job.o->clusters, t));
    return lss_run(ctx, job, res);
}

mtc_status mtc_lssmtc_assign(mtc_context *ctx, const mtc_data *X, size_t task,
    const mtc_lssmtc_result *res, int *labels)
{
    REQUIRE(res != NULL && task < res->tasks && res->means != NULL &&
            is_given(ctx, labels),
            "need a result that has the task, and labels");
    mtc_kmeans_result model = {.clusters = res->clusters, .d = res->d,
                               .centers = res->means[task]};
    return mtc_kmeans_assign(ctx, X, &model, labels);
}

/* ==========================================================================
 * Chapter 15  MBC: Bregman clustering with transported centroids
 *
 *   min  sum_t 1/n_t sum_i d(x_i || u^t_h(i))                      [ZZ10] (9)
 *      + lambda/(T-1) sum_{t != s} <W^ts, D^ts>,   D^ts_zl = d(u^t_z || u^s_l)
 *   where W^ts >= 0 has rows that sum to 1/K_t and columns that sum to 1/K_s:
 *   (6) with the paper's relaxation pi = 1/K.  Every ordered pair (t,s) counts
 *   once; (9) has unordered pairs, with a term for each direction.
 *
 *   paper         here           shape
 *   X^t           X              n_t x d    samples of task t
 *   h^t           w.labels       [n_t]      their clusters
 *   U^t           w.U            K_t x d    centroids
 *   W^ts          r.plans        [T*T] of K_t x K_s
 *   A, B          problem.A, .B  weights of (14)
 *   mu_L, mu_R    problem.L, .R  [d]
 *
 *   A1  start from given centroids, from the means of given labels (an empty
 *       cluster gets the mean of all), or of the samples nearest to each seed
 *   A2  h(x) = argmin_z d(x || u_z), lowest z on a tie       [ZZ10] (12)
 *   A3  task by task, with the newest centroids of the others: u minimizes
 *       (13), which Theorems 1 and 2 turn into
 *       A d(mu_L||u) + B d(u||mu_R), where                   [ZZ10] (14)
 *       A = n_z/n_t + B,  B = lambda/K_t,
 *       mu_L = (1/A) (sum_{i in z} x_i / n_t + B mean of the u^s_l that W
 *       brings here),
 *       mu_R = grad^-1 of the mean grad(u^s_l) that W takes z to; (15) is the
 *       minimum for a symmetric divergence
 *   A4  W: a transportation problem for each pair, solved exactly: (10);
 *       at the end with the clusters' shares for marginals: d_M (8)
 *   A5  numbers by W^0t: where K_t = K_0 a vertex of (10) is a permutation / K
 * (1) is one task alone, (2) to (5) are the parts of (9), (7) is the model that
 * explains (8), and (11) is what (12) minimizes.
 *
 * A2 is k-means' own pass, with its bounds for squared Euclidean.  Any other
 * divergence costs more, such as a logarithm for each feature of each distance.
 * So distances of y = x + smooth go through a point r of reference, the mean of
 * the task's y, by the three-point identity
 *   d(y||u) = d(y||r) + d(r||u) + <y - r, g>,   g = grad(r) - grad(u)      (R)
 * d(y||r) is found once, since r never moves; d(r||u) and g are found once for
 * each centroid; and a distance is then one product x.g, over what x stores.
 * The pass that measures the loss under h also finds the labels of the next A2.
 *
 * Deviation: the paper's order is W, h, U (lines 3-6); here it is h, U, W
 *   after a first W, so that the loss is that of the returned answer.
 * Deviation: for an asymmetric divergence [ZZ10] look for u on the geodesic
 *   from mu_R to mu_L, which is exact only for d = 1.  For kl and is u is the
 *   minimizer itself; the walk is for a caller's divergence, or by option.
 * Deviation: the paper starts from labels.  Seeds, restarts, a bound on the
 *   iterations, o.smooth, and the numbers of A5 are ours.
 * Deviation: o.center clusters X_t - 1 m_t', where m_t is the mean of task t.
 *   The two divergences that it allows are the same for x - m, u - m as for x,
 *   u.  So A1 and A2 do not change; only centroids brought from task s to task
 *   t are moved, by m_t - m_s.
 * Reference: [ZZ10]; the walk: Nielsen & Nock, IEEE Trans. Inf. Theory 2009.
 * An iteration takes O(nnz K) time for A2 at worst, O(nnz + T^2 K d) for A3,
 *   O(T^2 (K^2 d + K^3)) for A4; memory is O(n + K d) a task, and the plans.
 * ========================================================================== */

#define MBC_WALK 44   /* golden sections: .618^44 < sqrt(eps) */
#define MBC_STEPS 64  /* to a root, at most; about 5 are taken */
#define MBC_NEAR MTC_BY_TYPE(1e-8, 2e-4)  /* its square is below eps */

/* ---- what a run holds ---------------------------------------------------- */

/* A2: what (R) needs besides the workspace of k-means, in which factor has g_z
 * in column z, and offset_z is d(r||u_z) - r.g_z. */
typedef struct mbc_reference {
    mtc_real smooth;         /* added to every x */
    mtc_real *r, *gradient;  /* [d] r, grad(r) */
    mtc_real *far;           /* [n] d(x_i + smooth || r) */
    mtc_real *total;         /* [k] 1.g_z, by which smooth counts */
    mtc_real *size;          /* [k] sum of the sizes of offset_z's terms */
} mbc_reference;

/* A3: one centroid's problem (14), min_u A d(L||u) + B d(u||R). */
typedef struct mbc_problem {
    const mtc_divergence *div;
    size_t d;
    int symmetric, walk;            /* u by (15), or by the walk */
    mtc_real A, B;                  /* only A/B matters; the larger is 1 */
    mtc_real *L, *R, *u;            /* [d] mu_L, mu_R, the answer */
    mtc_real *gL, *gR, *g;          /* [d] gradients at L, R, another point */
    mtc_real *trial;                /* [d] a point where (14) is tried */
} mbc_problem;

/* A task: its samples, and k-means' workspace for its centroids. */
typedef struct mbc_task {
    km_ws w;               /* U, labels: the result's */
    mbc_reference ref;     /* unless squared Euclidean */
    mtc_kmeans_options o;  /* clusters, divergence */
    int *next;             /* [n] labels under the newest U */
} mbc_task;

typedef struct mbc_job {
    const mtc_data *tasks;
    const mtc_mbc_options *o;
    const mtc_divergence *div;  /* NULL: squared Euclidean */
    int seeded;                 /* 1: no start is given, A1 draws seeds */
    mtc_real *mean;             /* [T*d] m_t of o.center, else NULL */
    size_t T, d;
    mtc_mbc_result r;
    mbc_task *task;         /* [T] */
    size_t lanes, restart;  /* restart: the one that runs */
    mtc_lane *lane;         /* [lanes] */
    mbc_problem problem;
    mtc_real *moved;                   /* [d] u^t_z where task s is */
    mtc_real *cost, *supply, *demand;  /* [K*K] D^ts, [K] [K], largest K_t */
    void *work;                        /* of mtc_emd_in */
} mbc_job;

/* NULL stands for squared Euclidean here, as in k-means. */
static const mtc_divergence *mbc_divergence(const mtc_divergence *div)
{
    return div == NULL || div->value == sqe_value ? NULL : div;
}

/* For a symmetric divergence mu_R is the mean that is part of mu_L, W^ts is
 * (W^st)', and A3 is (15). */
static int mbc_is_symmetric(const mtc_divergence *div)
{
    return mbc_divergence(div) == NULL || has_metric(div);
}

/* kl and `is` are sums over coordinates, and A3 is a root in each of them. */
static int mbc_is_separable(const mtc_divergence *div)
{
    return div->value == kl_value || div->value == saito_value;
}

/* ---- A1: the start ------------------------------------------------------- */

/* w.sum = means of the clusters, which contain smooth; an empty cluster keeps
 * its centroid. */
static void mbc_means(const mbc_job *j, km_ws *w)
{
    size_t d = j->d;
    km_means(NULL, w);  /* on one lane */
    for (size_t z = 0; z < w->k; z++)
        for (size_t e = 0; e < d && w->members[z] > 0; e++)
            w->sum[z * d + e] += j->r.smooth;
}

/* Sets the first centroids of task t.  If they are not given, the start of
 * k-means finds them for x without smooth, by squared distances: it gets a copy
 * of the workspace without the divergence.  smooth is added afterwards. */
static void mbc_first_centroids(const mbc_job *j, size_t t, mtc_random *rng)
{
    const mtc_mbc_options *o = j->o;
    km_ws *w = &j->task[t].w, squared = *w;
    mtc_kmeans_options start = {.clusters = w->k};
    if (o->start_centers != NULL)
        start.start_centers = o->start_centers[t];
    else if (o->start_labels != NULL)
        start.start_labels = o->start_labels[t];
    squared.o = &start;
    km_start(NULL, &squared, rng);  /* on one lane */
    if (o->start_centers == NULL)   /* those contain smooth */
        for (size_t e = 0; e < start.clusters * j->d; e++)
            w->U[e] += j->r.smooth;
}

/* A1 for task t.  Seeds, a deviation, are replaced by the means around them,
 * which are better to transport.  If labels are given, too, beside centroids,
 * the first loss is that of these labels. */
static mtc_status mbc_start(mtc_context *ctx, void *job, size_t t, size_t lane)
{
    const mbc_job *j = (const mbc_job *)job;
    km_ws *w = &j->task[t].w;
    mtc_random rng = mtc_stream(ctx, j->restart * j->T + t);
    mtc_real loss;  /* not used */
    (void)lane;
    mbc_first_centroids(j, t, &rng);
    w->metric.prepare(w);
    if (j->o->start_labels != NULL)
        MTC_COPY(w->labels, j->o->start_labels[t], w->X->n);
    else
        km_nearest(ctx, w, w->labels, &loss);
    if (j->seeded) {
        mbc_means(j, w);
        km_move(w);
    }
    return MTC_OK;
}

/* ---- A2: labels ---------------------------------------------------------- */

/* out [d] = row i of X + smooth. */
static void mbc_row(const mtc_data *X, size_t i, mtc_real smooth,
    mtc_real *out)
{
    row_copy(X, i, out);
    for (size_t e = 0; e < X->d; e++)
        out[e] += smooth;
}

/* d(x_i + smooth || r) of a CSR row, if the divergence is separable: `empty` is
 * that of a row without values, and each stored value adds by how much it is
 * farther from r than smooth.  O(nnz) time, which matters for texts. */
static mtc_real mbc_stored_far(const km_ws *w, size_t i, mtc_real empty)
{
    const mtc_data *X = w->X;
    const mtc_divergence *div = w->o->divergence;
    const mbc_reference *ref = (const mbc_reference *)w->metric.user;
    mtc_real far = empty;
    for (size_t e = X->row[i]; e < X->row[i + 1]; e++) {
        const mtc_real *r = ref->r + X->column[e];
        mtc_real x = X->values[e] + ref->smooth;
        far += div->value(div->user, 1, &x, r) -
               div->value(div->user, 1, &ref->smooth, r);
    }
    return far > 0 ? far : 0;  /* rounding */
}

/* r becomes the mean row of `from`, plus `add`; grad(r) and far follow. */
static void mbc_set_reference(km_ws *w, const mtc_data *from, mtc_real add)
{
    const mtc_data *X = w->X;
    const mtc_divergence *div = w->o->divergence;
    mbc_reference *ref = (mbc_reference *)w->metric.user;
    int stored = mtc_is_csr(X) && ref->smooth > 0 && mbc_is_separable(div);
    mtc_real empty = 0;
    mean_of_rows(from, 1, NULL, 0, ref->r);
    for (size_t e = 0; e < X->d; e++) {
        ref->r[e] += add;
        empty += stored ? div->value(div->user, 1, &ref->smooth, ref->r + e)
                        : 0;
    }
    div->gradient(div->user, X->d, ref->r, ref->gradient);
    for (size_t i = 0; i < X->n; i++) {
        if (stored) {
            ref->far[i] = mbc_stored_far(w, i, empty);
            continue;
        }
        mbc_row(X, i, ref->smooth, w->row);
        ref->far[i] = div->value(div->user, X->d, w->row, ref->r);
    }
}

/* Updates all that belongs to u_z in (R), after the centroids have moved. */
static void mbc_gradients(km_ws *w)
{
    const mtc_divergence *div = w->o->divergence;
    const mbc_reference *ref = (const mbc_reference *)w->metric.user;
    size_t d = w->X->d;
    MTC_ZERO(w->factor, w->kp * d);
    for (size_t z = 0; z < w->k; z++) {
        const mtc_real *u = w->U + z * d;
        mtc_real near = div->value(div->user, d, ref->r, u);
        w->offset[z] = ref->size[z] = near;
        ref->total[z] = 0;
        div->gradient(div->user, d, u, w->row);
        for (size_t e = 0; e < d; e++) {
            mtc_real g = ref->gradient[e] - w->row[e];
            w->factor[e * w->kp + z] = g;
            w->offset[z] -= ref->r[e] * g;
            ref->size[z] += MTC_FABS(ref->r[e] * g);
            ref->total[z] += g;
        }
    }
}

/* dist [k] = d(y || u_z) for y = row i of X + smooth, where `far` is d(y||r).
 * It uses (R) with y.g = x.g + smooth 1.g or, if its terms cancel or are not
 * finite, the divergence itself. */
static void mbc_by_reference(const km_ws *w, const mtc_data *X, size_t i,
    mtc_real smooth, mtc_real far, mtc_real *dist)
{
    const mtc_divergence *div = w->o->divergence;
    const mbc_reference *ref = (const mbc_reference *)w->metric.user;
    mtc_meet(X, &i, 1, 0, w->kp, w->factor, dist);  /* dist = x.g */
    for (size_t z = 0; z < w->k; z++) {
        mtc_real product = dist[z] + smooth * ref->total[z];
        mtc_real size = far + ref->size[z] + MTC_FABS(product);
        dist[z] = (far + w->offset[z]) + product;
        if (dist[z] >= PAIR_CANCEL * size)
            continue;
        mbc_row(X, i, smooth, w->row);
        dist[z] = div->value(div->user, X->d, w->row, w->U + z * X->d);
    }
}

static void mbc_distances(km_ws *w, const size_t *rows, size_t count)
{
    const mbc_reference *ref = (const mbc_reference *)w->metric.user;
    for (size_t r = 0; r < count; r++)
        mbc_by_reference(w, w->X, rows[r], ref->smooth, ref->far[rows[r]],
                         w->dist + r * w->kp);
}

/* A2 for task t: writes the nearest clusters to `next`; the loss is that of the
 * old labels.  Each task has its own scratch, whatever the lane. */
static mtc_status mbc_nearest(mtc_context *ctx, void *job, size_t t,
    size_t lane)
{
    const mbc_job *j = (const mbc_job *)job;
    mbc_task *p = &j->task[t];
    mtc_real loss;
    (void)lane;
    km_nearest(ctx, &p->w, p->next, &loss);
    j->r.within[t] = loss / (mtc_real)p->w.X->n;
    return MTC_OK;
}

/* ---- A3: one centroid ---------------------------------------------------- */

/* The u between L and R where the derivative of (14), for `is` times u, is 0:
 *   kl  A - A L/u + B log(u/R) = 0
 *   is  A - A L/u + B (u/R - 1) = 0
 * The left side grows with u, and [low, high] has the root.  Newton's step is
 * taken if it changes u by half of u or less: then it at least squares the
 * relative error.  Else the bracket is cut in the middle of its logarithms. */
static mtc_real mbc_root(int is_kl, mtc_real A, mtc_real B, mtc_real L,
    mtc_real R)
{
    mtc_real low = L < R ? L : R, high = L < R ? R : L;
    mtc_real u = (A * L + B * R) / (A + B), step = 1;
    for (int i = 0; i < MBC_STEPS && MTC_FABS(step) > MBC_NEAR; i++) {
        mtc_real left = A * (L / u), right = u / R;
        mtc_real value = is_kl ? A + B * mtc_log(right) : A - B + B * right;
        mtc_real slope = left + (is_kl ? B : B * right);
        value -= left;
        if (value > 0)
            high = u;
        else
            low = u;
        step = -value / slope;
        u = MTC_FABS(step) <= (mtc_real)0.5
                ? u + u * step : MTC_SQRT(low) * MTC_SQRT(high);
    }
    return u > low ? (u < high ? u : high) : low;
}

/* A d(L||x) + B d(x||R), [ZZ10] (14), or HUGE if x is not in the domain, so
 * that no search leaves it.  If this is below *best, u becomes x. */
static mtc_real mbc_try(mbc_problem *m, const mtc_real *x, mtc_real *best)
{
    const mtc_divergence *div = m->div;
    mtc_data point = mtc_dense(1, m->d, x);
    mtc_real value = MTC_HUGE;
    if (check_domain(NULL, &point, div, 0) == MTC_OK)
        value = m->A * div->value(div->user, m->d, m->L, x) +
                m->B * div->value(div->user, m->d, x, m->R);
    value = value < MTC_HUGE ? value : MTC_HUGE;  /* NaN is HUGE */
    if (value < *best)
        MTC_COPY(m->u, x, m->d);
    *best = value < *best ? value : *best;
    return value;
}

/* mbc_try at point t of the geodesic from R to L: gradients mix linearly. */
static mtc_real mbc_try_geodesic(mbc_problem *m, mtc_real t, mtc_real *best)
{
    for (size_t f = 0; f < m->d; f++)
        m->g[f] = (1 - t) * m->gR[f] + t * m->gL[f];
    m->div->inverse(m->div->user, m->d, m->g, m->trial);
    return mbc_try(m, m->trial, best);
}

/* The paper's walk for (14): golden sections on t in [0,1].  u = the best of
 * all points tried, with L, R and `old` (or NULL): the loss cannot rise. */
static void mbc_walk(mbc_problem *m, const mtc_real *old)
{
    const mtc_real section = (mtc_real)0.6180339887498949;
    mtc_real end[2] = {0, 1}, t[2] = {1 - section, section}, value[2];
    mtc_real best = (mtc_real)INFINITY;
    m->div->gradient(m->div->user, m->d, m->R, m->gR);
    m->div->gradient(m->div->user, m->d, m->L, m->gL);
    mbc_try(m, m->L, &best);  /* t = 1 */
    value[0] = mbc_try_geodesic(m, t[0], &best);
    value[1] = mbc_try_geodesic(m, t[1], &best);
    for (int i = 0; i < MBC_WALK; i++) {
        int near = value[1] < value[0];  /* the end that stays */
        end[!near] = t[!near];
        t[!near] = t[near];
        value[!near] = value[near];
        mtc_real step = section * (end[1] - end[0]);
        t[near] = near ? end[0] + step : end[1] - step;
        value[near] = mbc_try_geodesic(m, t[near], &best);
    }
    mbc_try(m, m->R, &best);  /* t = 0 */
    if (old != NULL)
        mbc_try(m, old, &best);
}

/* u = argmin of [ZZ10] (14), for B > 0.  A symmetric divergence has (15).  For
 * kl and is, a deviation, each coordinate is a root; the paper walks. */
static void mbc_solve(mbc_problem *m, const mtc_real *old)
{
    mtc_real A = m->A, B = m->B;
    if (m->walk)
        mbc_walk(m, old);
    else if (m->symmetric)
        for (size_t e = 0; e < m->d; e++)
            m->u[e] = (A * m->L[e] + B * m->R[e]) / (A + B);
    else
        for (size_t e = 0; e < m->d; e++)
            m->u[e] = mbc_root(m->div->value == kl_value, A, B, m->L[e],
                               m->R[e]);
}

/* ---- A3: the centroids of a task ----------------------------------------- */

/* Finds mu_R of u^t_z, and in L what other tasks add to mu_L: the mean of the
 * u^s_l that W^st brings to u^t_z (Theorem 1).  grad(mu_R) is the mean gradient
 * of the u^s_l to which W^ts takes u^t_z (Theorem 2); they are the same ones if
 * the divergence is symmetric.  Column z of W^st sums to 1/K_t, and so does row
 * z of W^ts: hence the scale.  With o.center u^s_l is moved by m_t - m_s. */
static void mbc_mu(const mbc_job *j, size_t t, size_t z)
{
    const mbc_problem *m = &j->problem;
    size_t d = j->d, T = j->T, k = j->r.clusters[t];
    mtc_real scale = (mtc_real)k / (mtc_real)(T - 1);
    MTC_ZERO(m->L, d);
    MTC_ZERO(m->gR, d);
    for (size_t s = 0; s < T; s++) {
        size_t ks = s == t ? 0 : j->r.clusters[s];
        const mtc_real *to = j->r.plans[t * T + s];
        const mtc_real *from = j->r.plans[s * T + t];
        for (size_t l = 0; l < ks; l++) {
            const mtc_real *u = j->r.centers[s] + l * d;
            if (from[l * k + z] > 0)
                mtc_axpy(d, scale * from[l * k + z], u, m->L);
            if (to[z * ks + l] > 0 && !m->symmetric) {
                j->div->gradient(j->div->user, d, u, m->g);
                mtc_axpy(d, scale * to[z * ks + l], m->g, m->gR);
            }
        }
        if (j->mean != NULL)
            mtc_axpy(d, s == t ? 1 : -1 / (mtc_real)(T - 1), j->mean + s * d,
                     m->L);
    }
    if (m->symmetric)
        MTC_COPY(m->R, m->L, d);
    else
        j->div->inverse(j->div->user, d, m->gR, m->R);
}

/* A3 for task t, which the other tasks pull with weight B.  w.sum gets the new
 * centroids; then the centroids move there.  (14) has A = share + B, and is
 * divided by A.  If B = 0, the centroid is the mean. */
static void mbc_update(mbc_job *j, size_t t, mtc_real B)
{
    km_ws *w = &j->task[t].w;
    mbc_problem *m = &j->problem;
    size_t d = j->d, pulled = B > 0 ? w->k : 0;
    mbc_means(j, w);
    for (size_t z = 0; z < pulled; z++) {
        mtc_real *mean = w->sum + z * d;
        mtc_real share = w->mass[z] / (mtc_real)w->X->n;  /* n_z/n_t */
        m->A = 1;
        m->B = B / (share + B);
        mbc_mu(j, t, z);
        for (size_t e = 0; e < d; e++)
            m->L[e] = share / (share + B) * mean[e] + m->B * m->L[e];
        mbc_solve(m, w->U + z * d);
        MTC_COPY(mean, m->u, d);
    }
    km_move(w);
}

/* ---- A4: plans ----------------------------------------------------------- */

/* cost [K_s] = row z of D^ts, d(u^t_z || u^s_l): smooth is in both.  With
 * o.center u^t_z is moved by m_s - m_t. */
static void mbc_cost(mbc_job *j, size_t t, size_t s, size_t z, mtc_real *cost)
{
    const km_ws *other = &j->task[s].w;
    const mbc_reference *ref = &j->task[s].ref;
    size_t d = j->d, ks = j->r.clusters[s];
    mtc_real *u = j->moved;
    mtc_data one = mtc_dense(1, d, u);
    MTC_COPY(u, j->task[t].w.U + z * d, d);
    if (j->mean != NULL)
        for (size_t e = 0; e < d; e++)
            u[e] = u[e] - j->mean[t * d + e] + j->mean[s * d + e];
    if (j->div == NULL) {
        for (size_t l = 0; l < ks; l++)
            cost[l] = sq_distance(d, u, other->U + l * d);
        return;
    }
    mtc_real far = j->div->value(j->div->user, d, u, ref->r);
    mbc_by_reference(other, &one, 0, 0, far, other->dist);
    MTC_COPY(cost, other->dist, ks);
}

/* Solves the transportation problem at cost D^ts.  With W [K_t*K_s] it is (10):
 * the marginals 1/K_t and 1/K_s are given as the integers K_s and K_t, so that
 * no rounding enters the plan, which sums to K_t K_s at first.  Without W it is
 * (8):  the marginals are the shares of the clusters. */
static mtc_status mbc_emd(mtc_context *ctx, mbc_job *j, size_t t, size_t s,
    mtc_real *W, mtc_emd_info *info)
{
    const km_ws *a = &j->task[t].w, *b = &j->task[s].w;
    size_t k = j->r.clusters[t], ks = j->r.clusters[s];
    mtc_real whole = (mtc_real)k * (mtc_real)ks;
    int equal = W != NULL;  /* (10), else (8) */
    for (size_t z = 0; z < k; z++)
        mbc_cost(j, t, s, z, j->cost + z * ks);
    for (size_t z = 0; z < k; z++)
        j->supply[z] = equal ? (mtc_real)ks : a->mass[z] / (mtc_real)a->X->n;
    for (size_t l = 0; l < ks; l++)
        j->demand[l] = equal ? (mtc_real)k : b->mass[l] / (mtc_real)b->X->n;
    MTC_TRY(mtc_emd_in(ctx, k, ks, j->cost, ks, j->supply, j->demand, NULL, W,
                       NULL, NULL, info, j->work));
    if (!equal)
        return MTC_OK;
    for (size_t e = 0; e < k * ks; e++)
        W[e] /= whole;
    info->cost /= whole;
    return MTC_OK;
}

/* A4: all plans by (10), and *coupling = the sum of <W, D>.  For a symmetric
 * divergence W^st is the transpose of W^ts, and costs the same. */
static mtc_status mbc_plans(mtc_context *ctx, mbc_job *j, mtc_real *coupling)
{
    size_t T = j->T;
    int symmetric = j->problem.symmetric;
    j->r.gap = 0;
    *coupling = 0;
    for (size_t t = 0; t < T; t++)
        for (size_t s = symmetric ? t + 1 : 0; s < T; s++) {
            mtc_emd_info info = {.cost = 0};
            if (s == t)
                continue;
            MTC_TRY(mbc_emd(ctx, j, t, s, j->r.plans[t * T + s], &info));
            if (symmetric)
                transpose(j->r.clusters[t], j->r.clusters[s],
                          j->r.plans[t * T + s], j->r.plans[s * T + t]);
            *coupling += symmetric ? 2 * info.cost : info.cost;
            j->r.gap = MTC_MAX(info.gap, j->r.gap);
        }
    return MTC_OK;
}

/* ---- the loss, and a run from one start ---------------------------------- */

/* Does A4, and finds the loss (9) under the labels. */
static mtc_status mbc_loss(mtc_context *ctx, mbc_job *j, mtc_real *total)
{
    size_t T = j->T;
    mtc_real coupling;
    MTC_TRY(mbc_plans(ctx, j, &coupling));
    *total = T > 1 ? j->o->lambda / (mtc_real)(T - 1) * coupling : 0;
    MTC_TRY(mtc_share(ctx, j->lanes, j->lane, T, mbc_nearest, j));
    for (size_t t = 0; t < T; t++)
        *total += j->r.within[t];
    return MTC_FINITE(*total) ? MTC_OK : MTC_DOMAIN;  /* overflow */
}

/* Algorithm 1 from one start, in the order h, U, W: a deviation. */
static mtc_status mbc_descend(mtc_context *ctx, mbc_job *j, size_t restart)
{
    const mtc_mbc_options *o = j->o;
    mtc_real *loss = j->r.objective;
    mtc_real pull = j->T > 1 ? o->lambda : 0;
    size_t it = 0;
    j->restart = restart;
    MTC_TRY(mtc_share(ctx, j->lanes, j->lane, j->T, mbc_start, j));  /* A1 */
    MTC_TRY(mbc_loss(ctx, j, loss));
    j->r.converged = 0;
    for (;;) {
        MTC_TRY(mtc_tick(ctx, "mbc", it, o->iterations));
        if (it == o->iterations || j->r.converged)
            break;
        for (size_t t = 0; t < j->T; t++) {
            mbc_task *p = &j->task[t];
            MTC_COPY(p->w.labels, p->next, p->w.X->n);         /* A2 */
            mbc_update(j, t, pull / (mtc_real)p->o.clusters);  /* A3 */
        }
        it++;
        MTC_TRY(mbc_loss(ctx, j, &loss[it]));  /* A4 */
        if (loss[it] > loss[it - 1])
            loss[it] = loss[it - 1];  /* it rose, by rounding */
        j->r.converged = o->tolerance >= 0 &&
                         loss[it - 1] - loss[it] <=
                             o->tolerance * MTC_FABS(loss[it - 1]);
    }
    j->r.iterations = it;
    return MTC_OK;
}

/* ---- A5: one numbering; d_M of the answer -------------------------------- */

/* A5 for task t.  The means of clusters decide whether the numbers hold,
 * because sharing draws the centroids together, but not the means.  An empty
 * cluster has no mean, and so no match. */
static void mbc_number(mbc_job *j, size_t t)
{
    const mtc_mbc_result *r = &j->r;
    km_ws *w = &j->task[t].w;
    size_t T = j->T, d = j->d, k = r->clusters[t], *from = w->members;
    for (size_t z = 0; z < k; z++)
        from[z] = argmax(k, r->plans[0 * T + t] + z * k);  /* row of W^0t */
    match_labels(from, w->X->n, w->labels);
    match_lines(k, from, w->U, d, d, 1);
    for (size_t s = 0; s < T; s++) {
        size_t ks = r->clusters[s];
        if (s == t)
            continue;
        match_lines(k, from, r->plans[t * T + s], ks, ks, 1);
        match_lines(k, from, r->plans[s * T + t], 1, ks, k);
    }
    km_means(NULL, w);
    match_alike(k, d, 1, j->task[0].w.sum, w->sum, &r->matched[t]);
    r->matched[t] &= r->k_effective[t] == k && r->k_effective[0] == k;
}

/* Finds the cluster sizes and d_M (8) of all pairs, at the end. */
static mtc_status mbc_coherence(mtc_context *ctx, mbc_job *j)
{
    mtc_mbc_result *r = &j->r;
    size_t T = j->T;
    for (size_t t = 0; t < T; t++)
        r->k_effective[t] = km_count(&j->task[t].w);
    for (size_t t = 0; t < T; t++)
        for (size_t s = 0; s < T; s++) {
            mtc_emd_info info = {.cost = 0};
            if (s != t)
                MTC_TRY(mbc_emd(ctx, j, t, s, NULL, &info));
            r->coherence[t * T + s] = info.cost;
            r->relatedness[t * T + s] =
                info.cost > 0 ? r->within[t] / (r->within[t] + info.cost) : 1;
        }
    return MTC_OK;
}

/* ---- checks and memory --------------------------------------------------- */

mtc_mbc_options mtc_mbc_defaults(void)
{
    return (mtc_mbc_options){.clusters = 2, .lambda = (mtc_real)0.5,
                             .iterations = 100, .tolerance = (mtc_real)1e-10,
                             .restarts = 10};
}

/* Given centroids contain smooth: they are checked as they are. */
static mtc_status mbc_check(mtc_context *ctx, const mbc_job *j)
{
    const mtc_mbc_options *o = j->o;
    REQUIRE(is_moderate(o->lambda) && is_moderate(o->smooth),
            "lambda, smooth: need 0 or more, as data may be");
    REQUIRE(MTC_FINITE(o->tolerance), "tolerance: need a number");
    REQUIRE((unsigned)o->centroid <= MTC_CENTROID_GEODESIC,
            "centroid: need one of mtc_centroid");
    REQUIRE(o->restarts > 0, need_restarts);
    REQUIRE(!o->center || mbc_is_symmetric(o->divergence),
            "center: need squared Euclidean or Mahalanobis");
    MTC_TRY(check_divergence(ctx, j->div, j->d));
    for (size_t t = 0; t < j->T; t++) {
        const mtc_data *X = &j->tasks[t];
        size_t k = clusters_of(o, t);
        MTC_TRY(check_clusters(ctx, k, X->n, t));
        MTC_TRY(check_smoothed(ctx, X, j->div, j->r.smooth, t));
        if (o->start_centers != NULL) {
            mtc_data U = mtc_dense(k, j->d, o->start_centers[t]);
            MTC_TRY(mtc_data_sound(ctx, &U, t));
            MTC_TRY(check_domain(ctx, &U, j->div, t));
        }
        if (o->start_labels != NULL)
            MTC_TRY(check_labels(ctx, o->start_labels[t], X->n, k, t));
    }
    return MTC_OK;
}

static void mbc_layout_reference(mtc_stack *tmp, km_ws *w,
    mbc_reference *ref)
{
    MTC_REALS(tmp, w->X->d, &ref->r, &ref->gradient);
    MTC_REALS(tmp, w->X->n, &ref->far);
    MTC_REALS(tmp, w->k, &ref->total, &ref->size);
    w->metric = (km_metric){mbc_gradients, mbc_distances, ref};
}

static void mbc_layout_problem(mtc_stack *tmp, const mtc_divergence *div,
    mtc_centroid how, size_t d, mbc_problem *m)
{
    *m = (mbc_problem){.div = div, .d = d, .symmetric = mbc_is_symmetric(div)};
    m->walk = !m->symmetric &&
              (how == MTC_CENTROID_GEODESIC || !mbc_is_separable(div));
    MTC_REALS(tmp, d, &m->L, &m->R, &m->u, &m->gL, &m->gR, &m->g, &m->trial);
}

static void mbc_layout_task(mtc_stack *tmp, const mbc_job *j, size_t t,
    mbc_task *p)
{
    km_ws *w = &p->w;
    size_t k = clusters_of(j->o, t);
    size_t n = j->tasks[t].n, seeding = j->seeded ? n : 0;
    p->o = (mtc_kmeans_options){.clusters = k, .divergence = j->div};
    km_layout_distances(tmp, &j->tasks[t], &p->o,
                        j->div == NULL ? n : seeding, w);
    km_layout_steps(tmp, 1, w);
    p->ref.smooth = j->r.smooth;
    if (j->div != NULL)
        mbc_layout_reference(tmp, w, &p->ref);
    p->next = MTC_TAKE(tmp, n, int);
}

static void mbc_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    mbc_job *j = (mbc_job *)job;
    mtc_mbc_result *r = &j->r;
    size_t T = j->T, pairs = mtc_mul(T, T), most = 0;
    r->divergence = keep_divergence(own, j->div);
    j->task = MTC_TAKE(tmp, T, mbc_task);
    j->lane = MTC_TAKE(tmp, j->lanes, mtc_lane);
    MTC_SIZES(own, T, &r->clusters, &r->k_effective);
    r->labels = MTC_TAKE(own, T, int *);
    r->matched = MTC_TAKE(own, T, int);
    r->centers = MTC_TAKE(own, T, mtc_real *);
    r->plans = MTC_TAKE(own, pairs, mtc_real *);
    MTC_REALS(own, pairs, &r->coherence, &r->relatedness);
    MTC_REALS(own, T, &r->within);
    MTC_REALS(own, mtc_add(j->o->iterations, 1), &r->objective);
    for (size_t t = 0; t < T; t++) {
        mbc_task none = {.next = NULL};
        mbc_task *p = j->task != NULL ? &j->task[t] : &none;  /* measured */
        *p = none;
        mbc_layout_task(tmp, j, t, p);
        size_t k = p->o.clusters;
        most = MTC_MAX(k, most);
        p->w.labels = MTC_TAKE(own, j->tasks[t].n, int);
        p->w.U = MTC_TAKE(own, mtc_mul(k, j->d), mtc_real);
        for (size_t s = 0; s < T; s++) {
            size_t ks = clusters_of(j->o, s);
            mtc_real *W = MTC_TAKE(own, mtc_mul(k, t == s ? 0 : ks), mtc_real);
            if (r->plans != NULL)
                r->plans[t * T + s] = t == s ? NULL : W;
        }
    }
    if (j->o->center)
        MTC_REALS(tmp, mtc_mul(T, j->d), &j->mean);
    mbc_layout_problem(tmp, j->div, j->o->centroid, j->d, &j->problem);
    MTC_REALS(tmp, j->d, &j->moved);
    MTC_REALS(tmp, mtc_mul(most, most), &j->cost);
    MTC_REALS(tmp, most, &j->supply, &j->demand);
    j->work = mtc_take(tmp, mtc_emd_work(most, most), 1);
}

/* ---- the call ------------------------------------------------------------ */

/* Finds means and references, which never move, and fills in the result. */
static void mbc_prepare(mbc_job *j)
{
    mtc_mbc_result *r = &j->r;
    for (size_t t = 0; t < j->T; t++) {
        km_ws *w = &j->task[t].w;
        if (j->o->center)
            mean_of_rows(w->X, 1, NULL, 0, j->mean + t * j->d);
        r->clusters[t] = w->k;
        r->labels[t] = w->labels;
        r->centers[t] = w->U;
        r->matched[t] = t == 0;
        if ((j->div == NULL || j->seeded) && mtc_is_csr(w->X))
            mtc_data_norms(w->X, w->norm);  /* seeds go by squared distances */
        if (j->div != NULL)
            mbc_set_reference(w, w->X, r->smooth);
    }
}

/* The first restart with the lowest loss is the result.  If it is not the last
 * restart, it is run again, since keeping it would take twice the memory. */
static mtc_status mbc_work(mtc_context *ctx, void *job)
{
    mbc_job *j = (mbc_job *)job;
    mtc_mbc_result *r = &j->r;
    size_t restarts = j->seeded ? j->o->restarts : 1, kept = 0;
    mbc_prepare(j);
    for (size_t i = 0; i < restarts; i++) {
        MTC_TRY(mbc_descend(ctx, j, i));
        if (i == 0 || r->objective[r->iterations] < r->loss) {
            r->loss = r->objective[r->iterations];
            kept = i;
        }
    }
    if (kept + 1 < restarts)
        MTC_TRY(mbc_descend(ctx, j, kept));
    MTC_TRY(mbc_coherence(ctx, j));
    if (!j->seeded)
        return MTC_OK;
    km_means(NULL, &j->task[0].w);  /* for mbc_number */
    for (size_t t = 1; t < j->T; t++)
        if (r->clusters[t] == r->clusters[0])
            mbc_number(j, t);  /* A5 */
    return MTC_OK;
}

/* The lanes are chosen for n d multiply-adds per task between two steps at
 * which tasks wait for each other, which is a lower bound. */
mtc_status mtc_mbc(mtc_context *ctx, const mtc_data *tasks, size_t n_tasks,
    const mtc_mbc_options *opt, mtc_mbc_result *res)
{
    const mtc_mbc_options *o = options_of(opt, mbc);
    const mtc_divergence *div = mbc_divergence(o->divergence);
    MTC_TRY(check_sets(ctx, tasks, n_tasks));
    size_t n = count_samples(tasks, n_tasks) / n_tasks, d = tasks[0].d;
    mbc_job job = {.tasks = tasks, .o = o, .T = n_tasks, .d = d, .div = div,
                   .seeded = o->start_centers == NULL &&
                             o->start_labels == NULL,
                   .lanes = mtc_lanes(ctx, n_tasks, mtc_mul(n, d)),
                   .r = {.tasks = n_tasks, .d = d,
                         .smooth = div == NULL ? 0 : o->smooth}};  /* cancels */
    MTC_TRY(mbc_check(ctx, &job));
    return job_result(ctx, mbc_layout, mbc_work, &job, res);
}

/* ---- new samples, and one centroid --------------------------------------- */

/* New samples are assigned as in k-means, for a divergence through the point r
 * of reference. */
static void mbc_assign_layout(mtc_stack *tmp, const mtc_data *X,
    const mtc_kmeans_options *o, km_ws *w, mbc_reference *ref)
{
    km_layout_distances(tmp, X, o, mtc_is_csr(X) ? X->n : 0, w);
    if (o->divergence != NULL)
        mbc_layout_reference(tmp, w, ref);
}

mtc_status mtc_mbc_assign(mtc_context *ctx, const mtc_data *X, size_t task,
    const mtc_mbc_result *res, int *labels)
{
    MTC_TRY(mtc_data_sound(ctx, X, MTC_NONE));
    REQUIRE(res != NULL && X->d == res->d && task < res->tasks &&
            is_given(ctx, labels),
            "need a result of X's width that has the task, and labels");
    mtc_kmeans_options o = {.clusters = res->clusters[task],
                            .divergence = mbc_divergence(res->divergence)};
    mtc_data U = mtc_dense(o.clusters, X->d, res->centers[task]);
    mbc_reference ref = {.smooth = res->smooth};
    km_ws w;
    mtc_stack st = {0};
    mtc_block work;
    MTC_TRY(check_smoothed(ctx, X, o.divergence, res->smooth, MTC_NONE));
    mbc_assign_layout(&st, X, &o, &w, &ref);  /* measures */
    MTC_TRY(mtc_scratch(ctx, st.peak, &work));
    st = stack_within(work.at);
    mbc_assign_layout(&st, X, &o, &w, &ref);  /* carves */
    w.U = res->centers[task];
    if (o.divergence != NULL)
        mbc_set_reference(&w, &U, 0);  /* smooth is in U */
    km_assign(&w, labels);
    return mtc_scratch_end(ctx, &work, MTC_OK);
}

mtc_status mtc_mbc_centroid(mtc_context *ctx, const mtc_divergence *div,
    mtc_centroid how, size_t d, mtc_real A, mtc_real B, const mtc_real *left,
    const mtc_real *right, mtc_real *u)
{
    mtc_data L = mtc_dense(1, d, left), R = mtc_dense(1, d, right);
    MTC_TRY(mtc_data_sound(ctx, &L, 0));
    MTC_TRY(mtc_data_sound(ctx, &R, 1));
    MTC_TRY(check_domain(ctx, &L, div, 0));
    MTC_TRY(check_domain(ctx, &R, div, 1));
    REQUIRE(A > 0 && is_moderate(A) && is_moderate(B) &&
            (unsigned)how <= MTC_CENTROID_GEODESIC && u != NULL,
            "need A > 0, B >= 0, a centroid's kind, and u");
    mbc_problem m;
    mtc_stack st = {0};
    mtc_block work;
    mbc_layout_problem(&st, div, how, d, &m);  /* measures */
    MTC_TRY(mtc_scratch(ctx, st.peak, &work));
    st = stack_within(work.at);
    mbc_layout_problem(&st, div, how, d, &m);  /* carves */
    MTC_COPY(m.L, left, d);
    MTC_COPY(m.R, right, d);
    m.A = A / MTC_MAX(A, B);
    m.B = B / MTC_MAX(A, B);
    if (m.B > 0)
        mbc_solve(&m, NULL);
    MTC_COPY(u, m.B > 0 ? m.u : m.L, d);
    return mtc_scratch_end(ctx, &work, MTC_OK);
}

/* ==========================================================================
 * Chapter 16  MTCFIR: features and similarities that tasks share
 *
 * This is algorithm 1 of [ZZL19], built from the learners of chapters 3, 10, 11
 * and 12.  Samples are columns in the paper and rows here.
 *
 *   X_t   n_t x d    samples of task t; N of all tasks
 *   h^b   N x d      layer b of the shared features, b = 1..g; g is `layers`
 *   Z_t   n_t x D    [X_t, h^1 .. h^g], D = d (g+1); joined where D is small
 *   V_ts  n_t x n_s  cosines of Z_t and Z_s
 *   M_t   n_t x n_t  consistent similarities
 *   Y_t   n_t x k_t  soft clusters
 *
 *   A1  h^1 .. h^g of all tasks together     (algorithm 2, (4); chapter 11)
 *   A2  M_t for every task, from V           (algorithm 3, (8); chapter 12)
 *   A3  labels by k-means on Z_t, Y_t = indicator + .2        (section 3.5)
 *   A4  min_{Y >= 0} |M_t - Y Y'|^2 by (25), label = argmax of the row
 *                                        (algorithm 4, (21); chapter 10)
 *   A5  clusters take the numbers of task 0's
 * (2), (3), (7), (10) to (13), (15), (17), (18), (22) to (24) are for proofs.
 *
 * k-means needs only distances.  So if Z is wider than tall, A3 runs on the n_t
 * columns of E, with E E' = Z Z' + shift I, and not on d (g+1) columns.
 * Deviation: A5 is not in the paper.
 * Deviation: the paper says only that NI has no A2; here M is max(V_tt, 0).
 * Reference: [ZZL19].  A1 takes O(N^2 d g) time where d > N, A2 O(sum n_t^2 N)
 *   by cosines, a step of A4 O(nnz(M) k); memory is that of h, and V if whole.
 * ========================================================================== */

/* A3 and A4 of one task, in the memory of a lane. */
typedef struct fir_ws {
    int *start;               /* A3: [n] labels */
    int square, joined;       /* A3: is `rows` E or Z_t?  Neither: X_t */
    mtc_real *E, *length;     /* A3: [n*rows.d] E or Z_t; [n] |z_i| */
    void *work;               /* A3: for the root */
    mtc_data rows, M;         /* A3: what k-means runs on; A4: M_t */
    mtc_kmeans_options by_kmeans;
    mtc_snmf_options by_snmf;
    km_job kmeans;            /* A3: reads `rows` and `by_kmeans` */
    snmf_job snmf;            /* A4: reads `M` and `by_snmf` */
} fir_ws;

typedef struct fir_job {
    const mtc_data *tasks;
    size_t T, N, d, D;        /* D: width of Z */
    const mtc_mtcfir_options *o;
    mtc_mtcfir_result r;
    mtc_msda_options by_msda;
    mtc_consistent_options by_sim;
    msda_job msda;            /* A1 */
    sim_job sim;              /* A2 */
    int *labels;              /* result [N] */
    mtc_real *Y, *objective;  /* result [sum n k]; T [iterations+1] */
    size_t lanes, inner;      /* for tasks; of a task for A3's restarts */
    mtc_lane *lane;           /* [lanes] */
    size_t bytes;             /* of A3 and A4 for a task, */
    unsigned char *memory;    /* [lanes*bytes] which are here */
    mtc_real *anchor, *mean;  /* A5: [k*D] mean unit rows of task 0, of t */
    match_ws match;
} fir_job;

/* E E' = Z_t Z_t' + shift I, by Cholesky of z_i.z_k: cosines times lengths [n].
 * If Z Z' is singular (duplicates), a shift of the size of rounding grows until
 * the factorization succeeds: at the latest when the shift dominates, as 16^14
 * > 1 / eps.  The shift adds shift (n - k) to the loss of every partition into
 * k clusters, so k-means has the same optimum. */
static mtc_status fir_root(const fir_job *j, size_t t, mtc_real *length,
    mtc_real *E, void *work)
{
    size_t n = j->tasks[t].n, N = j->N, first = count_samples(j->tasks, t);
    const mtc_real *V = j->sim.V + first * (N + 1);  /* V_tt */
    mtc_real shift = 0, top = 0;
    mtc_status s = MTC_SINGULAR;
    for (size_t i = 0; i < n; i++) {
        mtc_real norm = j->sim.norm[first + i];  /* 1 / |z_i| */
        length[i] = norm > 0 ? 1 / norm : 0;
        top = length[i] > top ? length[i] : top;
    }
    mtc_real least = 4 * (mtc_real)n * MTC_EPS * (top > 0 ? top * top : 1);
    for (int tries = 0; tries < 16 && s != MTC_OK; tries++) {
        for (size_t i = 0; i < n; i++) {
            for (size_t k = 0; k < n; k++)
                E[i * n + k] = V[i * N + k] * (length[i] * length[k]);
            E[i * n + i] += shift;
        }
        s = mtc_cholesky(n, E, n, work);
        shift = shift > 0 ? 16 * shift : least;
    }
    return s;
}

/* Memory of A3 for task t. */
static void fir_layout_start(mtc_stack *st, const fir_job *j, size_t t,
    fir_ws *w)
{
    size_t n = j->tasks[t].n;
    w->square = j->sim.whole && j->D > n;
    w->joined = !w->square && j->D > j->d;
    size_t width = w->square ? n : w->joined ? j->D : 0;
    MTC_REALS(st, mtc_mul(n, width), &w->E);
    MTC_REALS(st, w->square ? n : 0, &w->length);
    w->work = mtc_take(st, w->square ? mtc_gemm_work(n, n, n) : 0, 1);
    w->rows = width > 0 ? mtc_dense(n, width, w->E) : j->tasks[t];
    w->by_kmeans = mtc_kmeans_defaults();
    w->by_kmeans.clusters = clusters_of(j->o, t);
    w->by_kmeans.restarts = j->o->restarts;
    w->kmeans = (km_job){.X = &w->rows, .o = &w->by_kmeans, .lanes = j->inner};
    km_layout(st, st, &w->kmeans);
}

/* Memory of A3 and then A4 for task t.  The jobs point into w. */
static void fir_layout_task(mtc_stack *st, const fir_job *j, size_t t,
    fir_ws *w)
{
    size_t n = j->tasks[t].n;
    int given = j->o->start_labels != NULL;
    w->start = MTC_TAKE(st, given ? 0 : n, int);
    size_t mark = st->used;
    if (!given)
        fir_layout_start(st, j, t, w);
    st->used = mark;
    w->M = mtc_shape(n, n, j->by_sim.direct ? 0 : 1);
    w->by_snmf = (mtc_snmf_options){.clusters = clusters_of(j->o, t),
                                    .iterations = j->o->iterations,
                                    .tolerance = j->o->tolerance,
                                    .start_labels = w->start};
    if (given)
        w->by_snmf.start_labels = j->o->start_labels[t];
    w->snmf = (snmf_job){.M = &w->M, .o = &w->by_snmf,
                         .crew = {.size = BLOCK_ROWS, .lanes = j->inner}};
    snmf_layout(st, st, &w->snmf);
}

/* A3: labels by k-means on the root E, if Z_t is wider than tall and V is
 * there, else on Z_t; without layers that is X_t itself. */
static mtc_status fir_start(mtc_context *ctx, const fir_job *j, size_t t,
    fir_ws *w)
{
    if (w->square)
        MTC_TRY(fir_root(j, t, w->length, w->E, w->work));
    if (w->joined)
        join_features(j->tasks, j->T, t, j->sim.h, j->sim.layers, w->E);
    MTC_TRY(km_work(ctx, &w->kmeans));
    MTC_COPY(w->start, w->kmeans.r.labels, j->tasks[t].n);
    return MTC_OK;
}

/* A3 and A4 of one task.  A4 factorizes M_t by [ZZL19] (25); a zero row of Y
 * keeps the label of A3. */
static mtc_status fir_task(mtc_context *ctx, void *job, size_t t, size_t lane)
{
    fir_job *j = (fir_job *)job;
    mtc_mtcfir_result *r = &j->r;
    fir_ws w;
    mtc_stack st = stack_within(j->memory + lane * j->bytes);
    fir_layout_task(&st, j, t, &w);
    if (j->o->start_labels == NULL)
        MTC_TRY(fir_start(ctx, j, t, &w));
    w.M = r->M[t];
    MTC_TRY(snmf_work(ctx, &w.snmf));
    const mtc_snmf_result *found = &w.snmf.r;
    r->iterations[t] = found->iterations;
    r->converged[t] = found->converged;
    r->k_effective[t] = found->k_effective;
    MTC_COPY(r->labels[t], found->labels, w.M.n);
    MTC_COPY(r->Y[t], found->Y, w.M.n * w.by_snmf.clusters);
    MTC_COPY(r->objective[t], found->objective, found->iterations + 1);
    return MTC_OK;
}

/* A5: clusters of task t take the numbers of those of task 0, if there are as
 * many and no start gave the numbers.  The means of their unit rows z/|z| are
 * compared; an empty cluster has no match. */
static mtc_status fir_number(mtc_context *ctx, fir_job *j, size_t t)
{
    mtc_mtcfir_result *r = &j->r;
    size_t n = j->tasks[t].n, d = j->d, first = count_samples(j->tasks, t);
    size_t k = r->clusters[t], *members = j->match.members;
    mtc_real *mean = t == 0 ? j->anchor : j->mean;
    r->matched[t] = t == 0;
    if (k != r->clusters[0] || j->o->start_labels != NULL)
        return MTC_OK;
    MTC_ZERO(mean, k * j->D);
    labels_used(n, r->labels[t], k, members);
    for (size_t b = 0; b * d < j->D; b++) {  /* X, then h^b */
        mtc_data part = j->tasks[t];
        if (b > 0)
            part = mtc_dense(n, d, j->sim.h + ((b - 1) * j->N + first) * d);
        for (size_t i = 0; i < n; i++) {
            size_t z = (size_t)r->labels[t][i];
            mtc_real scale = j->sim.norm[first + i] / (mtc_real)members[z];
            mtc_data_axpy(&part, i, scale, mean + z * j->D + b * d);
        }
    }
    if (t == 0)
        return MTC_OK;
    MTC_TRY(match_task(ctx, &j->match, j->anchor, mean, n, r->labels[t],
                       &r->matched[t]));
    match_lines(k, j->match.from, r->Y[t], 1, n, k);
    r->matched[t] &= r->k_effective[t] == k && r->k_effective[0] == k;
    return MTC_OK;
}

/* [ZZL19] algorithm 1.  The results of A1 and A2 are in the result's block. */
static mtc_status fir_work(mtc_context *ctx, void *job)
{
    fir_job *j = (fir_job *)job;
    mtc_mtcfir_result *r = &j->r;
    size_t T = j->T, first = 0, nk = 0;
    MTC_TRY(msda_work(ctx, &j->msda));  /* A1 */
    MTC_TRY(sim_work(ctx, &j->sim));    /* A2 */
    *r->features = j->msda.r;
    r->M = j->sim.r.M;
    r->neighbors = j->sim.r.neighbors;
    r->threshold = j->sim.r.threshold;
    r->alpha = j->sim.r.alpha;
    r->relatedness = j->sim.r.relatedness;
    for (size_t t = 0; t < T; t++) {
        r->clusters[t] = clusters_of(j->o, t);
        r->labels[t] = j->labels + first;
        r->Y[t] = j->Y + nk;
        r->objective[t] = j->objective + t * (j->o->iterations + 1);
        first += j->tasks[t].n;
        nk += j->tasks[t].n * r->clusters[t];
    }
    MTC_TRY(mtc_share(ctx, j->lanes, j->lane, T, fir_task, j));  /* A3, A4 */
    for (size_t t = 0; t < T; t++)
        MTC_TRY(fir_number(ctx, j, t));  /* A5 */
    return MTC_OK;
}

static mtc_status fir_check(mtc_context *ctx, const fir_job *j)
{
    const mtc_mtcfir_options *o = j->o;
    MTC_TRY(msda_check(ctx, &j->by_msda));
    MTC_TRY(sim_check(ctx, j->tasks, j->T, &j->by_sim));
    MTC_TRY(require(ctx, (unsigned)o->variant <= MTC_MTCFIR_NR,
                    "variant: need one of MTC_MTCFIR_*"));
    MTC_TRY(require(ctx, MTC_FINITE(o->tolerance), "tolerance: need a number"));
    MTC_TRY(require(ctx, o->restarts > 0, need_restarts));
    if (o->start_labels == NULL)
        return MTC_OK;
    for (size_t t = 0; t < j->T; t++)
        MTC_TRY(check_labels(ctx, o->start_labels[t], j->tasks[t].n,
                             clusters_of(o, t), t));
    return MTC_OK;
}

/* Sets sizes and the options of the parts: variants of [ZZL19] section 4.2. */
static fir_job fir_of(const mtc_context *ctx, const mtc_data *tasks, size_t T,
    const mtc_mtcfir_options *o)
{
    fir_job j = {.tasks = tasks, .T = T, .N = count_samples(tasks, T), .o = o,
                 .d = tasks[0].d};
    j.by_msda = (mtc_msda_options){
        .layers = o->variant == MTC_MTCFIR_NF ? 0 : o->layers,
        .noise = o->noise, .ridge = o->ridge};
    j.by_sim = (mtc_consistent_options){
        .clusters = o->clusters, .clusters_of = o->clusters_of,
        .neighbor_share = o->neighbor_share, .neighbors_of = o->neighbors_of,
        .uniform = o->variant == MTC_MTCFIR_NR,  /* nR: alpha = 1 */
        .direct = o->variant == MTC_MTCFIR_NI};  /* nI: M = max(V, 0) */
    j.D = mtc_mul(j.d, mtc_add(j.by_msda.layers, 1));
    size_t inner = mtc_lanes(ctx, o->restarts, mtc_mul(j.N, j.D));
    j.inner = inner / 2 >= T ? inner : 1;  /* if > 1, tasks take turns */
    j.lanes = j.inner > 1 ? 1 : mtc_lanes(ctx, T, mtc_mul(j.N, j.D));
    j.r = (mtc_mtcfir_result){.tasks = T, .n = j.N, .d = j.d};
    return j;
}

/* Y of all tasks is one piece.  A1 gives its scratch back before A2; what A2
 * leaves behind serves A3 and A5. */
static void fir_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    fir_job *j = (fir_job *)job;
    mtc_mtcfir_result *r = &j->r;
    mtc_stack one = stack_within(NULL);  /* the task that takes most */
    fir_ws w;
    size_t T = j->T, nk = 0, k0 = clusters_of(j->o, 0);
    j->lane = MTC_TAKE(tmp, j->lanes, mtc_lane);
    for (size_t t = 0; t < T; t++) {
        one.used = 0;
        fir_layout_task(&one, j, t, &w);
    }
    j->bytes = one.peak;
    j->memory = MTC_TAKE(tmp, mtc_mul(j->lanes, j->bytes), unsigned char);
    size_t mark = tmp->used;
    r->features = MTC_TAKE(own, 1, mtc_msda_result);  /* A1 */
    j->msda = msda_of(j->tasks, T, &j->by_msda, j->sim.crew.lanes);
    msda_layout(own, tmp, &j->msda);
    tmp->used = mark;
    j->sim.h = j->msda.r.h;
    sim_layout(own, tmp, &j->sim);        /* A2 */
    r->labels = MTC_TAKE(own, T, int *);  /* A4 */
    r->Y = MTC_TAKE(own, T, mtc_real *);
    r->objective = MTC_TAKE(own, T, mtc_real *);
    r->converged = MTC_TAKE(own, T, int);
    r->matched = MTC_TAKE(own, T, int);
    MTC_SIZES(own, T, &r->clusters, &r->iterations, &r->k_effective);
    j->labels = MTC_TAKE(own, j->N, int);
    MTC_REALS(own, mtc_mul(T, mtc_add(j->o->iterations, 1)), &j->objective);
    for (size_t t = 0; t < T; t++)
        nk = mtc_add(nk, mtc_mul(j->tasks[t].n, clusters_of(j->o, t)));
    MTC_REALS(own, nk, &j->Y);
    MTC_REALS(tmp, mtc_mul(k0, j->D), &j->anchor, &j->mean);  /* A5 */
    match_layout(tmp, k0, j->D, &j->match);
    j->match.layers = j->D / j->d;
}

mtc_mtcfir_options mtc_mtcfir_defaults(void)
{
    return (mtc_mtcfir_options){
        .clusters = 2, .layers = 3, .noise = (mtc_real)0.5,
        .ridge = (mtc_real)1e-5, .neighbor_share = (mtc_real)0.3,
        .iterations = 300, .tolerance = (mtc_real)1e-6, .restarts = 10};
}

mtc_status mtc_mtcfir(mtc_context *ctx, const mtc_data *tasks, size_t n_tasks,
    const mtc_mtcfir_options *opt, mtc_mtcfir_result *res)
{
    MTC_TRY(check_sets(ctx, tasks, n_tasks));
    fir_job job = fir_of(ctx, tasks, n_tasks, options_of(opt, mtcfir));
    MTC_TRY(fir_check(ctx, &job));
    job.sim = sim_of(ctx, tasks, n_tasks, job.by_msda.layers, &job.by_sim);
    return job_result(ctx, fir_layout, fir_work, &job, res);
}

/* ==========================================================================
 * Chapter 17  TTL: from a source to a target through bridges
 *
 * The source has labels, the target has none, and the two need not share a
 * single feature.  A bridge shares features with both, but has no labels.  Two
 * pairs of domains, called legs here, are factorized together:
 *
 *   leg     paper   near domain         far domain
 *   HAT     F^ A^   SOURCE  X_s G_s     BRIDGE  X_I G_I
 *   TILDE   F~ A~   VIEW    X_I G_I     TARGET  X_t G_t
 *
 *   min   sum over the four domains of |X - G A'F'|^2            [TSZX15] (7)
 *   for   F, A, G >= 0,  columns of F and rows of G of sum 1     [TSZX15] (8)
 *   with  F = [F1 F2],  A = [A1; A2]
 *
 * F1 and A1 are shared by the two domains of a leg, F2 and A2 are not.  G_s is
 * given by the labels.  VIEW is the bridge as leg TILDE sees it, with the same
 * G_I, and this is how labels travel.  One leg alone is [TSZX15] (6), one
 * domain alone [TSZX15] (5).
 *
 *   n samples, m features of a leg, c classes, p1 shared and p2 other clusters
 *
 *   paper      here                        shape
 *   X          X, one sample in each row   n x m (m x n in the paper)
 *   G          G                           n x c
 *   F1, A1     F, A of factor TTL_SHARED   m x p1, p1 x c
 *   F2, A2     F, A of TTL_NEAR, TTL_FAR   m x p2, p2 x c
 *   F A        C = F1 A1 + F2 A2           m x c
 *   X G        XG = X'G                    m x c
 *   N G        NG = C G'G                  m x c (N = F A G' is never formed)
 *   M, T       XG A', NG A'                m x p (tables 3 and 7)
 *
 * m is large, so matrices with m rows above are stored transposed.  This is
 * algorithm 1 of the paper; every update uses the latest values:
 *
 *   T1  start   F and A random; G by logistic regression, from source to bridge
 *               and from bridge to target, or random (line 2 does not say)
 *   T2  F, A    in every leg, with sums over both domains for F1 and A1:
 *                 F *= M / T                              [TSZX15] (9), (12)
 *                 A *= F'XG / F'NG                             [TSZX15] (12)
 *   T3  G       G *= X C / (G C'C), both legs for G_I       [TSZX15] (9), (12)
 *   T4  sums    columns of F and rows of G to sum 1        [TSZX15] (10), (13)
 *   T5  again   from T2; the label of a sample is the largest entry of its G
 *
 * (7) may rise: T4 does not make up for the scale of a row of G.
 *
 * Deviation: rows of A take up the scale of F's columns in T4.  C and (7) stay
 *   as they are, and once, at the end, is enough.
 * Deviation: samples are scaled to sum 1.  In sparse data, features are
 *   weighted by idf before that; the regressions of T1 use the weights, too.
 * Deviation: several sources are stacked, and so are several bridges.  Bridges
 *   may have other features in leg TILDE than in leg HAT.
 * Deviation: rows of G_I and G_t whose label is known are fixed, like G_s.
 * Deviation of the repaired variant, the default: leg HAT has the first half of
 *   the iterations, leg TILDE the second, with G_I fixed.  In between the
 *   target is learned again, from the classes that leg HAT found.  Leg TILDE
 *   starts from the geometric mean of both answers.
 * Reference: [TSZX15]; errata are in examples/experiments/tan-2015.md.  Section
 * 3 of the paper, the choice of a bridge, is at the end of the chapter, with
 * two deviations.  Cost of an iteration: O(c nnz + m p c + (n + m) c^2).
 * ========================================================================== */

#define TTL_FLOOR ((mtc_real)0.01)  /* added to starts, where a 0 would stay */
#define TTL_ASSIGN_STEPS 200        /* of T3, for a new sample */

enum { TTL_HAT, TTL_TILDE, TTL_LEGS };
enum { TTL_SOURCE, TTL_BRIDGE, TTL_VIEW, TTL_TARGET, TTL_DOMAINS };

#define ttl_near(leg) (2 * (leg))  /* the domains of a leg */
#define ttl_far(leg) (2 * (leg) + 1)
#define ttl_leg(domain) ((domain) / 2)

/* Factors of a leg, as in mtc_ttl_factors: F1 A1, F2 A2 near, F2 A2 far. */
enum { TTL_SHARED, TTL_NEAR, TTL_FAR, TTL_FACTORS };

/* X and G of a domain, and C of its term |X - G C'|^2 of (7). */
typedef struct ttl_domain {
    const mtc_data *sets;       /* [count] as given */
    size_t count;
    size_t task;                /* number of the first, for messages */
    const int *const *known;    /* [count] labels, or NULL */
    mtc_data X;                 /* all sets, stacked, weighted and scaled */
    mtc_real square;            /* |X|^2 */
    mtc_real *used;             /* [m] 1: some sample has the feature; else 0 */
    mtc_real *G;                /* [X.n*c] VIEW has that of BRIDGE, */
    int *y;                     /* [X.n] and the labels that G stands for */
    mtc_real *XG, *GG;          /* [c*m] [c*c] X'G, G'G */
    mtc_real *C, *CC;           /* [c*m] [c*c] F1 A1 + F2 A2, C'C */
} ttl_domain;

typedef struct ttl_factor {  /* F1 and A1, or F2 and A2 */
    size_t m, p;
    mtc_real *F;             /* [p*m] */
    mtc_real *A;             /* [p*c] */
    mtc_real *FA;            /* [c*m] F A */
    mtc_real *result_F;      /* [m*p] */
} ttl_factor;

typedef struct ttl_lesson {  /* of T1: G of a leg's far domain is learned */
    int learns;              /* 0: the start is given, or random */
    mtc_data X, Y;           /* rows of the near domain, of the far one */
    mtc_real *answer;        /* [Y.n*c] probabilities */
    mtc_logistic_options o;
    logistic_job fit;        /* near labels from X */
} ttl_lesson;

typedef struct ttl_job {
    const mtc_ttl_options *o;
    mtc_ttl_result r;
    size_t c, m[TTL_LEGS];
    int alike;                   /* 1: all domains have the same features */
    ttl_domain domain[TTL_DOMAINS];
    ttl_factor factor[TTL_LEGS][TTL_FACTORS];
    ttl_lesson lesson[TTL_LEGS];
    mtc_real *weight[TTL_LEGS];  /* [m] of features */
    mtc_real *sum_XG, *sum_NG;   /* [c*m] over the domains that have a factor */
    mtc_real *up, *down;         /* numerator, denominator of an update */
    mtc_real *tall;              /* [m*c] an XG or a C, not transposed */
    mtc_real *sum_CC;            /* [c*c] over the domains with one G */
    size_t *count;               /* [c] known samples of each class */
    void *work;                  /* for products */
} ttl_job;

/* ---- T1: data ---------------------------------------------------------- */

/* Deviation: weights of the features of a leg.  If n_e of N samples have
 * feature e, in all domains that may have it,
 *   idf_e = ln((1 + N) / (1 + n_e)) / ln(1 + N)
 * which is in 0..1; or all weights are 1.  If all samples have all features,
 * idf would leave nothing: it is refused. */
static mtc_status ttl_weigh(mtc_context *ctx, const ttl_job *j, size_t leg)
{
    int idf = j->o->feature_weights == MTC_TTL_WEIGHTS_IDF;
    size_t N = 0, m = j->m[leg];
    mtc_real *w = j->weight[leg];
    double filled = 0, left = 0;  /* values above 0; the sum of their weights */
    MTC_ZERO(w, m);
    for (size_t at = 0; at < TTL_DOMAINS; at++) {
        const ttl_domain *d = &j->domain[at];
        if (j->alike ? at == TTL_VIEW : ttl_leg(at) != leg)
            continue;  /* the bridges again, or another leg */
        for (size_t s = 0; s < d->count; s++)
            count_having(&d->sets[s], w);
        N += d->X.n;
    }
    for (size_t e = 0; e < m; e++)
        filled += (double)w[e];
    if (j->o->feature_weights == MTC_TTL_WEIGHTS_AUTO)
        idf = j->o->variant == MTC_TTL_REPAIRED && is_sparse(filled, N, m);
    mtc_real log_N = mtc_log(1 + (mtc_real)N);
    for (size_t e = 0; e < m; e++) {
        mtc_real having = w[e];
        w[e] = idf ? 1 - mtc_log(1 + having) / log_N : 1;
        left += (double)(w[e] * having);
    }
    return require(ctx, left > 0 || !(filled > 0), "feature_weights: idf is 0, "
                   "as every sample has every feature");
}

/* X = a copy of the sets with every feature times its weight, then every row
 * scaled to sum or length 1.  A zero row stays. */
static void ttl_copy(const mtc_data *sets, size_t n_sets, mtc_ttl_rows how,
    const mtc_real *weight, mtc_data *X)
{
    mtc_real *values = (mtc_real *)X->values;
    int by_sum = how == MTC_TTL_ROWS_SUM;
    stack_fill(sets, n_sets, X);
    for (size_t i = 0; i < X->n; i++) {
        size_t begin = row_begin(X, i), end = row_end(X, i);
        mtc_real norm = 0;
        for (size_t e = begin; e < end; e++) {
            values[e] *= weight[entry_column(X, begin, e)];
            norm += by_sum ? values[e] : values[e] * values[e];
        }
        if (how == MTC_TTL_ROWS_AS_GIVEN || !(norm > 0))
            continue;
        norm = by_sum ? norm : MTC_SQRT(norm);
        for (size_t e = begin; e < end; e++)
            values[e] /= norm;
    }
}

/* Copies the data of all domains.  Refuses a leg whose domains share no
 * feature, unless one of them is all zeros. */
static mtc_status ttl_load(mtc_context *ctx, ttl_job *j)
{
    static const char *const message[TTL_LEGS] = {
        "bridge: shares no feature with the source",
        "bridge: shares no feature with the target"};
    MTC_TRY(ttl_weigh(ctx, j, TTL_HAT));
    MTC_TRY(ttl_weigh(ctx, j, TTL_TILDE));
    for (size_t at = 0; at < TTL_DOMAINS; at++) {
        ttl_domain *d = &j->domain[at];
        ttl_copy(d->sets, d->count, j->o->rows, j->weight[ttl_leg(at)], &d->X);
        d->square = squared_norm(&d->X);
        MTC_ZERO(d->used, d->X.d);
        count_having(&d->X, d->used);
        for (size_t e = 0; e < d->X.d; e++)
            d->used[e] = d->used[e] > 0;
    }
    for (size_t leg = 0; leg < TTL_LEGS; leg++) {
        const ttl_domain *near = &j->domain[ttl_near(leg)];
        const ttl_domain *far = &j->domain[ttl_far(leg)];
        mtc_real both = mtc_dot(j->m[leg], near->used, far->used);
        j->r.shared[leg] = (size_t)both;
        if (both == 0 && near->square > 0 && far->square > 0)
            return mtc_fail(ctx, MTC_INVALID, message[leg],
                            j->domain[TTL_BRIDGE].task, MTC_NONE, MTC_NONE);
    }
    return MTC_OK;
}

/* ---- T1: start --------------------------------------------------------- */

/* Finds the labels: the largest entry in each row of G. */
static void ttl_read_labels(size_t c, const ttl_domain *d)
{
    for (size_t i = 0; i < d->X.n; i++)
        d->y[i] = (int)argmax(c, d->G + i * c);
}

/* Learns G of the far domain of a leg from the labels of the near domain, on
 * the features that the source uses in leg HAT, and the target in leg TILDE.  G
 * stays soft: if all samples are put in one class, their order may still be
 * right.  The second time, G becomes the geometric mean of the old G and the
 * new answer. */
static mtc_status ttl_learn(mtc_context *ctx, ttl_job *j, size_t leg, int again)
{
    const ttl_domain *near = &j->domain[ttl_near(leg)];
    const ttl_domain *far = &j->domain[ttl_far(leg)];
    ttl_lesson *lesson = &j->lesson[leg];
    size_t end = leg == TTL_HAT ? TTL_SOURCE : TTL_TARGET;
    const mtc_real *used = j->domain[end].used;
    ttl_copy(&near->X, 1, MTC_TTL_ROWS_LENGTH, used, &lesson->X);
    ttl_copy(&far->X, 1, MTC_TTL_ROWS_LENGTH, used, &lesson->Y);
    ttl_read_labels(j->c, near);
    MTC_TRY(logistic_work(ctx, &lesson->fit));
    MTC_TRY(mtc_logistic_assign(ctx, &lesson->Y, &lesson->fit.r, NULL,
                                lesson->answer));
    for (size_t i = 0; i < far->X.n * j->c; i++) {
        mtc_real soft = lesson->answer[i] + TTL_FLOOR / (mtc_real)j->c;
        far->G[i] = again ? MTC_SQRT(far->G[i] * soft) : soft;
    }
    return MTC_OK;
}

/* count [c]: the samples of any domain whose label is known, by class. */
static void ttl_count_known(const ttl_job *j)
{
    MTC_ZERO(j->count, j->c);
    for (size_t at = 0; at < TTL_DOMAINS; at++) {
        const ttl_domain *d = &j->domain[at];
        for (size_t s = 0; s < d->count; s++) {
            const int *known = d->known != NULL ? d->known[s] : NULL;
            size_t n = known != NULL ? d->sets[s].n : 0;
            for (size_t i = 0; i < n; i++)
                if (known[i] >= 0)
                    j->count[known[i]]++;
        }
    }
}

/* T1 for G of the far domain of a leg.  A given start is used first, else a
 * learned one, else a random one.  A learned or random G is 0 for classes
 * without a label, and a 0 stays 0.  Numbers are drawn in any case, so that the
 * numbers of leg TILDE do not depend on the start of leg HAT. */
static mtc_status ttl_start_G(mtc_context *ctx, ttl_job *j, size_t leg,
    mtc_random *rng)
{
    const ttl_domain *far = &j->domain[ttl_far(leg)];
    const mtc_ttl_factors *given = j->o->start_factors;
    const int *labels = leg == TTL_TILDE ? j->o->start_labels : NULL;
    size_t c = j->c, size = far->X.n * c;
    for (size_t i = 0; i < size; i++)
        far->G[i] = mtc_random_real(rng) + TTL_FLOOR;
    if (j->lesson[leg].learns)
        MTC_TRY(ttl_learn(ctx, j, leg, 0));
    for (size_t i = 0; i < size; i++)
        far->G[i] = j->count[i % c] > 0 ? far->G[i] : 0;
    if (given != NULL) {
        MTC_COPY(far->G, leg == TTL_HAT ? given->bridge : given->target, size);
    } else if (labels != NULL) {
        for (size_t i = 0; i < far->X.n; i++)
            for (size_t z = 0; z < c; z++)  /* no known class starts at 0 */
                far->G[i * c + z] = (j->count[z] > 0 ? (mtc_real)0.2 : 0) +
                                    (mtc_real)(labels[i] == (int)z);
    }
    return MTC_OK;
}

/* Scales a column of F to sum 1 and returns its old sum.  A column with a sum
 * so small that 1/sum overflows stays. */
static mtc_real ttl_unit_column(size_t m, mtc_real *F)
{
    mtc_real sum = 0;
    for (size_t e = 0; e < m; e++)
        sum += F[e];
    if (!MTC_FINITE(1 / sum))
        return 1;
    for (size_t e = 0; e < m; e++)
        F[e] *= 1 / sum;
    return sum;
}

/* T1 for F and A: takes those of the caller, or draws them. */
static void ttl_start_factor(const mtc_real *given_F, const mtc_real *given_A,
    size_t c, ttl_factor *f, mtc_random *rng)
{
    size_t m = f->m, p = f->p;
    if (given_F != NULL) {
        transpose(m, p, given_F, f->F);
        MTC_COPY(f->A, given_A, p * c);
        return;
    }
    for (size_t e = 0; e < m; e++)
        for (size_t k = 0; k < p; k++)
            f->F[k * m + e] = mtc_random_real(rng) + TTL_FLOOR;
    for (size_t k = 0; k < p; k++)
        ttl_unit_column(m, f->F + k * m);
    for (size_t z = 0; z < p * c; z++)
        f->A[z] = mtc_random_real(rng) + TTL_FLOOR;
}

/* ---- T2: factors ----------------------------------------------------------
 * Lemma 1 without the Lagrangians of [TSZX15] (11), (14)-(16): for one block x,
 * all others held, half of (7) is q(x) = x'Qx/2 + (v - u)'x + constant, where
 * Q, u and v have no negative entry.  u is the numerator of (9), (12), Q x + v
 * the denominator; v comes from the other factors in N.  Then x u / (Q x + v)
 * by entries does not raise q (Lee & Seung 2001). */

/* x [n] *= up / down, the form of every update.  A ratio with down = 0 counts
 * as 0, a ratio above 1/eps as 1/eps.  Dividing before choosing vectorizes. */
static void ttl_multiply(size_t n, const mtc_real *up, const mtc_real *down,
    mtc_real *restrict x)
{
    const mtc_real most = 1 / MTC_EPS;
    for (size_t k = 0; k < n; k++) {
        mtc_real ratio = up[k] / down[k];
        ratio = ratio < most ? ratio : most;
        x[k] *= down[k] > 0 ? ratio : 0;
    }
}

/* F *= M / T,  M = XG A',  T = NG A', a column at a time [TSZX15] (9), (12) */
static void ttl_update_F(const ttl_job *j, ttl_factor *f)
{
    size_t c = j->c, m = f->m;
    for (size_t k = 0; k < f->p; k++) {
        const mtc_real *a = f->A + k * c;
        mtc_gemm(0, 0, 1, m, c, 1, a, c, j->sum_XG, m, 0, j->up, m, NULL);
        mtc_gemm(0, 0, 1, m, c, 1, a, c, j->sum_NG, m, 0, j->down, m, NULL);
        ttl_multiply(m, j->up, j->down, f->F + k * m);
    }
}

/* A *= F'XG / F'NG          [TSZX15] (12), and for A~, which (9) leaves out */
static void ttl_update_A(const ttl_job *j, ttl_factor *f)
{
    size_t c = j->c, m = f->m, p = f->p;
    mtc_gemm(0, 1, p, c, m, 1, f->F, m, j->sum_XG, m, 0, j->up, c, j->work);
    mtc_gemm(0, 1, p, c, m, 1, f->F, m, j->sum_NG, m, 0, j->down, c, j->work);
    ttl_multiply(p * c, j->up, j->down, f->A);
}

/* sum_XG, sum_NG = the sums over the domains of a leg that have factor i. */
static void ttl_sum_domains(const ttl_job *j, size_t leg, size_t i)
{
    size_t c = j->c, m = j->m[leg];
    MTC_ZERO(j->sum_XG, m * c);
    MTC_ZERO(j->sum_NG, m * c);
    for (size_t at = ttl_near(leg); at <= ttl_far(leg); at++) {
        const ttl_domain *d = &j->domain[at];
        if (i != TTL_SHARED && i != TTL_NEAR + at % 2)
            continue;
        mtc_axpy(m * c, 1, d->XG, j->sum_XG);
        mtc_gemm(0, 0, c, m, c, 1, d->GG, c, d->C, m, 1, j->sum_NG, m, NULL);
    }
}

/* FA = F A, after either has changed. */
static void ttl_renew_FA(size_t c, ttl_factor *f)
{
    mtc_gemm(1, 0, c, f->m, f->p, 1, f->A, c, f->F, f->m, 0, f->FA, f->m, NULL);
}

/* Updates C of both domains of a leg, after an FA has changed, */
static void ttl_renew_C(const ttl_job *j, size_t leg)
{
    const ttl_factor *f = j->factor[leg];
    for (size_t e = 0; e < j->m[leg] * j->c; e++) {
        j->domain[ttl_near(leg)].C[e] = f[TTL_SHARED].FA[e] + f[TTL_NEAR].FA[e];
        j->domain[ttl_far(leg)].C[e] = f[TTL_SHARED].FA[e] + f[TTL_FAR].FA[e];
    }
}

/* and C'C. */
static void ttl_renew_CC(const ttl_job *j, size_t leg)
{
    size_t c = j->c, m = j->m[leg];
    for (size_t at = ttl_near(leg); at <= ttl_far(leg); at++)
        mtc_syrk(0, c, m, 1, j->domain[at].C, m, 0, j->domain[at].CC, c, NULL);
}

/* T2 for one leg, in the order of [TSZX15] (9), (12): F1 and F2 of both
 * domains, then A1 and A2.  Each uses the C that the last one left. */
static void ttl_update_leg(ttl_job *j, size_t leg)
{
    ttl_factor *factor = j->factor[leg];
    for (size_t i = 0; i < TTL_FACTORS; i++) {
        ttl_sum_domains(j, leg, i);
        ttl_update_F(j, &factor[i]);
        ttl_renew_FA(j->c, &factor[i]);
        ttl_renew_C(j, leg);
    }
    for (size_t i = 0; i < TTL_FACTORS; i++) {
        ttl_sum_domains(j, leg, i);
        ttl_update_A(j, &factor[i]);
        ttl_renew_FA(j->c, &factor[i]);
        ttl_renew_C(j, leg);
    }
    ttl_renew_CC(j, leg);
}

/* ---- T3: classes ------------------------------------------------------- */

/* G *= X C / (G C'C), the last lines of [TSZX15] (9), (12), for the one G of
 * domains first..last: of TARGET, of BRIDGE and VIEW, or of BRIDGE alone if leg
 * TILDE is held. */
static void ttl_update_G(const ttl_job *j, size_t first, size_t last)
{
    mtc_real *G = j->domain[first].G;
    size_t c = j->c, n = j->domain[first].X.n;
    MTC_ZERO(j->up, n * c);
    MTC_ZERO(j->sum_CC, c * c);
    for (size_t at = first; at <= last; at++) {
        const ttl_domain *d = &j->domain[at];
        transpose(c, d->X.d, d->C, j->tall);
        mtc_data_times(&d->X, c, j->tall, c, j->down, c, j->work);
        mtc_axpy(n * c, 1, j->down, j->up);
        mtc_axpy(c * c, 1, d->CC, j->sum_CC);
    }
    mtc_gemm(0, 0, n, c, c, 1, G, c, j->sum_CC, c, 0, j->down, c, NULL);
    ttl_multiply(n * c, j->up, j->down, G);
}

/* ---- T4: sums of 1 ----------------------------------------------------- */

static void ttl_renew_XG(const ttl_job *j, size_t at)
{
    const ttl_domain *d = &j->domain[at];
    size_t c = j->c;
    mtc_data_transpose_times(&d->X, c, d->G, c, j->tall, c, j->work);
    transpose(d->X.d, c, j->tall, d->XG);
    mtc_syrk(1, c, d->X.n, 1, d->G, c, 0, d->GG, c, NULL);
}

/* Scales a row of G to sum 1 [TSZX15] (10), (13).  A row of zeros becomes 1/c.
 * A row with a known label (not -1), as all of G_s, becomes 1 at this label. */
static void ttl_normalize_row(size_t c, int known, mtc_real *g)
{
    mtc_real sum = 0;
    for (size_t z = 0; z < c; z++) {
        g[z] = known < 0 ? g[z] : known == (int)z;
        sum += g[z];
    }
    for (size_t z = 0; z < c; z++)
        g[z] = sum > 0 ? g[z] / sum : 1 / (mtc_real)c;
}

/* T4 for G of a domain; XG, GG follow.  Every change of a G ends here. */
static void ttl_normalize_G(const ttl_job *j, size_t at)
{
    const ttl_domain *d = &j->domain[at];
    mtc_real *g = d->G;
    for (size_t s = 0; s < d->count; s++) {
        const int *known = d->known != NULL ? d->known[s] : NULL;
        for (size_t i = 0; i < d->sets[s].n; i++, g += j->c)
            ttl_normalize_row(j->c, known != NULL ? known[i] : -1, g);
    }
    ttl_renew_XG(j, at);
    if (at == TTL_BRIDGE)
        ttl_renew_XG(j, TTL_VIEW);
}

/* T4 for F [TSZX15] (10), (13).  Deviation: A takes up the scale of the
 * columns, so that F A stays. */
static void ttl_normalize_F(size_t c, ttl_factor *f)
{
    for (size_t k = 0; k < f->p; k++) {
        mtc_real sum = ttl_unit_column(f->m, f->F + k * f->m);
        for (size_t z = 0; z < c; z++)
            f->A[k * c + z] *= sum;
    }
}

/* ---- T5: the run, in phases: some legs move, the others are held ------- */

/* The part of [TSZX15] (7) of legs first..last, without forming a residual:
 *   |X - G C'|^2 = |X|^2 - 2 <C, X'G> + <C'C, G'G>
 * It is 0 if rounding takes it below 0. */
static mtc_real ttl_objective(const ttl_job *j, size_t first, size_t last)
{
    size_t c = j->c;
    mtc_real sum = 0;
    for (size_t at = ttl_near(first); at <= ttl_far(last); at++) {
        const ttl_domain *d = &j->domain[at];
        mtc_real f = d->square - 2 * mtc_dot(d->X.d * c, d->C, d->XG) +
                     mtc_dot(c * c, d->CC, d->GG);
        sum += f < 0 ? 0 : f;
    }
    return sum;
}

/* Records the present value of (7). */
static mtc_status ttl_record(const ttl_job *j)
{
    mtc_real f = ttl_objective(j, TTL_HAT, TTL_TILDE);
    j->r.objective[j->r.iterations] = f;
    return MTC_FINITE(f) ? MTC_OK : MTC_DOMAIN;  /* overflow */
}

/* Runs T2 to T4 on legs first..last, until their part of (7) falls no more.  A
 * run converges if all its phases do.  ttl_finish scales F, once. */
static mtc_status ttl_run_phase(mtc_context *ctx, ttl_job *j, size_t first,
    size_t last, size_t iterations)
{
    mtc_ttl_result *r = &j->r;
    mtc_real tolerance = j->o->tolerance, before = 0;
    int still = 0;
    for (size_t k = 0; k < iterations && !still; k++) {
        MTC_TRY(mtc_tick(ctx, "ttl", r->iterations, j->o->iterations));
        for (size_t leg = first; leg <= last; leg++)
            ttl_update_leg(j, leg);
        if (first == TTL_HAT) {
            ttl_update_G(j, TTL_BRIDGE,
                         last == TTL_TILDE ? TTL_VIEW : TTL_BRIDGE);
            ttl_normalize_G(j, TTL_BRIDGE);
        }
        if (last == TTL_TILDE) {
            ttl_update_G(j, TTL_TARGET, TTL_TARGET);
            ttl_normalize_G(j, TTL_TARGET);
        }
        r->iterations++;
        MTC_TRY(ttl_record(j));
        if (tolerance > 0) {
            mtc_real f = ttl_objective(j, first, last);
            still = k > 0 && before - f <= tolerance * before;
            before = f;
        }
    }
    r->converged &= still;
    return MTC_OK;
}

static mtc_status ttl_start(mtc_context *ctx, ttl_job *j)
{
    mtc_random of_F = mtc_stream(ctx, 0), of_G = mtc_stream(ctx, 1);
    const mtc_ttl_factors *given = j->o->start_factors;
    ttl_count_known(j);
    ttl_normalize_G(j, TTL_SOURCE);
    for (size_t leg = 0; leg < TTL_LEGS; leg++) {
        MTC_TRY(ttl_start_G(ctx, j, leg, &of_G));
        ttl_normalize_G(j, ttl_far(leg));
        for (size_t i = 0; i < TTL_FACTORS; i++) {
            ttl_factor *f = &j->factor[leg][i];
            ttl_start_factor(given != NULL ? given->F[leg][i] : NULL,
                             given != NULL ? given->A[leg][i] : NULL, j->c, f,
                             &of_F);
            ttl_renew_FA(j->c, f);
        }
        ttl_renew_C(j, leg);
        ttl_renew_CC(j, leg);
    }
    return ttl_record(j);
}

/* Fills in labels, factors, and what mtc_ttl_assign needs. */
static void ttl_finish(ttl_job *j)
{
    mtc_ttl_result *r = &j->r;
    const ttl_domain *bridge = &j->domain[TTL_BRIDGE];
    const ttl_domain *target = &j->domain[TTL_TARGET];
    size_t c = j->c;
    ttl_read_labels(c, bridge);
    ttl_read_labels(c, target);
    r->bridge_labels = bridge->y;
    r->bridge = r->factors.bridge = bridge->G;
    r->labels = target->y;
    r->target = r->factors.target = target->G;
    r->k_effective = labels_used(r->n, r->labels, c, j->count);
    transpose(c, r->d, target->C, r->center);
    MTC_COPY(r->gram, target->CC, c * c);
    for (size_t leg = 0; leg < TTL_LEGS; leg++)
        for (size_t i = 0; i < TTL_FACTORS; i++) {
            ttl_factor *f = &j->factor[leg][i];
            ttl_normalize_F(c, f);
            transpose(f->p, f->m, f->F, f->result_F);
            r->factors.F[leg][i] = f->result_F;
            r->factors.A[leg][i] = f->A;
        }
}

/* Runs algorithm 1 or, as a deviation, leg by leg.  The target is then learned
 * again in between, which changes (7), unless the caller gave its start. */
static mtc_status ttl_work(mtc_context *ctx, void *job)
{
    ttl_job *j = (ttl_job *)job;
    size_t all = j->o->iterations, half = all / 2;
    MTC_TRY(ttl_load(ctx, j));
    MTC_TRY(ttl_start(ctx, j));
    if (j->o->variant == MTC_TTL_PUBLISHED) {
        MTC_TRY(ttl_run_phase(ctx, j, TTL_HAT, TTL_TILDE, all));
    } else {
        MTC_TRY(ttl_run_phase(ctx, j, TTL_HAT, TTL_HAT, half));
        if (j->lesson[TTL_TILDE].learns)
            MTC_TRY(ttl_learn(ctx, j, TTL_TILDE, 1));
        ttl_normalize_G(j, TTL_TARGET);
        MTC_TRY(ttl_record(j));
        MTC_TRY(ttl_run_phase(ctx, j, TTL_TILDE, TTL_TILDE, all - half));
    }
    ttl_finish(j);
    return MTC_OK;
}

/* ---- checks and memory ------------------------------------------------- */

static mtc_status ttl_check_options(mtc_context *ctx, const mtc_ttl_options *o)
{
    REQUIRE(count_fits(o->classes, INT_MAX), "classes: need 1 or more");
    REQUIRE(count_fits(o->common, o->features), "common: need 1..features");
    REQUIRE((unsigned)o->variant <= MTC_TTL_PUBLISHED,
            "variant: need one of mtc_ttl_variant");
    REQUIRE((unsigned)o->start <= MTC_TTL_START_RANDOM,
            "start: need one of MTC_TTL_START_*");
    REQUIRE((unsigned)o->rows <= MTC_TTL_ROWS_AS_GIVEN,
            "rows: need one of MTC_TTL_ROWS_*");
    REQUIRE((unsigned)o->feature_weights <= MTC_TTL_WEIGHTS_NONE,
            "feature_weights: need one of MTC_TTL_WEIGHTS_*");
    return require(ctx, in_range(o->tolerance, 0, MTC_HUGE),
                   "tolerance: need 0 or more");
}

/* Checks set i of a domain and its known labels. */
static mtc_status ttl_check_set(mtc_context *ctx, const ttl_job *j, size_t at,
    size_t i)
{
    const ttl_domain *d = &j->domain[at];
    const mtc_data *X = &d->sets[i];
    const int *known = d->known != NULL ? d->known[i] : NULL;
    size_t task = d->task + i, rows = known != NULL ? X->n : 0;
    MTC_TRY(mtc_data_check(ctx, X, task));
    MTC_TRY(mtc_data_positive(ctx, X, task));
    if (X->d != j->m[ttl_leg(at)] ||
        (at == TTL_VIEW && X->n != j->domain[TTL_BRIDGE].sets[i].n))
        return mtc_fail(ctx, MTC_INVALID, "features, or views, differ", task,
                        MTC_NONE, MTC_NONE);
    if (at == TTL_SOURCE)
        return check_labels(ctx, known, X->n, j->c, task);
    for (size_t row = 0; row < rows; row++)
        if (known[row] < -1 || known[row] >= (int)j->c)
            return mtc_fail(ctx, MTC_INVALID, "known: need -1 or a class",
                            task, row, MTC_NONE);
    return MTC_OK;
}

/* Checks a given start, which needs no F2 and A2 if all features are common. */
static mtc_status ttl_check_start(mtc_context *ctx, const ttl_job *j,
    const mtc_ttl_factors *given)
{
    size_t factors = j->r.own > 0 ? TTL_FACTORS : TTL_SHARED + 1;
    size_t bridge = j->domain[TTL_BRIDGE].task;
    const mtc_data G_I = mtc_dense(j->r.bridge_n, j->c, given->bridge);
    const mtc_data G_t = mtc_dense(j->r.n, j->c, given->target);
    for (size_t leg = 0; leg < TTL_LEGS; leg++)
        for (size_t i = 0; i < factors; i++) {
            size_t p = i == TTL_SHARED ? j->r.common : j->r.own;
            const mtc_data F = mtc_dense(j->m[leg], p, given->F[leg][i]);
            const mtc_data A = mtc_dense(p, j->c, given->A[leg][i]);
            MTC_TRY(mtc_data_positive(ctx, &F, bridge));
            MTC_TRY(mtc_data_positive(ctx, &A, bridge));
        }
    MTC_TRY(mtc_data_positive(ctx, &G_I, bridge));
    return mtc_data_positive(ctx, &G_t, j->domain[TTL_TARGET].task);
}

static mtc_status ttl_check(mtc_context *ctx, const ttl_job *j)
{
    for (size_t at = 0; at < TTL_DOMAINS; at++)
        for (size_t i = 0; i < j->domain[at].count; i++)
            MTC_TRY(ttl_check_set(ctx, j, at, i));
    if (j->o->start_factors != NULL)
        MTC_TRY(ttl_check_start(ctx, j, j->o->start_factors));
    return check_start(ctx, j->o->start_labels, j->r.n, j->c,
                       j->domain[TTL_TARGET].task);
}

static void ttl_layout_domain(mtc_stack *own, mtc_stack *tmp, ttl_job *j,
    size_t at)
{
    ttl_domain *d = &j->domain[at];
    const ttl_domain *bridge = &j->domain[TTL_BRIDGE];
    size_t c = j->c, m = j->m[ttl_leg(at)];
    stack_layout(tmp, d->sets, d->count, &d->X);
    MTC_REALS(tmp, m, &d->used);
    MTC_REALS(tmp, mtc_mul(m, c), &d->XG, &d->C);
    MTC_REALS(tmp, mtc_mul(c, c), &d->GG, &d->CC);
    if (at == TTL_VIEW) {
        d->G = bridge->G;
        d->y = bridge->y;
        return;
    }
    mtc_stack *st = at == TTL_SOURCE ? tmp : own;
    d->G = MTC_TAKE(st, mtc_mul(d->X.n, c), mtc_real);
    d->y = MTC_TAKE(st, d->X.n, int);
}

static void ttl_layout_factors(mtc_stack *own, mtc_stack *tmp, ttl_job *j)
{
    for (size_t leg = 0; leg < TTL_LEGS; leg++)
        for (size_t i = 0; i < TTL_FACTORS; i++) {
            ttl_factor *f = &j->factor[leg][i];
            f->m = j->m[leg];
            f->p = i == TTL_SHARED ? j->r.common : j->r.own;
            MTC_REALS(own, mtc_mul(f->m, f->p), &f->result_F);
            MTC_REALS(own, mtc_mul(f->p, j->c), &f->A);
            MTC_REALS(tmp, mtc_mul(f->m, f->p), &f->F);
            MTC_REALS(tmp, mtc_mul(f->m, j->c), &f->FA);
        }
}

/* The two legs learn one after the other, in the same memory. */
static void ttl_layout_lessons(mtc_stack *tmp, ttl_job *j)
{
    size_t mark = tmp->used;
    for (size_t leg = 0; leg < TTL_LEGS; leg++) {
        const ttl_domain *near = &j->domain[ttl_near(leg)];
        const ttl_domain *far = &j->domain[ttl_far(leg)];
        ttl_lesson *lesson = &j->lesson[leg];
        if (!lesson->learns)
            continue;
        tmp->used = mark;
        stack_layout(tmp, near->sets, near->count, &lesson->X);
        stack_layout(tmp, far->sets, far->count, &lesson->Y);
        MTC_REALS(tmp, mtc_mul(far->X.n, j->c), &lesson->answer);
        lesson->o = mtc_logistic_defaults();
        lesson->o.classes = j->c;
        lesson->fit = (logistic_job){
            .X = &lesson->X, .labels = near->y, .o = &lesson->o};
        logistic_layout(tmp, tmp, &lesson->fit);
    }
}

static void ttl_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    ttl_job *j = (ttl_job *)job;
    mtc_ttl_result *r = &j->r;
    size_t c = j->c, m = MTC_MAX(j->m[TTL_HAT], j->m[TTL_TILDE]);
    size_t p = MTC_MAX(r->common, r->own), n = MTC_MAX(r->bridge_n, r->n);
    size_t update = MTC_MAX(m, mtc_mul(MTC_MAX(n, p), c));
    size_t work = mtc_gemm_work(p, c, m);
    for (size_t at = 0; at < TTL_DOMAINS; at++) {
        ttl_layout_domain(own, tmp, j, at);
        work = MTC_MAX(work, mtc_data_work(&j->domain[at].X, NULL, c));
    }
    ttl_layout_factors(own, tmp, j);
    MTC_REALS(own, mtc_add(j->o->iterations, 1), &r->objective);
    MTC_REALS(own, mtc_mul(r->d, c), &r->center);
    MTC_REALS(own, mtc_mul(c, c), &r->gram);
    MTC_REALS(own, r->d, &r->weights);
    MTC_REALS(tmp, j->m[TTL_HAT], &j->weight[TTL_HAT]);
    j->weight[TTL_TILDE] = r->weights;
    MTC_REALS(tmp, mtc_mul(m, c), &j->sum_XG, &j->sum_NG, &j->tall);
    MTC_REALS(tmp, update, &j->up, &j->down);
    MTC_REALS(tmp, mtc_mul(c, c), &j->sum_CC);
    MTC_SIZES(tmp, c, &j->count);
    j->work = mtc_take(tmp, work, 1);
    ttl_layout_lessons(tmp, j);
}

/* ---- the calls --------------------------------------------------------- */

mtc_ttl_options mtc_ttl_defaults(void)
{
    return (mtc_ttl_options){
        .classes = 2, .features = 30, .common = 15, .iterations = 100};
}

mtc_status mtc_ttl(mtc_context *ctx, const mtc_data *sources,
    const int *const *source_labels, size_t n_sources, const mtc_data *bridges,
    const mtc_data *views, size_t n_bridges, const mtc_data *target,
    const mtc_ttl_options *opt, mtc_ttl_result *res)
{
    const mtc_ttl_options *o = options_of(opt, ttl);
    REQUIRE(sources != NULL && n_sources > 0 && source_labels != NULL &&
            bridges != NULL && n_bridges > 0 && target != NULL,
            "need sources, their labels, bridges, a target");
    MTC_TRY(ttl_check_options(ctx, o));
    int learns = o->start == MTC_TTL_START_INFORMED && o->start_factors == NULL;
    ttl_job j = {
        .o = o, .c = o->classes, .alike = views == NULL,
        .r = {.classes = o->classes, .common = o->common,
              .own = o->features - o->common, .n = target->n, .d = target->d,
              .bridge_n = count_samples(bridges, n_bridges), .converged = 1}};
    j.m[TTL_HAT] = sources[0].d;
    j.m[TTL_TILDE] = j.alike ? sources[0].d : target->d;
    j.lesson[TTL_HAT].learns = learns;
    j.lesson[TTL_TILDE].learns = learns && o->start_labels == NULL;
    j.domain[TTL_SOURCE] = (ttl_domain){
        .sets = sources, .count = n_sources, .known = source_labels};
    j.domain[TTL_BRIDGE] = (ttl_domain){
        .sets = bridges, .count = n_bridges, .task = n_sources,
        .known = o->bridge_known};
    j.domain[TTL_VIEW] = j.domain[TTL_BRIDGE];
    j.domain[TTL_VIEW].sets = j.alike ? bridges : views;
    j.domain[TTL_TARGET] = (ttl_domain){
        .sets = target, .count = 1, .task = n_sources + n_bridges,
        .known = &o->known};
    MTC_TRY(ttl_check(ctx, &j));
    return job_result(ctx, ttl_layout, ttl_work, &j, res);
}

/* A sample x gets the class of the largest g_z, where g >= 0 minimizes
 * |x - C g|^2: T3 from equal shares. */
mtc_status mtc_ttl_assign(mtc_context *ctx, const mtc_data *X,
    const mtc_ttl_result *res, int *labels)
{
    MTC_TRY(mtc_data_positive(ctx, X, MTC_NONE));
    REQUIRE(res != NULL && X->d == res->d && is_given(ctx, labels),
            "need a result of X's width, and labels");
    mtc_block work;
    size_t c = res->classes;
    MTC_TRY(mtc_scratch(ctx, mtc_mul(3 * sizeof(mtc_real), c), &work));
    mtc_real *g = (mtc_real *)work.at, *xc = g + c, *below = xc + c;
    for (size_t i = 0; i < X->n; i++) {
        size_t begin = row_begin(X, i), end = row_end(X, i);
        MTC_ZERO(xc, c);  /* C'x */
        for (size_t e = begin; e < end; e++) {
            size_t column = entry_column(X, begin, e);
            mtc_axpy(c, X->values[e] * res->weights[column],
                     res->center + column * c, xc);
        }
        for (size_t z = 0; z < c; z++)
            g[z] = 1;
        for (int k = 0; k < TTL_ASSIGN_STEPS; k++) {
            mtc_gemm(0, 0, 1, c, c, 1, g, c, res->gram, c, 0, below, c, NULL);
            ttl_multiply(c, xc, below, g);
        }
        labels[i] = (int)argmax(c, g);
    }
    return mtc_scratch_end(ctx, &work, MTC_OK);
}

/* ---- choosing a bridge, section 3 of [TSZX15] -----------------------------
 *   f(tr) = delta(beta_0 + sum_i beta_i c_i),  delta(x) = 1 / (1 + exp(-x)) (3)
 * c_1 .. c_3 are complexities (1), c_4 .. c_6 are A-distances (2), in the order
 * of table 2.  beta, which is bias and weight here, maximizes the likelihood
 * (4) of triples whose outcome is known.
 *
 * Deviation: a ridge.  Without it separable outcomes make beta infinite.
 * Deviation: MTC_BRIDGE_LINKS fits on t = sqrt((1 - c_4 / 2) (1 - c_6 / 2)),
 *   the geometric mean of what a classifier cannot tell apart, 0..1.  No sum of
 *   distances tells a bridge from a twin of one side; t is 0 for the twin. */

#define BRIDGE_RARE ((mtc_real)0.1)  /* t of the complexity (1) */

typedef struct bridge_job {
    mtc_data sets[3];               /* source, bridge, target */
    mtc_real *count;                /* [d] of the complexity */
    a_distance_job pair[3];
    mtc_real out[MTC_BRIDGE_FEATURES];
} bridge_job;

/* The pairs of sets use the same memory in turn. */
static void bridge_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    static const size_t side[3][2] = {{0, 1}, {0, 2}, {1, 2}};
    bridge_job *j = (bridge_job *)job;
    (void)own;
    MTC_REALS(tmp, j->sets[0].d, &j->count);
    size_t mark = tmp->used;
    for (size_t i = 0; i < 3; i++) {
        const mtc_data *X = &j->sets[side[i][0]], *Y = &j->sets[side[i][1]];
        j->pair[i] = (a_distance_job){.sets = {*X, *Y}};
        tmp->used = mark;
        a_distance_layout(tmp, tmp, &j->pair[i]);
    }
}

/* [TSZX15] (1) of the sets and (2) of the pairs. */
static mtc_status bridge_work(mtc_context *ctx, void *job)
{
    bridge_job *j = (bridge_job *)job;
    for (size_t i = 0; i < 3; i++) {
        MTC_TRY(a_distance_work(ctx, &j->pair[i]));
        j->out[i] = complexity_of(&j->sets[i], BRIDGE_RARE, j->count);
        j->out[3 + i] = j->pair[i].out;
    }
    return MTC_OK;
}

mtc_status mtc_bridge_features(mtc_context *ctx, const mtc_data *source,
    const mtc_data *bridge, const mtc_data *target, mtc_real *out)
{
    REQUIRE(source != NULL && bridge != NULL && target != NULL && out != NULL,
            "need a source, a bridge, a target, and out");
    bridge_job job = {.sets = {*source, *bridge, *target}};
    MTC_TRY(check_sets(ctx, job.sets, 3));
    for (size_t i = 0; i < 3; i++)
        if (job.sets[i].n < 2)
            return mtc_fail(ctx, MTC_INVALID, "samples: need 2 or more of each",
                            i, MTC_NONE, MTC_NONE);
    MTC_TRY(mtc_job_run(ctx, bridge_layout, bridge_work, &job));
    MTC_COPY(out, job.out, MTC_BRIDGE_FEATURES);
    return MTC_OK;
}

/* t as above; a distance beyond 2 counts as 2. */
static mtc_real bridge_link(const mtc_real *features)
{
    mtc_real a = 1 - features[3] / 2, b = 1 - features[5] / 2;
    return a > 0 && b > 0 ? MTC_SQRT(a * b) : 0;
}

typedef struct bridge_fit_job {
    const mtc_real *features;  /* [n*6] */
    mtc_data Z;                /* [n*q] standardized: t or all six */
    mtc_logistic_options o;    /* two classes, ridge */
    logistic_job fit;
    mtc_bridge_model model;
} bridge_fit_job;

static void bridge_fit_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    bridge_fit_job *j = (bridge_fit_job *)job;
    (void)own;
    j->Z.values = MTC_TAKE(tmp, mtc_mul(j->Z.n, j->Z.d), mtc_real);
    logistic_layout(tmp, tmp, &j->fit);
}

/* Scales n numbers z, q apart, to mean 0 and deviation 1.  If they differ by
 * rounding only, they and the deviation become 0. */
static void bridge_standardize(size_t n, size_t q, mtc_real *z, mtc_real *mean,
    mtc_real *deviation)
{
    mtc_real first = z[0], sum = 0, square = 0;
    for (size_t i = 0; i < n; i++)
        sum += z[i * q] - first;  /* 0, not rounding, if all are equal */
    *mean = first + sum / (mtc_real)n;
    for (size_t i = 0; i < n; i++) {
        z[i * q] -= *mean;
        square += z[i * q] * z[i * q];
    }
    *deviation = MTC_SQRT(square / (mtc_real)n);
    if (!(*deviation > MTC_EPS * (1 + MTC_FABS(*mean))))
        *deviation = 0;
    for (size_t i = 0; i < n; i++)
        z[i * q] = *deviation > 0 ? z[i * q] / *deviation : 0;
}

/* [TSZX15] (4) with a ridge r is the softmax of two classes with ridge 2r, here
 * on standardized features.  The model is converted to the units of the
 * features:  b (x - mean) / deviation. */
static mtc_status bridge_fit_work(mtc_context *ctx, void *job)
{
    bridge_fit_job *j = (bridge_fit_job *)job;
    size_t n = j->Z.n, q = j->Z.d;
    mtc_real mean[MTC_BRIDGE_FEATURES], deviation[MTC_BRIDGE_FEATURES];
    mtc_real *weight = q == 1 ? &j->model.link : j->model.weight;
    mtc_real *Z = (mtc_real *)j->Z.values;
    for (size_t i = 0; i < n; i++) {
        const mtc_real *features = j->features + i * MTC_BRIDGE_FEATURES;
        for (size_t k = 0; k < q; k++)
            Z[i * q + k] = q == 1 ? bridge_link(features) : features[k];
    }
    for (size_t k = 0; k < q; k++)
        bridge_standardize(n, q, Z + k, &mean[k], &deviation[k]);
    MTC_TRY(logistic_work(ctx, &j->fit));
    const mtc_real *W = j->fit.r.W;                       /* 2 x q */
    j->model.bias = j->fit.r.bias[1] - j->fit.r.bias[0];  /* beta_0 */
    for (size_t k = 0; k < q; k++) {                      /* beta_k */
        weight[k] = deviation[k] > 0 ? (W[q + k] - W[k]) / deviation[k] : 0;
        j->model.bias -= weight[k] * mean[k];
    }
    return MTC_OK;
}

mtc_status mtc_bridge_fit(mtc_context *ctx, size_t n, const mtc_real *features,
    const int *labels, mtc_bridge_form form, mtc_real ridge,
    mtc_bridge_model *model)
{
    const mtc_data X = mtc_dense(n, MTC_BRIDGE_FEATURES, features);
    size_t q = form == MTC_BRIDGE_LINKS ? 1 : MTC_BRIDGE_FEATURES;
    bridge_fit_job job = {.features = features, .Z = mtc_dense(n, q, NULL),
                          .o = mtc_logistic_defaults()};
    MTC_TRY(mtc_data_check(ctx, &X, MTC_NONE));
    MTC_TRY(check_labels(ctx, labels, n, 2, MTC_NONE));
    REQUIRE(form == MTC_BRIDGE_LINKS || form == MTC_BRIDGE_LINEAR,
            "form: need one of MTC_BRIDGE_*");
    REQUIRE(ridge > 0 && ridge <= MTC_HUGE && model != NULL,
            "need ridge > 0, and model");
    job.o.ridge = 2 * ridge;         /* of the softmax */
    job.o.tolerance = 64 * MTC_EPS;  /* few triples: fit exactly */
    job.fit = (logistic_job){.X = &job.Z, .labels = labels, .o = &job.o};
    MTC_TRY(mtc_job_run(ctx, bridge_fit_layout, bridge_fit_work, &job));
    *model = job.model;
    return MTC_OK;
}

/* [TSZX15] (3).  Without a model the weaker of the two links decides. */
mtc_real mtc_bridge_score(const mtc_bridge_model *model,
    const mtc_real *features)
{
    if (model == NULL)
        return 1 - MTC_MAX(features[3], features[5]) / 2;
    mtc_real z = model->bias + model->link * bridge_link(features);
    z += mtc_dot(MTC_BRIDGE_FEATURES, model->weight, features);
    return 1 / (1 + mtc_exp(-z));  /* delta(z), (3) */
}

/* ==========================================================================
 * Chapter 18  EC and TrEC: ensembles in random subspaces, and their transfer
 *
 * EC clusters samples by the vote of L partitions.  A run makes a partition by
 * k-means in a few features that are drawn at random.  TrEC also has a source
 * with known classes.  There it learns how far runs can be trusted: a rule f
 * that says whether two samples belong together.  It applies f to the target,
 * which may have other features, and repairs EC's partition:
 *   min over partitions into k clusters  |Z* - Z^|_F             [B19] (2)
 *
 *   paper       here           what it is
 *   L           o.runs         runs, as many on the source as on the target
 *   mu_l(x_i)   partitions     [L*n]  cluster of sample i in run l
 *   H_ij        hits / L       share of the runs that have i and j together
 *   Sil(x_i)    silhouette     [n]    mean over the runs, each in its features
 *   P_ij        P              (Sil(x_i) + Sil(x_j)) / 2
 *   Z^S_ij      same           1 if i and j of the source are of one class
 *   Z^_ij       r.same[h], or  what f predicts of i and j of the target: 0, 1,
 *               trec_says      or a probability
 *   Z*_ij       labels         1 if i and j are in one cluster of the answer
 *
 * EC    E1  L runs: draw features, k-means in them
 *       E2  the vote of the runs (chapter 4), by the eigenvectors of H
 * TrEC  R1  E1 for the source, E1 and E2 for the target
 *       R2  H and P: one row, or one pair, when it is needed
 *       R3  f: (P^S_ij, H^S_ij) -> Z^S_ij from pairs of the source  [B19] (1)
 *       R4  Z^ = f(P, H) of the pairs of the target
 *       R5  move the sample that lowers (2) most to another cluster, until none
 *           does, |Z* - Z^| < qmin, or the moves are used up
 *
 * R5 keeps w_ij = 1 - 2 Z^_ij, w_ii = 0, and S_ic = the sum of w_ij over j in
 * cluster c.  A move of i from a to b changes sum_{i<j} (Z*_ij - Z^_ij)^2 by
 * S_ib - S_ia.  No matrix of n x n is stored: rows of w are made again.
 *
 * Deviation: a run has a quarter of the features, or all if they are sparse,
 *   not 3: 3 features of 2000 say nothing.
 * Deviation: by default f is not a classifier but the share of pairs of one
 *   class among those with the same h.  Few pairs are of one class, so that a
 *   classifier says `together` only at a high h, or never with many classes.
 * Deviation: a rule that is not the paper's may make max(40, n/2) moves.
 * Deviation: the classifier learns from at most o.pairs pairs, not from all.
 * Deviation: no move empties a cluster.
 * Reference: [B19]; errata are in examples/experiments/berikov-2019.md.
 *   Silhouettes and the first S take O(L n^2) time, a move O(n (L + k)).  With
 *   P, a pair takes as many steps as the SVM has support vectors, not L.
 * ========================================================================== */

#define EC_STREAM ((uint64_t)1 << 32)  /* of the runs: not the vote's */
#define EC_COLUMNS ((size_t)3)         /* of [B19] */
#define TREC_FEW ((size_t)1000)        /* pairs that an SVM fits quickly */
#define TREC_STEPS ((size_t)100000)    /* the least bound on the SVM's steps */
#define TREC_MOVES ((size_t)40)        /* It_max of [B19] */
#define TREC_ROWS ((size_t)256)        /* rows of pairs between two ticks */
/* The least gain of a move: more than the rounding of S. */
#define TREC_FALL MTC_BY_TYPE(1e-9, 1e-4)

typedef struct ec_lane {        /* memory of a lane for its runs */
    mtc_data view;              /* X in the features of the run */
    mtc_kmeans_options o;
    km_job km;                  /* of the rows of `view`, by `o` */
    silhouette_job silhouette;
    mtc_real *share;            /* [k] of the samples */
} ec_lane;

typedef struct ec_runs {        /* E1 */
    const mtc_data *X;
    mtc_ec_options o;           /* a copy: a source has its own k, runs */
    uint64_t stream;            /* of run 0 */
    int silhouettes;            /* 1: they are wanted */
    mtc_ensemble r;             /* in the result */
    mtc_real *run_silhouette;   /* [L*n] of each run, if wanted */
    size_t lanes;
    mtc_lane *lane;             /* [lanes] */
    ec_lane *part;              /* [lanes] */
} ec_runs;

typedef struct ec_job {
    ec_runs runs;
    mtc_vote_options vote_options;
    vote_job vote;
    const int **partition;      /* [L] of the runs */
    mtc_ec_result r;
} ec_job;

typedef struct trec_job {
    const int *source_labels;
    const mtc_trec_options *o;
    int learns;                 /* 1: f is a classifier, ... */
    int sees_P;                 /* ... and, if 1, of P and H, else of H */
    size_t moves;               /* bound on them */
    mtc_trec_result r;
    ec_runs source;
    ec_job target;
    int *hits;                  /* [larger n] h of a sample with others */

    /* R3 by counting */
    double *pairs, *together;   /* [L+1] pairs of the source at h, and those of
                                   one class: beyond a float */
    size_t *length;             /* [L+1] lent to monotone */

    /* R3 by a classifier */
    mtc_data points;            /* [pairs*2] (P, H), or [pairs] H: x_i of f */
    int *same;                  /* [pairs] Z^S */
    mtc_svm_options svm_options;
    svm_job svm;                /* f */

    /* R5 */
    mtc_real *w, *S;            /* [n] a row of w; [n*k] */
    size_t *size;               /* [k] members of each cluster */
} trec_job;

/* ---- E1: the runs ------------------------------------------------------ */

/* row [columns] = sample i in the features of run r. */
static void ec_row(const mtc_ensemble *e, const mtc_data *X, size_t i,
    size_t r, mtc_real *row)
{
    if (e->features == NULL) {
        row_copy(X, i, row);
        return;
    }
    for (size_t c = 0; c < e->columns; c++)
        row[c] = entry_at(X, i, e->features[r * e->columns + c]);
}

/* Takes or draws the features of run r, and copies X in them to Y [n*columns].
 * The first number of the run's stream is the seed of its k-means. */
static void ec_subspace(const mtc_context *ctx, ec_runs *j, size_t r,
    mtc_real *Y)
{
    size_t columns = j->r.columns, d = j->r.d, drawn = 0;
    size_t *f = j->r.features + r * columns;
    mtc_random rng = mtc_stream(ctx, j->stream + r);
    mtc_random_bits(&rng);
    if (j->o.features != NULL) {
        MTC_COPY(f, j->o.features + r * columns, columns);
        drawn = columns;
    }
    for (size_t a = 0; drawn < columns; a++)  /* Knuth's algorithm S */
        if (columns - drawn == d - a ||
            mtc_random_below(&rng, d - a) < columns - drawn)
            f[drawn++] = a;
    for (size_t i = 0; i < j->r.n; i++)
        ec_row(&j->r, j->X, i, r, Y + i * columns);
}

/* k-means with a seed from the stream. */
static mtc_status ec_cluster(mtc_context *ctx, uint64_t stream, km_job *km)
{
    mtc_random rng = mtc_stream(ctx, stream);
    mtc_context seeded = ctx != NULL ? *ctx : mtc_context_defaults();
    seeded.seed = mtc_random_bits(&rng);
    mtc_status s = km_work(&seeded, km);
    if (s != MTC_OK && ctx != NULL)
        ctx->error = seeded.error;
    return s;
}

/* Makes run r, with the sizes and means of its clusters and its silhouettes.  A
 * run in all d features copies nothing: its view is X, sparse if X is. */
static mtc_status ec_run(mtc_context *ctx, void *job, size_t r, size_t lane)
{
    ec_runs *j = (ec_runs *)job;
    ec_lane *p = &j->part[lane];
    size_t n = j->r.n, k = j->r.clusters, columns = j->r.columns;
    int *labels = j->r.partitions + r * n;
    MTC_TRY(mtc_tick(ctx, "ensemble", r, j->r.runs));
    if (columns < j->r.d)
        ec_subspace(ctx, j, r, (mtc_real *)p->view.values);
    if (j->o.partitions != NULL) {
        MTC_COPY(labels, j->o.partitions[r], n);
    } else {
        p->km.r.labels = labels;
        MTC_TRY(ec_cluster(ctx, j->stream + r, &p->km));
    }
    if (j->silhouettes) {
        p->silhouette.labels = labels;
        p->silhouette.values_out = j->run_silhouette + r * n;
        MTC_TRY(silhouette_work(ctx, &p->silhouette));
    }
    labels_used(n, labels, k, j->r.sizes + r * k);
    mtc_data_means(&p->view, labels, k, j->r.centers + r * k * columns,
                   p->share);
    return MTC_OK;
}

/* Makes all runs, and finds Sil, the mean silhouette over them. */
static mtc_status ec_make_runs(mtc_context *ctx, ec_runs *j)
{
    mtc_ensemble *e = &j->r;
    size_t n = e->n, L = e->runs;
    MTC_TRY(mtc_share(ctx, j->lanes, j->lane, L, ec_run, j));
    if (!j->silhouettes)
        return MTC_OK;
    MTC_ZERO(e->silhouette, n);
    for (size_t r = 0; r < L; r++)
        for (size_t i = 0; i < n; i++)
            e->silhouette[i] += j->run_silhouette[r * n + i] / (mtc_real)L;
    return MTC_OK;
}

/* ---- E2: the vote ------------------------------------------------------ */

/* Makes the model of assign for the final labels z, which TrEC changes later:
 *   support_az = |a and z| / (|z| L),  a a run's cluster, z a final one. */
static void ec_model(ec_job *j)
{
    mtc_vote_result *v = &j->vote.r;
    const mtc_ensemble *e = &j->runs.r;
    size_t n = e->n, k = v->clusters;
    size_t rows = e->runs * e->clusters;
    mtc_real *support = j->r.support, L = (mtc_real)e->runs;
    MTC_ZERO(support, rows * k);
    vote_stability(&j->vote, v->labels);
    for (size_t r = 0; r < e->runs; r++)
        for (size_t i = 0; i < n; i++) {
            size_t a = r * e->clusters + (size_t)e->partitions[r * n + i];
            size_t z = (size_t)v->labels[i];
            support[a * k + z] += 1;
        }
    for (size_t az = 0; az < rows * k; az++)
        if (support[az] > 0)  /* one division: equal shares are equal */
            support[az] /= (mtc_real)j->vote.members[az % k] * L;
    j->r.labels = v->labels;
    j->r.ensemble = *e;
    j->r.vote = *v;
}

static mtc_status ec_work(mtc_context *ctx, void *job)
{
    ec_job *j = (ec_job *)job;
    MTC_TRY(ec_make_runs(ctx, &j->runs));  /* E1 */
    for (size_t r = 0; r < j->runs.r.runs; r++)
        j->partition[r] = j->runs.r.partitions + r * j->runs.r.n;
    MTC_TRY(vote_work(ctx, &j->vote));     /* E2 */
    ec_model(j);
    return MTC_OK;
}

/* ---- R2 and R3: what is known of a pair, and f, [B19] (1) -------------- */

/* hits [m] = h between sample i and samples 0..m-1, so that H = h / L. */
static void trec_hits(const mtc_ensemble *e, size_t i, size_t m, int *hits)
{
    MTC_ZERO(hits, m);
    for (size_t r = 0; r < e->runs; r++) {
        const int *z = e->partitions + r * e->n;
        int mine = z[i];
        for (size_t b = 0; b < m; b++)
            hits[b] += z[b] == mine;
    }
}

/* Deviation: f by counting, for MTC_META_PROBABILITY.  Z^(h) is the share of
 * one class among the pairs at h, made monotone in h.  A pair of each kind is
 * added, so that no kind has share 0 only as it was not seen.
 * With k classes about 1/k of all pairs are of one class: the odds are
 * multiplied by (k_S - 1) / (k_T - 1), for k_S classes of the source and k_T
 * clusters of the target. */
static mtc_status trec_probability(mtc_context *ctx, trec_job *j)
{
    const mtc_ensemble *e = &j->source.r;
    const int *y = j->source_labels;
    size_t levels = e->runs + 1, k_T = j->o->ec.clusters;
    mtc_real odds = 1, *Z = j->r.same;
    for (size_t h = 0; h < levels; h++) {
        j->pairs[h] = 2;
        j->together[h] = 1;
    }
    for (size_t i = 1; i < e->n; i++) {
        if (i % TREC_ROWS == 0)
            MTC_TRY(mtc_tick(ctx, "source pairs", i, e->n));
        trec_hits(e, i, i, j->hits);
        for (size_t b = 0; b < i; b++) {
            j->pairs[j->hits[b]] += 1;
            if (y[b] == y[i])
                j->together[j->hits[b]] += 1;
        }
    }
    size_t k_S = distinct_labels(e->n, j->source_labels, j->hits);
    if (k_S > 1 && k_T > 1)
        odds = (mtc_real)(k_S - 1) / (mtc_real)(k_T - 1);
    for (size_t h = 0; h < levels; h++)
        Z[h] = (mtc_real)(j->together[h] / j->pairs[h]);
    monotone(levels, Z, j->pairs, j->length);
    for (size_t h = 0; h < levels; h++)
        Z[h] = odds * Z[h] / (odds * Z[h] + 1 - Z[h]);
    return MTC_OK;
}

/* Finds the pair at place p of the list (0,1) (0,2) .. (1,2) .. */
static void trec_pair(size_t n, size_t p, size_t *a, size_t *b)
{
    for (*a = 0; p >= n - 1 - *a; ++*a)
        p -= n - 1 - *a;
    *b = *a + 1 + p;
}

/* Draws the pairs of the source that the classifier learns from: (P^S, H^S) or
 * H^S to points, Z^S to same.  One is drawn from each of as many stretches of
 * the list of all pairs: none comes twice. */
static void trec_draw_pairs(const mtc_context *ctx, trec_job *j)
{
    const mtc_ensemble *e = &j->source.r;
    size_t n = e->n, all = mtc_mul(n, n - 1) / 2, want = j->r.pairs, first = 0;
    mtc_real *x = (mtc_real *)j->points.values;
    mtc_random rng = mtc_stream(ctx, 2 * EC_STREAM);  /* after those of runs */
    for (size_t t = 0; t < want; t++) {
        size_t length = all / want + (t < all % want), a, b, h = 0;
        trec_pair(n, first + mtc_random_below(&rng, length), &a, &b);
        first += length;
        for (size_t r = 0; r < e->runs; r++)
            h += e->partitions[r * n + a] == e->partitions[r * n + b];
        if (j->sees_P)
            *x++ = (e->silhouette[a] + e->silhouette[b]) / 2;
        *x++ = (mtc_real)h / (mtc_real)e->runs;
        j->same[t] = j->source_labels[a] == j->source_labels[b];
    }
}

/* What the SVM says of a pair, 1 or 0: f > 0 at (P, H) or at H = h / L.
 *   f(x) = sum_i y_i a_i exp(-gamma |x - x_i|^2) + bias
 * For each of n^2 pairs mtc_svm_assign would check the model again. */
static mtc_real trec_says(const trec_job *j, mtc_real P, size_t h)
{
    const mtc_svm_result *svm = &j->svm.r;
    const mtc_data *points = &j->points;
    mtc_real H = (mtc_real)h / (mtc_real)j->o->ec.runs;
    mtc_real x[2] = {j->sees_P ? P : H, H}, f = 0;  /* x[0] alone if d = 1 */
    for (size_t i = 0; i < points->n; i++) {
        const mtc_real *xi = points->values + i * points->d;
        mtc_real ya = svm->coefficients[i];
        if (MTC_FABS(ya) > 0)
            f += ya * mtc_exp(-svm->gamma * sq_distance(points->d, x, xi));
    }
    return f + svm->bias[0] > 0;
}

/* f by an SVM, [B19] (1); only its sign is used.  r.same is what f says at each
 * h.  If f sees P, this is at the mean P of the target, and R4 applies f to
 * every pair. */
static mtc_status trec_classify(mtc_context *ctx, trec_job *j)
{
    const mtc_ensemble *e = &j->target.runs.r;
    double mean = 0;
    trec_draw_pairs(ctx, j);
    MTC_TRY(svm_work(ctx, &j->svm));
    j->r.gap = j->svm.r.gap[0];
    if (j->sees_P)
        for (size_t i = 0; i < e->n; i++)
            mean += (double)(e->silhouette[i] / (mtc_real)e->n);
    for (size_t h = 0; h <= e->runs; h++)
        j->r.same[h] = trec_says(j, (mtc_real)mean, h);
    return MTC_OK;
}

/* ---- R4: f of the target's pairs --------------------------------------- */

/* j->w = row i of w = 1 - 2 Z^.  It is computed again each time, in O(n L). */
static void trec_weights(trec_job *j, size_t i)
{
    const mtc_ensemble *e = &j->target.runs.r;
    const mtc_real *s = e->silhouette;
    trec_hits(e, i, e->n, j->hits);
    for (size_t b = 0; b < e->n; b++) {
        size_t h = (size_t)j->hits[b];
        mtc_real Z = j->sees_P ? trec_says(j, (s[i] + s[b]) / 2, h)
                               : j->r.same[h];
        j->w[b] = 1 - 2 * Z;
    }
    j->w[i] = 0;
}

/* ---- R5: repair, [B19] (2) --------------------------------------------- */

/* Finds S_ic for all i and c in O(L n^2), and the cost:
 *   sum_{i<j} (Z* - Z^)^2 = sum_{i<j} Z* w + sum_{i<j} (Z^)^2,
 * as Z*^2 is Z*.  S has each pair twice, and (1 - w)^2 is 4 (Z^)^2. */
static mtc_status trec_scores(mtc_context *ctx, trec_job *j, mtc_real *cost)
{
    size_t n = j->target.runs.r.n, k = j->o->ec.clusters;
    const int *label = j->r.labels;
    MTC_ZERO(j->S, n * k);
    labels_used(n, label, k, j->size);
    for (size_t i = 0; i < n; i++) {
        if (i % TREC_ROWS == 0)
            MTC_TRY(mtc_tick(ctx, "scores", i, n));
        trec_weights(j, i);
        mtc_real *S = j->S + i * k, squares = 0;
        for (size_t b = 0; b < n; b++)
            S[label[b]] += j->w[b];
        for (size_t b = 0; b < i; b++)
            squares += (1 - j->w[b]) * (1 - j->w[b]);
        *cost += S[label[i]] / 2 + squares / 4;
    }
    return MTC_OK;
}

typedef struct trec_move {  /* of one sample between clusters a and b */
    size_t sample, from, to;
    mtc_real change;        /* S_ib - S_ia; 0: no move helps */
} trec_move;

/* Finds the best move.  It has to be better than the best before it by
 * TREC_FALL, more than rounding: among equals the lowest sample wins, then the
 * lowest cluster.  The last member of a cluster stays. */
static trec_move trec_best(const trec_job *j)
{
    trec_move best = {0, 0, 0, 0};
    size_t n = j->target.runs.r.n, k = j->o->ec.clusters;
    for (size_t i = 0; i < n; i++) {
        const mtc_real *S = j->S + i * k;
        size_t a = (size_t)j->r.labels[i];
        if (j->size[a] < 2)
            continue;
        for (size_t b = 0; b < k; b++)
            if (b != a && S[b] - S[a] < best.change - TREC_FALL)
                best = (trec_move){i, a, b, S[b] - S[a]};
    }
    return best;
}

/* Moves samples while that lowers (2).  |Z* - Z^| counts each pair twice.  A
 * move is sought also at the bound on moves, to set `converged`. */
static mtc_status trec_repair(mtc_context *ctx, trec_job *j)
{
    mtc_trec_result *r = &j->r;
    size_t n = j->target.runs.r.n, k = j->o->ec.clusters;
    mtc_real cost = 0;
    MTC_TRY(trec_scores(ctx, j, &cost));
    for (size_t m = 0;; m++) {
        trec_move move = trec_best(j);
        r->objective[m] = MTC_SQRT(cost > 0 ? 2 * cost : 0);
        r->iterations = m;
        r->converged = r->objective[m] < j->o->qmin || move.change >= 0;
        if (r->converged || m == j->moves)
            return MTC_OK;
        MTC_TRY(mtc_tick(ctx, "repair", m, j->moves));
        trec_weights(j, move.sample);
        for (size_t b = 0; b < n; b++) {  /* w is symmetric */
            j->S[b * k + move.from] -= j->w[b];
            j->S[b * k + move.to] += j->w[b];
        }
        j->size[move.from]--;
        j->size[move.to]++;
        r->labels[move.sample] = (int)move.to;
        r->moved[m] = move.sample;
        r->from[m] = (int)move.from;
        r->to[m] = (int)move.to;
        cost += move.change;
    }
}

/* One array holds the labels of EC, or those given in their place, and then the
 * repaired labels.  The model is made again from these. */
static mtc_status trec_work(mtc_context *ctx, void *job)
{
    trec_job *j = (trec_job *)job;
    size_t n = j->target.runs.r.n;
    MTC_TRY(ec_make_runs(ctx, &j->source));  /* R1 */
    MTC_TRY(ec_work(ctx, &j->target));
    MTC_TRY(j->learns ? trec_classify(ctx, j)  /* R2 and R3 */
                      : trec_probability(ctx, j));
    j->r.labels = j->target.r.labels;
    if (j->o->start_labels != NULL)
        MTC_COPY(j->r.labels, j->o->start_labels, n);
    MTC_COPY(j->r.start, j->r.labels, n);
    MTC_TRY(trec_repair(ctx, j));            /* R4 and R5 */
    ec_model(&j->target);
    j->r.source = j->source.r;
    j->r.target = j->target.r;
    return MTC_OK;
}

/* ---- EC: checks and memory --------------------------------------------- */

static mtc_status ec_check_options(mtc_context *ctx, const mtc_ec_options *o)
{
    REQUIRE(o->runs > 0 && o->runs <= INT_MAX, "runs: need 1..INT_MAX");
    return require(ctx, o->restarts > 0, need_restarts);
}

/* Checks k and what is given.  Failures name task and place. */
static mtc_status ec_check(mtc_context *ctx, const ec_runs *j, size_t task)
{
    const mtc_ec_options *o = &j->o;
    size_t n = j->r.n, d = j->r.d, columns = j->r.columns;
    size_t given = o->features != NULL ? o->runs : 0;
    MTC_TRY(check_clusters(ctx, o->clusters, n, task));
    MTC_TRY(check_start(ctx, o->start_labels, n, o->clusters, task));
    if (o->partitions != NULL)
        for (size_t r = 0; r < o->runs; r++)
            MTC_TRY(check_labels(ctx, o->partitions[r], n, n, task));
    if (o->features != NULL && o->columns == 0)
        return mtc_fail(ctx, MTC_INVALID, "columns: need 1 or more beside "
                        "features", task, MTC_NONE, MTC_NONE);
    for (size_t r = 0; r < given; r++)
        for (size_t a = 0; a < columns; a++) {
            const size_t *f = o->features + r * columns;
            int bad = f[a] >= d;
            for (size_t b = 0; b < a; b++)
                bad |= f[a] == f[b];
            if (bad)
                return mtc_fail(ctx, MTC_INVALID, "features: each run needs "
                                "`columns` distinct ones", task, r, a);
        }
    return MTC_OK;
}

/* Sets the sizes.  By default a run has a quarter of the d features, or all if
 * they are sparse.  Given partitions without features count as made in all; k
 * is the largest of theirs.  A run takes a few iterations of n k columns
 * multiply-adds. */
static ec_runs ec_runs_of(const mtc_context *ctx, const mtc_data *X,
    const mtc_ec_options *o)
{
    size_t given = o->partitions != NULL ? o->runs : 0;
    size_t columns = o->columns, k = given > 0 ? 0 : o->clusters;
    for (size_t r = 0; r < given; r++) {
        size_t found = label_bound(X->n, o->partitions[r]);
        k = MTC_MAX(found, k);
    }
    if (columns == 0)
        columns = is_sparse((double)rows_filled(X), X->n, X->d)
                      ? X->d : MTC_MAX(X->d / 4, EC_COLUMNS);
    int whole = columns >= X->d ||
                (o->partitions != NULL && o->features == NULL);
    columns = whole ? X->d : columns;
    return (ec_runs){
        .X = X, .o = *o, .stream = EC_STREAM,
        .lanes = mtc_lanes(ctx, o->runs, mtc_mul(mtc_mul(X->n, k), columns)),
        .r = {.n = X->n, .d = X->d, .runs = o->runs, .clusters = k,
              .columns = columns}};
}

static ec_job ec_of(const mtc_context *ctx, const mtc_data *X,
    const mtc_ec_options *o)
{
    ec_job j = {.runs = ec_runs_of(ctx, X, o),
                .vote_options.clusters = o->clusters};
    j.vote = (vote_job){.n = X->n, .m = o->runs,
                        .most = mtc_mul(o->runs, j.runs.r.clusters)};
    j.vote.embed = embed_of(ctx, X->n, o->clusters, o->restarts,
                            o->start_labels);
    return j;
}

/* Takes what a lane needs.  Its k-means and silhouettes do not share memory,
 * since km_layout writes to its part at once. */
static void ec_layout_lane(mtc_stack *tmp, const ec_runs *j, ec_lane *p)
{
    size_t n = j->r.n, k = j->r.clusters, columns = j->r.columns;
    p->view = *j->X;
    if (columns < j->r.d)
        p->view = mtc_dense(n, columns, MTC_TAKE(tmp, mtc_mul(n, columns),
                                                 mtc_real));
    MTC_REALS(tmp, k, &p->share);
    if (j->o.partitions == NULL) {
        p->o = (mtc_kmeans_options){.clusters = k, .restarts = 1,
                                    .iterations = j->o.iterations};
        km_within(tmp, &p->view, &p->o, &p->km);
    }
    if (j->silhouettes) {
        p->silhouette = (silhouette_job){
            .X = &p->view, .k = k, .pair.crew.lanes = 1};
        silhouette_layout(tmp, tmp, &p->silhouette);
    }
}

static void ec_layout_runs(mtc_stack *own, mtc_stack *tmp, ec_runs *j)
{
    size_t n = j->r.n, L = j->r.runs, columns = j->r.columns;
    size_t clusters = mtc_mul(L, j->r.clusters);
    j->r.partitions = MTC_TAKE(own, mtc_mul(L, n), int);
    if (columns < j->r.d)
        MTC_SIZES(own, mtc_mul(L, columns), &j->r.features);
    MTC_SIZES(own, clusters, &j->r.sizes);
    MTC_REALS(own, mtc_mul(clusters, columns), &j->r.centers);
    if (j->silhouettes) {
        MTC_REALS(own, n, &j->r.silhouette);
        MTC_REALS(tmp, mtc_mul(L, n), &j->run_silhouette);
    }
    j->lane = MTC_TAKE(tmp, j->lanes, mtc_lane);
    j->part = MTC_TAKE(tmp, j->lanes, ec_lane);
    for (size_t i = 0; i < j->lanes; i++) {
        ec_lane measured;
        ec_layout_lane(tmp, j, j->part != NULL ? &j->part[i] : &measured);
    }
}

static void ec_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    ec_job *j = (ec_job *)job;
    size_t k = j->vote_options.clusters;
    j->partition = MTC_TAKE(tmp, j->vote.m, const int *);
    MTC_REALS(own, mtc_mul(j->vote.most, k), &j->r.support);
    j->vote.runs = j->partition;
    j->vote.o = &j->vote_options;  /* into the job: do not move it now */
    ec_layout_runs(own, tmp, &j->runs);
    vote_layout(own, tmp, &j->vote);
}

/* ---- EC: the calls ----------------------------------------------------- */

mtc_ec_options mtc_ec_defaults(void)
{
    return (mtc_ec_options){.clusters = 2, .runs = 10,
                            .iterations = 300, .restarts = 10};
}

mtc_status mtc_ec(mtc_context *ctx, const mtc_data *X,
    const mtc_ec_options *opt, mtc_ec_result *res)
{
    const mtc_ec_options *o = options_of(opt, ec);
    MTC_TRY(mtc_data_check(ctx, X, MTC_NONE));
    MTC_TRY(ec_check_options(ctx, o));  /* before runs are read */
    ec_job j = ec_of(ctx, X, o);
    MTC_TRY(ec_check(ctx, &j.runs, MTC_NONE));
    return job_result(ctx, ec_layout, ec_work, &j, res);
}

/* Which cluster of run r is nearest to a row [columns]?  Empty ones have no
 * center.  The number counts over all runs, like the rows of `centers`. */
static size_t ec_nearest(const mtc_ensemble *e, size_t r, const mtc_real *row)
{
    size_t first = r * e->clusters, best = first, columns = e->columns;
    mtc_real least = MTC_HUGE;
    for (size_t a = first; a < first + e->clusters; a++) {
        mtc_real far = sq_distance(columns, row, e->centers + a * columns);
        if (e->sizes[a] > 0 && far < least) {
            least = far;
            best = a;
        }
    }
    return best;
}

/* The score of z is the sum of support_az over the nearest cluster a of each
 * run: the mean of H between the sample and the members of z.  Equal scores may
 * differ by rounding. */
mtc_status mtc_ec_assign(mtc_context *ctx, const mtc_data *X,
    const mtc_ec_result *res, int *labels)
{
    mtc_block work;
    MTC_TRY(mtc_data_sound(ctx, X, MTC_NONE));
    REQUIRE(res != NULL && X->d == res->ensemble.d && is_given(ctx, labels),
            "need a result of X's width, and labels");
    const mtc_ensemble *e = &res->ensemble;
    size_t k = res->vote.clusters;
    MTC_TRY(mtc_scratch(ctx, mtc_mul(mtc_add(e->columns, k), sizeof(mtc_real)),
                        &work));
    mtc_real *row = (mtc_real *)work.at, *score = row + e->columns;
    for (size_t i = 0; i < X->n; i++) {
        MTC_ZERO(score, k);
        for (size_t r = 0; r < e->runs; r++) {
            ec_row(e, X, i, r, row);
            mtc_axpy(k, 1, res->support + ec_nearest(e, r, row) * k, score);
        }
        labels[i] = 0;
        for (size_t z = 1; z < k; z++)
            if (score[z] - score[labels[i]] > (mtc_real)e->runs * MTC_EPS)
                labels[i] = (int)z;
    }
    return mtc_scratch_end(ctx, &work, MTC_OK);
}

/* ---- TrEC: checks and memory ------------------------------------------- */

/* Sets the sizes and the parts.  One source sample makes no pair: then no
 * classifier is fitted, and counting gives 1/2 at every h. */
static trec_job trec_of(const mtc_context *ctx, const mtc_data *source,
    const int *source_labels, const mtc_data *target,
    const mtc_trec_options *o)
{
    size_t n = target->n, all = mtc_mul(source->n, source->n - 1) / 2;
    mtc_ec_options of_source = o->ec;
    of_source.clusters = o->source_clusters;
    if (o->source_clusters == 0)
        of_source.clusters = label_bound(source->n, source_labels);
    of_source.partitions = o->source_partitions;
    of_source.features = o->source_features;
    of_source.start_labels = NULL;
    trec_job j = {.source_labels = source_labels, .o = o,
                  .target = ec_of(ctx, target, &o->ec),
                  .source = ec_runs_of(ctx, source, &of_source)};
    j.learns = all > 0 && o->meta != MTC_META_PROBABILITY;
    j.sees_P = all > 0 && o->meta == MTC_META_BOTH;
    j.source.silhouettes = j.sees_P;
    j.target.runs.silhouettes = j.sees_P;
    j.source.stream += o->ec.runs;  /* after the target's */
    j.moves = j.learns ? TREC_MOVES : MTC_MAX(n / 2, TREC_MOVES);
    if (o->iterations > 0)
        j.moves = o->iterations;
    j.r.pairs = j.learns ? MTC_MIN(all, o->pairs) : all;
    return j;
}

static void trec_layout_svm(mtc_stack *tmp, trec_job *j)
{
    size_t pairs = j->r.pairs, d = j->sees_P ? 2 : 1;
    mtc_svm_options *o = &j->svm_options;
    *o = mtc_svm_defaults();
    o->kernel = MTC_KERNEL_RBF;
    o->gamma = j->o->gamma;
    o->cost = j->o->cost;
    o->iterations = mtc_add(TREC_STEPS, mtc_mul(100, pairs));
    o->tolerance = MTC_BY_TYPE(pairs <= TREC_FEW ? 1e-8 : 1e-4, 1e-3);
    j->points = mtc_dense(pairs, d, MTC_TAKE(tmp, mtc_mul(pairs, d), mtc_real));
    j->same = MTC_TAKE(tmp, pairs, int);
    j->svm = svm_of(NULL, &j->points, j->same, o);
    svm_layout(tmp, tmp, &j->svm);
}

static void trec_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    trec_job *j = (trec_job *)job;
    size_t n = j->target.runs.r.n, k = j->o->ec.clusters;
    size_t levels = mtc_add(j->o->ec.runs, 1);  /* h = 0..L */
    j->r.start = MTC_TAKE(own, n, int);
    MTC_SIZES(own, j->moves, &j->r.moved);
    j->r.from = MTC_TAKE(own, j->moves, int);
    j->r.to = MTC_TAKE(own, j->moves, int);
    MTC_REALS(own, mtc_add(j->moves, 1), &j->r.objective);
    MTC_REALS(own, levels, &j->r.same);
    j->hits = MTC_TAKE(tmp, MTC_MAX(j->source.r.n, n), int);
    j->pairs = MTC_TAKE(tmp, levels, double);
    j->together = MTC_TAKE(tmp, levels, double);
    MTC_SIZES(tmp, levels, &j->length);
    if (j->learns)
        trec_layout_svm(tmp, j);
    MTC_REALS(tmp, n, &j->w);
    MTC_REALS(tmp, mtc_mul(n, k), &j->S);
    MTC_SIZES(tmp, k, &j->size);
    ec_layout_runs(own, tmp, &j->source);
    ec_layout(own, tmp, &j->target);
}

/* ---- TrEC: the call ---------------------------------------------------- */

mtc_trec_options mtc_trec_defaults(void)
{
    return (mtc_trec_options){
        .ec = mtc_ec_defaults(),
        .gamma = (mtc_real)0.03125,  /* 1 / (2 sigma^2), sigma = 4 [B19] */
        .cost = 10, .qmin = 5,       /* C and Q_min of [B19] */
        .pairs = 2000};
}

mtc_status mtc_trec(mtc_context *ctx, const mtc_data *source,
    const int *source_labels, const mtc_data *target,
    const mtc_trec_options *opt, mtc_trec_result *res)
{
    const mtc_trec_options *o = options_of(opt, trec);
    MTC_TRY(mtc_data_check(ctx, source, 0));
    MTC_TRY(mtc_data_check(ctx, target, 1));
    MTC_TRY(ec_check_options(ctx, &o->ec));  /* before runs are read */
    REQUIRE((unsigned)o->meta <= MTC_META_COASSOCIATION,
            "meta: need a value of mtc_meta");
    REQUIRE(o->gamma > 0 && o->gamma <= MTC_HUGE, "gamma: need > 0");
    REQUIRE(o->cost > 0 && is_moderate(o->cost), "cost: need above 0");
    REQUIRE(in_range(o->qmin, 0, MTC_HUGE), "qmin: need 0 or more");
    REQUIRE(o->pairs > 0, "pairs: need 1 or more");
    MTC_TRY(check_labels(ctx, source_labels, source->n, (size_t)INT_MAX + 1,
                         0));  /* only equality of labels counts */
    MTC_TRY(check_start(ctx, o->start_labels, target->n, o->ec.clusters, 1));
    trec_job j = trec_of(ctx, source, source_labels, target, o);
    MTC_TRY(ec_check(ctx, &j.target.runs, 1));
    MTC_TRY(ec_check(ctx, &j.source, 0));
    return job_result(ctx, trec_layout, trec_work, &j, res);
}
