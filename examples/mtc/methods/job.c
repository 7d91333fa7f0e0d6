/* SPDX-License-Identifier: MIT
 *
 * job.c - a run of a method: its arrays, its errors, its results
 *
 * A method reads its job and fills one outcome for each task.
 */
#include "job.h"

/* Ends the program unless s is OK; names the file or task that the library
 * blames (sources count first, then bridges), else the method. */
void check_job(const job *j, mtc_status s, const char *name)
{
    const settings *set = j->set;
    size_t t = j->ctx->error.task;
    size_t targets = j->n_sources + j->n_bridges;
    const char *subject = name;
    if (t < j->n_sources)
        subject = set->source.at[t];
    else if (t < targets)
        subject = set->view1 != NULL ? set->view1
                                     : set->bridge.at[t - j->n_sources];
    else if (t != MTC_NONE && t - targets < j->n)
        subject = j->n_sources > 0 ? set->target : j->name[t - targets];
    check(j->a, j->ctx, s, subject);
}

/* The same of a call that saw the sources stacked: whose sample it was. */
void check_stacked(const job *j, mtc_status s)
{
    size_t *row = &j->ctx->error.row, i = 0;
    for (; *row != MTC_NONE && i + 1 < j->n_sources &&
           *row >= j->source[i].n; i++)
        *row -= j->source[i].n;
    check(j->a, j->ctx, s, j->set->source.at[i]);
}

/* Labels to start from, of task t and those behind it; or NULL. */
const int *const *starts_of(const job *j, size_t t)
{
    return j->start[t] != NULL ? (const int *const *)&j->start[t] : NULL;
}

/* Common ends of results: labels [n] and objective [trace] are copied, since
 * the result itself is about to be freed.  k_effective 0: counted here. */
void keep_result(job *j, size_t t, const int *labels,
                 const mtc_real *objective, size_t iterations, int converged,
                 size_t k_effective)
{
    outcome *o = &j->out[t];
    o->labels = COPY(j->a, labels, j->data[t].n, int);
    o->iterations = iterations;
    o->converged = converged;
    o->k_effective = k_effective > 0 ? k_effective
                     : count_distinct(j->a, j->data[t].n, labels);
    if (objective != NULL) {
        o->trace = iterations + 1;
        o->objective = COPY(j->a, objective, o->trace, mtc_real);
    }
}

/* Of scores [n*k] the one of each sample's label; behind keep_result. */
void keep_scores(job *j, size_t t, const mtc_real *scores)
{
    outcome *o = &j->out[t];
    o->score = TAKE(j->a, j->data[t].n, mtc_real);
    for (size_t i = 0; i < j->data[t].n; i++)
        o->score[i] = scores[i * j->k[t] + (size_t)o->labels[i]];
}

/* Is cluster z the same in every task?  matched [n] as the library has it. */
void keep_numbers(job *j, const int *matched)
{
    put(j->a, &j->members, ",\n  \"numbered\": ");
    put_ints(j->a, &j->members, j->n, matched);
}

/* Arrays for n tasks that are to be labeled. */
job new_job(app *a, mtc_context *ctx, settings *set, size_t n, size_t d)
{
    job j = {.a = a, .ctx = ctx, .set = set, .n = n, .d = d};
    j.name = TAKE(a, n, const char *);
    j.data = TAKE(a, n, mtc_data);
    j.k = TAKE(a, n, size_t);
    j.start = TAKE(a, n, int *);
    j.out = TAKE(a, n, outcome);
    return j;
}

/* Are the labels found classes, which have names, and not clusters? */
int finds_classes(const report *r)
{
    return r->classes != NULL && !r->job->separate;
}

/* The work, and how long it took; reading and writing are not in it. */
void run_job(const method *m, job *j, double *seconds)
{
    double start = now();
    for (size_t t = 1; t < j->n && m->flags & ONE_K; t++)
        if (j->k[t] != j->k[0])
            fail(j->a, BAD_USAGE, "%s has %zu clusters, %s %zu: %s needs one "
                 "number for all; give --k", j->name[0], j->k[0], j->name[t],
                 j->k[t], m->name);
    begin_model(j, m);
    int joint = (m->flags & JOINT) != 0;
    for (size_t t = 0; t < (joint ? 1 : j->n); t++) {
        if (!joint)
            progress_part(j->a, t, j->n);
        m->run(j, t);
    }
    *seconds = now() - start;
}
