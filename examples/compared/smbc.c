/* SPDX-License-Identifier: MIT
 *
 * smbc.c - S-MBC: Bregman clustering that is boosted by other tasks only where
 * a task's own loss gains by it [ZZL15], on mtc_mbc.
 *
 *   J_t = 1/n_t sum_i d(x_i || u_h(i)),  h(i) the nearest centroid
 *
 * polish:
 *   A1  MBC from the start h0, to the end
 *   A2  for each task two candidates: plain steps (nearest centroids, means)
 *       from MBC's centroids, and plain steps from the means of h0, until the
 *       labels repeat
 *   A3  the smaller J_t wins; MBC's on a tie
 * literal, from U = means of h0, in every iteration:
 *   B1  W = transport plans of U
 *   B2  task by task, later ones see the new U of earlier ones: labels of U_t;
 *       from them (a) MBC's centroids and (b) means
 *   B3  the smaller J_t wins; the means on a tie.  U_t stays where rounding, on
 *       data of extreme range, makes both worse
 *
 *   U_t  r.centers[t]  K_t x d        h0  r.labels[t]  [n_t], at first
 *   W    model.plans   [T*T] of K_t x K_s
 *   mu_L, mu_R  left, right  [d], the two points of [ZZ10] (14)
 *
 * Plain steps are MBC of one task: mtc_mbc does them, with an empty cluster
 * left where it is.  With no step at all it says the labels and J_t of given
 * centroids, and the plans.
 *
 * Reconstructed: [ZZL15] describe the idea only.  The sequence and the rule
 *   `polish` are ours, and so is "equal": within 1e-9.
 * Cost: two MBC runs (polish).  Memory O(K d) beside mtc_mbc's.
 */
#define CMP_INTERNAL
#include "compared.h"

#define SMBC_STEPS 10000                /* plain ones: more than it takes */
#define SMBC_EQUAL (sizeof(mtc_real) == 8 ? (mtc_real)1e-9 : (mtc_real)1e-5)

