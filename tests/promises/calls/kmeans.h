/* SPDX-License-Identifier: MIT
 * A part of calls.h. */
/* ---- k-means ----------------------------------------------------------- */

static mtc_kmeans_options kmeans_pick(scene *s, const mtc_data *X)
{
    mtc_kmeans_options o = mtc_kmeans_defaults();
    o.clusters = s->k;
    o.restarts = pick_size(s, 2, 1, 3);
    o.iterations = pick_size(s, 30, 0, 30);
    o.tolerance = pick_real(s, 0, 0, (mtc_real)0.25);
    o.weights = pick_weights(s, X->n);
    if (pick_enum(s, 0, 3) == 1)
        o.start_labels = s->labels[0];
    return o;
}

RUN_ROW(kmeans)
{
    mtc_kmeans_options o = kmeans_pick(s, &s->task[0]);
    if (pick_enum(s, 0, 3) == 1 && s->task[0].row == NULL
        && s->k <= s->task[0].n && s->task[0].stride == s->task[0].d)
        o.start_centers = s->task[0].values;    /* the first k samples */
    if (o.start_centers == NULL)
        o.start_centers = pick_start(s, mtc_mul(s->k, s->task[0].d));
    return mtc_kmeans(ctx, &s->task[0], &o, (mtc_kmeans_result *)out);
}

SEE_ROW(kmeans)
{
    const mtc_kmeans_result *r = (const mtc_kmeans_result *)out;
    see_labels(w, r->labels, s->task[0].n, r->clusters);
    see_reals(w, r->centers, r->clusters * r->d);
    see_falling(w, r->objective, r->iterations + 1);
    see_reals(w, &r->loss, 1);
    see_size(w, r->k_effective);
    see_flag(w, r->converged);
}

RUN_ROW(kmeans_bregman)
{
    mtc_divergence div = pick_enum(s, 0, 2) == 0 ? mtc_kl()
                                                 : mtc_itakura_saito();
    mtc_kmeans_options o = kmeans_pick(s, &s->positive);
    o.divergence = &div;
    o.start_centers = pick_start(s, mtc_mul(s->k, s->positive.d));
    return mtc_kmeans(ctx, &s->positive, &o, (mtc_kmeans_result *)out);
}

/* A metric of its own making: A = 2 I + 1 1'. */
RUN_ROW(kmeans_mahalanobis)
{
    size_t d = s->task[0].d;
    arrays a;
    mtc_status st = arrays_take(ctx, &a, 0, 0, mtc_mul(d, d));
    if (st != MTC_OK)
        return st;
    mtc_metric m = {d, a.reals};
    for (size_t i = 0; i < d * d; i++)
        a.reals[i] = i % (d + 1) == 0 ? 3 : 1;
    st = mtc_cholesky(d, a.reals, d, NULL);
    mtc_divergence div = mtc_mahalanobis(&m);
    mtc_kmeans_options o = kmeans_pick(s, &s->task[0]);
    o.divergence = &div;
    if (st == MTC_OK)
        st = mtc_kmeans(ctx, &s->task[0], &o, (mtc_kmeans_result *)out);
    /* An arena gives back in any order; the block is simply lost there. */
    arrays_release(ctx, &a);
    return st;
}

RUN_ROW(kmeans_assign)
{
    mtc_kmeans_options o = kmeans_pick(s, &s->task[0]);
    mtc_kmeans_result r;
    arrays a;
    mtc_status st = arrays_take(ctx, &a, s->task[1].n, 0, 0);
    if (st != MTC_OK)
        return st;
    st = mtc_kmeans(ctx, &s->task[0], &o, &r);
    if (st == MTC_OK) {
        st = mtc_kmeans_assign(ctx, &s->task[1], &r, a.labels);
        mtc_free(ctx, &r.block);
    }
    return arrays_done(ctx, &a, st, out);
}

/* Rows of task 1 are its centers, rows of task 0 those of the other task. */
RUN_ROW(match)
{
    const mtc_data *X = s->task;
    size_t k = s->k, d = X->d, n = X[1].n;
    arrays a;
    mtc_status st = mtc_data_check(ctx, &X[0], 0);
    if (st == MTC_OK)
        st = mtc_data_check(ctx, &X[1], 1);
    if (st == MTC_OK && X[1].d != d)
        st = MTC_INVALID;
    size_t reals = mtc_mul(2, mtc_mul(k, d));
    if (st != MTC_OK || (st = arrays_take(ctx, &a, n + 1, k, reals)) != MTC_OK)
        return st;
    mtc_real *to = a.reals, *centers = to + k * d;
    memset(a.reals, 0, 2 * k * d * sizeof(mtc_real));
    for (size_t z = 0; z < k; z++) {
        mtc_data_axpy(&X[0], z % X[0].n, 1, to + z * d);
        mtc_data_axpy(&X[1], z % n, 1, centers + z * d);
    }
    memcpy(a.labels, s->labels[1], n * sizeof(int));
    st = mtc_match(ctx, k, d, to, centers, n, a.labels, a.index, &a.labels[n]);
    return arrays_spent(ctx, &a, st, out);
}
