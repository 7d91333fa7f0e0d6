/* SPDX-License-Identifier: MIT
 *
 * ttl_systems.c - the experiments of Tan et al., KDD 2015, again: TTL beside
 * the systems that the paper compares with.
 *
 *     build/ttl_systems [--markdown] [DATA [PART...]]
 *
 * On generated data:
 *   systems     four kinds of triples
 *   views       text to images: a bridge with two views, and some labels of the
 *               target
 * With DATA, which has ttl/NAME.{source,intermediate,target}.svm (counts):
 *   newsgroups  the variants and these systems on the paper's tasks, as far as
 *               they are there
 *   figure4     labels in the bridge, words taken from it
 *   figure5     accuracy by iterations and by the number of factors
 * S-T is from source to target, S-I-T in two stages by way of the bridge, I-T
 * from the bridge.  Accuracies are those of the target, in %; where labels of
 * the target are known, of the others.
 */
#include "triple.h"
#include "../compared/compared.h"

enum { REPEATS = 10 };

/* ---- the systems compared with ------------------------------------------ */

enum { LM_DIRECT, LM_STAGES, TRI_DIRECT, TRI_STAGES, TTL_KIND,
       TTL_ROW = TTL_KIND + TTL_KINDS, CO_TRANSFER, FEW_5,
       KNOWING = 5,                 /* methods that take known labels */
       FEW_25 = FEW_5 + KNOWING, COMPARED = FEW_25 + KNOWING };
static const char *const compared_name[COMPARED] = {
    "LatentMap S-T", "LatentMap S-I-T", "TriplexTL S-T", "TriplexTL S-I-T",
    "TTL published", "TTL repaired", "TTL published, idf", "TTL repaired, idf",
    "TTL, default", "co-transfer", "co-transfer, 5 known",
    "SVM of the known, 5", "HTLIC, 5", "HTLIC appended, 5", "TTL, 5",
    "co-transfer, 25 known", "SVM of the known, 25", "HTLIC, 25",
    "HTLIC appended, 25", "TTL, 25"};

/* Counts to tf-idf, rows of length 1: idf over all three. */
static triple weighted(const triple *x)
{
    triple out = *x;
    ex_set *set[3] = {&out.s, &out.i, &out.t};
    size_t d = x->s.X.d, n = x->s.X.n + x->i.X.n + x->t.X.n;
    double *seen = ex_grow(NULL, d, sizeof *seen);
    memset(seen, 0, d * sizeof *seen);
    for (int k = 0; k < 3; k++)
        for (size_t e = 0; e < set[k]->X.row[set[k]->X.n]; e++)
            seen[set[k]->X.column[e]] += set[k]->X.values[e] != 0;
    for (int k = 0; k < 3; k++) {
        mtc_data *X = &set[k]->X;
        mtc_real *values = ex_grow(NULL, X->row[X->n] + 1, sizeof *values);
        for (size_t e = 0; e < X->row[X->n]; e++)
            values[e] = (mtc_real)((double)X->values[e] *
                                   log((double)n / seen[X->column[e]]));
        X->values = values;
        X->values = unit_rows(X).values;
        free(values);
    }
    free(seen);
    return out;
}

/* The columns of the bridge that `side` uses, in memory of its own. */
static mtc_data seen_from(const mtc_data *bridge, const mtc_data *side)
{
    char *used = ex_grow(NULL, bridge->d, 1);
    size_t *row = ex_grow(NULL, bridge->n + 1, sizeof *row), at = 0;
    size_t nnz = bridge->row[bridge->n];
    uint32_t *column = ex_grow(NULL, nnz + 1, sizeof *column);
    mtc_real *values = ex_grow(NULL, nnz + 1, sizeof *values);
    memset(used, 0, bridge->d);
    for (size_t e = 0; e < side->row[side->n]; e++)
        used[side->column[e]] = 1;
    for (size_t i = 0; i < bridge->n; i++) {
        row[i] = at;
        for (size_t e = bridge->row[i]; e < bridge->row[i + 1]; e++)
            if (used[bridge->column[e]]) {
                column[at] = bridge->column[e];
                values[at++] = bridge->values[e];
            }
    }
    row[bridge->n] = at;
    free(used);
    return mtc_csr(bridge->n, bridge->d, row, column, values);
}

