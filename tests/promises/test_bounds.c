/* SPDX-License-Identifier: MIT
 *
 * test_bounds.c - no input makes it hang: on inputs that are known to send
 * solvers round in circles, work is counted (pivots, iterations, ticks), not
 * seconds, and stays within what is stated.
 *
 *   transport    all supplies equal, all costs equal, ties everywhere, costs
 *                over 30 decades: pivots within m n, the gap certified
 *   SVM          features of very different scale, copies with both labels:
 *                stops at the bound it was given, says so, and can be stopped
 *   ties         samples on a grid, equidistant, all equal: k-means ends
 *                within its iterations, neighbors by lowest index
 *   endless      bounds and tolerances that never end it: cancelling does
 */
#include "greatest.h"
#include "test_util.h"
#include "../../examples/compared/compared.h"


typedef struct counter { size_t ticks, stop_at; } counter;

static int count_tick(void *user, const char *stage, size_t done,
                      size_t total)
{
    counter *c = (counter *)user;
    (void)stage, (void)done, (void)total;
    return ++c->ticks == c->stop_at;
}

static mtc_context counted(counter *c, size_t stop_at)
{
    mtc_context ctx = test_context();
    c->ticks = 0;
    c->stop_at = stop_at;
    ctx.progress = count_tick;
    ctx.user = c;
    return ctx;
}

/* ---- eigenvalues ------------------------------------------------------- */

/* diag(1, 2, ..) and a little off it, large enough to be asked about: on the
 * way to tridiagonal form, and back. */
TEST a_large_eigenproblem_can_be_stopped(void)
{
    enum { n = 520, count = 4 };
    size_t stops[3] = {0, 3, 20};
    mtc_real *A = test_reals(n * n), *V = test_reals(n * count), w[count];
    for (size_t k = 0; k < 3; k++) {
        counter c;
        mtc_context ctx = counted(&c, stops[k]);
        test_fill(A, n * n, 3, 0, 1e-3);
        for (size_t i = 0; i < n; i++)
            A[i * n + i] = (mtc_real)(i + 1);
        mtc_status s = mtc_symeig_range(&ctx, n, A, n, n - count, count, w, V,
                                        count);
        ASSERT_EQ(k == 0 ? MTC_OK : MTC_CANCELLED, s);
        ASSERT(k == 0 ? c.ticks > 20 : c.ticks == stops[k]);
    }
    free(V);
    free(A);
    PASS();
}

/* ---- transport --------------------------------------------------------- */

enum { SIDE = 40 };
typedef mtc_real cost_rule(size_t i, size_t j);

static mtc_real cost_equal(size_t i, size_t j)
{
    (void)i, (void)j;
    return 1;
}

static mtc_real cost_ties(size_t i, size_t j)
{
    return (mtc_real)((i * 7 + j * 3) % 3);
}

static mtc_real cost_line(size_t i, size_t j)
{
    return (mtc_real)(i > j ? i - j : j - i);
}

/* Squares: the north-west corner starts at the worst end of the diagonal. */
static mtc_real cost_against(size_t i, size_t j)
{
    mtc_real t = (mtc_real)(i + j) - SIDE;
    return t * t;
}

static mtc_real cost_decades(size_t i, size_t j)
{
    mtc_real x = 1;
    for (size_t e = 0; e < (i * 11 + j * 5) % 30; e++)
        x *= 10;
    return x;
}

static const struct { const char *name; cost_rule *rule; } cost_rules[] = {
    {"equal", cost_equal}, {"ties", cost_ties}, {"line", cost_line},
    {"against", cost_against}, {"decades", cost_decades}
};

