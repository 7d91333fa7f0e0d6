/* SPDX-License-Identifier: MIT
 *
 * test_linalg.c - memory, random numbers, exp log tanh, products,
 * factorizations.
 *
 * Elementary functions are held against long double to fractions of an ulp,
 * generators against published outputs.  Matrix routines follow LAPACK's
 * rule: residuals in units of n eps |A| stay below 30, over many kinds and
 * sizes of matrices.  Every workspace is exactly as large as its query says,
 * with guards behind it.
 */
#define MTC_INTERNAL                    /* mtc_tanh */
#include "greatest.h"
#include "test_util.h"

#include <math.h>
#include <stdint.h>

#define EPS ((double)TEST_EPS)
#define RULE 30.0                       /* LAPACK's threshold */

static mtc_real *copy_of(const mtc_real *x, size_t n)
{
    mtc_real *y = test_reals(n);
    if (n > 0)
        memcpy(y, x, n * sizeof *x);
    return y;
}

static double greater(double a, double b)   /* unlike fmax, keeps a NaN */
{
    return a >= b ? a : b;
}

static double uniform(uint64_t *s)          /* in [-1, 1) */
{
    *s = *s * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*s >> 33) / 1073741824.0 - 1;
}

static size_t below(uint64_t *s, size_t n)
{
    return (size_t)((uniform(s) + 1) / 2 * (double)n);
}

/* A workspace of exactly `size` bytes that knows when more was written. */
static unsigned char *guarded(size_t size)
{
    unsigned char *p = (unsigned char *)test_malloc(size + TEST_GUARD);
    memset(p, TEST_POISON, size + TEST_GUARD);
    return p;
}

static int guard_holds(const unsigned char *p, size_t size)
{
    for (size_t i = 0; i < TEST_GUARD; i++)
        if (p[size + i] != TEST_POISON)
            return 0;
    return 1;
}

/* ---- status, context, arena -------------------------------------------- */

TEST status_text_has_a_sentence_for_every_number(void)
{
    const char *unknown = mtc_status_text((mtc_status)99);
    for (int s = -20; s <= 20; s++) {
        const char *text = mtc_status_text((mtc_status)s);
        ASSERT(text != NULL && text[0] != '\0');
        ASSERT_EQ(s <= MTC_OK && s >= MTC_LIMIT, strcmp(text, unknown) != 0);
        for (int t = MTC_LIMIT; t < s && s <= MTC_OK; t++)
            ASSERT(strcmp(text, mtc_status_text((mtc_status)t)) != 0);
    }
    PASS();
}

TEST version_agrees_with_the_header(void)
{
    char text[64];
    snprintf(text, sizeof text, "%d.%d.%d", MTC_VERSION_MAJOR,
             MTC_VERSION_MINOR, MTC_VERSION_PATCH);
    ASSERT_STR_EQ(text, mtc_version());
    ASSERT_EQ(NULL, mtc_selftest());                /* of this build */
    PASS();
}

TEST default_context_has_seed_1_and_no_error(void)
{
    mtc_context ctx = mtc_context_defaults();
    ASSERT(ctx.allocate == NULL && ctx.release == NULL);
    ASSERT(ctx.progress == NULL && ctx.error.what == NULL);
    ASSERT(ctx.seed == 1);
    ASSERT(ctx.error.task == MTC_NONE && ctx.error.row == MTC_NONE &&
           ctx.error.column == MTC_NONE);
    PASS();
}

TEST arena_hands_out_aligned_blocks_that_do_not_overlap(void)
{
    static double buffer[64];
    mtc_arena arena = mtc_arena_over(buffer, sizeof buffer);
    mtc_context ctx = mtc_arena_context(&arena);
    unsigned char *end = (unsigned char *)buffer;
    for (size_t size = 1; size <= 20; size++) {
        unsigned char *p = (unsigned char *)ctx.allocate(ctx.memory, size);
        ASSERT(p != NULL);
        ASSERT_EQ(0, (size_t)(p - (unsigned char *)buffer) % sizeof(double));
        ASSERT(p >= end);
        memset(p, 1, size);
        end = p + size;
    }
    ASSERT(end <= (unsigned char *)buffer + sizeof buffer);
    PASS();
}

/* As on a board whose linker puts an array of bytes anywhere. */
TEST arena_over_an_odd_address_begins_at_an_aligned_one(void)
{
    static double room[64];
    unsigned char *bytes = (unsigned char *)room;
    for (size_t odd = 1; odd < sizeof(double); odd++) {
        mtc_arena arena = mtc_arena_over(bytes + odd, sizeof room - odd);
        mtc_context ctx = mtc_arena_context(&arena);
        ASSERT(ctx.allocate(ctx.memory, sizeof room) == NULL);
        unsigned char *p = (unsigned char *)ctx.allocate(ctx.memory, 100);
        ASSERT(p > bytes);
        ASSERT_EQ(0, (size_t)(p - bytes) % sizeof(float));
        ASSERT_EQ(0, (size_t)(p - bytes) % sizeof(void *));
        size_t rest = sizeof room - (size_t)(p - bytes);
        ASSERT_EQ(rest, arena.size);
        arena.used = 0;
        ASSERT(ctx.allocate(ctx.memory, rest + 1) == NULL);
        ASSERT(ctx.allocate(ctx.memory, rest) == p);
    }
    mtc_arena none = mtc_arena_over(bytes + 1, 1);
    mtc_context ctx = mtc_arena_context(&none);
    ASSERT(ctx.allocate(ctx.memory, 1) == NULL);
    PASS();
}

TEST arena_takes_the_last_block_back_and_keeps_its_peak(void)
{
    static double buffer[32];
    mtc_arena arena = mtc_arena_over(buffer, sizeof buffer);
    mtc_context ctx = mtc_arena_context(&arena);
    void *a = ctx.allocate(ctx.memory, 64), *b = ctx.allocate(ctx.memory, 96);
    ASSERT(a != NULL && b != NULL);
    size_t both = arena.used;
    ctx.release(ctx.memory, a, 64);             /* not the last: stays */
    ASSERT_EQ(both, arena.used);
    ctx.release(ctx.memory, b, 96);
    ASSERT_EQ(64, arena.used);
    ASSERT_EQ(both, arena.peak);
    ASSERT(ctx.allocate(ctx.memory, 96) == b);
    arena.used = 0;
    ASSERT(ctx.allocate(ctx.memory, sizeof buffer) == a);
    PASS();
}

