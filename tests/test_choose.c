/* SPDX-License-Identifier: MIT
 *
 * How many clusters: gaps of graphs that are known by mathematics or by brute
 * force, what must not change them, and the answers on generated sets.
 */
#include <math.h>

#include "greatest.h"
#include "test_util.h"

enum { MAX_N = 600, MAX_D = 6 };

static mtc_real rows[MAX_N * MAX_D], other[MAX_N * MAX_D];

/* x [n*d] = k Gaussian blobs, centers `apart` from one another, k <= d. */
static mtc_data blobs(mtc_real *x, size_t n, size_t d, size_t k, double apart,
                      uint64_t seed)
{
    mtc_random rng = mtc_random_seed(seed);
    for (size_t e = 0; e < n * d; e++) {
        double center = e % d == e / d % k ? apart * sqrt(0.5) : 0;
        x[e] = (mtc_real)(k > 1 ? center : 0) + mtc_random_normal(&rng);
    }
    return mtc_dense(n, d, x);
}

/* The answer, and its gaps in gap [12]. */
static mtc_choose_result choose(const mtc_data *tasks, size_t T, uint64_t seed,
                                size_t min, size_t max, mtc_real *gap)
{
    mtc_context ctx = test_context();
    mtc_choose_options o = {min, max};
    mtc_choose_result r;
    ctx.seed = seed;
    if (mtc_choose(&ctx, tasks, T, &o, &r) != MTC_OK)
        return (mtc_choose_result){.best = MTC_NONE};
    mtc_choose_result kept = r;
    size_t votes = 0;
    for (size_t k = 0; k < r.limit; k++)
        votes += r.votes[k];
    if (r.limit > 0 &&
        (votes != 20 ||                         /* of twenty, some for best */
         fabs((double)r.support - (double)r.votes[r.best - 1] / 20) > 1e-6 ||
         r.second == r.best))
        kept.best = MTC_NONE;
    for (size_t k = 0; k < r.limit && k < 12 && gap != NULL; k++)
        gap[k] = r.gap[k];
    mtc_free(&ctx, &r.block);
    kept.gap = NULL;
    kept.votes = NULL;
    return kept;
}

static double apart(size_t K, const mtc_real *a, const mtc_real *b)
{
    double most = 0;
    for (size_t k = 0; k < K; k++)
        most = fmax(most, fabs((double)a[k] - (double)b[k]));
    return most;
}

/* ---- gaps --------------------------------------------------------------- */

/* s equal rows are a complete graph: values 1, and -1/(s-1) otherwise. */
TEST equal_rows_are_components(void)
{
    enum { S = 25 };      /* 80 % of them have ten others yet */
    for (size_t c = 1; c <= 14; c += c < 3 ? 1 : c == 3 ? 9 : 2) {
        mtc_real gap[12];
        size_t K = S * c / 6 < 12 ? S * c / 6 : 12;
        for (size_t e = 0; e < S * c * 2; e++)
            rows[e] = (mtc_real)(e % 2 == 0 ? e / 2 % c : e / 2 % c % 4 * 3);
        mtc_data X = mtc_dense(S * c, 2, rows);
        mtc_choose_result r = choose(&X, 1, 1, 1, 12, gap);
        ASSERT_EQ(K, r.limit);
        for (size_t k = 1; k <= K; k++) {
            double expected = k == c ? 1 + 1.0 / (S - 1) : 0;
            ASSERT_IN_RANGE(expected, (double)gap[k - 1], (double)TOL(1e-12));
        }
        ASSERT_EQ(c <= 12 ? c : 12, r.k);       /* all gaps are 0: the limit */
        ASSERT_EQ(c > 1 ? MTC_VERDICT_CLEAR : MTC_VERDICT_NONE, r.verdict);
    }
    PASS();
}

/* Rows on a circle: each has five neighbors on either side, so the values are
 * those of a circulant matrix, (1/5) sum over s = 1..5 of cos(2 pi m s / n). */
TEST a_circle_has_the_gaps_of_a_circulant(void)
{
    enum { C = 120 };
    const double turn = 2 * 3.14159265358979323846 / C;
    mtc_real gap[12];
    double value[C];
    for (size_t i = 0; i < C; i++) {
        rows[2 * i] = (mtc_real)cos(turn * (double)i);
        rows[2 * i + 1] = (mtc_real)sin(turn * (double)i);
        value[i] = 0;
        for (size_t s = 1; s <= 5; s++)
            value[i] += cos(turn * (double)(i * s)) / 5;
    }
    for (size_t i = 1; i < C; i++)              /* descending */
        for (size_t a = i; a > 0 && value[a] > value[a - 1]; a--) {
            double keep = value[a];
            value[a] = value[a - 1];
            value[a - 1] = keep;
        }
    mtc_data X = mtc_dense(C, 2, rows);
    ASSERT_EQ(12, choose(&X, 1, 1, 1, 12, gap).limit);
    for (size_t k = 0; k < 12; k++)
        ASSERT_IN_RANGE(value[k] - value[k + 1], (double)gap[k],
                        (double)TOL(1e-10));
    PASS();
}

