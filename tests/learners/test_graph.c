/* SPDX-License-Identifier: MIT
 *
 * Neighbors, graphs, normalized cut, symmetric NMF: brute force, definitions,
 * worked cases.
 */
#include <math.h>

#include "golden/graph.h"
#include "greatest.h"
#include "test_util.h"

#define MAX_N 120
#define MAX_D 12

typedef struct two_views {
    mtc_real x[MAX_N * MAX_D], value[MAX_N * MAX_D];
    size_t row[MAX_N + 1];
    uint32_t column[MAX_N * MAX_D];
    mtc_data dense, csr;
} two_views;

/* Sparse-ish rows, with a zero row and a duplicate among them. */
static void make_views(two_views *v, size_t n, size_t d, uint64_t seed)
{
    test_fill(v->x, n * d, seed, -1, 1);
    for (size_t e = 0; e < n * d; e++)
        if (v->x[e] < (mtc_real)-0.2)
            v->x[e] = 0;
    if (n > 6) {
        memset(v->x + 3 * d, 0, d * sizeof *v->x);
        memcpy(v->x + 5 * d, v->x + 2 * d, d * sizeof *v->x);
    }
    test_sparse(n, d, v->x, v->row, v->column, v->value);
    v->dense = mtc_dense(n, d, v->x);
    v->csr = mtc_csr(n, d, v->row, v->column, v->value);
}

static double dot_rows(size_t d, const mtc_real *a, const mtc_real *b)
{
    double sum = 0;
    for (size_t j = 0; j < d; j++)
        sum += (double)a[j] * (double)b[j];
    return sum;
}

static double pair_key(size_t d, const mtc_real *a, const mtc_real *b,
                       int cosine)
{
    if (cosine) {
        double length = sqrt(dot_rows(d, a, a) * dot_rows(d, b, b));
        return length > 0 ? 1 - dot_rows(d, a, b) / length : 1;
    }
    double sum = 0;
    for (size_t j = 0; j < d; j++)
        sum += ((double)a[j] - (double)b[j]) * ((double)a[j] - (double)b[j]);
    return sum;
}

TEST neighbors_are_the_nearest_by_brute_force(void)
{
    static two_views v;
    static size_t index[MAX_N * 10];
    static mtc_real key_of[MAX_N * 10];
    mtc_context ctx = test_context();
    for (unsigned trial = 0; trial < 24; trial++) {
        size_t n = 11 + 4 * trial, d = 1 + trial % MAX_D, k = 1 + trial % 9;
        int own = trial & 1, cosine = trial >> 1 & 1;
        mtc_distance distance = cosine ? MTC_DISTANCE_COSINE
                                       : MTC_DISTANCE_SQEUCLIDEAN;
        make_views(&v, n, d, trial + 1);
        const mtc_data *points = trial & 4 ? &v.csr : &v.dense;
        const mtc_data *queries = own ? NULL : trial & 8 ? &v.csr : &v.dense;
        ASSERT_EQ(MTC_OK, mtc_neighbors(&ctx, points, queries, k, distance,
                                        index, key_of));
        for (size_t i = 0; i < n; i++)
            for (size_t t = 0; t < k; t++) {
                size_t near = index[i * k + t], closer = 0;
                double key = pair_key(d, v.x + i * d, v.x + near * d, cosine);
                ASSERT(near < n);
                ASSERT_FALSE(own && near == i);
                ASSERT_IN_RANGE(key, (double)key_of[i * k + t],
                                (double)TOL(1e-13) * 10);
                for (size_t c = 0; c < n; c++)
                    closer += !(own && c == i) &&
                              pair_key(d, v.x + i * d, v.x + c * d, cosine) <
                                  key - (double)TOL(1e-12);
                ASSERT(closer <= t);
                if (t > 0)
                    ASSERT(key_of[i * k + t] >= key_of[i * k + t - 1]);
            }
    }
    PASS();
}

TEST neighbors_at_equal_distance_come_in_the_order_of_their_index(void)
{
    mtc_real x[8] = {0, 1, -1, 1, -1, 1, 2, -2};
    size_t index[8 * 3];
    mtc_context ctx = test_context();
    mtc_data X = mtc_dense(8, 1, x);
    ASSERT_EQ(MTC_OK, mtc_neighbors(&ctx, &X, NULL, 3,
                                    MTC_DISTANCE_SQEUCLIDEAN, index, NULL));
    ASSERT_EQ(1, index[0]);
    ASSERT_EQ(2, index[1]);
    ASSERT_EQ(3, index[2]);
    ASSERT_EQ(3, index[3]);             /* of row 1: its twins 3, 5, then 0 */
    ASSERT_EQ(5, index[4]);
    ASSERT_EQ(0, index[5]);
    ASSERT_EQ(MTC_INVALID, mtc_neighbors(&ctx, &X, NULL, 8,
                                         MTC_DISTANCE_SQEUCLIDEAN, index,
                                         NULL));
    PASS();
}

/* Among themselves points are found from half of the keys, unless the last of
 * the blocks of 32 is thin or the lists are long; as queries never.  Small whole
 * numbers, in every other run, have ties at every place.  The lists agree to
 * the bit; but fused products round a cosine by the order of its rows. */
