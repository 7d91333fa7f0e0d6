/* SPDX-License-Identifier: MIT
 *
 * linalg.c - memory, random numbers, data views and linear algebra.
 *
 * The other two files stand on this one: lp.c calls linalg.c, and mtc.c calls
 * both.  This file knows nothing of clustering.  It allocates only through the
 * stacks of chapter 1, it keeps no state, and it does not use the C library's
 * exp, log, qsort or rand, which differ from one machine to the next.
 *
 *   Chapter 1   Status, context, memory, random numbers, sorting
 *   Chapter 2   exp, log, tanh
 *   Chapter 3   Products of vectors and matrices
 *   Chapter 4   Factorizations and solves
 *   Chapter 5   Data views
 *   Chapter 6   Symmetric eigenproblems: common ground, and Jacobi
 *   Chapter 7   The tridiagonal form, and back
 *   Chapter 8   All pairs of a tridiagonal matrix
 *   Chapter 9   The symmetric eigensolvers
 *   Chapter 10  The largest pairs of an operator
 *   Chapter 11  Spectral embedding
 *   Chapter 12  Singular vectors of stacked views
 */
#define MTC_INTERNAL
#include "mtc.h"

#if MTC_VERSION != 400
#error "linalg.c and mtc.h are of different versions"
#endif

#ifndef MTC_NO_MALLOC
#include <stdlib.h>
#endif

#if defined(MTC_CHECKED) && defined(__GNUC__)  /* test builds */
#define MTC_ASSERT(condition) ((condition) ? (void)0 : __builtin_trap())
#else
#define MTC_ASSERT(condition) ((void)0)
#endif

#ifdef MTC_FAST
enum { LIN_FAST = 1 };
#else
enum { LIN_FAST = 0 };
#endif

/* ==========================================================================
 * Chapter 1  Status, context, memory, random numbers, sorting
 *
 * A call takes two blocks: one for the result and one for scratch.  A layout
 * says once what lies where.  It runs twice over the same stacks: without
 * memory it measures, with memory it hands out the pieces.  So a query of
 * memory and the call cannot differ, and a call that lacks memory fails before
 * it has done anything.
 *   used, peak   Bytes in use, and the most so far.  A layout that sets `used`
 *                back lets two phases share memory; peak is the block's size.
 *   SIZE_MAX     A sum or product that overflows becomes SIZE_MAX and stays so
 *                in further sums and products (but times 0).  So one test of a
 *                size is enough, at the end.
 *
 * Random numbers come from xoshiro256** in streams.  Each use of chance in a
 * call has its own stream: what one use draws does not affect the others.
 *
 * Lanes are threads that the caller lends.  Work whose parts have outputs of
 * their own is shared among them: lane i takes items i, i + lanes, ...  No
 * counter is shared, and no result depends on the order of the pieces.
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
    return LIN_DOTTED(MTC_VERSION_MAJOR, MTC_VERSION_MINOR, MTC_VERSION_PATCH);
}

/* Finds compiler flags that no macro shows.  `volatile` keeps the compiler from
 * computing this beforehand.  (1 + eps)^2 rounds to 1 + 2 eps, unless it is
 * fused with the sum: then eps^2 is left.  (1 + 4/eps) loses the 1, unless the
 * order of the sum is changed. */
const char *mtc_selftest(void)
{
    volatile mtc_real up = 1 + MTC_EPS, half = MTC_EPS / 2, zero = 0;
    volatile mtc_real tiny = MTC_TINY, large = 4 / (mtc_real)MTC_EPS, odd = 3;
    mtc_real a = up, b = -1 - 2 * (mtc_real)MTC_EPS, c = large, three = odd;
    mtc_real none = zero / zero, x = up / three, y = 5 / three, z = 7 / three;
    int fused = !LIN_FAST && a * a + b != 0;
    int even = 1 + half == 1 && up + half == -b;
    int turned = x != (1 + (mtc_real)MTC_EPS) / 3 || y != (mtc_real)5 / 3 ||
                 z != (mtc_real)7 / 3;  /* constants fold right */
    return fused              ? "products are fused into sums"
           : (a + c) - c != 0 ? "sums are taken in another order"
           : turned           ? "divisions are done by the reciprocal"
           : !even            ? "sums are not rounded to nearest, ties to even"
           : tiny / 2 == zero ? "denormal numbers are flushed to 0"
           : none == none     ? "NaN equals itself" : NULL;
}

/* Calls without a context use the same seed. */
mtc_context mtc_context_defaults(void)
{
    return (mtc_context){.seed = 1,
                         .error = {NULL, MTC_NONE, MTC_NONE, MTC_NONE}};
}

mtc_status mtc_fail(mtc_context *ctx, mtc_status s, const char *what,
    size_t task, size_t row, size_t column)
{
    if (ctx != NULL) {
        ctx->need = 0;  /* unless the call writes it later */
        ctx->error = (mtc_place){what, task, row, column};
    }
    return s;
}

mtc_status mtc_refuse(mtc_context *ctx, mtc_status s, const char *what)
{
    return mtc_fail(ctx, s, what, MTC_NONE, MTC_NONE, MTC_NONE);
}

mtc_status mtc_tick(mtc_context *ctx, const char *stage, size_t done,
    size_t total)
{
    if (ctx == NULL || ctx->progress == NULL ||
        ctx->progress(ctx->user, stage, done, total) == 0)
        return MTC_OK;
    return mtc_refuse(ctx, MTC_CANCELLED, stage);
}

size_t mtc_mul(size_t a, size_t b)
{
    if (a == 0 || b == 0)  /* 0 times anything, SIZE_MAX too */
        return 0;
    return a > SIZE_MAX / b ? SIZE_MAX : a * b;
}

size_t mtc_add(size_t a, size_t b)
{
    return a > SIZE_MAX - b ? SIZE_MAX : a + b;
}

/* Every block, and every piece of a block, starts at a multiple of this many
 * bytes from an aligned base.  No type in them needs a wider alignment. */
#define LIN_ALIGN ((size_t)16)

/* All arrays of a call lie in one block.  Under an address sanitizer there are
 * gaps between them, so that it sees an access beyond the end of one. */
#ifdef __has_feature  /* clang */
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

/* Takes the next bytes of the buffer; the last block needs no padding.  `size`
 * is compared with what is left, as a sum with `used` could overflow. */
static void *arena_allocate(void *memory, size_t size)
{
    mtc_arena *arena = (mtc_arena *)memory;
    size_t left = arena->size - arena->used, padded = align_up(size);
    if (size > left)
        return NULL;
    void *block = arena->base + arena->used;
    LIN_OPEN(block, size);
    arena->used += MTC_MIN(padded, left);
    if (arena->peak < arena->used)
        arena->peak = arena->used;
    return block;
}

/* Frees a block if it is the last one; `size` is that of its allocation. */
static void arena_release(void *memory, void *block, size_t size)
{
    mtc_arena *arena = (mtc_arena *)memory;
    size_t at = (size_t)((unsigned char *)block - arena->base);
    if (at + MTC_MIN(align_up(size), arena->size - at) == arena->used)
        arena->used = at;
}

/* The offset of `most` is the alignment that blocks must have. */
struct lin_aligned {
    char first;
    union {
        double real;
        uint64_t bits;
        void *at;
    } most;
};

mtc_arena mtc_arena_over(void *buffer, size_t size)
{
    size_t step = offsetof(struct lin_aligned, most);
    size_t skip = (step - (size_t)((uintptr_t)buffer % step)) % step;
    skip = MTC_MIN(skip, size);
    return (mtc_arena){(unsigned char *)buffer + skip, size - skip, 0, 0};
}

mtc_context mtc_arena_context(mtc_arena *arena)
{
    mtc_context ctx = mtc_context_defaults();
    ctx.allocate = arena_allocate;
    ctx.release = arena_release;
    ctx.memory = arena;
    return ctx;
}

static void *allocate_nothing(void *memory, size_t size)
{
    (void)memory;
    (void)size;
    return NULL;
}

mtc_context mtc_measure(void)
{
    mtc_context ctx = mtc_context_defaults();
    ctx.allocate = allocate_nothing;
    return ctx;
}

