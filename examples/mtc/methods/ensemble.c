/* SPDX-License-Identifier: MIT
 *
 * ensemble.c - methods of Berikov's ensembles: ec and trec
 */
#include "job.h"

/* An ensemble and its vote as one object of the JSON. */
static void put_ensemble(job *j, const mtc_ec_result *res)
{
    app *a = j->a;
    text *t = &j->members;
    const mtc_ensemble *e = &res->ensemble;
    put(a, t, "{\"columns\": %zu, \"features\": ", e->columns);
    for (size_t r = 0; r < e->runs && e->features != NULL; r++)
        for (size_t c = 0; c < e->columns; c++)
            put(a, t, "%s%zu%s", c > 0 ? ", " : r > 0 ? ", [" : "[[",
                e->features[r * e->columns + c],
                c + 1 < e->columns ? "" : r + 1 < e->runs ? "]" : "]]");
    if (e->features == NULL)
        put(a, t, "null");
    for (size_t r = 0; r < e->runs; r++) {
        put(a, t, r == 0 ? ",\n    \"partitions\": [" : ",\n      ");
        put_ints(a, t, e->n, e->partitions + r * e->n);
    }
    put(a, t, "],\n    \"singular_values\": ");
    put_reals(a, t, res->vote.rank, res->vote.singular_values);
    put(a, t, ",\n    \"stability\": ");
    put_reals(a, t, e->n, res->vote.stability);
    put(a, t, ",\n    \"cluster_stability\": ");
    put_reals(a, t, res->vote.clusters, res->vote.cluster_stability);
    put(a, t, ",\n    \"mean_stability\": %s}",
        json_real(a, (double)res->vote.mean_stability));
}

static mtc_ec_options ensemble_options(const job *j, size_t t)
{
    mtc_ec_options opt = mtc_ec_defaults();
    opt.clusters = j->k[t];
    opt.runs = j->set->runs;
    opt.columns = j->set->columns;
    opt.restarts = j->set->restarts;
    if (j->set->iterations > 0)
        opt.iterations = j->set->iterations;
    return opt;
}

void run_ec(job *j, size_t t)
{
    mtc_ec_options opt = ensemble_options(j, t);
    mtc_ec_result res;
    opt.start_labels = j->start[t];
    check(j->a, j->ctx, mtc_ec(j->ctx, &j->data[t], &opt, &res), j->name[t]);
    keep_result(j, t, res.labels, res.vote.objective, res.vote.iterations,
                res.vote.converged, res.vote.k_effective);
    put(j->a, &j->members, t == 0 ? ",\n  \"ensemble\": [" : ",\n    ");
    put_ensemble(j, &res);
    put(j->a, &j->members, t + 1 == j->n ? "]" : "");
    mtc_free(j->ctx, &res.block);
}

/* The source's part in it, and what was moved. */
static void put_transfer(job *j, const mtc_trec_result *res)
{
    app *a = j->a;
    text *t = &j->members;
    put(a, t, ",\n  \"start\": ");
    put_ints(a, t, j->data[0].n, res->start);
    put(a, t, ",\n  \"moves\": [");
    for (size_t m = 0; m < res->iterations; m++)
        put(a, t, "%s[%zu, %d, %d]", m == 0 ? "" : ", ", res->moved[m],
            res->from[m], res->to[m]);
    put(a, t, "],\n  \"same\": ");
    put_reals(a, t, j->set->runs + 1, res->same);
    put(a, t, ",\n  \"source_pairs\": %zu,\n  \"ensemble\": ", res->pairs);
    put_ensemble(j, &res->target);
}

void run_trec(job *j, size_t t)
{
    mtc_trec_options opt = mtc_trec_defaults();
    mtc_trec_result res;
    opt.ec = ensemble_options(j, t);
    opt.meta = (mtc_meta)word_place("meta", j->set->meta);
    opt.gamma = (mtc_real)j->set->gamma;
    opt.cost = (mtc_real)j->set->cost;
    if (j->set->moves == 0)         /* with an SVM as published, else half */
        j->set->moves = opt.meta != MTC_META_PROBABILITY || j->data[t].n < 80
                            ? 40 : j->data[t].n / 2;
    opt.iterations = j->set->moves;
    opt.qmin = (mtc_real)j->set->qmin;
    opt.start_labels = j->start[t];
    mtc_status s = mtc_trec(j->ctx, &j->all_sources, j->all_labels,
                            &j->data[t], &opt, &res);
    if (j->ctx->error.task == 0)
        check_stacked(j, s);
    check(j->a, j->ctx, s, j->ctx->error.task == 1 ? j->set->target : "trec");
    keep_result(j, t, res.labels, res.objective, res.iterations,
                res.converged, res.target.vote.k_effective);
    put_transfer(j, &res);
    mtc_free(j->ctx, &res.block);
}
