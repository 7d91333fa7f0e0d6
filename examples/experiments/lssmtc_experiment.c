/* SPDX-License-Identifier: MIT
 *
 * lssmtc_experiment.c - the experiments of Gu & Zhou, ICDM 2009, again.
 *
 *     build/lssmtc_experiment [--markdown] [DATA [PART...]]
 *
 * The parts: generated, webkb4, grid, recvstalk, compvssci.
 *
 * generated needs no data.  It draws tasks of which it is known what they
 * share: the methods of both kinds of tables over 20 draws, each beside its
 * paired difference to k-means or to the SVM.
 *
 * The others need DATA/webkb4/{cornell,texas,washington,wisconsin}.svm and
 * DATA/{recvstalk,compvssci}/{task1,task2}.svm (tf-idf, rows of length 1) and
 * the same as counts, *.counts.svm.  They print clustering accuracy and NMI,
 * mean +- standard deviation over 10 seeds (3 in mode literal, which runs where
 * it is defined), and the accuracy of transfer, each beside the paper's; then
 * what the labels of the source are to CoCC.  grid prints the accuracy on
 * WebKB4 for each cell of the paper's grid.
 *
 * The paper's figures are of its own preparation of the data and of the best
 * cell of its grid, chosen with the labels; ours are of the defaults.
 */
#include "table.h"
#include "../compared/compared.h"

enum { SEEDS = 10, FEW_SEEDS = 3, DRAWS = 20, MOST_TASKS = 4 };

static void by_kmeans(mtc_context *ctx, const mtc_data *X, size_t k,
                      int *labels)
{
    mtc_kmeans_options opt = mtc_kmeans_defaults();
    mtc_kmeans_result res;
    opt.clusters = k;
    ex_try(mtc_kmeans(ctx, X, &opt, &res), "k-means");
    memcpy(labels, res.labels, X->n * sizeof *labels);
    mtc_free(ctx, &res.block);
}

/* The decompositions have no chance in them: done once, they leave rows for
 * k-means, which takes the seeds.  Rows in memory of their own. */
static mtc_data rows_of(size_t n, size_t d, const mtc_real *from)
{
    mtc_real *rows = ex_grow(NULL, n * d, sizeof *rows);
    memcpy(rows, from, n * d * sizeof *rows);
    return mtc_dense(n, d, rows);
}

static mtc_data pca_rows(const mtc_data *X, size_t k)
{
    mtc_pca_options opt = mtc_pca_defaults();
    mtc_pca_result pca;
    (void)k;
    ex_try(mtc_pca(NULL, X, 1, &opt, &pca), "principal components");
    mtc_data rows = rows_of(X->n, pca.dimension, pca.scores);
    mtc_free(NULL, &pca.block);
    return rows;
}

/* mtc_ncut is k-means, best of 10, on just these rows. */
static mtc_data ncut_rows(const mtc_data *X, size_t k)
{
    mtc_ncut_options opt = mtc_ncut_defaults();
    mtc_ncut_result res;
    opt.clusters = k;
    opt.restarts = 1;
    opt.graph.neighbors = X->n > 1500 ? 100 : 0;    /* time, not quality */
    ex_try(mtc_ncut(NULL, X, &opt, &res), "normalized cut");
    mtc_data rows = rows_of(X->n, k, res.embedding);
    mtc_free(NULL, &res.block);
    return rows;
}

/* One row of the tables of clustering. */
typedef struct clustering clustering;

/* A method of one data set on each task, and on all of them as one. */
typedef void single(mtc_context *ctx, const mtc_data *X, size_t k,
                    int *labels);

struct clustering {
    const char *name;
    mtc_data (*rows)(const mtc_data *X, size_t k);  /* before, or NULL */
    single *one;                    /* NULL: LSSMTC with lambda and mode */
    int pooled, published;          /* published: the paper has such a row */
    mtc_real lambda;
    mtc_subspace_mode mode;
    size_t subspace;                /* 0: the default, 8 for ASI */
};

static void by_lssmtc(mtc_context *ctx, const mtc_data *X, size_t tasks,
                      size_t k, const clustering *c, int **labels)
{
    mtc_lssmtc_options opt = mtc_lssmtc_defaults();
    mtc_lssmtc_result res;
    opt.clusters = k;
    opt.lambda = c->lambda;
    opt.mode = c->mode;
    if (c->subspace > 0 || c->lambda == 0)
        opt.subspace = c->subspace > 0 ? c->subspace : 8;
    ex_try(mtc_lssmtc(ctx, X, tasks, &opt, &res), "LSSMTC");
    for (size_t t = 0; t < tasks; t++)
        memcpy(labels[t], res.labels[t], X[t].n * sizeof **labels);
    mtc_free(ctx, &res.block);
}

