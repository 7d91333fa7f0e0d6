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
 *   A5  W = C^-1/2 U,  (P'P + I) U = P'Y,  P = Z C^-1/2, or by samples, where
 *       they are fewer: U = P'A, (P P' + I) A = Y; the objective; on with A3
 * Until A4 changes nothing and the objective stays.
 *
 *   Z  Z [N*q]   Y  Y [N*k], one-hot less 1/k, over n_t^1/2
 *   W', U'  W, U [m*q], m = k T: row t k + z for cluster z of task t
 *   D, O = V' diag(w) V + rest (I - V'V),  V [rank * (q or T)], w [rank]
 *   c(w) = lambda1 + lambda2/w, the eigenvalues of C
 *
 * B has rank (k-1) T at most, and D one value `rest` on all that B does not
 * reach: A3 needs no matrix of q x q.  V' = B R / sigma, where B'B =
 * R sigma^2 R'.  Features couple within a task, so that A5 is a system for each
 * task; tasks couple all: P has a block of q columns for each of them, row i of
 * task t C^-1/2_ts z_i in block s.
 *
 * Reconstructed: [Z15] makes labels and loss convex and cuts planes.  Of that
 *   the regularizers and the balanced clusters are left; loss, alternation and
 *   the e of A3 are ours.
 * Cost: see compared.h.
 */
#define CMP_INTERNAL
#include "compared.h"

#define DMTC_RANK (sizeof(mtc_real) == 8 ? (mtc_real)1e-10 : (mtc_real)1e-5)
#define DMTC_ZERO (sizeof(mtc_real) == 8 ? (mtc_real)1e-14 : (mtc_real)1e-6)
#define DMTC_SMOOTH ((mtc_real)1e-8)    /* e over the trace */

/* What is made of D or O: itself, C^-1/2 or C^-1. */
typedef enum dmtc_kind { DMTC_D, DMTC_ROOT, DMTC_INVERSE } dmtc_kind;

typedef struct dmtc_job {
    cmp_dmtc_result r;                  /* first: the shape is given a job */
    const mtc_data *tasks;
    const cmp_dmtc_options *o;
    int feature;                        /* which coupling */
    size_t N, k, m, q, *first;          /* first [T]: of a task's rows */
    size_t extent, rank;                /* of D (q) or O (T); of V */
    mtc_real *Z, *Y, *W, *U, *V, *w, rest;
    mtc_real *S, *R, *e;                /* [m*m] [m*m] [m] of A3 */
    mtc_real *P, *M, *b;                /* A5: [n*p], the system, [N*k] */
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
    for (size_t t = 0; t < T; t++) {
        size_t n = j->tasks[t].n;
        int *labels = CMP_CARVE(c, n, int);
        mtc_real *scores = CMP_CARVE(c, cmp_mul(n, j->k), mtc_real);
        if (c->base == NULL)
            continue;                               /* only measured */
        r->labels[t] = labels;
        r->scores[t] = scores;
    }
    r->objective = CMP_CARVE(c, cmp_add(j->o->iterations, 1), mtc_real);
    if (j->feature)
        r->features = CMP_CARVE(c, d < j->N ? d : j->N, mtc_real);
    else
        r->relatedness = CMP_CARVE(c, cmp_mul(T, T), mtc_real);
}

/* ---- A1: coordinates --------------------------------------------------- */

/* From every row of A [N*p] the mean of its task's rows, summed as differences
 * from the first of them: rows that are equal become 0, exactly. */
static void dmtc_center(const dmtc_job *j, mtc_real *A, size_t p)
{
    for (size_t t = 0; t < j->r.tasks; t++) {
        size_t n = j->tasks[t].n;
        mtc_real *rows = A + j->first[t] * p;
        for (size_t c = 0; c < p; c++) {
            mtc_real first = rows[c], mean = 0;
            for (size_t i = 0; i < n; i++)
                mean += (rows[i * p + c] - first) / (mtc_real)n;
            for (size_t i = 0; i < n; i++)
                rows[i * p + c] = (rows[i * p + c] - first) - mean;
        }
    }
}

