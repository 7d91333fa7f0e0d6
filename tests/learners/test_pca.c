/* SPDX-License-Identifier: MIT
 *
 * test_pca.c - principal components: data of known rank, one form of the data
 * against another, values that are known exactly.  All sums are in double.
 */
#include "greatest.h"
#include "test_util.h"

#include <math.h>

#define EPS ((double)TEST_EPS)
#define RULE 30.0                       /* LAPACK's threshold */

/* rank + noise-free: X = A B + mean, A [n*rank], B [rank*d]. */
static void low_rank(size_t n, size_t d, size_t rank, mtc_real *X)
{
    mtc_real *A = test_reals(n * rank), *B = test_reals(rank * d);
    test_fill(A, n * rank, 1, -1, 1);
    test_fill(B, rank * d, 2, -1, 1);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < d; j++) {
            double sum = (double)(j % 5);
            for (size_t k = 0; k < rank; k++)
                sum += (double)A[i * rank + k] * (double)B[k * d + j];
            X[i * d + j] = (mtc_real)sum;
        }
    free(A);
    free(B);
}

/* Largest |X - 1 mean' - scores components|. */
static double unexplained(const mtc_data *X, const mtc_pca_result *p)
{
    double worst = 0;
    for (size_t i = 0; i < X->n; i++)
        for (size_t j = 0; j < X->d; j++) {
            double sum = (double)X->values[i * X->d + j] - (double)p->mean[j];
            for (size_t k = 0; k < p->dimension; k++)
                sum -= (double)p->scores[i * p->dimension + k] *
                       (double)p->components[k * X->d + j];
            worst = fabs(sum) > worst ? fabs(sum) : worst;
        }
    return worst;
}

/* Rows of components orthonormal, scores centered with the told variance. */
static const char *pca_verdict(const mtc_data *X, const mtc_pca_result *p)
{
    size_t n = X->n, d = X->d, r = p->dimension;
    for (size_t a = 0; a < r; a++) {
        double mean = 0, square = 0, top = 0;
        for (size_t b = 0; b < r; b++) {
            double dot = a == b ? -1 : 0;
            for (size_t j = 0; j < d; j++)
                dot += (double)p->components[a * d + j] *
                       (double)p->components[b * d + j];
            if (!(fabs(dot) < RULE * (double)d * EPS))
                return "components are not orthonormal";
        }
        for (size_t j = 0; j < d; j++)
            if (fabs((double)p->components[a * d + j]) > fabs(top))
                top = (double)p->components[a * d + j];
        if (top < 0)
            return "sign of a component";
        for (size_t i = 0; i < n; i++) {
            mean += (double)p->scores[i * r + a] / (double)n;
            square += (double)p->scores[i * r + a] *
                      (double)p->scores[i * r + a];
        }
        if (!(fabs(mean) < 1e3 * EPS * sqrt((double)p->total)))
            return "scores are not centered";
        if (!(fabs(square - (double)p->variance[a]) <
              1e3 * EPS * (double)p->total))
            return "variance is not that of the scores";
        if (a > 0 && p->variance[a] > p->variance[a - 1])
            return "variance ascends";
    }
    return NULL;
}

TEST pca_reconstructs_low_rank_data(void)
{
    static const size_t shape[][2] = {{30, 12}, {12, 30}, {200, 7}, {9, 300}};
    mtc_context ctx = test_context();
    mtc_pca_options opt = mtc_pca_defaults();
    for (size_t t = 0; t < 4; t++)
        for (opt.dimension = 0; opt.dimension <= 6; opt.dimension += 6) {
            size_t n = shape[t][0], d = shape[t][1];
            mtc_real *values = test_reals(n * d);
            low_rank(n, d, 4, values);
            mtc_data X = mtc_dense(n, d, values);
            mtc_pca_result p;
            opt.keep = 1;
            ASSERT_EQ(MTC_OK, mtc_pca(&ctx, &X, 1, &opt, &p));
            ASSERT_EQ(4, p.dimension);      /* the rank, though 6 were asked */
            const char *bad = pca_verdict(&X, &p);
            ASSERTm(bad, bad == NULL);
            ASSERT(unexplained(&X, &p) < 1e3 * EPS * 8);
            mtc_real *scores = test_reals(n * 4);
            ASSERT_EQ(MTC_OK, mtc_pca_assign(&ctx, &X, 0, &p, scores));
            ASSERT(memcmp(scores, p.scores, n * 4 * sizeof *scores) == 0);
            free(scores);
            free(values);
            mtc_free(&ctx, &p.block);
            ASSERT(p.block.at == NULL);
        }
    PASS();
}

