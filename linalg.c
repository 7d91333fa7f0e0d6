/* SPDX-License-Identifier: MIT
 *
 * linalg.c - layer 1 of mtc: the ground that everything stands on.
 *
 * Knows nothing of clustering.  Nothing here allocates except through the
 * stacks of chapter 1, keeps state, or depends on the C library's own
 * exp, log, qsort or rand, which differ from one machine to the next.
 *
 *   Chapter 1  Status, context, memory, random numbers, sorting
 *   Chapter 2  exp, log, tanh
 *   Chapter 3  Products of vectors and matrices
 *   Chapter 4  Factorisations and solves
 *   Chapter 5  Data views
 *   Chapter 6  Symmetric eigenproblems: common ground, and Jacobi
 *   Chapter 7  The tridiagonal form, and back
 *   Chapter 8  All pairs of a tridiagonal matrix
 *   Chapter 9  Some pairs of a tridiagonal matrix
 *   Chapter 10  The symmetric eigensolvers
 *   Chapter 11  The largest pairs of an operator
 *   Chapter 12  Spectral embedding
 *   Chapter 13  Principal components
 */
#define MTC_INTERNAL
#include "mtc.h"

#if MTC_VERSION != 100
#error "linalg.c and mtc.h are of different versions"
#endif

#ifndef MTC_NO_MALLOC
#include <stdlib.h>
#endif

/* ==========================================================================
 * Chapter 1  Status, context, memory, random numbers, sorting
 *
 * A call takes two blocks: the result's and scratch.  What lies where is said
 * once, in a layout, which runs twice over the same stacks: without memory it
 * measures, with memory it carves.  So a query of memory and the call cannot
 * differ, and a call fails for want of memory before it has done anything.
 *   used, peak   bytes in use, and the most so far: a layout that sets `used`
 *                back lets two phases have the same memory; peak is the size
 *   SIZE_MAX     a sum or product that overflows, and every one it is part of
 *                (but for a factor 0): sizes are judged once, at the end
 *
 * Chance is xoshiro256** by streams: each user of it in a call has a number,
 * and draws the same whatever the others draw.
 * ========================================================================== */

const char *mtc_status_text(mtc_status s)
{
    switch (s) {
    case MTC_OK: return "no error";
    case MTC_NO_MEMORY: return "the allocator could not supply the memory";
    case MTC_INVALID: return "an argument or option is out of its range";
    case MTC_DOMAIN:
        return "a value lies outside the domain (NaN, infinite, or not "
               "positive where it has to be)";
    case MTC_SINGULAR: return "a matrix is not positive definite";
    case MTC_CANCELLED: return "cancelled by the progress callback";
    case MTC_TOO_BIG: return "the sizes exceed what memory can address";
    case MTC_LIMIT: return "a bound on work was met before an answer";
    }
    return "not a status of this library";
}

#define LIN_STRING(x) #x
#define LIN_DOTTED(a, b, c) LIN_STRING(a) "." LIN_STRING(b) "." LIN_STRING(c)

const char *mtc_version(void)
{
    return LIN_DOTTED(MTC_VERSION_MAJOR, MTC_VERSION_MINOR,
                      MTC_VERSION_PATCH);
}

mtc_context mtc_context_defaults(void)
{
    mtc_context ctx;
    memset(&ctx, 0, sizeof ctx);
    ctx.seed = 1;                       /* as without a context */
    ctx.error.task = ctx.error.row = ctx.error.column = MTC_NONE;
    return ctx;
}

mtc_status mtc_fail(mtc_context *ctx, mtc_status s, const char *what,
                    size_t task, size_t row, size_t column)
{
    if (ctx != NULL) {
        ctx->error.what = what;
        ctx->error.task = task;
        ctx->error.row = row;
        ctx->error.column = column;
    }
    return s;
}

mtc_status mtc_tick(mtc_context *ctx, const char *stage, size_t done,
                    size_t total)
{
    if (ctx == NULL || ctx->progress == NULL ||
        ctx->progress(ctx->user, stage, done, total) == 0)
        return MTC_OK;
    return mtc_fail(ctx, MTC_CANCELLED, stage, MTC_NONE, MTC_NONE, MTC_NONE);
}

size_t mtc_mul(size_t a, size_t b)
{
    if (a == 0 || b == 0)
        return 0;
    return a > SIZE_MAX / b ? SIZE_MAX : a * b;
}

size_t mtc_add(size_t a, size_t b)
{
    return a > SIZE_MAX - b ? SIZE_MAX : a + b;
}

/* Every block and every piece of one starts at a multiple of this many bytes
 * from an aligned base: enough for all the types that we keep. */
#define LIN_ALIGN ((size_t)16)

/* All arrays of a call lie in one block, where an address sanitizer could not
 * tell one's end from the next one's beginning: for it there are gaps. */
#ifdef __has_feature                    /* clang's way to tell */
#if __has_feature(address_sanitizer)
#define LIN_SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(LIN_SANITIZED)
#include <sanitizer/asan_interface.h>
#define LIN_GAP ((size_t)64)
#define LIN_OPEN(p, size) ASAN_UNPOISON_MEMORY_REGION(p, size)
#define LIN_CLOSE(p, size) ASAN_POISON_MEMORY_REGION(p, size)
#else
#define LIN_GAP ((size_t)0)
#define LIN_OPEN(p, size) ((void)0)
#define LIN_CLOSE(p, size) ((void)0)
#endif

/* The next multiple of LIN_ALIGN; SIZE_MAX stays. */
static size_t align_up(size_t size)
{
    size_t padded = mtc_add(size, LIN_ALIGN - 1);
    return padded == SIZE_MAX ? SIZE_MAX : padded / LIN_ALIGN * LIN_ALIGN;
}

/* The next bytes of the buffer.  Compares with what is left, which cannot
 * overflow as a sum with `used` could. */
static void *arena_allocate(void *memory, size_t size)
{
    mtc_arena *arena = (mtc_arena *)memory;
    size_t padded = align_up(size);
    if (padded > arena->size - arena->used)
        return NULL;
    void *block = arena->base + arena->used;
    LIN_OPEN(block, padded);
    arena->used += padded;
    if (arena->peak < arena->used)
        arena->peak = arena->used;
    return block;
}

/* Only the last block can be taken off the top of the bump: `size` has to be
 * what was asked for. */
static void arena_release(void *memory, void *block, size_t size)
{
    mtc_arena *arena = (mtc_arena *)memory;
    size_t padded = align_up(size);
    if ((unsigned char *)block + padded == arena->base + arena->used)
        arena->used -= padded;
}

mtc_arena mtc_arena_over(void *buffer, size_t size)
{
    mtc_arena arena = {(unsigned char *)buffer, size, 0, 0};
    return arena;
}

mtc_context mtc_arena_context(mtc_arena *arena)
{
    mtc_context ctx = mtc_context_defaults();
    ctx.allocate = arena_allocate;
    ctx.release = arena_release;
    ctx.memory = arena;
    return ctx;
}

/* `size` > 0 bytes from the context's allocator, or the default one. */
static void *block_allocate(mtc_context *ctx, size_t size)
{
    if (ctx != NULL && ctx->allocate != NULL)
        return ctx->allocate(ctx->memory, size);
#ifdef MTC_NO_MALLOC
    return NULL;
#else
    return malloc(size);
#endif
}

/* To where it came from.  An allocator without release keeps its blocks, as
 * one that is thrown away whole does. */
static void block_release(mtc_context *ctx, void *block, size_t size)
{
    if (block == NULL)
        return;
    LIN_OPEN(block, size);              /* it may be used for anything again */
    if (ctx != NULL && ctx->allocate != NULL) {
        if (ctx->release != NULL)
            ctx->release(ctx->memory, block, size);
        return;
    }
#ifndef MTC_NO_MALLOC
    free(block);
#endif
}

/* Pieces lie one behind the other.  Each opens to the sanitizer all that it
 * covers and closes the gap behind it; not where another phase has lain
 * before, nor in a part of another's memory: the gap may be the middle of an
 * array there. */
void *mtc_take(mtc_stack *st, size_t count, size_t size)
{
    size_t start = st->used, bytes = mtc_mul(count, size);
    int shared = start < st->peak || st->size == SIZE_MAX;
    st->used = mtc_add(start, mtc_add(align_up(bytes),
                                      bytes > 0 ? LIN_GAP : 0));
    if (st->peak < st->used)
        st->peak = st->used;
    if (st->base == NULL)               /* measuring */
        return NULL;
    MTC_ASSERT(st->used <= st->size);
    LIN_OPEN(st->base + start, st->used - start);
    if (!shared)
        LIN_CLOSE(st->base + start + bytes, st->used - start - bytes);
    return st->base + start;
}

/* One block for a measured stack; an empty one needs none. */
static mtc_status stack_open(mtc_context *ctx, mtc_stack *st)
{
    size_t size = st->peak;
    st->used = st->peak = 0;
    if (size == 0)
        return MTC_OK;
    st->base = (unsigned char *)block_allocate(ctx, size);
    st->size = size;
    if (st->base == NULL)
        return mtc_fail(ctx, MTC_NO_MEMORY, "memory", MTC_NONE, MTC_NONE,
                        MTC_NONE);
    LIN_OPEN(st->base, size);
    return MTC_OK;
}

/* Blocks for both measured stacks, the result's first: an arena can then take
 * the scratch off its top again. */
static mtc_status stacks_open(mtc_context *ctx, mtc_stack *own,
                              mtc_stack *tmp)
{
    if (mtc_add(own->peak, tmp->peak) > (size_t)PTRDIFF_MAX)
        return mtc_fail(ctx, MTC_TOO_BIG, "memory", MTC_NONE, MTC_NONE,
                        MTC_NONE);
    mtc_status s = stack_open(ctx, own);
    if (s != MTC_OK)
        return s;
    s = stack_open(ctx, tmp);
    if (s != MTC_OK)
        block_release(ctx, own->base, own->size);
    return s;
}

size_t mtc_job_memory(mtc_layout layout, void *job)
{
    mtc_stack own = {0}, tmp = {0};
    layout(&own, &tmp, job);
    return mtc_add(own.peak, tmp.peak);
}

/* ctx->error around a piece of work.  error_open empties it; error_close puts
 * it back after a success, and after a failure sees that it says something:
 * `word`, if the work has said nothing. */
static mtc_place error_open(mtc_context *ctx)
{
    mtc_place before = {NULL, MTC_NONE, MTC_NONE, MTC_NONE};
    if (ctx != NULL) {
        before = ctx->error;
        ctx->error.what = NULL;
    }
    return before;
}

static mtc_status error_close(mtc_context *ctx, mtc_place before, mtc_status s,
                              const char *word)
{
    if (ctx != NULL && s == MTC_OK)
        ctx->error = before;
    else if (ctx != NULL && ctx->error.what == NULL)
        mtc_fail(ctx, s, word, MTC_NONE, MTC_NONE, MTC_NONE);
    return s;
}

/* On failure *block is not touched, and nothing stays allocated. */
mtc_status mtc_job_run(mtc_context *ctx, mtc_layout layout, mtc_work work,
                       void *job, void **block, size_t *size)
{
    mtc_stack own = {0}, tmp = {0};
    layout(&own, &tmp, job);                        /* measures */
    mtc_status s = stacks_open(ctx, &own, &tmp);
    if (s != MTC_OK)
        return s;
    layout(&own, &tmp, job);                        /* carves */
    mtc_place before = error_open(ctx);
    s = work(ctx, job);
    error_close(ctx, before, s, s == MTC_DOMAIN ? "values too large: overflow"
                                                : mtc_status_text(s));
    block_release(ctx, tmp.base, tmp.size); /* last in, first out */
    if (s != MTC_OK) {
        block_release(ctx, own.base, own.size);
    } else if (block != NULL) {
        *block = own.base;
        *size = own.size;
    }
    return s;
}

void mtc_discard(mtc_context *ctx, void *result, size_t result_size,
                 void *block, size_t block_size)
{
    block_release(ctx, block, block_size);
    memset(result, 0, result_size);
}

/* One step of SplitMix64: a bijection of a counter, so that no two of 2^64
 * states give the same word. */
