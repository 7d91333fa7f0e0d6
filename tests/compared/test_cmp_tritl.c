/* SPDX-License-Identifier: MIT
 *
 * TriplexTL against worked cases and against a plain program of its formulas,
 * in which no block raises the objective; starts, scales and corners.
 */
#include <math.h>

#define CMP_INTERNAL
#include "../../examples/compared/compared.h"
#include "cmp_sweep.h"
#include "golden/cmp_tritl.h"
#include "greatest.h"
#include "test_util.h"

static const double worked_tolerance = sizeof(mtc_real) == 8 ? 1e-8 : 1e-3;

/* The last of `domains` tasks is the target. */
static test_tasks world;
static size_t domains;

typedef struct tritl_input { cmp_tritl_options o; int sparse; } tritl_input;

static mtc_status run_tritl(mtc_context *ctx, void *user, void *out)
{
    const tritl_input *in = (const tritl_input *)user;
    const mtc_data *set = in->sparse ? world.csr : world.dense;
    return cmp_tritl(ctx, set, world.labels, domains - 1, set + domains - 1,
                     &in->o, (cmp_tritl_result *)out);
}

/* R domains of n + r documents over d words: those of class z use the words
 * with w % c == z more; a third of all values is 0. */
static void make_world(size_t R, size_t n, size_t d, size_t c, uint64_t seed)
{
    mtc_random g = mtc_random_seed(seed);
    domains = R;
    for (size_t t = 0; t < R; t++) {
        for (size_t i = 0; i < n + t; i++) {
            world.start[t][i] = (int)(i % c);
            for (size_t w = 0; w < d; w++)
                world.x[t][i * d + w] = (mtc_real)(
                    mtc_random_below(&g, 3) == 0 ? 0
                    : w % c == i % c             ? 2 + mtc_random_below(&g, 7)
                                                 : mtc_random_below(&g, 3));
        }
        test_views(&world, t, n + t, d);
    }
}

/* Factors one behind the other, as the worked cases have them; sizes [6]. */
static void factor_sizes(const size_t *k, size_t R, size_t d, size_t c,
                         size_t *sizes)
{
    for (size_t i = 0; i < 6; i++)
        sizes[i] = k[i % 3] * (i < 3 ? d : c) * (i == 1 || i == 2 || i == 5
                                                     ? R : 1);
}

/* ---- worked cases ------------------------------------------------------ */

