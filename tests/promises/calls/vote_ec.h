/* SPDX-License-Identifier: MIT
 * A part of calls.h. */
/* ---- votes ------------------------------------------------------------- */

/* Enough restarts for a vote over them. */
RUN_ROW(kmeans_vote)
{
    mtc_divergence kl = mtc_kl();
    mtc_kmeans_options o = mtc_kmeans_defaults();
    const mtc_data *X = &s->task[0];
    o.clusters = s->k;
    o.restarts = pick_size(s, 5, 5, 7);
    throw_die(s);                       /* an option that is gone */
    o.iterations = pick_size(s, 30, 0, 30);
    if (pick_enum(s, 0, 2) == 1) {
        X = &s->positive;
        o.divergence = &kl;
    }
    return mtc_kmeans(ctx, X, &o, (mtc_kmeans_result *)out);
}

RUN_ROW(ncut_given)
{
    mtc_ncut_options o = mtc_ncut_defaults();
    o.given = 1;
    o.clusters = s->k;
    o.restarts = pick_size(s, 2, 1, 6);
    throw_die(s);                       /* an option that is gone */
    if (pick_enum(s, 0, 3) == 1)
        o.start_labels = s->labels[0];
    return mtc_ncut(ctx, &s->square, &o, (mtc_ncut_result *)out);
}

/* Over the samples that all tasks have. */
static size_t fewest(const scene *s)
{
    size_t n = s->task[0].n;
    for (size_t t = 1; t < SCENE_TASKS; t++)
        n = s->task[t].n < n ? s->task[t].n : n;
    return n;
}

RUN_ROW(vote)
{
    mtc_vote_options o = mtc_vote_defaults();
    const int *runs[5] = {s->labels[0], s->labels[1], s->labels[2],
                          s->labels[1], s->labels[0]};
    size_t m = pick_size(s, 3, 1, 5);
    o.clusters = s->k;
    o.weights = pick_weights(s, 5);
    o.restarts = pick_size(s, 2, 1, 3);
    if (pick_enum(s, 0, 3) == 1)
        o.start_labels = s->labels[2];
    if (pick_enum(s, 0, 3) == 1)
        o.losses = pick_weights(s, 5);
    return mtc_vote(ctx, fewest(s), runs, m > 5 ? 0 : m, &o,
                    (mtc_vote_result *)out);
}

SEE_ROW(vote)
{
    const mtc_vote_result *r = (const mtc_vote_result *)out;
    size_t n = fewest(s);
    see_labels(w, r->labels, n, r->clusters);
    see_reals(w, r->embedding, n * r->rank);
    see_reals(w, r->singular_values, r->rank);
    see_reals(w, r->stability, n);
    see_reals(w, r->cluster_stability, r->clusters);
    see_reals(w, &r->mean_stability, 1);
    see_falling(w, r->objective, r->iterations + 1);
    see_size(w, r->k_effective);
    see_flag(w, r->converged);
}

static mtc_ec_options ec_pick(scene *s, size_t d)
{
    mtc_ec_options o = mtc_ec_defaults();
    o.clusters = s->k;
    o.runs = pick_size(s, 3, 1, 4);
    o.columns = pick_size(s, d < 3 ? d : 3, 0, d < 5 ? d : 5);
    throw_die(s);                       /* an option that is gone */
    o.iterations = pick_size(s, 20, 0, 20);
    o.restarts = pick_size(s, 2, 1, 3);
    return o;
}

/* Runs, features and a start that are given: up to four runs of one label
 * each; features 0, 1, .. of every run. */
typedef struct ec_given { const int *runs[4]; size_t features[4 * 5]; } ec_given;

static void ec_give(scene *s, const int *labels, ec_given *g,
                    mtc_ec_options *o)
{
    for (size_t i = 0; i < 4; i++)
        g->runs[i] = labels;
    for (size_t i = 0; i < 20; i++)
        g->features[i] = o->columns == 0 ? 0 : i % o->columns;
    if (pick_enum(s, 0, 4) == 1 && o->runs <= 4)
        o->partitions = g->runs;
    if (pick_enum(s, 0, 4) == 1 && o->runs <= 4 && o->columns <= 5)
        o->features = g->features;
    if (pick_enum(s, 0, 4) == 1)
        o->start_labels = labels;
}

