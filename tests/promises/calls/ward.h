/* SPDX-License-Identifier: MIT
 * A part of calls.h. */
/* ---- Ward's tree ------------------------------------------------------- */

RUN_ROW(ward)
{
    return mtc_ward(ctx, &s->task[0], (mtc_ward_result *)out);
}

SEE_ROW(ward)
{
    const mtc_ward_result *r = (const mtc_ward_result *)out;
    (void)s;
    see_sizes(w, r->first, r->n - 1);
    see_sizes(w, r->second, r->n - 1);
    see_reals(w, r->height, r->n - 1);
    for (size_t e = 0; e + 1 < r->n; e++)
        if (r->first[e] >= r->second[e] || r->second[e] >= r->n ||
            r->height[e] < (e > 0 ? r->height[e - 1] : 0))
            see_wrong(w, "no tree");
}

RUN_ROW(ward_cut)
{
    const mtc_data *X = &s->task[0];
    mtc_ward_result tree;
    arrays a;
    mtc_status st = arrays_take(ctx, &a, X->n, 0, 0);
    if (st != MTC_OK)
        return st;
    st = mtc_ward(ctx, X, &tree);
    if (st == MTC_OK) {
        st = mtc_ward_cut(ctx, &tree, s->k, a.labels);
        mtc_free(ctx, &tree.block);
    }
    return arrays_done(ctx, &a, st, out);
}