/* LatentMap or TriplexTL from one domain to another. */
static void by_pair(int latent, const mtc_data *from, const int *labels,
                    const mtc_data *to, size_t c, uint64_t seed, int *out)
{
    mtc_context ctx = mtc_context_defaults();
    ctx.seed = seed;
    if (latent) {
        cmp_latentmap_options o = cmp_latentmap_defaults();
        cmp_latentmap_result r;
        o.classes = c;
        ex_try(cmp_latentmap(&ctx, from, &labels, 1, to, &o, &r),
               "LatentMap");
        memcpy(out, r.labels, to->n * sizeof *out);
        mtc_free(&ctx, &r.block);
    } else {
        cmp_tritl_options o = cmp_tritl_defaults();
        cmp_tritl_result r;
        o.classes = c;
        ex_try(cmp_tritl(&ctx, from, &labels, 1, to, &o, &r), "TriplexTL");
        memcpy(out, r.labels, to->n * sizeof *out);
        mtc_free(&ctx, &r.block);
    }
}

/* Accuracy where nothing is known. */
static double unknown_share(size_t n, const int *known, const int *a,
                            const int *b)
{
    double right = 0, all = 0;
    for (size_t i = 0; i < n; i++)
        if (known[i] < 0) {
            right += a[i] == b[i];
            all++;
        }
    return right / all;
}

/* The rows whose labels are known, and these labels [n]: to be freed. */
static mtc_data known_rows(const mtc_data *X, const int *known, int **labels)
{
    size_t *row = ex_grow(NULL, X->n + 1, sizeof *row), n = 0, at = 0;
    uint32_t *column = ex_grow(NULL, X->row[X->n] + 1, sizeof *column);
    mtc_real *values = ex_grow(NULL, X->row[X->n] + 1, sizeof *values);
    *labels = ex_grow(NULL, X->n, sizeof **labels);
    for (size_t i = 0; i < X->n; i++) {
        if (known[i] < 0)
            continue;
        (*labels)[n] = known[i];
        row[n++] = at;
        for (size_t e = X->row[i]; e < X->row[i + 1]; e++, at++) {
            column[at] = X->column[e];
            values[at] = X->values[e];
        }
    }
    row[n] = at;
    return mtc_csr(n, X->d, row, column, values);
}

static void free_rows(mtc_data *X)
{
    free((void *)X->row);
    free((void *)X->column);
    free((void *)X->values);
}

/* A linear SVM from the known samples alone, all of one class or not. */
static void by_known(const mtc_data *X, const int *known, size_t c, int *out)
{
    mtc_svm_options o = mtc_svm_defaults();
    mtc_svm_result r;
    int *labels, mixed = 0;
    mtc_data few = known_rows(X, known, &labels);
    o.classes = c;
    o.cost = 10;
    for (size_t i = 0; i < few.n; i++)
        mixed = mixed || labels[i] != labels[0];
    for (size_t i = 0; i < X->n; i++)
        out[i] = labels[0];
    if (mixed) {
        ex_try(mtc_svm(NULL, &few, labels, &o, &r), "SVM");
        ex_try(mtc_svm_assign(NULL, X, &few, &r, out, NULL), "SVM");
        mtc_free(NULL, &r.block);
    }
    free_rows(&few);
    free(labels);
}

/* known [n]: `count` of the labels, which are no more than n; elsewhere -1. */
static void tell_some(const ex_set *set, size_t count, uint64_t seed,
                      int *known)
{
    mtc_random r = mtc_random_seed(seed);
    for (size_t i = 0; i < set->X.n; i++)
        known[i] = -1;
    while (count > 0) {
        size_t at = mtc_random_below(&r, set->X.n);
        count -= known[at] < 0;
        known[at] = set->labels[at];
    }
}

