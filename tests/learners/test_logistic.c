/* SPDX-License-Identifier: MIT
 *
 * test_logistic.c - logistic regression.
 *
 * The problem is convex: the optimality conditions are computed again here in
 * double from the answer, by the definition.
 */
#include <math.h>

#include "greatest.h"
#include "test_util.h"

#define LEN(a) (sizeof(a) / sizeof((a)[0]))

/* The objective and its gradient [c*d + c] by the definition. */
static double logistic_truth(const mtc_real *x, const int *y, size_t n,
                             const mtc_real *weights, double ridge,
                             const mtc_logistic_result *r, double *gradient)
{
    size_t c = r->classes, d = r->d;
    double sum = 0, total = 0, penalty = 0;
    for (size_t i = 0; i < n; i++)
        total += weights == NULL ? 1 : (double)weights[i];
    for (size_t j = 0; j < c * d; j++) {
        penalty += (double)r->W[j] * (double)r->W[j];
        gradient[j] = ridge * (double)r->W[j];
    }
    for (size_t k = 0; k < c; k++)
        gradient[c * d + k] = 0;
    for (size_t i = 0; i < n; i++) {
        double z[8] = {0}, top = -1e300, mass = 0;
        double s = (weights == NULL ? 1 : (double)weights[i]) / total;
        for (size_t k = 0; k < c; k++) {
            z[k] = (double)r->bias[k];
            for (size_t j = 0; j < d; j++)
                z[k] += (double)r->W[k * d + j] * (double)x[i * d + j];
            top = fmax(top, z[k]);
        }
        for (size_t k = 0; k < c; k++)
            mass += exp(z[k] - top);
        sum += s * (top + log(mass) - z[y[i]]);
        for (size_t k = 0; k < c; k++) {
            double g = s * (exp(z[k] - top) / mass - ((size_t)y[i] == k));
            for (size_t j = 0; j < d; j++)
                gradient[k * d + j] += g * (double)x[i * d + j];
            gradient[c * d + k] += g;
        }
    }
    return sum + ridge / 2 * penalty;
}

static double length(size_t n, const double *v)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += v[i] * v[i];
    return sqrt(sum);
}

TEST logistic_gradient_vanishes_at_the_answer(void)
{
    enum { n = 120, d = 5, c = 3 };
    mtc_real x[n * d];
    int y[n];
    double g[c * d + c];
    mtc_context ctx = test_context();
    test_classes(n, d, c, .7, 3, x, y);
    mtc_data X = mtc_dense(n, d, x);
    mtc_logistic_options o = mtc_logistic_defaults();
    mtc_logistic_result r;
    o.classes = c;
    ASSERT_EQ(MTC_OK, mtc_logistic(&ctx, &X, y, &o, &r));
    ASSERT(r.converged);
    ASSERT(r.iterations < 30);
    double f = logistic_truth(x, y, n, NULL, (double)o.ridge, &r, g);
    ASSERT(length(LEN(g), g) <= (double)TOL(1e-8));
    ASSERT_IN_RANGE(f, (double)r.objective[r.iterations], (double)TOL(1e-12));
    ASSERT_IN_RANGE(log(3.), (double)r.objective[0], (double)TOL(1e-14));
    for (size_t it = 1; it <= r.iterations; it++)
        ASSERT(r.objective[it] <= r.objective[it - 1]);
    mtc_free(&ctx, &r.block);
    ASSERT(r.W == NULL && r.block.at == NULL);
    PASS();
}

TEST logistic_answer_is_a_minimum_by_finite_differences(void)
{
    enum { n = 60, d = 3, c = 4 };
    mtc_real x[n * d], weights[n];
    int y[n];
    double g[c * d + c], h = 1. / 64;
    mtc_context ctx = test_context();
    test_classes(n, d, c, .5, 5, x, y);
    test_fill(weights, n, 6, 0, 3);
    mtc_data X = mtc_dense(n, d, x);
    mtc_logistic_options o = mtc_logistic_defaults();
    mtc_logistic_result r;
    o.classes = c;
    o.ridge = (mtc_real).0625;
    o.weights = weights;
    ASSERT_EQ(MTC_OK, mtc_logistic(&ctx, &X, y, &o, &r));
    double f = logistic_truth(x, y, n, weights, .0625, &r, g);
    for (size_t e = 0; e < c * d + c; e++) {
        mtc_real *at = e < c * d ? r.W + e : r.bias + (e - c * d), keep = *at;
        *at = (mtc_real)((double)keep + h);
        double up = logistic_truth(x, y, n, weights, .0625, &r, g) - f;
        *at = (mtc_real)((double)keep - h);
        double down = logistic_truth(x, y, n, weights, .0625, &r, g) - f;
        *at = keep;
        ASSERT(up > 0 && down > 0);
        /* third derivatives of the loss are below 1: h^2 bounds the slope */
        ASSERT(fabs(up - down) / (2 * h) <= h * h);
    }
    mtc_free(&ctx, &r.block);
    PASS();
}

