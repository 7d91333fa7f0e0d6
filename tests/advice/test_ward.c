/* SPDX-License-Identifier: MIT
 *
 * Ward's tree: against the plain search for the cheapest union, whose cost is
 * taken from the means; its cuts; heights that mathematics gives.
 */
#include <math.h>

#include "greatest.h"
#include "test_util.h"

enum { MAX_N = 60, MAX_D = 4 };

static mtc_real rows[MAX_N * MAX_D];
static int labels[MAX_N], other[MAX_N];

/* What joining the clusters a and b of `label` costs, by its definition. */
static double cost(size_t n, size_t d, const mtc_real *x, const int *label,
                   int a, int b)
{
    double size[2] = {0, 0}, mean[2][MAX_D] = {{0}}, sum = 0;
    for (size_t i = 0; i < n; i++) {
        if (label[i] != a && label[i] != b)
            continue;
        int side = label[i] == b;
        size[side] += 1;
        for (size_t f = 0; f < d; f++)
            mean[side][f] += (double)x[i * d + f];
    }
    for (size_t f = 0; f < d; f++)
        sum += pow(mean[0][f] / size[0] - mean[1][f] / size[1], 2);
    return 2 * size[0] * size[1] / (size[0] + size[1]) * sum;
}

/* Joins the cheapest pair of clusters; returns the height. */
static double join_cheapest(size_t n, size_t d, const mtc_real *x, int *label)
{
    double least = HUGE_VAL;
    int from = 0, to = 0;
    for (int a = 0; a < (int)n; a++)
        for (int b = 0; b < a; b++) {
            int there = 0;
            for (size_t i = 0; i < n; i++)
                there |= label[i] == a ? 1 : label[i] == b ? 2 : 0;
            if (there < 3)
                continue;
            double v = cost(n, d, x, label, a, b);
            if (v < least) {
                least = v;
                from = a;
                to = b;
            }
        }
    for (size_t i = 0; i < n; i++)
        label[i] = label[i] == from ? to : label[i];
    return sqrt(least);
}

/* The same partition, under names in the order of the first rows? */
static int same_cut(size_t n, const int *label, const int *cut, int k)
{
    int name[MAX_N], next = 0;
    for (size_t i = 0; i < n; i++)
        name[i] = -1;
    for (size_t i = 0; i < n; i++) {
        if (name[label[i]] < 0)
            name[label[i]] = next++;
        if (name[label[i]] != cut[i])
            return 0;
    }
    return next == k;
}

TEST unions_are_the_cheapest(size_t d)
{
    enum { B = 30 };
    mtc_context ctx = test_context();
    for (uint64_t seed = 1; seed <= 4; seed++) {
        mtc_ward_result tree;
        double slack = 0;
        test_fill(rows, B * d, seed, -3, 3);
        mtc_data X = mtc_dense(B, d, rows);
        ASSERT_EQ(MTC_OK, mtc_ward(&ctx, &X, &tree));
        ASSERT_EQ(B, tree.n);
        for (int i = 0; i < B; i++)
            other[i] = i;
        for (size_t e = 0; e + 1 < B; e++) {
            double height = join_cheapest(B, d, rows, other);
            slack = fmax(slack, fabs(height - (double)tree.height[e]));
            size_t k = B - 1 - e;
            ASSERT_EQ(MTC_OK, mtc_ward_cut(&ctx, &tree, k, labels));
            ASSERT(same_cut(B, other, labels, (int)k));
        }
        ASSERT(slack < (double)TOL(1e-12) * 10);
        mtc_free(&ctx, &tree.block);
    }
    PASS();
}