int mtc_measuring(const mtc_context *ctx)
{
    return ctx != NULL && ctx->allocate == allocate_nothing;
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

/* Gives a block back.  An allocator without `release` keeps its blocks. */
static void block_release(mtc_context *ctx, void *block, size_t size)
{
    if (block == NULL)
        return;
    LIN_OPEN(block, size);  /* including its gaps */
    if (ctx != NULL && ctx->allocate != NULL) {
        if (ctx->release != NULL)
            ctx->release(ctx->memory, block, size);
        return;
    }
#ifndef MTC_NO_MALLOC
    free(block);
#endif
}

/* Pieces are contiguous.  Each opens its bytes to the sanitizer and closes the
 * gap after them.  The gap stays open if an earlier phase used this memory, or
 * if the stack lies in another stack's memory: the gap may then be in the
 * middle of an array. */
void *mtc_take(mtc_stack *st, size_t count, size_t size)
{
    size_t start = st->used, bytes = mtc_mul(count, size);
    int shared = start < st->peak || st->size == MTC_PART;
    st->used = mtc_add(start, mtc_add(align_up(bytes),
                                      bytes > 0 ? LIN_GAP : 0));
    if (st->peak < st->used)
        st->peak = st->used;
    if (st->base == NULL)  /* the layout is measured */
        return NULL;
    MTC_ASSERT(st->used <= st->size);
    LIN_OPEN(st->base + start, st->used - start);
    if (!shared)
        LIN_CLOSE(st->base + start + bytes, st->used - start - bytes);
    return st->base + start;
}

/* A caller's piece of memory as a stack; NULL measures. */
static mtc_stack stack_over(void *work)
{
    return (mtc_stack){(unsigned char *)work, 0, 0, MTC_PART};
}

void mtc_take_reals(mtc_stack *st, size_t count, mtc_real **const *pieces)
{
    for (; *pieces != NULL; pieces++)
        **pieces = MTC_TAKE(st, count, mtc_real);
}

void mtc_take_sizes(mtc_stack *st, size_t count, size_t **const *pieces)
{
    for (; *pieces != NULL; pieces++)
        **pieces = MTC_TAKE(st, count, size_t);
}

/* Blocks for both measured stacks, the result's first: an arena can then take
 * the scratch off its top again.  An empty stack needs no block, but a call
 * that only measures ends here all the same. */
static mtc_status stacks_open(mtc_context *ctx, mtc_stack *own, mtc_stack *tmp)
{
    mtc_stack *both[2] = {own, tmp};
    if (mtc_add(own->peak, tmp->peak) > (size_t)PTRDIFF_MAX)
        return mtc_refuse(ctx, MTC_TOO_BIG, "memory");
    if (mtc_measuring(ctx))
        return mtc_refuse(ctx, MTC_NO_MEMORY, "memory");
    for (int i = 0; i < 2; i++) {
        mtc_stack *st = both[i];
        st->size = st->peak;
        st->used = st->peak = 0;
        if (st->size == 0)
            continue;
        st->base = (unsigned char *)block_allocate(ctx, st->size);
        if (st->base == NULL) {
            block_release(ctx, own->base, own->size);  /* NULL: none yet */
            return mtc_refuse(ctx, MTC_NO_MEMORY, "memory");
        }
        LIN_OPEN(st->base, st->size);
    }
    return MTC_OK;
}

/* A larger number of lanes is a sign of a context that was never filled in. */
#define LANES_MOST ((size_t)1024)

static mtc_status lanes_check(mtc_context *ctx)
{
    if (ctx == NULL || ctx->lanes <= LANES_MOST)
        return MTC_OK;
    return mtc_refuse(ctx, MTC_INVALID, "lanes: need at most 1024");
}

/* For fewer multiply-adds, starting threads takes longer than the work.  Tests
 * set a lower bound, to use lanes in smaller calls. */
#ifndef MTC_LANES_LEAST
#define MTC_LANES_LEAST 1000000
#endif

size_t mtc_lanes(const mtc_context *ctx, size_t items, size_t each)
{
    if (ctx == NULL || ctx->parallel == NULL || ctx->lanes < 2 || items < 2 ||
        mtc_mul(items, each) < (size_t)MTC_LANES_LEAST)
        return 1;
    return MTC_MIN(items, MTC_MIN(ctx->lanes, LANES_MOST));
}

typedef struct lanes_job {
    size_t lanes, items;
    mtc_lane *lane;  /* [lanes] */
    mtc_item run;
    void *job;
} lanes_job;

/* Lane i: its items in ascending order, up to the first that fails. */
static void lanes_piece(void *job, size_t i)
{
    const lanes_job *j = (const lanes_job *)job;
    mtc_lane *l = &j->lane[i];
    for (size_t item = i; item < j->items; item += j->lanes) {
        l->status = j->run(&l->ctx, j->job, item, i);
        l->item = item;
        if (l->status != MTC_OK)
            return;
    }
}

/* One lane is a loop under the caller's own context. */
mtc_status mtc_share(mtc_context *ctx, size_t lanes, mtc_lane *lane,
    size_t items, mtc_item run, void *job)
{
    lanes = MTC_MIN(lanes, items);
    if (lanes < 2) {
        for (size_t item = 0; item < items; item++)
            MTC_TRY(run(ctx, job, item, 0));
        return MTC_OK;
    }
    lanes_job j = {lanes, items, lane, run, job};
    for (size_t i = 0; i < lanes; i++) {
        lane[i].ctx = *ctx;  /* its first item writes the rest */
        lane[i].ctx.parallel = NULL;
    }
    ctx->parallel(ctx->pool, lanes, lanes_piece, &j);
    const mtc_lane *failed = NULL;
    for (size_t i = 0; i < lanes; i++)
        if (lane[i].status != MTC_OK &&
            (failed == NULL || lane[i].item < failed->item))
            failed = &lane[i];
    if (failed == NULL)
        return MTC_OK;
    ctx->error = failed->ctx.error;
    return failed->status;
}

/* Measures the layout, takes both blocks, lays them out, and works.  Scratch is
 * released, and after a failure the result's block, too.  A failure without a
 * message gets one; a success leaves ctx->error as it was.  The call's need is
 * written last, since calls that the work makes under ctx overwrite it.
 * *kept becomes the block of the result. */
static mtc_status job_run(mtc_context *ctx, mtc_layout layout, mtc_work work,
    void *job, mtc_block *kept)
{
    mtc_stack own = {0}, tmp = {0};
    mtc_context local = {0}, *c = ctx != NULL ? ctx : &local;
    mtc_place before = c->error;  /* of an earlier call */
    MTC_TRY(lanes_check(ctx));
    layout(&own, &tmp, job);      /* it measures */
    size_t need = mtc_add(own.peak, tmp.peak);
    mtc_status s = stacks_open(ctx, &own, &tmp);
    if (s == MTC_OK) {
        layout(&own, &tmp, job);  /* now it carves */
        c->error.what = NULL;
        s = work(ctx, job);  /* the call itself */
        if (s != MTC_OK && c->error.what == NULL)
            mtc_refuse(c, s, s == MTC_DOMAIN ? "values too large: overflow"
                                             : "no answer");
        block_release(ctx, tmp.base, tmp.size);  /* last in, first out */
        if (s == MTC_OK) {
            c->error = before;
            kept->at = own.base;
            kept->bytes = own.size;
        } else {
            block_release(ctx, own.base, own.size);
        }
    }
    c->need = need;
    return s;
}

mtc_status mtc_job_run(mtc_context *ctx, mtc_layout layout, mtc_work work,
    void *job)
{
    mtc_block none;  /* own stays empty */
    return job_run(ctx, layout, work, job, &none);
}

mtc_status mtc_job_result(mtc_context *ctx, mtc_layout layout, mtc_work work,
    void *job, void *result, size_t size, void *out)
{
    mtc_block *block = (mtc_block *)result;  /* its first member */
    if (out == NULL)
        return mtc_refuse(ctx, MTC_INVALID, "result");
    MTC_TRY(job_run(ctx, layout, work, job, block));
    block->whole = size;
    memcpy(out, result, size);  /* only of a success */
    return MTC_OK;
}

void mtc_free(mtc_context *ctx, mtc_block *block)
{
    if (block == NULL)
        return;
    block_release(ctx, block->at, block->bytes);
    memset(block, 0, block->whole);  /* all of the result */
}

mtc_status mtc_scratch(mtc_context *ctx, size_t bytes, mtc_block *work)
{
    mtc_stack none = {0}, tmp = {NULL, 0, bytes, 0};
    MTC_TRY(lanes_check(ctx));
    mtc_status s = stacks_open(ctx, &none, &tmp);
    *work = (mtc_block){tmp.base, tmp.size, sizeof *work};
    if (ctx != NULL)
        ctx->need = bytes;
    return s;
}

/* Releases the scratch.  ctx->need keeps its bytes, even if s is a failure. */
mtc_status mtc_scratch_end(mtc_context *ctx, mtc_block *work, mtc_status s)
{
    if (ctx != NULL)
        ctx->need = work->bytes;
    mtc_free(ctx, work);
    return s;
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

/* Four words of distinct counters: at most one of them is 0.  With four zeros
 * xoshiro would stand still. */
mtc_random mtc_random_seed(uint64_t seed)
{
    mtc_random r;
    for (int i = 0; i < 4; i++)
        r.s[i] = splitmix64(&seed);
    return r;
}

/* The seed is mixed before the stream enters and after: stream 2 of seed 1 has
 * nothing in common with stream 1 of seed 2. */
mtc_random mtc_stream(const mtc_context *ctx, uint64_t stream)
{
    uint64_t seed = ctx != NULL ? ctx->seed : 1;  /* 1 without a context */
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
    uint64_t *s = r->s, result = rotate_left(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;  /* the shift of the state */
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate_left(s[3], 45);
    return result;
}

/* Uses as many high bits as the significand holds, so the result is below 1. */
mtc_real mtc_random_real(mtc_random *r)
{
    uint64_t bits = mtc_random_bits(r);  /* 53 are used, or 24 */
    return sizeof(mtc_real) == 8
               ? (mtc_real)(bits >> 11) * (mtc_real)0x1p-53
               : (mtc_real)(uint32_t)(bits >> 40) * (mtc_real)0x1p-24;
}

/* To be unbiased, it draws again if x is not below the last whole multiple of
 * n: at most once in 2^64 / n draws. */
size_t mtc_random_below(mtc_random *r, size_t n)
{
    if (n < 2)  /* nothing to draw */
        return 0;
    uint64_t x, limit = UINT64_MAX - UINT64_MAX % n;
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
        q = u * u + v * v;  /* in the unit circle */
    } while (q >= 1 || q == 0);
    return u * MTC_SQRT(-2 * mtc_log(q) / q);
}

/* Does order[a] come before order[b]?  A total order: ties by index. */
static int sorts_before(const mtc_real *key, size_t a, size_t b)
{
    return key[a] < key[b] || (a < b && key[a] == key[b]);
}

/* In heap [n] no child sorts after its parent, except at `root`.  The entry at
 * the root sinks to its place: the hole moves down, one write per level. */
static void sift_down(const mtc_real *key, size_t *heap, size_t root, size_t n)
{
    size_t moving = heap[root];
    for (size_t child; (child = 2 * root + 1) < n; root = child) {
        if (child + 1 < n && sorts_before(key, heap[child], heap[child + 1]))
            child++;  /* the later of the two */
        if (!sorts_before(key, moving, heap[child]))
            break;
        heap[root] = heap[child];  /* moves up into the hole */
    }
    heap[root] = moving;
}

/* Heapsort needs no extra memory and has no bad case, and its order is unique.
 * The heap holds the first k entries so far, with the last of them on top. */
void mtc_select_order(size_t n, const mtc_real *key, size_t k, size_t *order)
{
    MTC_ASSERT(0 < k && k <= n);
    for (size_t i = 0; i < k; i++)
        order[i] = i;                 /* the first k, for a start */
    for (size_t i = k / 2; i-- > 0;)  /* a heap of them */
        sift_down(key, order, i, k);
    mtc_real last = key[order[0]];
    for (size_t i = k; i < n; i++)
        if (key[i] < last) {  /* a tie loses: its index is higher */
            order[0] = i;
            sift_down(key, order, 0, k);
            last = key[order[0]];
        }
    for (size_t i = k; i-- > 1;) {  /* the top is entry i in order */
        size_t top = order[0];
        order[0] = order[i];
        order[i] = top;
        sift_down(key, order, 0, i);
    }
}

/* ==========================================================================
 * Chapter 2  exp, log, tanh
 *
 * C libraries agree on sqrt and on little else: one binary may give different
 * results on two processors.  So these three functions use only + - * /, which
 * IEEE arithmetic defines to the last bit, and changes of the exponent.  They
 * compute in double and round to mtc_real at the end.
 *
 *   exp   x = k ln 2 + r, |r| <= ln 2 / 2;   e^x = 2^k e^r, Taylor for e^r
 *   log   x = 2^k (1 + f), 1 + f in [1/sqrt 2, sqrt 2);   with
 *         s = f / (2 + f) :   log(1 + f) = 2 (s + s^3/3 + s^5/5 + ...)
 *   tanh  e = e^(-2|x|) :   tanh = (1 - e) / (1 + e), sign of x
 *
 * Accuracy.  A result is summed as hi + lo: hi holds the leading terms, and lo
 * their rounding errors and the rest, so that hardly anything but the last
 * addition rounds.  The largest errors found: exp .54, log .66, tanh 1.9 ulp.
 * Fused multiply-add leaves the exact products exact.
 * ========================================================================== */

/* ln 2 in two pieces, the first of 32 bits: exact times any |k| < 2^11. */
#define ELEM_LN2_HI 0x1.62e42fee00000p-1
#define ELEM_LN2_LO 0x1.a39ef35793c76p-33

/* A double and its bits: sign 1, exponent 11, fraction 52. */
typedef union elem_word {
    double x;
    uint64_t bits;
} elem_word;

/* 2^k for the exponents of normal numbers, -1022..1023. */
static double elem_power2(int k)
{
    return (elem_word){.bits = (uint64_t)(k + 1023) << 52}.x;
}

/* x without its last 27 bits: 26 stay, so products of two heads are exact. */
static double elem_head(double x)
{
    return (elem_word){.bits = (elem_word){x}.bits & ~(uint64_t)0x7ffffff}.x;
}

/* e^x = 2^k (1 + hi + lo), |lo| < .01, for |x| < 800.  Returns k.  With r =
 * a + b, a its head:  e^r - 1 = r + a^2/2 + b (a + b/2) + r^3 (1/6 + ...);
 * hi takes r + a^2/2, and lo its rounding error and the rest.  The series is
 * cut after r^14/14!; the terms beyond are below 2^-62. */
static int elem_exp_parts(double x, double *hi, double *lo)
{
    int k = (int)(x * 1.4426950408889634 + (x < 0 ? -.5 : .5));
    double top = x - k * ELEM_LN2_HI;  /* exact: both are close */
    double low = k * ELEM_LN2_LO;
    double r = top - low;  /* rounded: for the series */
    double a = elem_head(top), b = top - a - low;
    double q = .5 * a * a;  /* exact: a has half the digits */
    /* 1/3! + r/4! + ... + r^11/14!, in three independent groups */
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

/* e^x = 2^k (sum + rest), where sum + rest = 1 + hi + lo without loss.  Floats
 * are rounded twice, which changes hardly one of 10^8 results. */
mtc_real mtc_exp(mtc_real given)
{
    double x = (double)given, hi, lo;
    if (!(x < 710))  /* too large, or NaN */
        return (mtc_real)(x - x == 0 ? HUGE_VAL : x);
    if (x < -746)  /* below half of 2^-1074 */
        return 0;
    int k = elem_exp_parts(x, &hi, &lo);
    double sum = 1 + hi;
    double rest = ((1 - sum) + hi) + lo;
    if (k > 1023)  /* 2^1024 is no double */
        return (mtc_real)((sum + rest) * elem_power2(k - 1) * 2);
    if (k > -1022 || (k == -1022 && sum >= 1))
        return (mtc_real)((sum + rest) * elem_power2(k));
    /* Subnormal: the last bit is 2^-1074.  Scaled by 2^1022 it is the last
     * bit of 1, so that adding 1 rounds at the right place, once. */
    double scale = elem_power2(k + 1022);
    sum *= scale;
    rest *= scale;
    double shifted = 1 + sum;
    shifted += ((1 - shifted) + sum) + rest;
    return (mtc_real)((shifted - 1) * elem_power2(-1022));
}

/* x = 2^k (1 + f), exactly.  From 2 s = f - s f and s f = f^2/2 - s f^2/2:
 *   log(1 + f) = f - f^2/2 + s (f^2/2 + R),  R = 2 s^2/3 + 2 s^4/5 + ...
 * The first two terms and k ln 2 make hi.  R is cut after s^20; the terms
 * beyond are below 2^-61. */
mtc_real mtc_log(mtc_real given)
{
    double x = (double)given;
    if (!(x > 0) || x > DBL_MAX)
        return (mtc_real)(x == 0 ? -HUGE_VAL : x > 0 ? x : (double)NAN);
    int tiny = x < DBL_MIN;  /* subnormal: scaled to a full significand */
    uint64_t bits = (elem_word){tiny ? x * 0x1p54 : x}.bits;
    uint64_t fraction = bits & 0xfffffffffffff;
    int above = fraction >= 0x6a09e667f3bcd;  /* sqrt 2 = 1.6a09e... */
    int k = (int)(bits >> 52) - 1023 + above - (tiny ? 54 : 0);
    elem_word y = {.bits = fraction | (uint64_t)(1023 - above) << 52};
    double f = y.x - 1;
    double s = f / (2 + f), z = s * s, w = z * z;
    /* R as two sums: its terms in s^4, s^8, ... and in s^2, s^6, ... */
    double even = w * (2. / 5 + w * (2. / 9 + w * (2. / 13 + w * (2. / 17 +
                  w * (2. / 21)))));
    double odd = z * (2. / 3 + w * (2. / 7 + w * (2. / 11 + w * (2. / 15 +
                 w * (2. / 19)))));
    double a = elem_head(f), b = f - a;
    double q = .5 * a * a;  /* exact: a has half the digits */
    double top = f - q;
    double low = ((f - top) - q) - b * (a + .5 * b);
    double base = k * ELEM_LN2_HI;  /* exact; 0, or above |top| */
    double sum = base + top;
    low += k == 0 ? 0 : (base - sum) + top;  /* what the sum rounded off */
    low += s * (.5 * f * f + (even + odd)) + k * ELEM_LN2_LO;
    return (mtc_real)(sum + low);
}

/* (1 - e) / (1 + e), with the sign of x:  e = e^(-2|x|) = p (1 + hi + lo), p =
 * 2^k.  1 - e loses no digits, since 1 - p is exact and is taken first. */
mtc_real mtc_tanh(mtc_real x)
{
    double size = fabs((double)x), hi, lo;
    if (!(size > 0x1p-28))  /* x - x^3/3 + ...; NaN */
        return x;
    if (size > 20)  /* 1 - 2 e rounds to 1 */
        return (mtc_real)(x < 0 ? -1 : 1);
    double p = elem_power2(elem_exp_parts(-2 * size, &hi, &lo));
    double rest = p * (hi + lo);
    double t = ((1 - p) - rest) / ((1 + p) + rest);
    return (mtc_real)(x < 0 ? -t : t);
}

/* ==========================================================================
 * Chapter 3  Products of vectors and matrices
 *
 *   C = alpha op(A) op(B) + beta C,   op(A) m x k,  op(B) k x n
 *
 * After Goto and van de Geijn (Anatomy of high-performance matrix
 * multiplication, 2008), in the terms of BLIS.  Blocks of A, MC x KC, and of
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
 * its bits depend on k and KC, and not on the shape of the tile.  A transpose
 * only exchanges strides while packing.  Small products, and all products
 * without `work`, take plain loops.
 * ========================================================================== */

/* Marks the few loops that take most of the time: gcc vectorizes them at -O2,
 * too, as clang does, except in a build for size. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__) && \
    !defined(__OPTIMIZE_SIZE__)
#define GEMM_HOT __attribute__((optimize("O3")))
#define GEMM_UNROLL_2 _Pragma("GCC unroll 2")
#else
#define GEMM_HOT
#define GEMM_UNROLL_2
#endif

/* Inlined, the micro-kernel would share registers with its caller and spill
 * (gcc 12 with -fPIC, as in make bench-peers). */
#ifdef __GNUC__
#define GEMM_ALONE __attribute__((noinline))
#else
#define GEMM_ALONE
#endif

/* A build for any x86-64 may not use the wide vectors that nearly every such
 * processor has.  So the micro-kernel is compiled for each width, and one is
 * chosen at run time.  The bits are the same: no sum changes its order, and
 * nothing is fused unless MTC_FAST allows it.  Windows is left out, because gcc
 * does not align the stack for wide vectors there. */
#if (__GNUC__ >= 5 || defined(__clang__)) && defined(__x86_64__) && \
    defined(__OPTIMIZE__) && !defined(__OPTIMIZE_SIZE__) && !defined(_WIN32)
#ifdef MTC_FAST
#define GEMM_AVX "fma"
#else
#define GEMM_AVX "avx"
#endif
#endif

/* y += a x. */
GEMM_HOT void mtc_axpy(size_t n, mtc_real a, const mtc_real *x, mtc_real *y)
{
    for (size_t i = 0; i < n; i++)
        y[i] += a * x[i];
}

/* Keeps eight running sums, which fit vectors, and adds them in pairs. */
GEMM_HOT mtc_real mtc_dot(size_t n, const mtc_real *x, const mtc_real *y)
{
    mtc_real s[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    size_t i = 0;
    for (; i + 8 <= n; i += 8)
        for (size_t l = 0; l < 8; l++)
            s[l] += x[i + l] * y[i + l];
    for (size_t l = 0; i < n; i++, l++)
        s[l] += x[i] * y[i];  /* the rest goes to the first sums */
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

/* The tile with its operands fills the registers: with 32 registers of 64 bytes
 * it has 8 x 2 of them.  Narrower vectors take some of its columns at a time.
 * Products that are rounded before they are added need registers, too; the
 * width for NEON was found by trial.  KC is the longest partial sum: another KC
 * would change the bits of results. */
#if defined(GEMM_AVX)
#define GEMM_WIDTH 128
#elif defined(__aarch64__) && defined(MTC_FAST)
#define GEMM_WIDTH 64
#elif defined(__aarch64__)
#define GEMM_WIDTH 48
#else
#define GEMM_WIDTH 32
#endif

enum {
    GEMM_MR = GEMM_WIDTH == 128 ? 8 : GEMM_WIDTH == 64 ? 6 : 4,  /* rows, */
    GEMM_NR = GEMM_WIDTH / sizeof(mtc_real),         /* and columns */
    GEMM_MC = GEMM_MR == 8 ? 64 : 60,                /* MC x KC: 192 KiB, */
    GEMM_KC = 384,                                   /* KC x NR: 48 KiB, */
    GEMM_NC = 768,                                   /* KC x NC: 2.3 MiB */
    GEMM_THIN = 64,                                  /* up to 64 columns are */
    GEMM_ROWS = sizeof(mtc_real) == 8 ? 65536 : 128  /* summed by such pieces */
};

/* Entry (i,j) is at[i * row + j * column]. */
typedef struct gemm_operand {
    const mtc_real *at;
    size_t row, column;
} gemm_operand;

/* C = alpha A B + beta C, A m x k, B k x n. */
typedef struct gemm_product {
    size_t m, n, k;
    gemm_operand A, B;  /* with op() applied */
    mtc_real alpha, beta;
    mtc_real *C;  /* [m*ldc] */
    size_t ldc;
    size_t above;  /* entries beyond column i + above of row i are not needed */
} gemm_product;

/* op(A): a transpose is the same memory with its strides exchanged. */
static gemm_operand gemm_view(int trans, const mtc_real *A, size_t lda)
{
    return (gemm_operand){A, trans ? 1 : lda, trans ? lda : 1};
}

/* Lays out the two packed blocks and returns their bytes.  Every dimension is
 * capped: no product needs more than 2.5 MiB (float: half). */
static size_t gemm_layout(void *work, size_t m, size_t n, size_t k,
    mtc_real **a, mtc_real **b)
{
    mtc_stack st = stack_over(work);
    size_t kc = MTC_MIN(k, GEMM_KC);
    size_t mc = (MTC_MIN(m, GEMM_MC) + GEMM_MR - 1) / GEMM_MR * GEMM_MR;
    size_t nc = (MTC_MIN(n, GEMM_NC) + GEMM_NR - 1) / GEMM_NR * GEMM_NR;
    MTC_REALS(&st, mc * kc, a);
    MTC_REALS(&st, nc * kc, b);
    return st.peak;
}

size_t mtc_gemm_work(size_t m, size_t n, size_t k)
{
    mtc_real *a, *b;
    return gemm_layout(NULL, m, n, k, &a, &b);
}

/* Packs lines of k entries into slivers of `width` lines: entry p of line i
 * goes to place p * width + i of its sliver.  Missing lines are 0. */
GEMM_HOT static void gemm_pack(size_t width, size_t lines, size_t k,
    const mtc_real *x, size_t line, size_t entry, mtc_real *restrict out)
{
    for (size_t i0 = 0; i0 < lines; i0 += width, x += width * line) {
        size_t w = MTC_MIN(width, lines - i0);
        if (w == width && line == 1)  /* a copy of whole vectors */
            for (size_t p = 0; p < k; p++, out += width)
                for (size_t i = 0; i < width; i++)
                    out[i] = x[p * entry + i];
        else  /* a transpose, or an edge */
            for (size_t p = 0; p < k; p++, out += width) {
                for (size_t i = 0; i < w; i++)
                    out[i] = x[i * line + p * entry];
                for (size_t i = w; i < width; i++)
                    out[i] = 0;
            }
    }
}

/* tile [MR*NR] = sum over p of (sliver of A)_p (sliver of B)_p'; only n of its
 * columns are wanted.  With fixed trip counts and one flat array, gcc and clang
 * unroll all of it into registers.  On x86 gcc vectorizes it poorly, so vectors
 * are written out, for as many columns at a time as the registers hold. */
#ifdef GEMM_AVX
#define GEMM_KERNEL(name, isa, bytes, columns) \
    __attribute__((target(isa))) \
    GEMM_HOT GEMM_ALONE static void name(size_t k, const mtc_real *a, \
        const mtc_real *b, size_t n, mtc_real *tile) \
    { \
        typedef mtc_real vector __attribute__((vector_size(bytes), \
            aligned(sizeof(mtc_real)), may_alias)); \
        enum { WIDE = (columns) * sizeof(mtc_real) / (bytes) }; \
        for (size_t first = 0; first < n; first += (columns)) { \
            vector c[GEMM_MR * WIDE] = {{0}}; \
            for (size_t p = 0; p < k; p++) { \
                const mtc_real *row = b + p * GEMM_NR + first; \
                const vector *line = (const vector *)row; \
                for (size_t i = 0; i < GEMM_MR; i++) \
                    for (size_t j = 0; j < WIDE; j++) \
                        c[i * WIDE + j] += a[p * GEMM_MR + i] * line[j]; \
            } \
            for (size_t i = 0; i < GEMM_MR; i++) \
                for (size_t j = 0; j < WIDE; j++) \
                    ((vector *)(tile + i * GEMM_NR + first))[j] = \
                        c[i * WIDE + j]; \
        } \
    }

GEMM_KERNEL(gemm_avx512, "avx512f", 64, GEMM_NR)
GEMM_KERNEL(gemm_zmm, "avx512f", 64, GEMM_NR / 2)
GEMM_KERNEL(gemm_avx, GEMM_AVX, 32, GEMM_NR / 4)
GEMM_KERNEL(gemm_sse, "sse2", 16, GEMM_NR / 8)

static void gemm_kernel(size_t k, const mtc_real *a, const mtc_real *b,
    size_t n, mtc_real *tile)
{
    if (__builtin_cpu_supports("avx512f"))
        (n > GEMM_NR / 2 ? gemm_avx512 : gemm_zmm)(k, a, b, n, tile);
    else if (__builtin_cpu_supports(GEMM_AVX))
        gemm_avx(k, a, b, n, tile);
    else
        gemm_sse(k, a, b, n, tile);
}
#else
GEMM_HOT GEMM_ALONE static void gemm_kernel(size_t k,
    const mtc_real *restrict a, const mtc_real *restrict b, size_t n,
    mtc_real *restrict tile)
{
    mtc_real c[GEMM_MR * GEMM_NR];
    (void)n;
    memset(c, 0, sizeof c);
    GEMM_UNROLL_2
    for (size_t p = 0; p < k; p++, a += GEMM_MR, b += GEMM_NR)
        for (int i = 0; i < GEMM_MR; i++)
            for (int j = 0; j < GEMM_NR; j++)
                c[i * GEMM_NR + j] += a[i] * b[j];  /* a rank-one update */
    memcpy(tile, c, sizeof c);
}
#endif

/* Squared distances of four rows to `wide` vectors of columns at a time, from
 * column z on.  Returns the first column that is left. */
#ifdef GEMM_AVX
#define SQUARES_KERNEL(name, isa, bytes, wide) \
    __attribute__((target(isa))) \
    GEMM_HOT GEMM_ALONE static size_t name(size_t d, \
        const mtc_real *const *x, size_t z, size_t k, const mtc_real *U, \
        mtc_real *dist) \
    { \
        typedef mtc_real vector __attribute__((vector_size(bytes), \
            aligned(sizeof(mtc_real)), may_alias)); \
        const size_t columns = (wide) * (bytes) / sizeof(mtc_real); \
        for (; z + columns <= k; z += columns) { \
            vector sum[MTC_SIDE * (wide)] = {{0}}; \
            for (size_t p = 0; p < d; p++) { \
                const vector *u = (const vector *)(U + p * k + z); \
                for (size_t i = 0; i < MTC_SIDE; i++) \
                    for (size_t j = 0; j < (wide); j++) { \
                        vector t = x[i][p] - u[j]; \
                        sum[i * (wide) + j] += t * t; \
                    } \
            } \
            for (size_t i = 0; i < MTC_SIDE; i++) \
                for (size_t j = 0; j < (wide); j++) \
                    ((vector *)(dist + i * k + z))[j] = sum[i * (wide) + j]; \
        } \
        return z; \
    }

SQUARES_KERNEL(squares_avx512, "avx512f", 64, 2)
SQUARES_KERNEL(squares_zmm, "avx512f", 64, 1)
SQUARES_KERNEL(squares_avx, GEMM_AVX, 32, 2)
SQUARES_KERNEL(squares_ymm, GEMM_AVX, 32, 1)
SQUARES_KERNEL(squares_sse, "sse2", 16, 1)

static void squares(size_t d, const mtc_real *const *x, size_t k,
    const mtc_real *U, mtc_real *dist)
{
    size_t z = 0;
    if (__builtin_cpu_supports("avx512f")) {
        z = squares_avx512(d, x, z, k, U, dist);
        z = squares_zmm(d, x, z, k, U, dist);
    }
    if (z < k && __builtin_cpu_supports(GEMM_AVX)) {
        z = squares_avx(d, x, z, k, U, dist);
        z = squares_ymm(d, x, z, k, U, dist);
    }
    if (z < k)
        squares_sse(d, x, z, k, U, dist);
}
#endif

GEMM_HOT void mtc_meet(const mtc_data *X, const size_t *rows, size_t count,
    int squared, size_t k, const mtc_real *U, mtc_real *dist)
{
#ifdef GEMM_AVX
    const mtc_real *all[MTC_SIDE];  /* fewer rows: the last is repeated */
    for (size_t r = 0; squared && r < MTC_SIDE; r++)
        all[r] = X->values + rows[MTC_MIN(r, count - 1)] * X->stride;
    if (squared) {
        squares(X->d, all, k, U, dist);
        return;
    }
#endif
    for (size_t r = 0; r < count; r++) {
        size_t e0 = row_begin(X, rows[r]), e1 = row_end(X, rows[r]);
        for (size_t z = 0; z < k; z += MTC_SIDE, dist += MTC_SIDE) {
            mtc_real sum[MTC_SIDE] = {0};  /* in registers */
            for (size_t e = e0; e < e1; e++) {
                const mtc_real *u = U + entry_column(X, e0, e) * k + z;
                mtc_real x = X->values[e];
                for (size_t c = 0; c < MTC_SIDE; c++)
                    sum[c] += squared ? (x - u[c]) * (x - u[c]) : x * u[c];
            }
            memcpy(dist, sum, sizeof sum);
        }
    }
}

/* Computes the block of C at (ic,jc), mc x nc, from packed a and b: for each
 * tile C = alpha tile + beta C, at the m x n entries that lie in C. */
GEMM_HOT static void gemm_macro(const gemm_product *g, size_t ic, size_t mc,
    size_t jc, size_t nc, size_t kc, mtc_real beta, const mtc_real *a,
    const mtc_real *b)
{
    mtc_real all[GEMM_MR * GEMM_NR], alpha = g->alpha;
    for (size_t jr = 0; jr < nc; jr += GEMM_NR)
        for (size_t ir = 0; ir < mc; ir += GEMM_MR) {
            size_t m = MTC_MIN(GEMM_MR, mc - ir);
            size_t n = MTC_MIN(GEMM_NR, nc - jr);
            if (ic + ir + m + g->above <= jc + jr)
                continue;  /* none is needed */
            mtc_real *restrict C = g->C + (ic + ir) * g->ldc + jc + jr;
            const mtc_real *restrict tile = all;
            gemm_kernel(kc, a + ir * kc, b + jr * kc, n, all);
            for (size_t i = 0; i < m; i++, tile += GEMM_NR, C += g->ldc)
                if (beta == 0)  /* C may hold NaN */
                    for (size_t j = 0; j < n; j++)
                        C[j] = alpha * tile[j];
                else if (beta == 1 && n == GEMM_NR)  /* a fixed length */
                    for (size_t j = 0; j < GEMM_NR; j++)
                        C[j] += alpha * tile[j];
                else
                    for (size_t j = 0; j < n; j++)
                        C[j] = beta * C[j] + alpha * tile[j];
        }
}

/* Runs the five loops.  k is cut into equal pieces, because a short last piece
 * would spend its time on loading and storing C. */
static void gemm_packed(const gemm_product *g, void *work)
{
    mtc_real *a, *b;
    gemm_layout(work, g->m, g->n, g->k, &a, &b);
    size_t pieces = (g->k - 1) / GEMM_KC + 1;
    size_t piece = (g->k - 1) / pieces + 1;
    const gemm_operand *A = &g->A, *B = &g->B;
    for (size_t jc = 0; jc < g->n; jc += GEMM_NC)
        for (size_t pc = 0; pc < g->k; pc += piece) {
            size_t nc = MTC_MIN(GEMM_NC, g->n - jc);
            size_t kc = MTC_MIN(piece, g->k - pc);
            gemm_pack(GEMM_NR, nc, kc, B->at + pc * B->row + jc * B->column,
                B->column, B->row, b);
            /* no entry is needed in the blocks of rows above */
            size_t first = jc > g->above ? jc - g->above : 0;
            first = first / GEMM_MC * GEMM_MC;
            for (size_t ic = first; ic < g->m; ic += GEMM_MC) {
                size_t mc = MTC_MIN(GEMM_MC, g->m - ic);
                gemm_pack(GEMM_MR, mc, kc, A->at + ic * A->row + pc * A->column,
                    A->row, A->column, a);
                gemm_macro(g, ic, mc, jc, nc, kc, pc == 0 ? g->beta : 1, a, b);
            }
        }
}

/* c [n] += alpha a' B, four rows of B [k*ldb] at a time, in order. */
GEMM_HOT static void gemm_row(size_t n, size_t k, mtc_real alpha,
    const mtc_real *a, size_t step, const mtc_real *B, size_t ldb,
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
    if (p + 2 <= k) {
        mtc_real a0 = alpha * a[p * step], a1 = alpha * a[(p + 1) * step];
        const mtc_real *b1 = B + ldb;
        for (size_t j = 0; j < n; j++)
            c[j] = (c[j] + a0 * B[j]) + a1 * b1[j];
        p += 2;
        B += 2 * ldb;
    }
    if (p < k)
        mtc_axpy(n, alpha * a[p * step], B, c);
}

/* gemm_row for few columns and very many rows, which are added in pieces: added
 * one by one, rows would lose digits beside the sum of the rows before. */
static void gemm_pieces(size_t n, size_t k, mtc_real alpha, const mtc_real *a,
    size_t step, const mtc_real *B, size_t ldb, mtc_real *c)
{
    mtc_real sum[GEMM_THIN];
    for (size_t p = 0; p < k; p += GEMM_ROWS) {
        MTC_ZERO(sum, n);
        gemm_row(n, MTC_MIN(GEMM_ROWS, k - p), alpha, a + p * step, step,
                 B + p * ldb, ldb, sum);
        mtc_axpy(n, 1, sum, c);
    }
}

/* Computes g without packing.  If rows of B are contiguous, a row of C is a sum
 * of them; else each entry is a dot product. */
static void gemm_plain(const gemm_product *g)
{
    const gemm_operand *A = &g->A, *B = &g->B;
    for (size_t i = 0; i < g->m; i++) {
        mtc_real *c = g->C + i * g->ldc;
        const mtc_real *a = A->at + i * A->row;
        size_t n = MTC_MIN(g->n, i + g->above + 1);
        if (g->beta != 1)
            for (size_t j = 0; j < n; j++)
                c[j] = g->beta == 0 ? 0 : c[j] * g->beta;  /* 0 reads nothing */
        if (B->column == 1 && n > 1) {
            if (n <= GEMM_THIN && g->k >= GEMM_ROWS)
                gemm_pieces(n, g->k, g->alpha, a, A->column, B->at, B->row, c);
            else
                gemm_row(n, g->k, g->alpha, a, A->column, B->at, B->row, c);
            continue;
        }
        for (size_t j = 0; j < n; j++) {
            const mtc_real *b = B->at + j * B->column;
            double sum = 0;
            if (A->column == 1 && B->row == 1)
                sum = mtc_dot(g->k, a, b);
            else
                for (size_t p = 0; p < g->k; p++)
                    sum += (double)(a[p * A->column] * b[p * B->row]);
            c[j] += g->alpha * (mtc_real)sum;
        }
    }
}

/* Returns 1 if packing saves more than it costs.  It does not for few products
 * (very few, if plain loops would run across the rows of B), nor for tiles that
 * would be mostly empty, unless plain loops would run across A. */
static int gemm_packs(const gemm_product *g)
{
    int by_rows = g->B.column == 1;
    size_t thin = g->beta == 0 && by_rows ? 2 : 4;  /* the fewest columns */
    if (mtc_mul(mtc_mul(g->m, g->n), g->k) <= (by_rows ? 8000u : 200u) ||
        (g->m < 4 && by_rows))
        return 0;
    return (g->m >= 4 && g->n >= thin) || g->A.column != 1;
}

/* Computes any product.  A'b with one contiguous column is computed as the row
 * b'A, which runs along the rows of A. */
static void gemm_run(const gemm_product *g, void *work)
{
    gemm_product h = *g;
    if (g->m == 0 || g->n == 0)
        return;
    if (g->n == 1 && g->ldc == 1 && g->A.row == 1) {
        h.m = 1;
        h.n = h.above = g->m;  /* (b'A)' has the same memory */
        h.A = (gemm_operand){g->B.at, g->B.column, g->B.row};
        h.B = (gemm_operand){g->A.at, g->A.column, g->A.row};
    }
    if (work != NULL && gemm_packs(&h))
        gemm_packed(&h, work);
    else
        gemm_plain(&h);
}

/* Lanes for products: the work of each lane, and the present product g, whose
 * rows are cut into strips. */
typedef struct gemm_lanes {
    size_t lanes, bytes;
    mtc_lane *lane;       /* [lanes] */
    unsigned char *work;  /* [lanes*bytes] */
    gemm_product g;
    size_t strips;
} gemm_lanes;

/* The first row of strip i: strips need equal numbers of entries. */
static size_t gemm_cut(const gemm_lanes *to, size_t i)
{
    mtc_real share = (mtc_real)i / (mtc_real)to->strips;
    share = to->g.above < to->g.n ? MTC_SQRT(share) : share;
    return (size_t)(share * (mtc_real)to->g.m);
}

static mtc_status gemm_strip(mtc_context *ctx, void *job, size_t i, size_t lane)
{
    const gemm_lanes *to = (const gemm_lanes *)job;
    gemm_product g = to->g;
    size_t from = gemm_cut(to, i);
    (void)ctx;
    g.m = gemm_cut(to, i + 1) - from;
    g.A.at += from * g.A.row;
    g.C += from * g.ldc;
    g.above += from;
    gemm_packed(&g, to->work + lane * to->bytes);
    return MTC_OK;
}

/* A product by strips, one for each lane. */
static mtc_status gemm_share(mtc_context *ctx, gemm_lanes *to, gemm_product g)
{
    size_t lanes = mtc_lanes(ctx, g.m, mtc_mul(g.n, g.k));
    to->g = g;
    to->strips = MTC_MIN(lanes, to->lanes);
    if (to->strips > 1 && gemm_packs(&g))
        return mtc_share(ctx, to->strips, to->lane, to->strips, gemm_strip, to);
    gemm_run(&g, to->work);
    return MTC_OK;
}

void mtc_gemm(int trans_a, int trans_b, size_t m, size_t n, size_t k,
    mtc_real alpha, const mtc_real *A, size_t lda, const mtc_real *B,
    size_t ldb, mtc_real beta, mtc_real *C, size_t ldc, void *work)
{
    gemm_product g = {m, n, k, gemm_view(trans_a, A, lda),
                      gemm_view(trans_b, B, ldb), alpha, beta, C, ldc, n};
    gemm_run(&g, work);
}

/* Copies block by block, so that both sides stay in the cache. */
void mtc_mirror(size_t from, size_t to, mtc_real *C, size_t ldc)
{
    const size_t b = 32;  /* two blocks of 8 KiB */
    for (size_t i0 = from; i0 < to; i0 += b)
        for (size_t j0 = 0; j0 < i0 + b; j0 += b)
            for (size_t i = i0; i < MTC_MIN(to, i0 + b); i++)
                for (size_t j = j0; j < MTC_MIN(i, j0 + b); j++)
                    C[j * ldc + i] = C[i * ldc + j];
}

/* The lower triangle of an n x n product, mirrored. */
void mtc_syrk(int trans, size_t n, size_t k, mtc_real alpha, const mtc_real *A,
    size_t lda, mtc_real beta, mtc_real *C, size_t ldc, void *work)
{
    gemm_product g = {n, n, k, gemm_view(trans, A, lda),
                      gemm_view(!trans, A, lda), alpha, beta, C, ldc, 0};
    gemm_run(&g, work);
    mtc_mirror(0, n, C, ldc);
}

/* ==========================================================================
 * Chapter 4  Factorizations and solves
 *
 *   mtc_cholesky           A = L L'          L lower triangular
 *   mtc_triangular_solve   op(L) X = B
 *   mtc_cholesky_solve     L L' X = B
 *   mtc_qr                 A = Q R           Q'Q = I, R upper triangular
 *
 * These are the textbook algorithms (Golub and Van Loan, Matrix Computations,
 * 3.1, 4.2, 5.2).  Cholesky and the solves go by blocks, so that products of
 * chapter 3 do most of the work; the rest runs on strips of TRI_W right-hand
 * sides side by side, which a compiler holds in vectors.
 *
 * Cost, in multiplications with addition: n^3/6 (Cholesky), n^2 p / 2 (one
 * triangular solve), 2 m n^2 - 2 n^3/3 (QR with Q).
 * ========================================================================== */

enum {
    TRI_W = 128 / sizeof(mtc_real),  /* columns of a strip */
    TRI_NB = 64,                     /* rows of a block in a solve */
    CHOL_NB = 96                     /* rows and columns of a block */
};

/* X <- op(L)^-1 X for a strip X of w <= TRI_W columns.  With c the right side
 * of row i:  x_i = (c - sum_{j<i} l_ij x_j) / l_ii.  Two rows are done
 * together, i with c and k = i + 1 with d, which is a third faster.  For L' the
 * same loop runs backwards: only the strides change sign. */
GEMM_HOT static void tri_strip(int trans, size_t n, size_t w,
    const mtc_real *L, size_t ldl, mtc_real *X, size_t ldx)
{
    if (n == 0)
        return;
    ptrdiff_t row = trans ? -1 : (ptrdiff_t)ldl;  /* of L: down a row */
    ptrdiff_t column = trans ? -(ptrdiff_t)ldl : 1;
    ptrdiff_t step = trans ? -(ptrdiff_t)ldx : (ptrdiff_t)ldx;
    const mtc_real *l = trans ? L + (n - 1) * (ldl + 1) : L;
    mtc_real *x = trans ? X + (n - 1) * ldx : X;
    for (ptrdiff_t i = 0, k; i < (ptrdiff_t)n; i = k + 1) {
        k = i + 1 < (ptrdiff_t)n ? i + 1 : i;  /* the last may be alone */
        const mtc_real *li = l + i * row, *lk = l + k * row;
        mtc_real c[TRI_W], d[TRI_W];  /* live in registers */
        mtc_real *xi = x + i * step, *xk = x + k * step;
        mtc_real ci = li[i * column], dk = lk[k * column];
        MTC_COPY(c, xi, w);
        MTC_COPY(d, xk, w);
        for (ptrdiff_t j = 0; j < i; j++)
            for (size_t q = 0; q < w; q++) {
                c[q] -= li[j * column] * x[j * step + (ptrdiff_t)q];
                d[q] -= lk[j * column] * x[j * step + (ptrdiff_t)q];
            }
        for (size_t q = 0; q < w; q++)
            xi[q] = LIN_FAST ? c[q] * (1 / ci) : c[q] / ci;
        if (k > i)
            for (size_t q = 0; q < w; q++) {
                d[q] -= lk[i * column] * xi[q];
                xk[q] = LIN_FAST ? d[q] * (1 / dk) : d[q] / dk;
            }
    }
}

/* One right-hand side: dot products with rows of L, or with L' axpys. */
static void tri_vector(int trans, size_t n, const mtc_real *L, size_t ldl,
    mtc_real *b)
{
    if (!trans) {
        for (size_t i = 0; i < n; i++)
            b[i] = (b[i] - mtc_dot(i, L + i * ldl, b)) / L[i * ldl + i];
        return;
    }
    for (size_t i = n; i-- > 0;) {
        b[i] /= L[i * ldl + i];
        mtc_axpy(i, -b[i], L + i * ldl, b);
    }
}

/* Solves a block of rows at a time, top down (L) or bottom up (L'): one product
 * subtracts the known rows from the right side, then strips are solved.  A
 * single contiguous right side is solved along the rows of L. */
void mtc_triangular_solve(int trans, size_t n, size_t p, const mtc_real *L,
    size_t ldl, mtc_real *B, size_t ldb, void *work)
{
    if (p == 1 && ldb == 1) {
        tri_vector(trans, n, L, ldl, B);
        return;
    }
    for (size_t done = 0; done < n; done += TRI_NB) {
        size_t nb = MTC_MIN(TRI_NB, n - done);
        size_t i = trans ? n - done - nb : done;  /* first row of the block */
        size_t k = trans ? n - done : 0;          /* first row known */
        mtc_real *X = B + i * ldb;
        mtc_gemm(trans, 0, nb, p, done, -1,
                 trans ? L + k * ldl + i : L + i * ldl, ldl,
                 B + k * ldb, ldb, 1, X, ldb, work);
        size_t q = 0;  /* first column of a strip */
        for (; q + TRI_W <= p; q += TRI_W)
            tri_strip(trans, nb, TRI_W, L + i * ldl + i, ldl, X + q, ldb);
        if (q < p)
            tri_strip(trans, nb, p - q, L + i * ldl + i, ldl, X + q, ldb);
    }
}

/* L L' X = B: first L Y = B, then L' X = Y. */
void mtc_cholesky_solve(size_t n, size_t p, const mtc_real *L, size_t ldl,
    mtc_real *B, size_t ldb, void *work)
{
    mtc_triangular_solve(0, n, p, L, ldl, B, ldb, work);
    mtc_triangular_solve(1, n, p, L, ldl, B, ldb, work);
}

/* X <- X L^-T for w rows X of A, from which the product of all columns to the
 * left was subtracted: L Y = X' is solved as a strip, in strip [n*TRI_W]. */
static void chol_rows(size_t w, size_t n, const mtc_real *L, mtc_real *X,
    size_t lda, mtc_real *strip)
{
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < TRI_W; i++)
            strip[j * TRI_W + i] = i < w ? X[i * lda + j] : 0;
    tri_strip(0, n, TRI_W, L, lda, strip, TRI_W);  /* L Y = X' */
    for (size_t i = 0; i < w; i++)
        for (size_t j = 0; j < n; j++)
            X[i * lda + j] = strip[j * TRI_W + i];
}

/* Computes rows from..to-1 of L, columns from `from` on; the columns before are
 * known:  l_ij = (a_ij - sum_{p<j} l_ip l_jp) / l_jj,  l_ii the root. */
static mtc_status chol_corner(size_t from, size_t to, mtc_real *A, size_t lda,
    mtc_real least)
{
    for (size_t i = from; i < to; i++) {
        mtc_real *a = A + i * lda;
        for (size_t j = from; j < i; j++)
            a[j] = (a[j] - mtc_dot(j, a, A + j * lda)) / A[j * lda + j];
        mtc_real pivot = a[i] - mtc_dot(i, a, a);
        if (!(pivot > least))  /* or NaN */
            return MTC_SINGULAR;
        a[i] = MTC_SQRT(pivot);  /* l_ii */
    }
    return MTC_OK;
}

/* By blocks [A11 .; A21 A22]:  L11 from A11 by strips of rows, then L21 =
 * A21 L11^-T, and then the same for A22 - L21 L21'. */
static mtc_status chol_blocked(size_t n, mtc_real *A, size_t lda,
    mtc_real least, void *work)
{
    mtc_real *strip = (mtc_real *)work;  /* gemm overwrites it */
    for (size_t k = 0; k < n; k += CHOL_NB) {
        size_t nb = MTC_MIN(CHOL_NB, n - k), rest = n - k - nb;
        mtc_real *A11 = A + k * (lda + 1), *A21 = A11 + nb * lda;
        for (size_t i = 0; i < nb; i += TRI_W) {  /* L11 */
            size_t w = MTC_MIN(TRI_W, nb - i);
            chol_rows(w, i, A11, A11 + i * lda, lda, strip);
            MTC_TRY(chol_corner(i, i + w, A11, lda, least));
        }
        for (size_t i = 0; i < rest; i += TRI_W)  /* L21 */
            chol_rows(MTC_MIN(TRI_W, rest - i), nb, A11, A21 + i * lda, lda,
                strip);
        gemm_product g = {rest, rest, nb, gemm_view(0, A21, lda),
                          gemm_view(1, A21, lda), -1, 1, A21 + nb, lda, 0};
        gemm_run(&g, work);  /* A22 - L21 L21' */
    }
    return MTC_OK;
}

/* A pivot has lost all its digits when it is within rounding, n eps, of the
 * largest diagonal entry. */
mtc_status mtc_cholesky(size_t n, mtc_real *A, size_t lda, void *work)
{
    mtc_real top = 0;
    for (size_t i = 0; i < n; i++)
        top = A[i * lda + i] > top ? A[i * lda + i] : top;
    mtc_real least = (mtc_real)n * MTC_EPS * top;
    mtc_status s = work == NULL || n <= TRI_W ? chol_corner(0, n, A, lda, least)
                   : chol_blocked(n, A, lda, least, work);
    if (s == MTC_OK)
        for (size_t i = 0; i < n; i++)
            MTC_ZERO(A + i * lda + i + 1, n - i - 1);
    return s;
}

/* ---- QR ------------------------------------------------------------------
 * Householder reflections H = I - tau v v', v_0 = 1, one for each column.  The
 * columns lie in P = A' [n*m], where they are contiguous. */

typedef struct qr_ws {
    mtc_real *P;     /* [n*m] A', which becomes R' with the v below, then Q' */
    mtc_real *tau;   /* [n] */
    mtc_real *beta;  /* [n] the diagonal of R */
} qr_ws;

static size_t qr_layout(void *work, size_t m, size_t n, qr_ws *w)
{
    mtc_stack st = stack_over(work);
    MTC_REALS(&st, mtc_mul(m, n), &w->P);
    MTC_REALS(&st, n, &w->tau, &w->beta);
    return st.peak;
}

size_t mtc_qr_work(size_t m, size_t n)
{
    qr_ws w;
    return qr_layout(NULL, m, n, &w);
}

/* Turns x [m] into v such that H x = beta e_1, and returns tau, which is 0 if x
 * is 0.  x is scaled to largest entry 1 first, so that no square overflows or
 * underflows. */
static mtc_real qr_reflector(size_t m, mtc_real *x, mtc_real *beta)
{
    mtc_real top = 0;
    for (size_t i = 0; i < m; i++)
        top = MTC_FABS(x[i]) > top ? MTC_FABS(x[i]) : top;
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
        x[i] /= head;  /* v below its 1 */
    x[0] = 1;
    *beta = to * top;                           /* unscaled */
    return -head / to;
}

/* Columns after j:  x <- H_j x = x - tau v (v'x),  from row j on. */
static void qr_reflect(size_t m, size_t n, size_t j, const qr_ws *w)
{
    const mtc_real *v = w->P + j * m + j;
    for (size_t c = j + 1; c < n; c++) {
        mtc_real *x = w->P + c * m + j;
        mtc_axpy(m - j, -w->tau[j] * mtc_dot(m - j, v, x), v, x);
    }
}

/* Q = H_1 ... H_n [I; 0], from the last reflection to the first.  Column j is
 * H_j e_j = e_j - tau v: it takes the place of v, which is not needed again. */
static void qr_form_q(size_t m, size_t n, const qr_ws *w)
{
    for (size_t j = n; j-- > 0;) {
        mtc_real *v = w->P + j * m + j;
        qr_reflect(m, n, j, w);
        for (size_t i = 0; i < m - j; i++)
            v[i] *= -w->tau[j];
        v[0] += 1;
        MTC_ZERO(w->P + j * m, j);  /* above the diagonal was R */
    }
}

mtc_status mtc_qr(size_t m, size_t n, mtc_real *A, size_t lda, mtc_real *R,
    size_t ldr, void *work)
{
    if (m < n)
        return MTC_INVALID;
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++)
            if (!MTC_FINITE(A[i * lda + j]))
                return MTC_DOMAIN;
    qr_ws w;
    qr_layout(work, m, n, &w);
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++)
            w.P[j * m + i] = A[i * lda + j];
    for (size_t j = 0; j < n; j++) {
        w.tau[j] = qr_reflector(m - j, w.P + j * m + j, &w.beta[j]);
        qr_reflect(m, n, j, &w);
    }
    if (R != NULL)
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                R[i * ldr + j] = j < i    ? 0
                                 : j == i ? w.beta[j] : w.P[j * m + i];
    qr_form_q(m, n, &w);
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++)
            A[i * lda + j] = w.P[j * m + i];
    return MTC_OK;
}

/* ==========================================================================
 * Chapter 5  Data views
 *
 * Samples are the rows of X [n x d], dense or in compressed rows (CSR): the
 * stored values of row i are number row[i] .. row[i+1]-1, with their columns in
 * ascending order.  A stored zero is a value like any other.  A shape is a view
 * without values, which only layouts can use.
 *
 *   times             C = X B          dense: gemm     CSR: rows of B
 *   transpose_times   C = X'B          dense: gemm     CSR: into rows of C
 *   gram              G = X Y'         dense: gemm or syrk;  mixed: strips;
 *                                      CSR: Gustavson (1978) on Y by columns
 *
 * CSR by CSR costs one multiplication for each pair of values that meet in a
 * column, plus writing G: for text with 5 % non-zeros about 1/400 of the
 * multiplications of the dense product, and half of that if X = Y.
 * ========================================================================== */

/* Rows without gaps; the caller may set a wider stride afterwards. */
mtc_data mtc_dense(size_t n, size_t d, const mtc_real *values)
{
    return (mtc_data){n, d, values, d, NULL, NULL};
}

/* The stride means nothing here, and is 0. */
mtc_data mtc_csr(size_t n, size_t d, const size_t *row, const uint32_t *column,
    const mtc_real *values)
{
    return (mtc_data){n, d, values, 0, row, column};
}

/* A CSR shape has the number of its values in `stride`.  This tells it from an
 * empty CSR view, which also has NULL `values`, but stride 0. */
mtc_data mtc_shape(size_t n, size_t d, size_t stored)
{
    static const size_t no_rows[1] = {0};
    if (stored == 0)
        return mtc_dense(n, d, NULL);
    return (mtc_data){n, d, NULL, stored, no_rows, NULL};
}

/* What is wrong with the sizes, or NULL. */
static const char *data_wrong(const mtc_context *ctx, const mtc_data *X)
{
    const uint64_t most = UINT32_MAX;
    if (X == NULL)
        return "data is NULL";
    if (X->n == 0 || X->d == 0)
        return X->n == 0 ? "no samples" : "no features";
    if (mtc_is_shape(X) && !mtc_measuring(ctx))
        return "data is NULL";
    if (!mtc_is_csr(X))
        return X->stride < X->d ? "stride is less than d" : NULL;
    return X->d > most ? "more columns than 32 bits count" : NULL;
}

/* Checks row i, whose bounds are known to be in order.  NaN fails the test of
 * size.  Raises *largest to the largest |value|. */
static mtc_status data_check_row(mtc_context *ctx, const mtc_data *X, size_t i,
    size_t task, mtc_real *largest)
{
    size_t begin = row_begin(X, i), end = row_end(X, i);
    for (size_t e = begin; e < end; e++) {
        size_t j = entry_column(X, begin, e);
        int placed = !mtc_is_csr(X) ||
                     (j < X->d && (e == begin || X->column[e - 1] < j));
        mtc_real size = MTC_FABS(X->values[e]);
        if (placed && size <= *largest)
            continue;  /* no fault, no new largest */
        if (!placed || !(size <= MTC_MOST))
            return mtc_fail(ctx, placed ? MTC_DOMAIN : MTC_INVALID,
                            placed ? "value is not finite or too large"
                                   : "column: need ascending, below d",
                            task, i, j);
        *largest = size;
    }
    return MTC_OK;
}

/* Checks the row bounds of a CSR view, and that its arrays are given. */
static mtc_status data_check_bounds(mtc_context *ctx, const mtc_data *X,
    size_t task)
{
    size_t i = 0;
    while (i < X->n && X->row[0] == 0 && X->row[i] <= X->row[i + 1])
        i++;
    if (i == X->n &&
        (mtc_stored(X) == 0 || (X->column != NULL && X->values != NULL)))
        return MTC_OK;
    return mtc_fail(ctx, MTC_INVALID,
                    i < X->n ? "row: need 0, then ascending"
                             : "data is NULL", task,
                    i < X->n ? i : MTC_NONE, MTC_NONE);
}

/* Checks X from the outside in: it uses no size or bound before checking it.
 * *largest becomes the largest |value|. */
static mtc_status data_check(mtc_context *ctx, const mtc_data *X, size_t task,
    mtc_real *largest)
{
    const char *wrong = data_wrong(ctx, X);
    if (ctx != NULL)
        ctx->need = 0;
    if (wrong != NULL)
        return mtc_fail(ctx, MTC_INVALID, wrong, task, MTC_NONE, MTC_NONE);
    int csr = mtc_is_csr(X);
    size_t cells = csr ? mtc_add(X->n, 1) : mtc_mul(X->n, X->stride);
    if (mtc_mul(cells, MTC_MAX(sizeof(mtc_real), sizeof(size_t))) == SIZE_MAX)
        return mtc_fail(ctx, MTC_TOO_BIG, "n times stride", task, MTC_NONE,
                        MTC_NONE);
    *largest = 0;
    if (mtc_is_shape(X))
        return MTC_OK;
    if (csr)
        MTC_TRY(data_check_bounds(ctx, X, task));
    for (size_t i = 0; i < X->n; i++)
        MTC_TRY(data_check_row(ctx, X, i, task, largest));
    return MTC_OK;
}

mtc_status mtc_data_sound(mtc_context *ctx, const mtc_data *X, size_t task)
{
    mtc_real largest;
    return data_check(ctx, X, task, &largest);
}

mtc_status mtc_data_positive(mtc_context *ctx, const mtc_data *X, size_t task)
{
    MTC_TRY(mtc_data_sound(ctx, X, task));
    size_t rows = mtc_is_shape(X) ? 0 : X->n;
    for (size_t i = 0; i < rows; i++) {
        size_t begin = row_begin(X, i), end = row_end(X, i);
        for (size_t e = begin; e < end; e++)
            if (X->values[e] < 0)
                return mtc_fail(ctx, MTC_DOMAIN, "a value is negative", task,
                                i, entry_column(X, begin, e));
    }
    return MTC_OK;
}

mtc_status mtc_data_check(mtc_context *ctx, const mtc_data *X, size_t task)
{
    mtc_real largest;
    MTC_TRY(data_check(ctx, X, task, &largest));
    if (largest > 0 && largest < MTC_LEAST)
        return mtc_fail(ctx, MTC_DOMAIN,
                        "all values are too small: scale them",
                        task, MTC_NONE, MTC_NONE);
    return MTC_OK;
}

/* ---- one row ------------------------------------------------------------- */

/* Row i of a dense view. */
static const mtc_real *data_row(const mtc_data *X, size_t i)
{
    return X->values + i * X->stride;
}

/* CSR: four running sums, which overlap; scattered loads make no vectors. */
mtc_real mtc_data_dot(const mtc_data *X, size_t i, const mtc_real *v)
{
    if (!mtc_is_csr(X))
        return mtc_dot(X->d, data_row(X, i), v);
    mtc_real s[4] = {0, 0, 0, 0};
    size_t t = X->row[i], end = X->row[i + 1];
    for (; t + 4 <= end; t += 4)
        for (size_t l = 0; l < 4; l++)
            s[l] += X->values[t + l] * v[X->column[t + l]];
    for (; t < end; t++)
        s[0] += X->values[t] * v[X->column[t]];  /* the last few */
    return (s[0] + s[2]) + (s[1] + s[3]);
}

/* v += a x_i. */
void mtc_data_axpy(const mtc_data *X, size_t i, mtc_real a, mtc_real *v)
{
    if (!mtc_is_csr(X))
        mtc_axpy(X->d, a, data_row(X, i), v);
    else
        for (size_t t = X->row[i]; t < X->row[i + 1]; t++)
            v[X->column[t]] += a * X->values[t];
}

/* x_i'x_i.  Both kinds keep the values of a row together. */
static mtc_real data_norm(const mtc_data *X, size_t i)
{
    size_t from = row_begin(X, i), count = row_end(X, i) - from;
    const mtc_real *x = count > 0 ? X->values + from : NULL;
    return mtc_dot(count, x, x);
}

void mtc_data_norms(const mtc_data *X, mtc_real *norms)
{
    for (size_t i = 0; i < X->n; i++)
        norms[i] = data_norm(X, i);
}

/* ---- workspace ----------------------------------------------------------- */

enum { DATA_STRIP = 8 };  /* rows taken together: see data_gather */

/* Y by columns: column j's values, with their rows, are number start[j] ..
 * end[j]-1 so far. */
typedef struct data_columns {
    size_t *start, *end;  /* [d] */
    uint32_t *index;      /* [stored values] */
    mtc_real *value;
} data_columns;

/* Takes a place for each value that Y stores. */
static void data_columns_layout(mtc_stack *st, const mtc_data *Y,
    data_columns *c)
{
    size_t stored = mtc_stored(Y);
    MTC_SIZES(st, Y->d, &c->start, &c->end);
    c->index = MTC_TAKE(st, stored, uint32_t);
    c->value = MTC_TAKE(st, stored, mtc_real);
}

/* What times and transpose_times need. */
static size_t data_times_work(const mtc_data *X, size_t p)
{
    return mtc_is_csr(X) ? 0 : MTC_MAX(mtc_gemm_work(X->n, p, X->d),
                                       mtc_gemm_work(X->d, p, X->n));
}

/* Returns the most bytes that a product with X, with Y or with both needs. */
size_t mtc_data_work(const mtc_data *X, const mtc_data *Y, size_t p)
{
    size_t times = data_times_work(X, p);
    if (Y == NULL)  /* one view only */
        return times;
    mtc_stack st = {0};
    data_columns c;
    if (!mtc_is_csr(X) && !mtc_is_csr(Y))  /* as mtc_data_gram selects */
        mtc_take(&st, mtc_gemm_work(X->n, Y->n, X->d), 1);
    else if (mtc_is_csr(X) && mtc_is_csr(Y))
        data_columns_layout(&st, Y, &c);
    else
        MTC_TAKE(&st, mtc_mul(X->d, DATA_STRIP), mtc_real);
    return MTC_MAX(st.peak, MTC_MAX(times, data_times_work(Y, p)));
}

/* ---- times --------------------------------------------------------------- */

/* The widest of 8, 4, 2 and 1 columns that `left` still holds. */
static size_t data_width(size_t left)
{
    return left >= 8 ? 8 : left >= 4 ? 4 : left >= 2 ? 2 : 1;
}

/* A width that the compiler knows keeps the sums in registers. */
#define DATA_BY_WIDTH(w, DO)                                              \
    switch (w) {                                                          \
    case 8: DO(8) break;                                                  \
    case 4: DO(4) break;                                                  \
    case 2: DO(2) break;                                                  \
    default: DO(1)                                                        \
    }

#define DATA_GATHER(W) {                                                  \
        mtc_real sum[W] = {0};                                            \
        for (size_t t = X->row[i]; t < X->row[i + 1]; t++)                \
            for (size_t q = 0; q < (W); q++)                              \
                sum[q] += X->values[t] * B[X->column[t] * ldb + q];       \
        memcpy(c, sum, sizeof sum);                                       \
    }

