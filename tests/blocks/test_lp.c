/* SPDX-License-Identifier: MIT
 *
 * test_lp.c - transportation and assignment.
 *
 * Answers are held to certificates (marginals, duals, slackness), to
 * brute force where that is possible, and to worked cases.  All bounds are
 * multiples of the real type's epsilon: the tests hold in float as well.
 */
#include "golden/emd.h"
#include "greatest.h"
#include "test_util.h"

#include <math.h>

#define SIDE 40                     /* largest number of rows or columns */
#define EPS ((double)TEST_EPS)

/* Room for one problem, its answer and its work, all of it poisoned before
 * each call: nothing may depend on what was there. */
typedef struct problem {
    size_t m, n, ldc;
    mtc_real c[SIDE * (SIDE + 3)], a[SIDE], b[SIDE];
    mtc_real plan[SIDE * SIDE], u[SIDE], v[SIDE];
    size_t match[SIDE];
    mtc_emd_info info;
    mtc_real total;
    double work[SIDE * 40];
} problem;

static problem P;

static void poison(void)
{
    memset(P.plan, TEST_POISON, sizeof P.plan);
    memset(P.u, TEST_POISON, sizeof P.u);
    memset(P.v, TEST_POISON, sizeof P.v);
    memset(P.match, TEST_POISON, sizeof P.match);
    memset(&P.info, TEST_POISON, sizeof P.info);
    memset(&P.total, TEST_POISON, sizeof P.total);
    memset(P.work, TEST_POISON, sizeof P.work);
}

static int is_poison(const void *p, size_t size)
{
    const unsigned char *b = (const unsigned char *)p;
    for (size_t i = 0; i < size; i++)
        if (b[i] != TEST_POISON)
            return 0;
    return 1;
}

/* 1 if no output has been touched since poison(). */
static int outputs_untouched(void)
{
    return is_poison(P.plan, sizeof P.plan) && is_poison(P.u, sizeof P.u)
           && is_poison(P.v, sizeof P.v)
           && is_poison(P.match, sizeof P.match)
           && is_poison(&P.info, sizeof P.info)
           && is_poison(&P.total, sizeof P.total);
}

static mtc_status solve(mtc_context *ctx, const mtc_emd_options *opt)
{
    poison();
    return mtc_emd(ctx, P.m, P.n, P.c, P.ldc, P.a, P.b, opt, P.plan, P.u,
                   P.v, &P.info);
}

static mtc_status match(mtc_context *ctx)
{
    poison();
    return mtc_assignment(ctx, P.m, P.n, P.c, P.ldc, P.match, P.u, P.v,
                          &P.total);
}

static void shape(size_t m, size_t n)
{
    P.m = m;
    P.n = n;
    P.ldc = n;
}

static double cost_at(size_t i, size_t j)
{
    return (double)P.c[i * P.ldc + j];
}

static double largest_cost(void)
{
    double c = 0;
    for (size_t i = 0; i < P.m; i++)
        for (size_t j = 0; j < P.n; j++)
            c = fabs(cost_at(i, j)) > c ? fabs(cost_at(i, j)) : c;
    return c;
}

static double sum_of(size_t n, const mtc_real *x)
{
    double s = 0;
    for (size_t i = 0; i < n; i++)
        s += (double)x[i];
    return s;
}

/* ---- random problems --------------------------------------------------- */

static mtc_random R;

static double uniform(double low, double high)
{
    return low + (high - low) * (double)mtc_random_real(&R);
}

/* 10^x by squaring: no libm function that differs between machines. */
static double ten_to(double x)
{
    double y = 1, f = x < 0 ? -x : x, base = 10;
    int k = (int)f;
    for (f -= k; k > 0; k /= 2, base *= base)
        y *= k % 2 ? base : 1;
    y *= 1 + f * (2.302585 + f * (2.650949 + f * (2.034678 + f * 1.171255)));
    return x < 0 ? 1 / y : y;
}

/* Half the number of decades that costs span: more than a real tells apart. */
static double half_span(void)
{
    return TEST_EPS < (mtc_real)1e-10 ? 16 : 7;
}

enum { COSTS = 9, MASSES = 7 };

/* Kinds of cost: random, few integers, all equal, all 0, a wide span, a wide
 * span of both signs, negative, almost-tied sums, sorted points on a line. */
static void random_costs(int kind)
{
    double f[SIDE], g[SIDE], span = half_span();
    for (size_t i = 0; i < P.m; i++)
        f[i] = kind == 8 ? (double)i / (double)P.m : uniform(0, 1);
    for (size_t j = 0; j < P.n; j++)
        g[j] = kind == 8 ? (double)j / (double)P.n : uniform(0, 1);
    for (size_t i = 0; i < P.m; i++)
        for (size_t j = 0; j < P.n; j++) {
            double c = uniform(0, 3);
            if (kind == 1)
                c = (double)mtc_random_below(&R, 3);
            else if (kind == 2 || kind == 3)
                c = kind == 2 ? 7.25 : 0;
            else if (kind == 4 || kind == 5)
                c = ten_to(uniform(-span, span));
            else if (kind == 7)
                c = f[i] + g[j];
            else if (kind == 8)
                c = (f[i] - g[j]) * (f[i] - g[j]);
            if (kind == 6 || (kind == 5 && mtc_random_below(&R, 2)))
                c = -c;
            P.c[i * P.ldc + j] = (mtc_real)c;
        }
}

/* Kinds of mass: uniform, random, small integers with zeros, a wide span,
 * mostly zeros, all in one place, off by rounding. */
