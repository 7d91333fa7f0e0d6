/* SPDX-License-Identifier: MIT
 *
 * trec_experiment.c - the experiment of Berikov 2019 (TrEC), again.
 *
 *     build/trec_experiment [--markdown] [DATA [PART...]]
 *
 * First the paper's Monte-Carlo data: 24 features, two spheres and two strips
 * of 20 samples as target; 16 features and 25 samples each as source.  As
 * printed the classes lie so far apart that EC finds them all (the paper has
 * ARI .56 for EC and .73 for TrEC), so the class means are also multiplied by
 * f < 1.  Every cell is the mean of 40 data sets and, in brackets, the paired
 * difference to EC and Student's t of it.  Runs of 3 features, as published,
 * and of the default number.
 *
 * The parts: generated, boundary, text, digits.  boundary is figure 2: from
 * which co-association on f says that two samples belong together.
 *
 * Then, with DATA: EC on text by the number of features of a run; and, of
 * DATA/handdigits mnist-crop.svm and usps.svm, handwritten digits: 1000 samples
 * of each, drawn again for each of 10 seeds, also in different features on the
 * two sides, beside k-means.
 */
#include "table.h"

enum { REPETITIONS = 40, SEEDS = 10, ROWS = 1000, SIDE = 16 };

/* ---- what is compared --------------------------------------------------- */

typedef struct variant {
    const char *name;
    mtc_meta meta;
    size_t moves;                   /* 0: default */
} variant;

static const variant variants[] = {
    {"TrEC both (published)", MTC_META_BOTH, 40},
    {"TrEC co-association", MTC_META_COASSOCIATION, 40},
    {"TrEC probability", MTC_META_PROBABILITY, 0}
};
enum { VARIANTS = sizeof variants / sizeof *variants };

static double ari(size_t n, const int *truth, const int *labels)
{
    mtc_scores s;
    ex_try(mtc_score(NULL, n, truth, labels, &s), "score");
    return (double)s.ari;
}

/* score[0] is EC's, the others by variant; all on the same ensembles, since
 * they share the seed. */
static void compare(uint64_t seed, const mtc_data *source, const int *labels,
                    const mtc_data *target, const int *truth, size_t k,
                    size_t columns, double *score)
{
    mtc_context ctx = mtc_context_defaults();
    ctx.seed = seed;
    for (size_t v = 0; v < VARIANTS; v++) {
        mtc_trec_options opt = mtc_trec_defaults();
        mtc_trec_result res;
        opt.ec.clusters = k;
        opt.ec.columns = columns;
        opt.meta = variants[v].meta;
        opt.iterations = variants[v].moves;
        ex_try(mtc_trec(&ctx, source, labels, target, &opt, &res), "TrEC");
        score[0] = ari(target->n, truth, res.start);
        score[v + 1] = ari(target->n, truth, res.labels);
        mtc_free(&ctx, &res.block);
    }
}

enum { MOST_CELLS = 5, MOST_ROWS = VARIANTS + 2 };

/* Columns of a table, filled one by one: of each row the mean, and the paired
 * difference to the first row. */
typedef struct table {
    size_t rows, cells;
    ex_stat mean[MOST_CELLS][MOST_ROWS], difference[MOST_CELLS][MOST_ROWS];
} table;

static const char *row_name(size_t v)
{
    return v == 0 ? "EC"
           : v <= VARIANTS ? variants[v - 1].name : "k-means, best of 10";
}

static void print_table(const table *t, const char *head)
{
    ex_table out = ex_head(head);
    for (size_t v = 0; v < t->rows; v++) {
        ex_cell(&out, "%s", row_name(v));
        for (size_t i = 0; i < t->cells; i++)
            ex_pair_cell(&out, &t->mean[i][v], &t->difference[i][v]);
    }
    ex_print(&out);
}

