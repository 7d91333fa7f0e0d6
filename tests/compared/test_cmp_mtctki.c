/* SPDX-License-Identifier: MIT
 *
 * MTCTKI: worked cases; both subspaces by their definition; one task is plain
 * shared neighbors there; scales, degenerate tasks; refusals, memory.
 */
#include <math.h>

#include "../../examples/compared/compared.h"
#include "cmp_snn.h"
#include "cmp_sweep.h"
#include "golden/cmp_mtctki.h"
#include "greatest.h"

static const double worked_tolerance = sizeof(mtc_real) == 8 ? 1e-8 : 1e-3;
static test_tasks world;

/* ZZ' [n*n]. */
static void gram_of(const cmp_mtctki_result *r, double *G)
{
    for (size_t i = 0; i < r->n; i++)
        for (size_t j = 0; j < r->n; j++) {
            G[i * r->n + j] = 0;
            for (size_t c = 0; c < r->width; c++)
                G[i * r->n + j] += (double)r->Z[i * r->width + c] *
                                   (double)r->Z[j * r->width + c];
        }
}

TEST mtctki_follows_worked_case(const mtctki_case *g)
{
    static mtc_real x[400];
    static double G[900];
    mtc_context ctx = test_context();
    mtc_data tasks[2];
    const double *S = g->S;
    for (size_t i = 0; i < (g->n[0] + g->n[1]) * g->d; i++)
        x[i] = (mtc_real)g->x[i];
    tasks[0] = mtc_dense(g->n[0], g->d, x);
    tasks[1] = mtc_dense(g->n[1], g->d, x + g->n[0] * g->d);
    cmp_mtctki_options o = cmp_mtctki_defaults();
    cmp_mtctki_result r;
    o.clusters_of = g->k;
    o.space = g->ratio ? CMP_MTCTKI_RATIO : CMP_MTCTKI_TCA;
    o.mu = (mtc_real)g->mu;
    o.trade = (mtc_real)g->trade;
    o.dim = g->dim;
    ASSERT_EQ(MTC_OK, cmp_mtctki(&ctx, tasks, g->tasks, &o, &r));
    ASSERT_EQ(g->used, r.dim);
    gram_of(&r, G);
    ASSERT_CLOSE(g->gram, G, r.n * r.n);
    ASSERT_CLOSE(&g->sigma, &r.sigma, 1);
    for (size_t t = 0; t < g->tasks; S += g->n[t] * g->n[t], t++)
        ASSERT_CLOSE(S, r.S[t], g->n[t] * g->n[t]);
    mtc_free(&ctx, &r.block);
    PASS();
}

/* ---- the subspaces by definition, in N x N ------------------------------ */

enum { MOST = 40 };

typedef struct matrices {
    size_t N;
    mtc_real K[MOST * MOST], H[MOST * MOST], L[MOST * MOST];
    mtc_real A[MOST * MOST], B[MOST * MOST];
} matrices;

static void times(size_t n, const mtc_real *A, const mtc_real *B, mtc_real *C)
{
    mtc_gemm(0, 0, n, n, n, 1, A, n, B, n, 0, C, n, NULL);
}

/* K, H and L of the world's tasks; L pair of tasks by pair. */
static void define(matrices *m)
{
    static mtc_real x[MOST * TEST_D];
    size_t T = world.tasks, n = world.dense[0].n, N = T * n, d = world.d;
    m->N = N;
    for (size_t t = 0; t < T; t++)
        memcpy(x + t * n * d, world.x[t], n * d * sizeof *x);
    mtc_syrk(0, N, d, 1, x, d, 0, m->K, N, NULL);
    memset(m->L, 0, sizeof m->L);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++)
            m->H[i * N + j] = (mtc_real)(i == j) - 1 / (mtc_real)N;
    for (size_t t = 0; t < T; t++)
        for (size_t s = 0; s < t; s++)
            for (size_t i = 0; i < N; i++)
                for (size_t j = 0; j < N; j++) {
                    int a = i / n == t ? 1 : i / n == s ? -1 : 0;
                    int b = j / n == t ? 1 : j / n == s ? -1 : 0;
                    m->L[i * N + j] += (mtc_real)(a * b) / (mtc_real)(n * n);
                }
}

