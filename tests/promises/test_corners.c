/* SPDX-License-Identifier: MIT
 *
 * test_corners.c - the corners of the code that no ordinary run turns:
 * numbers at the ends of the range, sizes at which a method takes its other
 * way, callbacks that fail, rules that come in where rounding has the say.
 * Every answer is known from elsewhere.
 */
#include <math.h>
#include <stdio.h>

#include "greatest.h"
#include "test_util.h"
#include "../../examples/compared/compared.h"

static mtc_real corner_nan(void)
{
    volatile mtc_real zero = 0;
    return zero / zero;
}

/* Cancels in the stage of this name. */
static int corner_stop(void *user, const char *stage, size_t done,
                       size_t total)
{
    (void)done, (void)total;
    return strcmp((const char *)user, stage) == 0;
}

static mtc_context corner_stops_at(const char *stage)
{
    static char name[32];
    mtc_context ctx = test_context();
    snprintf(name, sizeof name, "%s", stage);
    ctx.progress = corner_stop;
    ctx.user = name;
    return ctx;
}

/* ---- contexts and random numbers ---------------------------------------- */

/* Memory that is given back all at once has no use for a release. */
TEST an_allocator_may_have_no_release(void)
{
    static double room[4096];
    mtc_arena arena = mtc_arena_over(room, sizeof room);
    mtc_context ctx = mtc_arena_context(&arena);
    const mtc_real x[4] = {0, 1, 10, 11};
    mtc_data X = mtc_dense(4, 1, x);
    mtc_kmeans_options o = mtc_kmeans_defaults();
    mtc_kmeans_result r;
    ctx.release = NULL;
    o.restarts = 1;
    ASSERT_EQ(MTC_OK, mtc_kmeans(&ctx, &X, &o, &r));
    ASSERT(r.labels[0] == r.labels[1] && r.labels[2] == r.labels[3]);
    mtc_free(&ctx, &r.block);
    ASSERT(r.labels == NULL);
    PASS();
}

/* Of 2^63 + 1 numbers nearly half of what the generator gives is refused,
 * and the mean of the rest is 2^62. */
TEST random_below_draws_again(void)
{
    enum { DRAWS = 2000 };
    if (SIZE_MAX / 2 < UINT32_MAX)
        SKIPm("size_t is no wider than 32 bits");
    size_t n = SIZE_MAX / 2 + 2;
    mtc_random r = mtc_random_seed(3);
    double mean = 0;
    for (int i = 0; i < DRAWS; i++) {
        size_t x = mtc_random_below(&r, n);
        ASSERT(x < n);
        mean += (double)x / (double)n / DRAWS;
    }
    ASSERT_IN_RANGE(0.5, mean, 5 * 0.2887 / 44.7);  /* 5 standard errors */
    PASS();
}

/* The polar method cannot use (0,0).  A state that gives 2^63 twice: the
 * output is rotl(5 s1, 7) 9, so s1 = 2^56 / 5; and s1 stays if s0 = s2. */
TEST random_normal_draws_again_at_the_origin(void)
{
    uint64_t fifth = UINT64_C(0xcccccccccccccccd);  /* 5 times it is 1 */
    mtc_random r = {{7, fifth << 56, 7, 11}}, twice = r;
    ASSERT(mtc_random_real(&twice) == (mtc_real)0.5);
    ASSERT(mtc_random_real(&twice) == (mtc_real)0.5);
    ASSERT(mtc_random_normal(&r) == mtc_random_normal(&twice));
    PASS();
}

/* ---- views ---------------------------------------------- */

TEST csr_needs_its_arrays(void)
{
    const size_t row[2] = {0, 1};
    const uint32_t column[1] = {0};
    const mtc_real x[1] = {1};
    mtc_data none = mtc_csr(1, 1, row, NULL, x);
    mtc_data empty = mtc_csr(1, 1, row, column, NULL);
    ASSERT_EQ(MTC_INVALID, mtc_data_check(NULL, &none, 0));
    ASSERT_EQ(MTC_INVALID, mtc_data_check(NULL, &empty, 0));
    PASS();
}

/* Two views of one memory that are not the same matrix. */
TEST gram_tells_views_of_one_memory_apart(void)
{
    const mtc_real x[6] = {1, 2, 3, 4, 5, 6};
    const size_t row[3] = {0, 2, 4};
    const uint32_t plain[4] = {0, 1, 0, 1}, other[4] = {0, 2, 1, 2};
    mtc_real G[4];
    double work[128];                           /* for views that are CSR */
    mtc_data X = mtc_dense(2, 2, x), Y = X;
    Y.stride = 3;                               /* (1,2) (4,5) */
    mtc_data_gram(&X, &Y, G, 2, NULL);
    ASSERT(G[0] == 5 && G[1] == 14 && G[2] == 11 && G[3] == 32);
    mtc_data S = mtc_csr(2, 2, row, plain, x);  /* X itself */
    S.stride = X.stride;
    ASSERT(mtc_data_work(&X, &S, 1) <= sizeof work);
    mtc_data_gram(&X, &S, G, 2, work);
    ASSERT(G[0] == 5 && G[1] == 11 && G[2] == 11 && G[3] == 25);
    mtc_data A = mtc_csr(2, 3, row, plain, x);  /* (1,2,0) (3,4,0) */
    mtc_data B = mtc_csr(2, 3, row, other, x);  /* (1,0,2) (0,3,4) */
    ASSERT(mtc_data_work(&A, &B, 1) <= sizeof work);
    mtc_data_gram(&A, &B, G, 2, work);
    ASSERT(G[0] == 1 && G[1] == 6 && G[2] == 3 && G[3] == 12);
    PASS();
}

/* ---- eigenvalues ---------------------------------------------- */

/* No power of two brings the smallest number there is to 1. */
TEST symeig_of_denormals(void)
{
    mtc_real tiny = TEST_MIN * TEST_EPS, A[4] = {tiny, tiny, tiny, tiny};
    mtc_real w[2], V[4];
    mtc_context ctx = test_context();
    ASSERT_EQ(MTC_OK, mtc_symeig(&ctx, 2, A, 2, w, V, 2));
    ASSERT(w[0] == 0 && w[1] == 2 * tiny);
    ASSERT_IN_RANGE((mtc_real)0.5, V[1] * V[1], TOL(1e-14));
    PASS();
}

