/* SPDX-License-Identifier: MIT
 *
 * summary.c - what a person asks next: who is in the clusters of a task?
 *
 * Below the table of `cluster` and `transfer`, for each task: size, share and
 * silhouette of every cluster, the features by which it differs most from the
 * rest of its task, in the units of the file, and how many rows of it each
 * class of the file has.  And before it, a hint where
 * the values look as if they should be preprocessed.
 */
#include "summary.h"

#include <math.h>
#include <string.h>

enum { SHOWN = 3, WORDS_COLUMN = 35 };  /* features a cluster; where words of
                                           one begin */
enum { TABLE_SIDE = 12 };               /* of a table that a person reads */
#define SILHOUETTE_ROWS ((size_t)2000)  /* it costs their square */

#define TEXT_ZEROS 0.9                  /* hint at tfidf above this share */

/* As it is shown: a number in quotes, as pandas has them. */
const char *shown_feature(app *a, const tasks *all, const task *t,
                          size_t feature)
{
    const char *name = visible(a, feature_name(a, all, t, feature));
    int is_number = all->names != NULL && !is_wordy(t) &&
                    name[strspn(name, "0123456789.-")] == '\0';
    return is_number ? formed(a, "'%s'", name) : name;
}

/* ---- hints ---- */

/* Says so where values are counts of words. */
void hint_at_preprocessing(app *a, const tasks *all)
{
    if (share_of_zeros(all, 1) >= TEXT_ZEROS)
        warn(a, "counts", NULL, "the values look like counts of words: "
             "--preprocess tfidf lets rare words count more; --preprocess l2 "
             "compares directions");
}

/* ---- clusters ---- */

/* score: the mean less that of the rest of the task, over the deviation, since
 * features have units. */
static void score_features(profile *p)
{
    feature_spread(p->a, &p->as_read, 1, NULL, p->whole, p->deviation);
    for (size_t z = 0; z < p->k; z++) {
        double own = (double)p->size[z], rest = (double)p->n - own;
        for (size_t f = 0; f < p->d && own > 0 && rest > 0; f++) {
            double m = (double)p->mean[z * p->d + f], unit = p->deviation[f];
            double off = m - (p->whole[f] * (double)p->n - m * own) / rest;
            /* By rounding a constant feature deviates, and equal means do. */
            double slack = 4 * APP_REAL_EPS * fabs(m) * (double)p->n / rest;
            int flat = unit <= 1e-12 * fabs(p->whole[f]) ||
                       fabs(off) <= 1e-9 * unit || fabs(off) <= slack;
            p->score[z * p->d + f] = flat ? 0 : fabs(off / unit);
        }
    }
}

/* silhouette [k+1]: the mean of each cluster and of all, among 2000 rows: one
 * is drawn of every n/2000, since clusters may take turns in a file. */
static void silhouettes(job *j, const task *t, profile *p)
{
    app *a = j->a;
    size_t step = (p->n + SILHOUETTE_ROWS - 1) / SILHOUETTE_ROWS, m = 0;
    for (size_t z = 0; z < p->k; z++)
        p->silhouette[z] = -2;
    if (p->used < 2)
        return;
    size_t *index = TAKE(a, SILHOUETTE_ROWS, size_t);
    int *labels = TAKE(a, SILHOUETTE_ROWS, int);
    mtc_random random = mtc_random_seed(1);
    for (size_t i = 0; i < p->n; i += step, m++) {
        size_t among = p->n - i < step ? p->n - i : step;
        index[m] = i + mtc_random_below(&random, among);
        labels[m] = p->labels[index[m]];
    }
    task some = rows_at(a, t, index, m);
    mtc_data X = view_of(&some);
    mtc_real *value = TAKE(a, m, mtc_real);
    size_t *count = TAKE(a, p->k, size_t);
    double *sum = TAKE(a, p->k, double);
    check(a, j->ctx, mtc_silhouette(j->ctx, &X, labels, p->k, value, NULL),
          t->name);
    for (size_t i = 0; i < m; i++) {
        sum[labels[i]] += (double)value[i];
        p->silhouette[p->k] += (double)value[i] / (double)m;
        count[labels[i]]++;
    }
    for (size_t z = 0; z < p->k; z++) {
        int lone = count[z] == 1 && p->size[z] > 1;     /* it would say 0 */
        if (count[z] > 0 && !lone)
            p->silhouette[z] = sum[z] / (double)count[z];
    }
    p->drawn = step > 1 ? m : 0;
    release_rows(&some);
}

