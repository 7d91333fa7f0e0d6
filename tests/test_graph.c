/* SPDX-License-Identifier: MIT
 *
 * Neighbours, graphs, label propagation, normalised cut, symmetric NMF:
 * brute force, linear systems solved another way, worked cases.
 */
#include <math.h>

#include "golden_graph.h"
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

TEST neighbours_are_the_nearest_by_brute_force(void)
{
    static two_views v;
    static size_t index[MAX_N * 10];
    static mtc_real distance[MAX_N * 10];
    mtc_context ctx = test_context();
    for (unsigned trial = 0; trial < 24; trial++) {
        size_t n = 11 + 4 * trial, d = 1 + trial % MAX_D, k = 1 + trial % 9;
        int own = trial & 1, cosine = trial >> 1 & 1;
        make_views(&v, n, d, trial + 1);
        const mtc_data *points = trial & 4 ? &v.csr : &v.dense;
        const mtc_data *queries = trial & 8 ? &v.csr : &v.dense;
        ASSERT_EQ(MTC_OK, mtc_neighbors(&ctx, points, queries, k, own, cosine,
                                        index, distance));
        for (size_t i = 0; i < n; i++)
            for (size_t t = 0; t < k; t++) {
                size_t near = index[i * k + t], closer = 0;
                double key = pair_key(d, v.x + i * d, v.x + near * d, cosine);
                ASSERT(near < n);
                ASSERT_FALSE(own && near == i);
                ASSERT_IN_RANGE(key, (double)distance[i * k + t],
                                (double)TOL(1e-13) * 10);
                for (size_t c = 0; c < n; c++)
                    closer += !(own && c == i) &&
                              pair_key(d, v.x + i * d, v.x + c * d, cosine) <
                                  key - (double)TOL(1e-12);
                ASSERT(closer <= t);
                if (t > 0)
                    ASSERT(distance[i * k + t] >= distance[i * k + t - 1]);
            }
    }
    PASS();
}

TEST neighbours_at_equal_distance_come_in_the_order_of_their_index(void)
{
    mtc_real x[8] = {0, 1, -1, 1, -1, 1, 2, -2};
    size_t index[8 * 3];
    mtc_context ctx = test_context();
    mtc_data X = mtc_dense(8, 1, x);
    ASSERT_EQ(MTC_OK, mtc_neighbors(&ctx, &X, &X, 3, 1, 0, index, NULL));
    ASSERT_EQ(1, index[0]);
    ASSERT_EQ(2, index[1]);
    ASSERT_EQ(3, index[2]);
    ASSERT_EQ(3, index[3]);             /* of row 1: its twins 3, 5, then 0 */
    ASSERT_EQ(5, index[4]);
    ASSERT_EQ(0, index[5]);
    ASSERT_EQ(MTC_INVALID, mtc_neighbors(&ctx, &X, &X, 8, 1, 0, index, NULL));
    PASS();
}

TEST neighbours_keep_their_digits_far_from_the_origin(void)
{
    const mtc_real far = sizeof(mtc_real) == 8 ? (mtc_real)1e9 : (mtc_real)4096;
    mtc_real x[6 * 2] = {0, 0, 1, 0, 3, 0, 7, 0, 12, 0, 20, 0};
    size_t index[6];
    mtc_real distance[6];
    mtc_context ctx = test_context();
    mtc_data X = mtc_dense(6, 2, x);
    for (size_t e = 0; e < 12; e++)
        x[e] += far;
    ASSERT_EQ(MTC_OK, mtc_neighbors(&ctx, &X, &X, 1, 1, 0, index, distance));
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
        o.similarity = trial & 1 ? MTC_GAUSSIAN : MTC_COSINE;
        o.neighbors = trial & 2 ? 0 : 4;
        o.absolute = 1;
        o.width = (mtc_real)0.7;
        ASSERT_EQ(MTC_OK, mtc_graph_build(&ctx, sets, 2, &o, &g));
        ASSERT_EQ(MTC_OK, mtc_data_check(&ctx, &g.weights, MTC_NONE));
        int cosine = o.similarity == MTC_COSINE;
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
        mtc_graph_free(&ctx, &g);
    }
    PASS();
}

