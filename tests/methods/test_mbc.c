/* SPDX-License-Identifier: MIT
 *
 * MBC: worked cases, descent, certificates, decoupling, sparse and smoothed
 * data, divergences of the caller's own.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "golden/mbc.h"
#include "greatest.h"
#include "test_util.h"

#define MAX_K 6

static const double worked_tolerance = sizeof(mtc_real) == 8 ? 1e-8 : 5e-4;

/* ---- divergences, written down again ----------------------------------- */

enum { SQE, MAHA, KL, IS, KINDS };

typedef struct measure {
    int kind;
    mtc_real A[TEST_D * TEST_D], L[TEST_D * TEST_D];
    mtc_metric metric;
    mtc_divergence div;
} measure;

static void measure_of(measure *m, int kind, size_t d, const double *A)
{
    m->kind = kind;
    for (size_t i = 0; i < d; i++)
        for (size_t j = 0; j < d; j++)
            m->A[i * d + j] = A != NULL ? (mtc_real)A[i * d + j]
                              : i == j  ? (mtc_real)(1 + i)
                                        : (mtc_real)0.25;
    memcpy(m->L, m->A, d * d * sizeof *m->L);
    mtc_cholesky(d, m->L, d, NULL);
    m->metric.d = d;
    m->metric.L = m->L;
    m->div = kind == SQE    ? mtc_sqeuclidean()
             : kind == MAHA ? mtc_mahalanobis(&m->metric)
             : kind == KL   ? mtc_kl()
                            : mtc_itakura_saito();
}

static double between(const measure *m, size_t d, const mtc_real *x,
                      const mtc_real *y)
{
    double sum = 0;
    for (size_t i = 0; i < d; i++) {
        double a = (double)x[i], b = (double)y[i];
        if (m->kind == SQE)
            sum += (a - b) * (a - b);
        if (m->kind == KL)
            sum += a * log(a / b) - a + b;
        if (m->kind == IS)
            sum += a / b - log(a / b) - 1;
        for (size_t j = 0; m->kind == MAHA && j < d; j++)
            sum += (a - b) * (double)m->A[i * d + j] *
                   ((double)x[j] - (double)y[j]);
    }
    return sum;
}

static int kind_of(const char *name)
{
    return name[0] == 's' ? SQE : name[0] == 'm' ? MAHA
           : name[0] == 'k' ? KL : IS;
}

/* ---- problems ----------------------------------------------------------- */

/* Positive tasks around common centers, unequal numbers of clusters, random
 * labels; `holes`: entries below that become 0. */
static void random_problem(test_tasks *p, uint64_t seed, size_t tasks, size_t n,
                           size_t d, double holes)
{
    mtc_real center[MAX_K * TEST_D], u[TEST_N];
    p->tasks = tasks;
    p->d = d;
    test_fill(center, MAX_K * d, seed + 1000, 0, 4);
    for (size_t t = 0; t < tasks; t++) {
        size_t nt = n + 2 * t;
        p->k[t] = 1 + (seed + 2 * t) % 5;
        test_fill(p->x[t], nt * d, seed + 7 * t, 0.1, 1.5);
        test_fill(u, nt, seed + 50 + t, 0, (double)p->k[t]);
        for (size_t i = 0; i < nt; i++) {
            p->start[t][i] = (int)u[i];
            for (size_t j = 0; j < d; j++) {
                mtc_real *x = &p->x[t][i * d + j];
                *x += center[(i % 4) * d + j];
                if ((double)*x < holes)
                    *x = 0;
            }
        }
        test_views(p, t, nt, p->d);
    }
}

static mtc_mbc_options options_of(const test_tasks *p, const measure *m,
                                  double lambda)
{
    mtc_mbc_options o = mtc_mbc_defaults();
    o.clusters_of = p->k;
    o.lambda = (mtc_real)lambda;
    o.divergence = m != NULL ? &m->div : NULL;
    o.start_labels = p->labels;
    return o;
}

/* [ZZ10] (9), from nothing but the result's labels, centroids and plans. */
static double loss_of(const test_tasks *p, const measure *m, double lambda,
                      double smooth, const mtc_mbc_result *r)
{
    double total = 0, coupling = 0;
    size_t d = p->d;
    mtc_real y[TEST_D];
    for (size_t t = 0; t < p->tasks; t++) {
        double sum = 0;
        for (size_t i = 0; i < p->dense[t].n; i++) {
            for (size_t j = 0; j < d; j++)
                y[j] = (mtc_real)((double)p->x[t][i * d + j] + smooth);
            sum += between(m, d, y,
                           r->centers[t] + (size_t)r->labels[t][i] * d);
        }
        total += sum / (double)p->dense[t].n;
        for (size_t s = 0; s < p->tasks; s++)
            for (size_t z = 0; z < r->clusters[t] && s != t; z++)
                for (size_t l = 0; l < r->clusters[s]; l++)
                    coupling += (double)r->plans[t * p->tasks + s]
                                           [z * r->clusters[s] + l] *
                                between(m, d, r->centers[t] + z * d,
                                        r->centers[s] + l * d);
    }
    return total + (p->tasks > 1
                        ? lambda / (double)(p->tasks - 1) * coupling : 0);
}

/* ---- worked cases -------------------------------------------------------- */

static enum greatest_test_res worked_case(const golden_mbc *g, int sparse)
{
    static test_tasks p;
    static measure m;
    mtc_context ctx = test_context();
    mtc_mbc_result r;
    size_t T = g->tasks;
    p.tasks = T;
    p.d = g->d;
    for (size_t t = 0; t < T; t++) {
        p.k[t] = g->k[t];
        for (size_t e = 0; e < g->n[t] * g->d; e++)
            p.x[t][e] = (mtc_real)g->X[t][e];
        memcpy(p.start[t], g->start[t], g->n[t] * sizeof(int));
        test_views(&p, t, g->n[t], p.d);
    }
    measure_of(&m, kind_of(g->divergence), g->d, g->metric);
    mtc_mbc_options o = options_of(&p, &m, g->lambda);
    o.iterations = g->most;
    o.tolerance = (mtc_real)g->tolerance;
    if (sizeof(mtc_real) == 4) {        /* as many steps as in double */
        o.iterations = g->steps;
        o.tolerance = -1;
    }
    ASSERT_EQm(g->name, MTC_OK,
               mtc_mbc(&ctx, sparse ? p.csr : p.dense, T, &o, &r));
    ASSERT_EQm(g->name, g->steps, r.iterations);
    ASSERT_CLOSE(g->loss, r.objective, g->steps + 1);
    for (size_t t = 0; t < T; t++) {
        ASSERT_EQ(g->k[t], r.clusters[t]);
        for (size_t i = 0; i < g->n[t]; i++)
            ASSERT_EQm(g->name, g->labels[t][i], r.labels[t][i]);
        ASSERT_CLOSE(g->U[t], r.centers[t], g->k[t] * g->d);
        ASSERT_CLOSE(g->d_M[t], r.coherence + t * T, T);
        for (size_t s = 0; s < T; s++) {
            if (s == t)
                ASSERT_EQ(NULL, r.plans[t * T + s]);
            else
                ASSERT_CLOSE(g->W[t][s], r.plans[t * T + s],
                             g->k[t] * g->k[s]);
        }
    }
    mtc_free(&ctx, &r.block);
    PASS();
}

