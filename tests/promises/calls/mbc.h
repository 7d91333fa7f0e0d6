/* SPDX-License-Identifier: MIT
 * A part of calls.h. */
/* ---- MBC --------------------------------------------------------------- */

/* KL by functions of the caller's own: no closed form is known for it. */
static mtc_real own_value(const void *user, size_t d, const mtc_real *x,
                          const mtc_real *y)
{
    mtc_real sum = 0;
    (void)user;
    for (size_t j = 0; j < d; j++)
        sum += x[j] * (mtc_log(x[j]) - mtc_log(y[j])) - x[j] + y[j];
    return sum > 0 ? sum : 0;
}

static void own_gradient(const void *user, size_t d, const mtc_real *x,
                         mtc_real *g)
{
    (void)user;
    for (size_t j = 0; j < d; j++)
        g[j] = mtc_log(x[j]);
}

static void own_inverse(const void *user, size_t d, const mtc_real *g,
                        mtc_real *x)
{
    (void)user;
    for (size_t j = 0; j < d; j++)
        x[j] = mtc_exp(g[j]);
}

static int own_admits(const void *user, size_t j, mtc_real xj)
{
    (void)user, (void)j;
    return xj > 0 && MTC_FINITE(xj);
}

static mtc_divergence divergence_of(int number)
{
    mtc_divergence own = {own_value, own_gradient, own_inverse, own_admits,
                          NULL};
    return number == 1 ? mtc_kl() : number == 2 ? mtc_itakura_saito()
           : number == 3 ? own : mtc_sqeuclidean();
}

/* Options and what they point to. */
typedef struct mbc_given {
    mtc_mbc_options o;
    mtc_divergence div;
    size_t clusters[SCENE_TASKS];
    const mtc_real *centers[SCENE_TASKS];
} mbc_given;

/* Clusters of each task: NULL, or k and fewer. */
static const size_t *pick_clusters(scene *s, size_t *room)
{
    unsigned r = throw_die(s);
    for (size_t t = 0; t < SCENE_TASKS; t++)
        room[t] = s->k > t && r % 4 == 1 ? s->k - t : s->k;
    return r % 2 == 1 ? room : NULL;
}

static void mbc_pick(scene *s, mbc_given *g)
{
    mtc_mbc_options *o = &g->o;
    int number = pick_enum(s, 0, 4), rows = 1;
    *o = mtc_mbc_defaults();
    g->div = divergence_of(number);
    o->clusters = s->k;
    o->clusters_of = pick_clusters(s, g->clusters);
    o->lambda = pick_real(s, o->lambda, 0, 2);
    o->smooth = pick_real(s, number == 0 ? 0 : (mtc_real)0.125, 0, 1);
    if (number != 0) {
        o->divergence = &g->div;
        o->smooth += s->hostile ? 0 : (mtc_real)0.0625;
    }
    o->centroid = (mtc_centroid)pick_enum(s, (int)o->centroid, 2);
    o->iterations = pick_size(s, 5, 0, 8);
    o->tolerance = pick_real(s, o->tolerance, -1, 1);
    o->restarts = pick_size(s, 1, 1, 2);
    if (pick_enum(s, 0, 3) == 1)
        o->start_labels = s->labels;
    for (size_t t = 0; t < s->tasks; t++) {     /* the first samples */
        g->centers[t] = s->task[t].values;
        rows = rows && s->task[t].row == NULL && s->k <= s->task[t].n;
    }
    if (pick_enum(s, 0, 4) == 1 && rows && (number == 0 || s->hostile))
        o->start_centers = g->centers;
    for (size_t t = 0; t < s->tasks; t++) {
        const mtc_real *start = pick_start(s, mtc_mul(s->k, s->task[t].d));
        g->centers[t] = start == NULL ? g->centers[t] : start;
    }
}