/* The same components whether the columns or the rows are fewer: zero
 * columns added to X change nothing but the way. */
TEST pca_is_the_same_by_rows_and_by_columns(void)
{
    enum { N = 20, D = 15, WIDE = 40, R = 5 };
    mtc_real A[N * D], B[N * WIDE] = {0};
    test_fill(A, N * D, 6, -1, 1);
    for (int i = 0; i < N; i++)
        memcpy(B + i * WIDE, A + i * D, D * sizeof *A);
    mtc_data X = mtc_dense(N, D, A), Y = mtc_dense(N, WIDE, B);
    mtc_context ctx = test_context();
    mtc_pca_options opt = mtc_pca_defaults();
    mtc_pca_result p, q;
    opt.dimension = R;
    ASSERT_EQ(MTC_OK, mtc_pca(&ctx, &X, 1, &opt, &p));
    ASSERT_EQ(MTC_OK, mtc_pca(&ctx, &Y, 1, &opt, &q));
    ASSERT_EQ(R, p.dimension);
    ASSERT_EQ(R, q.dimension);
    for (int k = 0; k < R; k++)
        for (int j = 0; j < WIDE; j++)
            ASSERT(fabs((double)q.components[k * WIDE + j] -
                        (j < D ? (double)p.components[k * D + j] : 0))
                   < 1e4 * EPS);
    for (int i = 0; i < N * R; i++)
        ASSERT(fabs((double)p.scores[i] - (double)q.scores[i]) < 1e4 * EPS);
    mtc_free(&ctx, &p.block);
    mtc_free(&ctx, &q.block);
    PASS();
}

/* By products with X alone: the same components, as near as was asked. */
TEST pca_to_a_tolerance_is_that_near(void)
{
    enum { N = 60, D = 40, R = 2 };
    static mtc_real A[N * D];
    test_fill(A, N * D, 8, -1, 1);
    for (int i = 0; i < N; i++)                 /* two that stand out */
        for (int j = 0; j < D; j++)
            A[i * D + j] += (mtc_real)(j % 2 == i % 2 ? 3 : 0) +
                            (mtc_real)(j < D / 2 && i < N / 3 ? 3 : 0);
    mtc_data X = mtc_dense(N, D, A);
    mtc_context ctx = test_context();
    mtc_pca_options opt = mtc_pca_defaults();
    mtc_pca_result exact, near;
    opt.dimension = R;
    ASSERT_EQ(MTC_OK, mtc_pca(&ctx, &X, 1, &opt, &exact));
    opt.tolerance = (mtc_real)1e-4;
    ASSERT_EQ(MTC_OK, mtc_pca(&ctx, &X, 1, &opt, &near));
    ASSERT_EQ(R, near.dimension);
    for (int e = 0; e < R * D; e++)
        ASSERT_IN_RANGE((double)exact.components[e],
                        (double)near.components[e], 1e-2);
    mtc_free(&ctx, &exact.block);
    mtc_free(&ctx, &near.block);
    opt.tolerance = 2;
    ASSERT_EQ(MTC_INVALID, mtc_pca(&ctx, &X, 1, &opt, &near));
    PASS();
}

/* Fewer rows than columns, and singular values that fall from 1 to 1e-7 (float:
 * 1e-2): vectors of small ones, too, are orthogonal to the last digits. */