TEST arena_that_is_full_returns_null(void)
{
    static double buffer[16];
    mtc_arena arena = mtc_arena_over(buffer, sizeof buffer);
    mtc_context ctx = mtc_arena_context(&arena);
    ASSERT(ctx.allocate(ctx.memory, sizeof buffer + 1) == NULL);
    ASSERT(ctx.allocate(ctx.memory, SIZE_MAX) == NULL);
    ASSERT(ctx.allocate(ctx.memory, SIZE_MAX - 8) == NULL);
    ASSERT_EQ(0, arena.used);
    ASSERT(ctx.allocate(ctx.memory, sizeof buffer) != NULL);
    ASSERT(ctx.allocate(ctx.memory, 1) == NULL);
    PASS();
}

/* ---- random numbers ---------------------------------------------------- */

TEST xoshiro_gives_the_published_outputs(void)
{
    static const uint64_t expected[] = {
        11520, 0, 1509978240, UINT64_C(1215971899390074240)};
    mtc_random r = {{1, 2, 3, 4}};
    for (size_t i = 0; i < 4; i++)
        ASSERT(mtc_random_bits(&r) == expected[i]);
    PASS();
}

TEST splitmix_gives_the_published_seeds(void)
{
    mtc_random r = mtc_random_seed(1234567);
    ASSERT(r.s[0] == UINT64_C(6457827717110365317));
    ASSERT(r.s[1] == UINT64_C(3203168211198807973));
    ASSERT(r.s[2] == UINT64_C(9817491932198370423));
    ASSERT(r.s[3] == UINT64_C(4593380528125082431));
    PASS();
}

TEST random_reals_fill_the_unit_interval(void)
{
    enum { N = 100000 };
    mtc_random r = mtc_random_seed(1);
    double sum = 0, squares = 0;
    mtc_real least = 1, most = 0;
    for (int i = 0; i < N; i++) {
        mtc_real u = mtc_random_real(&r);
        ASSERT(u >= 0 && u < 1);
        least = u < least ? u : least;
        most = u > most ? u : most;
        sum += (double)u;
        squares += (double)u * (double)u;
    }
    ASSERT_IN_RANGE(.5, sum / N, .005);
    ASSERT_IN_RANGE(1. / 3, squares / N, .005);
    ASSERT(least < (mtc_real)1e-3 && most > (mtc_real).999);
    PASS();
}

TEST largest_random_real_is_below_1(void)
{
    mtc_random r = {{0, 0, 0, 0}};
    uint64_t top = UINT64_MAX;              /* solve rotl(5 s1, 7) 9 = top */
    uint64_t nth = top * UINT64_C(0x8e38e38e38e38e39);          /* 1/9 */
    uint64_t turned = (nth >> 7) | (nth << 57);
    r.s[1] = turned * UINT64_C(0xcccccccccccccccd);             /* 1/5 */
    mtc_random again = r;
    ASSERT(mtc_random_bits(&again) == top);
    mtc_real u = mtc_random_real(&r);
    ASSERT(u < 1 && u > 1 - 2 * TEST_EPS);
    PASS();
}

/* Pearson's statistic of 100000 draws: mean m - 1, deviation sqrt(2 (m-1)).
 * Five deviations are allowed. */
TEST random_below_is_uniform(void)
{
    static const size_t sizes[] = {2, 3, 7, 10, 64, 100};
    mtc_random r = mtc_random_seed(2);
    for (size_t q = 0; q < sizeof sizes / sizeof *sizes; q++) {
        size_t m = sizes[q], count[100] = {0}, draws = 100000;
        for (size_t i = 0; i < draws; i++) {
            size_t x = mtc_random_below(&r, m);
            ASSERT(x < m);
            count[x]++;
        }
        double expected = (double)draws / (double)m, statistic = 0;
        for (size_t x = 0; x < m; x++)
            statistic += pow((double)count[x] - expected, 2) / expected;
        double free = (double)m - 1;
        ASSERT(fabs(statistic - free) < 5 * sqrt(2 * free) + 5);
    }
    PASS();
}

TEST random_below_handles_the_ends_of_its_range(void)
{
    mtc_random r = mtc_random_seed(3);
    size_t above_half = 0;
    ASSERT_EQ(0, mtc_random_below(&r, 0));
    ASSERT_EQ(0, mtc_random_below(&r, 1));
    for (int i = 0; i < 1000; i++) {
        size_t x = mtc_random_below(&r, SIZE_MAX);
        ASSERT(x < SIZE_MAX);
        above_half += x > SIZE_MAX / 2;
    }
    ASSERT(above_half > 400 && above_half < 600);
    PASS();
}

/* Standard errors of the first four moments: sqrt(1, 2, 6, 24 / N). */
TEST random_normals_have_the_moments_of_one(void)
{
    enum { N = 200000 };
    mtc_random r = mtc_random_seed(4);
    double m1 = 0, m2 = 0, m3 = 0, m4 = 0;
    for (int i = 0; i < N; i++) {
        double x = (double)mtc_random_normal(&r);
        m1 += x / N;
        m2 += x * x / N;
        m3 += x * x * x / N;
        m4 += x * x * x * x / N;
    }
    ASSERT_IN_RANGE(0, m1, 5 * sqrt(1. / N));
    ASSERT_IN_RANGE(1, m2, 5 * sqrt(2. / N));
    ASSERT_IN_RANGE(0, m3, 5 * sqrt(15. / N));
    ASSERT_IN_RANGE(3, m4, 5 * sqrt(96. / N));
    PASS();
}

TEST same_seed_gives_the_same_stream(void)
{
    mtc_random a = mtc_random_seed(7), b = mtc_random_seed(7);
    mtc_random c = mtc_random_seed(8);
    int differs = 0;
    for (int i = 0; i < 100; i++) {
        uint64_t x = mtc_random_bits(&a);
        ASSERT(x == mtc_random_bits(&b));
        differs |= x != mtc_random_bits(&c);
    }
    ASSERT(differs);
    PASS();
}