TEST graphs_count_their_components(void)
{
    mtc_real x[9] = {0, 1, 2, 100, 101, 102, 300, 301, 302};
    mtc_context ctx = test_context();
    mtc_data X = mtc_dense(9, 1, x);
    mtc_graph_options o = mtc_graph_defaults();
    mtc_graph g;
    o.similarity = MTC_GAUSSIAN;
    o.neighbors = 2;
    ASSERT_EQ(MTC_OK, mtc_graph_build(&ctx, &X, 1, &o, &g));
    ASSERT_EQ(3, g.components);
    mtc_graph_free(&ctx, &g);
    o.neighbors = 0;
    ASSERT_EQ(MTC_OK, mtc_graph_build(&ctx, &X, 1, &o, &g));
    ASSERT_EQ(1, g.components);
    mtc_graph_free(&ctx, &g);
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
    o.similarity = MTC_GAUSSIAN;
    o.width = (mtc_real)0.125;
    ASSERT_EQ(MTC_OK, mtc_graph_build(&ctx, &v.csr, 1, &o, &g));
    ASSERT_IN_RANGE(0.125 * sum / (double)(n * (n - 1) / 2), (double)g.width,
                    (double)TOL(1e-13));
    mtc_graph_free(&ctx, &g);
    PASS();
}

/* ---- propagation ------------------------------------------------------- */

/* Solves A x = b [n] in place by elimination with row exchange. */
static void eliminate(size_t n, double *A, double *b)
{
    for (size_t p = 0; p < n; p++) {
        size_t best = p;
        for (size_t i = p; i < n; i++)
            if (fabs(A[i * n + p]) > fabs(A[best * n + p]))
                best = i;
        for (size_t j = 0; j < n; j++) {
            double t = A[p * n + j];
            A[p * n + j] = A[best * n + j];
            A[best * n + j] = t;
        }
        double t = b[p];
        b[p] = b[best];
        b[best] = t;
        for (size_t i = p + 1; i < n; i++) {
            double f = A[i * n + p] / A[p * n + p];
            for (size_t j = p; j < n; j++)
                A[i * n + j] -= f * A[p * n + j];
            b[i] -= f * b[p];
        }
    }
    for (size_t p = n; p-- > 0;) {
        for (size_t j = p + 1; j < n; j++)
            b[p] -= A[p * n + j] * b[j];
        b[p] /= A[p * n + p];
    }
}

typedef struct spread {
    two_views v;
    size_t n, d, cut;                   /* rows before cut are labelled */
    int y[MAX_N];
    const int *labels[2];
    mtc_data sources[2], target;
} spread;

/* Two labelled sets and a target, cut from one cloud. */
static void make_spread(spread *s, uint64_t seed)
{
    s->n = 40;
    s->d = 3;
    s->cut = 14;
    test_fill(s->v.x, s->n * s->d, seed, 0, 1);
    for (size_t i = 0; i < s->cut; i++)
        s->y[i] = (int)(i % 3);
    s->sources[0] = mtc_dense(6, s->d, s->v.x);
    s->sources[1] = mtc_dense(s->cut - 6, s->d, s->v.x + 6 * s->d);
    s->target = mtc_dense(s->n - s->cut, s->d, s->v.x + s->cut * s->d);
    s->labels[0] = s->y;
    s->labels[1] = s->y + 6;
}

enum { FAR = 520, LABELS = 8, LINE = FAR + LABELS };    /* 512: eliminated */

/* x [n]: the harmonic function with weights W, links e to all labels and b to
 * those of one class.  Elimination without a subtraction (Grassmann, Taksar,
 * Heyman): every digit, however weak the links are. */
static void harmonic_by_hand(size_t n, double (*W)[LINE], double *e, double *b,
                             double *x)
{
    static double p[LINE];
    for (size_t k = 0; k < n; k++) {
        p[k] = e[k];
        for (size_t j = k + 1; j < n; j++)
            p[k] += W[k][j];
        for (size_t i = k + 1; i < n; i++) {
            double f = W[i][k] / p[k];
            for (size_t j = k + 1; j < n; j++)
                W[i][j] += i == j ? 0 : f * W[k][j];
            e[i] += f * e[k];
            b[i] += f * b[k];
        }
    }
    for (size_t k = n; k-- > 0;) {
        x[k] = b[k];
        for (size_t j = k + 1; j < n; j++)
            x[k] += W[k][j] * x[j];
        x[k] /= p[k];
    }
}

/* Targets x [n] on a line, labels at z[0] and z[1]: scores as above, which sum
 * to 1, and no label by chance. */
