/* SPDX-License-Identifier: MIT
 *
 * test_eigen.c - eigensolvers, spectral embedding.
 *
 * Certificates, not stored numbers: residuals and orthogonality by LAPACK's
 * rule (below 30 units of n eps |A|), traces, products and inverses that are
 * known exactly, one solver against another.  All sums here are in double.
 */
#include "greatest.h"
#include "test_util.h"

#include <math.h>

#define EPS ((double)TEST_EPS)
#define RULE 30.0                       /* LAPACK's threshold */

/* ---- matrices ---------------------------------------------------------- */

enum {
    ZERO, IDENTITY, GEOMETRIC, ARITHMETIC, CLUSTERED, RANDOM_DIAGONAL,
    TURNED_GEOMETRIC, TURNED_ARITHMETIC, TURNED_CLUSTERED, TURNED_RANDOM,
    UNIFORM, GRADED, WILKINSON, TOEPLITZ, GLUED, LARGE, TINY, RANK_ONE,
    TRIDIAGONAL, NEGATIVE, PROJECTOR, ARROW, MATRICES
};

static const size_t sizes[] = {0, 1, 2, 3, 5, 10, 16, 17, 33, 50, 64, 100};
#define SIZES (sizeof sizes / sizeof *sizes)

static double uniform(uint64_t *s)
{
    *s = *s * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*s >> 33) / 2147483648.0;
}

/* Entry i of the spectrum of a diagonal kind. */
static double spectrum(int kind, size_t n, size_t i, uint64_t *s)
{
    double t = n > 1 ? (double)i / (double)(n - 1) : 0;
    switch (kind) {
    case IDENTITY: return 1;
    case GEOMETRIC: case TURNED_GEOMETRIC: return pow(EPS, t);
    case ARITHMETIC: case TURNED_ARITHMETIC: return 1 - t * (1 - EPS);
    case CLUSTERED: case TURNED_CLUSTERED: return i == 0 ? 1 : EPS;
    case RANDOM_DIAGONAL: case TURNED_RANDOM: return 2 * uniform(s) - 1;
    case NEGATIVE: return -1 - uniform(s);
    case PROJECTOR: return i < n / 2 ? 1 : 0;
    default: return 0;
    }
}

/* A <- HAH with H = I - 2vv'/v'v, v random. */
static void reflect(size_t n, double *A, uint64_t *s)
{
    double *v = (double *)test_malloc(2 * n * sizeof *v), *p = v + n;
    double vv = 0, vp = 0;
    for (size_t i = 0; i < n; i++) {
        v[i] = uniform(s) - .5;
        vv += v[i] * v[i];
    }
    for (size_t i = 0; i < n; i++) {
        p[i] = 0;
        for (size_t j = 0; j < n; j++)
            p[i] += 2 / vv * A[i * n + j] * v[j];
        vp += p[i] * v[i] / vv;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            A[i * n + j] -= v[i] * (p[j] - vp * v[j]) +
                            (p[i] - vp * v[i]) * v[j];
    free(v);
}

/* Entry (i,j), j <= i, of a kind that is not a turned diagonal. */
static double entry(int kind, size_t n, size_t i, size_t j, uint64_t *s)
{
    double u = 2 * uniform(s) - 1;
    switch (kind) {
    case UNIFORM: return u;
    case LARGE: return u * sqrt(sqrt((double)TEST_MAX)) *
                       sqrt((double)TEST_MAX);
    case TINY: return u * sqrt((double)TEST_MIN) *
                      sqrt(sqrt((double)TEST_MIN));
    case GRADED: return (u + (i == j ? 2 : 0)) *
                        pow(2, -0.5 * (double)(i % 40 + j % 40));
    case WILKINSON: return i == j ? fabs((double)i - (double)(n / 2))
                                  : i == j + 1;
    case GLUED: return i == j ? fabs((double)(i % 21) - 10)
                     : i == j + 1 ? (i % 21 == 0 ? sqrt(EPS) : 1) : 0;
    case TOEPLITZ: return i == j ? 2 : i == j + 1 ? -1 : 0;
    case RANK_ONE: return 1 / ((double)(i + 1) * (double)(j + 1));
    case TRIDIAGONAL: return i <= j + 1 ? u : 0;
    case ARROW: return i == j || j > 0 ? 0 : 1;
    default: return 0;
    }
}

/* The lower triangle and its mirror image. */
static void matrix(int kind, size_t n, mtc_real *A)
{
    uint64_t s = (uint64_t)kind * 1000 + n;
    double *D = (double *)test_malloc(n * n * sizeof *D);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            D[i * n + j] = i == j ? spectrum(kind, n, i, &s) : 0;
    int turned = (kind >= TURNED_GEOMETRIC && kind <= TURNED_RANDOM) ||
                 kind == NEGATIVE || kind == PROJECTOR;
    for (int k = 0; turned && n > 0 && k < 3; k++)
        reflect(n, D, &s);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            double a = D[i * n + j];
            if (kind >= UNIFORM && kind != NEGATIVE && kind != PROJECTOR)
                a = entry(kind, n, i, j, &s);
            A[i * n + j] = A[j * n + i] = (mtc_real)a;
        }
    free(D);
}

/* ---- certificates ------------------------------------------------------ */

static double norm_of(size_t n, const mtc_real *A)
{
    double norm = 0;
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t j = 0; j < n; j++)
            sum += fabs((double)A[i * n + j]);
        norm = sum > norm ? sum : norm;
    }
    return norm;
}

/* |AV - VW| / (n eps |A|), V [n*ldv] of k columns. */
static double residual_of(size_t n, size_t k, const mtc_real *A,
                          const mtc_real *w, const mtc_real *V, size_t ldv)
{
    double worst = 0, norm = norm_of(n, A);
    double *row = (double *)test_malloc(k * sizeof *row);
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t j = 0; j < k; j++)
            row[j] = -(double)w[j] * (double)V[i * ldv + j];
        for (size_t t = 0; t < n; t++)
            for (size_t j = 0; j < k; j++)
                row[j] += (double)A[i * n + t] * (double)V[t * ldv + j];
        for (size_t j = 0; j < k; j++)
            sum += fabs(row[j]);
        worst = !(sum <= worst) ? sum : worst;
    }
    free(row);
    return worst != 0 ? worst / norm / ((double)n * EPS) : 0;
}

