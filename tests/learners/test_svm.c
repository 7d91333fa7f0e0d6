/* SPDX-License-Identifier: MIT
 *
 * test_svm.c - support vector machine.
 *
 * The problem is convex: the optimality conditions are recomputed here in
 * double from the answer alone, with a kernel matrix of the test's own.
 */
#include <math.h>

#include "greatest.h"
#include "test_util.h"

#define N_MAX ((size_t)400)

/* ---- support vector machine -------------------------------------------- */

static int say_stop(void *user, const char *stage, size_t done, size_t total)
{
    (void)stage, (void)total;
    *(size_t *)user = done;
    return done >= 1;
}

static double kernel_value(const mtc_svm_result *r, size_t d,
                           const mtc_real *x, const mtc_real *z)
{
    double dot = 0, distance = 0;
    for (size_t j = 0; j < d; j++) {
        double a = (double)x[j], b = (double)z[j];
        dot += a * b;
        distance += (a - b) * (a - b);
    }
    return r->kernel == MTC_KERNEL_LINEAR ? dot
                                          : exp(-(double)r->gamma * distance);
}

/* What problem p of an answer is worth, from its coefficients alone. */
typedef struct svm_certificate {
    double box;             /* largest y_i a_i outside [0, C_i] */
    double balance;         /* |sum y_i a_i| */
    double gap;             /* KKT: max F over up minus min F over low */
    double primal, dual;    /* 1/2 |w|^2 + sum C_i hinge; minus objective */
    double mass;            /* sum |coefficients|, the scale of rounding */
    double bias_error;      /* how far the bias is outside [min, max] F */
    size_t support;
} svm_certificate;

static svm_certificate svm_certify(size_t n, size_t d, const mtc_real *x,
                                   const int *y, const mtc_svm_options *o,
                                   const mtc_svm_result *r, size_t p)
{
    static double F[N_MAX];
    const mtc_real *coef = r->coefficients + p * n;
    svm_certificate c = {0, 0, 0, 0, 0, 0, 0, 0};
    double top = -1e300, bottom = 1e300, quadratic = 0, sum = 0, linear = 0;
    int positive = r->problems == 1 ? 1 : (int)p;
    for (size_t i = 0; i < n; i++) {
        double f = 0, sign = y[i] == positive ? 1 : -1;
        for (size_t j = 0; j < n; j++)
            f += (double)coef[j] * kernel_value(r, d, x + i * d, x + j * d);
        F[i] = sign - f;
        quadratic += (double)coef[i] * f;
        linear += sign * (double)coef[i];
    }
    for (size_t i = 0; i < n; i++) {
        mtc_real C = o->costs == NULL ? o->cost : o->cost * o->costs[i];
        double sign = y[i] == positive ? 1 : -1, f;
        mtc_real a = (mtc_real)sign * coef[i];
        c.box = fmax(c.box, fmax(-(double)a, (double)(a - C)));
        sum += (double)coef[i];
        c.mass += fabs((double)coef[i]);
        c.support += a > 0;
        if (sign > 0 ? a < C : a > 0)
            top = fmax(top, F[i]);
        if (sign > 0 ? a > 0 : a < C)
            bottom = fmin(bottom, F[i]);
        f = sign - F[i] + (double)r->bias[p];
        c.primal += (double)C * fmax(0, 1 - sign * f);
    }
    c.balance = fabs(sum);
    c.gap = top - bottom;
    c.primal += quadratic / 2;
    c.dual = linear - quadratic / 2;
    c.bias_error = fmax((double)r->bias[p] - fmax(top, bottom),
                        fmin(top, bottom) - (double)r->bias[p]);
    return c;
}

/* Every claim of a result, checked. */
static int svm_proves(size_t n, size_t d, const mtc_real *x, const int *y,
                      const mtc_svm_options *o, const mtc_svm_result *r)
{
    int good = 1;
    for (size_t p = 0; p < r->problems; p++) {
        svm_certificate c = svm_certify(n, d, x, y, o, r, p);
        double noise = 64 * (double)TEST_EPS * (1 + c.mass);
        good &= c.box <= 0 && c.balance <= noise;
        good &= c.gap <= (double)o->tolerance + noise;
        good &= fabs(fmax(c.gap, 0) - (double)r->gap[p]) <= noise;
        good &= fabs(c.dual + (double)r->objective[p])
                <= noise * (1 + fabs(c.dual));
        good &= c.bias_error <= noise && c.support == r->support[p];
        good &= r->gap[p] <= o->tolerance;
    }
    return good && r->converged;
}

TEST svm_two_points_have_the_known_answer(void)
{
    mtc_real x[] = {0, 0, 2, 0}, f[2];
    int y[] = {0, 1}, labels[2];
    mtc_context ctx = test_context();
    mtc_data X = mtc_dense(2, 2, x);
    mtc_svm_options o = mtc_svm_defaults();
    mtc_svm_result r;
    o.cost = 10;                    /* the margin: f(x) = x_1 - 1 */
    ASSERT_EQ(MTC_OK, mtc_svm(&ctx, &X, y, &o, &r));
    ASSERT(r.converged && r.problems == 1 && r.support[0] == 2);
    ASSERT_IN_RANGE(.5, (double)r.coefficients[1], (double)TOL(1e-12));
    ASSERT_IN_RANGE(-.5, (double)r.coefficients[0], (double)TOL(1e-12));
    ASSERT_IN_RANGE(-1., (double)r.bias[0], (double)TOL(1e-12));
    ASSERT_IN_RANGE(-.5, (double)r.objective[0], (double)TOL(1e-12));
    ASSERT_EQ(MTC_OK, mtc_svm_assign(&ctx, &X, &X, &r, labels, f));
    ASSERT(labels[0] == 0 && labels[1] == 1);
    ASSERT_IN_RANGE(-1., (double)f[0], (double)TOL(1e-12));
    ASSERT_IN_RANGE(1., (double)f[1], (double)TOL(1e-12));
    mtc_free(&ctx, &r.block);
    o.cost = (mtc_real).125;        /* both at the bound; b by the middle */
    ASSERT_EQ(MTC_OK, mtc_svm(&ctx, &X, y, &o, &r));
    ASSERT(r.coefficients[0] == -o.cost && r.coefficients[1] == o.cost);
    ASSERT_IN_RANGE(-.25, (double)r.bias[0], (double)TOL(1e-12));
    mtc_free(&ctx, &r.block);
    PASS();
}