/* Rows 0, 1 and 5 on a line: 1, then 2 (1 2 / 3) 4.5^2 = 27. */
TEST three_rows_by_hand(void)
{
    mtc_context ctx = test_context();
    mtc_real x[3] = {0, 5, 1};
    mtc_data X = mtc_dense(3, 1, x);
    mtc_ward_result tree;
    ASSERT_EQ(MTC_OK, mtc_ward(&ctx, &X, &tree));
    ASSERT_EQ(0, tree.first[0]);
    ASSERT_EQ(2, tree.second[0]);
    ASSERT_EQ(0, tree.first[1]);
    ASSERT_EQ(1, tree.second[1]);
    ASSERT_IN_RANGE(1, (double)tree.height[0], (double)TOL(1e-15));
    ASSERT_IN_RANGE(sqrt(27), (double)tree.height[1], (double)TOL(1e-14));
    ASSERT_EQ(MTC_OK, mtc_ward_cut(&ctx, &tree, 2, labels));
    ASSERT(labels[0] == 0 && labels[1] == 1 && labels[2] == 0);
    mtc_free(&ctx, &tree.block);
    PASS();
}

/* The last height of all squares to twice the rise of the sum of squares, so
 * all of them together to twice the whole of it. */
TEST heights_add_up_to_the_spread(void)
{
    mtc_context ctx = test_context();
    test_fill(rows, MAX_N * 3, 9, 0, 5);
    mtc_data X = mtc_dense(MAX_N, 3, rows);
    mtc_ward_result tree;
    double spread = 0, sum = 0;
    for (size_t f = 0; f < 3; f++) {
        double mean = 0;
        for (size_t i = 0; i < MAX_N; i++)
            mean += (double)rows[i * 3 + f] / MAX_N;
        for (size_t i = 0; i < MAX_N; i++)
            spread += pow((double)rows[i * 3 + f] - mean, 2);
    }
    ASSERT_EQ(MTC_OK, mtc_ward(&ctx, &X, &tree));
    for (size_t e = 0; e + 1 < MAX_N; e++)
        sum += pow((double)tree.height[e], 2);
    ASSERT_IN_RANGE(2 * spread, sum, (double)TOL(1e-12) * spread);
    mtc_free(&ctx, &tree.block);
    PASS();
}

/* Equal heights everywhere: corners of a grid, and rows that are all equal. */
TEST a_cut_among_ties_has_k_clusters(int how)
{
    mtc_context ctx = test_context();
    for (size_t i = 0; i < 36; i++) {
        rows[2 * i] = (mtc_real)(how == 0 ? i % 6 : 7);
        rows[2 * i + 1] = (mtc_real)(how == 0 ? i / 6 : 7);
    }
    mtc_data X = mtc_dense(36, 2, rows);
    mtc_ward_result tree;
    ASSERT_EQ(MTC_OK, mtc_ward(&ctx, &X, &tree));
    for (int k = 1; k <= 36; k++) {
        ASSERT_EQ(MTC_OK, mtc_ward_cut(&ctx, &tree, (size_t)k, labels));
        ASSERT(same_cut(36, labels, labels, k));
    }
    for (size_t i = 0; i < 36; i++)             /* 36 clusters: themselves */
        ASSERT_EQ((int)i, labels[i]);
    mtc_free(&ctx, &tree.block);
    PASS();
}

/* Dense rows and the same as CSR: one tree. */
TEST sparse_rows_are_the_same(void)
{
    enum { B = 40, W = 4 };
    static size_t start[B + 1];
    static uint32_t column[B * W];
    static mtc_real value[B * W];
    mtc_context ctx = test_context();
    mtc_ward_result a, b;
    test_fill(rows, B * W, 4, -2, 4);
    for (size_t e = 0; e < B * W; e++)
        rows[e] = rows[e] < 0 ? 0 : (mtc_real)(int)(8 * rows[e]);
    rows[0] = 1;
    mtc_data X = mtc_dense(B, W, rows);
    test_sparse(B, W, rows, start, column, value);
    mtc_data Y = mtc_csr(B, W, start, column, value);
    ASSERT_EQ(MTC_OK, mtc_ward(&ctx, &X, &a));
    ASSERT_EQ(MTC_OK, mtc_ward(&ctx, &Y, &b));
    ASSERT_MEM_EQ(a.first, b.first, (B - 1) * sizeof *a.first);
    ASSERT_MEM_EQ(a.second, b.second, (B - 1) * sizeof *a.second);
    ASSERT_MEM_EQ(a.height, b.height, (B - 1) * sizeof *a.height);
    mtc_free(&ctx, &a.block);
    mtc_free(&ctx, &b.block);
    PASS();
}

