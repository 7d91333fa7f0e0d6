/* SPDX-License-Identifier: MIT
 * A part of calls.h. */
/* ---- TTL and the choice of a bridge ------------------------------------ */

/* Options, and starts cut out of the plain numbers where these suffice. */
typedef struct ttl_given {
    mtc_ttl_options o;
    const int *known[2];                        /* of bridges */
    mtc_ttl_factors factors;
} ttl_given;

static void ttl_pick(scene *s, ttl_given *g, const mtc_data *target,
                     size_t widest, size_t bridge_n)
{
    mtc_ttl_options *o = &g->o;
    mtc_real *plain;
    memcpy(&plain, &s->plain, sizeof plain);    /* read all the same */
    *o = mtc_ttl_defaults();
    o->classes = s->k;
    o->common = pick_size(s, 3, 1, 4);
    o->features = pick_size(s, 5, 4, 6);
    o->variant = (mtc_ttl_variant)pick_enum(s, (int)o->variant, 2);
    o->feature_weights = (mtc_ttl_weights)pick_enum(
        s, (int)o->feature_weights, 3);
    throw_die(s);
    o->start = (mtc_ttl_start)pick_enum(s, (int)o->start, 2);
    o->rows = (mtc_ttl_rows)pick_enum(s, (int)o->rows, 3);
    o->iterations = pick_size(s, 6, 0, 8);
    throw_die(s);
    o->tolerance = pick_real(s, 0, 0, (mtc_real)0.125);
    throw_die(s);
    if (pick_enum(s, 0, 4) == 1)
        o->known = s->labels[2];
    g->known[0] = s->labels[1];
    g->known[1] = NULL;
    if (pick_enum(s, 0, 4) == 1)
        o->bridge_known = g->known;
    if (pick_enum(s, 0, 4) == 1)
        o->start_labels = s->labels[1];
    throw_die(s);                       /* two options that are gone */
    throw_die(s);
    for (size_t l = 0; l < 2; l++)
        for (size_t i = 0; i < 3; i++)
            g->factors.F[l][i] = g->factors.A[l][i] = plain;
    g->factors.bridge = g->factors.target = plain;
    if (pick_enum(s, 0, 4) == 1 && mtc_mul(widest, o->features) <= s->plain_n
        && mtc_mul(o->features, s->k) <= s->plain_n
        && mtc_mul(bridge_n, s->k) <= s->plain_n
        && mtc_mul(target->n, s->k) <= s->plain_n)
        o->start_factors = &g->factors;
}

/* Task 0 by way of task 1, or of `positive` too, to task 2. */
RUN_ROW(ttl)
{
    mtc_data bridges[2] = {s->task[1], s->positive};
    size_t n = mtc_add(s->task[1].n, s->positive.n);
    size_t many = pick_size(s, 1, 1, 2);
    ttl_given g;
    ttl_pick(s, &g, &s->task[2], s->task[0].d, n);
    if (g.o.start_labels != NULL)
        g.o.start_labels = s->labels[2];
    return mtc_ttl(ctx, s->task, s->labels, 1, bridges, NULL,
                   many > 2 ? 0 : many, &s->task[2], &g.o,
                   (mtc_ttl_result *)out);
}

/* Task 0 by way of `positive`, seen a second time as `square`, to a target
 * of as many features as that has. */
RUN_ROW(ttl_views)
{
    ttl_given g;
    size_t d = s->square.d > s->task[0].d ? s->square.d : s->task[0].d;
    ttl_pick(s, &g, &s->square, d, s->positive.n);
    if (g.o.start_labels != NULL)
        g.o.start_labels = s->labels[0];
    if (g.o.known != NULL)
        g.o.known = s->labels[0];
    g.o.bridge_known = NULL;
    return mtc_ttl(ctx, s->task, s->labels, 1, &s->positive, &s->square, 1,
                   &s->square, &g.o, (mtc_ttl_result *)out);
}

SEE_ROW(ttl)
{
    const mtc_ttl_result *r = (const mtc_ttl_result *)out;
    const mtc_ttl_factors *f = &r->factors;
    size_t c = r->classes;
    see_labels(w, r->labels, r->n, c);
    see_reals(w, r->target, r->n * c);
    see_labels(w, r->bridge_labels, r->bridge_n, c);
    see_reals(w, r->bridge, r->bridge_n * c);
    for (size_t l = 0; l < 2; l++) {
        size_t m = l == 0 ? s->task[0].d : r->d;
        for (size_t i = 0; i < 3; i++) {
            size_t p = i == 0 ? r->common : r->own;
            see_reals(w, f->F[l][i], m * p);
            see_reals(w, f->A[l][i], p * c);
        }
    }
    see_sizes(w, r->shared, 2);
    see_reals(w, r->objective, r->iterations + 1);
    see_reals(w, r->weights, r->d);
    see_reals(w, r->center, r->d * c);
    see_reals(w, r->gram, c * c);
    see_size(w, r->k_effective);
    see_flag(w, r->converged);
}

RUN_ROW(ttl_assign)
{
    ttl_given g;
    mtc_ttl_result r;
    arrays a;
    mtc_status st = arrays_take(ctx, &a, s->task[0].n, 0, 0);
    if (st != MTC_OK)
        return st;
    ttl_pick(s, &g, &s->task[2], s->task[0].d, s->task[1].n);
    g.o.start_labels = NULL;
    st = mtc_ttl(ctx, s->task, s->labels, 1, &s->task[1], NULL, 1,
                 &s->task[2], &g.o, &r);
    if (st == MTC_OK) {
        st = mtc_ttl_assign(ctx, &s->task[0], &r, a.labels);
        mtc_free(ctx, &r.block);
    }
    return arrays_done(ctx, &a, st, out);
}

RUN_ROW(bridge_features)
{
    arrays a;
    mtc_status st = arrays_take(ctx, &a, 0, 0, MTC_BRIDGE_FEATURES);
    if (st != MTC_OK)
        return st;
    st = mtc_bridge_features(ctx, &s->task[0], &s->positive, &s->task[1],
                             a.reals);
    return arrays_done(ctx, &a, st, out);
}

/* A model, and what it and none say of the first triple. */
RUN_ROW(bridge_fit)
{
    enum { MOST = 12 };
    mtc_bridge_model m;
    int helped[MOST];
    arrays a;
    size_t n = s->plain_n / MTC_BRIDGE_FEATURES;
    n = n < s->task[0].n ? n : s->task[0].n;
    n = n < MOST ? n : MOST;
    for (size_t i = 0; i < n; i++)
        helped[i] = s->hostile ? s->labels[0][i] : s->labels[0][i] % 2;
    mtc_real ridge = pick_real(s, (mtc_real)1e-3, 0, 1);
    mtc_bridge_form form = (mtc_bridge_form)pick_enum(s, 0, 2);
    mtc_status st = arrays_take(ctx, &a, 0, 0, MTC_BRIDGE_FEATURES + 4);
    if (st != MTC_OK)
        return st;
    st = mtc_bridge_fit(ctx, n, s->plain, helped, form, ridge, &m);
    if (st == MTC_OK) {
        memcpy(a.reals, m.weight, sizeof m.weight);
        a.reals[MTC_BRIDGE_FEATURES] = m.bias;
        a.reals[MTC_BRIDGE_FEATURES + 1] = mtc_bridge_score(&m, s->plain);
        a.reals[MTC_BRIDGE_FEATURES + 2] = mtc_bridge_score(NULL, s->plain);
        a.reals[MTC_BRIDGE_FEATURES + 3] = m.link;
    }
    return arrays_done(ctx, &a, st, out);
}
