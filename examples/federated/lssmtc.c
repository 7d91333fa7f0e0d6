/* SPDX-License-Identifier: MIT
 *
 * lssmtc.c - LSSMTC in mode recon over MPI.  Rows and their memberships P_k
 * stay on the rank that read them; what travels are F_k = P_k'X_k, c x d, and
 * P_k'P_k, c x c, a task and iteration.  Steps and names are those of
 * mtc_lssmtc [GZ09]:
 *   A1  P_k = indicator of labels + offset: given ones, or those of k-means of
 *       each task, where only the centers travel, for one numbering
 *   A2  F_k, Q_k = (P_k'P_k)^+, G_k = F_k F_k'; F = sum F_k, Q of sum P_k'P_k
 *   A3  W = the l largest eigenvectors of X'P Q P'X = F'Q F
 *   A4  M = Q F W
 *   A5  P_k by (14), every rank its own rows
 *   A6  label = largest entry of the row of P
 * Sums over rows go from rank to rank in the order of the rows, as MBC's do.
 */
#include "federated.h"

#include <float.h>
#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SINGLE (sizeof(mtc_real) == 4)
/* An eigenvalue below this share of the largest is 0; a rise of the objective
 * below this share of |X|^2 is rounding. */
#define NOTHING (SINGLE ? (mtc_real)1e-6 : (mtc_real)1e-12)
#define EPSILON ((mtc_real)(SINGLE ? (double)FLT_EPSILON : DBL_EPSILON))
#define ROUNDING (1000 * EPSILON)
/* The least that an entry of P falls to, unless it is 0: A5 has to be able to
 * raise it again.  The library has the same floor. */
#define LEAST (SINGLE ? (mtc_real)1e-12 : (mtc_real)1e-60)

typedef struct lss {
    size_t c, l;                    /* clusters; dimension of the subspace */
    mtc_real lambda, total;         /* total: |X|^2 */
    mtc_real **P, **before, **A;    /* [T] of [n*c], of the rows here */
    mtc_real *norm;                 /* [T] |X_k|^2 */
    mtc_real *PP, *Q, *G;           /* [T*c*c] */
    mtc_real *F;                    /* [c*d]; F_k is S[k] of the job */
    mtc_real *sum, *pool_Q, *root;  /* [c*c] P'P, Q, Q^1/2 */
    mtc_real *W, *D, *M;            /* [d*l], [c*l] F W, [c*l] */
    mtc_real *B, *small, *other;    /* [c*c] B of A5; scratch */
    mtc_real *w, *C;                /* [c], [d*c] scratch */
} lss;

static void allocate(const job *j, lss *s)
{
    size_t c = s->c, cc = c * c, T = j->T, d = j->d;
    mtc_real **each = zeros(3 * T, sizeof *each);
    s->P = each;
    s->before = each + T;
    s->A = each + 2 * T;
    for (size_t t = 0; t < T; t++) {
        s->P[t] = zeros(j->X[t].n * c, sizeof **each);
        s->before[t] = zeros(j->X[t].n * c, sizeof **each);
        s->A[t] = zeros(j->X[t].n * c, sizeof **each);
    }
    s->norm = zeros(T, sizeof *s->norm);
    s->PP = zeros(T * cc, sizeof *s->PP);
    s->Q = zeros(T * cc, sizeof *s->Q);
    s->G = zeros(T * cc, sizeof *s->G);
    s->F = zeros(c * d, sizeof *s->F);
    s->C = zeros(c * d, sizeof *s->C);
    s->sum = zeros(cc, sizeof *s->sum);
    s->pool_Q = zeros(cc, sizeof *s->pool_Q);
    s->root = zeros(cc, sizeof *s->root);
    s->B = zeros(cc, sizeof *s->B);
    s->small = zeros(cc, sizeof *s->small);
    s->other = zeros(cc, sizeof *s->other);
    s->w = zeros(c, sizeof *s->w);
    s->W = zeros(d * s->l, sizeof *s->W);
    s->D = zeros(c * s->l, sizeof *s->D);
    s->M = zeros(c * s->l, sizeof *s->M);
}