/* ASI: the paper's eigenproblem, and nothing else. */
static void by_asi(mtc_context *ctx, const mtc_data *X, size_t k, int *labels)
{
    static const clustering asi = {"ASI", NULL, NULL, 0, 1, 0,
                                   MTC_SUBSPACE_PCA, 8};
    by_lssmtc(ctx, X, 1, k, &asi, &labels);
}

static const clustering clusterings[] = {
    {"KM", NULL, by_kmeans, 0, 1, 0, 0, 0},
    {"PCAKM", pca_rows, by_kmeans, 0, 1, 0, 0, 0},
    {"NCut", ncut_rows, by_kmeans, 0, 1, 0, 0, 0},
    {"ASI", NULL, by_asi, 0, 1, 0, 0, 0},
    {"All KM", NULL, by_kmeans, 1, 1, 0, 0, 0},
    {"All PCAKM", pca_rows, by_kmeans, 1, 1, 0, 0, 0},
    {"All NCut", ncut_rows, by_kmeans, 1, 1, 0, 0, 0},
    {"All ASI", NULL, by_asi, 1, 1, 0, 0, 0},
    {"LSSMTC literal", NULL, NULL, 0, 0, (mtc_real).75,
     MTC_SUBSPACE_LITERAL, 0},
    {"LSSMTC pca", NULL, NULL, 0, 1, (mtc_real).75, MTC_SUBSPACE_PCA, 0},
    {"LSSMTC pca, lambda .25", NULL, NULL, 0, 0, (mtc_real).25,
     MTC_SUBSPACE_PCA, 0},
    {"LSSMTC recon (default)", NULL, NULL, 0, 0, (mtc_real).75, 0, 0},
    {"recon, lambda 1", NULL, NULL, 0, 0, 1, 0, 0},
    {"recon, lambda .5", NULL, NULL, 0, 0, (mtc_real).5, 0, 0},
    {"recon, lambda .25", NULL, NULL, 0, 0, (mtc_real).25, 0, 0}
};
enum { CLUSTERINGS = sizeof clusterings / sizeof *clusterings, LITERAL = 8,
       PUBLISHED = 9 };             /* rows of the paper */

/* The paper's figures: accuracy and NMI of each task, its rows in order. */
typedef double published[PUBLISHED][2 * MOST_TASKS];

static const published webkb4_paper = {
    {.5784, .2760, .5670, .2552, .5671, .2814, .6770, .3552},
    {.5938, .3085, .5616, .2446, .6105, .3224, .6882, .4187},
    {.4907, .2816, .6720, .3632, .5282, .3466, .6079, .2555},
    {.5119, .2374, .5512, .2947, .6097, .2933, .6418, .3591},
    {.5476, .1846, .5944, .3178, .5980, .2147, .5898, .3108},
    {.5912, .2318, .5952, .2059, .5718, .1413, .6753, .3812},
    {.5683, .2505, .5920, .2721, .4960, .2340, .5132, .2620},
    {.5731, .1209, .5384, .2296, .5044, .2965, .6234, .3363},
    {.6247, .3369, .6304, .3416, .6677, .3552, .7329, .4240}
};
static const published recvstalk_paper = {
    {.6467, .1884, .6454, .1568}, {.6757, .2122, .6344, .1416},
    {.6779, .2216, .6887, .2122}, {.6303, .1311, .6170, .1401},
    {.6551, .1742, .5898, .0558}, {.6765, .1796, .6061, .0770},
    {.6866, .2604, .6188, .0783}, {.6241, .1133, .5683, .0295},
    {.8433, .4306, .7895, .3473}
};
static const published compvssci_paper = {
    {.6130, .1727, .6716, .2087}, {.6073, .1661, .6716, .2087},
    {.6683, .2327, .6678, .1694}, {.7404, .3444, .6657, .1282},
    {.6656, .2330, .5407, .0532}, {.6659, .2334, .5409, .0536},
    {.6352, .1941, .5506, .0627}, {.6241, .1133, .5683, .0295},
    {.8801, .5376, .8016, .3347}
};

/* All tasks one above the other, in memory of its own. */
static mtc_data stacked(const mtc_data *X, size_t tasks)
{
    size_t n = 0, nnz = 0;
    for (size_t t = 0; t < tasks; t++) {
        n += X[t].n;
        nnz += X[t].row[X[t].n];
    }
    size_t *row = ex_grow(NULL, n + 1, sizeof *row), at = 0, line = 0;
    uint32_t *column = ex_grow(NULL, nnz, sizeof *column);
    mtc_real *values = ex_grow(NULL, nnz, sizeof *values);
    for (size_t t = 0; t < tasks; t++) {
        size_t count = X[t].row[X[t].n];
        memcpy(column + at, X[t].column, count * sizeof *column);
        memcpy(values + at, X[t].values, count * sizeof *values);
        for (size_t i = 0; i < X[t].n; i++)
            row[line++] = at + X[t].row[i];
        at += count;
    }
    row[n] = nnz;
    return mtc_csr(n, X[0].d, row, column, values);
}

