/* SPDX-License-Identifier: MIT
 *
 * Cross-domain spectral classification against worked cases; its eigenvectors
 * against the problem written out by pairs of samples, its multipliers against
 * the equations they solve; samples without an edge, classes without samples.
 */
#include <math.h>

#define CMP_INTERNAL
#include "../../examples/compared/compared.h"
#include "cmp_sweep.h"
#include "golden/cmp_cdsc.h"
#include "greatest.h"
#include "test_util.h"

static const double worked_tolerance = sizeof(mtc_real) == 8 ? 1e-8 : 1e-3;

/* Task 0 is the source, with its labels; 1 the target, with the truth. */
static test_tasks world;

/* Class i % c of sample i, a direction each; the target's are turned. */
static void make_cones(size_t n, size_t d, size_t c, double noise,
                       uint64_t seed)
{
    for (size_t t = 0; t < 2; t++) {
        test_fill(world.x[t], n * d, seed + t, -noise, noise);
        for (size_t i = 0; i < n; i++) {
            world.start[t][i] = (int)(i % c);
            world.x[t][i * d + i % c] += 1;
            world.x[t][i * d + (i % c + 1) % d] += (mtc_real)t / 4;
        }
        test_views(&world, t, n, d);
    }
}

typedef struct cdsc_input { cmp_cdsc_options o; int sparse; } cdsc_input;

static mtc_status run_cdsc(mtc_context *ctx, void *user, void *out)
{
    const cdsc_input *in = (const cdsc_input *)user;
    const mtc_data *set = in->sparse ? world.csr : world.dense;
    return cmp_cdsc(ctx, set, world.labels, 1, set + 1, &in->o,
                    (cmp_cdsc_result *)out);
}

static cdsc_input make_input(cmp_cdsc_form form, size_t classes)
{
    cdsc_input in = {cmp_cdsc_defaults(), 0};
    in.o.form = form;
    in.o.classes = classes;
    return in;
}

TEST cdsc_worked_case(const cdsc_case *g, int sparse)
{
    mtc_context ctx = test_context();
    cdsc_input in = make_input(g->transducer ? CMP_CDSC_TRANSDUCER
                                             : CMP_CDSC_BINARY, g->c);
    cmp_cdsc_result r;
    test_set(&world, 0, g->n, g->d, g->source);
    test_set(&world, 1, g->m, g->d, g->target);
    memcpy(world.start[0], g->labels, g->n * sizeof(int));
    in.sparse = sparse;
    in.o.lambda = (mtc_real)g->lambda;
    in.o.beta = (mtc_real)g->beta;
    in.o.trust = (mtc_real)g->trust;
    in.o.vectors = g->vectors > 0 ? g->vectors : 1;
    ASSERT_EQ(MTC_OK, run_cdsc(&ctx, &in, &r));
    ASSERT(r.converged && r.n == g->m && r.classes == g->c);
    if (g->transducer) {
        ASSERT_EQ(g->nodes, r.nodes);
        ASSERT_CLOSE(g->mu, r.multipliers, g->c);
    } else {
        double gap = (double)(r.eigenvalues[1] - r.eigenvalues[0]);
        ASSERT_CLOSE(&g->eigenvalue, r.eigenvalues, 1);
        ASSERT_IN_RANGE(g->gap, gap, worked_tolerance);
    }
    ASSERT_CLOSE(g->scores, r.scores, g->m * g->c);
    ASSERT_MEM_EQ(g->found, r.labels, g->m * sizeof(int));
    mtc_free(&ctx, &r.block);
    PASS();
}

/* ---- what is minimized ------------------------------------------------- */

enum { HALF = 16, ALL = 2 * HALF, WIDE = 4 };

