/* SPDX-License-Identifier: MIT
 *
 * mbc_experiment.c - the experiments of Zhang & Zhang, AAAI 2010, again.
 *
 *     build/mbc_experiment [DATA]         (or set MTC_DATA)
 *
 * First generated documents.  Then DATA, where it is given: it holds
 * cluto-tr11, cluto-tr45 and ng20-2, each with task1.svm and task2.svm
 * (tf-idf, rows of length 1); the first two also taskN.disjoint.rows
 * with the row numbers (from 1) of a split in which no document is in both
 * tasks.
 *
 * Runs come in pairs: lambda 0 (IND in the paper) and lambda .5 (MBC) from
 * the same start.  Printed: NMI and ARI, mean +- standard deviation over 20
 * runs; the difference with its standard error, which being paired is far
 * smaller than the deviations suggest; d_M; beside tables 3 and 4 of the
 * paper.  What lies within two standard errors is not called a gain.
 *
 * The paper begins from random labels, and its tasks share the documents of
 * the common classes ("overlapping").  Its d_M is of another scale than ours:
 * compare ratios.
 */
#include "experiment.h"

enum { RUNS = 20 };

/* The paper's tables 3 and 4: IND, MBC of each task; d_M IND, MBC, true. */
typedef struct published {
    const char *name;
    double nmi[2][2], ari[2][2], d_M[3];
} published;

static const published tr11 = {"tr11",
    {{.51, .55}, {.46, .56}}, {{.41, .45}, {.36, .47}}, {6.33, 2.84, 4.16}};
static const published tr45 = {"tr45",
    {{.55, .56}, {.49, .53}}, {{.46, .49}, {.32, .41}}, {11.56, 9.34, 7.52}};
static const published ng20_2 = {"NG20-2",
    {{.46, .50}, {.48, .50}}, {{.19, .33}, {.19, .30}}, {28.61, 7.92, 6.18}};

/* What 20 pairs left: [task][IND, MBC, difference]. */
typedef struct pairs { ex_stat nmi[2][3], ari[2][3], d_M[2]; } pairs;

static double standard_error(const ex_stat *s)
{
    return ex_deviation(s) / sqrt(s->n);
}

/* One run; scores [nmi, ari] of each task, returns d_M. */
static double run_once(const ex_set *set, const mtc_data *X, double lambda,
                       uint64_t seed, int random_labels, double score[2][2])
{
    mtc_context ctx = mtc_context_defaults();
    mtc_mbc_options opt = mtc_mbc_defaults();
    mtc_mbc_result res;
    size_t k[2] = {set[0].classes, set[1].classes};
    int *start[2] = {NULL, NULL};
    mtc_random rng = mtc_random_seed(seed);
    ctx.seed = seed;
    opt.clusters_of = k;
    opt.lambda = (mtc_real)lambda;
    for (size_t t = 0; t < 2 && random_labels; t++) {
        start[t] = ex_grow(NULL, X[t].n, sizeof **start);
        for (size_t i = 0; i < X[t].n; i++)
            start[t][i] = (int)mtc_random_below(&rng, k[t]);
    }
    if (random_labels)
        opt.start_labels = (const int *const *)start;
    ex_try(mtc_mbc(&ctx, X, 2, &opt, &res), "MBC");
    for (size_t t = 0; t < 2; t++) {
        mtc_scores s;
        ex_try(mtc_score(&ctx, X[t].n, set[t].labels, res.labels[t], &s),
               "score");
        score[t][0] = (double)s.nmi;
        score[t][1] = (double)s.ari;
        free(start[t]);
    }
    double d_M = (double)res.coherence[1];
    mtc_free(&ctx, &res.block);
    return d_M;
}

typedef struct trial {
    const ex_set *set;
    const mtc_data *X;
    int random_labels;
} trial;

enum { FIGURES = 5 };               /* d_M; nmi, ari of each task */

/* Run i: seed i / 2 + 1, with lambda 0 if i is even, else .5. */
static void run_seed(const void *of, size_t i, double *figure)
{
    const trial *t = (const trial *)of;
    double score[2][2];
    figure[0] = run_once(t->set, t->X, i % 2 == 0 ? 0 : .5, i / 2 + 1,
                         t->random_labels, score);
    memcpy(figure + 1, score, sizeof score);
}

static void run_pairs(const ex_set *set, const mtc_data *X, int runs,
                      int random_labels, pairs *p)
{
    trial of = {set, X, random_labels};
    double *all = ex_runs(2 * (size_t)runs, FIGURES, run_seed, &of);
    memset(p, 0, sizeof *p);
    for (int s = 0; s < runs; s++) {
        const double *f[2] = {all + 2 * s * FIGURES,
                              all + (2 * s + 1) * FIGURES};
        for (size_t m = 0; m < 2; m++)
            ex_add(&p->d_M[m], f[m][0]);
        for (size_t t = 0; t < 2; t++) {
            for (size_t m = 0; m < 2; m++) {
                ex_add(&p->nmi[t][m], f[m][1 + 2 * t]);
                ex_add(&p->ari[t][m], f[m][2 + 2 * t]);
            }
            ex_add(&p->nmi[t][2], f[1][1 + 2 * t] - f[0][1 + 2 * t]);
            ex_add(&p->ari[t][2], f[1][2 + 2 * t] - f[0][2 + 2 * t]);
        }
    }
    free(all);
}

