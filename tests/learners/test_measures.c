/* SPDX-License-Identifier: MIT
 *
 * The measures: worked cases, all matchings tried, sums written out.
 */
#include <math.h>

#include "golden/measures.h"
#include "greatest.h"
#include "test_util.h"

TEST scores_follow_the_worked_cases(void)
{
    mtc_context ctx = test_context();
    for (size_t t = 0; t < sizeof golden_scores / sizeof *golden_scores; t++) {
        const golden_score *g = &golden_scores[t];
        mtc_scores s;
        ASSERT_EQ(MTC_OK, mtc_score(&ctx, g->n, g->y, g->z, &s));
        ASSERT_IN_RANGE(g->acc, (double)s.accuracy, (double)TOL(1e-12));
        ASSERT_IN_RANGE(g->nmi, (double)s.nmi, (double)TOL(1e-10));
        ASSERT_IN_RANGE(g->ari, (double)s.ari, (double)TOL(1e-10));
    }
    PASS();
}

/* Most samples on a one-to-one map of labels 0..3, by trying all 24. */
static size_t best_map(size_t n, const int *a, const int *b)
{
    size_t best = 0;
    for (int code = 0; code < 256; code++) {
        int map[4] = {code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6};
        int seen = 1 << map[0] | 1 << map[1] | 1 << map[2] | 1 << map[3];
        size_t hits = 0;
        for (size_t i = 0; i < n && seen == 15; i++)
            hits += map[a[i]] == b[i];
        best = hits > best ? hits : best;
    }
    return best;
}

TEST accuracy_is_the_best_of_all_matchings_and_ari_counts_pairs(void)
{
    mtc_context ctx = test_context();
    for (uint64_t seed = 1; seed <= 100; seed++) {
        mtc_real u[60];
        int a[30], b[30];
        double both = 0, in_a = 0, in_b = 0, all = 0;
        test_fill(u, 60, seed, 0, 4);
        for (size_t i = 0; i < 30; i++) {
            a[i] = (int)u[i];
            b[i] = u[30 + i] < 2 ? a[i] : (int)u[30 + i];
        }
        for (size_t i = 0; i < 30; i++)
            for (size_t j = 0; j < i; j++) {
                both += a[i] == a[j] && b[i] == b[j];
                in_a += a[i] == a[j];
                in_b += b[i] == b[j];
                all += 1;
            }
        double expected = in_a * in_b / all;
        mtc_scores s;
        ASSERT_EQ(MTC_OK, mtc_score(&ctx, 30, a, b, &s));
        ASSERT_IN_RANGE((double)best_map(30, a, b) / 30, (double)s.accuracy,
                        (double)TOL(1e-12));
        ASSERT_IN_RANGE((both - expected) / ((in_a + in_b) / 2 - expected),
                        (double)s.ari, (double)TOL(1e-12));
        ASSERT(s.purity >= s.accuracy - TEST_EPS * 4);
    }
    PASS();
}

TEST scores_of_a_known_pair(void)
{
    /* H(a) = ln 2; b splits one class: H(b) = 1.5 ln 2, I = ln 2 */
    int a[4] = {7, 7, -3, -3}, b[4] = {0, 0, 1, 2}, c[4] = {7, 7, -3, 9};
    mtc_context ctx = test_context();
    mtc_scores s;
    ASSERT_EQ(MTC_OK, mtc_score(&ctx, 4, a, b, &s));
    ASSERT_IN_RANGE(sqrt(2.0 / 3), (double)s.nmi, (double)TOL(1e-14));
    ASSERT_EQ(1, s.purity);
    ASSERT_EQ((mtc_real)0.75, s.accuracy);
    ASSERT_EQ(0, s.direct);
    ASSERT_EQ(MTC_OK, mtc_score(&ctx, 4, a, c, &s));
    ASSERT_EQ((mtc_real)0.75, s.direct);
    ASSERT_EQ(MTC_INVALID, mtc_score(&ctx, 0, a, b, &s));
    PASS();
}

TEST contingency_counts_every_pair_of_labels(void)
{
    int a[6] = {5, -2147483647 - 1, 5, 2147483647, 5, 0};
    int b[6] = {1, 1, 2, 2, 1, 1};
    mtc_context ctx = test_context();
    mtc_contingency_result t;
    ASSERT_EQ(MTC_OK, mtc_contingency(&ctx, 6, a, b, &t));
    ASSERT_EQ(4, t.rows);
    ASSERT_EQ(2, t.columns);
    ASSERT_EQ(-2147483647 - 1, t.row_label[0]);
    ASSERT_EQ(2147483647, t.row_label[3]);
    const size_t count[8] = {1, 0, 1, 0, 2, 1, 0, 1};
    ASSERT_MEM_EQ(count, t.count, sizeof count);
    ASSERT_EQ(0, t.match[2]);           /* 5 - 1, and one of the rest - 2 */
    ASSERT_EQ(1, t.match[3]);
    ASSERT_EQ(MTC_NONE, t.match[0]);
    mtc_free(&ctx, &t.block);
    PASS();
}

