/* SPDX-License-Identifier: MIT
 *
 * compare.c - the command compare: does sharing help this data?
 *
 * Every method of `cluster` runs with its defaults, each run a trial: one
 * that cannot take this data gets a line that says why.  Rows are of a kind:
 *   single   each task by itself;
 *   pooled   k-means on all tasks as one: sharing at its plainest;
 *   shared   methods that share between tasks (`joint` in their table).
 * With truth in every file, labels are scored by it.  Without, two figures
 * stand in: `loss`, the mean squared distance to the own cluster's mean; and
 * for the methods with a guard that measures it `stability`, of the shared
 * answer and of that alone, two rows from one call: see mtc_guard.  Alone all
 * guards have the same vote of k-means, which gets one row.
 * All is repeated with other seeds: a mean and its standard error.
 */
#include "../methods/job.h"
#include "../show/summary.h"
#include "../texts/texts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FIGURES = 3 };

typedef struct estimate { double mean, error; } estimate;

/* Whose labels a row is about: the method's own, or one of the two answers
 * between which the guard of the method decides. */
typedef enum side { OWN, SHARED, ALONE } side;

/* What one run of a row came to, besides its figures. */
typedef struct attempt {
    char reason[REASON];            /* why it cannot run; "": it ran */
    double seconds;
    size_t unused[2];               /* clusters that stayed empty, at worst;
                                       of a guard [1]: of each task alone */
} attempt;

/* One row of the table. */
typedef struct contender {
    const method *method;
    int pooled;
    side side;
    attempt *run;                   /* [repeats] */
    const char *reason;             /* why it cannot run, or NULL */
    double seconds;                 /* all runs together */
    double *figure;                 /* [repeats * tasks * FIGURES] */
    estimate result[FIGURES];       /* of the means over tasks */
    size_t unused;                  /* clusters that stayed empty, at worst */
} contender;

typedef struct comparison {
    app *a;
    const settings *set;
    const tasks *all;
    int truth;
    counts k, pooled_k;             /* pooled_k.n = 0: tasks differ in k */
    contender *row;
    size_t rows, room;
} comparison;

/* A difference below this does not count, even if seeds make none. */
#define APP_MARGIN 0.005

/* The figures of a row without truth and with it; the first decides. */
static const char *const figure_name[2][FIGURES] = {
    {"stability", "loss", NULL}, {"acc", "nmi", "ari"}};

/* ---- one run ---- */

/* Labels [tasks] of [n] of data by a run of r's method, and what else came out
 * [tasks]; pointers in it are of no use afterwards. */
static void run_contender(app *a, const comparison *c, const contender *r,
                          size_t s, int **labels, outcome *out)
{
    const tasks *data = c->all;
    uint64_t seed = c->set->seed + s;
    settings set;
    task pool = {.n = 0};
    set_defaults(a, r->method->options, &set);
    set.seed = seed;
    set.pool = r->pooled;
    set.guard = r->side != OWN;
    set.k = set.pool ? c->pooled_k : c->k;
    if (set.k.n == 0)
        fail(a, BAD_USAGE, "tasks have different numbers of clusters");
    settle_cluster(a, &set, data->n);
    if (set.pool)
        pool = stack_tasks(a, data);
    mtc_context ctx = context_of(a, seed);
    job j = cluster_job(a, &ctx, &set, data, &pool);
    if (r->method->flags & SEPARATE && !set.pool)
        see_apart(&j, data);
    run_job(r->method, &j, &r->run[s].seconds);
    for (size_t i = 0, begin = 0; i < data->n; i++) {
        const int *from = j.out[set.pool ? 0 : i].labels + begin;
        memcpy(labels[i], from, data->at[i].n * sizeof *from);
        begin += set.pool ? data->at[i].n : 0;
        out[i] = j.out[set.pool ? 0 : i];
    }
}