/* Divide and conquer with all but one pole deflated: two halves of zeros,
 * tied by a single 1.  Eigenvalues -1, 1 and zeros. */
TEST symeig_joins_halves_by_a_single_pole(void)
{
    enum { n = 64 };
    static mtc_real A[n * n], w[n], V[n * n];
    mtc_context ctx = test_context();
    memset(A, 0, sizeof A);
    A[n / 2 * n + n / 2 - 1] = A[(n / 2 - 1) * n + n / 2] = 1;
    ASSERT_EQ(MTC_OK, mtc_symeig(&ctx, n, A, n, w, V, n));
    ASSERT_IN_RANGE((mtc_real)-1, w[0], TOL(1e-14));
    ASSERT_IN_RANGE((mtc_real)1, w[n - 1], TOL(1e-14));
    for (size_t i = 1; i + 1 < n; i++)
        ASSERT_IN_RANGE((mtc_real)0, w[i], TOL(1e-14));
    mtc_real top = V[(n / 2 - 1) * n + n - 1] * V[n / 2 * n + n - 1];
    ASSERT_IN_RANGE((mtc_real)0.5, top, TOL(1e-14));
    PASS();
}

/* Operators: -2 fails, -1 gives NaN, else diag(1..n). */
static mtc_status corner_apply(void *user, size_t n, size_t p,
                               const mtc_real *V, mtc_real *AV)
{
    int kind = *(const int *)user;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < p; j++)
            AV[i * p + j] = kind == -1 ? corner_nan()
                                       : (mtc_real)(i + 1) * V[i * p + j];
    return kind == -2 ? MTC_SINGULAR : MTC_OK;
}

/* Written out (n = 10) and by products (n = 400): NaN is told, the
 * operator's own status handed up, a cancelled run says so. */
TEST an_operator_that_fails_is_told(size_t n)
{
    mtc_context ctx = corner_stops_at("eigen");
    mtc_real *V = malloc(n * 2 * sizeof *V), w[2] = {5, 6};
    mtc_context own = test_context();
    int nan = -1, bad = -2, good = 0;
    mtc_status s[4];
    s[0] = mtc_eigen_operator(&own, n, corner_apply, &nan, 2, 0, 0, w, V, 2,
                              NULL);
    s[1] = mtc_eigen_operator(&own, n, corner_apply, &bad, 2, 0, 0, w, V, 2,
                              NULL);
    s[2] = mtc_eigen_operator(&ctx, n, corner_apply, &good, 2, 0, 0, w, V, 2,
                              NULL);
    s[3] = mtc_eigen_operator(&own, n, corner_apply, &good, 0, 0, 0, w, V, 2,
                              NULL);
    free(V);
    ASSERT_EQ(MTC_DOMAIN, s[0]);
    ASSERT_EQ(MTC_SINGULAR, s[1]);
    ASSERT_EQ(MTC_CANCELLED, s[2]);
    ASSERT_EQ(MTC_OK, s[3]);                    /* nothing is asked for */
    ASSERT(w[0] == 5 && w[1] == 6);
    ASSERT_EQ(MTC_TOO_BIG,
              mtc_eigen_operator(&own, SIZE_MAX / 2, corner_apply, &good, 2,
                                 0, 0, w, w, 2, NULL));
    PASS();
}

enum { HALF = 70, ROWS = 2 * HALF + 1 };

/* Two complete blocks and a row with nothing, ROWS in all, as CSR. */
static mtc_data corner_blocks(void)
{
    static size_t row[ROWS + 1];
    static uint32_t column[2 * HALF * HALF];
    static mtc_real value[2 * HALF * HALF];
    size_t m = 0;
    for (size_t i = 0; i < 2 * HALF; i++) {
        for (size_t j = 0; j < HALF; j++, m++) {
            column[m] = (uint32_t)(i / HALF * HALF + j);
            value[m] = 1;
        }
        row[i + 1] = m;
    }
    row[ROWS] = m;
    return mtc_csr(ROWS, ROWS, row, column, value);
}

/* N = J / HALF in either block: values 1, 1, 0 ..., vectors constant on each
 * block, and 0 in the isolated row. */
TEST spectral_by_products_leaves_an_isolated_row(void)
{
    mtc_data S = corner_blocks();
    static mtc_real U[ROWS * 2];
    mtc_real values[2];
    mtc_context stop = corner_stops_at("eigen");
    mtc_context ctx = test_context();
    mtc_status s = mtc_spectral(&ctx, &S, 2, U, values);
    mtc_status t = mtc_spectral(&stop, &S, 2, U, values);
    mtc_data bad = S;
    bad.n = 0;
    mtc_status b = mtc_spectral(&ctx, &bad, 2, U, values);
    ASSERT_EQ(MTC_OK, s);
    ASSERT_EQ(MTC_CANCELLED, t);
    ASSERT_EQ(MTC_INVALID, b);
    ASSERT_IN_RANGE((mtc_real)1, values[0], TOL(1e-12));
    ASSERT_IN_RANGE((mtc_real)1, values[1], TOL(1e-12));
    for (size_t i = 0; i < 2 * HALF; i++)
        for (size_t j = 0; j < 2; j++)
            ASSERT_IN_RANGE(U[i / HALF * HALF * 2 + j], U[i * 2 + j],
                            TOL(1e-7));
    ASSERT(U[2 * HALF * 2] == 0 && U[2 * HALF * 2 + 1] == 0);
    PASS();
}

/* Few pairs of a larger matrix come from products, many from N in full. */
TEST spectral_writes_n_out_for_many_pairs(void)
{
    size_t whole = 1000 * 1000 * sizeof(mtc_real);
    static size_t row[1001];                    /* no edge at all */
    mtc_data S = mtc_csr(1000, 1000, row, NULL, NULL);
    mtc_real U[1], values[1];                   /* not reached */
    mtc_context few = mtc_measure(), many = mtc_measure();
    ASSERT_EQ(MTC_NO_MEMORY, mtc_spectral(&few, &S, 2, U, values));
    ASSERT_EQ(MTC_NO_MEMORY, mtc_spectral(&many, &S, 100, U, values));
    ASSERT(few.need < whole);
    ASSERT(many.need > whole);
    mtc_data shape = mtc_shape(1000, 1000, 1);  /* of CSR: one value stored */
    mtc_context asked = mtc_measure();
    ASSERT_EQ(MTC_NO_MEMORY, mtc_spectral(&asked, &shape, 2, U, values));
    ASSERT_EQ_FMT((unsigned long)few.need, (unsigned long)asked.need, "%lu");
    PASS();
}

