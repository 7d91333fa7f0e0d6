/* SPDX-License-Identifier: MIT
 *
 * k-means and the Bregman divergences: fixed points recomputed by hand, all
 * partitions tried on tiny data, plain Lloyd as the oracle of the bounds.
 */
#include <math.h>

#include "greatest.h"
#include "test_util.h"

#define MAX_N 400
#define MAX_D 24
#define MAX_K 12

/* Samples in `groups` clouds; returns a dense view of x. */
static mtc_data clouds(mtc_real *x, size_t n, size_t d, size_t groups,
                       uint64_t seed, double spread)
{
    mtc_real center[MAX_K * MAX_D];
    test_fill(center, groups * d, seed + 77, -3, 3);
    test_fill(x, n * d, seed, -spread, spread);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < d; j++)
            x[i * d + j] += center[(i % groups) * d + j];
    return mtc_dense(n, d, x);
}

/* Rows with most entries zero, and the two views of them. */
typedef struct both_views {
    mtc_real x[MAX_N * MAX_D], value[MAX_N * MAX_D];
    size_t row[MAX_N + 1];
    uint32_t column[MAX_N * MAX_D];
    mtc_data dense, csr;
} both_views;

static void sparse_rows(both_views *b, size_t n, size_t d, uint64_t seed)
{
    test_fill(b->x, n * d, seed, -1, 1);
    for (size_t e = 0; e < n * d; e++)
        if (b->x[e] < (mtc_real)0.4)
            b->x[e] = 0;
    test_sparse(n, d, b->x, b->row, b->column, b->value);
    b->dense = mtc_dense(n, d, b->x);
    b->csr = mtc_csr(n, d, b->row, b->column, b->value);
}

static double exact_sq(size_t d, const mtc_real *x, const mtc_real *u)
{
    double sum = 0;
    for (size_t j = 0; j < d; j++)
        sum += ((double)x[j] - (double)u[j]) * ((double)x[j] - (double)u[j]);
    return sum;
}

/* Loss of a partition about its own means. */
static double partition_loss(size_t n, size_t d, const mtc_real *x,
                             const int *h, size_t k)
{
    double loss = 0;
    for (size_t z = 0; z < k; z++)
        for (size_t j = 0; j < d; j++) {
            double sum = 0, sq = 0, m = 0;
            for (size_t i = 0; i < n; i++)
                if (h[i] == (int)z) {
                    sum += (double)x[i * d + j];
                    m += 1;
                }
            for (size_t i = 0; i < n; i++)
                if (h[i] == (int)z) {
                    double t = (double)x[i * d + j] - sum / m;
                    sq += t * t;
                }
            loss += sq;
        }
    return loss;
}