static enum greatest_test_res harmonic_on_a_line(size_t n, const mtc_real *x,
                                                 const mtc_real *z)
{
    static double W[LINE][LINE], e[FAR], b[FAR], f[FAR];
    mtc_context ctx = test_context();
    const int y[2] = {0, 1}, *labels[1] = {y};
    mtc_data source = mtc_dense(2, 1, z), target = mtc_dense(n, 1, x);
    mtc_propagate_options o = mtc_propagate_defaults();
    mtc_propagate_result r;
    o.graph.absolute = 1;
    o.graph.neighbors = 0;
    for (size_t i = 0; i < n; i++) {
        double to[2];
        for (size_t j = 0; j < n + 2; j++) {
            double gap = (double)(x[i] - (j < n ? x[j] : z[j - n]));
            double w = i == j ? 0 : exp(-gap * gap / .125);
            *(j < n ? &W[i][j] : &to[j - n]) = w;
        }
        e[i] = to[0] + to[1];
        b[i] = to[0];
    }
    harmonic_by_hand(n, W, e, b, f);
    ASSERT_EQ(MTC_OK, mtc_propagate(&ctx, &source, labels, 1, &target, &o,
                                    &r));
    ASSERT(r.converged);
    for (size_t i = 0; i < n; i++) {
        double close = sizeof(mtc_real) == 8 ? 1e-8 : 1e-3;
        double a = (double)r.scores[2 * i], c = (double)r.scores[2 * i + 1];
        ASSERT_IN_RANGE(f[i], a, close);
        ASSERT_IN_RANGE(1., a + c, close);
        if (fabs(f[i] - .5) > close)
            ASSERT_EQ(f[i] > .5 ? 0 : 1, r.labels[i]);
    }
    mtc_propagate_free(&ctx, &r);
    PASS();
}

/* Labels at 0 and 1, the target beyond 4: links of 1e-32 or, in double, 1e-56
 * beside weights of 1 within it, which are all that rounding sees.  The larger
 * one goes by conjugate gradients. */
TEST harmonic_functions_reach_a_far_target(void)
{
    for (uint64_t seed = 1; seed <= 10; seed++) {
        static mtc_real x[FAR];
        mtc_real from = sizeof(mtc_real) == 8 && seed % 2 ? 5 : 4;
        mtc_real z[2] = {seed % 3 == 0 ? 2 * from : 0, 1};
        size_t n = seed < 10 ? 24 : FAR;
        test_fill(x, n, seed, 0, 1);
        for (size_t i = 0; i < n; i++)
            x[i] += from;
        CHECK_CALL(harmonic_on_a_line(n, x, z));
    }
    PASS();
}

/* Groups here and there between the labels, links down to 1e-281 (1e-36 in
 * float) beside 1, all solved for at once. */
TEST harmonic_functions_reach_groups_apart(void)
{
    for (uint64_t seed = 1; seed <= 40; seed++) {
        mtc_real x[60], place[8];
        mtc_real wide = (mtc_real)(sizeof(mtc_real) == 8 ? 8.5 : 2.7);
        test_fill(place, 8, seed + 70, 0, 1);
        test_fill(x, 60, seed, 0, 1);
        for (size_t i = 0; i < 60; i++)
            x[i] = x[i] / 2 + wide * place[i % 6];
        for (size_t i = 6; i < 8; i++)
            place[i] *= wide;
        CHECK_CALL(harmonic_on_a_line(60, x, place + 6));
    }
    PASS();
}

/* Groups apart of more samples than are eliminated: conjugate gradients may be
 * beyond their rounding.  Then scores leave [0,1], and the result says so. */
TEST harmonic_functions_say_where_gradients_fail(uint64_t seed)
{
    static mtc_real x[FAR];
    mtc_context ctx = test_context();
    const int y[2] = {0, 1}, *labels[1] = {y};
    mtc_real place[8];
    mtc_propagate_options o = mtc_propagate_defaults();
    mtc_propagate_result r;
    o.graph.absolute = 1;
    o.graph.neighbors = 20;
    test_fill(place, 8, seed + 900, 0, (double)(1 + seed % 40));
    test_fill(x, FAR, seed, 0, .5);
    for (size_t i = 0; i < FAR; i++)
        x[i] += place[i % (1 + seed % 6)];
    mtc_data S = mtc_dense(2, 1, place + 6), T = mtc_dense(FAR, 1, x);
    ASSERT_EQ(MTC_OK, mtc_propagate(&ctx, &S, labels, 1, &T, &o, &r));
    for (size_t i = 0; i < 2 * FAR && r.converged; i++)
        ASSERT_IN_RANGE(.5, (double)r.scores[i], .5 + 1e-3);
    mtc_propagate_free(&ctx, &r);
    PASS();
}