static cmp_mtctki_options small_options(cmp_mtctki_space space)
{
    cmp_mtctki_options o = cmp_mtctki_defaults();
    o.clusters = 3;
    o.space = space;
    o.dim = 4;
    return o;
}

/* Z = K A: K M^-1 K H z = w z with w = |H z|^2, Z'HZ = diag(w), which holds
 * only if A'M A = I.  And L is positive semidefinite with L 1 = 0. */
TEST mtctki_tca_solves_its_eigenproblem(size_t d)
{
    static matrices m;
    mtc_context ctx = test_context();
    cmp_mtctki_options o = small_options(CMP_MTCTKI_TCA);
    cmp_mtctki_result r;
    snn_tasks(&world, 3, 10, d, 3, 1, 0.2);
    define(&m);
    size_t N = m.N;
    mtc_real w[MOST], z[MOST], y[MOST];
    times(N, m.K, m.L, m.A);
    times(N, m.A, m.K, m.B);
    for (size_t i = 0; i < N; i++)
        m.B[i * N + i] += o.trade;                  /* M */
    ASSERT_EQ(MTC_OK, mtc_cholesky(N, m.B, N, NULL));
    ASSERT_EQ(MTC_OK, cmp_mtctki(&ctx, world.dense, 3, &o, &r));
    ASSERT_EQ((size_t)4, r.dim);
    for (size_t c = 0; c < 4; c++) {
        mtc_real mean = 0, before = c > 0 ? w[c - 1] : TEST_MAX;
        for (size_t i = 0; i < N; i++)
            mean += r.Z[i * r.width + c] / (mtc_real)N;
        for (size_t i = 0; i < N; i++)
            z[i] = r.Z[i * r.width + c] - mean;
        w[c] = mtc_dot(N, z, z);
        ASSERT(w[c] > 0 && w[c] <= before);
        for (size_t b = 0; b < c; b++) {            /* Z'HZ is diagonal */
            mtc_real cross = 0;
            for (size_t i = 0; i < N; i++)
                cross += z[i] * r.Z[i * r.width + b];
            ASSERT_IN_RANGE(0, (double)(cross / w[0]), worked_tolerance);
        }
        mtc_gemm(0, 0, N, 1, N, 1, m.K, N, z, 1, 0, y, 1, NULL);
        mtc_cholesky_solve(N, 1, m.B, N, y, 1, NULL);
        mtc_gemm(0, 0, N, 1, N, 1, m.K, N, y, 1, 0, z, 1, NULL);
        for (size_t i = 0; i < N; i++)
            ASSERT_IN_RANGE((double)r.Z[i * r.width + c],
                            (double)(z[i] / w[c]),
                            worked_tolerance * sqrt((double)w[0]));
    }
    mtc_free(&ctx, &r.block);
    for (size_t i = 0; i < N; i++) {
        mtc_real sum = 0;
        for (size_t j = 0; j < N; j++)
            sum += m.L[i * N + j];
        ASSERT_IN_RANGE(0, (double)sum, 1e-6);
    }
    memcpy(m.A, m.L, sizeof m.A);
    ASSERT_EQ(MTC_OK, mtc_symeig(&ctx, N, m.A, N, w, NULL, 0));
    ASSERT(w[0] > (mtc_real)-1e-6);
    PASS();
}

/* As lambda grows, A sqrt(lambda) spans the top eigenvectors of K H K. */
TEST mtctki_tca_of_a_large_trade_is_plain(void)
{
    static matrices m;
    static double G[MOST * MOST];
    static mtc_real V[MOST * MOST];
    mtc_context ctx = test_context();
    cmp_mtctki_options o = small_options(CMP_MTCTKI_TCA);
    cmp_mtctki_result r;
    mtc_real w[4];
    snn_tasks(&world, 3, 10, 6, 3, 1, 0.2);
    define(&m);
    size_t N = m.N;
    times(N, m.K, m.H, m.A);
    times(N, m.A, m.K, m.B);
    ASSERT_EQ(MTC_OK, mtc_symeig_range(&ctx, N, m.B, N, N - 4, 4, w, V, 4));
    mtc_gemm(0, 0, N, 4, N, 1, m.K, N, V, 4, 0, m.A, 4, NULL);
    mtc_syrk(0, N, 4, 1, m.A, 4, 0, m.B, N, NULL);  /* K V V' K */
    o.trade = (mtc_real)1e14;
    ASSERT_EQ(MTC_OK, cmp_mtctki(&ctx, world.dense, 3, &o, &r));
    gram_of(&r, G);
    for (size_t i = 0; i < N * N; i++)
        ASSERT_IN_RANGE((double)m.B[i], G[i] * 1e14,
                        worked_tolerance * (double)w[3]);
    mtc_free(&ctx, &r.block);
    PASS();
}