/* |V'V - I| / (n eps). */
static double defect_of(size_t n, size_t k, const mtc_real *V, size_t ldv)
{
    double worst = 0;
    double *G = (double *)test_malloc(k * k * sizeof *G);
    for (size_t i = 0; i < k * k; i++)
        G[i] = i % (k + 1) == 0 ? -1 : 0;
    for (size_t t = 0; t < n; t++)
        for (size_t i = 0; i < k; i++)
            for (size_t j = 0; j < k; j++)
                G[i * k + j] += (double)V[t * ldv + i] *
                                (double)V[t * ldv + j];
    for (size_t i = 0; i < k; i++) {
        double sum = 0;
        for (size_t j = 0; j < k; j++)
            sum += fabs(G[i * k + j]);
        worst = !(sum <= worst) ? sum : worst;
    }
    free(G);
    return worst != 0 ? worst / ((double)n * EPS) : 0;
}

static int ascends(size_t n, const mtc_real *w)
{
    for (size_t i = 1; i < n; i++)
        if (!(w[i - 1] <= w[i]))
            return 0;
    return 1;
}

/* Largest entry of each column positive, the first of equals. */
static int signed_right(size_t n, size_t k, const mtc_real *V, size_t ldv)
{
    for (size_t j = 0; j < k; j++) {
        double top = 0;
        for (size_t i = 0; i < n; i++)
            if (fabs((double)V[i * ldv + j]) > fabs(top))
                top = (double)V[i * ldv + j];
        if (top < 0)
            return 0;
    }
    return 1;
}

typedef enum { JACOBI, SYMEIG, RANGE } solver;

/* A context over exactly as many bytes as one that measures was told. */
static mtc_arena arena;

static mtc_context exactly(size_t bytes)
{
    arena = mtc_arena_over(test_malloc(bytes), bytes);
    return mtc_arena_context(&arena);
}

static mtc_status run(mtc_context *ctx, solver which, size_t n, mtc_real *B,
                      size_t first, size_t count, mtc_real *w, mtc_real *V)
{
    return which == SYMEIG
               ? mtc_symeig(ctx, n, B, n, w, V, n)
               : mtc_symeig_range(ctx, n, B, n, first, count, w, V, count);
}

/* Solves a copy of A with memory of exactly the asked size. */
static mtc_status solve(solver which, size_t n, const mtc_real *A,
                        size_t first, size_t count, mtc_real *w, mtc_real *V)
{
    mtc_real *B = test_reals(n * n);
    mtc_status s;
    memcpy(B, A, n * n * sizeof *B);
    for (size_t i = 0; i < n; i++)      /* the upper triangle is not read */
        for (size_t j = i + 1; j < n; j++)
            B[i * n + j] = (mtc_real)NAN;
    if (which == JACOBI) {
        void *work = test_malloc(mtc_jacobi_work(n));
        s = mtc_jacobi(n, B, n, w, V, n, work);
        free(work);
    } else {
        mtc_context ask = mtc_measure();
        s = run(&ask, which, n, B, first, count, w, V);
        if (s == MTC_NO_MEMORY) {
            mtc_context ctx = exactly(ask.need);
            s = run(&ctx, which, n, B, first, count, w, V);
            free(arena.base);
        }
    }
    free(B);
    return s;
}

/* NULL, or what is wrong with the solver's answer. */
static const char *verdict(solver which, size_t n, const mtc_real *A,
                           size_t first, size_t count)
{
    mtc_real *w = test_reals(n), *V = test_reals(n * n), *u = test_reals(n);
    size_t ldv = which == RANGE ? count : n;
    const char *bad = NULL;
    if (solve(which, n, A, first, count, w, V) != MTC_OK)
        bad = "status";
    else if (!ascends(count, w))
        bad = "order of the values";
    else if (!(residual_of(n, count, A, w, V, ldv) < RULE))
        bad = "residual";
    else if (!(defect_of(n, count, V, ldv) < RULE))
        bad = "orthogonality";
    else if (!signed_right(n, count, V, ldv))
        bad = "signs";
    else if (solve(which, n, A, first, count, u, NULL) != MTC_OK)
        bad = "status without vectors";
    for (size_t i = 0; bad == NULL && i < count; i++)
        if (!(fabs((double)u[i] - (double)w[i]) <=
              RULE * (double)n * EPS * norm_of(n, A)))
            bad = "values without vectors differ";
    free(w);
    free(V);
    free(u);
    return bad;
}

/* ---- the three solvers ------------------------------------------------- */

TEST solver_passes_lapacks_rule(int which)
{
    static char message[120];
    for (int kind = 0; kind < MATRICES; kind++)
        for (size_t t = 0; t < SIZES; t++) {
            size_t n = sizes[t];
            if (which == JACOBI && n > 50)
                break;
            mtc_real *A = test_reals(n * n);
            matrix(kind, n, A);
            size_t count = which == RANGE ? n / 8 : n;
            const char *bad = verdict((solver)which, n, A, 0, count);
            if (bad == NULL && which == RANGE)      /* from above, and all */
                bad = verdict(RANGE, n, A, n - count, count);
            if (bad == NULL && which == RANGE && n < 40)
                bad = verdict(RANGE, n, A, n / 3, n / 2);
            free(A);
            snprintf(message, sizeof message, "matrix %d, n %lu: %s", kind,
                     (unsigned long)n, bad != NULL ? bad : "");
            ASSERTm(message, bad == NULL);
        }
    PASS();
}

TEST larger_matrices_pass_too(void)
{
    static const int kinds[] = {UNIFORM, TURNED_CLUSTERED, GLUED, TOEPLITZ,
                                PROJECTOR, IDENTITY};
    static const size_t large[] = {129, 200};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (size_t t = 0; t < 2; t++) {
            size_t n = large[t];
            mtc_real *A = test_reals(n * n);
            matrix(kinds[k], n, A);
            const char *all = verdict(SYMEIG, n, A, 0, n);
            const char *top = verdict(RANGE, n, A, n - 16, 16);
            const char *mid = verdict(RANGE, n, A, n / 3, n / 7);
            free(A);
            ASSERTm(all, all == NULL);
            ASSERTm(top, top == NULL);
            ASSERTm(mid, mid == NULL);
        }
    PASS();
}