TEST harmonic_functions_solve_their_linear_system(void)
{
    static spread s;
    static double A[MAX_N * MAX_N];
    double b[MAX_N];
    mtc_context ctx = test_context();
    for (uint64_t seed = 1; seed <= 12; seed++) {
        make_spread(&s, seed);
        mtc_propagate_options o = mtc_propagate_defaults();
        mtc_propagate_result r;
        mtc_graph g;
        o.classes = 3;
        o.graph.neighbors = seed % 2 ? 6 : 0;
        o.graph.width = (mtc_real)0.5;
        ASSERT_EQ(MTC_OK, mtc_propagate(&ctx, s.sources, s.labels, 2,
                                        &s.target, &o, &r));
        mtc_data all = mtc_dense(s.n, s.d, s.v.x);
        ASSERT_EQ(MTC_OK, mtc_graph_build(&ctx, &all, 1, &o.graph, &g));
        ASSERT_EQ(1, g.components);
        ASSERT(r.converged);
        size_t u = s.n - s.cut;
        for (int c = 0; c < 3; c++) {
            for (size_t i = 0; i < u; i++) {
                double degree = 0;
                b[i] = 0;
                for (size_t j = 0; j < s.n; j++) {
                    double w = (double)weight_at(&g.weights, s.cut + i, j);
                    degree += w;
                    if (j < s.cut)
                        b[i] += w * (s.y[j] == c);
                    else
                        A[i * u + j - s.cut] = -w;
                }
                A[i * u + i] += degree;
            }
            eliminate(u, A, b);
            for (size_t i = 0; i < u; i++)
                ASSERT_IN_RANGE(b[i], (double)r.scores[i * 3 + (size_t)c],
                                sizeof(mtc_real) == 8 ? 1e-8 : 1e-3);
        }
        for (size_t i = 0; i < u; i++) {            /* maximum principle */
            const mtc_real *f = r.scores + i * 3;
            ASSERT_IN_RANGE(1, f[0] + f[1] + f[2], TOL(1e-8) * 10);
            for (size_t c = 0; c < 3; c++)
                ASSERT(f[r.labels[i]] >= f[c]);
        }
        mtc_propagate_free(&ctx, &r);
        mtc_graph_free(&ctx, &g);
    }
    PASS();
}

TEST consistency_solves_its_linear_system(void)
{
    static spread s;
    static double A[MAX_N * MAX_N];
    double b[MAX_N], degree[MAX_N];
    mtc_context ctx = test_context();
    for (uint64_t seed = 1; seed <= 8; seed++) {
        make_spread(&s, seed);
        mtc_propagate_options o = mtc_propagate_defaults();
        mtc_propagate_result r;
        mtc_graph g;
        o.classes = 3;
        o.consistency = 1;
        o.mu = (mtc_real)(seed % 2 ? 0.1 : 1);
        o.graph.neighbors = 6;
        ASSERT_EQ(MTC_OK, mtc_propagate(&ctx, s.sources, s.labels, 2,
                                        &s.target, &o, &r));
        mtc_data all = mtc_dense(s.n, s.d, s.v.x);
        ASSERT_EQ(MTC_OK, mtc_graph_build(&ctx, &all, 1, &o.graph, &g));
        for (size_t i = 0; i < s.n; i++) {
            degree[i] = 0;
            for (size_t j = 0; j < s.n; j++)
                degree[i] += (double)weight_at(&g.weights, i, j);
        }
        for (int c = 0; c < 3; c++) {
            for (size_t i = 0; i < s.n; i++) {
                b[i] = i < s.cut && s.y[i] == c;
                for (size_t j = 0; j < s.n; j++)
                    A[i * s.n + j] =
                        (i == j) - (double)weight_at(&g.weights, i, j) /
                                       sqrt(degree[i] * degree[j]) /
                                       (1 + (double)o.mu);
            }
            eliminate(s.n, A, b);
            for (size_t i = s.cut; i < s.n; i++)
                ASSERT_IN_RANGE(
                    b[i], (double)r.scores[(i - s.cut) * 3 + (size_t)c],
                    sizeof(mtc_real) == 8 ? 1e-8 : 1e-3);
        }
        mtc_propagate_free(&ctx, &r);
        mtc_graph_free(&ctx, &g);
    }
    PASS();
}

/* Targets x [n] on a line, labels at z [LABELS]: the options, and S. */
typedef struct line {
    size_t n;
    mtc_real x[FAR], z[LABELS];
    double S[LINE][LINE], degree[LINE];
    mtc_propagate_options o;
} line;

