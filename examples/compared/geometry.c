/* SPDX-License-Identifier: MIT
 *
 * geometry.c - distances and their median, shared nearest neighbors,
 * coordinates in the space that rows span, the secular equation, balanced
 * clusters, for the compared systems; compared.h says what each of these is.
 */
#define CMP_INTERNAL
#include "compared.h"

#define MEDIAN_SAMPLES ((size_t)1000)   /* at most so many are compared */

/* ---- distances --------------------------------------------------------- */

/* Differences, not |x|^2 + |y|^2 - 2 x.y: duplicates are at distance 0.  Both
 * rows are walked once, by ascending column; a column that only one of them
 * stores is 0 in the other. */
mtc_real cmp_squared_distance(const mtc_data *X, size_t i, size_t j)
{
    size_t a0 = adv_begin(X, i), b0 = adv_begin(X, j), a = a0, b = b0;
    size_t a_end = adv_end(X, i), b_end = adv_end(X, j);
    mtc_real sum = 0;
    if (X->row == NULL) {
        for (; a < a_end; a++, b++)
            sum += (X->values[a] - X->values[b]) *
                   (X->values[a] - X->values[b]);
        return sum;
    }
    while (a < a_end || b < b_end) {
        size_t p = a < a_end ? X->column[a] : MTC_NONE;
        size_t q = b < b_end ? X->column[b] : MTC_NONE;
        mtc_real gap = (p <= q ? X->values[a] : 0) -
                       (q <= p ? X->values[b] : 0);
        a += p <= q;
        b += q <= p;
        sum += gap * gap;
    }
    return sum;
}

mtc_real cmp_median_distance(adv_desk *desk, const mtc_data *sets,
                             size_t n_sets)
{
    union adv_piece *mark = desk->last;
    mtc_data X = cmp_stack(desk, sets, n_sets);
    size_t n = X.n < MEDIAN_SAMPLES ? X.n : MEDIAN_SAMPLES, pairs = 0;
    size_t M = n * (n - 1) / 2, *at = ADV_TAKE(desk, n, size_t);
    size_t *order = ADV_TAKE(desk, M, size_t);
    size_t *spare = ADV_TAKE(desk, M, size_t);
    mtc_real *square = ADV_TAKE(desk, M, mtc_real), median = 1;
    for (size_t i = 0; desk->status == MTC_OK && i < n; i++) {
        at[i] = X.n / n * i + X.n % n * i / n;      /* floor(i N / n) */
        for (size_t j = 0; j < i; j++)
            square[pairs++] = cmp_squared_distance(&X, at[i], at[j]);
        desk->status = adv_tick(desk->ctx, "median distance", i + 1, n);
    }
    if (desk->status == MTC_OK && M > 0) {
        cmp_sort(M, square, order, spare);
        mtc_real middle = square[order[M / 2]];
        median = middle > 0 ? ADV_SQRT(middle) : 1;
    }
    adv_release(desk, mark);
    return median;
}

/* ---- shared nearest neighbors ------------------------------------------ */

size_t cmp_snn_count(mtc_real share, size_t n, size_t k, size_t most)
{
    size_t l = cmp_ceil(share * (mtc_real)n / (mtc_real)k);
    l = l > 0 ? l : 1;
    return l < most ? l : most;
}

/* The neighbors of i are marked, those of every j before it counted. */
mtc_status cmp_snn_add(adv_desk *desk, const mtc_data *points,
                       const mtc_data *queries, const size_t *rows, size_t l,
                       mtc_real weight, size_t n, mtc_real *S)
{
    union adv_piece *before = desk->last;
    size_t m = queries != NULL ? queries->n : points->n;
    size_t *list = ADV_TAKE(desk, adv_mul(m, l), size_t);       /* [m*l] */
    unsigned char *mark = ADV_TAKE(desk, points->n, unsigned char);
    ADV_TRY(desk->status);
    if (l > 0)
        ADV_TRY(mtc_neighbors(desk->ctx, points, queries, l,
                              MTC_DISTANCE_SQEUCLIDEAN, list, NULL));
    for (size_t i = 0; l > 0 && i < m; i++) {
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
        ADV_TRY(adv_tick(desk->ctx, "shared neighbors", i + 1, m));
    }
    adv_release(desk, before);
    return MTC_OK;
}

/* The kernel is evaluated where it is needed, and not kept. */
mtc_status cmp_snn_cluster(adv_desk *desk, const mtc_data *X, mtc_real sigma,
                           mtc_real *S, size_t k, size_t restarts, int *labels,
                           size_t *k_effective)
{
    size_t n = X->n;
    mtc_data given = mtc_dense(n, n, S);
    mtc_ncut_options o = mtc_ncut_defaults();
    mtc_ncut_result r;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++)
            if (S[i * n + j] > 0) {
                mtc_real far = cmp_squared_distance(X, i, j);
                S[i * n + j] *= mtc_exp(-far / (2 * sigma * sigma));
                S[j * n + i] = S[i * n + j];        /* exactly symmetric */
            }
        ADV_TRY(adv_tick(desk->ctx, "similarity", i + 1, n));
    }
    o.clusters = k;
    o.restarts = restarts;
    o.given = 1;
    ADV_TRY(mtc_ncut(desk->ctx, &given, &o, &r));
    memcpy(labels, r.labels, n * sizeof *labels);
    *k_effective = r.k_effective;
    mtc_free(desk->ctx, &r.block);
    return MTC_OK;
}

