/* SPDX-License-Identifier: MIT
 *
 * S-MBC and S-MKC: worked cases; no task is worse off than by k-means from the
 * same start; without coupling both are k-means; a kernel's images.
 */
#include <math.h>

#define CMP_INTERNAL
#include "../../examples/compared/compared.h"
#include "cmp_sweep.h"
#include "golden/cmp_smbc.h"
#include "golden/cmp_smkc.h"
#include "greatest.h"
#include "test_util.h"

static const double worked_tolerance = sizeof(mtc_real) == 8 ? 1e-8 : 1e-3;

/* ---- problems ---------------------------------------------------------- */

/* Tasks around common centers, K_t = k + t % 3 clusters, labels by chance;
 * every fifth value is 0, all are positive otherwise. */
static void random_problem(test_tasks *p, uint64_t seed, size_t tasks, size_t n,
                           size_t d, size_t k)
{
    mtc_real center[6 * TEST_D], u[TEST_N];
    p->tasks = tasks;
    p->d = d;
    test_fill(center, 6 * d, seed + 1000, 0, 4);
    for (size_t t = 0; t < tasks; t++) {
        size_t nt = n + 3 * t;
        p->k[t] = k + t % 3;
        test_fill(p->x[t], nt * d, seed + 7 * t, 0.1, 2);
        test_fill(u, nt, seed + 50 + t, 0, (double)p->k[t]);
        for (size_t i = 0; i < nt; i++) {
            p->start[t][i] = (int)u[i];
            for (size_t j = 0; j < d; j++)
                p->x[t][i * d + j] += center[(i % 4) * d + j];
            p->x[t][i * d + (i + t) % d] *= i % 5 == 0 ? 0 : 1;
        }
        test_views(p, t, nt, d);
    }
}

static cmp_smbc_options options_of(const test_tasks *p, cmp_boost_rule rule,
                                   double lambda)
{
    cmp_smbc_options o = cmp_smbc_defaults();
    o.rule = rule;
    o.mbc.clusters_of = p->k;
    o.mbc.lambda = (mtc_real)lambda;
    o.mbc.start_labels = p->labels;
    return o;
}

static double squared(size_t d, const mtc_real *x, const mtc_real *y)
{
    double sum = 0;
    for (size_t j = 0; j < d; j++)
        sum += ((double)x[j] - (double)y[j]) * ((double)x[j] - (double)y[j]);
    return sum;
}

/* Lloyd's iteration from labels h [n], written down again: means (at first an
 * empty cluster has the mean of all, later it stays), nearest, until labels
 * repeat.  Returns 1/n sum |x - u|^2; h holds the last labels. */
static double plain_lloyd(size_t n, size_t d, const mtc_real *x, size_t k,
                          int *h)
{
    mtc_real u[8 * TEST_D];
    double loss = 0;
    for (size_t z = 0; z < k; z++)
        for (size_t j = 0; j < d; j++) {
            double sum = 0;
            for (size_t i = 0; i < n; i++)
                sum += (double)x[i * d + j];
            u[z * d + j] = (mtc_real)(sum / (double)n);
        }
    for (int changed = 1, first = 1; changed || first; first = 0) {
        if (changed)
            for (size_t z = 0; z < k; z++)
                for (size_t j = 0; j < d; j++) {
                    double sum = 0, count = 0;
                    for (size_t i = 0; i < n; i++)
                        if (h[i] == (int)z) {
                            sum += (double)x[i * d + j];
                            count++;
                        }
                    if (count > 0)
                        u[z * d + j] = (mtc_real)(sum / count);
                }
        changed = 0;
        loss = 0;
        for (size_t i = 0; i < n; i++) {
            int best = 0;
            for (size_t z = 1; z < k; z++)
                if (squared(d, x + i * d, u + z * d) <
                    squared(d, x + i * d, u + (size_t)best * d))
                    best = (int)z;
            changed |= h[i] != best;
            h[i] = best;
            loss += squared(d, x + i * d, u + (size_t)best * d) / (double)n;
        }
    }
    return loss;
}