TEST pca_of_few_rows_is_orthonormal_for_small_variances_too(int csr)
{
    enum { N = 24, D = 90 };
    static mtc_real x[N * D], values[N * D];
    static uint32_t column[N * D];
    size_t row[N + 1];
    const double ratio = sizeof(mtc_real) == 8 ? .5 : .82;
    double size = 1;
    mtc_random rng = mtc_random_seed(4);
    memset(x, 0, sizeof x);
    for (int k = 0; k < N; k++, size *= ratio) {
        mtc_real a[N], b[D];
        for (int i = 0; i < N; i++)
            a[i] = (mtc_real)size * mtc_random_normal(&rng);
        for (int j = 0; j < D; j++)
            b[j] = mtc_random_normal(&rng);
        for (int e = 0; e < N * D; e++)
            x[e] += a[e / D] * b[e % D];
    }
    test_sparse(N, D, x, row, column, values);
    mtc_data X = csr ? mtc_csr(N, D, row, column, values) : mtc_dense(N, D, x);
    mtc_pca_options o = mtc_pca_defaults();
    mtc_pca_result p;
    o.mean = MTC_MEAN_NONE;
    o.dimension = N;
    ASSERT_EQ(MTC_OK, mtc_pca(NULL, &X, 1, &o, &p));
    ASSERT(p.dimension > N / 2);
    for (size_t a = 0; a < p.dimension; a++)
        for (size_t b = 0; b <= a; b++) {
            double sum = a == b ? -1 : 0;
            for (size_t j = 0; j < D; j++)
                sum += (double)p.components[a * D + j] *
                       (double)p.components[b * D + j];
            ASSERT(fabs(sum) < 50 * EPS);
        }
    mtc_free(NULL, &p.block);
    PASS();
}

/* By the matrix of all pairs, and with a tolerance by products with X.  Column
 * 0 has no zeros. */
TEST pca_of_sparse_data_is_that_of_dense(void)
{
    static const size_t shape[][2] = {{40, 15}, {15, 40}};
    mtc_context ctx = test_context();
    for (size_t t = 0; t < 4; t++)
        for (int mean = MTC_MEAN_COMMON; mean <= MTC_MEAN_OWN; mean++) {
            size_t n = shape[t % 2][0], d = shape[t % 2][1], row[41];
            mtc_real x[600], values[600];
            uint32_t column[600];
            test_fill(x, n * d, 7, -2, 1);
            for (size_t i = 0; i < n * d; i++)
                x[i] = i % d == 0 ? x[i] + 5 : x[i] > 0 ? x[i] : 0;
            test_sparse(n, d, x, row, column, values);
            mtc_data X = mtc_dense(n, d, x);
            mtc_data Y = mtc_csr(n, d, row, column, values);
            mtc_pca_options opt = mtc_pca_defaults();
            opt.mean = (mtc_mean)mean;
            opt.dimension = 3;
            mtc_pca_result p, q;
            ASSERT_EQ(MTC_OK, mtc_pca(&ctx, &X, 1, &opt, &p));
            opt.tolerance = (mtc_real)(t < 2 ? 0 : 1e-6);
            ASSERT_EQ(MTC_OK, mtc_pca(&ctx, &Y, 1, &opt, &q));
            ASSERT_EQ(3, p.dimension);
            ASSERT_EQ(3, q.dimension);
            for (size_t i = 0; i < 3 * d; i++)
                ASSERT(fabs((double)p.components[i] -
                            (double)q.components[i]) < 1e4 * EPS);
            for (size_t i = 0; i < 3 * n; i++)
                ASSERT(fabs((double)p.scores[i] - (double)q.scores[i]) <
                       1e4 * EPS);
            for (size_t j = 0; mean == MTC_MEAN_NONE && j < d; j++)
                ASSERT(p.mean[j] == 0 && q.mean[j] == 0);
            ASSERT(fabs((double)p.total - (double)q.total) <
                   1e3 * EPS * (double)p.total);
            mtc_real *scores = test_reals(3 * n);
            ASSERT_EQ(MTC_OK, mtc_pca_assign(&ctx, &Y, 0, &q, scores));
            ASSERT(memcmp(scores, q.scores, 3 * n * sizeof *scores) == 0);
            free(scores);
            mtc_free(&ctx, &p.block);
            mtc_free(&ctx, &q.block);
        }
    PASS();
}

/* Two views, dense, CSR or one of each, more rows than columns or fewer: as of
 * their rows in one dense matrix, from which this test took the mean. */
