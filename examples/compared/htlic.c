/* SPDX-License-Identifier: MIT
 *
 * htlic.c - features for images from tags and unlabeled text (Zhu et al., AAAI
 * 2011), on mtc_symeig and mtc_svm.  It assumes that images with tags show what
 * the words of the documents look like: tags are the bridge.
 *
 *   A1  F <- F / |F|, Z <- Z / |Z'T|, so that G = Z'T and F have norm 1
 *   A2  V = l G U (l U'U + rho I)^+
 *   A3  W = (1-l) F U ((1-l) U'U + rho I)^+
 *   A4  U = B (C + rho I)^+,  B = l G'V + (1-l) F'W,  C = l V'V + (1-l) W'W
 *   A5  X V, rows to length 1, is what the images of the target look like in
 *       words; linear SVM on those that are known
 * A2 to A4 each minimize the objective over one factor, exactly.  It is then
 *   l |G|^2 + (1-l) |F|^2 - 2 <B,U> + <C,U'U> + rho (|U|^2 + |V|^2 + |W|^2)
 *
 *   Z  [pairs x d] view2     T  [pairs x tags] view1    F  [documents x tags]
 *   U  [tags*r]    V [d*r]   W  [documents*r]           l, rho  lambda, ridge
 * G is not formed: G U = Z'(T U), G'V = T'(Z V).
 *
 * Reconstructed: the scale of G and F, the ridge, the classifier; what `append`
 *   does is ours.
 */
#define CMP_INTERNAL
#include "pairs.h"
#include "snn.h"

/* Eigenvalues of a Gram matrix up to this share of the largest are 0. */
#define RANK_SHARE (sizeof(mtc_real) == 8 ? (mtc_real)1e-10 : (mtc_real)1e-5)

typedef struct htlic_job {
    cmp_htlic_result r;                 /* comes first: htlic_shape */
    const cmp_htlic_options *o;
    mtc_data Z, T, F;                   /* scaled copies */
    mtc_real constant;                  /* l |G|^2 + (1-l) |F|^2 */
    mtc_real *W, *TU, *X;               /* [documents*r] [pairs*r]; scratch of
                                           the longest factor's size */
    mtc_real *B, *C, *A, *K, *E, *w;    /* [tags*r]; [r*r]; w [r] */
} htlic_job;

cmp_htlic_options cmp_htlic_defaults(void)
{
    return (cmp_htlic_options){.classes = 2, .rank = 20, .iterations = 30,
                               .lambda = (mtc_real)0.5,
                               .ridge = (mtc_real)0.01, .cost = 10};
}

static void htlic_shape(cmp_carver *c, void *result)
{
    cmp_htlic_result *r = (cmp_htlic_result *)result;
    r->labels = CMP_CARVE(c, r->n, int);
    r->scores = CMP_CARVE(c, cmp_mul(r->n, r->classes), mtc_real);
    r->features = CMP_CARVE(c, cmp_mul(r->n, r->rank), mtc_real);
    r->U = CMP_CARVE(c, cmp_mul(r->tags, r->rank), mtc_real);
    r->V = CMP_CARVE(c, cmp_mul(r->d, r->rank), mtc_real);
    r->objective = CMP_CARVE(c, cmp_add(r->iterations, 1), mtc_real);
}

/* X <- X / by, a copy of ours; by 0: as it is. */
static void divide(mtc_data *X, mtc_real by)
{
    mtc_real *value = (mtc_real *)X->values;
    for (size_t i = 0; i < X->n && by > 0; i++)
        for (size_t e = cmp_begin(X, i); e < cmp_end(X, i); e++)
            value[e] /= by;
}

/* All sets in one copy, of Frobenius norm 1; *norm is what it was. */
static mtc_data unit_copy(cmp_room *room, const mtc_data *sets, size_t n_sets,
                          mtc_real *norm)
{
    mtc_data X = cmp_stack(room, sets, n_sets);
    mtc_real sum = 0;
    for (size_t i = 0; room->status == MTC_OK && i < X.n; i++)
        for (size_t e = cmp_begin(&X, i); e < cmp_end(&X, i); e++)
            sum += X.values[e] * X.values[e];
    *norm = cmp_sqrt(sum);
    if (room->status == MTC_OK)
        divide(&X, *norm);
    return X;
}

