/* SPDX-License-Identifier: MIT
 *
 * Rows far from all others: grids of points, whose limits are known by hand.
 */
#include "greatest.h"
#include "test_util.h"

enum { SIDE = 10, GRID = SIDE * SIDE, MAX_N = 2000 };

static mtc_real rows[2 * MAX_N];
static int far[MAX_N];

/* A grid of 10 x 10 points at whole numbers, and behind it those of `more`. */
static mtc_data grid_and(size_t n, const mtc_real (*more)[2])
{
    for (size_t i = 0; i < GRID; i++) {
        rows[2 * i] = (mtc_real)(i % SIDE);
        rows[2 * i + 1] = (mtc_real)(i / SIDE);
    }
    for (size_t i = 0; i < n; i++) {
        rows[2 * (GRID + i)] = more[i][0];
        rows[2 * (GRID + i) + 1] = more[i][1];
    }
    return mtc_dense(GRID + n, 2, rows);
}

/* How many rows are far; SIZE_MAX if one of the first `inner` is. */
static size_t found_behind(size_t inner, const mtc_data *X, uint64_t seed)
{
    mtc_context ctx = test_context();
    size_t found = 0;
    ctx.seed = seed;
    for (size_t i = 0; i < X->n; i++)
        far[i] = 7;
    if (mtc_far_rows(&ctx, X, far) != MTC_OK)
        return SIZE_MAX;
    for (size_t i = 0; i < X->n; i++) {
        if (far[i] != 0 && (far[i] != 1 || i < inner))
            return SIZE_MAX;
        found += (size_t)far[i];
    }
    return found;
}

/* The 4th nearest of a point x beside a corner, itself too, is at x^2 + 4.  The
 * variance of the grid is 2 (10^2 - 1) / 12 = 16.5, and 4 times that is 66. */
TEST a_row_beside_a_grid_is_far_beyond_the_spread(void)
{
    const mtc_real within[1][2] = {{(mtc_real)16.8, 9}},
                   beyond[1][2] = {{17, 9}};
    mtc_data X = grid_and(1, within);
    ASSERT_EQ(0, found_behind(GRID, &X, 1));
    X = grid_and(1, beyond);
    ASSERT_EQ(1, found_behind(GRID, &X, 1));
    for (size_t e = 0; e < 2 * X.n; e++)        /* in other units */
        rows[e] = rows[e] * 1000 - 5000;
    ASSERT_EQ(1, found_behind(GRID, &X, 1));
    PASS();
}

/* 0..99 deviate by (100^2 - 1) / 12, so 57.7 to the 4th nearest is far. */
TEST ends_of_one_column_are_not_far(void)
{
    for (size_t i = 0; i < 100; i++)
        rows[i] = (mtc_real)i;
    mtc_data X = mtc_dense(101, 1, rows);
    rows[100] = 99 + 55;
    ASSERT_EQ(0, found_behind(100, &X, 1));
    rows[100] = 99 + 56;
    ASSERT_EQ(1, found_behind(100, &X, 1));
    PASS();
}

/* Are `most` rows behind the grid far, and none if there is one more? */
static int far_up_to(size_t most, const mtc_real (*more)[2])
{
    mtc_data X = grid_and(most, more);
    if (found_behind(GRID, &X, 1) != most)
        return 0;
    X = grid_and(most + 1, more);
    return found_behind(GRID, &X, 1) == 0;
}

/* Four copies have one another, three have not enough. */
TEST a_small_group_is_not_far(void)
{
    const mtc_real copies[4][2] = {{1e4f, 1e4f}, {1e4f, 1e4f}, {1e4f, 1e4f},
                                   {1e4f, 1e4f}};
    ASSERT(far_up_to(3, copies));
    PASS();
}

TEST more_than_one_of_twenty_is_a_tail(void)
{
    const mtc_real each[6][2] = {{1000, 0}, {0, 1000}, {-1000, 0}, {0, -1000},
                                 {3000, 0}, {0, 3000}};
    ASSERT(far_up_to(5, each));
    PASS();
}

TEST few_rows_and_sparse_rows_are_not_judged(void)
{
    const size_t row[22] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
                            15, 16, 17, 18, 19, 20, 21};
    const uint32_t column[21] = {0};
    for (size_t i = 0; i < 21; i++)
        rows[i] = i == 20 ? 1000 : (mtc_real)(i / 2);
    mtc_data X = mtc_dense(21, 1, rows);
    ASSERT_EQ(1, found_behind(20, &X, 1));
    X = mtc_csr(21, 1, row, column, rows);
    ASSERT_EQ(0, found_behind(20, &X, 1));
    X = mtc_dense(19, 1, rows + 2);
    ASSERT_EQ(0, found_behind(18, &X, 1));
    PASS();
}

/* 30 of 2000 rows, of which 500 are drawn, are a group at any seed; three slips
 * are none, drawn or not. */
TEST of_many_rows_some_are_drawn(void)
{
    mtc_random rng = mtc_random_seed(3);
    for (size_t e = 0; e < 2 * MAX_N; e++)
        rows[e] = mtc_random_normal(&rng) + (e / 2 < MAX_N - 30 ? 0 : 60);
    mtc_data X = mtc_dense(MAX_N, 2, rows);
    for (uint64_t seed = 1; seed <= 10; seed++)
        ASSERT_EQ(0, found_behind(MAX_N, &X, seed));
    X.n = MAX_N - 27;
    for (uint64_t seed = 1; seed <= 10; seed++)
        ASSERT_EQ(3, found_behind(MAX_N - 30, &X, seed));
    PASS();
}

SUITE(far_rows)
{
    RUN_TEST(a_row_beside_a_grid_is_far_beyond_the_spread);
    RUN_TEST(ends_of_one_column_are_not_far);
    RUN_TEST(a_small_group_is_not_far);
    RUN_TEST(more_than_one_of_twenty_is_a_tail);
    RUN_TEST(few_rows_and_sparse_rows_are_not_judged);
    RUN_TEST(of_many_rows_some_are_drawn);
}
