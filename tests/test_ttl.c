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

/* By way of `bridge`, or of that and `second`. */
static mtc_status run_bridges(const mtc_ttl_options *o, const int *labels,
                              uint64_t seed, size_t bridges,
                              mtc_ttl_result *r)
{
    mtc_context ctx = test_context();
    mtc_data both[2] = {bridge.csr, second.csr};
    ctx.seed = seed;
    return mtc_ttl(&ctx, &source.csr, &labels, 1, both, NULL, bridges,
                   &target.csr, o, r);
}

static mtc_status run_triple(const mtc_ttl_options *o, const int *labels,
                             uint64_t seed, mtc_ttl_result *r)
{
    return run_bridges(o, labels, seed, 1, r);
}

static void drop(mtc_ttl_result *r)
{
    mtc_context ctx = test_context();
    mtc_ttl_free(&ctx, r);
}

/* ---- worked cases ------------------------------------------------------ */

static const double worked_tolerance = sizeof(mtc_real) == 8 ? 1e-8 : 5e-3;

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
                                     MTC_BRIDGE_LINEAR, (mtc_real)1e-3,
                                     &model));
    ASSERT(model.link == 0);
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

/* The score by links on the same triples: the gradient of
 *   sum -log p + 24 ridge/2 b^2,  b the weight of the standardised t,
 * is 0, and t is that of the header. */
