/* SPDX-License-Identifier: MIT
 *
 * mtctki.c - multi-task clustering through instances transfer (Zhang, Zhang,
 * Liu & Liu, Neurocomputing 2017), on mtc_symeig, mtc_neighbors and mtc_ncut.
 * It assumes a linear subspace in which the tasks' distributions agree:
 * neighbors found there in other tasks say that two samples belong together.
 *
 *   K = X X',  H = I - 11'/N,  e_ts = 1_t/n_t - 1_s/n_s,  L = sum_{t<s} ee'
 *   tca    K H K a = w M a,  M = K L K + lambda I,  A'M A = I;  Z = K A
 *   ratio  (1-lambda) X'HX/N - lambda X'LX on the row space of X: orthonormal
 *          top eigenvectors V; Z = X V
 *   S_t = N_tt N_tt' / l_t + 1/(T-1) sum_s N_ts N_ts' / l_s, times the Gaussian
 *   kernel, diagonal 0; N_ts: the l_s nearest in s of the samples of t; all on
 *   rows of Z of length 1
 *
 * With X = Q D P' both problems have q = rank X coordinates:
 *   A1  Y = X P = Q D from the Gram matrix on the smaller side; eigenvalues D^2
 *       up to 1e-10 of the largest are 0.  ratio: V = P v, Z = Y v.  tca: Y is
 *       X P D = K Q, a = Q c, Z = Y c.  X'HX or KHK is Y'HY; L the same way
 *   A2  Y'LY = E'E, E [T*q] = sqrt(T) (m_t - mean of all m_t), m_t the mean row
 *       of Y in task t
 *   A3  tca: Y <- Y (E'E + lambda I)^-1/2.  With g, v the eigenpairs of E'E,
 *         ( )^-1/2 = lambda^-1/2 (I - sum (1 - (1 + g/lambda)^-1/2) vv'),
 *       right at every scale of the data; T - 1 pairs, from E E' [T*T]
 *   A4  top eigenvectors V of Y'HY or (1-lambda) Y'HY/N - lambda E'E;  Z = Y V
 *   A5  S_t, normalized cut
 * tca divides Y by D_1^2, lambda by D_1^4: Z is the same, nothing overflows.
 *
 * Reconstructed: subspace by agreement of means, shared neighbors and spectral
 *   clustering are the original's; the form of the trade (both spaces), rows to
 *   length 1 and the weights of the terms are ours.
 */
#define CMP_INTERNAL
#include "compared.h"

typedef struct tki_job {
    cmp_mtctki_result r;
    const mtc_data *tasks;
    const cmp_mtctki_options *o;
    size_t q;                           /* rank; m = min(N, d) at most */
    mtc_real *G, *V, *w;                /* [m*m] [m*m] [max(m, T)] */
    mtc_real *Y, *E, *mean, *v;         /* [N*q] [T*q] [q] [q] */
    mtc_real *R, *U;                    /* [T*T] E E' and its vectors */
    void *work;                         /* of products */
} tki_job;

cmp_mtctki_options cmp_mtctki_defaults(void)
{
    return (cmp_mtctki_options){.clusters = 2, .space = CMP_MTCTKI_TCA,
                                .trade = (mtc_real)0.5, .dim = 30,
                                .mu = (mtc_real)0.3, .restarts = 10};
}

static void tki_shape(adv_carver *c, void *job)
{
    tki_job *j = (tki_job *)job;
    cmp_mtctki_result *r = &j->r;
    size_t T = r->tasks;
    r->clusters = ADV_CARVE(c, T, size_t);
    r->k_effective = ADV_CARVE(c, T, size_t);
    r->neighbors = ADV_CARVE(c, T, size_t);
    r->Z = ADV_CARVE(c, adv_mul(r->n, r->width), mtc_real);
    r->labels = cmp_carve_labels(c, j->tasks, T);
    r->S = cmp_carve_rows(c, j->tasks, T, 0);
    for (size_t t = 0; c->base != NULL && t < T; t++)
        r->clusters[t] = cmp_clusters(j->o->clusters, j->o->clusters_of, t);
}

