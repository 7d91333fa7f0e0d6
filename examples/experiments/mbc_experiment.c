/* SPDX-License-Identifier: MIT
 *
 * mbc_experiment.c - the experiments of Zhang & Zhang, AAAI 2010, again.
 *
 *     build/mbc_experiment [--markdown] [DATA [PART...]]
 *
 * The parts: generated, tr11, tr45, ng20-2, ng20-1, ng20-3, cluto.  The first
 * needs no data.  DATA has cluto-tr11, cluto-tr45, ng20-2, ng20-1 and ng20-3,
 * each with task1.svm and task2.svm (tf-idf, rows of length 1); the first two
 * also taskN.disjoint.rows with the row numbers (from 1) of a split in which
 * no document is in both tasks.  cluto runs those of cluto-reviews, cluto-sports,
 * cluto-hitech, cluto-ohscal and cluto-tr23 that you have.
 *
 * Runs come in pairs: lambda 0 (IND in the paper) and lambda .5 (MBC) from
 * the same start.  A cell is a mean over the pairs; in brackets are the paired
 * difference and Student's t of it.  d_M is of another scale than the
 * paper's: compare ratios.  r is the correlation of the two tasks over the
 * runs, which figures 1 and 2 of the paper show as clouds of points.
 *
 * The paper begins from random labels, and its tasks share the documents of
 * the common classes.
 */
#include "table.h"

/* The paper's tables 3 and 4: IND, MBC of each task; d_M IND, MBC, true. */
typedef struct published {
    const char *name, *folder;
    size_t pairs;
    int disjoint;                   /* 1: there are taskN.disjoint.rows */
    double nmi[2][2], ari[2][2], d_M[3];
} published;

static const published sets[] = {
    {"tr11", "cluto-tr11", 100, 1, {{.51, .55}, {.46, .56}},
     {{.41, .45}, {.36, .47}}, {6.33, 2.84, 4.16}},
    {"tr45", "cluto-tr45", 100, 1, {{.55, .56}, {.49, .53}},
     {{.46, .49}, {.32, .41}}, {11.56, 9.34, 7.52}},
    {"NG20-2", "ng20-2", 20, 0, {{.46, .50}, {.48, .50}},
     {{.19, .33}, {.19, .30}}, {28.61, 7.92, 6.18}},
    {"NG20-1", "ng20-1", 100, 0, {{.40, .49}, {.40, .49}},
     {{.13, .32}, {.13, .33}}, {27.39, 4.44, 3.67}},
    {"NG20-3", "ng20-3", 100, 0, {{.44, .52}, {.40, .41}},
     {{.15, .35}, {.12, .14}}, {0, 0, 0}},
    {"reviews", "cluto-reviews", 100, 0, {{.32, .42}, {.32, .36}},
     {{.19, .35}, {.25, .31}}, {7.33, 3.18, 1.64}},
    {"sports", "cluto-sports", 20, 0, {{.38, .52}, {.46, .53}},
     {{.21, .51}, {.30, .37}}, {8.14, 5.91, 5.18}},
    {"hitech", "cluto-hitech", 100, 0, {{.28, .29}, {.14, .18}},
     {{.20, .26}, {.07, .12}}, {15.97, 7.42, 2.54}},
    {"ohscal", "cluto-ohscal", 20, 0, {{.42, .43}, {.45, .45}},
     {{.31, .32}, {.32, .34}}, {8.57, 7.67, 4.90}},
    {"tr23", "cluto-tr23", 100, 0, {{.24, .26}, {.24, .26}},
     {{.11, .13}, {.14, .16}}, {8.49, 8.07, 3.55}}
};
enum { SETS = sizeof sets / sizeof *sets, CLUTO = 5 };  /* the first of them */

/* ---- runs ---------------------------------------------------------------- */

enum { NMI = 0, ARI = 2, D_M = 4, BETWEEN = 5, FIGURES = 6 };   /* of a run */

typedef struct trial {
    const ex_set *set;
    const mtc_data *X;
    int random_labels;
} trial;

static mtc_scores score(size_t n, const int *truth, const int *labels)
{
    mtc_scores s;
    ex_try(mtc_score(NULL, n, truth, labels, &s), "score");
    return s;
}

/* Run i: seed i / 2 + 1, with lambda 0 if i is even, else .5.  Figures: NMI
 * and ARI of both tasks, d_M, and if the tasks have the same samples the NMI
 * between their answers. */