TEST tritl_worked_case(const tritl_case *g, int sparse)
{
    enum { MOST = 400 };
    mtc_context ctx = test_context();
    tritl_input in = {cmp_tritl_defaults(), sparse};
    cmp_tritl_result r;
    mtc_real start[MOST];
    size_t sizes[6], all = 0, free_G = g->m * g->c;
    factor_sizes(g->k, 2, g->d, g->c, sizes);
    for (size_t i = 0; i < 6; i++)
        all += sizes[i];
    ASSERT(all + free_G <= MOST);
    for (size_t e = 0; e < all + free_G; e++)
        start[e] = (mtc_real)(e < all ? g->start[e] : g->start_G[e - all]);
    domains = 2;
    test_set(&world, 0, g->n, g->d, g->source);
    test_set(&world, 1, g->m, g->d, g->target);
    memcpy(world.start[0], g->labels, g->n * sizeof(int));
    in.o.classes = g->c;
    in.o.identical = g->k[0];
    in.o.alike = g->k[1];
    in.o.distinct = g->k[2];
    in.o.exponent = (mtc_real)g->exponent;
    in.o.start_factors = start;
    for (in.o.iterations = 1; in.o.iterations <= g->iterations;
         in.o.iterations += g->iterations - 1) {
        int last = in.o.iterations > 1;
        ASSERT_EQ(MTC_OK, run_tritl(&ctx, &in, &r));
        ASSERT_EQ(in.o.iterations, r.iterations);
        ASSERT_CLOSE(g->objective, r.objective, r.iterations + 1);
        ASSERT_CLOSE(last ? g->after10_G : g->after1_G, r.target,
                     free_G);
        ASSERT_CLOSE(last ? g->after10 : g->after1, r.factors, all);
        if (last)
            ASSERT_MEM_EQ(g->found, r.labels, g->m * sizeof(int));
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

/* ---- a plain program of the formulas ----------------------------------- */

enum { PLAIN_N = 12, PLAIN_D = 10, PLAIN_C = 4, PLAIN_K = 4, PLAIN_R = 3 };

typedef struct plain_state {
    size_t R, d, c, n[PLAIN_R], k[3];
    double X[PLAIN_R][PLAIN_N * PLAIN_D], G[PLAIN_R][PLAIN_N * PLAIN_C];
    double F[3][PLAIN_R * PLAIN_D * PLAIN_K];
    double H[3][PLAIN_R * PLAIN_K * PLAIN_C];
} plain_state;

static double *plain_F(plain_state *p, size_t part, size_t r)
{
    return p->F[part] + (part > 0 ? r * p->d * p->k[part] : 0);
}

static double *plain_H(plain_state *p, size_t part, size_t r)
{
    return p->H[part] + (part > 1 ? r * p->k[part] * p->c : 0);
}

/* C_r[w,z] */
static double plain_C(plain_state *p, size_t r, size_t w, size_t z)
{
    double sum = 0;
    for (size_t i = 0; i < 3; i++)
        for (size_t f = 0; f < p->k[i]; f++)
            sum += plain_F(p, i, r)[w * p->k[i] + f] *
                   plain_H(p, i, r)[f * p->c + z];
    return sum;
}

/* N_r = G_r C_r'; returns sum_r |X_r - N_r|^2. */
static double plain_model(plain_state *p,
                          double N[PLAIN_R][PLAIN_N * PLAIN_D])
{
    double loss = 0;
    for (size_t r = 0; r < p->R; r++)
        for (size_t w = 0; w < p->d; w++) {
            double C[PLAIN_C];
            for (size_t z = 0; z < p->c; z++)
                C[z] = plain_C(p, r, w, z);
            for (size_t i = 0; i < p->n[r]; i++) {
                double *at = &N[r][i * p->d + w];
                *at = 0;
                for (size_t z = 0; z < p->c; z++)
                    *at += p->G[r][i * p->c + z] * C[z];
                loss += pow(p->X[r][i * p->d + w] - *at, 2);
            }
        }
    return loss;
}

/* One of 6 kinds of blocks, F1 F2 F3 H1 H2 H3, of domain r where each has its
 * own: every entry times (sum X dN / sum N dN)^exponent, d by that entry.
 * Kind 6 is G of the last domain. */
static void plain_change(plain_state *p, size_t kind, size_t r,
                         double exponent)
{
    static double N[PLAIN_R][PLAIN_N * PLAIN_D];
    static double next[PLAIN_R * PLAIN_D * PLAIN_K];
    size_t part = kind % 3, c = p->c, d = p->d, k = p->k[part];
    int all = kind == 0 || kind == 3 || kind == 4;  /* shared */
    size_t rows = kind < 3 ? d : kind < 6 ? k : p->n[r];
    size_t columns = kind < 3 ? k : c;
    double *x = kind < 3 ? plain_F(p, part, r)
                : kind < 6 ? plain_H(p, part, r) : p->G[r];
    plain_model(p, N);
    for (size_t a = 0; a < rows; a++)
        for (size_t b = 0; b < columns; b++) {
            double up = 0, down = 0;
            for (size_t t = all ? 0 : r; t < (all ? p->R : r + 1); t++)
                for (size_t i = 0; i < p->n[t]; i++)
                    for (size_t w = 0; w < d; w++) {
                        double slope = 0;
                        for (size_t z = 0; z < c && kind < 3 && w == a; z++)
                            slope += p->G[t][i * c + z] *
                                     plain_H(p, part, t)[b * c + z];
                        if (kind >= 3 && kind < 6)
                            slope = p->G[t][i * c + b] *
                                    plain_F(p, part, t)[w * k + a];
                        if (kind == 6 && i == a)
                            slope = plain_C(p, t, w, b);
                        up += p->X[t][i * d + w] * slope;
                        down += N[t][i * d + w] * slope;
                    }
            next[a * columns + b] = down > 0 ? pow(up / down, exponent) : 0;
        }
    for (size_t e = 0; e < rows * columns; e++)
        x[e] *= next[e];
}

/* Columns of F, then rows of the target's G, as the method scales them. */
static void plain_scale_F(plain_state *p)
{
    for (size_t part = 0; part < 3; part++)
        for (size_t r = 0; r < (part == 2 ? p->R : 1); r++)
            for (size_t f = 0; f < p->k[part]; f++) {
                size_t k = p->k[part], share = part == 1 ? p->R : 1;
                double sum = 0;
                for (size_t w = 0; w < share * p->d; w++)
                    sum += plain_F(p, part, r)[w * k + f];
                sum = sum > 0 ? sum / (double)share : 1;
                for (size_t w = 0; w < share * p->d; w++)
                    plain_F(p, part, r)[w * k + f] /= sum;
                for (size_t z = 0; z < p->c; z++)
                    plain_H(p, part, r)[f * p->c + z] *= sum;
            }
}

static void plain_scale_G(plain_state *p)
{
    for (size_t i = 0; i < p->n[p->R - 1]; i++) {
        double *G = p->G[p->R - 1] + i * p->c, sum = 0;
        for (size_t z = 0; z < p->c; z++)
            sum += G[z];
        for (size_t z = 0; z < p->c; z++)
            G[z] = sum > 0 ? G[z] / sum : 1 / (double)p->c;
    }
}

/* The world's rows with sum 1, its labels, a random start of everything. */
static void plain_begin(plain_state *p, size_t c, const size_t *k,
                        mtc_random *g)
{
    p->R = domains;
    p->d = world.dense[0].d;
    p->c = c;
    memcpy(p->k, k, sizeof p->k);
    for (size_t r = 0; r < p->R; r++) {
        p->n[r] = world.dense[r].n;
        for (size_t i = 0; i < p->n[r]; i++) {
            double sum = 0;
            for (size_t w = 0; w < p->d; w++)
                sum += (double)world.x[r][i * p->d + w];
            for (size_t w = 0; w < p->d; w++)
                p->X[r][i * p->d + w] = sum > 0
                    ? (double)world.x[r][i * p->d + w] / sum : 0;
            for (size_t z = 0; z < c; z++)
                p->G[r][i * c + z] = r < p->R - 1
                    ? world.start[r][i] == (int)z
                    : 0.1 + (double)mtc_random_real(g);
        }
    }
    for (size_t i = 0; i < 3; i++) {
        for (size_t e = 0; e < p->R * p->d * p->k[i]; e++)
            p->F[i][e] = (double)mtc_random_real(g);
        for (size_t e = 0; e < p->R * p->k[i] * c; e++)
            p->H[i][e] = (double)mtc_random_real(g);
    }
}

/* The state as a start of the method; returns how many numbers are before G. */
static size_t plain_start(const plain_state *p, mtc_real *x)
{
    size_t sizes[6], at = 0;
    factor_sizes(p->k, p->R, p->d, p->c, sizes);
    for (size_t i = 0; i < 6; i++)
        for (size_t e = 0; e < sizes[i]; e++)
            x[at++] = (mtc_real)(i < 3 ? p->F[i][e] : p->H[i - 3][e]);
    for (size_t e = 0; e < p->n[p->R - 1] * p->c; e++)
        x[at + e] = (mtc_real)p->G[p->R - 1][e];
    return at;
}

static void set_concepts(cmp_tritl_options *o, size_t c, const size_t *k)
{
    o->classes = c;
    o->identical = k[0];
    o->alike = k[1];
    o->distinct = k[2];
}

/* Both give the same factors; and no block of the formulas raises the loss, to
 * scale F's columns leaves it. */
TEST tritl_is_its_formulas(void)
{
    enum { MOST = 3 * PLAIN_R * PLAIN_K * (PLAIN_D + PLAIN_C) +
                  PLAIN_N * PLAIN_C };
    static const size_t concepts[6][3] = {{3, 2, 2}, {2, 0, 0}, {0, 3, 0},
                                          {0, 0, 2}, {1, 2, 4}, {0, 2, 1}};
    static plain_state p;
    static double N[PLAIN_R][PLAIN_N * PLAIN_D];
    static mtc_real x[MOST];
    mtc_context ctx = test_context();
    const double near = (double)TOL(1e-9);
    for (uint64_t seed = 0; seed < 12; seed++) {
        size_t c = 2 + seed % 3, at = 0;
        tritl_input in = {cmp_tritl_defaults(), (int)(seed % 2)};
        mtc_random g = mtc_random_seed(seed);
        cmp_tritl_result r;
        make_world(2 + seed % 2, 9, PLAIN_D, c, seed);
        if (seed % 4 == 0)                          /* a sample of zeros */
            memset(world.x[domains - 1], 0, PLAIN_D * sizeof(mtc_real));
        test_views(&world, domains - 1, 8 + domains, PLAIN_D);
        plain_begin(&p, c, concepts[seed % 6], &g);
        set_concepts(&in.o, c, p.k);
        in.o.exponent = (mtc_real)(seed % 3 ? 1 : 0.5);
        in.o.iterations = 4;
        plain_start(&p, x);
        in.o.start_factors = x;
        ASSERT_EQ(MTC_OK, run_tritl(&ctx, &in, &r));
        for (size_t it = 0; it < 4; it++) {
            double before = plain_model(&p, N), scaled;
            ASSERT_IN_RANGE(before, (double)r.objective[it], near * before);
            for (size_t kind = 0; kind < 7; kind++) {
                size_t own = kind == 1 || kind == 2 || kind == 5;
                for (size_t t = 0; t < (own ? p.R : 1); t++) {
                    plain_change(&p, kind, kind == 6 ? p.R - 1 : t,
                                 (double)in.o.exponent);
                    double now = plain_model(&p, N);
                    ASSERT(now <= before * (1 + 1e-13));
                    before = now;
                }
            }
            plain_scale_F(&p);
            scaled = plain_model(&p, N);
            ASSERT_IN_RANGE(before, scaled, 1e-12 * before);
            plain_scale_G(&p);
        }
        ASSERT_IN_RANGE(plain_model(&p, N), (double)r.objective[4],
                        near * test_largest(N[0], 1));
        size_t sizes[6];
        factor_sizes(p.k, p.R, p.d, c, sizes);
        for (size_t i = 0; i < 6; i++)
            for (size_t e = 0; e < sizes[i]; e++)
                ASSERT_IN_RANGE(i < 3 ? p.F[i][e] : p.H[i - 3][e],
                                (double)r.factors[at++], near);
        ASSERT(r.target == r.factors + at);
        for (size_t e = 0; e < r.n * c; e++)
            ASSERT_IN_RANGE(p.G[p.R - 1][e], (double)r.target[e], near);
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

/* A start whose columns of F are scaled, and rows of H back, is the same. */
TEST tritl_does_not_see_scales_of_concepts(void)
{
    enum { MOST = 400 };
    static plain_state p;
    static const size_t k[3] = {3, 2, 2};
    static mtc_real x[2][MOST];
    mtc_context ctx = test_context();
    mtc_random g = mtc_random_seed(4);
    cmp_tritl_result r[2];
    make_world(3, 8, PLAIN_D, 3, 4);
    plain_begin(&p, 3, k, &g);
    for (size_t i = 0; i < 2; i++) {
        tritl_input in = {cmp_tritl_defaults(), 0};
        plain_start(&p, x[i]);
        set_concepts(&in.o, 3, k);
        in.o.start_factors = x[i];
        in.o.iterations = 5;
        ASSERT_EQ(MTC_OK, run_tritl(&ctx, &in, &r[i]));
        plain_scale_F(&p);
    }
    for (size_t it = 0; it <= 5; it++)
        ASSERT_IN_RANGE((double)r[0].objective[it],
                        (double)r[1].objective[it],
                        (double)TOL(1e-12) * (double)r[0].objective[it]);
    for (size_t e = 0; e < r[0].n * 3; e++)
        ASSERT_IN_RANGE((double)r[0].target[e], (double)r[1].target[e],
                        (double)TOL(1e-11));
    mtc_free(&ctx, &r[0].block);
    mtc_free(&ctx, &r[1].block);
    PASS();
}

/* With identical concepts only it is the factorization V ~ G (F H)' of all
 * samples V together, G of the sources held. */
TEST tritl_without_own_concepts_factorizes_the_stack(void)
{
    enum { D = 8, C = 2, K = 3, N = 9 + 10, FIRST = 9 };
    static plain_state p;
    static const size_t k[3] = {K, 0, 0};
    static mtc_real x[K * (D + C) + PLAIN_N * PLAIN_C];
    static double V[N * D], G[N * C], F[D * K], H[K * C];
    mtc_context ctx = test_context();
    mtc_random g = mtc_random_seed(2);
    tritl_input in = {cmp_tritl_defaults(), 1};
    cmp_tritl_result r;
    make_world(2, FIRST, D, C, 9);
    plain_begin(&p, C, k, &g);
    for (size_t i = 0; i < N; i++) {
        size_t t = i >= FIRST, row = i - t * FIRST;
        memcpy(V + i * D, p.X[t] + row * D, D * sizeof *V);
        memcpy(G + i * C, p.G[t] + row * C, C * sizeof *G);
    }
    memcpy(F, p.F[0], sizeof F);
    memcpy(H, p.H[0], sizeof H);
    plain_start(&p, x);
    set_concepts(&in.o, C, k);
    in.o.start_factors = x;
    in.o.iterations = 1;
    ASSERT_EQ(MTC_OK, run_tritl(&ctx, &in, &r));
    for (int block = 0; block < 3; block++) {
        double next[N * C + D * K];
        size_t rows = block == 0 ? D : block == 1 ? K : N;
        size_t columns = block == 0 ? K : C;
        for (size_t a = 0; a < rows; a++)
            for (size_t b = 0; b < columns; b++) {
                double up = 0, down = 0;
                for (size_t i = 0; i < N; i++)
                    for (size_t w = 0; w < D; w++) {
                        double model = 0, slope = 0;
                        for (size_t e = 0; e < K * C; e++) {
                            size_t q = e / C, z = e % C;
                            double gi = G[i * C + z], fw = F[w * K + q];
                            model += gi * fw * H[e];
                            slope += block == 0 ? (w == a && q == b) * gi * H[e]
                                     : block == 1 ? (q == a && z == b) * gi * fw
                                     : (i == a && z == b) * fw * H[e];
                        }
                        up += V[i * D + w] * slope;
                        down += model * slope;
                    }
                next[a * columns + b] = down > 0 ? up / down : 0;
            }
        for (size_t e = 0; e < rows * columns; e++)
            if (block < 2)
                (block ? H : F)[e] *= next[e];
            else if (e >= FIRST * C)                /* the target's */
                G[e] *= next[e];
    }
    for (size_t i = FIRST; i < N; i++)
        for (size_t z = 0; z < C; z++)
            ASSERT_IN_RANGE(G[i * C + z] / (G[i * C] + G[i * C + 1]),
                            (double)r.target[(i - FIRST) * C + z],
                            (double)TOL(1e-11));
    mtc_free(&ctx, &r.block);
    PASS();
}

/* ---- starts ------------------------------------------------------------ */

/* The informed one is the regression's probabilities, on rows of length 1 of
 * the words that sources use, and .01 of equal shares. */
TEST tritl_starts_as_it_says(void)
{
    enum { N = 10, D = 9, C = 3 };
    mtc_context ctx = test_context();
    cmp_tritl_result r, again;
    make_world(3, N, D, C, 6);
    for (size_t t = 0; t < 2; t++) {                /* nobody's word */
        for (size_t i = 0; i < N + t; i++)
            world.x[t][i * D + 4] = 0;
        test_views(&world, t, N + t, D);
    }
    tritl_input in = {cmp_tritl_defaults(), 0};
    in.o.classes = C;
    in.o.iterations = 0;
    ASSERT_EQ(MTC_OK, run_tritl(&ctx, &in, &r));
    static mtc_real x[(2 * N + 1) * D], y[(N + 2) * D], P[(N + 2) * C];
    int labels[2 * N + 1];
    memcpy(x, world.x[0], N * D * sizeof *x);
    memcpy(x + N * D, world.x[1], (N + 1) * D * sizeof *x);
    memcpy(y, world.x[2], (N + 2) * D * sizeof *x);
    for (size_t i = 0; i < 3 * N + 3; i++) {
        mtc_real *row = i < 2 * N + 1 ? x + i * D : y + (i - 2 * N - 1) * D;
        row[4] = 0;
        mtc_real length = (mtc_real)sqrt((double)mtc_dot(D, row, row));
        for (size_t w = 0; w < D; w++)
            row[w] /= length;
        if (i < 2 * N + 1)
            labels[i] = (int)(i < N ? i % C : (i - N) % C);
    }
    mtc_data X = mtc_dense(2 * N + 1, D, x), Y = mtc_dense(N + 2, D, y);
    mtc_logistic_options o = mtc_logistic_defaults();
    mtc_logistic_result fit;
    o.classes = C;
    ASSERT_EQ(MTC_OK, mtc_logistic(&ctx, &X, labels, &o, &fit));
    ASSERT_EQ(MTC_OK, mtc_logistic_assign(&ctx, &Y, &fit, NULL, P));
    for (size_t e = 0; e < (N + 2) * C; e++)
        ASSERT_IN_RANGE(((double)P[e] + 0.01 / C) / 1.01, (double)r.target[e],
                        sizeof(mtc_real) == 8 ? 1e-6 : 1e-2);
    mtc_free(&ctx, &fit.block);
    const mtc_real *F2 = r.factors + D * 20, *H3 = r.target - 3 * 10 * C;
    for (size_t f = 0; f < 20; f++) {               /* F of sum 1 */
        mtc_real one = 0, two = 0;
        for (size_t w = 0; w < D; w++)
            one += r.factors[w * 20 + f];
        for (size_t w = 0; w < 3 * D; w++)
            two += F2[w * 20 + f];
        ASSERT_IN_RANGE(1, (double)one, (double)TOL(1e-14));
        ASSERT_IN_RANGE(3, (double)two, (double)TOL(1e-14));
    }
    for (size_t e = 0; e < 3 * 10 * C; e++)
        ASSERT(H3[e] >= (mtc_real)0.01 && H3[e] < (mtc_real)1.01);
    ASSERT(r.iterations == 0 && r.objective[0] > 0);
    in.o.start = CMP_TRITL_RANDOM;
    ASSERT_EQ(MTC_OK, run_tritl(&ctx, &in, &again));
    ASSERT(memcmp(r.target, again.target, r.n * C * sizeof *r.target) != 0);
    mtc_free(&ctx, &r.block);
    ctx.seed = 7;
    ASSERT_EQ(MTC_OK, run_tritl(&ctx, &in, &r));
    ASSERT(memcmp(r.target, again.target, r.n * C * sizeof *r.target) != 0);
    mtc_free(&ctx, &again.block);
    ASSERT_EQ(MTC_OK, run_tritl(&ctx, &in, &again));    /* the same seed */
    ASSERT_MEM_EQ(r.target, again.target, r.n * C * sizeof *r.target);
    mtc_free(&ctx, &r.block);
    mtc_free(&ctx, &again.block);
    in.o.start_labels = world.start[2];
    ASSERT_EQ(MTC_OK, run_tritl(&ctx, &in, &r));
    for (size_t e = 0; e < r.n * C; e++)
        ASSERT_IN_RANGE((e / C % C == e % C ? 1.2 : 0.2) / 1.6,
                        (double)r.target[e], (double)TOL(1e-14));
    ASSERT_MEM_EQ(world.start[2], r.labels, r.n * sizeof(int));
    mtc_free(&ctx, &r.block);
    PASS();
}

/* Informed by the sources it finds the classes, by dense and sparse views
 * alike; a tolerance stops it. */
TEST tritl_finds_classes(void)
{
    mtc_context ctx = test_context();
    cmp_tritl_result r[2];
    for (size_t c = 2; c < 5; c++) {
        size_t right = 0;
        make_world(c, 40, 24, c, c);
        for (int sparse = 0; sparse < 2; sparse++) {
            tritl_input in = {cmp_tritl_defaults(), sparse};
            in.o.classes = c;
            ASSERT_EQ(MTC_OK, run_tritl(&ctx, &in, &r[sparse]));
            ASSERT(r[sparse].iterations == 100 && !r[sparse].converged);
            for (size_t it = 1; it <= 100; it++)    /* G's scale may raise it */
                ASSERT(r[sparse].objective[it] <=
                       r[sparse].objective[it - 1] * (1 + TOL(1e-5)));
        }
        ASSERT_MEM_EQ(r[0].labels, r[1].labels, r[0].n * sizeof(int));
        for (size_t i = 0; i < r[0].n; i++)
            right += r[0].labels[i] == world.start[c - 1][i];
        ASSERT(right * 10 >= r[0].n * 9);
        mtc_free(&ctx, &r[0].block);
        mtc_free(&ctx, &r[1].block);
    }
    tritl_input in = {cmp_tritl_defaults(), 1};
    in.o.classes = 4;
    in.o.tolerance = (mtc_real)0.01;
    ASSERT_EQ(MTC_OK, run_tritl(&ctx, &in, &r[0]));
    ASSERT(r[0].converged && r[0].iterations < 100);
    size_t T = r[0].iterations;
    ASSERT(r[0].objective[T] >= r[0].objective[T - 1] * (mtc_real)0.989);
    ASSERT(r[0].objective[1] < r[0].objective[0] * (mtc_real)0.99);
    mtc_free(&ctx, &r[0].block);
    PASS();
}

/* ---- corners ----------------------------------------------------------- */

/* One class in the sources is everybody's; a sample of zeros is nobody's; so
 * are all without a word in common, but they get an answer. */
TEST tritl_serves_corners(void)
{
    enum { N = 8, D = 6 };
    mtc_context ctx = test_context();
    cmp_tritl_result r;
    for (int start = 0; start < 2; start++) {
        tritl_input in = {cmp_tritl_defaults(), start};
        in.o.start = (cmp_tritl_start)start;
        in.o.iterations = 10;
        make_world(2, N, D, 2, 3);
        for (size_t i = 0; i < N; i++)
            world.start[0][i] = 1;
        memset(world.x[1], 0, D * sizeof(mtc_real));
        test_views(&world, 1, N + 1, D);
        ASSERT_EQ(MTC_OK, run_tritl(&ctx, &in, &r));
        for (size_t i = 0; i <= N; i++)
            ASSERT_EQ(1, r.labels[i]);
        mtc_free(&ctx, &r.block);
        in.o.classes = 1;
        memset(world.start[0], 0, N * sizeof(int));
        ASSERT_EQ(MTC_OK, run_tritl(&ctx, &in, &r));
        ASSERT(r.labels[0] == 0 && r.target[1] == 1);
        mtc_free(&ctx, &r.block);
        in.o.classes = 2;
        make_world(2, N, D, 2, 3);
        for (size_t t = 0; t < 2; t++) {            /* no word in common */
            for (size_t e = 0; e < (N + t) * D; e++)
                if ((e % D < 3) == (t == 0))
                    world.x[t][e] = 0;
            test_views(&world, t, N + t, D);
        }
        ctx.error.what = "before";
        ASSERT_EQ(MTC_OK, run_tritl(&ctx, &in, &r));
        ASSERT_STR_EQ("before", ctx.error.what);    /* nothing failed */
        for (size_t i = 0; i <= N; i++)
            ASSERT_IN_RANGE(1, (double)(r.target[2 * i] + r.target[2 * i + 1]),
                            (double)TOL(1e-14));
        mtc_free(&ctx, &r.block);
        for (size_t t = 0; t < 2; t++) {            /* nothing at all */
            memset(world.x[t], 0, (N + t) * D * sizeof(mtc_real));
            test_views(&world, t, N + t, D);
        }
        ASSERT_EQ(MTC_OK, run_tritl(&ctx, &in, &r));
        ASSERT(r.objective[10] == 0 && r.labels[3] == 0);
        ASSERT(r.target[0] == (mtc_real)0.5);
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

TEST tritl_survives_and_refuses(void)
{
    enum { N = 7, D = 6 };
    mtc_context ctx = test_context();
    cmp_tritl_result r;
    mtc_real x[400];
    size_t k[3] = {2, 2, 1};
    make_world(3, N, D, 2, 1);
    for (int sparse = 0; sparse < 2; sparse++) {
        tritl_input in = {cmp_tritl_defaults(), sparse};
        in.o.iterations = 3;
        const char *wrong = sweep_memory(run_tritl, &in);
        ASSERTm(wrong, wrong == NULL);
        wrong = sweep_ticks(run_tritl, &in);
        ASSERTm(wrong, wrong == NULL);
    }
    const cmp_tritl_options usual = cmp_tritl_defaults();
    tritl_input in = {usual, 0};
    cmp_tritl_options wrong[6] = {usual, usual, usual, usual, usual, usual};
    wrong[0].classes = 0;
    wrong[1].identical = wrong[1].alike = wrong[1].distinct = 0;
    wrong[2].exponent = 2;
    wrong[3].tolerance = (mtc_real)NAN;
    wrong[4].start = (cmp_tritl_start)2;
    wrong[5].distinct = SIZE_MAX / 2;
    for (size_t i = 0; i < 6; i++) {
        in.o = wrong[i];
        ASSERT_EQ(i < 5 ? MTC_INVALID : MTC_TOO_BIG, run_tritl(&ctx, &in, &r));
    }
    in.o = usual;
    in.o.start_labels = world.start[2];
    world.start[2][3] = 2;
    ASSERT_EQ(MTC_INVALID, run_tritl(&ctx, &in, &r));
    ASSERT(ctx.error.task == 2 && ctx.error.row == 3);
    in.o.start_labels = NULL;
    set_concepts(&in.o, 2, k);
    for (size_t e = 0; e < 400; e++)
        x[e] = 1;
    in.o.start_factors = x;
    x[5] = -1;
    ASSERT_EQ(MTC_DOMAIN, run_tritl(&ctx, &in, &r));
    ASSERT(ctx.error.task == MTC_NONE && ctx.error.row == 5);
    x[5] = (mtc_real)NAN;
    ASSERT_EQ(MTC_DOMAIN, run_tritl(&ctx, &in, &r));
    ASSERT_EQ((size_t)5, ctx.error.row);
    for (size_t e = 0; e < 400; e++)                /* beyond the range */
        x[e] = (mtc_real)(sizeof(mtc_real) == 8 ? 1e46 : 1e10);
    ASSERT_EQ(MTC_DOMAIN, run_tritl(&ctx, &in, &r));
    in.o = usual;
    world.x[2][2 * D + 4] = -1;
    ASSERT_EQ(MTC_DOMAIN, run_tritl(&ctx, &in, &r));
    ASSERT(ctx.error.task == 2 && ctx.error.row == 2 && ctx.error.column == 4);
    world.x[1][D + 3] = (mtc_real)INFINITY;
    ASSERT_EQ(MTC_DOMAIN, run_tritl(&ctx, &in, &r));
    ASSERT(ctx.error.task == 1 && ctx.error.row == 1 && ctx.error.column == 3);
    make_world(2, N, D, 3, 1);                      /* a label of 2 */
    ASSERT_EQ(MTC_INVALID, run_tritl(&ctx, &in, &r));
    ASSERT_EQ(MTC_INVALID, cmp_tritl(&ctx, world.dense, world.labels, 1,
                                     &world.dense[1], NULL, NULL));
    make_world(2, N, D, 2, 1);
    ASSERT_EQ(MTC_OK, cmp_tritl(&ctx, world.dense, world.labels, 1,
                                &world.dense[1], NULL, &r));
    ASSERT_EQ((size_t)100, r.iterations);
    mtc_free(&ctx, &r.block);
    PASS();
}

/* Sources have no class 0 of three, or class 1 alone: no document gets another
 * than theirs, of TriplexTL, naive Bayes and CoCC. */
TEST labels_are_classes_of_the_sources(size_t classes, int start)
{
    enum { N = 30, D = 24 };
    mtc_context ctx = test_context();
    tritl_input in = {cmp_tritl_defaults(), 0};
    cmp_nb_options nb = cmp_nb_defaults();
    cmp_cocc_options cocc = cmp_cocc_defaults();
    cmp_tritl_result r;
    cmp_nb_result b;
    cmp_cocc_result q;
    make_world(2, N, D, 3, 11);                     /* the target has all */
    for (size_t i = 0; i < N; i++)
        world.start[0][i] = classes == 3 ? 1 + (int)(i % 2) : 1;
    for (size_t i = 0; i < N * D; i++)              /* and a word of its own */
        world.x[0][i] *= i % D != 0;
    in.o.classes = nb.classes = cocc.classes = classes;
    in.o.start = (cmp_tritl_start)start;
    ASSERT_EQ(MTC_OK, run_tritl(&ctx, &in, &r));
    ASSERT_EQ(MTC_OK, cmp_nb(&ctx, world.dense, world.labels, 1,
                             &world.dense[1], &nb, &b));
    ASSERT_EQ(MTC_OK, cmp_cocc(&ctx, world.dense, world.labels, 1,
                               &world.dense[1], &cocc, &q));
    for (size_t i = 0; i < r.n; i++)
        ASSERT(r.labels[i] > 0 && b.labels[i] > 0 && q.labels[i] > 0);
    mtc_free(&ctx, &r.block);
    mtc_free(&ctx, &b.block);
    mtc_free(&ctx, &q.block);
    cocc.realign = 1;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        make_world(2, N, D, 3, seed);
        for (size_t i = 0; i < N; i++)
            world.start[0][i] = classes == 3 ? 1 + (int)(i % 2) : 1;
        ASSERT_EQ(MTC_OK, cmp_cocc(&ctx, world.dense, world.labels, 1,
                                   &world.dense[1], &cocc, &q));
        for (size_t i = 0; i < q.n; i++)
            ASSERT(q.labels[i] > 0);
        mtc_free(&ctx, &q.block);
    }
    PASS();
}

SUITE(cmp_tritl_suite)
{
    RUN_TESTp(labels_are_classes_of_the_sources, 2, CMP_TRITL_INFORMED);
    RUN_TESTp(labels_are_classes_of_the_sources, 3, CMP_TRITL_INFORMED);
    RUN_TESTp(labels_are_classes_of_the_sources, 3, CMP_TRITL_RANDOM);
    for (size_t k = 0; k < sizeof tritl_cases / sizeof *tritl_cases; k++)
        for (int sparse = 0; sparse < 2; sparse++)
            RUN_TESTp(tritl_worked_case, &tritl_cases[k], sparse);
    RUN_TEST(tritl_is_its_formulas);
    RUN_TEST(tritl_does_not_see_scales_of_concepts);
    RUN_TEST(tritl_without_own_concepts_factorizes_the_stack);
    RUN_TEST(tritl_starts_as_it_says);
    RUN_TEST(tritl_finds_classes);
    RUN_TEST(tritl_serves_corners);
    RUN_TEST(tritl_survives_and_refuses);
}
