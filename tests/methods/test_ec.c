/* SPDX-License-Identifier: MIT
 *
 * EC and TrEC: worked cases, what each step promises, degenerate data.
 */
#include <math.h>

#include "golden/ec.h"
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
                x[j] = (x - d)[j] + (mtc_real)(0.2 + spread * e);
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
    const mtc_real *P = e->silhouette;          /* NULL where no rule asks */
    size_t at = 0;
    for (size_t i = 0; i < e->n; i++)
        for (size_t j = 0; j < e->n; j++) {
            size_t h = 0;
            for (size_t r = 0; r < e->runs; r++)
                h += e->partitions[r * e->n + i] == e->partitions[r * e->n + j];
            H[i * e->n + j] = (mtc_real)h / (mtc_real)e->runs;
            if (i < j) {
                pairs[at++] = P ? (P[i] + P[j]) / 2 : 0;
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
    q->o.iterations = 40;
    q->o.qmin = 0;
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
    CHECK_CALL(close_to(g->name, g->silhouette_source, r->source.silhouette,
                        ns, worked));
    ensemble_pairs(&r->target.ensemble, H, pairs);
    CHECK_CALL(close_to(g->name, g->H, H, n * n, worked));
    CHECK_CALL(close_to(g->name, g->pairs, pairs, n * (n - 1), worked));
    CHECK_CALL(close_to(g->name, g->silhouette,
                        r->target.ensemble.silhouette, n, worked));
    ASSERT_EQm(g->name, g->source_pairs, r->pairs);
    PASS();
}

static enum greatest_test_res golden_embedding(const golden_trec *g,
                                               const mtc_vote_result *r)
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

/* Z [n*n] of the SVM on all pairs of the source, and its decisions
 * [n(n-1)/2] on those of the target, by the public calls: what the rule has to
 * say. */
typedef struct svm_rule {
    mtc_real f[MAX_N * MAX_N], Z[MAX_N * MAX_N];
} svm_rule;

static mtc_status rule_of(mtc_context *ctx, const mtc_trec_result *r,
                          const int *labels, const mtc_trec_options *o,
                          svm_rule *rule)
{
    static mtc_real H[MAX_N * MAX_N], x[2 * MAX_N * MAX_N], y[MAX_N * MAX_N];
    static int same[MAX_N * MAX_N];
    size_t ns = r->source.n, n = r->target.ensemble.n, at = 0;
    size_t d = o->meta == MTC_META_BOTH ? 2 : 1, last = n * (n - 1) / 2;
    mtc_svm_options so = mtc_svm_defaults();
    mtc_svm_result m;
    for (size_t i = 0; i < ns; i++)
        for (size_t j = i + 1; j < ns; j++)
            same[at++] = labels[i] == labels[j];
    ensemble_pairs(&r->source, H, x);
    ensemble_pairs(&r->target.ensemble, H, y);
    for (size_t i = 0; d == 1 && i < at; i++)
        x[i] = x[2 * i + 1];
    for (size_t i = 0; d == 1 && i < last; i++)
        y[i] = y[2 * i + 1];
    mtc_data X = mtc_dense(at, d, x), Y = mtc_dense(last, d, y);
    so.kernel = MTC_KERNEL_RBF;
    so.gamma = o->gamma;
    so.cost = o->cost;
    so.tolerance = (mtc_real)(sizeof(mtc_real) == 8 ? 1e-8 : 1e-3);
    mtc_status s = mtc_svm(ctx, &X, same, &so, &m);
    if (s != MTC_OK)
        return s;
    s = mtc_svm_assign(ctx, &Y, &X, &m, NULL, rule->f);
    mtc_free(ctx, &m.block);
    at = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i; j < n; j++)
            rule->Z[i * n + j] = rule->Z[j * n + i] =
                j == i || rule->f[at++] > 0;
    return s;
}

/* Z [n*n] of a rule that has only h: its values are in the result. */
static void rule_of_hits(const mtc_trec_result *r, mtc_real *Z)
{
    const mtc_ensemble *e = &r->target.ensemble;
    for (size_t i = 0; i < e->n; i++)
        for (size_t j = 0; j < e->n; j++) {
            size_t h = 0;
            for (size_t l = 0; l < e->runs; l++)
                h += e->partitions[l * e->n + i] ==
                     e->partitions[l * e->n + j];
            Z[i * e->n + j] = j == i ? 1 : r->same[h];
        }
}

static enum greatest_test_res golden_case(const golden_trec *g, int sparse)
{
    static golden_run q;
    static svm_rule rule;
    mtc_context ctx = test_context();
    ASSERT_EQm(g->name, MTC_OK,
               golden_trec_run(&ctx, g, MTC_META_BOTH, sparse, &q));
    CHECK_CALL(golden_features(g, &q.r));
    CHECK_CALL(golden_embedding(g, &q.r.target.vote));
    ASSERT_EQm(g->name, MTC_OK,
               rule_of(&ctx, &q.r, g->source_labels, &q.o, &rule));
    CHECK_CALL(close_to(g->name, g->Z, rule.Z, g->n * g->n, 0));
    if (g->decisions != NULL)
        CHECK_CALL(close_to(g->name, g->decisions, rule.f,
                            g->n * (g->n - 1) / 2,
                            sizeof(mtc_real) == 8 ? 1e-6 : 2e-2));
    CHECK_CALL(same_repair(g, &q.r, g->n_moves, g->moves, g->norms,
                           g->labels));
    mtc_free(&ctx, &q.r.block);
    PASS();
}