/* The cut of these blocks, cancelled on the way. */
TEST ncut_is_cancelled_within_the_embedding(void)
{
    mtc_data S = corner_blocks();
    mtc_context stop = corner_stops_at("eigen"), ctx = test_context();
    mtc_ncut_options o = mtc_ncut_defaults();
    mtc_ncut_result r;
    o.given = 1;
    ASSERT_EQ(MTC_CANCELLED, mtc_ncut(&stop, &S, &o, &r));
    ASSERT_EQ(MTC_OK, mtc_ncut(&ctx, &S, &o, &r));
    for (size_t i = 0; i < 2 * HALF; i++)
        ASSERT_EQ(r.labels[i / HALF * HALF], r.labels[i]);
    ASSERT(r.labels[0] != r.labels[HALF]);
    mtc_free(&ctx, &r.block);
    PASS();
}

/* More samples than features, and more of these than are decomposed in full:
 * rows (3,0) and (0,1), 1001 each, with 1999 features that are 0.  The one
 * direction is (3,-1) / sqrt(10), its sum of squares 2002/4 10. */
enum { WIDE = 2001, TALL = 2002 };

TEST pca_by_products_of_features(void)
{
    static size_t row[TALL + 1];
    static uint32_t column[TALL];
    static mtc_real value[TALL];
    mtc_context stop = corner_stops_at("eigen"), ctx = test_context();
    mtc_pca_options o = mtc_pca_defaults();
    mtc_pca_result r;
    for (size_t i = 0; i < TALL; i++) {
        row[i + 1] = i + 1;
        column[i] = (uint32_t)(i % 2);
        value[i] = i % 2 == 0 ? 3 : 1;
    }
    mtc_data X = mtc_csr(TALL, WIDE, row, column, value);
    o.dimension = 1;
    ASSERT_EQ(MTC_CANCELLED, mtc_pca(&stop, &X, 1, &o, &r));
    ASSERT_EQ(MTC_OK, mtc_pca(&ctx, &X, 1, &o, &r));
    ASSERT_EQ(1, r.dimension);
    ASSERT_IN_RANGE((mtc_real)5005, r.variance[0], 5005 * TOL(1e-10));
    ASSERT_IN_RANGE((mtc_real)0.94868329805, r.components[0], TOL(1e-7));
    ASSERT_IN_RANGE((mtc_real)-0.31622776602, r.components[1], TOL(1e-7));
    ASSERT_IN_RANGE((mtc_real)0, r.components[7], TOL(1e-7));
    mtc_free(&ctx, &r.block);
    PASS();
}

/* A model with no direction needs nothing to assign and writes nothing. */
TEST pca_of_equal_rows_assigns_without_memory(void)
{
    mtc_context ctx = test_context();
    const mtc_real x[6] = {1, 2, 1, 2, 1, 2};
    mtc_data X = mtc_dense(3, 2, x);
    mtc_pca_options o = mtc_pca_defaults();
    mtc_pca_result r;
    mtc_real score = 9;
    ASSERT_EQ(MTC_OK, mtc_pca(&ctx, &X, 1, &o, &r));
    ASSERT_EQ(0, r.dimension);
    ASSERT_EQ(MTC_OK, mtc_pca_assign(&ctx, &X, 0, &r, &score));
    ASSERT_EQ(0, ctx.need);
    ASSERT(score == 9);
    mtc_free(&ctx, &r.block);
    PASS();
}

/* Asked with a shape and without scores, a model tells its need, 0 too. */
TEST pca_assign_tells_its_need(void)
{
    mtc_context ctx = test_context();
    const mtc_real x[6] = {1, 2, 1, 3, 1, 5};
    const size_t row[4] = {0, 2, 4, 6};
    const uint32_t column[6] = {0, 1, 0, 1, 0, 1};
    mtc_data X[2] = {mtc_dense(3, 2, x), mtc_csr(3, 2, row, column, x)};
    mtc_pca_result r;
    mtc_real scores[3] = {9, 9, 9};
    ASSERT_EQ(MTC_OK, mtc_pca(&ctx, X, 1, NULL, &r));
    ASSERT_EQ(1, r.dimension);
    for (size_t csr = 0; csr < 2; csr++)
        for (size_t rank = 0; rank < 2; rank++) {
            mtc_context ask = mtc_measure();
            mtc_data shape = mtc_shape(3, 2, 6 * csr);
            r.dimension = rank;
            ASSERT_EQ(MTC_NO_MEMORY, mtc_pca_assign(&ask, &shape, 0, &r, NULL));
            ASSERT_EQ(MTC_INVALID, mtc_pca_assign(&ctx, &X[csr], 0, &r, NULL));
            ASSERT_EQ(MTC_OK, mtc_pca_assign(&ctx, &X[csr], 0, &r, scores));
            ASSERT_EQ(ctx.need, ask.need);
            ASSERT_EQ(rank, ask.need > 0);
        }
    ASSERT(scores[2] > 1 && scores[2] < 2);  /* 5 - 10/3 */
    mtc_free(&ctx, &r.block);
    PASS();
}

enum { LINE = 300, LINE_PAIRS = 9 };

/* diag(1, 1 - 1/300, ..). */
static mtc_status line_times(void *user, size_t n, size_t p, const mtc_real *X,
                             mtc_real *Y)
{
    (void)user;
    for (size_t i = 0; i < n * p; i++)
        Y[i] = X[i] * (mtc_real)(1 - (double)(i / p) / LINE);
    return MTC_OK;
}

/* A pair that was within the tolerance may turn into another one while the
 * others are sought: at the end all of them are within it, and the residual is
 * the largest of theirs. */