static void one_run(const void *of, size_t i, double *figure)
{
    const trial *t = (const trial *)of;
    const mtc_data *X = t->X;
    mtc_context ctx = mtc_context_defaults();
    mtc_mbc_options opt = mtc_mbc_defaults();
    mtc_mbc_result res;
    size_t k[2] = {t->set[0].classes, t->set[1].classes};
    int *start[2] = {NULL, NULL};
    mtc_random rng = mtc_random_seed(i / 2 + 1);
    ctx.seed = i / 2 + 1;
    opt.clusters_of = k;
    opt.restarts = 1;                   /* as in the paper */
    opt.lambda = i % 2 == 0 ? 0 : (mtc_real).5;
    for (size_t a = 0; a < 2 && t->random_labels; a++) {
        start[a] = ex_grow(NULL, X[a].n, sizeof **start);
        for (size_t e = 0; e < X[a].n; e++)
            start[a][e] = (int)mtc_random_below(&rng, k[a]);
    }
    if (t->random_labels)
        opt.start_labels = (const int *const *)start;
    ex_try(mtc_mbc(&ctx, X, 2, &opt, &res), "MBC");
    for (size_t a = 0; a < 2; a++) {
        mtc_scores s = score(X[a].n, t->set[a].labels, res.labels[a]);
        figure[NMI + a] = (double)s.nmi;
        figure[ARI + a] = (double)s.ari;
        free(start[a]);
    }
    figure[D_M] = (double)res.coherence[1];
    if (X[0].n == X[1].n)
        figure[BETWEEN] = (double)score(X[0].n, res.labels[0],
                                        res.labels[1]).nmi;
    mtc_free(&ctx, &res.block);
}

/* What the pairs left of each figure: with lambda 0, with .5, difference. */
typedef struct outcome { ex_stat of[FIGURES][3]; double r[2][2]; } outcome;

/* Correlation of figures `at` and `at` + 1 over every second run. */
static double correlation(const double *all, size_t pairs, size_t at)
{
    ex_stat x = {0, 0, 0}, y = {0, 0, 0}, product = {0, 0, 0};
    for (size_t i = 0; i < pairs; i++) {
        const double *f = all + 2 * i * FIGURES + at;
        ex_add(&x, f[0]);
        ex_add(&y, f[1]);
        ex_add(&product, f[0] * f[1]);
    }
    double n = (double)pairs, both = ex_deviation(&x) * ex_deviation(&y);
    double covariance = ex_mean(&product) - ex_mean(&x) * ex_mean(&y);
    return both > 0 ? n / (n - 1) * covariance / both : 0;
}

static outcome run_pairs(const ex_set *set, const mtc_data *X, size_t pairs,
                         int random_labels)
{
    trial of = {set, X, random_labels};
    double *all = ex_runs(2 * pairs, FIGURES, one_run, &of);
    outcome out;
    memset(&out, 0, sizeof out);
    for (size_t i = 0; i < pairs; i++) {
        const double *alone = all + 2 * i * FIGURES, *shared = alone + FIGURES;
        for (size_t f = 0; f < FIGURES; f++) {
            ex_add(&out.of[f][0], alone[f]);
            ex_add(&out.of[f][1], shared[f]);
            ex_add(&out.of[f][2], shared[f] - alone[f]);
        }
    }
    for (size_t m = 0; m < 2; m++) {
        out.r[m][0] = correlation(all + m * FIGURES, pairs, NMI);
        out.r[m][1] = correlation(all + m * FIGURES, pairs, ARI);
    }
    free(all);
    return out;
}

/* ---- tables -------------------------------------------------------------- */

/* Table 3; table 4; the clouds of figures 1 and 2; s_nmi. */
typedef struct pages {
    ex_table scores, coherence, clouds, between;
} pages;

static pages new_pages(const char *name, size_t pairs)
{
    char head[160];
    pages p;
    snprintf(head, sizeof head, "%s, %zu pairs|NMI, lambda 0|lambda .5|paper|"
             "ARI, lambda 0|lambda .5|paper", name, pairs);
    p.scores = ex_head(head);
    snprintf(head, sizeof head, "%s, d_M|lambda 0|lambda .5|true classes|"
             "paper", name);
    p.coherence = ex_head(head);
    snprintf(head, sizeof head, "%s, r|NMI, lambda 0|lambda .5|"
             "ARI, lambda 0|lambda .5", name);
    p.clouds = ex_head(head);
    snprintf(head, sizeof head, "%s, s_nmi|lambda 0|lambda .5", name);
    p.between = ex_head(head);
    return p;
}