/* M = W + lambda W_O and its degrees, by the definition. */
static void make_graph(double lambda, double *M, double *degree)
{
    for (size_t i = 0; i < ALL; i++) {
        degree[i] = 0;
        for (size_t j = 0; j < ALL; j++) {
            const mtc_real *x = world.x[i / HALF] + i % HALF * WIDE;
            const mtc_real *y = world.x[j / HALF] + j % HALF * WIDE;
            double xy = 0, xx = 0, yy = 0;
            for (size_t e = 0; e < WIDE; e++) {
                xy += (double)x[e] * (double)y[e];
                xx += (double)x[e] * (double)x[e];
                yy += (double)y[e] * (double)y[e];
            }
            M[i * ALL + j] = i == j || xy <= 0 ? 0 : xy / sqrt(xx * yy);
            if (i >= HALF && j >= HALF)
                M[i * ALL + j] *= 1 + lambda;
            degree[i] += M[i * ALL + j];
        }
    }
}

/* The Rayleigh quotient, with cuts and penalty summed over pairs of samples,
 * is the eigenvalue, and z fulfils the eigenvalue equation off e. */
TEST binary_solves_its_eigenproblem(void)
{
    mtc_context ctx = test_context();
    cdsc_input in = make_input(CMP_CDSC_AUTO, 2);
    cmp_cdsc_result r;
    double M[ALL * ALL], d[ALL], x[ALL], y[ALL] = {0}, e[ALL], residual[ALL];
    double mass[2] = {0, 0}, all = 0, cut = 0, penalty = 0, length = 0;
    double mean = 0, yy = 0, vz = 0, back = 0;
    make_cones(HALF, WIDE, 2, 0.9, 3);
    for (size_t i = 0; i < 4; i++)
        world.start[0][i] = 1;                      /* unequal classes */
    in.o.lambda = (mtc_real)0.5;
    in.o.beta = 4;
    ASSERT_EQ(MTC_OK, run_cdsc(&ctx, &in, &r));
    ASSERT_EQ(CMP_CDSC_BINARY, r.form);
    ASSERT(r.converged && r.nodes == ALL && r.vectors == 2);
    make_graph(0.5, M, d);
    for (size_t i = 0; i < ALL; i++) {
        x[i] = (double)r.V[i * 2] / sqrt(d[i]);
        all += d[i];
        mean += d[i] * x[i];
        length += d[i] * x[i] * x[i];
        if (i < HALF)
            mass[world.start[0][i]] += d[i];
    }
    ASSERT_IN_RANGE(1.0, length, (double)TOL(1e-12));
    ASSERT_IN_RANGE(0.0, mean / sqrt(all), (double)TOL(1e-12));
    for (size_t i = 0; i < HALF; i++) {
        y[i] = world.start[0][i] ? sqrt(mass[0] / mass[1])
                                 : -sqrt(mass[1] / mass[0]);
        yy += d[i] * y[i] * y[i];
        vz += d[i] * x[i] * y[i];
    }
    for (size_t i = 0; i < ALL; i++)
        for (size_t j = 0; j < ALL; j++) {
            double turn = x[i] * y[j] - x[j] * y[i];
            cut += M[i * ALL + j] * (x[i] - x[j]) * (x[i] - x[j]) / 2;
            if (i < HALF && j < HALF)
                penalty += d[i] * d[j] * turn * turn / (2 * yy);
        }
    double value = (double)r.eigenvalues[0];
    ASSERT_IN_RANGE(cut + 4 * penalty, value, (double)TOL(1e-11));
    for (size_t i = 0; i < ALL; i++) {
        double z = sqrt(d[i]) * x[i];
        e[i] = sqrt(d[i] / all);
        residual[i] = (1 - value) * z;
        for (size_t j = 0; j < ALL; j++)
            residual[i] -= M[i * ALL + j] * x[j] / sqrt(d[i]);
        if (i < HALF)
            residual[i] += 4 * (z - sqrt(d[i]) * y[i] * vz / yy);
        back += e[i] * residual[i];
    }
    for (size_t i = 0; i < ALL; i++)
        ASSERT_IN_RANGE(0.0, residual[i] - back * e[i], (double)TOL(1e-10));
    mtc_free(&ctx, &r.block);
    PASS();
}

/* With y of length 1 the penalty is the sum over all pairs of (x_i - x_j)^2
 * within and (x_i + x_j)^2 between classes. */
