/* SPDX-License-Identifier: MIT
 *
 * The choice of a bridge: worked cases, stationarity of the score, ranking of
 * bridges in worlds that had no part in the fit.
 */
#include <math.h>

#include "golden/ttl.h"
#include "greatest.h"
#include "test_util.h"
#include "ttl_world.h"

static ttl_view source, bridge, target;

/* ---- worked cases ------------------------------------------------------ */

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
 *   sum -log p + 24 ridge/2 b^2,  b the weight of the standardized t,
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

/* A feature that is the same in all triples has weight 0, however many triples
 * there are; .3 or 0 changes nothing else. */
TEST constant_features_have_no_weight(void)
{
    mtc_context ctx = test_context();
    mtc_real features[24 * MTC_BRIDGE_FEATURES];
    mtc_real many[90 * MTC_BRIDGE_FEATURES];
    int labels[90];
    mtc_bridge_model model[2];
    for (size_t i = 0; i < sizeof features / sizeof *features; i++)
        features[i] = (mtc_real)bridge_features[i];
    for (size_t k = 0; k < 2; k++) {
        for (size_t i = 0; i < 24; i++)
            features[i * MTC_BRIDGE_FEATURES + 1] = (mtc_real)(k == 0 ? .3 : 0);
        ASSERT_EQ(MTC_OK, mtc_bridge_fit(&ctx, 24, features, bridge_labels,
                                         MTC_BRIDGE_LINEAR, (mtc_real)1e-3,
                                         &model[k]));
        ASSERT(model[k].weight[1] == 0);
    }
    ASSERT(model[0].bias == model[1].bias);
    ASSERT_MEM_EQ(model[0].weight, model[1].weight, sizeof model[0].weight);
    test_fill(many, 90 * MTC_BRIDGE_FEATURES, 7, 0, 1);
    for (size_t i = 0; i < 90; i++) {
        labels[i] = i % 3 == 0;
        many[i * MTC_BRIDGE_FEATURES + 1] = (mtc_real)0.7;
        many[i * MTC_BRIDGE_FEATURES + 2] = (mtc_real)0.1;
    }
    for (size_t n = 2; n <= 90; n++) {
        ASSERT_EQ(MTC_OK, mtc_bridge_fit(&ctx, n, many, labels,
                                         MTC_BRIDGE_LINEAR, (mtc_real)1e-3,
                                         &model[0]));
        ASSERT(model[0].weight[1] == 0 && model[0].weight[2] == 0);
    }
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

/* ---- ranking ------------------------------------------------------------ */

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

SUITE(bridge_suite)
{
    RUN_TEST(bridge_score_follows_worked_case);
    RUN_TEST(bridge_score_by_links_is_stationary);
    RUN_TEST(constant_features_have_no_weight);
    RUN_TEST(bridge_complexity_follows_worked_case);
    MANY_DRAWS(bridges_are_ranked_on_worlds_not_fitted_on);
}
