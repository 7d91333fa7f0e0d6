/* SPDX-License-Identifier: MIT
 *
 * smbc.c - S-MBC: Bregman clustering that is boosted by other tasks only where
 * a task's own loss J_t gains by it [ZZL15], on mtc_mbc.
 *
 * polish:
 *   A1  MBC from the start h0, to the end
 *   A2  for each task two candidates: plain steps (nearest centroids, means)
 *       from MBC's centroids, and from the means of h0, until labels repeat
 *   A3  the smaller J_t wins; MBC's on a tie
 * literal, from U = means of h0, in every iteration:
 *   B1  W = transport plans of U
 *   B2  task by task, later ones see the new U of earlier ones: labels of U_t;
 *       from them (a) MBC's centroids and (b) means
 *   B3  the smaller J_t wins; the means on a tie.  U_t stays where rounding, on
 *       data of extreme range, makes both worse
 *
 *   U_t  r.centers[t]  K_t x d        W  model.plans  [T*T] of K_t x K_s
 *
 * Plain steps are MBC of one task: mtc_mbc does them, with an empty cluster
 * left where it is.  With no step at all it says the labels and J_t of given
 * centroids, and the plans; and it checks what is given.
 *
 * Reconstructed: [ZZL15] describe the idea only.  The sequence and the rule
 *   `polish` are ours, and so is "equal": within 1e-9.
 */
#define CMP_INTERNAL
#include "compared.h"

#define SMBC_STEPS 10000                /* plain ones: more than it takes */
#define SMBC_EQUAL (sizeof(mtc_real) == 8 ? (mtc_real)1e-9 : (mtc_real)1e-5)

typedef struct smbc_job {
    cmp_smbc_result r;
    const mtc_data *tasks;
    const cmp_smbc_options *o;
    mtc_mbc_result h0;                  /* the start: labels and their means;
                                           these later hold (a) of B2 */
    mtc_real *points;                   /* [3*d] */
} smbc_job;

cmp_smbc_options cmp_smbc_defaults(void)
{
    cmp_smbc_options o = {.rule = CMP_POLISH, .mbc = mtc_mbc_defaults()};
    o.mbc.restarts = 1;
    return o;
}

static const char *smbc_wrong(const cmp_smbc_options *o)
{
    return o->rule != CMP_POLISH && o->rule != CMP_LITERAL
               ? "rule: need polish or literal"
           : o->mbc.start_centers != NULL ? "start_centers: need NULL"
           : o->mbc.iterations == 0       ? "iterations: need 1 or more"
                                          : NULL;
}

static void smbc_shape(adv_carver *c, void *job)
{
    smbc_job *j = (smbc_job *)job;
    cmp_smbc_result *r = &j->r;
    const mtc_mbc_options *o = &j->o->mbc;
    size_t T = r->tasks, rows = adv_mul(o->iterations, T);
    r->clusters = ADV_CARVE(c, T, size_t);
    r->labels = cmp_carve_labels(c, j->tasks, T);
    r->centers = ADV_CARVE(c, T, mtc_real *);
    for (size_t t = 0; t < T; t++) {
        size_t k = cmp_clusters(o->clusters, o->clusters_of, t);
        mtc_real *U = ADV_CARVE(c, adv_mul(k, r->d), mtc_real);
        if (c->base != NULL) {                      /* not while measuring */
            r->clusters[t] = k;
            r->centers[t] = U;
        }
    }
    CMP_CARVE_REALS(c, T, &r->own_loss, &r->own_boosted, &r->own_plain);
    CMP_CARVE_REALS(c, adv_add(o->iterations, 1), &r->objective);
    r->boosted = ADV_CARVE(c, T, int);
    if (j->o->rule == CMP_LITERAL) {
        r->trace = ADV_CARVE(c, rows, mtc_real);
        r->picks = ADV_CARVE(c, rows, int);
    }
}

/* MBC of `count` tasks from task t on: from centers [count], or NULL: from h0.
 * The model is the desk's. */
static mtc_status smbc_run(adv_desk *desk, const smbc_job *j, size_t t,
                           size_t count, const mtc_real *const *centers,
                           size_t steps, mtc_real tolerance,
                           mtc_mbc_result *out)
{
    mtc_mbc_options o = j->o->mbc;
    o.clusters_of = j->r.clusters + t;
    o.iterations = steps;
    o.tolerance = tolerance;
    o.start_labels = centers == NULL ? (const int *const *)j->h0.labels + t
                                     : NULL;
    o.start_centers = centers;
    ADV_TRY(mtc_mbc(desk->ctx, j->tasks + t, count, &o, out));
    return adv_keep(desk, out->block);
}

