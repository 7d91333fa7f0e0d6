/* SPDX-License-Identifier: MIT
 *
 * tritl.c - TriplexTL (Zhuang et al. 2013): sources and target factorized
 * together with word concepts of three kinds.
 *
 *   A1  start: F, H random; G_t soft, by logistic regression on the sources
 *   A2  F1, F2_r, F3_r: F *= sum R_r H' / sum S_r H'     sums over the domains
 *   A3  H1, H2, H3_r: H *= sum F'R_r / sum F'S_r         that share it
 *   A4  G_t *= X_t C_t / (G_t C_t'C_t), of the target t
 *   A5  rows of G_t to sum 1 (of zeros: 1/c); columns of F1 and F3_r to sum 1,
 *       of all F2_r to sum 1 on average; H takes the factor, C stays
 *   A6  A2 to A5 again; label = largest of a row of G_t
 * each with the latest of all others; 0/0 counts as 0.
 *
 *   R_r = X_r'G_r   XG [R][d*c]     C_r                C [R][d*c]
 *   E_r = G_r'G_r   GG [R][c*c]     S_r = C_r E_r      S [R][d*c]
 * |X - G C'|^2 = |X|^2 + <C, S - 2 XG>: only X'G and X C touch the data.
 * Factors i = 0..5 are F1 F2 F3 H1 H2 H3, G_t is behind them.
 */
#define CMP_INTERNAL
#include "compared.h"

#define TRITL_FLOOR ((mtc_real)0.01)    /* of random starts: 0 stays 0 */
#define TRITL_NEAR ((mtc_real)0.2)      /* of classes that are not given */
#define TRITL_OWN(i) ((i) % 3 > (i) / 3)    /* is factor i each domain's? */

typedef struct tritl_job {
    cmp_tritl_result r;                 /* comes first: tritl_shape */
    const cmp_tritl_options *o;
    const int *const *labels;           /* of the sources */
    size_t R, d, c, k[3], at[8];        /* domains; where factors begin */
    mtc_data *X;                        /* [R] rows of sum 1, ours */
    mtc_real *XG, *GG, *C, *S;
    mtc_real *CC, *up, *down;           /* C'C of the target; of a ratio */
    void *work;                         /* of products */
    mtc_real square;                    /* |X|^2 of all domains */
    size_t only;                        /* the sources' one class, or NONE */
} tritl_job;

cmp_tritl_options cmp_tritl_defaults(void)
{
    return (cmp_tritl_options){.classes = 2, .identical = 20, .alike = 20,
                               .distinct = 10, .start = CMP_TRITL_INFORMED,
                               .exponent = 1, .iterations = 100};
}

static const char *tritl_wrong(const cmp_tritl_options *o)
{
    return (o->identical | o->alike | o->distinct) == 0
               ? "identical, alike, distinct: need 1 or more in all"
           : o->start != CMP_TRITL_INFORMED && o->start != CMP_TRITL_RANDOM
               ? "start: need informed or random"
           : o->exponent != 1 && o->exponent != (mtc_real)0.5
               ? "exponent: need 1 or .5"
           : !cmp_is_real(o->tolerance, 0, CMP_HUGE)
               ? "tolerance: need 0 or more" : NULL;
}

static void tritl_shape(cmp_carver *c, void *result)
{
    tritl_job *j = (tritl_job *)result;             /* which begins with it */
    j->r.labels = CMP_CARVE(c, j->r.n, int);
    j->r.objective = CMP_CARVE(c, cmp_add(j->o->iterations, 1), mtc_real);
    j->r.factors = CMP_CARVE(c, j->at[7], mtc_real);
    j->r.target = c->base == NULL ? NULL : j->r.factors + j->at[6];
}

/* Factor i of domain r. */
static mtc_real *tritl_at(const tritl_job *j, size_t i, size_t r)
{
    size_t all = j->at[i + 1] - j->at[i];
    return j->r.factors + j->at[i] + (TRITL_OWN(i) ? all / j->R * r : 0);
}

/* ---- A2 to A5 ---------------------------------------------------------- */

/* C and S of domain r, after a change of F, H or G. */
static void tritl_refresh(tritl_job *j, size_t r)
{
    size_t d = j->d, c = j->c;
    mtc_real *C = j->C + r * d * c;
    for (size_t p = 0; p < 3; p++)
        mtc_gemm(0, 0, d, c, j->k[p], 1, tritl_at(j, p, r), j->k[p],
                 tritl_at(j, p + 3, r), c, p > 0, C, c, j->work);
    mtc_gemm(0, 0, d, c, c, 1, C, c, j->GG + r * c * c, c, 0,
             j->S + r * d * c, c, j->work);
}