static void random_masses(int kind)
{
    for (int side = 0; side < 2; side++) {
        size_t n = side ? P.n : P.m;
        mtc_real *x = side ? P.b : P.a;
        double total = 0;
        for (size_t i = 0; i < n; i++) {
            double y = uniform(0.1, 1);
            if (kind == 0)
                y = 1;
            else if (kind == 2)
                y = (double)mtc_random_below(&R, 3);
            else if (kind == 3)
                y = ten_to(uniform(-12, 0));
            else if (kind == 4)
                y *= mtc_random_below(&R, 4) == 0;
            else if (kind == 5)
                y = 0;
            total += y;
            x[i] = (mtc_real)y;
        }
        size_t at = mtc_random_below(&R, n);
        if (kind == 2)              /* equal totals in whole numbers */
            x[at] = (mtc_real)((double)x[at] + 3 * SIDE - total);
        else if (!(total > 0))
            x[at] = 1;
        double scale = kind == 2 || !(total > 0) ? 1 : 1 / total;
        if (kind == 6)
            scale *= 1 + 300 * EPS * uniform(-1, 1);
        for (size_t i = 0; i < n; i++)
            x[i] = (mtc_real)((double)x[i] * scale);
    }
}

/* ---- certificates ------------------------------------------------------ */

/* Bound on |u + v - c| where it should be 0: rounding of the three, and of the
 * potentials between them and the root. */
static double dual_bound(size_t i, size_t j, double largest)
{
    return 64 * EPS * (fabs(cost_at(i, j)) + fabs((double)P.u[i])
                       + fabs((double)P.v[j])) + 4 * EPS * largest;
}

/* Feasible duals, and equality where the plan is positive. */
static const char *bad_duals(void)
{
    double largest = largest_cost();
    for (size_t i = 0; i < P.m; i++)
        for (size_t j = 0; j < P.n; j++) {
            double r = cost_at(i, j) - (double)P.u[i] - (double)P.v[j];
            double bound = dual_bound(i, j, largest);
            if (!(r >= -bound))
                return "row + column > cost";
            if (P.plan[i * P.n + j] > 0 && !(r <= bound))
                return "a cell in use has row + column < cost";
        }
    return NULL;
}

/* The sums of the plan against the masses, demand scaled to supply. */
static const char *bad_marginals(void)
{
    double sa = sum_of(P.m, P.a), sb = sum_of(P.n, P.b);
    double total = sa > sb ? sa : sb;
    for (size_t i = 0; i < P.m; i++) {
        double sum = sum_of(P.n, P.plan + i * P.n), a = (double)P.a[i];
        if (!(fabs(sum - a) <= 64 * EPS * total))
            return "a row sum is off";
    }
    for (size_t j = 0; j < P.n; j++) {
        double sum = 0, b = (double)P.b[j] * sa / sb;
        for (size_t i = 0; i < P.m; i++) {
            if (!(P.plan[i * P.n + j] >= 0))
                return "a negative flow";
            sum += (double)P.plan[i * P.n + j];
        }
        if (!(fabs(sum - b) <= 64 * EPS * total))
            return "a column sum is off";
    }
    return NULL;
}

/* What is wrong with the answer in P, or NULL. */
static const char *bad_answer(void)
{
    const char *why = bad_marginals();
    double cost = 0, size = 0;
    for (size_t i = 0; i < P.m; i++)
        for (size_t j = 0; j < P.n; j++) {
            double x = (double)P.plan[i * P.n + j] * cost_at(i, j);
            cost += x;
            size += fabs(x);
        }
    if (why == NULL)
        why = bad_duals();
    if (why == NULL && !(fabs(cost - (double)P.info.cost) <= 64 * EPS * size))
        why = "info.cost is not the cost of the plan";
    if (why == NULL && !((double)P.info.gap <= 64 * EPS && P.info.gap >= 0))
        why = "the duality gap is open";
    return why;
}

/* ---- brute force ------------------------------------------------------- */

/* The next permutation of p [n] in lexicographic order; 0 after the last. */
static int next_permutation(size_t n, size_t *p)
{
    size_t i = n - 1, j = n - 1;
    while (i > 0 && p[i - 1] > p[i])
        i--;
    if (i == 0)
        return 0;
    while (p[j] < p[i - 1])
        j--;
    size_t x = p[j];
    p[j] = p[i - 1];
    p[i - 1] = x;
    for (j = n - 1; i < j; i++, j--) {
        x = p[i];
        p[i] = p[j];
        p[j] = x;
    }
    return 1;
}

/* Least cost of sending unit k of row_of[k] to a column in columns[], over
 * all orders of the n columns; the first `used` places count. */
static double best_order(size_t n, size_t used, const size_t *row_of,
                         const size_t *columns)
{
    size_t p[8];
    double best = HUGE_VAL;
    for (size_t k = 0; k < n; k++)
        p[k] = k;
    do {
        double cost = 0;
        for (size_t k = 0; k < used; k++)
            cost += cost_at(row_of[k], columns[p[k]]);
        best = cost < best ? cost : best;
    } while (next_permutation(n, p));
    return best;
}

/* Least cost of an assignment of min(m,n) pairs, by all permutations. */
static double best_assignment(void)
{
    size_t id[8] = {0, 1, 2, 3, 4, 5, 6, 7}, p[8];
    if (P.m <= P.n)
        return best_order(P.n, P.m, id, id);
    double best = HUGE_VAL;
    for (size_t k = 0; k < P.m; k++)
        p[k] = k;
    do {
        double cost = 0;
        for (size_t j = 0; j < P.n; j++)
            cost += cost_at(p[j], j);
        best = cost < best ? cost : best;
    } while (next_permutation(P.m, p));
    return best;
}

