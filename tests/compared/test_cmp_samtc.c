/* SPDX-License-Identifier: MIT
 *
 * SAMTC: worked cases; one task is plain shared neighbors; densities,
 * matching and relatedness by definition; degenerate tasks; refusals, memory.
 */
#include <limits.h>
#include <math.h>

#include "../../examples/compared/compared.h"
#include "cmp_snn.h"
#include "cmp_sweep.h"
#include "golden/cmp_samtc.h"
#include "greatest.h"

static const double worked_tolerance = sizeof(mtc_real) == 8 ? 1e-8 : 1e-3;
static const double log_two = 0.69314718055994530942;
static test_tasks world;

TEST samtc_follows_worked_case(const samtc_case *g)
{
    static mtc_real x[600];
    mtc_context ctx = test_context();
    size_t n = g->n[0], m = g->n[1], d = g->d, k = g->k[0], l = g->k[1];
    const int *start[2] = {g->start, g->start + n};
    for (size_t i = 0; i < (n + m) * d; i++)
        x[i] = (mtc_real)g->x[i];
    mtc_data tasks[2] = {mtc_dense(n, d, x), mtc_dense(m, d, x + n * d)};
    cmp_samtc_options o = cmp_samtc_defaults();
    cmp_samtc_result r;
    o.clusters_of = g->k;
    o.mu1 = (mtc_real)g->mu1;
    o.mu2 = (mtc_real)g->mu2;
    o.start_labels = start;
    ASSERT_EQ(MTC_OK, cmp_samtc(&ctx, tasks, 2, &o, &r));
    ASSERT_CLOSE(&g->sigma, &r.sigma, 1);
    ASSERT_CLOSE(g->J, r.divergence[1], k * l);
    ASSERT(r.divergence[0] == NULL && r.matched[3] == NULL);
    for (size_t a = 0; a < k; a++) {
        ASSERT_EQ(g->matched[a], r.matched[1][a]);
        if (g->matched[a] >= 0)
            ASSERT_EQ((int)a, r.matched[2][g->matched[a]]);
        for (size_t b = 0; b < l; b++)
            ASSERT(!(r.divergence[1][a * l + b] < r.divergence[2][b * k + a]) &&
                   !(r.divergence[1][a * l + b] > r.divergence[2][b * k + a]));
    }
    const double related[4] = {1, g->related, g->related, 1};
    ASSERT_CLOSE(related, r.relatedness, 4);
    for (size_t t = 0; t < 2; t++) {
        ASSERT_EQ(g->neighbors[t], r.neighbors[t]);
        ASSERT_EQ(g->k[t], r.clusters[t]);
        ASSERT_MEM_EQ(start[t], r.first_labels[t], g->n[t] * sizeof(int));
    }
    ASSERT_CLOSE(g->S, r.S[0], n * n);
    ASSERT_CLOSE(g->S + n * n, r.S[1], m * m);
    mtc_free(&ctx, &r.block);
    PASS();
}

/* The labels are those of normalized cut on S. */
TEST samtc_of_one_task_is_plain_shared_neighbors(void)
{
    static double S[30 * 30];
    static const char *const name = "one task";
    const struct { const char *name; } one = {name}, *g = &one;
    mtc_context ctx = test_context();
    snn_tasks(&world, 1, 30, 4, 3, 1.5, 0);
    cmp_samtc_options o = cmp_samtc_defaults();
    cmp_samtc_result r;
    mtc_ncut_result cut;
    o.clusters = 3;
    o.mu1 = (mtc_real)0.7;
    ASSERT_EQ(MTC_OK, cmp_samtc(&ctx, world.dense, 1, &o, &r));
    ASSERT_EQ((size_t)7, r.neighbors[0]);
    snn_plain(30, 4, world.x[0], 7, (double)r.sigma, S);
    ASSERT_CLOSE(S, r.S[0], 900);
    mtc_data given = mtc_dense(30, 30, r.S[0]);
    mtc_ncut_options no = mtc_ncut_defaults();
    no.clusters = 3;
    no.given = 1;
    ASSERT_EQ(MTC_OK, mtc_ncut(&ctx, &given, &no, &cut));
    ASSERT_MEM_EQ(cut.labels, r.labels[0], 30 * sizeof(int));
    mtc_free(&ctx, &cut.block);
    no.given = 0;                       /* and the first ones: of cosines */
    ASSERT_EQ(MTC_OK, mtc_ncut(&ctx, world.dense, &no, &cut));
    ASSERT_MEM_EQ(cut.labels, r.first_labels[0], 30 * sizeof(int));
    mtc_free(&ctx, &cut.block);
    mtc_free(&ctx, &r.block);
    PASS();
}

