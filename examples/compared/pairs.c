/* SPDX-License-Identifier: MIT
 *
 * pairs.c - what co-transfer and HTLIC are given; pairs.h says what.
 */
#define CMP_INTERNAL
#include "pairs.h"

/* Data first, so that a bad value is reported by its place before anything
 * else. */
mtc_status cmp_check_pairs(mtc_context *ctx, const mtc_data *sources,
                           const int *const *labels, size_t n_sources,
                           const mtc_data *target,
                           const mtc_data *view1, const mtc_data *view2,
                           const int *known, size_t classes)
{
    mtc_status s = cmp_check_sets(ctx, sources, n_sources);
    if (s == MTC_OK)
        s = mtc_data_check(ctx, target, n_sources);
    if (s == MTC_OK)
        s = mtc_data_check(ctx, view1, n_sources + 1);
    if (s == MTC_OK && view2 != NULL)
        s = mtc_data_check(ctx, view2, n_sources + 2);
    if (s != MTC_OK)
        return s;
    const mtc_data *second = view2 != NULL ? view2 : view1;
    s = cmp_check_options(
        ctx, view1->d != sources[0].d ? "view 1 and source differ in features"
             : second->d != target->d ? "view 2 and target differ in features"
             : second->n != view1->n  ? "the two views differ in rows"
             : view1->n > UINT32_MAX  ? "pairs: need 1..UINT32_MAX"
             : classes == 0 || classes > INT_MAX ? "classes: need 1..INT_MAX"
                                                 : NULL);
    for (size_t t = 0; s == MTC_OK && labels != NULL && t < n_sources; t++)
        s = cmp_check_labels(ctx, labels[t], sources[t].n, classes, t);
    for (size_t i = 0; s == MTC_OK && known != NULL && i < target->n; i++)
        if (known[i] < -1 || (known[i] >= 0 && (size_t)known[i] >= classes))
            s = cmp_fail(ctx, MTC_INVALID, "known: need -1 or a class",
                         n_sources, i, MTC_NONE);
    return s;
}

/* A stored value of 0 is no use. */
mtc_data cmp_used_columns(cmp_room *room, const mtc_data *bridge,
                          const mtc_data *X)
{
    unsigned char *used = CMP_TAKE(room, X->d, unsigned char);
    mtc_data copy = cmp_stack(room, bridge, 1);
    mtc_real *value = (mtc_real *)copy.values;      /* ours */
    for (size_t i = 0; room->status == MTC_OK && i < X->n; i++)
        for (size_t b = cmp_begin(X, i), e = b; e < cmp_end(X, i); e++)
            if (X->values[e] < 0 || X->values[e] > 0)
                used[cmp_column(X, b, e)] = 1;
    for (size_t i = 0; room->status == MTC_OK && i < copy.n; i++)
        for (size_t b = cmp_begin(&copy, i), e = b; e < cmp_end(&copy, i); e++)
            if (!used[cmp_column(&copy, b, e)])
                value[e] = 0;
    return copy;
}