TEST points_among_themselves_are_as_queries(int csr)
{
    enum { D = 11, MOST = 40 };
    static const size_t sizes[] = {20, 32, 33, 35, 36, 64, 97, 100, 120};
    static const size_t counts[] = {1, 7, 20, 33};
    static size_t own[MAX_N * MOST], index[MAX_N * MOST];
    static mtc_real own_key[MAX_N * MOST], key[MAX_N * MOST];
    static two_views v;
#ifdef MTC_FAST
    const size_t runs = 4 * 9;
#else
    const size_t runs = 2 * 4 * 9;
#endif
    for (size_t run = 0; run < runs; run++) {
        size_t n = sizes[run % 9], k = counts[run / 9 % 4];
        mtc_distance distance = (mtc_distance)(run / 36);
        make_views(&v, n, D, run);
        for (size_t e = 0; run % 2 && e < n * D; e++)
            v.x[e] = (mtc_real)(int)(3 * v.x[e]);
        test_sparse(n, D, v.x, v.row, v.column, v.value);
        const mtc_data *X = csr ? &v.csr : &v.dense;
        if (k >= n)
            continue;
        ASSERT_EQ(MTC_OK, mtc_neighbors(NULL, X, NULL, k, distance, own,
                                        own_key));
        ASSERT_EQ(MTC_OK, mtc_neighbors(NULL, X, X, k + 1, distance, index,
                                        key));
        for (size_t i = 0; i < n; i++)
            for (size_t t = 0, at = i * (k + 1); t < k; t++, at++) {
                at += index[at] == i;  /* not its own neighbor */
                ASSERT_EQ(index[at], own[i * k + t]);
                ASSERT(key[at] == own_key[i * k + t]);
            }
    }
    PASS();
}

TEST neighbors_keep_their_digits_far_from_the_origin(void)
{
    const mtc_real far = sizeof(mtc_real) == 8 ? (mtc_real)1e9 : (mtc_real)4096;
    mtc_real x[6 * 2] = {0, 0, 1, 0, 3, 0, 7, 0, 12, 0, 20, 0};
    size_t index[6];
    mtc_real distance[6];
    mtc_context ctx = test_context();
    mtc_data X = mtc_dense(6, 2, x);
    for (size_t e = 0; e < 12; e++)
        x[e] += far;
    ASSERT_EQ(MTC_OK, mtc_neighbors(&ctx, &X, NULL, 1,
                                    MTC_DISTANCE_SQEUCLIDEAN, index,
                                    distance));
    const mtc_real exact[6] = {1, 1, 4, 16, 25, 64};
    for (size_t i = 0; i < 6; i++)
        ASSERT_EQ(exact[i], distance[i]);
    PASS();
}

static mtc_real weight_at(const mtc_data *W, size_t i, size_t j)
{
    if (W->row == NULL)
        return W->values[i * W->stride + j];
    for (size_t e = W->row[i]; e < W->row[i + 1]; e++)
        if (W->column[e] == j)
            return W->values[e];
    return 0;
}

TEST graphs_are_symmetric_and_join_whoever_is_near_from_either_side(void)
{
    static two_views v;
    mtc_context ctx = test_context();
    for (unsigned trial = 0; trial < 16; trial++) {
        size_t n = 30, d = 4, cut = 11;
        make_views(&v, n, d, trial + 40);
        mtc_data sets[2] = {mtc_dense(cut, d, v.x),
                            mtc_dense(n - cut, d, v.x + cut * d)};
        mtc_graph_options o = mtc_graph_defaults();
        mtc_graph g;
        o.similarity = trial & 1 ? MTC_SIMILARITY_GAUSSIAN : MTC_SIMILARITY_COSINE;
        o.neighbors = trial & 2 ? 0 : 4;
        o.absolute = 1;
        o.width = (mtc_real)0.7;
        ASSERT_EQ(MTC_OK, mtc_graph_build(&ctx, sets, 2, &o, &g));
        ASSERT_EQ(MTC_OK, mtc_data_check(&ctx, &g.weights, MTC_NONE));
        int cosine = o.similarity == MTC_SIMILARITY_COSINE;
        const double slack = (double)TOL(1e-12);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) {
                double key = pair_key(d, v.x + i * d, v.x + j * d, cosine);
                double full = cosine ? (key < 1 ? 1 - key : 0)
                                     : exp(-key / 0.7);
                size_t ahead[2] = {0, 0}, level[2] = {0, 0};
                for (size_t c = 0; c < n; c++) {    /* ranks, rounding apart */
                    double a = pair_key(d, v.x + i * d, v.x + c * d, cosine);
                    double b = pair_key(d, v.x + j * d, v.x + c * d, cosine);
                    ahead[0] += c != i && a < key - slack;
                    ahead[1] += c != j && b < key - slack;
                    level[0] += c != i && c != j && fabs(a - key) <= slack;
                    level[1] += c != i && c != j && fabs(b - key) <= slack;
                }
                int complete = o.neighbors == 0;
                int may = complete || ahead[0] < 4 || ahead[1] < 4;
                int must = complete || ahead[0] + level[0] < 4 ||
                           ahead[1] + level[1] < 4;
                mtc_real w = weight_at(&g.weights, i, j);
                ASSERT_EQ(w, weight_at(&g.weights, j, i));
                if (i == j || !may)
                    ASSERT_EQ(0, w);
                else if (must || w > 0)
                    ASSERT_IN_RANGE(full, (double)w, slack);
            }
        mtc_free(&ctx, &g.block);
    }
    PASS();
}

