/* SPDX-License-Identifier: MIT
 * A part of calls.h. */
/* ---- guard and auto ---------------------------------------------------- */

typedef struct guard_given {
    mtc_guard_options o;
    size_t clusters[SCENE_TASKS];
    mtc_mbc_options mbc;
    mtc_lssmtc_options lssmtc;
} guard_given;

static void guard_pick(scene *s, guard_given *g)
{
    mtc_guard_options *o = &g->o;
    *o = mtc_guard_defaults();
    o->method = (mtc_guard_method)pick_enum(s, (int)o->method, 2);
    o->clusters = s->k;
    o->clusters_of = pick_clusters(s, g->clusters);
    if (o->method == MTC_GUARD_LSSMTC && !s->hostile)
        o->clusters_of = NULL;                  /* has to be equal */
    o->runs = pick_size(s, 2, 2, 3);
    if (o->runs == 1000)                /* legal: half a million comparisons */
        o->runs = 100;
    o->folds = pick_size(s, 2, 2, 3);
    o->margin = pick_real(s, -1, 0, 1);
    g->mbc = mtc_mbc_defaults();
    g->mbc.lambda = pick_real(s, (mtc_real)0.5, 0, 2);
    g->mbc.iterations = pick_size(s, 4, 0, 4);
    g->lssmtc = mtc_lssmtc_defaults();
    g->lssmtc.lambda = pick_real(s, (mtc_real)0.5, 0, 1);
    g->lssmtc.mode = (mtc_subspace_mode)pick_enum(s, 0, 2);
    g->lssmtc.iterations = pick_size(s, 3, 0, 4);
    g->lssmtc.restarts = 1;
    if (pick_enum(s, 0, 3) != 1) {
        o->mbc = &g->mbc;
        o->lssmtc = &g->lssmtc;
    }
}

RUN_ROW(guard)
{
    guard_given g;
    guard_pick(s, &g);
    return mtc_guard(ctx, s->task, s->tasks, &g.o, (mtc_guard_result *)out);
}

SEE_ROW(guard)
{
    const mtc_guard_result *r = (const mtc_guard_result *)out;
    size_t T = r->tasks;
    for (size_t t = 0; t < T; t++) {
        see_labels(w, r->labels[t], s->task[t].n, r->clusters[t]);
        see_labels(w, r->single[t], s->task[t].n, r->clusters[t]);
        see_labels(w, r->shared[t], s->task[t].n, r->clusters[t]);
        see_flag(w, r->kept[t]);
        see_flag(w, r->matched[t]);
        see_within(w, r->stability_single[t], -1, 1);
        see_within(w, r->stability_shared[t], -1, 1);
        see_within(w, r->agreement[t], -1, 1);
        see_reals(w, r->centers[t], r->clusters[t] * r->d);
    }
    see_reals(w, r->loss_single, T);
    see_reals(w, r->loss_shared, T);
    see_sizes(w, r->k_effective, T);
}

RUN_ROW(guard_assign)
{
    guard_given g;
    mtc_guard_result r;
    arrays a;
    mtc_status st = arrays_take(ctx, &a, s->task[1].n, 0, 0);
    if (st != MTC_OK)
        return st;
    guard_pick(s, &g);
    st = mtc_guard(ctx, s->task, s->tasks, &g.o, &r);
    if (st == MTC_OK) {
        st = mtc_guard_assign(ctx, &s->task[1], pick_size(s, 0, 0, 1), &r,
                              a.labels);
        mtc_free(ctx, &r.block);
    }
    return arrays_done(ctx, &a, st, out);
}

static mtc_auto_options auto_pick(scene *s, size_t *clusters)
{
    mtc_auto_options o = mtc_auto_defaults();
    o.clusters = s->k;
    o.clusters_of = pick_clusters(s, clusters);
    o.geometry = (mtc_geometry)pick_enum(s, 0, 4);
    o.runs = pick_size(s, 2, 1, 3);
    o.sample = pick_size(s, o.sample, 5, 20);
    return o;
}

RUN_ROW(auto)
{
    size_t clusters[SCENE_TASKS];
    mtc_auto_options o = auto_pick(s, clusters);
    return mtc_auto(ctx, s->task, s->tasks, &o, (mtc_auto_result *)out);
}

static void see_judged(witness *w, const mtc_judged *of, size_t m)
{
    for (size_t c = 0; c < m; c++)
        see_reals(w, &of[c].score, 1);
    for (size_t c = 0; c < m; c++)
        see_reals(w, &of[c].entropy, 1);
    for (size_t c = 0; c < m; c++)
        see_reals(w, &of[c].path, 1);
    for (size_t c = 0; c < m; c++)
        see_reals(w, &of[c].info_near, 1);
    for (size_t c = 0; c < m; c++)
        see_reals(w, &of[c].info_far, 1);
    for (size_t c = 0; c < m; c++)
        see_size(w, of[c].edges);
    for (size_t c = 0; c < m; c++)
        see_size(w, of[c].smallest);
    for (size_t c = 0; c < m; c++)
        see_flag(w, of[c].allowed);
}

SEE_ROW(auto)
{
    const mtc_auto_result *r = (const mtc_auto_result *)out;
    size_t T = r->tasks;
    for (size_t t = 0; t < T; t++) {
        see_labels(w, r->labels[t], s->task[t].n, r->clusters[t]);
        see_reals(w, r->centers[t], r->clusters[t] * r->d);
        see_within(w, r->agreement[t], -1, 1);
        see_within(w, r->agreement_ab[t], -1, 1);
        see_within(w, r->agreement_kept[t], -1, 1);
        see_within(w, (mtc_real)r->kept[t], 0, 4);
        see_flag(w, r->matched[t]);
    }
    for (size_t f = 0; f < r->families; f++)
        for (const char *c = r->name[f]; *c != '\0'; c++)
            see_word(w, (uint64_t)(unsigned char)*c);
    see_word(w, (uint64_t)r->geometry);
    see_within(w, r->zeros, 0, 1);
    see_within(w, r->agreement_distances, -1, 1);
    see_within(w, r->agreement_directions, -1, 1);
    see_reals(w, r->by_family, T * r->families);
    see_judged(w, r->candidate, T * MTC_AUTO_CANDIDATES);
    see_reals(w, r->margin, T);
    see_sizes(w, r->k_effective, T);
}

RUN_ROW(judge)
{
    const int *of[2];
    mtc_data X = s->task[0];
    of[0] = of[1] = s->labels[0];
    return mtc_judge(ctx, &X, of, 1 + (size_t)pick_enum(s, 0, 2) % 2, s->k,
                     (mtc_judge_result *)out);
}

SEE_ROW(judge)
{
    const mtc_judge_result *r = (const mtc_judge_result *)out;
    size_t m = r->partitions;
    (void)s;
    see_size(w, r->kept);
    see_reals(w, &r->margin, 1);
    see_judged(w, r->of, m);
}

RUN_ROW(auto_assign)
{
    size_t clusters[SCENE_TASKS];
    mtc_auto_options o = auto_pick(s, clusters);
    mtc_auto_result r;
    arrays a;
    mtc_status st = arrays_take(ctx, &a, s->task[1].n, 0, 0);
    if (st != MTC_OK)
        return st;
    st = mtc_auto(ctx, s->task, s->tasks, &o, &r);
    if (st == MTC_OK) {
        st = mtc_auto_assign(ctx, &s->task[1], pick_size(s, 0, 0, 1), &r,
                             a.labels);
        mtc_free(ctx, &r.block);
    }
    return arrays_done(ctx, &a, st, out);
}
