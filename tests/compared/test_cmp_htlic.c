/* SPDX-License-Identifier: MIT
 *
 * HTLIC against worked cases; its objective against the definition with G
 * formed, falling in every round; deficient ranks, few classes, any scale.
 */
#include <math.h>

#define CMP_INTERNAL
#include "../../examples/compared/compared.h"
#include "cmp_sweep.h"
#include "golden/cmp_htlic.h"
#include "greatest.h"
#include "test_util.h"

static const double worked_tolerance = sizeof(mtc_real) == 8 ? 1e-8 : 1e-3;

enum { DOCUMENTS, TARGET, TAGS, IMAGES, D = 6, W = 9 };

/* The four sets by the names above, known labels of the target, the truth. */
static test_tasks world;
static int known[TEST_N], truth[TEST_N];

typedef struct htlic_input { cmp_htlic_options o; int sparse; } htlic_input;

static mtc_status run_htlic(mtc_context *ctx, void *user, void *out)
{
    const htlic_input *in = (const htlic_input *)user;
    const mtc_data *set = in->sparse ? world.csr : world.dense;
    return cmp_htlic(ctx, set, 1, &set[TAGS], &set[IMAGES], &set[TARGET],
                     known, &in->o, (cmp_htlic_result *)out);
}

/* Class i % c of sample i of each set: features w % c == i % c are larger, a
 * third of all is 0.  One sample in four of the target is known. */
static void make_world(size_t n, size_t c, uint64_t seed)
{
    const size_t d[4] = {W, D, W, D};
    mtc_random g = mtc_random_seed(seed);
    for (size_t t = 0; t < 4; t++) {
        for (size_t i = 0; i < n; i++)
            for (size_t w = 0; w < d[t]; w++)
                world.x[t][i * d[t] + w] =
                    mtc_random_below(&g, 3) == 0 ? 0
                    : mtc_random_real(&g) + (mtc_real)(w % c == i % c ? 3 : 0);
        test_views(&world, t, n, d[t]);
    }
    for (size_t i = 0; i < TEST_N; i++) {
        truth[i] = (int)(i % c);
        known[i] = i / c % 4 == 0 ? truth[i] : -1;
    }
}

static htlic_input make_input(size_t classes, size_t rank)
{
    htlic_input in = {cmp_htlic_defaults(), 0};
    in.o.classes = classes;
    in.o.rank = rank;
    return in;
}

/* min over W of weight |F - W U'|^2 + rho |W|^2, by coordinate descent. */
static double best_W(const double *F, size_t n, const double *U, size_t r,
                     double weight, double rho)
{
    double least = 0;
    for (size_t i = 0; i < n; i++) {
        double w[W] = {0}, left[W], length = 0;
        memcpy(left, F + i * W, sizeof left);
        for (int step = 0; step < 2000; step++)
            for (size_t k = 0; k < r; k++) {
                double dot = 0, square = 0;
                for (size_t a = 0; a < W; a++) {
                    dot += left[a] * U[a * r + k];
                    square += U[a * r + k] * U[a * r + k];
                }
                double down = weight * square + rho;
                double move = down > 0
                                  ? (weight * dot - rho * w[k]) / down : 0;
                w[k] += move;
                for (size_t a = 0; a < W; a++)
                    left[a] -= move * U[a * r + k];
            }
        for (size_t a = 0; a < W; a++)
            least += weight * left[a] * left[a];
        for (size_t k = 0; k < r; k++)
            length += w[k] * w[k];
        least += rho * length;
    }
    return least;
}