/* In d x d: Z'Z's basis V = X^+ Z is orthonormal, and the values fall.  The
 * quotient of every z is that of its definition. */
TEST mtctki_ratio_maximizes_its_quotient(void)
{
    static matrices m;
    mtc_context ctx = test_context();
    cmp_mtctki_options o = small_options(CMP_MTCTKI_RATIO);
    cmp_mtctki_result r;
    const size_t d = 5;
    mtc_real B[25], V[25], w[5];
    o.dim = 9;                                      /* above the rank */
    snn_tasks(&world, 3, 10, d, 3, 1, 0.4);
    define(&m);
    size_t N = m.N;
    for (size_t a = 0; a < d; a++)
        for (size_t b = 0; b < d; b++) {
            B[a * d + b] = 0;
            for (size_t i = 0; i < N; i++)
                for (size_t j = 0; j < N; j++)
                    B[a * d + b] += world.x[i / 10][i % 10 * d + a] *
                                    (m.H[i * N + j] / (2 * (mtc_real)N) -
                                     m.L[i * N + j] / 2) *
                                    world.x[j / 10][j % 10 * d + b];
        }
    ASSERT_EQ(MTC_OK, mtc_symeig(&ctx, d, B, d, w, V, d));
    ASSERT(w[0] < 0);
    ASSERT_EQ(MTC_OK, cmp_mtctki(&ctx, world.dense, 3, &o, &r));
    ASSERT_EQ(d, r.dim);                            /* negative ones too */
    for (size_t c = 0; c < d; c++) {
        mtc_real sign = 0;
        for (size_t turn = 0; turn < 2; turn++)     /* first the sign */
            for (size_t i = 0; i < N; i++) {
                mtc_real z = 0, got = r.Z[i * r.width + c];
                for (size_t a = 0; a < d; a++)
                    z += world.x[i / 10][i % 10 * d + a] * V[a * d + d - 1 - c];
                if (turn == 0)
                    sign += z * got;
                else
                    ASSERT_IN_RANGE((double)(sign > 0 ? z : -z), (double)got,
                                    10 * worked_tolerance);
            }
    }
    mtc_free(&ctx, &r.block);
    PASS();
}

/* L = 0: the same task three times is one task of three times the samples. */
TEST mtctki_of_equal_tasks_sees_no_difference(int space)
{
    static mtc_real x[30 * 4];
    static double a[900], b[900];
    mtc_context ctx = test_context();
    cmp_mtctki_options o = small_options((cmp_mtctki_space)space);
    cmp_mtctki_result r;
    snn_tasks(&world, 1, 10, 4, 3, 1, 0);
    for (size_t t = 0; t < 3; t++)
        memcpy(x + t * 40, world.x[0], 40 * sizeof *x);
    mtc_data all = mtc_dense(30, 4, x);
    mtc_data three[3] = {world.dense[0], world.dense[0], world.dense[0]};
    o.trade = (mtc_real)0.1;
    ASSERT_EQ(MTC_OK, cmp_mtctki(&ctx, three, 3, &o, &r));
    gram_of(&r, a);
    mtc_free(&ctx, &r.block);
    ASSERT_EQ(MTC_OK, cmp_mtctki(&ctx, &all, 1, &o, &r));
    gram_of(&r, b);
    mtc_free(&ctx, &r.block);
    double most = test_largest(a, 900);
    for (size_t i = 0; i < 900; i++)
        ASSERT_IN_RANGE(a[i], b[i], worked_tolerance * most);
    PASS();
}

