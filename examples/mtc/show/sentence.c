/* SPDX-License-Identifier: MIT
 *
 * sentence.c - the answer in a sentence, before any table
 *
 * How many groups there are, whether they match between files, what each of
 * them is like, how far apart they lie, and what became of the columns.
 */
#include "summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GROUPS_SHOWN = 6, FEATURES_SHOWN = 2, WORDS_SHOWN = 3 };

/* Have clusters one numbering in all tasks? */
static int are_matched(const report *r)
{
    const job *j = r->job;
    return r->tasks->n == 1 ||
           ((j->set->pool || shares_numbers(r->method)) && !j->apart &&
            !j->separate);
}

/* ---- all tasks together ---- */

/* Adds the figures of one task, of `share` of the whole. */
static void add_profile(overview *o, const profile *p, double share)
{
    o->silhouette += share * p->silhouette[p->k];
    if (o->k == 0)
        return;
    for (size_t z = 0; z < o->k; z++) {
        o->found[z] += p->size[z] > 0;
        for (size_t f = 0; f < p->d && p->size[z] > 0; f++) {
            double *mean = &o->effect[z * p->d + f];
            *mean += (effect_of(p, z, f) - *mean) / (double)o->found[z];
        }
    }
}

/* apart [n]: the mean squared distance of a task's means from those of all, in
 * deviations. */
static void compare_tasks_means(const report *r, overview *o)
{
    app *a = r->job->a;
    const tasks *all = r->tasks;
    size_t d = all->kept;
    mtc_data *X = TAKE(a, all->n, mtc_data);
    double *whole = TAKE(a, d, double), *deviation = TAKE(a, d, double);
    double *mean = TAKE(a, d, double);
    for (size_t i = 0; i < all->n; i++)
        X[i] = view_of(&all->at[i]);
    feature_spread(a, X, all->n, whole, deviation);
    for (size_t i = 0; i < all->n; i++) {
        memset(mean, 0, d * sizeof *mean);
        for (size_t p = 0; p < row_begin(&X[i], X[i].n); p++)
            mean[column_of(&X[i], p)] += (double)X[i].values[p] /
                                         (double)X[i].n;
        for (size_t f = 0; f < d; f++) {
            double off = deviation[f] > 1e-12 * fabs(whole[f])
                             ? (mean[f] - whole[f]) / deviation[f] : 0;
            o->apart[i] += off * off / (double)d;
        }
    }
    pool_release(X);
    pool_release(whole);
    pool_release(deviation);
    pool_release(mean);
}

/* The tasks that are shown: all, or of many the few that differ most. */
size_t *most_apart(const report *r, size_t *shown)
{
    size_t n = r->tasks->n, *which = TAKE(r->job->a, n, size_t);
    *shown = n > MANY_TASKS && !r->job->set->verbose ? FEW_SHOWN : n;
    for (size_t i = 0; i < n; i++)
        which[i] = i;
    for (size_t s = 0; s < *shown && *shown < n; s++)
        for (size_t i = s + 1; i < n; i++)
            if (r->seen->apart[which[i]] > r->seen->apart[which[s]]) {
                size_t keep = which[s];
                which[s] = which[i];
                which[i] = keep;
            }
    return which;
}

/* ---- in words ---- */

/* The same of all tasks together, which have one numbering. */
static size_t used_in_all(const report *r)
{
    size_t n = 0, at = 0;
    for (size_t i = 0; i < r->tasks->n; i++)
        n += r->entry[i].n;
    int *labels = TAKE(r->job->a, n, int);
    for (size_t i = 0; i < r->tasks->n; at += r->entry[i++].n)
        memcpy(labels + at, r->entry[i].labels, r->entry[i].n * sizeof *labels);
    n = count_distinct(r->job->a, n, labels);
    pool_release(labels);
    return n;
}

/* What equal numbers of groups mean in several files that have `sum` groups.
 * Without --pool a group that only one file has is paired, too. */
static const char *numbers_in_words(const report *r, int same, size_t sum)
{
    if (!same)
        return "; their numbers are each file's own";
    if (!are_matched(r))
        return "; which of them belong together is not known";
    if (used_in_all(r) == sum)
        return "; none is in two of them";
    return r->job->set->pool ? "; they match" : ", paired by likeness";
}