TEST penalty_is_a_sum_over_pairs(void)
{
    mtc_real x[12];
    double pairs = 0, square = 0, along = 0;
    test_fill(x, 12, 6, -1, 1);
    for (size_t i = 0; i < 12; i++) {
        square += (double)x[i] * (double)x[i];
        along += (double)x[i] * (i % 3 ? 1 : -1);
        for (size_t j = 0; j < i; j++) {
            int same = !(i % 3) == !(j % 3);
            pairs += pow((double)x[i] - (same ? 1 : -1) * (double)x[j], 2);
        }
    }
    ASSERT_IN_RANGE(12 * (square - along * along / 12), pairs, 1e-12);
    PASS();
}

/* (V'CV + Theta - mu) a = V'C y, |a|^2 = nodes, mu below the spectrum: a'Ga is
 * the least, so that random directions of that length are no better. */
TEST transducer_solves_its_equations(void)
{
    enum { C = 3, K = 6 };
    mtc_context ctx = test_context();
    cdsc_input in = make_input(CMP_CDSC_AUTO, C);
    cmp_cdsc_result r;
    make_cones(HALF, WIDE, C, 0.9, 5);
    in.o.vectors = K;
    in.o.trust = 100;
    ASSERT_EQ(MTC_OK, run_cdsc(&ctx, &in, &r));
    ASSERT(r.form == CMP_CDSC_TRANSDUCER && r.vectors == K && r.converged);
    for (size_t k = 0; k < K; k++)
        for (size_t l = 0; l < K; l++) {
            double dot = 0;
            for (size_t i = 0; i < ALL; i++)
                dot += (double)r.V[i * K + k] * (double)r.V[i * K + l];
            ASSERT_IN_RANGE(k == l ? 1.0 : 0.0, dot, (double)TOL(1e-11));
        }
    for (size_t z = 0; z < C; z++) {
        const mtc_real *a = r.a + z * K;
        double p = 0, q, G[K][K] = {{0}}, b[K] = {0}, length = 0, least = 0;
        for (size_t i = 0; i < HALF; i++)
            p += (size_t)world.start[0][i] == z;
        q = HALF - p;
        for (size_t i = 0; i < HALF; i++) {
            int own = (size_t)world.start[0][i] == z;
            double cost = 50 / (own ? p : q);
            double y = own ? sqrt(q / p) : -sqrt(p / q);
            for (size_t k = 0; k < K; k++) {
                b[k] += cost * y * (double)r.V[i * K + k];
                for (size_t l = 0; l < K; l++)
                    G[k][l] += cost * (double)r.V[i * K + k] *
                               (double)r.V[i * K + l];
            }
        }
        for (size_t k = 0; k < K; k++) {
            double left = -(double)r.multipliers[z] * (double)a[k];
            G[k][k] += (double)r.eigenvalues[k];
            for (size_t l = 0; l < K; l++)
                left += G[k][l] * (double)a[l];
            ASSERT_IN_RANGE(b[k], left, (double)TOL(1e-9) * 10);
            length += (double)a[k] * (double)a[k];
            least += (double)a[k] * (left - 2 * b[k]) +
                     (double)r.multipliers[z] * (double)a[k] * (double)a[k];
        }
        ASSERT_IN_RANGE((double)ALL, length, sizeof(mtc_real) == 8 ? 1e-8
                                                                   : 1e-2);
        for (uint64_t seed = 0; seed < 50; seed++) {
            mtc_real other[K];
            double size = 0, value = 0;
            test_fill(other, K, seed, -1, 1);
            for (size_t k = 0; k < K; k++)
                size += (double)other[k] * (double)other[k];
            size = sqrt(ALL / size);
            for (size_t k = 0; k < K; k++) {
                value -= 2 * size * (double)other[k] * b[k];
                for (size_t l = 0; l < K; l++)
                    value += size * size * (double)other[k] * G[k][l] *
                             (double)other[l];
            }
            ASSERT(value > least);
        }
        for (size_t i = 0; i < HALF; i++) {
            double score = -(sqrt(q / p) - sqrt(p / q)) / 2;
            for (size_t k = 0; k < K; k++)
                score += (double)r.V[(HALF + i) * K + k] * (double)a[k];
            ASSERT_IN_RANGE(score, (double)r.scores[i * C + z],
                            (double)TOL(1e-11) * 10);
        }
    }
    mtc_free(&ctx, &r.block);
    PASS();
}