/* A2. */
static void tki_means(tki_job *j)
{
    size_t T = j->r.tasks, q = j->q, row = 0;
    for (size_t t = 0; t < T; t++) {
        mtc_real share = 1 / (mtc_real)j->tasks[t].n, *E = j->E + t * q;
        for (size_t i = 0; i < j->tasks[t].n; i++, row++)
            mtc_axpy(q, share, j->Y + row * q, E);           /* m_t */
        mtc_axpy(q, 1 / (mtc_real)T, E, j->mean);
    }
    for (size_t t = 0; t < T; t++)
        for (size_t c = 0; c < q; c++)
            j->E[t * q + c] = ADV_SQRT((mtc_real)T) *
                              (j->E[t * q + c] - j->mean[c]);
}

/* A3 without the factor lambda^-1/2.  v = E'u / sqrt(g) for an eigenvector u
 * of E E'; values of g that are rounding are 0. */
static mtc_status tki_agree(mtc_context *ctx, tki_job *j, mtc_real lambda)
{
    size_t T = j->r.tasks, q = j->q;
    mtc_syrk(0, T, q, 1, j->E, q, 0, j->R, T, NULL);
    ADV_TRY(mtc_symeig(ctx, T, j->R, T, j->w, j->U, T));
    mtc_real least = (mtc_real)T * CMP_EPS * j->w[T - 1];
    for (size_t p = T; p-- > 0 && j->w[p] > least;) {
        mtc_real g = j->w[p], shrink = 1 - ADV_SQRT(lambda / (lambda + g));
        memset(j->v, 0, q * sizeof *j->v);
        for (size_t t = 0; t < T; t++)
            mtc_axpy(q, j->U[t * T + p] / ADV_SQRT(g), j->E + t * q, j->v);
        for (size_t i = 0; i < j->r.n; i++) {
            mtc_real *y = j->Y + i * q;
            mtc_axpy(q, -shrink * mtc_dot(q, y, j->v), j->v, y);
        }
    }
    return MTC_OK;
}

/* A4: Z = scale Y V, columns by falling eigenvalue.  Y comes back centered. */
static mtc_status tki_project(mtc_context *ctx, tki_job *j, mtc_real scale)
{
    size_t N = j->r.n, q = j->q, width = j->r.width;
    size_t dim = q < width ? q : width;
    int tca = j->o->space == CMP_MTCTKI_TCA;
    mtc_real share = 1 / (mtc_real)N, lambda = j->o->trade;
    memset(j->mean, 0, q * sizeof *j->mean);
    for (size_t i = 0; i < N; i++)
        mtc_axpy(q, share, j->Y + i * q, j->mean);
    for (size_t i = 0; i < N; i++)
        mtc_axpy(q, -1, j->mean, j->Y + i * q);                 /* H Y */
    mtc_syrk(1, q, N, tca ? 1 : (1 - lambda) * share, j->Y, q, 0, j->G, q,
             j->work);
    if (!tca)
        mtc_syrk(1, q, j->r.tasks, -lambda, j->E, q, 1, j->G, q, NULL);
    ADV_TRY(mtc_symeig_range(ctx, q, j->G, q, q - dim, dim, j->w, j->V, dim));
    for (size_t c = 0; c < dim; c++, j->r.dim++) {
        size_t from = dim - 1 - c;                  /* w ascends */
        if (tca && !(j->w[from] > CMP_RANK * j->w[dim - 1]))
            break;
        for (size_t i = 0; i < N; i++)
            for (size_t a = 0; a < q; a++)
                j->r.Z[i * width + c] += scale * j->V[a * dim + from] *
                                         (j->Y[i * q + a] + j->mean[a]);
    }
    return MTC_OK;
}