static uint64_t splitmix64(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Four words of distinct counters: at most one is 0, and all four, where
 * xoshiro would stand still, never. */
mtc_random mtc_random_seed(uint64_t seed)
{
    mtc_random r;
    for (int i = 0; i < 4; i++)
        r.s[i] = splitmix64(&seed);
    return r;
}

/* Mixed before and after the stream enters: seed 1, stream 2 has nothing to do
 * with seed 2, stream 1. */
mtc_random mtc_stream(const mtc_context *ctx, uint64_t stream)
{
    uint64_t seed = ctx != NULL ? ctx->seed : 1;
    uint64_t mixed = splitmix64(&seed) ^ stream;
    return mtc_random_seed(splitmix64(&mixed));
}

/* 0 < k < 64: a shift by 64 is undefined. */
static uint64_t rotate_left(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

/* xoshiro256** by Blackman and Vigna, written from its definition. */
uint64_t mtc_random_bits(mtc_random *r)
{
    uint64_t *s = r->s;
    uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate_left(s[3], 45);
    return result;
}

/* As many high bits as the significand holds, so that 1 cannot come out. */
mtc_real mtc_random_real(mtc_random *r)
{
#ifdef MTC_SINGLE
    return (mtc_real)(mtc_random_bits(r) >> 40) * (mtc_real)0x1p-24;
#else
    return (mtc_real)(mtc_random_bits(r) >> 11) * (mtc_real)0x1p-53;
#endif
}

/* Unbiased: numbers above the last whole multiple of n are drawn again, once
 * in 2^64 / n times at most. */
size_t mtc_random_below(mtc_random *r, size_t n)
{
    if (n < 2)
        return 0;
    uint64_t limit = UINT64_MAX - UINT64_MAX % n;   /* a multiple */
    uint64_t x;
    do
        x = mtc_random_bits(r);
    while (x >= limit);
    return (size_t)(x % n);
}

/* Marsaglia's polar method; the second variate is dropped, so that the
 * generator has no state but its four words. */
mtc_real mtc_random_normal(mtc_random *r)
{
    mtc_real u, v, q;
    do {
        u = 2 * mtc_random_real(r) - 1;
        v = 2 * mtc_random_real(r) - 1;
        q = u * u + v * v;
    } while (q >= 1 || q == 0);
    return u * MTC_SQRT(-2 * mtc_log(q) / q);
}

/* Does order[a] come before order[b]?  A total order: ties by index. */
static int sorts_before(const mtc_real *key, size_t a, size_t b)
{
    return key[a] < key[b] || (a < b && key[a] == key[b]);
}

/* heap [n] in heap order but at the root: no child sorts after its parent.
 * The mover goes down by a hole, one write a level. */
static void sift_down(const mtc_real *key, size_t *heap, size_t root,
                      size_t n)
{
    size_t moving = heap[root];
    for (size_t child; (child = 2 * root + 1) < n; root = child) {
        if (child + 1 < n && sorts_before(key, heap[child], heap[child + 1]))
            child++;
        if (!sorts_before(key, moving, heap[child]))
            break;
        heap[root] = heap[child];
    }
    heap[root] = moving;
}

/* heap [n] in heap order becomes ascending. */
static void heap_sort(const mtc_real *key, size_t *heap, size_t n)
{
    for (size_t i = n; i-- > 1;) {
        size_t top = heap[0];
        heap[0] = heap[i];
        heap[i] = top;
        sift_down(key, heap, 0, i);
    }
}

/* Heapsort: no extra memory, no worst case, one answer for every input.  The
 * heap holds the k first so far, the last of them on top. */
void mtc_select_order(size_t n, const mtc_real *key, size_t k, size_t *order)
{
    if (k == 0)
        return;
    for (size_t i = 0; i < k; i++)
        order[i] = i;
    for (size_t i = k / 2; i-- > 0;)
        sift_down(key, order, i, k);
    for (size_t i = k; i < n; i++)
        if (key[i] < key[order[0]]) {   /* a tie loses: its index is higher */
            order[0] = i;
            sift_down(key, order, 0, k);
        }
    heap_sort(key, order, k);
}

void mtc_sort_order(size_t n, const mtc_real *key, size_t *order)
{
    mtc_select_order(n, key, n, order);
}

/* ==========================================================================
 * Chapter 2  exp, log, tanh
 *
 * The C libraries of this world agree on sqrt and on little else, and some
 * give two answers on two processors from one binary.  So these three are
 * made of + - * / alone, which IEEE arithmetic defines to the last bit, and
 * of moves of the exponent.  All is done in double, and rounded to mtc_real
 * at the end.
 *
 *   exp   x = k ln 2 + r, |r| <= ln 2 / 2;   e^x = 2^k e^r, Taylor for e^r
 *   log   x = 2^k (1 + f), 1 + f in [1/sqrt 2, sqrt 2);   with
 *         s = f / (2 + f) :   log(1 + f) = 2 (s + s^3/3 + s^5/5 + ...)
 *   tanh  |x| = -y/2 :   tanh = (1 - e^y) / (1 + e^y), sign of x
 *
 * Accuracy.  A result is summed as hi + lo: hi holds the leading terms with
 * their rounding errors carried over to lo, so that hardly anything but the
 * last addition rounds.  The largest errors found: exp .54, log .66, tanh
 * .56 ulp.  Fused multiply-add leaves the exact products exact.
 * ========================================================================== */

/* ln 2 in two pieces.  The first ends in 21 zero bits: times any |k| < 2^11
 * it is exact. */
#define ELEM_LN2_HI 0x1.62e42fee00000p-1
#define ELEM_LN2_LO 0x1.a39ef35793c76p-33

/* The 64 bits of a double (sign 1, exponent 11, fraction 52), and back.
 * memcpy is the one way that C defines; compilers make it one move. */
static uint64_t elem_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double elem_from_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* 2^k for the exponents of normal numbers, -1022..1023. */
static double elem_power2(int k)
{
    return elem_from_bits((uint64_t)(k + 1023) << 52);
}

/* x without its last 27 bits: 26 stay, so products of two heads are exact. */
static double elem_head(double x)
{
    return elem_from_bits(elem_bits(x) & ~(uint64_t)0x7ffffff);
}

/* e^x = 2^k (1 + hi + lo), |lo| < .01, for |x| < 800.  Returns k.  With r =
 * a + b, a its head:  e^r - 1 = r + a^2/2 + b (a + b/2) + r^3 (1/6 + ...);
 * hi takes r + a^2/2, and lo its rounding error and the rest.  The series is
 * cut after r^14/14!: what is left is below 2^-62. */
static int elem_exp_parts(double x, double *hi, double *lo)
{
    int k = (int)(x * 1.4426950408889634 + (x < 0 ? -.5 : .5));
    double top = x - k * ELEM_LN2_HI;           /* exact: both are close */
    double low = k * ELEM_LN2_LO;
    double r = top - low;                       /* rounded: for the series */
    double a = elem_head(top), b = top - a - low;
    double q = .5 * a * a;                      /* exact */
    /* 1/3! + r/4! + ... + r^11/14!, in three groups of four that do not wait
     * for one another */
    double r2 = r * r, r4 = r2 * r2;
    double c03 = (1. / 6 + r * (1. / 24)) + r2 * (1. / 120 + r * (1. / 720));
    double c47 = (1. / 5040 + r * (1. / 40320)) +
                 r2 * (1. / 362880 + r * (1. / 3628800));
    double c8b = (1. / 39916800 + r * (1. / 479001600)) +
                 r2 * (1. / 6227020800. + r * (1. / 87178291200.));
    double tail = r2 * r * (c03 + r4 * (c47 + r4 * c8b));
    *hi = top + q;          /* |top| > q: its rounding error is exact below */
    *lo = ((top - *hi) + q) + (b * (a + .5 * b) + (tail - low));
    return k;
}

/* e^x = 2^k (sum + rest), where sum + rest = 1 + hi + lo without loss. */
static double elem_exp(double x)
{
    if (!(x < 710))                             /* too large, or NaN */
        return x - x == 0 ? HUGE_VAL : x;
    if (x < -746)                               /* below half of 2^-1074 */
        return 0;
    double hi, lo;
    int k = elem_exp_parts(x, &hi, &lo);
    double sum = 1 + hi;
    double rest = ((1 - sum) + hi) + lo;
    if (k > 1023)                               /* 2^1024 is no double */
        return (sum + rest) * elem_power2(k - 1) * 2;
    if (k > -1022 || (k == -1022 && sum >= 1))
        return (sum + rest) * elem_power2(k);
    /* Subnormal: the last bit is 2^-1074.  Scaled by 2^1022 it is the last
     * bit of 1, so that adding 1 rounds at the right place, once. */
    double scale = elem_power2(k + 1022);
    sum *= scale;
    rest *= scale;
    double shifted = 1 + sum;
    shifted += ((1 - shifted) + sum) + rest;
    return (shifted - 1) * elem_power2(-1022);
}

/* Of x > 0, finite: k, and returns f with x = 2^k (1 + f), exactly. */
static double elem_log_parts(double x, int *k)
{
    int shift = 0;
    if (x < DBL_MIN) {                          /* subnormal: normalise */
        x *= 0x1p54;
        shift = -54;
    }
    uint64_t bits = elem_bits(x);
    uint64_t fraction = bits & 0xfffffffffffff;
    int above = fraction >= 0x6a09e667f3bcd;    /* sqrt 2 = 1.6a09e... */
    *k = (int)(bits >> 52) - 1023 + above + shift;
    return elem_from_bits(fraction | (uint64_t)(1023 - above) << 52) - 1;
}

/* From 2 s = f - s f and s f = f^2/2 - s f^2/2:
 *   log(1 + f) = f - f^2/2 + s (f^2/2 + R),  R = 2 s^2/3 + 2 s^4/5 + ...
 * The first two terms and k ln 2 make hi.  R is cut after s^20: what is left
 * is below 2^-61. */
static double elem_log(double x)
{
    if (!(x > 0))
        return x == 0 ? -HUGE_VAL : NAN;
    if (x > DBL_MAX)
        return x;
    int k;
    double f = elem_log_parts(x, &k);
    double s = f / (2 + f), z = s * s, w = z * z;
    /* R, its terms in s^4, s^8, ... and in s^2, s^6, ... apart */
    double even = w * (2. / 5 + w * (2. / 9 + w * (2. / 13 + w * (2. / 17 +
                  w * (2. / 21)))));
    double odd = z * (2. / 3 + w * (2. / 7 + w * (2. / 11 + w * (2. / 15 +
                 w * (2. / 19)))));
    double a = elem_head(f), b = f - a;
    double q = .5 * a * a;                      /* exact */
    double top = f - q;
    double low = ((f - top) - q) - b * (a + .5 * b);
    double base = k * ELEM_LN2_HI;              /* exact; 0, or above |top| */
    double sum = base + top;
    low += k == 0 ? 0 : (base - sum) + top;     /* what the sum rounded off */
    return sum + (low + (s * (.5 * f * f + (even + odd)) + k * ELEM_LN2_LO));
}

/* (1 - e^y) / (1 + e^y) for -36 <= y < 0.  With e^y = p (1 + hi + lo), p =
 * 2^k, numerator (1 - p) - p hi - p lo and denominator (1 + p) + p hi + p lo
 * are held as sums of two; t is corrected once by the exact remainder. */
static double elem_tanh_half(double y)
{
    double hi, lo;
    double p = elem_power2(elem_exp_parts(y, &hi, &lo));
    hi *= p;
    lo *= p;
    double n_top = (1 - p) - hi;                /* 1 - p: 0, or above |hi| */
    double n_low = (p < 1 ? ((1 - p) - n_top) - hi : 0) - lo;
    double d_top = (1 + p) + hi;
    double d_low = (((1 + p) - d_top) + hi) + lo;
    double n = n_top + n_low, d = d_top + d_low;    /* lows below an ulp */
    n_low += n_top - n;
    d_low += d_top - d;
    double t = n / d;
    double ta = elem_head(t), tb = t - ta, da = elem_head(d), db = d - da;
    /* n - t d, each product exact by heads */
    double left = ((n - ta * da) - ta * db - tb * da) - tb * db;
    return t + (left + (n_low - t * d_low)) / d;
}

/* tanh is odd; where e^2y is below 2^-104, 1 - 2 e^y is all of it. */
static double elem_tanh(double x)
{
    double size = fabs(x);
    if (!(size > 0x1p-28))                      /* x - x^3/3 + ...; NaN */
        return x;
    double t = size > 18 ? 1 - 2 * elem_exp(-2 * size)
                         : elem_tanh_half(-2 * size);
    return x < 0 ? -t : t;
}

/* In double, then rounded: of float results hardly one in 10^8 is affected
 * by rounding twice. */
mtc_real mtc_exp(mtc_real x)
{
    return (mtc_real)elem_exp((double)x);
}

mtc_real mtc_log(mtc_real x)
{
    return (mtc_real)elem_log((double)x);
}

mtc_real mtc_tanh(mtc_real x)
{
    return (mtc_real)elem_tanh((double)x);
}

/* ==========================================================================
 * Chapter 3  Products of vectors and matrices
 *
 *   C = alpha op(A) op(B) + beta C,   op(A) m x k,  op(B) k x n
 *
 * After Goto and van de Geijn (Anatomy of high-performance matrix
 * multiplication, 2008), in the words of BLIS.  Blocks of A, MC x KC, and of
 * B, KC x NC, are copied ("packed") into slivers: MR rows of A, NR columns
 * of B, in the order in which the micro-kernel reads them.  The micro-kernel
 * keeps an MR x NR tile of the product in registers:
 *
 *   for jc, by NC:                 B panel, KC x NC, in the outer cache
 *     for pc, by KC:               pack B
 *       for ic, by MC:             A block, MC x KC, in the middle cache
 *         pack A
 *         for jr, by NR:           B sliver, KC x NR, in the inner cache
 *           for ir, by MR:         tile of C <- micro-kernel
 *
 * An entry of C is a sum over p in ascending order, in pieces of at most KC:
 * its bits depend on k and KC, and not on the shape of the tile.  Transposes
 * are but strides while packing.  Small products, and all without `work`,
 * go by plain loops.
 * ========================================================================== */

/* The few loops that take the time ask gcc to vectorise them at -O2, too
 * (clang does), but not in a build for size. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__) && \
    !defined(__OPTIMIZE_SIZE__)
#define GEMM_HOT __attribute__((optimize("O3")))
#define GEMM_UNROLL_2 _Pragma("GCC unroll 2")
#else
#define GEMM_HOT
#define GEMM_UNROLL_2
#endif

/* Inlined, the micro-kernel loses its registers to its surroundings (gcc 12
 * with -fPIC); make bench-peers, which builds so, would show it. */
#ifdef __GNUC__
#define GEMM_ALONE __attribute__((noinline))
#else
#define GEMM_ALONE
#endif

/* y += a x.  An addition per entry: no order to fix. */
GEMM_HOT void mtc_axpy(size_t n, mtc_real a, const mtc_real *x, mtc_real *y)
{
    for (size_t i = 0; i < n; i++)
        y[i] += a * x[i];
}

/* Eight running sums, which a compiler may hold in vectors because the order
 * is ours; then pairwise. */
GEMM_HOT mtc_real mtc_dot(size_t n, const mtc_real *x, const mtc_real *y)
{
    mtc_real s[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    size_t i = 0;
    for (; i + 8 <= n; i += 8)
        for (size_t l = 0; l < 8; l++)
            s[l] += x[i + l] * y[i + l];
    for (size_t l = 0; i < n; i++, l++)
        s[l] += x[i] * y[i];
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

/* The tile with its operands fills the registers: NR is four vectors of 16
 * bytes, or two of 32; where products are rounded on their own before they
 * are added, these want registers too.  Found by trial on NEON.  KC is the
 * longest partial sum and so part of the result's definition. */
#if defined(__AVX__) || (defined(__aarch64__) && defined(MTC_FAST))
#define GEMM_WIDTH 64
#elif defined(__aarch64__)
#define GEMM_WIDTH 48
#else
#define GEMM_WIDTH 32
#endif

enum {
    GEMM_MR = 4,                    /* rows of a tile */
    GEMM_NR = GEMM_WIDTH / sizeof(mtc_real),    /* columns */
    GEMM_MC = 64,                   /* MC x KC doubles: 192 KiB, */
    GEMM_KC = 384,                  /* KC x NR: 24 KiB, */
    GEMM_NC = 768                   /* KC x NC: 2.3 MiB */
};

/* A tile of C is asked for before the kernel and needed after it. */
#ifdef __GNUC__
#define GEMM_PREFETCH(p) __builtin_prefetch(p, 1)
#else
#define GEMM_PREFETCH(p) ((void)0)
#endif

/* Entry (i,j) is at[i * row + j * column]. */
typedef struct gemm_operand {
    const mtc_real *at;
    size_t row, column;
} gemm_operand;

/* C = alpha A B + beta C, A m x k, B k x n. */
typedef struct gemm_product {
    size_t m, n, k;
    gemm_operand A, B;              /* with op() applied */
    mtc_real alpha, beta;
    mtc_real *C;                    /* [m*ldc] */
    size_t ldc;
    int lower;                      /* 1: only C's lower triangle is needed */
} gemm_product;

/* op(A): a transpose is the same memory with its strides exchanged. */
static gemm_operand gemm_view(int trans, const mtc_real *A, size_t lda)
{
    gemm_operand X = {A, trans ? 1 : lda, trans ? lda : 1};
    return X;
}

static size_t size_min(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t gemm_round_up(size_t x, size_t unit)
{
    return (x + unit - 1) / unit * unit;
}

/* The two packed blocks.  Every dimension is capped: cannot overflow. */
static void gemm_layout(mtc_stack *st, size_t m, size_t n, size_t k,
                        mtc_real **a, mtc_real **b)
{
    size_t kc = size_min(k, GEMM_KC);
    size_t mc = gemm_round_up(size_min(m, GEMM_MC), GEMM_MR);
    size_t nc = gemm_round_up(size_min(n, GEMM_NC), GEMM_NR);
    *a = MTC_TAKE(st, mc * kc, mtc_real);
    *b = MTC_TAKE(st, nc * kc, mtc_real);
}

/* Bounded: the largest product of all needs 2.5 MiB (half in float). */
size_t mtc_gemm_work(size_t m, size_t n, size_t k)
{
    mtc_stack st = {NULL, 0, 0, 0};
    mtc_real *a, *b;
    gemm_layout(&st, m, n, k, &a, &b);
    return st.peak;
}

/* Slivers of `width` lines, k entries each, interleaved: entry p of line i
 * goes to p * width + i of its sliver.  Lines that are missing count as 0. */
GEMM_HOT static void gemm_pack(size_t width, size_t lines, size_t k,
                               const mtc_real *x, size_t line, size_t entry,
                               mtc_real *restrict out)
{
    for (size_t i0 = 0; i0 < lines; i0 += width, x += width * line) {
        size_t w = size_min(width, lines - i0);
        if (w == width && line == 1)            /* a copy of whole vectors */
            for (size_t p = 0; p < k; p++, out += width)
                for (size_t i = 0; i < width; i++)
                    out[i] = x[p * entry + i];
        else                                    /* a transpose, or an edge */
            for (size_t p = 0; p < k; p++, out += width) {
                for (size_t i = 0; i < w; i++)
                    out[i] = x[i * line + p * entry];
                for (size_t i = w; i < width; i++)
                    out[i] = 0;
            }
    }
}

/* tile [MR*NR] = sum over p of (sliver of A)_p (sliver of B)_p'.  Fixed trip
 * counts, one flat array: gcc and clang unroll all of it into registers. */
GEMM_HOT GEMM_ALONE static void gemm_kernel(size_t k,
                                            const mtc_real *restrict a,
                                            const mtc_real *restrict b,
                                            mtc_real *restrict tile)
{
    mtc_real c[GEMM_MR * GEMM_NR];
    memset(c, 0, sizeof c);
    GEMM_UNROLL_2
    for (size_t p = 0; p < k; p++, a += GEMM_MR, b += GEMM_NR)
        for (int i = 0; i < GEMM_MR; i++)
            for (int j = 0; j < GEMM_NR; j++)
                c[i * GEMM_NR + j] += a[i] * b[j];
    memcpy(tile, c, sizeof c);
}

/* C [m*ldc] = alpha tile + beta C for the m x n entries that exist. */
GEMM_HOT static void gemm_store(size_t m, size_t n, mtc_real alpha,
                                const mtc_real *restrict tile, mtc_real beta,
                                mtc_real *restrict C, size_t ldc)
{
    for (size_t i = 0; i < m; i++, tile += GEMM_NR, C += ldc)
        if (beta == 0)                          /* C may hold NaN */
            for (size_t j = 0; j < n; j++)
                C[j] = alpha * tile[j];
        else if (beta == 1 && n == GEMM_NR)     /* nearly always */
            for (size_t j = 0; j < GEMM_NR; j++)
                C[j] += alpha * tile[j];
        else
            for (size_t j = 0; j < n; j++)
                C[j] = beta * C[j] + alpha * tile[j];
}

/* The block of C at (ic,jc), mc x nc, from packed a and b. */
static void gemm_macro(const gemm_product *g, size_t ic, size_t mc,
                       size_t jc, size_t nc, size_t kc, mtc_real beta,
                       const mtc_real *a, const mtc_real *b)
{
    mtc_real tile[GEMM_MR * GEMM_NR];
    for (size_t jr = 0; jr < nc; jr += GEMM_NR)
        for (size_t ir = 0; ir < mc; ir += GEMM_MR) {
            size_t m = size_min(GEMM_MR, mc - ir);
            size_t n = size_min(GEMM_NR, nc - jr);
            if (g->lower && ic + ir + m <= jc + jr)
                continue;                       /* all above the diagonal */
            mtc_real *C = g->C + (ic + ir) * g->ldc + jc + jr;
            for (size_t i = 0; i < m; i++) {
                GEMM_PREFETCH(C + i * g->ldc);
                GEMM_PREFETCH(C + i * g->ldc + n - 1);
            }
            gemm_kernel(kc, a + ir * kc, b + jr * kc, tile);
            gemm_store(m, n, g->alpha, tile, beta, C, g->ldc);
        }
}

/* The five loops.  k is cut into equal pieces: a short last one would spend
 * its time on loading and storing C. */
static void gemm_packed(const gemm_product *g, void *work)
{
    mtc_stack st = {(unsigned char *)work, 0, 0, SIZE_MAX};
    mtc_real *a, *b;
    gemm_layout(&st, g->m, g->n, g->k, &a, &b);
    size_t pieces = (g->k - 1) / GEMM_KC + 1;
    size_t piece = (g->k - 1) / pieces + 1;
    const gemm_operand *A = &g->A, *B = &g->B;
    for (size_t jc = 0; jc < g->n; jc += GEMM_NC)
        for (size_t pc = 0; pc < g->k; pc += piece) {
            size_t nc = size_min(GEMM_NC, g->n - jc);
            size_t kc = size_min(piece, g->k - pc);
            gemm_pack(GEMM_NR, nc, kc, B->at + pc * B->row + jc * B->column,
                      B->column, B->row, b);
            /* blocks of rows that end above row jc are all upper triangle */
            size_t first = g->lower ? jc / GEMM_MC * GEMM_MC : 0;
            for (size_t ic = first; ic < g->m; ic += GEMM_MC) {
                size_t mc = size_min(GEMM_MC, g->m - ic);
                gemm_pack(GEMM_MR, mc, kc,
                          A->at + ic * A->row + pc * A->column,
                          A->row, A->column, a);
                gemm_macro(g, ic, mc, jc, nc, kc, pc == 0 ? g->beta : 1,
                           a, b);
            }
        }
}

/* Row c [n] of C times beta; 0 does not read it. */
static void gemm_scale(size_t n, mtc_real beta, mtc_real *c)
{
    if (beta == 0)
        memset(c, 0, n * sizeof *c);
    else if (beta != 1)
        for (size_t j = 0; j < n; j++)
            c[j] *= beta;
}

/* c [n] += alpha a' B, four rows of B [k*ldb] at a time, in order. */
GEMM_HOT static void gemm_row(size_t n, size_t k, mtc_real alpha,
                              const mtc_real *a, size_t step,
                              const mtc_real *B, size_t ldb,
                              mtc_real *restrict c)
{
    size_t p = 0;
    for (; p + 4 <= k; p += 4, B += 4 * ldb) {
        mtc_real a0 = alpha * a[p * step], a1 = alpha * a[(p + 1) * step];
        mtc_real a2 = alpha * a[(p + 2) * step];
        mtc_real a3 = alpha * a[(p + 3) * step];
        const mtc_real *b1 = B + ldb, *b2 = b1 + ldb, *b3 = b2 + ldb;
        for (size_t j = 0; j < n; j++)
            c[j] = (((c[j] + a0 * B[j]) + a1 * b1[j]) + a2 * b2[j]) +
                   a3 * b3[j];
    }
    for (; p < k; p++, B += ldb)
        for (size_t j = 0; j < n; j++)
            c[j] += alpha * a[p * step] * B[j];
}

/* Without packing: a row of C gathers rows of B where these are contiguous;
 * else each entry is a dot product. */
static void gemm_plain(const gemm_product *g)
{
    const gemm_operand *A = &g->A, *B = &g->B;
    for (size_t i = 0; i < g->m; i++) {
        mtc_real *c = g->C + i * g->ldc;
        const mtc_real *a = A->at + i * A->row;
        size_t n = g->lower ? size_min(g->n, i + 1) : g->n;
        gemm_scale(n, g->beta, c);
        if (B->column == 1 && n > 1) {
            gemm_row(n, g->k, g->alpha, a, A->column, B->at, B->row, c);
            continue;
        }
        for (size_t j = 0; j < n; j++) {
            const mtc_real *b = B->at + j * B->column;  /* column j */
            mtc_real sum = 0;
            if (A->column == 1 && B->row == 1)
                sum = mtc_dot(g->k, a, b);
            else
                for (size_t p = 0; p < g->k; p++)
                    sum += a[p * A->column] * b[p * B->row];
            c[j] += g->alpha * sum;
        }
    }
}

/* Does packing cost more than it saves?  Yes for few products, many fewer
 * if the plain loops would have to go across the rows of B; and where a tile
 * would hold mostly zeros, unless the plain loops would stride. */
static int gemm_is_small(const gemm_product *g)
{
    int by_rows = g->B.column == 1;
    if (mtc_mul(mtc_mul(g->m, g->n), g->k) <= (by_rows ? 8000u : 200u))
        return 1;
    return (g->m < 4 && by_rows) ||
           ((g->m < 4 || g->n < 4) && g->A.column == 1);
}

/* Any product.  A'b, one contiguous column, is better had as the row b'A:
 * this runs along the rows of A.  (Small, so work is large enough.) */
static void gemm_run(const gemm_product *g, void *work)
{
    gemm_product h = *g;
    if (g->m == 0 || g->n == 0)
        return;
    if (g->n == 1 && g->ldc == 1 && g->A.row == 1) {
        gemm_operand A = {g->B.at, g->B.column, g->B.row};
        gemm_operand B = {g->A.at, g->A.column, g->A.row};
        h.m = 1;
        h.n = g->m;
        h.A = A;
        h.B = B;
    }
    if (work == NULL || gemm_is_small(&h))
        gemm_plain(&h);
    else
        gemm_packed(&h, work);
}

void mtc_gemm(int trans_a, int trans_b, size_t m, size_t n, size_t k,
              mtc_real alpha, const mtc_real *A, size_t lda,
              const mtc_real *B, size_t ldb,
              mtc_real beta, mtc_real *C, size_t ldc, void *work)
{
    gemm_product g = {m, n, k, gemm_view(trans_a, A, lda),
                      gemm_view(trans_b, B, ldb), alpha, beta, C, ldc, 0};
    gemm_run(&g, work);
}

/* Copies C's lower triangle to the upper, by square blocks: both sides then
 * stay in the cache. */
static void gemm_mirror(size_t n, mtc_real *C, size_t ldc)
{
    const size_t b = 32;
    for (size_t i0 = 0; i0 < n; i0 += b)
        for (size_t j0 = 0; j0 <= i0; j0 += b)
            for (size_t i = i0; i < size_min(n, i0 + b); i++)
                for (size_t j = j0; j < size_min(i, j0 + b); j++)
                    C[j * ldc + i] = C[i * ldc + j];
}

/* The lower triangle of an n x n product, mirrored. */
void mtc_syrk(int trans, size_t n, size_t k,
              mtc_real alpha, const mtc_real *A, size_t lda,
              mtc_real beta, mtc_real *C, size_t ldc, void *work)
{
    gemm_product g = {n, n, k, gemm_view(trans, A, lda),
                      gemm_view(!trans, A, lda), alpha, beta, C, ldc, 1};
    gemm_run(&g, work);
    gemm_mirror(n, C, ldc);
}

/* ==========================================================================
 * Chapter 4  Factorisations and solves
 *
 *   mtc_cholesky           A = L L'          L lower triangular
 *   mtc_triangular_solve   op(L) X = B
 *   mtc_cholesky_solve     L L' X = B
 *   mtc_qr                 A = Q R           Q'Q = I, R upper triangular
 *
 * The textbook algorithms by blocks (Golub and Van Loan, Matrix
 * Computations, 3.1, 4.2, 5.2), so that the bulk of the work is products of
 * chapter 3.  What is left over runs on strips: TRI_W right-hand sides side
 * by side, which a compiler holds in vectors.
 *
 * Cost, in multiplications with addition: n^3/6 (Cholesky), n^2 p / 2 (one
 * triangular solve), 2 m n^2 - 2 n^3/3 (QR with Q).
 * ========================================================================== */

enum {
    TRI_W = 128 / sizeof(mtc_real), /* columns of a strip */
    TRI_NB = 64,                    /* rows of a block in a solve */
    CHOL_NB = 96,                   /* rows and columns of a block */
    QR_NB = 32                      /* reflections taken together */
};

/* X <- op(L)^-1 X for a strip X of w <= TRI_W columns.  With c the right
 * side of row i:  x_i = (c - sum_{j<i} l_ij x_j) / l_ii.  Going back through
 * L' is going forth, seen from the far corner: only strides change sign. */
GEMM_HOT static void tri_strip(int trans, size_t n, size_t w,
                               const mtc_real *L, size_t ldl,
                               mtc_real *X, size_t ldx)
{
    if (n == 0)
        return;
    ptrdiff_t row = trans ? -1 : (ptrdiff_t)ldl;
    ptrdiff_t column = trans ? -(ptrdiff_t)ldl : 1;
    ptrdiff_t step = trans ? -(ptrdiff_t)ldx : (ptrdiff_t)ldx;
    const mtc_real *l = trans ? L + (n - 1) * (ldl + 1) : L;
    mtc_real *x = trans ? X + (n - 1) * ldx : X;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)n; i++) {
        mtc_real c[TRI_W];                      /* lives in registers */
        memcpy(c, x + i * step, w * sizeof *c);
        for (ptrdiff_t j = 0; j < i; j++)
            for (size_t q = 0; q < w; q++)
                c[q] -= l[i * row + j * column] * x[j * step + (ptrdiff_t)q];
        for (size_t q = 0; q < w; q++)
            x[i * step + (ptrdiff_t)q] = c[q] / l[i * (row + column)];
    }
}

/* One contiguous right side b [n]: along the rows of L either way. */
static void tri_vector(int trans, size_t n, const mtc_real *L, size_t ldl,
                       mtc_real *b)
{
    if (trans)
        for (size_t i = n; i-- > 0;) {
            b[i] /= L[i * ldl + i];
            mtc_axpy(i, -b[i], L + i * ldl, b);
        }
    else
        for (size_t i = 0; i < n; i++)
            b[i] = (b[i] - mtc_dot(i, L + i * ldl, b)) / L[i * ldl + i];
}

/* A block of rows at a time, top down (L) or bottom up (L'): what is known
 * already goes to the right side by one product, then strips. */
void mtc_triangular_solve(int trans, size_t n, size_t p,
                          const mtc_real *L, size_t ldl,
                          mtc_real *B, size_t ldb, void *work)
{
    if (p == 1 && ldb == 1) {                   /* a vector */
        tri_vector(trans, n, L, ldl, B);
        return;
    }
    for (size_t done = 0; done < n; done += TRI_NB) {
        size_t nb = size_min(TRI_NB, n - done);
        size_t i = trans ? n - done - nb : done;        /* first row */
        size_t k = trans ? n - done : 0;                /* first row known */
        mtc_real *X = B + i * ldb;
        mtc_gemm(trans, 0, nb, p, done, -1,
                 trans ? L + k * ldl + i : L + i * ldl, ldl,
                 B + k * ldb, ldb, 1, X, ldb, work);
        size_t q = 0;                           /* first column of a strip */
        for (; q + TRI_W <= p; q += TRI_W)
            tri_strip(trans, nb, TRI_W, L + i * ldl + i, ldl, X + q, ldb);
        if (q < p)
            tri_strip(trans, nb, p - q, L + i * ldl + i, ldl, X + q, ldb);
    }
}

/* L L' X = B: first L Y = B, then L' X = Y. */
void mtc_cholesky_solve(size_t n, size_t p, const mtc_real *L,
                        size_t ldl, mtc_real *B, size_t ldb, void *work)
{
    mtc_triangular_solve(0, n, p, L, ldl, B, ldb, work);
    mtc_triangular_solve(1, n, p, L, ldl, B, ldb, work);
}

/* w rows X of A, left of which nothing is missing:  X <- X L^-T, that is
 * L X' = X' as a strip, in strip [n*TRI_W]. */
static void chol_rows(size_t w, size_t n, const mtc_real *L, mtc_real *X,
                      size_t lda, mtc_real *strip)
{
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < TRI_W; i++)
            strip[j * TRI_W + i] = i < w ? X[i * lda + j] : 0;      /* X' */
    tri_strip(0, n, TRI_W, L, lda, strip, TRI_W);
    for (size_t i = 0; i < w; i++)
        for (size_t j = 0; j < n; j++)
            X[i * lda + j] = strip[j * TRI_W + i];
}

/* Rows from..to-1 of L, columns from `from` on, given all to the left:
 *   l_ij = (a_ij - sum_{p<j} l_ip l_jp) / l_jj,   l_ii the root. */
static mtc_status chol_corner(size_t from, size_t to, mtc_real *A,
                              size_t lda, mtc_real least)
{
    for (size_t i = from; i < to; i++) {
        mtc_real *a = A + i * lda;
        for (size_t j = from; j < i; j++)
            a[j] = (a[j] - mtc_dot(j, a, A + j * lda)) / A[j * lda + j];
        mtc_real pivot = a[i] - mtc_dot(i, a, a);
        if (!(pivot > least))                   /* or NaN */
            return MTC_SINGULAR;
        a[i] = MTC_SQRT(pivot);
    }
    return MTC_OK;
}

/* By blocks [A11 .; A21 A22]:  L11 from A11 by strips of rows, then L21 =
 * A21 L11^-T, then A22 - L21 L21' is what remains to be done. */
static mtc_status chol_blocked(size_t n, mtc_real *A, size_t lda,
                               mtc_real least, void *work)
{
    mtc_real *strip = (mtc_real *)work;         /* and gemm's, by turns */
    for (size_t k = 0; k < n; k += CHOL_NB) {
        size_t nb = size_min(CHOL_NB, n - k), rest = n - k - nb;
        mtc_real *A11 = A + k * (lda + 1), *A21 = A11 + nb * lda;
        for (size_t i = 0; i < nb; i += TRI_W) {            /* L11 */
            size_t w = size_min(TRI_W, nb - i);
            chol_rows(w, i, A11, A11 + i * lda, lda, strip);
            if (chol_corner(i, i + w, A11, lda, least) != MTC_OK)
                return MTC_SINGULAR;
        }
        for (size_t i = 0; i < rest; i += TRI_W)            /* L21 */
            chol_rows(size_min(TRI_W, rest - i), nb, A11, A21 + i * lda, lda,
                      strip);
        gemm_product g = {rest, rest, nb, gemm_view(0, A21, lda),
                          gemm_view(1, A21, lda), -1, 1, A21 + nb, lda, 1};
        gemm_run(&g, work);
    }
    return MTC_OK;
}

/* A pivot has lost all its digits when it is within rounding, n eps, of the
 * largest diagonal entry. */
mtc_status mtc_cholesky(size_t n, mtc_real *A, size_t lda, void *work)
{
    mtc_real top = 0;
    for (size_t i = 0; i < n; i++)
        if (A[i * lda + i] > top)
            top = A[i * lda + i];
    mtc_real least = (mtc_real)n * MTC_EPS * top;
    mtc_status s = work == NULL || n <= TRI_W
                       ? chol_corner(0, n, A, lda, least)
                       : chol_blocked(n, A, lda, least, work);
    for (size_t i = 0; i < n && s == MTC_OK; i++)
        memset(A + i * lda + i + 1, 0, (n - i - 1) * sizeof *A);
    return s;
}

/* ---- QR ------------------------------------------------------------------
 * Householder reflections H = I - tau v v', v_0 = 1, nb at a time as
 *   H_1 ... H_nb = I - V T V',   T upper triangular
 * (Schreiber and Van Loan 1989).  V is kept transposed, P = V' [nb*m]: its
 * columns are then contiguous, and packing does not mind. */

typedef struct qr_ws {
    mtc_real *P;                    /* [nb*m] reflectors of a panel */
    mtc_real *T;                    /* [n*nb] one T below the other */
    mtc_real *W, *TW;               /* [nb*n] V'A and T V'A */
    void *gemm;
} qr_ws;

/* gemm meets (nb, n, m), (nb, n, nb) and (m, n, nb): all within (m, n, m). */
static void qr_layout(mtc_stack *st, size_t m, size_t n, qr_ws *w)
{
    size_t nb = size_min(QR_NB, n);
    w->P = MTC_TAKE(st, mtc_mul(nb, m), mtc_real);
    w->T = MTC_TAKE(st, mtc_mul(nb, n), mtc_real);
    w->W = MTC_TAKE(st, mtc_mul(nb, n), mtc_real);
    w->TW = MTC_TAKE(st, mtc_mul(nb, n), mtc_real);
    w->gemm = mtc_take(st, mtc_gemm_work(m, n, m), 1);
}

size_t mtc_qr_work(size_t m, size_t n)
{
    mtc_stack st = {NULL, 0, 0, 0};
    qr_ws w;
    qr_layout(&st, m, n, &w);
    return st.peak;
}

/* H x = beta e_1 for x [m]; x becomes v, returns tau, 0 for x = 0.  x is
 * scaled to largest entry 1 first: no square over- or underflows. */
static mtc_real qr_reflector(size_t m, mtc_real *x, mtc_real *beta)
{
    mtc_real top = 0;
    for (size_t i = 0; i < m; i++)
        if (MTC_FABS(x[i]) > top)
            top = MTC_FABS(x[i]);
    *beta = 0;
    if (top == 0) {
        x[0] = 1;
        return 0;
    }
    for (size_t i = 0; i < m; i++)
        x[i] /= top;
    mtc_real length = MTC_SQRT(mtc_dot(m, x, x));
    mtc_real to = x[0] < 0 ? length : -length;  /* x_0 - to: nothing cancels */
    mtc_real head = x[0] - to;
    for (size_t i = 1; i < m; i++)
        x[i] /= head;
    x[0] = 1;
    *beta = to * top;
    return -head / to;
}

/* Column j of T from those before it:  t_j = -tau T (V'v_j),  t_jj = tau. */
static void qr_column_of_t(size_t j, size_t m, const mtc_real *P,
                           mtc_real tau, mtc_real *T, size_t nb)
{
    for (size_t i = 0; i < j; i++)
        T[i * nb + j] = -tau * mtc_dot(m - j, P + i * m + j, P + j * m + j);
    for (size_t i = 0; i < j; i++) {            /* upper: in place is fine */
        mtc_real sum = 0;
        for (size_t k = i; k < j; k++)
            sum += T[i * nb + k] * T[k * nb + j];
        T[i * nb + j] = sum;
    }
    for (size_t i = j + 1; i < nb; i++)
        T[i * nb + j] = 0;
    T[j * nb + j] = tau;
}

/* Factors the panel A [m*lda], nb columns, m >= nb: R above the diagonal and
 * v below it, as in LAPACK; T [nb*nb]; P holds V', with its zeros. */
static void qr_panel(size_t m, size_t nb, mtc_real *A, size_t lda,
                     mtc_real *P, mtc_real *T)
{
    for (size_t j = 0; j < nb; j++)             /* P = A' */
        for (size_t i = 0; i < m; i++)
            P[j * m + i] = A[i * lda + j];
    for (size_t j = 0; j < nb; j++) {
        mtc_real *v = P + j * m + j, beta;
        mtc_real tau = qr_reflector(m - j, v, &beta);
        for (size_t c = j + 1; c < nb; c++) {   /* H on what is left */
            mtc_real *x = P + c * m + j;
            mtc_axpy(m - j, -tau * mtc_dot(m - j, v, x), v, x);
        }
        for (size_t i = 0; i < j; i++) {        /* R's column is final */
            A[i * lda + j] = P[j * m + i];
            P[j * m + i] = 0;
        }
        A[j * lda + j] = beta;                  /* and v below it */
        for (size_t i = j + 1; i < m; i++)
            A[i * lda + j] = P[j * m + i];
        qr_column_of_t(j, m, P, tau, T, nb);
    }
}

/* V' from where qr_panel left it, below the diagonal of A. */
static void qr_reload(size_t m, size_t nb, const mtc_real *A, size_t lda,
                      mtc_real *P)
{
    for (size_t j = 0; j < nb; j++)
        for (size_t i = 0; i < m; i++)
            P[j * m + i] = i < j ? 0 : i == j ? 1 : A[i * lda + j];
}

/* A [m*lda], n columns:  A <- (I - V op(T) V') A. */
static void qr_apply(int trans, size_t m, size_t n, size_t nb,
                     const mtc_real *T, mtc_real *A, size_t lda,
                     const qr_ws *w)
{
    if (n == 0)
        return;
    /* W = V'A,  TW = op(T) W,  A <- A - V TW */
    mtc_gemm(0, 0, nb, n, m, 1, w->P, m, A, lda, 0, w->W, n, w->gemm);
    mtc_gemm(trans, 0, nb, n, nb, 1, T, nb, w->W, n, 0, w->TW, n, w->gemm);
    mtc_gemm(1, 0, m, n, nb, -1, w->P, m, w->TW, n, 1, A, lda, w->gemm);
}

/* Q = H_1 ... H_n [I; 0]: the panels from last to first, each on the part of
 * the identity that it can reach. */
static void qr_form_q(size_t m, size_t n, mtc_real *A, size_t lda,
                      const qr_ws *w)
{
    for (size_t end = n; end > 0;) {
        size_t j = (end - 1) / QR_NB * QR_NB, nb = end - j;
        mtc_real *Ajj = A + j * (lda + 1);
        qr_reload(m - j, nb, Ajj, lda, w->P);
        for (size_t i = 0; i < m - j; i++) {
            /* rows of the panel whole, below it what was V: [I; 0] */
            memset(Ajj + i * lda, 0, (i < nb ? n - j : nb) * sizeof *A);
            if (i < nb)
                Ajj[i * lda + i] = 1;
        }
        qr_apply(0, m - j, n - j, nb, w->T + j * size_min(QR_NB, n), Ajj, lda,
                 w);
        end = j;
    }
}

/* Is every entry finite? */
static int qr_finite(size_t m, size_t n, const mtc_real *A, size_t lda)
{
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++)
            if (!MTC_FINITE(A[i * lda + j]))
                return 0;
    return 1;
}

/* Factor and apply panel by panel, from the left; R is then on top; Q. */
mtc_status mtc_qr(size_t m, size_t n, mtc_real *A, size_t lda,
                  mtc_real *R, size_t ldr, void *work)
{
    if (m < n)
        return MTC_INVALID;
    if (!qr_finite(m, n, A, lda))
        return MTC_DOMAIN;
    mtc_stack st = {(unsigned char *)work, 0, 0, SIZE_MAX};
    qr_ws w;
    qr_layout(&st, m, n, &w);
    for (size_t j = 0; j < n; j += QR_NB) {
        size_t nb = size_min(QR_NB, n - j);
        mtc_real *Ajj = A + j * (lda + 1);
        mtc_real *T = w.T + j * size_min(QR_NB, n);
        qr_panel(m - j, nb, Ajj, lda, w.P, T);
        qr_apply(1, m - j, n - j - nb, nb, T, Ajj + nb, lda, &w);
    }
    for (size_t i = 0; R != NULL && i < n; i++)
        for (size_t j = 0; j < n; j++)
            R[i * ldr + j] = j < i ? 0 : A[i * lda + j];
    qr_form_q(m, n, A, lda, &w);
    return MTC_OK;
}

/* ==========================================================================
 * Chapter 5  Data views
 *
 * Samples as rows X [n x d], dense or in compressed rows (CSR): the stored
 * values of row i are number row[i] .. row[i+1]-1, with their columns in
 * ascending order.  A stored zero is a value like any other.
 *
 *   times             C = X B          dense: gemm     CSR: rows of B
 *   transpose_times   C = X'B          dense: gemm     CSR: into rows of C
 *   gram              G = X Y'         dense: gemm or syrk;  mixed: strips;
 *                                      CSR: Gustavson (1978) on Y by columns
 *
 * CSR by CSR costs one multiplication for each pair of values that meet in a
 * column, plus writing G: for text with 5 % non-zeros some 1/400 of the
 * dense product's, half of that again if X = Y.
 * ========================================================================== */

/* Rows next to one another; a caller may widen the stride afterwards. */
mtc_data mtc_dense(size_t n, size_t d, const mtc_real *values)
{
    mtc_data X = {n, d, values, d, NULL, NULL};
    return X;
}

/* The stride is of no meaning here, and 0. */
mtc_data mtc_csr(size_t n, size_t d, const size_t *row,
                 const uint32_t *column, const mtc_real *values)
{
    mtc_data X = {n, d, values, 0, row, column};
    return X;
}

/* Beyond this, sums of squares could overflow. */
#ifdef MTC_SINGLE
#define DATA_LIMIT ((mtc_real)1e13)
#else
#define DATA_LIMIT ((mtc_real)1e148)
#endif

/* False for NaN, too. */
static int data_admits(mtc_real x)
{
    return MTC_FABS(x) <= DATA_LIMIT;
}

/* Sizes first: only then can values be looked at. */
static mtc_status data_check_dense(mtc_context *ctx, const mtc_data *X,
                                   size_t task)
{
    if (X->stride < X->d)
        return mtc_fail(ctx, MTC_INVALID, "stride is less than d", task,
                        MTC_NONE, MTC_NONE);
    if (mtc_mul(mtc_mul(X->n, X->stride), sizeof(mtc_real)) == SIZE_MAX)
        return mtc_fail(ctx, MTC_TOO_BIG, "n times stride", task, MTC_NONE,
                        MTC_NONE);
    for (size_t i = 0; i < X->n; i++)
        for (size_t j = 0; j < X->d; j++)
            if (!data_admits(X->values[i * X->stride + j]))
                return mtc_fail(ctx, MTC_DOMAIN, "value is not finite or "
                                "too large", task, i, j);
    return MTC_OK;
}

/* Row i of a CSR view, whose bounds are known to be in order. */
static mtc_status data_check_row(mtc_context *ctx, const mtc_data *X,
                                 size_t i, size_t task)
{
    for (size_t t = X->row[i]; t < X->row[i + 1]; t++) {
        size_t j = X->column[t];
        if (j >= X->d)
            return mtc_fail(ctx, MTC_INVALID, "column is not below d", task,
                            i, j);
        if (t > X->row[i] && X->column[t - 1] >= j)
            return mtc_fail(ctx, MTC_INVALID, "columns do not ascend", task,
                            i, j);
        if (!data_admits(X->values[t]))
            return mtc_fail(ctx, MTC_DOMAIN, "value is not finite or too "
                            "large", task, i, j);
    }
    return MTC_OK;
}

/* From the outside in: nothing is read through a bound that is not known to
 * be in order. */
static mtc_status data_check_csr(mtc_context *ctx, const mtc_data *X,
                                 size_t task)
{
    const uint64_t most = UINT32_MAX;
    if ((uint64_t)X->d > most)
        return mtc_fail(ctx, MTC_INVALID, "more columns than 32 bits count",
                        task, MTC_NONE, MTC_NONE);
    if (X->n >= SIZE_MAX / sizeof *X->row)
        return mtc_fail(ctx, MTC_TOO_BIG, "n", task, MTC_NONE, MTC_NONE);
    if (X->row[0] != 0)
        return mtc_fail(ctx, MTC_INVALID, "row[0] is not 0", task, 0,
                        MTC_NONE);
    for (size_t i = 0; i < X->n; i++)           /* all before any is used */
        if (X->row[i] > X->row[i + 1])
            return mtc_fail(ctx, MTC_INVALID, "row bounds decrease", task, i,
                            MTC_NONE);
    if (X->row[X->n] > 0 && (X->column == NULL || X->values == NULL))
        return mtc_fail(ctx, MTC_INVALID, "data is NULL", task, MTC_NONE,
                        MTC_NONE);
    for (size_t i = 0; i < X->n; i++) {
        mtc_status s = data_check_row(ctx, X, i, task);
        if (s != MTC_OK)
            return s;
    }
    return MTC_OK;
}

/* What both kinds need, then each kind's own. */
mtc_status mtc_data_check(mtc_context *ctx, const mtc_data *X, size_t task)
{
    const char *what = X == NULL ? "data is NULL"
                       : X->n == 0 ? "no samples"
                       : X->d == 0 ? "no features"
                       : X->row == NULL && X->values == NULL ? "data is NULL"
                       : NULL;
    if (what != NULL)
        return mtc_fail(ctx, MTC_INVALID, what, task, MTC_NONE, MTC_NONE);
    return X->row == NULL ? data_check_dense(ctx, X, task)
                          : data_check_csr(ctx, X, task);
}

/* ---- one row ------------------------------------------------------------- */

/* Row i of a dense view. */
static const mtc_real *data_row(const mtc_data *X, size_t i)
{
    return X->values + i * X->stride;
}

/* Four running sums, as the loads are too far apart for vectors. */
mtc_real mtc_data_dot(const mtc_data *X, size_t i, const mtc_real *v)
{
    if (X->row == NULL)
        return mtc_dot(X->d, data_row(X, i), v);
    mtc_real s[4] = {0, 0, 0, 0};
    size_t t = X->row[i], end = X->row[i + 1];
    for (; t + 4 <= end; t += 4)
        for (size_t l = 0; l < 4; l++)
            s[l] += X->values[t + l] * v[X->column[t + l]];
    for (; t < end; t++)
        s[0] += X->values[t] * v[X->column[t]];
    return (s[0] + s[2]) + (s[1] + s[3]);
}

/* v += a x_i. */
void mtc_data_axpy(const mtc_data *X, size_t i, mtc_real a, mtc_real *v)
{
    if (X->row == NULL)
        mtc_axpy(X->d, a, data_row(X, i), v);
    else
        for (size_t t = X->row[i]; t < X->row[i + 1]; t++)
            v[X->column[t]] += a * X->values[t];
}

/* x_i'x_i; both kinds keep the values of a row together. */
void mtc_data_norms(const mtc_data *X, mtc_real *norms)
{
    for (size_t i = 0; i < X->n; i++) {
        size_t from = X->row == NULL ? i * X->stride : X->row[i];
        size_t count = X->row == NULL ? X->d : X->row[i + 1] - from;
        const mtc_real *x = count > 0 ? X->values + from : NULL;
        norms[i] = mtc_dot(count, x, x);
    }
}

/* ---- workspace ----------------------------------------------------------- */

enum { DATA_STRIP = 8 };        /* rows taken together: see data_gather */

/* Y by columns: column j's values, with their rows, are number start[j] ..
 * end[j]-1 so far. */
typedef struct data_columns {
    size_t *start, *end;            /* [d] */
    uint32_t *index;                /* [stored values] */
    mtc_real *value;
} data_columns;

/* As many places as Y stores values. */
static void data_columns_layout(mtc_stack *st, const mtc_data *Y,
                                data_columns *c)
{
    size_t stored = Y->row[Y->n];
    c->start = MTC_TAKE(st, Y->d, size_t);
    c->end = MTC_TAKE(st, Y->d, size_t);
    c->index = MTC_TAKE(st, stored, uint32_t);
    c->value = MTC_TAKE(st, stored, mtc_real);
}

static size_t size_max(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* What times and transpose_times need. */
static size_t data_times_work(const mtc_data *X, size_t p)
{
    return X->row != NULL ? 0 : size_max(mtc_gemm_work(X->n, p, X->d),
                                         mtc_gemm_work(X->d, p, X->n));
}

/* The most that a verb on X, on Y or on both needs. */
size_t mtc_data_work(const mtc_data *X, const mtc_data *Y, size_t p)
{
    size_t times = data_times_work(X, p);
    if (Y == NULL)
        return times;
    mtc_stack st = {NULL, 0, 0, 0};
    data_columns c;
    if (X->row == NULL && Y->row == NULL)       /* gram: by gemm, */
        mtc_take(&st, mtc_gemm_work(X->n, Y->n, X->d), 1);
    else if (X->row != NULL && Y->row != NULL)  /* by Gustavson, */
        data_columns_layout(&st, Y, &c);
    else                                        /* by strips */
        MTC_TAKE(&st, mtc_mul(X->d, DATA_STRIP), mtc_real);
    return size_max(st.peak, size_max(times, data_times_work(Y, p)));
}

/* ---- times --------------------------------------------------------------- */

/* The widest of 8, 4, 2 and 1 columns that `left` still holds. */
static size_t data_width(size_t left)
{
    return left >= 8 ? 8 : left >= 4 ? 4 : left >= 2 ? 2 : 1;
}

/* A width that the compiler knows keeps the sums in registers. */
#define DATA_GATHER(W)                                                    \
    do {                                                                  \
        mtc_real sum[W] = {0};                                            \
        for (size_t t = X->row[i]; t < X->row[i + 1]; t++)                \
            for (size_t q = 0; q < (W); q++)                              \
                sum[q] += X->values[t] * B[X->column[t] * ldb + q];       \
        memcpy(c, sum, sizeof sum);                                       \
    } while (0)

/* c [w] = row i of the CSR view X times w = 8, 4, 2 or 1 columns of B. */
GEMM_HOT static void data_gather(const mtc_data *X, size_t i, size_t w,
                                 const mtc_real *B, size_t ldb, mtc_real *c)
{
    if (w == 8)
        DATA_GATHER(8);
    else if (w == 4)
        DATA_GATHER(4);
    else if (w == 2)
        DATA_GATHER(2);
    else
        DATA_GATHER(1);
}

#define DATA_SCATTER(W)                                                   \
    do {                                                                  \
        for (size_t t = X->row[i]; t < X->row[i + 1]; t++)                \
            for (size_t q = 0; q < (W); q++)                              \
                C[X->column[t] * ldc + q] += X->values[t] * b[q];         \
    } while (0)

/* w columns of C += x_i' b, the other way round. */
GEMM_HOT static void data_scatter(const mtc_data *X, size_t i, size_t w,
                                  const mtc_real *b, mtc_real *C, size_t ldc)
{
    if (w == 8)
        DATA_SCATTER(8);
    else if (w == 4)
        DATA_SCATTER(4);
    else if (w == 2)
        DATA_SCATTER(2);
    else
        DATA_SCATTER(1);
}

/* C_i = sum over stored x_ij of x_ij B_j. */
void mtc_data_times(const mtc_data *X, size_t p,
                    const mtc_real *B, size_t ldb,
                    mtc_real *C, size_t ldc, void *work)
{
    if (X->row == NULL) {
        mtc_gemm(0, 0, X->n, p, X->d, 1, X->values, X->stride, B, ldb, 0, C,
                 ldc, work);
        return;
    }
    for (size_t i = 0; i < X->n; i++)
        if (p == 1 && ldb == 1)
            C[i * ldc] = mtc_data_dot(X, i, B);
        else
            for (size_t q = 0, w; q < p; q += w)
                data_gather(X, i, w = data_width(p - q), B + q, ldb,
                            C + i * ldc + q);
}

/* C_j = sum over stored x_ij of x_ij B_i, by rows i. */
void mtc_data_transpose_times(const mtc_data *X, size_t p,
                              const mtc_real *B, size_t ldb,
                              mtc_real *C, size_t ldc, void *work)
{
    if (X->row == NULL) {
        mtc_gemm(1, 0, X->d, p, X->n, 1, X->values, X->stride, B, ldb, 0, C,
                 ldc, work);
        return;
    }
    for (size_t j = 0; j < X->d; j++)
        memset(C + j * ldc, 0, p * sizeof *C);
    for (size_t i = 0; i < X->n; i++)
        for (size_t q = 0, w; q < p; q += w)
            data_scatter(X, i, w = data_width(p - q), B + i * ldb + q, C + q,
                         ldc);
}

/* ---- gram ---------------------------------------------------------------- */

/* Row i of X by row j of Y, both CSR: a merge. */
static mtc_real data_merge(const mtc_data *X, size_t i, const mtc_data *Y,
                           size_t j)
{
    mtc_real sum = 0;
    size_t s = X->row[i], s_end = X->row[i + 1];
    size_t t = Y->row[j], t_end = Y->row[j + 1];
    while (s < s_end && t < t_end) {
        uint32_t a = X->column[s], b = Y->column[t];
        if (a == b)
            sum += X->values[s] * Y->values[t];
        s += a <= b;                            /* the smaller goes on */
        t += b <= a;
    }
    return sum;
}

/* Room for each column of Y; all empty. */
static void data_columns_open(const mtc_data *Y, data_columns *c)
{
    memset(c->end, 0, Y->d * sizeof *c->end);
    for (size_t t = 0; t < Y->row[Y->n]; t++)   /* lengths of columns */
        c->end[Y->column[t]]++;
    size_t sum = 0;                             /* of those before j */
    for (size_t j = 0; j < Y->d; j++) {
        c->start[j] = sum;
        sum += c->end[j];
        c->end[j] = c->start[j];
    }
}

/* Row i goes to the end of its columns; rows come in ascending order. */
static void data_columns_add(const mtc_data *Y, size_t i, data_columns *c)
{
    for (size_t t = Y->row[i]; t < Y->row[i + 1]; t++) {
        size_t at = c->end[Y->column[t]]++;
        c->index[at] = (uint32_t)i;
        c->value[at] = Y->values[t];
    }
}

/* g_r += x_ij y_rj for the rows r that column j of Y has so far. */
static void data_gustavson(const mtc_data *X, size_t i,
                           const data_columns *c, mtc_real *g)
{
    for (size_t t = X->row[i]; t < X->row[i + 1]; t++) {
        size_t j = X->column[t];
        mtc_real x = X->values[t];
        for (size_t s = c->start[j]; s < c->end[j]; s++)
            g[c->index[s]] += x * c->value[s];
    }
}

/* CSR by CSR.  If X = Y, row i enters the columns just before it is used:
 * they then hold rows 0..i, which gives the lower triangle. */
static void data_gram_sparse(const mtc_data *X, const mtc_data *Y, int same,
                             mtc_real *G, size_t ldg, void *work)
{
    mtc_stack st = {(unsigned char *)work, 0, 0, SIZE_MAX};
    data_columns c;
    data_columns_layout(&st, Y, &c);
    data_columns_open(Y, &c);
    for (size_t j = 0; !same && j < Y->n; j++)
        data_columns_add(Y, j, &c);
    for (size_t i = 0; i < X->n; i++) {
        mtc_real *g = G + i * ldg;
        memset(g, 0, (same ? i + 1 : Y->n) * sizeof *g);
        if (same)
            data_columns_add(Y, i, &c);
        data_gustavson(X, i, &c, g);
    }
}

/* Dense D by CSR S:  entry (i,j) of D S' goes to G[i * row + j * column].  A
 * strip of rows of D is packed side by side, so that a stored value of S
 * meets a vector of them. */
static void data_gram_mixed(const mtc_data *D, const mtc_data *S,
                            mtc_real *G, size_t row, size_t column,
                            mtc_real *strip)
{
    mtc_real sum[DATA_STRIP];
    for (size_t i = 0; i < D->n; i += DATA_STRIP) {
        size_t w = size_min(DATA_STRIP, D->n - i);
        gemm_pack(DATA_STRIP, w, D->d, data_row(D, i), D->stride, 1, strip);
        for (size_t j = 0; j < S->n; j++) {
            for (size_t q = 0; q < DATA_STRIP; q += 8)  /* 8 or, float, 16 */
                data_gather(S, j, 8, strip + q, DATA_STRIP, sum + q);
            for (size_t q = 0; q < w; q++)
                G[(i + q) * row + j * column] = sum[q];
        }
    }
}

/* Without workspace: each entry on its own, the lower triangle if X = Y. */
static void data_gram_plain(const mtc_data *X, const mtc_data *Y, int same,
                            mtc_real *G, size_t ldg)
{
    for (size_t i = 0; i < X->n; i++)
        for (size_t j = 0; j < (same ? i + 1 : Y->n); j++)
            G[i * ldg + j] =
                Y->row == NULL   ? mtc_data_dot(X, i, data_row(Y, j))
                : X->row == NULL ? mtc_data_dot(Y, j, data_row(X, i))
                                 : data_merge(X, i, Y, j);
}

/* Two views of the very same memory? */
static int data_same(const mtc_data *X, const mtc_data *Y)
{
    return X->n == Y->n && X->d == Y->d && X->values == Y->values &&
           X->stride == Y->stride && X->row == Y->row &&
           X->column == Y->column;
}

/* Each pair of kinds has its way; the lower triangle is mirrored if X = Y. */
void mtc_data_gram(const mtc_data *X, const mtc_data *Y,
                   mtc_real *G, size_t ldg, void *work)
{
    int same = data_same(X, Y);
    const uint64_t most = UINT32_MAX;           /* that data_columns counts */
    if (X->row == NULL && Y->row == NULL) {
        if (same)
            mtc_syrk(0, X->n, X->d, 1, X->values, X->stride, 0, G, ldg, work);
        else
            mtc_gemm(0, 1, X->n, Y->n, X->d, 1, X->values, X->stride,
                     Y->values, Y->stride, 0, G, ldg, work);
        return;
    }
    if (work == NULL || Y->n > most)
        data_gram_plain(X, Y, same, G, ldg);
    else if (X->row == NULL)
        data_gram_mixed(X, Y, G, ldg, 1, (mtc_real *)work);
    else if (Y->row == NULL)
        data_gram_mixed(Y, X, G, 1, ldg, (mtc_real *)work);
    else
        data_gram_sparse(X, Y, same, G, ldg, work);
    if (same)
        gemm_mirror(X->n, G, ldg);
}

/* ==========================================================================
 * Chapter 6  Symmetric eigenproblems: common ground, and Jacobi
 *
 *   A V = V diag(w),  V'V = I,  w ascending      A symmetric, lower triangle
 *
 * Three solvers share this chapter's entry and exit:
 *   Jacobi               small matrices, and the reference        (chapter 6)
 *   divide and conquer   all pairs of the tridiagonal form    (chapters 7, 8)
 *   bisection            some pairs of the tridiagonal form   (chapters 7, 9)
 * Entry: A is checked and multiplied by the power of two that brings its
 * largest entry to [1,2), so that no square or product of two entries can
 * overflow, and one that underflows does not matter.  Exit: signs are chosen
 * and w and V are written, the first time that they are touched.
 *
 * Inside, EIGENVECTORS ARE ROWS: row j of Z is the vector of d[j], in no
 * order.  A plane rotation then runs along two contiguous rows.
 *
 * Jacobi: rotations in the (p,q) plane make a_pq zero, row by row through
 * the triangle, until each a_pq is negligible beside BOTH its diagonal
 * entries, |a_pq| <= eps sqrt|a_pp a_qq|.  With this test the eigenvalues of
 * a positive definite matrix D B D, D diagonal and B well conditioned, have
 * small relative errors however graded D is [DV92].  In the first sweeps a
 * threshold skips small entries, which the large ones would fill in again.
 *
 *   [DV92] Demmel, Veselic: Jacobi's method is more accurate than QR.
 *          SIAM J. Matrix Anal. Appl. 13, 1992.
 *
 * Cost: 4 n^3 operations a sweep, 5 to 8 sweeps; n^2 reals.
 * ========================================================================== */

/* The power of two p with 1 <= p x < 2; short of it if p would overflow. */
static mtc_real eig_power(mtc_real x)
{
    mtc_real p = 1;
    for (; x >= 2; x *= (mtc_real)0.5)
        p *= (mtc_real)0.5;
    for (; x > 0 && x < 1 && p < MTC_HUGE / 4; x *= 2)
        p *= 2;
    return p;
}

/* A <- p A, p the power above for the largest entry; *scale = p.  DOMAIN,
 * and nothing done, if an entry is NaN or infinite. */
static mtc_status eig_enter(size_t n, mtc_real *A, size_t lda,
                            mtc_real *scale)
{
    mtc_real largest = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            mtc_real a = MTC_FABS(A[i * lda + j]);
            if (!MTC_FINITE(a))
                return MTC_DOMAIN;
            largest = a > largest ? a : largest;
        }
    *scale = eig_power(largest);
    if (*scale == 1)
        return MTC_OK;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            A[i * lda + j] *= *scale;
    return MTC_OK;
}

/* -1 or 1, so that the largest entry of the signed x is positive; of two
 * that are equal in magnitude, the first. */
static mtc_real eig_sign(size_t n, const mtc_real *x, size_t step)
{
    mtc_real top = 0;
    for (size_t i = 0; i < n; i++)
        if (MTC_FABS(x[i * step]) > MTC_FABS(top))
            top = x[i * step];
    return top < 0 ? (mtc_real)-1 : (mtc_real)1;
}

#define EIG_TILE ((size_t)16)

/* Column j of V [n*ldv] = row order[j] of Z [*n], signed; by square tiles,
 * because one of the two is always walked against the grain. */
static void eig_exit_vectors(size_t n, size_t count, const size_t *order,
                             const mtc_real *Z, mtc_real *V, size_t ldv)
{
    for (size_t j0 = 0; j0 < count; j0 += EIG_TILE) {
        size_t j1 = j0 + EIG_TILE < count ? j0 + EIG_TILE : count;
        mtc_real sign[EIG_TILE] = {0};
        for (size_t j = j0; j < j1; j++)
            sign[j - j0] = eig_sign(n, Z + order[j] * n, 1);
        for (size_t i0 = 0; i0 < n; i0 += EIG_TILE) {
            size_t i1 = i0 + EIG_TILE < n ? i0 + EIG_TILE : n;
            for (size_t i = i0; i < i1; i++)
                for (size_t j = j0; j < j1; j++)
                    V[i * ldv + j] = sign[j - j0] * Z[order[j] * n + i];
        }
    }
}

/* The pairs order[0], order[1] ... of (d, Z), unscaled, to w and V. */
static void eig_exit(size_t n, size_t count, const size_t *order,
                     const mtc_real *d, mtc_real scale, const mtc_real *Z,
                     mtc_real *w, mtc_real *V, size_t ldv)
{
    for (size_t j = 0; j < count; j++)
        w[j] = d[order[j]] / scale;
    if (V != NULL)
        eig_exit_vectors(n, count, order, Z, V, ldv);
}

/* The length of (a,b), with no overflow, and no underflow that matters. */
static mtc_real eig_hypot(mtc_real a, mtc_real b)
{
    mtc_real square = a * a + b * b;
    if (square > MTC_TINY / MTC_EPS && square < MTC_HUGE)
        return MTC_SQRT(square);
    a = MTC_FABS(a);
    b = MTC_FABS(b);
    mtc_real large = a > b ? a : b, small = a > b ? b : a;
    if (large == 0)
        return 0;
    mtc_real ratio = small / large;
    return large * MTC_SQRT(1 + ratio * ratio);
}

/* (x, y) <- (c x - s y, s x + c y), two rows. */
static void eig_rotate(size_t n, mtc_real c, mtc_real s,
                       mtc_real *restrict x, mtc_real *restrict y)
{
    for (size_t i = 0; i < n; i++) {
        mtc_real xi = x[i], yi = y[i];
        x[i] = c * xi - s * yi;
        y[i] = s * xi + c * yi;
    }
}

static void eig_identity(size_t n, mtc_real *Z)
{
    memset(Z, 0, n * n * sizeof *Z);
    for (size_t i = 0; i < n; i++)
        Z[i * n + i] = 1;
}

/* The rotation that takes a_pq to 0: A <- J'AJ, both triangles kept equal,
 * and rows p and q of Z (NULL: no vectors).  t = tan of the smaller angle
 * that does it, so that the pair does not change places needlessly. */
static void jac_rotate(size_t n, mtc_real *A, size_t lda, size_t p, size_t q,
                       mtc_real *Z)
{
    mtc_real *Ap = A + p * lda, *Aq = A + q * lda;
    mtc_real apq = Ap[q], app = Ap[p], aqq = Aq[q];
    mtc_real theta = (aqq / 2 - app / 2) / apq;      /* may be infinite */
    mtc_real t = 1 / (MTC_FABS(theta) + MTC_SQRT(1 + theta * theta));
    if (theta < 0)
        t = -t;
    mtc_real c = 1 / MTC_SQRT(1 + t * t), s = t * c;
    eig_rotate(n, c, s, Ap, Aq);
    Ap[p] = app - t * apq;
    Aq[q] = aqq + t * apq;
    Ap[q] = Aq[p] = 0;
    for (size_t k = 0; k < n; k++) {
        A[k * lda + p] = Ap[k];
        A[k * lda + q] = Aq[k];
    }
    if (Z != NULL)
        eig_rotate(n, c, s, Z + p * n, Z + q * n);
}

/* [DV92]; or so small that its square is nothing beside entries near 1. */
static int jac_negligible(mtc_real apq, mtc_real app, mtc_real aqq)
{
    mtc_real a = MTC_FABS(apq);
    return a <= MTC_TINY ||
           a <= MTC_EPS * MTC_SQRT(MTC_FABS(app)) * MTC_SQRT(MTC_FABS(aqq));
}

/* One pass over the triangle; how many entries were not negligible. */
static size_t jac_sweep(size_t n, mtc_real *A, size_t lda, mtc_real threshold,
                        mtc_real *Z)
{
    size_t met = 0;
    for (size_t p = 0; p < n; p++)
        for (size_t q = p + 1; q < n; q++) {
            mtc_real apq = A[p * lda + q];
            if (jac_negligible(apq, A[p * lda + p], A[q * lda + q]))
                continue;
            met++;
            if (MTC_FABS(apq) >= threshold)
                jac_rotate(n, A, lda, p, q, Z);
        }
    return met;
}

#define JAC_SWEEPS 60                   /* 8 are rare, 12 were never seen */
#define JAC_THRESHOLD_SWEEPS 3

/* A fifth of the mean magnitude off the diagonal. */
static mtc_real jac_threshold(size_t n, const mtc_real *A, size_t lda)
{
    mtc_real sum = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            sum += MTC_FABS(A[i * lda + j]);
    return sum / ((mtc_real)5 * (mtc_real)n * (mtc_real)n / 2);
}

/* diag(d) = Z A Z' for the scaled A, whose upper triangle is filled in. */
static mtc_status jac_solve(size_t n, mtc_real *A, size_t lda, mtc_real *d,
                            mtc_real *Z)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            A[j * lda + i] = A[i * lda + j];
    if (Z != NULL)
        eig_identity(n, Z);
    int sweep = 0;
    for (mtc_real threshold = 0; ; sweep++) {
        threshold = sweep < JAC_THRESHOLD_SWEEPS ? jac_threshold(n, A, lda)
                                                 : 0;
        if (jac_sweep(n, A, lda, threshold, Z) == 0)
            break;
        if (sweep == JAC_SWEEPS)
            return MTC_LIMIT;
    }
    for (size_t i = 0; i < n; i++)
        d[i] = A[i * lda + i];
    return MTC_OK;
}