/* All of others are neighbors: n-2 of n-1 in the task are common, all matched
 * ones of the other task. */
TEST samtc_with_all_neighbors_has_a_closed_form(void)
{
    mtc_context ctx = test_context();
    snn_tasks(&world, 2, 12, 3, 3, 3, 0);
    cmp_samtc_options o = cmp_samtc_defaults();
    cmp_samtc_result r;
    o.clusters = 3;
    o.mu1 = o.mu2 = 1000;
    o.start_labels = world.labels;
    ASSERT_EQ(MTC_OK, cmp_samtc(&ctx, world.dense, 2, &o, &r));
    ASSERT_EQ((size_t)11, r.neighbors[0]);
    for (size_t i = 0; i < 12; i++)
        for (size_t j = 0; j < 12; j++) {
            const mtc_real *x = world.x[0];
            double K = exp(-snn_far(3, x + 3 * i, x + 3 * j) / 2 /
                           (double)(r.sigma * r.sigma));
            double S = (10.0 / 11 + (double)r.relatedness[1]) * K;
            ASSERT_IN_RANGE(i == j ? 0 : S, (double)r.S[0][i * 12 + j],
                            worked_tolerance);
        }
    mtc_free(&ctx, &r.block);
    PASS();
}

/* p_a(x), J and g of three tasks as the formulas say, nothing shared. */
static double by_formula(size_t t, size_t a, size_t s, size_t b, double sigma)
{
    double p[2 * TEST_N], q[2 * TEST_N], sum[2] = {0, 0}, J = 0;
    size_t n = world.dense[t].n, m = world.dense[s].n, d = world.d;
    for (size_t x = 0; x < n + m; x++) {
        const mtc_real *at = x < n ? world.x[t] + x * d
                                   : world.x[s] + (x - n) * d;
        p[x] = q[x] = 0;
        for (size_t i = 0; i < n; i++)
            if (world.start[t][i] == (int)a)
                p[x] += exp(-snn_far(d, at, world.x[t] + i * d) / 2 / sigma /
                            sigma);
        for (size_t i = 0; i < m; i++)
            if (world.start[s][i] == (int)b)
                q[x] += exp(-snn_far(d, at, world.x[s] + i * d) / 2 / sigma /
                            sigma);
        sum[0] += p[x];
        sum[1] += q[x];
    }
    for (size_t x = 0; x < n + m; x++) {
        double u = p[x] / sum[0], v = q[x] / sum[1], w = (u + v) / 2;
        J += u * log(u / w) / 2 + v * log(v / w) / 2;
    }
    return J;
}

static double mean_kernel(size_t t, size_t s, const int *t_in, const int *s_in,
                          double sigma)
{
    double sum = 0, pairs = 0;
    size_t d = world.d;
    for (size_t i = 0; i < world.dense[t].n; i++)
        for (size_t j = 0; j < world.dense[s].n; j++)
            if (t_in[world.start[t][i]] >= 0 && s_in[world.start[s][j]] >= 0) {
                sum += exp(-snn_far(d, world.x[t] + i * d,
                                    world.x[s] + j * d) / 2 / sigma / sigma);
                pairs++;
            }
    return sum / pairs;
}