/* What the methods see that take some labels of the target: TTL counts x (and
 * `view`, the bridge as the target sees it), the others weights. */
typedef struct sight {
    const triple *x;
    const mtc_data *view;           /* NULL: x->i */
    mtc_data S, T, view1, view2;
} sight;

static double by_cotransfer(const sight *w, const int *known, uint64_t seed)
{
    mtc_context ctx = mtc_context_defaults();
    cmp_cotransfer_options o = cmp_cotransfer_defaults();
    cmp_cotransfer_result r;
    const int *labels = w->x->s.labels;
    ctx.seed = seed;
    o.classes = w->x->s.classes;
    ex_try(cmp_cotransfer(&ctx, &w->S, &labels, 1, &w->view1, &w->view2,
                          &w->T, known, &o, &r), "co-transfer");
    double acc = unknown_share(w->T.n, known, r.labels, w->x->t.labels);
    mtc_free(&ctx, &r.block);
    return acc;
}

static double by_htlic(const sight *w, const int *known, int append,
                       uint64_t seed)
{
    mtc_context ctx = mtc_context_defaults();
    cmp_htlic_options o = cmp_htlic_defaults();
    cmp_htlic_result r;
    ctx.seed = seed;
    o.classes = w->x->s.classes;
    o.append = append;
    ex_try(cmp_htlic(&ctx, &w->S, 1, &w->view1, &w->view2, &w->T, known, &o,
                     &r), "HTLIC");
    double acc = unknown_share(w->T.n, known, r.labels, w->x->t.labels);
    mtc_free(&ctx, &r.block);
    return acc;
}

/* acc [KNOWING] with `count` labels of the target. */
static void knowing_methods(const sight *w, size_t count, uint64_t seed,
                            double *acc)
{
    size_t n = w->T.n;
    mtc_ttl_options ttl = mtc_ttl_defaults();
    int *out = ex_grow(NULL, n, sizeof *out);
    int *known = ex_grow(NULL, n, sizeof *known);
    tell_some(&w->x->t, count, seed, known);
    acc[0] = by_cotransfer(w, known, seed);
    by_known(&w->T, known, w->x->s.classes, out);
    acc[1] = unknown_share(n, known, out, w->x->t.labels);
    acc[2] = by_htlic(w, known, 0, seed);
    acc[3] = by_htlic(w, known, 1, seed);
    ttl.classes = w->x->s.classes;
    ttl.known = known;
    by_ttl(w->x, w->view, w->x->s.labels, &ttl, seed, out);
    acc[4] = unknown_share(n, known, out, w->x->t.labels);
    free(out);
    free(known);
}

/* LatentMap or TriplexTL: straight on, and in two stages. */
static void two_stages(int latent, const triple *x, uint64_t seed,
                       double *direct, double *staged)
{
    size_t c = x->s.classes, n = x->t.X.n;
    int *out = ex_grow(NULL, n, sizeof *out);
    int *mid = ex_grow(NULL, x->i.X.n, sizeof *mid);
    if (direct != NULL) {
        by_pair(latent, &x->s.X, x->s.labels, &x->t.X, c, seed, out);
        *direct = right_share(n, out, x->t.labels);
    }
    by_pair(latent, &x->s.X, x->s.labels, &x->i.X, c, seed, mid);
    by_pair(latent, &x->i.X, mid, &x->t.X, c, seed, out);
    *staged = right_share(n, out, x->t.labels);
    free(out);
    free(mid);
}

static double by_default(const triple *x, uint64_t seed)
{
    mtc_ttl_options o = mtc_ttl_defaults();
    o.classes = x->s.classes;
    return by_ttl(x, NULL, x->s.labels, &o, seed, NULL);
}

