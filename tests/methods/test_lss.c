/* SPDX-License-Identifier: MIT
 *
 * LSSMTC and LSSTTC: worked cases, descent, decoupling, invariances.
 */
#include <math.h>

#include "golden/lss.h"
#include "greatest.h"
#include "test_util.h"

/* Random tasks around common centers, signed or not, with random labels. */
static void lss_random(test_tasks *p, uint64_t seed, size_t tasks, size_t n,
                       size_t d, size_t c, int is_signed)
{
    mtc_real center[8 * TEST_D], u[TEST_N];
    p->tasks = tasks;
    test_fill(center, c * d, seed + 1000, is_signed ? -1 : 0, 2);
    for (size_t t = 0; t < tasks; t++) {
        size_t nt = n + t;
        test_fill(p->x[t], nt * d, seed + 7 * t, is_signed ? -1 : 0, 1);
        test_fill(u, nt, seed + 50 + t, 0, (double)c);
        for (size_t i = 0; i < nt; i++) {
            p->start[t][i] = (int)u[i];
            for (size_t j = 0; j < d; j++)
                p->x[t][i * d + j] += center[(i % c) * d + j];
        }
        test_views(p, t, nt, d);
    }
}

static mtc_subspace_mode mode_of(const char *name)
{
    return name[0] == 'r'   ? MTC_SUBSPACE_RECON
           : name[0] == 'p' ? MTC_SUBSPACE_PCA : MTC_SUBSPACE_LITERAL;
}

static const double worked_tolerance = sizeof(mtc_real) == 8 ? 1e-8 : 5e-3;

/* out [rows*rows2] = A B' */
static void outer(size_t rows, size_t rows2, size_t inner, const mtc_real *A,
                  const mtc_real *B, mtc_real *out)
{
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < rows2; j++) {
            double sum = 0;
            for (size_t k = 0; k < inner; k++)
                sum += (double)A[i * inner + k] * (double)B[j * inner + k];
            out[i * rows2 + j] = (mtc_real)sum;
        }
}

static enum greatest_test_res lss_case(const golden_lss *g, int sparse)
{
    static test_tasks p;
    static mtc_real out[TEST_N * TEST_D], XW[TEST_N * 8], W0[TEST_D * 8];
    mtc_context ctx = test_context();
    for (size_t t = 0; t < g->tasks; t++) {
        for (size_t e = 0; e < g->n[t] * g->d; e++)
            p.x[t][e] = (mtc_real)g->X[t][e];
        memcpy(p.start[t], g->start[t], g->n[t] * sizeof(int));
        test_views(&p, t, g->n[t], g->d);
    }
    const mtc_data *tasks = sparse ? p.csr : p.dense;
    mtc_lssmtc_options o = mtc_lssmtc_defaults();
    mtc_lssmtc_result r;
    o.clusters = g->c;
    o.lambda = (mtc_real)g->lambda;
    o.mode = mode_of(g->mode);
    o.subspace = g->l;
    o.rank = g->rank;
    o.iterations = g->steps;
    o.start_labels = p.labels + g->sources;
    for (size_t e = 0; g->start_W != NULL && e < g->d * g->l; e++)
        W0[e] = (mtc_real)g->start_W[e];
    o.start_W = g->start_W != NULL ? W0 : NULL;
    if (g->sources == 0)
        ASSERT_EQm(g->name, MTC_OK,
                   mtc_lssmtc(&ctx, tasks, g->tasks, &o, &r));
    else
        ASSERT_EQm(g->name, MTC_OK,
                   mtc_lssttc(&ctx, tasks, p.labels, g->sources,
                              &tasks[g->sources], &o, &r));
    ASSERT_EQ(g->steps, r.iterations);
    ASSERT_CLOSE(g->objective, r.objective, g->steps + 1);
    for (size_t t = 0; t < g->tasks; t++) {
        ASSERT_CLOSE(g->P[t], r.P[t], g->n[t] * g->c);
        if (g->Mk[t] != NULL)
            ASSERT_CLOSE(g->Mk[t], r.centers[t], g->c * g->d);
        size_t zero_rows = 0;
        for (size_t i = 0; i < g->n[t]; i++) {
            size_t zeros = 0;
            for (size_t z = 0; z < g->c; z++)
                zeros += r.P[t][i * g->c + z] == 0;
            zero_rows += zeros == g->c;
            ASSERT_EQm(g->name, g->labels[t][i], r.labels[t][i]);
        }
        ASSERT_EQm(g->name, g->zero_rows[t], zero_rows);
        if (g->XWMt[t] == NULL)
            continue;
        for (size_t i = 0; i < g->n[t]; i++)
            for (size_t a = 0; a < r.width; a++) {
                double sum = 0;
                for (size_t j = 0; j < g->d; j++)
                    sum += (double)p.x[t][i * g->d + j] *
                           (double)r.W[j * r.width + a];
                XW[i * r.width + a] = (mtc_real)sum;
            }
        outer(g->n[t], g->c, r.width, XW, r.M, out);
        ASSERT_CLOSE(g->XWMt[t], out, g->n[t] * g->c);
    }
    if (g->WWt != NULL) {
        double trace = 0;               /* of W W': the rank */
        outer(g->d, g->d, r.width, r.W, r.W, out);
        ASSERT_CLOSE(g->WWt, out, g->d * g->d);
        for (size_t j = 0; j < g->d; j++)
            trace += g->WWt[j * g->d + j];
        ASSERT_EQm(g->name, (size_t)(trace + .5), r.subspace);
        outer(g->c, g->c, r.width, r.M, r.M, out);
        ASSERT_CLOSE(g->MMt, out, g->c * g->c);
    }
    mtc_free(&ctx, &r.block);
    PASS();
}