/* The graph and its values again, from the definition: all distances sorted,
 * Jacobi's method. */
TEST gaps_are_those_of_the_definition(void)
{
    enum { B = 70, NEAR = 10 };
    static mtc_real A[B * B], w[B];
    static double D[B][B], far[B];
    mtc_real gap[12];
    mtc_data X = blobs(rows, B, 4, 4, 4, 7);
    for (size_t i = 0; i < B; i++)
        for (size_t c = 0; c < B; c++) {
            D[i][c] = 0;
            for (size_t e = 0; e < 4; e++)
                D[i][c] += pow((double)rows[i * 4 + e] -
                               (double)rows[c * 4 + e], 2);
        }
    for (size_t i = 0; i < B; i++)
        for (size_t c = 0; c < B; c++) {
            size_t below = 0, equal = 0;
            for (size_t e = 0; e < B; e++) {
                below += e != i && D[i][e] < D[i][c];
                equal += e != i && D[i][e] <= D[i][c];
            }
            if (c != i && below < NEAR && equal >= NEAR)
                far[i] = D[i][c];               /* the tenth nearest */
        }
    double degree[B];
    for (size_t i = 0; i < B; i++) {
        degree[i] = 0;
        for (size_t c = 0; c < B; c++)
            degree[i] += i != c && (D[i][c] <= far[i] || D[i][c] <= far[c]);
    }
    for (size_t e = 0; e < B * B; e++) {
        size_t i = e / B, c = e % B;
        int joined = i != c && (D[i][c] <= far[i] || D[i][c] <= far[c]);
        A[e] = (mtc_real)(joined / sqrt(degree[i] * degree[c]));
    }
    void *work = test_malloc(mtc_jacobi_work(B));
    ASSERT_EQ(MTC_OK, mtc_jacobi(B, A, B, w, NULL, 0, work));
    free(work);
    ASSERT_EQ(11, choose(&X, 1, 1, 1, 12, gap).limit);
    for (size_t k = 0; k < 11; k++)
        ASSERT_IN_RANGE((double)w[B - 1 - k] - (double)w[B - 2 - k],
                        (double)gap[k], (double)TOL(1e-10));
    PASS();
}

/* Order of rows, shift, rotation, scale and seed change no gap. */
TEST gaps_do_not_depend_on_how_a_task_is_put(void)
{
    enum { B = 90, W = 5 };
    mtc_real gap[12], moved[12];
    mtc_data X = blobs(rows, B, W, 3, 5, 3);
    choose(&X, 1, 1, 1, 12, gap);
    ASSERT_EQ(3, choose(&X, 1, 99, 1, 12, moved).best);
    ASSERT_MEM_EQ(gap, moved, sizeof gap);      /* the seed */
    mtc_data Y = mtc_dense(B, W, other);
    for (int how = 0; how < 4; how++) {
        for (size_t i = 0; i < B; i++)
            for (size_t e = 0; e < W; e++) {
                size_t from = how == 0 ? i * 7 % B : i;
                mtc_real x = rows[from * W + e];
                mtc_real y = rows[from * W + (e + 1) % W];
                other[i * W + e] = how == 1 ? x + 100
                                   : how == 2 && e == 0
                                       ? (mtc_real)0.6 * x + (mtc_real)0.8 * y
                                   : how == 2 && e == 1
                                       ? (mtc_real)-0.8 * rows[i * W] +
                                             (mtc_real)0.6 * x
                                   : how == 3 ? x * (mtc_real)1e-5 : x;
            }
        choose(&Y, 1, 1, 1, 12, moved);
        ASSERT(apart(12, gap, moved) < (sizeof(mtc_real) == 8 ? 1e-9 : 0.02));
    }
    PASS();
}

