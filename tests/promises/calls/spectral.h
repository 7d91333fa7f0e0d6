/* SPDX-License-Identifier: MIT
 * A part of calls.h. */
/* ---- spectral, factors ------------------------------------------------- */

RUN_ROW(ncut)
{
    mtc_ncut_options o = mtc_ncut_defaults();
    o.clusters = s->k;
    o.graph = graph_pick(s, o.graph);
    o.restarts = pick_size(s, 2, 1, 3);
    if (pick_enum(s, 0, 3) == 1)
        o.start_labels = s->labels[0];
    o.tolerance = pick_real(s, o.tolerance, 0, 1);
    return mtc_ncut(ctx, &s->task[0], &o, (mtc_ncut_result *)out);
}

SEE_ROW(ncut)
{
    const mtc_ncut_result *r = (const mtc_ncut_result *)out;
    size_t n = s->task[0].n;
    see_labels(w, r->labels, n, s->k);
    see_reals(w, r->embedding, n * s->k);
    see_reals(w, r->eigenvalues, s->k);
    see_reals(w, &r->cut, 1);
    see_falling(w, r->objective, r->iterations + 1);
    see_size(w, r->k_effective);
    see_flag(w, r->converged);
}

RUN_ROW(snmf)
{
    mtc_snmf_options o = mtc_snmf_defaults();
    o.clusters = s->k;
    o.iterations = pick_size(s, 30, 0, 60);
    o.tolerance = pick_real(s, o.tolerance, -1, 1);
    if (pick_enum(s, 0, 2) == 1)
        o.start_labels = s->labels[0];
    return mtc_snmf(ctx, &s->square, &o, (mtc_snmf_result *)out);
}

SEE_ROW(snmf)
{
    const mtc_snmf_result *r = (const mtc_snmf_result *)out;
    see_labels(w, r->labels, s->square.n, s->k);
    see_reals(w, r->Y, s->square.n * s->k);
    see_falling(w, r->objective, r->iterations + 1);
    see_size(w, r->k_effective);
    see_flag(w, r->converged);
}

static mtc_pca_options pca_pick(scene *s)
{
    mtc_pca_options o = mtc_pca_defaults();
    o.dimension = pick_size(s, 0, 1, 8);
    o.keep = pick_real(s, o.keep, 0, 1);
    o.mean = (mtc_mean)pick_enum(s, MTC_MEAN_COMMON, 3);
    return o;
}

RUN_ROW(pca)
{
    mtc_pca_options o = pca_pick(s);
    return mtc_pca(ctx, &s->task[0], 1, &o, (mtc_pca_result *)out);
}

/* More columns than rows: by the Gram matrix. */
RUN_ROW(pca_wide)
{
    mtc_pca_options o = pca_pick(s);
    return mtc_pca(ctx, &s->task[1], 1, &o, (mtc_pca_result *)out);
}

RUN_ROW(pca_views)
{
    mtc_pca_options o = pca_pick(s);
    return mtc_pca(ctx, s->task, s->tasks, &o, (mtc_pca_result *)out);
}

static void see_components(witness *w, const mtc_pca_result *r, size_t n)
{
    see_size(w, r->dimension);
    see_reals(w, r->mean, r->views * r->d);
    see_reals(w, r->components, r->dimension * r->d);
    see_reals(w, r->variance, r->dimension);
    see_reals(w, &r->total, 1);
    see_reals(w, r->scores, n * r->dimension);
}

SEE_ROW(pca)
{
    see_components(w, (const mtc_pca_result *)out, s->task[0].n);
}

SEE_ROW(pca_wide)
{
    see_components(w, (const mtc_pca_result *)out, s->task[1].n);
}

SEE_ROW(pca_views)
{
    size_t N = 0;
    for (size_t t = 0; t < s->tasks; t++)
        N += s->task[t].n;
    see_components(w, (const mtc_pca_result *)out, N);
}

RUN_ROW(pca_assign)
{
    mtc_pca_options o = pca_pick(s);
    mtc_pca_result r;
    arrays a;
    mtc_status st = mtc_pca(ctx, &s->task[0], 1, &o, &r);
    if (st != MTC_OK)
        return st;
    st = arrays_take(ctx, &a, 0, 0, mtc_mul(s->task[1].n, r.dimension));
    if (st == MTC_OK)
        st = arrays_done(ctx, &a, mtc_pca_assign(ctx, &s->task[1], 0, &r,
                                                 a.reals), out);
    mtc_free(ctx, &r.block);
    return st;
}