/* -1, 0, 1: lower, not to be told apart, higher. */
static int verdict(const ex_stat *difference)
{
    double mean = ex_mean(difference), twice = 2 * standard_error(difference);
    return mean > twice ? 1 : mean < -twice ? -1 : 0;
}

static void print_line(size_t t, const char *measure, const ex_stat s[3],
                       const double *paper)
{
    static const char *const word[] = {"loss", "none", "gain"};
    printf("  task %zu  %s  %.3f +- %.3f  %.3f +- %.3f  %+.3f (%.3f)  %s",
           t + 1, measure, ex_mean(&s[0]), ex_deviation(&s[0]),
           ex_mean(&s[1]), ex_deviation(&s[1]), ex_mean(&s[2]),
           standard_error(&s[2]), word[verdict(&s[2]) + 1]);
    if (paper != NULL)
        printf("   %.2f -> %.2f", paper[0], paper[1]);
    printf("\n");
}

/* One table, and whether the paper's gains are there. */
static void table(const char *title, const ex_set *set, int runs,
                  int random_labels, const published *paper)
{
    pairs p;
    mtc_real d_true;
    int found = 0, lost = 0;
    size_t d = set[0].X.d > set[1].X.d ? set[0].X.d : set[1].X.d;
    mtc_data X[2] = {set[0].X, set[1].X};
    X[0].d = X[1].d = d;
    run_pairs(set, X, runs, random_labels, &p);
    ex_try(mtc_partition_emd(NULL, &X[0], set[0].labels, set[0].classes,
                             &X[1], set[1].labels, set[1].classes, NULL,
                             &d_true), "true d_M");
    printf("\n%s, %s: %d pairs\n"
           "                 lambda 0 (IND)   lambda .5 (MBC)  difference (se)"
           "    %s\n", title, random_labels ? "random labels" : "seeds", runs,
           paper != NULL ? "      paper" : "");
    for (size_t t = 0; t < 2; t++) {
        print_line(t, "NMI", p.nmi[t], paper != NULL ? paper->nmi[t] : NULL);
        print_line(t, "ARI", p.ari[t], paper != NULL ? paper->ari[t] : NULL);
        found += verdict(&p.nmi[t][2]) > 0;
        lost += verdict(&p.nmi[t][2]) < 0;
    }
    printf("  d_M          %.4f +- %.4f  %.4f +- %.4f  true classes %.4f",
           ex_mean(&p.d_M[0]), ex_deviation(&p.d_M[0]), ex_mean(&p.d_M[1]),
           ex_deviation(&p.d_M[1]), (double)d_true);
    if (paper != NULL)
        printf("   %.2f -> %.2f, true %.2f", paper->d_M[0], paper->d_M[1],
               paper->d_M[2]);
    printf("\n  MBC gains in NMI beyond two standard errors in %d of 2 tasks, "
           "loses in %d", found, lost);
    if (paper != NULL)
        printf("; the paper reports a gain in both: %s",
               found == 2   ? "reproduced"
               : found == 1 ? "reproduced in one"
                            : "not reproduced");
    printf(".\n");
    fflush(stdout);
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

static void experiment(const char *data, const char *folder, int disjoint,
                       int runs, const published *paper)
{
    char dir[1000], title[100];
    ex_set set[2], part[2];
    if (snprintf(dir, sizeof dir, "%s/%s", data, folder) >= (int)sizeof dir)
        ex_die(data, "too long a name");
    set[0] = ex_load(dir, "task1");
    set[1] = ex_load(dir, "task2");
    sprintf(title, "%s, overlapping", paper->name);
    table(title, set, runs, 1, paper);
    table(title, set, runs, 0, paper);
    if (disjoint) {
        part[0] = chosen_rows(&set[0], dir, "task1");
        part[1] = chosen_rows(&set[1], dir, "task2");
        sprintf(title, "%s, disjoint", paper->name);
        table(title, part, runs, 1, NULL);
        table(title, part, runs, 0, NULL);
        ex_free(&part[0]);
        ex_free(&part[1]);
    }
    ex_free(&set[0]);
    ex_free(&set[1]);
}

/* n documents of `topics` kinds: 40 words each, three in ten from the topic's
 * own 20 words, the others from 300 that all share; rows of length 1. */
static ex_set generated(size_t n, size_t topics, uint64_t seed)
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

int main(int argc, char **argv)
{
    ex_jobs(&argc, argv);
    ex_set set[2] = {generated(60, 5, 11), generated(60, 5, 12)};
    printf("Two tasks of 60 generated documents.\n");
    ex_progress(0, 5);
    table("generated, 5 topics", set, RUNS, 1, NULL);
    ex_progress(1, 5);
    table("generated, 5 topics", set, RUNS, 0, NULL);
    ex_progress(2, 5);
    ex_free(&set[0]);
    ex_free(&set[1]);
    if (argc < 2 && getenv("MTC_DATA") == NULL) {
        ex_progress(5, 5);
        return 0;
    }
    const char *data = ex_directory(argc, argv);
    experiment(data, "cluto-tr11", 1, RUNS, &tr11);
    ex_progress(3, 5);
    experiment(data, "cluto-tr45", 1, RUNS, &tr45);
    ex_progress(4, 5);
    experiment(data, "ng20-2", 0, RUNS, &ng20_2);
    ex_progress(5, 5);
    return 0;
}