/* Three groups of three on a line: whose two nearest are in its group is joined
 * to no one else, and only in the complete graph to all. */
TEST graphs_of_neighbors_do_not_join_groups_apart(void)
{
    mtc_real x[9] = {0, 1, 2, 100, 101, 102, 300, 301, 302};
    mtc_context ctx = test_context();
    mtc_data X = mtc_dense(9, 1, x);
    mtc_graph_options o = mtc_graph_defaults();
    o.similarity = MTC_SIMILARITY_GAUSSIAN;
    for (o.neighbors = 0; o.neighbors <= 2; o.neighbors += 2) {
        mtc_graph g;
        ASSERT_EQ(MTC_OK, mtc_graph_build(&ctx, &X, 1, &o, &g));
        for (size_t i = 0; i < 9; i++)
            for (size_t j = 0; j < 9; j++) {
                int joined = i != j && (o.neighbors == 0 || i / 3 == j / 3);
                ASSERT_EQ(joined, weight_at(&g.weights, i, j) > 0);
            }
        mtc_free(&ctx, &g.block);
    }
    PASS();
}

TEST graph_width_is_a_share_of_the_mean_squared_distance(void)
{
    static two_views v;
    mtc_context ctx = test_context();
    size_t n = 25, d = 5;
    make_views(&v, n, d, 4);
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            sum += pair_key(d, v.x + i * d, v.x + j * d, 0);
    mtc_graph_options o = mtc_graph_defaults();
    mtc_graph g;
    o.similarity = MTC_SIMILARITY_GAUSSIAN;
    o.width = (mtc_real)0.125;
    ASSERT_EQ(MTC_OK, mtc_graph_build(&ctx, &v.csr, 1, &o, &g));
    ASSERT_IN_RANGE(0.125 * sum / (double)(n * (n - 1) / 2), (double)g.width,
                    (double)TOL(1e-13));
    mtc_free(&ctx, &g.block);
    PASS();
}

/* exp(-|x - y|^2 / (width s_i s_j)), s_i the distance to the m-th nearest other
 * row, by sorting, whether that is a neighbor or not; diagonal 1; joined as any
 * union is.  Complete where there are no more rows than neighbors. */
TEST graphs_with_local_widths_are_as_defined(void)
{
    static two_views v;
    mtc_context ctx = test_context();
    static const size_t rows[4] = {40, 11, 5, 1}, m = 7;
    static const size_t near[3] = {0, 10, 3};
    for (int kind = 0; kind < 24; kind++) {
        size_t n = rows[kind / 6], d = 4, L = near[kind % 3];
        double s[40], reach[40], key[40];
        mtc_graph_options o = mtc_graph_defaults();
        mtc_graph g;
        make_views(&v, n, d, 11);
        o.similarity = MTC_SIMILARITY_GAUSSIAN;
        o.width = 2;
        o.local = m;
        o.loops = 1;
        o.neighbors = L;
        ASSERT_EQ(MTC_OK, mtc_graph_build(&ctx, kind & 1 ? &v.csr : &v.dense,
                                          1, &o, &g));
        ASSERT_EQ(L > 0 && n > L + 1, g.weights.row != NULL);
        for (size_t i = 0; i < n; i++) {
            size_t count = 0;
            for (size_t j = 0; j < n; j++)
                if (j != i) {
                    double a = pair_key(d, v.x + i * d, v.x + j * d, 0);
                    size_t at = count++;
                    for (; at > 0 && key[at - 1] > a; at--)
                        key[at] = key[at - 1];
                    key[at] = a;
                }
            s[i] = count > 0 ? sqrt(key[count < m ? count - 1 : m - 1]) : 1;
            reach[i] = L > 0 && L < count ? key[L - 1] : HUGE_VAL;
        }
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) {
                double a = pair_key(d, v.x + i * d, v.x + j * d, 0);
                double w = (double)weight_at(&g.weights, i, j);
                ASSERT_EQ(weight_at(&g.weights, j, i),
                          weight_at(&g.weights, i, j));
                if (i == j)
                    ASSERT_EQ(1, w);
                else if (a < reach[i] - 1e-9 || a < reach[j] - 1e-9)
                    ASSERT_IN_RANGE(exp(-a / (2 * s[i] * s[j])), w,
                                    (double)TOL(1e-12));
                else                            /* not among the nearest */
                    ASSERT(w == 0 || a < reach[i] + 1e-9 ||
                           a < reach[j] + 1e-9);
            }
        mtc_free(&ctx, &g.block);
    }
    PASS();
}

