/* SPDX-License-Identifier: MIT
 *
 * dmtc.c - discriminative multi-task clustering, after [Z15].
 *
 *   min sum_t |Z_t W_t - Y_t|^2 + tr(B' C B)         B = [W_1 .. W_T], or
 *                               + sum_ts C_ts <W_t, W_s>
 *   C = lambda1 I + lambda2 D^-1,  D of the features or (O) of the tasks
 *
 *   A1  coordinates: Z_t = X_t less its mean, in the q dimensions that all
 *       tasks' centered rows span together, over n_t^1/2
 *   A2  labels: given, or those that LSSMTC starts from, k-means of each task
 *       with centers matched; D = I/q or O = I/T; A5; the objective
 *   A3  D = (B B' + e I)^1/2 / trace, e = 1e-8 tr(B B'); O likewise of the
 *       matrix G_ts = <W_t, W_s>
 *   A4  labels: maximize sum_i (Z W)_i,h(i) with bounds on the sizes of
 *       clusters: a transportation problem
 *   A5  W = C^-1 Z'A,  (Z C^-1 Z' + I) A = Y,  so that Z W = Y - A;  the
 *       objective, which is <Y, A>; on with A3
 * Until A4 changes nothing and the objective stays.
 *
 *   Z  Z [N*q]   Y  Y [N*k], one-hot less 1/k, over n_t^1/2
 *   W'  W [m*q], m = k T: row t k + z for cluster z of task t
 *   D, O = V' diag(w) V + rest (I - V'V),  V [rank * (q or T)], w [rank]
 *
 * A5 has a row for each sample.  A task with more samples than dimensions is
 * Z_t = Q_t R_t, and has R_t [q*q] for Z_t there, Q_t'Y_t for Y_t: W is the
 * same.  Features couple within a task, so that A5 is a system for each; tasks
 * couple all: Z C^-1 Z' is C^-1_ts z'z of samples of t and s.  B has rank
 * (k-1) T at most, and D one value `rest` on all that B does not reach: A3
 * needs no matrix of q x q.  V' = B E / sigma, where B'B = E sigma^2 E'.
 *
 * Reconstructed: [Z15] makes labels and loss convex and cuts planes.  Of that
 *   the regularizers and the balanced clusters are left; loss, alternation and
 *   the e of A3 are ours.
 * Cost: see compared.h.
 */
#define CMP_INTERNAL
#include "coordinates.h"

#define DMTC_ZERO (sizeof(mtc_real) == 8 ? (mtc_real)1e-14 : (mtc_real)1e-6)
#define DMTC_SMOOTH ((mtc_real)1e-8)    /* e over the trace */

typedef struct dmtc_job {
    cmp_dmtc_result r;                  /* first: the shape is given a job */
    const mtc_data *tasks;
    const cmp_dmtc_options *o;
    int feature;                        /* which coupling */
    size_t N, k, m, q;
    size_t *first, *row;                /* [T+1] of a task's rows in Z, in R */
    size_t extent, rank;                /* of D (q) or O (T); of V */
    mtc_real *Z, *R, *Y, *W, *V, *w, rest;
    mtc_real *S, *E, *e;                /* [m*m] [m*m] [N] of A3 */
    mtc_real *AV;                       /* [max(n_t, T)*m] of a product by D */
    mtc_real *P, *M, *y, *A;            /* A5: R C^-1, the system, Q'Y, A */
    mtc_real *cost, *plan, *supply, *demand;    /* A4: [(n+1)*2k], [N+1] */
    void *work;                         /* of products and factors */
} dmtc_job;

cmp_dmtc_options cmp_dmtc_defaults(void)
{
    const mtc_real lambda = (mtc_real)1 / 256;
    return (cmp_dmtc_options){.clusters = 2,
                              .coupling = CMP_COUPLING_FEATURE,
                              .lambda1 = lambda, .lambda2 = lambda,
                              .slack = (mtc_real)0.9, .iterations = 20,
                              .tolerance = (mtc_real)1e-6};
}