/* One run of one method with one seed; score [2*tasks]. */
static void run_once(const clustering *m, const ex_set *set,
                     const mtc_data *X, const mtc_data *all, size_t tasks,
                     size_t k, uint64_t seed, double *score)
{
    mtc_context ctx = mtc_context_defaults();
    int *labels[MOST_TASKS], *flat = ex_grow(NULL, all->n, sizeof *flat);
    size_t at = 0;
    ctx.seed = seed;
    for (size_t t = 0; t < tasks; at += X[t++].n)
        labels[t] = flat + at;
    if (m->one == NULL)
        by_lssmtc(&ctx, X, tasks, k, m, labels);
    else if (m->pooled)
        m->one(&ctx, all, k, flat);
    else
        for (size_t t = 0; t < tasks; t++)
            m->one(&ctx, &X[t], k, labels[t]);
    for (size_t t = 0; t < tasks; t++) {
        mtc_scores s;
        ex_try(mtc_score(&ctx, X[t].n, set[t].labels, labels[t], &s), "score");
        score[2 * t] = (double)s.accuracy;
        score[2 * t + 1] = (double)s.nmi;
    }
    free(flat);
}

/* What the decompositions of a method leave of the tasks, or of all of them
 * as one; returns how many were made: 0 for methods without. */
static size_t make_rows(const clustering *c, const mtc_data *X,
                        const mtc_data *all, size_t tasks, size_t k,
                        mtc_data *made)
{
    size_t parts = c->rows == NULL ? 0 : c->pooled ? 1 : tasks;
    for (size_t t = 0; t < parts; t++)
        made[t] = c->rows(c->pooled ? all : &X[t], k);
    return parts;
}

/* A method on some tasks. */
typedef struct trial {
    const clustering *c;
    const ex_set *set;
    const mtc_data *X, *all;
    size_t tasks;
} trial;

static void run_seed(const void *of, size_t i, double *score)
{
    const trial *t = (const trial *)of;
    run_once(t->c, t->set, t->X, t->all, t->tasks, t->set[0].classes, i + 1,
             score);
}

/* A method with seeds 1 to `seeds`, decompositions done once. */
static void run_seeds(const clustering *c, const ex_set *set,
                      const mtc_data *X, const mtc_data *all, size_t tasks,
                      int seeds, ex_stat *stat)
{
    mtc_data made[MOST_TASKS];
    size_t k = set[0].classes, parts = make_rows(c, X, all, tasks, k, made);
    trial t = {c, set, parts > 0 && !c->pooled ? made : X,
               parts > 0 && c->pooled ? made : all, tasks};
    double *score = ex_runs((size_t)seeds, 2 * tasks, run_seed, &t);
    for (size_t seed = 0; seed < (size_t)seeds; seed++)
        for (size_t i = 0; i < 2 * tasks; i++)
            ex_add(&stat[i], score[seed * 2 * tasks + i]);
    free(score);
    for (size_t i = 0; i < parts; i++)
        free((void *)made[i].values);
}

static void clustering_table(const char *title, const ex_set *set,
                             const mtc_data *X, size_t tasks,
                             const published paper)
{
    mtc_data all = stacked(X, tasks);
    ex_tasks out = ex_task_head(title, tasks);
    size_t row = 0;
    for (size_t m = 0; m < CLUSTERINGS; m++) {
        const clustering *c = &clusterings[m];
        ex_stat stat[2 * MOST_TASKS] = {{0, 0, 0}};
        const double *theirs = c->published ? paper[row++] : NULL;
        int slow = m == LITERAL;    /* an eigenproblem of all features a step */
        if (slow && all.d + set[0].classes >= all.n)
            continue;               /* not defined */
        run_seeds(c, set, X, &all, tasks, slow ? FEW_SEEDS : SEEDS, stat);
        ex_task_row(&out, slow ? "LSSMTC literal, 3 seeds" : c->name, stat);
        if (theirs != NULL)
            ex_task_paper(&out, c->mode == MTC_SUBSPACE_PCA ? "paper, LSSMTC"
                                                            : "paper", theirs);
    }
    ex_print(&out.of[0]);
    ex_print(&out.of[1]);
    free((void *)all.row);
    free((void *)all.column);
    free((void *)all.values);
}

/* ---- transfer ---------------------------------------------------------- */

/* Labels of the target T from source S with its labels y. */
typedef void transfer(const mtc_data *S, const int *const *y,
                      const mtc_data *T, size_t c, int *labels);

