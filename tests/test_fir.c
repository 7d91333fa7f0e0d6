/* SPDX-License-Identifier: MIT
 *
 * Marginalised denoising autoencoder, consistent similarity, MTCFIR: worked
 * cases, the definitions computed anew, two forms of one thing, invariances.
 */
#include <math.h>

#include "golden_fir.h"
#include "greatest.h"
#include "test_util.h"

#define MAX_G 4

/* Tasks of n, n+1, .. samples about c common directions, half of all values
 * 0; sample i belongs to class i % c. */
static void fir_random(test_tasks *p, uint64_t seed, size_t tasks, size_t n,
                       size_t d, size_t c)
{
    mtc_real centre[8 * TEST_D], u[TEST_N * TEST_D];
    p->tasks = tasks;
    p->d = d;
    p->n = 0;
    test_fill(centre, c * d, seed + 1000, 0, 3);
    for (size_t t = 0; t < tasks; t++) {
        size_t nt = n + t;
        test_fill(p->x[t], nt * d, seed + 7 * t, -1, 1);
        test_fill(u, nt * d, seed + 500 + t, 0, 1);
        for (size_t i = 0; i < nt; i++) {
            p->start[t][i] = (int)(i % c);
            for (size_t j = 0; j < d; j++) {
                p->x[t][i * d + j] += centre[(i % c) * d + j];
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
                                           const mtc_data *tasks, int form,
                                           mtc_real (*Z)[TEST_N * 160],
                                           mtc_data *view)
{
    mtc_context ctx = test_context();
    mtc_msda_options o = mtc_msda_defaults();
    mtc_msda_result f;
    o.layers = g->variant[1] == 'F' ? 0 : g->layers;
    o.noise = (mtc_real)g->noise;
    o.ridge = (mtc_real)g->ridge;
    o.form = (mtc_msda_form)form;
    ASSERT_EQm(g->name, MTC_OK, mtc_msda(&ctx, tasks, g->tasks, &o, &f));
    size_t first = 0, D = g->d * (o.layers + 1);
    for (size_t t = 0; t < g->tasks; first += g->n[t++]) {
        joined(&tasks[t], &f, first, Z[t]);
        ASSERT_CLOSE(g->Z[t], Z[t], g->n[t] * D);
        view[t] = mtc_dense(g->n[t], D, Z[t]);
    }
    mtc_msda_free(&ctx, &f);
    PASS();
}

static mtc_real golden_Z[TEST_TASKS][TEST_N * 160];

TEST msda_follows_the_worked_cases_in_both_forms(void)
{
    static test_tasks p;
    mtc_data view[TEST_TASKS];
    for (size_t i = 0; i < GOLDEN_FIR_COUNT; i++) {
        fir_load(&golden_fir_cases[i], &p);
        for (int form = 0; form < 3; form++) {
            CHECK_CALL(fir_features(&golden_fir_cases[i], p.dense, form,
                                    golden_Z, view));
            CHECK_CALL(fir_features(&golden_fir_cases[i], p.csr, form,
                                    golden_Z, view));
        }
    }
    PASS();
}

/* Steps between: cosines, l, eps, alpha, A, M before and after scaling. */
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
        CHECK_CALL(fir_features(g, p.dense, 0, golden_Z, view));
        o.clusters_of = g->k;
        o.neighbors_of = g->l;
        o.keep = 1;
        ASSERT_EQ(MTC_OK, mtc_consistent(&ctx, view, g->tasks, &o, &r));
        ASSERT_CLOSE(g->eps, r.threshold, g->tasks);
        ASSERT_CLOSE(g->alpha, r.alpha, g->tasks * g->tasks);
        ASSERT_CLOSE(g->scaled, r.relatedness, g->tasks * g->tasks);
        for (size_t t = 0, at = 0; t < g->tasks; at += g->n[t++]) {
            size_t n = g->n[t];
            ASSERT_EQm(g->name, g->l_used[t], r.neighbors[t]);
            for (size_t s = 0, to = 0; s < g->tasks; to += g->n[s++])
                for (size_t i = 0; i < n; i++)
                    ASSERT_CLOSE(g->V[t * g->tasks + s] + i * g->n[s],
                                 r.V + (at + i) * r.n + to, g->n[s]);
            ASSERT_CLOSE(g->A[t], r.A[t], n * n);
            ASSERT_CLOSE(g->raw[t], r.raw[t], n * n);
            square(&r.M[t], full);
            ASSERT_CLOSE(g->M[t], full, n * n);
        }
        mtc_consistent_free(&ctx, &r);
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
    o.variant = g->variant[1] == 'F' ? MTC_FIR_NF : MTC_FIR_FULL;
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
        mtc_mtcfir_free(&ctx, &r);
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
    const size_t widths[3] = {7, 40, 30};
    for (size_t round = 0; round < 18; round++) {
        double noise = noises[round % 3], ridge = ridges[round / 3 % 2];
        size_t d = widths[round / 6], at = 0;
        size_t tasks = round == 0 ? 3 : 2;      /* 153: G in two blocks */
        fir_random(&p, 40 + round, tasks, round == 0 ? 50 : 15, d, 3);
        for (size_t t = 0; t < tasks; t++)
            for (size_t e = 0; e < p.dense[t].n * d; e++)
                x[at++] = (double)p.x[t][e];
        for (int form = 1; form < 3; form++)
            for (int sparse = 0; sparse < 2; sparse++) {
                mtc_msda_options o = mtc_msda_defaults();
                mtc_msda_result f;
                static double in[TEST_TASKS * TEST_N * TEST_D];
                o.noise = (mtc_real)noise;
                o.ridge = (mtc_real)ridge;
                o.form = (mtc_msda_form)form;
                ASSERT_EQ(MTC_OK, mtc_msda(&ctx, sparse ? p.csr : p.dense,
                                           tasks, &o, &f));
                ASSERT_EQ(form == 2, f.dual);
                memcpy(in, x, at * sizeof *x);
                for (size_t b = 0; b < o.layers; b++) {
                    defined_layer(p.n, d, in, noise, ridge, h, Wt);
                    for (size_t e = 0; e < p.n * d; e++)
                        ASSERT_IN_RANGE(h[e], (double)f.h[b * p.n * d + e],
                                        is_double ? 1e-9 : 2e-2);
                    memcpy(in, h, p.n * d * sizeof *h);
                }
                mtc_msda_free(&ctx, &f);
            }
    }
    PASS();
}

TEST msda_maps_new_samples_by_the_same_weights(void)
{
    static test_tasks p, fresh;
    static mtc_real h[3][MAX_G * TEST_N * TEST_D];
    static double x[TEST_TASKS * TEST_N * TEST_D];
    static double out[TEST_TASKS * TEST_N * TEST_D];
    static double Wt[(TEST_D + 1) * TEST_D];
    mtc_context ctx = test_context();
    for (uint64_t seed = 1; seed <= 12; seed++) {
        size_t d = seed % 2 ? 6 : 40, at = 0;
        mtc_msda_options o = mtc_msda_defaults();
        fir_random(&p, seed, 2, 14, d, 3);
        fir_random(&fresh, seed + 90, 1, seed % 3 ? 9 : 70, d, 3);
        for (size_t t = 0; t < 2; t++)
            for (size_t e = 0; e < p.dense[t].n * d; e++)
                x[at++] = (double)p.x[t][e];
        const mtc_data *train = seed % 4 < 2 ? p.csr : p.dense;
        const mtc_data *X = seed % 3 ? fresh.csr : fresh.dense;
        size_t size = X->n * d;
        for (int form = 1; form < 3; form++) {
            mtc_msda_result f;
            o.form = (mtc_msda_form)form;
            ASSERT_EQ(MTC_OK, mtc_msda(&ctx, train, 2, &o, &f));
            ASSERT_EQ(MTC_OK, mtc_msda_assign(&ctx, &train[1], train, 2, &f,
                                              h[2]));
            for (size_t e = 0; e < 3 * p.dense[1].n * d; e++) {
                size_t b = e / (p.dense[1].n * d), i = e % (p.dense[1].n * d);
                ASSERT_IN_RANGE((double)f.h[b * p.n * d + p.dense[0].n * d +
                                            i],
                                (double)h[2][e], (double)TOL(1e-10) * 10);
            }
            ASSERT_EQ(MTC_OK, mtc_msda_assign(&ctx, X, train, 2, &f,
                                              h[form - 1]));
            mtc_data few = mtc_dense(5000, d, p.x[0]), many = few;
            many.n *= 2;                /* a query reads no values */
            ASSERT_EQ(mtc_msda_assign_memory(&few, train, 2, &f),
                      mtc_msda_assign_memory(&many, train, 2, &f));
            mtc_msda_free(&ctx, &f);
        }
        for (size_t e = 0; e < 3 * size; e++)
            ASSERT_IN_RANGE((double)h[0][e], (double)h[1][e],
                            is_double ? 1e-9 : 2e-2);
        defined_layer(p.n, d, x, .5, 1e-5, out, Wt);    /* layer 1 by hand */
        for (size_t e = 0; e < size; e++) {
            double sum = Wt[d * d + e % d];
            for (size_t a = 0; a < d; a++)
                sum += (double)fresh.x[0][e / d * d + a] * Wt[a * d + e % d];
            ASSERT_IN_RANGE(tanh(sum), (double)h[1][e],
                            is_double ? 1e-9 : 2e-2);
        }
    }
    PASS();
}

TEST msda_takes_any_scale_and_zero_features(void)
{
    static test_tasks p;
    mtc_context ctx = test_context();
    for (int form = 1; form < 3; form++)
        for (int round = 0; round < 4; round++) {
            mtc_msda_options o = mtc_msda_defaults();
            mtc_msda_result f;
            double scale = round == 0 ? 1e12 : round == 1 ? 1e-9 : 1;
            fir_random(&p, 3, 2, 10, 25, 2);
            for (size_t t = 0; t < 2; t++) {
                for (size_t e = 0; e < p.dense[t].n * 25; e++)
                    p.x[t][e] = e % 25 == 4 ? 0
                                : round == 3 ? 0
                                : e % 25 < 8 ? (mtc_real)((double)p.x[t][e] *
                                                          scale)
                                             : p.x[t][e];
                test_views(&p, t, p.dense[t].n, 25);
            }
            o.form = (mtc_msda_form)form;
            o.ridge = round == 2 ? 0 : o.ridge;
            ASSERT_EQ(MTC_OK, mtc_msda(&ctx, p.csr, 2, &o, &f));
            for (size_t e = 0; e < 3 * p.n * 25; e++) {
                ASSERT(f.h[e] >= -1 && f.h[e] <= 1);
                if (e % 25 == 4 || round == 3)
                    ASSERT(fabs((double)f.h[e]) < 1e-12);
            }
            mtc_msda_free(&ctx, &f);
        }
    PASS();
}

TEST msda_chooses_the_cheaper_form_and_refuses_what_is_undefined(void)
{
    static test_tasks p;
    mtc_context ctx = test_context();
    mtc_msda_options o = mtc_msda_defaults();
    mtc_msda_result f;
    fir_random(&p, 5, 2, 12, 40, 2);
    ASSERT_EQ(MTC_OK, mtc_msda(&ctx, p.dense, 2, &o, &f));
    ASSERT_EQ(1, f.dual);
    mtc_msda_free(&ctx, &f);
    fir_random(&p, 5, 2, 40, 6, 2);
    ASSERT_EQ(MTC_OK, mtc_msda(&ctx, p.dense, 2, &o, &f));
    ASSERT_EQ(0, f.dual);
    mtc_msda_free(&ctx, &f);
    o.noise = 0;
    ASSERT_EQ(MTC_OK, mtc_msda(&ctx, p.dense, 2, &o, &f));
    mtc_msda_free(&ctx, &f);
    o.ridge = 0;
    ASSERT_EQ(MTC_INVALID, mtc_msda(&ctx, p.dense, 2, &o, &f));
    o.noise = 1;
    ASSERT_EQ(MTC_INVALID, mtc_msda(&ctx, p.dense, 2, &o, &f));
    o.noise = (mtc_real)0.5;
    o.ridge = -1;
    ASSERT_EQ(MTC_INVALID, mtc_msda(&ctx, p.dense, 2, &o, &f));
    o.ridge = 0;
    o.layers = 0;
    ASSERT_EQ(MTC_OK, mtc_msda(&ctx, p.dense, 2, &o, &f));
    ASSERT_EQ(0, f.layers);
    mtc_msda_free(&ctx, &f);
    PASS();
}

/* ---- consistent similarity ---------------------------------------------- */

/* Row i of raw M solves the problem it says: with beta of eq. 19 the column
 * is the projection of -A / (2 beta) on the simplex. */
TEST consistent_columns_solve_their_quadratic_programs(void)
{
    static test_tasks p;
    mtc_context ctx = test_context();
    for (uint64_t seed = 1; seed <= 40; seed++) {
        mtc_consistent_options o = mtc_consistent_defaults();
        mtc_consistent_result r;
        fir_random(&p, seed, 1 + seed % 3, 5 + seed % 20, 3 + seed % 9, 2);
        o.share = (mtc_real)(0.1 + 0.2 * (double)(seed % 5));
        o.keep = 1;
        ASSERT_EQ(MTC_OK, mtc_consistent(&ctx, p.dense, p.tasks, &o, &r));
        for (size_t t = 0; t < p.tasks; t++) {
            size_t n = p.dense[t].n, l = r.neighbors[t];
            for (size_t j = 0; j < n; j++) {
                mtc_real a[TEST_N], x[TEST_N], m[TEST_N], w[TEST_N];
                size_t others = 0, entries = 0;
                double sum = 0, total = 0;
                for (size_t i = 0; i < n; i++)
                    if (i != j)
                        x[others++] = r.A[t][i * n + j];
                memcpy(a, x, others * sizeof *a);
                for (size_t y = 0; y <= l; y++)     /* l + 1 smallest */
                    for (size_t z = y + 1; z < others; z++)
                        if (a[z] < a[y]) {
                            mtc_real swap = a[z];
                            a[z] = a[y];
                            a[y] = swap;
                        }
                for (size_t y = 0; y < l; y++)
                    sum += (double)a[y];
                double beta = ((double)l * (double)a[l] - sum) / 2;
                for (size_t i = 0; i < others; i++)
                    x[i] = (mtc_real)(-(double)x[i] / (2 * beta));
                ASSERT_EQ(MTC_OK, mtc_project_simplex(others, x, 1, m, w));
                others = 0;
                for (size_t i = 0; i < n; i++) {
                    mtc_real got = r.raw[t][i * n + j];
                    total += (double)got;
                    entries += got > 0;
                    ASSERT_IN_RANGE(i == j ? 0 : (double)m[others++],
                                    (double)got, (double)TOL(1e-9) * 100);
                }
                ASSERT(entries <= l);
                ASSERT_IN_RANGE(1.0, total, (double)TOL(1e-12) * 10);
            }
        }
        mtc_consistent_free(&ctx, &r);
    }
    PASS();
}

TEST consistent_computes_its_definitions(void)
{
    static test_tasks p;
    mtc_context ctx = test_context();
    for (uint64_t seed = 1; seed <= 10; seed++) {
        mtc_consistent_options o = mtc_consistent_defaults();
        mtc_consistent_result r;
        size_t d = 4 + seed;
        fir_random(&p, seed, 3, 9 + seed, d, 2);
        o.keep = 1;
        o.uniform = seed % 2 == 0;
        ASSERT_EQ(MTC_OK, mtc_consistent(&ctx, p.csr, 3, &o, &r));
        for (size_t t = 0, at = 0; t < 3; at += p.dense[t++].n) {
            size_t n = p.dense[t].n;
            double A = 0;
            for (size_t s = 0, to = 0; s < 3; to += p.dense[s++].n) {
                size_t m = p.dense[s].n;
                double count = 0;
                for (size_t i = 0; i < n; i++)
                    for (size_t k = 0; k < m; k++) {
                        const mtc_real *x = p.x[t] + i * d;
                        const mtc_real *y = p.x[s] + k * d;
                        double xx = 0, yy = 0, xy = 0;
                        for (size_t f = 0; f < d; f++) {
                            xx += (double)x[f] * (double)x[f];
                            yy += (double)y[f] * (double)y[f];
                            xy += (double)x[f] * (double)y[f];
                        }
                        double cosine = xy / sqrt(xx * yy);
                        mtc_real V = r.V[(at + i) * r.n + to + k];
                        ASSERT_IN_RANGE(cosine, (double)V,
                                        (double)TOL(1e-13));
                        ASSERT(V == r.V[(to + k) * r.n + at + i]);
                        count += V >= r.threshold[t] -
                                          (is_double ? (mtc_real)1e-10
                                                     : (mtc_real)1e-5);
                    }
                double alpha = o.uniform ? 1 : count / (double)n / (double)m;
                ASSERT_IN_RANGE(alpha, (double)r.alpha[t * 3 + s],
                                (double)TOL(1e-14));
                ASSERT_IN_RANGE((double)r.alpha[t * 3 + s] /
                                    (double)r.alpha[t * 3 + t],
                                (double)r.relatedness[t * 3 + s],
                                (double)TOL(1e-13));
                for (size_t k = 0; k < m; k++) {    /* A of samples 0 and 2 */
                    double gap = (double)r.V[at * r.n + to + k] -
                                 (double)r.V[(at + 2) * r.n + to + k];
                    A += alpha * gap * gap;
                }
            }
            ASSERT_IN_RANGE(A, (double)r.A[t][2], (double)TOL(1e-10));
        }
        mtc_consistent_free(&ctx, &r);
    }
    PASS();
}

/* Few features: the N x N matrix is avoided (keep forces it), the answer is
 * the same; dense and CSR likewise. */
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
        fir_random(&p, seed, 1 + seed % 3, seed == 5 ? 130 : 60, 2 + seed % 3,
                   3);
        o.uniform = seed % 4 == 0;
        size_t small = mtc_consistent_memory(p.dense, p.tasks, &o);
        ASSERT_EQ(MTC_OK, mtc_consistent(&ctx, p.dense, p.tasks, &o, &a));
        o.keep = 1;
        ASSERT(small < mtc_consistent_memory(p.dense, p.tasks, &o));
        ASSERT_EQ(MTC_OK, mtc_consistent(&ctx, p.csr, p.tasks, &o, &b));
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
        mtc_consistent_free(&ctx, &a);
        mtc_consistent_free(&ctx, &b);
    }
    PASS();
}