static const char *dmtc_wrong(const cmp_dmtc_options *o)
{
    return o->coupling != CMP_COUPLING_FEATURE &&
                   o->coupling != CMP_COUPLING_TASK
               ? "coupling: need feature or task"
           : !cmp_is_real(o->lambda1, 0, CMP_HUGE) ? "lambda1: need 0 or more"
           : !cmp_is_real(o->lambda2, 0, CMP_HUGE) ? "lambda2: need 0 or more"
           : !(o->lambda1 + o->lambda2 > 0) ? "lambda1, lambda2: both are 0"
           : !cmp_is_real(o->slack, 0, CMP_HUGE) ? "slack: need 0 or more"
           : !CMP_FINITE(o->tolerance) ? "tolerance: need a number" : NULL;
}

static void dmtc_shape(cmp_carver *c, void *job)
{
    dmtc_job *j = (dmtc_job *)job;
    cmp_dmtc_result *r = &j->r;
    size_t T = r->tasks, d = j->tasks[0].d;
    r->labels = CMP_CARVE(c, T, int *);
    r->scores = CMP_CARVE(c, T, mtc_real *);
    r->objective = CMP_CARVE(c, cmp_add(j->o->iterations, 1), mtc_real);
    if (j->feature)
        r->features = CMP_CARVE(c, d < j->N ? d : j->N, mtc_real);
    else
        r->relatedness = CMP_CARVE(c, cmp_mul(T, T), mtc_real);
    int *labels = CMP_CARVE(c, j->N, int);
    mtc_real *scores = CMP_CARVE(c, cmp_mul(j->N, j->k), mtc_real);
    for (size_t t = 0, at = 0; c->base != NULL && t < T; t++) {
        r->labels[t] = labels + at;                 /* not while measuring */
        r->scores[t] = scores + at * j->k;
        at += j->tasks[t].n;
    }
}

/* A1; in all dimensions 0 if all rows are alike. */
static mtc_status dmtc_coordinates(mtc_context *ctx, dmtc_job *j)
{
    mtc_status s = cmp_coordinates(ctx, j->tasks, j->r.tasks, 1, j->Z, j->e,
                                   &j->r.rank);
    j->q = j->r.rank > 0 ? j->r.rank : 1;
    for (size_t t = 0; s == MTC_OK && t < j->r.tasks; t++)
        for (size_t i = j->first[t] * j->q; i < j->first[t + 1] * j->q; i++)
            j->Z[i] /= cmp_sqrt((mtc_real)j->tasks[t].n);
    return s;
}

/* ---- A3: what couples the tasks ---------------------------------------- */

/* V, w and rest of D or O from the rows of W: of q for each cluster, of k q for
 * each task.  Eigenvalues that are rounding count as 0; D is uniform where
 * W = 0. */
static mtc_status dmtc_couple(mtc_context *ctx, dmtc_job *j)
{
    size_t size = j->feature ? j->m : j->r.tasks, extent = j->extent;
    size_t wide = j->feature ? j->q : j->k * j->q;
    mtc_real trace = 0, total = 0;
    mtc_syrk(0, size, wide, 1, j->W, wide, 0, j->S, size, j->work);
    for (size_t a = 0; a < size; a++)
        trace += j->S[a * size + a];
    mtc_status s = mtc_symeig(ctx, size, j->S, size, j->e, j->E, size);
    for (j->rank = 0; s == MTC_OK && j->rank < size; j->rank++) {
        size_t from = size - 1 - j->rank;           /* largest first */
        mtc_real e = j->e[from], *v = j->V + j->rank * extent;
        if (!(e > DMTC_ZERO * j->e[size - 1]))
            break;
        memset(v, 0, extent * sizeof *v);
        for (size_t c = 0; c < size; c++)           /* B E / sigma, or E */
            if (j->feature)
                mtc_axpy(extent, j->E[c * size + from] / cmp_sqrt(e),
                         j->W + c * wide, v);
            else
                v[c] = j->E[c * size + from];
        total += j->w[j->rank] = cmp_sqrt(e + DMTC_SMOOTH * trace); /* A3 */
    }
    j->rest = cmp_sqrt(DMTC_SMOOTH * trace);
    total += (mtc_real)(extent - j->rank) * j->rest;
    for (size_t a = 0; a < j->rank; a++)
        j->w[a] /= total;                           /* trace 1 */
    j->rest = j->rank > 0 ? j->rest / total : 1 / (mtc_real)extent;
    return s;
}