static void by_svm(const mtc_data *S, const int *const *y, const mtc_data *T,
                   size_t c, int *labels)
{
    mtc_svm_options opt = mtc_svm_defaults();
    mtc_svm_result res;
    opt.classes = c;
    ex_try(mtc_svm(NULL, S, y[0], &opt, &res), "SVM");
    ex_try(mtc_svm_assign(NULL, T, S, &res, labels, NULL), "SVM");
    mtc_free(NULL, &res.block);
}

static void by_tsvm(const mtc_data *S, const int *const *y, const mtc_data *T,
                    size_t c, int *labels)
{
    cmp_tsvm_options opt = cmp_tsvm_defaults();
    cmp_tsvm_result res;
    opt.classes = c;
    ex_try(cmp_tsvm(NULL, S, y, 1, T, &opt, &res), "TSVM");
    memcpy(labels, res.labels, T->n * sizeof *labels);
    mtc_free(NULL, &res.block);
}

static void propagated(cmp_propagation kind, int mass, const mtc_data *S,
                       const int *const *y, const mtc_data *T, size_t c,
                       int *labels)
{
    cmp_propagate_options opt = cmp_propagate_defaults();
    cmp_propagate_result res;
    opt.classes = c;
    opt.kind = kind;
    opt.mass_normalization = mass;
    ex_try(cmp_propagate(NULL, S, y, 1, T, &opt, &res), "propagation");
    memcpy(labels, res.labels, T->n * sizeof *labels);
    mtc_free(NULL, &res.block);
}

static void by_gfhf(const mtc_data *S, const int *const *y, const mtc_data *T,
                    size_t c, int *labels)
{
    propagated(CMP_HARMONIC, 0, S, y, T, c, labels);
}

static void by_gfhf_mass(const mtc_data *S, const int *const *y,
                         const mtc_data *T, size_t c, int *labels)
{
    propagated(CMP_HARMONIC, 1, S, y, T, c, labels);
}

static void by_llgc(const mtc_data *S, const int *const *y, const mtc_data *T,
                    size_t c, int *labels)
{
    propagated(CMP_CONSISTENCY, 0, S, y, T, c, labels);
}

static void by_cdsc(const mtc_data *S, const int *const *y, const mtc_data *T,
                    size_t c, int *labels)
{
    cmp_cdsc_options opt = cmp_cdsc_defaults();
    cmp_cdsc_result res;
    opt.classes = c;
    ex_try(cmp_cdsc(NULL, S, y, 1, T, &opt, &res), "CDSC");
    memcpy(labels, res.labels, T->n * sizeof *labels);
    mtc_free(NULL, &res.block);
}

static void shared_subspace(const mtc_lssmtc_options *how, const mtc_data *S,
                            const int *const *y, const mtc_data *T, size_t c,
                            int *labels)
{
    mtc_lssmtc_options opt = *how;
    mtc_lssmtc_result res;
    opt.clusters = c;
    ex_try(mtc_lssttc(NULL, S, y, 1, T, &opt, &res), "LSSTTC");
    memcpy(labels, res.labels[1], T->n * sizeof *labels);
    mtc_free(NULL, &res.block);
}

static void by_lssttc(const mtc_data *S, const int *const *y,
                      const mtc_data *T, size_t c, int *labels)
{
    mtc_lssmtc_options opt = mtc_lssttc_defaults();
    shared_subspace(&opt, S, y, T, c, labels);
}

static void by_lssttc_5(const mtc_data *S, const int *const *y,
                        const mtc_data *T, size_t c, int *labels)
{
    mtc_lssmtc_options opt = mtc_lssttc_defaults();
    opt.iterations = 5;
    shared_subspace(&opt, S, y, T, c, labels);
}

static void by_lssttc_recon(const mtc_data *S, const int *const *y,
                            const mtc_data *T, size_t c, int *labels)
{
    mtc_lssmtc_options opt = mtc_lssttc_defaults();
    opt.mode = MTC_SUBSPACE_RECON;
    shared_subspace(&opt, S, y, T, c, labels);
}

static void by_nb(const mtc_data *S, const int *const *y, const mtc_data *T,
                  size_t c, int *labels)
{
    cmp_nb_options opt = cmp_nb_defaults();
    cmp_nb_result res;
    opt.classes = c;
    ex_try(cmp_nb(NULL, S, y, 1, T, &opt, &res), "naive Bayes");
    memcpy(labels, res.labels, T->n * sizeof *labels);
    mtc_free(NULL, &res.block);
}

/* CoCC from `start`, NULL: by naive Bayes. */
static void coclustered(const mtc_data *S, const int *const *y,
                        const mtc_data *T, size_t c, const int *start,
                        int realign, int *labels)
{
    cmp_cocc_options opt = cmp_cocc_defaults();
    cmp_cocc_result res;
    opt.classes = c;
    opt.start_labels = start;
    opt.realign = realign;
    ex_try(cmp_cocc(NULL, S, y, 1, T, &opt, &res), "CoCC");
    memcpy(labels, res.labels, T->n * sizeof *labels);
    mtc_free(NULL, &res.block);
}