/* Columns of zeros change nothing, but they change the smaller side. */
TEST mtctki_of_either_side_is_the_same(int space)
{
    static double a[900], b[900];
    static mtc_real wide[2][10 * 30];
    mtc_context ctx = test_context();
    cmp_mtctki_options o = small_options((cmp_mtctki_space)space);
    cmp_mtctki_result r, q;
    snn_tasks(&world, 2, 10, 6, 3, 1, 0.3);
    mtc_data tasks[2];
    for (size_t t = 0; t < 2; t++) {
        memset(wide[t], 0, sizeof wide[t]);
        for (size_t i = 0; i < 10; i++)
            for (size_t c = 0; c < 6; c++)
                wide[t][i * 30 + 5 * c] = world.x[t][i * 6 + c];
        tasks[t] = mtc_dense(10, 30, wide[t]);
    }
    ASSERT_EQ(MTC_OK, cmp_mtctki(&ctx, world.dense, 2, &o, &r));
    ASSERT_EQ(MTC_OK, cmp_mtctki(&ctx, tasks, 2, &o, &q));
    gram_of(&r, a);
    gram_of(&q, b);
    double most = test_largest(a, 400);
    for (size_t i = 0; i < 400; i++)
        ASSERT_IN_RANGE(a[i], b[i], worked_tolerance * most);
    for (size_t t = 0; t < 2; t++)
        ASSERT_MEM_EQ(r.labels[t], q.labels[t], 10 * sizeof(int));
    mtc_free(&ctx, &r.block);
    mtc_free(&ctx, &q.block);
    PASS();
}

/* ---- what follows the subspace ------------------------------------------ */

TEST mtctki_of_one_task_is_plain_shared_neighbors(int space)
{
    static double S[900];
    static mtc_real u[30 * 4];
    const struct { const char *name; } one = {"one task"}, *g = &one;
    mtc_context ctx = test_context();
    cmp_mtctki_options o = small_options((cmp_mtctki_space)space);
    cmp_mtctki_result r;
    mtc_ncut_result cut;
    snn_tasks(&world, 1, 30, 6, 3, 1.5, 0);
    ASSERT_EQ(MTC_OK, cmp_mtctki(&ctx, world.dense, 1, &o, &r));
    ASSERT_EQ((size_t)3, r.neighbors[0]);
    for (size_t i = 0; i < 30; i++) {
        double length = 0;
        for (size_t c = 0; c < 4; c++)
            length += (double)r.Z[i * 4 + c] * (double)r.Z[i * 4 + c];
        for (size_t c = 0; c < 4; c++)
            u[i * 4 + c] = (mtc_real)((double)r.Z[i * 4 + c] / sqrt(length));
    }
    snn_plain(30, 4, u, 3, (double)r.sigma, S);
    ASSERT_CLOSE(S, r.S[0], 900);
    mtc_data given = mtc_dense(30, 30, r.S[0]);
    mtc_ncut_options no = mtc_ncut_defaults();
    no.clusters = 3;
    no.given = 1;
    ASSERT_EQ(MTC_OK, mtc_ncut(&ctx, &given, &no, &cut));
    ASSERT_MEM_EQ(cut.labels, r.labels[0], 30 * sizeof(int));
    mtc_free(&ctx, &cut.block);
    mtc_free(&ctx, &r.block);
    PASS();
}

/* All are neighbors: n-2 of n-1 in the task are common, all of the others. */
TEST mtctki_with_all_neighbors_has_a_closed_form(void)
{
    mtc_context ctx = test_context();
    cmp_mtctki_options o = small_options(CMP_MTCTKI_TCA);
    cmp_mtctki_result r;
    o.mu = 1000;
    snn_tasks(&world, 3, 12, 5, 3, 2, 0.1);
    ASSERT_EQ(MTC_OK, cmp_mtctki(&ctx, world.dense, 3, &o, &r));
    ASSERT_EQ((size_t)11, r.neighbors[1]);
    for (size_t i = 0; i < 12; i++)
        for (size_t j = 0; j < 12; j++) {
            const mtc_real *a = r.Z + (12 + i) * 4, *b = r.Z + (12 + j) * 4;
            double cosine = (double)mtc_dot(4, a, b) /
                            sqrt((double)mtc_dot(4, a, a)) /
                            sqrt((double)mtc_dot(4, b, b));
            double S = (10.0 / 11 + 1) *
                       exp((cosine - 1) / (double)(r.sigma * r.sigma));
            ASSERT_IN_RANGE(i == j ? 0 : S, (double)r.S[1][i * 12 + j],
                            worked_tolerance);
        }
    mtc_free(&ctx, &r.block);
    PASS();
}