/* The eigenvalue w of D or O, or of C^-1. */
static mtc_real dmtc_value(const dmtc_job *j, mtc_real w, int inverse)
{
    return !inverse              ? w
           : j->o->lambda2 > 0 ? w / (j->o->lambda1 * w + j->o->lambda2)
                               : 1 / j->o->lambda1;
}

/* out = A D or A C^-1, for n rows A.  Both terms are positive: nothing cancels,
 * however small `rest` is. */
static void dmtc_apply(const dmtc_job *j, int inverse, size_t n,
                       const mtc_real *A, mtc_real *out)
{
    size_t q = j->extent, rank = j->rank;
    mtc_real base = dmtc_value(j, j->rest, inverse), *AV = j->AV;
    for (size_t e = 0; e < n * q; e++)
        out[e] = base * A[e];
    mtc_gemm(0, 1, n, rank, q, 1, A, q, j->V, q, 0, AV, rank, j->work);
    for (size_t e = 0; e < n * rank; e++)
        AV[e] *= dmtc_value(j, j->w[e % rank], inverse) - base;
    mtc_gemm(0, 0, n, q, rank, 1, AV, rank, j->V, q, 1, out, q, j->work);
}

/* M [T*T] = O or C^-1 of the tasks. */
static void dmtc_tasks(const dmtc_job *j, int inverse, mtc_real *M)
{
    size_t T = j->r.tasks;
    for (size_t e = 0; e < T * T; e++)
        j->E[e] = e / T == e % T;                   /* I */
    dmtc_apply(j, inverse, T, j->E, M);
}

/* ---- A4: labels -------------------------------------------------------- */

/* The transportation problem of n rows of supply 1 and two columns a cluster:
 * one has to get `low` samples, the other may get high - low more, or whatever
 * is missing from a last row.  *changed: did a label? */
static mtc_status dmtc_labels(mtc_context *ctx, dmtc_job *j, size_t t,
                              int *changed)
{
    size_t n = j->tasks[t].n, k = j->k, wide = 2 * k;
    mtc_real mean = (mtc_real)n / (mtc_real)k, far = 0;
    const mtc_real *F = j->r.scores[t];
    size_t low = j->o->slack < 1 ? cmp_floor((1 - j->o->slack) * mean) : 0;
    size_t high = cmp_ceil((1 + j->o->slack) * mean);
    low = low > 1 ? low : 1;                        /* never one cluster */
    high = high < n ? high : n;
    for (size_t e = 0; e < n * k; e++)              /* above any gain */
        if (cmp_abs(F[e]) * (mtc_real)(4 * k) > far)
            far = cmp_abs(F[e]) * (mtc_real)(4 * k);
    far = far > 0 ? far : 1;
    for (size_t e = 0; e < (n + 1) * wide; e++) {
        size_t i = e / wide, z = e % wide;
        j->supply[i] = i < n ? 1 : (mtc_real)(k * high - n);
        j->demand[z] = (mtc_real)(z < k ? low : high - low);
        j->cost[e] = i < n ? -F[i * k + z % k] : z < k ? far : 0;
    }
    mtc_status s = mtc_emd(ctx, n + 1, wide, j->cost, wide, j->supply,
                           j->demand, NULL, j->plan, NULL, NULL, NULL);
    for (size_t i = 0; s == MTC_OK && i < n; i++) {
        int label = (int)(cmp_argmax(wide, j->plan + i * wide) % k);
        *changed |= label != j->r.labels[t][i];
        j->r.labels[t][i] = label;
    }
    return s;
}

/* ---- A5: weights ------------------------------------------------------- */

/* Q, in the place of Z, and R of tasks with more samples than dimensions; of
 * others R = Z. */
static mtc_status dmtc_reduce(cmp_room *room, dmtc_job *j, size_t most)
{
    size_t q = j->q;
    mtc_status s = MTC_OK;
    void *work = cmp_take(room, mtc_qr_work(most > q ? most : q, q), 1);
    if (room->status != MTC_OK)
        return room->status;
    for (size_t t = 0; s == MTC_OK && t < j->r.tasks; t++) {
        mtc_real *Z = j->Z + j->first[t] * q, *R = j->R + j->row[t] * q;
        if (j->tasks[t].n > q)
            s = mtc_qr(j->tasks[t].n, q, Z, q, R, q, work);
        else
            memcpy(R, Z, j->tasks[t].n * q * sizeof *R);
    }
    return s;
}