/* ---- worked cases ------------------------------------------------------ */

static void load_case(test_tasks *p, size_t tasks, size_t d, const size_t *n,
                      const size_t *k, const double *const *X,
                      const int *const *start)
{
    p->tasks = tasks;
    p->d = d;
    for (size_t t = 0; t < tasks; t++) {
        p->k[t] = k[t];
        for (size_t i = 0; i < n[t] * d; i++)
            p->x[t][i] = (mtc_real)X[t][i];
        memcpy(p->start[t], start[t], n[t] * sizeof(int));
        test_views(p, t, n[t], d);
    }
}

/* What S-MBC and S-MKC have in common; in float only labels and losses. */
#define WORKED_CASE(g, r) \
    do { \
        size_t T = (g)->tasks, its = (g)->iterations; \
        for (size_t t = 0; t < T; t++) { \
            ASSERT_MEM_EQ((g)->labels[t], (r).labels[t], \
                          (g)->n[t] * sizeof(int)); \
            ASSERT_EQ((g)->boosted[t], (r).boosted[t]); \
        } \
        ASSERT_CLOSE((g)->own_loss, (r).own_loss, T); \
        if (sizeof(mtc_real) < 8) \
            break; \
        ASSERT_EQ(its, (r).iterations); \
        ASSERT((r).converged); \
        if ((g)->literal) { \
            ASSERT_CLOSE((g)->trace, (r).trace, its * T); \
            ASSERT_MEM_EQ((g)->picks, (r).picks, its * T * sizeof(int)); \
        } else { \
            ASSERT_CLOSE((g)->mbc_loss, (r).objective, its + 1); \
            ASSERT_CLOSE((g)->own_boosted, (r).own_boosted, T); \
            ASSERT_CLOSE((g)->own_plain, (r).own_plain, T); \
        } \
    } while (0)