TEST consistent_serves_one_two_and_equal_samples(void)
{
    static test_tasks p;
    mtc_context ctx = test_context();
    mtc_consistent_options o = mtc_consistent_defaults();
    mtc_consistent_result r;
    const size_t sizes[4] = {1, 2, 3, 6};
    o.clusters = 1;
    o.keep = 1;
    for (size_t t = 0; t < 4; t++) {
        for (size_t e = 0; e < sizes[t] * 4; e++)
            p.x[t][e] = t == 3 ? 1 : (mtc_real)(e % 5);
        test_views(&p, t, sizes[t], 4);
    }
    ASSERT_EQ(MTC_OK, mtc_consistent(&ctx, p.dense, 4, &o, &r));
    ASSERT_EQ(0, r.M[0].row[1]);                    /* one sample: M = 0 */
    ASSERT_EQ(2, r.M[1].row[2]);                    /* two: each other */
    ASSERT(r.M[1].values[0] == 1 && r.M[1].values[1] == 1);
    ASSERT_EQ(1, r.neighbors[2]);
    ASSERT_EQ(2, r.neighbors[3]);                   /* ceil(.3 * 6) */
    for (size_t j = 0; j < 6; j++)                  /* equal: lowest indices */
        for (size_t i = 0; i < 6; i++) {
            size_t low = j == 0 ? 2 : j == 1 ? 2 : 1;
            ASSERT_IN_RANGE(i != j && i <= low ? .5 : 0,
                            (double)r.raw[3][i * 6 + j], (double)TOL(1e-12));
        }
    mtc_consistent_free(&ctx, &r);
    memset(p.x[3], 0, sizeof p.x[3]);               /* nothing at all */
    ASSERT_EQ(MTC_OK, mtc_consistent(&ctx, p.dense, 4, &o, &r));
    for (size_t e = 0; e < 36; e++)
        ASSERT(r.A[3][e] == 0);
    mtc_consistent_free(&ctx, &r);
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
        o.normalize = seed % 5 == 0;
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
            for (size_t s = 0; s < p.tasks; s++) {  /* plans move all mass */
                double total = 0;
                for (size_t e = 0; e < k[t] * k[s]; e++) {
                    ASSERT(r.plan[t * p.tasks + s][e] >= 0);
                    total += (double)r.plan[t * p.tasks + s][e];
                    ASSERT(r.plan[t * p.tasks + s][e] ==
                           r.plan[s * p.tasks + t][e % k[s] * k[t] +
                                                   e / k[s]]);
                }
                ASSERT_IN_RANGE(1.0, total, (double)TOL(1e-10));
            }
        }
        mtc_mtcfir_free(&ctx, &r);
    }
    PASS();
}

