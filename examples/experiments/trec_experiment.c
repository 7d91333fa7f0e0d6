/* SPDX-License-Identifier: MIT
 *
 * trec_experiment.c - the experiment of Berikov 2019 (TrEC), again.
 *
 *     build/trec_experiment [DATA]        (or set MTC_DATA)
 *
 * First the paper's Monte-Carlo data: 24 features, two spheres and two strips
 * of 20 samples as target; 16 features and 25 samples each as source.  As
 * printed the classes lie so far apart that EC finds them all (the paper has
 * ARI .56 for EC and .73 for TrEC), so the class means are also multiplied by
 * f < 1.  Every row is the mean of 40 data sets and, in brackets, the paired
 * difference to EC with its standard error.  Runs of 3 features, as published,
 * and of the default number.
 *
 * Then, with DATA: EC on text by the number of features of a run; and, of
 * DATA/handdigits mnist-crop.svm and usps.svm, handwritten digits: 1000 samples
 * of each, drawn again for each of 10 seeds, also in different features on the
 * two sides, beside k-means.
 */
#include "experiment.h"

enum { REPETITIONS = 40, SEEDS = 10, ROWS = 1000, SIDE = 16 };

/* ---- what is compared --------------------------------------------------- */

typedef struct variant {
    const char *name;
    mtc_meta meta;
    double threshold;
    size_t moves;                   /* 0: default */
} variant;

static const variant variants[] = {
    {"TrEC both (published)", MTC_META_BOTH, 0.5, 40},
    {"TrEC co-association", MTC_META_COASSOCIATION, 0.5, 40},
    {"no source, H >= .5", MTC_META_THRESHOLD, 0.5, 0},
    {"no source, H >= .6", MTC_META_THRESHOLD, 0.6, 0},
    {"TrEC probability", MTC_META_PROBABILITY, 0.5, 0}
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
        opt.threshold = (mtc_real)variants[v].threshold;
        opt.iterations = variants[v].moves;
        ex_try(mtc_trec(&ctx, source, labels, target, &opt, &res), "TrEC");
        score[0] = ari(target->n, truth, res.start);
        score[v + 1] = ari(target->n, truth, res.labels);
        mtc_free(&ctx, &res.block);
    }
}

/* A row for each: mean, and the paired difference to the first. */
static void print_rows(const ex_stat *mean, const ex_stat *difference,
                       const char *extra)
{
    printf("  %-27s %.3f\n", "EC", ex_mean(&mean[0]));
    for (size_t v = 1; v <= VARIANTS + (extra != NULL); v++)
        printf("  %-27s %.3f (%+.3f +- %.3f)\n",
               v <= VARIANTS ? variants[v - 1].name : extra, ex_mean(&mean[v]),
               ex_mean(&difference[v]),
               ex_deviation(&difference[v]) / sqrt(difference[v].n));
    fflush(stdout);
}

