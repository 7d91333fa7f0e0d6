/* SPDX-License-Identifier: MIT
 *
 * cotransfer.c - labels that walk through two feature spaces (Ng, Wu & Ye,
 * 2012), on mtc_graph_build and mtc_neighbors.  It assumes that labels flow to
 * samples that are alike, and from space to space along pairs seen together.
 *
 *   A1  W_s, W_t: max(cosine, 0) of nearest neighbors, by union
 *   A2  S, T: max(cosine, 0) of sources with view 1 and of target with view 2,
 *       the k largest of every row;  M = T S'
 *   A3  q = column sums: P_ss = W_s / q, P_tt = W_t / q, P_ts = M / q, P_st =
 *       M' / q.  A column whose sum is 0 becomes 1 / rows
 *   A4  Q: each class's mass, half on its source samples, half on its known
 *       target samples; all of it where only one of the two exists
 *   A5  U <- (1-a) P U + a Q from U = Q.  P has columns of sum 1, so that a
 *       step is at most 1-a times the one before, in the sum of |.|
 *   A6  label = argmax U, of the classes that a label has
 *
 * Space 0 is that of the sources, stacked, 1 that of the target.
 *   U, Q      U, Q     [N*c]         samples of space 0 first
 *   W_s, W_t  W[0..1]  [n x n]       S, T  L[0..1]  [n x pairs]
 *   q         q[from][to]  [n_from]  a, l  alpha, stay
 * M is kept as its factors: M Z = T (S'Z).
 *
 * Reconstructed: the affinities; the walk itself is the paper's.
 */
#define CMP_INTERNAL
#include "compared.h"

#define WALK_MOST ((size_t)100000)      /* steps, if alpha needs more */
/* Cosines up to this are rounding, and count as 0: alone in a column of weights
 * that is scaled to sum 1 they would become 1. */
#define WALK_WEAK (sizeof(mtc_real) == 8 ? (mtc_real)1e-10 : (mtc_real)1e-6)

typedef struct walk_job {
    cmp_cotransfer_result r;
    const cmp_cotransfer_options *o;
    cmp_world w;
    size_t n[2], pairs, N;
    mtc_data X[2], W[2], L[2];          /* X: samples of each space */
    mtc_real *q[2][2];
    mtc_real *next, *Q, *Z, *Y, *H;     /* [N*c]; H [pairs*c] */
} walk_job;

cmp_cotransfer_options cmp_cotransfer_defaults(void)
{
    return (cmp_cotransfer_options){.classes = 2, .alpha = (mtc_real)0.05,
                                    .stay = (mtc_real)0.9, .neighbors = 10};
}

static void walk_shape(adv_carver *c, void *result)
{
    cmp_cotransfer_result *r = (cmp_cotransfer_result *)result;
    r->labels = ADV_CARVE(c, r->n, int);
    r->source_scores = ADV_CARVE(
        c, adv_mul(adv_add(r->n_source, r->n), r->classes), mtc_real);
    if (c->base != NULL)                            /* U in one piece */
        r->scores = r->source_scores + r->n_source * r->classes;
}

/* A3: q' = 1'W, or 1'L_to L_from'. */
static void column_sums(walk_job *j, int from, int to)
{
    mtc_real *q = j->q[from][to], *one = j->Y;
    for (size_t i = 0; i < j->n[to]; i++)
        one[i] = 1;
    if (from != to) {
        mtc_data_transpose_times(&j->L[to], 1, one, 1, j->H, 1, NULL);
        mtc_data_times(&j->L[from], 1, j->H, 1, q, 1, NULL);
        return;
    }
    mtc_data_transpose_times(&j->W[to], 1, one, 1, q, 1, NULL);
    for (size_t i = 0; i < j->n[from]; i++)
        q[i] = q[i] > WALK_WEAK ? q[i] : 0;
}

/* next += weight P U of one block: Z = U / q, Y = W Z or L_to (L_from' Z).
 * What columns of sum 0 hold is spread evenly. */