typedef struct smbc_job {
    cmp_smbc_result r;                  /* first: the shape is given a job */
    const mtc_data *tasks;
    const cmp_smbc_options *o;
    mtc_divergence div;
    mtc_real *boosted;                  /* [K*d] candidate of B2 */
    mtc_real *share;                    /* [K] n_z / n_t */
    mtc_real *left, *right, *spare;     /* [d] */
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

/* K_t. */
static size_t smbc_clusters(const smbc_job *j, size_t t)
{
    const mtc_mbc_options *o = &j->o->mbc;
    return o->clusters_of != NULL ? o->clusters_of[t] : o->clusters;
}

static void smbc_shape(cmp_carver *c, void *job)
{
    smbc_job *j = (smbc_job *)job;
    cmp_smbc_result *r = &j->r;
    size_t T = r->tasks, most = j->o->mbc.iterations;
    r->clusters = CMP_CARVE(c, T, size_t);
    r->labels = CMP_CARVE(c, T, int *);
    r->centers = CMP_CARVE(c, T, mtc_real *);
    for (size_t t = 0; t < T; t++) {
        size_t k = smbc_clusters(j, t);
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
    r->objective = CMP_CARVE(c, cmp_add(most, 1), mtc_real);
    if (j->o->rule == CMP_LITERAL) {
        r->trace = CMP_CARVE(c, cmp_mul(most, T), mtc_real);
        r->picks = CMP_CARVE(c, cmp_mul(most, T), int);
    }
}

/* ---- candidates -------------------------------------------------------- */

/* All tasks together from given centroids, or NULL: from h0. */
static mtc_status smbc_together(mtc_context *ctx, const smbc_job *j,
                                mtc_real *const *centers, size_t iterations,
                                mtc_mbc_result *out)
{
    mtc_mbc_options o = j->o->mbc;
    o.iterations = iterations;
    o.start_labels = centers == NULL ? (const int *const *)j->r.labels : NULL;
    o.start_centers = (const mtc_real *const *)centers;
    return mtc_mbc(ctx, j->tasks, j->r.tasks, &o, out);
}

/* Task t by itself, plain steps from given centroids, or NULL: from h0.  One
 * step is done whatever it gains; more end when the loss stays, as it does
 * when labels repeat. */
static mtc_status smbc_alone(mtc_context *ctx, const smbc_job *j, size_t t,
                             const mtc_real *centers, size_t steps,
                             mtc_mbc_result *out)
{
    mtc_mbc_options o = j->o->mbc;
    const int *labels = j->r.labels[t];
    o.clusters = j->r.clusters[t];
    o.clusters_of = NULL;
    o.iterations = steps;
    o.tolerance = steps > 1 ? 0 : -1;               /* until it stays */
    o.start_labels = centers == NULL ? &labels : NULL;
    o.start_centers = centers != NULL ? &centers : NULL;
    return mtc_mbc(ctx, &j->tasks[t], 1, &o, out);
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

/* Candidate `a` (boosted) or `b` (plain) for task t?  `tie` is 1 where equal
 * losses count for a.  The winner is kept. */
static int smbc_choose(smbc_job *j, size_t t, const mtc_mbc_result *a,
                       const mtc_mbc_result *b, int tie)
{
    cmp_smbc_result *r = &j->r;
    mtc_real Ja = a->within[0], Jb = b->within[0];
    int boosted = tie ? !(Ja - Jb > SMBC_EQUAL * Jb)    /* a, or equal */
                      : Jb - Ja > SMBC_EQUAL * Ja;
    smbc_keep(j, t, boosted ? a : b, 0);
    r->own_boosted[t] = Ja;
    r->own_plain[t] = Jb;
    r->boosted[t] |= boosted;
    return boosted;
}

/* Both candidates by their centroids, NULL meaning h0, after up to `steps`
 * plain steps each; J_t and labels are those of the last centroids. */
static mtc_status smbc_compare(mtc_context *ctx, smbc_job *j, size_t t,
                               const mtc_real *boosted, const mtc_real *plain,
                               size_t steps, int tie, int *pick)
{
    const mtc_real *from[2] = {boosted, plain};
    mtc_mbc_result run = {.iterations = 0}, end[2] = {{.iterations = 0}};
    mtc_status s = MTC_OK;
    for (int c = 0; s == MTC_OK && c < 2; c++) {
        if (steps > 0) {
            s = smbc_alone(ctx, j, t, from[c], steps, &run);
            from[c] = s == MTC_OK ? run.centers[0] : NULL;
            j->r.converged &= run.converged;
        }
        if (s == MTC_OK)
            s = smbc_alone(ctx, j, t, from[c], 0, &end[c]); /* J_t */
        mtc_free(ctx, &run.block);
    }
    if (s == MTC_OK)
        *pick = smbc_choose(j, t, &end[0], &end[1], tie);
    mtc_free(ctx, &end[1].block);
    mtc_free(ctx, &end[0].block);
    return s;
}

/* ---- polish ------------------------------------------------------------ */

/* r.labels holds h0 of a task until its candidates are compared. */
static mtc_status smbc_polish(mtc_context *ctx, smbc_job *j)
{
    cmp_smbc_result *r = &j->r;
    mtc_mbc_result model = {.iterations = 0};
    mtc_status s = smbc_together(ctx, j, NULL, j->o->mbc.iterations,
                                 &model);                       /* A1 */
    int pick;
    r->converged = model.converged;
    for (size_t t = 0; s == MTC_OK && t < r->tasks; t++)
        s = smbc_compare(ctx, j, t, model.centers[t], NULL, SMBC_STEPS, 1,
                         &pick);                                /* A2, A3 */
    if (s == MTC_OK) {
        r->iterations = model.iterations;
        memcpy(r->objective, model.objective,
               (r->iterations + 1) * sizeof *r->objective);
    }
    mtc_free(ctx, &model.block);
    return s;
}

/* ---- literal ----------------------------------------------------------- */

/* left = mean of the other tasks' centroids that W brings to cluster z of
 * task t; right = the mean, by gradients, of those that W takes it to. */
static void smbc_partners(smbc_job *j, size_t t, size_t z,
                          const mtc_mbc_result *model)
{
    size_t T = j->r.tasks, d = j->r.d, k = j->r.clusters[t];
    mtc_real scale = (mtc_real)k / (mtc_real)(T - 1);   /* weights sum to 1 */
    memset(j->left, 0, d * sizeof *j->left);
    memset(j->right, 0, d * sizeof *j->right);
    for (size_t s = 0; s < T; s++)
        for (size_t l = 0; s != t && l < j->r.clusters[s]; l++) {
            const mtc_real *u = j->r.centers[s] + l * d;
            mtc_real in = model->plans[s * T + t][l * k + z];
            mtc_real out = model->plans[t * T + s][z * j->r.clusters[s] + l];
            mtc_axpy(d, scale * in, u, j->left);        /* W^st */
            j->div.gradient(j->div.user, d, u, j->spare);
            mtc_axpy(d, scale * out, j->spare, j->right);   /* W^ts */
        }
    memcpy(j->spare, j->right, d * sizeof *j->spare);   /* mean gradient */
    j->div.inverse(j->div.user, d, j->spare, j->right);
}

/* boosted = MBC's centroids of task t from the labels and means of `step`, the
 * plans of `model` and the newest centroids: [ZZ10] (14) with A = n_z/n_t + B,
 * B = lambda / K_t. */
static mtc_status smbc_boost(mtc_context *ctx, smbc_job *j, size_t t,
                             const mtc_mbc_result *step,
                             const mtc_mbc_result *model)
{
    size_t d = j->r.d, k = j->r.clusters[t], n = j->tasks[t].n;
    mtc_real B = j->r.tasks > 1 ? j->o->mbc.lambda / (mtc_real)k : 0;
    mtc_status s = MTC_OK;
    memset(j->share, 0, k * sizeof *j->share);
    for (size_t i = 0; i < n; i++)
        j->share[step->labels[0][i]] += 1 / (mtc_real)n;    /* n_z / n_t */
    memcpy(j->boosted, step->centers[0], k * d * sizeof *j->boosted);
    for (size_t z = 0; s == MTC_OK && B > 0 && z < k; z++) {
        mtc_real own = j->share[z] / (j->share[z] + B);
        mtc_real *u = j->boosted + z * d;           /* the mean so far */
        smbc_partners(j, t, z, model);              /* left, mu_R */
        for (size_t e = 0; e < d; e++)              /* mu_L */
            j->left[e] = own * u[e] + (1 - own) * j->left[e];
        s = mtc_mbc_centroid(ctx, &j->div, j->o->mbc.centroid, d,
                             j->share[z] + B, B, j->left, j->right, u);
    }
    return s;
}

/* One iteration; row `it` of objective, trace and picks.  1 in *done: no J_t
 * moved by more than `tolerance` of the largest. */
static mtc_status smbc_iterate(mtc_context *ctx, smbc_job *j, size_t it,
                               int *done)
{
    cmp_smbc_result *r = &j->r;
    mtc_real most = 0, moved = 0;
    mtc_mbc_result model = {.iterations = 0}, step = {.iterations = 0};
    mtc_status s = smbc_together(ctx, j, r->centers, 0, &model);    /* B1 */
    for (size_t t = 0; s == MTC_OK && t < r->tasks; t++) {
        s = smbc_alone(ctx, j, t, r->centers[t], 1, &step);         /* B2 */
        if (s == MTC_OK)
            s = smbc_boost(ctx, j, t, &step, &model);
        if (s == MTC_OK)                                            /* B3 */
            s = smbc_compare(ctx, j, t, j->boosted, step.centers[0], 0, 0,
                             &r->picks[it * r->tasks + t]);
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
    *done = j->o->mbc.tolerance >= 0 && moved <= j->o->mbc.tolerance * most;
    mtc_free(ctx, &model.block);
    return s;
}

/* B1 to B3 from the means of h0, until nothing moves. */
static mtc_status smbc_literal(mtc_context *ctx, smbc_job *j)
{
    cmp_smbc_result *r = &j->r;
    size_t most = j->o->mbc.iterations;
    mtc_status s = MTC_OK;
    for (r->converged = 0; s == MTC_OK && !r->converged &&
                           r->iterations < most; r->iterations++) {
        r->objective[r->iterations] = 0;
        if ((s = cmp_tick(ctx, "s-mbc", r->iterations, most)) == MTC_OK)
            s = smbc_iterate(ctx, j, r->iterations, &r->converged);
    }
    return s;
}

/* h0, given or mtc_mbc's own seeds, and its means; and on from there. */
static mtc_status smbc_work(mtc_context *ctx, smbc_job *j)
{
    mtc_mbc_options o = j->o->mbc;
    mtc_mbc_result first = {.iterations = 0};
    o.iterations = 0;                               /* the start only */
    mtc_status s = mtc_mbc(ctx, j->tasks, j->r.tasks, &o, &first);
    for (size_t t = 0; s == MTC_OK && t < j->r.tasks; t++)
        smbc_keep(j, t, &first, t);
    mtc_free(ctx, &first.block);
    return s != MTC_OK                 ? s
           : j->o->rule == CMP_LITERAL ? smbc_literal(ctx, j)
                                       : smbc_polish(ctx, j);
}

mtc_status cmp_smbc(mtc_context *ctx, const mtc_data *tasks, size_t n_tasks,
                    const cmp_smbc_options *opt, cmp_smbc_result *res)
{
    const cmp_smbc_options usual = cmp_smbc_defaults();
    const cmp_smbc_options *o = opt != NULL ? opt : &usual;
    mtc_status s = cmp_check_options(ctx, res == NULL ? "result"
                                                      : smbc_wrong(o));
    if (s == MTC_OK)
        s = cmp_check_sets(ctx, tasks, n_tasks);
    if (s != MTC_OK)
        return s;
    cmp_room room = cmp_open(ctx);
    smbc_job j = {.tasks = tasks, .o = o};
    size_t d = j.r.d = tasks[0].d, most = 1;
    j.r.tasks = n_tasks;
    j.div = o->mbc.divergence != NULL ? *o->mbc.divergence
                                      : mtc_sqeuclidean();
    for (size_t t = 0; t < n_tasks; t++) {
        size_t k = smbc_clusters(&j, t);
        if (k == 0 || k > tasks[t].n)
            return cmp_fail(ctx, MTC_INVALID, "clusters: need 1..n", t,
                            MTC_NONE, MTC_NONE);
        most = k > most ? k : most;
    }
    cmp_result(&room, smbc_shape, &j, sizeof j.r);
    j.boosted = CMP_TAKE(&room, cmp_mul(most, d), mtc_real);
    j.share = CMP_TAKE(&room, most, mtc_real);
    mtc_real **point[] = {&j.left, &j.right, &j.spare};
    for (size_t i = 0; i < 3; i++)
        *point[i] = CMP_TAKE(&room, d, mtc_real);
    if ((s = room.status) == MTC_OK)
        s = smbc_work(ctx, &j);
    return cmp_close(&room, s, &j.r, sizeof j.r, res);
}
