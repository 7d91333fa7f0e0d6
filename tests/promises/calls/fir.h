/* SPDX-License-Identifier: MIT
 * A part of calls.h. */
/* ---- MTCFIR and what it is made of ------------------------------------- */

static mtc_msda_options msda_pick(scene *s)
{
    mtc_msda_options o = mtc_msda_defaults();
    o.layers = pick_size(s, 2, 0, 3);
    o.noise = pick_real(s, o.noise, 0, 1);
    o.ridge = pick_real(s, o.ridge, 0, 1);
    throw_die(s);
    return o;
}

RUN_ROW(msda)
{
    mtc_msda_options o = msda_pick(s);
    return mtc_msda(ctx, s->task, s->tasks, &o, (mtc_msda_result *)out);
}

SEE_ROW(msda)
{
    const mtc_msda_result *r = (const mtc_msda_result *)out;
    (void)s;
    see_reals(w, r->h, r->layers * r->n * r->d);
}

/* Neighbors of each task: NULL, or any. */
static const size_t *pick_neighbors(scene *s, size_t *room)
{
    unsigned r = throw_die(s);
    for (size_t t = 0; t < SCENE_TASKS; t++)
        room[t] = pick_size(s, t + 1, 1, 6);
    return r % 4 == 1 ? room : NULL;
}

RUN_ROW(consistent)
{
    size_t clusters[SCENE_TASKS], neighbors[SCENE_TASKS];
    mtc_consistent_options o = mtc_consistent_defaults();
    o.clusters = s->k;
    o.clusters_of = pick_clusters(s, clusters);
    o.neighbor_share = pick_real(s, o.neighbor_share, 0, 1);
    o.neighbors_of = pick_neighbors(s, neighbors);
    o.uniform = pick_enum(s, 0, 2);
    o.direct = pick_enum(s, 0, 3) == 1;
    o.distances = throw_die(s) % 4 == 1 && !o.direct;
    return mtc_consistent(ctx, s->task, s->tasks, &o,
                          (mtc_consistent_result *)out);
}

SEE_ROW(consistent)
{
    const mtc_consistent_result *r = (const mtc_consistent_result *)out;
    size_t T = r->tasks;
    (void)s;
    for (size_t t = 0; t < T; t++)
        see_view(w, &r->M[t]);
    see_sizes(w, r->neighbors, T);
    see_reals(w, r->threshold, T);
    see_reals(w, r->alpha, T * T);
    see_reals(w, r->relatedness, T * T);
}

typedef struct mtcfir_given {
    mtc_mtcfir_options o;
    size_t clusters[SCENE_TASKS], neighbors[SCENE_TASKS];
} mtcfir_given;

static void mtcfir_pick(scene *s, mtcfir_given *g)
{
    mtc_mtcfir_options *o = &g->o;
    *o = mtc_mtcfir_defaults();
    o->variant = (mtc_mtcfir_variant)pick_enum(s, (int)o->variant, 4);
    o->clusters = s->k;
    o->clusters_of = pick_clusters(s, g->clusters);
    o->layers = pick_size(s, 2, 0, 2);
    o->noise = pick_real(s, o->noise, 0, 1);
    o->ridge = pick_real(s, o->ridge, 0, 1);
    o->neighbor_share = pick_real(s, o->neighbor_share, 0, 1);
    o->neighbors_of = pick_neighbors(s, g->neighbors);
    o->iterations = pick_size(s, 10, 0, 20);
    o->tolerance = pick_real(s, o->tolerance, -1, 1);
    o->restarts = pick_size(s, 2, 1, 3);
    if (pick_enum(s, 0, 3) == 1)
        o->start_labels = s->labels;
}

RUN_ROW(mtcfir)
{
    mtcfir_given g;
    mtcfir_pick(s, &g);
    return mtc_mtcfir(ctx, s->task, s->tasks, &g.o, (mtc_mtcfir_result *)out);
}

SEE_ROW(mtcfir)
{
    const mtc_mtcfir_result *r = (const mtc_mtcfir_result *)out;
    size_t T = r->tasks;
    for (size_t t = 0; t < T; t++) {
        size_t n = s->task[t].n, k = r->clusters[t];
        see_labels(w, r->labels[t], n, k);
        see_reals(w, r->Y[t], n * k);
        see_falling(w, r->objective[t], r->iterations[t] + 1);
        see_flag(w, r->converged[t]);
        see_flag(w, r->matched[t]);
        see_view(w, &r->M[t]);
    }
    see_sizes(w, r->k_effective, T);
    see_sizes(w, r->neighbors, T);
    see_reals(w, r->threshold, T);
    see_reals(w, r->alpha, T * T);
    see_reals(w, r->relatedness, T * T);
    msda_see(s, r->features, w);
}
