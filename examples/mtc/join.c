/* SPDX-License-Identifier: MIT
 *
 * join.c - tables of one run: the same features in the same order
 *
 * Where every file is a table with a header, columns are matched by name, and
 * the first file's order holds; else by position, and tables have the same
 * width.  Then words become features and holes are closed.  All of it happens
 * in place: values are the bulk of what the program holds.
 */
#include "data.h"

#include <stdlib.h>
#include <string.h>

/* ---- an index in the first column ---- */

/* Takes the first feature out. */
static void leave_out_first(task *t)
{
    size_t d = t->d - 1;
    for (size_t i = 0; i < t->n; i++)
        memmove(t->values + i * d, t->values + i * t->d + 1,
                d * sizeof *t->values);
    t->feature++;
    t->d = d;
}

/* "1-3" or "2-4": the columns that are features, and the index. */
static const char *all_numbers(app *a, const task *t)
{
    text s = {NULL, 0, 0};
    size_t from = 1, to = 1;
    for (size_t j = 0; j <= t->d; j++) {
        size_t number = j < t->d ? t->feature[j].number : MTC_NONE;
        if (number <= to + 1) {
            to = number;
            continue;
        }
        put(a, &s, s.length > 0 ? ",%zu" : "%zu", from);
        if (to > from)
            put(a, &s, "-%zu", to);
        from = to = number;
    }
    return s.at;
}

/* Tells of a first column that is no feature. */
static void tell_index(app *a, const task *t, const char *why, size_t others)
{
    text more = {NULL, 0, 0};
    if (others > 0)
        put(a, &more, " (and %zu more)", others);
    notice(a, "%s%s: the first column %s and is left out; --use %s keeps it",
           t->file, others > 0 ? more.at : "", why, all_numbers(a, t));
}

/* A first column that counts the samples is left out, if it does in all the
 * files that share their features. */
static void settle_index(app *a, const settings *set, tasks *all,
                         int separate)
{
    size_t counting = 0, tables = 0, unnamed = 0;
    const task *first = NULL, *other = NULL, *bare = NULL;
    for (size_t i = 0; i < all->n; i++) {
        task *t = &all->at[i];
        tables += (size_t)t->table;
        counting += (size_t)t->index;
        unnamed += (size_t)(t->unnamed && !t->id_words);
        if (t->index && first == NULL)
            first = t;
        if (t->table && !t->index && other == NULL)
            other = t;
        if (t->unnamed && !t->id_words && bare == NULL)
            bare = t;
        if (t->unnamed && t->id_words)
            notice(a, "%s: the first column has words and no name: they name "
                   "the samples; --drop 1 leaves them out", t->file);
    }
    if (bare != NULL && set->use.n == 0)
        tell_index(a, bare, "has no name", unnamed - 1);
    if (counting == 0)
        return;
    if (counting < tables && !separate) {
        notice(a, "%s: the first column counts the samples, but in %s it does "
               "not: it is a feature; --drop 1 leaves it out", first->file,
               other->file);
        return;
    }
    tell_index(a, first, "counts the samples", counting - 1);
    for (size_t i = 0; i < all->n; i++)
        if (all->at[i].index)
            leave_out_first(&all->at[i]);
}

/* ---- the same order ---- */

/* Ends the program: `t` lacks a column that `with` has. */
static APP_NORETURN void refuse_lack(app *a, const task *t, const task *with,
                                     const char *name)
{
    words known = {0, 0, NULL};
    for (size_t j = 0; j < t->d; j++)
        add_word(a, &known, t->feature[j].name, strlen(t->feature[j].name));
    const char *meant = nearest_word(&known, name, known.n);
    fail(a, BAD_DATA, "%s: no column is named %s, as in %s%s%s%s: --drop %s "
         "leaves it out, --use names the columns that count", t->file, name,
         with->file, meant ? "; it has " : "", meant ? meant : "", "", name);
}

/* to [d]: the place of each feature of t in `first`; 1: they differ. */
static int find_places(app *a, const task *first, const task *t, size_t *to)
{
    dictionary known, own;
    int moved = 0;
    memset(&known, 0, sizeof known);
    memset(&own, 0, sizeof own);
    for (size_t j = 0; j < first->d; j++)
        number_word(a, &known, first->feature[j].name,
                    strlen(first->feature[j].name));
    for (size_t j = 0; j < t->d; j++) {
        const attribute *k = &t->feature[j];
        number_word(a, &own, k->name, strlen(k->name));
        to[j] = find_word(&known, k->name, strlen(k->name));
        if (to[j] == MTC_NONE)
            refuse_lack(a, first, t, k->name);
        if (first->feature[to[j]].role != k->role)
            fail(a, BAD_DATA, "%s: column %s has words for --onehot, in %s it "
                 "has not: give names, not numbers",
                 (k->role == AS_WORDS ? t : first)->file, k->name,
                 (k->role == AS_WORDS ? first : t)->file);
        moved |= to[j] != j;
    }
    for (size_t j = 0; j < first->d; j++)
        if (find_word(&own, first->feature[j].name,
                      strlen(first->feature[j].name)) == MTC_NONE)
            refuse_lack(a, t, first, first->feature[j].name);
    return moved;
}

