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

/* Lists come by distance; a row of cosines puts them in order of index. */
mtc_data cmp_nearest_cosines(cmp_room *room, const mtc_data *X,
                             const mtc_data *view, size_t k)
{
    size_t all = cmp_mul(X->n, k), at = 0;
    size_t *row = CMP_TAKE(room, X->n + 1, size_t);
    uint32_t *column = CMP_TAKE(room, all, uint32_t);
    mtc_real *value = CMP_TAKE(room, all, mtc_real);
    mtc_real *cosine = CMP_TAKE(room, view->n, mtc_real);   /* of one row */
    cmp_room own = cmp_open(room->ctx);
    size_t *index = CMP_TAKE(&own, all, size_t);
    mtc_real *key = CMP_TAKE(&own, all, mtc_real);
    mtc_status s = room->status != MTC_OK ? room->status : own.status;
    if (s == MTC_OK)
        s = mtc_neighbors(room->ctx, view, X, k, MTC_DISTANCE_COSINE, index,
                          key);
    for (size_t i = 0; s == MTC_OK && i < X->n; i++) {
        for (size_t e = i * k; e < i * k + k; e++)
            cosine[index[e]] = 1 - key[e] > CMP_WEAK ? 1 - key[e] : 0;
        for (size_t j = 0; j < view->n; j++)        /* ascending */
            if (cosine[j] > 0) {
                column[at] = (uint32_t)j;
                value[at++] = cosine[j];
                cosine[j] = 0;
            }
        row[i + 1] = at;
    }
    room->status = cmp_close(&own, s, NULL, 0, NULL);
    return mtc_csr(X->n, view->n, row, column, value);
}

/* A row at a time: that of feature f is the sum of z_if t_i over
 * the pairs i that have f, whose numbers the list holds feature by feature. */
mtc_real cmp_product_norm(cmp_room *room, const mtc_data *Z,
                          const mtc_data *T)
{
    size_t stored = Z->row != NULL ? Z->row[Z->n] : Z->n * Z->d;
    size_t *end = CMP_TAKE(room, cmp_add(Z->d, 1), size_t);
    size_t *pair = CMP_TAKE(room, stored, size_t);
    mtc_real *z = CMP_TAKE(room, stored, mtc_real), sum = 0;
    mtc_real *row = CMP_TAKE(room, T->d, mtc_real);
    if (room->status != MTC_OK)
        return 0;
    for (size_t i = 0; i < Z->n; i++)
        for (size_t b = cmp_begin(Z, i), e = b; e < cmp_end(Z, i); e++)
            end[cmp_column(Z, b, e) + 1]++;
    for (size_t f = 0; f < Z->d; f++)
        end[f + 1] += end[f];
    for (size_t i = 0; i < Z->n; i++)               /* end: where f goes on */
        for (size_t b = cmp_begin(Z, i), e = b; e < cmp_end(Z, i); e++) {
            size_t at = end[cmp_column(Z, b, e)]++;
            pair[at] = i;
            z[at] = Z->values[e];
        }
    for (size_t f = 0, at = 0; f < Z->d; f++) {
        size_t first = at;
        for (; at < end[f]; at++)
            mtc_data_axpy(T, pair[at], z[at], row);
        for (at = first; at < end[f]; at++)
            for (size_t i = pair[at], b = cmp_begin(T, i), e = b;
                 e < cmp_end(T, i); e++) {
                mtc_real *g = &row[cmp_column(T, b, e)];
                sum += *g * *g;
                *g = 0;
            }
    }
    return cmp_sqrt(sum);
}

mtc_data cmp_beside(cmp_room *room, const mtc_data *X, const mtc_data *Y)
{
    const mtc_data *part[2] = {X, Y};
    size_t stored = 0, at = 0;
    for (size_t i = 0; i < X->n; i++)
        for (int s = 0; s < 2; s++)
            stored += cmp_end(part[s], i) - cmp_begin(part[s], i);
    size_t *row = CMP_TAKE(room, cmp_add(X->n, 1), size_t);
    uint32_t *column = CMP_TAKE(room, stored, uint32_t);
    mtc_real *value = CMP_TAKE(room, stored, mtc_real);
    for (size_t i = 0; room->status == MTC_OK && i < X->n; i++) {
        for (int s = 0; s < 2; s++)
            for (size_t b = cmp_begin(part[s], i), e = b;
                 e < cmp_end(part[s], i); e++, at++) {
                column[at] = (uint32_t)((s ? X->d : 0) +
                                        cmp_column(part[s], b, e));
                value[at] = part[s]->values[e];
            }
        row[i + 1] = at;
    }
    return mtc_csr(X->n, X->d + Y->d, row, column, value);
}
