/* SPDX-License-Identifier: MIT
 *
 * Spanning trees and their cuts: worked cases, Kruskal's algorithm, the merging
 * of the definition.
 */
#include <math.h>

#include "golden/auto.h"
#include "greatest.h"
#include "test_util.h"

enum { CASES = (int)(sizeof auto_cases / sizeof *auto_cases) };
enum { MAX_N = 120, MAX_D = 6 };

typedef struct points {
    mtc_real x[MAX_N * MAX_D], value[MAX_N * MAX_D];
    size_t row[MAX_N + 1];
    uint32_t column[MAX_N * MAX_D];
    mtc_data dense, csr;
} points;

/* Values 0, 1, 2 or, `fine`, any: many equal rows and lengths, or none. */
static void make_points(points *p, size_t n, size_t d, uint64_t seed, int fine)
{
    test_fill(p->x, n * d, seed, 0, 3);
    for (size_t e = 0; e < n * d && !fine; e++)
        p->x[e] = (mtc_real)floor((double)p->x[e]);
    test_sparse(n, d, p->x, p->row, p->column, p->value);
    p->dense = mtc_dense(n, d, p->x);
    p->csr = mtc_csr(n, d, p->row, p->column, p->value);
}

static double square(const points *p, size_t a, size_t b)
{
    size_t d = p->dense.d;
    double sum = 0;
    for (size_t e = 0; e < d; e++) {
        double t = (double)p->x[a * d + e] - (double)p->x[b * d + e];
        sum += t * t;
    }
    return sum;
}

/* The distinct rows of a worked case. */
static mtc_data case_rows(const auto_case *c, mtc_real *x)
{
    for (size_t i = 0; i < c->distinct; i++)
        for (size_t e = 0; e < 2; e++)
            x[i * 2 + e] = (mtc_real)c->X[(size_t)c->rows[i] * 2 + e];
    return mtc_dense(c->distinct, 2, x);
}

