/* SPDX-License-Identifier: MIT
 * A part of calls.h. */
/* ---- classifiers ------------------------------------------------------- */

static mtc_logistic_options logistic_pick(scene *s)
{
    mtc_logistic_options o = mtc_logistic_defaults();
    o.classes = s->k;
    o.ridge = pick_real(s, o.ridge, 0, 1);
    o.weights = pick_weights(s, s->task[0].n);
    o.iterations = pick_size(s, 15, 0, 15);
    o.tolerance = pick_real(s, o.tolerance, 0, 1);
    return o;
}

RUN_ROW(logistic)
{
    mtc_logistic_options o = logistic_pick(s);
    return mtc_logistic(ctx, &s->task[0], s->labels[0], &o,
                        (mtc_logistic_result *)out);
}

SEE_ROW(logistic)
{
    const mtc_logistic_result *r = (const mtc_logistic_result *)out;
    (void)s;
    see_reals(w, r->W, r->classes * r->d);
    see_reals(w, r->bias, r->classes);
    see_falling(w, r->objective, r->iterations + 1);
    see_reals(w, &r->gradient, 1);
    see_flag(w, r->converged);
}

RUN_ROW(logistic_assign)
{
    mtc_logistic_options o = logistic_pick(s);
    mtc_logistic_result r;
    arrays a;
    size_t n = s->task[1].n;
    mtc_status st = arrays_take(ctx, &a, n, 0, mtc_mul(n, s->k));
    if (st != MTC_OK)
        return st;
    st = mtc_logistic(ctx, &s->task[0], s->labels[0], &o, &r);
    if (st == MTC_OK) {
        st = mtc_logistic_assign(ctx, &s->task[1], &r, a.labels, a.reals);
        mtc_free(ctx, &r.block);
    }
    return arrays_done(ctx, &a, st, out);
}

static mtc_svm_options svm_pick(scene *s)
{
    mtc_svm_options o = mtc_svm_defaults();
    o.classes = s->k;
    o.kernel = (mtc_kernel)pick_enum(s, (int)o.kernel, 2);
    o.gamma = pick_real(s, 0, 0, 2);
    o.cost = pick_real(s, 1, 0, 100);
    o.costs = pick_weights(s, s->task[0].n);
    o.tolerance = pick_real(s, o.tolerance, 0, (mtc_real)0.5);
    o.iterations = pick_size(s, 5000, 1, 5000);
    o.cache = pick_size(s, o.cache, 0, 2000);
    throw_die(s);
    o.start = pick_start(s, mtc_mul(s->k, s->task[0].n));
    return o;
}

RUN_ROW(svm)
{
    mtc_svm_options o = svm_pick(s);
    return mtc_svm(ctx, &s->task[0], s->labels[0], &o, (mtc_svm_result *)out);
}

SEE_ROW(svm)
{
    const mtc_svm_result *r = (const mtc_svm_result *)out;
    (void)s;
    see_reals(w, r->coefficients, r->problems * r->n);
    see_reals(w, r->bias, r->problems);
    see_reals(w, r->objective, r->problems);
    see_reals(w, r->gap, r->problems);
    see_sizes(w, r->support, r->problems);
    see_size(w, r->iterations);
    see_flag(w, r->converged);
}

RUN_ROW(svm_assign)
{
    mtc_svm_options o = svm_pick(s);
    mtc_svm_result r;
    arrays a;
    size_t n = s->task[1].n, p = s->k < 2 ? 0 : s->k == 2 ? 1 : s->k;
    mtc_status st = arrays_take(ctx, &a, n, 0, mtc_mul(n, p));
    if (st != MTC_OK)
        return st;
    st = mtc_svm(ctx, &s->task[0], s->labels[0], &o, &r);
    if (st == MTC_OK) {
        st = mtc_svm_assign(ctx, &s->task[1], &s->task[0], &r, a.labels,
                            a.reals);
        mtc_free(ctx, &r.block);
    }
    return arrays_done(ctx, &a, st, out);
}