/* Eight equal rows: s is 0.  They are near one another and to no one else. */
TEST graphs_with_local_widths_serve_equal_rows(void)
{
    mtc_real x[12] = {5, 5, 5, 5, 5, 5, 5, 5, 5, 9, 10, 12};
    mtc_context ctx = test_context();
    mtc_data X = mtc_dense(12, 1, x);
    for (size_t neighbors = 0; neighbors <= 9; neighbors += 9) {
        mtc_graph_options o = mtc_graph_defaults();
        mtc_graph g;
        o.similarity = MTC_SIMILARITY_GAUSSIAN;
        o.neighbors = neighbors;
        o.local = 7;
        ASSERT_EQ(MTC_OK, mtc_graph_build(&ctx, &X, 1, &o, &g));
        for (size_t i = 0; i < 12; i++)
            for (size_t j = 0; j < 12; j++) {
                mtc_real w = weight_at(&g.weights, i, j);
                if (i != j && i < 9 && j < 9 && neighbors == 0)
                    ASSERT_EQ(1, w);
                else if (i == j || (i < 9) != (j < 9))
                    ASSERT_EQ(0, w);
                else if (i >= 9)
                    ASSERT(w > 0 && w < 1);
            }
        mtc_free(&ctx, &g.block);
    }
    PASS();
}

/* Multiples of one row, and rows too small to be squared beside it: distances by
 * cosine are in 0..2, weights in 0..1, and a row that vanishes when squared is
 * as far from all as a zero row. */
TEST cosines_stay_in_their_range(void)
{
    enum { N = 60 };
    const double least = sizeof(mtc_real) == 8 ? 1e-170 : 1e-25;
    mtc_context ctx = test_context();
    mtc_real x[N * 2], key[N * (N - 1)];
    size_t index[N * (N - 1)];
    for (size_t i = 0; i < N; i++) {
        double scale = i == N - 1 ? least : (i % 2 ? -1 : 1) * (double)(i + 1);
        x[2 * i] = (mtc_real)scale;
        x[2 * i + 1] = (mtc_real)(6 * scale);
    }
    mtc_data X = mtc_dense(N, 2, x);
    mtc_graph_options o = mtc_graph_defaults();
    mtc_graph g;
    ASSERT_EQ(MTC_OK, mtc_neighbors(&ctx, &X, NULL, N - 1,
                                    MTC_DISTANCE_COSINE, index, key));
    ASSERT_EQ(MTC_OK, mtc_graph_build(&ctx, &X, 1, &o, &g));
    for (size_t e = 0; e < N * (N - 1); e++) {
        size_t i = e / (N - 1), j = index[e];
        double w = (double)weight_at(&g.weights, i, j);
        double cosine = i == N - 1 || j == N - 1 ? 0 : (i + j) % 2 ? -1 : 1;
        ASSERT(key[e] >= 0 && key[e] <= 2 && w >= 0 && w <= 1);
        ASSERT_IN_RANGE(1 - cosine, (double)key[e], (double)TOL(1e-14));
        ASSERT_IN_RANGE(cosine > 0 ? cosine : 0, w, (double)TOL(1e-14));
    }
    mtc_free(&ctx, &g.block);
    PASS();
}

/* ---- normalized cut ---------------------------------------------------- */