TEST smbc_gives_the_worked_cases(int sparse)
{
    static test_tasks p;
    mtc_context ctx = test_context();
    for (size_t c = 0; c < sizeof golden_smbcs / sizeof *golden_smbcs; c++) {
        const golden_smbc *g = &golden_smbcs[c];
        cmp_smbc_result r;
        load_case(&p, g->tasks, g->d, g->n, g->k, g->X, g->start);
        cmp_smbc_options o = options_of(
            &p, g->literal ? CMP_LITERAL : CMP_POLISH, g->lambda);
        ASSERT_EQ(MTC_OK, cmp_smbc(&ctx, sparse ? p.csr : p.dense, p.tasks, &o,
                                   &r));
        WORKED_CASE(g, r);
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

TEST smkc_gives_the_worked_cases(int sparse)
{
    static test_tasks p;
    mtc_context ctx = test_context();
    for (size_t c = 0; c < sizeof golden_smkcs / sizeof *golden_smkcs; c++) {
        const golden_smkc *g = &golden_smkcs[c];
        cmp_smkc_options o = cmp_smkc_defaults();
        cmp_smkc_result r;
        load_case(&p, g->tasks, g->d, g->n, g->k, g->X, g->start);
        o.kernel = g->linear ? MTC_KERNEL_LINEAR : MTC_KERNEL_RBF;
        o.smbc = options_of(&p, g->literal ? CMP_LITERAL : CMP_POLISH,
                            g->lambda);
        ASSERT_EQ(MTC_OK, cmp_smkc(&ctx, sparse ? p.csr : p.dense, p.tasks, &o,
                                   &r));
        WORKED_CASE(g, r);
        ASSERT_IN_RANGE(g->sigma, (double)r.sigma, 4 * worked_tolerance);
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

/* ---- what the rules promise -------------------------------------------- */

/* J_t of the result, from its labels and centers. */
static double own_loss(const test_tasks *p, const cmp_smbc_result *r, size_t t)
{
    double sum = 0;
    for (size_t i = 0; i < p->dense[t].n; i++)
        sum += squared(p->d, p->x[t] + i * p->d,
                       r->centers[t] + (size_t)r->labels[t][i] * p->d);
    return sum / (double)p->dense[t].n;
}

TEST no_task_is_worse_off_than_by_kmeans(void)
{
    static test_tasks p;
    mtc_context ctx = test_context();
    size_t boosted = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        cmp_smbc_result r;
        random_problem(&p, seed, 3, 20, 4, 2 + seed % 3);
        cmp_smbc_options o = options_of(&p, CMP_POLISH, 0.5);
        ASSERT_EQ(MTC_OK, cmp_smbc(&ctx, p.dense, 3, &o, &r));
        for (size_t t = 0; t < 3; t++) {
            size_t n = p.dense[t].n;
            double J = plain_lloyd(n, p.d, p.x[t], p.k[t], p.start[t]);
            ASSERT(own_loss(&p, &r, t) <= J * (1 + 2e-9) +
                                              (double)TOL(1e-12));
            ASSERT_IN_RANGE(own_loss(&p, &r, t), (double)r.own_loss[t],
                            (double)TOL(1e-10));
            ASSERT_IN_RANGE(J, (double)r.own_plain[t], (double)TOL(1e-10));
            boosted += (size_t)r.boosted[t];
            if (!r.boosted[t])
                ASSERT_MEM_EQ(p.start[t], r.labels[t], n * sizeof(int));
        }
        for (size_t i = 0; i < r.iterations; i++)
            ASSERT(r.objective[i + 1] <= r.objective[i]);
        mtc_free(&ctx, &r.block);
    }
    ASSERT(boosted > 0 && boosted < 60);            /* either way occurs */
    PASS();
}

/* The distance of x from y under a divergence of the library. */
static const mtc_divergence *divergence_of(int kind)
{
    static const mtc_real A[16] = {2, 1, 0, 0, 1, 2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 3};
    static mtc_real L[16];
    static mtc_metric metric = {4, L};
    static mtc_divergence div;
    memcpy(L, A, sizeof L);
    mtc_cholesky(4, L, 4, NULL);
    div = kind == 1   ? mtc_mahalanobis(&metric)
          : kind == 2 ? mtc_kl()
                      : mtc_itakura_saito();
    return kind == 0 ? NULL : &div;
}

TEST own_losses_never_rise_under_the_literal_rule(int kind)
{
    static test_tasks p;
    mtc_context ctx = test_context();
    for (uint64_t seed = 0; seed < 20; seed++) {
        cmp_smbc_result r;
        random_problem(&p, seed, 3, 18, 4, 2 + seed % 3);
        cmp_smbc_options o = options_of(&p, CMP_LITERAL, 0.25);
        o.mbc.divergence = divergence_of(kind);
        o.mbc.smooth = (mtc_real)0.1;
        ASSERT_EQ(MTC_OK, cmp_smbc(&ctx, p.csr, 3, &o, &r));
        for (size_t i = 0; i < r.iterations; i++) {
            ASSERT(r.objective[i + 1] <= r.objective[i] * (1 + TOL(1e-12)));
            for (size_t t = 0; i > 0 && t < 3; t++)
                ASSERT(r.trace[3 * i + t] <=
                       r.trace[3 * (i - 1) + t] * (1 + TOL(1e-12)));
        }
        ASSERT(r.converged);
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

/* One step of the literal rule with all plans trivial: K_t = 1 everywhere.  The
 * centroid of [ZZ10] (15) by hand, and J_t that of the mean, which is less. */
TEST a_boosted_centroid_never_beats_a_single_mean(void)
{
    static test_tasks p;
    mtc_context ctx = test_context();
    cmp_smbc_result r;
    random_problem(&p, 5, 2, 10, 3, 1);
    p.k[0] = p.k[1] = 1;
    memset(p.start, 0, sizeof p.start);
    cmp_smbc_options o = options_of(&p, CMP_LITERAL, 0.5);
    ASSERT_EQ(MTC_OK, cmp_smbc(&ctx, p.dense, 2, &o, &r));
    for (size_t t = 0; t < 2; t++) {
        size_t n = p.dense[t].n;
        mtc_real mean[3] = {0, 0, 0}, other[3] = {0, 0, 0}, u[3];
        double J = 0;
        for (size_t i = 0; i < n; i++)
            mtc_data_axpy(&p.dense[t], i, 1 / (mtc_real)n, mean);
        for (size_t i = 0; i < p.dense[1 - t].n; i++)
            mtc_data_axpy(&p.dense[1 - t], i,
                          1 / (mtc_real)p.dense[1 - t].n, other);
        for (size_t j = 0; j < 3; j++)              /* (mean + 2 l v)/(1+2 l) */
            u[j] = (mean[j] + other[j]) / 2;
        for (size_t i = 0; i < n; i++)
            J += squared(3, p.x[t] + 3 * i, u) / (double)n;
        ASSERT_EQ(0, r.boosted[t]);
        ASSERT_IN_RANGE(J, (double)r.own_boosted[t], (double)TOL(1e-12));
    }
    mtc_free(&ctx, &r.block);
    PASS();
}

TEST without_coupling_it_is_kmeans(int linear)
{
    static test_tasks p;
    mtc_context ctx = test_context();
    for (uint64_t seed = 0; seed < 12; seed++) {
        size_t T = seed % 2 ? 1 : 3;                /* or lambda = 0 */
        int first[TEST_TASKS][TEST_N];
        cmp_smbc_result r;
        random_problem(&p, seed, T, 16, 4, 3);
        memcpy(first, p.start, sizeof first);
        for (int rule = 0; rule < 2; rule++) {
            cmp_smkc_options o = cmp_smkc_defaults();
            memcpy(p.start, first, sizeof first);
            o.smbc = options_of(&p, rule ? CMP_LITERAL : CMP_POLISH,
                                T == 1 ? 0.5 : 0);
            o.kernel = MTC_KERNEL_LINEAR;
            ASSERT_EQ(MTC_OK,
                      linear ? cmp_smkc(&ctx, p.dense, T, &o, &r)
                             : cmp_smbc(&ctx, p.dense, T, &o.smbc, &r));
            for (size_t t = 0; t < T; t++) {
                plain_lloyd(p.dense[t].n, 4, p.x[t], p.k[t], p.start[t]);
                ASSERT_MEM_EQ(p.start[t], r.labels[t],
                              p.dense[t].n * sizeof(int));
                ASSERT_EQ(!rule, r.boosted[t]);     /* a tie */
            }
            mtc_free(&ctx, &r.block);
        }
    }
    PASS();
}

/* A kernel so wide that it is linear: exp(-s/2w) ~ 1 - s/2w. */
TEST a_wide_kernel_is_the_linear_one(void)
{
    static test_tasks p;
    mtc_context ctx = test_context();
    if (sizeof(mtc_real) < 8)
        SKIP();                                     /* 1 - s/2w has no digits */
    for (uint64_t seed = 0; seed < 8; seed++) {
        cmp_smkc_options o = cmp_smkc_defaults();
        cmp_smkc_result a, b;
        random_problem(&p, seed, 3, 15, 4, 3);
        o.smbc = options_of(&p, seed % 2 ? CMP_LITERAL : CMP_POLISH, 0.5);
        o.sigma = 1000;
        ASSERT_EQ(MTC_OK, cmp_smkc(&ctx, p.dense, 3, &o, &a));
        o.kernel = MTC_KERNEL_LINEAR;
        ASSERT_EQ(MTC_OK, cmp_smkc(&ctx, p.dense, 3, &o, &b));
        for (size_t t = 0; t < 3; t++) {
            ASSERT_MEM_EQ(a.labels[t], b.labels[t],
                          p.dense[t].n * sizeof(int));
            ASSERT_IN_RANGE(1, (double)(a.own_loss[t] * 1e6 / b.own_loss[t]),
                            1e-3);
        }
        mtc_free(&ctx, &a.block);
        mtc_free(&ctx, &b.block);
    }
    PASS();
}

/* ---- starts, views, degenerate data ------------------------------------ */

TEST a_start_of_its_own_depends_on_the_seed_only(void)
{
    static test_tasks p;
    mtc_context ctx = test_context();
    cmp_smkc_options o = cmp_smkc_defaults();
    cmp_smkc_result a, b;
    random_problem(&p, 3, 3, 30, 4, 3);
    o.smbc = options_of(&p, CMP_POLISH, 0.5);
    o.smbc.mbc.start_labels = NULL;
    ASSERT_EQ(MTC_OK, cmp_smkc(&ctx, p.dense, 3, &o, &a));
    ASSERT_EQ(MTC_OK, cmp_smkc(&ctx, p.csr, 3, &o, &b));
    for (size_t t = 0; t < 3; t++)
        ASSERT_MEM_EQ(a.labels[t], b.labels[t], p.dense[t].n * sizeof(int));
    mtc_free(&ctx, &a.block);
    mtc_free(&ctx, &b.block);
    ASSERT_EQ(MTC_OK, cmp_smbc(&ctx, p.dense, 3, NULL, &a));  /* K = 2 */
    ASSERT_EQ((size_t)2, a.clusters[1]);
    mtc_free(&ctx, &a.block);
    PASS();
}

/* Duplicates, one sample a task, clusters that start and stay empty. */
TEST degenerate_data_are_served(void)
{
    mtc_context ctx = test_context();
    const mtc_real x[12] = {1, 2, 1, 2, 1, 2, 1, 2, 3, 4, 3, 4};
    const int h[6] = {0, 0, 0, 0, 0, 0}, *start[2] = {h, h};
    for (int rule = 0; rule < 2; rule++)
        for (int kernel = 0; kernel < 2; kernel++) {
            mtc_data X[2] = {mtc_dense(6, 2, x), mtc_dense(4, 2, x)};
            cmp_smkc_options o = cmp_smkc_defaults();
            cmp_smkc_result r;
            o.kernel = kernel ? MTC_KERNEL_RBF : MTC_KERNEL_LINEAR;
            o.smbc.rule = rule ? CMP_LITERAL : CMP_POLISH;
            o.smbc.mbc.clusters = 3;
            o.smbc.mbc.start_labels = start;
            ASSERT_EQ(MTC_OK, cmp_smkc(&ctx, X, 2, &o, &r));
            for (size_t i = 1; i < 4; i++)          /* duplicates together */
                ASSERT_EQ(r.labels[0][0], r.labels[0][i]);
            mtc_free(&ctx, &r.block);
            X[0].n = X[1].n = o.smbc.mbc.clusters = 1;
            ASSERT_EQ(MTC_OK, cmp_smkc(&ctx, X, 2, &o, &r));
            ASSERT_IN_RANGE((mtc_real)0, r.own_loss[1], TOL(1e-12));
            mtc_free(&ctx, &r.block);
        }
    PASS();
}

/* ---- memory, cancelling, refusals -------------------------------------- */

static mtc_status run_call(mtc_context *ctx, void *user, void *out)
{
    static test_tasks p;
    int call = *(int *)user;
    cmp_smkc_options o = cmp_smkc_defaults();
    random_problem(&p, 9, 2, 9, 4, 2);
    o.smbc = options_of(&p, call % 2 ? CMP_LITERAL : CMP_POLISH, 0.5);
    if (call > 3)
        o.smbc.mbc.start_labels = NULL;
    return call % 4 > 1 ? cmp_smkc(ctx, p.dense, 2, &o, (cmp_smkc_result *)out)
                        : cmp_smbc(ctx, p.csr, 2, &o.smbc,
                                   (cmp_smbc_result *)out);
}

TEST memory_that_fails_is_reported_and_given_back(int call)
{
    const char *wrong = sweep_memory(run_call, &call);
    ASSERTm(wrong, wrong == NULL);
    PASS();
}

TEST calls_stop_at_every_tick(int call)
{
    const char *wrong = sweep_ticks(run_call, &call);
    ASSERTm(wrong, wrong == NULL);
    PASS();
}

#define REFUSED(change) \
    (o = cmp_smkc_defaults(), o.smbc = options_of(&p, CMP_POLISH, 0.5), \
     change, cmp_smkc(&ctx, p.dense, 2, &o, &r))

TEST what_is_wrong_is_refused_with_its_place(void)
{
    static test_tasks p;
    mtc_context ctx = test_context();
    cmp_smkc_options o;
    cmp_smkc_result r;
    const size_t many[2] = {2, 99};
    random_problem(&p, 9, 2, 9, 4, 2);
    ASSERT_EQ(MTC_INVALID, REFUSED(o.kernel = (mtc_kernel)9));
    ASSERT_EQ(MTC_INVALID, REFUSED(o.sigma = -1));
    ASSERT_EQ(MTC_INVALID, REFUSED(o.sigma = (mtc_real)NAN));
    ASSERT_EQ(MTC_INVALID, REFUSED(o.smbc.rule = (cmp_boost_rule)5));
    ASSERT_EQ(MTC_INVALID, REFUSED(o.smbc.mbc.lambda = -1));
    ASSERT_EQ(MTC_INVALID, REFUSED(o.smbc.mbc.iterations = 0));
    ASSERT_EQ(MTC_INVALID, REFUSED(o.smbc.mbc.divergence = divergence_of(2)));
    ASSERT_EQ(MTC_INVALID, REFUSED(o.smbc.mbc.clusters_of = many));
    ASSERT_EQ((size_t)1, ctx.error.task);
    p.start[1][3] = 7;
    ASSERT_EQ(MTC_INVALID, REFUSED(o.smbc.rule = CMP_LITERAL));
    ASSERT(ctx.error.task == 1 && ctx.error.row == 3);
    p.start[1][3] = 0;
    cmp_smbc_options b = options_of(&p, CMP_POLISH, 0.5);
    b.mbc.divergence = divergence_of(2);            /* kl: zeros */
    ASSERT_EQ(MTC_DOMAIN, cmp_smbc(&ctx, p.dense, 2, &b, &r));
    p.x[1][4 * 5 + 2] = (mtc_real)INFINITY;
    ASSERT_EQ(MTC_DOMAIN, REFUSED(o.sigma = 1));
    ASSERT(ctx.error.task == 1 && ctx.error.row == 5 && ctx.error.column == 2);
    ASSERT_EQ(MTC_DOMAIN, cmp_smbc(&ctx, p.dense, 2, NULL, &r));
    ASSERT_EQ(MTC_INVALID, cmp_smbc(&ctx, NULL, 2, NULL, &r));
    ASSERT_EQ(MTC_INVALID, cmp_smbc(&ctx, p.dense, 2, NULL, NULL));
    PASS();
}

SUITE(cmp_smbc_suite)
{
    for (int sparse = 0; sparse < 2; sparse++) {
        RUN_TESTp(smbc_gives_the_worked_cases, sparse);
        RUN_TESTp(smkc_gives_the_worked_cases, sparse);
    }
    RUN_TEST(no_task_is_worse_off_than_by_kmeans);
    for (int kind = 0; kind < 4; kind++)
        RUN_TESTp(own_losses_never_rise_under_the_literal_rule, kind);
    RUN_TEST(a_boosted_centroid_never_beats_a_single_mean);
    RUN_TESTp(without_coupling_it_is_kmeans, 0);
    RUN_TESTp(without_coupling_it_is_kmeans, 1);
    RUN_TEST(a_wide_kernel_is_the_linear_one);
    RUN_TEST(a_start_of_its_own_depends_on_the_seed_only);
    RUN_TEST(degenerate_data_are_served);
    for (int call = 0; call < 8; call++) {
        RUN_TESTp(memory_that_fails_is_reported_and_given_back, call);
        RUN_TESTp(calls_stop_at_every_tick, call);
    }
    RUN_TEST(what_is_wrong_is_refused_with_its_place);
}