static void walk(walk_job *j, int from, int to, mtc_real weight)
{
    size_t c = j->w.c, n = j->n[to];
    const mtc_real *U = from ? j->r.scores : j->r.source_scores;
    const mtc_real *q = j->q[from][to];
    for (size_t i = 0; i < j->n[from]; i++)
        for (size_t z = 0; z < c; z++)
            j->Z[i * c + z] = q[i] > 0 ? U[i * c + z] / q[i] : 0;
    if (from == to) {
        mtc_data_times(&j->W[to], c, j->Z, c, j->Y, c, NULL);
    } else {
        mtc_data_transpose_times(&j->L[from], c, j->Z, c, j->H, c, NULL);
        mtc_data_times(&j->L[to], c, j->H, c, j->Y, c, NULL);
    }
    for (size_t z = 0; z < c; z++) {
        mtc_real loose = 0;
        for (size_t i = 0; i < j->n[from]; i++)
            loose += q[i] > 0 ? 0 : U[i * c + z];
        for (size_t i = 0; i < n; i++)
            j->Y[i * c + z] += loose / (mtc_real)n;
    }
    mtc_axpy(n * c, weight, j->Y, j->next + (to ? j->n[0] * c : 0));
}

/* A4. */
static void restart_masses(walk_job *j)
{
    size_t c = j->w.c;
    const mtc_real *own = j->w.count, *other = own + c;
    for (size_t i = 0; i < j->N; i++)
        if (j->w.y[i] >= 0) {
            size_t z = (size_t)j->w.y[i];
            mtc_real mass = own[z] > 0 && other[z] > 0 ? (mtc_real)0.5 : 1;
            j->Q[i * c + z] = mass / (i < j->n[0] ? own : other)[z];
        }
}

/* For every row of X its k largest cosines with rows of the view, those above
 * 0, as CSR.  Lists come by distance; a row of cosines puts them in order of
 * index. */
static mtc_status nearest_cosines(adv_desk *desk, const mtc_data *X,
                                  const mtc_data *view, size_t k, mtc_data *L)
{
    size_t all = adv_mul(X->n, k), at = 0;
    size_t *row = ADV_TAKE(desk, X->n + 1, size_t);
    uint32_t *column = ADV_TAKE(desk, all, uint32_t);
    mtc_real *value = ADV_TAKE(desk, all, mtc_real);
    union adv_piece *mark = desk->last;
    mtc_real *cosine = ADV_TAKE(desk, view->n, mtc_real);   /* of one row */
    mtc_real *key = ADV_TAKE(desk, all, mtc_real);
    size_t *index = ADV_TAKE(desk, all, size_t);
    ADV_TRY(desk->status);
    ADV_TRY(mtc_neighbors(desk->ctx, view, X, k, MTC_DISTANCE_COSINE, index,
                          key));
    for (size_t i = 0; i < X->n; i++) {
        for (size_t e = i * k; e < i * k + k; e++)
            cosine[index[e]] = 1 - key[e] > WALK_WEAK ? 1 - key[e] : 0;
        for (size_t j = 0; j < view->n; j++)        /* ascending */
            if (cosine[j] > 0) {
                column[at] = (uint32_t)j;
                value[at++] = cosine[j];
                cosine[j] = 0;
            }
        row[i + 1] = at;
    }
    adv_release(desk, mark);
    *L = mtc_csr(X->n, view->n, row, column, value);
    return MTC_OK;
}

