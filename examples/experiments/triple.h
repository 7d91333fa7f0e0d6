/* SPDX-License-Identifier: MIT
 *
 * triple.h - source, bridge and target for the programs about TTL: texts that
 * are drawn, of which it is known what the domains share, and the methods that
 * both programs run on them.
 */
#ifndef EXPERIMENT_TRIPLE_H
#define EXPERIMENT_TRIPLE_H

#include "table.h"

/* ---- generated text ----------------------------------------------------
 * m words; class z of a domain draws from a topic that all domains share
 * (1 - shift), one of the domain's own (shift), one of two subtopics that have
 * nothing to do with the classes, and a background.  In the source the odd
 * words do not occur, in the target the even ones. */
typedef struct world {
    size_t m, classes, words;
    double shift, strength;         /* share of class topics in a text */
    double sub;                     /* share of subtopics */
    uint64_t seed;
} world;

enum { SOURCE, BRIDGE, TARGET, MOST_WORDS = 1000, MOST_CLASSES = 4 };

static inline double at_random(uint64_t seed, uint64_t a, uint64_t b,
                               uint64_t c)
{
    mtc_random r = mtc_random_seed(seed * 1000003u + a * 8191u + b * 131071u +
                                   c * 524287u);
    mtc_random_bits(&r);
    return (double)(mtc_random_bits(&r) >> 11) / 9007199254740992.0;
}

/* Weight of a word in a topic: one word in six, exponential. */
static inline double topic(uint64_t seed, uint64_t id, size_t word)
{
    return at_random(seed, id, word, 1) > 1.0 / 6
               ? 0
               : -6 * log(1 - at_random(seed, id, word, 2));
}

/* A word's background weight, mean 1. */
static inline double background(uint64_t seed, size_t word)
{
    return 0.5 + at_random(seed, 7, word, 3);
}

/* n texts from distributions share [classes*parts][m] (cumulative sums), of
 * which each class has `parts`. */
static inline ex_set draw_texts(size_t n, const world *w, size_t parts,
                                double share[][MOST_WORDS], uint64_t seed)
{
    size_t m = w->m, words = w->words;
    ex_set set;
    mtc_random r = mtc_random_seed(seed);
    double *count = ex_grow(NULL, m, sizeof *count);
    size_t *row = ex_grow(NULL, n + 1, sizeof *row), at = 0;
    uint32_t *column = ex_grow(NULL, n * words, sizeof *column);
    mtc_real *values = ex_grow(NULL, n * words, sizeof *values);
    set.labels = ex_grow(NULL, n, sizeof *set.labels);
    set.classes = w->classes;
    for (size_t i = 0; i < n; i++) {
        size_t z = mtc_random_below(&r, w->classes * parts);
        memset(count, 0, m * sizeof *count);
        for (size_t k = 0; k < words; k++) {
            double x = (double)mtc_random_real(&r) * share[z][m - 1];
            size_t low = 0, high = m - 1;
            while (low < high) {                    /* first sum above x */
                size_t mid = (low + high) / 2;
                if (share[z][mid] > x)
                    high = mid;
                else
                    low = mid + 1;
            }
            count[low]++;
        }
        set.labels[i] = (int)(z / parts);
        row[i] = at;
        for (size_t e = 0; e < m; e++)
            if (count[e] > 0) {
                column[at] = (uint32_t)e;
                values[at++] = (mtc_real)count[e];
            }
    }
    row[n] = at;
    set.X = mtc_csr(n, m, row, column, values);
    free(count);
    return set;
}

