/* SPDX-License-Identifier: MIT
 *
 * test_directions.c - auto by directions: lengths do not count, and neither new
 * rows nor rows of zeros go where no cluster is.
 */
#include <math.h>
#include <string.h>

#include "greatest.h"
#include "test_util.h"

/* Rows of opposite directions cancel: their cluster has no direction, and the
 * lengths of its rows do not give it one. */
TEST auto_directions_do_not_see_lengths(void)
{
    enum { N = 7, D = 2 };
    static const mtc_real x[N * D] = {1, 0, 1, 0, 1, 0, 1, 0, 0, -1, 0, 1};
    static const mtc_real length[N] = {4, 1, (mtc_real)0.5, 1, 1, 8, 2};
    mtc_context ctx = test_context();
    mtc_auto_options o = mtc_auto_defaults();
    mtc_auto_result unit, longer;
    mtc_real y[N * D];
    for (size_t i = 0; i < N * D; i++)
        y[i] = x[i] * length[i / D];
    mtc_data X = mtc_dense(N, D, x), Y = mtc_dense(N, D, y);
    o.geometry = MTC_GEOMETRY_DIRECTIONS;
    o.runs = 2;
    for (o.clusters = 1; o.clusters <= 3; o.clusters++) {
        size_t values = o.clusters * D;
        ASSERT_EQ(MTC_OK, mtc_auto(&ctx, &X, 1, &o, &unit));
        ASSERT_EQ(MTC_OK, mtc_auto(&ctx, &Y, 1, &o, &longer));
        for (size_t i = 0; i < N; i++)
            ASSERT_EQ_FMT(unit.labels[0][i], longer.labels[0][i], "%d");
        for (size_t e = 0; e < values; e++) {
            ASSERT(unit.centers[0][e] == longer.centers[0][e]);
            ASSERT_IN_RANGE(0, (double)longer.centers[0][e], 1 + 1e-6);
        }
        mtc_free(&ctx, &unit.block);
        mtc_free(&ctx, &longer.block);
    }
    const mtc_real opposite[2] = {4096, -1};
    X = mtc_dense(2, 1, opposite);
    o.clusters = 1;
    ASSERT_EQ(MTC_OK, mtc_auto(&ctx, &X, 1, &o, &unit));
    ASSERT_EQ_FMT(0.0, (double)unit.centers[0][0], "%g");
    mtc_free(&ctx, &unit.block);
    PASS();
}

/* Texts of three kinds, five clusters: two are empty, and get neither a text of
 * another word nor one without words. */
TEST auto_directions_assign_to_clusters_that_are_there(void)
{
    enum { N = 60, D = 40 };
    static mtc_real x[N * D], y[2 * D];
    mtc_context ctx = test_context();
    mtc_auto_options o = mtc_auto_defaults();
    mtc_auto_result r;
    int labels[2], used[5] = {0};
    for (size_t i = 0; i < N; i++)
        x[i * D + i % 3] = 1;
    y[D - 1] = 1;
    mtc_data X = mtc_dense(N, D, x), Y = mtc_dense(2, D, y);
    o.clusters = 5;
    o.geometry = MTC_GEOMETRY_DIRECTIONS;
    ASSERT_EQ(MTC_OK, mtc_auto(&ctx, &X, 1, &o, &r));
    ASSERT_EQ_FMT((size_t)3, r.k_effective[0], "%zu");
    for (size_t i = 0; i < N; i++)
        used[r.labels[0][i]]++;
    ASSERT_EQ(MTC_OK, mtc_auto_assign(&ctx, &Y, 0, &r, labels));
    ASSERT(used[labels[0]] > 0);
    ASSERT(used[labels[1]] > 0);
    mtc_free(&ctx, &r.block);
    PASS();
}

/* Rows around two directions that are not opposite, five clusters: a new row on
 * the other side of 0 goes to one of those that are there. */
TEST auto_directions_of_signed_rows_pass_over_empty_clusters(void)
{
    enum { N = 60 };
    static mtc_real x[N * 2];
    const mtc_real y[4] = {-1, 0, 0, -1};
    mtc_context ctx = test_context();
    mtc_auto_options o = mtc_auto_defaults();
    mtc_auto_result r;
    int labels[2], used[5] = {0};
    for (size_t i = 0; i < N; i++) {
        x[2 * i] = i % 3 < 2;
        x[2 * i + 1] = i % 3 == 2;
    }
    mtc_data X = mtc_dense(N, 2, x), Y = mtc_dense(2, 2, y);
    o.clusters = 5;
    o.geometry = MTC_GEOMETRY_DIRECTIONS;
    ASSERT_EQ(MTC_OK, mtc_auto(&ctx, &X, 1, &o, &r));
    ASSERT_EQ_FMT((size_t)2, r.k_effective[0], "%zu");
    for (size_t i = 0; i < N; i++)
        used[r.labels[0][i]]++;
    ASSERT_EQ(MTC_OK, mtc_auto_assign(&ctx, &Y, 0, &r, labels));
    ASSERT_EQ(N / 3, used[labels[0]]);      /* products 0 and -1: the other */
    ASSERT_EQ(2 * N / 3, used[labels[1]]);
    mtc_free(&ctx, &r.block);
    PASS();
}