/* S = X'X of the centered rows if d <= N, else S = X X'.  Many sparse columns
 * are not filled: their products are centered, from both sides.  Returns what
 * rounding may leave of an eigenvalue 0. */
static mtc_real dmtc_gram(const dmtc_job *j, mtc_real *X,
                          const mtc_data *sparse, mtc_real *S)
{
    size_t N = j->N, d = j->tasks[0].d;
    mtc_real eps = (mtc_real)N * CMP_EPS, square = 0;
    for (size_t t = 0; t < j->r.tasks; t++)
        for (size_t i = 0; i < j->tasks[t].n; i++) {
            const mtc_data *A = &j->tasks[t];
            for (size_t e = cmp_begin(A, i); e < cmp_end(A, i); e++)
                square += A->values[e] * A->values[e];
            if (X != NULL)
                mtc_data_axpy(A, i, 1, X + (j->first[t] + i) * d);
        }
    if (X != NULL) {
        dmtc_center(j, X, d);
        mtc_syrk(d <= N, d <= N ? d : N, d <= N ? N : d, 1, X, d, 0, S,
                 d <= N ? d : N, NULL);
        return eps * eps * square;
    }
    mtc_data_gram(sparse, sparse, S, N, NULL);
    dmtc_center(j, S, N);                           /* H S */
    for (size_t a = 0; a < N; a++)
        for (size_t b = 0; b < a; b++) {
            mtc_real value = S[a * N + b];
            S[a * N + b] = S[b * N + a];
            S[b * N + a] = value;
        }
    dmtc_center(j, S, N);                           /* H (H S)' = H S H */
    return eps * square;
}

/* Z = X E, or E e^1/2, with the eigenpairs (e, E) of S that are not 0. */
static mtc_status dmtc_coordinates(mtc_context *ctx, dmtc_job *j)
{
    size_t N = j->N, d = j->tasks[0].d, side = d < N ? d : N, q = 0;
    int fill = d <= N;
    cmp_room own = cmp_open(ctx);                   /* goes back at once */
    mtc_data sparse = {.n = 0};
    for (size_t t = 0; t < j->r.tasks; t++)
        fill |= j->tasks[t].row == NULL;            /* has its size anyway */
    mtc_real *X = fill ? CMP_TAKE(&own, cmp_mul(N, d), mtc_real) : NULL;
    mtc_real *S = CMP_TAKE(&own, cmp_mul(side, side), mtc_real);
    mtc_real *E = CMP_TAKE(&own, cmp_mul(side, side), mtc_real);
    mtc_real *e = CMP_TAKE(&own, side, mtc_real);
    if (!fill && own.status == MTC_OK)
        sparse = cmp_stack(&own, j->tasks, j->r.tasks);
    mtc_status s = own.status;
    mtc_real noise = s == MTC_OK ? dmtc_gram(j, X, &sparse, S) : 0;
    if (s == MTC_OK)
        s = mtc_symeig(ctx, side, S, side, e, E, side); /* ascending */
    while (s == MTC_OK && q < side &&
           e[side - 1 - q] > DMTC_RANK * e[side - 1] && e[side - 1] > noise)
        q++;
    if (s == MTC_OK && q > 0 && d <= N)
        mtc_gemm(0, 0, N, q, d, 1, X, d, E + side - q, side, 0, j->Z, q, NULL);
    for (size_t i = 0; s == MTC_OK && i < N * q && d > N; i++)
        j->Z[i] = E[i / q * side + side - q + i % q] *
                  cmp_sqrt(e[side - q + i % q]);
    for (size_t t = 0; t < j->r.tasks; t++)
        for (size_t i = 0; i < j->tasks[t].n * q; i++)
            j->Z[j->first[t] * q + i] /= cmp_sqrt((mtc_real)j->tasks[t].n);
    j->r.rank = q;
    j->q = q > 0 ? q : 1;                           /* all alike: Z = 0 */
    return cmp_close(&own, s, NULL, 0, NULL);
}

