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
                  count_distinct(j->a, n, res->shared[t])}};
    return g;
}

/* JSON and notes for each task: what was kept, and why. */
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
        put(a, &j->notes, "%s: ", visible(a, j->name[t]));
        if (alone < 0)
            put(a, &j->notes, "%s", j->n == 1 ? "alone: there is one task"
                : "alone: too few samples to tell whether sharing is safe");
        else
            put(a, &j->notes, "%s (stability alone %.2f, shared %.2f%s)",
                res->kept[t] ? "the shared answer" : "alone", alone, shared,
                !res->kept[t] && (double)res->agreement[t] < 0.5 &&
                        fabs(alone - shared) < 0.05
                ? "; the answers differ and neither is the more stable: the "
                  "data do not decide" : "");
        put(a, &j->notes, "\n");
    }
    put(a, &j->members, "]");
}

/* The method of opt, guarded.  --restarts are the runs that vote. */
void run_guarded(job *j, mtc_guard_options *opt)
{
    mtc_guard_result res;
    if (j->start[0] != NULL)
        fail(j->a, BAD_USAGE, "--guard makes its own starts: no --init");
    if (j->set->restarts < 2)
        fail(j->a, BAD_USAGE, "--restarts 1: --guard needs 2 runs or more");
    opt->runs = j->set->restarts;
    opt->clusters_of = j->k;
    check_job(j, mtc_guard(j->ctx, j->data, j->n, opt, &res), "guard");
    for (size_t t = 0; t < j->n; t++) {
        keep_result(j, t, res.labels[t], NULL, 0, 1, res.k_effective[t]);
        keep_centers(j, t, res.d, res.centers[t]);
        j->out[t].guarded = guarded_of(j, &res, t);
    }
    report_guard(j, &res);
    keep_numbers(j, res.matched);
    mtc_free(j->ctx, &res.block);
}

static const char *const geometry_name[] = {"auto", "directions", "sizes",
                                            "distances"};

/* A number of the JSON, or null where it was not measured. */
static void put_measured(app *a, text *to, const char *name, int measured,
                         double value)
{
    put(a, to, ", \"%s\": %s", name,
        json_real(a, measured ? value : HUGE_VAL));
}

static const char *const candidate_name[MTC_AUTO_CANDIDATES] = {
    "prototypes", "graph", "tree0.1", "tree0.3", "tree0.5"};

/* Whose answer a task has: prototypes, graph or tree. */
static const char *kept_name(int kept)
{
    return kept > 1 ? "tree" : candidate_name[kept];
}

/* JSON of the candidates of task t. */
static void report_candidates(job *j, const mtc_auto_result *res, size_t t)
{
    app *a = j->a;
    text *to = &j->members;
    for (size_t c = 0; c < MTC_AUTO_CANDIDATES; c++) {
        const mtc_judged *of = &res->candidate[t * MTC_AUTO_CANDIDATES + c];
        put(a, to, "%s{\"name\": \"%s\", \"score\": %.17g, "
            "\"path\": %.17g, \"near\": %.17g, \"far\": %.17g, "
            "\"entropy\": %.17g, \"edges\": %zu, \"smallest\": %zu, \"allowed\": %s}",
            c == 0 ? ", \"candidates\": [\n      " : ",\n      ",
            candidate_name[c], (double)of->score, (double)of->path,
            (double)of->info_near, (double)of->info_far, (double)of->entropy, of->edges, of->smallest,
            of->allowed ? "true" : "false");
    }
    put(a, to, "]");
}

/* JSON of task t: families, and on distances how the candidates compared. */
static void report_auto_task(job *j, const mtc_auto_result *res, size_t t)
{
    app *a = j->a;
    text *to = &j->members;
    int chosen = res->geometry == MTC_GEOMETRY_DISTANCES;
    put(a, to, "{\"families\": {");
    for (size_t f = 0; f < res->families; f++) {
        double ari = (double)res->by_family[t * res->families + f];
        put(a, to, "%s\"%s\": %s", f == 0 ? "" : ", ", res->name[f],
            json_real(a, ari > -1 ? ari : HUGE_VAL));
    }
    put(a, to, "}, \"agreement\": %.17g, \"kept\": ",
        (double)res->agreement[t]);
    put(a, to, chosen ? "\"%s\"" : "null", kept_name(res->kept[t]));
    if (chosen)
        report_candidates(j, res, t);
    else
        put(a, to, ", \"candidates\": null");
    put_measured(a, to, "margin", chosen, (double)res->margin[t]);
    put_measured(a, to, "agreement_ab",
                 chosen && res->agreement_ab[t] > -1,
                 (double)res->agreement_ab[t]);
    put_measured(a, to, "agreement_kept", chosen,
                 (double)res->agreement_kept[t]);
    put(a, to, "}");
}

/* Is the answer of task t contradicted? */
static void doubt_families(job *j, const mtc_auto_result *res, size_t t)
{
    const char *kept = kept_name(res->kept[t]);
    int chosen = res->geometry == MTC_GEOMETRY_DISTANCES;
    if (chosen && res->k_effective[t] > 1 &&    /* there is something to tell */
        res->agreement_ab[t] > -1 &&
        ((double)res->agreement_ab[t] < 0.5 ||
         (double)res->agreement_kept[t] < 0.5))
        warn(j->a, "families-disagree", NULL,
             "%s: prototypes, graph and tree contradict one another; the "
             "answer is that of the %s; look at vote, ncut and genie, too",
             j->name[t], res->kept[t] ? kept : "prototypes");
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
    if (asked && fabs(rows - unit - 0.15) < 0.1)
        warn(a, "geometry-undecided", NULL,
             "the data hardly tell whether rows differ by size or by "
             "direction; --preprocess l2 goes by direction");
}

void run_auto(job *j, size_t t)
{
    mtc_auto_options opt = mtc_auto_defaults();
    mtc_auto_result res;
    opt.clusters_of = j->k;
    opt.runs = j->set->restarts;
    check_job(j, mtc_auto(j->ctx, j->data, j->n, &opt, &res), "auto");
    report_geometry(j, &res);
    for (t = 0; t < j->n; t++) {
        keep_result(j, t, res.labels[t], NULL, 0, 1, res.k_effective[t]);
        keep_centers(j, t, res.d, res.centers[t]);
        put(j->a, &j->members, t == 0 ? ", \"tasks\": [\n    " : ",\n    ");
        report_auto_task(j, &res, t);
        doubt_families(j, &res, t);
    }
    put(j->a, &j->members, "]}");
    if (res.geometry == MTC_GEOMETRY_DIRECTIONS)
        keep_angles(j);
    if (j->start[0] != NULL)
        keep_numbers(j, res.matched);
    mtc_free(j->ctx, &res.block);
}
