/* SPDX-License-Identifier: MIT
 *
 * snn.c - shared nearest neighbors; snn.h says what.
 *
 * Cost: the lists O(n m d), the counts O(n^2 l).  Nothing of the size of S is
 * held but S itself.
 */
#define CMP_INTERNAL
#include "snn.h"

mtc_status cmp_snn_check(mtc_context *ctx, const mtc_data *tasks,
                         size_t n_tasks, size_t k, const size_t *of_each,
                         const int *const *start_labels, size_t restarts,
                         const void *res)
{
    mtc_status s = cmp_check_options(
        ctx, res == NULL     ? "result"
             : restarts == 0 ? "restarts: need 1 or more" : NULL);
    if (s == MTC_OK)
        s = cmp_check_sets(ctx, tasks, n_tasks);
    for (size_t t = 0; s == MTC_OK && t < n_tasks; t++) {
        size_t sought = cmp_snn_k(k, of_each, t);
        if (sought == 0 || sought > tasks[t].n || sought > INT_MAX)
            s = cmp_fail(ctx, MTC_INVALID, "clusters: need 1..n", t, MTC_NONE,
                         MTC_NONE);
        else if (start_labels != NULL)
            s = cmp_check_labels(ctx, start_labels[t], tasks[t].n, sought, t);
    }
    return s;
}

size_t cmp_snn_count(mtc_real share, size_t n, size_t k, size_t most)
{
    size_t l = cmp_ceil(share * (mtc_real)n / (mtc_real)k);
    l = l > 0 ? l : 1;
    return l < most ? l : most;
}

/* Rows keep their kind: dense, or the stored entries. */
mtc_data cmp_snn_rows(cmp_room *room, const mtc_data *X, size_t m,
                      const size_t *rows)
{
    size_t stored = 0, at = 0;
    for (size_t i = 0; room->status == MTC_OK && i < m; i++)
        stored += cmp_end(X, rows[i]) - cmp_begin(X, rows[i]);
    mtc_real *value = CMP_TAKE(room, stored, mtc_real);
    size_t *row = CMP_TAKE(room, m + 1, size_t);
    uint32_t *column = CMP_TAKE(room, stored, uint32_t);
    for (size_t i = 0; room->status == MTC_OK && i < m; i++) {
        size_t begin = cmp_begin(X, rows[i]), end = cmp_end(X, rows[i]);
        for (size_t e = begin; e < end; e++, at++) {
            value[at] = X->values[e];
            column[at] = (uint32_t)cmp_column(X, begin, e);
        }
        row[i + 1] = at;
    }
    return X->row != NULL ? mtc_csr(m, X->d, row, column, value)
                          : mtc_dense(m, X->d, value);
}

/* The neighbors of i are marked, those of every j before it counted. */
mtc_status cmp_snn_add(mtc_context *ctx, const mtc_data *points,
                       const mtc_data *queries, const size_t *rows, size_t l,
                       mtc_real weight, size_t n, mtc_real *S)
{
    size_t m = queries != NULL ? queries->n : points->n;
    cmp_room room = cmp_open(ctx);
    size_t *list = CMP_TAKE(&room, cmp_mul(m, l), size_t);      /* [m*l] */
    unsigned char *mark = CMP_TAKE(&room, points->n, unsigned char);
    mtc_status s = room.status;
    if (s == MTC_OK && l > 0)
        s = mtc_neighbors(ctx, points, queries, l, MTC_DISTANCE_SQEUCLIDEAN,
                          list, NULL);
    for (size_t i = 0; s == MTC_OK && l > 0 && i < m; i++) {
        size_t a = rows != NULL ? rows[i] : i;
        for (size_t c = 0; c < l; c++)
            mark[list[i * l + c]] = 1;
        for (size_t j = 0; j < i; j++) {
            size_t b = rows != NULL ? rows[j] : j, common = 0;
            for (size_t c = 0; c < l; c++)
                common += mark[list[j * l + c]];
            S[a * n + b] += weight * (mtc_real)common / (mtc_real)l;
        }
        for (size_t c = 0; c < l; c++)
            mark[list[i * l + c]] = 0;
        s = cmp_tick(ctx, "shared neighbors", i + 1, m);
    }
    return cmp_close(&room, s, NULL, 0, NULL);
}

/* The kernel is evaluated where it is needed, and not kept. */
mtc_status cmp_snn_cluster(mtc_context *ctx, const mtc_data *X,
                           mtc_real sigma, mtc_real *S, size_t k,
                           size_t restarts, int *labels, size_t *k_effective)
{
    size_t n = X->n;
    mtc_status s = MTC_OK;
    for (size_t i = 0; s == MTC_OK && i < n; i++) {
        for (size_t j = 0; j < i; j++)
            if (S[i * n + j] > 0) {
                mtc_real far = cmp_squared_distance(X, i, X, j);
                S[i * n + j] *= mtc_exp(-far / (2 * sigma * sigma));
                S[j * n + i] = S[i * n + j];        /* exactly symmetric */
            }
        s = cmp_tick(ctx, "similarity", i + 1, n);
    }
    if (s != MTC_OK)
        return s;
    mtc_data given = mtc_dense(n, n, S);
    mtc_ncut_options o = mtc_ncut_defaults();
    mtc_ncut_result r;
    o.clusters = k;
    o.restarts = restarts;
    o.given = 1;
    s = mtc_ncut(ctx, &given, &o, &r);
    if (s == MTC_OK) {
        memcpy(labels, r.labels, n * sizeof *labels);
        *k_effective = r.k_effective;
        mtc_free(ctx, &r.block);
    }
    return s;
}