/* The curve of several tasks is the mean; that of copies is the task's. */
TEST tasks_share_one_curve(void)
{
    mtc_real gap[12], second[12], both[12];
    mtc_data T[3] = {blobs(rows, 60, 5, 3, 6, 1), blobs(other, 90, 5, 2, 6, 2)};
    choose(&T[0], 1, 1, 1, 12, gap);
    choose(&T[1], 1, 1, 1, 12, second);
    ASSERT_EQ(10, choose(T, 2, 1, 1, 12, both).limit);  /* of the smaller */
    for (size_t k = 0; k < 10; k++)
        ASSERT_IN_RANGE(((double)gap[k] + (double)second[k]) / 2,
                        (double)both[k], (double)TOL(1e-10));
    T[1] = T[2] = T[0];
    ASSERT_EQ(3, choose(T, 3, 1, 1, 12, both).k);
    ASSERT(apart(10, gap, both) < (double)TOL(1e-12));
    PASS();
}

/* ---- answers ------------------------------------------------------------- */

TEST three_blobs_are_three_clusters(void)
{
    for (uint64_t seed = 1; seed <= 20 / TEST_FEWER; seed++) {
        mtc_data X = blobs(rows, 60, 5, 3, 8, 100 + seed);
        mtc_choose_result r = choose(&X, 1, seed, 1, 12, NULL);
        ASSERT_EQ(3, r.k);
        ASSERT_EQ(3, r.best);
        ASSERT_EQ(MTC_VERDICT_CLEAR, r.verdict);
        ASSERT_EQ(3, r.candidates);
        size_t of = r.candidate[0].k == 3 ? 0 : r.candidate[1].k == 3 ? 1 : 2;
        ASSERT_EQ(3, r.candidate[of].k);
        ASSERT((double)r.candidate[of].a > 0.98);   /* halves agree, where */
        ASSERT((double)r.candidate[of].a0 < 0.8);   /* a Gaussian's do not */
    }
    PASS();
}

/* Its p is a number of 1/20 .. 1 by chance: in the mean about 1/2. */
TEST one_gaussian_is_one_cluster(void)
{
    size_t one = 0, runs = 20 / TEST_FEWER;
    double p = 0;
    for (uint64_t seed = 1; seed <= runs; seed++) {
        mtc_data X = blobs(rows, 100, 5, 1, 0, seed);
        mtc_choose_result r = choose(&X, 1, seed, 1, 12, NULL);
        one += r.k == 1;
        p += (double)r.p / (double)runs;
        ASSERT_EQ(r.k == 1, r.verdict == MTC_VERDICT_NONE);
        ASSERT(r.best >= 2 && r.best <= 12);
    }
    ASSERT(one * 20 >= 17 * runs);
    if (TEST_FEWER == 1)
        ASSERT(p > 0.3 && p < 0.8);
    PASS();
}

/* A Gaussian long in one direction is no evidence, whatever its axes. */
TEST null_sets_have_the_covariance_of_the_task(void)
{
    size_t one = 0;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        mtc_data X = blobs(rows, 90, 6, 1, 0, seed);
        for (size_t i = 0; i < 90; i++) {
            rows[i * 6] *= 30;
            rows[i * 6 + 1] = rows[i * 6] / 2;  /* of lower rank, too */
        }
        one += choose(&X, 1, seed, 1, 12, NULL).k == 1;
    }
    ASSERT(one >= 4);
    PASS();
}

TEST equal_rows_and_few_rows_are_one_cluster(void)
{
    for (size_t n = 1; n <= 400; n = n < 13 ? n + 1 : n + 129) {
        for (size_t e = 0; e < n * 2; e++)
            rows[e] = (mtc_real)(e % 2);
        mtc_data X = mtc_dense(n, 2, rows);
        mtc_choose_result r = choose(&X, 1, 1, 1, 12, NULL);
        ASSERT_EQ(1, r.k);
        ASSERT(r.p == 1);
        ASSERT_EQ(n < 12 ? MTC_VERDICT_FEW : MTC_VERDICT_NONE, r.verdict);
        ASSERT_EQ(n < 12 ? 0 : n < 14 ? 2 : 12, r.limit);
        ASSERT_EQ(n < 12, r.best == 1);
        ASSERT_EQ(n < 14, r.second == 0);       /* there is no other */
    }
    mtc_data T[2] = {blobs(rows, 60, 5, 3, 8, 1), blobs(other, 11, 5, 1, 0, 1)};
    ASSERT_EQ(MTC_VERDICT_FEW, choose(T, 2, 1, 1, 12, NULL).verdict);
    PASS();
}

