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
    cmp_smbc_result r;                  /* first: the shape is given a job */
    const mtc_data *tasks;
    const cmp_smbc_options *o;
    mtc_mbc_result h0;                  /* the start: labels and their means;
                                           these later hold (a) of B2 */
    mtc_real *points;                   /* [3*d] */
} smbc_job;

cmp_smbc_options cmp_smbc_defaults(void)
{
    return (cmp_smbc_options){.rule = CMP_POLISH, .mbc = mtc_mbc_defaults()};
}

static const char *smbc_wrong(const cmp_smbc_options *o)
{
    return o->rule != CMP_POLISH && o->rule != CMP_LITERAL
               ? "rule: need polish or literal"
           : o->mbc.start_centers != NULL ? "start_centers: need NULL"
           : o->mbc.iterations == 0       ? "iterations: need 1 or more"
                                          : NULL;
}

static void smbc_shape(cmp_carver *c, void *job)
{
    smbc_job *j = (smbc_job *)job;
    cmp_smbc_result *r = &j->r;
    size_t T = r->tasks, steps = j->o->mbc.iterations;
    r->clusters = CMP_CARVE(c, T, size_t);
    r->labels = CMP_CARVE(c, T, int *);
    r->centers = CMP_CARVE(c, T, mtc_real *);
    for (size_t t = 0; t < T; t++) {
        size_t k = j->h0.clusters[t];
        int *labels = CMP_CARVE(c, j->tasks[t].n, int);
        mtc_real *U = CMP_CARVE(c, cmp_mul(k, r->d), mtc_real);
        if (c->base == NULL)
            continue;                               /* only measured */
        r->clusters[t] = k;
        r->labels[t] = labels;
        r->centers[t] = U;
    }
    r->own_loss = CMP_CARVE(c, T, mtc_real);
    r->own_boosted = CMP_CARVE(c, T, mtc_real);
    r->own_plain = CMP_CARVE(c, T, mtc_real);
    r->boosted = CMP_CARVE(c, T, int);
    r->objective = CMP_CARVE(c, cmp_add(steps, 1), mtc_real);
    if (j->o->rule == CMP_LITERAL) {
        r->trace = CMP_CARVE(c, cmp_mul(steps, T), mtc_real);
        r->picks = CMP_CARVE(c, cmp_mul(steps, T), int);
    }
}

/* MBC of `count` tasks from task t on: from centers [count], or NULL: from
 * h0. */
