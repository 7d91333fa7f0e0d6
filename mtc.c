/* SPDX-License-Identifier: MIT
 *
 * mtc.c - layers 3 to 5 of mtc: learners, measures, methods.
 *
 * Reads from top to bottom, a chapter for each subject, bottom-up: nothing is
 * used before it is written.  Everything stands on linalg.c and lp.c.
 *
 *   Chapter 1  Rows, pairs and stacks of views
 *   Chapter 2  Bregman divergences
 *   Chapter 3  k-means
 *   Chapter 4  Nearest neighbours and similarity graphs
 *   Chapter 5  Label propagation
 *   Chapter 6  Logistic regression
 *   Chapter 7  Support vector machine
 *   Chapter 8  Normalised cut
 *   Chapter 9  Symmetric non-negative factorisation
 *   Chapter 10 Measures
 *   Chapter 11 LSSMTC and LSSTTC: one subspace shared by all tasks
 *   Chapter 12 Transductive support vector machine
 *@VOTE@
 *@MSDA@
 *@MBC@
 *@MTCFIR@
 *@TTL@
 *@EC@
 *
 * References are listed at the head of mtc.h.
 */
#define MTC_INTERNAL
#include "mtc.h"

#if MTC_VERSION != 100
#error "mtc.c and mtc.h are of different versions"
#endif

/* ==========================================================================
 * Chapter 1  Rows, pairs and stacks of views
 *
 * What the learners share beyond the verbs of linalg.c: a row as a dense
 * vector, exact squared distances, blocks of distances between all pairs.
 *
 * Squared distances by |x|^2 + |y|^2 - 2 x.y lose every digit where the two
 * are close, so the expanded form is only a first guess here: wherever it
 * cancels by more than three digits, the difference is summed instead.
 * ========================================================================== */

#define PAIR_ROWS ((size_t)32)          /* rows of a block of pairs */
#define PAIR_CANCEL ((mtc_real)1e-3)    /* share below which we sum anew */

static mtc_status bad_option(mtc_context *ctx, const char *what)
{
    return mtc_fail(ctx, MTC_INVALID, what, MTC_NONE, MTC_NONE, MTC_NONE);
}

/* Labels of n samples have to lie in 0..k-1. */
static mtc_status check_labels(mtc_context *ctx, const int *labels, size_t n,
                               size_t k, size_t task)
{
    if (labels == NULL)
        return mtc_fail(ctx, MTC_INVALID, "labels", task, MTC_NONE, MTC_NONE);
    for (size_t i = 0; i < n; i++)
        if (labels[i] < 0 || (size_t)labels[i] >= k)
            return mtc_fail(ctx, MTC_INVALID, "labels", task, i, MTC_NONE);
    return MTC_OK;
}

/* Weights of n samples: finite, none negative, not all zero; NULL is fine. */
static mtc_status check_weights(mtc_context *ctx, const mtc_real *weights,
                                size_t n)
{
    if (weights == NULL)
        return MTC_OK;
    mtc_real total = 0;
    for (size_t i = 0; i < n; i++) {
        if (!MTC_FINITE(weights[i]) || weights[i] < 0)
            return mtc_fail(ctx, MTC_DOMAIN, "weights", MTC_NONE, i, MTC_NONE);
        total += weights[i];
    }
    return total > 0 ? MTC_OK : bad_option(ctx, "weights");
}

/* Row i holds values[e] for e from row_begin to before row_end, dense or not;
 * entry_column tells the column of e. */
static size_t row_begin(const mtc_data *X, size_t i)
{
    return X->row == NULL ? i * X->stride : X->row[i];
}

static size_t row_end(const mtc_data *X, size_t i)
{
    return X->row == NULL ? i * X->stride + X->d : X->row[i + 1];
}

static size_t entry_column(const mtc_data *X, size_t begin, size_t e)
{
    return X->row == NULL ? e - begin : X->column[e];
}

/* Row i as d contiguous reals: in place if dense, else spread into buffer. */
static const mtc_real *row_dense(const mtc_data *X, size_t i, mtc_real *buffer)
{
    if (X->row == NULL)
        return X->values + i * X->stride;
    memset(buffer, 0, X->d * sizeof *buffer);
    for (size_t e = X->row[i]; e < X->row[i + 1]; e++)
        buffer[X->column[e]] = X->values[e];
    return buffer;
}

/* Rows first..first+count-1 as a view of their own. */
static mtc_data row_slice(const mtc_data *X, size_t first, size_t count)
{
    mtc_data S = *X;
    S.n = count;
    if (X->row == NULL)
        S.values += first * X->stride;
    else
        S.row += first;
    return S;
}

/* |x - y|^2 summed term by term, in four lanes so that it vectorises. */
static mtc_real sq_distance(size_t d, const mtc_real *x, const mtc_real *y)
{
    mtc_real lane[4] = {0, 0, 0, 0};
    size_t j = 0;
    for (; j + 4 <= d; j += 4)
        for (size_t z = 0; z < 4; z++) {
            mtc_real t = x[j + z] - y[j + z];
            lane[z] += t * t;
        }
    for (; j < d; j++)
        lane[0] += (x[j] - y[j]) * (x[j] - y[j]);
    return (lane[0] + lane[1]) + (lane[2] + lane[3]);
}

/* |x_i - y_j|^2 between rows of any two views, by merging their entries. */
static mtc_real row_sq_distance(const mtc_data *X, size_t i, const mtc_data *Y,
                                size_t j)
{
    if (X->row == NULL && Y->row == NULL)
        return sq_distance(X->d, X->values + i * X->stride,
                           Y->values + j * Y->stride);
    size_t a0 = row_begin(X, i), a1 = row_end(X, i);
    size_t b0 = row_begin(Y, j), b1 = row_end(Y, j);
    mtc_real sum = 0;
    for (size_t a = a0, b = b0; a < a1 || b < b1;) {
        size_t ca = a < a1 ? entry_column(X, a0, a) : SIZE_MAX;
        size_t cb = b < b1 ? entry_column(Y, b0, b) : SIZE_MAX;
        mtc_real t = 0;
        if (ca <= cb)
            t = X->values[a++];
        if (cb <= ca)
            t -= Y->values[b++];
        sum += t * t;
    }
    return sum;
}

/* D [Q.n*ldd] = squared distances between all rows of Q and of Y, or with
 * `cosine` 1 - cosine (a zero row has cosine 0 with all, itself included).
 * nq, ny are the squared lengths of the rows. */
static void pair_block(const mtc_data *Q, const mtc_real *nq,
                       const mtc_data *Y, const mtc_real *ny, int cosine,
                       mtc_real *D, size_t ldd, void *work)
{
    mtc_data_gram(Q, Y, D, ldd, work);
    for (size_t i = 0; i < Q->n; i++)
        for (size_t j = 0; j < Y->n; j++) {
            mtc_real *entry = &D[i * ldd + j];
            if (cosine) {
                mtc_real length = MTC_SQRT(nq[i]) * MTC_SQRT(ny[j]);
                *entry = length > 0 ? 1 - *entry / length : 1;
                continue;
            }
            mtc_real sum = nq[i] + ny[j];
            mtc_real sq = sum - 2 * *entry;
            if (!(sq >= PAIR_CANCEL * sum))     /* NaN comes here as well */
                sq = row_sq_distance(Q, i, Y, j);
            *entry = sq;
        }
}

/* Work for pair_block of at most PAIR_ROWS rows of any of the sets against
 * any of them, and of `extra` unless NULL: the verbs' own query, largest
 * pair. */
static size_t pair_work(const mtc_data *sets, size_t n_sets,
                        const mtc_data *extra)
{
    size_t most = 0;
    for (size_t a = 0; a < n_sets + (extra != NULL); a++)
        for (size_t b = 0; b < n_sets + (extra != NULL); b++) {
            size_t need = mtc_data_work(a < n_sets ? &sets[a] : extra,
                                        b < n_sets ? &sets[b] : extra, 1);
            most = need > most ? need : most;
        }
    return most;
}

/* All samples of all sets; SIZE_MAX on overflow. */
static size_t count_samples(const mtc_data *sets, size_t n_sets)
{
    size_t n = 0;
    for (size_t s = 0; s < n_sets; s++)
        n = mtc_add(n, sets[s].n);
    return n;
}

/* Sets given together: each well formed, all of one width. */
static mtc_status check_sets(mtc_context *ctx, const mtc_data *sets,
                             size_t n_sets)
{
    if (sets == NULL || n_sets == 0)
        return bad_option(ctx, "no data");
    for (size_t s = 0; s < n_sets; s++) {
        mtc_status st = mtc_data_check(ctx, &sets[s], s);
        if (st != MTC_OK)
            return st;
        if (sets[s].d != sets[0].d)
            return mtc_fail(ctx, MTC_INVALID, "features differ in number", s,
                            MTC_NONE, MTC_NONE);
    }
    return MTC_OK;
}

/* Labelled sources and a target: as above, labels 0..classes-1. */
static mtc_status check_transfer(mtc_context *ctx, const mtc_data *sources,
                                 const int *const *labels, size_t n_sources,
                                 const mtc_data *target, size_t classes)
{
    mtc_status s = check_sets(ctx, sources, n_sources);
    if (s != MTC_OK ||
        (s = mtc_data_check(ctx, target, n_sources)) != MTC_OK)
        return s;
    if (target->d != sources[0].d)
        return bad_option(ctx, "features differ in number");
    if (classes == 0 || classes > INT_MAX)
        return bad_option(ctx, "classes");
    if (labels == NULL)
        return bad_option(ctx, "labels");
    for (size_t i = 0; s == MTC_OK && i < n_sources; i++)
        s = check_labels(ctx, labels[i], sources[i].n, classes, i);
    return s;
}

/* mean [d] = mean row of all sets. */
static void mean_row(const mtc_data *sets, size_t n_sets, mtc_real *mean)
{
    size_t d = sets[0].d;
    mtc_real scale = 1 / (mtc_real)count_samples(sets, n_sets);
    memset(mean, 0, d * sizeof *mean);
    for (size_t s = 0; s < n_sets; s++)
        for (size_t i = 0; i < sets[s].n; i++)
            mtc_data_axpy(&sets[s], i, scale, mean);
}

/* Mean of |x_i - x_j|^2 over all pairs i != j of all sets: twice the summed
 * square about the mean over N - 1.  1 if there is nothing to measure by. */
static mtc_real mean_sq_distance(const mtc_data *sets, size_t n_sets,
                                 mtc_real *mean, mtc_real *buffer)
{
    size_t d = sets[0].d, N = count_samples(sets, n_sets);
    mtc_real spread = 0, about = 0;
    mean_row(sets, n_sets, mean);
    mtc_real mm = mtc_dot(d, mean, mean);
    for (size_t s = 0; s < n_sets; s++)
        for (size_t i = 0; i < sets[s].n; i++) {
            mtc_data one = row_slice(&sets[s], i, 1);
            mtc_real xx;
            mtc_data_norms(&one, &xx);
            about = xx - 2 * mtc_data_dot(&one, 0, mean) + mm;
            if (about < PAIR_CANCEL * (xx + mm))
                about = sq_distance(d, row_dense(&one, 0, buffer), mean);
            spread += about;
        }
    return N > 1 && spread > 0 ? 2 * spread / (mtc_real)(N - 1) : 1;
}

/* Values that a view stores. */
static size_t stored_values(const mtc_data *X)
{
    return X->row == NULL ? mtc_mul(X->n, X->d) : X->row[X->n];
}

/* Memory for a copy of all sets, and of `extra` unless NULL, one above the
 * other: dense if all of them are, else CSR.  While measuring, row is a mere
 * sign that the copy will be CSR. */
static void stack_layout(mtc_stack *st, const mtc_data *sets, size_t n_sets,
                         const mtc_data *extra, mtc_data *out)
{
    size_t n = 0, stored = 0;
    const size_t *sparse = NULL;
    for (size_t s = 0; s < n_sets + (extra != NULL); s++) {
        const mtc_data *X = s < n_sets ? &sets[s] : extra;
        n = mtc_add(n, X->n);
        stored = mtc_add(stored, stored_values(X));
        sparse = X->row != NULL ? X->row : sparse;
    }
    *out = mtc_dense(n, sets[0].d, MTC_TAKE(st, stored, mtc_real));
    if (sparse == NULL)
        return;
    const size_t *row = MTC_TAKE(st, mtc_add(n, 1), size_t);
    const uint32_t *column = MTC_TAKE(st, stored, uint32_t);
    *out = mtc_csr(n, sets[0].d, row != NULL ? row : sparse, column,
                   out->values);
}

/* Fills such a copy, every value times `scale`. */
static void stack_fill(const mtc_data *sets, size_t n_sets, mtc_real scale,
                       mtc_data *out)
{
    mtc_real *values = (mtc_real *)out->values;     /* ours: just carved */
    uint32_t *column = (uint32_t *)out->column;
    size_t *row = (size_t *)out->row, at = 0, line = 0;
    for (size_t s = 0; s < n_sets; s++)
        for (size_t i = 0; i < sets[s].n; i++, line++) {
            const mtc_data *X = &sets[s];
            size_t e0 = row_begin(X, i), e1 = row_end(X, i);
            if (row != NULL)
                row[line] = at;
            for (size_t e = e0; e < e1; e++, at++) {
                values[at] = scale * X->values[e];
                if (row != NULL)
                    column[at] = (uint32_t)entry_column(X, e0, e);
            }
        }
    if (row != NULL)
        row[line] = at;
}

/* |X|^2, all entries. */
static mtc_real squared_norm(const mtc_data *X)
{
    mtc_real total = 0;
    for (size_t i = 0; i < X->n; i++) {
        mtc_data one = row_slice(X, i, 1);
        mtc_real xx;
        mtc_data_norms(&one, &xx);
        total += xx;
    }
    return total;
}

/* ==========================================================================
 * Chapter 2  Bregman divergences
 *
 *   d(x||y) = phi(x) - phi(y) - <x - y, grad phi(y)>
 *
 *   name          phi(x)               d(x||y)                   domain
 *   sqeuclidean   sum x^2              sum (x - y)^2             reals
 *   mahalanobis   x'Ax                 (x - y)'A(x - y)          reals
 *   kl            sum x log x - x      sum x log(x/y) - x + y    x > 0
 *   is            - sum log x          sum x/y - log(x/y) - 1    x > 0
 *
 * Of every one the mean is the best representative [BMDG05, prop. 1], which
 * is why one k-means serves them all.  Each term of kl and is is >= 0 in
 * exact arithmetic; rounding below 0 is cut off.
 * ========================================================================== */

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

mtc_divergence mtc_sqeuclidean(void)
{
    mtc_divergence div = {sqe_value, sqe_gradient, sqe_inverse, admits_all,
                          NULL};
    return div;
}

static mtc_real kl_value(const void *user, size_t d, const mtc_real *x,
                         const mtc_real *y)
{
    (void)user;
    mtc_real sum = 0;
    for (size_t j = 0; j < d; j++) {
        mtc_real term = x[j] * mtc_log(x[j] / y[j]) - x[j] + y[j];
        sum += term > 0 ? term : 0;
    }
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
    mtc_divergence div = {kl_value, kl_gradient, kl_inverse, admits_positive,
                          NULL};
    return div;
}

static mtc_real is_value(const void *user, size_t d, const mtc_real *x,
                         const mtc_real *y)
{
    (void)user;
    mtc_real sum = 0;
    for (size_t j = 0; j < d; j++) {
        mtc_real ratio = x[j] / y[j];
        mtc_real term = ratio - mtc_log(ratio) - 1;
        sum += term > 0 ? term : 0;
    }
    return sum;
}

/* -1/x is its own inverse. */
static void is_gradient(const void *user, size_t d, const mtc_real *x,
                        mtc_real *g)
{
    (void)user;
    for (size_t j = 0; j < d; j++)
        g[j] = -1 / x[j];
}

mtc_divergence mtc_itakura_saito(void)
{
    mtc_divergence div = {is_value, is_gradient, is_gradient, admits_positive,
                          NULL};
    return div;
}

/* (x-y)' L L' (x-y) = |L'(x-y)|^2, which cannot come out negative. */
static mtc_real maha_value(const void *user, size_t d, const mtc_real *x,
                           const mtc_real *y)
{
    const mtc_real *L = ((const mtc_metric *)user)->L;
    mtc_real sum = 0;
    for (size_t j = 0; j < d; j++) {
        mtc_real t = 0;
        for (size_t i = j; i < d; i++)
            t += L[i * d + j] * (x[i] - y[i]);
        sum += t * t;
    }
    return sum;
}

static void maha_gradient(const void *user, size_t d, const mtc_real *x,
                          mtc_real *g)
{
    const mtc_real *A = ((const mtc_metric *)user)->A;
    for (size_t i = 0; i < d; i++)
        g[i] = 2 * mtc_dot(d, A + i * d, x);
}

static void maha_inverse(const void *user, size_t d, const mtc_real *g,
                         mtc_real *x)
{
    sqe_inverse(NULL, d, g, x);
    mtc_cholesky_solve(d, 1, ((const mtc_metric *)user)->L, d, x, 1, NULL);
}

mtc_divergence mtc_mahalanobis(const mtc_metric *metric)
{
    mtc_divergence div = {maha_value, maha_gradient, maha_inverse, admits_all,
                          metric};
    return div;
}

/* Every value of X in the domain of div?  NULL is squared Euclidean, which
 * takes all.  In CSR an absent entry is a zero and has to be admitted too. */
static mtc_status check_domain(mtc_context *ctx, const mtc_data *X,
                               const mtc_divergence *div, size_t task)
{
    if (div == NULL)
        return MTC_OK;
    for (size_t i = 0; i < X->n; i++) {
        size_t e = row_begin(X, i), end = row_end(X, i);
        for (size_t j = 0; j < X->d; j++) {
            int stored = e < end && (X->row == NULL || X->column[e] == j);
            if (!div->admits(div->user, j, stored ? X->values[e++] : 0))
                return mtc_fail(ctx, MTC_DOMAIN, "value not in the domain of "
                                "the divergence", task, i, j);
        }
    }
    return MTC_OK;
}

/* ==========================================================================
 * Chapter 3  k-means
 *
 *   min  sum_i q_i d(x_i || u_h(i))      h labels, u centres, q weights
 *
 *   X    X      n x d   samples            U    U    k x d   centres
 *   U'   Ut     d x kp  centres, transposed and padded to a multiple of 4
 *   h    labels [n]     r    own [n]  d(x_i || u_h(i))
 *
 *   A1  seeds: greedy k-means++, or given
 *   A2  h(i) = argmin_z d(x_i || u_z), lowest z on a tie
 *   A3  an empty cluster takes the sample with the largest q_i r_i
 *   A4  u_z = weighted mean of its samples; stop when no label changes
 *
 * Squared Euclidean: own distances are computed anew in every A2 (they are
 * the loss), the others only where Hamerly's bound cannot rule out a change:
 * lower [n] holds a lower bound on the distance to the second nearest centre,
 * lowered by the largest movement of a centre.  Rounding always works against
 * the bound, so the labels are those of plain Lloyd.
 *
 * Cost O(nnz k) for A2 at worst, O(nnz) for A4; memory O(n + k d).
 * References: Arthur & Vassilvitskii, SODA 2007; Hamerly, SDM 2010.
 * ========================================================================== */

#define KM_LANES ((size_t)4)            /* centres handled side by side */

typedef struct kmeans_ws {
    size_t kp;                          /* k rounded up to KM_LANES */
    mtc_real *U, *Ut, *sum;             /* [k*d] [d*kp] [k*d] */
    mtc_real *centre_norm, *drift;      /* [kp] |u|^2; [k] movement */
    mtc_real *dist;                     /* [kp] of one sample to all centres */
    mtc_real *norm;                     /* [n] |x|^2, used if CSR */
    mtc_real *own, *lower;              /* [n] */
    mtc_real *mass;                     /* [k] */
    size_t *members;                    /* [k] samples of positive weight */
    int *labels;                        /* [n] */
    mtc_real *objective;                /* [iterations+1] */
    mtc_real *nearest, *trial, *best;   /* [n] of the seeding */
    mtc_real *row;                      /* [d] one sample, dense */
} kmeans_ws;

typedef struct kmeans_job {
    const mtc_data *X;
    const mtc_kmeans_options *o;
    mtc_kmeans_result r;
    kmeans_ws w;
} kmeans_job;

mtc_kmeans_options mtc_kmeans_defaults(void)
{
    mtc_kmeans_options o;
    memset(&o, 0, sizeof o);
    o.clusters = 2;
    o.restarts = 10;
    o.iterations = 300;
    return o;
}

static mtc_status kmeans_check(mtc_context *ctx, const mtc_data *X,
                               const mtc_kmeans_options *o)
{
    mtc_status s = mtc_data_check(ctx, X, MTC_NONE);
    if (s != MTC_OK)
        return s;
    if (o == NULL)
        return bad_option(ctx, "options");
    if (o->clusters == 0 || o->clusters > X->n || o->clusters > INT_MAX)
        return bad_option(ctx, "clusters: need 1..n");
    if (o->restarts == 0)
        return bad_option(ctx, "restarts");
    if (!(o->tolerance >= 0) || !MTC_FINITE(o->tolerance))
        return bad_option(ctx, "tolerance");
    if ((s = check_weights(ctx, o->weights, X->n)) != MTC_OK)
        return s;
    if (o->start_centers != NULL) {
        mtc_data U = mtc_dense(o->clusters, X->d, o->start_centers);
        if ((s = mtc_data_check(ctx, &U, MTC_NONE)) != MTC_OK ||
            (s = check_domain(ctx, &U, o->divergence, MTC_NONE)) != MTC_OK)
            return s;
    } else if (o->start_labels != NULL) {
        s = check_labels(ctx, o->start_labels, X->n, o->clusters, MTC_NONE);
        if (s != MTC_OK)
            return s;
    }
    return check_domain(ctx, X, o->divergence, MTC_NONE);
}

static void kmeans_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    kmeans_job *j = (kmeans_job *)job;
    mtc_kmeans_result *r = &j->r;
    kmeans_ws *w = &j->w;
    size_t n = j->X->n, d = j->X->d, k = j->o->clusters;
    size_t steps = mtc_add(j->o->iterations, 1);
    r->k = k;
    r->d = d;
    r->labels = MTC_TAKE(own, n, int);
    r->centers = MTC_TAKE(own, mtc_mul(k, d), mtc_real);
    r->mass = MTC_TAKE(own, k, mtc_real);
    r->objective = MTC_TAKE(own, steps, mtc_real);
    w->kp = (k + KM_LANES - 1) / KM_LANES * KM_LANES;
    w->U = MTC_TAKE(tmp, mtc_mul(k, d), mtc_real);
    w->Ut = MTC_TAKE(tmp, mtc_mul(w->kp, d), mtc_real);
    w->sum = MTC_TAKE(tmp, mtc_mul(k, d), mtc_real);
    w->centre_norm = MTC_TAKE(tmp, w->kp, mtc_real);
    w->drift = MTC_TAKE(tmp, k, mtc_real);
    w->dist = MTC_TAKE(tmp, w->kp, mtc_real);
    w->norm = MTC_TAKE(tmp, n, mtc_real);
    w->own = MTC_TAKE(tmp, n, mtc_real);
    w->lower = MTC_TAKE(tmp, n, mtc_real);
    w->mass = MTC_TAKE(tmp, k, mtc_real);
    w->members = MTC_TAKE(tmp, k, size_t);
    w->labels = MTC_TAKE(tmp, n, int);
    w->objective = MTC_TAKE(tmp, steps, mtc_real);
    w->nearest = MTC_TAKE(tmp, n, mtc_real);
    w->trial = MTC_TAKE(tmp, n, mtc_real);
    w->best = MTC_TAKE(tmp, n, mtc_real);
    w->row = MTC_TAKE(tmp, d, mtc_real);
}

static mtc_real km_weight(const mtc_kmeans_options *o, size_t i)
{
    return o->weights == NULL ? 1 : o->weights[i];
}

/* |x|^2 - 2 x.u + |u|^2 for sparse rows, where nothing better is cheap.  What
 * is within rounding of 0 is 0, so that equal rows are seen to be equal. */
static mtc_real km_expanded(mtc_real xx, mtc_real xu, mtc_real uu)
{
    mtc_real sq = (xx - 2 * xu) + uu;
    return sq > 16 * MTC_EPS * (xx + uu) ? sq : 0;
}

/* d(x_i || u) of one sample and one dense point with |u|^2 = uu. */
static mtc_real km_distance(const mtc_data *X, const mtc_kmeans_options *o,
                            const kmeans_ws *w, size_t i, const mtc_real *u,
                            mtc_real uu)
{
    if (o->divergence != NULL)
        return o->divergence->value(o->divergence->user, X->d,
                                    row_dense(X, i, w->row), u);
    if (X->row != NULL)
        return km_expanded(w->norm[i], mtc_data_dot(X, i, u), uu);
    return sq_distance(X->d, X->values + i * X->stride, u);
}

/* Draws an index with probability share_i / sum; the last positive one when
 * rounding carries the draw past the end. */
static size_t km_draw(mtc_random *rng, size_t n, const mtc_real *share,
                      mtc_real total)
{
    mtc_real left = mtc_random_real(rng) * total;
    size_t last = 0;
    for (size_t i = 0; i < n; i++) {
        if (!(share[i] > 0))
            continue;
        last = i;
        if ((left -= share[i]) < 0)
            break;
    }
    return last;
}

/* trial_i = min(nearest_i, q_i d(x_i || x_c)); returns the sum. */
static mtc_real km_try_seed(const mtc_data *X, const mtc_kmeans_options *o,
                            kmeans_ws *w, const mtc_real *seed)
{
    mtc_real uu = mtc_dot(X->d, seed, seed), total = 0;
    for (size_t i = 0; i < X->n; i++) {
        mtc_real far = km_weight(o, i) * km_distance(X, o, w, i, seed, uu);
        w->trial[i] = far < w->nearest[i] ? far : w->nearest[i];
        total += w->trial[i];
    }
    return total;
}

/* A1: greedy k-means++.  Each seed is the best of 2 + log k draws from
 * probabilities q_i d(x_i || nearest seed).  When no distance is left (fewer
 * distinct samples than k) the remaining seeds repeat the first sample. */
static void km_seed(const mtc_data *X, const mtc_kmeans_options *o,
                    mtc_random *rng, kmeans_ws *w)
{
    size_t n = X->n, d = X->d, k = o->clusters;
    size_t draws = 2 + (size_t)mtc_log((mtc_real)k);
    mtc_real left = 0;
    for (size_t i = 0; i < n; i++)
        left += w->nearest[i] = km_weight(o, i);    /* first: by weight */
    for (size_t z = 0; z < k; z++) {
        mtc_real best = -1;
        for (size_t t = 0; t < (z == 0 ? 1 : draws); t++) {
            size_t c = km_draw(rng, n, w->nearest, left);
            mtc_real *seed = w->U + z * d;
            memset(w->sum, 0, d * sizeof *w->sum);
            mtc_data_axpy(X, c, 1, w->sum);
            if (z == 0)                             /* no seed so far */
                for (size_t i = 0; i < n; i++)
                    w->nearest[i] = MTC_HUGE;
            mtc_real total = km_try_seed(X, o, w, w->sum);
            if (best < 0 || total < best) {
                best = total;
                memcpy(seed, w->sum, d * sizeof *seed);
                memcpy(w->best, w->trial, n * sizeof *w->best);
            }
        }
        memcpy(w->nearest, w->best, n * sizeof *w->nearest);
        left = best;
    }
}

/* Ut and |u|^2 after the centres moved; padding stays 0. */
static void km_transpose(size_t k, size_t d, kmeans_ws *w)
{
    memset(w->Ut, 0, w->kp * d * sizeof *w->Ut);
    for (size_t z = 0; z < k; z++) {
        for (size_t j = 0; j < d; j++)
            w->Ut[j * w->kp + z] = w->U[z * d + j];
        w->centre_norm[z] = mtc_dot(d, w->U + z * d, w->U + z * d);
    }
}

/* dist [kp] of dense x to all centres: KM_LANES accumulators in registers. */
static void km_dense_distances(size_t d, const mtc_real *x,
                               const kmeans_ws *w)
{
    for (size_t z = 0; z < w->kp; z += KM_LANES) {
        mtc_real lane[KM_LANES] = {0, 0, 0, 0};
        const mtc_real *u = w->Ut + z;
        for (size_t j = 0; j < d; j++, u += w->kp)
            for (size_t c = 0; c < KM_LANES; c++) {
                mtc_real t = x[j] - u[c];
                lane[c] += t * t;
            }
        memcpy(w->dist + z, lane, sizeof lane);
    }
}