static const int line_y[LABELS] = {0, 1, 1, 0, 1, 0, 0, 1};

static void line_system(line *l)
{
    size_t N = l->n + LABELS;
    memset(l->degree, 0, sizeof l->degree);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++) {
            double gap = (double)((i < LABELS ? l->z[i] : l->x[i - LABELS]) -
                                  (j < LABELS ? l->z[j] : l->x[j - LABELS]));
            l->S[i][j] = i == j ? 0 : exp(-gap * gap / .125);
            l->degree[i] += l->S[i][j];
        }
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++)
            l->S[i][j] /= sqrt(l->degree[i]) * sqrt(l->degree[j]);
}

/* Groups apart if n < FAR, all labels in two of them if n = FAR - 1; else a
 * band with its labels at one end. */
static void make_line(line *l, size_t n, uint64_t seed, mtc_real wide,
                      double mu)
{
    mtc_real place[6];
    l->n = n;
    l->o = mtc_propagate_defaults();
    l->o.consistency = 1;
    l->o.mu = (mtc_real)mu;
    l->o.graph.absolute = 1;
    l->o.graph.neighbors = 0;
    test_fill(place, 6, seed + 70, 0, 1);
    test_fill(l->z, LABELS, seed + 30, 0, 1);
    test_fill(l->x, n, seed, 0, 1);
    for (size_t i = 0; i < n; i++)
        l->x[i] = n == FAR ? l->x[i] * wide
                           : l->x[i] / 2 + wide * place[i % 6];
    for (size_t i = 0; i < LABELS; i++)
        l->z[i] = n == FAR - 1 ? l->z[i] / 2 + wide * place[i % 2]
                               : l->z[i] * wide / (n < FAR ? 1 : 4);
    line_system(l);
}

static mtc_status propagate_line(const line *l, mtc_propagate_result *r)
{
    mtc_context ctx = test_context();
    const int *labels[1] = {line_y};
    mtc_data source = mtc_dense(LABELS, 1, l->z);
    mtc_data target = mtc_dense(l->n, 1, l->x);
    return mtc_propagate(&ctx, &source, labels, 1, &target, &l->o, r);
}

/* F of class c by its series, the sum of a^k S^k Y: no term is negative. */
static void series_by_hand(const line *l, int c, int terms, double *F)
{
    static double term[2][LINE];
    size_t N = l->n + LABELS;
    for (size_t i = 0; i < N; i++)
        F[i] = term[0][i] = i < LABELS && line_y[i] == c;
    for (int k = 0; k < terms; k++)
        for (size_t i = 0; i < N; i++) {
            double sum = 0;
            for (size_t j = 0; j < N; j++)
                sum += l->S[i][j] * term[k % 2][j];
            F[i] += term[!(k % 2)][i] = sum / (1 + (double)l->o.mu);
        }
}

/* Groups apart, a band of many steps with its labels at one end, and labels
 * that count for next to nothing: scores are right to `close` of themselves,
 * by elimination or, of the larger problem, by the series. */
TEST consistency_is_right_however_small(void)
{
    static const double mu[] = {.5, 1, 100, 1e6, 1e20};
    static line l;
    static double F[LINE];
    for (uint64_t seed = 1; seed <= 40 + 5 / TEST_FEWER; seed++) {
        int whole = seed <= 40, in_double = sizeof(mtc_real) == 8;
        double least = in_double ? 1e-280 : 1e-30, close = in_double ? 1e-8
                                                                     : 1e-2;
        size_t seen = 0;
        mtc_propagate_result r;
        make_line(&l, whole ? 60 : FAR, seed,
                  in_double ? 8 : (mtc_real)2.5, mu[seed % 5]);
        ASSERT_EQ(MTC_OK, propagate_line(&l, &r));
        ASSERT(r.converged);
        ASSERT_EQ(whole, r.iterations == 0);
        for (int c = 0; c < 2; c++) {
            series_by_hand(&l, c, l.o.mu > 10 ? 60 : l.o.mu < 1 ? 300 : 150,
                           F);
            for (size_t i = 0; i < l.n; i++) {
                double got = (double)r.scores[2 * i + (size_t)c];
                if (F[LABELS + i] < least)
                    continue;
                ASSERT_IN_RANGE(1., got / F[LABELS + i],
                                whole ? close / 100 : close);
                seen++;
            }
        }
        ASSERT(seen > l.n);
        mtc_context ctx = test_context();
        mtc_propagate_free(&ctx, &r);
    }
    PASS();
}

