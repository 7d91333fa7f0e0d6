/* SPDX-License-Identifier: MIT
 *
 * Naive Bayes and co-clustering based classification against worked cases and
 * against their formulas; CoCC's loss falls, knows no names of clusters, and
 * realign gives them.  The shared measures of distance.
 */
#include <math.h>

#define CMP_INTERNAL
#include "../../examples/compared/compared.h"
#include "cmp_sweep.h"
#include "golden/cmp_cocc.h"
#include "golden/cmp_nb.h"
#include "greatest.h"
#include "test_util.h"

static const double worked_tolerance = sizeof(mtc_real) == 8 ? 1e-8 : 1e-3;

/* Task 0 is the source, with its labels; 1 the target. */
static test_tasks world;

/* Counts of d words: documents of class z use words with w % c == z more than
 * the others; a third of the words is missing. */
static void make_counts(size_t n, size_t d, size_t c, uint64_t seed)
{
    mtc_random g = mtc_random_seed(seed);
    for (size_t t = 0; t < 2; t++) {
        for (size_t i = 0; i < n; i++) {
            world.start[t][i] = (int)(i % c);
            for (size_t w = 0; w < d; w++)
                world.x[t][i * d + w] = (mtc_real)(
                    mtc_random_below(&g, 3) == 0 ? 0
                    : w % c == i % c             ? 1 + mtc_random_below(&g, 6)
                                                 : mtc_random_below(&g, 3));
        }
        test_views(&world, t, n, d);
    }
}

static mtc_status run_nb(mtc_context *ctx, void *user, void *out)
{
    const mtc_data *set = *(int *)user ? world.csr : world.dense;
    const cmp_nb_options o = {.classes = 3};
    return cmp_nb(ctx, set, world.labels, 1, set + 1, &o,
                  (cmp_nb_result *)out);
}

/* ---- naive Bayes ------------------------------------------------------- */

TEST nb_worked_case(int sparse)
{
    const nb_case *g = &nb_cases[0];
    mtc_context ctx = test_context();
    const mtc_data *set = sparse ? world.csr : world.dense;
    cmp_nb_options o = cmp_nb_defaults();
    cmp_nb_result r;
    test_set(&world, 0, g->n, g->d, g->source);
    test_set(&world, 1, g->m, g->d, g->target);
    o.classes = g->c;
    ASSERT_EQ(MTC_OK, cmp_nb(&ctx, set, &g->labels, 1, set + 1, &o, &r));
    ASSERT(r.n == g->m && r.classes == g->c && r.d == g->d);
    ASSERT_CLOSE(g->scores, r.scores, g->m * g->c);
    ASSERT_MEM_EQ(g->found, r.labels, g->m * sizeof(int));
    mtc_free(&ctx, &r.block);
    PASS();
}

/* Two sources count as one; shares of a class sum to 1; a class nobody has is
 * left with Laplace's share; a document of zeros has the prior for scores. */
TEST nb_is_its_formula(void)
{
    enum { N = 20, D = 9, C = 3 };
    mtc_context ctx = test_context();
    cmp_nb_options o = {.classes = C};
    cmp_nb_result a, b;
    make_counts(N, D, 2, 5);                        /* no class 2 */
    memset(world.x[1] + 3 * D, 0, D * sizeof(mtc_real));
    mtc_data half[2] = {world.dense[0], mtc_dense(N - 8, D,
                                                  world.x[0] + 8 * D)};
    const int *labels[2] = {world.start[0], world.start[0] + 8};
    half[0].n = 8;
    ASSERT_EQ(MTC_OK, cmp_nb(&ctx, world.dense, world.labels, 1,
                             &world.dense[1], &o, &a));
    ASSERT_EQ(MTC_OK, cmp_nb(&ctx, half, labels, 2, &world.dense[1], &o, &b));
    ASSERT_MEM_EQ(a.scores, b.scores, N * C * sizeof(mtc_real));
    const double prior[C] = {log(11.0 / 23), log(11.0 / 23), log(1.0 / 23)};
    for (size_t z = 0; z < C; z++) {
        double all = D, sum = 0, weight[D] = {0};
        for (size_t i = 0; i < N; i++)
            for (size_t w = 0; w < D && i % 2 == z; w++) {
                weight[w] += (double)world.x[0][i * D + w];
                all += (double)world.x[0][i * D + w];
            }
        for (size_t w = 0; w < D; w++)
            sum += exp((double)a.words[w * C + z]);
        ASSERT_IN_RANGE(1.0, sum, (double)TOL(1e-12));
        ASSERT_IN_RANGE(prior[z], (double)a.scores[3 * C + z],
                        (double)TOL(1e-12));
        for (size_t i = 0; i < N; i++) {
            double score = prior[z];
            for (size_t w = 0; w < D; w++)
                score += (double)world.x[1][i * D + w] *
                         log((weight[w] + 1) / all);
            ASSERT_IN_RANGE(score, (double)a.scores[i * C + z],
                            (double)TOL(1e-11));
        }
    }
    mtc_free(&ctx, &a.block);
    mtc_free(&ctx, &b.block);
    PASS();
}

