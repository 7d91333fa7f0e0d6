/* SPDX-License-Identifier: MIT
 *
 * Groups across tasks: worked cases of an independent program, what must not
 * change an answer, and tasks whose groups are known.
 */
#include <math.h>

#include "golden/across.h"
#include "greatest.h"
#include "test_util.h"

enum { CASES = sizeof across_cases / sizeof across_cases[0], MAX_T = 6,
       MAX_N = 200, MAX_D = 40, MAX_K = 8 };

static mtc_real rows[MAX_T][MAX_N * MAX_D];
static int labels[MAX_T][MAX_N];
static const int *const at[MAX_T] = {labels[0], labels[1], labels[2],
                                     labels[3], labels[4], labels[5]};

/* ---- worked cases -------------------------------------------------------- */

static double largest(size_t n, const mtc_real *a, const double *b)
{
    double most = 0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, fabs((double)a[i] - b[i]) / fmax(fabs(b[i]), 1));
    return most;
}

/* Are the chances of pairs those of their log odds? */
static int same_pairs(const across_case *c, const mtc_across_result *r,
                      double tol)
{
    size_t K = 0, s0 = 0;
    int same = 1;
    for (size_t t = 0; t < c->tasks; t++)
        K += c->clusters[t];
    for (size_t s = 0; s < c->tasks; s0 += c->clusters[s++]) {
        size_t t0 = 0;
        for (size_t t = 0; t < c->tasks; t0 += c->clusters[t++])
            for (size_t a = 0; a < c->clusters[s] && s != t; a++)
                for (size_t b = 0; b < c->clusters[t]; b++) {
                    double L = c->same[(s0 + a) * K + t0 + b];
                    double sure = L == 0 ? 0 : 1 / (1 + exp(-L));
                    mtc_real found = r->same[s * c->tasks + t]
                                            [a * c->clusters[t] + b];
                    same &= fabs(sure - (double)found) < tol;
                }
    }
    return same;
}

TEST worked_cases(size_t number)
{
    const across_case *c = &across_cases[number];
    const double tol = sizeof(mtc_real) == 8 ? 1e-9 : 2e-3;
    mtc_context ctx = test_context();
    mtc_data X[3];
    mtc_real zero[MAX_D];
    mtc_across_options o = mtc_across_defaults();
    mtc_across_result r;
    size_t row = 0, cell = 0, d = c->d, T = c->tasks, cluster = 0;
    for (size_t t = 0; t < T; t++) {
        for (size_t i = 0; i < c->n[t]; i++)
            labels[t][i] = c->labels[row++];
        for (size_t e = 0; e < c->n[t] * d; e++)
            rows[t][e] = (mtc_real)c->x[cell++];
        X[t] = mtc_dense(c->n[t], d, rows[t]);
    }
    for (size_t f = 0; f < d && c->zero != NULL; f++)
        zero[f] = (mtc_real)c->zero[f];
    o.zero = c->zero != NULL ? zero : NULL;
    ASSERT_EQ(MTC_OK, mtc_across(&ctx, X, T, at, &o, &r));
    ASSERT_EQ_FMTm(c->name, c->groups, r.groups, "%zu");
    for (size_t t = 0; t < T; t++) {
        ASSERT_EQ(c->clusters[t], r.clusters[t]);
        ASSERT_EQm(c->name, c->anchored[t], r.anchored[t]);
        for (size_t z = 0; z < c->clusters[t]; z++)
            ASSERT_EQ_FMTm(c->name, c->group[cluster++], r.group[t][z], "%d");
    }
    for (size_t g = 0; g < r.groups; g++)
        ASSERT_EQm(c->name, c->perhaps[g], r.perhaps[g]);
    ASSERTm(c->name, largest(r.groups, r.sure, c->sure) < tol);
    ASSERTm(c->name, same_pairs(c, &r, tol));
    for (size_t e = 0; e < T * d; e++)
        ASSERT_EQ_FMTm(c->name, c->kind[e], (int)r.kind[e], "%d");
    ASSERTm(c->name, largest(T, r.gain, c->gain) < tol);
    ASSERTm(c->name, largest(T * d, r.scale, c->scale) < tol);
    ASSERTm(c->name, largest(T * d, r.offset, c->offset) < tol);
    ASSERTm(c->name, largest(T * d, r.odd, c->odd) < tol);
    mtc_free(&ctx, &r.block);
    PASS();
}