static void by_cocc(const mtc_data *S, const int *const *y, const mtc_data *T,
                    size_t c, int *labels)
{
    coclustered(S, y, T, c, NULL, 0, labels);
}

/* The last two want counts. */
enum { COUNTED = 9, TRANSFERS = 11 };
static const struct { const char *name; transfer *run; } transfers[] = {
    {"SVM", by_svm},         {"TSVM", by_tsvm}, {"GFHF", by_gfhf},
    {"GFHF, masses", by_gfhf_mass}, {"LLGC", by_llgc}, {"CDSC", by_cdsc},
    {"LSSTTC pca (default)", by_lssttc}, {"pca, 5 steps", by_lssttc_5},
    {"LSSTTC recon", by_lssttc_recon}, {"naive Bayes", by_nb},
    {"CoCC", by_cocc}
};

/* Tables VI to VIII: SVM, LLGC, CDSC, LSSTTC, CoCC.  TSVM and GFHF are merged
 * in the printed page and cannot be told apart. */
enum { THEIRS = 5 };
static const int column_of[TRANSFERS] = {0, -1, -1, -1, 1, 2, 3, -1, -1, -1,
                                         4};
static const double webkb4_transfer[12][THEIRS] = {
    {.6280, .6520, .6760, .7024, .6400}, {.6371, .7379, .7339, .7419, .7258},
    {.7138, .7993, .8092, .8125, .7895}, {.5639, .6432, .6828, .6745, .6520},
    {.5645, .5403, .7218, .7661, .6573}, {.6382, .7171, .7336, .7513, .7237},
    {.6344, .6960, .7048, .7022, .6916}, {.5920, .6520, .6840, .6960, .6760},
    {.7237, .7368, .8257, .8414, .7796}, {.7269, .7357, .7093, .6493, .6740},
    {.6360, .6320, .6360, .6072, .6200}, {.5887, .5726, .7177, .7339, .6976}
};
static const double recvstalk_transfer[2][THEIRS] = {
    {.7605, .7625, .8628, .8841, .8544}, {.7310, .7055, .8829, .9170, .8574}
};
static const double compvssci_transfer[2][THEIRS] = {
    {.6902, .7170, .9196, .9489, .9063}, {.7803, .8800, .9003, .9056, .8960}
};

static double direct(const ex_set *set, const int *guess)
{
    mtc_scores score;
    ex_try(mtc_score(NULL, set->X.n, set->labels, guess, &score), "score");
    return (double)score.direct;
}

/* Tasks, from each of which labels go to each other one. */
typedef struct crossing {
    const ex_set *set;
    const mtc_data *X, *counts;
    size_t tasks;
} crossing;

/* The i-th ordered pair of two tasks. */
static void pair_at(size_t i, size_t tasks, size_t *s, size_t *t)
{
    *s = i / (tasks - 1);
    *t = i % (tasks - 1);
    *t += *t >= *s;
}

/* Run i: one method on one pair. */
static void one_transfer(const void *of, size_t i, double *accuracy)
{
    const crossing *c = (const crossing *)of;
    size_t s, t, m = i % TRANSFERS;
    pair_at(i / TRANSFERS, c->tasks, &s, &t);
    const mtc_data *data = m < COUNTED ? c->X : c->counts;
    const int *labels[1] = {c->set[s].labels};
    int *guess = ex_grow(NULL, data[t].n, sizeof *guess);
    transfers[m].run(&data[s], labels, &data[t], c->set[s].classes, guess);
    *accuracy = direct(&c->set[t], guess);
    free(guess);
}

/* Ours and in brackets, where it is known, the paper's. */
static void both_cell(ex_table *out, double ours, size_t m,
                      const double *paper)
{
    if (column_of[m] < 0)
        ex_cell(out, "%.3f", ours);
    else
        ex_cell(out, "%.3f (%.3f)", ours, paper[column_of[m]]);
}

/* X: tf-idf, counts: the same rows as counts. */
static void transfer_table(const char *title, const ex_set *set,
                           const mtc_data *X, const mtc_data *counts,
                           size_t tasks, const double paper[][THEIRS])
{
    double mean[TRANSFERS] = {0}, theirs[THEIRS] = {0};
    crossing of = {set, X, counts, tasks};
    size_t rows = tasks * (tasks - 1);
    double *all = ex_runs(rows * TRANSFERS, 1, one_transfer, &of);
    ex_table out = {TRANSFERS + 1, 0, NULL};
    ex_cell(&out, "%s", title);
    for (size_t m = 0; m < TRANSFERS; m++)
        ex_cell(&out, "%s", transfers[m].name);
    for (size_t row = 0; row < rows; row++) {
        size_t s, t;
        pair_at(row, tasks, &s, &t);
        ex_cell(&out, "%zu to %zu", s + 1, t + 1);
        for (size_t m = 0; m < TRANSFERS; m++) {
            mean[m] += all[row * TRANSFERS + m] / (double)rows;
            both_cell(&out, all[row * TRANSFERS + m], m, paper[row]);
        }
        for (size_t m = 0; m < THEIRS; m++)
            theirs[m] += paper[row][m] / (double)rows;
    }
    free(all);
    ex_cell(&out, "mean");
    for (size_t m = 0; m < TRANSFERS; m++)
        both_cell(&out, mean[m], m, theirs);
    ex_print(&out);
}