/* ---- names, classes, views --------------------------------------------- */

TEST names_of_classes_do_not_matter(void)
{
    mtc_context ctx = test_context();
    for (size_t c = 2; c < 4; c++) {
        cdsc_input in = make_input(CMP_CDSC_AUTO, c);
        cmp_cdsc_result a, b;
        make_cones(HALF, WIDE, c, 0.7, 7);
        world.start[0][0] = 1;                      /* unequal classes */
        ASSERT_EQ(MTC_OK, run_cdsc(&ctx, &in, &a));
        for (size_t i = 0; i < HALF; i++)
            world.start[0][i] = (world.start[0][i] + 1) % (int)c;
        in.sparse = 1;
        ASSERT_EQ(MTC_OK, run_cdsc(&ctx, &in, &b));
        for (size_t i = 0; i < HALF; i++) {
            ASSERT_EQ((a.labels[i] + 1) % (int)c, b.labels[i]);
            for (size_t z = 0; z < c; z++)
                ASSERT_IN_RANGE(a.scores[i * c + z],
                                b.scores[i * c + (z + 1) % c],
                                sizeof(mtc_real) == 8 ? (mtc_real)1e-8
                                                      : (mtc_real)1e-2);
        }
        mtc_free(&ctx, &a.block);
        mtc_free(&ctx, &b.block);
    }
    PASS();
}

TEST classes_are_found_and_sources_add_up(void)
{
    mtc_context ctx = test_context();
    for (size_t c = 2; c < 5; c++)
        for (int form = 1; form < 3; form++) {
            cdsc_input in = make_input((cmp_cdsc_form)form, c);
            cmp_cdsc_result a, b;
            if (form == 1 && c > 2)
                continue;
            make_cones(48, 8, c, 0.4, 9);
            ASSERT_EQ(MTC_OK, run_cdsc(&ctx, &in, &a));
            size_t right = 0;
            for (size_t i = 0; i < 48; i++)
                right += a.labels[i] == world.start[1][i];
            ASSERT(right >= 46);
            mtc_data two[2] = {world.dense[0],
                               mtc_dense(30, 8, world.x[0] + 18 * 8)};
            const int *labels[2] = {world.start[0], world.start[0] + 18};
            two[0].n = 18;
            ASSERT_EQ(MTC_OK, cmp_cdsc(&ctx, two, labels, 2, &world.csr[1],
                                       &in.o, &b));
            ASSERT_MEM_EQ(a.labels, b.labels, 48 * sizeof(int));
            mtc_free(&ctx, &a.block);
            mtc_free(&ctx, &b.block);
        }
    PASS();
}

/* ---- what has no edge, no sample, no neighbor in the target ------------ */