TEST ncut_recovers_groups_that_hardly_touch(void)
{
    static two_views v;
    mtc_context ctx = test_context();
    size_t n = 90, d = 9;
    int truth[90];
    for (unsigned trial = 0; trial < 4; trial++) {
        test_fill(v.x, n * d, trial + 2, 0, 1);
        for (size_t i = 0; i < n; i++) {        /* own features, no others */
            truth[i] = (int)(i % 3);
            for (size_t j = 0; j < d; j++)
                if (j / 3 != i % 3)
                    v.x[i * d + j] = 0;
        }
        test_sparse(n, d, v.x, v.row, v.column, v.value);
        v.dense = mtc_dense(n, d, v.x);
        v.csr = mtc_csr(n, d, v.row, v.column, v.value);
        mtc_ncut_options o = mtc_ncut_defaults();
        mtc_ncut_result r;
        mtc_scores s;
        o.clusters = 3;
        o.graph.neighbors = trial & 1 ? 10 : 0;
        ASSERT_EQ(MTC_OK,
                  mtc_ncut(&ctx, trial & 2 ? &v.csr : &v.dense, &o, &r));
        ASSERT_EQ(MTC_OK, mtc_score(&ctx, n, truth, r.labels, &s));
        ASSERT_EQ(1, s.accuracy);
        ASSERT_IN_RANGE(0, r.cut, TOL(1e-12));
        for (size_t z = 0; z < 3; z++)              /* one 1 a component */
            ASSERT_IN_RANGE(1, r.eigenvalues[z], TOL(1e-10));
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

TEST ncut_reports_the_cut_of_its_labels(void)
{
    static two_views v;
    mtc_context ctx = test_context();
    size_t n = 40, d = 5;
    test_fill(v.x, n * d, 8, 0, 1);
    v.dense = mtc_dense(n, d, v.x);
    mtc_ncut_options o = mtc_ncut_defaults();
    mtc_ncut_result r;
    mtc_graph g;
    o.clusters = 4;
    ASSERT_EQ(MTC_OK, mtc_ncut(&ctx, &v.dense, &o, &r));
    ASSERT_EQ(MTC_OK, mtc_graph_build(&ctx, &v.dense, 1, &o.graph, &g));
    double cut = 0;
    for (int z = 0; z < 4; z++) {
        double across = 0, volume = 0;
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                if (r.labels[i] == z) {
                    volume += (double)weight_at(&g.weights, i, j);
                    if (r.labels[j] != z)
                        across += (double)weight_at(&g.weights, i, j);
                }
        cut += across / volume;
    }
    ASSERT_IN_RANGE(cut, (double)r.cut, (double)TOL(1e-12) * 4);
    for (size_t i = 0; i < n; i++)
        ASSERT_IN_RANGE(1, dot_rows(4, r.embedding + i * 4,
                                    r.embedding + i * 4), (double)TOL(1e-12));
    mtc_free(&ctx, &g.block);
    mtc_free(&ctx, &r.block);
    PASS();
}

TEST ncut_serves_samples_that_have_no_neighbor(void)
{
    static two_views v;
    mtc_context ctx = test_context();
    make_views(&v, 20, 6, 3);           /* row 3 is zero */
    mtc_ncut_options o = mtc_ncut_defaults();
    mtc_ncut_result r;
    ASSERT_EQ(MTC_OK, mtc_ncut(&ctx, &v.csr, &o, &r));
    for (size_t z = 0; z < 2; z++)
        ASSERT_EQ(0, r.embedding[3 * 2 + z]);
    for (size_t i = 0; i < 20; i++)
        ASSERT(r.labels[i] == 0 || r.labels[i] == 1);
    mtc_free(&ctx, &r.block);
    PASS();
}

/* A ring of n: the eigenvalues are cos(2 pi j / n).  They are found as closely
 * as is asked, and not much more closely. */
TEST ncut_finds_eigenvectors_as_closely_as_is_asked(void)
{
    enum { N = 200 };
    static size_t row[N + 1];
    static uint32_t column[2 * N];
    static mtc_real one[2 * N];
    static const double tolerance[2] = {.02, 0}, most[2] = {.02, 1e-10};
    const double turn = 2 * acos(-1.) / N;
    mtc_context ctx = test_context();
    for (size_t i = 0; i < N; i++) {
        size_t next = (i + 1) % N, last = (i + N - 1) % N;
        row[i + 1] = 2 * (i + 1);
        column[2 * i] = (uint32_t)(next < last ? next : last);
        column[2 * i + 1] = (uint32_t)(next < last ? last : next);
        one[2 * i] = one[2 * i + 1] = 1;
    }
    mtc_data ring = mtc_csr(N, N, row, column, one);
    mtc_ncut_options o = mtc_ncut_defaults();
    double error[2] = {0, 0};
    o.clusters = 4;
    o.given = 1;
    for (size_t t = 0; t < 2; t++) {
        mtc_ncut_result r;
        o.tolerance = (mtc_real)tolerance[t];
        ASSERT_EQ(MTC_OK, mtc_ncut(&ctx, &ring, &o, &r));
        for (int z = 0; z < 4; z++) {
            double wrong = fabs((double)r.eigenvalues[z] -
                                cos(turn * ((z + 1) / 2)));
            error[t] = wrong > error[t] ? wrong : error[t];
        }
        mtc_free(&ctx, &r.block);
        ASSERT(error[t] < most[t] + (double)TOL(1e-12));
    }
    ASSERT(error[0] > 10 * error[1]);
    PASS();
}

/* The similarity may be given: the same answer as from the graph itself. */
TEST ncut_takes_a_similarity_that_is_given(void)
{
    static two_views v;
    mtc_context ctx = test_context();
    size_t n = 40, d = 5;
    test_fill(v.x, n * d, 9, 0, 1);
    v.dense = mtc_dense(n, d, v.x);
    for (size_t neighbors = 0; neighbors <= 6; neighbors += 6) {
        mtc_ncut_options o = mtc_ncut_defaults();
        mtc_ncut_result r, given;
        mtc_graph g;
        o.clusters = 3;
        o.graph.neighbors = neighbors;
        ASSERT_EQ(MTC_OK, mtc_ncut(&ctx, &v.dense, &o, &r));
        ASSERT_EQ(MTC_OK, mtc_graph_build(&ctx, &v.dense, 1, &o.graph, &g));
        o.given = 1;
        ASSERT_EQ(MTC_OK, mtc_ncut(&ctx, &g.weights, &o, &given));
        ASSERT_MEM_EQ(r.labels, given.labels, n * sizeof(int));
        ASSERT_EQ(r.cut, given.cut);
        mtc_free(&ctx, &g.block);
        mtc_free(&ctx, &r.block);
        mtc_free(&ctx, &given.block);
    }
    PASS();
}

TEST ncut_refuses_what_is_no_similarity(void)
{
    mtc_context ctx = test_context();
    mtc_real S[9] = {1, 2, 0, 2, 1, 3, 0, 3, 1};
    mtc_data view = mtc_dense(3, 3, S), oblong = mtc_dense(3, 2, S);
    mtc_ncut_options o = mtc_ncut_defaults();
    mtc_ncut_result r;
    o.given = 1;
    ASSERT_EQ(MTC_INVALID, mtc_ncut(&ctx, &oblong, &o, &r));
    S[5] = 4;                                       /* its twin is 3 */
    ASSERT_EQ(MTC_INVALID, mtc_ncut(&ctx, &view, &o, &r));
    ASSERT_EQ(1, ctx.error.row);
    ASSERT_EQ(2, ctx.error.column);
    S[5] = S[7] = -3;
    ASSERT_EQ(MTC_DOMAIN, mtc_ncut(&ctx, &view, &o, &r));
    PASS();
}

/* ---- symmetric NMF ----------------------------------------------------- */

/* |M - Y Y'|^2, entry by entry. */
static double misfit(size_t n, size_t k, const mtc_real *M, const mtc_real *Y)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double t = (double)M[i * n + j] - dot_rows(k, Y + i * k, Y + j * k);
            sum += t * t;
        }
    return sum;
}