TEST trec_meets_the_worked_cases(int sparse)
{
    for (size_t c = 0; c < sizeof golden_trecs / sizeof *golden_trecs; c++)
        CHECK_CALL(golden_case(&golden_trecs[c], sparse));
    PASS();
}

/* ---- the ensemble -------------------------------------------------------- */

TEST runs_draw_distinct_features_evenly(void)
{
    static ec_problem p;
    size_t used[MAX_D] = {0}, differ = 0;
    ec_paper(&p, 1, 0, 0.3);
    for (uint64_t seed = 1; seed <= 40; seed++) {
        mtc_context ctx = test_context();
        ctx.seed = seed;
        mtc_ec_options o = mtc_ec_defaults();
        mtc_ec_result r;
        o.clusters = 4;
        o.columns = 3;
        ASSERT_EQ(MTC_OK, mtc_ec(&ctx, &p.dense, &o, &r));
        const mtc_ensemble *e = &r.ensemble;
        ASSERT_EQ(10, e->runs);
        ASSERT_EQ(3, e->columns);
        ASSERT(e->silhouette == NULL);
        for (size_t run = 0; run < e->runs; run++) {
            const size_t *f = e->features + 3 * run;
            ASSERT(f[0] < f[1] && f[1] < f[2] && f[2] < 24);
            for (size_t c = 0; c < 3; c++)
                used[f[c]]++;
            differ += run > 0 && memcmp(f, f - 3, 3 * sizeof *f) != 0;
        }
        mtc_free(&ctx, &r.block);
    }
    ASSERT(differ > 350);
    for (size_t j = 0; j < 24; j++)             /* 1200 draws, 50 expected */
        ASSERT(used[j] > 20 && used[j] < 90);
    PASS();
}

/* Every run is a partition that k-means cannot better, and its means. */
TEST runs_are_fixed_points_of_k_means_in_their_subspace(void)
{
    static ec_problem p;
    mtc_context ctx = test_context();
    ec_paper(&p, 4, 0, 0.3);
    mtc_ec_options o = mtc_ec_defaults();
    mtc_ec_result r;
    o.clusters = 4;
    ASSERT_EQ(MTC_OK, mtc_ec(&ctx, &p.dense, &o, &r));
    const mtc_ensemble *e = &r.ensemble;
    ASSERT_EQ(6, e->columns);                   /* a quarter of 24 */
    for (size_t run = 0; run < e->runs; run++)
        for (size_t i = 0; i < e->n; i++) {
            double best = 1e300, own = 0;
            for (size_t z = 0; z < e->clusters; z++) {
                double d = 0;
                const mtc_real *u = e->centers + (run * e->clusters + z) * 6;
                for (size_t c = 0; c < 6; c++) {
                    size_t j = e->features[run * 6 + c];
                    double t = (double)p.x[i * 24 + j] - (double)u[c];
                    d += t * t;
                }
                best = d < best ? d : best;
                if ((int)z == e->partitions[run * e->n + i])
                    own = d;
            }
            ASSERT(own <= best + 1e3 * (double)TEST_EPS * (1 + best));
        }
    mtc_free(&ctx, &r.block);
    PASS();
}

/* Two of four features: six pairs, each within five standard deviations of
 * its share of the draws. */
TEST runs_draw_every_set_of_features_as_often(void)
{
    enum { RUNS = 600 };
    mtc_real x[4 * 4];
    size_t seen[16] = {0};
    mtc_context ctx = test_context();
    test_fill(x, 16, 1, 0, 1);
    mtc_data X = mtc_dense(4, 4, x);
    mtc_ec_options o = mtc_ec_defaults();
    mtc_ec_result r;
    o.runs = RUNS;
    o.columns = 2;
    ASSERT_EQ(MTC_OK, mtc_ec(&ctx, &X, &o, &r));
    for (size_t l = 0; l < RUNS; l++) {
        const size_t *f = r.ensemble.features + 2 * l;
        ASSERT(f[0] < f[1] && f[1] < 4);
        seen[4 * f[0] + f[1]]++;
    }
    for (size_t a = 0; a < 4; a++)
        for (size_t b = a + 1; b < 4; b++)
            ASSERT_IN_RANGE(RUNS / 6., (double)seen[4 * a + b],
                            5 * sqrt(RUNS * 5. / 36));
    mtc_free(&ctx, &r.block);
    PASS();
}

TEST given_runs_replace_the_drawn_ones(void)
{
    static ec_problem p;
    mtc_context ctx = test_context();
    ec_paper(&p, 4, 0, 0.3);
    mtc_ec_options o = mtc_ec_defaults();
    mtc_ec_result a, b, c;
    const int *runs[MAX_L];
    o.clusters = 4;
    ASSERT_EQ(MTC_OK, mtc_ec(&ctx, &p.dense, &o, &a));
    for (size_t r = 0; r < 10; r++)
        runs[r] = a.ensemble.partitions + r * 80;
    o.partitions = runs;
    o.features = a.ensemble.features;
    ASSERT_EQ(MTC_INVALID, mtc_ec(&ctx, &p.dense, &o, &b));
    o.columns = a.ensemble.columns;             /* of the given ones */
    ASSERT_EQ(MTC_OK, mtc_ec(&ctx, &p.dense, &o, &b));
    o.features = NULL;                      /* all of them, for the model */
    ASSERT_EQ(MTC_OK, mtc_ec(&ctx, &p.csr, &o, &c));
    ASSERT_EQ(24, c.ensemble.columns);
    ASSERT(c.ensemble.features == NULL);
    ASSERT_EQ(0, memcmp(a.labels, b.labels, 80 * sizeof(int)));
    ASSERT_EQ(0, memcmp(a.labels, c.labels, 80 * sizeof(int)));
    mtc_free(&ctx, &a.block);
    mtc_free(&ctx, &b.block);
    mtc_free(&ctx, &c.block);
    PASS();
}

