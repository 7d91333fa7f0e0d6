/* SPDX-License-Identifier: MIT
 *
 * ttl_experiment.c - the experiments of Tan et al., KDD 2015, again: the method
 * itself, on generated data.
 *
 *     build/ttl_experiment [--markdown] [- PART...]
 *
 * The parts:
 *   labels      what carries the labels: the variants, with and without weights
 *   triples     triples that had no part in the choice of the defaults, all
 *               methods, and the default paired with the published form
 *   shuffled    shuffled labels, run by run
 *   choosing    choosing a bridge: fitted on some triples, tried on others, and
 *               the rule for when there is nothing to fit on
 */
#include "triple.h"
#include "../compared/compared.h"

/* ---- what carries the labels ---------------------------------------- */

typedef struct candidate {
    const char *name;
    mtc_ttl_variant variant;
    size_t own;
    mtc_ttl_weights weights;
} candidate;

static const candidate candidates[] = {
    {"published, p2 = 15", MTC_TTL_PUBLISHED, 15, MTC_TTL_WEIGHTS_NONE},
    {"published, p2 = 1", MTC_TTL_PUBLISHED, 1, MTC_TTL_WEIGHTS_NONE},
    {"published, p2 = 0", MTC_TTL_PUBLISHED, 0, MTC_TTL_WEIGHTS_NONE},
    {"published, idf", MTC_TTL_PUBLISHED, 15, MTC_TTL_WEIGHTS_IDF},
    {"repaired, p2 = 15", MTC_TTL_REPAIRED, 15, MTC_TTL_WEIGHTS_NONE},
    {"repaired, p2 = 1", MTC_TTL_REPAIRED, 1, MTC_TTL_WEIGHTS_NONE},
    {"repaired, idf", MTC_TTL_REPAIRED, 15, MTC_TTL_WEIGHTS_IDF}
};
enum { CANDIDATES = sizeof candidates / sizeof *candidates, LABEL_RUNS = 8 };

/* Shift and strength of the topics. */
static const double label_setting[4][2] = {{0, .3}, {.5, .3}, {.7, .3},
                                           {.5, .2}};

/* Accuracy from a random start, how much of it follows when the labels of the
 * source are flipped (same start), accuracy from the informed start.  Run i:
 * setting i / LABEL_RUNS. */
static void try_candidate(const void *of, size_t i, double *out)
{
    const candidate *c = (const candidate *)of;
    const double *shift = label_setting[i / LABEL_RUNS];
    uint64_t run = i % LABEL_RUNS + 1;
    mtc_ttl_options o = mtc_ttl_defaults();
    world w = {300, 2, 40, shift[0], shift[1], 0, run};
    triple x = draw_triple(&w, 150);
    size_t n = x.t.X.n;
    int *flip = ex_grow(NULL, x.s.X.n, sizeof *flip);
    int *a = ex_grow(NULL, n, sizeof *a), *b = ex_grow(NULL, n, sizeof *b);
    o.variant = c->variant;
    o.features = o.common + c->own;
    o.feature_weights = c->weights;
    for (size_t j = 0; j < x.s.X.n; j++)
        flip[j] = 1 - x.s.labels[j];
    o.start = MTC_TTL_START_RANDOM;
    out[0] = by_ttl(&x, NULL, x.s.labels, &o, run, a);
    by_ttl(&x, NULL, flip, &o, run, b);
    out[1] = 1 - right_share(n, a, b);
    o.start = MTC_TTL_START_INFORMED;
    out[2] = by_ttl(&x, NULL, x.s.labels, &o, run, NULL);
    free(flip);
    free(a);
    free(b);
    free_triple(&x);
}

static void what_carries(const char *dir)
{
    ex_table out = {5, 0, NULL};
    (void)dir;
    ex_cell(&out, "random start, follows a flip, informed start");
    for (size_t s = 0; s < 4; s++)
        ex_cell(&out, "shift %.1f, topics %.1f", label_setting[s][0],
                label_setting[s][1]);
    for (size_t c = 0; c < CANDIDATES; c++) {
        double *all = ex_runs(4 * LABEL_RUNS, 3, try_candidate,
                              &candidates[c]);
        ex_cell(&out, "%s", candidates[c].name);
        for (size_t s = 0; s < 4; s++) {
            double mean[3] = {0, 0, 0};
            for (size_t i = 0; i < LABEL_RUNS; i++)
                for (size_t k = 0; k < 3; k++)
                    mean[k] += all[(s * LABEL_RUNS + i) * 3 + k] / LABEL_RUNS;
            ex_cell(&out, "%.3f, %.3f, %.3f", mean[0], mean[1], mean[2]);
        }
        free(all);
    }
    ex_print(&out);
}