TEST bridge_score_by_links_is_stationary(void)
{
    mtc_context ctx = test_context();
    mtc_real features[24 * MTC_BRIDGE_FEATURES];
    mtc_bridge_model model;
    double t[24], mean = 0, square = 0, up[2] = {0, 0}, ridge = .02;
    for (size_t i = 0; i < sizeof features / sizeof *features; i++)
        features[i] = (mtc_real)bridge_features[i];
    ASSERT_EQ(MTC_OK, mtc_bridge_fit(&ctx, 24, features, bridge_labels,
                                     MTC_BRIDGE_LINKS, (mtc_real)ridge,
                                     &model));
    for (size_t k = 0; k < MTC_BRIDGE_FEATURES; k++)
        ASSERT(model.weight[k] == 0);
    for (size_t i = 0; i < 24; i++) {
        const double *f = bridge_features + i * MTC_BRIDGE_FEATURES;
        t[i] = sqrt((1 - f[3] / 2) * (1 - f[5] / 2));
        mean += t[i] / 24;
    }
    for (size_t i = 0; i < 24; i++)
        square += (t[i] - mean) * (t[i] - mean) / 24;
    for (size_t i = 0; i < 24; i++) {
        double z = (double)model.bias + (double)model.link * t[i];
        double p = 1 / (1 + exp(-z));
        up[0] += p - bridge_labels[i];
        up[1] += (p - bridge_labels[i]) * (t[i] - mean) / sqrt(square);
        ASSERT_IN_RANGE(p, (double)mtc_bridge_score(
                               &model, features + i * MTC_BRIDGE_FEATURES),
                        (double)TOL(1e-9));
    }
    up[1] += 24 * ridge * (double)model.link * sqrt(square);
    ASSERT_IN_RANGE(0, up[0], (double)TOL(1e-7) * 24);
    ASSERT_IN_RANGE(0, up[1], (double)TOL(1e-7) * 24);
    features[3] = 7;                                /* no such distance */
    ASSERT_IN_RANGE(1 / (1 + exp(-(double)model.bias)),
                    (double)mtc_bridge_score(&model, features),
                    (double)TOL(1e-9));
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
    int truth[8] = {0}, mirror[8] = {0};
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
    /* bridge_try scales the classes' masses over the target's five rows to
     * the source's shares, which are equal */
    double mass[2] = {0, 0};
    for (size_t i = 3; i < 8; i++) {
        mass[0] += bridge_propagation[2 * i];
        mass[1] += bridge_propagation[2 * i + 1];
    }
    for (size_t i = 3; i < 8; i++) {
        truth[i] = bridge_propagation[2 * i + 1] / mass[1] >
                   bridge_propagation[2 * i] / mass[0];
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

/* ---- the objective ----------------------------------------------------- */

/* |X - G C'|^2 + tie |W D G'|^2 of one side of a leg, element by element. */
static double side_cost(const mtc_ttl_result *r, size_t leg, size_t side,
                        const ttl_view *v, const ttl_view *other,
                        const mtc_real *G, const int *hard, double tie)
{
    const mtc_ttl_factors *f = r->factors;
    size_t m = v->dense.d, c = r->classes, n = v->dense.n;
    double sum = 0;
    for (size_t e = 0; e < m; e++) {
        int mine = 0, theirs = 0;
        for (size_t i = 0; i < n; i++)
            mine |= v->x[i * m + e] > 0;
        for (size_t i = 0; i < other->dense.n; i++)
            theirs |= other->x[i * m + e] > 0;
        for (size_t i = 0; i < n; i++) {
            double length = 0, all = 0, own = 0;
            for (size_t q = 0; q < m; q++)
                length += (double)v->x[i * m + q];
            for (size_t z = 0; z < c; z++) {
                double g = hard != NULL ? hard[i] == (int)z
                                        : (double)G[i * c + z];
                double S = 0, D = 0;
                for (size_t k = 0; k < r->common; k++)
                    S += (double)f->F1[leg][e * r->common + k] *
                         (double)f->A1[leg][k * c + z];
                for (size_t k = 0; k < r->own; k++)
                    D += (double)f->F2[leg][side][e * r->own + k] *
                         (double)f->A2[leg][side][k * c + z];
                all += g * (S + D);
                own += g * D;
            }
            double x = length > 0 ? (double)v->x[i * m + e] / length : 0;
            sum += (x - all) * (x - all) + (mine && theirs) * tie * own * own;
        }
    }
    return sum;
}

TEST objective_is_what_the_header_says(void)
{
    static const size_t sizes[3][3] = {{20, 23, 25}, {20, 6, 7}, {6, 8, 25}};
    for (int round = 0; round < 6; round++) {
        mtc_ttl_options o = mtc_ttl_defaults();
        mtc_ttl_result r;
        const size_t *n = sizes[round / 2];
        int variant = round % 2;
        draw_triple(3, 3, 20, 40, .4, .5);
        view_of(&source, n[0], 40);
        view_of(&bridge, n[1], 40);
        view_of(&target, n[2], 40);
        o.classes = 3;
        o.features = 7;
        o.common = 4;
        o.sweeps = 6;
        o.variant = variant ? MTC_TTL_PUBLISHED : MTC_TTL_REPAIRED;
        ASSERT_EQ(MTC_OK, run_triple(&o, source.y, 5, &r));
        double tie = variant ? 0 : (double)o.tie;
        double sum =
            side_cost(&r, 0, 0, &source, &bridge, NULL, source.y, tie) +
            side_cost(&r, 0, 1, &bridge, &source, r.bridge[0], NULL, tie) +
            side_cost(&r, 1, 0, &bridge, &target, r.bridge[0], NULL, 0) +
            side_cost(&r, 1, 1, &target, &bridge, r.target, NULL, 0);
        ASSERT_IN_RANGE(sum, (double)r.objective[6], (double)TOL(1e-12) * sum);
        drop(&r);
    }
    PASS();
}

enum { LEG_SWEEPS = 14 };

/* What leg 0 costs after 1, 2, .. sweeps on it alone; the sweeps on leg 1 that
 * follow leave it as it is. */
static mtc_status costs_of_leg_0(mtc_ttl_options o, uint64_t seed, double *cost)
{
    for (size_t k = 1; k <= LEG_SWEEPS; k++) {
        mtc_ttl_result r;
        o.chain = k;
        o.sweeps = 2 * k;
        mtc_status s = run_triple(&o, source.y, seed, &r);
        if (s != MTC_OK)
            return s;
        cost[k] = side_cost(&r, 0, 0, &source, &bridge, NULL, source.y,
                            (double)o.tie) +
                  side_cost(&r, 0, 1, &bridge, &source, r.bridge[0], NULL,
                            (double)o.tie);
        drop(&r);
    }
    return MTC_OK;
}

/* With a tolerance, leg 0 is left when its own part stands still, whatever the
 * sum over both legs does meanwhile. */
TEST a_leg_ends_when_its_own_part_stands_still(void)
{
    size_t misled = 0;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        mtc_ttl_options o = mtc_ttl_defaults();
        mtc_ttl_result r;
        double cost[LEG_SWEEPS + 1], tolerance = 1e-2;
        size_t last = 2;
        draw_triple(seed, 2, 24, 40, .5, .5);
        o.features = 6;
        o.common = 3;
        o.evidence = 0;
        ASSERT_EQ(MTC_OK, costs_of_leg_0(o, seed, cost));
        while (last < LEG_SWEEPS &&
               cost[last - 1] - cost[last] > tolerance * cost[last - 1])
            last++;
        o.tolerance = (mtc_real)tolerance;
        o.chain = LEG_SWEEPS;
        o.sweeps = 2 * LEG_SWEEPS;
        ASSERT_EQ(MTC_OK, run_triple(&o, source.y, seed, &r));
        double got = side_cost(&r, 0, 0, &source, &bridge, NULL, source.y,
                               (double)o.tie) +
                     side_cost(&r, 0, 1, &bridge, &source, r.bridge[0], NULL,
                               (double)o.tie);
        ASSERT_IN_RANGE(cost[last], got, 1e-6 * cost[last]);
        for (size_t k = 2; k < last; k++)
            misled += (double)(r.objective[k - 1] - r.objective[k]) <=
                      tolerance * (double)r.objective[k - 1];
        drop(&r);
    }
    ASSERT(misled > 0);
    PASS();
}

/* Every block by itself, then F's normalisation, keeps or lowers the value;
 * only G's normalisation may raise it. */
TEST every_block_descends_and_scaling_F_costs_nothing(void)
{
    for (uint64_t seed = 1; seed <= 12; seed++) {
        mtc_ttl_options o = mtc_ttl_defaults();
        mtc_ttl_result r;
        size_t bridges = 1 + seed / 2 % 2;
        ttl_world other = {30, 2 + seed % 2, .5, .5, seed + 100};
        draw_triple(seed, 2 + seed % 2, 18, 30, .4, .5);
        draw_domain(&other, 1, 13, 5, &second);
        o.classes = 2 + seed % 2;
        o.features = 5 + seed % 4;
        o.common = 3;
        o.sweeps = 12;
        o.chain = 0;
        o.trace = 1;
        o.root = seed % 3 == 0;
        o.start = seed % 2 ? MTC_TTL_RANDOM : MTC_TTL_INFORMED;
        o.variant = seed % 4 < 2 ? MTC_TTL_PUBLISHED : MTC_TTL_REPAIRED;
        o.tie = (mtc_real)(.1 * (double)seed);
        ASSERT_EQ(MTC_OK, run_bridges(&o, source.y, seed, bridges, &r));
        ASSERT_EQ(13 * bridges + 3, r.steps);
        for (size_t it = 0; it < r.sweeps; it++) {
            const mtc_real *t = r.trace + it * r.steps;
            double last = (double)r.objective[it], slack;
            for (size_t b = 0; b + 1 < r.steps; b++) {
                slack = (double)TOL(1e-13) * (double)r.objective[0];
                ASSERT((double)t[b] <= last + slack);
                last = (double)t[b];
            }
            slack = (double)TOL(1e-13) * (double)r.objective[0];
            ASSERT_IN_RANGE((double)t[r.steps - 3], (double)t[r.steps - 2],
                            slack);
            ASSERT_IN_RANGE((double)t[r.steps - 1],
                            (double)r.objective[it + 1], slack);
        }
        drop(&r);
    }
    PASS();
}

TEST normalising_as_printed_makes_the_objective_jump(void)
{
    mtc_ttl_options o = mtc_ttl_defaults();
    mtc_ttl_result r;
    draw_triple(2, 2, 18, 30, .4, .5);
    o.variant = MTC_TTL_PUBLISHED;
    o.features = 6;
    o.common = 3;
    o.sweeps = 2;
    o.trace = 1;
    o.as_printed = 1;
    ASSERT_EQ(MTC_OK, run_triple(&o, source.y, 1, &r));
    ASSERT(fabs((double)(r.trace[14] - r.trace[13])) >
           .01 * (double)r.trace[13]);
    drop(&r);
    PASS();
}

TEST csr_and_dense_agree_and_a_source_may_come_in_parts(void)
{
    mtc_context ctx = test_context();
    mtc_ttl_options o = mtc_ttl_defaults();
    mtc_ttl_result a, b, c;
    const int *labels = source.y;
    draw_triple(4, 2, 40, 60, .3, .5);
    o.features = 8;
    o.common = 4;
    o.sweeps = 20;
    ASSERT_EQ(MTC_OK, run_triple(&o, source.y, 1, &a));
    ASSERT_EQ(MTC_OK, mtc_ttl(&ctx, &source.dense, &labels, 1, &bridge.dense,
                              NULL, 1, &target.dense, &o, &b));
    for (size_t it = 0; it <= 20; it++)
        ASSERT_IN_RANGE((double)a.objective[it], (double)b.objective[it],
                        (double)TOL(1e-10) * (double)a.objective[0]);
    ASSERT(accuracy(a.labels, b.labels, a.n) > .95);
    mtc_data part[2] = {mtc_dense(15, 60, source.x),
                        mtc_dense(25, 60, source.x + 15 * 60)};
    const int *parts[2] = {source.y, source.y + 15};
    ASSERT_EQ(MTC_OK, mtc_ttl(&ctx, part, parts, 2, &bridge.dense, NULL, 1,
                              &target.dense, &o, &c));
    ASSERT_MEM_EQ(b.target, c.target, b.n * 2 * sizeof(mtc_real));
    mtc_ttl_free(&ctx, &c);
    mtc_ttl_free(&ctx, &b);
    drop(&a);
    PASS();
}

/* ---- what carries the labels ------------------------------------------- */

enum { LABEL_SEEDS = 6 };

/* Mean target accuracy (no matching) against the truth, from `start`, when
 * everything that sees labels sees: the true ones (0), the flipped ones (1),
 * or labels drawn by lot (2). */
static double mean_accuracy(mtc_ttl_options o, mtc_ttl_start start, int what)
{
    double sum = 0;
    o.start = start;
    for (uint64_t seed = 1; seed <= LABEL_SEEDS; seed++) {
        static int labels[MAX_N];
        mtc_ttl_result r;
        mtc_random chance = mtc_random_seed(seed);
        draw_triple(seed, 2, 80, 160, .2, .4);
        for (size_t i = 0; i < source.csr.n; i++)
            labels[i] = what == 0   ? source.y[i]
                        : what == 1 ? 1 - source.y[i]
                                    : (int)mtc_random_below(&chance, 2);
        if (run_triple(&o, labels, seed, &r) != MTC_OK)
            return -1;
        sum += accuracy(r.labels, target.y, target.csr.n) / LABEL_SEEDS;
        drop(&r);
    }
    return sum;
}

TEST repaired_answer_follows_the_labels_from_any_start(void)
{
    mtc_ttl_options o = mtc_ttl_defaults();
    for (int start = 0; start < 2; start++) {
        mtc_ttl_start from = start ? MTC_TTL_RANDOM : MTC_TTL_INFORMED;
        double right = mean_accuracy(o, from, 0);
        double flipped = mean_accuracy(o, from, 1);
        double lot = mean_accuracy(o, from, 2);
        ASSERT_IN_RANGE(.95, right, .05);
        ASSERT_IN_RANGE(.05, flipped, .05);
        ASSERT_IN_RANGE(.5, lot, .3);
    }
    PASS();
}

/* On the same triples from the same start: leg by leg, with the target's start
 * learned anew, the mean accuracy is above the published form's, although
 * the classes of both legs are clear (.4), or weak (.25). */
TEST default_is_better_than_published_on_shifted_triples(void)
{
    for (int weak = 0; weak < 2; weak++) {
        double mean[2] = {0, 0};
        for (uint64_t seed = 1; seed <= 16; seed++) {
            draw_triple(500 + seed, 2, 70, 120, .6, weak ? .25 : .4);
            for (int published = 0; published < 2; published++) {
                mtc_ttl_options o = mtc_ttl_defaults();
                mtc_ttl_result r;
                o.variant = published ? MTC_TTL_PUBLISHED : MTC_TTL_REPAIRED;
                ASSERT_EQ(MTC_OK, run_triple(&o, source.y, seed, &r));
                mean[published] += accuracy(r.labels, target.y, r.n) / 16;
                drop(&r);
            }
        }
        ASSERT(mean[0] > mean[1] + .02);
    }
    PASS();
}

/* The published objective from the true classes and from their mirror image,
 * relative difference at the end; and the repaired one's. */
TEST only_the_repaired_objective_prefers_the_right_classes(void)
{
    for (uint64_t seed = 1; seed <= 4; seed++)
        for (int repaired = 0; repaired < 2; repaired++) {
            static mtc_real G[2][2][MAX_N * 2];
            double f[2];
            mtc_ttl_options o = mtc_ttl_defaults();
            draw_triple(seed, 2, 80, 160, .2, .4);
            for (int mirror = 0; mirror < 2; mirror++) {
                const mtc_real *GI = G[mirror][0];
                mtc_ttl_result r;
                for (size_t z = 0; z < 2; z++) {
                    for (size_t i = 0; i < bridge.csr.n; i++)
                        G[mirror][0][2 * i + z] = (mtc_real)
                            ((bridge.y[i] == (int)z) != mirror ? .8 : .2);
                    for (size_t i = 0; i < target.csr.n; i++)
                        G[mirror][1][2 * i + z] = (mtc_real)
                            ((target.y[i] == (int)z) != mirror ? .8 : .2);
                }
                o.variant = repaired ? MTC_TTL_REPAIRED : MTC_TTL_PUBLISHED;
                o.tie = 1;
                o.chain = 0;
                o.start_bridge = &GI;
                o.start_target = G[mirror][1];
                ASSERT_EQ(MTC_OK, run_triple(&o, source.y, seed, &r));
                f[mirror] = (double)r.objective[r.sweeps];
                drop(&r);
            }
            double gain = (f[1] - f[0]) / f[0];
            if (repaired)
                ASSERT(gain > 2e-3);
            else
                ASSERT(fabs(gain) < 1e-3);
        }
    PASS();
}

/* ---- the target's start, learned anew ---------------------------------- */

/* unit [n*m] = rows of v cut to the features that `reader` uses, to length 1;
 * a row without any stays 0. */
static mtc_data unit_rows(const ttl_view *v, const ttl_view *reader,
                          mtc_real *unit)
{
    size_t n = v->dense.n, m = v->dense.d;
    unsigned char used[MAX_M] = {0};
    for (size_t i = 0; i < reader->dense.n * m; i++)
        used[i % m] |= reader->x[i] > 0;
    for (size_t i = 0; i < n; i++) {
        double square = 0;
        for (size_t e = 0; e < m; e++)
            square += used[e] * (double)v->x[i * m + e] *
                      (double)v->x[i * m + e];
        for (size_t e = 0; e < m; e++)
            unit[i * m + e] = (mtc_real)(used[e] * (double)v->x[i * m + e] /
                                         sqrt(square > 0 ? square : 1));
    }
    return mtc_dense(n, m, unit);
}

/* G [n*2] of `to` by a regression from the weighted rows of `from`, both on
 * the features that `reader` uses; .01 of equal shares mixed in. */
static mtc_status taught(const ttl_view *from, const int *labels,
                         const mtc_real *weights, const ttl_view *to,
                         const ttl_view *reader, mtc_real *G)
{
    static mtc_real unit[2][MAX_N * MAX_M];
    mtc_context ctx = test_context();
    mtc_logistic_options o = mtc_logistic_defaults();
    mtc_logistic_result r;
    mtc_data A = unit_rows(from, reader, unit[0]);
    mtc_data B = unit_rows(to, reader, unit[1]);
    o.weights = weights;
    mtc_status s = mtc_logistic(&ctx, &A, labels, &o, &r);
    if (s != MTC_OK)
        return s;
    s = mtc_logistic_assign(&ctx, &B, &r, NULL, G);
    for (size_t i = 0; i < B.n * 2; i++)
        G[i] = (mtc_real)(((double)G[i] + .005) / 1.01);
    mtc_logistic_free(&ctx, &r);
    return s;
}

static void larger_of_two(size_t n, const mtc_real *G, int *labels)
{
    for (size_t i = 0; i < n; i++)
        labels[i] = G[2 * i + 1] > G[2 * i];
}

/* How far a run from the given start ends from G, the target's classes. */
static double distance_from(const mtc_real *GI, const mtc_real *Gt,
                            const mtc_real *G)
{
    mtc_ttl_options o = mtc_ttl_defaults();
    mtc_ttl_result r;
    double most = 0;
    o.start_bridge = &GI;
    o.start_target = Gt;
    if (run_triple(&o, source.y, 3, &r) != MTC_OK)
        return 1;
    for (size_t i = 0; i < r.n * 2; i++)
        most = fmax(most, fabs((double)r.target[i] - (double)G[i]));
    drop(&r);
    return most;
}

/* The default run, put together from outside: given starts are not learned
 * anew, and leg 1 leaves the bridge alone, so that a run from the first
 * regressions shows what leg 0 makes of the bridge; from that the target's
 * start is computed here, over the samples agreed on.  Over all samples the
 * run would end elsewhere. */
TEST target_starts_from_the_samples_that_leg_0_agrees_on(void)
{
    static mtc_real GI[MAX_N * 2], Gt[MAX_N * 2], again[MAX_N * 2];
    static mtc_real weights[MAX_N], start[2][MAX_N * 2];
    static int first[MAX_N], after[MAX_N];
    const mtc_real *GI_start = GI;
    mtc_ttl_options o = mtc_ttl_defaults();
    mtc_ttl_result r;
    size_t agreed = 0, n = 0;
    draw_triple(501, 2, 70, 120, .6, .25);
    n = bridge.csr.n;
    ASSERT_EQ(MTC_OK, taught(&source, source.y, NULL, &bridge, &source, GI));
    larger_of_two(n, GI, first);
    ASSERT_EQ(MTC_OK, taught(&bridge, first, NULL, &target, &target, Gt));
    o.start_bridge = &GI_start;
    o.start_target = Gt;
    ASSERT_EQ(MTC_OK, run_triple(&o, source.y, 3, &r));
    larger_of_two(n, r.bridge[0], after);
    drop(&r);
    for (size_t i = 0; i < n; i++) {
        weights[i] = first[i] == after[i];
        agreed += first[i] == after[i];
    }
    ASSERT(agreed > n / 2 && agreed < n);
    for (int all = 0; all < 2; all++) {
        ASSERT_EQ(MTC_OK, taught(&bridge, after, all ? NULL : weights,
                                 &target, &target, again));
        for (size_t i = 0; i < target.csr.n * 2; i++)
            start[all][i] = (mtc_real)sqrt((double)Gt[i] * (double)again[i]);
    }
    o = mtc_ttl_defaults();
    ASSERT_EQ(MTC_OK, run_triple(&o, source.y, 3, &r));
    double near = distance_from(GI, start[0], r.target);
    double far = distance_from(GI, start[1], r.target);
    drop(&r);
    ASSERT_IN_RANGE(0, near, sizeof(mtc_real) == 8 ? 1e-6 : 1e-3);
    ASSERT(far > 1e-2);
    PASS();
}

/* ---- do the source's labels say anything? ------------------------------ */

/* Fold of a row, as for the A-distance. */
static size_t half_of(size_t i)
{
    return (size_t)(i * UINT64_C(2654435761) % (UINT64_C(1) << 32) >> 31);
}

/* probability [n*c] of each source row by a regression on the other half. */
static void held_out(size_t c, const int *labels, mtc_real *probability)
{
    static mtc_real unit[MAX_N * MAX_M], all[MAX_N * 8], weights[MAX_N];
    size_t n = source.dense.n;
    mtc_data U = unit_rows(&source, &source, unit);
    for (size_t half = 0; half < 2; half++) {
        mtc_context ctx = test_context();
        mtc_logistic_options o = mtc_logistic_defaults();
        mtc_logistic_result r;
        o.classes = c;
        o.weights = weights;
        for (size_t i = 0; i < n; i++)
            weights[i] = half_of(i) != half;
        if (mtc_logistic(&ctx, &U, labels, &o, &r) != MTC_OK)
            return;
        mtc_logistic_assign(&ctx, &U, &r, NULL, all);
        for (size_t i = 0; i < n; i++)
            if (half_of(i) == half)
                memcpy(probability + i * c, all + i * c, c * sizeof *all);
        mtc_logistic_free(&ctx, &r);
    }
}

/* Mean and deviation of sum_i p_i[label_pi(i)] over all permutations pi of
 * the n labels (Heap's algorithm), and the sum as it is. */
static void permute_all(size_t n, size_t c, const mtc_real *p, const int *y,
                        double *stat)
{
    int label[8];
    size_t state[8] = {0}, count = 0;
    double sum = 0, square = 0;
    memcpy(label, y, n * sizeof *y);
    for (size_t k = 0, fresh = 1; k < n;) {
        if (fresh) {
            double s = 0;
            for (size_t i = 0; i < n; i++)
                s += (double)p[i * c + (size_t)label[i]];
            stat[0] = count == 0 ? s : stat[0];
            sum += s - stat[0];
            square += (s - stat[0]) * (s - stat[0]);
            count++;
        }
        fresh = state[k] < k;
        if (fresh) {
            size_t other = k % 2 == 0 ? 0 : state[k];
            int t = label[other];
            label[other] = label[k];
            label[k] = t;
            state[k]++;
            k = 0;
        } else {
            state[k++] = 0;
        }
    }
    stat[1] = stat[0] + sum / (double)count;
    stat[2] = sqrt(square / (double)count -
                   sum / (double)count * (sum / (double)count));
}

/* The header's definition by brute force: all permutations within each half,
 * whose deviations add, the halves having learned from one another. */
TEST evidence_is_that_of_all_permutations(void)
{
    for (uint64_t seed = 1; seed <= 12; seed++) {
        static mtc_real p[MAX_N * 8];
        size_t c = 2 + seed % 3, n = 8 + seed % 5;
        mtc_ttl_options o = mtc_ttl_defaults();
        mtc_ttl_result r;
        double above = 0, deviation = 0;
        draw_triple(seed, c, n, 40, .3, .3 + .1 * (double)(seed % 4));
        held_out(c, source.y, p);
        for (size_t half = 0; half < 2; half++) {
            mtc_real part[8 * 8];
            int label[8];
            double stat[3];
            size_t m = 0;
            for (size_t i = 0; i < n; i++)
                if (half_of(i) == half) {
                    memcpy(part + m * c, p + i * c, c * sizeof *p);
                    label[m++] = source.y[i];
                }
            ASSERT(m >= 2 && m <= 8);
            permute_all(m, c, part, label, stat);
            above += stat[0] - stat[1];
            deviation += stat[2];
        }
        o.classes = c;
        o.sweeps = 2;
        o.start = seed % 2 ? MTC_TTL_INFORMED : MTC_TTL_RANDOM;
        ASSERT_EQ(MTC_OK, run_triple(&o, source.y, 1, &r));
        ASSERT_IN_RANGE(above / deviation, (double)r.evidence,
                        (double)TOL(1e-6) * (1 + fabs(above / deviation)));
        ASSERT_EQ(0, r.untaught);                   /* too small to judge */
        drop(&r);
        o.evidence = 0;
        ASSERT_EQ(MTC_OK, run_triple(&o, source.y, 1, &r));
        ASSERT(r.evidence == 0);
        drop(&r);
    }
    PASS();
}

static void shuffle(mtc_random *rng, size_t n, int *labels)
{
    for (size_t i = n - 1; i > 0; i--) {
        size_t k = mtc_random_below(rng, i + 1);
        int t = labels[i];
        labels[i] = labels[k];
        labels[k] = t;
    }
}

/* The answer is the source's shares, everywhere, and its largest class. */
static enum greatest_test_res is_untaught(const mtc_ttl_result *r, size_t c,
                                          const int *labels)
{
    mtc_context ctx = test_context();
    static int fresh[MAX_N];
    size_t n = source.csr.n, count[8] = {0}, most = 0;
    for (size_t i = 0; i < n; i++)
        count[labels[i]]++;
    for (size_t z = 1; z < c; z++)
        most = count[z] > count[most] ? z : most;
    ASSERT_EQ(1, r->untaught);
    ASSERT_EQ(0, r->sweeps);
    ASSERT_EQ(1, r->k_effective);
    for (size_t i = 0; i < r->n; i++) {
        ASSERT_EQ((int)most, r->labels[i]);
        for (size_t z = 0; z < c; z++)
            ASSERT_IN_RANGE((double)count[z] / (double)n,
                            (double)r->target[i * c + z], (double)TOL(1e-12));
    }
    ASSERT_EQ((int)most, r->bridge_labels[0][0]);
    ASSERT_EQ(MTC_OK, mtc_ttl_assign(&ctx, &target.csr, r, fresh));
    for (size_t i = 0; i < r->n; i++)
        ASSERT_EQ((int)most, fresh[i]);
    PASS();
}

/* Each single run, not their mean: with shuffled labels the answer is one
 * class (of chance accuracy), with the true ones it is right and the same as
 * without a test.  A shuffle passes the test in one case of a hundred at
 * most, so that two of the 60 may. */
TEST shuffled_labels_teach_nothing_in_any_run(void)
{
    size_t passed = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        static int labels[MAX_N], without[MAX_N];
        size_t c = seed % 3 == 0 ? 3 : 2, n = 90;
        mtc_random rng = mtc_random_seed(seed);
        mtc_ttl_options o = mtc_ttl_defaults();
        mtc_ttl_result r;
        draw_triple(seed, c, n, 120, .2, .4);
        o.classes = c;
        o.start = seed % 4 == 0 ? MTC_TTL_RANDOM : MTC_TTL_INFORMED;
        ASSERT_EQ(MTC_OK, run_triple(&o, source.y, seed, &r));
        ASSERT_EQ(0, r.untaught);
        ASSERT(r.evidence > 4);
        ASSERT(o.start == MTC_TTL_RANDOM ||
               accuracy(r.labels, target.y, r.n) > .85);
        memcpy(without, r.labels, r.n * sizeof *without);
        drop(&r);
        o.evidence = 0;
        ASSERT_EQ(MTC_OK, run_triple(&o, source.y, seed, &r));
        ASSERT_MEM_EQ(without, r.labels, r.n * sizeof *without);
        drop(&r);
        o.evidence = mtc_ttl_defaults().evidence;
        memcpy(labels, source.y, n * sizeof *labels);
        for (size_t k = 0; k < 5; k++) {
            shuffle(&rng, n, labels);
            labels[0] = k % 2 == 0 ? 1 : 0;         /* shares not all equal */
            ASSERT_EQ(MTC_OK, run_triple(&o, labels, seed, &r));
            passed += !r.untaught;
            if (r.untaught)
                CHECK_CALL(is_untaught(&r, c, labels));
            drop(&r);
        }
    }
    ASSERT(passed <= 2);
    PASS();
}