/* A diagonal block, a few dense rows, random sizes: their secular equations
 * have roots of every kind, some of which a careless iteration runs past. */
TEST every_secular_root_is_found(void)
{
    uint64_t s = 5;
    for (int round = 0; round < 300; round++) {
        size_t n = 33 + (size_t)(uniform(&s) * 30);
        size_t p = (size_t)(uniform(&s) * (double)n);
        mtc_real *A = test_reals(n * n);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j <= i; j++) {
                double u = uniform(&s) - .5, small = i < p + 8 ? .3 * u : 0;
                A[i * n + j] = A[j * n + i] = (mtc_real)(
                    j >= p ? u : i >= p ? small
                    : i == j ? -.1 * (double)i : 0);
            }
        const char *bad = verdict(SYMEIG, n, A, 0, n);
        free(A);
        ASSERTm(bad, bad == NULL);
    }
    PASS();
}

TEST three_solvers_agree_on_the_values(void)
{
    for (int kind = 0; kind < MATRICES; kind++) {
        size_t n = 48, k = 8;
        mtc_real *A = test_reals(n * n), *a = test_reals(n), *b = test_reals(n);
        mtc_real *c = test_reals(n);
        matrix(kind, n, A);
        double tolerance = RULE * (double)n * EPS * norm_of(n, A);
        ASSERT_EQ(MTC_OK, solve(JACOBI, n, A, 0, n, a, NULL));
        ASSERT_EQ(MTC_OK, solve(SYMEIG, n, A, 0, n, b, NULL));
        for (size_t first = 0; first < n; first += k)
            ASSERT_EQ(MTC_OK, solve(RANGE, n, A, first, k, c + first, NULL));
        for (size_t i = 0; i < n; i++) {
            ASSERT(fabs((double)a[i] - (double)b[i]) <= tolerance);
            ASSERT(fabs((double)a[i] - (double)c[i]) <= tolerance);
        }
        free(A);
        free(a);
        free(b);
        free(c);
    }
    PASS();
}

TEST known_spectra_are_found(void)
{
    size_t n = 60;
    mtc_real *A = test_reals(n * n), *w = test_reals(n);
    matrix(TOEPLITZ, n, A);             /* 2 - 2 cos(k pi / (n+1)) */
    ASSERT_EQ(MTC_OK, solve(SYMEIG, n, A, 0, n, w, NULL));
    for (size_t k = 1; k <= n; k++) {
        double half = sin((double)k * 3.14159265358979323846 / 2 /
                          (double)(n + 1));
        ASSERT(fabs((double)w[k - 1] - 4 * half * half) < 100 * EPS * 4);
    }
    matrix(RANK_ONE, n, A);             /* sum 1/i^2, and zeros */
    double sum = 0;
    for (size_t i = 1; i <= n; i++)
        sum += 1 / ((double)i * (double)i);
    ASSERT_EQ(MTC_OK, solve(SYMEIG, n, A, 0, n, w, NULL));
    ASSERT(fabs((double)w[n - 1] - sum) < 100 * EPS);
    ASSERT(fabs((double)w[n - 2]) < 100 * EPS);
    ASSERT(fabs((double)w[0]) < 100 * EPS);
    free(A);
    free(w);
    PASS();
}

TEST trace_and_frobenius_norm_are_kept(void)
{
    for (int which = JACOBI; which <= SYMEIG; which++) {
        size_t n = 70;
        mtc_real *A = test_reals(n * n), *w = test_reals(n);
        double trace = 0, square = 0;
        matrix(UNIFORM, n, A);
        ASSERT_EQ(MTC_OK, solve((solver)which, n, A, 0, n, w, NULL));
        for (size_t i = 0; i < n; i++) {
            trace += (double)A[i * n + i] - (double)w[i];
            square -= (double)w[i] * (double)w[i];
        }
        for (size_t i = 0; i < n * n; i++)
            square += (double)A[i] * (double)A[i];
        ASSERT(fabs(trace) < RULE * (double)n * EPS * norm_of(n, A));
        ASSERT(fabs(square) < RULE * (double)n * EPS * norm_of(n, A) *
                                  norm_of(n, A));
        free(A);
        free(w);
    }
    PASS();
}

/* A = DBD with B = I + c 11', D from 1 to 2^-3n: the inverse is written down,
 * its eigenvalues are the reciprocals, and det A = prod d^2 (1 + cn).  Each
 * holds to a relative error only if the smallest eigenvalues do. */
TEST jacobi_is_accurate_on_graded_matrices(void)
{
    enum { N = 10 };
    mtc_real A[N * N], B[N * N], w[N], u[N];
    double c = 0.25, logarithm = log2(1 + c * N);
    for (int i = 0; i < N; i++) {
        logarithm -= 6 * i;
        for (int j = 0; j < N; j++) {
            double d = pow(2, -3 * (i + j)), same = i == j;
            A[i * N + j] = (mtc_real)(d * (same + c));
            B[i * N + j] = (mtc_real)((same - c / (1 + c * N)) / d);
        }
    }
    ASSERT_EQ(MTC_OK, solve(JACOBI, N, A, 0, N, w, NULL));
    ASSERT_EQ(MTC_OK, solve(JACOBI, N, B, 0, N, u, NULL));
    for (int i = 0; i < N; i++) {
        ASSERT(w[i] > 0);
        ASSERT(fabs((double)w[i] * (double)u[N - 1 - i] - 1) < 100 * EPS);
        logarithm -= log2((double)w[i]);
    }
    ASSERT(fabs(logarithm) < 200 * EPS);
    PASS();
}

