/* SPDX-License-Identifier: MIT
 *
 * The vote over partitions: against the co-association matrix in full, its
 * invariances, what it gives back, and what it refuses.
 */
#include <limits.h>
#include <math.h>

#include "greatest.h"
#include "test_util.h"

#define MAX_N 60
#define MAX_M 12

typedef struct vote_problem {
    size_t n, m;
    int z[MAX_M][MAX_N];
    const int *runs[MAX_M];
    int truth[MAX_N];
} vote_problem;

/* m runs of n samples, each a planted partition in k clusters with a share
 * of labels drawn anew. */
static void vote_random(vote_problem *p, uint64_t seed, size_t n, size_t m,
                        size_t k, double noise)
{
    mtc_real u[2 * MAX_N];
    p->n = n;
    p->m = m;
    for (size_t i = 0; i < n; i++)
        p->truth[i] = (int)(i % k);
    for (size_t r = 0; r < m; r++) {
        test_fill(u, 2 * n, seed * 31 + r, 0, 1);
        for (size_t i = 0; i < n; i++)
            p->z[r][i] = (double)u[i] < noise
                             ? (int)((double)u[n + i] * (double)k)
                             : p->truth[i];
        p->runs[r] = p->z[r];
    }
}

/* H by definition, weights to sum 1. */
static void vote_H(const vote_problem *p, const mtc_real *weights, double *H)
{
    double total = 0;
    for (size_t r = 0; r < p->m; r++)
        total += weights != NULL ? (double)weights[r] : 1;
    for (size_t i = 0; i < p->n; i++)
        for (size_t j = 0; j < p->n; j++) {
            double h = 0;
            for (size_t r = 0; r < p->m; r++)
                if (p->z[r][i] == p->z[r][j])
                    h += weights != NULL ? (double)weights[r] : 1;
            H[i * p->n + j] = h / total;
        }
}

/* The embedding by H in full: Jacobi on D^-1/2 H D^-1/2, top k, unit rows;
 * *gap tells the eigenvalue below the last one taken from that. */
static void vote_reference(const vote_problem *p, const double *H, size_t k,
                           mtc_real *U, mtc_real *values, double *gap)
{
    static mtc_real A[MAX_N * MAX_N], V[MAX_N * MAX_N], w[MAX_N];
    static double work[MAX_N * MAX_N * 4];
    size_t n = p->n;
    double g[MAX_N];
    for (size_t i = 0; i < n; i++) {
        g[i] = 0;
        for (size_t j = 0; j < n; j++)
            g[i] += H[i * n + j];
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            A[i * n + j] = (mtc_real)(H[i * n + j] / sqrt(g[i] * g[j]));
    mtc_jacobi(n, A, n, w, V, n, work);
    *gap = k < n ? (double)(w[n - k] - w[n - k - 1]) : 1;
    for (size_t z = 0; z < k; z++)
        values[z] = w[n - 1 - z];
    for (size_t i = 0; i < n; i++) {
        double square = 0;
        for (size_t z = 0; z < k; z++)
            square += (double)V[i * n + n - 1 - z] *
                      (double)V[i * n + n - 1 - z];
        for (size_t z = 0; z < k; z++)
            U[i * k + z] = (mtc_real)((double)V[i * n + n - 1 - z] /
                                      sqrt(square));
    }
}

static enum greatest_test_res same_gram(size_t n, size_t ka,
                                        const mtc_real *A, size_t kb,
                                        const mtc_real *B, double tolerance)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double a = 0, b = 0;
            for (size_t z = 0; z < ka; z++)
                a += (double)A[i * ka + z] * (double)A[j * ka + z];
            for (size_t z = 0; z < kb; z++)
                b += (double)B[i * kb + z] * (double)B[j * kb + z];
            ASSERT_IN_RANGE(a, b, tolerance);
        }
    PASS();
}

