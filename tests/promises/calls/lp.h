/* SPDX-License-Identifier: MIT
 * A part of calls.h. */
/* ---- lp.c -------------------------------------------------------------- */

/* m x n problems cut out of the plain numbers: costs first, then supplies
 * and demands, none negative where the scene is legal.  Demands are scaled
 * so that the totals are equal. */
RUN_ROW(emd)
{
    mtc_emd_options o = mtc_emd_defaults();
    size_t m = s->plain_n / 16 + 1, n = s->plain_n / 24 + 1, total = m * n;
    if (total + m + n > s->plain_n)
        m = n = total = s->plain_n >= 3 ? 1 : 0;
    o.pivots = pick_size(s, o.pivots, 0, 1000);
    arrays a;
    mtc_real *equal = (mtc_real *)take_array(ctx, n, sizeof *equal);
    mtc_status st = arrays_take(ctx, &a, 0, 0, total + m + n);
    if (equal == NULL || st != MTC_OK) {
        if (st == MTC_OK)
            arrays_release(ctx, &a);
        give_array(ctx, equal, n, sizeof *equal);
        return MTC_NO_MEMORY;
    }
    mtc_emd_info info;
    const mtc_real *supply = s->plain + total, *demand = supply + m;
    mtc_real from = 0, to = 0;
    for (size_t i = 0; i < m; i++)
        from += supply[i];
    for (size_t j = 0; j < n; j++)
        to += demand[j];
    for (size_t j = 0; j < n; j++)
        equal[j] = demand[j] * (to > 0 ? from / to : 1);
    st = mtc_emd(ctx, m, n, s->plain, n, supply, equal, &o, a.reals,
                 a.reals + total, a.reals + total + m, &info);
    if (st == MTC_OK)                   /* NaN if either is no number */
        a.reals[0] += 0 * (info.cost + info.gap);
    st = arrays_done(ctx, &a, st, out);
    give_array(ctx, equal, n, sizeof *equal);
    return st;
}

RUN_ROW(assignment)
{
    size_t m = pick_size(s, 5, 1, 9), n = pick_size(s, 7, 1, 9);
    if (mtc_mul(m, n) > s->plain_n)
        m = n = s->plain_n > 0;
    arrays a;
    mtc_status st = arrays_take(ctx, &a, 0, m, m + n + 1);
    if (st != MTC_OK)
        return st;
    st = mtc_assignment(ctx, m, n, s->plain, n, a.index, a.reals,
                        a.reals + m, a.reals + m + n);
    return arrays_done(ctx, &a, st, out);
}