TEST samples_without_an_edge_get_the_most_frequent_class(void)
{
    mtc_context ctx = test_context();
    for (int form = 1; form < 3; form++) {
        cdsc_input in = make_input((cmp_cdsc_form)form, 2);
        cmp_cdsc_result a, b;
        in.o.vectors = 80;                          /* as many as there are */
        make_cones(HALF, WIDE, 2, 0.4, 2);
        world.start[0][0] = 1;                      /* 9 against 7 */
        memset(world.x[0] + 5 * WIDE, 0, WIDE * sizeof(mtc_real));
        memset(world.x[1] + 3 * WIDE, 0, WIDE * sizeof(mtc_real));
        ASSERT_EQ(MTC_OK, run_cdsc(&ctx, &in, &a));
        ASSERT_EQ((size_t)ALL - 2, a.nodes);
        ASSERT_EQ(form == 1 ? (size_t)2 : a.nodes - 1, a.vectors);
        ASSERT_EQ(1, a.labels[3]);
        ASSERT(form == 2 || (a.scores[6] == 0 && a.scores[7] == 0));
        for (size_t k = 0; k < a.vectors; k++)
            ASSERT(a.V[5 * a.vectors + k] == 0);
        mtc_data T = mtc_dense(HALF - 4, WIDE, world.x[1] + 4 * WIDE);
        memcpy(world.x[1] + 3 * WIDE, T.values, WIDE * sizeof(mtc_real));
        ASSERT_EQ(MTC_OK, run_cdsc(&ctx, &in, &b));
        ASSERT_EQ((size_t)ALL - 1, b.nodes);
        ASSERT_EQ(b.labels[4], b.labels[3]);        /* the same sample */
        mtc_free(&ctx, &a.block);
        mtc_free(&ctx, &b.block);
        memset(world.x[1], 0, sizeof world.x[1]);
        ASSERT_EQ(MTC_OK, run_cdsc(&ctx, &in, &a)); /* none in the target */
        for (size_t i = 0; i < HALF; i++)
            ASSERT_EQ(1, a.labels[i]);
        mtc_free(&ctx, &a.block);
        memset(world.x[0], 0, sizeof world.x[0]);
        ASSERT_EQ(MTC_OK, run_cdsc(&ctx, &in, &a)); /* none at all */
        ASSERT_EQ((size_t)0, a.nodes);
        for (size_t i = 0; i < HALF; i++)
            ASSERT_EQ(1, a.labels[i]);
        mtc_free(&ctx, &a.block);
    }
    PASS();
}

/* Sources of one class give that class; a class that no source has is never
 * found; a class whose samples have no edge does not count in the binary
 * form. */
TEST classes_without_samples_are_not_found(void)
{
    mtc_context ctx = test_context();
    cmp_cdsc_result r;
    for (int form = 1; form < 3; form++) {
        cdsc_input in = make_input((cmp_cdsc_form)form, 2);
        make_cones(HALF, WIDE, 2, 0.4, 2);
        for (size_t i = 0; i < HALF; i++)
            world.start[0][i] = 1;
        ASSERT_EQ(MTC_OK, run_cdsc(&ctx, &in, &r));
        for (size_t i = 0; i < HALF; i++)
            ASSERT(r.labels[i] == 1 && r.scores[2 * i] == 0);
        mtc_free(&ctx, &r.block);
    }
    cdsc_input in = make_input(CMP_CDSC_TRANSDUCER, 4);
    make_cones(HALF, WIDE, 2, 0.4, 2);
    ASSERT_EQ(MTC_OK, run_cdsc(&ctx, &in, &r));
    for (size_t i = 0; i < HALF; i++) {
        ASSERT(r.labels[i] < 2);
        ASSERT(r.scores[i * 4 + 2] < r.scores[i * 4]);
        ASSERT(r.scores[i * 4 + 3] < r.scores[i * 4 + 1]);
    }
    mtc_free(&ctx, &r.block);
    in = make_input(CMP_CDSC_BINARY, 2);
    for (size_t i = 0; i < HALF; i += 2)
        memset(world.x[0] + i * WIDE, 0, WIDE * sizeof(mtc_real));
    ASSERT_EQ(MTC_OK, run_cdsc(&ctx, &in, &r));
    for (size_t i = 0; i < HALF; i++)
        ASSERT_EQ(1, r.labels[i]);
    mtc_free(&ctx, &r.block);
    in = make_input(CMP_CDSC_AUTO, 1);
    memset(world.start[0], 0, sizeof world.start[0]);
    ASSERT_EQ(MTC_OK, run_cdsc(&ctx, &in, &r));
    ASSERT_EQ(0, r.labels[0]);
    mtc_free(&ctx, &r.block);
    PASS();
}

/* Source and target that share no feature, one sample of either, no trust and
 * no penalty: whatever the labels, scores are finite and the call ends. */
