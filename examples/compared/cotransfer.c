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
 *   A6  label = argmax U; one class among all labeled: that one
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
#include "pairs.h"

#define WALK_MOST ((size_t)100000)      /* steps, if alpha needs more */

typedef struct walk_job {
    cmp_cotransfer_result r;            /* comes first: walk_shape */
    const cmp_cotransfer_options *o;
    size_t n[2], pairs, N;
    mtc_graph W[2];
    mtc_data X[2], L[2];                /* X: samples of each space */
    int *y;                             /* [N] classes; -1: unknown */
    mtc_real *q[2][2], *count;          /* count [2*c] labeled samples */
    mtc_real *next, *Q, *Z, *Y, *H;     /* [N*c]; H [pairs*c] */
} walk_job;

cmp_cotransfer_options cmp_cotransfer_defaults(void)
{
    return (cmp_cotransfer_options){.classes = 2, .alpha = (mtc_real)0.05,
                                    .stay = (mtc_real)0.9, .neighbors = 10};
}

static void walk_shape(cmp_carver *c, void *result)
{
    cmp_cotransfer_result *r = (cmp_cotransfer_result *)result;
    r->labels = CMP_CARVE(c, r->n, int);
    r->source_scores = CMP_CARVE(
        c, cmp_mul(cmp_add(r->n_source, r->n), r->classes), mtc_real);
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
    mtc_data_transpose_times(&j->W[to].weights, 1, one, 1, q, 1, NULL);
    for (size_t i = 0; i < j->n[from]; i++)
        q[i] = q[i] > CMP_WEAK ? q[i] : 0;
}

/* next += weight P U of one block: Z = U / q, Y = W Z or L_to (L_from' Z).
 * What columns of sum 0 hold is spread evenly. */