TEST nb_survives_and_refuses(void)
{
    mtc_context ctx = test_context();
    cmp_nb_result r;
    make_counts(12, 6, 3, 1);
    for (int sparse = 0; sparse < 2; sparse++) {
        const char *wrong = sweep_memory(run_nb, &sparse);
        ASSERTm(wrong, wrong == NULL);
        wrong = sweep_ticks(run_nb, &sparse);
        ASSERTm(wrong, wrong == NULL);
    }
    int dense = 0;
    world.x[1][2 * 6 + 4] = -1;
    ASSERT_EQ(MTC_DOMAIN, run_nb(&ctx, &dense, &r));
    ASSERT(ctx.error.task == 1 && ctx.error.row == 2 && ctx.error.column == 4);
    world.x[0][6 + 3] = (mtc_real)NAN;
    ASSERT_EQ(MTC_DOMAIN, run_nb(&ctx, &dense, &r));
    ASSERT(ctx.error.task == 0 && ctx.error.row == 1 && ctx.error.column == 3);
    make_counts(12, 6, 4, 1);                       /* a label of 3 */
    ASSERT_EQ(MTC_INVALID, run_nb(&ctx, &dense, &r));
    ASSERT_EQ(MTC_INVALID, cmp_nb(&ctx, world.dense, world.labels, 1,
                                  &world.dense[1], NULL, NULL));
    const cmp_nb_options none = {.classes = 0};
    ASSERT_EQ(MTC_INVALID, cmp_nb(&ctx, world.dense, world.labels, 1,
                                  &world.dense[1], &none, &r));
    PASS();
}

/* ---- CoCC -------------------------------------------------------------- */

typedef struct cocc_input { cmp_cocc_options o; int sparse; } cocc_input;

static mtc_status run_cocc(mtc_context *ctx, void *user, void *out)
{
    const cocc_input *in = (const cocc_input *)user;
    const mtc_data *set = in->sparse ? world.csr : world.dense;
    return cmp_cocc(ctx, set, world.labels, 1, set + 1, &in->o,
                    (cmp_cocc_result *)out);
}

/* I of a joint table of weights, as sum p log(p / (p_i p_j)). */
static double mutual(size_t rows, size_t columns, const double *p)
{
    double all = 0, I = 0;
    for (size_t e = 0; e < rows * columns; e++)
        all += p[e];
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++) {
            double a = 0, b = 0, q = p[i * columns + j];
            for (size_t k = 0; k < columns; k++)
                a += p[i * columns + k];
            for (size_t k = 0; k < rows; k++)
                b += p[k * columns + j];
            I += q > 0 ? q / all * log(q * all / (a * b)) : 0;
        }
    return I;
}

