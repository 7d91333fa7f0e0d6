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
#include "compared.h"

typedef struct htlic_job {
    cmp_htlic_result r;
    const cmp_htlic_options *o;
    cmp_world w;                        /* the documents are its sources */
    mtc_data Z, T, F;                   /* scaled copies */
    mtc_real constant;                  /* l |G|^2 + (1-l) |F|^2 */
    mtc_real *W, *TU, *X;               /* [documents*r] [pairs*r]; scratch of
                                           the longest factor's size */
    mtc_real *B, *C, *A, *K, *E, *value;    /* [tags*r]; [r*r]; value [r] */
} htlic_job;

cmp_htlic_options cmp_htlic_defaults(void)
{
    return (cmp_htlic_options){.classes = 2, .rank = 20, .iterations = 30,
                               .lambda = (mtc_real)0.5,
                               .ridge = (mtc_real)0.01, .cost = 10};
}

static void htlic_shape(adv_carver *c, void *result)
{
    cmp_htlic_result *r = (cmp_htlic_result *)result;
    r->labels = ADV_CARVE(c, r->n, int);
    CMP_CARVE_REALS(c, adv_mul(r->n, r->classes), &r->scores);
    CMP_CARVE_REALS(c, adv_mul(r->n, r->rank), &r->features);
    CMP_CARVE_REALS(c, adv_mul(r->tags, r->rank), &r->U);
    CMP_CARVE_REALS(c, adv_mul(r->d, r->rank), &r->V);
    CMP_CARVE_REALS(c, adv_add(r->iterations, 1), &r->objective);
}

/* A copy of ours of all sets; its values divided by *norm, or, where that is 0,
 * by their length, which it becomes. */
static mtc_data scaled(adv_desk *desk, const mtc_data *sets, size_t n_sets,
                       mtc_real *norm)
{
    mtc_data X = cmp_stack(desk, sets, n_sets);
    if (desk->status != MTC_OK)
        return X;
    mtc_real *value = (mtc_real *)X.values;
    size_t stored = adv_end(&X, X.n - 1);
    *norm = *norm > 0 ? *norm : ADV_SQRT(mtc_dot(stored, value, value));
    for (size_t e = 0; e < stored && *norm > 0; e++)
        value[e] /= *norm;
    return X;
}

/* A1, memory, and U as it starts.  Views first have length 1 each: Z'T is then
 * no number that overflows. */
static mtc_status htlic_begin(adv_desk *desk, htlic_job *j)
{
    size_t r = j->r.rank, cells = j->r.tags * r, longest = j->r.tags;
    mtc_real l = j->o->lambda, F = 0, T = 0, Z = 0, G;
    j->T = scaled(desk, j->w.view[0], 1, &T);
    j->Z = scaled(desk, j->w.view[1], 1, &Z);
    j->F = scaled(desk, j->w.sources, j->w.n_sources, &F);
    G = cmp_product_norm(desk, &j->Z, &j->T);
    j->constant = (G > 0 ? l : 0) + (F > 0 ? 1 - l : 0);
    j->Z = scaled(desk, &j->Z, 1, &G);
    longest = j->r.d > longest ? j->r.d : longest;
    longest = j->F.n > longest ? j->F.n : longest;
    ADV_REALS(desk, adv_mul(j->F.n, r), &j->W);
    ADV_REALS(desk, adv_mul(j->Z.n, r), &j->TU);
    ADV_REALS(desk, adv_mul(longest, r), &j->X, &j->B);
    ADV_REALS(desk, adv_mul(r, r), &j->C, &j->A, &j->K, &j->E, &j->value);
    ADV_TRY(desk->status);
    mtc_random random = cmp_stream(desk->ctx, 0);
    for (size_t e = 0; e < cells; e++)
        j->r.U[e] = j->o->start != NULL ? j->o->start[e]
                                        : mtc_random_normal(&random) / 10;
    j->r.objective[0] = j->constant +
                        j->o->ridge * mtc_dot(cells, j->r.U, j->r.U);
    return MTC_OK;
}

/* out [n*r] = weight X (A + rho I)^+ = weight X K, by A = E diag(w) E', which
 * is lost. */
static mtc_status solve(mtc_context *ctx, htlic_job *j, size_t n,
                        mtc_real weight, const mtc_real *X, mtc_real *out)
{
    size_t r = j->r.rank;
    mtc_real rho = j->o->ridge, *w = j->value;
    ADV_TRY(mtc_symeig(ctx, r, j->A, r, w, j->E, r));
    mtc_real share = rho > 0 ? (mtc_real)r * CMP_EPS : CMP_RANK;
    mtc_real least = share * (w[r - 1] + rho);
    for (size_t e = 0; e < r * r; e++) {
        mtc_real value = w[e % r] + rho;
        j->E[e] *= value > least ? 1 / ADV_SQRT(value) : 0;
    }
    mtc_syrk(0, r, r, 1, j->E, r, 0, j->K, r, NULL);
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
    ADV_TRY(solve(ctx, j, d, l, X, V));
    mtc_data_times(&j->F, r, U, r, X, r, NULL);                 /* A3 */
    mtc_syrk(1, r, tags, 1 - l, U, r, 0, j->A, r, NULL);
    ADV_TRY(solve(ctx, j, n, 1 - l, X, W));
    mtc_data_times(&j->Z, r, V, r, j->TU, r, NULL);             /* A4 */
    mtc_data_transpose_times(&j->T, r, j->TU, r, X, r, NULL);   /* G'V */
    mtc_data_transpose_times(&j->F, r, W, r, j->B, r, NULL);
    for (size_t e = 0; e < tags * r; e++)
        j->B[e] = l * X[e] + (1 - l) * j->B[e];
    mtc_syrk(1, r, d, l, V, r, 0, j->C, r, NULL);
    mtc_syrk(1, r, n, 1 - l, W, r, 1, j->C, r, NULL);
    memcpy(j->A, j->C, r * r * sizeof *j->A);
    ADV_TRY(solve(ctx, j, tags, 1, j->B, U));
    mtc_syrk(1, r, tags, 1, U, r, 0, j->A, r, NULL);            /* U'U */
    *value = j->constant - 2 * mtc_dot(tags * r, j->B, U) +
             mtc_dot(r * r, j->C, j->A) +
             j->o->ridge * (mtc_dot(tags * r, U, U) + mtc_dot(d * r, V, V) +
                            mtc_dot(n * r, W, W));
    return MTC_OK;
}