/* ---- fresh triples ------------------------------------------------------- */

enum { FRESH = 40, FRESH_SEED = 920000 };

/* Run i of setting *of: all methods on a triple. */
static void fresh_triple(const void *of, size_t i, double *acc)
{
    size_t k = *(const size_t *)of;
    world w = settings[k].w;
    w.seed = FRESH_SEED + 1000 * k + i + 1;
    triple x = draw_triple(&w, settings[k].n);
    all_methods(&x, NULL, i + 1, acc);
    free_triple(&x);
}

static void triples(const char *dir)
{
    ex_stat all[METHODS] = {{0, 0, 0}}, paired_all[2] = {{0, 0, 0}};
    ex_table out = method_table("generated, 40 draws");
    (void)dir;
    for (size_t k = 0; k < SETTINGS; k++) {
        ex_stat acc[METHODS] = {{0, 0, 0}}, paired[2] = {{0, 0, 0}};
        double *runs = ex_runs(FRESH, METHODS, fresh_triple, &k);
        for (size_t run = 0; run < FRESH; run++) {
            add_run(acc, paired, runs + run * METHODS);
            add_run(all, paired_all, runs + run * METHODS);
        }
        free(runs);
        method_row(&out, settings[k].name, acc, paired);
    }
    method_row(&out, "all", all, paired_all);
    ex_print(&out);
}

/* ---- shuffled labels ------------------------------------------------ */

enum { TRIPLES_OF = 10, SHUFFLES = 3 };

/* Run i of a variant: accuracy on one triple with true labels, then with
 * shuffled ones; and how many of these are away from chance. */
static void shuffle_triple(const void *of, size_t i, double *acc)
{
    world w = settings[i % SETTINGS].w;
    w.seed = 950000 + i;
    triple x = draw_triple(&w, settings[i % SETTINGS].n);
    mtc_random r = mtc_random_seed(i);
    double n = (double)x.t.X.n, p = 1 / (double)w.classes;
    for (size_t q = 0; q <= SHUFFLES; q++) {
        mtc_ttl_options o = mtc_ttl_defaults();
        mtc_ttl_result res;
        const int *labels = x.s.labels;
        o.classes = w.classes;
        o.variant = *(const mtc_ttl_variant *)of;
        ex_try(mtc_ttl(NULL, &x.s.X, &labels, 1, &x.i.X, NULL, 1, &x.t.X, &o,
                       &res), "TTL");
        acc[q] = right_share(x.t.X.n, res.labels, x.t.labels);
        if (q > 0 && fabs(acc[q] - p) > 3 * sqrt(p * (1 - p) / n))
            acc[SHUFFLES + 1]++;
        mtc_free(NULL, &res.block);
        ex_shuffle(&r, x.s.X.n, x.s.labels);
    }
    free_triple(&x);
}

static void shuffled(const char *dir)
{
    static const char *const names[2] = {"repaired", "published"};
    ex_table out = ex_head("accuracy|true labels|shuffled|single runs away "
                           "from chance");
    (void)dir;
    for (int published = 0; published < 2; published++) {
        enum { WIDTH = SHUFFLES + 2 };
        ex_stat with = {0, 0, 0}, without = {0, 0, 0};
        size_t away = 0;
        mtc_ttl_variant variant = published ? MTC_TTL_PUBLISHED
                                            : MTC_TTL_REPAIRED;
        double *all = ex_runs(SETTINGS * TRIPLES_OF, WIDTH, shuffle_triple,
                              &variant);
        for (size_t i = 0; i < SETTINGS * TRIPLES_OF; i++) {
            ex_add(&with, all[i * WIDTH]);
            for (size_t q = 1; q <= SHUFFLES; q++)
                ex_add(&without, all[i * WIDTH + q]);
            away += (size_t)all[i * WIDTH + SHUFFLES + 1];
        }
        free(all);
        ex_cell(&out, "%s", names[published]);
        ex_mean_cell(&out, &with);
        ex_mean_cell(&out, &without);
        ex_cell(&out, "%zu of %.0f", away, without.n);
    }
    ex_print(&out);
}

