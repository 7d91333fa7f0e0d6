/* SPDX-License-Identifier: MIT
 *
 * Small cases whose answer is known to the last digits, or that tell one rule
 * from its neighbor.  Each was written for a mistake that no other test saw
 * (tests/tools/mutate.py).
 */
#define MTC_INTERNAL                    /* mtc_tanh */
#include <float.h>
#include <math.h>

#include "../../examples/compared/compared.h"
#include "greatest.h"
#include "test_util.h"

/* ---- layer 1 ------------------------------------------------------------ */

typedef mtc_real (*unary)(mtc_real);
typedef long double (*wide_unary)(long double);

/* The mean error in ulps, with its sign, of f between two numbers whose lowest
 * 26 bits are all set, so that every correction counts.  Rounding has no side:
 * the mean of 20 000 of its errors is below .01. */
static double mean_error(unary f, wide_unary exact, double low, double high)
{
    enum { MANY = 20000 };
    double sum = 0;
    for (int i = 0; i < MANY; i++) {
        union { double x; uint64_t bits; } at;
        at.x = low + (high - low) * ((double)i + .5) / MANY;
        at.bits |= 0x3ffffff;
        int e;
        long double y = exact((long double)at.x);
        (void)frexpl(y, &e);
        sum += (double)ldexpl((long double)f((mtc_real)at.x) - y, DBL_MANT_DIG -
                                                                   e) / MANY;
    }
    return fabs(sum);
}

TEST errors_of_exp_log_and_tanh_have_no_side(void)
{
    if (sizeof(mtc_real) < 8 || LDBL_MANT_DIG < 64)
        SKIPm("double only, and something wider to hold it against");
    static const double at[][2] = {{.01, .1}, {.1, .3}, {.3, .5}, {.5, .7},
                                   {.71, .99}, {1.25, 1.28}, {1.28, 1.41},
                                   {1.5, 2}, {2, 9}};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        ASSERT(mean_error(mtc_exp, expl, at[i][0], at[i][1]) < .05);
        ASSERT(mean_error(mtc_exp, expl, -at[i][1], -at[i][0]) < .05);
        ASSERT(mean_error(mtc_log, logl, at[i][0], at[i][1]) < .05);
        ASSERT(mean_error(mtc_tanh, tanhl, at[i][0], at[i][1]) < .05);
    }
    PASS();
}

/* A is diagonal, 1 to n; and it asks for memory under the same context. */
static mtc_status apply_and_call(void *user, size_t n, size_t p,
                                 const mtc_real *V, mtc_real *AV)
{
    mtc_real A[4] = {2, 1, 1, 2}, w[2];
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < p; j++)
            AV[i * p + j] = (mtc_real)(i + 1) * V[i * p + j];
    return mtc_symeig((mtc_context *)user, 2, A, 2, w, NULL, 0);
}

/* A call that an operator makes writes its own need: that of the whole comes
 * last, whether it succeeds or not. */
TEST need_is_that_of_the_outer_call(void)
{
    mtc_context ctx = test_context(), ask = mtc_measure();
    mtc_real w[2], V[2 * 300], residual;
    ASSERT_EQ(MTC_NO_MEMORY, mtc_eigen_operator(&ask, 300, apply_and_call, &ask,
                                                2, 0, 0, w, V, 2, &residual));
    ASSERT_EQ(MTC_OK, mtc_eigen_operator(&ctx, 300, apply_and_call, &ctx, 2, 0,
                                         0, w, V, 2, &residual));
    ASSERT_IN_RANGE((mtc_real)300, w[0], TOL(1e-10) * 300);
    ASSERT(ctx.need == ask.need && ask.need > 300 * sizeof(mtc_real));
    PASS();
}

/* Wherever the lower triangle has it; the upper is never read. */
TEST a_nan_anywhere_in_a_matrix_is_seen(void)
{
    enum { N = 36 };
    static mtc_real A[N * N];
    mtc_real w[N], nan = (mtc_real)(HUGE_VAL - HUGE_VAL);
    mtc_context ctx = test_context();
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j += i < 2 || i == N - 1 ? 1 : 7) {
            for (size_t e = 0; e < N * N; e++)
                A[e] = e / N < e % N ? nan : e / N == e % N;
            if (i >= j)
                A[i * N + j] = nan;
            ASSERT_EQ(i >= j ? MTC_DOMAIN : MTC_OK,
                      mtc_symeig(&ctx, N, A, N, w, NULL, 0));
            if (i >= j)
                ASSERT_STR_EQ("matrix", ctx.error.what);
        }
    PASS();
}

static mtc_real without_end(const void *user, size_t d, const mtc_real *x,
                            const mtc_real *y)
{
    (void)user, (void)d, (void)x, (void)y;
    return TEST_MAX;
}

/* A sum that overflows has nobody to blame: the call says what happened. */
TEST an_overflow_within_a_call_has_a_reason(void)
{
    const mtc_real x[2] = {1, -1};
    mtc_divergence far = mtc_sqeuclidean();
    mtc_data X = mtc_dense(2, 1, x);
    mtc_context ctx = test_context();
    mtc_kmeans_options o = mtc_kmeans_defaults();
    mtc_kmeans_result r;
    far.value = without_end;
    o.clusters = 1;
    o.divergence = &far;
    ASSERT_EQ(MTC_DOMAIN, mtc_kmeans(&ctx, &X, &o, &r));
    ASSERT_STR_EQ("values too large: overflow", ctx.error.what);
    PASS();
}

static mtc_status apply_matrix(void *user, size_t n, size_t p,
                               const mtc_real *V, mtc_real *AV)
{
    mtc_gemm(0, 0, n, p, n, 1, (const mtc_real *)user, n, V, p, 0, AV, p, NULL);
    return MTC_OK;
}

/* Of numbers that were drawn no eigenvector is exact. */
TEST residual_of_a_small_operator_is_that_of_its_pairs(void)
{
    enum { N = 20 };
    mtc_real A[N * N], w[2], V[2 * N], residual = -1;
    mtc_context ctx = test_context();
    test_fill(A, N * N, 8, -1, 1);
    for (size_t e = 0; e < N * N; e++)
        A[e] = A[e % N * N + e / N];
    ASSERT_EQ(MTC_OK, mtc_eigen_operator(&ctx, N, apply_matrix, A, 2, 0, 0, w,
                                         V, 2, &residual));
    ASSERT(residual > 0 && residual < 1000 * TEST_EPS);
    PASS();
}

/* Two samples that see only each other have values 1 and -1; whoever sees
 * nobody comes last, with a column of zeros and the value before it. */