/* `sum` is for the compiler, which cannot know that C and b do not overlap. */
#define DATA_SCATTER(W)                                                   \
    for (size_t t = X->row[i]; t < X->row[i + 1]; t++) {                  \
        mtc_real sum[W], *c = C + X->column[t] * ldc;                     \
        for (size_t q = 0; q < (W); q++)                                  \
            sum[q] = c[q] + (X->values[t] * b[q]);                        \
        for (size_t q = 0; q < (W); q++)                                  \
            c[q] = sum[q];                                                \
    }

/* c [w] = row i of the CSR view X times w = 8, 4, 2 or 1 columns of B. */
GEMM_HOT static void data_gather(const mtc_data *X, size_t i, size_t w,
    const mtc_real *B, size_t ldb, mtc_real *c)
{
    DATA_BY_WIDTH(w, DATA_GATHER)
}

/* Adds x_i' b to w columns of C. */
GEMM_HOT static void data_scatter(const mtc_data *X, size_t i, size_t w,
    const mtc_real *b, mtc_real *C, size_t ldc)
{
    DATA_BY_WIDTH(w, DATA_SCATTER)
}

/* C_i = sum over stored x_ij of x_ij B_j. */
void mtc_data_times(const mtc_data *X, size_t p, const mtc_real *B, size_t ldb,
    mtc_real *C, size_t ldc, void *work)
{
    if (!mtc_is_csr(X)) {
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
void mtc_data_transpose_times(const mtc_data *X, size_t p, const mtc_real *B,
    size_t ldb, mtc_real *C, size_t ldc, void *work)
{
    if (!mtc_is_csr(X)) {
        mtc_gemm(1, 0, X->d, p, X->n, 1, X->values, X->stride, B, ldb, 0, C,
            ldc, work);
        return;
    }
    for (size_t j = 0; j < X->d; j++)
        MTC_ZERO(C + j * ldc, p);  /* C = 0 */
    for (size_t i = 0; i < X->n; i++)
        for (size_t q = 0, w; q < p; q += w)
            data_scatter(X, i, w = data_width(p - q), B + i * ldb + q, C + q,
                ldc);
}

/* ---- gram ---------------------------------------------------------------- */

/* Appends row i to its columns; rows come in ascending order. */
static void data_columns_add(const mtc_data *Y, size_t i, data_columns *c)
{
    for (size_t t = Y->row[i]; t < Y->row[i + 1]; t++) {
        size_t at = c->end[Y->column[t]]++;
        c->index[at] = (uint32_t)i;
        c->value[at] = Y->values[t];
    }
}

/* CSR by CSR [Gustavson]: g_r += x_ij y_rj for the rows r that column j of Y
 * has so far.  If X = Y, row i is appended just before it is used: the columns
 * then hold rows 0..i, which gives the lower triangle. */
static void data_gram_sparse(const mtc_data *X, const mtc_data *Y, int same,
    mtc_real *G, size_t ldg, void *work)
{
    mtc_stack st = stack_over(work);
    data_columns c;
    size_t stored = mtc_stored(Y);
    data_columns_layout(&st, Y, &c);
    MTC_ZERO(c.end, Y->d);
    for (size_t t = 0; t < stored; t++)  /* lengths of columns */
        c.end[Y->column[t]]++;
    for (size_t j = 0, sum = 0; j < Y->d; j++) {
        c.start[j] = sum;
        sum += c.end[j];
        c.end[j] = c.start[j];  /* empty so far */
    }
    if (!same)
        for (size_t j = 0; j < Y->n; j++)
            data_columns_add(Y, j, &c);  /* all of Y */
    for (size_t i = 0; i < X->n; i++) {
        mtc_real *g = G + i * ldg;
        MTC_ZERO(g, same ? i + 1 : Y->n);
        if (same)
            data_columns_add(Y, i, &c);  /* Y = X so far */
        for (size_t t = X->row[i]; t < X->row[i + 1]; t++) {
            mtc_real x = X->values[t];  /* x_ij */
            size_t j = X->column[t];
            for (size_t s = c.start[j]; s < c.end[j]; s++)
                g[c.index[s]] += x * c.value[s];
        }
    }
}

/* Dense D by CSR S:  entry (i,j) of D S' goes to G[i * row + j * column].  A
 * strip of rows of D is packed side by side, so that a stored value of S
 * meets a vector of them. */
static void data_gram_mixed(const mtc_data *D, const mtc_data *S, mtc_real *G,
    size_t row, size_t column, mtc_real *strip)
{
    mtc_real sum[DATA_STRIP];
    for (size_t i = 0; i < D->n; i += DATA_STRIP) {
        size_t w = MTC_MIN(DATA_STRIP, D->n - i);  /* rows of this strip */
        gemm_pack(DATA_STRIP, w, D->d, data_row(D, i), D->stride, 1, strip);
        for (size_t j = 0; j < S->n; j++) {
            data_gather(S, j, DATA_STRIP, strip, DATA_STRIP, sum);
            for (size_t q = 0; q < w; q++)
                G[(i + q) * row + j * column] = sum[q];
        }
    }
}

/* Selects by dense or CSR; if X = Y, the lower triangle is mirrored. */
void mtc_data_gram(const mtc_data *X, const mtc_data *Y, mtc_real *G,
    size_t ldg, void *work)
{
    int same = X->n == Y->n && X->d == Y->d && X->values == Y->values &&
               X->stride == Y->stride && X->row == Y->row &&
               X->column == Y->column;  /* the very same memory */
    int dense = !mtc_is_csr(X) && !mtc_is_csr(Y);
    if (X->n == 0 || Y->n == 0)
        return;
    if (dense && same)
        mtc_syrk(0, X->n, X->d, 1, X->values, X->stride, 0, G, ldg, work);
    else if (dense)
        mtc_gemm(0, 1, X->n, Y->n, X->d, 1, X->values, X->stride, Y->values,
            Y->stride, 0, G, ldg, work);
    else if (!mtc_is_csr(X))
        data_gram_mixed(X, Y, G, ldg, 1, (mtc_real *)work);
    else if (!mtc_is_csr(Y))
        data_gram_mixed(Y, X, G, 1, ldg, (mtc_real *)work);
    else
        data_gram_sparse(X, Y, same, G, ldg, work);
    if (same && !dense)
        mtc_mirror(0, X->n, G, ldg);  /* the upper triangle */
}

void mtc_unit_rows(size_t n, size_t k, mtc_real *E)
{
    for (size_t i = 0; i < n; i++) {
        mtc_real length = MTC_SQRT(mtc_dot(k, E + i * k, E + i * k));
        if (length > 0)
            for (size_t z = 0; z < k; z++)
                E[i * k + z] /= length;
    }
}

/* ==========================================================================
 * Chapter 6  Symmetric eigenproblems: common ground, and Jacobi
 *
 *   A V = V diag(w),  V'V = I,  w ascending      A symmetric, lower triangle
 *
 * Two solvers share this chapter's entry and exit:
 *   Jacobi               small matrices, and the reference        (chapter 6)
 *   divide and conquer   the others, by a tridiagonal form    (chapters 7, 8)
 * Entry: A is checked and multiplied by the power of two that brings its
 * largest entry to [1,2).  So no square or product of two entries overflows,
 * and those that underflow are too small to matter.  Exit: signs are chosen,
 * and only now w and V are written.
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

/* A <- p A with the power of two p that takes the largest entry to [1,2), or
 * as near as p < HUGE can; *scale = p.  If an entry is NaN or infinite, it
 * returns DOMAIN and leaves A as it is. */
static mtc_status eig_enter(size_t n, mtc_real *A, size_t lda, mtc_real *scale)
{
    mtc_real largest = 0, p = 1;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            mtc_real a = MTC_FABS(A[i * lda + j]);
            if (!MTC_FINITE(a))  /* NaN or infinite */
                return MTC_DOMAIN;
            largest = a > largest ? a : largest;
        }
    for (; largest >= 2; largest *= (mtc_real)0.5)
        p *= (mtc_real)0.5;
    for (; largest > 0 && largest < 1 && p < MTC_HUGE / 4; largest *= 2)
        p *= 2;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            A[i * lda + j] *= p;  /* exact, by a power of 2 */
    *scale = p;
    return MTC_OK;
}

/* Returns the sign, -1 or 1, that makes the largest entry of x positive; of
 * equal ones the first counts. */
static mtc_real eig_sign(size_t n, const mtc_real *x, size_t step)
{
    mtc_real top = 0;
    for (size_t i = 0; i < n; i++)
        if (MTC_FABS(x[i * step]) > MTC_FABS(top))
            top = x[i * step];  /* the first of the largest */
    return top < 0 ? (mtc_real)-1 : (mtc_real)1;
}

/* The pairs order[0], order[1] ... of (d, Z): w[j] = d / scale, column j of V
 * [n*ldv] = row order[j] of Z [*n], signed. */
static void eig_exit(size_t n, size_t count, const size_t *order,
    const mtc_real *d, mtc_real scale, const mtc_real *Z, mtc_real *w,
    mtc_real *V, size_t ldv)
{
    for (size_t j = 0; j < count; j++)
        w[j] = d[order[j]] / scale;
    if (V == NULL)
        return;
    for (size_t j = 0; j < count; j++) {
        const mtc_real *z = Z + order[j] * n;
        mtc_real sign = eig_sign(n, z, 1);  /* largest entry positive */
        for (size_t i = 0; i < n; i++)
            V[i * ldv + j] = sign * z[i];
    }
}

/* Reverses the order of w [count] and of the columns of V [n*count]. */
static void eig_reverse(size_t n, size_t count, mtc_real *w, mtc_real *V)
{
    for (size_t i = 0; i <= n; i++) {
        mtc_real *row = i < n ? V + i * count : w;  /* w is the last row */
        for (size_t a = 0, b = count; a + 1 < b; a++) {
            mtc_real keep = row[a];
            row[a] = row[--b];
            row[b] = keep;
        }
    }
}

/* The length of (a,b).  No square overflows after eig_enter, and a number whose
 * square vanishes counts as 0. */
static mtc_real eig_hypot(mtc_real a, mtc_real b)
{
    return MTC_SQRT(a * a + b * b);
}

/* (x, y) <- (c x - s y, s x + c y), two rows. */
static void eig_rotate(size_t n, mtc_real c, mtc_real s, mtc_real *restrict x,
    mtc_real *restrict y)
{
    for (size_t i = 0; i < n; i++) {
        mtc_real xi = x[i], yi = y[i];
        x[i] = c * xi - s * yi;
        y[i] = s * xi + c * yi;
    }
}

static void eig_identity(size_t n, mtc_real *Z)
{
    MTC_ZERO(Z, n * n);
    for (size_t i = 0; i < n; i++)
        Z[i * n + i] = 1;
}

#define JAC_SWEEPS 60  /* 8 are rare, 12 were never seen */
#define JAC_THRESHOLD_SWEEPS 3

typedef struct jac_ws {
    size_t n, lda;
    mtc_real *A;    /* [n*lda] both triangles, becomes diag(d) = Z A Z' */
    mtc_real *d;    /* [n] */
    mtc_real *Z;    /* [n*n], or NULL: no vectors */
    size_t *order;  /* [n] */
} jac_ws;

static size_t jac_layout(void *work, size_t n, jac_ws *ws)
{
    mtc_stack st = stack_over(work);
    MTC_REALS(&st, n, &ws->d);
    MTC_SIZES(&st, n, &ws->order);
    MTC_REALS(&st, mtc_mul(n, n), &ws->Z);
    return st.peak;
}

size_t mtc_jacobi_work(size_t n)
{
    jac_ws ws;
    return jac_layout(NULL, n, &ws);
}

/* The rotation that takes a_pq to 0: A <- J'AJ, and rows p and q of Z.  t =
 * tan of the smaller angle that does it, so that the pair does not change
 * places needlessly. */
static void jac_rotate(const jac_ws *ws, size_t p, size_t q)
{
    size_t n = ws->n, lda = ws->lda;
    mtc_real *Ap = ws->A + p * lda, *Aq = ws->A + q * lda;
    mtc_real apq = Ap[q], app = Ap[p], aqq = Aq[q];
    mtc_real theta = (aqq / 2 - app / 2) / apq;  /* may be infinite */
    mtc_real t = 1 / (MTC_FABS(theta) + MTC_SQRT(1 + theta * theta));
    t = theta < 0 ? -t : t;
    mtc_real c = 1 / MTC_SQRT(1 + t * t), s = t * c;  /* cosine and sine */
    eig_rotate(n, c, s, Ap, Aq);
    Ap[p] = app - t * apq;  /* a_pp, a_qq exactly */
    Aq[q] = aqq + t * apq;
    Ap[q] = Aq[p] = 0;
    for (size_t k = 0; k < n; k++) {  /* columns as rows */
        ws->A[k * lda + p] = Ap[k];
        ws->A[k * lda + q] = Aq[k];
    }
    if (ws->Z != NULL)
        eig_rotate(n, c, s, ws->Z + p * n, ws->Z + q * n);
}

/* Sweeps over the triangle until all entries are negligible: by the test of
 * [DV92], or because they are below MTC_TINY, where the largest is near 1.  In
 * the first few sweeps the threshold is a fifth of the mean magnitude off the
 * diagonal. */
static mtc_status jac_solve(const jac_ws *ws)
{
    size_t n = ws->n, lda = ws->lda, met = 1;
    mtc_real *A = ws->A;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            A[j * lda + i] = A[i * lda + j];  /* the upper triangle */
    if (ws->Z != NULL)
        eig_identity(n, ws->Z);
    for (int sweep = 0; met > 0 && sweep <= JAC_SWEEPS; sweep++) {
        mtc_real threshold = 0;
        met = 0;
        if (sweep < JAC_THRESHOLD_SWEEPS)
            for (size_t i = 0; i < n; i++)
                for (size_t j = 0; j < i; j++)
                    threshold += MTC_FABS(A[i * lda + j]);
        threshold /= (mtc_real)5 * (mtc_real)n * (mtc_real)n / 2;
        for (size_t p = 0; p < n; p++)
            for (size_t q = p + 1; q < n; q++) {
                mtc_real a = MTC_FABS(A[p * lda + q]);
                if (a <= MTC_TINY ||
                    a <= MTC_EPS * MTC_SQRT(MTC_FABS(A[p * lda + p])) *
                             MTC_SQRT(MTC_FABS(A[q * lda + q])))
                    continue;
                met++;  /* not yet diagonal */
                if (a >= threshold)
                    jac_rotate(ws, p, q);
            }
    }
    for (size_t i = 0; i < n; i++)
        ws->d[i] = A[i * lda + i];
    return met > 0 ? MTC_LIMIT : MTC_OK;
}

/* Pairs first .. first + count - 1 by Jacobi's method. */
static mtc_status jac_range(size_t n, mtc_real *A, size_t lda, size_t first,
    size_t count, mtc_real *w, mtc_real *V, size_t ldv, void *work)
{
    jac_ws ws = {.n = n, .lda = lda, .A = A};
    jac_layout(work, n, &ws);
    ws.Z = V != NULL ? ws.Z : NULL;
    mtc_real scale;
    MTC_TRY(eig_enter(n, A, lda, &scale));
    MTC_TRY(jac_solve(&ws));
    mtc_select_order(n, ws.d, n, ws.order);
    eig_exit(n, count, ws.order + first, ws.d, scale, ws.Z, w, V, ldv);
    return MTC_OK;
}

mtc_status mtc_jacobi(size_t n, mtc_real *A, size_t lda, mtc_real *w,
    mtc_real *V, size_t ldv, void *work)
{
    return n == 0 ? MTC_OK : jac_range(n, A, lda, 0, n, w, V, ldv, work);
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
#define TDR_BACK ((size_t)64)    /* at most 3 TDR_PANEL */
#define TDR_CHUNK ((size_t)512)  /* four rows of it fit a small cache */
#define TDR_SHORT ((size_t)500)  /* rows up to which no tick is sent */

/* The matrix, T, the reflectors' factors, and a panel of [V; W; V]. */
typedef struct tdr_ws {
    size_t n, lda;
    mtc_real *A;            /* [n*lda] lower triangle */
    mtc_real *d, *e, *tau;  /* [n] each; e[n-1] = 0 */
    mtc_real *panel;        /* [3*TDR_PANEL * n] */
    mtc_real *small;        /* [2*TDR_BACK^2] */
    mtc_real *product;      /* [2*TDR_BACK * count] */
    gemm_lanes *lanes;
} tdr_ws;

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

/* Adds to y both parts of row r, from column `from` to the diagonal. */
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

/* y = A x, A [n*lda] symmetric from its lower triangle.  It takes four rows by
 * TDR_CHUNK columns at a time: an entry is loaded from memory for the sum of
 * its row, and is still in the nearest cache for the sum of its column. */
static void tdr_symv(size_t n, const mtc_real *A, size_t lda, const mtc_real *x,
    mtc_real *y)
{
    MTC_ZERO(y, n);  /* y = 0 */
    size_t r = 0;
    for (; r + 4 <= n; r += 4) {
        const mtc_real *a = A + r * lda;
        for (size_t k = 0; k < r; k += TDR_CHUNK) {
            size_t width = MTC_MIN(TDR_CHUNK, r - k);
            tdr_add_four(width, a + k, lda, x + r, y + k);
            for (size_t i = 0; i < 4; i++)
                y[r + i] += mtc_dot(width, a + i * lda + k, x + k);
        }
        for (size_t i = 0; i < 4; i++)  /* the block on the diagonal */
            tdr_add_row(r + i, r, a + i * lda, x, y);
    }
    for (; r < n; r++)
        tdr_add_row(r, 0, A + r * lda, x, y);
}

/* Makes a reflector of x [i], i >= 1: (I - tau v v') x = beta e_{i-1}; v
 * overwrites x.  Returns tau.  It is 0 if the rest of x is negligible beside
 * entries near 1: its square would lose digits, and v its length. */
static mtc_real tdr_reflector(size_t i, mtc_real *x, mtc_real *beta)
{
    mtc_real alpha = x[i - 1];
    mtc_real rest = mtc_dot(i - 1, x, x);  /* the rest of x, squared */
    x[i - 1] = 1;
    *beta = alpha;
    if (rest <= MTC_TINY / MTC_EPS) {
        MTC_ZERO(x, i - 1);
        return 0;
    }
    mtc_real length = eig_hypot(alpha, MTC_SQRT(rest));
    *beta = alpha > 0 ? -length : length;       /* nothing cancels below */
    mtc_real divisor = alpha - *beta;
    for (size_t k = 0; k + 1 < i; k++)
        x[k] /= divisor;
    return (*beta - alpha) / *beta;
}

/* Reduces rows hi-1 down to lo: writes their d, e, tau, v to A, and V and W to
 * the panel, where w = tau (A - V'W - W'V) v, less its part along v/2, so that
 * the two-sided reflection is A - vw' - wv'. */
static void tdr_panel(size_t lo, size_t hi, tdr_ws *ws)
{
    size_t n = ws->n, width = hi - lo;
    for (size_t done = 0; done < width; done++) {
        size_t i = hi - 1 - done;
        mtc_real *row = ws->A + i * ws->lda, *w, tau;
        for (size_t t = 0; t < done; t++) {  /* row i of A as it should be */
            const mtc_real *vt = ws->panel + t * n, *wt = vt + width * n;
            const mtc_real pair[2] = {wt[i], vt[i]};
            gemm_row(i + 1, 2, -1, pair, 1, vt, width * n, row);
        }
        ws->d[i] = row[i];
        if (i == 0)
            return;
        tau = ws->tau[i] = tdr_reflector(i, row, &ws->e[i - 1]);
        MTC_COPY(ws->panel + done * n, row, i);
        MTC_ZERO(w = ws->panel + (width + done) * n, i);
        if (tau == 0)
            continue;
        const mtc_real *v = row;
        tdr_symv(i, ws->A, ws->lda, v, w);
        for (size_t t = 0; t < done; t++) {
            const mtc_real *vt = ws->panel + t * n, *wt = vt + width * n;
            const mtc_real pair[2] = {mtc_dot(i, wt, v), mtc_dot(i, vt, v)};
            gemm_row(i, 2, -1, pair, 1, vt, width * n, w);
        }
        for (size_t k = 0; k < i; k++)
            w[k] *= tau;
        mtc_axpy(i, -tau / 2 * mtc_dot(i, w, v), v, w);
    }
}

/* T and the reflectors of the lower triangle of A, which they replace.  After
 * each panel the leading m x m triangle is brought up to date:  A -= V'W + W'V
 * = [V; W]' [W; V]. */
static mtc_status tdr_reduce(mtc_context *ctx, tdr_ws *ws)
{
    size_t n = ws->n;
    ws->e[n - 1] = ws->tau[0] = 0;
    for (size_t hi = n, m; hi > 0; hi = m) {
        m = hi > TDR_PANEL ? hi - TDR_PANEL : 0;
        tdr_panel(m, hi, ws);  /* V and W */
        size_t width = hi - m;
        mtc_real *VW = ws->panel, *WV = ws->panel + width * n;
        for (size_t t = 0; t < width; t++)
            MTC_COPY(WV + (width + t) * n, VW + t * n, m);
        gemm_product update = {m, m, 2 * width, gemm_view(1, VW, n),
                               gemm_view(0, WV, n), -1, 1, ws->A, ws->lda,
                               m > TDR_PANEL ? 0 : m};
        MTC_TRY(gemm_share(ctx, ws->lanes, update));
        if (n > TDR_SHORT)
            MTC_TRY(mtc_tick(ctx, "eigenvalues", n - m, n));
    }
    return MTC_OK;
}

/* Rows of Z [count*n], eigenvectors of T, to eigenvectors of A: for each group
 * of reflectors Z <- Z - ((Z V') S) V, where S is upper triangular, from G =
 * VV': column j is -tau_j S G_{0..j-1,j} above tau_j. */
static mtc_status tdr_back(mtc_context *ctx, size_t count, mtc_real *Z,
    tdr_ws *ws)
{
    size_t n = ws->n;
    mtc_real *V = ws->panel, *G = ws->small, *S = G + TDR_BACK * TDR_BACK;
    mtc_real *ZV = ws->product, *ZVS = ZV + TDR_BACK * count;
    for (size_t a = 1; a < n; a += TDR_BACK) {
        size_t b = MTC_MIN(a + TDR_BACK, n), k = b - a, length = b - 1;
        for (size_t i = a; i < b; i++) {  /* V from the rows of A */
            mtc_real *v = V + (i - a) * length;
            MTC_COPY(v, ws->A + i * ws->lda, i);
            MTC_ZERO(v + i, length - i);
        }
        mtc_syrk(0, k, length, 1, V, length, 0, G, k, ws->lanes->work);
        MTC_ZERO(S, k * k);
        for (size_t j = 0; j < k; j++) {
            for (size_t i = 0; i < j; i++) {
                mtc_real sum = 0;
                for (size_t t = i; t < j; t++)
                    sum += S[i * k + t] * G[t * k + j];
                S[i * k + j] = -ws->tau[a + j] * sum;
            }
            S[j * k + j] = ws->tau[a + j];
        }
        gemm_product steps[3] = {
            {count, k, length, gemm_view(0, Z, n), gemm_view(1, V, length), 1,
             0, ZV, k, k},
            {count, k, k, gemm_view(0, ZV, k), gemm_view(0, S, k), 1, 0, ZVS,
             k, k},
            {count, length, k, gemm_view(0, ZVS, k), gemm_view(0, V, length),
             -1, 1, Z, n, length}
        };
        for (int step = 0; step < 3; step++)
            MTC_TRY(gemm_share(ctx, ws->lanes, steps[step]));
        if (n > TDR_SHORT)
            MTC_TRY(mtc_tick(ctx, "eigenvectors", b, n));
    }
    return MTC_OK;
}

/* ==========================================================================
 * Chapter 8  All pairs of a tridiagonal matrix
 *
 *   T = tridiag(e, d, e)  ->  d eigenvalues, rows of Z eigenvectors
 *
 * Implicit QL: a shift from the leading 2 x 2 block, one rotation for each row
 * to chase the bulge, deflation where e_m is negligible.  Values take O(n^2)
 * time.  Vectors take 3 n^3 in rotations, so QL finds those of leaves only.
 *
 * Divide and conquer [C81, GE95], bottom-up from leaves of at most DAC_LEAF
 * rows.  T is torn at its cuts,
 *     T = diag(T1, T2) + rho v v',   v = (0, ..., 1, +-1, ..., 0)
 * and with Ti = Zi' Di Zi, z = (Z1; Z2) v, two parts are merged so:
 *   D1  sort D = (D1, D2);
 *   D2  deflate: a pair with tiny rho z_i is final; if two d are close, a
 *       rotation makes one of their z zero;
 *   D3  the other eigenvalues are the roots of the secular equation
 *           f(x) = 1/rho + sum_i z_i^2 / (d_i - x) = 0,
 *       one in each interval between poles, found from the nearer pole so
 *       that every d_i - x_j keeps its relative precision;
 *   D4  find the z^ whose exact roots are the computed ones [GE95]: the vectors
 *       z^_i / (d_i - x_j) are then orthogonal to working precision;
 *   D5  new rows = U (Z1; Z2), two products: a row that lives in one part has
 *       zeros in the columns of the other.
 *
 * Roots: rational interpolation with two poles (dlaed4's two ways to choose
 * the constant, after Li), inside a bracket that is halved where this fails.
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

#define TQL_ROTATIONS 50  /* sweeps for one eigenvalue, at most */

/* One implicit QL sweep over rows l..m of an unreduced block; rotations go
 * to rows of Z [*ldz], n long, unless it is NULL. */
static void tql_sweep(size_t l, size_t m, mtc_real *d, mtc_real *e, mtc_real *Z,
    size_t n, size_t ldz)
{
    mtc_real g = (d[l + 1] - d[l]) / (2 * e[l]);
    mtc_real r = eig_hypot(g, 1);
    g = d[m] - d[l] + e[l] / (g + (g < 0 ? -r : r));  /* Wilkinson's shift */

    mtc_real s = 1, c = 1, p = 0;  /* the rotation, the shift */
    for (size_t i = m; i-- > l;) {
        mtc_real f = s * e[i], b = c * e[i];
        e[i + 1] = r = eig_hypot(f, g);
        if (r == 0) {  /* the block splits by itself */
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
        g = c * r - b;  /* the bulge, a row further */
        if (Z != NULL)
            eig_rotate(n, c, s, Z + i * ldz, Z + (i + 1) * ldz);
    }
    d[l] -= p;  /* the end of the chase */
    e[l] = g;
    e[m] = 0;
}

/* Writes the eigenvalues of T [n] to d and rotates the rows of Z [n*ldz] along;
 * e is lost.  An e below eps |T| / 4 is negligible: the reduction to T erred by
 * more.  |T|, the largest sum of a row, bounds all eigenvalues. */
static mtc_status tql_solve(size_t n, mtc_real *d, mtc_real *e, mtc_real *Z,
    size_t ldz)
{
    mtc_real norm = 0, negligible;
    for (size_t i = 0; i < n; i++) {
        mtc_real before = i > 0 ? MTC_FABS(e[i - 1]) : 0;
        norm = MTC_MAX(MTC_FABS(d[i]) + before + MTC_FABS(e[i]), norm);
    }
    negligible = MTC_EPS / 4 * norm;
    for (size_t l = 0; l < n; l++)
        for (int sweep = 0; ; sweep++) {
            size_t m = l;
            while (m + 1 < n && MTC_FABS(e[m]) > negligible)
                m++;
            if (m == l)  /* deflated: d_l is final */
                break;
            if (sweep == TQL_ROTATIONS)
                return MTC_LIMIT;
            tql_sweep(l, m, d, e, Z, n, ldz);
        }
    return MTC_OK;
}

#define DAC_LEAF ((size_t)32)
#define DAC_STEPS 100  /* for one root; 3 to 6 are taken */

/* The secular equation of one merge, and the search for one root of it: at
 * x = d[origin] + mu, in the bracket (lo, hi) for mu, in which f rises from
 * below 0 to above. */
typedef struct dac_secular {
    size_t k;
    const mtc_real *d, *z;  /* [k] ascending poles, and weights */
    mtc_real inverse_rho;   /* 1/rho > 0 */
    size_t left, origin;    /* the left pole, the nearer pole */
    mtc_real *delta;        /* [k] d - d[origin] */
    mtc_real lo, hi, mu;
    mtc_real psi, dpsi, phi, dphi;  /* at mu: sum and slope of the poles
                                       up to the left one (psi <= 0), and
                                       of the others (phi >= 0) */
    mtc_real f, df;  /* at mu: the function, its slope */
} dac_secular;

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
        mtc_real q = z[i] / (delta[i] - mu);  /* the last few */
        s[0] += z[i] * q;
        t[0] += q * q;
    }
    *value = (s[0] + s[1]) + (s[2] + s[3]);
    *slope = (t[0] + t[1]) + (t[2] + t[3]);
}

/* Moves the search to mu, and computes f and its parts there. */
static void dac_evaluate(dac_secular *q, mtc_real mu)
{
    size_t split = q->left + 1;
    q->mu = mu;
    dac_sum(split, q->z, q->delta, mu, &q->psi, &q->dpsi);
    dac_sum(q->k - split, q->z + split, q->delta + split, mu, &q->phi,
        &q->dphi);
    q->f = q->inverse_rho + q->psi + q->phi;  /* 1/rho + psi + phi */
    q->df = q->dpsi + q->dphi;
}

/* The next mu: the root of a model  c - s/x + t/(F - x)  with f's value and
 * slope at mu.  Its poles are the nearer one, from where x is measured, and
 * the farther one at F; the one degree of freedom left is the weight s:
 *   middle      each side's slope is matched by its own pole;
 *   otherwise   the nearer pole keeps its true weight z^2.
 * Solved for x itself, not for a step, so that an x tiny beside F comes out
 * with all its digits: (cF) u^2 - (cF + s + t) u + s = 0 for u = x/F, which
 * has one root in (0,1), and with outside = 1 one below 0. */
static mtc_real dac_next(const dac_secular *q, mtc_real F, int near_left,
    int middle, int outside)
{
    mtc_real here = -q->mu, there = F - q->mu, z = q->z[q->origin];
    mtc_real slope = !middle     ? z / here * (z / here)
                     : near_left ? q->dpsi : q->dphi;
    mtc_real s = here * here * slope, t = there * there * (q->df - slope);
    mtc_real cF = F * (q->f - here * slope - there * (q->df - slope));
    mtc_real p = cF + s + t;  /* of the quadratic in u */
    mtc_real root = MTC_SQRT(MTC_FABS(p * p - 4 * cF * s));
    if (outside)
        return F * (p >= 0 ? (p + root) / (2 * cF) : 2 * s / (p - root));
    return F * (p <= 0 ? (p - root) / (2 * cF) : 2 * s / (p + root));
}

/* mu is measured from pole number `origin`. */
static void dac_measure_from(dac_secular *q, size_t origin)
{
    q->origin = origin;
    for (size_t i = 0; i < q->k; i++)
        q->delta[i] = q->d[i] - q->d[origin];
}

/* Begins the search for root j, between poles j and j+1; the last root is at
 * most |z|^2 rho above its pole.  f half-way tells the nearer pole. */
static void dac_begin(dac_secular *q, size_t j)
{
    int last = j + 1 == q->k;
    mtc_real width = last ? mtc_dot(q->k, q->z, q->z) / q->inverse_rho
                          : q->d[j + 1] - q->d[j];
    q->left = last ? j - 1 : j;
    q->lo = 0;
    q->hi = width;
    dac_measure_from(q, j);
    dac_evaluate(q, width / 2);
    if (last || q->f >= 0)
        return;
    dac_measure_from(q, j + 1);
    q->lo = -width;
    q->hi = 0;
    q->mu -= width;  /* the same x */
}

/* Moves mu to the root: until f is within its own rounding error, or no number
 * is left in the bracket.  A halving goes to the geometric mean of the ends,
 * which have one sign, since the root may lie at any distance from the pole at
 * 0. */
static void dac_find(dac_secular *q, int outside)
{
    int near_left = q->origin == q->left, middle = 0, halve = 0;
    mtc_real F = q->delta[near_left ? q->left + 1 : q->left];
    for (int step = 0; step < DAC_STEPS; step++) {
        mtc_real size = 8 * (q->phi + MTC_FABS(q->psi)) + q->inverse_rho +
                        MTC_FABS(q->mu) * q->df;
        if (MTC_FABS(q->f) <= MTC_EPS * size)
            return;
        mtc_real width = q->hi - q->lo, before = q->f;
        *(before < 0 ? &q->lo : &q->hi) = q->mu;
        mtc_real next = dac_next(q, F, near_left, middle, outside);
        if (next == q->mu)  /* no further digit */
            return;
        if (halve || !(next > q->lo && next < q->hi)) {
            mtc_real a = MTC_FABS(q->lo), b = MTC_FABS(q->hi);
            a = a == 0 ? b / 10000 : a;
            b = b == 0 ? a / 10000 : b;
            next = MTC_SQRT(a) * MTC_SQRT(b);
            next = q->lo < 0 ? -next : next;
        }
        if (!(next > q->lo && next < q->hi))
            return;
        dac_evaluate(q, next);
        if (q->f * before > 0 && q->f / before > (mtc_real)0.1)
            middle = !middle;  /* slow: try the other way */
        halve = !halve && MTC_FABS(q->f) > MTC_FABS(before) / 2 &&
                q->hi - q->lo > width / 2;
    }
}

/* The part, or both, in whose columns a row of Z has its entries. */
enum { DAC_FIRST, DAC_BOTH, DAC_SECOND };

/* Memory of the merges, and the present one: rows lo..mid-1 and mid..hi-1. */
typedef struct dac_ws {
    size_t n;
    mtc_real *d;                        /* [n] values; the caller's */
    mtc_real *Z;                        /* [n*n] vectors as rows */
    mtc_real *Y;                        /* [n*n] the kept rows, packed */
    mtc_real *U;                        /* [n*n] d_i - x_j, then vectors */
    mtc_real *z, *pole, *weight, *hat;  /* [n] */
    size_t *order, *kept, *dropped;     /* [n] rows of Z */
    size_t *place;                      /* [n] kept ones by kind */
    unsigned char *kind;                /* [n] */
    size_t lo, mid, hi;
    mtc_real rho, tolerance;
    size_t n_kept, n_dropped;           /* how many: see dac_deflate */
    size_t of_kind[3];
    mtc_real *root;                     /* [n] of the present merge */
    gemm_lanes *lanes;
} dac_ws;

/* Returns the first row of part j, where n rows are halved again and again into
 * `parts`.  So parts 2j and 2j+1 make part j of half as many parts. */
static size_t dac_start(size_t n, size_t j, size_t parts)
{
    return n / parts * j + n % parts * j / parts;
}

/* Parts j and j+1 of `parts` are to be joined: z = Z v / sqrt 2, so that |z| =
 * 1, and rho = 2 |e| at the cut. */
static void dac_couple(size_t j, size_t parts, const mtc_real *cut, dac_ws *ws)
{
    ws->lo = dac_start(ws->n, j, parts);
    ws->mid = dac_start(ws->n, j + 1, parts);
    ws->hi = dac_start(ws->n, j + 2, parts);
    const mtc_real half = MTC_SQRT((mtc_real)0.5), e = cut[ws->mid - 1];
    mtc_real sign = e < 0 ? -half : half, largest_d = 0, largest_z = 0;
    for (size_t r = ws->lo; r < ws->hi; r++) {
        int first = r < ws->mid;
        const mtc_real *row = ws->Z + r * ws->n;
        ws->z[r] = first ? half * row[ws->mid - 1] : sign * row[ws->mid];
        ws->kind[r] = first ? DAC_FIRST : DAC_SECOND;
        mtc_real d = MTC_FABS(ws->d[r]), z = MTC_FABS(ws->z[r]);
        largest_d = d > largest_d ? d : largest_d;
        largest_z = z > largest_z ? z : largest_z;
    }
    ws->rho = 2 * MTC_FABS(e);  /* 2: of |v|^2 */
    mtc_real size = ws->rho * largest_z;
    ws->tolerance = 8 * MTC_EPS * (size > largest_d ? size : largest_d);
}

/* If the d of rows p and s are so close that a rotation may take z_p to 0,
 * rotates them and returns 1. */
static int dac_unite(size_t p, size_t s, dac_ws *ws)
{
    mtc_real *d = ws->d, dp = d[p], ds = d[s];
    mtc_real length = eig_hypot(ws->z[p], ws->z[s]);
    mtc_real cosine = ws->z[s] / length, sine = ws->z[p] / length;
    if (MTC_FABS((ds - dp) * cosine * sine) > ws->tolerance)
        return 0;
    ws->z[p] = 0;
    ws->z[s] = length;  /* takes all of it */
    if (ws->kind[p] != ws->kind[s])
        ws->kind[s] = DAC_BOTH;  /* the kind of p no longer matters */
    eig_rotate(ws->hi - ws->lo, cosine, sine, ws->Z + p * ws->n + ws->lo,
        ws->Z + s * ws->n + ws->lo);
    d[p] = dp * cosine * cosine + ds * sine * sine;
    d[s] = dp * sine * sine + ds * cosine * cosine;
    return 1;
}

/* D1 and D2: sorts the kept rows by d, which then differ enough, and numbers
 * them in `place`, first all of DAC_FIRST, then _BOTH, then _SECOND. */
static void dac_deflate(dac_ws *ws)
{
    size_t size = ws->hi - ws->lo, pending = MTC_NONE, c = 0;
    mtc_select_order(size, ws->d + ws->lo, size, ws->order);
    ws->n_kept = ws->n_dropped = 0;
    for (size_t i = 0; i < size; i++) {
        size_t row = ws->lo + ws->order[i];
        if (ws->rho * MTC_FABS(ws->z[row]) <= ws->tolerance) {
            ws->dropped[ws->n_dropped++] = row;
            continue;
        }
        if (pending != MTC_NONE && dac_unite(pending, row, ws))
            ws->dropped[ws->n_dropped++] = pending;
        else if (pending != MTC_NONE)
            ws->kept[ws->n_kept++] = pending;
        pending = row;  /* may unite with the next */
    }
    if (pending != MTC_NONE)
        ws->kept[ws->n_kept++] = pending;
    for (unsigned kind = DAC_FIRST; kind <= DAC_SECOND; kind++) {
        size_t start = c;
        for (size_t i = 0; i < ws->n_kept; i++)
            if (ws->kind[ws->kept[i]] == kind)
                ws->place[c++] = i;
        ws->of_kind[kind] = c - start;
    }
}

/* D3: finds U_ji = d_i - x_j, to full relative precision, and the roots x in
 * ws->root [kept].  With a single pole there is nothing to search. */
static void dac_roots(dac_ws *ws)
{
    size_t k = ws->n_kept;
    for (size_t i = 0; i < k; i++) {
        ws->pole[i] = ws->d[ws->kept[i]];  /* kept ones, ascending */
        ws->weight[i] = ws->z[ws->kept[i]];
    }
    dac_secular q = {.k = k, .d = ws->pole, .z = ws->weight,
                     .inverse_rho = 1 / ws->rho, .delta = ws->U};
    for (size_t j = 0; j < k; j++, q.delta += k) {
        if (k == 1) {
            q.mu = q.z[0] * q.z[0] / q.inverse_rho;
            q.delta[0] = 0;
        } else {
            dac_begin(&q, j);
            dac_find(&q, j + 1 == k);
        }
        for (size_t i = 0; i < k; i++)
            q.delta[i] -= q.mu;
        ws->root[j] = q.d[q.origin] + q.mu;
    }
}

/* D4: z^_i^2 = prod_j (x_j - d_i) / prod_{j != i} (d_j - d_i) is a product of
 * quotients near 1, taken row by row of U; z^ has the signs of z.  Then row j
 * of U becomes eigenvector j: z^_i / (d_i - x_j), scaled to length 1, with its
 * coordinates grouped by kind. */
static void dac_vectors(dac_ws *ws)
{
    size_t k = ws->n_kept;
    const mtc_real *pole = ws->pole;
    mtc_real *hat = ws->hat, *v = ws->pole;
    for (size_t i = 0; i < k; i++)
        hat[i] = -ws->U[i * k + i];  /* x_i - d_i */
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
    for (size_t j = 0; j < k; j++) {  /* v takes the memory of the poles */
        mtc_real *u = ws->U + j * k;
        for (size_t i = 0; i < k; i++)
            v[i] = hat[i] / u[i];
        mtc_real length = MTC_SQRT(mtc_dot(k, v, v));
        for (size_t c = 0; c < k; c++)
            u[c] = v[ws->place[c]] / length;  /* by kind, length 1 */
    }
}

/* Columns from..to-1 of the kept rows numbered place[c], c = a..b-1. */
static mtc_real *dac_pack(size_t a, size_t b, size_t from, size_t to,
    const dac_ws *ws, mtc_real *Y)
{
    for (size_t c = a; c < b; c++, Y += to - from)
        MTC_COPY(Y, ws->Z + ws->kept[ws->place[c]] * ws->n + from, (to - from));
    return Y;
}

/* D5: rows lo .. lo+kept-1 of Z = U (kept rows); the dropped ones follow. */
static mtc_status dac_multiply(mtc_context *ctx, dac_ws *ws)
{
    size_t n = ws->n, k = ws->n_kept, lo = ws->lo, mid = ws->mid, hi = ws->hi;
    size_t first = ws->of_kind[DAC_FIRST], size = hi - lo;
    size_t upto = first + ws->of_kind[DAC_BOTH];
    mtc_real *Y1 = ws->Y, *Z = ws->Z + lo * n, *d = ws->d;
    mtc_real *Y2 = dac_pack(0, upto, lo, mid, ws, Y1);
    mtc_real *Y3 = dac_pack(first, k, mid, hi, ws, Y2);
    for (size_t i = 0; i < ws->n_dropped; i++) {  /* out of the way */
        MTC_COPY(Y3 + i * size, ws->Z + ws->dropped[i] * n + lo, size);
        ws->z[i] = d[ws->dropped[i]];
    }
    gemm_product left = {k, mid - lo, upto, gemm_view(0, ws->U, k),
                         gemm_view(0, Y1, mid - lo), 1, 0, Z + lo, n, n};
    gemm_product right = {k, hi - mid, k - first,
                          gemm_view(0, ws->U + first, k),
                          gemm_view(0, Y2, hi - mid), 1, 0, Z + mid, n, n};
    MTC_TRY(gemm_share(ctx, ws->lanes, left));
    MTC_TRY(gemm_share(ctx, ws->lanes, right));
    MTC_COPY(d + lo, ws->root, k);                /* the new values */
    for (size_t i = 0; i < ws->n_dropped; i++) {
        MTC_COPY(Z + (k + i) * n + lo, Y3 + i * size, size);
        d[lo + k + i] = ws->z[i];
    }
    return MTC_OK;
}

/* Finds all pairs of T: d becomes the eigenvalues, ws->Z the vectors.  e keeps
 * its values at the cuts until they are joined; `spare` is scratch [n]. */
static mtc_status dac_solve(mtc_context *ctx, size_t n, mtc_real *d,
    mtc_real *e, mtc_real *spare, dac_ws *ws)
{
    size_t parts = 1;
    while (n / parts > DAC_LEAF || (n / parts == DAC_LEAF && n % parts > 0))
        parts *= 2;  /* leaves of 32 at most */
    ws->n = n;
    ws->d = d;
    ws->root = spare;
    eig_identity(n, ws->Z);
    for (size_t j = 1; j < parts; j++) {
        size_t cut = dac_start(n, j, parts);
        mtc_real rho = MTC_FABS(e[cut - 1]);  /* T = diag(T1, T2) + rho vv' */
        d[cut - 1] -= rho;
        d[cut] -= rho;
    }
    for (size_t j = 0; j < parts; j++) {
        size_t lo = dac_start(n, j, parts), hi = dac_start(n, j + 1, parts);
        MTC_COPY(spare, e + lo, (hi - lo));
        MTC_TRY(tql_solve(hi - lo, d + lo, spare, ws->Z + lo * n + lo, n));
    }
    for (; parts > 1; parts /= 2)
        for (size_t j = 0; j < parts; j += 2) {
            dac_couple(j, parts, e, ws);
            dac_deflate(ws);  /* D1, D2 */
            if (ws->n_kept == 0)  /* nothing couples: all pairs are final */
                continue;
            dac_roots(ws);                   /* D3 */
            dac_vectors(ws);                 /* D4 */
            MTC_TRY(dac_multiply(ctx, ws));  /* D5 */
        }
    return MTC_OK;
}

/* ==========================================================================
 * Chapter 9  The symmetric eigensolvers
 *
 * mtc_symeig is mtc_symeig_range for all pairs.  A matrix of at most EIG_SMALL
 * rows goes to Jacobi's method (chapter 6).  A larger one is brought to
 * tridiagonal form (chapter 7).  Divide and conquer finds all pairs of that
 * form, or QL finds its values alone (chapter 8).  Only the wanted vectors are
 * transformed back.
 *
 * Cost: 8/3 n^3, and 2 n^2 for each wanted vector; 3 n^2 reals.
 * ========================================================================== */

#define EIG_SMALL ((size_t)32)  /* Jacobi: exact, and fast enough */

typedef struct eig_ws {
    tdr_ws form;    /* d, e of T; reflectors stay in A */
    dac_ws all;     /* Z: vectors of T; Y: the wanted ones */
    size_t *order;  /* [n] */
    mtc_real *w;    /* [n] */
    gemm_lanes lanes;
} eig_ws;

static size_t eig_layout(void *work, size_t n, size_t count, size_t lanes,
    eig_ws *ws)
{
    mtc_stack st = stack_over(work);
    size_t bytes = align_up(mtc_gemm_work(n, n, n));
    tdr_ws *t = &ws->form;
    dac_ws *a = &ws->all;
    MTC_REALS(&st, n, &t->d, &t->e, &t->tau, &ws->w);
    MTC_REALS(&st, mtc_mul(3 * TDR_PANEL, n), &t->panel);
    MTC_REALS(&st, 2 * TDR_BACK * TDR_BACK, &t->small);
    MTC_REALS(&st, mtc_mul(2 * TDR_BACK, count), &t->product);
    MTC_REALS(&st, mtc_mul(n, n), &a->Z, &a->Y, &a->U);
    MTC_REALS(&st, n, &a->z, &a->pole, &a->weight, &a->hat);
    MTC_SIZES(&st, n, &ws->order, &a->order, &a->kept, &a->dropped, &a->place);
    a->kind = MTC_TAKE(&st, n, unsigned char);
    ws->lanes.lanes = lanes;
    ws->lanes.bytes = bytes;
    ws->lanes.lane = MTC_TAKE(&st, lanes, mtc_lane);
    ws->lanes.work = MTC_TAKE(&st, mtc_mul(lanes, bytes), unsigned char);
    a->lanes = t->lanes = &ws->lanes;
    return st.peak;
}

/* A = Q T Q': reduces A, solves T, and transforms the wanted vectors of T back
 * by Q.  A holds the reflectors of Q meanwhile.  w and V are written last. */
static mtc_status eig_by_T(mtc_context *ctx, size_t n, mtc_real *A, size_t lda,
    size_t first, size_t count, mtc_real *w, mtc_real *V, size_t ldv,
    size_t lanes, void *work)
{
    eig_ws ws;
    mtc_real scale;
    eig_layout(work, n, count, lanes, &ws);
    tdr_ws *T = &ws.form;
    T->n = n;
    T->A = A;
    T->lda = lda;
    MTC_TRY(eig_enter(n, A, lda, &scale));  /* largest entry 1..2 */
    MTC_TRY(tdr_reduce(ctx, T));
    MTC_TRY(V != NULL ? dac_solve(ctx, n, T->d, T->e, ws.w, &ws.all)
                      : tql_solve(n, T->d, T->e, NULL, 0));
    mtc_select_order(n, T->d, n, ws.order);
    for (size_t j = 0; j < count; j++) {
        size_t row = ws.order[first + j];
        ws.w[j] = T->d[row];
        if (V != NULL)
            MTC_COPY(ws.all.Y + j * n, ws.all.Z + row * n, n);
    }
    for (size_t j = 0; j < count; j++)  /* they are in order now */
        ws.order[j] = j;
    if (V != NULL)
        MTC_TRY(tdr_back(ctx, count, ws.all.Y, T));
    eig_exit(n, count, ws.order, ws.w, scale, ws.all.Y, w, V, ldv);
    return MTC_OK;
}

size_t mtc_symeig_range_work(size_t n, size_t count, size_t lanes)
{
    eig_ws ws;
    return n <= EIG_SMALL ? mtc_jacobi_work(n)
                          : eig_layout(NULL, n, count, lanes, &ws);
}

mtc_status mtc_symeig_range_in(mtc_context *ctx, size_t n, mtc_real *A,
    size_t lda, size_t first, size_t count, mtc_real *w, mtc_real *V,
    size_t ldv, size_t lanes, void *work)
{
    MTC_ASSERT(first <= n && count <= n - first);
    if (count == 0)
        return MTC_OK;
    mtc_status s = n <= EIG_SMALL
        ? jac_range(n, A, lda, first, count, w, V, ldv, work)
        : eig_by_T(ctx, n, A, lda, first, count, w, V, ldv, lanes, work);
    return s == MTC_OK || s == MTC_CANCELLED ? s : mtc_refuse(ctx, s, "matrix");
}

/* Checks, takes scratch, solves. */
mtc_status mtc_symeig_range(mtc_context *ctx, size_t n, mtc_real *A, size_t lda,
    size_t first, size_t count, mtc_real *w, mtc_real *V, size_t ldv)
{
    mtc_block work;
    int empty = n == 0 || count == 0;
    size_t lanes = mtc_lanes(ctx, n, mtc_mul(TDR_BACK, n));
    if (first > n || count > n - first)  /* no sum, no overflow */
        return mtc_refuse(ctx, MTC_INVALID, "count");
    if (!empty && (A == NULL || w == NULL || lda < n ||
                   (V != NULL && ldv < count)))
        return mtc_refuse(ctx, MTC_INVALID, "matrix");
    MTC_TRY(mtc_scratch(ctx, mtc_symeig_range_work(n, count, lanes), &work));
    mtc_status s = mtc_symeig_range_in(ctx, n, A, lda, first, count, w, V, ldv,
                                       lanes, work.at);
    return mtc_scratch_end(ctx, &work, s);
}

mtc_status mtc_symeig(mtc_context *ctx, size_t n, mtc_real *A, size_t lda,
    mtc_real *w, mtc_real *V, size_t ldv)
{
    return mtc_symeig_range(ctx, n, A, lda, 0, n, w, V, ldv);
}

/* ==========================================================================
 * Chapter 10  The largest pairs of an operator
 *
 *   A v = w v  for the `count` largest w;  A symmetric, known by A X only
 *
 * Block Lanczos with thick restarts, which is Krylov-Schur [S01, WS00]:
 *   A Q = Q H + X R E'      Q [n*m] and X [n*p] orthonormal, Q'X = 0,
 *                           E' y the last p entries of y
 *   K1  X joins Q.  The image AX gives the new rows of H = Q'AQ.  AX less its
 *       part in Q gives the next X, and R = X'A (the last columns of Q).
 *   K2  H = Y diag(theta) Y'.  The best pairs in the basis are (theta, Q y),
 *       with the residuals |R E'y|.
 *   K3  A full basis shrinks to its leading Ritz vectors, H to their theta.  X
 *       stays: it still holds the residuals of all of them.
 *
 * A block of p columns can miss copies of an eigenvalue.  So the pairs that
 * have converged are checked:
 *   K4  The basis shrinks to these pairs, X becomes a random vector orthogonal
 *       to them, and K1 to K3 seek the next pair (theta, r its residual).
 *   K5  If the sum of the wanted values rises, a pair was missing: the block
 *       gets all its columns back, and K4 comes again later.
 *   K6  The iteration ends when a missing pair would have shown up, except with
 *       a chance of 1e-6.  With w the last of the wanted values, that is when
 *         (a)  theta + spread (24 / (2j - 1))^2 < w, j vectors from the start
 *              and n < 2e8, by [KW92, theorem 4.2];
 *         (b)  r < 1e-6 (w - theta), or r is rounding.  A larger value that
 *              hides has a part of r / (w - theta) in the Ritz vector, and its
 *              part in the random vector was no larger: each step and restart
 *              multiplies it by a polynomial that grows beyond theta.
 * With a tolerance above sqrt(eps), for a few digits, there is no check.
 *
 * A pair has converged when |A v - w v| <= tolerance * scale, scale the largest
 * Ritz value in magnitude met so far, which approaches |A| from below.  K4
 * forgets the residuals of the pairs that it keeps.  So they must reach half of
 * the tolerance, in float a quarter for K5.  The residual that is reported adds
 * up both parts.  An A no larger than the largest basis is solved directly.
 *
 *   [S01]   Stewart: a Krylov-Schur algorithm for large eigenproblems.
 *           SIAM J. Matrix Anal. Appl. 23, 2001.
 *   [WS00]  Wu, Simon: thick-restart Lanczos method for large symmetric
 *           eigenvalue problems.  SIAM J. Matrix Anal. Appl. 22, 2000.
 *   [KW92]  Kuczynski, Wozniakowski: estimating the largest eigenvalue by the
 *           power and Lanczos algorithms with a random start.  Same, 13, 1992.
 *
 * Memory: n (6 count + 50) reals about.
 * ========================================================================== */

#define KRY_GUARD ((size_t)8)            /* a block has <= count + 8 columns */
#define KRY_APPLICATIONS ((size_t)4000)  /* the default bound, in blocks */
#define KRY_ROWS ((size_t)256)           /* of Q transformed at a time */
#define KRY_PASSES 4                     /* of Gram-Schmidt; 2 are usual */
#define KRY_HIDDEN ((mtc_real)1e-6)      /* chance that a pair is missed, */
#define KRY_CHANCE ((mtc_real)24)        /* and log(1.648 n^1/2 / chance) */
#define KRY_CLOSE (1000 * MTC_EPS)       /* the default tolerance */
#define KRY_DUE ((size_t)8)              /* single vectors between two K2 */

typedef struct kry_ws {
    size_t n, count;
    size_t block, p;      /* columns of a whole block, of X now */
    size_t most, keep;    /* columns of Q, of Q after K3 */
    size_t m, ldq;        /* columns of Q in use, length of its rows */
    int small;            /* 1: A is written out and solved */
    int checking;         /* 1: from K4 to K5 or the end */
    int checked;          /* 1: K4 has been */
    mtc_real *Q;          /* [n*ldq] */
    mtc_real *X, *AX;     /* [n*block] packed to p columns */
    mtc_real *H, *T, *Y;  /* [most*most] lower; copy; vectors */
    mtc_real *theta;      /* [most] ascending, as Y */
    mtc_real *w;          /* [count] the wanted ones, descending */
    mtc_real *C;          /* [most*keep] coefficients */
    mtc_real *R;          /* [block*block] packed */
    mtc_real *rows;       /* [KRY_ROWS*keep] */
    mtc_real scale;       /* largest |theta| so far */
    mtc_real lowest;      /* lowest theta so far */
    mtc_real tolerance;   /* of |A v - w v| / scale of the wanted pairs, */
    mtc_real close;       /* and of the next one in K6 */
    mtc_real most_sum;    /* of the wanted values, if none is missing */
    mtc_random random;
    void *gemm, *eigen, *qr;  /* work of each */
} kry_ws;

/* Columns of a whole block: at most count + KRY_GUARD.  This and the sizes
 * below were found by trial. */
static size_t kry_block(size_t count)
{
    return MTC_MIN(mtc_add(count, 1), 4 + count / 8);
}

/* Sets sizes and pieces.  A problem that fits in the basis, or has at most
 * `whole` rows, is solved as a matrix: then H is A [n*n], and Q [n*count] are
 * its vectors. */
static size_t kry_layout(void *work, size_t n, size_t count, size_t whole,
    kry_ws *ws)
{
    mtc_stack st = stack_over(work);
    size_t start = mtc_add(count, KRY_GUARD);
    size_t keep = mtc_mul(2, start), most = mtc_mul(5, start);
    int small = n <= MTC_MAX(most, whole);
    size_t block = small ? KRY_GUARD : kry_block(count);
    *ws = (kry_ws){.n = n, .count = count, .block = block, .most = most,
                   .keep = keep, .lowest = MTC_HUGE, .small = small,
                   .ldq = small ? count : most};
    MTC_REALS(&st, mtc_mul(n, block), &ws->X, &ws->AX);
    MTC_REALS(&st, mtc_mul(n, ws->ldq), &ws->Q);
    MTC_REALS(&st, count, &ws->w);
    if (small) {
        MTC_REALS(&st, mtc_mul(n, n), &ws->H);
        ws->eigen = mtc_take(&st, mtc_symeig_range_work(n, count, 1), 1);
        return st.peak;
    }
    MTC_REALS(&st, mtc_mul(most, most), &ws->H, &ws->T, &ws->Y);
    MTC_REALS(&st, most, &ws->theta);
    MTC_REALS(&st, mtc_mul(most, keep), &ws->C);
    MTC_REALS(&st, mtc_mul(block, block), &ws->R);
    MTC_REALS(&st, mtc_mul(KRY_ROWS, keep), &ws->rows);
    ws->gemm = mtc_take(&st, mtc_gemm_work(n, most, n), 1);
    ws->eigen = mtc_take(&st, mtc_symeig_range_work(most, most, 1), 1);
    ws->qr = mtc_take(&st, mtc_qr_work(n, block), 1);
    return st.peak;
}

static size_t kry_work(size_t n, size_t count, size_t whole)
{
    kry_ws ws;
    return kry_layout(NULL, n, count, whole, &ws);
}

/* C [m*p] = Q'X, X <- X - Q C.  Returns the largest |C|. */
static mtc_real kry_project(kry_ws *ws)
{
    size_t n = ws->n, m = ws->m, p = ws->p, most = ws->most;
    mtc_real largest = 0;
    mtc_gemm(1, 0, m, p, n, 1, ws->Q, most, ws->X, p, 0, ws->C, p, ws->gemm);
    for (size_t i = 0; i < m * p; i++)
        largest = MTC_MAX(MTC_FABS(ws->C[i]), largest);
    mtc_gemm(0, 0, n, p, m, -1, ws->Q, most, ws->C, p, 1, ws->X, p, ws->gemm);
    return largest;
}

/* Makes the columns of X [n*p] orthonormal, after kry_project took out the part
 * in Q.  If X lay almost in Q, QR magnifies what rounding has left of this
 * part.  So it is taken out again until little is left. */
static mtc_status kry_orthonormalize(kry_ws *ws)
{
    for (int pass = 0; pass < KRY_PASSES; pass++) {
        MTC_TRY(mtc_qr(ws->n, ws->p, ws->X, ws->p, NULL, 0, ws->qr));
        if (kry_project(ws) <= MTC_SQRT(MTC_EPS))
            break;  /* little was left: lengths are still 1 */
    }
    return MTC_OK;
}

/* Keeps the first `old` columns of X [n*p] and fills the others at random. */
static mtc_status kry_fill(kry_ws *ws, size_t old, size_t p)
{
    for (size_t i = ws->n; i-- > 0;)
        for (size_t j = p; j-- > 0;)
            ws->X[i * p + j] = j < old ? ws->X[i * old + j]
                                       : mtc_random_normal(&ws->random);
    ws->p = p;
    kry_project(ws);
    return kry_orthonormalize(ws);
}

/* K1.  The first projection of AX on Q is the new part of H. */
static mtc_status kry_extend(kry_ws *ws, mtc_operator apply, void *user)
{
    size_t n = ws->n, m = ws->m, p = ws->p, most = ws->most;
    MTC_TRY(apply(user, n, p, ws->X, ws->AX));
    for (size_t i = 0; i < n; i++)
        MTC_COPY(ws->Q + i * most + m, ws->X + i * p, p);
    MTC_COPY(ws->X, ws->AX, n * p);
    ws->m += p;
    kry_project(ws);
    for (size_t j = 0; j < p; j++)
        for (size_t i = 0; i <= m + j; i++)
            ws->H[(m + j) * most + i] = ws->C[i * p + j];
    MTC_TRY(kry_orthonormalize(ws));
    mtc_gemm(1, 0, p, p, n, 1, ws->X, p, ws->AX, p, 0, ws->R, p, ws->gemm);
    return MTC_OK;
}

/* K2: finds theta and Y of the present basis, and the scale.  mtc_symeig gets
 * T, a packed copy of H, because it destroys its matrix. */
static mtc_status kry_ritz(kry_ws *ws)
{
    size_t m = ws->m;
    for (size_t i = 0; i < m; i++)
        MTC_COPY(ws->T + i * m, ws->H + i * ws->most, (i + 1));
    MTC_TRY(mtc_symeig_range_in(NULL, m, ws->T, m, 0, m, ws->theta, ws->Y, m,
                                1, ws->eigen));
    ws->lowest = MTC_MIN(ws->theta[0], ws->lowest);
    for (size_t i = 0; i < m; i++)
        ws->scale = MTC_MAX(MTC_FABS(ws->theta[i]), ws->scale);
    return MTC_OK;
}

/* K2: returns |R E'y| / scale of pair j; pair 0 is the largest. */
static mtc_real kry_residual(const kry_ws *ws, size_t j)
{
    size_t m = ws->m, p = ws->p;
    const mtc_real *y = ws->Y + (m - p) * m + (m - 1 - j);  /* E'y */
    mtc_real square = 0;
    for (size_t a = 0; a < p && ws->scale > 0; a++) {
        mtc_real r = 0;
        for (size_t b = 0; b < p; b++)
            r += ws->R[a * p + b] / ws->scale * y[b * m];
        square += r * r;
    }
    return MTC_SQRT(square);
}

/* K3: Q <- Q C in place, by blocks of rows, and H becomes diagonal.  C holds
 * the Ritz coefficients [m*keep] of the leading pairs, the largest first. */
static void kry_restart(kry_ws *ws, size_t keep)
{
    size_t m = ws->m, most = ws->most;
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < keep; j++)
            ws->C[i * keep + j] = ws->Y[i * m + m - 1 - j];
    for (size_t r = 0; r < ws->n; r += KRY_ROWS) {
        size_t rows = MTC_MIN(KRY_ROWS, ws->n - r);
        mtc_real *part = ws->Q + r * most;
        mtc_gemm(0, 0, rows, keep, m, 1, part, most, ws->C, keep, 0, ws->rows,
            keep, ws->gemm);
        for (size_t i = 0; i < rows; i++)
            MTC_COPY(part + i * most, ws->rows + i * keep, keep);
    }
    for (size_t i = 0; i < keep; i++) {
        MTC_ZERO(ws->H + i * most, i + 1);
        ws->H[i * most + i] = ws->theta[m - 1 - i];
    }
    ws->m = keep;
}