/* A5.  Without a sample of a class its decision is -1 everywhere; such a class
 * is not predicted. */
static mtc_status classify(adv_desk *desk, htlic_job *j)
{
    const mtc_data *X = j->w.target;
    size_t n = j->r.n, c = j->w.c, r = j->r.rank, m = 0;
    const int *known = j->w.known;
    size_t *rows = ADV_TAKE(desk, n, size_t);
    int *y = ADV_TAKE(desk, n, int);
    mtc_data unit = mtc_dense(n, r, j->r.features), all, train;
    mtc_svm_options o = mtc_svm_defaults();
    mtc_svm_result model;
    mtc_data_times(X, r, j->r.V, r, j->r.features, r, NULL);
    unit = cmp_unit_rows(desk, &unit, CMP_LENGTH);
    ADV_TRY(cmp_gather(desk, &j->w));
    memcpy(j->r.features, unit.values, n * r * sizeof(mtc_real));
    all = j->o->append ? cmp_beside(desk, X, &unit) : unit;
    for (size_t i = 0; desk->status == MTC_OK && i < n; i++)
        if (known[i] >= 0) {
            y[m] = known[i];
            rows[m++] = i;
        }
    train = cmp_copy(desk, &all, 1, m, rows);
    o.classes = c;
    o.cost = j->o->cost;
    ADV_TRY(desk->status);
    ADV_TRY(mtc_svm(desk->ctx, &train, y, &o, &model));
    ADV_TRY(adv_keep(desk, model.block));
    if (!model.converged)
        return adv_refuse(desk->ctx, MTC_LIMIT, "target: scale its features");
    ADV_TRY(mtc_svm_assign(desk->ctx, &all, &train, &model, NULL,
                           j->r.scores));
    for (size_t i = n; i-- > 0; ) {
        mtc_real *f = j->r.scores + i * c;
        f[c - 1] = c == 1 ? 1 : c == 2 ? j->r.scores[i] : f[c - 1];
        f[0] = c == 2 ? -f[1] : f[0];               /* one number for both */
        j->r.labels[i] = (int)cmp_argmax_of(c, f, j->w.count + c);
    }
    return MTC_OK;
}

static mtc_status htlic_work(adv_desk *desk, void *job)
{
    htlic_job *j = (htlic_job *)job;
    size_t most = j->o->iterations;
    ADV_TRY(htlic_begin(desk, j));                              /* A1 */
    for (size_t t = 0; t < most; t++) {
        ADV_TRY(htlic_round(desk->ctx, j, &j->r.objective[t + 1]));
        ADV_TRY(adv_tick(desk->ctx, "htlic", t + 1, most));
    }
    return classify(desk, j);
}

static const char *htlic_wrong(const cmp_htlic_options *o)
{
    return o->rank == 0                    ? "rank: need 1 or more"
           : !cmp_is_real(o->lambda, 0, 1) ? "lambda: need 0..1"
           : !cmp_is_real(o->ridge, 0, (mtc_real)1e9) ? "ridge: need 0..1e9"
           : !cmp_is_real(o->cost, ADV_TINY, ADV_HUGE) ? "cost: need above 0"
                                                       : NULL;
}

mtc_status cmp_htlic(mtc_context *ctx, const mtc_data *documents,
                     size_t n_documents, const mtc_data *view1,
                     const mtc_data *view2, const mtc_data *target,
                     const int *known, const cmp_htlic_options *opt,
                     cmp_htlic_result *res)
{
    const cmp_htlic_options usual = cmp_htlic_defaults(),
                            *o = opt != NULL ? opt : &usual;
    htlic_job j = {.o = o, .w = {.sources = documents, .target = target,
                                 .n_sources = n_documents, .c = o->classes,
                                 .view = {view1, view2}, .known = known}};
    size_t some = 0;
    ADV_TRY(cmp_enter(ctx, res == NULL     ? "result"
                           : view2 == NULL ? "view 2" : htlic_wrong(o),
                      CMP_PAIRS, &j.w));
    for (size_t i = 0; known != NULL && i < target->n; i++)
        some += known[i] >= 0;
    if (some == 0)
        return cmp_check_options(ctx, "known: need labels of some target "
                                      "samples");
    j.r = (cmp_htlic_result){
        .n = target->n, .classes = o->classes, .d = target->d,
        .tags = view1->d, .iterations = o->iterations,
        .rank = o->rank < view1->d ? o->rank : view1->d};
    mtc_data start = mtc_dense(view1->d, j.r.rank, o->start);
    if (o->start != NULL)
        ADV_TRY(mtc_data_check(ctx, &start, MTC_NONE));
    return cmp_run(ctx, htlic_shape, htlic_work, &j, sizeof j.r, res);
}