/* Quality of an intermediate domain from six features: sigmoid(b0 + b.c)
 * with penalty 1e-3/2 |b|^2 on features scaled to mean 0 and variance 1. */
static const double bridge_features[24 * 6] = {
    0.5503, 0.7266, 0.6843, 0.1026, 0.3296, 0.4943,
    0.5670, 0.7295, 0.0630, 0.2194, 0.1264, 0.2186,
    0.8272, 0.1026, 0.9063, 0.8411, 0.1896, 0.1083,
    0.2357, 0.4274, 0.2029, 0.3810, 0.2719, 0.4647,
    0.4965, 0.9992, 0.8560, 0.4639, 0.3174, 0.2385,
    0.0855, 0.6840, 0.2554, 0.4631, 0.4724, 0.1973,
    0.6624, 0.8185, 0.3021, 0.7105, 0.7842, 0.4161,
    0.0281, 0.6584, 0.5182, 0.3740, 0.7259, 0.8378,
    0.3080, 0.7128, 0.6650, 0.8151, 0.5058, 0.7603,
    0.9580, 0.8516, 0.2091, 0.3278, 0.0098, 0.7649,
    0.8472, 0.0244, 0.6327, 0.3917, 0.0847, 0.1965,
    0.4378, 0.7384, 0.0858, 0.4601, 0.3742, 0.5363,
    0.7292, 0.1738, 0.5774, 0.5695, 0.8474, 0.9068,
    0.8735, 0.4144, 0.7524, 0.1511, 0.9897, 0.3521,
    0.7137, 0.1703, 0.0183, 0.3811, 0.8612, 0.0180,
    0.4113, 0.1635, 0.0011, 0.4658, 0.6525, 0.9833,
    0.8524, 0.7568, 0.8470, 0.2898, 0.0823, 0.6998,
    0.1567, 0.8264, 0.1124, 0.7932, 0.0078, 0.0250,
    0.1881, 0.5124, 0.9678, 0.5521, 0.6266, 0.8484,
    0.1004, 0.2746, 0.3499, 0.6686, 0.2954, 0.4050,
    0.2682, 0.5557, 0.4036, 0.0737, 0.0252, 0.8238,
    0.4955, 0.4540, 0.2975, 0.8891, 0.6075, 0.8403,
    0.2523, 0.5561, 0.6867, 0.8058, 0.7775, 0.6055,
    0.8376, 0.4564, 0.1913, 0.8004, 0.3640, 0.2481,
};
static const int bridge_label[24] = {
    1, 1, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0, 0, 1, 1, 0, 1, 0, 0, 0, 1, 0, 0, 1,
};
static const double bridge_beta[7] = {  /* for the features as they are */
    1.7618456972076442, 2.9076069066311345, 3.4640283292208078,
    -0.70237897475218936, -9.4943950195066336, 0.59622631547829841,
    -1.1027430205987896,
};
static const double bridge_score[24] = {
    0.98330043805456557, 0.97452991819435064, 0.016202463232586509,
    0.45449784344893357, 0.8302332716740306, 0.46696958847316733,
    0.39505911172680536, 0.43003993046096584, 0.026179263008672689,
    0.96772091974379593, 0.49503871749579514, 0.68905521726340402,
    0.13904842601973502, 0.98158259478384902, 0.78404257167041613,
    0.16876037399194127, 0.94228799018321463, 0.072246725468561035,
    0.083183757249096935, 0.020649288014133241, 0.93021486319032876,
    0.011662818399894342, 0.019545502779041574, 0.117948405472715,
};