TEST strides_are_respected(void)
{
    enum { N = 23, LDA = 27, LDV = 25 };
    mtc_real A[N * N], B[N * LDA], V[N * LDV], w[N], U[N * N], u[N];
    matrix(UNIFORM, N, A);
    for (int i = 0; i < N * LDA; i++)
        B[i] = i % LDA < N ? A[i / LDA * N + i % LDA] : 77;
    for (int i = 0; i < N * LDV; i++)
        V[i] = 77;
    ASSERT_EQ(MTC_OK, mtc_symeig(NULL, N, B, LDA, w, V, LDV));
    ASSERT_EQ(MTC_OK, solve(SYMEIG, N, A, 0, N, u, U));
    for (int i = 0; i < N * LDA; i++)
        ASSERT(i % LDA < N || B[i] == 77);
    for (int i = 0; i < N * LDV; i++)
        ASSERT(V[i] == (i % LDV < N ? U[i / LDV * N + i % LDV] : 77));
    ASSERT(memcmp(w, u, sizeof w) == 0);
    PASS();
}

TEST values_that_are_not_numbers_are_refused(void)
{
    enum { N = 40 };
    static mtc_real A[N * N];
    for (int which = JACOBI; which <= RANGE; which++)
        for (int bad = 0; bad < 2; bad++) {
            mtc_real w[N], V[N * N];
            for (int i = 0; i < N; i++)
                w[i] = V[i * N] = 5;
            matrix(UNIFORM, N, A);
            A[33 * N + 7] = (mtc_real)(bad ? NAN : -INFINITY);
            ASSERT_EQ(MTC_DOMAIN, solve((solver)which, N, A, 2, 4, w, V));
            for (int i = 0; i < N; i++)
                ASSERT(w[i] == 5 && V[i * N] == 5);
        }
    PASS();
}

TEST range_beyond_the_end_is_refused(void)
{
    mtc_real A[9] = {1, 0, 0, 0, 2, 0, 0, 0, 3}, w[3];
    ASSERT_EQ(MTC_INVALID, solve(RANGE, 3, A, 2, 2, w, NULL));
    ASSERT_EQ(MTC_INVALID, solve(RANGE, 3, A, 4, 0, w, NULL));
    ASSERT_EQ(MTC_INVALID,
              mtc_symeig_range(NULL, 3, A, 3, SIZE_MAX, 2, w, NULL, 3));
    mtc_context ctx = mtc_context_defaults();
    ASSERT_EQ(MTC_INVALID,
              mtc_symeig_range(&ctx, 3, A, 3, 1, 3, w, NULL, 3));
    ASSERT_STR_EQ("count", ctx.error.what);
    ASSERT_EQ(MTC_OK, solve(RANGE, 3, A, 3, 0, w, NULL));
    ASSERT_EQ(MTC_OK, solve(RANGE, 3, A, 1, 2, w, NULL));
    ASSERT(w[0] == 2 && w[1] == 3);
    PASS();
}

/* ---- operators --------------------------------------------------------- */

/* A symmetric matrix, or only its diagonal, as an operator. */
typedef struct operand {
    const mtc_real *A, *diagonal;
    size_t calls, widest, fail_at;
} operand;

static mtc_status apply(void *user, size_t n, size_t p, const mtc_real *V,
                        mtc_real *AV)
{
    operand *o = (operand *)user;
    o->calls++;
    o->widest = p > o->widest ? p : o->widest;
    if (o->fail_at != 0 && o->calls == o->fail_at)
        return MTC_SINGULAR;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < p; j++)
            AV[i * p + j] = o->A != NULL ? 0 : o->diagonal[i] * V[i * p + j];
    for (size_t i = 0; o->A != NULL && i < n; i++)
        for (size_t t = 0; t < n; t++)
            for (size_t j = 0; j < p; j++)
                AV[i * p + j] += o->A[i * n + t] * V[t * p + j];
    return MTC_OK;
}

TEST impossible_sizes_are_told(void)
{
    mtc_context ctx = mtc_context_defaults();
    const size_t n = SIZE_MAX / 2;
    mtc_real x[1] = {0};
    ASSERT(mtc_jacobi_work(n) == SIZE_MAX);
    ASSERT_EQ(MTC_TOO_BIG, mtc_symeig(&ctx, n, x, n, x, NULL, 0));
    ASSERT_EQ(MTC_TOO_BIG, mtc_eigen_operator(&ctx, n, apply, NULL, 5, 0, 0, x,
                                              x, 5, NULL));
    PASS();
}

/* Bad arguments are reported before memory is taken. */
TEST arguments_are_checked_before_memory(void)
{
    mtc_real A[4] = {1, 0, 0, 1}, w[2], V[4];
    mtc_data S = mtc_dense(2, 2, A), wide = mtc_dense(1, 2, A);
    mtc_context ask = mtc_measure(), ctx = test_context();
    ASSERT_EQ(MTC_NO_MEMORY, mtc_symeig(&ask, 2, A, 2, w, V, 2));
    ASSERT(ask.need > 0);
    ASSERT_EQ(MTC_INVALID, mtc_symeig(&ask, 2, NULL, 2, w, V, 2));
    ASSERT_EQ(0, ask.need);
    ASSERT_EQ(MTC_INVALID, mtc_symeig(&ask, 2, A, 1, w, V, 2));
    ASSERT_EQ(MTC_INVALID, mtc_symeig(&ask, 2, A, 2, NULL, V, 2));
    ASSERT_EQ(MTC_INVALID, mtc_symeig_range(&ask, 2, A, 2, 0, 2, w, V, 1));
    ASSERT_EQ(MTC_INVALID, mtc_eigen_operator(&ask, 2, NULL, NULL, 1, 0, 0, w,
                                              V, 1, NULL));
    ASSERT_EQ(MTC_NO_MEMORY, mtc_spectral(&ask, &S, 2, V, w));
    ASSERT(ask.need > 0);
    ASSERT_EQ(MTC_NO_MEMORY, mtc_spectral(&ask, &S, 2, NULL, NULL));
    ASSERT(ask.need > 0);
    ASSERT_EQ(MTC_NO_MEMORY, mtc_spectral(&ask, &S, 0, NULL, NULL));
    ASSERT_EQ(MTC_INVALID, mtc_spectral(&ctx, &S, 2, NULL, w));
    ASSERT_EQ(MTC_INVALID, mtc_spectral(&ctx, &S, 2, V, NULL));
    ASSERT_EQ(MTC_INVALID, mtc_spectral(&ask, &S, 3, V, w));
    ASSERT_EQ(MTC_INVALID, mtc_spectral(&ask, &wide, 1, V, w));
    ASSERT_EQ(0, ask.need);
    PASS();
}