/* Task 1 has no text of group 2, 1 or 0 of task 0, whose numbers it takes: a
 * new text without words goes to a cluster that is there. */
TEST auto_directions_pass_over_an_empty_number(int skip)
{
    enum { N = 60, D = 40 };
    static mtc_real x[2][N * D], y[D];
    mtc_context ctx = test_context();
    mtc_auto_options o = mtc_auto_defaults();
    mtc_auto_result r;
    int label, used[3] = {0};
    memset(x, 0, sizeof x);
    for (size_t i = 0; i < N; i++) {
        x[0][i * D + i % 3] = 1;
        x[1][i * D + (i % 2 + (size_t)skip) % 3] = 1;
    }
    mtc_data X[2] = {mtc_dense(N, D, x[0]), mtc_dense(N, D, x[1])};
    mtc_data Y = mtc_dense(1, D, y);
    o.clusters = 3;
    o.geometry = MTC_GEOMETRY_DIRECTIONS;
    ASSERT_EQ(MTC_OK, mtc_auto(&ctx, X, 2, &o, &r));
    for (size_t i = 0; i < N; i++)
        used[r.labels[1][i]]++;
    ASSERT_EQ(0, used[0] * used[1] * used[2]);
    ASSERT_EQ(MTC_OK, mtc_auto_assign(&ctx, &Y, 1, &r, &label));
    ASSERT_EQ(N / 2, used[label]);
    mtc_free(&ctx, &r.block);
    PASS();
}

/* Texts of random words, each third without any: these are equal rows, so they
 * get one label, those that voted and those that did not, and new ones too.  Of
 * texts of one word the votes part them. */
TEST auto_directions_keep_zero_rows_together(int length)
{
    enum { N = 90, D = 30 };
    static mtc_real x[2][N * D], y[D];
    mtc_auto_options o = mtc_auto_defaults();
    mtc_random words = mtc_random_seed(5);
    memset(x, 0, sizeof x);
    for (size_t t = 0; t < 2; t++)
        for (size_t i = 0; i < N; i++)
            for (int e = 0; e < length && i % 3 != 1; e++)
                x[t][i * D + mtc_random_below(&words, D)] = 1;
    mtc_data X[2] = {mtc_dense(N, D, x[0]), mtc_dense(N, D, x[1])};
    mtc_data Y = mtc_dense(1, D, y);
    o.clusters = 4;
    o.sample = 60;
    o.geometry = MTC_GEOMETRY_DIRECTIONS;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        mtc_context ctx = test_context();
        mtc_auto_result r;
        int label;
        ctx.seed = seed;
        ASSERT_EQ(MTC_OK, mtc_auto(&ctx, X, 2, &o, &r));
        for (size_t t = 0; t < 2; t++) {
            ASSERT_EQ(MTC_OK, mtc_auto_assign(&ctx, &Y, t, &r, &label));
            for (size_t i = 1; i < N; i += 3)
                ASSERT_EQ(label, r.labels[t][i]);
        }
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

/* No row has a direction: the clusters without rows are never the nearest, to
 * rows of zeros nor to others. */
TEST a_task_of_zero_rows_has_one_cluster(void)
{
    enum { N = 8, D = 3, NEW = 5 };
    static const mtc_real x[N * D] = {0};
    static const mtc_real y[NEW * D] = {0, 0, 0, 1, 0, 0, -1, 0, 0,
                                        0, 2, 0, 0, -1, 5};
    mtc_context ctx = test_context();
    mtc_auto_options o = mtc_auto_defaults();
    mtc_auto_result r;
    mtc_data X = mtc_dense(N, D, x), Y = mtc_dense(NEW, D, y);
    int labels[NEW];
    o.geometry = MTC_GEOMETRY_DIRECTIONS;
    o.runs = 2;
    for (o.clusters = 1; o.clusters <= 4; o.clusters++) {
        ASSERT_EQ(MTC_OK, mtc_auto(&ctx, &X, 1, &o, &r));
        ASSERT_EQ(1, r.k_effective[0]);
        ASSERT_EQ(MTC_OK, mtc_auto_assign(&ctx, &Y, 0, &r, labels));
        for (size_t i = 0; i < NEW; i++)
            ASSERT_EQ_FMT(r.labels[0][0], labels[i], "%d");
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

SUITE(directions_suite)
{
    RUN_TEST(auto_directions_do_not_see_lengths);
    RUN_TEST(auto_directions_assign_to_clusters_that_are_there);
    RUN_TEST(auto_directions_of_signed_rows_pass_over_empty_clusters);
    RUN_TEST1(auto_directions_pass_over_an_empty_number, 0);
    RUN_TEST1(auto_directions_pass_over_an_empty_number, 1);
    RUN_TEST1(auto_directions_pass_over_an_empty_number, 2);
    RUN_TEST1(auto_directions_keep_zero_rows_together, 1);
    RUN_TEST1(auto_directions_keep_zero_rows_together, 4);
    RUN_TEST(a_task_of_zero_rows_has_one_cluster);
}
