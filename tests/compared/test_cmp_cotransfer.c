/* SPDX-License-Identifier: MIT
 *
 * Co-transfer against worked cases, and its fixed point against the system of
 * equations, solved by elimination.  Every sample a class of its own makes Q
 * the identity: one step then shows all of P.
 */
#include <math.h>

#define CMP_INTERNAL
#include "../../examples/compared/compared.h"
#include "cmp_sweep.h"
#include "golden/cmp_cotransfer.h"
#include "greatest.h"
#include "test_util.h"

static const double worked_tolerance = sizeof(mtc_real) == 8 ? 1e-8 : 1e-3;

enum { SOURCE, TARGET, VIEW1, VIEW2, MOST = 64 };

/* The four sets by the names above; labels of the source, known ones of the
 * target and the truth there. */
static test_tasks world;
static int known[TEST_N], truth[TEST_N];

typedef struct walk_input {
    cmp_cotransfer_options o;
    int sparse, bridge;                 /* bridge: view 1 is both */
} walk_input;

static mtc_status run_walk(mtc_context *ctx, void *user, void *out)
{
    const walk_input *in = (const walk_input *)user;
    const mtc_data *set = in->sparse ? world.csr : world.dense;
    return cmp_cotransfer(ctx, set, world.labels, 1, &set[VIEW1],
                          in->bridge ? NULL : &set[VIEW2], &set[TARGET], known,
                          &in->o, (cmp_cotransfer_result *)out);
}

/* A space of d features for each of source and target, a third of them 0; a
 * sample of class z is larger in features w % c == z.  Nothing is known. */
static void make_spaces(size_t n_s, size_t n_t, size_t pairs, size_t c,
                        uint64_t seed)
{
    const size_t n[4] = {n_s, n_t, pairs, pairs}, d[4] = {8, 6, 8, 6};
    mtc_random g = mtc_random_seed(seed);
    for (size_t t = 0; t < 4; t++) {
        for (size_t i = 0; i < n[t]; i++)
            for (size_t w = 0; w < d[t]; w++)
                world.x[t][i * d[t] + w] =
                    mtc_random_below(&g, 3) == 0 ? 0
                    : mtc_random_real(&g) + (mtc_real)(w % c == i % c ? 3 : 0);
        test_views(&world, t, n[t], d[t]);
    }
    for (size_t i = 0; i < TEST_N; i++) {
        world.start[SOURCE][i] = truth[i] = (int)(i % c);
        known[i] = -1;
    }
}

static walk_input make_input(size_t classes)
{
    walk_input in = {cmp_cotransfer_defaults(), 0, 0};
    in.o.classes = classes;
    in.o.neighbors = 4;
    return in;
}

/* P [N*N] of the world as the call walks it. */
static mtc_status see_P(const walk_input *in, double *P)
{
    walk_input all = *in;
    mtc_context ctx = test_context();
    cmp_cotransfer_result r;
    size_t n = world.dense[SOURCE].n, m = world.dense[TARGET].n, N = n + m;
    int labels[TEST_N], before[TEST_N];
    memcpy(labels, world.start[SOURCE], sizeof labels);
    memcpy(before, known, sizeof before);
    for (size_t i = 0; i < N; i++)
        *(i < n ? &world.start[SOURCE][i] : &known[i - n]) = (int)i;
    all.o.classes = N;
    all.o.alpha = (mtc_real)0.5;
    all.o.iterations = 1;
    mtc_status s = run_walk(&ctx, &all, &r);
    memcpy(world.start[SOURCE], labels, sizeof labels);
    memcpy(known, before, sizeof before);
    if (s != MTC_OK)
        return s;
    for (size_t i = 0; i < N * N; i++)
        P[i] = 2 * ((double)(i < n * N ? r.source_scores[i]
                                       : r.scores[i - n * N]) -
                    (i % (N + 1) == 0 ? 0.5 : 0));
    mtc_free(&ctx, &r.block);
    return MTC_OK;
}