/* The next column of a table, from scores [runs*rows], which it frees. */
static void add_cell(table *t, double *score, size_t runs)
{
    size_t cell = t->cells++;
    for (size_t i = 0; i < runs; i++)
        for (size_t v = 0; v < t->rows; v++) {
            double s = score[i * t->rows + v];
            ex_add(&t->mean[cell][v], s);
            ex_add(&t->difference[cell][v], s - score[i * t->rows]);
        }
    free(score);
}

/* ---- the paper's data --------------------------------------------------- */

typedef struct shape {
    size_t each, d;                 /* samples of a class, features */
    double far, wide, variance;     /* second sphere, strips, their steps */
} shape;

static const shape target_shape = {20, 24, 8, 6, 0.25};
static const shape source_shape = {25, 16, 6, 5, 0.2};

/* x [4*each*d], labels [4*each] */
static void draw(const shape *s, double f, mtc_random *rng, mtc_real *x,
                 int *labels)
{
    double step = sqrt(s->variance);
    for (size_t i = 0; i < 4 * s->each; i++, x += s->d) {
        size_t z = i / s->each;
        labels[i] = (int)z;
        for (size_t j = 0; j < s->d; j++) {
            double e = (double)mtc_random_normal(rng);
            double sign = (j % 2 == 0) == (z == 2) ? -1 : 1;
            double from = z < 2 ? (z == 1 ? f * s->far : 0)
                          : i % s->each == 0 ? f * sign * s->wide
                                             : 0.2 + (double)*(x + j - s->d);
            x[j] = (mtc_real)(from + (z < 2 ? 1 : step) * e);
        }
    }
}

typedef struct world {
    double f_source, f;
    size_t columns;
} world;

static void one_draw(const void *of, size_t rep, double *score)
{
    const world *w = (const world *)of;
    mtc_real xs[100 * 16], xt[80 * 24];
    int ys[100], yt[80];
    mtc_random rng = mtc_random_seed(1000 + rep);
    draw(&source_shape, w->f_source, &rng, xs, ys);
    draw(&target_shape, w->f, &rng, xt, yt);
    mtc_data S = mtc_dense(100, 16, xs), T = mtc_dense(80, 24, xt);
    compare(1 + rep, &S, ys, &T, yt, 4, w->columns, score);
}

/* Source and target of one f, and an easier source. */
static void monte_carlo(size_t columns, const char *head, const char *easy)
{
    static const double f[] = {0.20, 0.25, 0.30, 0.40, 1.0};
    table t = {.rows = VARIANTS + 1}, easier = {.rows = VARIANTS + 1};
    for (size_t i = 0; i < MOST_CELLS; i++) {
        world w = {f[i], f[i], columns};
        add_cell(&t, ex_runs(REPETITIONS, t.rows, one_draw, &w), REPETITIONS);
    }
    world w = {1.0, 0.25, columns};
    add_cell(&easier, ex_runs(REPETITIONS, easier.rows, one_draw, &w),
             REPETITIONS);
    print_table(&t, head);
    print_table(&easier, easy);
}

static void generated(const char *dir)
{
    (void)dir;
    ex_say("Monte-Carlo data: ARI, %d data sets; paper: EC .56, TrEC both "
           ".73,\nco-association .68, silhouettes .31\n\n", REPETITIONS);
    monte_carlo(3, "ARI, 3 features a run|f = .20|f = .25|f = .30|f = .40|"
                "f = 1, as printed",
                "ARI, 3 features a run|f = .25, source f = 1");
    monte_carlo(0, "ARI, a quarter of the features|f = .20|f = .25|f = .30|"
                "f = .40|f = 1, as printed",
                "ARI, a quarter of the features|f = .25, source f = 1");
}

/* ---- the decision boundary: figure 2 ------------------------------------- */

typedef struct pair_set {
    size_t n;
    mtc_real *x;                    /* [n*2] P and H of each pair */
    int *same;                      /* [n] are the two of one class? */
} pair_set;