typedef struct jac_ws { mtc_real *d, *Z; size_t *order; } jac_ws;

static void jac_layout(mtc_stack *st, size_t n, jac_ws *ws)
{
    ws->d = MTC_TAKE(st, n, mtc_real);
    ws->order = MTC_TAKE(st, n, size_t);
    ws->Z = MTC_TAKE(st, mtc_mul(n, n), mtc_real);
}

size_t mtc_jacobi_work(size_t n)
{
    mtc_stack st = {NULL, 0, 0, 0};
    jac_ws ws;
    jac_layout(&st, n, &ws);
    return st.peak;
}

/* Pairs first .. first + count - 1 by Jacobi's method. */
static mtc_status jac_range(size_t n, mtc_real *A, size_t lda, size_t first,
                            size_t count, mtc_real *w, mtc_real *V,
                            size_t ldv, void *work)
{
    mtc_stack st = {(unsigned char *)work, 0, 0, SIZE_MAX};
    jac_ws ws;
    jac_layout(&st, n, &ws);
    mtc_real scale;
    mtc_status s = eig_enter(n, A, lda, &scale);
    if (s == MTC_OK)
        s = jac_solve(n, A, lda, ws.d, V != NULL ? ws.Z : NULL);
    if (s != MTC_OK)
        return s;
    mtc_sort_order(n, ws.d, ws.order);
    eig_exit(n, count, ws.order + first, ws.d, scale, ws.Z, w, V, ldv);
    return MTC_OK;
}

