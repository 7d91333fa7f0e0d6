/* SPDX-License-Identifier: MIT
 *
 * TTL and the choice of a bridge: worked cases, descent block by block, what
 * carries the labels, ranking of bridges, hostile input.
 */
#include <math.h>
#include <stdio.h>

#include "golden_ttl.h"
#include "greatest.h"
#include "test_util.h"

#define MAX_N 200
#define MAX_M 240

/* A domain, dense and CSR. */
typedef struct ttl_view {
    mtc_real x[MAX_N * MAX_M], value[MAX_N * MAX_M];
    size_t row[MAX_N + 1];
    uint32_t column[MAX_N * MAX_M];
    mtc_data dense, csr;
    int y[MAX_N];
} ttl_view;

static void view_of(ttl_view *v, size_t n, size_t m)
{
    test_sparse(n, m, v->x, v->row, v->column, v->value);
    v->dense = mtc_dense(n, m, v->x);
    v->csr = mtc_csr(n, m, v->row, v->column, v->value);
}

/* ---- generated triples ------------------------------------------------- */

/* Topics as in a small newspaper.  Words 0..m-1; the source has none of the
 * odd ones, the target none of the even ones, bridges all.  A class has a
 * topic common to all domains (1-shift) and one of the domain's own. */
typedef struct ttl_world {
    size_t m, c;
    double shift, strength;
    uint64_t seed;
} ttl_world;

static double hashed(uint64_t seed, uint64_t a, uint64_t b, uint64_t d)
{
    mtc_random r = mtc_random_seed(seed * 1000003u + a * 8191u + b * 131071u +
                                   d * 524287u + 17u);
    mtc_random_bits(&r);
    return (double)(mtc_random_bits(&r) >> 11) / 9007199254740992.0;
}

/* Weight of a word in topic `id`: one word in six, exponential. */
static double topic(const ttl_world *w, uint64_t id, size_t word)
{
    if (hashed(w->seed, id, word, 1) > 1.0 / 6)
        return 0;
    return -log(1 - hashed(w->seed, id, word, 2));
}

/* domain: 0 source, 1 bridge, 2 target; `kin` replaces the domain's own
 * topics where two domains are to share them. */
static void draw_domain(const ttl_world *w, size_t domain, size_t n,
                        uint64_t stream, ttl_view *v)
{
    static double share[8][MAX_M];
    mtc_random r = mtc_random_seed(w->seed * 77 + stream);
    for (size_t z = 0; z < w->c; z++) {
        double sum = 0;
        for (size_t e = 0; e < w->m; e++) {
            double common = topic(w, z, e);
            double own = topic(w, 100 + 10 * domain + z, e);
            double t = w->strength * 6 *
                           ((1 - w->shift) * common + w->shift * own) +
                       (1 - w->strength) *
                           (0.5 + hashed(w->seed, 7, e, 3));
            if ((domain == 0 && e % 2 == 1) || (domain == 2 && e % 2 == 0))
                t = 0;
            share[z][e] = sum += t;
        }
    }
    memset(v->x, 0, n * w->m * sizeof *v->x);
    for (size_t i = 0; i < n; i++) {
        size_t z = i % w->c;
        v->y[i] = (int)z;
        for (size_t k = 0; k < 40; k++) {
            double at = (double)mtc_random_real(&r) * share[z][w->m - 1];
            size_t e = 0;
            while (e + 1 < w->m && share[z][e] <= at)
                e++;
            v->x[i * w->m + e] += 1;
        }
    }
    view_of(v, n, w->m);
}

static ttl_view source, bridge, second, target;

static void draw_triple(uint64_t seed, size_t c, size_t n, size_t m,
                        double shift, double strength)
{
    ttl_world w = {m, c, shift, strength, seed};
    draw_domain(&w, 0, n, 1, &source);
    draw_domain(&w, 1, n + 3, 2, &bridge);
    draw_domain(&w, 2, n + 5, 3, &target);
}

static double accuracy(const int *labels, const int *truth, size_t n)
{
    size_t right = 0;
    for (size_t i = 0; i < n; i++)
        right += labels[i] == truth[i];
    return (double)right / (double)n;
}

static mtc_status run_triple(const mtc_ttl_options *o, const int *labels,
                             uint64_t seed, mtc_ttl_result *r)
{
    mtc_context ctx = test_context();
    ctx.seed = seed;
    return mtc_ttl(&ctx, &source.csr, &labels, 1, &bridge.csr, NULL, 1,
                   &target.csr, o, r);
}

static void drop(mtc_ttl_result *r)
{
    mtc_context ctx = test_context();
    mtc_ttl_free(&ctx, r);
}

