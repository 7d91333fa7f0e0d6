/* SPDX-License-Identifier: MIT
 *
 * Models that remember: a fit with options far from the defaults, then its
 * _assign, which takes none.  The labels are those of the rule that mtc.h
 * states, computed here from nothing but the result's fields.
 */
#include <math.h>

#include "greatest.h"
#include "test_util.h"

enum { T = 3, N = 40, D = 4, K = 3 };

static mtc_real values[T][N * D];
static mtc_data tasks[T];
static int truth[T][N];
static const int *classes[T];

/* Positive rows around K groups, and rows far from all of them. */
static void make_tasks(uint64_t seed)
{
    mtc_real group[K * D];
    test_fill(group, K * D, seed + 100, 1, 6);
    for (size_t t = 0; t < T; t++) {
        test_fill(values[t], N * D, seed + 7 * t, .1, 4);
        for (size_t i = 0; i < N; i++) {
            truth[t][i] = (int)(i % K);
            for (size_t f = 0; f < D; f++)
                values[t][i * D + f] += group[i % K * D + f];
        }
        tasks[t] = mtc_dense(N, D, values[t]);
        classes[t] = truth[t];
    }
}

/* What no model may point to: other numbers are there after a fit. */
static mtc_real L[D * D];

static void make_metric(void)
{
    for (size_t e = 0; e < D * D; e++)
        L[e] = e % (D + 1) == 0 ? (mtc_real)(1 + 8 * (e / D)) : 1;
    mtc_cholesky(D, L, D, NULL);
}

/* A divergence of the caller's own, Itakura and Saito's written again. */
static mtc_real own_value(const void *user, size_t d, const mtc_real *x,
                          const mtc_real *y)
{
    mtc_real sum = 0;
    (void)user;
    for (size_t f = 0; f < d; f++)
        sum += x[f] / y[f] - (mtc_real)log((double)(x[f] / y[f])) - 1;
    return sum;
}

static void own_gradient(const void *user, size_t d, const mtc_real *x,
                         mtc_real *g)
{
    (void)user;
    for (size_t f = 0; f < d; f++)
        g[f] = -1 / x[f];
}

static int own_admits(const void *user, size_t f, mtc_real x)
{
    (void)user, (void)f;
    return x > 0 && x <= TEST_MAX;
}

enum { SQE, MAHA, KL, IS, OWN, KINDS };

static double between(int kind, const double *x, const mtc_real *u)
{
    double sum = 0;
    for (size_t f = 0; f < D; f++) {
        double a = x[f], b = (double)u[f];
        if (kind == SQE)
            sum += (a - b) * (a - b);
        if (kind == KL)
            sum += a * log(a / b) - a + b;
        if (kind == IS || kind == OWN)
            sum += a / b - log(a / b) - 1;
        if (kind != MAHA)
            continue;
        for (size_t g = 0; g < D; g++)
            sum += (a - b) * (f == g ? 1 + 8 * (double)f : 1) *
                   (x[g] - (double)u[g]);
    }
    return sum;
}

/* Is cost[label] the least of k, but for rounding? */
static int is_least(size_t k, const double *cost, int label)
{
    double least = cost[0];
    for (size_t z = 1; z < k; z++)
        least = cost[z] < least ? cost[z] : least;
    return label >= 0 && (size_t)label < k &&
           cost[label] <= least + (double)TOL(1e-9) * (1 + fabs(least));
}

