/* SPDX-License-Identifier: MIT
 *
 * odd_rows.c - rows far from all others
 *
 * They mislead `choose`.  A slip of the decimal point, or 9999 for "unknown",
 * makes a row far from all others, which it takes for a cluster, and whose
 * boundary may hide all that lies between the others.  So choose is asked again
 * without these rows: the answer stays, but the other one can be told.
 */
#include "../methods/job.h"
#include "../show/summary.h"

#include <stdlib.h>
#include <string.h>

#define FAR_TIMES 4.0                   /* as far as most rows are, and */
#define FAR_SPREADS 2.0                 /* of all rows but those */
enum {
    FAR_DRAWN = 500,                    /* rows that distances are taken to */
    FAR_NEAR = 4,                       /* neighbors, a drawn row itself too */
    FAR_SHARE = 20                      /* one of 20 rows at most is far */
};

/* The rows of t whose mark is `which`. */
static task marked_rows(app *a, const task *t, const int *marked, int which)
{
    size_t *index = TAKE(a, t->n, size_t), m = 0;
    for (size_t i = 0; i < t->n; i++)
        if (marked[i] == which)
            index[m++] = i;
    task rows = rows_at(a, t, index, m);
    pool_release(index);
    return rows;
}

/* Takes reach [n], squared distances of rows to their FAR_NEAR-th neighbor, down
 * to that among `points`, a row itself counted. */
static void reach_among(app *a, uint64_t seed, const task *points,
                        const mtc_data *rows, mtc_real *reach)
{
    mtc_context ctx = context_of(a, seed);
    mtc_data P = view_of(points);
    size_t *index = TAKE(a, rows->n * FAR_NEAR, size_t);
    mtc_real *key = TAKE(a, rows->n * FAR_NEAR, mtc_real);
    check(a, &ctx, mtc_neighbors(&ctx, &P, rows, FAR_NEAR,
                                 MTC_DISTANCE_SQEUCLIDEAN, index, key),
          "choose");
    for (size_t i = 0; i < rows->n; i++)
        if (key[i * FAR_NEAR + FAR_NEAR - 1] < reach[i])
            reach[i] = key[i * FAR_NEAR + FAR_NEAR - 1];
    pool_release(index);
    pool_release(key);
}

/* reach [n], among some rows that are drawn. */
static mtc_real *reach_of(app *a, const task *t, uint64_t seed)
{
    mtc_random rng = mtc_random_seed(seed);
    task drawn = drawn_rows(a, t, FAR_DRAWN, &rng);
    mtc_data rows = view_of(t);
    mtc_real *reach = TAKE(a, t->n, mtc_real);
    for (size_t i = 0; i < t->n; i++)
        reach[i] = (mtc_real)APP_REAL_MAX;
    reach_among(a, seed, &drawn, &rows, reach);
    release_rows(&drawn);
    return reach;
}

/* A small group has few of the rows that are drawn: those that are marked have
 * one another, too. */
static void reach_again(app *a, const task *t, uint64_t seed, const int *far,
                        mtc_real *reach)
{
    task some = marked_rows(a, t, far, 1);
    mtc_data rows = view_of(&some);
    mtc_real *own = TAKE(a, rows.n, mtc_real);
    for (size_t i = 0, m = 0; i < t->n; i++)
        if (far[i])
            own[m++] = reach[i];
    reach_among(a, seed, &some, &rows, own);
    for (size_t i = 0, m = 0; i < t->n; i++)
        if (far[i])
            reach[i] = own[m++];
    release_rows(&some);
    pool_release(own);
}

/* far [n]: 1 for rows whose reach is beyond the bound; how many. */
static size_t mark_beyond(size_t n, const mtc_real *reach, double bound,
                          int *far)
{
    size_t found = 0;
    for (size_t i = 0; i < n; i++) {
        far[i] = (double)reach[i] > bound;
        found += (size_t)far[i];
    }
    return found;
}

/* far [n]: 1 for rows far from all others: beyond what most have as neighbors,
 * and beyond the spread of the others, which ends of one column are not; how
 * many.  More than a few are no slips but a tail, and none is far. */