TEST mbc_worked_cases(void)
{
    size_t n = sizeof golden_mbcs / sizeof *golden_mbcs;
    for (size_t i = 0; i < n; i++) {
        CHECK_CALL(worked_case(&golden_mbcs[i], 0));
        CHECK_CALL(worked_case(&golden_mbcs[i], 1));
    }
    PASS();
}

/* ---- one centroid -------------------------------------------------------- */

static double pull(const measure *m, size_t d, double A, double B,
                   const mtc_real *L, const mtc_real *R, const mtc_real *u)
{
    return A * between(m, d, L, u) + B * between(m, d, u, R);
}

TEST mbc_centroids_of_worked_cases(void)
{
    mtc_context ctx = test_context();
    measure m;
    size_t n = sizeof golden_centroids / sizeof *golden_centroids;
    for (size_t i = 0; i < n; i++) {
        const golden_centroid *g = &golden_centroids[i];
        mtc_real L[TEST_D], R[TEST_D], u[TEST_D];
        double close = (sizeof(mtc_real) == 8 ? 1e-8 : 1e-4);
        measure_of(&m, kind_of(g->divergence), g->d, NULL);
        for (size_t j = 0; j < g->d; j++) {
            L[j] = (mtc_real)g->left[j];
            R[j] = (mtc_real)g->right[j];
        }
        ASSERT_EQ(MTC_OK, mtc_mbc_centroid(&ctx, &m.div, MTC_CENTROID_EXACT, g->d,
                                           (mtc_real)g->A, (mtc_real)g->B, L,
                                           R, u));
        for (size_t j = 0; j < g->d; j++)
            ASSERT_IN_RANGE(g->u[j], (double)u[j],
                            close * test_largest(g->u, g->d));
        ASSERT_IN_RANGE(g->value, pull(&m, g->d, g->A, g->B, L, R, u),
                        close * (1 + g->value));
        ASSERT_EQ(MTC_OK, mtc_mbc_centroid(&ctx, &m.div, MTC_CENTROID_GEODESIC, g->d,
                                           (mtc_real)g->A, (mtc_real)g->B, L,
                                           R, u));
        ASSERT_IN_RANGE(g->geodesic, pull(&m, g->d, g->A, g->B, L, R, u),
                        close * (1 + g->geodesic));
    }
    PASS();
}

/* Hessian of phi on the diagonal, for the stationarity of [ZZ10] (14):
 * A phi''(u) (u - L) + B (phi'(u) - phi'(R)) = 0. */
static double slope(int kind, double A, double B, double L, double R, double u)
{
    if (kind == SQE)
        return A * 2 * (u - L) + B * 2 * (u - R);
    if (kind == KL)
        return A * (u - L) / u + B * log(u / R);
    return A * (u - L) / (u * u) + B * (1 / R - 1 / u);
}

TEST mbc_centroid_is_stationary_and_beats_the_geodesic(void)
{
    mtc_context ctx = test_context();
    const double share[] = {1e-6, 1e-3, .05, .3, 1};
    measure m;
    for (uint64_t seed = 0; seed < 200; seed++)
        for (int kind = 0; kind < KINDS; kind++) {
            const size_t d = 5;
            mtc_real L[5], R[5], u[5], walk[5], other[5];
            double A = 1, B = share[seed % 5];
            measure_of(&m, kind, d, NULL);
            test_fill(L, d, seed, -2, 2);
            test_fill(R, d, seed + 900, -2, 2);
            for (size_t j = 0; j < d; j++) {
                L[j] = (mtc_real)exp((double)L[j]);
                R[j] = (mtc_real)exp((double)R[j]);
            }
            ASSERT_EQ(MTC_OK, mtc_mbc_centroid(&ctx, &m.div, MTC_CENTROID_EXACT, d,
                                               (mtc_real)A, (mtc_real)B, L, R,
                                               u));
            ASSERT_EQ(MTC_OK, mtc_mbc_centroid(&ctx, &m.div, MTC_CENTROID_GEODESIC, d,
                                               (mtc_real)A, (mtc_real)B, L, R,
                                               walk));
            double best = pull(&m, d, A, B, L, R, u);
            ASSERT(best <= pull(&m, d, A, B, L, R, walk) +
                               (double)TOL(1e-13) * (1 + best));
            for (size_t j = 0; j < d && kind != MAHA; j++) {
                double x = (double)u[j];    /* slope in units of phi'' x */
                double unit = kind == SQE ? x : kind == KL ? 1 : 1 / x;
                ASSERT(fabs(slope(kind, A, B, (double)L[j], (double)R[j],
                                  x)) <= (double)TOL(1e-13) * (unit + A / x));
            }
            for (int t = 0; t < 20; t++) {  /* no point near is better */
                test_fill(other, d, seed * 31 + (uint64_t)t, -.1, .1);
                for (size_t j = 0; j < d; j++)
                    other[j] = u[j] * (1 + other[j]);
                ASSERT(best <= pull(&m, d, A, B, L, R, other) +
                                   (double)TOL(1e-13) * (1 + best));
            }
        }
    PASS();
}

/* Weights and means from end to end of their range: stationary as above, the
 * slope over the larger weight, term by term. */
TEST mbc_centroid_holds_at_the_ends_of_the_range(void)
{
    mtc_context ctx = test_context();
    int wide = sizeof(mtc_real) == 8;
    double big = wide ? 1e45 : 1e9, small = wide ? 1e-45 : 1e-9;
    double close = wide ? 1e-10 : 1e-3;
    const double point[] = {small, 1e-3, 1, 2, 1e3, big};
    const double weight[][2] = {{1, 1}, {big, big}, {1, small}, {small, 1},
                                {1e-9, 1e9}, {5, 3}, {small, big},
                                {big, small}, {.5, .6}};
    measure m;
    for (size_t i = 0; i < 9 * 6 * 6; i++)
        for (int kind = 0; kind < KINDS; kind++) {
            double A = weight[i / 36][0], B = weight[i / 36][1];
            double a = A > B ? 1 : (double)((mtc_real)A / (mtc_real)B);
            double b = A > B ? (double)((mtc_real)B / (mtc_real)A) : 1;
            mtc_real L = (mtc_real)point[i / 6 % 6];
            mtc_real R = (mtc_real)point[i % 6], u;
            double l = (double)L, x, o = (double)R;
            measure_of(&m, kind, 1, NULL);
            ASSERT_EQ(MTC_OK, mtc_mbc_centroid(&ctx, &m.div, MTC_CENTROID_EXACT, 1,
                                               (mtc_real)A, (mtc_real)B, &L,
                                               &R, &u));
            x = (double)u;
            ASSERT(x >= fmin(l, o) * (1 - close));
            ASSERT(x <= fmax(l, o) * (1 + close));
            if (kind == KL)         /* A + B log u = A L / u + B log R */
                ASSERT(fabs(a + b * log(x) - a * l / x - b * log(o)) <=
                       close * (a + a * l / x +
                                b * (1 + fabs(log(x)) + fabs(log(o)))));
            else if (kind == IS)    /* A + B u / R = A L / u + B */
                ASSERT(fabs(a + b * x / o - a * l / x - b) <=
                       close * (a + b * x / o + a * l / x + b));
            else                    /* A (u - L) = B (R - u) */
                ASSERT(fabs(a * (x - l) - b * (o - x)) <=
                       close * (a * (x + l) + b * (o + x)));
        }
    PASS();
}