mtc_status mtc_jacobi(size_t n, mtc_real *A, size_t lda, mtc_real *w,
                      mtc_real *V, size_t ldv, void *work)
{
    if (n == 0)
        return MTC_OK;
    return jac_range(n, A, lda, 0, n, w, V, ldv, work);
}

/* ==========================================================================
 * Chapter 7  The tridiagonal form, and back
 *
 *   Q'AQ = T = tridiag(e, d, e),   Q = H_{n-1} ... H_2 H_1,
 *   H_i = I - tau_i v_i v_i',      v_i = (*, ..., *, 1, 0, ..., 0), 1 at i-1
 *
 * From the last row upwards: H_i acts on the first i coordinates and takes
 * row i to (0, ..., 0, e_{i-1}, d_i, ...).  v_i takes the place of the row,
 * where it lies contiguous, for the way back.
 *
 * Blocked [DSH89]: within a panel of TDR_PANEL rows the matrix stays as it
 * is, and what it should be is A - V'W - W'V with the panel's vectors as
 * rows of V and W; a panel's end brings A up to date by one product.  So
 * half of the 4/3 n^3 multiplications are matrix by vector, which reads the
 * triangle once and is bound by memory, and half run at gemm's speed.
 *
 * Back: eigenvectors z' of T become x' = z' H_1 H_2 ... H_{n-1}, and TDR_BACK
 * reflectors at a time are I - V'SV, S upper triangular [SVL89].
 *
 *   [DSH89] Dongarra, Sorensen, Hammarling: block reduction of matrices to
 *           condensed forms.  J. Comput. Appl. Math. 27, 1989.
 *   [SVL89] Schreiber, Van Loan: a storage-efficient WY representation.
 *           SIAM J. Sci. Stat. Comput. 10, 1989.
 *
 * Cost: 4/3 n^3, and back 2 n^2 for each vector; 3 TDR_PANEL n reals.
 * ========================================================================== */

#define TDR_PANEL ((size_t)32)
#define TDR_BACK ((size_t)64)           /* at most 3 TDR_PANEL */
#define TDR_ROWS ((size_t)128)          /* of A brought up to date at a time */
#define TDR_CHUNK ((size_t)512)         /* four rows of it fit a small cache */
#define TDR_SHORT ((size_t)500)         /* it is over before one could ask */

/* y += c_0 a_0 + ... + c_3 a_3, a_k the rows of a [4*lda]. */
static void tdr_add_four(size_t n, const mtc_real *a, size_t lda,
                         const mtc_real c[4], mtc_real *restrict y)
{
    const mtc_real *restrict a0 = a, *restrict a1 = a + lda;
    const mtc_real *restrict a2 = a1 + lda, *restrict a3 = a2 + lda;
    mtc_real c0 = c[0], c1 = c[1], c2 = c[2], c3 = c[3];
    for (size_t k = 0; k < n; k++)
        y[k] += (a0[k] * c0 + a1[k] * c1) + (a2[k] * c2 + a3[k] * c3);
}

/* Row r from column `from` on, diagonal included: both its parts of y. */
static void tdr_add_row(size_t r, size_t from, const mtc_real *a,
                        const mtc_real *x, mtc_real *y)
{
    mtc_real sum = a[r] * x[r];
    for (size_t k = from; k < r; k++) {
        sum += a[k] * x[k];
        y[k] += a[k] * x[r];
    }
    y[r] += sum;
}

/* y = A x, A [n*lda] symmetric from its lower triangle.  Four rows at a time,
 * and TDR_CHUNK of their columns: an entry comes from memory once, for its
 * row's sum and, still in the nearest cache, for its column's. */
static void tdr_symv(size_t n, const mtc_real *A, size_t lda,
                     const mtc_real *x, mtc_real *y)
{
    memset(y, 0, n * sizeof *y);
    size_t r = 0;
    for (; r + 4 <= n; r += 4) {
        const mtc_real *a = A + r * lda;
        for (size_t k = 0; k < r; k += TDR_CHUNK) {
            size_t width = r - k < TDR_CHUNK ? r - k : TDR_CHUNK;
            tdr_add_four(width, a + k, lda, x + r, y + k);
            for (size_t i = 0; i < 4; i++)
                y[r + i] += mtc_dot(width, a + i * lda + k, x + k);
        }
        for (size_t i = 0; i < 4; i++)
            tdr_add_row(r + i, r, a + i * lda, x, y);
    }
    for (; r < n; r++)
        tdr_add_row(r, 0, A + r * lda, x, y);
}

/* A reflector for x [i], i >= 1: (I - tau v v') x = beta e_{i-1}; v over x.
 * Returns tau, 0 if the rest of x is nothing beside entries near 1: below
 * this bound its square would lose digits, and v its length. */
static mtc_real tdr_reflector(size_t i, mtc_real *x, mtc_real *beta)
{
    mtc_real alpha = x[i - 1];
    mtc_real rest = mtc_dot(i - 1, x, x);
    x[i - 1] = 1;
    *beta = alpha;
    if (rest <= MTC_TINY / MTC_EPS) {
        memset(x, 0, (i - 1) * sizeof *x);
        return 0;
    }
    mtc_real length = eig_hypot(alpha, MTC_SQRT(rest));
    *beta = alpha > 0 ? -length : length;
    mtc_real divisor = alpha - *beta;
    for (size_t k = 0; k + 1 < i; k++)
        x[k] /= divisor;
    return (*beta - alpha) / *beta;
}

/* The reduction's state: T, the reflectors' factors, a panel of [V; W; V]
 * with `n` columns, and gemm's memory. */
typedef struct tdr_ws {
    mtc_real *d, *e, *tau;              /* [n] each; e[n-1] = 0 */
    mtc_real *panel;                    /* [3*TDR_PANEL * n] */
    mtc_real *small;                    /* [2*TDR_BACK^2] */
    mtc_real *product;                  /* [2*TDR_BACK * count] */
    void *gemm;
} tdr_ws;

static void tdr_layout(mtc_stack *st, size_t n, size_t count, tdr_ws *ws)
{
    ws->d = MTC_TAKE(st, n, mtc_real);
    ws->e = MTC_TAKE(st, n, mtc_real);
    ws->tau = MTC_TAKE(st, n, mtc_real);
    ws->panel = MTC_TAKE(st, mtc_mul(3 * TDR_PANEL, n), mtc_real);
    ws->small = MTC_TAKE(st, 2 * TDR_BACK * TDR_BACK, mtc_real);
    ws->product = MTC_TAKE(st, mtc_mul(2 * TDR_BACK, count), mtc_real);
    ws->gemm = mtc_take(st, mtc_gemm_work(n, n, n), 1);
}

/* Row i of A as the panel's first `done` reflectors have left it. */
static void tdr_refresh_row(size_t n, size_t i, size_t done, size_t width,
                            const mtc_real *panel, mtc_real *row)
{
    for (size_t t = 0; t < done; t++) {
        const mtc_real *v = panel + t * n, *w = panel + (width + t) * n;
        mtc_axpy(i + 1, -w[i], v, row);
        mtc_axpy(i + 1, -v[i], w, row);
    }
}

/* w = tau (A - V'W - W'V) v, less its part along v/2, so that the two-sided
 * reflection is A - vw' - wv'; first i coordinates. */
static void tdr_companion(size_t n, size_t i, size_t done, size_t width,
                          const mtc_real *A, size_t lda, mtc_real tau,
                          mtc_real *panel)
{
    mtc_real *v = panel + done * n, *w = panel + (width + done) * n;
    if (tau == 0) {
        memset(w, 0, i * sizeof *w);
        return;
    }
    tdr_symv(i, A, lda, v, w);
    for (size_t t = 0; t < done; t++) {
        const mtc_real *vt = panel + t * n, *wt = panel + (width + t) * n;
        mtc_real wv = mtc_dot(i, wt, v), vv = mtc_dot(i, vt, v);
        mtc_axpy(i, -wv, vt, w);
        mtc_axpy(i, -vv, wt, w);
    }
    for (size_t k = 0; k < i; k++)
        w[k] *= tau;
    mtc_axpy(i, -tau / 2 * mtc_dot(i, w, v), v, w);
}

