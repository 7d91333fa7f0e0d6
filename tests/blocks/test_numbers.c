/* SPDX-License-Identifier: MIT
 *
 * One numbering of clusters over tasks: that it is the best pairing, that it
 * changes nothing but numbers, and that it says where it is chance.
 */
#include <math.h>
#include <string.h>

#include "greatest.h"
#include "test_util.h"

enum { N = 80, D = 6, K = 4, T = 3 };

typedef struct tasks_made {
    mtc_real x[T][N * D];
    mtc_data X[T];
    int truth[T][N];
} tasks_made;

/* T tasks around the same centers, or each around its own; every one moved by
 * a shift of its own, its classes in another order. */
static void make_tasks(tasks_made *p, uint64_t seed, int related)
{
    mtc_random rng = mtc_random_seed(seed);
    mtc_real center[K][D], shift[D];
    for (size_t t = 0; t < T; t++) {
        for (size_t e = 0; e < K * D && (t == 0 || !related); e++)
            center[e / D][e % D] = 3 * mtc_random_normal(&rng);
        for (size_t e = 0; e < D; e++)
            shift[e] = t == 0 ? 0 : mtc_random_normal(&rng) / 2;
        for (size_t i = 0; i < N; i++) {
            size_t z = (i + t) % K;
            p->truth[t][i] = (int)z;
            for (size_t e = 0; e < D; e++)
                p->x[t][i * D + e] = 20 + center[z][e] + shift[e] +
                                     mtc_random_normal(&rng);
        }
        p->X[t] = mtc_dense(N, D, p->x[t]);
    }
}

static double square_apart(const mtc_real *u, const mtc_real *v, size_t d)
{
    double sum = 0;
    for (size_t e = 0; e < d; e++)
        sum += ((double)u[e] - (double)v[e]) * ((double)u[e] - (double)v[e]);
    return sum;
}

/* Cost of pairing z of U with order[z] of V, over all orders: the least. */
static double least_cost(const mtc_real *U, const mtc_real *V, size_t d)
{
    double least = HUGE_VAL;
    for (size_t code = 0; code < 256; code++) {     /* 4 digits to base 4 */
        size_t order[K] = {code % 4, code / 4 % 4, code / 16 % 4, code / 64};
        double cost = 0;
        int seen = 0;
        for (size_t z = 0; z < K; z++) {
            seen |= 1 << order[z];
            cost += square_apart(U + z * d, V + order[z] * d, d);
        }
        least = seen == 15 && cost < least ? cost : least;
    }
    return least;
}

/* Do classes have the same number in all tasks, but for one sample in ten? */
static int same_numbers(const tasks_made *p, int *const *labels)
{
    size_t count[K][K] = {{0}}, number[K] = {0}, right = 0;
    for (size_t i = 0; i < N; i++)
        count[p->truth[0][i]][labels[0][i]]++;
    for (size_t c = 0; c < K; c++)
        for (size_t z = 1; z < K; z++)
            number[c] = count[c][z] > count[c][number[c]] ? z : number[c];
    for (size_t t = 0; t < T; t++)
        for (size_t i = 0; i < N; i++)
            right += number[p->truth[t][i]] == (size_t)labels[t][i];
    return 10 * right >= 9 * N * T;
}

/* The loss (9) of [ZZ10] from what a result says, numbers and all. */
static double mbc_loss_of(const tasks_made *p, const mtc_mbc_result *r,
                          double lambda)
{
    double loss = 0;
    for (size_t t = 0; t < T; t++) {
        for (size_t i = 0; i < N; i++)
            loss += square_apart(p->x[t] + i * D, r->centers[t] +
                                 (size_t)r->labels[t][i] * D, D) / N;
        for (size_t s = 0; s < T; s++)
            for (size_t e = 0; s != t && e < K * K; e++)
                loss += lambda / (T - 1) * (double)r->plans[t * T + s][e] *
                        square_apart(r->centers[t] + e / K * D,
                                     r->centers[s] + e % K * D, D);
    }
    return loss;
}