TEST a_loose_tolerance_holds_for_every_pair(void)
{
    static mtc_real V[LINE * LINE_PAIRS], AV[LINE * LINE_PAIRS];
    mtc_real w[LINE_PAIRS], told;
    mtc_context ctx = test_context();
    for (ctx.seed = 1; ctx.seed <= 5; ctx.seed++)
        for (mtc_real bound = 1 / (mtc_real)8; bound > 0.005; bound /= 2) {
            double worst = 0;
            ASSERT_EQ(MTC_OK, mtc_eigen_operator(&ctx, LINE, line_times, NULL,
                                                 LINE_PAIRS, bound, 0, w, V,
                                                 LINE_PAIRS, &told));
            line_times(NULL, LINE, LINE_PAIRS, V, AV);
            for (size_t j = 0; j < LINE_PAIRS; j++) {
                double sum = 0;
                for (size_t e = j; e < LINE * LINE_PAIRS; e += LINE_PAIRS) {
                    double r = (double)AV[e] - (double)w[j] * (double)V[e];
                    sum += r * r;
                }
                worst = sqrt(sum) > worst ? sqrt(sum) : worst;
            }
            ASSERT(worst <= (double)bound);
            ASSERT_IN_RANGE(worst, (double)(told * w[0]), 1e-3 * worst);
        }
    PASS();
}

/* Eleven times 1, then from .99 down. */
static mtc_status copies_times(void *user, size_t n, size_t p,
                               const mtc_real *X, mtc_real *Y)
{
    (void)user;
    for (size_t i = 0; i < n * p; i++)
        Y[i] = X[i] * (mtc_real)(i / p < 11 ? 1 : .99 - (double)(i / p) / LINE);
    return MTC_OK;
}

/* A block that is narrower than the eigenspace lets copies go, sooner so where
 * a few digits are enough. */
TEST every_copy_of_an_eigenvalue_is_found_beside_a_small_gap(void)
{
    static mtc_real V[LINE * 11];
    mtc_real w[11];
    mtc_context ctx = test_context();
    for (ctx.seed = 1; ctx.seed <= 5; ctx.seed++) {
        ASSERT_EQ(MTC_OK, mtc_eigen_operator(&ctx, LINE, copies_times, NULL, 11,
                                             (mtc_real)1e-4, 0, w, V, 11,
                                             NULL));
        ASSERT((double)w[10] > .995);
    }
    PASS();
}

/* ---- transport ---------------------------------------------- */

TEST emd_refuses_a_total_that_overflows(void)
{
    const mtc_real cost[2] = {0, 0}, one[1] = {1};
    const mtc_real most[2] = {TEST_MAX, TEST_MAX};
    mtc_context ctx = test_context();
    mtc_real plan[2];
    mtc_status a = mtc_emd(&ctx, 1, 2, cost, 2, one, most, NULL, plan, NULL,
                           NULL, NULL);
    mtc_status b = mtc_emd(&ctx, 2, 1, cost, 1, most, one, NULL, plan, NULL,
                           NULL, NULL);
    ASSERT_EQ(MTC_DOMAIN, a);
    ASSERT_EQ(MTC_DOMAIN, b);
    PASS();
}

/* ---- learners ---------------------------------------------- */

/* 0 1 10 11 from centers 0 and 1: loss 181, then means 0 and 22/3, and a loss
 * of 1 + (8/3)^2 + (11/3)^2 = 194/9, where a tolerance of .9999 stops. */
TEST kmeans_stops_by_tolerance(void)
{
    mtc_context ctx = test_context();
    const mtc_real x[4] = {0, 1, 10, 11}, centers[2] = {0, 1};
    mtc_data X = mtc_dense(4, 1, x);
    mtc_kmeans_options o = mtc_kmeans_defaults();
    mtc_kmeans_result r;
    o.start_centers = centers;
    o.tolerance = (mtc_real)0.9999;
    ASSERT_EQ(MTC_OK, mtc_kmeans(&ctx, &X, &o, &r));
    ASSERT_EQ(1, r.iterations);
    ASSERT_EQ(1, r.converged);
    ASSERT_IN_RANGE((mtc_real)181, r.objective[0], 181 * TOL(1e-14));
    ASSERT_IN_RANGE((mtc_real)194 / 9, r.loss, 22 * TOL(1e-14));
    mtc_free(&ctx, &r.block);
    PASS();
}

TEST positive_divergences_admit_no_infinity(void)
{
    mtc_divergence kl = mtc_kl();
    volatile mtc_real most = TEST_MAX;
    ASSERT_EQ(1, kl.admits(kl.user, 0, most));
    ASSERT_EQ(0, kl.admits(kl.user, 0, 2 * most));
    ASSERT_EQ(0, kl.admits(kl.user, 0, 0));
    PASS();
}

/* Rows and costs as large as they may be: in float the objective leaves the
 * range of the type, and that is told; in double it does not. */
TEST svm_tells_multipliers_that_overflow(void)
{
    enum { N = 64 };
    mtc_context ctx = test_context();
    mtc_real most = sizeof(mtc_real) == 8 ? (mtc_real)1e45 : (mtc_real)1e9;
    mtc_svm_options o = mtc_svm_defaults();
    mtc_svm_result r;
    mtc_real x[N], start[N];
    int labels[N];
    for (int i = 0; i < N; i++) {
        labels[i] = i % 2;
        x[i] = labels[i] ? most : -most;
        start[i] = most;
    }
    mtc_data X = mtc_dense(N, 1, x);
    o.cost = most;
    o.start = start;
    o.tolerance = TEST_MAX;  /* it ends where it starts */
    mtc_status st = mtc_svm(&ctx, &X, labels, &o, &r);
    if (sizeof(mtc_real) == 4) {
        ASSERT_EQ(MTC_DOMAIN, st);
        PASS();
    }
    ASSERT_EQ(MTC_OK, st);
    mtc_real sum = r.bias[0] + r.objective[0];
    ASSERT(sum >= -TEST_MAX && sum <= TEST_MAX);
    mtc_free(&ctx, &r.block);
    PASS();
}

/* Without noise, and with a ridge that is lost in rounding, E[Q] is singular
 * where two features are equal; and so is told a ridge whose inverse
 * overflows. */