/* Every `step`-th pair of an ensemble. */
static pair_set pairs_of(const mtc_ensemble *e, const int *labels, size_t step)
{
    pair_set p = {0, ex_grow(NULL, e->n * e->n, sizeof *p.x),
                  ex_grow(NULL, e->n * e->n / 2 + 1, sizeof *p.same)};
    size_t seen = 0;
    for (size_t i = 0; i < e->n; i++)
        for (size_t j = i + 1; j < e->n; j++, seen++) {
            size_t hits = 0;
            if (seen % step != 0)
                continue;
            for (size_t run = 0; run < e->runs; run++) {
                const int *of = e->partitions + run * e->n;
                hits += of[i] == of[j];
            }
            p.x[2 * p.n] = (e->silhouette[i] + e->silhouette[j]) / 2;
            p.x[2 * p.n + 1] = (mtc_real)hits / (mtc_real)e->runs;
            p.same[p.n++] = labels[i] == labels[j];
        }
    return p;
}

enum { BY_BOTH, BY_H, BY_P };       /* the meta-features that f sees */

static mtc_data seen_by(const pair_set *p, int by)
{
    mtc_data X = mtc_dense(p->n, by == BY_BOTH ? 2 : 1,
                           p->x + (by == BY_H ? 1 : 0));
    X.stride = 2;
    return X;
}

/* f from the source's pairs; share of the target's pairs that it tells right,
 * and of those of one class.  The least H, in steps of .01, at which f says
 * "together" for P = -.2, 0, ..., .8, or 2: never. */
static void learn(const pair_set *from, const pair_set *to, int by,
                  double *right, double *found, double least[6])
{
    mtc_trec_options defaults = mtc_trec_defaults();
    mtc_svm_options o = mtc_svm_defaults();
    mtc_svm_result f;
    mtc_data S = seen_by(from, by), T = seen_by(to, by);
    int *out = ex_grow(NULL, to->n, sizeof *out), one;
    double same = 0;
    o.kernel = MTC_KERNEL_RBF;
    o.gamma = defaults.gamma;
    o.cost = defaults.cost;
    ex_try(mtc_svm(NULL, &S, from->same, &o, &f), "SVM");
    ex_try(mtc_svm_assign(NULL, &T, &S, &f, out, NULL), "SVM");
    *right = *found = 0;
    for (size_t i = 0; i < to->n; i++) {
        *right += (out[i] == to->same[i]) / (double)to->n;
        *found += out[i] && to->same[i];
        same += to->same[i];
    }
    *found /= same;
    for (size_t q = 0; q < 6 && by == BY_BOTH; q++) {
        least[q] = 2;
        for (int h = 100; h >= 0; h--) {
            mtc_real at[2] = {(mtc_real)(.2 * (double)q - .2),
                              (mtc_real)(.01 * h)};
            mtc_data point = mtc_dense(1, 2, at);
            ex_try(mtc_svm_assign(NULL, &point, &S, &f, &one, NULL), "SVM");
            if (one)
                least[q] = .01 * h;
        }
    }
    mtc_free(NULL, &f.block);
    free(out);
}

/* One draw with f = .25, runs of 3 features. */
static void boundary(const char *dir)
{
    static const char *const name[] = {"both", "co-association",
                                       "silhouettes"};
    mtc_real xs[100 * 16], xt[80 * 24];
    int ys[100], yt[80];
    double right, found, least[6];
    mtc_random rng = mtc_random_seed(1000);
    mtc_trec_options opt = mtc_trec_defaults();
    mtc_trec_result res;
    ex_table told = ex_head("f sees|pairs told right|of one class, found");
    ex_table line = ex_head("P|-.2|0|.2|.4|.6|.8");
    (void)dir;
    draw(&source_shape, .25, &rng, xs, ys);
    draw(&target_shape, .25, &rng, xt, yt);
    mtc_data S = mtc_dense(100, 16, xs), T = mtc_dense(80, 24, xt);
    opt.ec.clusters = 4;
    opt.ec.columns = 3;
    opt.meta = MTC_META_BOTH;
    ex_try(mtc_trec(NULL, &S, ys, &T, &opt, &res), "TrEC");
    pair_set from = pairs_of(&res.source, ys, 3);
    pair_set to = pairs_of(&res.target.ensemble, yt, 1);
    for (int by = BY_BOTH; by <= BY_P; by++) {
        learn(&from, &to, by, &right, &found, least);
        ex_cell(&told, "%s", name[by]);
        ex_cell(&told, "%.3f", right);
        ex_cell(&told, "%.3f", found);
    }
    ex_cell(&line, "together from H =");
    for (size_t q = 0; q < 6; q++)
        ex_cell(&line, least[q] > 1 ? "never" : "%.2f", least[q]);
    ex_print(&line);
    ex_print(&told);
    free(from.x);
    free(from.same);
    free(to.x);
    free(to.same);
    mtc_free(NULL, &res.block);
}