/* The same as a trial: 1 if it ran. */
static int try_contender(app *a, const comparison *c, const contender *r,
                         size_t s, int **labels, outcome *out)
{
    trial *t = TAKE(a, 1, trial);
    a->trial = t;
    if (setjmp(t->back) == 0)
        run_contender(a, c, r, s, labels, out);
    a->trial = NULL;
    strcpy(r->run[s].reason, t->reason);
    return t->reason[0] == '\0';
}

/* ---- figures without truth ---- */

/* Mean squared distance to the own cluster's mean. */
static double local_loss(app *a, const task *t, const int *labels, size_t k)
{
    mtc_data X = view_of(t);
    mtc_real *mean = TAKE(a, k * X.d, mtc_real), *share = TAKE(a, k, mtc_real);
    mtc_data means = mtc_dense(k, X.d, mean);
    double sum = 0;
    mtc_data_means(&X, labels, k, mean, share);
    for (size_t i = 0; i < X.n; i++)
        sum += (double)mtc_data_distance(&X, i, &means, (size_t)labels[i]);
    pool_release(mean);
    pool_release(share);
    return sum / (double)X.n;
}

/* ---- rows ---- */

/* The figures of one task's labels [FIGURES]. */
static void measure_task(app *a, const comparison *c, const task *t,
                         const int *labels, size_t k, double *figure)
{
    mtc_context ctx = context_of(a, 0);
    mtc_scores s;
    if (c->truth) {
        check(a, &ctx, mtc_score(&ctx, t->n, t->truth, labels, &s), t->name);
        figure[0] = (double)s.accuracy;
        figure[1] = (double)s.nmi;
        figure[2] = (double)s.ari;
    } else {
        figure[0] = (double)NAN;                /* only guards have it */
        figure[1] = local_loss(a, t, labels, k);
    }
}

/* The figures of the s-th run of a row. */
static void measure(app *a, const comparison *c, contender *r, size_t s,
                    int **labels)
{
    const tasks *data = c->all;
    attempt *one = &r->run[s];
    for (size_t i = 0; i < data->n; i++) {
        const task *t = &data->at[i];
        size_t k = r->pooled ? c->pooled_k.at[0] : c->k.at[i];
        size_t used = count_distinct(a, t->n, labels[i]);
        if (k > used + one->unused[0] && !r->pooled)
            one->unused[0] = k - used;
        measure_task(a, c, t, labels[i], k,
                     r->figure + (s * data->n + i) * FIGURES);
    }
}

/* The same of both answers of a guard: pair[0] is the shared one, pair[1] that
 * of each task alone. */
static void measure_guard(const comparison *c, contender *pair, size_t s,
                          const outcome *out)
{
    const tasks *data = c->all;
    attempt *one = &pair->run[s];
    for (size_t i = 0; i < data->n; i++) {
        const guarded *g = &out[i].guarded;
        int measured = g->stability[0] >= 0;
        for (size_t which = 0; which < 2; which++) {
            size_t *unused = &one->unused[1 - which];
            double *figure = pair[1 - which].figure +
                             (s * data->n + i) * FIGURES;
            figure[0] = measured ? g->stability[which] : (double)NAN;
            figure[1] = g->loss[which];
            if (c->k.at[i] > g->used[which] + *unused)
                *unused = c->k.at[i] - g->used[which];
        }
    }
}

/* Mean and standard error of n numbers, `step` apart.  Differences from the
 * first keep equal numbers free of rounding. */
static estimate estimate_of(const double *x, size_t n, size_t step)
{
    estimate e = {x[0], 0};
    for (size_t i = 0; i < n; i++)
        e.mean += (x[i * step] - x[0]) / (double)n;
    for (size_t i = 0; i < n; i++)
        e.error += (x[i * step] - e.mean) * (x[i * step] - e.mean);
    e.error = n > 1 ? sqrt(e.error / (double)(n - 1) / (double)n) : 0;
    return e;
}