/* |X_k|^2, and the first P. */
static void begin(job *j, lss *s)
{
    size_t c = s->c;
    for (size_t t = 0; t < j->T; t++) {
        const mtc_data *X = &j->X[t];
        if (X->n > 0) {
            go_on(j, t, &s->norm[t], 1);
            for (size_t e = 0; e < X->row[X->n]; e++)
                s->norm[t] += X->values[e] * X->values[e];
            pass_on(j, t, &s->norm[t], 1);
        }
        send_to_all(j, &s->norm[t], 1, last_holder(j, t));
        s->total += s->norm[t];
        for (size_t i = 0; i < X->n; i++)
            for (size_t z = 0; z < c; z++)
                s->P[t][i * c + z] = (j->labels[t][i] == (int)z) +
                                     (mtc_real)j->set.offset;
    }
}

/* A2: what travels.  Afterwards F_k and P_k'P_k are the same everywhere. */
static void exchange_products(job *j, lss *s)
{
    size_t c = s->c, d = j->d;
    for (size_t t = 0; t < j->T; t++) {
        const mtc_data *X = &j->X[t];
        const mtc_real *P = s->P[t];
        mtc_real *PP = s->PP + t * c * c;
        if (X->n > 0) {
            for (size_t z = 0; z < c; z++) {
                mtc_real *F = j->S[t] + z * d;
                go_on(j, t, F, d);
                for (size_t i = 0; i < X->n; i++)
                    mtc_data_axpy(X, i, P[i * c + z], F);
                pass_on(j, t, F, d);
            }
            go_on(j, t, PP, c * c);
            for (size_t i = 0; i < X->n; i++)
                for (size_t z = 0; z < c; z++)
                    mtc_axpy(c, P[i * c + z], P + i * c, PP + z * c);
            pass_on(j, t, PP, c * c);
        }
        send_to_all(j, j->S[t], c * d, last_holder(j, t));
        send_to_all(j, PP, c * c, last_holder(j, t));
    }
}

/* The eigenvalues of a symmetric small [c*c] to w, the vectors to other. */
static void find_eigenvectors(job *j, lss *s)
{
    mtc_status status = mtc_symeig(&j->ctx, s->c, s->small, s->c, s->w,
                                   s->other, s->c);
    if (status != MTC_OK)
        give_up(BAD_DATA, "eigenvectors: %s", mtc_status_text(status));
}

/* from^+ and, in `root`, the root of it. */
static void invert(job *j, lss *s, const mtc_real *from, mtc_real *inverse)
{
    size_t c = s->c;
    memcpy(s->small, from, c * c * sizeof *from);
    find_eigenvectors(j, s);
    memset(inverse, 0, c * c * sizeof *inverse);
    memset(s->root, 0, c * c * sizeof *s->root);
    for (size_t i = 0; i < c; i++) {
        if (!(s->w[i] > NOTHING * s->w[c - 1]))
            continue;
        for (size_t a = 0; a < c; a++)
            for (size_t b = 0; b < c; b++) {
                mtc_real vv = s->other[a * c + i] * s->other[b * c + i];
                inverse[a * c + b] += vv / s->w[i];
                s->root[a * c + b] += vv / (mtc_real)sqrt((double)s->w[i]);
            }
    }
}

/* A3: with R = Q^1/2, W = F'R v / sqrt(w) for the largest eigenpairs (w, v) of
 * R F F'R. */