/* ---- A3: what couples the tasks ---------------------------------------- */

/* V, w and rest of D or O.  Eigenvalues that are rounding count as 0; D is
 * uniform where W = 0. */
static mtc_status dmtc_couple(mtc_context *ctx, dmtc_job *j)
{
    size_t T = j->r.tasks, m = j->m, k = j->k, size = j->feature ? m : T;
    mtc_real *G = j->feature ? j->S : j->R, *E = j->feature ? j->R : j->S;
    mtc_real trace = 0, total = 0;
    mtc_syrk(0, m, j->q, 1, j->W, j->q, 0, j->S, m, j->work);   /* B'B */
    for (size_t e = 0; e < T * T && !j->feature; e++) {
        G[e] = 0;
        for (size_t z = 0; z < k; z++)              /* <W_t, W_s> */
            G[e] += j->S[(e / T * k + z) * m + e % T * k + z];
    }
    for (size_t a = 0; a < size; a++)
        trace += G[a * size + a];
    mtc_status s = mtc_symeig(ctx, size, G, size, j->e, E, size);
    for (j->rank = 0; s == MTC_OK && j->rank < size; j->rank++) {
        size_t from = size - 1 - j->rank;           /* largest first */
        mtc_real e = j->e[from], *v = j->V + j->rank * j->extent;
        if (!(e > DMTC_ZERO * j->e[size - 1]))
            break;
        memset(v, 0, j->extent * sizeof *v);
        for (size_t c = 0; c < size; c++)           /* B R / sigma, or R */
            if (j->feature)
                mtc_axpy(j->q, E[c * size + from] / cmp_sqrt(e),
                         j->W + c * j->q, v);
            else
                v[c] = E[c * size + from];
        total += j->w[j->rank] = cmp_sqrt(e + DMTC_SMOOTH * trace); /* A3 */
    }
    j->rest = cmp_sqrt(DMTC_SMOOTH * trace);
    total += (mtc_real)(j->extent - j->rank) * j->rest;
    for (size_t a = 0; a < j->rank; a++)
        j->w[a] /= total;                           /* trace 1 */
    j->rest = j->rank > 0 ? j->rest / total : 1 / (mtc_real)j->extent;
    return s;
}

/* The eigenvalue w, c(w)^-1/2 or 1/c(w). */
static mtc_real dmtc_value(const dmtc_job *j, mtc_real w, dmtc_kind kind)
{
    mtc_real c = j->o->lambda1 + (j->o->lambda2 > 0 ? j->o->lambda2 / w : 0);
    return kind == DMTC_D ? w : kind == DMTC_ROOT ? 1 / cmp_sqrt(c) : 1 / c;
}

/* M [T*T] = O, C^-1/2 or C^-1 of the tasks. */
static void dmtc_tasks(const dmtc_job *j, dmtc_kind kind, mtc_real *M)
{
    size_t T = j->r.tasks;
    mtc_real base = dmtc_value(j, j->rest, kind);
    for (size_t e = 0; e < T * T; e++) {
        M[e] = e / T == e % T ? base : 0;
        for (size_t v = 0; v < j->rank; v++)
            M[e] += (dmtc_value(j, j->w[v], kind) - base) *
                    j->V[v * T + e / T] * j->V[v * T + e % T];
    }
}

/* out = A C^-1/2 of the features, for rows A [n*q]; scratch [n*rank].  Both
 * terms are positive: nothing cancels, however small `rest` is. */
static void dmtc_features(const dmtc_job *j, size_t n, const mtc_real *A,
                          mtc_real *out, mtc_real *scratch)
{
    size_t q = j->q, rank = j->rank;
    mtc_real base = dmtc_value(j, j->rest, DMTC_ROOT);
    for (size_t e = 0; e < n * q; e++)
        out[e] = base * A[e];
    if (rank == 0)
        return;
    mtc_gemm(0, 1, n, rank, q, 1, A, q, j->V, q, 0, scratch, rank, j->work);
    for (size_t e = 0; e < n * rank; e++)           /* A V', scaled */
        scratch[e] *= dmtc_value(j, j->w[e % rank], DMTC_ROOT) - base;
    mtc_gemm(0, 0, n, q, rank, 1, scratch, rank, j->V, q, 1, out, q, j->work);
}