TEST logistic_matches_the_worked_case(void)
{
    enum { n = 24, d = 6 };
    mtc_real x[n * d], p[n * 2];
    double mean[d] = {0}, deviation[d] = {0}, b0;
    int labels[n];
    mtc_context ctx = test_context();
    for (size_t i = 0; i < n * d; i++)
        mean[i % d] += bridge_features[i] / n;
    for (size_t i = 0; i < n * d; i++)
        deviation[i % d] += pow(bridge_features[i] - mean[i % d], 2) / n;
    for (size_t j = 0; j < d; j++)
        deviation[j] = sqrt(deviation[j]);
    for (size_t i = 0; i < n * d; i++)
        x[i] = (mtc_real)((bridge_features[i] - mean[i % d])
                          / deviation[i % d]);
    mtc_data X = mtc_dense(n, d, x);
    mtc_logistic_options o = mtc_logistic_defaults();
    mtc_logistic_result r;
    o.ridge = (mtc_real)2e-3;       /* two classes: twice the sigmoid's */
    ASSERT_EQ(MTC_OK, mtc_logistic(&ctx, &X, bridge_label, &o, &r));
    ASSERT(r.converged);
    b0 = (double)(r.bias[1] - r.bias[0]);
    for (size_t j = 0; j < d; j++) {
        double b = (double)(r.W[d + j] - r.W[j]) / deviation[j];
        ASSERT_IN_RANGE(bridge_beta[1 + j], b, 10 * (double)TOL(1e-8));
        b0 -= b * mean[j];
    }
    ASSERT_IN_RANGE(bridge_beta[0], b0, 10 * (double)TOL(1e-8));
    ASSERT_EQ(MTC_OK, mtc_logistic_assign(&ctx, &X, &r, labels, p));
    for (size_t i = 0; i < n; i++) {
        ASSERT_IN_RANGE(bridge_score[i], (double)p[2 * i + 1],
                        (double)TOL(1e-8));
        ASSERT_EQ(bridge_score[i] > .5, labels[i]);
    }
    mtc_free(&ctx, &r.block);
    PASS();
}

TEST logistic_weight_two_is_a_sample_twice(void)
{
    enum { n = 40, d = 3, c = 3 };
    mtc_real x[2 * n * d], weights[n];
    int y[2 * n];
    size_t m = n;
    mtc_context ctx = test_context();
    test_classes(n, d, c, .6, 8, x, y);
    for (size_t i = 0; i < n; i++) {
        weights[i] = (mtc_real)(i % 3 == 0 ? .5 : i % 3 == 1 ? .25 : 0);
        if (i % 3 == 0) {           /* half against a quarter: twice */
            memcpy(x + m * d, x + i * d, d * sizeof *x);
            y[m++] = y[i];
        }
    }
    for (size_t i = n; i-- > 0;)    /* and weight 0 is a sample not at all */
        if (i % 3 == 2) {
            memmove(x + i * d, x + (i + 1) * d,
                    (m - i - 1) * d * sizeof *x);
            memmove(y + i, y + i + 1, (m - i - 1) * sizeof *y);
            m--;
        }
    mtc_data Z = mtc_dense(m, d, x);
    mtc_logistic_options o = mtc_logistic_defaults();
    mtc_logistic_result a, b;
    o.classes = c;
    ASSERT_EQ(MTC_OK, mtc_logistic(&ctx, &Z, y, &o, &a));
    test_classes(n, d, c, .6, 8, x, y);
    mtc_data X = mtc_dense(n, d, x);
    o.weights = weights;
    ASSERT_EQ(MTC_OK, mtc_logistic(&ctx, &X, y, &o, &b));
    ASSERT(test_farthest(c * d, a.W, b.W) <= (double)TOL(1e-5));
    ASSERT(test_farthest(c, a.bias, b.bias) <= (double)TOL(1e-5));
    mtc_free(&ctx, &a.block);
    mtc_free(&ctx, &b.block);
    PASS();
}