/* What sets the clusters apart. */
static void profile_features(profile *p)
{
    p->score = TAKE(p->a, p->k * p->d, double);
    if (p->of_words) {
        score_words(p);
        return;
    }
    mtc_real *share = TAKE(p->a, p->k, mtc_real);
    p->mean = TAKE(p->a, p->k * p->d, mtc_real);
    p->whole = TAKE(p->a, p->d, double);
    p->deviation = TAKE(p->a, p->d, double);
    mtc_data_means(&p->as_read, p->labels, p->k, p->mean, share);
    score_features(p);
    pool_release(share);
}

/* The cross table of clusters and the file's labels, where it has any. */
static void count_classes(profile *p, const int *truth)
{
    size_t c = 0;
    if (truth == NULL)
        return;
    p->classes = distinct(p->a, p->n, truth, &p->n_classes);
    p->table = TAKE(p->a, p->k * p->n_classes, size_t);
    for (size_t i = 0; i < p->n; i++) {
        for (c = 0; p->classes[c] != truth[i];)
            c++;
        p->table[(size_t)p->labels[i] * p->n_classes + c]++;
    }
}

/* Are the features words?  Sparse rows are taken for such. */
int is_wordy(const task *t)
{
    mtc_data X = t->raw.values != NULL ? t->raw : view_of(t);
    return t->word != NULL ||
           (X.row != NULL &&
            (double)X.row[X.n] < 0.5 * (double)X.n * (double)X.d);
}

/* Without features and silhouettes. */
static profile plain_profile(job *j, const task *t, const entry *e)
{
    app *a = j->a;
    mtc_data seen = view_of(t);
    profile p = {.a = a, .t = t, .n = t->n, .d = t->d, .labels = e->labels,
                 .of_words = is_wordy(t), .as_seen = seen,
                 .as_read = t->raw.values != NULL ? t->raw : seen};
    for (size_t i = 0; i < p.n; i++)
        if (p.k <= (size_t)p.labels[i])
            p.k = (size_t)p.labels[i] + 1;
    p.k = p.k < e->k ? e->k : p.k;
    p.size = TAKE(a, p.k, size_t);
    for (size_t i = 0; i < p.n; i++)
        p.used += p.size[p.labels[i]]++ == 0;
    p.silhouette = TAKE(a, p.k + 1, double);
    return p;
}

/* Digits of two figures: four, the whole part, and enough to tell the figures
 * apart. */
static int digits_of(double x, double y)
{
    double size = fmax(fabs(x), fabs(y)), apart = fabs(x - y);
    int digits = 4;
    while (digits < 10 && size >= pow(10, digits))
        digits++;
    while (digits < 15 && apart > 0 && size > apart * pow(10, digits - 1.5))
        digits++;
    return digits;
}

/* The words that set cluster z apart, in lines of 78 characters. */
static void put_best_words(app *a, text *out, const tasks *all,
                           const profile *p, size_t z)
{
    size_t best[WORDS_OF_CLUSTER], column = WORDS_COLUMN;
    size_t n = best_words(p, z, WORDS_OF_CLUSTER, best);
    for (size_t w = 0; w < n; w++) {
        const char *word = formed(a, "%s%s", shown_feature(a, all, p->t, best[w]),
                                  w + 1 < n ? "," : "");
        size_t length = characters(word) + 1;
        int fits = w == 0 || column + length <= 78;
        if (!fits)
            put(a, out, "\n%*s", WORDS_COLUMN, "");
        put(a, out, w == 0 ? "  %s" : " %s", word);
        column = (fits ? column : WORDS_COLUMN) + length;
    }
}