TEST mbc_numbers_its_clusters_by_its_plans(void)
{
    static tasks_made p;
    mtc_context ctx = test_context();
    mtc_mbc_options o = mtc_mbc_defaults();
    mtc_mbc_result r;
    size_t alike = 0;
    o.clusters = K;
    o.restarts = 5;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        make_tasks(&p, seed, 1);
        ctx.seed = seed;
        ASSERT_EQ(MTC_OK, mtc_mbc(&ctx, p.X, T, &o, &r));
        for (size_t t = 1; t < T; t++) {
            double cost = 0;
            for (size_t z = 0; z < K; z++) {
                cost += square_apart(r.centers[0] + z * D,
                                     r.centers[t] + z * D, D);
                for (size_t l = 0; l < K; l++)
                    ASSERT_IN_RANGE(z == l ? 1.0 / K : 0,
                                    (double)r.plans[t][z * K + l], 1e-6);
            }
            ASSERT(cost <= least_cost(r.centers[0], r.centers[t], D) *
                           (1 + 64 * (double)TEST_EPS));
        }
        ASSERT_IN_RANGE(1, mbc_loss_of(&p, &r, (double)o.lambda) /
                           (double)r.loss, TOL(1e-10));
        alike += same_numbers(&p, r.labels) && r.matched[0] &&
                 r.matched[1] && r.matched[2];
        mtc_free(&ctx, &r.block);
    }
    ASSERT(alike >= 18);
    PASS();
}

/* A start's numbers are the caller's: another naming of the start is another
 * naming of the result. */
TEST a_start_keeps_its_numbers(void)
{
    static tasks_made p;
    static int start[2][T][N];
    const int *given[2][T];
    mtc_context ctx = test_context();
    mtc_mbc_options o = mtc_mbc_defaults();
    mtc_mtcfir_options f = mtc_mtcfir_defaults();
    mtc_mbc_result m[2];
    mtc_mtcfir_result g[2];
    o.clusters = f.clusters = K;
    f.layers = 1;
    make_tasks(&p, 3, 1);
    for (size_t t = 0; t < T; t++)
        for (size_t i = 0; i < N; i++) {
            start[0][t][i] = i % 7 == 0 ? (int)(i % K) : p.truth[t][i];
            start[1][t][i] = (start[0][t][i] + 1 + (int)t) % K;
            given[0][t] = start[0][t];
            given[1][t] = start[1][t];
        }
    for (int a = 0; a < 2; a++) {
        o.start_labels = f.start_labels = given[a];
        ASSERT_EQ(MTC_OK, mtc_mbc(&ctx, p.X, T, &o, &m[a]));
        ASSERT_EQ(MTC_OK, mtc_mtcfir(&ctx, p.X, T, &f, &g[a]));
        for (size_t t = 0; t < T; t++) {
            ASSERT_EQ(t == 0, m[a].matched[t]);
            ASSERT_EQ(t == 0, g[a].matched[t]);
        }
    }
    for (size_t t = 0; t < T; t++)
        for (size_t i = 0; i < N; i++) {
            int turn = 1 + (int)t;
            ASSERT_EQ((m[0].labels[t][i] + turn) % K, m[1].labels[t][i]);
            ASSERT_EQ((g[0].labels[t][i] + turn) % K, g[1].labels[t][i]);
        }
    ASSERT_IN_RANGE(1, (double)m[0].loss / (double)m[1].loss, TOL(1e-10));
    for (int a = 0; a < 2; a++) {
        mtc_free(&ctx, &m[a].block);
        mtc_free(&ctx, &g[a].block);
    }
    PASS();
}

/* Means of the unit rows of a task's clusters. */
static void unit_means(const tasks_made *p, size_t t, const int *labels,
                       mtc_real *mean)
{
    double count[K] = {0};
    memset(mean, 0, K * D * sizeof *mean);
    for (size_t i = 0; i < N; i++)
        count[labels[i]]++;
    for (size_t i = 0; i < N; i++) {
        static const mtc_real zero[D];
        const mtc_real *x = p->x[t] + i * D;
        double length = sqrt(square_apart(x, zero, D));
        for (size_t e = 0; e < D; e++)
            mean[labels[i] * D + (int)e] +=
                (mtc_real)((double)x[e] / length / count[labels[i]]);
    }
}

/* Cosines of all pairs of samples, on average, are highest for clusters of the
 * same number; Y is in these numbers, too. */