/* Tasks moved apart by an offset: the subspace agrees on their means. */
TEST mtctki_finds_clusters_that_are_apart(int space)
{
    mtc_context ctx = test_context();
    cmp_mtctki_options o = small_options((cmp_mtctki_space)space);
    cmp_mtctki_result r;
    snn_tasks(&world, 3, 60, 5, 3, 4, 0.5);
    ASSERT_EQ(MTC_OK, cmp_mtctki(&ctx, world.dense, 3, &o, &r));
    for (size_t t = 0; t < 3; t++) {
        ASSERT(snn_same(60, world.start[t], r.labels[t]));
        ASSERT_EQ((size_t)3, r.k_effective[t]);
    }
    mtc_free(&ctx, &r.block);
    ASSERT_EQ(MTC_OK, cmp_mtctki(&ctx, world.dense, 2, NULL, &r));
    ASSERT_EQ((size_t)2, r.clusters[1]);            /* the defaults */
    mtc_free(&ctx, &r.block);
    PASS();
}

TEST mtctki_gives_the_same_labels_dense_and_csr(int space)
{
    mtc_context ctx = test_context();
    cmp_mtctki_options o = small_options((cmp_mtctki_space)space);
    cmp_mtctki_result a, b;
    for (size_t d = 6; d <= 48; d += 42) {          /* d < N, d > N */
        size_t n = d == 6 ? 40 : 20;
        snn_tasks(&world, 2, n, d, 3, 3, 0.3);
        for (size_t t = 0; t < 2; t++) {
            for (size_t i = 0; i < n * d; i++)      /* some zeros */
                world.x[t][i] = i % 7 == 1 ? 0 : world.x[t][i];
            test_views(&world, t, n, d);
        }
        ASSERT_EQ(MTC_OK, cmp_mtctki(&ctx, world.dense, 2, &o, &a));
        ASSERT_EQ(MTC_OK, cmp_mtctki(&ctx, world.csr, 2, &o, &b));
        ASSERT_EQ(a.dim, b.dim);
        for (size_t t = 0; t < 2; t++) {
            ASSERT(snn_same(n, a.labels[t], b.labels[t]));
#ifndef MTC_FAST                    /* with it sums differ, and names may turn */
            ASSERT_MEM_EQ(a.labels[t], b.labels[t], n * sizeof(int));
#endif
        }
        mtc_free(&ctx, &a.block);
        mtc_free(&ctx, &b.block);
    }
    PASS();
}

/* K -> c K and lambda -> c^2 lambda leave Z: no scale is too large, and raw
 * columns need none. */
TEST mtctki_serves_every_scale(void)
{
    mtc_context ctx = test_context();
    cmp_mtctki_options o = small_options(CMP_MTCTKI_TCA);
    cmp_mtctki_result a, b;
    snn_tasks(&world, 2, 12, 4, 3, 1, 0.3);
    ASSERT_EQ(MTC_OK, cmp_mtctki(&ctx, world.dense, 2, &o, &a));
    for (size_t i = 0; i < 48; i++) {
        world.x[0][i] *= 256;
        world.x[1][i] *= 256;
    }
    o.trade *= (mtc_real)65536 * 65536;
    ASSERT_EQ(MTC_OK, cmp_mtctki(&ctx, world.dense, 2, &o, &b));
    ASSERT_MEM_EQ(a.Z, b.Z, 24 * 4 * sizeof *a.Z);  /* a power of two */
    mtc_free(&ctx, &b.block);
    for (int power = -8; power <= 10; power += 2) {
        o.trade = (mtc_real)pow(10, power);
        ASSERT_EQ(MTC_OK, cmp_mtctki(&ctx, world.dense, 2, &o, &b));
        for (size_t i = 0; i < 24 * 4; i++)
            ASSERT(b.Z[i] - b.Z[i] == 0);           /* finite */
        ASSERT_EQ((size_t)3, b.k_effective[0]);
        mtc_free(&ctx, &b.block);
    }
    mtc_real huge = (mtc_real)(sizeof(mtc_real) == 8 ? 1e40 : 1e5);
    for (size_t i = 0; i < 48; i++) {
        world.x[0][i] *= huge;
        world.x[1][i] *= huge;
    }
    o.trade = (mtc_real)0.5;
    ASSERT_EQ(MTC_OK, cmp_mtctki(&ctx, world.dense, 2, &o, &b));
    for (size_t i = 0; i < 24 * 4; i++)
        ASSERT(b.Z[i] - b.Z[i] == 0);
    mtc_free(&ctx, &b.block);
    mtc_free(&ctx, &a.block);
    PASS();
}