/* q above and below n: both ways of A2. */
TEST the_embedding_is_that_of_the_matrix_in_full(void)
{
    static vote_problem p;
    static double H[MAX_N * MAX_N];
    static mtc_real U[MAX_N * 8], values[8];
    mtc_context ctx = test_context();
    size_t compared = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        size_t n = seed % 3 == 0 ? 17 : 50, m = 2 + (size_t)seed % 9, k = 4;
        mtc_real weights[MAX_M];
        double gap;
        vote_random(&p, seed, n, m, k, 0.3);
        test_fill(weights, m, seed, 0.2, 2);
        mtc_vote_options o = mtc_vote_defaults();
        o.clusters = k;
        o.weights = seed % 2 ? weights : NULL;
        vote_H(&p, o.weights, H);
        vote_reference(&p, H, k, U, values, &gap);
        mtc_vote_result r;
        ASSERT_EQ(MTC_OK, mtc_vote(&ctx, n, p.runs, m, &o, &r));
        ASSERT_EQ(k, r.rank);
        for (size_t z = 0; z < k; z++)
            ASSERT_IN_RANGE((double)values[z],
                            (double)(r.singular_values[z] *
                                     r.singular_values[z]), TOL(1e-12));
        if (gap > 0.01) {
            CHECK_CALL(same_gram(n, k, U, k, r.embedding, TOL(1e-9)));
            compared++;
        }
        mtc_free(&ctx, &r.block);
    }
    ASSERT(compared > 30);
    PASS();
}

