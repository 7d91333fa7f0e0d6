/* SPDX-License-Identifier: MIT
 * A part of calls.h. */
/* ---- linalg.c ---------------------------------------------------------- */

static mtc_real logarithm_of_size(mtc_real x)
{
    return mtc_log(MTC_FABS(x) + MTC_TINY);
}

static mtc_real exponential_below(mtc_real x)
{
    return mtc_exp(x > 80 ? 80 : x);            /* finite in float too */
}

RUN_ROW(functions)
{
    size_t n = s->plain_n;
    arrays a;
    mtc_status st = arrays_take(ctx, &a, 0, 0, 3 * n);
    if (st != MTC_OK)
        return st;
    for (size_t i = 0; i < n; i++) {
        mtc_real x = s->plain[i];
        x = MTC_FINITE(x) ? x : 1;
        a.reals[3 * i] = exponential_below(x);
        a.reals[3 * i + 1] = logarithm_of_size(x);
        a.reals[3 * i + 2] = mtc_tanh(x);
    }
    return arrays_done(ctx, &a, st, out);
}

RUN_ROW(random)
{
    size_t n = 64;
    arrays a;
    mtc_random r = mtc_random_seed(throw_die(s));
    mtc_status st = arrays_take(ctx, &a, 0, 2 * n, 2 * n);
    if (st != MTC_OK)
        return st;
    for (size_t i = 0; i < n; i++) {
        a.reals[i] = mtc_random_real(&r);
        a.reals[n + i] = mtc_random_normal(&r);
        a.index[i] = mtc_random_below(&r, i * i);
        a.index[n + i] = (size_t)(mtc_random_bits(&r) & 0xffffff);
    }
    return arrays_done(ctx, &a, st, out);
}

/* The verbs, with and without work: X B, X' C, X X', norms. */
RUN_ROW(verbs)
{
    const mtc_data *X = &s->task[0];
    size_t n = X->n, d = X->d, p = 3;
    mtc_status st = mtc_data_check(ctx, X, 0);
    if (st != MTC_OK)
        return st;
    size_t need = mtc_add(mtc_mul(n, n), mtc_mul(p + 1, mtc_add(n, d)));
    arrays a;
    if ((st = arrays_take(ctx, &a, 0, 0, need)) != MTC_OK)
        return st;
    size_t bytes = mtc_data_work(X, X, p);
    int lent = (throw_die(s) % 2 == 0 || X->row != NULL) && bytes > 0;
    void *work = lent ? take_array(ctx, bytes, 1) : NULL;
    if (lent && work == NULL)
        return arrays_done(ctx, &a, MTC_NO_MEMORY, out);
    mtc_real *B = a.reals, *C = B + d * p, *norm = C + n * p;
    mtc_real *G = norm + n;
    for (size_t i = 0; i < d * p; i++)
        B[i] = (mtc_real)(i % 7) / 4 - 1;
    mtc_data_times(X, p, B, p, C, p, work);
    mtc_data_gram(X, X, G, n, work);
    mtc_data_norms(X, norm);
    mtc_data_transpose_times(X, p, C, p, B, p, work);
    for (size_t j = 0; j < d; j++)
        G[n * n + j] = 1;
    mtc_data_axpy(X, 0, mtc_data_dot(X, 0, B) > 0 ? 1 : -1, G + n * n);
    give_array(ctx, work, bytes, 1);
    return arrays_done(ctx, &a, st, out);
}

/* Results may overflow where data may: that is arithmetic, not an error. */
SEE_ROW(verbs)
{
    const arrays *a = (const arrays *)out;
    witness mute = WITNESS;
    (void)s;
    see_reals(&mute, a->reals, a->n_reals);
    see_word(w, mute.hash);
}

/* Means of the clusters of task 0, and distances to the rows of task 1. */
RUN_ROW(means)
{
    const mtc_data *X = &s->task[0], *Y = &s->task[1];
    size_t k = s->k, d = X->d;
    mtc_status st = mtc_data_check(ctx, X, 0);
    if (st == MTC_OK)
        st = mtc_data_check(ctx, Y, 1);
    for (size_t i = 0; st == MTC_OK && i < X->n; i++)
        if (s->labels[0][i] < 0 || (size_t)s->labels[0][i] >= k)
            st = bare(ctx, MTC_INVALID);
    if (st == MTC_OK && Y->d != d)
        st = bare(ctx, MTC_INVALID);
    size_t reals = mtc_add(mtc_mul(k, mtc_add(d, 1)), Y->n);
    arrays a;
    if (st != MTC_OK || (st = arrays_take(ctx, &a, 0, 0, reals)) != MTC_OK)
        return st;
    mtc_real *distance = a.reals + k * (d + 1);
    for (size_t i = 0; i < Y->n; i++)
        distance[i] = mtc_data_distance(X, i % X->n, Y, i);
    mtc_data_means(X, s->labels[0], k, a.reals, a.reals + k * d);
    return arrays_done(ctx, &a, st, out);
}

/* A copy of the square as a plain matrix [n*n], made symmetric. */
static mtc_status square_take(mtc_context *ctx, const scene *s, size_t extra,
                              arrays *a)
{
    size_t n = s->square.n;
    mtc_status st = mtc_data_check(NULL, &s->square, 0);
    if (st != MTC_OK || s->square.d != n)
        return bare(ctx, st != MTC_OK ? st : MTC_INVALID);
    st = arrays_take(ctx, a, 0, 0, mtc_add(mtc_mul(n, n), extra));
    if (st != MTC_OK)
        return st;
    memset(a->reals, 0, n * n * sizeof(mtc_real));
    for (size_t i = 0; i < n; i++)
        mtc_data_axpy(&s->square, i, 1, a->reals + i * n);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            a->reals[j * n + i] = a->reals[i * n + j];
    return st;
}