/* Both multipliers at their bound: the pair that is chosen first cannot move,
 * the next one can.  On paper a = 1 at 1.7 and 2.7, 0 elsewhere: w = 1, no
 * vector is free and the bias is between -2.7 and -1.7. */
TEST svm_goes_on_when_the_first_pair_is_stuck(void)
{
    const mtc_real x[4] = {(mtc_real)1.7, (mtc_real)3.9, (mtc_real)2.7, 4};
    const int y[4] = {0, 1, 1, 1};
    const double want[4] = {-1, 0, 1, 0};
    int labels[4];
    mtc_context ctx = test_context();
    mtc_data X = mtc_dense(4, 1, x);
    mtc_svm_result r;
    ASSERT_EQ(MTC_OK, mtc_svm(&ctx, &X, y, NULL, &r));
    for (size_t i = 0; i < 4; i++)
        ASSERT(want[i] == (double)r.coefficients[i]);
    ASSERT(r.converged && r.gap[0] == 0);
    ASSERT_IN_RANGE(-2.2, (double)r.bias[0], (double)TOL(1e-14));
    ASSERT_IN_RANGE(-1.5, (double)r.objective[0], (double)TOL(1e-14));
    ASSERT_EQ(MTC_OK, mtc_svm_assign(&ctx, &X, &X, &r, labels, NULL));
    ASSERT_MEM_EQ(y, labels, sizeof y);
    mtc_free(&ctx, &r.block);
    PASS();
}

/* Few points with one decimal, on a line or in a plane, of several costs: sums
 * of multipliers miss their bounds by rounding all the time. */
