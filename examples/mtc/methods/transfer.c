/* SPDX-License-Identifier: MIT
 *
 * transfer.c - methods of `transfer`: from options to calls of the library
 */
#include "job.h"

/* Trained on all sources as one set; the gap reported is the widest. */
void run_svm(job *j, size_t t)
{
    mtc_svm_options opt = mtc_svm_defaults();
    mtc_svm_result res;
    int *labels = TAKE(j->a, j->data[t].n, int);
    opt.classes = j->k[t];
    opt.kernel = (mtc_kernel)word_place("kernel", j->set->kernel);
    opt.gamma = (mtc_real)(j->set->gamma > 0 ? j->set->gamma
                                             : 1 / (double)j->d);
    opt.cost = (mtc_real)j->set->cost;
    opt.tolerance = (mtc_real)j->set->tolerance;
    opt.iterations = j->set->iterations;
    check_stacked(j, mtc_svm(j->ctx, &j->all_sources, j->all_labels, &opt,
                             &res));
    mtc_real *decision = TAKE(j->a, j->data[t].n * res.problems, mtc_real);
    check(j->a, j->ctx, mtc_svm_assign(j->ctx, &j->data[t], &j->all_sources,
                                       &res, labels, decision),
          j->set->target);
    keep_result(j, t, labels, NULL, res.iterations, res.converged, 0);
    machine made = {&j->all_sources, 1, res.problems, res.coefficients,
                    res.bias, opt.kernel == MTC_KERNEL_RBF ? res.gamma : 0, 1};
    keep_machine(j, t, &made);
    j->out[t].score = TAKE(j->a, j->data[t].n, mtc_real);
    for (size_t i = 0; i < j->data[t].n; i++) {     /* one problem: its side */
        mtc_real x = decision[i * res.problems +
                              (res.problems > 1 ? (size_t)labels[i] : 0)];
        j->out[t].score[i] = res.problems == 1 && x < 0 ? -x : x;
    }
    for (size_t p = 0; p < res.problems; p++)
        if (j->out[t].own < (double)res.gap[p])
            j->out[t].own = (double)res.gap[p];
    if (opt.kernel == MTC_KERNEL_RBF)
        j->set->gamma = (double)res.gamma;      /* as used */
    mtc_free(j->ctx, &res.block);
}

void run_lssttc(job *j, size_t t)
{
    mtc_lssmtc_options opt = shared_options(j, j->set->lambda);
    mtc_lssmtc_result res;
    opt.start_labels = starts_of(j, t);
    check_job(j, mtc_lssttc(j->ctx, j->source, j->source_labels, j->n_sources,
                            &j->data[t], &opt, &res), "lssttc");
    keep_shared(j, t, &res, j->n_sources);
    mtc_free(j->ctx, &res.block);
}

static mtc_ttl_options ttl_options(const job *j, size_t t)
{
    const settings *set = j->set;
    mtc_ttl_options opt = mtc_ttl_defaults();
    if (set->common > set->features)
        fail(j->a, BAD_USAGE, "--common %zu is more than --features %zu",
             set->common, set->features);
    opt.classes = j->k[t];
    opt.features = set->features;
    opt.common = set->common;
    opt.variant = (mtc_ttl_variant)word_place("variant.ttl", set->variant);
    opt.start = (mtc_ttl_start)word_place("start.ttl", set->start_ttl);
    opt.feature_weights = (mtc_ttl_weights)word_place("weights", set->weights);
    opt.iterations = set->iterations;
    opt.tolerance = (mtc_real)set->tolerance;
    opt.start_labels = j->start[t];
    opt.known = j->known;
    return opt;
}

/* What ttl knows beyond the common: the target's shares of classes, and the
 * labels of all bridges, one after the other. */
static void keep_ttl(job *j, const mtc_ttl_result *res)
{
    app *a = j->a;
    text *to = &j->members;
    int weighted = 0;
    for (size_t e = 0; e < res->d; e++)
        weighted |= res->weights[e] < 1;
    put(a, to, ",\n  \"weighted\": %s,\n  \"target_classes\": ",
        weighted ? "true" : "false");
    put_matrix(a, to, res->n, res->classes, res->target);
    put(a, to, ",\n  \"bridge\": {\"shared_with_source\": %zu, "
        "\"shared_with_target\": %zu,\n    \"labels\": ", res->shared[0],
        res->shared[1]);
    put_ints(a, to, res->bridge_n, res->bridge_labels);
    put(a, to, "}");
}

void run_ttl(job *j, size_t t)
{
    mtc_ttl_options opt = ttl_options(j, t);
    mtc_ttl_result res;
    check_job(j, mtc_ttl(j->ctx, j->source, j->source_labels, j->n_sources,
                         j->bridge, j->view, j->n_bridges, &j->data[t], &opt,
                         &res), "ttl");
    keep_result(j, t, res.labels, res.objective, res.iterations, res.converged,
                res.k_effective);
    keep_ttl(j, &res);
    keep_scores(j, t, res.target);
    mtc_free(j->ctx, &res.block);
}