static void add_rows(const double *score, size_t rows, ex_stat *mean,
                     ex_stat *difference)
{
    for (size_t v = 0; v < rows; v++) {
        ex_add(&mean[v], score[v]);
        ex_add(&difference[v], score[v] - score[0]);
    }
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

static void monte_carlo(double f_source, double f, size_t columns)
{
    world w = {f_source, f, columns};
    ex_stat mean[VARIANTS + 2] = {{0, 0, 0}}, diff[VARIANTS + 2] = {{0, 0, 0}};
    double *score = ex_runs(REPETITIONS, VARIANTS + 1, one_draw, &w);
    for (size_t rep = 0; rep < REPETITIONS; rep++)
        add_rows(score + rep * (VARIANTS + 1), VARIANTS + 1, mean, diff);
    free(score);
    if (f_source > f || f_source < f)
        printf("target f = %.2f, source f = %.2f", f, f_source);
    else
        printf("f = %.2f", f);
    printf(", %s columns\n", columns == 3 ? "3" : "default");
    print_rows(mean, diff, NULL);
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
static void text_row(const char *dir, const char *folder, const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%.900s/%s", dir, folder);
    ex_set set = ex_load(path, name);
    size_t d = set.X.d, columns[SIZES] = {3, d / 8, d / 4, d / 2, 0};
    text_set of = {&set, columns};
    double *all = ex_runs(SIZES * TEXT_SEEDS, 1, one_ensemble, &of);
    printf("%-12s %-10s %5zu features", folder, name, d);
    for (size_t s = 0; s < SIZES; s++) {
        ex_stat nmi = {0, 0, 0};
        for (size_t seed = 0; seed < TEXT_SEEDS; seed++)
            ex_add(&nmi, all[s * TEXT_SEEDS + seed]);
        printf("  %.2f", ex_mean(&nmi));
    }
    printf("\n");
    fflush(stdout);
    free(all);
    ex_free(&set);
}

static void text(const char *dir)
{
    printf("\nText: NMI of EC with 3, d/8, d/4, d/2 and, the default, all d "
           "features a run\n");
    text_row(dir, "webkb4", "cornell");
    text_row(dir, "webkb4", "washington");
    text_row(dir, "recvstalk", "task1");
    text_row(dir, "ng4", "task1");
    text_row(dir, "cluto-tr11", "task1");
    text_row(dir, "cluto-tr45", "task1");
}

/* ---- digits ------------------------------------------------------------- */

enum { PIXELS, BLOCKS, SCORES };    /* 256, 64 means of 2 x 2, 30 components */
static const char *const form_name[] = {"256 pixels", "64 blocks",
                                        "30 components"};

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

static void digits(const ex_set *from, const ex_set *to, const char *title,
                   int source_form, int form, size_t columns)
{
    digit_sets of = {from, to, source_form, form, columns};
    ex_stat mean[VARIANTS + 2] = {{0, 0, 0}}, diff[VARIANTS + 2] = {{0, 0, 0}};
    double *score = ex_runs(SEEDS, VARIANTS + 2, one_seed, &of);
    for (size_t i = 0; i < SEEDS; i++)
        add_rows(score + i * (VARIANTS + 2), VARIANTS + 2, mean, diff);
    free(score);
    printf("%s, %s -> %s, %zu columns a run%s\n", title,
           form_name[source_form], form_name[form], columns,
           columns == 0 ? ": the default" : "");
    print_rows(mean, diff, "k-means, best of 10");
}

static void all_digits(const char *dir)
{
    char path[1024];
    snprintf(path, sizeof path, "%.900s/handdigits", dir);
    ex_set mnist = ex_load(path, "mnist-crop"), usps = ex_load(path, "usps");
    printf("\nDigits: ARI, %d seeds, %d samples of each\n", SEEDS, ROWS);
    digits(&mnist, &usps, "MNIST -> USPS", PIXELS, PIXELS, 3);
    digits(&mnist, &usps, "MNIST -> USPS", PIXELS, PIXELS, 0);
    digits(&mnist, &usps, "MNIST -> USPS", BLOCKS, SCORES, 0);
    digits(&usps, &mnist, "USPS -> MNIST", SCORES, BLOCKS, 0);
    ex_free(&mnist);
    ex_free(&usps);
}

int main(int argc, char **argv)
{
    static const double f[] = {0.20, 0.25, 0.30, 0.40, 1.0};
    ex_jobs(&argc, argv);
    const char *dir = argc > 1 || getenv("MTC_DATA") != NULL
                          ? ex_directory(argc, argv) : NULL;
    clock_t start = clock();
    printf("Monte-Carlo data: ARI, %d data sets; paper: EC .56, TrEC both .73,"
           "\nco-association .68\n", REPETITIONS);
    for (size_t i = 0; i < 10; i++) {
        ex_progress(i, 13);
        monte_carlo(f[i / 2], f[i / 2], i % 2 * 3);
    }
    ex_progress(10, 13);
    monte_carlo(1.0, 0.25, 0);      /* a source that is easier */
    if (dir != NULL) {
        ex_progress(11, 13);
        text(dir);
        ex_progress(12, 13);
        all_digits(dir);
    }
    ex_progress(13, 13);
    printf("\nReproduced: TrEC gains at f = .25 and .30.  Not reproduced: the"
           " paper's figures\n(as printed, f = 1, EC is already perfect), and"
           " that both meta-features beat\nco-association alone.  Why the published rule gains\nnothing"
           " where clusters overlap most and loses on digits: few pairs are of"
           " one\nclass, so that its SVM says `together` late or, with ten"
           " classes, never; then the\nrepair can only make clusters equal in"
           " size.  Probabilities in place of its sign\nlose nothing beyond"
           " noise.  But most of the gain is the repair, not the transfer: a"
           " cut\nat .6, which needs no source, is about as good (it was"
           " chosen after seeing such\nfigures).  More features a run help EC"
           " more than any rule; on text and digits\nk-means in all of them is"
           " not below any ensemble of some.\n");
    fprintf(stderr, "%.1f s\n",
            (double)(clock() - start) / (double)CLOCKS_PER_SEC);
    return 0;
}