TEST an_isolated_sample_comes_after_a_negative_value(void)
{
    const mtc_real S[9] = {0, 2, 0, 2, 0, 0, 0, 0, 0};
    mtc_real U[9], w[3];
    mtc_data X = mtc_dense(3, 3, S);
    mtc_context ctx = test_context();
    ASSERT_EQ(MTC_OK, mtc_spectral(&ctx, &X, 3, U, w));
    ASSERT_IN_RANGE((mtc_real)1, w[0], TOL(1e-14));
    ASSERT_IN_RANGE((mtc_real)-1, w[1], TOL(1e-14));
    ASSERT(w[2] == w[1]);
    for (size_t i = 0; i < 3; i++)
        ASSERT(U[i * 3 + 2] == 0);
    ASSERT(U[6] == 0 && U[7] == 0);
    const mtc_real pair[9] = {3, 1, 0, 1, 3, 0, 0, 0, 0}, none[4] = {0};
    mtc_real v[4] = {-5, 0, 0, 0};              /* what stands before */
    mtc_data two = mtc_dense(3, 3, pair), no = mtc_dense(2, 2, none);
    ASSERT_EQ(MTC_OK, mtc_spectral(&ctx, &two, 3, U, v + 1));
    ASSERT_IN_RANGE((mtc_real).5, v[2], TOL(1e-14));
    ASSERT(v[3] == 0);                          /* none below 0: 0 */
    ASSERT_EQ(MTC_OK, mtc_spectral(&ctx, &no, 2, U, v + 1));
    ASSERT(v[1] == 0 && v[2] == 0);
    PASS();
}

/* Far from the origin the sum of squares has nothing left of the variance:
 * dense rows are centered first. */
TEST pca_keeps_its_digits_far_from_the_origin(void)
{
    enum { N = 30, D = 5 };
    mtc_real x[N * D], y[N * D], off = sizeof(mtc_real) == 8 ? 1 << 20 : 1 << 7;
    test_fill(x, N * D, 9, -512, 512);
    for (size_t e = 0; e < N * D; e++) {
        x[e] = (mtc_real)(int)x[e] / 512;       /* sums are exact */
        y[e] = x[e] + off;
    }
    mtc_data X = mtc_dense(N, D, x), Y = mtc_dense(N, D, y);
    mtc_context ctx = test_context();
    mtc_pca_options o = mtc_pca_defaults();
    mtc_pca_result p, q;
    o.keep = 1;
    ASSERT_EQ(MTC_OK, mtc_pca(&ctx, &X, 1, &o, &p));
    ASSERT_EQ(MTC_OK, mtc_pca(&ctx, &Y, 1, &o, &q));
    ASSERT_EQ(D, q.dimension);
    ASSERT_IN_RANGE(p.total, q.total, TOL(1e-12) * p.total);
    for (size_t j = 0; j < D; j++)
        ASSERT_IN_RANGE(p.variance[j], q.variance[j], TOL(1e-12) * p.total);
    mtc_free(&ctx, &p.block);
    mtc_free(&ctx, &q.block);
    PASS();
}

/* Twenty cliques have the value 1 twenty times; the basis for sixteen of many
 * vertices is larger than what a matrix would take. */
TEST embedding_of_a_large_graph_stays_within_its_memory(void)
{
    enum { N = 3000, K = 16, CLIQUE = 150 };
    static mtc_real value[N * CLIQUE], U[N * K], w[K];
    static size_t row[N + 1];
    static uint32_t column[N * CLIQUE];
    for (size_t e = 0; e < N * CLIQUE; e++) {
        column[e] = (uint32_t)(e / CLIQUE / CLIQUE * CLIQUE + e % CLIQUE);
        value[e] = column[e] == e / CLIQUE ? 0 : 1;
        row[e / CLIQUE + 1] = e + 1;
    }
    mtc_data S = mtc_csr(N, N, row, column, value);
    test_heap heap;
    mtc_context ctx = test_heap_context(&heap);
    ASSERT_EQ(MTC_OK, mtc_spectral(&ctx, &S, K, U, w));
    ASSERT_IN_RANGE((mtc_real)1, w[K - 1], TOL(1e-10));
    ASSERT_EQ(0, heap.faults + heap.live);
    PASS();
}

/* Sums of a thousand large numbers round; the mean does not show it. */
TEST pca_mean_is_right_to_the_last_bit(void)
{
    enum { N = 999 };
    static mtc_real x[N];
    mtc_real off = sizeof(mtc_real) == 8 ? 1 << 20 : 1 << 7;
    double sum = 0;
    test_fill(x, N, 2, 0, 512);
    for (size_t i = 0; i < N; i++) {
        sum += (double)(int)x[i] / 512;
        x[i] = off + (mtc_real)(int)x[i] / 512;
    }
    mtc_data X = mtc_dense(N, 1, x);
    mtc_context ctx = test_context();
    mtc_pca_result p;
    ASSERT_EQ(MTC_OK, mtc_pca(&ctx, &X, 1, NULL, &p));
    ASSERT_IN_RANGE((double)off + sum / N, (double)p.mean[0],
                    (double)(TEST_EPS * off));
    mtc_free(&ctx, &p.block);
    PASS();
}

/* The Gram matrix of sparse rows takes room for all their values. */
TEST pca_of_wide_sparse_data_stays_within_its_memory(void)
{
    enum { N = 30, D = 2000, GUARD = 1 << 21 };
    static mtc_real x[N * D], value[N * D];
    static size_t row[N + 1];
    static uint32_t column[N * D];
    test_fill(x, N * D, 4, 1, 2);
    test_sparse(N, D, x, row, column, value);
    mtc_data X = mtc_csr(N, D, row, column, value);
    mtc_pca_options o = mtc_pca_defaults();
    mtc_pca_result r;
    mtc_context ask = mtc_measure();
    o.dimension = 3;
    ASSERT_EQ(MTC_NO_MEMORY, mtc_pca(&ask, &X, 1, &o, &r));
    unsigned char *memory = (unsigned char *)test_malloc(ask.need + GUARD);
    memset(memory, 0x5a, ask.need + GUARD);
    mtc_arena arena = mtc_arena_over(memory, ask.need);
    mtc_context ctx = mtc_arena_context(&arena);
    ASSERT_EQ(MTC_OK, mtc_pca(&ctx, &X, 1, &o, &r));
    size_t beyond = 0;
    for (size_t i = 0; i < GUARD; i++)
        beyond += memory[ask.need + i] != 0x5a;
    ASSERT_EQ(0, beyond);
    free(memory);
    PASS();
}

/* The objective of a normalized cut is the loss of k-means on its embedding. */
TEST ncut_objective_is_the_loss_in_the_embedding(void)
{
    enum { N = 24, K = 3 };
    mtc_real x[2 * N], mean[K * K] = {0}, count[K] = {0}, loss = 0;
    mtc_context ctx = test_context();
    mtc_ncut_options o = mtc_ncut_defaults();
    mtc_ncut_result r;
    test_fill(x, 2 * N, 6, 0, 1);
    mtc_data X = mtc_dense(N, 2, x);
    o.clusters = K;
    ASSERT_EQ(MTC_OK, mtc_ncut(&ctx, &X, &o, &r));
    for (size_t i = 0; i < N; i++)
        count[r.labels[i]] += 1;
    for (size_t e = 0; e < N * K; e++)
        mean[(size_t)r.labels[e / K] * K + e % K] +=
            r.embedding[e] / count[r.labels[e / K]];
    for (size_t e = 0; e < N * K; e++) {
        mtc_real off = r.embedding[e] -
                       mean[(size_t)r.labels[e / K] * K + e % K];
        loss += off * off;
    }
    ASSERT(loss > (mtc_real).01 && r.converged);
    ASSERT_IN_RANGE(loss, r.objective[r.iterations], TOL(1e-12));
    for (size_t t = 0; t < r.iterations; t++)
        ASSERT(r.objective[t + 1] <= r.objective[t]);
    mtc_free(&ctx, &r.block);
    PASS();
}