/* K6: is it certain, except for that chance, that no wanted pair is missing? */
static int kry_complete(const kry_ws *ws)
{
    size_t j = ws->m - ws->count;
    const mtc_real *last = ws->theta + j;  /* w; theta before it */
    mtc_real gap = last[0] - last[-1];
    mtc_real spread = ws->theta[ws->m - 1] - ws->lowest;
    mtc_real share = KRY_CHANCE / (mtc_real)(2 * j - 1);
    mtc_real least = MTC_MAX(KRY_HIDDEN * gap, ws->close * ws->scale);
    return spread * share * share < gap ||
           kry_residual(ws, ws->count) * ws->scale <= least;
}

/* What to do after K2. */
typedef enum kry_next { KRY_ON, KRY_CHECK, KRY_WIDEN, KRY_END } kry_next;

/* Decides what follows K2; *worst becomes the largest residual / scale.  Values
 * err by about the squares of their residuals.  So if their sum rises by as
 * much as a residual, it has a new pair in it. */
static kry_next kry_judge(kry_ws *ws, mtc_real *worst)
{
    mtc_real sum = 0, rounding = 16 * MTC_EPS * (mtc_real)ws->count;
    *worst = 0;
    for (size_t j = 0; j < ws->count; j++) {
        mtc_real r = kry_residual(ws, j);
        sum += ws->theta[ws->m - 1 - j];
        *worst = MTC_MAX(r, *worst);
    }
    if (ws->checking && sum > ws->most_sum)
        return KRY_WIDEN;
    if (*worst > ws->tolerance || (ws->checking && !kry_complete(ws)))
        return KRY_ON;
    if (ws->checking)
        return KRY_END;
    ws->most_sum = sum + (*worst + rounding) * ws->scale;
    return KRY_CHECK;
}