static void find_subspace(job *j, lss *s)
{
    size_t c = s->c, l = s->l, d = j->d;
    mtc_real *R = s->root, *mix = s->small, *Rv = s->B;
    mtc_syrk(0, c, d, 1, s->F, d, 0, s->B, c, NULL);
    mtc_gemm(0, 0, c, c, c, 1, R, c, s->B, c, 0, s->other, c, NULL);
    mtc_gemm(0, 0, c, c, c, 1, s->other, c, R, c, 0, s->small, c, NULL);
    find_eigenvectors(j, s);
    mtc_gemm(0, 0, c, c, c, 1, R, c, s->other, c, 0, Rv, c, NULL);
    for (size_t i = 0; i < l; i++) {
        size_t at = c - 1 - i;                  /* w ascends */
        int found = s->w[at] > NOTHING * s->w[c - 1];
        mtc_real length = (mtc_real)sqrt((double)(found ? s->w[at] : 1));
        for (size_t a = 0; a < c; a++)
            mix[a * l + i] = found ? Rv[a * c + at] / length : 0;
    }
    mtc_gemm(1, 0, d, l, c, 1, s->F, d, mix, l, 0, s->W, l, NULL);
}

/* A2 to A4, every rank for itself once the products are there. */
static void fit(job *j, lss *s)
{
    size_t c = s->c, cc = c * c, d = j->d;
    exchange_products(j, s);
    memset(s->sum, 0, cc * sizeof *s->sum);
    memset(s->F, 0, c * d * sizeof *s->F);
    for (size_t t = 0; t < j->T; t++) {
        mtc_axpy(cc, 1, s->PP + t * cc, s->sum);
        mtc_axpy(c * d, 1, j->S[t], s->F);
        mtc_syrk(0, c, d, 1, j->S[t], d, 0, s->G + t * cc, c, NULL);
        invert(j, s, s->PP + t * cc, s->Q + t * cc);
    }
    invert(j, s, s->sum, s->pool_Q);
    find_subspace(j, s);
    mtc_gemm(0, 0, c, s->l, d, 1, s->F, d, s->W, s->l, 0, s->D, s->l, NULL);
    mtc_gemm(0, 0, c, s->l, c, 1, s->pool_Q, c, s->D, s->l, 0, s->M, s->l,
             NULL);
}

/* A and B of task t: the gradient of f in P_k is 2 (P_k B - A).
 *   A = X_k (lambda F_k'Q_k + (1-lambda) W M')
 *   B = lambda Q_k G_k Q_k  + (1-lambda) M M'  */
static void find_gradient(const job *j, lss *s, size_t t)
{
    size_t c = s->c, l = s->l, d = j->d;
    const mtc_real *Q = s->Q + t * c * c, *G = s->G + t * c * c;
    mtc_real own = s->lambda, shared = 1 - s->lambda;
    mtc_gemm(1, 0, d, c, c, own, j->S[t], d, Q, c, 0, s->C, c, NULL);
    mtc_gemm(0, 1, d, c, l, shared, s->W, l, s->M, l, 1, s->C, c, NULL);
    if (j->X[t].n > 0)
        mtc_data_times(&j->X[t], c, s->C, c, s->A[t], c, NULL);
    mtc_gemm(0, 0, c, c, c, own, Q, c, G, c, 0, s->small, c, NULL);
    mtc_gemm(0, 0, c, c, c, 1, s->small, c, Q, c, 0, s->B, c, NULL);
    mtc_syrk(0, c, l, shared, s->M, l, 1, s->B, c, NULL);
}

/* A5, (14): P <- P o ((A+ + P B-) / (A- + P B+))^1/2, row by row. */
static void update(const job *j, lss *s, size_t t)
{
    size_t c = s->c;
    mtc_real *old = s->w;
    for (size_t i = 0; i < j->X[t].n; i++) {
        mtc_real *P = s->P[t] + i * c;
        memcpy(old, P, c * sizeof *old);
        for (size_t z = 0; z < c; z++) {
            mtc_real a = s->A[t][i * c + z];
            mtc_real up = a > 0 ? a : 0, down = a < 0 ? -a : 0;
            for (size_t y = 0; y < c; y++) {
                mtc_real b = old[y] * s->B[y * c + z];
                up -= b < 0 ? b : 0;
                down += b > 0 ? b : 0;
            }
            if (down > 0)
                P[z] *= (mtc_real)sqrt((double)(up / down));
            P[z] = P[z] > 0 && P[z] < LEAST ? LEAST : P[z];
        }
    }
}

