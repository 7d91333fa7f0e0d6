/* SPDX-License-Identifier: MIT
 * A part of calls.h. */
/* ---- how many clusters --------------------------------------------------- */

RUN_ROW(choose)
{
    mtc_choose_options o = mtc_choose_defaults();
    o.min = pick_size(s, o.min, 1, 3);
    o.max = pick_size(s, o.max, 3, 9);
    return mtc_choose(ctx, s->task, s->tasks, &o, (mtc_choose_result *)out);
}

static void see_choice(witness *w, const mtc_choice *c)
{
    mtc_real sum = 0;
    see_size(w, c->k);
    see_size(w, c->best);
    see_size(w, c->second);
    see_size(w, (size_t)c->verdict);
    see_size(w, c->limit);
    see_within(w, c->sure, 0, 1);
    see_reals(w, c->p, c->limit);
    see_reals(w, c->gap, c->limit);
    see_reals(w, c->usil, c->limit);
    see_reals(w, c->mix, c->limit);
    see_reals(w, c->mixdep, c->limit);
    see_reals(w, c->height, c->limit);
    for (size_t k = 0; k < c->limit; k++) {
        see_within(w, c->gap[k], 0, 2);
        see_within(w, c->usil[k], -1, 1);
        see_within(w, c->mix[k], 0, 1);
        sum += c->p[k];
    }
    if (c->verdict == MTC_VERDICT_FEW)
        return;
    if (c->k > c->limit || c->best < c->k || c->second == c->k)
        see_wrong(w, "an answer beyond the limit");
    if (sum < (mtc_real)0.99 || sum > (mtc_real)1.01)
        see_wrong(w, "beliefs that are no shares");
}

SEE_ROW(choose)
{
    const mtc_choose_result *r = (const mtc_choose_result *)out;
    (void)s;
    see_choice(w, &r->common);
    see_size(w, r->tasks);
    for (size_t t = 0; t < r->tasks; t++)
        see_choice(w, &r->task[t]);
}

RUN_ROW(far_rows)
{
    const mtc_data *X = &s->task[0];
    arrays a;
    mtc_status st = arrays_take(ctx, &a, X->n, 0, 0);
    if (st != MTC_OK)
        return st;
    st = mtc_far_rows(ctx, X, a.labels);
    return arrays_done(ctx, &a, st, out);
}

RUN_ROW(apart)
{
    return mtc_apart(ctx, &s->task[0], pick_size(s, 0, 0, 3), s->labels[0],
                     s->k, (mtc_apart_result *)out);
}

SEE_ROW(apart)
{
    const mtc_apart_result *r = (const mtc_apart_result *)out;
    size_t pairs = r->groups * r->groups;
    (void)s;
    see_size(w, r->rows);
    see_sizes(w, r->count, r->groups);
    see_word(w, (uint64_t)r->worst);
    see_labels(w, r->border, pairs, 3);
    see_sizes(w, r->edges, pairs);
    for (size_t e = 0; e < pairs; e++) {
        see_within(w, r->mix[e], 0, 1);
        see_within(w, r->among[e], 0, 1);
    }
}

RUN_ROW(across)
{
    return mtc_across(ctx, s->task, s->tasks, (const int *const *)s->labels,
                      NULL, (mtc_across_result *)out);
}

SEE_ROW(across)
{
    const mtc_across_result *r = (const mtc_across_result *)out;
    size_t T = r->tasks, columns = T * r->d;
    (void)s;
    see_sizes(w, r->clusters, T);
    for (size_t t = 0; t < T; t++) {
        for (size_t z = 0; z < r->clusters[t]; z++)
            if (r->group[t][z] != -1)           /* it has rows */
                see_labels(w, &r->group[t][z], 1, r->groups);
        see_labels(w, &r->anchored[t], 1, 2);
        for (size_t e = 0; e < T; e++)
            if (e != t)
                see_reals(w, r->same[t * T + e],
                          r->clusters[t] * r->clusters[e]);
    }
    for (size_t g = 0; g < r->groups; g++)
        see_within(w, r->sure[g], 0, 1);
    see_reals(w, r->scale, columns);
    see_reals(w, r->offset, columns);
    see_reals(w, r->odd, columns);
    see_reals(w, r->gain, T);
}

RUN_ROW(align)
{
    return mtc_align(ctx, &s->task[0], s->labels[0], s->k,
                     &s->task[s->tasks - 1], NULL, (mtc_align_result *)out);
}

SEE_ROW(align)
{
    const mtc_align_result *r = (const mtc_align_result *)out;
    see_word(w, (uint64_t)r->kept);
    see_reals(w, r->mean, r->d);
    see_reals(w, r->deviation, r->d);
    see_reals(w, r->scale, MTC_ALIGN_MAPS * r->d);
    see_reals(w, r->shift, MTC_ALIGN_MAPS * r->d);
    see_reals(w, r->distance, s->task[s->tasks - 1].n);
    see_reals(w, r->share, s->k);
}