/* Target accuracy of each; x holds counts. */
static void compared_methods(const triple *x, uint64_t seed, double *acc)
{
    triple w = weighted(x);
    sight seen = {x, NULL, w.s.X, w.t.X, seen_from(&w.i.X, &w.s.X),
                  seen_from(&w.i.X, &w.t.X)};
    int *none = ex_grow(NULL, x->t.X.n, sizeof *none);
    two_stages(1, &w, seed, &acc[LM_DIRECT], &acc[LM_STAGES]);
    two_stages(0, x, seed, &acc[TRI_DIRECT], &acc[TRI_STAGES]);
    all_kinds(x, NULL, seed, acc + TTL_KIND);
    acc[TTL_ROW] = by_default(x, seed);
    tell_some(&x->t, 0, seed, none);
    acc[CO_TRANSFER] = by_cotransfer(&seen, none, seed);
    knowing_methods(&seen, 5, seed, acc + FEW_5);
    knowing_methods(&seen, 25, seed, acc + FEW_25);
    free(none);
    free((void *)w.s.X.values);
    free((void *)w.i.X.values);
    free((void *)w.t.X.values);
    free_rows(&seen.view1);
    free_rows(&seen.view2);
}

/* Run i of setting *of. */
static void compared_triple(const void *of, size_t i, double *acc)
{
    size_t k = *(const size_t *)of;
    world w = settings[k].w;
    w.seed = 970000 + 1000 * k + i + 1;
    triple x = draw_triple(&w, settings[k].n);
    compared_methods(&x, i + 1, acc);
    free_triple(&x);
}

/* The columns of [runs*width] figures. */
static void add_runs(ex_stat *stat, size_t runs, size_t width, double *figure)
{
    for (size_t i = 0; i < runs; i++)
        for (size_t c = 0; c < width; c++)
            ex_add(&stat[c], figure[i * width + c]);
    free(figure);
}

static void systems(const char *dir)
{
    enum { DRAWS = 10, SHOWN = SETTINGS / 2 };
    static ex_stat acc[SHOWN][COMPARED];
    ex_table out = {SHOWN + 1, 0, NULL};
    (void)dir;
    ex_cell(&out, "generated, %d draws", DRAWS);
    for (size_t s = 0; s < SHOWN; s++) {
        size_t k = 2 * s;
        ex_cell(&out, "%s", settings[k].name);
        add_runs(acc[s], DRAWS, COMPARED,
                 ex_runs(DRAWS, COMPARED, compared_triple, &k));
    }
    for (size_t m = 0; m < COMPARED; m++) {
        ex_cell(&out, "%s", compared_name[m]);
        for (size_t s = 0; s < SHOWN; s++)
            percent_cell(&out, &acc[s][m]);
    }
    ex_print(&out);
}

/* ---- two views ------------------------------------------------------ */

/* An image-like view of the same samples: histograms over 64 bins, of which
 * every class prefers some. */
static ex_set draw_bins(const world *w, const int *labels, size_t n,
                        uint64_t stream)
{
    enum { BINS = 64, POINTS = 60 };
    double share[MOST_CLASSES][BINS];
    mtc_random r = mtc_random_seed(w->seed * 31 + stream);
    ex_set set;
    size_t *row = ex_grow(NULL, n + 1, sizeof *row);
    uint32_t *column = ex_grow(NULL, n * BINS, sizeof *column);
    mtc_real *values = ex_grow(NULL, n * BINS, sizeof *values);
    set.labels = ex_grow(NULL, n, sizeof *set.labels);
    set.classes = w->classes;
    for (size_t z = 0; z < w->classes; z++) {
        double sum = 0;
        for (size_t e = 0; e < BINS; e++)
            share[z][e] = sum += background(w->seed + 5, e) +
                                 0.5 * topic(w->seed + 5, z, e);
    }
    for (size_t i = 0; i < n; i++) {
        size_t z = labels != NULL ? (size_t)labels[i]
                                  : mtc_random_below(&r, w->classes);
        set.labels[i] = (int)z;
        row[i] = i * BINS;
        for (size_t e = 0; e < BINS; e++) {
            column[i * BINS + e] = (uint32_t)e;
            values[i * BINS + e] = 0;
        }
        for (size_t q = 0; q < POINTS; q++) {
            double x = (double)mtc_random_real(&r) * share[z][BINS - 1];
            size_t e = 0;
            while (share[z][e] <= x && e + 1 < BINS)
                e++;
            values[i * BINS + e] += 1;
        }
    }
    row[n] = n * BINS;
    set.X = mtc_csr(n, BINS, row, column, values);
    return set;
}