/* Rows hi-1 down to lo: their d, e, tau; v in A; V and W in the panel. */
static void tdr_panel(size_t n, size_t lo, size_t hi, mtc_real *A,
                      size_t lda, tdr_ws *ws)
{
    size_t width = hi - lo;
    for (size_t done = 0; done < width; done++) {
        size_t i = hi - 1 - done;
        mtc_real *row = A + i * lda;
        tdr_refresh_row(n, i, done, width, ws->panel, row);
        ws->d[i] = row[i];
        if (i == 0)
            return;
        ws->tau[i] = tdr_reflector(i, row, &ws->e[i - 1]);
        memcpy(ws->panel + done * n, row, i * sizeof *row);
        tdr_companion(n, i, done, width, A, lda, ws->tau[i], ws->panel);
    }
}

/* The leading m x m triangle: A -= V'W + W'V = [V; W]' [W; V], in strips. */
static void tdr_update(size_t n, size_t m, size_t width, mtc_real *A,
                       size_t lda, tdr_ws *ws)
{
    mtc_real *VW = ws->panel, *WV = ws->panel + width * n;
    for (size_t t = 0; t < width; t++)
        memcpy(WV + (width + t) * n, VW + t * n, m * sizeof *VW);
    for (size_t r = 0; r < m; r += TDR_ROWS) {
        size_t end = r + TDR_ROWS < m ? r + TDR_ROWS : m;
        mtc_gemm(1, 0, end - r, end, 2 * width, -1, VW + r, n, WV, n,
                 1, A + r * lda, lda, ws->gemm);
    }
}

/* T and the reflectors of the lower triangle of A, which they replace. */
static mtc_status tdr_reduce(mtc_context *ctx, size_t n, mtc_real *A,
                             size_t lda, tdr_ws *ws)
{
    mtc_status s = MTC_OK;
    ws->e[n - 1] = ws->tau[0] = 0;
    for (size_t hi = n; s == MTC_OK && hi > 0;) {
        size_t lo = hi > TDR_PANEL ? hi - TDR_PANEL : 0;
        tdr_panel(n, lo, hi, A, lda, ws);
        tdr_update(n, lo, hi - lo, A, lda, ws);
        hi = lo;
        if (n > TDR_SHORT)
            s = mtc_tick(ctx, "eigenvalues", n - hi, n);
    }
    return s;
}

/* S upper triangular with H_a ... H_{b-1} = I - V'SV, from G = VV':
 * column j is -tau_j S G_{0..j-1,j} above tau_j. */
static void tdr_factor(size_t k, const mtc_real *tau, const mtc_real *G,
                       mtc_real *S)
{
    memset(S, 0, k * k * sizeof *S);
    for (size_t j = 0; j < k; j++) {
        for (size_t i = 0; i < j; i++) {
            mtc_real sum = 0;
            for (size_t t = i; t < j; t++)
                sum += S[i * k + t] * G[t * k + j];
            S[i * k + j] = -tau[j] * sum;
        }
        S[j * k + j] = tau[j];
    }
}

/* Rows of Z [count*n], eigenvectors of T, to eigenvectors of A. */
static mtc_status tdr_back(mtc_context *ctx, size_t n, size_t count,
                           const mtc_real *A, size_t lda, mtc_real *Z,
                           tdr_ws *ws)
{
    mtc_status s = MTC_OK;
    mtc_real *V = ws->panel, *G = ws->small, *S = G + TDR_BACK * TDR_BACK;
    mtc_real *ZV = ws->product, *ZVS = ZV + TDR_BACK * count;
    for (size_t a = 1; s == MTC_OK && a < n; a += TDR_BACK) {
        size_t b = a + TDR_BACK < n ? a + TDR_BACK : n;
        size_t k = b - a, length = b - 1;
        for (size_t i = a; i < b; i++) {
            mtc_real *v = V + (i - a) * length;
            memcpy(v, A + i * lda, i * sizeof *v);
            memset(v + i, 0, (length - i) * sizeof *v);
        }
        mtc_syrk(0, k, length, 1, V, length, 0, G, k, ws->gemm);
        tdr_factor(k, ws->tau + a, G, S);
        mtc_gemm(0, 1, count, k, length, 1, Z, n, V, length, 0, ZV, k,
                 ws->gemm);
        mtc_gemm(0, 0, count, k, k, 1, ZV, k, S, k, 0, ZVS, k, ws->gemm);
        mtc_gemm(0, 0, count, length, k, -1, ZVS, k, V, length, 1, Z, n,
                 ws->gemm);
        if (n > TDR_SHORT)
            s = mtc_tick(ctx, "eigenvectors", b, n);
    }
    return s;
}

/* ==========================================================================
 * Chapter 8  All pairs of a tridiagonal matrix
 *
 *   T = tridiag(e, d, e)  ->  d eigenvalues, rows of Z eigenvectors
 *
 * Implicit QL: a shift from the leading 2 x 2 block, one rotation for each
 * row to chase the bulge, deflation where e_m is negligible.  For values
 * alone it takes O(n^2); with vectors 3 n^3 in rotations, so that it serves
 * for the leaves only of
 *
 * Divide and conquer [C81, GE95], bottom-up from leaves of at most DAC_LEAF
 * rows.  T is torn at its cuts,
 *     T = diag(T1, T2) + rho v v',   v = (0, ..., 1, +-1, ..., 0)
 * and with Ti = Zi' Di Zi, z = (Z1; Z2) v, two parts are merged so:
 *   D1  sort D = (D1, D2);
 *   D2  deflate: a pair with tiny rho z_i is final; of two close d one z is
 *       rotated to zero;
 *   D3  the others' eigenvalues are the roots of the secular equation
 *           f(x) = 1/rho + sum_i z_i^2 / (d_i - x) = 0,
 *       one in each interval between poles, found from the nearer pole so
 *       that every d_i - x_j keeps its relative precision;
 *   D4  z^ that the computed roots belong to exactly [GE95]: the vectors
 *       z^_i / (d_i - x_j) are then orthogonal to working precision;
 *   D5  new rows = U (Z1; Z2), two products: rows that came from one part
 *       only have zeros in the other's columns.
 *
 * Roots: rational interpolation with two poles (dlaed4's two ways to choose
 * the constant, after Li), inside a bracket that at worst is halved.
 *
 *   [C81]  Cuppen: a divide and conquer method for the symmetric tridiagonal
 *          eigenproblem.  Numer. Math. 36, 1981.
 *   [GE95] Gu, Eisenstat: a divide-and-conquer algorithm for the symmetric
 *          tridiagonal eigenproblem.  SIAM J. Matrix Anal. Appl. 16, 1995.
 *   [L93]  Li: solving secular equations stably and efficiently.  LAPACK
 *          working note 89, 1993.
 *
 * Cost: 4/3 n^3 when nothing deflates, almost all in gemm; 3 n^2 reals.
 * ========================================================================== */

#define TQL_ROTATIONS 50                /* sweeps for one eigenvalue, at most */

/* A bound on |T| and all its eigenvalues. */
static mtc_real tql_norm(size_t n, const mtc_real *d, const mtc_real *e)
{
    mtc_real norm = 0, before = 0;
    for (size_t i = 0; i < n; i++) {
        mtc_real after = MTC_FABS(e[i]);
        mtc_real sum = MTC_FABS(d[i]) + before + after;
        norm = sum > norm ? sum : norm;
        before = after;
    }
    return norm;
}

/* One implicit QL sweep over rows l..m of an unreduced block; rotations go
 * to rows of Z [*ldz], n long, unless it is NULL. */
static void tql_sweep(size_t l, size_t m, mtc_real *d, mtc_real *e,
                      mtc_real *Z, size_t n, size_t ldz)
{
    mtc_real g = (d[l + 1] - d[l]) / (2 * e[l]);
    mtc_real r = eig_hypot(g, 1);
    g = d[m] - d[l] + e[l] / (g + (g < 0 ? -r : r));    /* Wilkinson's shift */
    mtc_real s = 1, c = 1, p = 0;
    for (size_t i = m; i-- > l;) {
        mtc_real f = s * e[i], b = c * e[i];
        e[i + 1] = r = eig_hypot(f, g);
        if (r == 0) {                   /* the block splits by itself */
            d[i + 1] -= p;
            e[m] = 0;
            return;
        }
        s = f / r;
        c = g / r;
        g = d[i + 1] - p;
        r = (d[i] - g) * s + 2 * c * b;
        p = s * r;
        d[i + 1] = g + p;
        g = c * r - b;
        if (Z != NULL)
            eig_rotate(n, c, s, Z + i * ldz, Z + (i + 1) * ldz);
    }
    d[l] -= p;
    e[l] = g;
    e[m] = 0;
}

/* Eigenvalues of T [n] to d; rows of Z [n*ldz] rotated along.  e is lost.
 * An e below eps |T| / 4 is negligible: the reduction to T has cost more. */
static mtc_status tql_solve(size_t n, mtc_real *d, mtc_real *e, mtc_real *Z,
                            size_t ldz)
{
    mtc_real negligible = MTC_EPS / 4 * tql_norm(n, d, e);
    for (size_t l = 0; l < n; l++)
        for (int sweep = 0; ; sweep++) {
            size_t m = l;
            while (m + 1 < n && MTC_FABS(e[m]) > negligible)
                m++;
            if (m == l)
                break;
            if (sweep == TQL_ROTATIONS)
                return MTC_LIMIT;
            tql_sweep(l, m, d, e, Z, n, ldz);
        }
    return MTC_OK;
}

#define DAC_LEAF ((size_t)32)
#define DAC_STEPS 100                   /* for one root; 3 to 6 are taken */

/* Where a secular function stands: at x = origin + mu, the part of the poles
 * up to the left one (psi <= 0) and from the right one on (phi >= 0). */
typedef struct dac_point {
    mtc_real psi, dpsi, phi, dphi, f, df;
} dac_point;

/* value = sum z^2 / (delta - mu), slope = sum (z / (delta - mu))^2, in four
 * partial sums, for vectors. */
static void dac_sum(size_t n, const mtc_real *z, const mtc_real *delta,
                    mtc_real mu, mtc_real *value, mtc_real *slope)
{
    mtc_real s[4] = {0, 0, 0, 0}, t[4] = {0, 0, 0, 0};
    size_t i = 0;
    for (; i + 4 <= n; i += 4)
        for (size_t l = 0; l < 4; l++) {
            mtc_real q = z[i + l] / (delta[i + l] - mu);
            s[l] += z[i + l] * q;
            t[l] += q * q;
        }
    for (; i < n; i++) {
        mtc_real q = z[i] / (delta[i] - mu);
        s[0] += z[i] * q;
        t[0] += q * q;
    }
    *value = (s[0] + s[1]) + (s[2] + s[3]);
    *slope = (t[0] + t[1]) + (t[2] + t[3]);
}

/* The secular equation of one merge. */
typedef struct dac_secular {
    size_t k;                           /* poles */
    const mtc_real *d, *z;              /* [k] ascending poles, and weights */
    mtc_real inverse_rho;               /* 1/rho > 0 */
} dac_secular;

static dac_point dac_evaluate(const dac_secular *q, size_t left,
                              const mtc_real *delta, mtc_real mu)
{
    dac_point at;
    size_t split = left + 1;
    dac_sum(split, q->z, delta, mu, &at.psi, &at.dpsi);
    dac_sum(q->k - split, q->z + split, delta + split, mu, &at.phi, &at.dphi);
    at.f = q->inverse_rho + at.psi + at.phi;
    at.df = at.dpsi + at.dphi;
    return at;
}

/* f stands within its own rounding error. */
static int dac_is_root(const dac_secular *q, const dac_point *at, mtc_real mu)
{
    mtc_real size = 8 * (at->phi + MTC_FABS(at->psi)) + q->inverse_rho +
                    MTC_FABS(mu) * at->df;
    return MTC_FABS(at->f) <= MTC_EPS * size;
}

/* The next mu: the root of a model  c - s/x + t/(F - x)  with f's value and
 * slope at mu.  Its poles are the nearer one, from where x is measured, and
 * the farther one at F; the one degree of freedom left is the weight s:
 *   middle      each side's slope is matched by its own pole;
 *   otherwise   the nearer pole keeps its true weight z^2.
 * Solved for x itself, not for a step, so that an x tiny beside F comes out
 * with all its digits: (cF) u^2 - (cF + s + t) u + s = 0 for u = x/F, which
 * has one root in (0,1), and with outside = 1 one below 0. */
static mtc_real dac_next(const dac_point *at, mtc_real mu, mtc_real F,
                         mtc_real z, int near_left, int middle, int outside)
{
    mtc_real here = -mu, there = F - mu;
    mtc_real slope = near_left ? at->dpsi : at->dphi;
    if (!middle)
        slope = z / here * (z / here);
    mtc_real s = here * here * slope, t = there * there * (at->df - slope);
    mtc_real cF = F * (at->f - here * slope - there * (at->df - slope));
    mtc_real p = cF + s + t;
    mtc_real root = MTC_SQRT(MTC_FABS(p * p - 4 * cF * s));
    if (outside)
        return F * (p >= 0 ? (p + root) / (2 * cF) : 2 * s / (p - root));
    return F * (p <= 0 ? (p - root) / (2 * cF) : 2 * s / (p + root));
}

/* A number between lo and hi, of one sign: their geometric mean, because the
 * root may lie at any distance from the pole at 0. */
static mtc_real dac_between(mtc_real lo, mtc_real hi)
{
    mtc_real a = MTC_FABS(lo), b = MTC_FABS(hi);
    if (a == 0)
        a = b / 10000;
    if (b == 0)
        b = a / 10000;
    mtc_real mean = MTC_SQRT(a) * MTC_SQRT(b);
    return lo < 0 ? -mean : mean;
}

/* The search for one root: at x = d[origin] + mu, in the bracket (lo, hi) for
 * mu, in which f rises from below 0 to above. */
typedef struct dac_search {
    size_t left, origin;                /* the left pole, the nearer pole */
    mtc_real lo, hi, mu;
    dac_point at;
} dac_search;

/* Root number j lies between poles j and j+1, the last one within |z|^2 rho
 * of its pole.  f half-way tells the nearer; delta [k] = d - d[origin]. */
static dac_search dac_begin(const dac_secular *q, size_t j, mtc_real *delta)
{
    int last = j + 1 == q->k;
    mtc_real width = last ? mtc_dot(q->k, q->z, q->z) / q->inverse_rho
                          : q->d[j + 1] - q->d[j];
    dac_search x = {last ? j - 1 : j, j, 0, width, width / 2,
                    {0, 0, 0, 0, 0, 0}};
    for (size_t i = 0; i < q->k; i++)
        delta[i] = q->d[i] - q->d[j];
    x.at = dac_evaluate(q, x.left, delta, x.mu);
    if (last || x.at.f >= 0)
        return x;
    x.origin = j + 1;
    for (size_t i = 0; i < q->k; i++)
        delta[i] = q->d[i] - q->d[x.origin];
    x.lo = -width;
    x.hi = 0;
    x.mu -= width;
    return x;
}

/* Moves x to its root, or to where no number is left in the bracket. */
static void dac_find(const dac_secular *q, int outside, const mtc_real *delta,
                     dac_search *x)
{
    int near_left = x->origin == x->left, middle = 0, halve = 0;
    mtc_real F = delta[near_left ? x->left + 1 : x->left];
    for (int step = 0; step < DAC_STEPS; step++) {
        if (dac_is_root(q, &x->at, x->mu))
            return;
        mtc_real width = x->hi - x->lo, before = x->at.f;
        *(before < 0 ? &x->lo : &x->hi) = x->mu;
        mtc_real next = dac_next(&x->at, x->mu, F, q->z[x->origin],
                                 near_left, middle, outside);
        if (next == x->mu)
            return;
        if (halve || !(next > x->lo && next < x->hi))
            next = dac_between(x->lo, x->hi);
        if (!(next > x->lo && next < x->hi))
            return;
        x->mu = next;
        x->at = dac_evaluate(q, x->left, delta, next);
        if (x->at.f * before > 0 && x->at.f / before > (mtc_real)0.1)
            middle = !middle;           /* slow: try the other way */
        halve = !halve && MTC_FABS(x->at.f) > MTC_FABS(before) / 2 &&
                x->hi - x->lo > width / 2;
    }
}

/* Root number j: delta [k] = d - x_j to full relative precision; returns x_j.
 * A single pole needs no search. */
static mtc_real dac_root(const dac_secular *q, size_t j, mtc_real *delta)
{
    if (q->k == 1) {
        mtc_real mu = q->z[0] * q->z[0] / q->inverse_rho;
        delta[0] = -mu;
        return q->d[0] + mu;
    }
    dac_search x = dac_begin(q, j, delta);
    dac_find(q, j + 1 == q->k, delta, &x);
    for (size_t i = 0; i < q->k; i++)
        delta[i] -= x.mu;
    return q->d[x.origin] + x.mu;
}

/* Memory of the merges; per-merge arrays are as long as n. */
typedef struct dac_ws {
    mtc_real *Z;                        /* [n*n] vectors as rows */
    mtc_real *Y;                        /* [n*n] rows that take part, packed */
    mtc_real *U;                        /* [n*n] d_i - x_j, then vectors */
    mtc_real *z, *pole, *weight, *hat;  /* [n] */
    size_t *order, *kept, *dropped;     /* [n] rows of Z */
    size_t *place;                      /* [n] kept ones by kind */
    unsigned char *kind;                /* [n] */
    void *gemm;
} dac_ws;

static void dac_layout(mtc_stack *st, size_t n, dac_ws *ws)
{
    ws->Z = MTC_TAKE(st, mtc_mul(n, n), mtc_real);
    ws->Y = MTC_TAKE(st, mtc_mul(n, n), mtc_real);
    ws->U = MTC_TAKE(st, mtc_mul(n, n), mtc_real);
    ws->z = MTC_TAKE(st, n, mtc_real);
    ws->pole = MTC_TAKE(st, n, mtc_real);
    ws->weight = MTC_TAKE(st, n, mtc_real);
    ws->hat = MTC_TAKE(st, n, mtc_real);
    ws->order = MTC_TAKE(st, n, size_t);
    ws->kept = MTC_TAKE(st, n, size_t);
    ws->dropped = MTC_TAKE(st, n, size_t);
    ws->place = MTC_TAKE(st, n, size_t);
    ws->kind = MTC_TAKE(st, n, unsigned char);
}

/* Which columns a row of Z lives in. */
enum { DAC_FIRST, DAC_BOTH, DAC_SECOND };

/* Two parts of T: rows lo..mid-1 and mid..hi-1, joined by e[mid-1]. */
typedef struct dac_merge {
    size_t n, lo, mid, hi;
    mtc_real rho, tolerance;
    size_t kept, dropped;               /* after deflation */
    size_t of_kind[3];
} dac_merge;

/* z = Z v / sqrt 2, so that |z| = 1, and rho doubles. */
static void dac_couple(dac_merge *m, mtc_real e, const mtc_real *d,
                       dac_ws *ws)
{
    const mtc_real half = MTC_SQRT((mtc_real)0.5);
    mtc_real sign = e < 0 ? -half : half, largest_d = 0, largest_z = 0;
    for (size_t r = m->lo; r < m->hi; r++) {
        int first = r < m->mid;
        const mtc_real *row = ws->Z + r * m->n;
        ws->z[r] = first ? half * row[m->mid - 1] : sign * row[m->mid];
        ws->kind[r] = first ? DAC_FIRST : DAC_SECOND;
        if (MTC_FABS(d[r]) > largest_d)
            largest_d = MTC_FABS(d[r]);
        if (MTC_FABS(ws->z[r]) > largest_z)
            largest_z = MTC_FABS(ws->z[r]);
    }
    m->rho = 2 * MTC_FABS(e);
    mtc_real size = m->rho * largest_z;
    m->tolerance = 8 * MTC_EPS * (size > largest_d ? size : largest_d);
}

/* Rows p and s have so close d that a rotation may take z_p to 0: does it,
 * and says 1. */
static int dac_unite(const dac_merge *m, size_t p, size_t s, mtc_real *d,
                     dac_ws *ws)
{
    mtc_real length = eig_hypot(ws->z[p], ws->z[s]);
    mtc_real cosine = ws->z[s] / length, sine = ws->z[p] / length;
    if (MTC_FABS((d[s] - d[p]) * cosine * sine) > m->tolerance)
        return 0;
    ws->z[p] = 0;
    ws->z[s] = length;
    if (ws->kind[p] != ws->kind[s])
        ws->kind[s] = DAC_BOTH;         /* p is out, and its kind forgotten */
    eig_rotate(m->hi - m->lo, cosine, sine, ws->Z + p * m->n + m->lo,
               ws->Z + s * m->n + m->lo);
    mtc_real dp = d[p], ds = d[s];
    d[p] = dp * cosine * cosine + ds * sine * sine;
    d[s] = dp * sine * sine + ds * cosine * cosine;
    return 1;
}

/* D1, D2: kept rows in the order of their d, which then differ enough. */
static void dac_deflate(dac_merge *m, mtc_real *d, dac_ws *ws)
{
    size_t size = m->hi - m->lo, pending = MTC_NONE;
    mtc_sort_order(size, d + m->lo, ws->order);
    m->kept = m->dropped = 0;
    for (size_t i = 0; i < size; i++) {
        size_t row = m->lo + ws->order[i];
        if (m->rho * MTC_FABS(ws->z[row]) <= m->tolerance) {
            ws->dropped[m->dropped++] = row;
            continue;
        }
        if (pending != MTC_NONE) {
            if (dac_unite(m, pending, row, d, ws))
                ws->dropped[m->dropped++] = pending;
            else
                ws->kept[m->kept++] = pending;
        }
        pending = row;
    }
    if (pending != MTC_NONE)
        ws->kept[m->kept++] = pending;
}

/* place: kept numbers, first all of DAC_FIRST, then _BOTH, then _SECOND. */
static void dac_group(dac_merge *m, dac_ws *ws)
{
    size_t c = 0;
    for (unsigned kind = DAC_FIRST; kind <= DAC_SECOND; kind++) {
        size_t start = c;
        for (size_t i = 0; i < m->kept; i++)
            if (ws->kind[ws->kept[i]] == kind)
                ws->place[c++] = i;
        m->of_kind[kind] = c - start;
    }
}

/* D3: U_ji = d_i - x_j; the roots x go to `root` [kept]. */
static void dac_roots(const dac_merge *m, const mtc_real *d, dac_ws *ws,
                      mtc_real *root)
{
    size_t k = m->kept;
    for (size_t i = 0; i < k; i++) {
        ws->pole[i] = d[ws->kept[i]];
        ws->weight[i] = ws->z[ws->kept[i]];
    }
    dac_secular q = {k, ws->pole, ws->weight, 1 / m->rho};
    for (size_t j = 0; j < k; j++)
        root[j] = dac_root(&q, j, ws->U + j * k);
}

/* D4: z^_i^2 = prod_j (x_j - d_i) / prod_{j != i} (d_j - d_i), as a product
 * of quotients near 1, row by row of U; z^ has the signs of z. */
static void dac_recompute(size_t k, dac_ws *ws)
{
    const mtc_real *pole = ws->pole;
    mtc_real *hat = ws->hat;
    for (size_t i = 0; i < k; i++)
        hat[i] = -ws->U[i * k + i];
    for (size_t j = 0; j < k; j++) {
        const mtc_real *u = ws->U + j * k;
        for (size_t i = 0; i < j; i++)
            hat[i] *= u[i] / (pole[i] - pole[j]);
        for (size_t i = j + 1; i < k; i++)
            hat[i] *= u[i] / (pole[i] - pole[j]);
    }
    for (size_t i = 0; i < k; i++) {
        mtc_real size = MTC_SQRT(MTC_FABS(hat[i]));
        hat[i] = ws->weight[i] < 0 ? -size : size;
    }
}

