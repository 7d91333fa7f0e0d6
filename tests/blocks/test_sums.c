/* SPDX-License-Identifier: MIT
 *
 * Sums over very many samples.  Values that repeat are the worst case: rounded
 * to the same side each time, a running sum in float drifts by a percent.  What
 * is expected is summed here, in double.
 */
#include <math.h>

#include "greatest.h"
#include "test_util.h"

enum { MANY = 300000, WIDE = 4, GROUPS = 3 };

typedef struct crowd {
    mtc_real *x, *weight;
    int *group, *other;                 /* other: a tenth of them moved */
    mtc_data X;
} crowd;

/* Corners of a cube of side 1.4 around each of three centers. */
static crowd make_crowd(void)
{
    mtc_random rng = mtc_random_seed(5);
    crowd c = {.x = malloc(MANY * WIDE * sizeof *c.x),
               .weight = malloc(MANY * sizeof *c.weight),
               .group = malloc(MANY * sizeof *c.group),
               .other = malloc(MANY * sizeof *c.other)};
    for (size_t i = 0; i < MANY; i++) {
        uint64_t bits = mtc_random_bits(&rng) >> 40;
        size_t z = i % GROUPS;
        for (size_t e = 0; e < WIDE; e++)
            c.x[i * WIDE + e] = (mtc_real)(5 + 1.5 * (double)(z * (e + 1) % 5) +
                                           (bits >> e & 1 ? .7f : -.7f));
        c.weight[i] = (mtc_real).7f;
        c.group[i] = (int)z;
        c.other[i] = bits % 10 == 0 ? (int)((z + 1) % GROUPS) : (int)z;
    }
    c.X = mtc_dense(MANY, WIDE, c.x);
    return c;
}

static void free_crowd(crowd *c)
{
    free(c->x);
    free(c->weight);
    free(c->group);
    free(c->other);
}

/* How far `got` is from what is expected, as a share of it. */
static double off_by(double expected, mtc_real got)
{
    return fabs((double)got - expected) / expected;
}

/* The loss is one running sum: in float it loses digits, as the header says. */
TEST kmeans_loss_of_many_samples(void)
{
    crowd c = make_crowd();
    mtc_kmeans_options o = mtc_kmeans_defaults();
    mtc_kmeans_result r;
    double loss = 0;
    o.clusters = GROUPS;
    o.start_labels = c.group;
    o.iterations = 3;
    o.weights = c.weight;
    ASSERT_EQ(MTC_OK, mtc_kmeans(NULL, &c.X, &o, &r));
    for (size_t e = 0; e < MANY * WIDE; e++) {
        size_t z = (size_t)r.labels[e / WIDE];
        double t = (double)c.x[e] - (double)r.centers[z * WIDE + e % WIDE];
        loss += (double)c.weight[e / WIDE] * t * t;
    }
    ASSERT(off_by(loss, r.loss) < (TEST_EPS < 1e-9 ? 1e-11 : 2e-3));
    mtc_free(NULL, &r.block);
    free_crowd(&c);
    PASS();
}

/* The mean is that of the values; the variances sum up to the total. */
TEST components_of_many_samples(void)
{
    crowd c = make_crowd();
    mtc_pca_options o = mtc_pca_defaults();
    mtc_pca_result r;
    double total = 0, kept = 0;
    o.dimension = WIDE;
    ASSERT_EQ(MTC_OK, mtc_pca(NULL, &c.X, 1, &o, &r));
    ASSERT_EQ(WIDE, r.dimension);
    for (size_t e = 0; e < MANY * WIDE; e++) {
        double t = (double)c.x[e] - (double)r.mean[e % WIDE];
        total += t * t;
    }
    for (size_t e = 0; e < WIDE; e++)
        kept += (double)r.variance[e];
    ASSERT(off_by(total, r.total) < 1e-5);
    ASSERT(off_by(total, (mtc_real)kept) < 1e-4);
    mtc_free(NULL, &r.block);
    free_crowd(&c);
    PASS();
}

/* lambda |X - P M_k|^2 + (1-lambda) |X - P M W'|^2, row by row. */
static double lss_value(const crowd *c, const mtc_lssmtc_result *r)
{
    double own = 0, shared = 0, lambda = (double)r->lambda;
    for (size_t e = 0; e < MANY * WIDE; e++) {
        const mtc_real *P = r->P[0] + e / WIDE * GROUPS;
        const mtc_real *W = r->W + e % WIDE * r->width;
        double a = (double)c->x[e], b = a;
        for (size_t z = 0; z < GROUPS; z++) {
            double p = (double)P[z];
            a -= p * (double)r->centers[0][z * WIDE + e % WIDE];
            for (size_t l = 0; l < r->width; l++)
                b -= p * (double)r->M[z * r->width + l] * (double)W[l];
        }
        own += a * a;
        shared += b * b;
    }
    return lambda * own + (1 - lambda) * shared;
}

