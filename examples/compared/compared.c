/* SPDX-License-Identifier: MIT
 *
 * compared.c - the frame of the compared systems: streams of chance, parts of
 * results, checks of what is given.  Memory is that of advice's desk.
 */
#define CMP_INTERNAL
#include "compared.h"

/* ---- failure and chance ------------------------------------------------ */

mtc_status cmp_check_options(mtc_context *ctx, const char *wrong)
{
    return wrong == NULL ? MTC_OK : adv_refuse(ctx, MTC_INVALID, wrong);
}

/* The first number of the seed's generator, changed by the stream's number, is
 * the seed of another. */
mtc_random cmp_stream(const mtc_context *ctx, uint64_t stream)
{
    mtc_random r = mtc_random_seed(ctx != NULL ? ctx->seed : 1);
    return mtc_random_seed(mtc_random_bits(&r) ^ stream);
}

/* ---- results ----------------------------------------------------------- */

void cmp_carve_reals(adv_carver *c, size_t count, mtc_real **const *pieces)
{
    for (; *pieces != NULL; pieces++)
        **pieces = ADV_CARVE(c, count, mtc_real);
}

int **cmp_carve_labels(adv_carver *c, const mtc_data *tasks, size_t n_tasks)
{
    int **labels = ADV_CARVE(c, n_tasks, int *);
    for (size_t t = 0; t < n_tasks; t++) {
        int *of = ADV_CARVE(c, tasks[t].n, int);
        if (c->base != NULL)
            labels[t] = of;
    }
    return labels;
}

mtc_real **cmp_carve_rows(adv_carver *c, const mtc_data *tasks, size_t n_tasks,
                          size_t wide)
{
    mtc_real **rows = ADV_CARVE(c, n_tasks, mtc_real *);
    for (size_t t = 0; t < n_tasks; t++) {
        size_t n = tasks[t].n;
        mtc_real *of = ADV_CARVE(c, adv_mul(n, wide > 0 ? wide : n), mtc_real);
        if (c->base != NULL)
            rows[t] = of;
    }
    return rows;
}

/* ---- what is given ----------------------------------------------------- */

mtc_status cmp_check_labels(mtc_context *ctx, const int *labels, size_t n,
                            size_t classes, size_t task)
{
    if (labels == NULL)
        return adv_fail(ctx, MTC_INVALID, "labels", task, MTC_NONE, MTC_NONE);
    for (size_t i = 0; i < n; i++)
        if (labels[i] < 0 || (size_t)labels[i] >= classes)
            return adv_fail(ctx, MTC_INVALID, "labels", task, i, MTC_NONE);
    return MTC_OK;
}

mtc_status cmp_check_tasks(mtc_context *ctx, const char *wrong,
                           const mtc_data *tasks, size_t n_tasks, size_t k,
                           const size_t *of_each,
                           const int *const *start_labels)
{
    ADV_TRY(cmp_check_options(ctx, wrong));
    ADV_TRY(adv_check_sets(ctx, tasks, n_tasks));
    for (size_t t = 0; t < n_tasks; t++) {
        size_t sought = cmp_clusters(k, of_each, t);
        if (sought == 0 || sought > tasks[t].n || sought > INT_MAX)
            return adv_fail(ctx, MTC_INVALID, "clusters: need 1..n", t,
                            MTC_NONE, MTC_NONE);
        if (start_labels != NULL)
            ADV_TRY(cmp_check_labels(ctx, start_labels[t], tasks[t].n, sought,
                                     t));
    }
    return MTC_OK;
}

/* Of CMP_PAIRS: both views, and what is known of the target. */
static mtc_status check_pairs(mtc_context *ctx, const cmp_world *w)
{
    const mtc_data *first = w->view[0];
    const mtc_data *second = w->view[1] != NULL ? w->view[1] : first;
    ADV_TRY(mtc_data_check(ctx, first, w->n_sources + 1));
    if (second != first)
        ADV_TRY(mtc_data_check(ctx, second, w->n_sources + 2));
    for (size_t i = 0; w->known != NULL && i < w->target->n; i++)
        if (w->known[i] < -1 ||
            (w->known[i] >= 0 && (size_t)w->known[i] >= w->c))
            return adv_fail(ctx, MTC_INVALID, "known: need -1 or a class",
                            w->n_sources, i, MTC_NONE);
    return cmp_check_options(
        ctx,
        first->d != w->sources[0].d ? "view 1 and source differ in features"
        : second->d != w->target->d ? "view 2 and target differ in features"
        : second->n != first->n     ? "the two views differ in rows"
        : first->n > UINT32_MAX     ? "pairs: need 1..UINT32_MAX" : NULL);
}

/* Data first, so that a bad value is reported by its place before anything
 * about labels. */
mtc_status cmp_enter(mtc_context *ctx, const char *wrong, cmp_kind kind,
                     cmp_world *w)
{
    size_t S = w->n_sources, labeled = 0;
    ADV_TRY(cmp_check_options(ctx, wrong));
    ADV_TRY(adv_check_sets(ctx, w->sources, S));
    ADV_TRY(mtc_data_check(ctx, w->target, S));
    if (kind == CMP_PAIRS)
        ADV_TRY(check_pairs(ctx, w));
    else if (w->target->d != w->sources[0].d)
        return adv_fail(ctx, MTC_INVALID, "features differ in number", S,
                        MTC_NONE, MTC_NONE);
    if (w->c == 0 || w->c > INT_MAX)
        return cmp_check_options(ctx, "classes: need 1..INT_MAX");
    for (size_t t = 0; w->labels != NULL && t < S; t++) {
        labeled += w->labels[t] != NULL;
        if (w->labels[t] != NULL || kind != CMP_SOME)
            ADV_TRY(cmp_check_labels(ctx, w->labels[t], w->sources[t].n, w->c,
                                     t));
    }
    if (labeled == 0 && kind != CMP_PAIRS)
        return cmp_check_options(ctx, "labels");
    for (size_t t = 0; kind == CMP_COUNTS && t <= S; t++)
        ADV_TRY(cmp_check_nonnegative(ctx, t < S ? &w->sources[t] : w->target,
                                      t));
    w->d = w->target->d;
    w->n = w->target->n;
    w->u0 = cmp_count(w->sources, S);
    w->N = adv_add(w->u0, w->n);
    return MTC_OK;
}

mtc_status cmp_gather(adv_desk *desk, cmp_world *w)
{
    size_t at = 0;
    w->sets = ADV_TAKE(desk, adv_add(w->n_sources, 1), mtc_data);
    w->y = ADV_TAKE(desk, w->N, int);
    w->count = ADV_TAKE(desk, adv_mul(2, w->c), mtc_real);
    ADV_TRY(desk->status);
    for (size_t t = 0; t <= w->n_sources; t++) {
        int source = t < w->n_sources;
        const int *y = !source ? w->known : w->labels != NULL ? w->labels[t]
                                                              : NULL;
        w->sets[t] = source ? w->sources[t] : *w->target;
        for (size_t i = 0; i < w->sets[t].n; i++, at++) {
            w->y[at] = y != NULL ? y[i] : -1;
            if (w->y[at] >= 0)
                w->count[(source ? 0 : w->c) + (size_t)w->y[at]] += 1;
        }
    }
    return MTC_OK;
}
