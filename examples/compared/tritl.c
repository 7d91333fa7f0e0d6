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
 *   A6  A2 to A5 again; label = largest of a row of G_t that a source has
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
#define TRITL_OWN(i) ((i) % 3 > (i) / 3)    /* is factor i each domain's? */

typedef struct tritl_job {
    cmp_tritl_result r;
    const cmp_tritl_options *o;
    cmp_world w;
    size_t R, k[3], at[8];              /* domains; where factors begin */
    mtc_data *X;                        /* [R] rows of sum 1, ours */
    mtc_real *G, *XG, *GG, *C, *S, *CC; /* G of sources, C'C of the target */
    mtc_real *up, *down, square;        /* of a ratio; |X|^2 of all domains */
    void *work;                         /* of products */
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
           : !cmp_is_real(o->tolerance, 0, ADV_HUGE)
               ? "tolerance: need 0 or more" : NULL;
}

static void tritl_shape(adv_carver *c, void *job)
{
    tritl_job *j = (tritl_job *)job;
    j->r.labels = ADV_CARVE(c, j->r.n, int);
    j->r.objective = ADV_CARVE(c, adv_add(j->o->iterations, 1), mtc_real);
    j->r.factors = ADV_CARVE(c, j->at[7], mtc_real);
    j->r.target = c->base == NULL ? NULL : j->r.factors + j->at[6];
}

/* Factor i of domain r. */
static mtc_real *tritl_at(const tritl_job *j, size_t i, size_t r)
{
    size_t all = j->at[i + 1] - j->at[i];
    return j->r.factors + j->at[i] + (TRITL_OWN(i) ? all / j->R * r : 0);
}

/* C and S of domain r, after a change of F, H or G. */
static void tritl_refresh(tritl_job *j, size_t r)
{
    size_t d = j->w.d, c = j->w.c;
    mtc_real *C = j->C + r * d * c;
    for (size_t p = 0; p < 3; p++)
        mtc_gemm(0, 0, d, c, j->k[p], 1, tritl_at(j, p, r), j->k[p],
                 tritl_at(j, p + 3, r), c, p > 0, C, c, j->work);
    mtc_gemm(0, 0, d, c, c, 1, C, c, j->GG + r * c * c, c, 0,
             j->S + r * d * c, c, j->work);
}

/* A2 to A4: factor i, which domains first..last-1 share, times (up /
 * down)^exponent; no ratio is above 1/eps.  W H' of an F and F'W of an H, where
 * W is R above and S below; of G_t X C and G C'C. */
static void tritl_change(tritl_job *j, size_t i, size_t first, size_t last)
{
    size_t d = j->w.d, c = j->w.c, n = j->r.n, k = i < 6 ? j->k[i % 3] : n;
    mtc_real *x = i < 6 ? tritl_at(j, i, first) : j->r.target;
    for (size_t r = first; r < last; r++)
        for (int below = 0; i < 6 && below < 2; below++) {
            const mtc_real *W = (below ? j->S : j->XG) + r * d * c;
            mtc_real *out = below ? j->down : j->up, more = r > first;
            if (i < 3)
                mtc_gemm(0, 1, d, k, c, 1, W, c, tritl_at(j, i + 3, r), c,
                         more, out, k, j->work);
            else
                mtc_gemm(1, 0, k, c, d, 1, tritl_at(j, i - 3, r), k, W, c,
                         more, out, c, j->work);
        }
    if (i == 6) {
        const mtc_real *C = j->C + first * d * c;
        mtc_data_times(&j->X[first], c, C, c, j->up, c, NULL);
        mtc_syrk(1, c, d, 1, C, c, 0, j->CC, c, NULL);
        mtc_gemm(0, 0, n, c, c, 1, x, c, j->CC, c, 0, j->down, c, j->work);
    }
    for (size_t e = 0; e < k * (i < 3 ? d : c); e++) {
        mtc_real up = j->up[e], down = j->down[e];
        mtc_real ratio = !(down > 0)           ? 0
                         : up < down / CMP_EPS ? up / down : 1 / CMP_EPS;
        x[e] *= j->o->exponent == 1 ? ratio : ADV_SQRT(ratio);
    }
    for (size_t r = first; i < 6 && r < last; r++)
        tritl_refresh(j, r);
}