static enum greatest_test_res snmf_case(size_t n, size_t k, const double *Md,
                                        const int *labels0, const double *Y1,
                                        const double *Y20, const double *f,
                                        const int *labels)
{
    static two_views v;
    mtc_context ctx = test_context();
    mtc_snmf_options o = mtc_snmf_defaults();
    mtc_snmf_result r;
    for (size_t e = 0; e < n * n; e++)
        v.x[e] = (mtc_real)Md[e];
    test_sparse(n, n, v.x, v.row, v.column, v.value);
    mtc_data M[2] = {mtc_dense(n, n, v.x),
                     mtc_csr(n, n, v.row, v.column, v.value)};
    const double loose = sizeof(mtc_real) == 8 ? 1e-8 : 1e-4;
    o.clusters = k;
    o.tolerance = -1;
    o.start_labels = labels0;
    for (int sparse = 0; sparse < 2; sparse++) {
        o.iterations = 1;
        ASSERT_EQ(MTC_OK, mtc_snmf(&ctx, &M[sparse], &o, &r));
        for (size_t e = 0; e < n * k; e++)
            ASSERT_IN_RANGE(Y1[e], (double)r.Y[e], loose);
        mtc_free(&ctx, &r.block);
        o.iterations = 20;
        ASSERT_EQ(MTC_OK, mtc_snmf(&ctx, &M[sparse], &o, &r));
        ASSERT_EQ(20, r.iterations);
        for (size_t e = 0; e < n * k; e++)
            ASSERT_IN_RANGE(Y20[e], (double)r.Y[e], loose * 10);
        for (size_t t = 0; t <= r.iterations; t++)
            ASSERT_IN_RANGE(f[t], (double)r.objective[t], loose * f[0]);
        for (size_t i = 0; i < n; i++)
            ASSERT_EQ(labels[i], r.labels[i]);
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

TEST snmf_follows_the_worked_cases(void)
{
    CHECK_CALL(snmf_case(12, 3, snmf0_M, snmf0_labels0, snmf0_Y1, snmf0_Y20,
                         snmf0_objective, snmf0_labels));
    CHECK_CALL(snmf_case(10, 2, snmf1_M, snmf1_labels0, snmf1_Y1, snmf1_Y20,
                         snmf1_objective, snmf1_labels));
    PASS();
}

TEST snmf_objective_never_increases_and_is_the_misfit(void)
{
    static mtc_real M[40 * 40];
    mtc_context ctx = test_context();
    for (uint64_t seed = 1; seed <= 60; seed++) {
        size_t n = 2 + seed % 39, k = 1 + seed % (n < 6 ? n : 6);
        test_fill(M, n * n, seed, seed % 3 == 0 ? -2 : 0, 1);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j <= i; j++) {
                if (M[i * n + j] < 0)
                    M[i * n + j] = 0;
                if (seed % 5 == 0)                  /* heavy tails */
                    M[i * n + j] *= M[i * n + j] * 1000;
                M[j * n + i] = M[i * n + j];
            }
        mtc_data view = mtc_dense(n, n, M);
        mtc_snmf_options o = mtc_snmf_defaults();
        mtc_snmf_result r;
        o.clusters = k;
        ctx.seed = seed;
        ASSERT_EQ(MTC_OK, mtc_snmf(&ctx, &view, &o, &r));
        for (size_t t = 0; t < r.iterations; t++)
            ASSERT(r.objective[t + 1] <= r.objective[t]);
        double f = misfit(n, k, M, r.Y);
        ASSERT_IN_RANGE(f, (double)r.objective[r.iterations],
                        (double)TOL(1e-12) * (1 + (double)r.objective[0]));
        for (size_t e = 0; e < n * k; e++)
            ASSERT(r.Y[e] >= 0);
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

/* Y0 is uniform up to 2 (mean(M) / k)^1/2, where <Y,MY> and |Y'Y|^2 balance,
 * in either view. */
TEST snmf_starts_at_the_scale_of_its_matrix(void)
{
    enum { N = 30, K = 4 };
    mtc_real M[N * N], value[N * N], Y[N * K];
    size_t row[N + 1];
    uint32_t column[N * N];
    double mean = 0, top = 0;
    mtc_context ctx = test_context();
    test_fill(M, N * N, 6, -3, 7);
    for (size_t e = 0; e < N * N; e++) {
        size_t i = e / N, j = e % N;
        M[e] = j > i ? M[e] > 0 ? M[e] : 0 : i > j ? M[j * N + i] : 1;
    }
    for (size_t e = 0; e < N * N; e++)
        mean += (double)M[e] / (N * N);
    test_sparse(N, N, M, row, column, value);
    mtc_data view[2] = {mtc_dense(N, N, M), mtc_csr(N, N, row, column, value)};
    mtc_snmf_options o = mtc_snmf_defaults();
    o.clusters = K;
    o.iterations = 0;
    for (int sparse = 0; sparse < 2; sparse++) {
        mtc_snmf_result r;
        ASSERT_EQ(MTC_OK, mtc_snmf(&ctx, &view[sparse], &o, &r));
        for (size_t e = 0; e < N * K; e++) {
            Y[e] = sparse ? Y[e] : r.Y[e];
            ASSERT_IN_RANGE((double)Y[e], (double)r.Y[e],
                            (double)TOL(1e-14) * 10);
            top = (double)r.Y[e] > top ? (double)r.Y[e] : top;
        }
        mtc_free(&ctx, &r.block);
    }
    ASSERT(top <= 2 * sqrt(mean / K) * (1 + (double)TOL(1e-14)));
    ASSERT(top > 1.9 * sqrt(mean / K));
    PASS();
}

/* Y of sample 9 in cluster 1 falls below every double and grows again: in 40
 * digits to 1e-2588, an objective of 15.051617 after 300 steps, and label 1. */
TEST snmf_takes_back_what_almost_vanished(void)
{
    static const int tenths[100] = {
        0, 9, 0, 0, 0, 0, 0, 0, 0, 0,
        9, 0, 16, 0, 16, 0, 9, 0, 12, 0,
        0, 16, 14, 7, 0, 0, 16, 0, 0, 0,
        0, 0, 7, 0, 10, 15, 9, 0, 6, 0,
        0, 16, 0, 10, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 15, 0, 0, 0, 3, 0, 0,
        0, 9, 16, 9, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 3, 0, 0, 0, 8,
        0, 12, 0, 6, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 8, 0, 0};
    const int start[10] = {1, 1, 0, 0, 0, 1, 0, 0, 1, 1};
    mtc_real M[100];
    mtc_snmf_options o = mtc_snmf_defaults();
    mtc_snmf_result r;
    o.start_labels = start;
    for (size_t e = 0; e < 100; e++)
        M[e] = (mtc_real)tenths[e] / 10;
    mtc_data S = mtc_dense(10, 10, M);
    ASSERT_EQ(MTC_OK, mtc_snmf(NULL, &S, &o, &r));
    ASSERT(r.converged || r.iterations == 300);
    ASSERT_IN_RANGE((mtc_real)15.051, r.objective[r.iterations],
                    (mtc_real)0.002);
    ASSERT_EQ(1, r.labels[9]);
    mtc_free(NULL, &r.block);
    PASS();
}

/* Three blocks for two clusters: the faint one vanishes, and then keeps the
 * labels that it began with. */
TEST snmf_rows_that_vanish_keep_their_labels(void)
{
    const int start[6] = {0, 0, 1, 1, 1, 1};
    mtc_real M[36] = {0};
    mtc_data S = mtc_dense(6, 6, M);
    mtc_snmf_options o = mtc_snmf_defaults();
    o.start_labels = start;
    o.tolerance = 0;
    for (size_t i = 0; i < 6; i++)
        for (size_t j = i / 2 * 2; j < i / 2 * 2 + 2; j++)
            M[i * 6 + j] = i < 4 ? 1 : (mtc_real)0.001;
    for (o.iterations = 50; o.iterations <= 400; o.iterations += 50) {
        mtc_snmf_result r;
        ASSERT_EQ(MTC_OK, mtc_snmf(NULL, &S, &o, &r));
        ASSERT_EQ(1, r.labels[4]);
        ASSERT_EQ(1, r.labels[5]);
        mtc_free(NULL, &r.block);
    }
    PASS();
}

TEST snmf_of_a_scaled_matrix_gives_the_same_labels(void)
{
    mtc_real M[16 * 16];
    mtc_context ctx = test_context();
    int first[16];
    test_fill(M, 256, 6, 0, 1);
    for (size_t i = 0; i < 16; i++)
        for (size_t j = 0; j < i; j++)
            M[i * 16 + j] = M[j * 16 + i];
    mtc_data view = mtc_dense(16, 16, M);
    mtc_snmf_options o = mtc_snmf_defaults();
    mtc_snmf_result r;
    o.clusters = 3;
    for (int scaled = 0; scaled < 3; scaled++) {
        ASSERT_EQ(MTC_OK, mtc_snmf(&ctx, &view, &o, &r));
        if (scaled == 0)
            memcpy(first, r.labels, sizeof first);
        ASSERT_MEM_EQ(first, r.labels, sizeof first);
        mtc_free(&ctx, &r.block);
        for (size_t e = 0; e < 256; e++)
            M[e] *= scaled == 0 ? 1024 : (mtc_real)0x1p-20;
    }
    PASS();
}

TEST snmf_refuses_matrices_it_is_not_defined_for(void)
{
    mtc_real M[9] = {1, 2, 3, 2, 1, 0, 3, 1, 1};
    mtc_context ctx = test_context();
    mtc_data view = mtc_dense(3, 3, M), oblong = mtc_dense(3, 2, M);
    mtc_snmf_options o = mtc_snmf_defaults();
    mtc_snmf_result r;
    ASSERT_EQ(MTC_INVALID, mtc_snmf(&ctx, &view, &o, &r));
    ASSERT_EQ(1, ctx.error.row);
    ASSERT_EQ(2, ctx.error.column);
    M[5] = M[7] = -1;
    ASSERT_EQ(MTC_DOMAIN, mtc_snmf(&ctx, &view, &o, &r));
    ASSERT_EQ(MTC_INVALID, mtc_snmf(&ctx, &oblong, &o, &r));
    memset(M, 0, sizeof M);
    ASSERT_EQ(MTC_OK, mtc_snmf(&ctx, &view, &o, &r));   /* zero is served */
    ASSERT_EQ(0, r.objective[r.iterations]);
    mtc_free(&ctx, &r.block);
    PASS();
}

/* The mean of |x - y|^2 is 2, (1 + 4 + 1) / 3, however far from 0: there the
 * squares cancel, and differences have to be taken. */
TEST graph_width_is_blind_to_an_offset(void)
{
    const mtc_real x[3] = {10000, 10001, 10002};
    mtc_context ctx = test_context();
    mtc_data X = mtc_dense(3, 1, x);
    mtc_graph_options o = mtc_graph_defaults();
    mtc_graph r;
    o.similarity = MTC_SIMILARITY_GAUSSIAN;
    ASSERT_EQ(MTC_OK, mtc_graph_build(&ctx, &X, 1, &o, &r));
    ASSERT(r.width == 2);
    mtc_free(&ctx, &r.block);
    PASS();
}

/* Among more rows than a block has, two are equal: the lower comes first, from
 * wherever one looks. */
TEST equal_rows_far_apart_keep_their_order(void)
{
    enum { N = 514, D = 6, Q = 40 };
    static mtc_real p[N * D], q[Q * D];
    static size_t index[Q * N];
    mtc_data P = mtc_dense(N, D, p), queries = mtc_dense(Q, D, q);
    test_fill(p, N * D, 1, -1, 1);
    test_fill(q, Q * D, 2, -1, 1);
    memcpy(p + 512 * D, p + 100 * D, 2 * D * sizeof *p);
    ASSERT_EQ(MTC_OK, mtc_neighbors(NULL, &P, &queries, N,
                                    MTC_DISTANCE_SQEUCLIDEAN, index, NULL));
    for (size_t i = 0; i < Q; i++) {
        size_t place[N];
        for (size_t t = 0; t < N; t++)
            place[index[i * N + t]] = t;
        ASSERT(place[100] < place[512]);
        ASSERT(place[101] < place[513]);
    }
    PASS();
}

SUITE(graph_suite)
{
    RUN_TEST(equal_rows_far_apart_keep_their_order);
    RUN_TEST(graph_width_is_blind_to_an_offset);
    RUN_TEST(neighbors_are_the_nearest_by_brute_force);
    RUN_TEST(neighbors_at_equal_distance_come_in_the_order_of_their_index);
    RUN_TEST1(points_among_themselves_are_as_queries, 0);
    RUN_TEST1(points_among_themselves_are_as_queries, 1);
    RUN_TEST(neighbors_keep_their_digits_far_from_the_origin);
    RUN_TEST(graphs_are_symmetric_and_join_whoever_is_near_from_either_side);
    RUN_TEST(graphs_of_neighbors_do_not_join_groups_apart);
    RUN_TEST(graph_width_is_a_share_of_the_mean_squared_distance);
    RUN_TEST(graphs_with_local_widths_are_as_defined);
    RUN_TEST(graphs_with_local_widths_serve_equal_rows);
    RUN_TEST(cosines_stay_in_their_range);
    RUN_TEST(ncut_recovers_groups_that_hardly_touch);
    RUN_TEST(ncut_reports_the_cut_of_its_labels);
    RUN_TEST(ncut_serves_samples_that_have_no_neighbor);
    RUN_TEST(ncut_finds_eigenvectors_as_closely_as_is_asked);
    RUN_TEST(ncut_takes_a_similarity_that_is_given);
    RUN_TEST(ncut_refuses_what_is_no_similarity);
    RUN_TEST(snmf_follows_the_worked_cases);
    RUN_TEST(snmf_objective_never_increases_and_is_the_misfit);
    RUN_TEST(snmf_starts_at_the_scale_of_its_matrix);
    RUN_TEST(snmf_takes_back_what_almost_vanished);
    RUN_TEST(snmf_rows_that_vanish_keep_their_labels);
    RUN_TEST(snmf_of_a_scaled_matrix_gives_the_same_labels);
    RUN_TEST(snmf_refuses_matrices_it_is_not_defined_for);
}