/* A source whose rows are all alike has no evidence at all; it counts from
 * 40 rows on, 10 in each of two classes, and only if nobody gives a start
 * and the variant is not the published one. */
TEST small_sources_and_given_starts_are_not_judged(void)
{
    static const size_t sizes[4][3] = {{40, 10, 1}, {39, 10, 0}, {40, 9, 0},
                                       {60, 30, 1}};
    for (size_t k = 0; k < 4; k++) {
        mtc_ttl_options o = mtc_ttl_defaults();
        mtc_ttl_result r;
        size_t n = sizes[k][0];
        draw_triple(3, 2, n, 40, .3, .5);
        for (size_t e = 0; e < n * 40; e++)
            source.x[e] = (mtc_real)(e % 40 % 2 == 0);
        view_of(&source, n, 40);
        for (size_t i = 0; i < n; i++)              /* few in every place */
            source.y[i] = i * sizes[k][1] / n != (i + 1) * sizes[k][1] / n;
        o.sweeps = 4;
        ASSERT_EQ(MTC_OK, run_triple(&o, source.y, 1, &r));
        ASSERT(r.evidence == 0);
        ASSERT_EQ((int)sizes[k][2], r.untaught);
        drop(&r);
        o.start_labels = target.y;
        ASSERT_EQ(MTC_OK, run_triple(&o, source.y, 1, &r));
        ASSERT_EQ(0, r.untaught);
        drop(&r);
        o.start_labels = NULL;
        o.variant = MTC_TTL_PUBLISHED;
        ASSERT_EQ(MTC_OK, run_triple(&o, source.y, 1, &r));
        ASSERT_EQ(0, r.untaught);
        ASSERT_EQ(4, r.sweeps);
        drop(&r);
        o.evidence = -1;
        ASSERT_EQ(MTC_INVALID, run_triple(&o, source.y, 1, &r));
    }
    PASS();
}

