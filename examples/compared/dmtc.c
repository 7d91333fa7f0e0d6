/* SPDX-License-Identifier: MIT
 *
 * dmtc.c - discriminative multi-task clustering, after [Z15].
 *
 *   min sum_t |Z_t W_t - Y_t|^2 + tr(B' C B)         B = [W_1 .. W_T], or
 *                               + sum_ts C_ts <W_t, W_s>
 *   C = lambda1 I + lambda2 D^-1,  D of the features or (O) of the tasks
 *
 *   A1  Z_t = X_t less its mean, in the q dimensions that all tasks' centered
 *       rows span together, over n_t^1/2; Y_t one-hot less 1/k, likewise
 *   A2  labels: given, or k-means with centers matched; W = 0; A3 and A5
 *   A3  D = (B B' + e I)^1/2 / trace, e = 1e-8 tr(B B'); O likewise of the
 *       matrix G_ts = <W_t, W_s>; uniform where W = 0
 *   A4  labels: maximize sum_i (Z W)_i,h(i) with bounds on the sizes of
 *       clusters: a transportation problem
 *   A5  W = C^-1 Z'A,  (Z C^-1 Z' + I) A = Y,  so that Z W = Y - A; the
 *       objective, <Y, A>
 * A3 to A5 until A4 changes nothing and the objective stays.
 *
 * W' is W [m*q], m = k T: row t k + z for cluster z of task t.  With W W' =
 * E diag(e) E', D has the values w ~ (e + smooth)^1/2 in the span of W, and one
 * value beside, so that C^-1 = base I + W'F W, F = E diag(f) E' [m*m]: A3 needs
 * no matrix of q x q.
 * A5 has a row for each sample.  A task with more samples than dimensions is
 * Z = Q R and has R for Z there, y = Q'Y for Y (else Q = I): W is the same.
 */
#define CMP_INTERNAL
#include "compared.h"

#define DMTC_ZERO (sizeof(mtc_real) == 8 ? (mtc_real)1e-14 : (mtc_real)1e-6)
#define DMTC_SMOOTH ((mtc_real)1e-8)    /* e over the trace */

typedef struct dmtc_job {
    cmp_dmtc_result r;
    const mtc_data *tasks;
    const cmp_dmtc_options *o;
    int feature;                        /* which coupling */
    size_t N, dim, k, m, q;             /* dim: min(N, d) */
    size_t *first, *row;                /* [T+1] of a task's rows in Z, in R */
    mtc_real *Z, *R, *P, *W;            /* Z, then Q; P = R C^-1, or R */
    mtc_real *w, *f, *S, *E, *e, *C;    /* A3; C^-1 of the tasks, or F */
    mtc_real *y, *A, *M, *G;            /* A5; of the tasks: G = R R' */
    void *work;                         /* of products and factors */
} dmtc_job;

cmp_dmtc_options cmp_dmtc_defaults(void)
{
    return (cmp_dmtc_options){
        .clusters = 2, .coupling = CMP_COUPLING_FEATURE,
        .lambda1 = (mtc_real)1 / 256, .lambda2 = (mtc_real)1 / 256,
        .slack = (mtc_real)0.9, .iterations = 20, .tolerance = (mtc_real)1e-6};
}

static const char *dmtc_wrong(const cmp_dmtc_options *o)
{
    return (unsigned)o->coupling > CMP_COUPLING_TASK
               ? "coupling: need feature or task"
           : !(o->lambda1 >= 0 && o->lambda2 >= 0 &&
               cmp_is_real(o->lambda1 + o->lambda2, ADV_TINY, ADV_HUGE))
               ? "lambda1, lambda2: need 0 or more, not both 0"
           : !cmp_is_real(o->slack, 0, ADV_HUGE) ? "slack: need 0 or more"
           : !ADV_FINITE(o->tolerance) ? "tolerance: need a number" : NULL;
}