/* ---- transportation: right answers ------------------------------------- */

TEST emd_agrees_with_the_worked_cases(void)
{
    for (size_t g = 0; g < sizeof golden_emds / sizeof *golden_emds; g++) {
        const golden_emd *G = &golden_emds[g];
        shape(G->m, G->n);
        for (size_t k = 0; k < G->m * G->n; k++)
            P.c[k] = (mtc_real)G->c[k];
        for (size_t i = 0; i < G->m; i++)
            P.a[i] = (mtc_real)G->a[i];
        for (size_t j = 0; j < G->n; j++)
            P.b[j] = (mtc_real)G->b[j];
        ASSERT_EQ(MTC_OK, solve(NULL, NULL));
        ASSERT_IN_RANGE(G->value, P.info.cost, 16 * EPS * 3);
        const char *why = bad_answer();
        ASSERTm(why, why == NULL);
    }
    PASS();
}

TEST emd_equals_the_best_permutation(void)
{
    R = mtc_random_seed(11);
    for (int k = 0; k < 360; k++) {
        size_t n = 1 + mtc_random_below(&R, 5 + (k % 4 == 0));
        shape(n, n);
        random_costs(k % COSTS);
        random_masses(0);
        ASSERT_EQ(MTC_OK, solve(NULL, NULL));
        double best = best_assignment() / (double)n;
        ASSERT_IN_RANGE(best, P.info.cost, 32 * EPS * largest_cost());
        const char *why = bad_answer();
        ASSERTm(why, why == NULL);
    }
    PASS();
}

/* Splits `units` over n places; *place gets the place of each unit. */
static void split_units(size_t units, size_t n, mtc_real *mass,
                        size_t *place)
{
    for (size_t i = 0; i < n; i++)
        mass[i] = 0;
    for (size_t k = 0; k < units; k++) {
        place[k] = mtc_random_below(&R, n);
        mass[place[k]] += 1;
    }
}

TEST emd_of_whole_masses_equals_the_best_order_of_their_units(void)
{
    R = mtc_random_seed(12);
    for (int k = 0; k < 360; k++) {
        size_t rows[6], columns[6];
        shape(1 + mtc_random_below(&R, 5), 1 + mtc_random_below(&R, 5));
        random_costs(k % COSTS);
        split_units(6, P.m, P.a, rows);
        split_units(6, P.n, P.b, columns);
        ASSERT_EQ(MTC_OK, solve(NULL, NULL));
        double best = best_order(6, 6, rows, columns);
        ASSERT_IN_RANGE(best, P.info.cost, 64 * EPS * largest_cost());
        const char *why = bad_answer();
        ASSERTm(why, why == NULL);
    }
    PASS();
}

TEST emd_duals_prove_optimality(void)
{
    R = mtc_random_seed(13);
    for (int k = 0; k < 4000; k++) {
        size_t most = k % 10 == 0 ? SIDE : 9;
        shape(1 + mtc_random_below(&R, most), 1 + mtc_random_below(&R, most));
        random_costs(k % COSTS);
        random_masses(k / COSTS % MASSES);
        ASSERT_EQ(MTC_OK, solve(NULL, NULL));
        const char *why = bad_answer();
        ASSERTm(why, why == NULL);
    }
    PASS();
}

/* Shapes that are solved for a part of the long side first, both ways round,
 * with every kind of cost and mass. */
TEST emd_of_a_long_side_is_proved_too(void)
{
    R = mtc_random_seed(41);
    for (int k = 0; k < 2 * 5 * COSTS * MASSES; k++) {
        size_t few = 1 + (size_t)k / 2 % 5, many = SIDE - (size_t)k % 3;
        shape(k % 2 ? few : many, k % 2 ? many : few);
        P.ldc = P.n + 3;
        random_costs(k / 10 % COSTS);
        random_masses(k / 10 / COSTS);
        ASSERT_EQ(MTC_OK, solve(NULL, NULL));
        const char *why = bad_answer();
        ASSERTm(why, why == NULL);
    }
    PASS();
}

/* From the prices of a third of the columns few pivots are left: without them
 * it is 1 400 for such a problem that is wide. */
TEST emd_of_a_long_side_takes_few_pivots(void)
{
    enum { M = 4, N = 3000 };
    static mtc_real c[M * N], a[N], u[N], v[N];
    mtc_emd_info info;
    test_fill(c, M * N, 42, 0, 1);
    for (int tall = 0; tall < 2; tall++) {
        size_t m = tall ? N : M, n = tall ? M : N;
        for (size_t i = 0; i < N; i++)
            a[i] = 1;
        mtc_real few[M] = {750, 750, 750, 750};
        ASSERT_EQ(MTC_OK, mtc_emd(NULL, m, n, c, n, tall ? a : few,
                                  tall ? few : a, NULL, NULL, u, v, &info));
        ASSERT(info.pivots < N / 3);
        ASSERT(info.gap < 64 * TEST_EPS);
        for (size_t k = 0; k < M * N; k++)
            ASSERT(u[k / n] + v[k % n] <= c[k] + 64 * TEST_EPS);
    }
    PASS();
}