static mtc_status top(mtc_context *ctx, operand *o, size_t n, size_t count,
                      size_t applications, mtc_real *w, mtc_real *V,
                      mtc_real *residual)
{
    return mtc_eigen_operator(ctx, n, apply, o, count, 0, applications, w, V,
                              count, residual);
}

/* A_ij = min(i,j), i and j from 1: its inverse is the second difference with
 * a free end, so lambda_k = 1 / (4 sin^2((2k-1) pi / (4n+2))).  The rows are
 * longer than the reduction takes at a time. */
TEST symeig_of_the_matrix_of_minima(void)
{
    enum { N = 530, K = 3 };
    mtc_real *A = test_reals(N * N), w[K];
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++)
            A[i * N + j] = (mtc_real)(1 + (i < j ? i : j));
    ASSERT_EQ(NULL, verdict(RANGE, N, A, N - K, K));
    ASSERT_EQ(MTC_OK, solve(RANGE, N, A, N - K, K, w, NULL));
    for (int k = 1; k <= K; k++) {
        double s = sin((2 * k - 1) * 3.14159265358979323846 / (4 * N + 2));
        ASSERT_IN_RANGE(1 / (4 * s * s), (double)w[K - k],
                        RULE * EPS * norm_of(N, A));
    }
    free(A);
    PASS();
}

TEST operator_finds_what_the_matrix_has(void)
{
    static const size_t ns[] = {1, 2, 5, 30, 60, 250};
    for (size_t t = 0; t < sizeof ns / sizeof *ns; t++)
        for (size_t count = 1; count <= 9 && count <= ns[t]; count += 4) {
            size_t n = ns[t];
            mtc_real *A = test_reals(n * n), *w = test_reals(count);
            mtc_real *u = test_reals(n);
            mtc_real *V = test_reals(n * count), residual = 99;
            operand o = {A, NULL, 0, 0, 0};
            matrix(UNIFORM, n, A);
            ASSERT_EQ(MTC_OK, top(NULL, &o, n, count, 0, w, V, &residual));
            ASSERT_EQ(MTC_OK, solve(SYMEIG, n, A, 0, n, u, NULL));
            double norm = norm_of(n, A);
            for (size_t j = 0; j < count; j++)
                ASSERT(fabs((double)w[j] - (double)u[n - 1 - j]) <
                       1e3 * EPS * norm);
            ASSERT(residual <= 1000 * TEST_EPS);
            ASSERT((double)n * EPS * residual_of(n, count, A, w, V, count) <
                   1e4 * EPS);
            ASSERT(defect_of(n, count, V, count) < RULE);
            ASSERT(signed_right(n, count, V, count));
            ASSERT(o.widest <= count + 8);
            free(A);
            free(w);
            free(u);
            free(V);
        }
    PASS();
}

/* The eigenvalue 1, twelve times among 400, then a gap; all twelve come. */
TEST operator_finds_every_copy_of_a_value(void)
{
    enum { N = 400, K = 12 };
    static mtc_real d[N], V[N * K];
    mtc_real w[K], residual;
    test_fill(d, N, 3, -.5, .9);
    for (int i = 0; i < K; i++)
        d[(37 * i + 5) % N] = 1;
    operand o = {NULL, d, 0, 0, 0};
    ASSERT_EQ(MTC_OK, top(NULL, &o, N, K, 0, w, V, &residual));
    for (int j = 0; j < K; j++)
        ASSERT(fabs((double)w[j] - 1) < 1e3 * EPS);
    ASSERT(defect_of(N, K, V, K) < RULE);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < K; j++)
            ASSERT(d[i] == 1 || fabs((double)V[i * K + j]) < 2e4 * EPS);
    PASS();
}

/* NULL, or what is wrong with the `count` pairs that were found of an operator
 * whose values, descending, are `truth`: each pair's own residual, and that no
 * value is missing. */
static const char *judge_pairs(mtc_operator times, void *user, size_t n,
                               const double *truth, size_t count,
                               const mtc_real *w, const mtc_real *V)
{
    double scale = fabs(truth[0]) > fabs(truth[n - 1]) ? fabs(truth[0])
                                                       : fabs(truth[n - 1]);
    double bound = 1000 * EPS * scale;
    mtc_real *AV = test_reals(n * count);
    const char *bad = NULL;
    times(user, n, count, V, AV);
    for (size_t j = 0; j < count; j++) {
        double square = 0;
        for (size_t e = j; e < n * count; e += count) {
            double r = (double)AV[e] - (double)w[j] * (double)V[e];
            square += r * r;
        }
        if (!(sqrt(square) <= bound))
            bad = "residual";
        if (!(fabs((double)w[j] - truth[j]) <= bound))
            bad = "a pair is missing";
    }
    if (!(defect_of(n, count, V, count) < RULE))
        bad = "orthogonality";
    free(AV);
    return bad;
}

static int descending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? 1 : x > y ? -1 : 0;
}

/* A diagonal operator, solved and judged. */
static const char *diagonal_verdict(mtc_context *ctx, size_t n,
                                    const mtc_real *d, size_t count)
{
    operand o = {NULL, d, 0, 0, 0};
    double *truth = (double *)test_malloc(n * sizeof *truth);
    mtc_real *w = test_reals(count), *V = test_reals(n * count);
    const char *bad = "status";
    for (size_t i = 0; i < n; i++)
        truth[i] = (double)d[i];
    qsort(truth, n, sizeof *truth, descending);
    if (top(ctx, &o, n, count, 0, w, V, NULL) == MTC_OK)
        bad = o.widest <= count + 8
            ? judge_pairs(apply, &o, n, truth, count, w, V) : "width";
    free(truth);
    free(w);
    free(V);
    return bad;
}

/* Values that are repeated in runs of up to eleven, in a random order, at
 * distances from 1 down to 1e-3.  -DOPERATORS=2000 tries more of them. */
#ifndef OPERATORS
#define OPERATORS 30
#endif