TEST mbc_assigns_by_the_divergence_of_the_fit(void)
{
    mtc_context ctx = test_context();
    size_t otherwise = 0;  /* labels that squared distances would give */
    for (int kind = SQE; kind < KINDS; kind++) {
        make_tasks((uint64_t)kind);
        make_metric();
        mtc_metric metric = {D, L};
        mtc_divergence own = {own_value, own_gradient, own_gradient,
                              own_admits, NULL};
        mtc_divergence div = kind == MAHA ? mtc_mahalanobis(&metric)
                             : kind == KL ? mtc_kl()
                             : kind == IS ? mtc_itakura_saito()
                             : kind == OWN ? own : mtc_sqeuclidean();
        mtc_mbc_options o = mtc_mbc_defaults();
        mtc_mbc_result r;
        double smooth = kind >= KL ? 2.5 : 0;
        o.clusters = K;
        o.lambda = 2;
        o.smooth = (mtc_real)smooth;
        o.divergence = &div;
        ASSERT_EQ(MTC_OK, mtc_mbc(&ctx, tasks, T, &o, &r));
        memset(&div, 0, sizeof div);        /* the model has its own copies */
        memset(&metric, 0, sizeof metric);
        memset(L, 0, sizeof L);
        for (size_t t = 0; t < T; t++) {
            int labels[N];
            ASSERT_EQ(MTC_OK, mtc_mbc_assign(&ctx, &tasks[t], t, &r, labels));
            for (size_t i = 0; i < N; i++) {
                double x[D], cost[K], square[K];
                for (size_t f = 0; f < D; f++)
                    x[f] = (double)values[t][i * D + f] + smooth;
                for (size_t z = 0; z < K; z++) {
                    cost[z] = between(kind, x, r.centers[t] + z * D);
                    square[z] = between(SQE, x, r.centers[t] + z * D);
                }
                ASSERT(is_least(K, cost, labels[i]));
                otherwise += !is_least(K, square, labels[i]);
            }
        }
        mtc_free(&ctx, &r.block);
    }
    ASSERT(otherwise > 10);
    PASS();
}

/* The clusters of the nearest centers of all runs, and their support. */
static void ensemble_costs(const mtc_ec_result *r, const mtc_real *x,
                           double *cost)
{
    const mtc_ensemble *e = &r->ensemble;
    for (size_t z = 0; z < K; z++)
        cost[z] = 0;
    for (size_t l = 0; l < e->runs; l++) {
        size_t best = 0;
        double least = HUGE_VAL;
        for (size_t a = l * e->clusters; a < (l + 1) * e->clusters; a++) {
            double far = 0;
            for (size_t c = 0; c < e->columns; c++) {
                size_t f = e->features[l * e->columns + c];
                double off = (double)x[f] -
                             (double)e->centers[a * e->columns + c];
                far += off * off;
            }
            if (e->sizes[a] > 0 && far < least) {
                least = far;
                best = a;
            }
        }
        for (size_t z = 0; z < K; z++)
            cost[z] -= (double)r->support[best * K + z];
    }
}

TEST ec_and_trec_assign_by_their_runs(void)
{
    mtc_context ctx = test_context();
    mtc_ec_options o = mtc_ec_defaults();
    mtc_trec_options to = mtc_trec_defaults();
    mtc_ec_result r;
    mtc_trec_result tr;
    int labels[N];
    double cost[K];
    make_tasks(3);
    o.clusters = K;
    o.runs = 7;
    o.columns = 2;
    to.ec = o;
    ASSERT_EQ(MTC_OK, mtc_ec(&ctx, &tasks[0], &o, &r));
    ASSERT_EQ(MTC_OK, mtc_ec_assign(&ctx, &tasks[0], &r, labels));
    for (size_t i = 0; i < N; i++) {
        ensemble_costs(&r, values[0] + i * D, cost);
        ASSERT(is_least(K, cost, labels[i]));
    }
    mtc_free(&ctx, &r.block);
    ASSERT_EQ(MTC_OK, mtc_trec(&ctx, &tasks[1], truth[1], &tasks[0], &to, &tr));
    ASSERT_EQ(MTC_OK, mtc_ec_assign(&ctx, &tasks[0], &tr.target, labels));
    for (size_t i = 0; i < N; i++) {
        ensemble_costs(&tr.target, values[0] + i * D, cost);
        ASSERT(is_least(K, cost, labels[i]));
    }
    mtc_free(&ctx, &tr.block);
    PASS();
}

/* min_{g >= 0} g'Gram g - 2 g'C'x for weighted x: the label's share is the
 * largest of those that many small steps down find. */