static void dmtc_shape(adv_carver *c, void *job)
{
    dmtc_job *j = (dmtc_job *)job;
    size_t T = j->r.tasks;
    j->r.labels = cmp_carve_labels(c, j->tasks, T);
    j->r.scores = cmp_carve_rows(c, j->tasks, T, j->k);
    j->r.objective = ADV_CARVE(c, adv_add(j->o->iterations, 1), mtc_real);
    if (j->feature)
        j->r.features = ADV_CARVE(c, j->dim, mtc_real);
    else
        j->r.relatedness = ADV_CARVE(c, adv_mul(T, T), mtc_real);
}

/* The eigenvalue of C^-1 where D or O has w. */
static mtc_real dmtc_inverse(const dmtc_job *j, mtc_real w)
{
    return w / (j->o->lambda1 * w + j->o->lambda2);
}

/* out = E diag(f) E': a function of the matrix that E are the vectors of. */
static void dmtc_function(const dmtc_job *j, size_t size, const mtc_real *f,
                          mtc_real *out)
{
    for (size_t i = 0; i < size * size; i++)
        j->S[i] = j->E[i] * f[i % size];
    mtc_gemm(0, 1, size, size, size, 1, j->S, size, j->E, size, 0, out, size,
             j->work);
}

/* A3 from the rows of W: q for each cluster, k q for each task; then P, or C^-1
 * of the tasks.  Eigenvalues that are rounding count as 0. */
static mtc_status dmtc_couple(mtc_context *ctx, dmtc_job *j)
{
    size_t T = j->r.tasks, q = j->q, m = j->m, n = j->row[T], rank = 0;
    size_t size = j->feature ? m : T, extent = j->feature ? q : T;
    size_t wide = m / size * q;
    mtc_real smooth = 0, total = 0, *e = j->e, *w = j->w, *f = j->f;
    mtc_syrk(0, size, wide, 1, j->W, wide, 0, j->S, size, j->work);
    for (size_t a = 0; a < size; a++)
        smooth += DMTC_SMOOTH * j->S[a * size + a];
    smooth = smooth > 0 ? smooth : 1;               /* W = 0 */
    ADV_TRY(mtc_symeig(ctx, size, j->S, size, e, j->E, size));
    while (rank < size && rank < extent &&
           e[size - 1 - rank] > DMTC_ZERO * e[size - 1])
        total += ADV_SQRT(e[size - ++rank] + smooth);
    total += (mtc_real)(extent - rank) * ADV_SQRT(smooth);  /* the trace */
    mtc_real rest = ADV_SQRT(smooth) / total, base = dmtc_inverse(j, rest);
    for (size_t a = 0; a < size; a++) {
        int none = a < size - rank;
        w[a] = none ? rest : ADV_SQRT(e[a] + smooth) / total;
        f[a] = !j->feature ? dmtc_inverse(j, w[a])
               : none      ? 0 : (dmtc_inverse(j, w[a]) - base) / e[a];
    }
    dmtc_function(j, size, f, j->C);
    if (!j->feature)
        dmtc_function(j, size, w, j->r.relatedness);
    for (size_t a = 0; j->feature && a < j->r.rank; a++)
        j->r.features[a] = a < rank ? w[size - 1 - a] : rest;
    if (!j->feature)
        return MTC_OK;
    for (size_t i = 0; i < n * q; i++)
        j->P[i] = base * j->R[i];
    mtc_gemm(0, 1, n, m, q, 1, j->R, q, j->W, q, 0, j->A, m, j->work);
    mtc_gemm(0, 0, n, m, m, 1, j->A, m, j->C, m, 0, j->y, m, j->work);
    mtc_gemm(0, 0, n, q, m, 1, j->y, m, j->W, q, 1, j->P, q, j->work);
    return MTC_OK;
}

/* A5: W of task `from` or, where tasks are coupled, of all: Z C^-1 Z' has P R'
 * or C^-1_tu G for samples of t and u, t >= u being enough. */
