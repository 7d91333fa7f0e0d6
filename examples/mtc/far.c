/* SPDX-License-Identifier: MIT
 *
 * far.c - rows far from all others
 *
 * A slip of the decimal point, or 9999 for "unknown", makes a row that lies far
 * from all others.  `choose` takes such a row for a cluster, and its boundary
 * may hide all that lies between the others.  So it is asked again without
 * these rows: the answer stays, but the other one can be told.
 */
#include "job.h"
#include "summary.h"

#include <stdlib.h>
#include <string.h>

#define FAR_TIMES 4.0                   /* as far as most rows are */
enum {
    FAR_DRAWN = 500,                    /* rows that distances are taken to */
    FAR_NEAR = 4,                       /* neighbors, a drawn row itself too */
    FAR_SHARE = 20                      /* one of 20 rows at most is far */
};

/* reach [n]: squared distance of each row to its FAR_NEAR-th neighbor. */
static mtc_real *reach_of(app *a, const task *t, uint64_t seed)
{
    mtc_context ctx = context_of(a, seed);
    mtc_random rng = mtc_random_seed(seed);
    task drawn = drawn_rows(a, t, FAR_DRAWN, &rng);
    mtc_data points = view_of(&drawn), rows = view_of(t);
    size_t *index = TAKE(a, t->n * FAR_NEAR, size_t);
    mtc_real *key = TAKE(a, t->n * FAR_NEAR, mtc_real);
    check(a, &ctx, mtc_neighbors(&ctx, &points, &rows, FAR_NEAR,
                                 MTC_DISTANCE_SQEUCLIDEAN, index, key),
          "choose");
    for (size_t i = 0; i < t->n; i++)
        key[i] = key[i * FAR_NEAR + FAR_NEAR - 1];
    pool_release(index);
    release_rows(&drawn);
    return key;
}

/* far [n]: 1 for rows far from all others; how many.  More than a few are no
 * slips but a tail, and none is far. */
static size_t mark_far(app *a, const task *t, uint64_t seed, int *far)
{
    size_t n = t->n, found = 0;
    if (n < FAR_SHARE || t->row != NULL)
        return 0;
    mtc_real *reach = reach_of(a, t, seed);
    double *sorted = TAKE(a, n, double);
    for (size_t i = 0; i < n; i++)
        sorted[i] = (double)reach[i];
    qsort(sorted, n, sizeof *sorted, compare_reals);
    double usual = sorted[n - 1 - n / 10];      /* nine of ten are as near */
    for (size_t i = 0; i < n; i++) {
        far[i] = usual > 0 && (double)reach[i] > FAR_TIMES * FAR_TIMES * usual;
        found += (size_t)far[i];
    }
    pool_release(sorted);
    pool_release(reach);
    if (found <= n / FAR_SHARE)
        return found;
    memset(far, 0, n * sizeof *far);
    return 0;
}

/* "; a: 7, 12": the rows of a task that are far, until FEW_SHOWN of all tasks
 * are told. */
static void put_far(app *a, text *which, const task *t, const int *far,
                    size_t told)
{
    const char *before = told == 0 ? "" : "; ";
    for (size_t i = 0, first = 1; i < t->n && told < FEW_SHOWN; i++) {
        if (!far[i])
            continue;
        if (first)
            put(a, which, "%s%s: ", before, visible(a, t->name));
        put(a, which, "%s%zu", first ? "" : ", ", sample_row(t, i) + 1);
        first = 0;
        told++;
    }
}

/* near [n]: the tasks without rows far from all others; how many those are,
 * and which in words. */
size_t without_far(app *a, uint64_t seed, size_t n, const task *const *at,
                   task *near, text *which)
{
    size_t found = 0;
    for (size_t t = 0; t < n; t++) {
        size_t *index = TAKE(a, at[t]->n, size_t), m = 0;
        int *far = TAKE(a, at[t]->n, int);
        size_t own = mark_far(a, at[t], seed, far);
        put_far(a, which, at[t], far, found);
        found += own;
        for (size_t i = 0; i < at[t]->n; i++)
            if (!far[i])
                index[m++] = i;
        near[t] = rows_at(a, at[t], index, m);
        pool_release(far);
        pool_release(index);
    }
    if (found > FEW_SHOWN)
        put(a, which, " and %zu more", found - FEW_SHOWN);
    return found;
}