TEST ttl_assigns_by_its_factors(void)
{
    mtc_context ctx = test_context();
    mtc_ttl_options o = mtc_ttl_defaults();
    mtc_ttl_result r;
    int labels[N];
    make_tasks(5);
    o.classes = K;
    o.features = 6;
    o.common = 4;
    o.iterations = 30;
    ASSERT_EQ(MTC_OK, mtc_ttl(&ctx, &tasks[0], classes, 1, &tasks[1], NULL, 1,
                              &tasks[2], &o, &r));
    ASSERT_EQ(MTC_OK, mtc_ttl_assign(&ctx, &tasks[2], &r, labels));
    for (size_t i = 0; i < N; i++) {
        double pull[K] = {0}, g[K], most = 0, trace = 0;
        for (size_t f = 0; f < D; f++)
            for (size_t z = 0; z < K; z++)
                pull[z] += (double)values[2][i * D + f] *
                           (double)r.weights[f] *
                           (double)r.center[f * K + z];
        for (size_t z = 0; z < K; z++) {
            g[z] = 0;
            trace += (double)r.gram[z * K + z];
        }
        for (int step = 0; step < 100000; step++)
            for (size_t z = 0; z < K; z++) {
                double slope = -pull[z];
                for (size_t y = 0; y < K; y++)
                    slope += (double)r.gram[z * K + y] * g[y];
                g[z] = fmax(0, g[z] - slope / trace);
            }
        for (size_t z = 0; z < K; z++)
            most = fmax(most, g[z]);
        ASSERT(g[labels[i]] >= .9 * most);  /* the library makes fewer steps */
    }
    mtc_free(&ctx, &r.block);
    PASS();
}

/* The nearest of the means that the result has. */
TEST nearest_means(size_t t, mtc_real *const *centers, const size_t *clusters,
                   const int *labels)
{
    for (size_t i = 0; i < N; i++) {
        double cost[K], x[D];
        for (size_t f = 0; f < D; f++)
            x[f] = (double)values[t][i * D + f];
        for (size_t z = 0; z < clusters[t]; z++)
            cost[z] = between(SQE, x, centers[t] + z * D);
        ASSERT(is_least(clusters[t], cost, labels[i]));
    }
    PASS();
}

/* The means of the result are those of its labels, and new samples go there. */
TEST means_of_labels(mtc_context *ctx, const mtc_lssmtc_result *r)
{
    size_t clusters[T];
    int labels[N];
    for (size_t t = 0; t < T; t++) {
        clusters[t] = r->clusters;
        ASSERT_EQ(K, r->k_effective[t]);
        for (size_t e = 0; e < K * D; e++) {
            double sum = 0, n = 0;
            for (size_t i = 0; i < N; i++)
                if (r->labels[t][i] == (int)(e / D)) {
                    sum += (double)values[t][i * D + e % D];
                    n++;
                }
            ASSERT_IN_RANGE(sum / n, (double)r->means[t][e],
                            (double)TOL(1e-12) * (1 + fabs(sum / n)));
        }
        ASSERT_EQ(MTC_OK, mtc_lssmtc_assign(ctx, &tasks[t], t, r, labels));
        CHECK_CALL(nearest_means(t, r->means, clusters, labels));
    }
    PASS();
}