/* ---- A4: labels -------------------------------------------------------- */

/* The largest score of each row, where the clusters' sizes allow it; else the
 * transportation problem of n rows of supply 1 and two columns a cluster: one
 * has to get `low` samples, the other may get high - low more, or whatever is
 * missing from a last row.  *changed: did a label? */
static mtc_status dmtc_labels(mtc_context *ctx, dmtc_job *j, size_t t,
                              int *changed)
{
    size_t n = j->tasks[t].n, k = j->k, fits = 1, low, high;
    mtc_real mean = (mtc_real)n / (mtc_real)k, far = 1;
    const mtc_real *F = j->r.scores[t];
    mtc_status s = MTC_OK;
    low = j->o->slack < 1 ? cmp_floor((1 - j->o->slack) * mean) : 1;
    high = cmp_ceil((1 + j->o->slack) * mean);
    low = low > 1 ? low : 1;                        /* never one cluster */
    high = high < n ? high : n;
    memset(j->demand, 0, k * sizeof *j->demand);    /* sizes, at first */
    memset(j->plan, 0, n * 2 * k * sizeof *j->plan);
    for (size_t i = 0; i < n; i++) {
        size_t best = cmp_argmax(k, F + i * k);
        j->plan[i * 2 * k + best] = 1;              /* the free answer */
        j->demand[best] += 1;
        for (size_t z = 0; z < k; z++)              /* above any gain */
            far = cmp_abs(F[i * k + z]) * (mtc_real)(4 * k) > far
                      ? cmp_abs(F[i * k + z]) * (mtc_real)(4 * k) : far;
    }
    for (size_t z = 0; z < k; z++) {
        fits &= j->demand[z] >= (mtc_real)low && j->demand[z] <= (mtc_real)high;
        j->demand[z] = (mtc_real)low;               /* have to be met */
        j->demand[k + z] = (mtc_real)(high - low);  /* may be */
    }
    for (size_t e = 0; e < (n + 1) * 2 * k && !fits; e++) {
        size_t i = e / (2 * k), z = e % (2 * k);
        j->supply[i] = i < n ? 1 : (mtc_real)(k * high - n);
        j->cost[e] = i < n ? -F[i * k + z % k] : z < k ? far : 0;
    }
    if (!fits)
        s = mtc_emd(ctx, n + 1, 2 * k, j->cost, 2 * k, j->supply, j->demand,
                    NULL, j->plan, NULL, NULL, NULL);
    for (size_t i = 0; s == MTC_OK && i < n; i++) {
        int label = (int)(cmp_argmax(2 * k, j->plan + i * 2 * k) % k);
        *changed |= label != j->r.labels[t][i];
        j->r.labels[t][i] = label;
    }
    return s;
}

/* ---- A5: weights ------------------------------------------------------- */

/* b [n*k] <- M^-1 b.  M is scaled to a diagonal of 1 first: dimensions differ
 * in size. */
static mtc_status dmtc_solve(mtc_context *ctx, dmtc_job *j, size_t n)
{
    mtc_real *scale = j->supply;                    /* [N+1] */
    for (size_t a = 0; a < n; a++)
        scale[a] = 1 / cmp_sqrt(j->M[a * n + a]);
    for (size_t e = 0; e < n * n; e++)
        j->M[e] *= scale[e / n] * scale[e % n];
    for (size_t e = 0; e < n * j->k; e++)
        j->b[e] *= scale[e / j->k];
    if (mtc_cholesky(n, j->M, n, j->work) != MTC_OK)
        return cmp_fail(ctx, MTC_SINGULAR,
                        "lambda1, lambda2: too small for these data", MTC_NONE,
                        MTC_NONE, MTC_NONE);
    mtc_cholesky_solve(n, j->k, j->M, n, j->b, j->k, j->work);  /* L L' */
    for (size_t e = 0; e < n * j->k; e++)
        j->b[e] *= scale[e / j->k];
    return MTC_OK;
}

