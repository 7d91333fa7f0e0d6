/* SPDX-License-Identifier: MIT
 *
 * LatentMap against worked cases and against a plain program of its formulas:
 * ridge regression in the primal, singular directions, votes; corners.
 */
#include <math.h>

#define CMP_INTERNAL
#include "../../examples/compared/compared.h"
#include "cmp_sweep.h"
#include "golden/cmp_latentmap.h"
#include "greatest.h"
#include "test_util.h"

static const double worked_tolerance = sizeof(mtc_real) == 8 ? 1e-8 : 1e-3;

/* Task 0 is the source, 1 the target. */
static test_tasks world;

typedef struct map_input { cmp_latentmap_options o; int sparse; } map_input;

static mtc_status run_map(mtc_context *ctx, void *user, void *out)
{
    const map_input *in = (const map_input *)user;
    const mtc_data *set = in->sparse ? world.csr : world.dense;
    return cmp_latentmap(ctx, set, world.labels, 1, set + 1, &in->o,
                         (cmp_latentmap_result *)out);
}

/* Values of side a [na*d] with the columns that it lacks filled: by M' [nb*na]
 * of the values of side b. */
static void fill_by(size_t a, const mtc_real *M, double *out)
{
    size_t b = 1 - a, d = world.dense[0].d;
    size_t na = world.dense[a].n, nb = world.dense[b].n;
    for (size_t c = 0; c < d; c++) {
        int own = 0;
        for (size_t i = 0; i < na; i++)
            own |= world.x[a][i * d + c] != 0;
        for (size_t i = 0; i < na; i++) {
            double sum = 0;
            for (size_t k = 0; k < nb; k++)
                sum += (double)M[k * na + i] * (double)world.x[b][k * d + c];
            out[i * d + c] = own ? (double)world.x[a][i * d + c]
                                 : sum > 0 ? sum : 0;
        }
    }
}

TEST latentmap_worked_case(const latentmap_case *g, int sparse)
{
    mtc_context ctx = test_context();
    map_input in = {cmp_latentmap_defaults(), sparse};
    cmp_latentmap_result r;
    double filled[400];
    test_set(&world, 0, g->n, g->d, g->source);
    test_set(&world, 1, g->m, g->d, g->target);
    memcpy(world.start[0], g->labels, g->n * sizeof(int));
    in.o.classes = g->c;
    in.o.ridge = (mtc_real)g->ridge;
    in.o.rank = g->rank;
    in.o.neighbors = g->neighbors;
    in.o.fill = g->fill;
    ASSERT_EQ(MTC_OK, run_map(&ctx, &in, &r));
    ASSERT_EQ(g->rank_used, r.rank);
    ASSERT(g->n * g->d <= 400 && g->m * g->d <= 400);
    fill_by(0, r.fill_source, filled);
    ASSERT_CLOSE(g->source_filled, filled, g->n * g->d);
    fill_by(1, r.fill_target, filled);
    ASSERT_CLOSE(g->target_filled, filled, g->m * g->d);
    ASSERT_CLOSE(g->scores, r.scores, g->m * g->c);
    ASSERT_MEM_EQ(g->found, r.labels, g->m * sizeof(int));
    mtc_free(&ctx, &r.block);
    PASS();
}

/* ---- a plain program of the formulas ----------------------------------- */

enum { PLAIN_N = 40, PLAIN_D = 24 };

/* n0 and n1 samples of d features: class z has larger values in features of
 * z % c; the first `own` are missing in the source, the last `own` in the
 * target. */
static void make_world(size_t n0, size_t n1, size_t d, size_t own, size_t c,
                       uint64_t seed)
{
    mtc_random g = mtc_random_seed(seed);
    for (size_t t = 0; t < 2; t++) {
        size_t n = t ? n1 : n0;
        for (size_t i = 0; i < n; i++) {
            mtc_real size = (mtc_real)0.5 + mtc_random_real(&g);
            world.start[t][i] = (int)(i % c);
            for (size_t w = 0; w < d; w++) {
                mtc_real x = mtc_random_real(&g) * (w % c == i % c ? 4 : 1);
                int lacks = t ? w + own >= d : w < own;
                world.x[t][i * d + w] = lacks || mtc_random_below(&g, 4) == 0
                                            ? 0 : size * x;
            }
        }
        test_views(&world, t, n, d);
    }
}

