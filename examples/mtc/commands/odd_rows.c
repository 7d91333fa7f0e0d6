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

/* far [n]: 1 for rows far from all others; how many. */
static size_t mark_far(app *a, const task *t, uint64_t seed, int *far)
{
    mtc_context ctx = context_of(a, seed);
    mtc_data X = view_of(t);
    size_t found = 0;
    check(a, &ctx, mtc_far_rows(&ctx, &X, far), "choose");
    for (size_t i = 0; i < t->n; i++)
        found += (size_t)far[i];
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
    size_t *index = TAKE(a, t->n, size_t), m = 0;
    for (size_t i = 0; i < t->n; i++)
        if (!marked[i])
            index[m++] = i;
    if (prepared && t->raw.values != NULL) {
        rest.values = (mtc_real *)t->raw.values;
        rest.row = (size_t *)t->raw.row;
        rest.column = (uint32_t *)t->raw.column;
    }
    task rows = rows_at(a, &rest, index, m);
    pool_release(index);
    rest.n = rows.n;
    rest.values = rows.values;
    rest.row = rows.row;
    rest.column = rows.column;
    rest.truth = NULL;
    rest.place = NULL;
    return rest;
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
    int prepared = set->prepared != NULL || at[0]->prepared != NULL;
    for (size_t t = 0; t < n; t++)
        rest[t] = unmarked_rows(a, at[t], prepared, far[t]);
    if (prepared)
        prepare_again(a, set, n, rest);
    if (found > FEW_SHOWN)
        put(a, &which, " and %zu more", found - FEW_SHOWN);
    put(a, what, "%zu sample%s far from all others (%s), which may be %s; "
        "without %s", found, found == 1 ? " lies" : "s lie", which.at,
        found == 1 ? "a mistake" : "mistakes", found == 1 ? "it" : "them");
    return found;
}