/* A5: columns of F, over all `share` domains of one H, whose rows take the
 * factor; a column of zeros stays. */
static void tritl_scale_F(tritl_job *j)
{
    for (size_t p = 0, R = j->R; p < 3; p++)
        for (size_t r = 0, share = p == 1 ? R : 1; r < (p == 2 ? R : 1); r++)
            for (size_t f = 0, k = j->k[p], rows = share * j->w.d; f < k; f++) {
                mtc_real *F = tritl_at(j, p, r) + f, sum = 0;
                mtc_real *H = tritl_at(j, p + 3, r) + f * j->w.c;
                for (size_t w = 0; w < rows; w++)
                    sum += F[w * k] / (mtc_real)share;
                for (size_t w = 0; w < rows && sum > 0; w++)
                    F[w * k] /= sum;
                for (size_t z = 0; z < j->w.c && sum > 0; z++)
                    H[z] *= sum;
            }
}

static void tritl_scale_G(tritl_job *j)
{
    for (size_t i = 0, c = j->w.c; i < j->r.n; i++) {
        mtc_real *G = j->r.target + i * c, sum = 0;
        for (size_t z = 0; z < c; z++)
            sum += G[z];
        for (size_t z = 0; z < c; z++)
            G[z] = sum > 0 ? G[z] / sum : 1 / (mtc_real)c;
    }
}

/* What domain r has of its G. */
static void tritl_fold(tritl_job *j, size_t r, const mtc_real *G)
{
    size_t c = j->w.c;
    mtc_real *XG = j->XG + r * j->w.d * c;
    mtc_data_transpose_times(&j->X[r], c, G, c, XG, c, NULL);
    mtc_syrk(1, c, j->X[r].n, 1, G, c, 0, j->GG + r * c * c, c, NULL);
    tritl_refresh(j, r);
}

/* Of the latest G. */
static mtc_real tritl_objective(tritl_job *j)
{
    mtc_real sum = j->square;
    tritl_fold(j, j->R - 1, j->r.target);
    for (size_t e = 0; e < j->R * j->w.d * j->w.c; e++)
        sum += j->C[e] * (j->S[e] - 2 * j->XG[e]);
    return sum;
}

/* A1: what is given as it is; else F of sum 1 and H random, G informed. */
static mtc_status tritl_start(adv_desk *desk, tritl_job *j)
{
    const mtc_real *given = j->o->start_factors, *G = j->G;
    const int *label = j->o->start_labels;
    size_t c = j->w.c;
    mtc_random random = cmp_stream(desk->ctx, 0);
    for (size_t e = 0, g = j->at[6]; e < j->at[7]; e++) {
        if (e == j->at[3] && given == NULL)
            tritl_scale_F(j);                       /* H is 0 still */
        j->r.factors[e] =
            given != NULL ? given[e]
            : e < g || label == NULL ? mtc_random_real(&random) + TRITL_FLOOR
            : (mtc_real)0.2 + (label[(e - g) / c] == (int)((e - g) % c));
    }
    if (given == NULL && label == NULL && j->o->start == CMP_TRITL_INFORMED)
        ADV_TRY(cmp_soft_labels(desk, j->X, j->R - 1, j->w.y,
                                &j->X[j->R - 1], c, j->r.target));
    if (given == NULL)
        tritl_scale_G(j);
    for (size_t r = 0; r < j->R - 1; G += j->X[r++].n * j->w.c)
        tritl_fold(j, r, G);
    j->r.objective[0] = tritl_objective(j);
    return ADV_FINITE(j->r.objective[0])
               ? MTC_OK
               : adv_refuse(desk->ctx, MTC_INVALID, "start: too large");
}