/* Brings the features of t to the order of `first`. */
static void match_names(app *a, const task *first, task *t)
{
    size_t *to = TAKE(a, t->d, size_t);
    if (find_places(a, first, t, to)) {
        mtc_real *row = TAKE(a, t->d, mtc_real);
        for (size_t i = 0; i < t->n; i++) {
            mtc_real *x = t->values + i * t->d;
            for (size_t j = 0; j < t->d; j++)
                row[to[j]] = x[j];
            memcpy(x, row, t->d * sizeof *x);
        }
        attribute *feature = TAKE(a, t->d, attribute);
        for (size_t j = 0; j < t->d; j++)
            feature[to[j]] = t->feature[j];
        t->feature = feature;
        pool_release(row);
    }
    pool_release(to);
}

/* By position, columns of words have to be the same ones by name, too: that is
 * how words find each other. */
static void check_words(app *a, const task *first, const task *t)
{
    for (size_t j = 0; j < t->d; j++) {
        const attribute *x = &first->feature[j], *y = &t->feature[j];
        if (x->role != y->role || (x->role == AS_WORDS && x->hot != y->hot))
            fail(a, BAD_DATA, "%s: --onehot %s needs a header in every file, or "
                 "in none; %s differs", t->file,
                 (x->role == AS_WORDS ? x : y)->name, first->file);
    }
}

/* By name, if every file has names. */
static void match_columns(app *a, tasks *all)
{
    const task *first = NULL;
    int names = 1;
    for (size_t i = 0; i < all->n; i++)
        names &= all->at[i].header;
    for (size_t i = 0; i < all->n; i++) {
        task *t = &all->at[i];
        if (!t->table)
            continue;
        if (first == NULL)
            first = t;
        else if (names)
            match_names(a, first, t);
        else if (t->d != first->d)
            fail(a, BAD_DATA, "%s has %zu features, %s has %zu; without "
                 "headers columns go by position: --use or --drop choose "
                 "them", first->file, first->d, t->file, t->d);
        else
            check_words(a, first, t);
    }
}

/* ---- words as features ---- */