/* x [count] *= (up / down)^exponent; no factor is above 1/eps. */
static void tritl_multiply(const tritl_job *j, size_t count, mtc_real *x)
{
    for (size_t e = 0; e < count; e++) {
        mtc_real up = j->up[e], down = j->down[e];
        mtc_real ratio = !(down > 0)           ? 0
                         : up < down / CMP_EPS ? up / down : 1 / CMP_EPS;
        x[e] *= j->o->exponent == 1 ? ratio : cmp_sqrt(ratio);
    }
}

/* A2, A3: factor i, which domains first..last-1 share. */
static void tritl_change(tritl_job *j, size_t i, size_t first, size_t last)
{
    size_t d = j->d, c = j->c, k = j->k[i % 3];
    for (size_t r = first; r < last; r++)
        for (int below = 0; below < 2; below++) {
            const mtc_real *W = (below ? j->S : j->XG) + r * d * c;
            mtc_real *out = below ? j->down : j->up, more = r > first;
            if (i < 3)                              /* W H' or F'W */
                mtc_gemm(0, 1, d, k, c, 1, W, c, tritl_at(j, i + 3, r), c,
                         more, out, k, j->work);
            else
                mtc_gemm(1, 0, k, c, d, 1, tritl_at(j, i - 3, r), k, W, c,
                         more, out, c, j->work);
        }
    tritl_multiply(j, k * (i < 3 ? d : c), tritl_at(j, i, first));
    for (size_t r = first; r < last; r++)
        tritl_refresh(j, r);
}

/* x_0, x_step, .. to a sum of `share`; returns what they are divided by, or 0:
 * then they are 0, and stay. */
static mtc_real tritl_unit(size_t count, size_t step, size_t share,
                           mtc_real *x)
{
    mtc_real sum = 0;
    for (size_t e = 0; e < count; e++)
        sum += x[e * step] / (mtc_real)share;
    for (size_t e = 0; e < count && sum > 0; e++)
        x[e * step] /= sum;
    return sum;
}

/* A5: columns of F, over all `share` domains of one H, whose rows take the
 * factor. */
static void tritl_scale_F(tritl_job *j)
{
    for (size_t p = 0; p < 3; p++)
        for (size_t r = 0, share = p == 1 ? j->R : 1; r < (p == 2 ? j->R : 1);
             r++)
            for (size_t f = 0; f < j->k[p]; f++) {
                mtc_real *H = tritl_at(j, p + 3, r) + f * j->c;
                mtc_real sum = tritl_unit(share * j->d, j->k[p], share,
                                          tritl_at(j, p, r) + f);
                for (size_t z = 0; z < j->c && sum > 0; z++)
                    H[z] *= sum;
            }
}

static void tritl_scale_G(tritl_job *j)
{
    mtc_real *G = j->r.target;
    for (size_t i = 0; i < j->r.n; i++, G += j->c)
        if (!(tritl_unit(j->c, 1, 1, G) > 0))
            for (size_t z = 0; z < j->c; z++)
                G[z] = 1 / (mtc_real)j->c;
}

static void tritl_sweep(tritl_job *j)
{
    size_t c = j->c, n = j->r.n, t = j->R - 1;
    for (size_t i = 0; i < 6; i++)                              /* A2, A3 */
        for (size_t r = 0, share = TRITL_OWN(i) ? 1 : j->R; r <= t; r += share)
            tritl_change(j, i, r, r + share);
    const mtc_real *C = j->C + t * j->d * c;
    mtc_data_times(&j->X[t], c, C, c, j->up, c, NULL);          /* A4 */
    mtc_syrk(1, c, j->d, 1, C, c, 0, j->CC, c, NULL);
    mtc_gemm(0, 0, n, c, c, 1, j->r.target, c, j->CC, c, 0, j->down, c,
             j->work);
    tritl_multiply(j, n * c, j->r.target);
    tritl_scale_G(j);                                           /* A5 */
    tritl_scale_F(j);
}