/* The features by which cluster z differs most: `spend 812 (210)`, its mean
 * and the task's; as many as fit a line of 100 characters. */
static void put_features(app *a, text *out, const tasks *all,
                         const profile *p, size_t z)
{
    double *score = COPY(a, p->score + z * p->d, p->d, double);
    size_t column = WORDS_COLUMN;
    for (int s = 0; s < SHOWN; s++) {
        size_t best = 0;
        text one = {NULL, 0, 0};
        for (size_t f = 1; f < p->d; f++)
            best = score[f] > score[best] ? f : best;
        if (!(score[best] > 0))
            break;
        double mean = (double)p->mean[z * p->d + best], whole = p->whole[best];
        double nothing = 1e-12 * fabs(mean - whole);  /* what sums leave */
        mean = fabs(mean) < nothing ? 0 : mean;
        whole = fabs(whole) < nothing ? 0 : whole;
        int digits = digits_of(mean, whole);
        put(a, &one, "%s", cut_name(a, feature_name(a, all, p->t, best), 40));
        put(a, &one, " %.*g (%.*g)", digits, mean, digits, whole);
        column += characters(one.at) + 2;
        if (s > 0 && column > 100)
            break;
        put(a, out, "%s%s", s == 0 ? "  " : ", ", one.at);
        score[best] = 0;                /* not again */
    }
    pool_release(score);
}

/* A class by its word or number in the files, or a cluster by its number. */
const char *label_name(const report *r, int class, size_t z)
{
    app *a = r->job->a;
    if (class && r->named)
        return a->classes.word[r->classes[z]];
    return class ? formed(a, "%d", r->classes[z]) : formed(a, "%zu", z);
}

/* The same of what was found, as it is shown. */
const char *group_name(const report *r, size_t z)
{
    return visible(r->job->a, label_name(r, finds_classes(r) &&
                                            z < r->n_classes, z));
}

/* A label of the file of task i: a word, or a number.  A transfer has numbered
 * them by its classes, and those that no source has behind these. */
const char *class_name(const report *r, size_t i, int label)
{
    app *a = r->job->a;
    int named = r->tasks->at[i].named;
    if (r->classes != NULL) {
        size_t c = (size_t)label, n = r->n_classes;
        named = c < n ? r->named : named;
        label = c < n ? r->classes[c] : r->strangers[c - n];
    }
    return named ? a->classes.word[label] : formed(a, "%d", label);
}

/* Clusters by the file's labels, unless that is more than a person reads: in
 * columns as wide as their names, of lines that have 100 characters. */
static void put_table(text *out, const report *r, size_t i, const profile *p,
                      int names)
{
    app *a = r->job->a;
    size_t n = p->n_classes, width = 7, most = 0;
    if (n == 0 || n > TABLE_SIDE || p->k > TABLE_SIDE)
        return;
    for (size_t c = 0; c < n; c++) {
        size_t length = shown_length(class_name(r, i, p->classes[c]));
        most = length > most ? length : most;
    }
    most = most * n + n + (size_t)names > 100 ? (100 - (size_t)names) / n - 1
                                              : most;
    width = most > width ? most : width;
    put(a, out, "%s by the file's own labels:\n%*s", visible(a, p->t->name),
        names, "found");
    for (size_t c = 0; c < n; c++)
        put_heading(a, out, class_name(r, i, p->classes[c]), width);
    for (size_t y = 0; y < p->n_own; y++) {
        const char *name = group_name(r, p->own[y]);
        put(a, out, "\n%*s", padded(name, names), name);
        for (size_t c = 0; c < n; c++)
            put(a, out, " %*zu", (int)width, p->table[p->own[y] * n + c]);
    }
    put(a, out, "\n");
}