/* ---- service ----------------------------------------------------------- */

TEST new_samples_are_labelled_like_those_of_the_run(void)
{
    mtc_context ctx = test_context();
    mtc_ttl_options o = mtc_ttl_defaults();
    mtc_ttl_result r;
    static int labels[MAX_N];
    draw_triple(5, 3, 90, 160, .2, .5);
    o.classes = 3;
    ASSERT_EQ(MTC_OK, run_triple(&o, source.y, 1, &r));
    ASSERT_EQ(MTC_OK, mtc_ttl_assign(&ctx, &target.csr, &r, labels));
    ASSERT(accuracy(labels, r.labels, r.n) > .95);
    ttl_world w = {160, 3, .2, .5, 5};
    draw_domain(&w, 2, 90, 99, &target);            /* fresh texts */
    ASSERT_EQ(MTC_OK, mtc_ttl_assign(&ctx, &target.dense, &r, labels));
    ASSERT(accuracy(labels, target.y, 90) > .9);
    ASSERT_EQ(MTC_INVALID, mtc_ttl_assign(&ctx, &(mtc_data){0}, &r, labels));
    drop(&r);
    PASS();
}

/* Source in words, target in other words of another number; the bridge has
 * both.  And two bridges at once. */
TEST two_views_and_several_bridges_carry_labels(void)
{
    mtc_context ctx = test_context();
    mtc_ttl_options o = mtc_ttl_defaults();
    mtc_ttl_result r;
    const int *labels = source.y;
    ttl_world text = {120, 2, .2, .5, 8}, image = {70, 2, .1, .5, 9};
    draw_domain(&text, 0, 80, 1, &source);
    draw_domain(&text, 1, 80, 2, &bridge);
    draw_domain(&image, 1, 80, 3, &second);         /* same classes by row */
    draw_domain(&image, 2, 70, 4, &target);
    ASSERT_EQ(MTC_OK, mtc_ttl(&ctx, &source.csr, &labels, 1, &bridge.dense,
                              &second.csr, 1, &target.csr, &o, &r));
    ASSERT(accuracy(r.labels, target.y, r.n) > .9);
    ASSERT_EQ(70, r.d);
    mtc_ttl_free(&ctx, &r);

    draw_triple(6, 2, 60, 120, .3, .5);
    ttl_world w = {120, 2, .3, .5, 6};
    draw_domain(&w, 1, 40, 77, &second);
    mtc_data both[2] = {bridge.csr, second.csr};
    ASSERT_EQ(MTC_OK, mtc_ttl(&ctx, &source.csr, &labels, 1, both, NULL, 2,
                              &target.csr, &o, &r));
    ASSERT_EQ(2, r.bridges);
    ASSERT(accuracy(r.labels, target.y, r.n) > .9);
    ASSERT(accuracy(r.bridge_labels[1], second.y, 40) > .9);
    mtc_ttl_free(&ctx, &r);
    PASS();
}

