/* SPDX-License-Identifier: MIT
 *
 * bridge.c - the command bridge: ranks intermediate domains
 */
#include "../methods/job.h"

#include <stdlib.h>
#include <string.h>

/* A domain that may stand between source and target. */
typedef struct candidate {
    const char *name;
    double score;
    mtc_real features[MTC_BRIDGE_FEATURES];
} candidate;

/* A run of `mtc bridge`: its candidates, and between what they stand. */
typedef struct ranking {
    const settings *set;
    size_t n;
    candidate *c;                   /* [n] */
    const task *from, *to, *between;    /* between [n] */
} ranking;

static const char *const feature_names[MTC_BRIDGE_FEATURES] = {
    "complexity_source",      "complexity_bridge",      "complexity_target",
    "distance_source_bridge", "distance_source_target",
    "distance_bridge_target"};

static int compare_candidates(const void *x, const void *y)
{
    const candidate *a = (const candidate *)x, *b = (const candidate *)y;
    return a->score != b->score ? (a->score < b->score) - (a->score > b->score)
                                : strcmp(a->name, b->name);
}

static void print_candidates(app *a, const ranking *r, int width)
{
    const candidate *c = r->c;
    text t = {NULL, 0, 0};
    width = width < 9 ? 9 : width;
    put(a, &t, "%-*s  score   complexity of          A-distance\n"
        "%-*s          source bridge target  s-bridge   s-t  bridge-t\n",
        width, "candidate", width, "");
    for (size_t i = 0; i < r->n; i++) {
        const char *name = visible(a, c[i].name);
        put(a, &t, "%-*s %6.3f ", padded(name, width), name, c[i].score);
        for (size_t q = 0; q < MTC_BRIDGE_FEATURES; q++)
            put(a, &t, q < 3 ? " %6.3f" : q == 3 ? "    %6.3f" : q == 4
                ? " %6.3f" : "    %6.3f", (double)c[i].features[q]);
        put(a, &t, "\n");
    }
    save(a, "-", &t);
}

static void json_candidates(app *a, const ranking *r)
{
    text t = {NULL, 0, 0};
    json_begin(a, &t);
    put(a, &t, "\"feature_names\": [");
    for (size_t q = 0; q < MTC_BRIDGE_FEATURES; q++)
        put(a, &t, "%s\"%s\"", q == 0 ? "" : q == 3 ? ",\n    " : ", ",
            feature_names[q]);
    put(a, &t, "],\n  \"candidates\": [");
    for (size_t i = 0; i < r->n; i++) {
        const candidate *c = &r->c[i];
        put(a, &t, "%s\n    {\"rank\": %zu, \"name\": %s, \"score\": %s, "
            "\"features\": ", i == 0 ? "" : ",", i + 1, json_text(a, c->name),
            json_real(a, c->score));
        put_reals(a, &t, MTC_BRIDGE_FEATURES, c->features);
        put(a, &t, "}");
    }
    put(a, &t, "]\n}\n");
    save(a, r->set->json, &t);
}

/* Piece i: the features of candidate i, and its score. */
static void try_candidate(app *a, void *of, size_t i)
{
    const ranking *r = (const ranking *)of;
    const task *sets[3] = {r->from, &r->between[i], r->to};
    candidate *c = &r->c[i];
    mtc_context ctx = context_of(a, 1);
    mtc_data S = view_of(sets[0]), X = view_of(sets[1]), T = view_of(sets[2]);
    mtc_status s = mtc_bridge_features(&ctx, &S, &X, &T, c->features);
    size_t blamed = ctx.error.task;
    check(a, &ctx, s, blamed == 0 || blamed == 2 ? sets[blamed]->file
                                                 : c->name);
    c->score = (double)mtc_bridge_score(NULL, c->features);
}

/* mtc bridge --source FILE --target FILE CANDIDATE... */
void run_bridge(app *a, int argc, char **argv)
{
    settings set;
    words files = parse_args(a, "bridge", BRIDGE_OPTIONS, argc, argv, &set);
    need_operands(a, &files, 1, SIZE_MAX, "one CANDIDATE file or more");
    if (set.origin == NULL || set.target == NULL)
        fail(a, BAD_USAGE, "%s FILE is missing",
             set.origin == NULL ? "--source" : "--target");
    ranking r = {.set = &set, .n = files.n, .c = TAKE(a, files.n, candidate)};
    add_name(a, &files, set.origin);
    add_name(a, &files, set.target);
    tasks all = load_space(a, &set, &files, 0, 0, 0);
    r.between = all.at;
    r.from = &all.at[r.n];
    r.to = &all.at[r.n + 1];
    for (size_t i = 0; i < r.n; i++)
        r.c[i].name = all.at[i].name;
    run_pieces(a, set.jobs, r.n, try_candidate, &r);
    qsort(r.c, r.n, sizeof *r.c, compare_candidates);
    wipe_progress(a);
    if (set.json != NULL)
        json_candidates(a, &r);
    if (!set.quiet && !is(set.json, "-"))
        print_candidates(a, &r, name_width(&all));
}