/* "3 groups in both files" */
static void put_number(text *out, const report *r, const overview *o)
{
    app *a = r->job->a;
    size_t n = r->tasks->n, low = SIZE_MAX, high = 0, sum = 0;
    const char *what = finds_classes(r) ? "class" : "group";
    int same = 1;
    for (size_t i = 0; i < n; i++) {
        size_t used = o->of[i].used;
        low = used < low ? used : low;
        high = used > high ? used : high;
        sum += used;
        same &= r->entry[i].k == r->entry[0].k;
    }
    const char *many = high == 1 ? "" : finds_classes(r) ? "es" : "s";
    if (n == 2 && high > low) {
        size_t first = o->of[0].used;
        put(a, out, "%zu %s%s in %s, %zu in %s", first, what,
            first == 1 ? "" : many, visible(a, r->tasks->at[0].name),
            low + high - first, visible(a, r->tasks->at[1].name));
    } else {
        put(a, out, "%zu", low);
        if (high > low)
            put(a, out, " to %zu", high);
        put(a, out, " %s%s in ", what, many);
        if (n == 1)
            put(a, out, "%s", visible(a, r->tasks->at[0].name));
        else if (n == 2)
            put(a, out, "both files");
        else
            put(a, out, "each of %zu files", n);
    }
    if (same && are_matched(r) && used_in_all(r) > high)
        put(a, out, ", %zu in all", used_in_all(r));
    put(a, out, "%s.", n > 1 ? numbers_in_words(r, same, sum) : "");
}

/* "much higher", or NULL where there is hardly a difference. */
static const char *size_in_words(double effect)
{
    double size = fabs(effect);
    int up = effect > 0;
    return size >= 1.5   ? up ? "much higher" : "much lower"
           : size >= 0.7 ? up ? "higher" : "lower"
           : size >= 0.3 ? up ? "somewhat higher" : "somewhat lower" : NULL;
}

/* "much higher spend, lower visits"; 0: there is nothing to say. */
static int put_group(text *out, const report *r, const overview *o, size_t z)
{
    app *a = r->job->a;
    const task *t = &r->tasks->at[0];
    size_t d = t->d;
    double *effect = COPY(a, o->effect + z * d, d, double);
    int text_data = is_wordy(t);
    int said = 0, most = text_data ? WORDS_SHOWN : FEATURES_SHOWN;
    for (; said < most; said++) {
        size_t best = 0;
        for (size_t f = 1; f < d; f++)
            if (text_data ? effect[f] > effect[best]
                      : fabs(effect[f]) > fabs(effect[best]))
                best = f;
        const char *by = size_in_words(effect[best]);
        if (text_data ? !(effect[best] > 0) : by == NULL)
            break;
        put(a, out, said == 0 ? "" : ", ");
        if (!text_data)
            put(a, out, "%s ", by);
        put_feature_name(a, out, r->tasks, t, best);
        effect[best] = 0;
    }
    pool_release(effect);
    return said > 0;
}

/* "Group 0: ...; group 1: ...", or classes by their names. */
static void put_groups(text *out, const report *r, const overview *o)
{
    app *a = r->job->a;
    size_t said = 0, more = 0;
    for (size_t z = 0; z < o->k && o->k > 1; z++) {
        text group = {NULL, 0, 0};
        if (!put_group(&group, r, o, z))
            continue;
        if (said == GROUPS_SHOWN) {
            more++;
            continue;
        }
        put(a, out, said++ == 0 ? finds_classes(r) ? " Class " : " Group "
                    : finds_classes(r) ? "; class " : "; group ");
        put(a, out, "%s: %s", group_name(r, z), group.at);
    }
    if (more > 0)
        put(a, out, "; and %zu more", more);
    put(a, out, said > 0 ? "." : "");
}

/* How far apart, and so how sure, unless they are classes, which were learned.
 * Texts of one topic have few words in common: their silhouettes are near 0
 * whether topics are clear or not. */