TEST emd_of_uniform_masses_never_cycles(void)
{
    R = mtc_random_seed(14);
    for (int kind = 0; kind < COSTS; kind++)
        for (size_t n = SIDE - 5; n <= SIDE; n += 5) {
            shape(SIDE, n);
            random_costs(kind);
            random_masses(0);
            ASSERT_EQ(MTC_OK, solve(NULL, NULL));
            ASSERTm("pivots", P.info.pivots < 40 * SIDE);
            const char *why = bad_answer();
            ASSERTm(why, why == NULL);
        }
    PASS();
}

/* A detour over a huge cost must not hide a small difference: the tree that
 * joins the two pairs has to use one of the huge cells. */
TEST emd_sees_small_costs_behind_huge_ones(void)
{
    double huge = ten_to(half_span());
    for (int flip = 0; flip < 2; flip++) {
        const double c[16] = {1, 3, huge, huge, 2, 1, huge, huge,
                              huge, huge, 1, 2, huge, huge, 3, 1};
        shape(4, 4);
        for (size_t i = 0; i < 4; i++)
            for (size_t j = 0; j < 4; j++)
                P.c[i * 4 + j] = (mtc_real)c[i * 4 + (flip ? j ^ 1 : j)];
        random_masses(0);
        ASSERT_EQ(MTC_OK, solve(NULL, NULL));
        ASSERT_IN_RANGE(1, P.info.cost, 8 * EPS);
    }
    PASS();
}

TEST emd_marginals_are_right_for_the_lightest_mass_too(void)
{
    shape(6, 6);
    R = mtc_random_seed(15);
    for (int k = 0; k < 200; k++) {
        random_costs(0);
        for (size_t i = 0; i < 6; i++) {
            P.a[i] = (mtc_real)ten_to(-2.0 * (double)i);
            P.b[5 - i] = P.a[i];
        }
        ASSERT_EQ(MTC_OK, solve(NULL, NULL));
        for (size_t i = 0; i < 6; i++) {
            double column = 0;
            for (size_t l = 0; l < 6; l++)
                column += (double)P.plan[l * 6 + i];
            ASSERT_IN_RANGE(P.a[i], sum_of(6, P.plan + i * 6),
                            1e2 * EPS * (double)P.a[i]);
            ASSERT_IN_RANGE(P.b[i], column, 1e2 * EPS * (double)P.b[i]);
        }
    }
    PASS();
}

/* Masses below the 2^-60 of the total that flows are counted in. */
TEST emd_carries_masses_too_light_to_count(void)
{
    const double grain[6] = {1, 1e-25, 2e-25, 0, 3e-25, 1e-25};
    R = mtc_random_seed(30);
    for (int k = 0; k < 100; k++) {
        shape(6, 6);
        random_costs(k % COSTS);
        for (size_t i = 0; i < 6; i++) {
            P.a[i] = (mtc_real)grain[i];
            P.b[(i * 5 + 1 + (size_t)k) % 6] = (mtc_real)grain[i];
        }
        ASSERT_EQ(MTC_OK, solve(NULL, NULL));
        const char *why = bad_answer();
        ASSERTm(why, why == NULL);
    }
    PASS();
}

TEST emd_of_the_transpose_is_the_same(void)
{
    R = mtc_random_seed(16);
    for (int k = 0; k < 60; k++) {
        mtc_real c[20 * 20];
        shape(1 + mtc_random_below(&R, 20), 1 + mtc_random_below(&R, 20));
        random_costs(k % 2 ? 0 : 1);
        random_masses(1 + k % 4);
        ASSERT_EQ(MTC_OK, solve(NULL, NULL));
        mtc_real cost = P.info.cost;
        mtc_real a[SIDE];
        memcpy(a, P.a, sizeof a);
        memcpy(P.a, P.b, sizeof a);
        memcpy(P.b, a, sizeof a);
        for (size_t i = 0; i < P.m; i++)
            for (size_t j = 0; j < P.n; j++)
                c[j * P.m + i] = P.c[i * P.n + j];
        shape(P.n, P.m);
        memcpy(P.c, c, sizeof c);
        ASSERT_EQ(MTC_OK, solve(NULL, NULL));
        ASSERT_IN_RANGE(cost, P.info.cost,
                        64 * EPS * largest_cost() * sum_of(P.m, P.a));
    }
    PASS();
}

/* Costs and masses times powers of two: the same pivots, scaled numbers. */
TEST emd_does_not_depend_on_the_units(void)
{
    mtc_real plan[36];
    shape(6, 6);
    R = mtc_random_seed(17);
    random_costs(0);
    random_masses(1);
    ASSERT_EQ(MTC_OK, solve(NULL, NULL));
    mtc_real cost = P.info.cost;
    size_t pivots = P.info.pivots;
    memcpy(plan, P.plan, sizeof plan);
    const mtc_real up = (mtc_real)0x1p40, down = (mtc_real)0x1p-60;
    for (size_t k = 0; k < 36; k++)
        P.c[k] *= up;
    for (size_t i = 0; i < 6; i++) {
        P.a[i] *= down;
        P.b[i] *= down;
    }
    ASSERT_EQ(MTC_OK, solve(NULL, NULL));
    ASSERT_EQ(pivots, P.info.pivots);
    ASSERT(P.info.cost == cost * up * down);
    for (size_t k = 0; k < 36; k++)
        ASSERT(P.plan[k] == plan[k] * down);
    PASS();
}