enum { AMOUNTS = 5, VIEW_WIDTH = METHODS + AMOUNTS * KNOWING };

/* Run i with *of classes: all methods, then those that take known labels with
 * 5, 10, ... 25 of them. */
static void view_triple(const void *of, size_t i, double *acc)
{
    size_t c = *(const size_t *)of;
    uint64_t run = i + 1;
    world w = {300, c, 40, .4, .25, 0, 900 + 10 * c + run};
    triple x = draw_triple(&w, 150);
    ex_free(&x.t);
    ex_set view = draw_bins(&w, x.i.labels, x.i.X.n, 1);
    x.t = draw_bins(&w, NULL, 150, 2);
    sight seen = {&x, &view.X, unit_rows(&x.s.X), unit_rows(&x.t.X),
                  unit_rows(&x.i.X), unit_rows(&view.X)};
    all_methods(&x, &view.X, run, acc);
    for (size_t q = 0; q < AMOUNTS; q++)
        knowing_methods(&seen, 5 * (q + 1), run,
                        acc + METHODS + q * KNOWING);
    free((void *)seen.S.values);
    free((void *)seen.T.values);
    free((void *)seen.view1.values);
    free((void *)seen.view2.values);
    ex_free(&view);
    free_triple(&x);
}

static void two_views(const char *dir)
{
    static const char *const name[KNOWING] = {
        "co-transfer", "SVM of the known", "HTLIC", "HTLIC appended", "TTL"};
    (void)dir;
    for (size_t c = 2; c <= 3; c++) {
        ex_stat acc[VIEW_WIDTH] = {{0, 0, 0}};
        ex_table out = ex_head(c == 2 ? "2 classes|0 known|5|10|15|20|25"
                                      : "3 classes|0 known|5|10|15|20|25");
        add_runs(acc, REPEATS, VIEW_WIDTH,
                 ex_runs(REPEATS, VIEW_WIDTH, view_triple, &c));
        for (size_t m = 0; m < KNOWING; m++) {
            ex_cell(&out, "%s", name[m]);
            if (m == KNOWING - 1)
                percent_cell(&out, &acc[REPAIRED]);
            else
                ex_blank(&out);
            for (size_t q = 0; q < AMOUNTS; q++)
                percent_cell(&out, &acc[METHODS + q * KNOWING + m]);
        }
        ex_cell(&out, "TTL published");
        percent_cell(&out, &acc[PUBLISHED]);
        while (out.cells % out.columns != 0)
            ex_blank(&out);
        ex_cell(&out, "logistic regressions S-I-T");
        percent_cell(&out, &acc[CHAIN]);
        ex_print(&out);
    }
}

/* ---- the real triples -------------------------------------------------- */

/* Samples of the set, `keep` of them, drawn again each time. */
static ex_set part_of(const ex_set *set, size_t keep, uint64_t seed)
{
    size_t n = set->X.n, at = 0, out = 0;
    keep = keep < n ? keep : n;
    mtc_random r = mtc_random_seed(seed);
    ex_set part = {set->X, ex_grow(NULL, keep, sizeof *part.labels),
                   set->classes};
    size_t *row = ex_grow(NULL, keep + 1, sizeof *row);
    uint32_t *column = ex_grow(NULL, set->X.row[n], sizeof *column);
    mtc_real *values = ex_grow(NULL, set->X.row[n], sizeof *values);
    for (size_t i = 0; i < n; i++)
        if (mtc_random_below(&r, n - i) < keep - out) {
            part.labels[out] = set->labels[i];
            row[out++] = at;
            for (size_t e = set->X.row[i]; e < set->X.row[i + 1]; e++, at++) {
                column[at] = set->X.column[e];
                values[at] = set->X.values[e];
            }
        }
    row[out] = at;
    part.X = mtc_csr(out, set->X.d, row, column, values);
    return part;
}