/* ---- exp, log, tanh ---------------------------------------------------- */

#ifdef MTC_SINGLE
enum { DIGITS = FLT_MANT_DIG, LEAST = FLT_MIN_EXP };
typedef double wide;
#define WIDE(f) f
#else
enum { DIGITS = DBL_MANT_DIG, LEAST = DBL_MIN_EXP };
typedef long double wide;
#define WIDE(f) f##l
#endif

/* Error of the C library's wide functions, in ulps of the type under test.
 * Some are no wider than double, or are so by name only. */
static double wide_error(void)
{
    wide e = (wide)2.718281828459045235360287471352662498L;
    volatile wide one = 1;              /* not to be worked out by cc */
    int is_wide = sizeof(wide) > sizeof(mtc_real) &&
                  WIDE(fabs)(WIDE(exp)(one) - e) < (wide)(EPS / 1000);
    return is_wide ? .01 : 2.5;
}

/* |got - exact| in units of the last place of exact. */
static double ulps(mtc_real got, wide exact)
{
    int e;
    WIDE(frexp)(exact, &e);
    wide unit = WIDE(ldexp)(1, (e < LEAST ? LEAST : e) - DIGITS);
    return (double)(WIDE(fabs)((wide)got - exact) / unit);
}

static double exp_error(double x)
{
    mtc_real r = (mtc_real)x;
    return ulps(mtc_exp(r), WIDE(exp)((wide)r));
}

static double log_error(double x)
{
    mtc_real r = (mtc_real)x;
    return r > 0 ? ulps(mtc_log(r), WIDE(log)((wide)r)) : 0;
}

static double tanh_error(double x)
{
    mtc_real r = (mtc_real)x;
    return ulps(mtc_tanh(r), WIDE(tanh)((wide)r));
}

enum { ARGUMENTS = 20000 };

TEST exp_is_within_0_6_ulp(void)
{
    uint64_t s = 1;
    double worst = 0;
    double top = (double)DIGITS == 24 ? 88.7 : 709.7;
    double bottom = (double)DIGITS == 24 ? -103.9 : -745.1;
    for (int i = 0; i < ARGUMENTS; i++) {
        double u = uniform(&s);
        worst = greater(worst, exp_error(u > 0 ? u * top : -u * bottom));
        worst = greater(worst, exp_error(u));
        worst = greater(worst, exp_error(ldexp(u, -i % 60)));
        /* to both sides of a change of k, at (k + 1/2) log 2 */
        double edge = (floor(u * 100) + .5) * 0.69314718055994530942;
        worst = greater(worst, exp_error(edge * (1 + EPS * (i % 7 - 3))));
    }
    ASSERT(worst < .6 + wide_error());
    PASS();
}

TEST exp_is_within_0_6_ulp_where_results_are_subnormal(void)
{
    uint64_t s = 2;
    double worst = 0;
    double from = (double)DIGITS == 24 ? -87.3 : -708.3;
    for (int i = 0; i < ARGUMENTS; i++)
        worst = greater(worst, exp_error(from - 18 * (uniform(&s) + 1)));
    ASSERT(worst < .6 + wide_error());
    PASS();
}

TEST log_is_within_0_7_ulp(void)
{
    uint64_t s = 3;
    double worst = 0;
    int range = (double)DIGITS == 24 ? 120 : 1000;
    for (int i = 0; i < ARGUMENTS; i++) {
        double u = uniform(&s);
        worst = greater(worst, log_error(1.5 + u));
        worst = greater(worst, log_error(1 + ldexp(u, -i % (DIGITS - 2))));
        worst = greater(worst, log_error(ldexp(1.5 + u / 2, i % range)));
        worst = greater(worst, log_error(ldexp(1.5 + u / 2, -i % range)));
        worst = greater(worst, log_error(TEST_MIN * (u + 1)));
        /* to both sides of a change of k, at sqrt 2 */
        worst = greater(worst, log_error(1.4142135623730951 + EPS * u * 4));
    }
    ASSERT(worst < .7 + wide_error());
    PASS();
}

TEST tanh_is_within_2_ulp(void)
{
    uint64_t s = 4;
    double worst = 0;
    for (int i = 0; i < ARGUMENTS; i++) {
        double u = uniform(&s);
        worst = greater(worst, tanh_error(u));
        worst = greater(worst, tanh_error(22 * u));
        worst = greater(worst, tanh_error(ldexp(u, -i % 100)));
    }
    ASSERT(worst < 2 + wide_error());
    PASS();
}

TEST exp_log_tanh_know_the_special_values(void)
{
    const mtc_real inf = (mtc_real)HUGE_VAL, nan = inf - inf;
    ASSERT(mtc_exp(0) == 1 && mtc_exp(-inf) == 0 && mtc_exp(inf) == inf);
    ASSERT(mtc_exp(TEST_MAX) == inf && mtc_exp(-TEST_MAX) == 0);
    ASSERT(mtc_exp(TEST_MIN) == 1 && mtc_exp(-TEST_MIN) == 1);
    ASSERT(mtc_log(1) == 0 && mtc_log(inf) == inf);
    ASSERT(mtc_log(0) == -inf && mtc_log((mtc_real)-0.) == -inf);
    mtc_real bad[] = {mtc_log(-1), mtc_log(-TEST_MIN), mtc_log(-inf),
                      mtc_log(nan), mtc_exp(nan), mtc_tanh(nan)};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ASSERT(!(bad[i] >= -inf));
    ASSERT(mtc_tanh(inf) == 1 && mtc_tanh(-inf) == -1 && mtc_tanh(0) == 0);
    ASSERT(1 / mtc_tanh((mtc_real)-0.) == -inf);
    ASSERT(mtc_tanh(TEST_MIN) == TEST_MIN && mtc_tanh(40) == 1);
    PASS();
}