TEST lssmtc_and_lssttc_assign_by_their_means(void)
{
    mtc_context ctx = test_context();
    for (uint64_t seed = 0; seed < 8; seed++) {
        mtc_lssmtc_options o = mtc_lssmtc_defaults();
        mtc_lssmtc_result r;
        make_tasks(seed);
        o.clusters = K;
        o.lambda = (mtc_real)(seed % 2 ? .96875 : .03125);
        o.mode = seed / 2 % 2 ? MTC_SUBSPACE_PCA : MTC_SUBSPACE_RECON;
        o.subspace = 1;
        ASSERT_EQ(MTC_OK, mtc_lssmtc(&ctx, tasks, T, &o, &r));
        CHECK_CALL(means_of_labels(&ctx, &r));
        mtc_free(&ctx, &r.block);
        ASSERT_EQ(MTC_OK, mtc_lssttc(&ctx, tasks, classes, T - 1,
                                     &tasks[T - 1], &o, &r));
        CHECK_CALL(means_of_labels(&ctx, &r));
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

TEST guard_and_auto_assign_by_their_means(void)
{
    mtc_context ctx = test_context();
    mtc_guard_options go = mtc_guard_defaults();
    mtc_auto_options ao = mtc_auto_defaults();
    mtc_guard_result g;
    mtc_auto_result a;
    int labels[N];
    make_tasks(6);
    go.clusters = ao.clusters = K;
    ASSERT_EQ(MTC_OK, mtc_guard(&ctx, tasks, T, &go, &g));
    ASSERT_EQ(MTC_OK, mtc_auto(&ctx, tasks, T, &ao, &a));
    for (size_t t = 0; t < T; t++) {
        ASSERT_EQ(MTC_OK, mtc_guard_assign(&ctx, &tasks[t], t, &g, labels));
        CHECK_CALL(nearest_means(t, g.centers, g.clusters, labels));
        ASSERT_EQ(MTC_OK, mtc_auto_assign(&ctx, &tasks[t], t, &a, labels));
        CHECK_CALL(nearest_means(t, a.centers, a.clusters, labels));
    }
    mtc_free(&ctx, &g.block);
    mtc_free(&ctx, &a.block);
    PASS();
}

TEST classifiers_assign_by_their_weights_and_kernel(void)
{
    mtc_context ctx = test_context();
    mtc_logistic_options lo = mtc_logistic_defaults();
    mtc_svm_options so = mtc_svm_defaults();
    mtc_logistic_result lr;
    mtc_svm_result sr;
    int labels[N];
    double cost[K];
    make_tasks(7);
    lo.classes = so.classes = K;
    lo.ridge = (mtc_real).5;
    so.kernel = MTC_KERNEL_RBF;
    so.gamma = (mtc_real).0625;
    so.cost = 8;
    ASSERT_EQ(MTC_OK, mtc_logistic(&ctx, &tasks[0], truth[0], &lo, &lr));
    ASSERT_EQ(MTC_OK, mtc_logistic_assign(&ctx, &tasks[0], &lr, labels, NULL));
    for (size_t i = 0; i < N; i++) {
        for (size_t z = 0; z < K; z++) {
            cost[z] = -(double)lr.bias[z];
            for (size_t f = 0; f < D; f++)
                cost[z] -= (double)lr.W[z * D + f] *
                           (double)values[0][i * D + f];
        }
        ASSERT(is_least(K, cost, labels[i]));
    }
    mtc_free(&ctx, &lr.block);
    ASSERT_EQ(MTC_OK, mtc_svm(&ctx, &tasks[0], truth[0], &so, &sr));
    ASSERT_EQ(MTC_OK, mtc_svm_assign(&ctx, &tasks[0], &tasks[0], &sr, labels,
                                     NULL));
    for (size_t i = 0; i < N; i++) {
        double x[D];
        for (size_t f = 0; f < D; f++)
            x[f] = (double)values[0][i * D + f];
        for (size_t z = 0; z < K; z++) {
            cost[z] = -(double)sr.bias[z];
            for (size_t s = 0; s < N; s++)
                cost[z] -= (double)sr.coefficients[z * N + s] *
                           exp(-.0625 * between(SQE, x, values[0] + s * D));
        }
        ASSERT(is_least(K, cost, labels[i]));
    }
    mtc_free(&ctx, &sr.block);
    PASS();
}

/* Values that a fit refuses, because their squares vanish, have a nearest
 * center all the same: the one nearest to 0. */
TEST tiny_rows_are_labeled(void)
{
    const mtc_real x[4] = {1, 2, 30, 31}, tiny[2] = {TEST_MIN, TEST_MIN / 4};
    mtc_data X = mtc_dense(4, 1, x), Y = mtc_dense(2, 1, tiny);
    mtc_context ctx = test_context();
    mtc_kmeans_result r;
    int labels[2];
    ASSERT_EQ(MTC_OK, mtc_kmeans(&ctx, &X, NULL, &r));
    ASSERT_EQ(MTC_OK, mtc_kmeans_assign(&ctx, &Y, &r, labels));
    ASSERT_EQ(r.labels[0], labels[0]);
    ASSERT_EQ(r.labels[0], labels[1]);
    mtc_free(&ctx, &r.block);
    ASSERT_EQ(MTC_DOMAIN, mtc_kmeans(&ctx, &Y, NULL, &r));
    PASS();
}

/* The call is made with samples, then only asked, with their shape and without
 * labels: it needs the same. */
#define ASKS(CALL)                                      \
    do {                                                \
        mtc_context *c = &ctx;                          \
        mtc_data *X = &tasks[0];                        \
        int *y = labels;                                \
        ASSERT_EQ(MTC_OK, CALL);                        \
        c = &ask;                                       \
        X = &shape;                                     \
        y = NULL;                                       \
        ASSERT_EQ(MTC_NO_MEMORY, CALL);                 \
        ASSERT_EQ(ctx.need, ask.need);                  \
    } while (0)

TEST assigning_tells_its_need_of_a_shape(void)
{
    mtc_context ctx = test_context(), ask = mtc_measure();
    mtc_data shape = mtc_shape(N, D, 0);
    mtc_lssmtc_result lss;
    mtc_mbc_result mbc;
    mtc_ttl_result ttl;
    mtc_ec_result ec;
    mtc_logistic_result line;
    int labels[N];
    make_tasks(8);
    for (size_t i = 0; i < N; i++)
        truth[0][i] = (int)(i % 2);     /* of the defaults: two classes */
    ASSERT_EQ(MTC_OK, mtc_lssmtc(&ctx, tasks, T, NULL, &lss));
    ASKS(mtc_lssmtc_assign(c, X, 0, &lss, y));
    mtc_free(&ctx, &lss.block);
    ASSERT_EQ(MTC_OK, mtc_mbc(&ctx, tasks, T, NULL, &mbc));
    ASKS(mtc_mbc_assign(c, X, 0, &mbc, y));
    mtc_free(&ctx, &mbc.block);
    ASSERT_EQ(MTC_OK, mtc_ttl(&ctx, tasks, classes, 1, tasks + 1, NULL, 1,
                              tasks + 2, NULL, &ttl));
    ASKS(mtc_ttl_assign(c, X, &ttl, y));
    mtc_free(&ctx, &ttl.block);
    ASSERT_EQ(MTC_OK, mtc_ec(&ctx, &tasks[0], NULL, &ec));
    ASKS(mtc_ec_assign(c, X, &ec, y));
    mtc_free(&ctx, &ec.block);
    ASSERT_EQ(MTC_OK, mtc_logistic(&ctx, &tasks[0], truth[0], NULL, &line));
    ASKS(mtc_logistic_assign(c, X, &line, y, NULL));
    mtc_free(&ctx, &line.block);
    PASS();
}

/* Run r sees feature r, which is the number of the row's cluster, so that what
 * a new row meets of each cluster is counted here in whole numbers. */
TEST ec_leaves_ties_to_the_lowest(void)
{
    enum { ROWS = 20, RUNS = 5 };
    static const size_t features[RUNS] = {0, 1, 2, 3, 4};
    mtc_context ctx = test_context();
    mtc_ec_options o = mtc_ec_defaults();
    mtc_ec_result r;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        mtc_real x[ROWS * RUNS], y[ROWS * RUNS];
        int run[RUNS][ROWS], labels[ROWS], size[K] = {0};
        const int *runs[RUNS] = {run[0], run[1], run[2], run[3], run[4]};
        test_fill(x, ROWS * RUNS, seed, 0, K);
        test_fill(y, ROWS * RUNS, seed + 1000, 0, K);
        for (size_t e = 0; e < ROWS * RUNS; e++) {
            int *z = &run[e % RUNS][e / RUNS];
            *z = e < K * RUNS ? (int)(e / RUNS) : (int)x[e];
            x[e] = (mtc_real)*z;
            y[e] = (mtc_real)(int)y[e];
        }
        mtc_data X = mtc_dense(ROWS, RUNS, x), Y = mtc_dense(ROWS, RUNS, y);
        o.clusters = K;
        o.runs = RUNS;
        o.columns = 1;
        o.partitions = runs;
        o.features = features;
        ASSERT_EQ(MTC_OK, mtc_ec(&ctx, &X, &o, &r));
        ASSERT_EQ(MTC_OK, mtc_ec_assign(&ctx, &Y, &r, labels));
        for (size_t i = 0; i < ROWS; i++)
            size[r.labels[i]]++;
        for (size_t i = 0; i < ROWS; i++) {
            int meets[K] = {0}, best = 0;
            for (size_t e = 0; e < ROWS * RUNS; e++)
                meets[r.labels[e / RUNS]] += x[e] == y[i * RUNS + e % RUNS];
            for (int z = 1; z < K; z++)
                if (meets[z] * size[best] > meets[best] * size[z])
                    best = z;
            ASSERT_EQ(best, labels[i]);
        }
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

SUITE(assign_suite)
{
    RUN_TEST(ec_leaves_ties_to_the_lowest);
    RUN_TEST(assigning_tells_its_need_of_a_shape);
    RUN_TEST(tiny_rows_are_labeled);
    RUN_TEST(mbc_assigns_by_the_divergence_of_the_fit);
    RUN_TEST(lssmtc_and_lssttc_assign_by_their_means);
    RUN_TEST(ec_and_trec_assign_by_their_runs);
    RUN_TEST(ttl_assigns_by_its_factors);
    RUN_TEST(guard_and_auto_assign_by_their_means);
    RUN_TEST(classifiers_assign_by_their_weights_and_kernel);
}