/* M = P'P (p <= n) or P P' of tasks from..to-1, which have n rows; P has p
 * columns, H = C^-1/2 of the tasks.  Where these have more columns than rows P
 * is not formed: P P' is C^-1 (in R) times Z Z', entry by entry. */
static void dmtc_products(dmtc_job *j, size_t from, size_t to, size_t n,
                          size_t p, const mtc_real *H)
{
    size_t T = j->r.tasks, q = j->q;
    const mtc_real *Z = j->Z + j->first[from] * q;
    int form = j->feature || p <= n;
    if (j->feature)
        dmtc_features(j, n, Z, j->P, j->cost);
    if (!form)
        mtc_syrk(0, n, q, 1, Z, q, 0, j->M, n, j->work);        /* Z Z' */
    for (size_t t = from, i = 0; t < to && !j->feature; t++)
        for (size_t end = i + j->tasks[t].n; i < end; i++)
            for (size_t s = 0; s < T; s++) {
                for (size_t e = 0; e < q && form; e++)
                    j->P[i * p + s * q + e] = H[t * T + s] * Z[i * q + e];
                for (size_t e = 0; e < j->tasks[s].n && !form; e++)
                    j->M[i * n + j->first[s] + e] *= j->R[t * T + s];
            }
    if (form)
        mtc_syrk(p <= n, p <= n ? p : n, p <= n ? n : p, 1, j->P, p, 0, j->M,
                 p <= n ? p : n, j->work);
}

/* U of tasks from..to-1: one, or all if they are coupled. */
static mtc_status dmtc_system(mtc_context *ctx, dmtc_job *j, size_t from,
                              size_t to, const mtc_real *H)
{
    size_t q = j->q, k = j->k, p = (to - from) * q, n = 0, kq = k * q;
    const mtc_real *Y = j->Y + j->first[from] * k;
    for (size_t t = from; t < to; t++)
        n += j->tasks[t].n;
    size_t side = p <= n ? p : n;                   /* the fewer */
    dmtc_products(j, from, to, n, p, H);
    for (size_t a = 0; a < side; a++)
        j->M[a * side + a] += 1;                    /* + I */
    if (p <= n)
        mtc_gemm(1, 0, p, k, n, 1, j->P, p, Y, k, 0, j->b, k, j->work);
    else
        memcpy(j->b, Y, n * k * sizeof *j->b);
    mtc_status s = dmtc_solve(ctx, j, side);        /* U, or A */
    for (size_t e = 0; e < p * k && p <= n; e++)
        j->U[((from + e / k / q) * k + e % k) * q + e / k % q] = j->b[e];
    for (size_t t = from; t < to && p > n; t++)     /* A'P, or A'Z: */
        mtc_gemm(1, 0, k, q, j->tasks[t].n, 1,
                 j->b + (j->first[t] - j->first[from]) * k, k,
                 j->feature ? j->P : j->Z + j->first[t] * q, q, 0,
                 j->U + t * kq, q, j->work);
    if (!j->feature && p > n) {                     /* P'A = H (Z'A) */
        memcpy(j->W, j->U, to * kq * sizeof *j->W);
        mtc_gemm(0, 0, to, kq, to, 1, H, to, j->W, kq, 0, j->U, kq, j->work);
    }
    return s;
}

/* W from the labels, the scores and *value, the objective: |U|^2 is what C
 * weighs W with. */
