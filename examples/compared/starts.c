/* SPDX-License-Identifier: MIT
 *
 * starts.c - what CoCC's word clusters start from, if nothing is given: k-means
 * of the words, or the classes that they are frequent in; and TriplexTL's soft
 * labels, by logistic regression; and the clusters of DMTC.
 */
#define CMP_INTERNAL
#include "compared.h"

#define WORDS_RANK 30                   /* singular directions */

typedef struct words_job {
    mtc_data X;                         /* documents, rows of length 1 */
    mtc_real *XV;                       /* [documents x rank+8] */
} words_job;

/* AV = X'X V. */
static mtc_status words_apply(void *user, size_t d, size_t p,
                              const mtc_real *V, mtc_real *AV)
{
    const words_job *j = (const words_job *)user;
    (void)d;
    mtc_data_times(&j->X, p, V, p, j->XV, p, NULL);
    mtc_data_transpose_times(&j->X, p, j->XV, p, AV, p, NULL);
    return MTC_OK;
}

/* X = U S V', its top singular directions: words are the rows of V S, to length
 * 1. */
mtc_status cmp_words_by_kmeans(adv_desk *desk, const mtc_data *sets,
                               size_t n_sets, size_t k, int *word)
{
    size_t d = sets[0].d, r = d < WORDS_RANK ? d : WORDS_RANK;
    mtc_real *V, *w;
    mtc_data all = cmp_stack(desk, sets, n_sets);
    words_job j = {.X = cmp_unit_rows(desk, &all, CMP_LENGTH)};
    ADV_REALS(desk, adv_mul(all.n, r + 8), &j.XV);
    ADV_REALS(desk, adv_mul(d, r), &V, &w);
    ADV_TRY(desk->status);
    ADV_TRY(mtc_eigen_operator(desk->ctx, d, words_apply, &j, r,
                               (mtc_real)1e-4, 0, w, V, r, NULL));
    for (size_t e = 0; e < d * r; e++)
        V[e] *= w[e % r] > 0 ? ADV_SQRT(w[e % r]) : 0;          /* V S */
    mtc_data at = mtc_dense(d, r, V);
    mtc_kmeans_options o = mtc_kmeans_defaults();
    mtc_kmeans_result km;
    at = cmp_unit_rows(desk, &at, CMP_LENGTH);
    o.clusters = k;
    o.restarts = 1;                                 /* a start, no more */
    o.iterations = 50;
    ADV_TRY(desk->status);
    ADV_TRY(mtc_kmeans(desk->ctx, &at, &o, &km));
    memcpy(word, km.labels, d * sizeof *word);
    return adv_keep(desk, km.block);
}

/* Words in the order of the class each is most frequent in, and of how much it
 * is; the order cut into k pieces.  P[c,w] = g(c,w) / max(1, g(c)) + 1e-6,
 * columns to sum 1. */
mtc_status cmp_words_by_class(adv_desk *desk, size_t d, size_t c,
                              const mtc_real *weights, size_t k, int *word)
{
    mtc_real *key = ADV_TAKE(desk, d, mtc_real), *mass, *P;
    size_t *order = ADV_TAKE(desk, d, size_t);
    size_t *spare = ADV_TAKE(desk, d, size_t);
    ADV_REALS(desk, c, &mass, &P);
    ADV_TRY(desk->status);
    for (size_t e = 0; e < d * c; e++)
        mass[e % c] += weights[e];
    for (size_t w = 0; w < d; w++) {
        mtc_real sum = 0;
        for (size_t z = 0; z < c; z++)
            sum += P[z] = weights[w * c + z] / (mass[z] > 1 ? mass[z] : 1) +
                          (mtc_real)1e-6;
        size_t best = adv_argmax(c, P);
        key[w] = (mtc_real)best + (mtc_real)0.999 * (P[best] / sum);
    }
    cmp_sort(d, key, order, spare);
    for (size_t r = 0; r < d; r++)
        word[order[r]] = (int)((uint64_t)r * k / d);
    return MTC_OK;
}

/* By the words that the sources use, rows of length 1; every class stays
 * open. */
mtc_status cmp_soft_labels(adv_desk *desk, const mtc_data *sources,
                           size_t n_sources, const int *labels,
                           const mtc_data *target, size_t classes, mtc_real *G)
{
    mtc_data S = cmp_stack(desk, sources, n_sources);
    mtc_data T = cmp_used_columns(desk, target, &S);
    mtc_logistic_options o = mtc_logistic_defaults();
    mtc_logistic_result fit;
    S = cmp_unit_rows(desk, &S, CMP_LENGTH);
    T = cmp_unit_rows(desk, &T, CMP_LENGTH);
    o.classes = classes;
    ADV_TRY(desk->status);
    if (!(mtc_dot(adv_end(&T, T.n - 1), T.values, T.values) > 0))
        return MTC_OK;
    ADV_TRY(mtc_logistic(desk->ctx, &S, labels, &o, &fit));
    ADV_TRY(adv_keep(desk, fit.block));
    ADV_TRY(mtc_logistic_assign(desk->ctx, &T, &fit, NULL, G));
    for (size_t e = 0; e < T.n * classes; e++)
        G[e] += (mtc_real)0.01 / (mtc_real)classes;
    return MTC_OK;
}

/* Without an iteration LSSMTC says what it starts from. */
mtc_status cmp_matched_labels(mtc_context *ctx, const mtc_data *tasks,
                              size_t n_tasks, size_t k,
                              const int *const *given, int *const *labels)
{
    mtc_lssmtc_options o = mtc_lssmtc_defaults();
    mtc_lssmtc_result start;
    o.clusters = k;
    o.iterations = 0;
    o.start_labels = given;
    ADV_TRY(mtc_lssmtc(ctx, tasks, n_tasks, &o, &start));
    for (size_t t = 0; t < n_tasks; t++)
        memcpy(labels[t], start.labels[t], tasks[t].n * sizeof(int));
    mtc_free(ctx, &start.block);
    return MTC_OK;
}