/* A [n*n] x = b by elimination, of p right sides; A is positive definite. */
static void plain_solve(size_t n, double *A, size_t p, double *b)
{
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < n; i++) {
            double factor = A[i * n + k] / A[k * n + k];
            for (size_t e = 0; e < n && i != k; e++)
                A[i * n + e] -= factor * A[k * n + e];
            for (size_t e = 0; e < p && i != k; e++)
                b[i * p + e] -= factor * b[k * p + e];
        }
    for (size_t i = 0; i < n; i++)
        for (size_t e = 0; e < p; e++)
            b[i * p + e] /= A[i * n + i];
}

/* Side a's values with what it lacks predicted in the primal: for each missing
 * column the ridge regression on the common ones, learned on side b. */
static void plain_fill(size_t a, double ridge, double *out)
{
    static double A[PLAIN_D * PLAIN_D], w[PLAIN_D * PLAIN_D];
    size_t b = 1 - a, d = world.dense[0].d, m = 0, common[PLAIN_D];
    int used[2][PLAIN_D] = {{0}, {0}};
    for (size_t t = 0; t < 2; t++)
        for (size_t e = 0; e < world.dense[t].n * d; e++)
            used[t][e % d] |= world.x[t][e] != 0;
    for (size_t c = 0; c < d; c++)
        if (used[0][c] && used[1][c])
            common[m++] = c;
    memset(A, 0, sizeof A);
    memset(w, 0, sizeof w);
    for (size_t k = 0; k < m; k++) {
        A[k * m + k] = ridge;
        for (size_t i = 0; i < world.dense[b].n; i++) {
            const mtc_real *x = world.x[b] + i * d;
            for (size_t e = 0; e < m; e++)
                A[k * m + e] += (double)x[common[k]] * (double)x[common[e]];
            for (size_t c = 0; c < d; c++)
                w[k * d + c] += (double)x[common[k]] * (double)x[c];
        }
    }
    plain_solve(m, A, d, w);
    for (size_t i = 0; i < world.dense[a].n; i++)
        for (size_t c = 0; c < d; c++) {
            double sum = 0;
            for (size_t k = 0; k < m; k++)
                sum += (double)world.x[a][i * d + common[k]] * w[k * d + c];
            out[i * d + c] = used[a][c] || !used[b][c] || !(sum > 0)
                ? (double)world.x[a][i * d + c] : sum;
        }
}

/* Rows of x [n*d] to length 1; of zeros they stay. */
static void plain_unit(size_t n, size_t d, double *x)
{
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t e = 0; e < d; e++)
            sum += x[i * d + e] * x[i * d + e];
        for (size_t e = 0; e < d && sum > 1e-20; e++)
            x[i * d + e] /= sqrt(sum);
    }
}

/* Eigenvectors of the symmetric A [d*d], columns of V, by plane rotations;
 * its diagonal becomes the values. */
static void plain_eigen(size_t d, double *A, double *V)
{
    for (size_t e = 0; e < d * d; e++)
        V[e] = e / d == e % d;
    for (size_t turn = 0; turn < 40 * d * d; turn++) {
        size_t p = turn / d % d, q = turn % d;
        if (p >= q || fabs(A[p * d + q]) < 1e-300)
            continue;
        double angle = 0.5 * atan2(2 * A[p * d + q],
                                   A[q * d + q] - A[p * d + p]);
        double c = cos(angle), s = sin(angle);
        for (size_t e = 0; e < d; e++) {
            double x = A[e * d + p], y = A[e * d + q];
            A[e * d + p] = c * x - s * y;
            A[e * d + q] = s * x + c * y;
            x = V[e * d + p], y = V[e * d + q];
            V[e * d + p] = c * x - s * y;
            V[e * d + q] = s * x + c * y;
        }
        for (size_t e = 0; e < d; e++) {
            double x = A[p * d + e], y = A[q * d + e];
            A[p * d + e] = c * x - s * y;
            A[q * d + e] = s * x + c * y;
        }
    }
}