/* ---- text ---------------------------------------------------------------- */

enum { SIZES = 5, TEXT_SEEDS = 5 };

typedef struct text_set {
    const ex_set *set;
    const size_t *columns;          /* [SIZES] */
} text_set;

/* Run i: the columns of one size, with one seed. */
static void one_ensemble(const void *of, size_t i, double *nmi)
{
    const text_set *t = (const text_set *)of;
    mtc_context ctx = mtc_context_defaults();
    mtc_ec_options o = mtc_ec_defaults();
    mtc_ec_result r;
    mtc_scores score;
    ctx.seed = i % TEXT_SEEDS + 1;
    o.clusters = t->set->classes;
    o.columns = t->columns[i / TEXT_SEEDS];
    ex_try(mtc_ec(&ctx, &t->set->X, &o, &r), "EC");
    ex_try(mtc_score(NULL, t->set->X.n, t->set->labels, r.labels, &score),
           "score");
    *nmi = (double)score.nmi;
    mtc_free(&ctx, &r.block);
}

/* NMI of EC by the features of a run; the default is all of them. */
static void text_row(ex_table *out, const char *dir, const char *folder,
                     const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%.900s/%s", dir, folder);
    ex_set set = ex_load(path, name);
    size_t d = set.X.d, columns[SIZES] = {3, d / 8, d / 4, d / 2, 0};
    text_set of = {&set, columns};
    double *all = ex_runs(SIZES * TEXT_SEEDS, 1, one_ensemble, &of);
    ex_cell(out, "%s, %s", folder, name);
    ex_cell(out, "%zu", d);
    for (size_t s = 0; s < SIZES; s++) {
        ex_stat nmi = {0, 0, 0};
        for (size_t seed = 0; seed < TEXT_SEEDS; seed++)
            ex_add(&nmi, all[s * TEXT_SEEDS + seed]);
        ex_cell(out, "%.2f", ex_mean(&nmi));
    }
    free(all);
    ex_free(&set);
}

static void text(const char *dir)
{
    static const char *const set[][2] = {
        {"webkb4", "cornell"}, {"webkb4", "washington"}, {"recvstalk", "task1"},
        {"ng4", "task1"}, {"cluto-tr11", "task1"}, {"cluto-tr45", "task1"}};
    ex_table out = ex_head("NMI of EC|d|3|d/8|d/4|d/2|all (default)");
    for (size_t i = 0; i < sizeof set / sizeof *set; i++)
        text_row(&out, dir, set[i][0], set[i][1]);
    ex_print(&out);
}

/* ---- digits ------------------------------------------------------------- */

enum { PIXELS, BLOCKS, SCORES };    /* 256, 64 means of 2 x 2, 30 components */

