/* SPDX-License-Identifier: MIT
 *
 * coordinates.c - coordinates.h says what.  With the eigenpairs (e, E) of
 *   S = X'X, Y = X E  if d <= N, else  S = X X', Y = E e^1/2
 */
#define CMP_INTERNAL
#include "coordinates.h"

/* From row i of A [N*p] the mean of its task's rows, summed as differences from
 * the first of them: rows that are equal become 0, exactly.  A_ic is
 * A[i * down + c * right]. */
static void center_rows(const mtc_data *tasks, size_t n_tasks, mtc_real *A,
                        size_t p, size_t down, size_t right)
{
    for (size_t t = 0; t < n_tasks; A += tasks[t++].n * down)
        for (size_t c = 0; c < p; c++) {
            mtc_real *x = A + c * right, first = *x, mean = 0;
            for (size_t i = 0; i < tasks[t].n; i++)
                mean += (x[i * down] - first) / (mtc_real)tasks[t].n;
            for (size_t i = 0; i < tasks[t].n; i++)
                x[i * down] = (x[i * down] - first) - mean;
        }
}

/* S of the rows `all`, which become X [N*d] if they are few columns to center.
 * Many are not filled: their products are centered, from both sides.  Returns
 * what rounding may leave of an eigenvalue 0. */
static mtc_real gram_of(const mtc_data *tasks, size_t n_tasks, int centered,
                        mtc_data *all, mtc_real *X, mtc_real *S, void *work)
{
    size_t N = all->n, d = all->d;
    mtc_real noise = 0;
    if (d <= N && centered) {
        for (size_t i = 0; i < N; i++)
            mtc_data_axpy(all, i, 1, X + i * d);
        center_rows(tasks, n_tasks, X, d, d, 1);
        *all = mtc_dense(N, d, X);
        mtc_syrk(1, d, N, 1, X, d, 0, S, d, work);
    } else if (d <= N) {
        for (size_t i = 0; i < N; i++)
            for (size_t b = cmp_begin(all, i), e = b; e < cmp_end(all, i); e++)
                mtc_data_axpy(all, i, all->values[e],
                              S + cmp_column(all, b, e) * d);
    } else {
        mtc_data_gram(all, all, S, N, work);
        for (size_t i = 0; i < N && centered; i++)
            noise += (mtc_real)N * CMP_EPS * S[i * N + i];
        for (size_t side = 0; side < 2 && centered; side++)
            center_rows(tasks, n_tasks, S, N, side ? 1 : N, side ? N : 1);
    }
    return noise;
}

mtc_status cmp_coordinates(mtc_context *ctx, const mtc_data *tasks,
                           size_t n_tasks, int centered, mtc_real *Y,
                           mtc_real *values, size_t *q)
{
    size_t N = cmp_count(tasks, n_tasks), d = tasks[0].d, r = 0;
    size_t side = d < N ? d : N;
    cmp_room room = cmp_open(ctx);
    mtc_data all = cmp_stack(&room, tasks, n_tasks);
    size_t bytes = mtc_data_work(&all, &all, side);
    size_t more = mtc_gemm_work(N, side, N);        /* X'X and X E */
    mtc_real *X = CMP_TAKE(&room, d <= N && centered ? cmp_mul(N, d) : 0,
                           mtc_real);
    mtc_real *S = CMP_TAKE(&room, cmp_mul(side, side), mtc_real);
    mtc_real *E = CMP_TAKE(&room, cmp_mul(side, side), mtc_real);
    mtc_real *e = CMP_TAKE(&room, side, mtc_real);
    void *work = cmp_take(&room, bytes > more ? bytes : more, 1);
    mtc_status s = room.status;
    mtc_real noise = s != MTC_OK ? 0
                     : gram_of(tasks, n_tasks, centered, &all, X, S, work);
    if (s == MTC_OK)
        s = mtc_symeig(ctx, side, S, side, e, E, side); /* ascending */
    while (s == MTC_OK && r < side && e[side - 1] > noise &&
           e[side - 1 - r] > CMP_RANK * e[side - 1])
        r++;
    if (s == MTC_OK) {
        *q = r;
        memcpy(values, e + side - r, r * sizeof *values);
    }
    if (s == MTC_OK && r > 0 && d <= N)
        mtc_data_times(&all, r, E + side - r, side, Y, r, work);
    for (size_t i = 0; s == MTC_OK && d > N && i < N * r; i++)
        Y[i] = E[i / r * side + side - r + i % r] * cmp_sqrt(values[i % r]);
    return cmp_close(&room, s, NULL, 0, NULL);
}