TEST exp_reaches_the_ends_of_the_range(void)
{
#ifdef MTC_SINGLE
    ASSERT(mtc_exp(88.72283f) < (mtc_real)HUGE_VAL);
    ASSERT(mtc_exp(88.72284f) == (mtc_real)HUGE_VAL);
    ASSERT(mtc_exp(-103.f) > 0 && mtc_exp(-104.f) == 0);
#else
    ASSERT(mtc_exp(709.782712893384) < HUGE_VAL);
    ASSERT(mtc_exp(709.782712893385) == HUGE_VAL);
    ASSERT(mtc_exp(-745.13) > 0 && mtc_exp(-745.14) == 0);
#endif
    PASS();
}

TEST tanh_is_odd_and_never_above_1(void)
{
    uint64_t s = 5;
    for (int i = 0; i < 2000; i++) {
        mtc_real x = (mtc_real)(25 * uniform(&s)), t = mtc_tanh(x);
        ASSERT(t == -mtc_tanh(-x));
        ASSERT(t >= -1 && t <= 1);
    }
    PASS();
}

/* ---- dot, axpy --------------------------------------------------------- */

TEST dot_and_axpy_agree_with_plain_sums(void)
{
    mtc_real x[70], y[70], z[70];
    test_fill(x, 70, 1, -1, 1);
    test_fill(y, 70, 2, -1, 1);
    for (size_t n = 0; n <= 70; n++) {
        double sum = 0, size = 0;
        for (size_t i = 0; i < n; i++) {
            sum += (double)x[i] * (double)y[i];
            size += fabs((double)x[i] * (double)y[i]);
        }
        ASSERT_IN_RANGE(sum, (double)mtc_dot(n, x, y), 70 * EPS * size);
        memcpy(z, y, sizeof z);
        mtc_axpy(n, (mtc_real)-.75, x, z);
        for (size_t i = 0; i < 70; i++)
            ASSERT_IN_RANGE((double)y[i] - (i < n ? .75 * (double)x[i] : 0),
                            (double)z[i], 2 * EPS);
    }
    PASS();
}

TEST dot_is_exact_on_small_whole_numbers(void)
{
    mtc_real x[100];
    for (size_t i = 0; i < 100; i++)
        x[i] = (mtc_real)i;
    for (size_t n = 1; n <= 100; n++)
        ASSERT(mtc_dot(n, x, x) ==
               (mtc_real)((n - 1) * n * (2 * n - 1) / 6));
    PASS();
}

/* ---- gemm, syrk -------------------------------------------------------- */

/* One product C = alpha op(A) op(B) + beta C, with room beside the rows. */
typedef struct product {
    int ta, tb, square;                 /* square: by syrk, B is A */
    size_t m, n, k, lda, ldb, ldc;
    mtc_real alpha, beta;
    mtc_real *A, *B, *C, *before;
} product;

static wide at(int trans, const mtc_real *A, size_t lda, size_t i, size_t j)
{
    return (wide)(trans ? A[j * lda + i] : A[i * lda + j]);
}

static product product_open(int kind, size_t m, size_t n, size_t k,
                            uint64_t seed)
{
    static const double scalars[] = {0, 1, -1, .3};
    size_t pad = (size_t)seed;
    product q = {kind & 1, kind >> 1 & 1, kind >> 2 & 1, m, n, k,
                 0, 0, 0, (mtc_real)scalars[1 + seed % 3],
                 (mtc_real)scalars[seed / 3 % 4], NULL, NULL, NULL, NULL};
    if (q.square) {
        q.n = m;
        q.tb = !q.ta;
    }
    q.lda = (q.ta ? m : k) + pad % 3;
    q.ldb = q.square ? q.lda : (q.tb ? k : q.n) + pad / 3 % 2;
    q.ldc = q.n + pad / 5 % 3;
    size_t a = (q.ta ? k : m) * q.lda, b = (q.tb ? q.n : k) * q.ldb;
    q.A = test_reals(a);
    q.B = test_reals(q.square ? 0 : b);
    q.C = test_reals(m * q.ldc);
    test_fill(q.A, a, seed, -1, 1);
    if (!q.square)
        test_fill(q.B, b, seed + 1, -1, 1);
    test_fill(q.C, m * q.ldc, seed + 2, -1, 1);
    for (size_t i = 0; q.square && i < m; i++)
        for (size_t j = 0; j < i; j++)
            q.C[j * q.ldc + i] = q.C[i * q.ldc + j];
    q.before = copy_of(q.C, m * q.ldc);
    return q;
}

static void product_close(product *q)
{
    free(q->A);
    free(q->B);
    free(q->C);
    free(q->before);
}

/* beta 0 must not read C: it holds NaN then. */
static void product_run(const product *q, void *work)
{
    for (size_t i = 0; i < q->m && q->beta == 0; i++)
        for (size_t j = 0; j < q->n; j++)
            q->C[i * q->ldc + j] = (mtc_real)(HUGE_VAL - HUGE_VAL);
    if (q->square)
        mtc_syrk(q->ta, q->m, q->k, q->alpha, q->A, q->lda, q->beta, q->C,
                 q->ldc, work);
    else
        mtc_gemm(q->ta, q->tb, q->m, q->n, q->k, q->alpha, q->A, q->lda,
                 q->B, q->ldb, q->beta, q->C, q->ldc, work);
}

/* Largest error of an entry in units of eps (|alpha| |A||B| + |beta C|), over
 * every `step`-th entry; infinite if memory beside the rows was written. */
static double product_error(const product *q, size_t step)
{
    double worst = 0;
    const mtc_real *B = q->square ? q->A : q->B;
    for (size_t e = 0; e < q->m * q->ldc; e++) {
        size_t i = e / q->ldc, j = e % q->ldc;
        if (j >= q->n) {
            if (!(q->C[e] == q->before[e]))
                return HUGE_VAL;
            continue;
        }
        if (e % step != 0)
            continue;
        wide sum = 0, size = 0;
        for (size_t p = 0; p < q->k; p++) {
            wide t = at(q->ta, q->A, q->lda, i, p) *
                     at(q->tb, B, q->ldb, p, j);
            sum += t;
            size += WIDE(fabs)(t);
        }
        sum = (wide)q->alpha * sum + (wide)q->beta * (wide)q->before[e];
        size = WIDE(fabs)((wide)q->alpha) * size +
               WIDE(fabs)((wide)q->beta * (wide)q->before[e]);
        double error = (double)WIDE(fabs)((wide)q->C[e] - sum);
        worst = greater(worst, error == 0 ? 0 : error / (EPS * (double)size));
    }
    return worst;
}