/* K1 to K6.  *spent: the applications ran out. */
static mtc_status kry_run(mtc_context *ctx, mtc_operator apply, void *user,
    size_t applications, mtc_real *worst, int *spent, kry_ws *ws)
{
    size_t due = ws->count;  /* columns at the next K2 */
    MTC_TRY(kry_fill(ws, 0, ws->block));
    for (size_t used = 1; ; used++) {
        MTC_TRY(mtc_tick(ctx, "eigen", used - 1, applications));
        MTC_TRY(kry_extend(ws, apply, user));
        int last = used >= applications && ws->m >= ws->count;
        if (ws->m < due && ws->m + ws->p <= ws->most && !last)
            continue;
        MTC_TRY(kry_ritz(ws));
        kry_next next = kry_judge(ws, worst);
        *spent = last && next != KRY_END;
        if (last || next == KRY_END)
            return MTC_OK;
        if (next == KRY_CHECK) {  /* K4 */
            ws->checking = ws->checked = 1;
            kry_restart(ws, ws->count);
            MTC_TRY(kry_fill(ws, 0, 1));
        }
        if (next == KRY_WIDEN) {  /* K5 */
            ws->checking = 0;
            MTC_TRY(kry_fill(ws, 1, ws->block));
        }
        if (ws->m + ws->p > ws->most)
            kry_restart(ws, ws->keep);
        due = ws->m + (ws->checking ? KRY_DUE : ws->block);
    }
}