/* A long chain of weak links, 1e-199 or in float 1e-20: products of these with
 * scores are below any real, the scores are not. */
TEST consistency_goes_along_weak_links(void)
{
    static line l;
    static double F[LINE];
    mtc_context ctx = test_context();
    mtc_propagate_result r;
    int in_double = sizeof(mtc_real) == 8;
    mtc_real step = (mtc_real)(in_double ? 7.5625 : 2.375);
    make_line(&l, FAR, 1, 1, 3);
    for (size_t i = 0; i < FAR; i++)
        l.x[i] = (mtc_real)(i + LABELS) * step;
    for (size_t i = 0; i < LABELS; i++)
        l.z[i] = (mtc_real)i * step;
    line_system(&l);
    ASSERT_EQ(MTC_OK, propagate_line(&l, &r));
    for (int c = 0; c < 2; c++) {
        series_by_hand(&l, c, 400, F);
        for (size_t i = 0; i < (in_double ? 290 : 33); i++)
            ASSERT_IN_RANGE(1., (double)r.scores[2 * i + (size_t)c] /
                                    F[LABELS + i], in_double ? 1e-6 : 1e-2);
    }
    mtc_propagate_free(&ctx, &r);
    PASS();
}

/* The larger problem with a small mu goes by conjugate gradients: right on a
 * cloud; on a long band and in groups apart, where scores and links are below
 * their residual, right or not called converged. */
TEST consistency_with_a_small_mu_is_right_or_says_so(int shape)
{
    static const double mu[][2] = {{.04, 1e-5}, {.04, 1e-5}, {1e-9, 1e-7}};
    static line l;
    static double W[LINE][LINE], e[LINE], b[LINE], v[LINE];
    int in_double = sizeof(mtc_real) == 8;
    for (uint64_t seed = 1; seed <= 1 + (shape == 2 ? 3 : 1) / TEST_FEWER;
         seed++) {
        mtc_context ctx = test_context();
        mtc_propagate_result r;
        make_line(&l, shape == 2 ? FAR - 1 : FAR, seed,
                  shape == 0 ? 1 : shape == 1 ? 40 : in_double ? 8 : 2,
                  mu[shape][seed % 2]);
        double a = 1 / (1 + (double)l.o.mu);
        size_t N = l.n + LABELS;
        ASSERT_EQ(MTC_OK, propagate_line(&l, &r));
        ASSERT(r.iterations > 0);
        ASSERT(shape > 0 || r.converged || !in_double);
        for (size_t i = 0; i < N; i++) {        /* v = D^-1/2 F */
            e[i] = (double)l.o.mu * a;
            b[i] = (i < LABELS && line_y[i] == 1) / sqrt(l.degree[i]);
            for (size_t j = 0; j < N; j++)
                W[i][j] = a * l.S[i][j] * sqrt(l.degree[j] / l.degree[i]);
        }
        harmonic_by_hand(N, W, e, b, v);
        for (size_t i = 0; i < l.n && r.converged; i++)
            ASSERT_IN_RANGE(1., (double)r.scores[2 * i + 1] /
                                    (v[LABELS + i] * sqrt(l.degree[LABELS + i])),
                            in_double ? 1e-3 : 3e-2);
        mtc_propagate_free(&ctx, &r);
    }
    PASS();
}

/* A sample without neighbours, two with nobody but each other, and a label
 * alone: scores of 0, the most frequent class, and no harm to the others; by
 * elimination, by the series and by conjugate gradients. */
TEST consistency_leaves_at_0_whom_no_label_reaches(void)
{
    static mtc_real x[FAR];
    mtc_context ctx = test_context();
    const mtc_real z[3] = {0, 1, 3000};
    const int y[3] = {0, 1, 1}, *labels[1] = {y};
    mtc_data S = mtc_dense(3, 1, z), T = mtc_dense(FAR, 1, x);
    for (int way = 0; way < 3; way++) {
        mtc_propagate_options o = mtc_propagate_defaults();
        mtc_propagate_result r;
        o.consistency = 1;
        o.graph.absolute = 1;
        o.graph.neighbors = 0;
        o.mu = (mtc_real)(way == 2 ? .01 : 1);
        T.n = way == 0 ? 20 : FAR;
        for (size_t i = 0; i < T.n; i++)
            x[i] = i == 0 ? 1000 : i < 3 ? 2000 + (mtc_real)i / 10
                                         : (mtc_real)i / (mtc_real)T.n;
        ASSERT_EQ(MTC_OK, mtc_propagate(&ctx, &S, labels, 1, &T, &o, &r));
        ASSERT_EQ(4, r.components);
        ASSERT(r.converged);
        for (size_t i = 0; i < 3; i++) {
            ASSERT(r.scores[2 * i] == 0 && r.scores[2 * i + 1] == 0);
            ASSERT_EQ(1, r.labels[i]);
        }
        for (size_t i = 3; i < T.n; i++)
            ASSERT(r.scores[2 * i] > 0 && r.scores[2 * i + 1] > 0);
        ASSERT(way == 2 || (r.labels[3] == 0 && r.labels[T.n - 1] == 1));
        mtc_propagate_free(&ctx, &r);
    }
    PASS();
}