/* The paper's table 5 in %: LatentMap S-T and S-I-T, TriplexTL S-T and S-I-T,
 * TTL. */
static const struct { const char *name; double acc[TTL_KIND + 1]; } tasks[] = {
    {"rec-vs-comp", {52.2, 55.3, 53.0, 56.7, 57.9}},
    {"rec-vs-talk", {60.1, 61.0, 59.4, 61.7, 68.8}},
    {"rec-vs-sci", {50.9, 51.2, 51.6, 52.0, 52.0}},
    {"sci-vs-comp", {53.3, 55.3, 52.1, 55.9, 56.3}},
    {"sci-vs-talk", {51.0, 52.7, 51.6, 52.8, 53.2}},
    {"comp-vs-talk", {61.3, 64.6, 60.9, 64.1, 72.2}}};
enum { TASKS = sizeof tasks / sizeof *tasks, DRAWS = 5 };

/* 0 if it is not there. */
static int load_triple(const char *dir, const char *name, triple *x)
{
    static const char *const role[3] = {"source", "intermediate", "target"};
    ex_set *set[3] = {&x->s, &x->i, &x->t};
    size_t d = 0;
    for (int k = 0; k < 3; k++) {
        char file[64];
        snprintf(file, sizeof file, "ttl/%s.%s", name, role[k]);
        if (!ex_there(dir, file))
            return 0;
        *set[k] = ex_load(dir, file);
        d = set[k]->X.d > d ? set[k]->X.d : d;
    }
    for (int k = 0; k < 3; k++)
        set[k]->X.d = d;            /* one feature space */
    return 1;
}

/* LatentMap holds N x N: 500 samples of each domain at most. */
static triple some_of(const triple *whole, uint64_t run)
{
    enum { SAMPLES = 500 };
    triple x;
    x.s = part_of(&whole->s, SAMPLES, run);
    x.i = part_of(&whole->i, SAMPLES, run + 100);
    x.t = part_of(&whole->t, SAMPLES, run + 200);
    return x;
}

static void real_draw(const void *of, size_t i, double *acc)
{
    triple x = some_of((const triple *)of, i + 1);
    compared_methods(&x, i + 1, acc);
    free_triple(&x);
}

/* All methods, with 4/5 of the source. */
static void real_run(const void *of, size_t i, double *acc)
{
    triple x = *(const triple *)of;
    x.s = part_of(&x.s, x.s.X.n * 4 / 5, i + 1);
    all_methods(&x, NULL, i + 1, acc);
    ex_free(&x.s);
}

static void newsgroups(const char *dir)
{
    static ex_stat acc[TASKS][COMPARED];
    ex_table variants = method_table("4/5 of the source, 10 draws");
    ex_table out = {1, 0, NULL};
    ex_cell(&out, "at most 500 of each domain, %d draws", DRAWS);
    for (size_t k = 0; k < TASKS; k++) {
        ex_stat mean[METHODS] = {{0, 0, 0}}, paired[2] = {{0, 0, 0}};
        triple x;
        if (!load_triple(dir, tasks[k].name, &x))
            continue;
        double *runs = ex_runs(REPEATS, METHODS, real_run, &x);
        for (size_t i = 0; i < REPEATS; i++)
            add_run(mean, paired, runs + i * METHODS);
        free(runs);
        method_row(&variants, tasks[k].name, mean, paired);
        add_runs(acc[k], DRAWS, COMPARED,
                 ex_runs(DRAWS, COMPARED, real_draw, &x));
        ex_cell(&out, "%s", tasks[k].name);
        ex_cell(&out, "paper");
        out.columns += 2;
        free_triple(&x);
    }
    for (size_t m = 0; m < COMPARED; m++) {
        ex_cell(&out, "%s", compared_name[m]);
        for (size_t k = 0; k < TASKS; k++) {
            if (acc[k][m].n == 0)
                continue;
            percent_cell(&out, &acc[k][m]);
            if (m <= TTL_KIND)
                ex_cell(&out, "%.1f", tasks[k].acc[m]);
            else
                ex_blank(&out);
        }
    }
    ex_print(&variants);
    ex_print(&out);
}