/* dist [kp] of sparse row i: x.u for all centres at once, then expanded. */
static void km_sparse_distances(const mtc_data *X, size_t i, size_t k,
                                const kmeans_ws *w)
{
    memset(w->dist, 0, w->kp * sizeof *w->dist);
    for (size_t e = X->row[i]; e < X->row[i + 1]; e++)
        mtc_axpy(w->kp, X->values[e], w->Ut + X->column[e] * w->kp, w->dist);
    for (size_t z = 0; z < k; z++)
        w->dist[z] = km_expanded(w->norm[i], w->dist[z], w->centre_norm[z]);
}

/* All k distances of sample i, by whatever way its kind has. */
static void km_all_distances(const mtc_data *X, const mtc_kmeans_options *o,
                             size_t i, const kmeans_ws *w)
{
    size_t k = o->clusters, d = X->d;
    if (o->divergence != NULL) {
        const mtc_real *x = row_dense(X, i, w->row);
        for (size_t z = 0; z < k; z++)
            w->dist[z] = o->divergence->value(o->divergence->user, d, x,
                                              w->U + z * d);
    } else if (X->row != NULL) {
        km_sparse_distances(X, i, k, w);
    } else {
        km_dense_distances(d, X->values + i * X->stride, w);
    }
}

/* Index of the smallest of k values, lowest on a tie; *second the runner-up
 * value (MTC_HUGE if k = 1). */
static size_t km_argmin(size_t k, const mtc_real *dist, mtc_real *second)
{
    size_t best = 0;
    *second = MTC_HUGE;
    for (size_t z = 1; z < k; z++)
        if (dist[z] < dist[best]) {
            *second = dist[best];
            best = z;
        } else if (dist[z] < *second) {
            *second = dist[z];
        }
    return best;
}

/* Can sample i at squared distance `own` have changed its centre?  The slack
 * covers the rounding of distances: relative for differences, absolute (the
 * root of the cancellation) for the expanded form of sparse rows. */
static int km_settled(const mtc_data *X, const kmeans_ws *w, size_t i,
                      mtc_real own, mtc_real largest_norm)
{
    mtc_real slack = (mtc_real)(X->d + 16) * MTC_EPS, root = MTC_SQRT(own);
    mtc_real blur = 0;
    if (X->row != NULL)
        blur = MTC_SQRT((mtc_real)(64 + X->row[i + 1] - X->row[i]) * MTC_EPS *
                        (w->norm[i] + largest_norm));
    return root * (1 + slack) + blur < w->lower[i] * (1 - slack);
}

/* lower_i after the centres moved by at most `step`, rounded downwards. */
static void km_lower_bounds(size_t n, size_t d, mtc_real step, kmeans_ws *w)
{
    mtc_real moved = step * (1 + (mtc_real)(d + 16) * MTC_EPS);
    for (size_t i = 0; i < n; i++)
        w->lower[i] = (w->lower[i] - moved) -
                      4 * MTC_EPS * (MTC_FABS(w->lower[i]) + moved);
}

/* A2: nearest centres.  Returns the loss; *changed counts new labels. */
static mtc_real km_assign(const mtc_data *X, const mtc_kmeans_options *o,
                          kmeans_ws *w, size_t *changed)
{
    size_t k = o->clusters, d = X->d;
    mtc_real loss = 0, largest = 0;
    *changed = 0;
    for (size_t z = 0; z < k; z++)
        largest = w->centre_norm[z] > largest ? w->centre_norm[z] : largest;
    for (size_t i = 0; i < X->n; i++) {
        size_t h = (size_t)w->labels[i];
        mtc_real own = 0;
        int settled = 0;
        if (o->divergence == NULL && w->lower[i] > 0) {
            own = km_distance(X, o, w, i, w->U + h * d, w->centre_norm[h]);
            settled = km_settled(X, w, i, own, largest);
        }
        if (!settled) {
            mtc_real second;
            km_all_distances(X, o, i, w);
            h = km_argmin(k, w->dist, &second);
            own = w->dist[h];
            w->lower[i] = MTC_SQRT(second);
        }
        *changed += (int)h != w->labels[i];
        w->labels[i] = (int)h;
        w->own[i] = own;
        loss += km_weight(o, i) * own;
    }
    return loss;
}

/* Counts and weights of the clusters. */
static void km_count(const mtc_data *X, const mtc_kmeans_options *o,
                     kmeans_ws *w)
{
    memset(w->mass, 0, o->clusters * sizeof *w->mass);
    memset(w->members, 0, o->clusters * sizeof *w->members);
    for (size_t i = 0; i < X->n; i++) {
        mtc_real q = km_weight(o, i);
        w->mass[w->labels[i]] += q;
        w->members[w->labels[i]] += q > 0;
    }
}

/* The sample that costs most and does not stand alone; MTC_NONE if none. */
static size_t km_costliest(const mtc_data *X, const mtc_kmeans_options *o,
                           const kmeans_ws *w)
{
    size_t worst = MTC_NONE;
    mtc_real most = 0;
    for (size_t i = 0; i < X->n; i++) {
        mtc_real cost = km_weight(o, i) * w->own[i];
        if (cost > most && w->members[w->labels[i]] > 1) {
            most = cost;
            worst = i;
        }
    }
    return worst;
}

/* A3: fills empty clusters, lowest first.  The loss falls by what the moved
 * sample cost.  Returns the number of moves. */
static size_t km_repair(const mtc_data *X, const mtc_kmeans_options *o,
                        kmeans_ws *w)
{
    size_t moves = 0;
    km_count(X, o, w);
    for (size_t z = 0; z < o->clusters; z++) {
        if (w->members[z] > 0)
            continue;
        size_t i = km_costliest(X, o, w);
        if (i == MTC_NONE)
            break;                      /* as many clusters as there can be */
        mtc_real q = km_weight(o, i);
        w->mass[w->labels[i]] -= q;
        w->members[w->labels[i]]--;
        w->labels[i] = (int)z;
        w->mass[z] = q;
        w->members[z] = 1;
        w->own[i] = w->lower[i] = 0;
        memset(w->U + z * X->d, 0, X->d * sizeof *w->U);
        mtc_data_axpy(X, i, 1, w->U + z * X->d);    /* reference of A4 */
        moves++;
    }
    return moves;
}

/* A4: weighted means.  Dense samples are summed as differences from the old
 * centre: the mean of equal rows is then that row, to the bit, and data far
 * from the origin lose nothing.  An empty cluster keeps its centre. */
static void km_means(const mtc_data *X, const mtc_kmeans_options *o,
                     kmeans_ws *w)
{
    size_t d = X->d, k = o->clusters;
    memset(w->sum, 0, k * d * sizeof *w->sum);
    for (size_t i = 0; i < X->n; i++) {
        size_t z = (size_t)w->labels[i];
        mtc_real q = km_weight(o, i), *sum = w->sum + z * d;
        const mtc_real *u = w->U + z * d;
        if (X->row != NULL) {
            mtc_data_axpy(X, i, q, sum);
            continue;
        }
        const mtc_real *x = X->values + i * X->stride;
        for (size_t j = 0; j < d; j++)
            sum[j] += q * (x[j] - u[j]);
    }
    for (size_t z = 0; z < k; z++) {
        mtc_real moved = 0;
        for (size_t j = 0; j < d && w->members[z] > 0; j++) {
            mtc_real old = w->U[z * d + j];
            mtc_real shift = w->sum[z * d + j] / w->mass[z];
            mtc_real u = X->row != NULL ? shift : old + shift;
            moved += (u - old) * (u - old);
            w->U[z * d + j] = u;
        }
        w->drift[z] = MTC_SQRT(moved);
    }
    km_transpose(k, d, w);
}

/* Centres to begin with: given, means of given labels, or seeds. */
static void km_start(const mtc_data *X, const mtc_kmeans_options *o,
                     mtc_random *rng, kmeans_ws *w)
{
    size_t n = X->n, d = X->d, k = o->clusters;
    memset(w->labels, 0, n * sizeof *w->labels);
    for (size_t i = 0; i < n; i++)
        w->lower[i] = -1;                           /* nothing known yet */
    if (o->start_centers != NULL) {
        memcpy(w->U, o->start_centers, k * d * sizeof *w->U);
    } else if (o->start_labels != NULL) {
        memcpy(w->labels, o->start_labels, n * sizeof *w->labels);
        mean_row(X, 1, w->row);                     /* for empty clusters */
        for (size_t z = 0; z < k; z++)
            memcpy(w->U + z * d, w->row, d * sizeof *w->row);
        for (size_t i = n; i-- > 0;) {              /* first: reference */
            mtc_real *u = w->U + (size_t)w->labels[i] * d;
            memset(u, 0, d * sizeof *u);
            mtc_data_axpy(X, i, 1, u);
        }
        km_count(X, o, w);
        km_means(X, o, w);
    } else {
        km_seed(X, o, rng, w);
    }
    km_transpose(k, d, w);
}

/* One restart: A1, then A3, A4, A2 until nothing changes. */
static mtc_status km_descend(mtc_context *ctx, const mtc_data *X,
                             const mtc_kmeans_options *o, size_t restart,
                             kmeans_ws *w, size_t *iterations, int *converged)
{
    mtc_random rng = mtc_stream(ctx, restart);
    size_t changed, it = 0;
    km_start(X, o, &rng, w);
    w->objective[0] = km_assign(X, o, w, &changed);
    *converged = 0;
    while (it < o->iterations && !*converged) {
        mtc_status s = mtc_tick(ctx, "k-means", restart, o->restarts);
        if (s != MTC_OK)
            return s;
        size_t moves = km_repair(X, o, w);
        km_means(X, o, w);
        mtc_real step = 0;
        for (size_t z = 0; z < o->clusters; z++)
            step = w->drift[z] > step ? w->drift[z] : step;
        km_lower_bounds(X->n, X->d, moves > 0 ? MTC_HUGE / 4 : step, w);
        it++;
        w->objective[it] = km_assign(X, o, w, &changed);
        mtc_real fall = w->objective[it - 1] - w->objective[it];
        if (fall < 0) {                 /* rounding, at a fixed point */
            w->objective[it] = w->objective[it - 1];
            fall = 0;
        }
        *converged = (changed == 0 && moves == 0) ||
                     (o->tolerance > 0 &&
                      fall <= o->tolerance * w->objective[it - 1]);
    }
    km_count(X, o, w);
    *iterations = it;
    return MTC_OK;
}

/* The restart in w becomes the result so far. */
static void km_keep(const mtc_data *X, const mtc_kmeans_options *o,
                    const kmeans_ws *w, size_t iterations, int converged,
                    mtc_kmeans_result *r)
{
    size_t k = o->clusters;
    memcpy(r->labels, w->labels, X->n * sizeof *r->labels);
    memcpy(r->centers, w->U, k * X->d * sizeof *r->centers);
    memcpy(r->mass, w->mass, k * sizeof *r->mass);
    memcpy(r->objective, w->objective, (iterations + 1) * sizeof(mtc_real));
    r->loss = w->objective[iterations];
    r->iterations = iterations;
    r->converged = converged;
    r->k_effective = 0;
    for (size_t z = 0; z < k; z++)
        r->k_effective += w->members[z] > 0;
}

static mtc_status kmeans_work(mtc_context *ctx, void *job)
{
    kmeans_job *j = (kmeans_job *)job;
    const mtc_kmeans_options *o = j->o;
    int given = o->start_centers != NULL || o->start_labels != NULL;
    if (j->X->row != NULL)
        mtc_data_norms(j->X, j->w.norm);
    for (size_t t = 0; t < (given ? 1 : o->restarts); t++) {
        size_t its;
        int converged;
        mtc_status s = km_descend(ctx, j->X, o, t, &j->w, &its, &converged);
        if (s != MTC_OK)
            return s;
        if (t == 0 || j->w.objective[its] < j->r.loss)
            km_keep(j->X, o, &j->w, its, converged, &j->r);
    }
    return MTC_OK;
}

size_t mtc_kmeans_memory(const mtc_data *X, const mtc_kmeans_options *opt)
{
    kmeans_job job = {.X = X, .o = opt};
    return mtc_job_memory(kmeans_layout, &job);
}

mtc_status mtc_kmeans(mtc_context *ctx, const mtc_data *X,
                      const mtc_kmeans_options *opt, mtc_kmeans_result *res)
{
    mtc_status s = kmeans_check(ctx, X, opt);
    if (s != MTC_OK)
        return s;
    kmeans_job job = {.X = X, .o = opt};
    s = mtc_job_run(ctx, kmeans_layout, kmeans_work, &job, &job.r.block,
                    &job.r.block_size);
    if (s == MTC_OK)
        *res = job.r;
    return s;
}

/* What A2 needs of the workspace, for samples and a model. */
typedef struct kmeans_assign_job {
    const mtc_data *X;
    mtc_kmeans_options o;
    const mtc_kmeans_result *model;
    int *labels;
    kmeans_ws w;
} kmeans_assign_job;

static void kmeans_assign_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    kmeans_assign_job *j = (kmeans_assign_job *)job;
    kmeans_ws *w = &j->w;
    size_t k = j->model->k, d = j->X->d;
    (void)own;
    w->kp = (k + KM_LANES - 1) / KM_LANES * KM_LANES;
    w->U = j->model->centers;
    w->Ut = MTC_TAKE(tmp, mtc_mul(w->kp, d), mtc_real);
    w->centre_norm = MTC_TAKE(tmp, w->kp, mtc_real);
    w->dist = MTC_TAKE(tmp, w->kp, mtc_real);
    w->norm = MTC_TAKE(tmp, j->X->row == NULL ? 0 : j->X->n, mtc_real);
    w->row = MTC_TAKE(tmp, d, mtc_real);
}

static mtc_status kmeans_assign_work(mtc_context *ctx, void *job)
{
    kmeans_assign_job *j = (kmeans_assign_job *)job;
    (void)ctx;
    km_transpose(j->model->k, j->model->d, &j->w);
    if (j->X->row != NULL)
        mtc_data_norms(j->X, j->w.norm);
    for (size_t i = 0; i < j->X->n; i++) {
        mtc_real second;
        km_all_distances(j->X, &j->o, i, &j->w);
        j->labels[i] = (int)km_argmin(j->model->k, j->w.dist, &second);
    }
    return MTC_OK;
}

size_t mtc_kmeans_assign_memory(const mtc_data *X,
                                const mtc_kmeans_result *res)
{
    kmeans_assign_job job = {.X = X, .model = res};
    return mtc_job_memory(kmeans_assign_layout, &job);
}

mtc_status mtc_kmeans_assign(mtc_context *ctx, const mtc_data *X,
                             const mtc_kmeans_options *opt,
                             const mtc_kmeans_result *res, int *labels)
{
    mtc_status s = mtc_data_check(ctx, X, MTC_NONE);
    if (s != MTC_OK)
        return s;
    if (opt == NULL || res == NULL || labels == NULL || X->d != res->d)
        return bad_option(ctx, "features differ from the model's");
    if ((s = check_domain(ctx, X, opt->divergence, MTC_NONE)) != MTC_OK)
        return s;
    kmeans_assign_job job = {.X = X, .o = *opt, .model = res};
    job.o.clusters = res->k;
    job.labels = labels;
    return mtc_job_run(ctx, kmeans_assign_layout, kmeans_assign_work, &job,
                       NULL, NULL);
}

void mtc_kmeans_free(mtc_context *ctx, mtc_kmeans_result *res)
{
    if (res != NULL)
        mtc_discard(ctx, res, sizeof *res, res->block, res->block_size);
}

/* ==========================================================================
 * Chapter 4  Nearest neighbours and similarity graphs
 *
 * Lists of the L nearest rows, exact, a block of rows at a time, ties by
 * index; and the symmetric graph that their union spans.  The samples of
 * several sets are numbered through: set 0 first.
 *
 *   w_ij = max(cos(x_i, x_j), 0)   or   exp(-|x_i - x_j|^2 / width)
 *
 * Cost O(N^2 d) time (CSR: the entries that meet), O(N L) memory.
 * ========================================================================== */

typedef struct pair_ws {
    mtc_real *norm;                     /* [N] |x|^2 of all samples */
    mtc_real *D;                        /* [PAIR_ROWS*N] */
    void *work;                         /* of the Gram verb */
} pair_ws;

static void pair_layout(mtc_stack *tmp, size_t N, size_t work, pair_ws *w)
{
    w->norm = MTC_TAKE(tmp, N, mtc_real);
    w->D = MTC_TAKE(tmp, mtc_mul(PAIR_ROWS, N), mtc_real);
    w->work = mtc_take(tmp, work, 1);
}

static void pair_norms(const mtc_data *sets, size_t n_sets, pair_ws *w)
{
    size_t at = 0;
    for (size_t s = 0; s < n_sets; at += sets[s++].n)
        mtc_data_norms(&sets[s], w->norm + at);
}

/* w->D: PAIR_ROWS rows of Q, from `first` on, against all samples. */
static size_t pair_rows(const mtc_data *sets, size_t n_sets,
                        const mtc_data *Q, const mtc_real *nq, size_t first,
                        int cosine, size_t N, pair_ws *w)
{
    size_t rows = Q->n - first < PAIR_ROWS ? Q->n - first : PAIR_ROWS, at = 0;
    mtc_data slice = row_slice(Q, first, rows);
    for (size_t s = 0; s < n_sets; at += sets[s++].n)
        pair_block(&slice, nq + first, &sets[s], w->norm + at, cosine,
                   w->D + at, N, w->work);
    return rows;
}

/* index, key [Q.n*k]: the k nearest of all N samples to each row of Q.  Row i
 * of Q is sample self+i, and not its own neighbour, unless self is NONE. */
static mtc_status nearest_rows(mtc_context *ctx, const mtc_data *sets,
                               size_t n_sets, const mtc_data *Q,
                               const mtc_real *nq, size_t self, size_t k,
                               int cosine, pair_ws *w, size_t *index,
                               mtc_real *key)
{
    size_t N = count_samples(sets, n_sets), rows;
    for (size_t first = 0; first < Q->n; first += rows) {
        mtc_status s = mtc_tick(ctx, "neighbours", first, Q->n);
        if (s != MTC_OK)
            return s;
        rows = pair_rows(sets, n_sets, Q, nq, first, cosine, N, w);
        for (size_t i = first; i < first + rows; i++) {
            mtc_real *D = w->D + (i - first) * N;
            if (self != MTC_NONE)
                D[self + i] = MTC_HUGE;
            mtc_select_order(N, D, k, index + i * k);
            for (size_t t = 0; t < k && key != NULL; t++)
                key[i * k + t] = D[index[i * k + t]];
        }
    }
    return MTC_OK;
}

typedef struct neighbors_job {
    const mtc_data *points, *queries;
    size_t k, self;
    int cosine;
    size_t *index_out;
    mtc_real *distance_out;             /* or NULL */
    pair_ws pair;
    mtc_real *query_norm;               /* [queries.n] */
    size_t *index;                      /* [queries.n*k], copied at the end */
    mtc_real *key;                      /* [queries.n*k] */
} neighbors_job;

static void neighbors_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    neighbors_job *j = (neighbors_job *)job;
    size_t lists = mtc_mul(j->queries->n, j->k);
    (void)own;
    pair_layout(tmp, j->points->n, mtc_data_work(j->queries, j->points, 1),
                &j->pair);
    j->query_norm = MTC_TAKE(tmp, j->queries->n, mtc_real);
    j->index = MTC_TAKE(tmp, lists, size_t);
    j->key = MTC_TAKE(tmp, lists, mtc_real);
}

static mtc_status neighbors_work(mtc_context *ctx, void *job)
{
    neighbors_job *j = (neighbors_job *)job;
    size_t lists = j->queries->n * j->k;
    pair_norms(j->points, 1, &j->pair);
    mtc_data_norms(j->queries, j->query_norm);
    mtc_status s = nearest_rows(ctx, j->points, 1, j->queries, j->query_norm,
                                j->self, j->k, j->cosine, &j->pair, j->index,
                                j->key);
    if (s != MTC_OK)
        return s;
    memcpy(j->index_out, j->index, lists * sizeof *j->index);
    if (j->distance_out != NULL)
        memcpy(j->distance_out, j->key, lists * sizeof *j->key);
    return MTC_OK;
}

size_t mtc_neighbors_memory(const mtc_data *points, const mtc_data *queries,
                            size_t k)
{
    neighbors_job job = {.points = points, .queries = queries, .k = k};
    return mtc_job_memory(neighbors_layout, &job);
}

mtc_status mtc_neighbors(mtc_context *ctx, const mtc_data *points,
                         const mtc_data *queries, size_t k, int own,
                         int cosine, size_t *index, mtc_real *distance)
{
    mtc_status s = mtc_data_check(ctx, points, MTC_NONE);
    if (s != MTC_OK || (s = mtc_data_check(ctx, queries, MTC_NONE)) != MTC_OK)
        return s;
    if (points->d != queries->d)
        return bad_option(ctx, "features differ in number");
    if (own && points->n != queries->n)
        return bad_option(ctx, "own: the views differ");
    if (k == 0 || k > points->n - (own != 0))
        return bad_option(ctx, "k: more neighbours than points");
    if (index == NULL)
        return bad_option(ctx, "index");
    neighbors_job job = {.points = points, .queries = queries, .k = k,
                         .self = own ? 0 : MTC_NONE, .cosine = cosine,
                         .index_out = index, .distance_out = distance};
    return mtc_job_run(ctx, neighbors_layout, neighbors_work, &job, NULL,
                       NULL);
}

/* Lists of neighbours: sample i has index[start[i]..start[i+1]-1]. */
typedef struct knn_lists {
    size_t *start, *index;              /* [N+1] [N*L] */
    mtc_real *key;                      /* [N*L] distance, or 1 - cosine */
} knn_lists;

typedef struct graph_job {
    const mtc_data *sets;               /* read by the work, not the layout */
    size_t n_sets, N, d, pair_bytes;    /* pair_work of the sets */
    const mtc_graph_options *o;
    mtc_graph r;
    pair_ws pair;
    knn_lists out, in;                  /* i lists j; j is listed by i */
    size_t *todo;                       /* [N] for the components */
    size_t *piece;                      /* [N] number of the component */
    mtc_real *mean, *row;               /* [d] */
} graph_job;

mtc_graph_options mtc_graph_defaults(void)
{
    mtc_graph_options o = {MTC_COSINE, 0, 1, 0};
    return o;
}

static mtc_status graph_check(mtc_context *ctx, const mtc_graph_options *o,
                              size_t N)
{
    if (o->similarity != MTC_COSINE && o->similarity != MTC_GAUSSIAN)
        return bad_option(ctx, "similarity");
    if (!(o->width > 0) || !MTC_FINITE(o->width))
        return bad_option(ctx, "width");
    if (N > UINT32_MAX)
        return mtc_fail(ctx, MTC_TOO_BIG, "samples", MTC_NONE, MTC_NONE,
                        MTC_NONE);
    return MTC_OK;
}

static int graph_is_complete(const mtc_graph_options *o, size_t N)
{
    return o->neighbors == 0 || o->neighbors >= N - 1;
}

static void lists_layout(mtc_stack *tmp, size_t N, size_t L, knn_lists *l)
{
    l->start = MTC_TAKE(tmp, mtc_add(N, 1), size_t);
    l->index = MTC_TAKE(tmp, mtc_mul(N, L), size_t);
    l->key = MTC_TAKE(tmp, mtc_mul(N, L), mtc_real);
}

/* A sparse graph has at most two entries for each of N L listed pairs. */
static void graph_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    graph_job *j = (graph_job *)job;
    size_t N = j->N, L = j->o->neighbors, most = mtc_mul(2, mtc_mul(N, L));
    mtc_data *W = &j->r.weights;
    memset(&j->r, 0, sizeof j->r);
    W->n = W->d = N;
    j->todo = MTC_TAKE(tmp, N, size_t);
    j->piece = MTC_TAKE(tmp, N, size_t);
    j->mean = MTC_TAKE(tmp, j->d, mtc_real);
    j->row = MTC_TAKE(tmp, j->d, mtc_real);
    pair_layout(tmp, N, j->pair_bytes, &j->pair);
    if (graph_is_complete(j->o, N)) {
        W->stride = N;
        W->values = MTC_TAKE(own, mtc_mul(N, N), mtc_real);
        return;
    }
    W->row = MTC_TAKE(own, mtc_add(N, 1), size_t);
    W->column = MTC_TAKE(own, most, uint32_t);
    W->values = MTC_TAKE(own, most, mtc_real);
    lists_layout(tmp, N, L, &j->out);
    lists_layout(tmp, N, L, &j->in);
}

/* to = from with the direction of every pair turned round.  Its lists come
 * out ascending, so turning twice sorts. */
static void lists_turn(size_t N, const knn_lists *from, knn_lists *to)
{
    memset(to->start, 0, (N + 1) * sizeof *to->start);
    for (size_t e = 0; e < from->start[N]; e++)
        to->start[from->index[e] + 1]++;
    for (size_t i = 0; i < N; i++)
        to->start[i + 1] += to->start[i];
    for (size_t i = 0; i < N; i++)
        for (size_t e = from->start[i]; e < from->start[i + 1]; e++) {
            size_t at = to->start[from->index[e]]++;
            to->index[at] = i;
            to->key[at] = from->key[e];
        }
    for (size_t i = N; i > 0; i--)      /* each start ran on to its end */
        to->start[i] = to->start[i - 1];
    to->start[0] = 0;
}

static mtc_real graph_weight(const mtc_graph_options *o, mtc_real width,
                             mtc_real key)
{
    if (o->similarity == MTC_GAUSSIAN)
        return mtc_exp(-key / width);
    return key < 1 ? 1 - key : 0;
}

/* Row i of the union: merge of the two ascending lists.  A pair found from
 * both sides takes the value of the lower number's, so W = W' to the bit. */
static size_t graph_merge_row(const graph_job *w, size_t i, size_t at,
                              uint32_t *column, mtc_real *value)
{
    size_t a = w->out.start[i], b = w->in.start[i];
    size_t a1 = w->out.start[i + 1], b1 = w->in.start[i + 1];
    while (a < a1 || b < b1) {
        size_t ja = a < a1 ? w->out.index[a] : SIZE_MAX;
        size_t jb = b < b1 ? w->in.index[b] : SIZE_MAX;
        int from_out = ja < jb || (ja == jb && i < ja);
        mtc_real key = from_out ? w->out.key[a] : w->in.key[b];
        column[at] = (uint32_t)(ja < jb ? ja : jb);
        value[at++] = graph_weight(w->o, w->r.width, key);
        a += ja <= jb;
        b += jb <= ja;
    }
    return at;
}

/* The sparse graph: lists, both directions sorted, rows merged. */
static mtc_status graph_sparse(mtc_context *ctx, graph_job *j)
{
    size_t N = j->N, L = j->o->neighbors, first = 0, at = 0;
    for (size_t s = 0; s < j->n_sets; first += j->sets[s++].n) {
        mtc_status st = nearest_rows(ctx, j->sets, j->n_sets, &j->sets[s],
                                     j->pair.norm + first, first, L,
                                     j->o->similarity == MTC_COSINE, &j->pair,
                                     j->out.index + first * L,
                                     j->out.key + first * L);
        if (st != MTC_OK)
            return st;
    }
    for (size_t i = 0; i <= N; i++)
        j->out.start[i] = i * L;
    lists_turn(N, &j->out, &j->in);
    lists_turn(N, &j->in, &j->out);
    size_t *row = (size_t *)j->r.weights.row;       /* ours: just carved */
    uint32_t *column = (uint32_t *)j->r.weights.column;
    mtc_real *value = (mtc_real *)j->r.weights.values;
    row[0] = 0;
    for (size_t i = 0; i < N; i++)
        row[i + 1] = at = graph_merge_row(j, i, at, column, value);
    return MTC_OK;
}

/* Rows i0.. of the complete graph from a block of keys; the lower triangle
 * is copied from the upper, so that W = W' to the bit. */
static void graph_fill(graph_job *j, size_t i0, size_t rows)
{
    size_t N = j->N;
    mtc_real *W = (mtc_real *)j->r.weights.values;  /* ours: just carved */
    for (size_t i = i0; i < i0 + rows; i++) {
        W[i * N + i] = 0;
        for (size_t c = i + 1; c < N; c++)
            W[i * N + c] = W[c * N + i] = graph_weight(
                j->o, j->r.width, j->pair.D[(i - i0) * N + c]);
    }
}

static mtc_status graph_dense(mtc_context *ctx, graph_job *j)
{
    size_t at = 0, rows;
    for (size_t s = 0; s < j->n_sets; at += j->sets[s++].n)
        for (size_t first = 0; first < j->sets[s].n; first += rows) {
            mtc_status st = mtc_tick(ctx, "graph", at + first, j->N);
            if (st != MTC_OK)
                return st;
            rows = pair_rows(j->sets, j->n_sets, &j->sets[s],
                             j->pair.norm + at, first,
                             j->o->similarity == MTC_COSINE, j->N, &j->pair);
            graph_fill(j, at + first, rows);
        }
    return MTC_OK;
}

/* piece [n] = number of the connected component of each node of W, over
 * edges of positive weight; returns how many there are. */