/* Centroids, labels and J_t of task t become those of task `at` in m. */
static void smbc_keep(smbc_job *j, size_t t, const mtc_mbc_result *m,
                      size_t at)
{
    size_t cells = j->r.clusters[t] * j->r.d;
    memcpy(j->r.labels[t], m->labels[at], j->tasks[t].n * sizeof(int));
    memcpy(j->r.centers[t], m->centers[at], cells * sizeof(mtc_real));
    j->r.own_loss[t] = m->within[at];
}

/* Candidates `boosted` and `plain` by their centroids, NULL meaning h0, after
 * up to `steps` plain steps each, which end when the loss stays; J_t and labels
 * are those of the last centroids.  The winner is kept; *pick is 1 where it is
 * the boosted one, as on a tie after steps. */
static mtc_status smbc_compare(adv_desk *desk, smbc_job *j, size_t t,
                               const mtc_real *boosted, const mtc_real *plain,
                               size_t steps, int *pick)
{
    union adv_piece *mark = desk->last;
    const mtc_real *from[2] = {boosted, plain};
    mtc_mbc_result run, end[2];
    for (int c = 0; c < 2; c++) {
        if (steps > 0) {
            ADV_TRY(smbc_run(desk, j, t, 1, from[c] != NULL ? &from[c] : NULL,
                             steps, 0, &run));
            from[c] = run.centers[0];
            j->r.converged &= run.converged;
        }
        ADV_TRY(smbc_run(desk, j, t, 1, &from[c], 0, 0, &end[c]));  /* J_t */
    }
    mtc_real a = j->r.own_boosted[t] = end[0].within[0];
    mtc_real b = j->r.own_plain[t] = end[1].within[0];
    *pick = steps > 0 ? !(a - b > SMBC_EQUAL * b) : b - a > SMBC_EQUAL * a;
    smbc_keep(j, t, &end[!*pick], 0);
    j->r.boosted[t] |= *pick;
    adv_release(desk, mark);
    return MTC_OK;
}

/* A1 to A3. */
static mtc_status smbc_polish(adv_desk *desk, smbc_job *j)
{
    cmp_smbc_result *r = &j->r;
    const mtc_mbc_options *o = &j->o->mbc;
    mtc_mbc_result model;
    ADV_TRY(smbc_run(desk, j, 0, r->tasks, NULL, o->iterations, o->tolerance,
                     &model));                                  /* A1 */
    r->converged = model.converged;
    r->iterations = model.iterations;
    memcpy(r->objective, model.objective,
           (r->iterations + 1) * sizeof *r->objective);
    for (size_t t = 0; t < r->tasks; t++)
        ADV_TRY(smbc_compare(desk, j, t, model.centers[t], NULL, SMBC_STEPS,
                             &r->boosted[t]));                  /* A2, A3 */
    return MTC_OK;
}

/* h0.centers[t] = MBC's centroids from the labels and means of `step`, the
 * plans of `model` and the newest centroids: [ZZ10] (14), A = n_z/n_t + B,
 * B = lambda / K_t.  mu_L: mean, of the cluster and of the centroids that W
 * brings to it; mu_R: the mean, by gradients, of those that W takes it to. */
static mtc_status smbc_boost(mtc_context *ctx, smbc_job *j, size_t t,
                             const mtc_mbc_result *step,
                             const mtc_mbc_result *model)
{
    const mtc_mbc_options *o = &j->o->mbc;
    mtc_divergence div = o->divergence != NULL ? *o->divergence
                                               : mtc_sqeuclidean();
    size_t T = j->r.tasks, k = j->r.clusters[t], n = j->tasks[t].n, d = j->r.d;
    mtc_real B = T > 1 ? o->lambda / (mtc_real)k : 0;
    mtc_real *left = j->points, *right = left + d, *sum = right + d;
    memcpy(j->h0.centers[t], step->centers[0], k * d * sizeof *sum);
    for (size_t z = 0; B > 0 && z < k; z++) {
        mtc_real scale = (mtc_real)k / (mtc_real)(T - 1);   /* sums are 1 */
        mtc_real *mean = j->h0.centers[t] + z * d, share = 0;
        memset(left, 0, d * sizeof *left);
        memset(sum, 0, d * sizeof *sum);
        for (size_t i = 0; i < n; i++)                      /* n_z / n_t */
            share += step->labels[0][i] == (int)z ? 1 / (mtc_real)n : 0;
        for (size_t s = 0; s < T; s++)
            for (size_t l = 0, m = j->r.clusters[s]; s != t && l < m; l++) {
                const mtc_real *u = j->r.centers[s] + l * d;
                mtc_axpy(d, scale * model->plans[s * T + t][l * k + z], u,
                         left);
                div.gradient(div.user, d, u, right);
                mtc_axpy(d, scale * model->plans[t * T + s][z * m + l], right,
                         sum);
            }
        div.inverse(div.user, d, sum, right);               /* mu_R */
        mtc_real own = share / (share + B);
        for (size_t e = 0; e < d; e++)                      /* mu_L */
            left[e] = own * mean[e] + (1 - own) * left[e];
        ADV_TRY(mtc_mbc_centroid(ctx, &div, o->centroid, d, share + B, B, left,
                                 right, mean));
    }
    return MTC_OK;
}