/* A1, memory, and U as it starts. */
static void htlic_begin(cmp_room *room, htlic_job *j,
                        const mtc_data *documents, size_t n_documents,
                        const mtc_data *view1, const mtc_data *view2)
{
    size_t r = j->r.rank, cells = j->r.tags * r, longest = j->r.tags;
    mtc_real **square[4] = {&j->C, &j->A, &j->K, &j->E};
    mtc_real l = j->o->lambda, F, G;
    j->T = unit_copy(room, view1, 1, &G);
    j->Z = unit_copy(room, view2, 1, &G);
    j->F = unit_copy(room, documents, n_documents, &F);
    longest = j->r.d > longest ? j->r.d : longest;
    longest = j->F.n > longest ? j->F.n : longest;
    j->W = CMP_TAKE(room, cmp_mul(j->F.n, r), mtc_real);
    j->TU = CMP_TAKE(room, cmp_mul(j->Z.n, r), mtc_real);
    j->X = CMP_TAKE(room, cmp_mul(longest, r), mtc_real);
    j->B = CMP_TAKE(room, cmp_mul(j->r.tags, r), mtc_real);
    j->w = CMP_TAKE(room, r, mtc_real);
    for (size_t p = 0; p < 4; p++)
        *square[p] = CMP_TAKE(room, cmp_mul(r, r), mtc_real);
    if (room->status != MTC_OK)
        return;
    cmp_room own = cmp_open(room->ctx);
    G = cmp_product_norm(&own, &j->Z, &j->T);
    room->status = cmp_close(&own, own.status, NULL, 0, NULL);
    divide(&j->Z, G);
    j->constant = (G > 0 ? l : 0) + (F > 0 ? 1 - l : 0);
    mtc_random random = cmp_stream(room->ctx, 0);
    for (size_t e = 0; e < cells; e++)
        j->r.U[e] = j->o->start != NULL ? j->o->start[e]
                                        : mtc_random_normal(&random) / 10;
    j->r.objective[0] = j->constant +
                        j->o->ridge * mtc_dot(cells, j->r.U, j->r.U);
}

/* out [n*r] = weight X (A + rho I)^+, by A = E diag(w) E', which is lost. */
static mtc_status solve(mtc_context *ctx, htlic_job *j, size_t n,
                        mtc_real weight, const mtc_real *X, mtc_real *out)
{
    size_t r = j->r.rank;
    mtc_real rho = j->o->ridge, *E = j->E, *w = j->w;
    mtc_status s = mtc_symeig(ctx, r, j->A, r, w, E, r);
    if (s != MTC_OK)
        return s;
    mtc_real share = rho > 0 ? (mtc_real)r * CMP_EPS : RANK_SHARE;
    mtc_real least = share * (w[r - 1] + rho);
    memset(j->K, 0, r * r * sizeof *j->K);
    for (size_t k = 0; k < r; k++)
        for (size_t a = 0; w[k] + rho > least && a < r; a++)
            for (size_t b = 0; b < r; b++)
                j->K[a * r + b] += E[a * r + k] * E[b * r + k] / (w[k] + rho);
    mtc_gemm(0, 0, n, r, r, weight, X, r, j->K, r, 0, out, r, NULL);
    return MTC_OK;
}

/* A2 to A4, and the objective. */
static mtc_status htlic_round(mtc_context *ctx, htlic_job *j, mtc_real *value)
{
    size_t r = j->r.rank, d = j->r.d, tags = j->r.tags, n = j->F.n;
    mtc_real l = j->o->lambda, *U = j->r.U, *V = j->r.V, *W = j->W, *X = j->X;
    mtc_data_times(&j->T, r, U, r, j->TU, r, NULL);             /* A2 */
    mtc_data_transpose_times(&j->Z, r, j->TU, r, X, r, NULL);   /* G U */
    mtc_syrk(1, r, tags, l, U, r, 0, j->A, r, NULL);
    mtc_status s = solve(ctx, j, d, l, X, V);
    if (s == MTC_OK) {                                          /* A3 */
        mtc_data_times(&j->F, r, U, r, X, r, NULL);
        mtc_syrk(1, r, tags, 1 - l, U, r, 0, j->A, r, NULL);
        s = solve(ctx, j, n, 1 - l, X, W);
    }
    mtc_data_times(&j->Z, r, V, r, j->TU, r, NULL);             /* A4 */
    mtc_data_transpose_times(&j->T, r, j->TU, r, X, r, NULL);   /* G'V */
    mtc_data_transpose_times(&j->F, r, W, r, j->B, r, NULL);
    for (size_t e = 0; e < tags * r; e++)
        j->B[e] = l * X[e] + (1 - l) * j->B[e];
    mtc_syrk(1, r, d, l, V, r, 0, j->C, r, NULL);
    mtc_syrk(1, r, n, 1 - l, W, r, 1, j->C, r, NULL);
    memcpy(j->A, j->C, r * r * sizeof *j->A);
    if (s == MTC_OK)
        s = solve(ctx, j, tags, 1, j->B, U);
    mtc_syrk(1, r, tags, 1, U, r, 0, j->A, r, NULL);            /* U'U */
    *value = j->constant - 2 * mtc_dot(tags * r, j->B, U) +
             mtc_dot(r * r, j->C, j->A) +
             j->o->ridge * (mtc_dot(tags * r, U, U) + mtc_dot(d * r, V, V) +
                            mtc_dot(n * r, W, W));
    return s;
}

/* A5.  Without a sample of a class its decision is -1 everywhere;
 * such a class is not predicted. */