/* ---- worked cases ------------------------------------------------------ */

static const double worked = sizeof(mtc_real) == 8 ? 1e-8 : 5e-3;

#define ASSERT_CLOSE(expected, got, n) \
    do { \
        double most = 1; \
        for (size_t q = 0; q < (n); q++) \
            most = fabs((expected)[q]) > most ? fabs((expected)[q]) : most; \
        for (size_t q = 0; q < (n); q++) \
            ASSERT_IN_RANGEm(g->name, (expected)[q], (double)(got)[q], \
                             worked * most); \
    } while (0)

/* Lengths of the 14 parts of a state. */
static void state_sizes(const golden_ttl *g, size_t *size)
{
    for (size_t leg = 0; leg < 2; leg++) {
        size_t *s = size + 6 * leg;
        s[0] = g->m[leg] * g->p1;
        s[1] = s[2] = g->m[leg] * g->p2;
        s[3] = g->p1 * g->c;
        s[4] = s[5] = g->p2 * g->c;
    }
    size[12] = g->n[1] * g->c;
    size[13] = g->n[2] * g->c;
}

static mtc_real *state_part(const mtc_ttl_factors *f, size_t i)
{
    mtc_real *part[12] = {f->F1[0], f->F2[0][0], f->F2[0][1],
                          f->A1[0], f->A2[0][0], f->A2[0][1],
                          f->F1[1], f->F2[1][0], f->F2[1][1],
                          f->A1[1], f->A2[1][0], f->A2[1][1]};
    return part[i];
}

static void load(ttl_view *v, const double *x, size_t n, size_t m)
{
    for (size_t e = 0; e < n * m; e++)
        v->x[e] = (mtc_real)x[e];
    view_of(v, n, m);
}

static enum greatest_test_res worked_case(const golden_ttl *g, int sparse)
{
    static mtc_real store[14][1000];
    size_t size[14];
    state_sizes(g, size);
    for (size_t i = 0; i < 14; i++)
        for (size_t e = 0; e < size[i]; e++)
            store[i][e] = (mtc_real)g->start[i][e];
    load(&source, g->X[0], g->n[0], g->m[0]);
    load(&bridge, g->X[1], g->n[1], g->m[0]);
    load(&second, g->X[2], g->n[1], g->m[1]);
    load(&target, g->X[3], g->n[2], g->m[1]);
    mtc_ttl_factors f = {
        {store[0], store[6]}, {store[3], store[9]},
        {{store[1], store[2]}, {store[7], store[8]}},
        {{store[4], store[5]}, {store[10], store[11]}}};
    const mtc_real *GI = store[12];
    mtc_ttl_options o = mtc_ttl_defaults();
    o.classes = g->c;
    o.common = g->p1;
    o.features = g->p1 + g->p2;
    o.variant = MTC_TTL_PUBLISHED;
    o.rows = MTC_ROWS_AS_GIVEN;
    o.start_factors = &f;
    o.start_bridge = &GI;
    o.start_target = store[13];
    for (size_t sweeps = 1; sweeps <= 20; sweeps += 19) {
        const double *const *after = sweeps == 1 ? g->after1 : g->after20;
        mtc_context ctx = test_context();
        mtc_ttl_result r;
        o.sweeps = sweeps;
        ASSERT_EQm(g->name, MTC_OK,
                   mtc_ttl(&ctx, sparse ? &source.csr : &source.dense,
                           &g->source, 1,
                           sparse ? &bridge.csr : &bridge.dense,
                           g->X[1] == g->X[2] ? NULL
                                              : sparse ? &second.csr
                                                       : &second.dense,
                           1, sparse ? &target.csr : &target.dense, &o, &r));
        ASSERT_EQ(sweeps, r.sweeps);
        ASSERT_CLOSE(g->objective, r.objective, sweeps + 1);
        for (size_t i = 0; i < 14; i++) {
            const mtc_real *got = i < 12 ? state_part(r.factors, i)
                                  : i == 12 ? r.bridge[0] : r.target;
            ASSERT_CLOSE(after[i], got, size[i]);
        }
        for (size_t i = 0; sweeps == 20 && i < g->n[2]; i++)
            ASSERT_EQm(g->name, g->labels_t[i], r.labels[i]);
        for (size_t i = 0; sweeps == 20 && i < g->n[1]; i++)
            ASSERT_EQm(g->name, g->labels_I[i], r.bridge_labels[0][i]);
        mtc_ttl_free(&ctx, &r);
    }
    PASS();
}