TEST pca_of_several_views_is_that_of_their_rows_together(void)
{
    enum { N = 30, CUT = 11, R = 3 };
    static const size_t width[] = {8, 45};
    mtc_context ctx = test_context();
    for (unsigned way = 0; way < 2 * 3 * 3; way++) {
        size_t d = width[way % 2], form = way / 2 % 3, row[2][N + 1];
        mtc_mean mean = (mtc_mean)(way / 6);
        mtc_real x[N * 45], values[2][N * 45], centered[N * 45], scores[N * R];
        uint32_t column[2][N * 45];
        test_fill(x, N * d, way + 5, -1, 3);
        for (size_t i = 0; i < N * d; i++)
            x[i] = x[i] < 1 ? 0 : x[i] + (i / d < CUT);  /* means differ */
        mtc_data views[2] = {mtc_dense(CUT, d, x),
                             mtc_dense(N - CUT, d, x + CUT * d)};
        for (size_t t = 0; t < 2; t++) {
            mtc_data V = views[t];
            test_sparse(V.n, d, V.values, row[t], column[t], values[t]);
            if (form > t)                           /* 1: only the first */
                views[t] = mtc_csr(V.n, d, row[t], column[t], values[t]);
        }
        for (size_t j = 0; j < d; j++) {
            double sum[2] = {0, 0};
            for (size_t i = 0; i < N; i++)
                sum[i >= CUT] += (double)x[i * d + j];
            for (size_t i = 0; i < N; i++) {
                double m = mean == MTC_MEAN_NONE ? 0
                           : mean == MTC_MEAN_COMMON ? (sum[0] + sum[1]) / N
                           : i < CUT ? sum[0] / CUT : sum[1] / (N - CUT);
                centered[i * d + j] = (mtc_real)((double)x[i * d + j] - m);
            }
        }
        mtc_data C = mtc_dense(N, d, centered);
        mtc_pca_options o = mtc_pca_defaults(), plain = o;
        mtc_pca_result p, q;
        plain.mean = MTC_MEAN_NONE;
        o.mean = mean;
        o.dimension = plain.dimension = R;
        ASSERT_EQ(MTC_OK, mtc_pca(&ctx, views, 2, &o, &p));
        ASSERT_EQ(MTC_OK, mtc_pca(&ctx, &C, 1, &plain, &q));
        ASSERT_EQ(mean == MTC_MEAN_OWN ? 2 : 1, p.views);
        ASSERT_EQ(R, p.dimension);
        ASSERT(fabs((double)(p.total - q.total)) < 1e3 * EPS *
               (double)p.total);
        for (size_t z = 0; z < R; z++)
            ASSERT(fabs((double)(p.variance[z] - q.variance[z])) <
                   1e3 * EPS * (double)p.total);
        for (size_t e = 0; e < R * d; e++)
            ASSERT(fabs((double)(p.components[e] - q.components[e])) <
                   1e5 * EPS);
        for (size_t t = 0; t < 2; t++)
            ASSERT_EQ(MTC_OK, mtc_pca_assign(&ctx, &views[t], t, &p,
                                             scores + t * CUT * R));
        ASSERT(memcmp(scores, p.scores, sizeof scores) == 0);
        for (size_t e = 0; e < N * R; e++)
            ASSERT(fabs((double)(p.scores[e] - q.scores[e])) < 1e6 * EPS);
        ASSERT_EQ(mean == MTC_MEAN_OWN ? MTC_INVALID : MTC_OK,
                  mtc_pca_assign(&ctx, &views[1], 2, &p, scores));
        mtc_free(&ctx, &p.block);
        mtc_free(&ctx, &q.block);
    }
    PASS();
}

/* Independent columns of squared lengths 16, 4, 1 (times n): shares are
 * 16/21, 20/21, 1. */