/* All shapes of operands; dimensions that straddle every block boundary. */
TEST gemm_and_syrk_keep_lapacks_rule(void)
{
    static const size_t sizes[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 16, 23, 33, 64,
                                   65, 100};
    const size_t count = sizeof sizes / sizeof *sizes;
    uint64_t s = 11;
    for (uint64_t seed = 0; seed < 240; seed++) {
        product q = product_open((int)(seed % 8), sizes[below(&s, count)],
                                 sizes[below(&s, count)],
                                 sizes[below(&s, count)], seed);
        size_t size = mtc_gemm_work(q.m, q.n, q.k);
        unsigned char *work = guarded(size);
        product_run(&q, seed % 5 == 4 ? NULL : work);
        ASSERT(product_error(&q, 1 + q.m * q.n / 1000) < RULE);
        ASSERT(guard_holds(work, size));
        for (size_t i = 0; q.square && i < q.m; i++)
            for (size_t j = 0; j < i; j++)
                ASSERT(q.C[i * q.ldc + j] == q.C[j * q.ldc + i]);
        free(work);
        product_close(&q);
    }
    PASS();
}

TEST gemm_crosses_its_cache_blocks_in_every_direction(void)
{
    static const size_t shapes[][3] = {{200, 3, 1000}, {3, 1700, 20},
        {5, 800, 400}, {200, 200, 200}, {130, 9, 769}, {1, 900, 500},
        {900, 1, 500}};
    for (size_t t = 0; t < sizeof shapes / sizeof *shapes; t++)
        for (int kind = 0; kind < 6; kind++) {
            product q = product_open(kind, shapes[t][0], shapes[t][1],
                                     shapes[t][2], t + 5);
            size_t size = mtc_gemm_work(q.m, q.n, q.k);
            unsigned char *work = guarded(size);
            product_run(&q, work);
            ASSERT(product_error(&q, 1 + q.m * q.n / 40) < RULE);
            ASSERT(guard_holds(work, size));
            free(work);
            product_close(&q);
        }
    PASS();
}

TEST gemm_is_exact_on_small_whole_numbers(void)
{
    enum { N = 37 };
    mtc_real *A = test_reals(N * N), *B = test_reals(N * N);
    mtc_real *C = test_reals(N * N);
    void *work = test_malloc(mtc_gemm_work(N, N, N));
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++) {
            A[i * N + j] = (mtc_real)(i + j);
            B[i * N + j] = i == j ? 2 : i == j + 1 ? -1 : 0;
        }
    mtc_gemm(0, 0, N, N, N, 1, A, N, B, N, 0, C, N, work);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++) {
            mtc_real next = j + 1 < N ? (mtc_real)(i + j + 1) : 0;
            ASSERT(C[i * N + j] == (mtc_real)(2 * (i + j)) - next);
        }
    free(A);
    free(B);
    free(C);
    free(work);
    PASS();
}

TEST gemm_does_not_depend_on_where_a_row_stands(void)
{
    enum { M = 41, N = 29, K = 53 };
    mtc_real *A = test_reals(M * K), *B = test_reals(K * N);
    mtc_real *C = test_reals(M * N), *D = test_reals(M * N);
    void *work = test_malloc(mtc_gemm_work(M, N, K));
    test_fill(A, M * K, 1, -1, 1);
    test_fill(B, K * N, 2, -1, 1);
    mtc_gemm(0, 0, M, N, K, 1, A, K, B, N, 0, C, N, work);
    mtc_gemm(0, 0, M - 3, N, K, 1, A + 3 * K, K, B, N, 0, D, N, work);
    ASSERT(memcmp(C + 3 * N, D, (M - 3) * N * sizeof *C) == 0);
    free(A);
    free(B);
    free(C);
    free(D);
    free(work);
    PASS();
}

TEST gemm_work_is_monotone_and_bounded(void)
{
    static const size_t sizes[] = {0, 1, 2, 7, 8, 63, 64, 65, 383, 384, 385,
                                   767, 1024, 5000, SIZE_MAX / 2, SIZE_MAX};
    const size_t count = sizeof sizes / sizeof *sizes;
    size_t most = mtc_gemm_work(SIZE_MAX, SIZE_MAX, SIZE_MAX);
    ASSERT(most < (size_t)8 << 20);
    ASSERT_EQ(most, mtc_gemm_work(SIZE_MAX / 2, SIZE_MAX / 2, SIZE_MAX / 2));
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++)
            for (size_t k = 1; k < count; k++) {
                size_t x = sizes[i], y = sizes[j];
                size_t low = sizes[k - 1], high = sizes[k];
                ASSERT(mtc_gemm_work(low, x, y) <= mtc_gemm_work(high, x, y));
                ASSERT(mtc_gemm_work(x, low, y) <= mtc_gemm_work(x, high, y));
                ASSERT(mtc_gemm_work(x, y, low) <= mtc_gemm_work(x, y, high));
            }
    PASS();
}

/* ---- Cholesky and solves ----------------------------------------------- */

static const size_t orders[] = {0, 1, 2, 3, 4, 5, 8, 15, 16, 17, 31, 32, 33,
                                50, 64, 65, 96, 97, 128, 150, 200};
#define ORDERS (sizeof orders / sizeof *orders)

enum { WISHART, ILL, GRADED, STENCIL, ONES_PLUS, HUGE_WISHART, TINY_WISHART,
       DIAGONAL, DEFINITE_KINDS };