TEST lss_follows_the_worked_cases_dense_and_sparse(void)
{
    for (size_t i = 0; i < sizeof golden_lss_cases / sizeof *golden_lss_cases;
         i++) {
        CHECK_CALL(lss_case(&golden_lss_cases[i], 0));
        CHECK_CALL(lss_case(&golden_lss_cases[i], 1));
    }
    PASS();
}

TEST lss_objective_never_increases(void)
{
    static test_tasks p;
    mtc_context ctx = test_context();
    const mtc_real lambdas[5] = {0, (mtc_real)0.25, (mtc_real)0.5,
                                 (mtc_real)0.75, 1};
    for (uint64_t seed = 1; seed <= 400 / TEST_FEWER; seed++) {
        size_t c = 1 + seed % 4, d = seed % 3 ? 2 + seed % 9 : 45;
        lss_random(&p, seed, 1 + seed % 4, 12 + seed % 20, d, c,
                   (int)(seed & 1));
        for (int mode = 0; mode < 3; mode++) {
            mtc_lssmtc_options o = mtc_lssmtc_defaults();
            mtc_lssmtc_result r;
            double total = 0;
            o.clusters = c;
            o.mode = (mtc_subspace_mode)mode;
            o.lambda = lambdas[seed % 5];
            o.subspace = 1 + seed % 5;
            o.rank = 6;
            o.start_labels = seed % 7 ? p.labels : NULL;
            o.start = seed % 3 == 1 ? MTC_START_POOLED : MTC_START_ALIGNED;
            o.restarts = 2;
            mtc_status s = mtc_lssmtc(&ctx, seed & 2 ? p.csr : p.dense,
                                      p.tasks, &o, &r);
            if (mode == MTC_SUBSPACE_LITERAL && s == MTC_INVALID)
                continue;               /* d above N - c: refused */
            ASSERT_EQ(MTC_OK, s);
            for (size_t t = 0; t < p.tasks; t++)
                for (size_t e = 0; e < p.dense[t].n * d; e++)
                    total += (double)p.x[t][e] * (double)p.x[t][e];
            for (size_t it = 0; it < r.iterations; it++) {
                double f = (double)r.objective[it], floor = 1e-12 * total;
                double slack = (double)TOL(1e-10) * (f > floor ? f : floor) +
                               (double)TEST_EPS * 64 * total;
                ASSERT((double)r.objective[it + 1] <= f + slack);
            }
            mtc_free(&ctx, &r.block);
        }
    }
    PASS();
}

TEST lss_at_lambda_1_decouples_the_tasks_exactly(void)
{
    static test_tasks p;
    mtc_context ctx = test_context();
    lss_random(&p, 5, 3, 20, 6, 3, 1);
    mtc_lssmtc_options o = mtc_lssmtc_defaults();
    mtc_lssmtc_result all, one;
    o.clusters = 3;
    o.lambda = 1;
    o.start_labels = p.labels;
    ASSERT_EQ(MTC_OK, mtc_lssmtc(&ctx, p.dense, 3, &o, &all));
    for (size_t t = 0; t < 3; t++) {
        o.start_labels = p.labels + t;
        ASSERT_EQ(MTC_OK, mtc_lssmtc(&ctx, &p.dense[t], 1, &o, &one));
        ASSERT_MEM_EQ(all.P[t], one.P[0],
                      p.dense[t].n * 3 * sizeof *one.P[0]);
        ASSERT_MEM_EQ(all.centers[t], one.centers[0],
                      3 * 6 * sizeof *one.centers[0]);
        mtc_free(&ctx, &one.block);
    }
    mtc_free(&ctx, &all.block);
    PASS();
}

/* Runs p as it is and with tasks and samples reversed, columns reversed and
 * the features turned; the partitions have to follow. */
TEST lss_follows_permutations_and_rotations(void)
{
    static test_tasks p, q;
    mtc_context ctx = test_context();
    const double near = sizeof(mtc_real) == 8 ? 1e-7 : 2e-2;
    for (int mode = 0; mode < 3; mode++) {
        size_t d = 6, T = 3, c = 3;
        lss_random(&p, 31, T, 20, d, c, 1);
        mtc_lssmtc_options o = mtc_lssmtc_defaults();
        mtc_lssmtc_result a, b;
        o.clusters = c;
        o.mode = (mtc_subspace_mode)mode;
        o.lambda = (mtc_real)0.5;
        o.subspace = 2;
        o.rank = 4;
        o.iterations = 8;
        o.start_labels = p.labels;
        ASSERT_EQ(MTC_OK, mtc_lssmtc(&ctx, p.dense, T, &o, &a));
        for (size_t t = 0; t < T; t++) {
            size_t n = p.dense[t].n, s = T - 1 - t;
            for (size_t i = 0; i < n; i++) {
                const mtc_real *x = p.x[t] + i * d;
                mtc_real *y = q.x[s] + (n - 1 - i) * d;
                for (size_t j = 0; j < d; j++)      /* reversed columns */
                    y[d - 1 - j] = x[j];
                for (size_t j = 0; j + 1 < d; j++) {    /* plane rotations */
                    mtc_real u = y[j], v = y[j + 1];
                    y[j] = (mtc_real)0.6 * u - (mtc_real)0.8 * v;
                    y[j + 1] = (mtc_real)0.8 * u + (mtc_real)0.6 * v;
                }
                q.start[s][n - 1 - i] = p.start[t][i];
            }
            test_views(&q, s, n, d);
        }
        o.start_labels = q.labels;
        ASSERT_EQ(MTC_OK, mtc_lssmtc(&ctx, q.dense, T, &o, &b));
        for (size_t t = 0; t < T; t++) {
            size_t n = p.dense[t].n, s = T - 1 - t;
            for (size_t i = 0; i < n; i++)
                for (size_t z = 0; z < c; z++)
                    ASSERT_IN_RANGE((double)a.P[t][i * c + z],
                                    (double)b.P[s][(n - 1 - i) * c + z], near);
        }
        for (size_t t = 0; t < T; t++)
            for (size_t s = 0; s < T; s++)
                ASSERT_IN_RANGE(
                    (double)a.relatedness[t * T + s],
                    (double)b.relatedness[(T - 1 - t) * T + T - 1 - s], near);
        mtc_free(&ctx, &a.block);
        mtc_free(&ctx, &b.block);
    }
    PASS();
}