RUN_ROW(mbc)
{
    mbc_given g;
    mbc_pick(s, &g);
    return mtc_mbc(ctx, s->task, s->tasks, &g.o, (mtc_mbc_result *)out);
}

SEE_ROW(mbc)
{
    const mtc_mbc_result *r = (const mtc_mbc_result *)out;
    size_t T = r->tasks;
    for (size_t t = 0; t < T; t++) {
        see_labels(w, r->labels[t], s->task[t].n, r->clusters[t]);
        see_reals(w, r->centers[t], r->clusters[t] * r->d);
        see_flag(w, r->matched[t]);
        for (size_t u = 0; u < T; u++)
            if (u != t) {
                size_t k = r->clusters[t], l = r->clusters[u];
                see_reals(w, r->plans[t * T + u], k * l);
            }
    }
    see_reals(w, &r->gap, 1);
    see_falling(w, r->objective, r->iterations + 1);
    see_reals(w, &r->loss, 1);
    see_reals(w, r->within, T);
    see_sizes(w, r->k_effective, T);
    see_reals(w, r->coherence, T * T);
    for (size_t e = 0; e < T * T; e++)
        see_within(w, r->relatedness[e], 0, 1);
    see_flag(w, r->converged);
}

/* A metric of its own making: A = 2 I + 1 1'. */
RUN_ROW(mbc_mahalanobis)
{
    size_t d = s->task[0].d;
    mbc_given g;
    arrays a;
    mtc_status st = arrays_take(ctx, &a, 0, 0, mtc_mul(d, d));
    if (st != MTC_OK)
        return st;
    mtc_metric m = {d, a.reals};
    for (size_t i = 0; i < d * d; i++)
        a.reals[i] = i % (d + 1) == 0 ? 3 : 1;
    st = mtc_cholesky(d, a.reals, d, NULL);
    mbc_pick(s, &g);
    g.div = mtc_mahalanobis(&m);
    g.o.divergence = &g.div;
    if (st == MTC_OK)
        st = mtc_mbc(ctx, s->task, s->tasks, &g.o, (mtc_mbc_result *)out);
    arrays_release(ctx, &a);
    return st;
}

/* Hostile dice may ask for it with a divergence that a shift changes. */
RUN_ROW(mbc_center)
{
    mbc_given g;
    mbc_pick(s, &g);
    g.o.center = 1;
    if (!s->hostile)
        g.o.divergence = NULL;
    return mtc_mbc(ctx, s->task, s->tasks, &g.o, (mtc_mbc_result *)out);
}

RUN_ROW(mbc_assign)
{
    mbc_given g;
    mtc_mbc_result r;
    arrays a;
    mtc_status st = arrays_take(ctx, &a, s->task[1].n, 0, 0);
    if (st != MTC_OK)
        return st;
    mbc_pick(s, &g);
    st = mtc_mbc(ctx, s->task, s->tasks, &g.o, &r);
    if (st == MTC_OK) {
        st = mtc_mbc_assign(ctx, &s->task[1], pick_size(s, 0, 0, 1), &r,
                            a.labels);
        mtc_free(ctx, &r.block);
    }
    return arrays_done(ctx, &a, st, out);
}

RUN_ROW(mbc_centroid)
{
    size_t d = s->task[0].d < s->plain_n / 2 ? s->task[0].d : s->plain_n / 2;
    mtc_divergence div = divergence_of(pick_enum(s, 1, 4));
    mtc_centroid how = (mtc_centroid)pick_enum(s, 0, 2);
    mtc_real A = pick_real(s, 1, 0, 2), B = pick_real(s, (mtc_real)0.5, 0, 2);
    arrays a;
    mtc_status st = arrays_take(ctx, &a, 0, 0, d);
    if (st != MTC_OK)
        return st;
    st = mtc_mbc_centroid(ctx, &div, how, d, A, B, s->plain, s->plain + d,
                          a.reals);
    return arrays_done(ctx, &a, st, out);
}