/* Y of the labels, and y = Q'Y; returns what Q loses, sum_t |Y|^2 - |y|^2. */
static mtc_real dmtc_targets(dmtc_job *j)
{
    size_t k = j->k, q = j->q;
    mtc_real lost = 0;
    for (size_t t = 0; t < j->r.tasks; t++) {
        size_t n = j->tasks[t].n;
        mtc_real *Y = j->Y + j->first[t] * k, *y = j->y + j->row[t] * k;
        for (size_t e = 0; e < n * k; e++)
            Y[e] = ((mtc_real)(j->r.labels[t][e / k] == (int)(e % k)) -
                    1 / (mtc_real)k) / cmp_sqrt((mtc_real)n);
        if (n > q) {
            mtc_gemm(1, 0, q, k, n, 1, j->Z + j->first[t] * q, q, Y, k, 0, y,
                     k, j->work);
            lost += mtc_dot(n * k, Y, Y) - mtc_dot(q * k, y, y);
        } else {
            memcpy(y, Y, n * k * sizeof *y);
        }
    }
    return lost;
}

/* A [n*k] <- (M + I)^-1 A, M scaled to a diagonal of 1: rows differ in size. */
static mtc_status dmtc_solve(mtc_context *ctx, dmtc_job *j, size_t n,
                             mtc_real *A)
{
    mtc_real *scale = j->supply;                    /* [N+1] */
    for (size_t a = 0; a < n; a++) {
        j->M[a * n + a] += 1;
        scale[a] = 1 / cmp_sqrt(j->M[a * n + a]);
    }
    for (size_t e = 0; e < n * n; e++)
        j->M[e] *= scale[e / n] * scale[e % n];
    for (size_t e = 0; e < n * j->k; e++)
        A[e] *= scale[e / j->k];
    if (mtc_cholesky(n, j->M, n, j->work) != MTC_OK)
        return cmp_fail(ctx, MTC_SINGULAR,
                        "lambda1, lambda2: too small for these data", MTC_NONE,
                        MTC_NONE, MTC_NONE);
    mtc_cholesky_solve(n, j->k, j->M, n, A, j->k, j->work);     /* L L' */
    for (size_t e = 0; e < n * j->k; e++)
        A[e] *= scale[e / j->k];
    return MTC_OK;
}

/* W of tasks from..to-1: of one, or of all if they are coupled.  W' is A'R C^-1
 * of the features, C^-1 (A'R) of the tasks. */
static mtc_status dmtc_weights(mtc_context *ctx, dmtc_job *j, size_t from,
                               size_t to)
{
    size_t q = j->q, k = j->k, T = to - from, kq = k * q, *row = j->row;
    size_t n = row[to] - row[from];
    const mtc_real *R = j->R + row[from] * q, *P = j->feature ? j->P : R;
    mtc_real *A = j->A + row[from] * k, *inverse = j->S;
    memcpy(A, j->y + row[from] * k, n * k * sizeof *A);
    if (j->feature) {
        dmtc_apply(j, 1, n, R, j->P);
        mtc_gemm(0, 1, n, n, q, 1, P, q, R, q, 0, j->M, n, j->work);
    } else {
        dmtc_tasks(j, 1, inverse);                  /* C^-1 */
        mtc_syrk(0, n, q, 1, R, q, 0, j->M, n, j->work);
    }
    for (size_t t = 0; t < T && !j->feature; t++)
        for (size_t a = row[t]; a < row[t + 1]; a++)
            for (size_t u = 0; u < T; u++)
                for (size_t c = row[u]; c < row[u + 1]; c++)
                    j->M[a * n + c] *= inverse[t * T + u];
    mtc_status s = dmtc_solve(ctx, j, n, A);
    for (size_t t = from; t < to; t++)
        mtc_gemm(1, 0, k, q, row[t + 1] - row[t], 1, j->A + row[t] * k, k,
                 P + (row[t] - row[from]) * q, q, 0, j->W + t * kq, q,
                 j->work);
    if (!j->feature) {
        memcpy(j->P, j->W, j->m * q * sizeof *j->P);
        mtc_gemm(0, 0, T, kq, T, 1, inverse, T, j->P, kq, 0, j->W, kq,
                 j->work);
    }
    return s;
}