/* CoCC's loss does not know which cluster is which class.  So what of its
 * accuracy comes from the labels of the source?  The same start with these
 * labels shuffled; then random starts, without and with realign. */
enum { STARTS = 8 };

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void random_starts(ex_table *out, const mtc_data *S,
                          const int *const *labels, const mtc_data *T,
                          const ex_set *target, size_t c, int realign)
{
    double got[STARTS];
    int *start = ex_grow(NULL, T->n, sizeof *start);
    int *guess = ex_grow(NULL, T->n, sizeof *guess);
    for (size_t r = 0; r < STARTS; r++) {
        mtc_random draw_start = mtc_random_seed(100 + r);
        for (size_t i = 0; i < T->n; i++)
            start[i] = (int)mtc_random_below(&draw_start, c);
        coclustered(S, labels, T, c, start, realign, guess);
        got[r] = direct(target, guess);
    }
    qsort(got, STARTS, sizeof *got, ascending);
    ex_cell(out, "%.3f (%.3f to %.3f)", got[STARTS / 2], got[0],
            got[STARTS - 1]);
    free(start);
    free(guess);
}

static void names_table(const char *title, const ex_set *set,
                        const mtc_data *counts, size_t tasks)
{
    char head[200];
    snprintf(head, sizeof head, "%.40s, CoCC|true labels|shuffled, same start|"
             "random start, median of %d|with `--realign`", title, STARTS);
    ex_table out = ex_head(head);
    for (size_t row = 0; row < tasks * (tasks - 1); row++) {
        size_t s, t;
        pair_at(row, tasks, &s, &t);
        size_t n = counts[t].n, c = set[s].classes;
        mtc_random rng = mtc_random_seed(7);
        int *mixed = ex_grow(NULL, counts[s].n, sizeof *mixed);
        int *start = ex_grow(NULL, n, sizeof *start);
        int *guess = ex_grow(NULL, n, sizeof *guess);
        const int *true_labels[1] = {set[s].labels}, *shuffled[1] = {mixed};
        memcpy(mixed, set[s].labels, counts[s].n * sizeof *mixed);
        ex_shuffle(&rng, counts[s].n, mixed);
        by_nb(&counts[s], true_labels, &counts[t], c, start);
        ex_cell(&out, "%zu to %zu", s + 1, t + 1);
        for (int mix = 0; mix < 2; mix++) {
            coclustered(&counts[s], mix ? shuffled : true_labels, &counts[t],
                        c, start, 0, guess);
            ex_cell(&out, "%.3f", direct(&set[t], guess));
        }
        for (int realign = 0; realign < 2; realign++)
            random_starts(&out, &counts[s], true_labels, &counts[t], &set[t],
                          c, realign);
        free(mixed);
        free(start);
        free(guess);
    }
    ex_print(&out);
}

/* ---- generated tasks --------------------------------------------------- */

/* Gaussian clusters of deviation 1 around centers that all tasks have or that
 * each has for itself, `apart` from 0 in each of d features. */
typedef struct world {
    const char *name;
    size_t n, d;                    /* samples of a task, features */
    double apart;
    int shared;                     /* 1: the same centers in all tasks */
    double moved;                   /* how far a task is shifted as a whole */
} world;

static const world worlds[] = {
    {"same, 4 x 30", 30, 30, .45, 1, 0},
    {"same, 4 x 120", 120, 30, .45, 1, 0},
    {"shifted, 4 x 30", 30, 30, .45, 1, .3},
    {"unrelated, 4 x 30", 30, 5, 1.4, 0, 0}
};
enum { WORLDS = sizeof worlds / sizeof *worlds, CLASSES = 3 };

/* x [MOST_TASKS*n*d], one task above the other, class of row i: i mod 3. */
static void draw(const world *w, uint64_t seed, mtc_real *x)
{
    mtc_random rng = mtc_random_seed(seed);
    double center[CLASSES * 30], shift[30];
    for (size_t t = 0; t < MOST_TASKS; t++) {
        for (size_t p = 0; p < CLASSES * w->d && (t == 0 || !w->shared); p++)
            center[p] = w->apart * (double)mtc_random_normal(&rng);
        for (size_t c = 0; c < w->d; c++)
            shift[c] = w->moved * (double)mtc_random_normal(&rng);
        for (size_t i = 0; i < w->n; i++)
            for (size_t c = 0; c < w->d; c++)
                *x++ = (mtc_real)(center[i % CLASSES * w->d + c] + shift[c] +
                                  (double)mtc_random_normal(&rng));
    }
}