/* The objective; XG, GG and S of the latest G. */
static mtc_real tritl_objective(tritl_job *j)
{
    size_t c = j->c, t = j->R - 1;
    mtc_real sum = j->square, *G = j->r.target;
    mtc_data_transpose_times(&j->X[t], c, G, c, j->XG + t * j->d * c, c, NULL);
    mtc_syrk(1, c, j->r.n, 1, G, c, 0, j->GG + t * c * c, c, NULL);
    tritl_refresh(j, t);
    for (size_t e = 0; e < j->R * j->d * c; e++)
        sum += j->C[e] * (j->S[e] - 2 * j->XG[e]);
    return sum;
}

/* ---- A1: start --------------------------------------------------------- */

/* Copies of the data with rows of sum 1; XG and GG of the sources. */
static void tritl_load(cmp_room *room, tritl_job *j)
{
    size_t c = j->c;
    j->only = (size_t)j->labels[0][0];
    for (size_t r = 0; r < j->R; r++) {
        mtc_data X = j->X[r] = cmp_stack(room, &j->X[r], 1);
        for (size_t i = 0; room->status == MTC_OK && i < X.n; i++) {
            mtc_real *row = (mtc_real *)X.values + cmp_begin(&X, i); /* ours */
            size_t stored = cmp_end(&X, i) - cmp_begin(&X, i);
            tritl_unit(stored, 1, 1, row);
            j->square += mtc_dot(stored, row, row);
            size_t z = r < j->R - 1 ? (size_t)j->labels[r][i] : j->only;
            j->only = z == j->only ? z : MTC_NONE;
            if (r < j->R - 1)
                j->GG[(r * c + z) * c + z] += 1;
        }
        if (room->status == MTC_OK && r < j->R - 1)
            cmp_class_weights(&X, j->labels[r], c, j->XG + r * j->d * c);
    }
}

/* G by logistic regression on the sources, by the words that these use, and .01
 * of equal shares: how TTL starts the G of a bridge, here the target itself.
 * Without a word in common there is no such G, and it stays as it is. */
static mtc_status tritl_inform(mtc_context *ctx, tritl_job *j)
{
    mtc_context own = ctx != NULL ? *ctx : mtc_context_defaults();
    mtc_ttl_options o = mtc_ttl_defaults();
    mtc_ttl_result r = {.classes = 0};
    o.classes = j->c;
    o.features = o.common = 1;                      /* it needs no factors */
    o.variant = MTC_TTL_PUBLISHED;
    o.iterations = 0;
    size_t t = j->R - 1;
    mtc_status s = mtc_ttl(&own, j->X, j->labels, t, &j->X[t], NULL, 1,
                           &j->X[t], &o, &r);
    if (s == MTC_OK)
        memcpy(j->r.target, r.bridge[0], j->r.n * j->c * sizeof *r.bridge[0]);
    else if (s != MTC_INVALID && ctx != NULL)
        ctx->error = own.error;
    mtc_free(&own, &r.block);
    return s == MTC_INVALID ? MTC_OK : s;           /* nothing in common */
}

/* What is given as it is; else F of sum 1 and H random, G informed. */
static mtc_status tritl_start(mtc_context *ctx, tritl_job *j)
{
    const mtc_real *given = j->o->start_factors;
    const int *label = j->o->start_labels;
    mtc_random random = cmp_stream(ctx, 0);
    mtc_status s = MTC_OK;
    for (size_t e = 0, g = j->at[6]; e < j->at[7]; e++) {
        if (e == j->at[3] && given == NULL)
            tritl_scale_F(j);                       /* H is 0 still */
        j->r.factors[e] =
            given != NULL ? given[e]
            : e < g || label == NULL ? mtc_random_real(&random) + TRITL_FLOOR
            : TRITL_NEAR + (label[(e - g) / j->c] == (int)((e - g) % j->c));
    }
    if (given == NULL)
        tritl_scale_G(j);
    if (given == NULL && label == NULL && j->o->start == CMP_TRITL_INFORMED)
        s = tritl_inform(ctx, j);
    for (size_t r = 0; r < j->R; r++)
        tritl_refresh(j, r);
    j->r.objective[0] = tritl_objective(j);
    return s != MTC_OK || CMP_FINITE(j->r.objective[0])
               ? s : cmp_check_options(ctx, "start: values are too large");
}