static void put_certainty(text *out, const report *r, const overview *o)
{
    const task *t = &r->tasks->at[0];
    double s = o->silhouette;
    if (o->parted == 0)
        return;
    if (is_wordy(t) && s < 0.1)
        put(r->job->a, out, " The silhouette (%.2f) says little of %s.", s,
            t->word != NULL ? "texts: judge by the words" : "sparse data");
    else
        put(r->job->a, out, " They %s (silhouette %.2f).",
            s >= 0.5    ? "lie clearly apart"
            : s >= 0.25 ? "lie apart, with some overlap"
            : s >= 0.1  ? "overlap"
            : finds_classes(r) ? "hardly lie apart"
                               : "hardly lie apart: do not rely on them", s);
    if (finds_classes(r) && r->entry[0].truth != NULL)
        put(r->job->a, out, " By the file's own labels %.0f %% are right.",
            floor(100 * r->entry[0].acc + 1e-9));
}

/* Columns that were left out, by the notices; and their scale. */
static void put_columns(text *out, const report *r)
{
    static const char *const code[] = {"index", "id", "constant", "dates",
                                       "match"};
    app *a = r->job->a;
    const task *t = &r->tasks->at[0];
    size_t alike = 0;
    dictionary names;                           /* each is said once */
    memset(&names, 0, sizeof names);
    for (size_t i = 0; i < a->said.n; i++) {
        const remark *m = &a->said.at[i];
        int left = 0;
        for (int c = 0; c < 5; c++)
            left |= strcmp(m->code, code[c]) == 0 &&
                    strstr(m->text, "left out") != NULL;
        for (size_t c = 0; c < m->columns.n && left; c++) {
            const char *s = m->columns.at[c];
            number_word(a, &names, s, strlen(s));
        }
    }
    for (size_t w = 0; w < names.n; w++)
        put(a, out, w == 0 ? " Columns left out: %s" : ", %s", names.word[w]);
    put(a, out, names.n > 0 ? "." : "");
    for (size_t i = 0; i < r->tasks->n; i++)
        alike += t[i].scaled != NULL && is(t[i].scaled->how, "zscore");
    if (alike == r->tasks->n)
        put(a, out, " Columns count alike (zscore).");
    else if (alike > 0)                         /* each by itself */
        put(a, out, " Columns of %zu of %zu files count alike (zscore).",
            alike, r->tasks->n);
    else if (t->scaled != NULL && !is(t->scaled->how, "none"))
        put(a, out, " Rows were weighted (%s).", t->scaled->how);
}

/* 0: clusters of some task are empty, so that its number was not chosen. */
static int has_all_groups(const report *r)
{
    for (size_t i = 0; i < r->tasks->n; i++)
        if (r->entry[i].k_effective < r->entry[i].k && !r->job->set->pool)
            return 0;
    return 1;
}

static const char *sentence_of(const report *r, const overview *o)
{
    text t = {NULL, 0, 0};
    put_number(&t, r, o);
    if (r->job->opening.at != NULL)
        put(r->job->a, &t, "%s", r->job->opening.at);
    put_groups(&t, r, o);
    put_certainty(&t, r, o);
    if (r->job->sure.at != NULL && has_all_groups(r))
        put(r->job->a, &t, "%s", r->job->sure.at);
    put_columns(&t, r);
    return t.at;
}

/* ---- one look at the result ---- */

/* What there is to be known of the groups; nothing of it is computed again. */
overview *look_over(const report *r)
{
    app *a = r->job->a;
    const tasks *all = r->tasks;
    overview *o = TAKE(a, 1, overview);
    o->of = TAKE(a, all->n, profile);
    o->apart = TAKE(a, all->n, double);
    size_t d = all->at[0].d, k = r->entry[0].k;
    int same = are_matched(r);
    for (size_t i = 0; i < all->n; i++) {
        stop_if_interrupted(a);
        o->of[i] = make_profile(r, i);
        o->parted += o->of[i].used > 1;
        same &= r->entry[i].k == k && all->at[i].d == d &&
                o->of[i].score != NULL;
    }
    if (same) {
        o->k = k;
        o->effect = TAKE(a, k * d, double);
        o->found = TAKE(a, k, size_t);
    }
    for (size_t i = 0; i < all->n; i++)
        if (o->of[i].used > 1)
            add_profile(o, &o->of[i], 1 / (double)o->parted);
    if (r->job->set->pool && r->job->out[0].k_effective > 1) {
        o->silhouette = pooled_silhouette(r, o->k > 0 ? o->effect : NULL);
        o->parted += o->parted == 0;
    }
    if (all->n > MANY_TASKS && !r->job->separate)
        compare_tasks_means(r, o);
    o->sentence = sentence_of(r, o);
    return o;
}