TEST pca_keeps_the_share_that_was_asked(void)
{
    static const double keep[] = {.5, .76, .77, .95, .96, 1};
    static const size_t expected[] = {1, 1, 2, 2, 3, 3};
    mtc_real x[24];
    for (int i = 0; i < 8; i++) {
        x[i * 3] = i & 1 ? 4 : -4;
        x[i * 3 + 1] = i & 2 ? 2 : -2;
        x[i * 3 + 2] = i & 4 ? 1 : -1;
    }
    mtc_data X = mtc_dense(8, 3, x);
    mtc_context ctx = test_context();
    mtc_pca_options opt = mtc_pca_defaults();
    for (size_t t = 0; t < 6; t++) {
        mtc_pca_result p;
        opt.keep = (mtc_real)keep[t];
        ASSERT_EQ(MTC_OK, mtc_pca(&ctx, &X, 1, &opt, &p));
        ASSERT_EQ(expected[t], p.dimension);
        ASSERT(fabs((double)p.total - 8 * 21) < 1e3 * EPS);
        ASSERT(fabs((double)p.variance[0] - 8 * 16) < 1e4 * EPS);
        mtc_free(&ctx, &p.block);
    }
    PASS();
}

TEST pca_of_constant_data_has_no_dimension(void)
{
    mtc_real x[60];
    size_t row[7];
    uint32_t column[60];
    mtc_real values[60], nothing = 3;
    for (int i = 0; i < 60; i++)
        x[i] = (mtc_real)(0.1 * (1 + i % 10));
    test_sparse(6, 10, x, row, column, values);
    mtc_data views[3] = {mtc_dense(6, 10, x), mtc_csr(6, 10, row, column,
                         values), mtc_dense(1, 10, x)};
    mtc_context ctx = test_context();
    mtc_pca_options opt = mtc_pca_defaults();
    for (int t = 0; t < 6; t++)
        for (opt.dimension = 0; opt.dimension < 3; opt.dimension += 2) {
            mtc_pca_result p;
            opt.tolerance = (mtc_real)(t < 3 ? 0 : 1e-6);  /* no matrix */
            /* In float the rest of CSR's centering is no answer. */
            int rest = sizeof(mtc_real) == sizeof(float) && t == 1;
            ASSERT_EQ(rest ? MTC_LIMIT : MTC_OK,
                      mtc_pca(&ctx, &views[t % 3], 1, &opt, &p));
            if (rest)
                continue;
            ASSERT_EQ(0, p.dimension);
            ASSERT(fabs((double)p.mean[3] - .4) < 10 * EPS);
            ASSERT_EQ(MTC_OK, mtc_pca_assign(&ctx, &views[t % 3], 0, &p,
                                             &nothing));
            mtc_free(&ctx, &p.block);
        }
    ASSERT(nothing == 3);
    PASS();
}

TEST pca_refuses_what_cannot_be(void)
{
    mtc_real x[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3};
    mtc_data X = mtc_dense(4, 3, x), Y = mtc_dense(3, 4, x);
    mtc_context ctx = test_context();
    mtc_pca_options opt = mtc_pca_defaults();
    mtc_pca_result p;
    static const double keep[] = {0, -1, 1.5, NAN};
    for (int t = 0; t < 4; t++) {
        opt.keep = (mtc_real)keep[t];
        ASSERT_EQ(MTC_INVALID, mtc_pca(&ctx, &X, 1, &opt, &p));
    }
    opt = mtc_pca_defaults();
    ASSERT_EQ(MTC_OK, mtc_pca(&ctx, &X, 1, &opt, &p));
    ASSERT_EQ(MTC_INVALID, mtc_pca_assign(&ctx, &Y, 0, &p, x));
    mtc_free(&ctx, &p.block);
    x[7] = (mtc_real)NAN;
    ASSERT_EQ(MTC_DOMAIN, mtc_pca(&ctx, &X, 1, &opt, &p));
    ASSERT_EQ(2, ctx.error.row);
    ASSERT_EQ(1, ctx.error.column);
    PASS();
}