TEST operators_with_repeated_values_lose_no_pair(void)
{
    enum { MOST = 400 };
    static mtc_real d[MOST];
    uint64_t s = 7;
    mtc_context ctx = test_context();
    for (int round = 0; round < OPERATORS; round++) {
        size_t n = 150 + (size_t)(uniform(&s) * (MOST - 150));
        size_t count = 1 + (size_t)(uniform(&s) * 13);
        double value = 1, step = pow(10, -3 * uniform(&s));
        double share = uniform(&s);                     /* of repeated ones */
        for (size_t i = 0; i < n; value -= step * uniform(&s)) {
            size_t copies = 1;
            if (uniform(&s) < share)
                copies += (size_t)(uniform(&s) * 11);
            for (; copies > 0 && i < n; copies--)
                d[i++] = (mtc_real)value;
        }
        ctx.seed = (uint64_t)round;
        const char *bad = diagonal_verdict(&ctx, n, d, count);
        ASSERTm(bad, bad == NULL);
    }
    PASS();
}

TEST eleven_equal_values_are_all_found(void)
{
    enum { N = 800, K = 11 };
    static mtc_real d[N];
    mtc_context ctx = test_context();
    for (int i = 0; i < N; i++)
        d[i] = (mtc_real)(i < K ? 1 : .99 * (1 - (double)i / N));
    for (ctx.seed = 1; ctx.seed <= 3; ctx.seed++)
        for (size_t count = 5; count <= K; count += 6) {
            const char *bad = diagonal_verdict(&ctx, N, d, count);
            ASSERTm(bad, bad == NULL);
        }
    PASS();
}

/* The adjacency of c circulant graphs of m vertices, each joined to those at 1
 * and at 7 places from it: 2 cos(t) + 2 cos(7 t), t = 2 pi j / m, c times. */
typedef struct circulants {
    size_t m;
} circulants;

static mtc_status circulants_times(void *user, size_t n, size_t p,
                                   const mtc_real *V, mtc_real *AV)
{
    size_t m = ((const circulants *)user)->m;
    for (size_t i = 0; i < n; i++) {
        size_t at = i / m * m;
        for (size_t j = 0; j < p; j++)
            AV[i * p + j] = V[(at + (i + 1) % m) * p + j] +
                            V[(at + (i + m - 1) % m) * p + j] +
                            V[(at + (i + 7) % m) * p + j] +
                            V[(at + (i + 7 * m - 7) % m) * p + j];
    }
    return MTC_OK;
}

/* One largest pair for each piece; as many as there are pieces are asked for,
 * and fewer, and more. */
TEST graphs_in_pieces_lose_no_pair(void)
{
    enum { MOST = 420 };
    static double truth[MOST];
    static mtc_real V[MOST * (40 + 3)];
    mtc_real w[40 + 3];
    for (size_t c = 1; c <= 40; c += c < 6 ? 1 : 7) {
        circulants graph = {MOST / c};
        size_t n = c * graph.m;
        for (size_t i = 0; i < n; i++) {
            double t = 2 * 3.14159265358979323846 * (double)(i % graph.m) /
                       (double)graph.m;
            truth[i] = 2 * cos(t) + 2 * cos(7 * t);
        }
        qsort(truth, n, sizeof *truth, descending);
        for (size_t count = (c + 1) / 2; count <= c + 3; count += c / 2 + 1) {
            ASSERT_EQ(MTC_OK, mtc_eigen_operator(NULL, n, circulants_times,
                                                 &graph, count, 0, 0, w, V,
                                                 count, NULL));
            const char *bad = judge_pairs(circulants_times, &graph, n, truth,
                                          count, w, V);
            ASSERTm(bad, bad == NULL);
        }
    }
    PASS();
}

TEST operator_of_zeros_has_zeros(void)
{
    enum { N = 200, K = 3 };
    static mtc_real d[N], V[N * K];
    mtc_real w[K], residual = 9;
    operand o = {NULL, d, 0, 0, 0};
    ASSERT_EQ(MTC_OK, top(NULL, &o, N, K, 0, w, V, &residual));
    ASSERT(residual == 0);
    for (int j = 0; j < K; j++)
        ASSERT(w[j] == 0);
    ASSERT(defect_of(N, K, V, K) < RULE);
    PASS();
}

/* A times a power of two has the same vectors, and the residual is beside |A|:
 * nothing may vanish or overflow on the way. */
TEST operator_has_no_unit(void)
{
    enum { N = 300, K = 4 };
    static mtc_real d[N], e[N], V[N * K], U[N * K];
    const int power = sizeof(mtc_real) == 8 ? 600 : 85;
    mtc_real w[K], u[K], told, residual;
    operand one = {NULL, d, 0, 0, 0}, other = {NULL, e, 0, 0, 0};
    test_fill(d, N, 4, 0, 1);
    ASSERT_EQ(MTC_OK, top(NULL, &one, N, K, 0, w, V, &residual));
    for (int sign = -1; sign <= 1; sign += 2) {
        mtc_real unit = (mtc_real)ldexp(1, sign * power);
        for (int i = 0; i < N; i++)
            e[i] = d[i] * unit;
        ASSERT_EQ(MTC_OK, top(NULL, &other, N, K, 0, u, U, &told));
        ASSERT_MEM_EQ(V, U, sizeof V);
        ASSERT(told == residual);
        for (int j = 0; j < K; j++)
            ASSERT(u[j] == w[j] * unit);
    }
    PASS();
}

static int stop_at_three(void *user, const char *stage, size_t done,
                         size_t total)
{
    (void)user;
    (void)stage;
    (void)total;
    return done == 3;
}