/* Row j of U becomes eigenvector j, z^_i / (d_i - x_j) of length 1, its
 * coordinates grouped by kind. */
static void dac_vectors(size_t k, dac_ws *ws)
{
    mtc_real *v = ws->pole;             /* the poles have done their work */
    for (size_t j = 0; j < k; j++) {
        mtc_real *u = ws->U + j * k;
        for (size_t i = 0; i < k; i++)
            v[i] = ws->hat[i] / u[i];
        mtc_real length = MTC_SQRT(mtc_dot(k, v, v));
        for (size_t c = 0; c < k; c++)
            u[c] = v[ws->place[c]] / length;
    }
}

/* Columns from..to-1 of the kept rows numbered place[c], c = a..b-1. */
static mtc_real *dac_pack(const dac_merge *m, size_t a, size_t b, size_t from,
                          size_t to, const dac_ws *ws, mtc_real *Y)
{
    for (size_t c = a; c < b; c++, Y += to - from)
        memcpy(Y, ws->Z + ws->kept[ws->place[c]] * m->n + from,
               (to - from) * sizeof *Y);
    return Y;
}

/* D5: rows lo .. lo+kept-1 of Z = U (kept rows); the dropped ones follow. */
static void dac_multiply(const dac_merge *m, mtc_real *d,
                         const mtc_real *root, dac_ws *ws)
{
    size_t n = m->n, k = m->kept, size = m->hi - m->lo;
    size_t first = m->of_kind[DAC_FIRST];
    size_t upto = first + m->of_kind[DAC_BOTH];
    mtc_real *Y1 = ws->Y, *Z = ws->Z + m->lo * n;
    mtc_real *Y2 = dac_pack(m, 0, upto, m->lo, m->mid, ws, Y1);
    mtc_real *Y3 = dac_pack(m, first, k, m->mid, m->hi, ws, Y2);
    for (size_t i = 0; i < m->dropped; i++) {
        memcpy(Y3 + i * size, ws->Z + ws->dropped[i] * n + m->lo,
               size * sizeof *Y3);
        ws->z[i] = d[ws->dropped[i]];
    }
    mtc_gemm(0, 0, k, m->mid - m->lo, upto, 1, ws->U, k, Y1, m->mid - m->lo,
             0, Z + m->lo, n, ws->gemm);
    mtc_gemm(0, 0, k, m->hi - m->mid, k - first, 1, ws->U + first, k, Y2,
             m->hi - m->mid, 0, Z + m->mid, n, ws->gemm);
    memcpy(d + m->lo, root, k * sizeof *d);
    for (size_t i = 0; i < m->dropped; i++) {
        memcpy(Z + (k + i) * n + m->lo, Y3 + i * size, size * sizeof *Z);
        d[m->lo + k + i] = ws->z[i];
    }
}

/* D1 to D5 for rows lo..hi-1, cut before mid; `root` is scratch [n]. */
static void dac_join(size_t n, size_t lo, size_t mid, size_t hi, mtc_real e,
                     mtc_real *d, mtc_real *root, dac_ws *ws)
{
    dac_merge m = {n, lo, mid, hi, 0, 0, 0, 0, {0, 0, 0}};
    dac_couple(&m, e, d, ws);
    dac_deflate(&m, d, ws);
    if (m.kept == 0)
        return;                         /* nothing couples: all pairs final */
    dac_group(&m, ws);
    dac_roots(&m, d, ws, root);
    dac_recompute(m.kept, ws);
    dac_vectors(m.kept, ws);
    dac_multiply(&m, d, root, ws);
}

/* Start of part j when n rows are dealt to `parts`, a power of two: halves of
 * halves, so that parts 2j and 2j+1 make part j of half as many. */
static size_t dac_start(size_t n, size_t j, size_t parts)
{
    return n / parts * j + n % parts * j / parts;
}

/* All pairs of T: d, e [n] to eigenvalues d with vectors ws->Z.  e keeps its
 * values at the cuts until they are joined; `spare` is scratch [n]. */
static mtc_status dac_solve(size_t n, mtc_real *d, mtc_real *e,
                            mtc_real *spare, dac_ws *ws)
{
    size_t parts = 1;
    while (n / parts > DAC_LEAF || (n / parts == DAC_LEAF && n % parts > 0))
        parts *= 2;
    eig_identity(n, ws->Z);
    for (size_t j = 1; j < parts; j++) {
        size_t cut = dac_start(n, j, parts);
        mtc_real rho = MTC_FABS(e[cut - 1]);
        d[cut - 1] -= rho;
        d[cut] -= rho;
    }
    for (size_t j = 0; j < parts; j++) {
        size_t lo = dac_start(n, j, parts), hi = dac_start(n, j + 1, parts);
        memcpy(spare, e + lo, (hi - lo) * sizeof *e);
        mtc_status s = tql_solve(hi - lo, d + lo, spare,
                                 ws->Z + lo * n + lo, n);
        if (s != MTC_OK)
            return s;
    }
    for (; parts > 1; parts /= 2)
        for (size_t j = 0; j < parts; j += 2) {
            size_t mid = dac_start(n, j + 1, parts);
            dac_join(n, dac_start(n, j, parts), mid,
                     dac_start(n, j + 2, parts), e[mid - 1], d, spare, ws);
        }
    return MTC_OK;
}

/* ==========================================================================
 * Chapter 9  Some pairs of a tridiagonal matrix
 *
 *   eigenvalues number first .. first + count - 1 of T, and their vectors
 *
 * Values by bisection: the number of negative pivots of T - xI = LDL' is the
 * number of eigenvalues below x (Sturm; Sylvester), a count that no rounding
 * can turn against its order by more than a few eps |T|.  BIS_LANES shifts
 * run side by side, because one recurrence alone waits for its divisions.
 *
 * Vectors by inverse iteration from random starts, (T - wI) x' = x by LU with
 * row exchanges.  After every solve x is held orthogonal (Gram-Schmidt, twice)
 * to the vectors already found whose values lie within INV_CLOSE |T|; farther
 * ones are orthogonal by themselves to eps / INV_CLOSE.  What this takes from
 * x is paid by further iterations, until the true residual |Tx - wx| stands
 * at rounding level and no longer falls.  A start that leads nowhere is drawn
 * again.
 *
 *   [DHP] Demmel, Dhillon, Ren: on the correctness of some bisection-like
 *         parallel eigenvalue algorithms.  ETNA 3, 1995.
 *   [JI]  Jessup, Ipsen: improving the accuracy of inverse iteration.
 *         SIAM J. Sci. Stat. Comput. 13, 1992.
 *
 * Deviation from LAPACK's dstein: T is not split where e is negligible; a
 * vector finds its block by itself, and equal values of several blocks are
 * one cluster.
 *
 * Cost: about 55 counts a value, O(n) each, and O(n (5 + cluster)) a vector.
 * ========================================================================== */

#define BIS_LANES ((size_t)8)

/* below[l] = number of eigenvalues of T less than x[l]; square = e^2.  A
 * pivot of less than `least` counts as -least. */
static void bis_count(size_t n, const mtc_real *d, const mtc_real *square,
                      mtc_real least, const mtc_real x[BIS_LANES],
                      mtc_real below[BIS_LANES])
{
    mtc_real q[BIS_LANES], shift[BIS_LANES], count[BIS_LANES];
    for (size_t l = 0; l < BIS_LANES; l++) {
        q[l] = 1;
        count[l] = 0;
        shift[l] = x[l];
    }
    mtc_real e2 = 0;                    /* of the row above */
    for (size_t i = 0; i < n; i++) {
        for (size_t l = 0; l < BIS_LANES; l++) {
            mtc_real p = (d[i] - shift[l]) - e2 / q[l];
            p = MTC_FABS(p) < least ? -least : p;
            count[l] += p < 0 ? (mtc_real)1 : (mtc_real)0;
            q[l] = p;
        }
        e2 = square[i];
    }
    for (size_t l = 0; l < BIS_LANES; l++)
        below[l] = count[l];
}

/* w [lanes] = eigenvalues first, first + 1, ... of T. */
static void bis_values(size_t n, const mtc_real *d, const mtc_real *square,
                       mtc_real norm, size_t first, size_t lanes, mtc_real *w)
{
    mtc_real lo[BIS_LANES], hi[BIS_LANES], x[BIS_LANES], below[BIS_LANES];
    for (size_t l = 0; l < BIS_LANES; l++) {
        hi[l] = norm * (1 + 4 * MTC_EPS * (mtc_real)n);
        lo[l] = -hi[l];
    }
    /* halved 55 times in double, 26 in float */
    for (mtc_real width = 2 * norm; width > MTC_EPS * norm / 4; width /= 2) {
        for (size_t l = 0; l < BIS_LANES; l++)
            x[l] = lo[l] + (hi[l] - lo[l]) / 2;
        bis_count(n, d, square, MTC_TINY / MTC_EPS, x, below);
        for (size_t l = 0; l < BIS_LANES; l++)
            if (below[l] > (mtc_real)(first + l))
                hi[l] = x[l];
            else
                lo[l] = x[l];
    }
    for (size_t l = 0; l < lanes; l++)
        w[l] = lo[l] + (hi[l] - lo[l]) / 2;
}

#define INV_CLOSE ((mtc_real)0.01)      /* farther ones: eps / 0.01 */
#define INV_STEPS 8                     /* from one start; 2 or 3 are taken */
#define INV_STARTS 4

/* P (T - wI) = L U: U has diagonal u and two superdiagonals, L one factor a
 * row, and swapped says where rows i and i+1 changed places. */
typedef struct inv_ws {
    mtc_real *u, *above, *beyond, *factor;   /* [n] */
    unsigned char *swapped;                  /* [n] */
    mtc_real *x;                             /* [n] */
    mtc_real *square;                        /* [n] e^2, for bisection */
    mtc_real *Z;                             /* [count*n] vectors as rows */
} inv_ws;

static void inv_layout(mtc_stack *st, size_t n, size_t count, inv_ws *ws)
{
    ws->u = MTC_TAKE(st, n, mtc_real);
    ws->above = MTC_TAKE(st, n, mtc_real);
    ws->beyond = MTC_TAKE(st, n, mtc_real);
    ws->factor = MTC_TAKE(st, n, mtc_real);
    ws->swapped = MTC_TAKE(st, n, unsigned char);
    ws->x = MTC_TAKE(st, n, mtc_real);
    ws->square = MTC_TAKE(st, n, mtc_real);
    ws->Z = MTC_TAKE(st, mtc_mul(count, n), mtc_real);
}

/* LU by rows; the pivot of a row that is all but 0 becomes `least`. */
static void inv_factor(size_t n, const mtc_real *d, const mtc_real *e,
                       mtc_real w, mtc_real least, inv_ws *ws)
{
    mtc_real diagonal = d[0] - w, right = e[0];   /* the row in hand */
    for (size_t i = 0; i < n; i++) {
        mtc_real below = i + 1 < n ? e[i] : 0;
        mtc_real next = i + 1 < n ? d[i + 1] - w : 0;
        mtc_real after = i + 1 < n ? e[i + 1] : 0;
        ws->swapped[i] = MTC_FABS(below) > MTC_FABS(diagonal) &&
                         MTC_FABS(below) > least;
        if (ws->swapped[i]) {
            ws->u[i] = below;
            ws->above[i] = next;
            ws->beyond[i] = after;
            ws->factor[i] = diagonal / below;
            diagonal = right - ws->factor[i] * next;
            right = -ws->factor[i] * after;
        } else {
            if (MTC_FABS(diagonal) < least)
                diagonal = diagonal < 0 ? -least : least;
            ws->u[i] = diagonal;
            ws->above[i] = right;
            ws->beyond[i] = 0;
            ws->factor[i] = below / diagonal;
            diagonal = next - ws->factor[i] * right;
            right = after;
        }
    }
}

/* x <- (T - wI)^-1 x, or a multiple of it: several tiny pivots in a row could
 * carry it beyond the range of numbers. */
static void inv_solve(size_t n, const inv_ws *ws, mtc_real *x)
{
    const mtc_real large = MTC_SQRT(MTC_HUGE);
    for (size_t i = 0; i + 1 < n; i++) {
        mtc_real a = x[i], b = x[i + 1];
        x[i] = ws->swapped[i] ? b : a;
        x[i + 1] = ws->swapped[i] ? a - ws->factor[i] * b
                                  : b - ws->factor[i] * a;
    }
    mtc_real next = 0, after = 0;
    for (size_t i = n; i-- > 0;) {
        mtc_real value = (x[i] - ws->above[i] * next - ws->beyond[i] * after)
                         / ws->u[i];
        x[i] = value;
        after = next;
        next = value;
        if (MTC_FABS(value) > large) {
            for (size_t k = 0; k < n; k++)
                x[k] /= large;
            next /= large;
            after /= large;
        }
    }
}

/* x to length 1; 0 if it has none that can be used.  Divided by its largest
 * entry first: a solve may have blown it up. */
static int inv_normalise(size_t n, mtc_real *x)
{
    mtc_real largest = 0;
    for (size_t i = 0; i < n; i++)
        if (!(MTC_FABS(x[i]) <= largest))       /* also for a NaN */
            largest = MTC_FABS(x[i]);
    if (!(largest > 0) || !MTC_FINITE(largest))
        return 0;
    for (size_t i = 0; i < n; i++)
        x[i] /= largest;
    mtc_real length = MTC_SQRT(mtc_dot(n, x, x));
    for (size_t i = 0; i < n; i++)
        x[i] /= length;
    return 1;
}

/* x <- what is left of x orthogonal to the rows of Z [m*n], of length 1. */
static int inv_purge(size_t n, size_t m, const mtc_real *Z, mtc_real *x)
{
    if (!inv_normalise(n, x))
        return 0;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t j = 0; j < m; j++)
            mtc_axpy(n, -mtc_dot(n, Z + j * n, x), Z + j * n, x);
        if (!inv_normalise(n, x))
            return 0;
    }
    return 1;
}

/* |T x - w x| */
static mtc_real inv_residual(size_t n, const mtc_real *d, const mtc_real *e,
                             mtc_real w, const mtc_real *x)
{
    mtc_real sum = 0;
    for (size_t i = 0; i < n; i++) {
        mtc_real r = (d[i] - w) * x[i];
        if (i > 0)
            r += e[i - 1] * x[i - 1];
        if (i + 1 < n)
            r += e[i] * x[i + 1];
        sum += r * r;
    }
    return MTC_SQRT(sum);
}

/* The vector of w to row `out`, orthogonal to the m rows above it; returns
 * its residual.  Stops at rounding level once the residual has stopped
 * falling by half. */
static mtc_real inv_vector(size_t n, const mtc_real *d, const mtc_real *e,
                           mtc_real w, mtc_real norm, size_t m,
                           mtc_random *random, mtc_real *out, inv_ws *ws)
{
    mtc_real best = MTC_HUGE;
    mtc_real target = 4 * MTC_EPS * norm * MTC_SQRT((mtc_real)n);
    inv_factor(n, d, e, w, MTC_EPS * norm + MTC_TINY, ws);
    for (int start = 0; start < INV_STARTS && best > target; start++) {
        for (size_t i = 0; i < n; i++)
            ws->x[i] = mtc_random_real(random) - (mtc_real)0.5;
        mtc_real before = MTC_HUGE;
        for (int step = 0; step < INV_STEPS; step++) {
            inv_solve(n, ws, ws->x);
            if (!inv_purge(n, m, out - m * n, ws->x))
                break;
            mtc_real now = inv_residual(n, d, e, w, ws->x);
            if (now < best) {
                best = now;
                memcpy(out, ws->x, n * sizeof *out);
            }
            if (now <= target && now > before / 2)
                break;
            before = now;
        }
    }
    return best;
}

/* A residual that no start brought below this is a failure; never seen. */
#define INV_LIMIT(n, norm) (100 * MTC_EPS * (norm) * (mtc_real)(n))

/* Values to w [count]; vectors, if `vectors`, to the rows of ws->Z. */
static mtc_status inv_range(size_t n, const mtc_real *d, const mtc_real *e,
                            size_t first, size_t count, int vectors,
                            mtc_real *w, inv_ws *ws)
{
    mtc_real norm = tql_norm(n, d, e);
    for (size_t i = 0; i < n; i++)
        ws->square[i] = e[i] * e[i];
    for (size_t j = 0; j < count; j += BIS_LANES) {
        size_t lanes = count - j < BIS_LANES ? count - j : BIS_LANES;
        bis_values(n, d, ws->square, norm, first + j, lanes, w + j);
    }
    mtc_random random = mtc_random_seed(9);
    size_t close = 0;                   /* the first that is close to w_j */
    for (size_t j = 0; vectors && j < count; j++) {
        while (w[j] - w[close] > INV_CLOSE * norm)
            close++;
        if (inv_vector(n, d, e, w[j], norm, j - close, &random,
                       ws->Z + j * n, ws) > INV_LIMIT(n, norm))
            return MTC_LIMIT;
    }
    return MTC_OK;
}

/* ==========================================================================
 * Chapter 10  The symmetric eigensolvers
 *
 * mtc_symeig is mtc_symeig_range for all pairs.  By size and share:
 *   n <= EIG_SMALL                  Jacobi
 *   values alone, all               tridiagonal form, QL
 *   at most 1 / EIG_SHARE of n      tridiagonal form, bisection
 *   else                            tridiagonal form, divide and conquer
 * Of the full set only the wanted vectors are transformed back.
 * ========================================================================== */

#define EIG_SMALL ((size_t)10)          /* Jacobi is as fast, and exact */
#define EIG_SHARE ((size_t)4)           /* bisection pays up to n / 4 */

/* One memory for all ways: the reduction's, and that of the larger solver. */
typedef struct eig_ws {
    tdr_ws reduction;                   /* d, e of T; reflectors stay in A */
    dac_ws all;                         /* one of the two is laid out */
    inv_ws some;
    mtc_real *w;                        /* [n] */
    size_t *order;                      /* [n] */
} eig_ws;

/* Divide and conquer finds all pairs whether they are asked for or not. */
static int eig_wants_all(size_t n, size_t count)
{
    return count > n / EIG_SHARE;
}

/* For n and count: the reduction, then one of the two solvers of T. */
static void eig_layout(mtc_stack *st, size_t n, size_t count, eig_ws *ws)
{
    tdr_layout(st, n, count, &ws->reduction);
    ws->w = MTC_TAKE(st, n, mtc_real);
    ws->order = MTC_TAKE(st, n, size_t);
    if (eig_wants_all(n, count))
        dac_layout(st, n, &ws->all);
    else
        inv_layout(st, n, count, &ws->some);
    ws->all.gemm = ws->reduction.gemm;  /* never at the same time */
}

/* T's pairs by divide and conquer, or QL for values alone: d, and ws->order
 * sorts it; the wanted rows of Z are moved, in order, to `*Z`. */
static mtc_status eig_all_of_T(size_t n, size_t first, size_t count,
                               int vectors, eig_ws *ws, mtc_real **Z)
{
    mtc_real *d = ws->reduction.d, *e = ws->reduction.e;
    mtc_status s = vectors ? dac_solve(n, d, e, ws->w, &ws->all)
                           : tql_solve(n, d, e, NULL, 0);
    if (s != MTC_OK)
        return s;
    mtc_sort_order(n, d, ws->order);
    for (size_t j = 0; j < count; j++) {
        size_t row = ws->order[first + j];
        ws->w[j] = d[row];
        if (vectors)
            memcpy(ws->all.Y + j * n, ws->all.Z + row * n, n * sizeof **Z);
    }
    *Z = ws->all.Y;
    return MTC_OK;
}

/* A = Q T Q': reduce, solve T, turn its vectors back by Q, whose reflectors
 * are in A meanwhile.  O(4/3 n^3) for T, 2 n^2 a vector for the way back.  w
 * and V are written at the end alone. */
static mtc_status eig_by_T(mtc_context *ctx, size_t n, mtc_real *A, size_t lda,
                           size_t first, size_t count, mtc_real *w,
                           mtc_real *V, size_t ldv, void *work)
{
    mtc_stack st = {(unsigned char *)work, 0, 0, SIZE_MAX};
    eig_ws ws;
    eig_layout(&st, n, count, &ws);
    mtc_real scale, *Z = NULL;
    mtc_status s = eig_enter(n, A, lda, &scale);    /* largest entry 1..2 */
    if (s == MTC_OK)
        s = tdr_reduce(ctx, n, A, lda, &ws.reduction);
    if (s != MTC_OK)
        return s;
    if (eig_wants_all(n, count)) {
        s = eig_all_of_T(n, first, count, V != NULL, &ws, &Z);
    } else {
        s = inv_range(n, ws.reduction.d, ws.reduction.e, first, count,
                      V != NULL, ws.w, &ws.some);
        Z = ws.some.Z;
    }
    if (s == MTC_OK && V != NULL)
        s = tdr_back(ctx, n, count, A, lda, Z, &ws.reduction);
    if (s != MTC_OK)
        return s;
    for (size_t j = 0; j < count; j++)      /* both came in order */
        ws.order[j] = j;
    eig_exit(n, count, ws.order, ws.w, scale, Z, w, V, ldv);
    return MTC_OK;
}

/* Bytes for exactly this n; not monotone in it, see below. */
static size_t eig_work(size_t n, size_t count)
{
    mtc_stack st = {NULL, 0, 0, 0};
    eig_ws ws;
    if (n <= EIG_SMALL)
        return mtc_jacobi_work(n);
    eig_layout(&st, n, count, &ws);
    return st.peak;
}

/* Callers that know n as a bound only may meet a smaller one, of which `count`
 * is a larger share: the largest n that wants all pairs counts too. */
size_t mtc_symeig_range_work(size_t n, size_t count)
{
    size_t all = mtc_mul(EIG_SHARE, count);
    size_t here = eig_work(n, count);
    size_t there = eig_work(size_min(n, all > 0 ? all - 1 : 0), count);
    return here > there ? here : there;
}

mtc_status mtc_symeig_range(mtc_context *ctx, size_t n, mtc_real *A,
                            size_t lda, size_t first, size_t count,
                            mtc_real *w, mtc_real *V, size_t ldv, void *work)
{
    if (first > n || count > n - first) /* no sum, no overflow */
        return mtc_fail(ctx, MTC_INVALID, "count", MTC_NONE, MTC_NONE,
                        MTC_NONE);
    if (count == 0)
        return MTC_OK;
    mtc_place before = error_open(ctx);
    mtc_status s = n <= EIG_SMALL
        ? jac_range(n, A, lda, first, count, w, V, ldv, work)
        : eig_by_T(ctx, n, A, lda, first, count, w, V, ldv, work);
    return error_close(ctx, before, s, "matrix");
}

size_t mtc_symeig_work(size_t n)
{
    return mtc_symeig_range_work(n, n);
}

mtc_status mtc_symeig(mtc_context *ctx, size_t n, mtc_real *A, size_t lda,
                      mtc_real *w, mtc_real *V, size_t ldv, void *work)
{
    return mtc_symeig_range(ctx, n, A, lda, 0, n, w, V, ldv, work);
}