static size_t graph_pieces(const mtc_data *W, size_t *todo, size_t *piece)
{
    size_t found = 0;
    for (size_t i = 0; i < W->n; i++)
        piece[i] = MTC_NONE;
    for (size_t root = 0; root < W->n; root++) {
        if (piece[root] != MTC_NONE)
            continue;
        size_t waiting = 1;
        todo[0] = root;
        piece[root] = found;
        while (waiting > 0) {
            size_t i = todo[--waiting];
            size_t e0 = row_begin(W, i), e1 = row_end(W, i);
            for (size_t e = e0; e < e1; e++) {
                size_t j = entry_column(W, e0, e);
                if (W->values[e] > 0 && piece[j] == MTC_NONE) {
                    piece[j] = found;
                    todo[waiting++] = j;
                }
            }
        }
        found++;
    }
    return found;
}

static mtc_status graph_work(mtc_context *ctx, void *job)
{
    graph_job *j = (graph_job *)job;
    pair_norms(j->sets, j->n_sets, &j->pair);
    j->r.width = j->o->width;
    if (j->o->similarity == MTC_GAUSSIAN && !j->o->absolute)
        j->r.width *= mean_sq_distance(j->sets, j->n_sets, j->mean, j->row);
    mtc_status s = graph_is_complete(j->o, j->N) ? graph_dense(ctx, j)
                                                 : graph_sparse(ctx, j);
    if (s == MTC_OK)
        j->r.components = graph_pieces(&j->r.weights, j->todo, j->piece);
    return s;
}

static graph_job graph_of(const mtc_data *sets, size_t n_sets,
                          const mtc_graph_options *opt)
{
    graph_job job = {.sets = sets, .n_sets = n_sets, .d = sets[0].d,
                     .N = count_samples(sets, n_sets), .o = opt,
                     .pair_bytes = pair_work(sets, n_sets, NULL)};
    return job;
}

size_t mtc_graph_memory(const mtc_data *sets, size_t n_sets,
                        const mtc_graph_options *opt)
{
    graph_job job = graph_of(sets, n_sets, opt);
    return mtc_job_memory(graph_layout, &job);
}

mtc_status mtc_graph_build(mtc_context *ctx, const mtc_data *sets,
                           size_t n_sets, const mtc_graph_options *opt,
                           mtc_graph *res)
{
    mtc_status s = check_sets(ctx, sets, n_sets);
    if (s != MTC_OK)
        return s;
    if (opt == NULL)
        return bad_option(ctx, "options");
    graph_job job = graph_of(sets, n_sets, opt);
    if ((s = graph_check(ctx, opt, job.N)) != MTC_OK)
        return s;
    s = mtc_job_run(ctx, graph_layout, graph_work, &job, &job.r.block,
                    &job.r.block_size);
    if (s == MTC_OK)
        *res = job.r;
    return s;
}

void mtc_graph_free(mtc_context *ctx, mtc_graph *res)
{
    if (res != NULL)
        mtc_discard(ctx, res, sizeof *res, res->block, res->block_size);
}

/* ==========================================================================
 * Chapter 5  Label propagation
 *
 * Samples of the sources carry one-hot rows Y; W is a graph over sources and
 * target, d its degrees, u the target.
 *
 *   harmonic      (D_uu - W_uu) f = W_ul Y                       [ZGL03]
 *   consistency   (I - a S) F = Y,  S = D^-1/2 W D^-1/2,  a = 1/(1+mu)
 *                                                                [ZBL04]
 * Both are  p_i v_i - r_i sum_j w_ij r_j v_j = b_i  over the active samples:
 * harmonic has p = d, r = 1 and the target active; consistency has p = 1,
 * r = (a/d)^1/2 and all active.  Solved class by class by conjugate
 * gradients with the diagonal p as preconditioner.
 *
 * Deviation: a component of the graph without a labelled sample would be
 * singular (harmonic) or zero (consistency).  It gets the class shares of
 * the sources; where all scores are 0, the label is the most frequent class.
 * Cost O(entries of W) for a step; memory O(entries + N).
 * ========================================================================== */

typedef struct propagate_job {
    const mtc_data *sources, *target;
    const int *const *source_labels;
    size_t n_sources, N;                /* N: samples, sources and target */
    const mtc_propagate_options *o;
    mtc_propagate_result r;
    mtc_data *sets;                     /* [n_sources+1], target last */
    graph_job graph;
    unsigned char *active;              /* [N] solved for? */
    mtc_real *diagonal, *scale;         /* [N] p and r above */
    mtc_real *x, *b, *g, *dir, *image;  /* [N] of conjugate gradients */
    mtc_real *scaled;                   /* [N] r_j v_j */
    mtc_real *share;                    /* [classes] */
    unsigned char *labelled;            /* [N] component has a label? */
} propagate_job;

mtc_propagate_options mtc_propagate_defaults(void)
{
    mtc_propagate_options o;
    memset(&o, 0, sizeof o);
    o.classes = 2;
    o.graph.similarity = MTC_GAUSSIAN;
    o.graph.neighbors = 50;
    o.graph.width = (mtc_real)0.125;
    o.mu = 1;
    o.iterations = 1000;
    return o;
}

static mtc_status propagate_check(mtc_context *ctx, const mtc_data *sources,
                                  const int *const *labels, size_t n_sources,
                                  const mtc_data *target,
                                  const mtc_propagate_options *o)
{
    if (o == NULL)
        return bad_option(ctx, "options");
    mtc_status s = check_transfer(ctx, sources, labels, n_sources, target,
                                  o->classes);
    if (s != MTC_OK)
        return s;
    if (!(o->mu > 0) || !MTC_FINITE(o->mu))
        return bad_option(ctx, "mu");
    return graph_check(ctx, &o->graph,
                       mtc_add(count_samples(sources, n_sources), target->n));
}

static void propagate_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    propagate_job *j = (propagate_job *)job;
    size_t N = j->N, n = j->target->n;
    j->r.labels = MTC_TAKE(own, n, int);
    j->r.scores = MTC_TAKE(own, mtc_mul(n, j->o->classes), mtc_real);
    j->sets = MTC_TAKE(tmp, mtc_add(j->n_sources, 1), mtc_data);
    j->active = MTC_TAKE(tmp, N, unsigned char);
    j->labelled = MTC_TAKE(tmp, N, unsigned char);
    j->share = MTC_TAKE(tmp, j->o->classes, mtc_real);
    mtc_real **vector[] = {&j->diagonal, &j->scale, &j->x,     &j->b,
                           &j->g,        &j->dir,   &j->image, &j->scaled};
    for (size_t i = 0; i < sizeof vector / sizeof *vector; i++)
        *vector[i] = MTC_TAKE(tmp, N, mtc_real);
    graph_layout(tmp, tmp, &j->graph);
}

/* image = (diag(p) - r W r) v on the active samples, 0 elsewhere. */
static void prop_apply(propagate_job *j, const mtc_real *v, mtc_real *image)
{
    const mtc_data *W = &j->graph.r.weights;
    for (size_t i = 0; i < j->N; i++)
        j->scaled[i] = j->scale[i] * v[i];
    for (size_t i = 0; i < j->N; i++)
        image[i] = j->active[i]
                       ? j->diagonal[i] * v[i] -
                             j->scale[i] * mtc_data_dot(W, i, j->scaled)
                       : 0;
}

/* image = diag(p)^-1 v on the active samples; returns <v, image>. */
static mtc_real prop_precondition(const propagate_job *j, const mtc_real *v,
                                  mtc_real *image)
{
    for (size_t i = 0; i < j->N; i++)
        image[i] = j->active[i] ? v[i] / j->diagonal[i] : 0;
    return mtc_dot(j->N, v, image);
}

/* Solves for x from b by conjugate gradients; returns the steps taken.
 * *residual is |b - Ax| / |b| by the recurrence: 1e-10 as published, in float
 * a number as far above the rounding. */
static size_t prop_solve(propagate_job *j, mtc_real *residual)
{
    const mtc_real enough = sizeof(mtc_real) == 8 ? (mtc_real)1e-10
                                                  : (mtc_real)1e-5;
    size_t N = j->N, it = 0;
    mtc_real norm = MTC_SQRT(mtc_dot(N, j->b, j->b)), left = norm;
    memset(j->x, 0, N * sizeof *j->x);
    memcpy(j->g, j->b, N * sizeof *j->g);
    mtc_real rho = prop_precondition(j, j->g, j->dir);
    for (; it < j->o->iterations && left > enough * norm; it++) {
        prop_apply(j, j->dir, j->image);
        mtc_real curvature = mtc_dot(N, j->dir, j->image), old = rho;
        if (!(curvature > 0))
            break;                                  /* rounding has the say */
        mtc_axpy(N, rho / curvature, j->dir, j->x);
        mtc_axpy(N, -rho / curvature, j->image, j->g);
        rho = prop_precondition(j, j->g, j->image);
        for (size_t i = 0; i < N; i++)
            j->dir[i] = j->image[i] + rho / old * j->dir[i];
        left = MTC_SQRT(mtc_dot(N, j->g, j->g));
    }
    *residual = norm > 0 ? left / norm : 0;
    return it;
}

/* Class shares of the sources, and the components that hold a label. */
static void prop_shares(propagate_job *j)
{
    size_t sources = j->N - j->target->n, at = 0;
    memset(j->share, 0, j->o->classes * sizeof *j->share);
    memset(j->labelled, 0, j->N);
    for (size_t s = 0; s < j->n_sources; at += j->sources[s++].n)
        for (size_t i = 0; i < j->sources[s].n; i++) {
            j->share[j->source_labels[s][i]] += 1 / (mtc_real)sources;
            j->labelled[j->graph.piece[at + i]] = 1;
        }
}

/* Degrees, then who is active, p and r. */
static void prop_system(propagate_job *j)
{
    const mtc_data *W = &j->graph.r.weights;
    size_t first_target = j->N - j->target->n;
    mtc_real alpha = 1 / (1 + j->o->mu);
    for (size_t i = 0; i < j->N; i++)
        j->x[i] = 1;
    for (size_t i = 0; i < j->N; i++) {
        mtc_real degree = mtc_data_dot(W, i, j->x);
        int reached = j->labelled[j->graph.piece[i]] && degree > 0;
        if (j->o->consistency) {
            j->active[i] = 1;
            j->diagonal[i] = 1;
            j->scale[i] = degree > 0 ? MTC_SQRT(alpha / degree) : 0;
        } else {
            j->active[i] = (unsigned char)(i >= first_target && reached);
            j->diagonal[i] = degree;
            j->scale[i] = 1;
        }
    }
}

/* b of one class: Y itself, or what flows from the sources into the target.
 * j->scaled holds Y meanwhile. */
static void prop_right_side(propagate_job *j, size_t c)
{
    const mtc_data *W = &j->graph.r.weights;
    mtc_real *Y = j->scaled;
    memset(Y, 0, j->N * sizeof *Y);
    for (size_t s = 0, at = 0; s < j->n_sources; at += j->sources[s++].n)
        for (size_t i = 0; i < j->sources[s].n; i++)
            Y[at + i] = j->source_labels[s][i] == (int)c;
    for (size_t i = 0; i < j->N; i++)
        if (j->o->consistency)
            j->b[i] = Y[i];
        else
            j->b[i] = j->active[i] ? mtc_data_dot(W, i, Y) : 0;
}

/* [ZGL03, section 4]: column c times share_c over its sum. */
static void prop_mass_normalise(size_t n, size_t classes,
                                const mtc_real *share, mtc_real *scores)
{
    for (size_t c = 0; c < classes; c++) {
        mtc_real sum = 0;
        for (size_t i = 0; i < n; i++)
            sum += scores[i * classes + c];
        for (size_t i = 0; i < n; i++)
            scores[i * classes + c] *= sum > 0 ? share[c] / sum : 0;
    }
}

/* Index of the largest of k values, lowest on a tie. */
static size_t argmax(size_t k, const mtc_real *value)
{
    size_t best = 0;
    for (size_t z = 1; z < k; z++)
        if (value[z] > value[best])
            best = z;
    return best;
}

static void prop_label(propagate_job *j)
{
    size_t c = j->o->classes, n = j->target->n;
    if (j->o->mass_normalisation && !j->o->consistency)
        prop_mass_normalise(n, c, j->share, j->r.scores);
    for (size_t i = 0; i < n; i++) {
        size_t best = argmax(c, j->r.scores + i * c);
        if (!(j->r.scores[i * c + best] > 0))
            best = argmax(c, j->share);
        j->r.labels[i] = (int)best;
    }
}

static mtc_status propagate_work(mtc_context *ctx, void *job)
{
    propagate_job *j = (propagate_job *)job;
    size_t n = j->target->n, classes = j->o->classes;
    memcpy(j->sets, j->sources, j->n_sources * sizeof *j->sources);
    j->sets[j->n_sources] = *j->target;
    j->graph.sets = j->sets;
    mtc_status s = graph_work(ctx, &j->graph);
    if (s != MTC_OK)
        return s;
    j->r.components = j->graph.r.components;
    prop_shares(j);
    prop_system(j);
    for (size_t c = 0; c < classes; c++) {
        mtc_real residual;
        if ((s = mtc_tick(ctx, "propagation", c, classes)) != MTC_OK)
            return s;
        prop_right_side(j, c);
        size_t steps = prop_solve(j, &residual);
        j->r.iterations = steps > j->r.iterations ? steps : j->r.iterations;
        j->r.residual = residual > j->r.residual ? residual : j->r.residual;
        for (size_t i = 0, t = j->N - n; i < n; i++, t++)
            j->r.scores[i * classes + c] =
                j->active[t] ? j->x[t] : j->share[c];
    }
    j->r.converged = j->r.iterations < j->o->iterations;
    prop_label(j);
    return MTC_OK;
}

static propagate_job propagate_of(const mtc_data *sources, size_t n_sources,
                                  const mtc_data *target,
                                  const mtc_propagate_options *opt)
{
    propagate_job job = {.sources = sources, .n_sources = n_sources,
                         .target = target, .o = opt};
    job.N = mtc_add(count_samples(sources, n_sources), target->n);
    job.graph.n_sets = n_sources + 1;
    job.graph.N = job.N;
    job.graph.d = target->d;
    job.graph.o = &opt->graph;
    job.graph.pair_bytes = pair_work(sources, n_sources, target);
    return job;
}

size_t mtc_propagate_memory(const mtc_data *sources, size_t n_sources,
                            const mtc_data *target,
                            const mtc_propagate_options *opt)
{
    propagate_job job = propagate_of(sources, n_sources, target, opt);
    return mtc_job_memory(propagate_layout, &job);
}

mtc_status mtc_propagate(mtc_context *ctx, const mtc_data *sources,
                         const int *const *source_labels, size_t n_sources,
                         const mtc_data *target,
                         const mtc_propagate_options *opt,
                         mtc_propagate_result *res)
{
    mtc_status s = propagate_check(ctx, sources, source_labels, n_sources,
                                   target, opt);
    if (s != MTC_OK)
        return s;
    propagate_job job = propagate_of(sources, n_sources, target, opt);
    job.source_labels = source_labels;
    s = mtc_job_run(ctx, propagate_layout, propagate_work, &job, &job.r.block,
                    &job.r.block_size);
    if (s == MTC_OK)
        *res = job.r;
    return s;
}

void mtc_propagate_free(mtc_context *ctx, mtc_propagate_result *res)
{
    if (res != NULL)
        mtc_discard(ctx, res, sizeof *res, res->block, res->block_size);
}

/* ==========================================================================
 * Chapter 6  Logistic regression
 *
 *   min over Theta   sum_i s_i (-log p_i,y(i)) + ridge/2 |W|^2
 *   p_i = softmax(z_i),   Z = X W' + 1 b',   s_i = w_i / sum w
 *
 * Notation   n samples, d features, c classes
 *   Theta  theta  [(d+1)*c]  W' with the bias b as its last row
 *   P      P      [n*c]      p_i; the last objective's
 *   s      share  [n]
 *   M      scale  [d+1]      diagonal preconditioner, one for all classes
 *
 * Algorithm   truncated Newton
 *   A1  G = X' S (P - Y) + ridge W'; stop when |G| <= tolerance |G at start|
 *   A2  H D = -G by conjugate gradients, loosely far from the minimum; a
 *       product is H V = X' S (P o U - P (P'U)) + ridge V with U = X V,
 *       two passes over the data and no matrix of size d
 *   A3  Theta += t D,  t = 1, 1/2, 1/4 ... until the objective falls by a
 *       share of what the slope promises (Armijo)
 *
 * Adding one vector to every class changes no p: without a ridge H is flat
 * there.  G sums to 0 over the classes and M is the same for all of them, so
 * that no step ever enters the flat directions.
 *
 * Cost   O(nnz c) for a product; 2 n c + 7 (d+1) c reals of scratch.
 * Reference   Nocedal, Wright: Numerical Optimization, algorithm 7.1.
 * ========================================================================== */

#define LOGIT_HALVINGS 60               /* 2^-60 of a step is none */
#define LOGIT_PRODUCTS ((size_t)1000)   /* conjugate gradients in one step */
#define LOGIT_NOISE (8 * MTC_EPS)       /* of an objective of many terms */

typedef struct logistic_job {
    const mtc_data *X;
    const int *labels;
    const mtc_logistic_options *o;
    mtc_logistic_result r;
    size_t n, d, c, size;               /* size = (d+1) c */
    mtc_real *share, *P, *U;
    mtc_real *theta, *trial, *G, *D;    /* point, trial, gradient, step */
    mtc_real *resid, *q, *Hq;           /* residual, direction, H times it */
    mtc_real *scale, *moment;           /* [d+1] */
    void *work;
} logistic_job;

mtc_logistic_options mtc_logistic_defaults(void)
{
    mtc_logistic_options o;
    memset(&o, 0, sizeof o);
    o.classes = 2;
    o.ridge = (mtc_real)1e-3;
    o.iterations = 100;
    o.tolerance = (mtc_real)(sizeof(mtc_real) < sizeof(double) ? 1e-4 : 1e-8);
    return o;
}

static mtc_status logit_check(mtc_context *ctx, const mtc_data *X,
                              const int *labels,
                              const mtc_logistic_options *o,
                              const mtc_logistic_result *res)
{
    if (o == NULL)
        return bad_option(ctx, "options");
    if (res == NULL)
        return bad_option(ctx, "result");
    if (o->classes == 0 || o->classes > INT_MAX)
        return bad_option(ctx, "classes");
    if (!(o->ridge >= 0) || !MTC_FINITE(o->ridge))
        return bad_option(ctx, "ridge");
    if (!(o->tolerance >= 0) || !MTC_FINITE(o->tolerance))
        return bad_option(ctx, "tolerance");
    mtc_status s = mtc_data_check(ctx, X, MTC_NONE);
    if (s == MTC_OK)
        s = check_labels(ctx, labels, X->n, o->classes, MTC_NONE);
    return s == MTC_OK ? check_weights(ctx, o->weights, X->n) : s;
}

static void logistic_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    logistic_job *w = (logistic_job *)job;
    size_t n = w->n = w->X->n, d = w->d = w->X->d, c = w->c = w->o->classes;
    w->size = mtc_mul(mtc_add(d, 1), c);
    w->r.W = MTC_TAKE(own, mtc_mul(c, d), mtc_real);
    w->r.bias = MTC_TAKE(own, c, mtc_real);
    w->r.objective = MTC_TAKE(own, mtc_add(w->o->iterations, 1), mtc_real);
    w->share = MTC_TAKE(tmp, n, mtc_real);
    w->P = MTC_TAKE(tmp, mtc_mul(n, c), mtc_real);
    w->U = MTC_TAKE(tmp, mtc_mul(n, c), mtc_real);
    w->theta = MTC_TAKE(tmp, w->size, mtc_real);
    w->trial = MTC_TAKE(tmp, w->size, mtc_real);
    w->G = MTC_TAKE(tmp, w->size, mtc_real);
    w->D = MTC_TAKE(tmp, w->size, mtc_real);
    w->resid = MTC_TAKE(tmp, w->size, mtc_real);
    w->q = MTC_TAKE(tmp, w->size, mtc_real);
    w->Hq = MTC_TAKE(tmp, w->size, mtc_real);
    w->scale = MTC_TAKE(tmp, mtc_add(d, 1), mtc_real);
    w->moment = MTC_TAKE(tmp, mtc_add(d, 1), mtc_real);
    w->work = mtc_take(tmp, mtc_data_work(w->X, NULL, c), 1);
}

/* s = weights / their sum, by way of the largest so that no sum overflows. */
static void logit_shares(const mtc_real *weights, logistic_job *w)
{
    mtc_real top = 0, sum = 0;
    for (size_t i = 0; i < w->n; i++) {
        w->share[i] = weights == NULL ? 1 : weights[i];
        top = w->share[i] > top ? w->share[i] : top;
    }
    for (size_t i = 0; i < w->n; i++)
        sum += w->share[i] /= top;
    for (size_t i = 0; i < w->n; i++)
        w->share[i] /= sum;
}

/* m_j = sum_i s_i x_ij^2, and 1 for the bias: the features' own scales. */
static void logit_moments(logistic_job *w)
{
    const mtc_data *X = w->X;
    memset(w->moment, 0, w->d * sizeof *w->moment);
    w->moment[w->d] = 1;
    for (size_t i = 0; i < w->n; i++)
        if (X->row == NULL)
            for (size_t j = 0; j < w->d; j++) {
                mtc_real x = X->values[i * X->stride + j];
                w->moment[j] += w->share[i] * x * x;
            }
        else
            for (size_t e = X->row[i]; e < X->row[i + 1]; e++)
                w->moment[X->column[e]] +=
                    w->share[i] * X->values[e] * X->values[e];
}

/* log(1 + x), x >= 0, to full precision although 1 + x drops digits of x:
 * log(u) / (u - 1) hardly changes between u = 1 + x and its rounding. */
static mtc_real logit_log1p(mtc_real x)
{
    mtc_real u = 1 + x;
    return u == 1 ? x : mtc_log(u) * (x / (u - 1));
}

/* z [c] <- softmax(z), and -log of its entry y.  Shifted by the largest
 * score, whose exp is exactly 1: nothing overflows, and a loss far below
 * eps keeps its digits. */
static mtc_real logit_softmax(size_t c, size_t y, mtc_real *z)
{
    size_t top = 0;
    for (size_t k = 1; k < c; k++)
        if (z[k] > z[top])
            top = k;
    mtc_real zy = z[top] - z[y], zt = z[top], rest = 0;
    for (size_t k = 0; k < c; k++) {
        z[k] = k == top ? 1 : mtc_exp(z[k] - zt);
        rest += k == top ? 0 : z[k];
    }
    for (size_t k = 0; k < c; k++)
        z[k] /= 1 + rest;
    return zy + logit_log1p(rest);
}

/* Z [n*c] = X V + 1 v' for V [(d+1)*c] with v its last row. */
static void logit_push(const logistic_job *w, const mtc_real *V, mtc_real *Z)
{
    mtc_data_times(w->X, w->c, V, w->c, Z, w->c, w->work);
    for (size_t i = 0; i < w->n; i++)
        mtc_axpy(w->c, 1, V + w->d * w->c, Z + i * w->c);
}

/* out [(d+1)*c] = (X' R + ridge V; 1' R): what push's transpose makes of R,
 * with the penalty, which spares the bias. */
static void logit_pull(const logistic_job *w, const mtc_real *R,
                       const mtc_real *V, mtc_real *out)
{
    mtc_real *last = out + w->d * w->c;
    mtc_data_transpose_times(w->X, w->c, R, w->c, out, w->c, w->work);
    mtc_axpy(w->d * w->c, w->o->ridge, V, out);
    memset(last, 0, w->c * sizeof *last);
    for (size_t i = 0; i < w->n; i++)
        mtc_axpy(w->c, 1, R + i * w->c, last);
}

/* The objective at theta; leaves P.  The sum is compensated (Kahan): close
 * to the minimum its last digits decide about a step. */
static mtc_real logit_objective(const logistic_job *w, const mtc_real *theta)
{
    mtc_real sum = 0, lost = 0;
    logit_push(w, theta, w->P);
    for (size_t i = 0; i < w->n; i++) {
        size_t y = (size_t)w->labels[i];
        mtc_real loss = logit_softmax(w->c, y, w->P + i * w->c);
        mtc_real term = w->share[i] * loss - lost, total = sum + term;
        lost = (total - sum) - term;
        sum = total;
    }
    return sum + w->o->ridge / 2 * mtc_dot(w->d * w->c, theta, theta);
}

/* A1: G = X' S (P - Y) + ridge W' from the P of the last objective, and the
 * preconditioner M = h m + ridge, h the mean curvature of softmax. */
static mtc_real logit_gradient(const logistic_job *w)
{
    size_t c = w->c;
    mtc_real h = 0;
    for (size_t i = 0; i < w->n; i++) {
        const mtc_real *p = w->P + i * c;
        mtc_real *u = w->U + i * c;
        for (size_t k = 0; k < c; k++)
            u[k] = w->share[i] * (p[k] - (k == (size_t)w->labels[i]));
        h += w->share[i] * (1 - mtc_dot(c, p, p)) / (mtc_real)c;
    }
    logit_pull(w, w->U, w->theta, w->G);
    for (size_t j = 0; j <= w->d; j++) {
        mtc_real m = h * w->moment[j] + (j < w->d ? w->o->ridge : 0);
        w->scale[j] = m > MTC_TINY ? m : 1;
    }
    return MTC_SQRT(mtc_dot(w->size, w->G, w->G));
}

/* HV = H V at the P of the last objective. */
static void logit_curve(const logistic_job *w, const mtc_real *V, mtc_real *HV)
{
    logit_push(w, V, w->U);
    for (size_t i = 0; i < w->n; i++) {
        const mtc_real *p = w->P + i * w->c;
        mtc_real *u = w->U + i * w->c, mean = mtc_dot(w->c, p, u);
        for (size_t k = 0; k < w->c; k++)
            u[k] = w->share[i] * p[k] * (u[k] - mean);
    }
    logit_pull(w, w->U, V, HV);
}

/* r' M^-1 r, r the residual */
static mtc_real logit_energy(const logistic_job *w)
{
    mtc_real sum = 0;
    for (size_t j = 0; j <= w->d; j++)
        sum += mtc_dot(w->c, w->resid + j * w->c, w->resid + j * w->c) /
               w->scale[j];
    return sum;
}

/* q <- M^-1 r + beta q */
static void logit_turn(const logistic_job *w, mtc_real beta)
{
    for (size_t j = 0, e = 0; j <= w->d; j++)
        for (size_t k = 0; k < w->c; k++, e++)
            w->q[e] = w->resid[e] / w->scale[j] + beta * w->q[e];
}

/* q' M q: what the curvature along q ought to be like. */
static mtc_real logit_expected(const logistic_job *w)
{
    mtc_real sum = 0;
    for (size_t j = 0; j <= w->d; j++)
        sum += w->scale[j] *
               mtc_dot(w->c, w->q + j * w->c, w->q + j * w->c);
    return sum;
}

/* A2: D ~ -H^-1 G to a residual of `target`.  Where the curvature along a
 * direction vanishes the steps so far are the answer, or -M^-1 G if there
 * are none.  Returns the slope G'D < 0. */
static mtc_real logit_newton(const logistic_job *w, mtc_real target)
{
    size_t limit = mtc_add(mtc_mul(2, w->size), 10);
    limit = limit < LOGIT_PRODUCTS ? limit : LOGIT_PRODUCTS;
    memset(w->D, 0, w->size * sizeof *w->D);
    memset(w->q, 0, w->size * sizeof *w->q);
    for (size_t e = 0; e < w->size; e++)
        w->resid[e] = -w->G[e];
    mtc_real rho = logit_energy(w);
    logit_turn(w, 0);
    for (size_t it = 0; it < limit; it++) {
        logit_curve(w, w->q, w->Hq);
        mtc_real curvature = mtc_dot(w->size, w->q, w->Hq);
        if (!(curvature > MTC_EPS * logit_expected(w))) {
            if (it == 0)
                memcpy(w->D, w->q, w->size * sizeof *w->D);
            break;
        }
        mtc_real a = rho / curvature;
        mtc_axpy(w->size, a, w->q, w->D);
        mtc_axpy(w->size, -a, w->Hq, w->resid);
        if (!(MTC_SQRT(mtc_dot(w->size, w->resid, w->resid)) > target))
            break;
        mtc_real old = rho;
        rho = logit_energy(w);
        logit_turn(w, rho / old);
    }
    return mtc_dot(w->size, w->G, w->D);
}

/* A3: moves theta along D and returns the objective there, or leaves theta
 * and returns f if nothing better is found.  Differences below the noise of
 * the objective itself do not count against a step. */