static void print_pages(pages *p, int same_samples)
{
    ex_print(&p->scores);
    ex_print(&p->coherence);
    ex_print(&p->clouds);
    if (same_samples)
        ex_print(&p->between);
    free(p->between.cell);
}

static void paper_cell(ex_table *t, const double *paper)
{
    if (paper != NULL)
        ex_cell(t, "%.2f, %.2f", paper[0], paper[1]);
    else
        ex_blank(t);
}

/* The rows of one kind of start and split. */
static void add_rows(pages *p, const char *kind, const ex_set *set,
                     size_t pairs, int random_labels, const published *paper)
{
    mtc_real d_true;
    size_t d = set[0].X.d > set[1].X.d ? set[0].X.d : set[1].X.d;
    mtc_data X[2] = {set[0].X, set[1].X};
    X[0].d = X[1].d = d;
    outcome o = run_pairs(set, X, pairs, random_labels);
    for (size_t t = 0; t < 2; t++) {
        ex_cell(&p->scores, "%s, task %zu", kind, t + 1);
        ex_mean_cell(&p->scores, &o.of[NMI + t][0]);
        ex_pair_cell(&p->scores, &o.of[NMI + t][1], &o.of[NMI + t][2]);
        paper_cell(&p->scores, paper != NULL ? paper->nmi[t] : NULL);
        ex_mean_cell(&p->scores, &o.of[ARI + t][0]);
        ex_pair_cell(&p->scores, &o.of[ARI + t][1], &o.of[ARI + t][2]);
        paper_cell(&p->scores, paper != NULL ? paper->ari[t] : NULL);
    }
    ex_try(mtc_partition_emd(NULL, &X[0], set[0].labels, set[0].classes,
                             &X[1], set[1].labels, set[1].classes, NULL,
                             &d_true), "true d_M");
    ex_cell(&p->coherence, "%s", kind);
    for (size_t m = 0; m < 2; m++)
        ex_cell(&p->coherence, "%.4f", ex_mean(&o.of[D_M][m]));
    ex_cell(&p->coherence, "%.4f", (double)d_true);
    if (paper != NULL && paper->d_M[0] > 0)
        ex_cell(&p->coherence, "%.2f, %.2f, true %.2f", paper->d_M[0],
                paper->d_M[1], paper->d_M[2]);
    else
        ex_blank(&p->coherence);
    ex_cell(&p->clouds, "%s", kind);
    for (size_t measure = 0; measure < 2; measure++)
        for (size_t m = 0; m < 2; m++)
            ex_cell(&p->clouds, "%+.2f", o.r[m][measure]);
    ex_cell(&p->between, "%s", kind);
    ex_mean_cell(&p->between, &o.of[BETWEEN][0]);
    ex_pair_cell(&p->between, &o.of[BETWEEN][1], &o.of[BETWEEN][2]);
}

/* ---- data ---------------------------------------------------------------- */

/* The rows that a file of numbers from 1 names, in memory of its own. */
static ex_set chosen_rows(const ex_set *from, const char *dir,
                          const char *name)
{
    char path[1024];
    int length = snprintf(path, sizeof path, "%s/%s.disjoint.rows", dir, name);
    FILE *f = length > 0 && length < (int)sizeof path ? fopen(path, "r") : NULL;
    if (f == NULL)
        ex_die(path, "cannot be opened");
    const mtc_data *X = &from->X;
    size_t *row = ex_grow(NULL, X->n + 1, sizeof *row), n = 0, at = 0, line;
    uint32_t *column = ex_grow(NULL, X->row[X->n], sizeof *column);
    mtc_real *values = ex_grow(NULL, X->row[X->n], sizeof *values);
    int *labels = ex_grow(NULL, X->n, sizeof *labels);
    while (fscanf(f, "%zu", &line) == 1) {
        if (line == 0 || line > X->n || n == X->n)
            ex_die(path, "names a row that is not there");
        size_t first = X->row[line - 1], count = X->row[line] - first;
        memcpy(column + at, X->column + first, count * sizeof *column);
        memcpy(values + at, X->values + first, count * sizeof *values);
        labels[n] = from->labels[line - 1];
        row[n++] = at;
        at += count;
    }
    fclose(f);
    row[n] = at;
    ex_set set = {mtc_csr(n, X->d, row, column, values), labels, 0};
    set.classes = ex_rank(n, labels);
    return set;
}

