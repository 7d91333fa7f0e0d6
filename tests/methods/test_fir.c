/* SPDX-License-Identifier: MIT
 *
 * Marginalized denoising autoencoder, consistent similarity, MTCFIR: worked
 * cases, the definitions computed again, two forms of one thing, invariances.
 */
#include <math.h>

#include "golden/fir.h"
#include "greatest.h"
#include "test_util.h"

#define MAX_G 4

/* Tasks of n, n+1, .. samples about c common directions, half of all values
 * 0; sample i belongs to class i % c. */
static void fir_random(test_tasks *p, uint64_t seed, size_t tasks, size_t n,
                       size_t d, size_t c)
{
    mtc_real center[8 * TEST_D], u[TEST_N * TEST_D];
    p->tasks = tasks;
    p->d = d;
    p->n = 0;
    test_fill(center, c * d, seed + 1000, 0, 3);
    for (size_t t = 0; t < tasks; t++) {
        size_t nt = n + t;
        test_fill(p->x[t], nt * d, seed + 7 * t, -1, 1);
        test_fill(u, nt * d, seed + 500 + t, 0, 1);
        for (size_t i = 0; i < nt; i++) {
            p->start[t][i] = (int)(i % c);
            for (size_t j = 0; j < d; j++) {
                p->x[t][i * d + j] += center[(i % c) * d + j];
                if (u[i * d + j] < (mtc_real)0.3)
                    p->x[t][i * d + j] = 0;
            }
        }
        test_views(p, t, nt, d);
        p->n += nt;
    }
}

static const int is_double = sizeof(mtc_real) == 8;
static const double worked_tolerance = sizeof(mtc_real) == 8 ? 1e-8 : 5e-3;

/* out [n*n] = a CSR or dense square view in full. */
static void square(const mtc_data *M, mtc_real *out)
{
    memset(out, 0, M->n * M->n * sizeof *out);
    for (size_t i = 0; i < M->n; i++)
        mtc_data_axpy(M, i, 1, out + i * M->n);
}

/* Z [n_t*D] of task t: its samples and its rows of every layer. */
static void joined(const mtc_data *X, const mtc_msda_result *f, size_t first,
                   mtc_real *Z)
{
    size_t d = X->d, D = d * (f->layers + 1);
    for (size_t i = 0; i < X->n; i++) {
        memset(Z + i * D, 0, d * sizeof *Z);
        mtc_data_axpy(X, i, 1, Z + i * D);
        for (size_t b = 0; b < f->layers; b++)
            memcpy(Z + i * D + (b + 1) * d,
                   f->h + (b * f->n + first + i) * d, d * sizeof *Z);
    }
}

/* ---- worked cases ------------------------------------------------------- */

static void fir_load(const golden_fir *g, test_tasks *p)
{
    p->tasks = g->tasks;
    p->d = g->d;
    p->n = 0;
    for (size_t t = 0; t < g->tasks; t++) {
        for (size_t e = 0; e < g->n[t] * g->d; e++)
            p->x[t][e] = (mtc_real)g->X[t][e];
        memcpy(p->start[t], g->start[t], g->n[t] * sizeof(int));
        test_views(p, t, g->n[t], g->d);
        p->n += g->n[t];
    }
}

/* Features of a case; Z [tasks] filled, views of it in `view`. */
static enum greatest_test_res fir_features(const golden_fir *g,
                                           const mtc_data *tasks,
                                           mtc_real (*Z)[TEST_N * 160],
                                           mtc_data *view)
{
    mtc_context ctx = test_context();
    mtc_msda_options o = mtc_msda_defaults();
    mtc_msda_result f;
    o.layers = g->variant[1] == 'F' ? 0 : g->layers;
    o.noise = (mtc_real)g->noise;
    o.ridge = (mtc_real)g->ridge;
    ASSERT_EQm(g->name, MTC_OK, mtc_msda(&ctx, tasks, g->tasks, &o, &f));
    size_t first = 0, D = g->d * (o.layers + 1);
    for (size_t t = 0; t < g->tasks; first += g->n[t++]) {
        joined(&tasks[t], &f, first, Z[t]);
        ASSERT_CLOSE(g->Z[t], Z[t], g->n[t] * D);
        view[t] = mtc_dense(g->n[t], D, Z[t]);
    }
    mtc_free(&ctx, &f.block);
    PASS();
}

static mtc_real golden_Z[TEST_TASKS][TEST_N * 160];

TEST msda_follows_the_worked_cases(void)
{
    static test_tasks p;
    mtc_data view[TEST_TASKS];
    for (size_t i = 0; i < GOLDEN_FIR_COUNT; i++) {
        const golden_fir *g = &golden_fir_cases[i];
        fir_load(g, &p);
        CHECK_CALL(fir_features(g, p.dense, golden_Z, view));
        CHECK_CALL(fir_features(g, p.csr, golden_Z, view));
    }
    PASS();
}

/* All cosines of a case: those within one task of all its samples. */
static enum greatest_test_res fir_cosines(const golden_fir *g,
                                          const mtc_data *view)
{
    static mtc_real all[TEST_TASKS * TEST_N * 160];
    mtc_context ctx = test_context();
    mtc_consistent_options o = mtc_consistent_defaults();
    mtc_consistent_result r;
    size_t N = 0, D = view[0].d;
    for (size_t t = 0; t < g->tasks; N += g->n[t++])
        memcpy(all + N * D, view[t].values, g->n[t] * D * sizeof *all);
    mtc_data X = mtc_dense(N, D, all);
    o.direct = 1;
    ASSERT_EQ(MTC_OK, mtc_consistent(&ctx, &X, 1, &o, &r));
    for (size_t t = 0, at = 0; t < g->tasks; at += g->n[t++])
        for (size_t s = 0, to = 0; s < g->tasks; to += g->n[s++])
            for (size_t i = 0; i < g->n[t]; i++)
                for (size_t k = 0; k < g->n[s]; k++) {
                    double V = g->V[t * g->tasks + s][i * g->n[s] + k];
                    mtc_real got = r.M[0].values[(at + i) * N + to + k];
                    ASSERT_IN_RANGE(V > 0 ? V : 0, (double)got,
                                    worked_tolerance);
                }
    mtc_free(&ctx, &r.block);
    PASS();
}