TEST msda_tells_a_matrix_it_cannot_invert(void)
{
    mtc_context ctx = test_context();
    int wide = sizeof(mtc_real) == 8;
    mtc_real big = wide ? (mtc_real)1e10 : (mtc_real)1e4;
    const mtc_real x[8] = {1, 1, 1, 1, 1, 1, 1, 1}, y[4] = {big, 0, 1, big};
    mtc_data X = mtc_dense(4, 2, x), Y = mtc_dense(2, 2, y);
    mtc_msda_options o = mtc_msda_defaults();
    mtc_msda_result r;
    o.noise = 0;
    o.ridge = TEST_MIN;
    ASSERT_EQ(MTC_SINGULAR, mtc_msda(&ctx, &X, 1, &o, &r));
    ASSERT(ctx.error.what != NULL);
    o.ridge = wide ? (mtc_real)1e-300 : (mtc_real)1e-36;
    ASSERT(mtc_msda(&ctx, &Y, 1, &o, &r) != MTC_OK);
    PASS();
}

/* Rows that are multiples of one have one component, however many are asked
 * for, and its variance is all there is: 42 (1..6, squared: 91) here. */
TEST pca_of_a_line_has_all_the_variance_in_one(void)
{
    mtc_context ctx = test_context();
    mtc_real x[8 * 6];
    mtc_data X = mtc_dense(8, 6, x);
    mtc_pca_options o = mtc_pca_defaults();
    mtc_pca_result r;
    for (int e = 0; e < 8 * 6; e++)
        x[e] = ((mtc_real)(e / 6) - (mtc_real)3.5) * (mtc_real)(e % 6 + 1);
    o.dimension = 5;
    ASSERT_EQ(MTC_OK, mtc_pca(&ctx, &X, 1, &o, &r));
    ASSERT_EQ(1, r.dimension);
    ASSERT_IN_RANGE((mtc_real)(42 * 91), r.variance[0], TOL(1e-9));
    mtc_free(&ctx, &r.block);
    PASS();
}

/* ---- methods ---------------------------------------------- */

/* Where all samples are equal, two of three clusters are empty.  The third has
 * the mean, and no center is nearer to a sample, new or old. */
TEST guard_gives_empty_clusters_a_center(void)
{
    mtc_context ctx = test_context();
    int again[6];
    mtc_real x[2][12];
    mtc_data X[2] = {mtc_dense(6, 2, x[0]), mtc_dense(6, 2, x[1])};
    mtc_guard_options o = mtc_guard_defaults();
    mtc_guard_result r;
    for (int e = 0; e < 12; e++) {
        x[0][e] = (mtc_real)(e % 2 == 0 ? 5 : 7);
        x[1][e] = (mtc_real)(e % 2 == 0 ? 3 : 2);
    }
    o.clusters = 3;
    ASSERT_EQ(MTC_OK, mtc_guard(&ctx, X, 2, &o, &r));
    for (size_t t = 0; t < 2; t++) {
        ASSERT_EQ(1, r.k_effective[t]);
        const mtc_real *mean = r.centers[t] + 2 * (size_t)r.labels[t][0];
        ASSERT_IN_RANGE(x[t][0], mean[0], TOL(1e-12));
        ASSERT_IN_RANGE(x[t][1], mean[1], TOL(1e-12));
        ASSERT_EQ(MTC_OK, mtc_guard_assign(&ctx, &X[t], t, &r, again));
        ASSERT_MEM_EQ(r.labels[t], again, sizeof again);
    }
    ASSERT_EQ(0, r.matched[1]);  /* there is no telling */
    mtc_free(&ctx, &r.block);
    PASS();
}

/* Task 1 lacks one of four clear classes of task 0.  Wherever the cluster that
 * stays empty got its number, assign agrees with the fit, and classes have the
 * numbers of task 0, which the guard does not claim to know. */