static mtc_real logit_search(logistic_job *w, mtc_real f, mtc_real slope)
{
    mtc_real t = 1;
    for (int halving = 0; halving < LOGIT_HALVINGS; halving++, t /= 2) {
        memcpy(w->trial, w->theta, w->size * sizeof *w->trial);
        mtc_axpy(w->size, t, w->D, w->trial);
        mtc_real ft = logit_objective(w, w->trial);
        if (ft <= f + (mtc_real)1e-4 * t * slope + LOGIT_NOISE * f) {
            mtc_real *old = w->theta;
            w->theta = w->trial;
            w->trial = old;
            return ft;
        }
    }
    return logit_objective(w, w->theta);
}

/* The answer in the shape of the header: W = Theta' without its last row. */
static void logit_write(logistic_job *w)
{
    w->r.classes = w->c;
    w->r.d = w->d;
    for (size_t k = 0; k < w->c; k++) {
        for (size_t j = 0; j < w->d; j++)
            w->r.W[k * w->d + j] = w->theta[j * w->c + k];
        w->r.bias[k] = w->theta[w->d * w->c + k];
    }
}

static mtc_status logistic_work(mtc_context *ctx, void *job)
{
    logistic_job *w = (logistic_job *)job;
    const mtc_logistic_options *o = w->o;
    mtc_real *objective = w->r.objective, start = 0, before = 0;
    logit_shares(o->weights, w);
    logit_moments(w);
    memset(w->theta, 0, w->size * sizeof *w->theta);
    mtc_real f = objective[0] = logit_objective(w, w->theta);
    for (size_t it = 0;; it++) {
        mtc_status s = mtc_tick(ctx, "logistic", it, o->iterations);
        if (s != MTC_OK)
            return s;
        mtc_real g = logit_gradient(w);                             /* A1 */
        start = it == 0 ? g : start;
        /* neither the objective nor the gradient fell: rounding is left */
        int idle = it > 0 && !(objective[it] < objective[it - 1]) &&
                   !(g < before);
        w->r.iterations = it;
        w->r.gradient = before = g;
        w->r.converged = MTC_FINITE(g) && g <= o->tolerance * start;
        if (w->r.converged || idle || it == o->iterations)
            break;
        mtc_real ratio = MTC_SQRT(g / start);
        mtc_real forcing = ratio < (mtc_real).1 ? ratio : (mtc_real).1;
        mtc_real slope = logit_newton(w, forcing * g);              /* A2 */
        f = slope < 0 ? logit_search(w, f, slope) : f;              /* A3 */
        objective[it + 1] = f < objective[it] ? f : objective[it];
    }
    logit_write(w);
    return MTC_OK;
}

size_t mtc_logistic_memory(const mtc_data *X, const mtc_logistic_options *opt)
{
    logistic_job job = {.X = X, .o = opt};
    return mtc_job_memory(logistic_layout, &job);
}

mtc_status mtc_logistic(mtc_context *ctx, const mtc_data *X,
                        const int *labels, const mtc_logistic_options *opt,
                        mtc_logistic_result *res)
{
    mtc_status s = logit_check(ctx, X, labels, opt, res);
    if (s != MTC_OK)
        return s;
    logistic_job job = {.X = X, .labels = labels, .o = opt};
    s = mtc_job_run(ctx, logistic_layout, logistic_work, &job, &job.r.block,
                    &job.r.block_size);
    if (s == MTC_OK)
        *res = job.r;
    return s;
}

/* Row by row, with no memory but the caller's: where probabilities are asked
 * for, their row holds the scores first. */
mtc_status mtc_logistic_assign(mtc_context *ctx, const mtc_data *X,
                               const mtc_logistic_result *res,
                               int *labels, mtc_real *probabilities)
{
    mtc_status s = mtc_data_check(ctx, X, MTC_NONE);
    if (s != MTC_OK)
        return s;
    if (res == NULL || res->classes == 0 || X->d != res->d)
        return bad_option(ctx, "features differ from the model's");
    size_t c = res->classes;
    for (size_t i = 0; i < X->n; i++) {
        mtc_real *p = probabilities == NULL ? NULL : probabilities + i * c;
        mtc_real best = 0;
        for (size_t k = 0; k < c; k++) {
            mtc_real z = mtc_data_dot(X, i, res->W + k * res->d);
            z += res->bias[k];
            if (labels != NULL && (k == 0 || z > best))
                labels[i] = (int)k;
            best = k == 0 || z > best ? z : best;
            if (p != NULL)
                p[k] = z;
        }
        if (p != NULL)
            logit_softmax(c, 0, p);
    }
    return MTC_OK;
}

void mtc_logistic_free(mtc_context *ctx, mtc_logistic_result *res)
{
    if (res != NULL)
        mtc_discard(ctx, res, sizeof *res, res->block, res->block_size);
}

/* ==========================================================================
 * Chapter 7  Support vector machine
 *
 *   min 1/2 a'Qa - sum a,   0 <= a_i <= C_i,   y'a = 0,   Q_ij = y_i y_j K_ij
 *
 * With the signed multiplier b_i = y_i a_i the labels leave the matrix:
 *   min 1/2 b'Kb - y'b,   lo <= b <= hi,   sum b = 0
 *   y_i = +1: box [0, C_i];   y_i = -1: box [-C_i, 0]
 * A pair moves as b_i += t, b_j -= t, and K's rows serve every problem of
 * one against the rest.
 *
 * Notation   n samples; arrays are by position, position k holds sample
 *            order[k], and positions from `active` on are left out
 *   F    F     [n]     y - K b, the negative gradient
 *   b    beta  [n]     lo, hi [n] its box
 *   up, low    [n]     0 where b may rise (fall), else -huge (+huge): added
 *                      to F they keep a position out of a maximum (minimum)
 *   K    cache         the rows that were used last
 *
 * Algorithm   sequential minimal optimisation [FCL05]
 *   B1  top = max F over b < hi, at i;   bottom = min F over b > lo
 *   B2  stop when top - bottom <= tolerance: the KKT gap
 *   B3  j: the largest gain (F_i - F_j)^2 / (K_ii + K_jj - 2 K_ij)
 *   B4  t = (F_i - F_j) / (K_ii + K_jj - 2 K_ij), cut to the box of the two
 *   B5  F -= t (K_i - K_j)
 *   B6  now and then: a position at a bound, with the gradient pushing it
 *       against that, moves behind `active` (shrinking)
 * Behind `active` F falls out of date.  B2 believes a gap only after F was
 * computed anew there, and everywhere once the rounding of B5 could matter.
 * That takes the rows of free multipliers alone: what those at a bound add
 * to K b is kept up to date for all samples.
 *
 * Reference   [FCL05]; shrinking and cache after Joachims: Making large-scale
 *   SVM learning practical, 1998; Chang, Lin: LIBSVM, ACM TIST 2011.
 * Deviation: [FCL05] takes a small constant where K_ii + K_jj - 2 K_ij is
 *   not positive; here eps (K_ii + K_jj), its rounding error, is added to it.
 * Cost   O(active) a step, and O(active d) for a row that is not cached.
 * ========================================================================== */

#define SVM_LANES ((size_t)32)          /* maxima that a search keeps */
#define SVM_PERIOD ((size_t)1000)       /* steps from shrinking to shrinking */
#define SVM_STEPS ((size_t)10000000)    /* the least bound on steps */
#define SVM_CLAIMS 20                   /* gaps that may prove to be false */
#define SVM_LEAST (MTC_TINY / MTC_EPS)  /* of a K_ii, so that eps K_ii > 0 */

/* K(x, z) = x.z or exp(-gamma |x-z|^2) between vectors and rows of X. */
typedef struct svm_kernel {
    const mtc_data *X;
    mtc_kernel kind;
    mtc_real gamma;
    mtc_real *norms;                    /* [n] |x|^2; CSR alone */
} svm_kernel;

/* Rows of K, each with its first `filled` entries.  The slots form a ring by
 * last use, which the number `slots` closes: newer[slots] is the oldest. */
typedef struct svm_cache {
    size_t slots;
    mtc_real *rows;                     /* [slots*n] */
    size_t *owner, *filled;             /* [slots] position, entries */
    size_t *newer, *older;              /* [slots+1] */
    size_t *slot;                       /* [n] of a position, or MTC_NONE */
} svm_cache;

typedef struct svm_job {
    const int *labels;
    const mtc_svm_options *o;
    mtc_svm_result r;
    svm_kernel K;
    svm_cache cache;
    size_t n, active;
    int fresh;                          /* F is of all samples, no B5 yet */
    size_t since;                       /* B5 since F was all computed */
    size_t *order, *pair;               /* [n] */
    mtc_real excess;                    /* sum b, but for rounding 0 */
    mtc_real *F, *beta, *lo, *hi, *up, *low, *diag, *y;
    mtc_real *settled;                  /* [n] K b of those at a bound */
    mtc_real *spare;                    /* [n] a row outside the cache */
    mtc_real *x;                        /* [d] a CSR row spread out */
} svm_job;

mtc_svm_options mtc_svm_defaults(void)
{
    mtc_svm_options o;
    memset(&o, 0, sizeof o);
    o.classes = 2;
    o.kernel = MTC_LINEAR;
    o.cost = 1;
    o.tolerance = (mtc_real)1e-3;
    o.cache = (size_t)64 << 20;
    o.shrinking = 1;
    return o;
}

/* One against the rest, which for two classes are one and the same. */
static size_t svm_problems(size_t classes)
{
    return classes < 3 ? classes - 1 : classes;
}

/* Every sample's own bound C cost_i and start: finite, none negative; and
 * not every bound 0. */
static mtc_status svm_check_samples(mtc_context *ctx, size_t n,
                                    const mtc_svm_options *o)
{
    int some = o->costs == NULL;
    size_t starts = o->start == NULL ? 0 : svm_problems(o->classes) * n;
    for (size_t i = 0; i < n && o->costs != NULL; i++) {
        if (!(o->costs[i] >= 0) || !MTC_FINITE(o->cost * o->costs[i]))
            return mtc_fail(ctx, MTC_DOMAIN, "costs", MTC_NONE, i, MTC_NONE);
        some |= o->costs[i] > 0;
    }
    for (size_t i = 0; i < starts; i++)
        if (!MTC_FINITE(o->start[i]))
            return mtc_fail(ctx, MTC_DOMAIN, "start", MTC_NONE, i % n, i / n);
    return some ? MTC_OK : bad_option(ctx, "costs");
}

static mtc_status svm_check(mtc_context *ctx, const mtc_data *X,
                            const int *labels, const mtc_svm_options *o,
                            const mtc_svm_result *res)
{
    if (o == NULL)
        return bad_option(ctx, "options");
    if (res == NULL)
        return bad_option(ctx, "result");
    if (o->classes == 0 || o->classes > INT_MAX)
        return bad_option(ctx, "classes");
    if (o->kernel != MTC_LINEAR && o->kernel != MTC_RBF)
        return bad_option(ctx, "kernel");
    if (!(o->gamma >= 0) || !MTC_FINITE(o->gamma))
        return bad_option(ctx, "gamma");
    if (!(o->cost > 0) || !MTC_FINITE(o->cost))
        return bad_option(ctx, "cost");
    if (!(o->tolerance >= 0) || !MTC_FINITE(o->tolerance))
        return bad_option(ctx, "tolerance");
    mtc_status s = mtc_data_check(ctx, X, MTC_NONE);
    if (s == MTC_OK)
        s = check_labels(ctx, labels, X->n, o->classes, MTC_NONE);
    return s == MTC_OK ? svm_check_samples(ctx, X->n, o) : s;
}

/* As many rows as `bytes` hold: 2 at least, n at most. */
static void svm_cache_layout(mtc_stack *tmp, size_t n, size_t bytes,
                             svm_cache *c)
{
    size_t row = mtc_mul(n, sizeof(mtc_real));
    size_t slots = row > 0 && bytes / row < n ? bytes / row : n;
    c->slots = slots = slots > 2 ? slots : 2;   /* K_i and K_j at a time */
    c->rows = MTC_TAKE(tmp, mtc_mul(slots, n), mtc_real);
    c->owner = MTC_TAKE(tmp, slots, size_t);
    c->filled = MTC_TAKE(tmp, slots, size_t);
    c->newer = MTC_TAKE(tmp, slots + 1, size_t);
    c->older = MTC_TAKE(tmp, slots + 1, size_t);
    c->slot = MTC_TAKE(tmp, n, size_t);
}

static void svm_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    svm_job *w = (svm_job *)job;
    const mtc_data *X = w->K.X;
    size_t n = X->n, p = svm_problems(w->o->classes);
    w->r.coefficients = MTC_TAKE(own, mtc_mul(p, n), mtc_real);
    w->r.bias = MTC_TAKE(own, p, mtc_real);
    w->r.objective = MTC_TAKE(own, p, mtc_real);
    w->r.gap = MTC_TAKE(own, p, mtc_real);
    w->r.support = MTC_TAKE(own, p, size_t);
    svm_cache_layout(tmp, n, w->o->cache, &w->cache);
    w->order = MTC_TAKE(tmp, n, size_t);
    w->pair = MTC_TAKE(tmp, n, size_t);
    w->F = MTC_TAKE(tmp, n, mtc_real);
    w->beta = MTC_TAKE(tmp, n, mtc_real);
    w->lo = MTC_TAKE(tmp, n, mtc_real);
    w->hi = MTC_TAKE(tmp, n, mtc_real);
    w->up = MTC_TAKE(tmp, n, mtc_real);
    w->low = MTC_TAKE(tmp, n, mtc_real);
    w->diag = MTC_TAKE(tmp, n, mtc_real);
    w->y = MTC_TAKE(tmp, n, mtc_real);
    w->settled = MTC_TAKE(tmp, n, mtc_real);
    w->spare = MTC_TAKE(tmp, n, mtc_real);
    w->K.norms = MTC_TAKE(tmp, X->row == NULL ? 0 : n, mtc_real);
    w->x = MTC_TAKE(tmp, X->row == NULL ? 0 : X->d, mtc_real);
}

/* ---- kernel rows ------------------------------------------------------- */

/* |x - row j|^2 for a CSR row: by lengths and dot, summed anew where these
 * cancel. */
static mtc_real svm_sparse_distance(const svm_kernel *K, const mtc_real *x,
                                    mtc_real xx, size_t j)
{
    mtc_real sum = xx + K->norms[j];
    mtc_real sq = sum - 2 * mtc_data_dot(K->X, j, x);
    if (sq >= PAIR_CANCEL * sum)
        return sq;
    mtc_data one = mtc_dense(1, K->X->d, x);
    return row_sq_distance(&one, 0, K->X, j);
}

/* out [m] = K(x, rows which[0..m-1] of X).  K(x, x) = 1 exactly for RBF. */
static void svm_kernel_row(const svm_kernel *K, const mtc_real *x,
                           const size_t *which, size_t m, mtc_real *out)
{
    const mtc_data *X = K->X;
    if (K->kind == MTC_LINEAR) {
        for (size_t k = 0; k < m; k++)
            out[k] = mtc_data_dot(X, which[k], x);
        return;
    }
    mtc_real xx = X->row == NULL ? 0 : mtc_dot(X->d, x, x);
    for (size_t k = 0; k < m; k++)
        out[k] = X->row != NULL
                     ? svm_sparse_distance(K, x, xx, which[k])
                     : sq_distance(X->d, x, X->values + which[k] * X->stride);
    for (size_t k = 0; k < m; k++)
        out[k] = mtc_exp(-K->gamma * out[k]);
}

/* No row in any slot; the ring in the order of the numbers. */
static void svm_cache_clear(svm_cache *c, size_t n)
{
    for (size_t s = 0; s <= c->slots; s++) {
        c->newer[s] = s == c->slots ? 0 : s + 1;
        c->older[s] = s == 0 ? c->slots : s - 1;
    }
    for (size_t s = 0; s < c->slots; s++)
        c->owner[s] = MTC_NONE;
    for (size_t k = 0; k < n; k++)
        c->slot[k] = MTC_NONE;
}

/* Slot s leaves its place in the ring and becomes the newest. */
static void svm_cache_touch(svm_cache *c, size_t s)
{
    size_t head = c->slots;
    c->newer[c->older[s]] = c->newer[s];
    c->older[c->newer[s]] = c->older[s];
    c->older[s] = c->older[head];
    c->newer[s] = head;
    c->newer[c->older[s]] = s;
    c->older[head] = s;
}

/* Entries from..to-1 of the row of position i. */
static void svm_fill(const svm_job *w, size_t i, size_t from, size_t to,
                     mtc_real *row)
{
    const mtc_real *x = row_dense(w->K.X, w->order[i], w->x);
    svm_kernel_row(&w->K, x, w->order + from, to - from, row + from);
}

/* The first m entries of the row of position i.  The row fetched before it
 * stays valid; there are two slots at least. */
static const mtc_real *svm_row(svm_job *w, size_t i, size_t m)
{
    svm_cache *c = &w->cache;
    size_t s = c->slot[i];
    if (s == MTC_NONE) {
        s = c->newer[c->slots];
        if (c->owner[s] != MTC_NONE)
            c->slot[c->owner[s]] = MTC_NONE;
        c->owner[s] = i;
        c->slot[i] = s;
        c->filled[s] = 0;
    }
    svm_cache_touch(c, s);
    mtc_real *row = c->rows + s * w->n;
    if (c->filled[s] < m) {
        svm_fill(w, i, c->filled[s], m, row);
        c->filled[s] = m;
    }
    return row;
}

static void svm_swap_reals(mtc_real *v, size_t a, size_t b)
{
    mtc_real t = v[a];
    v[a] = v[b];
    v[b] = t;
}

/* Positions pair[0] < pair[1], then pair[2] < pair[3] ... change places in
 * every row, one row after the other.  A row that ends between the two does
 * not know what comes to the first: it is cut there. */
static void svm_cache_swap(svm_cache *c, size_t n, size_t pairs,
                           const size_t *pair)
{
    for (size_t s = 0; s < c->slots; s++)
        for (size_t p = 0; p < pairs && c->owner[s] != MTC_NONE; p++) {
            size_t a = pair[2 * p], b = pair[2 * p + 1];
            if (c->filled[s] > b)
                svm_swap_reals(c->rows + s * n, a, b);
            else if (c->filled[s] > a)
                c->filled[s] = a;
        }
    for (size_t p = 0; p < pairs; p++) {
        size_t a = pair[2 * p], b = pair[2 * p + 1];
        size_t sa = c->slot[a], sb = c->slot[b];
        c->slot[a] = sb;
        c->slot[b] = sa;
        if (sa != MTC_NONE)
            c->owner[sa] = b;
        if (sb != MTC_NONE)
            c->owner[sb] = a;
    }
}

/* ---- one problem ------------------------------------------------------- */

/* Where b_k may go, for B1 and B3. */
static void svm_mask(svm_job *w, size_t k)
{
    w->up[k] = w->beta[k] < w->hi[k] ? 0 : -(mtc_real)MTC_HUGE;
    w->low[k] = w->beta[k] > w->lo[k] ? 0 : (mtc_real)MTC_HUGE;
}

/* Is b_k at a bound that is not 0?  Then `settled` has its share of K b. */
static int svm_settled(const svm_job *w, size_t k)
{
    return w->o->shrinking && (w->beta[k] < 0 || w->beta[k] > 0) &&
           !(w->beta[k] > w->lo[k] && w->beta[k] < w->hi[k]);
}

/* The row of position k from `from` on, for one use: if it is not cached and
 * no slot is free it goes to `spare`, lest a pass over all rows empty the
 * cache. */
static const mtc_real *svm_passing_row(svm_job *w, size_t k, size_t from)
{
    const svm_cache *c = &w->cache;
    if (c->slot[k] != MTC_NONE || c->owner[c->newer[c->slots]] == MTC_NONE)
        return svm_row(w, k, w->n) + from;
    svm_fill(w, k, from, w->n, w->spare);
    return w->spare + from;
}

/* F = y - K b at the positions from `from` on, and all become active.  From 0
 * on, `settled` is computed anew too. */
static void svm_refresh(svm_job *w, size_t from)
{
    size_t m = w->n - from;
    if (from == 0)
        memset(w->settled, 0, w->n * sizeof *w->settled);
    w->since = from == 0 ? 0 : w->since;
    for (size_t k = 0; k < w->n && from == 0; k++)
        if (svm_settled(w, k))
            mtc_axpy(m, w->beta[k], svm_passing_row(w, k, 0), w->settled);
    for (size_t k = from; k < w->n; k++)
        w->F[k] = w->y[k] - w->settled[k];
    for (size_t k = 0; k < w->n && m > 0; k++)
        if ((w->beta[k] < 0 || w->beta[k] > 0) && !svm_settled(w, k))
            mtc_axpy(m, -w->beta[k], svm_passing_row(w, k, from),
                     w->F + from);
    w->active = w->n;
    w->fresh = 1;
}

/* Lanes that are used where `rest` positions are left. */
static size_t svm_lanes(size_t rest)
{
    return rest < SVM_LANES ? rest : SVM_LANES;
}

typedef struct svm_extremes {
    size_t i;                           /* of top, or MTC_NONE */
    mtc_real top, bottom;
} svm_extremes;

/* B1 over the active positions; i is the lowest on a tie.  Position
 * b SVM_LANES + z is seen by lane z, which keeps its own extremes and the b
 * of its top: no branch, so that compilers vectorise the inner loop. */
static svm_extremes svm_find_extremes(const svm_job *w)
{
    const mtc_real *F = w->F, *up = w->up, *low = w->low;
    mtc_real top[SVM_LANES], at[SVM_LANES], bottom[SVM_LANES], block = 0;
    size_t lanes = svm_lanes(w->active);
    for (size_t z = 0; z < lanes; z++) {
        bottom[z] = -(top[z] = -(mtc_real)MTC_HUGE);
        at[z] = 0;
    }
    for (size_t k = 0; k < w->active; k += SVM_LANES, block++) {
        size_t m = svm_lanes(w->active - k);
        for (size_t z = 0; z < m; z++) {
            mtc_real u = F[k + z] + up[k + z], v = F[k + z] + low[k + z];
            mtc_real t = u > top[z] ? u : top[z];
            mtc_real a = u > top[z] ? block : at[z];
            bottom[z] = v < bottom[z] ? v : bottom[z];
            top[z] = t;
            at[z] = a;
        }
    }
    svm_extremes e = {MTC_NONE, -(mtc_real)MTC_HUGE, (mtc_real)MTC_HUGE};
    for (size_t z = 0; z < lanes; z++) {
        size_t i = (size_t)at[z] * SVM_LANES + z;
        if (top[z] > e.top || (top[z] == e.top && i < e.i)) {
            e.top = top[z];
            e.i = i;
        }
        e.bottom = bottom[z] < e.bottom ? bottom[z] : e.bottom;
    }
    if (!(e.top > -(mtc_real)MTC_HUGE))
        e.i = MTC_NONE;
    return e;
}

/* K_ii + K_jj - 2 K_ij, made positive by as much as its rounding error. */
static mtc_real svm_curvature(mtc_real kii, mtc_real kjj, mtc_real kij)
{
    mtc_real sum = kii + kjj;
    return MTC_FABS(sum - 2 * kij) + MTC_EPS * sum;
}

/* B3: the partner of i, MTC_NONE if F falls below top nowhere.  In lanes as
 * B1.  Gains u|u| / eta, negative where u = F_i - F_j is, are compared as
 * fractions num/den: a division costs as much as all the rest. */
static size_t svm_find_partner(const svm_job *w, size_t i, mtc_real top,
                               const mtc_real *Ki)
{
    const mtc_real *F = w->F, *low = w->low, *diag = w->diag;
    mtc_real num[SVM_LANES], den[SVM_LANES], at[SVM_LANES];
    mtc_real kii = diag[i], block = 0;
    size_t lanes = svm_lanes(w->active);
    for (size_t z = 0; z < lanes; z++) {
        num[z] = at[z] = 0;
        den[z] = 1;
    }
    for (size_t k = 0; k < w->active; k += SVM_LANES, block++) {
        size_t m = svm_lanes(w->active - k);
        for (size_t z = 0; z < m; z++) {
            mtc_real u = top - (F[k + z] + low[k + z]);
            mtc_real eta = svm_curvature(kii, diag[k + z], Ki[k + z]);
            mtc_real g = u * MTC_FABS(u), p = num[z], q = den[z], a = at[z];
            mtc_real more = g * q - p * eta;
            p = more > 0 ? g : p;
            q = more > 0 ? eta : q;
            a = more > 0 ? block : a;
            num[z] = p;
            den[z] = q;
            at[z] = a;
        }
    }
    size_t j = MTC_NONE, from = 0;
    for (size_t z = 0; z < lanes; z++) {
        size_t k = (size_t)at[z] * SVM_LANES + z;
        mtc_real mine = num[z] * den[from], best = num[from] * den[z];
        if (num[z] > 0 &&
            (j == MTC_NONE || mine > best || (mine == best && k < j))) {
            j = k;
            from = z;
        }
    }
    return j;
}

/* Gives b_k its new value, and keeps the masks and `settled` true. */
static void svm_set(svm_job *w, size_t k, mtc_real value)
{
    mtc_real old = w->beta[k];
    int before = svm_settled(w, k);
    w->beta[k] = value;
    svm_mask(w, k);
    int after = svm_settled(w, k);
    if (before || after)
        mtc_axpy(w->n, (after ? value : 0) - (before ? old : 0),
                 svm_row(w, k, w->n), w->settled);
}

/* B4: moves b_i up and b_j down; returns t, 0 if no digit of b_i moved.  What
 * rounding makes of the two moves does not add up to 0: `excess` is sum b,
 * and the next b_j that is free to makes up for it. */
static mtc_real svm_move(svm_job *w, size_t i, size_t j, mtc_real kij)
{
    mtc_real bi = w->beta[i], bj = w->beta[j];
    mtc_real t = (w->F[i] - w->F[j]) /
                 svm_curvature(w->diag[i], w->diag[j], kij);
    mtc_real room_i = w->hi[i] - bi, room_j = bj - w->lo[j];
    t = t < room_i ? t : room_i;
    t = t < room_j ? t : room_j;
    mtc_real ci = t < room_i && bi + t < w->hi[i] ? bi + t : w->hi[i];
    mtc_real cj = bj - (w->excess += ci - bi);
    cj = t < room_j && cj > w->lo[j] ? cj : w->lo[j];
    cj = cj < w->hi[j] ? cj : w->hi[j];
    w->excess -= bj - cj;
    svm_set(w, i, ci);
    svm_set(w, j, cj);
    return ci > bi ? t : 0;
}

/* B5: F -= t (K_i - K_j) over the active positions. */
static void svm_update(size_t m, mtc_real t, const mtc_real *restrict Ki,
                       const mtc_real *restrict Kj, mtc_real *restrict F)
{
    for (size_t k = 0; k < m; k++)
        F[k] -= t * (Ki[k] - Kj[k]);
}

/* May position k be left out?  At its upper bound with F above top, or at
 * its lower one with F below bottom, it is in no violating pair. */
static int svm_idle(const svm_job *w, const svm_extremes *e, size_t k)
{
    int rises = w->beta[k] < w->hi[k], falls = w->beta[k] > w->lo[k];
    return (!rises && (!falls || w->F[k] > e->top)) ||
           (!falls && w->F[k] < e->bottom);
}

/* Positions a and b change places, but for the rows of K. */
static void svm_swap(svm_job *w, size_t a, size_t b)
{
    size_t t = w->order[a];
    w->order[a] = w->order[b];
    w->order[b] = t;
    svm_swap_reals(w->F, a, b);
    svm_swap_reals(w->beta, a, b);
    svm_swap_reals(w->lo, a, b);
    svm_swap_reals(w->hi, a, b);
    svm_swap_reals(w->up, a, b);
    svm_swap_reals(w->low, a, b);
    svm_swap_reals(w->diag, a, b);
    svm_swap_reals(w->y, a, b);
    svm_swap_reals(w->settled, a, b);
}

/* B6: idle positions change places with the last that are not. */
static void svm_shrink(svm_job *w, const svm_extremes *e)
{
    size_t pairs = 0;
    for (size_t k = 0; k < w->active; k++) {
        if (!svm_idle(w, e, k))
            continue;
        w->fresh = 0;
        while (--w->active > k && svm_idle(w, e, w->active))
            continue;
        if (w->active > k) {
            svm_swap(w, k, w->active);
            w->pair[2 * pairs] = k;
            w->pair[2 * pairs++ + 1] = w->active;
        }
    }
    svm_cache_swap(&w->cache, w->n, pairs, w->pair);
}

/* Where F has to be computed anew before a gap is believed: behind `active`,
 * or everywhere once the rounding of B5 may amount to a tenth of the
 * tolerance. */
static size_t svm_stale(const svm_job *w, const svm_extremes *e,
                        mtc_real tolerance)
{
    mtc_real size = 1 + MTC_FABS(e->top) + MTC_FABS(e->bottom);
    mtc_real drift = (mtc_real)w->since * MTC_EPS * size;
    return 10 * drift > tolerance ? 0 : w->active;
}