/* Mean over the tasks that have that figure; NaN: none has. */
static double over_tasks(const double *figure, size_t n)
{
    double sum = 0, count = 0;
    for (size_t i = 0; i < n; i++) {
        double x = figure[i * FIGURES];
        sum += x - x == 0 ? x : 0;
        count += x - x == 0;
    }
    return count > 0 ? sum / count : (double)NAN;
}

/* Adds a row; that of a task alone has its runs from the row before it. */
static void add_row(comparison *c, const method *m, int pooled, side which)
{
    size_t repeats = c->set->repeats;
    GROW(c->a, c->row, c->rows, c->room);
    contender *r = &c->row[c->rows++];
    memset(r, 0, sizeof *r);
    r->method = m;
    r->pooled = pooled;
    r->side = which;
    r->figure = TAKE(c->a, repeats * c->all->n * FIGURES, double);
    r->run = which == ALONE ? r[-1].run : TAKE(c->a, repeats, attempt);
}

/* What the row says of all its runs; it cannot run if one of them could not.
 * A guard takes its time for both answers together. */
static void sum_up(const comparison *c, contender *r)
{
    size_t n = c->all->n, repeats = c->set->repeats, alone = r->side == ALONE;
    double *mean = TAKE(c->a, repeats, double);
    for (size_t f = 0; f < FIGURES; f++) {
        for (size_t s = 0; s < repeats; s++)
            mean[s] = over_tasks(r->figure + s * n * FIGURES + f, n);
        r->result[f] = estimate_of(mean, repeats, 1);
    }
    for (size_t s = 0; s < repeats; s++) {
        const attempt *one = &r->run[s];
        r->reason = r->reason == NULL && *one->reason != '\0' ? one->reason
                                                              : r->reason;
        r->seconds += one->seconds;
        r->unused = one->unused[alone] > r->unused ? one->unused[alone]
                                                   : r->unused;
    }
    pool_release(mean);
}

/* Adds the row of a method, or the two of its guard. */
static void enter(comparison *c, const method *m, int pooled)
{
    int guard = !c->truth && !pooled && m->flags & GUARD;
    add_row(c, m, pooled, guard ? SHARED : OWN);
    if (guard)
        add_row(c, m, pooled, ALONE);
}

/* One run of one row.  The rows at the end of the table take longest, so that
 * they come first: then what is done at once ends at about the same time. */
static void contend(app *a, void *of, size_t i)
{
    comparison *c = (comparison *)of;
    size_t s = i % c->set->repeats;
    contender *r = &c->row[c->rows - 1 - i / c->set->repeats];
    void *mark = take(a, 1, 1);
    sprintf(a->working_on, "%.16s, %zu of %zu: ", r->method->name, s + 1,
            c->set->repeats);
    int **labels = TAKE(a, c->all->n, int *);
    for (size_t t = 0; t < c->all->n; t++)
        labels[t] = TAKE(a, c->all->at[t].n, int);
    outcome *out = TAKE(a, c->all->n, outcome);
    int ran = r->side != ALONE && try_contender(a, c, r, s, labels, out);
    if (ran && r->side == SHARED)
        measure_guard(c, r, s, out);
    else if (ran)
        measure(a, c, r, s, labels);
    pool_rewind(a, mark);
}

/* All runs of all rows.  Of the answers alone the first one stays. */
static void contend_all(comparison *c)
{
    size_t kept = 0, votes = 0;
    run_pieces(c->a, c->set->jobs, c->rows * c->set->repeats, contend, c);
    for (size_t i = 0; i < c->rows; i++) {
        contender *r = &c->row[i];
        sum_up(c, r);
        if (r->side == ALONE && (r->reason != NULL || votes++ > 0))
            continue;
        c->row[kept++] = *r;
    }
    c->rows = kept;
}

/* Does the method have a row among those that share, or those that do not? */
static int contends(const method *m, int joint)
{
    return is(m->kind, "cluster") && !(m->flags & JOINT) == !joint &&
           !(m->flags & COMPARED);
}

