/* SPDX-License-Identifier: MIT
 *
 * guard.c - sharing only where it is safe.
 *
 * Whether sharing helps cannot be known beforehand.  The guard finds out.
 *
 *   A1  a_r: R runs of k-means in each task;  b_r: the method from a_r
 *   A2  A_t = the vote of those a_r that are near the lowest loss;
 *       B_t = the vote of all b_r
 *   A3  V times, without one fold of every task: k-means (best of 5), and the
 *       method from it; then every sample gets the label of its nearest mean
 *   A4  S_a, S_b = mean ARI among these;  B_t is kept if S_b > S_a + margin,
 *       else A_t; also where a task has too few samples for folds
 *
 * Reference: none; the rule is our own.
 */
#include "panel.h"

#define GUARD_ROWS ((size_t)10)   /* samples in each cluster that folds need */
#define GUARD_STARTS ((size_t)5)  /* k-means runs within a fold */

/* Streams, by kind; and the two sides, A alone and B that shares. */
enum { GUARD_KMEANS, GUARD_METHOD, GUARD_VOTE, GUARD_FOLD, GUARD_REST };
enum { GUARD_A, GUARD_B };

typedef struct guard_job {
    const mtc_guard_options *o;
    adv_panel p;
    mtc_guard_result r;
    size_t folds;      /* V, or 0: nothing to test */
    size_t half;       /* R + V runs of A; B's are so much further on */
    mtc_real margin;
    mtc_real *losses;  /* [T*R] of A's runs */
    int **fold;        /* [T] of [n_t] number of the fold */
    int **others;      /* [T] of [n_t] labels that are not kept */
} guard_job;

mtc_guard_options mtc_guard_defaults(void)
{
    return (mtc_guard_options){.method = MTC_GUARD_MBC, .clusters = 2,
                               .runs = 10, .folds = 5, .margin = -1};
}

static void guard_shape(adv_carver *c, void *job)
{
    guard_job *j = (guard_job *)job;
    adv_panel *p = &j->p;
    mtc_guard_result *r = &j->r;
    size_t T = p->T;
    r->tasks = T;
    r->d = p->d;
    r->labels = ADV_CARVE(c, T, int *);
    r->single = adv_panel_carve_labels(c, p);
    r->shared = adv_panel_carve_labels(c, p);
    r->centers = p->centers = adv_panel_carve_centers(c, p);
    r->clusters = ADV_CARVE(c, T, size_t);
    r->k_effective = ADV_CARVE(c, T, size_t);
    r->kept = ADV_CARVE(c, T, int);
    r->matched = ADV_CARVE(c, T, int);
    r->stability_single = ADV_CARVE(c, T, mtc_real);
    r->stability_shared = ADV_CARVE(c, T, mtc_real);
    r->agreement = ADV_CARVE(c, T, mtc_real);
    r->loss_single = ADV_CARVE(c, T, mtc_real);
    r->loss_shared = ADV_CARVE(c, T, mtc_real);
}

/* Has task t enough rows for folds? */
static int guard_splits(const guard_job *j, size_t t)
{
    const adv_panel *p = &j->p;
    return j->folds > 0 && p->tasks[t].n / GUARD_ROWS >= adv_clusters(p, t);
}

/* A1: k-means in each task, and the method from it, as run i. */
static mtc_status guard_run(adv_desk *desk, guard_job *j, size_t i)
{
    const adv_panel *p = &j->p;
    size_t R = j->o->runs;
    adv_panel_call call = {.p = p, .desk = desk, .T = p->T, .X = p->tasks,
                           .run = i,
                           .stream = adv_panel_stream(GUARD_KMEANS, i, 0)};
    for (size_t t = 0; t < p->T; t++)
        ADV_TRY(adv_panel_kmeans(&call, t, &p->tasks[t], 1,
                                 &j->losses[t * R + i]));
    call.run = j->half + i;
    call.stream = adv_panel_stream(GUARD_METHOD, i, 0);
    return adv_panel_method(&call, p->method, i);
}

/* A3: fold numbers are dealt out in turn, then shuffled, so that folds differ
 * in size by one at most.  A task of too few rows is in no fold. */
static void guard_deal(guard_job *j, const mtc_context *ctx, size_t t)
{
    mtc_random rng = adv_stream(ctx, adv_panel_stream(GUARD_FOLD, 0, t));
    int *fold = j->fold[t];
    for (size_t i = 0; i < j->p.tasks[t].n; i++)
        fold[i] = guard_splits(j, t) ? (int)(i % j->folds) : -1;
    for (size_t i = j->p.tasks[t].n; i > 1; i--) {
        size_t pick = mtc_random_below(&rng, i);
        int keep = fold[i - 1];
        fold[i - 1] = fold[pick];
        fold[pick] = keep;
    }
}

/* A3: the rows of task t without fold v. */
static mtc_data guard_rest(adv_desk *desk, const guard_job *j, size_t v,
    size_t t)
{
    const mtc_data *X = &j->p.tasks[t];
    mtc_data rest = adv_rows(desk, X, X->n);
    size_t rows = desk->status == MTC_OK ? X->n : 0;
    for (size_t i = 0; i < rows; i++)
        if (j->fold[t][i] != (int)v)
            adv_add_row(X, i, &rest);
    return rest;
}