TEST a_range_is_kept(void)
{
    mtc_choose_options usual = mtc_choose_defaults();
    ASSERT(usual.min == 1 && usual.max == 12);
    mtc_data X = blobs(rows, 100, 5, 1, 0, 4);
    mtc_choose_result r = choose(&X, 1, 4, 1, 12, NULL);
    ASSERT_EQ(1, r.k);
    r = choose(&X, 1, 4, 2, 12, NULL);          /* "there are groups" */
    ASSERT(r.k >= 2 && r.k == r.best && r.verdict != MTC_VERDICT_NONE);
    r = choose(&X, 1, 4, 5, 6, NULL);
    ASSERT(r.k >= 5 && r.k <= 6);
    ASSERT_EQ(2, r.candidates);
    r = choose(&X, 1, 4, 4, 4, NULL);
    ASSERT_EQ(4, r.k);
    ASSERT_EQ(0, r.second);
    ASSERT_EQ(MTC_VERDICT_CLEAR, r.verdict);    /* nothing else was asked */
    r = choose(&X, 1, 4, 17, 30, NULL);         /* 6 rows a cluster: 16 */
    ASSERT_EQ(MTC_VERDICT_FEW, r.verdict);
    ASSERT_EQ(1, r.k);
    X = blobs(rows, 60, 5, 3, 8, 101);
    r = choose(&X, 1, 1, 1, 3, NULL);
    ASSERT(r.k == 3 && r.limit == 3);           /* at the limit */
    PASS();
}

TEST large_tasks_are_sampled(void)
{
    mtc_data X = blobs(rows, MAX_N, 3, 3, 9, 5);
    mtc_choose_result r = choose(&X, 1, 1, 1, 6, NULL);
    ASSERT_EQ(3, r.k);
    ASSERT_EQ(MTC_VERDICT_CLEAR, r.verdict);
    r = choose(&X, 1, 1, 1, 1000, NULL);
    ASSERT_EQ(500 / 6, r.limit);
    ASSERT_EQ(3, r.k);
    PASS();
}

/* CSR as dense; 240 000 columns cost no memory: nothing is written out. */
TEST sparse_rows_are_not_written_out(void)
{
    enum { B = 48, EACH = 4 };
    static size_t start[B + 1];
    static uint32_t column[B * EACH];
    static mtc_real value[B * EACH], gap[12], wide[12];
    mtc_context ctx = test_context();
    mtc_random rng = mtc_random_seed(3);
    memset(rows, 0, sizeof rows);
    for (size_t i = 0; i < B; i++) {
        start[i + 1] = (i + 1) * EACH;
        for (size_t e = 0; e < EACH; e++) {     /* groups 0 and 1 */
            size_t c = i % 2 == 0 ? e : e + 2;
            column[i * EACH + e] = (uint32_t)c;
            value[i * EACH + e] = 5 + mtc_random_normal(&rng);
            rows[i * 6 + c] = value[i * EACH + e];
        }
    }
    mtc_data X = mtc_dense(B, 6, rows);
    mtc_data S = mtc_csr(B, 6, start, column, value);
    mtc_choose_result a = choose(&X, 1, 1, 1, 12, gap);
    mtc_choose_result b = choose(&S, 1, 1, 1, 12, wide);
    ASSERT_EQ(2, a.k);
    ASSERT_EQ(2, b.k);
    ASSERT(apart(8, gap, wide) < (double)TOL(1e-10));
    for (size_t e = 0; e < B * EACH; e++)
        column[e] *= 40000;
    S = mtc_csr(B, 240000, start, column, value);
    b = choose(&S, 1, 1, 1, 12, wide);
    ASSERT_EQ(2, b.k);
    ASSERT(apart(8, gap, wide) < (double)TOL(1e-10));
    mtc_choose_result r;
    ASSERT_EQ(MTC_OK, mtc_choose(&ctx, &S, 1, NULL, &r));
    ASSERT(ctx.need < 600000);
    mtc_free(&ctx, &r.block);
    PASS();
}

SUITE(choose_suite)
{
    RUN_TEST(equal_rows_are_components);
    RUN_TEST(a_circle_has_the_gaps_of_a_circulant);
    RUN_TEST(gaps_are_those_of_the_definition);
    RUN_TEST(gaps_do_not_depend_on_how_a_task_is_put);
    RUN_TEST(tasks_share_one_curve);
    RUN_TEST(three_blobs_are_three_clusters);
    RUN_TEST(one_gaussian_is_one_cluster);
    RUN_TEST(null_sets_have_the_covariance_of_the_task);
    RUN_TEST(equal_rows_and_few_rows_are_one_cluster);
    RUN_TEST(a_range_is_kept);
    RUN_TEST(large_tasks_are_sampled);
    RUN_TEST(sparse_rows_are_not_written_out);
}