static void enter_all(comparison *c)
{
    for (int joint = 0; joint < 2; joint++) {
        for (size_t i = 0; i < n_methods; i++)
            if (contends(&methods[i], joint))
                enter(c, &methods[i], 0);
        if (joint == 0)
            enter(c, &methods[0], 1);
    }
}

/* ---- the table ---- */

/* Is it shared between tasks? */
static int shares(const contender *r)
{
    return r->side != ALONE && (r->pooled || r->method->flags & JOINT);
}

static const char *name_of(const contender *r)
{
    return r->side == ALONE ? "vote" : r->method->name;
}

static const char *kind_of(const contender *r)
{
    return r->pooled           ? "pooled"
           : r->side == SHARED ? "guard shared"
           : r->side == ALONE  ? "guard alone"
           : shares(r)         ? "shared" : "single";
}

static size_t figures_of(const comparison *c)
{
    return c->truth ? 3 : 2;
}

static void put_contender(const comparison *c, text *t, const contender *r)
{
    put(c->a, t, "%-9s %-14s", name_of(r), kind_of(r));
    if (r->reason != NULL) {
        put(c->a, t, " cannot run: %s\n", r->reason);
        return;
    }
    for (size_t f = 0; f < figures_of(c); f++) {
        estimate e = r->result[f];
        if (e.mean - e.mean == 0)
            put(c->a, t, " %10.4g %8.2g", e.mean, e.error > 1e-9 ? e.error : 0);
        else
            put(c->a, t, " %10s %8s", "-", "-");
    }
    put(c->a, t, " %8.2f", r->seconds);
    put(c->a, t, r->unused == 1 ? "  (%zu cluster empty)\n"
                 : r->unused > 0 ? "  (%zu clusters empty)\n" : "\n",
        r->unused);
}

static void put_comparison(const comparison *c, text *t)
{
    put(c->a, t, "%-9s %-14s", "method", "kind");
    for (size_t f = 0; f < figures_of(c); f++)
        put(c->a, t, " %10s %8s", figure_name[c->truth][f], "+-");
    put(c->a, t, " %8s\n", "seconds");
    for (size_t i = 0; i < c->rows; i++)
        put_contender(c, t, &c->row[i]);
}

/* ---- the verdict ---- */

/* The row with the best first figure, among those that share or not; NULL if
 * none has run.  Without truth a method that leaves clusters empty is stable
 * for the wrong reason and does not count. */
static const contender *best_of(const comparison *c, int shared)
{
    const contender *best = NULL;
    for (size_t i = 0; i < c->rows; i++) {
        const contender *r = &c->row[i];
        double x = r->result[0].mean;
        if (r->reason == NULL && x - x == 0 &&
            shares(r) == shared &&
            (c->truth || r->unused == 0) &&
            (best == NULL || x > best->result[0].mean))
            best = r;
    }
    return best;
}

/* How far apart two rows are, and how sure that is. */
static estimate difference(const contender *x, const contender *y)
{
    estimate e;
    e.mean = x->result[0].mean - y->result[0].mean;
    e.error = sqrt(x->result[0].error * x->result[0].error +
                   y->result[0].error * y->result[0].error);
    return e;
}

/* -1, 0, 1: below, within and above the noise. */
static int sign_of(estimate e)
{
    double noise = 2 * e.error > APP_MARGIN ? 2 * e.error : APP_MARGIN;
    return e.mean > noise ? 1 : e.mean < -noise ? -1 : 0;
}

/* -1, 0, 1: sharing loses, changes nothing that counts, or gains.  Without
 * truth it has to gain as much stability as the guard asks for. */
static int gain_of(const comparison *c, const contender *shared,
                   const contender *single)
{
    estimate e = difference(shared, single);
    double asked = is(shared->method->name, "lssmtc") ? 0.1 : 0.025;
    return !c->truth && e.mean > 0 && e.mean <= asked ? 0 : sign_of(e);
}