static size_t mark_far(app *a, const task *t, uint64_t seed, int *far)
{
    size_t n = t->n, found;
    if (n < FAR_SHARE || t->row != NULL)
        return 0;
    mtc_real *reach = reach_of(a, t, seed);
    double *sorted = TAKE(a, n, double);
    for (size_t i = 0; i < n; i++)
        sorted[i] = (double)reach[i];
    qsort(sorted, n, sizeof *sorted, compare_reals);
    double usual = sorted[n - 1 - n / 10];      /* nine of ten are as near */
    double bound = usual > 0 ? FAR_TIMES * FAR_TIMES * usual : APP_REAL_MAX;
    found = mark_beyond(n, reach, bound, far);
    if (found > n / FAR_SHARE) {
        memset(far, 0, n * sizeof *far);
        found = 0;
    }
    if (found >= FAR_NEAR) {
        reach_again(a, t, seed, far, reach);
        mark_beyond(n, reach, bound, far);
    }
    if (found > 0) {
        task rest = marked_rows(a, t, far, 0);
        mtc_data X = view_of(&rest);
        double apart = FAR_SPREADS * FAR_SPREADS * spread_of(a, &X) /
                       (double)X.n;
        release_rows(&rest);
        found = mark_beyond(n, reach, apart > bound ? apart : bound, far);
    }
    pool_release(sorted);
    pool_release(reach);
    return found;
}

/* The file of row i, which becomes its row there. */
static const task *file_of(const task *t, size_t *i)
{
    const task *part = t->parts != NULL ? t->parts->at : t;
    for (; t->parts != NULL && *i >= part->n; part++)
        *i -= part->n;
    *i = sample_row(part, *i) + 1;
    return part;
}

/* "; a: 7, 12": the rows of a task that are far, until FEW_SHOWN of all tasks
 * are told. */
static void put_far(app *a, text *which, const task *t, const int *far,
                    size_t told)
{
    const task *last = NULL;
    for (size_t i = 0; i < t->n && told < FEW_SHOWN; i++) {
        size_t row = i;
        if (!far[i])
            continue;
        const task *file = file_of(t, &row);
        if (file != last)
            put(a, which, "%s%s: ", told == 0 ? "" : "; ",
                visible(a, file->name));
        put(a, which, "%s%zu", file != last ? "" : ", ", row);
        last = file;
        told++;
    }
}

/* The rows of t that are not marked, as they were read if t was prepared since:
 * means and deviations are others without the marked ones. */
static task unmarked_rows(app *a, const task *t, int prepared, const int *marked)
{
    task rest = *t;
    if (prepared && t->raw.values != NULL) {
        rest.values = (mtc_real *)t->raw.values;
        rest.row = (size_t *)t->raw.row;
        rest.column = (uint32_t *)t->raw.column;
    }
    task rows = marked_rows(a, &rest, marked, 0);
    rest.n = rows.n;
    rest.values = rows.values;
    rest.row = rows.row;
    rest.column = rows.column;
    rest.truth = NULL;
    rest.place = NULL;
    return rest;
}

/* rest [n]: the tasks without the rows that are marked, prepared anew. */
static void without_marked(app *a, const settings *set, size_t n,
                           const task *const *at, int **marked, task *rest)
{
    int prepared = set->prepared != NULL || at[0]->prepared != NULL;
    for (size_t t = 0; t < n; t++)
        rest[t] = unmarked_rows(a, at[t], prepared, marked[t]);
    if (prepared)
        prepare_again(a, set, n, rest);
}

/* rest [n]: the tasks without rows far from all others; how many those are.
 * `what` says it, up to "without". */
size_t without_far(app *a, const settings *set, size_t n,
                   const task *const *at, task *rest, text *what)
{
    size_t found = 0;
    int **far = TAKE(a, n, int *);
    text which = {NULL, 0, 0};
    for (size_t t = 0; t < n; t++) {
        far[t] = TAKE(a, at[t]->n, int);
        size_t own = mark_far(a, at[t], set->seed, far[t]);
        put_far(a, &which, at[t], far[t], found);
        found += own;
    }
    if (found == 0)
        return 0;
    without_marked(a, set, n, at, far, rest);
    if (found > FEW_SHOWN)
        put(a, &which, " and %zu more", found - FEW_SHOWN);
    put(a, what, "%zu sample%s far from all others (%s), which may be "
        "mistakes; without %s", found, found == 1 ? " lies" : "s lie",
        which.at, found == 1 ? "it" : "them");
    return found;
}