TEST logistic_dense_and_sparse_agree(void)
{
    enum { n = 50, d = 6, c = 3 };
    mtc_real x[n * d], values[n * d], p[n * c], q[n * c];
    size_t row[n + 1];
    uint32_t column[n * d];
    int y[n], labels[n];
    mtc_context ctx = test_context();
    test_classes(n, d, c, .6, 9, x, y);
    for (size_t i = 0; i < n * d; i++)
        x[i] = x[i] < 0 ? 0 : x[i];
    test_sparse(n, d, x, row, column, values);
    mtc_data X = mtc_dense(n, d, x), S = mtc_csr(n, d, row, column, values);
    mtc_logistic_options o = mtc_logistic_defaults();
    mtc_logistic_result a, b;
    o.classes = c;
    ASSERT_EQ(MTC_OK, mtc_logistic(&ctx, &X, y, &o, &a));
    ASSERT_EQ(MTC_OK, mtc_logistic(&ctx, &S, y, &o, &b));
    ASSERT(test_farthest(c * d, a.W, b.W) <= (double)TOL(1e-5));
    ASSERT_EQ(MTC_OK, mtc_logistic_assign(&ctx, &X, &a, labels, p));
    ASSERT_EQ(MTC_OK, mtc_logistic_assign(&ctx, &S, &a, NULL, q));
    ASSERT(test_farthest(n * c, p, q) <= (double)TOL(1e-13));
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t k = 0; k < c; k++) {
            sum += (double)p[i * c + k];
            ASSERT(p[i * c + k] <= p[i * c + (size_t)labels[i]]);
        }
        ASSERT_IN_RANGE(1., sum, 8 * (double)TEST_EPS);
    }
    mtc_free(&ctx, &a.block);
    mtc_free(&ctx, &b.block);
    PASS();
}

TEST logistic_class_without_samples_gets_no_probability(void)
{
    enum { n = 30, d = 2, c = 4 };
    mtc_real x[n * d], p[n * c];
    int y[n], labels[n];
    mtc_context ctx = test_context();
    test_classes(n, d, 3, .8, 10, x, y);
    for (size_t i = 0; i < n; i++)
        y[i] = y[i] == 1 ? 3 : y[i];        /* class 1 is absent */
    mtc_data X = mtc_dense(n, d, x);
    mtc_logistic_options o = mtc_logistic_defaults();
    mtc_logistic_result r;
    o.classes = c;
    ASSERT_EQ(MTC_OK, mtc_logistic(&ctx, &X, y, &o, &r));
    ASSERT(r.converged);
    ASSERT_EQ(MTC_OK, mtc_logistic_assign(&ctx, &X, &r, labels, p));
    for (size_t i = 0; i < n; i++) {
        ASSERT(p[i * c + 1] <= (mtc_real).01);
        ASSERT(labels[i] != 1);
    }
    mtc_free(&ctx, &r.block);
    PASS();
}

TEST logistic_one_class_is_certain(void)
{
    mtc_real x[] = {1, 2, 3}, p[3] = {0, 0, 0};
    int y[] = {0, 0, 0}, labels[] = {7, 7, 7};
    mtc_context ctx = test_context();
    mtc_data X = mtc_dense(3, 1, x);
    mtc_logistic_options o = mtc_logistic_defaults();
    mtc_logistic_result r;
    o.classes = 1;
    ASSERT_EQ(MTC_OK, mtc_logistic(&ctx, &X, y, &o, &r));
    ASSERT(r.converged);
    ASSERT_EQ((size_t)0, r.iterations);
    ASSERT_EQ(MTC_OK, mtc_logistic_assign(&ctx, &X, &r, labels, p));
    for (int i = 0; i < 3; i++)
        ASSERT(p[i] == 1 && labels[i] == 0);
    mtc_free(&ctx, &r.block);
    PASS();
}

TEST logistic_separable_data_without_ridge_ends(void)
{
    enum { n = 20, d = 2 };
    mtc_real x[n * d];
    int y[n], labels[n];
    mtc_context ctx = test_context();
    test_classes(n, d, 2, 0, 11, x, y);
    for (size_t i = 0; i < n; i++)
        x[i * d] = (mtc_real)(y[i] == 1 ? 1 : -1) + x[i * d] / 2;
    mtc_data X = mtc_dense(n, d, x);
    mtc_logistic_options o = mtc_logistic_defaults();
    mtc_logistic_result r;
    o.ridge = 0;
    o.tolerance = 0;
    ASSERT_EQ(MTC_OK, mtc_logistic(&ctx, &X, y, &o, &r));
    ASSERT(r.iterations <= o.iterations);
    ASSERT(r.objective[r.iterations] < (mtc_real)1e-4);
    for (size_t it = 1; it <= r.iterations; it++)
        ASSERT(r.objective[it] <= r.objective[it - 1]);
    for (size_t j = 0; j < 2 * d; j++)
        ASSERT(r.W[j] - r.W[j] == 0);
    ASSERT_EQ(MTC_OK, mtc_logistic_assign(&ctx, &X, &r, labels, NULL));
    for (size_t i = 0; i < n; i++)
        ASSERT_EQ(y[i], labels[i]);
    mtc_free(&ctx, &r.block);
    PASS();
}

