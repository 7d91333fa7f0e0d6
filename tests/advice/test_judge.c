/* SPDX-License-Identifier: MIT
 *
 * Judge: worked cases, and its score by matrices written out in full.
 */
#include <math.h>

#include "golden/auto.h"
#include "greatest.h"
#include "test_util.h"

enum { CASES = 8, MANY = 5, MAX_N = 80 };

/* The distinct rows of a worked case, and the candidates. */
static mtc_data case_rows(const auto_case *c, mtc_real *x, const int **of)
{
    for (size_t i = 0; i < c->distinct; i++)
        for (size_t e = 0; e < 2; e++)
            x[i * 2 + e] = (mtc_real)c->X[(size_t)c->rows[i] * 2 + e];
    for (size_t m = 0; m < MANY; m++)
        of[m] = c->candidates + m * c->distinct;
    return mtc_dense(c->distinct, 2, x);
}

TEST the_worked_cases_are_judged_as_they_are(void)
{
    static mtc_real x[2 * MAX_N];
    const int *of[MANY];
    mtc_context ctx = test_context();
    double tol = (double)TOL(1e-9);
    if (sizeof(mtc_real) != 8)
        SKIPm("the worked cases are of doubles");
    for (size_t i = 0; i < CASES; i++) {
        const auto_case *c = &auto_cases[i];
        mtc_data X = case_rows(c, x, of);
        mtc_judge_result r;
        ASSERT_EQ(MTC_OK, mtc_judge(&ctx, &X, of, MANY, c->k, &r));
        ASSERT_EQ(MANY, (int)r.partitions);
        ASSERT_EQm(c->name, c->kept, (int)r.kept);
        if (strcmp(c->name, "few") == 0) {      /* only this one counts */
            ASSERT_EQ(0, r.of[4].score);
            mtc_free(&ctx, &r.block);
            continue;
        }
        ASSERT_IN_RANGE(c->margin, (double)r.margin, tol);
        for (size_t m = 0; m < MANY; m++) {
            ASSERT_IN_RANGEm(c->name, c->figures[4 * m], (double)r.of[m].score,
                             tol);
            ASSERT_IN_RANGE(c->figures[4 * m + 1], (double)r.of[m].info_near, tol);
            ASSERT_IN_RANGE(c->figures[4 * m + 2], (double)r.of[m].info_far, tol);
            ASSERT_IN_RANGE(c->figures[4 * m + 3], (double)r.of[m].entropy, tol);
            ASSERT_EQm(c->name, c->counts[2 * m], (int)r.of[m].edges);
            ASSERT_EQ(c->counts[2 * m + 1], (int)r.of[m].smallest);
            ASSERT_EQm(c->name, c->allowed[m], r.of[m].allowed);
        }
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

TEST path_decides_where_the_favorite_is_left(void)
{
    static mtc_real x[2 * MAX_N];
    const int *of[MANY];
    mtc_context ctx = test_context();
    double tol = sizeof(mtc_real) == 8 ? 1e-9 : 1e-3;
    for (size_t i = 0; i < sizeof auto_paths / sizeof auto_paths[0]; i++) {
        const auto_path *c = &auto_paths[i];
        mtc_judge_result r;
        for (size_t e = 0; e < 2 * c->n; e++)
            x[e] = (mtc_real)c->X[e];
        for (size_t m = 0; m < MANY; m++)
            of[m] = c->parts + m * c->n;
        mtc_data X = mtc_dense(c->n, 2, x);
        ASSERT_EQ(MTC_OK, mtc_judge(&ctx, &X, of, MANY, c->k, &r));
        ASSERT_EQ_FMTm(c->name, c->kept, r.kept, "%zu");
        for (size_t m = 0; m < MANY; m++) {
            ASSERT_IN_RANGEm(c->name, c->score[m], (double)r.of[m].score, tol);
            ASSERT_IN_RANGEm(c->name, c->path[m], (double)r.of[m].path, tol);
        }
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

/* S, dense, by sorting the distances of every row. */
static void plain_graph(const mtc_data *X, double *S)
{
    size_t n = X->n;
    static double D[MAX_N * MAX_N];
    double scale[MAX_N];
    size_t rank[MAX_N][MAX_N];
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++) {
            D[a * n + b] = 0;
            for (size_t e = 0; e < X->d; e++) {
                double t = (double)X->values[a * X->d + e] -
                           (double)X->values[b * X->d + e];
                D[a * n + b] += t * t;
            }
        }
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++) {
            rank[a][b] = 0;                     /* how many come before b */
            for (size_t c = 0; c < n; c++)
                rank[a][b] += c != a && (D[a * n + c] < D[a * n + b] ||
                                         (D[a * n + c] <= D[a * n + b] &&
                                          c < b));
            if (a != b && rank[a][b] == 6)
                scale[a] = sqrt(D[a * n + b]);
        }
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++) {
            int near = a != b && (rank[a][b] < 5 || rank[b][a] < 5);
            S[a * n + b] = near ? exp(-D[a * n + b] / scale[a] / scale[b]) : 0;
        }
}

static double plain_information(const double *J, size_t k)
{
    double sum = 0;
    for (size_t a = 0; a < k; a++)
        for (size_t b = 0; b < k; b++) {
            double row = 0, column = 0, joint = J[a * k + b];
            for (size_t c = 0; c < k; c++) {
                row += J[a * k + c];
                column += J[c * k + b];
            }
            sum += joint > 0 ? joint * log(joint / row / column) : 0;
        }
    return sum;
}

/* I_t by P^t itself, t a power of two. */
static double plain_walk(const double *S, size_t n, const int *z, size_t k,
                         int doublings)
{
    static double P[MAX_N * MAX_N], Q[MAX_N * MAX_N];
    double degree[MAX_N], total = 0, J[16] = {0};
    for (size_t a = 0; a < n; a++) {
        degree[a] = 0;
        for (size_t b = 0; b < n; b++)
            degree[a] += S[a * n + b];
        total += degree[a];
        for (size_t b = 0; b < n; b++)
            P[a * n + b] = S[a * n + b] / degree[a];
    }
    for (int t = 0; t < doublings; t++) {
        for (size_t a = 0; a < n; a++)
            for (size_t b = 0; b < n; b++) {
                Q[a * n + b] = 0;
                for (size_t c = 0; c < n; c++)
                    Q[a * n + b] += P[a * n + c] * P[c * n + b];
            }
        memcpy(P, Q, sizeof P);
    }
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++)
            J[(size_t)z[a] * k + (size_t)z[b]] +=
                degree[a] / total * P[a * n + b];
    return plain_information(J, k);
}