static void walk(walk_job *j, int from, int to, mtc_real weight)
{
    size_t c = j->r.classes, n = j->n[to];
    const mtc_real *U = from ? j->r.scores : j->r.source_scores;
    const mtc_real *q = j->q[from][to];
    for (size_t i = 0; i < j->n[from]; i++)
        for (size_t z = 0; z < c; z++)
            j->Z[i * c + z] = q[i] > 0 ? U[i * c + z] / q[i] : 0;
    if (from == to) {
        mtc_data_times(&j->W[to].weights, c, j->Z, c, j->Y, c, NULL);
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

/* A4.  Returns the only class that is labeled, or MTC_NONE. */
static size_t restart_masses(walk_job *j)
{
    size_t c = j->r.classes, some = 0, only = 0;
    mtc_real *source = j->count, *target = j->count + c;
    for (size_t i = 0; i < j->N; i++)
        if (j->y[i] >= 0)
            (i < j->n[0] ? source : target)[j->y[i]] += 1;
    for (size_t i = 0; i < j->N; i++)
        if (j->y[i] >= 0) {
            size_t z = (size_t)j->y[i];
            mtc_real mass = source[z] > 0 && target[z] > 0 ? (mtc_real)0.5 : 1;
            j->Q[i * c + z] = mass / (i < j->n[0] ? source : target)[z];
        }
    for (size_t z = 0; z < c; z++)
        if (source[z] + target[z] > 0) {
            some++;
            only = z;
        }
    return some == 1 ? only : MTC_NONE;
}

/* A3 to A6.  Steps shrink to 1-a of the last, which says how many do. */
static mtc_status walk_work(mtc_context *ctx, walk_job *j)
{
    size_t c = j->r.classes, cells = j->N * c, only = restart_masses(j);
    mtc_real a = j->o->alpha, l = j->o->stay, *U = j->r.source_scores;
    double noise = 16 * (double)CMP_EPS * (double)c;
    double enough = noise > 1e-12 ? noise : 1e-12;
    size_t most = cmp_whole(2 + log(enough / (2 * (double)c)) /
                                    log1p(-(double)a));
    mtc_status s = MTC_OK;
    most = most < WALK_MOST ? most : WALK_MOST;
    most = j->o->iterations > 0 ? j->o->iterations : most;
    for (int b = 0; b < 4; b++)
        column_sums(j, b / 2, b % 2);                           /* A3 */
    memcpy(U, j->Q, cells * sizeof *U);
    for (size_t t = 0; s == MTC_OK && t < most && !j->r.converged; t++) {
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
        j->r.iterations = t + 1;
        s = cmp_tick(ctx, "co-transfer", t + 1, most);
    }
    for (size_t i = 0; i < j->n[1]; i++)                        /* A6 */
        j->r.labels[i] = (int)(only != MTC_NONE ? only
                               : cmp_argmax(c, j->r.scores + i * c));
    return s;
}

/* Memory, A1 and A2; then the walk. */
static mtc_status walk_build(cmp_room *room, walk_job *j,
                             const mtc_data *const view[2])
{
    size_t k = j->o->neighbors, cells = cmp_mul(j->N, j->r.classes);
    mtc_real **piece[4] = {&j->next, &j->Q, &j->Z, &j->Y};
    for (size_t p = 0; p < 4; p++)
        *piece[p] = CMP_TAKE(room, cells, mtc_real);
    j->H = CMP_TAKE(room, cmp_mul(j->pairs, j->r.classes), mtc_real);
    j->count = CMP_TAKE(room, cmp_mul(2, j->r.classes), mtc_real);
    for (int b = 0; b < 4; b++)
        j->q[b / 2][b % 2] = CMP_TAKE(room, j->n[b / 2], mtc_real);
    for (int b = 0; b < 2; b++) {
        mtc_data V = view[1] != NULL ? *view[b]
                     : cmp_used_columns(room, view[0], &j->X[b]);
        j->L[b] = cmp_nearest_cosines(room, &j->X[b], &V,
                                      k < j->pairs ? k : j->pairs); /* A2 */
    }
    mtc_graph_options o = mtc_graph_defaults();     /* cosines */
    mtc_status s = room->status;
    o.neighbors = k;
    for (int b = 0; s == MTC_OK && b < 2; b++)
        s = mtc_graph_build(room->ctx, &j->X[b], 1, &o, &j->W[b]);  /* A1 */
    if (s == MTC_OK)
        s = walk_work(room->ctx, j);
    for (int b = 1; b >= 0; b--)
        mtc_free(room->ctx, &j->W[b].block);
    return s;
}

mtc_status cmp_cotransfer(mtc_context *ctx, const mtc_data *sources,
                          const int *const *source_labels, size_t n_sources,
                          const mtc_data *view1, const mtc_data *view2,
                          const mtc_data *target, const int *known,
                          const cmp_cotransfer_options *opt,
                          cmp_cotransfer_result *res)
{
    const cmp_cotransfer_options usual = cmp_cotransfer_defaults();
    const cmp_cotransfer_options *o = opt != NULL ? opt : &usual;
    const mtc_data *const view[2] = {view1, view2};
    mtc_status s = cmp_check_options(
        ctx, res == NULL                           ? "result"
             : source_labels == NULL               ? "labels"
             : !cmp_is_real(o->alpha, CMP_TINY, 1) ? "alpha: need above 0, to 1"
             : !cmp_is_real(o->stay, 0, 1)         ? "stay: need 0..1"
             : o->neighbors == 0 ? "neighbors: need 1 or more" : NULL);
    if (s == MTC_OK)
        s = cmp_check_pairs(ctx, sources, source_labels, n_sources, target,
                            view1, view2, known, o->classes);
    if (s != MTC_OK)
        return s;
    cmp_room room = cmp_open(ctx);
    walk_job job = {.o = o, .n = {cmp_count(sources, n_sources), target->n},
                    .pairs = view1->n};
    job.r.n_source = job.n[0];
    job.r.n = job.n[1];
    job.r.classes = o->classes;
    job.N = cmp_add(job.n[0], job.n[1]);
    cmp_result(&room, walk_shape, &job, sizeof job.r);
    job.y = CMP_TAKE(&room, job.N, int);
    job.X[0] = cmp_stack(&room, sources, n_sources);
    job.X[1] = *target;
    for (size_t t = 0, at = 0; room.status == MTC_OK && t <= n_sources; t++) {
        const int *y = t < n_sources ? source_labels[t] : known;
        size_t n = t < n_sources ? sources[t].n : target->n;
        for (size_t i = 0; i < n; i++)
            job.y[at++] = y != NULL ? y[i] : -1;
    }
    s = walk_build(&room, &job, view);
    return cmp_close(&room, s, &job.r, sizeof job.r, res);
}
