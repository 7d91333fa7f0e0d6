/* SPDX-License-Identifier: MIT
 *
 * Discriminative multi-task clustering: worked cases; every step against one
 * written down again, by dimensions and by samples; descent, balance, ridge.
 */
#include <math.h>

#define CMP_INTERNAL
#include "../../examples/compared/compared.h"
#include "cmp_sweep.h"
#include "golden/cmp_dmtc.h"
#include "greatest.h"
#include "test_util.h"

static const double worked_tolerance = sizeof(mtc_real) == 8 ? 1e-8 : 1e-3;

/* ---- problems ---------------------------------------------------------- */

/* Tasks of about n samples around three common centers, labels by chance. */
static void random_problem(test_tasks *p, uint64_t seed, size_t tasks, size_t n,
                           size_t d, size_t k)
{
    mtc_real center[3 * TEST_D], u[TEST_N];
    p->tasks = tasks;
    p->d = d;
    p->n = 0;
    test_fill(center, 3 * d, seed + 1000, -2, 2);
    for (size_t t = 0; t < tasks; t++) {
        size_t nt = n + t;
        test_fill(p->x[t], nt * d, seed + 7 * t, -1, 1);
        test_fill(u, nt, seed + 50 + t, 0, (double)k);
        for (size_t i = 0; i < nt; i++) {
            p->start[t][i] = (int)u[i];
            for (size_t j = 0; j < d; j++)
                p->x[t][i * d + j] += center[(i % 3) * d + j];
        }
        p->n += nt;
        test_views(p, t, nt, d);
    }
}

static cmp_dmtc_options options_of(const test_tasks *p, int task, size_t k)
{
    cmp_dmtc_options o = cmp_dmtc_defaults();
    o.clusters = k;
    o.coupling = task ? CMP_COUPLING_TASK : CMP_COUPLING_FEATURE;
    o.start_labels = p->labels;
    return o;
}

/* ---- worked cases ------------------------------------------------------ */