/* A3: a run on rows outside a fold now labels all rows, by the nearest mean. */
static mtc_status guard_extend(const adv_panel_call *c)
{
    const adv_panel *p = c->p;
    mtc_real *means, *share;
    ADV_REALS(c->desk, adv_mul(p->most, p->d), &means);
    ADV_REALS(c->desk, p->most, &share);
    ADV_TRY(c->desk->status);
    for (size_t t = 0; t < p->T; t++) {
        int *labels = adv_panel_run(p, t, c->run);
        mtc_kmeans_result model = {.clusters = adv_clusters(p, t), .d = p->d,
                                   .centers = means};
        c->desk->task = t;
        adv_means(&c->X[t], model.clusters, labels, means, share);
        ADV_TRY(adv_call(c->desk, 0, mtc_kmeans_assign, &p->tasks[t], &model,
                         labels));
    }
    return MTC_OK;
}

/* A3: k-means and the method on the rows outside fold v, as run R + v.  LSSMTC
 * shares more there, with half its lambda. */
static mtc_status guard_fold(adv_desk *desk, guard_job *j, size_t v)
{
    const adv_panel *p = &j->p;
    adv_method m = p->method;
    size_t from = j->o->runs + v;
    mtc_data *X = ADV_TAKE(desk, p->T, mtc_data);
    adv_panel_call call = {.p = p, .desk = desk, .T = p->T, .X = X,
                           .run = from,
                           .stream = adv_panel_stream(GUARD_REST, v, 0)};
    ADV_TRY(desk->status);
    for (size_t t = 0; t < p->T; t++) {
        X[t] = guard_rest(desk, j, v, t);
        ADV_TRY(desk->status);
        ADV_TRY(adv_panel_kmeans(&call, t, &X[t], GUARD_STARTS, NULL));
    }
    call.run = j->half + from;
    call.stream ^= p->T;  /* no task has number T */
    m.lss.lambda *= (mtc_real)0.5;
    ADV_TRY(adv_panel_method(&call, m, from));
    ADV_TRY(guard_extend(&call));
    call.run = from;  /* only now: the method started from it */
    return guard_extend(&call);
}

static mtc_status guard_item(adv_desk *desk, void *job, size_t i)
{
    guard_job *j = (guard_job *)job;
    size_t R = j->o->runs;
    ADV_TRY(adv_tick(desk->ctx, "guard", i, j->half));
    return i < R ? guard_run(desk, j, i) : guard_fold(desk, j, i - R);
}

/* A2: z [n_t], the vote of the runs of a side. */
static mtc_status guard_vote(const guard_job *j, adv_ballot *vote, size_t side,
    int *z)
{
    const mtc_real *losses = j->losses + vote->t * j->o->runs;
    adv_ballot_add(vote, side * j->half, j->o->runs, 1);
    return adv_ballot_vote(vote, vote->n, side == GUARD_A ? losses : NULL,
                           adv_panel_stream(GUARD_VOTE, side, vote->t), z);
}

/* The mean squared distance of all rows to the means of labels z, which become
 * the centers. */
static mtc_real guard_loss(const adv_ballot *vote, const int *z)
{
    const mtc_data *X = &vote->p->tasks[vote->t];
    mtc_real *means = vote->p->centers[vote->t];
    double loss = 0;
    mtc_data U = mtc_dense(vote->k, X->d, means);
    adv_means(X, vote->k, z, means, vote->share);
    for (size_t i = 0; i < X->n; i++)
        loss += (double)(mtc_data_distance(X, i, &U, (size_t)z[i]) /
                         (mtc_real)X->n);
    return (mtc_real)loss;
}

/* A4: mean ARI among the folds' labelings; -1 without folds. */
static mtc_real guard_stability(const guard_job *j, const adv_ballot *vote,
    size_t side)
{
    size_t V = j->folds, first = side * j->half + j->o->runs;
    mtc_real sum = 0;
    if (!guard_splits(j, vote->t))
        return -1;
    for (size_t e = 0; e < V; e++)
        for (size_t f = 0; f < e; f++)
            sum += adv_ballot_ari(vote, adv_ballot_run(vote, first + e), NULL,
                                  adv_ballot_run(vote, first + f));
    return sum / ((mtc_real)V * (mtc_real)(V - 1) / 2);
}