TEST odd_data_are_served_or_refused_with_a_reason(void)
{
    mtc_context ctx = test_context();
    mtc_ttl_options o = mtc_ttl_defaults();
    mtc_ttl_result r;
    const int *labels = source.y;
    draw_triple(7, 2, 30, 40, .3, .5);
    o.sweeps = 10;
    bridge.x[5 * 40 + 3] = -1;
    ASSERT_EQ(MTC_DOMAIN, mtc_ttl(&ctx, &source.csr, &labels, 1,
                                  &bridge.dense, NULL, 1, &target.csr, &o,
                                  &r));
    ASSERT_EQ(1, ctx.error.task);
    ASSERT_EQ(5, ctx.error.row);
    ASSERT_EQ(3, ctx.error.column);
    for (size_t i = 0; i < 33 * 40; i++)            /* odd words alone: */
        bridge.x[i] = (mtc_real)(i % 40 % 2 == 1);  /* none of the source */
    ASSERT_EQ(MTC_INVALID, mtc_ttl(&ctx, &source.csr, &labels, 1,
                                   &bridge.dense, NULL, 1, &target.csr, &o,
                                   &r));
    ASSERT_EQ(1, ctx.error.task);
    ASSERT(strstr(ctx.error.what, "source") != NULL);
    for (size_t i = 0; i < 33 * 40; i++)
        bridge.x[i] = i % 40 % 2 == 0 ? 1 : 0;
    ASSERT_EQ(MTC_INVALID, mtc_ttl(&ctx, &source.csr, &labels, 1,
                                   &bridge.dense, NULL, 1, &target.csr, &o,
                                   &r));
    ASSERT(strstr(ctx.error.what, "target") != NULL);

    draw_triple(7, 2, 30, 40, .3, .5);
    o.classes = 4;                                  /* two have no samples */
    memset(target.x, 0, 40 * sizeof *target.x);     /* a text of no words */
    ASSERT_EQ(MTC_OK, mtc_ttl(&ctx, &source.csr, &labels, 1, &bridge.csr,
                              NULL, 1, &target.dense, &o, &r));
    ASSERT_EQ(0, r.labels[0]);
    ASSERT_IN_RANGE(.25, (double)r.target[2], (double)TOL(1e-12));
    ASSERT(r.k_effective >= 1 && r.k_effective <= 4);
    mtc_ttl_free(&ctx, &r);
    o.classes = 1;
    memset(source.y, 0, sizeof source.y);
    ASSERT_EQ(MTC_OK, run_triple(&o, source.y, 1, &r));
    drop(&r);
    PASS();
}