/* The answer in words. */
static const char *verdict(const comparison *c)
{
    const contender *single = best_of(c, 0), *shared = best_of(c, 1);
    const char *what = c->truth ? "accuracy" : "stability";
    text t = {NULL, 0, 0};
    if (single == NULL || shared == NULL) {
        put(c->a, &t, c->truth ? "No answer: no %s method has a result on "
            "this data." : "No answer: no stability could be measured of %s "
            "methods; a task needs ten samples for each cluster.",
            single == NULL ? "single-task" : "sharing");
        return t.at;
    }
    estimate e = difference(shared, single);
    int sign = gain_of(c, shared, single);
    put(c->a, &t, "%s: the %s of %s (%s) is %.4g, and that of the best "
        "single-task method, %s, is %.4g.  The difference is %+.4g with a "
        "standard error of %.2g%s.",
        sign > 0   ? "Sharing helps"
        : sign < 0 ? "Sharing does not help" : "No clear answer",
        what, name_of(shared), kind_of(shared),
        shared->result[0].mean, name_of(single), single->result[0].mean,
        e.mean, e.error, sign != 0        ? ""
                 : sign_of(e) == 0 ? ", which is within the noise"
                                   : ", which is less than a guard asks for");
    if (c->set->repeats < 2)
        put(c->a, &t, "  One run each says nothing of noise: try --repeats "
            "3.");
    if (!c->truth)
        put(c->a, &t, "  A stable answer need not be right; the local loss is "
            "%.4g against %.4g.", shared->result[1].mean,
            single->result[1].mean);
    return t.at;
}

/* Which method to take. */
static void put_choice(const comparison *c, text *t)
{
    const contender *single = best_of(c, 0), *shared = best_of(c, 1);
    if (single == NULL || shared == NULL)
        return;
    int sign = gain_of(c, shared, single);
    const contender *best = sign > 0 ? shared : single;
    put(c->a, t, "Take %s%s%s.  ", name_of(best),
        best->pooled ? " --pool" : best->side == SHARED ? " --guard" : "",
        sign > 0 ? "" : ", which needs no sharing");
}

/* ---- JSON ---- */

static void json_estimate(app *a, text *t, estimate e)
{
    put(a, t, "{\"mean\": %s, \"error\": %s}", json_real(a, e.mean),
        json_real(a, e.error));
}

static void json_figures(const comparison *c, text *t, const contender *r)
{
    size_t n = c->all->n;
    for (size_t f = 0; f < figures_of(c); f++) {
        put(c->a, t, ", \"%s\": ", figure_name[c->truth][f]);
        json_estimate(c->a, t, r->result[f]);
    }
    put(c->a, t, ",\n     \"tasks\": [");
    for (size_t i = 0; i < n; i++) {
        put(c->a, t, "%s{\"name\": %s", i == 0 ? "" : ", ",
            json_text(c->a, c->all->at[i].name));
        for (size_t f = 0; f < figures_of(c); f++) {
            estimate e = estimate_of(r->figure + i * FIGURES + f,
                                     c->set->repeats, n * FIGURES);
            put(c->a, t, ", \"%s\": %s", figure_name[c->truth][f],
                json_real(c->a, e.mean));
        }
        put(c->a, t, "}");
    }
    put(c->a, t, "]");
}

/* "name": which row it is, or null. */
static void json_best(const comparison *c, text *t, const char *name,
                      const contender *r)
{
    put(c->a, t, ",\n  \"%s\": ", name);
    if (r == NULL) {
        put(c->a, t, "null");
        return;
    }
    put(c->a, t, "{\"method\": \"%s\", \"kind\": \"%s\", \"%s\": %s}",
        name_of(r), kind_of(r), figure_name[c->truth][0],
        json_real(c->a, r->result[0].mean));
}