TEST ttl_follows_worked_cases(void)
{
    for (size_t i = 0; i < sizeof golden_ttls / sizeof *golden_ttls; i++)
        for (int sparse = 0; sparse < 2; sparse++)
            CHECK_CALL(worked_case(&golden_ttls[i], sparse));
    PASS();
}

TEST bridge_score_follows_worked_case(void)
{
    mtc_context ctx = test_context();
    mtc_real features[24 * MTC_BRIDGE_FEATURES];
    mtc_bridge_model model;
    for (size_t i = 0; i < sizeof features / sizeof *features; i++)
        features[i] = (mtc_real)bridge_features[i];
    ASSERT_EQ(MTC_OK, mtc_bridge_fit(&ctx, 24, features, bridge_labels,
                                     (mtc_real)1e-3, &model));
    double close_to = sizeof(mtc_real) == 8 ? 1e-8 : 2e-2;
    ASSERT_IN_RANGE(bridge_beta[0], (double)model.bias, 10 * close_to);
    for (size_t k = 0; k < MTC_BRIDGE_FEATURES; k++)
        ASSERT_IN_RANGE(bridge_beta[k + 1], (double)model.weight[k],
                        10 * close_to);
    for (size_t i = 0; i < 24; i++)
        ASSERT_IN_RANGE(bridge_scores[i],
                        (double)mtc_bridge_score(
                            &model, features + i * MTC_BRIDGE_FEATURES),
                        close_to);
    PASS();
}

TEST bridge_complexity_follows_worked_case(void)
{
    mtc_context ctx = test_context();
    mtc_real out;
    load(&source, bridge_complexity, 25, 9);
    ASSERT_EQ(MTC_OK,
              mtc_complexity(&ctx, &source.csr, (mtc_real)0.1, &out));
    ASSERT_IN_RANGE(bridge_complexity_is, (double)out, (double)TOL(1e-12));
    PASS();
}

/* The worked propagation, and bridge_try on the same rows: its accuracies are
 * those of the worked scores against themselves and against their mirror. */
TEST bridge_propagation_follows_worked_case(void)
{
    mtc_context ctx = test_context();
    mtc_propagate_options o = mtc_propagate_defaults();
    mtc_propagate_result r;
    mtc_bridge_gain gain;
    const int *y = bridge_propagate_y;
    static mtc_real unit[14 * 4];
    int truth[8], mirror[8];
    for (size_t i = 0; i < 14; i++) {
        double length = 0;
        for (size_t e = 0; e < 4; e++)
            length += bridge_propagate[i * 4 + e] * bridge_propagate[i * 4 + e];
        for (size_t e = 0; e < 4; e++)
            unit[i * 4 + e] =
                (mtc_real)(bridge_propagate[i * 4 + e] / sqrt(length));
    }
    mtc_data S = mtc_dense(6, 4, unit), T = mtc_dense(8, 4, unit + 24);
    o.graph.neighbors = 0;
    o.graph.absolute = 1;
    o.graph.width = 1;
    ASSERT_EQ(MTC_OK, mtc_propagate(&ctx, &S, &y, 1, &T, &o, &r));
    for (size_t i = 0; i < 16; i++)
        ASSERT_IN_RANGE(bridge_propagation[i], (double)r.scores[i],
                        (double)TOL(1e-8));
    mtc_propagate_free(&ctx, &r);
    for (size_t i = 0; i < 8; i++) {
        truth[i] = bridge_propagation[2 * i + 1] > bridge_propagation[2 * i];
        mirror[i] = 1 - truth[i];
    }
    load(&source, bridge_propagate, 6, 4);
    load(&bridge, bridge_propagate + 24, 3, 4);
    load(&target, bridge_propagate + 36, 5, 4);
    /* bridge and target together are the eight rows of the worked case */
    ASSERT_EQ(MTC_OK, mtc_bridge_try(&ctx, &source.dense, y, &bridge.csr,
                                     &target.dense, truth + 3, 2, 1, &gain));
    ASSERT_IN_RANGE(1.0, (double)gain.bridged, 0);
    ASSERT_EQ(MTC_OK, mtc_bridge_try(&ctx, &source.dense, y, &bridge.csr,
                                     &target.dense, mirror + 3, 2, 1, &gain));
    ASSERT_IN_RANGE(0.0, (double)gain.bridged, 0);
    ASSERT_EQ(0, gain.helps);
    PASS();
}

SUITE(ttl_suite)
{
    RUN_TEST(ttl_follows_worked_cases);
    RUN_TEST(bridge_score_follows_worked_case);
    RUN_TEST(bridge_complexity_follows_worked_case);
    RUN_TEST(bridge_propagation_follows_worked_case);
}