TEST options_out_of_range_are_refused(void)
{
    mtc_ttl_options o = mtc_ttl_defaults();
    mtc_ttl_result r;
    draw_triple(7, 2, 30, 40, .3, .5);
    o.common = 31;
    ASSERT_EQ(MTC_INVALID, run_triple(&o, source.y, 1, &r));
    o.common = 0;
    ASSERT_EQ(MTC_INVALID, run_triple(&o, source.y, 1, &r));
    o = mtc_ttl_defaults();
    o.tie = -1;
    ASSERT_EQ(MTC_INVALID, run_triple(&o, source.y, 1, &r));
    o = mtc_ttl_defaults();
    o.start_labels = target.y;
    target.y[3] = 2;
    ASSERT_EQ(MTC_INVALID, run_triple(&o, source.y, 1, &r));
    o = mtc_ttl_defaults();
    o.features = o.common = 2;                      /* nothing own: fine */
    o.sweeps = 0;
    ASSERT_EQ(MTC_OK, run_triple(&o, source.y, 1, &r));
    ASSERT_EQ(0, r.sweeps);
    drop(&r);
    o.sweeps = 7;
    o.warm = SIZE_MAX;
    o.chain = SIZE_MAX;
    ASSERT_EQ(MTC_OK, run_triple(&o, source.y, 1, &r));
    drop(&r);
    o = mtc_ttl_defaults();
    o.tolerance = (mtc_real)1e-2;
    ASSERT_EQ(MTC_OK, run_triple(&o, source.y, 1, &r));
    ASSERT(r.converged && r.sweeps < 100);
    drop(&r);
    PASS();
}