TEST degenerate_transport_ends(cost_rule *rule)
{
    static mtc_real cost[SIDE * SIDE];
    mtc_real supply[SIDE], demand[SIDE];
    mtc_context ctx = test_context();
    for (size_t i = 0; i < SIDE; i++)
        for (size_t j = 0; j < SIDE; j++)
            cost[i * SIDE + j] = rule(i, j);
    for (int zeros = 0; zeros < 2; zeros++) {
        mtc_emd_info info;
        for (size_t i = 0; i < SIDE; i++) {     /* every partial sum ties */
            supply[i] = zeros ? (mtc_real)(i % 2) : 1;
            demand[i] = zeros ? (mtc_real)((i + 1) % 2) : 1;
        }
        ASSERT_EQ(MTC_OK, mtc_emd(&ctx, SIDE, SIDE, cost, SIDE, supply,
                                  demand, NULL, NULL, NULL, NULL, &info));
        ASSERT(info.pivots <= SIDE * SIDE);
        ASSERT(info.gap <= TOL(1e-12));
    }
    PASS();
}

TEST a_bound_on_pivots_is_told_as_limit(void)
{
    static mtc_real cost[SIDE * SIDE];
    mtc_real supply[SIDE], demand[SIDE];
    mtc_emd_options o = mtc_emd_defaults();
    mtc_emd_info info = {-1, -1, 77};
    mtc_context ctx = test_context();
    test_fill(cost, SIDE * SIDE, 1, 0, 1);
    for (size_t i = 0; i < SIDE; i++)
        supply[i] = demand[i] = 1;
    o.pivots = 1;
    ASSERT_EQ(MTC_LIMIT, mtc_emd(&ctx, SIDE, SIDE, cost, SIDE, supply, demand,
                                 &o, NULL, NULL, NULL, &info));
    ASSERT_EQ(77, info.pivots);                 /* untouched */
    PASS();
}

/* ---- support vector machines ------------------------------------------- */

enum { SVM_N = 60, SVM_D = 4 };

static void hard_samples(mtc_real *x, int *labels)
{
    test_fill(x, SVM_N * SVM_D, 4, -1, 1);
    for (size_t i = 0; i < SVM_N; i++) {
        x[i * SVM_D] *= (mtc_real)1e5;          /* unscaled */
        x[i * SVM_D + 1] *= (mtc_real)1e-3;
        labels[i] = x[i * SVM_D + 1] > 0;       /* decided by the small one */
    }
    for (size_t i = 0; i < 6; i++) {            /* copies of both classes */
        memcpy(x + (SVM_N - 1 - i) * SVM_D, x + i * SVM_D,
               SVM_D * sizeof *x);
        labels[SVM_N - 1 - i] = 1 - labels[i];
    }
}

TEST an_unscaled_svm_stops_at_its_bound(mtc_kernel kernel)
{
    mtc_real x[SVM_N * SVM_D];
    int labels[SVM_N];
    counter c;
    mtc_context ctx = counted(&c, 0);
    mtc_svm_options o = mtc_svm_defaults();
    mtc_svm_result r;
    hard_samples(x, labels);
    mtc_data X = mtc_dense(SVM_N, SVM_D, x);
    o.kernel = kernel;
    o.cost = 1000;
    o.tolerance = (mtc_real)1e-12;
    for (o.iterations = 100; o.iterations <= 20000; o.iterations *= 20) {
        ASSERT_EQ(MTC_OK, mtc_svm(&ctx, &X, labels, &o, &r));
        ASSERT(r.iterations <= o.iterations);
        ASSERT(r.gap[0] >= 0);
        ASSERT_EQ(r.converged, r.gap[0] <= o.tolerance);
        mtc_free(&ctx, &r.block);
    }
    ASSERT(c.ticks > 0);
    ctx = counted(&c, 1);                       /* the first tick stops it */
    o.iterations = SIZE_MAX / 2;
    ASSERT_EQ(MTC_CANCELLED, mtc_svm(&ctx, &X, labels, &o, &r));
    PASS();
}

/* Values in the millions, classes that overlap: by its own bound, too. */
TEST an_svm_of_unscaled_samples_ends(size_t classes)
{
    enum { n = 12, d = 2 };
    mtc_real x[n * d];
    int labels[n];
    mtc_context ctx = test_context();
    mtc_svm_options o = mtc_svm_defaults();
    mtc_svm_result r;
    test_fill(x, n * d, 8, -1e6, 1e6);
    for (size_t i = 0; i < n; i++)
        labels[i] = (int)(i % classes);
    mtc_data X = mtc_dense(n, d, x);
    o.classes = classes;
    ASSERT_EQ(MTC_OK, mtc_svm(&ctx, &X, labels, &o, &r));
    ASSERT(r.iterations <= 10000000 * r.problems);
    ASSERT(!r.converged && r.gap[0] > o.tolerance);
    mtc_free(&ctx, &r.block);
    PASS();
}