/* A2 and A4 for task t: the votes, and which is kept. */
static mtc_status guard_decide(adv_desk *desk, void *job, size_t t)
{
    guard_job *j = (guard_job *)job;
    mtc_guard_result *r = &j->r;
    int *labels[] = {r->single[t], r->shared[t]};  /* by side */
    mtc_real *loss[] = {&r->loss_single[t], &r->loss_shared[t]};
    adv_ballot vote = adv_ballot_open(&j->p, desk, t);
    desk->task = t;
    ADV_TRY(desk->status);
    ADV_TRY(guard_vote(j, &vote, GUARD_A, r->single[t]));
    ADV_TRY(guard_vote(j, &vote, GUARD_B, r->shared[t]));
    r->agreement[t] = adv_ballot_ari(&vote, r->single[t], NULL, r->shared[t]);
    r->stability_single[t] = guard_stability(j, &vote, GUARD_A);
    r->stability_shared[t] = guard_stability(j, &vote, GUARD_B);
    int kept = r->stability_shared[t] > r->stability_single[t] + j->margin;
    int other = !kept;  /* 0 is A, 1 is B */
    *loss[other] = guard_loss(&vote, labels[other]);
    *loss[kept] = guard_loss(&vote, labels[kept]);  /* last: centers stay */
    r->clusters[t] = vote.k;
    r->kept[t] = kept;
    r->labels[t] = labels[kept];
    j->others[t] = labels[other];
    r->k_effective[t] = adv_count(vote.n, labels[kept], vote.k, vote.count);
    return MTC_OK;
}

static mtc_status guard_work(adv_desk *desk, void *job)
{
    guard_job *j = (guard_job *)job;
    adv_panel *p = &j->p;
    mtc_guard_result *r = &j->r;
    size_t work = adv_panel_work(p);
    p->runs = adv_panel_labels(desk, p, p->m, SIZE_MAX);
    ADV_REALS(desk, adv_mul(p->T, j->o->runs), &j->losses);
    j->fold = adv_panel_labels(desk, p, j->folds > 0, SIZE_MAX);
    j->others = ADV_TAKE(desk, p->T, int *);
    ADV_TRY(desk->status);
    if (j->folds > 0)
        for (size_t t = 0; t < p->T; t++)
            guard_deal(j, desk->ctx, t);
    ADV_TRY(adv_share(desk, j->half, work, guard_item, j));
    ADV_TRY(adv_share(desk, p->T, work, guard_decide, j));
    return adv_panel_match(p, desk, r->labels, j->others, r->k_effective,
                           r->matched);
}

/* Refuses the method's own options before any run. */
static mtc_status guard_check_method(mtc_context *ctx, const adv_panel *p)
{
    mtc_context ask = mtc_measure();  /* the call only checks its arguments */
    mtc_mbc_result mbc;
    mtc_lssmtc_result lss;
    mtc_status s = MTC_OK;
    if (p->method.is_mbc)
        s = mtc_mbc(&ask, p->tasks, p->T, &p->method.mbc, &mbc);
    else
        s = mtc_lssmtc(&ask, p->tasks, p->T, &p->method.lss, &lss);
    if (s == MTC_NO_MEMORY || s == MTC_TOO_BIG)
        return MTC_OK;  /* it measures */
    return adv_fail(ctx, s, ask.error.what, ask.error.task, ask.error.row,
                    ask.error.column);
}

mtc_status mtc_guard(mtc_context *ctx, const mtc_data *tasks, size_t n_tasks,
    const mtc_guard_options *opt, mtc_guard_result *res)
{
    const mtc_guard_options usual = mtc_guard_defaults();
    const mtc_guard_options *o = opt != NULL ? opt : &usual;
    guard_job job = {.o = o, .folds = n_tasks > 1 ? o->folds : 0,
                     .margin = o->margin,
                     .p = {.tasks = tasks, .T = n_tasks, .sample = SIZE_MAX,
                           .clusters = o->clusters,
                           .clusters_of = o->clusters_of}};
    adv_panel *p = &job.p;
    ADV_TRY(adv_panel_begin(p, ctx, o->mbc, o->lssmtc));
    ADV_TRY(adv_require(ctx, (unsigned)o->method <= MTC_GUARD_LSSMTC,
                        "method: need a value of mtc_guard_method"));
    ADV_TRY(adv_require(ctx, o->runs >= 2, "runs: need 2 or more"));
    ADV_TRY(adv_require(ctx, o->folds >= 2 && o->folds <= INT_MAX,
                        "folds: need 2 or more"));
    ADV_TRY(adv_require(ctx, ADV_FINITE(o->margin), "margin: need a number"));
    ADV_TRY(adv_require(ctx, o->method == MTC_GUARD_MBC || p->even,
                        "clusters: LSSMTC needs one number for all"));
    p->method.is_mbc = o->method == MTC_GUARD_MBC;
    if (o->margin < 0)
        job.margin = (mtc_real)(p->method.is_mbc ? 0.025 : 0.1);
    job.half = adv_add(o->runs, job.folds);
    p->m = adv_mul(2, job.half);
    ADV_TRY(guard_check_method(ctx, p));
    return adv_result(ctx, guard_shape, guard_work, &job, res);
}

mtc_status mtc_guard_assign(mtc_context *ctx, const mtc_data *X, size_t task,
    const mtc_guard_result *res, int *labels)
{
    ADV_TRY(adv_require(ctx, res != NULL && task < res->tasks,
                        "task: need one of the result's"));
    mtc_kmeans_result model = {.clusters = res->clusters[task], .d = res->d,
                               .centers = res->centers[task]};
    return mtc_kmeans_assign(ctx, X, &model, labels);
}