/* A A + A, its Cholesky factor made safe by a diagonal, and a solve. */
RUN_ROW(cholesky)
{
    size_t n = s->square.n;
    arrays a;
    mtc_status st = square_take(ctx, s, mtc_add(mtc_mul(n, n), n), &a);
    if (st != MTC_OK)
        return st;
    mtc_real *C = a.reals + n * n, *b = C + n * n;
    size_t bytes = mtc_gemm_work(n, n, n);
    int lent = throw_die(s) % 2 == 0;
    void *work = lent ? take_array(ctx, bytes, 1) : NULL;
    if (lent && work == NULL)
        return arrays_spent(ctx, &a, MTC_NO_MEMORY, out);
    memcpy(C, a.reals, n * n * sizeof(mtc_real));
    mtc_syrk(0, n, n, 1, a.reals, n, 1, C, n, work);
    mtc_gemm(0, 1, n, n, n, (mtc_real)0.5, a.reals, n, a.reals, n, 1, C, n,
             work);
    for (size_t i = 0; i < n; i++) {
        C[i * n + i] += (mtc_real)n;
        b[i] = (mtc_real)i;
    }
    st = bare(ctx, mtc_cholesky(n, C, n, work));
    if (st == MTC_OK)
        mtc_cholesky_solve(n, 1, C, n, b, 1, work);
    give_array(ctx, work, bytes, 1);
    return arrays_spent(ctx, &a, st, out);
}

RUN_ROW(qr)
{
    size_t n = s->square.n, p = n < 5 ? n : 5;
    arrays a;
    mtc_status st = square_take(ctx, s, mtc_mul(p, p), &a);
    if (st != MTC_OK)
        return st;
    size_t bytes = mtc_qr_work(n, p);
    void *work = take_array(ctx, bytes, 1);
    st = work == NULL ? MTC_NO_MEMORY
                      : bare(ctx, mtc_qr(n, p, a.reals, n, a.reals + n * n, p,
                                         work));
    give_array(ctx, work, bytes, 1);
    return arrays_spent(ctx, &a, st, out);
}

/* Eigenpairs by one of three roads. */
static mtc_status eigen_any(mtc_context *ctx, scene *s, int road, void *out)
{
    size_t n = s->square.n, count = n < 4 ? n : 4, first = (n - count) / 2;
    arrays a;
    mtc_status st = square_take(ctx, s, mtc_add(mtc_mul(n, n), n), &a);
    if (st != MTC_OK)
        return st;
    mtc_real *V = a.reals + n * n, *w = V + n * n;
    size_t bytes = road == 0 ? mtc_jacobi_work(n) : 0;
    void *work = take_array(ctx, bytes, 1);
    if (work == NULL)
        return arrays_spent(ctx, &a, MTC_NO_MEMORY, out);
    memset(V, 0, (n * n + n) * sizeof(mtc_real));
    if (road == 0)
        st = bare(ctx, mtc_jacobi(n, a.reals, n, w, V, n, work));
    else if (road == 1)
        st = mtc_symeig(ctx, n, a.reals, n, w, V, n);
    else
        st = mtc_symeig_range(ctx, n, a.reals, n, first, count, w, V, n);
    memset(a.reals, 0, n * n * sizeof(mtc_real));
    give_array(ctx, work, bytes, 1);
    return arrays_spent(ctx, &a, st, out);
}

RUN_ROW(jacobi)
{
    return eigen_any(ctx, s, 0, out);
}

RUN_ROW(symeig)
{
    return eigen_any(ctx, s, 1, out);
}

RUN_ROW(symeig_range)
{
    return eigen_any(ctx, s, 2, out);
}

static mtc_status square_times(void *user, size_t n, size_t p,
                               const mtc_real *V, mtc_real *AV)
{
    (void)n;
    mtc_data_times((const mtc_data *)user, p, V, p, AV, p, NULL);
    return MTC_OK;
}

RUN_ROW(eigen_operator)
{
    size_t n = s->square.n, count = pick_size(s, 2, 1, 4);
    arrays a;
    mtc_status st = mtc_data_check(ctx, &s->square, 0);
    if (st != MTC_OK || s->square.d != n)
        return st != MTC_OK ? st : MTC_INVALID;
    st = arrays_take(ctx, &a, 0, 0,
                     mtc_add(mtc_mul(n, count), mtc_add(count, 1)));
    if (st != MTC_OK)
        return st;
    mtc_real tolerance = pick_real(s, 0, 0, 1);
    size_t applications = pick_size(s, 60, 1, 60);
    st = mtc_eigen_operator(ctx, n, square_times, &s->square, count,
                            tolerance, applications, a.reals,
                            a.reals + count + 1, count, a.reals + count);
    return arrays_done(ctx, &a, st, out);
}

RUN_ROW(spectral)
{
    size_t n = s->square.n, k = pick_size(s, 2, 1, 5);
    arrays a;
    mtc_status st = arrays_take(ctx, &a, 0, 0, mtc_add(mtc_mul(n, k), k));
    if (st != MTC_OK)
        return st;
    st = mtc_spectral(ctx, &s->square, k, a.reals + k, a.reals);
    return arrays_done(ctx, &a, st, out);
}