/* ---- methods ------------------------------------------------------------ */

TEST measures_of_two_sets_say_which_is_bad(void)
{
    const mtc_real nan = (mtc_real)(HUGE_VAL - HUGE_VAL);
    const mtc_real good[4] = {1, 2, 3, 4}, bad[4] = {1, 2, nan, 4};
    mtc_data fine = mtc_dense(2, 2, good), worse = mtc_dense(2, 2, bad);
    mtc_context ctx = test_context();
    mtc_real out;
    for (size_t t = 0; t < 2; t++) {
        const mtc_data *X = t == 0 ? &worse : &fine;
        const mtc_data *Y = t == 0 ? &fine : &worse;
        ASSERT_EQ(MTC_DOMAIN, mtc_a_distance(&ctx, X, Y, &out));
        ASSERT_EQ(t, ctx.error.task);
        ASSERT_EQ(1, ctx.error.row);
    }
    PASS();
}

/* Two sets apart, but for the first of X, which lies among Y: one mistake of
 * those held out, and no more, if it weighs no more than others. */
TEST one_sample_weighs_as_much_as_another_in_a_distance(void)
{
    enum { N = 40 };
    mtc_real x[N], y[N], a;
    size_t held = 0;
    for (size_t i = 0; i < N; i++) {
        x[i] = i == 0 ? 1 : -1 - (mtc_real)i / N;
        y[i] = 1 + (mtc_real)i / N;
        held += ((uint32_t)i * UINT32_C(2654435761)) >> 31 == 0;
    }
    mtc_data X = mtc_dense(N, 1, x), Y = mtc_dense(N, 1, y);
    mtc_context ctx = test_context();
    ASSERT_EQ(MTC_OK, mtc_a_distance(&ctx, &X, &Y, &a));
    ASSERT_IN_RANGE(2 * (1 - 2 / ((mtc_real)held * 4)), a, TOL(1e-12));
    PASS();
}

/* A few of X lie far on the other side, so that a plane by the means alone
 * would be wrong: how strong the penalty is shows, and units do not. */
TEST a_distance_has_no_unit(void)
{
    enum { N = 40 };
    mtc_real x[N], y[N], a[3];
    mtc_context ctx = test_context();
    for (int t = 0; t < 3; t++) {
        mtc_real unit = t == 0 ? 1 : t == 1 ? 1 << 12 : 1 / (mtc_real)(1 << 12);
        for (size_t i = 0; i < N; i++) {
            x[i] = unit * (i % 8 == 1 ? -20 : (mtc_real)i / N);
            y[i] = unit * (2 + (mtc_real)i / N);
        }
        mtc_data X = mtc_dense(N, 1, x), Y = mtc_dense(N, 1, y);
        ASSERT_EQ(MTC_OK, mtc_a_distance(&ctx, &X, &Y, &a[t]));
    }
    ASSERT(a[0] == a[1] && a[0] == a[2]);
    PASS();
}

TEST mbc_centroid_says_which_of_its_points_is_bad(void)
{
    const mtc_real good[3] = {1, 2, 3}, bad[3] = {1, -2, 3};
    mtc_real u[3];
    mtc_divergence kl = mtc_kl();
    mtc_context ctx = test_context();
    for (size_t t = 0; t < 2; t++) {
        ASSERT_EQ(MTC_DOMAIN, mtc_mbc_centroid(
            &ctx, &kl, MTC_CENTROID_EXACT, 3, 1, 1, t == 0 ? bad : good,
            t == 0 ? good : bad, u));
        ASSERT_EQ(t, ctx.error.task);
        ASSERT_EQ(1, ctx.error.column);
    }
    PASS();
}