static mtc_status dmtc_weights(mtc_context *ctx, dmtc_job *j, size_t from)
{
    size_t q = j->q, k = j->k, T = j->feature ? 1 : j->r.tasks, to = from + T;
    size_t *row = j->row, at = row[from], n = row[to] - at;
    if (j->feature)
        mtc_gemm(0, 1, n, n, q, 1, j->P + at * q, q, j->R + at * q, q, 0, j->M,
                 n, j->work);
    for (size_t t = 0; !j->feature && t < T; t++)
        for (size_t a = row[t]; a < row[t + 1]; a++)
            for (size_t u = 0; u <= t; u++)
                for (size_t b = row[u]; b < row[u + 1]; b++)
                    j->M[a * n + b] = j->C[t * T + u] * j->G[a * n + b];
    for (size_t a = 0; a < n; a++)
        j->M[a * n + a] += 1;
    if (mtc_cholesky(n, j->M, n, j->work) != MTC_OK)
        return adv_refuse(ctx, MTC_SINGULAR,
                          "lambda1, lambda2: too small for these data");
    mtc_cholesky_solve(n, k, j->M, n, j->A + at * k, k, j->work);
    for (size_t t = from; t < to; t++)
        for (size_t u = from; u < to; u++)
            mtc_gemm(1, 0, k, q, row[u + 1] - row[u],
                     j->feature ? 1 : j->C[t * T + u], j->A + row[u] * k, k,
                     j->P + row[u] * q, q, u > from, j->W + t * k * q, q,
                     j->work);
    return MTC_OK;
}

/* A5: W from the labels, the scores and *value, the objective. */
static mtc_status dmtc_fit(mtc_context *ctx, dmtc_job *j, mtc_real *value)
{
    size_t k = j->k, q = j->q, T = j->r.tasks, *row = j->row;
    for (size_t t = 0; t < T; t++) {
        size_t n = j->tasks[t].n, rows = row[t + 1] - row[t];
        mtc_real *Y = j->r.scores[t], *y = j->y + row[t] * k;
        for (size_t e = 0; e < n * k; e++)
            Y[e] = ((mtc_real)(j->r.labels[t][e / k] == (int)(e % k)) -
                    1 / (mtc_real)k) / ADV_SQRT((mtc_real)n);
        mtc_gemm(1, 0, rows, k, n, 1, j->Z + j->first[t] * q, q, Y, k, 0, y, k,
                 j->work);                          /* Q'Y */
        *value += mtc_dot(n * k, Y, Y) - mtc_dot(rows * k, y, y);
    }
    memcpy(j->A, j->y, row[T] * k * sizeof *j->A);
    for (size_t t = 0; t < T; t += j->feature ? 1 : T)
        ADV_TRY(dmtc_weights(ctx, j, t));
    *value += mtc_dot(row[T] * k, j->y, j->A);
    mtc_axpy(row[T] * k, -1, j->A, j->y);           /* R W */
    for (size_t t = 0; t < T; t++)                  /* Q R W, of X itself */
        mtc_gemm(0, 0, j->tasks[t].n, k, row[t + 1] - row[t],
                 ADV_SQRT((mtc_real)j->tasks[t].n), j->Z + j->first[t] * q, q,
                 j->y + row[t] * k, k, 0, j->r.scores[t], k, j->work);
    return ADV_FINITE(*value) ? MTC_OK
           : adv_refuse(ctx, MTC_DOMAIN, "the objective overflows");
}