/* A1 to A4: Z.  Data of zeros have rank 0, and Z = 0. */
static mtc_status tki_subspace(adv_desk *desk, tki_job *j)
{
    union adv_piece *mark = desk->last;            /* back before A5 */
    size_t T = j->r.tasks, N = j->r.n, d = j->tasks[0].d, m = N < d ? N : d;
    mtc_real lambda = j->o->trade, scale = 1;
    ADV_REALS(desk, adv_mul(m, m), &j->G, &j->V);
    ADV_REALS(desk, adv_mul(N, m), &j->Y);
    ADV_REALS(desk, adv_mul(T, m), &j->E);
    ADV_REALS(desk, adv_mul(T, T), &j->R, &j->U);
    ADV_REALS(desk, adv_add(m, T), &j->w, &j->mean, &j->v);
    j->work = adv_take(desk, mtc_gemm_work(m, m, N), 1);
    ADV_TRY(desk->status);
    ADV_TRY(cmp_coordinates(desk, j->tasks, T, 0, j->Y, j->w, &j->q));
    if (j->q == 0)
        return MTC_OK;
    mtc_real top = j->w[j->q - 1];
    for (size_t e = 0; j->o->space == CMP_MTCTKI_TCA && e < N * j->q; e++)
        j->Y[e] *= ADV_SQRT(j->w[e % j->q]) / top;  /* tca: times D / D_1^2 */
    tki_means(j);
    if (j->o->space == CMP_MTCTKI_TCA) {
        scale = top / ADV_SQRT(lambda);
        if (!ADV_FINITE(scale))
            return adv_refuse(desk->ctx, MTC_DOMAIN,
                              "trade: too small for these data");
        ADV_TRY(tki_agree(desk->ctx, j, lambda / top / top));
    }
    ADV_TRY(tki_project(desk->ctx, j, scale));
    adv_release(desk, mark);
    return MTC_OK;
}

/* A5, on Z with rows of length 1. */
static mtc_status tki_work(adv_desk *desk, void *job)
{
    tki_job *j = (tki_job *)job;
    size_t T = j->r.tasks, at = 0;
    ADV_TRY(tki_subspace(desk, j));
    mtc_data raw = mtc_dense(j->r.n, j->r.width, j->r.Z);
    mtc_data Z = cmp_unit_rows(desk, &raw, CMP_LENGTH);
    mtc_data *part = ADV_TAKE(desk, T, mtc_data);
    ADV_TRY(desk->status);
    for (size_t t = 0; t < T; at += part[t++].n)
        part[t] = mtc_dense(j->tasks[t].n, Z.d, Z.values + at * Z.d);
    j->r.sigma = cmp_median_distance(desk, part, T);
    ADV_TRY(desk->status);
    for (size_t t = 0; t < T; t++) {
        for (size_t u = 0; u < T; u++) {
            size_t n = part[u].n, k = j->r.clusters[u];
            size_t l = cmp_snn_count(j->o->mu, n, k, u == t ? n - 1 : n);
            mtc_real weight = u == t ? 1 : 1 / (mtc_real)(T - 1);
            j->r.neighbors[t] = u == t ? l : j->r.neighbors[t];
            ADV_TRY(cmp_snn_add(desk, &part[u], u == t ? NULL : &part[t], NULL,
                                l, weight, part[t].n, j->r.S[t]));
        }
        ADV_TRY(cmp_snn_cluster(desk, &part[t], j->r.sigma, j->r.S[t],
                                j->r.clusters[t], j->o->restarts,
                                j->r.labels[t], &j->r.k_effective[t]));
    }
    return MTC_OK;
}

static const char *tki_wrong(const cmp_mtctki_options *o)
{
    int tca = o->space == CMP_MTCTKI_TCA;
    return !tca && o->space != CMP_MTCTKI_RATIO ? "space: need tca or ratio"
           : o->restarts == 0 ? "restarts: need 1 or more"
           : tca && !cmp_is_real(o->trade, ADV_TINY, ADV_HUGE)
               ? "trade: need above 0"
           : !tca && !cmp_is_real(o->trade, 0, 1) ? "trade: need 0..1"
           : o->dim == 0 ? "dim: need 1 or more"
           : !cmp_is_real(o->mu, ADV_TINY, ADV_HUGE) ? "mu: need above 0"
                                                     : NULL;
}

mtc_status cmp_mtctki(mtc_context *ctx, const mtc_data *tasks, size_t n_tasks,
                      const cmp_mtctki_options *opt, cmp_mtctki_result *res)
{
    const cmp_mtctki_options usual = cmp_mtctki_defaults(),
                             *o = opt != NULL ? opt : &usual;
    tki_job j = {.tasks = tasks, .o = o, .r = {.tasks = n_tasks}};
    ADV_TRY(cmp_check_tasks(ctx, res == NULL ? "result" : tki_wrong(o), tasks,
                            n_tasks, o->clusters, o->clusters_of, NULL));
    size_t d = tasks[0].d, N = j.r.n = cmp_count(tasks, n_tasks);
    j.r.width = o->dim < (N < d ? N : d) ? o->dim : N < d ? N : d;
    return cmp_run(ctx, tki_shape, tki_work, &j, sizeof j.r, res);
}