static mtc_status tritl_work(mtc_context *ctx, tritl_job *j)
{
    cmp_tritl_result *r = &j->r;
    size_t T = j->o->iterations, it = 0;
    mtc_status s = tritl_start(ctx, j);                         /* A1 */
    for (; s == MTC_OK && it < T && !r->converged; it++) {
        mtc_real before = r->objective[it], least = j->o->tolerance * before;
        s = cmp_tick(ctx, "tritl", it, T);
        tritl_sweep(j);
        r->objective[it + 1] = tritl_objective(j);
        r->converged = least > 0 && before - r->objective[it + 1] <= least;
    }
    r->iterations = it;
    for (size_t i = 0; i < r->n; i++)                           /* A6 */
        r->labels[i] = (int)(j->only != MTC_NONE ? j->only
                             : cmp_argmax(j->c, r->target + i * j->c));
    return s;
}

/* ---- the call ---------------------------------------------------------- */

/* All of it is 0 or more. */
static mtc_status tritl_check(mtc_context *ctx, const tritl_job *j,
                              const mtc_data *sources, const mtc_data *target)
{
    mtc_data start = mtc_dense(j->at[7], 1, j->o->start_factors);
    size_t t = j->R - 1;
    mtc_status s = MTC_OK;
    for (size_t r = 0; s == MTC_OK && r <= t; r++)
        s = cmp_check_nonnegative(ctx, r < t ? &sources[r] : target, r);
    if (s == MTC_OK && j->o->start_labels != NULL)
        s = cmp_check_labels(ctx, j->o->start_labels, j->r.n, j->c, t);
    if (s == MTC_OK && start.values != NULL)
        s = mtc_data_check(ctx, &start, MTC_NONE);
    return s != MTC_OK || start.values == NULL
               ? s : cmp_check_nonnegative(ctx, &start, MTC_NONE);
}

mtc_status cmp_tritl(mtc_context *ctx, const mtc_data *sources,
                     const int *const *source_labels, size_t n_sources,
                     const mtc_data *target, const cmp_tritl_options *opt,
                     cmp_tritl_result *res)
{
    const cmp_tritl_options usual = cmp_tritl_defaults();
    const cmp_tritl_options *o = opt != NULL ? opt : &usual;
    mtc_status s = cmp_check_options(ctx, res == NULL ? "result"
                                                      : tritl_wrong(o));
    if (s == MTC_OK)
        s = cmp_check_transfer(ctx, sources, source_labels, n_sources, target,
                               o->classes, 0);
    if (s != MTC_OK)
        return s;
    size_t n = target->n, d = target->d, c = o->classes, R = n_sources + 1;
    size_t cells = cmp_mul(cmp_mul(R, d), c);
    size_t wide = cmp_add(cmp_add(o->identical, o->alike),
                          cmp_add(o->distinct, c));
    tritl_job j = {.r = {.n = n}, .o = o, .labels = source_labels, .R = R,
                   .d = d, .c = c, .k = {o->identical, o->alike, o->distinct}};
    for (size_t i = 0; i < 7; i++)
        j.at[i + 1] = cmp_add(
            j.at[i], i == 6 ? cmp_mul(n, c)
                            : cmp_mul(cmp_mul(i < 3 ? d : c, j.k[i % 3]),
                                      TRITL_OWN(i) ? R : 1));
    if ((s = tritl_check(ctx, &j, sources, target)) != MTC_OK)
        return s;
    cmp_room room = cmp_open(ctx);
    cmp_result(&room, tritl_shape, &j, sizeof j.r);
    j.X = cmp_with_target(&room, sources, n_sources, target);
    j.XG = CMP_TAKE(&room, cells, mtc_real);
    j.C = CMP_TAKE(&room, cells, mtc_real);
    j.S = CMP_TAKE(&room, cells, mtc_real);
    j.GG = CMP_TAKE(&room, cmp_mul(cmp_mul(R, c), c), mtc_real);
    j.CC = CMP_TAKE(&room, cmp_mul(c, c), mtc_real);
    j.up = CMP_TAKE(&room, j.at[7], mtc_real);
    j.down = CMP_TAKE(&room, j.at[7], mtc_real);
    j.work = cmp_take(&room, mtc_gemm_work(j.at[7], wide, j.at[7]), 1);
    if (room.status == MTC_OK)
        tritl_load(&room, &j);
    if ((s = room.status) == MTC_OK)
        s = tritl_work(ctx, &j);
    return cmp_close(&room, s, &j.r, sizeof j.r, res);
}