/* A [n*lda] symmetric positive definite; the room beside is left alone. */
static void fill_definite(int kind, size_t n, mtc_real *A, size_t lda,
                          uint64_t seed)
{
    double shift = kind == ILL ? (double)n * sqrt(EPS) : 1;
    double scale = kind == HUGE_WISHART ? 1e12 : kind == TINY_WISHART ? 1e-25
                                                                      : 1;
    mtc_real *X = test_reals(n * n);
    test_fill(X, n * n, seed, -1, 1);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            double a = 0, one = i == j;
            if (kind == GRADED)
                a = one * pow(EPS, .5 * (double)i / (double)n);
            else if (kind == DIAGONAL)
                a = one * (double)(1 + i % 3);
            else if (kind == STENCIL)
                a = i == j ? 2 : i == j + 1 ? -1 : 0;
            else if (kind == ONES_PLUS)
                a = 1 + one / 4;
            else
                for (size_t p = 0; p < n; p++)
                    a += (double)X[i * n + p] * (double)X[j * n + p];
            if (kind == WISHART || kind == ILL || kind >= HUGE_WISHART)
                a = scale * (a + one * shift);
            A[i * lda + j] = A[j * lda + i] = (mtc_real)a;
        }
    free(X);
}

static double norm1(size_t n, const mtc_real *A, size_t lda)
{
    double worst = 0;
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t j = 0; j < n; j++)
            sum += fabs((double)A[i * lda + j]);
        worst = greater(worst, sum);
    }
    return worst;
}

/* |A - L L'|_max / (n eps |A|); infinite unless L is lower triangular. */
static double cholesky_error(size_t n, const mtc_real *A, const mtc_real *L,
                             size_t lda)
{
    double worst = 0, norm = norm1(n, A, lda);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double sum = (double)A[i * lda + j];
            size_t last = i < j ? i : j;
            if (j > i && !(L[i * lda + j] == 0))
                return HUGE_VAL;
            for (size_t p = 0; p <= last; p++)
                sum -= (double)L[i * lda + p] * (double)L[j * lda + p];
            worst = greater(worst, fabs(sum));
        }
    return n == 0 ? 0 : worst / norm / ((double)n * EPS);
}

TEST cholesky_reconstructs_every_kind_and_size(void)
{
    for (int kind = 0; kind < DEFINITE_KINDS; kind++)
        for (size_t t = 0; t < ORDERS; t++) {
            size_t n = orders[t], lda = n + t % 2;
            mtc_real *A = test_reals(n * lda + 1);
            test_fill(A, n * lda, 1, -1, 1);
            fill_definite(kind, n, A, lda, t + 1);
            mtc_real *L = copy_of(A, n * lda);
            size_t size = mtc_gemm_work(n, n, n);
            unsigned char *work = guarded(size);
            ASSERT_EQ(MTC_OK, mtc_cholesky(n, L, lda,
                                           t % 3 == 2 ? NULL : work));
            ASSERT(cholesky_error(n, A, L, lda) < RULE);
            ASSERT(guard_holds(work, size));
            for (size_t i = 0; i < n && lda > n; i++)
                ASSERT(L[i * lda + n] == A[i * lda + n]);
            free(A);
            free(L);
            free(work);
        }
    PASS();
}

TEST cholesky_reads_the_lower_triangle_only(void)
{
    enum { N = 120 };
    mtc_real *A = test_reals(N * N), *B = test_reals(N * N);
    void *work = test_malloc(mtc_gemm_work(N, N, N));
    fill_definite(WISHART, N, A, N, 1);
    memcpy(B, A, N * N * sizeof *A);
    for (size_t i = 0; i < N; i++)
        for (size_t j = i + 1; j < N; j++)
            B[i * N + j] = 1000;
    ASSERT_EQ(MTC_OK, mtc_cholesky(N, A, N, work));
    ASSERT_EQ(MTC_OK, mtc_cholesky(N, B, N, work));
    ASSERT(memcmp(A, B, N * N * sizeof *A) == 0);
    free(A);
    free(B);
    free(work);
    PASS();
}

TEST cholesky_refuses_what_is_not_definite(void)
{
    static const size_t sizes[] = {1, 2, 5, 16, 40, 150};
    for (size_t t = 0; t < sizeof sizes / sizeof *sizes; t++)
        for (int kind = 0; kind < 5; kind++) {
            size_t n = sizes[t];
            mtc_real *A = test_reals(n * n);
            void *work = test_malloc(mtc_gemm_work(n, n, n));
            fill_definite(kind == 2 ? ONES_PLUS : WISHART, n, A, n, t);
            mtc_real *last = A + n * n - 1;
            if (kind == 0)                      /* the zero matrix */
                memset(A, 0, n * n * sizeof *A);
            else if (kind == 1)                 /* a negative pivot, last */
                *last = -*last;
            else if (kind == 2)                 /* rank 1 */
                for (size_t i = 0; i < n * n; i++)
                    A[i] = n == 1 ? 0 : 1;
            else if (kind == 3)
                *last = (mtc_real)(HUGE_VAL - HUGE_VAL);
            else
                A[0] = (mtc_real)HUGE_VAL;
            ASSERT_EQ(MTC_SINGULAR, mtc_cholesky(n, A, n,
                                                 t % 2 ? NULL : work));
            free(A);
            free(work);
        }
    PASS();
}

/* Column c of op(M) X - B in units of n eps |M| |X|; op 2: M is symmetric. */
static double solve_error(int trans, size_t n, size_t p, const mtc_real *M,
                          size_t ldm, const mtc_real *X, const mtc_real *B,
                          size_t ldb)
{
    double worst = 0, norm = 0;
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t j = 0; j < n; j++)
            sum += fabs((double)at(trans, M, ldm, i, j));
        norm = greater(norm, sum);
    }
    for (size_t c = 0; c < p; c++) {
        double error = 0, size = 0;
        for (size_t i = 0; i < n; i++) {
            double sum = -(double)B[i * ldb + c];
            for (size_t j = 0; j < n; j++)
                sum += (double)at(trans, M, ldm, i, j) *
                       (double)X[j * ldb + c];
            error = greater(error, fabs(sum));
            size = greater(size, fabs((double)X[i * ldb + c]));
        }
        worst = greater(worst, error == 0 ? 0 : error / (norm * size));
    }
    return n == 0 ? 0 : worst / ((double)n * EPS);
}