/* ---- figures 4 and 5 ----------------------------------------------------- */

enum { STEPS = 6 };
static const size_t labeled[STEPS] = {0, 50, 100, 200, 300, 400};
static const size_t removed[STEPS] = {0, 250, 500, 1000, 2000, 4000};

/* TTL with `count` labels in the bridge, TriplexTL from these to the target. */
static void labeled_bridge(const triple *x, size_t count, uint64_t seed,
                           double *acc)
{
    mtc_ttl_options o = mtc_ttl_defaults();
    int *known = ex_grow(NULL, x->i.X.n, sizeof *known), *labels;
    int *out = ex_grow(NULL, x->t.X.n, sizeof *out);
    const int *bridges = known;
    tell_some(&x->i, count, seed, known);
    o.classes = x->s.classes;
    o.bridge_known = &bridges;
    acc[0] = by_ttl(x, NULL, x->s.labels, &o, seed, NULL);
    acc[1] = -1;
    if (count > 0) {
        mtc_data few = known_rows(&x->i.X, known, &labels);
        by_pair(0, &few, labels, &x->t.X, x->s.classes, seed, out);
        acc[1] = right_share(x->t.X.n, out, x->t.labels);
        free_rows(&few);
        free(labels);
    }
    free(known);
    free(out);
}

/* TTL, TriplexTL in two stages, without `count` words of the bridge. */
static void poorer_bridge(const triple *x, size_t count, uint64_t seed,
                          double *acc)
{
    triple poor = *x;
    size_t d = x->i.X.d, nnz = x->i.X.row[x->i.X.n];
    mtc_random r = mtc_random_seed(seed);
    mtc_real *values = ex_grow(NULL, nnz + 1, sizeof *values);
    char *gone = ex_grow(NULL, d, 1);
    memset(gone, 0, d);
    while (count > 0) {
        size_t at = mtc_random_below(&r, d);
        count -= !gone[at];
        gone[at] = 1;
    }
    for (size_t e = 0; e < nnz; e++)
        values[e] = gone[x->i.X.column[e]] ? 0 : x->i.X.values[e];
    poor.i.X.values = values;
    acc[0] = by_default(&poor, seed);
    two_stages(0, &poor, seed, NULL, &acc[1]);
    free(values);
    free(gone);
}

static void bridge_draw(const void *of, size_t i, double *acc)
{
    triple x = some_of((const triple *)of, i + 1);
    for (size_t q = 0; q < STEPS; q++) {
        labeled_bridge(&x, labeled[q], i + 1, acc + 2 * q);
        poorer_bridge(&x, removed[q], i + 1, acc + 2 * (STEPS + q));
    }
    free_triple(&x);
}

static void figure4(const char *dir)
{
    ex_stat acc[4 * STEPS] = {{0, 0, 0}};
    triple x;
    if (!load_triple(dir, "comp-vs-talk", &x))
        ex_die(dir, "has no ttl/comp-vs-talk");
    add_runs(acc, DRAWS, 4 * STEPS,
             ex_runs(DRAWS, 4 * STEPS, bridge_draw, &x));
    for (size_t half = 0; half < 2; half++) {
        ex_table out = ex_head(
            half ? "words removed|TTL|TriplexTL S-I-T"
                 : "labels in the bridge|TTL|TriplexTL I-T");
        for (size_t q = 0; q < STEPS; q++) {
            ex_cell(&out, "%zu", half ? removed[q] : labeled[q]);
            percent_cell(&out, &acc[2 * (half * STEPS + q)]);
            percent_cell(&out, &acc[2 * (half * STEPS + q) + 1]);
        }
        ex_print(&out);
    }
    free_triple(&x);
}