/* Mean accuracy over the tasks, for each method. */
static void clusterings_of(const ex_set *set, const mtc_data *X,
                           const mtc_data *all, double *score)
{
    for (size_t m = 0; m < CLUSTERINGS; m++) {
        ex_stat stat[2 * MOST_TASKS] = {{0, 0, 0}};
        score[m] = 0;
        run_seeds(&clusterings[m], set, X, all, MOST_TASKS, 1, stat);
        for (size_t t = 0; t < MOST_TASKS; t++)
            score[m] += ex_mean(&stat[2 * t]) / MOST_TASKS;
    }
}

/* From the first task to each of the others. */
static void transfers_of(const ex_set *set, const mtc_data *X, double *score)
{
    const int *labels[1] = {set[0].labels};
    int *guess = ex_grow(NULL, X[0].n, sizeof *guess);
    for (int m = 0; m < COUNTED; m++) {
        score[m] = 0;
        for (size_t t = 1; t < MOST_TASKS; t++) {
            transfers[m].run(&X[0], labels, &X[t], CLASSES, guess);
            score[m] += direct(&set[t], guess) / (MOST_TASKS - 1);
        }
    }
    free(guess);
}

/* All methods on one draw: clusterings, then transfers.  Run i: world
 * i / DRAWS. */
static void try_world(const void *of, size_t i, double *score)
{
    const world *w = (const world *)of + i / DRAWS;
    uint64_t seed = i % DRAWS + 1;
    size_t rows = MOST_TASKS * w->n;
    mtc_real *x = ex_grow(NULL, rows * w->d, sizeof *x);
    int *truth = ex_grow(NULL, w->n, sizeof *truth);
    mtc_data X[MOST_TASKS];
    ex_set set[MOST_TASKS];
    draw(w, seed, x);
    mtc_data all = mtc_dense(rows, w->d, x);
    for (size_t j = 0; j < w->n; j++)
        truth[j] = (int)(j % CLASSES);
    for (size_t t = 0; t < MOST_TASKS; t++) {
        X[t] = mtc_dense(w->n, w->d, x + t * w->n * w->d);
        set[t].X = X[t];
        set[t].labels = truth;
        set[t].classes = CLASSES;
    }
    clusterings_of(set, X, &all, score);
    transfers_of(set, X, score + CLUSTERINGS);
    free(x);
    free(truth);
}

static void generated(const char *dir)
{
    enum { ROWS = CLUSTERINGS + COUNTED };
    static ex_stat mean[WORLDS][ROWS], difference[WORLDS][ROWS];
    double *all = ex_runs(WORLDS * DRAWS, ROWS, try_world, worlds);
    (void)dir;
    for (size_t w = 0; w < WORLDS; w++)
        for (size_t i = 0; i < DRAWS; i++) {
            const double *score = all + (w * DRAWS + i) * ROWS;
            for (size_t r = 0; r < ROWS; r++) {
                size_t base = r < CLUSTERINGS ? 0 : CLUSTERINGS;
                ex_add(&mean[w][r], score[r]);
                ex_add(&difference[w][r], score[r] - score[base]);
            }
        }
    free(all);
    for (size_t half = 0; half < 2; half++) {
        size_t first = half ? CLUSTERINGS : 0, end = half ? ROWS : CLUSTERINGS;
        ex_table out = {WORLDS + 1, 0, NULL};
        ex_cell(&out, half ? "from task 1 to the others" : "accuracy");
        for (size_t w = 0; w < WORLDS; w++)
            ex_cell(&out, "%s", worlds[w].name);
        for (size_t r = first; r < end; r++) {
            ex_cell(&out, "%s", half ? transfers[r - CLUSTERINGS].name
                                     : clusterings[r].name);
            for (size_t w = 0; w < WORLDS; w++)
                ex_pair_cell(&out, &mean[w][r], &difference[w][r]);
        }
        ex_print(&out);
    }
}

/* ---- the paper's data -------------------------------------------------- */

typedef struct paper_set {
    const char *title, *folder, *file[MOST_TASKS];
    size_t tasks;
    const published *clusters;
    const double (*transfers)[THEIRS];
} paper_set;

static const paper_set webkb4_set = {
    "WebKB4", "webkb4", {"cornell", "texas", "washington", "wisconsin"},
    4, &webkb4_paper, webkb4_transfer};

