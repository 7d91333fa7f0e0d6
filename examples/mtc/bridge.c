/* SPDX-License-Identifier: MIT
 *
 * bridge.c - the command bridge: ranks intermediate domains
 */
#include "job.h"

#include <stdlib.h>
#include <string.h>

#include "../compared/compared.h"

/* A domain that may stand between source and target. */
typedef struct candidate {
    const char *name;
    double score;
    mtc_real features[MTC_BRIDGE_FEATURES];
    cmp_bridge_gain gain;           /* of --try */
} candidate;

/* A run of `mtc bridge`: its candidates, and what the score was fitted to. */
typedef struct ranking {
    const settings *set;
    size_t n, n_triples;            /* triples 0: score by the rule */
    candidate *c;                   /* [n] */
    mtc_real *features;             /* [n_triples*6] */
    int *helps;                     /* [n_triples] */
    mtc_bridge_model model;
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

/* The rows of one file of --triples go behind those there are. */
static void add_triples(app *a, ranking *r, const char *path)
{
    const size_t q = MTC_BRIDGE_FEATURES;
    task t = read_matrix(a, path);
    size_t n = r->n_triples + t.n;
    mtc_real *features = TAKE(a, n * q, mtc_real);
    int *helps = TAKE(a, n, int);
    if (t.n == 0 || t.d != q + 1)
        fail(a, BAD_DATA, "%s: %zu lines of %zu numbers; needed are seven in a "
             "line, six features and the outcome", path, t.n, t.d);
    if (r->n_triples > 0) {
        memcpy(features, r->features, r->n_triples * q * sizeof *features);
        memcpy(helps, r->helps, r->n_triples * sizeof *helps);
    }
    for (size_t i = 0; i < t.n; i++) {
        mtc_real last = t.values[i * t.d + q];
        if (last != 0 && last != 1)
            fail(a, BAD_DATA, "%s: triple %zu ends with %g, neither 0 nor 1",
                 path, i + 1, (double)last);
        helps[r->n_triples + i] = last > 0;
        memcpy(features + (r->n_triples + i) * q, t.values + i * t.d,
               q * sizeof *features);
    }
    r->features = features;
    r->helps = helps;
    r->n_triples = n;
}

/* The score by the files of --triples. */
static void fit_triples(app *a, mtc_context *ctx, ranking *r)
{
    const settings *set = r->set;
    size_t good = 0;
    for (size_t i = 0; i < set->triples.n; i++)
        add_triples(a, r, set->triples.at[i]);
    for (size_t i = 0; i < r->n_triples; i++)
        good += r->helps[i] > 0;
    if (good == 0 || good == r->n_triples)
        fail(a, BAD_DATA, "--triples: %s of the %zu helped; needed are both "
             "kinds", good == 0 ? "none" : "all", r->n_triples);
    check(a, ctx, mtc_bridge_fit(ctx, r->n_triples, r->features, r->helps,
                                 is(set->form, "links") ? MTC_BRIDGE_LINKS
                                                        : MTC_BRIDGE_LINEAR,
                                 (mtc_real)set->ridge, &r->model),
          "--triples");
}

static void print_candidates(app *a, const ranking *r, int width)
{
    const candidate *c = r->c;
    int tried = r->set->try_out;
    text t = {NULL, 0, 0};
    width = width < 9 ? 9 : width;
    put(a, &t, "%-*s  score   complexity of          A-distance%s\n"
        "%-*s          source bridge target  s-bridge   s-t  bridge-t%s\n",
        width, "candidate", tried ? "             target right" : "",
        width, "", tried ? "  direct bridged" : "");
    for (size_t i = 0; i < r->n; i++) {
        const char *name = visible(a, c[i].name);
        put(a, &t, "%-*s %6.3f ", padded(name, width), name, c[i].score);
        for (size_t q = 0; q < MTC_BRIDGE_FEATURES; q++)
            put(a, &t, q < 3 ? " %6.3f" : q == 3 ? "    %6.3f" : q == 4
                ? " %6.3f" : "    %6.3f", (double)c[i].features[q]);
        if (tried)
            put(a, &t, "  %6.3f  %6.3f%s", (double)c[i].gain.direct,
                (double)c[i].gain.bridged, c[i].gain.helps ? "  helps" : "");
        put(a, &t, "\n");
    }
    if (r->n_triples > 0)
        put(a, &t, "score: chance to help, fitted to %zu triples\n",
            r->n_triples);
    save(a, "-", &t);
}

/* How the score came about. */
static void json_model(app *a, text *t, const ranking *r)
{
    mtc_real *scores = TAKE(a, r->n_triples, mtc_real);
    for (size_t i = 0; i < r->n_triples; i++)
        scores[i] = mtc_bridge_score(&r->model,
                                     r->features + i * MTC_BRIDGE_FEATURES);
    put(a, t, ",\n  \"model\": {\"form\": \"%s\", \"ridge\": ", r->set->form);
    put_real(a, t, r->set->ridge);
    put(a, t, ", \"bias\": ");
    put_real(a, t, (double)r->model.bias);
    put(a, t, ", \"weights\": ");
    put_reals(a, t, MTC_BRIDGE_FEATURES, r->model.weight);
    put(a, t, ", \"link\": ");
    put_real(a, t, (double)r->model.link);
    put(a, t, ",\n    \"triples\": %zu, \"scores\": ", r->n_triples);
    put_reals(a, t, r->n_triples, scores);
    put(a, t, "}");
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
        put(a, &t, "%s{\"rank\": %zu, \"name\": ",
            i == 0 ? "\n    " : ",\n    ", i + 1);
        put_escaped(a, &t, c->name, 0);
        put(a, &t, ", \"score\": ");
        put_real(a, &t, c->score);
        put(a, &t, ", \"features\": ");
        put_reals(a, &t, MTC_BRIDGE_FEATURES, c->features);
        if (r->set->try_out)
            put(a, &t, ", \"direct\": %.17g, \"bridged\": %.17g, \"helps\": %s",
                (double)c->gain.direct, (double)c->gain.bridged,
                c->gain.helps ? "true" : "false");
        put(a, &t, "}");
    }
    put(a, &t, "]");
    if (r->n_triples > 0)
        json_model(a, &t, r);
    put(a, &t, "\n}\n");
    save(a, r->set->json, &t);
}