static inline ex_set draw_domain(const world *w, int domain, size_t n,
                                 uint64_t stream)
{
    double share[2 * MOST_CLASSES][MOST_WORDS];
    uint64_t own_topics = 100 + 10 * (uint64_t)domain;
    size_t parts = w->sub > 0 ? 2 : 1;
    for (size_t k = 0; k < w->classes * parts; k++) {
        double sum = 0;
        for (size_t e = 0; e < w->m; e++) {
            double common = topic(w->seed, k / parts, e);
            double own = topic(w->seed, own_topics + k / parts, e);
            double sub = topic(w->seed, 100 + own_topics + k % parts, e);
            if (!(domain == SOURCE && e % 2 == 1) &&
                !(domain == TARGET && e % 2 == 0))
                sum += w->strength *
                           ((1 - w->shift) * common + w->shift * own) +
                       w->sub * sub +
                       (1 - w->strength - w->sub) * background(w->seed, e);
            share[k][e] = sum;
        }
    }
    return draw_texts(n, w, parts, share, w->seed * 977 + stream);
}

typedef struct triple { ex_set s, i, t; } triple;   /* i: the bridge */

static inline triple draw_triple(const world *w, size_t n)
{
    triple x;
    x.s = draw_domain(w, SOURCE, n, 1);
    x.i = draw_domain(w, BRIDGE, n, 2);
    x.t = draw_domain(w, TARGET, n, 3);
    return x;
}

static inline void free_triple(triple *x)
{
    ex_free(&x->s);
    ex_free(&x->i);
    ex_free(&x->t);
}

/* ---- methods ----------------------------------------------------------- */

static inline double right_share(size_t n, const int *a, const int *b)
{
    size_t right = 0;
    for (size_t i = 0; i < n; i++)
        right += a[i] == b[i];
    return (double)right / (double)n;
}

/* Rows of length 1, in memory of their own. */
static inline mtc_data unit_rows(const mtc_data *X)
{
    mtc_data U = *X;
    mtc_real *values = ex_grow(NULL, X->row[X->n] + 1, sizeof *values);
    for (size_t i = 0; i < X->n; i++) {
        double length = 0;
        for (size_t e = X->row[i]; e < X->row[i + 1]; e++)
            length += (double)X->values[e] * (double)X->values[e];
        for (size_t e = X->row[i]; e < X->row[i + 1]; e++)
            values[e] = (mtc_real)((double)X->values[e] / sqrt(length));
    }
    U.values = values;
    return U;
}

/* Logistic regression from one domain to another. */
static inline void by_logistic(const mtc_data *from, const int *labels,
                               const mtc_data *to, size_t classes, int *out)
{
    mtc_data A = unit_rows(from), B = unit_rows(to);
    mtc_logistic_options o = mtc_logistic_defaults();
    mtc_logistic_result r;
    o.classes = classes;
    ex_try(mtc_logistic(NULL, &A, labels, &o, &r), "logistic regression");
    ex_try(mtc_logistic_assign(NULL, &B, &r, out, NULL), "prediction");
    mtc_free(NULL, &r.block);
    free((void *)A.values);
    free((void *)B.values);
}

static inline double by_ttl(const triple *x, const mtc_data *view,
                            const int *labels,
                            const mtc_ttl_options *o, uint64_t seed, int *out)
{
    mtc_context ctx = mtc_context_defaults();
    mtc_ttl_result r;
    ctx.seed = seed;
    ex_try(mtc_ttl(&ctx, &x->s.X, &labels, 1, &x->i.X, view, 1, &x->t.X, o,
                   &r), "TTL");
    double acc = right_share(x->t.X.n, r.labels, x->t.labels);
    if (out != NULL)
        memcpy(out, r.labels, x->t.X.n * sizeof *out);
    mtc_free(&ctx, &r.block);
    return acc;
}

enum { DIRECT, CHAIN, PUBLISHED, REPAIRED, PUBLISHED_IDF, REPAIRED_IDF,
       METHODS };

enum { TTL_KINDS = 4 };

/* TTL published and repaired, without idf and then with it. */
static inline void all_kinds(const triple *x, const mtc_data *view,
                             uint64_t seed, double *acc)
{
    for (int k = 0; k < TTL_KINDS; k++) {
        mtc_ttl_options o = mtc_ttl_defaults();
        o.classes = x->s.classes;
        o.variant = k % 2 == 0 ? MTC_TTL_PUBLISHED : MTC_TTL_REPAIRED;
        o.feature_weights = k < 2 ? MTC_TTL_WEIGHTS_NONE : MTC_TTL_WEIGHTS_IDF;
        acc[k] = by_ttl(x, view, x->s.labels, &o, seed, NULL);
    }
}