TEST mtcfir_numbers_its_clusters_by_cosines(void)
{
    static tasks_made p;
    mtc_real mean[T][K * D];
    mtc_context ctx = test_context();
    mtc_mtcfir_options o = mtc_mtcfir_defaults();
    mtc_mtcfir_result r;
    size_t alike = 0;
    o.clusters = K;
    o.layers = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        make_tasks(&p, seed, 1);
        for (size_t t = 0; t < T; t++)
            for (size_t e = 0; e < N * D; e++)
                p.x[t][e] -= 20;                /* about 0: cosines differ */
        ctx.seed = seed;
        ASSERT_EQ(MTC_OK, mtc_mtcfir(&ctx, p.X, T, &o, &r));
        for (size_t t = 0; t < T; t++) {
            double cost = 0;
            unit_means(&p, t, r.labels[t], mean[t]);
            for (size_t z = 0; z < K; z++)
                cost += square_apart(mean[0] + z * D, mean[t] + z * D, D);
            ASSERT(cost <= least_cost(mean[0], mean[t], D) + 1e-5);
            for (size_t i = 0; i < N; i++)
                for (size_t z = 0; z < K; z++)
                    ASSERT(r.Y[t][i * K + z] <=
                           r.Y[t][i * K + (size_t)r.labels[t][i]]);
        }
        alike += r.matched[1] && r.matched[2];
        mtc_free(&ctx, &r.block);
    }
    ASSERT(alike >= 18);
    PASS();
}

/* Tasks 0 and 2 have as many clusters, task 1 has not; one task is enough. */
TEST tasks_with_other_numbers_of_clusters_keep_their_own(void)
{
    static tasks_made p;
    const size_t k[T] = {K, 3, K};
    mtc_context ctx = test_context();
    mtc_mbc_options o = mtc_mbc_defaults();
    mtc_mtcfir_options f = mtc_mtcfir_defaults();
    mtc_mbc_result m;
    mtc_mtcfir_result g;
    make_tasks(&p, 5, 1);
    o.clusters_of = f.clusters_of = k;
    o.restarts = 5;
    f.layers = 0;
    for (size_t tasks = 1; tasks <= T; tasks += 2) {
        ASSERT_EQ(MTC_OK, mtc_mbc(&ctx, p.X, tasks, &o, &m));
        ASSERT_EQ(MTC_OK, mtc_mtcfir(&ctx, p.X, tasks, &f, &g));
        ASSERT(m.matched[0] && g.matched[0]);
        ASSERT(tasks == 1 || !(m.matched[1] || g.matched[1]));
        for (size_t z = 0; tasks == T && z < K; z++)
            ASSERT_IN_RANGE(1.0 / K, (double)m.plans[2][z * K + z], 1e-6);
        ASSERT(tasks == 1 || m.matched[2]);
        mtc_free(&ctx, &m.block);
        mtc_free(&ctx, &g.block);
    }
    PASS();
}

/* How often task 1 or 2 is said to be matched with task 0, of 40, by the first
 * d features. */
static size_t times_matched(int method, int related, size_t d)
{
    static tasks_made p;
    size_t held = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        mtc_context ctx = test_context();
        mtc_mbc_options o = mtc_mbc_defaults();
        mtc_lssmtc_options l = mtc_lssmtc_defaults();
        mtc_mtcfir_options f = mtc_mtcfir_defaults();
        mtc_mbc_result m;
        mtc_lssmtc_result s;
        mtc_mtcfir_result g;
        make_tasks(&p, 100 + seed, related);
        for (size_t t = 0; t < T; t++)
            p.X[t].d = d;
        ctx.seed = seed;
        o.clusters = l.clusters = f.clusters = K;
        o.restarts = 5;
        f.layers = 0;
        if (method == 0 && mtc_mbc(&ctx, p.X, T, &o, &m) == MTC_OK) {
            held += (size_t)(m.matched[1] + m.matched[2]);
            mtc_free(&ctx, &m.block);
        } else if (method == 1 &&
                   mtc_lssmtc(&ctx, p.X, T, &l, &s) == MTC_OK) {
            held += (size_t)(s.matched[1] + s.matched[2]);
            mtc_free(&ctx, &s.block);
        } else if (mtc_mtcfir(&ctx, p.X, T, &f, &g) == MTC_OK) {
            held += (size_t)(g.matched[1] + g.matched[2]);
            mtc_free(&ctx, &g.block);
        }
    }
    return held;
}

TEST a_matching_by_chance_is_told(void)
{
    for (int method = 0; method < 3; method++) {
        ASSERT(times_matched(method, 0, D) <= 4);       /* one in ten */
        ASSERT(times_matched(method, 1, D) >= 36);
    }
    ASSERT(times_matched(1, 0, 2) <= 4);    /* M_k are drawn together, means */
    ASSERT(times_matched(1, 0, 3) <= 4);    /* are not */
    PASS();
}

/* Texts of 5 topics over 40 words, 8 for each topic: how often, of 20, MTCFIR
 * says that the clusters of a second task are those of the first. */
