/* SPDX-License-Identifier: MIT
 * A part of calls.h. */
/* ---- the methods ------------------------------------------------------- */

static mtc_lssmtc_options lssmtc_pick(scene *s, mtc_lssmtc_options o)
{
    o.clusters = s->k;
    o.mode = (mtc_subspace_mode)pick_enum(s, (int)o.mode, 3);
    o.lambda = pick_real(s, o.lambda, 0, 1);
    o.subspace = pick_size(s, o.subspace, 1, 6);
    o.rank = pick_size(s, o.rank, 1, 12);
    o.offset = pick_real(s, o.offset, 0, 1);
    o.start = (mtc_start)pick_enum(s, (int)o.start, 2);
    o.iterations = pick_size(s, 6, 0, 6);
    o.tolerance = pick_real(s, 0, 0, (mtc_real)0.25);
    o.restarts = pick_size(s, 2, 1, 3);
    if (pick_enum(s, 0, 3) == 1)
        o.start_labels = s->labels;
    size_t l = o.subspace == 0 ? s->k : o.subspace;
    o.start_W = pick_start(s, mtc_mul(s->task[0].d, l));
    return o;
}

RUN_ROW(lssmtc)
{
    mtc_lssmtc_options o = lssmtc_pick(s, mtc_lssmtc_defaults());
    return mtc_lssmtc(ctx, s->task, s->tasks, &o, (mtc_lssmtc_result *)out);
}

/* Sources first, the target last: the order of the scene. */
RUN_ROW(lssttc)
{
    mtc_lssmtc_options o = lssmtc_pick(s, mtc_lssttc_defaults());
    if (o.start_labels != NULL)
        o.start_labels += s->tasks - 1;
    return mtc_lssttc(ctx, s->task, s->labels, s->tasks - 1,
                      &s->task[s->tasks - 1], &o, (mtc_lssmtc_result *)out);
}

SEE_ROW(lssmtc)
{
    const mtc_lssmtc_result *r = (const mtc_lssmtc_result *)out;
    for (size_t t = 0; t < r->tasks; t++) {
        see_labels(w, r->labels[t], s->task[t].n, r->clusters);
        see_reals(w, r->P[t], s->task[t].n * r->clusters);
        see_reals(w, r->centers[t], r->clusters * r->d);
        see_reals(w, r->means[t], r->clusters * r->d);
        see_flag(w, r->matched[t]);
    }
    see_reals(w, r->W, r->d * r->width);
    see_reals(w, r->M, r->clusters * r->width);
    see_falling(w, r->objective, r->iterations + 1);
    see_sizes(w, r->k_effective, r->tasks);
    see_reals(w, r->relatedness, r->tasks * r->tasks);
    see_flag(w, r->converged);
}

RUN_ROW(lssmtc_assign)
{
    mtc_lssmtc_options o = lssmtc_pick(s, mtc_lssmtc_defaults());
    mtc_lssmtc_result r;
    arrays a;
    mtc_status st = arrays_take(ctx, &a, s->task[1].n, 0, 0);
    if (st != MTC_OK)
        return st;
    st = mtc_lssmtc(ctx, s->task, s->tasks, &o, &r);
    if (st == MTC_OK) {
        st = mtc_lssmtc_assign(ctx, &s->task[1], pick_size(s, 0, 0, 1), &r,
                               a.labels);
        mtc_free(ctx, &r.block);
    }
    return arrays_done(ctx, &a, st, out);
}