TEST emd_takes_masses_at_the_ends_of_the_range(void)
{
    shape(3, 2);
    R = mtc_random_seed(18);
    random_costs(0);
    const mtc_real unit[4] = {TEST_MIN, TEST_MIN * TEST_EPS, TEST_MAX / 4096,
                              1};
    for (int k = 0; k < 4; k++) {
        for (size_t i = 0; i < 3; i++)
            P.a[i] = 2 * unit[k];
        P.b[0] = 5 * unit[k];
        P.b[1] = unit[k];
        ASSERT_EQ(MTC_OK, solve(NULL, NULL));
        for (size_t i = 0; i < 3; i++)
            ASSERT(P.plan[2 * i] + P.plan[2 * i + 1] == P.a[i]);
        ASSERT(P.plan[1] + P.plan[3] + P.plan[5] == P.b[1]);
    }
    PASS();
}

TEST emd_respects_ldc_and_takes_null_for_any_output(void)
{
    R = mtc_random_seed(19);
    shape(5, 7);
    P.ldc = 10;
    for (size_t k = 0; k < 50; k++)
        P.c[k] = (mtc_real)NAN;
    random_costs(0);
    random_masses(1);
    ASSERT_EQ(MTC_OK, solve(NULL, NULL));
    const char *why = bad_answer();
    ASSERTm(why, why == NULL);
    mtc_real cost = P.info.cost;
    ASSERT_EQ(MTC_OK, mtc_emd(NULL, 5, 7, P.c, 10, P.a, P.b, NULL, NULL, NULL,
                              NULL, &P.info));
    ASSERT(cost == P.info.cost);
    ASSERT_EQ(MTC_OK, mtc_emd(NULL, 5, 7, P.c, 10, P.a, P.b, NULL, P.plan,
                              NULL, P.v, NULL));
    ASSERT_EQ(MTC_OK, mtc_emd(NULL, 5, 7, P.c, 10, P.a, P.b, NULL, NULL, P.u,
                              NULL, NULL));
    why = bad_answer();
    ASSERTm(why, why == NULL);
    PASS();
}

TEST emd_and_assignment_agree_on_uniform_masses(void)
{
    R = mtc_random_seed(20);
    for (int kind = 0; kind < COSTS; kind++) {
        shape(SIDE, SIDE);
        random_costs(kind);
        for (size_t i = 0; i < SIDE; i++)
            P.a[i] = P.b[i] = 1;
        ASSERT_EQ(MTC_OK, solve(NULL, NULL));
        double cost = (double)P.info.cost;
        ASSERT_EQ(MTC_OK, match(NULL));
        ASSERT_IN_RANGE(cost, P.total, 1e3 * EPS * largest_cost());
    }
    PASS();
}

/* ---- transportation: totals that differ -------------------------------- */

TEST emd_rescales_demand_when_totals_differ_by_rounding(void)
{
    R = mtc_random_seed(21);
    for (int k = 0; k < 100; k++) {
        shape(1 + mtc_random_below(&R, 9), 1 + mtc_random_below(&R, 9));
        random_costs(k % COSTS);
        random_masses(1);
        for (size_t j = 0; j < P.n; j++)
            P.b[j] *= (mtc_real)(1 + 0.9e-6 * (k % 2 ? 1 : -1));
        ASSERT_EQ(MTC_OK, solve(NULL, NULL));
        const char *why = bad_answer();
        ASSERTm(why, why == NULL);
    }
    PASS();
}

TEST emd_refuses_totals_that_differ(void)
{
    mtc_context ctx = mtc_context_defaults();
    shape(2, 2);
    R = mtc_random_seed(22);
    random_costs(0);
    P.a[0] = P.a[1] = P.b[0] = 1;
    P.b[1] = (mtc_real)1.001;
    ASSERT_EQ(MTC_INVALID, solve(&ctx, NULL));
    ASSERT_STR_EQ("supply and demand differ in total", ctx.error.what);
    ASSERT(outputs_untouched());
    P.b[1] = 1;
    ASSERT_EQ(MTC_OK, solve(&ctx, NULL));
    PASS();
}

/* ---- transportation: refusals ------------------------------------------ */

static void plain_problem(void)
{
    shape(3, 4);
    R = mtc_random_seed(26);
    random_costs(0);
    random_masses(1);
}

TEST emd_says_where_a_bad_value_is(void)
{
    const mtc_real bad[4] = {(mtc_real)NAN, (mtc_real)INFINITY,
                             (mtc_real)-INFINITY, -1};
    mtc_context ctx = mtc_context_defaults();
    for (int k = 0; k < 4; k++) {
        plain_problem();
        P.a[2] = bad[k];
        ASSERT_EQ(MTC_DOMAIN, solve(&ctx, NULL));
        ASSERT_STR_EQ("supply", ctx.error.what);
        ASSERT_EQ(2, ctx.error.row);
        ASSERT_EQ(MTC_NONE, ctx.error.column);
        ASSERT(outputs_untouched());
        plain_problem();
        P.b[3] = bad[k];
        ASSERT_EQ(MTC_DOMAIN, solve(&ctx, NULL));
        ASSERT_STR_EQ("demand", ctx.error.what);
        ASSERT_EQ(MTC_NONE, ctx.error.row);
        ASSERT_EQ(3, ctx.error.column);
        ASSERT(outputs_untouched());
        plain_problem();
        P.c[1 * 4 + 2] = bad[k];
        ASSERT_EQ(k < 3 ? MTC_DOMAIN : MTC_OK, solve(&ctx, NULL));
        if (k == 3)
            continue;
        ASSERT_STR_EQ("cost", ctx.error.what);
        ASSERT_EQ(1, ctx.error.row);
        ASSERT_EQ(2, ctx.error.column);
        ASSERT(outputs_untouched());
    }
    PASS();
}