TEST guard_with_a_class_that_is_missing(void)
{
    enum { N = 60, K = 4 };
    for (uint64_t seed = 1; seed <= 20; seed++) {
        mtc_context ctx = test_context();
        mtc_real x[2][2 * N];
        mtc_data X[2] = {mtc_dense(N, 2, x[0]), mtc_dense(N, 2, x[1])};
        mtc_guard_options o = mtc_guard_defaults();
        mtc_guard_result r;
        mtc_random rng = mtc_random_seed(seed);
        int again[N], number[K], missing = (int)(seed % K);
        for (int i = 0; i < N; i++)
            for (int t = 0; t < 2; t++) {
                int y = t == 0 ? i % K : (missing + 1 + i % (K - 1)) % K;
                x[t][2 * i] = (mtc_real)(10 * y) + mtc_random_normal(&rng) / 2;
                x[t][2 * i + 1] = (mtc_real)(7 * (y % 2)) +
                                  mtc_random_normal(&rng) / 2;
            }
        o.clusters = K;
        ASSERT_EQ(MTC_OK, mtc_guard(&ctx, X, 2, &o, &r));
        ASSERT_EQ(MTC_OK, mtc_guard_assign(&ctx, &X[1], 1, &r, again));
        if (r.k_effective[1] == K - 1 && r.k_effective[0] == K) {
            ASSERT_MEM_EQ(r.labels[1], again, sizeof again);
            ASSERT_EQ(0, r.matched[1]);
            for (int i = 0; i < N; i++)
                number[i % K] = r.labels[0][i];
            for (int i = 0; i < N; i++)
                ASSERT_EQ(number[(missing + 1 + i % (K - 1)) % K],
                          r.labels[1][i]);
        }
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

/* KL as a divergence of which nothing is known. */
static mtc_real other_value(const void *user, size_t d, const mtc_real *x,
                            const mtc_real *y)
{
    const mtc_divergence *v = (const mtc_divergence *)user;
    return v->value(v->user, d, x, y);
}

static void other_gradient(const void *user, size_t d, const mtc_real *x,
                           mtc_real *g)
{
    const mtc_divergence *v = (const mtc_divergence *)user;
    v->gradient(v->user, d, x, g);
}

static void other_inverse(const void *user, size_t d, const mtc_real *g,
                          mtc_real *x)
{
    const mtc_divergence *v = (const mtc_divergence *)user;
    v->inverse(v->user, d, g, x);
}

static int other_admits(const void *user, size_t j, mtc_real xj)
{
    const mtc_divergence *v = (const mtc_divergence *)user;
    return v->admits(v->user, j, xj);
}

/* The general descent against the closed form.  The geodesic's best point is
 * the second coordinate's choice; the first stands at a billionth of L there,
 * and a whole step from it overflows. */
TEST mbc_centroid_comes_back_into_the_domain(void)
{
    mtc_context ctx = test_context();
    const mtc_divergence kl = mtc_kl();
    const mtc_divergence other = {other_value, other_gradient, other_inverse,
                                  other_admits, &kl};
    const mtc_real L[2] = {1, (mtc_real)1e-3};
    const mtc_real R[2] = {(mtc_real)1e-9, (mtc_real)1e6};
    mtc_real u[2], v[2];
    ASSERT_EQ(MTC_OK, mtc_mbc_centroid(&ctx, &kl, MTC_CENTROID_EXACT, 2, 1, 1, L, R,
                                       u));
    ASSERT_EQ(MTC_OK, mtc_mbc_centroid(&ctx, &other, MTC_CENTROID_EXACT, 2, 1, 1, L,
                                       R, v));
    mtc_real least = kl.value(kl.user, 2, L, u) + kl.value(kl.user, 2, u, R);
    mtc_real found = kl.value(kl.user, 2, L, v) + kl.value(kl.user, 2, v, R);
    ASSERT(v[0] > 0 && v[1] > 0);
    ASSERT_IN_RANGE(least, found, least * (mtc_real)1e-4);
    PASS();
}

/* A weight that is nothing beside the other leaves the other's end. */
TEST mbc_centroid_at_either_end(void)
{
    mtc_context ctx = test_context();
    const mtc_divergence kl = mtc_kl();
    const mtc_real L[1] = {1}, R[1] = {2}, low[1] = {TEST_MIN};
    const mtc_real big = (mtc_real)(sizeof(mtc_real) == 8 ? 1e45 : 1e9);
    mtc_real u = 0;
    ASSERT_EQ(MTC_OK, mtc_mbc_centroid(&ctx, &kl, MTC_CENTROID_EXACT, 1, big,
                                       1 / big, L, R, &u));
    ASSERT(u == 1);
    ASSERT_EQ(MTC_OK, mtc_mbc_centroid(&ctx, &kl, MTC_CENTROID_GEODESIC, 1,
                                       1 / big, 1, low, R, &u));
    ASSERT_IN_RANGE((mtc_real)2, u,             /* a search: half the digits */
                    sizeof u == 8 ? 8 * TEST_EPS : (mtc_real)1e-3);
    PASS();
}

/* Squared Euclid whose features but the first must be positive. */
static int later_are_positive(const void *user, size_t j, mtc_real xj)
{
    (void)user;
    return j == 0 || xj > 0;
}

TEST mbc_asks_a_domain_feature_by_feature(void)
{
    mtc_context ctx = test_context();
    mtc_divergence euclid = mtc_sqeuclidean();
    mtc_divergence other = {other_value, other_gradient, other_inverse,
                            later_are_positive, &euclid};
    const size_t row[3] = {0, 2, 4};
    const uint32_t good[4] = {1, 2, 1, 2}, first[4] = {1, 2, 0, 2};
    const uint32_t last[4] = {1, 2, 0, 1};
    const mtc_real x[4] = {1, 2, 3, 4};
    mtc_mbc_options o = mtc_mbc_defaults();
    mtc_mbc_result r;
    o.divergence = &other;
    mtc_data X = mtc_csr(2, 3, row, first, x);
    ASSERT_EQ(MTC_DOMAIN, mtc_mbc(&ctx, &X, 1, &o, &r));
    ASSERT(ctx.error.row == 1 && ctx.error.column == 1);
    X = mtc_csr(2, 3, row, last, x);
    ASSERT_EQ(MTC_DOMAIN, mtc_mbc(&ctx, &X, 1, &o, &r));
    ASSERT(ctx.error.row == 1 && ctx.error.column == 2);
    X = mtc_csr(2, 3, row, good, x);
    ASSERT_EQ(MTC_OK, mtc_mbc(&ctx, &X, 1, &o, &r));
    ASSERT(r.labels[0][0] != r.labels[0][1]);
    mtc_free(&ctx, &r.block);
    PASS();
}

/* Mode pca beyond what is decomposed in full: rows (3,0) and (0,1) again.
 * The subspace lies in the first two features. */
TEST lssmtc_by_products_of_features(void)
{
    enum { n = 3002, d = 3001 };
    static size_t row[n + 1];
    static uint32_t column[n];
    static mtc_real value[n];
    static int start[n];
    const int *const given[1] = {start};
    mtc_context ctx = test_context();
    mtc_lssmtc_options o = mtc_lssmtc_defaults();
    mtc_lssmtc_result r;
    for (size_t i = 0; i < n; i++) {
        row[i + 1] = i + 1;
        column[i] = (uint32_t)(i % 2);
        value[i] = i % 2 == 0 ? 3 : 1;
        start[i] = i % 10 == 0 ? 1 : (int)(i % 2);      /* some are wrong */
    }
    mtc_data X = mtc_csr(n, d, row, column, value);
    o.mode = MTC_SUBSPACE_PCA;
    o.rank = 2;
    o.subspace = 1;
    o.start_labels = given;
    ASSERT_EQ(MTC_OK, mtc_lssmtc(&ctx, &X, 1, &o, &r));
    for (size_t i = 0; i < n; i++)
        ASSERT_EQ((int)(i % 2), r.labels[0][i]);
    mtc_real length = r.W[0] * r.W[0] + r.W[1] * r.W[1];
    ASSERT_IN_RANGE((mtc_real)1, length, TOL(1e-9));
    for (size_t j = 2; j < d; j++)
        ASSERT_IN_RANGE((mtc_real)0, r.W[j], TOL(1e-6));
    mtc_free(&ctx, &r.block);
    PASS();
}

/* Fewer samples than features and than the rank asked for tells apart. */
TEST lssmtc_of_equal_rows_has_the_rank_there_is(void)
{
    mtc_context ctx = test_context();
    mtc_real x[12 * 16] = {0};
    int start[12];
    const int *const given[1] = {start};
    mtc_lssmtc_options o = mtc_lssmtc_defaults();
    mtc_lssmtc_result r;
    for (size_t i = 0; i < 12; i++) {
        x[i * 16 + i % 2] = 2;
        start[i] = (int)(i % 2);
    }
    mtc_data X = mtc_dense(12, 16, x);
    o.mode = MTC_SUBSPACE_PCA;
    o.rank = 5;
    o.subspace = 1;
    o.start_labels = given;
    ASSERT_EQ(MTC_OK, mtc_lssmtc(&ctx, &X, 1, &o, &r));
    for (size_t i = 0; i < 12; i++)
        ASSERT_EQ(start[i], r.labels[0][i]);
    for (size_t j = 2; j < 16; j++)
        ASSERT(r.W[j] == 0);
    mtc_free(&ctx, &r.block);
    PASS();
}

/* The sources have their classes: a start for the target is taken as it is,
 * matched or not. */
TEST lssttc_matches_no_start(void)
{
    mtc_context ctx = test_context();
    const mtc_real x[8] = {0, 1, 0, 2, 9, 0, 8, 0};
    const int labels[4] = {0, 0, 1, 1}, *const given[1] = {labels};
    mtc_data X = mtc_dense(4, 2, x);
    mtc_lssmtc_options o = mtc_lssttc_defaults();
    mtc_lssmtc_result r;
    o.mode = MTC_SUBSPACE_RECON;
    o.start_labels = given;
    o.match_start = 1;
    ASSERT_EQ(MTC_OK, mtc_lssttc(&ctx, &X, given, 1, &X, &o, &r));
    for (size_t i = 0; i < 4; i++)
        ASSERT_EQ(labels[i], r.labels[1][i]);
    mtc_free(&ctx, &r.block);
    PASS();
}

/* Runs that leave a name unused: nobody is nearest to it. */
TEST ec_assigns_past_an_unused_cluster(void)
{
    mtc_context ctx = test_context();
    const mtc_real x[6] = {0, 1, 2, 10, 11, 12};
    const int run[6] = {0, 0, 0, 2, 2, 2}, *const runs[2] = {run, run};
    mtc_data X = mtc_dense(6, 1, x);
    mtc_ec_options o = mtc_ec_defaults();
    mtc_ec_result r;
    int labels[6];
    o.runs = 2;
    o.partitions = runs;
    ASSERT_EQ(MTC_OK, mtc_ec(&ctx, &X, &o, &r));
    ASSERT_EQ(MTC_OK, mtc_ec_assign(&ctx, &X, &r, labels));
    for (size_t i = 0; i < 6; i++)
        ASSERT_EQ(r.labels[i], labels[i]);
    ASSERT(labels[0] == labels[2] && labels[0] != labels[3]);
    mtc_free(&ctx, &r.block);
    PASS();
}

/* Pairs of a source are counted by rows, and can be cancelled there. */
TEST trec_is_cancelled_among_the_pairs(void)
{
    enum { n = 300 };
    static mtc_real x[n * 2];
    static int labels[n];
    mtc_context stop = corner_stops_at("source pairs");
    mtc_trec_options o = mtc_trec_defaults();
    mtc_trec_result r;
    test_fill(x, n * 2, 4, 0, 1);
    for (size_t i = 0; i < n; i++) {
        labels[i] = (int)(i % 2);
        x[i * 2] += (mtc_real)(i % 2) * 5;
    }
    mtc_data S = mtc_dense(n, 2, x), T = mtc_dense(10, 2, x);
    o.meta = MTC_META_PROBABILITY;
    o.ec.runs = 2;
    o.ec.columns = 1;
    ASSERT_EQ(MTC_CANCELLED, mtc_trec(&stop, &S, labels, &T, &o, &r));
    PASS();
}

/* Twice two blobs, at 0 and at 10. */
enum { BLOB = 12 };

static void corner_blobs(mtc_real *x, uint64_t seed)
{
    test_fill(x, BLOB * 2, seed, 0, 1);
    for (size_t i = 0; i < BLOB; i++)
        x[i * 2 + i % 2] += 10;
}

/* More tasks than are measured one by one. */
TEST auto_serves_many_tasks(void)
{
    enum { MANY = 17 };
    static mtc_real x[MANY][BLOB * 2];
    mtc_context ctx = test_context();
    mtc_data X[MANY];
    mtc_auto_options o = mtc_auto_defaults();
    mtc_auto_result r;
    for (size_t t = 0; t < MANY; t++) {
        corner_blobs(x[t], t);
        X[t] = mtc_dense(BLOB, 2, x[t]);
    }
    o.runs = 1;
    ASSERT_EQ(MTC_OK, mtc_auto(&ctx, X, MANY, &o, &r));
    for (size_t t = 0; t < MANY; t++) {
        for (size_t i = 0; i < BLOB; i++)
            ASSERT_EQ(r.labels[t][i % 2], r.labels[t][i]);
        ASSERT(r.labels[t][0] != r.labels[t][1]);
    }
    mtc_free(&ctx, &r.block);
    PASS();
}

/* mtc.h is the manual: every default that a comment there states. */
#define STATED(method, field, value)                                      \
    ASSERT_IN_RANGEm(#method "." #field, (double)(value),                 \
                     (double)mtc_##method##_defaults().field,             \
                     1e-6 * fabs((double)(value)))

TEST defaults_are_those_that_the_header_states(void)
{
    STATED(lssmtc, clusters, 2); STATED(lssmtc, lambda, .75);
    STATED(lssmtc, mode, MTC_SUBSPACE_RECON); STATED(lssmtc, subspace, 0);
    STATED(lssmtc, rank, 32); STATED(lssmtc, offset, .2);
    STATED(lssmtc, start, MTC_START_ALIGNED); STATED(lssmtc, iterations, 20);
    STATED(lssmtc, tolerance, 0); STATED(lssmtc, restarts, 10);
    STATED(lssmtc, match_start, 0); STATED(lssttc, clusters, 2);
    STATED(lssttc, lambda, .25); STATED(lssttc, mode, MTC_SUBSPACE_PCA);
    STATED(lssttc, subspace, 16); STATED(lssttc, rank, 100);
    STATED(lssttc, offset, .2); STATED(lssttc, iterations, 20);
    STATED(lssttc, restarts, 10); STATED(mbc, clusters, 2);
    STATED(mbc, lambda, .5); STATED(mbc, centroid, MTC_CENTROID_EXACT);
    STATED(mbc, iterations, 100); STATED(mbc, tolerance, 1e-10);
    STATED(mbc, restarts, 10);
    STATED(mtcfir, clusters, 2); STATED(mtcfir, layers, 3);
    STATED(mtcfir, noise, .5); STATED(mtcfir, ridge, 1e-5);
    STATED(mtcfir, neighbor_share, .3); STATED(mtcfir, variant, MTC_MTCFIR_FULL);
    STATED(mtcfir, iterations, 300); STATED(mtcfir, tolerance, 1e-6);
    STATED(mtcfir, restarts, 10); STATED(ttl, classes, 2);
    STATED(ttl, features, 30); STATED(ttl, common, 15);
    STATED(ttl, variant, MTC_TTL_REPAIRED);
    STATED(ttl, feature_weights, MTC_TTL_WEIGHTS_AUTO);
    STATED(ttl, iterations, 100);
    STATED(ttl, tolerance, 0);
    STATED(ec, clusters, 2);
    STATED(ec, runs, 10); STATED(ec, columns, 0);
    STATED(ec, iterations, 300); STATED(ec, restarts, 10);
    STATED(trec, ec.clusters, 2); STATED(trec, ec.runs, 10);
    STATED(trec, meta, MTC_META_PROBABILITY); STATED(trec, gamma, 1. / 32);
    STATED(trec, cost, 10);
    STATED(trec, pairs, 2000);
    STATED(trec, iterations, 0); STATED(trec, qmin, 5);
    STATED(guard, method, MTC_GUARD_MBC); STATED(guard, clusters, 2);
    STATED(guard, runs, 10);
    STATED(guard, folds, 5); STATED(guard, margin, -1);
    STATED(auto, clusters, 2); STATED(auto, geometry, 0); STATED(auto, runs, 10);
    STATED(auto, sample, 2000);
    STATED(kmeans, clusters, 2); STATED(kmeans, restarts, 10);
    STATED(kmeans, iterations, 300);
    STATED(kmeans, tolerance, 0); STATED(vote, clusters, 2);
    STATED(vote, restarts, 5); STATED(graph, similarity, MTC_SIMILARITY_COSINE);
    STATED(graph, neighbors, 0); STATED(graph, width, 1);
    STATED(graph, absolute, 0); STATED(graph, local, 0); STATED(graph, loops, 0);
    STATED(logistic, classes, 2);
    STATED(logistic, ridge, 1e-3); STATED(logistic, iterations, 100);
    STATED(logistic, tolerance, sizeof(mtc_real) < 8 ? 1e-4 : 1e-8);
    STATED(svm, classes, 2); STATED(svm, kernel, MTC_KERNEL_LINEAR);
    STATED(svm, gamma, 0); STATED(svm, cost, 1); STATED(svm, tolerance, 1e-3);
    STATED(svm, iterations, 0); STATED(svm, cache, 64 << 20);
    STATED(ncut, clusters, 2); STATED(ncut, graph.similarity, MTC_SIMILARITY_COSINE);
    STATED(ncut, graph.neighbors, 0); STATED(ncut, restarts, 10);
    STATED(ncut, tolerance, 0);
    STATED(snmf, clusters, 2);
    STATED(snmf, iterations, 300); STATED(snmf, tolerance, 1e-6);
    STATED(msda, layers, 3); STATED(msda, noise, .5);
    STATED(msda, ridge, 1e-5);
    STATED(consistent, clusters, 2); STATED(consistent, neighbor_share, .3);
    STATED(pca, dimension, 0); STATED(pca, keep, .95);
    STATED(pca, tolerance, 0);
    STATED(pca, mean, MTC_MEAN_COMMON); STATED(emd, pivots, 0);
    STATED(context, seed, 1);
    PASS();
}

SUITE(corners_suite)
{
    RUN_TEST(defaults_are_those_that_the_header_states);
    RUN_TEST(an_allocator_may_have_no_release);
    RUN_TEST(random_below_draws_again);
    RUN_TEST(random_normal_draws_again_at_the_origin);
    RUN_TEST(csr_needs_its_arrays);
    RUN_TEST(gram_tells_views_of_one_memory_apart);
    RUN_TEST(symeig_of_denormals);
    RUN_TEST(symeig_joins_halves_by_a_single_pole);
    RUN_TEST1(an_operator_that_fails_is_told, 10);
    RUN_TEST1(an_operator_that_fails_is_told, 400);
    RUN_TEST(a_loose_tolerance_holds_for_every_pair);
    RUN_TEST(every_copy_of_an_eigenvalue_is_found_beside_a_small_gap);
    RUN_TEST(spectral_by_products_leaves_an_isolated_row);
    RUN_TEST(spectral_writes_n_out_for_many_pairs);
    RUN_TEST(ncut_is_cancelled_within_the_embedding);
    RUN_TEST(pca_by_products_of_features);
    RUN_TEST(pca_of_equal_rows_assigns_without_memory);
    RUN_TEST(pca_assign_tells_its_need);
    RUN_TEST(pca_of_a_line_has_all_the_variance_in_one);
    RUN_TEST(emd_refuses_a_total_that_overflows);
    RUN_TEST(kmeans_stops_by_tolerance);
    RUN_TEST(positive_divergences_admit_no_infinity);
    RUN_TEST(svm_tells_multipliers_that_overflow);
    RUN_TEST(msda_tells_a_matrix_it_cannot_invert);
    RUN_TEST(guard_gives_empty_clusters_a_center);
    RUN_TEST(guard_with_a_class_that_is_missing);
    RUN_TEST(mbc_centroid_comes_back_into_the_domain);
    RUN_TEST(mbc_centroid_at_either_end);
    RUN_TEST(mbc_asks_a_domain_feature_by_feature);
    RUN_TEST(lssmtc_by_products_of_features);
    RUN_TEST(lssmtc_of_equal_rows_has_the_rank_there_is);
    RUN_TEST(lssttc_matches_no_start);
    RUN_TEST(ec_assigns_past_an_unused_cluster);
    RUN_TEST(trec_is_cancelled_among_the_pairs);
    RUN_TEST(auto_serves_many_tasks);
}