TEST operator_keeps_its_bounds(void)
{
    enum { N = 300, K = 4 };
    static mtc_real d[N], V[N * K];
    mtc_real w[K] = {7, 7, 7, 7}, residual = 9;
    test_fill(d, N, 4, 0, 1);
    operand o = {NULL, d, 0, 0, 2};
    mtc_context ctx = mtc_context_defaults();
    ctx.error.what = "an earlier call's";
    ASSERT_EQ(MTC_SINGULAR, top(&ctx, &o, N, K, 0, w, V, &residual));
    ASSERT_STR_EQ("operator", ctx.error.what);      /* it said no more */
    o.fail_at = 0;
    ctx.progress = stop_at_three;
    ASSERT_EQ(MTC_CANCELLED, top(&ctx, &o, N, K, 0, w, V, &residual));
    ASSERT(strcmp("operator", ctx.error.what) != 0);
    ASSERT_EQ(MTC_INVALID, mtc_eigen_operator(&ctx, 3, apply, &o, 4, 0, 0, w,
                                              V, K, &residual));
    ASSERT(w[0] == 7 && V[0] == 0 && residual == 9);
    o.calls = 0;
    ASSERT_EQ(MTC_OK, top(NULL, &o, N, K, 2, w, V, &residual));
    ASSERT_EQ(2, o.calls);
    ASSERT(residual > 1000 * TEST_EPS);     /* and says so */
    ASSERT(defect_of(N, K, V, K) < RULE);
    PASS();
}

/* Who does not ask for the residual has no other way to learn of it. */
TEST operator_without_a_residual_says_that_it_ended_early(void)
{
    enum { N = 400, K = 20 };
    static mtc_real d[N], V[N * K];
    mtc_real w[K] = {7}, residual;
    operand o = {NULL, d, 0, 0, 0};
    mtc_context ctx = test_context();
    test_fill(d, N, 4, 0, 1);
    ASSERT_EQ(MTC_LIMIT, top(&ctx, &o, N, K, 1, w, V, NULL));
    ASSERT_STR_EQ("operator", ctx.error.what);
    ASSERT(w[0] == 7 && V[0] == 0);
    ASSERT(o.calls <= 1 + 8);
    o.calls = 0;
    ASSERT_EQ(MTC_OK, top(&ctx, &o, N, K, 0, w, V, &residual));
    ASSERT(residual <= 1000 * TEST_EPS);
    /* Some calls less, and the check has not ended: the next pair counts. */
    size_t few = o.calls - 20;
    ASSERT_EQ(MTC_OK, top(&ctx, &o, N, K, few, w, V, &residual));
    ASSERT(residual > 1000 * TEST_EPS);
    ASSERT_EQ(MTC_LIMIT, top(&ctx, &o, N, K, few, w, V, NULL));
    PASS();
}

/* ---- spectral embedding ------------------------------------------------ */

/* Cliques of five in a row: joined = the weight between neighbors. */
static void cliques(size_t n, double joined, mtc_real *S)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            S[i * n + j] = (mtc_real)(
                i == j ? 0 : i / 5 == j / 5 ? 1
                : (i == j + 1 || j == i + 1) ? joined : 0);
}

static mtc_status embed(mtc_context *ctx, const mtc_data *S, size_t k,
                        mtc_real *U, mtc_real *values)
{
    return mtc_spectral(ctx, S, k, U, values);
}

TEST pieces_of_a_graph_have_value_one(void)
{
    enum { N = 16, K = 4 };             /* three cliques, one lonely vertex */
    mtc_real S[N * N], values[N * N], U[N * K], w[K];
    size_t row[N + 1];
    uint32_t column[N * N];
    cliques(N, 0, S);
    mtc_data dense = mtc_dense(N, N, S);
    test_sparse(N, N, S, row, column, values);
    mtc_data csr = mtc_csr(N, N, row, column, values);
    for (int sparse = 0; sparse < 2; sparse++) {
        ASSERT_EQ(MTC_OK, embed(NULL, sparse ? &csr : &dense, K, U, w));
        for (int j = 0; j < 3; j++)
            ASSERT(fabs((double)w[j] - 1) < 100 * EPS);
        ASSERT(fabs((double)w[3] + .25) < 100 * EPS);
        for (int j = 0; j < K; j++)
            ASSERT(U[15 * K + j] == 0);
        for (int i = 0; i < 15; i++)    /* constant on each piece */
            for (int j = 0; j < 3; j++)
                ASSERT(fabs((double)U[i * K + j] -
                            (double)U[i / 5 * 5 * K + j]) < 100 * EPS);
        ASSERT(defect_of(N, K, U, K) < RULE);
    }
    ASSERT_EQ(MTC_OK, embed(NULL, &dense, N, values, S));
    PASS();
}

TEST embedding_of_a_large_graph_is_that_of_the_matrix(void)
{
    enum { N = 600, K = 6 };
    static mtc_real S[N * N], values[N * N], U[N * K], V[N * K];
    static size_t row[N + 1];
    static uint32_t column[N * N];
    mtc_real w[K], u[K];
    test_fill(values, 8 * N, 8, 0, 1);
    cliques(N, 0, S);
    for (size_t t = 0; t < 4 * N; t++) {        /* an expander's edges */
        size_t i = (size_t)((double)values[2 * t] * N);
        size_t j = (size_t)((double)values[2 * t + 1] * N);
        S[i * N + j] = S[j * N + i] = 1;
    }
    mtc_data dense = mtc_dense(N, N, S);
    test_sparse(N, N, S, row, column, values);
    mtc_data csr = mtc_csr(N, N, row, column, values);
    ASSERT_EQ(MTC_OK, embed(NULL, &dense, K, U, w));
    ASSERT_EQ(MTC_OK, embed(NULL, &csr, K, V, u));
    for (int j = 0; j < K; j++) {
        double dot = 0;
        for (int i = 0; i < N; i++)
            dot += (double)U[i * K + j] * (double)V[i * K + j];
        ASSERT(fabs((double)w[j] - (double)u[j]) < 1e4 * EPS);
        ASSERT(fabs(dot - 1) < (EPS > 1e-10 ? 1e-2 : 1e-8));
    }
    PASS();
}

/* A path of n vertices, CSR. */
static mtc_data chain(size_t n, size_t *row, uint32_t *column, mtc_real *value)
{
    size_t e = 0;
    for (size_t i = 0; i < n; i++) {
        row[i] = e;
        if (i > 0)
            column[e++] = (uint32_t)(i - 1);
        if (i + 1 < n)
            column[e++] = (uint32_t)(i + 1);
    }
    row[n] = e;
    for (size_t i = 0; i < e; i++)
        value[i] = 1;
    return mtc_csr(n, n, row, column, value);
}

enum { CHAIN = 1000 };

/* N has the values cos(pi j / (n - 1)), whose gaps of 1e-5 no basis of 60
 * columns resolves; all pairs do.  Who has no more memory than the query says
 * is told of the limit. */