/* ---- what changes nothing ------------------------------------------------ */

enum { EACH = 20, WIDTH = 3 };

/* A task of groups that are named, EACH rows each, labeled in this order. */
static mtc_data draw(size_t t, size_t k, const size_t *named, uint64_t seed)
{
    static const double center[5][WIDTH] = {
        {0, 0, 0}, {12, 2, 1}, {3, 15, 6}, {-9, 4, 14}, {8, -11, 9}};
    mtc_random rng = mtc_random_seed(seed * 10 + t);
    for (size_t i = 0; i < k * EACH; i++) {
        labels[t][i] = (int)(i / EACH);
        for (size_t f = 0; f < WIDTH; f++)
            rows[t][i * WIDTH + f] = (mtc_real)center[named[i / EACH]][f] +
                                     mtc_random_normal(&rng);
    }
    return mtc_dense(k * EACH, WIDTH, rows[t]);
}

/* The groups of all clusters, a figure each; how many groups there are. */
static size_t groups_of(const mtc_data *X, size_t T, const int *const *z,
                        int *group)
{
    mtc_context ctx = test_context();
    mtc_across_result r;
    size_t next = 0;
    if (mtc_across(&ctx, X, T, z, NULL, &r) != MTC_OK)
        return 0;
    for (size_t t = 0; t < T; t++)
        for (size_t a = 0; a < r.clusters[t]; a++)
            group[next++] = r.group[t][a];
    size_t groups = r.groups;
    mtc_free(&ctx, &r.block);
    return groups;
}

static const size_t first_three[] = {0, 1, 2}, last_three[] = {3, 2, 0},
                    some[] = {1, 4};

/* Rows in another order, columns with factors, a column that is constant in
 * each file. */
TEST groups_do_not_depend_on_how_tasks_are_put(void)
{
    static const int expected[] = {0, 1, 2, 3, 2, 0, 1, 4};
    static mtc_real wide[3][MAX_N * (WIDTH + 1)];
    static int turned[3][MAX_N];
    const int *const other[] = {turned[0], turned[1], turned[2]};
    const double factor[] = {1000, 0.02, 7};
    int group[3 * MAX_K];
    mtc_data X[3] = {draw(0, 3, first_three, 1), draw(1, 3, last_three, 1),
                     draw(2, 2, some, 1)};
    ASSERT_EQ(5, groups_of(X, 3, at, group));
    ASSERT_MEM_EQ(expected, group, sizeof expected);
    for (size_t t = 0; t < 3; t++) {
        for (size_t i = 0; i < X[t].n; i++) {
            size_t from = i * 7 % X[t].n;       /* n is no multiple of 7 */
            turned[t][i] = labels[t][from];
            for (size_t f = 0; f < WIDTH; f++)
                wide[t][i * (WIDTH + 1) + f] =
                    rows[t][from * WIDTH + f] * (mtc_real)factor[f];
            wide[t][i * (WIDTH + 1) + WIDTH] = (mtc_real)(2020 + t);
        }
        X[t] = mtc_dense(X[t].n, WIDTH + 1, wide[t]);
    }
    ASSERT_EQ(5, groups_of(X, 3, other, group));
    ASSERT_MEM_EQ(expected, group, sizeof expected);
    PASS();
}