/* Task 2 has two of the three clusters of the others, in another order. */
TEST samtc_matches_by_definition(void)
{
    mtc_context ctx = test_context();
    const size_t k[3] = {3, 3, 2};
    snn_tasks(&world, 3, 18, 3, 3, 4, 0.2);
    for (size_t i = 0; i < 18; i++)
        if (i % 3 != 2) {
            world.start[2][i] = 1 - (int)(i % 3);
        } else {                                    /* joins cluster 0's */
            world.x[2][i * 3 + 2] -= 4;
            world.x[2][i * 3] += 4;
            world.start[2][i] = 1;
        }
    test_views(&world, 2, 18, 3);
    cmp_samtc_options o = cmp_samtc_defaults();
    cmp_samtc_result r;
    o.clusters_of = k;
    o.start_labels = world.labels;
    ASSERT_EQ(MTC_OK, cmp_samtc(&ctx, world.dense, 3, &o, &r));
    double sigma = (double)r.sigma;
    for (size_t t = 0; t < 3; t++)
        for (size_t s = 0; s < 3; s++) {
            size_t at = t * 3 + s, back = s * 3 + t;
            if (s == t)
                continue;
            for (size_t a = 0; a < k[t]; a++)
                for (size_t b = 0; b < k[s]; b++)
                    ASSERT_IN_RANGE(by_formula(t, a, s, b, sigma),
                                    (double)r.divergence[at][a * k[s] + b],
                                    worked_tolerance);
            const int *in = r.matched[at], *out = r.matched[back];
            double g = mean_kernel(t, s, in, out, sigma) /
                       sqrt(mean_kernel(t, t, in, in, sigma) *
                            mean_kernel(s, s, out, out, sigma));
            ASSERT_IN_RANGE(g, (double)r.relatedness[at], worked_tolerance);
            ASSERT(r.relatedness[at] >= 0 && r.relatedness[at] <= 1);
        }
    for (int a = 0; a < 3; a++) {
        ASSERT_EQ(a, r.matched[1][a]);
        ASSERT_EQ(a < 2 ? 1 - a : -1, r.matched[2][a]);
    }
    ASSERT_EQ(1, r.matched[6][0]);
    ASSERT_EQ(0, r.matched[6][1]);
    ASSERT(snn_same(18, world.start[2], r.labels[2]));
    mtc_free(&ctx, &r.block);
    PASS();
}

TEST samtc_finds_clusters_that_are_apart(void)
{
    mtc_context ctx = test_context();
    cmp_samtc_options o = cmp_samtc_defaults();
    cmp_samtc_result r;
    o.clusters = 3;
    snn_tasks(&world, 3, 60, 5, 3, 4, 0.3);
    ASSERT_EQ(MTC_OK, cmp_samtc(&ctx, world.dense, 3, &o, &r));
    for (size_t t = 0; t < 3; t++) {
        ASSERT(snn_same(60, world.start[t], r.labels[t]));
        ASSERT_EQ((size_t)3, r.k_effective[t]);
    }
    mtc_free(&ctx, &r.block);
    ASSERT_EQ(MTC_OK, cmp_samtc(&ctx, world.dense, 2, NULL, &r));
    ASSERT_EQ((size_t)2, r.clusters[1]);            /* the defaults */
    mtc_free(&ctx, &r.block);
    PASS();
}

TEST samtc_gives_the_same_labels_dense_and_csr(void)
{
    mtc_context ctx = test_context();
    cmp_samtc_options o = cmp_samtc_defaults();
    cmp_samtc_result a, b;
    o.clusters = 3;
    o.mu2 = (mtc_real)0.5;
    snn_tasks(&world, 2, 40, 6, 3, 1.2, 0.3);
    for (size_t t = 0; t < 2; t++) {
        for (size_t i = 0; i < 240; i++)            /* some zeros */
            world.x[t][i] = i % 7 == 1 ? 0 : world.x[t][i];
        test_views(&world, t, 40, 6);
    }
    mtc_data mixed[2] = {world.csr[0], world.dense[1]};
    const mtc_data *view[2] = {world.csr, mixed};
    ASSERT_EQ(MTC_OK, cmp_samtc(&ctx, world.dense, 2, &o, &a));
    for (size_t v = 0; v < 2; v++) {
        ASSERT_EQ(MTC_OK, cmp_samtc(&ctx, view[v], 2, &o, &b));
        for (size_t t = 0; t < 2; t++) {
            if (sizeof(mtc_real) == sizeof(double))     /* in float: ties */
                ASSERT_MEM_EQ(a.labels[t], b.labels[t], 40 * sizeof(int));
            for (size_t i = 0; i < 1600; i++)
                ASSERT_IN_RANGE(a.S[t][i], b.S[t][i], TOL(1e-12));
        }
        mtc_free(&ctx, &b.block);
    }
    mtc_free(&ctx, &a.block);
    PASS();
}