TEST scores_are_those_of_the_walk(void)
{
    static mtc_real x[MAX_N * 3];
    static double S[MAX_N * MAX_N];
    mtc_context ctx = test_context();
    double tol = (double)TOL(1e-10);
    for (uint64_t seed = 1; seed <= 4; seed++) {
        size_t n = 20 + 10 * (size_t)seed, k = 2 + seed % 2;
        int z[MAX_N], one[MAX_N] = {0};
        const int *of[1] = {z};
        mtc_data X = mtc_dense(n, 3, x);
        mtc_judge_result r;
        test_fill(x, n * 3, seed, 0, 1);
        for (size_t i = 0; i < n; i++)
            z[i] = x[3 * i] > (mtc_real)0.5 ? 1 : k == 3 && i % 4 == 0 ? 2 : 0;
        ASSERT_EQ(MTC_OK, mtc_judge(&ctx, &X, of, 1, k, &r));
        plain_graph(&X, S);
        double near = plain_walk(S, n, z, k, 0), far = plain_walk(S, n, z, k, 6);
        ASSERT_IN_RANGE(near, (double)r.of[0].info_near, tol);
        ASSERT_IN_RANGE(far, (double)r.of[0].info_far, tol);
        ASSERT_IN_RANGE((near + far) / 2 / pow((double)r.of[0].entropy, 0.7),
                        (double)r.of[0].score, tol);
        ASSERT_EQ(0, (int)r.kept);
        mtc_free(&ctx, &r.block);
        of[0] = one;                            /* it has no entropy */
        ASSERT_EQ(MTC_OK, mtc_judge(&ctx, &X, of, 1, k, &r));
        ASSERT_EQ(0, r.of[0].score);
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

/* One cluster, or hardly more rows than clusters: there is nothing to judge. */
TEST too_few_rows_keep_the_favorite(void)
{
    mtc_real x[20];
    int z[2][10] = {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
                    {0, 0, 0, 0, 0, 1, 1, 1, 1, 1}};
    const int *of[2] = {z[0], z[1]};
    mtc_context ctx = test_context();
    test_fill(x, 20, 1, 0, 1);
    for (size_t k = 1; k <= 5; k += 4) {        /* 10 < 5 + 6 */
        mtc_data X = mtc_dense(10, 2, x);
        mtc_judge_result r;
        ASSERT_EQ(MTC_OK, mtc_judge(&ctx, &X, k == 1 ? (const int *[2]){z[0],
                                    z[0]} : of, 2, k, &r));
        ASSERT_EQ(0, (int)r.kept);
        ASSERT_EQ(0, r.of[1].score);
        ASSERT_EQ(0, r.margin);
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

TEST bad_partitions_are_refused(void)
{
    mtc_real x[40];
    int z[20] = {0}, none[20] = {0};
    const int *of[2] = {z, none};
    mtc_context ctx = test_context();
    mtc_data X = mtc_dense(20, 2, x);
    mtc_judge_result r;
    test_fill(x, 40, 1, 0, 1);
    none[7] = 3;                                /* there are 3 clusters */
    ASSERT_EQ(MTC_INVALID, mtc_judge(&ctx, &X, of, 2, 3, &r));
    ASSERT_EQ(7, (int)ctx.error.row);
    ASSERT_EQ(MTC_INVALID, mtc_judge(&ctx, &X, of, 0, 3, &r));
    ASSERT_EQ(MTC_INVALID, mtc_judge(&ctx, &X, NULL, 2, 3, &r));
    ASSERT_EQ(MTC_INVALID, mtc_judge(&ctx, &X, of, 1, 0, &r));
    ASSERT_EQ(MTC_INVALID, mtc_judge(&ctx, &X, of, 1, 21, &r));
    x[3] = TEST_MAX * 2;
    ASSERT_EQ(MTC_DOMAIN, mtc_judge(&ctx, &X, of, 1, 3, &r));
    PASS();
}

SUITE(judge)
{
    RUN_TEST(the_worked_cases_are_judged_as_they_are);
    RUN_TEST(path_decides_where_the_favorite_is_left);
    RUN_TEST(scores_are_those_of_the_walk);
    RUN_TEST(too_few_rows_keep_the_favorite);
    RUN_TEST(bad_partitions_are_refused);
}