TEST propagation_gives_an_unreached_component_the_class_shares(void)
{
    mtc_real source[4] = {0, 1, 2, 3};
    mtc_real target[6] = {(mtc_real)0.5, (mtc_real)1.5, 1000, 1001, 1002, 1003};
    int y[4] = {0, 1, 1, 1};
    const int *labels[1] = {y};
    mtc_context ctx = test_context();
    mtc_data S = mtc_dense(4, 1, source), T = mtc_dense(6, 1, target);
    mtc_propagate_options o = mtc_propagate_defaults();
    mtc_propagate_result r;
    o.graph.neighbors = 2;
    for (o.consistency = 0; o.consistency < 2; o.consistency++) {
        ASSERT_EQ(MTC_OK, mtc_propagate(&ctx, &S, labels, 1, &T, &o, &r));
        ASSERT_EQ(2, r.components);
        for (size_t i = 2; i < 6; i++) {
            if (!o.consistency) {
                ASSERT_IN_RANGE((mtc_real)0.25, r.scores[i * 2], TOL(1e-12));
                ASSERT_IN_RANGE((mtc_real)0.75, r.scores[i * 2 + 1],
                                TOL(1e-12));
            }
            ASSERT_EQ(1, r.labels[i]);
        }
        mtc_propagate_free(&ctx, &r);
    }
    y[2] = 7;
    ASSERT_EQ(MTC_INVALID, mtc_propagate(&ctx, &S, labels, 1, &T, &o, &r));
    ASSERT_EQ(2, ctx.error.row);
    PASS();
}

TEST mass_normalisation_brings_columns_to_the_class_shares(void)
{
    static spread s;
    mtc_context ctx = test_context();
    make_spread(&s, 3);
    mtc_propagate_options o = mtc_propagate_defaults();
    mtc_propagate_result r;
    o.classes = 3;
    o.mass_normalisation = 1;
    ASSERT_EQ(MTC_OK, mtc_propagate(&ctx, s.sources, s.labels, 2, &s.target,
                                    &o, &r));
    const double share[3] = {5.0 / 14, 5.0 / 14, 4.0 / 14};
    for (size_t c = 0; c < 3; c++) {
        double sum = 0;
        for (size_t i = 0; i < s.target.n; i++)
            sum += (double)r.scores[i * 3 + c];
        ASSERT_IN_RANGE(share[c], sum, (double)TOL(1e-10));
    }
    mtc_propagate_free(&ctx, &r);
    PASS();
}

/* A link of 1e-312, in float 1e-42, whose reciprocal is no number. */
TEST mass_normalisation_serves_the_weakest_link(void)
{
    mtc_context ctx = test_context();
    mtc_real far = (mtc_real)(sizeof(mtc_real) == 8 ? 9.476 : 3.477);
    const mtc_real z[2] = {0, far}, x[1] = {0};
    const int y[2] = {0, 1}, *labels[1] = {y};
    mtc_data source = mtc_dense(2, 1, z), target = mtc_dense(1, 1, x);
    mtc_propagate_options o = mtc_propagate_defaults();
    mtc_propagate_result r;
    o.graph.absolute = 1;
    ASSERT_EQ(MTC_OK, mtc_propagate(&ctx, &source, labels, 1, &target, &o,
                                    &r));
    ASSERT(r.scores[1] > 0 && r.scores[1] < 1 / TEST_MAX);
    mtc_propagate_free(&ctx, &r);
    o.mass_normalisation = 1;
    ASSERT_EQ(MTC_OK, mtc_propagate(&ctx, &source, labels, 1, &target, &o,
                                    &r));
    ASSERT(r.scores[0] == (mtc_real)0.5 && r.scores[1] == (mtc_real)0.5);
    mtc_propagate_free(&ctx, &r);
    PASS();
}