TEST triangular_and_cholesky_solves_keep_lapacks_rule(void)
{
    static const size_t columns[] = {0, 1, 2, 7, 16, 17, 40};
    for (size_t t = 0; t < ORDERS * 7; t++) {
        size_t n = orders[t % ORDERS], p = columns[t % 7];
        size_t lda = n + t % 3, ldb = p + t / 7 % 2;
        mtc_real *A = test_reals(n * lda + 1), *B = test_reals(n * ldb);
        fill_definite((int)(t % DEFINITE_KINDS), n, A, lda, t);
        test_fill(B, n * ldb, t, -1, 1);
        mtc_real *L = copy_of(A, n * lda);
        size_t size = mtc_gemm_work(n, p, n);
        unsigned char *work = guarded(size), *w = t % 4 == 3 ? NULL : work;
        ASSERT_EQ(MTC_OK, mtc_cholesky(n, L, lda, NULL));
        for (int how = 0; how < 3; how++) {
            mtc_real *X = copy_of(B, n * ldb);
            if (how < 2)
                mtc_triangular_solve(how, n, p, L, lda, X, ldb, w);
            else
                mtc_cholesky_solve(n, p, L, lda, X, ldb, w);
            ASSERT(solve_error(how == 1, n, p, how < 2 ? L : A, lda, X, B,
                               ldb) < RULE);
            for (size_t i = 0; i < n && ldb > p; i++)
                ASSERT(X[i * ldb + p] == B[i * ldb + p]);
            free(X);
        }
        ASSERT(guard_holds(work, size));
        free(A);
        free(B);
        free(L);
        free(work);
    }
    PASS();
}

TEST triangular_solve_ignores_the_upper_triangle(void)
{
    enum { N = 70, P = 20 };
    mtc_real *L = test_reals(N * N), *B = test_reals(N * P), *X[2];
    fill_definite(WISHART, N, L, N, 3);
    test_fill(B, N * P, 4, -1, 1);
    for (int trans = 0; trans < 2; trans++) {
        for (int pass = 0; pass < 2; pass++) {
            for (size_t i = 0; i < N; i++)
                for (size_t j = i + 1; j < N; j++)
                    L[i * N + j] = (mtc_real)(pass * 1000);
            X[pass] = copy_of(B, N * P);
            mtc_triangular_solve(trans, N, P, L, N, X[pass], P, NULL);
        }
        ASSERT(memcmp(X[0], X[1], N * P * sizeof **X) == 0);
        free(X[0]);
        free(X[1]);
    }
    free(L);
    free(B);
    PASS();
}

TEST solving_with_a_diagonal_divides(void)
{
    enum { N = 100, P = 19 };
    mtc_real *L = test_reals(N * N), *B = test_reals(N * P);
    memset(L, 0, N * N * sizeof *L);
    for (size_t i = 0; i < N; i++)
        L[i * N + i] = (mtc_real)(i + 1);
    for (size_t i = 0; i < N * P; i++)
        B[i] = (mtc_real)((i / P + 1) * (i % P));
    mtc_triangular_solve(0, N, P, L, N, B, P, NULL);
    for (size_t i = 0; i < N * P; i++) {
#ifdef MTC_FAST  /* by the reciprocal */
        ASSERT_IN_RANGE(i % P, B[i], 2 * TEST_EPS * (mtc_real)(i % P));
#else
        ASSERT(B[i] == (mtc_real)(i % P));
#endif
    }
    free(L);
    free(B);
    PASS();
}

/* ---- QR ---------------------------------------------------------------- */

enum { FULL, ZEROS, EQUAL_COLUMNS, ZERO_COLUMN, LOW_RANK, STEEP, SUBNORMAL,
       LARGE, WHOLE, NEARLY_EQUAL, QR_KINDS };

static void fill_any(int kind, size_t m, size_t n, mtc_real *A, size_t lda,
                     uint64_t seed)
{
    test_fill(A, m * lda, seed, -1, 1);
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++) {
            mtc_real *a = A + i * lda + j;
            if (kind == ZEROS || (kind == ZERO_COLUMN && j % 3 == 1))
                *a = 0;
            else if (kind == EQUAL_COLUMNS)
                *a = A[i * lda];
            else if (kind == NEARLY_EQUAL)
                *a = A[i * lda] + (mtc_real)(10 * EPS) * *a;
            else if (kind == LOW_RANK)
                *a = j < 3 ? *a : A[i * lda] - 2 * A[i * lda + j % 3];
            else if (kind == STEEP)
                *a *= (mtc_real)pow((double)TEST_MIN,
                                    .9 * (double)j / (double)n);
            else if (kind == SUBNORMAL)
                *a *= TEST_MIN / 64;
            else if (kind == LARGE)
                *a *= (mtc_real)sqrt((double)TEST_MAX);
            else if (kind == WHOLE)
                *a = (mtc_real)((i * j) % 5);
        }
}

/* |Q'Q - I|_max / eps. */
static double orthogonality(size_t m, size_t n, const mtc_real *Q, size_t ldq)
{
    double worst = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            double sum = i == j ? -1 : 0;
            for (size_t p = 0; p < m; p++)
                sum += (double)Q[p * ldq + i] * (double)Q[p * ldq + j];
            worst = greater(worst, fabs(sum));
        }
    return worst / EPS;
}

/* |A - Q R| by columns, in units of m eps |a_j|; the smallest number that the
 * type can tell from 0 is forgiven.  Infinite unless R is upper. */
static double qr_error(size_t m, size_t n, const mtc_real *A,
                       const mtc_real *Q, size_t lda, const mtc_real *R)
{
    double worst = 0, tiny = (double)TEST_MIN * EPS * (double)(m + n);
    for (size_t j = 0; j < n; j++) {
        double error = 0, size = 0;
        for (size_t i = 0; i < m; i++) {
            double sum = (double)A[i * lda + j];
            size = greater(size, fabs(sum));
            for (size_t p = 0; p < n; p++)
                sum -= (double)Q[i * lda + p] * (double)R[p * n + j];
            error = greater(error, fabs(sum));
        }
        worst = greater(worst, error <= tiny ? 0 : (error - tiny) / size);
        for (size_t i = j + 1; i < n; i++)
            if (!(R[i * n + j] == 0))
                return HUGE_VAL;
    }
    return m == 0 ? 0 : worst / ((double)m * EPS);
}