TEST trees_are_the_worked_ones(void)
{
    static mtc_real x[2 * 60];
    mtc_context ctx = test_context();
    if (sizeof(mtc_real) != 8)
        SKIPm("the worked cases are of doubles");
    for (size_t i = 0; i < CASES; i++) {
        const auto_case *c = &auto_cases[i];
        mtc_data X = case_rows(c, x);
        mtc_tree_result r;
        ASSERT_EQ(MTC_OK, mtc_tree(&ctx, &X, &r));
        ASSERT_EQ(c->distinct, r.n);
        for (size_t e = 0; e + 1 < r.n; e++) {
            ASSERT_EQm(c->name, (size_t)c->edges[2 * e], r.from[e]);
            ASSERT_EQm(c->name, (size_t)c->edges[2 * e + 1], r.to[e]);
            ASSERT_IN_RANGE(c->length[e], (double)r.length[e],
                            (double)TOL(1e-12) * (1 + c->length[e]));
        }
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

/* Two labelings are one partition: a pair is together in both or in none. */
static int same_partition(size_t n, const int *a, const int *b)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            if ((a[i] == a[j]) != (b[i] == b[j]))
                return 0;
    return 1;
}

TEST cuts_are_the_worked_ones(void)
{
    static const double gini[3] = {0.1, 0.3, 0.5};
    static mtc_real x[2 * 60];
    static int labels[60], merged[60];
    mtc_context ctx = test_context();
    for (size_t i = 0; i < CASES; i++) {
        const auto_case *c = &auto_cases[i];
        mtc_data X = case_rows(c, x);
        mtc_tree_result r;
        ASSERT_EQ(MTC_OK, mtc_tree(&ctx, &X, &r));
        for (size_t g = 0; g < 3; g++) {
            mtc_tree_options o = {c->k, (mtc_real)gini[g]};
            ASSERT_EQ(MTC_OK, mtc_tree_cut(&ctx, &r, &o, labels));
            ASSERTm(c->name, same_partition(X.n, labels,
                                  c->candidates + (2 + g) * c->distinct));
            for (size_t a = 0; a < X.n; a++)
                merged[a] = (int)a;
            for (size_t m = 0; c->merges[g] != NULL && m < X.n - c->k; m++) {
                int edge = c->merges[g][m];     /* every step of the merging */
                int to = merged[r.to[edge]], from = merged[r.from[edge]];
                for (size_t a = 0; a < X.n; a++)
                    merged[a] = merged[a] == to ? from : merged[a];
                o.clusters = X.n - 1 - m;
                ASSERT_EQ(MTC_OK, mtc_tree_cut(&ctx, &r, &o, labels));
                ASSERTm(c->name, same_partition(X.n, labels, merged));
            }
        }
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

/* Kruskal's algorithm on all pairs: every minimum spanning tree has the same
 * lengths. */
static void kruskal(const points *p, size_t n, double *length)
{
    int part[MAX_N];
    for (size_t i = 0; i < n; i++)
        part[i] = (int)i;
    for (size_t e = 0; e + 1 < n; e++) {
        size_t from = 0, to = 0;
        double best = HUGE_VAL;
        for (size_t a = 0; a < n; a++)
            for (size_t b = 0; b < a; b++)
                if (part[a] != part[b] && square(p, a, b) < best) {
                    best = square(p, a, b);
                    from = a;
                    to = b;
                }
        int old = part[from], now = part[to];
        for (size_t i = 0; i < n; i++)
            part[i] = part[i] == old ? now : part[i];
        length[e] = best;
    }
}

TEST trees_span_all_rows_at_the_least_length(void)
{
    static points p;
    double length[MAX_N];
    mtc_context ctx = test_context();
    for (unsigned trial = 0; trial < 12; trial++) {
        size_t n = 1 + trial * trial / 2, d = 1 + trial % MAX_D;
        mtc_tree_result dense, csr;
        int part[MAX_N];
        make_points(&p, n, d, trial, (int)trial % 2);
        ASSERT_EQ(MTC_OK, mtc_tree(&ctx, &p.dense, &dense));
        ASSERT_EQ(MTC_OK, mtc_tree(&ctx, &p.csr, &csr));
        kruskal(&p, n, length);
        for (size_t i = 0; i < n; i++)
            part[i] = (int)i;
        for (size_t e = 0; e + 1 < n; e++) {
            size_t a = dense.from[e], b = dense.to[e];
            double tol = (double)TOL(1e-12) * (1 + length[e]);
            ASSERT_IN_RANGE(length[e], (double)dense.length[e], tol);
            ASSERT_IN_RANGE(length[e], (double)csr.length[e], tol);
            ASSERT_IN_RANGE(length[e], square(&p, a, b), tol);
            ASSERT(part[a] != part[b]);         /* no circle: it spans */
            int old = part[a], now = part[b];
            for (size_t i = 0; i < n; i++)
                part[i] = part[i] == old ? now : part[i];
        }
        mtc_free(&ctx, &dense.block);
        mtc_free(&ctx, &csr.block);
    }
    PASS();
}

/* The merging by its definition: all pairs of sizes at every step. */
static void plain_cut(const mtc_tree_result *r, size_t k, mtc_real gini,
                      int *part)
{
    size_t n = r->n;
    int used[MAX_N] = {0};
    for (size_t i = 0; i < n; i++)
        part[i] = (int)i;
    for (size_t c = n; c > k; c--) {
        size_t size[MAX_N] = {0}, least = n, e = 0;
        double sum = 0;
        for (size_t i = 0; i < n; i++)
            size[part[i]]++;
        for (size_t a = 0; a < n; a++) {
            least = size[a] > 0 && size[a] < least ? size[a] : least;
            for (size_t b = 0; b < a; b++)
                if (size[a] > 0 && size[b] > 0)
                    sum += fabs((double)size[a] - (double)size[b]);
        }
        int guarded = (mtc_real)sum / (mtc_real)((c - 1) * n) > gini;
        while (used[e] || (guarded && size[part[r->from[e]]] != least &&
                           size[part[r->to[e]]] != least))
            e++;
        used[e] = 1;
        int old = part[r->to[e]], now = part[r->from[e]];
        for (size_t i = 0; i < n; i++)
            part[i] = part[i] == old ? now : part[i];
    }
}

TEST cuts_merge_as_they_are_defined(void)
{
    static const double gini[5] = {0, 0.1, 0.3, 0.5, 1};
    static points p;
    int labels[MAX_N], plain[MAX_N];
    mtc_context ctx = test_context();
    for (unsigned trial = 0; trial < 30; trial++) {
        size_t n = 2 + 3 * trial, d = 1 + trial % 3;
        mtc_tree_result r;
        make_points(&p, n, d, trial, trial % 4 != 0);
        for (size_t i = 0; i < n * d; i += 5)   /* some far from the others */
            p.x[i] *= 10;
        ASSERT_EQ(MTC_OK, mtc_tree(&ctx, &p.dense, &r));
        for (size_t g = 0; g < 5; g++) {
            mtc_tree_options o = {1 + (trial * 7 + g) % n, (mtc_real)gini[g]};
            ASSERT_EQ(MTC_OK, mtc_tree_cut(&ctx, &r, &o, labels));
            plain_cut(&r, o.clusters, o.gini, plain);
            ASSERT(same_partition(n, labels, plain));
            int seen = 0;                       /* numbered by first rows */
            for (size_t i = 0; i < n; i++) {
                ASSERT(labels[i] <= seen);
                seen += labels[i] == seen;
            }
            ASSERT_EQ((int)o.clusters, seen);
        }
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

TEST a_tree_of_one_row_has_no_edges(void)
{
    mtc_real x[3] = {1, 2, 3};
    int label = -1;
    mtc_context ctx = test_context();
    mtc_data X = mtc_dense(1, 3, x);
    mtc_tree_options o = {1, 0};
    mtc_tree_result r;
    ASSERT_EQ(MTC_OK, mtc_tree(&ctx, &X, &r));
    ASSERT_EQ(1, r.n);
    ASSERT_EQ(MTC_OK, mtc_tree_cut(&ctx, &r, &o, &label));
    ASSERT_EQ(0, label);
    o.clusters = 2;
    ASSERT_EQ(MTC_INVALID, mtc_tree_cut(&ctx, &r, &o, &label));
    mtc_free(&ctx, &r.block);
    PASS();
}

/* All lengths 0: edges stay in the order of joining, that of the rows. */
TEST equal_rows_are_joined_in_their_order(void)
{
    mtc_real x[14] = {0};
    int labels[7], want[7] = {0, 0, 0, 0, 0, 1, 2};
    mtc_context ctx = test_context();
    mtc_data X = mtc_dense(7, 2, x);
    mtc_tree_options o = {3, 1};
    mtc_tree_result r;
    ASSERT_EQ(MTC_OK, mtc_tree(&ctx, &X, &r));
    for (size_t e = 0; e < 6; e++) {
        ASSERT_EQ(0, r.from[e]);
        ASSERT_EQ(e + 1, r.to[e]);
        ASSERT_EQ(0, r.length[e]);
    }
    ASSERT_EQ(MTC_OK, mtc_tree_cut(&ctx, &r, &o, labels));
    ASSERT_MEM_EQ(want, labels, sizeof want);
    mtc_free(&ctx, &r.block);
    PASS();
}

TEST bad_trees_are_refused(void)
{
    mtc_real x[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    int labels[4] = {9, 9, 9, 9};
    mtc_context ctx = test_context();
    mtc_data X = mtc_dense(4, 2, x);
    mtc_tree_result r, none;
    memset(&none, 0, sizeof none);
    ASSERT_EQ(MTC_OK, mtc_tree(&ctx, &X, &r));
    for (int bad = 0; bad < 6; bad++) {
        mtc_tree_options o = mtc_tree_defaults();
        o.clusters = bad == 0 ? 0 : bad == 1 ? 5 : o.clusters;
        o.gini = bad == 2 ? -1 : bad == 3 ? 2 : o.gini;
        ASSERT_EQ(MTC_INVALID, mtc_tree_cut(&ctx, bad == 4 ? &none : &r, &o,
                                            bad == 5 ? NULL : labels));
    }
    ASSERT_EQ(MTC_INVALID, mtc_tree_cut(&ctx, NULL, NULL, labels));
    ASSERT_EQ(9, labels[0]);
    ASSERT_EQ(MTC_OK, mtc_tree_cut(&ctx, &r, NULL, labels));  /* k 2, .3 */
    ASSERT_EQ(1, labels[3]);
    mtc_free(&ctx, &r.block);
    x[5] = TEST_MAX * 2;
    ASSERT_EQ(MTC_DOMAIN, mtc_tree(&ctx, &X, &r));
    ASSERT_EQ(2, ctx.error.row);
    PASS();
}

SUITE(tree)
{
    RUN_TEST(trees_are_the_worked_ones);
    RUN_TEST(cuts_are_the_worked_ones);
    RUN_TEST(trees_span_all_rows_at_the_least_length);
    RUN_TEST(cuts_merge_as_they_are_defined);
    RUN_TEST(a_tree_of_one_row_has_no_edges);
    RUN_TEST(equal_rows_are_joined_in_their_order);
    RUN_TEST(bad_trees_are_refused);
}