static size_t times_matched_texts(int related)
{
    enum { TEXTS = 100, WORDS = 40, TOPICS = 5, LENGTH = 25 };
    static mtc_real x[2][TEXTS * WORDS];
    size_t held = 0, topic[TOPICS][8];
    for (uint64_t seed = 1; seed <= 20; seed++) {
        mtc_context ctx = test_context();
        mtc_random rng = mtc_random_seed(seed);
        mtc_mtcfir_options o = mtc_mtcfir_defaults();
        mtc_mtcfir_result r;
        mtc_data X[2];
        memset(x, 0, sizeof x);
        for (size_t t = 0; t < 2; t++) {
            for (size_t e = 0; e < TOPICS * 8 && (t == 0 || !related); e++)
                topic[e / 8][e % 8] = mtc_random_below(&rng, WORDS);
            for (size_t e = 0; e < TEXTS * LENGTH; e++) {
                size_t i = e / LENGTH, word = mtc_random_below(&rng, WORDS);
                if (e % 5 > 0)
                    word = topic[i % TOPICS][mtc_random_below(&rng, 8)];
                x[t][i * WORDS + word] += 1;
            }
            X[t] = mtc_dense(TEXTS, WORDS, x[t]);
        }
        o.clusters = TOPICS;
        if (mtc_mtcfir(&ctx, X, 2, &o, &r) == MTC_OK) {
            held += (size_t)r.matched[1];
            mtc_free(&ctx, &r.block);
        }
    }
    return held;
}

/* The hidden features of MTCFIR repeat the words, and are no more evidence. */
TEST layers_do_not_make_chance_a_match(void)
{
    size_t chance = times_matched_texts(0), same = times_matched_texts(1);
    ASSERT_EQ_FMT((size_t)0, chance > 2 ? chance : 0, "%zu"); /* one in ten */
    ASSERT_EQ_FMT((size_t)20, same >= 18 ? 20 : same, "%zu");
    PASS();
}

/* Task 1 has the first two of the three directions of task 0: there is no
 * saying what its third number means. */
TEST an_empty_cluster_has_no_match(void)
{
    enum { ROWS = 12, BLOCK = 20, WIDTH = 3 * BLOCK };
    static mtc_real x[2][ROWS * WIDTH];
    mtc_context ctx = test_context();
    mtc_data X[2] = {mtc_dense(ROWS, WIDTH, x[0]),
                     mtc_dense(ROWS, WIDTH, x[1])};
    mtc_lssmtc_options o = mtc_lssmtc_defaults();
    mtc_mtcfir_options f = mtc_mtcfir_defaults();
    mtc_mbc_options b = mtc_mbc_defaults();
    mtc_lssmtc_result r;
    mtc_mtcfir_result g;
    mtc_mbc_result m;
    int labels[2][ROWS];
    const int *const given[2] = {labels[0], labels[1]};
    for (size_t i = 0; i < ROWS; i++)
        for (size_t t = 0; t < 2; t++) {
            size_t z = i % (3 - t);
            labels[t][i] = (int)z;
            for (size_t e = 0; e < BLOCK; e++)
                x[t][i * WIDTH + z * BLOCK + e] = 1;
        }
    o.clusters = f.clusters = b.clusters = 3;
    o.start_labels = given;
    o.iterations = 0;
    f.layers = 0;
    ASSERT_EQ(MTC_OK, mtc_lssmtc(&ctx, X, 2, &o, &r));
    ASSERT_EQ(MTC_OK, mtc_mtcfir(&ctx, X, 2, &f, &g));
    ASSERT_EQ(MTC_OK, mtc_mbc(&ctx, X, 2, &b, &m));
    ASSERT(r.k_effective[0] == 3 && r.k_effective[1] == 2);
    ASSERT(g.k_effective[0] == 3 && g.k_effective[1] == 2);
    ASSERT(m.k_effective[0] == 3 && m.k_effective[1] == 2);
    ASSERT(r.matched[0] && !r.matched[1]);
    ASSERT(g.matched[0] && !g.matched[1]);
    ASSERT(m.matched[0] && !m.matched[1]);
    mtc_free(&ctx, &r.block);
    mtc_free(&ctx, &g.block);
    mtc_free(&ctx, &m.block);
    PASS();
}

SUITE(numbers_suite)
{
    RUN_TEST(mbc_numbers_its_clusters_by_its_plans);
    RUN_TEST(a_start_keeps_its_numbers);
    RUN_TEST(mtcfir_numbers_its_clusters_by_cosines);
    RUN_TEST(tasks_with_other_numbers_of_clusters_keep_their_own);
    RUN_TEST(a_matching_by_chance_is_told);
    RUN_TEST(layers_do_not_make_chance_a_match);
    RUN_TEST(an_empty_cluster_has_no_match);
}
