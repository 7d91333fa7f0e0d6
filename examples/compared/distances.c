/* SPDX-License-Identifier: MIT
 *
 * distances.c - the scale of data: distances between samples of any views,
 * their median over all tasks, and the Gaussian kernel of that width.
 */
#define CMP_INTERNAL
#include "compared.h"

#define MEDIAN_SAMPLES 1000             /* at most so many are compared */

/* Differences, not |x|^2 + |y|^2 - 2 x.y: duplicates are at distance 0.  Both
 * rows are walked once, by ascending column; a column that only one of them
 * stores is 0 in the other. */
mtc_real cmp_squared_distance(const mtc_data *X, size_t i, const mtc_data *Y,
                              size_t j)
{
    size_t a0 = cmp_begin(X, i), b0 = cmp_begin(Y, j), a = a0, b = b0;
    size_t a_end = cmp_end(X, i), b_end = cmp_end(Y, j);
    mtc_real sum = 0;
    if (X->row == NULL && Y->row == NULL) {
        for (; a < a_end; a++, b++)
            sum += (X->values[a] - Y->values[b]) *
                   (X->values[a] - Y->values[b]);
        return sum;
    }
    while (a < a_end || b < b_end) {
        size_t p = a < a_end ? cmp_column(X, a0, a) : MTC_NONE;
        size_t q = b < b_end ? cmp_column(Y, b0, b) : MTC_NONE;
        mtc_real gap = (p <= q ? X->values[a] : 0) -
                       (q <= p ? Y->values[b] : 0);
        a += p <= q;
        b += q <= p;
        sum += gap * gap;
    }
    return sum;
}

/* The root of squared distance number floor(M/2), from 0, of the M that the
 * samples of all sets have among each other. */
mtc_real cmp_median_distance(cmp_room *room, const mtc_data *sets,
                             size_t n_sets)
{
    size_t N = cmp_count(sets, n_sets), pairs = 0;
    size_t n = N < MEDIAN_SAMPLES ? N : MEDIAN_SAMPLES, M = n * (n - 1) / 2;
    cmp_room own = cmp_open(room->ctx);             /* goes back at once */
    size_t *set = CMP_TAKE(&own, n, size_t), *row = CMP_TAKE(&own, n, size_t);
    mtc_real *square = CMP_TAKE(&own, M, mtc_real), median = 1;
    size_t *order = CMP_TAKE(&own, M, size_t);
    size_t *spare = CMP_TAKE(&own, M, size_t);
    mtc_status s = room->status != MTC_OK ? room->status : own.status;
    for (size_t i = 0, t = 0, before = 0; s == MTC_OK && i < n; i++) {
        size_t at = N / n * i + N % n * i / n;      /* floor(i N / n) */
        while (at - before >= sets[t].n)
            before += sets[t++].n;
        set[i] = t;
        row[i] = at - before;
    }
    for (size_t i = 1; s == MTC_OK && i < n; i++) {
        for (size_t j = 0; j < i; j++)
            square[pairs++] = cmp_squared_distance(
                &sets[set[i]], row[i], &sets[set[j]], row[j]);
        s = cmp_tick(room->ctx, "median distance", i + 1, n);
    }
    if (s == MTC_OK && M > 0) {
        cmp_sort(M, square, order, spare);
        mtc_real middle = square[order[M / 2]];
        median = middle > 0 ? cmp_sqrt(middle) : 1;
    }
    room->status = cmp_close(&own, s, NULL, 0, NULL);
    return median;
}

/* The complete Gaussian graph has the width 2 sigma^2 and no loops. */
mtc_status cmp_gaussian_kernel(mtc_context *ctx, const mtc_data *sets,
                               size_t n_sets, mtc_real sigma, mtc_graph *K)
{
    mtc_graph_options o = mtc_graph_defaults();
    o.similarity = MTC_SIMILARITY_GAUSSIAN;
    o.width = 2 * sigma * sigma;
    o.absolute = 1;
    mtc_status s = mtc_graph_build(ctx, sets, n_sets, &o, K);
    for (size_t i = 0; s == MTC_OK && i < K->weights.n; i++) {
        mtc_real *value = (mtc_real *)K->weights.values;    /* ours */
        value[i * K->weights.stride + i] = 1;
    }
    return s;
}
