/* SPDX-License-Identifier: MIT
 *
 * test_util.h - what the test files share.
 *
 * Contexts.  The whole suite also runs against a library without malloc
 * (-DMTC_NO_MALLOC), where a NULL context has no memory.  Wherever a call
 * allocates, a test therefore says
 *
 *     mtc_context ctx = test_context();
 *     mtc_kmeans(&ctx, ...);   mtc_free(&ctx, &...->block);
 *
 * and gets the defaults in one build, malloc handed in from outside in the
 * other.
 *
 * Everything is static inline: a file pays for what it uses, nothing warns.
 */
#ifndef TEST_UTIL_H
#define TEST_UTIL_H

#include <float.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../mtc.h"
#include "../examples/advice/mtc_advice.h"

#ifdef MTC_SINGLE
#define TEST_EPS ((mtc_real)FLT_EPSILON)
#define TEST_MAX ((mtc_real)FLT_MAX)
#define TEST_MIN ((mtc_real)FLT_MIN)
#else
#define TEST_EPS ((mtc_real)DBL_EPSILON)
#define TEST_MAX ((mtc_real)DBL_MAX)
#define TEST_MIN ((mtc_real)DBL_MIN)
#endif

/* A tolerance written for double: x itself there; in float at least 1000
 * units of rounding. */
#define TOL(x) ((mtc_real)((x) > 1e3 * (double)TEST_EPS \
                           ? (x) : 1e3 * (double)TEST_EPS))

/* Above 1 in builds that ask how the library works, not how well: tests of
 * quality over many draws are left out, long loops are so many times shorter
 * (sanitizers). */
#ifndef TEST_FEWER
#define TEST_FEWER 1
#endif

/* ---- contexts ---------------------------------------------------------- */

static inline void *test_allocate(void *memory, size_t size)
{
    (void)memory;
    return malloc(size);
}

static inline void test_release(void *memory, void *block, size_t size)
{
    (void)memory;
    (void)size;
    free(block);
}

static inline mtc_context test_context(void)
{
    mtc_context ctx = mtc_context_defaults();
#ifdef MTC_NO_MALLOC
    ctx.allocate = test_allocate;
    ctx.release = test_release;
#endif
    return ctx;
}

/* ---- data -------------------------------------------------------------- */

/* Failing arrays would hide the reason: a test without memory stops here. */
static inline void *test_malloc(size_t size)
{
    void *p = malloc(size > 0 ? size : 1);
    if (p == NULL)
        exit(EXIT_FAILURE);
    return p;
}

static inline mtc_real *test_reals(size_t n)
{
    return (mtc_real *)test_malloc(n * sizeof(mtc_real));
}

/* x [n] = uniform in [low, high), the same for a seed on every machine.
 * (A generator apart from the library's, which is itself under test.) */
static inline void test_fill(mtc_real *x, size_t n, uint64_t seed,
                             double low, double high)
{
    uint64_t s = seed * 2u + 1u;
    for (size_t i = 0; i < n; i++) {
        s = s * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        double u = (double)(s >> 33) / 2147483648.0;
        x[i] = (mtc_real)(low + (high - low) * u);
    }
}

/* The non-zeros of dense x [n*d] as CSR; returns how many there are.
 * row [n+1], column and values [n*d] at most. */
static inline size_t test_sparse(size_t n, size_t d, const mtc_real *x,
                                 size_t *row, uint32_t *column,
                                 mtc_real *values)
{
    size_t m = 0;
    row[0] = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < d; j++)
            if (!(x[i * d + j] == 0)) {
                column[m] = (uint32_t)j;
                values[m++] = x[i * d + j];
            }
        row[i + 1] = m;
    }
    return m;
}

/* Tasks of the same numbers, dense and CSR, with labels to start from. */
enum { TEST_TASKS = 5, TEST_N = 136, TEST_D = 48 };

typedef struct test_tasks {
    size_t tasks, n, d, k[TEST_TASKS];      /* n: of all */
    mtc_real x[TEST_TASKS][TEST_N * TEST_D], value[TEST_TASKS][TEST_N * TEST_D];
    size_t row[TEST_TASKS][TEST_N + 1];
    uint32_t column[TEST_TASKS][TEST_N * TEST_D];
    mtc_data dense[TEST_TASKS], csr[TEST_TASKS];
    int start[TEST_TASKS][TEST_N];
    const int *labels[TEST_TASKS];
} test_tasks;

/* Both views of the n x d numbers in x[t]. */
static inline void test_views(test_tasks *p, size_t t, size_t n, size_t d)
{
    test_sparse(n, d, p->x[t], p->row[t], p->column[t], p->value[t]);
    p->dense[t] = mtc_dense(n, d, p->x[t]);
    p->csr[t] = mtc_csr(n, d, p->row[t], p->column[t], p->value[t]);
    p->labels[t] = p->start[t];
}

/* ---- worked cases ------------------------------------------------------ */

/* Task t takes the n x d values of a worked case. */
static inline void test_set(test_tasks *p, size_t t, size_t n, size_t d,
                            const double *x)
{
    for (size_t e = 0; e < n * d; e++)
        p->x[t][e] = (mtc_real)x[e];
    test_views(p, t, n, d);
}

/* n samples in d dimensions, classes 0..c-1 in turn; class k is pushed by
 * `shift` along coordinate k mod d, so that classes overlap. */
static inline void test_classes(size_t n, size_t d, int c, double shift,
                                uint64_t seed, mtc_real *x, int *y)
{
    test_fill(x, n * d, seed, -1, 1);
    for (size_t i = 0; i < n; i++) {
        y[i] = (int)(i % (size_t)c);
        x[i * d + (size_t)y[i] % d] += (mtc_real)shift;
    }
}

