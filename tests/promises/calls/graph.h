/* SPDX-License-Identifier: MIT
 * A part of calls.h. */
/* ---- neighbors, graphs ------------------------------------------------- */

RUN_ROW(neighbors)
{
    const mtc_data *Q = pick_enum(s, 0, 2) == 0 ? &s->task[1] : &s->task[0];
    const mtc_data *queries = Q == &s->task[0] ? NULL : Q;
    size_t k = pick_size(s, s->k, 1, 5);
    size_t room = mtc_mul(Q->n, k);
    arrays a;
    mtc_status st = arrays_take(ctx, &a, 0, room, room);
    if (st != MTC_OK)
        return st;
    st = mtc_neighbors(ctx, &s->task[0], queries, k,
                       (mtc_distance)pick_enum(s, 0, 2), a.index, a.reals);
    return arrays_done(ctx, &a, st, out);
}

static mtc_graph_options graph_pick(scene *s, mtc_graph_options o)
{
    o.similarity = (mtc_similarity)pick_enum(s, (int)o.similarity, 2);
    o.neighbors = pick_size(s, o.neighbors, 0, 6);
    o.width = pick_real(s, o.width, 0, 2);
    o.absolute = pick_enum(s, 0, 2);
    o.local = pick_size(s, 0, 0, 4);
    o.loops = pick_enum(s, 0, 2);
    return o;
}

RUN_ROW(graph)
{
    mtc_graph_options o = graph_pick(s, mtc_graph_defaults());
    return mtc_graph_build(ctx, s->task, s->tasks, &o, (mtc_graph *)out);
}

SEE_ROW(graph)
{
    const mtc_graph *g = (const mtc_graph *)out;
    (void)s;
    see_view(w, &g->weights);
    see_reals(w, &g->width, 1);
}

RUN_ROW(tree)
{
    return mtc_tree(ctx, &s->task[0], (mtc_tree_result *)out);
}

SEE_ROW(tree)
{
    const mtc_tree_result *r = (const mtc_tree_result *)out;
    (void)s;
    see_size(w, r->n);
    see_sizes(w, r->from, r->n - 1);
    see_sizes(w, r->to, r->n - 1);
    see_reals(w, r->length, r->n - 1);
}

RUN_ROW(tree_cut)
{
    mtc_tree_options o = mtc_tree_defaults();
    mtc_tree_result r;
    arrays a;
    mtc_status st = arrays_take(ctx, &a, s->task[0].n, 0, 0);
    if (st != MTC_OK)
        return st;
    o.clusters = s->k;
    o.gini = pick_real(s, o.gini, 0, 1);
    st = mtc_tree(ctx, &s->task[0], &r);
    if (st == MTC_OK) {
        st = mtc_tree_cut(ctx, &r, &o, a.labels);
        mtc_free(ctx, &r.block);
    }
    return arrays_done(ctx, &a, st, out);
}