/* Cosines, l, eps, alpha, M. */
TEST consistent_follows_the_worked_cases(void)
{
    static test_tasks p;
    static mtc_real full[TEST_N * TEST_N];
    mtc_context ctx = test_context();
    mtc_data view[TEST_TASKS];
    if (!is_double)
        SKIPm("float: whether a cosine reaches eps hangs on its rounding");
    for (size_t c = 0; c < GOLDEN_FIR_COUNT; c++) {
        const golden_fir *g = &golden_fir_cases[c];
        mtc_consistent_options o = mtc_consistent_defaults();
        mtc_consistent_result r;
        fir_load(g, &p);
        CHECK_CALL(fir_features(g, p.dense, golden_Z, view));
        CHECK_CALL(fir_cosines(g, view));
        o.clusters_of = g->k;
        o.neighbors_of = g->l;
        ASSERT_EQ(MTC_OK, mtc_consistent(&ctx, view, g->tasks, &o, &r));
        ASSERT_CLOSE(g->eps, r.threshold, g->tasks);
        ASSERT_CLOSE(g->alpha, r.alpha, g->tasks * g->tasks);
        ASSERT_CLOSE(g->scaled, r.relatedness, g->tasks * g->tasks);
        for (size_t t = 0; t < g->tasks; t++) {
            ASSERT_EQm(g->name, g->l_used[t], r.neighbors[t]);
            square(&r.M[t], full);
            ASSERT_CLOSE(g->M[t], full, g->n[t] * g->n[t]);
        }
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

static enum greatest_test_res fir_case(const golden_fir *g, int sparse)
{
    static test_tasks p;
    static mtc_real full[TEST_N * TEST_N];
    mtc_context ctx = test_context();
    mtc_mtcfir_options o = mtc_mtcfir_defaults();
    mtc_mtcfir_result r;
    const size_t steps[3] = {0, 1, 20};
    fir_load(g, &p);
    o.clusters_of = g->k;
    o.neighbors_of = g->l;
    o.layers = g->layers;
    o.noise = (mtc_real)g->noise;
    o.ridge = (mtc_real)g->ridge;
    o.variant = g->variant[1] == 'F' ? MTC_MTCFIR_NF : MTC_MTCFIR_FULL;
    o.tolerance = -1;
    o.start_labels = p.labels;
    for (int z = 0; z < 3; z++) {
        o.iterations = steps[z];
        ASSERT_EQm(g->name, MTC_OK, mtc_mtcfir(&ctx, sparse ? p.csr : p.dense,
                                               g->tasks, &o, &r));
        ASSERT_CLOSE(g->alpha, r.alpha, g->tasks * g->tasks);
        ASSERT_CLOSE(g->scaled, r.relatedness, g->tasks * g->tasks);
        for (size_t t = 0; t < g->tasks; t++) {
            const double *Y = z == 0 ? g->Y0[t] : z == 1 ? g->Y1[t]
                                                         : g->Y20[t];
            ASSERT_EQ(steps[z], r.iterations[t]);
            ASSERT_EQ(g->k[t], r.clusters[t]);
            ASSERT_EQ(g->l_used[t], r.neighbors[t]);
            ASSERT_CLOSE(Y, r.Y[t], g->n[t] * g->k[t]);
            ASSERT_CLOSE(g->objective[t], r.objective[t], steps[z] + 1);
            square(&r.M[t], full);
            ASSERT_CLOSE(g->M[t], full, g->n[t] * g->n[t]);
            for (size_t i = 0; z == 2 && i < g->n[t]; i++)
                ASSERT_EQm(g->name, g->labels[t][i], r.labels[t][i]);
        }
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

TEST mtcfir_follows_the_worked_cases_dense_and_sparse(void)
{
    if (!is_double)
        SKIPm("float: whether a cosine reaches eps hangs on its rounding");
    for (size_t i = 0; i < GOLDEN_FIR_COUNT; i++) {
        CHECK_CALL(fir_case(&golden_fir_cases[i], 0));
        CHECK_CALL(fir_case(&golden_fir_cases[i], 1));
    }
    PASS();
}

/* ---- the autoencoder ---------------------------------------------------- */

/* X [m*m] Y = B [m*p] by elimination with pivots, in place of B. */
static void solve(size_t m, size_t p, double *X, double *B)
{
    for (size_t c = 0; c < m; c++) {
        size_t best = c;
        for (size_t i = c + 1; i < m; i++)
            best = fabs(X[i * m + c]) > fabs(X[best * m + c]) ? i : best;
        for (size_t k = 0; k < m; k++) {
            double y = X[c * m + k];
            X[c * m + k] = X[best * m + k];
            X[best * m + k] = y;
        }
        for (size_t k = 0; k < p; k++) {
            double y = B[c * p + k];
            B[c * p + k] = B[best * p + k];
            B[best * p + k] = y;
        }
        for (size_t i = 0; i < m; i++) {
            double f = i == c ? 0 : X[i * m + c] / X[c * m + c];
            for (size_t k = c; k < m && f != 0; k++)
                X[i * m + k] -= f * X[c * m + k];
            for (size_t k = 0; k < p && f != 0; k++)
                B[i * p + k] -= f * B[c * p + k];
        }
    }
    for (size_t e = 0; e < m * p; e++)
        B[e] /= X[e / p * m + e / p];
}

/* h [n*d] of one layer on x [n*d] from the definition; Wt [(d+1)*d] = W'.
 * Features that are 0 throughout must not occur with ridge 0. */
static void defined_layer(size_t n, size_t d, const double *x, double p,
                          double ridge, double *h, double *Wt)
{
    static double Q[(TEST_D + 1) * (TEST_D + 1)];
    size_t m = d + 1;
    for (size_t a = 0; a < m; a++)
        for (size_t b = 0; b < m; b++) {
            double S = 0, qa = a < d ? 1 - p : 1, qb = b < d ? 1 - p : 1;
            for (size_t i = 0; i < n; i++)
                S += (a < d ? x[i * d + a] : 1) * (b < d ? x[i * d + b] : 1);
            Q[a * m + b] = a == b ? S * qa + (a < d ? ridge : 0) : S * qa * qb;
            if (b < d)
                Wt[a * d + b] = S * qa;             /* (E[P]_ba) */
        }
    solve(m, d, Q, Wt);
    for (size_t i = 0; i < n; i++)
        for (size_t b = 0; b < d; b++) {
            double sum = Wt[d * d + b];
            for (size_t a = 0; a < d; a++)
                sum += x[i * d + a] * Wt[a * d + b];
            h[i * d + b] = tanh(sum);
        }
}

TEST msda_computes_its_definition_in_both_forms(void)
{
    static test_tasks p;
    static double x[TEST_TASKS * TEST_N * TEST_D];
    static double h[TEST_TASKS * TEST_N * TEST_D];
    static double Wt[(TEST_D + 1) * TEST_D];
    mtc_context ctx = test_context();
    const double noises[3] = {.1, .5, .9}, ridges[2] = {0, 1e-5};
    const size_t widths[4] = {7, 12, 40, 30};
    for (size_t round = 0; round < 24; round++) {
        double noise = noises[round % 3], ridge = ridges[round / 3 % 2];
        size_t d = widths[round / 6], at = 0;
        fir_random(&p, 40 + round, 2, 15, d, 3);
        size_t N = p.n;
        for (size_t t = 0; t < p.tasks; t++)
            for (size_t e = 0; e < p.dense[t].n * d; e++)
                x[at++] = (double)p.x[t][e];
        for (int sparse = 0; sparse < 2; sparse++) {
            mtc_msda_options o = mtc_msda_defaults();
            mtc_msda_result f;
            static double in[TEST_TASKS * TEST_N * TEST_D];
            o.noise = (mtc_real)noise;
            o.ridge = (mtc_real)ridge;
            ASSERT_EQ(MTC_OK, mtc_msda(&ctx, sparse ? p.csr : p.dense,
                                       p.tasks, &o, &f));
            memcpy(in, x, at * sizeof *x);
            for (size_t b = 0; b < o.layers; b++) {
                defined_layer(N, d, in, noise, ridge, h, Wt);
                for (size_t e = 0; e < N * d; e++)
                    ASSERT_IN_RANGE(h[e], (double)f.h[b * N * d + e],
                                    is_double ? 1e-9 : 2e-2);
                memcpy(in, h, N * d * sizeof *h);
            }
            mtc_free(&ctx, &f.block);
        }
    }
    PASS();
}

/* 153 samples, whose G takes two blocks.  Features that are 0 throughout make
 * the dual form the cheaper one, and change nothing else. */
TEST msda_inverts_in_blocks(void)
{
    enum { D = 8, WIDE = 160 };
    static test_tasks p;
    static double x[TEST_TASKS * TEST_N * D], h[TEST_TASKS * TEST_N * D];
    double Wt[(D + 1) * D];
    mtc_context ctx = test_context();
    mtc_msda_options o = mtc_msda_defaults();
    mtc_msda_result f;
    size_t at = 0;
    fir_random(&p, 40, 3, 50, D, 3);
    for (size_t t = 0; t < 3; t++) {
        for (size_t e = 0; e < p.dense[t].n * D; e++)
            x[at++] = (double)p.x[t][e];
        p.csr[t].d = WIDE;
    }
    ASSERT_EQ(MTC_OK, mtc_msda(&ctx, p.csr, 3, &o, &f));
    ASSERT_EQ(153, f.n);
    for (size_t b = 0; b < 3; b++) {
        defined_layer(153, D, x, .5, 1e-5, h, Wt);
        for (size_t i = 0; i < 153; i++)
            for (size_t j = 0; j < WIDE; j++)
                ASSERT_IN_RANGE(j < D ? h[i * D + j] : 0,
                                (double)f.h[(b * 153 + i) * WIDE + j],
                                is_double ? 1e-9 : 2e-2);
        memcpy(x, h, at * sizeof *x);
    }
    mtc_free(&ctx, &f.block);
    PASS();
}

TEST msda_takes_any_scale_and_zero_features(void)
{
    static test_tasks p;
    mtc_context ctx = test_context();
    for (int dual = 0; dual < 2; dual++)
        for (int round = 0; round < 4; round++) {
            mtc_msda_options o = mtc_msda_defaults();
            mtc_msda_result f;
            double most = sizeof(mtc_real) == 8 ? 1e12 : 1e8;
            double scale = round == 0 ? most : round == 1 ? 1e-9 : 1;
            fir_random(&p, 3, 2, dual ? 10 : 60, 25, 2);
            for (size_t t = 0; t < 2; t++) {
                for (size_t e = 0; e < p.dense[t].n * 25; e++)
                    p.x[t][e] = e % 25 == 4 ? 0
                                : round == 3 ? 0
                                : e % 25 < 8 ? (mtc_real)((double)p.x[t][e] *
                                                          scale)
                                             : p.x[t][e];
                test_views(&p, t, p.dense[t].n, 25);
            }
            o.ridge = round == 2 ? 0 : o.ridge;
            ASSERT_EQ(MTC_OK, mtc_msda(&ctx, p.csr, 2, &o, &f));
            for (size_t e = 0; e < 3 * p.n * 25; e++) {
                ASSERT(f.h[e] >= -1 && f.h[e] <= 1);
                if (e % 25 == 4 || round == 3)
                    ASSERT(fabs((double)f.h[e]) < 1e-12);
            }
            mtc_free(&ctx, &f.block);
        }
    PASS();
}

TEST msda_refuses_what_is_undefined(void)
{
    static test_tasks p;
    mtc_context ctx = test_context();
    mtc_msda_options o = mtc_msda_defaults();
    mtc_msda_result f;
    double least = sizeof(mtc_real) == 8 ? 1e-6 : 1e-3;  /* of 1 - noise */
    fir_random(&p, 5, 2, 40, 6, 2);
    ASSERT_EQ(MTC_OK, mtc_msda(&ctx, p.dense, 2, NULL, &f));
    ASSERT_EQ(3, f.layers);
    mtc_free(&ctx, &f.block);
    o.noise = 0;
    ASSERT_EQ(MTC_OK, mtc_msda(&ctx, p.dense, 2, &o, &f));
    mtc_free(&ctx, &f.block);
    o.ridge = 0;
    ASSERT_EQ(MTC_INVALID, mtc_msda(&ctx, p.dense, 2, &o, &f));
    o.noise = (mtc_real)(1 - least);
    ASSERT_EQ(MTC_OK, mtc_msda(&ctx, p.dense, 2, &o, &f));
    mtc_free(&ctx, &f.block);
    o.noise = (mtc_real)(1 - 0.99 * least);
    ASSERT_EQ(MTC_INVALID, mtc_msda(&ctx, p.dense, 2, &o, &f));
    ASSERT_STR_EQ("noise: need 0..0.999999, in float 0..0.999",
                  ctx.error.what);
    o.noise = (mtc_real)0.5;
    o.ridge = -1;
    ASSERT_EQ(MTC_INVALID, mtc_msda(&ctx, p.dense, 2, &o, &f));
    o.ridge = 0;
    o.layers = 0;
    ASSERT_EQ(MTC_OK, mtc_msda(&ctx, p.dense, 2, &o, &f));
    ASSERT_EQ(0, f.layers);
    mtc_free(&ctx, &f.block);
    PASS();
}

/* ---- consistent similarity ---------------------------------------------- */

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* V [n*m] = cosines of the rows of two views. */
static void defined_cosines(const mtc_data *X, const mtc_data *Y, double *V)
{
    for (size_t i = 0; i < X->n; i++)
        for (size_t k = 0; k < Y->n; k++) {
            const mtc_real *x = X->values + i * X->d, *y = Y->values + k * Y->d;
            double xx = 0, yy = 0, xy = 0;
            for (size_t f = 0; f < X->d; f++) {
                xx += (double)x[f] * (double)x[f];
                yy += (double)y[f] * (double)y[f];
                xy += (double)x[f] * (double)y[f];
            }
            V[i * Y->n + k] = xx * yy > 0 ? xy / sqrt(xx * yy) : 0;
        }
}

/* Median over rows of the (l+1)-th largest of V [n*n]. */
static double defined_threshold(size_t n, size_t l, const double *V)
{
    double level[TEST_N], row[TEST_N];
    for (size_t i = 0; i < n; i++) {
        memcpy(row, V + i * n, n * sizeof *row);
        qsort(row, n, sizeof *row, compare_doubles);
        level[i] = row[n - 1 - l];
    }
    qsort(level, n, sizeof *level, compare_doubles);
    return (level[(n - 1) / 2] + level[n / 2]) / 2;
}

/* m [count] = projection of x on the simplex: m = max(x - theta, 0), theta by
 * bisection so that the sum is 1. */
static void defined_projection(size_t count, const double *x, double *m)
{
    double low = x[0], high = x[0];
    for (size_t i = 0; i < count; i++) {
        low = x[i] - 1 < low ? x[i] - 1 : low;
        high = x[i] > high ? x[i] : high;
    }
    for (int step = 0; step < 200; step++) {
        double theta = (low + high) / 2, sum = 0;
        for (size_t i = 0; i < count; i++)
            sum += m[i] = x[i] > theta ? x[i] - theta : 0;
        if (sum > 1)
            low = theta;
        else
            high = theta;
    }
}

/* M [n*n] from A [n*n]: with beta of eq. 19 column j is the projection of
 * -A / (2 beta) on the simplex; divided by its largest, then (M + M') / 2. */
static void defined_similarity(size_t n, size_t l, const double *A, double *M)
{
    static double raw[TEST_N * TEST_N];
    for (size_t j = 0; j < n; j++) {
        double a[TEST_N], x[TEST_N], m[TEST_N], sum = 0, top = 0;
        size_t others = 0;
        for (size_t i = 0; i < n; i++)
            if (i != j)
                x[others++] = A[i * n + j];
        memcpy(a, x, others * sizeof *a);
        qsort(a, others, sizeof *a, compare_doubles);
        for (size_t y = 0; y < l; y++)
            sum += a[y];
        double beta = ((double)l * a[l] - sum) / 2;
        for (size_t i = 0; i < others; i++)
            x[i] = -x[i] / (2 * beta);
        defined_projection(others, x, m);
        for (size_t i = 0; i < others; i++)
            top = m[i] > top ? m[i] : top;
        for (size_t i = 0, z = 0; i < n; i++)
            raw[i * n + j] = i == j ? 0 : m[z++] / top;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            M[i * n + j] = (raw[i * n + j] + raw[j * n + i]) / 2;
}

/* eps, alpha and M of every task from their definitions. */
TEST consistent_solves_its_quadratic_programs(void)
{
    static test_tasks p;
    static double V[TEST_N * TEST_N], A[TEST_N * TEST_N], M[TEST_N * TEST_N];
    static mtc_real full[TEST_N * TEST_N];
    mtc_context ctx = test_context();
    for (uint64_t seed = 1; seed <= 40; seed++) {
        mtc_consistent_options o = mtc_consistent_defaults();
        mtc_consistent_result r;
        size_t T = 1 + seed % 3;
        fir_random(&p, seed, T, 5 + seed % 20, 3 + seed % 9, 2);
        o.neighbor_share = (mtc_real)(0.1 + 0.2 * (double)(seed % 5));
        /* float: whether a cosine reaches eps hangs on its rounding */
        o.uniform = seed % 2 == 0 || !is_double;
        ASSERT_EQ(MTC_OK, mtc_consistent(&ctx, seed % 4 ? p.dense : p.csr, T,
                                         &o, &r));
        for (size_t t = 0; t < T; t++) {
            size_t n = p.dense[t].n, l = r.neighbors[t];
            defined_cosines(&p.dense[t], &p.dense[t], V);
            double eps = defined_threshold(n, l, V);
            ASSERT_IN_RANGE(eps, (double)r.threshold[t], (double)TOL(1e-13));
            memset(A, 0, n * n * sizeof *A);
            for (size_t s = 0; s < T; s++) {
                size_t m = p.dense[s].n;
                double alpha = 0;
                defined_cosines(&p.dense[t], &p.dense[s], V);
                for (size_t e = 0; e < n * m; e++)
                    alpha += V[e] >= eps - 1e-10;
                alpha = o.uniform ? 1 : alpha / (double)n / (double)m;
                ASSERT_IN_RANGE(alpha, (double)r.alpha[t * T + s],
                                (double)TOL(1e-14));
                ASSERT_IN_RANGE((double)r.alpha[t * T + s] /
                                    (double)r.alpha[t * T + t],
                                (double)r.relatedness[t * T + s],
                                (double)TOL(1e-13));
                for (size_t i = 0; i < n; i++)
                    for (size_t j = 0; j < n; j++)
                        for (size_t k = 0; k < m; k++) {
                            double gap = V[i * m + k] - V[j * m + k];
                            A[i * n + j] += alpha * gap * gap;
                        }
            }
            defined_similarity(n, l, A, M);
            square(&r.M[t], full);
            for (size_t e = 0; e < n * n; e++)
                ASSERT_IN_RANGE(M[e], (double)full[e], is_double ? 1e-7 : .1);
            for (size_t i = 0; i < n; i++)
                ASSERT(r.M[t].row[i + 1] - r.M[t].row[i] <= n - 1);
            ASSERT(r.M[t].row[n] <= 2 * n * l);
        }
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

/* The same with A of squared distances, of each task by itself: far from the
 * origin as well, where sums of squares would lose them. */
TEST consistent_by_distances_solves_its_quadratic_programs(void)
{
    static test_tasks p;
    static double A[TEST_N * TEST_N], M[TEST_N * TEST_N];
    static mtc_real full[TEST_N * TEST_N];
    mtc_context ctx = test_context();
    for (uint64_t seed = 1; seed <= 40; seed++) {
        mtc_consistent_options o = mtc_consistent_defaults();
        mtc_consistent_result r;
        size_t T = 1 + seed % 3;
        mtc_real far = seed % 3 == 0 ? (mtc_real)(is_double ? 1e6 : 64) : 0;
        fir_random(&p, seed, T, 5 + seed % 20, 2 + seed % 9, 2);
        for (size_t t = 0; t < T; t++) {
            for (size_t e = 0; e < p.dense[t].n * p.d; e++)
                p.x[t][e] += far;
            test_views(&p, t, p.dense[t].n, p.d);
        }
        o.neighbor_share = (mtc_real)(0.1 + 0.2 * (double)(seed % 5));
        o.distances = 1;
        ASSERT_EQ(MTC_OK, mtc_consistent(&ctx, seed % 4 ? p.dense : p.csr, T,
                                         &o, &r));
        for (size_t t = 0; t < T; t++) {
            size_t n = p.dense[t].n;
            ASSERT(r.threshold[t] == 0);
            for (size_t s = 0; s < T; s++) {
                ASSERT(r.alpha[t * T + s] == (t == s));
                ASSERT(r.relatedness[t * T + s] == (t == s));
            }
            memset(A, 0, n * n * sizeof *A);
            for (size_t i = 0; i < n; i++)
                for (size_t j = 0; j < n; j++)
                    for (size_t f = 0; f < p.d; f++) {
                        double gap = (double)p.x[t][i * p.d + f] -
                                     (double)p.x[t][j * p.d + f];
                        A[i * n + j] += gap * gap;
                    }
            defined_similarity(n, r.neighbors[t], A, M);
            square(&r.M[t], full);
            for (size_t e = 0; e < n * n; e++)
                ASSERT_IN_RANGE(M[e], (double)full[e], is_double ? 1e-7 : .1);
        }
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

/* Few features: the N x N matrix is avoided.  With many more that are 0
 * throughout it is not, and the answer is the same; nor does it change where
 * one task, with some more, goes by its values. */
TEST consistent_by_features_equals_consistent_by_cosines(void)
{
    static test_tasks p;
    static mtc_real full[2][TEST_N * TEST_N];
    mtc_context ctx = test_context();
    if (!is_double)
        SKIPm("float: whether a cosine reaches eps hangs on its rounding");
    for (uint64_t seed = 1; seed <= 10; seed++) {
        mtc_consistent_options o = mtc_consistent_defaults();
        mtc_consistent_result a, b;
        mtc_context few = mtc_measure(), many = mtc_measure();
        mtc_data wide[TEST_TASKS];
        fir_random(&p, seed, 1 + seed % 3, seed == 5 ? 130 : 60, 2 + seed % 3,
                   3);
        for (size_t t = 0; t < p.tasks; t++) {
            wide[t] = p.csr[t];
            wide[t].d = p.tasks == 1 ? 40 : 300;
        }
        o.uniform = seed % 4 == 0;
        ASSERT_EQ(MTC_NO_MEMORY, mtc_consistent(&few, p.dense, p.tasks, &o,
                                                &a));
        ASSERT_EQ(MTC_NO_MEMORY, mtc_consistent(&many, wide, p.tasks, &o, &b));
        ASSERT(few.need < many.need);
        ASSERT_EQ(MTC_OK, mtc_consistent(&ctx, p.dense, p.tasks, &o, &a));
        ASSERT_EQ(MTC_OK, mtc_consistent(&ctx, wide, p.tasks, &o, &b));
        for (size_t e = 0; e < p.tasks * p.tasks; e++)
            ASSERT_IN_RANGE((double)a.alpha[e], (double)b.alpha[e], 1e-14);
        for (size_t t = 0; t < p.tasks; t++) {
            size_t n = p.dense[t].n;
            ASSERT_IN_RANGE((double)a.threshold[t], (double)b.threshold[t],
                            1e-13);
            square(&a.M[t], full[0]);
            square(&b.M[t], full[1]);
            for (size_t e = 0; e < n * n; e++) {
                ASSERT_IN_RANGE((double)full[0][e], (double)full[1][e], 1e-8);
                ASSERT(full[0][e] == full[0][e % n * n + e / n]);
                ASSERT(full[0][e] >= 0 && full[0][e] <= 1);
            }
        }
        mtc_free(&ctx, &a.block);
        mtc_free(&ctx, &b.block);
    }
    PASS();
}

/* Rows far from 0 have cosines near 1.  Columns of zeros change none of them,
 * but lead to the N x N matrix, which takes differences of cosines. */
TEST consistent_by_features_tells_close_directions_apart(void)
{
    enum { N = 24, D = 3, WIDE = 63 };
    const mtc_real far = is_double ? 1000 : 5;
    mtc_real x[N * D], wide[N * WIDE] = {0}, full[2][N * N];
    mtc_consistent_result r;
    test_fill(x, N * D, 1, far - 1, far + 1);
    for (size_t i = 0; i < N; i++)
        for (size_t f = 0; f < D; f++)
            wide[i * WIDE + f] = x[i * D + f];
    const mtc_data X[2] = {mtc_dense(N, D, x), mtc_dense(N, WIDE, wide)};
    for (int v = 0; v < 2; v++) {
        ASSERT_EQ(MTC_OK, mtc_consistent(NULL, &X[v], 1, NULL, &r));
        square(&r.M[0], full[v]);
        mtc_free(NULL, &r.block);
    }
    for (size_t e = 0; e < N * N; e++)
        ASSERT_IN_RANGE((double)full[0][e], (double)full[1][e],
                        is_double ? 1e-3 : 2e-2);
    PASS();
}

TEST consistent_serves_one_two_and_equal_samples(void)
{
    static test_tasks p;
    mtc_real full[36];
    mtc_context ctx = test_context();
    mtc_consistent_options o = mtc_consistent_defaults();
    mtc_consistent_result r;
    const size_t sizes[4] = {1, 2, 3, 6};
    o.clusters = 1;
    for (int zero = 0; zero < 4; zero++) {          /* task 3: all equal, 0 */
        o.distances = zero > 1;
        for (size_t t = 0; t < 4; t++) {
            for (size_t e = 0; e < sizes[t] * 4; e++)
                p.x[t][e] = t == 3 ? (mtc_real)(zero % 2) : (mtc_real)(e % 5);
            test_views(&p, t, sizes[t], 4);
        }
        ASSERT_EQ(MTC_OK, mtc_consistent(&ctx, p.dense, 4, &o, &r));
        ASSERT_EQ(0, r.M[0].row[1]);                /* one sample: M = 0 */
        ASSERT_EQ(2, r.M[1].row[2]);                /* two: each other */
        ASSERT(r.M[1].values[0] == 1 && r.M[1].values[1] == 1);
        ASSERT_EQ(1, r.neighbors[2]);
        ASSERT_EQ(2, r.neighbors[3]);               /* ceil(.3 * 6) */
        square(&r.M[3], full);
        for (size_t j = 0; j < 6; j++)              /* equal: lowest indices */
            for (size_t i = 0; i < 6; i++) {
                size_t of_j = j < 2 ? 2 : 1, of_i = i < 2 ? 2 : 1;
                double M = (i <= of_j) + (j <= of_i);
                ASSERT_IN_RANGE(i == j ? 0 : M / 2, (double)full[i * 6 + j],
                                (double)TOL(1e-12));
            }
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

/* ---- the method --------------------------------------------------------- */

TEST mtcfir_objective_never_increases_and_results_are_sane(void)
{
    static test_tasks p;
    mtc_context ctx = test_context();
    for (uint64_t seed = 1; seed <= 120; seed++) {
        size_t d = seed % 3 ? 3 + seed % 8 : 40;
        mtc_mtcfir_options o = mtc_mtcfir_defaults();
        mtc_mtcfir_result r;
        size_t k[TEST_TASKS];
        fir_random(&p, seed, 1 + seed % 4, 8 + seed % 15, d, 3);
        for (size_t t = 0; t < p.tasks; t++)
            k[t] = 1 + (seed + t) % 4;
        o.clusters_of = k;
        o.layers = seed % 4;
        o.variant = (mtc_mtcfir_variant)(seed / 4 % 4);
        o.restarts = 2;
        o.iterations = 60;
        ctx.seed = seed;
        ASSERT_EQ(MTC_OK, mtc_mtcfir(&ctx, seed & 1 ? p.csr : p.dense,
                                     p.tasks, &o, &r));
        for (size_t t = 0; t < p.tasks; t++) {
            const mtc_real *f = r.objective[t];
            size_t seen = 0, used[4] = {0, 0, 0, 0};
            for (size_t it = 0; it < r.iterations[t]; it++)
                ASSERT((double)f[it + 1] <=
                       (double)f[it] + 1e-10 * fabs((double)f[0]));
            for (size_t i = 0; i < p.dense[t].n; i++) {
                ASSERT(r.labels[t][i] >= 0 && (size_t)r.labels[t][i] < k[t]);
                used[r.labels[t][i]] = 1;
            }
            for (size_t z = 0; z < k[t]; z++)
                seen += used[z];
            ASSERT_EQ(seen, r.k_effective[t]);
            ASSERT_IN_RANGE(1.0, (double)r.relatedness[t * (p.tasks + 1)],
                            0.0);
        }
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

/* Y [n*k] after `steps` of eq. 25 to the power 1/2, from labels + .2. */
static void defined_steps(size_t n, size_t k, const mtc_real *M,
                          const int *start, size_t steps, double *Y)
{
    static double YY[TEST_N * TEST_N], next[TEST_N * TEST_N];
    for (size_t e = 0; e < n * k; e++)
        Y[e] = .2 + (start[e / k] == (int)(e % k));
    for (size_t it = 0; it < steps; it++) {
        memset(YY, 0, k * k * sizeof *YY);
        for (size_t e = 0; e < n * k * k; e++)
            YY[e % (k * k)] += Y[e / (k * k) * k + e / k % k] *
                               Y[e / (k * k) * k + e % k];
        for (size_t e = 0; e < n * k; e++) {
            double up = 0, down = 0;
            for (size_t i = 0; i < n; i++)
                up += (double)M[e / k * n + i] * Y[i * k + e % k];
            for (size_t z = 0; z < k; z++)
                down += Y[e / k * k + z] * YY[z * k + e % k];
            next[e] = down > 0 ? Y[e] * sqrt(up / down) : 0;
        }
        memcpy(Y, next, n * k * sizeof *Y);
    }
}

/* Small tasks stand still, but for rounding, long before the last step: they
 * go on all the same, and f does not rise. */
TEST mtcfir_takes_every_step_where_no_tolerance_is_set(void)
{
    static test_tasks p;
    static mtc_real full[TEST_N * TEST_N];
    static double Y[TEST_N * TEST_N];
    mtc_context ctx = test_context();
    const size_t sizes[4] = {1, 2, 3, 25}, ks[4] = {1, 1, 2, 1};
    for (uint64_t seed = 0; seed < 12; seed++) {
        mtc_mtcfir_options o = mtc_mtcfir_defaults();
        mtc_mtcfir_result r;
        fir_random(&p, seed, 4, 25, 6, 1);
        for (size_t t = 0; t < 4; t++) {
            test_views(&p, t, sizes[t], 6);
            for (size_t i = 0; i < sizes[t]; i++)
                p.start[t][i] = (int)(i % ks[t]);
        }
        o.clusters_of = ks;
        o.variant = seed % 2 ? MTC_MTCFIR_NI : MTC_MTCFIR_FULL;
        o.start_labels = p.labels;
        o.iterations = 20;
        o.tolerance = 0;
        ASSERT_EQ(MTC_OK, mtc_mtcfir(&ctx, p.dense, 4, &o, &r));
        for (size_t t = 0; t < 4; t++) {
            ASSERT_EQ(20, r.iterations[t]);
            ASSERT(!r.converged[t]);
            square(&r.M[t], full);
            defined_steps(sizes[t], ks[t], full, p.start[t], 20, Y);
            for (size_t e = 0; e < sizes[t] * ks[t]; e++)
                ASSERT_IN_RANGE(Y[e], (double)r.Y[t][e], (double)TOL(1e-12));
            for (size_t it = 0; it < 20; it++)
                ASSERT(r.objective[t][it + 1] <= r.objective[t][it]);
        }
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

/* The start sees Z through Z Z' where it is wide: the same distances, hence
 * the loss of k-means on Z itself. */
TEST mtcfir_starts_from_kmeans_on_the_features(void)
{
    static test_tasks p;
    static mtc_real Z[TEST_N * TEST_D * MAX_G];
    mtc_context ctx = test_context();
    for (uint64_t seed = 1; seed <= 12; seed++) {
        mtc_mtcfir_options o = mtc_mtcfir_defaults();
        mtc_mtcfir_result r;
        size_t first = 0;
        fir_random(&p, seed, 2, 24, seed % 3 ? 30 : 3, 3);
        if (seed % 4 == 0)              /* twins: Z Z' is singular */
            memcpy(p.x[0] + p.d, p.x[0], p.d * sizeof(mtc_real));
        test_views(&p, 0, p.dense[0].n, p.d);
        o.clusters = 3;
        o.iterations = 0;
        o.layers = seed % 3;
        ASSERT_EQ(MTC_OK, mtc_mtcfir(&ctx, p.csr, 2, &o, &r));
        for (size_t t = 0; t < 2; first += p.dense[t++].n) {
            mtc_kmeans_options ko = mtc_kmeans_defaults();
            mtc_kmeans_result full, from;
            joined(&p.dense[t], r.features, first, Z);
            mtc_data view = mtc_dense(p.dense[t].n, p.d * (o.layers + 1), Z);
            ko.clusters = 3;
            ASSERT_EQ(MTC_OK, mtc_kmeans(&ctx, &view, &ko, &full));
            ko.start_labels = r.labels[t];
            ASSERT_EQ(MTC_OK, mtc_kmeans(&ctx, &view, &ko, &from));
            ASSERT_IN_RANGE((double)full.loss, (double)from.objective[0],
                            1e-3 * (double)full.loss);
            mtc_free(&ctx, &full.block);
            mtc_free(&ctx, &from.block);
        }
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

/* Text in miniature: each class has words of its own, each task uses half of
 * them, so that within a task samples share little. */
static void fir_text(test_tasks *p, uint64_t seed)
{
    static mtc_real u[TEST_N * TEST_D];
    p->tasks = 2;
    p->d = 36;
    p->n = 80;
    for (size_t t = 0; t < 2; t++) {
        test_fill(u, 40 * 36, seed * 10 + t, 0, 1);
        for (size_t e = 0; e < 40 * 36; e++) {
            size_t i = e / 36, word = e % 36;
            double chance = word / 12 == i % 3 ? .35 : .03;
            p->x[t][e] = (double)u[e] < chance;
            p->start[t][i] = (int)(i % 3);
        }
        test_views(p, t, 40, 36);
    }
}

TEST mtcfir_finds_classes_and_pairs_them_across_tasks(void)
{
    static test_tasks p;
    mtc_context ctx = test_context();
    for (uint64_t seed = 1; seed <= 5; seed++)
        for (int variant = 0; variant < 4; variant++) {
            mtc_mtcfir_options o = mtc_mtcfir_defaults();
            mtc_mtcfir_result r;
            fir_text(&p, seed);
            o.clusters = 3;
            o.variant = (mtc_mtcfir_variant)variant;
            ASSERT_EQ(MTC_OK, mtc_mtcfir(&ctx, p.csr, 2, &o, &r));
            ASSERT_EQ(variant == MTC_MTCFIR_NF ? 0 : 3, r.features->layers);
            ASSERT_EQ(variant == MTC_MTCFIR_NI, r.M[0].row == NULL);
            mtc_scores score;
            for (size_t t = 0; t < 2; t++) {
                ASSERT_EQ(MTC_OK, mtc_score(&ctx, 40, p.start[t], r.labels[t],
                                            &score));
                ASSERT(score.accuracy >= (variant == MTC_MTCFIR_NF
                                              ? (mtc_real)0.6
                                              : (mtc_real)0.85));
            }
            for (size_t z = 0; z < 3 && variant == 0; z++) {
                size_t votes[2][3] = {{0}};
                for (size_t i = 0; i < 40; i++) {
                    votes[0][i % 3] += r.labels[0][i] == (int)z;
                    votes[1][i % 3] += r.labels[1][i] == (int)z;
                }
                size_t a = 0, b = 0;
                for (size_t y = 1; y < 3; y++) {
                    a = votes[0][y] > votes[0][a] ? y : a;
                    b = votes[1][y] > votes[1][b] ? y : b;
                }
                ASSERT_EQ(a, b);                    /* the same class */
            }
            mtc_free(&ctx, &r.block);
        }
    PASS();
}

TEST mtcfir_variants_are_what_they_leave_out(void)
{
    static test_tasks p;
    mtc_context ctx = test_context();
    mtc_mtcfir_options o = mtc_mtcfir_defaults();
    mtc_mtcfir_result r, s;
    fir_text(&p, 3);
    o.clusters = 3;
    o.variant = MTC_MTCFIR_NF;
    ASSERT_EQ(MTC_OK, mtc_mtcfir(&ctx, p.dense, 2, &o, &r));
    o.variant = MTC_MTCFIR_FULL;
    o.layers = 0;                                   /* nF by another name */
    ASSERT_EQ(MTC_OK, mtc_mtcfir(&ctx, p.dense, 2, &o, &s));
    for (size_t i = 0; i < 40; i++)
        ASSERT_EQ(r.labels[1][i], s.labels[1][i]);
    mtc_free(&ctx, &s.block);
    o.variant = MTC_MTCFIR_NI;                         /* M = cosines of X */
    ASSERT_EQ(MTC_OK, mtc_mtcfir(&ctx, p.dense, 2, &o, &s));
    for (size_t e = 0; e < 1600; e++) {
        const mtc_real *x = p.x[0] + e / 40 * 36, *y = p.x[0] + e % 40 * 36;
        double xx = (double)mtc_dot(36, x, x), yy = (double)mtc_dot(36, y, y);
        double c = xx * yy > 0 ? (double)mtc_dot(36, x, y) / sqrt(xx * yy) : 0;
        ASSERT_IN_RANGE(c, (double)s.M[0].values[e], (double)TOL(1e-13));
    }
    mtc_free(&ctx, &s.block);
    o.variant = MTC_MTCFIR_NR;                         /* and says so */
    ASSERT_EQ(MTC_OK, mtc_mtcfir(&ctx, p.dense, 2, &o, &s));
    for (size_t e = 0; e < 4; e++)
        ASSERT(s.alpha[e] == 1 && s.relatedness[e] == 1);
    mtc_free(&ctx, &s.block);
    mtc_free(&ctx, &r.block);
    PASS();
}

TEST mtcfir_serves_degenerate_tasks(void)
{
    static test_tasks p;
    mtc_context ctx = test_context();
    const size_t sizes[4] = {1, 2, 3, 7}, ks[4] = {1, 2, 3, 7};
    for (int round = 0; round < 6; round++)
        for (int variant = 0; variant < 4; variant++) {
            mtc_mtcfir_options o = mtc_mtcfir_defaults();
            mtc_mtcfir_result r;
            size_t d = round % 2 ? 1 : 12;
            for (size_t t = 0; t < 4; t++) {
                test_fill(p.x[t], sizes[t] * d, 5 + t, -1, 1);
                for (size_t e = 0; e < sizes[t] * d; e++)
                    if (round > 3)
                        p.x[t][e] = 0;              /* nothing */
                    else if (round > 1)
                        p.x[t][e] = 2;              /* all equal */
                test_views(&p, t, sizes[t], d);
            }
            o.clusters_of = ks;
            o.variant = (mtc_mtcfir_variant)variant;
            ASSERT_EQ(MTC_OK, mtc_mtcfir(&ctx, round & 2 ? p.csr : p.dense, 4,
                                         &o, &r));
            ASSERT_EQ(0, r.labels[0][0]);
            for (size_t t = 0; t < 4; t++)
                for (size_t i = 0; i < sizes[t]; i++)
                    ASSERT(r.labels[t][i] >= 0 &&
                           (size_t)r.labels[t][i] < ks[t]);
            mtc_free(&ctx, &r.block);
        }
    PASS();
}

TEST mtcfir_refuses_what_it_cannot_serve(void)
{
    static test_tasks p;
    mtc_context ctx = test_context();
    mtc_mtcfir_options o = mtc_mtcfir_defaults();
    mtc_mtcfir_result r;
    size_t k[2] = {2, 10}, l[2] = {0, 99};
    fir_random(&p, 1, 2, 8, 5, 2);
    ASSERT_EQ(MTC_OK, mtc_mtcfir(&ctx, p.dense, 2, NULL, &r));
    mtc_free(&ctx, &r.block);
    ASSERT_EQ(MTC_INVALID, mtc_mtcfir(&ctx, p.dense, 0, &o, &r));
    o.clusters_of = k;
    ASSERT_EQ(MTC_INVALID, mtc_mtcfir(&ctx, p.dense, 2, &o, &r));
    ASSERT_EQ(1, ctx.error.task);
    o.clusters_of = NULL;
    o.neighbors_of = l;                 /* cut to 1..n-2 */
    ASSERT_EQ(MTC_OK, mtc_mtcfir(&ctx, p.dense, 2, &o, &r));
    ASSERT_EQ((size_t)1, r.neighbors[0]);
    ASSERT_EQ(p.dense[1].n - 2, r.neighbors[1]);
    mtc_free(&ctx, &r.block);
    o.neighbors_of = NULL;
    o.neighbor_share = 0;
    ASSERT_EQ(MTC_INVALID, mtc_mtcfir(&ctx, p.dense, 2, &o, &r));
    o.neighbor_share = 1;
    o.noise = 1;
    ASSERT_EQ(MTC_INVALID, mtc_mtcfir(&ctx, p.dense, 2, &o, &r));
    o.noise = (mtc_real)0.5;
    o.variant = (mtc_mtcfir_variant)9;
    ASSERT_EQ(MTC_INVALID, mtc_mtcfir(&ctx, p.dense, 2, &o, &r));
    o.variant = MTC_MTCFIR_FULL;
    o.restarts = 0;
    ASSERT_EQ(MTC_INVALID, mtc_mtcfir(&ctx, p.dense, 2, &o, &r));
    o.restarts = 1;
    p.start[1][4] = 2;
    o.start_labels = p.labels;
    ASSERT_EQ(MTC_INVALID, mtc_mtcfir(&ctx, p.dense, 2, &o, &r));
    ASSERT_EQ(1, ctx.error.task);
    ASSERT_EQ(4, ctx.error.row);
    o.start_labels = NULL;
    p.dense[1].d = 4;
    ASSERT_EQ(MTC_INVALID, mtc_mtcfir(&ctx, p.dense, 2, &o, &r));
    PASS();
}

/* Many tasks, and fewer rows than columns: A1 needs more scratch than A2.  What
 * a layout writes may not lie where an earlier phase works.  Each cluster has
 * columns of its own. */
TEST mtcfir_serves_many_wide_tasks(void)
{
    enum { T = 8, n = 60, d = 500 };
    static mtc_real x[T][n * d];
    mtc_context ctx = test_context();
    mtc_data X[T];
    mtc_mtcfir_options o = mtc_mtcfir_defaults();
    mtc_mtcfir_result r;
    for (size_t t = 0; t < T; t++) {
        for (size_t i = 0; i < n; i++)
            for (size_t e = i % 2; e < d; e += 2)
                x[t][i * d + e] = 1 + (mtc_real)((i * 7 + e * 5 + t) % 11) / 40;
        X[t] = mtc_dense(n, d, x[t]);
    }
    o.layers = 1;
    ASSERT_EQ(MTC_OK, mtc_mtcfir(&ctx, X, T, &o, &r));
    for (size_t t = 0; t < T; t++) {
        ASSERT(r.labels[t][0] != r.labels[t][1]);
        for (size_t i = 2; i < n; i++)
            ASSERT_EQ(r.labels[t][i % 2], r.labels[t][i]);
    }
    mtc_free(&ctx, &r.block);
    PASS();
}

/* Three groups so far apart that k-means finds them, with nine copies among the
 * rows: the matrix of the products of wide rows is singular, and has a root all
 * the same.  The objective tells where the factorization began. */
TEST mtcfir_starts_from_the_groups_although_rows_are_copies(void)
{
    enum { N = 40, WIDE = 60, COPIES = 9 };
    static mtc_real x[2][N * WIDE];
    int y[N];
    const int *start[2] = {y, y};
    mtc_data X[2] = {mtc_dense(N, WIDE, x[0]), mtc_dense(N, WIDE, x[1])};
    mtc_context ctx = test_context();
    mtc_random r = mtc_random_seed(3);
    mtc_mtcfir_options o = mtc_mtcfir_defaults();
    mtc_mtcfir_result found, given;
    for (size_t i = 0; i < N; i++) {
        size_t of = i < N - COPIES ? i : i - (N - COPIES);
        y[i] = (int)(of % 3);
        for (size_t t = 0; t < 2; t++)
            for (size_t f = 0; f < WIDE; f++)
                x[t][i * WIDE + f] =
                    of < i ? x[t][of * WIDE + f]
                           : (mtc_real)(f % 3 == i % 3 ? 3 : 0) +
                             mtc_random_real(&r) / 2;
    }
    o.clusters = 3;
    o.layers = 0;
    ASSERT_EQ(MTC_OK, mtc_mtcfir(&ctx, X, 2, &o, &found));
    o.start_labels = start;
    ASSERT_EQ(MTC_OK, mtc_mtcfir(&ctx, X, 2, &o, &given));
    for (size_t t = 0; t < 2; t++)
        ASSERT_IN_RANGE(given.objective[t][0], found.objective[t][0],
                        TOL(1e-9) * given.objective[t][0]);
    mtc_free(&ctx, &found.block);
    mtc_free(&ctx, &given.block);
    PASS();
}

SUITE(fir_suite)
{
    RUN_TEST(mtcfir_serves_many_wide_tasks);
    RUN_TEST(msda_follows_the_worked_cases);
    RUN_TEST(consistent_follows_the_worked_cases);
    RUN_TEST(mtcfir_follows_the_worked_cases_dense_and_sparse);
    RUN_TEST(msda_computes_its_definition_in_both_forms);
    RUN_TEST(msda_inverts_in_blocks);
    RUN_TEST(msda_takes_any_scale_and_zero_features);
    RUN_TEST(msda_refuses_what_is_undefined);
    RUN_TEST(consistent_solves_its_quadratic_programs);
    RUN_TEST(consistent_by_distances_solves_its_quadratic_programs);
    RUN_TEST(consistent_by_features_equals_consistent_by_cosines);
    RUN_TEST(consistent_by_features_tells_close_directions_apart);
    RUN_TEST(consistent_serves_one_two_and_equal_samples);
    RUN_TEST(mtcfir_objective_never_increases_and_results_are_sane);
    RUN_TEST(mtcfir_takes_every_step_where_no_tolerance_is_set);
    RUN_TEST(mtcfir_starts_from_kmeans_on_the_features);
    RUN_TEST(mtcfir_finds_classes_and_pairs_them_across_tasks);
    RUN_TEST(mtcfir_variants_are_what_they_leave_out);
    RUN_TEST(mtcfir_serves_degenerate_tasks);
    RUN_TEST(mtcfir_refuses_what_it_cannot_serve);
    RUN_TEST(mtcfir_starts_from_the_groups_although_rows_are_copies);
}