/* ==========================================================================
 * Chapter 11  The largest pairs of an operator
 *
 *   A v = w v  for the `count` largest w;  A symmetric, known by A X only
 *
 * Block Davidson, that is block Krylov with restarts [S03, SZ94]:
 *   Q [n*m]   an orthonormal basis, AQ beside it, H = Q'AQ
 *   K1  H = Y diag(theta) Y'; the Ritz vectors Q y are the best in the basis;
 *   K2  residuals r = AQ y - theta Q y of the next pairs that lack precision;
 *   K3  when the basis is full it shrinks to its leading Ritz vectors;
 *   K4  the residuals, orthonormalised against Q, and their image under A
 *       enter Q and AQ: one application for each basis vector, ever.
 * It begins with count + KRY_GUARD random vectors, so that an eigenvalue may
 * be as many times multiple and each copy is found.  In a block of residuals
 * the place of a pair that has converged goes to a random vector: a direction
 * that the start missed has a further chance.
 *
 * "Precise" is |A v - w v| <= tolerance * scale, scale the largest Ritz
 * value in magnitude met so far, which from below approaches |A|.
 *
 * n not above the largest basis: A is written out and solved as a matrix.
 *
 *   [S03]  Saad: numerical methods for large eigenvalue problems.
 *   [SZ94] Sadkane; Stathopoulos, Saad: thick restarts in block Davidson
 *          methods.  1993, 1998.
 *
 * Memory: n (8 count + 130) reals about.
 * ========================================================================== */

#define KRY_GUARD ((size_t)8)           /* columns beyond count at the start */
#define KRY_BLOCK ((size_t)4)           /* by trial, as the sizes below */
#define KRY_APPLICATIONS ((size_t)1000) /* the default bound, in blocks */
#define KRY_ROWS ((size_t)256)          /* of Q transformed at a time */
#define KRY_PASSES 4                    /* of Gram-Schmidt; 2 are taken */

typedef struct kry_ws {
    size_t n, count;
    size_t start, block;                /* columns of the first X, of later */
    size_t most, keep;                  /* columns of Q, of a restart's Q */
    size_t m;                           /* columns of Q in use */
    mtc_real *Q, *AQ;                   /* [n*most] */
    mtc_real *X, *AX;                   /* [n*start] a block, packed */
    mtc_real *H, *T, *Y;                /* [most*most] lower; copy; vectors */
    mtc_real *theta;                    /* [most] ascending, as Y */
    mtc_real *C;                        /* [most*keep] coefficients */
    mtc_real *rows;                     /* [KRY_ROWS*keep] */
    mtc_real scale;                     /* largest |theta| so far */
    mtc_random random;
    void *gemm, *eigen, *qr;            /* work of each */
} kry_ws;

/* Sizes first; a problem that fits in the basis has no Q, but a matrix. */
static void kry_sizes(size_t n, size_t count, kry_ws *ws)
{
    ws->n = n;
    ws->count = count;
    ws->start = mtc_add(count, KRY_GUARD);
    ws->block = KRY_BLOCK + count / 8;
    ws->keep = mtc_add(ws->start, mtc_mul(2, ws->block));
    ws->most = mtc_add(mtc_mul(2, ws->start), mtc_mul(8, ws->block));
    ws->m = 0;
    ws->scale = 0;
}

/* For the small case H is A [n*n], T its copy, Y [n*count] its vectors. */
static void kry_layout(mtc_stack *st, kry_ws *ws)
{
    size_t n = ws->n, start = ws->start, most = ws->most;
    ws->X = MTC_TAKE(st, mtc_mul(n, start), mtc_real);
    ws->AX = MTC_TAKE(st, mtc_mul(n, start), mtc_real);
    if (n <= most) {
        ws->H = MTC_TAKE(st, mtc_mul(n, n), mtc_real);
        ws->T = MTC_TAKE(st, mtc_mul(n, n), mtc_real);
        ws->theta = MTC_TAKE(st, ws->count, mtc_real);
        ws->Y = MTC_TAKE(st, mtc_mul(n, ws->count), mtc_real);
        ws->eigen = mtc_take(st, mtc_symeig_range_work(n, ws->count), 1);
        return;
    }
    ws->Q = MTC_TAKE(st, mtc_mul(n, most), mtc_real);
    ws->AQ = MTC_TAKE(st, mtc_mul(n, most), mtc_real);
    ws->H = MTC_TAKE(st, mtc_mul(most, most), mtc_real);
    ws->T = MTC_TAKE(st, mtc_mul(most, most), mtc_real);
    ws->Y = MTC_TAKE(st, mtc_mul(most, most), mtc_real);
    ws->theta = MTC_TAKE(st, most, mtc_real);
    ws->C = MTC_TAKE(st, mtc_mul(most, ws->keep), mtc_real);
    ws->rows = MTC_TAKE(st, mtc_mul(KRY_ROWS, ws->keep), mtc_real);
    ws->gemm = mtc_take(st, mtc_gemm_work(n, most, n), 1);
    ws->eigen = mtc_take(st, mtc_symeig_work(most), 1);
    ws->qr = mtc_take(st, mtc_qr_work(n, start), 1);
}

size_t mtc_eigen_operator_work(size_t n, size_t count)
{
    mtc_stack st = {NULL, 0, 0, 0};
    kry_ws ws;
    kry_sizes(n, count, &ws);
    kry_layout(&st, &ws);
    return st.peak;
}

/* The length of column j of R [n*p]. */
static mtc_real kry_column_length(size_t n, size_t p, const mtc_real *R,
                                  size_t j)
{
    mtc_real sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += R[i * p + j] * R[i * p + j];
    return MTC_SQRT(sum);
}

/* Column j of X [n*p] = a direction from nowhere. */
static void kry_random_column(kry_ws *ws, size_t p, size_t j)
{
    for (size_t i = 0; i < ws->n; i++)
        ws->X[i * p + j] = mtc_random_normal(&ws->random);
}

/* K4, first half: X [n*p] to orthonormal columns, orthogonal to Q.  Repeats
 * until a pass finds nothing to take away: where X lies almost in Q, one pass
 * leaves so little that its rounding along Q counts once QR has given it
 * length 1. */
static mtc_status kry_orthonormalise(kry_ws *ws, size_t p)
{
    size_t n = ws->n, m = ws->m, most = ws->most;
    for (int pass = 0; pass < KRY_PASSES; pass++) {
        mtc_real largest = 0;
        mtc_gemm(1, 0, m, p, n, 1, ws->Q, most, ws->X, p, 0, ws->C, p,
                 ws->gemm);
        for (size_t i = 0; i < m * p; i++)
            if (MTC_FABS(ws->C[i]) > largest)
                largest = MTC_FABS(ws->C[i]);
        if (pass > 0 && largest <= 16 * MTC_EPS)
            break;
        mtc_gemm(0, 0, n, p, m, -1, ws->Q, most, ws->C, p, 1, ws->X, p,
                 ws->gemm);
        mtc_status s = mtc_qr(n, p, ws->X, p, NULL, 0, ws->qr);
        if (s != MTC_OK)
            return s;
    }
    return MTC_OK;
}

/* K4, second half: X and AX [n*p] enter the basis, and H = Q'AQ gets p rows,
 * lower triangle, from Q'AX: no other entry changes. */
static void kry_append(kry_ws *ws, size_t p)
{
    size_t n = ws->n, m = ws->m, most = ws->most;
    for (size_t i = 0; i < n; i++) {
        memcpy(ws->Q + i * most + m, ws->X + i * p, p * sizeof *ws->X);
        memcpy(ws->AQ + i * most + m, ws->AX + i * p, p * sizeof *ws->AX);
    }
    ws->m += p;
    mtc_gemm(1, 0, ws->m, p, n, 1, ws->Q, most, ws->AX, p, 0, ws->C, p,
             ws->gemm);
    for (size_t j = 0; j < p; j++)
        for (size_t i = 0; i <= m + j; i++)
            ws->H[(m + j) * most + i] = ws->C[i * p + j];
}

/* K1: theta and Y of the present basis, and the scale.  mtc_symeig destroys
 * its matrix: T is a packed copy of H. */
static mtc_status kry_ritz(kry_ws *ws)
{
    size_t m = ws->m, most = ws->most;
    for (size_t i = 0; i < m; i++)
        memcpy(ws->T + i * m, ws->H + i * most, (i + 1) * sizeof *ws->T);
    mtc_status s = mtc_symeig(NULL, m, ws->T, m, ws->theta, ws->Y, m,
                              ws->eigen);
    if (s != MTC_OK)
        return s;
    if (MTC_FABS(ws->theta[0]) > ws->scale)
        ws->scale = MTC_FABS(ws->theta[0]);
    if (MTC_FABS(ws->theta[m - 1]) > ws->scale)
        ws->scale = MTC_FABS(ws->theta[m - 1]);
    return MTC_OK;
}

/* C [m*p] = Ritz coefficients of pairs first.., the largest being number 0;
 * times -theta if asked. */
static void kry_select(kry_ws *ws, size_t first, size_t p, int times_theta)
{
    size_t m = ws->m;
    for (size_t j = 0; j < p; j++) {
        size_t from = m - 1 - (first + j);
        mtc_real factor = times_theta ? -ws->theta[from] : 1;
        for (size_t i = 0; i < m; i++)
            ws->C[i * p + j] = factor * ws->Y[i * m + from];
    }
}

/* K2: X [n*p] = AQ Y - Q Y diag(theta), residuals of pairs first .. first + p
 * - 1.  AQ is at hand: no application. */
static void kry_residuals(kry_ws *ws, size_t first, size_t p)
{
    kry_select(ws, first, p, 0);
    mtc_gemm(0, 0, ws->n, p, ws->m, 1, ws->AQ, ws->most, ws->C, p,
             0, ws->X, p, ws->gemm);
    kry_select(ws, first, p, 1);
    mtc_gemm(0, 0, ws->n, p, ws->m, 1, ws->Q, ws->most, ws->C, p,
             1, ws->X, p, ws->gemm);
}

/* M [n*most] <- its product with C [m*p], in place, rows by rows. */
static void kry_contract(kry_ws *ws, size_t p, mtc_real *M)
{
    for (size_t r = 0; r < ws->n; r += KRY_ROWS) {
        size_t rows = ws->n - r < KRY_ROWS ? ws->n - r : KRY_ROWS;
        mtc_real *part = M + r * ws->most;
        mtc_gemm(0, 0, rows, p, ws->m, 1, part, ws->most, ws->C, p,
                 0, ws->rows, p, ws->gemm);
        for (size_t i = 0; i < rows; i++)
            memcpy(part + i * ws->most, ws->rows + i * p, p * sizeof *part);
    }
}

/* K3: the basis becomes the leading Ritz vectors, H their values.  AQ is
 * turned with Q and stays its image: no application. */
static void kry_restart(kry_ws *ws)
{
    size_t keep = ws->keep;
    kry_select(ws, 0, keep, 0);
    kry_contract(ws, keep, ws->Q);
    kry_contract(ws, keep, ws->AQ);
    for (size_t i = 0; i < keep; i++) {
        memset(ws->H + i * ws->most, 0, (i + 1) * sizeof *ws->H);
        ws->H[i * ws->most + i] = ws->theta[ws->m - 1 - i];
    }
    ws->m = keep;
}

/* The largest relative residual of all `count` pairs, and in *done how many
 * leading ones lie within the tolerance. */
static mtc_real kry_worst(kry_ws *ws, mtc_real tolerance, size_t *done)
{
    mtc_real worst = 0;
    size_t p = ws->count;               /* X has room for ws->start of them */
    *done = p;
    kry_residuals(ws, 0, p);
    for (size_t k = 0; k < p; k++) {
        mtc_real r = kry_column_length(ws->n, p, ws->X, k);
        if (r > tolerance * ws->scale && k < *done)
            *done = k;
        if (r > worst)
            worst = r;
    }
    return ws->scale > 0 ? worst / ws->scale : 0;
}

/* K2 for the next block from pair *done on, which first moves past those
 * that have converged; the size of the block. */
static size_t kry_next_block(kry_ws *ws, mtc_real tolerance, size_t *done)
{
    size_t left = ws->m - *done;
    size_t p = left < ws->block ? left : ws->block;
    kry_residuals(ws, *done, p);
    size_t first = *done;
    for (size_t j = 0; j < p; j++) {
        if (kry_column_length(ws->n, p, ws->X, j) > tolerance * ws->scale)
            continue;
        if (*done == first + j)
            ++*done;
        kry_random_column(ws, p, j);
    }
    return p;
}

/* w and V = Q Y from the basis, signs by eig_sign: the one place where they
 * are written. */
static void kry_deliver(kry_ws *ws, mtc_real *w, mtc_real *V, size_t ldv)
{
    size_t count = ws->count;
    kry_select(ws, 0, count, 0);
    mtc_gemm(0, 0, ws->n, count, ws->m, 1, ws->Q, ws->most, ws->C, count,
             0, V, ldv, ws->gemm);
    for (size_t j = 0; j < count; j++) {
        w[j] = ws->theta[ws->m - 1 - j];
        mtc_real sign = eig_sign(ws->n, V + j, ldv);
        for (size_t i = 0; i < ws->n; i++)
            V[i * ldv + j] *= sign;
    }
}

/* The loop of the banner.  Its bound is the number of applications.  done
 * counts pairs as they were numbered when they converged; one found later may
 * have come in before them, so all `count` are measured before it ends. */
static mtc_status kry_run(mtc_context *ctx, mtc_operator apply, void *user,
                          mtc_real tolerance, size_t applications,
                          mtc_real *worst, kry_ws *ws)
{
    size_t p = ws->start, done = 0;
    mtc_status s;
    for (size_t j = 0; j < p; j++)
        kry_random_column(ws, p, j);
    for (size_t used = 0; ; used++) {
        if ((s = mtc_tick(ctx, "eigen", used, applications)) != MTC_OK ||
            (s = kry_orthonormalise(ws, p)) != MTC_OK ||
            (s = apply(user, ws->n, p, ws->X, ws->AX)) != MTC_OK)
            return s;
        kry_append(ws, p);              /* K4 */
        if ((s = kry_ritz(ws)) != MTC_OK)   /* K1 */
            return s;
        p = kry_next_block(ws, tolerance, &done);       /* K2 */
        if (done >= ws->count || used + 1 >= applications) {
            *worst = kry_worst(ws, tolerance, &done);
            if (done == ws->count || used + 1 >= applications)
                return MTC_OK;
            p = kry_next_block(ws, tolerance, &done); /* kry_worst has used X */
        }
        if (ws->m + p > ws->most)
            kry_restart(ws);            /* K3 */
    }
}

/* The small case: H = A, by its products with columns of the identity. */
static mtc_status kry_write_out(mtc_context *ctx, mtc_operator apply,
                                void *user, kry_ws *ws)
{
    size_t n = ws->n;
    for (size_t j = 0; j < n; j += ws->start) {
        size_t p = n - j < ws->start ? n - j : ws->start;
        memset(ws->X, 0, n * p * sizeof *ws->X);
        for (size_t k = 0; k < p; k++)
            ws->X[(j + k) * p + k] = 1;
        mtc_status s = mtc_tick(ctx, "eigen", j, n);
        if (s != MTC_OK || (s = apply(user, n, p, ws->X, ws->AX)) != MTC_OK)
            return s;
        for (size_t i = 0; i < n; i++)
            memcpy(ws->H + i * n + j, ws->AX + i * p, p * sizeof *ws->AX);
    }
    return MTC_OK;
}

/* The small case, solved whole; X = H Y - Y diag(theta) has the residuals. */
static mtc_status kry_small(mtc_context *ctx, mtc_operator apply, void *user,
                            mtc_real *w, mtc_real *V, size_t ldv,
                            mtc_real *worst, kry_ws *ws)
{
    size_t n = ws->n, count = ws->count;
    mtc_status s = kry_write_out(ctx, apply, user, ws);
    if (s != MTC_OK)
        return s;
    memcpy(ws->T, ws->H, n * n * sizeof *ws->T);
    s = mtc_symeig_range(ctx, n, ws->T, n, n - count, count, ws->theta, ws->Y,
                         count, ws->eigen);
    if (s != MTC_OK)
        return s;
    mtc_gemm(0, 0, n, count, n, 1, ws->H, n, ws->Y, count, 0, ws->X, count,
             NULL);
    mtc_real low = MTC_FABS(ws->theta[0]);
    mtc_real high = MTC_FABS(ws->theta[count - 1]);
    ws->scale = low > high ? low : high;
    for (size_t j = 0; j < count; j++) {
        size_t from = count - 1 - j;            /* they ascend */
        w[j] = ws->theta[from];
        for (size_t i = 0; i < n; i++) {
            V[i * ldv + j] = ws->Y[i * count + from];
            ws->X[i * count + from] -= w[j] * V[i * ldv + j];
        }
        mtc_real r = kry_column_length(n, count, ws->X, from);
        if (ws->scale > 0 && r / ws->scale > *worst)
            *worst = r / ws->scale;
    }
    return MTC_OK;
}

/* The tolerance for embeddings and components: values are then right to all
 * digits (their error is the square of the vectors'), and vectors to more
 * digits than any use of them asks for. */
static mtc_real kry_enough(void)
{
    mtc_real root = MTC_SQRT(MTC_EPS) / 100, least = 1000 * MTC_EPS;
    return root > least ? root : least;
}

/* Says LIMIT if the applications ran out far from that. */
static mtc_status kry_judge(mtc_context *ctx, mtc_status s, mtc_real residual)
{
    if (s != MTC_OK || residual <= MTC_SQRT(MTC_EPS))
        return s;
    return mtc_fail(ctx, MTC_LIMIT, "eigenvectors", MTC_NONE, MTC_NONE,
                    MTC_NONE);
}

/* A small problem is solved as a matrix, to rounding: tolerance and bound do
 * not matter then.  `worst` is measured either way. */
mtc_status mtc_eigen_operator(mtc_context *ctx, size_t n, mtc_operator apply,
                              void *user, size_t count, mtc_real tolerance,
                              size_t applications, mtc_real *w, mtc_real *V,
                              size_t ldv, mtc_real *residual, void *work)
{
    if (count > n)
        return mtc_fail(ctx, MTC_INVALID, "count", MTC_NONE, MTC_NONE,
                        MTC_NONE);
    if (mtc_eigen_operator_work(n, count) == SIZE_MAX)
        return mtc_fail(ctx, MTC_TOO_BIG, "work", MTC_NONE, MTC_NONE,
                        MTC_NONE);
    kry_ws ws;
    mtc_stack st = {(unsigned char *)work, 0, 0, SIZE_MAX};
    kry_sizes(n, count, &ws);
    kry_layout(&st, &ws);
    mtc_real worst = 0;
    mtc_status s = MTC_OK;
    mtc_place before = error_open(ctx);
    if (count > 0 && n <= ws.most) {
        s = kry_small(ctx, apply, user, w, V, ldv, &worst, &ws);
    } else if (count > 0) {
        ws.random = mtc_stream(ctx, 0x6b7279);  /* "kry" */
        s = kry_run(ctx, apply, user,
                    tolerance > 0 ? tolerance : 1000 * MTC_EPS,
                    applications > 0 ? applications : KRY_APPLICATIONS,
                    &worst, &ws);
        if (s == MTC_OK)
            kry_deliver(&ws, w, V, ldv);
    }
    if (s == MTC_OK && residual != NULL)
        *residual = worst;
    return error_close(ctx, before, s, "operator");
}

/* ==========================================================================
 * Chapter 12  Spectral embedding
 *
 *   U, values: top k pairs of N = D^-1/2 S D^-1/2,  D = diag(S 1),  S >= 0
 *
 * N has its eigenvalues in [-1, 1], 1 once for each connected piece.  A row
 * of degree 0 is isolated: its row of N is 0, and its own unit vector would
 * be an eigenvector of value 0 that says nothing.  Such a row is given the
 * value SPC_ISOLATED < -1 instead, so that it comes last; where k reaches it
 * after all, the column of U is 0.
 *
 * Small S: N is written out and solved by mtc_symeig_range.  Else S is an
 * operator for mtc_eigen_operator; residuals above sqrt(eps) are LIMIT.
 * ========================================================================== */

#define SPC_ISOLATED ((mtc_real)-2)
#define SPC_SMALL_CSR ((size_t)128)
#define SPC_SMALL_DENSE ((size_t)256)
#define SPC_MANY ((size_t)16)           /* more than n / 16 pairs: in full */

/* What the operator needs, and both ways' memory. */
typedef struct spc_ws {
    const mtc_data *S;
    mtc_real *root;                     /* [n] D^-1/2, 0: isolated */
    mtc_real *V, *w;                    /* [n*k], [k] the pairs */
    mtc_real *N;                        /* [n*n] */
    mtc_real *B;                        /* [n*(k+8)] D^-1/2 V */
    void *product, *eigen;              /* work of S B, and of the solver */
} spc_ws;

/* Is N to be written out, and reduced in full?  Few pairs of a larger one
 * come sooner from products; up to 2000 rows there is memory for many. */
static int spc_is_small(size_t n, size_t k, int sparse)
{
    return n <= (sparse ? SPC_SMALL_CSR : SPC_SMALL_DENSE) ||
           (n <= 2000 && k > n / SPC_MANY);
}

/* Written out: N and its solver.  As an operator: B, as wide as the widest
 * block that mtc_eigen_operator asks for. */
static void spc_layout(mtc_stack *st, size_t n, size_t k, int sparse,
                       spc_ws *ws)
{
    size_t p = mtc_add(k, KRY_GUARD);
    ws->root = MTC_TAKE(st, n, mtc_real);
    ws->V = MTC_TAKE(st, mtc_mul(n, k), mtc_real);
    ws->w = MTC_TAKE(st, k, mtc_real);
    if (spc_is_small(n, k, sparse)) {
        ws->N = MTC_TAKE(st, mtc_mul(n, n), mtc_real);
        ws->eigen = mtc_take(st, mtc_symeig_range_work(n, k), 1);
        return;
    }
    mtc_data square = mtc_dense(n, n, NULL);
    ws->B = MTC_TAKE(st, mtc_mul(n, p), mtc_real);
    ws->product = sparse ? NULL      /* plain loops need none */
                         : mtc_take(st, mtc_data_work(&square, NULL, p), 1);
    ws->eigen = mtc_take(st, mtc_eigen_operator_work(n, k), 1);
}

size_t mtc_spectral_work(size_t n, size_t k, int sparse)
{
    mtc_stack st = {NULL, 0, 0, 0};
    spc_ws ws;
    spc_layout(&st, n, k, sparse, &ws);
    return st.peak;
}

/* Entry number t of row i: of the d in a dense row, of the stored in CSR. */
static mtc_real spc_entry(const mtc_data *S, size_t i, size_t t,
                          size_t *column)
{
    *column = S->row != NULL ? S->column[S->row[i] + t] : t;
    return S->values[(S->row != NULL ? S->row[i] : i * S->stride) + t];
}

/* How many such entries row i has. */
static size_t spc_entries(const mtc_data *S, size_t i)
{
    return S->row != NULL ? S->row[i + 1] - S->row[i] : S->d;
}

/* A well-formed view, square, no entry negative, k and sizes possible. */
static mtc_status spc_check(mtc_context *ctx, const mtc_data *S, size_t k)
{
    mtc_status s = mtc_data_check(ctx, S, MTC_NONE);
    if (s != MTC_OK)
        return s;
    if (S->n != S->d)
        return mtc_fail(ctx, MTC_INVALID, "S is not square", MTC_NONE,
                        MTC_NONE, MTC_NONE);
    if (k > S->n)
        return mtc_fail(ctx, MTC_INVALID, "k above n", MTC_NONE, MTC_NONE,
                        MTC_NONE);
    for (size_t i = 0, j; i < S->n; i++)
        for (size_t t = 0; t < spc_entries(S, i); t++)
            if (spc_entry(S, i, t, &j) < 0)
                return mtc_fail(ctx, MTC_DOMAIN, "a negative similarity",
                                MTC_NONE, i, j);
    if (mtc_spectral_work(S->n, k, S->row != NULL) == SIZE_MAX)
        return mtc_fail(ctx, MTC_TOO_BIG, "S", MTC_NONE, MTC_NONE, MTC_NONE);
    return MTC_OK;
}

