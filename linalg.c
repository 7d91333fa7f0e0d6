/* SPDX-License-Identifier: MIT
 *
 * linalg.c - layer 1 of mtc: the ground that everything stands on.
 *
 * Knows nothing of clustering.  Nothing here allocates except through the
 * stacks of chapter 1, keeps state, or depends on the C library's own
 * exp, log, qsort or rand, which differ from one machine to the next.
 *
 *   Chapter 1  Status, context, memory, random numbers, sorting
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
    ctx.seed = 1;
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

static size_t align_up(size_t size)
{
    size_t padded = mtc_add(size, LIN_ALIGN - 1);
    return padded == SIZE_MAX ? SIZE_MAX : padded / LIN_ALIGN * LIN_ALIGN;
}

static void *arena_allocate(void *memory, size_t size)
{
    mtc_arena *arena = (mtc_arena *)memory;
    size_t padded = align_up(size);
    if (padded > arena->size - arena->used)
        return NULL;
    void *block = arena->base + arena->used;
    arena->used += padded;
    if (arena->peak < arena->used)
        arena->peak = arena->used;
    return block;
}

/* Only the last block can be taken off the top of the bump. */
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

void mtc_give_back(mtc_context *ctx, void *block, size_t size)
{
    if (block == NULL)
        return;
    if (ctx != NULL && ctx->allocate != NULL) {
        if (ctx->release != NULL)
            ctx->release(ctx->memory, block, size);
        return;
    }
#ifndef MTC_NO_MALLOC
    free(block);
#endif
}

void *mtc_take(mtc_stack *st, size_t count, size_t size)
{
    size_t start = st->used;
    st->used = mtc_add(start, align_up(mtc_mul(count, size)));
    if (st->peak < st->used)
        st->peak = st->used;
    if (st->base == NULL)
        return NULL;
    MTC_ASSERT(st->used <= st->size);
    return st->base + start;
}

size_t mtc_measured(const mtc_stack *own, const mtc_stack *tmp)
{
    return mtc_add(own->peak, tmp->peak);
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
    return MTC_OK;
}

mtc_status mtc_open(mtc_context *ctx, mtc_stack *own, mtc_stack *tmp)
{
    if (mtc_measured(own, tmp) > (size_t)PTRDIFF_MAX)
        return mtc_fail(ctx, MTC_TOO_BIG, "memory", MTC_NONE, MTC_NONE,
                        MTC_NONE);
    mtc_status s = stack_open(ctx, own);
    if (s != MTC_OK)
        return s;
    s = stack_open(ctx, tmp);
    if (s != MTC_OK)
        mtc_give_back(ctx, own->base, own->size);
    return s;
}

mtc_status mtc_close(mtc_context *ctx, mtc_stack *own, mtc_stack *tmp,
                     mtc_status s)
{
    mtc_give_back(ctx, tmp->base, tmp->size);
    if (s != MTC_OK)
        mtc_give_back(ctx, own->base, own->size);
    return s;
}

static uint64_t splitmix64(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

mtc_random mtc_random_seed(uint64_t seed)
{
    mtc_random r;
    for (int i = 0; i < 4; i++)
        r.s[i] = splitmix64(&seed);
    return r;
}

mtc_random mtc_stream(const mtc_context *ctx, uint64_t stream)
{
    uint64_t seed = ctx != NULL ? ctx->seed : 1;
    uint64_t mixed = splitmix64(&seed) ^ stream;
    return mtc_random_seed(splitmix64(&mixed));
}

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

/* Unbiased: numbers above the last whole multiple of n are drawn again. */
size_t mtc_random_below(mtc_random *r, size_t n)
{
    if (n < 2)
        return 0;
    uint64_t limit = UINT64_MAX - UINT64_MAX % n;
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
    return key[a] < key[b] || (key[a] == key[b] && a < b);
}

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

/* Heapsort: no extra memory, no worst case, one answer for every input. */
void mtc_sort_order(size_t n, const mtc_real *key, size_t *order)
{
    for (size_t i = 0; i < n; i++)
        order[i] = i;
    for (size_t i = n / 2; i-- > 0;)
        sift_down(key, order, i, n);
    for (size_t i = n; i-- > 1;) {
        size_t top = order[0];
        order[0] = order[i];
        order[i] = top;
        sift_down(key, order, 0, i);
    }
}