/* An empty cluster has no density: log 2 from all, and no partner.  Where one
 * task has nothing but one cluster, only that can be matched. */
TEST samtc_serves_empty_clusters_and_tiny_tasks(void)
{
    mtc_context ctx = test_context();
    cmp_samtc_options o = cmp_samtc_defaults();
    cmp_samtc_result r;
    snn_tasks(&world, 3, 12, 3, 3, 3, 0);
    for (size_t i = 0; i < 12; i++)
        world.start[1][i] = 2;                      /* 0, 1 are empty */
    world.dense[2].n = 1;
    world.start[2][0] = 0;
    const size_t k[3] = {3, 3, 1};
    o.clusters_of = k;
    o.start_labels = world.labels;
    ASSERT_EQ(MTC_OK, cmp_samtc(&ctx, world.dense, 3, &o, &r));
    size_t matched = 0;
    for (size_t a = 0; a < 3; a++) {
        ASSERT_IN_RANGE(log_two, (double)r.divergence[1][a * 3], TOL(1e-15));
        ASSERT_IN_RANGE(log_two, (double)r.divergence[1][a * 3 + 1],
                        TOL(1e-15));
        ASSERT(r.divergence[1][a * 3 + 2] < (mtc_real)0.6);
        ASSERT(r.matched[1][a] == -1 || r.matched[1][a] == 2);
        matched += r.matched[1][a] == 2;
    }
    ASSERT_EQ((size_t)1, matched);
    ASSERT(r.matched[3][0] == -1 && r.matched[3][1] == -1);
    ASSERT_EQ((size_t)0, r.neighbors[2]);
    ASSERT(!(r.S[2][0] > 0 || r.S[2][0] < 0));
    ASSERT_EQ(0, r.labels[2][0]);
    mtc_free(&ctx, &r.block);
    memset(world.x, 0, sizeof world.x);             /* all the same */
    world.dense[2].n = 12;
    o.start_labels = NULL;
    ASSERT_EQ(MTC_OK, cmp_samtc(&ctx, world.dense, 3, &o, &r));
    ASSERT_IN_RANGE(1, (double)r.sigma, 0);
    for (size_t i = 0; i < 144; i++)
        ASSERT(r.S[0][i] >= 0 && r.S[0][i] <= 3);
    mtc_free(&ctx, &r.block);
    PASS();
}

/* Too far for the kernel: log 2 from the cluster that has samples, and from the
 * empty one; the pair is with the former. */
TEST samtc_matches_no_empty_cluster_on_a_tie(void)
{
    mtc_context ctx = test_context();
    const mtc_real near[4] = {0, 0, 0, 0}, far[1] = {1000};
    const int one[4] = {1, 1, 1, 1}, zero[1] = {0};
    const int *start[2] = {zero, one};
    const size_t k[2] = {1, 2};
    mtc_data tasks[2] = {mtc_dense(1, 1, far), mtc_dense(4, 1, near)};
    cmp_samtc_options o = cmp_samtc_defaults();
    cmp_samtc_result r;
    o.clusters_of = k;
    o.start_labels = start;
    ASSERT_EQ(MTC_OK, cmp_samtc(&ctx, tasks, 2, &o, &r));
    ASSERT_MEM_EQ(r.divergence[1], r.divergence[1] + 1, sizeof(mtc_real));
    ASSERT_EQ(1, r.matched[1][0]);
    ASSERT(r.matched[2][0] == -1 && r.matched[2][1] == 0);
    ASSERT(!(r.relatedness[1] > 0));
    mtc_free(&ctx, &r.block);
    o.mu1 = o.mu2 = (mtc_real)1e-12;    /* one neighbor at least */
    ASSERT_EQ(MTC_OK, cmp_samtc(&ctx, tasks, 2, &o, &r));
    ASSERT(r.neighbors[0] == 0 && r.neighbors[1] == 1);
    mtc_free(&ctx, &r.block);
    PASS();
}

#define SAMTC(change) \
    (o = cmp_samtc_defaults(), change, \
     cmp_samtc(&ctx, world.dense, 2, &o, &r))