TEST silhouette_is_its_definition(void)
{
    mtc_real x[30 * 3], value[30], mean;
    int h[30];
    mtc_context ctx = test_context();
    for (uint64_t seed = 1; seed <= 10; seed++) {
        test_fill(x, 90, seed, 0, 1);
        for (size_t i = 0; i < 30; i++)
            h[i] = (int)(i * i % 5);    /* label 2, 3 unused; sizes differ */
        mtc_data X = mtc_dense(30, 3, x);
        ASSERT_EQ(MTC_OK, mtc_silhouette(&ctx, &X, h, 5, value, &mean));
        double total = 0;
        for (size_t i = 0; i < 30; i++) {
            double sum[5] = {0}, m[5] = {0}, b = 1e300;
            for (size_t j = 0; j < 30; j++) {
                double sq = 0;
                for (size_t c = 0; c < 3; c++) {
                    double t = (double)x[i * 3 + c] - (double)x[j * 3 + c];
                    sq += t * t;
                }
                sum[h[j]] += sqrt(sq);
                m[h[j]] += j != i;
            }
            double a = sum[h[i]] / m[h[i]];
            for (int z = 0; z < 5; z++)
                if (z != h[i] && m[z] > 0 && sum[z] / m[z] < b)
                    b = sum[z] / m[z];
            double s = (b - a) / (a > b ? a : b);
            ASSERT_IN_RANGE(s, (double)value[i], (double)TOL(1e-12));
            total += s;
        }
        ASSERT_IN_RANGE(total / 30, (double)mean, (double)TOL(1e-12));
    }
    PASS();
}

TEST silhouette_is_zero_for_singletons_one_cluster_and_equal_points(void)
{
    mtc_real x[4] = {0, 0, 0, 5}, value[4];
    int h[4] = {0, 0, 1, 2}, one[4] = {0, 0, 0, 0};
    mtc_context ctx = test_context();
    mtc_data X = mtc_dense(4, 1, x);
    ASSERT_EQ(MTC_OK, mtc_silhouette(&ctx, &X, h, 3, value, NULL));
    ASSERT_EQ(0, value[0]);             /* a = b = 0 */
    ASSERT_EQ(0, value[2]);             /* alone */
    ASSERT_EQ(0, value[3]);
    ASSERT_EQ(MTC_OK, mtc_silhouette(&ctx, &X, one, 1, value, NULL));
    ASSERT_EQ(0, value[1]);
    ASSERT_EQ(MTC_INVALID, mtc_silhouette(&ctx, &X, h, 2, value, NULL));
    ASSERT_EQ(3, ctx.error.row);
    PASS();
}

/* Two features whose difference tells the sets apart, 3 sigma on each side: err
 * is .0013 in any unit and from any origin. */
TEST a_distance_has_no_origin(void)
{
    enum { N = 200 };
    static mtc_real x[2 * N], y[2 * N];
    const mtc_data X = mtc_dense(N, 2, x), Y = mtc_dense(N, 2, y);
    for (double far = 0; far < (sizeof *x == 8 ? 1e7 : 1e3); far = 10 * far + 1) {
        mtc_random rng = mtc_random_seed(1);
        mtc_real out;
        for (size_t i = 0; i < 2 * N; i++) {
            mtc_real *row = i < N ? x + 2 * i : y + 2 * (i - N);
            mtc_real u = mtc_random_normal(&rng) + (mtc_real)far;
            row[0] = u;
            row[1] = u + mtc_random_normal(&rng) / 20 +
                     (mtc_real)(i < N ? 0 : .3);
        }
        ASSERT_EQ(MTC_OK, mtc_a_distance(NULL, &X, &Y, &out));
        ASSERT_IN_RANGE(2., out, .1);
    }
    PASS();
}

/* N(0,1) and N(3,1) overlap in 6.7 %: 2 (1 - 2 err) is 1.73, whatever constant
 * stands beside them. */
TEST a_distance_does_not_see_a_constant_column(void)
{
    enum { N = 200 };
    static mtc_real x[2 * N], y[2 * N];
    mtc_real out;
    const mtc_data X = mtc_dense(N, 2, x), Y = mtc_dense(N, 2, y);
    for (double far = 1; far < (sizeof *x == 8 ? 1e12 : 2e6); far *= 10) {
        mtc_random rng = mtc_random_seed(1);
        for (size_t i = 0; i < N; i++) {
            x[2 * i] = y[2 * i] = (mtc_real)far;
            x[2 * i + 1] = mtc_random_normal(&rng);
            y[2 * i + 1] = mtc_random_normal(&rng) + 3;
        }
        ASSERT_EQ(MTC_OK, mtc_a_distance(NULL, &X, &Y, &out));
        ASSERT_IN_RANGE(1.73, out, 0.1);
    }
    PASS();
}