/* Votes [n1*c] by the right singular vectors of the unit rows: U = X V. */
static void plain_votes(int fill, double ridge, size_t rank, size_t neighbors,
                        size_t c, double *votes)
{
    static double X[2 * PLAIN_N * PLAIN_D], U[2 * PLAIN_N * PLAIN_D];
    static double A[PLAIN_D * PLAIN_D], V[PLAIN_D * PLAIN_D];
    size_t n0 = world.dense[0].n, n1 = world.dense[1].n, d = world.dense[0].d;
    size_t n = n0 + n1;
    for (size_t t = 0; t < 2; t++)
        for (size_t e = 0; e < world.dense[t].n * d; e++)
            X[t * n0 * d + e] = (double)world.x[t][e];
    if (fill) {
        plain_fill(0, ridge, X);
        plain_fill(1, ridge, X + n0 * d);
    }
    plain_unit(n, d, X);
    memset(A, 0, sizeof A);
    for (size_t i = 0; i < n; i++)
        for (size_t e = 0; e < d * d; e++)
            A[e] += X[i * d + e / d] * X[i * d + e % d];
    plain_eigen(d, A, V);
    memset(U, 0, sizeof U);
    for (size_t k = 0; k < rank && k < d; k++) {
        size_t top = 0;
        for (size_t e = 1; e < d; e++)
            top = A[e * d + e] > A[top * d + top] ? e : top;
        for (size_t i = 0; i < n && A[top * d + top] > 1e-9; i++)
            for (size_t e = 0; e < d; e++)
                U[i * d + k] += X[i * d + e] * V[e * d + top];
        A[top * d + top] = -1;
    }
    plain_unit(n, d, U);
    memset(votes, 0, n1 * c * sizeof *votes);
    for (size_t i = 0; i < n1; i++) {
        double cosine[PLAIN_N] = {0};
        for (size_t k = 0; k < n0; k++)
            for (size_t e = 0; e < d; e++)
                cosine[k] += U[(n0 + i) * d + e] * U[k * d + e];
        for (size_t m = 0; m < neighbors && m < n0; m++) {
            size_t best = 0;
            for (size_t k = 1; k < n0; k++)
                best = cosine[k] > cosine[best] ? k : best;
            if (cosine[best] > 1e-10)
                votes[i * c + (size_t)world.start[0][best]] += cosine[best];
            cosine[best] = -2;
        }
    }
}

/* 16 problems of every shape: more samples than features and fewer, all ranks,
 * with and without filling. */