/* The loop.  Leaves the extremes of the end in *e. */
static mtc_status svm_solve(mtc_context *ctx, size_t problem, svm_job *w,
                            svm_extremes *e)
{
    const mtc_svm_options *o = w->o;
    size_t period = w->n < SVM_PERIOD ? w->n : SVM_PERIOD, left = 0, it = 0;
    size_t cap = mtc_mul(100, w->n) > SVM_STEPS ? 100 * w->n : SVM_STEPS;
    int stuck = 0, widened = 0, claims = 0;
    cap = o->iterations > 0 ? o->iterations : cap;
    for (;; left--) {
        *e = svm_find_extremes(w);                                  /* B1 */
        mtc_real gap = e->top - e->bottom;
        if (!(gap > o->tolerance) || stuck || it == cap) {          /* B2 */
            if (w->fresh)
                break;
            svm_refresh(w, svm_stale(w, e, o->tolerance));
            stuck = ++claims == SVM_CLAIMS;
            left++;
            continue;
        }
        if (left == 0) {                                            /* B6 */
            mtc_status s = mtc_tick(ctx, "svm", problem, w->r.problems);
            if (s != MTC_OK)
                return s;
            left = period + 1;
            if (!o->shrinking || it == 0)
                continue;
            if (gap <= 10 * o->tolerance && !widened) {
                svm_refresh(w, w->active);  /* once, as the end comes near */
                *e = svm_find_extremes(w);
                widened = 1;
            }
            svm_shrink(w, e);
            continue;
        }
        const mtc_real *Ki = svm_row(w, e->i, w->active);
        size_t j = svm_find_partner(w, e->i, e->top, Ki);           /* B3 */
        stuck = j == MTC_NONE;
        if (stuck)
            continue;
        const mtc_real *Kj = svm_row(w, j, w->active);
        mtc_real t = svm_move(w, e->i, j, Ki[j]);                   /* B4 */
        stuck = !(t > 0);
        if (stuck)
            continue;
        svm_update(w->active, t, Ki, Kj, w->F);                     /* B5 */
        w->fresh = 0;
        w->since++;
        it++;
    }
    w->r.iterations += it;
    return MTC_OK;
}

/* ---- all problems ------------------------------------------------------ */

/* Labels, boxes and start of a problem whose positive class is given.
 * Returns +1 or -1 if all samples that count are of that side, else 0. */
static int svm_begin(svm_job *w, int positive, const mtc_real *start)
{
    const mtc_svm_options *o = w->o;
    mtc_real side[2] = {0, 0};          /* multipliers of either sign */
    int met[2] = {0, 0};
    for (size_t k = 0; k < w->n; k++) {
        size_t i = w->order[k];
        int plus = w->labels[i] == positive;
        mtc_real C = o->costs == NULL ? o->cost : o->cost * o->costs[i];
        mtc_real a = start == NULL || start[i] < 0 ? 0 : start[i];
        a = a < C ? a : C;
        w->y[k] = (mtc_real)(plus ? 1 : -1);
        w->hi[k] = plus ? C : 0;
        w->lo[k] = plus ? 0 : -C;
        w->beta[k] = plus ? a : -a;
        side[plus] += a;
        met[plus] |= C > 0;
    }
    /* the heavier side gives way; a balance up to rounding stays, or no
     * multiplier would remain at its bound */
    mtc_real fair = 1 + (mtc_real)w->n * MTC_EPS;
    w->excess = 0;
    for (size_t k = 0; k < w->n; k++) {
        int plus = w->y[k] > 0;
        if (side[plus] > fair * side[!plus])
            w->beta[k] *= side[!plus] / side[plus];
        w->excess += w->beta[k];
        svm_mask(w, k);
    }
    return met[0] && met[1] ? 0 : met[1] ? 1 : -1;
}

/* The bias is F at a free vector, in the mean over all; without one, the
 * middle between the extremes.  1/2 b'Kb - y'b = -1/2 b'(y + F). */
static void svm_finish(svm_job *w, const svm_extremes *e, size_t p)
{
    mtc_svm_result *r = &w->r;
    mtc_real sum = 0, twice = 0, *coef = r->coefficients + p * w->n;
    size_t free_vectors = 0;
    r->support[p] = 0;
    for (size_t k = 0; k < w->n; k++) {
        mtc_real b = w->beta[k];
        int rises = b < w->hi[k], falls = b > w->lo[k];
        sum += rises && falls ? w->F[k] : 0;
        free_vectors += rises && falls;
        r->support[p] += b < 0 || b > 0;
        twice -= b * (w->y[k] + w->F[k]);
        coef[w->order[k]] = b;
    }
    r->bias[p] = free_vectors > 0 ? sum / (mtc_real)free_vectors
                                  : (e->top + e->bottom) / 2;
    r->objective[p] = twice / 2;
    r->gap[p] = e->i == MTC_NONE ? (mtc_real)MTC_HUGE
                : e->top > e->bottom ? e->top - e->bottom : 0;
    r->converged &= r->gap[p] <= w->o->tolerance;
}

/* Nothing to separate: no support, and the one side everywhere. */
static void svm_one_sided(mtc_svm_result *r, int side, size_t p)
{
    memset(r->coefficients + p * r->n, 0, r->n * sizeof *r->coefficients);
    r->bias[p] = (mtc_real)side;
    r->objective[p] = r->gap[p] = 0;
    r->support[p] = 0;
}

/* The shape of the result, the kernel and the diagonal of K. */
static void svm_prepare(svm_job *w)
{
    const mtc_data *X = w->K.X;
    mtc_svm_result *r = &w->r;
    r->classes = w->o->classes;
    r->problems = svm_problems(r->classes);
    r->n = w->n = X->n;
    r->d = X->d;
    r->kernel = w->o->kernel;
    r->gamma = w->o->gamma > 0 ? w->o->gamma : 1 / (mtc_real)X->d;
    r->converged = 1;
    w->K.kind = r->kernel;
    w->K.gamma = r->gamma;
    svm_cache_clear(&w->cache, w->n);
    mtc_data_norms(X, w->diag);
    if (X->row != NULL)
        memcpy(w->K.norms, w->diag, w->n * sizeof *w->diag);
    for (size_t i = 0; i < w->n; i++) {
        mtc_real kii = r->kernel == MTC_RBF ? 1 : w->diag[i];
        w->diag[i] = kii > SVM_LEAST ? kii : SVM_LEAST;
        w->order[i] = i;
    }
}

static mtc_status svm_work(mtc_context *ctx, void *job)
{
    svm_job *w = (svm_job *)job;
    mtc_status s = MTC_OK;
    svm_prepare(w);
    for (size_t p = 0; s == MTC_OK && p < w->r.problems; p++) {
        const mtc_real *start = w->o->start;
        int side = svm_begin(w, w->r.problems == 1 ? 1 : (int)p,
                             start == NULL ? NULL : start + p * w->n);
        if (side != 0) {
            svm_one_sided(&w->r, side, p);
            continue;
        }
        svm_extremes e;
        svm_refresh(w, 0);
        s = svm_solve(ctx, p, w, &e);
        svm_finish(w, &e, p);
    }
    return s;
}

size_t mtc_svm_memory(const mtc_data *X, const mtc_svm_options *opt)
{
    svm_job job = {.K.X = X, .o = opt};
    return mtc_job_memory(svm_layout, &job);
}

mtc_status mtc_svm(mtc_context *ctx, const mtc_data *X, const int *labels,
                   const mtc_svm_options *opt, mtc_svm_result *res)
{
    mtc_status s = svm_check(ctx, X, labels, opt, res);
    if (s != MTC_OK)
        return s;
    svm_job job = {.K.X = X, .labels = labels, .o = opt};
    s = mtc_job_run(ctx, svm_layout, svm_work, &job, &job.r.block,
                    &job.r.block_size);
    if (s == MTC_OK)
        *res = job.r;
    return s;
}

/* ---- new samples ------------------------------------------------------- */

/* A model made ready: for the linear kernel W [problems*d] = coef X alone,
 * for RBF the samples that support any problem. */
typedef struct svm_assign_job {
    const mtc_data *X;
    const mtc_svm_result *r;
    int *labels;
    mtc_real *decisions;
    svm_kernel K;                       /* of the training data */
    mtc_real *W, *row, *x;              /* row [m], x [d] */
    size_t *list, m;                    /* [m] the support, ascending */
} svm_assign_job;

/* Linear: problems d reals.  RBF: n indices and n reals, n + d reals more if
 * the views are CSR. */
static void svm_assign_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    svm_assign_job *a = (svm_assign_job *)job;
    int linear = a->K.kind == MTC_LINEAR;
    size_t n = linear ? 0 : a->r->n, d = a->r->d;
    (void)own;
    a->W = MTC_TAKE(tmp, linear ? mtc_mul(a->r->problems, d) : 0, mtc_real);
    a->list = MTC_TAKE(tmp, n, size_t);
    a->row = MTC_TAKE(tmp, n, mtc_real);
    a->x = MTC_TAKE(tmp, linear || a->X->row == NULL ? 0 : d, mtc_real);
    a->K.norms = MTC_TAKE(tmp, a->K.X->row == NULL ? 0 : n, mtc_real);
}

/* W = coef X */
static void svm_collapse(svm_assign_job *a)
{
    const mtc_svm_result *r = a->r;
    for (size_t p = 0; p < r->problems; p++) {
        mtc_real *W = a->W + p * r->d;
        memset(W, 0, r->d * sizeof *W);
        for (size_t i = 0; i < r->n; i++)
            mtc_data_axpy(a->K.X, i, r->coefficients[p * r->n + i], W);
    }
}

/* list = samples with a coefficient in any problem. */
static void svm_list_support(svm_assign_job *a)
{
    const mtc_svm_result *r = a->r;
    for (size_t i = 0; i < r->n; i++) {
        int any = 0;
        for (size_t p = 0; p < r->problems; p++)
            any |= MTC_FABS(r->coefficients[p * r->n + i]) > 0;
        if (any)
            a->list[a->m++] = i;
    }
}

/* f_p(x) for sample i of X, whose kernel row is ready if there is one. */
static mtc_real svm_decide(const svm_assign_job *a, size_t i, size_t p)
{
    const mtc_svm_result *r = a->r;
    const mtc_real *coef = r->coefficients + p * r->n;
    if (r->kernel == MTC_LINEAR)
        return mtc_data_dot(a->X, i, a->W + p * r->d) + r->bias[p];
    mtc_real sum = 0;
    for (size_t k = 0; k < a->m; k++)
        sum += coef[a->list[k]] * a->row[k];
    return sum + r->bias[p];
}

/* The largest decision wins, the lowest class on a tie. */
static void svm_assign_sample(const svm_assign_job *a, size_t i)
{
    size_t problems = a->r->problems;
    mtc_real best = 0;
    int winner = 0;
    for (size_t p = 0; p < problems; p++) {
        mtc_real f = svm_decide(a, i, p);
        if (a->decisions != NULL)
            a->decisions[i * problems + p] = f;
        if (problems == 1)
            winner = f > 0;             /* class 1 is the positive one */
        else if (p == 0 || f > best)
            winner = (int)p;
        best = p == 0 || f > best ? f : best;
    }
    if (a->labels != NULL)
        a->labels[i] = winner;
}

static mtc_status svm_assign_work(mtc_context *ctx, void *job)
{
    svm_assign_job *a = (svm_assign_job *)job;
    int linear = a->K.kind == MTC_LINEAR;
    (void)ctx;
    if (linear)
        svm_collapse(a);
    else
        svm_list_support(a);
    if (!linear && a->K.X->row != NULL)
        mtc_data_norms(a->K.X, a->K.norms);
    for (size_t i = 0; i < a->X->n; i++) {
        if (!linear)
            svm_kernel_row(&a->K, row_dense(a->X, i, a->x), a->list, a->m,
                           a->row);
        svm_assign_sample(a, i);
    }
    return MTC_OK;
}

size_t mtc_svm_assign_memory(const mtc_data *X, const mtc_data *train,
                             const mtc_svm_result *res)
{
    svm_assign_job job = {.X = X, .r = res, .K.X = train,
                          .K.kind = res->kernel};
    return mtc_job_memory(svm_assign_layout, &job);
}

mtc_status mtc_svm_assign(mtc_context *ctx, const mtc_data *X,
                          const mtc_data *train, const mtc_svm_result *res,
                          int *labels, mtc_real *decisions)
{
    mtc_status s = mtc_data_check(ctx, X, MTC_NONE);
    if (s == MTC_OK)
        s = mtc_data_check(ctx, train, MTC_NONE);
    if (s != MTC_OK)
        return s;
    if (res == NULL || res->classes == 0)
        return bad_option(ctx, "result");
    if (train->n != res->n || train->d != res->d || X->d != res->d)
        return bad_option(ctx, "data differ from the model's");
    svm_assign_job job = {.X = X, .r = res, .labels = labels,
                          .decisions = decisions, .K.X = train,
                          .K.kind = res->kernel, .K.gamma = res->gamma};
    return mtc_job_run(ctx, svm_assign_layout, svm_assign_work, &job, NULL,
                       NULL);
}

void mtc_svm_free(mtc_context *ctx, mtc_svm_result *res)
{
    if (res != NULL)
        mtc_discard(ctx, res, sizeof *res, res->block, res->block_size);
}

/* ==========================================================================
 * Chapter 8  Normalised cut
 *
 *   min sum_z cut(A_z, rest) / volume(A_z)
 * relaxed: the top k eigenvectors of D^-1/2 S D^-1/2, rows brought to length
 * 1, and k-means on them.  S is a graph of chapter 4.
 *
 * Reference: Shi & Malik, PAMI 2000; Ng, Jordan & Weiss, NIPS 2001.
 * Cost: the graph, then the eigenpairs: O(n^3) dense, O(k n L) a step sparse.
 * ========================================================================== */

typedef struct ncut_job {
    const mtc_data *X;
    const mtc_ncut_options *o;
    mtc_ncut_result r;
    graph_job graph;
    void *spectral;                     /* work of mtc_spectral */
    mtc_data rows;                      /* view of the embedding */
    mtc_kmeans_options km_options;
    kmeans_job km;
    mtc_real *inside, *volume;          /* [k] weights within, degrees */
} ncut_job;

mtc_ncut_options mtc_ncut_defaults(void)
{
    mtc_ncut_options o = {2, mtc_graph_defaults(), 10, NULL};
    return o;
}

static mtc_status ncut_check(mtc_context *ctx, const mtc_data *X,
                             const mtc_ncut_options *o)
{
    mtc_status s = mtc_data_check(ctx, X, MTC_NONE);
    if (s != MTC_OK)
        return s;
    if (o == NULL)
        return bad_option(ctx, "options");
    if (o->clusters == 0 || o->clusters > X->n || o->clusters > INT_MAX)
        return bad_option(ctx, "clusters: need 1..n");
    if (o->restarts == 0)
        return bad_option(ctx, "restarts");
    if (o->start_labels != NULL &&
        (s = check_labels(ctx, o->start_labels, X->n, o->clusters,
                          MTC_NONE)) != MTC_OK)
        return s;
    return graph_check(ctx, &o->graph, X->n);
}

static void ncut_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    ncut_job *j = (ncut_job *)job;
    size_t n = j->X->n, k = j->o->clusters;
    j->km_options = mtc_kmeans_defaults();
    j->km_options.clusters = k;
    j->km_options.restarts = j->o->restarts;
    j->km_options.start_labels = j->o->start_labels;
    j->r.labels = MTC_TAKE(own, n, int);
    j->r.embedding = MTC_TAKE(own, mtc_mul(n, k), mtc_real);
    j->r.eigenvalues = MTC_TAKE(own, k, mtc_real);
    j->r.objective = MTC_TAKE(own, j->km_options.iterations + 1, mtc_real);
    j->inside = MTC_TAKE(tmp, k, mtc_real);
    j->volume = MTC_TAKE(tmp, k, mtc_real);
    j->graph = graph_of(j->X, 1, &j->o->graph);
    graph_layout(tmp, tmp, &j->graph);
    size_t mark = tmp->used;            /* the two phases share what follows */
    int sparse = !graph_is_complete(&j->o->graph, n);
    j->spectral = mtc_take(tmp, mtc_spectral_work(n, k, sparse), 1);
    tmp->used = mark;
    j->rows = mtc_dense(n, k, j->r.embedding);
    j->km.X = &j->rows;
    j->km.o = &j->km_options;
    kmeans_layout(tmp, tmp, &j->km);
}

/* Rows of E [n*k] to length 1; a zero row stays. */
static void unit_rows(size_t n, size_t k, mtc_real *E)
{
    for (size_t i = 0; i < n; i++) {
        mtc_real length = MTC_SQRT(mtc_dot(k, E + i * k, E + i * k));
        for (size_t z = 0; z < k && length > 0; z++)
            E[i * k + z] /= length;
    }
}

/* sum_z (volume_z - inside_z) / volume_z, a cluster without edges adding 0. */
static mtc_real ncut_value(ncut_job *j)
{
    const mtc_data *W = &j->graph.r.weights;
    const int *h = j->r.labels;
    size_t k = j->o->clusters;
    mtc_real cut = 0;
    memset(j->inside, 0, k * sizeof *j->inside);
    memset(j->volume, 0, k * sizeof *j->volume);
    for (size_t i = 0; i < W->n; i++) {
        size_t e0 = row_begin(W, i), e1 = row_end(W, i);
        for (size_t e = e0; e < e1; e++) {
            j->volume[h[i]] += W->values[e];
            if (h[entry_column(W, e0, e)] == h[i])
                j->inside[h[i]] += W->values[e];
        }
    }
    for (size_t z = 0; z < k; z++)
        if (j->volume[z] > 0)
            cut += (j->volume[z] - j->inside[z]) / j->volume[z];
    return cut;
}

static mtc_status ncut_work(mtc_context *ctx, void *job)
{
    ncut_job *j = (ncut_job *)job;
    size_t n = j->X->n, k = j->o->clusters;
    mtc_status s = graph_work(ctx, &j->graph);
    if (s != MTC_OK)
        return s;
    s = mtc_spectral(ctx, &j->graph.r.weights, k, j->r.embedding,
                     j->r.eigenvalues, j->spectral);
    if (s != MTC_OK)
        return s;
    unit_rows(n, k, j->r.embedding);
    if ((s = kmeans_work(ctx, &j->km)) != MTC_OK)
        return s;
    const mtc_kmeans_result *km = &j->km.r;
    memcpy(j->r.labels, km->labels, n * sizeof *km->labels);
    memcpy(j->r.objective, km->objective,
           (km->iterations + 1) * sizeof *km->objective);
    j->r.iterations = km->iterations;
    j->r.converged = km->converged;
    j->r.k_effective = km->k_effective;
    j->r.components = j->graph.r.components;
    j->r.cut = ncut_value(j);
    return MTC_OK;
}

size_t mtc_ncut_memory(const mtc_data *X, const mtc_ncut_options *opt)
{
    ncut_job job = {.X = X, .o = opt};
    return mtc_job_memory(ncut_layout, &job);
}

mtc_status mtc_ncut(mtc_context *ctx, const mtc_data *X,
                    const mtc_ncut_options *opt, mtc_ncut_result *res)
{
    mtc_status s = ncut_check(ctx, X, opt);
    if (s != MTC_OK)
        return s;
    ncut_job job = {.X = X, .o = opt};
    s = mtc_job_run(ctx, ncut_layout, ncut_work, &job, &job.r.block,
                    &job.r.block_size);
    if (s == MTC_OK)
        *res = job.r;
    return s;
}

void mtc_ncut_free(mtc_context *ctx, mtc_ncut_result *res)
{
    if (res != NULL)
        mtc_discard(ctx, res, sizeof *res, res->block, res->block_size);
}

/* ==========================================================================
 * Chapter 9  Symmetric non-negative factorisation
 *
 *   min_{Y >= 0} f(Y) = |M - Y Y'|^2 = |M|^2 - 2 <Y, M Y> + |Y'Y|^2
 *
 *   Y <- Y o (M Y / Y (Y'Y))^e,   a ratio with denominator 0 being 0
 *
 * Exponent e: 1 oscillates; 1/2 has never been seen to raise f but is not
 * proven; 1/4 is proven for non-negative M.  So 1/2, and if f rose the step
 * is taken again with 1/4; if rounding still makes it rise, we are done.
 * Cost 2 nnz(M) k + 2 n k^2 a step.  Reference: [KDP12] for the problem.
 * ========================================================================== */

typedef struct snmf_job {
    const mtc_data *M;
    const mtc_snmf_options *o;
    mtc_snmf_result r;
    mtc_real *MY, *next, *next_MY, *ratio;  /* [n*k] each */
    mtc_real *YtY;                          /* [k*k] */
    int *start;                             /* [n] label of a row of zeros */
    unsigned char *seen;                    /* [k] */
    void *work;                             /* gemm, and the verb M Y */
} snmf_job;

mtc_snmf_options mtc_snmf_defaults(void)
{
    mtc_snmf_options o = {2, 300, (mtc_real)1e-6, NULL, NULL};
    return o;
}

/* Value of M at (i, j), by bisection of the row if it is sparse. */
static mtc_real entry_at(const mtc_data *M, size_t i, size_t j)
{
    if (M->row == NULL)
        return M->values[i * M->stride + j];
    size_t low = M->row[i], high = M->row[i + 1];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (M->column[middle] < j)
            low = middle + 1;
        else
            high = middle;
    }
    return low < M->row[i + 1] && M->column[low] == j ? M->values[low] : 0;
}

/* Square, non-negative, symmetric to the root of rounding. */
static mtc_status snmf_check_matrix(mtc_context *ctx, const mtc_data *M)
{
    mtc_status s = mtc_data_check(ctx, M, MTC_NONE);
    if (s != MTC_OK)
        return s;
    if (M->n != M->d)
        return bad_option(ctx, "M is not square");
    for (size_t i = 0; i < M->n; i++) {
        size_t e0 = row_begin(M, i), e1 = row_end(M, i);
        for (size_t e = e0; e < e1; e++) {
            size_t j = entry_column(M, e0, e);
            mtc_real value = M->values[e], twin = entry_at(M, j, i);
            if (value < 0)
                return mtc_fail(ctx, MTC_DOMAIN, "M has a negative value",
                                MTC_NONE, i, j);
            if (MTC_FABS(value - twin) > MTC_SQRT(MTC_EPS) * value)
                return mtc_fail(ctx, MTC_INVALID, "M is not symmetric",
                                MTC_NONE, i, j);
        }
    }
    return MTC_OK;
}

static mtc_status snmf_check(mtc_context *ctx, const mtc_data *M,
                             const mtc_snmf_options *o)
{
    mtc_status s = snmf_check_matrix(ctx, M);
    if (s != MTC_OK)
        return s;
    if (o == NULL)
        return bad_option(ctx, "options");
    if (o->clusters == 0 || o->clusters > M->n || o->clusters > INT_MAX)
        return bad_option(ctx, "clusters: need 1..n");
    if (!MTC_FINITE(o->tolerance))
        return bad_option(ctx, "tolerance");
    if (o->start == NULL)
        return o->start_labels == NULL
                   ? MTC_OK
                   : check_labels(ctx, o->start_labels, M->n, o->clusters,
                                  MTC_NONE);
    for (size_t e = 0; e < M->n * o->clusters; e++)
        if (!(o->start[e] >= 0) || !MTC_FINITE(o->start[e]))
            return mtc_fail(ctx, MTC_DOMAIN, "start", MTC_NONE,
                            e / o->clusters, e % o->clusters);
    return MTC_OK;
}

static void snmf_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    snmf_job *j = (snmf_job *)job;
    size_t n = j->M->n, k = j->o->clusters, nk = mtc_mul(n, k);
    size_t verb = mtc_data_work(j->M, NULL, k);
    size_t gemm = mtc_gemm_work(n, n > k ? n : k, n);
    j->r.labels = MTC_TAKE(own, n, int);
    j->r.Y = MTC_TAKE(own, nk, mtc_real);
    j->r.objective = MTC_TAKE(own, mtc_add(j->o->iterations, 1), mtc_real);
    j->MY = MTC_TAKE(tmp, nk, mtc_real);
    j->next = MTC_TAKE(tmp, nk, mtc_real);
    j->next_MY = MTC_TAKE(tmp, nk, mtc_real);
    j->ratio = MTC_TAKE(tmp, nk, mtc_real);
    j->YtY = MTC_TAKE(tmp, mtc_mul(k, k), mtc_real);
    j->start = MTC_TAKE(tmp, n, int);
    j->seen = MTC_TAKE(tmp, k, unsigned char);
    j->work = mtc_take(tmp, verb > gemm ? verb : gemm, 1);
}

/* Y0: given; indicator + .2; or uniform of the scale at which <Y,MY> and
 * |Y'Y|^2 balance, 2 (mean(M) / k)^1/2 [KDP12]. */
static void snmf_start(mtc_context *ctx, snmf_job *j)
{
    size_t n = j->M->n, k = j->o->clusters;
    mtc_real *Y = j->r.Y, total = 0;
    size_t stored = j->M->row == NULL ? n : j->M->row[n];
    for (size_t i = 0; j->M->row == NULL && i < n; i++)
        for (size_t c = 0; c < n; c++)
            total += j->M->values[i * j->M->stride + c];
    for (size_t e = 0; j->M->row != NULL && e < stored; e++)
        total += j->M->values[e];
    mtc_real mean = total / (mtc_real)n / (mtc_real)n;
    mtc_real scale = 2 * MTC_SQRT(mean / (mtc_real)k);
    mtc_random rng = mtc_stream(ctx, 0);
    for (size_t i = 0; i < n; i++) {
        for (size_t z = 0; z < k; z++)
            if (j->o->start != NULL)
                Y[i * k + z] = j->o->start[i * k + z];
            else if (j->o->start_labels != NULL)
                Y[i * k + z] = (mtc_real)0.2 +
                               (j->o->start_labels[i] == (int)z);
            else
                Y[i * k + z] = scale * (1 - mtc_random_real(&rng));
        j->start[i] = (int)argmax(k, Y + i * k);
    }
}

/* f(Y), given |M|^2; leaves M Y and Y'Y behind. */
static mtc_real snmf_objective(snmf_job *j, mtc_real MM, const mtc_real *Y,
                               mtc_real *MY)
{
    size_t n = j->M->n, k = j->o->clusters;
    mtc_data_times(j->M, k, Y, k, MY, k, j->work);
    mtc_syrk(1, k, n, 1, Y, k, 0, j->YtY, k, j->work);
    return MM - 2 * mtc_dot(n * k, Y, MY) + mtc_dot(k * k, j->YtY, j->YtY);
}

/* ratio = (M Y / Y (Y'Y))^1/2, then next = Y o ratio. */
static void snmf_step(snmf_job *j)
{
    size_t n = j->M->n, k = j->o->clusters;
    const mtc_real *Y = j->r.Y;
    mtc_gemm(0, 0, n, k, k, 1, Y, k, j->YtY, k, 0, j->ratio, k, j->work);
    for (size_t e = 0; e < n * k; e++) {
        j->ratio[e] = j->ratio[e] > 0 ? MTC_SQRT(j->MY[e] / j->ratio[e]) : 0;
        j->next[e] = Y[e] * j->ratio[e];
    }
}

static void snmf_label(snmf_job *j)
{
    size_t n = j->M->n, k = j->o->clusters;
    memset(j->seen, 0, k);
    for (size_t i = 0; i < n; i++) {
        size_t z = argmax(k, j->r.Y + i * k);
        j->r.labels[i] = j->r.Y[i * k + z] > 0 ? (int)z : j->start[i];
        j->seen[j->r.labels[i]] = 1;
    }
    for (size_t z = 0; z < k; z++)
        j->r.k_effective += j->seen[z];
}

static mtc_status snmf_work(mtc_context *ctx, void *job)
{
    snmf_job *j = (snmf_job *)job;
    size_t nk = j->M->n * j->o->clusters, it = 0;
    mtc_real MM = squared_norm(j->M), *f = j->r.objective;
    snmf_start(ctx, j);
    f[0] = snmf_objective(j, MM, j->r.Y, j->MY);
    while (it < j->o->iterations && !j->r.converged) {
        mtc_status s = mtc_tick(ctx, "symmetric nmf", it, j->o->iterations);
        if (s != MTC_OK)
            return s;
        snmf_step(j);
        mtc_real value = snmf_objective(j, MM, j->next, j->next_MY);
        if (value > f[it]) {                        /* again, exponent 1/4 */
            for (size_t e = 0; e < nk; e++)
                j->next[e] = j->r.Y[e] * MTC_SQRT(j->ratio[e]);
            value = snmf_objective(j, MM, j->next, j->next_MY);
        }
        if (value > f[it]) {                        /* only rounding is left */
            j->r.converged = 1;
            break;
        }
        memcpy(j->r.Y, j->next, nk * sizeof *j->next);
        memcpy(j->MY, j->next_MY, nk * sizeof *j->MY);
        f[++it] = value;
        j->r.converged = f[it - 1] - value <= j->o->tolerance * f[it - 1];
    }
    j->r.iterations = it;
    snmf_label(j);
    return MTC_OK;
}