TEST a_distance_tells_equal_from_different_and_stays_within_its_bounds(void)
{
    static mtc_real x[300 * 4], y[300 * 4];
    static size_t row[301];
    static uint32_t column[300 * 4];
    static mtc_real value[300 * 4];
    mtc_context ctx = test_context();
    mtc_real out, sparse;
    test_fill(x, 1200, 1, 0, 1);
    test_fill(y, 1200, 2, 0, 1);
    mtc_data X = mtc_dense(300, 4, x), Y = mtc_dense(300, 4, y);
    ASSERT_EQ(MTC_OK, mtc_a_distance(&ctx, &X, &Y, &out));
    ASSERT(out >= 0 && out < (mtc_real)0.35);   /* same law: 3 sigma of .12 */
    for (size_t e = 0; e < 1200; e++)
        y[e] += 3;
    ASSERT_EQ(MTC_OK, mtc_a_distance(&ctx, &X, &Y, &out));
    ASSERT_EQ(2, out);
    test_sparse(300, 4, y, row, column, value);
    mtc_data Z = mtc_csr(300, 4, row, column, value);
    ASSERT_EQ(MTC_OK, mtc_a_distance(&ctx, &X, &Z, &sparse));
    ASSERT_EQ(2, sparse);
    mtc_data one = mtc_dense(1, 4, x);
    ASSERT_EQ(MTC_INVALID, mtc_a_distance(&ctx, &X, &one, &out));
    PASS();
}

TEST complexity_is_the_share_of_rare_features(void)
{
    static mtc_real x[25 * 9], value[25 * 9];
    size_t row[26];
    uint32_t column[25 * 9];
    mtc_real out;
    mtc_context ctx = test_context();
    for (size_t e = 0; e < 225; e++)
        x[e] = (mtc_real)complexity_X[e];
    test_sparse(25, 9, x, row, column, value);
    mtc_data X = mtc_dense(25, 9, x), S = mtc_csr(25, 9, row, column, value);
    const mtc_real tenth = (mtc_real)0.1;
    ASSERT_EQ(MTC_OK, mtc_complexity(&ctx, &X, tenth, &out));
    ASSERT_IN_RANGE((mtc_real)(1.0 / 9), out, TOL(1e-15));
    ASSERT_EQ(MTC_OK, mtc_complexity(&ctx, &S, tenth, &out));
    ASSERT_IN_RANGE((mtc_real)(1.0 / 9), out, TOL(1e-15));
    PASS();
}

TEST emd_between_partitions_matches_clusters_of_equal_share(void)
{
    /* three clusters a side, 2 samples each: an assignment of means */
    mtc_real x[6] = {0, 2, 10, 12, 20, 22}, y[6] = {21, 25, 3, 3, 9, 13};
    int a[6] = {0, 0, 1, 1, 2, 2}, b[6] = {0, 0, 3, 3, 1, 1};
    mtc_context ctx = test_context();
    mtc_data X = mtc_dense(6, 1, x), Y = mtc_dense(6, 1, y);
    mtc_real out;
    ASSERT_EQ(MTC_OK, mtc_partition_emd(&ctx, &X, a, 3, &Y, b, 4, NULL, &out));
    /* means 1 11 21 against 3 11 23, each a third: (4 + 0 + 4) / 3 */
    ASSERT_IN_RANGE((mtc_real)(8.0 / 3), out, TOL(1e-13));
    mtc_divergence kl = mtc_kl();
    ASSERT_EQ(MTC_DOMAIN, mtc_partition_emd(&ctx, &X, a, 3, &Y, b, 4, &kl,
                                            &out));
    PASS();
}

TEST a_buffer_of_the_need_is_enough(void)
{
    double buffer[2];
    const mtc_real x[3] = {1, 0, 2};
    const mtc_data X = mtc_dense(3, 1, x);
    mtc_real out;
    mtc_context ask = mtc_measure();
    ASSERT_EQ(MTC_NO_MEMORY, mtc_complexity(&ask, &X, 1, &out));
    ASSERT(ask.need <= sizeof buffer);
    mtc_arena arena = mtc_arena_over(buffer, ask.need);
    mtc_context ctx = mtc_arena_context(&arena);
    ASSERT_EQ(MTC_OK, mtc_complexity(&ctx, &X, 1, &out));
    ASSERT(out == 1);  /* two of three is below all */
    PASS();
}

SUITE(measures_suite)
{
    RUN_TEST(scores_follow_the_worked_cases);
    RUN_TEST(accuracy_is_the_best_of_all_matchings_and_ari_counts_pairs);
    RUN_TEST(scores_of_a_known_pair);
    RUN_TEST(contingency_counts_every_pair_of_labels);
    RUN_TEST(silhouette_is_its_definition);
    RUN_TEST(silhouette_is_zero_for_singletons_one_cluster_and_equal_points);
    RUN_TEST(a_distance_has_no_origin);
    RUN_TEST(a_distance_does_not_see_a_constant_column);
    RUN_TEST(a_buffer_of_the_need_is_enough);
    RUN_TEST(a_distance_tells_equal_from_different_and_stays_within_its_bounds);
    RUN_TEST(complexity_is_the_share_of_rare_features);
    RUN_TEST(emd_between_partitions_matches_clusters_of_equal_share);
}