/* Measures *worst by applying A to the pairs (w, the first columns of Q). */
static mtc_status kry_measure(mtc_operator apply, void *user, mtc_real *worst,
    kry_ws *ws)
{
    size_t n = ws->n, count = ws->count;
    *worst = 0;
    for (size_t j = 0, p; j < count; j += p) {
        p = MTC_MIN(ws->block, count - j);
        for (size_t i = 0; i < n; i++)
            MTC_COPY(ws->X + i * p, ws->Q + i * ws->ldq + j, p);
        MTC_TRY(apply(user, n, p, ws->X, ws->AX));
        for (size_t k = 0; k < p && ws->scale > 0; k++) {
            mtc_real square = 0;
            for (size_t e = k; e < n * p; e += p) {
                mtc_real r = ws->AX[e] - ws->w[j + k] * ws->X[e];
                square += r / ws->scale * (r / ws->scale);
            }
            *worst = MTC_MAX(MTC_SQRT(square), *worst);
        }
    }
    return MTC_OK;
}

/* Writes the pairs to w and the first columns of Q.  If K4 has forgotten
 * residuals, *worst is measured.  If a check has not ended, the next pair
 * counts in *worst, too. */
static mtc_status kry_finish(mtc_operator apply, void *user, int spent,
    mtc_real *worst, kry_ws *ws)
{
    size_t m = ws->m, count = ws->count;
    mtc_real next = spent && m > count ? kry_residual(ws, count) : 0;
    for (size_t j = 0; j < count; j++)
        ws->w[j] = ws->theta[m - 1 - j];
    kry_restart(ws, count);
    if (ws->checked)
        MTC_TRY(kry_measure(apply, user, worst, ws));
    *worst = MTC_MAX(next, *worst);
    return MTC_OK;
}