static mtc_status dmtc_fit(mtc_context *ctx, dmtc_job *j, mtc_real *value)
{
    size_t T = j->r.tasks, k = j->k, q = j->q, step = j->feature ? 1 : T;
    mtc_real *H = j->S;                             /* [T*T] */
    mtc_status s = MTC_OK;
    for (size_t t = 0; t < T; t++)
        for (size_t e = 0; e < j->tasks[t].n * k; e++) {
            mtc_real y = j->r.labels[t][e / k] == (int)(e % k);
            j->Y[j->first[t] * k + e] = (y - 1 / (mtc_real)k) /
                                        cmp_sqrt((mtc_real)j->tasks[t].n);
        }
    if (!j->feature) {
        dmtc_tasks(j, DMTC_ROOT, H);
        dmtc_tasks(j, DMTC_INVERSE, j->R);
    }
    for (size_t t = 0; s == MTC_OK && t < T; t += step)
        s = dmtc_system(ctx, j, t, t + step, H);
    if (s != MTC_OK)
        return s;
    *value = mtc_dot(j->m * q, j->U, j->U);         /* <W, C W> */
    if (j->feature)
        dmtc_features(j, j->m, j->U, j->W, j->S);
    else
        mtc_gemm(0, 0, T, k * q, T, 1, H, T, j->U, k * q, 0, j->W, k * q,
                 j->work);
    for (size_t t = 0; t < T; t++) {
        size_t n = j->tasks[t].n;
        mtc_real *F = j->r.scores[t], root = cmp_sqrt((mtc_real)n);
        mtc_gemm(0, 1, n, k, q, 1, j->Z + j->first[t] * q, q,
                 j->W + t * k * q, q, 0, F, k, j->work);
        for (size_t e = 0; e < n * k; e++) {
            mtc_real off = F[e] - j->Y[j->first[t] * k + e];
            *value += off * off;
            F[e] *= root;                           /* of X itself */
        }
    }
    return CMP_FINITE(*value) ? MTC_OK
                              : cmp_fail(ctx, MTC_DOMAIN,
                                         "the objective overflows", MTC_NONE,
                                         MTC_NONE, MTC_NONE);
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
        dmtc_tasks(j, DMTC_D, r->relatedness);
    return s;
}

/* Everything whose extent depends on q; `most` is the largest n_t. */
static void dmtc_room(cmp_room *room, dmtc_job *j, size_t most)
{
    size_t T = j->r.tasks, m = j->m, q = j->q, N = j->N, k = j->k;
    size_t rows = j->feature ? most : N, p = j->feature ? q : cmp_mul(T, q);
    size_t side = rows < p ? rows : p;              /* of the system */
    size_t table = cmp_mul(most + 1, m + 2 * k);
    j->extent = j->feature ? q : T;
    j->rest = 1 / (mtc_real)j->extent;              /* A2: D = I/q */
    struct { mtc_real **at; size_t extent; } piece[] = {
        {&j->Y, cmp_mul(N, k)}, {&j->W, cmp_mul(m, q)}, {&j->U, cmp_mul(m, q)},
        {&j->V, cmp_mul(m, j->extent)}, {&j->w, m}, {&j->e, m},
        {&j->S, cmp_mul(m, m)}, {&j->R, cmp_mul(m, m)},
        {&j->P, j->feature || p <= rows ? cmp_mul(rows, p) : 0},
        {&j->M, cmp_mul(side, side)}, {&j->b, cmp_mul(N, k)},
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
    j.first = CMP_TAKE(&room, n_tasks, size_t);
    j.Z = CMP_TAKE(&room, cmp_mul(j.N, d < j.N ? d : j.N), mtc_real);
    for (size_t t = 1; room.status == MTC_OK && t < n_tasks; t++)
        j.first[t] = j.first[t - 1] + tasks[t - 1].n;
    if ((s = room.status) == MTC_OK)
        s = dmtc_start(ctx, &j);                                /* A2 */
    if (s == MTC_OK)
        s = dmtc_coordinates(ctx, &j);                          /* A1 */
    if (s == MTC_OK)
        dmtc_room(&room, &j, most);
    if (s == MTC_OK && (s = room.status) == MTC_OK)
        s = dmtc_run(ctx, &j);
    return cmp_close(&room, s, &j.r, sizeof j.r, res);
}