TEST a_long_chain_is_solved_whole(void)
{
    enum { K = 3 };
    static mtc_real value[2 * CHAIN], U[CHAIN * K];
    static size_t row[CHAIN + 1];
    static uint32_t column[2 * CHAIN];
    mtc_real w[K] = {7, 7, 7};
    mtc_data S = chain(CHAIN, row, column, value);
    mtc_context ask = mtc_measure();
    if (sizeof(mtc_real) < 8)
        SKIPm("double only: in float such gaps are rounding");
    ASSERT_EQ(MTC_NO_MEMORY, mtc_spectral(&ask, &S, K, U, w));
    mtc_context ctx = exactly(ask.need);
    mtc_status s = mtc_spectral(&ctx, &S, K, U, w);
    free(arena.base);
    ASSERT_EQ(MTC_LIMIT, s);
    ASSERT_STR_EQ("eigenvectors", ctx.error.what);
    ASSERT(ctx.need == ask.need && w[0] == 7 && U[0] == 0);
    ctx = test_context();
    ASSERT_EQ(MTC_OK, mtc_spectral(&ctx, &S, K, U, w));
    ASSERT_EQ(ask.need, ctx.need);
    for (int j = 0; j < K; j++)
        ASSERT(fabs((double)w[j] - cos(3.14159265358979323846 * j /
                                       (CHAIN - 1))) < 100 * EPS);
    ASSERT(defect_of(CHAIN, K, U, K) < RULE);
    PASS();
}

/* Its best cut in two is in the middle. */
TEST ncut_of_a_long_chain_is_in_the_middle(void)
{
    static mtc_real value[2 * CHAIN];
    static size_t row[CHAIN + 1];
    static uint32_t column[2 * CHAIN];
    mtc_data S = chain(CHAIN, row, column, value);
    mtc_ncut_options o = mtc_ncut_defaults();
    mtc_ncut_result r;
    if (sizeof(mtc_real) < 8)
        SKIPm("double only: in float such gaps are rounding");
    o.given = 1;
    ASSERT_EQ(MTC_OK, mtc_ncut(NULL, &S, &o, &r));
    for (size_t i = 0; i < CHAIN; i++)
        ASSERT_EQ(r.labels[i < CHAIN / 2 ? 0 : CHAIN - 1], r.labels[i]);
    ASSERT(r.labels[0] != r.labels[CHAIN - 1]);
    ASSERT_IN_RANGE((mtc_real)(2.0 / (CHAIN - 1)), r.cut, TOL(1e-12));
    mtc_free(NULL, &r.block);
    PASS();
}

TEST spectral_refuses_what_is_no_similarity(void)
{
    mtc_real S[9] = {0, 1, 2, 1, 0, -1, 2, -1, 0}, U[9] = {8}, w[3] = {8};
    mtc_context ctx = mtc_context_defaults();
    mtc_data X = mtc_dense(3, 3, S);
    ASSERT_EQ(MTC_DOMAIN, embed(&ctx, &X, 2, U, w));
    ASSERT_EQ(1, ctx.error.row);
    ASSERT_EQ(2, ctx.error.column);
    S[5] = S[7] = 1;
    ASSERT_EQ(MTC_INVALID, embed(&ctx, &X, 4, U, w));
    X.d = 2;
    ASSERT_EQ(MTC_INVALID, embed(&ctx, &X, 2, U, w));
    ASSERT(U[0] == 8 && w[0] == 8);
    PASS();
}

/* A caller who knows n as a bound asks for the bound. */
static size_t need_of(size_t n, size_t count)
{
    mtc_real x[1] = {0};
    mtc_context ask = mtc_measure();
    mtc_symeig_range(&ask, n, x, n, 0, count, x, x, count);
    return ask.need;
}

TEST work_for_some_pairs_is_monotone(void)
{
    for (size_t n = 1; n < 120; n++)
        for (size_t count = 1; count <= n; count++) {
            size_t bytes = need_of(n, count);
            ASSERT(bytes > 0 && bytes <= need_of(n + 1, count));
            ASSERT(bytes <= need_of(n + 1, count + 1));
        }
    PASS();
}

SUITE(eigen_suite)
{
    RUN_TEST1(solver_passes_lapacks_rule, JACOBI);
    RUN_TEST1(solver_passes_lapacks_rule, SYMEIG);
    RUN_TEST1(solver_passes_lapacks_rule, RANGE);
    RUN_TEST(larger_matrices_pass_too);
    RUN_TEST(every_secular_root_is_found);
    RUN_TEST(three_solvers_agree_on_the_values);
    RUN_TEST(known_spectra_are_found);
    RUN_TEST(trace_and_frobenius_norm_are_kept);
    RUN_TEST(jacobi_is_accurate_on_graded_matrices);
    RUN_TEST(strides_are_respected);
    RUN_TEST(values_that_are_not_numbers_are_refused);
    RUN_TEST(range_beyond_the_end_is_refused);
    RUN_TEST(impossible_sizes_are_told);
    RUN_TEST(arguments_are_checked_before_memory);
    RUN_TEST(symeig_of_the_matrix_of_minima);
    RUN_TEST(operator_finds_what_the_matrix_has);
    RUN_TEST(operator_finds_every_copy_of_a_value);
    RUN_TEST(operators_with_repeated_values_lose_no_pair);
    RUN_TEST(eleven_equal_values_are_all_found);
    RUN_TEST(graphs_in_pieces_lose_no_pair);
    RUN_TEST(operator_of_zeros_has_zeros);
    RUN_TEST(operator_has_no_unit);
    RUN_TEST(operator_keeps_its_bounds);
    RUN_TEST(operator_without_a_residual_says_that_it_ended_early);
    RUN_TEST(pieces_of_a_graph_have_value_one);
    RUN_TEST(embedding_of_a_large_graph_is_that_of_the_matrix);
    RUN_TEST(a_long_chain_is_solved_whole);
    RUN_TEST(ncut_of_a_long_chain_is_in_the_middle);
    RUN_TEST(spectral_refuses_what_is_no_similarity);
    RUN_TEST(work_for_some_pairs_is_monotone);
}