TEST one_row_is_a_tree(void)
{
    mtc_context ctx = test_context();
    mtc_real x[2] = {1, 2};
    mtc_data X = mtc_dense(1, 2, x);
    mtc_ward_result tree;
    ASSERT_EQ(MTC_OK, mtc_ward(&ctx, &X, &tree));
    ASSERT_EQ(1, tree.n);
    ASSERT_EQ(MTC_OK, mtc_ward_cut(&ctx, &tree, 1, labels));
    ASSERT_EQ(0, labels[0]);
    mtc_free(&ctx, &tree.block);
    PASS();
}

/* A measuring context has no memory, and is told no need. */
TEST a_cut_needs_a_tree_and_labels(void)
{
    mtc_context ctx = test_context(), ask = mtc_measure();
    test_fill(rows, 50 * 3, 2, 0, 1);
    mtc_data X = mtc_dense(50, 3, rows), shape = mtc_shape(50, 3, 0);
    mtc_ward_result tree;
    ASSERT_EQ(MTC_NO_MEMORY, mtc_ward(&ask, &shape, &tree));
    ASSERT_EQ(0, ask.need);
    ASSERT_EQ(MTC_INVALID, mtc_ward(&ctx, &shape, &tree));
    ASSERT_EQ(MTC_OK, mtc_ward(&ctx, &X, &tree));
    ASSERT_EQ(0, ctx.need);
    labels[0] = 7;
    ASSERT_EQ(MTC_INVALID, mtc_ward_cut(&ctx, &tree, 2, NULL));
    ASSERT_EQ(MTC_INVALID, mtc_ward_cut(&ctx, NULL, 2, labels));
    ASSERT_EQ(MTC_INVALID, mtc_ward_cut(&ctx, &tree, 51, labels));
    ASSERT_EQ(7, labels[0]);
    mtc_free(&ctx, &tree.block);
    PASS();
}

/* A tree that somebody else made may name any row of a cluster. */
TEST cuts_follow_rows_that_are_not_the_lowest(void)
{
    mtc_context ctx = test_context();
    size_t first[4] = {3, 1, 2, 0}, second[4] = {4, 2, 3, 4};
    mtc_real height[4] = {1, 2, 3, 4};
    mtc_ward_result tree = {.n = 5, .first = first, .second = second,
                            .height = height};
    const int three[5] = {0, 1, 1, 2, 2}, two[5] = {0, 1, 1, 1, 1};
    ASSERT_EQ(MTC_OK, mtc_ward_cut(&ctx, &tree, 3, labels));
    ASSERT_MEM_EQ(three, labels, sizeof three);
    ASSERT_EQ(MTC_OK, mtc_ward_cut(&ctx, &tree, 2, labels));
    ASSERT_MEM_EQ(two, labels, sizeof two);
    ASSERT_EQ(MTC_OK, mtc_ward_cut(&ctx, &tree, 1, labels));
    for (size_t i = 0; i < 5; i++)
        ASSERT_EQ(0, labels[i]);
    PASS();
}

SUITE(ward_suite)
{
    RUN_TEST(cuts_follow_rows_that_are_not_the_lowest);
    RUN_TESTp(unions_are_the_cheapest, 1);
    RUN_TESTp(unions_are_the_cheapest, 3);
    RUN_TEST(three_rows_by_hand);
    RUN_TEST(heights_add_up_to_the_spread);
    RUN_TESTp(a_cut_among_ties_has_k_clusters, 0);
    RUN_TESTp(a_cut_among_ties_has_k_clusters, 1);
    RUN_TEST(sparse_rows_are_the_same);
    RUN_TEST(one_row_is_a_tree);
    RUN_TEST(a_cut_needs_a_tree_and_labels);
}