/* A1, in one dimension of 0 if all rows are alike; scratch; Q and R. */
static mtc_status dmtc_begin(adv_desk *desk, dmtc_job *j)
{
    size_t T = j->r.tasks, m = j->m, N = j->N, k = j->k, most = 0;
    ADV_REALS(desk, adv_mul(N, j->dim), &j->Z);
    ADV_REALS(desk, N, &j->e, &j->w, &j->f);
    ADV_SIZES(desk, T + 1, &j->first, &j->row);
    ADV_TRY(desk->status);
    ADV_TRY(cmp_coordinates(desk, j->tasks, T, 1, j->Z, j->e, &j->r.rank));
    size_t q = j->q = j->r.rank > 0 ? j->r.rank : 1;
    for (size_t t = 0; t < T; t++) {
        size_t n = j->tasks[t].n, rows = n > q ? q : n;
        j->first[t + 1] = j->first[t] + n;
        j->row[t + 1] = j->row[t] + rows;
        most = !j->feature ? j->row[t + 1] : rows > most ? rows : most;
    }
    ADV_REALS(desk, j->row[T] * q, &j->R, &j->P);
    ADV_REALS(desk, adv_mul(m, q), &j->W);
    ADV_REALS(desk, adv_mul(m, m), &j->S, &j->E, &j->C);
    ADV_REALS(desk, adv_mul(j->row[T], m), &j->y, &j->A);
    ADV_REALS(desk, adv_mul(most, most), &j->M, &j->G);
    j->work = adv_take(desk, adv_add(mtc_qr_work(N, q), mtc_gemm_work(
                           N, adv_mul(k, q) > N ? k * q : N, N)), 1);
    ADV_TRY(desk->status);
    for (size_t t = 0; t < T; t++) {
        size_t n = j->tasks[t].n;
        mtc_real *Z = j->Z + j->first[t] * q, *R = j->R + j->row[t] * q;
        for (size_t e = 0; e < n * q; e++)
            Z[e] /= ADV_SQRT((mtc_real)n);
        memcpy(R, Z, (j->row[t + 1] - j->row[t]) * q * sizeof *R);
        for (size_t e = 0; n <= q && e < n * q; e++)
            Z[e] = e / q == e % q;                  /* Q = I */
        if (n > q)
            ADV_TRY(mtc_qr(n, q, Z, q, R, q, j->work));
    }
    memcpy(j->P, j->R, j->row[T] * q * sizeof *j->P);   /* of the tasks */
    mtc_syrk(0, j->feature ? 0 : most, q, 1, j->R, q, 0, j->G, most, j->work);
    return MTC_OK;
}

static mtc_status dmtc_work(adv_desk *desk, void *job)
{
    dmtc_job *j = (dmtc_job *)job;
    cmp_dmtc_result *r = &j->r;
    size_t most = j->o->iterations;
    ADV_TRY(cmp_matched_labels(desk->ctx, j->tasks, r->tasks, j->k,
                               j->o->start_labels, r->labels)); /* A2 */
    ADV_TRY(dmtc_begin(desk, j));                               /* A1 */
    for (size_t it = 0; !r->converged && it <= most; r->iterations = it++) {
        mtc_real *value = r->objective + it;
        int changed = it == 0;                      /* A2: no A4 */
        ADV_TRY(adv_tick(desk->ctx, "dmtc", it, most + 1));
        ADV_TRY(dmtc_couple(desk->ctx, j));                     /* A3 */
        for (size_t t = 0; it > 0 && t < r->tasks; t++)
            ADV_TRY(cmp_balanced_labels(desk, j->tasks[t].n, j->k,
                                        r->scores[t], j->o->slack,
                                        r->labels[t], &changed));   /* A4 */
        ADV_TRY(dmtc_fit(desk->ctx, j, value));                 /* A5 */
        r->converged = !changed && value[-1] - value[0] <=
                                       j->o->tolerance * value[-1];
    }
    return MTC_OK;
}

mtc_status cmp_dmtc(mtc_context *ctx, const mtc_data *tasks, size_t n_tasks,
                    const cmp_dmtc_options *opt, cmp_dmtc_result *res)
{
    const cmp_dmtc_options usual = cmp_dmtc_defaults(),
                           *o = opt != NULL ? opt : &usual;
    ADV_TRY(cmp_check_tasks(ctx, res == NULL ? "result" : dmtc_wrong(o), tasks,
                            n_tasks, o->clusters, NULL, NULL));
    dmtc_job j = {.r = {.tasks = n_tasks}, .tasks = tasks, .o = o,
                  .feature = o->coupling == CMP_COUPLING_FEATURE,
                  .N = cmp_count(tasks, n_tasks), .k = o->clusters};
    j.m = j.k * n_tasks;                            /* N at most */
    j.dim = tasks[0].d < j.N ? tasks[0].d : j.N;
    return cmp_run(ctx, dmtc_shape, dmtc_work, &j, sizeof j.r, res);
}
