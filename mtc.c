/* SPDX-License-Identifier: MIT
 *
 * mtc.c - the learners, measures and methods of mtc.
 *
 * Read it from top to bottom: each subject has a chapter, and nothing is used
 * before it is written.  Everything stands on linalg.c and lp.c.  A learner is
 * used in two ways: as a nested job, where a method shares its memory or state,
 * and through a client (chapter 16), where a public call will do.
 *
 *   Chapter 1   What the learners share
 *   Chapter 2   Bregman divergences
 *   Chapter 3   k-means
 *   Chapter 4   Vote: the consensus of several partitions
 *   Chapter 5   Nearest neighbors and similarity graphs
 *   Chapter 6   The minimum spanning tree
 *   Chapter 7   Ward's tree
 *   Chapter 8   Logistic regression
 *   Chapter 9   Support vector machine
 *   Chapter 10  Normalized cut
 *   Chapter 11  Principal components
 *   Chapter 12  Symmetric non-negative factorization
 *   Chapter 13  Shared features: the denoising autoencoder
 *   Chapter 14  Consistent similarities
 *   Chapter 15  Measures
 *   Chapter 16  Calls within a call
 *   Chapter 17  LSSMTC and LSSTTC: one subspace shared by all tasks
 *   Chapter 18  MBC: Bregman clustering with transported centroids
 *   Chapter 19  MTCFIR: features and similarities that tasks share
 *   Chapter 20  TTL: from a source to a target through bridges
 *   Chapter 21  EC and TrEC: ensembles in random subspaces, their transfer
 *   Chapter 22  How many clusters
 *   Chapter 23  Judge: which of several partitions do the rows support?
 *   Chapter 24  Panels and ballots
 *   Chapter 25  Guard: sharing only where it is safe
 *   Chapter 26  Auto: a vote of methods that share and methods that do not
 *
 * References are listed at the head of mtc.h.
 */
#define MTC_INTERNAL
#include "mtc.h"

#if MTC_VERSION != 300
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

/* Refuses an argument or an option; `wrong` says which, and what is needed. */
static mtc_status bad_option(mtc_context *ctx, const char *wrong)
{
    return mtc_refuse(ctx, MTC_INVALID, wrong);
}

/* Refuses the call unless a condition on its arguments holds. */
static mtc_status require(mtc_context *ctx, int holds, const char *need)
{
    return holds ? MTC_OK : bad_option(ctx, need);
}

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

/* Labels and answers may be missing only while a call is measured.  A macro: as
 * a function it would add 28 bytes of flash to every assign. */
#define is_given(ctx, labels) ((labels) != NULL || mtc_measuring(ctx))

/* Labels of n samples have to lie in 0..k-1. */
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

/* Labels given as a start: likewise, but NULL is fine. */
static mtc_status check_start(mtc_context *ctx, const int *labels, size_t n,
    size_t k, size_t task)
{
    return labels == NULL ? MTC_OK : check_labels(ctx, labels, n, k, task);
}

/* Is x 0, or positive and such that its fourth power neither overflows nor
 * underflows?  Asked of weights and costs, which multiply the data. */
static int is_moderate(mtc_real x)
{
    const mtc_real largest = MTC_BY_TYPE(1e70, 1e9);
    return x == 0 || in_range(x, 1 / largest, largest);
}

/* Weights of n samples are moderate and not all zero; NULL is fine. */
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
    return total > 0 ? MTC_OK : bad_option(ctx, "weights: all are 0");
}

/* Sets given together have one width.  An error names the set as the task. */
static mtc_status check_sets(mtc_context *ctx, const mtc_data *sets,
    size_t n_sets)
{
    if (sets == NULL || n_sets == 0)
        return bad_option(ctx, "no data");
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

/* share [n] = weights over their sum; NULL: all are 1.  They are divided by the
 * largest first, so that nothing overflows.  `share` may be `weights`. */
static void weight_shares(size_t n, const mtc_real *weights, mtc_real *share)
{
    mtc_real top = 0;
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        share[i] = weights == NULL ? 1 : weights[i];
        top = MTC_MAX(share[i], top);
    }
    for (size_t i = 0; i < n; i++) {
        share[i] /= top;
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

/* Knuth's algorithm S: `wanted` of the `left` remaining items are still to be
 * drawn.  Is the next one among them? */
static int is_drawn(mtc_random *random, size_t left, size_t wanted)
{
    return wanted == left || mtc_random_below(random, left) < wanted;
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

/* out [d] = row i; a CSR row is spread out there already. */
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
        S.row += first;  /* row[0] > 0 then: values stay whole */
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

/* Is row i the last of a piece, or of all n?  Rows are summed in pieces: added
 * one by one, the last of very many would lose digits beside the sum so far. */
static int ends_piece(size_t i, size_t n)
{
    const size_t piece = sizeof(mtc_real) == 8 ? 65536 : 1024;
    return i % piece == piece - 1 || i == n - 1;
}

/* |X|^2, the sum of all squares. */
static mtc_real squared_norm(const mtc_data *X)
{
    mtc_real total = 0, part = 0;
    for (size_t i = 0; i < X->n; i++) {
        part += row_square(X, i);
        if (ends_piece(i, X->n)) {
            total += part;
            part = 0;
        }
    }
    return total;
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

/* Returns how many values are not 0 (of a shape: all that it stores), and adds
 * to *negative how many are below 0. */
static size_t rows_filled(const mtc_data *X, size_t *negative)
{
    size_t filled = 0;
    if (mtc_is_shape(X))
        return mtc_stored(X);
    for (size_t i = 0; i < X->n; i++)
        for (size_t e = row_begin(X, i); e < row_end(X, i); e++) {
            filled += X->values[e] != 0;
            *negative += X->values[e] < 0;
        }
    return filled;
}

/* Is the share of values that are not 0 at most a tenth, as in texts? */
static int is_sparse(double filled, size_t n, size_t d)
{
    return filled * 10 <= (double)n * (double)d;
}

/* ---- squared distances --------------------------------------------------- */

/* |x|^2 + |y|^2 - 2 x.y loses every digit if x and y are close.  Below this
 * share of its squares the differences are squared and summed instead. */
#define PAIR_CANCEL ((mtc_real)1e-3)

/* |x - y|^2 of x, y [d], in four sums, which compilers turn into vector code.
 * They are added in one order: the same bits everywhere. */
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

/* |x_i - y_j|^2 between rows of any two views. */
static mtc_real row_sq_distance(const mtc_data *X, size_t i, const mtc_data *Y,
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

/* Do the values look like those of texts: none negative, and 0 in nine of ten?
 * *zeros is the share of 0. */
static int rows_sparse(const mtc_data *sets, size_t n_sets, mtc_real *zeros)
{
    size_t filled = 0, negative = 0, N = count_samples(sets, n_sets);
    for (size_t t = 0; t < n_sets; t++)
        filled += rows_filled(&sets[t], &negative);
    *zeros = 1 - (mtc_real)filled / (mtc_real)N / (mtc_real)sets[0].d;
    return negative == 0 && is_sparse((double)filled, N, sets[0].d);
}

/* Takes the rounding off a mean [d] of dense rows:
 *   mean += sum_factor sum_i row_factor (x_i - mean)
 * over the rows of all sets or, if there are labels, those of one set that have
 * the label z.  A mean of CSR rows stays. */
static void refine_mean(const mtc_data *sets, size_t n_sets, const int *labels,
    int z, mtc_real row_factor, mtc_real sum_factor, mtc_real *mean)
{
    enum { WIDTH = 32 };  /* columns at a time, whose sums stay in the cache */
    for (size_t s = 0; s < n_sets; s++)
        if (mtc_is_csr(&sets[s]))
            return;
    for (size_t at = 0; at < sets[0].d; at += WIDTH) {
        size_t m = MTC_MIN(sets[0].d - at, WIDTH);
        mtc_real rest[WIDTH] = {0};
        for (size_t s = 0; s < n_sets; s++)
            for (size_t i = 0; i < sets[s].n; i++) {
                const mtc_real *x = sets[s].values + i * sets[s].stride + at;
                if (labels == NULL || labels[i] == z)
                    for (size_t e = 0; e < m; e++)
                        rest[e] += row_factor * (x[e] - mean[at + e]);
            }
        mtc_axpy(m, sum_factor, rest, mean + at);
    }
}

/* mean [d] = mean row of all sets; `exact` asks for all digits. */
static void mean_row(const mtc_data *sets, size_t n_sets, int exact,
    mtc_real *mean)
{
    mtc_real share = 1 / (mtc_real)count_samples(sets, n_sets);
    MTC_ZERO(mean, sets[0].d);
    for (size_t s = 0; s < n_sets; s++)
        for (size_t i = 0; i < sets[s].n; i++)
            mtc_data_axpy(&sets[s], i, share, mean);
    if (exact)
        refine_mean(sets, n_sets, NULL, 0, share, 1, mean);
}

/* sum [d]: sum_i w_i x_ij^2 over the rows of all sets; w is 1 if NULL. */
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

/* The shape of a CSR view: mtc_shape would take 0 stored values for dense. */
static mtc_data csr_shape(size_t n, size_t d, size_t stored)
{
    return mtc_shape(n, d, MTC_MAX(stored, 1));
}

/* The shape of n rows of X.  It is not known which rows these will be, so the
 * shape has as many stored values as n rows can have. */
static mtc_data rows_shape(const mtc_data *X, size_t n)
{
    size_t most = mtc_mul(n, X->d), stored = mtc_stored(X);
    if (!mtc_is_csr(X))
        return mtc_shape(n, X->d, 0);
    return csr_shape(n, X->d, MTC_MIN(stored, most));
}

/* Room for a copy of rows: a view of no rows, to which rows_add appends; while
 * measuring, the shape itself. */
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
    size_t *row = (size_t *)copy->row;  /* ours: just carved */
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

/* Scales the rows of a copy to length 1; zero rows stay. */
static void rows_unit(mtc_data *copy)
{
    for (size_t i = 0; i < copy->n; i++) {
        size_t e0 = row_begin(copy, i);
        mtc_unit_rows(1, row_end(copy, i) - e0, (mtc_real *)copy->values + e0);
    }
}

/* Room for a copy of all sets, stacked: dense if all of them are, else CSR. */
static void stack_layout(mtc_stack *st, const mtc_data *sets, size_t n_sets,
    mtc_data *out)
{
    size_t n = count_samples(sets, n_sets), stored = 0, sparse = 0;
    for (size_t s = 0; s < n_sets; s++) {
        stored = mtc_add(stored, mtc_stored(&sets[s]));
        sparse += (size_t)mtc_is_csr(&sets[s]);
    }
    *out = rows_take(st, sparse > 0 ? csr_shape(n, sets[0].d, stored)
                                    : mtc_shape(n, sets[0].d, 0));
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

/* Adds `wanted` rows of X to a copy that is empty, drawn in their order. */
static void rows_draw(const mtc_data *X, size_t wanted, mtc_random random,
    mtc_data *copy)
{
    for (size_t i = 0; i < X->n; i++)
        if (is_drawn(&random, X->n - i, wanted - copy->n))
            rows_add(X, i, copy);
}

/* ---- blocks of rows ------------------------------------------------------
 * Work on rows that have outputs of their own is shared out to lanes by blocks
 * of one size, so that no bit depends on the number of lanes. */

#define BLOCK_ROWS ((size_t)128)

/* What is done to rows first..first+rows-1, in a lane. */
typedef void (*block_step)(void *job, size_t first, size_t rows, size_t lane);

/* Lanes at work on blocks, with scratch for each, and what they do. */
typedef struct block_crew {
    const char *stage;    /* of mtc_tick; NULL: none, because the step writes
                             what a call that is cancelled may not touch */
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

/* The part of rows first..first+rows-1, counted over all sets, that lies in X,
 * whose own first row is number `at`.  *i: number of the part's first row. */
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

/* Rows first..first+rows-1 of G [N*N], the Gram matrix of the rows of all sets,
 * up to the diagonal.  Work as gram_work. */
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

/* k_t is the task's own, or the same for all. */
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

/* Writes the labels that occur to distinct [n], ascending, and returns how many
 * they are.  Shell's sort, since qsort differs between libraries. */
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

/* mean [k*ld] of the rows of X, times scale [n] unless NULL, in each cluster,
 * and share [k] of the rows.  Both are 0 if a cluster is empty. */
static void cluster_means(const mtc_data *X, const int *labels, size_t k,
    const mtc_real *scale, size_t ld, mtc_real *mean, mtc_real *share)
{
    size_t d = X->d;
    MTC_ZERO(share, k);
    for (size_t z = 0; z < k; z++)
        MTC_ZERO(mean + z * ld, d);
    for (size_t i = 0; i < X->n; i++) {
        size_t z = (size_t)labels[i];
        share[z] += 1;  /* a count until the end */
        mtc_data_axpy(X, i, scale != NULL ? scale[i] : 1, mean + z * ld);
    }
    for (size_t z = 0; z < k; z++) {
        mtc_real count = share[z] > 0 ? share[z] : 1;
        share[z] /= (mtc_real)X->n;
        for (size_t e = 0; e < d; e++)
            mean[z * ld + e] /= count;
        if (scale == NULL && share[z] > 0)
            refine_mean(X, 1, labels, (int)z, 1, 1 / count, mean + z * ld);
    }
}

/* The same with ld = d, but an empty cluster gets the mean of the first that is
 * not empty.  share [k] is scratch. */
static void full_means(const mtc_data *X, size_t k, const int *labels,
    mtc_real *mean, mtc_real *share)
{
    size_t d = X->d, first = 0;
    cluster_means(X, labels, k, NULL, d, mean, share);
    while (!(share[first] > 0))
        first++;
    for (size_t z = 0; z < k; z++)
        if (!(share[z] > 0))
            MTC_COPY(mean + z * d, mean + first * d, d);
}

/* An empty cluster has no mean, and its center must not be nearest to any row,
 * old or new.  It is the mean of a cluster of lower number, which wins the tie,
 * or lies where values end.  U [k*d] are the means, members [k] is scratch. */
static void fill_means(const mtc_data *X, size_t k, const int *labels,
    size_t *members, mtc_real *U)
{
    size_t d = X->d, first = 0;
    labels_used(X->n, labels, k, members);
    while (members[first] == 0)
        first++;
    for (size_t z = 0; z < k; z++) {
        if (members[z] > 0)
            continue;
        MTC_COPY(U + z * d, U + first * d, d);
        if (z < first)
            U[z * d] = MTC_BY_TYPE(1e148, 1e13);  /* see mtc_data_check */
    }
}

/* ---- one numbering over tasks ---------------------------------------------
 * The k clusters of a task take the numbers of those of task 0 that they are
 * paired with, by squared distances of centers. */

typedef struct match_ws {
    size_t k, d;
    size_t layers;    /* in which the features come: 1, but for MTCFIR */
    size_t *from;     /* [k] the cluster that becomes z */
    size_t *members;  /* [k] samples of each cluster of the task */
    size_t *known;    /* [k] 0: V has no such cluster; NULL: it has all */
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

/* Renumbers labels [n] and centers U [k*d] of a task like those of task 0, with
 * centers V; m->from reorders its other arrays.  An empty cluster takes what
 * number is left.  *holds as in mtc_match_alike. */
static mtc_status match_task(mtc_context *ctx, const match_ws *m,
    const mtc_real *V, mtc_real *U, size_t n, int *labels, int *holds)
{
    size_t k = m->k, d = m->d;
    labels_used(n, labels, k, m->members);
    for (size_t y = 0; y < k; y++)
        for (size_t z = 0; z < k; z++)
            m->cost[y * k + z] =
                m->members[z] == 0 || (m->known != NULL && m->known[y] == 0)
                    ? 0 : sq_distance(d, V + y * d, U + z * d);
    MTC_TRY(mtc_assignment_in(ctx, k, k, m->cost, k, m->from, NULL, NULL, NULL,
                              m->work));
    mtc_match_lines(k, m->from, U, d, d, 1);
    match_labels(m->from, n, labels);
    mtc_match_alike(k, d, m->layers, V, U, holds);
    return MTC_OK;
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
 * Saito (is) for one feature.  sqeuclidean is mahalanobis with A = I.
 * For each of them the mean is the best representative, [BMDG05] prop. 1, which
 * is why one k-means serves them all.
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

/* |L'(x - y)|^2, A = L L', which cannot come out negative. */
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

/* 2Ax, A symmetric; 2x if there is no metric: mtc_sqeuclidean. */
static void maha_gradient(const void *user, size_t d, const mtc_real *x,
    mtc_real *g)
{
    const mtc_metric *metric = (const mtc_metric *)user;
    for (size_t i = 0; i < d; i++)
        g[i] = 2 * (metric == NULL ? x[i] : mtc_dot(d, metric->A + i * d, x));
}

static void sqe_inverse(const void *user, size_t d, const mtc_real *g,
    mtc_real *x)
{
    (void)user;
    for (size_t j = 0; j < d; j++)
        x[j] = g[j] / 2;
}

static void maha_inverse(const void *user, size_t d, const mtc_real *g,
    mtc_real *x)
{
    sqe_inverse(NULL, d, g, x);  /* apart, so that k-means links no Cholesky */
    mtc_cholesky_solve(d, 1, ((const mtc_metric *)user)->L, d, x, 1, NULL);
}

mtc_divergence mtc_sqeuclidean(void)
{
    return (mtc_divergence){sqe_value, maha_gradient, sqe_inverse, admits_all,
                            NULL};  /* no metric: A = I */
}

mtc_divergence mtc_mahalanobis(const mtc_metric *metric)
{
    return (mtc_divergence){maha_value, maha_gradient, maha_inverse,
                            admits_all, metric};
}

/* r - log r - 1 for r = x / y.  Where x and y are close this would cancel;
 * there, however, x - y is exact, and t = r - 1 has its digits.  With
 * s = t / (2 + t), log r is 2 (s + s^3/3 + s^5/5 + ...), and t - 2 s is t s. */
static mtc_real saito_term(mtc_real x, mtc_real y)
{
    mtc_real r = x / y, t = (x - y) / y, s = t / (2 + t), sum = 0;
    if (!(MTC_FABS(t) < (mtc_real)0.125))
        return r < MTC_HUGE ? r - mtc_log(r) - 1 : r;
    for (int m = 17; m > 1; m -= 2)  /* |s| <= 1/15: the rest is below eps */
        sum = sum * s * s + 1 / (mtc_real)m;
    return t * s - 2 * s * s * s * sum;
}

/* x log(x/y) - x + y = x (y/x - log(y/x) - 1), x times the term of (y, x); y
 * where y/x overflows. */
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

/* Is it Mahalanobis, which has a metric? */
static int has_metric(const mtc_divergence *div)
{
    return div != NULL && div->value == maha_value;
}

/* Is every value of X + smooth in the domain of div?  Squared Euclidean, NULL,
 * takes all.  An entry that CSR does not store is `smooth`: if the domain has
 * that in every column, only stored entries are visited. */
static mtc_status check_smoothed(mtc_context *ctx, const mtc_data *X,
    const mtc_divergence *div, mtc_real smooth, size_t task)
{
    size_t admitting = 0;  /* columns whose domain has smooth */
    if (div == NULL || mtc_is_shape(X))
        return MTC_OK;
    if (mtc_is_csr(X))
        while (admitting < X->d && div->admits(div->user, admitting, smooth))
            admitting++;
    for (size_t i = 0; i < X->n; i++) {
        size_t e = row_begin(X, i), e1 = row_end(X, i);
        for (size_t j = 0; j < X->d; j++) {
            if (admitting == X->d)  /* absent values are admitted: skip them */
                j = e < e1 ? X->column[e] : X->d - 1;
            int stored = !mtc_is_csr(X) || (e < e1 && X->column[e] == j);
            mtc_real x = stored ? X->values[e++] : 0;
            if (!div->admits(div->user, j, x + smooth))
                return mtc_fail(ctx, MTC_DOMAIN, "value not in the domain of "
                                "the divergence", task, i, j);
        }
    }
    return MTC_OK;
}

/* A divergence given as an option has its functions and, if any, a metric of d
 * features.  A model's is known to be sound, so code that only labels samples
 * does without this check and stays small. */
static mtc_status check_divergence(mtc_context *ctx, const mtc_divergence *div,
    size_t d)
{
    if (div == NULL)
        return MTC_OK;
    const mtc_metric *metric = (const mtc_metric *)div->user;  /* if any */
    if (has_metric(div) && (metric == NULL || metric->A == NULL ||
                            metric->L == NULL || metric->d != d))
        return bad_option(ctx, "metric: need A and L, d x d");
    return require(ctx, div->value != NULL && div->gradient != NULL &&
                   div->inverse != NULL && div->admits != NULL,
                   "divergence: need all four functions");
}

/* The same, and check_smoothed without smoothing. */
static mtc_status check_domain(mtc_context *ctx, const mtc_data *X,
    const mtc_divergence *div, size_t task)
{
    MTC_TRY(check_divergence(ctx, div, X->d));
    return check_smoothed(ctx, X, div, 0, task);
}

/* A result keeps the divergence of its options, and its metric, in its block;
 * what a divergence of the caller's own points to stays the caller's.  Returns
 * the copy: NULL for squared Euclidean, and while measuring. */
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
    mtc_real *A, *L;
    MTC_REALS(own, cells, &A, &L);
    if (kept != NULL) {
        MTC_COPY(A, given->A, cells);
        MTC_COPY(L, given->L, cells);
        *metric = (mtc_metric){given->d, A, L};
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
 * Deviation: the recorded loss never rises, although rounding may raise it; and
 * where old centers were so far away that their rounding shows in the new means
 * (`blurred`), one more step is made.
 * References: Arthur & Vassilvitskii, SODA 2007 (A1); Hamerly, SDM 2010.
 * ========================================================================== */

#define KM_WIDTH ((size_t)4)                /* centers handled side by side */
#define KM_SAME (4096 * MTC_EPS * MTC_EPS)  /* share of the squares that is
                                               rounding: see km_cost */
/* The relative rounding of a sum of d squares, and of its root. */
#define KM_SLACK(d) ((mtc_real)((d) + 16) * MTC_EPS)

typedef struct kmeans_ws {
    const mtc_data *X;
    const mtc_kmeans_options *o;       /* k, weights, divergence, start */
    mtc_real *U;                       /* [k*d] centers */
    int *labels;                       /* [n] h */
    mtc_real *row;                     /* [d] one sample, dense */

    /* A1: [n] q_i d(x_i || nearest seed) now, with this draw, with the best */
    mtc_real *nearest, *trial, *best;

    /* A2 */
    size_t kp;                         /* k rounded up to KM_WIDTH */
    mtc_real *factor, *offset;         /* [d*kp] U'; [kp] |u|^2 */
    mtc_real *dist;                    /* [kp] of one sample to all u */
    mtc_real *norm;                    /* [n] |x|^2, used if CSR */
    mtc_real *lower;                   /* [n] Hamerly's bound */

    /* A3 and A4 */
    mtc_real *mass;                    /* [k] weight of a cluster */
    size_t *members;                   /* [k] samples of positive weight */
    mtc_real *sum;                     /* [k*d] sums, then new means */
    int text;                          /* 1: rows are sparse, see km_is_text */

    /* How distances are found: k-means' own way, or another method's.
     * prepare() fills factor and offset after a move of the centers;
     * distances() fills `dist` for sample i from its products with factor;
     * `user` is for these two. */
    void (*prepare)(struct kmeans_ws *w);
    void (*distances)(struct kmeans_ws *w, size_t i);
    void *user;
} kmeans_ws;

mtc_kmeans_options mtc_kmeans_defaults(void)
{
    return (mtc_kmeans_options){.clusters = 2, .restarts = 10,
                                .iterations = 300};
}

/* q_i */
static mtc_real km_weight(const kmeans_ws *w, size_t i)
{
    return w->o->weights == NULL ? 1 : w->o->weights[i];
}

/* |x_i - u|^2 of a CSR row from x.u and |u|^2, by differences if it cancels. */
static mtc_real km_expanded(const kmeans_ws *w, size_t i, const mtc_real *u,
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
static mtc_real km_distance(const kmeans_ws *w, size_t i, const mtc_real *u,
    mtc_real uu)
{
    const mtc_divergence *div = w->o->divergence;
    if (div != NULL)
        return div->value(div->user, w->X->d, row_dense(w->X, i, w->row), u);
    if (mtc_is_csr(w->X))
        return km_expanded(w, i, u, mtc_data_dot(w->X, i, u), uu);
    return sq_distance(w->X->d, w->X->values + i * w->X->stride, u);
}

/* q_i d(x_i || u_h(i)).  The mean of equal sparse rows may differ from them by
 * rounding: they cost 0 all the same. */
static mtc_real km_cost(const kmeans_ws *w, size_t i)
{
    size_t h = (size_t)w->labels[i];
    mtc_real uu = w->offset[h];
    mtc_real distance = km_distance(w, i, w->U + h * w->X->d, uu);
    if (mtc_is_csr(w->X) && w->o->divergence == NULL &&
        distance <= KM_SAME * (w->norm[i] + uu))
        distance = 0;
    return km_weight(w, i) * distance;
}

/* Draws a sample with probability proportional to nearest [n], whose entries
 * sum to `left`; returns `first` if all are 0, and the last above 0 where
 * rounding leaves some of the sum. */
static size_t km_draw(const kmeans_ws *w, mtc_random *rng, mtc_real left,
    size_t first)
{
    mtc_real at = mtc_random_real(rng) * left;
    size_t c = first;
    for (size_t i = 0; i < w->X->n && !(at < 0); i++) {
        c = w->nearest[i] > 0 ? i : c;
        at -= w->nearest[i];
    }
    return c;
}

/* trial [n] = weighted distances to the nearest seed if `seed` becomes one; it
 * is the first if `alone`.  Returns their sum. */
static mtc_real km_try(kmeans_ws *w, const mtc_real *seed, int alone)
{
    mtc_real uu = mtc_dot(w->X->d, seed, seed), total = 0;
    for (size_t i = 0; i < w->X->n; i++) {
        mtc_real cost = km_weight(w, i) * km_distance(w, i, seed, uu);
        w->trial[i] = alone || cost < w->nearest[i] ? cost : w->nearest[i];
        total += w->trial[i];
    }
    return total;
}

/* A1: greedy k-means++.  Each seed is the best of 2 + floor(log k) draws, where
 * i has probability q_i d(x_i || nearest seed), up to scale; the first is drawn
 * by weight alone.  When no distance is left (fewer distinct samples than k)
 * seeds repeat the first sample that has a weight. */
static void km_seed(kmeans_ws *w, mtc_random *rng)
{
    size_t n = w->X->n, d = w->X->d, k = w->o->clusters;
    const mtc_real e = (mtc_real)2.718281828459045;
    mtc_real left = 0, *seed = w->sum;  /* sum is free until A4 */
    size_t draws = 2, first = 0;
    while (!(km_weight(w, first) > 0))
        first++;
    for (mtc_real power = e; (mtc_real)k >= power; power *= e)
        draws++;  /* without the flash of mtc_log */
    for (size_t i = 0; i < n; i++) {
        w->nearest[i] = km_weight(w, i);
        left += w->nearest[i];
    }
    for (size_t z = 0; z < k; z++) {
        size_t tries = z == 0 ? 1 : draws;
        mtc_real best = 0;
        for (size_t t = 0; t < tries; t++) {
            row_copy(w->X, km_draw(w, rng, left, first), seed);
            mtc_real total = km_try(w, seed, z == 0);
            if (t > 0 && !(total < best))
                continue;
            best = total;
            MTC_COPY(w->U + z * d, seed, d);
            MTC_COPY(w->best, w->trial, n);
        }
        MTC_COPY(w->nearest, w->best, n);
        left = best;
    }
}

/* U' and |u|^2, after U changed. */
static void km_transpose(kmeans_ws *w)
{
    size_t k = w->o->clusters, d = w->X->d;
    for (size_t j = 0; j < d; j++)
        for (size_t z = 0; z < w->kp; z++)  /* 0 beyond k */
            w->factor[j * w->kp + z] = z < k ? w->U[z * d + j] : 0;
    for (size_t z = 0; z < k; z++)
        w->offset[z] = mtc_dot(d, w->U + z * d, w->U + z * d);
}

/* dist [kp] = row i of X times the columns of factor, KM_WIDTH of them in
 * registers at a time.  With `squared`, for dense rows, dist = their squared
 * distances, which differ from those of sq_distance by rounding: km_stays
 * allows for it. */
static void km_products(const kmeans_ws *w, const mtc_data *X, size_t i,
    int squared)
{
    size_t e0 = row_begin(X, i), e1 = row_end(X, i);
    for (size_t z = 0; z < w->kp; z += KM_WIDTH) {
        mtc_real sum[KM_WIDTH] = {0};  /* of centers z and after */
        for (size_t e = e0; e < e1; e++) {
            const mtc_real *u = w->factor + entry_column(X, e0, e) * w->kp + z;
            mtc_real x = X->values[e];
            for (size_t c = 0; c < KM_WIDTH; c++)
                sum[c] += squared ? (x - u[c]) * (x - u[c]) : x * u[c];
        }
        memcpy(w->dist + z, sum, sizeof sum);
    }
}

/* dist [k] of sample i. */
static void km_distances(kmeans_ws *w, size_t i)
{
    const mtc_data *X = w->X;
    const mtc_divergence *div = w->o->divergence;
    size_t k = w->o->clusters;
    if (div != NULL) {
        const mtc_real *x = row_dense(X, i, w->row);
        for (size_t z = 0; z < k; z++)
            w->dist[z] = div->value(div->user, X->d, x, w->U + z * X->d);
        return;
    }
    km_products(w, X, i, !mtc_is_csr(X));
    if (mtc_is_csr(X))
        for (size_t z = 0; z < k; z++)
            w->dist[z] = km_expanded(w, i, w->U + z * X->d, w->dist[z],
                                     w->offset[z]);
}

/* Index of the least of dist [k], the lowest on a tie, and the second least. */
static size_t km_argmin(size_t k, const mtc_real *dist, mtc_real *second)
{
    size_t best = 0;
    *second = MTC_HUGE;  /* k = 1: there is none */
    for (size_t z = 1; z < k; z++)
        if (dist[z] < dist[best]) {
            *second = dist[best];
            best = z;
        } else if (dist[z] < *second) {
            *second = dist[z];
        }
    return best;
}

/* Does Hamerly's bound tell that no other center is as near to sample i as its
 * own, at a squared distance of `own`?  `slack` is the relative rounding of d
 * squares.  A sparse row has |x|^2 - 2 x.u + |u|^2, where |u|^2 <= largest: it
 * errs by (stored + 64) eps (|x|^2 + largest), and its root by `blur`. */
static int km_stays(const kmeans_ws *w, size_t i, mtc_real own,
    mtc_real largest)
{
    const mtc_data *X = w->X;
    const mtc_real slack = KM_SLACK(X->d);
    mtc_real blur = 0;
    if (mtc_is_csr(X))
        blur = MTC_SQRT((mtc_real)(64 + X->row[i + 1] - X->row[i]) *
                        MTC_EPS * (w->norm[i] + largest));
    return MTC_SQRT(own) * (1 + slack) + blur < w->lower[i] * (1 - slack);
}

/* A2: next_i = the nearest center.  lower_i is about next_i then, so `next` has
 * to be the labels, or to become them before the centers move.  loss[0], for
 * MBC, is that of the labels, loss[1] of next.  Returns how many differ. */
static size_t km_nearest(kmeans_ws *w, int *next, mtc_real loss[2])
{
    size_t k = w->o->clusters, changed = 0;
    mtc_real largest = w->offset[argmax(k, w->offset)], part[2] = {0, 0};
    loss[0] = loss[1] = 0;
    for (size_t i = 0; i < w->X->n; i++) {
        size_t h = (size_t)w->labels[i], best = h;
        int bounded = w->o->divergence == NULL && w->lower[i] > 0;
        mtc_real q = km_weight(w, i), own = 0;
        if (bounded)
            own = km_distance(w, i, w->U + h * w->X->d, w->offset[h]);
        mtc_real least = own;
        if (!bounded || !km_stays(w, i, own, largest)) {
            mtc_real second;
            w->distances(w, i);
            best = km_argmin(k, w->dist, &second);
            least = w->dist[best];
            own = bounded ? own : w->dist[h];
            w->lower[i] = MTC_SQRT(second);
        }
        changed += best != h;
        part[0] += q * own;
        part[1] += q * least;
        next[i] = (int)best;
        if (ends_piece(i, w->X->n)) {
            loss[0] += part[0];
            loss[1] += part[1];
            part[0] = part[1] = 0;
        }
    }
    return changed;
}

/* members and mass of the clusters; returns how many are not empty. */
static size_t km_count(kmeans_ws *w)
{
    size_t used = 0;
    MTC_ZERO(w->mass, w->o->clusters);
    MTC_ZERO(w->members, w->o->clusters);
    for (size_t i = 0; i < w->X->n; i++) {
        mtc_real q = km_weight(w, i);
        w->mass[w->labels[i]] += q;
        if (q > 0)  /* else it is labeled, and not counted */
            used += w->members[w->labels[i]]++ == 0;
    }
    return used;
}

/* A3: fills empty clusters, the lowest first, with the sample that costs most
 * and is not the only one of its cluster, the lowest on a tie.  Returns the
 * number of moves; after one no bound is left. */
static size_t km_repair(kmeans_ws *w)
{
    size_t moves = 0, n = w->X->n;
    km_count(w);
    for (size_t z = 0; z < w->o->clusters; z++) {
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
        row_copy(w->X, worst, w->U + z * w->X->d);  /* for km_mean_rows */
        km_count(w);
        moves++;
    }
    if (moves > 0)
        for (size_t i = 0; i < n; i++)
            w->lower[i] = -1;  /* the new center may be anywhere */
    return moves;
}

/* A4: sum [k*d] = the rows of the clusters less their old centers.  The mean of
 * equal rows is then that row, to the bit, and data far from 0 lose no digits.
 * What a CSR row does not store is 0: it adds -u times the weight that `seen`
 * lacks.  That borrows `factor`: the centers move next, and fill it anew. */
static void km_sum_differences(kmeans_ws *w)
{
    const mtc_data *X = w->X;
    size_t d = X->d, k = w->o->clusters;
    mtc_real *seen = w->factor;
    MTC_ZERO(seen, k * d);
    for (size_t i = 0; i < X->n; i++) {
        size_t at = (size_t)w->labels[i] * d;
        size_t e0 = row_begin(X, i), e1 = row_end(X, i);
        mtc_real q = km_weight(w, i);
        for (size_t e = e0; e < e1; e++) {
            size_t j = at + entry_column(X, e0, e);
            w->sum[j] += q * (X->values[e] - w->U[j]);
            if (mtc_is_csr(X))
                seen[j] += q;
        }
    }
    if (!mtc_is_csr(X))
        return;
    for (size_t z = 0; z < k; z++)
        for (size_t j = z * d; j < (z + 1) * d; j++)
            w->sum[j] -= (w->mass[z] - seen[j]) * w->U[j];
}

/* Are rows sparse by what they store (rows_sparse asks for what is 0), and no
 * feature in all?  Then sums lose nothing: rows are as far apart as from 0. */
static int km_is_text(const kmeans_ws *w)
{
    const mtc_data *X = w->X;
    if (!mtc_is_csr(X) || mtc_stored(X) > mtc_mul(X->n, X->d / 10))
        return 0;
    mtc_real *stored_in = w->row;  /* [d] rows that store a feature */
    MTC_ZERO(stored_in, X->d);
    for (size_t e = X->row[0]; e < X->row[X->n]; e++)
        if (++stored_in[X->column[e]] == (mtc_real)X->n)
            return 0;
    return 1;
}

/* A4: sum [k*d] = weighted means of the clusters, after km_count.  Of rows as
 * sparse as those of texts, which are not far from 0, sums will do.  Where a
 * divergence has a domain they have to: a mean of 1e-30 would be lost beside an
 * old center of .1, and could leave the domain. */
static void km_mean_rows(kmeans_ws *w)
{
    const mtc_data *X = w->X;
    size_t d = X->d;
    const mtc_divergence *div = w->o->divergence;
    int plain = (div != NULL && !has_metric(div)) || w->text;
    MTC_ZERO(w->sum, w->o->clusters * d);
    if (!plain)
        km_sum_differences(w);
    else
        for (size_t i = 0; i < X->n; i++)
            mtc_data_axpy(X, i, km_weight(w, i),
                          w->sum + (size_t)w->labels[i] * d);
    for (size_t z = 0; z < w->o->clusters; z++) {
        mtc_real *sum = w->sum + z * d, *u = w->U + z * d;
        if (w->members[z] == 0)  /* A3 had none for it */
            MTC_COPY(sum, u, d);
        else
            for (size_t j = 0; j < d; j++)
                sum[j] = sum[j] / w->mass[z] + (plain ? 0 : u[j]);
    }
}

/* U = sum; lower_i falls by the largest movement, which is rounded upwards. */
static void km_move(kmeans_ws *w)
{
    size_t k = w->o->clusters, d = w->X->d;
    mtc_real step = 0;
    for (size_t z = 0; z < k; z++) {
        mtc_real moved = 0;
        for (size_t j = z * d; j < (z + 1) * d; j++) {
            moved += (w->sum[j] - w->U[j]) * (w->sum[j] - w->U[j]);
            w->U[j] = w->sum[j];
        }
        step = MTC_MAX(moved, step);
    }
    step = MTC_SQRT(step) * (1 + KM_SLACK(d));
    for (size_t i = 0; i < w->X->n; i++)
        w->lower[i] = (w->lower[i] - step) -
                      4 * MTC_EPS * (MTC_FABS(w->lower[i]) + step);
    w->prepare(w);
}

/* ---- one restart --------------------------------------------------------- */

/* A1 from given labels: the means of the clusters, by A4 from the first sample
 * of each as its old center.  A cluster without samples gets the mean of all,
 * or that of the cluster which has them all: this has more digits. */
static void km_start_labels(kmeans_ws *w)
{
    size_t n = w->X->n, d = w->X->d, k = w->o->clusters;
    MTC_COPY(w->labels, w->o->start_labels, n);
    MTC_ZERO(w->members, k);
    mean_row(w->X, 1, 0, w->row);
    for (size_t z = 0; z < k; z++)
        MTC_COPY(w->U + z * d, w->row, d);
    for (size_t i = 0; i < n; i++) {
        size_t z = (size_t)w->labels[i];
        if (w->members[z]++ == 0)
            row_copy(w->X, i, w->U + z * d);
    }
    km_count(w);
    km_mean_rows(w);
    size_t first = (size_t)w->labels[0];
    if (w->members[first] == n)
        for (size_t z = 0; z < k; z++)
            if (w->members[z] == 0)
                MTC_COPY(w->sum + z * d, w->sum + first * d, d);
    MTC_COPY(w->U, w->sum, k * d);
}

/* A1: centers to begin with, given, from labels or seeds. */
static void km_start(kmeans_ws *w, mtc_random *rng)
{
    size_t n = w->X->n;
    w->text = km_is_text(w);
    MTC_ZERO(w->labels, n);
    for (size_t i = 0; i < n; i++)
        w->lower[i] = -1;  /* nothing is known yet */
    if (w->o->start_centers != NULL)
        MTC_COPY(w->U, w->o->start_centers, w->o->clusters * w->X->d);
    else if (w->o->start_labels != NULL)
        km_start_labels(w);
    else
        km_seed(w, rng);
    km_transpose(w);  /* not prepare: MBC starts here, too, and does it later */
}

/* Restart t: A1, A2, then A3, A4, A2 until nothing changes.  Each restart draws
 * from a stream of its own, so that it does not depend on how many there are.
 * Means are found relative to the old centers, with their rounding: if the
 * loss fell to less than eps of what it was, it may be no more than that. */
static mtc_status km_descend(mtc_context *ctx, kmeans_ws *w, size_t t,
    mtc_kmeans_result *now)
{
    const mtc_kmeans_options *o = w->o;
    mtc_random rng = mtc_stream(ctx, t);
    mtc_real loss[2], *f = now->objective;
    now->iterations = 0;
    now->converged = 0;
    km_start(w, &rng);               /* A1 */
    km_nearest(w, w->labels, loss);  /* A2 */
    f[0] = loss[1];
    for (;; f++) {  /* f[0] is the loss so far */
        MTC_TRY(mtc_tick(ctx, "k-means", t, o->restarts));
        if (now->iterations == o->iterations || now->converged)
            break;
        size_t moves = km_repair(w);  /* A3 */
        km_mean_rows(w);              /* A4 */
        km_move(w);
        size_t changed = km_nearest(w, w->labels, loss);  /* A2 */
        f[1] = MTC_MIN(loss[1], f[0]);                    /* it may not rise */
        int blurred = f[1] > 0 && f[1] < MTC_EPS * f[0];
        int slow = o->tolerance > 0 && f[0] - f[1] <= o->tolerance * f[0];
        now->converged = slow || (changed == 0 && moves == 0 && !blurred);
        now->iterations++;
    }
    return MTC_FINITE(now->objective[0]) ? MTC_OK : MTC_DOMAIN;  /* largest */
}

/* ---- all restarts, in lanes ---------------------------------------------- */

/* A lane's current restart, and its best so far. */
typedef struct kmeans_part {
    kmeans_ws w;
    mtc_kmeans_result now, r;
    size_t kept;  /* the number of the restart in r */
} kmeans_part;

typedef struct kmeans_job {
    const mtc_data *X;
    const mtc_kmeans_options *o;
    mtc_kmeans_result r;  /* lane 0's best; at the end the best of all */
    size_t lanes;         /* see kmeans_lanes */
    kmeans_part *part;    /* [lanes] */
    mtc_lane *lane;       /* [lanes] */
} kmeans_job;

/* Memory that A2 needs beside the centers; `norms` is n if rows may be CSR and
 * the caller has no |x|^2 of its own, else 0. */
static void km_layout_distances(mtc_stack *tmp, const mtc_data *X,
    const mtc_kmeans_options *o, size_t norms, kmeans_ws *w)
{
    w->X = X;
    w->o = o;
    w->prepare = km_transpose;  /* another method replaces both */
    w->distances = km_distances;
    w->kp = (o->clusters + KM_WIDTH - 1) / KM_WIDTH * KM_WIDTH;
    /* One by one: labeling links this, and MTC_REALS takes 60 bytes more. */
    w->factor = MTC_TAKE(tmp, mtc_mul(w->kp, X->d), mtc_real);
    w->offset = MTC_TAKE(tmp, w->kp, mtc_real);
    w->dist = MTC_TAKE(tmp, w->kp, mtc_real);
    w->row = MTC_TAKE(tmp, X->d, mtc_real);
    w->norm = MTC_TAKE(tmp, norms, mtc_real);
}

/* A start that is given leaves nothing to repeat. */
static size_t kmeans_restarts(const mtc_kmeans_options *o)
{
    return o->start_centers == NULL && o->start_labels == NULL ? o->restarts
                                                               : 1;
}

/* Lanes for the restarts, of about ten iterations each. */
static size_t kmeans_lanes(const mtc_context *ctx, const mtc_data *X,
    const mtc_kmeans_options *o)
{
    size_t step = mtc_mul(mtc_stored(X), o->clusters);
    return mtc_lanes(ctx, kmeans_restarts(o), mtc_mul(step, 10));
}

/* A restart, or the best of them. */
static void km_layout_result(mtc_stack *st, const kmeans_job *j,
    mtc_kmeans_result *r)
{
    r->labels = MTC_TAKE(st, j->X->n, int);
    MTC_REALS(st, mtc_mul(j->o->clusters, j->X->d), &r->centers);
    MTC_REALS(st, mtc_add(j->o->iterations, 1), &r->objective);
}

/* The best of lane 0 is laid out as the result.  All lanes share norm. */
static void kmeans_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    kmeans_job *j = (kmeans_job *)job;
    size_t n = j->X->n, k = j->o->clusters;
    mtc_real *norm = MTC_TAKE(tmp, n, mtc_real);
    j->r.clusters = k;
    j->r.d = j->X->d;
    km_layout_result(own, j, &j->r);
    j->r.divergence = keep_divergence(own, j->o->divergence);
    j->lane = MTC_TAKE(tmp, j->lanes, mtc_lane);
    j->part = MTC_TAKE(tmp, j->lanes, kmeans_part);
    for (size_t i = 0; i < j->lanes; i++) {
        kmeans_part measured = {.kept = 0};
        kmeans_part *p = j->part != NULL ? &j->part[i] : &measured;
        kmeans_ws *w = &p->w;
        km_layout_result(tmp, j, &p->now);
        MTC_REALS(tmp, n, &w->nearest, &w->trial, &w->best);  /* A1 */
        km_layout_distances(tmp, j->X, j->o, 0, w);           /* A2 */
        MTC_REALS(tmp, n, &w->lower);
        MTC_SIZES(tmp, k, &w->members);                       /* A3 */
        MTC_REALS(tmp, mtc_mul(k, j->X->d), &w->sum);         /* A4 */
        MTC_REALS(tmp, k, &w->mass);
        if (i > 0)
            km_layout_result(tmp, j, &p->r);
        w->norm = norm;
        w->labels = p->now.labels;
        w->U = p->now.centers;
    }
}

/* A restart that has ended in `from` becomes the result `to`. */
static void km_keep(const kmeans_ws *w, const mtc_kmeans_result *from,
    mtc_kmeans_result *to)
{
    MTC_COPY(to->labels, from->labels, w->X->n);
    MTC_COPY(to->centers, from->centers, w->o->clusters * w->X->d);
    MTC_COPY(to->objective, from->objective, from->iterations + 1);
    to->loss = from->objective[from->iterations];
    to->iterations = from->iterations;
    to->converged = from->converged;
}

/* Restart t, a lane's first if t == lane; the first of lowest loss stays. */
static mtc_status kmeans_restart(mtc_context *ctx, void *job, size_t t,
    size_t lane)
{
    kmeans_part *p = &((kmeans_job *)job)->part[lane];
    MTC_TRY(km_descend(ctx, &p->w, t, &p->now));
    if (t == lane || p->now.objective[p->now.iterations] < p->r.loss) {
        km_keep(&p->w, &p->now, &p->r);
        p->kept = t;
    }
    return MTC_OK;
}

/* The first restart with the lowest loss of all is the result. */
static mtc_status kmeans_work(mtc_context *ctx, void *job)
{
    kmeans_job *j = (kmeans_job *)job;
    kmeans_part *first = &j->part[0], *best = first;
    first->r = j->r;
    if (mtc_is_csr(j->X))
        mtc_data_norms(j->X, first->w.norm);
    MTC_TRY(mtc_share(ctx, j->lanes, j->lane, kmeans_restarts(j->o),
                      kmeans_restart, j));
    for (kmeans_part *p = first + 1; p < first + j->lanes; p++)
        if (p->r.loss < best->r.loss ||
            (p->r.loss == best->r.loss && p->kept < best->kept))
            best = p;
    j->r = first->r;
    if (best != first)
        km_keep(&best->w, &best->r, &j->r);
    best->w.labels = j->r.labels;
    j->r.k_effective = km_count(&best->w);
    return MTC_OK;
}

/* Weights are sound, and weighted squares do not vanish: MTC_TINY / MTC_EPS is
 * the least sum that has all its digits. */
static mtc_status kmeans_check_weights(mtc_context *ctx, const mtc_data *X,
    const mtc_kmeans_options *o)
{
    MTC_TRY(check_weights(ctx, o->weights, X->n));
    if (o->weights == NULL || o->divergence != NULL || mtc_is_shape(X))
        return MTC_OK;
    mtc_real total = squared_norm(X);
    mtc_real top = o->weights[argmax(X->n, o->weights)];
    if (total > 0 && !(top * total >= MTC_TINY / MTC_EPS))
        return mtc_refuse(ctx, MTC_DOMAIN, "weights times squares vanish");
    return MTC_OK;
}

mtc_status mtc_kmeans(mtc_context *ctx, const mtc_data *X,
    const mtc_kmeans_options *opt, mtc_kmeans_result *res)
{
    const mtc_kmeans_options usual = mtc_kmeans_defaults();
    const mtc_kmeans_options *o = opt != NULL ? opt : &usual;
    kmeans_job job = {.X = X, .o = o};
    MTC_TRY(mtc_data_check(ctx, X, MTC_NONE));
    MTC_TRY(check_clusters(ctx, o->clusters, X->n, MTC_NONE));
    MTC_TRY(require(ctx, o->restarts > 0, need_restarts));
    MTC_TRY(require(ctx, in_range(o->tolerance, 0, MTC_HUGE),
                    "tolerance: need 0 or more"));
    MTC_TRY(kmeans_check_weights(ctx, X, o));
    MTC_TRY(check_domain(ctx, X, o->divergence, MTC_NONE));
    if (o->start_centers != NULL) {  /* labels are not read */
        mtc_data U = mtc_dense(o->clusters, X->d, o->start_centers);
        MTC_TRY(mtc_data_sound(ctx, &U, MTC_NONE));
        MTC_TRY(check_domain(ctx, &U, o->divergence, MTC_NONE));
    } else {
        MTC_TRY(check_start(ctx, o->start_labels, X->n, o->clusters,
                            MTC_NONE));
    }
    job.lanes = kmeans_lanes(ctx, X, o);
    return job_result(ctx, kmeans_layout, kmeans_work, &job, res);
}

/* ---- new samples ---------------------------------------------------------
 * On one lane: code for more would add an eighth to the flash that labeling
 * takes, and a caller can cut the rows into blocks. */

typedef struct kmeans_assign_job {
    const mtc_data *X;
    mtc_kmeans_options o;  /* clusters, divergence: those of model */
    const mtc_kmeans_result *model;
    int *labels;           /* [n] */
    kmeans_ws w;
} kmeans_assign_job;

static void kmeans_assign_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    kmeans_assign_job *j = (kmeans_assign_job *)job;
    (void)own;
    j->w.U = j->model->centers;
    km_layout_distances(tmp, j->X, &j->o, mtc_is_csr(j->X) ? j->X->n : 0,
                        &j->w);
}

static mtc_status kmeans_assign_work(mtc_context *ctx, void *job)
{
    kmeans_assign_job *j = (kmeans_assign_job *)job;
    (void)ctx;
    if (mtc_is_csr(j->X))
        mtc_data_norms(j->X, j->w.norm);
    j->w.prepare(&j->w);
    for (size_t i = 0; i < j->X->n; i++) {
        mtc_real second;
        j->w.distances(&j->w, i);
        j->labels[i] = (int)km_argmin(j->o.clusters, j->w.dist, &second);
    }
    return MTC_OK;
}

mtc_status mtc_kmeans_assign(mtc_context *ctx, const mtc_data *X,
    const mtc_kmeans_result *res, int *labels)
{
    MTC_TRY(mtc_data_sound(ctx, X, MTC_NONE));
    if (res == NULL || X->d != res->d || !is_given(ctx, labels))
        return bad_option(ctx, "need a result of X's width, and labels");
    kmeans_assign_job job = {.X = X, .model = res, .labels = labels};
    job.o.clusters = res->clusters;
    job.o.divergence = res->divergence;
    MTC_TRY(check_smoothed(ctx, X, job.o.divergence, 0, MTC_NONE));
    return mtc_job_run(ctx, kmeans_assign_layout, kmeans_assign_work, &job);
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
#define VOTE_NEAR ((mtc_real)1.02)  /* runs vote up to 1.02 lowest losses */
#define EMBED_STEPS ((size_t)300)   /* of the k-means of A3 */

/* A3, also for chapter 10: k-means on the rows of an embedding. */
typedef struct embed_job {
    mtc_data rows;  /* view of the embedding */
    mtc_kmeans_options options;
    kmeans_job km;  /* reads `rows` and `options` */
} embed_job;

/* For n rows of at most k columns. */
static embed_job embed_of(const mtc_context *ctx, size_t n, size_t k,
    size_t restarts, const int *start_labels)
{
    mtc_data rows = mtc_shape(n, k, 0);
    mtc_kmeans_options o = {.clusters = k, .restarts = restarts,
                            .iterations = EMBED_STEPS,
                            .start_labels = start_labels};
    return (embed_job){.options = o, .km.lanes = kmeans_lanes(ctx, &rows, &o)};
}

/* The job points into itself, and may not be moved after this.  kmeans_layout
 * writes to its lanes' memory at once, so no step before A3 may share that. */
static void embed_layout(mtc_stack *own, mtc_stack *tmp, mtc_data rows,
    embed_job *e)
{
    e->rows = rows;
    e->km.X = &e->rows;
    e->km.o = &e->options;
    kmeans_layout(tmp, tmp, &e->km);  /* all scratch, except: */
    e->km.r.labels = MTC_TAKE(own, rows.n, int);
    MTC_REALS(own, EMBED_STEPS + 1, &e->km.r.objective);
}

static mtc_status embed_work(mtc_context *ctx, embed_job *e)
{
    mtc_unit_rows(e->rows.n, e->rows.d, (mtc_real *)e->rows.values);
    return kmeans_work(ctx, &e->km);
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
    embed_job embed;            /* A3 */
    mtc_real *count;            /* A4: [most*k] of run's clusters in final */
    mtc_real *members;          /* [k] sizes of the final clusters */
} vote_job;

mtc_vote_options mtc_vote_defaults(void)
{
    return (mtc_vote_options){.clusters = 2, .restarts = 5};
}

/* Room for as many columns as can be; A2 narrows the embedding to its rank. */
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
    MTC_REALS(tmp, most, &j->size);
    MTC_REALS(tmp, n, &j->degree);
    MTC_REALS(tmp, k, &j->members);
    embed_layout(own, tmp, mtc_dense(n, cols, j->r.embedding), &j->embed);
    size_t mark = tmp->used;  /* all steps but A3 share the rest */

    MTC_SIZES(tmp, n, &j->seen);  /* A1 */

    tmp->used = mark;  /* A2 */
    MTC_REALS(tmp, mtc_mul(most, most), &j->G);
    MTC_REALS(tmp, mtc_mul(most, cols), &j->V);
    MTC_REALS(tmp, cols, &j->lambda);
    j->work = mtc_take(tmp, mtc_symeig_range_work(most, cols), 1);

    tmp->used = mark;  /* A4 */
    MTC_REALS(tmp, mtc_mul(most, k), &j->count);
}

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

/* Lower triangle of G = B'B, B scaled by g^-1/2: clusters a of run r and b of
 * run s share samples i that add sqrt(w_r w_s) / g_i each.  O(n m^2). */
static void vote_gram(vote_job *j)
{
    size_t n = j->n, q = j->q;
    MTC_ZERO(j->G, q * q);
    for (size_t i = 0; i < n; i++)
        for (size_t r = 0; r < j->used; r++) {
            mtc_real *row = j->G + j->column[r * n + i] * q;
            mtc_real b = j->root[r] / j->degree[i];
            for (size_t s = 0; s <= r; s++)
                row[j->column[s * n + i]] += b * j->root[s];
        }
}

/* U = B V.  The columns of V are taken from the last on: eigenvalues ascend. */
static void vote_embed(const vote_job *j, size_t cols)
{
    size_t rank = j->r.rank;
    mtc_real *u = j->r.embedding;
    MTC_ZERO(u, j->n * rank);
    for (size_t i = 0; i < j->n; i++, u += rank)
        for (size_t r = 0; r < j->used; r++) {
            mtc_real b = j->root[r] / MTC_SQRT(j->degree[i]);
            const mtc_real *v = j->V + j->column[r * j->n + i] * cols;
            for (size_t z = 0; z < rank; z++)
                u[z] += b * v[cols - 1 - z];
        }
}

/* A2.  lambda = sigma^2 ascends to 1; the rank counts those above rounding. */
static mtc_status vote_spectral(mtc_context *ctx, vote_job *j)
{
    size_t n = j->n, q = j->q, rank = 1;
    size_t cols = MTC_MIN(j->o->clusters, q);
    vote_gram(j);
    MTC_TRY(mtc_symeig_range_in(ctx, q, j->G, q, q - cols, cols, j->lambda,
                                j->V, cols, j->work));
    mtc_real null = VOTE_NULL * (mtc_real)q * j->lambda[cols - 1];
    while (rank < cols && j->lambda[cols - 1 - rank] > null)
        rank++;
    j->r.rank = rank;
    j->embed.rows = mtc_dense(n, rank, j->r.embedding);
    vote_embed(j, cols);
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
 * O(n m) by the counts [q*k]; leaves members [k]. */
static void vote_stability(vote_job *j, const int *labels)
{
    mtc_vote_result *res = &j->r;
    size_t n = j->n, k = j->o->clusters;
    double mean = 0;
    MTC_ZERO(j->count, j->q * k);
    MTC_ZERO(j->members, k);
    for (size_t i = 0; i < n; i++)
        j->members[labels[i]] += 1;
    for (size_t r = 0; r < j->used; r++)
        for (size_t i = 0; i < n; i++)
            j->count[j->column[r * n + i] * k + (size_t)labels[i]] += 1;
    for (size_t i = 0; i < n; i++) {
        size_t z = (size_t)labels[i];
        mtc_real sum = 0, others = j->members[z] - 1;
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
                                    MTC_MAX(j->members[z], 1);
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
    MTC_TRY(embed_work(ctx, &j->embed));  /* A3 */
    vote_stability(j, km->labels);        /* A4 */
    r->clusters = j->o->clusters;
    r->labels = km->labels;
    r->objective = km->objective;
    r->iterations = km->iterations;
    r->converged = km->converged;
    r->k_effective = km->k_effective;
    return MTC_OK;
}

mtc_status mtc_vote(mtc_context *ctx, size_t n, const int *const *runs,
    size_t m, const mtc_vote_options *opt, mtc_vote_result *res)
{
    const mtc_vote_options usual = mtc_vote_defaults();
    const mtc_vote_options *o = opt != NULL ? opt : &usual;
    vote_job job = {.n = n, .m = m, .runs = runs, .o = o};
    MTC_TRY(require(ctx, is_given(ctx, runs) && m > 0, "runs: need 1 or more"));
    MTC_TRY(check_clusters(ctx, o->clusters, n, MTC_NONE));
    MTC_TRY(require(ctx, o->restarts > 0, need_restarts));
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
 * Five parts.  Pairs: the keys of a block of queries to all samples, which a
 * visitor gets row by row.  Nearest: the L nearest of each sample, exactly,
 * ties by index.  Lists: sparse rows, transposed and merged.  Graph: keys
 * become weights; the graph is the symmetric union of the lists of `neighbors`
 * (and itself with `loops`).  Last, checks of a matrix that is given.
 *
 * Samples of several sets are numbered in turn, set 0 first.  Among themselves
 * D(i,j) = D(j,i) to the bit, so half of the keys will do (half, meets); but in
 * a block of fewer than PAIR_THIN rows products are summed otherwise.
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

/* Rows of a block: N / PAIR_ROWS, but at least PAIR_ROWS and at most PAIR_MOST;
 * PAIR_ROWS also where the keys of the block would be more than PAIR_CELLS. */
#define PAIR_ROWS ((size_t)32)
#define PAIR_MOST ((size_t)120)
#define PAIR_CELLS ((size_t)1 << 20)
#define PAIR_THIN ((size_t)4)         /* fewer rows are summed otherwise */
#define PAIR_COLUMNS ((size_t)512)    /* of dense rows that fit the cache */
#define PAIR_SELF ((mtc_real)-1)      /* key of a sample to itself: nearest */
#define NEAREST_LONG ((size_t)32)     /* longer lists are selected from rows */

/* Called for query i, in a lane, with its keys D [N].  It may write only D, its
 * query's own outputs and its lane's scratch. */
typedef void (*pair_visit)(void *job, size_t i, mtc_real *D, size_t lane);

/* Keys between queries, the rows of some views, and all samples of the sets. */
typedef struct pair_ws {
    const mtc_data *sets, *queries;
    size_t n_sets, n_queries, N;  /* how many views; samples of the sets */
    pair_visit visit;             /* of each query, with `job` */
    void *job;
    mtc_distance distance;        /* what the keys are */
    int half;                     /* 1: keys from a block's own rows on */
    mtc_real *norm;               /* [N] |x|^2 of all samples */
    mtc_real *D;                  /* lanes * [size*N] keys of a block */
    block_crew crew;              /* its work is for the Gram matrix */
} pair_ws;

/* Rows of a block, for N samples. */
static size_t pair_rows(size_t N)
{
    size_t rows = MTC_MIN(N / PAIR_ROWS, PAIR_MOST);
    return PAIR_ROWS < rows && rows <= PAIR_CELLS / N ? rows : PAIR_ROWS;
}

/* Lanes for the blocks of all queries among N samples. */
static size_t pair_lanes(const mtc_context *ctx, const mtc_data *queries,
    size_t n_queries, size_t N)
{
    return block_lanes(ctx, count_samples(queries, n_queries), pair_rows(N),
                       mtc_mul(N, queries[0].d));
}

/* crew.lanes must be set before. */
static void pair_layout(mtc_stack *tmp, size_t N, size_t work, pair_ws *w)
{
    w->crew.size = pair_rows(N);
    block_layout(tmp, work, &w->crew);
    MTC_REALS(tmp, N, &w->norm);
    MTC_REALS(tmp, mtc_mul(mtc_mul(w->crew.lanes, w->crew.size), N), &w->D);
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
 * or, if that cancels, half of |x/|x| - y/|y||^2.  The roots are taken one by
 * one, because the product of the squares may overflow.  It is 1 for a zero
 * row, and one whose square underflows; rounding leaves it within 0 and 2. */
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
            D[j] = row_sq_distance(Q, i, Y, j);
            close--;
        }
}

/* keys [Q.n*N] between the rows of Q, of squared lengths nq, and all samples,
 * or, of a single set, samples `from` on.  A dense set goes by PAIR_COLUMNS or,
 * at its end, more: no block is thin, so equal rows have equal products. */
static void pair_keys(const pair_ws *w, const mtc_data *Q, const mtc_real *nq,
    size_t from, size_t lane, mtc_real *keys)
{
    size_t at = from, count;
    for (size_t t = 0; t < w->n_sets; t++)
        for (size_t first = from; first < w->sets[t].n; first += count) {
            size_t left = w->sets[t].n - first;
            int all = mtc_is_csr(&w->sets[t]) || left < 2 * PAIR_COLUMNS;
            count = all ? left : PAIR_COLUMNS;
            mtc_data Y = row_slice(&w->sets[t], first, count);
            mtc_data_gram(Q, &Y, keys + at, w->N, block_work(w->crew, lane));
            for (size_t i = 0; i < Q->n; i++)
                pair_finish(w->distance, Q, i, nq[i], &Y, w->norm + at,
                            keys + i * w->N + at);
            at += count;
        }
}

/* Keys of a block of rows, from view to view of the queries, and visits. */
static void pair_block(void *job, size_t first, size_t rows, size_t lane)
{
    const pair_ws *w = (const pair_ws *)job;
    size_t N = w->N, size = w->crew.size;
    size_t last = N > size ? N - size : 0;  /* so that no block is thin */
    size_t from = w->half ? MTC_MIN(first, last) : 0;
    mtc_real nq[PAIR_MOST];  /* |x|^2 of the block */
    mtc_real *D = w->D + lane * size * N;
    for (size_t s = 0, at = 0; s < w->n_queries; at += w->queries[s++].n) {
        size_t i;
        mtc_data Q = block_part(&w->queries[s], at, first, rows, &i);
        mtc_data_norms(&Q, nq);
        pair_keys(w, &Q, nq, from, lane, D);
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

/* The k nearest of n queries.  Where these are the samples, half of the keys
 * are enough (`meets`), as each counts for both of its ends.  The rows are then
 * cut into groups, and any two groups meet once.  In a round a group meets one
 * other, so that no two lanes write to one list. */
typedef struct nearest_ws {
    pair_ws pair;
    size_t n, k;
    int self, meets;       /* queries are the samples; they meet in groups */
    mtc_real own;          /* key of a sample to itself */
    size_t *index;         /* [n*k] nearest first */
    mtc_real *key;         /* as index */
    mtc_real *last;        /* [n] key of the last of a list, if it meets */
    size_t groups, round;  /* if it meets: how many groups, which round */
} nearest_ws;

/* Call it after pair_layout, with n, k and self set.  Half of the keys give the
 * bits of all, unless the last block is thin: its products sum up otherwise. */
static void nearest_layout(mtc_stack *tmp, size_t n_sets, nearest_ws *w)
{
    size_t tail = w->n % w->pair.crew.size;  /* rows of a last, short block */
    w->meets = w->self && n_sets == 1 && (tail == 0 || tail >= PAIR_THIN) &&
               w->k <= NEAREST_LONG;  /* else adding to lists costs more */
    MTC_SIZES(tmp, mtc_mul(w->n, w->k), &w->index);
    MTC_REALS(tmp, mtc_mul(w->n, w->k), &w->key);
    MTC_REALS(tmp, w->meets ? w->n : 0, &w->last);
}

/* A sample goes to its place in a list, from which the last one falls. */
static void nearest_add(nearest_ws *w, size_t list, size_t c, mtc_real key)
{
    size_t k = w->k, at = k, *index = w->index + list * k;
    mtc_real *keys = w->key + list * k;
    while (at > 0 && (key < keys[at - 1] ||
                      (key == keys[at - 1] && c < index[at - 1]))) {
        at--;
        if (at + 1 < k) {
            index[at + 1] = index[at];
            keys[at + 1] = keys[at];
        }
    }
    if (at == k)
        return;
    index[at] = c;
    keys[at] = key;
    w->last[list] = keys[k - 1];
}

/* The nearest of query i are selected from its row. */
static void nearest_of(void *job, size_t i, mtc_real *D, size_t lane)
{
    nearest_ws *w = (nearest_ws *)job;
    size_t k = w->k;
    (void)lane;
    if (w->self)
        D[i] = w->own;
    mtc_select_order(w->pair.N, D, k, w->index + i * k);
    for (size_t t = i * k; t < (i + 1) * k; t++)
        w->key[t] = D[w->index[t]];
}

/* The groups a and b that meet as an item of a round.  In round 0 each meets
 * itself.  The other rounds are those of a tournament: all groups but the last
 * stand in a circle; those `item` before and after group `round` meet, and the
 * last one meets group `round`, for which there is no other. */
static void nearest_groups(const nearest_ws *w, size_t item, size_t *a,
    size_t *b)
{
    size_t circle = w->groups - 1;
    *a = *b = item;
    if (w->round > 0) {
        *a = (w->round + circle - item) % circle;
        *b = item > 0 ? (w->round + item) % circle : circle;
    }
}

/* The rows of two groups enter each other's lists. */
static mtc_status nearest_meet(mtc_context *ctx, void *job, size_t item,
    size_t lane)
{
    nearest_ws *w = (nearest_ws *)job;
    const pair_ws *p = &w->pair;
    size_t n = w->n, groups = w->groups, a, b;
    nearest_groups(w, item, &a, &b);
    size_t x = a * n / groups, y = b * n / groups;  /* their first rows */
    mtc_data A = row_slice(p->sets, x, (a + 1) * n / groups - x);
    mtc_data B = row_slice(p->sets, y, (b + 1) * n / groups - y);
    mtc_real *D = p->D + lane * p->crew.size * n, *last = w->last;
    MTC_TRY(mtc_tick(ctx, "neighbors", w->round, groups));
    mtc_data_gram(&A, &B, D, B.n, block_work(p->crew, lane));
    for (size_t i = 0; i < A.n; i++, D += B.n) {
        pair_finish(p->distance, &A, i, p->norm[x + i], &B, p->norm + y, D);
        for (size_t c = a == b ? i + 1 : 0; c < B.n; c++) {
            if (D[c] <= last[x + i])
                nearest_add(w, x + i, y + c, D[c]);
            if (D[c] <= last[y + c])
                nearest_add(w, y + c, x + i, D[c]);
        }
    }
    return MTC_OK;
}

/* A1.  The k nearest of all samples to each row of Q, or if Q is NULL to each
 * sample, with the key `own` to itself; if that is HUGE, k < N: it falls out.
 * Groups are one, or a multiple of 2 * lanes, so that all lanes get as many.
 * The keys of two fit a lane's D; none is thin, as lanes are at most blocks. */
static mtc_status nearest_lists(mtc_context *ctx, const mtc_data *Q,
    nearest_ws *w)
{
    const block_crew *crew = &w->pair.crew;
    size_t n = w->n, room = crew->size * n, groups = 0;
    if (!w->meets)
        return pair_each(ctx, "neighbors", &w->pair, Q, nearest_of, w);
    for (size_t e = 0; e < n * w->k; e++) {
        w->index[e] = MTC_NONE;
        w->key[e] = MTC_HUGE;
    }
    for (size_t i = 0; i < n; i++)
        nearest_add(w, i, i, w->own);  /* it sets last_i, too */
    for (size_t rows = n; rows > room / rows; rows = n / groups + 1)
        groups += 2 * crew->lanes;  /* rows^2 keys are too many */
    w->groups = MTC_MAX(groups, 1);
    for (w->round = 0; w->round < w->groups; w->round++)
        MTC_TRY(mtc_share(ctx, crew->lanes, crew->lane,
                          w->round == 0 ? w->groups : w->groups / 2,
                          nearest_meet, w));
    return MTC_OK;
}

typedef struct neighbors_job {
    const mtc_data *points, *queries;  /* queries NULL: the points */
    mtc_distance distance;
    nearest_ws near;
    size_t *index;  /* the caller's */
    mtc_real *key;  /* likewise, or NULL */
} neighbors_job;

static void neighbors_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    neighbors_job *j = (neighbors_job *)job;
    const mtc_data *Q = j->queries != NULL ? j->queries : j->points;
    (void)own;
    pair_layout(tmp, j->points->n, mtc_data_work(Q, j->points, 1),
                &j->near.pair);
    nearest_layout(tmp, 1, &j->near);
}

static mtc_status neighbors_work(mtc_context *ctx, void *job)
{
    neighbors_job *j = (neighbors_job *)job;
    size_t size = j->near.n * j->near.k;
    pair_begin(j->points, 1, j->distance, &j->near.pair);
    MTC_TRY(nearest_lists(ctx, j->queries, &j->near));
    MTC_COPY(j->index, j->near.index, size);  /* no tick can cancel any more */
    if (j->key != NULL)
        MTC_COPY(j->key, j->near.key, size);
    return MTC_OK;
}

mtc_status mtc_neighbors(mtc_context *ctx, const mtc_data *points,
    const mtc_data *queries, size_t k, mtc_distance distance, size_t *index,
    mtc_real *key)
{
    int self = queries == NULL;
    const mtc_data *Q = self ? points : queries;
    MTC_TRY(mtc_data_check(ctx, points, MTC_NONE));
    MTC_TRY(mtc_data_check(ctx, Q, MTC_NONE));
    MTC_TRY(require(ctx, Q->d == points->d, "features differ in number"));
    MTC_TRY(require(ctx, k > 0 && k <= points->n - (size_t)self,
                    "k: need 1..the number of (other) points"));
    MTC_TRY(require(ctx, (unsigned)distance <= MTC_DISTANCE_COSINE,
                    "distance: need one of MTC_DISTANCE_*"));
    MTC_TRY(require(ctx, is_given(ctx, index), "index: need [n*k]"));
    neighbors_job job = {.points = points, .queries = queries,
                         .distance = distance, .index = index, .key = key,
                         .near = {.n = Q->n, .k = k, .self = self,
                                  .own = MTC_HUGE}};
    job.near.pair.crew.lanes = pair_lanes(ctx, Q, 1, points->n);
    return mtc_job_run(ctx, neighbors_layout, neighbors_work, &job);
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
    for (size_t i = N; i-- > 0;)           /* from which it is filled */
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
    MTC_TRY(mtc_tick(ctx, "lists", 0, N));
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
            at += w > 0;  /* else written over */
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
    knn_lists out, in;     /* whom i lists; who lists i */
    mtc_real *mean, *row;  /* [d] of mean_sq_distance */
    int tuned;             /* 1: widths s_i s_j */
    size_t local;          /* m, N - 1 at most */
    mtc_real *scale;       /* [N] s_i */
    size_t *order;         /* [lanes*m] complete: the nearest */
} graph_job;

mtc_graph_options mtc_graph_defaults(void)
{
    return (mtc_graph_options){.similarity = MTC_SIMILARITY_COSINE, .width = 1};
}

static mtc_status graph_check(mtc_context *ctx, const mtc_graph_options *o,
    size_t N)
{
    if (N > UINT32_MAX)  /* a column is uint32_t */
        return mtc_refuse(ctx, MTC_TOO_BIG, "samples");
    MTC_TRY(require(ctx, (unsigned)o->similarity <= MTC_SIMILARITY_GAUSSIAN,
                    "similarity: need one of MTC_SIMILARITY_*"));
    return require(ctx, in_range(o->width, MTC_TINY, MTC_HUGE),
                   "width: need above 0");
}

static int graph_is_complete(const mtc_graph_options *o, size_t N)
{
    return o->neighbors == 0 || o->neighbors >= N - 1;
}

static void graph_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    graph_job *j = (graph_job *)job;
    size_t N = j->N, loops = j->o->loops != 0;
    size_t pairs = mtc_mul(N, mtc_add(j->o->neighbors, loops));
    j->tuned = j->o->local > 0 && j->o->similarity == MTC_SIMILARITY_GAUSSIAN;
    j->local = j->tuned ? MTC_MIN(j->o->local, N - 1) : 0;
    MTC_REALS(tmp, j->tuned ? N : 0, &j->scale);
    MTC_SIZES(tmp, mtc_mul(j->local, j->near.pair.crew.lanes), &j->order);
    MTC_REALS(tmp, j->sets[0].d, &j->mean, &j->row);
    pair_layout(tmp, N, gram_work(j->sets, j->n_sets), &j->near.pair);
    if (graph_is_complete(j->o, N)) {
        j->r.weights = mtc_dense(N, N, MTC_TAKE(own, mtc_mul(N, N), mtc_real));
        return;
    }
    /* A pair has 2 entries at most. */
    j->r.weights = rows_take(own, csr_shape(N, N, mtc_mul(2, pairs)));
    j->r.weights.n = N;
    size_t longest = MTC_MAX(j->local, j->o->neighbors);
    j->near.n = N;
    j->near.k = mtc_add(longest, loops);
    j->near.self = 1;
    j->near.own = loops ? PAIR_SELF : MTC_HUGE;
    nearest_layout(tmp, j->n_sets, &j->near);
    j->out = (knn_lists){NULL, j->near.index, j->near.key};
    MTC_SIZES(tmp, mtc_add(N, 1), &j->out.start);
    lists_layout(tmp, N, pairs, &j->in);
}

/* w_ij.  A sample with m twins has s = 0: only these are near to it. */
static mtc_real graph_weight(const graph_job *j, size_t i, size_t c,
    mtc_real key)
{
    if (key == PAIR_SELF)
        return 1;
    if (j->o->similarity != MTC_SIMILARITY_GAUSSIAN)
        return key < 1 ? 1 - key : 0;  /* key = 1 - cosine */
    mtc_real width = j->r.width;
    if (j->tuned)
        width *= j->scale[i] * j->scale[c];
    return mtc_exp(-key / MTC_MAX(width, MTC_TINY));
}

/* s_i from its square, not so small that a product of two is 0. */
static mtc_real graph_scale(mtc_real square)
{
    mtc_real least = MTC_SQRT(MTC_TINY), s = MTC_SQRT(square);
    return MTC_MAX(s, least);
}

/* Complete graph: keys, and s_i.  When all s are known, keys become weights: of
 * a pair's two that in the lower row, as the other may be thin, or not made. */
static void graph_row(void *job, size_t i, mtc_real *D, size_t lane)
{
    graph_job *j = (graph_job *)job;
    size_t *order = j->order + lane * j->local;
    MTC_COPY((mtc_real *)j->r.weights.values + i * j->N, D, j->N);
    if (j->local == 0)
        return;
    D[i] = MTC_HUGE;  /* not its own neighbor */
    mtc_select_order(j->N, D, j->local, order);
    j->scale[i] = graph_scale(D[order[j->local - 1]]);
}

static mtc_status graph_complete(mtc_context *ctx, graph_job *j)
{
    mtc_real *W = (mtc_real *)j->r.weights.values;  /* ours: just carved */
    j->near.pair.half = j->n_sets == 1 && j->local == 0;
    MTC_TRY(pair_each(ctx, "graph", &j->near.pair, NULL, graph_row, j));
    for (size_t i = 0; i < j->N; i++) {
        W[i * j->N + i] = j->o->loops != 0;
        for (size_t c = i + 1; c < j->N; c++) {
            mtc_real weight = graph_weight(j, i, c, W[i * j->N + c]);
            W[i * j->N + c] = weight;
            W[c * j->N + i] = weight;
        }
    }
    return MTC_OK;
}

/* A1: the lists, and from them s_i; then each is cut to L, keys to weights. */
static mtc_status graph_lists(mtc_context *ctx, graph_job *j, size_t L)
{
    size_t N = j->N, loops = j->o->loops != 0, listed = j->near.k;
    size_t *index = j->out.index;
    mtc_real *key = j->out.value;
    MTC_TRY(nearest_lists(ctx, NULL, &j->near));
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
 * 2 sum_i |x_i - mean|^2 / (N - 1), or 1 if that is 0.  mean, buffer [d]. */
static mtc_real mean_sq_distance(const mtc_data *sets, size_t n_sets,
    mtc_real *mean, mtc_real *buffer)
{
    size_t d = sets[0].d, N = count_samples(sets, n_sets);
    double spread = 0;  /* sum |x_i - mean|^2 */
    mean_row(sets, n_sets, 1, mean);
    mtc_real mm = mtc_dot(d, mean, mean);
    for (size_t s = 0; s < n_sets; s++)
        for (size_t i = 0; i < sets[s].n; i++) {
            mtc_real xx = row_square(&sets[s], i);
            mtc_real sq = xx - 2 * mtc_data_dot(&sets[s], i, mean) + mm;
            if (!(sq >= PAIR_CANCEL * (xx + mm)))
                sq = sq_distance(d, row_dense(&sets[s], i, buffer), mean);
            spread += (double)sq;
        }
    return N > 1 && spread > 0 ? 2 * (mtc_real)spread / (mtc_real)(N - 1) : 1;
}

/* A1 to A3.  With a relative width the unit of the features does not matter; a
 * width of 0 would make weights of 0/0. */
static mtc_status graph_work(mtc_context *ctx, void *job)
{
    graph_job *j = (graph_job *)job;
    int gaussian = j->o->similarity == MTC_SIMILARITY_GAUSSIAN;
    mtc_real width = j->o->width;
    mtc_data *W = &j->r.weights;  /* ours: just carved */
    pair_begin(j->sets, j->n_sets,
               gaussian ? MTC_DISTANCE_SQEUCLIDEAN : MTC_DISTANCE_COSINE,
               &j->near.pair);
    if (gaussian && !j->o->absolute && !j->tuned)
        width *= mean_sq_distance(j->sets, j->n_sets, j->mean, j->row);
    j->r.width = MTC_MIN(MTC_MAX(width, MTC_TINY), MTC_HUGE);
    if (graph_is_complete(j->o, j->N))
        return graph_complete(ctx, j);
    MTC_TRY(graph_lists(ctx, j, j->o->neighbors + (j->o->loops != 0)));
    return merge_rows(ctx, j->N, &j->out, &j->in, 0, (size_t *)W->row,
                      (uint32_t *)W->column, (mtc_real *)W->values);
}

mtc_status mtc_graph_build(mtc_context *ctx, const mtc_data *sets,
    size_t n_sets, const mtc_graph_options *opt, mtc_graph *res)
{
    const mtc_graph_options usual = mtc_graph_defaults();
    MTC_TRY(check_sets(ctx, sets, n_sets));
    graph_job job = {.sets = sets, .n_sets = n_sets,
                     .N = count_samples(sets, n_sets),
                     .o = opt != NULL ? opt : &usual};
    MTC_TRY(graph_check(ctx, job.o, job.N));
    job.near.pair.crew.lanes = pair_lanes(ctx, sets, n_sets, job.N);
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

/* A given M is square, >= 0, and symmetric to sqrt(eps). */
static mtc_status check_similarity(mtc_context *ctx, const mtc_data *M)
{
    MTC_TRY(mtc_data_check(ctx, M, MTC_NONE));
    if (M->n != M->d)
        return bad_option(ctx, "M is not square");
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
 * Chapter 6  The minimum spanning tree [GBC16]
 *
 * Prim's algorithm (1957) finds the tree on squared distances.  best[i] is the
 * distance of row i from the tree, near[i] the first tree row that had it; the
 * nearest row outside joins next, ties to the lowest index.
 *
 * A cut begins with every row a cluster.  It joins two along the shortest edge
 * between clusters or, while the Gini index of the sizes of the c clusters,
 *   G = sum_{i<j} |size_i - size_j| / ((c - 1) n), is above its bound,
 * along the shortest edge that ends in a cluster of the smallest size s.  That
 * search resumes where it ended while s stays the same, for a cluster above s
 * stays above it.  count[s] clusters have the size s, and one pass over them
 * gives G: a gap in the sizes counts for (clusters below) (clusters above).
 * ========================================================================== */

typedef struct tree_job {
    const mtc_data *X;
    mtc_tree_result r;
    mtc_real *best;          /* [n] distance from the tree; inside: -1 */
    size_t *near;            /* [n] the tree row at this distance */
    size_t *from, *to;       /* [n-1] edges in the order of joining */
    mtc_real *length;        /* [n-1] squared */
    size_t *order;           /* [n-1] of them by length */
} tree_job;

static void tree_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    tree_job *j = (tree_job *)job;
    size_t n = j->X->n, edges = n - 1;
    j->r.n = n;
    MTC_SIZES(own, edges, &j->r.from, &j->r.to);
    MTC_REALS(own, edges, &j->r.length);
    MTC_REALS(tmp, n, &j->best);
    MTC_SIZES(tmp, n, &j->near);
    MTC_SIZES(tmp, edges, &j->from, &j->to, &j->order);
    MTC_REALS(tmp, edges, &j->length);
}

/* Row `newest` joins the tree.  Updates the distances of the rows outside, and
 * returns the nearest, which joins next. */
static size_t tree_step(tree_job *j, size_t newest)
{
    const mtc_data *X = j->X;
    size_t next = MTC_NONE;
    j->best[newest] = -1;
    for (size_t i = 0; i < X->n; i++) {
        if (j->best[i] < 0)
            continue;
        mtc_real length = row_sq_distance(X, newest, X, i);
        if (length < j->best[i]) {
            j->best[i] = length;
            j->near[i] = newest;
        }
        if (next == MTC_NONE || j->best[i] < j->best[next])
            next = i;
    }
    return next;
}

static mtc_status tree_work(mtc_context *ctx, void *job)
{
    tree_job *j = (tree_job *)job;
    size_t n = j->X->n, edges = n - 1, newest = 0;
    for (size_t i = 0; i < n; i++)
        j->best[i] = MTC_HUGE;
    for (size_t e = 0; e < edges; e++) {
        MTC_TRY(mtc_tick(ctx, "tree", e, edges));
        newest = tree_step(j, newest);
        j->from[e] = j->near[newest];
        j->to[e] = newest;
        j->length[e] = j->best[newest];
    }
    if (edges > 0)  /* one at least can be ordered */
        mtc_select_order(edges, j->length, edges, j->order);
    for (size_t e = 0; e < edges; e++) {
        j->r.from[e] = j->from[j->order[e]];
        j->r.to[e] = j->to[j->order[e]];
        j->r.length[e] = j->length[j->order[e]];
    }
    return MTC_OK;
}

mtc_status mtc_tree(mtc_context *ctx, const mtc_data *X, mtc_tree_result *res)
{
    tree_job job = {.X = X};
    MTC_TRY(mtc_data_check(ctx, X, MTC_NONE));
    return job_result(ctx, tree_layout, tree_work, &job, res);
}

/* ---- cutting the tree -------------------------------------------------- */

typedef struct cut_job {
    const mtc_tree_result *tree;
    const mtc_tree_options *o;
    int *labels;      /* [n] the caller's: links first, see link_root */
    size_t *members;  /* [n] of the cluster of this root */
    size_t *count;    /* [n+1] clusters of each size */
} cut_job;

mtc_tree_options mtc_tree_defaults(void)
{
    return (mtc_tree_options){.clusters = 2, .gini = (mtc_real)0.3};
}

/* The cluster of a row, here and in chapter 7: its lowest row.  Rows point to
 * lower ones, the lowest to itself; paths are halved on the way. */
static int link_root(int *lower, size_t row)
{
    int at = (int)row;
    while (lower[at] != at) {
        lower[at] = lower[lower[at]];
        at = lower[at];
    }
    return at;
}

/* Two clusters, by their roots, become one. */
static void link_join(int *lower, int a, int b)
{
    lower[MTC_MAX(a, b)] = MTC_MIN(a, b);
}

/* Pointers [n] become labels, numbered in the order of the first rows: what a
 * row points to has its label already. */
static void link_number(size_t n, int *labels)
{
    int next = 0;
    for (size_t i = 0; i < n; i++) {
        int is_root = labels[i] == (int)i;
        labels[i] = is_root ? next : labels[labels[i]];
        next += is_root;
    }
}

/* The Gini index of the sizes of c clusters, none below `least`. */
static mtc_real cut_gini(const cut_job *j, size_t least, size_t c)
{
    mtc_real sum = 0;
    size_t below = 0, last = 0;
    for (size_t s = least; below < c; s++) {
        if (j->count[s] == 0)
            continue;
        sum += (mtc_real)(s - last) * (mtc_real)below * (mtc_real)(c - below);
        below += j->count[s];
        last = s;
    }
    return sum / ((mtc_real)(c - 1) * (mtc_real)j->tree->n);
}

/* The first edge from e on that still joins two clusters and, unless size is 0,
 * ends in one of this size.  There is one, as an edge leaves such a cluster. */
static size_t cut_search(const cut_job *j, size_t e, size_t size)
{
    for (;; e++) {
        int a = link_root(j->labels, j->tree->from[e]);
        int b = link_root(j->labels, j->tree->to[e]);
        if (a != b && (size == 0 || j->members[a] == size ||
                       j->members[b] == size))
            return e;
    }
}

/* Joins the clusters at the ends of edge e. */
static void cut_join(cut_job *j, size_t e)
{
    int a = link_root(j->labels, j->tree->from[e]);
    int b = link_root(j->labels, j->tree->to[e]);
    size_t both = j->members[a] + j->members[b];
    j->count[j->members[a]]--;
    j->count[j->members[b]]--;
    j->count[both]++;
    j->members[MTC_MIN(a, b)] = both;
    link_join(j->labels, a, b);
}

static void cut_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    cut_job *j = (cut_job *)job;
    (void)own;
    MTC_SIZES(tmp, j->tree->n, &j->members);
    MTC_SIZES(tmp, mtc_add(j->tree->n, 1), &j->count);
}

static mtc_status cut_work(mtc_context *ctx, void *job)
{
    cut_job *j = (cut_job *)job;
    size_t n = j->tree->n, least = 1;
    size_t next_any = 0, next_small = 0;  /* where to search next */
    (void)ctx;
    for (size_t i = 0; i < n; i++) {
        j->labels[i] = (int)i;
        j->members[i] = 1;
    }
    MTC_ZERO(j->count, n + 1);
    j->count[1] = n;
    for (size_t c = n; c > j->o->clusters; c--) {
        while (j->count[least] == 0) {
            least++;
            next_small = next_any;
        }
        int unequal = cut_gini(j, least, c) > j->o->gini;
        size_t *edge = unequal ? &next_small : &next_any;
        *edge = cut_search(j, *edge, unequal ? least : 0);
        cut_join(j, *edge);
    }
    link_number(n, j->labels);
    return MTC_OK;
}

mtc_status mtc_tree_cut(mtc_context *ctx, const mtc_tree_result *res,
    const mtc_tree_options *opt, int *labels)
{
    const mtc_tree_options usual = mtc_tree_defaults();
    cut_job job = {.tree = res, .labels = labels,
                   .o = opt != NULL ? opt : &usual};
    if (res == NULL || res->n == 0)
        return bad_option(ctx, "tree: need a result of mtc_tree");
    MTC_TRY(check_clusters(ctx, job.o->clusters, res->n, MTC_NONE));
    MTC_TRY(require(ctx, in_range(job.o->gini, 0, 1), "gini: need 0..1"));
    MTC_TRY(require(ctx, is_given(ctx, labels), "labels: need [n]"));
    return mtc_job_run(ctx, cut_layout, cut_work, &job);
}

/* ==========================================================================
 * Chapter 7  Ward's tree [W63]
 *
 *   v(a, b) = 2 n_a n_b / (n_a + n_b) |mean_a - mean_b|^2      height sqrt(v)
 *
 * The cost of joining clusters a and b: twice the rise of the sum of squared
 * distances to the means.  Neither means nor rows are needed to update it
 * [LW67]; starting from the squared distances of all rows,
 *
 *   v(ab, c) = ((n_a + n_c) v(a, c) + (n_b + n_c) v(b, c) - n_c v(a, b))
 *              / (n_a + n_b + n_c)
 *
 * The nearest-neighbor chain [M83]: from any cluster go to its nearest, from
 * there to its nearest, and so on, until two are each other's nearest.  These
 * are joined, and the chain goes on from what is left of it: a union is never
 * nearer to a cluster than the nearer of its parts was.  So unions are found in
 * another order than that of their heights, and are sorted afterwards.
 *
 * A union lives on in the slot of its lower row.  A tie goes to the chain's
 * previous slot, or the chain might not end, else to the lowest slot.
 *
 *   [M83]  Murtagh: a survey of recent advances in hierarchical clustering
 *          algorithms.  Computer Journal 26, 1983.
 * ========================================================================== */

typedef struct ward_job {
    const mtc_data *X;
    mtc_ward_result r;
    mtc_real *V;         /* [n*n] v between the clusters there are */
    size_t *size;        /* [n] samples of a slot; 0: it is gone */
    size_t *chain;       /* [n] slots on the chain */
    size_t length;       /* how many are on it now */
    size_t *low, *high;  /* [n-1] unions as they are found */
    mtc_real *cost;      /* [n-1] their v */
    size_t *order;       /* [n-1] of them by cost */
} ward_job;

static void ward_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    ward_job *j = (ward_job *)job;
    size_t n = j->X->n, unions = n - 1;
    j->r.n = n;
    MTC_SIZES(own, unions, &j->r.first, &j->r.second);
    MTC_REALS(own, unions, &j->r.height);
    MTC_REALS(tmp, mtc_mul(n, n), &j->V);
    MTC_SIZES(tmp, n, &j->size, &j->chain);
    MTC_SIZES(tmp, unions, &j->low, &j->high, &j->order);
    MTC_REALS(tmp, unions, &j->cost);
}

/* V between single rows: their squared distances. */
static mtc_status ward_begin(mtc_context *ctx, ward_job *j)
{
    size_t n = j->X->n;
    for (size_t i = 0; i < n; i++) {
        MTC_TRY(mtc_tick(ctx, "ward", 0, n));
        j->size[i] = 1;
        for (size_t c = 0; c < i; c++) {
            j->V[i * n + c] = row_sq_distance(j->X, i, j->X, c);
            j->V[c * n + i] = j->V[i * n + c];
        }
    }
    return MTC_OK;
}

/* The slot nearest to `at`.  `last`, the slot before it on the chain or
 * MTC_NONE, wins a tie. */
static size_t ward_nearest(const ward_job *j, size_t at, size_t last)
{
    size_t n = j->X->n, nearest = last;
    const mtc_real *v = j->V + at * n;
    mtc_real least = last == MTC_NONE ? MTC_HUGE : v[last];
    for (size_t c = 0; c < n; c++) {
        if (j->size[c] == 0 || c == at)
            continue;
        if (v[c] < least || nearest == MTC_NONE) {
            least = v[c];
            nearest = c;
        }
    }
    return nearest;
}

/* Joins slot b to slot a < b [LW67]. */
static void ward_join(ward_job *j, size_t a, size_t b)
{
    size_t n = j->X->n;
    mtc_real na = (mtc_real)j->size[a], nb = (mtc_real)j->size[b];
    mtc_real *va = j->V + a * n, *vb = j->V + b * n, ab = va[b];
    for (size_t c = 0; c < n; c++) {
        if (j->size[c] == 0 || c == a || c == b)
            continue;
        mtc_real nc = (mtc_real)j->size[c];
        mtc_real v = ((na + nc) * va[c] + (nb + nc) * vb[c] - nc * ab) /
                     (na + nb + nc);
        va[c] = v > 0 ? v : 0;  /* rounding may leave it below 0 */
        j->V[c * n + a] = va[c];
    }
    j->size[a] += j->size[b];
    j->size[b] = 0;
}

/* Follows the chain to a pair of mutual nearest neighbors. */
static void ward_follow(ward_job *j)
{
    if (j->length == 0)
        j->chain[j->length++] = 0;  /* slot 0 is never gone */
    for (;;) {
        size_t last = j->length > 1 ? j->chain[j->length - 2] : MTC_NONE;
        size_t next = ward_nearest(j, j->chain[j->length - 1], last);
        if (next == last)
            return;
        j->chain[j->length++] = next;
    }
}

static mtc_status ward_work(mtc_context *ctx, void *job)
{
    ward_job *j = (ward_job *)job;
    size_t n = j->X->n, unions = n - 1;
    MTC_TRY(ward_begin(ctx, j));
    for (size_t e = 0; e < unions; e++) {
        MTC_TRY(mtc_tick(ctx, "ward", e, unions));
        ward_follow(j);
        size_t a = j->chain[j->length - 1], b = j->chain[j->length - 2];
        j->length -= 2;
        j->low[e] = MTC_MIN(a, b);
        j->high[e] = MTC_MAX(a, b);
        j->cost[e] = j->V[a * n + b];
        ward_join(j, j->low[e], j->high[e]);
    }
    if (unions > 0)
        mtc_select_order(unions, j->cost, unions, j->order);
    for (size_t e = 0; e < unions; e++) {
        j->r.first[e] = j->low[j->order[e]];
        j->r.second[e] = j->high[j->order[e]];
        j->r.height[e] = MTC_SQRT(j->cost[j->order[e]]);
    }
    return MTC_OK;
}

mtc_status mtc_ward(mtc_context *ctx, const mtc_data *X, mtc_ward_result *res)
{
    ward_job job = {.X = X};
    MTC_TRY(mtc_data_check(ctx, X, MTC_NONE));
    return job_result(ctx, ward_layout, ward_work, &job, res);
}

/* Unions join rows of different clusters, so the first n - k of them leave k,
 * also where heights are equal. */
mtc_status mtc_ward_cut(mtc_context *ctx, const mtc_ward_result *res, size_t k,
    int *labels)
{
    mtc_block none;
    if (res == NULL || !is_given(ctx, labels))
        return bad_option(ctx, "need a result of mtc_ward, and labels");
    MTC_TRY(check_clusters(ctx, k, res->n, MTC_NONE));
    MTC_TRY(mtc_scratch(ctx, 0, &none));  /* takes none; measuring ends here */
    for (size_t i = 0; i < res->n; i++)
        labels[i] = (int)i;
    for (size_t e = 0; e < res->n - k; e++)
        link_join(labels, link_root(labels, res->first[e]),
                  link_root(labels, res->second[e]));
    link_number(res->n, labels);
    return MTC_OK;
}

/* ==========================================================================
 * Chapter 8  Logistic regression
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

#define LOGISTIC_HALVINGS 60              /* 2^-60 of a step is no step */
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

/* Returns f at theta and leaves P.  The sum is double: its last digits decide
 * about steps. */
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

/* The loop.  A2 is solved to a residual of min(.1, sqrt(|G| / |G at start|))
 * |G|, ever finer, so that convergence is superlinear.  The recorded objective
 * never increases, although A3 lets f rise by its rounding error. */
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
    transpose(j->d, j->c, j->theta, j->r.W);  /* without its last row */
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
    const mtc_logistic_options usual = mtc_logistic_defaults();
    const mtc_logistic_options *o = opt != NULL ? opt : &usual;
    logistic_job job = {.X = X, .labels = labels, .o = o};
    MTC_TRY(require(ctx, count_fits(o->classes, INT_MAX),
                    "classes: need 1 or more"));
    MTC_TRY(require(ctx, in_range(o->ridge, 0, MTC_HUGE),
                    "ridge: need 0 or more"));
    MTC_TRY(require(ctx, in_range(o->tolerance, 0, MTC_HUGE),
                    "tolerance: need 0 or more"));
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
    if (res == NULL || res->classes == 0 || X->d != res->d)
        return bad_option(ctx, "need a result of X's width");
    MTC_TRY(mtc_scratch(ctx, 0, &none));  /* takes none; measuring ends here */
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
 * Chapter 9  Support vector machine
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
 *   K    rows          the rows that were used last
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
    struct svm_job *part;     /* [lanes] copies; each has for itself: */

    size_t slots, clock;      /* cached rows of K; rows asked for so far */
    size_t *owner, *used_at;  /* [slots] sample; time of its last use */
    size_t *slot;             /* [n] of a sample, or MTC_NONE */
    mtc_real *rows;           /* [slots*n] */
    mtc_real *x;              /* [d] a CSR row spread out */

    mtc_real *F, *beta, *y;   /* [n] of the present problem */
    mtc_real *lo, *hi;        /* [n] */
    mtc_real *rise_bar;       /* [n] */
    mtc_real *fall_bar;       /* [n] */
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
            sq = row_sq_distance(&one, 0, X, j);
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

/* The labels, boxes and start of a problem whose positive class is given. */
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
    /* The heavier side shrinks, unless by rounding: a b at its bound stays. */
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

/* The most steps of a problem. */
static size_t svm_bound(const svm_job *w)
{
    size_t least = mtc_mul(1000, mtc_add(w->n, 100));
    size_t bound = MTC_MIN(SVM_WORK / w->n, SVM_STEPS);
    bound = MTC_MAX(bound, least);     /* LIBSVM: max(SVM_STEPS, 100 n) */
    bound /= (w->r.problems + 3) / 4;  /* fewer for each problem if c > 4 */
    return w->o->iterations > 0 ? w->o->iterations : bound;
}

/* The loop, until the gap closes or a pair does not move.  Each step adds its
 * rounding to F, so F is computed again before the end, and the last steps and
 * the gap that is told are from there. */
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

/* The bias is the mean of F over all free vectors.  If there are none, it is
 * the middle between the extremes, or the only one: with all samples on one
 * side, b = 0 and F = y.  The objective 1/2 b'Kb - y'b is -1/2 b'(y + F).  A gap
 * below the rounding of F proves nothing where that exceeds the tolerance. */
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

/* ---- checks and memory --------------------------------------------------- */

static mtc_status svm_check(mtc_context *ctx, const mtc_data *X,
    const int *labels, const mtc_svm_options *o)
{
    MTC_TRY(require(ctx, count_fits(o->classes, INT_MAX),
                    "classes: need 1..INT_MAX"));
    MTC_TRY(require(ctx, (unsigned)o->kernel <= MTC_KERNEL_RBF,
                    "kernel: need linear or rbf"));
    MTC_TRY(require(ctx, in_range(o->gamma, 0, MTC_HUGE),
                    "gamma: need 0 or more"));
    MTC_TRY(require(ctx, o->cost > 0 && is_moderate(o->cost),
                    "cost: need above 0"));
    MTC_TRY(require(ctx, in_range(o->tolerance, 0, MTC_HUGE),
                    "tolerance: need 0 or more"));
    MTC_TRY(mtc_data_check(ctx, X, MTC_NONE));
    MTC_TRY(check_labels(ctx, labels, X->n, o->classes, MTC_NONE));
    return check_weights(ctx, o->costs, X->n);
}

/* Two classes make one problem; of more, each is set against the rest. */
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
    const mtc_svm_options usual = mtc_svm_defaults();
    const mtc_svm_options *o = opt != NULL ? opt : &usual;
    MTC_TRY(svm_check(ctx, X, labels, o));
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

/* Had the fit no sample of class p?  Then f_p = -1 everywhere.  A model that
 * comes from a file may have coefficients and bias alone. */
static int svm_lacks(const mtc_svm_result *r, size_t p)
{
    return r->support != NULL && r->support[p] == 0 && r->bias[p] < 0;
}

/* f_p(x) = W_p x + bias_p, or sum_k coef_k K(x_k, x) + bias_p over the support.
 * The class with the largest f wins, the lowest on a tie; one that the fit
 * lacks never does. */
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
            if (P == 1) {
                winner = f > 0;  /* class 1 is positive */
            } else if (f > best && !svm_lacks(r, p)) {
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
    if (res == NULL || res->classes == 0 || train->n != res->n ||
        train->d != res->d || X->d != res->d)
        return bad_option(ctx, "data differ from the model's");
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
 * Chapter 10  Normalized cut
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

/* A4.  An edge counts from both ends, the diagonal once.  inside [k] are the
 * weights within a cluster, volume [k] its degrees. */
static mtc_real ncut_value(const mtc_data *S, size_t k, const int *h,
    mtc_real *inside, mtc_real *volume)
{
    mtc_real cut = 0;
    MTC_ZERO(inside, k);
    MTC_ZERO(volume, k);
    for (size_t i = 0; i < S->n; i++) {
        size_t e0 = row_begin(S, i), e1 = row_end(S, i);
        for (size_t e = e0; e < e1; e++) {
            volume[h[i]] += S->values[e];
            if (h[entry_column(S, e0, e)] == h[i])
                inside[h[i]] += S->values[e];
        }
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
    MTC_TRY(embed_work(ctx, &j->embed));      /* A3 */
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
        block_crew kept = j->graph.near.pair.crew;
        j->graph = (graph_job){.sets = j->X, .n_sets = 1, .N = n,
                               .o = &j->o->graph, .near.pair.crew = kept};
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
    const mtc_ncut_options usual = mtc_ncut_defaults();
    const mtc_ncut_options *o = opt != NULL ? opt : &usual;
    ncut_job job = {.X = X, .o = o};
    MTC_TRY(mtc_data_check(ctx, X, MTC_NONE));
    MTC_TRY(check_clusters(ctx, o->clusters, X->n, MTC_NONE));
    MTC_TRY(require(ctx, o->restarts > 0, need_restarts));
    MTC_TRY(require(ctx, in_range(o->tolerance, 0, 1), "tolerance: need 0..1"));
    MTC_TRY(check_start(ctx, o->start_labels, X->n, o->clusters, MTC_NONE));
    if (o->given)
        MTC_TRY(check_similarity(ctx, X));
    else
        MTC_TRY(graph_check(ctx, &o->graph, X->n));
    job.embed = embed_of(ctx, X->n, o->clusters, o->restarts, o->start_labels);
    job.graph.near.pair.crew.lanes = pair_lanes(ctx, X, 1, X->n);  /* kept */
    return job_result(ctx, ncut_layout, ncut_work, &job, res);
}

/* ==========================================================================
 * Chapter 11  Principal components
 *
 *   X - 1 mean' ~ scores components        scores [N*r]  components C [r*d]
 *
 * X is the N rows of all views.  The rows of C are the top right singular
 * vectors of X less its mean, or less the mean of each view, as mtc_svd finds
 * them; `variance` holds the squared singular values.  r is as asked, or the
 * least that keeps `keep` of their sum; it is never above the rank.
 * ========================================================================== */

/* With r given, the matrix of all pairs is formed only up to this side. */
#define PCA_FULL ((size_t)2000)

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
        mean_row(j->views, j->n_views, 1, r->mean);
    if (j->o->mean == MTC_MEAN_OWN)
        for (size_t t = 0; t < j->n_views; t++)
            mean_row(&j->views[t], 1, 1, r->mean + t * r->d);
    MTC_TRY(mtc_svd_in(ctx, &j->svd, j->work));
    r->dimension = j->svd.rank;
    r->total = j->svd.total;
    for (size_t i = 0; i < N; i++)
        memmove(r->scores + i * r->dimension, r->scores + i * j->svd.most,
            r->dimension * sizeof *r->scores);  /* packed to r columns */

    int exact = !(j->o->tolerance > 0);  /* else any residual will do */
    if (exact && j->svd.residual > MTC_SQRT(MTC_EPS))
        return mtc_refuse(ctx, MTC_LIMIT, "eigenvectors");
    return MTC_OK;
}

/* Takes room for the largest r possible; what r leaves over stays unused. */
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
    const mtc_pca_options usual = mtc_pca_defaults();
    const mtc_pca_options *o = opt != NULL ? opt : &usual;
    pca_job job = {.views = views, .n_views = n_views, .o = o};
    MTC_TRY(check_sets(ctx, views, n_views));
    MTC_TRY(require(ctx, o->dimension > 0 || (o->keep > 0 && o->keep <= 1),
                    "keep: need 0 < keep <= 1"));
    MTC_TRY(require(ctx, (unsigned)o->mean <= MTC_MEAN_OWN,
                    "mean: need one of MTC_MEAN_*"));
    MTC_TRY(require(ctx, in_range(o->tolerance, 0, 1), "tolerance: need 0..1"));
    return job_result(ctx, pca_layout, pca_work, &job, res);
}

/* New samples: (X - 1 mean') C', with the mean that the old samples had. */
mtc_status mtc_pca_assign(mtc_context *ctx, const mtc_data *X, size_t view,
    const mtc_pca_result *res, mtc_real *scores)
{
    mtc_block work;
    MTC_TRY(mtc_data_sound(ctx, X, MTC_NONE));
    if (res == NULL || X->d != res->d || !is_given(ctx, scores))
        return bad_option(ctx, "need scores, and features as the model's");
    if (res->views > 1 && view >= res->views)
        return bad_option(ctx, "view: need one that the model has");
    const mtc_real *mean = res->mean;  /* one mean serves any view */
    if (res->views > 1)
        mean += view * res->d;
    size_t r = res->dimension;  /* 0 of constant data */
    MTC_TRY(mtc_scratch(ctx, r > 0 ? mtc_project_work(X, r) : 0, &work));
    if (r > 0)
        mtc_project(X, mean, r, res->components, scores, r, work.at);
    return mtc_scratch_end(ctx, &work, MTC_OK);
}

/* ==========================================================================
 * Chapter 12  Symmetric non-negative factorization
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
 * Deviation: [ZZL19] have 1/2 alone, which is faster and hardly ever raises f;
 *   1/4 is proven not to.  A rise within the rounding of |M|^2 does not count.
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
    mtc_real square;            /* |M|^2 */
    size_t *count;              /* [k] samples of each cluster */
    void *work;                 /* for gemm and M Y */
} snmf_job;

/* A1.  Random entries, of mean 1/2 times the scale [KDP12], give Y Y' the mean
 * of M.  A2 brings none back from 0, hence SNMF_OFFSET, and 1 - random > 0. */
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

/* Returns f(Y) and leaves M Y and Y'Y for the next step.  What rounding leaves
 * below 0 is 0. */
static mtc_real snmf_objective(snmf_job *j, const mtc_real *Y)
{
    size_t n = j->M->n, k = j->o->clusters;
    mtc_data_times(j->M, k, Y, k, j->MY, k, j->work);
    mtc_syrk(1, k, n, 1, Y, k, 0, j->YtY, k, j->work);
    mtc_real f = j->square - 2 * mtc_dot(n * k, Y, j->MY) +
                 mtc_dot(k * k, j->YtY, j->YtY);
    return f < 0 ? 0 : f;
}

/* A2: next = Y o ratio^e, where each call halves e.  Returns f there.  An entry
 * that underflowed to 0 could not grow again. */
static mtc_real snmf_try(snmf_job *j)
{
    size_t cells = j->M->n * j->o->clusters;
    for (size_t e = 0; e < cells; e++) {
        mtc_real y = j->r.Y[e], root = MTC_SQRT(j->ratio[e]), to = y * root;
        j->next[e] = to < MTC_TINY && y > 0 && root > 0 ? MTC_TINY : to;
        j->ratio[e] = root;
    }
    return snmf_objective(j, j->next);
}

/* What snmf_objective was given last becomes Y, so that M Y and Y'Y are those
 * of Y when a step begins.  A row that vanished keeps its starting label. */
static mtc_status snmf_work(mtc_context *ctx, void *job)
{
    snmf_job *j = (snmf_job *)job;
    const mtc_snmf_options *o = j->o;
    size_t n = j->M->n, k = o->clusters, it = 0;
    mtc_real *Y = j->r.Y, *f = j->r.objective;
    j->square = squared_norm(j->M);
    snmf_start(ctx, j);
    f[0] = snmf_objective(j, Y);
    while (it < o->iterations && !j->r.converged) {  /* A2 */
        mtc_real most = f[it] + SNMF_SLACK * j->square;
        MTC_TRY(mtc_tick(ctx, "symmetric nmf", it, o->iterations));
        mtc_gemm(0, 0, n, k, k, 1, Y, k, j->YtY, k, 0, j->ratio, k, j->work);
        for (size_t e = 0; e < n * k; e++) {
            mtc_real below = j->ratio[e];
            mtc_real ratio = below > 0 ? j->MY[e] / below : 0;  /* (25) */
            j->ratio[e] = MTC_MIN(ratio, MTC_HUGE);
        }
        mtc_real value = snmf_try(j);  /* e = 1/2 */
        if (value > most)
            value = snmf_try(j);       /* e = 1/4 */
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
    size_t product = mtc_data_work(j->M, NULL, k);
    size_t gemm = mtc_gemm_work(n, n, n);
    j->r.labels = MTC_TAKE(own, n, int);
    MTC_REALS(own, nk, &j->r.Y);
    MTC_REALS(own, mtc_add(j->o->iterations, 1), &j->r.objective);
    MTC_REALS(tmp, nk, &j->MY, &j->next, &j->ratio);
    MTC_REALS(tmp, mtc_mul(k, k), &j->YtY);
    MTC_SIZES(tmp, k, &j->count);
    j->work = mtc_take(tmp, MTC_MAX(product, gemm), 1);
}

mtc_snmf_options mtc_snmf_defaults(void)
{
    return (mtc_snmf_options){.clusters = 2, .iterations = 300,
                              .tolerance = (mtc_real)1e-6};
}

mtc_status mtc_snmf(mtc_context *ctx, const mtc_data *M,
    const mtc_snmf_options *opt, mtc_snmf_result *res)
{
    const mtc_snmf_options usual = mtc_snmf_defaults();
    const mtc_snmf_options *o = opt != NULL ? opt : &usual;
    snmf_job job = {.M = M, .o = o};
    MTC_TRY(check_similarity(ctx, M));
    MTC_TRY(check_clusters(ctx, o->clusters, M->n, MTC_NONE));
    MTC_TRY(require(ctx, MTC_FINITE(o->tolerance), "tolerance: need a number"));
    MTC_TRY(check_start(ctx, o->start_labels, M->n, o->clusters, MTC_NONE));
    return job_result(ctx, snmf_layout, snmf_work, &job, res);
}

/* ==========================================================================
 * Chapter 13  Shared features: the denoising autoencoder
 *
 * This is the first step of MTCFIR (chapter 19), the marginalized stacked
 * denoising autoencoder [CXWS12], [ZZL19] algorithm 2.  A layer restores its
 * input X from copies X~ in which each feature is 0 with probability p.  The
 * papers have samples as columns, here they are rows: our X is their X'.
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

/* D2: columns of R = L^-1; L has taken the place of K.  R is triangular too, so
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

/* D2.  I + q^2 K has no eigenvalue below 1, so that it is SINGULAR only if 1 is
 * lost in rounding. */
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
    mtc_mirror(N, j->G, N);
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

/* Without p and ridge Lambda is 0 and E[Q] = S, which may be singular.  A p is
 * none if it is lost in 1 - p; and near 1 few digits of 1 - p are left. */
static mtc_status msda_check(mtc_context *ctx, const mtc_msda_options *o)
{
    int some = 1 - o->noise < 1 || o->ridge > 0;
    MTC_TRY(require(ctx, in_range(o->ridge, 0, MTC_HUGE / 4),
                    "ridge: need 0 or more"));
    MTC_TRY(require(ctx, in_range(o->noise, 0, MTC_BY_TYPE(0.999999, 0.999)),
                    "noise: need 0..0.999999, in float 0..0.999"));
    return require(ctx, some, "noise: need above 0 without a ridge");
}

/* Fixes the sizes and the cheaper form: the banner's costs, divided by N d. */
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
    const mtc_msda_options usual = mtc_msda_defaults();
    const mtc_msda_options *o = opt != NULL ? opt : &usual;
    MTC_TRY(check_sets(ctx, sets, n_sets));
    MTC_TRY(msda_check(ctx, o));
    size_t N = count_samples(sets, n_sets);
    msda_job job = msda_of(sets, n_sets, o, block_lanes(ctx, N, BLOCK_ROWS,
                                                        mtc_mul(sets->d, N)));
    return job_result(ctx, msda_layout, msda_work, &job, res);
}

/* ==========================================================================
 * Chapter 14  Consistent similarities
 *
 * This is the second step of MTCFIR (chapter 19), [ZZL19] algorithm 3.  Two
 * samples of task t are alike if all tasks see them alike, and task s counts as
 * much as it is related to t:
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
 * The cheaper of two routes leads to A (costs in products and sums); a third is
 * an option.  Every step works on the present pair of tasks, j->pair.
 *   by cosines    V is whole [N*N]: many features (text)     sum n_t^2 N
 *   by features   rows of Z have length 1;                   4 N D^2 +
 *                 Gm = Z_t (sum_s alpha_ts Z_s'Z_s) Z_t'       sum n_t^2 D
 *   by distances  A_ij = |x_i - x_j|^2; there is no S1 and no S2
 *
 * Deviation: eps is made of entries of V, so >= allows for rounding.  If l b =
 *   sum a (ties), the l lowest indices get 1/l each.  A sample is left out of
 *   its own neighbors by index, since a duplicate may sort before it.
 * ========================================================================== */

/* Rounding: of a cosine or of a cost beside b; of a cost 0 beside largest_g. */
#define SIM_TIE MTC_BY_TYPE(1e-10, 1e-5)
#define SIM_ZERO (256 * MTC_EPS * MTC_EPS)

typedef enum sim_route {
    SIM_BY_COSINES, SIM_BY_FEATURES, SIM_BY_DISTANCES
} sim_route;

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
    sim_route route;
    int whole;                 /* by cosines: V is kept */
    mtc_consistent_options o;
    mtc_consistent_result r;
    size_t *M_row;             /* where the next M is stored */
    uint32_t *M_column;
    mtc_real *M_value;
    sim_pair pair;             /* the present one; a task twice in S3, S4 */
    block_crew crew;           /* its work is for gemm and Gram */

    mtc_real *norm;            /* S1 by cosines: [N] 1 / |z_i|, or 0 */
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
    mtc_mirror(N, j->V, N);
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

/* S1: rows of C_t = Z_t'Z_t [D*D] up to the diagonal. */
static void sim_features_moments(void *job, size_t first, size_t rows,
    size_t lane)
{
    const sim_job *j = (const sim_job *)job;
    size_t D = j->D, columns = first + rows;
    const mtc_real *Z = j->Z + j->pair.row * D;
    mtc_real *C = j->C + (j->pair.t * D + first) * D;
    mtc_gemm(1, 0, rows, columns, j->pair.n, 1, Z + first, D, Z, D, 0, C, D,
             block_work(j->crew, lane));
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
            mtc_real norm = inverse_root(mtc_dot(D, Z + i * D, Z + i * D));
            for (size_t f = 0; f < D; f++)
                Z[i * D + f] *= norm;
        }
        MTC_TRY(block_each(ctx, &j->crew, D, sim_features_moments, j));
        mtc_mirror(D, j->C + t * D * D, D);
    }
    return MTC_OK;
}

/* S2: rows of V_ts; of V_tt up to the diagonal. */
static void sim_features_cosines(void *job, size_t first, size_t rows,
    size_t lane)
{
    const sim_job *j = (const sim_job *)job;
    const sim_pair *p = &j->pair;
    size_t D = j->D, columns = p->s == p->t ? first + rows : p->m;
    mtc_gemm(0, 1, rows, columns, D, 1, j->Z + (p->row + first) * D, D,
             j->Z + p->column * D, D, 0, p->V + first * p->ld, p->ld,
             block_work(j->crew, lane));
}

/* S2: V_ts of the present pair. */
static mtc_status sim_features_pair(mtc_context *ctx, sim_job *j)
{
    const sim_pair *p = &j->pair;
    MTC_TRY(block_each(ctx, &j->crew, p->n, sim_features_cosines, j));
    if (p->s == p->t)
        mtc_mirror(p->n, p->V, p->n);
    return MTC_OK;
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

/* S3: row i of A, as pair_each hands it over. */
static void sim_distance_row(void *job, size_t i, mtc_real *D, size_t lane)
{
    sim_job *j = (sim_job *)job;
    (void)lane;
    MTC_COPY(j->A + i * j->pair.n, D, j->pair.n);
}

static mtc_status sim_distances(mtc_context *ctx, sim_job *j)
{
    pair_begin(&j->sets[j->pair.t], 1, MTC_DISTANCE_SQEUCLIDEAN, &j->keys);
    return pair_each(ctx, "distances", &j->keys, NULL, sim_distance_row, j);
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
                MTC_TRY(sim_features_pair(ctx, j));
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

/* S3: rows of A up to the diagonal, in the place of Gm.  What rounding leaves
 * for equal rows becomes 0. */
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
    MTC_TRY(block_each(ctx, &j->crew, n, sim_cost_rows, j));
    mtc_mirror(n, j->A, n);
    return MTC_OK;
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
    a[i] = MTC_HUGE;  /* it is not its own neighbor */
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

/* By distances, each task is related to itself only. */
static mtc_status sim_work(mtc_context *ctx, void *job)
{
    sim_job *j = (sim_job *)job;
    mtc_consistent_result *r = &j->r;
    size_t T = j->T;
    int alone = j->route == SIM_BY_DISTANCES;
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
            continue;  /* its M are made */
        sim_set_pair(j, t, t);
        MTC_TRY(alone ? sim_distances(ctx, j) : sim_costs(ctx, j));  /* S3 */
        MTC_TRY(sim_matrix(ctx, j));                                 /* S4 */
    }
    return MTC_OK;
}

/* ---- checks and memory --------------------------------------------------- */

static mtc_status sim_check(mtc_context *ctx, const mtc_data *sets, size_t T,
    const mtc_consistent_options *o)
{
    MTC_TRY(require(ctx, o->neighbor_share > 0 && MTC_FINITE(o->neighbor_share),
                    "neighbor_share: need above 0"));
    MTC_TRY(require(ctx, !o->distances || !o->direct,
                    "distances: not with direct"));
    for (size_t t = 0; t < T; t++)
        MTC_TRY(check_clusters(ctx, clusters_of(o, t), sets[t].n, t));
    return MTC_OK;
}

/* Fixes the sizes, and the route by the costs in the banner. */
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
    j.route = SIM_BY_COSINES;
    if (o->distances)
        j.route = SIM_BY_DISTANCES;
    else if (cells * N > 4 * N * D * D + cells * D)
        j.route = SIM_BY_FEATURES;
    j.whole = j.route == SIM_BY_COSINES;
    j.r.n = j.N;
    j.crew.lanes = block_lanes(ctx, j.N, BLOCK_ROWS, mtc_mul(j.most, j.d));
    return j;
}

/* The M_t are contiguous, and sparse or, with `direct`, dense.  A route takes
 * what it needs: by cosines V, by features Z, C, C_sum and B, by distances the
 * keys. */
static void sim_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    sim_job *j = (sim_job *)job;
    mtc_consistent_result *r = &j->r;
    size_t T = j->T, N = j->N, n = j->most, big = MTC_MAX(N, j->D);
    size_t D = j->route == SIM_BY_FEATURES ? j->D : 0;  /* else no Z */
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

    MTC_REALS(tmp, j->whole ? N : 0, &j->norm);  /* S1 */
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
    if (j->route == SIM_BY_DISTANCES)
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
    const mtc_consistent_options usual = mtc_consistent_defaults();
    const mtc_consistent_options *o = opt != NULL ? opt : &usual;
    MTC_TRY(check_sets(ctx, tasks, n_tasks));
    MTC_TRY(sim_check(ctx, tasks, n_tasks, o));
    sim_job job = sim_of(ctx, tasks, n_tasks, 0, o);
    return job_result(ctx, sim_layout, sim_work, &job, res);
}

/* ==========================================================================
 * Chapter 15  Measures
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

/* Where the label stands among `found` distinct ones, by bisection. */
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

/* n_rc = |{i : a_i = r, b_i = c}|, and the matching that keeps most samples, an
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

/* The layout needs the numbers of distinct labels, which are counted first, in
 * scratch that is free again before the job runs.  The need that is told does
 * not depend on the labels: it is that of n distinct ones on either side. */
mtc_status mtc_contingency(mtc_context *ctx, size_t n, const int *a,
    const int *b, mtc_contingency_result *res)
{
    table_job job = {.n = n, .a = a, .b = b};
    table_job bound = {.n = n, .r = {.rows = n, .columns = n}};
    mtc_stack own = {0}, tmp = {0};  /* to measure with */
    mtc_block sorted;
    if (n == 0 || a == NULL || b == NULL || res == NULL)
        return bad_option(ctx, "labels: need [n] of both, n 1 or more");
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

static mtc_real table_ari(const size_t *count, size_t n, size_t R, size_t C)
{
    double A = table_margin_of(count, n, R, C, C, 1).pairs;
    double B = table_margin_of(count, n, C, 1, R, C).pairs;
    double S = table_margin_of(count, n, R * C, 1, 1, 1).pairs;
    double all = (double)n * ((double)n - 1) / 2, M = (A + B) / 2;
    double E = all > 0 ? A * B / all : 0;
    return M == E ? 1 : (mtc_real)((S - E) / (M - E));
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
        nmi = R == C;  /* an entropy is 0: the quotient means nothing */
    for (size_t r = 0; r < R; r++)
        matched += t.match[r] == MTC_NONE ? 0 : t.count[r * C + t.match[r]];
    for (size_t i = 0; i < n; i++)
        equal += truth[i] == predicted[i];
    out->accuracy = (mtc_real)((double)matched / (double)n);
    out->purity = (mtc_real)(b.largest / (double)n);
    out->direct = (mtc_real)((double)equal / (double)n);
    out->nmi = (mtc_real)(nmi < 0 ? 0 : MTC_MIN(nmi, 1));
    out->ari = table_ari(t.count, n, R, C);
    mtc_free(ctx, &t.block);
    return MTC_OK;
}

/* ---- silhouette -------------------------------------------------------
 * s_i = (b - a) / max(a, b), where a is the mean distance of i to the others of
 * its cluster and b the least mean distance to another cluster.  s_i is 0 for
 * the only sample of a cluster, and if there is no other cluster. */

/* Reals between the sums of two lanes, which then share no cache line. */
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
    if (j->values_out != NULL)  /* from here no tick can cancel */
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

/* The fold of row i: the top bit of Knuth's multiplicative hash, since i mod 2
 * would follow data that alternate.  Rows 0 and 1 are in different folds. */
static size_t fold_of(size_t i)
{
    return ((uint32_t)i * UINT32_C(2654435761)) >> 31;
}

static mtc_status check_pair(mtc_context *ctx, const mtc_data *X,
    const mtc_data *Y, const mtc_real *out)
{
    MTC_TRY(mtc_data_check(ctx, X, 0));
    MTC_TRY(mtc_data_check(ctx, Y, 1));
    MTC_TRY(require(ctx, X->d == Y->d, "features differ in number"));
    return require(ctx, out != NULL, "out");
}

typedef struct a_distance_job {
    mtc_data sets[2];
    mtc_data stacked;      /* X above Y, scaled */
    mtc_real *mean, *row;  /* [d] for mean_sq_distance */
    mtc_real *weights;     /* [N] 0 for the fold held out */
    int *side, *guess;     /* [N] 0 for X, 1 for Y */
    mtc_logistic_options o;
    logistic_job fit;      /* `side` from `stacked` */
    mtc_real out;
} a_distance_job;

/* Adds half the error on the rows of one fold after a fit to the others.  Each
 * side has weight 1/2, however large the other is. */
static mtc_status a_distance_fold(mtc_context *ctx, a_distance_job *j,
    size_t fold, mtc_real *error)
{
    size_t n = j->sets[0].n, N = j->stacked.n;
    size_t trained[2] = {0, 0}, wrong[2] = {0, 0};  /* of X, of Y */
    for (size_t i = 0; i < N; i++) {
        j->weights[i] = fold_of(i < n ? i : i - n) != fold;
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

/* Dense rows lose their mean, which only the bias would have to learn.  All rows
 * are scaled by one number to a mean squared distance of 2, so that the ridge
 * has neither unit nor origin: by length it would hide what far rows differ in.
 */
static mtc_status a_distance_work(mtc_context *ctx, void *job)
{
    a_distance_job *j = (a_distance_job *)job;
    size_t N = j->stacked.n;
    mtc_real apart = mean_sq_distance(j->sets, 2, j->mean, j->row);
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
    MTC_REALS(tmp, j->stacked.d, &j->mean, &j->row);
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
    MTC_TRY(check_pair(ctx, X, Y, out));
    if (X->n < 2 || Y->n < 2)
        return bad_option(ctx, "samples: need 2 or more of each");
    a_distance_job job = {.sets = {*X, *Y}};
    MTC_TRY(mtc_job_run(ctx, a_distance_layout, a_distance_work, &job));
    *out = job.out;
    return MTC_OK;
}

/* ---- complexity -------------------------------------------------------
 * This is the share of features j with |{i : x_ij > 0}| < t n [TSZX15].  A
 * feature that no sample has is rare too, unless t = 0. */

mtc_status mtc_complexity(mtc_context *ctx, const mtc_data *X, mtc_real t,
    mtc_real *out)
{
    mtc_block work;
    size_t rare = 0;
    MTC_TRY(mtc_data_check(ctx, X, MTC_NONE));
    if (!in_range(t, 0, MTC_HUGE) || out == NULL)
        return bad_option(ctx, "need t of 0 or more, and out");
    MTC_TRY(mtc_scratch(ctx, mtc_mul(X->d, sizeof(mtc_real)), &work));
    mtc_real *count = (mtc_real *)work.at;
    MTC_ZERO(count, X->d);
    count_having(X, count);
    for (size_t c = 0; c < X->d; c++)
        rare += count[c] / (mtc_real)X->n < t;
    *out = (mtc_real)rare / (mtc_real)X->d;
    return mtc_scratch_end(ctx, &work, MTC_OK);
}

/* ---- earth mover's distance between partitions ------------------------
 * d_M = min <W, D> with D_zl = d(u_z || v_l) of cluster means and the shares of
 * clusters as marginals [ZZ10] (5), (8).  Symmetric if the divergence is. */

typedef struct partition_job {
    const mtc_data *X[2];
    const int *labels[2];          /* [n] in 0..k-1 */
    size_t k[2];
    const mtc_divergence *div;
    mtc_real *mean[2], *share[2];  /* [k*d] [k] of the clusters */
    mtc_real *cost;                /* [k*k'] D */
    void *work;                    /* for mtc_emd_in */
    mtc_emd_info info;             /* its cost is d_M */
} partition_job;

/* Nothing moves from or to an empty cluster, whose cost is 0. */
static mtc_status partition_work(mtc_context *ctx, void *job)
{
    partition_job *j = (partition_job *)job;
    size_t d = j->X[0]->d;
    const size_t *k = j->k;
    for (int s = 0; s < 2; s++)
        cluster_means(j->X[s], j->labels[s], j->k[s], NULL, d, j->mean[s],
            j->share[s]);
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
        MTC_REALS(tmp, mtc_mul(j->k[s], j->X[s]->d), &j->mean[s]);
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
    partition_job job = {.X = {X, Y}, .labels = {x_labels, y_labels},
                         .div = div != NULL ? div : &euclidean,
                         .k = {x_k, y_k}};
    MTC_TRY(check_pair(ctx, X, Y, out));
    for (size_t s = 0; s < 2; s++) {
        MTC_TRY(check_labels(ctx, job.labels[s], job.X[s]->n, job.k[s], s));
        MTC_TRY(check_domain(ctx, job.X[s], div, s));
    }
    MTC_TRY(mtc_job_run(ctx, partition_layout, partition_work, &job));
    *out = job.info.cost;
    return MTC_OK;
}

/* ==========================================================================
 * Chapter 16  Calls within a call
 *
 * Where the next chapters need a whole learner they call its public function,
 * as any program would.  A `client` is what one lane works with: a stack of
 * memory, and a context over what is left of it.
 *
 * Code that calls learners runs twice.  First it measures: a client of zeros
 * has no memory, so a call only tells its need, which the client keeps, and
 * counts as a success.  The layout takes the most that any call needs, once for
 * each lane (client_take), and the same code runs there.  A result that is 0
 * before a call is still 0 after it while measuring: `labels == NULL` tells.
 * One rule: between client_begin and the last call both passes make the same
 * calls; where data decide, the measuring pass makes all that are possible.
 *
 *   client_begin(c, ctx, task);                 all memory is free
 *   int *labels = MTC_TAKE(&c->stack, n, int);  NULL while measuring
 *   MTC_TRY(client_call(c, stream, mtc_ward, &X, &tree));
 *   client_keep(c);                             or the next call overwrites it
 *   if (!client_is_measuring(c))
 *       ... use the tree ...
 * ========================================================================== */

typedef struct client {
    mtc_context *outer;  /* of the call that is being served */
    size_t task;         /* that a failure is reported in, or MTC_NONE */
    mtc_stack stack;     /* without a base it measures */
    mtc_arena arena;     /* over what is left of the stack */
    mtc_context context; /* what the calls are given */
} client;

#define SAME_SEED UINT64_MAX  /* a stream: keep the seed of the outer call */

static int client_is_measuring(const client *c)
{
    return c->stack.base == NULL;
}

/* All memory is free again; what was measured stays. */
static void client_begin(client *c, mtc_context *outer, size_t task)
{
    c->outer = outer;
    c->task = task;
    c->stack.used = 0;
}

/* A context with a seed of its own for each stream but SAME_SEED. */
static mtc_context *client_open(client *c, uint64_t stream)
{
    mtc_stack *st = &c->stack;
    c->context = mtc_measure();
    if (!client_is_measuring(c)) {
        c->arena = mtc_arena_over(st->base + st->used, st->size - st->used);
        c->context = mtc_arena_context(&c->arena);
    }
    if (c->outer != NULL) {
        c->context.seed = c->outer->seed;
        c->context.progress = c->outer->progress;
        c->context.user = c->outer->user;
    }
    if (stream != SAME_SEED) {
        mtc_random rng = mtc_stream(c->outer, stream);
        c->context.seed = mtc_random_bits(&rng);
    }
    return &c->context;
}

/* Ends a call that returned s.  While measuring, a want of memory is the answer
 * and counts as success.  The outer call reports any other failure as its own,
 * in the client's task unless the call has named one. */
static mtc_status client_close(client *c, mtc_status s)
{
    const mtc_place *error = &c->context.error;
    mtc_stack *st = &c->stack;
    if (s == MTC_OK)
        return s;
    if (client_is_measuring(c) && (s == MTC_NO_MEMORY || s == MTC_TOO_BIG)) {
        size_t need = s == MTC_TOO_BIG ? SIZE_MAX : c->context.need;
        size_t top = mtc_add(st->used, need);
        st->peak = MTC_MAX(top, st->peak);
        return MTC_OK;  /* if that is too big, the layout that takes it fails */
    }
    return mtc_fail(c->outer, s, error->what,
                    error->task == MTC_NONE ? c->task : error->task,
                    error->row, error->column);
}

/* A whole call, as in the banner. */
#define client_call(c, stream, learner, ...) \
    client_close(c, learner(client_open(c, stream), __VA_ARGS__))

/* Keeps the result of the last closed call.  Its scratch stays reserved too,
 * because measuring tells only the sum of both. */
static void client_keep(client *c)
{
    c->stack.used = mtc_add(c->stack.used, c->context.need);
}

/* A client for each lane, with the memory that `ask` has measured. */
static client *client_take(mtc_stack *st, const client *ask, size_t lanes)
{
    client *all = MTC_TAKE(st, lanes, client);
    size_t room = ask->stack.peak;
    for (size_t i = 0; i < lanes; i++) {
        unsigned char *memory = MTC_TAKE(st, room, unsigned char);
        if (all != NULL) {  /* not while measuring */
            all[i] = *ask;
            all[i].stack = (mtc_stack){memory, 0, 0, room};
        }
    }
    return all;
}

/* Labels [n] and, unless NULL, loss of k-means on X. */
static mtc_status call_kmeans(client *c, uint64_t stream, const mtc_data *X,
    const mtc_kmeans_options *o, int *labels, mtc_real *loss)
{
    mtc_kmeans_result r = {.labels = NULL};
    MTC_TRY(client_call(c, stream, mtc_kmeans, X, o, &r));
    if (r.labels != NULL)
        MTC_COPY(labels, r.labels, X->n);
    if (loss != NULL)
        *loss = r.loss;
    return MTC_OK;
}

/* ==========================================================================
 * Chapter 17  LSSMTC and LSSTTC: one subspace shared by all tasks
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
 *   A1  labels by k-means; P_k = indicator + offset, since A5 cannot move a 0
 *   A2  F_k, M_k (8) and Q of the present P
 *   A3  W = l smallest eigenvectors of Y'(I - Pi) Y                    (16)
 *   A4  M = Q P'X W                                                     (6)
 *   A5  for every task, against the same M and W: (14) = (18)
 *       P_k <- P_k o ((A+ + P_k B-) / (A- + P_k B+))^1/2,  and again A2
 *       A = lambda X_k M_k' + (1-lambda) X_k W M'              (below (11))
 *       B = lambda M_k M_k' + (1-lambda) M M'
 *       A+ = (|A| + A)/2, A- = (|A| - A)/2, B+ and B- alike    (above (13))
 *   A6  label = largest entry of the row of P (the paper has no rule); the
 *       nearest centers where the row is 0
 * (1) to (3) have a hard P; (5), (7), (9) and (15) are (4) in one block at a
 * time; (10) to (13) and (17) lead to (14); (21) and (22) are in chapter 15.
 * Algorithm 2, LSSTTC, minimizes (20), which is (19) with P relaxed: sources
 * have a fixed one-hot P_k, which A5 leaves alone, and no term in the input
 * space.  The objective is f(P, W): (4) or (20) with the best M (6), M_k (8).
 *
 * Deviation: (14) and (18) get a square root, which our copy of [GZ09] lacks.
 * Deviation: (.)^-1 is a pseudo-inverse; an empty cluster makes P'P singular.
 * Deviation: W begins with A3, or with start_W, not with any orthonormal W.
 * Deviation: clusters of different tasks are matched before A2 (lss_align).
 * Deviation: a row of P that fits no center falls like P^1.5, and has to rise
 *   again once centers have moved: it is kept from underflow (lss_scale).
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
/* The least that an entry of P, and the largest entry of its row, may be unless
 * 0: times B, whose largest entry is made 1..4 first, they are normal. */
#define LSS_ENTRY (MTC_TINY / MTC_EPS)
#define LSS_ROW (LSS_ENTRY / MTC_EPS)
/* The square of this does not underflow: see lss_tasks. */
#define LSS_LEAST MTC_BY_TYPE(1e-145, 1e-15)

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
    client ask, *in;                  /* [lanes] what k-means is called with */
    mtc_real *anchor;                 /* [c*d] means of the classes, or of the
                                         centers aligned so far */
    match_ws match;

    /* A2 */
    mtc_real *Ft_k, *Mt_k;            /* [T*d*c] F_k', M_k' */
    mtc_real *PP_k, *MM_k;            /* [T*c*c] P_k'P_k, M_k M_k' */
    mtc_real *Ft, *PP;                /* [d*c] F'; [c*c] P'P */
    mtc_real *Q, *root;               /* [c*c] Q_k, then Q; its root */
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
    mtc_real *row;                    /* [c] a row of P; in A6 shares */
    size_t *count;                    /* [c] samples of a class or cluster */
    void *work;                       /* of svd, A2 to A5 */
} lss_job;

/* Task t: sources come first. */
static const mtc_data *lss_data(const lss_job *j, size_t t)
{
    return t < j->n_sources ? &j->sources[t] : &j->targets[t - j->n_sources];
}

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

/* The product of columns a and b of W [d*l]. */
static mtc_real lss_columns(size_t d, size_t l, const mtc_real *W, size_t a,
    size_t b)
{
    mtc_real dot = 0;
    for (size_t f = 0; f < d; f++)
        dot += W[f * l + a] * W[f * l + b];
    return dot;
}

/* W'W = I to 1e-3, so that a W from a file with few digits passes, and one that
 * is transposed does not. */
static int lss_is_orthonormal(size_t d, size_t l, const mtc_real *W)
{
    for (size_t a = 0; a < l; a++)
        for (size_t b = 0; b <= a; b++) {
            mtc_real off = lss_columns(d, l, W, a, b) - (a == b);
            if (!(MTC_FABS(off) <= (mtc_real)1e-3))
                return 0;
        }
    return 1;
}

static const char *lss_wrong(const lss_job *j)
{
    const mtc_lssmtc_options *o = j->o;
    if (!in_range(o->lambda, 0, 1))
        return "lambda: need 0..1";
    if ((unsigned)o->mode > MTC_SUBSPACE_LITERAL)
        return "mode: need one of MTC_SUBSPACE_*";
    if ((unsigned)o->start > MTC_START_POOLED)
        return "start: need one of MTC_START_*";
    if (j->pca && o->rank == 0)
        return "rank: need 1 or more";
    if (!in_range(o->offset, 0, 10))
        return "offset: need 0..10";
    if (!in_range(o->tolerance, 0, MTC_HUGE))
        return "tolerance: need 0 or more";
    if (o->restarts == 0)
        return need_restarts;
    if (o->mode == MTC_SUBSPACE_LITERAL && mtc_add(j->d, j->c) >= j->N)
        return "mode: literal needs more samples than features and clusters; "
               "try recon or pca";  /* X'(I - Pi)X has rank N - c at most */
    if (o->start_W != NULL && j->l != (o->subspace > 0 ? o->subspace : j->c))
        return "start_W: wider than the subspace can be";
    if (o->start_W != NULL && !lss_is_orthonormal(j->d, j->l, o->start_W))
        return "start_W: columns are not orthonormal";
    return NULL;
}

/* Fixes the sizes.  l is at most what the mode can find: in mode recon c, the
 * rank of Pi X. */
static void lss_settle(const mtc_context *ctx, lss_job *j)
{
    const mtc_lssmtc_options *o = j->o;
    size_t c = o->clusters;
    j->T = j->n_sources + j->n_targets;
    j->N = mtc_add(count_samples(j->sources, j->n_sources),
                   count_samples(j->targets, j->n_targets));
    j->d = j->targets[0].d;
    j->c = c;
    j->recon = o->mode == MTC_SUBSPACE_RECON;
    j->pca = o->mode == MTC_SUBSPACE_PCA;
    j->pooled = o->start == MTC_START_POOLED && j->n_sources == 0 &&
                o->start_labels == NULL;
    j->q = j->d;  /* Y = X but for pca, where r < N - c */
    if (j->pca) {
        size_t most = j->N > c + 1 ? j->N - c - 1 : 1;
        j->q = MTC_MIN(j->d, MTC_MIN(o->rank, most));
    }
    j->l = o->subspace > 0 ? o->subspace : c;
    if (j->recon)
        j->l = MTC_MIN(j->l, c);
    j->l = MTC_MIN(j->l, j->q);
    j->lanes = mtc_lanes(ctx, j->pooled ? 1 : j->n_targets,
                         mtc_mul(mtc_mul(j->N, c), j->d));
    j->r = (mtc_lssmtc_result){.tasks = j->T, .clusters = c, .d = j->d,
                               .width = j->l, .lambda = o->lambda};
}

/* Bytes of work for the svd, and the products and eigenproblems of A2 to A5. */
static size_t lss_work_bytes(const lss_job *j)
{
    size_t c = j->c, q = j->q, wide = MTC_MAX(c, j->l), most = 0;
    size_t rows = MTC_MAX(j->N, j->d), tall = mtc_add(q, wide);
    const size_t need[] = {
        mtc_gemm_work(rows, tall, tall),  /* V'W, F'Q, Y'PQ */
        mtc_gemm_work(tall, wide, rows),  /* V F', P'X W, P'P */
        mtc_symeig_work(c),               /* P'P */
        j->recon ? 0 : mtc_symeig_range_work(q, j->l),
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

/* The memory that A1 lends to k-means is the work of the later steps. */
static void lss_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    lss_job *j = (lss_job *)job;
    size_t T = j->T, N = j->N, c = j->c, d = j->d, l = j->l, q = j->q;
    size_t cc = mtc_mul(c, c), Y = j->recon ? 0 : q;
    lss_layout_result(own, j);
    MTC_SIZES(tmp, T, &j->first);
    MTC_SIZES(tmp, c, &j->count);
    j->lane = MTC_TAKE(tmp, j->lanes, mtc_lane);
    MTC_REALS(tmp, T, &j->norm);
    MTC_REALS(tmp, c, &j->values, &j->row);
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
    j->in = client_take(tmp, &j->ask, j->lanes);
    MTC_REALS(tmp, mtc_mul(c, d), &j->anchor);
    if (j->pooled)
        stack_layout(tmp, j->targets, j->n_targets, &j->stacked);
}

/* Finds where each task is in the result, |X_k|^2 and |X|^2, and refuses a task
 * that is far smaller than the others.  M is shared, so entries of P_k shrink
 * to about |X_k| / |X|, and F_k to that times |X_k|.  If that underflowed,
 * centers would be NaN. */
static mtc_status lss_tasks(mtc_context *ctx, lss_job *j)
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
    for (size_t t = 0; t < j->T; t++)
        if (j->norm[t] > 0 && j->norm[t] / MTC_SQRT(j->total) < LSS_LEAST)
            return mtc_fail(ctx, MTC_DOMAIN, "values are too small, or far "
                            "smaller than those of other tasks", t, MTC_NONE,
                            MTC_NONE);
    return MTC_OK;
}

/* A1 begins at the means of the classes; an empty class has the mean of all. */
static void lss_source_means(const lss_job *j)
{
    size_t c = j->c, d = j->d, *count = j->count;
    MTC_ZERO(count, c);
    MTC_ZERO(j->anchor, c * d);
    for (size_t t = 0; t < j->n_sources; t++)
        for (size_t i = 0; i < j->sources[t].n; i++) {
            size_t z = (size_t)j->source_labels[t][i];
            mtc_data_axpy(&j->sources[t], i, 1, j->anchor + z * d);
            count[z]++;
        }
    for (size_t z = 0; z < c; z++) {
        if (count[z] == 0)
            mean_row(j->sources, j->n_sources, 0, j->anchor + z * d);
        for (size_t e = z * d; e < (z + 1) * d; e++)
            j->anchor[e] /= (mtc_real)MTC_MAX(count[z], 1);
    }
}

/* A1 finds labels of target t or, pooled, of all targets, whose labels lie side
 * by side, and puts their centers in r.centers.  While measuring it only asks
 * for memory.  Given labels stay: k-means of no iteration finds their means. */
static mtc_status lss_target(mtc_context *ctx, void *job, size_t t, size_t lane)
{
    lss_job *j = (lss_job *)job;
    client *in = &j->in[lane];
    const mtc_data *X = j->pooled ? &j->stacked : &j->targets[t];
    mtc_kmeans_options o = mtc_kmeans_defaults();
    mtc_kmeans_result found;
    size_t task = j->n_sources + t;
    o.clusters = j->c;
    o.restarts = j->o->restarts;
    if (j->o->start_labels != NULL) {
        o.start_labels = j->o->start_labels[t];
        o.iterations = 0;
    } else if (j->n_sources > 0) {
        o.start_centers = j->anchor;
    }
    client_begin(in, ctx, task);
    MTC_TRY(client_call(in, SAME_SEED, mtc_kmeans, X, &o, &found));
    if (client_is_measuring(in))
        return MTC_OK;
    MTC_COPY(j->r.labels[task],
             o.start_labels != NULL ? o.start_labels : found.labels, X->n);
    MTC_COPY(j->r.centers[task], found.centers, j->c * j->d);
    return MTC_OK;
}

/* A1, a deviation: M is shared, so cluster z has to mean the same in all tasks.
 * Clusters are renumbered so that their centers lie nearest to the mean centers
 * of earlier tasks that have them.  With sources, clusters have the numbers of
 * the classes. */
static mtc_status lss_align(mtc_context *ctx, lss_job *j)
{
    const mtc_lssmtc_options *o = j->o;
    match_ws *m = &j->match;
    size_t c = j->c, d = j->d, *known = j->count;  /* tasks that have it */
    mtc_real *mean = j->anchor;
    int match = o->start_labels != NULL ? o->match_start : !j->pooled;
    if (!match || j->n_sources > 0)
        return MTC_OK;
    MTC_COPY(mean, j->r.centers[0], c * d);
    labels_used(j->targets[0].n, j->r.labels[0], c, known);
    for (size_t z = 0; z < c; z++)
        known[z] = known[z] > 0;
    m->known = known;
    for (size_t t = 1; t < j->T; t++) {
        mtc_real *u = j->r.centers[t];
        MTC_TRY(match_task(ctx, m, mean, u, j->targets[t].n, j->r.labels[t],
                           &j->r.matched[t]));  /* lss_finish judges again */
        for (size_t z = 0; z < c; z++) {
            if (m->members[m->from[z]] == 0)  /* by its old number */
                continue;
            mtc_real share = 1 / (mtc_real)++known[z];
            for (size_t e = z * d; e < (z + 1) * d; e++)
                mean[e] += (u[e] - mean[e]) * share;
        }
    }
    return MTC_OK;
}

/* A1 for all tasks.  P of a source is its labels, and stays so (20). */
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
                P[i * c + z] = (h[i] == (int)z) + offset;
    }
    return MTC_OK;
}

/* Writes C^+ of a symmetric C [c*c] >= 0, and its root, as sums of v v' / w:
 * a deviation, since [GZ09] have C^-1. */
static mtc_status lss_invert(lss_job *j, const mtc_real *C, mtc_real *inverse)
{
    size_t c = j->c;
    const mtc_real *v = j->vectors, *w = j->values;
    MTC_COPY(inverse, C, c * c);  /* which symeig overwrites */
    MTC_TRY(mtc_symeig_in(NULL, c, inverse, c, j->values, j->vectors, c,
                          j->work));
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

/* Finds Y'Y, once and for all.  In mode literal it is X'X.  In mode pca V is
 * found, and Y'Y is the diagonal of the squared singular values; entries beyond
 * the rank of X are set above every eigenvalue of Y'(I - Pi) Y. */
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
                                j->work));
    if (j->pca)
        mtc_gemm(1, 0, d, l, q, 1, V, d, YW, l, 0, W, l, j->work);
    j->r.subspace = j->pca && j->svd.rank < l ? j->svd.rank : l;
    return MTC_OK;
}

/* Orthonormalizes the first r columns of W [d*l] by Gram-Schmidt: those of
 * small eigenvalues are polluted by the rounding of large ones.  Two passes,
 * because little may remain of a column.  One of which nothing remains was only
 * rounding and is dropped, where mtc_qr would invent another.  Returns how many
 * remain; the rest are 0. */
static size_t lss_straighten(size_t d, size_t l, size_t r, mtc_real *W)
{
    size_t rank = 0;
    for (size_t i = 0; i < r; i++) {
        mtc_real before = lss_columns(d, l, W, i, i);
        for (int pass = 0; pass < 2; pass++)
            for (size_t b = 0; b < rank; b++) {
                mtc_real dot = lss_columns(d, l, W, b, i);
                for (size_t f = 0; f < d; f++)
                    W[f * l + i] -= dot * W[f * l + b];
            }
        mtc_real square = lss_columns(d, l, W, i, i);
        if (!(square > LSS_NULL * before))
            continue;
        for (size_t f = 0; f < d; f++)
            W[f * l + rank] = W[f * l + i] / MTC_SQRT(square);
        rank++;
    }
    for (size_t f = 0; f < d; f++)
        MTC_ZERO(W + f * l + rank, l - rank);
    return rank;
}

/* A3 of recon: the l largest eigenvectors of X' Pi X.  With R = Q^1/2
 *   X' Pi X = (F'R)(F'R)',   so that  W = F'R v / sqrt(w)
 * for the eigenpairs (w, v) of R F F' R, c x c. */
static mtc_status lss_largest(lss_job *j)
{
    size_t c = j->c, d = j->d, l = j->l, found = 0;
    mtc_real *R = j->root, *v = j->vectors, *w = j->values;
    mtc_syrk(1, c, d, 1, j->Ft, c, 0, j->FF, c, j->work);
    mtc_gemm(0, 0, c, c, c, 1, R, c, j->FF, c, 0, j->RFF, c, j->work);
    mtc_gemm(0, 0, c, c, c, 1, j->RFF, c, R, c, 0, j->RFFR, c, j->work);
    MTC_TRY(mtc_symeig_in(NULL, c, j->RFFR, c, w, v, c, j->work));
    mtc_gemm(0, 0, c, c, c, 1, R, c, v, c, 0, j->Rv, c, j->work);
    MTC_ZERO(j->mix, c * l);
    for (size_t at = c; at > c - l && w[at - 1] > LSS_NULL * w[c - 1]; at--) {
        for (size_t a = 0; a < c; a++)  /* w ascends */
            j->mix[a * l + found] = j->Rv[a * c + at - 1] / MTC_SQRT(w[at - 1]);
        found++;
    }
    mtc_gemm(0, 0, d, l, c, 1, j->Ft, c, j->mix, l, 0, j->r.W, l, j->work);
    j->r.subspace = lss_straighten(d, l, found, j->r.W);
    return MTC_OK;
}

/* A2 to A4 after P of tasks `from` on has changed; A4 is M = Q P'X W (6).
 * start_W, unless NULL, replaces A3 and is orthonormalized: it may have few
 * digits.  W and M are one block, as (16) is (15) with M eliminated: a new W
 * with the old M could raise f. */
static mtc_status lss_fit(lss_job *j, size_t from, const mtc_real *start_W)
{
    size_t c = j->c, d = j->d, l = j->l;
    mtc_real *W = j->r.W, *XW = j->XW, *PXW = j->PXW;
    MTC_TRY(lss_centers(j, from));  /* A2 */
    if (start_W != NULL) {
        MTC_COPY(W, start_W, d * l);
        j->r.subspace = lss_straighten(d, l, l, W);
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

/* The power of 4 that takes x to 1..4, or as near as it can without overflow; 1
 * for x = 0.  A product with it is exact, and so is its square root. */
static mtc_real lss_unit(mtc_real x)
{
    mtc_real unit = 1;
    for (; x >= 4 && unit > MTC_TINY; x /= 4)
        unit /= 4;
    for (; x > 0 && x < 1 && unit < MTC_HUGE / 8; x *= 4)
        unit *= 4;
    return unit;
}

/* P [c], the factors of a row, becomes old o P, without underflow.  A row that
 * is not 0 is multiplied to LSS_ROW at least, and is negligible beside others.
 * Its ratios, which decide the label, stay down to eps: see LSS_ENTRY. */
static void lss_scale(size_t c, const mtc_real *old, mtc_real *P)
{
    mtc_real lift = lss_unit(old[argmax(c, old)]);
    for (size_t z = 0; z < c; z++)
        P[z] *= old[z] * lift;
    mtc_real most = P[argmax(c, P)], back = 1 / lift;
    while (most > 0 && most * back < LSS_ROW)
        back *= 4;
    for (size_t z = 0; z < c; z++) {
        mtc_real p = P[z] * back;
        P[z] = P[z] > 0 && p < LSS_ENTRY ? LSS_ENTRY : p;
    }
}

/* A5 for task t: [GZ09] (14), with a square root, a deviation.  Each row is
 * updated from its old entries.  The denominator can be 0: for a center at 0,
 * whose numerator is 0 as well, and where P_iz = 0, which no factor changes.
 * Then the factor is 1.  An epsilon would break the descent. */
static void lss_update(lss_job *j, size_t t)
{
    size_t c = j->c, n = lss_data(j, t)->n;
    mtc_real *old = j->row;
    lss_gradient(j, t);
    mtc_real unit = lss_unit(j->B[argmax(c * c, j->B)]);
    for (size_t e = 0; e < c * c; e++)
        j->B[e] *= unit;
    for (size_t i = 0; i < n; i++) {
        mtc_real *P = j->r.P[t] + i * c;
        MTC_COPY(old, P, c);
        for (size_t z = 0; z < c; z++) {
            mtc_real a = unit * j->A[i * c + z];
            mtc_real up = a > 0 ? a : 0;     /* A+ + P B- */
            mtc_real down = a < 0 ? -a : 0;  /* A- + P B+ */
            for (size_t y = 0; y < c; y++) {
                mtc_real b = old[y] * j->B[y * c + z];
                up -= b < 0 ? b : 0;
                down += b > 0 ? b : 0;
            }
            /* up / down itself may overflow. */
            P[z] = down > 0 ? MTC_SQRT(up) / MTC_SQRT(down) : 1;
        }
        lss_scale(c, old, P);
    }
}

/* |X - P M|^2 from |X|^2, fit = <F, M> and model = <P'P, M M'>.  What rounding
 * leaves below 0 is 0; NaN stays NaN. */
static mtc_real lss_rest(mtc_real square, mtc_real fit, mtc_real model)
{
    mtc_real rest = (model - fit) + (square - fit);
    return rest < 0 ? 0 : rest;
}

/* f(P, W): [GZ09] (4), or (20), where only the targets have the first term.
 * lss_rest holds for M_k as it was computed; |X_k|^2 - <F_k, M_k> would hold
 * for the exact (8), from which M_k is far where P_k'P_k is nearly singular.
 * |X W - P M|^2 goes by rows: a difference of large sums would be rounding. */
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
        mtc_syrk(0, c, l, 1, M, l, 0, j->B, c, j->work);
        return sum + (1 - lambda) * lss_rest(j->total,
            mtc_dot(c * l, j->PXW, M), mtc_dot(cc, j->PP, j->B));
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

/* A6 for task t: r.centers, and labels by the largest entry of a row of P; if
 * it is 0, by the nearest centers, own and shared, at const - 2 A_iz + B_zz.
 * New samples go to the nearest mean: the size of M_k depends on that of P. */
static void lss_label(lss_job *j, size_t t)
{
    const mtc_data *X = lss_data(j, t);
    size_t c = j->c, n = X->n;
    const mtc_real *A = j->A, *B = j->B, *P = j->r.P[t];
    int *labels = j->r.labels[t];
    lss_gradient(j, t);
    for (size_t i = 0; i < n; i++) {
        size_t best = argmax(c, P + i * c);
        if (P[i * c + best] == 0)
            for (size_t z = 0; z < c; z++)
                if (B[z * c + z] - 2 * A[i * c + z] <
                    B[best * c + best] - 2 * A[i * c + best])
                    best = z;
        labels[i] = (int)best;
    }
    j->r.k_effective[t] = labels_used(n, labels, c, j->count);
    transpose(j->d, c, j->Mt_k + t * j->d * c, j->r.centers[t]);
    cluster_means(X, labels, c, NULL, j->d, j->r.means[t], j->row);
}

static int lss_has(const lss_job *j, size_t t, size_t z)
{
    size_t i = 0, n = lss_data(j, t)->n;
    while (i < n && j->r.labels[t][i] != (int)z)
        i++;
    return i < n;
}

/* How alike the rows of U[t] and U[s] lie.  A class that a task of LSSTTC lacks
 * has zeros there, which would lie alike: it is left out. */
static mtc_real lss_alike(const lss_job *j, size_t t, size_t s,
    mtc_real *const *U, int *matched)
{
    size_t c = j->c, d = j->d, both = 0;
    int transfer = j->n_sources > 0 && t != s;
    for (size_t z = 0; z < c; z++) {
        if (transfer && !(lss_has(j, t, z) && lss_has(j, s, z)))
            continue;
        MTC_COPY(j->Ft + both * d, U[t] + z * d, d);
        MTC_COPY(j->Ft_k + both * d, U[s] + z * d, d);
        both++;
    }
    *matched = 0;
    if (both < 2 && both < c)
        return 0;  /* one row is like any other */
    return mtc_match_alike(both, d, 1, j->Ft, j->Ft_k, matched);
}

/* A6 for all tasks.  Relates them by M_k, then compares their numbers with task
 * 0's by the means, which sharing has not drawn together: an empty cluster has
 * no match. */
static void lss_finish(lss_job *j)
{
    size_t T = j->T, c = j->c;
    mtc_lssmtc_result *r = &j->r;
    for (size_t t = 0; t < T; t++)
        lss_label(j, t);
    for (size_t t = 0; t < T; t++)
        for (size_t s = 0; s < T; s++)
            r->relatedness[t * T + s] =
                lss_alike(j, t, s, r->centers, &r->matched[s]);
    for (size_t t = 0; t < T; t++)
        lss_alike(j, 0, t, r->means, &r->matched[t]);
    for (size_t t = 0; t < T; t++)
        if (r->k_effective[t] < c)
            fill_means(lss_data(j, t), c, r->labels[t], j->count, r->means[t]);
    if (j->n_sources > 0)
        return;  /* numbers are those of the classes */
    for (size_t t = 1; t < T; t++)
        r->matched[t] &= r->k_effective[t] == c && r->k_effective[0] == c;
}

/* Algorithms 1 and 2.  start_W, if given, stands for W until the first A5.  f
 * is a remainder of |X|^2: a rise within the rounding of |X|^2 does not count.
 * If P'P is nearly singular, rounding can make f rise by more than the proof of
 * (18) allows: the step is taken back, and the run ends there. */
static mtc_status lss_work(mtc_context *ctx, void *job)
{
    lss_job *j = (lss_job *)job;
    const mtc_lssmtc_options *o = j->o;
    mtc_real *f = j->r.objective;
    size_t cells = j->N * j->c, from = j->n_sources, it = 0;
    MTC_TRY(lss_tasks(ctx, j));
    MTC_TRY(lss_start(ctx, j));  /* A1 */
    MTC_TRY(lss_coordinates(ctx, j));
    MTC_TRY(lss_fit(j, 0, o->start_W));  /* A2 to A4 */
    f[0] = lss_objective(j);
    if (!MTC_FINITE(f[0]))
        return MTC_DOMAIN;  /* overflow */
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

/* Checks what was given; then every target asks what its k-means needs. */
static mtc_status lss_run(mtc_context *ctx, lss_job *j, mtc_lssmtc_result *res)
{
    const int *const *labels = j->o->start_labels;
    mtc_stack measured = {NULL, 0, 0, 0};  /* gives j->stacked its shape */
    lss_settle(ctx, j);
    for (size_t t = 0; t < j->n_targets; t++) {
        size_t n = j->targets[t].n, task = j->n_sources + t;
        MTC_TRY(check_clusters(ctx, j->c, n, task));
        if (labels != NULL)
            MTC_TRY(check_labels(ctx, labels[t], n, j->c, task));
    }
    const char *wrong = lss_wrong(j);
    MTC_TRY(require(ctx, wrong == NULL, wrong));
    stack_layout(&measured, j->targets, j->n_targets, &j->stacked);
    j->in = &j->ask;
    for (size_t t = 0; t < (j->pooled ? 1 : j->n_targets); t++)
        MTC_TRY(lss_target(ctx, j, t, 0));
    return job_result(ctx, lss_layout, lss_work, j, res);
}

mtc_status mtc_lssmtc(mtc_context *ctx, const mtc_data *tasks, size_t n_tasks,
    const mtc_lssmtc_options *opt, mtc_lssmtc_result *res)
{
    const mtc_lssmtc_options usual = mtc_lssmtc_defaults();
    lss_job job = {.targets = tasks, .n_targets = n_tasks,
                   .o = opt != NULL ? opt : &usual};
    MTC_TRY(check_sets(ctx, tasks, n_tasks));
    return lss_run(ctx, &job, res);
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
    MTC_TRY(require(ctx, target->d == sources[0].d && source_labels != NULL,
                    "features differ in number, or no labels"));
    for (size_t t = 0; t < n_sources; t++)
        MTC_TRY(check_labels(ctx, source_labels[t], sources[t].n,
                             job.o->clusters, t));
    return lss_run(ctx, &job, res);
}

mtc_status mtc_lssmtc_assign(mtc_context *ctx, const mtc_data *X, size_t task,
    const mtc_lssmtc_result *res, int *labels)
{
    MTC_TRY(require(ctx, res != NULL && task < res->tasks &&
                    res->means != NULL && is_given(ctx, labels),
                    "need a result that has the task, and labels"));
    mtc_kmeans_result model = {.clusters = res->clusters, .d = res->d,
                               .centers = res->means[task]};
    return mtc_kmeans_assign(ctx, X, &model, labels);
}

/* ==========================================================================
 * Chapter 18  MBC: Bregman clustering with transported centroids
 *
 *   min  sum_t 1/n_t sum_i d(x_i || u^t_h(i))                      [ZZ10] (9)
 *      + lambda/(T-1) sum_{t != s} <W^ts, D^ts>,   D^ts_zl = d(u^t_z || u^s_l)
 *   where W^ts >= 0 has rows that sum to 1/K_t and columns that sum to 1/K_s:
 *   (6) with the paper's relaxation pi = 1/K.  Every ordered pair (t,s) counts
 *   once; (9) has the unordered ones, with a term for each direction.
 *
 *   paper         here           shape
 *   X^t           X              n_t x d    samples of task t
 *   h^t           w.labels       [n_t]      their clusters
 *   U^t           w.U            K_t x d    centroids
 *   W^ts          r.plans        [T*T] of K_t x K_s
 *   A, B          problem.A, .B  weights of (14)
 *   mu_L, mu_R    problem.L, .R  [d]
 *
 *   A1  start from given centroids, from means of given labels (an empty
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
 * A2 is k-means' own pass, with its bounds for squared Euclidean.  For any
 * other divergence distances go through a reference point r, the mean of the
 * task's x + smooth.  By the three-point identity
 *   d(x||u) = d(x||r) + d(r||u) + <x - r, grad(r) - grad(u)>
 * each centroid takes one dot product, and x + smooth is never formed.  Column
 * z of w.factor, g_z, is grad(r) - grad(u_z).  The pass that measures the loss
 * under h also finds the labels of the next A2.
 *
 * Deviation: the paper's order is W, h, U (lines 3-6); here it is h, U, W
 *   after a first W, so that the loss belongs to what is returned.
 * Deviation: for an asymmetric divergence [ZZ10] look for u on the geodesic
 *   from mu_R to mu_L, which is exact only for d = 1.  For kl and is u is the
 *   minimizer itself; the walk is for a caller's divergence, or by option.
 * Deviation: the paper starts from labels.  Seeds, restarts, a bound on the
 *   iterations, o.smooth, and the numbers of A5 are ours.
 * Deviation: o.center clusters X_t - 1 m_t', where m_t is the mean of task t.
 *   The two divergences that it allows are the same for x - m, u - m as for x,
 *   u, so that A1 and A2 do not change; only what crosses from task s to task t
 *   is moved, by m_t - m_s.
 * Reference: [ZZ10]; the walk: Nielsen & Nock, IEEE Trans. Inf. Theory 2009.
 * An iteration takes O(nnz K) time for A2 at worst, O(nnz + T^2 K d) for A3,
 *   O(T^2 (K^2 d + K^3)) for A4; memory is O(n + K d) a task, and the plans.
 * ========================================================================== */

#define MBC_WALK 44                /* golden sections: .618^44 < sqrt(eps) */
#define MBC_OMEGA 10               /* steps on omega, at most */
#define MBC_NEAR ((mtc_real)1e-5)  /* the next step would be below eps */

/* Squared Euclidean is NULL here, as it is in k-means. */
static const mtc_divergence *unless_squared(const mtc_divergence *div)
{
    return div == NULL || div->value == sqe_value ? NULL : div;
}

/* For a symmetric divergence mu_R is the mean that mu_L takes in, W^ts is
 * (W^st)', and A3 is (15). */
static int is_symmetric(const mtc_divergence *div)
{
    return unless_squared(div) == NULL || div->value == maha_value;
}

/* kl and is are sums over coordinates, and A3 is a root in each of them. */
static int is_separable(const mtc_divergence *div)
{
    return div->value == kl_value || div->value == saito_value;
}

/* A2: what the distances need beside k-means' workspace. */
typedef struct mbc_reference {
    mtc_real smooth;         /* added to every x */
    mtc_real *r, *gradient;  /* [d] r, grad(r) */
    mtc_real *stored;        /* [d] r where a sparse row stores values */
    mtc_real *far;           /* [n] d(x_i + smooth || r) */
    mtc_real *between;       /* [k] see mbc_gradients */
    mtc_real *size;          /* [k] sum of the sizes of its terms */
} mbc_reference;

/* d(x_i + smooth || r).  If `stored`, the row is sparse and the divergence adds
 * up over coordinates: `empty`, the distance of a row of zeros, is corrected
 * where the row stores something, which takes O(nnz). */
static mtc_real mbc_to_reference(kmeans_ws *w, size_t i, int stored,
    mtc_real empty)
{
    const mtc_data *X = w->X;
    const mtc_divergence *div = w->o->divergence;
    const mbc_reference *ref = (const mbc_reference *)w->user;
    size_t begin = row_begin(X, i), m = stored ? row_end(X, i) - begin : X->d;
    mtc_real far = 0, *r = stored ? ref->stored : ref->r;
    if (stored) {
        for (size_t e = 0; e < m; e++) {
            r[e] = ref->r[X->column[begin + e]];
            w->row[e] = ref->smooth;
        }
        far = empty - div->value(div->user, m, w->row, r);
        MTC_COPY(w->row, X->values + begin, m);
    } else {
        row_copy(X, i, w->row);
    }
    for (size_t e = 0; e < m; e++)
        w->row[e] += ref->smooth;
    far += div->value(div->user, m, w->row, r);
    return far < 0 ? 0 : far;
}

/* A2: r becomes the mean row of `from`, plus `add`; far and grad(r) follow. */
static void mbc_set_reference(kmeans_ws *w, const mtc_data *from, mtc_real add)
{
    const mtc_data *X = w->X;
    const mtc_divergence *div = w->o->divergence;
    mbc_reference *ref = (mbc_reference *)w->user;
    int stored = mtc_is_csr(X) && ref->smooth > 0 && is_separable(div);
    mtc_real empty = 0;
    mean_row(from, 1, 0, ref->r);
    for (size_t f = 0; f < X->d; f++) {
        ref->r[f] += add;
        w->row[f] = ref->smooth;
    }
    if (stored)
        empty = div->value(div->user, X->d, w->row, ref->r);
    for (size_t i = 0; i < X->n; i++)
        ref->far[i] = mbc_to_reference(w, i, stored, empty);
    div->gradient(div->user, X->d, ref->r, ref->gradient);
}

/* After the centroids have moved: finds g_z and the part of the identity that
 * does not depend on x, d(r||u_z) - <r, g_z>: `between` is that for centroids,
 * w->offset for rows of X, which do not contain smooth yet. */
static void mbc_gradients(kmeans_ws *w)
{
    const mtc_divergence *div = w->o->divergence;
    const mbc_reference *ref = (const mbc_reference *)w->user;
    size_t d = w->X->d;
    MTC_ZERO(w->factor, w->kp * d);
    for (size_t z = 0; z < w->o->clusters; z++) {
        const mtc_real *u = w->U + z * d;
        mtc_real near = div->value(div->user, d, ref->r, u);
        mtc_real sample = 0, center = 0;
        ref->size[z] = near;
        div->gradient(div->user, d, u, w->row);
        for (size_t f = 0; f < d; f++) {
            mtc_real g = ref->gradient[f] - w->row[f];
            w->factor[f * w->kp + z] = g;
            sample += (ref->r[f] - ref->smooth) * g;
            center += ref->r[f] * g;
            ref->size[z] += MTC_FABS(ref->r[f] * g);
        }
        w->offset[z] = near - sample;
        ref->between[z] = near - center;
    }
}

/* dist [k] = d(row i of X + smooth || every center): far + offset_z + x.g_z,
 * where far is its distance from r and offset [k] is w.offset or between.
 * Where that cancels, or is not a number, the divergence itself is computed. */
static void mbc_by_reference(const kmeans_ws *w, const mtc_data *X, size_t i,
    mtc_real smooth, mtc_real far, const mtc_real *offset)
{
    const mtc_divergence *div = w->o->divergence;
    const mbc_reference *ref = (const mbc_reference *)w->user;
    km_products(w, X, i, 0);
    for (size_t z = 0; z < w->o->clusters; z++) {
        mtc_real dot = w->dist[z], sum = (far + offset[z]) + dot;
        mtc_real size = far + ref->size[z] + MTC_FABS(dot);
        w->dist[z] = sum;
        if (sum >= PAIR_CANCEL * size)
            continue;
        row_copy(X, i, w->row);
        for (size_t e = 0; e < X->d; e++)
            w->row[e] += smooth;
        w->dist[z] = div->value(div->user, X->d, w->row, w->U + z * X->d);
    }
}

static void mbc_distances(kmeans_ws *w, size_t i)
{
    const mbc_reference *ref = (const mbc_reference *)w->user;
    mbc_by_reference(w, w->X, i, ref->smooth, ref->far[i], w->offset);
}

static void mbc_layout_reference(mtc_stack *tmp, kmeans_ws *w,
    mbc_reference *ref)
{
    MTC_REALS(tmp, w->X->d, &ref->r, &ref->gradient, &ref->stored);
    MTC_REALS(tmp, w->X->n, &ref->far);
    MTC_REALS(tmp, w->o->clusters, &ref->between, &ref->size);
    w->prepare = mbc_gradients;
    w->distances = mbc_distances;
    w->user = ref;
}

/* A3: one centroid's problem (14), min_u A d(L||u) + B d(u||R). */
typedef struct mbc_problem {
    const mtc_divergence *div;
    size_t d;
    int symmetric, walk;            /* u by (15), or by the walk */
    mtc_real A, B;                  /* only A/B counts; the larger is 1 */
    mtc_real *L, *R, *u;            /* [d] mu_L, mu_R, the answer */
    mtc_real *gL, *gR, *g;          /* [d] gradients at L, R, another point */
    mtc_real *trial;                /* [d] a point where (14) is tried */
} mbc_problem;

static void mbc_layout_problem(mtc_stack *tmp, const mtc_divergence *div,
    mtc_centroid how, size_t d, mbc_problem *m)
{
    *m = (mbc_problem){.div = div, .d = d, .symmetric = is_symmetric(div)};
    m->walk = !m->symmetric &&
              (how == MTC_CENTROID_GEODESIC || !is_separable(div));
    MTC_REALS(tmp, d, &m->L, &m->R, &m->u, &m->gL, &m->gR, &m->g, &m->trial);
}

/* A d(L||x) + B d(x||R), [ZZ10] (14); HUGE where x is not in the domain, so
 * that no search leaves it.  Where that is below *best, u becomes x. */
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

/* kl: A (1 - L/u) + B log(u/R) = 0.  With y = A L / (B u) this is y + log y
 * = q: y is Wright's omega(q).  It starts from series about q = 1 and at
 * both ends; steps are of fourth order (Fritsch, Shafer, Crowley 1973).  ratio
 * is A/B, base A/B + log(A/B).  Where y is small, so that q has lost its
 * digits, log(u/R) = y - A/B has them. */
static mtc_real mbc_kl_root(mtc_real ratio, mtc_real base, mtc_real L,
    mtc_real R)
{
    mtc_real odds = L / R, step = 1;  /* the odds may overflow */
    mtc_real q = base + (odds > MTC_TINY && odds < MTC_HUGE
                             ? mtc_log(odds) : mtc_log(L) - mtc_log(R));
    if (!(q < MTC_HUGE / 4))
        return L;  /* B does not count */
    mtc_real y = 1 + (q - 1) / 2 + (q - 1) * (q - 1) / 16;
    if (q > 3)
        y = q - mtc_log(q) + mtc_log(q) / q;
    else if (q < -1)
        y = mtc_exp(q);
    int steps = y > 0 && y < 1 / MTC_EPS ? MBC_OMEGA : 0;  /* 0: y is exact */
    for (int i = 0; i < steps && MTC_FABS(step) > MBC_NEAR; i++) {
        mtc_real residual = q - y - mtc_log(y), w = 1 + y;
        mtc_real v = w * (w + 2 * residual / 3);
        step = residual / w * (v - residual / 2) / (v - residual);
        y *= 1 + step;
    }
    return y > MTC_EPS ? L * (ratio / y) : R * mtc_exp(y - ratio);
}

/* is: the positive root of B u^2/R + (A-B) u - A L = 0.  It is divided by the
 * larger of A and B; b is then the smaller.  (1-b)^2 + 4 b L/R = p^2 + q^2 is
 * divided by the larger of p and q before the root is taken.  Of the two forms
 * of u, the one that adds is used: nothing cancels or overflows. */
static mtc_real mbc_is_root(mtc_real A, mtc_real B, mtc_real L, mtc_real R)
{
    mtc_real b = A < B ? A / B : B / A, p = 1 - b;
    mtc_real q = 2 * MTC_SQRT(b) * (MTC_SQRT(L) / MTC_SQRT(R));
    mtc_real slope = p < q ? p / q : q / p;
    mtc_real root = (p < q ? q : p) * MTC_SQRT(1 + slope * slope);
    return A < B ? R * (p + root) / 2 : 2 * L / (p + root);
}

/* mbc_try at point t of the geodesic from R to L: gradients mix linearly. */
static mtc_real mbc_try_geodesic(mbc_problem *m, mtc_real t, mtc_real *best)
{
    for (size_t f = 0; f < m->d; f++)
        m->g[f] = (1 - t) * m->gR[f] + t * m->gL[f];
    m->div->inverse(m->div->user, m->d, m->g, m->trial);
    return mbc_try(m, m->trial, best);
}

/* The paper's walk for (14): golden sections on t in [0,1].  u = the best
 * point met, L, R and `old` (unless NULL) among them: the loss cannot rise. */
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
 * kl and is, a deviation, the derivative by u_f has one root, between L_f and
 * R_f; the paper walks. */
static void mbc_solve(mbc_problem *m, const mtc_real *old)
{
    mtc_real A = m->A, B = m->B, base = A / B + mtc_log(A / B);
    if (m->walk) {
        mbc_walk(m, old);
        return;
    }
    if (m->symmetric) {
        for (size_t f = 0; f < m->d; f++)
            m->u[f] = (A * m->L[f] + B * m->R[f]) / (A + B);
        return;
    }
    for (size_t f = 0; f < m->d; f++) {
        mtc_real L = m->L[f], R = m->R[f];
        mtc_real low = L < R ? L : R, high = L < R ? R : L;
        mtc_real u = m->div->value == saito_value
                         ? mbc_is_root(A, B, L, R)
                         : mbc_kl_root(A / B, base, L, R);
        m->u[f] = u > low ? (u < high ? u : high) : low;
    }
}

/* A task: its samples, and k-means' workspace for its centroids. */
typedef struct mbc_task {
    kmeans_ws w;           /* U, labels: the result's */
    mbc_reference ref;     /* unless squared Euclidean */
    mtc_kmeans_options o;  /* clusters, divergence */
    int *next;             /* [n] labels under the newest U */
    int rests;             /* 1: its own loss meets the tolerance */
} mbc_task;

typedef struct mbc_job {
    const mtc_data *tasks;
    const mtc_mbc_options *o;
    const mtc_divergence *div;  /* NULL: squared Euclidean */
    int seeded;                 /* 1: no start is given, A1 draws seeds */
    mtc_real *mean;             /* [T*d] m_t of o.center, else NULL */
    size_t T, d;
    mtc_mbc_result r;
    mbc_task *task;  /* [T] */
    size_t lanes, restart;  /* restart: the one that runs */
    mtc_lane *lane;         /* [lanes] */
    mbc_problem problem;
    mtc_real *moved;                   /* [d] u^t_z where task s is */
    mtc_real *cost, *supply, *demand;  /* [K*K] D^ts, [K] [K], largest K_t */
    void *work;                        /* of mtc_emd_in */
} mbc_job;

mtc_mbc_options mtc_mbc_defaults(void)
{
    return (mtc_mbc_options){.clusters = 2, .lambda = (mtc_real)0.5,
                             .iterations = 100, .tolerance = (mtc_real)1e-10,
                             .restarts = 1};
}

static const char *mbc_wrong(const mtc_mbc_options *o)
{
    mtc_data smooth = mtc_dense(1, 1, &o->smooth);  /* as large as data */
    if (!in_range(o->lambda, 0, MTC_HUGE))
        return "lambda: need 0 or more";
    if (!(o->smooth >= 0) || mtc_data_sound(NULL, &smooth, 0) != MTC_OK)
        return "smooth: need 0 or more, as data may be";
    if (!MTC_FINITE(o->tolerance))
        return "tolerance: need a number";
    if ((unsigned)o->centroid > MTC_CENTROID_GEODESIC)
        return "centroid: need one of mtc_centroid";
    if (o->restarts == 0)
        return need_restarts;
    if (o->center && !is_symmetric(o->divergence))
        return "center: need squared Euclidean or Mahalanobis";
    return NULL;
}

/* L has a diagonal > 0, and A = L L'. */
static mtc_status mbc_check_metric(mtc_context *ctx, const mtc_metric *metric)
{
    const mtc_real *A = metric->A, *L = metric->L;
    size_t d = metric->d;
    for (size_t i = 0; i < d; i++)
        for (size_t k = 0; k <= i; k++) {
            mtc_real a = mtc_dot(k + 1, L + i * d, L + k * d);
            mtc_real near = 16 * (mtc_real)d * MTC_EPS *
                            MTC_SQRT(A[i * d + i]) * MTC_SQRT(A[k * d + k]);
            if (!(L[i * d + i] > 0 && MTC_FABS(A[i * d + k] - a) < near &&
                  MTC_FABS(A[k * d + i] - a) < near))
                return mtc_fail(ctx, MTC_SINGULAR, "metric: L is no factor of "
                                "A", MTC_NONE, i, k);
        }
    return MTC_OK;
}

/* Given centroids contain smooth: they must be in the domain as they are. */
static mtc_status mbc_check(mtc_context *ctx, const mbc_job *j)
{
    const mtc_mbc_options *o = j->o;
    const char *wrong = mbc_wrong(o);
    MTC_TRY(require(ctx, wrong == NULL, wrong));
    MTC_TRY(check_divergence(ctx, j->div, j->d));
    if (has_metric(j->div))
        MTC_TRY(mbc_check_metric(ctx, (const mtc_metric *)j->div->user));
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

static void mbc_layout_task(mtc_stack *tmp, const mbc_job *j, size_t t,
    mbc_task *p)
{
    kmeans_ws *w = &p->w;
    size_t k = clusters_of(j->o, t);
    size_t n = j->tasks[t].n, seeding = j->o->spread ? n : 0;
    p->o = (mtc_kmeans_options){.clusters = k, .divergence = j->div};
    km_layout_distances(tmp, &j->tasks[t], &p->o,
                        j->div == NULL ? n : seeding, w);
    p->ref.smooth = j->r.smooth;
    if (j->div != NULL)
        mbc_layout_reference(tmp, w, &p->ref);
    MTC_REALS(tmp, mtc_mul(k, j->d), &w->sum);
    MTC_REALS(tmp, k, &w->mass);
    MTC_SIZES(tmp, k, &w->members);
    MTC_REALS(tmp, n, &w->lower);
    MTC_REALS(tmp, seeding, &w->nearest, &w->trial, &w->best);
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

/* A3: mu_R of u^t_z, and in L what other tasks add to its mu_L.  That is the
 * mean of the u^s_l that W^st brings to u^t_z (Theorem 1); grad(mu_R) is the
 * mean gradient of those that W^ts takes it to (Theorem 2), which are the same
 * if the divergence is symmetric.  Column z of W^st sums to 1/K_t, as does row
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

/* A3 for task t, which the others pull by B: w.sum gets the new centroids, then
 * they move there.  With own = n_z / n_t, (14) has A = own + B, and is divided
 * by A.  If B = 0, the mean stays.  An empty cluster keeps its old centroid,
 * which contains smooth; means of x do not. */
static void mbc_update(mbc_job *j, size_t t, mtc_real B)
{
    kmeans_ws *w = &j->task[t].w;
    mbc_problem *m = &j->problem;
    size_t d = j->d, k = w->o->clusters;
    km_count(w);
    km_mean_rows(w);
    for (size_t z = 0; z < k; z++) {
        mtc_real *mean = w->sum + z * d, own = w->mass[z] / (mtc_real)w->X->n;
        if (w->members[z] > 0)
            for (size_t e = 0; e < d; e++)
                mean[e] += j->r.smooth;
        if (B == 0)
            continue;
        m->A = 1;
        m->B = B / (own + B);
        mbc_mu(j, t, z);
        for (size_t e = 0; e < d; e++)
            m->L[e] = own / (own + B) * mean[e] + m->B * m->L[e];
        mbc_solve(m, w->U + z * d);
        MTC_COPY(mean, m->u, d);
    }
    km_move(w);
}

/* cost [K_s] = row z of D^ts, d(u^t_z || u^s_l): smooth is in both.  With
 * o.center u^t_z is moved by m_s - m_t. */
static void mbc_cost(mbc_job *j, size_t t, size_t s, size_t z, mtc_real *cost)
{
    const kmeans_ws *other = &j->task[s].w;
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
    mbc_by_reference(other, &one, 0, 0, far, ref->between);
    MTC_COPY(cost, other->dist, ks);
}

/* The transportation problem at cost D^ts.  With W [K_t*K_s] it is (10):
 * marginals 1/K_t and 1/K_s, as the integers K_s and K_t so that no rounding
 * enters the plan, whose sum is K_t K_s at first.  Without W it is (8):
 * marginals are the clusters' shares. */
static mtc_status mbc_emd(mtc_context *ctx, mbc_job *j, size_t t, size_t s,
    mtc_real *W, mtc_emd_info *info)
{
    const kmeans_ws *a = &j->task[t].w, *b = &j->task[s].w;
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

/* A2 for task t: the nearest clusters go to `next`; the loss is that of the old
 * labels.  A task has its own scratch, whatever the lane. */
static mtc_status mbc_nearest(mtc_context *ctx, void *job, size_t t,
    size_t lane)
{
    const mbc_job *j = (const mbc_job *)job;
    mbc_task *p = &j->task[t];
    mtc_real loss[2];  /* under labels, under next */
    mtc_real before = j->r.within[t];
    (void)ctx, (void)lane;
    km_nearest(&p->w, p->next, loss);
    j->r.within[t] = loss[0] / (mtc_real)p->w.X->n;
    p->rests = before - j->r.within[t] <= j->o->tolerance * MTC_FABS(before);
    return MTC_OK;
}

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

/* out [count] = different numbers of 0..n-1, every subset as likely as any
 * other.  Floyd's algorithm: step t draws from 0..top, and takes top, which is
 * new at this step, in place of one drawn before.  O(count^2). */
static void draw_subset(mtc_random *rng, size_t n, size_t count, size_t *out)
{
    for (size_t t = 0; t < count; t++) {
        size_t top = n - count + t, pick = mtc_random_below(rng, top + 1);
        for (size_t a = 0; a < t; a++)
            if (out[a] == pick)
                pick = top;  /* none equals top yet */
        out[t] = pick;
    }
}

/* A1: the first centroids of task t.  k-means' own start finds those that are
 * not given among x without smooth, by squared distances: it gets a copy of the
 * workspace without the divergence, and smooth is added afterwards. */
static void mbc_first_centroids(mbc_job *j, size_t t, mtc_random *rng)
{
    const mtc_mbc_options *o = j->o;
    kmeans_ws *w = &j->task[t].w, squared = *w;
    mtc_kmeans_options start = {.clusters = w->o->clusters};
    size_t k = start.clusters, d = j->d;
    if (o->start_centers != NULL) {
        start.start_centers = o->start_centers[t];
    } else if (o->start_labels != NULL) {
        start.start_labels = o->start_labels[t];
    } else if (!o->spread) {  /* K different samples, else k-means++ */
        draw_subset(rng, w->X->n, k, w->members);
        for (size_t z = 0; z < k; z++)
            row_copy(w->X, w->members[z], w->sum + z * d);
        start.start_centers = w->sum;
    }
    squared.o = &start;
    km_start(&squared, rng);
    if (o->start_centers == NULL)  /* those contain smooth */
        for (size_t e = 0; e < k * d; e++)
            w->U[e] += j->r.smooth;
}

/* A1 for task t.  Seeds, a deviation, give way to the means around them, which
 * are better to transport.  Labels given beside centroids count in the first
 * loss. */
static mtc_status mbc_start(mtc_context *ctx, void *job, size_t t, size_t lane)
{
    mbc_job *j = (mbc_job *)job;
    kmeans_ws *w = &j->task[t].w;
    mtc_random rng = mtc_stream(ctx, j->restart * j->T + t);
    mtc_real loss[2];  /* not wanted */
    (void)lane;
    mbc_first_centroids(j, t, &rng);
    w->prepare(w);
    if (j->o->start_labels != NULL)
        MTC_COPY(w->labels, j->o->start_labels[t], w->X->n);
    else
        km_nearest(w, w->labels, loss);
    if (j->seeded)
        mbc_update(j, t, 0);
    return MTC_OK;
}

/* Has the loss fallen by the tolerance or less?  Without a pull so has that of
 * every task: beside one in a large unit nobody would wait for the others. */
static int mbc_has_converged(const mbc_job *j, mtc_real pull,
    const mtc_real *loss)
{
    mtc_real tolerance = j->o->tolerance;
    int rests = loss[-1] - loss[0] <= tolerance * MTC_FABS(loss[-1]);
    if (pull == 0)
        for (size_t t = 0; t < j->T; t++)
            rests &= j->task[t].rests;
    return tolerance >= 0 && rests;
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
            loss[it] = loss[it - 1];  /* it rose by rounding */
        j->r.converged = mbc_has_converged(j, pull, &loss[it]);
    }
    j->r.iterations = it;
    return MTC_OK;
}

/* A5 for task t.  Whether the numbers hold is judged by the means of clusters,
 * which sharing has not drawn together as it has the centroids; an empty one
 * has none, and no match. */
static void mbc_number(mbc_job *j, size_t t)
{
    const mtc_mbc_result *r = &j->r;
    kmeans_ws *w = &j->task[t].w;
    size_t T = j->T, d = j->d, k = r->clusters[t], *from = w->members;
    for (size_t z = 0; z < k; z++)
        from[z] = argmax(k, r->plans[0 * T + t] + z * k);  /* row of W^0t */
    match_labels(from, w->X->n, w->labels);
    mtc_match_lines(k, from, w->U, d, d, 1);
    for (size_t s = 0; s < T; s++) {
        size_t ks = r->clusters[s];
        if (s == t)
            continue;
        mtc_match_lines(k, from, r->plans[t * T + s], ks, ks, 1);
        mtc_match_lines(k, from, r->plans[s * T + t], 1, ks, k);
    }
    km_count(w);
    km_mean_rows(w);
    mtc_match_alike(k, d, 1, j->task[0].w.sum, w->sum, &r->matched[t]);
    r->matched[t] &= r->k_effective[t] == k && r->k_effective[0] == k;
}

/* At the end this finds cluster sizes, and d_M (8) of all pairs. */
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

/* Finds means and references, which never move, and fills in the result. */
static void mbc_prepare(mbc_job *j)
{
    mtc_mbc_result *r = &j->r;
    for (size_t t = 0; t < j->T; t++) {
        kmeans_ws *w = &j->task[t].w;
        w->text = km_is_text(w);
        if (j->o->center)
            mean_row(w->X, 1, 1, j->mean + t * j->d);
        r->clusters[t] = w->o->clusters;
        r->labels[t] = w->labels;
        r->centers[t] = w->U;
        r->matched[t] = t == 0;
        if ((j->div == NULL || j->o->spread) && mtc_is_csr(w->X))
            mtc_data_norms(w->X, w->norm);  /* spread: for the seeds */
        if (j->div != NULL)
            mbc_set_reference(w, w->X, r->smooth);
    }
}

/* The first restart with the lowest loss is the result: it is run again if
 * another came after it, since keeping it would take twice the memory. */
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
    km_mean_rows(&j->task[0].w);  /* for mbc_number */
    for (size_t t = 1; t < j->T; t++)
        if (r->clusters[t] == r->clusters[0])
            mbc_number(j, t);  /* A5 */
    return MTC_OK;
}

/* The lanes are chosen for n d multiply-adds a task between two steps in which
 * tasks meet, which is a lower bound. */
mtc_status mtc_mbc(mtc_context *ctx, const mtc_data *tasks, size_t n_tasks,
    const mtc_mbc_options *opt, mtc_mbc_result *res)
{
    const mtc_mbc_options usual = mtc_mbc_defaults(),
                          *o = opt != NULL ? opt : &usual;
    const mtc_divergence *div = unless_squared(o->divergence);
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

/* New samples are assigned as in k-means, for a divergence through the point r
 * of reference. */
typedef struct mbc_assign_job {
    kmeans_assign_job km;
    mbc_reference ref;
} mbc_assign_job;

static void mbc_assign_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    mbc_assign_job *j = (mbc_assign_job *)job;
    kmeans_assign_layout(own, tmp, &j->km);
    if (j->km.o.divergence != NULL)
        mbc_layout_reference(tmp, &j->km.w, &j->ref);
}

static mtc_status mbc_assign_work(mtc_context *ctx, void *job)
{
    mbc_assign_job *j = (mbc_assign_job *)job;
    mtc_data U = mtc_dense(j->km.o.clusters, j->km.X->d, j->km.w.U);
    if (j->km.o.divergence != NULL)
        mbc_set_reference(&j->km.w, &U, 0);  /* smooth is in U */
    return kmeans_assign_work(ctx, &j->km);
}

mtc_status mtc_mbc_assign(mtc_context *ctx, const mtc_data *X, size_t task,
    const mtc_mbc_result *res, int *labels)
{
    MTC_TRY(mtc_data_sound(ctx, X, MTC_NONE));
    if (res == NULL || X->d != res->d || task >= res->tasks ||
        !is_given(ctx, labels))
        return bad_option(ctx, "need a result of X's width that has the task, "
                          "and labels");
    mtc_kmeans_result model = {.clusters = res->clusters[task], .d = res->d,
                               .centers = res->centers[task]};
    const mtc_divergence *div = unless_squared(res->divergence);
    mbc_assign_job job = {.km = {.X = X, .model = &model, .labels = labels,
                                 .o.clusters = model.clusters,
                                 .o.divergence = div},
                          .ref.smooth = res->smooth};
    MTC_TRY(check_smoothed(ctx, X, div, res->smooth, MTC_NONE));
    return mtc_job_run(ctx, mbc_assign_layout, mbc_assign_work, &job);
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
    if (!(A > 0) || !in_range(A, 0, MTC_HUGE) || !in_range(B, 0, MTC_HUGE) ||
        (unsigned)how > MTC_CENTROID_GEODESIC || u == NULL)
        return bad_option(ctx, "need A > 0, B >= 0, a centroid's kind, and u");
    mbc_problem m;
    mtc_stack st = {NULL, 0, 0, 0};
    mtc_block work;
    mbc_layout_problem(&st, div, how, d, &m);  /* measures */
    MTC_TRY(mtc_scratch(ctx, st.peak, &work));
    st = (mtc_stack){(unsigned char *)work.at, 0, 0, work.bytes};
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
 * Chapter 19  MTCFIR: features and similarities that tasks share
 *
 * This is algorithm 1 of [ZZL19], told with the learners of chapters 3, 12, 13
 * and 14.  Samples are columns in the paper and rows here.
 *
 *   X_t   n_t x d    samples of task t; N of all tasks
 *   h^b   N x d      layer b of the shared features, b = 1..g; g is `layers`
 *   Z_t   n_t x D    [X_t, h^1 .. h^g], D = d (g+1); joined where D is small
 *   V_ts  n_t x n_s  cosines of Z_t and Z_s
 *   M_t   n_t x n_t  consistent similarities
 *   Y_t   n_t x k_t  soft clusters
 *
 *   A1  h^1 .. h^g of all tasks together     (algorithm 2, (4); chapter 13)
 *   A2  M_t for every task, from V           (algorithm 3, (8); chapter 14)
 *   A3  labels by k-means on Z_t, Y_t = indicator + .2        (section 3.5)
 *   A4  min_{Y >= 0} |M_t - Y Y'|^2 by (25), label = argmax of the row
 *                                        (algorithm 4, (21); chapter 12)
 *   A5  clusters take the numbers of task 0's
 * (2), (3), (7), (10) to (13), (15), (17), (18), (22) to (24) are for proofs.
 *
 * Where Z is wider than tall, A3 uses that k-means needs only distances: it
 * runs on the n_t columns of E, with E E' = Z Z' + shift I, not on d (g+1).
 * Deviation: o.normalize and A5 are not in the paper.
 * Deviation: the paper says only that nI has no A2; here M is max(V_tt, 0).
 * Reference: [ZZL19].  A1 takes O(N^2 d g) time where d > N, A2 O(sum n_t^2 N)
 *   by cosines, a step of A4 O(nnz(M) k); memory is that of h, and V if whole.
 * ========================================================================== */

typedef struct fir_job {
    const mtc_data *tasks;
    size_t T, N, d, D;  /* D: width of Z */
    const mtc_mtcfir_options *o;
    mtc_mtcfir_result r;
    mtc_msda_options msda_options;
    mtc_consistent_options sim_options;
    msda_job msda;            /* A1 */
    sim_job sim;              /* A2 */
    int *labels;              /* result [N] */
    mtc_real *Y, *objective;  /* result [sum n k]; T [iterations+1] */
    size_t lanes;
    mtc_lane *lane;           /* [lanes] */
    client ask, *in;          /* [lanes] what A3 and A4 call with */
    mtc_real *anchor, *mean;  /* A5: [k*D] mean unit rows of task 0, of t */
    mtc_real *share;          /* [k] */
    match_ws match;
} fir_job;

mtc_mtcfir_options mtc_mtcfir_defaults(void)
{
    return (mtc_mtcfir_options){
        .clusters = 2, .layers = 3, .noise = (mtc_real)0.5,
        .ridge = (mtc_real)1e-5, .neighbor_share = (mtc_real)0.3,
        .iterations = 300, .tolerance = (mtc_real)1e-6, .restarts = 10};
}

static mtc_status fir_check(mtc_context *ctx, const fir_job *j)
{
    const mtc_mtcfir_options *o = j->o;
    MTC_TRY(msda_check(ctx, &j->msda_options));
    MTC_TRY(sim_check(ctx, j->tasks, j->T, &j->sim_options));
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

/* Settles sizes and the parts' options: variants of [ZZL19] section 4.2. */
static fir_job fir_of(const mtc_context *ctx, const mtc_data *tasks, size_t T,
    const mtc_mtcfir_options *o)
{
    fir_job j = {.tasks = tasks, .T = T, .N = count_samples(tasks, T), .o = o,
                 .d = tasks[0].d};
    j.msda_options = (mtc_msda_options){
        .layers = o->variant == MTC_MTCFIR_NF ? 0 : o->layers,
        .noise = o->noise, .ridge = o->ridge};
    j.sim_options = (mtc_consistent_options){
        .clusters = o->clusters, .clusters_of = o->clusters_of,
        .neighbor_share = o->neighbor_share, .neighbors_of = o->neighbors_of,
        .uniform = o->variant == MTC_MTCFIR_NR,  /* nR: alpha = 1 */
        .direct = o->variant == MTC_MTCFIR_NI};  /* nI: M = max(V, 0) */
    j.D = mtc_mul(j.d, mtc_add(j.msda_options.layers, 1));
    j.lanes = mtc_lanes(ctx, T, mtc_mul(j.N, j.D));
    j.r = (mtc_mtcfir_result){.tasks = T, .n = j.N, .d = j.d};
    return j;
}

/* Y of all tasks is one piece.  A1 gives its scratch back before A2; what A2
 * leaves behind serves A3 and A5. */
static void fir_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    fir_job *j = (fir_job *)job;
    mtc_mtcfir_result *r = &j->r;
    size_t T = j->T, nk = 0, k0 = clusters_of(j->o, 0);
    j->lane = MTC_TAKE(tmp, j->lanes, mtc_lane);
    j->in = client_take(tmp, &j->ask, j->lanes);
    size_t mark = tmp->used;
    r->features = MTC_TAKE(own, 1, mtc_msda_result);  /* A1 */
    j->msda = msda_of(j->tasks, T, &j->msda_options, j->sim.crew.lanes);
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
    MTC_REALS(tmp, k0, &j->share);
    match_layout(tmp, k0, j->D, &j->match);
    j->match.layers = j->D / j->d;
}

/* E E' = Z_t Z_t' + shift I, by Cholesky of z_i.z_k: cosines times lengths [n].
 * Where Z Z' is singular (duplicates) a shift of the size of rounding grows
 * until the factorization holds: at the latest when it dominates, as 16^14 >
 * 1 / eps.  It adds shift (n - k) to the loss of every partition into k
 * clusters: k-means seeks the same. */
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

/* A3: labels [n] by k-means on the root E, where Z_t is wider than tall and V
 * is at hand, else on Z_t, joined; without layers that is X_t itself. */
static mtc_status fir_start(const fir_job *j, client *c, size_t t, int *labels)
{
    size_t n = j->tasks[t].n, mark = c->stack.used;
    int square = j->sim.whole && j->D > n, joined = !square && j->D > j->d;
    size_t width = square ? n : joined ? j->D : 0;
    mtc_real *E = MTC_TAKE(&c->stack, mtc_mul(n, width), mtc_real);
    mtc_real *length = MTC_TAKE(&c->stack, square ? n : 0, mtc_real);
    void *work = mtc_take(&c->stack, square ? mtc_gemm_work(n, n, n) : 0, 1);
    mtc_data rows = width > 0 ? mtc_dense(n, width, E) : j->tasks[t];
    mtc_kmeans_options o = mtc_kmeans_defaults();
    o.clusters = clusters_of(j->o, t);
    o.restarts = j->o->restarts;
    if (square && !client_is_measuring(c))
        MTC_TRY(fir_root(j, t, length, E, work));
    if (joined && !client_is_measuring(c))
        join_features(j->tasks, j->T, t, j->sim.h, j->sim.layers, E);
    MTC_TRY(call_kmeans(c, SAME_SEED, &rows, &o, labels, NULL));
    c->stack.used = mark;
    return MTC_OK;
}

/* Deviation: M_ij <- n/k M_ij / sqrt(s_i s_j), where s_i is the sum of row i,
 * in place; a row of zeros stays.  An indicator's Y Y' has rows that sum to
 * about n/k.  w [n] is s^-1/2. */
static void fir_normalize(const mtc_data *M, size_t k, mtc_real *w)
{
    mtc_real *value = (mtc_real *)M->values;  /* ours: see sim_layout */
    mtc_real share = (mtc_real)M->n / (mtc_real)k;
    for (size_t i = 0; i < M->n; i++) {
        mtc_real sum = 0;
        for (size_t e = row_begin(M, i); e < row_end(M, i); e++)
            sum += value[e];
        w[i] = inverse_root(sum);
    }
    for (size_t i = 0; i < M->n; i++) {
        size_t e0 = row_begin(M, i), e1 = row_end(M, i);
        for (size_t e = e0; e < e1; e++)
            value[e] *= share * (w[i] * w[entry_column(M, e0, e)]);
    }
}

/* A4: factors M_t by [ZZL19] (25), from labels [n].  While measuring, M_t is a
 * shape: CSR but for nI.  A zero row of Y keeps its first label. */
static mtc_status fir_factor(fir_job *j, client *c, size_t t, const int *labels)
{
    mtc_mtcfir_result *r = &j->r;
    size_t n = j->tasks[t].n, k = clusters_of(j->o, t);
    mtc_snmf_options o = {.clusters = k, .iterations = j->o->iterations,
                          .tolerance = j->o->tolerance, .start_labels = labels};
    mtc_data M = mtc_shape(n, n, j->sim_options.direct ? 0 : 1);
    mtc_snmf_result found;
    if (!client_is_measuring(c))
        M = r->M[t];
    MTC_TRY(client_call(c, 0, mtc_snmf, &M, &o, &found));
    if (client_is_measuring(c))
        return MTC_OK;
    r->iterations[t] = found.iterations;
    r->converged[t] = found.converged;
    r->k_effective[t] = found.k_effective;
    MTC_COPY(r->labels[t], found.labels, n);
    MTC_COPY(r->Y[t], found.Y, n * k);
    MTC_COPY(r->objective[t], found.objective, found.iterations + 1);
    return MTC_OK;
}

/* A3 and A4 of one task. */
static mtc_status fir_task(mtc_context *ctx, void *job, size_t t, size_t lane)
{
    fir_job *j = (fir_job *)job;
    client *c = &j->in[lane];
    client_begin(c, ctx, t);
    if (j->o->start_labels != NULL)
        return fir_factor(j, c, t, j->o->start_labels[t]);
    int *start = MTC_TAKE(&c->stack, j->tasks[t].n, int);
    MTC_TRY(fir_start(j, c, t, start));
    return fir_factor(j, c, t, start);
}

/* A5: clusters of task t take the numbers of task 0's, where there are as many
 * and no start gave them.  The means of their unit rows z/|z| are compared; an
 * empty cluster has no match. */
static mtc_status fir_number(mtc_context *ctx, fir_job *j, size_t t)
{
    mtc_mtcfir_result *r = &j->r;
    size_t n = j->tasks[t].n, d = j->d, first = count_samples(j->tasks, t);
    size_t k = r->clusters[t];
    mtc_real *mean = t == 0 ? j->anchor : j->mean;
    r->matched[t] = t == 0;
    if (k != r->clusters[0] || j->o->start_labels != NULL)
        return MTC_OK;
    for (size_t b = 0; b * d < j->D; b++) {  /* X, then h^b */
        mtc_data part = j->tasks[t];
        if (b > 0)
            part = mtc_dense(n, d, j->sim.h + ((b - 1) * j->N + first) * d);
        cluster_means(&part, r->labels[t], k, j->sim.norm + first, j->D,
            mean + b * d, j->share);
    }
    if (t == 0)
        return MTC_OK;
    MTC_TRY(match_task(ctx, &j->match, j->anchor, mean, n, r->labels[t],
                       &r->matched[t]));
    mtc_match_lines(k, j->match.from, r->Y[t], 1, n, k);
    r->matched[t] &= r->k_effective[t] == k && r->k_effective[0] == k;
    return MTC_OK;
}

/* [ZZL19] algorithm 1.  What A1 and A2 leave is in the result's block. */
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
        if (j->o->normalize)  /* `level`: free after S2 of chapter 14 */
            fir_normalize(&r->M[t], r->clusters[t], j->sim.level);
    }
    MTC_TRY(mtc_share(ctx, j->lanes, j->lane, T, fir_task, j));  /* A3, A4 */
    for (size_t t = 0; t < T; t++)
        MTC_TRY(fir_number(ctx, j, t));  /* A5 */
    return MTC_OK;
}

mtc_status mtc_mtcfir(mtc_context *ctx, const mtc_data *tasks, size_t n_tasks,
    const mtc_mtcfir_options *opt, mtc_mtcfir_result *res)
{
    const mtc_mtcfir_options usual = mtc_mtcfir_defaults();
    MTC_TRY(check_sets(ctx, tasks, n_tasks));
    fir_job job = fir_of(ctx, tasks, n_tasks, opt != NULL ? opt : &usual);
    MTC_TRY(fir_check(ctx, &job));
    job.sim = sim_of(ctx, tasks, n_tasks, job.msda_options.layers,
                     &job.sim_options);
    job.in = &job.ask;
    for (size_t t = 0; t < n_tasks; t++)
        MTC_TRY(fir_task(ctx, &job, t, 0));  /* measures */
    return job_result(ctx, fir_layout, fir_work, &job, res);
}

/* ==========================================================================
 * Chapter 20  TTL: from a source to a target through bridges
 *
 * The source has labels, the target has none, and the two need not share a
 * single feature.  A bridge shares features with both, but has no labels.  Two
 * pairs of domains are factorized together.  A pair is a leg here:
 *
 *   leg     paper   near domain         far domain
 *   HAT     F^ A^   SOURCE  X_s G_s     BRIDGE  X_I G_I
 *   TILDE   F~ A~   VIEW    X_I G_I     TARGET  X_t G_t
 *
 *   min   sum over the four domains of |X - G A'F'|^2            [TSZX15] (7)
 *   for   F, A, G >= 0,  columns of F and rows of G of sum 1     [TSZX15] (8)
 *   with  F = [F1 F2],  A = [A1; A2]
 *
 * F1 and A1 are shared by the two domains of a leg; F2 and A2 are a domain's
 * own.  G_s is given by the labels.  VIEW is the bridge as leg TILDE sees it,
 * with the same G_I, and this is how labels travel.  One leg alone is [TSZX15]
 * (6), one domain alone [TSZX15] (5).
 *
 *   n samples, m features of a leg, c classes, p1 shared and p2 own clusters
 *
 *   paper      here                        shape
 *   X          X, one sample in each row   n x m (m x n in the paper)
 *   G          G                           n x c
 *   F1, A1     F, A of factor TTL_SHARED   m x p1, p1 x c
 *   F2, A2     F, A of TTL_OWN_NEAR, _FAR  m x p2, p2 x c
 *   F A        C = F1 A1 + F2 A2           m x c
 *   X G        XG = X'G                    m x c
 *   N G        NG = C G'G                  m x c (N = F A G' is never formed)
 *   M, T       XG A', NG A'                m x p (tables 3 and 7)
 *
 * Features are many: what has m rows above is stored transposed.  Algorithm 1
 * of the paper, in which every update uses the latest values:
 *
 *   1  start   F and A random; G by logistic regression, from source to bridge
 *              and from bridge to target, or random (line 2 does not say)
 *   2  F, A    in every leg, with sums over both domains for F1 and A1:
 *              F *= M / T  [TSZX15] (9), (12),  A *= F'XG / F'NG  [TSZX15] (12)
 *   3  G       G *= X C / (G C'C), both legs for G_I       [TSZX15] (9), (12)
 *   4  sums    columns of F and rows of G to sum 1        [TSZX15] (10), (13)
 *   5  again   from 2; the label of a sample is the largest entry of its G
 *
 * (7) may rise: step 4 does not make up for the scale of a row of G.
 *
 * Deviation: rows of A take up the scale of F's columns in step 4.  C and (7)
 *   stay as they are, and once, at the end, is enough.
 * Deviation: samples are scaled to sum 1, those of sparse data after a
 *   weighting of the features by idf, which the regressions of step 1 see, too.
 * Deviation: several sources are stacked.  (7) and step 3 are sums over the
 *   bridges, which may have other features in leg TILDE than in leg HAT.
 * Deviation: rows of G_I and G_t whose label is known are fixed, like G_s.
 * Deviation of the repaired variant, the default: leg HAT has the first half of
 *   the iterations, leg TILDE the second, with G_I held.  In between the target
 *   is learned again, from the classes that leg HAT found, and goes on from the
 *   geometric mean of both answers.
 * Reference: [TSZX15]; errata are in examples/experiments/tan-2015.md.  Section
 * 3 of the paper, the choice of a bridge, is at the end of the chapter, with
 * two deviations.  Cost of an iteration: O(c nnz + m p c + (n + m) c^2).
 * ========================================================================== */

#define TTL_FLOOR ((mtc_real)0.01)  /* added to starts, where a 0 would stay */
#define TTL_ASSIGN_STEPS 200        /* of step 3, for a new sample */

enum { TTL_HAT, TTL_TILDE, TTL_LEGS };
enum { TTL_SOURCE, TTL_BRIDGE, TTL_VIEW, TTL_TARGET, TTL_DOMAINS };

#define ttl_near(leg) (2 * (leg))  /* the domains of a leg */
#define ttl_far(leg) (2 * (leg) + 1)
#define ttl_leg(domain) ((domain) / 2)

/* Factors of a leg, as in mtc_ttl_factors: F1 A1, F2 A2 near, F2 A2 far. */
enum { TTL_SHARED, TTL_OWN_NEAR, TTL_OWN_FAR, TTL_FACTORS };

typedef struct ttl_domain {        /* of all sources, bridges, ... */
    const mtc_data *sets;          /* [count] as given */
    size_t count;
    size_t task;                   /* number of the first, for messages */
    const int *const *known;       /* [count] labels, or NULL */
    const mtc_real *const *start;  /* [count] G, or NULL */
    mtc_data X;                    /* all sets, stacked, weighted and scaled */
    mtc_real *G;                   /* [X.n*c] VIEW has that of BRIDGE */
    int *y;                        /* [X.n] labels that G stands for */
} ttl_domain;

typedef struct ttl_factor {  /* F1 and A1, or F2 and A2 */
    size_t m, p;
    mtc_real *F;             /* [p*m] */
    mtc_real *A;             /* [p*c] */
    mtc_real *FA;            /* [c*m] F A */
    mtc_real *result_F;      /* [m*p] */
} ttl_factor;

typedef struct ttl_term {  /* |X - G C'|^2, one of the terms of (7) */
    mtc_data X;            /* rows of a domain: all of them, or one bridge */
    mtc_real *G;           /* [X.n*c] the same rows of its G */
    mtc_real square;       /* |X|^2 */
    mtc_real *used;        /* [m] 1: some sample has the feature; else 0 */
    mtc_real *XG, *GG;     /* [c*m] [c*c] X'G, G'G */
    mtc_real *C, *CC;      /* [c*m] [c*c] the shared F A + its own, C'C */
} ttl_term;

typedef struct ttl_path {  /* through one bridge */
    ttl_factor factor[TTL_LEGS][TTL_FACTORS];
    ttl_term term[TTL_DOMAINS];
} ttl_path;

typedef struct ttl_job {
    const mtc_ttl_options *o;
    mtc_ttl_result r;
    size_t c, bridges, m[TTL_LEGS];
    int apart;                   /* 1: the legs differ in their features */
    ttl_domain domain[TTL_DOMAINS];
    ttl_path *path;              /* [bridges] */
    int learns[TTL_LEGS];        /* 1: a regression starts G of the far one */
    client ask, *in;             /* what that is called with */
    mtc_real *weight[TTL_LEGS];  /* [m] of features */
    mtc_real *sum_XG, *sum_NG;   /* [c*m] over the terms that have a factor */
    mtc_real *up, *down;         /* numerator, denominator of an update */
    mtc_real *tall;              /* [m*c] an XG or a C, not transposed */
    mtc_real *sum_CC;            /* [c*c] over the terms with one G */
    size_t *count;               /* [c] samples of each class */
    void *work;
} ttl_job;

mtc_ttl_options mtc_ttl_defaults(void)
{
    return (mtc_ttl_options){
        .classes = 2, .features = 30, .common = 15, .iterations = 100};
}

/* ---- checks ------------------------------------------------------------ */

static mtc_status ttl_check_options(mtc_context *ctx, const mtc_ttl_options *o)
{
    MTC_TRY(require(ctx, count_fits(o->classes, INT_MAX),
                    "classes: need 1 or more"));
    MTC_TRY(require(ctx, count_fits(o->common, o->features),
                    "common: need 1..features"));
    MTC_TRY(require(ctx, (unsigned)o->variant <= MTC_TTL_PUBLISHED,
                    "variant: need one of mtc_ttl_variant"));
    MTC_TRY(require(ctx, (unsigned)o->start <= MTC_TTL_START_RANDOM,
                    "start: need one of MTC_TTL_START_*"));
    MTC_TRY(require(ctx, (unsigned)o->rows <= MTC_TTL_ROWS_AS_GIVEN,
                    "rows: need one of MTC_TTL_ROWS_*"));
    MTC_TRY(require(ctx, (unsigned)o->feature_weights <= MTC_TTL_WEIGHTS_NONE,
                    "feature_weights: need one of MTC_TTL_WEIGHTS_*"));
    return require(ctx, in_range(o->tolerance, 0, MTC_HUGE),
                   "tolerance: need 0 or more");
}

/* Checks set i of a domain, its known labels, and the start of its G. */
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
    if (d->start == NULL)
        return MTC_OK;
    const mtc_data G = mtc_dense(X->n, j->c, d->start[i]);
    return mtc_data_positive(ctx, &G, task);
}

/* Checks the data, and the starts of labels, F and A that are given. */
static mtc_status ttl_check(mtc_context *ctx, const ttl_job *j)
{
    const mtc_ttl_factors *given = j->o->start_factors;
    size_t factors = j->r.own > 0 ? TTL_FACTORS : TTL_SHARED + 1;
    size_t starts = given != NULL ? j->bridges : 0;
    for (size_t at = 0; at < TTL_DOMAINS; at++)
        for (size_t i = 0; i < j->domain[at].count; i++)
            MTC_TRY(ttl_check_set(ctx, j, at, i));
    MTC_TRY(check_start(ctx, j->o->start_labels, j->r.n, j->c,
                        j->domain[TTL_TARGET].task));
    for (size_t b = 0; b < starts; b++)
        for (size_t leg = 0; leg < TTL_LEGS; leg++)
            for (size_t i = 0; i < factors; i++) {
                size_t p = i == TTL_SHARED ? j->r.common : j->r.own;
                size_t task = j->domain[TTL_BRIDGE].task + b;
                const mtc_data F = mtc_dense(j->m[leg], p, given[b].F[leg][i]);
                const mtc_data A = mtc_dense(p, j->c, given[b].A[leg][i]);
                MTC_TRY(mtc_data_positive(ctx, &F, task));
                MTC_TRY(mtc_data_positive(ctx, &A, task));
            }
    return MTC_OK;
}

/* ---- memory ------------------------------------------------------------ */

static void ttl_layout_path(mtc_stack *own, mtc_stack *tmp, const ttl_job *j,
    ttl_path *path)
{
    size_t c = j->c;
    for (size_t leg = 0; leg < TTL_LEGS; leg++)
        for (size_t i = 0; i < TTL_FACTORS; i++) {
            ttl_factor *f = &path->factor[leg][i];
            f->m = j->m[leg];
            f->p = i == TTL_SHARED ? j->r.common : j->r.own;
            MTC_REALS(own, mtc_mul(f->m, f->p), &f->result_F);
            MTC_REALS(own, mtc_mul(f->p, c), &f->A);
            MTC_REALS(tmp, mtc_mul(f->m, f->p), &f->F);
            MTC_REALS(tmp, mtc_mul(f->m, c), &f->FA);
        }
    for (size_t at = 0; at < TTL_DOMAINS; at++) {
        ttl_term *t = &path->term[at];
        size_t m = j->m[ttl_leg(at)];
        MTC_REALS(tmp, m, &t->used);
        MTC_REALS(tmp, mtc_mul(m, c), &t->XG, &t->C);
        MTC_REALS(tmp, mtc_mul(c, c), &t->GG, &t->CC);
    }
    if (!j->apart) {  /* the same X and G: this saves a fifteenth of the time */
        path->term[TTL_VIEW].XG = path->term[TTL_BRIDGE].XG;
        path->term[TTL_VIEW].GG = path->term[TTL_BRIDGE].GG;
    }
}

/* What the steps write. */
static void ttl_layout_scratch(mtc_stack *tmp, ttl_job *j)
{
    size_t c = j->c, m = MTC_MAX(j->m[TTL_HAT], j->m[TTL_TILDE]);
    size_t p = MTC_MAX(j->r.common, j->r.own);
    size_t n = MTC_MAX(j->domain[TTL_BRIDGE].X.n, j->r.n);
    size_t update = MTC_MAX(m, mtc_mul(MTC_MAX(n, p), c));
    size_t work = mtc_gemm_work(p, c, m);
    MTC_REALS(tmp, mtc_mul(m, c), &j->sum_XG, &j->sum_NG, &j->tall);
    MTC_REALS(tmp, update, &j->up, &j->down);
    MTC_REALS(tmp, mtc_mul(c, c), &j->sum_CC);
    MTC_SIZES(tmp, c, &j->count);
    for (size_t at = 0; at < TTL_DOMAINS; at++)
        work = MTC_MAX(work, mtc_data_work(&j->domain[at].X, NULL, c));
    j->work = mtc_take(tmp, work, 1);
    j->in = client_take(tmp, &j->ask, 1);
}

static void ttl_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    ttl_job *j = (ttl_job *)job;
    mtc_ttl_result *r = &j->r;
    const ttl_domain *bridge = &j->domain[TTL_BRIDGE];
    for (size_t at = 0; at < TTL_DOMAINS; at++) {
        ttl_domain *d = &j->domain[at];
        stack_layout(tmp, d->sets, d->count, &d->X);
        d->y = at == TTL_VIEW ? bridge->y : MTC_TAKE(own, d->X.n, int);
        d->G = at == TTL_VIEW ? bridge->G
                              : MTC_TAKE(own, mtc_mul(d->X.n, j->c), mtc_real);
    }
    r->bridge_labels = MTC_TAKE(own, j->bridges, int *);
    r->bridge = MTC_TAKE(own, j->bridges, mtc_real *);
    r->factors = MTC_TAKE(own, j->bridges, mtc_ttl_factors);
    MTC_SIZES(own, mtc_mul(TTL_LEGS, j->bridges), &r->shared);
    MTC_REALS(own, mtc_add(j->o->iterations, 1), &r->objective);
    MTC_REALS(own, mtc_mul(r->d, j->c), &r->center);
    MTC_REALS(own, mtc_mul(j->c, j->c), &r->gram);
    MTC_REALS(own, r->d, &r->weights);
    MTC_REALS(tmp, j->m[TTL_HAT], &j->weight[TTL_HAT]);
    j->weight[TTL_TILDE] = r->weights;
    j->path = MTC_TAKE(tmp, j->bridges, ttl_path);
    for (size_t b = 0; b < j->bridges; b++) {
        ttl_path measured;
        ttl_layout_path(own, tmp, j, j->path != NULL ? &j->path[b] : &measured);
    }
    ttl_layout_scratch(tmp, j);
}

/* ---- data -------------------------------------------------------------- */

/* Deviation: weights of the features of a leg.  If n_e of N samples have
 * feature e, in all domains that may have it,
 *   idf_e = ln((1 + N) / (1 + n_e)) / ln(1 + N)
 * which is in 0..1, so that no value overflows; or all are 1.  If all samples
 * have all features, idf would leave nothing: it is refused. */
static mtc_status ttl_weigh(mtc_context *ctx, const ttl_job *j, size_t leg)
{
    int idf = j->o->feature_weights == MTC_TTL_WEIGHTS_IDF;
    size_t N = 0, m = j->m[leg];
    mtc_real *w = j->weight[leg];
    double filled = 0, left = 0;  /* values above 0; the sum of their weights */
    MTC_ZERO(w, m);
    for (size_t at = 0; at < TTL_DOMAINS; at++) {
        const ttl_domain *d = &j->domain[at];
        if (j->apart ? ttl_leg(at) != leg : at == TTL_VIEW)
            continue;  /* other features; the bridges again */
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
 * scaled to sum or length 1.  A zero row stays.  Values are first divided by
 * the largest of their row: no square overflows or vanishes. */
static void ttl_copy(const mtc_data *sets, size_t n_sets, mtc_ttl_rows how,
    const mtc_real *weight, mtc_data *X)
{
    mtc_real *values = (mtc_real *)X->values;
    int by_sum = how == MTC_TTL_ROWS_SUM;
    stack_fill(sets, n_sets, X);
    for (size_t i = 0; i < X->n; i++) {
        size_t begin = row_begin(X, i), end = row_end(X, i);
        mtc_real most = 0, norm = 0;
        for (size_t e = begin; e < end; e++) {
            values[e] *= weight[entry_column(X, begin, e)];
            most = MTC_MAX(values[e], most);
        }
        if (how == MTC_TTL_ROWS_AS_GIVEN || !(most > 0))
            continue;
        for (size_t e = begin; e < end; e++) {
            values[e] /= most;
            norm += by_sum ? values[e] : values[e] * values[e];
        }
        norm = by_sum ? norm : MTC_SQRT(norm);
        for (size_t e = begin; e < end; e++)
            values[e] /= norm;
    }
}

/* Makes a term of (7): rows of a domain, all or bridge b's, and their G. */
static void ttl_connect_term(const ttl_job *j, size_t b, size_t at)
{
    const ttl_domain *d = &j->domain[at];
    int all = at == TTL_SOURCE || at == TTL_TARGET;
    size_t first = all ? 0 : count_samples(d->sets, b);
    ttl_term *t = &j->path[b].term[at];
    t->G = d->G + first * j->c;
    t->X = row_slice(&d->X, first, all ? d->X.n : d->sets[b].n);
    t->square = squared_norm(&t->X);
    MTC_ZERO(t->used, t->X.d);
    count_having(&t->X, t->used);
    for (size_t e = 0; e < t->X.d; e++)
        t->used[e] = t->used[e] > 0;
}

/* Copies the data and makes all terms.  Domains of a leg that share no feature
 * are refused, unless one of them is all zeros. */
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
    }
    for (size_t b = 0; b < j->bridges; b++)
        for (size_t leg = 0; leg < TTL_LEGS; leg++) {
            const ttl_term *near = &j->path[b].term[ttl_near(leg)];
            const ttl_term *far = &j->path[b].term[ttl_far(leg)];
            ttl_connect_term(j, b, ttl_near(leg));
            ttl_connect_term(j, b, ttl_far(leg));
            mtc_real both = mtc_dot(j->m[leg], near->used, far->used);
            j->r.shared[TTL_LEGS * b + leg] = (size_t)both;
            if (both == 0 && near->square > 0 && far->square > 0)
                return mtc_fail(ctx, MTC_INVALID, message[leg],
                                j->domain[TTL_BRIDGE].task + b, MTC_NONE,
                                MTC_NONE);
        }
    return MTC_OK;
}

/* ---- step 4, with which all others end: sums of 1, and the products ------ */

static void ttl_renew_C(size_t c, ttl_path *path, size_t at)
{
    const ttl_factor *factor = path->factor[ttl_leg(at)];
    const ttl_factor *shared = &factor[TTL_SHARED];
    const ttl_factor *own = &factor[TTL_OWN_NEAR + at % 2];  /* near or far */
    for (size_t e = 0; e < shared->m * c; e++)
        path->term[at].C[e] = shared->FA[e] + own->FA[e];
}

static void ttl_renew_CC(size_t c, const ttl_term *t)
{
    mtc_syrk(0, c, t->X.d, 1, t->C, t->X.d, 0, t->CC, c, NULL);
}

static void ttl_renew_XG(const ttl_job *j, const ttl_term *t)
{
    size_t c = j->c;
    mtc_data_transpose_times(&t->X, c, t->G, c, j->tall, c, j->work);
    transpose(t->X.d, c, j->tall, t->XG);
    mtc_syrk(1, c, t->X.n, 1, t->G, c, 0, t->GG, c, NULL);
}

/* Scales a row of G to sum 1 [TSZX15] (10), (13).  A row of zeros becomes 1/c,
 * one whose label is known (not -1) that label: all rows of G_s. */
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

/* Step 4 for G of a domain; XG, GG follow.  Every change of a G ends here. */
static void ttl_normalize_G(const ttl_job *j, size_t at)
{
    const ttl_domain *d = &j->domain[at];
    mtc_real *g = d->G;
    for (size_t s = 0; s < d->count; s++) {
        const int *known = d->known != NULL ? d->known[s] : NULL;
        for (size_t i = 0; i < d->sets[s].n; i++, g += j->c)
            ttl_normalize_row(j->c, known != NULL ? known[i] : -1, g);
    }
    for (size_t b = 0; b < j->bridges; b++) {
        ttl_renew_XG(j, &j->path[b].term[at]);
        if (at == TTL_BRIDGE && j->apart)
            ttl_renew_XG(j, &j->path[b].term[TTL_VIEW]);
    }
}

/* Scales columns of F to sum 1 [TSZX15] (10), (13); one so small that 1/sum
 * overflows stays.  Deviation: A takes up the scale, so that F A stays. */
static void ttl_normalize_F(size_t c, ttl_factor *f)
{
    for (size_t k = 0; k < f->p; k++) {
        mtc_real *F = f->F + k * f->m, sum = 0;
        for (size_t e = 0; e < f->m; e++)
            sum += F[e];
        if (!MTC_FINITE(1 / sum))
            continue;
        for (size_t e = 0; e < f->m; e++)
            F[e] *= 1 / sum;
        for (size_t z = 0; z < c; z++)
            f->A[k * c + z] *= sum;
    }
}

/* ---- step 1: start ----------------------------------------------------- */

/* Reads off the labels that G stands for. */
static void ttl_read_labels(size_t c, const ttl_domain *d)
{
    for (size_t i = 0; i < d->X.n; i++)
        d->y[i] = (int)argmax(c, d->G + i * c);
}

/* Learns G of the far domain of a leg from the labels of the near one, on the
 * features that the end of the path uses: the source in leg HAT, the target in
 * leg TILDE.  It stays soft: where all samples are called one class, their
 * order may still be right.  The second time, G becomes the geometric mean of
 * the old G and the new answer. */
static mtc_status ttl_teach(mtc_context *ctx, ttl_job *j, size_t leg, int again)
{
    const ttl_domain *near = &j->domain[ttl_near(leg)];
    const ttl_domain *far = &j->domain[ttl_far(leg)];
    client *in = j->in;
    mtc_data X, Y;  /* near, far */
    mtc_logistic_result fit;
    mtc_logistic_options o = mtc_logistic_defaults();
    o.classes = j->c;
    client_begin(in, ctx, MTC_NONE);
    stack_layout(&in->stack, near->sets, near->count, &X);
    stack_layout(&in->stack, far->sets, far->count, &Y);
    size_t answers = mtc_mul(Y.n, j->c);
    mtc_real *answer = MTC_TAKE(&in->stack, answers, mtc_real);
    if (!client_is_measuring(in)) {
        size_t end = leg == TTL_HAT ? TTL_SOURCE : TTL_TARGET;
        const mtc_real *used = j->path[0].term[end].used;
        ttl_copy(&near->X, 1, MTC_TTL_ROWS_LENGTH, used, &X);
        ttl_copy(&far->X, 1, MTC_TTL_ROWS_LENGTH, used, &Y);
        ttl_read_labels(j->c, near);
    }
    MTC_TRY(client_call(in, 0, mtc_logistic, &X, near->y, &o, &fit));
    if (client_is_measuring(in))
        return MTC_OK;
    MTC_TRY(mtc_logistic_assign(ctx, &Y, &fit, NULL, answer));
    for (size_t i = 0; i < answers; i++) {
        mtc_real soft = answer[i] + TTL_FLOOR / (mtc_real)j->c;
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

/* Step 1 for G of the far domain of a leg.  A given start wins over a learned
 * one, and that over a random one, both without classes that nobody knows: a 0
 * stays 0.  Numbers are drawn in any case, so that those of leg TILDE do not
 * depend on the start of leg HAT. */
static mtc_status ttl_start_G(mtc_context *ctx, ttl_job *j, size_t leg,
    mtc_random *rng)
{
    const ttl_domain *far = &j->domain[ttl_far(leg)];
    const int *labels = leg == TTL_TILDE ? j->o->start_labels : NULL;
    size_t c = j->c;
    mtc_real *g = far->G;
    for (size_t i = 0; i < far->X.n * c; i++)
        g[i] = mtc_random_real(rng) + TTL_FLOOR;
    if (j->learns[leg])
        MTC_TRY(ttl_teach(ctx, j, leg, 0));
    for (size_t i = 0; i < far->X.n * c; i++)
        g[i] = j->count[i % c] > 0 ? g[i] : 0;
    if (far->start != NULL) {
        for (size_t s = 0; s < far->count; g += far->sets[s++].n * c)
            MTC_COPY(g, far->start[s], far->sets[s].n * c);
    } else if (labels != NULL) {
        for (size_t i = 0; i < far->X.n; i++)
            for (size_t z = 0; z < c; z++)  /* no known one is out of reach */
                g[i * c + z] = (j->count[z] > 0 ? (mtc_real)0.2 : 0) +
                               (mtc_real)(labels[i] == (int)z);
    }
    ttl_normalize_G(j, ttl_far(leg));
    return MTC_OK;
}

/* Step 1 for F and A of one leg, which are the caller's, or random. */
static void ttl_start_leg(const ttl_job *j, size_t b, size_t leg,
    mtc_random *rng)
{
    const mtc_ttl_factors *given = j->o->start_factors;
    ttl_path *path = &j->path[b];
    size_t c = j->c, m = j->m[leg];
    for (size_t i = 0; i < TTL_FACTORS; i++) {
        ttl_factor *f = &path->factor[leg][i];
        size_t p = f->p;
        if (given != NULL) {
            transpose(m, p, given[b].F[leg][i], f->F);
            MTC_COPY(f->A, given[b].A[leg][i], p * c);
        } else {
            for (size_t e = 0; e < m; e++)
                for (size_t k = 0; k < p; k++)
                    f->F[k * m + e] = mtc_random_real(rng) + TTL_FLOOR;
            MTC_ZERO(f->A, p * c);  /* ttl_normalize_F scales it: no garbage */
            ttl_normalize_F(c, f);
            for (size_t z = 0; z < p * c; z++)
                f->A[z] = mtc_random_real(rng) + TTL_FLOOR;
        }
        mtc_gemm(1, 0, c, m, p, 1, f->A, c, f->F, m, 0, f->FA, m, NULL);
    }
    for (size_t at = ttl_near(leg); at <= ttl_far(leg); at++) {
        ttl_renew_C(c, path, at);
        ttl_renew_CC(c, &path->term[at]);
    }
}

/* ---- steps 2 and 3: factors, then classes ------------------------------
 * Lemma 1 without the Lagrangians of [TSZX15] (11), (14)-(16): for one block x,
 * all others held, half of (7) is q(x) = x'Qx/2 + (v - u)'x + constant, where
 * Q, u and v have no negative entry.  u is the numerator of (9), (12), Q x + v
 * the denominator; v comes from the other factors in N.  Then x u / (Q x + v)
 * by entries does not raise q (Lee & Seung 2001). */

/* x [n] *= up / down, the form of every update.  A ratio over 0 counts
 * as 0, one above 1/eps as 1/eps.  Dividing before choosing vectorizes. */
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

/* Step 2 for one leg, in the order of [TSZX15] (9), (12): F1 and F2 of both
 * domains, then A1 and A2.  Each has sums over the terms that have it, and uses
 * the C that the last one left. */
static void ttl_update_leg(const ttl_job *j, ttl_path *path, size_t leg)
{
    size_t c = j->c, m = j->m[leg];
    for (size_t step = 0; step < 2 * TTL_FACTORS; step++) {
        size_t i = step % TTL_FACTORS;
        size_t first = i == TTL_OWN_FAR ? ttl_far(leg) : ttl_near(leg);
        size_t last = i == TTL_SHARED ? ttl_far(leg) : first;
        ttl_factor *f = &path->factor[leg][i];
        MTC_ZERO(j->sum_XG, m * c);
        MTC_ZERO(j->sum_NG, m * c);
        for (size_t at = first; at <= last; at++) {
            const ttl_term *t = &path->term[at];
            mtc_axpy(m * c, 1, t->XG, j->sum_XG);
            mtc_gemm(0, 0, c, m, c, 1, t->GG, c, t->C, m, 1, j->sum_NG, m,
                     NULL);
        }
        if (step < TTL_FACTORS)
            ttl_update_F(j, f);
        else
            ttl_update_A(j, f);
        mtc_gemm(1, 0, c, m, f->p, 1, f->A, c, f->F, m, 0, f->FA, m, NULL);
        for (size_t at = first; at <= last; at++)
            ttl_renew_C(c, path, at);
    }
    ttl_renew_CC(c, &path->term[ttl_near(leg)]);
    ttl_renew_CC(c, &path->term[ttl_far(leg)]);
}

/* tall [m*c] += C,  sum_CC += C'C  of a term, for the update of its G. */
static void ttl_add_term(const ttl_job *j, const ttl_term *t)
{
    size_t c = j->c, m = t->X.d;
    for (size_t e = 0; e < m; e++)
        for (size_t z = 0; z < c; z++)
            j->tall[e * c + z] += t->C[z * m + e];
    mtc_axpy(c * c, 1, t->CC, j->sum_CC);
}

/* tall, sum_CC = the sums over the terms of the target, one for each bridge. */
static void ttl_sum_target(const ttl_job *j)
{
    MTC_ZERO(j->tall, j->m[TTL_TILDE] * j->c);
    MTC_ZERO(j->sum_CC, j->c * j->c);
    for (size_t b = 0; b < j->bridges; b++)
        ttl_add_term(j, &j->path[b].term[TTL_TARGET]);
}

/* G *= up / (G sum_CC), once up = X C is there. */
static void ttl_multiply_G(const ttl_job *j, const ttl_term *t)
{
    size_t c = j->c, n = t->X.n;
    mtc_gemm(0, 0, n, c, c, 1, t->G, c, j->sum_CC, c, 0, j->down, c, NULL);
    ttl_multiply(n * c, j->up, j->down, t->G);
}

/* Steps 3 and 4 for G_t, the last line of [TSZX15] (9). */
static void ttl_update_target(const ttl_job *j)
{
    const ttl_term *t = &j->path[0].term[TTL_TARGET];
    ttl_sum_target(j);
    mtc_data_times(&t->X, j->c, j->tall, j->c, j->up, j->c, j->work);
    ttl_multiply_G(j, t);
    ttl_normalize_G(j, TTL_TARGET);
}

/* Steps 3 and 4 for every G_I, the last line of [TSZX15] (12), or the part of
 * leg HAT if leg TILDE is held.  If both have the same X, the sum of their C
 * takes one product. */
static void ttl_update_bridges(const ttl_job *j, int both)
{
    size_t c = j->c;
    for (size_t b = 0; b < j->bridges; b++) {
        const ttl_term *bridge = &j->path[b].term[TTL_BRIDGE];
        const ttl_term *view = &j->path[b].term[TTL_VIEW];
        MTC_ZERO(j->tall, bridge->X.d * c);
        MTC_ZERO(j->sum_CC, c * c);
        ttl_add_term(j, bridge);
        if (both && !j->apart)
            ttl_add_term(j, view);
        mtc_data_times(&bridge->X, c, j->tall, c, j->up, c, j->work);
        if (both && j->apart) {
            MTC_ZERO(j->tall, view->X.d * c);
            ttl_add_term(j, view);
            mtc_data_times(&view->X, c, j->tall, c, j->down, c, j->work);
            mtc_axpy(view->X.n * c, 1, j->down, j->up);
        }
        ttl_multiply_G(j, bridge);
    }
    ttl_normalize_G(j, TTL_BRIDGE);
}

/* ---- the run: in a phase some legs move, the others are held ------------ */

/* The part of [TSZX15] (7) of legs first..last, without forming a residual:
 *   |X - G C'|^2 = |X|^2 - 2 <C, X'G> + <C'C, G'G>
 * What rounding leaves below 0 is 0. */
static mtc_real ttl_objective(const ttl_job *j, size_t first, size_t last)
{
    size_t c = j->c;
    mtc_real sum = 0;
    for (size_t b = 0; b < j->bridges; b++)
        for (size_t at = ttl_near(first); at <= ttl_far(last); at++) {
            const ttl_term *t = &j->path[b].term[at];
            mtc_real f = t->square - 2 * mtc_dot(t->X.d * c, t->C, t->XG) +
                         mtc_dot(c * c, t->CC, t->GG);
            sum += f < 0 ? 0 : f;
        }
    return sum;
}

/* Algorithm 1 on legs first..last.  It ends early once their part of (7) falls
 * no more; a run converges if all its phases do.  ttl_finish scales F, once. */
static mtc_status ttl_run_phase(mtc_context *ctx, ttl_job *j, size_t first,
    size_t last, size_t iterations)
{
    mtc_ttl_result *r = &j->r;
    mtc_real tolerance = j->o->tolerance, before = 0;
    int still = 0;
    for (size_t k = 0; k < iterations && !still; k++) {
        MTC_TRY(mtc_tick(ctx, "ttl", r->iterations, j->o->iterations));
        for (size_t b = 0; b < j->bridges; b++)
            for (size_t leg = first; leg <= last; leg++)
                ttl_update_leg(j, &j->path[b], leg);
        if (first == TTL_HAT)
            ttl_update_bridges(j, last == TTL_TILDE);
        if (last == TTL_TILDE)
            ttl_update_target(j);
        r->iterations++;
        r->objective[r->iterations] = ttl_objective(j, TTL_HAT, TTL_TILDE);
        if (tolerance > 0) {
            mtc_real f = ttl_objective(j, first, last);
            still = k > 0 && before - f <= tolerance * before;
            before = f;
        }
    }
    r->converged &= still;
    return MTC_FINITE(r->objective[r->iterations])
               ? MTC_OK : MTC_DOMAIN;  /* overflow */
}

static mtc_status ttl_start(mtc_context *ctx, ttl_job *j)
{
    mtc_random of_F = mtc_stream(ctx, 0), of_G = mtc_stream(ctx, 1);
    ttl_count_known(j);
    ttl_normalize_G(j, TTL_SOURCE);
    for (size_t leg = 0; leg < TTL_LEGS; leg++)
        MTC_TRY(ttl_start_G(ctx, j, leg, &of_G));
    for (size_t b = 0; b < j->bridges; b++)
        for (size_t leg = 0; leg < TTL_LEGS; leg++)
            ttl_start_leg(j, b, leg, &of_F);
    j->r.objective[0] = ttl_objective(j, TTL_HAT, TTL_TILDE);
    return MTC_FINITE(j->r.objective[0]) ? MTC_OK : MTC_DOMAIN;  /* overflow */
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
    r->labels = target->y;
    r->target = target->G;
    r->k_effective = labels_used(r->n, r->labels, c, j->count);
    ttl_sum_target(j);
    MTC_COPY(r->center, j->tall, r->d * c);
    MTC_COPY(r->gram, j->sum_CC, c * c);
    for (size_t b = 0; b < j->bridges; b++) {
        r->bridge[b] = j->path[b].term[TTL_BRIDGE].G;
        r->bridge_labels[b] = bridge->y + count_samples(bridge->sets, b);
        for (size_t leg = 0; leg < TTL_LEGS; leg++)
            for (size_t i = 0; i < TTL_FACTORS; i++) {
                ttl_factor *f = &j->path[b].factor[leg][i];
                ttl_normalize_F(c, f);
                transpose(f->p, f->m, f->F, f->result_F);
                r->factors[b].F[leg][i] = f->result_F;
                r->factors[b].A[leg][i] = f->A;
            }
    }
}

/* Runs algorithm 1, or, as a deviation, leg by leg, with the target learned
 * again in between unless the caller gave its start.  That changes (7). */
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
        if (j->learns[TTL_TILDE])
            MTC_TRY(ttl_teach(ctx, j, TTL_TILDE, 1));
        ttl_normalize_G(j, TTL_TARGET);
        j->r.objective[j->r.iterations] = ttl_objective(j, TTL_HAT, TTL_TILDE);
        MTC_TRY(ttl_run_phase(ctx, j, TTL_TILDE, TTL_TILDE, all - half));
    }
    ttl_finish(j);
    return MTC_OK;
}

mtc_status mtc_ttl(mtc_context *ctx, const mtc_data *sources,
    const int *const *source_labels, size_t n_sources, const mtc_data *bridges,
    const mtc_data *views, size_t n_bridges, const mtc_data *target,
    const mtc_ttl_options *opt, mtc_ttl_result *res)
{
    const mtc_ttl_options usual = mtc_ttl_defaults();
    const mtc_ttl_options *o = opt != NULL ? opt : &usual;
    if (sources == NULL || n_sources == 0 || source_labels == NULL ||
        bridges == NULL || n_bridges == 0 || target == NULL)
        return bad_option(ctx, "need sources, their labels, bridges, a target");
    MTC_TRY(ttl_check_options(ctx, o));
    int informed = o->start == MTC_TTL_START_INFORMED;
    const ttl_domain source = {
        .sets = sources, .count = n_sources, .known = source_labels};
    const ttl_domain bridge = {
        .sets = bridges, .count = n_bridges, .task = n_sources,
        .known = o->bridge_known, .start = o->start_bridge};
    const ttl_domain last = {
        .sets = target, .count = 1, .task = n_sources + n_bridges,
        .known = &o->known,
        .start = o->start_target != NULL ? &o->start_target : NULL};
    ttl_job j = {
        .o = o, .c = o->classes, .bridges = n_bridges, .apart = views != NULL,
        .m = {sources[0].d, views != NULL ? target->d : sources[0].d},
        .domain = {source, bridge, bridge, last},  /* VIEW: it again */
        .learns = {informed && o->start_bridge == NULL,
                   informed && o->start_target == NULL &&
                       o->start_labels == NULL},
        .r = {.bridges = n_bridges, .classes = o->classes, .common = o->common,
              .own = o->features - o->common, .n = target->n, .d = target->d,
              .converged = 1}};
    if (views != NULL)
        j.domain[TTL_VIEW].sets = views;
    MTC_TRY(ttl_check(ctx, &j));
    j.in = &j.ask;
    for (size_t leg = 0; leg < TTL_LEGS; leg++)
        if (j.learns[leg])
            MTC_TRY(ttl_teach(ctx, &j, leg, 0));  /* measures */
    return job_result(ctx, ttl_layout, ttl_work, &j, res);
}

/* A sample x gets the class of the largest g_z, where g >= 0 minimizes the sum
 * of |x - C g|^2 over bridges: step 3 from equal shares.  The scale of x does
 * not matter. */
mtc_status mtc_ttl_assign(mtc_context *ctx, const mtc_data *X,
    const mtc_ttl_result *res, int *labels)
{
    MTC_TRY(mtc_data_positive(ctx, X, MTC_NONE));
    if (res == NULL || X->d != res->d || !is_given(ctx, labels))
        return bad_option(ctx, "need a result of X's width, and labels");
    mtc_block work;
    size_t c = res->classes;
    MTC_TRY(mtc_scratch(ctx, mtc_mul(3 * sizeof(mtc_real), c), &work));
    mtc_real *g = (mtc_real *)work.at, *xc = g + c, *below = xc + c;
    for (size_t i = 0; i < X->n; i++) {
        size_t begin = row_begin(X, i), end = row_end(X, i);
        mtc_real most = MTC_TINY;
        for (size_t e = begin; e < end; e++)
            most = MTC_MAX(X->values[e], most);
        MTC_ZERO(xc, c);  /* C'x */
        for (size_t e = begin; e < end; e++) {
            size_t column = entry_column(X, begin, e);
            mtc_axpy(c, X->values[e] / most * res->weights[column],
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

/* ---- choosing a bridge, section 3 of [TSZX15] --------------------------
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

/* Finds [TSZX15] (1) of the sets and (2) of pairs. */
static mtc_status bridge_find(mtc_context *ctx, client *c, const mtc_data *sets,
    mtc_real *out)
{
    static const size_t pair[3][2] = {{0, 1}, {0, 2}, {1, 2}};
    client_begin(c, ctx, MTC_NONE);
    for (size_t i = 0; i < 3; i++) {
        const mtc_data *X = &sets[pair[i][0]], *Y = &sets[pair[i][1]];
        MTC_TRY(client_call(c, 0, mtc_complexity, &sets[i], BRIDGE_RARE,
                            &out[i]));
        MTC_TRY(client_call(c, 0, mtc_a_distance, X, Y, &out[3 + i]));
    }
    return MTC_OK;
}

mtc_status mtc_bridge_features(mtc_context *ctx, const mtc_data *source,
    const mtc_data *bridge, const mtc_data *target, mtc_real *out)
{
    if (source == NULL || bridge == NULL || target == NULL || out == NULL)
        return bad_option(ctx, "need a source, a bridge, a target, and out");
    const mtc_data sets[3] = {*source, *bridge, *target};
    mtc_real found[MTC_BRIDGE_FEATURES];
    client c = {.task = MTC_NONE};
    mtc_block work;
    MTC_TRY(check_sets(ctx, sets, 3));
    MTC_TRY(bridge_find(ctx, &c, sets, found));  /* measures */
    MTC_TRY(mtc_scratch(ctx, c.stack.peak, &work));
    c.stack = (mtc_stack){(unsigned char *)work.at, 0, 0, work.bytes};
    mtc_status s = bridge_find(ctx, &c, sets, found);
    if (s == MTC_OK)
        memcpy(out, found, sizeof found);
    return mtc_scratch_end(ctx, &work, s);
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

/* Scales n numbers z, q apart, to mean 0 and deviation 1.  Where nothing but
 * rounding deviates, they and the deviation become 0. */
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

/* [TSZX15] (4) with a ridge r is the softmax of two classes with 2r, here on
 * standardized features.  The model has the units of the features themselves:
 * b (x - mean) / deviation. */
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
    MTC_TRY(require(ctx, form == MTC_BRIDGE_LINKS || form == MTC_BRIDGE_LINEAR,
                    "form: need one of MTC_BRIDGE_*"));
    MTC_TRY(require(ctx, ridge > 0 && ridge <= MTC_HUGE && model != NULL,
                    "need ridge > 0, and model"));
    job.o.ridge = 2 * ridge;         /* of the softmax */
    job.o.tolerance = 64 * MTC_EPS;  /* few triples: to full accuracy */
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
 * Chapter 21  EC and TrEC: ensembles in random subspaces, and their transfer
 *
 * EC clusters samples by the vote of L partitions.  Each is found by k-means in
 * a few features that are drawn at random: a run.  TrEC has a source with known
 * classes as well.  There it learns how far the runs can be trusted, as a rule
 * f that says of two samples whether they belong together.  It applies f to the
 * target, whose features may differ, and repairs EC's partition by it:
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
 * EC    1  L runs: draw features, k-means in them
 *       2  the vote of the runs (chapter 4), by the eigenvectors of H
 * TrEC  1  EC's step 1 for the source, both steps for the target
 *       2  H and P: one row, or one pair, when it is asked for
 *       3  f: (P^S_ij, H^S_ij) -> Z^S_ij from pairs of the source  [B19] (1)
 *       4  Z^ = f(P, H) of the pairs of the target
 *       5  move the sample that lowers (2) most to another cluster, until none
 *          does, |Z* - Z^| < qmin, or the moves are used up
 *
 * Step 5 keeps w_ij = 1 - 2 Z^_ij, w_ii = 0, and S_ic = the sum of w_ij over j
 * in cluster c.  A move of i from a to b changes sum_{i<j} (Z*_ij - Z^_ij)^2 by
 * S_ib - S_ia.  No matrix of n x n is stored: rows of w are made again.
 *
 * Deviation: a run has a quarter of the features, or all if they are sparse,
 *   not 3: 3 of 2000 tell nothing.
 * Deviation: by default f is not a classifier but the share of pairs of one
 *   class among those with the same h.  Few pairs are of one class, so that a
 *   classifier says `together` late, or never if classes are many.
 * Deviation: a rule that is not the paper's may make max(40, n/2) moves.
 * Deviation: a classifier learns from at most o.pairs pairs, not from all.
 * Deviation: no move empties a cluster.
 * Reference: [B19]; errata are in examples/experiments/berikov-2019.md.
 *   Silhouettes and the first S take O(L n^2) time, a move O(n (L + k)).  With
 *   P, a pair takes as many steps as the SVM has support vectors, not L.
 * ========================================================================== */

#define EC_STREAM ((uint64_t)1 << 32)  /* of the runs: not the vote's */
#define EC_COLUMNS ((size_t)3)         /* of [B19] */
#define EC_WIDEST ((size_t)1 << 26)    /* the most to draw from, in d steps */
#define TREC_FEW ((size_t)1000)        /* pairs that an SVM fits in no time */
#define TREC_STEPS ((size_t)100000)    /* the least bound on the SVM's steps */
#define TREC_MOVES ((size_t)40)        /* It_max of [B19] */
#define TREC_ROWS ((size_t)256)        /* rows of pairs between two ticks */
/* What a move has to gain: more than the rounding of S. */
#define TREC_FALL MTC_BY_TYPE(1e-9, 1e-4)

/* ---- the runs: step 1 of EC and of TrEC --------------------------------- */

typedef struct ens_job {
    const mtc_data *X;
    mtc_ec_options o;               /* a copy: a source has its own k, runs */
    uint64_t stream;                /* of run 0 */
    int silhouettes;                /* 1: they are wanted */
    mtc_ensemble r;                 /* in the result */
    mtc_real *run_silhouette;       /* [L*n] of each run, if wanted */
    size_t lanes;
    mtc_lane *lane;                 /* [lanes] */
    client ask, *in;                /* [lanes] what a run calls with */
} ens_job;

/* Fixes the sizes.  If the caller does not say, a run has a quarter of the d
 * features, or all if they are sparse.  Partitions without features are of all;
 * k of given ones is the largest.  A run is some iterations of n k columns
 * multiply-adds. */
static ens_job ens_of(const mtc_context *ctx, const mtc_data *X,
    const mtc_ec_options *o)
{
    size_t given = o->partitions != NULL ? o->runs : 0;
    size_t columns = o->columns, k = given > 0 ? 0 : o->clusters, ignored = 0;
    for (size_t r = 0; r < given; r++) {
        size_t found = label_bound(X->n, o->partitions[r]);
        k = MTC_MAX(found, k);
    }
    if (columns == 0)
        columns = is_sparse((double)rows_filled(X, &ignored), X->n, X->d)
                      ? X->d : MTC_MAX(X->d / 4, EC_COLUMNS);
    int whole = columns >= X->d ||
                (o->partitions != NULL && o->features == NULL);
    columns = whole ? X->d : columns;
    return (ens_job){
        .X = X, .o = *o, .stream = EC_STREAM,
        .lanes = mtc_lanes(ctx, o->runs, mtc_mul(mtc_mul(X->n, k), columns)),
        .r = {.n = X->n, .d = X->d, .runs = o->runs, .clusters = k,
              .columns = columns}};
}

/* Checks k and what is given.  Failures name task and place. */
static mtc_status ens_check(mtc_context *ctx, const ens_job *j, size_t task)
{
    const mtc_ec_options *o = &j->o;
    size_t n = j->r.n, d = j->r.d, columns = j->r.columns;
    size_t given = o->features != NULL ? o->runs : 0;
    MTC_TRY(check_clusters(ctx, o->clusters, n, task));
    MTC_TRY(check_start(ctx, o->start_labels, n, o->clusters, task));
    if (o->features == NULL && columns < d && d > EC_WIDEST)
        return mtc_fail(ctx, MTC_TOO_BIG, "too many features to draw from",
                        task, MTC_NONE, MTC_NONE);
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

static void ens_layout(mtc_stack *own, mtc_stack *tmp, ens_job *j)
{
    size_t n = j->r.n, L = j->r.runs, columns = j->r.columns;
    size_t clusters = mtc_mul(L, j->r.clusters);
    j->lane = MTC_TAKE(tmp, j->lanes, mtc_lane);
    j->in = client_take(tmp, &j->ask, j->lanes);
    j->r.partitions = MTC_TAKE(own, mtc_mul(L, n), int);
    if (columns < j->r.d)
        MTC_SIZES(own, mtc_mul(L, columns), &j->r.features);
    MTC_SIZES(own, clusters, &j->r.sizes);
    MTC_REALS(own, mtc_mul(clusters, columns), &j->r.centers);
    if (!j->silhouettes)
        return;
    MTC_REALS(own, n, &j->r.silhouette);
    MTC_REALS(tmp, mtc_mul(L, n), &j->run_silhouette);
}

/* row [columns] = sample i in the features of run r. */
static void ens_row(const mtc_ensemble *e, const mtc_data *X, size_t i,
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
static void ens_subspace(const mtc_context *ctx, ens_job *j, size_t r,
    mtc_real *Y)
{
    size_t columns = j->r.columns, d = j->r.d, drawn = 0;
    size_t *f = j->r.features + r * columns;
    mtc_random rng = mtc_stream(ctx, j->stream + r);
    mtc_random_bits(&rng);  /* client_open draws it */
    if (j->o.features != NULL) {
        MTC_COPY(f, j->o.features + r * columns, columns);
        drawn = columns;
    }
    for (size_t a = 0; drawn < columns; a++)
        if (is_drawn(&rng, d - a, columns - drawn))
            f[drawn++] = a;
    for (size_t i = 0; i < j->r.n; i++)
        ens_row(&j->r, j->X, i, r, Y + i * columns);
}

/* Makes run r, with the sizes and means of its clusters and its silhouettes.
 * In all d features it copies nothing: its view is X itself, sparse if X is. */
static mtc_status ens_run(mtc_context *ctx, void *job, size_t r, size_t lane)
{
    ens_job *j = (ens_job *)job;
    client *c = &j->in[lane];
    size_t n = j->r.n, k = j->r.clusters, columns = j->r.columns;
    int whole = columns == j->r.d, *labels = NULL;
    mtc_real *silhouette = NULL;
    mtc_kmeans_options o = {.clusters = k, .restarts = 1,
                            .iterations = j->o.iterations};
    client_begin(c, ctx, MTC_NONE);
    mtc_real *share = MTC_TAKE(&c->stack, k, mtc_real);
    mtc_real *Y = MTC_TAKE(&c->stack, whole ? 0 : mtc_mul(n, columns),
                           mtc_real);
    mtc_data view = whole ? *j->X : mtc_dense(n, columns, Y);
    if (!client_is_measuring(c)) {
        MTC_TRY(mtc_tick(ctx, "ensemble", r, j->r.runs));
        labels = j->r.partitions + r * n;
        if (j->silhouettes)
            silhouette = j->run_silhouette + r * n;
        if (j->o.partitions != NULL)
            MTC_COPY(labels, j->o.partitions[r], n);
        if (!whole)
            ens_subspace(ctx, j, r, Y);
    }
    if (j->o.partitions == NULL)
        MTC_TRY(call_kmeans(c, j->stream + r, &view, &o, labels, NULL));
    if (j->silhouettes)
        MTC_TRY(client_call(c, 0, mtc_silhouette, &view, labels, k, silhouette,
                            NULL));
    if (client_is_measuring(c))
        return MTC_OK;
    labels_used(n, labels, k, j->r.sizes + r * k);
    cluster_means(&view, labels, k, NULL, columns,
                  j->r.centers + r * k * columns, share);
    return MTC_OK;
}

/* Makes all runs, and finds Sil, the mean silhouette over them. */
static mtc_status ens_work(mtc_context *ctx, ens_job *j)
{
    mtc_ensemble *e = &j->r;
    size_t n = e->n, L = e->runs;
    MTC_TRY(mtc_share(ctx, j->lanes, j->lane, L, ens_run, j));
    if (!j->silhouettes)
        return MTC_OK;
    MTC_ZERO(e->silhouette, n);
    for (size_t r = 0; r < L; r++)
        for (size_t i = 0; i < n; i++)
            e->silhouette[i] += j->run_silhouette[r * n + i] / (mtc_real)L;
    return MTC_OK;
}

/* ---- EC ----------------------------------------------------------------- */

typedef struct ec_job {
    ens_job ens;
    mtc_vote_options vote_options;
    vote_job vote;
    const int **runs;   /* [L] partitions of the ensemble */
    size_t *members;    /* [k] samples of each final cluster */
    mtc_ec_result r;
} ec_job;

mtc_ec_options mtc_ec_defaults(void)
{
    return (mtc_ec_options){.clusters = 2, .runs = 10,
                            .iterations = 300, .restarts = 10};
}

static mtc_status ec_check(mtc_context *ctx, const mtc_ec_options *o)
{
    MTC_TRY(require(ctx, o->runs > 0 && o->runs <= INT_MAX,
                    "runs: need 1..INT_MAX"));
    return require(ctx, o->restarts > 0, need_restarts);
}

static ec_job ec_of(const mtc_context *ctx, const mtc_data *X,
    const mtc_ec_options *o)
{
    ec_job j = {.ens = ens_of(ctx, X, o),
                .vote_options.clusters = o->clusters};
    j.vote = (vote_job){.n = X->n, .m = o->runs,
                        .most = mtc_mul(o->runs, j.ens.r.clusters)};
    j.vote.embed = embed_of(ctx, X->n, o->clusters, o->restarts,
                            o->start_labels);
    return j;
}

static void ec_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    ec_job *j = (ec_job *)job;
    size_t k = j->vote_options.clusters;
    j->runs = MTC_TAKE(tmp, j->vote.m, const int *);
    MTC_SIZES(tmp, k, &j->members);
    MTC_REALS(own, mtc_mul(j->vote.most, k), &j->r.support);
    j->vote.runs = j->runs;
    j->vote.o = &j->vote_options;  /* into the job: it may not move now */
    ens_layout(own, tmp, &j->ens);
    vote_layout(own, tmp, &j->vote);
}

/* Makes the model of assign, for any final labels (TrEC's come later):
 *   support_az = |a and z| / (|z| L),  a a run's cluster, z a final one. */
static void ec_model(ec_job *j)
{
    mtc_vote_result *v = &j->vote.r;
    const mtc_ensemble *e = &j->ens.r;
    size_t n = e->n, k = v->clusters;
    size_t rows = e->runs * e->clusters;
    mtc_real *support = j->r.support, L = (mtc_real)e->runs;
    MTC_ZERO(support, rows * k);
    v->k_effective = labels_used(n, v->labels, k, j->members);
    vote_stability(&j->vote, v->labels);
    for (size_t r = 0; r < e->runs; r++)
        for (size_t i = 0; i < n; i++) {
            size_t a = r * e->clusters + (size_t)e->partitions[r * n + i];
            size_t z = (size_t)v->labels[i];
            support[a * k + z] += 1;
        }
    for (size_t az = 0; az < rows * k; az++)
        if (support[az] > 0)  /* one division: equal shares are equal */
            support[az] /= (mtc_real)j->members[az % k] * L;
    j->r.labels = v->labels;
    j->r.ensemble = *e;
    j->r.vote = *v;
}

static mtc_status ec_work(mtc_context *ctx, void *job)
{
    ec_job *j = (ec_job *)job;
    MTC_TRY(ens_work(ctx, &j->ens));  /* step 1 */
    for (size_t r = 0; r < j->ens.o.runs; r++)
        j->runs[r] = j->ens.r.partitions + r * j->ens.r.n;
    MTC_TRY(vote_work(ctx, &j->vote));  /* step 2 */
    ec_model(j);
    return MTC_OK;
}

mtc_status mtc_ec(mtc_context *ctx, const mtc_data *X,
    const mtc_ec_options *opt, mtc_ec_result *res)
{
    const mtc_ec_options usual = mtc_ec_defaults();
    const mtc_ec_options *o = opt != NULL ? opt : &usual;
    MTC_TRY(mtc_data_check(ctx, X, MTC_NONE));
    MTC_TRY(ec_check(ctx, o));  /* before runs are read */
    ec_job j = ec_of(ctx, X, o);
    MTC_TRY(ens_check(ctx, &j.ens, MTC_NONE));
    j.ens.in = &j.ens.ask;
    MTC_TRY(ens_run(ctx, &j.ens, 0, 0));  /* measures */
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
 * run: the mean of H between the sample and the members of z.  The sums of two
 * that tie differ by rounding. */
mtc_status mtc_ec_assign(mtc_context *ctx, const mtc_data *X,
    const mtc_ec_result *res, int *labels)
{
    mtc_block work;
    MTC_TRY(mtc_data_sound(ctx, X, MTC_NONE));
    if (res == NULL || X->d != res->ensemble.d || !is_given(ctx, labels))
        return bad_option(ctx, "need a result of X's width, and labels");
    const mtc_ensemble *e = &res->ensemble;
    size_t k = res->vote.clusters;
    MTC_TRY(mtc_scratch(ctx, mtc_mul(mtc_add(e->columns, k), sizeof(mtc_real)),
                        &work));
    mtc_real *row = (mtc_real *)work.at, *score = row + e->columns;
    for (size_t i = 0; i < X->n; i++) {
        MTC_ZERO(score, k);
        for (size_t r = 0; r < e->runs; r++) {
            ens_row(e, X, i, r, row);
            mtc_axpy(k, 1, res->support + ec_nearest(e, r, row) * k, score);
        }
        labels[i] = 0;
        for (size_t z = 1; z < k; z++)
            if (score[z] - score[labels[i]] > (mtc_real)e->runs * MTC_EPS)
                labels[i] = (int)z;
    }
    return mtc_scratch_end(ctx, &work, MTC_OK);
}

/* ---- TrEC: options and memory ------------------------------------------- */

typedef struct trec_job {
    const int *source_labels;
    const mtc_trec_options *o;
    int learns;                 /* 1: f is a classifier, ... */
    int sees_P;                 /* ... and, if 1, of P and H, else of H */
    size_t moves;               /* bound on them */
    mtc_trec_result r;
    ens_job source;             /* its runs */
    ec_job target;              /* its runs, and their vote */
    int *hits;                  /* [larger n] h of one sample and others */

    /* step 3 by counting */
    double *pairs, *together;   /* [L+1] pairs of the source at h, and those of
                                   one class: beyond a float */
    size_t *length;             /* [L+1] lent to mtc_monotone */

    /* step 3 by a classifier */
    client ask, *in;            /* what it is called with */
    mtc_real *points;           /* [pairs*2] (P, H), or [pairs] H: x_i of f */
    mtc_svm_result svm;         /* f, or: */
    mtc_logistic_result line;

    /* step 5 */
    mtc_real *w, *S;            /* [n] a row of w; [n*k] */
    size_t *size;               /* [k] members of each cluster */
} trec_job;

mtc_trec_options mtc_trec_defaults(void)
{
    return (mtc_trec_options){
        .ec = mtc_ec_defaults(),
        .gamma = (mtc_real)0.03125,  /* 1 / (2 sigma^2), sigma = 4 [B19] */
        .cost = 10, .qmin = 5,       /* C and Q_min of [B19] */
        .threshold = (mtc_real)0.5,
        .pairs = 2000};
}

static mtc_status trec_check(mtc_context *ctx, const mtc_trec_options *o)
{
    MTC_TRY(ec_check(ctx, &o->ec));
    MTC_TRY(require(ctx, (unsigned)o->meta <= MTC_META_THRESHOLD,
                    "meta: need a value of mtc_meta"));
    MTC_TRY(require(ctx, (unsigned)o->classifier <= MTC_CLASSIFIER_LOGISTIC,
                    "classifier: need a value of mtc_classifier"));
    MTC_TRY(require(ctx, o->gamma > 0 && o->gamma <= MTC_HUGE,
                    "gamma: need > 0"));
    MTC_TRY(require(ctx, o->cost > 0 && is_moderate(o->cost),
                    "cost: need above 0"));
    MTC_TRY(require(ctx, in_range(o->qmin, 0, MTC_HUGE),
                    "qmin: need 0 or more"));
    MTC_TRY(require(ctx, MTC_FINITE(o->threshold),
                    "threshold: need a number"));
    return require(ctx, o->pairs > 0, "pairs: need 1 or more");
}

/* What is taken after ec_layout overlaps the scratch of the vote's
 * eigenproblem, which is finished by then. */
static void trec_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    trec_job *j = (trec_job *)job;
    size_t n = j->target.ens.r.n, k = j->o->ec.clusters;
    size_t levels = mtc_add(j->o->ec.runs, 1);  /* h = 0..L */
    j->r.start = MTC_TAKE(own, n, int);
    MTC_SIZES(own, j->moves, &j->r.moved);
    j->r.from = MTC_TAKE(own, j->moves, int);
    j->r.to = MTC_TAKE(own, j->moves, int);
    MTC_REALS(own, mtc_add(j->moves, 1), &j->r.objective);
    MTC_REALS(own, levels, &j->r.same);
    if (j->learns)
        j->in = client_take(tmp, &j->ask, 1);
    ens_layout(own, tmp, &j->source);
    ec_layout(own, tmp, &j->target);
    j->pairs = MTC_TAKE(tmp, levels, double);
    j->together = MTC_TAKE(tmp, levels, double);
    MTC_SIZES(tmp, levels, &j->length);
    j->hits = MTC_TAKE(tmp, MTC_MAX(j->source.r.n, n), int);
    MTC_REALS(tmp, n, &j->w);
    MTC_REALS(tmp, mtc_mul(n, k), &j->S);
    MTC_SIZES(tmp, k, &j->size);
}

/* ---- steps 2 and 3: what is known of a pair, and f, [B19] (1) ------------ */

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
 * one class among the pairs at h, made monotone in h.  One pair of each kind is
 * added, so that none is impossible because it was not seen; none is stored.
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
    mtc_monotone(levels, Z, j->pairs, j->length);
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

/* Draws the pairs of the source that a classifier learns from: x [pairs*dim] is
 * (P^S, H^S) or H^S, same [pairs] is Z^S.  One is drawn from each of as many
 * stretches of the list of all pairs: none comes twice. */
static void trec_draw_pairs(const mtc_context *ctx, const trec_job *j,
    mtc_real *x, int *same)
{
    const mtc_ensemble *e = &j->source.r;
    size_t n = e->n, all = mtc_mul(n, n - 1) / 2, want = j->r.pairs, first = 0;
    mtc_random rng = mtc_stream(ctx, 2 * EC_STREAM);  /* past all runs */
    for (size_t t = 0; t < want; t++) {
        size_t length = all / want + (t < all % want), a, b, h = 0;
        trec_pair(n, first + mtc_random_below(&rng, length), &a, &b);
        first += length;
        for (size_t r = 0; r < e->runs; r++)
            h += e->partitions[r * n + a] == e->partitions[r * n + b];
        if (j->sees_P)
            *x++ = (e->silhouette[a] + e->silhouette[b]) / 2;
        *x++ = (mtc_real)h / (mtc_real)e->runs;
        same[t] = j->source_labels[a] == j->source_labels[b];
    }
}

/* What a classifier says of a pair, 1 or 0: f > 0 at (P, H) or at H = h / L.
 *   SVM       f(x) = sum_i y_i a_i exp(-gamma |x - x_i|^2) + bias
 *   logistic  f(x) = (w_1 - w_0) x + b_1 - b_0
 * For each of n^2 pairs mtc_svm_assign would check the model again. */
static mtc_real trec_says(const trec_job *j, mtc_real P, size_t h)
{
    const mtc_svm_result *svm = &j->svm;
    const mtc_logistic_result *line = &j->line;
    mtc_real H = (mtc_real)h / (mtc_real)j->o->ec.runs;
    mtc_real x[2] = {j->sees_P ? P : H, H}, f = 0;  /* x[0] alone if d = 1 */
    if (j->o->classifier == MTC_CLASSIFIER_LOGISTIC)
        return mtc_dot(line->d, line->W + line->d, x) + line->bias[1] >
               mtc_dot(line->d, line->W, x) + line->bias[0];
    for (size_t i = 0; i < svm->n; i++) {
        mtc_real ya = svm->coefficients[i];
        if (MTC_FABS(ya) > 0)
            f += ya * mtc_exp(-svm->gamma *
                              sq_distance(svm->d, x, j->points + i * svm->d));
    }
    return f + svm->bias[0] > 0;
}

/* f by a classifier, [B19] (1).  Of the SVM only the sign of f is wanted.
 * r.same is what f says at each h; if it sees P, at the mean P of the target,
 * and step 4 asks it about every pair. */
static mtc_status trec_classify(mtc_context *ctx, trec_job *j)
{
    const mtc_ensemble *e = &j->target.ens.r;
    client *c = j->in;
    size_t pairs = j->r.pairs, dim = j->sees_P ? 2 : 1;
    mtc_svm_options o = mtc_svm_defaults();
    o.kernel = MTC_KERNEL_RBF;
    o.gamma = j->o->gamma;
    o.cost = j->o->cost;
    o.iterations = mtc_add(TREC_STEPS, mtc_mul(100, pairs));
    o.tolerance = MTC_BY_TYPE(pairs <= TREC_FEW ? 1e-8 : 1e-4, 1e-3);
    client_begin(c, ctx, MTC_NONE);
    j->points = MTC_TAKE(&c->stack, mtc_mul(pairs, dim), mtc_real);
    int *same = MTC_TAKE(&c->stack, pairs, int);
    mtc_data X = mtc_dense(pairs, dim, j->points);
    if (!client_is_measuring(c))
        trec_draw_pairs(ctx, j, j->points, same);
    if (j->o->classifier == MTC_CLASSIFIER_SVM)
        MTC_TRY(client_call(c, 0, mtc_svm, &X, same, &o, &j->svm));
    else
        MTC_TRY(client_call(c, 0, mtc_logistic, &X, same, NULL, &j->line));
    if (client_is_measuring(c))
        return MTC_OK;
    if (j->o->classifier == MTC_CLASSIFIER_SVM)
        j->r.gap = j->svm.gap[0];
    double mean = 0;
    if (j->sees_P)
        for (size_t i = 0; i < e->n; i++)
            mean += (double)(e->silhouette[i] / (mtc_real)e->n);
    for (size_t h = 0; h <= e->runs; h++)
        j->r.same[h] = trec_says(j, (mtc_real)mean, h);
    return MTC_OK;
}

static mtc_status trec_learn(mtc_context *ctx, trec_job *j)
{
    size_t L = j->o->ec.runs;
    if (j->learns)
        return trec_classify(ctx, j);
    if (j->o->meta != MTC_META_THRESHOLD)
        return trec_probability(ctx, j);
    for (size_t h = 0; h <= L; h++)
        j->r.same[h] = (mtc_real)h / (mtc_real)L >= j->o->threshold;
    return MTC_OK;
}

/* ---- step 4: f of the target's pairs ------------------------------------ */

/* j->w = row i of w = 1 - 2 Z^.  It is computed again each time, in O(n L). */
static void trec_weights(trec_job *j, size_t i)
{
    const mtc_ensemble *e = &j->target.ens.r;
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

/* ---- step 5: repair, [B19] (2) ------------------------------------------- */

/* Finds S_ic for all i and c in O(L n^2), and the cost:
 *   sum_{i<j} (Z* - Z^)^2 = sum_{i<j} Z* w + sum_{i<j} (Z^)^2,
 * as Z*^2 is Z*.  S has each pair twice, and (1 - w)^2 is 4 (Z^)^2. */
static mtc_status trec_scores(mtc_context *ctx, trec_job *j, mtc_real *cost)
{
    size_t n = j->target.ens.r.n, k = j->o->ec.clusters;
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
    size_t n = j->target.ens.r.n, k = j->o->ec.clusters;
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
    size_t n = j->target.ens.r.n, k = j->o->ec.clusters;
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

/* ---- TrEC: the run ------------------------------------------------------ */

/* One array holds EC's labels, or those given in their place, and then the
 * repaired ones, of which the model is made again. */
static mtc_status trec_work(mtc_context *ctx, void *job)
{
    trec_job *j = (trec_job *)job;
    size_t n = j->target.ens.r.n;
    MTC_TRY(ens_work(ctx, &j->source));  /* step 1 */
    MTC_TRY(ec_work(ctx, &j->target));
    MTC_TRY(trec_learn(ctx, j));         /* steps 2 and 3 */
    j->r.labels = j->target.r.labels;
    if (j->o->start_labels != NULL)
        MTC_COPY(j->r.labels, j->o->start_labels, n);
    MTC_COPY(j->r.start, j->r.labels, n);
    MTC_TRY(trec_repair(ctx, j));        /* steps 4 and 5 */
    ec_model(&j->target);
    j->r.source = j->source.r;
    j->r.target = j->target.r;
    return MTC_OK;
}

/* Fixes the sizes and the parts.  One source sample makes no pair: then no
 * classifier is fitted, and counting finds 1/2 at every h. */
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
                  .source = ens_of(ctx, source, &of_source)};
    j.sees_P = all > 0 && o->meta == MTC_META_BOTH;
    j.learns = j.sees_P || (all > 0 && o->meta == MTC_META_COASSOCIATION);
    j.source.silhouettes = j.sees_P;
    j.target.ens.silhouettes = j.sees_P;
    j.source.stream += o->ec.runs;  /* after the target's */
    j.moves = j.learns ? TREC_MOVES : MTC_MAX(n / 2, TREC_MOVES);
    if (o->iterations > 0)
        j.moves = o->iterations;
    j.r.pairs = j.learns ? MTC_MIN(all, o->pairs) : all;
    if (o->meta == MTC_META_THRESHOLD)
        j.r.pairs = 0;
    return j;
}

mtc_status mtc_trec(mtc_context *ctx, const mtc_data *source,
    const int *source_labels, const mtc_data *target,
    const mtc_trec_options *opt, mtc_trec_result *res)
{
    const mtc_trec_options usual = mtc_trec_defaults();
    const mtc_trec_options *o = opt != NULL ? opt : &usual;
    MTC_TRY(mtc_data_check(ctx, source, 0));
    MTC_TRY(mtc_data_check(ctx, target, 1));
    MTC_TRY(trec_check(ctx, o));  /* before runs are read */
    MTC_TRY(check_labels(ctx, source_labels, source->n, (size_t)INT_MAX + 1,
                         0));  /* only which are equal counts */
    MTC_TRY(check_start(ctx, o->start_labels, target->n, o->ec.clusters, 1));
    trec_job j = trec_of(ctx, source, source_labels, target, o);
    MTC_TRY(ens_check(ctx, &j.target.ens, 1));
    MTC_TRY(ens_check(ctx, &j.source, 0));
    j.source.in = &j.source.ask;
    j.target.ens.in = &j.target.ens.ask;
    j.in = &j.ask;
    MTC_TRY(ens_run(ctx, &j.source, 0, 0));      /* measures */
    MTC_TRY(ens_run(ctx, &j.target.ens, 0, 0));  /* measures */
    if (j.learns)
        MTC_TRY(trec_classify(ctx, &j));         /* measures */
    return job_result(ctx, trec_layout, trec_work, &j, res);
}

/* ==========================================================================
 * Chapter 22  How many clusters
 *
 * A task of few rows, or of at most K distinct ones, is answered at once.  Any
 * other has one graph; five terms from it and from Ward's tree score every k,
 * and that is its curve.  All scores together give a belief in every k.
 *
 *   A1  rows of a large task are drawn;  K = min(max, n / 6);  sparse rows to
 *       unit length;  D = squared distances over their largest
 *   A2  r_i, s_i^2 = the 10th and 7th smallest D_ij > 0;  i and j are joined if
 *       D_ij <= max(r_i, r_j), with weight G_ij = exp(-D_ij / (s_i s_j))
 *   A3  1 = lambda_1 >= lambda_2 >= ... and V: eigenpairs of
 *       N^-1/2 (G + I) N^-1/2, N the row sums of G + I
 *   A4  for k = 2..K, from the k clusters of Ward's tree, two partitions:
 *         R = k-means of the rows
 *         E = k-means of U, the first k columns of V with rows of length 1,
 *             usil(k) = its silhouette;  if lambda_k = lambda_k+1 the vectors
 *             are arbitrary: E = R, usil(k) = 0
 *         Z = E if its normalized cut is below .9 of R's and it cuts fewer
 *             edges than R by more than the root of their sum;  else R
 *         mix(k) = mix of R;  cond(k), mixdep(k) = those of Z      (A5)
 *       and for K+1 R and mix alone
 *   A5  a, b: clusters of a partition.
 *       c_i(b) = edges from row i into b;  C_ab = their sum over a;
 *       vol_a = sum_b C_ab.  The largest of all pairs of clusters count:
 *         cond   = C_ab / min(vol_a, vol_b)
 *         mix    = (sum over a of c_i(b)^2 / deg_i + sum over b of
 *                  c_i(a)^2 / deg_i) / (2 C_ab + 5): 5 edges against chance
 *         mixdep = mix exp(-depth), depth = mean log length of the edges from a
 *                  to b less the larger of those within, in [-1, 1]
 *   A6  s(1) = 1.9 + 13.9 min_k mixdep(k) + 6.9 max_k usil(k)
 *              + .7 ln(cond(2) + .01)
 *       s(k) = 9.4 usil(k) + .75 ln((1 - lambda_k+1 + .01) / (1 - lambda_k
 *              + .01)) + 11.5 (lambda_k - lambda_k+1)
 *              + 4.4 (mix(k+1) - mix(k)) + 2 ln(h(k) / h(k+1))
 *       with h(k) the height at which k clusters become k - 1
 *   A7  T tasks with a curve: K is their least, s the mean of theirs, and for
 *       k >= 2 s grows by 30 (1 - 1/T) times the mean of lambda_k - lambda_k+1.
 *       If lambda_K+1 is 1 there are more parts than K, and no k below K is
 *       possible.  p = exp(s) / sum exp(s)
 *
 * In the graph, squared distances below 1e-12 of the largest are 0.  Ward's
 * tree has them as they are: there they only break ties.
 *
 * Where a boundary cuts through one cluster, rows there have about a third of
 * their edges on the other side, whatever the shape and the dimension; between
 * clusters fewer than a fifth.  That is what tells one cluster from several.
 * Reference: none; the rule is our own.  The weights were fitted to 214 data
 * sets, 79 of them from public collections, and tested on 168 others.
 * ========================================================================== */

#define CHOOSE_ROWS ((size_t)500)      /* of a task, at most */
#define CHOOSE_SHARE ((size_t)6)       /* rows for each cluster */
#define CHOOSE_CURVES ((size_t)6)      /* of an answer */
#define CHOOSE_NEAR ((size_t)10)       /* neighbors: r_i */
#define CHOOSE_LOCAL ((size_t)7)       /* s_i */
#define CHOOSE_SMOOTH ((mtc_real)0.01) /* added to what is in a log */
#define CHOOSE_SHORT ((mtc_real)1e-9)  /* lengths, heights, cuts: 0 below */
/* Squared distances below this share of the largest are 0. */
#define CHOOSE_EQUAL MTC_BY_TYPE(1e-12, 1e-10)
/* Squared distances that differ by no more than this share are equal. */
#define CHOOSE_TIE MTC_BY_TYPE(1e-12, 1e-5)
/* Eigengaps below this are 0. */
#define CHOOSE_GAP MTC_BY_TYPE(1e-8, 1e-5)
#define CHOOSE_CHEAP ((mtc_real)0.9)   /* A4: E's share of R's cut */
#define CHOOSE_CHANCE ((mtc_real)5)    /* A5: edges added to those between */
#define CHOOSE_SURE ((mtc_real)0.9)    /* p of a clear answer */
/* choose_ is about the call, curve_ about a task, border_ about a partition. */

mtc_choose_options mtc_choose_defaults(void)
{
    return (mtc_choose_options){.min = 1, .max = 12};
}

typedef struct choose_job {
    const mtc_data *tasks;  /* [r.tasks] */
    const mtc_choose_options *o;
    mtc_choose_result r;    /* p is s, and k is 0, until choose_believe */
    size_t most;            /* the largest K */
    size_t size;            /* numbers in the curves of an answer */
    mtc_real *curves;       /* [(r.tasks+1)*size] the last are common's */
    size_t lanes;
    mtc_lane *lane;         /* [lanes] */
    client ask, *clients;   /* [lanes] */
} choose_job;

/* Answer i, with curves of 0.  They have a number more than is promised: scores
 * look at mix(K + 1). */
static mtc_choice choose_answer(const choose_job *j, size_t i)
{
    mtc_real *p = j->curves + i * j->size;
    size_t n = j->most + 1;
    MTC_ZERO(p, j->size);
    return (mtc_choice){
        .p = p, .gap = p + n, .usil = p + 2 * n, .mix = p + 3 * n,
        .mixdep = p + 4 * n, .height = p + 5 * n};
}

static void choose_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    choose_job *j = (choose_job *)job;
    size_t T = j->r.tasks;
    j->size = CHOOSE_CURVES * (j->most + 1);
    j->r.task = MTC_TAKE(own, T, mtc_choice);
    MTC_REALS(own, mtc_mul(mtc_add(T, 1), j->size), &j->curves);
    j->lane = MTC_TAKE(tmp, j->lanes, mtc_lane);
    j->clients = client_take(tmp, &j->ask, j->lanes);
}

/* ---- A1 to A3: the graph of a task, and its spectrum --------------------- */

typedef struct border_pair {  /* A5: clusters a and b, from a's side */
    mtc_real edges;           /* C_ab */
    mtc_real weight, length;  /* their sum, and the mean of their log length */
    mtc_real mixed;           /* sum of c_i(b)^2 / deg_i over a */
    mtc_real met;             /* scratch: c_i(b) of row i */
} border_pair;

typedef struct curve {
    client *client;
    const mtc_data *X;     /* the task */
    size_t n, K;           /* A1: rows that are looked at; the largest k */
    int few;               /* 1: no curve, for want of rows */
    mtc_data rows;         /* copies of those rows */
    mtc_real most;         /* their largest squared distance */
    mtc_real *D;           /* [n*n] squared distances over that */
    size_t *order;         /* A2: [n] the nearest rows of one */
    mtc_real *radius;      /* [n] r_i */
    mtc_real *scale;       /* [n] s_i */
    mtc_real *G;           /* [n*n] G + I */
    mtc_real *length;      /* [n*n] log length of an edge; HUGE: no edge */
    mtc_real *V, *lambda;  /* A3: [n*(K+2)], [K+2] */
    mtc_ward_result tree;  /* A4: of the rows */
    mtc_real *U;           /* [n*K] */
    int *labels;           /* [n] of R, then of E */
    border_pair *pair;     /* A5: [(K+1)*(K+1)] */
    mtc_real *volume;      /* [K+2] vol_a, one too many */
    mtc_real cond;         /* of k = 2 */
} curve;

static curve curve_of(const choose_job *j, size_t t, client *c)
{
    const mtc_data *X = &j->tasks[t];
    size_t n = MTC_MIN(X->n, CHOOSE_ROWS);
    size_t K = MTC_MIN(n / CHOOSE_SHARE, j->o->max);
    return (curve){.client = c, .X = X, .n = n, .K = K,
                   .few = K < 2 || K < j->o->min};
}

static void curve_take(curve *c, mtc_context *ctx, size_t t)
{
    mtc_stack *st = &c->client->stack;
    size_t n = c->n, K = c->K;
    client_begin(c->client, ctx, t);
    c->rows = rows_take(st, rows_shape(c->X, n));
    MTC_REALS(st, n * n, &c->D, &c->G, &c->length);
    MTC_REALS(st, n, &c->radius, &c->scale);
    MTC_SIZES(st, n, &c->order);
    MTC_REALS(st, n * (K + 2), &c->V);
    MTC_REALS(st, n * K, &c->U);
    MTC_REALS(st, K + 2, &c->lambda, &c->volume);
    c->labels = MTC_TAKE(st, n, int);
    c->pair = MTC_TAKE(st, (K + 1) * (K + 1), border_pair);
}

/* A1: D.  Returns how many rows are distinct; *exact says whether all others
 * equal one of these to the bit. */
static size_t curve_distances(curve *c, int *exact)
{
    size_t n = c->n, distinct = 0;
    *exact = 1;
    MTC_ZERO(c->D, n * n);
    c->most = MTC_TINY;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) {
            mtc_real square = row_sq_distance(&c->rows, i, &c->rows, j);
            c->D[i * n + j] = square;
            c->most = MTC_MAX(square, c->most);
        }
    for (size_t i = 0; i < n; i++) {
        int seen = 0, twin = 0;
        for (size_t j = 0; j < i; j++) {
            mtc_real share = c->D[i * n + j] / c->most;
            twin |= c->D[i * n + j] == 0;
            c->D[i * n + j] = share < CHOOSE_EQUAL ? 0 : share;
            seen |= share < CHOOSE_EQUAL;
        }
        distinct += !seen;
        *exact &= twin || !seen;
    }
    mtc_mirror(n, c->D, n);
    return distinct;
}

/* A2: r_i and s_i, over the rows that differ from row i: at least one does. */
static void curve_scales(curve *c)
{
    size_t n = c->n;
    for (size_t i = 0; i < n; i++) {
        const mtc_real *D = c->D + i * n;
        size_t equal = 0;  /* rows, itself too */
        for (size_t j = 0; j < n; j++)
            equal += D[j] == 0;
        size_t near = MTC_MIN(n - equal, CHOOSE_NEAR);
        size_t local = MTC_MIN(near, CHOOSE_LOCAL);
        mtc_select_order(n, D, equal + near, c->order);
        c->radius[i] = D[c->order[equal + near - 1]] * (1 + CHOOSE_TIE);
        c->scale[i] = MTC_SQRT(D[c->order[equal + local - 1]]);
    }
}

/* A2: G + I, and the lengths of the edges. */
static void curve_graph(curve *c)
{
    size_t n = c->n;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            size_t e = i * n + j;
            mtc_real square = c->D[e], length = MTC_SQRT(square);
            c->G[e] = i == j;
            c->length[e] = MTC_HUGE;
            if (i == j || (square > c->radius[i] && square > c->radius[j]))
                continue;
            c->G[e] = mtc_exp(-square / (c->scale[i] * c->scale[j]));
            c->length[e] = mtc_log(MTC_MAX(length, CHOOSE_SHORT));
        }
}

/* What all k share: A3, and Ward's tree of the rows. */
static mtc_status curve_begin(curve *c)
{
    mtc_data G = mtc_dense(c->n, c->n, c->G);
    MTC_TRY(client_call(c->client, SAME_SEED, mtc_spectral, &G, c->K + 2, c->V,
                        c->lambda));
    MTC_TRY(client_call(c->client, 0, mtc_ward, &c->rows, &c->tree));
    client_keep(c->client);
    return MTC_OK;
}

/* ---- A4 and A5: the partitions of a task, and their boundaries ----------- */

/* A4: labels of k-means on X, from the k clusters of its tree. */
static mtc_status curve_lloyd(curve *c, const mtc_data *X,
    const mtc_ward_result *tree, size_t k)
{
    mtc_kmeans_options o = {.clusters = k, .restarts = 1, .iterations = 50,
                            .start_labels = c->labels};
    if (!client_is_measuring(c->client))
        MTC_TRY(mtc_ward_cut(NULL, tree, k, c->labels));  /* takes no memory */
    return call_kmeans(c->client, 0, X, &o, c->labels, NULL);
}

/* A4: E and usil(k), by the first k columns of V. */
static mtc_status curve_embed(curve *c, size_t k, mtc_real *usil)
{
    size_t columns = c->K + 2;
    size_t known = client_is_measuring(c->client) ? 0 : c->n;
    mtc_data U = mtc_dense(c->n, k, c->U);
    mtc_ward_result tree;
    for (size_t i = 0; i < known; i++)
        MTC_COPY(c->U + i * k, c->V + i * columns, k);
    mtc_unit_rows(known, k, c->U);
    MTC_TRY(client_call(c->client, 0, mtc_ward, &U, &tree));  /* not kept, */
    MTC_TRY(curve_lloyd(c, &U, &tree, k));  /* as it is cut before k-means */
    return client_call(c->client, 0, mtc_silhouette, &U, c->labels, k, NULL,
                       usil);
}

/* The edges between the clusters, and the volumes of these. */
static void border_tally(curve *c, size_t k)
{
    size_t n = c->n;
    MTC_ZERO(c->pair, k * k);
    MTC_ZERO(c->volume, k);
    for (size_t i = 0; i < n; i++) {
        size_t a = (size_t)c->labels[i];
        border_pair *pair = c->pair + a * k;
        mtc_real degree = 0;  /* > 0 in the end: r_i reaches a row */
        for (size_t j = 0; j < n; j++) {
            border_pair *ab = &pair[c->labels[j]];
            if (c->length[i * n + j] == MTC_HUGE)
                continue;
            ab->weight += c->G[i * n + j];
            ab->length += c->length[i * n + j];
            ab->met += 1;
            degree += 1;
        }
        c->volume[a] += degree;
        for (size_t b = 0; b < k; b++) {
            pair[b].edges += pair[b].met;
            pair[b].mixed += pair[b].met * pair[b].met / degree;
            pair[b].met = 0;
        }
    }
    for (size_t e = 0; e < k * k; e++)
        c->pair[e].length /= MTC_MAX(c->pair[e].edges, 1);
}

typedef struct border {
    mtc_real cond, mix, mixdep;  /* A5 */
    mtc_real cut, crossing;      /* normalized cut; edges that are cut */
} border;

/* A5 of the labels, and what A4 compares. */
static border border_of(curve *c, size_t k)
{
    border out = {0, 0, 0, 0, 0};
    border_tally(c, k);
    for (size_t a = 0; a < k; a++) {
        const border_pair *from_a = c->pair + a * k;
        mtc_real all = 0;
        for (size_t b = 0; b < k; b++)
            all += from_a[b].weight;
        out.cut += all > 0 ? (all - from_a[a].weight) / all : 0;
        for (size_t b = 0; b < a; b++) {
            const border_pair *ab = &from_a[b], *from_b = c->pair + b * k;
            if (ab->edges == 0)
                continue;
            mtc_real within = MTC_MAX(from_a[a].length, from_b[b].length);
            mtc_real depth = MTC_MAX(MTC_MIN(ab->length - within, 1), -1);
            mtc_real smaller = MTC_MIN(c->volume[a], c->volume[b]);
            mtc_real mix = (ab->mixed + from_b[a].mixed) /
                           (2 * ab->edges + CHOOSE_CHANCE);
            out.crossing += ab->edges;
            out.cond = MTC_MAX(ab->edges / smaller, out.cond);
            out.mix = MTC_MAX(mix, out.mix);
            mtc_real mixdep = mix * mtc_exp(-depth);
            out.mixdep = MTC_MAX(mixdep, out.mixdep);
        }
    }
    return out;
}

/* A4 for all k.  E counts where it is cheaper than R, by more than the noise of
 * counts. */
static mtc_status curve_groups(curve *c, mtc_choice *out)
{
    for (size_t k = 0; k < c->K + 2; k++)
        c->lambda[k] = MTC_MIN(c->lambda[k], 1);  /* but for rounding */
    for (size_t k = 2; k <= c->K; k++) {
        MTC_TRY(curve_lloyd(c, &c->rows, &c->tree, k));
        border R = border_of(c, k), Z = R;
        out->mix[k - 1] = R.mix;
        if (c->lambda[k - 1] - c->lambda[k] > CHOOSE_GAP) {
            MTC_TRY(curve_embed(c, k, &out->usil[k - 1]));
            border E = border_of(c, k);
            mtc_real noise = MTC_SQRT(R.crossing + E.crossing);
            if (R.cut > CHOOSE_SHORT && E.cut < CHOOSE_CHEAP * R.cut &&
                R.crossing - E.crossing > noise)
                Z = E;
        }
        out->mixdep[k - 1] = Z.mixdep;
        if (k == 2)
            c->cond = Z.cond;
    }
    MTC_TRY(curve_lloyd(c, &c->rows, &c->tree, c->K + 1));
    out->mix[c->K] = border_of(c, c->K + 1).mix;
    return MTC_OK;
}

/* ---- A6 and A7: scores and beliefs --------------------------------------- */

/* A6, in doubles: s(k) at p[k - 1], and what of its terms the caller sees. */
static void curve_score(const curve *c, mtc_choice *out)
{
    const mtc_real *height = c->tree.height;  /* h(k) is at n - k */
    const mtc_real flat = CHOOSE_SHORT * MTC_SQRT(c->most);
    mtc_real usil = -1, mixdep = MTC_HUGE;
    out->gap[0] = c->lambda[0] - c->lambda[1];
    for (size_t k = 2; k <= c->K; k++) {
        size_t at = k - 1;
        mtc_real below = height[c->n - k - 1];
        mtc_real ratio = (1 - c->lambda[k] + CHOOSE_SMOOTH) /
                         (1 - c->lambda[at] + CHOOSE_SMOOTH);
        out->gap[at] = c->lambda[at] - c->lambda[k];
        out->height[at] = mtc_log(height[c->n - k] / MTC_MAX(below, flat));
        out->p[at] = (mtc_real)(9.4 * (double)out->usil[at] +
                                0.75 * (double)mtc_log(ratio) +
                                11.5 * (double)out->gap[at] +
                                4.4 * (double)(out->mix[k] - out->mix[at]) +
                                2 * (double)out->height[at]);
        usil = MTC_MAX(out->usil[at], usil);
        mixdep = MTC_MIN(out->mixdep[at], mixdep);
    }
    out->p[0] = (mtc_real)(1.9 + 13.9 * (double)mixdep + 6.9 * (double)usil +
                           0.7 * (double)mtc_log(c->cond + CHOOSE_SMOOTH));
}

/* Task t: its answer at once, or its curve; then k stays 0. */
static mtc_status choose_task(mtc_context *ctx, void *job, size_t t,
    size_t lane)
{
    choose_job *j = (choose_job *)job;
    mtc_choice *own = &j->r.task[t];
    curve c = curve_of(j, t, &j->clients[lane]);
    mtc_real zeros;
    *own = choose_answer(j, t);
    own->limit = c.K;
    if (c.few) {
        own->k = own->best = MTC_MIN(j->o->min, c.X->n);
        own->verdict = MTC_VERDICT_FEW;
        return MTC_OK;
    }
    MTC_TRY(mtc_tick(ctx, "choose", t, j->r.tasks));
    curve_take(&c, ctx, t);
    rows_draw(c.X, c.n, mtc_stream(ctx, t), &c.rows);  /* A1 */
    if (rows_sparse(&c.rows, 1, &zeros))
        rows_unit(&c.rows);
    int exact;
    size_t distinct = curve_distances(&c, &exact);
    if (distinct <= c.K) {
        own->k = own->best = distinct;
        own->verdict = distinct == 1 ? MTC_VERDICT_NONE : MTC_VERDICT_CLEAR;
        own->p[distinct - 1] = 1;
        if (!exact) {  /* a row so far that the others seem equal beside it */
            own->verdict = MTC_VERDICT_UNCLEAR;
            for (size_t k = 0; k < c.K; k++)
                own->p[k] = 1 / (mtc_real)c.K;
        }
        own->sure = own->p[distinct - 1];
        return MTC_OK;
    }
    curve_scales(&c);
    curve_graph(&c);
    MTC_TRY(curve_begin(&c));
    MTC_TRY(curve_groups(&c, own));
    curve_score(&c, own);
    return MTC_OK;
}

/* A7: p from s, and the answer. */
static void choose_believe(mtc_choice *c, size_t min)
{
    size_t K = c->limit;
    mtc_real sum = 0, fallen = 0;  /* from lambda_1, 1, to lambda_K+1 */
    for (size_t k = 0; k < K; k++)
        fallen += c->gap[k];
    size_t first = (fallen < CHOOSE_GAP ? K : min) - 1;  /* of the least k */
    size_t top = first + argmax(K - first, c->p + first);
    mtc_real highest = c->p[top];
    MTC_ZERO(c->p, first);
    for (size_t k = first; k < K; k++) {
        c->p[k] = mtc_exp(c->p[k] - highest);
        sum += c->p[k];
    }
    for (size_t k = 0; k < K; k++)
        c->p[k] /= sum;
    c->k = top + 1;
    c->best = top > 0 ? c->k : 2 + argmax(K - 1, c->p + 1);
    c->sure = c->p[top];
    c->p[top] = -1;  /* so the next is found */
    size_t next = argmax(K, c->p);
    c->second = c->p[next] > 0 ? next + 1 : 0;
    c->p[top] = c->sure;
    c->verdict = MTC_VERDICT_UNCLEAR;
    if (top == 0)
        c->verdict = MTC_VERDICT_NONE;
    else if (c->sure >= CHOOSE_SURE && first + 1 < K)
        c->verdict = MTC_VERDICT_CLEAR;
}

/* A7: the means of all curves and scores, and the answer of all tasks. */
static void choose_common(choose_job *j)
{
    mtc_choice *c = &j->r.common;
    mtc_real T = 0;  /* with a curve */
    for (size_t t = 0; t < j->r.tasks; t++)
        T += j->r.task[t].k == 0;
    *c = T > 0 ? choose_answer(j, j->r.tasks) : j->r.task[0];
    if (T == 0)
        return;
    c->limit = j->most;
    for (size_t t = 0; t < j->r.tasks; t++) {
        const mtc_choice *own = &j->r.task[t];
        if (own->k > 0)  /* it was answered at once */
            continue;
        c->limit = MTC_MIN(own->limit, c->limit);
        for (size_t e = 0; e < j->size; e++)
            c->p[e] += own->p[e] / T;  /* and the curves after it */
    }
    for (size_t k = 1; k < c->limit; k++)
        c->p[k] += 30 * (T - 1) / T * c->gap[k];
    choose_believe(c, j->o->min);
}

/* ---- all of it ----------------------------------------------------------- */

static mtc_status choose_work(mtc_context *ctx, void *job)
{
    choose_job *j = (choose_job *)job;
    MTC_TRY(mtc_share(ctx, j->lanes, j->lane, j->r.tasks, choose_task, j));
    choose_common(j);
    for (size_t t = 0; t < j->r.tasks; t++)
        if (j->r.task[t].k == 0)
            choose_believe(&j->r.task[t], j->o->min);
    return MTC_OK;
}

/* Asks for the memory of every curve, at the k that needs most, and counts the
 * lanes by the largest. */
static mtc_status choose_measure(choose_job *j, mtc_context *ctx)
{
    size_t work = 0;
    for (size_t t = 0; t < j->r.tasks; t++) {
        curve c = curve_of(j, t, &j->ask);
        j->most = MTC_MAX(c.K, j->most);
        work = MTC_MAX(c.n * c.n * c.K, work);
        if (c.few)
            continue;
        curve_take(&c, ctx, t);
        MTC_TRY(curve_begin(&c));
        MTC_TRY(curve_lloyd(&c, &c.rows, &c.tree, c.K + 1));
        MTC_TRY(curve_embed(&c, c.K, NULL));
    }
    j->lanes = mtc_lanes(ctx, j->r.tasks, work);
    return MTC_OK;
}

mtc_status mtc_choose(mtc_context *ctx, const mtc_data *tasks, size_t n_tasks,
    const mtc_choose_options *opt, mtc_choose_result *res)
{
    const mtc_choose_options usual = mtc_choose_defaults();
    const mtc_choose_options *o = opt != NULL ? opt : &usual;
    choose_job job = {.tasks = tasks, .o = o, .r.tasks = n_tasks};
    MTC_TRY(check_sets(ctx, tasks, n_tasks));
    MTC_TRY(require(ctx, o->min > 0, "min: need 1 or more"));
    MTC_TRY(require(ctx, o->max >= 2 && o->max >= o->min,
                    "max: need 2 and min or more"));
    MTC_TRY(choose_measure(&job, ctx));
    return job_result(ctx, choose_layout, choose_work, &job, res);
}

/* ==========================================================================
 * Chapter 23  Judge: which of several partitions do the rows support?
 *
 * A partition of n rows into k clusters is good if the end of a walk from row
 * to near row tells in which cluster it began.
 *
 *   A1  S: the graph of the 5 nearest neighbors, with widths by the 7th
 *   A2  J_t = Z' D P^t Z / sum D for t = 1 and 64: the shares of walks of t
 *       steps between two clusters.  Z [n*k] is the indicator of the labels,
 *       D the diagonal of the row sums of S, P = D^-1 S.
 *   A3  score = (I_1 + I_64) / 2 / H^.7, I_t the mutual information of J_t, H
 *       the entropy of the sums of its rows
 *   A4  The first partition is the favorite.  A partition is whole if none of
 *       its clusters has fewer than n / (4 k) rows.  The favorite and all whole
 *       ones are compared; but if a whole one cuts no edge, only the whole
 *       ones that cut none.  The one of the highest score is kept, unless the
 *       favorite is compared and whole, and lower by at most
 *       .5 (log k)^.3 / sqrt(n): then it stays.
 *
 * I_1 falls with every edge that is cut, I_64 where a walk soon leaves a
 * cluster that only looks closed.  Reference: none; the rule is our own.
 * ========================================================================== */

#define JUDGE_ROWS ((size_t)6)  /* beyond k: a row and its 5 neighbors */
#define JUDGE_STEPS 64          /* of the long walk */
/* An entropy below this is that of one cluster. */
#define JUDGE_ONE MTC_BY_TYPE(1e-9, 1e-5)

typedef struct judge_job {
    const mtc_data *X;
    const int *const *partitions;
    size_t k;
    mtc_judge_result r;
    graph_job graph;    /* A1 */
    const mtc_data *S;  /* its weights: CSR, as n > 6, and all above 0 */
    mtc_real *degree;   /* [n] D, the row sums of S, */
    mtc_real total;     /* and their sum */
    mtc_real *Z, *SZ;   /* [n*k] P^t Z, and S times it */
    mtc_real *J;        /* [k*k] */
    size_t *members;    /* [k] */
} judge_job;

/* Enough rows and clusters for a walk? */
static int judge_can_score(size_t n, size_t k)
{
    return k > 1 && n >= mtc_add(k, JUDGE_ROWS);
}

static void judge_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    judge_job *j = (judge_job *)job;
    size_t n = j->X->n, k = j->k;
    j->r.of = MTC_TAKE(own, j->r.partitions, mtc_judged);
    if (!judge_can_score(n, k))
        return;
    MTC_REALS(tmp, n, &j->degree);
    MTC_REALS(tmp, mtc_mul(n, k), &j->Z, &j->SZ);
    MTC_REALS(tmp, mtc_mul(k, k), &j->J);
    MTC_SIZES(tmp, k, &j->members);
    graph_layout(tmp, tmp, &j->graph);
    j->S = &j->graph.r.weights;
}

/* Z <- P Z.  A row without neighbors stays where it is. */
static void judge_step(judge_job *j)
{
    size_t k = j->k;
    mtc_data_times(j->S, k, j->Z, k, j->SZ, k, NULL);
    for (size_t i = 0; i < j->S->n; i++)
        if (j->degree[i] > 0)
            for (size_t z = 0; z < k; z++)
                j->Z[i * k + z] = j->SZ[i * k + z] / j->degree[i];
}

/* x^e of x > 0. */
static mtc_real judge_power(mtc_real x, double e)
{
    return mtc_exp((mtc_real)e * mtc_log(x));
}

static mtc_real judge_x_log_x(mtc_real x)
{
    return x > 0 ? x * mtc_log(x) : 0;
}

/* A2 and A3 of the walk that is in Z: its mutual information, and the entropy
 * of where it begins.  What rounding leaves below 0 is 0. */
static mtc_real judge_information(judge_job *j, const int *labels,
    mtc_real *entropy)
{
    size_t k = j->k;
    mtc_real cells = 0, rows = 0, columns = 0;  /* sums of x log x */
    MTC_ZERO(j->J, k * k);
    for (size_t i = 0; i < j->S->n; i++)
        mtc_axpy(k, j->degree[i] / j->total, j->Z + i * k,
                 j->J + (size_t)labels[i] * k);
    for (size_t a = 0; a < k; a++) {
        mtc_real row = 0, column = 0;
        for (size_t b = 0; b < k; b++) {
            row += j->J[a * k + b];
            column += j->J[b * k + a];
            cells += judge_x_log_x(j->J[a * k + b]);
        }
        rows += judge_x_log_x(row);
        columns += judge_x_log_x(column);
    }
    mtc_real information = cells - rows - columns;
    *entropy = rows < 0 ? -rows : 0;
    return information > 0 ? information : 0;
}

/* Both walks of partition c and its score, the edges that it cuts, and the rows
 * of its smallest cluster. */
static void judge_walk(judge_job *j, size_t c)
{
    const int *labels = j->partitions[c];
    mtc_judged *judged = &j->r.of[c];
    const mtc_data *S = j->S;
    size_t n = S->n, k = j->k, ends = 0;
    mtc_real again;  /* H once more: it does not depend on t */
    MTC_ZERO(j->Z, n * k);
    for (size_t i = 0; i < n; i++)
        j->Z[i * k + (size_t)labels[i]] = 1;
    judge_step(j);
    judged->info_near = judge_information(j, labels, &judged->entropy);
    for (size_t t = 1; t < JUDGE_STEPS; t++)
        judge_step(j);
    judged->info_far = judge_information(j, labels, &again);
    if (judged->entropy > JUDGE_ONE)
        judged->score = (judged->info_near + judged->info_far) / 2 /
                        judge_power(judged->entropy, 0.7);
    for (size_t i = 0; i < n; i++)
        for (size_t e = S->row[i]; e < S->row[i + 1]; e++)
            ends += labels[S->column[e]] != labels[i];
    judged->edges = ends / 2;
    judged->smallest = n;
    labels_used(n, labels, k, j->members);
    for (size_t z = 0; z < k; z++)
        judged->smallest = MTC_MIN(j->members[z], judged->smallest);
}

/* Is partition c whole, as in A4? */
static int judge_is_whole(const judge_job *j, size_t c)
{
    return mtc_mul(4 * j->k, j->r.of[c].smallest) >= j->X->n;
}

/* A4: which are compared, and which is kept. */
static void judge_decide(judge_job *j)
{
    mtc_judge_result *r = &j->r;
    mtc_judged *judged = r->of;
    size_t best = MTC_NONE;
    int clean = 0;  /* 1: a whole partition cuts no edge */
    for (size_t c = 0; c < r->partitions; c++)
        clean |= judge_is_whole(j, c) && judged[c].edges == 0;
    if (judge_is_whole(j, 0))
        r->margin = judge_power(mtc_log((mtc_real)j->k), 0.3) / 2 /
                    MTC_SQRT((mtc_real)j->X->n);
    for (size_t c = 0; c < r->partitions; c++) {
        int whole = judge_is_whole(j, c);
        judged[c].allowed = clean ? whole && judged[c].edges == 0
                                  : whole || c == 0;  /* the favorite */
        if (judged[c].allowed &&
            (best == MTC_NONE || judged[c].score > judged[best].score))
            best = c;
    }
    if (!judged[0].allowed || judged[best].score > judged[0].score + r->margin)
        r->kept = best;
}

static mtc_status judge_work(mtc_context *ctx, void *job)
{
    judge_job *j = (judge_job *)job;
    size_t m = j->r.partitions;
    MTC_ZERO(j->r.of, m);
    j->r.of[0].allowed = 1;
    if (!judge_can_score(j->X->n, j->k))
        return MTC_OK;
    MTC_TRY(graph_work(ctx, &j->graph));
    j->total = 0;
    for (size_t i = 0; i < j->S->n; i++) {
        j->degree[i] = 0;
        for (size_t e = j->S->row[i]; e < j->S->row[i + 1]; e++)
            j->degree[i] += j->S->values[e];
        j->total += j->degree[i];
    }
    for (size_t c = 0; c < m; c++) {
        MTC_TRY(mtc_tick(ctx, "judge", c, m));
        judge_walk(j, c);
    }
    judge_decide(j);
    return MTC_OK;
}

mtc_status mtc_judge(mtc_context *ctx, const mtc_data *X,
    const int *const *partitions, size_t m, size_t clusters,
    mtc_judge_result *res)
{
    const mtc_graph_options o = {.similarity = MTC_SIMILARITY_GAUSSIAN,
                                 .neighbors = 5, .width = 1, .local = 7};
    judge_job job = {.X = X, .partitions = partitions, .k = clusters,
                     .graph = {.sets = X, .n_sets = 1, .o = &o},
                     .r.partitions = m};
    MTC_TRY(mtc_data_check(ctx, X, MTC_NONE));
    MTC_TRY(check_clusters(ctx, clusters, X->n, MTC_NONE));
    MTC_TRY(require(ctx, m > 0 && is_given(ctx, partitions),
                    "partitions: need 1 or more"));
    if (partitions != NULL)
        for (size_t c = 0; c < m; c++)  /* an error names c as the task */
            MTC_TRY(check_labels(ctx, partitions[c], X->n, clusters, c));
    MTC_TRY(graph_check(ctx, &o, X->n));
    job.graph.N = X->n;
    job.graph.near.pair.crew.lanes = pair_lanes(ctx, X, 1, X->n);
    return job_result(ctx, judge_layout, judge_work, &job, res);
}

/* ==========================================================================
 * Chapter 24  Panels and ballots
 *
 * Guard and auto run several methods on all tasks, and let the runs vote in
 * each.  A panel has T tasks and m runs.  Run i labels v_t rows of task t: all
 * n_t, or `sample`; the others take no part.  Runs are numbered through: in
 * guard those of A, of A's folds, of B, of B's folds; in auto family after
 * family.  A ballot has the runs that vote in one task.
 * ========================================================================== */

/* ---- a panel: tasks, and runs of methods that label their rows ----------- */

/* A call on parts of all tasks (folds, drawn rows) is measured on their shapes.
 * While measuring there is no memory for T of them, so a panel has room for
 * PANEL_SHAPES, and the last has the rows of all later tasks.  That covers what
 * grows with rows.  For what grows with the number of tasks, the need of a call
 * on all tasks as they are is added, where T is above PANEL_SHAPES. */
#define PANEL_SHAPES ((size_t)64)

/* A method that shares, and how it runs.  Calls get a copy, and change it. */
typedef struct share_method {
    int is_mbc;
    mtc_mbc_options mbc;
    mtc_lssmtc_options lss;
} share_method;

typedef struct panel {
    const mtc_data *tasks;         /* [T] the caller's */
    size_t T, d;
    size_t clusters;               /* k of all tasks, */
    const size_t *clusters_of;     /* or [T] k of each; may be NULL */
    size_t sample;                 /* rows of a task that take part, at most */
    size_t most, rows;             /* the largest k and v_t */
    int even;                      /* 1: all k are equal, as LSSMTC needs */
    share_method method;
    size_t m;                      /* runs in all */
    int **runs;                    /* [T] of [m*v_t] their labels */
    mtc_real **centers;            /* [T] of [k_t*d] means, the result's */
    match_ws match;
    size_t *members;               /* [most] rows of each cluster of a task */
    size_t lanes;
    mtc_lane *lane;                /* [lanes] */
    client ask, *clients;          /* it measures; [lanes] that work */
    size_t shapes;                 /* min(T, PANEL_SHAPES) */
    mtc_data shape[PANEL_SHAPES];  /* parts of tasks, while measuring */
} panel;

/* v_t: rows of task t that take part. */
static size_t panel_rows(const panel *p, size_t t)
{
    return MTC_MIN(p->tasks[t].n, p->sample);
}

/* Labels of run i in task t; NULL while measuring, when there are none. */
static int *panel_run(const panel *p, size_t t, size_t i)
{
    return p->runs != NULL ? p->runs[t] + i * panel_rows(p, t) : NULL;
}

/* A stream: what for, which run, which task.  Calls without chance have 0. */
static uint64_t panel_stream(size_t kind, size_t run, size_t t)
{
    return (uint64_t)kind << 56 ^ (uint64_t)run << 32 ^ (uint64_t)t;
}

/* Checks tasks and clusters, finds d, shapes, most, rows and even, and sets the
 * options of both methods: the caller's or, if NULL, those that mtc.h names.
 * Clusters and starts are the panel's. */
static mtc_status panel_begin(panel *p, mtc_context *ctx,
    const mtc_mbc_options *mbc, const mtc_lssmtc_options *lss)
{
    share_method *m = &p->method;
    MTC_TRY(check_sets(ctx, p->tasks, p->T));
    p->d = p->tasks[0].d;
    p->shapes = MTC_MIN(p->T, PANEL_SHAPES);
    p->even = 1;
    for (size_t t = 0; t < p->T; t++) {
        size_t k = clusters_of(p, t), n = panel_rows(p, t);
        MTC_TRY(check_clusters(ctx, k, n, t));
        p->even &= k == clusters_of(p, 0);
        p->most = MTC_MAX(k, p->most);
        p->rows = MTC_MAX(n, p->rows);
    }
    m->mbc = mbc != NULL ? *mbc : mtc_mbc_defaults();
    if (mbc == NULL)
        m->mbc.iterations = 30;
    m->lss = lss != NULL ? *lss : mtc_lssmtc_defaults();
    if (lss == NULL)
        m->lss.lambda = (mtc_real)0.5;
    m->mbc.clusters = p->clusters;
    m->mbc.clusters_of = p->clusters_of;
    m->lss.clusters = clusters_of(p, 0);
    m->mbc.restarts = m->lss.restarts = 1;
    m->mbc.start_centers = NULL;
    m->lss.start_W = NULL;
    m->lss.start = MTC_START_ALIGNED;
    m->lss.match_start = 1;
    return MTC_OK;
}

/* Lanes for `runs` runs on all tasks, each of about ten passes. */
static size_t panel_lanes(const panel *p, const mtc_context *ctx, size_t runs)
{
    size_t values = mtc_mul(count_samples(p->tasks, p->T), p->d);
    return mtc_lanes(ctx, runs, mtc_mul(10, mtc_mul(values, p->most)));
}

/* Takes, for each task, `times` labelings of its rows, or of `rows` at most. */
static int **panel_labels(mtc_stack *st, const panel *p, size_t times,
    size_t rows)
{
    int **labels = MTC_TAKE(st, p->T, int *);
    for (size_t t = 0; t < p->T; t++) {
        size_t n = MTC_MIN(p->tasks[t].n, rows);
        int *of_task = MTC_TAKE(st, mtc_mul(times, n), int);
        if (labels != NULL)  /* not while measuring */
            labels[t] = of_task;
    }
    return labels;
}

/* Takes the centers of a result, and memory for runs. */
static void panel_layout(mtc_stack *own, mtc_stack *tmp, panel *p)
{
    p->centers = MTC_TAKE(own, p->T, mtc_real *);
    for (size_t t = 0; t < p->T; t++) {
        size_t size = mtc_mul(clusters_of(p, t), p->d);
        mtc_real *of_task = MTC_TAKE(own, size, mtc_real);
        if (p->centers != NULL)  /* not while measuring */
            p->centers[t] = of_task;
    }
    match_layout(tmp, clusters_of(p, 0), p->d, &p->match);
    MTC_SIZES(tmp, p->most, &p->members);
    p->runs = panel_labels(tmp, p, p->m, p->sample);
    p->lane = MTC_TAKE(tmp, p->lanes, mtc_lane);
    p->clients = client_take(tmp, &p->ask, p->lanes);
}

/* Puts a part of task t among the shapes, after those of tasks 0..t-1. */
static void panel_shape(panel *p, size_t t, const mtc_data *part)
{
    mtc_data *last = &p->shape[p->shapes - 1];
    if (t < p->shapes) {
        p->shape[t] = *part;
        return;
    }
    size_t stored = mtc_add(mtc_stored(last), mtc_stored(part));
    *last = mtc_shape(mtc_add(last->n, part->n), p->d,
                      mtc_is_csr(last) ? stored : 0);
}

/* A call of a method, and the run of the panel that it writes. */
typedef struct panel_call {
    const panel *p;
    client *client;
    size_t t, T;        /* the first task (0 for a method), and how many */
    const mtc_data *X;  /* [T] views of them; while measuring, shapes */
    size_t run;         /* that it writes */
    uint64_t stream;    /* of task 0; that of task t is stream ^ t */
} panel_call;

/* k-means in task t, on X: the best restart and, unless NULL, its loss. */
static mtc_status panel_kmeans(const panel_call *c, size_t t, const mtc_data *X,
    size_t restarts, mtc_real *loss)
{
    mtc_kmeans_options o = mtc_kmeans_defaults();
    o.clusters = clusters_of(c->p, t);
    o.restarts = restarts;
    c->client->task = t;
    return call_kmeans(c->client, c->stream ^ t, X, &o,
                       panel_run(c->p, t, c->run), loss);
}

/* The method in all tasks, from run `from`.  A start of NULL needs no less. */
static mtc_status panel_method(const panel_call *c, share_method m, size_t from)
{
    mtc_mbc_result mbc = {.labels = NULL};
    mtc_lssmtc_result lss = {.labels = NULL};
    const int **start = MTC_TAKE(&c->client->stack, c->T, const int *);
    size_t known = client_is_measuring(c->client) ? 0 : c->T;
    for (size_t t = 0; t < known; t++)
        start[t] = panel_run(c->p, t, from);
    m.mbc.start_labels = m.lss.start_labels = start;
    c->client->task = MTC_NONE;
    if (m.is_mbc)
        MTC_TRY(client_call(c->client, c->stream, mtc_mbc, c->X, c->T, &m.mbc,
                            &mbc));
    else
        MTC_TRY(client_call(c->client, c->stream, mtc_lssmtc, c->X, c->T,
                            &m.lss, &lss));
    int *const *labels = m.is_mbc ? mbc.labels : lss.labels;
    for (size_t t = 0; t < known; t++)
        MTC_COPY(panel_run(c->p, t, c->run), labels[t], c->X[t].n);
    return MTC_OK;
}

/* Renumbers clusters like task 0's, in tasks with as many: centers, the labels
 * that they are the means of and, unless NULL, other labels.  A task with an
 * empty cluster is not `matched`; with `fills` fill_means gives it a center. */
static mtc_status panel_match(panel *p, mtc_context *ctx, int **labels,
    int **others, const size_t *k_effective, int fills, int *matched)
{
    for (size_t t = 0; t < p->T; t++) {
        size_t n = p->tasks[t].n, k = clusters_of(p, t);
        matched[t] = t == 0;
        if (t == 0 || k != clusters_of(p, 0))
            continue;
        MTC_TRY(match_task(ctx, &p->match, p->centers[0], p->centers[t], n,
                           labels[t], &matched[t]));
        if (others != NULL)
            match_labels(p->match.from, n, others[t]);
        matched[t] &= k_effective[t] == k && k_effective[0] == k;
    }
    for (size_t t = 0; t < p->T; t++)
        if (k_effective[t] < clusters_of(p, t) && fills)
            fill_means(&p->tasks[t], clusters_of(p, t), labels[t], p->members,
                       p->centers[t]);
    return MTC_OK;
}

/* ---- a ballot: the vote of runs in one task ------------------------------ */

typedef struct ballot {
    const panel *p;
    client *client;
    size_t t, k, n;    /* the task, its clusters, rows that take part */
    size_t m;          /* runs on the ballot, */
    const int **runs;  /* [p->m] their labels, */
    mtc_real *weight;  /* [p->m] and weights */
    size_t *count;     /* [k*k] rows counted by one or two labelings */
    mtc_real *share;   /* [k] of the rows in each cluster */
} ballot;

static ballot ballot_open(const panel *p, client *c, mtc_context *ctx, size_t t)
{
    ballot vote = {.p = p, .client = c, .t = t, .k = clusters_of(p, t),
                   .n = panel_rows(p, t)};
    client_begin(c, ctx, t);
    vote.runs = MTC_TAKE(&c->stack, p->m, const int *);
    MTC_REALS(&c->stack, p->m, &vote.weight);
    MTC_SIZES(&c->stack, mtc_mul(vote.k, vote.k), &vote.count);
    MTC_REALS(&c->stack, vote.k, &vote.share);
    return vote;
}

/* Labels of run i of the panel in the ballot's task. */
#define ballot_run(vote, i) panel_run((vote)->p, (vote)->t, i)

/* Puts runs of the panel on the ballot; while measuring, only counts them. */
static void ballot_add(ballot *vote, size_t first, size_t runs, mtc_real weight)
{
    size_t known = client_is_measuring(vote->client) ? 0 : runs;
    for (size_t r = 0; r < known; r++) {
        vote->runs[vote->m + r] = ballot_run(vote, first + r);
        vote->weight[vote->m + r] = weight;
    }
    vote->m = mtc_add(vote->m, runs);
}

/* z [n]: the vote of the runs on the ballot, which then is empty.  Where they
 * label distinct rows, n counts these.  With losses, those of low loss vote. */
static mtc_status ballot_vote(ballot *vote, size_t n, const mtc_real *losses,
    uint64_t stream, int *z)
{
    mtc_vote_options o = mtc_vote_defaults();
    mtc_vote_result r = {.labels = NULL};
    size_t m = vote->m;
    o.clusters = vote->k;
    o.losses = losses;
    o.weights = vote->weight;
    vote->m = 0;
    MTC_TRY(client_call(vote->client, stream, mtc_vote, n, vote->runs, m, &o,
                        &r));
    if (r.labels != NULL)
        MTC_COPY(z, r.labels, n);
    return MTC_OK;
}

/* ARI of two labelings of the rows that take part.  `place` [n], unless NULL,
 * is the place of each row in a. */
static mtc_real ballot_ari(const ballot *vote, const int *a, const int *place,
    const int *b)
{
    MTC_ZERO(vote->count, vote->k * vote->k);
    for (size_t i = 0; i < vote->n; i++) {
        size_t label = (size_t)a[place != NULL ? (size_t)place[i] : i];
        vote->count[label * vote->k + (size_t)b[i]]++;
    }
    return table_ari(vote->count, vote->n, vote->k, vote->k);
}

/* ==========================================================================
 * Chapter 25  Guard: sharing only where it is safe
 *
 * Whether sharing helps cannot be known beforehand.  The guard finds out.
 *
 *   A1  a_r: R runs of k-means in each task;  b_r: the method from a_r
 *   A2  A_t = the vote of those a_r that are near the lowest loss;
 *       B_t = the vote of all b_r
 *   A3  V times, without one fold of every task: k-means (best of 5), and the
 *       method from it; then every sample gets the label of its nearest mean
 *   A4  S_a, S_b = mean ARI among these;  B_t is kept if S_b > S_a + margin,
 *       else A_t; also where a task has too few samples for folds
 *
 * Reference: none; the rule is our own.
 * ========================================================================== */

#define GUARD_ROWS ((size_t)10)   /* samples in each cluster that folds need */
#define GUARD_STARTS ((size_t)5)  /* k-means runs within a fold */

/* Streams, by kind; and the two sides, A alone and B that shares. */
enum { GUARD_KMEANS, GUARD_METHOD, GUARD_VOTE, GUARD_FOLD, GUARD_REST };
enum { GUARD_A, GUARD_B };

typedef struct guard_job {
    const mtc_guard_options *o;
    panel p;
    mtc_guard_result r;
    size_t folds;      /* V, or 0: nothing to test */
    size_t half;       /* R + V runs of A; B's are so much further on */
    mtc_real margin;
    mtc_real *losses;  /* [T*R] of A's runs */
    int **fold;        /* [T] of [n_t] number of the fold */
    int **others;      /* [T] of [n_t] labels that are not kept */
} guard_job;

mtc_guard_options mtc_guard_defaults(void)
{
    return (mtc_guard_options){.method = MTC_GUARD_MBC, .clusters = 2,
                               .runs = 10, .folds = 5, .margin = -1};
}

static void guard_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    guard_job *j = (guard_job *)job;
    panel *p = &j->p;
    mtc_guard_result *r = &j->r;
    size_t T = p->T;
    r->tasks = T;
    r->d = p->d;
    r->labels = MTC_TAKE(own, T, int *);
    r->single = panel_labels(own, p, 1, SIZE_MAX);
    r->shared = panel_labels(own, p, 1, SIZE_MAX);
    panel_layout(own, tmp, p);
    r->centers = p->centers;
    MTC_SIZES(own, T, &r->clusters, &r->k_effective);
    r->kept = MTC_TAKE(own, T, int);
    r->matched = MTC_TAKE(own, T, int);
    MTC_REALS(own, T, &r->stability_single, &r->stability_shared,
              &r->agreement, &r->loss_single, &r->loss_shared);
    MTC_REALS(tmp, mtc_mul(T, j->o->runs), &j->losses);
    j->fold = panel_labels(tmp, p, j->folds > 0, SIZE_MAX);
    j->others = MTC_TAKE(tmp, T, int *);
}

/* Has task t enough rows for folds? */
static int guard_splits(const guard_job *j, size_t t)
{
    const panel *p = &j->p;
    return j->folds > 0 && p->tasks[t].n / GUARD_ROWS >= clusters_of(p, t);
}

/* A1: k-means in each task, and the method from it, as run i. */
static mtc_status guard_run(guard_job *j, client *c, size_t i)
{
    const panel *p = &j->p;
    size_t R = j->o->runs;
    panel_call call = {.p = p, .client = c, .T = p->T, .X = p->tasks, .run = i,
                       .stream = panel_stream(GUARD_KMEANS, i, 0)};
    for (size_t t = 0; t < p->T; t++)
        MTC_TRY(panel_kmeans(&call, t, &p->tasks[t], 1,
                             j->losses != NULL ? &j->losses[t * R + i] : NULL));
    call.run = j->half + i;
    call.stream = panel_stream(GUARD_METHOD, i, 0);
    return panel_method(&call, p->method, i);
}

/* A3: fold numbers are dealt out in turn, then shuffled, so that folds differ
 * in size by one at most. */
static void guard_deal(guard_job *j, const mtc_context *ctx, size_t t)
{
    mtc_random rng = mtc_stream(ctx, panel_stream(GUARD_FOLD, 0, t));
    int *fold = j->fold[t];
    for (size_t i = 0; i < j->p.tasks[t].n; i++)
        fold[i] = (int)(i % j->folds);
    for (size_t i = j->p.tasks[t].n; i > 1; i--) {
        size_t pick = mtc_random_below(&rng, i);
        int keep = fold[i - 1];
        fold[i - 1] = fold[pick];
        fold[pick] = keep;
    }
}

/* A3: the rows of task t without fold v. */
static mtc_data guard_rest(const guard_job *j, client *c, size_t v, size_t t)
{
    const mtc_data *X = &j->p.tasks[t];
    int splits = guard_splits(j, t);
    size_t out = splits ? X->n / j->folds + (v < X->n % j->folds) : 0;
    mtc_data rest = rows_take(&c->stack, rows_shape(X, X->n - out));
    size_t known = client_is_measuring(c) ? 0 : X->n;
    for (size_t i = 0; i < known; i++)
        if (!splits || j->fold[t][i] != (int)v)
            rows_add(X, i, &rest);
    return rest;
}

/* A3: a run on rows outside a fold now labels all rows, by the nearest mean. */
static mtc_status guard_extend(const panel_call *c)
{
    const panel *p = c->p;
    mtc_real *means, *share;
    MTC_REALS(&c->client->stack, mtc_mul(p->most, p->d), &means);
    MTC_REALS(&c->client->stack, p->most, &share);
    for (size_t t = 0; t < p->T; t++) {
        int *labels = panel_run(p, t, c->run);
        mtc_kmeans_result model = {.clusters = clusters_of(p, t), .d = p->d,
                                   .centers = means};
        c->client->task = t;
        if (labels != NULL)
            full_means(&c->X[t], model.clusters, labels, means, share);
        MTC_TRY(client_call(c->client, 0, mtc_kmeans_assign, &p->tasks[t],
                            &model, labels));
    }
    return MTC_OK;
}

/* A3: k-means and the method on the rows outside fold v, as run R + v.  LSSMTC
 * shares more there, with half its lambda. */
static mtc_status guard_fold(guard_job *j, client *c, size_t v)
{
    panel *p = &j->p;
    share_method m = p->method;
    size_t from = j->o->runs + v;
    mtc_data *X = MTC_TAKE(&c->stack, p->T, mtc_data);  /* NULL: measuring */
    panel_call call = {.p = p, .client = c, .run = from,
                       .stream = panel_stream(GUARD_REST, v, 0)};
    for (size_t t = 0; t < p->T; t++) {
        mtc_data rest = guard_rest(j, c, v, t);
        if (X != NULL)
            X[t] = rest;
        else
            panel_shape(p, t, &rest);
        MTC_TRY(panel_kmeans(&call, t, &rest, GUARD_STARTS, NULL));
    }
    call.X = X != NULL ? X : p->shape;
    call.T = X != NULL ? p->T : p->shapes;
    call.run = j->half + from;
    call.stream ^= p->T;  /* no task has number T */
    m.lss.lambda *= (mtc_real)0.5;
    MTC_TRY(panel_method(&call, m, from));
    MTC_TRY(guard_extend(&call));
    call.run = from;  /* only now: the method started from it */
    return guard_extend(&call);
}

static mtc_status guard_item(mtc_context *ctx, void *job, size_t i, size_t lane)
{
    guard_job *j = (guard_job *)job;
    client *c = &j->p.clients[lane];
    MTC_TRY(mtc_tick(ctx, "guard", i, j->half));
    client_begin(c, ctx, MTC_NONE);
    return i < j->o->runs ? guard_run(j, c, i)
                          : guard_fold(j, c, i - j->o->runs);
}

/* A2: z [n_t], the vote of the runs of a side. */
static mtc_status guard_vote(const guard_job *j, ballot *vote, size_t side,
    int *z)
{
    const mtc_real *losses = NULL;
    if (side == GUARD_A && j->losses != NULL)  /* not while measuring */
        losses = j->losses + vote->t * j->o->runs;
    ballot_add(vote, side * j->half, j->o->runs, 1);
    return ballot_vote(vote, vote->n, losses,
                       panel_stream(GUARD_VOTE, side, vote->t), z);
}

/* The mean squared distance of all rows to the means of labels z, which become
 * the centers. */
static mtc_real guard_loss(const ballot *vote, const int *z)
{
    const mtc_data *X = &vote->p->tasks[vote->t];
    mtc_real *means = vote->p->centers[vote->t];
    double loss = 0;
    mtc_data U = mtc_dense(vote->k, X->d, means);
    full_means(X, vote->k, z, means, vote->share);
    for (size_t i = 0; i < X->n; i++)
        loss += (double)(row_sq_distance(X, i, &U, (size_t)z[i]) /
                         (mtc_real)X->n);
    return (mtc_real)loss;
}

/* A4: mean ARI among the folds' labelings; -1 without folds. */
static mtc_real guard_stability(const guard_job *j, const ballot *vote,
    size_t side)
{
    size_t V = j->folds, first = side * j->half + j->o->runs;
    mtc_real sum = 0;
    if (!guard_splits(j, vote->t))
        return -1;
    for (size_t e = 0; e < V; e++)
        for (size_t f = 0; f < e; f++)
            sum += ballot_ari(vote, ballot_run(vote, first + e), NULL,
                              ballot_run(vote, first + f));
    return sum / ((mtc_real)V * (mtc_real)(V - 1) / 2);
}

/* A2 and A4 for task t: the votes, and which is kept. */
static mtc_status guard_decide(mtc_context *ctx, void *job, size_t t,
    size_t lane)
{
    guard_job *j = (guard_job *)job;
    mtc_guard_result *r = &j->r;
    int *labels[] = {r->single[t], r->shared[t]};  /* by side */
    mtc_real *loss[] = {&r->loss_single[t], &r->loss_shared[t]};
    ballot vote = ballot_open(&j->p, &j->p.clients[lane], ctx, t);
    MTC_TRY(guard_vote(j, &vote, GUARD_A, r->single[t]));
    MTC_TRY(guard_vote(j, &vote, GUARD_B, r->shared[t]));
    r->agreement[t] = ballot_ari(&vote, r->single[t], NULL, r->shared[t]);
    r->stability_single[t] = guard_stability(j, &vote, GUARD_A);
    r->stability_shared[t] = guard_stability(j, &vote, GUARD_B);
    int kept = r->stability_shared[t] > r->stability_single[t] + j->margin;
    int other = !kept;  /* 0 is A, 1 is B */
    *loss[other] = guard_loss(&vote, labels[other]);
    *loss[kept] = guard_loss(&vote, labels[kept]);  /* last: centers stay */
    r->clusters[t] = vote.k;
    r->kept[t] = kept;
    r->labels[t] = labels[kept];
    j->others[t] = labels[other];
    r->k_effective[t] = labels_used(vote.n, labels[kept], vote.k, vote.count);
    return MTC_OK;
}

static mtc_status guard_work(mtc_context *ctx, void *job)
{
    guard_job *j = (guard_job *)job;
    panel *p = &j->p;
    mtc_guard_result *r = &j->r;
    if (j->folds > 0)
        for (size_t t = 0; t < p->T; t++)
            guard_deal(j, ctx, t);
    MTC_TRY(mtc_share(ctx, p->lanes, p->lane, j->half, guard_item, j));
    MTC_TRY(mtc_share(ctx, p->lanes, p->lane, p->T, guard_decide, j));
    return panel_match(p, ctx, r->labels, j->others, r->k_effective, 1,
                       r->matched);
}

/* Measures every call.  With fewer rows the method may take another route that
 * needs more; so every fold is measured, but of those that are empty, v >= the
 * largest n_t, only the first.  B's vote needs what A's does. */
static mtc_status guard_measure(guard_job *j, mtc_context *ctx)
{
    panel *p = &j->p;
    client *c = &p->ask;
    client_begin(c, ctx, MTC_NONE);
    MTC_TRY(guard_run(j, c, 0));
    size_t whole = p->T > p->shapes ? c->stack.peak : 0;  /* PANEL_SHAPES */
    for (size_t v = 0; v < j->folds && v <= p->rows; v++) {
        client_begin(c, ctx, MTC_NONE);
        c->stack.used = whole;
        MTC_TRY(guard_fold(j, c, v));
    }
    for (size_t t = 0; t < p->T; t++) {
        ballot vote = ballot_open(p, c, ctx, t);
        MTC_TRY(guard_vote(j, &vote, GUARD_A, NULL));
    }
    return MTC_OK;
}

mtc_status mtc_guard(mtc_context *ctx, const mtc_data *tasks, size_t n_tasks,
    const mtc_guard_options *opt, mtc_guard_result *res)
{
    const mtc_guard_options usual = mtc_guard_defaults();
    const mtc_guard_options *o = opt != NULL ? opt : &usual;
    guard_job job = {.o = o, .folds = n_tasks > 1 ? o->folds : 0,
                     .margin = o->margin,
                     .p = {.tasks = tasks, .T = n_tasks, .sample = SIZE_MAX,
                           .clusters = o->clusters,
                           .clusters_of = o->clusters_of}};
    panel *p = &job.p;
    MTC_TRY(panel_begin(p, ctx, o->mbc, o->lssmtc));
    MTC_TRY(require(ctx, (unsigned)o->method <= MTC_GUARD_LSSMTC,
                    "method: need a value of mtc_guard_method"));
    MTC_TRY(require(ctx, o->runs >= 2, "runs: need 2 or more"));
    MTC_TRY(require(ctx, o->folds >= 2 && o->folds <= INT_MAX,
                    "folds: need 2 or more"));
    MTC_TRY(require(ctx, MTC_FINITE(o->margin), "margin: need a number"));
    MTC_TRY(require(ctx, o->method == MTC_GUARD_MBC || p->even,
                    "clusters: LSSMTC needs one number for all"));
    p->method.is_mbc = o->method == MTC_GUARD_MBC;
    if (o->margin < 0)
        job.margin = (mtc_real)(p->method.is_mbc ? 0.025 : 0.1);
    job.half = mtc_add(o->runs, job.folds);
    p->m = mtc_mul(2, job.half);
    MTC_TRY(guard_measure(&job, ctx));
    p->lanes = panel_lanes(p, ctx, job.half);
    return job_result(ctx, guard_layout, guard_work, &job, res);
}

mtc_status mtc_guard_assign(mtc_context *ctx, const mtc_data *X, size_t task,
    const mtc_guard_result *res, int *labels)
{
    MTC_TRY(require(ctx, res != NULL && task < res->tasks,
                    "task: need one of the result's"));
    mtc_kmeans_result model = {.clusters = res->clusters[task], .d = res->d,
                               .centers = res->centers[task]};
    return mtc_kmeans_assign(ctx, X, &model, labels);
}

/* ==========================================================================
 * Chapter 26  Auto: a vote of methods that share and methods that do not
 *
 *   A1  the geometry: distances if values are not sparse; directions if they
 *       are and all rows have one length; else sizes or directions, by A3
 *   A2  families of methods run, some of which share
 *   A3  sizes, if families on the rows as they are agree with one another by
 *       .15 more (mean ARI) than families on unit rows
 *   A4  in each task a vote of the families, each of weight 1
 *   A5  distances: A and B are votes of two groups of families, three more
 *       candidates are cuts of the spanning tree; judge keeps one.  B, the
 *       tree and judge see each distinct row once: a nearest-neighbor graph
 *       would make a cluster of every heap of equal rows.
 *   A6  directions: from the vote 15 steps of EM for a mixture of von
 *       Mises-Fisher distributions of one concentration, 80:
 *         q_iz ~ prior_z exp(80 x_i.c_z),  prior_z = mean_i q_iz,
 *         c_z = sum_i q_iz x_i to length 1
 *
 * The heart of it is the table of families, each a call of mtc.h.  auto costs
 * about as much as 100 runs of k-means.  Reference: none; the rule is our own.
 * ========================================================================== */

#define AUTO_EVEN ((mtc_real)1.002)    /* A1: squares within this are equal */
#define AUTO_NEAR ((mtc_real)1e-4)     /* tolerance of voters */
#define AUTO_BEST ((size_t)10)         /* k-means runs: the best votes */
#define AUTO_GAP ((mtc_real)0.15)      /* A3: rows agree by so much more */
#define AUTO_FIRST ((size_t)5)         /* A3: runs of a family that it sees */
#define AUTO_STEPS 15                  /* A6 */
#define AUTO_KAPPA ((mtc_real)80)      /* A6: concentration */
#define AUTO_SHORTER (1 - (mtc_real)1 / 4096)  /* center with zero rows */

/* ---- families of methods ------------------------------------------------- */

/* How a family runs: k-means; MBC or LSSMTC from each k-means run on the same
 * view; the cut of a graph of all rows, or of the nearest; the cut of the
 * consistent similarity; k-means on principal components.  The first three run
 * R times, the others once. */
typedef enum auto_way {
    AUTO_KM, AUTO_MBC, AUTO_LSS, AUTO_CUT, AUTO_KNN, AUTO_OWN, AUTO_PCA
} auto_way;

/* It looks at rows as they are, at rows of length 1 or, where the geometry is
 * distances, at distinct rows.  Cosines do not see the length of a row. */
typedef enum auto_view { AUTO_ROWS, AUTO_UNIT, AUTO_ONCE } auto_view;

/* The votes, as bits: on directions, on sizes, and on distances A and B. */
enum { AUTO_DIR = 1, AUTO_SIZE = 2, AUTO_A = 4, AUTO_B = 8 };

/* Those of each mtc_geometry; AUTO, once A1 has looked: either of two. */
static const unsigned auto_polls[] = {
    AUTO_DIR | AUTO_SIZE, AUTO_DIR, AUTO_SIZE, AUTO_A | AUTO_B
};

/* Family f has streams of kind f + 1; those of votes and drawn rows follow.
 * Where a family runs once, what comes before its k-means has the stream of a
 * second run. */
enum { AUTO_COUNT = 13, AUTO_VOTE, AUTO_DRAW };
#define AUTO_SECOND panel_stream(0, 1, 0)

/* The families of mtc.h, in the order in which they vote.  One task has nothing
 * to share: k-means votes in the place of what starts from it. */
static const struct auto_family {
    const char *name, *alone;  /* with several tasks, with one; NULL: no vote */
    auto_way way;
    auto_view view;
    int distances;   /* 1: distances count, the origin does not; 0: angles */
    int all;         /* 1: a call has all tasks; 0: a call for each */
    int compared;    /* 1: A3 compares it with others of the same `distances` */
    unsigned polls;  /* that it runs for */
} auto_families[AUTO_COUNT] = {
    /* name    alone     way       view       distances, all, compared, polls */
    {NULL,     "kmeans", AUTO_KM,  AUTO_UNIT, 0, 1, 1, AUTO_DIR},
    {"spec",   "spec",   AUTO_CUT, AUTO_ROWS, 0, 0, 1, AUTO_DIR},
    {"own",    "own",    AUTO_OWN, AUTO_ROWS, 0, 0, 1, AUTO_DIR | AUTO_SIZE},
    {"lsa",    "lsa",    AUTO_PCA, AUTO_UNIT, 0, 0, 0, AUTO_DIR},
    {"lsaJ",   "lsaJ",   AUTO_PCA, AUTO_UNIT, 0, 1, 1, AUTO_DIR},
    {"mbc",    NULL,     AUTO_MBC, AUTO_UNIT, 0, 1, 1, AUTO_DIR},
    {"lss",    NULL,     AUTO_LSS, AUTO_UNIT, 0, 1, 0, AUTO_DIR},
    {"kmeans", "kmeans", AUTO_KM,  AUTO_ROWS, 1, 1, 1, AUTO_SIZE | AUTO_A},
    {"mbcC",   NULL,     AUTO_MBC, AUTO_ROWS, 1, 1, 1, AUTO_SIZE | AUTO_A},
    {"pcaJ",   "pca",    AUTO_PCA, AUTO_ROWS, 1, 1, 1, AUTO_SIZE | AUTO_A},
    {"gauss",  "gauss",  AUTO_CUT, AUTO_ONCE, 1, 0, 1, AUTO_SIZE | AUTO_B},
    {"knn",    "knn",    AUTO_KNN, AUTO_ONCE, 1, 0, 0, AUTO_B},
    {"ownD",   "ownD",   AUTO_OWN, AUTO_ONCE, 1, 0, 0, AUTO_B}
};

typedef struct auto_job {
    panel p;
    mtc_auto_result r;
    unsigned polls[AUTO_COUNT];    /* the votes that family f has a part in */
    size_t first[AUTO_COUNT + 1];  /* its runs: first[f] .. first[f + 1] - 1 */
    mtc_data *rows;                /* [T] rows that take part */
    mtc_data *derived;             /* [T] the same rows at unit length or, for
                                      distances, the distinct ones */
    const mtc_data *look[3];       /* what a family looks at, by its view */
    int **twin;                    /* [T] of [v_t] number of the distinct row */
    mtc_real *norm;                /* [max v_t] squares of the distinct rows */
    size_t items;                  /* that lanes share: auto_run */
} auto_job;

static size_t auto_runs(const auto_job *j, size_t f)
{
    return j->first[f + 1] - j->first[f];
}

/* Does family f start from the runs of k-means, in their items? */
static int auto_follows(size_t f)
{
    return auto_families[f].way == AUTO_MBC || auto_families[f].way == AUTO_LSS;
}

mtc_auto_options mtc_auto_defaults(void)
{
    return (mtc_auto_options){.clusters = 2, .runs = 10, .sample = 2000};
}

static void auto_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    auto_job *j = (auto_job *)job;
    panel *p = &j->p;
    mtc_auto_result *r = &j->r;
    size_t T = p->T;
    int distances = r->geometry == MTC_GEOMETRY_AUTO ||  /* it may be */
                    r->geometry == MTC_GEOMETRY_DISTANCES;
    r->tasks = T;
    r->d = p->d;
    r->labels = panel_labels(own, p, 1, SIZE_MAX);
    panel_layout(own, tmp, p);
    r->centers = p->centers;
    MTC_SIZES(own, T, &r->clusters, &r->k_effective);
    r->candidate = MTC_TAKE(own, mtc_mul(T, MTC_AUTO_CANDIDATES), mtc_judged);
    MTC_REALS(own, mtc_mul(T, MTC_AUTO_FAMILIES), &r->by_family);
    MTC_REALS(own, T, &r->agreement, &r->margin, &r->agreement_ab,
              &r->agreement_kept);
    r->kept = MTC_TAKE(own, T, int);
    r->matched = MTC_TAKE(own, T, int);
    j->rows = MTC_TAKE(tmp, T, mtc_data);
    j->derived = MTC_TAKE(tmp, T, mtc_data);
    j->twin = panel_labels(tmp, p, distances ? 1 : 0, p->sample);
    for (size_t t = 0; t < T; t++) {
        const mtc_data *X = &p->tasks[t];
        mtc_data part = rows_shape(X, panel_rows(p, t));
        mtc_data rows = part.n < X->n ? rows_take(tmp, part) : *X;
        mtc_data derived = rows_take(tmp, part);
        if (j->rows != NULL) {  /* not while measuring */
            j->rows[t] = rows;
            j->derived[t] = derived;
        }
    }
    MTC_REALS(tmp, p->rows, &j->norm);
}

/* ---- A1: the geometry, and the rows -------------------------------------- */

/* A1, if the values alone decide it, else AUTO. */
static mtc_geometry auto_geometry(const panel *p, mtc_real *zeros)
{
    mtc_real low = MTC_HUGE, high = 0;
    if (!rows_sparse(p->tasks, p->T, zeros))
        return MTC_GEOMETRY_DISTANCES;
    for (size_t t = 0; t < p->T; t++)
        for (size_t i = 0; i < p->tasks[t].n; i++) {
            mtc_real square = row_square(&p->tasks[t], i);
            high = MTC_MAX(square, high);
            low = square > 0 ? MTC_MIN(square, low) : low;
        }
    return high <= AUTO_EVEN * low ? MTC_GEOMETRY_DIRECTIONS
                                   : MTC_GEOMETRY_AUTO;
}

/* The rows of task t that take part, and what is derived from them: unit rows
 * or, for distances, distinct ones.  These are sought by their squares, which
 * are rounded in another way where zeros are stored.  Distinct rows that are
 * too few for candidates other than A count as none. */
static void auto_fill(auto_job *j, const mtc_context *ctx, size_t t)
{
    const mtc_data *X = &j->p.tasks[t];
    mtc_data *rows = &j->rows[t], *derived = &j->derived[t];
    size_t n = panel_rows(&j->p, t);
    if (n < X->n)
        rows_draw(X, n, mtc_stream(ctx, panel_stream(AUTO_DRAW, 0, t)), rows);
    if (j->r.geometry != MTC_GEOMETRY_DISTANCES) {
        stack_fill(rows, 1, derived);
        rows_unit(derived);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        mtc_real square = row_square(rows, i);
        size_t a = 0;
        while (a < derived->n &&
               (MTC_FABS(j->norm[a] - square) > square / 1024 ||
                row_sq_distance(rows, i, derived, a) > 0))
            a++;
        if (a == derived->n)
            rows_add(rows, i, derived);
        j->norm[a] = square;
        j->twin[t][i] = (int)a;
    }
    if (!judge_can_score(derived->n, clusters_of(&j->p, t)))
        derived->n = 0;
}

/* ---- A2: the runs; A3: how well they agree ------------------------------- */

/* kmeans as run r of family f, and MBC and LSSMTC from it. */
static mtc_status auto_kmeans(const auto_job *j, size_t f, size_t r,
    panel_call call)
{
    size_t from = call.run;
    for (size_t t = 0; t < call.T; t++)
        MTC_TRY(panel_kmeans(&call, t, &call.X[t], 1, NULL));
    for (size_t g = 0; g < AUTO_COUNT; g++) {
        share_method m = j->p.method;
        if (auto_runs(j, g) == 0 || !auto_follows(g) ||
            auto_families[g].view != auto_families[f].view)
            continue;
        m.is_mbc = auto_families[g].way == AUTO_MBC;
        m.mbc.center = auto_families[g].distances;
        call.run = j->first[g] + r;
        call.stream = panel_stream(g + 1, r, 0);
        MTC_TRY(panel_method(&call, m, from));
    }
    return MTC_OK;
}

/* spec, gauss, knn: the normalized cut of a graph with loops; own, ownD: of the
 * consistent similarity, which is measured as if full. */
static mtc_status auto_cut(const struct auto_family *family, panel_call call)
{
    size_t n = call.X->n;
    mtc_data M = mtc_shape(n, n, mtc_mul(n, n));
    mtc_consistent_options similar = mtc_consistent_defaults();
    mtc_consistent_result own = {.M = &M};
    mtc_ncut_options o = mtc_ncut_defaults();
    mtc_ncut_result r = {.labels = NULL};
    client *c = call.client;
    o.clusters = similar.clusters = clusters_of(call.p, call.t);
    o.restarts = AUTO_BEST;
    o.tolerance = AUTO_NEAR;
    o.given = family->way == AUTO_OWN;
    o.graph.loops = 1;
    o.graph.neighbors = family->way == AUTO_KNN ? 10 : 0;  /* 0: all */
    similar.distances = family->distances;
    if (o.given) {
        MTC_TRY(client_call(c, call.stream ^ AUTO_SECOND ^ call.t,
                            mtc_consistent, call.X, 1, &similar, &own));
        client_keep(c);
        call.X = own.M;
    } else if (family->distances) {
        o.graph.similarity = MTC_SIMILARITY_GAUSSIAN;
        o.graph.local = 7;
    }
    MTC_TRY(client_call(c, call.stream ^ call.t, mtc_ncut, call.X, &o, &r));
    if (r.labels != NULL)
        MTC_COPY(panel_run(call.p, call.t, call.run), r.labels, n);
    return MTC_OK;
}

/* lsa, lsaJ, pcaJ: k-means on the scores by the top singular directions of one
 * task or of all.  Where angles count, scores get length 1.  Where distances
 * do, each task's own mean is removed; if there are no more features than
 * directions, the rows themselves serve, as where no direction is found. */
static mtc_status auto_pca(const struct auto_family *family, panel_call call)
{
    const panel *p = call.p;
    client *c = call.client;
    mtc_pca_options o = mtc_pca_defaults();
    mtc_pca_result r = {.dimension = 0};
    o.dimension = mtc_mul(2, p->most);
    if (!family->all)
        o.dimension = clusters_of(p, call.t);
    else if (family->distances && p->T == 1)
        o.dimension = p->most;
    o.mean = family->distances ? MTC_MEAN_OWN : MTC_MEAN_NONE;
    o.tolerance = AUTO_NEAR;
    if (!family->distances || p->d > o.dimension) {
        r.dimension = MTC_MIN(o.dimension, p->d);  /* while measuring */
        MTC_TRY(client_call(c, call.stream ^ AUTO_SECOND ^ call.t, mtc_pca,
                            call.X, call.T, &o, &r));
        client_keep(c);
    }
    if (!family->distances && r.scores != NULL)
        mtc_unit_rows(count_samples(call.X, call.T), r.dimension, r.scores);
    for (size_t s = 0; s < call.T; s++) {
        const mtc_data *X = &call.X[s];
        mtc_data Z = mtc_dense(X->n, r.dimension, r.scores);
        if (client_is_measuring(c))  /* the rows may have to serve */
            MTC_TRY(panel_kmeans(&call, call.t + s, X, AUTO_BEST, NULL));
        MTC_TRY(panel_kmeans(&call, call.t + s, r.dimension > 0 ? &Z : X,
                             AUTO_BEST, NULL));
        if (r.scores != NULL)
            r.scores += X->n * r.dimension;
    }
    return MTC_OK;
}

/* Run r of family f on the views X of T tasks, of which t is the first. */
static mtc_status auto_call(const auto_job *j, client *c, size_t f, size_t r,
    size_t t, size_t T, const mtc_data *X)
{
    const struct auto_family *family = &auto_families[f];
    panel_call call = {.p = &j->p, .client = c, .t = t, .T = T, .X = X,
                       .run = j->first[f] + r,
                       .stream = panel_stream(f + 1, r, 0)};
    if (family->way == AUTO_KM)
        return auto_kmeans(j, f, r, call);
    return family->way == AUTO_PCA ? auto_pca(family, call)
                                   : auto_cut(family, call);
}

/* A2: item i is a family that does not follow another, and its run or its task.
 * Lanes take items by turns.  The longest stand first, so that two lanes share
 * gauss and ownD, spec and own; the number of families is odd, so that they
 * share the runs and the tasks of one. */
static mtc_status auto_run(mtc_context *ctx, void *job, size_t i, size_t lane)
{
    /* gauss ownD spec own lsaJ knn pcaJ lsa kmeans; line 0; what follows */
    static const size_t order[] = {10, 12, 1, 2, 4, 11, 9, 3, 7, 0, 5, 6, 8};
    auto_job *j = (auto_job *)job;
    client *c = &j->p.clients[lane];
    size_t f = order[i % AUTO_COUNT], at = i / AUTO_COUNT;
    const struct auto_family *family = &auto_families[f];
    const mtc_data *X = j->look[family->view];
    size_t items = family->all ? auto_runs(j, f) : j->p.T;
    if (auto_follows(f) || !(family->polls & auto_polls[j->r.geometry]))
        items = 0;
    if (at >= items)
        return MTC_OK;
    MTC_TRY(mtc_tick(ctx, "auto", i, j->items));
    client_begin(c, ctx, family->all ? MTC_NONE : at);
    if (family->all)
        return auto_call(j, c, f, at, 0, j->p.T, X);
    return X[at].n > 0 ? auto_call(j, c, f, 0, at, 1, &X[at]) : MTC_OK;
}

/* A3: mean ARI between the first runs of families f and g in a task. */
static mtc_real auto_alike(const auto_job *j, const ballot *vote, size_t f,
    size_t g)
{
    size_t a = MTC_MIN(auto_runs(j, f), AUTO_FIRST);
    size_t b = MTC_MIN(auto_runs(j, g), AUTO_FIRST);
    mtc_real sum = 0;
    for (size_t x = 0; x < a; x++)
        for (size_t y = 0; y < b; y++)
            sum += ballot_ari(vote, ballot_run(vote, j->first[f] + x), NULL,
                              ballot_run(vote, j->first[g] + y));
    return sum / (mtc_real)(a * b);
}

/* A3: is family f one of those that are compared, by distances or by angles? */
static int auto_compares(const auto_job *j, size_t f, int distances)
{
    const struct auto_family *family = &auto_families[f];
    return auto_runs(j, f) > 0 && family->compared &&
           family->distances == distances;
}

/* A3: the mean over tasks and pairs of families that are compared. */
static mtc_real auto_agreement(auto_job *j, mtc_context *ctx, int distances)
{
    mtc_real sum = 0, pairs = 0;
    for (size_t t = 0; t < j->p.T; t++) {
        ballot vote = ballot_open(&j->p, j->p.clients, ctx, t);
        for (size_t f = 0; f < AUTO_COUNT; f++)
            for (size_t g = f + 1; g < AUTO_COUNT; g++)
                if (auto_compares(j, f, distances) &&
                    auto_compares(j, g, distances)) {
                    sum += auto_alike(j, &vote, f, g);
                    pairs += 1;
                }
    }
    return sum / pairs;
}

/* ---- A4 and A5: votes, and the candidates -------------------------------- */

/* z [n]: a vote of families, each of weight 1, which its runs share. */
static mtc_status auto_vote(const auto_job *j, ballot *vote, unsigned on,
    size_t n, int *z)
{
    for (size_t f = 0; f < AUTO_COUNT; f++)
        if (j->polls[f] & on)
            ballot_add(vote, j->first[f], auto_runs(j, f),
                       1 / (mtc_real)auto_runs(j, f));
    return ballot_vote(vote, n, NULL, panel_stream(AUTO_VOTE, on, vote->t), z);
}

/* A5: candidates [5] label the distinct rows: by A, from its labels [n] of all
 * rows; by B; and by cuts of the spanning tree, for three Gini indices. */
static mtc_status auto_candidates(auto_job *j, ballot *vote,
    const mtc_data *distinct, const int *A, int **candidate)
{
    static const double gini[] = {0.1, 0.3, 0.5};  /* from candidate 2 on */
    client *c = vote->client;
    mtc_tree_result tree = {.n = distinct->n};  /* while measuring */
    size_t known = client_is_measuring(c) ? 0 : vote->n;
    for (size_t e = 0; e < MTC_AUTO_CANDIDATES; e++)
        candidate[e] = MTC_TAKE(&c->stack, distinct->n, int);
    for (size_t i = known; i-- > 0;)
        candidate[0][j->twin[vote->t][i]] = A[i];  /* that of the first wins */
    MTC_TRY(auto_vote(j, vote, AUTO_B, distinct->n, candidate[1]));
    MTC_TRY(client_call(c, 0, mtc_tree, distinct, &tree));
    client_keep(c);
    for (size_t e = 2; e < MTC_AUTO_CANDIDATES; e++) {
        mtc_tree_options o = {.clusters = vote->k,
                              .gini = (mtc_real)gini[e - 2]};
        MTC_TRY(client_call(c, 0, mtc_tree_cut, &tree, &o, candidate[e]));
    }
    return MTC_OK;
}

/* A5: answer [n] is A, up to the end; then what judge prefers to it, if any. */
static mtc_status auto_choose(auto_job *j, ballot *vote,
    const mtc_data *distinct, int *answer)
{
    mtc_auto_result *r = &j->r;
    size_t t = vote->t, m = MTC_AUTO_CANDIDATES;
    int *candidate[MTC_AUTO_CANDIDATES];
    mtc_judge_result judge;
    MTC_TRY(auto_vote(j, vote, AUTO_A, vote->n, answer));
    if (!judge_can_score(distinct->n, vote->k))
        return MTC_OK;
    MTC_TRY(auto_candidates(j, vote, distinct, answer, candidate));
    MTC_TRY(client_call(vote->client, 0, mtc_judge, distinct,
                        (const int *const *)candidate, m, vote->k, &judge));
    if (client_is_measuring(vote->client))
        return MTC_OK;
    const int *kept = candidate[judge.kept];
    MTC_COPY(r->candidate + t * m, judge.of, m);
    r->margin[t] = judge.margin;
    r->kept[t] = (int)judge.kept;
    r->agreement_ab[t] = ballot_ari(vote, candidate[1], j->twin[t], answer);
    if (judge.kept == 0)
        return MTC_OK;
    r->agreement_kept[t] = ballot_ari(vote, kept, j->twin[t], answer);
    for (size_t i = 0; i < vote->n; i++)
        answer[i] = kept[j->twin[t][i]];
    return MTC_OK;
}

/* ---- A6: polish ---------------------------------------------------------- */

typedef struct auto_mix {
    const mtc_data *X;    /* unit rows */
    size_t k;
    int *labels;          /* [n] */
    mtc_real *C, *S;      /* [d*k] centers as columns, and X'Q */
    mtc_real *Q, *prior;  /* [n*k], [k] */
} auto_mix;

/* Rows of Q, q_z ~ prior_z exp(80 x.c_z), and labels by the largest.  Products
 * of a zero row are 0, and stay; so does its label. */
static void auto_mix_rows(const auto_mix *m)
{
    size_t k = m->k;
    mtc_data_times(m->X, k, m->C, k, m->Q, k, NULL);
    for (size_t i = 0; i < m->X->n; i++) {
        mtc_real *q = m->Q + i * k, top = -MTC_HUGE, sum = 0;
        if (row_square(m->X, i) == 0)
            continue;
        for (size_t z = 0; z < k; z++)
            top = m->prior[z] > 0 ? MTC_MAX(q[z], top) : top;
        for (size_t z = 0; z < k; z++) {
            q[z] = m->prior[z] > 0
                       ? m->prior[z] * mtc_exp(AUTO_KAPPA * (q[z] - top)) : 0;
            sum += q[z];
        }
        for (size_t z = 0; z < k; z++)
            q[z] /= sum;
        m->labels[i] = (int)argmax(k, q);
    }
}

/* Columns c_z = S_z / |S_z|, S = X'Q, and prior, the sums of Q by column.  An
 * empty cluster keeps its center. */
static void auto_mix_centers(const auto_mix *m)
{
    size_t k = m->k;
    mtc_data_transpose_times(m->X, k, m->Q, k, m->S, k, NULL);
    MTC_ZERO(m->prior, k);
    for (size_t i = 0; i < m->X->n; i++)
        mtc_axpy(k, 1, m->Q + i * k, m->prior);
    for (size_t z = 0; z < k; z++) {
        mtc_real square = 0;
        for (size_t e = 0; e < m->X->d; e++)
            square += m->S[e * k + z] * m->S[e * k + z];
        if (square > 0)
            for (size_t e = 0; e < m->X->d; e++)
                m->C[e * k + z] = m->S[e * k + z] / MTC_SQRT(square);
    }
}

/* A6 from labels [n] and their means U [k*d], which become the centers of the
 * mixture.  Zero rows do not count.  They keep their label, or take the first
 * one's where the votes part them; its center is a little shorter, so that new
 * ones follow.  A cluster without other rows has no direction: its center lies
 * opposite the largest one's.  That of an empty cluster is longer, by which
 * auto_angles knows it. */
static void auto_polish(const ballot *vote, const mtc_data *X, int *labels,
    mtc_real *U)
{
    size_t n = X->n, d = X->d, k = vote->k, *count = vote->count;
    mtc_stack *st = &vote->client->stack;
    auto_mix m = {.X = X, .k = k, .labels = labels};
    MTC_REALS(st, mtc_mul(d, k), &m.C, &m.S);
    MTC_REALS(st, mtc_mul(n, k), &m.Q);
    MTC_REALS(st, k, &m.prior);
    if (m.C == NULL)  /* measuring */
        return;
    transpose(k, d, U, m.C);
    MTC_ZERO(m.Q, n * k);
    for (size_t i = 0; i < n; i++)
        m.Q[i * k + (size_t)labels[i]] = row_square(X, i) > 0;
    auto_mix_centers(&m);
    for (size_t step = 0; step < AUTO_STEPS; step++) {
        auto_mix_rows(&m);
        auto_mix_centers(&m);
    }
    size_t top = argmax(k, m.prior), zero = k;
    MTC_ZERO(count, k);
    for (size_t i = 0; i < n; i++)
        if (row_square(X, i) > 0) {
            count[labels[i]]++;
        } else {
            zero = zero < k ? zero : (size_t)labels[i];
            labels[i] = (int)zero;
        }
    for (size_t z = 0; z < k; z++) {
        mtc_real length = z == zero      ? AUTO_SHORTER
                          : count[z] > 0 ? 1 : 1 / AUTO_SHORTER;
        for (size_t e = 0; e < d; e++)
            U[z * d + e] = length * (count[z] > 0 ? m.C[e * k + z]
                                                  : -m.C[e * k + top]);
    }
}

/* ---- the answer for all rows --------------------------------------------- */

/* Directions: the nearest unit mean has the largest product with the row, whose
 * own length does not count.  If all products are 0, that of the zero rows
 * wins, whose |u|^2 (offset) is AUTO_SHORTER^2, else the lowest number.  An
 * empty cluster never wins: signed rows may lie where its center does. */
static void auto_angles(kmeans_ws *w, size_t i)
{
    size_t k = w->o->clusters, met = 0;
    km_products(w, w->X, i, 0);
    for (size_t z = 0; z < k; z++)
        met += w->dist[z] != 0;
    for (size_t z = 0; z < k; z++) {
        mtc_real zeros = w->offset[z] < AUTO_SHORTER;
        int empty = w->offset[z] > 1 / AUTO_SHORTER;
        w->dist[z] = empty ? MTC_HUGE : met > 0 ? -w->dist[z] : -zeros;
    }
}

/* k-means' own loop, with another distance. */
static void auto_angles_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    kmeans_assign_layout(own, tmp, job);
    ((kmeans_assign_job *)job)->w.distances = auto_angles;
}

/* labels [X.n] of the nearest means; directions are compared by angles. */
static mtc_status auto_label(mtc_context *ctx, mtc_geometry geometry,
    const mtc_data *X, const mtc_kmeans_result *model, int *labels)
{
    kmeans_assign_job job = {.X = X, .model = model, .labels = labels};
    if (geometry != MTC_GEOMETRY_DIRECTIONS)
        return mtc_kmeans_assign(ctx, X, model, labels);
    MTC_TRY(mtc_data_sound(ctx, X, MTC_NONE));
    MTC_TRY(require(ctx, X->d == model->d && is_given(ctx, labels),
                    "need a result of X's width, and labels"));
    job.o.clusters = model->clusters;
    return mtc_job_run(ctx, auto_angles_layout, kmeans_assign_work, &job);
}

/* labels [n_t]: rows that did not take part follow the nearest mean or, where A
 * was not kept, the nearest row that did.  The others keep their answer.  An
 * empty cluster gets none: it has cluster 0's mean, and votes always use 0. */
static mtc_status auto_rest(auto_job *j, const ballot *vote,
    const mtc_data *rows, const int *answer)
{
    mtc_auto_result *r = &j->r;
    client *c = vote->client;
    const mtc_data *X = &j->p.tasks[vote->t];
    size_t t = vote->t, n = X->n, voter = 0;
    int measuring = client_is_measuring(c), rest = vote->n < n;
    int by_mean = rest && (measuring || r->kept[t] == 0);
    int by_row = rest && (measuring || r->kept[t] != 0);
    int *labels = measuring ? NULL : r->labels[t];
    mtc_kmeans_result model = {.clusters = vote->k, .d = X->d,
                               .centers = measuring ? NULL : r->centers[t]};
    mtc_random random = mtc_stream(c->outer, panel_stream(AUTO_DRAW, 0, t));
    size_t *nearest = MTC_TAKE(&c->stack, by_row ? n : 0, size_t);
    if (by_mean)
        MTC_TRY(client_call(c, 0, auto_label, r->geometry, X, &model, labels));
    if (by_row)
        MTC_TRY(client_call(c, 0, mtc_neighbors, rows, X, 1,
                            MTC_DISTANCE_SQEUCLIDEAN, nearest, NULL));
    if (measuring)
        return MTC_OK;
    for (size_t i = 0; i < n; i++)
        if (is_drawn(&random, n - i, vote->n - voter))  /* as in auto_fill */
            labels[i] = answer[voter++];
        else if (by_row)
            labels[i] = answer[nearest[i]];
    return MTC_OK;
}

/* How well each family agrees with the answer; -1: it did not run.  What looks
 * at fewer rows than take part looks at distinct ones. */
static void auto_report(auto_job *j, const ballot *vote, const int *answer)
{
    mtc_auto_result *r = &j->r;
    mtc_real *by_family = r->by_family + vote->t * r->families;
    mtc_real sum = 0, asked = 0;
    for (size_t f = 0; f < AUTO_COUNT; f++) {
        const mtc_data *X = &j->look[auto_families[f].view][vote->t];
        const int *twin = X->n < vote->n ? j->twin[vote->t] : NULL;
        size_t runs = X->n > 0 ? auto_runs(j, f) : 0;
        if (!(j->polls[f] & auto_polls[r->geometry]))
            continue;
        mtc_real ari = 0;
        for (size_t i = 0; i < runs; i++)
            ari += ballot_ari(vote, ballot_run(vote, j->first[f] + i), twin,
                              answer) / (mtc_real)runs;
        *by_family++ = runs > 0 ? ari : -1;
        sum += ari;
        asked += runs > 0;
    }
    r->agreement[vote->t] = sum / asked;
}

/* A4 to A6 for task t: the answer, a model of it, and the report. */
static mtc_status auto_task(mtc_context *ctx, void *job, size_t t, size_t lane)
{
    auto_job *j = (auto_job *)job;
    mtc_auto_result *r = &j->r;
    client *c = &j->p.clients[lane];
    const mtc_data *X = &j->p.tasks[t];
    ballot vote = ballot_open(&j->p, c, ctx, t);
    int measuring = client_is_measuring(c);
    int directions = r->geometry == MTC_GEOMETRY_DIRECTIONS;
    int *answer = MTC_TAKE(&c->stack, vote.n, int);
    mtc_data rows = measuring ? rows_shape(X, vote.n) : j->rows[t];
    mtc_data derived = measuring ? rows : j->derived[t];
    if (r->geometry == MTC_GEOMETRY_DISTANCES)
        MTC_TRY(auto_choose(j, &vote, &derived, answer));
    else
        MTC_TRY(auto_vote(j, &vote, auto_polls[r->geometry], vote.n, answer));
    if (!measuring)
        full_means(directions ? &derived : &rows, vote.k, answer, r->centers[t],
                   vote.share);
    if (directions)
        auto_polish(&vote, &derived, answer, measuring ? NULL : r->centers[t]);
    MTC_TRY(auto_rest(j, &vote, &rows, answer));
    if (measuring)
        return MTC_OK;
    auto_report(j, &vote, answer);
    r->clusters[t] = vote.k;
    r->k_effective[t] = labels_used(X->n, r->labels[t], vote.k, vote.count);
    return MTC_OK;
}

/* ---- all of it ----------------------------------------------------------- */

/* A1 to A3: the geometry, and all runs. */
static mtc_status auto_run_all(auto_job *j, mtc_context *ctx)
{
    panel *p = &j->p;
    mtc_auto_result *r = &j->r;
    mtc_geometry seen = auto_geometry(p, &r->zeros);
    if (r->geometry == MTC_GEOMETRY_AUTO)
        r->geometry = seen;
    for (size_t t = 0; t < p->T; t++)
        auto_fill(j, ctx, t);
    j->look[AUTO_ROWS] = j->rows;
    j->look[AUTO_UNIT] = j->derived;
    j->look[AUTO_ONCE] = r->geometry == MTC_GEOMETRY_DISTANCES ? j->derived
                                                               : j->rows;
    MTC_TRY(mtc_share(ctx, p->lanes, p->lane, j->items, auto_run, j));
    if (r->geometry != MTC_GEOMETRY_AUTO)
        return MTC_OK;
    r->agreement_distances = auto_agreement(j, ctx, 1);
    r->agreement_directions = auto_agreement(j, ctx, 0);
    r->geometry = r->agreement_distances > r->agreement_directions + AUTO_GAP
                      ? MTC_GEOMETRY_SIZES : MTC_GEOMETRY_DIRECTIONS;
    return MTC_OK;
}

static mtc_status auto_work(mtc_context *ctx, void *job)
{
    auto_job *j = (auto_job *)job;
    panel *p = &j->p;
    mtc_auto_result *r = &j->r;
    MTC_TRY(auto_run_all(j, ctx));
    int distances = r->geometry == MTC_GEOMETRY_DISTANCES;
    for (size_t f = 0; f < AUTO_COUNT; f++)
        if (j->polls[f] & auto_polls[r->geometry])
            r->name[r->families++] = p->T == 1 ? auto_families[f].alone
                                               : auto_families[f].name;
    MTC_ZERO(r->candidate, p->T * MTC_AUTO_CANDIDATES);
    MTC_ZERO(r->margin, p->T);
    MTC_ZERO(r->kept, p->T);
    for (size_t t = 0; t < p->T; t++) {  /* unless others than A are judged */
        r->agreement_ab[t] = distances ? -1 : 0;
        r->agreement_kept[t] = distances ? 1 : 0;
    }
    MTC_TRY(mtc_share(ctx, p->lanes, p->lane, p->T, auto_task, j));
    int fills = r->geometry != MTC_GEOMETRY_DIRECTIONS;  /* A6 has done it */
    return panel_match(p, ctx, r->labels, NULL, r->k_effective, fills,
                       r->matched);
}

/* Measures the runs of family f.  The number of distinct rows is not known yet,
 * and fewer rows can need more, as small eigenproblems are solved another way:
 * every possible number is measured, without data.  A5 needs much less. */
static mtc_status auto_measure_runs(auto_job *j, mtc_context *ctx, size_t f)
{
    panel *p = &j->p;
    client *c = &p->ask;
    client_begin(c, ctx, MTC_NONE);
    if (auto_families[f].all) {
        if (p->T > p->shapes) {  /* what PANEL_SHAPES adds */
            MTC_TRY(auto_call(j, c, f, 0, 0, p->T, p->tasks));
            c->stack.used = c->stack.peak;
        }
        return auto_call(j, c, f, 0, 0, p->shapes, p->shape);
    }
    for (size_t t = 0; t < p->T; t++) {
        size_t n = panel_rows(p, t), rows = n;
        if (auto_families[f].view == AUTO_ONCE)
            rows = MTC_MIN(mtc_add(clusters_of(p, t), JUDGE_ROWS), n);
        for (; rows <= n; rows++) {
            mtc_data part = rows_shape(&p->tasks[t], rows);
            client_begin(c, ctx, t);
            MTC_TRY(auto_call(j, c, f, 0, t, 1, &part));
        }
    }
    return MTC_OK;
}

/* Measures all calls, for each geometry that the data may turn out to have. */
static mtc_status auto_measure(auto_job *j, mtc_context *ctx)
{
    panel *p = &j->p;
    const mtc_geometry wanted = j->r.geometry;
    p->clients = &p->ask;
    if (p->m == SIZE_MAX)
        return MTC_OK;  /* too many runs: the layout says so */
    for (size_t t = 0; t < p->T; t++) {
        mtc_data part = rows_shape(&p->tasks[t], panel_rows(p, t));
        panel_shape(p, t, &part);
        for (int g = 1; g <= MTC_GEOMETRY_DISTANCES; g++) {  /* 0 is AUTO */
            j->r.geometry = (mtc_geometry)g;
            if (wanted == MTC_GEOMETRY_AUTO || wanted == j->r.geometry)
                MTC_TRY(auto_task(ctx, j, t, 0));
        }
    }
    j->r.geometry = wanted;
    for (size_t f = 0; f < AUTO_COUNT; f++)
        if (auto_runs(j, f) > 0 && !auto_follows(f))
            MTC_TRY(auto_measure_runs(j, ctx, f));
    return MTC_OK;
}

/* Which families run, and how often.  LSSMTC needs one k. */
static void auto_enlist(auto_job *j, size_t R)
{
    const panel *p = &j->p;
    unsigned wanted = auto_polls[j->r.geometry];
    if (j->r.geometry == MTC_GEOMETRY_AUTO)
        wanted |= auto_polls[MTC_GEOMETRY_DISTANCES];  /* A1 may find them */
    for (size_t f = 0; f < AUTO_COUNT; f++) {
        const struct auto_family *family = &auto_families[f];
        int votes = (p->T == 1 ? family->alone : family->name) != NULL &&
                    (family->way != AUTO_LSS || p->even);
        size_t runs = 0;
        if ((family->polls & wanted) && (votes || family->way == AUTO_KM))
            runs = family->way <= AUTO_LSS ? R : 1;
        j->polls[f] = votes && runs > 0 ? family->polls : 0;
        j->first[f + 1] = mtc_add(j->first[f], runs);
    }
}

mtc_status mtc_auto(mtc_context *ctx, const mtc_data *tasks, size_t n_tasks,
    const mtc_auto_options *opt, mtc_auto_result *res)
{
    const mtc_auto_options usual = mtc_auto_defaults();
    const mtc_auto_options *o = opt != NULL ? opt : &usual;
    auto_job job = {.p = {.tasks = tasks, .T = n_tasks, .sample = o->sample,
                          .clusters = o->clusters,
                          .clusters_of = o->clusters_of}};
    panel *p = &job.p;
    MTC_TRY(panel_begin(p, ctx, NULL, NULL));
    MTC_TRY(require(ctx, o->runs > 0, "runs: need 1 or more"));
    MTC_TRY(require(ctx, (unsigned)o->geometry <= MTC_GEOMETRY_DISTANCES,
                    "geometry: need one of MTC_GEOMETRY_*"));
    job.r.geometry = o->geometry;
    job.r.agreement_distances = job.r.agreement_directions = -1;
    p->method.mbc.tolerance = p->method.lss.tolerance = AUTO_NEAR;
    auto_enlist(&job, o->runs);
    p->m = job.first[AUTO_COUNT];
    job.items = mtc_mul(AUTO_COUNT, MTC_MAX(o->runs, n_tasks));
    MTC_TRY(auto_measure(&job, ctx));
    p->lanes = panel_lanes(p, ctx, mtc_mul(p->m, n_tasks));
    return job_result(ctx, auto_layout, auto_work, &job, res);
}

mtc_status mtc_auto_assign(mtc_context *ctx, const mtc_data *X, size_t task,
    const mtc_auto_result *res, int *labels)
{
    MTC_TRY(require(ctx, res != NULL && task < res->tasks,
                    "task: need one of the result's"));
    mtc_kmeans_result model = {.clusters = res->clusters[task], .d = res->d,
                               .centers = res->centers[task]};
    return auto_label(ctx, res->geometry, X, &model, labels);
}