/* The tasks of a set: rows by tf-idf, and as counts. */
typedef struct paper_tasks {
    ex_set set[2][MOST_TASKS];
    mtc_data X[2][MOST_TASKS];
} paper_tasks;

/* Returns 0 if the data are not there. */
static int load_tasks(const char *dir, const paper_set *p, paper_tasks *data)
{
    size_t d = 0;
    char path[1024], file[64];
    snprintf(path, sizeof path, "%.900s/%s", dir, p->folder);
    if (!ex_there(path, p->file[0])) {
        ex_say("%s is not there.\n\n", path);
        return 0;
    }
    for (size_t t = 0; t < p->tasks; t++) {
        snprintf(file, sizeof file, "%s.counts", p->file[t]);
        data->set[0][t] = ex_load(path, p->file[t]);
        data->set[1][t] = ex_load(path, file);
        for (int kind = 0; kind < 2; kind++)
            d = data->set[kind][t].X.d > d ? data->set[kind][t].X.d : d;
    }
    for (size_t t = 0; t < p->tasks; t++)
        for (int kind = 0; kind < 2; kind++) {
            data->X[kind][t] = data->set[kind][t].X;
            data->X[kind][t].d = d;     /* one feature space */
        }
    return 1;
}

static void free_tasks(const paper_set *p, paper_tasks *data)
{
    for (size_t t = 0; t < p->tasks; t++) {
        ex_free(&data->set[0][t]);
        ex_free(&data->set[1][t]);
    }
}

static void all_tables(const char *dir, const paper_set *p)
{
    paper_tasks data;
    if (!load_tasks(dir, p, &data))
        return;
    clustering_table(p->title, data.set[0], data.X[0], p->tasks, *p->clusters);
    transfer_table(p->title, data.set[0], data.X[0], data.X[1], p->tasks,
                   p->transfers);
    names_table(p->title, data.set[1], data.X[1], p->tasks);
    free_tasks(p, &data);
}

static void webkb4(const char *dir)
{
    all_tables(dir, &webkb4_set);
}

/* One cell of the grid: LSSMTC with that many seeds, accuracy of all tasks. */
static void grid_cell(ex_table *out, const clustering *c,
                      const paper_tasks *data, size_t tasks)
{
    mtc_data all = stacked(data->X[0], tasks);
    trial t = {c, data->set[0], data->X[0], &all, tasks};
    ex_stat accuracy = {0, 0, 0};
    double *score = ex_runs(SEEDS, 2 * tasks, run_seed, &t);
    for (size_t seed = 0; seed < SEEDS; seed++) {
        double mean = 0;
        for (size_t i = 0; i < tasks; i++)
            mean += score[(seed * tasks + i) * 2] / (double)tasks;
        ex_add(&accuracy, mean);
    }
    ex_mean_cell(out, &accuracy);
    free(score);
    free((void *)all.row);
    free((void *)all.column);
    free((void *)all.values);
}

/* The paper's grid on WebKB4.  Whoever takes its best cell chooses by the
 * labels. */
static void grid(const char *dir)
{
    static const mtc_real lambda[] = {(mtc_real).25, (mtc_real).5,
                                      (mtc_real).75};
    static const mtc_subspace_mode mode[] = {MTC_SUBSPACE_PCA,
                                             MTC_SUBSPACE_RECON};
    paper_tasks data;
    if (!load_tasks(dir, &webkb4_set, &data))
        return;
    ex_table out = ex_head("mode, lambda|subspace 2|4|8|16");
    for (size_t m = 0; m < 2; m++)
        for (size_t i = 0; i < 3; i++) {
            ex_cell(&out, "%s, %.2g", m == 0 ? "pca" : "recon",
                    (double)lambda[i]);
            for (size_t width = 2; width <= 16; width *= 2) {
                clustering c = {"", NULL, NULL, 0, 0, lambda[i], mode[m],
                                width};
                grid_cell(&out, &c, &data, webkb4_set.tasks);
            }
        }
    ex_print(&out);
    free_tasks(&webkb4_set, &data);
}

static void recvstalk(const char *dir)
{
    static const paper_set p = {
        "RecvsTalk", "recvstalk", {"task1", "task2", NULL, NULL}, 2,
        &recvstalk_paper, recvstalk_transfer};
    all_tables(dir, &p);
}

static void compvssci(const char *dir)
{
    static const paper_set p = {
        "CompvsSci", "compvssci", {"task1", "task2", NULL, NULL}, 2,
        &compvssci_paper, compvssci_transfer};
    all_tables(dir, &p);
}

int main(int argc, char **argv)
{
    static const ex_part parts[] = {
        {"generated", 0, generated}, {"webkb4", 1, webkb4}, {"grid", 1, grid},
        {"recvstalk", 1, recvstalk}, {"compvssci", 1, compvssci}};
    return ex_main(argc, argv, parts, sizeof parts / sizeof *parts);
}