/* Memory, A1 to A4. */
static mtc_status walk_build(adv_desk *desk, walk_job *j)
{
    size_t k = j->o->neighbors, c = j->w.c;
    mtc_graph_options o = mtc_graph_defaults();     /* cosines */
    ADV_REALS(desk, adv_mul(j->N, c), &j->next, &j->Q, &j->Z, &j->Y);
    ADV_REALS(desk, adv_mul(j->pairs, c), &j->H);
    ADV_TRY(cmp_gather(desk, &j->w));
    j->X[0] = cmp_stack(desk, j->w.sources, j->w.n_sources);
    j->X[1] = *j->w.target;
    o.neighbors = k;
    for (int b = 0; b < 2; b++) {
        mtc_data V = j->w.view[1] != NULL ? *j->w.view[b]
                     : cmp_used_columns(desk, j->w.view[0], &j->X[b]);
        mtc_graph graph;
        ADV_REALS(desk, j->n[b], &j->q[b][0], &j->q[b][1]);
        ADV_TRY(desk->status);
        ADV_TRY(mtc_graph_build(desk->ctx, &j->X[b], 1, &o, &graph)); /* A1 */
        ADV_TRY(adv_keep(desk, graph.block));
        j->W[b] = graph.weights;
        ADV_TRY(nearest_cosines(desk, &j->X[b], &V,
                                k < j->pairs ? k : j->pairs, &j->L[b]));
    }                                                           /* A2 */
    for (int b = 0; b < 4; b++)
        column_sums(j, b / 2, b % 2);                           /* A3 */
    restart_masses(j);                                          /* A4 */
    return MTC_OK;
}

/* A5, A6.  Steps shrink to 1-a of the last, which says how many do. */
static mtc_status walk_work(adv_desk *desk, void *job)
{
    walk_job *j = (walk_job *)job;
    size_t c = j->w.c, cells = j->N * c;
    mtc_real a = j->o->alpha, l = j->o->stay, *U = j->r.source_scores;
    double noise = 16 * (double)CMP_EPS * (double)c;
    double enough = noise > 1e-12 ? noise : 1e-12;
    size_t most = cmp_whole(2 + log(enough / (2 * (double)c)) /
                                    log1p(-(double)a));
    most = most < WALK_MOST ? most : WALK_MOST;
    most = j->o->iterations > 0 ? j->o->iterations : most;
    ADV_TRY(walk_build(desk, j));
    memcpy(U, j->Q, cells * sizeof *U);
    while (j->r.iterations < most && !j->r.converged) {
        memset(j->next, 0, cells * sizeof *j->next);            /* A5 */
        for (int b = 0; b < 4; b++)
            walk(j, b / 2, b % 2, (1 - a) * (b / 2 == b % 2 ? l : 1 - l));
        mtc_axpy(cells, a, j->Q, j->next);
        j->r.step = 0;
        for (size_t e = 0; e < cells; e++) {
            j->r.step += cmp_abs(j->next[e] - U[e]);
            U[e] = j->next[e];
        }
        j->r.converged = (double)j->r.step < enough;
        ADV_TRY(adv_tick(desk->ctx, "co-transfer", ++j->r.iterations, most));
    }
    mtc_axpy(c, 1, j->w.count + c, j->w.count);     /* labeled, in all */
    for (size_t i = 0; i < j->n[1]; i++)                        /* A6 */
        j->r.labels[i] = (int)cmp_argmax_of(c, j->r.scores + i * c, j->w.count);
    return MTC_OK;
}

mtc_status cmp_cotransfer(mtc_context *ctx, const mtc_data *sources,
                          const int *const *source_labels, size_t n_sources,
                          const mtc_data *view1, const mtc_data *view2,
                          const mtc_data *target, const int *known,
                          const cmp_cotransfer_options *opt,
                          cmp_cotransfer_result *res)
{
    const cmp_cotransfer_options usual = cmp_cotransfer_defaults(),
                                 *o = opt != NULL ? opt : &usual;
    walk_job j = {.w = CMP_WORLD, .o = o};
    j.w.view[0] = view1;
    j.w.view[1] = view2;
    j.w.known = known;
    ADV_TRY(cmp_enter(
        ctx, res == NULL                           ? "result"
             : source_labels == NULL               ? "labels"
             : !cmp_is_real(o->alpha, ADV_TINY, 1) ? "alpha: need above 0, to 1"
             : !cmp_is_real(o->stay, 0, 1)         ? "stay: need 0..1"
             : o->neighbors == 0 ? "neighbors: need 1 or more" : NULL,
        CMP_PAIRS, &j.w));
    j.r.n_source = j.n[0] = j.w.u0;
    j.r.n = j.n[1] = j.w.n;
    j.r.classes = o->classes;
    j.pairs = view1->n;
    j.N = j.w.N;
    return cmp_run(ctx, walk_shape, walk_work, &j, sizeof j.r, res);
}