TEST emd_refuses_what_would_overflow(void)
{
    mtc_context ctx = mtc_context_defaults();
    plain_problem();
    P.c[5] = TEST_MAX / 2;
    ASSERT_EQ(MTC_DOMAIN, solve(&ctx, NULL));
    ASSERT_EQ(1, ctx.error.row);
    ASSERT_EQ(1, ctx.error.column);
    plain_problem();
    P.a[0] = P.a[1] = P.b[0] = P.b[1] = TEST_MAX;
    ASSERT_EQ(MTC_DOMAIN, solve(&ctx, NULL));
    plain_problem();
    P.c[5] = (mtc_real)sqrt((double)TEST_MAX);
    for (size_t i = 0; i < 4; i++)
        P.a[i] = P.b[i] = i < 3 ? P.c[5] : 0;
    ASSERT_EQ(MTC_DOMAIN, solve(&ctx, NULL));
    ASSERT(outputs_untouched());
    PASS();
}

TEST emd_refuses_shapes_out_of_range_and_null(void)
{
    mtc_context ctx = mtc_context_defaults();
    plain_problem();
    shape(0, 4);
    ASSERT_EQ(MTC_INVALID, solve(&ctx, NULL));
    shape(3, 0);
    ASSERT_EQ(MTC_INVALID, solve(&ctx, NULL));
    shape(3, 4);
    P.ldc = 3;
    ASSERT_EQ(MTC_INVALID, solve(&ctx, NULL));
    ASSERT_STR_EQ("ldc", ctx.error.what);
    plain_problem();
    ASSERT_EQ(MTC_INVALID,
              mtc_emd(&ctx, 3, 4, NULL, 4, P.a, P.b, NULL, P.plan, P.u, P.v,
                      &P.info));
    ASSERT_STR_EQ("cost", ctx.error.what);
    ASSERT_EQ(MTC_INVALID,
              mtc_emd(&ctx, 3, 4, P.c, 4, NULL, P.b, NULL, P.plan, P.u, P.v,
                      &P.info));
    ASSERT_EQ(MTC_INVALID,
              mtc_emd(&ctx, 3, 4, P.c, 4, P.a, NULL, NULL, P.plan, P.u, P.v,
                      &P.info));
    ASSERT_EQ(0, ctx.need);
    ASSERT(outputs_untouched());
    PASS();
}

TEST emd_refuses_a_total_of_zero(void)
{
    mtc_context ctx = mtc_context_defaults();
    for (int k = 0; k < 3; k++) {
        plain_problem();
        for (size_t i = 0; i < 4; i++) {
            P.a[i] = k == 1 ? 1 : 0;
            P.b[i] = k == 2 ? 1 : 0;
        }
        ASSERT_EQ(MTC_INVALID, solve(&ctx, NULL));
        ASSERT(outputs_untouched());
    }
    PASS();
}

TEST emd_refuses_sizes_that_overflow(void)
{
    mtc_context ctx = mtc_context_defaults();
    const size_t big[3] = {SIZE_MAX, SIZE_MAX / 2, (size_t)1 << 20};
    plain_problem();
    poison();
    for (int k = 0; k < 2; k++) {
        ASSERT_EQ(MTC_TOO_BIG,
                  mtc_emd(&ctx, big[k], 4, P.c, 4, P.a, P.b, NULL, P.plan,
                          P.u, P.v, &P.info));
        ASSERT_EQ(MTC_TOO_BIG,
                  mtc_assignment(&ctx, 4, big[k], P.c, big[k], P.match, P.u,
                                 P.v, &P.total));
    }
    ASSERT_EQ(MTC_TOO_BIG,                  /* m fits, m * ldc does not */
              mtc_emd(&ctx, big[2], 4, P.c, SIZE_MAX / big[2], P.a, P.b, NULL,
                      P.plan, P.u, P.v, &P.info));
    ASSERT(outputs_untouched());
    PASS();
}

TEST emd_stops_at_the_limit_on_pivots(void)
{
    mtc_context ctx = mtc_context_defaults();
    mtc_emd_options opt = mtc_emd_defaults();
    R = mtc_random_seed(27);
    shape(20, 20);
    random_costs(0);
    random_masses(1);
    ASSERT_EQ(MTC_OK, solve(&ctx, NULL));
    size_t needed = P.info.pivots;
    mtc_real cost = P.info.cost;
    ASSERT(needed > 2);
    opt.pivots = needed - 1;
    ASSERT_EQ(MTC_LIMIT, solve(&ctx, &opt));
    ASSERT_STR_EQ("pivots", ctx.error.what);
    ASSERT(outputs_untouched());
    opt.pivots = needed;
    ASSERT_EQ(MTC_OK, solve(&ctx, &opt));
    ASSERT(cost == P.info.cost);
    PASS();
}

/* Counts its calls; says stop at the one that `user` points to. */
typedef struct stopper { size_t calls, stop_at; } stopper;

static int stop_sometime(void *user, const char *stage, size_t done,
                         size_t total)
{
    stopper *s = (stopper *)user;
    s->calls++;
    return strcmp(stage, "emd") != 0 || done > total || s->calls == s->stop_at;
}