/* root = D^-1/2, with 0 for a row of degree 0. */
static void spc_degrees(const mtc_data *S, mtc_real *root)
{
    for (size_t i = 0, j; i < S->n; i++) {
        mtc_real degree = 0;
        for (size_t t = 0; t < spc_entries(S, i); t++)
            degree += spc_entry(S, i, t, &j);
        root[i] = degree > 0 ? 1 / MTC_SQRT(degree) : 0;
    }
}

/* N in full, and its pairs, ascending. */
static mtc_status spc_small(mtc_context *ctx, size_t k, spc_ws *ws)
{
    size_t n = ws->S->n;
    memset(ws->N, 0, n * n * sizeof *ws->N);
    for (size_t i = 0, j; i < n; i++) {
        for (size_t t = 0; t < spc_entries(ws->S, i); t++) {
            mtc_real s = spc_entry(ws->S, i, t, &j);
            ws->N[i * n + j] = s * ws->root[i] * ws->root[j];
        }
        if (ws->root[i] == 0)
            ws->N[i * n + i] = SPC_ISOLATED;
    }
    return mtc_symeig_range(ctx, n, ws->N, n, n - k, k, ws->w, ws->V, k,
                            ws->eigen);
}

/* AV = N V = D^-1/2 (S (D^-1/2 V)), and SPC_ISOLATED times V in isolated
 * rows. */
static mtc_status spc_apply(void *user, size_t n, size_t p,
                            const mtc_real *V, mtc_real *AV)
{
    const spc_ws *ws = (const spc_ws *)user;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < p; j++)
            ws->B[i * p + j] = ws->root[i] * V[i * p + j];
    mtc_data_times(ws->S, p, ws->B, p, AV, p, ws->product);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < p; j++)
            AV[i * p + j] = ws->root[i] > 0 ? ws->root[i] * AV[i * p + j]
                                            : SPC_ISOLATED * V[i * p + j];
    return MTC_OK;
}

/* The pairs of N as an operator, descending. */
static mtc_status spc_large(mtc_context *ctx, size_t k, spc_ws *ws)
{
    mtc_real residual = 0;
    mtc_status s = mtc_eigen_operator(ctx, ws->S->n, spc_apply, ws, k,
                                      kry_enough(), 0, ws->w, ws->V, k,
                                      &residual, ws->eigen);
    return kry_judge(ctx, s, residual);
}

/* w and V, in the order they came in, to values and U, descending.  A column
 * that belongs to an isolated row is 0, its value 0 or that before it. */
static void spc_deliver(size_t n, size_t k, int ascending, const spc_ws *ws,
                        mtc_real *U, mtc_real *values)
{
    for (size_t j = 0; j < k; j++) {
        size_t from = ascending ? k - 1 - j : j;
        int real = ws->w[from] > (SPC_ISOLATED - 1) / 2;    /* midway to -1 */
        mtc_real last = j > 0 && values[j - 1] < 0 ? values[j - 1] : 0;
        values[j] = real ? ws->w[from] : last;
        for (size_t i = 0; i < n; i++)
            U[i * k + j] = real && ws->root[i] > 0 ? ws->V[i * k + from] : 0;
    }
}

/* Pairs come ascending from a matrix, descending from an operator. */
mtc_status mtc_spectral(mtc_context *ctx, const mtc_data *S, size_t k,
                        mtc_real *U, mtc_real *values, void *work)
{
    mtc_status s = spc_check(ctx, S, k);
    if (s != MTC_OK)
        return s;
    mtc_stack st = {(unsigned char *)work, 0, 0, SIZE_MAX};
    spc_ws ws = {.S = S};
    int sparse = S->row != NULL, small = spc_is_small(S->n, k, sparse);
    spc_layout(&st, S->n, k, sparse, &ws);
    spc_degrees(S, ws.root);
    if ((s = small ? spc_small(ctx, k, &ws) : spc_large(ctx, k, &ws)) != MTC_OK)
        return s;
    spc_deliver(S->n, k, small, &ws, U, values);
    return MTC_OK;
}

/* ==========================================================================
 * Chapter 13  Principal components
 *
 *   Xc = X - 1 mean' = scores components + rest,  components C [r*d], CC' = I
 *
 *   P1  mean; total = |Xc|^2
 *   P2  pairs of the smaller side:  Xc'Xc [d*d], or Xc Xc' [n*n] when n < d
 *   P3  r: as asked, or the least that keeps the share; never above the rank
 *   P4  C = the eigenvectors; from the n side C = Xc'U, orthonormalised
 *   P5  scores = Xc C'
 *
 * Dense rows are centred before they are multiplied, a block at a time: the
 * difference of two large sums never stands for a small one.  A CSR view is
 * never centred, nor copied: with G = XX' and g = X mean,
 *     Xc Xc' = G - g1' - 1g' + |mean|^2,     Xc'Xc = X'X - n mean mean',
 * at the price of an error near eps |X|^2, below which the rank is cut.
 * When r is given and both sides exceed PCA_DENSE, P2 is an operator: two
 * products with X a time, memory O((n + d) r).
 *
 * Rank: eigenvalues above max(n,d) eps times the largest, and above what
 * rounding can make of constant data.
 * Cost: n d min(n,d) and 9 min(n,d)^3.
 * ========================================================================== */

#define PCA_DENSE ((size_t)2000)        /* a side beyond is not squared where r
                                           is given */
#define PCA_BLOCK ((size_t)128)         /* rows or columns centred at a time */

typedef struct pca_job {
    const mtc_data *X;
    const mtc_pca_options *o;
    mtc_pca_result r;
    size_t side, most;                  /* min(n,d); the largest r */
    mtc_real square;                    /* |X|^2 */
    mtc_real *w;                        /* [most] pairs of the smaller side, */
    mtc_real *V;                        /* [side*most] descending */
    mtc_real *M, *all, *values;         /* [side^2] matrix, pairs ascending */
    mtc_real *C;                        /* [d*most] C' */
    mtc_real *block;                    /* [PCA_BLOCK*max(n,d)] dense: centred
                                           rows or columns */
    mtc_real *row;                      /* [max(n, most + 8)] */
    mtc_real *image;                    /* operator: [max(n,d)*(most+8)] */
    void *product, *eigen, *qr;         /* work of each */
} pca_job;

mtc_pca_options mtc_pca_defaults(void)
{
    mtc_pca_options o = {0, (mtc_real)0.95, 0};
    return o;
}

/* keep matters only where no dimension is given. */
static mtc_status pca_check(mtc_context *ctx, const mtc_data *X,
                            const mtc_pca_options *o)
{
    mtc_status s = mtc_data_check(ctx, X, MTC_NONE);
    if (s != MTC_OK)
        return s;
    const char *bad = NULL;
    if (o == NULL)
        bad = "options";
    else if (o->dimension == 0 && !(o->keep > 0 && o->keep <= 1))
        bad = "keep: need 0 < keep <= 1";
    if (bad == NULL)
        return MTC_OK;
    return mtc_fail(ctx, MTC_INVALID, bad, MTC_NONE, MTC_NONE, MTC_NONE);
}

/* Neither side small enough for its square, and not all of it asked for. */
static int pca_by_operator(const pca_job *j)
{
    return j->o->dimension > 0 && j->side > PCA_DENSE;
}

/* Enough for every product below: X with itself, X or X' with a block of
 * vectors, X with the components, centred blocks. */
static size_t pca_product_work(const mtc_data *X, size_t p)
{
    mtc_data C = mtc_dense(p, X->d, NULL);
    size_t large = X->n > X->d ? X->n : X->d;
    size_t size[3] = {mtc_data_work(X, X, p), mtc_data_work(X, &C, p),
                      mtc_gemm_work(large, large, PCA_BLOCK)};
    for (int i = 1; i < 3; i++)
        if (size[0] < size[i])
            size[0] = size[i];
    return size[0];
}

/* Scratch in phases that do not overlap: P2, then P4, then P5. */
static void pca_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    pca_job *j = (pca_job *)job;
    size_t n = j->X->n, d = j->X->d, large = n > d ? n : d;
    size_t side = j->side = n < d ? n : d;
    size_t most = j->o->dimension > 0 && j->o->dimension < side
                      ? j->o->dimension : side;
    int sparse = j->X->row != NULL;
    size_t wide = mtc_add(most, KRY_GUARD);
    j->most = most;
    j->r.d = d;
    j->r.mean = MTC_TAKE(own, d, mtc_real);
    j->r.components = MTC_TAKE(own, mtc_mul(most, d), mtc_real);
    j->r.variance = MTC_TAKE(own, most, mtc_real);
    j->r.scores = MTC_TAKE(own, mtc_mul(n, most), mtc_real);
    j->w = MTC_TAKE(tmp, most, mtc_real);
    j->V = MTC_TAKE(tmp, mtc_mul(side, most), mtc_real);
    j->row = MTC_TAKE(tmp, n > wide ? n : wide, mtc_real);
    j->block = MTC_TAKE(tmp, sparse ? 0 : mtc_mul(PCA_BLOCK, large), mtc_real);
    j->product = mtc_take(tmp, pca_product_work(j->X, wide), 1);
    size_t mark = tmp->used;
    if (pca_by_operator(j)) {
        j->image = MTC_TAKE(tmp, mtc_mul(large, wide), mtc_real);
        j->eigen = mtc_take(tmp, mtc_eigen_operator_work(side, most), 1);
    } else {
        j->M = MTC_TAKE(tmp, mtc_mul(side, side), mtc_real);
        j->all = MTC_TAKE(tmp, mtc_mul(side, most), mtc_real);
        j->values = MTC_TAKE(tmp, most, mtc_real);
        j->eigen = mtc_take(tmp, mtc_symeig_range_work(side, most), 1);
    }
    tmp->used = mark;
    j->C = MTC_TAKE(tmp, mtc_mul(d, most), mtc_real);
    j->qr = mtc_take(tmp, mtc_qr_work(d, most), 1);
}

size_t mtc_pca_memory(const mtc_data *X, const mtc_pca_options *opt)
{
    pca_job job = {.X = X, .o = opt};
    return mtc_job_memory(pca_layout, &job);
}

/* to [columns] = row i of Xc, `columns` from column `from` on; dense. */
static void pca_centred_row(const mtc_data *X, const mtc_real *mean, size_t i,
                            size_t from, size_t columns, mtc_real *to)
{
    const mtc_real *x = X->values + i * X->stride + from;
    for (size_t k = 0; k < columns; k++)
        to[k] = x[k] - mean[from + k];
}

/* P1: the mean; for dense rows once more on what it leaves, which takes away
 * the rounding of long sums. */
static void pca_mean(pca_job *j)
{
    const mtc_data *X = j->X;
    mtc_real *mean = j->r.mean, share = 1 / (mtc_real)X->n;
    memset(mean, 0, X->d * sizeof *mean);
    if (j->o->uncentred)
        return;
    for (size_t i = 0; i < X->n; i++)
        mtc_data_axpy(X, i, share, mean);
    if (X->row != NULL)
        return;
    mtc_real *rest = j->block, *row = j->block + X->d;
    memset(rest, 0, X->d * sizeof *rest);
    for (size_t i = 0; i < X->n; i++) {
        pca_centred_row(X, mean, i, 0, X->d, row);
        mtc_axpy(X->d, share, row, rest);
    }
    mtc_axpy(X->d, 1, rest, mean);
}

/* P1: total = |Xc|^2, square = |X|^2.  Dense rows are centred before they are
 * squared; for CSR it is |X|^2 - n |mean|^2, cut off at 0. */
static void pca_total(pca_job *j)
{
    const mtc_data *X = j->X;
    const mtc_real *mean = j->r.mean;
    j->r.total = j->square = 0;
    mtc_data_norms(X, j->row);
    for (size_t i = 0; i < X->n; i++) {
        j->square += j->row[i];
        if (X->row != NULL)
            continue;
        pca_centred_row(X, mean, i, 0, X->d, j->block);
        j->r.total += mtc_dot(X->d, j->block, j->block);
    }
    if (X->row != NULL)
        j->r.total = j->square - (mtc_real)X->n * mtc_dot(X->d, mean, mean);
    if (!(j->r.total > 0))
        j->r.total = 0;
}

/* P2, dense: M = Xc'Xc by blocks of rows, or Xc Xc' by blocks of columns. */
static void pca_matrix_dense(pca_job *j)
{
    const mtc_data *X = j->X;
    int gram = X->n < X->d;
    size_t length = gram ? X->d : X->n;
    for (size_t at = 0; at < length; at += PCA_BLOCK) {
        size_t size = length - at < PCA_BLOCK ? length - at : PCA_BLOCK;
        size_t width = gram ? size : X->d;
        for (size_t i = 0; i < (gram ? X->n : size); i++)
            pca_centred_row(X, j->r.mean, gram ? i : at + i, gram ? at : 0,
                            width, j->block + i * width);
        /* M += block block' or block'block; the first one overwrites */
        mtc_syrk(!gram, j->side, size, 1, j->block, width, at > 0 ? 1 : 0,
                 j->M, j->side, j->product);
    }
}

/* P2, CSR: the sums of products that meet, less the mean's part, in the lower
 * triangle (columns of a row ascend).  O(sum of squared row lengths) for
 * X'X. */
static void pca_matrix_csr(pca_job *j)
{
    const mtc_data *X = j->X;
    const mtc_real *mean = j->r.mean;
    size_t n = X->n, d = X->d;
    if (n < d) {
        mtc_real square = mtc_dot(d, mean, mean);
        mtc_data_gram(X, X, j->M, n, j->product);
        for (size_t i = 0; i < n; i++)
            j->row[i] = mtc_data_dot(X, i, mean);   /* g = X mean */
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k <= i; k++)
                j->M[i * n + k] -= j->row[i] + j->row[k] - square;
        return;
    }
    memset(j->M, 0, d * d * sizeof *j->M);
    for (size_t i = 0; i < n; i++)
        for (size_t a = X->row[i]; a < X->row[i + 1]; a++)
            for (size_t b = X->row[i]; b <= a; b++)
                j->M[X->column[a] * d + X->column[b]] +=
                    X->values[a] * X->values[b];
    for (size_t i = 0; i < d; i++)
        mtc_axpy(i + 1, -(mtc_real)n * mean[i], mean, j->M + i * d);
}

/* B [n*p] = Xc A = X A - 1 (mean'A), A [d*p]. */
static void pca_times(pca_job *j, size_t p, const mtc_real *A, mtc_real *B)
{
    mtc_data_times(j->X, p, A, p, B, p, j->product);
    memset(j->row, 0, p * sizeof *j->row);
    for (size_t k = 0; k < j->X->d; k++)
        mtc_axpy(p, j->r.mean[k], A + k * p, j->row);
    for (size_t i = 0; i < j->X->n; i++)
        mtc_axpy(p, -1, j->row, B + i * p);
}

/* B [d*p] = Xc'A = X'A - mean (1'A), A [n*p]. */
static void pca_transpose_times(pca_job *j, size_t p, const mtc_real *A,
                                mtc_real *B)
{
    mtc_data_transpose_times(j->X, p, A, p, B, p, j->product);
    memset(j->row, 0, p * sizeof *j->row);
    for (size_t i = 0; i < j->X->n; i++)
        mtc_axpy(p, 1, A + i * p, j->row);
    for (size_t k = 0; k < j->X->d; k++)
        mtc_axpy(p, -j->r.mean[k], j->row, B + k * p);
}

/* P2 as an operator on the smaller side: Xc (Xc'V) or Xc'(Xc V). */
static mtc_status pca_apply(void *user, size_t n, size_t p,
                            const mtc_real *V, mtc_real *AV)
{
    pca_job *j = (pca_job *)user;
    (void)n;
    if (j->X->n < j->X->d) {
        pca_transpose_times(j, p, V, j->image);
        pca_times(j, p, j->image, AV);
    } else {
        pca_times(j, p, V, j->image);
        pca_transpose_times(j, p, j->image, AV);
    }
    return MTC_OK;
}

/* P2: w and V, descending. */
static mtc_status pca_pairs(mtc_context *ctx, pca_job *j)
{
    size_t side = j->side, most = j->most;
    mtc_status s;
    if (pca_by_operator(j)) {
        mtc_real residual = 0;
        s = mtc_eigen_operator(ctx, side, pca_apply, j, most, kry_enough(), 0,
                               j->w, j->V, most, &residual, j->eigen);
        return kry_judge(ctx, s, residual);
    }
    if (j->X->row != NULL)
        pca_matrix_csr(j);
    else
        pca_matrix_dense(j);
    s = mtc_symeig_range(ctx, side, j->M, side, side - most, most, j->values,
                         j->all, most, j->eigen);
    if (s != MTC_OK)
        return s;
    for (size_t k = 0; k < most; k++) {
        size_t from = most - 1 - k;
        j->w[k] = j->values[from];
        for (size_t i = 0; i < side; i++)
            j->V[i * most + k] = j->all[i * most + from];
    }
    return MTC_OK;
}

/* P3: how many components.  What constant data leaves of itself: a dense
 * row less its mean errs by eps |x| at most, squared here; the differences
 * of sums that a CSR view needs err by eps |X|^2. */
static size_t pca_dimension(const pca_job *j)
{
    size_t n = j->X->n, d = j->X->d, rank = 0, r = 0;
    mtc_real eps = (mtc_real)(n > d ? n : d) * MTC_EPS, kept = 0;
    mtc_real noise = (j->X->row != NULL ? eps : eps * eps) * j->square;
    mtc_real cut = eps * j->w[0];
    cut = cut > noise ? cut : noise;
    while (rank < j->most && j->w[rank] > cut)
        rank++;
    if (j->o->dimension > 0)
        return rank;
    for (; r < rank && kept < j->o->keep * j->r.total; r++)
        kept += j->w[r];
    return r;
}

/* P4: rows of C from the first r pairs.  Xc'u has length sqrt(w), and two of
 * them with small w are far from orthogonal, for u is exact to eps w_0 only:
 * QR in the order of variance mends this and leaves the large ones alone. */
static mtc_status pca_components(pca_job *j, size_t r)
{
    size_t n = j->X->n, d = j->X->d;
    for (size_t i = 0; i < j->side; i++)        /* V packed to r columns */
        memmove(j->V + i * r, j->V + i * j->most, r * sizeof *j->V);
    mtc_real *C = j->V;                 /* from the d side: as it is */
    if (n < d) {
        C = j->C;
        pca_transpose_times(j, r, j->V, C);
        mtc_status s = mtc_qr(d, r, C, r, NULL, 0, j->qr);
        if (s != MTC_OK)
            return s;
    }
    for (size_t k = 0; k < r; k++) {
        mtc_real sign = eig_sign(d, C + k, r);
        j->r.variance[k] = j->w[k];
        for (size_t i = 0; i < d; i++)
            j->r.components[k * d + i] = sign * C[i * r + k];
    }
    return MTC_OK;
}

/* P5: scores [X.n*r] = (X - 1 mean') C'; block [PCA_BLOCK*d]. */
static void pca_project(const mtc_data *X, const mtc_pca_result *res,
                        mtc_real *scores, mtc_real *block, void *product)
{
    size_t r = res->dimension, d = res->d;
    if (X->row != NULL) {
        mtc_data C = mtc_dense(r, d, res->components);
        mtc_data_gram(X, &C, scores, r, product);
        for (size_t k = 0; k < r; k++) {
            /* the same for every row */
            mtc_real offset = mtc_dot(d, res->mean, res->components + k * d);
            for (size_t i = 0; i < X->n; i++)
                scores[i * r + k] -= offset;
        }
        return;
    }
    for (size_t at = 0; at < X->n; at += PCA_BLOCK) {
        size_t rows = X->n - at < PCA_BLOCK ? X->n - at : PCA_BLOCK;
        for (size_t i = 0; i < rows; i++)
            pca_centred_row(X, res->mean, at + i, 0, d, block + i * d);
        mtc_gemm(0, 1, rows, r, d, 1, block, d, res->components, d,
                 0, scores + at * r, r, product);
    }
}

/* P1 to P5.  Constant data has rank 0, and no component or score. */
static mtc_status pca_work(mtc_context *ctx, void *job)
{
    pca_job *j = (pca_job *)job;
    pca_mean(j);                                                    /* P1 */
    pca_total(j);
    mtc_status s = pca_pairs(ctx, j);                               /* P2 */
    if (s != MTC_OK)
        return s;
    size_t r = j->r.dimension = pca_dimension(j);                   /* P3 */
    if (r > 0 && (s = pca_components(j, r)) == MTC_OK)              /* P4 */
        pca_project(j->X, &j->r, j->r.scores, j->block, j->product);/* P5 */
    return s;
}

mtc_status mtc_pca(mtc_context *ctx, const mtc_data *X,
                   const mtc_pca_options *opt, mtc_pca_result *res)
{
    mtc_status s = pca_check(ctx, X, opt);
    if (s != MTC_OK)
        return s;
    pca_job job = {.X = X, .o = opt};
    s = mtc_job_run(ctx, pca_layout, pca_work, &job, &job.r.block,
                    &job.r.block_size);
    if (s == MTC_OK)
        *res = job.r;
    return s;
}

/* New samples: the last step alone. */
typedef struct pca_assign_job {
    const mtc_data *X;
    const mtc_pca_result *res;
    mtc_real *scores, *block;           /* [X.n*r] out; [PCA_BLOCK*d] */
    void *product;
} pca_assign_job;

static void pca_assign_layout(mtc_stack *own, mtc_stack *tmp, void *job)
{
    pca_assign_job *j = (pca_assign_job *)job;
    (void)own;
    j->block = MTC_TAKE(tmp, mtc_mul(PCA_BLOCK, j->X->d), mtc_real);
    j->product = mtc_take(tmp, pca_product_work(j->X, j->res->dimension), 1);
}

static mtc_status pca_assign_work(mtc_context *ctx, void *job)
{
    pca_assign_job *j = (pca_assign_job *)job;
    (void)ctx;
    pca_project(j->X, j->res, j->scores, j->block, j->product);
    return MTC_OK;
}

size_t mtc_pca_assign_memory(const mtc_data *X, const mtc_pca_result *res)
{
    pca_assign_job job = {.X = X, .res = res};
    return res->dimension == 0 ? 0 : mtc_job_memory(pca_assign_layout, &job);
}

mtc_status mtc_pca_assign(mtc_context *ctx, const mtc_data *X,
                          const mtc_pca_result *res, mtc_real *scores)
{
    mtc_status s = mtc_data_check(ctx, X, MTC_NONE);
    if (s != MTC_OK)
        return s;
    if (res == NULL || X->d != res->d)
        return mtc_fail(ctx, MTC_INVALID, "features differ in number",
                        MTC_NONE, MTC_NONE, MTC_NONE);
    if (res->dimension == 0)
        return MTC_OK;
    pca_assign_job job = {.X = X, .res = res, .scores = scores};
    return mtc_job_run(ctx, pca_assign_layout, pca_assign_work, &job, NULL,
                       NULL);
}

void mtc_pca_free(mtc_context *ctx, mtc_pca_result *res)
{
    if (res != NULL)
        mtc_discard(ctx, res, sizeof *res, res->block, res->block_size);
}
