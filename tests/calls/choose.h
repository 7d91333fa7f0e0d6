/* SPDX-License-Identifier: MIT
 * A part of calls.h. */
/* ---- how many clusters --------------------------------------------------- */

RUN_ROW(choose)
{
    mtc_choose_options o = mtc_choose_defaults();
    o.min = pick_size(s, o.min, 1, 3);
    o.max = pick_size(s, o.max, 3, 9);
    size_t T = 1;
    while (T < s->tasks && s->task[T].n >= 12)  /* fewer are not looked at */
        T++;
    return mtc_choose(ctx, s->task, T, &o, (mtc_choose_result *)out);
}

SEE_ROW(choose)
{
    const mtc_choose_result *r = (const mtc_choose_result *)out;
    (void)s;
    see_size(w, r->k);
    see_size(w, r->best);
    see_size(w, r->second);
    see_size(w, (size_t)r->verdict);
    see_within(w, r->p, 0, 1);
    see_within(w, r->support, 0, 1);
    see_reals(w, r->gap, r->limit);
    see_sizes(w, r->votes, r->limit);
    for (size_t e = 0; e < r->candidates; e++) {
        see_size(w, r->candidate[e].k);
        see_within(w, r->candidate[e].a, -1, 1);
        see_within(w, r->candidate[e].a0, -1, 1);
        see_within(w, r->candidate[e].j, 0, 3);
    }
    if (r->k > (r->limit > 0 ? r->limit : 1) || r->best < r->k)
        see_wrong(w, "an answer beyond the limit");
}