/* The start sees Z through Z Z' where it is wide: the same distances, hence
 * the loss of k-means on Z itself. */
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
        o.variant = seed % 2 ? MTC_FIR_NI : MTC_FIR_FULL;
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
        mtc_mtcfir_free(&ctx, &r);
    }
    PASS();
}

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
            ko.pick = MTC_PICK_LOSS;
            ASSERT_EQ(MTC_OK, mtc_kmeans(&ctx, &view, &ko, &full));
            ko.start_labels = r.labels[t];
            ASSERT_EQ(MTC_OK, mtc_kmeans(&ctx, &view, &ko, &from));
            ASSERT_IN_RANGE((double)full.loss, (double)from.objective[0],
                            1e-3 * (double)full.loss);
            mtc_kmeans_free(&ctx, &full);
            mtc_kmeans_free(&ctx, &from);
        }
        mtc_mtcfir_free(&ctx, &r);
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
            o.normalize = (int)(seed & 1);
            ASSERT_EQ(MTC_OK, mtc_mtcfir(&ctx, p.csr, 2, &o, &r));
            ASSERT_EQ(variant == MTC_FIR_NF ? 0 : 3, r.features->layers);
            ASSERT_EQ(variant == MTC_FIR_NI, r.M[0].row == NULL);
            mtc_scores score;
            for (size_t t = 0; t < 2; t++) {
                ASSERT_EQ(MTC_OK, mtc_score(&ctx, 40, p.start[t], r.labels[t],
                                            &score));
                ASSERT(score.accuracy >= (variant == MTC_FIR_NF
                                              ? (mtc_real)0.6
                                              : (mtc_real)0.85));
            }
            for (size_t z = 0; z < 3 && variant == 0; z++) {
                size_t best = 0, votes[3][3] = {{0}};
                for (size_t y = 1; y < 3; y++)
                    if (r.plan[1][z * 3 + y] > r.plan[1][z * 3 + best])
                        best = y;
                for (size_t i = 0; i < 40; i++) {
                    votes[0][i % 3] += r.labels[0][i] == (int)z;
                    votes[1][i % 3] += r.labels[1][i] == (int)best;
                }
                size_t a = 0, b = 0;
                for (size_t y = 1; y < 3; y++) {
                    a = votes[0][y] > votes[0][a] ? y : a;
                    b = votes[1][y] > votes[1][b] ? y : b;
                }
                ASSERT_EQ(a, b);                    /* the same class */
            }
            mtc_mtcfir_free(&ctx, &r);
        }
    PASS();
}