/* The small case: H = A, from products with columns of the identity, is solved
 * as a matrix. */
static mtc_status kry_small(mtc_context *ctx, mtc_operator apply, void *user,
    mtc_real *worst, kry_ws *ws)
{
    size_t n = ws->n, count = ws->count;
    for (size_t j = 0, p; j < n; j += p) {
        p = MTC_MIN(ws->block, n - j);
        MTC_ZERO(ws->X, n * p);
        for (size_t k = 0; k < p; k++)
            ws->X[(j + k) * p + k] = 1;  /* columns of I */
        MTC_TRY(mtc_tick(ctx, "eigen", j, n));
        MTC_TRY(apply(user, n, p, ws->X, ws->AX));
        for (size_t i = 0; i < n; i++)
            MTC_COPY(ws->H + i * n + j, ws->AX + i * p, p);
    }
    for (size_t i = 0; i < n; i++) {  /* |A|, but for a factor of n^1/2 */
        mtc_real row = MTC_SQRT(mtc_dot(n, ws->H + i * n, ws->H + i * n));
        ws->scale = MTC_MAX(row, ws->scale);
    }
    MTC_TRY(mtc_symeig_range_in(ctx, n, ws->H, n, n - count, count, ws->w,
                                ws->Q, count, 1, ws->eigen));
    eig_reverse(n, count, ws->w, ws->Q);
    return kry_measure(apply, user, worst, ws);
}

/* A small problem is solved as a matrix, to rounding: tolerance and bound do
 * not matter then.  If the applications run out, a caller that does not ask for
 * the residual gets LIMIT. */
static mtc_status kry_solve(mtc_context *ctx, size_t n, mtc_operator apply,
    void *user, size_t count, size_t whole, mtc_real tolerance,
    size_t applications, mtc_real *w, mtc_real *V, size_t ldv,
    mtc_real *residual, void *work)
{
    kry_ws ws;
    mtc_real worst = 0;
    mtc_status s = MTC_OK;
    int spent = 0;
    MTC_ASSERT(count <= n);
    kry_layout(work, n, count, whole, &ws);
    tolerance = tolerance > 0 ? tolerance : KRY_CLOSE;
    ws.tolerance = tolerance / (sizeof(mtc_real) == 8 ? 2 : 4);
    ws.close = tolerance > MTC_SQRT(MTC_EPS) ? tolerance : KRY_CLOSE;
    ws.random = mtc_stream(ctx, 0x6b7279);  /* "kry": a stream of its own */
    applications = applications > 0 ? applications : KRY_APPLICATIONS;
    if (count > 0 && ws.small)
        s = kry_small(ctx, apply, user, &worst, &ws);
    else if (count > 0)
        s = kry_run(ctx, apply, user, applications, &worst, &spent, &ws);
    if (s == MTC_OK && ws.m > 0)
        s = kry_finish(apply, user, spent, &worst, &ws);
    if (s == MTC_OK && spent && residual == NULL)
        s = MTC_LIMIT;
    if (s != MTC_OK)  /* a cancelled call has its message */
        return s == MTC_CANCELLED ? s : mtc_refuse(ctx, s, "operator");
    for (size_t j = 0; j < count; j++) {
        mtc_real sign = eig_sign(n, ws.Q + j, ws.ldq);
        w[j] = ws.w[j];
        for (size_t i = 0; i < n; i++)
            V[i * ldv + j] = sign * ws.Q[i * ws.ldq + j];
    }
    if (residual != NULL)
        *residual = worst;
    return MTC_OK;
}

mtc_status mtc_eigen_operator(mtc_context *ctx, size_t n, mtc_operator apply,
    void *user, size_t count, mtc_real tolerance, size_t applications,
    mtc_real *w, mtc_real *V, size_t ldv, mtc_real *residual)
{
    mtc_block work;
    if (count > n || ldv < count || (count > 0 && (apply == NULL || w == NULL ||
                                                   V == NULL)))
        return mtc_refuse(ctx, MTC_INVALID, count > n ? "count" : "operator");
    MTC_TRY(mtc_scratch(ctx, kry_work(n, count, 0), &work));
    return mtc_scratch_end(ctx, &work,
                           kry_solve(ctx, n, apply, user, count, 0, tolerance,
                               applications, w, V, ldv, residual, work.at));
}

/* ==========================================================================
 * Chapter 11  Spectral embedding
 *
 *   U, values: top k pairs of N = D^-1/2 S D^-1/2,  D = diag(S 1),  S >= 0
 *
 * N has its eigenvalues in [-1, 1], and 1 once for each connected component.  A
 * row of degree 0 is isolated: its row of N is 0, and its own unit vector would
 * be an eigenvector of value 0 that says nothing.  Such a row gets the value
 * SPC_ISOLATED < -1 instead, so that it comes last.  If k is so large that it
 * is included, its column of U is 0.
 *
 * For a small S, N is written out and solved by mtc_symeig_range.  Else N is an
 * operator for mtc_eigen_operator.  If its applications run out, as for a long
 * chain, N is still written out if it has at most SPC_WHOLE rows and there is
 * memory for it.  Else residuals above sqrt(eps) return LIMIT.
 * ========================================================================== */

#define SPC_ISOLATED ((mtc_real)-2)
#define SPC_SMALL_CSR ((size_t)128)
#define SPC_SMALL_DENSE ((size_t)256)
#define SPC_MANY ((size_t)16)     /* for k > n / 16, N is written out */
#define SPC_WHOLE ((size_t)2000)  /* most rows of an N written out */
#define SPC_APPLICATIONS ((size_t)1000)  /* after these, write N out */
#define SPC_NEAR MTC_BY_TYPE(MTC_SQRT(MTC_EPS) / 100, KRY_CLOSE)

typedef struct spc_ws {  /* memory of the operator, and of N written out */
    const mtc_data *S;
    int small;        /* N is written out */
    mtc_real *root;   /* [n] D^-1/2, 0: isolated */
    mtc_real *V, *w;  /* [n*k], [k] the pairs */
    mtc_real *N;      /* [n*n] */
    mtc_real *B;      /* [n*kry_block(k)] D^-1/2 V */
    void *product, *eigen;  /* work of S B, and of the solver */
} spc_ws;

/* Takes memory: few pairs of a large N come sooner from products with N. */
static size_t spc_layout(void *work, size_t n, size_t k, int sparse, spc_ws *ws)
{
    mtc_stack st = stack_over(work);
    mtc_data square = mtc_dense(n, n, NULL);
    size_t p = kry_block(k);
    ws->small = n <= (sparse ? SPC_SMALL_CSR : SPC_SMALL_DENSE) ||
                (n <= SPC_WHOLE && k > n / SPC_MANY);
    MTC_REALS(&st, n, &ws->root);
    MTC_REALS(&st, mtc_mul(n, k), &ws->V);
    MTC_REALS(&st, k, &ws->w);
    MTC_REALS(&st, ws->small ? mtc_mul(n, n) : 0, &ws->N);
    MTC_REALS(&st, ws->small ? 0 : mtc_mul(n, p), &ws->B);
    ws->product = mtc_take(&st, sparse || ws->small
                                    ? 0 : mtc_data_work(&square, NULL, p), 1);
    ws->eigen = mtc_take(&st, ws->small ? mtc_symeig_range_work(n, k, 1)
                                        : kry_work(n, k, 0), 1);
    return st.peak;
}

size_t mtc_spectral_work(size_t n, size_t k, int sparse)
{
    spc_ws ws;
    return spc_layout(NULL, n, k, sparse, &ws);
}

/* Checks that S is well-formed, square and not negative, and k <= n.  Entries
 * may be below the range of "Data", because nothing squares them. */
static mtc_status spc_check(mtc_context *ctx, const mtc_data *S, size_t k)
{
    MTC_TRY(mtc_data_positive(ctx, S, MTC_NONE));
    if (S->n != S->d || k > S->n)
        return mtc_refuse(ctx, MTC_INVALID,
                          k > S->n ? "k above n" : "S is not square");
    return MTC_OK;
}

/* Writes N out and finds its pairs, descending. */
static mtc_status spc_small(mtc_context *ctx, size_t k, spc_ws *ws)
{
    const mtc_data *S = ws->S;
    size_t n = S->n;
    MTC_ZERO(ws->N, n * n);
    for (size_t i = 0; i < n; i++) {
        for (size_t b = row_begin(S, i), e = b; e < row_end(S, i); e++) {
            size_t j = entry_column(S, b, e);  /* N_ij */
            ws->N[i * n + j] = S->values[e] * ws->root[i] * ws->root[j];
        }
        if (ws->root[i] == 0)
            ws->N[i * n + i] = SPC_ISOLATED;
    }
    MTC_TRY(mtc_symeig_range_in(ctx, n, ws->N, n, n - k, k, ws->w, ws->V, k,
                                1, ws->eigen));
    eig_reverse(n, k, ws->w, ws->V);
    return MTC_OK;
}