TEST qr_is_orthogonal_and_exact_for_every_kind_of_matrix(void)
{
    static const size_t widths[] = {0, 1, 2, 3, 8, 31, 32, 33, 65, 100};
    static const size_t extra[] = {0, 1, 7, 90};
    for (int kind = 0; kind < QR_KINDS; kind++)
        for (size_t t = 0; t < 40; t++) {
            size_t n = widths[t % 10], m = n + extra[t / 10];
            size_t lda = n + t % 2;
            mtc_real *A = test_reals(m * lda + 1), *R = test_reals(n * n);
            fill_any(kind, m, n, A, lda, t + 1);
            mtc_real *Q = copy_of(A, m * lda);
            size_t size = mtc_qr_work(m, n);
            unsigned char *work = guarded(size);
            ASSERT_EQ(MTC_OK, mtc_qr(m, n, Q, lda, R, n, work));
            ASSERT(guard_holds(work, size));
            ASSERT(orthogonality(m, n, Q, lda) <= 10 * (double)n);
            ASSERT(qr_error(m, n, A, Q, lda, R) < RULE);
            for (size_t i = 0; i < m && lda > n; i++)
                ASSERT(Q[i * lda + n] == A[i * lda + n]);
            free(A);
            free(Q);
            free(R);
            free(work);
        }
    PASS();
}

TEST qr_without_r_gives_the_same_q(void)
{
    enum { M = 60, N = 40 };
    mtc_real *A = test_reals(M * N), *R = test_reals(N * N);
    void *work = test_malloc(mtc_qr_work(M, N));
    test_fill(A, M * N, 1, -1, 1);
    mtc_real *Q = copy_of(A, M * N);
    ASSERT_EQ(MTC_OK, mtc_qr(M, N, A, N, R, N, work));
    ASSERT_EQ(MTC_OK, mtc_qr(M, N, Q, N, NULL, 0, work));
    ASSERT(memcmp(A, Q, M * N * sizeof *A) == 0);
    free(A);
    free(Q);
    free(R);
    free(work);
    PASS();
}

TEST qr_refuses_wide_matrices_and_nan(void)
{
    mtc_real A[12], before[12];
    double work[4096];
    test_fill(A, 12, 1, -1, 1);
    ASSERT(mtc_qr_work(3, 4) <= sizeof work);
    ASSERT_EQ(MTC_INVALID, mtc_qr(3, 4, A, 4, NULL, 0, work));
    for (int i = 0; i < 3; i++) {
        mtc_real old = A[5];
        A[5] = (mtc_real)(i == 0 ? HUGE_VAL : i == 1 ? -HUGE_VAL
                                            : HUGE_VAL - HUGE_VAL);
        memcpy(before, A, sizeof A);
        ASSERT_EQ(MTC_DOMAIN, mtc_qr(4, 3, A, 3, NULL, 0, work));
        ASSERT(memcmp(before, A, sizeof A) == 0);
        A[5] = old;
    }
    PASS();
}

TEST qr_work_that_cannot_be_is_size_max(void)
{
    ASSERT(mtc_qr_work(SIZE_MAX / 2, 10) == SIZE_MAX);
    ASSERT(mtc_qr_work(SIZE_MAX / 8, SIZE_MAX / 8) == SIZE_MAX);
    ASSERT(mtc_qr_work(SIZE_MAX, SIZE_MAX) == SIZE_MAX);
    PASS();
}

SUITE(linalg_suite)
{
    RUN_TEST(status_text_has_a_sentence_for_every_number);
    RUN_TEST(version_agrees_with_the_header);
    RUN_TEST(default_context_has_seed_1_and_no_error);
    RUN_TEST(arena_hands_out_aligned_blocks_that_do_not_overlap);
    RUN_TEST(arena_over_an_odd_address_begins_at_an_aligned_one);
    RUN_TEST(arena_takes_the_last_block_back_and_keeps_its_peak);
    RUN_TEST(arena_that_is_full_returns_null);
    RUN_TEST(xoshiro_gives_the_published_outputs);
    RUN_TEST(splitmix_gives_the_published_seeds);
    RUN_TEST(random_reals_fill_the_unit_interval);
    RUN_TEST(largest_random_real_is_below_1);
    RUN_TEST(random_below_is_uniform);
    RUN_TEST(random_below_handles_the_ends_of_its_range);
    RUN_TEST(random_normals_have_the_moments_of_one);
    RUN_TEST(same_seed_gives_the_same_stream);
    RUN_TEST(exp_is_within_0_6_ulp);
    RUN_TEST(exp_is_within_0_6_ulp_where_results_are_subnormal);
    RUN_TEST(log_is_within_0_7_ulp);
    RUN_TEST(tanh_is_within_2_ulp);
    RUN_TEST(exp_log_tanh_know_the_special_values);
    RUN_TEST(exp_reaches_the_ends_of_the_range);
    RUN_TEST(tanh_is_odd_and_never_above_1);
    RUN_TEST(dot_and_axpy_agree_with_plain_sums);
    RUN_TEST(dot_is_exact_on_small_whole_numbers);
    RUN_TEST(gemm_and_syrk_keep_lapacks_rule);
    RUN_TEST(gemm_crosses_its_cache_blocks_in_every_direction);
    RUN_TEST(gemm_is_exact_on_small_whole_numbers);
    RUN_TEST(gemm_does_not_depend_on_where_a_row_stands);
    RUN_TEST(gemm_work_is_monotone_and_bounded);
    RUN_TEST(cholesky_reconstructs_every_kind_and_size);
    RUN_TEST(cholesky_reads_the_lower_triangle_only);
    RUN_TEST(cholesky_refuses_what_is_not_definite);
    RUN_TEST(triangular_and_cholesky_solves_keep_lapacks_rule);
    RUN_TEST(triangular_solve_ignores_the_upper_triangle);
    RUN_TEST(solving_with_a_diagonal_divides);
    RUN_TEST(qr_is_orthogonal_and_exact_for_every_kind_of_matrix);
    RUN_TEST(qr_without_r_gives_the_same_q);
    RUN_TEST(qr_refuses_wide_matrices_and_nan);
    RUN_TEST(qr_work_that_cannot_be_is_size_max);
}