static mtc_status smbc_run(mtc_context *ctx, const smbc_job *j, size_t t,
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
    return mtc_mbc(ctx, j->tasks + t, count, &o, out);
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
static mtc_status smbc_compare(mtc_context *ctx, smbc_job *j, size_t t,
                               const mtc_real *boosted, const mtc_real *plain,
                               size_t steps, int *pick)
{
    const mtc_real *from[2] = {boosted, plain};
    mtc_mbc_result run = {.iterations = 0}, end[2] = {{.iterations = 0}};
    mtc_status s = MTC_OK;
    for (int c = 0; s == MTC_OK && c < 2; c++) {
        if (steps > 0) {
            s = smbc_run(ctx, j, t, 1, from[c] != NULL ? &from[c] : NULL,
                         steps, 0, &run);
            from[c] = s == MTC_OK ? run.centers[0] : NULL;
            j->r.converged &= run.converged;
        }
        if (s == MTC_OK)
            s = smbc_run(ctx, j, t, 1, &from[c], 0, 0, &end[c]);    /* J_t */
        mtc_free(ctx, &run.block);
    }
    if (s == MTC_OK) {
        mtc_real a = j->r.own_boosted[t] = end[0].within[0];
        mtc_real b = j->r.own_plain[t] = end[1].within[0];
        *pick = steps > 0 ? !(a - b > SMBC_EQUAL * b)
                          : b - a > SMBC_EQUAL * a;
        smbc_keep(j, t, &end[!*pick], 0);
        j->r.boosted[t] |= *pick;
    }
    mtc_free(ctx, &end[1].block);
    mtc_free(ctx, &end[0].block);
    return s;
}

/* A1 to A3. */
static mtc_status smbc_polish(mtc_context *ctx, smbc_job *j)
{
    cmp_smbc_result *r = &j->r;
    const mtc_mbc_options *o = &j->o->mbc;
    mtc_mbc_result model = {.iterations = 0};
    mtc_status s = smbc_run(ctx, j, 0, r->tasks, NULL, o->iterations,
                            o->tolerance, &model);              /* A1 */
    r->converged = model.converged;
    for (size_t t = 0; s == MTC_OK && t < r->tasks; t++)
        s = smbc_compare(ctx, j, t, model.centers[t], NULL, SMBC_STEPS,
                         &r->boosted[t]);                       /* A2, A3 */
    r->iterations = model.iterations;
    if (s == MTC_OK)
        memcpy(r->objective, model.objective,
               (r->iterations + 1) * sizeof *r->objective);
    mtc_free(ctx, &model.block);
    return s;
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
    mtc_status status = MTC_OK;
    memcpy(j->h0.centers[t], step->centers[0], k * d * sizeof *sum);
    for (size_t z = 0; status == MTC_OK && B > 0 && z < k; z++) {
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
        status = mtc_mbc_centroid(ctx, &div, o->centroid, d, share + B, B,
                                  left, right, mean);
    }
    return status;
}

/* One iteration; row `it` of objective, trace and picks.  Converged: no J_t
 * moved by more than `tolerance` of the largest. */
static mtc_status smbc_iterate(mtc_context *ctx, smbc_job *j, size_t it)
{
    cmp_smbc_result *r = &j->r;
    mtc_real most = 0, moved = 0, tolerance = j->o->mbc.tolerance;
    const mtc_real *const *U = (const mtc_real *const *)r->centers;
    mtc_mbc_result model = {.iterations = 0}, step = {.iterations = 0};
    mtc_status s = smbc_run(ctx, j, 0, r->tasks, U, 0, 0, &model);  /* B1 */
    r->objective[it] = 0;
    for (size_t t = 0; s == MTC_OK && t < r->tasks; t++) {
        s = smbc_run(ctx, j, t, 1, U + t, 1, -1, &step);            /* B2 */
        if (s == MTC_OK)
            s = smbc_boost(ctx, j, t, &step, &model);
        if (s == MTC_OK)                                            /* B3 */
            s = smbc_compare(ctx, j, t, j->h0.centers[t], step.centers[0],
                             0, &r->picks[it * r->tasks + t]);
        mtc_free(ctx, &step.block);                 /* and is all 0 */
        if (s != MTC_OK)
            break;
        if (r->own_loss[t] - model.within[t] > SMBC_EQUAL * model.within[t])
            smbc_keep(j, t, &model, t);             /* both lost by rounding */
        mtc_real J = r->own_loss[t], fall = cmp_abs(model.within[t] - J);
        r->trace[it * r->tasks + t] = J;
        r->objective[it] += model.within[t];        /* before */
        r->objective[it + 1] += J;                  /* if it is the last */
        moved = fall > moved ? fall : moved;
        most = J > most ? J : most;
    }
    r->converged = tolerance >= 0 && moved <= tolerance * most;
    mtc_free(ctx, &model.block);
    return s;
}

static mtc_status smbc_literal(mtc_context *ctx, smbc_job *j)
{
    size_t most = j->o->mbc.iterations, *it = &j->r.iterations;
    mtc_status s = MTC_OK;
    for (; s == MTC_OK && !j->r.converged && *it < most; ++*it)
        if ((s = cmp_tick(ctx, "s-mbc", *it, most)) == MTC_OK)
            s = smbc_iterate(ctx, j, *it);
    return s;
}

mtc_status cmp_smbc(mtc_context *ctx, const mtc_data *tasks, size_t n_tasks,
                    const cmp_smbc_options *opt, cmp_smbc_result *res)
{
    const cmp_smbc_options usual = cmp_smbc_defaults();
    smbc_job j = {.tasks = tasks, .o = opt != NULL ? opt : &usual};
    mtc_mbc_options start = j.o->mbc;
    cmp_room room = cmp_open(ctx);
    start.iterations = 0;
    mtc_status s = cmp_check_options(ctx, res == NULL ? "result"
                                                      : smbc_wrong(j.o));
    if (s == MTC_OK)
        s = mtc_mbc(ctx, tasks, n_tasks, &start, &j.h0);
    if (s != MTC_OK)
        return cmp_close(&room, s, NULL, 0, NULL);
    j.r.d = j.h0.d;
    j.r.tasks = n_tasks;
    cmp_result(&room, smbc_shape, &j, sizeof j.r);
    j.points = CMP_TAKE(&room, cmp_mul(3, j.r.d), mtc_real);
    s = room.status;
    for (size_t t = 0; s == MTC_OK && t < n_tasks; t++)
        smbc_keep(&j, t, &j.h0, t);
    if (s == MTC_OK)
        s = j.o->rule == CMP_LITERAL ? smbc_literal(ctx, &j)
                                     : smbc_polish(ctx, &j);
    s = cmp_close(&room, s, &j.r, sizeof j.r, res);
    mtc_free(ctx, &j.h0.block);
    return s;
}