/* A line for each cluster of one task. */
void put_profile(text *out, const report *r, size_t i)
{
    app *a = r->job->a;
    const profile *p = &r->seen->of[i];
    const task *t = p->t;
    int names = 8;                              /* as wide as these */
    for (size_t z = 0; z < p->k; z++) {
        int length = (int)shown_length(group_name(r, z));
        names = length > names ? length : names;
    }
    put(a, out, "\n%s: ", visible(a, t->name));
    put(a, out, p->used > 1 ? "silhouette %.2f" : "one cluster",
        p->silhouette[p->k]);
    if (p->drawn > 0)
        put(a, out, " of %zu rows drawn from %zu", p->drawn, p->n);
    put(a, out, "\n%*s %7s %6s %10s%s\n", names,
        finds_classes(r) ? "class" : "cluster", "size", "share", "silhouette",
        p->score == NULL ? ""
        : p->of_words    ? "  words" : "  differs in: its mean (of all rows)");
    for (size_t y = 0; y < p->n_own; y++) {
        size_t z = p->own[y];
        const char *name = group_name(r, z);
        put(a, out, "%*s %7zu %5.1f%%", padded(name, names), name, p->size[z],
            100 * (double)p->size[z] / (double)p->n);
        if (p->size[z] > 0) {
            if (p->silhouette[z] > -2)
                put(a, out, " %10.2f", p->silhouette[z]);
            else
                put(a, out, " %10s", "-");
            if (p->score != NULL)
                (p->of_words ? put_best_words
                             : put_features)(a, out, r->tasks, p, z);
        }
        put(a, out, "\n");
        if (p->size[z] > 0)
            put_nearest(out, p, z);
    }
    put_table(out, r, i, p, names);
}

/* Of task i.  Words count only if they have names. */
profile make_profile(const report *r, size_t i)
{
    const task *t = &r->tasks->at[i];
    profile p = plain_profile(r->job, t, &r->entry[i]);
    p.own = TAKE(p.a, p.k, size_t);
    for (size_t z = 0; z < p.k; z++)
        if (is_own(r, i, z))
            p.own[p.n_own++] = z;
    if (r->tasks->names != NULL || t->word != NULL || !p.of_words)
        profile_features(&p);
    count_classes(&p, r->entry[i].truth);
    silhouettes(r->job, t, &p);
    if (p.used > 1)
        p.borders = find_borders(r->job, &p.as_seen, i, p.labels, p.k,
                                 t->name);
    return p;
}

/* By how many deviations cluster z lies above the rest of its task in feature
 * f; of words the score itself. */
double effect_of(const profile *p, size_t z, size_t f)
{
    double size = fabs(p->score[z * p->d + f]);
    if (p->of_words)
        return p->score[z * p->d + f];
    return (double)p->mean[z * p->d + f] < p->whole[f] ? -size : size;
}

/* The values of tasks before preprocessing, one below the other. */
mtc_data stacked_as_read(app *a, const tasks *all, const task *whole)
{
    mtc_real *values = TAKE(a, whole->n * whole->d, mtc_real), *to = values;
    for (size_t i = 0; i < all->n; i++) {
        const task *t = &all->at[i];
        mtc_data X = t->raw.values != NULL ? t->raw : view_of(t);
        for (size_t r = 0; r < X.n; r++, to += whole->d)
            mtc_data_axpy(&X, r, 1, to);
    }
    return mtc_dense(whole->n, whole->d, values);
}

/* Of all rows together, as --pool has clustered them: where each file is one
 * cluster, it says nothing by itself.  Without silhouettes. */
profile pooled_profile(const report *r)
{
    job *j = r->job;
    task *whole = TAKE(j->a, 1, task);
    *whole = stack_tasks(j->a, r->tasks);
    if (whole->row == NULL)
        whole->raw = stacked_as_read(j->a, r->tasks, whole);
    entry e = {.k = j->k[0], .labels = j->out[0].labels};
    profile p = plain_profile(j, whole, &e);
    if (!p.of_words)
        profile_features(&p);
    p.borders = find_borders(j, &p.as_seen, 0, p.labels, p.k, j->name[0]);
    return p;
}