TEST ec_is_the_vote_over_its_runs(void)
{
    static ec_problem p;
    mtc_context ctx = test_context();
    ec_paper(&p, 9, 0, 0.25);
    mtc_ec_options o = mtc_ec_defaults();
    mtc_ec_result r;
    o.clusters = 4;
    ASSERT_EQ(MTC_OK, mtc_ec(&ctx, &p.dense, &o, &r));
    const int *runs[MAX_L];
    for (size_t l = 0; l < 10; l++)
        runs[l] = r.ensemble.partitions + l * 80;
    mtc_vote_options vo = mtc_vote_defaults();
    mtc_vote_result v;
    vo.clusters = 4;
    vo.restarts = 10;
    ASSERT_EQ(MTC_OK, mtc_vote(&ctx, 80, runs, 10, &vo, &v));
    ASSERT_EQ(0, memcmp(v.labels, r.labels, 80 * sizeof(int)));
    ASSERT_EQ(0, memcmp(v.embedding, r.vote.embedding,
                        80 * v.rank * sizeof(mtc_real)));
    ASSERT_EQ(0, memcmp(v.stability, r.vote.stability, 80 * sizeof(mtc_real)));
    mtc_free(&ctx, &v.block);
    mtc_free(&ctx, &r.block);
    PASS();
}

TEST sparse_and_dense_data_give_the_same_bits(void)
{
    static ec_problem s, t;
    mtc_context ctx = test_context();
    ec_paper(&s, 2, 1, 0.3);
    ec_paper(&t, 2, 0, 0.3);
    for (size_t e = 0; e < 100 * 16; e += 3)
        s.x[e] = 0;
    for (size_t e = 0; e < 80 * 24; e += 3)
        t.x[e] = 0;
    ec_views(&s, 100, 16);
    ec_views(&t, 80, 24);
    for (int meta = 0; meta < 3; meta++) {
        mtc_trec_options o = mtc_trec_defaults();
        mtc_trec_result a, b;
        o.ec.clusters = 4;
        o.meta = (mtc_meta)meta;
        o.pairs = 300;
        ASSERT_EQ(MTC_OK,
                  mtc_trec(&ctx, &s.dense, s.truth, &t.dense, &o, &a));
        ASSERT_EQ(MTC_OK, mtc_trec(&ctx, &s.csr, s.truth, &t.csr, &o, &b));
        ASSERT_EQ(a.iterations, b.iterations);
        ASSERT_EQ(0, memcmp(a.labels, b.labels, 80 * sizeof(int)));
        ASSERT_EQ(0, memcmp(a.objective, b.objective,
                            (a.iterations + 1) * sizeof(mtc_real)));
        ASSERT_EQ(0, memcmp(a.same, b.same, 11 * sizeof(mtc_real)));
        mtc_free(&ctx, &a.block);
        mtc_free(&ctx, &b.block);
    }
    PASS();
}

