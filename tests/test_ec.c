/* SPDX-License-Identifier: MIT
 *
 * EC and TrEC: worked cases, what each step promises, degenerate data.
 */
#include <math.h>

#include "golden_ec.h"
#include "greatest.h"
#include "test_util.h"

#define MAX_N 100
#define MAX_D 24
#define MAX_L 10

typedef struct ec_problem {
    mtc_real x[MAX_N * MAX_D], value[MAX_N * MAX_D];
    size_t row[MAX_N + 1];
    uint32_t column[MAX_N * MAX_D];
    mtc_data dense, csr;
    int truth[MAX_N];
} ec_problem;

static void ec_views(ec_problem *p, size_t n, size_t d)
{
    test_sparse(n, d, p->x, p->row, p->column, p->value);
    p->dense = mtc_dense(n, d, p->x);
    p->csr = mtc_csr(n, d, p->row, p->column, p->value);
}

/* The data of the paper: two spheres and two strips, class means times f.
 * The source has 16 features and 4 x 25 samples, the target 24 and 4 x 20. */
static void ec_paper(ec_problem *p, uint64_t seed, int source, double f)
{
    size_t n = source ? 25 : 20, d = source ? 16 : 24;
    double far = source ? 6 : 8, wide = source ? 5 : 6;
    double spread = sqrt(source ? 0.2 : 0.25);
    mtc_random rng = mtc_random_seed(seed * 2 + (uint64_t)source);
    for (size_t i = 0; i < 4 * n; i++) {
        size_t z = i / n;
        mtc_real *x = p->x + i * d;
        p->truth[i] = (int)z;
        for (size_t j = 0; j < d; j++) {
            double e = (double)mtc_random_normal(&rng);
            double sign = (j % 2 == 0) == (z == 2) ? -1 : 1;
            if (z < 2)
                x[j] = (mtc_real)((z == 1 ? f * far : 0) + e);
            else if (i % n == 0)
                x[j] = (mtc_real)(f * sign * wide + spread * e);
            else
                x[j] = x[j - d] + (mtc_real)(0.2 + spread * e);
        }
    }
    ec_views(p, 4 * n, d);
}

/* ---- worked cases -------------------------------------------------------- */

static const double worked = sizeof(mtc_real) == 8 ? 1e-8 : 2e-3;

static enum greatest_test_res close_to(const char *name, const double *expected,
                                       const mtc_real *got, size_t n,
                                       double tolerance)
{
    double most = 1;
    for (size_t i = 0; i < n; i++)
        most = fabs(expected[i]) > most ? fabs(expected[i]) : most;
    for (size_t i = 0; i < n; i++)
        ASSERT_IN_RANGEm(name, expected[i], (double)got[i], tolerance * most);
    PASS();
}

/* H [n*n] and pairs [n(n-1)/2*2] of an ensemble, by definition. */
static void ensemble_pairs(const mtc_ensemble *e, mtc_real *H, mtc_real *pairs)
{
    size_t at = 0;
    for (size_t i = 0; i < e->n; i++)
        for (size_t j = 0; j < e->n; j++) {
            size_t h = 0;
            for (size_t r = 0; r < e->runs; r++)
                h += e->partitions[r * e->n + i] == e->partitions[r * e->n + j];
            H[i * e->n + j] = (mtc_real)h / (mtc_real)e->runs;
            if (i < j) {
                pairs[at++] = (e->silhouette[i] + e->silhouette[j]) / 2;
                pairs[at++] = H[i * e->n + j];
            }
        }
}

typedef struct golden_run {
    ec_problem source, target;
    const int *source_runs[MAX_L], *runs[MAX_L];
    mtc_trec_options o;
    mtc_trec_result r;
} golden_run;

static mtc_status golden_trec_run(mtc_context *ctx, const golden_trec *g,
                                  mtc_meta meta, int sparse, golden_run *q)
{
    for (size_t e = 0; e < g->n_source * g->d_source; e++)
        q->source.x[e] = (mtc_real)g->source[e];
    for (size_t e = 0; e < g->n * g->d; e++)
        q->target.x[e] = (mtc_real)g->target[e];
    ec_views(&q->source, g->n_source, g->d_source);
    ec_views(&q->target, g->n, g->d);
    for (size_t r = 0; r < g->runs; r++) {
        q->source_runs[r] = g->source_partitions + r * g->n_source;
        q->runs[r] = g->partitions + r * g->n;
    }
    q->o = mtc_trec_defaults();
    q->o.ec.clusters = g->k;
    q->o.ec.runs = g->runs;
    q->o.ec.columns = g->columns;
    q->o.ec.partitions = q->runs;
    q->o.ec.features = g->features;
    q->o.source_partitions = q->source_runs;
    q->o.source_features = g->source_features;
    q->o.start_labels = g->start;
    q->o.meta = meta;
    q->o.moves = 40;
    q->o.qmin = 0;
    q->o.tolerance = sizeof(mtc_real) == 8 ? (mtc_real)1e-10 : (mtc_real)1e-4;
    q->o.details = 1;
    return mtc_trec(ctx, sparse ? &q->source.csr : &q->source.dense,
                    g->source_labels,
                    sparse ? &q->target.csr : &q->target.dense, &q->o, &q->r);
}