TEST mtctki_serves_low_rank_and_tiny_tasks(int space)
{
    mtc_context ctx = test_context();
    cmp_mtctki_options o = small_options((cmp_mtctki_space)space);
    cmp_mtctki_result r;
    const size_t k[2] = {3, 1};
    snn_tasks(&world, 2, 12, 6, 3, 2, 0);
    for (size_t t = 0; t < 2; t++)                  /* rank 2 */
        for (size_t i = 0; i < 12; i++)
            for (size_t c = 2; c < 6; c++)
                world.x[t][i * 6 + c] = world.x[t][i * 6 + c % 2] *
                                        (mtc_real)c;
    ASSERT_EQ(MTC_OK, cmp_mtctki(&ctx, world.dense, 2, &o, &r));
    ASSERT(r.dim == 2 && r.width == 4);
    for (size_t i = 0; i < 24; i++)
        ASSERT(!(r.Z[i * 4 + 2] > 0 || r.Z[i * 4 + 3] < 0));
    mtc_free(&ctx, &r.block);
    mtc_real weak = (mtc_real)(sizeof(mtc_real) == 8 ? 1e-3 : 0.03);
    for (size_t t = 0; t < 2; t++)                  /* w is squared: 1 there */
        for (size_t i = 0; i < 72; i++)
            world.x[t][i] *= i % 6 == 1 ? weak : i % 6 > 1 ? 0 : 1;
    ASSERT_EQ(MTC_OK, cmp_mtctki(&ctx, world.dense, 2, &o, &r));
    ASSERT_EQ((size_t)(space == CMP_MTCTKI_TCA ? 1 : 2), r.dim);
    mtc_free(&ctx, &r.block);
    o.clusters_of = k;
    world.dense[1].n = 1;
    ASSERT_EQ(MTC_OK, cmp_mtctki(&ctx, world.dense, 2, &o, &r));
    ASSERT_EQ((size_t)0, r.neighbors[1]);
    ASSERT_EQ(0, r.labels[1][0]);
    mtc_free(&ctx, &r.block);
    for (size_t i = 0; i < 72; i++)
        world.x[0][i] = world.x[1][i] = 3;          /* all the same */
    ASSERT_EQ(MTC_OK, cmp_mtctki(&ctx, world.dense, 2, &o, &r));
    mtc_free(&ctx, &r.block);
    memset(world.x, 0, sizeof world.x);
    ASSERT_EQ(MTC_OK, cmp_mtctki(&ctx, world.dense, 2, &o, &r));
    ASSERT_EQ((size_t)0, r.dim);
    ASSERT_IN_RANGE(1, (double)r.sigma, 0);
    mtc_free(&ctx, &r.block);
    PASS();
}

/* ---- refusals, memory ---------------------------------------------------- */

#define MTCTKI(change) \
    (o = cmp_mtctki_defaults(), change, \
     cmp_mtctki(&ctx, world.dense, 2, &o, &r))