/* The candidates with their outcomes, as --triples reads them. */
static void write_triples(app *a, const ranking *r)
{
    text t = {NULL, 0, 0};
    for (size_t q = 0; q < MTC_BRIDGE_FEATURES; q++)
        put(a, &t, "%s,", feature_names[q]);
    put(a, &t, "helps\n");
    for (size_t i = 0; i < r->n; i++) {
        for (size_t q = 0; q < MTC_BRIDGE_FEATURES; q++)
            put(a, &t, "%.17g,", (double)r->c[i].features[q]);
        put(a, &t, "%d\n", r->c[i].gain.helps);
    }
    save_directory(a, r->set->out);
    save(a, join_path(a, r->set->out, "triples", ".csv"), &t);
}

/* Labels of source and target as --try needs them: the source's classes are
 * 0, 1, ..., a class of the target that it has not is one more. */
static size_t try_classes(app *a, task *source, task *target)
{
    report r;
    size_t n = 0;
    memset(&r, 0, sizeof r);
    if (source->truth == NULL || target->truth == NULL)
        fail(a, BAD_DATA, "%s: --try needs labels", source->truth == NULL
             ? source->file : target->file);
    tasks one = {1, source->d, source->d, source, NULL};
    task pool = stack_tasks(a, &one);
    map_classes(a, &one, &pool, target, &r);
    for (size_t i = 0; i < target->n; i++)
        n = (size_t)target->truth[i] >= n ? (size_t)target->truth[i] + 1 : n;
    return n > r.n_classes ? n : r.n_classes;
}

/* What all candidates are tried on. */
typedef struct span {
    const ranking *r;
    const task *from, *to, *between;    /* between [r->n] */
    size_t classes;
} span;

/* Ends the program unless s is OK; names the file that is at fault. */
static void check_span(app *a, const span *p, const mtc_context *ctx,
                       mtc_status s, size_t i)
{
    const task *sets[3] = {p->from, &p->between[i], p->to};
    size_t blamed = ctx->error.task;
    check(a, ctx, s, blamed == 0 || blamed == 2 ? sets[blamed]->file
                                                : p->r->c[i].name);
}

/* Piece i: the features of candidate i, and what it is worth. */
static void try_candidate(app *a, void *of, size_t i)
{
    const span *s = (const span *)of;
    const settings *set = s->r->set;
    candidate *c = &s->r->c[i];
    mtc_context ctx = context_of(a, 1);
    mtc_data S = view_of(s->from), T = view_of(s->to);
    mtc_data X = view_of(&s->between[i]);
    check_span(a, s, &ctx, mtc_bridge_features(&ctx, &S, &X, &T, c->features),
               i);
    if (set->try_out)
        check_span(a, s, &ctx,
                   cmp_bridge_try(&ctx, &S, s->from->truth, &X, &T,
                                  s->to->truth, s->classes,
                                  (mtc_real)set->gamma, &c->gain), i);
}

static void settle_bridge(app *a, const settings *set)
{
    if (set->origin == NULL || set->target == NULL)
        fail(a, BAD_USAGE, "%s FILE is missing",
             set->origin == NULL ? "--source" : "--target");
    if (set->out != NULL && !set->try_out)
        fail(a, BAD_USAGE, "--out goes with --try");
}

/* mtc bridge --source FILE --target FILE CANDIDATE... */
void run_bridge(app *a, int argc, char **argv)
{
    settings set;
    ranking r;
    words files = parse_args(a, "bridge", BRIDGE_OPTIONS, argc, argv, &set);
    need_operands(a, &files, 1, SIZE_MAX, "one CANDIDATE file or more");
    settle_bridge(a, &set);
    memset(&r, 0, sizeof r);
    r.set = &set;
    r.n = files.n;
    r.c = TAKE(a, r.n, candidate);
    mtc_context ctx = context_of(a, 1);
    if (set.triples.n > 0)
        fit_triples(a, &ctx, &r);
    add_file(a, &files, set.origin);
    add_file(a, &files, set.target);
    tasks all = load_space(a, &set, &files, 0, 0);
    task *from = &all.at[r.n], *to = &all.at[r.n + 1];
    span s = {&r, from, to, all.at,
              set.try_out ? try_classes(a, from, to) : 0};
    for (size_t i = 0; i < r.n; i++)
        r.c[i].name = all.at[i].name;
    run_pieces(a, set.jobs, r.n, try_candidate, &s);
    for (size_t i = 0; i < r.n; i++)
        r.c[i].score = (double)mtc_bridge_score(
            r.n_triples > 0 ? &r.model : NULL, r.c[i].features);
    qsort(r.c, r.n, sizeof *r.c, compare_candidates);
    wipe_progress(a);
    if (set.out != NULL)
        write_triples(a, &r);
    if (set.json != NULL)
        json_candidates(a, &r);
    if (!set.quiet && !is(set.json, "-"))
        print_candidates(a, &r, name_width(&all));
}
