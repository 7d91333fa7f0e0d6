/* SPDX-License-Identifier: MIT
 *
 * guard.c - --guard and auto: who is asked, and what they say
 *
 * See mtc_guard and mtc_auto in mtc.h.
 */
#include "job.h"

#include <math.h>

/* --guard has defaults of its own, those it was measured with. */
void settle_guard(settings *set, double lambda, size_t iterations)
{
    if (!set->guard)
        return;
    if (!set->lambda_given)
        set->lambda = lambda;
    if (!set->iterations_given)
        set->iterations = iterations;
}

/* The guard's figures of task t. */
static guarded guarded_of(const job *j, const mtc_guard_result *res, size_t t)
{
    size_t n = j->data[t].n;
    guarded g = {{(double)res->stability_single[t],
                  (double)res->stability_shared[t]},
                 {(double)res->loss_single[t], (double)res->loss_shared[t]},
                 {count_distinct(j->a, n, res->single[t]),
                  count_distinct(j->a, n, res->shared[t])},
                 res->kept[t]};
    return g;
}

/* JSON and remarks for each task: what was kept, and why. */
static void report_guard(job *j, const mtc_guard_result *res)
{
    app *a = j->a;
    for (size_t t = 0; t < j->n; t++) {
        double alone = (double)res->stability_single[t];
        double shared = (double)res->stability_shared[t];
        const char *kept = res->kept[t] ? "shared" : "single";
        put(a, &j->members, "%s{\"stability_single\": %.17g, "
            "\"stability_shared\": %.17g, \"kept\": \"%s\", "
            "\"agreement_ab\": %.17g, \"loss_single\": %.17g, "
            "\"loss_shared\": %.17g}",
            t == 0 ? ",\n  \"guard\": [\n    " : ",\n    ", alone, shared, kept,
            (double)res->agreement[t], (double)res->loss_single[t],
            (double)res->loss_shared[t]);
        put(a, &j->remarks, "%s: ", j->name[t]);
        if (alone < 0)
            put(a, &j->remarks, "%s", res->kept[t]
                ? "the vote of both" : j->n == 1 ? "alone: there is one task"
                : "alone: too few samples to tell whether sharing is safe");
        else
            put(a, &j->remarks, "%s (stability alone %.2f, shared %.2f%s)",
                res->kept[t] ? "the shared answer" : "alone", alone, shared,
                (double)res->agreement[t] < 0.5 && fabs(alone - shared) < 0.05
                ? "; the answers differ and neither is the more stable: the "
                  "data do not decide" : "");
        put(a, &j->remarks, "\n");
    }
    put(a, &j->members, "]");
}

/* The method of opt, guarded.  --restarts are the runs that vote; mbc's 1 by
 * default means the guard's own number. */
void run_guarded(job *j, mtc_guard_options *opt)
{
    mtc_guard_result res;
    if (j->start[0] != NULL || j->set->centers.n > 0)
        fail(j->a, BAD_USAGE, "--guard makes its own starts: no %s",
             j->start[0] != NULL ? "--init" : "--centers");
    if (j->set->restarts > 1)
        opt->runs = j->set->restarts;
    else if (opt->method != MTC_GUARD_MBC)
        fail(j->a, BAD_USAGE, "--restarts 1: --guard needs 2 runs or more");
    j->set->restarts = opt->runs;               /* as used */
    opt->clusters_of = j->k;
    opt->gate = is(j->set->gate, "seeds") ? MTC_GATE_SEEDS : MTC_GATE_FOLDS;
    if (opt->method != MTC_GUARD_MTCFIR)        /* which has no gate */
        opt->folds = j->set->folds;
    if (opt->method != MTC_GUARD_MTCFIR && opt->gate == MTC_GATE_FOLDS)
        opt->margin = (mtc_real)j->set->margin;
    check_job(j, mtc_guard(j->ctx, j->data, j->n, opt, &res), "guard");
    for (size_t t = 0; t < j->n; t++) {
        keep_result(j, t, res.labels[t], NULL, 0, 1, res.k_effective[t]);
        j->out[t].guarded = guarded_of(j, &res, t);
    }
    j->apart = 1;
    report_guard(j, &res);
    mtc_free(j->ctx, &res.block);
}

/* Did sharing change anything?  In words, from the ARI between the answer and
 * the vote of the families alone. */
static const char *sharing_in_words(double ari)
{
    return ari > 0.99 ? "sharing changed nothing"
           : ari > 0.9 ? "sharing changed little"
           : ari > 0.6 ? "sharing mattered" : "sharing changed most of it";
}

static void report_auto(job *j, const mtc_auto_result *res)
{
    app *a = j->a;
    for (size_t t = 0; t < j->n; t++) {
        const mtc_real *ari = res->by_family + t * res->families;
        size_t best = 0, worst = 0;
        put(a, &j->members, t == 0 ? ",\n  \"auto\": [\n    {\"families\": {"
                                   : ",\n    {\"families\": {");
        for (size_t f = 0; f < res->families; f++) {
            put(a, &j->members, "%s\"%s\": %.17g", f == 0 ? "" : ", ",
                res->name[f], (double)ari[f]);
            best = ari[f] > ari[best] ? f : best;
            worst = ari[f] < ari[worst] ? f : worst;
        }
        put(a, &j->members, "}, \"agreement\": %.17g, \"sharing\": %.17g, "
            "\"voting\": %zu}", (double)res->agreement[t],
            (double)res->sharing[t], res->voting[t]);
        put(a, &j->remarks, "%s: families agree with the answer by %.2f (most "
            "%s %.2f, least %s %.2f)", j->name[t], (double)res->agreement[t],
            res->name[best], (double)ari[best], res->name[worst],
            (double)ari[worst]);
        if (j->n > 1)
            put(a, &j->remarks, "; %s (%.2f with those alone)",
                sharing_in_words((double)res->sharing[t]),
                (double)res->sharing[t]);
        put(a, &j->remarks, "\n");
    }
    put(a, &j->members, "]");
}

void run_auto(job *j, size_t t)
{
    mtc_auto_options opt = mtc_auto_defaults();
    mtc_auto_result res;
    (void)t;
    opt.clusters_of = j->k;
    opt.rich = j->set->rich;
    opt.runs = j->set->restarts;
    check_job(j, mtc_auto(j->ctx, j->data, j->n, &opt, &res), "auto");
    for (size_t i = 0; i < j->n; i++)
        keep_result(j, i, res.labels[i], NULL, 0, 1, res.k_effective[i]);
    report_auto(j, &res);
    mtc_free(j->ctx, &res.block);
}