TEST logistic_without_ridge_leaves_the_flat_directions_alone(void)
{
    enum { n = 90, d = 3, c = 3 };
    mtc_real x[n * d];
    int y[n];
    double g[c * d + c];
    mtc_context ctx = test_context();
    test_classes(n, d, c, .4, 12, x, y);
    for (size_t i = 0; i < n; i++) {        /* scales far apart */
        x[i * d] *= 1024;
        x[i * d + 1] /= 1024;
    }
    mtc_data X = mtc_dense(n, d, x);
    mtc_logistic_options o = mtc_logistic_defaults();
    mtc_logistic_result r;
    o.classes = c;
    o.ridge = 0;
    ASSERT_EQ(MTC_OK, mtc_logistic(&ctx, &X, y, &o, &r));
    ASSERT(r.converged);
    logistic_truth(x, y, n, NULL, 0, &r, g);
    ASSERT(length(LEN(g), g) <= 200 * (double)o.tolerance);
    for (size_t j = 0; j < d; j++) {
        double sum = 0, size = 0;
        for (size_t k = 0; k < c; k++) {
            sum += (double)r.W[k * d + j];
            size = fmax(size, fabs((double)r.W[k * d + j]));
        }
        ASSERT(fabs(sum) <= (double)TOL(1e-9) * size);
    }
    mtc_free(&ctx, &r.block);
    PASS();
}

TEST logistic_tie_goes_to_the_lowest_class(void)
{
    mtc_real x[] = {1, -1}, p[6];
    int y[] = {1, 2}, labels[2];
    mtc_context ctx = test_context();
    mtc_data X = mtc_dense(2, 1, x);
    mtc_logistic_options o = mtc_logistic_defaults();
    mtc_logistic_result r;
    o.classes = 3;
    o.iterations = 0;               /* no step: every score is 0 */
    ASSERT_EQ(MTC_OK, mtc_logistic(&ctx, &X, y, &o, &r));
    ASSERT_FALSE(r.converged);
    ASSERT_EQ(MTC_OK, mtc_logistic_assign(&ctx, &X, &r, labels, p));
    ASSERT(labels[0] == 0 && labels[1] == 0);
    ASSERT_IN_RANGE(1. / 3, (double)p[4], (double)TOL(1e-15));
    mtc_free(&ctx, &r.block);
    PASS();
}

TEST logistic_refuses_what_it_cannot_use(void)
{
    mtc_real x[] = {0, 1, 2, 3}, weights[] = {1, 1, 1, 1}, p[8];
    mtc_real nan = (mtc_real)NAN;
    int y[] = {0, 1, 0, 1}, labels[4] = {9, 9, 9, 9};
    mtc_context ctx = test_context();
    mtc_data X = mtc_dense(4, 1, x), wide = mtc_dense(2, 2, x);
    mtc_logistic_options o = mtc_logistic_defaults(), bad = o;
    mtc_logistic_result r, old;
    memset(&r, 0xa5, sizeof r);
    old = r;
    ASSERT_EQ(MTC_INVALID, mtc_logistic(&ctx, &X, y, &o, NULL));
    ASSERT_EQ(MTC_INVALID, mtc_logistic(&ctx, NULL, y, &o, &r));
    ASSERT_EQ(MTC_INVALID, mtc_logistic(&ctx, &X, NULL, &o, &r));
    y[2] = 2;
    ASSERT_EQ(MTC_INVALID, mtc_logistic(&ctx, &X, y, &o, &r));
    ASSERT_STR_EQ("labels: need 0..k-1", ctx.error.what);
    ASSERT_EQ((size_t)2, ctx.error.row);
    y[2] = 0;
    bad.classes = 0;
    ASSERT_EQ(MTC_INVALID, mtc_logistic(&ctx, &X, y, &bad, &r));
    bad = o, bad.ridge = -1;
    ASSERT_EQ(MTC_INVALID, mtc_logistic(&ctx, &X, y, &bad, &r));
    bad = o, bad.tolerance = nan;
    ASSERT_EQ(MTC_INVALID, mtc_logistic(&ctx, &X, y, &bad, &r));
    bad = o, bad.weights = weights, weights[3] = nan;
    ASSERT_EQ(MTC_DOMAIN, mtc_logistic(&ctx, &X, y, &bad, &r));
    ASSERT_EQ((size_t)3, ctx.error.row);
    weights[3] = -1;
    ASSERT_EQ(MTC_DOMAIN, mtc_logistic(&ctx, &X, y, &bad, &r));
    memset(weights, 0, sizeof weights);
    ASSERT_EQ(MTC_INVALID, mtc_logistic(&ctx, &X, y, &bad, &r));
    bad = o, bad.classes = (size_t)1 << 30, bad.iterations = SIZE_MAX;
    ASSERT_EQ(MTC_TOO_BIG, mtc_logistic(&ctx, &X, y, &bad, &r));
    ASSERT_EQ(SIZE_MAX, ctx.need);
    x[1] = nan;
    ASSERT_EQ(MTC_DOMAIN, mtc_logistic(&ctx, &X, y, &o, &r));
    ASSERT_EQ((size_t)1, ctx.error.row);
    ASSERT_MEM_EQ(&old, &r, sizeof r);
    x[1] = 1;
    ASSERT_EQ(MTC_OK, mtc_logistic(&ctx, &X, y, &o, &r));
    ASSERT_EQ(MTC_INVALID, mtc_logistic_assign(&ctx, &wide, &r, labels, p));
    ASSERT_EQ(9, labels[0]);
    mtc_free(&ctx, &r.block);
    PASS();
}