TEST kmeans_finds_the_best_of_all_partitions_of_tiny_data(void)
{
    for (uint64_t seed = 1; seed <= 40; seed++) {
        mtc_real x[8 * 2];
        size_t n = 4 + seed % 5, k = 2 + seed % 2, all = 1;
        test_fill(x, n * 2, seed, 0, 1);
        double best = 1e300;
        for (size_t i = 0; i < n; i++)
            all *= k;
        for (size_t code = 0; code < all; code++) {
            int h[8];
            size_t rest = code;
            for (size_t i = 0; i < n; i++, rest /= k)
                h[i] = (int)(rest % k);
            double loss = partition_loss(n, 2, x, h, k);
            best = loss < best ? loss : best;
        }
        mtc_context ctx = test_context();
        mtc_data X = mtc_dense(n, 2, x);
        mtc_kmeans_options o = mtc_kmeans_defaults();
        mtc_kmeans_result r;
        o.clusters = k;
        o.restarts = 60;
        ASSERT_EQ(MTC_OK, mtc_kmeans(&ctx, &X, &o, &r));
        ASSERT_IN_RANGE(best, (double)r.loss, (double)TOL(1e-12));
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

/* Every label the nearest center, every center the mean, the loss as told. */
static int is_fixed_point(const both_views *b, const mtc_kmeans_options *o,
                          const mtc_kmeans_result *r)
{
    size_t n = b->dense.n, d = b->dense.d, k = o->clusters;
    double loss = 0, scale = 0;
    for (size_t i = 0; i < n; i++) {
        double q = o->weights == NULL ? 1 : (double)o->weights[i];
        double own = exact_sq(d, b->x + i * d,
                              r->centers + (size_t)r->labels[i] * d);
        for (size_t z = 0; z < k; z++)
            if (exact_sq(d, b->x + i * d, r->centers + z * d) <
                own - (double)TOL(1e-12) * (1 + own))
                return 0;
        loss += q * own;
        scale += q;
    }
    if (fabs(loss - (double)r->loss) > (double)TOL(1e-12) * (1 + loss + scale))
        return 0;
    for (size_t z = 0; z < k; z++)
        for (size_t j = 0; j < d; j++) {
            double sum = 0, mass = 0;
            for (size_t i = 0; i < n; i++)
                if (r->labels[i] == (int)z) {
                    double q = o->weights == NULL ? 1 : (double)o->weights[i];
                    sum += q * (double)b->x[i * d + j];
                    mass += q;
                }
            if (mass > 0 && fabs(sum / mass - (double)r->centers[z * d + j]) >
                                (double)TOL(1e-12))
                return 0;
        }
    return 1;
}

TEST kmeans_ends_at_a_fixed_point_dense_and_sparse_weighted_or_not(void)
{
    static both_views b;
    static mtc_real weights[MAX_N];
    mtc_context ctx = test_context();
    for (uint64_t seed = 1; seed <= 60; seed++) {
        size_t n = 20 + seed * 5, d = 1 + seed % 20;
        sparse_rows(&b, n, d, seed);
        test_fill(weights, n, seed + 5, 0, 2);
        mtc_kmeans_options o = mtc_kmeans_defaults();
        o.clusters = 1 + seed % 9;
        o.restarts = 3;
        o.weights = seed % 2 ? weights : NULL;
        for (int sparse = 0; sparse < 2; sparse++) {
            mtc_kmeans_result r;
            ctx.seed = seed;
            ASSERT_EQ(MTC_OK,
                      mtc_kmeans(&ctx, sparse ? &b.csr : &b.dense, &o, &r));
            ASSERT(r.converged);
            ASSERTm("not a fixed point", is_fixed_point(&b, &o, &r));
            for (size_t t = 0; t < r.iterations; t++)
                ASSERT(r.objective[t + 1] <=
                       r.objective[t] * (1 + 100 * TEST_EPS));
            mtc_free(&ctx, &r.block);
        }
    }
    PASS();
}

#ifndef MTC_SINGLE
/* Lloyd without any bound, from given centers. */
static size_t plain_lloyd(size_t n, size_t d, size_t k, const mtc_real *x,
                          double *u, int *h)
{
    for (size_t it = 1; it < 1000; it++) {
        size_t changed = 0;
        for (size_t i = 0; i < n; i++) {
            double best = 1e300;
            int z0 = 0;
            for (size_t z = 0; z < k; z++) {
                double sum = 0;
                for (size_t j = 0; j < d; j++)
                    sum += ((double)x[i * d + j] - u[z * d + j]) *
                           ((double)x[i * d + j] - u[z * d + j]);
                if (sum < best) {
                    best = sum;
                    z0 = (int)z;
                }
            }
            changed += h[i] != z0;
            h[i] = z0;
        }
        if (it > 1 && changed == 0)
            return it;
        for (size_t z = 0; z < k; z++)
            for (size_t j = 0; j < d; j++) {
                double sum = 0, m = 0;
                for (size_t i = 0; i < n; i++)
                    if (h[i] == (int)z) {
                        sum += (double)x[i * d + j];
                        m += 1;
                    }
                if (m > 0)
                    u[z * d + j] = sum / m;
            }
    }
    return 0;
}
#endif

TEST kmeans_with_bounds_gives_the_labels_of_plain_lloyd(void)
{
#ifdef MTC_SINGLE
    SKIPm("the oracle rounds in double");
#else
    static mtc_real x[MAX_N * MAX_D];
    static double u[MAX_K * MAX_D];
    static int h[MAX_N];
    mtc_context ctx = test_context();
    for (uint64_t seed = 1; seed <= 150; seed++) {
        size_t n = 30 + seed * 2, d = 1 + seed % 11, k = 2 + seed % 8;
        mtc_data X = clouds(x, n, d, 1 + seed % 6, seed, 2);
        for (size_t e = 0; e < k * d; e++)
            u[e] = (double)x[e];
        for (size_t i = 0; i < n; i++)
            h[i] = -1;
        mtc_kmeans_options o = mtc_kmeans_defaults();
        mtc_kmeans_result r;
        o.clusters = k;
        o.start_centers = x;                        /* the first k rows */
        ASSERT_EQ(MTC_OK, mtc_kmeans(&ctx, &X, &o, &r));
        ASSERT(plain_lloyd(n, d, k, x, u, h) > 0);
        for (size_t i = 0; i < n; i++)
            ASSERT_EQ(h[i], r.labels[i]);
        mtc_free(&ctx, &r.block);
    }
    PASS();
#endif
}

TEST kmeans_takes_a_weight_of_two_for_a_sample_twice(void)
{
    static mtc_real x[MAX_N * MAX_D], twice[2 * MAX_N * MAX_D];
    mtc_real weights[100];
    mtc_context ctx = test_context();
    size_t n = 100, d = 3;
    mtc_data X = clouds(x, n, d, 4, 9, 1), Y;
    size_t m = n;
    memcpy(twice, x, n * d * sizeof *x);
    for (size_t i = 0; i < n; i++) {
        weights[i] = i % 3 == 0 ? 2 : i % 3 == 1 ? 1 : 0;
        if (i % 3 == 0)
            memcpy(twice + m++ * d, x + i * d, d * sizeof *x);
    }
    size_t kept = 0;                    /* weight 0: as if it were not there */
    for (size_t i = 0; i < m; i++)
        if (i >= n || weights[i] > 0)
            memmove(twice + kept++ * d, twice + i * d, d * sizeof *x);
    Y = mtc_dense(kept, d, twice);
    mtc_kmeans_options o = mtc_kmeans_defaults();
    mtc_kmeans_result a, b;
    o.clusters = 4;
    o.start_centers = x;
    ASSERT_EQ(MTC_OK, mtc_kmeans(&ctx, &Y, &o, &b));
    o.weights = weights;
    ASSERT_EQ(MTC_OK, mtc_kmeans(&ctx, &X, &o, &a));
    ASSERT_IN_RANGE(b.loss, a.loss, TOL(1e-10) * (1 + b.loss));
    for (size_t e = 0; e < 4 * d; e++)
        ASSERT_IN_RANGE(b.centers[e], a.centers[e], TOL(1e-10));
    mtc_free(&ctx, &a.block);
    mtc_free(&ctx, &b.block);
    PASS();
}

TEST kmeans_tells_when_there_are_fewer_distinct_samples_than_clusters(void)
{
    static both_views b;
    mtc_context ctx = test_context();
    for (size_t distinct = 1; distinct <= 3; distinct++) {
        size_t n = 12, d = 2;
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < d; j++)
                b.x[i * d + j] = (mtc_real)0.1 *
                                 (mtc_real)(1 + i % distinct + 2 * j);
        test_sparse(n, d, b.x, b.row, b.column, b.value);
        b.dense = mtc_dense(n, d, b.x);
        b.csr = mtc_csr(n, d, b.row, b.column, b.value);
        for (int sparse = 0; sparse < 2; sparse++) {
            mtc_kmeans_options o = mtc_kmeans_defaults();
            mtc_kmeans_result r;
            o.clusters = 5;
            ASSERT_EQ(MTC_OK,
                      mtc_kmeans(&ctx, sparse ? &b.csr : &b.dense, &o, &r));
            ASSERT_EQ_FMT(distinct, r.k_effective, "%zu");
            ASSERT_EQ(0, r.loss);
            ASSERT(r.converged);
            mtc_free(&ctx, &r.block);
        }
    }
    PASS();
}

TEST kmeans_fills_a_cluster_that_starts_empty(void)
{
    static mtc_real x[60 * 2];
    mtc_context ctx = test_context();
    mtc_data X = clouds(x, 60, 2, 3, 4, 0.2);
    mtc_real far[6] = {1000, 1000, 0, 0, 0, 1};
    int start[60] = {0};                /* all in one cluster */
    mtc_kmeans_options o = mtc_kmeans_defaults();
    mtc_kmeans_result r;
    o.clusters = 3;
    o.start_centers = far;
    ASSERT_EQ(MTC_OK, mtc_kmeans(&ctx, &X, &o, &r));
    ASSERT_EQ(3, r.k_effective);
    mtc_free(&ctx, &r.block);
    o.start_centers = NULL;
    o.start_labels = start;
    ASSERT_EQ(MTC_OK, mtc_kmeans(&ctx, &X, &o, &r));
    ASSERT_EQ(3, r.k_effective);
    for (size_t t = 0; t < r.iterations; t++)
        ASSERT(r.objective[t + 1] <= r.objective[t]);
    mtc_free(&ctx, &r.block);
    mtc_real line[3] = {0, 2, 9};       /* in one step 9 goes, 0 and 2 stay */
    X = mtc_dense(3, 1, line);
    o.clusters = 2;
    o.iterations = 1;
    ASSERT_EQ(MTC_OK, mtc_kmeans(&ctx, &X, &o, &r));
    ASSERT_EQ(1, r.centers[0]);
    ASSERT_EQ(9, r.centers[1]);
    mtc_free(&ctx, &r.block);
    PASS();
}

TEST kmeans_keeps_its_labels_far_from_the_origin(void)
{
    static mtc_real x[200 * 3], y[200 * 3];
    const mtc_real shift = sizeof(mtc_real) == 8 ? (mtc_real)1e8
                                                 : (mtc_real)1e4;
    mtc_context ctx = test_context();
    mtc_data X = clouds(x, 200, 3, 4, 21, 0.3), Y = mtc_dense(200, 3, y);
    for (size_t e = 0; e < 600; e++)
        y[e] = x[e] + shift;
    mtc_kmeans_options o = mtc_kmeans_defaults();
    mtc_kmeans_result a, b;
    o.clusters = 4;
    ASSERT_EQ(MTC_OK, mtc_kmeans(&ctx, &X, &o, &a));
    ASSERT_EQ(MTC_OK, mtc_kmeans(&ctx, &Y, &o, &b));
    mtc_scores same;
    ASSERT_EQ(MTC_OK, mtc_score(&ctx, 200, a.labels, b.labels, &same));
    ASSERT_EQ(1, same.accuracy);
    ASSERT_IN_RANGE(a.loss, b.loss, (mtc_real)1e-3 * a.loss);
    mtc_free(&ctx, &a.block);
    mtc_free(&ctx, &b.block);
    PASS();
}

TEST kmeans_repeats_itself_and_more_restarts_are_never_worse(void)
{
    static mtc_real x[300 * 4];
    mtc_context ctx = test_context();
    mtc_data X = clouds(x, 300, 4, 9, 5, 1.5);
    mtc_kmeans_options o = mtc_kmeans_defaults();
    mtc_kmeans_result a, b;
    mtc_real last = TEST_MAX;
    o.clusters = 9;
    for (o.restarts = 1; o.restarts <= 8; o.restarts *= 2) {
        ASSERT_EQ(MTC_OK, mtc_kmeans(&ctx, &X, &o, &a));
        ASSERT_EQ(MTC_OK, mtc_kmeans(&ctx, &X, &o, &b));
        ASSERT_MEM_EQ(a.labels, b.labels, 300 * sizeof *a.labels);
        ASSERT_EQ(a.loss, b.loss);
        ASSERT(a.loss <= last);
        last = a.loss;
        mtc_free(&ctx, &a.block);
        mtc_free(&ctx, &b.block);
    }
    PASS();
}

TEST kmeans_assigns_new_samples_to_the_nearest_center(void)
{
    static both_views b;
    mtc_context ctx = test_context();
    sparse_rows(&b, 90, 7, 3);
    mtc_kmeans_options o = mtc_kmeans_defaults();
    mtc_kmeans_result r;
    int again[90];
    o.clusters = 5;
    ASSERT_EQ(MTC_OK, mtc_kmeans(&ctx, &b.dense, &o, &r));
    ASSERT_EQ(MTC_OK, mtc_kmeans_assign(&ctx, &b.csr, &r, again));
    ASSERT_MEM_EQ(r.labels, again, sizeof again);
    mtc_data narrow = mtc_dense(90, 6, b.x);
    ASSERT_EQ(MTC_INVALID, mtc_kmeans_assign(&ctx, &narrow, &r, again));
    mtc_free(&ctx, &r.block);
    PASS();
}

TEST kmeans_stops_at_its_iteration_limit_and_says_so(void)
{
    static mtc_real x[200 * 2];
    mtc_context ctx = test_context();
    mtc_data X = clouds(x, 200, 2, 1, 31, 3);
    mtc_kmeans_options o = mtc_kmeans_defaults();
    mtc_kmeans_result r;
    o.clusters = 8;
    o.restarts = 1;
    for (o.iterations = 0; o.iterations < 2; o.iterations++) {
        ASSERT_EQ(MTC_OK, mtc_kmeans(&ctx, &X, &o, &r));
        ASSERT_EQ(o.iterations, r.iterations);
        ASSERT_EQ(0, r.converged);
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

TEST kmeans_refuses_what_it_cannot_serve_and_names_it(void)
{
    mtc_real x[6] = {1, 2, 3, 4, 5, 6}, weights[3] = {1, -1, 1};
    int labels[3] = {0, 3, 1};
    mtc_context ctx = test_context();
    mtc_data X = mtc_dense(3, 2, x);
    mtc_kmeans_options o = mtc_kmeans_defaults();
    mtc_kmeans_result r;
    o.clusters = 4;
    ASSERT_EQ(MTC_INVALID, mtc_kmeans(&ctx, &X, &o, &r));
    o.clusters = 0;
    ASSERT_EQ(MTC_INVALID, mtc_kmeans(&ctx, &X, &o, &r));
    o.clusters = 2;
    o.start_labels = labels;
    ASSERT_EQ(MTC_INVALID, mtc_kmeans(&ctx, &X, &o, &r));
    ASSERT_EQ(1, ctx.error.row);
    o.start_labels = NULL;
    o.weights = weights;
    ASSERT_EQ(MTC_DOMAIN, mtc_kmeans(&ctx, &X, &o, &r));
    ASSERT_EQ(1, ctx.error.row);
    o.weights = NULL;
    mtc_divergence kl = mtc_kl();
    o.divergence = &kl;
    x[5] = 0;
    ASSERT_EQ(MTC_DOMAIN, mtc_kmeans(&ctx, &X, &o, &r));
    ASSERT_EQ(2, ctx.error.row);
    ASSERT_EQ(1, ctx.error.column);
    PASS();
}

/* ---- far from the origin ------------------------------------------------ */

/* Two groups 20 apart at time stamps, or in float at 10 000: CSR finds the
 * groups that dense rows show, their means, and the loss about these, which is
 * summed here from the offsets alone. */
TEST kmeans_of_sparse_rows_far_from_the_origin_is_that_of_dense(void)
{
    enum { N = 40, D = 3 };
    const double away = sizeof(mtc_real) == 8 ? 1.7e9 : 1e4;
    mtc_context ctx = test_context();
    mtc_real x[N * D], value[N * D];
    double near[N * D], mean[2 * D] = {0}, loss = 0;
    size_t row[N + 1];
    uint32_t column[N * D];
    int again[N];
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < D; j++) {        /* eighths: exact in float */
            near[i * D + j] = (double)((i * 7 + j * 5) % 16) / 8 +
                              (i % 2 ? 20 : 0);
            mean[i % 2 * D + j] += near[i * D + j] / (N / 2);
            x[i * D + j] = (mtc_real)(away + near[i * D + j]);
        }
    for (size_t e = 0; e < N * D; e++)
        loss += pow(near[e] - mean[e / D % 2 * D + e % D], 2);
    test_sparse(N, D, x, row, column, value);
    mtc_data X = mtc_csr(N, D, row, column, value);
    mtc_kmeans_result r;
    ASSERT_EQ(MTC_OK, mtc_kmeans(&ctx, &X, NULL, &r));
    ASSERT_EQ(MTC_OK, mtc_kmeans_assign(&ctx, &X, &r, again));
    ASSERT_MEM_EQ(r.labels, again, sizeof again);
    for (size_t i = 0; i < N; i++)
        ASSERT_EQ(r.labels[i % 2], r.labels[i]);
    ASSERT(r.labels[0] != r.labels[1]);
    ASSERT_IN_RANGE(loss, (double)r.loss, 1e-2 * loss);
    for (size_t z = 0; z < 2; z++)
        for (size_t j = 0; j < D; j++)
            ASSERT_IN_RANGE(away + mean[z * D + j], (double)
                            r.centers[(size_t)r.labels[z] * D + j],
                            away * (double)TEST_EPS * 4);
    mtc_free(&ctx, &r.block);
    PASS();
}

/* Three distinct rows, each many times, in a view of few values and in one of
 * many: two of five clusters stay empty, and nothing is lost. */
TEST kmeans_of_equal_sparse_rows_leaves_clusters_empty(void)
{
    enum { N = 300 };
    static mtc_real x[N * 40];
    static mtc_real value[N * 40];
    static size_t row[N + 1];
    static uint32_t column[N * 40];
    mtc_context ctx = test_context();
    for (size_t d = 4; d <= 40; d += 36) {
        memset(x, 0, sizeof x);
        for (size_t i = 0; i < N; i++)
            x[i * d + i % 3] = (mtc_real)(0.1 * (double)(1 + i % 3));
        test_sparse(N, d, x, row, column, value);
        mtc_data X = mtc_csr(N, d, row, column, value);
        mtc_kmeans_options o = mtc_kmeans_defaults();
        mtc_kmeans_result r;
        o.clusters = 5;
        ASSERT_EQ(MTC_OK, mtc_kmeans(&ctx, &X, &o, &r));
        ASSERT_EQ(3, r.k_effective);
        ASSERT((double)r.loss < 1e-10);
        for (size_t i = 0; i < N; i++)
            ASSERT_EQ(r.labels[i % 3], r.labels[i]);
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

/* ---- divergences ------------------------------------------------------- */

static const mtc_real metric_A[9] = {4, 1, 0, 1, 3, (mtc_real)0.5,
                                     0, (mtc_real)0.5, 2};

/* phi of each divergence, from the table in the manual. */
static double phi_of(int which, const double *x)
{
    double sum = 0;
    for (size_t j = 0; j < 3; j++)
        switch (which) {
        case 0: sum += x[j] * x[j]; break;
        case 1: sum += x[j] * log(x[j]) - x[j]; break;
        case 2: sum -= log(x[j]); break;
        default:
            for (size_t i = 0; i < 3; i++)
                sum += x[i] * (double)metric_A[i * 3 + j] * x[j];
        }
    return sum;
}

static double central_difference(int which, const double *y, size_t j)
{
    double up[3] = {y[0], y[1], y[2]}, down[3] = {y[0], y[1], y[2]};
    up[j] += 1e-5;
    down[j] -= 1e-5;
    return (phi_of(which, up) - phi_of(which, down)) / 2e-5;
}

TEST divergences_are_what_their_phi_makes_them(void)
{
    mtc_real L[9];
    memcpy(L, metric_A, sizeof L);
    ASSERT_EQ(MTC_OK, mtc_cholesky(3, L, 3, NULL));
    mtc_metric metric = {3, L};
    mtc_divergence all[4] = {mtc_sqeuclidean(), mtc_kl(), mtc_itakura_saito(),
                             mtc_mahalanobis(&metric)};
    const double loose = sizeof(mtc_real) == 8 ? 1e-7 : 1e-3;
    for (int which = 0; which < 4; which++)
        for (uint64_t seed = 1; seed <= 50; seed++) {
            mtc_real x[3], y[3], g[3], back[3];
            double xd[3], yd[3];
            const mtc_divergence *div = &all[which];
            test_fill(x, 3, seed, 0.2, 3);
            test_fill(y, 3, seed + 99, 0.2, 3);
            for (size_t j = 0; j < 3; j++) {
                xd[j] = (double)x[j];
                yd[j] = (double)y[j];
            }
            double d = phi_of(which, xd) - phi_of(which, yd);
            div->gradient(div->user, 3, y, g);
            for (size_t j = 0; j < 3; j++) {
                double slope = central_difference(which, yd, j);
                ASSERT_IN_RANGE(slope, (double)g[j], loose * 100);
                d -= (xd[j] - yd[j]) * slope;
            }
            ASSERT_IN_RANGE(d, (double)div->value(div->user, 3, x, y),
                            loose * (1 + d));
            ASSERT_EQ(0, div->value(div->user, 3, x, x));
            div->inverse(div->user, 3, g, back);
            for (size_t j = 0; j < 3; j++)
                ASSERT_IN_RANGE(y[j], back[j], TOL(1e-12) * 4);
        }
    ASSERT_FALSE(all[1].admits(NULL, 0, 0));
    ASSERT_FALSE(all[2].admits(NULL, 0, -1));
    ASSERT(all[0].admits(NULL, 0, -1));
    PASS();
}

TEST bregman_kmeans_ends_at_a_fixed_point_of_each_divergence(void)
{
    static both_views b;
    mtc_real L[9];
    memcpy(L, metric_A, sizeof L);
    ASSERT_EQ(MTC_OK, mtc_cholesky(3, L, 3, NULL));
    mtc_metric metric = {3, L};
    mtc_divergence all[4] = {mtc_sqeuclidean(), mtc_kl(), mtc_itakura_saito(),
                             mtc_mahalanobis(&metric)};
    mtc_context ctx = test_context();
    for (int which = 0; which < 4; which++) {
        size_t n = 120, d = 3;
        test_fill(b.x, n * d, 11 + (uint64_t)which, 0.1, 4);
        test_sparse(n, d, b.x, b.row, b.column, b.value);
        b.dense = mtc_dense(n, d, b.x);
        b.csr = mtc_csr(n, d, b.row, b.column, b.value);
        mtc_kmeans_options o = mtc_kmeans_defaults();
        mtc_kmeans_result r, s;
        o.clusters = 5;
        o.divergence = &all[which];
        ASSERT_EQ(MTC_OK, mtc_kmeans(&ctx, &b.dense, &o, &r));
        ASSERT_EQ(MTC_OK, mtc_kmeans(&ctx, &b.csr, &o, &s));
        for (size_t i = 0; i < n; i++) {
            const mtc_real *x = b.x + i * d;
            mtc_real own = o.divergence->value(
                o.divergence->user, d, x,
                r.centers + (size_t)r.labels[i] * d);
            for (size_t z = 0; z < 5; z++)
                ASSERT(own <= o.divergence->value(o.divergence->user, d, x,
                                                  r.centers + z * d));
        }
        for (size_t t = 0; t < r.iterations; t++)
            ASSERT(r.objective[t + 1] <=
                   r.objective[t] * (1 + 100 * TEST_EPS));
        ASSERT_IN_RANGE(r.loss, s.loss, TOL(1e-10) * r.loss);
        mtc_free(&ctx, &r.block);
        mtc_free(&ctx, &s.block);
    }
    PASS();
}

/* A divergence of one's own: `user` is a weight of each feature. */
static mtc_real weighted_value(const void *user, size_t d, const mtc_real *x,
                               const mtc_real *y)
{
    mtc_real sum = 0;
    for (size_t j = 0; j < d; j++)
        sum += ((const mtc_real *)user)[j] * (x[j] - y[j]) * (x[j] - y[j]);
    return sum;
}

/* A result labels by the divergence it was fitted with, which by then is gone:
 * its options, and the metric's numbers, are overwritten.  The nearest center
 * is found from phi and its slopes. */
TEST kmeans_results_keep_their_divergence(void)
{
    static both_views b;
    static const mtc_real weight[3] = {9, 1, (mtc_real)0.1};
    mtc_context ctx = test_context();
    for (int which = 0; which < 5; which++) {
        size_t n = 120, d = 3;
        mtc_real L[9];
        memcpy(L, metric_A, sizeof L);
        ASSERT_EQ(MTC_OK, mtc_cholesky(3, L, 3, NULL));
        mtc_metric metric = {3, L};
        mtc_divergence all[5] = {mtc_sqeuclidean(), mtc_kl(),
                                 mtc_itakura_saito(), mtc_mahalanobis(&metric),
                                 mtc_sqeuclidean()};
        all[4].value = weighted_value;
        all[4].user = weight;
        test_fill(b.x, n * d, 21 + (uint64_t)which, 0.1, 4);
        mtc_data X = mtc_dense(n, d, b.x);
        mtc_kmeans_options o = mtc_kmeans_defaults();
        mtc_kmeans_result r;
        int labels[120];
        o.clusters = 4;
        o.divergence = &all[which];
        ASSERT_EQ(MTC_OK, mtc_kmeans(&ctx, &X, &o, &r));
        memset(L, 0, sizeof L);
        memset(&metric, 0, sizeof metric);
        memset(all, 0, sizeof all);
        ASSERT_EQ(MTC_OK, mtc_kmeans_assign(&ctx, &X, &r, labels));
        for (size_t i = 0; i < n; i++) {
            double value[4], least = HUGE_VAL;
            for (size_t z = 0; z < 4; z++) {
                double x[3], u[3];
                value[z] = 0;
                for (size_t j = 0; j < d; j++) {
                    x[j] = (double)b.x[i * d + j];
                    u[j] = (double)r.centers[z * d + j];
                    value[z] -= which == 4 ? -(double)weight[j] *
                                    (x[j] - u[j]) * (x[j] - u[j]) : 0;
                }
                for (size_t j = 0; which < 4 && j < d; j++)
                    value[z] -= (x[j] - u[j]) * central_difference(which, u, j);
                value[z] += which < 4 ? phi_of(which, x) - phi_of(which, u) : 0;
                least = value[z] < least ? value[z] : least;
            }
            ASSERT(value[labels[i]] <= least + 1e-5);
        }
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

TEST kmeans_refuses_a_metric_of_other_features(void)
{
    mtc_real x[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    mtc_metric metric = {3, metric_A};
    mtc_divergence div = mtc_mahalanobis(&metric);
    mtc_context ctx = test_context();
    mtc_data X = mtc_dense(4, 2, x);
    mtc_kmeans_options o = mtc_kmeans_defaults();
    mtc_kmeans_result r;
    o.divergence = &div;
    ASSERT_EQ(MTC_INVALID, mtc_kmeans(&ctx, &X, &o, &r));
    PASS();
}

/* ---- restarts ---------------------------------------------------------- */

/* Restarts that k-means reports, the most seen. */
static int most_restarts(void *most, const char *stage, size_t done,
                         size_t total)
{
    size_t *seen = (size_t *)most;
    if (strcmp(stage, "k-means") == 0 && done + 1 == total && total > *seen)
        *seen = total;
    return 0;
}

TEST restarts_of_a_method_are_those_of_the_kmeans_within(void)
{
    enum { N = 40, ASKED = 13 };
    static mtc_real x[N * 3];
    int labels[2][N];
    const int *runs[2] = {labels[0], labels[1]};
    mtc_context ctx = test_context();
    mtc_data X = clouds(x, N, 3, 3, 5, 0.4);
    for (size_t e = 0; e < N * 3; e++)
        x[e] = x[e] < 0 ? -x[e] : x[e];
    for (size_t i = 0; i < 2 * N; i++)
        labels[i / N][i % N] = (int)(i * i % 7 % 3);
#define MOST_RESTARTS(method, ...)                                        \
    do {                                                                  \
        mtc_##method##_options o = mtc_##method##_defaults();             \
        mtc_##method##_result r;                                          \
        size_t most = 0;                                                  \
        ctx.progress = most_restarts;                                     \
        ctx.user = &most;                                                 \
        o.clusters = 3;                                                   \
        o.restarts = ASKED;                                               \
        ASSERT_EQm(#method, MTC_OK,                                       \
                   mtc_##method(&ctx, __VA_ARGS__, &o, &r));              \
        ASSERT_EQm(#method, (size_t)ASKED, most);                         \
        mtc_free(&ctx, &r.block);                                         \
    } while (0)
    MOST_RESTARTS(kmeans, &X);
    MOST_RESTARTS(vote, N, runs, 2);
    MOST_RESTARTS(ncut, &X);
    MOST_RESTARTS(lssmtc, &X, 1);
    MOST_RESTARTS(mtcfir, &X, 1);
    MOST_RESTARTS(ec, &X);
    PASS();
}

/* ---- one numbering ------------------------------------------------------- */

enum { MATCH_K = 4, MATCH_D = 3, MATCH_N = 9 };

/* The least sum of squared distances over all pairings; rows from `at` on are
 * free in `order`. */
static double least_sum(size_t at, size_t *order, const mtc_real *to,
                        const mtc_real *centers)
{
    double least = HUGE_VAL, sum = 0;
    if (at == MATCH_K) {
        for (size_t e = 0; e < MATCH_K * MATCH_D; e++) {
            size_t from = order[e / MATCH_D] * MATCH_D + e % MATCH_D;
            sum += pow((double)to[e] - (double)centers[from], 2);
        }
        return sum;
    }
    for (size_t z = at; z < MATCH_K; z++) {
        size_t keep = order[z];
        order[z] = order[at];
        order[at] = keep;
        least = fmin(least, least_sum(at + 1, order, to, centers));
        order[at] = order[z];
        order[z] = keep;
    }
    return least;
}

/* Random centers, against all pairings; what is near its copy is no chance. */
TEST match_finds_the_nearest_of_all_pairings(void)
{
    static const int known[MATCH_N] = {3, 1, 0, 2, 2, 1, 0, 3, 1};
    for (uint64_t seed = 0; seed < 20; seed++) {
        mtc_real to[MATCH_K * MATCH_D], old[MATCH_K * MATCH_D];
        mtc_real centers[MATCH_K * MATCH_D];
        size_t order[MATCH_K] = {0, 1, 2, 3}, from[MATCH_K];
        int y[MATCH_N], matched = -1;
        double sum = 0;
        test_fill(to, MATCH_K * MATCH_D, seed, -1, 1);
        test_fill(old, MATCH_K * MATCH_D, seed + 50, -1, 1);
        for (size_t e = 0; e < MATCH_K * MATCH_D && seed % 2 > 0; e++)
            old[e] = to[(e + MATCH_D) % (MATCH_K * MATCH_D)] + old[e] / 1000;
        memcpy(centers, old, sizeof old);
        memcpy(y, known, sizeof y);
        ASSERT_EQ(MTC_OK, mtc_match(NULL, MATCH_K, MATCH_D, to, centers,
                                    MATCH_N, y, from, &matched));
        for (size_t e = 0; e < MATCH_K * MATCH_D; e++) {
            size_t at = from[e / MATCH_D] * MATCH_D + e % MATCH_D;
            ASSERT(centers[e] == old[at]);
            sum += pow((double)(to[e] - centers[e]), 2);
        }
        ASSERT_IN_RANGE(least_sum(0, order, to, old), sum, TOL(1e-12));
        for (size_t i = 0; i < MATCH_N; i++)
            ASSERT_EQ(known[i], (int)from[y[i]]);
        ASSERT(matched == 1 || seed % 2 == 0);
    }
    PASS();
}

/* Of two groups that changed places the empty cluster takes what is left. */
TEST match_leaves_what_is_left_to_the_empty(void)
{
    const mtc_real to[3] = {0, 5, 9};
    mtc_real centers[3] = {9, 0, 0};        /* the second is empty */
    int y[3] = {0, 2, 0};
    ASSERT_EQ(MTC_OK, mtc_match(NULL, 3, 1, to, centers, 3, y, NULL, NULL));
    ASSERT(y[0] == 2 && y[1] == 0 && y[2] == 2);
    ASSERT(centers[0] == 0 && centers[2] == 9);
    PASS();
}

TEST match_refuses_what_it_cannot_serve(void)
{
    mtc_real to[2] = {0, 1}, centers[2] = {1, 0}, hole[2] = {0, 0};
    int y[2] = {0, 1}, wrong[2] = {0, 2}, matched = 7;
    size_t from[2] = {5, 5};
    test_heap heap;
    mtc_context ctx = test_heap_context(&heap);
    hole[1] = TEST_MAX * 2;
    ASSERT_EQ(MTC_INVALID, mtc_match(&ctx, 0, 1, to, centers, 2, y, NULL,
                                     NULL));
    ASSERT_EQ(MTC_INVALID, mtc_match(&ctx, 2, 1, NULL, centers, 2, y, NULL,
                                     NULL));
    ASSERT_EQ(MTC_INVALID, mtc_match(&ctx, 2, 1, to, NULL, 2, y, NULL, NULL));
    ASSERT_EQ(MTC_INVALID, mtc_match(&ctx, 2, 1, to, centers, 2, NULL, NULL,
                                     NULL));
    ASSERT_EQ(MTC_INVALID, mtc_match(&ctx, 2, 1, to, centers, 2, wrong, NULL,
                                     NULL));
    ASSERT_EQ(1, ctx.error.row);
    ASSERT_EQ(0, heap.calls);
    ASSERT_EQ(MTC_DOMAIN, mtc_match(&ctx, 2, 1, to, hole, 2, y, NULL, NULL));
    ASSERT_EQ(0, heap.live);
    heap.fail_at = 2;
    ASSERT_EQ(MTC_NO_MEMORY, mtc_match(&ctx, 2, 1, to, centers, 2, y, from,
                                       &matched));
    ASSERT(centers[0] == 1 && y[0] == 0 && from[0] == 5 && matched == 7);
    size_t need = ctx.need;
    ctx = mtc_measure();
    ASSERT_EQ(MTC_NO_MEMORY, mtc_match(&ctx, 2, 1, NULL, NULL, 2, NULL, NULL,
                                       NULL));
    ASSERT_EQ(need, ctx.need);
    PASS();
}

SUITE(kmeans_suite)
{
    RUN_TEST(kmeans_finds_the_best_of_all_partitions_of_tiny_data);
    RUN_TEST(kmeans_ends_at_a_fixed_point_dense_and_sparse_weighted_or_not);
    RUN_TEST(kmeans_with_bounds_gives_the_labels_of_plain_lloyd);
    RUN_TEST(kmeans_takes_a_weight_of_two_for_a_sample_twice);
    RUN_TEST(kmeans_tells_when_there_are_fewer_distinct_samples_than_clusters);
    RUN_TEST(kmeans_fills_a_cluster_that_starts_empty);
    RUN_TEST(kmeans_keeps_its_labels_far_from_the_origin);
    RUN_TEST(kmeans_repeats_itself_and_more_restarts_are_never_worse);
    RUN_TEST(kmeans_assigns_new_samples_to_the_nearest_center);
    RUN_TEST(kmeans_of_sparse_rows_far_from_the_origin_is_that_of_dense);
    RUN_TEST(kmeans_of_equal_sparse_rows_leaves_clusters_empty);
    RUN_TEST(kmeans_stops_at_its_iteration_limit_and_says_so);
    RUN_TEST(kmeans_refuses_what_it_cannot_serve_and_names_it);
    RUN_TEST(divergences_are_what_their_phi_makes_them);
    RUN_TEST(bregman_kmeans_ends_at_a_fixed_point_of_each_divergence);
    RUN_TEST(kmeans_results_keep_their_divergence);
    RUN_TEST(kmeans_refuses_a_metric_of_other_features);
    RUN_TEST(restarts_of_a_method_are_those_of_the_kmeans_within);
    RUN_TEST(match_finds_the_nearest_of_all_pairings);
    RUN_TEST(match_leaves_what_is_left_to_the_empty);
    RUN_TEST(match_refuses_what_it_cannot_serve);
}