/* ---- choosing a bridge ------------------------------------------------- */

/* A domain with weight `even` and `odd` on the two halves of the words, of
 * the classes' topics or of others. */
static void draw_kind(uint64_t seed, uint64_t id, double even, double odd,
                      int related, ttl_view *v)
{
    enum { WORDS = 120, TEXTS = 60 };
    static double share[2][WORDS];
    ttl_world w = {WORDS, 2, 0, 0, seed};
    mtc_random r = mtc_random_seed(seed * 31 + id);
    for (size_t z = 0; z < 2; z++) {
        double sum = 0;
        for (size_t e = 0; e < WORDS; e++)
            share[z][e] = sum +=
                (e % 2 == 0 ? even : odd) *
                (3 * topic(&w, related ? z : 50 + 10 * id + z, e) + .5);
    }
    memset(v->x, 0, TEXTS * WORDS * sizeof *v->x);
    for (size_t i = 0; i < TEXTS; i++) {
        v->y[i] = (int)(i % 2);
        for (size_t k = 0; k < 20; k++) {
            double at = (double)mtc_random_real(&r) * share[i % 2][WORDS - 1];
            size_t e = 0;
            while (e + 1 < WORDS && share[i % 2][e] <= at)
                e++;
            v->x[i * WORDS + e] += 1;
        }
    }
    view_of(v, TEXTS, WORDS);
}

enum { WORLDS = 32 };
typedef mtc_real world_features[4][MTC_BRIDGE_FEATURES];