static int say_stop(void *user, const char *stage, size_t done, size_t total)
{
    (void)stage, (void)total;
    *(size_t *)user = done;
    return done >= 1;
}

TEST logistic_stops_when_told(void)
{
    enum { n = 30, d = 3 };
    mtc_real x[n * d];
    int y[n];
    size_t seen = 0;
    mtc_context ctx = test_context();
    test_classes(n, d, 2, .5, 13, x, y);
    mtc_data X = mtc_dense(n, d, x);
    mtc_logistic_options o = mtc_logistic_defaults();
    mtc_logistic_result r, old;
    memset(&r, 0xa5, sizeof r);
    old = r;
    ctx.progress = say_stop;
    ctx.user = &seen;
    ASSERT_EQ(MTC_CANCELLED, mtc_logistic(&ctx, &X, y, &o, &r));
    ASSERT_EQ((size_t)1, seen);
    ASSERT_MEM_EQ(&old, &r, sizeof r);
    PASS();
}

TEST logistic_takes_the_memory_it_says(void)
{
    enum { n = 30, d = 3 };
    mtc_real x[n * d];
    int y[n];
    test_heap heap;
    mtc_context ctx = test_heap_context(&heap);
    test_classes(n, d, 2, .5, 14, x, y);
    mtc_data X = mtc_dense(n, d, x);
    mtc_logistic_options o = mtc_logistic_defaults();
    mtc_logistic_result r;
    ASSERT_EQ(MTC_OK, mtc_logistic(&ctx, &X, y, &o, &r));
    ASSERT_EQ(ctx.need, heap.peak);
    ASSERT_EQ((size_t)1, heap.live);
    ASSERT_EQ(MTC_OK, mtc_logistic_assign(&ctx, &X, &r, y, NULL));
    ASSERT_EQ((size_t)2, heap.calls);
    mtc_context ask = mtc_measure();
    ask.need = 1;  /* of an earlier call */
    ASSERT_EQ(MTC_NO_MEMORY, mtc_logistic_assign(&ask, &X, &r, y, NULL));
    ASSERT(ask.need == 0 && ask.error.what != NULL);
    mtc_free(&ctx, &r.block);
    ASSERT(heap.live == 0 && heap.faults == 0);
    PASS();
}

SUITE(logistic_suite)
{
    RUN_TEST(logistic_gradient_vanishes_at_the_answer);
    RUN_TEST(logistic_answer_is_a_minimum_by_finite_differences);
    RUN_TEST(logistic_matches_the_worked_case);
    RUN_TEST(logistic_weight_two_is_a_sample_twice);
    RUN_TEST(logistic_dense_and_sparse_agree);
    RUN_TEST(logistic_class_without_samples_gets_no_probability);
    RUN_TEST(logistic_one_class_is_certain);
    RUN_TEST(logistic_separable_data_without_ridge_ends);
    RUN_TEST(logistic_without_ridge_leaves_the_flat_directions_alone);
    RUN_TEST(logistic_tie_goes_to_the_lowest_class);
    RUN_TEST(logistic_refuses_what_it_cannot_use);
    RUN_TEST(logistic_stops_when_told);
    RUN_TEST(logistic_takes_the_memory_it_says);
}