RUN_ROW(ec)
{
    mtc_ec_options o = ec_pick(s, s->task[0].d);
    ec_given g;
    ec_give(s, s->labels[0], &g, &o);
    return mtc_ec(ctx, &s->task[0], &o, (mtc_ec_result *)out);
}

static void see_ensemble(witness *w, const mtc_ensemble *e)
{
    see_labels(w, e->partitions, e->runs * e->n, e->clusters);
    if (e->features != NULL)
        see_sizes(w, e->features, e->runs * e->columns);
    see_sizes(w, e->sizes, e->runs * e->clusters);
    see_reals(w, e->centers, e->runs * e->clusters * e->columns);
    for (size_t i = 0; e->silhouette != NULL && i < e->n; i++)
        see_within(w, e->silhouette[i], -1, 1);
}

SEE_ROW(ec)
{
    const mtc_ec_result *r = (const mtc_ec_result *)out;
    const mtc_vote_result *v = &r->vote;
    size_t n = r->ensemble.n;
    (void)s;
    see_ensemble(w, &r->ensemble);
    see_labels(w, r->labels, n, v->clusters);
    see_reals(w, v->embedding, n * v->rank);
    see_reals(w, v->singular_values, v->rank);
    see_reals(w, v->stability, n);
    see_reals(w, v->cluster_stability, v->clusters);
    see_reals(w, &v->mean_stability, 1);
    see_falling(w, v->objective, v->iterations + 1);
    see_reals(w, r->support, r->ensemble.runs * r->ensemble.clusters *
                     v->clusters);
    see_size(w, v->k_effective);
    see_flag(w, v->converged);
}

RUN_ROW(ec_assign)
{
    mtc_ec_options o = ec_pick(s, s->task[0].d);
    mtc_ec_result r;
    ec_given g;
    arrays a;
    mtc_status st = arrays_take(ctx, &a, s->task[1].n, 0, 0);
    if (st != MTC_OK)
        return st;
    ec_give(s, s->labels[0], &g, &o);
    st = mtc_ec(ctx, &s->task[0], &o, &r);
    if (st == MTC_OK) {
        st = mtc_ec_assign(ctx, &s->task[1], &r, a.labels);
        mtc_free(ctx, &r.block);
    }
    return arrays_done(ctx, &a, st, out);
}

RUN_ROW(trec)
{
    mtc_trec_options o = mtc_trec_defaults();
    ec_given g, h;
    o.meta = (mtc_meta)pick_enum(s, (int)MTC_META_BOTH, 3);
    o.ec = ec_pick(s, s->task[1].d);
    ec_give(s, s->labels[1], &g, &o.ec);
    for (size_t i = 0; i < 4; i++)
        h.runs[i] = s->labels[0];
    if (pick_enum(s, 0, 4) == 1 && o.ec.runs <= 4)
        o.source_partitions = h.runs;
    if (pick_enum(s, 0, 4) == 1 && o.ec.runs <= 4 && o.ec.columns <= 5)
        o.source_features = g.features;
    if (pick_enum(s, 0, 4) == 1)
        o.start_labels = s->labels[1];
    o.source_clusters = pick_size(s, 0, 1, 4);
    o.gamma = pick_real(s, o.gamma, 0, 2);
    o.cost = pick_real(s, o.cost, 0, 20);
    throw_die(s);                       /* two options that are gone */
    throw_die(s);
    o.pairs = pick_size(s, 40, 1, 60);
    o.iterations = pick_size(s, 0, 1, 20);
    o.qmin = pick_real(s, 0, 0, 5);
    return mtc_trec(ctx, &s->task[0], s->labels[0], &s->task[1], &o,
                    (mtc_trec_result *)out);
}

SEE_ROW(trec)
{
    const mtc_trec_result *r = (const mtc_trec_result *)out;
    size_t n = r->target.ensemble.n;
    see_labels(w, r->labels, n, r->target.vote.clusters);
    see_labels(w, r->start, n, r->target.vote.clusters);
    see_ensemble(w, &r->source);
    ec_see(s, &r->target, w);
    see_size(w, r->pairs);
    see_reals(w, r->same, r->target.ensemble.runs + 1);
    see_reals(w, &r->gap, 1);
    see_sizes(w, r->moved, r->iterations);
    see_labels(w, r->from, r->iterations, r->target.vote.clusters);
    see_labels(w, r->to, r->iterations, r->target.vote.clusters);
    see_falling(w, r->objective, r->iterations + 1);
    see_flag(w, r->converged);
}