TEST dmtc_gives_the_worked_cases(int sparse)
{
    static test_tasks p;
    mtc_context ctx = test_context();
    for (size_t c = 0; c < sizeof golden_dmtcs / sizeof *golden_dmtcs; c++) {
        const golden_dmtc *g = &golden_dmtcs[c];
        size_t T = g->tasks, k = g->clusters;
        cmp_dmtc_result r;
        for (size_t t = 0; t < T; t++) {
            for (size_t i = 0; i < g->n[t] * g->d; i++)
                p.x[t][i] = (mtc_real)g->X[t][i];
            memcpy(p.start[t], g->start[t], g->n[t] * sizeof(int));
            test_views(&p, t, g->n[t], g->d);
        }
        cmp_dmtc_options o = options_of(&p, g->task, k);
        o.lambda1 = (mtc_real)g->lambda1;
        o.lambda2 = (mtc_real)g->lambda2;
        o.slack = (mtc_real)g->slack;
        const mtc_data *tasks = sparse ? p.csr : p.dense;
        ASSERT_EQ(MTC_OK, cmp_dmtc(&ctx, tasks, T, &o, &r));
        ASSERT_EQ(g->q, r.rank);
        for (size_t t = 0; t < T; t++) {
            ASSERT_MEM_EQ(g->labels[t], r.labels[t], g->n[t] * sizeof(int));
            ASSERT_CLOSE(g->scores[t], r.scores[t], g->n[t] * k);
        }
        if (sizeof(mtc_real) == 8) {
            ASSERT_EQ(g->iterations, r.iterations);
            ASSERT(r.converged);
            ASSERT_CLOSE(g->objective, r.objective, g->iterations + 1);
        }
        if (g->task)
            ASSERT_CLOSE(g->Omega, r.relatedness, T * T);
        else
            ASSERT_CLOSE(g->D, r.features, g->q);
        ASSERT((r.features == NULL) == g->task);
        mtc_free(&ctx, &r.block);
        o.iterations = 0;
        ASSERT_EQ(MTC_OK, cmp_dmtc(&ctx, tasks, T, &o, &r));
        for (size_t t = 0; t < T; t++) {
            ASSERT_CLOSE(g->scores0[t], r.scores[t], g->n[t] * k);
            ASSERT_MEM_EQ(g->start[t], r.labels[t], g->n[t] * sizeof(int));
        }
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

/* ---- the steps, written down again ------------------------------------- */

enum { MAX = 96 };                      /* unknowns: T d */

typedef struct plain_dmtc {
    double x[TEST_TASKS][TEST_N * TEST_D];      /* centered */
    double W[MAX * 4];                  /* rows t d + a */
    double C[TEST_D * TEST_D];          /* lambda1 I + lambda2 D^-1, or O */
    double scores[TEST_TASKS][TEST_N * 4], value;
} plain_dmtc;

/* W, scores and objective for these labels and C: rows of all tasks in one
 * system of T d unknowns. */
static void plain_fit(const test_tasks *p, plain_dmtc *s, int task, size_t k,
                      int *const *labels)
{
    static double A[MAX * MAX];
    size_t T = p->tasks, d = p->d, m = T * d;
    memset(A, 0, sizeof A);
    memset(s->W, 0, sizeof s->W);
    for (size_t t = 0; t < T; t++) {
        size_t n = p->dense[t].n;
        for (size_t a = 0; a < d; a++)
            for (size_t b = 0; b < d; b++) {
                double *at = A + (t * d + a) * m + t * d + b;
                for (size_t i = 0; i < n; i++)
                    *at += s->x[t][i * d + a] * s->x[t][i * d + b] / (double)n;
                *at += task ? 0 : s->C[a * d + b];
            }
        for (size_t u = 0; u < T && task; u++)
            for (size_t a = 0; a < d; a++)
                A[(t * d + a) * m + u * d + a] += s->C[t * T + u];
        for (size_t i = 0; i < n; i++)
            for (size_t e = 0; e < d * k; e++)
                s->W[t * d * k + e] += s->x[t][i * d + e / k] / (double)n *
                                       ((labels[t][i] == (int)(e % k)) -
                                        1.0 / (double)k);
    }
    test_solve(m, A, k, s->W);
    s->value = 0;
    for (size_t t = 0; t < T; t++) {
        size_t n = p->dense[t].n;
        for (size_t e = 0; e < n * k; e++) {
            double f = 0, y = (labels[t][e / k] == (int)(e % k)) -
                              1.0 / (double)k;
            for (size_t a = 0; a < d; a++)
                f += s->x[t][e / k * d + a] * s->W[(t * d + a) * k + e % k];
            s->scores[t][e] = f;
            s->value += (f - y) * (f - y) / (double)n;
        }
        for (size_t u = 0; u < T; u++)              /* tr(B'CB), or of G C */
            for (size_t e = 0; e < d * d * k; e++) {
                size_t a = e / k / d, b = e / k % d, z = e % k;
                double c = task ? (a == b) * s->C[t * T + u]
                                : (t == u) * s->C[a * d + b];
                s->value += c * s->W[(t * d + a) * k + z] *
                            s->W[(u * d + b) * k + z];
            }
    }
}

/* C from W: D or O by their eigenvalues, smoothed, of trace 1. */
static void plain_couple(const test_tasks *p, plain_dmtc *s, int task, size_t k,
                         double l1, double l2)
{
    static mtc_real S[TEST_D * TEST_D], V[TEST_D * TEST_D], w[TEST_D];
    size_t T = p->tasks, d = p->d, n = task ? T : d;
    double trace = 0, total = 0, value[TEST_D];
    for (size_t e = 0; e < n * n; e++) {
        double sum = 0;
        for (size_t i = 0; i < (task ? d : T) * k; i++) {
            size_t z = i % k, o = i / k;
            sum += task ? s->W[(e / n * d + o) * k + z] *
                              s->W[(e % n * d + o) * k + z]
                        : s->W[(o * d + e / n) * k + z] *
                              s->W[(o * d + e % n) * k + z];
        }
        S[e] = (mtc_real)sum;
        trace += e / n == e % n ? sum : 0;
    }
    void *work = test_malloc(mtc_jacobi_work(n));
    mtc_jacobi(n, S, n, w, V, n, work);
    free(work);
    for (size_t a = 0; a < n; a++) {
        value[a] = (double)w[a] > 1e-14 * (double)w[n - 1] ? (double)w[a] : 0;
        total += value[a] = sqrt(value[a] + 1e-8 * trace);
    }
    for (size_t e = 0; e < n * n; e++) {
        s->C[e] = e / n == e % n ? l1 : 0;
        for (size_t a = 0; a < n; a++)
            s->C[e] += l2 / (value[a] / total) * (double)V[e / n * n + a] *
                       (double)V[e % n * n + a];
    }
}

/* Objective and scores at the start and after one iteration, whose labels are
 * the result's.  2 samples a dimension: by dimensions; fewer: by samples. */
TEST steps_are_those_of_the_formulas(int task, int few)
{
    static test_tasks p;
    static plain_dmtc s;
    mtc_context ctx = test_context();
    const double near = sizeof(mtc_real) == 8 ? 1e-9 : 2e-3;
    for (uint64_t seed = 0; seed < 6; seed++) {
        size_t T = 2 + seed % 3, d = few ? 8 : 4, k = 2 + seed % 2;
        cmp_dmtc_result r, first;
        random_problem(&p, seed, T, few ? 6 : 12, d, k);
        for (size_t t = 0; t < T; t++)
            for (size_t a = 0; a < d; a++) {
                size_t n = p.dense[t].n;
                double mean = 0;
                for (size_t i = 0; i < n; i++)
                    mean += (double)p.x[t][i * d + a] / (double)n;
                for (size_t i = 0; i < n; i++)
                    s.x[t][i * d + a] = (double)p.x[t][i * d + a] - mean;
            }
        cmp_dmtc_options o = options_of(&p, task, k);
        double l1 = 0.05, l2 = seed % 3 == 0 ? 0.5 : 0.02;
        o.lambda1 = (mtc_real)l1;
        o.lambda2 = (mtc_real)l2;
        o.iterations = 0;
        ASSERT_EQ(MTC_OK, cmp_dmtc(&ctx, p.dense, T, &o, &first));
        ASSERT_EQ(d, first.rank);
        ASSERT_EQ(few != 0, T * d > p.n);
        size_t n = task ? T : d;
        for (size_t e = 0; e < n * n; e++)          /* D = I/q, O = I/T */
            s.C[e] = e / n == e % n ? l1 + l2 * (double)n : 0;
        plain_fit(&p, &s, task, k, first.labels);
        ASSERT_IN_RANGE(s.value, (double)first.objective[0], near);
        for (size_t t = 0; t < T; t++)
            for (size_t e = 0; e < p.dense[t].n * k; e++)
                ASSERT_IN_RANGE(s.scores[t][e], (double)first.scores[t][e],
                                near);
        mtc_free(&ctx, &first.block);
        o.iterations = 1;
        ASSERT_EQ(MTC_OK, cmp_dmtc(&ctx, p.dense, T, &o, &r));
        plain_couple(&p, &s, task, k, l1, l2);
        plain_fit(&p, &s, task, k, r.labels);
        ASSERT_IN_RANGE(s.value, (double)r.objective[1], near * 10);
        for (size_t t = 0; t < T; t++)
            for (size_t e = 0; e < p.dense[t].n * k; e++)
                ASSERT_IN_RANGE(s.scores[t][e], (double)r.scores[t][e],
                                near * 100);
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

/* Every labeling of 7 samples in 2 or 3 clusters within the bounds: none has a
 * larger sum of scores. */
TEST labels_are_the_best_that_sizes_allow(void)
{
    static test_tasks p;
    mtc_context ctx = test_context();
    for (uint64_t seed = 0; seed < 30; seed++) {
        size_t k = 2 + seed % 2, all = 1;
        cmp_dmtc_result a, b;
        random_problem(&p, seed, 1, 7, 3, k);
        cmp_dmtc_options o = options_of(&p, 0, k);
        o.slack = (mtc_real)(seed % 3 == 0 ? 0 : 0.3);
        o.iterations = 0;
        ASSERT_EQ(MTC_OK, cmp_dmtc(&ctx, p.dense, 1, &o, &a));
        o.iterations = 1;
        ASSERT_EQ(MTC_OK, cmp_dmtc(&ctx, p.dense, 1, &o, &b));
        double share = 7.0 / (double)k, got = 0, best = -1e9;
        double low = floor((1 - (double)o.slack) * share + 1e-6);
        double high = ceil((1 + (double)o.slack) * share - 1e-6);
        for (size_t i = 0; i < 7; i++) {
            got += (double)a.scores[0][i * k + (size_t)b.labels[0][i]];
            all *= k;
        }
        for (size_t c = 0; c < all; c++) {
            double sum = 0, count[3] = {0, 0, 0};
            int within = 1;
            for (size_t i = 0, rest = c; i < 7; i++, rest /= k) {
                sum += (double)a.scores[0][i * k + rest % k];
                count[rest % k]++;
            }
            for (size_t z = 0; z < k; z++)
                within &= count[z] >= low && count[z] <= high;
            best = within && sum > best ? sum : best;
        }
        ASSERT_IN_RANGE(best, got, (double)TOL(1e-9));
        mtc_free(&ctx, &a.block);
        mtc_free(&ctx, &b.block);
    }
    PASS();
}

/* ---- what is promised -------------------------------------------------- */

TEST the_objective_falls_and_sizes_keep_their_bounds(int task)
{
    static test_tasks p;
    mtc_context ctx = test_context();
    for (uint64_t seed = 0; seed < 24; seed++) {
        size_t T = 1 + seed % 3, k = 2 + seed % 3, d = seed % 2 ? 40 : 5;
        cmp_dmtc_result r;
        random_problem(&p, seed, T, 20, d, k);
        cmp_dmtc_options o = options_of(&p, task, k);
        o.slack = (mtc_real)(seed % 5) / 4;         /* 0 .. 1 */
        o.lambda1 = seed % 7 == 6 ? 0 : (mtc_real)ldexp(1, -(int)(seed % 9));
        o.lambda2 = seed % 7 == 5 ? 0 : (mtc_real)ldexp(1, -(int)(seed % 8));
        ASSERT_EQ(MTC_OK, cmp_dmtc(&ctx, seed % 4 < 2 ? p.dense : p.csr, T, &o,
                                   &r));
        for (size_t i = 1; i < r.iterations; i++)   /* the start may be out */
            ASSERT(r.objective[i + 1] <=            /* of bounds */
                   r.objective[i] * (1 + TOL(1e-6)));
        for (size_t t = 0; t < T; t++) {
            size_t n = p.dense[t].n, count[5] = {0, 0, 0, 0, 0};
            double share = (double)n / (double)k, slack = (double)o.slack;
            for (size_t i = 0; i < n; i++)
                count[r.labels[t][i]]++;
            for (size_t z = 0; z < k; z++) {
                ASSERT((double)count[z] >= floor((1 - slack) * share + 1e-6));
                ASSERT((double)count[z] <= ceil((1 + slack) * share - 1e-6));
                ASSERT(count[z] >= 1);              /* slack 1, too */
            }
        }
        mtc_real trace = 0;
        for (size_t a = 0; a < (task ? T : r.rank); a++)
            trace += task ? r.relatedness[a * T + a] : r.features[a];
        ASSERT_IN_RANGE((mtc_real)1, trace, TOL(1e-12));
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

/* One task, lambda2 = 0: X W = K (K + n lambda1)^-1 Y, K of the centered rows,
 * and either coupling is the same. */
TEST a_task_alone_is_ridge_regression(int wide)
{
    static test_tasks p;
    static double K[24 * 24], A[24 * 24], y[24 * 3];
    mtc_context ctx = test_context();
    size_t n = 24, d = wide ? 40 : 5, k = 3;
    random_problem(&p, 4, 1, n, d, k);
    for (int task = 0; task < 2; task++) {
        cmp_dmtc_options o = options_of(&p, task, k);
        cmp_dmtc_result r;
        o.lambda1 = (mtc_real)0.125;
        o.lambda2 = 0;
        ASSERT_EQ(MTC_OK, cmp_dmtc(&ctx, p.dense, 1, &o, &r));
        double mean[TEST_D] = {0};
        for (size_t e = 0; e < n * d; e++)
            mean[e % d] += (double)p.x[0][e] / (double)n;
        for (size_t e = 0; e < n * n; e++) {
            K[e] = 0;
            for (size_t a = 0; a < d; a++)
                K[e] += ((double)p.x[0][e / n * d + a] - mean[a]) *
                        ((double)p.x[0][e % n * d + a] - mean[a]);
            A[e] = K[e] + (e / n == e % n ? 0.125 * (double)n : 0);
        }
        for (size_t e = 0; e < n * k; e++)
            y[e] = (r.labels[0][e / k] == (int)(e % k)) - 1 / (double)k;
        test_solve(n, A, k, y);
        for (size_t e = 0; e < n * k; e++) {
            double f = 0;
            for (size_t i = 0; i < n; i++)
                f += K[e / k * n + i] * y[i * k + e % k];
            ASSERT_IN_RANGE(f, (double)r.scores[0][e], (double)TOL(1e-9));
        }
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

/* Columns that say nothing, dense or sparse, many or few, and an offset that
 * the task's mean takes away. */
TEST the_answer_does_not_depend_on_the_view(int task)
{
    static test_tasks p, q;
    mtc_context ctx = test_context();
    cmp_dmtc_result a, b;
    random_problem(&p, 8, 2, 15, 4, 3);
    random_problem(&q, 8, 2, 15, 44, 3);
    for (size_t t = 0; t < 2; t++) {
        memcpy(q.start[t], p.start[t], sizeof q.start[t]);
        for (size_t i = 0; i < p.dense[t].n; i++)
            for (size_t j = 0; j < 44; j++)         /* 40 of them are 0 */
                q.x[t][i * 44 + j] = j % 11 == 3 ? p.x[t][i * 4 + j / 11] : 0;
        test_views(&q, t, p.dense[t].n, 44);
    }
    cmp_dmtc_options o = options_of(&p, task, 3);
    o.slack = (mtc_real)0.25;
    ASSERT_EQ(MTC_OK, cmp_dmtc(&ctx, p.dense, 2, &o, &a));
    for (int view = 0; view < 4; view++) {
        for (size_t e = 0; e < 16 * 44 && view == 3; e++)
            q.x[1][e] += 5;                         /* dense, offset */
        ASSERT_EQ(MTC_OK, cmp_dmtc(&ctx, view == 0   ? p.csr
                                         : view == 1 ? q.csr
                                                     : q.dense, 2, &o, &b));
        ASSERT_EQ((size_t)4, b.rank);
        for (size_t t = 0; t < 2; t++) {
            ASSERT_MEM_EQ(a.labels[t], b.labels[t],
                          p.dense[t].n * sizeof(int));
            for (size_t e = 0; e < p.dense[t].n * 3; e++)
                ASSERT_IN_RANGE((double)a.scores[t][e],
                                (double)b.scores[t][e], worked_tolerance);
        }
        mtc_free(&ctx, &b.block);
    }
    mtc_free(&ctx, &a.block);
    PASS();
}

/* ---- starts and degenerate data ---------------------------------------- */

/* Clouds far apart, their names shuffled in the second task: k-means finds
 * them, and matched centers have one name in both. */
TEST a_start_of_its_own_is_matched_between_tasks(int task)
{
    static test_tasks p;
    mtc_context ctx = test_context();
    cmp_dmtc_result r;
    random_problem(&p, 2, 3, 30, 4, 3);
    for (size_t t = 0; t < 3; t++)
        for (size_t i = 0; i < p.dense[t].n; i++)
            p.x[t][i * 4 + (i + t) % 3] += 20;
    cmp_dmtc_options o = options_of(&p, task, 3);
    o.start_labels = NULL;
    ASSERT_EQ(MTC_OK, cmp_dmtc(&ctx, p.dense, 3, &o, &r));
    for (size_t t = 0; t < 3; t++)
        for (size_t i = 0; i < p.dense[t].n; i++)
            ASSERT_EQ(r.labels[0][(i + t) % 3], r.labels[t][i]);
    ASSERT(r.converged);
    mtc_free(&ctx, &r.block);
    PASS();
}

TEST degenerate_data_are_served(int task)
{
    static test_tasks p;
    mtc_context ctx = test_context();
    cmp_dmtc_result r;
    random_problem(&p, 1, 2, 6, 3, 2);
    cmp_dmtc_options o = options_of(&p, task, 2);
    for (size_t e = 0; e < 3 * 7; e++)
        p.x[0][e] = p.x[1][e] = (mtc_real)0.1;      /* all alike: W = 0 */
    ASSERT_EQ(MTC_OK, cmp_dmtc(&ctx, p.dense, 2, &o, &r));
    ASSERT_EQ((size_t)0, r.rank);
    ASSERT(r.scores[0][0] == 0 && r.objective[r.iterations] > 0);
    if (task)
        ASSERT_IN_RANGE((mtc_real)0.5, r.relatedness[3], TOL(1e-12));
    mtc_free(&ctx, &r.block);
    random_problem(&p, 1, 2, 6, 3, 1);
    o.clusters = 1;
    ASSERT_EQ(MTC_OK, cmp_dmtc(&ctx, p.dense, 2, &o, &r));
    ASSERT(r.labels[1][3] == 0 && r.converged);
    mtc_free(&ctx, &r.block);
    p.dense[0].n = p.dense[1].n = o.clusters = 4;   /* a sample each */
    o.slack = 1;
    ASSERT_EQ(MTC_OK, cmp_dmtc(&ctx, p.dense, 2, &o, &r));
    for (size_t i = 1; i < 4; i++)
        ASSERT(r.labels[0][0] != r.labels[0][i]);
    mtc_free(&ctx, &r.block);
    p.dense[0].n = o.clusters = 1;
    o.start_labels = NULL;
    ASSERT_EQ(MTC_OK, cmp_dmtc(&ctx, p.dense, 1, &o, &r));
    mtc_free(&ctx, &r.block);
    PASS();
}

/* ---- memory, cancelling, refusals -------------------------------------- */

static mtc_status run_call(mtc_context *ctx, void *user, void *out)
{
    static test_tasks p;
    int call = *(int *)user;
    random_problem(&p, 9, 2, 8, call < 4 ? 3 : 20, 2);
    cmp_dmtc_options o = options_of(&p, call % 2, 2);
    o.slack = 0;
    o.iterations = 3;
    if (call % 4 > 1)
        o.start_labels = NULL;
    return cmp_dmtc(ctx, call % 4 ? p.csr : p.dense, 2, &o,
                    (cmp_dmtc_result *)out);
}

TEST memory_that_fails_is_reported_and_given_back(int call)
{
    const char *wrong = sweep_memory(run_call, &call);
    ASSERTm(wrong, wrong == NULL);
    PASS();
}

TEST calls_stop_at_every_tick(int call)
{
    const char *wrong = sweep_ticks(run_call, &call);
    ASSERTm(wrong, wrong == NULL);
    PASS();
}

#define REFUSED(change) \
    (o = options_of(&p, 0, 2), change, cmp_dmtc(&ctx, p.dense, 2, &o, &r))

TEST what_is_wrong_is_refused_with_its_place(void)
{
    static test_tasks p;
    mtc_context ctx = test_context();
    cmp_dmtc_options o;
    cmp_dmtc_result r;
    random_problem(&p, 9, 2, 8, 3, 2);
    ASSERT_EQ(MTC_INVALID, REFUSED(o.coupling = (cmp_coupling)7));
    ASSERT_EQ(MTC_INVALID, REFUSED(o.lambda1 = -1));
    ASSERT_EQ(MTC_INVALID, REFUSED(o.lambda2 = (mtc_real)NAN));
    ASSERT_EQ(MTC_INVALID, REFUSED(o.lambda1 = o.lambda2 = 0));
    ASSERT_EQ(MTC_INVALID, REFUSED(o.slack = -1));
    ASSERT_EQ(MTC_INVALID, REFUSED(o.tolerance = (mtc_real)NAN));
    ASSERT_EQ(MTC_INVALID, REFUSED(o.clusters = 0));
    ASSERT_EQ(MTC_INVALID, REFUSED(o.clusters = 9));
    ASSERT_EQ((size_t)0, ctx.error.task);
    p.start[1][3] = 2;
    ASSERT_EQ(MTC_INVALID, REFUSED(o.slack = 1));
    ASSERT(ctx.error.task == 1 && ctx.error.row == 3);
    p.start[1][3] = 0;
    p.x[1][3 * 5 + 2] = (mtc_real)INFINITY;
    ASSERT_EQ(MTC_DOMAIN, REFUSED(o.slack = 1));
    ASSERT(ctx.error.task == 1 && ctx.error.row == 5 && ctx.error.column == 2);
    ASSERT_EQ(MTC_INVALID, cmp_dmtc(&ctx, NULL, 2, NULL, &r));
    ASSERT_EQ(MTC_INVALID, cmp_dmtc(&ctx, p.dense, 2, NULL, NULL));
    PASS();
}

SUITE(cmp_dmtc_suite)
{
    RUN_TESTp(dmtc_gives_the_worked_cases, 0);
    RUN_TESTp(dmtc_gives_the_worked_cases, 1);
    for (int task = 0; task < 2; task++) {
        RUN_TESTp(steps_are_those_of_the_formulas, task, 0);
        RUN_TESTp(steps_are_those_of_the_formulas, task, 1);
        RUN_TESTp(the_objective_falls_and_sizes_keep_their_bounds, task);
        RUN_TESTp(the_answer_does_not_depend_on_the_view, task);
        RUN_TESTp(a_start_of_its_own_is_matched_between_tasks, task);
        RUN_TESTp(degenerate_data_are_served, task);
    }
    RUN_TESTp(a_task_alone_is_ridge_regression, 0);
    RUN_TESTp(a_task_alone_is_ridge_regression, 1);
    RUN_TEST(labels_are_the_best_that_sizes_allow);
    for (int call = 0; call < 8; call++) {
        RUN_TESTp(memory_that_fails_is_reported_and_given_back, call);
        RUN_TESTp(calls_stop_at_every_tick, call);
    }
    RUN_TEST(what_is_wrong_is_refused_with_its_place);
}