TEST new_samples_join_the_cluster_they_lie_in(void)
{
    static ec_problem p, q;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        mtc_context ctx = test_context();
        ctx.seed = seed;
        ec_paper(&p, seed, 0, 1);
        ec_paper(&q, seed + 100, 0, 1);
        mtc_ec_options o = mtc_ec_defaults();
        mtc_ec_result r;
        mtc_scores s;
        int labels[80];
        o.clusters = 4;
        ASSERT_EQ(MTC_OK, mtc_ec(&ctx, &p.dense, &o, &r));
        ASSERT_EQ(MTC_OK, mtc_ec_assign(&ctx, &q.csr, &r, labels));
        ASSERT_EQ(MTC_OK, mtc_score(&ctx, 80, q.truth, labels, &s));
        ASSERT(s.ari > (mtc_real)0.97);
        ASSERT_EQ(MTC_OK, mtc_ec_assign(&ctx, &p.dense, &r, labels));
        ASSERT_EQ(0, memcmp(labels, r.labels, sizeof labels));
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

/* ---- transfer ------------------------------------------------------------ */

/* Every move and every cost, computed again from Z. */
static enum greatest_test_res check_repair(const mtc_trec_result *r,
                                           const mtc_real *Z, size_t n,
                                           size_t k, size_t moves,
                                           mtc_real qmin)
{
    static int label[MAX_N];
    memcpy(label, r->start, n * sizeof *label);
    for (size_t m = 0; m <= r->iterations; m++) {
        double cost = 0, best = 0;
        size_t size[8] = {0};
        for (size_t i = 0; i < n; i++) {
            size[label[i]]++;
            for (size_t j = 0; j < n; j++) {
                double z = (double)Z[i * n + j];
                double e = (label[i] == label[j]) - z;
                cost += i == j ? 0 : e * e;
            }
        }
        ASSERT_IN_RANGE(sqrt(cost), (double)r->objective[m], TOL(1e-9) * 100);
        for (size_t i = 0; i < n; i++)
            for (size_t b = 0; b < k && size[label[i]] > 1; b++) {
                double change = 0;
                for (size_t j = 0; j < n; j++) {
                    double w = 1 - 2 * (double)Z[i * n + j];
                    if (j != i)
                        change += w * ((label[j] == (int)b) -
                                       (label[j] == label[i]));
                }
                best = change < best ? change : best;
            }
        if (m == r->iterations) {
            int quiet = best > -1e-6 || sqrt(cost) < (double)qmin;
            ASSERT(r->converged == quiet || m == moves);
            break;
        }
        double fall = (double)r->objective[m + 1] * (double)r->objective[m + 1];
        ASSERT_IN_RANGE(cost + 2 * best, fall, TOL(1e-7) * (1 + cost));
        ASSERT(r->objective[m + 1] < r->objective[m]);
        ASSERT_EQ(label[r->moved[m]], r->from[m]);
        ASSERT(size[r->from[m]] > 1);
        label[r->moved[m]] = r->to[m];
    }
    ASSERT_EQ(0, memcmp(label, r->labels, n * sizeof *label));
    PASS();
}

/* Of the source every fourth sample, so that all pairs are few. */
static void ec_few(ec_problem *p)
{
    size_t d = p->dense.d, n = p->dense.n / 4;
    for (size_t i = 0; i < n; i++) {
        memcpy(p->x + i * d, p->x + 4 * i * d, d * sizeof *p->x);
        p->truth[i] = p->truth[4 * i];
    }
    ec_views(p, n, d);
}

TEST every_move_is_the_best_and_lowers_the_cost(void)
{
    static ec_problem s, t;
    static svm_rule rule;
    for (uint64_t seed = 1; seed <= 1 + 4 / TEST_FEWER; seed++)
        for (int meta = 0; meta < 3; meta++) {
            mtc_context ctx = test_context();
            ctx.seed = seed;
            ec_paper(&s, seed, 1, 0.25);
            ec_paper(&t, seed, 0, 0.25);
            ec_few(&s);
            mtc_trec_options o = mtc_trec_defaults();
            mtc_trec_result r;
            o.ec.clusters = 4;
            o.meta = (mtc_meta)meta;
            o.iterations = seed == 2 ? 3 : 0;
            ASSERT_EQ(MTC_OK,
                      mtc_trec(&ctx, &s.dense, s.truth, &t.dense, &o, &r));
            ASSERT_EQ(300, r.pairs);
            if (o.meta == MTC_META_BOTH)
                ASSERT_EQ(MTC_OK, rule_of(&ctx, &r, s.truth, &o, &rule));
            else
                rule_of_hits(&r, rule.Z);
            CHECK_CALL(check_repair(&r, rule.Z, 80, 4, seed == 2 ? 3 : 40,
                                    o.qmin));
            mtc_free(&ctx, &r.block);
        }
    PASS();
}

/* Narrow kernels, whose sign changes often: the cost at the start, which sums
 * over all pairs of the target, is that of the SVM's own signs. */
TEST the_rule_of_a_classifier_is_its_sign_at_every_pair(void)
{
    static ec_problem s, t;
    static svm_rule rule;
    static const double gammas[3] = {30, 1000, 1000};
    for (uint64_t seed = 1; seed <= 3; seed++) {
        mtc_context ctx = test_context();
        ctx.seed = seed;
        ec_paper(&s, seed, 1, 0.2);
        ec_paper(&t, seed, 0, 0.25);
        ec_few(&s);
        mtc_trec_options o = mtc_trec_defaults();
        mtc_trec_result r;
        double cost = 0, open = 0, together = 0;
        o.ec.clusters = 4;
        o.meta = seed == 3 ? MTC_META_COASSOCIATION : MTC_META_BOTH;
        o.cost = 1;                             /* soon solved */
        o.gamma = (mtc_real)gammas[seed - 1];
        ASSERT_EQ(MTC_OK,
                  mtc_trec(&ctx, &s.dense, s.truth, &t.dense, &o, &r));
        ASSERT_EQ(MTC_OK, rule_of(&ctx, &r, s.truth, &o, &rule));
        for (size_t i = 0, at = 0; i < 80; i++)
            for (size_t j = i + 1; j < 80; j++, at++) {
                double e = (r.start[i] == r.start[j]) -
                           (double)rule.Z[i * 80 + j];
                cost += 2 * e * e;
                together += (double)rule.Z[i * 80 + j];
                /* a pair on the boundary may fall on either side */
                open += fabs((double)rule.f[at]) < 1e5 * (double)TEST_EPS;
            }
        ASSERT_IN_RANGE(cost, (double)(r.objective[0] * r.objective[0]),
                        2 * open + (double)TOL(1e-9) * cost);
        ASSERT(together > 0 && together < 80 * 79 / 2);
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

TEST pairs_are_as_many_as_asked_for(void)
{
    static ec_problem s, t;
    mtc_context ctx = test_context();
    ec_paper(&s, 3, 1, 0.3);
    ec_paper(&t, 3, 0, 0.3);
    static const struct { mtc_meta meta; size_t asked, used; } want[] = {
        {MTC_META_BOTH, 1, 1}, {MTC_META_BOTH, 400, 400},
        {MTC_META_BOTH, 5000, 4950}, {MTC_META_PROBABILITY, 1, 4950}};
    for (size_t i = 0; i < 4; i++) {
        mtc_trec_options o = mtc_trec_defaults();
        mtc_trec_result r;
        o.ec.clusters = 4;
        o.meta = want[i].meta;
        o.pairs = want[i].asked;
        ASSERT_EQ(MTC_OK,
                  mtc_trec(&ctx, &s.dense, s.truth, &t.dense, &o, &r));
        ASSERT_EQ(want[i].used, r.pairs);
        ASSERT(r.gap <= (mtc_real)1e-3);
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

/* The isotonic fit by its max-min formula. */
TEST probabilities_are_the_monotone_shares_of_the_source(void)
{
    static ec_problem s, t;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        mtc_context ctx = test_context();
        ctx.seed = seed;
        ec_paper(&s, seed, 1, 0.2);
        ec_paper(&t, seed, 0, 0.25);
        mtc_trec_options o = mtc_trec_defaults();
        mtc_trec_result r;
        size_t k = 2 + (size_t)seed % 5;
        o.ec.clusters = k;
        o.meta = MTC_META_PROBABILITY;
        ASSERT_EQ(MTC_OK,
                  mtc_trec(&ctx, &s.dense, s.truth, &t.dense, &o, &r));
        ASSERT_EQ(4950, r.pairs);
        double all[11], same[11];
        for (size_t h = 0; h <= 10; h++) {
            all[h] = 2;
            same[h] = 1;
        }
        for (size_t i = 0; i < 100; i++)
            for (size_t j = 0; j < i; j++) {
                size_t h = 0;
                for (size_t l = 0; l < 10; l++)
                    h += r.source.partitions[l * 100 + i] ==
                         r.source.partitions[l * 100 + j];
                all[h] += 1;
                same[h] += s.truth[i] == s.truth[j];
            }
        for (size_t h = 0; h <= 10; h++) {
            double most = 0;
            for (size_t a = 0; a <= h; a++) {
                double least = 1;
                for (size_t b = h; b <= 10; b++) {
                    double x = 0, y = 0;
                    for (size_t c = a; c <= b; c++) {
                        x += same[c];
                        y += all[c];
                    }
                    least = x / y < least ? x / y : least;
                }
                most = least > most ? least : most;
            }
            double odds = most / (1 - most) * 3 / ((double)k - 1);
            ASSERT_IN_RANGE(odds / (1 + odds), (double)r.same[h], TOL(1e-12));
        }
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

TEST stability_and_model_are_those_of_the_repaired_labels(void)
{
    static ec_problem s, t;
    mtc_context ctx = test_context();
    ec_paper(&s, 5, 1, 0.25);
    ec_paper(&t, 5, 0, 0.25);
    mtc_trec_options o = mtc_trec_defaults();
    mtc_trec_result r;
    o.ec.clusters = 4;
    o.qmin = 0;
    ASSERT_EQ(MTC_OK, mtc_trec(&ctx, &s.dense, s.truth, &t.dense, &o, &r));
    ASSERT(r.iterations > 0);
    const int *z = r.target.ensemble.partitions;
    size_t size[4] = {0}, seen = 0;
    for (size_t i = 0; i < 80; i++)
        seen += size[r.labels[i]]++ == 0;
    ASSERT_EQ(seen, r.target.vote.k_effective);
    for (size_t i = 0; i < 80; i++) {
        double sum = 0;
        for (size_t j = 0; j < 80; j++)
            for (size_t l = 0; l < 10; l++)
                sum += j != i && r.labels[j] == r.labels[i] &&
                       z[l * 80 + i] == z[l * 80 + j];
        double others = 10 * ((double)size[r.labels[i]] - 1);
        ASSERT_IN_RANGE(others > 0 ? sum / others : 0,
                        (double)r.target.vote.stability[i], TOL(1e-12));
    }
    for (size_t l = 0; l < 10; l++)
        for (size_t c = 0; c < 4; c++) {
            double sum = 0;             /* a final cluster, all of it */
            for (size_t a = 0; a < r.target.ensemble.clusters; a++)
                sum += (double)r.target.support[(l * r.target.ensemble.clusters + a)
                                                * 4 + c];
            ASSERT_IN_RANGE(0.1, sum, TOL(1e-12));
        }
    mtc_free(&ctx, &r.block);
    PASS();
}

/* ---- what it is good for ------------------------------------------------- */

static double score_of(mtc_context *ctx, const ec_problem *t,
                       const int *labels)
{
    mtc_scores s;
    return mtc_score(ctx, t->dense.n, t->truth, labels, &s) == MTC_OK
               ? (double)s.ari : -1;
}

TEST ec_finds_the_paper_s_classes_as_printed(void)
{
    static ec_problem t;
    double sum = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        mtc_context ctx = test_context();
        ctx.seed = seed;
        ec_paper(&t, seed, 0, 1);
        mtc_ec_options o = mtc_ec_defaults();
        mtc_ec_result r;
        o.clusters = 4;
        ASSERT_EQ(MTC_OK, mtc_ec(&ctx, &t.dense, &o, &r));
        sum += score_of(&ctx, &t, r.labels) / 20;
        mtc_free(&ctx, &r.block);
    }
    ASSERT(sum >= 0.99);
    PASS();
}

/* Texts of `words` words each from d, of three classes: one word in six is
 * more frequent in a class. */
static void ec_texts(size_t n, size_t d, size_t words, mtc_real *x, int *truth)
{
    static double sum[3][1000];
    mtc_random rng = mtc_random_seed(11);
    for (size_t z = 0; z < 3; z++)
        for (size_t e = 0; e < d; e++) {
            double own = (double)mtc_random_real(&rng) < 1. / 6
                             ? 4 * (double)mtc_random_real(&rng) : 0;
            sum[z][e] = (e > 0 ? sum[z][e - 1] : 0) + own + 0.3;
        }
    memset(x, 0, n * d * sizeof *x);
    for (size_t i = 0; i < n; i++) {
        const double *s = sum[truth[i] = (int)(i % 3)];
        for (size_t k = 0; k < words; k++) {
            double at = (double)mtc_random_real(&rng) * s[d - 1];
            size_t e = 0;
            while (e + 1 < d && s[e] <= at)
                e++;
            x[i * d + e] += 1;
        }
    }
}

/* Three features of a thousand tell nothing; the default takes all of sparse
 * data, and a quarter of dense ones. */
TEST runs_see_more_of_wide_data(void)
{
    enum { N = 150, D = 1000 };
    static const size_t dense[5][2] = {{2, 2}, {5, 3}, {15, 3}, {16, 4},
                                       {1000, 250}};
    static mtc_real x[N * D], value[N * D];
    static uint32_t column[N * D];
    static size_t row[N + 1];
    int truth[N];
    mtc_context ctx = test_context();
    mtc_ec_options o = mtc_ec_defaults();
    mtc_ec_result r;
    double nmi[2] = {0, 0};
    ec_texts(N, D, 80, x, truth);
    test_sparse(N, D, x, row, column, value);
    o.clusters = 3;
    for (uint64_t seed = 1; seed <= 6; seed++)
        for (int published = 0; published < 2; published++) {
            mtc_data X = seed % 2 ? mtc_dense(N, D, x)
                                  : mtc_csr(N, D, row, column, value);
            mtc_scores s;
            ctx.seed = seed;
            o.columns = published ? 3 : 0;
            ASSERT_EQ(MTC_OK, mtc_ec(&ctx, &X, &o, &r));
            ASSERT_EQ(published ? 3 : D, (int)r.ensemble.columns);
            ASSERT_EQ(MTC_OK, mtc_score(&ctx, N, truth, r.labels, &s));
            nmi[published] += (double)s.nmi / 6;
            mtc_free(&ctx, &r.block);
        }
    ASSERT(nmi[0] > .8 && nmi[1] < .3);
    test_fill(x, 10 * D, 1, 1, 2);
    o.columns = 0;
    for (size_t k = 0; k < 5; k++) {
        mtc_data X = mtc_dense(10, dense[k][0], x);
        ASSERT_EQ(MTC_OK, mtc_ec(&ctx, &X, &o, &r));
        ASSERT_EQ(dense[k][1], r.ensemble.columns);
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

/* Mean gain over EC of a rule, with as many repetitions. */
static double gain(mtc_meta meta, double f, size_t columns,
                   uint64_t repetitions)
{
    static ec_problem s, t;
    double sum = 0;
    for (uint64_t seed = 1; seed <= repetitions; seed++) {
        mtc_context ctx = test_context();
        ctx.seed = seed;
        ec_paper(&s, seed, 1, f);
        ec_paper(&t, seed, 0, f);
        mtc_trec_options o = mtc_trec_defaults();
        mtc_trec_result r;
        o.ec.clusters = 4;
        o.ec.columns = columns;
        o.meta = meta;
        o.pairs = 500;
        o.iterations = 40;
        if (mtc_trec(&ctx, &s.dense, s.truth, &t.dense, &o, &r) != MTC_OK)
            return -1;
        sum += score_of(&ctx, &t, r.labels) - score_of(&ctx, &t, r.start);
        mtc_free(&ctx, &r.block);
    }
    return sum / (double)repetitions;
}

TEST transfer_gains_where_clusters_overlap(void)
{
    ASSERT(gain(MTC_META_BOTH, 0.3, 3, 16) > 0.03);
    ASSERT(gain(MTC_META_COASSOCIATION, 0.3, 3, 16) > 0.03);
    ASSERT(gain(MTC_META_PROBABILITY, 0.3, 3, 40) > 0.03);
    ASSERT(gain(MTC_META_PROBABILITY, 0.25, 0, 40) > 0.03);
    PASS();
}

TEST probabilities_gain_also_where_they_overlap_most(void)
{
    ASSERT(gain(MTC_META_PROBABILITY, 0.2, 0, 60) > 0.01);
    ASSERT(gain(MTC_META_PROBABILITY, 0.2, 3, 60) > 0.01);
    ASSERT(gain(MTC_META_PROBABILITY, 1, 0, 20) > -0.005);
    PASS();
}

/* ---- degenerate data ----------------------------------------------------- */

TEST sources_of_one_class_and_of_singletons_are_constant_rules(void)
{
    static ec_problem s, t;
    int each[100], one[100] = {0};
    mtc_context ctx = test_context();
    ec_paper(&s, 1, 1, 0.3);
    ec_paper(&t, 1, 0, 0.3);
    for (int i = 0; i < 100; i++)
        each[i] = i;
    for (int meta = 0; meta < 3; meta++)
        for (int single = 0; single < 2; single++) {
            mtc_trec_options o = mtc_trec_defaults();
            mtc_trec_result r;
            o.ec.clusters = 4;
            o.meta = (mtc_meta)meta;
            o.source_clusters = 4;
            ASSERT_EQ(MTC_OK,
                      mtc_trec(&ctx, &s.dense, single ? each : one, &t.dense,
                               &o, &r));
            for (size_t h = 0; h <= 10; h++)
                ASSERT((r.same[h] > (mtc_real)0.5) == !single);
            ASSERT_EQ(4, r.target.vote.k_effective);     /* none runs empty */
            mtc_free(&ctx, &r.block);
        }
    PASS();
}

TEST equal_samples_and_single_ones_are_served(void)
{
    static ec_problem s, t;
    mtc_context ctx = test_context();
    memset(t.x, 0, sizeof t.x);
    memset(s.x, 0, sizeof s.x);
    for (size_t i = 0; i < 30; i++)
        s.truth[i] = (int)(i % 2);
    for (int meta = 0; meta < 3; meta++)
        for (size_t n = 1; n <= 30; n += n == 1 ? 1 : 28) {
            ec_views(&s, 30, 4);
            ec_views(&t, n, 5);
            mtc_trec_options o = mtc_trec_defaults();
            mtc_trec_result r;
            o.ec.clusters = n == 1 ? 1 : 2;
            o.meta = (mtc_meta)meta;
            ASSERT_EQ(MTC_OK, mtc_trec(&ctx, &s.dense, s.truth, &t.csr, &o,
                                       &r));
            ASSERT(r.target.vote.k_effective >= 1);
            for (size_t i = 0; i < n; i++)
                ASSERT(r.labels[i] >= 0 && r.labels[i] < 2);
            mtc_free(&ctx, &r.block);
        }
    PASS();
}

TEST a_source_without_pairs_moves_nothing(void)
{
    static ec_problem s, t;
    mtc_context ctx = test_context();
    ec_paper(&s, 1, 1, 0.3);
    ec_paper(&t, 1, 0, 0.3);
    s.dense.n = 1;
    for (int meta = 0; meta < 3; meta++) {
        mtc_trec_options o = mtc_trec_defaults();
        mtc_trec_result r;
        o.ec.clusters = 4;
        o.meta = (mtc_meta)meta;
        ASSERT_EQ(MTC_OK,
                  mtc_trec(&ctx, &s.dense, s.truth, &t.dense, &o, &r));
        ASSERT_EQ(0, r.iterations);
        ASSERT_EQ(0, r.pairs);
        ASSERT_EQ(0, memcmp(r.start, r.labels, 80 * sizeof(int)));
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

TEST a_start_with_an_empty_cluster_is_legal(void)
{
    static ec_problem s, t;
    int start[80];
    mtc_context ctx = test_context();
    ec_paper(&s, 1, 1, 0.3);
    ec_paper(&t, 1, 0, 0.3);
    for (size_t i = 0; i < 80; i++)
        start[i] = (int)(i % 3);                /* cluster 3 is empty */
    mtc_trec_options o = mtc_trec_defaults();
    mtc_trec_result r;
    o.ec.clusters = 4;
    o.start_labels = start;
    o.iterations = 200;
    ASSERT_EQ(MTC_OK, mtc_trec(&ctx, &s.dense, s.truth, &t.dense, &o, &r));
    ASSERT_EQ(0, memcmp(start, r.start, sizeof start));
    ASSERT_EQ(4, r.target.vote.k_effective);
    mtc_free(&ctx, &r.block);
    o.qmin = 1000;                              /* met at once */
    ASSERT_EQ(MTC_OK, mtc_trec(&ctx, &s.dense, s.truth, &t.dense, &o, &r));
    ASSERT_EQ(0, r.iterations);
    ASSERT(r.converged);
    ASSERT_EQ(0, memcmp(start, r.labels, sizeof start));
    mtc_free(&ctx, &r.block);
    PASS();
}

TEST bad_ensembles_are_refused_by_their_place(void)
{
    static ec_problem s, t;
    mtc_context ctx = test_context();
    ec_paper(&s, 1, 1, 0.3);
    ec_paper(&t, 1, 0, 0.3);
    mtc_trec_result r;
    mtc_trec_options o = mtc_trec_defaults(), good;
    int labels[100] = {0}, bad[80] = {0};
    const int *runs[2] = {bad, bad};
    size_t features[4] = {0, 1, 2, 2};
    o.ec.clusters = 4;
    good = o;
#define REFUSED(STATUS) \
    do { \
        ASSERT_EQ(STATUS, \
                  mtc_trec(&ctx, &s.dense, labels, &t.dense, &o, &r)); \
        o = good; \
    } while (0)
    o.ec.runs = 0;
    REFUSED(MTC_INVALID);
    o.ec.features = features;               /* of how many columns? */
    REFUSED(MTC_INVALID);
    o.source_features = features;
    REFUSED(MTC_INVALID);
    o.ec.restarts = 0;
    REFUSED(MTC_INVALID);
    o.ec.clusters = 81;
    REFUSED(MTC_INVALID);
    ASSERT_EQ(1, ctx.error.task);
    o.source_clusters = 101;
    REFUSED(MTC_INVALID);
    ASSERT_EQ(0, ctx.error.task);
    o.meta = (mtc_meta)17;
    REFUSED(MTC_INVALID);
    o.gamma = 0;
    REFUSED(MTC_INVALID);
    o.cost = -1;
    REFUSED(MTC_INVALID);
    o.qmin = -1;
    REFUSED(MTC_INVALID);
    o.pairs = 0;
    REFUSED(MTC_INVALID);
    labels[7] = -1;
    REFUSED(MTC_INVALID);
    ASSERT_EQ(7, ctx.error.row);
    labels[7] = 0;
    bad[5] = 80;
    o.ec.runs = 2;
    o.ec.partitions = runs;
    REFUSED(MTC_INVALID);
    ASSERT_EQ(5, ctx.error.row);
    bad[5] = 4;
    o.start_labels = bad;
    REFUSED(MTC_INVALID);
    o.ec.runs = o.ec.columns = 2;
    o.ec.features = features;
    REFUSED(MTC_INVALID);
    ASSERT_EQ(1, ctx.error.row);
    ASSERT_EQ(1, ctx.error.column);
    PASS();
}

TEST no_options_are_the_defaults(void)
{
    static ec_problem s, t;
    mtc_context ctx = test_context();
    mtc_ec_options eo = mtc_ec_defaults();
    mtc_trec_options to = mtc_trec_defaults();
    mtc_ec_result e[2];
    mtc_trec_result r[2];
    ec_paper(&s, 1, 1, 0.3);
    ec_paper(&t, 1, 0, 0.3);
    for (int given = 0; given < 2; given++) {
        ASSERT_EQ(MTC_OK, mtc_ec(&ctx, &t.dense, given ? &eo : NULL,
                                 &e[given]));
        ASSERT_EQ(MTC_OK, mtc_trec(&ctx, &s.dense, s.truth, &t.dense,
                                   given ? &to : NULL, &r[given]));
    }
    ASSERT_EQ(0, memcmp(e[0].labels, e[1].labels, 80 * sizeof(int)));
    ASSERT_EQ(0, memcmp(r[0].labels, r[1].labels, 80 * sizeof(int)));
    for (int i = 0; i < 2; i++) {
        mtc_free(&ctx, &e[i].block);
        mtc_free(&ctx, &r[i].block);
    }
    PASS();
}

/* ---- size ---------------------------------------------------------------- */

enum { BIG = 20000 };

TEST twenty_thousand_samples_take_modest_memory(void)
{
    static mtc_real x[BIG * 4];
    static int labels[BIG];
    test_heap heap;
    mtc_context ctx = test_heap_context(&heap);
    test_fill(x, BIG * 4, 1, 0, 1);
    for (size_t i = 0; i < BIG; i++) {
        labels[i] = (int)(i % 4);
        for (size_t j = 0; j < 4; j++)
            x[i * 4 + j] += i % 4 == j ? 3 : 0;
    }
    mtc_data X = mtc_dense(BIG, 4, x);
    mtc_ec_options o = mtc_ec_defaults();
    mtc_ec_result r;
    mtc_scores s;
    o.clusters = 4;
    ASSERT_EQ(MTC_OK, mtc_ec(&ctx, &X, &o, &r));
    ASSERT(heap.peak < (size_t)10 << 20);
    ASSERT_EQ(MTC_OK, mtc_score(&ctx, BIG, labels, r.labels, &s));
    ASSERT(s.ari > (mtc_real)0.99);
    mtc_free(&ctx, &r.block);
    mtc_context ask = mtc_measure();
    mtc_trec_options t = mtc_trec_defaults();
    mtc_trec_result tr;
    t.ec.clusters = 4;
    t.meta = MTC_META_PROBABILITY;
    ASSERT_EQ(MTC_NO_MEMORY, mtc_trec(&ask, &X, labels, &X, &t, &tr));
    ASSERT(ask.need < (size_t)16 << 20);
    t.meta = MTC_META_BOTH;             /* an SVM's cache: 2000 x 2000 */
    ASSERT_EQ(MTC_NO_MEMORY, mtc_trec(&ask, &X, labels, &X, &t, &tr));
    ASSERT(ask.need < (size_t)64 << 20);
    PASS();
}

/* With the default number of columns a shape stands for data whose stored
 * values are not 0. */
TEST ec_tells_its_need_of_a_shape(void)
{
    static ec_problem p;
    ec_paper(&p, 1, 0, 1);
    mtc_context data = mtc_measure(), shape = mtc_measure();
    mtc_data X = mtc_shape(p.dense.n, p.dense.d, 0);
    mtc_ec_result r;
    ASSERT_EQ(MTC_NO_MEMORY, mtc_ec(&data, &p.dense, NULL, &r));
    ASSERT_EQ(MTC_NO_MEMORY, mtc_ec(&shape, &X, NULL, &r));
    ASSERT_EQ(data.need, shape.need);
    size_t stored = p.dense.n * p.dense.d / 20;         /* sparse: all d */
    X = mtc_shape(p.dense.n, p.dense.d, stored);
    memset(p.x, 0, sizeof p.x);
    for (size_t e = 0; e < stored; e++)
        p.x[20 * e] = 1;
    ec_views(&p, p.dense.n, p.dense.d);
    ASSERT_EQ(MTC_NO_MEMORY, mtc_ec(&data, &p.csr, NULL, &r));
    ASSERT_EQ(MTC_NO_MEMORY, mtc_ec(&shape, &X, NULL, &r));
    ASSERT_EQ(data.need, shape.need);
    PASS();
}

SUITE(ec_suite)
{
    for (int sparse = 0; sparse < 2; sparse++) {
        greatest_set_test_suffix(sparse ? "csr" : "dense");
        RUN_TESTp(trec_meets_the_worked_cases, sparse);
    }
    RUN_TEST(runs_draw_distinct_features_evenly);
    RUN_TEST(runs_are_fixed_points_of_k_means_in_their_subspace);
    RUN_TEST(runs_draw_every_set_of_features_as_often);
    RUN_TEST(given_runs_replace_the_drawn_ones);
    RUN_TEST(ec_is_the_vote_over_its_runs);
    RUN_TEST(sparse_and_dense_data_give_the_same_bits);
    RUN_TEST(new_samples_join_the_cluster_they_lie_in);
    RUN_TEST(every_move_is_the_best_and_lowers_the_cost);
    RUN_TEST(the_rule_of_a_classifier_is_its_sign_at_every_pair);
    RUN_TEST(pairs_are_as_many_as_asked_for);
    RUN_TEST(probabilities_are_the_monotone_shares_of_the_source);
    RUN_TEST(stability_and_model_are_those_of_the_repaired_labels);
    RUN_TEST(ec_finds_the_paper_s_classes_as_printed);
    RUN_TEST(runs_see_more_of_wide_data);
    RUN_TEST(transfer_gains_where_clusters_overlap);
    RUN_TEST(probabilities_gain_also_where_they_overlap_most);
    RUN_TEST(sources_of_one_class_and_of_singletons_are_constant_rules);
    RUN_TEST(equal_samples_and_single_ones_are_served);
    RUN_TEST(a_source_without_pairs_moves_nothing);
    RUN_TEST(a_start_with_an_empty_cluster_is_legal);
    RUN_TEST(bad_ensembles_are_refused_by_their_place);
    RUN_TEST(no_options_are_the_defaults);
    RUN_TEST(twenty_thousand_samples_take_modest_memory);
    RUN_TEST(ec_tells_its_need_of_a_shape);
}