static mtc_status classify(cmp_room *room, htlic_job *j, const mtc_data *X,
                           const int *known)
{
    mtc_context *ctx = room->ctx;
    size_t n = j->r.n, c = j->r.classes, r = j->r.rank, m = 0;
    size_t *rows = CMP_TAKE(room, n, size_t);
    int *met = CMP_TAKE(room, c, int), *y = CMP_TAKE(room, n, int);
    mtc_data unit = mtc_dense(n, r, j->r.features), all, train;
    mtc_svm_options o = mtc_svm_defaults();
    mtc_svm_result model = {.block = {0}};
    mtc_data_times(X, r, j->r.V, r, j->r.features, r, NULL);
    unit = cmp_unit_rows(room, &unit);
    all = j->o->append && room->status == MTC_OK ? cmp_beside(room, X, &unit)
                                                 : unit;
    for (size_t i = 0; room->status == MTC_OK && i < n; i++)
        if (known[i] >= 0) {
            met[known[i]] = 1;
            y[m] = known[i];
            rows[m++] = i;
        }
    train = cmp_snn_rows(room, &all, m, rows);
    o.classes = c;
    o.cost = j->o->cost;
    mtc_status s = room->status;
    if (s == MTC_OK)
        s = mtc_svm(ctx, &train, y, &o, &model);
    if (s == MTC_OK)
        s = mtc_svm_assign(ctx, &all, &train, &model, NULL, j->r.scores);
    if (s == MTC_OK)
        memcpy(j->r.features, unit.values, n * r * sizeof(mtc_real));
    for (size_t i = n; s == MTC_OK && i-- > 0; ) {
        mtc_real *f = j->r.scores + i * c;
        size_t best = MTC_NONE;
        f[c - 1] = c == 1 ? 1 : c == 2 ? j->r.scores[i] : f[c - 1];
        f[0] = c == 2 ? -f[1] : f[0];               /* one number for both */
        for (size_t z = 0; z < c; z++)
            if (met[z] && (best == MTC_NONE || f[z] > f[best]))
                best = z;
        j->r.labels[i] = (int)best;
    }
    mtc_free(ctx, &model.block);
    return s;
}

static mtc_status htlic_check(mtc_context *ctx, const cmp_htlic_options *o,
                              const mtc_data *target, const mtc_data *view1,
                              const int *known, size_t rank)
{
    size_t some = 0;
    for (size_t i = 0; known != NULL && i < target->n; i++)
        some += known[i] >= 0;
    mtc_status s = cmp_check_options(
        ctx, o->rank == 0                           ? "rank: need 1 or more"
             : !cmp_is_real(o->lambda, 0, 1)        ? "lambda: need 0..1"
             : !cmp_is_real(o->ridge, 0, (mtc_real)1e9) ? "ridge: need 0..1e9"
             : !cmp_is_real(o->cost, CMP_TINY, CMP_HUGE) ? "cost: need above 0"
             : some == 0 ? "known: need labels of some target samples" : NULL);
    mtc_data start = mtc_dense(view1->d, rank, o->start);
    return s != MTC_OK || o->start == NULL
               ? s : mtc_data_check(ctx, &start, MTC_NONE);
}

mtc_status cmp_htlic(mtc_context *ctx, const mtc_data *documents,
                     size_t n_documents, const mtc_data *view1,
                     const mtc_data *view2, const mtc_data *target,
                     const int *known, const cmp_htlic_options *opt,
                     cmp_htlic_result *res)
{
    const cmp_htlic_options usual = cmp_htlic_defaults();
    htlic_job job = {.o = opt != NULL ? opt : &usual};
    const cmp_htlic_options *o = job.o;
    mtc_status s = cmp_check_options(ctx, res == NULL     ? "result"
                                          : view2 == NULL ? "view 2" : NULL);
    if (s == MTC_OK)
        s = cmp_check_pairs(ctx, documents, NULL, n_documents, target, view1,
                            view2, known, o->classes);
    if (s != MTC_OK)
        return s;
    job.r = (cmp_htlic_result){
        .n = target->n, .classes = o->classes, .d = target->d,
        .tags = view1->d, .iterations = o->iterations,
        .rank = o->rank < view1->d ? o->rank : view1->d};
    s = htlic_check(ctx, o, target, view1, known, job.r.rank);
    if (s != MTC_OK)
        return s;
    cmp_room room = cmp_open(ctx);
    cmp_result(&room, htlic_shape, &job, sizeof job.r);
    htlic_begin(&room, &job, documents, n_documents, view1, view2);
    s = room.status;
    for (size_t t = 0; s == MTC_OK && t < o->iterations; t++) {
        s = htlic_round(ctx, &job, &job.r.objective[t + 1]);
        if (s == MTC_OK)
            s = cmp_tick(ctx, "htlic", t + 1, o->iterations);
    }
    if (s == MTC_OK)
        s = classify(&room, &job, target, known);
    return cmp_close(&room, s, &job.r, sizeof job.r, res);
}
