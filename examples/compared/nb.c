/* SPDX-License-Identifier: MIT
 *
 * nb.c - multinomial naive Bayes: the shares of words in each class of the
 * sources, and the class that makes a document of the target most likely.
 *
 *   A1  T[c,w] = 1 + weight of w in class c             words  [d x classes]
 *   A2  words  = log T[c,w] / sum_v T[c,v],
 *       prior  = log (n_c + 1) / (n + classes)          prior  [classes]
 *   A3  scores = X words + prior;  label = argmax       scores [n x classes]
 *
 * A class without samples has equal shares and the prior of Laplace, but no
 * label: nobody taught it.
 */
#define CMP_INTERNAL
#include "compared.h"

typedef struct nb_job {
    cmp_nb_result r;
    cmp_world w;
} nb_job;

cmp_nb_options cmp_nb_defaults(void)
{
    return (cmp_nb_options){.classes = 2};
}

static void nb_shape(adv_carver *c, void *result)
{
    cmp_nb_result *r = (cmp_nb_result *)result;
    r->labels = ADV_CARVE(c, r->n, int);
    CMP_CARVE_REALS(c, adv_mul(r->n, r->classes), &r->scores);
    CMP_CARVE_REALS(c, adv_mul(r->d, r->classes), &r->words);
    CMP_CARVE_REALS(c, r->classes, &r->prior);
}

/* One pass over the stored values; documents in order, so that sums do not
 * depend on the view. */
void cmp_class_weights(const mtc_data *X, const int *labels, size_t classes,
                       mtc_real *weights)
{
    for (size_t i = 0; i < X->n; i++) {
        size_t begin = adv_begin(X, i), z = (size_t)labels[i];
        for (size_t e = begin; e < adv_end(X, i); e++)
            weights[adv_column(X, begin, e) * classes + z] += X->values[e];
    }
}

static mtc_status nb_work(adv_desk *desk, void *job)
{
    nb_job *j = (nb_job *)job;
    cmp_nb_result *r = &j->r;
    size_t c = r->classes;
    mtc_real all = (mtc_real)(j->w.u0 + c);         /* n + classes */
    mtc_real *count = ADV_TAKE(desk, c, mtc_real);
    ADV_TRY(desk->status);
    for (size_t t = 0; t < j->w.n_sources; t++) {               /* A1 */
        cmp_class_weights(&j->w.sources[t], j->w.labels[t], c, r->words);
        for (size_t i = 0; i < j->w.sources[t].n; i++)
            count[j->w.labels[t][i]]++;
        ADV_TRY(adv_tick(desk->ctx, "nb", t + 1, j->w.n_sources));
    }
    for (size_t z = 0; z < c; z++) {                            /* A2 */
        mtc_real sum = (mtc_real)r->d;
        for (size_t w = 0; w < r->d; w++)
            sum += r->words[w * c + z];
        for (size_t w = 0; w < r->d; w++)
            r->words[w * c + z] = mtc_log((r->words[w * c + z] + 1) / sum);
        r->prior[z] = mtc_log((count[z] + 1) / all);
    }
    mtc_data_times(j->w.target, c, r->words, c, r->scores, c, NULL);    /* A3 */
    for (size_t i = 0; i < r->n; i++) {
        mtc_axpy(c, 1, r->prior, r->scores + i * c);
        r->labels[i] = (int)cmp_argmax_of(c, r->scores + i * c, count);
    }
    return MTC_OK;
}

mtc_status cmp_nb(mtc_context *ctx, const mtc_data *sources,
                  const int *const *source_labels, size_t n_sources,
                  const mtc_data *target, const cmp_nb_options *opt,
                  cmp_nb_result *res)
{
    const cmp_nb_options usual = cmp_nb_defaults(),
                         *o = opt != NULL ? opt : &usual;
    nb_job j = {.w = CMP_WORLD};
    ADV_TRY(cmp_enter(ctx, res == NULL ? "result" : NULL, CMP_COUNTS, &j.w));
    j.r = (cmp_nb_result){.n = target->n, .classes = o->classes,
                          .d = target->d};
    return cmp_run(ctx, nb_shape, nb_work, &j, sizeof j.r, res);
}