/* Large enough to need a few thousand pivots: its memory is apart. */
TEST emd_reports_progress_and_can_be_cancelled(void)
{
    enum { N = 200 };
    static mtc_real c[N * N], a[N], u[N];
    mtc_context ctx = mtc_context_defaults();
    stopper s = {0, 0};
    ctx.progress = stop_sometime;
    ctx.user = &s;
    test_fill(c, N * N, 28, 0, 1);
    for (size_t i = 0; i < N; i++)
        a[i] = 1;
    ASSERT_EQ(MTC_OK, mtc_emd(&ctx, N, N, c, N, a, a, NULL, NULL, u, NULL,
                              NULL));
    ASSERT(s.calls > 1);
    memset(u, TEST_POISON, sizeof u);
    size_t calls = s.calls;
    for (s.stop_at = 1; s.stop_at <= calls; s.stop_at++) {
        s.calls = 0;
        ASSERT_EQ(MTC_CANCELLED, mtc_emd(&ctx, N, N, c, N, a, a, NULL, NULL,
                                         u, NULL, NULL));
        ASSERT_EQ(s.stop_at, s.calls);
        ASSERT(is_poison(u, sizeof u));
    }
    PASS();
}

/* An arena of exactly what a measuring context has told, over P.work; 1 if the
 * call succeeds in it and nothing after it is touched. */
static int fits(int emd)
{
    mtc_context ask = mtc_measure();
    mtc_status s = emd ? solve(&ask, NULL) : match(&ask);
    mtc_arena arena = mtc_arena_over(P.work, ask.need);
    mtc_context ctx = mtc_arena_context(&arena);
    if (s != MTC_NO_MEMORY || ask.need > sizeof P.work
        || (emd ? solve(&ctx, NULL) : match(&ctx)) != MTC_OK)
        return 0;
    return arena.peak == ask.need && ctx.need == ask.need
           && is_poison((unsigned char *)P.work + ask.need,
                        sizeof P.work - ask.need);
}

TEST emd_writes_no_further_than_the_memory_it_asks_for(void)
{
    R = mtc_random_seed(29);
    for (int k = 0; k < 200; k++) {
        shape(1 + mtc_random_below(&R, 9), 1 + mtc_random_below(&R, 9));
        random_costs(k % COSTS);
        random_masses(k % MASSES);
        ASSERT(fits(1));
    }
    PASS();
}

/* A measuring context learns what is wrong, not what it would take. */
TEST emd_and_assignment_check_before_they_measure(void)
{
    mtc_context ask = mtc_measure();
    plain_problem();
    ASSERT_EQ(MTC_NO_MEMORY, solve(&ask, NULL));
    ASSERT(ask.need > 0);
    P.a[0] = -1;
    ASSERT_EQ(MTC_DOMAIN, solve(&ask, NULL));
    ASSERT_EQ(0, ask.need);
    P.ldc = 3;
    ASSERT_EQ(MTC_INVALID, match(&ask));
    ASSERT_EQ(0, ask.need);
    PASS();
}

/* ---- assignment -------------------------------------------------------- */

/* What is wrong with the matching in P, or NULL. */
static const char *bad_matching(void)
{
    size_t pairs = 0, taken[SIDE] = {0};
    double total = 0, dual = sum_of(P.m, P.u) + sum_of(P.n, P.v);
    double size = 0, largest = largest_cost();
    for (size_t i = 0; i < P.m; i++) {
        size_t j = P.match[i];
        if (j == MTC_NONE)
            continue;
        if (j >= P.n || taken[j]++ != 0)
            return "a column twice, or none such";
        pairs++;
        total += cost_at(i, j);
        size += fabs(cost_at(i, j)) + fabs((double)P.u[i])
                + fabs((double)P.v[j]);
    }
    if (pairs != (P.m < P.n ? P.m : P.n))
        return "not min(m,n) pairs";
    if (!(fabs(total - (double)P.total) <= 64 * EPS * size))
        return "the total is not that of the pairs";
    if (!(fabs(dual - total) <= 64 * EPS * size))
        return "the dual value is not the total";
    for (size_t i = 0; i < P.m; i++)
        for (size_t j = 0; j < P.n; j++) {
            double r = cost_at(i, j) - (double)P.u[i] - (double)P.v[j];
            if (!(r >= -64 * EPS * largest))
                return "row + column > cost";
        }
    for (size_t i = 0; i < P.m; i++)
        if (P.m > P.n && !(P.match[i] == MTC_NONE ? P.u[i] == 0
                                                  : P.u[i] <= 0))
            return "the dual of a row that may stay free";
    for (size_t j = 0; j < P.n; j++)
        if (P.m < P.n && !(taken[j] ? P.v[j] <= 0 : P.v[j] == 0))
            return "the dual of a column that may stay free";
    return NULL;
}

TEST assignment_equals_the_best_permutation(void)
{
    R = mtc_random_seed(31);
    for (int k = 0; k < 500; k++) {
        shape(1 + mtc_random_below(&R, 6), 1 + mtc_random_below(&R, 6));
        random_costs(k % COSTS);
        ASSERT_EQ(MTC_OK, match(NULL));
        ASSERT_IN_RANGE(best_assignment(), P.total, 32 * EPS * largest_cost());
        const char *why = bad_matching();
        ASSERTm(why, why == NULL);
    }
    PASS();
}

TEST assignment_duals_prove_optimality(void)
{
    R = mtc_random_seed(32);
    for (int k = 0; k < 1000; k++) {
        size_t most = k % 10 == 0 ? SIDE : 12;
        shape(1 + mtc_random_below(&R, most), 1 + mtc_random_below(&R, most));
        P.ldc = P.n + (size_t)(k % 3);
        random_costs(k % COSTS);
        ASSERT_EQ(MTC_OK, match(NULL));
        const char *why = bad_matching();
        ASSERTm(why, why == NULL);
    }
    PASS();
}

