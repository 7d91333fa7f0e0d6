/* SPDX-License-Identifier: MIT
 *
 * TTL beside a literal transcription of its Algorithm 1, with known rows of G;
 * and labels that begin with 1.
 */
#include "greatest.h"
#include "test_util.h"

/* Algorithm 1 as it is printed, entry by entry, with N = F A G' in full.  In
 * leg l and on side s stands domain l + s: source, bridge, target. */
enum { NAIVE_N = 9, NAIVE_M = 8, NAIVE_P = 3, NAIVE_C = 3 };

typedef struct naive {
    size_t n[3];
    double X[3][NAIVE_N][NAIVE_M];
    double G[3][NAIVE_N][NAIVE_C];
    double F[2][3][NAIVE_M][NAIVE_P], A[2][3][NAIVE_P][NAIVE_C];
    int known[3][NAIVE_N];
} naive;

static double naive_C(const naive *w, size_t l, size_t s, size_t e, size_t z)
{
    double sum = 0;
    for (size_t q = 0; q < NAIVE_P; q++)
        sum += w->F[l][0][e][q] * w->A[l][0][q][z] +
               w->F[l][1 + s][e][q] * w->A[l][1 + s][q][z];
    return sum;
}

/* Entry (e, z) of X G, or of N G, of leg l and side s. */
static double naive_product(const naive *w, size_t l, size_t s, int fitted,
                            size_t e, size_t z)
{
    size_t d = l + s;
    double sum = 0;
    for (size_t i = 0; i < w->n[d]; i++) {
        double x = fitted ? 0 : w->X[d][i][e];
        for (size_t y = 0; y < NAIVE_C && fitted; y++)
            x += naive_C(w, l, s, e, y) * w->G[d][i][y];
        sum += x * w->G[d][i][z];
    }
    return sum;
}

/* XG, NG [NAIVE_M][NAIVE_C], over both sides for the shared factor, k = 0. */
static void naive_products(const naive *w, size_t l, size_t k,
                           double XG[][NAIVE_C], double NG[][NAIVE_C])
{
    for (size_t e = 0; e < NAIVE_M; e++)
        for (size_t z = 0; z < NAIVE_C; z++) {
            XG[e][z] = NG[e][z] = 0;
            for (size_t s = 0; s < 2; s++)
                if (k == 0 || k == 1 + s) {
                    XG[e][z] += naive_product(w, l, s, 0, e, z);
                    NG[e][z] += naive_product(w, l, s, 1, e, z);
                }
        }
}

static void naive_factor(naive *w, size_t l, size_t k, int is_A)
{
    double XG[NAIVE_M][NAIVE_C], NG[NAIVE_M][NAIVE_C];
    naive_products(w, l, k, XG, NG);
    for (size_t e = 0; e < NAIVE_M && !is_A; e++)
        for (size_t q = 0; q < NAIVE_P; q++) {
            double up = 0, down = 0;
            for (size_t z = 0; z < NAIVE_C; z++) {
                up += XG[e][z] * w->A[l][k][q][z];
                down += NG[e][z] * w->A[l][k][q][z];
            }
            w->F[l][k][e][q] *= up / down;
        }
    for (size_t q = 0; q < NAIVE_P && is_A; q++)
        for (size_t z = 0; z < NAIVE_C; z++) {
            double up = 0, down = 0;
            for (size_t e = 0; e < NAIVE_M; e++) {
                up += w->F[l][k][e][q] * XG[e][z];
                down += w->F[l][k][e][q] * NG[e][z];
            }
            w->A[l][k][q][z] *= up / down;
        }
}

/* Row i of the bridge's G (d = 1), or of the target's (2). */
static void naive_row(naive *w, size_t d, size_t i)
{
    double up[NAIVE_C] = {0}, down[NAIVE_C] = {0}, *g = w->G[d][i], sum = 0;
    for (size_t l = 0; l < 2; l++)
        for (size_t s = 0; s < 2; s++)
            for (size_t e = 0; e < NAIVE_M && l + s == d; e++)
                for (size_t z = 0; z < NAIVE_C; z++) {
                    double C = naive_C(w, l, s, e, z);
                    up[z] += w->X[d][i][e] * C;
                    for (size_t y = 0; y < NAIVE_C; y++)
                        down[z] += g[y] * naive_C(w, l, s, e, y) * C;
                }
    for (size_t z = 0; z < NAIVE_C; z++)
        sum += g[z] *= up[z] / down[z];
    for (size_t z = 0; z < NAIVE_C; z++)
        g[z] /= sum;
}