/* Many samples and no cache to speak of: 600 steps are few, yet compute 4.8
 * million kernel values. */
TEST an_svm_of_many_samples_asks_while_rows_are_computed(void)
{
    enum { n = 4000 };
    static mtc_real x[n];
    static int labels[n];
    counter c;
    mtc_context ctx = counted(&c, 0);
    mtc_svm_options o = mtc_svm_defaults();
    mtc_svm_result r;
    test_fill(x, n, 5, -1, 1);
    for (size_t i = 0; i < n; i++)
        labels[i] = (int)(i % 2);
    mtc_data X = mtc_dense(n, 1, x);
    o.cache = 1;
    o.iterations = 600;
    ASSERT_EQ(MTC_OK, mtc_svm(&ctx, &X, labels, &o, &r));
    mtc_free(&ctx, &r.block);
    ASSERT(c.ticks >= 4);
    ctx = counted(&c, 3);
    ASSERT_EQ(MTC_CANCELLED, mtc_svm(&ctx, &X, labels, &o, &r));
    PASS();
}

TEST a_transductive_svm_stops_too(void)
{
    mtc_real x[SVM_N * SVM_D];
    int labels[SVM_N];
    counter c;
    mtc_context ctx = counted(&c, 0);
    cmp_tsvm_options o = cmp_tsvm_defaults();
    cmp_tsvm_result r;
    hard_samples(x, labels);
    mtc_data X = mtc_dense(SVM_N / 2, SVM_D, x);
    mtc_data Y = mtc_dense(SVM_N / 2, SVM_D, x + SVM_N / 2 * SVM_D);
    const int *given[1] = {labels};
    o.iterations = 200;
    o.tolerance = (mtc_real)1e-12;
    ASSERT_EQ(MTC_OK, cmp_tsvm(&ctx, &X, given, 1, &Y, &o, &r));
    ASSERT(r.solved <= 64 * (1 + SVM_N));       /* C* doubles 2^17 at most */
    mtc_free(&ctx, &r.block);
    PASS();
}

/* ---- ties -------------------------------------------------------------- */

enum { GRID = 12 };

TEST tied_samples_end_kmeans_within_its_iterations(void)
{
    mtc_real x[GRID * GRID * 2];
    int start[GRID * GRID];
    counter c;
    for (size_t i = 0; i < GRID * GRID; i++) {
        x[2 * i] = (mtc_real)(i / GRID);
        x[2 * i + 1] = (mtc_real)(i % GRID);
        start[i] = (int)(i % 7);
    }
    for (int equal = 0; equal < 2; equal++) {
        mtc_data X = mtc_dense(GRID * GRID, 2, x);
        mtc_kmeans_options o = mtc_kmeans_defaults();
        mtc_kmeans_result r;
        mtc_context ctx = counted(&c, 0);
        o.clusters = 7;
        ASSERT_EQ(MTC_OK, mtc_kmeans(&ctx, &X, &o, &r));
        ASSERT(r.converged && r.iterations < o.iterations);
        ASSERT(c.ticks <= o.restarts * o.iterations);
        ASSERT_EQ(equal ? 1 : 7, r.k_effective);
        mtc_free(&ctx, &r.block);
        o.start_labels = start;
        ASSERT_EQ(MTC_OK, mtc_kmeans(&ctx, &X, &o, &r));
        ASSERT(r.converged);
        mtc_free(&ctx, &r.block);
        for (size_t i = 0; i < GRID * GRID * 2; i++)
            x[i] = 3;
    }
    PASS();
}