/* `ROWS` samples drawn without replacement, dense. */
static mtc_data take_rows(const ex_set *set, mtc_random *rng, int *labels)
{
    size_t n = set->X.n, d = SIDE * SIDE, *order = ex_grow(NULL, n, sizeof n);
    mtc_real *x = ex_grow(NULL, ROWS * d, sizeof *x);
    memset(x, 0, ROWS * d * sizeof *x);
    for (size_t i = 0; i < n; i++)
        order[i] = i;
    for (size_t i = 0; i < ROWS; i++) {
        size_t pick = i + mtc_random_below(rng, n - i), at = order[pick];
        order[pick] = order[i];
        labels[i] = set->labels[at];
        mtc_data_axpy(&set->X, at, 1, x + i * d);
    }
    free(order);
    return mtc_dense(ROWS, d, x);
}

static mtc_data in_form(mtc_data X, int form)
{
    size_t half = SIDE / 2, d = half * half;
    if (form == PIXELS)
        return X;
    mtc_real *x;
    if (form == SCORES) {
        mtc_pca_options opt = mtc_pca_defaults();
        mtc_pca_result pca;
        opt.dimension = 30;
        ex_try(mtc_pca(NULL, &X, 1, &opt, &pca), "principal components");
        d = pca.dimension;
        x = ex_grow(NULL, X.n * d, sizeof *x);
        memcpy(x, pca.scores, X.n * d * sizeof *x);
        mtc_free(NULL, &pca.block);
    } else {
        x = ex_grow(NULL, X.n * d, sizeof *x);
        for (size_t i = 0; i < X.n; i++)
            for (size_t j = 0; j < d; j++) {
                const mtc_real *p = X.values + i * X.stride +
                                    2 * (j / half) * SIDE + 2 * (j % half);
                x[i * d + j] = (p[0] + p[1] + p[SIDE] + p[SIDE + 1]) / 4;
            }
    }
    free((void *)X.values);
    return mtc_dense(ROWS, d, x);
}

static double kmeans_ari(uint64_t seed, const mtc_data *X, const int *truth)
{
    int labels[ROWS];
    ex_vote(X, 10, seed, labels);
    return ari(X->n, truth, labels);
}

typedef struct digit_sets {
    const ex_set *from, *to;
    int source_form, form;
    size_t columns;
} digit_sets;

static void one_seed(const void *of, size_t i, double *score)
{
    const digit_sets *d = (const digit_sets *)of;
    int ys[ROWS], yt[ROWS];
    mtc_random rng = mtc_random_seed(i + 1);
    mtc_data S = in_form(take_rows(d->from, &rng, ys), d->source_form);
    mtc_data T = in_form(take_rows(d->to, &rng, yt), d->form);
    compare(i + 1, &S, ys, &T, yt, 10, d->columns, score);
    score[VARIANTS + 1] = kmeans_ari(i + 1, &T, yt);
    free((void *)S.values);
    free((void *)T.values);
}

static void digits(const char *dir)
{
    char path[1024];
    snprintf(path, sizeof path, "%.900s/handdigits", dir);
    ex_set mnist = ex_load(path, "mnist-crop"), usps = ex_load(path, "usps");
    const digit_sets cells[] = {{&mnist, &usps, PIXELS, PIXELS, 3},
                                {&mnist, &usps, PIXELS, PIXELS, 0},
                                {&mnist, &usps, BLOCKS, SCORES, 0},
                                {&usps, &mnist, SCORES, BLOCKS, 0}};
    table t = {.rows = MOST_ROWS};
    ex_say("Digits: %d seeds, %d samples of each\n\n", SEEDS, ROWS);
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        add_cell(&t, ex_runs(SEEDS, t.rows, one_seed, &cells[i]), SEEDS);
    print_table(&t, "ARI, digits|MNIST to USPS, pixels, 3 features|"
                "the same, default (64)|blocks to components, default|"
                "USPS to MNIST, components to blocks");
    ex_free(&mnist);
    ex_free(&usps);
}

int main(int argc, char **argv)
{
    static const ex_part parts[] = {{"generated", 0, generated},
                                    {"boundary", 0, boundary},
                                    {"text", 1, text}, {"digits", 1, digits}};
    return ex_main(argc, argv, parts, sizeof parts / sizeof *parts);
}