/* A score fitted on 16 worlds, and what it says in 16 others of the first k
 * candidates: share told right, share of worlds with the bridge first.  NULL
 * model: the rule. */
static void judge(const world_features *f, size_t k, mtc_bridge_model *model,
                  double *right, double *first)
{
    static mtc_real some[WORLDS / 2 * 4][MTC_BRIDGE_FEATURES];
    static int helps[WORLDS / 2 * 4];
    mtc_context ctx = test_context();
    *right = *first = 0;
    for (size_t i = 0; i < WORLDS / 2 * k; i++) {
        memcpy(some[i], f[i / k][i % k], sizeof some[i]);
        helps[i] = i % k == 0;
    }
    if (model != NULL &&
        mtc_bridge_fit(&ctx, WORLDS / 2 * k, some[0], helps, MTC_BRIDGE_LINKS,
                       (mtc_real)1e-3, model) != MTC_OK)
        return;
    for (size_t w = WORLDS / 2; w < WORLDS; w++) {
        mtc_real best = -1;
        size_t pick = 0;
        for (size_t i = 0; i < k; i++) {
            mtc_real score = mtc_bridge_score(model, f[w][i]);
            *right += ((score > (mtc_real)0.5) == (i == 0)) /
                      (double)(WORLDS / 2 * k);
            if (score > best) {
                best = score;
                pick = i;
            }
        }
        *first += (pick == 0) / (double)(WORLDS / 2);
    }
}

/* A bridge beside a domain of other classes, then also beside one near the
 * source and one near the target. */
TEST bridges_are_ranked_on_worlds_not_fitted_on(void)
{
    static world_features features[WORLDS];
    mtc_context ctx = test_context();
    mtc_bridge_model model;
    for (size_t w = 0; w < WORLDS; w++) {
        static const double kind[4][3] = {
            {1, .8, 1}, {1, .8, 0}, {1, .08, 1}, {.08, 1, 1}};
        draw_kind(w + 1, 8, 1, .03, 1, &source);
        draw_kind(w + 1, 9, .03, 1, 1, &target);
        for (size_t k = 0; k < 4; k++) {
            draw_kind(w + 1, k, kind[k][0], kind[k][1], kind[k][2] > 0,
                      &bridge);
            ASSERT_EQ(MTC_OK, mtc_bridge_features(&ctx, &source.csr,
                                                  &bridge.csr, &target.csr,
                                                  features[w][k]));
        }
    }
    for (size_t k = 2; k <= 4; k += 2) {
        double right, first;
        judge((const world_features *)features, k, &model, &right, &first);
        ASSERT(right > (k == 2 ? .8 : .88));        /* majority: .5, .75 */
        ASSERT(first > .85);                        /* chance: .5, .25 */
        judge((const world_features *)features, k, NULL, &right, &first);
        ASSERT(first > .8);
    }
    PASS();
}

/* Outcomes by label propagation where source and target share no word: by the
 * bridge the classes arrive, by another data set they do not.  (What arrives
 * directly hangs on rounding: nothing tells the classes apart.) */
TEST propagation_arrives_by_a_bridge_and_not_by_others(void)
{
    mtc_context ctx = test_context();
    double bridged[2] = {0, 0};
    for (size_t w = 0; w < 8; w++) {
        draw_kind(w + 1, 8, 1, 0, 1, &source);
        draw_kind(w + 1, 9, 0, 1, 1, &target);
        for (size_t k = 0; k < 2; k++) {
            mtc_bridge_gain out;
            draw_kind(w + 1, k, 1, .8, k == 0, &bridge);
            ASSERT_EQ(MTC_OK, mtc_bridge_try(&ctx, &source.csr, source.y,
                                             &bridge.dense, &target.csr,
                                             target.y, 2, (mtc_real)12.5,
                                             &out));
            bridged[k] += (double)out.bridged / 8;
            ASSERT_EQ(out.bridged > (mtc_real)1.03 * out.direct, out.helps);
        }
    }
    ASSERT(bridged[0] > .9);
    ASSERT(bridged[1] < .7);
    PASS();
}

#define MANY_DRAWS(test)                                                      \
    do {                                                                      \
        if (TEST_FEWER == 1)                                                  \
            RUN_TEST(test);                                                   \
    } while (0)

SUITE(ttl_suite)
{
    RUN_TEST(ttl_follows_worked_cases);
    RUN_TEST(bridge_score_follows_worked_case);
    RUN_TEST(bridge_score_by_links_is_stationary);
    RUN_TEST(bridge_complexity_follows_worked_case);
    RUN_TEST(bridge_propagation_follows_worked_case);
    RUN_TEST(objective_is_what_the_header_says);
    RUN_TEST(a_leg_ends_when_its_own_part_stands_still);
    RUN_TEST(every_block_descends_and_scaling_F_costs_nothing);
    RUN_TEST(normalising_as_printed_makes_the_objective_jump);
    RUN_TEST(csr_and_dense_agree_and_a_source_may_come_in_parts);
    MANY_DRAWS(repaired_answer_follows_the_labels_from_any_start);
    MANY_DRAWS(default_is_better_than_published_on_shifted_triples);
    MANY_DRAWS(only_the_repaired_objective_prefers_the_right_classes);
    RUN_TEST(target_starts_from_the_samples_that_leg_0_agrees_on);
    RUN_TEST(evidence_is_that_of_all_permutations);
    MANY_DRAWS(shuffled_labels_teach_nothing_in_any_run);
    RUN_TEST(small_sources_and_given_starts_are_not_judged);
    RUN_TEST(new_samples_are_labelled_like_those_of_the_run);
    RUN_TEST(two_views_and_several_bridges_carry_labels);
    RUN_TEST(odd_data_are_served_or_refused_with_a_reason);
    RUN_TEST(options_out_of_range_are_refused);
    MANY_DRAWS(bridges_are_ranked_on_worlds_not_fitted_on);
    RUN_TEST(propagation_arrives_by_a_bridge_and_not_by_others);
}