static enum greatest_test_res same_repair(const golden_trec *g,
                                          const mtc_trec_result *r,
                                          size_t n_moves, const double *moves,
                                          const double *norms,
                                          const int *labels)
{
    ASSERT_EQm(g->name, n_moves, r->iterations);
    for (size_t m = 0; m < n_moves; m++) {
        ASSERT_EQm(g->name, (size_t)moves[4 * m], r->moved[m]);
        ASSERT_EQm(g->name, (int)moves[4 * m + 1], r->from[m]);
        ASSERT_EQm(g->name, (int)moves[4 * m + 2], r->to[m]);
        double change = (double)(r->objective[m + 1] * r->objective[m + 1] -
                                 r->objective[m] * r->objective[m]) / 2;
        ASSERT_IN_RANGEm(g->name, moves[4 * m + 3], change, 1e2 * worked);
    }
    CHECK_CALL(close_to(g->name, norms, r->objective, n_moves + 1, worked));
    for (size_t i = 0; i < g->n; i++) {
        ASSERT_EQm(g->name, labels[i], r->labels[i]);
        ASSERT_EQm(g->name, g->start[i], r->start[i]);
    }
    PASS();
}

static enum greatest_test_res golden_features(const golden_trec *g,
                                              const mtc_trec_result *r)
{
    static mtc_real H[MAX_N * MAX_N], pairs[MAX_N * MAX_N];
    size_t ns = g->n_source, n = g->n;
    ensemble_pairs(&r->source, H, pairs);
    CHECK_CALL(close_to(g->name, g->H_source, H, ns * ns, worked));
    CHECK_CALL(close_to(g->name, g->pairs_source, pairs, ns * (ns - 1),
                        worked));
    CHECK_CALL(close_to(g->name, g->pairs_source, r->pair_meta, ns * (ns - 1),
                        worked));
    CHECK_CALL(close_to(g->name, g->silhouette_source, r->source.silhouette,
                        ns, worked));
    ensemble_pairs(&r->target.ensemble, H, pairs);
    CHECK_CALL(close_to(g->name, g->H, H, n * n, worked));
    CHECK_CALL(close_to(g->name, g->pairs, pairs, n * (n - 1), worked));
    CHECK_CALL(close_to(g->name, g->silhouette,
                        r->target.ensemble.silhouette, n, worked));
    ASSERT_EQm(g->name, g->source_pairs, r->pairs);
    for (size_t i = 0; i < r->pairs; i++)
        ASSERT_EQm(g->name, g->same[i], r->pair_same[i]);
    PASS();
}

static enum greatest_test_res golden_embedding(const golden_trec *g,
                                               const mtc_ec_result *r)
{
    static mtc_real gram[MAX_N * MAX_N], squares[8];
    ASSERT_EQm(g->name, g->k, r->rank);
    for (size_t i = 0; i < g->n; i++)
        for (size_t j = 0; j < g->n; j++)
            gram[i * g->n + j] = mtc_dot(r->rank, r->embedding + i * r->rank,
                                         r->embedding + j * r->rank);
    for (size_t z = 0; z < r->rank; z++)
        squares[z] = r->singular_values[z] * r->singular_values[z];
    CHECK_CALL(close_to(g->name, g->eigenvalues, squares, r->rank, worked));
    CHECK_CALL(close_to(g->name, g->gram, gram, g->n * g->n, worked));
    PASS();
}

static enum greatest_test_res golden_case(const golden_trec *g, int sparse)
{
    static golden_run q;
    mtc_context ctx = test_context();
    ASSERT_EQm(g->name, MTC_OK,
               golden_trec_run(&ctx, g, MTC_META_BOTH, sparse, &q));
    CHECK_CALL(golden_features(g, &q.r));
    CHECK_CALL(golden_embedding(g, &q.r.target));
    CHECK_CALL(close_to(g->name, g->Z, q.r.Z, g->n * g->n, 0));
    if (g->decisions != NULL)
        CHECK_CALL(close_to(g->name, g->decisions, q.r.decisions,
                            g->n * (g->n - 1) / 2,
                            sizeof(mtc_real) == 8 ? 1e-6 : 2e-2));
    CHECK_CALL(same_repair(g, &q.r, g->n_moves, g->moves, g->norms,
                           g->labels));
    mtc_trec_free(&ctx, &q.r);
    ASSERT_EQm(g->name, MTC_OK,
               golden_trec_run(&ctx, g, MTC_META_THRESHOLD, sparse, &q));
    CHECK_CALL(close_to(g->name, g->Z_threshold, q.r.Z, g->n * g->n, 0));
    CHECK_CALL(same_repair(g, &q.r, g->n_moves_threshold, g->moves_threshold,
                           g->norms_threshold, g->labels_threshold));
    ASSERT(q.r.decisions == NULL);
    mtc_trec_free(&ctx, &q.r);
    PASS();
}

TEST trec_meets_the_worked_cases(int sparse)
{
    for (size_t c = 0; c < sizeof golden_trecs / sizeof *golden_trecs; c++)
        CHECK_CALL(golden_case(&golden_trecs[c], sparse));
    PASS();
}

SUITE(ec_suite)
{
    for (int sparse = 0; sparse < 2; sparse++) {
        greatest_set_test_suffix(sparse ? "csr" : "dense");
        RUN_TESTp(trec_meets_the_worked_cases, sparse);
    }
}