TEST mbc_centroid_takes_what_it_says_and_refuses_the_rest(void)
{
    mtc_real L[3] = {1, 2, 3}, R[3] = {2, 2, 9}, u[3] = {-7, -7, -7};
    mtc_divergence kl = mtc_kl();
    test_heap heap;
    mtc_context ctx = test_heap_context(&heap);
    ASSERT_EQ(MTC_OK, mtc_mbc_centroid(&ctx, &kl, MTC_CENTROID_EXACT, 3, 1, 1, L, R,
                                       u));
    ASSERT_EQ(ctx.need, heap.peak);
    ASSERT_EQ(0u, heap.live + heap.faults);
    ASSERT_IN_RANGE(2, (double)u[1], (double)TOL(1e-14));   /* L = R there */
    u[0] = -7;
    heap.calls = 0;
    heap.fail_at = 1;
    ASSERT_EQ(MTC_NO_MEMORY, mtc_mbc_centroid(&ctx, &kl, MTC_CENTROID_EXACT, 3, 1, 1,
                                              L, R, u));
    heap.fail_at = 0;
    ASSERT_EQ(MTC_INVALID, mtc_mbc_centroid(&ctx, &kl, MTC_CENTROID_EXACT, 3, 0, 1, L,
                                            R, u));
    ASSERT_EQ(MTC_INVALID, mtc_mbc_centroid(&ctx, &kl, MTC_CENTROID_EXACT, 3, 1, -1, L,
                                            R, u));
    R[2] = 0;
    ASSERT_EQ(MTC_DOMAIN, mtc_mbc_centroid(&ctx, &kl, MTC_CENTROID_EXACT, 3, 1, 1, L,
                                           R, u));
    ASSERT_EQ(1u, ctx.error.task);
    ASSERT_EQ(2u, ctx.error.column);
    ASSERT(u[0] == -7);
    PASS();
}

/* Divergences of the caller's own, which the library cannot know: kl under
 * another address, and one that mixes coordinates. */
static mtc_real own_value(const void *user, size_t d, const mtc_real *x,
                          const mtc_real *y)
{
    mtc_divergence kl = mtc_kl();
    (void)user;
    return kl.value(kl.user, d, x, y);
}

static mtc_real own_metric_value(const void *user, size_t d,
                                 const mtc_real *x, const mtc_real *y)
{
    mtc_divergence maha = mtc_mahalanobis((const mtc_metric *)user);
    return maha.value(user, d, x, y);
}

/* Euclidean in the cube: phi = sum x^4 on the positive reals. */
static mtc_real fourth_value(const void *user, size_t d, const mtc_real *x,
                             const mtc_real *y)
{
    mtc_real sum = 0;
    (void)user;
    for (size_t j = 0; j < d; j++) {
        mtc_real t = x[j] - y[j], s = x[j] + y[j];
        /* x^4 - y^4 - 4 y^3 (x - y) = (x-y)^2 (x^2 + 2xy + 3y^2) */
        sum += t * t * (s * s + 2 * y[j] * y[j]);
    }
    return sum;
}

static void fourth_gradient(const void *user, size_t d, const mtc_real *x,
                            mtc_real *g)
{
    (void)user;
    for (size_t j = 0; j < d; j++)
        g[j] = 4 * x[j] * x[j] * x[j];
}

static void fourth_inverse(const void *user, size_t d, const mtc_real *g,
                           mtc_real *x)
{
    (void)user;
    for (size_t j = 0; j < d; j++)
        x[j] = (mtc_real)cbrt((double)g[j] / 4);
}

static int fourth_admits(const void *user, size_t j, mtc_real x)
{
    (void)user, (void)j;
    return x > 0 && x < (mtc_real)1e6;
}

/* One that the library does not know takes the walk: for kl under another
 * address that is kl's geodesic, and for a metric, whose geodesic is the
 * straight line, the minimizer. */
TEST mbc_own_divergence_walks_the_geodesic(void)
{
    mtc_context ctx = test_context();
    measure m;
    const double B[] = {.01, .3, 1, .7};
    for (uint64_t seed = 0; seed < 60; seed++) {
        const size_t d = 5;
        mtc_real L[5], R[5], u[5], own[5], b = (mtc_real)B[seed % 4];
        test_fill(L, d, seed, .2, 5);
        test_fill(R, d, seed + 900, .2, 5);
        for (int kind = MAHA; kind <= KL; kind++) {
            measure_of(&m, kind, d, NULL);
            mtc_divergence div = m.div;
            div.value = kind == MAHA ? own_metric_value : own_value;
            ASSERT_EQ(MTC_OK, mtc_mbc_centroid(&ctx, &m.div,
                                               MTC_CENTROID_GEODESIC, d, 1, b,
                                               L, R, u));
            ASSERT_EQ(MTC_OK, mtc_mbc_centroid(&ctx, &div, MTC_CENTROID_EXACT,
                                               d, 1, b, L, R, own));
            double known = pull(&m, d, 1, (double)b, L, R, u);
            ASSERT_IN_RANGE(known, pull(&m, d, 1, (double)b, L, R, own),
                            (double)TOL(1e-12) * (1 + known));
            for (size_t j = 0; j < d; j++)
                ASSERT_IN_RANGE((double)u[j], (double)own[j],
                                sizeof(mtc_real) == 8 ? 1e-5 : 3e-2);
        }
    }
    PASS();
}

/* ---- whole runs ---------------------------------------------------------- */

/* Is W [k*ks] a plan of rows 1/k and columns 1/ks, and no other cheaper?  The
 * duals of mtc_emd certify it: row + column <= D everywhere, equal where
 * W > 0. */
static enum greatest_test_res certify_plan(const test_tasks *p,
                                           const measure *m,
                                           const mtc_mbc_result *r, size_t t,
                                           size_t s)
{
    mtc_context ctx = test_context();
    size_t k = r->clusters[t], ks = r->clusters[s], d = p->d;
    const mtc_real *W = r->plans[t * p->tasks + s];
    mtc_real cost[MAX_K * MAX_K], supply[MAX_K], demand[MAX_K];
    mtc_real row[MAX_K], column[MAX_K];
    double top = 1e-300;
    for (size_t z = 0; z < k; z++)
        for (size_t l = 0; l < ks; l++) {
            double D = between(m, d, r->centers[t] + z * d,
                               r->centers[s] + l * d);
            cost[z * ks + l] = (mtc_real)D;
            top = D > top ? D : top;
        }
    for (size_t z = 0; z < k; z++)
        supply[z] = (mtc_real)ks;
    for (size_t l = 0; l < ks; l++)
        demand[l] = (mtc_real)k;
    ASSERT_EQ(MTC_OK, mtc_emd(&ctx, k, ks, cost, ks, supply, demand, NULL,
                              NULL, row, column, NULL));
    for (size_t z = 0; z < k; z++) {
        double sum = 0;
        for (size_t l = 0; l < ks; l++) {
            double slack = (double)cost[z * ks + l] - (double)row[z] -
                           (double)column[l];
            ASSERT(slack >= -(double)TOL(1e-10) * (1e-3 + top));
            if (W[z * ks + l] > 0)
                ASSERT(slack <= (double)TOL(1e-10) * (1e-3 + top));
            ASSERT(W[z * ks + l] >= 0);
            sum += (double)W[z * ks + l];
        }
        ASSERT_IN_RANGE(1 / (double)k, sum, (double)TOL(1e-14));
    }
    for (size_t l = 0; l < ks; l++) {
        double sum = 0;
        for (size_t z = 0; z < k; z++)
            sum += (double)W[z * ks + l];
        ASSERT_IN_RANGE(1 / (double)ks, sum, (double)TOL(1e-14));
    }
    PASS();
}