TEST mtcfir_assigns_old_samples_as_before_and_new_ones_by_class(void)
{
    static test_tasks p, fresh;
    static mtc_real all[80 * TEST_D];       /* both sets of fresh at once */
    mtc_context ctx = test_context();
    int labels[TEST_N], at_once[80];
    for (uint64_t seed = 1; seed <= 6; seed++) {
        mtc_mtcfir_options o = mtc_mtcfir_defaults();
        mtc_mtcfir_result r;
        mtc_scores score;
        fir_text(&p, seed);
        fir_text(&fresh, seed + 50);
        o.clusters = 3;
        o.layers = seed % 4;
        const mtc_data *tasks = seed & 1 ? p.csr : p.dense;
        ASSERT_EQ(MTC_OK, mtc_mtcfir(&ctx, tasks, 2, &o, &r));
        for (size_t t = 0; t < 2; t++) {
            size_t same = 0;
            ASSERT_EQ(MTC_OK, mtc_mtcfir_assign(&ctx, &tasks[t], tasks, 2, t,
                                                &r, labels));
            for (size_t i = 0; i < 40; i++)
                same += labels[i] == r.labels[t][i];
            ASSERT(same >= (o.layers > 0 ? 36 : 30));
            ASSERT_EQ(MTC_OK, mtc_mtcfir_assign(&ctx, seed & 2
                                                          ? &fresh.csr[t]
                                                          : &fresh.dense[t],
                                                tasks, 2, t, &r, labels));
            ASSERT_EQ(MTC_OK, mtc_score(&ctx, 40, fresh.start[t], labels,
                                        &score));
            ASSERT(score.accuracy >= (o.layers > 0 ? (mtc_real)0.8
                                                   : (mtc_real)0.5));
            memcpy(all, fresh.x[1 - t], 40 * p.d * sizeof *all);
            memcpy(all + 40 * p.d, fresh.x[t], 40 * p.d * sizeof *all);
            mtc_data X = mtc_dense(80, p.d, all);
            ASSERT_EQ(MTC_OK, mtc_mtcfir_assign(&ctx, &X, tasks, 2, t, &r,
                                                at_once));
            ASSERT(memcmp(labels, at_once + 40, 40 * sizeof *labels) == 0);
        }
        ASSERT_EQ(MTC_INVALID, mtc_mtcfir_assign(&ctx, tasks, tasks, 2, 2, &r,
                                                 labels));
        ASSERT_EQ(MTC_INVALID, mtc_mtcfir_assign(&ctx, tasks, tasks, 1, 0, &r,
                                                 labels));
        mtc_mtcfir_free(&ctx, &r);
    }
    PASS();
}