/* (4) with the best M_k and M; what rounding leaves below 0 is 0. */
static mtc_real objective(job *j, const lss *s)
{
    size_t cc = s->c * s->c;
    mtc_real sum = 0, shared = s->total - mtc_dot(s->c * s->l, s->D, s->M);
    for (size_t t = 0; t < j->T; t++) {
        mtc_real own = s->norm[t] - mtc_dot(cc, s->Q + t * cc, s->G + t * cc);
        own = own < 0 ? 0 : own;
        j->within[t] = own / (mtc_real)j->n[t];
        sum += s->lambda * own;
    }
    sum += (1 - s->lambda) * (shared < 0 ? 0 : shared);
    if (!(sum < (mtc_real)HUGE_VAL))
        give_up(BAD_DATA, "the values are too large: the loss overflows");
    return sum;
}

/* A6; where no entry of the row is above LEAST the nearest centers, own and
 * shared. */
static void label(job *j, lss *s, size_t t)
{
    size_t c = s->c;
    const mtc_real *B = s->B;
    find_gradient(j, s, t);
    for (size_t i = 0; i < j->X[t].n; i++) {
        const mtc_real *P = s->P[t] + i * c, *A = s->A[t] + i * c;
        size_t best = 0;
        for (size_t z = 1; z < c; z++)
            best = P[z] > P[best] ? z : best;
        if (!(P[best] > LEAST))
            for (size_t z = 0; z < c; z++)
                if (B[z * c + z] - 2 * A[z] < B[best * c + best] - 2 * A[best])
                    best = z;
        j->labels[t][i] = (int)best;
        j->count[t * j->most + best] += 1;
    }
}

static void keep(const job *j, mtc_real **to, mtc_real **from, size_t c)
{
    for (size_t t = 0; t < j->T; t++)
        memcpy(to[t], from[t], j->X[t].n * c * sizeof **to);
}

void descend_lssmtc(job *j)
{
    size_t wanted = (size_t)j->set.subspace, c = j->most;
    lss s = {.c = c, .lambda = (mtc_real)j->set.lambda};
    mtc_real *f = j->objective;
    s.l = wanted == 0 || wanted > c ? c : wanted;
    s.l = s.l < j->d ? s.l : j->d;
    j->set.subspace = (double)s.l;
    allocate(j, &s);
    if (j->set.init == NULL)
        begin_with_kmeans(j);
    begin(j, &s);                                   /* A1 */
    fit(j, &s);
    f[0] = objective(j, &s);
    double began = MPI_Wtime(), before = j->received;
    j->busy = -(double)clock() / CLOCKS_PER_SEC;
    while (j->iterations < (size_t)j->set.iterations && !j->converged) {
        size_t it = j->iterations + 1;
        keep(j, s.before, s.P, c);
        for (size_t t = 0; t < j->T; t++) {
            find_gradient(j, &s, t);
            update(j, &s, t);                       /* A5 */
        }
        fit(j, &s);                                 /* A2 to A4 */
        f[it] = objective(j, &s);
        if (!(f[it] - f[it - 1] <= ROUNDING * s.total)) {
            keep(j, s.P, s.before, c);              /* taken back */
            fit(j, &s);
            objective(j, &s);
            break;
        }
        f[it] = f[it] <= f[it - 1] ? f[it] : f[it - 1];
        j->converged = j->set.tolerance > 0 && f[it - 1] - f[it] <=
                       (mtc_real)j->set.tolerance * f[it - 1];
        j->iterations = it;
        if (j->rank == 0 && !j->set.quiet)
            fprintf(stderr, "iteration %zu: %.10g, %.2f s\n", it,
                    (double)f[it], MPI_Wtime() - began);
    }
    j->seconds = MPI_Wtime() - began;
    j->busy += (double)clock() / CLOCKS_PER_SEC;
    j->received -= before;                          /* of the iterations */
    memset(j->count, 0, j->T * j->most * sizeof *j->count);
    for (size_t t = 0; t < j->T; t++)
        label(j, &s, t);
    before = j->received;
    add_up(j, j->count, j->T * j->most);
    j->received = before;
}