static void json_comparison(const comparison *c)
{
    app *a = c->a;
    text t = {NULL, 0, 0};
    const contender *single = best_of(c, 0), *shared = best_of(c, 1);
    json_begin(a, &t);
    put(a, &t, "\"options\": ");
    put_options(a, &t, COMPARE_OPTIONS, c->set, 1);
    put(a, &t, ",\n  \"truth\": %s,\n  \"rows\": [",
        c->truth ? "true" : "false");
    for (size_t i = 0; i < c->rows; i++) {
        const contender *r = &c->row[i];
        put(a, &t, "%s\n    {\"method\": \"%s\", \"kind\": \"%s\", "
            "\"seconds\": %.17g, \"reason\": %s", i == 0 ? "" : ",",
            name_of(r), kind_of(r), r->seconds, json_text(a, r->reason));
        if (r->reason == NULL) {
            put(a, &t, ", \"empty\": %zu", r->unused);
            json_figures(c, &t, r);
        }
        put(a, &t, "}");
    }
    put(a, &t, "]");
    json_best(c, &t, "best_single", single);
    json_best(c, &t, "best_shared", shared);
    put(a, &t, ",\n  \"difference\": ");
    if (single != NULL && shared != NULL)
        json_estimate(a, &t, difference(shared, single));
    else
        put(a, &t, "null");
    put(a, &t, ",\n  \"verdict\": %s\n}\n", json_text(a, verdict(c)));
    save(a, c->set->json, &t);
}

/* ---- the command ---- */

/* k of each task, and of all as one: the number of classes in all, or what
 * every task has. */
static void settle_counts(comparison *c)
{
    app *a = c->a;
    const tasks *all = c->all;
    size_t unknown = 0;
    c->k.n = all->n;
    c->k.at = TAKE(a, all->n, size_t);
    c->pooled_k.n = 1;
    c->pooled_k.at = TAKE(a, 1, size_t);
    for (size_t i = 0; i < all->n; i++) {
        c->k.at[i] = clusters_of(a, c->set, i, &all->at[i]);
        unknown += c->k.at[i] == 0;
    }
    size_t chosen = unknown > 0 ? choose_common(a, c->set, all) : 0;
    for (size_t i = 0; i < all->n; i++) {
        c->k.at[i] = unknown > 0 ? chosen : c->k.at[i];
        if (c->k.at[i] != c->k.at[0])
            c->pooled_k.n = 0;
    }
    c->pooled_k.at[0] = c->k.at[0];
    if (c->set->k.n == 0 && unknown == 0) {
        task pool = stack_tasks(a, all);
        c->pooled_k.n = 1;
        c->pooled_k.at[0] = count_distinct(a, pool.n, pool.truth);
        release_rows(&pool);
    }
}

/* mtc compare [options] TASK TASK... */
void run_compare(app *a, int argc, char **argv)
{
    settings set;
    text t = {NULL, 0, 0};
    words files = parse_args(a, "compare", COMPARE_OPTIONS, argc, argv, &set);
    need_operands(a, &files, set.split != NULL ? 1 : 2, SIZE_MAX,
                  "two TASK files or more, or --split");
    tasks all = load_together(a, &set, &files);
    doubt_labels(a, &set, &all);
    comparison c = {.a = a, .set = &set, .all = &all, .truth = 1};
    for (size_t i = 0; i < all.n; i++)
        c.truth &= all.at[i].truth != NULL;
    settle_counts(&c);
    enter_all(&c);
    contend_all(&c);
    if (set.json != NULL)
        json_comparison(&c);
    if (!set.quiet && !is(set.json, "-")) {
        text answer = {NULL, 0, 0};
        put_choice(&c, &answer);
        put(a, &answer, "%s", verdict(&c));
        put_wrapped(a, &t, answer.at);
        put(a, &t, "\n");
        put_comparison(&c, &t);
        save(a, "-", &t);
    }
}