TEST mtcfir_variants_are_what_they_leave_out(void)
{
    static test_tasks p;
    static mtc_real full[TEST_N * TEST_N];
    mtc_context ctx = test_context();
    mtc_mtcfir_options o = mtc_mtcfir_defaults();
    mtc_mtcfir_result r, s;
    fir_text(&p, 3);
    o.clusters = 3;
    o.variant = MTC_FIR_NF;
    ASSERT_EQ(MTC_OK, mtc_mtcfir(&ctx, p.dense, 2, &o, &r));
    o.variant = MTC_FIR_FULL;
    o.layers = 0;                                   /* nF by another name */
    ASSERT_EQ(MTC_OK, mtc_mtcfir(&ctx, p.dense, 2, &o, &s));
    for (size_t i = 0; i < 40; i++)
        ASSERT_EQ(r.labels[1][i], s.labels[1][i]);
    mtc_mtcfir_free(&ctx, &s);
    o.variant = MTC_FIR_NI;                         /* M = cosines of X */
    ASSERT_EQ(MTC_OK, mtc_mtcfir(&ctx, p.dense, 2, &o, &s));
    for (size_t e = 0; e < 1600; e++) {
        const mtc_real *x = p.x[0] + e / 40 * 36, *y = p.x[0] + e % 40 * 36;
        double xx = (double)mtc_dot(36, x, x), yy = (double)mtc_dot(36, y, y);
        double c = xx * yy > 0 ? (double)mtc_dot(36, x, y) / sqrt(xx * yy) : 0;
        ASSERT_IN_RANGE(c, (double)s.M[0].values[e], (double)TOL(1e-13));
    }
    mtc_mtcfir_free(&ctx, &s);
    o.variant = MTC_FIR_NR;                         /* and says so */
    ASSERT_EQ(MTC_OK, mtc_mtcfir(&ctx, p.dense, 2, &o, &s));
    for (size_t e = 0; e < 4; e++)
        ASSERT(s.alpha[e] == 1 && s.relatedness[e] == 1);
    mtc_mtcfir_free(&ctx, &s);
    o.variant = MTC_FIR_FULL;
    o.normalize = 1;                                /* n/k D^-1/2 M D^-1/2 */
    ASSERT_EQ(MTC_OK, mtc_mtcfir(&ctx, p.dense, 2, &o, &s));
    square(&r.M[0], full);
    for (size_t i = 0; i < 40; i++)
        for (size_t k = 0; k < 40; k++) {
            double di = 0, dk = 0;
            for (size_t e = 0; e < 40; e++) {
                di += (double)full[i * 40 + e];
                dk += (double)full[k * 40 + e];
            }
            mtc_real row[40] = {0};
            mtc_data_axpy(&s.M[0], i, 1, row);
            ASSERT_IN_RANGE(di * dk > 0 ? 40. / 3 * (double)full[i * 40 + k] /
                                              sqrt(di * dk) : 0,
                            (double)row[k], (double)TOL(1e-12));
        }
    mtc_mtcfir_free(&ctx, &r);
    mtc_mtcfir_free(&ctx, &s);
    PASS();
}