size_t mtc_snmf_memory(const mtc_data *M, const mtc_snmf_options *opt)
{
    snmf_job job = {.M = M, .o = opt};
    return mtc_job_memory(snmf_layout, &job);
}

mtc_status mtc_snmf(mtc_context *ctx, const mtc_data *M,
                    const mtc_snmf_options *opt, mtc_snmf_result *res)
{
    mtc_status s = snmf_check(ctx, M, opt);
    if (s != MTC_OK)
        return s;
    snmf_job job = {.M = M, .o = opt};
    s = mtc_job_run(ctx, snmf_layout, snmf_work, &job, &job.r.block,
                    &job.r.block_size);
    if (s == MTC_OK)
        *res = job.r;
    return s;
}

void mtc_snmf_free(mtc_context *ctx, mtc_snmf_result *res)
{
    if (res != NULL)
        mtc_discard(ctx, res, sizeof *res, res->block, res->block_size);
}

/*@VOTE@*/

/*@MSDA@*/

/* ==========================================================================
 * Chapter 10  Measures
 *
 * Between two labellings: a contingency table, and on it accuracy by best
 * matching, mutual information, the adjusted Rand index and purity.  Of one:
 * silhouette.  Between two samples: maximum mean discrepancy, A-distance,
 * the earth mover's distance of their partitions.  Sums over counts are
 * double in the float build too: a count may exceed what a float can tell.
 * ========================================================================== */

typedef struct table_job {
    size_t n;
    const int *a, *b;
    size_t rows, columns;               /* known in the second pass */
    mtc_contingency_result r;
    size_t *order, *spare;              /* [n] of the radix sort */
    size_t *code_a, *code_b;            /* [n] position of each label */
    mtc_real *cost;                     /* [rows*columns] minus the counts */
    void *work;
} table_job;

static void table_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    table_job *j = (table_job *)job;
    size_t cells = mtc_mul(j->rows, j->columns);
    j->r.rows = j->rows;
    j->r.columns = j->columns;
    j->r.row_label = MTC_TAKE(own, j->rows, int);
    j->r.column_label = MTC_TAKE(own, j->columns, int);
    j->r.count = MTC_TAKE(own, cells, size_t);
    j->r.match = MTC_TAKE(own, j->rows, size_t);
    j->order = MTC_TAKE(tmp, j->n, size_t);
    j->spare = MTC_TAKE(tmp, j->n, size_t);
    j->code_a = MTC_TAKE(tmp, j->n, size_t);
    j->code_b = MTC_TAKE(tmp, j->n, size_t);
    j->cost = MTC_TAKE(tmp, cells, mtc_real);
    j->work = mtc_take(tmp, mtc_assignment_work(j->rows, j->columns), 1);
}

/* order sorts the labels ascending: radix sort, four bits at a time, the sign
 * bit turned so that negative labels come first. */
static void label_order(size_t n, const int *label, size_t *order,
                        size_t *spare)
{
    for (size_t i = 0; i < n; i++)
        order[i] = i;
    for (unsigned shift = 0; shift < 8 * sizeof(unsigned); shift += 4) {
        size_t start[17] = {0};
        for (size_t i = 0; i < n; i++) {
            unsigned bits = (unsigned)label[i] ^ (1u + UINT_MAX / 2);
            start[(bits >> shift & 15) + 1]++;
        }
        for (size_t b = 0; b < 16; b++)
            start[b + 1] += start[b];
        for (size_t t = 0; t < n; t++) {
            unsigned bits = (unsigned)label[order[t]] ^ (1u + UINT_MAX / 2);
            spare[start[bits >> shift & 15]++] = order[t];
        }
        memcpy(order, spare, n * sizeof *order);
    }
}

/* code_i = rank of label_i among the distinct ones, which go to `distinct`
 * unless NULL; returns how many there are. */
static size_t label_codes(size_t n, const int *label, size_t *code,
                          int *distinct, size_t *order, size_t *spare)
{
    size_t found = 0;
    label_order(n, label, order, spare);
    for (size_t t = 0; t < n; t++) {
        if (t == 0 || label[order[t]] != label[order[t - 1]]) {
            if (distinct != NULL)
                distinct[found] = label[order[t]];
            found++;
        }
        code[order[t]] = found - 1;
    }
    return found;
}

/* First pass: how large is the table? */
static mtc_status table_count(mtc_context *ctx, void *job)
{
    table_job *j = (table_job *)job;
    (void)ctx;
    j->rows = label_codes(j->n, j->a, j->code_a, NULL, j->order, j->spare);
    j->columns = label_codes(j->n, j->b, j->code_b, NULL, j->order, j->spare);
    return MTC_OK;
}

static mtc_status table_fill(mtc_context *ctx, void *job)
{
    table_job *j = (table_job *)job;
    size_t cells = j->rows * j->columns;
    label_codes(j->n, j->a, j->code_a, j->r.row_label, j->order, j->spare);
    label_codes(j->n, j->b, j->code_b, j->r.column_label, j->order, j->spare);
    memset(j->r.count, 0, cells * sizeof *j->r.count);
    for (size_t i = 0; i < j->n; i++)
        j->r.count[j->code_a[i] * j->columns + j->code_b[i]]++;
    for (size_t e = 0; e < cells; e++)
        j->cost[e] = -(mtc_real)j->r.count[e];
    return mtc_assignment(ctx, j->rows, j->columns, j->cost, j->columns,
                          j->r.match, NULL, NULL, NULL, j->work);
}

size_t mtc_contingency_memory(size_t n, size_t rows, size_t columns)
{
    table_job job = {.n = n, .rows = rows, .columns = columns};
    return mtc_job_memory(table_layout, &job);
}

mtc_status mtc_contingency(mtc_context *ctx, size_t n, const int *a,
                           const int *b, mtc_contingency_result *res)
{
    if (n == 0 || a == NULL || b == NULL)
        return bad_option(ctx, "no labels");
    table_job job = {.n = n, .a = a, .b = b};
    mtc_status s = mtc_job_run(ctx, table_layout, table_count, &job, NULL,
                               NULL);
    if (s == MTC_OK)
        s = mtc_job_run(ctx, table_layout, table_fill, &job, &job.r.block,
                        &job.r.block_size);
    if (s == MTC_OK)
        *res = job.r;
    return s;
}

void mtc_contingency_free(mtc_context *ctx, mtc_contingency_result *res)
{
    if (res != NULL)
        mtc_discard(ctx, res, sizeof *res, res->block, res->block_size);
}

/* What the scores need of a table. */
typedef struct table_sums {
    double n, matched, purest;          /* samples; in matches; column maxima */
    double row_entropy, column_entropy, joint_entropy;      /* n times, nats */
    double row_pairs, column_pairs, cell_pairs;
} table_sums;

/* x log x, 0 at 0. */
static double x_log_x(double x)
{
    return x > 0 ? x * (double)mtc_log((mtc_real)x) : 0;
}

static double pairs_of(double x)
{
    return x * (x - 1) / 2;
}

static void sum_table(const mtc_contingency_result *t, table_sums *s)
{
    memset(s, 0, sizeof *s);
    for (size_t r = 0; r < t->rows; r++) {
        double row = 0;
        for (size_t c = 0; c < t->columns; c++) {
            double cell = (double)t->count[r * t->columns + c];
            row += cell;
            s->joint_entropy += x_log_x(cell);
            s->cell_pairs += pairs_of(cell);
        }
        s->n += row;
        s->row_entropy += x_log_x(row);
        s->row_pairs += pairs_of(row);
        if (t->match[r] != MTC_NONE)
            s->matched += (double)t->count[r * t->columns + t->match[r]];
    }
    for (size_t c = 0; c < t->columns; c++) {
        double column = 0, most = 0;
        for (size_t r = 0; r < t->rows; r++) {
            double cell = (double)t->count[r * t->columns + c];
            column += cell;
            most = cell > most ? cell : most;
        }
        s->purest += most;
        s->column_entropy += x_log_x(column);
        s->column_pairs += pairs_of(column);
    }
    double whole = x_log_x(s->n);                   /* n H = n log n - sum */
    s->row_entropy = whole - s->row_entropy;
    s->column_entropy = whole - s->column_entropy;
    s->joint_entropy = whole - s->joint_entropy;
}

/* Mutual information over a normaliser, in [0,1].  The test for a trivial
 * labelling is on the table, since entropies carry rounding. */
static mtc_real normalised(double information, double by,
                           const mtc_contingency_result *t)
{
    if (t->rows == 1 || t->columns == 1)
        return t->rows == t->columns;
    double ratio = information / by;
    return (mtc_real)(ratio < 0 ? 0 : ratio > 1 ? 1 : ratio);
}

mtc_status mtc_score(mtc_context *ctx, size_t n, const int *truth,
                     const int *predicted, mtc_scores *out)
{
    mtc_contingency_result t;
    mtc_status s = mtc_contingency(ctx, n, truth, predicted, &t);
    if (s != MTC_OK)
        return s;
    table_sums sum;
    sum_table(&t, &sum);
    double ha = sum.row_entropy, hb = sum.column_entropy;
    double information = ha + hb - sum.joint_entropy;
    double all = pairs_of(sum.n);
    double expected = all > 0 ? sum.row_pairs * sum.column_pairs / all : 0;
    double most = (sum.row_pairs + sum.column_pairs) / 2;
    size_t equal = 0;
    for (size_t i = 0; i < n; i++)
        equal += truth[i] == predicted[i];
    out->accuracy = (mtc_real)(sum.matched / sum.n);
    out->purity = (mtc_real)(sum.purest / sum.n);
    out->direct = (mtc_real)((double)equal / sum.n);
    out->nmi = normalised(information, sqrt(ha * hb), &t);
    out->nmi_arithmetic = normalised(information, (ha + hb) / 2, &t);
    out->nmi_min = normalised(information, ha < hb ? ha : hb, &t);
    out->nmi_max = normalised(information, ha < hb ? hb : ha, &t);
    out->ari = most == expected ? 1
                                : (mtc_real)((sum.cell_pairs - expected) /
                                             (most - expected));
    mtc_contingency_free(ctx, &t);
    return MTC_OK;
}

/* ---- silhouette ------------------------------------------------------- */

typedef struct silhouette_job {
    const mtc_data *X;
    const int *labels;
    size_t k;
    mtc_real *values, *mean;            /* outputs, each or NULL */
    pair_ws pair;
    mtc_real *sum;                      /* [k] distances of one sample */
    size_t *size;                       /* [k] */
    mtc_real *value;                    /* [n] */
} silhouette_job;

static void silhouette_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    silhouette_job *j = (silhouette_job *)job;
    (void)own;
    pair_layout(tmp, j->X->n, mtc_data_work(j->X, j->X, 1), &j->pair);
    j->sum = MTC_TAKE(tmp, j->k, mtc_real);
    j->size = MTC_TAKE(tmp, j->k, size_t);
    j->value = MTC_TAKE(tmp, j->X->n, mtc_real);
}

/* (b - a) / max(a, b): a the mean distance within the own cluster, b the
 * smallest mean distance to another. */
static mtc_real silhouette_of(const silhouette_job *j, size_t own)
{
    mtc_real b = MTC_HUGE;
    if (j->size[own] < 2)
        return 0;
    mtc_real a = j->sum[own] / (mtc_real)(j->size[own] - 1);
    for (size_t z = 0; z < j->k; z++)
        if (z != own && j->size[z] > 0 && j->sum[z] / (mtc_real)j->size[z] < b)
            b = j->sum[z] / (mtc_real)j->size[z];
    mtc_real larger = a > b ? a : b;
    return b == MTC_HUGE || larger == 0 ? 0 : (b - a) / larger;
}

static mtc_status silhouette_work(mtc_context *ctx, void *job)
{
    silhouette_job *j = (silhouette_job *)job;
    size_t n = j->X->n, rows;
    mtc_real total = 0;
    memset(j->size, 0, j->k * sizeof *j->size);
    for (size_t i = 0; i < n; i++)
        j->size[j->labels[i]]++;
    pair_norms(j->X, 1, &j->pair);
    for (size_t first = 0; first < n; first += rows) {
        mtc_status s = mtc_tick(ctx, "silhouette", first, n);
        if (s != MTC_OK)
            return s;
        rows = pair_rows(j->X, 1, j->X, j->pair.norm, first, 0, n, &j->pair);
        for (size_t i = first; i < first + rows; i++) {
            const mtc_real *D = j->pair.D + (i - first) * n;
            memset(j->sum, 0, j->k * sizeof *j->sum);
            for (size_t c = 0; c < n; c++)
                j->sum[j->labels[c]] += c == i ? 0 : MTC_SQRT(D[c]);
            j->value[i] = silhouette_of(j, (size_t)j->labels[i]);
            total += j->value[i];
        }
    }
    if (j->values != NULL)
        memcpy(j->values, j->value, n * sizeof *j->value);
    if (j->mean != NULL)
        *j->mean = total / (mtc_real)n;
    return MTC_OK;
}

size_t mtc_silhouette_memory(const mtc_data *X, size_t k)
{
    silhouette_job job = {.X = X, .k = k};
    return mtc_job_memory(silhouette_layout, &job);
}

mtc_status mtc_silhouette(mtc_context *ctx, const mtc_data *X,
                          const int *labels, size_t k, mtc_real *values,
                          mtc_real *mean)
{
    mtc_status s = mtc_data_check(ctx, X, MTC_NONE);
    if (s != MTC_OK ||
        (s = check_labels(ctx, labels, X->n, k, MTC_NONE)) != MTC_OK)
        return s;
    silhouette_job job = {.X = X, .labels = labels, .k = k, .values = values,
                          .mean = mean};
    return mtc_job_run(ctx, silhouette_layout, silhouette_work, &job, NULL,
                       NULL);
}

/* ---- maximum mean discrepancy ----------------------------------------- */

typedef struct mmd_job {
    mtc_data sets[2];
    mtc_real gamma, out;
    pair_ws pair;
    mtc_real *mean, *row;               /* [d] */
} mmd_job;

static void mmd_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    mmd_job *j = (mmd_job *)job;
    (void)own;
    pair_layout(tmp, count_samples(j->sets, 2), pair_work(j->sets, 2, NULL),
                &j->pair);
    j->mean = MTC_TAKE(tmp, j->sets[0].d, mtc_real);
    j->row = MTC_TAKE(tmp, j->sets[0].d, mtc_real);
}

/* |mean phi(x) - mean phi(y)|^2 = sum_ij c_i c_j K_ij with c = 1/n on the
 * first sample and -1/m on the second. */
static mtc_status mmd_work(mtc_context *ctx, void *job)
{
    mmd_job *j = (mmd_job *)job;
    size_t n = j->sets[0].n, N = count_samples(j->sets, 2), at = 0, rows;
    mtc_real weight[2] = {1 / (mtc_real)n, -1 / (mtc_real)(N - n)};
    mtc_real gamma = j->gamma, total = 0;
    if (gamma == 0)
        gamma = 1 / mean_sq_distance(j->sets, 2, j->mean, j->row);
    pair_norms(j->sets, 2, &j->pair);
    for (size_t s = 0; s < 2; at += j->sets[s++].n)
        for (size_t first = 0; first < j->sets[s].n; first += rows) {
            mtc_status st = mtc_tick(ctx, "mmd", at + first, N);
            if (st != MTC_OK)
                return st;
            rows = pair_rows(j->sets, 2, &j->sets[s], j->pair.norm + at,
                             first, 0, N, &j->pair);
            for (size_t i = 0; i < rows; i++) {
                mtc_real sum[2] = {0, 0};
                for (size_t c = 0; c < N; c++)
                    sum[c >= n] += mtc_exp(-gamma * j->pair.D[i * N + c]);
                total += weight[s] * (weight[0] * sum[0] + weight[1] * sum[1]);
            }
        }
    j->out = total > 0 ? MTC_SQRT(total) : 0;
    return MTC_OK;
}

/* Two samples that are compared: well formed, of one width. */
static mtc_status check_pair(mtc_context *ctx, const mtc_data *X,
                             const mtc_data *Y)
{
    mtc_status s = mtc_data_check(ctx, X, 0);
    if (s != MTC_OK || (s = mtc_data_check(ctx, Y, 1)) != MTC_OK)
        return s;
    return X->d == Y->d ? MTC_OK
                        : bad_option(ctx, "features differ in number");
}

size_t mtc_mmd_memory(const mtc_data *X, const mtc_data *Y)
{
    mmd_job job = {.sets = {*X, *Y}};
    return mtc_job_memory(mmd_layout, &job);
}

mtc_status mtc_mmd(mtc_context *ctx, const mtc_data *X, const mtc_data *Y,
                   mtc_real gamma, mtc_real *out)
{
    mtc_status s = check_pair(ctx, X, Y);
    if (s != MTC_OK)
        return s;
    if (!(gamma >= 0) || !MTC_FINITE(gamma))
        return bad_option(ctx, "gamma");
    mmd_job job = {.sets = {*X, *Y}, .gamma = gamma};
    s = mtc_job_run(ctx, mmd_layout, mmd_work, &job, NULL, NULL);
    if (s == MTC_OK)
        *out = job.out;
    return s;
}

/* ---- A-distance ------------------------------------------------------- */

/* Fold of row i: the top bit of a multiplicative hash, since i mod 2 would
 * follow data that alternate. */
static size_t fold_of(size_t i)
{
    return ((uint32_t)i * UINT32_C(2654435761)) >> 31;
}

typedef struct apart_job {
    mtc_data sets[2];
    mtc_real out;
    mtc_data stacked;                   /* both, scaled to rows of rms 1 */
    mtc_real *weights;                  /* [N] 0 for the fold held out */
    int *side, *guess;                  /* [N] 0 for X, 1 for Y */
    mtc_logistic_options o;
    logistic_job fit;
} apart_job;

static void apart_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    apart_job *j = (apart_job *)job;
    size_t N = count_samples(j->sets, 2);
    (void)own;
    stack_layout(tmp, j->sets, 2, NULL, &j->stacked);
    j->weights = MTC_TAKE(tmp, N, mtc_real);
    j->side = MTC_TAKE(tmp, N, int);
    j->guess = MTC_TAKE(tmp, N, int);
    j->o = mtc_logistic_defaults();
    j->o.weights = j->weights;
    j->fit.X = &j->stacked;
    j->fit.labels = j->side;
    j->fit.o = &j->o;
    logistic_layout(tmp, tmp, &j->fit);
}

/* Weights of the training fold, each side summing to 1/2. */
static void apart_weights(apart_job *j, size_t held_out)
{
    size_t n = j->sets[0].n, N = j->stacked.n, count[2] = {0, 0};
    for (size_t i = 0; i < N; i++)
        count[j->side[i]] += fold_of(i < n ? i : i - n) != held_out;
    for (size_t i = 0; i < N; i++)
        j->weights[i] = fold_of(i < n ? i : i - n) == held_out
                            ? 0
                            : (mtc_real)0.5 / (mtc_real)count[j->side[i]];
}

static mtc_status apart_work(mtc_context *ctx, void *job)
{
    apart_job *j = (apart_job *)job;
    size_t n = j->sets[0].n, N = j->stacked.n;
    mtc_real error = 0;
    mtc_real total = squared_norm(&j->sets[0]) + squared_norm(&j->sets[1]);
    mtc_real scale = total > 0 ? MTC_SQRT((mtc_real)N / total) : 1;
    stack_fill(j->sets, 2, scale, &j->stacked);     /* the ridge has no unit */
    for (size_t i = 0; i < N; i++)
        j->side[i] = i >= n;
    for (size_t fold = 0; fold < 2; fold++) {
        size_t wrong[2] = {0, 0}, count[2] = {0, 0};
        apart_weights(j, fold);
        mtc_status s = logistic_work(ctx, &j->fit);
        if (s == MTC_OK)
            s = mtc_logistic_assign(ctx, &j->stacked, &j->fit.r, j->guess,
                                    NULL);
        if (s != MTC_OK)
            return s;
        for (size_t i = 0; i < N; i++)
            if (j->weights[i] == 0) {
                count[i >= n]++;
                wrong[i >= n] += j->guess[i] != j->side[i];
            }
        for (size_t side = 0; side < 2; side++)
            error += (mtc_real)wrong[side] / (mtc_real)count[side] / 4;
    }
    j->out = error < (mtc_real)0.5 ? 2 * (1 - 2 * error) : 0;
    return MTC_OK;
}

size_t mtc_a_distance_memory(const mtc_data *X, const mtc_data *Y)
{
    apart_job job = {.sets = {*X, *Y}};
    return mtc_job_memory(apart_layout, &job);
}

mtc_status mtc_a_distance(mtc_context *ctx, const mtc_data *X,
                          const mtc_data *Y, mtc_real *out)
{
    mtc_status s = check_pair(ctx, X, Y);
    if (s != MTC_OK)
        return s;
    if (X->n < 2 || Y->n < 2)           /* rows 0 and 1 are in two folds */
        return bad_option(ctx, "two samples a side are needed to hold out");
    apart_job job = {.sets = {*X, *Y}};
    s = mtc_job_run(ctx, apart_layout, apart_work, &job, NULL, NULL);
    if (s == MTC_OK)
        *out = job.out;
    return s;
}

/* ---- complexity ------------------------------------------------------- */

typedef struct complexity_job {
    const mtc_data *X;
    mtc_real t, out;
    size_t *count;                      /* [d] */
} complexity_job;

static void complexity_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    complexity_job *j = (complexity_job *)job;
    (void)own;
    j->count = MTC_TAKE(tmp, j->X->d, size_t);
}

static mtc_status complexity_work(mtc_context *ctx, void *job)
{
    complexity_job *j = (complexity_job *)job;
    const mtc_data *X = j->X;
    size_t rare = 0;
    (void)ctx;
    memset(j->count, 0, X->d * sizeof *j->count);
    for (size_t i = 0; i < X->n; i++) {
        size_t e0 = row_begin(X, i), e1 = row_end(X, i);
        for (size_t e = e0; e < e1; e++)
            j->count[entry_column(X, e0, e)] += X->values[e] > 0;
    }
    for (size_t c = 0; c < X->d; c++)
        rare += (mtc_real)j->count[c] < j->t * (mtc_real)X->n;
    j->out = (mtc_real)rare / (mtc_real)X->d;
    return MTC_OK;
}

size_t mtc_complexity_memory(const mtc_data *X)
{
    complexity_job job = {.X = X};
    return mtc_job_memory(complexity_layout, &job);
}

mtc_status mtc_complexity(mtc_context *ctx, const mtc_data *X, mtc_real t,
                          mtc_real *out)
{
    mtc_status s = mtc_data_check(ctx, X, MTC_NONE);
    if (s != MTC_OK)
        return s;
    if (!(t >= 0) || !MTC_FINITE(t))
        return bad_option(ctx, "t");
    complexity_job job = {.X = X, .t = t};
    s = mtc_job_run(ctx, complexity_layout, complexity_work, &job, NULL, NULL);
    if (s == MTC_OK)
        *out = job.out;
    return s;
}

/* ---- earth mover's distance between partitions ------------------------ */

typedef struct partition {
    const mtc_data *X;
    const int *labels;
    size_t k, filled;                   /* clusters that are not empty */
    mtc_real *mean, *share;             /* [k*d] [k], the filled ones first */
} partition;

typedef struct partition_job {
    partition side[2];
    const mtc_divergence *div;
    mtc_real *cost;                     /* [k*k'] */
    void *work;
    mtc_emd_info info;
} partition_job;

static void partition_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    partition_job *j = (partition_job *)job;
    (void)own;
    for (size_t s = 0; s < 2; s++) {
        partition *p = &j->side[s];
        p->mean = MTC_TAKE(tmp, mtc_mul(p->k, p->X->d), mtc_real);
        p->share = MTC_TAKE(tmp, p->k, mtc_real);
    }
    j->cost = MTC_TAKE(tmp, mtc_mul(j->side[0].k, j->side[1].k), mtc_real);
    j->work = mtc_take(tmp, mtc_emd_work(j->side[0].k, j->side[1].k), 1);
}

/* Means and shares of the clusters; empty ones are closed up. */
static void partition_means(partition *p)
{
    size_t d = p->X->d, n = p->X->n;
    memset(p->mean, 0, p->k * d * sizeof *p->mean);
    memset(p->share, 0, p->k * sizeof *p->share);
    for (size_t i = 0; i < n; i++) {
        p->share[p->labels[i]] += 1;
        mtc_data_axpy(p->X, i, 1, p->mean + (size_t)p->labels[i] * d);
    }
    p->filled = 0;
    for (size_t z = 0; z < p->k; z++) {
        if (p->share[z] == 0)
            continue;
        mtc_real *u = p->mean + p->filled * d;
        for (size_t c = 0; c < d; c++)
            u[c] = p->mean[z * d + c] / p->share[z];
        p->share[p->filled++] = p->share[z] / (mtc_real)n;
    }
}

static mtc_status partition_work(mtc_context *ctx, void *job)
{
    partition_job *j = (partition_job *)job;
    partition *a = &j->side[0], *b = &j->side[1];
    size_t d = a->X->d;
    partition_means(a);
    partition_means(b);
    for (size_t z = 0; z < a->filled; z++)
        for (size_t l = 0; l < b->filled; l++)
            j->cost[z * b->filled + l] = j->div->value(
                j->div->user, d, a->mean + z * d, b->mean + l * d);
    return mtc_emd(ctx, a->filled, b->filled, j->cost, b->filled, a->share,
                   b->share, NULL, NULL, NULL, NULL, &j->info, j->work);
}

size_t mtc_partition_emd_memory(const mtc_data *X, size_t x_k,
                                const mtc_data *Y, size_t y_k)
{
    partition_job job = {.side = {{.X = X, .k = x_k}, {.X = Y, .k = y_k}}};
    return mtc_job_memory(partition_layout, &job);
}

mtc_status mtc_partition_emd(mtc_context *ctx, const mtc_data *X,
                             const int *x_labels, size_t x_k,
                             const mtc_data *Y, const int *y_labels,
                             size_t y_k, const mtc_divergence *div,
                             mtc_real *out)
{
    mtc_status s = check_pair(ctx, X, Y);
    if (s != MTC_OK ||
        (s = check_labels(ctx, x_labels, X->n, x_k, 0)) != MTC_OK ||
        (s = check_labels(ctx, y_labels, Y->n, y_k, 1)) != MTC_OK ||
        (s = check_domain(ctx, X, div, 0)) != MTC_OK ||
        (s = check_domain(ctx, Y, div, 1)) != MTC_OK)
        return s;
    mtc_divergence euclidean = mtc_sqeuclidean();
    partition_job job = {.side = {{.X = X, .labels = x_labels, .k = x_k},
                                  {.X = Y, .labels = y_labels, .k = y_k}},
                         .div = div != NULL ? div : &euclidean};
    s = mtc_job_run(ctx, partition_layout, partition_work, &job, NULL, NULL);
    if (s == MTC_OK)
        *out = job.info.cost;
    return s;
}

/* ==========================================================================
 * Chapter 11  LSSMTC and LSSTTC: one subspace shared by all tasks
 *
 *   min  lambda     sum_k |X_k - P_k M_k|^2
 *      + (1-lambda) sum_k |X_k W - P_k M|^2       P_k >= 0, W'W = I   (G-4)
 *
 *   X_k   n_k x d  samples of task k         P_k   n_k x c  soft partition
 *   M_k   c x d    own centroids             W     d x l    shared subspace
 *   M     c x l    shared centroids          X, P  the tasks stacked, N rows
 *   Q_k = (P_k'P_k)^+,  Q = (P'P)^+,  Pi = P Q P' (never formed)
 *   F = P'X (c x d), the sum of F_k = P_k'X_k; kept transposed as Ft
 *   Y_k   the coordinates in which the subspace is sought, n_k x q:
 *         X_k itself, or (mode pca) X_k V with V the top r right singular
 *         vectors of the uncentred X
 *
 *   A1  start: labels by k-means, P_k = indicator + offset
 *   A2  moments of P: Q_k, F_k, Q                              (G-6, G-8)
 *   A3  W: recon    top l eigenvectors of X' Pi X
 *          others   l smallest eigenvectors of Y'(I - Pi) Y    (G-16)
 *   A4  M = Q P'X W;  objective                                (G-6)
 *   A5  P_k <- P_k o ((A+ + P_k B-) / (A- + P_k B+))^1/2       (G-14)
 *       A = lambda X_k M_k' + (1-lambda) X_k W M',
 *       B = lambda M_k M_k' + (1-lambda) M M'; then A2 again
 *
 * LSSTTC (G-20): sources have a fixed one-hot P_k and no own term.
 *
 * Erratum: the root in G-14 is lost in print; without it A5 can cycle.
 *   Algorithm 2 prints M_2 = W'X_2 P_2 (..)^-1, of the wrong shape: G-8 holds.
 * Deviation: where d > N the smallest eigenvectors of G-16 are an arbitrary
 *   basis of a null space.  `recon`, the default, confines the shared
 *   centroids instead: sum_k |X_k - P_k M W'|^2 is its shared term.  `pca`
 *   solves G-16 within V.  `literal` is refused where it is not defined.
 *
 * Reference: [GZ09].  Cost of an iteration: recon O(nnz c + d c^2);
 *   otherwise O(nnz c + N q c + q^3).  Memory O(N c + T d c), q^2 not recon.
 * ========================================================================== */