/* W from the labels, the scores and *value, the objective. */
static mtc_status dmtc_fit(mtc_context *ctx, dmtc_job *j, mtc_real *value)
{
    size_t k = j->k, q = j->q, T = j->r.tasks, step = j->feature ? 1 : T;
    mtc_status s = MTC_OK;
    *value = dmtc_targets(j);
    for (size_t t = 0; s == MTC_OK && t < T; t += step)
        s = dmtc_weights(ctx, j, t, t + step);
    *value += mtc_dot(j->row[T] * k, j->y, j->A);
    mtc_axpy(j->row[T] * k, -1, j->A, j->y);        /* R W = y - A */
    for (size_t t = 0; s == MTC_OK && t < T; t++) {
        size_t n = j->tasks[t].n;
        mtc_real *F = j->r.scores[t], *RW = j->y + j->row[t] * k;
        if (n > q)
            mtc_gemm(0, 0, n, k, q, 1, j->Z + j->first[t] * q, q, RW, k, 0, F,
                     k, j->work);                   /* Q R W */
        else
            memcpy(F, RW, n * k * sizeof *F);
        for (size_t e = 0; e < n * k; e++)
            F[e] *= cmp_sqrt((mtc_real)n);          /* of X itself */
    }
    return s != MTC_OK || CMP_FINITE(*value)
               ? s : cmp_fail(ctx, MTC_DOMAIN, "the objective overflows",
                              MTC_NONE, MTC_NONE, MTC_NONE);
}

/* ---- the run ----------------------------------------------------------- */

/* A2: without an iteration LSSMTC says what it starts from. */
static mtc_status dmtc_start(mtc_context *ctx, dmtc_job *j)
{
    mtc_lssmtc_options o = mtc_lssmtc_defaults();
    mtc_lssmtc_result start = {.iterations = 0};
    o.clusters = j->k;
    o.iterations = 0;                               /* the start only */
    o.start_labels = j->o->start_labels;
    mtc_status s = mtc_lssmtc(ctx, j->tasks, j->r.tasks, &o, &start);
    for (size_t t = 0; s == MTC_OK && t < j->r.tasks; t++)
        memcpy(j->r.labels[t], start.labels[t], j->tasks[t].n * sizeof(int));
    mtc_free(ctx, &start.block);
    return s;
}

/* The alternation; at the end D or O as it was last used. */
static mtc_status dmtc_run(mtc_context *ctx, dmtc_job *j)
{
    cmp_dmtc_result *r = &j->r;
    mtc_status s = dmtc_fit(ctx, j, &r->objective[0]);
    for (size_t it = 0; s == MTC_OK && !r->converged &&
                        it < j->o->iterations;) {
        int changed = 0;
        s = cmp_tick(ctx, "dmtc", it++, j->o->iterations);
        if (s == MTC_OK)
            s = dmtc_couple(ctx, j);                            /* A3 */
        for (size_t t = 0; s == MTC_OK && t < r->tasks; t++)
            s = dmtc_labels(ctx, j, t, &changed);               /* A4 */
        if (s == MTC_OK)
            s = dmtc_fit(ctx, j, &r->objective[it]);            /* A5 */
        mtc_real old = r->objective[it - 1], now = r->objective[it];
        r->converged = !changed && old - now <= j->o->tolerance * old;
        r->iterations = it;
    }
    for (size_t a = 0; a < r->rank && j->feature; a++)
        r->features[a] = a < j->rank ? j->w[a] : j->rest;
    if (!j->feature)
        dmtc_tasks(j, 0, r->relatedness);
    return s;
}