/* What every result must satisfy, each from its own definition. */
static enum greatest_test_res certify(const test_tasks *p, const measure *m,
                                      double lambda, double smooth,
                                      const mtc_mbc_result *r)
{
    size_t T = p->tasks;
    for (size_t i = 1; i <= r->iterations; i++)
        ASSERTm("the loss never rises",
                r->objective[i] <= r->objective[i - 1] +
                    TOL(1e-12) * (1 + r->objective[0]));
    ASSERT_IN_RANGE(loss_of(p, m, lambda, smooth, r), (double)r->loss,
                    (double)TOL(1e-10) * (1 + (double)r->objective[0]));
    ASSERT(r->loss == r->objective[r->iterations]);
    ASSERT((double)r->gap <= (double)TOL(1e-12));
    for (size_t t = 0; t < T; t++)
        for (size_t s = 0; s < T; s++) {
            ASSERT(r->relatedness[t * T + s] >= 0 &&
                   r->relatedness[t * T + s] <= 1);
            ASSERT(r->coherence[t * T + s] >= 0);
            if (t == s)
                ASSERT(r->relatedness[t * T + s] == 1);
            else
                CHECK_CALL(certify_plan(p, m, r, t, s));
        }
    PASS();
}

TEST mbc_descends_with_certified_plans(void)
{
    static test_tasks p;
    static measure m;
    const double lambdas[] = {0, .1, .5, 1, 5};
    mtc_context ctx = test_context();
    for (uint64_t seed = 0; seed < 100; seed++) {
        int kind = (int)(seed % KINDS), sparse = (int)(seed / KINDS % 2);
        size_t T = 1 + seed / 8 % 5;
        double lambda = lambdas[seed / 3 % 5];
        random_problem(&p, seed, T, 20, 2 + seed % 4, 0);
        measure_of(&m, kind, p.d, NULL);
        mtc_mbc_options o = options_of(&p, &m, lambda);
        mtc_mbc_result r;
        o.centroid = seed / 20 % 3 == 1 ? MTC_CENTROID_GEODESIC : MTC_CENTROID_EXACT;
        if (seed % 3 == 2)
            o.start_labels = NULL;              /* seeds of its own */
        ctx.seed = seed;
        ASSERT_EQ(MTC_OK, mtc_mbc(&ctx, sparse ? p.csr : p.dense, T, &o, &r));
        CHECK_CALL(certify(&p, &m, lambda, 0, &r));
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

/* Plain Bregman clustering, written down: `steps` times labels, then means;
 * returns whether no cluster was ever empty. */
static int plain_lloyd(const test_tasks *p, const measure *m, size_t t,
                       size_t steps, int *labels)
{
    size_t n = p->dense[t].n, d = p->d, k = p->k[t];
    double mean[TEST_D] = {0};
    mtc_real U[MAX_K * TEST_D];
    int full = 1;
    memcpy(labels, p->start[t], n * sizeof *labels);
    for (size_t e = 0; e < n * d; e++)
        mean[e % d] += (double)p->x[t][e] / (double)n;
    for (size_t e = 0; e < k * d; e++)
        U[e] = (mtc_real)mean[e % d];
    for (size_t it = 0; it <= steps; it++) {
        for (size_t i = 0; i < n && it > 0; i++) {
            labels[i] = 0;
            for (size_t z = 1; z < k; z++)
                if (between(m, d, p->x[t] + i * d, U + z * d) <
                    between(m, d, p->x[t] + i * d,
                            U + (size_t)labels[i] * d))
                    labels[i] = (int)z;
        }
        for (size_t z = 0; z < k; z++) {
            double sum[TEST_D] = {0}, count = 0;
            for (size_t i = 0; i < n; i++) {
                count += labels[i] == (int)z;
                for (size_t j = 0; j < d && labels[i] == (int)z; j++)
                    sum[j] += (double)p->x[t][i * d + j];
            }
            full &= count > 0;
            for (size_t j = 0; j < d && count > 0; j++)
                U[z * d + j] = (mtc_real)(sum[j] / count);
        }
    }
    return full;
}

/* lambda = 0: the tasks together are the tasks alone, to the bit, and k-means.
 * tolerance < 0 runs as many iterations in both. */
TEST mbc_at_lambda_0_is_bregman_clustering(void)
{
    static test_tasks p;
    static measure m;
    mtc_context ctx = test_context();
    for (uint64_t seed = 0; seed < 24; seed++) {
        mtc_mbc_result all, one;
        random_problem(&p, seed, 3, 24, 4, 0);
        measure_of(&m, (int)(seed % KINDS), p.d, NULL);
        const mtc_data *X = seed / KINDS % 2 ? p.csr : p.dense;
        mtc_mbc_options o = options_of(&p, &m, 0);
        o.iterations = 8;
        o.tolerance = -1;
        ASSERT_EQ(MTC_OK, mtc_mbc(&ctx, X, 3, &o, &all));
        double sum[9] = {0};
        for (size_t t = 0; t < 3; t++) {
            const int *start[] = {p.start[t]};
            size_t n = X[t].n, bytes = p.k[t] * p.d * sizeof(mtc_real);
            o.clusters_of = &p.k[t];
            o.start_labels = start;
            o.lambda = (mtc_real)(t % 2);       /* of no meaning alone */
            ASSERT_EQ(MTC_OK, mtc_mbc(&ctx, &X[t], 1, &o, &one));
            ASSERT(memcmp(one.labels[0], all.labels[t], n * sizeof(int)) == 0);
            ASSERT(memcmp(one.centers[0], all.centers[t], bytes) == 0);
            for (size_t i = 0; i <= 8; i++)
                sum[i] += (double)one.objective[i];
            mtc_kmeans_options ko = mtc_kmeans_defaults();
            mtc_kmeans_result kr;
            ko.clusters = p.k[t];
            ko.start_labels = p.start[t];
            ko.divergence = seed % KINDS == SQE ? NULL : &m.div;
            ASSERT_EQ(MTC_OK, mtc_kmeans(&ctx, &X[t], &ko, &kr));
            int plain[TEST_N], full = plain_lloyd(&p, &m, t, 8, plain);
            ASSERT(memcmp(plain, all.labels[t], n * sizeof(int)) == 0);
            if (full && kr.iterations < 8)  /* it refills an empty cluster */
                ASSERT(memcmp(kr.labels, all.labels[t],
                              n * sizeof(int)) == 0);
            mtc_free(&ctx, &kr.block);
            mtc_free(&ctx, &one.block);
        }
        for (size_t i = 0; i <= 8; i++)
            ASSERT_IN_RANGE(sum[i], (double)all.objective[i],
                            (double)TOL(1e-13) * (1 + sum[0]));
        mtc_free(&ctx, &all.block);
    }
    PASS();
}

/* Smoothing counts as if it had been added, dense or sparse, and costs no
 * copy; without it the first hole is named. */
TEST mbc_smooths_as_if_added(void)
{
    static test_tasks p, q;
    static measure m;
    mtc_context ctx = test_context();
    for (uint64_t seed = 0; seed < 20; seed++) {
        mtc_mbc_result a, b, c;
        const double smooth = seed % 3 == 0 ? 1e-2 : .5;
        random_problem(&p, seed, 2, 24, 5, 2.0);
        q = p;
        for (size_t t = 0; t < 2; t++) {
            for (size_t e = 0; e < p.dense[t].n * p.d; e++)
                q.x[t][e] = (mtc_real)((double)p.x[t][e] + smooth);
            test_views(&q, t, p.dense[t].n, q.d);
            test_views(&p, t, p.dense[t].n, p.d);
        }
        measure_of(&m, seed % 2 ? KL : IS, p.d, NULL);
        mtc_mbc_options o = options_of(&p, &m, .5);
        o.iterations = sizeof(mtc_real) == 8 ? 100 : 3;
        ASSERT_EQ(MTC_DOMAIN, mtc_mbc(&ctx, p.csr, 2, &o, &a));
        size_t first = 0;
        while (p.x[0][first] > 0)
            first++;
        ASSERT_EQ(0u, ctx.error.task);
        ASSERT_EQ(first / p.d, ctx.error.row);
        ASSERT_EQ(first % p.d, ctx.error.column);
        ASSERT_EQ(MTC_DOMAIN, mtc_mbc(&ctx, p.dense, 2, &o, &a));
        ASSERT_EQ(first / p.d, ctx.error.row);
        ASSERT_EQ(first % p.d, ctx.error.column);
        o.tolerance = (mtc_real)1e-9;
        ASSERT_EQ(MTC_OK, mtc_mbc(&ctx, q.dense, 2, &o, &a));
        o.smooth = (mtc_real)smooth;
        ASSERT_EQ(MTC_OK, mtc_mbc(&ctx, p.csr, 2, &o, &b));
        ASSERT_EQ(MTC_OK, mtc_mbc(&ctx, p.dense, 2, &o, &c));
        const mtc_mbc_result *each[] = {&b, &c};
        for (size_t e = 0; e < 2; e++)
            for (size_t t = 0; t < 2; t++) {
                ASSERT_EQ(a.iterations, each[e]->iterations);
                ASSERT(memcmp(a.labels[t], each[e]->labels[t],
                              p.dense[t].n * sizeof(int)) == 0);
                for (size_t i = 0; i < p.k[t] * p.d; i++)
                    ASSERT_IN_RANGE((double)a.centers[t][i],
                                    (double)each[e]->centers[t][i],
                                    (double)TOL(1e-11));
            }
        CHECK_CALL(certify(&p, &m, .5, smooth, &b));
        mtc_free(&ctx, &a.block);
        mtc_free(&ctx, &b.block);
        mtc_free(&ctx, &c.block);
    }
    PASS();
}

/* center: labels, plans and losses of data whose means were removed by hand;
 * centroids stay where the rows are, so that these are assigned as they come,
 * however far apart the tasks lie. */
TEST mbc_centers_as_if_each_mean_were_removed(void)
{
    static test_tasks p, q;
    static measure m;
    mtc_context ctx = test_context();
    double near = sizeof(mtc_real) == 8 ? 1e-9 : 2e-3;
    double apart = sizeof(mtc_real) == 8 ? 16 : 1;
    int labels[TEST_N];
    for (uint64_t seed = 0; seed < 24; seed++) {
        mtc_mbc_result a, b;
        double mean[3][TEST_D] = {{0}};
        int given = seed % 3 == 0;
        random_problem(&p, seed, 3, 24, 3, 0);
        for (size_t t = 0; t < 3; t++)
            for (size_t e = 0; e < p.dense[t].n * p.d; e++)
                p.x[t][e] += (mtc_real)(seed % 2 ? apart * (double)t : 0);
        q = p;
        for (size_t t = 0; t < 3; t++) {
            size_t n = p.dense[t].n;
            for (size_t e = 0; e < n * p.d; e++)
                mean[t][e % p.d] += (double)p.x[t][e] / (double)n;
            for (size_t e = 0; e < n * p.d; e++)
                q.x[t][e] = (mtc_real)((double)p.x[t][e] - mean[t][e % p.d]);
            test_views(&p, t, n, p.d);
            test_views(&q, t, n, q.d);
        }
        measure_of(&m, seed / 2 % 2 ? MAHA : SQE, p.d, NULL);
        mtc_mbc_options o = options_of(&p, &m, .5);
        o.start_labels = given ? o.start_labels : NULL;
        o.restarts = 1;                 /* equal ones are told by rounding */
        o.tolerance = 0;
        ASSERT_EQ(MTC_OK, mtc_mbc(&ctx, q.dense, 3, &o, &a));
        o.center = 1;
        const mtc_data *X = seed / 4 % 2 ? p.csr : p.dense;
        ASSERT_EQ(MTC_OK, mtc_mbc(&ctx, X, 3, &o, &b));
        ASSERT_IN_RANGE((double)a.loss, (double)b.loss, near * 10);
        ASSERT(b.converged);
        for (size_t t = 0; t < 3; t++) {
            size_t n = p.dense[t].n, k = p.k[t];
            ASSERT_MEM_EQ(a.labels[t], b.labels[t], n * sizeof(int));
            for (size_t e = 0; e < k * p.d; e++)
                ASSERT_IN_RANGE((double)a.centers[t][e] + mean[t][e % p.d],
                                (double)b.centers[t][e], near * 100);
            for (size_t s = 0; s < 3; s++) {
                ASSERT_IN_RANGE((double)a.coherence[t * 3 + s],
                                (double)b.coherence[t * 3 + s], near * 100);
                for (size_t e = 0; s != t && e < k * p.k[s]; e++)
                    ASSERT_IN_RANGE((double)a.plans[t * 3 + s][e],
                                    (double)b.plans[t * 3 + s][e], near);
            }
            ASSERT_EQ(a.matched[t], b.matched[t]);
            ASSERT_EQ(MTC_OK, mtc_mbc_assign(&ctx, &X[t], t, &b, labels));
            ASSERT_MEM_EQ(b.labels[t], labels, n * sizeof(int));
        }
        mtc_free(&ctx, &a.block);
        mtc_free(&ctx, &b.block);
    }
    PASS();
}

/* Two tasks with the same groups, one moved by 100: the plans pair the groups
 * only where the means are removed.  No other divergence is the same after a
 * shift. */
TEST mbc_centers_only_where_a_shift_changes_nothing(void)
{
    static mtc_real x[2][8] = {{0, 1, 0, 1, 10, 11, 10, 11},
                               {100, 101, 100, 101, 110, 111, 110, 111}};
    static const int first[2][8] = {{0, 0, 0, 0, 1, 1, 1, 1},
                                    {0, 0, 0, 0, 1, 1, 1, 1}};
    const int *start[2] = {first[0], first[1]};
    mtc_data X[2] = {mtc_dense(8, 1, x[0]), mtc_dense(8, 1, x[1])};
    mtc_context ctx = test_context();
    mtc_mbc_options o = mtc_mbc_defaults();
    mtc_divergence div[2] = {mtc_kl(), mtc_itakura_saito()};
    mtc_mbc_result r;
    o.center = 1;
    o.start_labels = start;
    ASSERT_EQ(MTC_OK, mtc_mbc(&ctx, X, 2, &o, &r));
    /* equal but for the shift: centroids are the means, the plans are free */
    ASSERT_IN_RANGE(.5, (double)r.centers[0][0], (double)TOL(1e-12));
    ASSERT_IN_RANGE(110.5, (double)r.centers[1][1], (double)TOL(1e-10));
    ASSERT_IN_RANGE(0, (double)r.coherence[1], (double)TOL(1e-10));
    ASSERT_IN_RANGE(.5, (double)r.loss, (double)TOL(1e-10));
    mtc_free(&ctx, &r.block);
    o.smooth = 1;
    for (int e = 0; e < 2; e++) {
        o.divergence = &div[e];
        ASSERT_EQ(MTC_INVALID, mtc_mbc(&ctx, X, 2, &o, &r));
    }
    PASS();
}

TEST mbc_assign_repeats_the_labels(void)
{
    static test_tasks p;
    static measure m;
    mtc_context ctx = test_context();
    int labels[TEST_N];
    for (uint64_t seed = 0; seed < 24; seed++) {
        mtc_mbc_result r;
        double smooth = seed % KINDS >= KL ? .25 : 0;
        random_problem(&p, seed, 3, 30, 3, smooth > 0 ? 1.5 : 0);
        measure_of(&m, (int)(seed % KINDS), p.d, NULL);
        const mtc_data *X = seed / KINDS % 2 ? p.csr : p.dense;
        mtc_mbc_options o = options_of(&p, &m, .5);
        o.smooth = (mtc_real)smooth;
        o.tolerance = 0;
        o.iterations = 1000;
        ASSERT_EQ(MTC_OK, mtc_mbc(&ctx, X, 3, &o, &r));
        ASSERT(r.converged);
        for (size_t t = 0; t < 3; t++) {
            ASSERT_EQ(MTC_OK, mtc_mbc_assign(&ctx, &X[t], t, &r, labels));
            size_t differ = 0;
            for (size_t i = 0; i < X[t].n; i++)
                differ += labels[i] != r.labels[t][i];
            ASSERT_EQ(0u, differ);
        }
        ASSERT_EQ(MTC_INVALID, mtc_mbc_assign(&ctx, X, 3, &r, labels));
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

/* No options are the defaults. */
TEST mbc_without_options_takes_the_defaults(void)
{
    static test_tasks p;
    mtc_context ctx = test_context();
    mtc_mbc_options o = mtc_mbc_defaults();
    mtc_mbc_result a, b;
    random_problem(&p, 5, 2, 30, 3, 0);
    ASSERT_EQ(MTC_OK, mtc_mbc(&ctx, p.dense, 2, NULL, &a));
    ASSERT_EQ(MTC_OK, mtc_mbc(&ctx, p.dense, 2, &o, &b));
    ASSERT(a.loss == b.loss);
    ASSERT_MEM_EQ(a.labels[1], b.labels[1], p.dense[1].n * sizeof(int));
    mtc_free(&ctx, &a.block);
    mtc_free(&ctx, &b.block);
    PASS();
}

/* A divergence of the caller's own: kl in disguise does what kl does on the
 * geodesic; and one that no closed form exists for descends. */
TEST mbc_takes_a_divergence_of_the_callers_own(void)
{
    static test_tasks p;
    static measure m;
    mtc_context ctx = test_context();
    for (uint64_t seed = 0; seed < 12; seed++) {
        mtc_mbc_result a, b;
        mtc_divergence own = mtc_kl();
        mtc_divergence fourth = {fourth_value, fourth_gradient,
                                 fourth_inverse, fourth_admits, NULL};
        own.value = own_value;
        random_problem(&p, seed, 1 + seed % 4, 20, 3, 0);
        measure_of(&m, KL, p.d, NULL);
        mtc_mbc_options o = options_of(&p, &m, .5);
        o.iterations = 5;
        o.tolerance = -1;
        o.centroid = MTC_CENTROID_GEODESIC;
        ASSERT_EQ(MTC_OK, mtc_mbc(&ctx, p.dense, p.tasks, &o, &a));
        o.centroid = MTC_CENTROID_EXACT;
        o.divergence = &own;
        ASSERT_EQ(MTC_OK, mtc_mbc(&ctx, p.dense, p.tasks, &o, &b));
        for (size_t i = 0; i <= 5; i++)         /* the same arithmetic */
            ASSERT(a.objective[i] == b.objective[i]);
        mtc_free(&ctx, &b.block);
        ASSERT_EQ(MTC_OK, mtc_mbc(&ctx, p.csr, p.tasks, &o, &b));
        CHECK_CALL(certify(&p, &m, .5, 0, &b));
        mtc_free(&ctx, &a.block);
        mtc_free(&ctx, &b.block);
        o.divergence = &fourth;
        o.tolerance = (mtc_real)1e-10;
        o.iterations = 50;
        for (int how = 0; how < 2; how++) {
            o.centroid = how ? MTC_CENTROID_GEODESIC : MTC_CENTROID_EXACT;
            ASSERT_EQ(MTC_OK, mtc_mbc(&ctx, p.dense, p.tasks, &o, &a));
            for (size_t i = 1; i <= a.iterations; i++)
                ASSERT(a.objective[i] <= a.objective[i - 1] +
                           TOL(1e-12) * a.objective[0]);
            mtc_free(&ctx, &a.block);
        }
        own.inverse = NULL;
        o.divergence = &own;
        ASSERT_EQ(MTC_INVALID, mtc_mbc(&ctx, p.dense, p.tasks, &o, &a));
    }
    PASS();
}

/* More restarts never end worse, and the best one's plans are returned. */
TEST mbc_keeps_the_best_restart(void)
{
    static test_tasks p;
    static measure m;
    mtc_context ctx = test_context();
    for (uint64_t seed = 0; seed < 16; seed++) {
        mtc_mbc_result one, ten;
        random_problem(&p, seed, 2, 30, 3, 0);
        p.k[0] = 4, p.k[1] = 5;
        measure_of(&m, (int)(seed % KINDS), p.d, NULL);
        mtc_mbc_options o = options_of(&p, &m, .5);
        o.start_labels = NULL;
        o.restarts = 1;
        ctx.seed = seed;
        ASSERT_EQ(MTC_OK, mtc_mbc(&ctx, p.dense, 2, &o, &one));
        o.restarts = 10;
        ASSERT_EQ(MTC_OK, mtc_mbc(&ctx, p.dense, 2, &o, &ten));
        ASSERT(ten.loss <= one.loss);
        CHECK_CALL(certify(&p, &m, .5, 0, &ten));
        mtc_free(&ctx, &one.block);
        mtc_free(&ctx, &ten.block);
    }
    PASS();
}

/* d_M from its definition: mtc_partition_emd has the means of the clusters
 * for centroids, which at lambda = 0 they are. */
TEST mbc_coherence_is_the_emd_of_the_partitions(void)
{
    static test_tasks p;
    static measure m;
    mtc_context ctx = test_context();
    for (uint64_t seed = 0; seed < 12; seed++) {
        mtc_mbc_result r;
        random_problem(&p, seed, 2, 24, 3, 0);
        measure_of(&m, (int)(seed % KINDS), p.d, NULL);
        mtc_mbc_options o = options_of(&p, &m, 0);
        ASSERT_EQ(MTC_OK, mtc_mbc(&ctx, p.dense, 2, &o, &r));
        for (size_t t = 0; t < 2; t++) {
            mtc_real d_M;
            ASSERT_EQ(MTC_OK, mtc_partition_emd(
                                  &ctx, &p.dense[t], r.labels[t], p.k[t],
                                  &p.dense[1 - t], r.labels[1 - t],
                                  p.k[1 - t], &m.div, &d_M));
            ASSERT_IN_RANGE((double)d_M, (double)r.coherence[t * 2 + 1 - t],
                            (double)TOL(1e-11) * (1 + (double)d_M));
            ASSERT_IN_RANGE((double)(r.within[t] / (r.within[t] + d_M)),
                            (double)r.relatedness[t * 2 + 1 - t],
                            (double)TOL(1e-11));
        }
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

TEST mbc_serves_degenerate_data(void)
{
    mtc_context ctx = test_context();
    mtc_real same[12], far[12] = {1, 1, 1, 1, 9, 9, 9, 9, 1, 1, 9, 9};
    mtc_mbc_result r;
    for (size_t i = 0; i < 12; i++)
        same[i] = 3;
    mtc_data X[] = {mtc_dense(6, 2, same), mtc_dense(6, 2, far),
                    mtc_dense(1, 2, far)};
    size_t k[] = {4, 3, 1};
    mtc_divergence kl = mtc_kl(), is = mtc_itakura_saito();
    const mtc_divergence *divs[] = {NULL, &kl, &is};
    for (size_t v = 0; v < 3; v++) {    /* more clusters than samples differ */
        mtc_mbc_options o = mtc_mbc_defaults();
        o.clusters_of = k;
        o.divergence = divs[v];
        o.lambda = 0;
        ASSERT_EQ(MTC_OK, mtc_mbc(&ctx, X, 3, &o, &r));
        ASSERT_EQ(1u, r.k_effective[0]);
        ASSERT_EQ(2u, r.k_effective[1]);
        ASSERT_EQ(1u, r.k_effective[2]);
        ASSERT(r.converged);
        mtc_free(&ctx, &r.block);
        o.lambda = (mtc_real).5;
        ASSERT_EQ(MTC_OK, mtc_mbc(&ctx, X, 3, &o, &r));
        ASSERT(r.converged && r.loss >= 0);
        mtc_free(&ctx, &r.block);
        o.lambda = (mtc_real)1e6;       /* sharing is all */
        ASSERT_EQ(MTC_OK, mtc_mbc(&ctx, X, 2, &o, &r));
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

TEST mbc_refuses_what_it_cannot_serve(void)
{
    static test_tasks p;
    static measure m;
    mtc_context ctx = test_context();
    mtc_mbc_result r;
    random_problem(&p, 3, 2, 20, 3, 0);
    measure_of(&m, MAHA, p.d, NULL);
    const mtc_mbc_options good = options_of(&p, &m, .5);
    mtc_mbc_options o = good;
    o.lambda = -1;
    ASSERT_EQ(MTC_INVALID, mtc_mbc(&ctx, p.dense, 2, &o, &r));
    o = good;
    o.lambda = (mtc_real)NAN;
    ASSERT_EQ(MTC_INVALID, mtc_mbc(&ctx, p.dense, 2, &o, &r));
    o = good;
    o.smooth = -1;
    ASSERT_EQ(MTC_INVALID, mtc_mbc(&ctx, p.dense, 2, &o, &r));
    o = good;
    o.restarts = 0;
    ASSERT_EQ(MTC_INVALID, mtc_mbc(&ctx, p.dense, 2, &o, &r));
    o = good;
    o.clusters_of = NULL;
    o.clusters = 23;
    ASSERT_EQ(MTC_INVALID, mtc_mbc(&ctx, p.dense, 2, &o, &r));
    ASSERT_EQ(0u, ctx.error.task);
    o.clusters = 22;
    ASSERT_EQ(MTC_INVALID, mtc_mbc(&ctx, p.dense, 2, &o, &r));
    o = good;
    p.start[1][5] = 99;
    ASSERT_EQ(MTC_INVALID, mtc_mbc(&ctx, p.dense, 2, &o, &r));
    ASSERT_EQ(1u, ctx.error.task);
    ASSERT_EQ(5u, ctx.error.row);
    p.start[1][5] = 0;
    m.metric.d = 2;                     /* a metric of another width, */
    ASSERT_EQ(MTC_INVALID, mtc_mbc(&ctx, p.dense, 2, &o, &r));
    m.metric.d = 3;
    m.L[4] = -m.L[4];                   /* no factor that Cholesky makes */
    ASSERT_EQ(MTC_SINGULAR, mtc_mbc(&ctx, p.dense, 2, &o, &r));
    ASSERT_EQ(1u, ctx.error.row);
    measure_of(&m, KL, p.d, NULL);
    p.x[1][7] = 0;
    ASSERT_EQ(MTC_DOMAIN, mtc_mbc(&ctx, p.dense, 2, &o, &r));
    ASSERT_EQ(1u, ctx.error.task);
    ASSERT_EQ(7 / p.d, ctx.error.row);
    ASSERT_EQ(7 % p.d, ctx.error.column);
    const mtc_real zero[MAX_K * TEST_D] = {0}, *centers[] = {zero, zero};
    o.smooth = 1;
    ASSERT_EQ(MTC_OK, mtc_mbc(&ctx, p.dense, 2, &o, &r));
    mtc_free(&ctx, &r.block);
    o.start_centers = centers;
    ASSERT_EQ(MTC_DOMAIN, mtc_mbc(&ctx, p.dense, 2, &o, &r));
    PASS();
}

/* Centroids that a run ended with are a fixed point to begin with. */
TEST mbc_starts_from_given_centroids(void)
{
    static test_tasks p;
    static measure m;
    mtc_context ctx = test_context();
    for (uint64_t seed = 0; seed < 12; seed++) {
        mtc_mbc_result a, b;
        random_problem(&p, seed, 2, 24, 3, 0);
        measure_of(&m, (int)(seed % KINDS), p.d, NULL);
        mtc_mbc_options o = options_of(&p, &m, .5);
        o.smooth = (mtc_real)(seed % 2);
        o.tolerance = 0;
        o.iterations = 1000;
        ASSERT_EQ(MTC_OK, mtc_mbc(&ctx, p.dense, 2, &o, &a));
        const mtc_real *centers[] = {a.centers[0], a.centers[1]};
        o.start_centers = centers;
        o.start_labels = NULL;
        ASSERT_EQ(MTC_OK, mtc_mbc(&ctx, p.dense, 2, &o, &b));
        ASSERT_IN_RANGE((double)a.loss, (double)b.objective[0],
                        (double)TOL(1e-12) * (1 + (double)a.loss));
        for (size_t t = 0; t < 2; t++)
            ASSERT(memcmp(a.labels[t], b.labels[t],
                          p.dense[t].n * sizeof(int)) == 0);
        mtc_free(&ctx, &a.block);
        mtc_free(&ctx, &b.block);
    }
    PASS();
}

/* Labels beside centroids: the first loss is theirs, the next labels are not
 * touched by them. */
TEST mbc_first_loss_is_under_the_labels_given(void)
{
    static test_tasks p;
    static measure m;
    mtc_context ctx = test_context();
    for (uint64_t seed = 0; seed < 12; seed++) {
        mtc_mbc_result a, b;
        double loss = 0;
        random_problem(&p, seed, 2, 24, 3, 0);
        measure_of(&m, (int)(seed % KINDS), p.d, NULL);
        mtc_mbc_options o = options_of(&p, &m, 0);
        o.iterations = 3;
        ASSERT_EQ(MTC_OK, mtc_mbc(&ctx, p.dense, 2, &o, &a));
        const mtc_real *centers[] = {a.centers[0], a.centers[1]};
        o.start_centers = centers;
        o.iterations = 0;
        ASSERT_EQ(MTC_OK, mtc_mbc(&ctx, p.dense, 2, &o, &b));
        for (size_t t = 0; t < 2; t++)
            for (size_t i = 0; i < p.dense[t].n; i++)
                loss += (double)o.divergence->value(
                            o.divergence->user, p.d, p.x[t] + i * p.d,
                            centers[t] + (size_t)p.start[t][i] * p.d) /
                        (double)p.dense[t].n;
        ASSERT_IN_RANGE(loss, (double)b.objective[0],
                        (double)TOL(1e-12) * (1 + loss));
        for (size_t t = 0; t < 2; t++)
            ASSERT_MEM_EQ(p.start[t], b.labels[t],
                          p.dense[t].n * sizeof(int));
        mtc_free(&ctx, &a.block);
        mtc_free(&ctx, &b.block);
    }
    PASS();
}

/* All samples in one cluster: the other, empty, begins at the same mean, and
 * a tie goes to the lowest, dense or sparse. */
TEST mbc_breaks_the_tie_with_an_empty_cluster_by_number(void)
{
    static test_tasks p;
    static measure m;
    mtc_context ctx = test_context();
    for (uint64_t seed = 0; seed < 16; seed++) {
        mtc_mbc_result r;
        random_problem(&p, seed, 2, 24, 2, 0);
        measure_of(&m, (int)(seed % KINDS), p.d, NULL);
        mtc_mbc_options o = options_of(&p, &m, 0);
        memset(p.start, 0, sizeof p.start);
        o.iterations = 1;
        for (int sparse = 0; sparse < 2; sparse++) {
            ASSERT_EQ(MTC_OK, mtc_mbc(&ctx, sparse ? p.csr : p.dense, 2, &o,
                                      &r));
            ASSERT_EQ(1u, r.k_effective[0]);
            ASSERT_EQ(0, r.labels[0][0]);
            mtc_free(&ctx, &r.block);
        }
    }
    PASS();
}

/* Where lambda drowns the samples, a larger one changes nothing, up to the
 * largest. */
TEST mbc_pulls_no_harder_than_all_the_way(void)
{
    static test_tasks p;
    static measure m;
    mtc_context ctx = test_context();
    for (uint64_t seed = 0; seed < 24; seed++) {
        mtc_mbc_result some, all;
        random_problem(&p, seed, 2, 24, 3, 0);
        for (size_t t = 0; t < 2; t++) {
            for (size_t e = 0; e < p.dense[t].n * p.d; e++)
                p.x[t][e] = 40 + p.x[t][e] / 100;
            test_views(&p, t, p.dense[t].n, p.d);
        }
        measure_of(&m, (int)(seed % KINDS), p.d, NULL);
        mtc_mbc_options o = options_of(&p, &m, 0);
        o.iterations = 3;
        o.tolerance = -1;
        o.lambda = 100 / TEST_EPS;
        ASSERT_EQ(MTC_OK, mtc_mbc(&ctx, p.dense, 2, &o, &some));
        o.lambda = (mtc_real)(sizeof(mtc_real) == 8 ? 1e45 : 1e9);
        ASSERT_EQ(MTC_OK, mtc_mbc(&ctx, p.dense, 2, &o, &all));
        for (size_t t = 0; t < 2; t++)
            for (size_t e = 0; e < p.k[t] * p.d; e++)
                ASSERT_IN_RANGE((double)some.centers[t][e],
                                (double)all.centers[t][e],
                                (double)TOL(1e-11));
        mtc_free(&ctx, &some.block);
        mtc_free(&ctx, &all.block);
    }
    PASS();
}

/* u^2 - (1 - a) u - a L = 0 for R = B = 1, A = a: a sum of positive terms. */
TEST mbc_centroid_keeps_its_digits_where_the_right_side_counts_more(void)
{
    mtc_context ctx = test_context();
    mtc_divergence is = mtc_itakura_saito();
    const mtc_real least = (mtc_real)(sizeof(mtc_real) == 8 ? 1e-30 : 1e-9);
    const mtc_real a[] = {(mtc_real)0.5, (mtc_real)1e-3, least};
    const mtc_real L[] = {(mtc_real)1e-6, (mtc_real)1e-2, 3};
    for (size_t i = 0; i < 9; i++) {
        mtc_real right = 1, u;
        double b = 1 - (double)a[i / 3];
        double c = 4 * (double)a[i / 3] * (double)L[i % 3];
        ASSERT_EQ(MTC_OK, mtc_mbc_centroid(&ctx, &is, MTC_CENTROID_EXACT, 1, a[i / 3],
                                           1, &L[i % 3], &right, &u));
        ASSERT_IN_RANGE((b + sqrt(b * b + c)) / 2, (double)u,
                        (double)TOL(1e-14));
    }
    PASS();
}

/* grad(L) = -1/L overflows, so that every inner point of the walk is 0, which
 * is not in the domain: the better end is the answer. */
TEST mbc_walk_stays_in_the_domain(void)
{
    mtc_context ctx = test_context();
    mtc_divergence is = mtc_itakura_saito();
    const mtc_real L = TEST_MIN / 8, R = 1;
    mtc_real u;
    ASSERT_EQ(MTC_OK, mtc_mbc_centroid(&ctx, &is, MTC_CENTROID_GEODESIC, 1, 2,
                                       1, &L, &R, &u));
    ASSERT(u == L);                             /* 1 d(L||R), not 2 d(L||R) */
    ASSERT_EQ(MTC_OK, mtc_mbc_centroid(&ctx, &is, MTC_CENTROID_GEODESIC, 1, 1,
                                       2, &L, &R, &u));
    ASSERT(u == R);
    PASS();
}

SUITE(mbc_suite)
{
    RUN_TEST(mbc_worked_cases);
    RUN_TEST(mbc_centroids_of_worked_cases);
    RUN_TEST(mbc_centroid_is_stationary_and_beats_the_geodesic);
    RUN_TEST(mbc_centroid_holds_at_the_ends_of_the_range);
    RUN_TEST(mbc_centroid_takes_what_it_says_and_refuses_the_rest);
    RUN_TEST(mbc_own_divergence_walks_the_geodesic);
    RUN_TEST(mbc_descends_with_certified_plans);
    RUN_TEST(mbc_at_lambda_0_is_bregman_clustering);
    RUN_TEST(mbc_smooths_as_if_added);
    RUN_TEST(mbc_centers_as_if_each_mean_were_removed);
    RUN_TEST(mbc_centers_only_where_a_shift_changes_nothing);
    RUN_TEST(mbc_assign_repeats_the_labels);
    RUN_TEST(mbc_without_options_takes_the_defaults);
    RUN_TEST(mbc_takes_a_divergence_of_the_callers_own);
    RUN_TEST(mbc_keeps_the_best_restart);
    RUN_TEST(mbc_coherence_is_the_emd_of_the_partitions);
    RUN_TEST(mbc_serves_degenerate_data);
    RUN_TEST(mbc_refuses_what_it_cannot_serve);
    RUN_TEST(mbc_starts_from_given_centroids);
    RUN_TEST(mbc_first_loss_is_under_the_labels_given);
    RUN_TEST(mbc_breaks_the_tie_with_an_empty_cluster_by_number);
    RUN_TEST(mbc_pulls_no_harder_than_all_the_way);
    RUN_TEST(mbc_centroid_keeps_its_digits_where_the_right_side_counts_more);
    RUN_TEST(mbc_walk_stays_in_the_domain);
}