#define LSS_DENSE ((size_t)3000)        /* side of an eigenproblem in full */
/* Eigenvalues below this share of the largest are 0. */
#define LSS_NULL (sizeof(mtc_real) == 8 ? (mtc_real)1e-12 : (mtc_real)1e-6)

#define LSS_BLUR (1000 * MTC_EPS)      /* rounding of f over |X|^2 */

typedef struct lss_job {
    const mtc_data *sources, *targets;  /* tasks: sources first */
    const int *const *source_labels;
    size_t n_sources, n_targets;
    const mtc_lssmtc_options *o;
    mtc_lssmtc_result r;
    size_t T, N, d, c, l, q;            /* q: width of Y */
    int given;                          /* W is the caller's start_W */
    size_t *first;                      /* [T] first sample of each task */
    int *labels;                        /* [N] */
    mtc_real *own;                      /* [T*c*d] M_k */
    mtc_real *P, *S, *A, *image;        /* [N*c] [N*l] X W, [N*c] [N*c] */
    mtc_real *before;                   /* [N*c] P of the last iteration */
    mtc_real *Ft;                       /* [T*d*c] F_k' */
    mtc_real *Q, *G;                    /* [T*c*c] Q_k and F_k F_k' */
    mtc_real *pool_Q, *root, *sum;      /* [c*c] Q, Q^1/2, P'P */
    mtc_real *B, *small, *vectors, *w;  /* [c*c] [c*c] [c*c] [c] */
    mtc_real *norm;                     /* [T] |X_k|^2 */
    mtc_real *D;                        /* [c*l] P'X W */
    mtc_real *W;                        /* [q*l] in the coordinates Y */
    mtc_real *Yt;                       /* [q*c] Y'P */
    mtc_real *V, *base, *Sw, *values;   /* [d*q] [q*q] [q*q] [q] */
    mtc_real *Z;                        /* [N*q] pca: X V */
    mtc_real *whole;                    /* [side*side] X X' or X'X, or none */
    mtc_real *line;                     /* [q+8] */
    void *work, *pairing;               /* shared; of the assignments */
    mtc_data stacked;                   /* start pooled: all tasks, copied */
    mtc_kmeans_options km_options;
    kmeans_job km;
    mtc_real *centers;                  /* [c*d] running mean of A1 */
    size_t *match;                      /* [c] */
} lss_job;

static const mtc_data *lss_data(const lss_job *j, size_t t)
{
    return t < j->n_sources ? &j->sources[t] : &j->targets[t - j->n_sources];
}

static int lss_fixed(const lss_job *j, size_t t)
{
    return t < j->n_sources;
}

static mtc_lssmtc_options lss_defaults(mtc_real lambda,
                                       mtc_subspace_mode mode, size_t subspace,
                                       size_t rank)
{
    mtc_lssmtc_options o;
    memset(&o, 0, sizeof o);
    o.clusters = 2;
    o.lambda = lambda;
    o.mode = mode;
    o.subspace = subspace;
    o.rank = rank;
    o.offset = (mtc_real)0.2;
    o.iterations = 20;
    o.restarts = 10;
    return o;
}

mtc_lssmtc_options mtc_lssmtc_defaults(void)
{
    return lss_defaults((mtc_real)0.75, MTC_RECON, 0, 32);
}

mtc_lssmtc_options mtc_lssttc_defaults(void)
{
    return lss_defaults((mtc_real)0.25, MTC_PCA, 16, 100);
}

static mtc_status lss_check_options(mtc_context *ctx, const lss_job *j)
{
    const mtc_lssmtc_options *o = j->o;
    if (!(o->lambda >= 0 && o->lambda <= 1))
        return bad_option(ctx, "lambda: need 0..1");
    if (o->mode != MTC_RECON && o->mode != MTC_PCA && o->mode != MTC_LITERAL)
        return bad_option(ctx, "mode");
    if (o->start != MTC_START_ALIGNED && o->start != MTC_START_POOLED &&
        o->start != MTC_START_SEPARATE)
        return bad_option(ctx, "start");
    if (o->mode == MTC_PCA && o->rank == 0)
        return bad_option(ctx, "rank");
    if (!(o->offset >= 0) || !MTC_FINITE(o->offset))
        return bad_option(ctx, "offset");
    if (!(o->tolerance >= 0) || !MTC_FINITE(o->tolerance))
        return bad_option(ctx, "tolerance");
    if (o->restarts == 0)
        return bad_option(ctx, "restarts");
    if (o->mode == MTC_LITERAL && o->lambda < 1 &&
        mtc_add(j->d, o->clusters) >= j->N)
        return bad_option(ctx, "mode literal needs more samples than "
                               "features and clusters; try recon or pca");
    return MTC_OK;
}

static mtc_status lss_check(mtc_context *ctx, const lss_job *j)
{
    const mtc_lssmtc_options *o = j->o;
    mtc_status s = j->n_sources > 0
                       ? check_transfer(ctx, j->sources, j->source_labels,
                                        j->n_sources, j->targets, j->c)
                       : check_sets(ctx, j->targets, j->n_targets);
    if (s != MTC_OK)
        return s;
    for (size_t t = 0; t < j->n_targets; t++) {
        size_t n = j->targets[t].n;
        if (j->c == 0 || j->c > n || j->c > INT_MAX)
            return mtc_fail(ctx, MTC_INVALID, "clusters: need 1..n",
                            j->n_sources + t, MTC_NONE, MTC_NONE);
        if (o->start_labels != NULL &&
            (s = check_labels(ctx, o->start_labels[t], n, j->c,
                              j->n_sources + t)) != MTC_OK)
            return s;
    }
    if (o->start_W != NULL) {
        mtc_data W = mtc_dense(j->d, j->l, o->start_W);
        if ((s = mtc_data_check(ctx, &W, MTC_NONE)) != MTC_OK)
            return s;
    }
    return lss_check_options(ctx, j);
}

/* Sizes of a run, from data and options. */
static lss_job lss_of(const mtc_data *sources, const int *const *labels,
                      size_t n_sources, const mtc_data *targets,
                      size_t n_targets, const mtc_lssmtc_options *o)
{
    lss_job j = {.sources = sources, .source_labels = labels,
                 .n_sources = n_sources, .targets = targets,
                 .n_targets = n_targets, .o = o};
    j.T = n_sources + n_targets;
    j.N = mtc_add(count_samples(sources, n_sources),
                  count_samples(targets, n_targets));
    j.c = o->clusters;
    j.d = targets != NULL && n_targets > 0 ? targets[0].d : 1;
    j.l = o->subspace == 0 ? j.c : o->subspace;
    size_t most = j.N > j.c + 1 ? j.N - j.c - 1 : 1;    /* pca: r < N - c */
    if (o->mode == MTC_RECON) {
        j.q = j.d;
        j.l = j.l < j.c ? j.l : j.c;
    } else {
        j.q = o->mode == MTC_PCA && o->rank < j.d ? o->rank : j.d;
        j.q = o->mode == MTC_PCA && j.q > most ? most : j.q;
    }
    j.l = j.l < j.q ? j.l : j.q;
    return j;
}

/* Side of the matrix that pca decomposes in full; 0 if it is too large. */
static size_t lss_side(const lss_job *j)
{
    size_t side = j->N < j->d ? j->N : j->d;
    return j->o->mode == MTC_PCA && side <= LSS_DENSE ? side : 0;
}

/* What A2 to A5 need at once, in bytes: the largest of their blocks. */
static size_t lss_work_size(const lss_job *j)
{
    size_t wide = j->c > j->l ? j->c : j->l, side = lss_side(j);
    size_t most = mtc_gemm_work(j->N, mtc_add(j->q, wide), j->d);
    size_t other[3] = {mtc_symeig_work(j->c), 0, 0};
    if (j->o->mode != MTC_RECON)
        other[1] = mtc_symeig_range_work(j->q, j->l);
    if (j->o->mode == MTC_PCA)
        other[2] = side > 0 ? mtc_symeig_range_work(side, j->q)
                            : mtc_eigen_operator_work(j->d, j->q);
    for (size_t i = 0; i < 3; i++)
        most = other[i] > most ? other[i] : most;
    for (size_t a = 0; a < j->T; a++)
        for (size_t b = 0; b < (side > 0 ? j->T : 1); b++) {
            size_t verb = mtc_data_work(lss_data(j, a),
                                        side > 0 ? lss_data(j, b) : NULL,
                                        mtc_add(j->q, wide));
            most = verb > most ? verb : most;
        }
    return most;
}

static void lss_layout_result(mtc_stack *own, lss_job *j)
{
    mtc_lssmtc_result *r = &j->r;
    r->labels = MTC_TAKE(own, j->T, int *);
    r->P = MTC_TAKE(own, j->T, mtc_real *);
    r->own = MTC_TAKE(own, j->T, mtc_real *);
    j->labels = MTC_TAKE(own, j->N, int);
    j->P = MTC_TAKE(own, mtc_mul(j->N, j->c), mtc_real);
    j->own = MTC_TAKE(own, mtc_mul(j->T, mtc_mul(j->c, j->d)), mtc_real);
    r->W = MTC_TAKE(own, mtc_mul(j->d, j->l), mtc_real);
    r->M = MTC_TAKE(own, mtc_mul(j->c, j->l), mtc_real);
    r->objective = MTC_TAKE(own, mtc_add(j->o->iterations, 1), mtc_real);
    r->k_effective = MTC_TAKE(own, j->T, size_t);
    r->zero_rows = MTC_TAKE(own, j->T, size_t);
    r->relatedness = MTC_TAKE(own, mtc_mul(j->T, j->T), mtc_real);
    r->match = MTC_TAKE(own, mtc_mul(mtc_mul(j->T, j->T), j->c), size_t);
}

/* The start's own memory: it is done with when A2 begins. */
static void lss_layout_start(mtc_stack *tmp, lss_job *j)
{
    size_t largest = 0;
    j->centers = MTC_TAKE(tmp, mtc_mul(j->c, j->d), mtc_real);
    j->km_options = mtc_kmeans_defaults();
    j->km_options.clusters = j->c;
    j->km_options.restarts = j->o->restarts;
    j->km.o = &j->km_options;
    if (j->o->start == MTC_START_POOLED && j->n_sources == 0) {
        stack_layout(tmp, j->targets, j->n_targets, NULL, &j->stacked);
        j->km.X = &j->stacked;
    } else {
        for (size_t t = 1; t < j->n_targets; t++)
            if (j->targets[t].n > j->targets[largest].n)
                largest = t;
        j->km.X = &j->targets[largest];
    }
    kmeans_layout(tmp, tmp, &j->km);
}

static void lss_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    lss_job *j = (lss_job *)job;
    size_t c = j->c, cc = mtc_mul(c, c), nc = mtc_mul(j->N, c);
    size_t qq = j->o->mode == MTC_RECON ? 0 : mtc_mul(j->q, j->q);
    int pca = j->o->mode == MTC_PCA;
    lss_layout_result(own, j);
    j->first = MTC_TAKE(tmp, j->T, size_t);
    j->S = MTC_TAKE(tmp, mtc_mul(j->N, j->l), mtc_real);
    j->A = MTC_TAKE(tmp, nc, mtc_real);
    j->image = MTC_TAKE(tmp, nc, mtc_real);
    j->before = MTC_TAKE(tmp, nc, mtc_real);
    j->Ft = MTC_TAKE(tmp, mtc_mul(j->T, mtc_mul(j->d, c)), mtc_real);
    j->Q = MTC_TAKE(tmp, mtc_mul(j->T, cc), mtc_real);
    j->G = MTC_TAKE(tmp, mtc_mul(j->T, cc), mtc_real);
    mtc_real **square[] = {&j->pool_Q, &j->root, &j->sum,
                           &j->B,      &j->small, &j->vectors};
    for (size_t i = 0; i < sizeof square / sizeof *square; i++)
        *square[i] = MTC_TAKE(tmp, cc, mtc_real);
    j->w = MTC_TAKE(tmp, c, mtc_real);
    j->norm = MTC_TAKE(tmp, j->T, mtc_real);
    j->D = MTC_TAKE(tmp, mtc_mul(c, j->l), mtc_real);
    j->W = MTC_TAKE(tmp, mtc_mul(j->q, j->l), mtc_real);
    j->Yt = MTC_TAKE(tmp, mtc_mul(j->q, c), mtc_real);
    j->V = MTC_TAKE(tmp, pca ? mtc_mul(j->d, j->q) : 0, mtc_real);
    j->Z = MTC_TAKE(tmp, pca ? mtc_mul(j->N, j->q) : 0, mtc_real);
    j->whole = MTC_TAKE(tmp, mtc_mul(lss_side(j), lss_side(j)), mtc_real);
    j->base = MTC_TAKE(tmp, qq, mtc_real);
    j->Sw = MTC_TAKE(tmp, qq, mtc_real);
    j->values = MTC_TAKE(tmp, j->q, mtc_real);
    j->line = MTC_TAKE(tmp, mtc_add(j->q, 8), mtc_real);
    j->match = MTC_TAKE(tmp, c, size_t);
    j->pairing = mtc_take(tmp, mtc_assignment_work(c, c), 1);
    size_t mark = tmp->used;
    j->work = mtc_take(tmp, lss_work_size(j), 1);
    tmp->used = mark;
    lss_layout_start(tmp, j);
}

/* ---- A1: start -------------------------------------------------------- */

/* One run of k-means on X; its labels and centres are in j->km.r. */
static mtc_status lss_kmeans(mtc_context *ctx, lss_job *j, const mtc_data *X,
                             const mtc_real *centers)
{
    j->km_options.start_centers = centers;
    j->km.X = X;
    return kmeans_work(ctx, &j->km);
}

/* Renames the clusters of target t so that its centres lie nearest to the
 * running mean of those before it, which then takes them in. */
static mtc_status lss_align(mtc_context *ctx, lss_job *j, size_t t,
                            int *labels)
{
    size_t c = j->c, d = j->d;
    const mtc_real *u = j->km.r.centers;
    for (size_t a = 0; a < c; a++)
        for (size_t b = 0; b < c; b++)
            j->small[a * c + b] = t == 0 ? a != b
                                         : sq_distance(d, u + a * d,
                                                       j->centers + b * d);
    mtc_status s = mtc_assignment(ctx, c, c, j->small, c, j->match, NULL, NULL,
                                  NULL, j->pairing);
    if (s != MTC_OK)
        return s;
    for (size_t i = 0; i < j->targets[t].n; i++)
        labels[i] = (int)j->match[j->km.r.labels[i]];
    for (size_t a = 0; a < c; a++)
        for (size_t e = 0; e < d; e++) {
            mtc_real *mean = &j->centers[j->match[a] * d + e];
            *mean = t == 0 ? u[a * d + e]
                           : *mean + (u[a * d + e] - *mean) / (mtc_real)(t + 1);
        }
    return MTC_OK;
}

/* j->centers = class means of the sources; of all, where a class is absent. */
static void lss_source_means(lss_job *j)
{
    size_t c = j->c, d = j->d;
    mean_row(j->sources, j->n_sources, j->centers);
    for (size_t z = 1; z < c; z++)
        memcpy(j->centers + z * d, j->centers, d * sizeof *j->centers);
    memset(j->w, 0, c * sizeof *j->w);
    for (size_t t = 0; t < j->n_sources; t++)
        for (size_t i = 0; i < j->sources[t].n; i++) {
            size_t z = (size_t)j->source_labels[t][i];
            mtc_real *u = j->centers + z * d, *sum = &j->w[z];
            mtc_real keep = *sum / (*sum + 1);
            for (size_t e = 0; e < d; e++)
                u[e] *= keep;                       /* running mean */
            *sum += 1;
            mtc_data_axpy(&j->sources[t], i, 1 / *sum, u);
        }
}

/* Labels of target t, by whatever start is asked for. */
static mtc_status lss_start_labels(mtc_context *ctx, lss_job *j, size_t t)
{
    const mtc_data *X = &j->targets[t];
    int *labels = j->labels + j->first[j->n_sources + t];
    const int *const *given = j->o->start_labels;
    mtc_status s;
    if (given != NULL) {
        memcpy(labels, given[t], X->n * sizeof *labels);
        return MTC_OK;
    }
    if (j->n_sources > 0) {
        lss_source_means(j);
        s = lss_kmeans(ctx, j, X, j->centers);
    } else if (j->o->start == MTC_START_POOLED) {
        return MTC_OK;                              /* all at once, below */
    } else {
        s = lss_kmeans(ctx, j, X, NULL);
        if (s == MTC_OK && j->o->start == MTC_START_ALIGNED)
            return lss_align(ctx, j, t, labels);
    }
    if (s == MTC_OK)
        memcpy(labels, j->km.r.labels, X->n * sizeof *labels);
    return s;
}

static mtc_status lss_start(mtc_context *ctx, lss_job *j)
{
    mtc_status s = MTC_OK;
    size_t at = 0, c = j->c;
    for (size_t t = 0; t < j->T; at += lss_data(j, t++)->n)
        j->first[t] = at;
    for (size_t t = 0; t < j->n_sources; t++)
        memcpy(j->labels + j->first[t], j->source_labels[t],
               j->sources[t].n * sizeof *j->labels);
    for (size_t t = 0; s == MTC_OK && t < j->n_targets; t++)
        s = lss_start_labels(ctx, j, t);
    if (s == MTC_OK && j->o->start_labels == NULL && j->n_sources == 0 &&
        j->o->start == MTC_START_POOLED) {
        stack_fill(j->targets, j->n_targets, 1, &j->stacked);
        if ((s = lss_kmeans(ctx, j, &j->stacked, NULL)) == MTC_OK)
            memcpy(j->labels, j->km.r.labels, j->N * sizeof *j->labels);
    }
    size_t free_row = j->n_sources > 0 ? j->first[j->n_sources] : 0;
    for (size_t i = 0; s == MTC_OK && i < j->N; i++)
        for (size_t z = 0; z < c; z++)
            j->P[i * c + z] = (j->labels[i] == (int)z) +
                              (i >= free_row ? j->o->offset : 0);
    return s;
}

/* ---- A2: moments ------------------------------------------------------ */

/* C^+ of a symmetric C [c*c] >= 0, and its root unless NULL. */
static mtc_status lss_invert(lss_job *j, const mtc_real *C, mtc_real *inverse,
                             mtc_real *root)
{
    size_t c = j->c;
    memcpy(j->small, C, c * c * sizeof *C);
    mtc_status s = mtc_symeig(c, j->small, c, j->w, j->vectors, c, j->work);
    if (s != MTC_OK)
        return s;
    memset(inverse, 0, c * c * sizeof *inverse);
    if (root != NULL)
        memset(root, 0, c * c * sizeof *root);
    for (size_t i = 0; i < c; i++) {
        if (!(j->w[i] > LSS_NULL * j->w[c - 1]))
            continue;
        for (size_t a = 0; a < c; a++)
            for (size_t b = 0; b < c; b++) {
                mtc_real vv = j->vectors[a * c + i] * j->vectors[b * c + i];
                inverse[a * c + b] += vv / j->w[i];
                if (root != NULL)
                    root[a * c + b] += vv / MTC_SQRT(j->w[i]);
            }
    }
    return MTC_OK;
}

/* Q_k, F_k' and F_k F_k' of every task whose P changed, and Q of all. */
static mtc_status lss_moments(lss_job *j, int all)
{
    size_t c = j->c, cc = c * c, dc = j->d * c;
    memset(j->sum, 0, cc * sizeof *j->sum);
    for (size_t t = 0; t < j->T; t++) {
        const mtc_data *X = lss_data(j, t);
        const mtc_real *P = j->P + j->first[t] * c;
        mtc_real *Ft = j->Ft + t * dc;
        mtc_syrk(1, c, X->n, 1, P, c, 0, j->B, c, j->work);
        mtc_axpy(cc, 1, j->B, j->sum);
        if (lss_fixed(j, t) && !all)
            continue;
        mtc_data_transpose_times(X, c, P, c, Ft, c, j->work);
        mtc_syrk(1, c, j->d, 1, Ft, c, 0, j->G + t * cc, c, j->work);
        mtc_status s = lss_invert(j, j->B, j->Q + t * cc, NULL);
        if (s != MTC_OK)
            return s;
    }
    return lss_invert(j, j->sum, j->pool_Q, j->root);
}

/* ---- A3: the subspace ------------------------------------------------- */

/* Yt = Y'P, all tasks together: sum_k F_k' or, in pca, Z'P. */
static void lss_cross(lss_job *j)
{
    size_t c = j->c, dc = j->d * c;
    if (j->o->mode == MTC_PCA) {
        mtc_gemm(1, 0, j->q, c, j->N, 1, j->Z, j->q, j->P, c, 0, j->Yt, c,
                 j->work);
        return;
    }
    memcpy(j->Yt, j->Ft, dc * sizeof *j->Yt);
    for (size_t t = 1; t < j->T; t++)
        mtc_axpy(dc, 1, j->Ft + t * dc, j->Yt);
}

/* recon: X' Pi X = (F'R)(F'R)' with R = Q^1/2, so that its eigenvectors are
 * W = F'R v / sqrt(w) for the eigenpairs (w, v) of R F F' R, c x c. */
static mtc_status lss_recon(lss_job *j)
{
    size_t c = j->c, l = j->l;
    mtc_syrk(1, c, j->d, 1, j->Yt, c, 0, j->B, c, j->work);
    mtc_gemm(0, 0, c, c, c, 1, j->root, c, j->B, c, 0, j->vectors, c, j->work);
    mtc_gemm(0, 0, c, c, c, 1, j->vectors, c, j->root, c, 0, j->small, c,
             j->work);
    mtc_status s = mtc_symeig(c, j->small, c, j->w, j->vectors, c, j->work);
    if (s != MTC_OK)
        return s;
    mtc_gemm(0, 0, c, c, c, 1, j->root, c, j->vectors, c, 0, j->B, c, j->work);
    j->r.subspace = 0;
    for (size_t i = 0; i < l; i++) {
        mtc_real w = j->w[c - 1 - i];
        int real = w > LSS_NULL * j->w[c - 1];
        for (size_t a = 0; a < c; a++)
            j->small[a * l + i] =
                real ? j->B[a * c + (c - 1 - i)] / MTC_SQRT(w) : 0;
        j->r.subspace += (size_t)real;
    }
    mtc_gemm(0, 0, j->d, l, c, 1, j->Yt, c, j->small, l, 0, j->W, l, j->work);
    return MTC_OK;
}

/* (G-16): l smallest eigenvectors of Y'Y - Yt Q Yt'. */
static mtc_status lss_smallest(lss_job *j)
{
    size_t c = j->c, q = j->q;
    memcpy(j->Sw, j->base, q * q * sizeof *j->Sw);
    mtc_gemm(0, 0, q, c, c, 1, j->Yt, c, j->pool_Q, c, 0, j->image, c,
             j->work);
    mtc_gemm(0, 1, q, q, c, -1, j->image, c, j->Yt, c, 1, j->Sw, q, j->work);
    j->r.subspace = j->l;
    return mtc_symeig_range(q, j->Sw, q, 0, j->l, j->values, j->W, j->l,
                            j->work);
}

/* S = X B for all tasks, B [d*width]. */
static void lss_times(lss_job *j, size_t width, const mtc_real *B,
                      mtc_real *S)
{
    for (size_t t = 0; t < j->T; t++)
        mtc_data_times(lss_data(j, t), width, B, width,
                       S + j->first[t] * width, width, j->work);
}

/* A3 and A4: W, then S = X W, D = P'S and M = Q D. */
static mtc_status lss_project(lss_job *j, const mtc_real *given)
{
    size_t c = j->c, l = j->l;
    mtc_status s = MTC_OK;
    if (j->o->lambda == 1)              /* the subspace has no say */
        return MTC_OK;
    if (given == NULL) {
        lss_cross(j);
        s = j->o->mode == MTC_RECON ? lss_recon(j) : lss_smallest(j);
    }
    if (s != MTC_OK)
        return s;
    if (given != NULL)
        lss_times(j, l, given, j->S);
    else if (j->o->mode == MTC_PCA)
        mtc_gemm(0, 0, j->N, l, j->q, 1, j->Z, j->q, j->W, l, 0, j->S, l,
                 j->work);
    else
        lss_times(j, l, j->W, j->S);
    mtc_gemm(1, 0, c, l, j->N, 1, j->P, c, j->S, l, 0, j->D, l, j->work);
    mtc_gemm(0, 0, c, l, c, 1, j->pool_Q, c, j->D, l, 0, j->r.M, l, j->work);
    return MTC_OK;
}

/* AV = X'X V, the operator behind V_r. */
static mtc_status lss_apply(void *user, size_t n, size_t p, const mtc_real *V,
                            mtc_real *AV)
{
    lss_job *j = (lss_job *)user;
    memset(AV, 0, n * p * sizeof *AV);
    for (size_t t = 0; t < j->T; t++) {
        const mtc_data *X = lss_data(j, t);
        for (size_t i = 0; i < X->n; i++) {         /* AV += x (x'V) */
            size_t e0 = row_begin(X, i), e1 = row_end(X, i);
            memset(j->line, 0, p * sizeof *j->line);
            for (size_t e = e0; e < e1; e++)
                mtc_axpy(p, X->values[e], V + entry_column(X, e0, e) * p,
                         j->line);
            for (size_t e = e0; e < e1; e++)
                mtc_axpy(p, X->values[e], j->line,
                         AV + entry_column(X, e0, e) * p);
        }
    }
    return MTC_OK;
}

/* C [d*d] = X'X: every sample adds x x'. */
static void lss_cross_matrix(const lss_job *j, mtc_real *C)
{
    size_t d = j->d;
    memset(C, 0, d * d * sizeof *C);
    for (size_t t = 0; t < j->T; t++) {
        const mtc_data *X = lss_data(j, t);
        for (size_t i = 0; i < X->n; i++) {
            size_t e0 = row_begin(X, i), e1 = row_end(X, i);
            for (size_t e = e0; e < e1; e++)
                mtc_data_axpy(X, i, X->values[e],
                              C + entry_column(X, e0, e) * d);
        }
    }
}

/* V, Z = X V and values for N <= d: from X X' = U S^2 U', Z = U S and
 * V = X'U / S.  What is beyond the rank of X becomes 0. */
static mtc_status lss_by_gram(lss_job *j)
{
    size_t N = j->N, q = j->q, d = j->d;
    for (size_t a = 0; a < j->T; a++)
        for (size_t b = 0; b <= a; b++)             /* the lower triangle */
            mtc_data_gram(lss_data(j, a), lss_data(j, b),
                          j->whole + j->first[a] * N + j->first[b], N,
                          j->work);
    mtc_status s = mtc_symeig_range(N, j->whole, N, N - q, q, j->values, j->Z,
                                    q, j->work);
    if (s != MTC_OK)
        return s;
    memset(j->V, 0, d * q * sizeof *j->V);
    for (size_t i = 0; i < q; i++) {
        int beyond = !(j->values[i] > LSS_NULL * j->values[q - 1]);
        mtc_real root = beyond ? 0 : MTC_SQRT(j->values[i]);
        for (size_t e = 0; e < N; e++)
            j->Z[e * q + i] *= root;
        j->line[i] = beyond ? 0 : 1 / j->values[i];
    }
    for (size_t t = 0; t < j->T; t++) {             /* V = X'Z / S^2 */
        const mtc_data *X = lss_data(j, t);
        for (size_t i = 0; i < X->n; i++) {
            size_t e0 = row_begin(X, i), e1 = row_end(X, i);
            for (size_t e = e0; e < e1; e++)
                mtc_axpy(q, X->values[e], j->Z + (j->first[t] + i) * q,
                         j->V + entry_column(X, e0, e) * q);
        }
    }
    for (size_t e = 0; e < d * q; e++)
        j->V[e] *= j->line[e % q];
    return MTC_OK;
}

/* The same from X'X, in full or as an operator. */
static mtc_status lss_by_features(mtc_context *ctx, lss_job *j)
{
    size_t d = j->d, q = j->q;
    mtc_status s;
    if (lss_side(j) == 0) {
        s = mtc_eigen_operator(ctx, d, lss_apply, j, q, 0, 0, j->values, j->V,
                               q, NULL, j->work);
    } else {
        lss_cross_matrix(j, j->whole);
        s = mtc_symeig_range(d, j->whole, d, d - q, q, j->values, j->V, q,
                             j->work);
    }
    if (s == MTC_OK)
        lss_times(j, q, j->V, j->Z);
    return s;
}

/* Y'Y, once: X'X for literal; for pca the top r singular vectors V of X, so
 * that Z'Z = diag(values).  What is beyond the rank of X is moved out of
 * reach of the smallest eigenvectors. */