/* ---- choosing a bridge ---------------------------------------------- */

/* Even words are the source's, odd ones the target's; either has little of the
 * other's.  A candidate has a share of both and the classes' topics or, if
 * unrelated, others. */
typedef struct kind { double source_words, target_words; int related; } kind;

static ex_set draw_kind(const world *w, const kind *k, uint64_t id, size_t n)
{
    double share[MOST_CLASSES][MOST_WORDS];
    for (size_t z = 0; z < w->classes; z++) {
        double sum = 0;
        for (size_t e = 0; e < w->m; e++) {
            double common = topic(w->seed, k->related ? z : 50 + 10 * id + z,
                                  e);
            double own = topic(w->seed, 100 + 10 * id + z, e);
            sum += (e % 2 == 0 ? k->source_words : k->target_words) *
                   (w->strength *
                        ((1 - w->shift) * common + w->shift * own) +
                    (1 - w->strength) * background(w->seed, e));
            share[z][e] = sum;
        }
    }
    return draw_texts(n, w, 1, share, w->seed * 977 + id);
}

enum { CANDIDATE_KINDS = 4, KIND_N = 80 };

/* Source, target and the candidates of one world: features and outcomes.
 * Candidate 0 is a bridge, 1 is near the source, 2 near the target, 3 has
 * all words and other classes. */
static void try_kinds(uint64_t seed, mtc_real *features, int *helps)
{
    mtc_random r = mtc_random_seed(seed);
    double a = 0.5 + 0.5 * (double)mtc_random_real(&r);
    double b = 0.05 + 0.1 * (double)mtc_random_real(&r);
    const kind kinds[CANDIDATE_KINDS + 2] = {
        {1, a, 1}, {1, b, 1}, {b, 1, 1}, {1, a, 0}, {1, .03, 1},
        {.03, 1, 1}};
    world w = {200, 2, 20, .1, .5, 0, seed};
    ex_set s = draw_kind(&w, &kinds[4], 8, KIND_N);
    ex_set t = draw_kind(&w, &kinds[5], 9, KIND_N);
    for (size_t k = 0; k < CANDIDATE_KINDS; k++) {
        cmp_bridge_gain gain;
        ex_set x = draw_kind(&w, &kinds[k], k, KIND_N);
        ex_try(mtc_bridge_features(NULL, &s.X, &x.X, &t.X,
                                   features + k * MTC_BRIDGE_FEATURES),
               "features");
        ex_try(cmp_bridge_try(NULL, &s.X, s.labels, &x.X, &t.X, t.labels, 2,
                              (mtc_real)12.5, &gain), "propagation");
        helps[k] = gain.helps;
        ex_free(&x);
    }
    ex_free(&s);
    ex_free(&t);
}

/* Share of triples right among kinds 0, step, 2 step ..., and of worlds
 * where the bridge has the best score of these. */
static void judge(ex_table *out, const char *name,
                  const mtc_bridge_model *model, size_t worlds, size_t step,
                  const mtc_real *features, const int *helps)
{
    size_t right = 0, positive = 0, all = 0, first = 0;
    for (size_t w = 0; w < worlds; w++) {
        mtc_real best = -1;
        size_t pick = 0;
        for (size_t k = 0; k < CANDIDATE_KINDS; k += step, all++) {
            size_t i = w * CANDIDATE_KINDS + k;
            mtc_real score = mtc_bridge_score(
                model, features + i * MTC_BRIDGE_FEATURES);
            right += (score > (mtc_real)0.5) == helps[i];
            positive += (size_t)helps[i];
            if (score > best) {
                best = score;
                pick = k;
            }
        }
        first += pick == 0;
    }
    double share = (double)positive / (double)all;
    ex_cell(out, "%s", name);
    ex_cell(out, step == 1 ? "four" : "two");
    if (model != NULL)
        ex_cell(out, "%.3f", (double)right / (double)all);
    else
        ex_blank(out);
    ex_cell(out, "%.3f", share > .5 ? share : 1 - share);
    ex_cell(out, "%.3f", (double)first / (double)worlds);
    ex_cell(out, "%.3f", (double)worlds / (double)all);
}