/* The largest |a_i - b_i|; a NaN is as far off as can be. */
static inline double test_farthest(size_t n, const mtc_real *a,
                                   const mtc_real *b)
{
    double most = 0;
    for (size_t i = 0; i < n; i++) {
        double off = (double)a[i] - (double)b[i];
        off = off < 0 ? -off : off;
        if (!(off <= most))
            most = off - off == 0 ? off : 1e300;
    }
    return most;
}

static inline void test_swap(size_t n, double *a, double *b)
{
    for (size_t j = 0; j < n; j++) {
        double kept = a[j];
        a[j] = b[j];
        b[j] = kept;
    }
}

/* B [n*c] <- A^-1 B by elimination with pivots; A [n*n] is lost. */
static inline void test_solve(size_t n, double *A, size_t c, double *B)
{
    for (size_t k = 0; k < n; k++) {
        size_t best = k;
        for (size_t i = k; i < n; i++)
            if (A[i * n + k] * A[i * n + k] > A[best * n + k] * A[best * n + k])
                best = i;
        if (best != k) {
            test_swap(n, &A[k * n], &A[best * n]);
            test_swap(c, &B[k * c], &B[best * c]);
        }
        for (size_t i = 0; i < n; i++) {
            double f = i == k ? 0 : A[i * n + k] / A[k * n + k];
            for (size_t j = 0; j < n; j++)
                A[i * n + j] -= f * A[k * n + j];
            for (size_t j = 0; j < c; j++)
                B[i * c + j] -= f * B[k * c + j];
        }
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < c; j++)
            B[i * c + j] /= A[i * n + i];
}

/* The largest of 1 and |x|. */
static inline double test_largest(const double *x, size_t n)
{
    double most = 1;
    for (size_t i = 0; i < n; i++)
        most = x[i] > most ? x[i] : -x[i] > most ? -x[i] : most;
    return most;
}

/* n numbers of the worked case g, to the file's worked_tolerance; needs
 * greatest.h. */
#define ASSERT_CLOSE(expected, got, n) \
    do { \
        double close_to = worked_tolerance * test_largest(expected, n); \
        for (size_t close_i = 0; close_i < (n); close_i++) \
            ASSERT_IN_RANGEm(g->name, (expected)[close_i], \
                             (double)(got)[close_i], close_to); \
    } while (0)

/* ---- an allocator that counts, checks and fails on demand -------------- */

typedef struct test_heap {
    size_t live, bytes;             /* blocks and bytes out right now */
    size_t most, peak;              /* most blocks, most bytes at a time */
    size_t calls;                   /* of allocate, so far */
    size_t fail_at;                 /* this call (from 1) fails; 0: none */
    int fail_from;                  /* 1: and every later one */
    size_t limit;                   /* no single block above this; 0: none */
    size_t faults;                  /* wrong size given back, bytes written
                                       beyond a block, a foreign block */
} test_heap;

#define TEST_POISON 0xa5
#define TEST_GUARD 32               /* bytes before and behind each block */

static inline void *test_heap_allocate(void *memory, size_t size)
{
    test_heap *h = (test_heap *)memory;
    h->calls++;
    if (h->fail_at != 0
        && (h->calls == h->fail_at || (h->fail_from && h->calls > h->fail_at)))
        return NULL;
    if (size > SIZE_MAX - 2 * TEST_GUARD
        || (h->limit != 0 && size > h->limit))
        return NULL;
    unsigned char *b = (unsigned char *)malloc(size + 2 * TEST_GUARD);
    if (b == NULL)
        return NULL;
    memset(b, TEST_POISON, size + 2 * TEST_GUARD);
    memcpy(b, &size, sizeof size);
    h->live++;
    h->bytes += size;
    if (h->most < h->live)
        h->most = h->live;
    if (h->peak < h->bytes)
        h->peak = h->bytes;
    return b + TEST_GUARD;
}

static inline void test_heap_release(void *memory, void *block, size_t size)
{
    test_heap *h = (test_heap *)memory;
    if (block == NULL || h->live == 0) {
        h->faults++;
        return;
    }
    unsigned char *b = (unsigned char *)block - TEST_GUARD;
    size_t taken;
    memcpy(&taken, b, sizeof taken);
    h->faults += taken != size;
    for (size_t i = sizeof taken; i < TEST_GUARD; i++)
        h->faults += b[i] != TEST_POISON;
    for (size_t i = 0; i < TEST_GUARD; i++)
        h->faults += b[TEST_GUARD + taken + i] != TEST_POISON;
    h->live--;
    h->bytes -= taken;
    memset(block, TEST_POISON, taken);
    free(b);
}

static inline mtc_context test_heap_context(test_heap *h)
{
    static const test_heap empty = {0, 0, 0, 0, 0, 0, 0, 0, 0};
    mtc_context ctx = mtc_context_defaults();
    *h = empty;
    ctx.allocate = test_heap_allocate;
    ctx.release = test_heap_release;
    ctx.memory = h;
    return ctx;
}

/* ---- outputs that a failing call leaves alone --------------------------- */

typedef union test_out { double align; unsigned char b[8192]; } test_out;

static inline void test_poison(test_out *out)
{
    memset(out->b, TEST_POISON, sizeof out->b);
}

static inline int test_untouched(const test_out *out)
{
    for (size_t i = 0; i < sizeof out->b; i++)
        if (out->b[i] != TEST_POISON)
            return 0;
    return 1;
}

#endif /* TEST_UTIL_H */