/* L of labels and words in the world, by its definition. */
static double loss_of(const int *labels, const int *words, size_t c, size_t k,
                      double lambda)
{
    static double p[TEST_N * TEST_D], F[TEST_D * TEST_D], G[TEST_D * TEST_D];
    static double g[TEST_D * TEST_D];
    size_t d = world.dense[0].d;
    memset(F, 0, sizeof F);
    memset(G, 0, sizeof G);
    memset(g, 0, sizeof g);
    for (size_t i = 0; i < world.dense[0].n; i++)
        for (size_t w = 0; w < d; w++) {
            double x = (double)world.x[0][i * d + w];
            g[(size_t)world.start[0][i] * d + w] += x;
            G[(size_t)world.start[0][i] * k + (size_t)words[w]] += x;
        }
    for (size_t i = 0; i < world.dense[1].n; i++)
        for (size_t w = 0; w < d; w++) {
            p[i * d + w] = (double)world.x[1][i * d + w];
            F[(size_t)labels[i] * k + (size_t)words[w]] += p[i * d + w];
        }
    return mutual(world.dense[1].n, d, p) - mutual(c, k, F) +
           lambda * (mutual(c, d, g) - mutual(c, k, G));
}

TEST cocc_worked_case(const cocc_case *g, int sparse)
{
    mtc_context ctx = test_context();
    cocc_input in = {cmp_cocc_defaults(), sparse};
    cmp_cocc_result r;
    test_set(&world, 0, g->n, g->d, g->source);
    test_set(&world, 1, g->m, g->d, g->target);
    memcpy(world.start[0], g->labels, g->n * sizeof(int));
    in.o.classes = g->c;
    in.o.words = g->k;
    in.o.lambda = (mtc_real)g->lambda;
    in.o.start = CMP_WORDS_CLASS;
    in.o.start_labels = g->given_labels;
    in.o.start_words = g->given_words;
    for (in.o.iterations = 0; in.o.iterations < 2; in.o.iterations++) {
        const int *labels = in.o.iterations ? g->labels1 : g->start_labels;
        const int *words = in.o.iterations ? g->words1 : g->start_words;
        ASSERT_EQ(MTC_OK, run_cocc(&ctx, &in, &r));
        ASSERT_EQ(in.o.iterations, r.iterations);
        ASSERT_CLOSE(g->loss, r.objective, in.o.iterations + 1);
        if (labels != NULL)
            ASSERT_MEM_EQ(labels, r.labels, g->m * sizeof(int));
        if (words != NULL)
            ASSERT_MEM_EQ(words, r.word_clusters, g->d * sizeof(int));
        mtc_free(&ctx, &r.block);
    }
    in.o.iterations = g->iterations;
    for (in.o.realign = 0; in.o.realign < 2; in.o.realign++) {
        ASSERT_EQ(MTC_OK, run_cocc(&ctx, &in, &r));
        ASSERT_EQ(g->taken, r.iterations + 1);
        ASSERT(r.converged);
        ASSERT_CLOSE(g->loss, r.objective, g->taken);
        ASSERT_MEM_EQ(in.o.realign ? g->realigned : g->found, r.labels,
                      g->m * sizeof(int));
        ASSERT_MEM_EQ(g->words, r.word_clusters, g->d * sizeof(int));
        for (size_t z = 0; z < g->c; z++)
            ASSERT_EQ(in.o.realign ? g->map[z] : (int)z, r.class_of[z]);
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

/* 40 problems, from the three starts of words and random labels. */
TEST cocc_loss_is_its_definition_and_never_rises(void)
{
    mtc_context ctx = test_context();
    cmp_cocc_result r;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        size_t c = 1 + seed % 4, k = 1 + seed % 7, n = 10 + seed % 9;
        cocc_input in = {cmp_cocc_defaults(), (int)(seed % 2)};
        int start[TEST_N];
        mtc_random random = mtc_random_seed(seed);
        make_counts(n, 14, c, seed);
        for (size_t i = 0; i < n; i++)
            start[i] = (int)mtc_random_below(&random, c);
        in.o.classes = c;
        in.o.words = k;
        in.o.start = (cmp_word_start)(seed % 3);
        in.o.start_labels = seed % 5 ? start : NULL;
        in.o.lambda = (mtc_real)(seed % 4) / 2;
        ctx.seed = seed;
        ASSERT_EQ(MTC_OK, run_cocc(&ctx, &in, &r));
        ASSERT_EQ(k, r.words);
        for (size_t t = 1; t <= r.iterations; t++)
            ASSERT(r.objective[t] <= r.objective[t - 1] + TOL(1e-13));
        ASSERT(r.objective[r.iterations] >= -TOL(1e-13));
        ASSERT_IN_RANGE(loss_of(r.labels, r.word_clusters, c, k,
                                (double)in.o.lambda),
                        (double)r.objective[r.iterations],
                        (double)TOL(1e-12));
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

/* With as many word clusters as words the words lose nothing: L is what the
 * documents lose.  With one of either all of I is lost. */
TEST cocc_serves_the_least_and_the_most_clusters(void)
{
    mtc_context ctx = test_context();
    cocc_input in = {cmp_cocc_defaults(), 0};
    cmp_cocc_result r;
    int own[8];
    make_counts(12, 8, 2, 3);
    for (size_t w = 0; w < 8; w++)
        own[w] = (int)w;
    in.o.words = 1;
    ASSERT_EQ(MTC_OK, run_cocc(&ctx, &in, &r));
    ASSERT(r.converged && r.iterations == 1);       /* nothing can move */
    mtc_free(&ctx, &r.block);
    in.o.words = 100;                               /* 8 are there */
    in.o.start_words = own;
    in.o.lambda = 0;
    ASSERT_EQ(MTC_OK, run_cocc(&ctx, &in, &r));
    ASSERT_EQ((size_t)8, r.words);
    ASSERT_IN_RANGE(loss_of(r.labels, own, 2, 8, 0),
                    (double)r.objective[r.iterations], (double)TOL(1e-12));
    mtc_free(&ctx, &r.block);
    in.o.start_words = NULL;
    in.o.classes = 1;
    memset(world.start[0], 0, sizeof world.start[0]);
    in.o.realign = 1;
    ASSERT_EQ(MTC_OK, run_cocc(&ctx, &in, &r));
    for (size_t i = 0; i < 12; i++)
        ASSERT_EQ(0, r.labels[i]);
    ASSERT_EQ(0, r.class_of[0]);
    mtc_free(&ctx, &r.block);
    PASS();
}

/* L has no names: a start renamed is the answer renamed, and realign undoes
 * it. */
TEST cocc_renames_with_its_start_and_realign_undoes_it(void)
{
    enum { N = 30, D = 18, C = 3 };
    mtc_context ctx = test_context();
    cocc_input in = {cmp_cocc_defaults(), 0};
    cmp_cocc_result a, b, plain, again;
    const int name[C] = {2, 0, 1};
    int start[N], renamed[N];
    size_t right = 0;
    make_counts(N, D, C, 8);
    in.o.classes = C;
    in.o.words = 6;
    in.o.start = CMP_WORDS_CLASS;
    for (size_t i = 0; i < N; i++) {
        start[i] = (int)(i * 7 % 5 ? i % C : (i + 1) % C);
        renamed[i] = name[start[i]];
    }
    in.o.start_labels = start;
    ASSERT_EQ(MTC_OK, run_cocc(&ctx, &in, &a));
    in.o.realign = 1;
    ASSERT_EQ(MTC_OK, run_cocc(&ctx, &in, &plain));
    in.o.start_labels = renamed;
    ASSERT_EQ(MTC_OK, run_cocc(&ctx, &in, &again));
    in.o.realign = 0;
    ASSERT_EQ(MTC_OK, run_cocc(&ctx, &in, &b));
    for (size_t i = 0; i < N; i++) {
        ASSERT_EQ(name[a.labels[i]], b.labels[i]);
        ASSERT_EQ(plain.labels[i], again.labels[i]);
        right += again.labels[i] == (int)(i % C);
    }
    ASSERT(right > 24);                             /* those of its start */
    for (size_t z = 0; z < C; z++)
        ASSERT_EQ(plain.class_of[z], again.class_of[name[z]]);
    mtc_free(&ctx, &a.block);
    mtc_free(&ctx, &b.block);
    mtc_free(&ctx, &plain.block);
    mtc_free(&ctx, &again.block);
    PASS();
}

/* Every start of the words finds the classes; random labels too, if they are
 * realigned, in most runs. */
TEST cocc_finds_classes_from_every_start(void)
{
    enum { N = 40, D = 24 };
    mtc_context ctx = test_context();
    cmp_cocc_result r;
    size_t found = 0;
    for (int run = 0; run < 13; run++) {
        cocc_input in = {cmp_cocc_defaults(), run % 2};
        mtc_random random = mtc_random_seed((uint64_t)run);
        int start[N];
        size_t right = 0;
        make_counts(N, D, 2, 11);
        in.o.words = 6;
        for (size_t i = 0; i < N; i++)
            start[i] = (int)mtc_random_below(&random, 2);
        in.o.start = (cmp_word_start)(run < 3 ? run : 0);
        in.o.start_labels = run < 3 ? NULL : start;
        in.o.realign = run >= 3;
        ASSERT_EQ(MTC_OK, run_cocc(&ctx, &in, &r));
        for (size_t i = 0; i < N; i++)
            right += r.labels[i] == (int)(i % 2);
        ASSERT(run >= 3 || right >= 38);
        found += run >= 3 && right >= 38;
        mtc_free(&ctx, &r.block);
    }
    ASSERT(found >= 7);
    PASS();
}

/* An empty cluster stays empty; a document of zeros, a word that nobody uses
 * and, without lambda, one that only the source uses keep their start; so does
 * everything where there is no weight at all. */
TEST cocc_keeps_what_has_no_weight(void)
{
    enum { N = 16, D = 10 };
    mtc_context ctx = test_context();
    cocc_input in = {cmp_cocc_defaults(), 1};
    cmp_cocc_result r;
    int start[N], words[D];
    make_counts(N, D, 2, 4);
    for (size_t i = 0; i < N; i++)
        start[i] = (int)(i / 2 % 2);
    for (size_t w = 0; w < D; w++) {
        words[w] = (int)(w % 3);
        world.x[1][5 * D + w] = 0;
    }
    for (size_t i = 0; i < N; i++) {
        world.x[0][i * D + 7] = world.x[1][i * D + 7] = 0;
        world.x[1][i * D + 8] = 0;
    }
    test_views(&world, 0, N, D);
    test_views(&world, 1, N, D);
    in.o.classes = 3;
    in.o.words = 4;
    in.o.lambda = 0;
    in.o.start_labels = start;
    in.o.start_words = words;
    ASSERT_EQ(MTC_OK, run_cocc(&ctx, &in, &r));
    ASSERT(r.iterations > 1);
    ASSERT_EQ(start[5], r.labels[5]);
    ASSERT_EQ(words[7], r.word_clusters[7]);
    ASSERT_EQ(words[8], r.word_clusters[8]);
    for (size_t i = 0; i < N; i++)
        ASSERT(r.labels[i] != 2);
    for (size_t w = 0; w < D; w++)
        ASSERT(r.word_clusters[w] != 3);
    mtc_free(&ctx, &r.block);
    for (size_t t = 0; t < 2; t++) {
        memset(world.x[t], 0, sizeof world.x[t]);
        test_views(&world, t, N, D);
    }
    in.o.lambda = 1;
    in.o.realign = 1;
    for (int s = 0; s < 4; s++) {
        in.o.start = (cmp_word_start)(s % 3);
        in.o.start_words = s < 3 ? NULL : words;
        in.o.realign = s < 3;
        ASSERT_EQ(MTC_OK, run_cocc(&ctx, &in, &r));
        ASSERT(r.objective[r.iterations] == 0);
        if (s == 3) {
            ASSERT_MEM_EQ(start, r.labels, sizeof start);
            ASSERT_MEM_EQ(words, r.word_clusters, sizeof words);
        }
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

TEST cocc_survives_and_refuses(void)
{
    mtc_context ctx = test_context();
    cocc_input in = {cmp_cocc_defaults(), 0};
    cmp_cocc_result r;
    const int bad[12] = {0, 1, 2, 3};
    make_counts(12, 6, 3, 1);
    in.o.classes = in.o.words = 3;
    in.o.realign = 1;
    for (in.sparse = 0; in.sparse < 2; in.sparse++)
        for (int start = 0; start < 3; start++) {
            in.o.start = (cmp_word_start)start;
            const char *wrong = sweep_memory(run_cocc, &in);
            ASSERTm(wrong, wrong == NULL);
            wrong = sweep_ticks(run_cocc, &in);
            ASSERTm(wrong, wrong == NULL);
        }
    in.sparse = 0;
#define REFUSED(change) \
    do { \
        cocc_input good = in; \
        change; \
        ASSERT_EQ(MTC_INVALID, run_cocc(&ctx, &in, &r)); \
        in = good; \
    } while (0)
    REFUSED(in.o.classes = 0);
    REFUSED(in.o.classes = 2);                      /* a label of 2 */
    REFUSED(in.o.words = 0);
    REFUSED(in.o.lambda = -1);
    REFUSED(in.o.lambda = (mtc_real)NAN);
    REFUSED(in.o.lambda = (mtc_real)INFINITY);
    REFUSED(in.o.lambda = TEST_MAX);                /* L would overflow */
    REFUSED(in.o.start = (cmp_word_start)9);
    REFUSED(in.o.start_labels = bad);
    ASSERT(ctx.error.task == 1 && ctx.error.row == 3);
    REFUSED(in.o.start_words = bad);
    in.o.iterations = SIZE_MAX;
    ASSERT_EQ(MTC_TOO_BIG, run_cocc(&ctx, &in, &r));
    world.x[1][2 * 6 + 4] = -1;
    ASSERT_EQ(MTC_DOMAIN, run_cocc(&ctx, &in, &r));
    ASSERT(ctx.error.task == 1 && ctx.error.row == 2 && ctx.error.column == 4);
    ASSERT_EQ(MTC_INVALID, cmp_cocc(&ctx, world.dense, world.labels, 1,
                                    &world.dense[1], NULL, NULL));
    PASS();
}

/* ---- distances --------------------------------------------------------- */

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median against a plain sort, dense and sparse in one call. */
TEST median_distance_is_the_middle_of_all(void)
{
    enum { D = 5 };
    static double square[60 * 59 / 2];
    mtc_context ctx = test_context();
    for (size_t n = 1; n < 40; n += 6) {
        size_t N = n + n / 2, M = 0;
        mtc_real all[60 * D];
        test_fill(all, N * D, n, -1, 1);
        for (size_t e = 0; e < N * D; e++)
            all[e] = all[e] < 0 ? 0 : all[e];
        memcpy(world.x[0], all, n * D * sizeof *all);
        memcpy(world.x[1], all + n * D, n / 2 * D * sizeof *all);
        test_views(&world, 0, n, D);
        test_views(&world, 1, n / 2, D);
        for (size_t i = 0; i < N; i++)
            for (size_t j = 0; j < i; j++, M++) {
                square[M] = 0;
                for (size_t e = 0; e < D; e++)
                    square[M] += pow((double)all[i * D + e] -
                                     (double)all[j * D + e], 2);
            }
        qsort(square, M, sizeof *square, ascending);
        mtc_data sets[2] = {world.dense[0], world.csr[1]};
        adv_desk desk = adv_open(&ctx, MTC_NONE);
        mtc_real median = cmp_median_distance(&desk, sets, n > 1 ? 2 : 1);
        ASSERT_EQ(MTC_OK, adv_close(&desk, desk.status));
        ASSERT_IN_RANGE(M > 0 ? sqrt(square[M / 2]) : 1, (double)median,
                        (double)TOL(1e-14));
    }
    PASS();
}

/* Of 2000 samples on a line every second is looked at: 0, 2, ... 1998. */
TEST median_distance_of_many_takes_evenly_spaced_ones(void)
{
    static mtc_real x[2000];
    static double square[1000 * 999 / 2];
    mtc_context ctx = test_context();
    size_t M = 0;
    for (size_t i = 0; i < 2000; i++)
        x[i] = (mtc_real)(i % 2 ? 1000000 : i * i % 977);
    for (size_t i = 0; i < 2000; i += 2)
        for (size_t j = 0; j < i; j += 2)
            square[M++] = pow((double)(x[i] - x[j]), 2);
    qsort(square, M, sizeof *square, ascending);
    mtc_data sets[2] = {mtc_dense(700, 1, x), mtc_dense(1300, 1, x + 700)};
    adv_desk desk = adv_open(&ctx, MTC_NONE);
    ASSERT_EQ((mtc_real)sqrt(square[M / 2]),
              cmp_median_distance(&desk, sets, 2));
    for (size_t i = 0; i < 2000; i++)
        x[i] = 3;                                   /* all alike: 1 */
    ASSERT_EQ((mtc_real)1, cmp_median_distance(&desk, sets, 2));
    ASSERT_EQ(MTC_OK, adv_close(&desk, desk.status));
    PASS();
}

TEST median_distance_gives_its_memory_back(void)
{
    size_t ticks[2] = {0, 3};
    test_heap heap;
    mtc_context ctx = test_heap_context(&heap);
    make_counts(9, 4, 2, 1);
    for (heap.fail_at = 1; heap.fail_at < 7; heap.fail_at++) {
        adv_desk desk = adv_open(&ctx, MTC_NONE);
        heap.calls = 0;
        cmp_median_distance(&desk, world.dense, 2);
        ASSERT_EQ(heap.fail_at < 6 ? MTC_NO_MEMORY : MTC_OK, desk.status);
        ASSERT(heap.live == 0 && heap.faults == 0);
        adv_close(&desk, desk.status);
    }
    adv_desk desk = adv_open(&ctx, MTC_NONE);
    heap.fail_at = 0;
    ctx.progress = sweep_stop;
    ctx.user = ticks;
    cmp_median_distance(&desk, world.dense, 2);
    ASSERT_EQ(MTC_CANCELLED, desk.status);
    ASSERT(heap.live == 0 && heap.faults == 0);
    PASS();
}

/* With one class all words weigh alike, and stay in their order. */
TEST words_of_one_class_tie(void)
{
    mtc_context ctx = test_context();
    adv_desk desk = adv_open(&ctx, MTC_NONE);
    mtc_real weights[60];
    int word[60];
    for (int w = 0; w < 60; w++)
        weights[w] = (mtc_real)(1 + w * 37 % 60);
    ASSERT_EQ(MTC_OK, cmp_words_by_class(&desk, 60, 1, weights, 6, word));
    for (int w = 0; w < 60; w++)
        ASSERT_EQ(w / 10, word[w]);
    ASSERT_EQ(MTC_OK, adv_close(&desk, desk.status));
    PASS();
}

TEST whole_numbers_stay_themselves(void)
{
    ASSERT_EQ((size_t)3, cmp_ceil((mtc_real)0.1 * 30));
    ASSERT_EQ((size_t)3, cmp_ceil((mtc_real)0.3 * 10));
    ASSERT_EQ((size_t)3, cmp_ceil((mtc_real)2.9 + (mtc_real)0.1));
    ASSERT_EQ((size_t)4, cmp_ceil((mtc_real)3.01));
    ASSERT_EQ((size_t)2, cmp_floor((1 - (mtc_real)0.9) * 20));
    ASSERT_EQ((size_t)2, cmp_floor((mtc_real)2.99));
    ASSERT_EQ((size_t)0, cmp_floor(0));
    ASSERT_EQ((size_t)0, cmp_ceil(0));
    ASSERT_EQ(SIZE_MAX, cmp_ceil((mtc_real)1e30));
    PASS();
}

SUITE(cmp_nb_suite)
{
    for (int sparse = 0; sparse < 2; sparse++) {
        RUN_TESTp(nb_worked_case, sparse);
        for (size_t k = 0; k < sizeof cocc_cases / sizeof *cocc_cases; k++)
            RUN_TESTp(cocc_worked_case, &cocc_cases[k], sparse);
    }
    RUN_TEST(nb_is_its_formula);
    RUN_TEST(nb_survives_and_refuses);
    RUN_TEST(cocc_loss_is_its_definition_and_never_rises);
    RUN_TEST(cocc_serves_the_least_and_the_most_clusters);
    RUN_TEST(cocc_renames_with_its_start_and_realign_undoes_it);
    RUN_TEST(cocc_finds_classes_from_every_start);
    RUN_TEST(cocc_keeps_what_has_no_weight);
    RUN_TEST(cocc_survives_and_refuses);
    RUN_TEST(median_distance_is_the_middle_of_all);
    RUN_TEST(median_distance_of_many_takes_evenly_spaced_ones);
    RUN_TEST(median_distance_gives_its_memory_back);
    RUN_TEST(words_of_one_class_tie);
    RUN_TEST(whole_numbers_stay_themselves);
}