/* ---- normalised cut ---------------------------------------------------- */

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
        ASSERT_EQ(3, r.components);
        ASSERT_IN_RANGE(0, r.cut, TOL(1e-12));
        for (size_t z = 0; z < 3; z++)              /* one 1 a component */
            ASSERT_IN_RANGE(1, r.eigenvalues[z], TOL(1e-10));
        mtc_ncut_free(&ctx, &r);
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
    mtc_graph_free(&ctx, &g);
    mtc_ncut_free(&ctx, &r);
    PASS();
}

TEST ncut_serves_samples_that_have_no_neighbour(void)
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
    mtc_ncut_free(&ctx, &r);
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
        ASSERT_EQ(r.components, given.components);
        ASSERT_EQ(r.cut, given.cut);
        mtc_graph_free(&ctx, &g);
        mtc_ncut_free(&ctx, &r);
        mtc_ncut_free(&ctx, &given);
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
        mtc_snmf_free(&ctx, &r);
        o.iterations = 20;
        ASSERT_EQ(MTC_OK, mtc_snmf(&ctx, &M[sparse], &o, &r));
        ASSERT_EQ(20, r.iterations);
        for (size_t e = 0; e < n * k; e++)
            ASSERT_IN_RANGE(Y20[e], (double)r.Y[e], loose * 10);
        for (size_t t = 0; t <= r.iterations; t++)
            ASSERT_IN_RANGE(f[t], (double)r.objective[t], loose * f[0]);
        for (size_t i = 0; i < n; i++)
            ASSERT_EQ(labels[i], r.labels[i]);
        mtc_snmf_free(&ctx, &r);
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
        mtc_snmf_free(&ctx, &r);
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
        mtc_snmf_free(&ctx, &r);
    }
    ASSERT(top <= 2 * sqrt(mean / K) * (1 + (double)TOL(1e-14)));
    ASSERT(top > 1.9 * sqrt(mean / K));
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
        mtc_snmf_free(&ctx, &r);
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
    mtc_snmf_free(&ctx, &r);
    PASS();
}

SUITE(graph_suite)
{
    RUN_TEST(neighbours_are_the_nearest_by_brute_force);
    RUN_TEST(neighbours_at_equal_distance_come_in_the_order_of_their_index);
    RUN_TEST(neighbours_keep_their_digits_far_from_the_origin);
    RUN_TEST(graphs_are_symmetric_and_join_whoever_is_near_from_either_side);
    RUN_TEST(graphs_count_their_components);
    RUN_TEST(graph_width_is_a_share_of_the_mean_squared_distance);
    RUN_TEST(harmonic_functions_reach_a_far_target);
    RUN_TEST(harmonic_functions_reach_groups_apart);
    for (uint64_t seed = 90; seed <= 100; seed++)
        RUN_TESTp(harmonic_functions_say_where_gradients_fail, seed);
    RUN_TEST(harmonic_functions_solve_their_linear_system);
    RUN_TEST(consistency_solves_its_linear_system);
    RUN_TEST(consistency_is_right_however_small);
    RUN_TEST(consistency_goes_along_weak_links);
    for (int shape = 0; shape < 3; shape++)
        RUN_TESTp(consistency_with_a_small_mu_is_right_or_says_so, shape);
    RUN_TEST(consistency_leaves_at_0_whom_no_label_reaches);
    RUN_TEST(propagation_gives_an_unreached_component_the_class_shares);
    RUN_TEST(mass_normalisation_brings_columns_to_the_class_shares);
    RUN_TEST(mass_normalisation_serves_the_weakest_link);
    RUN_TEST(ncut_recovers_groups_that_hardly_touch);
    RUN_TEST(ncut_reports_the_cut_of_its_labels);
    RUN_TEST(ncut_serves_samples_that_have_no_neighbour);
    RUN_TEST(ncut_takes_a_similarity_that_is_given);
    RUN_TEST(ncut_refuses_what_is_no_similarity);
    RUN_TEST(snmf_follows_the_worked_cases);
    RUN_TEST(snmf_objective_never_increases_and_is_the_misfit);
    RUN_TEST(snmf_starts_at_the_scale_of_its_matrix);
    RUN_TEST(snmf_of_a_scaled_matrix_gives_the_same_labels);
    RUN_TEST(snmf_refuses_matrices_it_is_not_defined_for);
}