TEST one_task_keeps_its_clusters(void)
{
    mtc_context ctx = test_context();
    mtc_data X = draw(0, 3, first_three, 2);
    mtc_across_result r;
    for (size_t i = 0; i < EACH; i++)
        labels[0][i] = i < 5 ? -1 : 3;          /* number 0 has no rows */
    ASSERT_EQ(MTC_OK, mtc_across(&ctx, &X, 1, at, NULL, &r));
    ASSERT_EQ(3, r.groups);
    ASSERT_EQ(4, r.clusters[0]);
    ASSERT(r.group[0][0] == -1 && r.group[0][1] == 0 && r.group[0][3] == 2);
    ASSERT(r.same[0] == NULL);
    for (size_t g = 0; g < 3; g++)
        ASSERT_IN_RANGE(1 / (1 + exp(-5.)), (double)r.sure[g],
                        (double)TOL(1e-12));
    mtc_free(&ctx, &r.block);
    memset(labels[0], -1, sizeof labels[0]);    /* none at all */
    ASSERT_EQ(MTC_OK, mtc_across(&ctx, &X, 1, at, NULL, &r));
    ASSERT_EQ(0, r.groups);
    mtc_free(&ctx, &r.block);
    PASS();
}

/* One cluster a task: by their distance alone.  Two clusters in one place are
 * no pair of anything. */
TEST the_least_tasks_are_told(void)
{
    static const size_t zero[] = {0}, one[] = {1};
    int group[4];
    mtc_data X[2] = {draw(0, 1, zero, 3), draw(1, 1, zero, 3)};
    ASSERT_EQ(1, groups_of(X, 2, at, group));
    X[1] = draw(1, 1, one, 3);
    ASSERT_EQ(2, groups_of(X, 2, at, group));
    for (size_t t = 0; t < 2; t++) {
        for (size_t e = 0; e < 20; e++)
            rows[t][e] = 1;
        for (size_t i = 0; i < 10; i++)
            labels[t][i] = (int)(i % 2);
        X[t] = mtc_dense(10, 2, rows[t]);
    }
    ASSERT_EQ(4, groups_of(X, 2, at, group));
    PASS();
}

/* A column of one file of six in other units, 1000 times the others'. */
TEST other_units_are_found(void)
{
    static const size_t four[] = {0, 1, 2, 3};
    mtc_context ctx = test_context();
    mtc_across_result r;
    mtc_data X[6];
    for (size_t t = 0; t < 6; t++)
        X[t] = draw(t, 4, four, 5);
    for (size_t t = 0; t < 6; t++)
        for (size_t i = 0; i < X[t].n; i++)
            rows[t][i * WIDTH + 1] = (rows[t][i * WIDTH + 1] + 30) *
                                     (t == 4 ? 1000 : 1);
    ASSERT_EQ(MTC_OK, mtc_across(&ctx, X, 6, at, NULL, &r));
    ASSERT_EQ(4, r.groups);
    for (size_t e = 0; e < 6 * WIDTH; e++)
        ASSERT_EQ(e == 4 * WIDTH + 1 ? MTC_ACROSS_SCALED : MTC_ACROSS_AS_IS,
                  r.kind[e]);
    ASSERT_IN_RANGE(0.001, (double)r.scale[4 * WIDTH + 1], 0.0001);
    ASSERT(r.odd[4 * WIDTH + 1] > 500 && r.odd[0] == 1 && r.gain[4] > 4);
    mtc_free(&ctx, &r.block);
    mtc_across_options o = {.maps = 0};
    ASSERT_EQ(MTC_OK, mtc_across(&ctx, X, 6, at, &o, &r));
    ASSERT_EQ(8, r.groups);
    mtc_free(&ctx, &r.block);
    PASS();
}

SUITE(across_suite)
{
    RUN_TEST(groups_do_not_depend_on_how_tasks_are_put);
    RUN_TEST(one_task_keeps_its_clusters);
    RUN_TEST(the_least_tasks_are_told);
    RUN_TEST(other_units_are_found);
    for (size_t c = 0; c < CASES; c++)
        RUN_TESTp(worked_cases, c);
}