TEST cotransfer_worked_case(const cotransfer_case *g, int sparse)
{
    static double P[MOST * MOST];
    mtc_context ctx = test_context();
    walk_input in = make_input(g->c);
    cmp_cotransfer_result r;
    size_t N = g->n_s + g->n_t, n = g->n_s, c = g->c;
    test_set(&world, SOURCE, g->n_s, g->d_s, g->source);
    test_set(&world, TARGET, g->n_t, g->d_t, g->target);
    test_set(&world, VIEW1, g->pairs, g->d_s, g->view1);
    test_set(&world, VIEW2, g->pairs, g->d_t, g->view2);
    memcpy(world.start[SOURCE], g->labels, n * sizeof(int));
    memcpy(known, g->known, g->n_t * sizeof(int));
    in.o.alpha = (mtc_real)g->alpha;
    in.o.stay = (mtc_real)g->stay;
    in.o.neighbors = g->neighbors;
    in.sparse = sparse;
    ASSERT_EQ(MTC_OK, see_P(&in, P));
    ASSERT_CLOSE(g->P, P, N * N);
    ASSERT_EQ(MTC_OK, run_walk(&ctx, &in, &r));
    ASSERT(r.converged && r.n == g->n_t && r.n_source == n && r.classes == c);
    double largest = 0;
    for (size_t i = 0; i < N * c; i++)
        largest = g->U[i] > largest ? g->U[i] : largest;
    for (size_t i = 0; i < N * c; i++)
        ASSERT_IN_RANGE(g->U[i], (double)(i < n * c ? r.source_scores[i]
                                                    : r.scores[i - n * c]),
                        worked_tolerance * largest);
    ASSERT_MEM_EQ(g->found, r.labels, g->n_t * sizeof(int));
    mtc_free(&ctx, &r.block);
    in.o.alpha = 1;                                 /* U = Q */
    ASSERT_EQ(MTC_OK, run_walk(&ctx, &in, &r));
    ASSERT(r.converged);
    for (size_t i = 0; i < N * c; i++)
        ASSERT_IN_RANGE(g->Q[i], (double)(i < n * c ? r.source_scores[i]
                                                    : r.scores[i - n * c]),
                        (double)TOL(1e-15));
    mtc_free(&ctx, &r.block);
    PASS();
}

/* U = a (I - (1-a) P)^-1 Q by elimination, and columns of P and U sum to 1.
 * `few`: 1 target sample, 1 pair. */