TEST samtc_refuses_what_it_cannot_use(void)
{
    mtc_context ctx = test_context();
    const mtc_real nan = (mtc_real)NAN, infinite = (mtc_real)INFINITY;
    const size_t none[2] = {2, 0}, many[2] = {2, 13};
    cmp_samtc_options o;
    cmp_samtc_result r;
    snn_tasks(&world, 2, 12, 3, 3, 3, 0);
    ASSERT_EQ(MTC_INVALID, SAMTC(o.mu1 = 0));
    ASSERT_EQ(MTC_INVALID, SAMTC(o.mu1 = nan));
    ASSERT_EQ(MTC_INVALID, SAMTC(o.mu2 = infinite));
    ASSERT_EQ(MTC_INVALID, SAMTC(o.mu2 = -1));
    ASSERT_STR_EQ("mu2: need above 0", ctx.error.what);
    ASSERT_EQ(MTC_INVALID, SAMTC(o.clusters = 0));
    ASSERT_EQ(MTC_INVALID, SAMTC(o.clusters = 13));
    ASSERT_EQ(MTC_INVALID, SAMTC(o.clusters_of = none));
    ASSERT_EQ(MTC_INVALID, SAMTC(o.clusters_of = many));
    ASSERT_EQ((size_t)1, ctx.error.task);
    ASSERT_EQ(MTC_INVALID, SAMTC(o.restarts = 0));
    world.start[1][5] = 2;
    world.start[0][2] = world.start[0][5] = world.start[0][8] =
        world.start[0][11] = 1;
    ASSERT_EQ(MTC_INVALID, SAMTC(o.start_labels = world.labels));
    ASSERT(ctx.error.task == 1 && ctx.error.row == 2);
    ASSERT_EQ(MTC_INVALID, cmp_samtc(&ctx, world.dense, 2, NULL, NULL));
    ASSERT_EQ(MTC_INVALID, cmp_samtc(&ctx, NULL, 2, NULL, &r));
    ASSERT_EQ(MTC_INVALID, cmp_samtc(&ctx, world.dense, 0, NULL, &r));
    world.x[1][7] = nan;
    ASSERT_EQ(MTC_DOMAIN, SAMTC((void)0));
    ASSERT(ctx.error.task == 1 && ctx.error.row == 2 && ctx.error.column == 1);
    world.dense[1].d = 2;
    world.x[1][7] = 0;
    ASSERT_EQ(MTC_INVALID, SAMTC((void)0));
    PASS();
}

static mtc_status run_samtc(mtc_context *ctx, void *user, void *out)
{
    cmp_samtc_options o = cmp_samtc_defaults();
    o.clusters = 3;
    o.restarts = 2;
    return cmp_samtc(ctx, (const mtc_data *)user, 2, &o,
                     (cmp_samtc_result *)out);
}

TEST samtc_gives_memory_back_and_stops(int sparse)
{
    snn_tasks(&world, 2, 10, 3, 3, 3, 0);
    mtc_data *tasks = sparse ? world.csr : world.dense;
    const char *wrong = sweep_memory(run_samtc, tasks);
    ASSERTm(wrong, wrong == NULL);
    wrong = sweep_ticks(run_samtc, tasks);
    ASSERTm(wrong, wrong == NULL);
    PASS();
}

SUITE(cmp_samtc_suite)
{
    for (size_t i = 0; i < sizeof samtc_cases / sizeof *samtc_cases; i++)
        RUN_TESTp(samtc_follows_worked_case, &samtc_cases[i]);
    RUN_TEST(samtc_of_one_task_is_plain_shared_neighbors);
    RUN_TEST(samtc_with_all_neighbors_has_a_closed_form);
    RUN_TEST(samtc_matches_by_definition);
    RUN_TEST(samtc_finds_clusters_that_are_apart);
    RUN_TEST(samtc_gives_the_same_labels_dense_and_csr);
    RUN_TEST(samtc_serves_empty_clusters_and_tiny_tasks);
    RUN_TEST(samtc_matches_no_empty_cluster_on_a_tie);
    RUN_TEST(samtc_refuses_what_it_cannot_use);
    for (int sparse = 0; sparse < 2; sparse++)
        RUN_TESTp(samtc_gives_memory_back_and_stops, sparse);
}