static mtc_status lss_coordinates(mtc_context *ctx, lss_job *j)
{
    size_t q = j->q;
    mtc_real top = 0;
    if (j->o->mode == MTC_RECON || j->o->lambda == 1)
        return MTC_OK;
    if (j->o->mode == MTC_LITERAL) {
        lss_cross_matrix(j, j->base);
        return MTC_OK;
    }
    mtc_status s = lss_side(j) == j->N ? lss_by_gram(j)
                                       : lss_by_features(ctx, j);
    if (s != MTC_OK)
        return s;
    memset(j->base, 0, q * q * sizeof *j->base);
    for (size_t i = 0; i < q; i++)
        top = j->values[i] > top ? j->values[i] : top;
    for (size_t i = 0; i < q; i++) {
        int beyond = !(j->values[i] > LSS_NULL * top);
        j->base[i * q + i] = beyond ? 2 * top + 1 : j->values[i];
        for (size_t e = 0; beyond && e < j->N; e++)
            j->Z[e * q + i] = 0;
    }
    return MTC_OK;
}

/* ---- A4, A5: objective and partitions --------------------------------- */

/* |X_k - P_k M_k|^2 = |X_k|^2 - <Q_k, F_k F_k'> */
static mtc_real lss_own_residual(const lss_job *j, size_t t)
{
    size_t cc = j->c * j->c;
    mtc_real left = j->norm[t] - mtc_dot(cc, j->Q + t * cc, j->G + t * cc);
    return left > 0 ? left : 0;
}

/* |XW - PM|^2, row by row; recon adds what lies outside the subspace:
 * |X|^2 - tr W'X'Pi X W. */
static mtc_real lss_shared_residual(const lss_job *j)
{
    size_t c = j->c, l = j->l;
    mtc_real sum = 0;
    if (j->o->mode == MTC_RECON) {
        for (size_t t = 0; t < j->T; t++)
            sum += j->norm[t];
        sum -= mtc_dot(c * l, j->D, j->r.M);
        return sum > 0 ? sum : 0;
    }
    for (size_t i = 0; i < j->N; i++)
        for (size_t a = 0; a < l; a++) {
            mtc_real left = j->S[i * l + a];
            for (size_t z = 0; z < c; z++)
                left -= j->P[i * c + z] * j->r.M[z * l + a];
            sum += left * left;
        }
    return sum;
}

static mtc_real lss_objective(const lss_job *j)
{
    mtc_real lambda = j->o->lambda, sum = 0;
    for (size_t t = j->n_sources; t < j->T; t++)
        sum += lambda * lss_own_residual(j, t);
    if (lambda < 1)
        sum += (1 - lambda) * lss_shared_residual(j);
    return sum;
}

/* A [n*c] and B [c*c] of task t, with M_k = Q_k F_k substituted. */
static void lss_gradient(lss_job *j, size_t t)
{
    size_t c = j->c, l = j->l, n = lss_data(j, t)->n;
    const mtc_real *Q = j->Q + t * c * c, *G = j->G + t * c * c;
    mtc_real lambda = j->o->lambda, *A = j->A;
    mtc_data_times(lss_data(j, t), c, j->Ft + t * j->d * c, c, j->image, c,
                   j->work);
    mtc_gemm(0, 0, n, c, c, lambda, j->image, c, Q, c, 0, A, c, j->work);
    mtc_gemm(0, 0, c, c, c, lambda, Q, c, G, c, 0, j->small, c, j->work);
    mtc_gemm(0, 0, c, c, c, 1, j->small, c, Q, c, 0, j->B, c, j->work);
    if (lambda == 1)
        return;
    mtc_gemm(0, 1, n, c, l, 1 - lambda, j->S + j->first[t] * l, l, j->r.M, l,
             1, A, c, j->work);
    mtc_syrk(0, c, l, 1 - lambda, j->r.M, l, 1, j->B, c, j->work);
}

/* A5 for task t (G-14).  A denominator of 0 means a centroid at 0, whose
 * numerator is 0 as well: factor 1.  No epsilon: it would break the descent. */
static void lss_update(lss_job *j, size_t t)
{
    size_t c = j->c, n = lss_data(j, t)->n;
    mtc_real *P = j->P + j->first[t] * c, *old = j->w;
    for (size_t i = 0; i < n; i++) {
        memcpy(old, P + i * c, c * sizeof *old);
        for (size_t z = 0; z < c; z++) {
            mtc_real a = j->A[i * c + z];
            mtc_real up = a > 0 ? a : 0, down = a < 0 ? -a : 0;
            for (size_t y = 0; y < c; y++) {
                mtc_real b = old[y] * j->B[y * c + z];
                if (b < 0)
                    up -= b;
                else
                    down += b;
            }
            if (down > 0)               /* up / down itself may overflow */
                P[i * c + z] = old[z] * (MTC_SQRT(up) / MTC_SQRT(down));
        }
    }
}

/* ---- the end of a run ------------------------------------------------- */

/* Largest entry of each row of P; where the row is 0 the nearest centroids,
 * own and shared, at distance const - 2 A_ij + B_jj. */
static void lss_label(lss_job *j, size_t t)
{
    size_t c = j->c, n = lss_data(j, t)->n;
    const mtc_real *P = j->P + j->first[t] * c;
    int *labels = j->labels + j->first[t];
    j->r.zero_rows[t] = j->r.k_effective[t] = 0;
    memset(j->w, 0, c * sizeof *j->w);
    for (size_t i = 0; i < n; i++) {
        size_t best = argmax(c, P + i * c);
        if (P[i * c + best] == 0) {
            j->r.zero_rows[t]++;
            for (size_t z = best = 0; z < c; z++)
                if (j->B[z * c + z] - 2 * j->A[i * c + z] <
                    j->B[best * c + best] - 2 * j->A[i * c + best])
                    best = z;
        }
        labels[i] = (int)best;
        j->w[best] = 1;
    }
    for (size_t z = 0; z < c; z++)
        j->r.k_effective[t] += j->w[z] > 0;
}

/* How well the centroids of task s explain task t, beside its own:
 * |X_t - P_t M_t|^2 / |X_t - P_t M_s|^2, in [0,1]. */
static mtc_real lss_relate(lss_job *j, size_t t, size_t s)
{
    size_t c = j->c, d = j->d;
    const mtc_real *M = j->own + s * c * d, *Ft = j->Ft + t * d * c;
    const mtc_real *P = j->P + j->first[t] * c;
    mtc_real cross = j->norm[t], own = lss_own_residual(j, t);
    if (s == t)
        return 1;
    mtc_syrk(1, c, lss_data(j, t)->n, 1, P, c, 0, j->B, c, j->work);
    mtc_syrk(0, c, d, 1, M, d, 0, j->small, c, j->work);
    cross += mtc_dot(c * c, j->B, j->small);
    for (size_t z = 0; z < c; z++)
        for (size_t e = 0; e < d; e++)
            cross -= 2 * Ft[e * c + z] * M[z * d + e];
    return cross > own ? own / cross : 1;
}

/* match: the clusters of t and s paired by their own centroids. */
static mtc_status lss_match(mtc_context *ctx, lss_job *j, size_t t, size_t s)
{
    size_t c = j->c, d = j->d;
    for (size_t a = 0; a < c; a++)
        for (size_t b = 0; b < c; b++)
            j->small[a * c + b] = sq_distance(d, j->own + (t * c + a) * d,
                                              j->own + (s * c + b) * d);
    return mtc_assignment(ctx, c, c, j->small, c,
                          j->r.match + (t * j->T + s) * c, NULL, NULL, NULL,
                          j->pairing);
}

static mtc_status lss_finish(mtc_context *ctx, lss_job *j)
{
    size_t c = j->c, d = j->d, l = j->l, T = j->T;
    for (size_t t = 0; t < T; t++) {
        lss_gradient(j, t);
        lss_label(j, t);
        mtc_gemm(0, 1, c, d, c, 1, j->Q + t * c * c, c, j->Ft + t * d * c, c,
                 0, j->own + t * c * d, d, j->work);
        j->r.labels[t] = j->labels + j->first[t];
        j->r.P[t] = j->P + j->first[t] * c;
        j->r.own[t] = j->own + t * c * d;
    }
    if (j->o->lambda == 1) {                        /* no subspace was sought */
        memset(j->r.W, 0, d * l * sizeof *j->r.W);
        memset(j->r.M, 0, c * l * sizeof *j->r.M);
    } else if (j->o->mode == MTC_PCA && !j->given) {
        mtc_gemm(0, 0, d, l, j->q, 1, j->V, j->q, j->W, l, 0, j->r.W, l,
                 j->work);
    } else {
        memcpy(j->r.W, j->given ? j->o->start_W : j->W,
               d * l * sizeof *j->r.W);
    }
    for (size_t t = 0; t < T; t++)
        for (size_t s = 0; s < T; s++) {
            j->r.relatedness[t * T + s] = lss_relate(j, t, s);
            mtc_status status = lss_match(ctx, j, t, s);
            if (status != MTC_OK)
                return status;
        }
    return MTC_OK;
}

/* Has the objective risen?  It is what is left of |X|^2, so that its rounding
 * can carry it above the one before: that is put right. */
static int lss_rose(const lss_job *j, mtc_real *f, mtc_real before)
{
    mtc_real total = 0;
    for (size_t t = 0; t < j->T; t++)
        total += j->norm[t];
    if (*f <= before)
        return 0;
    if (*f - before > LSS_BLUR * total)
        return 1;
    *f = before;
    return 0;
}

/* A2 to A4 for the partitions as they are. */
static mtc_status lss_fit(lss_job *j, int all, const mtc_real *start_W)
{
    mtc_status s = lss_moments(j, all);
    j->given = start_W != NULL;
    return s == MTC_OK ? lss_project(j, start_W) : s;
}

/* Iterates A5, A2 to A4.  Where P'P is all but singular the theory of A5 does
 * not reach and f can rise: the step is taken back, and that is the end. */
static mtc_status lss_descend(mtc_context *ctx, lss_job *j)
{
    mtc_real *f = j->r.objective;
    size_t bytes = j->N * j->c * sizeof *j->P, it = 0;
    mtc_status s = MTC_OK;
    f[0] = lss_objective(j);
    while (s == MTC_OK && it < j->o->iterations && !j->r.converged) {
        if ((s = mtc_tick(ctx, "lssmtc", it, j->o->iterations)) != MTC_OK)
            break;
        memcpy(j->before, j->P, bytes);
        for (size_t t = j->n_sources; t < j->T; t++) {          /* A5 */
            lss_gradient(j, t);
            lss_update(j, t);
        }
        if ((s = lss_fit(j, 0, NULL)) != MTC_OK)
            break;
        f[it + 1] = lss_objective(j);
        if (lss_rose(j, &f[it + 1], f[it])) {
            memcpy(j->P, j->before, bytes);
            s = lss_fit(j, 0, it == 0 ? j->o->start_W : NULL);
            break;
        }
        it++;
        j->r.converged = j->o->tolerance > 0 &&
                         f[it - 1] - f[it] <= j->o->tolerance * f[it - 1];
    }
    j->r.iterations = it;
    return s;
}

static mtc_status lss_work(mtc_context *ctx, void *job)
{
    lss_job *j = (lss_job *)job;
    mtc_status s = lss_start(ctx, j);                           /* A1 */
    if (s == MTC_OK)
        s = lss_coordinates(ctx, j);
    for (size_t t = 0; s == MTC_OK && t < j->T; t++)
        j->norm[t] = squared_norm(lss_data(j, t));
    if (s == MTC_OK)
        s = lss_fit(j, 1, j->o->start_W);
    if (s == MTC_OK)
        s = lss_descend(ctx, j);
    return s == MTC_OK ? lss_finish(ctx, j) : s;
}

/* Checks and runs; a job is made by lss_of. */
static mtc_status lss_execute(mtc_context *ctx, lss_job *j,
                              mtc_lssmtc_result *res)
{
    mtc_status s = lss_check(ctx, j);
    if (s != MTC_OK)
        return s;
    j->r.tasks = j->T;
    j->r.clusters = j->c;
    j->r.d = j->d;
    j->r.width = j->l;
    s = mtc_job_run(ctx, lss_layout, lss_work, j, &j->r.block,
                    &j->r.block_size);
    if (s == MTC_OK)
        *res = j->r;
    return s;
}

size_t mtc_lssmtc_memory(const mtc_data *tasks, size_t n_tasks,
                         const mtc_lssmtc_options *opt)
{
    lss_job job = lss_of(NULL, NULL, 0, tasks, n_tasks, opt);
    return mtc_job_memory(lss_layout, &job);
}

mtc_status mtc_lssmtc(mtc_context *ctx, const mtc_data *tasks, size_t n_tasks,
                      const mtc_lssmtc_options *opt, mtc_lssmtc_result *res)
{
    if (opt == NULL || tasks == NULL)
        return bad_option(ctx, opt == NULL ? "options" : "no tasks");
    lss_job job = lss_of(NULL, NULL, 0, tasks, n_tasks, opt);
    return lss_execute(ctx, &job, res);
}

size_t mtc_lssttc_memory(const mtc_data *sources, size_t n_sources,
                         const mtc_data *target,
                         const mtc_lssmtc_options *opt)
{
    lss_job job = lss_of(sources, NULL, n_sources, target, 1, opt);
    return mtc_job_memory(lss_layout, &job);
}

mtc_status mtc_lssttc(mtc_context *ctx, const mtc_data *sources,
                      const int *const *source_labels, size_t n_sources,
                      const mtc_data *target, const mtc_lssmtc_options *opt,
                      mtc_lssmtc_result *res)
{
    if (opt == NULL || target == NULL || sources == NULL ||
        source_labels == NULL || n_sources == 0)
        return bad_option(ctx, "sources, their labels and a target are needed");
    lss_job job = lss_of(sources, source_labels, n_sources, target, 1, opt);
    return lss_execute(ctx, &job, res);
}

/* ---- new samples ------------------------------------------------------ */

typedef struct lss_assign_job {
    const mtc_data *X;
    const mtc_lssmtc_result *r;
    mtc_real lambda;
    size_t task;
    int *labels;
    mtc_real *H, *offset;               /* [c*d] [c] */
} lss_assign_job;

static void lss_assign_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    lss_assign_job *j = (lss_assign_job *)job;
    (void)own;
    j->H = MTC_TAKE(tmp, mtc_mul(j->r->clusters, j->r->d), mtc_real);
    j->offset = MTC_TAKE(tmp, j->r->clusters, mtc_real);
}

/* lambda |x - M_k[z]|^2 + (1-lambda) |W'x - M[z]|^2 is, but for what does not
 * depend on z, offset_z - 2 x.H_z with H = lambda M_k + (1-lambda) M W'. */
static mtc_status lss_assign_work(mtc_context *ctx, void *job)
{
    lss_assign_job *j = (lss_assign_job *)job;
    const mtc_lssmtc_result *r = j->r;
    size_t c = r->clusters, d = r->d, l = r->width;
    const mtc_real *own = r->own[j->task];
    (void)ctx;
    mtc_gemm(0, 1, c, d, l, 1 - j->lambda, r->M, l, r->W, l, 0, j->H, d, NULL);
    for (size_t z = 0; z < c; z++) {
        mtc_axpy(d, j->lambda, own + z * d, j->H + z * d);
        j->offset[z] = j->lambda * mtc_dot(d, own + z * d, own + z * d) +
                       (1 - j->lambda) *
                           mtc_dot(l, r->M + z * l, r->M + z * l);
    }
    for (size_t i = 0; i < j->X->n; i++) {
        mtc_real best = 0;
        for (size_t z = 0; z < c; z++) {
            mtc_real far = j->offset[z] -
                           2 * mtc_data_dot(j->X, i, j->H + z * d);
            if (z == 0 || far < best) {
                best = far;
                j->labels[i] = (int)z;
            }
        }
    }
    return MTC_OK;
}

size_t mtc_lssmtc_assign_memory(const mtc_lssmtc_result *res)
{
    lss_assign_job job = {.r = res};
    return mtc_job_memory(lss_assign_layout, &job);
}

mtc_status mtc_lssmtc_assign(mtc_context *ctx, const mtc_data *X, size_t task,
                             const mtc_lssmtc_options *opt,
                             const mtc_lssmtc_result *res, int *labels)
{
    mtc_status s = mtc_data_check(ctx, X, MTC_NONE);
    if (s != MTC_OK)
        return s;
    if (opt == NULL || res == NULL || labels == NULL || X->d != res->d)
        return bad_option(ctx, "features differ from the model's");
    if (task >= res->tasks)
        return bad_option(ctx, "task");
    lss_assign_job job = {.X = X, .r = res, .lambda = opt->lambda,
                          .task = task, .labels = labels};
    return mtc_job_run(ctx, lss_assign_layout, lss_assign_work, &job, NULL,
                       NULL);
}

void mtc_lssmtc_free(mtc_context *ctx, mtc_lssmtc_result *res)
{
    if (res != NULL)
        mtc_discard(ctx, res, sizeof *res, res->block, res->block_size);
}

/* ==========================================================================
 * Chapter 12  Transductive support vector machine
 *
 *   min 1/2 |w|^2 + C sum_l xi + C- sum_{y*=-1} xi* + C+ sum_{y*=+1} xi*
 * over w, b and labels y* of the target with a given number of positives:
 * the sources' share of it.
 *
 *   A1  SVM on the sources; the target's largest decisions become +1
 *   A2  C- = 1e-5 C*, C+ = C- num+ / num-; both double until they are C*
 *   A3  at each level: solve; exchange the labels of every pair of a positive
 *       and a negative with xi_i + xi_j > 2, largest first; until there is
 *       none.  Each exchange lowers the objective at fixed (w, b), so this
 *       ends.
 * One problem for two classes, else one against the rest.
 *
 * Deviation: pairs are exchanged all at once instead of one by one, and the
 *   last level is solved at C*, not just below it.
 * Reference: [J99].  Cost: about 20 to 40 SVMs, each started at the last.
 * ========================================================================== */

#define TSVM_ROUNDS ((size_t)1000)      /* exchanges at one level */
#define TSVM_STEPS ((size_t)100000)     /* the least bound on a solve */

typedef struct tsvm_job {
    const mtc_data *sources, *target;
    const int *const *source_labels;
    size_t n_sources, N, problems;
    const mtc_tsvm_options *o;
    mtc_tsvm_result r;
    mtc_data *sets, stacked;            /* sources, then the target */
    mtc_svm_options svm_options;
    svm_job svm;
    int *sign;                          /* [N] 0 negative, 1 positive */
    mtc_real *costs, *start, *f, *key;  /* [N] */
    size_t *order, *rivals;             /* [target.n] */
} tsvm_job;

mtc_tsvm_options mtc_tsvm_defaults(void)
{
    mtc_tsvm_options o;
    memset(&o, 0, sizeof o);
    o.classes = 2;
    o.cost = 1;
    o.tolerance = (mtc_real)1e-4;
    return o;
}

static void tsvm_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    tsvm_job *j = (tsvm_job *)job;
    size_t N = j->N, u = j->target->n;
    j->r.labels = MTC_TAKE(own, u, int);
    j->r.decisions = MTC_TAKE(own, mtc_mul(u, j->problems), mtc_real);
    j->sets = MTC_TAKE(tmp, mtc_add(j->n_sources, 1), mtc_data);
    j->sign = MTC_TAKE(tmp, N, int);
    j->costs = MTC_TAKE(tmp, N, mtc_real);
    j->start = MTC_TAKE(tmp, N, mtc_real);
    j->f = MTC_TAKE(tmp, N, mtc_real);
    j->key = MTC_TAKE(tmp, N, mtc_real);
    j->order = MTC_TAKE(tmp, u, size_t);
    j->rivals = MTC_TAKE(tmp, u, size_t);
    stack_layout(tmp, j->sources, j->n_sources, j->target, &j->stacked);
    j->svm_options = mtc_svm_defaults();
    j->svm_options.kernel = j->o->kernel;
    j->svm_options.gamma = j->o->gamma;
    j->svm_options.cost = j->o->cost;
    j->svm_options.tolerance = j->o->tolerance;
    j->svm_options.costs = j->costs;
    j->svm_options.iterations = j->o->iterations;
    if (j->o->iterations == 0)
        j->svm_options.iterations = mtc_add(TSVM_STEPS, mtc_mul(100, N));
    j->svm.o = &j->svm_options;
    j->svm.K.X = &j->stacked;
    j->svm.labels = j->sign;
    svm_layout(tmp, tmp, &j->svm);
}

/* Solves for the present signs and costs, from the multipliers in `start`;
 * leaves f of all samples, and the multipliers in `start`. */
static mtc_status tsvm_solve(mtc_context *ctx, tsvm_job *j)
{
    svm_job *w = &j->svm;
    svm_extremes e;
    int side = svm_begin(w, 1, j->start);
    j->r.solved++;
    if (side != 0) {
        for (size_t i = 0; i < j->N; i++)
            j->f[i] = (mtc_real)side;
        return MTC_OK;
    }
    svm_refresh(w, 0);
    mtc_status s = svm_solve(ctx, 0, w, &e);
    if (s != MTC_OK)
        return s;
    svm_finish(w, &e, 0);
    for (size_t k = 0; k < j->N; k++) {             /* F = y - K b */
        size_t i = w->order[k];
        j->f[i] = w->y[k] - w->F[k] + w->r.bias[0];
        j->start[i] = MTC_FABS(w->beta[k]);
    }
    return MTC_OK;
}

/* max(0, 1 - y* f) of target sample i. */
static mtc_real tsvm_slack(const tsvm_job *j, size_t i)
{
    size_t at = j->N - j->target->n + i;
    mtc_real slack = 1 - (j->sign[at] ? j->f[at] : -j->f[at]);
    return slack > 0 ? slack : 0;
}

/* Target samples of one sign with slack, largest slack first, into `list`. */
static size_t tsvm_offenders(tsvm_job *j, int sign, size_t *list)
{
    size_t u = j->target->n, count = 0;
    for (size_t i = 0; i < u; i++) {
        int has_sign = j->sign[j->N - u + i] == sign;
        j->key[i] = has_sign ? -tsvm_slack(j, i) : 0;
        count += j->key[i] < 0;
    }
    mtc_select_order(u, j->key, count, list);
    return count;
}

/* A3: exchanges labels; returns how many pairs.  A sample that changes sides
 * starts anew at multiplier 0. */
static size_t tsvm_exchange(tsvm_job *j)
{
    size_t u0 = j->N - j->target->n, pairs = 0;
    size_t plus = tsvm_offenders(j, 1, j->order);
    size_t minus = tsvm_offenders(j, 0, j->rivals);
    while (pairs < plus && pairs < minus &&
           tsvm_slack(j, j->order[pairs]) + tsvm_slack(j, j->rivals[pairs]) >
               2 + (mtc_real)1e-6)
        pairs++;
    for (size_t p = 0; p < pairs; p++) {
        size_t a = u0 + j->order[p], b = u0 + j->rivals[p];
        j->sign[a] = 0;
        j->sign[b] = 1;
        j->start[a] = j->start[b] = 0;
    }
    return pairs;
}

/* Costs relative to C: 1 for the sources, by sign for the target. */
static void tsvm_costs(tsvm_job *j, mtc_real minus, mtc_real plus)
{
    size_t u0 = j->N - j->target->n;
    for (size_t i = 0; i < j->N; i++)
        j->costs[i] = i < u0 ? 1 : j->sign[i] ? plus : minus;
}

/* One class against the rest (or the other). */
static mtc_status tsvm_problem(mtc_context *ctx, tsvm_job *j, int positive)
{
    size_t u = j->target->n, u0 = j->N - u, at = 0, found = 0;
    mtc_real top = j->o->cost_target > 0 ? j->o->cost_target / j->o->cost : 1;
    for (size_t s = 0; s < j->n_sources; at += j->sources[s++].n)
        for (size_t i = 0; i < j->sources[s].n; i++)
            found += (size_t)(j->sign[at + i] =
                                  j->source_labels[s][i] == positive);
    memset(j->sign + u0, 0, u * sizeof *j->sign);
    memset(j->start, 0, j->N * sizeof *j->start);
    tsvm_costs(j, 0, 0);
    mtc_status s = tsvm_solve(ctx, j);                          /* A1 */
    if (s != MTC_OK || found == 0 || found == u0 || u < 2)
        return s;
    mtc_real share = (mtc_real)found / (mtc_real)u0 * (mtc_real)u;
    size_t plus = (size_t)MTC_FLOOR(share + (mtc_real)0.5);
    plus = plus < 1 ? 1 : plus > u - 1 ? u - 1 : plus;
    for (size_t i = 0; i < u; i++)
        j->key[i] = -j->f[u0 + i];
    mtc_select_order(u, j->key, plus, j->order);
    for (size_t i = 0; i < plus; i++)
        j->sign[u0 + j->order[i]] = 1;
    mtc_real cm = (mtc_real)1e-5 * top;                         /* A2 */
    mtc_real cp = cm * (mtc_real)plus / (mtc_real)(u - plus);
    while (s == MTC_OK && (cm < top || cp < top)) {
        cm = 2 * cm < top ? 2 * cm : top;
        cp = 2 * cp < top ? 2 * cp : top;
        for (size_t round = 0; s == MTC_OK && round < TSVM_ROUNDS; round++) {
            tsvm_costs(j, cm, cp);
            s = tsvm_solve(ctx, j);
            size_t pairs = s == MTC_OK ? tsvm_exchange(j) : 0;
            j->r.exchanged += pairs;
            if (pairs == 0)
                break;
        }
    }
    return s;
}

static mtc_status tsvm_work(mtc_context *ctx, void *job)
{
    tsvm_job *j = (tsvm_job *)job;
    size_t u = j->target->n, P = j->problems;
    memcpy(j->sets, j->sources, j->n_sources * sizeof *j->sets);
    j->sets[j->n_sources] = *j->target;
    stack_fill(j->sets, j->n_sources + 1, 1, &j->stacked);
    mtc_status s = MTC_OK;
    svm_prepare(&j->svm);
    for (size_t p = 0; s == MTC_OK && p < P; p++) {
        s = tsvm_problem(ctx, j, P == 1 ? 1 : (int)p);
        for (size_t i = 0; i < u; i++)
            j->r.decisions[i * P + p] = j->f[j->N - u + i];
    }
    for (size_t i = 0; i < u; i++) {
        const mtc_real *f = j->r.decisions + i * P;
        j->r.labels[i] = P == 0 ? 0 : P == 1 ? f[0] > 0 : (int)argmax(P, f);
    }
    j->r.problems = P;
    j->r.converged = j->svm.r.converged;
    return s;
}

static tsvm_job tsvm_of(const mtc_data *sources, size_t n_sources,
                        const mtc_data *target, const mtc_tsvm_options *opt)
{
    tsvm_job job = {.sources = sources, .n_sources = n_sources,
                    .target = target, .o = opt};
    job.N = mtc_add(count_samples(sources, n_sources), target->n);
    job.problems = svm_problems(opt->classes);
    return job;
}

size_t mtc_tsvm_memory(const mtc_data *sources, size_t n_sources,
                       const mtc_data *target, const mtc_tsvm_options *opt)
{
    tsvm_job job = tsvm_of(sources, n_sources, target, opt);
    return mtc_job_memory(tsvm_layout, &job);
}

mtc_status mtc_tsvm(mtc_context *ctx, const mtc_data *sources,
                    const int *const *source_labels, size_t n_sources,
                    const mtc_data *target, const mtc_tsvm_options *opt,
                    mtc_tsvm_result *res)
{
    if (opt == NULL)
        return bad_option(ctx, "options");
    mtc_status s = check_transfer(ctx, sources, source_labels, n_sources,
                                  target, opt->classes);
    if (s != MTC_OK)
        return s;
    if (opt->kernel != MTC_LINEAR && opt->kernel != MTC_RBF)
        return bad_option(ctx, "kernel");
    const mtc_real number[4] = {opt->cost, opt->cost_target, opt->gamma,
                                opt->tolerance};
    for (size_t i = 0; i < 4; i++)
        if (!(number[i] >= 0) || !MTC_FINITE(number[i]))
            return bad_option(ctx, "cost, gamma and tolerance: not negative");
    if (!(opt->cost > 0))
        return bad_option(ctx, "cost");
    tsvm_job job = tsvm_of(sources, n_sources, target, opt);
    job.source_labels = source_labels;
    s = mtc_job_run(ctx, tsvm_layout, tsvm_work, &job, &job.r.block,
                    &job.r.block_size);
    if (s == MTC_OK)
        *res = job.r;
    return s;
}

void mtc_tsvm_free(mtc_context *ctx, mtc_tsvm_result *res)
{
    if (res != NULL)
        mtc_discard(ctx, res, sizeof *res, res->block, res->block_size);
}

/*@MBC@*/

/*@MTCFIR@*/

/*@TTL@*/

/*@EC@*/