TEST lss_finds_clusters_that_tasks_share_and_names_them_alike(void)
{
    static test_tasks p;
    mtc_context ctx = test_context();
    for (int start = 0; start < 2; start++) {
        lss_random(&p, 77, 3, 30, 8, 3, 0);
        for (size_t t = 0; t < 3; t++) {        /* well apart */
            for (size_t i = 0; i < p.dense[t].n; i++)
                p.x[t][i * 8 + i % 3] += 6;
            test_views(&p, t, p.dense[t].n, 8);
        }
        mtc_lssmtc_options o = mtc_lssmtc_defaults();
        mtc_lssmtc_result r;
        o.clusters = 3;
        o.start = start ? MTC_START_POOLED : MTC_START_ALIGNED;
        ASSERT_EQ(MTC_OK, mtc_lssmtc(&ctx, p.csr, 3, &o, &r));
        for (size_t t = 0; t < 3; t++) {
            for (size_t i = 0; i < p.dense[t].n; i++)
                ASSERT_EQ(r.labels[0][i % 3], r.labels[t][i]);
            ASSERT_EQ(3, r.k_effective[t]);
            for (size_t s = 0; s < 3; s++) {
                mtc_real related = r.relatedness[t * 3 + s];
                ASSERT(related > (mtc_real)0.5 && related <= 1);
            }
            ASSERT_EQ(1, r.matched[t]);
            int again[TEST_N];
            ASSERT_EQ(MTC_OK, mtc_lssmtc_assign(&ctx, &p.dense[t], t, &r,
                                                again));
            ASSERT_MEM_EQ(r.labels[t], again, p.dense[t].n * sizeof(int));
        }
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

/* lambda |x - M_k[z]|^2 + (1-lambda) |W'x - M[z]|^2, from the result. */
static double center_distance(const mtc_lssmtc_result *r, size_t t, size_t z,
                                const mtc_real *x, double lambda)
{
    double own = 0, shared = 0;
    for (size_t j = 0; j < r->d; j++) {
        double u = (double)x[j] - (double)r->centers[t][z * r->d + j];
        own += u * u;
    }
    for (size_t a = 0; a < r->width; a++) {
        double u = -(double)r->M[z * r->width + a];
        for (size_t j = 0; j < r->d; j++)
            u += (double)x[j] * (double)r->W[j * r->width + a];
        shared += u * u;
    }
    return lambda * own + (1 - lambda) * shared;
}

TEST lss_labels_a_zero_row_by_its_nearest_centers(void)
{
    static test_tasks p;
    mtc_context ctx = test_context();
    size_t met = 0;
    for (uint64_t seed = 1; seed <= 150; seed++) {
        size_t c = 3, d = 5;
        lss_random(&p, seed, 2, 15, d, c, 1);
        mtc_lssmtc_options o = mtc_lssmtc_defaults();
        mtc_lssmtc_result r;
        o.clusters = c;
        o.lambda = (mtc_real)0.5;
        o.start_labels = p.labels;
        ASSERT_EQ(MTC_OK, mtc_lssmtc(&ctx, p.dense, 2, &o, &r));
        for (size_t t = 0; t < 2; t++)
            for (size_t i = 0; i < p.dense[t].n; i++) {
                const mtc_real *x = p.x[t] + i * d, *P = r.P[t] + i * c;
                if (P[0] != 0 || P[1] != 0 || P[2] != 0)
                    continue;
                met++;
                double got = center_distance(&r, t, (size_t)r.labels[t][i],
                                               x, 0.5);
                for (size_t z = 0; z < c; z++)
                    ASSERT(got <= center_distance(&r, t, z, x, 0.5) +
                                      (double)TOL(1e-10));
            }
        mtc_free(&ctx, &r.block);
    }
    ASSERT(met > 0);
    PASS();
}

/* How alike the centers of two tasks lie, by the ways from center to center,
 * which a shift does not change: <U_y - U_z, V_y - V_z> over all pairs, times
 * 2, over the squares of both; below 0 is 0. */
static double alike(const mtc_lssmtc_result *r, size_t t, size_t s)
{
    double both = 0, all = 0;
    for (size_t y = 0; y < r->clusters; y++)
        for (size_t z = 0; z < y; z++)
            for (size_t e = 0; e < r->d; e++) {
                const mtc_real *U = r->centers[t], *V = r->centers[s];
                double u = (double)(U[y * r->d + e] - U[z * r->d + e]);
                double v = (double)(V[y * r->d + e] - V[z * r->d + e]);
                both += 2 * u * v;
                all += u * u + v * v;
            }
    return both > 0 ? both / all : 0;
}

/* A task and the same one moved: related entirely, both ways. */
TEST lss_finds_a_shifted_task_related(void)
{
    static test_tasks p;
    mtc_context ctx = test_context();
    mtc_lssmtc_options o = mtc_lssmtc_defaults();
    mtc_lssmtc_result r;
    lss_random(&p, 5, 2, 30, 4, 3, 0);
    memcpy(p.x[1], p.x[0], 30 * 4 * sizeof(mtc_real));
    for (size_t e = 0; e < 30 * 4; e++)
        p.x[1][e] += 1;
    o.clusters = 3;
    o.lambda = 1;
    mtc_data both[2] = {mtc_dense(30, 4, p.x[0]), mtc_dense(30, 4, p.x[1])};
    ASSERT_EQ(MTC_OK, mtc_lssmtc(&ctx, both, 2, &o, &r));
    for (size_t e = 0; e < 4; e++)
        ASSERT_IN_RANGE(1.0, (double)r.relatedness[e], (double)TOL(1e-2));
    ASSERT(r.relatedness[1] == r.relatedness[2]);
    mtc_free(&ctx, &r.block);
    PASS();
}

/* Heights and weights, three groups seven deviations apart: wherever 0 lies,
 * the rows of the fit are known again. */
TEST lss_gives_rows_the_label_that_it_gave_them(void)
{
    enum { N = 90, D = 2 };
    static const mtc_real group[3][D] = {{150, 55}, {170, 80}, {190, 70}};
    static const mtc_real place[] = {-170, 0, 1000};
    mtc_context ctx = test_context();
    for (size_t e = 0; e < 3; e++) {
        mtc_real x[2][N * D];
        int labels[N];
        mtc_data tasks[2];
        mtc_lssmtc_options o = mtc_lssmtc_defaults();
        mtc_lssmtc_result r;
        o.clusters = 3;
        for (size_t t = 0; t < 2; t++) {
            mtc_random rng = mtc_random_seed(t + 1);
            for (size_t i = 0; i < N * D; i++)
                x[t][i] = group[i / D % 3][i % D] + place[e] +
                          3 * mtc_random_normal(&rng);
            tasks[t] = mtc_dense(N, D, x[t]);
        }
        ASSERT_EQ(MTC_OK, mtc_lssmtc(&ctx, tasks, 2, &o, &r));
        for (size_t t = 0; t < 2; t++) {
            ASSERT_EQ(MTC_OK, mtc_lssmtc_assign(&ctx, &tasks[t], t, &r,
                                                labels));
            ASSERT_MEM_EQ(r.labels[t], labels, sizeof labels);
        }
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

TEST lss_gives_no_row_to_an_empty_cluster(void)
{
    const mtc_real x[] = {10, 11, 12, 14}, far[] = {-300, 60, 300, 1000000};
    const int second[] = {1, 1, 1, 1}, *start = second;
    int labels[4];
    mtc_data X = mtc_dense(4, 1, x), Y = mtc_dense(4, 1, far);
    mtc_lssmtc_options o = mtc_lssmtc_defaults();
    mtc_lssmtc_result r;
    o.clusters = 3;
    o.start_labels = &start;
    o.iterations = 0;
    ASSERT_EQ(MTC_OK, mtc_lssmtc(NULL, &X, 1, &o, &r));
    ASSERT_EQ(1, r.k_effective[0]);
    ASSERT_EQ(MTC_OK, mtc_lssmtc_assign(NULL, &X, 0, &r, labels));
    ASSERT_MEM_EQ(second, labels, sizeof labels);
    ASSERT_EQ(MTC_OK, mtc_lssmtc_assign(NULL, &Y, 0, &r, labels));
    ASSERT_MEM_EQ(second, labels, sizeof labels);
    mtc_free(NULL, &r.block);
    PASS();
}

TEST lss_relates_tasks_as_defined(void)
{
    static test_tasks p;
    mtc_context ctx = test_context();
    for (uint64_t seed = 1; seed <= 8; seed++) {
        mtc_lssmtc_options o = mtc_lssmtc_defaults();
        mtc_lssmtc_result r;
        lss_random(&p, seed, 3, 20, 6, 4, 1);
        o.clusters = 4;
        o.lambda = (mtc_real)(0.1 * (double)seed);
        ASSERT_EQ(MTC_OK, mtc_lssmtc(&ctx, p.dense, 3, &o, &r));
        for (size_t t = 0; t < 3; t++)
            for (size_t s = 0; s < 3; s++)
                ASSERT_IN_RANGE(alike(&r, t, s),
                                (double)r.relatedness[t * 3 + s],
                                (double)TOL(1e-9));
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

TEST lssttc_carries_the_classes_of_its_sources(void)
{
    static test_tasks p;
    mtc_context ctx = test_context();
    lss_random(&p, 12, 3, 30, 8, 3, 0);
    int truth[2][TEST_N];
    const int *labels[2] = {truth[0], truth[1]};
    const int name[3] = {2, 0, 1};      /* class of group i % 3 */
    for (size_t t = 0; t < 3; t++) {
        for (size_t i = 0; i < p.dense[t].n; i++) {
            p.x[t][i * 8 + i % 3] += 6;
            if (t < 2)
                truth[t][i] = name[i % 3];
        }
        test_views(&p, t, p.dense[t].n, 8);
    }
    mtc_lssmtc_options o = mtc_lssttc_defaults();
    mtc_lssmtc_result r;
    o.clusters = 3;
    ASSERT_EQ(MTC_OK, mtc_lssttc(&ctx, p.dense, labels, 2, &p.dense[2], &o,
                                 &r));
    for (size_t i = 0; i < p.dense[2].n; i++)
        ASSERT_EQ(name[i % 3], r.labels[2][i]);
    for (size_t i = 0; i < p.dense[0].n; i++)   /* one-hot, untouched */
        for (int z = 0; z < 3; z++)
            ASSERT_EQ(truth[0][i] == z, r.P[0][i * 3 + (size_t)z]);
    mtc_free(&ctx, &r.block);
    mtc_data many[17];
    const int *same[17];
    for (size_t t = 0; t < 17; t++) {
        many[t] = p.dense[0];
        same[t] = truth[0];
    }
    ASSERT_EQ(MTC_OK, mtc_lssttc(&ctx, many, same, 17, &p.dense[2], &o, &r));
    ASSERT_EQ(18, r.tasks);
    for (size_t i = 0; i < p.dense[2].n; i++)
        ASSERT_EQ(name[i % 3], r.labels[17][i]);
    mtc_free(&ctx, &r.block);
    truth[1][4] = 9;
    ASSERT_EQ(MTC_INVALID, mtc_lssttc(&ctx, p.dense, labels, 2, &p.dense[2],
                                      &o, &r));
    ASSERT_EQ(1, ctx.error.task);
    ASSERT_EQ(4, ctx.error.row);
    PASS();
}

/* Class 0 occurs in no source.  A third of the target lies where neither of the
 * other two does, and some of its rows are 0, or 0 in P after a step; a start
 * names class 0, too. */
TEST lssttc_never_gives_a_class_that_no_source_has(void)
{
    static test_tasks p;
    mtc_context ctx = test_context();
    int h[2][TEST_N];
    const int *labels[2] = {h[0], h[1]}, *start[1] = {p.start[2]};
    for (uint64_t seed = 1; seed <= 40; seed++)
        for (int given = 0; given < 2; given++) {
            mtc_lssmtc_options o = mtc_lssttc_defaults();
            mtc_lssmtc_result r;
            int again[TEST_N];
            lss_random(&p, seed, 3, 20, 4, 3, 1);
            memset(p.x[2], 0, 8 * sizeof *p.x[2]);
            for (size_t t = 0; t < 2; t++)
                for (size_t i = 0; i < p.dense[t].n; i++) {
                    h[t][i] = 1 + (int)(i % 2);
                    for (size_t e = 0; e < 4 && i % 3 == 2; e++)
                        p.x[t][i * 4 + e] = p.x[t][e];
                }
            o.clusters = 3;
            o.mode = seed % 2 ? MTC_SUBSPACE_PCA : MTC_SUBSPACE_RECON;
            o.offset = seed % 3 ? o.offset : 0;
            o.start_labels = given ? start : NULL;
            ASSERT_EQ(MTC_OK, mtc_lssttc(&ctx, p.dense, labels, 2, &p.dense[2],
                                         &o, &r));
            ASSERT_EQ(MTC_OK, mtc_lssmtc_assign(&ctx, &p.dense[2], 2, &r,
                                                again));
            for (size_t i = 0; i < p.dense[2].n; i++) {
                ASSERT(r.labels[2][i] > 0);
                ASSERT(again[i] > 0);
                ASSERT(r.P[2][i * 3] == 0);
            }
            mtc_free(&ctx, &r.block);
        }
    PASS();
}

TEST lss_refuses_what_it_cannot_serve(void)
{
    static test_tasks p;
    mtc_context ctx = test_context();
    lss_random(&p, 3, 2, 10, 40, 2, 1);
    mtc_lssmtc_options o = mtc_lssmtc_defaults();
    mtc_lssmtc_result r;
    o.mode = MTC_SUBSPACE_LITERAL;               /* d = 40 > N - c = 19 */
    ASSERT_EQ(MTC_INVALID, mtc_lssmtc(&ctx, p.dense, 2, &o, &r));
    o.mode = MTC_SUBSPACE_RECON;
    o.lambda = (mtc_real)1.5;
    ASSERT_EQ(MTC_INVALID, mtc_lssmtc(&ctx, p.dense, 2, &o, &r));
    o.lambda = (mtc_real)0.5;
    o.clusters = 11;
    ASSERT_EQ(MTC_INVALID, mtc_lssmtc(&ctx, p.dense, 2, &o, &r));
    ASSERT_EQ(0, ctx.error.task);
    o.clusters = 2;
    p.dense[1].d = 39;
    ASSERT_EQ(MTC_INVALID, mtc_lssmtc(&ctx, p.dense, 2, &o, &r));
    ASSERT_EQ(1, ctx.error.task);
    ASSERT_EQ(MTC_INVALID, mtc_lssmtc(&ctx, p.dense, 0, &o, &r));
    PASS();
}

/* Products of all samples with few features: their blocks are as long as the
 * samples are many, sparse rows or not. */
TEST lss_stays_within_its_memory_in_every_mode(mtc_subspace_mode mode)
{
    enum { N = 300, D = 8, C = 4, GUARD = 1 << 16 };
    static mtc_real x[2][N * D], value[2][N * D];
    static size_t row[2][N + 1];
    static uint32_t column[2][N * D];
    static int labels[2][N];
    const int *start[2] = {labels[0], labels[1]};
    mtc_data X[2];
    mtc_lssmtc_options o = mtc_lssmtc_defaults();
    mtc_lssmtc_result r;
    for (size_t t = 0; t < 2; t++) {
        test_fill(x[t], N * D, 5 + t, -1, 1);
        for (size_t i = 0; i < N; i++)
            labels[t][i] = (int)(i % C);
        test_sparse(N, D, x[t], row[t], column[t], value[t]);
        X[t] = mtc_csr(N, D, row[t], column[t], value[t]);
    }
    o.clusters = C;
    o.mode = mode;
    o.subspace = 2;
    o.start_labels = start;
    mtc_context ask = mtc_measure();
    ASSERT_EQ(MTC_NO_MEMORY, mtc_lssmtc(&ask, X, 2, &o, &r));
    size_t size = ask.need;
    unsigned char *memory = (unsigned char *)malloc(size + GUARD);
    memset(memory, 0x5a, size + GUARD);
    mtc_arena arena = mtc_arena_over(memory, size);
    mtc_context ctx = mtc_arena_context(&arena);
    ASSERT_EQ(MTC_OK, mtc_lssmtc(&ctx, X, 2, &o, &r));
    for (size_t i = 0; i < GUARD; i++)
        ASSERT_EQ(0x5a, memory[size + i]);
    free(memory);
    PASS();
}

/* More features than samples, sources of unequal sizes: the Gram matrix of
 * sparse rows, whose work depends on how many values they store. */
TEST lssttc_stays_within_its_memory_on_wide_sparse_data(void)
{
    enum { SETS = 4, N = 60, D = 400, GUARD = 1 << 16 };
    static mtc_real value[SETS][N * D], x[N * D];
    static size_t row[SETS][N + 1];
    static uint32_t column[SETS][N * D];
    static int labels[SETS][N];
    const int *classes[SETS];
    mtc_data X[SETS];
    mtc_lssmtc_options o = mtc_lssttc_defaults();
    mtc_lssmtc_result r;
    for (size_t t = 0; t < SETS; t++) {
        size_t n = t == 0 ? 5 : N;
        test_fill(x, n * D, 5 + t, -9, 1);
        for (size_t e = 0; e < n * D; e++)
            x[e] = x[e] > 0 || e % D / 10 == e / D % 3 ? x[e] : 0;
        for (size_t i = 0; i < n; i++)
            labels[t][i] = (int)(i % 3);
        test_sparse(n, D, x, row[t], column[t], value[t]);
        X[t] = mtc_csr(n, D, row[t], column[t], value[t]);
        classes[t] = labels[t];
    }
    o.clusters = 3;
    mtc_context ask = mtc_measure();
    ASSERT_EQ(MTC_NO_MEMORY, mtc_lssttc(&ask, X, classes, SETS - 1,
                                        &X[SETS - 1], &o, &r));
    unsigned char *memory = (unsigned char *)malloc(ask.need + GUARD);
    memset(memory, 0x5a, ask.need + GUARD);
    mtc_arena arena = mtc_arena_over(memory, ask.need);
    mtc_context ctx = mtc_arena_context(&arena);
    ASSERT_EQ(MTC_OK, mtc_lssttc(&ctx, X, classes, SETS - 1, &X[SETS - 1], &o,
                                 &r));
    for (size_t i = 0; i < GUARD; i++)
        ASSERT_EQ(0x5a, memory[ask.need + i]);
    for (size_t i = 0; i < N; i++)
        ASSERT_EQ((int)(i % 3), r.labels[SETS - 1][i]);
    free(memory);
    PASS();
}

/* P_k'P_k M_k = P_k'X_k (8), in long double, over the size of the right side. */
static double normal_equations(const mtc_lssmtc_result *r, size_t t,
                               const mtc_data *X)
{
    size_t c = r->clusters, d = r->d;
    const mtc_real *P = r->P[t];
    long double off = 0, size = 0;
    for (size_t z = 0; z < c; z++)
        for (size_t f = 0; f < d; f++) {
            long double left = 0, right = 0;
            for (size_t i = 0; i < X->n; i++) {
                right += (long double)P[i * c + z] * X->values[i * d + f];
                for (size_t y = 0; y < c; y++)
                    left += (long double)P[i * c + z] * P[i * c + y] *
                            r->centers[t][y * d + f];
            }
            off += fabsl(left - right);
            size += fabsl(right);
        }
    return (double)(off / size);
}

/* One task smaller and smaller: its centers fit its samples; P and the shared
 * centers are numbers. */
TEST lss_serves_a_small_task(void)
{
    static test_tasks p;
    mtc_context ctx = test_context();
    int step = sizeof(mtc_real) == 8 ? 20 : 4;
    for (int mode = 0; mode < 3; mode++)
        for (int transfer = 0; transfer < 2; transfer++)
            for (int e = 0; e <= 6; e++) {
                mtc_lssmtc_options o = transfer ? mtc_lssttc_defaults()
                                                : mtc_lssmtc_defaults();
                mtc_lssmtc_result r;
                const int *source[1] = {p.start[0]};
                lss_random(&p, 3, 2, 24, 4, 3, 0);
                for (size_t i = 0; i < p.dense[1].n * 4; i++)
                    p.x[1][i] = (mtc_real)ldexp((double)p.x[1][i], -e * step);
                o.clusters = 3;
                o.mode = (mtc_subspace_mode)mode;
                o.subspace = 2;
                o.iterations = 60;
                ASSERT_EQ(MTC_OK,
                          transfer ? mtc_lssttc(&ctx, p.dense, source, 1,
                                                &p.dense[1], &o, &r)
                                   : mtc_lssmtc(&ctx, p.dense, 2, &o, &r));
                for (size_t i = 0; i < 3 * r.width; i++)
                    ASSERT(r.M[i] * 0 == 0);
                ASSERT(normal_equations(&r, 1, &p.dense[1]) <
                       (sizeof(mtc_real) == 8 ? 1e-6 : 1e-2));
                mtc_free(&ctx, &r.block);
            }
    PASS();
}

/* All values times a power of two: the same P to the bit, centers to scale. */
TEST lss_does_not_mind_the_unit(void)
{
    static test_tasks p, q;
    mtc_context ctx = test_context();
    int most = sizeof(mtc_real) == 8 ? 140 : 20;
    for (int e = -most; e <= most; e += most / 2) {
        mtc_lssmtc_options o = mtc_lssmtc_defaults();
        mtc_lssmtc_result a, b;
        lss_random(&p, 4, 2, 24, 4, 3, 0);
        q = p;
        for (size_t t = 0; t < 2; t++) {
            size_t n = p.dense[t].n;
            for (size_t i = 0; i < n * 4; i++)
                q.x[t][i] = (mtc_real)ldexp((double)p.x[t][i], e);
            test_views(&q, t, n, 4);
            test_views(&p, t, n, 4);
        }
        o.clusters = 3;
        ASSERT_EQ(MTC_OK, mtc_lssmtc(&ctx, p.csr, 2, &o, &a));
        ASSERT_EQ(MTC_OK, mtc_lssmtc(&ctx, q.csr, 2, &o, &b));
        for (size_t t = 0; t < 2; t++) {
            ASSERT_MEM_EQ(a.P[t], b.P[t],
                          p.dense[t].n * 3 * sizeof(mtc_real));
            for (size_t i = 0; i < 3 * 4; i++)
                ASSERT(b.centers[t][i] ==
                       (mtc_real)ldexp((double)a.centers[t][i], e));
        }
        mtc_free(&ctx, &a.block);
        mtc_free(&ctx, &b.block);
    }
    PASS();
}

/* Mode pca, columns 30 + s_j, where s_j = +-1 by bit j of the row's number: X'X
 * = N (900 11' + I), which has rank 8, and the classes, by another bit, have
 * one mean, so that the best two directions cost N each.  Three kinds of rows
 * have rank 3. */
TEST many_rows_far_from_0_keep_their_small_directions(void)
{
    enum { N = 16384, D = 8 };
    mtc_real *x = test_reals(N * D);
    int *z = (int *)malloc(N * sizeof *z);
    const int *start[1] = {z};
    mtc_lssmtc_options o = mtc_lssmtc_defaults();
    mtc_lssmtc_result res;
    for (size_t i = 0; i < N; i++) {
        z[i] = (int)(i >> D & 1);
        for (size_t j = 0; j < D; j++)
            x[i * D + j] = (mtc_real)(30 + 2 * (int)(i >> j & 1) - 1);
    }
    mtc_data X = mtc_dense(N, D, x);
    o.mode = MTC_SUBSPACE_PCA;
    o.lambda = o.offset = 0;
    o.iterations = 0;
    o.start_labels = start;
    ASSERT_EQ(MTC_OK, mtc_lssmtc(NULL, &X, 1, &o, &res));
    ASSERT_EQ_FMT((size_t)2, res.subspace, "%zu");
    ASSERT_IN_RANGE(2 * N, (double)res.objective[0], 1e-3 * N);
    mtc_free(NULL, &res.block);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < D; j++)
            x[i * D + j] = (mtc_real)(0.1 + 0.7 * (double)(i % 3 * j * j % 5));
    o.subspace = D;
    ASSERT_EQ(MTC_OK, mtc_lssmtc(NULL, &X, 1, &o, &res));
    ASSERT_EQ_FMT((size_t)3, res.subspace, "%zu");
    mtc_free(NULL, &res.block);
    free(x);
    free(z);
    PASS();
}

/* A given W is what an empty run returns, and its columns are counted; QR may
 * turn their signs. */
TEST the_subspace_of_a_run_without_steps_is_the_given_one(void)
{
    const mtc_real x[] = {1, 0, 2, 2, 1, 0, 5, 5, 1, 7, 1, 6};
    const mtc_real W[6] = {0, 1, 0, 0, 1, 0};
    mtc_data X = mtc_dense(4, 3, x);
    mtc_lssmtc_options o = mtc_lssmtc_defaults();
    mtc_lssmtc_result res;
    o.clusters = 2;
    o.iterations = 0;
    o.start_W = W;
    ASSERT_EQ_FMT(MTC_OK, mtc_lssmtc(NULL, &X, 1, &o, &res), "%d");
    ASSERT_EQ_FMT((size_t)2, res.width, "%zu");
    ASSERT_EQ_FMT((size_t)2, res.subspace, "%zu");
    for (size_t e = 0; e < 6; e++)
        ASSERT_IN_RANGE(W[e], fabs((double)res.W[e]), TOL(1e-15));
    mtc_free(NULL, &res.block);
    PASS();
}

/* A W of three digits passes.  What its columns are too long by does not count
 * as a fit, which the first step would lose. */
TEST a_start_of_few_digits_does_not_end_the_run(void)
{
    enum { N = 30, D = 5, C = 3 };
    static mtc_real x[2][N * D], W[D * C];
    mtc_data X[2] = {mtc_dense(N, D, x[0]), mtc_dense(N, D, x[1])};
    mtc_lssmtc_options o = mtc_lssmtc_defaults();
    mtc_lssmtc_result found, res;
    for (size_t t = 0; t < 2; t++)
        test_fill(x[t], N * D, 31 + t, 4, 5);   /* far from 0: |X|^2 is large */
    o.clusters = C;
    o.lambda = 0;
    o.iterations = 0;
    ASSERT_EQ_FMT(MTC_OK, mtc_lssmtc(NULL, X, 2, &o, &found), "%d");
    for (size_t e = 0; e < D * C; e++)
        W[e] = found.W[e] * (mtc_real)1.0004;
    o.start_W = W;
    o.iterations = 5;
    ASSERT_EQ_FMT(MTC_OK, mtc_lssmtc(NULL, X, 2, &o, &res), "%d");
    ASSERT_EQ_FMT((size_t)5, res.iterations, "%zu");
    ASSERT_IN_RANGE(1, (double)(res.objective[0] / found.objective[0]), .01);
    ASSERT(res.objective[5] < res.objective[0]);
    mtc_free(NULL, &found.block);
    mtc_free(NULL, &res.block);
    PASS();
}

/* One task of n rows in the plane, two clusters, from given labels. */
static mtc_status lss_in_the_plane(mtc_context *ctx, size_t n,
                                   const mtc_real *x, const int *labels,
                                   size_t iterations, mtc_lssmtc_result *r)
{
    mtc_data X = mtc_dense(n, 2, x);
    const int *const given[1] = {labels};
    mtc_lssmtc_options o = mtc_lssmtc_defaults();
    o.start_labels = given;
    o.iterations = iterations;
    return mtc_lssmtc(ctx, &X, 1, &o, r);
}

/* Row 4 falls below 1e-307 before centers come near it.  A transcription of
 * (14) in numbers whose exponents have 15 bits ends at 15.568515. */
TEST a_row_that_fits_no_center_comes_back(void)
{
    const mtc_real x[10] = {-2, 2, -5, -4, 1, -4, 1, -1, 2, 6};
    const int start[5] = {1, 1, 1, 0, 1};
    mtc_context ctx = test_context();
    mtc_lssmtc_result r;
    ASSERT_EQ(MTC_OK, lss_in_the_plane(&ctx, 5, x, start, 50, &r));
    for (size_t i = 0; i < 5; i++)
        ASSERT_EQ(start[i], r.labels[0][i]);
    ASSERT_IN_RANGE(15.568515, r.objective[r.iterations], 0.2);
    ASSERT_IN_RANGE(0.751654, r.P[0][9], 0.04);
    mtc_free(&ctx, &r.block);
    PASS();
}

/* Row 4 falls for ever: its label is that of the centers which it is nearest
 * to, and not the first of two equal entries. */
TEST a_row_that_falls_goes_to_the_nearest_centers(void)
{
    const mtc_real x[10] = {5, -5, 1, 7, 5, -1, 4, -5, -2, -1};
    const int start[5] = {0, 1, 0, 0, 1};
    mtc_context ctx = test_context();
    mtc_lssmtc_result r;
    ASSERT_EQ(MTC_OK, lss_in_the_plane(&ctx, 5, x, start, 24, &r));
    for (size_t z = 0; z < 2; z++)
        ASSERT(r.P[0][8 + z] > 0 && r.P[0][8 + z] < (mtc_real)1.1e-12);
    ASSERT(center_distance(&r, 0, 1, x + 8, 0.75) <
           center_distance(&r, 0, 0, x + 8, 0.75));
    ASSERT_EQ(1, r.labels[0][4]);
    mtc_free(&ctx, &r.block);
    PASS();
}

/* The same bits, however small the unit: squares times P must not vanish. */
TEST rows_come_back_in_every_unit(void)
{
    const mtc_real x[8] = {-3, 1, 7, 3, -1, 8, -3, -5};
    const int start[4] = {0, 0, 1, 1}, half = sizeof(mtc_real) == 8 ? 70 : 14;
    mtc_real small[8], P[8];
    mtc_context ctx = test_context();
    mtc_lssmtc_result r;
    memcpy(small, x, sizeof x);
    for (int times = 0; times < 3; times++) {
        ASSERT_EQ(MTC_OK, lss_in_the_plane(&ctx, 4, small, start, 50, &r));
        if (times == 0)
            memcpy(P, r.P[0], sizeof P);
        ASSERT_MEM_EQ(P, r.P[0], sizeof P);
        mtc_free(&ctx, &r.block);
        for (size_t e = 0; e < 8; e++)
            small[e] = (mtc_real)ldexp((double)small[e], -half);
    }
    PASS();
}

/* The objective is homogeneous of degree 2, and powers of two round nothing: of
 * columns of which one is the mean of the others, too. */
TEST lss_has_no_unit(void)
{
    enum { N = 60, D = 37 };
    static mtc_real x[2][N * D], y[2][N * D];
    static int labels[N];
    const int *classes[1] = {labels};
    mtc_random rng = mtc_random_seed(12);
    double first[2] = {0, 0}, f = 1;
    for (size_t e = 0; e < 2 * N * D; e++) {
        mtc_real *row = x[e / (N * D)] + e % (N * D) / D * D;
        size_t i = e % (N * D) / D, j = e % D;
        labels[i] = (int)(i % 3);
        row[j] = (mtc_real)(j % 3 == i % 3) * 2 + mtc_random_normal(&rng);
        if (j == D - 1)
            row[j] = 0;
        for (size_t c = 0; c < j && j == D - 1; c++)
            row[j] += row[c] / (D - 1);
    }
    for (int step = 0; step < 5; step++, f /= 256) {
        mtc_lssmtc_options o = mtc_lssttc_defaults();
        mtc_lssmtc_result r;
        o.clusters = 3;
        for (size_t e = 0; e < 2 * N * D; e++)
            (&y[0][0])[e] = (&x[0][0])[e] * (mtc_real)f;
        mtc_data S = mtc_dense(N, D, y[0]), T = mtc_dense(N, D, y[1]);
        ASSERT_EQ(MTC_OK, mtc_lssttc(NULL, &S, classes, 1, &T, &o, &r));
        double begin = (double)r.objective[0] / f / f;
        double end = (double)r.objective[r.iterations] / f / f;
        if (step == 0) {
            first[0] = begin;
            first[1] = end;
        }
        ASSERT_IN_RANGE(first[0], begin, 1e-9 * first[0]);
        ASSERT_IN_RANGE(first[1], end, 1e-9 * first[1]);
        mtc_free(NULL, &r.block);
    }
    PASS();
}

SUITE(lss_suite)
{
    RUN_TEST(lss_has_no_unit);
    RUN_TEST(a_start_of_few_digits_does_not_end_the_run);
    RUN_TEST(the_subspace_of_a_run_without_steps_is_the_given_one);
    RUN_TEST(many_rows_far_from_0_keep_their_small_directions);
    RUN_TEST(lss_follows_the_worked_cases_dense_and_sparse);
    RUN_TEST(lss_objective_never_increases);
    RUN_TEST(lss_at_lambda_1_decouples_the_tasks_exactly);
    RUN_TEST(lss_follows_permutations_and_rotations);
    RUN_TEST(lss_finds_clusters_that_tasks_share_and_names_them_alike);
    RUN_TEST(lss_labels_a_zero_row_by_its_nearest_centers);
    RUN_TEST(lss_relates_tasks_as_defined);
    RUN_TEST(lss_gives_rows_the_label_that_it_gave_them);
    RUN_TEST(lss_gives_no_row_to_an_empty_cluster);
    RUN_TEST(lss_finds_a_shifted_task_related);
    RUN_TEST(lssttc_carries_the_classes_of_its_sources);
    RUN_TEST(lssttc_never_gives_a_class_that_no_source_has);
    RUN_TEST(lss_refuses_what_it_cannot_serve);
    RUN_TESTp(lss_stays_within_its_memory_in_every_mode, MTC_SUBSPACE_RECON);
    RUN_TESTp(lss_stays_within_its_memory_in_every_mode, MTC_SUBSPACE_PCA);
    RUN_TESTp(lss_stays_within_its_memory_in_every_mode, MTC_SUBSPACE_LITERAL);
    RUN_TEST(lssttc_stays_within_its_memory_on_wide_sparse_data);
    RUN_TEST(lss_serves_a_small_task);
    RUN_TEST(lss_does_not_mind_the_unit);
    RUN_TEST(a_row_that_fits_no_center_comes_back);
    RUN_TEST(a_row_that_falls_goes_to_the_nearest_centers);
    RUN_TEST(rows_come_back_in_every_unit);
}