/* With lambda = 1 no task sees another: names stay as they begin. */
TEST lssmtc_renames_a_start_only_if_asked(void)
{
    const mtc_real x[12] = {0, 1, 1, 0, 1, 1, 9, 8, 8, 9, 9, 9};
    const int one[6] = {0, 0, 0, 1, 1, 1}, other[6] = {1, 1, 1, 0, 0, 0};
    const int *const given[2] = {one, other};
    mtc_data X[2] = {mtc_dense(6, 2, x), mtc_dense(6, 2, x)};
    mtc_context ctx = test_context();
    mtc_lssmtc_options o = mtc_lssmtc_defaults();
    mtc_lssmtc_result r;
    o.lambda = 1;
    o.start_labels = given;
    for (int match = 0; match < 2; match++) {
        o.match_start = match;
        o.start = match ? MTC_START_POOLED : MTC_START_ALIGNED;
        ASSERT_EQ(MTC_OK, mtc_lssmtc(&ctx, X, 2, &o, &r));
        for (size_t i = 0; i < 6; i++) {
            ASSERT_EQ(one[i], r.labels[0][i]);
            ASSERT_EQ(match ? one[i] : other[i], r.labels[1][i]);
        }
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

/* Rows of 40 with two values: of length 1, negative, dense, of any length. */
TEST auto_knows_the_geometry_by_the_values(void)
{
    enum { N = 16, D = 40 };
    static mtc_real x[N * D], u[N * D];
    mtc_context ctx = test_context();
    mtc_auto_options o = mtc_auto_defaults();
    mtc_auto_result r;
    mtc_data X = mtc_dense(N, D, x);
    o.runs = 2;
    test_fill(u, N * D, 4, (double).1, 1);
    for (int shape = 0; shape < 4; shape++) {
        memset(x, 0, sizeof x);
        for (size_t i = 0; i < N; i++) {
            mtc_real a = u[2 * i], b = u[2 * i + 1];
            mtc_real length = shape == 3 ? 1 : (mtc_real)sqrt((double)(a * a +
                                                                     b * b));
            size_t half = i % 2 * D / 2;
            x[i * D + half] = a / length;
            x[i * D + half + 1 + i / 4] = b / length;
        }
        if (shape == 1)
            x[0] = -x[0];
        for (size_t e = 0; shape == 2 && e < N * D; e++)
            x[e] += u[e] / 10;
        ASSERT_EQ(MTC_OK, mtc_auto(&ctx, &X, 1, &o, &r));
        int directions = !(r.agreement_directions == -1);
        int distances = !(r.agreement_distances == -1);
        if (shape == 0)
            ASSERT(r.geometry == MTC_GEOMETRY_DIRECTIONS && !distances);
        else if (shape < 3)
            ASSERT(r.geometry == MTC_GEOMETRY_DISTANCES && !directions);
        else
            ASSERT(directions && distances);
        ASSERT_IN_RANGE(shape == 2 ? 0 : (mtc_real).95, r.zeros, TOL(1e-12));
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

/* Every row has one value in ten: just sparse enough for weights. */
TEST ttl_weighs_features_from_nine_zeros_in_ten_on(void)
{
    enum { N = 10, D = 10 };
    mtc_real x[N * D];
    int labels[N];
    const int *const given[1] = {labels};
    mtc_context ctx = test_context();
    mtc_ttl_options o = mtc_ttl_defaults();
    mtc_ttl_result r;
    for (size_t e = 0; e < N * D; e++)
        x[e] = e / D == e % D;
    for (size_t i = 0; i < N; i++)
        labels[i] = i % 2;
    mtc_data X = mtc_dense(N, D, x);
    o.features = o.common = 2;
    o.iterations = 2;
    for (int full = 0; full < 2; full++) {
        x[1] = (mtc_real)full;                  /* one value too many */
        ASSERT_EQ(MTC_OK, mtc_ttl(&ctx, &X, given, 1, &X, NULL, 1, &X, &o, &r));
        ASSERT_IN_RANGE(full ? 1 : (mtc_real)(log(31. / 4) / log(31.)),
                        r.weights[0], TOL(1e-12));
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

/* More rows than the sample holds: a part of a sparse task is copied. */
TEST auto_takes_a_sample_of_sparse_rows(void)
{
    enum { N = 60, D = 30 };
    static mtc_real x[N * D], value[N * D];
    static size_t row[N + 1];
    static uint32_t column[N * D];
    mtc_context ctx = test_context();
    mtc_auto_options o = mtc_auto_defaults();
    mtc_auto_result r;
    for (size_t i = 0; i < N; i++) {
        x[i * D + i % 2 * D / 2] = 3;
        x[i * D + i % 2 * D / 2 + 1 + i % 7] = 1;
    }
    test_sparse(N, D, x, row, column, value);
    mtc_data X = mtc_csr(N, D, row, column, value);
    o.runs = 2;
    o.sample = N / 2;
    ASSERT_EQ(MTC_OK, mtc_auto(&ctx, &X, 1, &o, &r));
    for (size_t i = 0; i < N; i++)
        ASSERT_EQ(r.labels[0][i % 2], r.labels[0][i]);
    ASSERT(r.labels[0][0] != r.labels[0][1]);
    mtc_free(&ctx, &r.block);
    PASS();
}

/* A class that only the first sample of the target has does occur. */
TEST ttl_counts_the_class_of_the_first_sample(void)
{
    const mtc_real x[12] = {1, 2, 3, 3, 1, 2, 2, 2, 1, 1, 3, 1};
    const int labels[4] = {0, 1, 1, 1}, *const given[1] = {labels};
    mtc_data X = mtc_dense(4, 3, x);
    mtc_context ctx = test_context();
    mtc_ttl_options o = mtc_ttl_defaults();
    mtc_ttl_result r;
    o.variant = MTC_TTL_PUBLISHED;
    o.features = o.common = 1;
    o.start_labels = labels;
    o.iterations = 0;
    ASSERT_EQ(MTC_OK, mtc_ttl(&ctx, &X, given, 1, &X, NULL, 1, &X, &o, &r));
    for (size_t i = 0; i < 4; i++)
        ASSERT_EQ(labels[i], r.labels[i]);
    ASSERT_EQ(2, r.k_effective);
    mtc_free(&ctx, &r.block);
    PASS();
}

/* Rows are brought to length 1: a power of 2 in all values changes no bit. */
TEST ttl_rows_may_be_of_any_size(void)
{
    enum { N = 8, D = 5 };
    mtc_real x[N * D], y[N * D];
    int labels[N];
    const int *const given[1] = {labels};
    mtc_context ctx = test_context();
    mtc_ttl_options o = mtc_ttl_defaults();
    mtc_ttl_result r, q;
    test_fill(x, N * D, 3, (double).1, 1);
    for (size_t i = 0; i < N; i++)
        labels[i] = i % 2;
    o.rows = MTC_TTL_ROWS_LENGTH;
    o.features = o.common = 2;
    o.iterations = 4;
    mtc_data X = mtc_dense(N, D, x);
    ASSERT_EQ(MTC_OK, mtc_ttl(&ctx, &X, given, 1, &X, NULL, 1, &X, &o, &r));
    for (int up = 0; up < 2; up++) {
        int power = sizeof(mtc_real) == 8 ? up ? 140 : -140 : up ? 24 : -24;
        for (size_t e = 0; e < N * D; e++)
            y[e] = (mtc_real)ldexp((double)x[e], power);
        mtc_data Y = mtc_dense(N, D, y);
        ASSERT_EQ(MTC_OK, mtc_ttl(&ctx, &Y, given, 1, &Y, NULL, 1, &Y, &o, &q));
        for (size_t e = 0; e < 2 * N; e++)
            ASSERT(r.target[e] == q.target[e]);
        mtc_free(&ctx, &q.block);
    }
    mtc_free(&ctx, &r.block);
    PASS();
}

/* Directions have no length. */
TEST auto_on_directions_sees_no_length(void)
{
    enum { N = 40, D = 12 };
    static mtc_real x[2][N * D], y[2][N * D];
    mtc_context ctx = test_context();
    mtc_auto_options o = mtc_auto_defaults();
    mtc_auto_result r, q;
    mtc_data X[2], Y[2];
    for (size_t t = 0; t < 2; t++) {
        test_fill(x[t], N * D, 6 + t, 0, 1);
        for (size_t e = 0; e < N * D; e++) {
            size_t i = e / D;
            x[t][e] += e % D % 2 == i % 2 ? (mtc_real).6 : 0;
            y[t][e] = (mtc_real)ldexp((double)x[t][e], (int)(i % 9));
        }
        X[t] = mtc_dense(N, D, x[t]);
        Y[t] = mtc_dense(N, D, y[t]);
    }
    o.runs = 2;
    o.geometry = MTC_GEOMETRY_DIRECTIONS;
    ASSERT_EQ(MTC_OK, mtc_auto(&ctx, X, 2, &o, &r));
    ASSERT_EQ(MTC_OK, mtc_auto(&ctx, Y, 2, &o, &q));
    for (size_t t = 0; t < 2; t++)
        for (size_t i = 0; i < N; i++)
            ASSERT_EQ(r.labels[t][i], q.labels[t][i]);
    mtc_free(&ctx, &r.block);
    mtc_free(&ctx, &q.block);
    PASS();
}

/* Two tasks of the same groups, in another order. */
TEST auto_numbers_the_clusters_of_all_tasks_alike(void)
{
    enum { N = 30 };
    static mtc_real x[2][2 * N];
    mtc_context ctx = test_context();
    mtc_auto_options o = mtc_auto_defaults();
    mtc_auto_result r;
    mtc_data X[2];
    for (size_t t = 0; t < 2; t++) {
        test_fill(x[t], 2 * N, 6 + t, -1, 1);
        for (size_t i = 0; i < N; i++) {
            x[t][2 * i] += 9 * (mtc_real)((i + t) % 3);
            x[t][2 * i + 1] += (i + t) % 3 == 1 ? 7 : 0;
        }
        X[t] = mtc_dense(N, 2, x[t]);
    }
    o.clusters = 3;
    o.runs = 2;
    ASSERT_EQ(MTC_OK, mtc_auto(&ctx, X, 2, &o, &r));
    ASSERT(r.matched[0] == 1 && r.matched[1] == 1);
    for (size_t i = 0; i + 1 < N; i++)
        ASSERT_EQ(r.labels[0][i + 1], r.labels[1][i]);
    mtc_free(&ctx, &r.block);
    PASS();
}

/* Classes of disjoint features.  The first sample leaves nothing of class 0,
 * and the second begins anew. */
TEST ttl_assigns_every_sample_by_itself(void)
{
    enum { N = 4, D = 4, C = 2 };
    const mtc_real x[N * D] = {1, 2, 0, 0, 2, 1, 0, 0, 0, 0, 1, 3, 0, 0, 2, 2};
    const mtc_real fresh[2 * D] = {0, 0, 3, 1, 5, 4, (mtc_real).1, 0};
    const int labels[N] = {0, 0, 1, 1}, *const given[1] = {labels};
    mtc_real F[D * C] = {1, 0, 1, 0, 0, 1, 0, 1}, A[C * C] = {1, 0, 0, 1};
    mtc_real G[N * C] = {1, 0, 1, 0, 0, 1, 0, 1};
    mtc_ttl_factors from = {{{F, NULL, NULL}, {F, NULL, NULL}},
                            {{A, NULL, NULL}, {A, NULL, NULL}}, G, G};
    int found[2] = {-1, -1};
    mtc_data X = mtc_dense(N, D, x), Y = mtc_dense(2, D, fresh);
    mtc_context ctx = test_context();
    mtc_ttl_options o = mtc_ttl_defaults();
    mtc_ttl_result r;
    o.variant = MTC_TTL_PUBLISHED;
    o.features = o.common = C;
    o.start_factors = &from;
    o.iterations = 2;
    ASSERT_EQ(MTC_OK, mtc_ttl(&ctx, &X, given, 1, &X, NULL, 1, &X, &o, &r));
    ASSERT_EQ(MTC_OK, mtc_ttl_assign(&ctx, &Y, &r, found));
    ASSERT_EQ(1, found[0]);
    ASSERT_EQ(0, found[1]);
    mtc_free(&ctx, &r.block);
    PASS();
}

/* Two moves have three values of the objective, and room for them. */
TEST trec_has_room_for_the_objective_of_its_last_move(void)
{
    enum { N = 24 };
    static mtc_real x[2 * N];
    int labels[N], start[N];
    mtc_context ctx = test_context();
    mtc_trec_options o = mtc_trec_defaults();
    mtc_trec_result r, q;
    test_fill(x, 2 * N, 3, 0, 1);
    for (size_t i = 0; i < N; i++) {
        labels[i] = i % 2;
        start[i] = i / 3 % 2;
        x[2 * i] += 4 * (mtc_real)labels[i];
    }
    mtc_data X = mtc_dense(N, 2, x);
    o.start_labels = start;
    o.qmin = 0;
    o.iterations = 2;
    ASSERT_EQ(MTC_OK, mtc_trec(&ctx, &X, labels, &X, &o, &r));
    o.iterations = 5;
    ASSERT_EQ(MTC_OK, mtc_trec(&ctx, &X, labels, &X, &o, &q));
    ASSERT(r.iterations == 2 && q.iterations == 5);
    for (size_t t = 0; t < 3; t++)
        ASSERT(r.objective[t] == q.objective[t]);
    ASSERT_EQ(0, memcmp(r.source.partitions, q.source.partitions,
                        r.source.runs * N * sizeof(int)));
    ASSERT_EQ(0, memcmp(r.source.sizes, q.source.sizes, r.source.runs *
                        r.source.clusters * sizeof(size_t)));
    mtc_free(&ctx, &r.block);
    mtc_free(&ctx, &q.block);
    PASS();
}

/* Place 0 is the source, 1 the target, of labels as of values. */
TEST trec_says_whose_labels_are_bad(void)
{
    mtc_real x[12];
    const int good[6] = {0, 1, 0, 1, 0, 1}, bad[6] = {0, 1, 0, -1, 0, 1};
    mtc_context ctx = test_context();
    mtc_trec_options o = mtc_trec_defaults();
    mtc_trec_result r;
    test_fill(x, 12, 3, 0, 1);
    mtc_data X = mtc_dense(6, 2, x);
    for (size_t t = 0; t < 2; t++) {
        o.start_labels = t == 1 ? bad : good;
        ASSERT_EQ(MTC_INVALID, mtc_trec(&ctx, &X, t == 0 ? bad : good, &X, &o,
                                        &r));
        ASSERT_EQ(t, ctx.error.task);
        ASSERT_EQ(3, ctx.error.row);
    }
    PASS();
}

/* At a tolerance this tight what was added up has drifted: sums are formed
 * again, and the search goes on until the gap is met. */
TEST svm_goes_on_after_its_sums_were_renewed(void)
{
    enum { N = 80, D = 3 };
    static mtc_real x[N * D], u[N];
    int y[N];
    mtc_context ctx = test_context();
    mtc_svm_options o = mtc_svm_defaults();
    mtc_svm_result r;
    if (sizeof(mtc_real) < 8)
        SKIPm("double only");
    o.kernel = MTC_KERNEL_RBF;
    o.gamma = 2;
    o.cost = (mtc_real)1e5;
    o.tolerance = (mtc_real)1e-12;
    for (uint64_t seed = 2; seed <= 6; seed++) {
        test_fill(x, N * D, seed, -1, 1);
        test_fill(u, N, seed + 500, 0, 1);
        for (size_t i = 0; i < N; i++)
            y[i] = u[i] > (mtc_real).5;
        mtc_data X = mtc_dense(N, D, x);
        ASSERT_EQ(MTC_OK, mtc_svm(&ctx, &X, y, &o, &r));
        ASSERT(r.converged && r.gap[0] <= o.tolerance);
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

/* ---- what papers compare with ------------------------------------------- */

/* More dimensions than N - c - 1 are not to be had. */
TEST lssmtc_cuts_the_rank_to_what_it_says(void)
{
    enum { N = 12, D = 30, C = 2 };
    mtc_real x[N * D], f[3];
    const size_t rank[3] = {N - C - 2, N - C - 1, 100};
    int start[N];
    const int *const given[1] = {start};
    mtc_context ctx = test_context();
    mtc_lssmtc_options o = mtc_lssmtc_defaults();
    mtc_lssmtc_result r;
    test_fill(x, N * D, 3, -1, 1);
    for (size_t i = 0; i < N; i++)
        start[i] = i % 2;
    mtc_data X = mtc_dense(N, D, x);
    o.clusters = C;
    o.mode = MTC_SUBSPACE_PCA;
    o.start_labels = given;
    for (size_t t = 0; t < 3; t++) {
        o.rank = rank[t];
        ASSERT_EQ(MTC_OK, mtc_lssmtc(&ctx, &X, 1, &o, &r));
        f[t] = r.objective[r.iterations];
        mtc_free(&ctx, &r.block);
    }
    ASSERT(f[0] != f[1] && f[1] == f[2]);
    PASS();
}

/* From cluster 0 to 1 of task 0 it is (10, 0), of task 1 (1, 9), on the mean
 * (5.5, 4.5): task 2 with (5, -3) goes the way of the mean, which is not that
 * of task 1. */
TEST lssmtc_matches_a_start_with_the_mean_of_those_before(void)
{
    const mtc_real to[3][2] = {{10, 0}, {1, 9}, {5, -3}};
    const int labels[4] = {0, 0, 1, 1}, *const given[3] = {labels, labels,
                                                           labels};
    mtc_real x[3][8] = {{0}};
    mtc_data X[3];
    mtc_context ctx = test_context();
    mtc_lssmtc_options o = mtc_lssmtc_defaults();
    mtc_lssmtc_result r;
    for (size_t t = 0; t < 3; t++) {
        for (size_t e = 0; e < 4; e++)
            x[t][4 + e] = to[t][e % 2];
        X[t] = mtc_dense(4, 2, x[t]);
    }
    o.lambda = 1;
    o.start_labels = given;
    o.match_start = 1;
    ASSERT_EQ(MTC_OK, mtc_lssmtc(&ctx, X, 3, &o, &r));
    for (size_t t = 0; t < 3; t++)
        for (size_t i = 0; i < 4; i++)
            ASSERT_EQ(labels[i], r.labels[t][i]);
    mtc_free(&ctx, &r.block);
    PASS();
}

/* k of a task is held against its samples, of the first as of the last. */
TEST similarities_refuse_the_clusters_of_any_task(void)
{
    mtc_real x[8];
    mtc_context ctx = test_context();
    mtc_consistent_options o = mtc_consistent_defaults();
    mtc_consistent_result r;
    test_fill(x, 8, 2, 0, 1);
    mtc_data X[2] = {mtc_dense(4, 2, x), mtc_dense(4, 2, x)};
    for (size_t t = 0; t < 2; t++) {
        size_t k[2] = {2, 2};
        k[t] = 5;
        o.clusters_of = k;
        ASSERT_EQ(MTC_INVALID, mtc_consistent(&ctx, X, 2, &o, &r));
        ASSERT_EQ(t, ctx.error.task);
    }
    PASS();
}

/* One number for each task, and what follows is not ours. */
TEST mtcfir_reads_the_clusters_of_its_tasks_alone(void)
{
    const size_t k[2] = {2, SIZE_MAX};
    mtc_real x[24];
    mtc_context ctx = test_context();
    mtc_mtcfir_options o = mtc_mtcfir_defaults();
    mtc_mtcfir_result r;
    test_fill(x, 24, 2, 0, 1);
    mtc_data X = mtc_dense(8, 3, x);
    o.clusters_of = k;
    ASSERT_EQ(MTC_OK, mtc_mtcfir(&ctx, &X, 1, &o, &r));
    mtc_free(&ctx, &r.block);
    PASS();
}

/* Factors that begin near 0 would have to grow by far more than 1/eps.  Then F,
 * its columns brought to sum 1, is uniform, and A has the scale of both. */
TEST ttl_factors_grow_by_1_over_eps_at_most(void)
{
    enum { N = 4, D = 3, C = 2 };
    const mtc_real s = sizeof(mtc_real) == 8 ? (mtc_real)1e-30 : (mtc_real)1e-9;
    const mtc_real x[N * D] = {1, 2, 3, 3, 1, 2, 2, 2, 1, 1, 3, 1};
    const int labels[N] = {0, 0, 1, 1}, *const given[1] = {labels};
    mtc_real F[D], A[C], G[N * C] = {1, 0, 1, 0, 0, 1, 0, 1};
    mtc_ttl_factors from = {{{F, NULL, NULL}, {F, NULL, NULL}},
                            {{A, NULL, NULL}, {A, NULL, NULL}}, G, G};
    mtc_data X = mtc_dense(N, D, x);
    mtc_context ctx = test_context();
    mtc_ttl_options o = mtc_ttl_defaults();
    mtc_ttl_result r;
    for (size_t e = 0; e < D; e++)
        F[e] = s;
    A[0] = A[1] = s;
    o.variant = MTC_TTL_PUBLISHED;
    o.rows = MTC_TTL_ROWS_AS_GIVEN;
    o.features = o.common = 1;
    o.start_factors = &from;
    o.iterations = 1;
    ASSERT_EQ(MTC_OK, mtc_ttl(&ctx, &X, given, 1, &X, NULL, 1, &X, &o, &r));
    mtc_real grown = s / TEST_EPS, scale = D * grown * grown;
    for (int leg = 0; leg < 2; leg++) {
        for (size_t e = 0; e < D; e++)
            ASSERT_IN_RANGE(1 / (mtc_real)D, r.factors.F[leg][0][e],
                            TOL(1e-12));
        for (size_t z = 0; z < C; z++)
            ASSERT_IN_RANGE(scale, r.factors.A[leg][0][z],
                            scale * TOL(1e-12));
    }
    mtc_free(&ctx, &r.block);
    PASS();
}

/* Clusters that take other numbers take the columns of Y with them. */
TEST mtcfir_labels_are_the_largest_of_their_rows(void)
{
    enum { N = 24, D = 6, K = 3 };
    static mtc_real x[3][N * D];
    mtc_context ctx = test_context();
    mtc_mtcfir_options o = mtc_mtcfir_defaults();
    mtc_mtcfir_result r;
    mtc_data X[3];
    o.clusters = K;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        for (size_t t = 0; t < 3; t++) {
            test_fill(x[t], N * D, seed + 10 * t, 0, 1);
            for (size_t i = 0; i < N; i++)
                x[t][i * D + (i + t) % K] += 3;
            X[t] = mtc_dense(N, D, x[t]);
        }
        ASSERT_EQ(MTC_OK, mtc_mtcfir(&ctx, X, 3, &o, &r));
        for (size_t t = 0; t < 3; t++)
            for (size_t e = 0; e < N * K; e++)
                ASSERT(r.Y[t][e] <=
                       r.Y[t][e / K * K + (size_t)r.labels[t][e / K]]);
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

/* A quarter of the samples is negative, so that the two costs of the target
 * reach C* in different steps.  In the end both are C*: the SVM of all samples
 * with the labels that were found. */
TEST tsvm_ends_with_both_costs_in_full(void)
{
    enum { N = 24 };
    mtc_real x[4 * N], f[2 * N];
    int y[2 * N];
    const int *const labels[1] = {y};
    mtc_context ctx = test_context();
    test_fill(x, 4 * N, 5, -1, 1);
    for (size_t i = 0; i < 2 * N; i++) {
        y[i] = i % 4 > 0;
        x[2 * i] += y[i] ? (mtc_real)1.2 : (mtc_real)-1.2;
    }
    mtc_data S = mtc_dense(N, 2, x), T = mtc_dense(N, 2, x + 2 * N);
    mtc_data all = mtc_dense(2 * N, 2, x);
    cmp_tsvm_options o = cmp_tsvm_defaults();
    cmp_tsvm_result r;
    o.kernel = MTC_KERNEL_RBF;
    o.tolerance = TOL(1e-8);
    ASSERT_EQ(MTC_OK, cmp_tsvm(&ctx, &S, labels, 1, &T, &o, &r));
    mtc_svm_options so = mtc_svm_defaults();
    mtc_svm_result sr;
    so.kernel = MTC_KERNEL_RBF;
    so.tolerance = o.tolerance;
    ASSERT_EQ(MTC_OK, mtc_svm(&ctx, &all, y, &so, &sr));
    ASSERT_EQ(MTC_OK, mtc_svm_assign(&ctx, &all, &all, &sr, NULL, f));
    for (size_t i = 0; i < N; i++) {
        ASSERT_EQ(y[N + i], r.labels[i]);
        ASSERT_IN_RANGE(f[N + i], r.decisions[i], 10 * TOL(1e-7));
    }
    mtc_free(&ctx, &sr.block);
    mtc_free(&ctx, &r.block);
    PASS();
}

/* The first weight is looked at, too. */
TEST the_first_weight_is_checked(void)
{
    mtc_context ctx = test_context();
    const mtc_real x[3] = {1, 2, 9}, bad[2] = {-1, MTC_HUGE};
    mtc_data X = mtc_dense(3, 1, x);
    for (size_t b = 0; b < 2; b++) {
        const mtc_real w[3] = {bad[b], 1, 1};
        mtc_kmeans_options o = mtc_kmeans_defaults();
        mtc_kmeans_result r;
        o.weights = w;
        ASSERT_EQ(MTC_DOMAIN, mtc_kmeans(&ctx, &X, &o, &r));
        ASSERT_EQ(0, (int)ctx.error.row);
    }
    PASS();
}

/* A pivot of 1e-20 has no digit beside an entry of 1, wherever that is. */
TEST cholesky_measures_by_the_largest_entry(void)
{
    for (size_t large = 0; large < 3; large++) {
        mtc_real A[9] = {(mtc_real)1e-20, 0, 0, 0, (mtc_real)1e-20, 0,
                         0, 0, (mtc_real)1e-20};
        A[large * 4] = 1;
        ASSERT_EQ(MTC_SINGULAR, mtc_cholesky(3, A, 3, NULL));
    }
    PASS();
}

/* Squared lengths of 1000 and 1002 are just equal enough: 1.002 times. */
TEST auto_sees_directions_up_to_their_bound(void)
{
    enum { N = 24, D = 40 };
    static const mtc_real value[2][4] = {{30, 10, 0, 0}, {31, 5, 4, 0}};
    static mtc_real x[N * D];
    mtc_context ctx = test_context();
    mtc_auto_result r;
    mtc_data X = mtc_dense(N, D, x);
    for (size_t i = 0; i < N; i++)
        memcpy(x + i * D + i % 12 * 3, value[i % 2], 3 * sizeof *x);
    ASSERT_EQ(MTC_OK, mtc_auto(&ctx, &X, 1, NULL, &r));
    ASSERT_EQ(MTC_GEOMETRY_DIRECTIONS, r.geometry);
    ASSERT(r.agreement_directions == -1);  /* not asked */
    mtc_free(&ctx, &r.block);
    PASS();
}

/* W of mode recon is the top eigenvector of X' Pi X, Pi = P (P'P)^-1 P', of
 * the P that is returned. */
TEST lssmtc_takes_the_largest_direction_of_the_centers(void)
{
    enum { N = 9, D = 3 };
    mtc_context ctx = test_context();
    mtc_random rng = mtc_random_seed(8);
    mtc_real x[N * D], F[2][D] = {{0}}, A[D * D] = {0}, w[D], V[D * D];
    mtc_real pp[3] = {0, 0, 0}, along = 0;
    mtc_data X = mtc_dense(N, D, x);
    mtc_lssmtc_options o = mtc_lssmtc_defaults();
    mtc_lssmtc_result r;
    for (size_t i = 0; i < N * D; i++)
        x[i] = mtc_random_normal(&rng) + (i / D < 4 ? 2 : 0);
    o.subspace = 1;
    ASSERT_EQ(MTC_OK, mtc_lssmtc(&ctx, &X, 1, &o, &r));
    for (size_t i = 0; i < N; i++) {
        const mtc_real *p = r.P[0] + 2 * i;
        pp[0] += p[0] * p[0];
        pp[1] += p[0] * p[1];
        pp[2] += p[1] * p[1];
        for (size_t j = 0; j < D; j++) {
            F[0][j] += p[0] * x[i * D + j];
            F[1][j] += p[1] * x[i * D + j];
        }
    }
    mtc_real det = pp[0] * pp[2] - pp[1] * pp[1];
    for (size_t a = 0; a < D; a++)
        for (size_t b = 0; b < D; b++) {
            A[a * D + b] = (pp[2] * F[0][a] * F[0][b] + pp[0] * F[1][a] *
                            F[1][b] - pp[1] * (F[0][a] * F[1][b] +
                                               F[1][a] * F[0][b])) / det;
            along += r.W[a] * A[a * D + b] * r.W[b];
        }
    void *work = malloc(mtc_jacobi_work(D));
    ASSERT(work != NULL);
    ASSERT_EQ(MTC_OK, mtc_jacobi(D, A, D, w, V, D, work));
    ASSERT_IN_RANGE(w[D - 1], along, TOL(1e-9) * w[D - 1]);
    free(work);
    mtc_free(&ctx, &r.block);
    PASS();
}

/* Factors that begin at random numbers are not negative, nor do they become
 * so: after no step and after some. */
TEST ttl_draws_no_negative_factor(void)
{
    enum { N = 6, D = 20 };
    mtc_context ctx = test_context();
    mtc_real x[N * D];
    const int y[N] = {0, 1, 0, 1, 0, 1}, *labels = y;
    mtc_data X = mtc_dense(N, D, x);
    mtc_ttl_options o = mtc_ttl_defaults();
    for (size_t i = 0; i < N * D; i++)
        x[i] = (mtc_real)(1 + i % 3 + i / D % 2 * (i % D));
    o.start = MTC_TTL_START_RANDOM;
    for (o.iterations = 0; o.iterations < 2; o.iterations++) {
        mtc_ttl_result r;
        ASSERT_EQ(MTC_OK, mtc_ttl(&ctx, &X, &labels, 1, &X, NULL, 1, &X, &o,
                                  &r));
        for (size_t leg = 0; leg < 2; leg++)
            for (size_t s = 0; s < 3; s++)
                for (size_t e = 0; e < D * r.common; e++)
                    ASSERT(r.factors.F[leg][s][e] >= 0);
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

static void run_in_turn(void *pool, size_t n,
    void (*piece)(void *job, size_t i), void *job)
{
    (void)pool;
    for (size_t i = 0; i < n; i++)
        piece(job, i);
}

/* Each lane that labels samples has room for what it reports. */
TEST an_svm_has_room_for_two_lanes(void)
{
    const mtc_real x[4] = {0, 1, 2, 3};
    const int y[4] = {0, 0, 1, 1};
    mtc_data X = mtc_dense(4, 1, x), many = mtc_shape(4000000, 1, 0);
    size_t need[3] = {0, 0, 0};
    mtc_svm_result r;
    ASSERT_EQ(MTC_OK, mtc_svm(NULL, &X, y, NULL, &r));
    for (size_t lanes = 1; lanes < 3; lanes++) {
        mtc_context ask = mtc_measure();
        ask.parallel = run_in_turn;
        ask.lanes = lanes;
        ASSERT_EQ(MTC_NO_MEMORY,
                  mtc_svm_assign(&ask, &many, &X, &r, NULL, NULL));
        need[lanes] = ask.need;
    }
    ASSERT(need[1] >= sizeof(mtc_lane));
    ASSERT(need[2] >= need[1] + sizeof(mtc_lane));
    mtc_free(NULL, &r.block);
    PASS();
}

/* Which number a class of the source has does not matter, nor which it has
 * not. */
TEST trec_does_not_mind_the_numbers_of_classes(void)
{
    enum { N = 40, D = 4 };
    static mtc_real x[2][N * D];
    int plain[N], gaps[N];
    mtc_context ctx = test_context();
    mtc_trec_options o = mtc_trec_defaults();
    mtc_trec_result a, b;
    for (size_t t = 0; t < 2; t++)
        test_fill(x[t], N * D, 7 + t, 0, 1);
    for (size_t i = 0; i < N; i++) {
        plain[i] = (int)(i % 3);
        gaps[i] = 9 - 4 * plain[i];
        x[0][i * D] += (mtc_real)plain[i];
    }
    mtc_data S = mtc_dense(N, D, x[0]), T = mtc_dense(N, D, x[1]);
    o.ec.clusters = 4;
    o.source_clusters = 3;
    ASSERT_EQ(MTC_OK, mtc_trec(&ctx, &S, plain, &T, &o, &a));
    ASSERT_EQ(MTC_OK, mtc_trec(&ctx, &S, gaps, &T, &o, &b));
    for (size_t h = 0; h <= 10; h++)
        ASSERT(memcmp(&a.same[h], &b.same[h], sizeof a.same[h]) == 0);
    mtc_free(&ctx, &a.block);
    mtc_free(&ctx, &b.block);
    PASS();
}

static size_t last_column_asked;

static int asks_of_a_column(const void *user, size_t j, mtc_real x)
{
    (void)user;
    last_column_asked = j > last_column_asked ? j : last_column_asked;
    return x >= 0;
}

/* A divergence may look a column up: it is asked about 0, 1 and 2 of these
 * data and about no other. */
TEST a_divergence_is_asked_only_about_columns_that_are_there(void)
{
    mtc_context ctx = test_context();
    const size_t row[] = {0, 3, 6, 9, 12};
    const uint32_t column[] = {0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2};
    const mtc_real value[] = {1, 2, 3, 2, 2, 3, 9, 8, 1, 9, 9, 1};
    mtc_data X = mtc_csr(4, 3, row, column, value);
    mtc_divergence own = mtc_kl();
    mtc_kmeans_options o = mtc_kmeans_defaults();
    mtc_kmeans_result r;
    own.admits = asks_of_a_column;
    o.divergence = &own;
    last_column_asked = 0;
    ASSERT_EQ(MTC_OK, mtc_kmeans(&ctx, &X, &o, &r));
    ASSERT_EQ(2, last_column_asked);
    mtc_free(&ctx, &r.block);
    PASS();
}

SUITE(sharp_suite)
{
    RUN_TEST(trec_does_not_mind_the_numbers_of_classes);
    RUN_TEST(errors_of_exp_log_and_tanh_have_no_side);
    RUN_TEST(need_is_that_of_the_outer_call);
    RUN_TEST(an_isolated_sample_comes_after_a_negative_value);
    RUN_TEST(pca_keeps_its_digits_far_from_the_origin);
    RUN_TEST(a_nan_anywhere_in_a_matrix_is_seen);
    RUN_TEST(an_overflow_within_a_call_has_a_reason);
    RUN_TEST(pca_mean_is_right_to_the_last_bit);
    RUN_TEST(one_sample_weighs_as_much_as_another_in_a_distance);
    RUN_TEST(a_distance_has_no_unit);
    RUN_TEST(embedding_of_a_large_graph_stays_within_its_memory);
    RUN_TEST(mbc_centroid_says_which_of_its_points_is_bad);
    RUN_TEST(residual_of_a_small_operator_is_that_of_its_pairs);
    RUN_TEST(lssmtc_cuts_the_rank_to_what_it_says);
    RUN_TEST(mtcfir_labels_are_the_largest_of_their_rows);
    RUN_TEST(lssmtc_matches_a_start_with_the_mean_of_those_before);
    RUN_TEST(similarities_refuse_the_clusters_of_any_task);
    RUN_TEST(mtcfir_reads_the_clusters_of_its_tasks_alone);
    RUN_TEST(ttl_factors_grow_by_1_over_eps_at_most);
    RUN_TEST(measures_of_two_sets_say_which_is_bad);
    RUN_TEST(svm_goes_on_after_its_sums_were_renewed);
    RUN_TEST(trec_says_whose_labels_are_bad);
    RUN_TEST(auto_knows_the_geometry_by_the_values);
    RUN_TEST(ttl_weighs_features_from_nine_zeros_in_ten_on);
    RUN_TEST(auto_takes_a_sample_of_sparse_rows);
    RUN_TEST(ttl_counts_the_class_of_the_first_sample);
    RUN_TEST(ttl_rows_may_be_of_any_size);
    RUN_TEST(auto_numbers_the_clusters_of_all_tasks_alike);
    RUN_TEST(ttl_assigns_every_sample_by_itself);
    RUN_TEST(trec_has_room_for_the_objective_of_its_last_move);
    RUN_TEST(auto_on_directions_sees_no_length);
    RUN_TEST(pca_of_wide_sparse_data_stays_within_its_memory);
    RUN_TEST(ncut_objective_is_the_loss_in_the_embedding);
    RUN_TEST(lssmtc_renames_a_start_only_if_asked);
    RUN_TEST(tsvm_ends_with_both_costs_in_full);
    RUN_TEST(the_first_weight_is_checked);
    RUN_TEST(cholesky_measures_by_the_largest_entry);
    RUN_TEST(auto_sees_directions_up_to_their_bound);
    RUN_TEST(lssmtc_takes_the_largest_direction_of_the_centers);
    RUN_TEST(ttl_draws_no_negative_factor);
    RUN_TEST(an_svm_has_room_for_two_lanes);
    RUN_TEST(a_divergence_is_asked_only_about_columns_that_are_there);
}