/* G = Z'T and F of the world, each over its norm. */
static void form_products(double *G, double *F)
{
    double g = 0, f = 0;
    size_t n = world.dense[TAGS].n, m = world.dense[DOCUMENTS].n;
    memset(G, 0, D * W * sizeof *G);
    for (size_t i = 0; i < n; i++)
        for (size_t a = 0; a < D; a++)
            for (size_t b = 0; b < W; b++)
                G[a * W + b] += (double)world.x[IMAGES][i * D + a] *
                                (double)world.x[TAGS][i * W + b];
    for (size_t e = 0; e < D * W; e++)
        g += G[e] * G[e];
    for (size_t e = 0; e < m * W; e++) {
        F[e] = (double)world.x[DOCUMENTS][e];
        f += F[e] * F[e];
    }
    for (size_t e = 0; e < D * W; e++)
        G[e] /= sqrt(g);
    for (size_t e = 0; e < m * W; e++)
        F[e] /= sqrt(f);
}

TEST htlic_worked_case(const htlic_case *g, int sparse)
{
    static mtc_real start[TEST_N * TEST_D];
    mtc_context ctx = test_context();
    htlic_input in = make_input(2, g->rank);
    cmp_htlic_result r;
    test_set(&world, DOCUMENTS, g->documents, g->tags, g->source);
    test_set(&world, TAGS, g->pairs, g->tags, g->view1);
    test_set(&world, IMAGES, g->pairs, g->d, g->view2);
    test_set(&world, TARGET, g->pairs, g->d, g->view2);
    for (size_t i = 0; i < TEST_N; i++)
        known[i] = (int)(i % 2);
    for (size_t e = 0; e < g->tags * g->rank; e++)
        start[e] = (mtc_real)g->start[e];
    in.sparse = sparse;
    in.o.lambda = (mtc_real)g->lambda;
    in.o.ridge = (mtc_real)g->ridge;
    in.o.start = start;
    for (int all = 0; all < 2; all++) {
        const double *expected = all ? g->last : g->first;
        in.o.iterations = all ? g->iterations : 1;
        ASSERT_EQ(MTC_OK, run_htlic(&ctx, &in, &r));
        ASSERT(r.rank == g->rank && r.tags == g->tags && r.d == g->d);
        ASSERT_CLOSE(g->objective, r.objective, in.o.iterations + 1);
        for (size_t a = 0; a < g->d; a++)
            for (size_t b = 0; b < g->tags; b++)
                ASSERT_IN_RANGE(expected[a * g->tags + b],
                                (double)mtc_dot(g->rank, r.V + a * g->rank,
                                                r.U + b * g->rank),
                                worked_tolerance);
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

/* What a round leaves: V from the U before it, W from the same, the new U.  The
 * objective can only fall, and the best W for the last U can only lie below. */
TEST htlic_objective_is_its_definition_and_never_rises(void)
{
    static double G[D * W], F[TEST_N * W];
    mtc_context ctx = test_context();
    cmp_htlic_result r;
    for (uint64_t seed = 1; seed <= 16; seed++) {
        htlic_input in = make_input(2, 1 + seed % 12);  /* 10 and up: 9 */
        make_world(8 + seed, 2, seed);
        ctx.seed = seed;
        in.sparse = seed % 2;
        in.o.lambda = (mtc_real)(seed % 5) / 4;
        in.o.ridge = seed % 3 == 0 ? 0 : (mtc_real)0.003 * (mtc_real)seed;
        in.o.iterations = 40;
        ASSERT_EQ(MTC_OK, run_htlic(&ctx, &in, &r));
        ASSERT(r.rank == (in.o.rank < W ? in.o.rank : W));
        ASSERT_EQ((size_t)40, r.iterations);
        for (size_t t = 1; t <= 40; t++)
            ASSERT(r.objective[t] <= r.objective[t - 1] + TOL(1e-10));
        double l = (double)in.o.lambda, rho = (double)in.o.ridge, own = 0;
        double U[W * W];
        form_products(G, F);
        for (size_t e = 0; e < W * r.rank; e++) {
            U[e] = (double)r.U[e];
            own += rho * U[e] * U[e];
        }
        for (size_t a = 0; a < D; a++)
            for (size_t k = 0; k < r.rank; k++)
                own += rho * (double)r.V[a * r.rank + k] *
                       (double)r.V[a * r.rank + k];
        for (size_t a = 0; a < D; a++)
            for (size_t b = 0; b < W; b++)
                own += l * pow(G[a * W + b] -
                               (double)mtc_dot(r.rank, r.V + a * r.rank,
                                               r.U + b * r.rank), 2);
        own += best_W(F, world.dense[DOCUMENTS].n, U, r.rank, 1 - l, rho);
        double last = (double)r.objective[40];
        ASSERT(own <= last + (double)TOL(1e-9));
        double slack = (double)(r.objective[39] - r.objective[40]);
        if (rho > 0)                    /* near its end: they agree */
            ASSERT_IN_RANGE(last, own, 20 * slack + (double)TOL(1e-6));
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

/* Two equal columns of U are as one that is sqrt(2) times as long. */
TEST htlic_equal_columns_are_as_one(void)
{
    mtc_context ctx = test_context();
    htlic_input in = make_input(2, 3);
    cmp_htlic_result twice, once;
    mtc_real U3[W * 3], U2[W * 2];
    make_world(20, 2, 4);
    test_fill(U2, W * 2, 7, -0.2, 0.2);
    for (size_t a = 0; a < W; a++) {
        U3[a * 3] = U2[a * 2];
        U3[a * 3 + 1] = U3[a * 3 + 2] = U2[a * 2 + 1] / (mtc_real)sqrt(2);
    }
    in.o.ridge = 0;
    in.o.start = U3;
    in.o.iterations = 12;
    ASSERT_EQ(MTC_OK, run_htlic(&ctx, &in, &twice));
    in.o.rank = 2;
    in.o.start = U2;
    ASSERT_EQ(MTC_OK, run_htlic(&ctx, &in, &once));
    for (size_t a = 0; a < D; a++)
        for (size_t b = 0; b < W; b++)
            ASSERT_IN_RANGE((double)mtc_dot(2, once.V + a * 2, once.U + b * 2),
                            (double)mtc_dot(3, twice.V + a * 3,
                                            twice.U + b * 3),
                            (double)TOL(1e-10));
    ASSERT_MEM_EQ(once.labels, twice.labels, 20 * sizeof(int));
    mtc_free(&ctx, &twice.block);
    mtc_free(&ctx, &once.block);
    PASS();
}

/* As many columns as tags and no ridge: G is met, but for directions that are
 * cut as rounding, which in float are many. */
TEST htlic_meets_the_images_where_it_can(void)
{
    static double G[D * W], F[TEST_N * W];
    mtc_context ctx = test_context();
    htlic_input in = make_input(2, 100);
    cmp_htlic_result r;
    const double close = sizeof(mtc_real) == 8 ? 1e-9 : 0.05;
    make_world(25, 2, 6);
    in.o.ridge = 0;
    in.o.lambda = 1;
    ASSERT_EQ(MTC_OK, run_htlic(&ctx, &in, &r));
    ASSERT_EQ((size_t)W, r.rank);
    form_products(G, F);
    for (size_t a = 0; a < D; a++)
        for (size_t b = 0; b < W; b++)
            ASSERT_IN_RANGE(G[a * W + b],
                            (double)mtc_dot(W, r.V + a * W, r.U + b * W),
                            close);
    ASSERT_IN_RANGE(0, (double)r.objective[30], close / 10);
    mtc_free(&ctx, &r.block);
    PASS();
}

/* Features are X V of length 1, and the SVM is mtc_svm on these. */
TEST htlic_classifies_by_its_features(int append)
{
    enum { N = 36, R = 4 };
    mtc_context ctx = test_context();
    htlic_input in = make_input(3, R);
    cmp_htlic_result r, s;
    mtc_real x[N * (D + R)], train[N * (D + R)], f[N * 3];
    int y[N], labels[N];
    size_t wide = append ? D + R : R, m = 0, right = 0;
    make_world(N, 3, 2);
    memset(world.x[TARGET] + 7 * D, 0, D * sizeof(mtc_real));
    test_views(&world, TARGET, N, D);
    in.o.append = append;
    ASSERT_EQ(MTC_OK, run_htlic(&ctx, &in, &r));
    for (size_t i = 0; i < N; i++) {
        double v[R] = {0}, length = 0;
        for (size_t k = 0; k < R; k++) {
            for (size_t a = 0; a < D; a++)
                v[k] += (double)world.x[TARGET][i * D + a] *
                        (double)r.V[a * R + k];
            length += v[k] * v[k];
        }
        for (size_t k = 0; k < R; k++)
            ASSERT_IN_RANGE(length > 0 ? v[k] / sqrt(length) : 0,
                            (double)r.features[i * R + k],
                            (double)TOL(1e-12));
        if (append)
            memcpy(x + i * wide, world.x[TARGET] + i * D,
                   D * sizeof(mtc_real));
        memcpy(x + i * wide + wide - R, r.features + i * R,
               R * sizeof(mtc_real));
        right += r.labels[i] == truth[i];
        if (known[i] >= 0) {
            memcpy(train + m * wide, x + i * wide, wide * sizeof(mtc_real));
            y[m++] = known[i];
        }
    }
    ASSERT(right >= N * 3 / 4);
    mtc_data all = mtc_dense(N, wide, x), some = mtc_dense(m, wide, train);
    mtc_svm_options o = mtc_svm_defaults();
    mtc_svm_result model;
    o.classes = 3;
    o.cost = 10;
    ASSERT_EQ(MTC_OK, mtc_svm(&ctx, &some, y, &o, &model));
    ASSERT_EQ(MTC_OK, mtc_svm_assign(&ctx, &all, &some, &model, labels, f));
    mtc_free(&ctx, &model.block);
    ASSERT_MEM_EQ(labels, r.labels, sizeof labels);
    for (size_t e = 0; e < N * 3; e++)
        ASSERT_IN_RANGE((double)f[e], (double)r.scores[e], 0.02);
    in.sparse = 1;
    ASSERT_EQ(MTC_OK, run_htlic(&ctx, &in, &s));
    ASSERT_MEM_EQ(r.labels, s.labels, sizeof labels);
    mtc_free(&ctx, &r.block);
    mtc_free(&ctx, &s.block);
    PASS();
}

/* A class nobody knows is not predicted; of one class it is that one. */
TEST htlic_knows_only_what_is_known(void)
{
    enum { N = 24 };
    mtc_context ctx = test_context();
    htlic_input in = make_input(4, 4);
    cmp_htlic_result r;
    make_world(N, 3, 8);
    for (size_t i = 0; i < N; i++)
        known[i] = known[i] == 1 ? 3 : known[i];    /* 0, 2, 3 */
    ASSERT_EQ(MTC_OK, run_htlic(&ctx, &in, &r));
    for (size_t i = 0; i < N; i++)
        ASSERT(r.labels[i] != 1 && r.scores[i * 4 + 1] == -1);
    mtc_free(&ctx, &r.block);
    for (size_t i = 0; i < N; i++)
        known[i] = known[i] == 0 ? -1 : known[i];   /* 2, 3 */
    ASSERT_EQ(MTC_OK, run_htlic(&ctx, &in, &r));
    for (size_t i = 0; i < N; i++) {
        ASSERT_IN_RANGE((double)r.scores[i * 4 + 2],
                        -(double)r.scores[i * 4 + 3], 0.02);
        ASSERT_EQ(r.scores[i * 4 + 3] > r.scores[i * 4 + 2] ? 3 : 2,
                  r.labels[i]);
    }
    mtc_free(&ctx, &r.block);
    for (size_t i = 0; i < N; i++)
        known[i] = i == 5 ? 2 : -1;
    ASSERT_EQ(MTC_OK, run_htlic(&ctx, &in, &r));
    for (size_t i = 0; i < N; i++)
        ASSERT(r.labels[i] == 2 && r.scores[i * 4 + 2] == 1 &&
               r.scores[i * 4] == -1);
    mtc_free(&ctx, &r.block);
    PASS();
}

/* Units do not count; sets of documents are as one; neither do words, images
 * or tags that are all 0 do harm. */
TEST htlic_serves_every_scale(void)
{
    enum { N = 21 };
    mtc_context ctx = test_context();
    htlic_input in = make_input(3, 4);
    cmp_htlic_result a, b;
    double big = sizeof(mtc_real) == 8 ? 1e43 : 1e7;
    make_world(N, 3, 3);
    ASSERT_EQ(MTC_OK, run_htlic(&ctx, &in, &a));
    mtc_data half[2] = {world.dense[DOCUMENTS],
                        mtc_dense(N - 6, W, world.x[DOCUMENTS] + 6 * W)};
    half[0].n = 6;
    ASSERT_EQ(MTC_OK, cmp_htlic(&ctx, half, 2, &world.dense[TAGS],
                                &world.dense[IMAGES], &world.dense[TARGET],
                                known, &in.o, &b));
    ASSERT_MEM_EQ(a.scores, b.scores, N * 3 * sizeof(mtc_real));
    mtc_free(&ctx, &b.block);
    for (int small = 0; small < 2; small++) {
        for (size_t t = 0; t < 4; t++)
            for (size_t e = 0; e < N * world.dense[t].d; e++)
                world.x[t][e] = (mtc_real)((double)world.x[t][e] *
                                           (small ? 1 / big / big : big));
        ASSERT_EQ(MTC_OK, run_htlic(&ctx, &in, &b));
        for (size_t t = 0; t <= 30; t++)
            ASSERT_IN_RANGE((double)a.objective[t], (double)b.objective[t],
                            (double)TOL(1e-11));
        ASSERT_MEM_EQ(a.labels, b.labels, N * sizeof(int));
        mtc_free(&ctx, &b.block);
    }
    mtc_free(&ctx, &a.block);
    for (size_t t = 0; t < 4; t++) {
        make_world(N, 3, 3);
        memset(world.x[t], 0, sizeof world.x[t]);
        test_views(&world, t, N, world.dense[t].d);
        in.sparse = t % 2 == 0;         /* a set without a stored value */
        in.o.ridge = t < 2 ? 0 : (mtc_real)0.01;
        ASSERT_EQ(MTC_OK, run_htlic(&ctx, &in, &a));
        ASSERT(a.objective[0] <= (t == 1 ? 2 : 1));
        mtc_free(&ctx, &a.block);
    }
    PASS();
}

/* Pixels of 0 to 765, known labels of which one in three is wrong: the SVM on
 * them does not reach its optimum, and says so. */
TEST htlic_says_where_its_svm_did_not_end(void)
{
    enum { N = 120 };
    mtc_context ctx = test_context();
    htlic_input in = make_input(2, 3);
    cmp_htlic_result r;
    make_world(N, 2, 1);
    for (size_t i = 0; i < N * D; i++)
        world.x[TARGET][i] *= 255;
    for (size_t i = 0; i < N; i++)
        known[i] = i < 24 ? (i % 3 == 0) != truth[i] : -1;
    in.o.append = 1;
    ASSERT_EQ(MTC_LIMIT, run_htlic(&ctx, &in, &r));
    in.o.append = 0;                    /* features of length 1 */
    ASSERT_EQ(MTC_OK, run_htlic(&ctx, &in, &r));
    mtc_free(&ctx, &r.block);
    PASS();
}

TEST htlic_survives_and_refuses(void)
{
    mtc_context ctx = test_context();
    htlic_input in = make_input(2, 3);
    cmp_htlic_result r;
    mtc_real start[W * 3] = {0};
    make_world(12, 2, 1);
    in.o.iterations = 3;
    for (in.sparse = 0; in.sparse < 2; in.sparse++)
        for (in.o.append = 0; in.o.append < 2; in.o.append++) {
            const char *wrong = sweep_memory(run_htlic, &in);
            ASSERTm(wrong, wrong == NULL);
            wrong = sweep_ticks(run_htlic, &in);
            ASSERTm(wrong, wrong == NULL);
        }
    in.sparse = in.o.append = 0;
#define REFUSED(change) \
    do { \
        htlic_input good = in; \
        change; \
        ASSERT_EQ(MTC_INVALID, run_htlic(&ctx, &in, &r)); \
        in = good; \
    } while (0)
    REFUSED(in.o.classes = 0);
    REFUSED(in.o.classes = 1);                      /* a label of 1 */
    REFUSED(in.o.rank = 0);
    REFUSED(in.o.lambda = -1);
    REFUSED(in.o.lambda = (mtc_real)NAN);
    REFUSED(in.o.ridge = -1);
    REFUSED(in.o.ridge = (mtc_real)INFINITY);
    REFUSED(in.o.ridge = TEST_MAX);                 /* as would the objective */
    REFUSED(in.o.cost = 0);
    start[4] = (mtc_real)NAN;
    in.o.start = start;
    ASSERT_EQ(MTC_DOMAIN, run_htlic(&ctx, &in, &r));
    ASSERT(ctx.error.row == 1 && ctx.error.column == 1);
    in.o.start = NULL;
    in.o.iterations = SIZE_MAX;
    ASSERT_EQ(MTC_TOO_BIG, run_htlic(&ctx, &in, &r));
    in.o.iterations = 0;                            /* V = 0: nothing learned */
    ASSERT_EQ(MTC_OK, run_htlic(&ctx, &in, &r));
    ASSERT(r.V[0] == 0 && r.features[0] == 0);
    mtc_free(&ctx, &r.block);
    world.dense[IMAGES].n = 11;
    REFUSED((void)0);
    world.dense[IMAGES].n = 12;
    ASSERT_EQ(MTC_INVALID, cmp_htlic(&ctx, world.dense, 1, &world.dense[TAGS],
                                     NULL, &world.dense[TARGET], known, NULL,
                                     &r));
    ASSERT_EQ(MTC_INVALID, cmp_htlic(&ctx, world.dense, 1, &world.dense[TAGS],
                                     &world.dense[IMAGES],
                                     &world.dense[TARGET], NULL, NULL, &r));
    ASSERT_STR_EQ("known: need labels of some target samples", ctx.error.what);
    for (size_t i = 0; i < 12; i++)
        known[i] = -1;
    REFUSED((void)0);
    ASSERT_STR_EQ("known: need labels of some target samples", ctx.error.what);
    for (size_t t = 4; t-- > 0; ) {     /* the first in order is reported */
        world.x[t][world.dense[t].d + 3] = (mtc_real)(t % 2 ? NAN : INFINITY);
        ASSERT_EQ(MTC_DOMAIN, run_htlic(&ctx, &in, &r));
        ASSERT(ctx.error.task == t && ctx.error.row == 1 &&
               ctx.error.column == 3);
    }
    PASS();
}

SUITE(cmp_htlic_suite)
{
    for (int k = 0; k < 2; k++) {
        RUN_TESTp(htlic_worked_case, &htlic_cases[0], k);
        RUN_TESTp(htlic_worked_case, &htlic_cases[1], k);
        RUN_TESTp(htlic_classifies_by_its_features, k);
    }
    RUN_TEST(htlic_objective_is_its_definition_and_never_rises);
    RUN_TEST(htlic_equal_columns_are_as_one);
    RUN_TEST(htlic_meets_the_images_where_it_can);
    RUN_TEST(htlic_knows_only_what_is_known);
    RUN_TEST(htlic_serves_every_scale);
    RUN_TEST(htlic_says_where_its_svm_did_not_end);
    RUN_TEST(htlic_survives_and_refuses);
}