/* spc_small in memory of its own, after the operator has failed. */
static mtc_status spc_whole(mtc_context *ctx, size_t k, spc_ws *ws)
{
    size_t n = ws->S->n, square = mtc_mul(mtc_mul(n, n), sizeof(mtc_real));
    mtc_block more;
    square = align_up(square);
    MTC_TRY(mtc_scratch(ctx, mtc_add(square, mtc_symeig_range_work(n, k, 1)),
                        &more));
    ws->N = (mtc_real *)more.at;
    ws->eigen = (unsigned char *)more.at + square;
    return mtc_scratch_end(ctx, &more, spc_small(ctx, k, ws));
}

/* AV = N V = D^-1/2 (S (D^-1/2 V)), and SPC_ISOLATED times V in isolated
 * rows. */
static mtc_status spc_apply(void *user, size_t n, size_t p, const mtc_real *V,
    mtc_real *AV)
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

/* Finds the k largest pairs, descending.  The tolerance SPC_NEAR gives values
 * that are right to all digits (their error is the square of that of the
 * vectors).  A caller that needs fewer digits passes a larger `near`. */
static mtc_status spc_pairs(mtc_context *ctx, size_t k, mtc_real near,
    spc_ws *ws)
{
    size_t n = ws->S->n, bound = n <= SPC_WHOLE ? SPC_APPLICATIONS : 0;
    mtc_real residual;
    near = near > SPC_NEAR ? near : SPC_NEAR;
    if (ws->small)
        return spc_small(ctx, k, ws);
    MTC_TRY(kry_solve(ctx, n, spc_apply, ws, k, 0, near, bound, ws->w, ws->V,
                      k, &residual, ws->eigen));
    if (residual <= near)
        return MTC_OK;
    if (n <= SPC_WHOLE) {
        mtc_status s = spc_whole(ctx, k, ws);
        if (s != MTC_NO_MEMORY)
            return s;
    }
    return residual <= MTC_SQRT(MTC_EPS)
        ? MTC_OK : mtc_refuse(ctx, MTC_LIMIT, "eigenvectors");
}

/* Computes degrees and pairs, and writes values and U.  The column of an
 * isolated row is 0, and its value 0 or the value before it. */
mtc_status mtc_spectral_in(mtc_context *ctx, const mtc_data *S, size_t k,
    mtc_real near, mtc_real *U, mtc_real *values, void *work)
{
    spc_ws ws = {.S = S};
    spc_layout(work, S->n, k, mtc_is_csr(S), &ws);
    for (size_t i = 0; i < S->n; i++) {
        mtc_real degree = 0;
        for (size_t e = row_begin(S, i); e < row_end(S, i); e++)
            degree += S->values[e];  /* D_ii */
        ws.root[i] = degree > 0 ? 1 / MTC_SQRT(degree) : 0;
    }
    MTC_TRY(spc_pairs(ctx, k, near, &ws));
    for (size_t j = 0; j < k; j++) {
        int real = ws.w[j] > (SPC_ISOLATED - 1) / 2;  /* midway to -1 */
        mtc_real last = j > 0 && values[j - 1] < 0 ? values[j - 1] : 0;
        values[j] = real ? ws.w[j] : last;
        for (size_t i = 0; i < S->n; i++)
            U[i * k + j] = real && ws.root[i] > 0 ? ws.V[i * k + j] : 0;
    }
    return MTC_OK;
}

mtc_status mtc_spectral(mtc_context *ctx, const mtc_data *S, size_t k,
    mtc_real *U, mtc_real *values)
{
    mtc_block work;
    MTC_TRY(spc_check(ctx, S, k));
    if (k > 0 && (U == NULL || values == NULL) && !mtc_measuring(ctx))
        return mtc_refuse(ctx, MTC_INVALID, "U or values is NULL");
    MTC_TRY(mtc_scratch(ctx, mtc_spectral_work(S->n, k, mtc_is_csr(S)), &work));
    return mtc_scratch_end(ctx, &work, mtc_spectral_in(ctx, S, k, 0, U, values,
                                                       work.at));
}

/* ==========================================================================
 * Chapter 12  Singular vectors of stacked views
 *
 *   Xc = X - 1 mean' = Z V + rest,  X [N*d] all sets stacked, V [r*d], VV' = I
 *
 *   P1  total = |Xc|^2
 *   P2  pairs (w, U) of the smaller side:  Xc'Xc [d*d], or Xc Xc' [N*N], N < d
 *   P3  r: all that were sought, or the fewest that keep the share; never
 *       above the rank
 *   P4  V = U', or from the N side V = U'Xc, orthonormalized
 *   P5  Z = Xc V'
 *
 * If all views are dense, and the smaller side is at most `full`, P2 is a
 * matrix.  Blocks of rows (of columns if N < d) are copied and centered, and
 * their products summed: no small number is the difference of two large sums.
 *
 * Else P2 is an operator of two products with X, and takes O((N + d) r) memory.
 * CSR views stay sparse, as Xc A = X A - 1 (mean'A), which errs by eps |X| |A|;
 * so do they in P5.  Up to `full` rows the operator is written out (chapter
 * 10).
 *
 * Rank: eigenvalues above max(N,d) eps times the largest, and above what
 * rounding can make of constant data.
 * Cost: N d min(N,d) and 9 min(N,d)^3, or O(nnz r) for each application.
 * ========================================================================== */

#define SVD_BLOCK ((size_t)128)  /* rows or columns centered at a time */

typedef struct svd_ws {
    mtc_svd *p;
    size_t N, d, side;        /* side = min(N,d) */
    int gram, full;           /* N < d; dense views, P2 by blocks */
    double square;            /* |X|^2 */
    mtc_real *U;              /* [side*most] with w, descending */
    mtc_real *C, *S;          /* [d*most] Xc'U; [most^2] V V' */
    void *product;            /* work of each step */
    void *eigen, *project;

    mtc_real *M;              /* full: [side^2] Xc Xc' or Xc'Xc */
    mtc_real *block;          /* [SVD_BLOCK*side] centered rows, or columns */

    mtc_real *row;            /* operator: [max(d, most + 8)] */
    mtc_real *image;          /* [max(N,d)*(most+8)] */
    mtc_real *part;           /* [d*(most+8)] X'A of one set */
} svd_ws;

/* View t: one of the sets, or the last. */
static const mtc_data *svd_set(const mtc_svd *p, size_t t)
{
    return p->last != NULL && t + 1 == p->n_sets ? p->last : &p->sets[t];
}

/* The mean to subtract from every row of view t, or NULL. */
static const mtc_real *svd_mean(const mtc_svd *p, size_t t)
{
    return p->centered ? p->mean + t * p->mean_step : NULL;
}

/* to [columns] = row i of a dense X less the mean, from column `from` on. */
static void svd_centered_row(const mtc_data *X, const mtc_real *mean, size_t i,
    size_t from, size_t columns, mtc_real *to)
{
    const mtc_real *x = data_row(X, i) + from;
    for (size_t k = 0; k < columns; k++)
        to[k] = mean == NULL ? x[k] : x[k] - mean[from + k];
}

/* ---- P5, also of new rows ------------------------------------------------ */

/* Takes a block of centered rows, if the view is dense and has a mean, and the
 * work of a product. */
static size_t project_layout(void *work, const mtc_data *X, size_t r,
    mtc_real **block, void **product)
{
    mtc_stack st = stack_over(work);
    mtc_data V = mtc_dense(r, X->d, NULL);
    MTC_REALS(&st, mtc_is_csr(X) ? 0 : mtc_mul(SVD_BLOCK, X->d), block);
    *product = mtc_take(&st, mtc_data_work(X, &V, r), 1);
    return st.peak;
}

size_t mtc_project_work(const mtc_data *X, size_t r)
{
    mtc_real *block;
    void *product;
    return project_layout(NULL, X, r, &block, &product);
}

/* Z = (X - 1 mean') V'.  Dense rows are centered block by block; for CSR rows
 * the part of the mean is subtracted at the end. */
void mtc_project(const mtc_data *X, const mtc_real *mean, size_t r,
    const mtc_real *V, mtc_real *Z, size_t ldz, void *work)
{
    size_t d = X->d;
    mtc_data components = mtc_dense(r, d, V);
    mtc_real *block;
    void *product;
    project_layout(work, X, r, &block, &product);
    if (mtc_is_csr(X) || mean == NULL) {
        mtc_data_gram(X, &components, Z, ldz, product);
        for (size_t k = 0; mean != NULL && k < r; k++) {
            mtc_real offset = mtc_dot(d, mean, V + k * d);
            for (size_t i = 0; i < X->n; i++)
                Z[i * ldz + k] -= offset;
        }
        return;
    }
    for (size_t at = 0; at < X->n; at += SVD_BLOCK) {
        size_t rows = MTC_MIN(SVD_BLOCK, X->n - at);
        for (size_t i = 0; i < rows; i++)
            svd_centered_row(X, mean, at + i, 0, d, block + i * d);
        mtc_gemm(0, 1, rows, r, d, 1, block, d, V, d, 0, Z + at * ldz, ldz,
            product);
    }
}

/* ---- memory -------------------------------------------------------------- */

static void svd_sizes(const mtc_svd *p, svd_ws *ws)
{
    int dense = 1;
    *ws = (svd_ws){.d = svd_set(p, 0)->d};
    for (size_t t = 0; t < p->n_sets; t++) {
        dense &= !mtc_is_csr(svd_set(p, t));
        ws->N = mtc_add(ws->N, svd_set(p, t)->n);
    }
    ws->gram = ws->N < ws->d;
    ws->side = ws->gram ? ws->N : ws->d;
    ws->full = dense && ws->side <= p->full;
}

/* Bytes of work for the products of P2 and P4. */
static size_t svd_product_work(const mtc_svd *p, const svd_ws *ws)
{
    size_t side = ws->side, d = ws->d, r = p->most, most = 0;
    const size_t need[] = {mtc_gemm_work(side, side, SVD_BLOCK),
                           mtc_gemm_work(SVD_BLOCK, r, ws->N),
                           mtc_gemm_work(r, r, d), mtc_gemm_work(r, d, r)};
    for (size_t e = 0; e < sizeof need / sizeof *need; e++)
        most = MTC_MAX(most, need[e]);
    for (size_t t = 0; t < p->n_sets && !ws->full; t++) {
        size_t bytes = mtc_data_work(svd_set(p, t), NULL,
                                     mtc_add(r, KRY_GUARD));
        most = MTC_MAX(most, bytes);
    }
    return most;
}

/* The pieces of P2, P4 and P5, which do not overlap, share memory. */
static size_t svd_layout(void *work, const mtc_svd *p, svd_ws *ws)
{
    mtc_stack st = stack_over(work);
    svd_sizes(p, ws);
    size_t most = p->most, wide = mtc_add(most, KRY_GUARD), project = 0;
    size_t N = ws->N, d = ws->d, side = ws->side;
    int full = ws->full;
    MTC_REALS(&st, mtc_mul(side, most), &ws->U);
    ws->product = mtc_take(&st, svd_product_work(p, ws), 1);
    MTC_REALS(&st, full ? mtc_mul(SVD_BLOCK, side) : 0, &ws->block);
    MTC_REALS(&st, full ? 0 : MTC_MAX(wide, d), &ws->row);
    MTC_REALS(&st, full || p->n_sets == 1 ? 0 : mtc_mul(d, wide), &ws->part);

    size_t mark = st.used;  /* P2 */
    MTC_REALS(&st, full ? mtc_mul(side, side) : 0, &ws->M);
    MTC_REALS(&st, full ? 0 : mtc_mul(MTC_MAX(N, d), wide), &ws->image);
    ws->eigen = mtc_take(&st, full ? mtc_symeig_range_work(side, most, 1)
                                   : kry_work(side, most, p->full), 1);
    st.used = mark;
    MTC_REALS(&st, ws->gram ? mtc_mul(d, most) : 0, &ws->C);  /* P4 */
    MTC_REALS(&st, ws->gram ? mtc_mul(most, most) : 0, &ws->S);
    st.used = mark;
    for (size_t t = 0; t < p->n_sets; t++)  /* P5 */
        project = MTC_MAX(project, mtc_project_work(svd_set(p, t), most));
    ws->project = mtc_take(&st, project, 1);
    return st.peak;
}

size_t mtc_svd_work(const mtc_svd *p)
{
    svd_ws ws;
    return svd_layout(NULL, p, &ws);
}

/* ---- P1 and P2 by blocks ------------------------------------------------- */

/* block = rows at .. at + width - 1 of Xc, or these columns if N < d. */
static void svd_block(const svd_ws *ws, size_t at, size_t width)
{
    const mtc_svd *p = ws->p;
    size_t first = ws->gram ? 0 : at, end = ws->gram ? ws->N : at + width;
    size_t from = ws->gram ? at : 0, columns = ws->gram ? width : ws->d;
    mtc_real *to = ws->block;
    for (size_t t = 0, row = 0; t < p->n_sets; row += svd_set(p, t++)->n) {
        const mtc_data *X = svd_set(p, t);
        size_t i = first > row ? first - row : 0;
        for (; i < X->n && row + i < end; i++, to += columns)
            svd_centered_row(X, svd_mean(p, t), i, from, columns, to);
    }
}

/* M = Xc'Xc, or Xc Xc' if N < d, and P1: the total is its trace. */
static void svd_matrix(svd_ws *ws)
{
    size_t side = ws->side, lines = ws->gram ? ws->d : ws->N;
    double total = 0;
    for (size_t at = 0; at < lines; at += SVD_BLOCK) {
        size_t width = MTC_MIN(SVD_BLOCK, lines - at);
        svd_block(ws, at, width);
        mtc_syrk(!ws->gram, side, width, 1, ws->block,
            ws->gram ? width : side, at > 0, ws->M, side, ws->product);
    }
    for (size_t i = 0; i < side; i++)
        total += (double)ws->M[i * side + i];
    ws->p->total = (mtc_real)total;
}

/* ---- P1 and P2 by products with the views -------------------------------- */

/* |Xc|^2 of a view, by differences, so that nothing cancels.  row is [d]. */
static double svd_spread(const mtc_data *X, const mtc_real *mean,
    mtc_real *row)
{
    double total = 0;
    for (size_t i = 0; i < X->n; i++) {
        for (size_t k = 0; k < X->d; k++)
            row[k] = mean != NULL ? -mean[k] : 0;
        mtc_data_axpy(X, i, 1, row);
        total += (double)mtc_dot(X->d, row, row);
    }
    return total;
}

/* B [N*p] = Xc A = X A - 1 (mean'A), A [d*p]; or, with `trans`, B [d*p] = Xc'A
 * = X'A - mean (1'A), A [N*p]. */
static void svd_times(svd_ws *ws, int trans, size_t p, const mtc_real *A,
    mtc_real *B)
{
    const mtc_svd *s = ws->p;
    for (size_t t = 0, at = 0; t < s->n_sets; at += svd_set(s, t++)->n) {
        const mtc_data *X = svd_set(s, t);
        const mtc_real *mean = svd_mean(s, t);
        const mtc_real *from = A + (trans ? at * p : 0);
        mtc_real *to = !trans ? B + at * p : t == 0 ? B : ws->part;
        (trans ? mtc_data_transpose_times : mtc_data_times)(X, p, from, p, to,
                                                            p, ws->product);
        if (mean != NULL) {
            size_t rows = trans ? X->n : ws->d, others = trans ? ws->d : X->n;
            MTC_ZERO(ws->row, p);  /* mean'A, or 1'A */
            for (size_t i = 0; i < rows; i++)
                mtc_axpy(p, trans ? 1 : mean[i], from + i * p, ws->row);
            for (size_t i = 0; i < others; i++)
                mtc_axpy(p, trans ? -mean[i] : -1, ws->row, to + i * p);
        }
        if (trans && t > 0)
            mtc_axpy(ws->d * p, 1, to, B);  /* sums up the sets */
    }
}

/* P2 as an operator on the smaller side: Xc (Xc'V) or Xc'(Xc V). */
static mtc_status svd_apply(void *user, size_t n, size_t p, const mtc_real *V,
    mtc_real *AV)
{
    svd_ws *ws = (svd_ws *)user;
    (void)n;
    svd_times(ws, ws->gram, p, V, ws->image);
    svd_times(ws, !ws->gram, p, ws->image, AV);
    return MTC_OK;
}

/* ---- P2 to P5 ------------------------------------------------------------ */

/* P1, and P2: w and U, descending. */
static mtc_status svd_pairs(mtc_context *ctx, svd_ws *ws)
{
    mtc_svd *p = ws->p;
    size_t side = ws->side, most = p->most;
    if (!ws->full) {
        double total = 0;
        for (size_t t = 0; t < p->n_sets; t++)
            total += svd_spread(svd_set(p, t), svd_mean(p, t), ws->row);
        p->total = (mtc_real)total;
        return kry_solve(ctx, side, svd_apply, ws, most, p->full, p->tolerance,
                         0, p->w, ws->U, most, &p->residual, ws->eigen);
    }
    svd_matrix(ws);
    MTC_TRY(mtc_symeig_range_in(ctx, side, ws->M, side, side - most, most, p->w,
                                ws->U, most, 1, ws->eigen));
    eig_reverse(side, most, p->w, ws->U);
    return MTC_OK;
}

/* P3: returns how many vectors count.  Centering leaves at most eps |x| in a
 * row of constant data, squared here.  In float a bound by the number of terms
 * would drop too much: sums err by about the root of that number. */
static size_t svd_rank(const svd_ws *ws)
{
    const mtc_svd *p = ws->p;
    size_t rank = 0, r = 0;
    mtc_real terms = (mtc_real)MTC_MAX(ws->N, ws->d), kept = 0;
    mtc_real eps = MTC_BY_TYPE(terms, 2 * MTC_SQRT(terms)) * MTC_EPS;
    mtc_real noise = eps * eps * (mtc_real)ws->square;
    mtc_real cut = eps * p->w[0];
    cut = cut > noise ? cut : noise;
    while (rank < p->most && p->w[rank] > cut)
        rank++;
    if (!(p->keep > 0))
        return rank;
    for (; r < rank && kept < p->keep * p->total; r++)
        kept += p->w[r];
    return r;
}

/* C [d*r] = Xc'U. */
static void svd_images(svd_ws *ws, size_t r)
{
    size_t d = ws->d;
    if (!ws->full)
        svd_times(ws, 1, r, ws->U, ws->C);
    for (size_t at = 0; ws->full && at < d; at += SVD_BLOCK) {
        size_t width = MTC_MIN(SVD_BLOCK, d - at);
        svd_block(ws, at, width);
        mtc_gemm(1, 0, width, r, ws->N, 1, ws->block, width, ws->U, r, 0,
            ws->C + at * r, r, ws->product);
    }
}

/* P4: makes rows of V from the first r pairs.  From the N side they are U'Xc,
 * scaled.  Rows of small w are not quite orthogonal, as U is exact to eps w_0
 * only.  With V V' = S = L L' the rows of L^-1 V are orthonormal.  The rows of
 * large w, which come first, stay as they are. */
static mtc_status svd_vectors(svd_ws *ws, size_t r)
{
    size_t d = ws->d, most = ws->p->most;
    mtc_real *V = ws->p->V, *C = ws->gram ? ws->C : ws->U;
    for (size_t i = 0; i < ws->side; i++)  /* U packed to r columns */
        memmove(ws->U + i * r, ws->U + i * most, r * sizeof *ws->U);
    if (ws->gram)
        svd_images(ws, r);
    for (size_t k = 0; k < r; k++)
        for (size_t i = 0; i < d; i++)
            V[k * d + i] = C[i * r + k];
    if (ws->gram) {
        mtc_unit_rows(r, d, V);
        mtc_syrk(0, r, d, 1, V, d, 0, ws->S, r, ws->product);
        MTC_TRY(mtc_cholesky(r, ws->S, r, ws->product));
        mtc_triangular_solve(0, r, d, ws->S, r, V, d, ws->product);
    }
    for (size_t k = 0; k < r; k++) {
        mtc_real sign = eig_sign(d, V + k * d, 1);  /* largest entry > 0 */
        for (size_t i = 0; i < d; i++)
            V[k * d + i] *= sign;
    }
    return MTC_OK;
}

/* Runs P1 to P5; w, V and Z are 0 beyond the rank. */
mtc_status mtc_svd_in(mtc_context *ctx, mtc_svd *p, void *work)
{
    svd_ws ws;
    svd_layout(work, p, &ws);
    MTC_ASSERT(p->most >= 1 && p->most <= ws.side);
    ws.p = p;
    p->residual = 0;
    for (size_t t = 0; t < p->n_sets; t++)
        for (size_t i = 0; i < svd_set(p, t)->n; i++)
            ws.square += (double)data_norm(svd_set(p, t), i);
    MTC_TRY(svd_pairs(ctx, &ws));  /* P1, P2 */
    size_t r = svd_rank(&ws);      /* P3 */
    p->rank = r;
    if (r > 0)
        MTC_TRY(svd_vectors(&ws, r));  /* P4 */
    MTC_ZERO(p->w + r, p->most - r);
    MTC_ZERO(p->V + r * ws.d, (p->most - r) * ws.d);
    mtc_real *Z = p->Z;
    if (Z == NULL)
        return MTC_OK;
    for (size_t t = 0; t < p->n_sets; t++) {  /* P5 */
        const mtc_data *X = svd_set(p, t);
        const mtc_real *mean = svd_mean(p, t);
        MTC_ZERO(Z, X->n * p->most);
        mtc_project(X, mean, r, p->V, Z, p->most, ws.project);
        Z += X->n * p->most;
    }
    return MTC_OK;
}