/* Both sides beyond the dense way: text-like rows with planted directions. */
TEST pca_of_large_sparse_data_stays_small(void)
{
    enum { N = 2100, D = 2300, EACH = 6 };
    static mtc_real values[N * EACH];
    static uint32_t column[N * EACH];
    static size_t row[N + 1];
    test_fill(values, N * EACH, 5, .1, 1);
    for (size_t i = 0; i < N; i++) {
        row[i] = i * EACH;
        size_t topic = i % 3;           /* its words stand out */
        for (size_t k = 0; k < EACH; k++) {
            column[i * EACH + k] = (uint32_t)(
                k < 2 ? 2 * topic + k
                      : 10 + k * 380 + (i * (k + 7) * 31) % 350);
            if (k < 2)
                values[i * EACH + k] = (mtc_real)(3 + topic);
        }
    }
    row[N] = N * EACH;
    mtc_data X = mtc_csr(N, D, row, column, values);
    mtc_context ctx = test_context();
    mtc_pca_options opt = mtc_pca_defaults();
    opt.dimension = 2;
    mtc_pca_result p;
    mtc_context ask = mtc_measure();
    ASSERT_EQ(MTC_NO_MEMORY, mtc_pca(&ask, &X, 1, &opt, &p));
    ASSERT(ask.need < (size_t)N * D * sizeof(mtc_real));
    ASSERT_EQ(MTC_OK, mtc_pca(&ctx, &X, 1, &opt, &p));
    ASSERT_EQ(2, p.dimension);
    const char *bad = pca_verdict(&X, &p);
    ASSERTm(bad, bad == NULL);
    for (int k = 0; k < 2; k++) {       /* Xc'Xc c = variance c */
        double worst = 0;
        double *image = (double *)test_malloc(D * sizeof *image), sum = 0;
        for (size_t j = 0; j < D; j++)
            image[j] = -(double)p.variance[k] *
                       (double)p.components[(size_t)k * D + j];
        for (size_t i = 0; i < N; i++) {
            double s = (double)p.scores[i * 2 + (size_t)k];
            sum += s;
            for (size_t t = row[i]; t < row[i + 1]; t++)
                image[column[t]] += s * (double)values[t];
        }
        for (size_t j = 0; j < D; j++) {
            double r = fabs(image[j] - sum * (double)p.mean[j]);
            worst = r > worst ? r : worst;
        }
        free(image);
        ASSERT(worst < 1e4 * EPS * (double)p.variance[0]);
    }
    mtc_free(&ctx, &p.block);
    PASS();
}

/* diag(v) has the squares of v.  Beyond 2000 rows and columns they come from
 * products, and small ones are exact beside a large one too. */
TEST pca_finds_small_variances_beside_a_large_one(void)
{
    enum { N = 2001, R = 5 };
    static mtc_real v[N];
    static size_t row[N + 1];
    static uint32_t column[N];
    for (size_t i = 0; i < N; i++) {
        v[i] = i < R ? 2 - (mtc_real)i / 8 : (mtc_real)(i % 100) / 100;
        column[i] = (uint32_t)i;
        row[i + 1] = i + 1;
    }
    v[0] = sizeof(mtc_real) == 8 ? (mtc_real)1e5 : 10;
    mtc_data X = mtc_csr(N, N, row, column, v);
    mtc_pca_options o = mtc_pca_defaults();
    mtc_pca_result r;
    o.dimension = R;
    o.mean = MTC_MEAN_NONE;
    ASSERT_EQ(MTC_OK, mtc_pca(NULL, &X, 1, &o, &r));
    ASSERT_EQ(R, r.dimension);
    for (int j = 0; j < R; j++)
        ASSERT_IN_RANGE(1, (double)(r.variance[j] / (v[j] * v[j])), 1e-3);
    mtc_free(NULL, &r.block);
    PASS();
}

SUITE(pca_suite)
{
    RUN_TEST(pca_reconstructs_low_rank_data);
    RUN_TEST(pca_is_the_same_by_rows_and_by_columns);
    RUN_TEST(pca_to_a_tolerance_is_that_near);
    RUN_TESTp(pca_of_few_rows_is_orthonormal_for_small_variances_too, 0);
    RUN_TESTp(pca_of_few_rows_is_orthonormal_for_small_variances_too, 1);
    RUN_TEST(pca_of_sparse_data_is_that_of_dense);
    RUN_TEST(pca_of_several_views_is_that_of_their_rows_together);
    RUN_TEST(pca_keeps_the_share_that_was_asked);
    RUN_TEST(pca_of_constant_data_has_no_dimension);
    RUN_TEST(pca_refuses_what_cannot_be);
    RUN_TEST(pca_of_large_sparse_data_stays_small);
    RUN_TEST(pca_finds_small_variances_beside_a_large_one);
}