TEST svm_ends_at_the_optimum_of_small_problems(void)
{
    mtc_real x[16 * 2];
    int y[16];
    mtc_context ctx = test_context();
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        size_t n = 3 + seed % 13, d = 1 + seed % 2;
        mtc_svm_options o = mtc_svm_defaults();
        mtc_svm_result r;
        test_fill(x, n * d, seed, 0, 5);
        for (size_t e = 0; e < n * d; e++)
            x[e] = (mtc_real)(floor(10 * (double)x[e]) / 10);
        for (size_t i = 0; i < n; i++)
            y[i] = x[i * d] > (mtc_real)(1 + seed % 3) || i == seed % 7;
        o.cost = (mtc_real[]){1, (mtc_real).1, (mtc_real).3, 10}[seed % 4];
        mtc_data X = mtc_dense(n, d, x);
        ASSERT_EQ(MTC_OK, mtc_svm(&ctx, &X, y, &o, &r));
        int one_side = 1;
        for (size_t i = 1; i < n; i++)
            one_side &= y[i] == y[0];
        svm_certificate c = svm_certify(n, d, x, y, &o, &r, 0);
        double slack = (double)o.tolerance / 10;    /* drift of the gradient */
        ASSERT(r.converged && c.box <= 0);
        ASSERT(c.balance <= 64 * (double)TEST_EPS * (1 + c.mass));
        ASSERT(one_side || c.gap <= (double)o.tolerance + slack);
        ASSERT(one_side || c.bias_error <= slack);
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

TEST svm_solves_xor_with_rbf_as_on_paper(void)
{
    mtc_real x[] = {-1, -1, 1, 1, -1, 1, 1, -1};
    int y[] = {1, 1, 0, 0};
    double e1 = exp(-4 * .25), e2 = exp(-8 * .25);
    double a = 1 / (1 + e2 - 2 * e1);
    mtc_context ctx = test_context();
    mtc_data X = mtc_dense(4, 2, x);
    mtc_svm_options o = mtc_svm_defaults();
    mtc_svm_result r;
    o.kernel = MTC_KERNEL_RBF;
    o.gamma = (mtc_real).25;
    o.cost = 100;
    o.tolerance = TOL(1e-12);
    ASSERT_EQ(MTC_OK, mtc_svm(&ctx, &X, y, &o, &r));
    ASSERT(r.converged);
    for (int i = 0; i < 4; i++)
        ASSERT_IN_RANGE(y[i] ? a : -a, (double)r.coefficients[i],
                        4 * (double)TOL(1e-11));
    ASSERT_IN_RANGE(0., (double)r.bias[0], (double)TOL(1e-11));
    ASSERT_IN_RANGE(-2 * a, (double)r.objective[0], (double)TOL(1e-11));
    mtc_free(&ctx, &r.block);
    PASS();
}

TEST svm_answer_satisfies_the_optimality_conditions(void)
{
    enum { n = 240, d = 4 };
    static mtc_real x[n * d];
    static int y[n];
    mtc_context ctx = test_context();
    test_classes(n, d, 2, .5, 21, x, y);
    mtc_data X = mtc_dense(n, d, x);
    for (int kernel = 0; kernel < 2; kernel++)
        for (double cost = .1; cost < 20; cost *= 10) {
            mtc_svm_options o = mtc_svm_defaults();
            mtc_svm_result r;
            o.kernel = kernel ? MTC_KERNEL_RBF : MTC_KERNEL_LINEAR;
            o.cost = (mtc_real)cost;
            ASSERT_EQ(MTC_OK, mtc_svm(&ctx, &X, y, &o, &r));
            ASSERT(svm_proves(n, d, x, y, &o, &r));
            ASSERT(r.gamma == (mtc_real).25);
            mtc_free(&ctx, &r.block);
        }
    PASS();
}

TEST svm_primal_and_dual_meet_at_a_tight_tolerance(void)
{
    enum { n = 150, d = 3 };
    static mtc_real x[n * d];
    static int y[n];
    mtc_context ctx = test_context();
    test_classes(n, d, 2, .8, 22, x, y);
    mtc_data X = mtc_dense(n, d, x);
    for (int kernel = 0; kernel < 2; kernel++) {
        mtc_svm_options o = mtc_svm_defaults();
        mtc_svm_result r;
        o.kernel = kernel ? MTC_KERNEL_RBF : MTC_KERNEL_LINEAR;
        o.gamma = 1;
        o.cost = 2;
        o.tolerance = TOL(1e-8);
        ASSERT_EQ(MTC_OK, mtc_svm(&ctx, &X, y, &o, &r));
        ASSERT(svm_proves(n, d, x, y, &o, &r));
        svm_certificate c = svm_certify(n, d, x, y, &o, &r, 0);
        ASSERT(c.primal >= c.dual - (double)TOL(1e-10) * c.dual);
        ASSERT(c.primal - c.dual <= 2 * n * (double)o.tolerance);
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

/* Pairs of samples by (mean silhouette, share of common clusters): do the two
 * belong together?  Digits are the shares times five, pairs i < j in order. */
static const double pair_source[14] = {
    0.68931241280958833, 0.52508959201082073, 0.40670429919153978,
    0.52861034779843918, 0.50674542621552465, 0.32120726480466255,
    0.50380218934176058, 0.64731883835189241, 0.42010611518335655,
    0.31926424852265151, 0.53860347394506769, 0.24200070861006223,
    0.61586836174086235, 0.48895662438007637,
};
static const double pair_target[12] = {
    0.34371114411186943, 0.34905377631610934, 0.43285168763524828,
    0.44059468523970791, 0.50135347232928418, 0.33584905664369857,
    0.5597625152090332, 0.25140650915994467, 0.49557970154881376,
    0.58374258224826348, 0.40759844606740903, 0.55441772477804796,
};
static const char pair_source_share[] =
    "11211211221512152152141150250250331210510511212152141150250331210511"
    "21214115033121121224111";
static const char pair_target_share[] =
    "113024114120030030041203125102144124021110142313303015032020102031";
static const double pair_decision[66] = {
    -1.281584292294, -1.281672612661, -0.143953383655, -1.837660230900,
    -0.715730127921, 0.429616328969, -1.281279453857, -1.281633949885,
    0.429672173958, -1.281662849491, -0.715498121310, -1.837665696461,
    -1.837671779174, -0.143815307725, -1.837429607456, -1.837527389420,
    -0.144221601484, -1.837660693822, -1.837444317888, 0.429225178543,
    -1.281501546546, -0.715557732363, -1.837438874798, -0.143982769531,
    -1.281161900357, -0.715732157137, 1.000195062597, -1.281039634683,
    -1.837664881764, -0.715212048040, -1.281377154764, 0.429282833779,
    0.429828053920, -1.281582751217, -0.715389583862, 0.429874750958,
    -1.837656696498, -0.715181967383, -1.281636680614, -1.280777914997,
    -1.281663803782, -1.837133232209, -1.280618255537, 0.429629286064,
    -0.714916920840, -0.143708222355, -1.281245459679, -0.143857202189,
    -0.143647244951, -1.837607523636, -0.143721419397, -1.837678774271,
    -1.280814402187, 1.000307231577, -1.837292744867, -0.143045765354,
    -0.715729716041, -1.837669397404, -0.715717624788, -1.837678397595,
    -1.280657893236, -1.837544293620, -0.714944319380, -1.837165505186,
    -0.142958528619, -1.281298890437,
};

static size_t fill_pairs(size_t n, const double *silhouette,
                         const char *share, mtc_real *x)
{
    size_t m = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++, m++) {
            x[2 * m] = (mtc_real)((silhouette[i] + silhouette[j]) / 2);
            x[2 * m + 1] = (mtc_real)((share[m] - '0') / 5.);
        }
    return m;
}

TEST svm_matches_the_worked_case(void)
{
    mtc_real x[2 * 91], z[2 * 66], f[66];
    int y[91];
    mtc_context ctx = test_context();
    size_t n = fill_pairs(14, pair_source, pair_source_share, x), k = 0;
    size_t m = fill_pairs(12, pair_target, pair_target_share, z);
    for (size_t i = 0; i < 14; i++)
        for (size_t j = i + 1; j < 14; j++)
            y[k++] = i % 3 == j % 3;
    mtc_data X = mtc_dense(n, 2, x), Z = mtc_dense(m, 2, z);
    mtc_svm_options o = mtc_svm_defaults();
    mtc_svm_result r;
    o.kernel = MTC_KERNEL_RBF;
    o.gamma = (mtc_real).03125;
    o.cost = 10;
    o.tolerance = TOL(1e-11);
    ASSERT_EQ(MTC_OK, mtc_svm(&ctx, &X, y, &o, &r));
    ASSERT_EQ(MTC_OK, mtc_svm_assign(&ctx, &Z, &X, &r, NULL, f));
    for (size_t i = 0; i < m; i++)
        ASSERT_IN_RANGE(pair_decision[i], (double)f[i],
                        50 * (double)TOL(2e-8));
    mtc_free(&ctx, &r.block);
    PASS();
}

/* Decisions on the training data; the caller has room for n. */
static mtc_status fit(mtc_context *ctx, const mtc_data *X, const int *y,
                      const mtc_svm_options *o, mtc_real *decisions,
                      mtc_svm_result *info)
{
    mtc_svm_result r;
    mtc_status s = mtc_svm(ctx, X, y, o, &r);
    if (s != MTC_OK)
        return s;
    s = mtc_svm_assign(ctx, X, X, &r, NULL, decisions);
    *info = r;                      /* scalars alone are read afterwards */
    info->coefficients = NULL;
    mtc_free(ctx, &r.block);
    return s;
}

TEST svm_answer_does_not_depend_on_cache(void)
{
    enum { n = 400, d = 3 };
    static mtc_real x[n * d], plain[n], other[n];
    static int y[n];
    mtc_context ctx = test_context();
    test_classes(n, d, 2, .4, 23, x, y);
    mtc_data X = mtc_dense(n, d, x);
    mtc_svm_options o = mtc_svm_defaults();
    mtc_svm_result r;
    o.kernel = MTC_KERNEL_RBF;
    o.gamma = 1;
    o.cost = 8;
    o.tolerance = TOL(1e-7);
    ASSERT_EQ(MTC_OK, fit(&ctx, &X, y, &o, plain, &r));
    ASSERT(r.converged && r.iterations > 2 * n);
    for (int variant = 0; variant < 4; variant++) {
        o.cache = variant == 0   ? 0
                  : variant == 1 ? 7 * n * sizeof(mtc_real)
                  : variant == 2 ? 90 * n * sizeof(mtc_real) : 1u << 30;
        ASSERT_EQ(MTC_OK, fit(&ctx, &X, y, &o, other, &r));
        ASSERT(r.converged);                        /* to the bit */
        ASSERT_MEM_EQ(plain, other, sizeof plain);
    }
    PASS();
}

TEST svm_answer_with_a_small_cache_is_certified(void)
{
    enum { n = 400, d = 2 };
    static mtc_real x[n * d];
    static int y[n];
    mtc_context ctx = test_context();
    test_classes(n, d, 2, .6, 24, x, y);
    mtc_data X = mtc_dense(n, d, x);
    for (int kernel = 0; kernel < 2; kernel++) {
        mtc_svm_options o = mtc_svm_defaults();
        mtc_svm_result r;
        o.kernel = kernel ? MTC_KERNEL_RBF : MTC_KERNEL_LINEAR;
        o.gamma = 4;
        o.cost = 16;
        o.cache = 20 * n * sizeof(mtc_real);
        ASSERT_EQ(MTC_OK, mtc_svm(&ctx, &X, y, &o, &r));
        ASSERT(r.iterations > n);
        ASSERT(svm_proves(n, d, x, y, &o, &r));
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

TEST svm_dense_and_sparse_agree(void)
{
    enum { n = 120, d = 6 };
    static mtc_real x[n * d], values[n * d], a[n], b[n], c[n];
    static size_t row[n + 1];
    static uint32_t column[n * d];
    static int y[n];
    mtc_context ctx = test_context();
    test_classes(n, d, 2, .6, 25, x, y);
    for (size_t i = 0; i < n * d; i++)
        x[i] = x[i] < 0 ? 0 : x[i];
    test_sparse(n, d, x, row, column, values);
    mtc_data X = mtc_dense(n, d, x), S = mtc_csr(n, d, row, column, values);
    for (int kernel = 0; kernel < 2; kernel++) {
        mtc_svm_options o = mtc_svm_defaults();
        mtc_svm_result r;
        o.kernel = kernel ? MTC_KERNEL_RBF : MTC_KERNEL_LINEAR;
        o.tolerance = TOL(1e-7);
        ASSERT_EQ(MTC_OK, fit(&ctx, &X, y, &o, a, &r));
        ASSERT_EQ(MTC_OK, mtc_svm(&ctx, &S, y, &o, &r));
        ASSERT(svm_proves(n, d, x, y, &o, &r));
        ASSERT_EQ(MTC_OK, mtc_svm_assign(&ctx, &S, &S, &r, NULL, b));
        ASSERT(test_farthest(n, a, b) <= (double)TOL(1e-5) * 10);
        ASSERT_EQ(MTC_OK, mtc_svm_assign(&ctx, &X, &S, &r, NULL, c));
        ASSERT(test_farthest(n, b, c) <= (double)TOL(1e-12));
        ASSERT_EQ(MTC_OK, mtc_svm_assign(&ctx, &S, &X, &r, NULL, c));
        ASSERT(test_farthest(n, b, c) <= (double)TOL(1e-12));
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

TEST svm_rbf_is_blind_to_an_offset(void)
{
    enum { n = 80, d = 3 };
    static mtc_real x[n * d], values[n * d], a[n], b[n];
    static size_t row[n + 1];
    static uint32_t column[n * d];
    static int y[n];
    mtc_real offset = sizeof(mtc_real) == sizeof(double) ? 1048576 : 128;
    mtc_context ctx = test_context();
    test_classes(n, d, 2, .5, 26, x, y);
    for (size_t i = 0; i < n * d; i++)      /* so that adding is exact */
        x[i] = (mtc_real)(floor((double)x[i] * 1024) / 1024);
    mtc_data X = mtc_dense(n, d, x);
    mtc_svm_options o = mtc_svm_defaults();
    mtc_svm_result r;
    o.kernel = MTC_KERNEL_RBF;
    o.tolerance = TOL(1e-7);
    ASSERT_EQ(MTC_OK, fit(&ctx, &X, y, &o, a, &r));
    for (size_t i = 0; i < n * d; i++)
        x[i] += offset;
    ASSERT_EQ(MTC_OK, fit(&ctx, &X, y, &o, b, &r));
    ASSERT(test_farthest(n, a, b) <= (double)TOL(1e-12));
    test_sparse(n, d, x, row, column, values);
    mtc_data S = mtc_csr(n, d, row, column, values);
    ASSERT_EQ(MTC_OK, fit(&ctx, &S, y, &o, b, &r));
    ASSERT(test_farthest(n, a, b) <= (double)TOL(1e-6) * 10);
    PASS();
}

TEST svm_cost_two_is_a_sample_twice(void)
{
    enum { n = 60, d = 3 };
    static mtc_real x[2 * n * d], costs[n], a[2 * n], b[n];
    static int y[2 * n];
    size_t m = n;
    mtc_context ctx = test_context();
    test_classes(n, d, 2, .5, 27, x, y);
    for (size_t i = 0; i < n; i++) {
        costs[i] = (mtc_real)(i % 3 == 0 ? 2 : 1);
        if (i % 3 == 0) {
            memcpy(x + m * d, x + i * d, d * sizeof *x);
            y[m++] = y[i];
        }
    }
    mtc_data X = mtc_dense(n, d, x), XX = mtc_dense(m, d, x);
    mtc_svm_options o = mtc_svm_defaults();
    mtc_svm_result r;
    o.kernel = MTC_KERNEL_RBF;
    o.gamma = 1;
    o.tolerance = TOL(1e-8);
    ASSERT_EQ(MTC_OK, fit(&ctx, &XX, y, &o, a, &r));
    o.costs = costs;
    ASSERT_EQ(MTC_OK, fit(&ctx, &X, y, &o, b, &r));
    ASSERT(test_farthest(n, a, b) <= (double)TOL(1e-6) * 10);
    PASS();
}

TEST svm_cost_zero_is_a_sample_not_at_all(void)
{
    enum { n = 60, d = 3 };
    static mtc_real x[n * d], kept[n * d], costs[n], a[n], b[n];
    static int y[n], z[n];
    size_t m = 0;
    mtc_context ctx = test_context();
    test_classes(n, d, 2, .5, 28, x, y);
    for (size_t i = 0; i < n; i++) {
        costs[i] = i % 4 != 0;
        if (i % 4 != 0) {
            memcpy(kept + m * d, x + i * d, d * sizeof *x);
            z[m++] = y[i];
        }
    }
    mtc_data X = mtc_dense(n, d, x), Z = mtc_dense(m, d, kept);
    mtc_svm_options o = mtc_svm_defaults();
    mtc_svm_result r;
    o.kernel = MTC_KERNEL_RBF;
    o.tolerance = TOL(1e-8);
    ASSERT_EQ(MTC_OK, mtc_svm(&ctx, &Z, z, &o, &r));
    ASSERT_EQ(MTC_OK, mtc_svm_assign(&ctx, &X, &Z, &r, NULL, a));
    mtc_free(&ctx, &r.block);
    o.costs = costs;
    ASSERT_EQ(MTC_OK, mtc_svm(&ctx, &X, y, &o, &r));
    for (size_t i = 0; i < n; i += 4)
        ASSERT(r.coefficients[i] == 0);
    ASSERT(svm_proves(n, d, x, y, &o, &r));
    ASSERT_EQ(MTC_OK, mtc_svm_assign(&ctx, &X, &X, &r, NULL, b));
    ASSERT(test_farthest(n, a, b) <= (double)TOL(1e-6) * 10);
    mtc_free(&ctx, &r.block);
    PASS();
}

TEST svm_started_at_its_answer_is_done(void)
{
    enum { n = 200, d = 3 };
    static mtc_real x[n * d], start[n];
    static int y[n];
    mtc_context ctx = test_context();
    test_classes(n, d, 2, .5, 29, x, y);
    mtc_data X = mtc_dense(n, d, x);
    mtc_svm_options o = mtc_svm_defaults();
    mtc_svm_result r;
    o.kernel = MTC_KERNEL_RBF;
    o.gamma = 2;
    o.cost = 4;
    ASSERT_EQ(MTC_OK, mtc_svm(&ctx, &X, y, &o, &r));
    size_t cold = r.iterations;
    for (size_t i = 0; i < n; i++)
        start[i] = r.coefficients[i] < 0 ? -r.coefficients[i]
                                         : r.coefficients[i];
    mtc_free(&ctx, &r.block);
    o.start = start;
    ASSERT_EQ(MTC_OK, mtc_svm(&ctx, &X, y, &o, &r));
    ASSERT(cold > 100 && r.iterations <= 5);
    ASSERT(svm_proves(n, d, x, y, &o, &r));
    mtc_free(&ctx, &r.block);
    for (size_t i = 0; i < n; i++)          /* far outside the box */
        start[i] = (mtc_real)(i % 5 == 0 ? 1000 : i % 5 == 1 ? -3 : .5);
    ASSERT_EQ(MTC_OK, mtc_svm(&ctx, &X, y, &o, &r));
    ASSERT(svm_proves(n, d, x, y, &o, &r));
    mtc_free(&ctx, &r.block);
    PASS();
}

/* A start is cut to the box, and NaN in it counts as 0. */
TEST svm_starts_within_the_box(void)
{
    mtc_real x[] = {0, 1, 2, 3}, start[] = {-5, (mtc_real)NAN, 0, 0};
    int y[] = {0, 1, 0, 1};
    mtc_context ctx = test_context();
    mtc_data X = mtc_dense(4, 1, x);
    mtc_svm_options o = mtc_svm_defaults();
    mtc_svm_result plain, started;
    ASSERT_EQ(MTC_OK, mtc_svm(&ctx, &X, y, &o, &plain));
    o.start = start;
    ASSERT_EQ(MTC_OK, mtc_svm(&ctx, &X, y, &o, &started));
    ASSERT_MEM_EQ(plain.coefficients, started.coefficients, sizeof x);
    mtc_free(&ctx, &started.block);
    start[0] = start[1] = start[2] = start[3] = 99;         /* all at C */
    ASSERT_EQ(MTC_OK, mtc_svm(&ctx, &X, y, &o, &started));
    ASSERT(started.converged);
    ASSERT_IN_RANGE(plain.objective[0], started.objective[0], 4 * o.tolerance);
    mtc_free(&ctx, &started.block);
    mtc_free(&ctx, &plain.block);
    PASS();
}

/* max F - min F over samples that can rise and fall, of a linear problem with
 * C = 1, from the coefficients alone. */
static double kkt_gap(size_t n, size_t d, const mtc_real *x, const int *y,
    const mtc_real *b)
{
    double top = -HUGE_VAL, bottom = HUGE_VAL;
    for (size_t i = 0; i < n; i++) {
        double F = y[i] ? 1 : -1;
        for (size_t k = 0; k < n; k++)
            for (size_t j = 0; j < d; j++)
                F -= (double)x[i * d + j] * (double)x[k * d + j] * (double)b[k];
        if (b[i] < y[i])
            top = fmax(top, F);
        if (b[i] > y[i] - 1)
            bottom = fmin(bottom, F);
    }
    return top - bottom;
}

/* A start at 1 is far too large where the answer is 1e-8: its F has no digits
 * left, and must not end as a certificate. */
TEST svm_forgets_a_start_that_is_not_exact(void)
{
    enum { N = 8, D = 2 };
    mtc_real x[N * D], start[N];
    int y[N];
    for (uint64_t seed = 0; seed < 300; seed++) {
        mtc_random rng = mtc_random_seed(seed);
        mtc_real unit = sizeof *x == 8 ? 10000000 : 1000;
        for (size_t i = 0; i < N; i++) {
            y[i] = i % 2;
            start[i] = mtc_random_real(&rng);
            for (size_t j = 0; j < D; j++)
                x[i * D + j] = unit *
                               (mtc_random_normal(&rng) + 6 * (mtc_real)y[i]);
        }
        const mtc_data X = mtc_dense(N, D, x);
        mtc_svm_options o = mtc_svm_defaults();
        mtc_svm_result r;
        o.start = start;
        o.iterations = 20000;
        ASSERT_EQ(MTC_OK, mtc_svm(NULL, &X, y, &o, &r));
        double gap = kkt_gap(N, D, x, y, r.coefficients);
        ASSERT(!r.converged || gap <= 10 * (double)o.tolerance);
        mtc_free(NULL, &r.block);
    }
    PASS();
}

/* A start is balanced before anything moves: the larger side is cut to the sum
 * of the other.  With so wide a tolerance nothing does move. */
TEST svm_balances_its_start(void)
{
    const mtc_real x[] = {0, 1, 2, 3}, start[] = {.5, .5, .75, .75};
    const int y[] = {0, 0, 1, 1};
    mtc_context ctx = test_context();
    mtc_data X = mtc_dense(4, 1, x);
    mtc_svm_options o = mtc_svm_defaults();
    mtc_svm_result r;
    o.start = start;
    o.tolerance = 100;
    ASSERT_EQ(MTC_OK, mtc_svm(&ctx, &X, y, &o, &r));
    for (size_t i = 0; i < 4; i++)
        ASSERT_IN_RANGE((mtc_real)(y[i] == 0 ? -.5 : .5), r.coefficients[i],
                        TOL(1e-12));
    mtc_free(&ctx, &r.block);
    PASS();
}

TEST svm_one_against_the_rest_solves_each_class(void)
{
    enum { n = 150, d = 4, c = 3 };
    static mtc_real x[n * d], f[n * c], g[n];
    static int y[n], z[n], labels[n];
    mtc_context ctx = test_context();
    test_classes(n, d, c, 1, 30, x, y);
    mtc_data X = mtc_dense(n, d, x);
    mtc_svm_options o = mtc_svm_defaults();
    mtc_svm_result r, one;
    o.kernel = MTC_KERNEL_RBF;
    o.tolerance = TOL(1e-7);
    o.classes = c;
    ASSERT_EQ(MTC_OK, mtc_svm(&ctx, &X, y, &o, &r));
    ASSERT_EQ((size_t)c, r.problems);
    ASSERT(svm_proves(n, d, x, y, &o, &r));
    ASSERT_EQ(MTC_OK, mtc_svm_assign(&ctx, &X, &X, &r, labels, f));
    mtc_free(&ctx, &r.block);
    o.classes = 2;
    for (int k = 0; k < c; k++) {
        for (size_t i = 0; i < n; i++)
            z[i] = y[i] == k;
        ASSERT_EQ(MTC_OK, fit(&ctx, &X, z, &o, g, &one));
        for (size_t i = 0; i < n; i++) {
            ASSERT_IN_RANGE((double)g[i], (double)f[i * c + (size_t)k],
                            (double)TOL(1e-5) * 10);
            ASSERT(f[i * c + (size_t)k] <= f[i * c + (size_t)labels[i]]);
        }
    }
    PASS();
}

TEST svm_class_without_samples_never_wins(void)
{
    enum { n = 60, d = 3, c = 4 };
    static mtc_real x[n * d], f[n * c];
    static int y[n], labels[n];
    mtc_context ctx = test_context();
    test_classes(n, d, 3, 1, 31, x, y);
    mtc_data X = mtc_dense(n, d, x);
    mtc_svm_options o = mtc_svm_defaults();
    mtc_svm_result r;
    o.classes = c;
    ASSERT_EQ(MTC_OK, mtc_svm(&ctx, &X, y, &o, &r));
    ASSERT(r.converged && r.problems == c);
    ASSERT(r.bias[3] == -1 && r.gap[3] == 0 && r.support[3] == 0);
    ASSERT_EQ(MTC_OK, mtc_svm_assign(&ctx, &X, &X, &r, labels, f));
    for (size_t i = 0; i < n; i++)
        ASSERT(f[i * c + 3] == -1);
    mtc_free(&ctx, &r.block);
    PASS();
}

TEST svm_one_side_alone_decides_for_itself(void)
{
    mtc_real x[] = {1, 2, 3}, f[3], costs[] = {1, 0, 1};
    int y[] = {1, 1, 1}, labels[3];
    mtc_context ctx = test_context();
    mtc_data X = mtc_dense(3, 1, x);
    mtc_svm_options o = mtc_svm_defaults();
    mtc_svm_result r;
    for (int side = 0; side < 2; side++) {
        y[0] = y[2] = side;
        y[1] = 1;
        o.costs = costs;            /* the other label does not count */
        ASSERT_EQ(MTC_OK, mtc_svm(&ctx, &X, y, &o, &r));
        ASSERT(r.converged && r.iterations == 0 && r.gap[0] == 0);
        ASSERT(r.bias[0] == (mtc_real)(side ? 1 : -1));
        for (int i = 0; i < 3; i++)
            ASSERT(r.coefficients[i] == 0);
        ASSERT_EQ(MTC_OK, mtc_svm_assign(&ctx, &X, &X, &r, labels, f));
        ASSERT(labels[1] == side && f[1] == r.bias[0]);
        mtc_free(&ctx, &r.block);
    }
    y[0] = y[1] = y[2] = 0;
    o = mtc_svm_defaults();
    o.classes = 1;                  /* no problem at all */
    ASSERT_EQ(MTC_OK, mtc_svm(&ctx, &X, y, &o, &r));
    ASSERT(r.problems == 0 && r.converged);
    labels[2] = 5;
    ASSERT_EQ(MTC_OK, mtc_svm_assign(&ctx, &X, &X, &r, labels, NULL));
    ASSERT_EQ(0, labels[2]);
    mtc_free(&ctx, &r.block);
    PASS();
}

TEST svm_decisions_follow_the_definition(void)
{
    enum { n = 60, m = 25, d = 3, c = 3 };
    static mtc_real x[n * d], z[m * d], f[m * c];
    static int y[n], labels[m];
    mtc_context ctx = test_context();
    test_classes(n, d, c, 1, 32, x, y);
    test_fill(z, m * d, 33, -2, 2);
    mtc_data X = mtc_dense(n, d, x), Z = mtc_dense(m, d, z);
    for (int kernel = 0; kernel < 2; kernel++) {
        mtc_svm_options o = mtc_svm_defaults();
        mtc_svm_result r;
        o.kernel = kernel ? MTC_KERNEL_RBF : MTC_KERNEL_LINEAR;
        o.classes = c;
        ASSERT_EQ(MTC_OK, mtc_svm(&ctx, &X, y, &o, &r));
        ASSERT_EQ(MTC_OK, mtc_svm_assign(&ctx, &Z, &X, &r, labels, f));
        for (size_t i = 0; i < m; i++) {
            size_t winner = 0;
            for (size_t p = 0; p < c; p++) {
                double sum = (double)r.bias[p];
                for (size_t j = 0; j < n; j++)
                    sum += (double)r.coefficients[p * n + j]
                           * kernel_value(&r, d, z + i * d, x + j * d);
                ASSERT_IN_RANGE(sum, (double)f[i * c + p],
                                (double)TOL(1e-12));
                winner = f[i * c + p] > f[i * c + winner] ? p : winner;
            }
            ASSERT_EQ((int)winner, labels[i]);
        }
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

TEST svm_bears_equal_rows_with_different_labels(void)
{
    enum { n = 40, d = 2 };
    mtc_real x[n * d];
    int y[n];
    mtc_context ctx = test_context();
    mtc_data X = mtc_dense(n, d, x);
    for (int kind = 0; kind < 3; kind++) {
        for (size_t i = 0; i < n; i++) {    /* pairs; all equal; all zero */
            y[i] = i % 2;
            x[i * d] = (mtc_real)(kind == 0 ? (double)(i / 2) / 7 : 2 - kind);
            x[i * d + 1] = (mtc_real)(kind == 0 ? 1 : 2 - kind);
        }
        for (int kernel = 0; kernel < 2; kernel++) {
            mtc_svm_options o = mtc_svm_defaults();
            mtc_svm_result r;
            o.kernel = kernel ? MTC_KERNEL_RBF : MTC_KERNEL_LINEAR;
            ASSERT_EQ(MTC_OK, mtc_svm(&ctx, &X, y, &o, &r));
            ASSERT(svm_proves(n, d, x, y, &o, &r));
            mtc_free(&ctx, &r.block);
        }
    }
    PASS();
}

TEST svm_says_when_the_steps_ran_out(void)
{
    enum { n = 100, d = 3 };
    static mtc_real x[n * d];
    static int y[n];
    mtc_context ctx = test_context();
    test_classes(n, d, 2, .5, 34, x, y);
    for (size_t i = 0; i < n; i++)
        x[i * d] *= 4096;           /* unscaled, what looks like a hang */
    mtc_data X = mtc_dense(n, d, x);
    mtc_svm_options o = mtc_svm_defaults();
    mtc_svm_result r;
    o.iterations = 50;
    ASSERT_EQ(MTC_OK, mtc_svm(&ctx, &X, y, &o, &r));
    ASSERT_EQ((size_t)50, r.iterations);
    ASSERT_FALSE(r.converged);
    svm_certificate c = svm_certify(n, d, x, y, &o, &r, 0);
    ASSERT(c.box <= 0 && r.gap[0] > o.tolerance);
    ASSERT_IN_RANGE(c.gap, (double)r.gap[0], (double)TOL(1e-6) * c.gap);
    mtc_free(&ctx, &r.block);
    PASS();
}

TEST svm_multipliers_stay_balanced_through_many_steps(void)
{
    enum { n = 60, d = 3 };
    static mtc_real x[n * d];
    static int y[n];
    mtc_context ctx = test_context();
    test_classes(n, d, 2, .5, 37, x, y);
    for (size_t i = 0; i < n; i++)
        x[i * d] *= 64;
    mtc_data X = mtc_dense(n, d, x);
    mtc_svm_options o = mtc_svm_defaults();
    mtc_svm_result r;
    o.cost = 4;
    o.tolerance = 0;
    o.iterations = 100000;
    ASSERT_EQ(MTC_OK, mtc_svm(&ctx, &X, y, &o, &r));
    svm_certificate c = svm_certify(n, d, x, y, &o, &r, 0);
    ASSERT(c.box <= 0);
    ASSERT(c.balance <= 64 * (double)TEST_EPS * c.mass);  /* as svm_proves */
    mtc_free(&ctx, &r.block);
    PASS();
}

TEST svm_refuses_what_it_cannot_use(void)
{
    mtc_real x[] = {0, 1, 2, 3}, costs[] = {1, 1, 1, 1}, f[4] = {9, 9, 9, 9};
    mtc_real nan = (mtc_real)NAN;
    int y[] = {0, 1, 0, 1}, labels[4] = {9, 9, 9, 9};
    mtc_context ctx = test_context();
    mtc_data X = mtc_dense(4, 1, x), wide = mtc_dense(2, 2, x);
    mtc_data shorter = mtc_dense(3, 1, x);
    mtc_svm_options o = mtc_svm_defaults(), bad = o;
    mtc_svm_result r, old;
    memset(&r, 0xa5, sizeof r);
    old = r;
    ASSERT_EQ(MTC_INVALID, mtc_svm(&ctx, &X, y, &o, NULL));
    ASSERT_EQ(MTC_INVALID, mtc_svm(&ctx, NULL, y, &o, &r));
    ASSERT_EQ(MTC_INVALID, mtc_svm(&ctx, &X, NULL, &o, &r));
    y[3] = -1;
    ASSERT_EQ(MTC_INVALID, mtc_svm(&ctx, &X, y, &o, &r));
    ASSERT_STR_EQ("labels: need 0..k-1", ctx.error.what);
    ASSERT_EQ((size_t)3, ctx.error.row);
    y[3] = 1;
    bad.classes = 0;
    ASSERT_EQ(MTC_INVALID, mtc_svm(&ctx, &X, y, &bad, &r));
    bad = o, bad.gamma = -1;
    ASSERT_EQ(MTC_INVALID, mtc_svm(&ctx, &X, y, &bad, &r));
    bad = o, bad.cost = 0;
    ASSERT_EQ(MTC_INVALID, mtc_svm(&ctx, &X, y, &bad, &r));
    bad = o, bad.cost = nan;
    ASSERT_EQ(MTC_INVALID, mtc_svm(&ctx, &X, y, &bad, &r));
    bad = o, bad.tolerance = nan;
    ASSERT_EQ(MTC_INVALID, mtc_svm(&ctx, &X, y, &bad, &r));
    bad = o, bad.costs = costs, costs[2] = -1;
    ASSERT_EQ(MTC_DOMAIN, mtc_svm(&ctx, &X, y, &bad, &r));
    ASSERT_EQ((size_t)2, ctx.error.row);
    memset(costs, 0, sizeof costs);
    ASSERT_EQ(MTC_INVALID, mtc_svm(&ctx, &X, y, &bad, &r));
    costs[1] = nan;
    ASSERT_EQ(MTC_DOMAIN, mtc_svm(&ctx, &X, y, &bad, &r));
    ASSERT_EQ((size_t)1, ctx.error.row);
    x[2] = nan;
    ASSERT_EQ(MTC_DOMAIN, mtc_svm(&ctx, &X, y, &o, &r));
    ASSERT_EQ((size_t)2, ctx.error.row);
    ASSERT_MEM_EQ(&old, &r, sizeof r);
    x[2] = 2;
    ASSERT_EQ(MTC_OK, mtc_svm(&ctx, &X, y, &o, &r));
    ASSERT_EQ(MTC_INVALID, mtc_svm_assign(&ctx, &X, &shorter, &r, labels, f));
    ASSERT_EQ(MTC_INVALID, mtc_svm_assign(&ctx, &wide, &X, &r, labels, f));
    ASSERT(labels[0] == 9 && f[0] == 9);
    mtc_free(&ctx, &r.block);
    PASS();
}

/* Three groups on a line have labels 1, 2, 3: no row gets class 0, though the
 * decisions of the others are below its -1 here and there. */
TEST svm_gives_no_class_that_it_was_not_taught(void)
{
    enum { ROWS = 90 };
    mtc_real x[ROWS * 2], f[ROWS * 4];
    int y[ROWS], labels[ROWS], below = 0;
    mtc_context ctx = test_context();
    mtc_random rng = mtc_random_seed(1);
    mtc_svm_options o = mtc_svm_defaults();
    mtc_svm_result r;
    for (int i = 0; i < ROWS; i++) {
        y[i] = 1 + i % 3;
        x[2 * i] = (mtc_real)(i % 3 * 3) + mtc_random_normal(&rng);
        x[2 * i + 1] = mtc_random_normal(&rng);
    }
    mtc_data X = mtc_dense(ROWS, 2, x);
    o.classes = 4;
    ASSERT_EQ(MTC_OK, mtc_svm(&ctx, &X, y, &o, &r));
    ASSERT_EQ(MTC_OK, mtc_svm_assign(&ctx, &X, &X, &r, labels, f));
    for (int i = 0; i < ROWS; i++) {
        const mtc_real *g = f + 4 * i;
        below += g[1] < g[0] && g[2] < g[0] && g[3] < g[0];
        ASSERT(labels[i] > 0);
    }
    ASSERT(below > 0);
    mtc_free(&ctx, &r.block);
    PASS();
}

TEST svm_stops_when_told(void)
{
    enum { n = 100, d = 3 };
    static mtc_real x[n * d];
    static int y[n];
    size_t seen = 0;
    mtc_context ctx = test_context();
    test_classes(n, d, 3, .5, 35, x, y);
    mtc_data X = mtc_dense(n, d, x);
    mtc_svm_options o = mtc_svm_defaults();
    mtc_svm_result r, old;
    o.classes = 3;
    memset(&r, 0xa5, sizeof r);
    old = r;
    ctx.progress = say_stop;
    ctx.user = &seen;
    ASSERT_EQ(MTC_CANCELLED, mtc_svm(&ctx, &X, y, &o, &r));
    ASSERT_EQ((size_t)1, seen);
    ASSERT_MEM_EQ(&old, &r, sizeof r);
    PASS();
}

TEST svm_takes_the_memory_it_says(void)
{
    enum { n = 50, d = 3 };
    mtc_real x[n * d];
    int y[n];
    test_heap heap;
    test_classes(n, d, 3, .5, 36, x, y);
    mtc_data X = mtc_dense(n, d, x);
    for (size_t cache = 0; cache < 100000; cache += 7000) {
        mtc_context ctx = test_heap_context(&heap);
        mtc_svm_options o = mtc_svm_defaults();
        mtc_svm_result r;
        o.classes = 3;
        o.kernel = MTC_KERNEL_RBF;
        o.cache = cache;
        ASSERT_EQ(MTC_OK, mtc_svm(&ctx, &X, y, &o, &r));
        ASSERT_EQ(ctx.need, heap.peak);
        ASSERT_EQ((size_t)2, heap.calls);
        ASSERT(svm_proves(n, d, x, y, &o, &r));
        ASSERT_EQ(MTC_OK, mtc_svm_assign(&ctx, &X, &X, &r, y, NULL));
        test_classes(n, d, 3, .5, 36, x, y);
        mtc_free(&ctx, &r.block);
        ASSERT(heap.live == 0 && heap.faults == 0);
    }
    PASS();
}

SUITE(svm_suite)
{
    RUN_TEST(svm_two_points_have_the_known_answer);
    RUN_TEST(svm_goes_on_when_the_first_pair_is_stuck);
    RUN_TEST(svm_ends_at_the_optimum_of_small_problems);
    RUN_TEST(svm_solves_xor_with_rbf_as_on_paper);
    RUN_TEST(svm_answer_satisfies_the_optimality_conditions);
    RUN_TEST(svm_primal_and_dual_meet_at_a_tight_tolerance);
    RUN_TEST(svm_matches_the_worked_case);
    RUN_TEST(svm_answer_does_not_depend_on_cache);
    RUN_TEST(svm_answer_with_a_small_cache_is_certified);
    RUN_TEST(svm_dense_and_sparse_agree);
    RUN_TEST(svm_rbf_is_blind_to_an_offset);
    RUN_TEST(svm_cost_two_is_a_sample_twice);
    RUN_TEST(svm_cost_zero_is_a_sample_not_at_all);
    RUN_TEST(svm_started_at_its_answer_is_done);
    RUN_TEST(svm_starts_within_the_box);
    RUN_TEST(svm_forgets_a_start_that_is_not_exact);
    RUN_TEST(svm_balances_its_start);
    RUN_TEST(svm_one_against_the_rest_solves_each_class);
    RUN_TEST(svm_class_without_samples_never_wins);
    RUN_TEST(svm_one_side_alone_decides_for_itself);
    RUN_TEST(svm_decisions_follow_the_definition);
    RUN_TEST(svm_bears_equal_rows_with_different_labels);
    RUN_TEST(svm_says_when_the_steps_ran_out);
    RUN_TEST(svm_multipliers_stay_balanced_through_many_steps);
    RUN_TEST(svm_refuses_what_it_cannot_use);
    RUN_TEST(svm_gives_no_class_that_it_was_not_taught);
    RUN_TEST(svm_stops_when_told);
    RUN_TEST(svm_takes_the_memory_it_says);
}