enum { WORLDS = 60, TRIPLES = WORLDS * CANDIDATE_KINDS };

static mtc_bridge_model fit_kinds(size_t step, mtc_bridge_form form,
                                  const mtc_real *features, const int *helps)
{
    static mtc_real some[TRIPLES * MTC_BRIDGE_FEATURES];
    static int outcome[TRIPLES];
    const size_t q = MTC_BRIDGE_FEATURES;
    mtc_bridge_model model;
    size_t n = 0;
    for (size_t i = 0; i < TRIPLES; i++)
        if (i % CANDIDATE_KINDS % step == 0) {
            memcpy(some + n * q, features + i * q, q * sizeof *some);
            outcome[n++] = helps[i];
        }
    ex_try(mtc_bridge_fit(NULL, n, some, outcome, form, (mtc_real)1e-3,
                          &model), "fit");
    return model;
}

/* Share right by one who knows each candidate's kind and nothing else. */
static double knowing_the_kind(size_t step, const int *helps)
{
    double sum = 0, kinds = 0;
    for (size_t k = 0; k < CANDIDATE_KINDS; k += step, kinds++) {
        double share = 0;
        for (size_t w = 0; w < WORLDS; w++)
            share += helps[w * CANDIDATE_KINDS + k] / (double)WORLDS;
        sum += share > .5 ? share : 1 - share;
    }
    return sum / kinds;
}

typedef struct outcomes {
    mtc_real features[2][TRIPLES * MTC_BRIDGE_FEATURES];
    int helps[2][TRIPLES];
} outcomes;

/* Run i: world i % WORLDS of one half; what is found has its own place. */
static void one_world(const void *of, size_t i, double *unused)
{
    outcomes *const *found = (outcomes *const *)of;
    size_t half = i / WORLDS, w = i % WORLDS;
    (void)unused;
    try_kinds(1000 * (half + 1) + w,
              (*found)->features[half] + w * CANDIDATE_KINDS *
                  MTC_BRIDGE_FEATURES,
              (*found)->helps[half] + w * CANDIDATE_KINDS);
}

static void choosing(const char *dir)
{
    static outcomes found;
    outcomes *at = &found;
    mtc_real (*features)[TRIPLES * MTC_BRIDGE_FEATURES] = found.features;
    int (*helps)[TRIPLES] = found.helps;
    ex_table out = ex_head("choosing a bridge|candidates|told right|majority|"
                           "the bridge first|chance");
    (void)dir;
    free(ex_runs(2 * WORLDS, 0, one_world, &at));
    for (int all = 0; all < 2; all++) {
        size_t step = all ? 1 : 3;
        mtc_bridge_model links = fit_kinds(step, MTC_BRIDGE_LINKS, features[0],
                                           helps[0]);
        mtc_bridge_model linear = fit_kinds(step, MTC_BRIDGE_LINEAR,
                                            features[0], helps[0]);
        judge(&out, "links, fitted (ours)", &links, WORLDS, step, features[1],
              helps[1]);
        judge(&out, "linear, fitted (published)", &linear, WORLDS, step,
              features[1], helps[1]);
        judge(&out, "larger distance, not fitted (ours)", NULL, WORLDS, step,
              features[1], helps[1]);
        ex_cell(&out, "who knows the kind");
        ex_cell(&out, step == 1 ? "four" : "two");
        ex_cell(&out, "%.3f", knowing_the_kind(step, helps[1]));
        for (int blank = 0; blank < 3; blank++)
            ex_blank(&out);
    }
    ex_print(&out);
}

int main(int argc, char **argv)
{
    static const ex_part parts[] = {
        {"labels", 0, what_carries}, {"triples", 0, triples},
        {"shuffled", 0, shuffled}, {"choosing", 0, choosing}};
    return ex_main(argc, argv, parts, sizeof parts / sizeof *parts);
}