TEST stability_is_the_mean_co_association_with_the_own_cluster(void)
{
    static vote_problem p;
    static double H[MAX_N * MAX_N];
    mtc_context ctx = test_context();
    for (uint64_t seed = 1; seed <= 30; seed++) {
        mtc_real weights[MAX_M];
        vote_random(&p, seed, 40, 7, 5, 0.6);
        test_fill(weights, p.m, seed + 9, 0, 1);
        mtc_vote_options o = mtc_vote_defaults();
        o.clusters = 5;
        o.weights = weights;
        vote_H(&p, weights, H);
        mtc_vote_result r;
        ASSERT_EQ(MTC_OK, mtc_vote(&ctx, p.n, p.runs, p.m, &o, &r));
        double cluster[5] = {0}, all = 0;
        size_t size[5] = {0};
        for (size_t i = 0; i < p.n; i++) {
            double sum = 0, others = 0;
            for (size_t j = 0; j < p.n; j++)
                if (j != i && r.labels[j] == r.labels[i]) {
                    sum += H[i * p.n + j];
                    others += 1;
                }
            double own = others > 0 ? sum / others : 0;
            ASSERT_IN_RANGE(own, (double)r.stability[i], TOL(1e-12));
            cluster[r.labels[i]] += own;
            size[r.labels[i]]++;
            all += own / (double)p.n;
        }
        for (size_t z = 0; z < 5; z++)
            ASSERT_IN_RANGE(size[z] > 0 ? cluster[z] / (double)size[z] : 0,
                            (double)r.cluster_stability[z], TOL(1e-12));
        ASSERT_IN_RANGE(all, (double)r.mean_stability, TOL(1e-12));
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

/* One partition under other names is the other. */
static int same_partition(size_t n, const int *a, const int *b)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            if ((a[i] == a[j]) != (b[i] == b[j]))
                return 0;
    return 1;
}

TEST identical_runs_give_their_partition_back(void)
{
    static vote_problem p;
    mtc_context ctx = test_context();
    for (uint64_t seed = 1; seed <= 60; seed++) {
        size_t k = 1 + (size_t)seed % 8, n = 8 + (size_t)seed % 40;
        vote_random(&p, seed, n, 1 + (size_t)seed % 12, k, 0.5);
        for (size_t i = 0; i < k && i < n; i++)
            p.z[0][i] = (int)i;                     /* none is empty */
        for (size_t r = 1; r < p.m; r++)            /* other names: */
            for (size_t i = 0; i < n; i++)
                p.z[r][i] = (7 * (int)r + p.z[0][i]) % (int)n;
        mtc_vote_options o = mtc_vote_defaults();
        o.clusters = k;
        mtc_vote_result r;
        ASSERT_EQ(MTC_OK, mtc_vote(&ctx, n, p.runs, p.m, &o, &r));
        ASSERT(same_partition(n, p.z[0], r.labels));
        ASSERT_EQ(k, r.k_effective);
        ASSERT_EQ(k, r.rank);
        ASSERT(r.mean_stability <= 1);
        for (size_t z = 0; z < k; z++) {
            ASSERT_IN_RANGE(1, (double)r.singular_values[z], TOL(1e-12));
            ASSERT(r.cluster_stability[z] <= 1);
        }
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

TEST fewer_clusters_than_asked_are_told(void)
{
    static vote_problem p;
    mtc_context ctx = test_context();
    vote_random(&p, 3, 30, 5, 3, 0);                /* all runs the same */
    mtc_vote_options o = mtc_vote_defaults();
    o.clusters = 6;
    mtc_vote_result r;
    ASSERT_EQ(MTC_OK, mtc_vote(&ctx, p.n, p.runs, p.m, &o, &r));
    ASSERT_EQ(3, r.rank);
    ASSERT_EQ(3, r.k_effective);
    ASSERT(same_partition(p.n, p.truth, r.labels));
    ASSERT_EQ(6, r.clusters);
    mtc_free(&ctx, &r.block);
    PASS();
}

TEST a_run_may_be_relabeled_without_changing_a_bit(void)
{
    static vote_problem p, q;
    mtc_context ctx = test_context();
    for (uint64_t seed = 1; seed <= 40; seed++) {
        size_t n = seed % 4 == 0 ? 12 : 45, k = 4;
        vote_random(&p, seed, n, 6, k, 0.5);
        vote_random(&q, seed, n, 6, k, 0.5);
        for (size_t r = 0; r < p.m; r++)
            for (size_t i = 0; i < n; i++)
                q.z[r][i] = r == 2 ? (int)n - 1 - 3 * p.z[r][i]
                                   : (3 - p.z[r][i]) * (1 + (int)r / 2);
        mtc_vote_options o = mtc_vote_defaults();
        o.clusters = k;
        mtc_vote_result a, b;
        ASSERT_EQ(MTC_OK, mtc_vote(&ctx, n, p.runs, p.m, &o, &a));
        ASSERT_EQ(MTC_OK, mtc_vote(&ctx, n, q.runs, q.m, &o, &b));
        ASSERT_EQ(a.rank, b.rank);
        ASSERT_EQ(0, memcmp(a.embedding, b.embedding,
                            n * a.rank * sizeof(mtc_real)));
        ASSERT_EQ(0, memcmp(a.labels, b.labels, n * sizeof(int)));
        mtc_free(&ctx, &a.block);
        mtc_free(&ctx, &b.block);
    }
    PASS();
}

/* Weight 2 is the run twice, weight 0 is its absence, and a common factor
 * changes nothing, even one near the least that a weight may be. */
TEST weights_count_runs(void)
{
    static vote_problem p;
    mtc_context ctx = test_context();
    static const mtc_real two[5] = {1, 0, 2, 1, 1};
    for (uint64_t seed = 1; seed <= 20; seed++) {
        vote_random(&p, seed, 40, 5, 3, 0.4);
        mtc_vote_options o = mtc_vote_defaults();
        o.clusters = 3;
        const int *twice[5] = {p.z[0], p.z[2], p.z[2], p.z[3], p.z[4]};
        const int *once[4] = {p.z[0], p.z[2], p.z[3], p.z[4]};
        const mtc_real four[4] = {1, 2, 1, 1};
        mtc_real scaled[5];
        for (size_t r = 0; r < 5; r++)
            scaled[r] = two[r] / (1 << 28);
        mtc_vote_result a, b, c, d;
        ASSERT_EQ(MTC_OK, mtc_vote(&ctx, p.n, twice, 5, &o, &a));
        o.weights = two;
        ASSERT_EQ(MTC_OK, mtc_vote(&ctx, p.n, p.runs, 5, &o, &b));
        o.weights = four;
        ASSERT_EQ(MTC_OK, mtc_vote(&ctx, p.n, once, 4, &o, &c));
        o.weights = scaled;
        ASSERT_EQ(MTC_OK, mtc_vote(&ctx, p.n, p.runs, 5, &o, &d));
        CHECK_CALL(same_gram(p.n, a.rank, a.embedding, b.rank, b.embedding,
                             TOL(1e-8)));
        ASSERT_EQ(0, memcmp(b.embedding, c.embedding,
                            p.n * b.rank * sizeof(mtc_real)));
        ASSERT_EQ(0, memcmp(b.embedding, d.embedding,
                            p.n * b.rank * sizeof(mtc_real)));
        mtc_free(&ctx, &a.block);
        mtc_free(&ctx, &b.block);
        mtc_free(&ctx, &c.block);
        mtc_free(&ctx, &d.block);
    }
    PASS();
}

/* At most 1.02 times the lowest loss of those that have a weight: the others
 * are absent, to the bit.  Where all losses are 0 all vote. */
TEST losses_tell_who_votes(void)
{
    static vote_problem p;
    static const mtc_real losses[5] = {(mtc_real)102.5, 100, (mtc_real)101.5,
                                       150, 90},
                          weights[5] = {1, 2, 1, 1, 0}, none[5] = {0},
                          two[2] = {2, 1};
    mtc_context ctx = test_context();
    vote_random(&p, 9, 40, 5, 3, 0.4);
    mtc_vote_options o = mtc_vote_defaults(), few = o;
    const int *left[2] = {p.z[1], p.z[2]};
    mtc_vote_result a, b;
    o.clusters = few.clusters = 3;
    o.losses = losses;
    o.weights = weights;
    few.weights = two;
    ASSERT_EQ(MTC_OK, mtc_vote(&ctx, p.n, p.runs, 5, &o, &a));
    ASSERT_EQ(MTC_OK, mtc_vote(&ctx, p.n, left, 2, &few, &b));
    ASSERT_EQ(a.rank, b.rank);
    ASSERT_EQ(0, memcmp(a.embedding, b.embedding,
                        p.n * a.rank * sizeof(mtc_real)));
    ASSERT_EQ(0, memcmp(a.stability, b.stability, p.n * sizeof(mtc_real)));
    mtc_free(&ctx, &a.block);
    mtc_free(&ctx, &b.block);
    o.weights = few.weights = NULL;
    ASSERT_EQ(MTC_OK, mtc_vote(&ctx, p.n, p.runs, 5, &o, &a));
    for (size_t i = 0; i < p.n; i++)            /* the last one alone */
        ASSERT(a.stability[i] >= 1 - 8 * TEST_EPS || a.stability[i] <= 0);
    mtc_free(&ctx, &a.block);
    o.losses = none;
    ASSERT_EQ(MTC_OK, mtc_vote(&ctx, p.n, p.runs, 5, &o, &a));
    ASSERT_EQ(MTC_OK, mtc_vote(&ctx, p.n, p.runs, 5, &few, &b));
    ASSERT_EQ(0, memcmp(a.embedding, b.embedding,
                        p.n * a.rank * sizeof(mtc_real)));
    mtc_free(&ctx, &a.block);
    mtc_free(&ctx, &b.block);
    PASS();
}

/* Two clusters of 40 % and four of 5 % each, of which many runs of k-means
 * miss one.  The vote of all ten suffers; that of the runs near the lowest
 * loss is as good as the best of ten by loss. */
TEST small_clusters_are_found_by_the_runs_of_low_loss(void)
{
    enum { N = 400, D = 8, R = 10, SEEDS = 20 };
    static mtc_real x[N * D];
    static int z[R][N], truth[N];
    const int *runs[R];
    mtc_real losses[R];
    double all = 0, near = 0, best = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        mtc_random rng = mtc_random_seed(seed);
        mtc_data X = mtc_dense(N, D, x);
        size_t lowest = 0;
        for (size_t i = 0; i < N; i++) {
            truth[i] = i < 160 ? 0 : i < 320 ? 1 : (int)(i - 280) / 20;
            for (int e = 0; e < D; e++)
                x[D * i + (size_t)e] = (e == truth[i] ? 5 : 0) +
                                       mtc_random_normal(&rng);
        }
        for (size_t r = 0; r < R; r++) {
            mtc_context ctx = test_context();
            mtc_kmeans_options o = mtc_kmeans_defaults();
            mtc_kmeans_result km;
            ctx.seed = 100 * seed + r;
            o.clusters = 6;
            o.restarts = 1;
            ASSERT_EQ(MTC_OK, mtc_kmeans(&ctx, &X, &o, &km));
            memcpy(z[r], km.labels, sizeof z[r]);
            runs[r] = z[r];
            losses[r] = km.loss;
            lowest = losses[r] < losses[lowest] ? r : lowest;
            mtc_free(&ctx, &km.block);
        }
        mtc_context ctx = test_context();
        mtc_vote_options o = mtc_vote_defaults();
        o.clusters = 6;
        for (int some = 0; some < 2; some++) {
            mtc_vote_result v;
            mtc_scores s;
            o.losses = some ? losses : NULL;
            ASSERT_EQ(MTC_OK, mtc_vote(&ctx, N, runs, R, &o, &v));
            ASSERT_EQ(MTC_OK, mtc_score(&ctx, N, truth, v.labels, &s));
            *(some ? &near : &all) += (double)s.nmi / SEEDS;
            mtc_free(&ctx, &v.block);
        }
        mtc_scores s;
        ASSERT_EQ(MTC_OK, mtc_score(&ctx, N, truth, z[lowest], &s));
        best += (double)s.nmi / SEEDS;
    }
    ASSERT(near > all + 0.03);
    ASSERT(near > best - 0.01);
    PASS();
}

/* Twelve voters that are each wrong in a third of the cases. */
TEST many_poor_runs_agree_on_the_truth(void)
{
    static vote_problem p;
    mtc_context ctx = test_context();
    for (uint64_t seed = 1; seed <= 20; seed++) {
        vote_random(&p, seed, 60, 12, 3, 0.35);
        mtc_vote_options o = mtc_vote_defaults();
        o.clusters = 3;
        mtc_vote_result r;
        mtc_scores s;
        ASSERT_EQ(MTC_OK, mtc_vote(&ctx, p.n, p.runs, p.m, &o, &r));
        ASSERT_EQ(MTC_OK, mtc_score(&ctx, p.n, p.truth, r.labels, &s));
        ASSERT(s.accuracy > (mtc_real)0.9);
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

TEST one_sample_one_cluster_and_all_clusters_are_served(void)
{
    static vote_problem p;
    mtc_context ctx = test_context();
    const size_t n[4] = {1, 9, 9, 2}, k[4] = {1, 1, 9, 2};
    for (size_t c = 0; c < 4; c++) {
        mtc_vote_options o = mtc_vote_defaults();
        o.clusters = k[c];
        mtc_vote_result r;
        vote_random(&p, 5, n[c], 3, n[c] < 2 ? 1 : 2, 0.5);
        ASSERT_EQ(MTC_OK, mtc_vote(&ctx, n[c], p.runs, p.m, &o, &r));
        ASSERT(r.k_effective >= 1 && r.k_effective <= k[c]);
        for (size_t i = 0; i < n[c]; i++) {
            ASSERT(r.labels[i] >= 0 && (size_t)r.labels[i] < k[c]);
            ASSERT(r.stability[i] >= 0 &&
                   r.stability[i] <= 1 + 8 * TEST_EPS);
        }
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

TEST a_start_is_kept_where_it_is_a_fixed_point(void)
{
    static vote_problem p;
    mtc_context ctx = test_context();
    vote_random(&p, 5, 40, 8, 3, 0.1);
    mtc_vote_options o = mtc_vote_defaults();
    o.clusters = 3;
    mtc_vote_result a, b;
    ASSERT_EQ(MTC_OK, mtc_vote(&ctx, p.n, p.runs, p.m, &o, &a));
    int turned[MAX_N];
    for (size_t i = 0; i < p.n; i++)
        turned[i] = (a.labels[i] + 1) % 3;
    o.start_labels = turned;
    ASSERT_EQ(MTC_OK, mtc_vote(&ctx, p.n, p.runs, p.m, &o, &b));
    ASSERT_EQ(0, memcmp(turned, b.labels, p.n * sizeof(int)));
    mtc_free(&ctx, &a.block);
    mtc_free(&ctx, &b.block);
    PASS();
}

TEST bad_votes_are_refused_by_their_place(void)
{
    static vote_problem p;
    mtc_context ctx = test_context();
    mtc_real weights[5] = {1, 1, 1, 1, 1};
    mtc_vote_result r;
    vote_random(&p, 5, 20, 5, 3, 0.1);
    mtc_vote_options o = mtc_vote_defaults();
    ASSERT_EQ(MTC_INVALID, mtc_vote(&ctx, 20, p.runs, 0, &o, &r));
    ASSERT_EQ(MTC_INVALID, mtc_vote(&ctx, 0, p.runs, 5, &o, &r));
    ASSERT_EQ(MTC_INVALID, mtc_vote(&ctx, 20, NULL, 5, &o, &r));
    o.clusters = 21;
    ASSERT_EQ(MTC_INVALID, mtc_vote(&ctx, 20, p.runs, 5, &o, &r));
    o.clusters = 3;
    o.restarts = 0;
    ASSERT_EQ(MTC_INVALID, mtc_vote(&ctx, 20, p.runs, 5, &o, &r));
    o.restarts = 1;
    o.weights = weights;
    weights[3] = -1;
    ASSERT_EQ(MTC_DOMAIN, mtc_vote(&ctx, 20, p.runs, 5, &o, &r));
    ASSERT_EQ(3, ctx.error.row);
    memset(weights, 0, sizeof weights);
    ASSERT_EQ(MTC_INVALID, mtc_vote(&ctx, 20, p.runs, 5, &o, &r));
    o.weights = NULL;
    weights[1] = -1;
    o.losses = weights;
    ASSERT_EQ(MTC_DOMAIN, mtc_vote(&ctx, 20, p.runs, 5, &o, &r));
    ASSERT_EQ(1, ctx.error.row);
    ASSERT_STR_EQ("losses: need 0 or more", ctx.error.what);
    o.losses = NULL;
    p.z[2][7] = -1;
    ASSERT_EQ(MTC_INVALID, mtc_vote(&ctx, 20, p.runs, 5, &o, &r));
    ASSERT_EQ(2, ctx.error.task);
    ASSERT_EQ(7, ctx.error.row);
    p.z[2][7] = 20;
    ASSERT_EQ(MTC_INVALID, mtc_vote(&ctx, 20, p.runs, 5, &o, &r));
    ASSERT_EQ(7, ctx.error.row);
    p.z[2][7] = 0;
    p.runs[4] = NULL;
    ASSERT_EQ(MTC_INVALID, mtc_vote(&ctx, 20, p.runs, 5, &o, &r));
    PASS();
}

/* Bytes that a vote takes at its peak. */
static size_t vote_need(size_t n, const int *const *runs, size_t m,
                        const mtc_vote_options *o)
{
    mtc_context ask = mtc_measure();
    mtc_vote_result r;
    mtc_vote(&ask, n, runs, m, o, &r);
    return ask.need;
}

/* 20 000 samples, 10 runs of 8 clusters: n x n would be 3.2 GB. */
TEST memory_is_linear_in_the_samples(void)
{
    enum { BIG = 20000 };
    static int z[BIG];
    const int *runs[10];
    for (size_t i = 0; i < BIG; i++)
        z[i] = (int)(i % 8);
    for (size_t r = 0; r < 10; r++)
        runs[r] = z;
    mtc_vote_options o = mtc_vote_defaults();
    o.clusters = 8;
    size_t whole = vote_need(BIG, runs, 10, &o);
    size_t half = vote_need(BIG / 2, runs, 10, &o);
    ASSERT(whole < (size_t)12 << 20);
    ASSERT(whole < 2 * half);
    PASS();
}

/* Labels that leave a number out: the clusters turn out to be one fewer than
 * memory was told, and the solver of that size takes another way. */
TEST a_vote_stays_within_its_memory_where_labels_have_gaps(void)
{
    enum { K = 12, GUARD = 1 << 16 };
    static vote_problem p;
    mtc_vote_options o = mtc_vote_defaults();
    mtc_vote_result r;
    o.clusters = K;
    vote_random(&p, 3, MAX_N, 4, K, 0.2);
    for (size_t i = 0; i < p.n; i++)
        p.z[0][i] = p.z[0][i] == 1 ? 0 : p.z[0][i];
    size_t size = vote_need(p.n, p.runs, p.m, &o);
    unsigned char *memory = (unsigned char *)malloc(size + GUARD);
    memset(memory, 0x5a, size + GUARD);
    mtc_arena arena = mtc_arena_over(memory, size);
    mtc_context ctx = mtc_arena_context(&arena);
    ASSERT_EQ(MTC_OK, mtc_vote(&ctx, p.n, p.runs, p.m, &o, &r));
    for (size_t i = 0; i < GUARD; i++)
        ASSERT_EQ(0x5a, memory[size + i]);
    free(memory);
    PASS();
}

/* Two points, three clusters: nothing new may go to the one that is empty,
 * not even halfway between the points. */
TEST no_sample_goes_to_a_cluster_that_is_empty(void)
{
    const mtc_real x[] = {0, 0, 4, 4, 0, 4}, between[] = {2};
    mtc_data X = mtc_dense(6, 1, x), Y = mtc_dense(1, 1, between);
    mtc_context ctx = test_context();
    mtc_kmeans_options o = mtc_kmeans_defaults();
    mtc_kmeans_result r;
    int label, occurs = 0;
    o.clusters = 3;
    ASSERT_EQ(MTC_OK, mtc_kmeans(&ctx, &X, &o, &r));
    ASSERT_EQ(2u, r.k_effective);
    ASSERT_EQ(MTC_OK, mtc_kmeans_assign(&ctx, &Y, &r, &label));
    for (size_t i = 0; i < 6; i++)
        occurs |= r.labels[i] == label;
    ASSERT(occurs);
    mtc_free(&ctx, &r.block);
    PASS();
}

SUITE(vote_suite)
{
    RUN_TEST(the_embedding_is_that_of_the_matrix_in_full);
    RUN_TEST(stability_is_the_mean_co_association_with_the_own_cluster);
    RUN_TEST(identical_runs_give_their_partition_back);
    RUN_TEST(fewer_clusters_than_asked_are_told);
    RUN_TEST(a_run_may_be_relabeled_without_changing_a_bit);
    RUN_TEST(weights_count_runs);
    RUN_TEST(losses_tell_who_votes);
    RUN_TEST(small_clusters_are_found_by_the_runs_of_low_loss);
    RUN_TEST(many_poor_runs_agree_on_the_truth);
    RUN_TEST(one_sample_one_cluster_and_all_clusters_are_served);
    RUN_TEST(a_start_is_kept_where_it_is_a_fixed_point);
    RUN_TEST(bad_votes_are_refused_by_their_place);
    RUN_TEST(memory_is_linear_in_the_samples);
    RUN_TEST(no_sample_goes_to_a_cluster_that_is_empty);
    RUN_TEST(a_vote_stays_within_its_memory_where_labels_have_gaps);
}