/* One iteration; row `it` of objective, trace and picks.  Converged: no J_t
 * moved by more than `tolerance` of the largest, in float not below what the
 * rounding of a sum moves. */
static mtc_status smbc_iterate(adv_desk *desk, smbc_job *j, size_t it)
{
    cmp_smbc_result *r = &j->r;
    union adv_piece *mark = desk->last;
    mtc_real most = 0, moved = 0, tolerance = j->o->mbc.tolerance;
    const mtc_real digits = sizeof(mtc_real) == 8 ? 0 : (mtc_real)1e-6;
    const mtc_real *const *U = (const mtc_real *const *)r->centers;
    mtc_mbc_result model, step;
    ADV_TRY(smbc_run(desk, j, 0, r->tasks, U, 0, 0, &model));       /* B1 */
    r->objective[it] = 0;
    for (size_t t = 0; t < r->tasks; t++) {
        ADV_TRY(smbc_run(desk, j, t, 1, U + t, 1, -1, &step));      /* B2 */
        ADV_TRY(smbc_boost(desk->ctx, j, t, &step, &model));
        ADV_TRY(smbc_compare(desk, j, t, j->h0.centers[t], step.centers[0], 0,
                             &r->picks[it * r->tasks + t]));        /* B3 */
        if (r->own_loss[t] - model.within[t] > SMBC_EQUAL * model.within[t])
            smbc_keep(j, t, &model, t);             /* both lost by rounding */
        mtc_real J = r->own_loss[t], fall = cmp_abs(model.within[t] - J);
        r->trace[it * r->tasks + t] = J;
        r->objective[it] += model.within[t];        /* before */
        r->objective[it + 1] += J;                  /* if it is the last */
        moved = fall > moved ? fall : moved;
        most = J > most ? J : most;
    }
    mtc_real near = tolerance > digits ? tolerance : digits;
    r->converged = tolerance >= 0 && moved <= near * most;
    adv_release(desk, mark);
    return MTC_OK;
}

static mtc_status smbc_work(adv_desk *desk, void *job)
{
    smbc_job *j = (smbc_job *)job;
    mtc_mbc_options start = j->o->mbc;
    size_t most = start.iterations, *it = &j->r.iterations;
    start.iterations = 0;
    ADV_TRY(mtc_mbc(desk->ctx, j->tasks, j->r.tasks, &start, &j->h0));
    ADV_TRY(adv_keep(desk, j->h0.block));
    ADV_REALS(desk, adv_mul(3, j->r.d), &j->points);
    ADV_TRY(desk->status);
    for (size_t t = 0; t < j->r.tasks; t++)
        smbc_keep(j, t, &j->h0, t);
    if (j->o->rule == CMP_POLISH)
        return smbc_polish(desk, j);
    for (; !j->r.converged && *it < most; ++*it) {
        ADV_TRY(adv_tick(desk->ctx, "s-mbc", *it, most));
        ADV_TRY(smbc_iterate(desk, j, *it));
    }
    return MTC_OK;
}

mtc_status cmp_smbc(mtc_context *ctx, const mtc_data *tasks, size_t n_tasks,
                    const cmp_smbc_options *opt, cmp_smbc_result *res)
{
    const cmp_smbc_options usual = cmp_smbc_defaults(),
                           *o = opt != NULL ? opt : &usual;
    smbc_job j = {.tasks = tasks, .o = o, .r = {.tasks = n_tasks}};
    ADV_TRY(cmp_check_tasks(ctx, res == NULL ? "result" : smbc_wrong(o), tasks,
                            n_tasks, o->mbc.clusters, o->mbc.clusters_of,
                            NULL));
    j.r.d = tasks[0].d;
    return cmp_run(ctx, smbc_shape, smbc_work, &j, sizeof j.r, res);
}