TEST mtcfir_serves_degenerate_tasks(void)
{
    static test_tasks p;
    mtc_context ctx = test_context();
    const size_t sizes[4] = {1, 2, 3, 7}, ks[4] = {1, 2, 3, 7};
    int labels[8];
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
            o.normalize = variant % 2;
            ASSERT_EQ(MTC_OK, mtc_mtcfir(&ctx, round & 2 ? p.csr : p.dense, 4,
                                         &o, &r));
            ASSERT_EQ(0, r.labels[0][0]);
            for (size_t t = 0; t < 4; t++) {
                for (size_t i = 0; i < sizes[t]; i++)
                    ASSERT(r.labels[t][i] >= 0 &&
                           (size_t)r.labels[t][i] < ks[t]);
                ASSERT_EQ(MTC_OK, mtc_mtcfir_assign(&ctx, &p.dense[3],
                                                    round & 2 ? p.csr
                                                              : p.dense,
                                                    4, t, &r, labels));
                for (size_t i = 0; i < 7; i++)
                    ASSERT(labels[i] >= 0 && (size_t)labels[i] < ks[t]);
            }
            mtc_mtcfir_free(&ctx, &r);
        }
    PASS();
}

TEST mtcfir_refuses_what_it_cannot_serve(void)
{
    static test_tasks p;
    mtc_context ctx = test_context();
    mtc_mtcfir_options o = mtc_mtcfir_defaults();
    mtc_mtcfir_result r;
    size_t k[2] = {2, 10}, l[2] = {0, 3};
    fir_random(&p, 1, 2, 8, 5, 2);
    ASSERT_EQ(MTC_INVALID, mtc_mtcfir(&ctx, p.dense, 2, NULL, &r));
    ASSERT_EQ(MTC_INVALID, mtc_mtcfir(&ctx, p.dense, 0, &o, &r));
    o.clusters_of = k;
    ASSERT_EQ(MTC_INVALID, mtc_mtcfir(&ctx, p.dense, 2, &o, &r));
    ASSERT_EQ(1, ctx.error.task);
    o.clusters_of = NULL;
    o.neighbors_of = l;
    ASSERT_EQ(MTC_INVALID, mtc_mtcfir(&ctx, p.dense, 2, &o, &r));
    ASSERT_EQ(0, ctx.error.task);
    o.neighbors_of = NULL;
    o.neighbors = 0;
    ASSERT_EQ(MTC_INVALID, mtc_mtcfir(&ctx, p.dense, 2, &o, &r));
    o.neighbors = 1;
    o.noise = 1;
    ASSERT_EQ(MTC_INVALID, mtc_mtcfir(&ctx, p.dense, 2, &o, &r));
    o.noise = (mtc_real)0.5;
    o.variant = (mtc_mtcfir_variant)9;
    ASSERT_EQ(MTC_INVALID, mtc_mtcfir(&ctx, p.dense, 2, &o, &r));
    o.variant = MTC_FIR_FULL;
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

SUITE(fir_suite)
{
    RUN_TEST(msda_follows_the_worked_cases_in_both_forms);
    RUN_TEST(consistent_follows_the_worked_cases);
    RUN_TEST(mtcfir_follows_the_worked_cases_dense_and_sparse);
    RUN_TEST(msda_computes_its_definition_in_both_forms);
    RUN_TEST(msda_maps_new_samples_by_the_same_weights);
    RUN_TEST(msda_takes_any_scale_and_zero_features);
    RUN_TEST(msda_chooses_the_cheaper_form_and_refuses_what_is_undefined);
    RUN_TEST(consistent_columns_solve_their_quadratic_programs);
    RUN_TEST(consistent_computes_its_definitions);
    RUN_TEST(consistent_by_features_equals_consistent_by_cosines);
    RUN_TEST(consistent_serves_one_two_and_equal_samples);
    RUN_TEST(mtcfir_objective_never_increases_and_results_are_sane);
    RUN_TEST(mtcfir_takes_every_step_where_no_tolerance_is_set);
    RUN_TEST(mtcfir_starts_from_kmeans_on_the_features);
    RUN_TEST(mtcfir_finds_classes_and_pairs_them_across_tasks);
    RUN_TEST(mtcfir_assigns_old_samples_as_before_and_new_ones_by_class);
    RUN_TEST(mtcfir_variants_are_what_they_leave_out);
    RUN_TEST(mtcfir_serves_degenerate_tasks);
    RUN_TEST(mtcfir_refuses_what_it_cannot_serve);
}