TEST latentmap_is_its_formulas(int sparse)
{
    mtc_context ctx = test_context();
    static double votes[PLAIN_N * 4];
    for (uint64_t seed = 0; seed < 16; seed++) {
        size_t c = 1 + seed % 4, d = 6 + seed, own = seed % 3, same = 0;
        map_input in = {cmp_latentmap_defaults(), sparse};
        cmp_latentmap_result r;
        make_world(12 + seed, 10, d, own, c, seed);
        in.o.classes = c;
        in.o.ridge = (mtc_real)(seed % 5 ? 1 : 0.3);
        in.o.rank = 2 + seed % 7;
        in.o.neighbors = 3 + seed % 20;
        in.o.fill = seed % 4 != 3;
        plain_votes(in.o.fill, (double)in.o.ridge, in.o.rank, in.o.neighbors,
                    c, votes);
        ASSERT_EQ(MTC_OK, run_map(&ctx, &in, &r));
        ASSERT(r.common == d - 2 * own && r.missing == 2 * own);
        ASSERT(r.rank == (in.o.rank < d ? in.o.rank : d));
        ASSERT(r.neighbors == (in.o.neighbors < r.source_n ? in.o.neighbors
                                                           : r.source_n));
        for (size_t i = 0; i < r.n; i++) {
            size_t best = 0;
            for (size_t z = 0; z < c; z++) {
                same += fabs(votes[i * c + z] - (double)r.scores[i * c + z])
                        <= (sizeof(mtc_real) == 8 ? 1e-9 : 1e-2);
                best = r.scores[i * c + z] > r.scores[i * c + best] ? z : best;
            }
            ASSERT_EQ((int)best, r.labels[i]);
        }
        ASSERT(same >= (sizeof(mtc_real) == 8 ? r.n * c : r.n * c * 9 / 10));
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

/* ---- what is filled ---------------------------------------------------- */

/* Without a missing column, and without a common one, filling changes
 * nothing. */
TEST latentmap_fills_only_what_it_can(void)
{
    enum { N = 10, D = 8, C = 2 };
    mtc_context ctx = test_context();
    for (int apart = 0; apart < 2; apart++) {
        map_input in = {cmp_latentmap_defaults(), 0};
        cmp_latentmap_result filled, plain;
        make_world(N, N, D, apart ? D / 2 : 0, C, 5);
        world.start[0][1] = 0;                      /* 0 is more frequent */
        ASSERT_EQ(MTC_OK, run_map(&ctx, &in, &filled));
        in.o.fill = 0;
        ASSERT_EQ(MTC_OK, run_map(&ctx, &in, &plain));
        ASSERT_EQ((size_t)(apart ? 0 : D), filled.common);
        ASSERT_EQ((size_t)(apart ? D : 0), filled.missing);
        ASSERT_MEM_EQ(plain.scores, filled.scores, N * C * sizeof(mtc_real));
        for (size_t e = 0; e < N * N; e++)
            ASSERT(filled.fill_source[e] == 0 && filled.fill_target[e] == 0);
        for (size_t i = 0; i < N && apart; i++)     /* nobody votes */
            ASSERT(filled.labels[i] == 0 && filled.scores[i * C] == 0);
        mtc_free(&ctx, &filled.block);
        mtc_free(&ctx, &plain.block);
    }
    PASS();
}

/* A column in 64 parts of 1/8 of it is worth the same: many more are filled
 * than fit in a slice. */
TEST latentmap_fills_many_columns(void)
{
    enum { N = 9, D = 12, OWN = 5, COPIES = 64, WIDE = 2 + 10 * COPIES };
    static mtc_real x[2][N * WIDE];
    mtc_context ctx = test_context();
    map_input in = {cmp_latentmap_defaults(), 0};
    cmp_latentmap_result a, b;
    mtc_data wide[2];
    in.o.rank = 4;
    in.o.neighbors = 5;
    make_world(N, N, D, OWN, 2, 1);
    for (size_t t = 0; t < 2; t++) {
        for (size_t i = 0; i < N; i++)
            for (size_t w = 0; w < WIDE; w++) {
                size_t from = w < 2 ? OWN + w : (w - 2) % 10;
                from += w >= 2 && from >= OWN ? 2 : 0;
                x[t][i * WIDE + w] = world.x[t][i * D + from] /
                                     (w < 2 ? 1 : 8);
            }
        wide[t] = mtc_dense(N, WIDE, x[t]);
    }
    ASSERT_EQ(MTC_OK, run_map(&ctx, &in, &a));
    ASSERT_EQ(MTC_OK, cmp_latentmap(&ctx, wide, world.labels, 1, wide + 1,
                                    &in.o, &b));
    ASSERT_EQ((size_t)(10 * COPIES), b.missing);
    for (size_t e = 0; e < N * 2; e++)
        ASSERT_IN_RANGE((double)a.scores[e], (double)b.scores[e],
                        sizeof(mtc_real) == 8 ? 1e-10 : 1e-2);
    mtc_free(&ctx, &a.block);
    mtc_free(&ctx, &b.block);
    PASS();
}

/* Where classes show in columns that only one side has. */
TEST latentmap_finds_classes(void)
{
    enum { N = 36, D = 24 };
    mtc_context ctx = test_context();
    cmp_latentmap_result r[2], two;
    for (size_t c = 2; c < 5; c++) {
        size_t right = 0;
        make_world(N, N, D, 6, c, c);
        for (int sparse = 0; sparse < 2; sparse++) {
            map_input in = {cmp_latentmap_defaults(), sparse};
            in.o.classes = c;
            in.o.rank = 10;
            in.o.neighbors = 5;
            ASSERT_EQ(MTC_OK, run_map(&ctx, &in, &r[sparse]));
            if (sparse)
                continue;
            mtc_data half[2] = {world.csr[0], world.dense[0]};
            const int *labels[2] = {world.labels[0], world.labels[0] + 8};
            half[0].n = 8;                          /* two sources are one */
            half[1] = mtc_dense(N - 8, D, world.x[0] + 8 * D);
            ASSERT_EQ(MTC_OK, cmp_latentmap(&ctx, half, labels, 2,
                                            &world.dense[1], &in.o, &two));
            ASSERT_MEM_EQ(two.labels, r[0].labels, N * sizeof(int));
            mtc_free(&ctx, &two.block);
        }
        ASSERT_MEM_EQ(r[0].labels, r[1].labels, N * sizeof(int));
        for (size_t i = 0; i < N; i++)
            right += r[0].labels[i] == (int)(i % c);
        ASSERT(right * 10 >= N * 8);
        mtc_free(&ctx, &r[0].block);
        mtc_free(&ctx, &r[1].block);
    }
    PASS();
}

/* ---- corners ----------------------------------------------------------- */

/* Ranks beyond the data's; samples that are the same twice, with two labels:
 * the first counts; zeros; one class. */
TEST latentmap_serves_corners(int sparse)
{
    enum { N = 12, D = 7, C = 3 };
    mtc_context ctx = test_context();
    map_input in = {cmp_latentmap_defaults(), sparse};
    cmp_latentmap_result r;
    in.o.classes = C;
    make_world(N, N, D, 0, C, 2);
    for (size_t i = 0; i < N; i++)                  /* two directions */
        for (size_t t = 0; t < 2; t++)
            for (size_t w = 0; w < D; w++)
                world.x[t][i * D + w] = (mtc_real)((w % 2 == i % 2) * (1 + w));
    memset(world.x[1] + 3 * D, 0, D * sizeof(mtc_real));
    for (size_t t = 0; t < 2; t++)
        test_views(&world, t, N, D);
    in.o.neighbors = 1;
    ASSERT_EQ(MTC_OK, run_map(&ctx, &in, &r));
    ASSERT_EQ((size_t)2, r.rank);
    for (size_t i = 0; i < N; i++) {
        ASSERT_EQ(i == 3 ? 0 : (int)(i % 2), r.labels[i]);
        ASSERT_IN_RANGE(i == 3 ? 0 : 1, (double)r.scores[i * C + i % 2],
                        (double)TOL(1e-12));
    }
    mtc_free(&ctx, &r.block);
    in.o.neighbors = 1000;                          /* all, by cosine above 0 */
    in.o.rank = 1;
    ASSERT_EQ(MTC_OK, run_map(&ctx, &in, &r));
    ASSERT(r.rank == 1 && r.neighbors == N);
    mtc_free(&ctx, &r.block);
    for (size_t i = 0; i < N; i++)
        world.start[0][i] = 2;
    ASSERT_EQ(MTC_OK, run_map(&ctx, &in, &r));      /* one class */
    for (size_t i = 0; i < N; i++)
        ASSERT_EQ(2, r.labels[i]);
    mtc_free(&ctx, &r.block);
    for (size_t t = 0; t < 2; t++) {
        memset(world.x[t], 0, N * D * sizeof(mtc_real));
        test_views(&world, t, N, D);
    }
    ASSERT_EQ(MTC_OK, run_map(&ctx, &in, &r));      /* nothing at all */
    ASSERT(r.rank == 0 && r.common == 0 && r.missing == 0);
    for (size_t i = 0; i < N; i++)
        ASSERT(r.labels[i] == 2 && r.scores[i * C + 2] == 0);
    mtc_free(&ctx, &r.block);
    make_world(1, 1, 1, 0, 1, 2);                   /* one value each */
    ASSERT_EQ(MTC_OK, run_map(&ctx, &in, &r));
    ASSERT_EQ(0, r.labels[0]);
    mtc_free(&ctx, &r.block);
    PASS();
}

TEST latentmap_survives_and_refuses(void)
{
    enum { N = 9, D = 8 };
    mtc_context ctx = test_context();
    cmp_latentmap_result r;
    for (int sparse = 0; sparse < 2; sparse++) {
        map_input in = {cmp_latentmap_defaults(), sparse};
        make_world(N, N, D, 2, 2, 1);
        const char *wrong = sweep_memory(run_map, &in);
        ASSERTm(wrong, wrong == NULL);
        wrong = sweep_ticks(run_map, &in);
        ASSERTm(wrong, wrong == NULL);
    }
    const cmp_latentmap_options usual = cmp_latentmap_defaults();
    map_input in = {usual, 0};
    cmp_latentmap_options wrong[6] = {usual, usual, usual, usual, usual,
                                      usual};
    wrong[0].classes = 0;
    wrong[1].ridge = 0;
    wrong[2].ridge = (mtc_real)NAN;
    wrong[3].ridge = (mtc_real)INFINITY;
    wrong[4].rank = 0;
    wrong[5].neighbors = 0;
    for (size_t i = 0; i < 6; i++) {
        in.o = wrong[i];
        ASSERT_EQ(MTC_INVALID, run_map(&ctx, &in, &r));
    }
    in.o = usual;
    for (size_t e = 0; e < N * D; e++)              /* ridge 1 is nothing */
        world.x[1][e] *= (mtc_real)(sizeof(mtc_real) == 8 ? 1e12 : 1e6);
    test_views(&world, 1, N, D);
    ASSERT_EQ(MTC_SINGULAR, run_map(&ctx, &in, &r));
    ASSERT(ctx.error.what != NULL && strstr(ctx.error.what, "ridge") != NULL);
    world.x[1][3 * D + 5] = (mtc_real)NAN;
    ASSERT_EQ(MTC_DOMAIN, run_map(&ctx, &in, &r));
    ASSERT(ctx.error.task == 1 && ctx.error.row == 3 && ctx.error.column == 5);
    make_world(N, N, D, 2, 3, 1);                   /* a label of 2 */
    ASSERT_EQ(MTC_INVALID, run_map(&ctx, &in, &r));
    ASSERT_EQ(MTC_INVALID, cmp_latentmap(&ctx, world.dense, world.labels, 1,
                                         &world.dense[1], NULL, NULL));
    make_world(N, N, D, 2, 2, 1);
    ASSERT_EQ(MTC_OK, cmp_latentmap(&ctx, world.dense, world.labels, 1,
                                    &world.dense[1], NULL, &r));
    ASSERT(r.classes == 2 && r.neighbors == N);
    mtc_free(&ctx, &r.block);
    PASS();
}

SUITE(cmp_latentmap_suite)
{
    for (size_t k = 0; k < sizeof latentmap_cases / sizeof *latentmap_cases;
         k++)
        for (int sparse = 0; sparse < 2; sparse++)
            RUN_TESTp(latentmap_worked_case, &latentmap_cases[k], sparse);
    for (int sparse = 0; sparse < 2; sparse++) {
        RUN_TESTp(latentmap_is_its_formulas, sparse);
        RUN_TESTp(latentmap_serves_corners, sparse);
    }
    RUN_TEST(latentmap_fills_only_what_it_can);
    RUN_TEST(latentmap_fills_many_columns);
    RUN_TEST(latentmap_finds_classes);
    RUN_TEST(latentmap_survives_and_refuses);
}