/* Target accuracy of every method; `view` the second view or NULL. */
static inline void all_methods(const triple *x, const mtc_data *view,
                               uint64_t seed, double *acc)
{
    size_t c = x->s.classes, n = x->t.X.n;
    const mtc_data *second = view != NULL ? view : &x->i.X;
    int *out = ex_grow(NULL, n, sizeof *out);
    int *mid = ex_grow(NULL, x->i.X.n, sizeof *mid);
    acc[DIRECT] = -1;               /* undefined if the features differ */
    if (x->s.X.d == x->t.X.d) {
        by_logistic(&x->s.X, x->s.labels, &x->t.X, c, out);
        acc[DIRECT] = right_share(n, out, x->t.labels);
    }
    by_logistic(&x->s.X, x->s.labels, &x->i.X, c, mid);
    by_logistic(second, mid, &x->t.X, c, out);
    acc[CHAIN] = right_share(n, out, x->t.labels);
    all_kinds(x, view, seed, acc + PUBLISHED);
    free(out);
    free(mid);
}

/* ---- triples of several kinds -------------------------------------------- */

/* Triples of one kind. */
typedef struct setting {
    const char *name;
    world w;
    size_t n;
} setting;

static const setting settings[] = {
    {"strong", {300, 2, 40, .2, .3, 0, 0}, 150},
    {"shifted", {300, 2, 40, .6, .25, 0, 0}, 150},
    {"weak", {300, 2, 40, .4, .15, 0, 0}, 150},
    {"very weak", {300, 2, 40, .2, .12, 0, 0}, 150},
    {"three classes", {300, 3, 40, .4, .25, 0, 0}, 150},
    {"subtopics", {300, 2, 40, .3, .2, .1, 0}, 150},
    {"as strong", {300, 2, 40, .3, .2, .2, 0}, 150},
    {"many words", {1000, 2, 60, .4, .12, .1, 0}, 250}
};
enum { SETTINGS = sizeof settings / sizeof *settings };

/* ---- tables -------------------------------------------------------------- */

/* A mean in %, and the deviation. */
static inline void percent_cell(ex_table *out, const ex_stat *s)
{
    if (ex_mean(s) < 0)
        ex_cell(out, "-");
    else
        ex_cell(out, "%.1f +- %.1f", 100 * ex_mean(s), 100 * ex_deviation(s));
}

/* LR: logistic regression. */
static inline ex_table method_table(const char *title)
{
    char head[160];
    snprintf(head, sizeof head, "%.40s|LR S-T|LR S-I-T|published|repaired|"
             "published, idf|repaired, idf|repaired - published|with idf",
             title);
    return ex_head(head);
}

/* One run: its accuracies, and on the same triple repaired less published,
 * without idf and with it. */
static inline void add_run(ex_stat *mean, ex_stat *difference,
                           const double *acc)
{
    for (size_t k = 0; k < METHODS; k++)
        ex_add(&mean[k], acc[k]);
    ex_add(&difference[0], acc[REPAIRED] - acc[PUBLISHED]);
    ex_add(&difference[1], acc[REPAIRED_IDF] - acc[PUBLISHED_IDF]);
}

static inline void method_row(ex_table *out, const char *name,
                              const ex_stat *acc, const ex_stat *difference)
{
    ex_cell(out, "%s", name);
    for (size_t k = 0; k < METHODS; k++)
        percent_cell(out, &acc[k]);
    for (int k = 0; k < 2; k++)
        ex_cell(out, "%+.1f (t %.1f)", 100 * ex_mean(&difference[k]),
                ex_mean(&difference[k]) / ex_error(&difference[k]));
}

#endif /* EXPERIMENT_TRIPLE_H */