static mtc_status tritl_work(adv_desk *desk, void *job)
{
    tritl_job *j = (tritl_job *)job;
    size_t most = j->o->iterations, c = j->w.c, *it = &j->r.iterations;
    size_t wide = adv_add(c, adv_add(j->k[0], adv_add(j->k[1], j->k[2])));
    ADV_REALS(desk, adv_mul(adv_mul(j->R, j->w.d), c), &j->XG, &j->C, &j->S);
    ADV_REALS(desk, adv_mul(adv_mul(j->R, c), c), &j->GG, &j->CC);
    ADV_REALS(desk, adv_mul(j->w.u0, c), &j->G);
    ADV_REALS(desk, j->at[7], &j->up, &j->down);
    j->work = adv_take(desk, mtc_gemm_work(j->at[7], wide, j->at[7]), 1);
    j->X = ADV_TAKE(desk, j->R, mtc_data);
    ADV_TRY(cmp_gather(desk, &j->w));
    for (size_t i = 0; i < j->w.u0; i++)
        j->G[i * c + (size_t)j->w.y[i]] = 1;
    for (size_t r = 0; r < j->R; r++) {
        mtc_data X = j->X[r] = cmp_unit_rows(desk, &j->w.sets[r], CMP_SUM);
        ADV_TRY(desk->status);
        j->square += mtc_dot(adv_end(&X, X.n - 1), X.values, X.values);
    }
    ADV_TRY(tritl_start(desk, j));                              /* A1 */
    for (; *it < most && !j->r.converged; ++*it) {
        mtc_real *value = j->r.objective + *it, share = j->o->tolerance;
        ADV_TRY(adv_tick(desk->ctx, "tritl", *it, most));
        for (size_t i = 0; i < 6; i++)                          /* A2, A3 */
            for (size_t r = 0, n = TRITL_OWN(i) ? 1 : j->R; r < j->R; r += n)
                tritl_change(j, i, r, r + n);
        tritl_change(j, 6, j->R - 1, j->R);                     /* A4 */
        tritl_scale_G(j);                                       /* A5 */
        tritl_scale_F(j);
        value[1] = tritl_objective(j);
        j->r.converged = share > 0 && value[0] - value[1] <= share * value[0];
    }
    for (size_t i = 0; i < j->r.n; i++)                         /* A6 */
        j->r.labels[i] = (int)cmp_argmax_of(c, j->r.target + i * c, j->w.count);
    return MTC_OK;
}

mtc_status cmp_tritl(mtc_context *ctx, const mtc_data *sources,
                     const int *const *source_labels, size_t n_sources,
                     const mtc_data *target, const cmp_tritl_options *opt,
                     cmp_tritl_result *res)
{
    const cmp_tritl_options usual = cmp_tritl_defaults(),
                            *o = opt != NULL ? opt : &usual;
    tritl_job j = {.w = CMP_WORLD, .o = o, .R = n_sources + 1,
                   .k = {o->identical, o->alike, o->distinct}};
    ADV_TRY(cmp_enter(ctx, res == NULL ? "result" : tritl_wrong(o), CMP_COUNTS,
                      &j.w));
    j.r.n = j.w.n;
    for (size_t i = 0; i < 7; i++) {
        size_t rows = i == 6 ? j.w.n : j.k[i % 3], wide = i < 3 ? j.w.d : j.w.c;
        size_t copies = i < 6 && TRITL_OWN(i) ? j.R : 1;
        j.at[i + 1] = adv_add(j.at[i], adv_mul(adv_mul(rows, wide), copies));
    }
    mtc_data start = mtc_dense(j.at[7], 1, o->start_factors);
    ADV_TRY(cmp_check_start(ctx, o->start_labels, j.w.n, j.w.c, n_sources));
    if (start.values != NULL)
        ADV_TRY(mtc_data_check(ctx, &start, MTC_NONE));
    if (start.values != NULL)
        ADV_TRY(cmp_check_nonnegative(ctx, &start, MTC_NONE));
    return cmp_run(ctx, tritl_shape, tritl_work, &j, sizeof j.r, res);
}
