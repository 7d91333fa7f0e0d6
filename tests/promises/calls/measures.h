/* SPDX-License-Identifier: MIT
 * A part of calls.h. */
/* ---- measures ---------------------------------------------------------- */

RUN_ROW(contingency)
{
    size_t n = s->task[0].n < s->task[1].n ? s->task[0].n : s->task[1].n;
    return mtc_contingency(ctx, n, s->labels[0], s->labels[1],
                           (mtc_contingency_result *)out);
}

SEE_ROW(contingency)
{
    const mtc_contingency_result *r = (const mtc_contingency_result *)out;
    (void)s;
    for (size_t i = 0; i < r->rows; i++)
        see_word(w, (uint64_t)(int64_t)r->row_label[i]);
    for (size_t j = 0; j < r->columns; j++)
        see_word(w, (uint64_t)(int64_t)r->column_label[j]);
    see_sizes(w, r->count, r->rows * r->columns);
    see_sizes(w, r->match, r->rows);
}

RUN_ROW(score)
{
    size_t n = s->task[0].n < s->task[1].n ? s->task[0].n : s->task[1].n;
    return mtc_score(ctx, n, s->labels[0], s->labels[1], (mtc_scores *)out);
}

SEE_ROW(score)
{
    const mtc_scores *r = (const mtc_scores *)out;
    (void)s;
    see_within(w, r->accuracy, 0, 1);
    see_within(w, r->nmi, 0, 1);
    see_within(w, r->ari, -1, 1);
    see_within(w, r->purity, 0, 1);
    see_within(w, r->direct, 0, 1);
}

RUN_ROW(silhouette)
{
    arrays a;
    mtc_status st = arrays_take(ctx, &a, 0, 0, mtc_add(s->task[0].n, 1));
    if (st != MTC_OK)
        return st;
    st = mtc_silhouette(ctx, &s->task[0], s->labels[0], s->k, a.reals + 1,
                        a.reals);
    return arrays_done(ctx, &a, st, out);
}

SEE_ROW(silhouette)
{
    const arrays *a = (const arrays *)out;
    (void)s;
    for (size_t i = 0; i < a->n_reals; i++)
        see_within(w, a->reals[i], -1, 1);
}

/* Calls that answer with one real. */
#define RUN_REAL(NAME, CALL)                                              \
    RUN_ROW(NAME)                                                         \
    {                                                                     \
        arrays a;                                                         \
        mtc_status st = arrays_take(ctx, &a, 0, 0, 1);                    \
        if (st != MTC_OK)                                                 \
            return st;                                                    \
        return arrays_done(ctx, &a, CALL, out);                           \
    }

RUN_REAL(a_distance, mtc_a_distance(ctx, &s->task[0], &s->task[1], a.reals))
RUN_REAL(complexity, mtc_complexity(ctx, &s->task[0],
                                    pick_real(s, (mtc_real)0.5, 0, 1),
                                    a.reals))
RUN_REAL(partition_emd,
         mtc_partition_emd(ctx, &s->task[0], s->labels[0], s->k, &s->task[1],
                           s->labels[1], s->k, NULL, a.reals))

SEE_ROW(a_distance)
{
    (void)s;
    see_within(w, ((const arrays *)out)->reals[0], 0, 2);
}