static void naive_iteration(naive *w)
{
    for (size_t l = 0; l < 2; l++)
        for (int is_A = 0; is_A < 2; is_A++)
            for (size_t k = 0; k < 3; k++)
                naive_factor(w, l, k, is_A);
    for (size_t d = 1; d < 3; d++)
        for (size_t i = 0; i < w->n[d]; i++)
            if (w->known[d][i] < 0)
                naive_row(w, d, i);
}

/* Positive values by chance; every second label of the target and every third
 * of the bridge is known. */
static void draw_naive(naive *w, uint64_t seed)
{
    mtc_random r = mtc_random_seed(seed);
    memset(w, 0, sizeof *w);
    for (size_t d = 0; d < 3; d++) {
        w->n[d] = NAIVE_N - d;
        for (size_t i = 0; i < w->n[d]; i++) {
            double sum = 0;
            int told = d == 0 || i % (4 - d) == 1;
            w->known[d][i] = told ? (int)mtc_random_below(&r, NAIVE_C) : -1;
            for (size_t e = 0; e < NAIVE_M; e++)
                w->X[d][i][e] = .1 + (double)mtc_random_real(&r);
            for (size_t z = 0; z < NAIVE_C; z++)
                sum += w->G[d][i][z] = .1 + (double)mtc_random_real(&r);
            for (size_t z = 0; z < NAIVE_C; z++)
                w->G[d][i][z] = !told ? w->G[d][i][z] / sum
                                      : w->known[d][i] == (int)z;
        }
    }
    for (size_t l = 0; l < 2; l++)
        for (size_t k = 0; k < 3; k++)
            for (size_t q = 0; q < NAIVE_P; q++) {
                for (size_t e = 0; e < NAIVE_M; e++)
                    w->F[l][k][e][q] = .1 + (double)mtc_random_real(&r);
                for (size_t z = 0; z < NAIVE_C; z++)
                    w->A[l][k][q][z] = .1 + (double)mtc_random_real(&r);
            }
}

static mtc_status run_naive_start(const naive *w, size_t iterations,
                                  mtc_ttl_result *r)
{
    static mtc_real x[3][NAIVE_N * NAIVE_M], G[3][NAIVE_N * NAIVE_C];
    static mtc_real F[2][3][NAIVE_M * NAIVE_P], A[2][3][NAIVE_P * NAIVE_C];
    mtc_context ctx = test_context();
    mtc_data X[3];
    mtc_ttl_factors f;
    for (size_t d = 0; d < 3; d++) {
        for (size_t e = 0; e < NAIVE_N * NAIVE_M; e++)
            x[d][e] = (mtc_real)(&w->X[d][0][0])[e];
        for (size_t e = 0; e < NAIVE_N * NAIVE_C; e++)
            G[d][e] = (mtc_real)(&w->G[d][0][0])[e];
        X[d] = mtc_dense(w->n[d], NAIVE_M, x[d]);
    }
    for (size_t l = 0; l < 2; l++)
        for (size_t k = 0; k < 3; k++) {
            for (size_t e = 0; e < NAIVE_M * NAIVE_P; e++)
                F[l][k][e] = (mtc_real)(&w->F[l][k][0][0])[e];
            for (size_t e = 0; e < NAIVE_P * NAIVE_C; e++)
                A[l][k][e] = (mtc_real)(&w->A[l][k][0][0])[e];
            f.F[l][k] = F[l][k];
            f.A[l][k] = A[l][k];
        }
    mtc_ttl_options o = mtc_ttl_defaults();
    const int *labels = w->known[0], *known_bridge = w->known[1];
    f.bridge = G[1];
    f.target = G[2];
    o.classes = NAIVE_C;
    o.features = 2 * NAIVE_P;
    o.common = NAIVE_P;
    o.variant = MTC_TTL_PUBLISHED;
    o.rows = MTC_TTL_ROWS_AS_GIVEN;
    o.iterations = iterations;
    o.start_factors = &f;
    o.known = w->known[2];
    o.bridge_known = &known_bridge;
    return mtc_ttl(&ctx, &X[0], &labels, 1, &X[1], NULL, 1, &X[2], &o, r);
}