TEST cotransfer_solves_its_equations(int few)
{
    static double A[MOST * MOST], P[MOST * MOST], B[MOST * 3];
    mtc_context ctx = test_context();
    cmp_cotransfer_result r;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        size_t n = 9 + seed, m = few ? 1 : 8, N = n + m;
        walk_input in = make_input(3);
        make_spaces(n, m, few ? 1 : 7, 3, seed);
        in.sparse = seed % 2;
        in.o.neighbors = 1 + 2 * (size_t)seed;      /* soon all there are */
        in.o.alpha = (mtc_real)0.1 * (mtc_real)seed;
        in.o.stay = (mtc_real)0.125 * (mtc_real)(seed - 1);
        known[0] = seed % 3 == 0 ? 2 : -1;
        if (seed > 5)                               /* an empty row of M */
            memset(world.x[TARGET], 0, 6 * sizeof(mtc_real));
        test_views(&world, TARGET, m, 6);
        ASSERT_EQ(MTC_OK, see_P(&in, P));
        for (size_t j = 0; j < N; j++) {
            double sum = 0;
            for (size_t i = 0; i < N; i++) {
                ASSERT(P[i * N + j] >= -(double)TOL(1e-15));
                sum += P[i * N + j];
            }
            ASSERT_IN_RANGE(1, sum, (double)TOL(1e-14));
        }
        double a = (double)in.o.alpha, count[2][3] = {{0}, {0}};
        for (size_t i = 0; i < N; i++) {
            int z = i < n ? world.start[SOURCE][i] : known[i - n];
            if (z >= 0)
                count[i >= n][z] += 1;
        }
        for (size_t i = 0; i < N; i++) {
            for (size_t j = 0; j < N; j++)
                A[i * N + j] = (i == j) - (1 - a) * P[i * N + j];
            for (int z = 0; z < 3; z++) {
                int y = i < n ? world.start[SOURCE][i] : known[i - n];
                B[i * 3 + (size_t)z] =
                    y == z ? a * (count[1][z] > 0 ? 0.5 : 1) / count[i >= n][z]
                           : 0;
            }
        }
        test_solve(N, A, 3, B);
        ASSERT_EQ(MTC_OK, run_walk(&ctx, &in, &r));
        ASSERT(r.converged);
        double sum[3] = {0};
        for (size_t i = 0; i < N * 3; i++) {
            mtc_real U = i < n * 3 ? r.source_scores[i] : r.scores[i - n * 3];
            ASSERT_IN_RANGE(B[i], (double)U, (double)TOL(1e-10));
            sum[i % 3] += (double)U;
        }
        for (int z = 0; z < 3; z++)
            ASSERT_IN_RANGE(1, sum[z], (double)TOL(1e-11));
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

/* Steps shrink at least to 1-a of the one before; so many taken as asked. */
TEST cotransfer_contracts(void)
{
    mtc_context ctx = test_context();
    walk_input in = make_input(2);
    cmp_cotransfer_result r;
    mtc_real before = 4;
    make_spaces(20, 18, 15, 2, 3);
    in.o.alpha = (mtc_real)0.2;
    for (in.o.iterations = 1; in.o.iterations < 10; in.o.iterations++) {
        ASSERT_EQ(MTC_OK, run_walk(&ctx, &in, &r));
        ASSERT(r.iterations == in.o.iterations && !r.converged);
        ASSERT(r.step <= (mtc_real)0.8 * before + TOL(1e-15));
        before = r.step;
        mtc_free(&ctx, &r.block);
    }
    in.o.alpha = TEST_MIN;                          /* P does the mixing */
    in.o.iterations = 0;
    ASSERT_EQ(MTC_OK, run_walk(&ctx, &in, &r));
    ASSERT(r.iterations > 1 && r.iterations <= 100000);
    mtc_free(&ctx, &r.block);
    in.o.alpha = (mtc_real)0.01;                    /* many are needed */
    in.o.iterations = 0;
    ASSERT_EQ(MTC_OK, run_walk(&ctx, &in, &r));
    ASSERT(r.converged);
    mtc_free(&ctx, &r.block);
    PASS();
}

/* Classes renamed rename U; sources in two parts are as one; dense is as CSR;
 * the truth is found. */
TEST cotransfer_carries_labels_and_only_these(void)
{
    enum { N = 40, C = 3 };
    mtc_context ctx = test_context();
    walk_input in = make_input(C);
    cmp_cotransfer_result a, b;
    make_spaces(N, N, N, C, 7);
    ASSERT_EQ(MTC_OK, run_walk(&ctx, &in, &a));
    size_t right = 0;
    for (size_t i = 0; i < N; i++)
        right += a.labels[i] == truth[i];
    ASSERT(right >= N * 4 / 5);        /* some show no class */
    in.sparse = 1;
    ASSERT_EQ(MTC_OK, run_walk(&ctx, &in, &b));
    ASSERT_MEM_EQ(a.labels, b.labels, N * sizeof(int));
    mtc_free(&ctx, &b.block);
    in.sparse = 0;
    mtc_data half[2] = {world.dense[SOURCE], mtc_dense(N - 15, 8,
                                             world.x[SOURCE] + 15 * 8)};
    const int *labels[2] = {world.start[SOURCE], world.start[SOURCE] + 15};
    half[0].n = 15;
    ASSERT_EQ(MTC_OK, cmp_cotransfer(&ctx, half, labels, 2,
                                     &world.dense[VIEW1], &world.dense[VIEW2],
                                     &world.dense[TARGET], NULL, &in.o, &b));
    ASSERT_MEM_EQ(a.scores, b.scores, N * C * sizeof(mtc_real));
    mtc_free(&ctx, &b.block);
    for (size_t i = 0; i < N; i++)
        world.start[SOURCE][i] = (world.start[SOURCE][i] + 1) % C;
    ASSERT_EQ(MTC_OK, run_walk(&ctx, &in, &b));
    for (size_t i = 0; i < N; i++) {
        ASSERT_EQ((a.labels[i] + 1) % C, b.labels[i]);
        for (size_t z = 0; z < C; z++)
            ASSERT(a.scores[i * C + z] == b.scores[i * C + (z + 1) % C]);
    }
    mtc_free(&ctx, &a.block);
    mtc_free(&ctx, &b.block);
    PASS();
}

/* Source uses columns 0..7, target 6..13, the bridge all and more: the same as
 * views cut by hand. */
TEST cotransfer_cuts_a_bridge_in_two(int sparse)
{
    enum { N = 18, D = 16 };
    mtc_context ctx = test_context();
    walk_input in = make_input(2);
    cmp_cotransfer_result a, b;
    make_spaces(N, N, N, 2, 5);
    for (size_t t = 0; t < 3; t++) {
        test_fill(world.x[t], N * D, 5 + t, 0, 1);
        for (size_t i = 0; i < N; i++)
            for (size_t w = 0; w < D; w++) {
                world.x[t][i * D + w] += (mtc_real)(2 * (w % 2 == i % 2));
                if ((t == SOURCE && w > 7) ||
                    (t == TARGET && (w < 6 || w > 13)))
                    world.x[t][i * D + w] = 0;
            }
        test_views(&world, t, N, D);
    }
    in.bridge = 1;
    in.sparse = sparse;
    ASSERT_EQ(MTC_OK, run_walk(&ctx, &in, &a));
    memcpy(world.x[VIEW2], world.x[VIEW1], sizeof world.x[VIEW2]);
    for (size_t i = 0; i < N; i++)
        for (size_t w = 0; w < D; w++) {
            if (w > 7)
                world.x[VIEW1][i * D + w] = 0;
            if (w < 6 || w > 13)
                world.x[VIEW2][i * D + w] = 0;
        }
    test_views(&world, VIEW1, N, D);
    test_views(&world, VIEW2, N, D);
    in.bridge = 0;
    ASSERT_EQ(MTC_OK, run_walk(&ctx, &in, &b));
    for (size_t i = 0; i < N * 2; i++)
        ASSERT_IN_RANGE((double)b.scores[i], (double)a.scores[i],
                        (double)TOL(1e-12));
    ASSERT_MEM_EQ(b.labels, a.labels, N * sizeof(int));
    mtc_free(&ctx, &a.block);
    mtc_free(&ctx, &b.block);
    PASS();
}

/* One class: that one, also where no mass comes.  A class that only the target
 * knows is found there; one that nobody has, has scores of 0.  Nothing in
 * common with the pairs: everything uniform between the spaces. */
TEST cotransfer_serves_what_is_left(void)
{
    enum { N = 12 };
    mtc_context ctx = test_context();
    walk_input in = make_input(3);
    cmp_cotransfer_result r;
    make_spaces(N, N, N, 2, 9);
    known[3] = 1;
    for (size_t i = 0; i < N; i++)
        world.start[SOURCE][i] = 1;
    memset(world.x[TARGET], 0, 6 * sizeof(mtc_real));
    test_views(&world, TARGET, N, 6);
    for (in.sparse = 0; in.sparse < 2; in.sparse++) {
        ASSERT_EQ(MTC_OK, run_walk(&ctx, &in, &r));
        for (size_t i = 0; i < N; i++) {
            ASSERT_EQ(1, r.labels[i]);
            ASSERT(r.scores[i * 3] == 0 && r.scores[i * 3 + 2] == 0);
        }
        mtc_free(&ctx, &r.block);
    }
    known[4] = 2;
    in.sparse = 0;
    ASSERT_EQ(MTC_OK, run_walk(&ctx, &in, &r));
    ASSERT_EQ(2, r.labels[4]);
    mtc_free(&ctx, &r.block);
    for (size_t i = 0; i < TEST_N; i++)
        known[i] = -1;
    memset(world.x[VIEW2], 0, sizeof world.x[VIEW2]);
    test_views(&world, VIEW2, N, 6);
    for (size_t i = 0; i < N; i++)
        world.start[SOURCE][i] = (int)(i % 2);
    in.o.classes = 2;
    ASSERT_EQ(MTC_OK, run_walk(&ctx, &in, &r));
    for (size_t i = 1; i < N; i++)      /* both classes bring the same mass */
        ASSERT_IN_RANGE((double)r.scores[i * 2], (double)r.scores[i * 2 + 1],
                        (double)TOL(1e-9));
    mtc_free(&ctx, &r.block);
    PASS();
}

TEST cotransfer_survives_and_refuses(void)
{
    mtc_context ctx = test_context();
    walk_input in = make_input(2);
    cmp_cotransfer_result r;
    make_spaces(10, 9, 8, 2, 1);
    known[5] = 1;
    for (in.sparse = 0; in.sparse < 2; in.sparse++) {
        const char *wrong = sweep_memory(run_walk, &in);
        ASSERTm(wrong, wrong == NULL);
        wrong = sweep_ticks(run_walk, &in);
        ASSERTm(wrong, wrong == NULL);
    }
    in.sparse = 0;
#define REFUSED(change) \
    do { \
        walk_input good = in; \
        change; \
        ASSERT_EQ(MTC_INVALID, run_walk(&ctx, &in, &r)); \
        in = good; \
    } while (0)
    REFUSED(in.o.classes = 0);
    REFUSED(in.o.classes = 1);                      /* a label of 1 */
    REFUSED(in.o.alpha = 0);
    REFUSED(in.o.alpha = (mtc_real)1.5);
    REFUSED(in.o.alpha = (mtc_real)NAN);
    REFUSED(in.o.stay = -1);
    REFUSED(in.o.stay = (mtc_real)NAN);
    REFUSED(in.o.neighbors = 0);
    REFUSED(in.bridge = 1);                         /* of another width */
    known[5] = 2;
    REFUSED((void)0);
    ASSERT(ctx.error.task == 1 && ctx.error.row == 5);
    known[5] = -2;
    REFUSED((void)0);
    known[5] = -1;
    world.dense[VIEW2].n = 7;
    REFUSED((void)0);
    world.dense[VIEW2].n = 8;
    world.labels[SOURCE] = NULL;
    REFUSED((void)0);
    world.labels[SOURCE] = world.start[SOURCE];
    for (size_t t = 4; t-- > 0; ) {     /* the first in order is reported */
        world.x[t][world.dense[t].d + 3] = (mtc_real)(t % 2 ? NAN : INFINITY);
        ASSERT_EQ(MTC_DOMAIN, run_walk(&ctx, &in, &r));
        ASSERT(ctx.error.task == t && ctx.error.row == 1 &&
               ctx.error.column == 3);
    }
    ASSERT_EQ(MTC_INVALID, cmp_cotransfer(&ctx, world.dense, world.labels, 1,
                                          &world.dense[VIEW1], NULL,
                                          &world.dense[TARGET], NULL, NULL,
                                          NULL));
    PASS();
}

SUITE(cmp_cotransfer_suite)
{
    for (int k = 0; k < 2; k++) {
        RUN_TESTp(cotransfer_worked_case, &cotransfer_cases[0], k);
        RUN_TESTp(cotransfer_worked_case, &cotransfer_cases[1], k);
        RUN_TESTp(cotransfer_solves_its_equations, k);
        RUN_TESTp(cotransfer_cuts_a_bridge_in_two, k);
    }
    RUN_TEST(cotransfer_contracts);
    RUN_TEST(cotransfer_carries_labels_and_only_these);
    RUN_TEST(cotransfer_serves_what_is_left);
    RUN_TEST(cotransfer_survives_and_refuses);
}