/* Corners of a simplex: all equally far from all. */
TEST equidistant_samples_take_the_lowest_index(void)
{
    enum { N = 10 };
    mtc_real x[N * N] = {0}, distance[N * 3];
    size_t index[N * 3];
    mtc_context ctx = test_context();
    mtc_data X = mtc_dense(N, N, x);
    for (size_t i = 0; i < N; i++)
        x[i * N + i] = 1;
    ASSERT_EQ(MTC_OK, mtc_neighbors(&ctx, &X, NULL, 3,
                                    MTC_DISTANCE_SQEUCLIDEAN, index,
                                    distance));
    for (size_t i = 0; i < N; i++)
        for (size_t k = 0; k < 3; k++) {
            ASSERT_EQ(k + (k >= i), index[i * 3 + k]);
            ASSERT(distance[i * 3 + k] == 2);
        }
    PASS();
}

/* ---- what only cancelling ends ----------------------------------------- */

TEST an_endless_factorization_can_be_stopped(void)
{
    enum { N = 8 };
    mtc_real m[N * N];
    counter c;
    mtc_context ctx = counted(&c, 50);
    mtc_data M = mtc_dense(N, N, m);
    mtc_snmf_options o = mtc_snmf_defaults();
    mtc_snmf_result r;
    for (size_t i = 0; i < N * N; i++)
        m[i] = (mtc_real)(i / N + i % N) / N;
    o.iterations = 1000000;
    o.tolerance = -1;                           /* never */
    ASSERT_EQ(MTC_CANCELLED, mtc_snmf(&ctx, &M, &o, &r));
    ASSERT_EQ(50, c.ticks);                     /* and not one more */
    PASS();
}

/* Restarts without an iteration are told one by one: a caller who asked for
 * too many of them is heard. */
TEST restarts_without_iterations_can_be_stopped(void)
{
    const mtc_real x[] = {0, 1, 5, 7};
    mtc_data X = mtc_dense(4, 1, x);
    counter c;
    mtc_context ctx = counted(&c, 50);
    mtc_kmeans_options km = mtc_kmeans_defaults();
    mtc_kmeans_result r;
    mtc_mbc_options mbc = mtc_mbc_defaults();
    mtc_mbc_result s;
    km.iterations = mbc.iterations = 0;
    km.restarts = mbc.restarts = SIZE_MAX;
    ASSERT_EQ(MTC_CANCELLED, mtc_kmeans(&ctx, &X, &km, &r));
    ASSERT_EQ(50, c.ticks);
    ctx = counted(&c, 50);
    ASSERT_EQ(MTC_CANCELLED, mtc_mbc(&ctx, &X, 1, &mbc, &s));
    ASSERT_EQ(50, c.ticks);
    PASS();
}

SUITE(bounds_suite)
{
    RUN_TEST(a_large_eigenproblem_can_be_stopped);
    for (size_t c = 0; c < sizeof cost_rules / sizeof cost_rules[0]; c++) {
        greatest_set_test_suffix(cost_rules[c].name);
        RUN_TESTp(degenerate_transport_ends, cost_rules[c].rule);
    }
    RUN_TEST(a_bound_on_pivots_is_told_as_limit);
    greatest_set_test_suffix("linear");
    RUN_TESTp(an_unscaled_svm_stops_at_its_bound, MTC_KERNEL_LINEAR);
    greatest_set_test_suffix("rbf");
    RUN_TESTp(an_unscaled_svm_stops_at_its_bound, MTC_KERNEL_RBF);
    greatest_set_test_suffix("2_classes");
    RUN_TESTp(an_svm_of_unscaled_samples_ends, 2);
    greatest_set_test_suffix("3_classes");
    RUN_TESTp(an_svm_of_unscaled_samples_ends, 3);
    RUN_TEST(an_svm_of_many_samples_asks_while_rows_are_computed);
    RUN_TEST(a_transductive_svm_stops_too);
    RUN_TEST(tied_samples_end_kmeans_within_its_iterations);
    RUN_TEST(equidistant_samples_take_the_lowest_index);
    RUN_TEST(an_endless_factorization_can_be_stopped);
    RUN_TEST(restarts_without_iterations_can_be_stopped);
}