static void run_set(const char *data, const published *paper)
{
    char dir[1000];
    ex_set set[2], part[2];
    if (snprintf(dir, sizeof dir, "%s/%s", data, paper->folder) >=
        (int)sizeof dir)
        ex_die(data, "too long a name");
    if (!ex_there(dir, "task1")) {
        ex_say("%s is not there.\n\n", dir);
        return;
    }
    pages p = new_pages(paper->name, paper->pairs);
    set[0] = ex_load(dir, "task1");
    set[1] = ex_load(dir, "task2");
    add_rows(&p, "random labels", set, paper->pairs, 1, paper);
    add_rows(&p, "seeds", set, paper->pairs, 0, NULL);
    if (paper->disjoint) {
        part[0] = chosen_rows(&set[0], dir, "task1");
        part[1] = chosen_rows(&set[1], dir, "task2");
        add_rows(&p, "disjoint, random labels", part, paper->pairs, 1, NULL);
        add_rows(&p, "disjoint, seeds", part, paper->pairs, 0, NULL);
        ex_free(&part[0]);
        ex_free(&part[1]);
    }
    print_pages(&p, strcmp(paper->folder, "ng20-3") == 0);
    ex_free(&set[0]);
    ex_free(&set[1]);
}

static void tr11(const char *dir)
{
    run_set(dir, &sets[0]);
}

static void tr45(const char *dir)
{
    run_set(dir, &sets[1]);
}

static void ng20_2(const char *dir)
{
    run_set(dir, &sets[2]);
}

static void ng20_1(const char *dir)
{
    run_set(dir, &sets[3]);
}

static void ng20_3(const char *dir)
{
    run_set(dir, &sets[4]);
}

static void cluto(const char *dir)
{
    for (size_t i = CLUTO; i < SETS; i++)
        run_set(dir, &sets[i]);
}

/* n documents of `topics` kinds: 40 words each, three in ten from the topic's
 * own 20 words, the others from 300 that all share; rows of length 1. */
static ex_set documents(size_t n, size_t topics, uint64_t seed)
{
    enum { COMMON = 300, OWN = 20, WORDS = 40 };
    size_t d = COMMON + OWN * topics, at = 0;
    size_t *row = ex_grow(NULL, n + 1, sizeof *row);
    uint32_t *column = ex_grow(NULL, n * WORDS, sizeof *column);
    mtc_real *values = ex_grow(NULL, n * WORDS, sizeof *values);
    mtc_real *count = ex_grow(NULL, d, sizeof *count);
    int *labels = ex_grow(NULL, n, sizeof *labels);
    mtc_random rng = mtc_random_seed(seed);
    for (size_t i = 0; i < n; i++) {
        double length = 0;
        memset(count, 0, d * sizeof *count);
        labels[i] = (int)(i % topics);
        row[i] = at;
        for (int w = 0; w < WORDS; w++)
            count[mtc_random_below(&rng, 10) < 3
                      ? COMMON + OWN * (i % topics) +
                            mtc_random_below(&rng, OWN)
                      : mtc_random_below(&rng, COMMON)] += 1;
        for (size_t j = 0; j < d; j++)
            length += (double)(count[j] * count[j]);
        for (size_t j = 0; j < d; j++)
            if (count[j] > 0) {
                column[at] = (uint32_t)j;
                values[at++] = (mtc_real)((double)count[j] / sqrt(length));
            }
    }
    row[n] = at;
    free(count);
    ex_set set = {mtc_csr(n, d, row, column, values), labels, topics};
    return set;
}

static void generated(const char *dir)
{
    ex_set set[2] = {documents(60, 5, 11), documents(60, 5, 12)};
    pages p = new_pages("2 x 60 generated documents", 20);
    (void)dir;
    add_rows(&p, "random labels", set, 20, 1, NULL);
    add_rows(&p, "seeds", set, 20, 0, NULL);
    print_pages(&p, 0);
    ex_free(&set[0]);
    ex_free(&set[1]);
}

int main(int argc, char **argv)
{
    static const ex_part parts[] = {
        {"generated", 0, generated}, {"tr11", 1, tr11}, {"tr45", 1, tr45},
        {"ng20-2", 1, ng20_2}, {"ng20-1", 1, ng20_1}, {"ng20-3", 1, ng20_3},
        {"cluto", 1, cluto}};
    return ex_main(argc, argv, parts, sizeof parts / sizeof *parts);
}