TEST assignment_breaks_ties_by_the_lowest_index(void)
{
    R = mtc_random_seed(33);
    for (int k = 0; k < 3; k++) {
        shape(k == 1 ? 9 : 6, k == 2 ? 9 : 6);
        random_costs(2);
        ASSERT_EQ(MTC_OK, match(NULL));
        for (size_t i = 0; i < P.m; i++)
            ASSERT_EQ(i < 6 ? i : MTC_NONE, P.match[i]);
    }
    PASS();
}

TEST assignment_of_nothing_is_empty(void)
{
    for (int k = 0; k < 3; k++) {
        shape(k == 0 ? 0 : k == 1 ? 3 : 0, k == 2 ? 3 : 0);
        poison();
        ASSERT_EQ(MTC_OK, mtc_assignment(NULL, P.m, P.n, NULL, P.n, P.match,
                                         P.u, P.v, &P.total));
        ASSERT(P.total == 0);
        for (size_t i = 0; i < P.m; i++) {
            ASSERT_EQ(MTC_NONE, P.match[i]);
            ASSERT(P.u[i] == 0);
        }
        for (size_t j = 0; j < P.n; j++)
            ASSERT(P.v[j] == 0);
    }
    PASS();
}

TEST assignment_says_where_a_bad_cost_is(void)
{
    const mtc_real bad[4] = {(mtc_real)NAN, (mtc_real)INFINITY,
                             (mtc_real)-INFINITY, TEST_MAX};
    mtc_context ctx = mtc_context_defaults();
    for (int k = 0; k < 4; k++) {
        plain_problem();
        P.c[2 * 4 + 1] = bad[k];
        ASSERT_EQ(MTC_DOMAIN, match(&ctx));
        ASSERT_EQ(2, ctx.error.row);
        ASSERT_EQ(1, ctx.error.column);
        ASSERT(outputs_untouched());
    }
    plain_problem();
    P.ldc = 3;
    ASSERT_EQ(MTC_INVALID, match(&ctx));
    P.ldc = 4;
    ASSERT_EQ(MTC_INVALID, mtc_assignment(&ctx, 3, 4, NULL, 4, P.match, P.u,
                                          P.v, &P.total));
    ASSERT(outputs_untouched());
    PASS();
}

TEST assignment_takes_null_and_stays_in_its_memory(void)
{
    R = mtc_random_seed(34);
    for (int k = 0; k < 50; k++) {
        shape(1 + mtc_random_below(&R, 9), 1 + mtc_random_below(&R, 9));
        random_costs(k % COSTS);
        ASSERT(fits(0));
        mtc_real total;
        size_t found[9];
        ASSERT_EQ(MTC_OK, mtc_assignment(NULL, P.m, P.n, P.c, P.ldc, found,
                                         NULL, NULL, &total));
        ASSERT(total == P.total);
        ASSERT_MEM_EQ(P.match, found, P.m * sizeof *found);
        ASSERT_EQ(MTC_OK, mtc_assignment(NULL, P.m, P.n, P.c, P.ldc, found,
                                         NULL, NULL, NULL));
    }
    ASSERT_EQ(MTC_INVALID, mtc_assignment(NULL, P.m, P.n, P.c, P.ldc, NULL,
                                          NULL, NULL, NULL));
    PASS();
}

SUITE(lp_suite)
{
    RUN_TEST(emd_agrees_with_the_worked_cases);
    RUN_TEST(emd_equals_the_best_permutation);
    RUN_TEST(emd_of_whole_masses_equals_the_best_order_of_their_units);
    RUN_TEST(emd_duals_prove_optimality);
    RUN_TEST(emd_of_a_long_side_is_proved_too);
    RUN_TEST(emd_of_a_long_side_takes_few_pivots);
    RUN_TEST(emd_of_uniform_masses_never_cycles);
    RUN_TEST(emd_sees_small_costs_behind_huge_ones);
    RUN_TEST(emd_marginals_are_right_for_the_lightest_mass_too);
    RUN_TEST(emd_carries_masses_too_light_to_count);
    RUN_TEST(emd_of_the_transpose_is_the_same);
    RUN_TEST(emd_does_not_depend_on_the_units);
    RUN_TEST(emd_takes_masses_at_the_ends_of_the_range);
    RUN_TEST(emd_respects_ldc_and_takes_null_for_any_output);
    RUN_TEST(emd_and_assignment_agree_on_uniform_masses);
    RUN_TEST(emd_rescales_demand_when_totals_differ_by_rounding);
    RUN_TEST(emd_refuses_totals_that_differ);
    RUN_TEST(emd_says_where_a_bad_value_is);
    RUN_TEST(emd_refuses_what_would_overflow);
    RUN_TEST(emd_refuses_shapes_out_of_range_and_null);
    RUN_TEST(emd_refuses_a_total_of_zero);
    RUN_TEST(emd_refuses_sizes_that_overflow);
    RUN_TEST(emd_stops_at_the_limit_on_pivots);
    RUN_TEST(emd_reports_progress_and_can_be_cancelled);
    RUN_TEST(emd_writes_no_further_than_the_memory_it_asks_for);
    RUN_TEST(emd_and_assignment_check_before_they_measure);
    RUN_TEST(assignment_equals_the_best_permutation);
    RUN_TEST(assignment_duals_prove_optimality);
    RUN_TEST(assignment_breaks_ties_by_the_lowest_index);
    RUN_TEST(assignment_of_nothing_is_empty);
    RUN_TEST(assignment_says_where_a_bad_cost_is);
    RUN_TEST(assignment_takes_null_and_stays_in_its_memory);
}