/* Everything whose extent depends on q; `most` is the largest n_t. */
static void dmtc_room(cmp_room *room, dmtc_job *j, size_t most)
{
    size_t T = j->r.tasks, m = j->m, q = j->q, N = j->N, k = j->k, rows;
    j->extent = j->feature ? q : T;
    j->rest = 1 / (mtc_real)j->extent;              /* A2: D = I/q */
    for (size_t t = 0; t < T; t++)
        j->row[t + 1] = j->row[t] + (j->tasks[t].n < q ? j->tasks[t].n : q);
    rows = !j->feature ? j->row[T] : most < q ? most : q;   /* of a system */
    size_t table = cmp_mul(most + 1, 2 * k);
    struct { mtc_real **at; size_t extent; } piece[] = {
        {&j->R, cmp_mul(j->row[T], q)}, {&j->Y, cmp_mul(N, k)},
        {&j->W, cmp_mul(m, q)}, {&j->w, m},
        {&j->V, cmp_mul(m, j->extent)}, {&j->S, cmp_mul(m, m)},
        {&j->E, cmp_mul(m, m)}, {&j->P, cmp_mul(j->feature ? rows : m, q)},
        {&j->AV, cmp_mul(most > T ? most : T, m)}, {&j->y, cmp_mul(N, k)},
        {&j->A, cmp_mul(N, k)}, {&j->M, cmp_mul(rows, rows)},
        {&j->cost, table}, {&j->plan, table}, {&j->supply, N + 1},
        {&j->demand, 2 * k}};
    for (size_t i = 0; i < sizeof piece / sizeof *piece; i++)
        *piece[i].at = CMP_TAKE(room, piece[i].extent, mtc_real);
    j->work = cmp_take(room, mtc_gemm_work(N, cmp_mul(k, q) > N ? k * q : N, N),
                       1);
}

mtc_status cmp_dmtc(mtc_context *ctx, const mtc_data *tasks, size_t n_tasks,
                    const cmp_dmtc_options *opt, cmp_dmtc_result *res)
{
    const cmp_dmtc_options usual = cmp_dmtc_defaults();
    const cmp_dmtc_options *o = opt != NULL ? opt : &usual;
    mtc_status s = cmp_check_options(ctx, res == NULL ? "result"
                                                      : dmtc_wrong(o));
    if (s == MTC_OK)
        s = cmp_check_sets(ctx, tasks, n_tasks);
    if (s != MTC_OK)
        return s;
    cmp_room room = cmp_open(ctx);
    dmtc_job j = {.tasks = tasks, .o = o, .k = o->clusters,
                  .feature = o->coupling == CMP_COUPLING_FEATURE};
    size_t most = 0, d = tasks[0].d;
    for (size_t t = 0; t < n_tasks; t++) {
        if (j.k == 0 || j.k > tasks[t].n)
            return cmp_fail(ctx, MTC_INVALID, "clusters: need 1..n", t,
                            MTC_NONE, MTC_NONE);
        most = tasks[t].n > most ? tasks[t].n : most;
    }
    j.N = cmp_count(tasks, n_tasks);
    j.m = j.k * n_tasks;                            /* N at most */
    j.r.tasks = n_tasks;
    j.r.clusters = j.k;
    cmp_result(&room, dmtc_shape, &j, sizeof j.r);
    j.first = CMP_TAKE(&room, cmp_add(n_tasks, 1), size_t);
    j.row = CMP_TAKE(&room, cmp_add(n_tasks, 1), size_t);
    j.Z = CMP_TAKE(&room, cmp_mul(j.N, d < j.N ? d : j.N), mtc_real);
    j.e = CMP_TAKE(&room, j.N, mtc_real);
    for (size_t t = 0; room.status == MTC_OK && t < n_tasks; t++)
        j.first[t + 1] = j.first[t] + tasks[t].n;
    if ((s = room.status) == MTC_OK)
        s = dmtc_start(ctx, &j);                                /* A2 */
    if (s == MTC_OK)
        s = dmtc_coordinates(ctx, &j);                          /* A1 */
    if (s == MTC_OK)
        dmtc_room(&room, &j, most);
    if (s == MTC_OK)
        s = dmtc_reduce(&room, &j, most);
    if (s == MTC_OK)
        s = dmtc_run(ctx, &j);
    return cmp_close(&room, s, &j.r, sizeof j.r, res);
}