TEST extremes_end_with_finite_scores(void)
{
    mtc_context ctx = test_context();
    for (int way = 0; way < 6; way++)
        for (int form = 1; form < 3; form++) {
            cdsc_input in = make_input((cmp_cdsc_form)form, 2);
            cmp_cdsc_result r;
            make_cones(HALF, WIDE, 2, 0.4, 2);
            if (way == 0)
                for (size_t i = 0; i < HALF * WIDE; i++) {
                    world.x[0][i] *= i % WIDE < 2;
                    world.x[1][i] *= i % WIDE >= 2;
                }
            if (way == 1)
                world.dense[0].n = world.dense[1].n = 2;
            if (way == 2)
                in.o.beta = in.o.lambda = in.o.trust = 0;
            if (way == 3)
                in.o.beta = in.o.lambda = in.o.trust = (mtc_real)1e9;
            if (way == 4)
                for (size_t i = 0; i < HALF * WIDE; i++)
                    world.x[0][i] = world.x[1][i] = 1;      /* all the same */
            if (way == 5)
                for (size_t i = 0; i < HALF * WIDE; i++)
                    world.x[i % 2][i] *= sizeof(mtc_real) == 8 ? (mtc_real)1e12 : (mtc_real)1e8;
            ASSERT_EQ(MTC_OK, run_cdsc(&ctx, &in, &r));
            for (size_t i = 0; i < r.n; i++) {
                ASSERT(r.labels[i] == 0 || r.labels[i] == 1);
                ASSERT(ADV_FINITE(r.scores[2 * i]));
                ASSERT(ADV_FINITE(r.scores[2 * i + 1]));
            }
            mtc_free(&ctx, &r.block);
        }
    PASS();
}

TEST cdsc_survives_and_refuses(void)
{
    mtc_context ctx = test_context();
    cdsc_input in = make_input(CMP_CDSC_BINARY, 2);
    cmp_cdsc_result r;
    make_cones(8, 3, 2, 0.4, 1);
    for (int form = 1; form < 3; form++)
        for (in.sparse = 0; in.sparse < 2; in.sparse++) {
            in.o.form = (cmp_cdsc_form)form;
            const char *wrong = sweep_memory(run_cdsc, &in);
            ASSERTm(wrong, wrong == NULL);
            wrong = sweep_ticks(run_cdsc, &in);
            ASSERTm(wrong, wrong == NULL);
        }
    in.sparse = 0;
#define REFUSED(change) \
    do { \
        cdsc_input good = in; \
        change; \
        ASSERT_EQ(MTC_INVALID, run_cdsc(&ctx, &in, &r)); \
        in = good; \
    } while (0)
    REFUSED(in.o.classes = 0);
    REFUSED(in.o.classes = 1);                      /* a label of 1 */
    REFUSED(in.o.form = (cmp_cdsc_form)7);
    REFUSED((in.o.form = CMP_CDSC_BINARY, in.o.classes = 3));
    REFUSED(in.o.lambda = -1);
    REFUSED(in.o.lambda = (mtc_real)NAN);
    REFUSED(in.o.beta = (mtc_real)INFINITY);
    REFUSED(in.o.trust = -1);
    REFUSED(in.o.vectors = 0);
    world.x[1][2 * 3 + 1] = (mtc_real)INFINITY;
    ASSERT_EQ(MTC_DOMAIN, run_cdsc(&ctx, &in, &r));
    ASSERT(ctx.error.task == 1 && ctx.error.row == 2 && ctx.error.column == 1);
    ASSERT_EQ(MTC_INVALID, cmp_cdsc(&ctx, world.dense, world.labels, 1,
                                    &world.dense[1], NULL, NULL));
    PASS();
}

SUITE(cmp_cdsc_suite)
{
    for (int sparse = 0; sparse < 2; sparse++)
        for (size_t k = 0; k < sizeof cdsc_cases / sizeof *cdsc_cases; k++)
            RUN_TESTp(cdsc_worked_case, &cdsc_cases[k], sparse);
    RUN_TEST(binary_solves_its_eigenproblem);
    RUN_TEST(penalty_is_a_sum_over_pairs);
    RUN_TEST(transducer_solves_its_equations);
    RUN_TEST(names_of_classes_do_not_matter);
    RUN_TEST(classes_are_found_and_sources_add_up);
    RUN_TEST(samples_without_an_edge_get_the_most_frequent_class);
    RUN_TEST(classes_without_samples_are_not_found);
    RUN_TEST(extremes_end_with_finite_scores);
    RUN_TEST(cdsc_survives_and_refuses);
}