TEST mtctki_refuses_what_it_cannot_use(void)
{
    mtc_context ctx = test_context();
    const mtc_real nan = (mtc_real)NAN, infinite = (mtc_real)INFINITY;
    const size_t many[2] = {2, 13};
    cmp_mtctki_options o;
    cmp_mtctki_result r;
    snn_tasks(&world, 2, 12, 3, 3, 3, 0);
    ASSERT_EQ(MTC_INVALID, MTCTKI(o.mu = 0));
    ASSERT_EQ(MTC_INVALID, MTCTKI(o.mu = nan));
    ASSERT_EQ(MTC_INVALID, MTCTKI(o.mu = infinite));
    ASSERT_EQ(MTC_INVALID, MTCTKI(o.trade = 0));
    ASSERT_EQ(MTC_INVALID, MTCTKI(o.trade = nan));
    ASSERT_EQ(MTC_INVALID, MTCTKI(o.trade = infinite));
    ASSERT_EQ(MTC_INVALID, MTCTKI((o.space = CMP_MTCTKI_RATIO, o.trade = 2)));
    ASSERT_STR_EQ("trade: need 0..1", ctx.error.what);
    ASSERT_EQ(MTC_INVALID, MTCTKI(o.space = (cmp_mtctki_space)5));
    ASSERT_EQ(MTC_INVALID, MTCTKI(o.dim = 0));
    ASSERT_EQ(MTC_INVALID, MTCTKI(o.clusters = 0));
    ASSERT_EQ(MTC_INVALID, MTCTKI(o.clusters_of = many));
    ASSERT_EQ((size_t)1, ctx.error.task);
    ASSERT_EQ(MTC_INVALID, MTCTKI(o.restarts = 0));
    ASSERT_EQ(MTC_INVALID, cmp_mtctki(&ctx, world.dense, 2, NULL, NULL));
    ASSERT_EQ(MTC_INVALID, cmp_mtctki(&ctx, NULL, 2, NULL, &r));
    ASSERT_EQ(MTC_INVALID, cmp_mtctki(&ctx, world.dense, 0, NULL, &r));
    world.x[1][7] = infinite;
    ASSERT_EQ(MTC_DOMAIN, MTCTKI((void)0));
    ASSERT(ctx.error.task == 1 && ctx.error.row == 2 && ctx.error.column == 1);
    PASS();
}

static mtc_status run_mtctki(mtc_context *ctx, void *user, void *out)
{
    cmp_mtctki_options o = small_options(CMP_MTCTKI_TCA);
    o.restarts = 2;
    return cmp_mtctki(ctx, (const mtc_data *)user, 2, &o,
                      (cmp_mtctki_result *)out);
}

TEST mtctki_gives_memory_back_and_stops(int sparse)
{
    snn_tasks(&world, 2, 10, 3, 3, 3, 0);
    mtc_data *tasks = sparse ? world.csr : world.dense;
    const char *wrong = sweep_memory(run_mtctki, tasks);
    ASSERTm(wrong, wrong == NULL);
    wrong = sweep_ticks(run_mtctki, tasks);
    ASSERTm(wrong, wrong == NULL);
    PASS();
}

SUITE(cmp_mtctki_suite)
{
    for (size_t i = 0; i < sizeof mtctki_cases / sizeof *mtctki_cases; i++)
        RUN_TESTp(mtctki_follows_worked_case, &mtctki_cases[i]);
    RUN_TESTp(mtctki_tca_solves_its_eigenproblem, 6);
    RUN_TESTp(mtctki_tca_solves_its_eigenproblem, 40);
    RUN_TEST(mtctki_tca_of_a_large_trade_is_plain);
    RUN_TEST(mtctki_ratio_maximizes_its_quotient);
    for (int space = 0; space < 2; space++) {
        RUN_TESTp(mtctki_of_equal_tasks_sees_no_difference, space);
        RUN_TESTp(mtctki_of_either_side_is_the_same, space);
        RUN_TESTp(mtctki_of_one_task_is_plain_shared_neighbors, space);
        RUN_TESTp(mtctki_finds_clusters_that_are_apart, space);
        RUN_TESTp(mtctki_gives_the_same_labels_dense_and_csr, space);
        RUN_TESTp(mtctki_serves_low_rank_and_tiny_tasks, space);
    }
    RUN_TEST(mtctki_with_all_neighbors_has_a_closed_form);
    RUN_TEST(mtctki_serves_every_scale);
    RUN_TEST(mtctki_refuses_what_it_cannot_use);
    for (int sparse = 0; sparse < 2; sparse++)
        RUN_TESTp(mtctki_gives_memory_back_and_stops, sparse);
}