TEST known_rows_are_fixed_in_the_printed_updates(void)
{
    for (uint64_t seed = 1; seed <= 4; seed++)
        for (size_t iterations = 1; iterations <= 6; iterations += 5) {
            static naive w;
            mtc_context ctx = test_context();
            mtc_ttl_result r;
            draw_naive(&w, seed);
            ASSERT_EQ(MTC_OK, run_naive_start(&w, iterations, &r));
            for (size_t k = 0; k < iterations; k++)
                naive_iteration(&w);
            for (size_t d = 1; d < 3; d++)
                for (size_t e = 0; e < w.n[d] * NAIVE_C; e++) {
                    const mtc_real *G = d == 1 ? r.bridge : r.target;
                    ASSERT_IN_RANGE((&w.G[d][0][0])[e], (double)G[e],
                                    (double)TOL(1e-10));
                }
            mtc_free(&ctx, &r.block);
        }
    PASS();
}

/* Texts of two kinds, labeled 1 and 2; each has words of the other kind, too. */
enum { TEXTS = 60, WORDS = 80 };

static mtc_data draw_texts(mtc_random *g, mtc_real *x, int *labels)
{
    for (int i = 0; i < TEXTS; i++) {
        labels[i] = 1 + i % 2;
        for (int w = 0; w < 20; w++) {
            size_t word = mtc_random_below(g, WORDS / 2);
            int own = mtc_random_real(g) < (mtc_real)0.6;
            x[i * WORDS + (int)word + (own == i % 2) * (WORDS / 2)]++;
        }
    }
    return mtc_dense(TEXTS, WORDS, x);
}

/* Nobody has class 0 of three, so no text gets it; but one that knows it. */
TEST a_class_that_no_label_has_gets_no_sample(int variant, int start)
{
    static mtc_real x[3][TEXTS * WORDS];
    int y[3][TEXTS], known[TEXTS], labels[TEXTS];
    const int *source = y[0];
    mtc_random g = mtc_random_seed(7);
    mtc_context ctx = test_context();
    mtc_ttl_options o = mtc_ttl_defaults();
    mtc_ttl_result r;
    mtc_data X[3];
    memset(x, 0, sizeof x);
    for (int d = 0; d < 3; d++)
        X[d] = draw_texts(&g, x[d], y[d]);
    o.classes = 3;
    o.variant = (mtc_ttl_variant)variant;
    o.start = (mtc_ttl_start)start;
    ASSERT_EQ(MTC_OK, mtc_ttl(&ctx, &X[0], &source, 1, &X[1], NULL, 1, &X[2],
                              &o, &r));
    ASSERT_EQ(MTC_OK, mtc_ttl_assign(&ctx, &X[2], &r, labels));
    for (int i = 0; i < TEXTS; i++) {
        ASSERT(r.labels[i] > 0 && r.bridge_labels[i] > 0 && labels[i] > 0);
        known[i] = i == 4 ? 0 : -1;
    }
    mtc_free(&ctx, &r.block);
    o.known = known;
    ASSERT_EQ(MTC_OK, mtc_ttl(&ctx, &X[0], &source, 1, &X[1], NULL, 1, &X[2],
                              &o, &r));
    ASSERT_EQ(0, r.labels[4]);
    mtc_free(&ctx, &r.block);
    o.known = NULL;
    o.start_labels = y[2];
    ASSERT_EQ(MTC_OK, mtc_ttl(&ctx, &X[0], &source, 1, &X[1], NULL, 1, &X[2],
                              &o, &r));
    for (int i = 0; i < TEXTS; i++)
        ASSERT(r.labels[i] > 0);
    mtc_free(&ctx, &r.block);
    PASS();
}

SUITE(ttl_naive_suite)
{
    RUN_TEST(known_rows_are_fixed_in_the_printed_updates);
    RUN_TESTp(a_class_that_no_label_has_gets_no_sample, MTC_TTL_REPAIRED,
              MTC_TTL_START_INFORMED);
    RUN_TESTp(a_class_that_no_label_has_gets_no_sample, MTC_TTL_PUBLISHED,
              MTC_TTL_START_INFORMED);
    RUN_TESTp(a_class_that_no_label_has_gets_no_sample, MTC_TTL_PUBLISHED,
              MTC_TTL_START_RANDOM);
}
