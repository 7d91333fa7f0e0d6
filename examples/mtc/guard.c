/* SPDX-License-Identifier: MIT
 *
 * guard.c - --guard and auto: who is asked, and what they say
 *
 * See mtc_guard and mtc_auto in mtc.h.
 */
#include "job.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
        keep_centers(j, t, res.d, res.centers[t]);
        j->out[t].guarded = guarded_of(j, &res, t);
    }
    report_guard(j, &res);
    keep_numbers(j, res.matched);
    if (opt->method == MTC_GUARD_MTCFIR && j->model != NULL)
        notice(j->a, "%s: graphs decided; new samples go to the nearest mean",
               j->set->save);
    if (opt->method == MTC_GUARD_MTCFIR && res.distances)
        put(j->a, &j->remarks, "the data are not sparse: mtcfir and all its "
            "voters see directions only, and the guard does not see that; "
            "`auto` goes by distances\n");
    mtc_free(j->ctx, &res.block);
}

static const char *const geometry_name[] = {"auto", "directions", "sizes",
                                            "distances"};

/* A number of the JSON, or null where it was not measured. */
static void put_measured(app *a, text *to, const char *name, int measured,
                         double value)
{
    if (measured)
        put(a, to, ", \"%s\": %.17g", name, value);
    else
        put(a, to, ", \"%s\": null", name);
}

/* JSON of task t: families, and on distances how A and B compared. */
static void report_auto_task(job *j, const mtc_auto_result *res, size_t t)
{
    app *a = j->a;
    text *to = &j->members;
    int chosen = res->geometry == MTC_GEOMETRY_DISTANCES;
    for (size_t f = 0; f < res->families; f++)
        put(a, to, "%s\"%s\": %.17g", f == 0 ? "{\"families\": {" : ", ",
            res->name[f], (double)res->by_family[t * res->families + f]);
    put(a, to, "}, \"agreement\": %.17g, \"kept\": %s",
        (double)res->agreement[t], !chosen ? "null" : res->kept[t]
        ? "\"graph\"" : "\"prototypes\"");
    put_measured(a, to, "cut_a", chosen, (double)res->cut_a[t]);
    put_measured(a, to, "cut_b", chosen, (double)res->cut_b[t]);
    put_measured(a, to, "edges_a", chosen, (double)res->edges_a[t]);
    put_measured(a, to, "edges_b", chosen, (double)res->edges_b[t]);
    put_measured(a, to, "agreement_ab", chosen, (double)res->agreement_ab[t]);
    put(a, to, "}");
}

/* The remark on task t: whose answer it is, and who agrees with it. */
static void remark_auto_task(job *j, const mtc_auto_result *res, size_t t)
{
    app *a = j->a;
    const mtc_real *ari = res->by_family + t * res->families;
    size_t best = 0, worst = 0;
    for (size_t f = 0; f < res->families; f++) {
        best = ari[f] > ari[best] ? f : best;
        worst = ari[f] < ari[worst] ? f : worst;
    }
    put(a, &j->remarks, "%s: families agree with the answer by %.2f (most "
        "%s %.2f, least %s %.2f)", j->name[t], (double)res->agreement[t],
        res->name[best], (double)ari[best], res->name[worst],
        (double)ari[worst]);
    if (res->geometry == MTC_GEOMETRY_DISTANCES)
        put(a, &j->remarks, "; by %s", res->kept[t] ? "the graph"
                                                    : "prototypes");
    put(a, &j->remarks, "\n");
    if (res->geometry == MTC_GEOMETRY_DISTANCES &&
        res->k_effective[t] > 1 &&              /* there is something to tell */
        (double)res->agreement_ab[t] < 0.5)
        warning(a, "%s: prototypes and graph contradict each other (ARI %.2f); "
                "the answer is the %s, look at both", j->name[t],
                (double)res->agreement_ab[t],
                res->kept[t] ? "graph's" : "prototypes'");
}

/* Which geometry, and whether the data hardly decide it. */
static void report_geometry(job *j, const mtc_auto_result *res)
{
    app *a = j->a;
    int asked = res->agreement_distances > -1;
    double rows = (double)res->agreement_distances;
    double unit = (double)res->agreement_directions;
    put(a, &j->members, ",\n  \"auto\": {\"geometry\": \"%s\"",
        geometry_name[res->geometry]);
    put_measured(a, &j->members, "zeros", 1, (double)res->zeros);
    put_measured(a, &j->members, "agreement_distances", asked, rows);
    put_measured(a, &j->members, "agreement_directions", asked, unit);
    put(a, &j->remarks, "geometry: %s (%.0f %% zeros",
        geometry_name[res->geometry], 100 * (double)res->zeros);
    if (asked)
        put(a, &j->remarks, "; families agree by %.2f on rows as they are, by "
            "%.2f on unit rows", rows, unit);
    put(a, &j->remarks, ")\n");
    if (asked && fabs(rows - unit - 0.15) < 0.1)
        warning(a, "size or direction of the rows: the data hardly decide; "
                "--preprocess l2 asks for directions");
}

void run_auto(job *j, size_t t)
{
    mtc_auto_options opt = mtc_auto_defaults();
    mtc_auto_result res;
    opt.clusters_of = j->k;
    opt.rich = j->set->rich;
    opt.runs = j->set->restarts;
    for (int g = MTC_GEOMETRY_AUTO; g <= MTC_GEOMETRY_DISTANCES; g++)
        if (is(j->set->geometry, geometry_name[g]))
            opt.geometry = (mtc_geometry)g;
    check_job(j, mtc_auto(j->ctx, j->data, j->n, &opt, &res), "auto");
    report_geometry(j, &res);
    for (t = 0; t < j->n; t++) {
        keep_result(j, t, res.labels[t], NULL, 0, 1, res.k_effective[t]);
        keep_centers(j, t, res.d, res.centers[t]);
        if (j->model != NULL && res.kept[t])
            notice(j->a, "%s: of %s the graph decided; new samples go to the "
                   "nearest mean", j->set->save, j->name[t]);
        put(j->a, &j->members, t == 0 ? ", \"tasks\": [\n    " : ",\n    ");
        report_auto_task(j, &res, t);
        remark_auto_task(j, &res, t);
    }
    put(j->a, &j->members, "]}");
    if (res.geometry == MTC_GEOMETRY_DIRECTIONS)
        keep_angles(j);
    keep_numbers(j, res.matched);
    mtc_free(j->ctx, &res.block);
}