/* ---- coordinates -------------------------------------------------------
 * With the eigenpairs (e, E) of S: S = X'X, Y = X E if d <= N, else S = X X',
 * Y = E e^1/2. */

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
            for (size_t b = adv_begin(all, i), e = b; e < adv_end(all, i); e++)
                mtc_data_axpy(all, i, all->values[e],
                              S + adv_column(all, b, e) * d);
    } else {
        mtc_data_gram(all, all, S, N, work);
        for (size_t i = 0; i < N && centered; i++)
            noise += (mtc_real)N * CMP_EPS * S[i * N + i];
        for (size_t side = 0; side < 2 && centered; side++)
            center_rows(tasks, n_tasks, S, N, side ? 1 : N, side ? N : 1);
    }
    return noise;
}

mtc_status cmp_coordinates(adv_desk *desk, const mtc_data *tasks,
                           size_t n_tasks, int centered, mtc_real *Y,
                           mtc_real *values, size_t *q)
{
    union adv_piece *mark = desk->last;
    mtc_data all = cmp_stack(desk, tasks, n_tasks);
    size_t N = all.n, d = all.d, side = d < N ? d : N, r = 0;
    size_t bytes = mtc_data_work(&all, &all, side);
    size_t more = mtc_gemm_work(N, side, N);        /* X'X and X E */
    mtc_real *X = ADV_TAKE(desk, d <= N && centered ? adv_mul(N, d) : 0,
                           mtc_real);
    mtc_real *S, *E, *e = ADV_TAKE(desk, side, mtc_real);
    void *work = adv_take(desk, bytes > more ? bytes : more, 1);
    ADV_REALS(desk, adv_mul(side, side), &S, &E);
    ADV_TRY(desk->status);
    mtc_real noise = gram_of(tasks, n_tasks, centered, &all, X, S, work);
    ADV_TRY(mtc_symeig(desk->ctx, side, S, side, e, E, side));  /* ascending */
    while (r < side && e[side - 1] > noise &&
           e[side - 1 - r] > CMP_RANK * e[side - 1])
        r++;
    *q = r;
    memcpy(values, e + side - r, r * sizeof *values);
    if (r > 0 && d <= N)
        mtc_data_times(&all, r, E + side - r, side, Y, r, work);
    for (size_t i = 0; d > N && i < N * r; i++)
        Y[i] = E[i / r * side + side - r + i % r] * ADV_SQRT(values[i % r]);
    adv_release(desk, mark);
    return MTC_OK;
}

/* ---- the secular equation ------------------------------------------------ */

/* The sum falls in t; it is at least `square` at |b_0| / root and at most at
 * |b| / root. */
mtc_real cmp_secular_root(size_t m, const mtc_real *w, const mtc_real *b,
                          mtc_real square)
{
    mtc_real low = cmp_abs(b[0]) / ADV_SQRT(square);
    mtc_real high = ADV_SQRT(mtc_dot(m, b, b) / square);
    for (int step = 0; step < 200; step++) {
        mtc_real t = low + (high - low) / 2, sum = 0;
        if (!(t > low && t < high))
            break;
        for (size_t k = 0; k < m; k++)
            sum += b[k] / (w[k] - w[0] + t) * (b[k] / (w[k] - w[0] + t));
        *(sum > square ? &low : &high) = t;
    }
    return high;
}

/* ---- balanced clusters -------------------------------------------------- */

/* A transportation problem of n rows of supply 1 and two columns a cluster: one
 * has to get `low` samples, the other may get high - low more, or whatever is
 * missing from a last row. */
mtc_status cmp_balanced_labels(adv_desk *desk, size_t n, size_t k,
                               const mtc_real *F, mtc_real slack, int *labels,
                               int *changed)
{
    union adv_piece *mark = desk->last;
    mtc_real mean = (mtc_real)n / (mtc_real)k, far = 0;
    mtc_real *cost, *plan, *supply = ADV_TAKE(desk, n + 1, mtc_real);
    size_t low = cmp_floor((1 - slack) * mean), wide = 2 * k;
    size_t high = cmp_ceil((1 + slack) * mean);
    mtc_real *demand = ADV_TAKE(desk, wide, mtc_real);
    ADV_REALS(desk, adv_mul(n + 1, wide), &cost, &plan);
    ADV_TRY(desk->status);
    low = low > 1 ? low : 1;                        /* never one cluster */
    high = high < n ? high : n;
    for (size_t e = 0; e < n * k; e++)
        far = cmp_abs(F[e]) > far ? cmp_abs(F[e]) : far;
    far = far > 0 ? far * (mtc_real)(4 * k) : 1;    /* above any gain */
    for (size_t e = 0; e < (n + 1) * wide; e++) {
        size_t i = e / wide, z = e % wide;
        supply[i] = i < n ? 1 : (mtc_real)(k * high - n);
        demand[z] = (mtc_real)(z < k ? low : high - low);
        cost[e] = i < n ? -F[i * k + z % k] : z < k ? far : 0;
    }
    ADV_TRY(mtc_emd(desk->ctx, n + 1, wide, cost, wide, supply, demand, NULL,
                    plan, NULL, NULL, NULL));
    for (size_t i = 0; i < n; i++) {
        int label = (int)(adv_argmax(wide, plan + i * wide) % k);
        *changed |= label != labels[i];
        labels[i] = label;
    }
    adv_release(desk, mark);
    return MTC_OK;
}