TEST lssmtc_objective_of_many_samples(void)
{
    crowd c = make_crowd();
    const int *start[] = {c.other};
    mtc_lssmtc_options o = mtc_lssmtc_defaults();
    mtc_lssmtc_result r;
    o.clusters = GROUPS;
    o.iterations = 1;
    o.start_labels = start;
    ASSERT_EQ(MTC_OK, mtc_lssmtc(NULL, &c.X, 1, &o, &r));
    ASSERT_EQ(1, r.iterations);
    ASSERT(off_by(lss_value(&c, &r), r.objective[1]) < 5e-4);
    mtc_free(NULL, &r.block);
    free_crowd(&c);
    PASS();
}

TEST vote_stability_of_many_samples(void)
{
    crowd c = make_crowd();
    const int *runs[] = {c.group, c.other};
    mtc_vote_options o = mtc_vote_defaults();
    mtc_vote_result r;
    double mean = 0;
    o.clusters = GROUPS;
    o.start_labels = c.group;
    ASSERT_EQ(MTC_OK, mtc_vote(NULL, MANY, runs, 2, &o, &r));
    for (size_t i = 0; i < MANY; i++)
        mean += (double)r.stability[i] / MANY;
    ASSERT(off_by(mean, r.mean_stability) < 1e-5);
    for (int z = 0; z < GROUPS; z++) {
        double sum = 0, count = 0;
        for (size_t i = 0; i < MANY; i++) {
            sum += r.labels[i] == z ? (double)r.stability[i] : 0;
            count += r.labels[i] == z;
        }
        ASSERT(off_by(sum / count, r.cluster_stability[z]) < 1e-5);
    }
    mtc_free(NULL, &r.block);
    free_crowd(&c);
    PASS();
}

/* Rows of one 1 each: X'X is a multiple of I, and no direction is rounding. */
TEST components_of_many_sparse_samples(void)
{
    enum { ROWS = 20000, COLUMNS = 1000 };
    size_t *row = malloc((ROWS + 1) * sizeof *row);
    uint32_t *column = malloc(ROWS * sizeof *column);
    mtc_real *value = malloc(ROWS * sizeof *value);
    mtc_pca_options o = mtc_pca_defaults();
    mtc_pca_result r;
    for (size_t i = 0; i <= ROWS; i++)
        row[i] = i;
    for (size_t i = 0; i < ROWS; i++) {
        column[i] = (uint32_t)(i % COLUMNS);
        value[i] = 1;
    }
    mtc_data X = mtc_csr(ROWS, COLUMNS, row, column, value);
    o.dimension = 10;
    ASSERT_EQ(MTC_OK, mtc_pca(NULL, &X, 1, &o, &r));
    ASSERT_EQ(10, r.dimension);
    for (size_t k = 0; k < 10; k++)
        ASSERT(off_by(ROWS / COLUMNS, r.variance[k]) < 1e-3);
    mtc_free(NULL, &r.block);
    free(row);
    free(column);
    free(value);
    PASS();
}

/* Minus the Laplacian of a path: its largest value is 0, its norm near 4. */
static mtc_status path(void *user, size_t n, size_t p, const mtc_real *V,
    mtc_real *AV)
{
    (void)user;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < p; k++) {
            mtc_real here = V[i * p + k];
            AV[i * p + k] = (i > 0 ? V[(i - 1) * p + k] - here : 0) +
                            (i + 1 < n ? V[(i + 1) * p + k] - here : 0);
        }
    return MTC_OK;
}

TEST residual_is_relative_to_the_operator(void)
{
    enum { N = 20 };
    mtc_real w, V[N], residual;
    ASSERT_EQ(MTC_OK, mtc_eigen_operator(NULL, N, path, NULL, 1, 0, 0, &w, V, 1,
                                         &residual));
    ASSERT(residual < (sizeof w == 8 ? 1e-14 : 1e-5));
    for (size_t i = 0; i < N; i++)
        ASSERT(off_by(sqrt(1.0 / N), (mtc_real)fabs((double)V[i])) < 1e-4);
    PASS();
}

SUITE(sums_suite)
{
    RUN_TEST(kmeans_loss_of_many_samples);
    RUN_TEST(components_of_many_samples);
    RUN_TEST(lssmtc_objective_of_many_samples);
    RUN_TEST(vote_stability_of_many_samples);
    RUN_TEST(components_of_many_sparse_samples);
    RUN_TEST(residual_is_relative_to_the_operator);
}