enum { ROUNDS = 8, FACTORS = 8, ITERATIONS = 100 };
static const size_t rounds[ROUNDS] = {1, 2, 5, 10, 20, 40, 60, ITERATIONS};
static const size_t factors[FACTORS] = {5, 10, 20, 30, 40, 60, 80, 100};

/* The published form and the default, each with these iterations or so many
 * features; last, the objective of the published form by iteration. */
static void curve_draw(const void *of, size_t i, double *acc)
{
    triple x = some_of((const triple *)of, i + 1);
    mtc_ttl_options o = mtc_ttl_defaults();
    mtc_ttl_result r;
    const int *labels = x.s.labels;
    for (int repaired = 0; repaired < 2; repaired++) {
        o = mtc_ttl_defaults();
        o.variant = repaired ? MTC_TTL_REPAIRED : MTC_TTL_PUBLISHED;
        for (size_t q = 0; q < ROUNDS; q++) {
            o.iterations = rounds[q];
            *acc++ = by_ttl(&x, NULL, labels, &o, i + 1, NULL);
        }
        o.iterations = ITERATIONS;
        for (size_t q = 0; q < FACTORS; q++) {
            o.features = factors[q];
            o.common = (factors[q] + 1) / 2;
            *acc++ = by_ttl(&x, NULL, labels, &o, i + 1, NULL);
        }
    }
    o = mtc_ttl_defaults();
    o.variant = MTC_TTL_PUBLISHED;
    ex_try(mtc_ttl(NULL, &x.s.X, &labels, 1, &x.i.X, NULL, 1, &x.t.X, &o, &r),
           "TTL");
    for (size_t q = 0; q < ROUNDS; q++)
        *acc++ = (double)(r.objective[rounds[q]] / r.objective[0]);
    mtc_free(NULL, &r.block);
    free_triple(&x);
}

static void figure5(const char *dir)
{
    enum { HALF = ROUNDS + FACTORS, WIDTH = 2 * HALF + ROUNDS };
    ex_stat acc[WIDTH] = {{0, 0, 0}};
    ex_table out = ex_head("iterations|objective, published|published|"
                           "default");
    triple x;
    if (!load_triple(dir, "comp-vs-talk", &x))
        ex_die(dir, "has no ttl/comp-vs-talk");
    add_runs(acc, DRAWS, WIDTH, ex_runs(DRAWS, WIDTH, curve_draw, &x));
    for (size_t q = 0; q < ROUNDS; q++) {
        ex_cell(&out, "%zu", rounds[q]);
        ex_cell(&out, "%.3f", ex_mean(&acc[2 * HALF + q]));
        percent_cell(&out, &acc[q]);
        percent_cell(&out, &acc[HALF + q]);
    }
    ex_print(&out);
    out = ex_head("p|published|default");
    for (size_t q = 0; q < FACTORS; q++) {
        ex_cell(&out, "%zu", factors[q]);
        percent_cell(&out, &acc[ROUNDS + q]);
        percent_cell(&out, &acc[HALF + ROUNDS + q]);
    }
    ex_print(&out);
    free_triple(&x);
}

int main(int argc, char **argv)
{
    static const ex_part parts[] = {
        {"systems", 0, systems}, {"views", 0, two_views},
        {"newsgroups", 1, newsgroups}, {"figure4", 1, figure4},
        {"figure5", 1, figure5}};
    return ex_main(argc, argv, parts, sizeof parts / sizeof *parts);
}