static int compare_words(const void *x, const void *y)
{
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

/* rank [n]: the place of each word in the order of all. */
static size_t *word_ranks(app *a, const dictionary *d)
{
    const char **sorted = COPY(a, d->word, d->n, const char *);
    size_t *rank = TAKE(a, d->n, size_t);
    qsort(sorted, d->n, sizeof *sorted, compare_words);
    for (size_t i = 0; i < d->n; i++)
        rank[find_word(d, sorted[i], strlen(sorted[i]))] = i;
    pool_release(sorted);
    return rank;
}

/* The features behind those of --onehot: one for each word of any file. */
static attribute *spread_features(app *a, const reading *run, const task *t,
                               size_t **rank, size_t *d)
{
    attribute *feature;
    size_t at = 0;
    *d = 0;
    for (size_t j = 0; j < t->d; j++)
        *d += t->feature[j].role == AS_WORDS
                  ? run->hot[t->feature[j].hot].n : 1;
    feature = TAKE(a, *d, attribute);
    for (size_t j = 0; j < t->d; j++) {
        const attribute *k = &t->feature[j];
        const dictionary *w = &run->hot[k->hot];
        size_t count = k->role == AS_WORDS ? w->n : 1;
        for (size_t z = 0; z < count; z++)
            feature[at + z] = *k;
        for (size_t z = 0; z < count && k->role == AS_WORDS; z++) {
            text name = {NULL, 0, 0};
            put(a, &name, "%s=%s", k->name, w->word[z]);
            feature[at + rank[k->hot][z]].name = name.at;
            feature[at + rank[k->hot][z]].word = w->word[z];
        }
        at += count;
    }
    return feature;
}

/* Ends the program: no row has a value there. */
static APP_NORETURN void refuse_void(app *a, const task *t,
                                     const attribute *k)
{
    fail(a, BAD_DATA, "%s: column %zu (%s) has no value; --drop %zu leaves it "
         "out", t->file, k->number, k->name, k->number);
}

/* Words become 0 and 1, the last row first: rows only grow. */
static void spread_words(app *a, const reading *run, task *t, size_t **rank)
{
    size_t d, was = t->d;
    for (size_t j = 0; j < was; j++)
        if (t->feature[j].role == AS_WORDS &&
            run->hot[t->feature[j].hot].n == 0)
            refuse_void(a, t, &t->feature[j]);
    attribute *feature = spread_features(a, run, t, rank, &d);
    while (t->room_values < t->n * d)
        GROW(a, t->values, t->room_values, t->room_values);
    mtc_real *row = TAKE(a, d, mtc_real);
    for (size_t i = t->n; i-- > 0;) {
        const mtc_real *x = t->values + i * was;
        for (size_t j = 0, at = 0; j < was; j++) {
            const attribute *k = &t->feature[j];
            if (k->role != AS_WORDS) {
                row[at++] = x[j];
                continue;
            }
            size_t n = run->hot[k->hot].n;
            for (size_t z = 0; z < n; z++)
                row[at + z] = x[j] == x[j] ? 0 : x[j];      /* a hole stays */
            if (x[j] == x[j])
                row[at + rank[k->hot][(size_t)x[j]]] = 1;
            at += n;
        }
        memcpy(t->values + i * d, row, d * sizeof *row);
    }
    pool_release(row);
    t->feature = feature;
    t->d = d;
}

/* Tables of one run become one feature space; `separate` 1: each has its
 * own. */
void join_columns(app *a, reading *run, tasks *all, int separate)
{
    size_t hot = run->hot_name.n;
    settle_index(a, run->set, all, separate);
    if (!separate)
        match_columns(a, all);
    if (hot == 0)
        return;
    size_t **rank = TAKE(a, hot, size_t *);
    for (size_t i = 0; i < hot; i++)
        rank[i] = word_ranks(a, &run->hot[i]);
    for (size_t i = 0; i < all->n; i++)
        if (all->at[i].table)
            spread_words(a, run, &all->at[i], rank);
}

/* ---- missing values ---- */

static int has_hole(const task *t, size_t i)
{
    for (size_t p = i * t->d; p < (i + 1) * t->d; p++)
        if (t->values[p] != t->values[p])
            return 1;
    return 0;
}

/* Rows with a hole go; `place` tells which stay. */
static void drop_rows(app *a, task *t)
{
    size_t n = 0, *place = TAKE(a, t->n, size_t);
    for (size_t i = 0; i < t->n; i++)
        if (!has_hole(t, i)) {
            memmove(t->values + n * t->d, t->values + i * t->d,
                    t->d * sizeof *t->values);
            if (t->truth != NULL)
                t->truth[n] = t->truth[i];
            place[n++] = i;
        }
    if (n == t->n) {
        pool_release(place);
        return;
    }
    if (n == 0)
        fail(a, BAD_DATA, "%s: every row has a missing value; --missing mean "
             "fills them in, --drop leaves columns out", t->file);
    notice(a, "%s: %zu of %zu rows have missing values and are left out; their "
           "label is -1", t->file, t->n - n, t->n);
    t->place = place;
    t->n = n;
}

/* Holes get the mean of the task's other values of that feature. */
static void fill_holes(app *a, task *t)
{
    size_t holes = 0, d = t->d, *known = TAKE(a, d, size_t);
    double *mean = TAKE(a, d, double);
    for (size_t i = 0; i < t->n; i++)
        for (size_t j = 0; j < d; j++) {
            mtc_real x = t->values[i * d + j];
            mean[j] += x == x ? (double)x : 0;
            known[j] += x == x;
        }
    for (size_t j = 0; j < d; j++) {
        if (known[j] == 0)
            refuse_void(a, t, &t->feature[j]);
        holes += t->n - known[j];
        mean[j] /= (double)known[j];
    }
    for (size_t i = 0; i < t->n && holes > 0; i++)
        for (size_t j = 0; j < d; j++) {
            mtc_real *x = &t->values[i * d + j];
            *x = *x == *x ? *x : (mtc_real)mean[j];
        }
    if (holes > 0)
        notice(a, "%s: %zu missing values are the means of their columns",
               t->file, holes);
    pool_release(known);
    t->fill = mean;
    t->filled = d;
}

/* By --missing. */
void settle_holes(app *a, const settings *set, tasks *all)
{
    for (size_t i = 0; i < all->n; i++) {
        task *t = &all->at[i];
        if (!t->table)
            continue;
        if (is(set->missing, "drop"))
            drop_rows(a, t);
        else if (is(set->missing, "mean"))
            fill_holes(a, t);
    }
}
