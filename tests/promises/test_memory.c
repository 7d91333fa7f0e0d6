/* SPDX-License-Identifier: MIT
 *
 * test_memory.c - what no result may depend on: memory, sizes and hostile
 * values.  Every test walks the table of calls.h, with data in dense and in
 * CSR form and options by default and by dice.
 *
 *   allocation   every allocation fails in turn: reported, nothing leaked,
 *                the output untouched, the next call fine
 *   need         what a measuring context reports is what the call takes; it
 *                runs in an arena of so many bytes, not in one less; a shape
 *                tells the same need as the data, and is data to no call
 *                (advice has no need: it takes memory as it goes)
 *   cancel       the progress callback stops it at every of its calls, or at
 *                some sixty of them, the first ones and then evenly
 *   values       NaN, infinity and what has no square are refused by row
 *                and column, and so are values that are all too small; zeros
 *                of either sign, large, constant and equal rows are served
 *   sizes        CSR that stores nothing, n = 0, n = 1, d = 1, k = 0, k > n, products that overflow
 */
#include <stdio.h>

#include "greatest.h"
#include "calls.h"
#include "test_util.h"

enum { N = 24, D = 9, VARIANTS = 9, CANCELS = 30 };
enum { BAD_ROW = 5, BAD_COLUMN = 2 };       /* where hostile values are put */

static stage set;
static const size_t task_n[SCENE_TASKS] = {N, D - 2, N - 7};

typedef union room { outcome out; unsigned char b[sizeof(outcome)]; } room;

/* Runs the row on the stage as it is and gives the result back.  What fails
 * leaves the output alone, and nothing may leak: else *wrong says so. */
static mtc_status run_row(const method_row *e, mtc_context *ctx, witness *w,
                          const char **wrong)
{
    static room r;
    set.s.thrown = 0;
    memset(r.b, TEST_POISON, sizeof r.b);
    mtc_status s = e->run(ctx, &set.s, &r);
    if (s == MTC_OK) {
        e->see(&set.s, &r, w);
        e->release(ctx, &r);
        if (w->wrong != NULL)
            *wrong = w->wrong;
        return s;
    }
    for (size_t i = 0; i < sizeof r.b; i++)
        if (r.b[i] != TEST_POISON)
            *wrong = "a failed call writes its output";
    return s;
}

/* The same on a heap of its own. */
static mtc_status run_on_heap(const method_row *e, test_heap *heap,
                              mtc_context *ctx, uint64_t *hash,
                              const char **wrong)
{
    witness w = WITNESS;
    *ctx = test_heap_context(heap);
    heap->limit = (size_t)1 << 28;
    mtc_status s = run_row(e, ctx, &w, wrong);
    *hash = w.hash;
    if (heap->live != 0 || heap->faults != 0)
        *wrong = "the heap is not as before";
    return s;
}

/* Is the row one call of the library that fills a result? */
static int is_single(const method_row *e)
{
    return e->release == result_release && !(e->flags & EXTRA);
}

/* ---- allocation, need, cancellation ------------------------------------ */

/* Fails every allocation in turn, once (from = 0) or from then on.  Calls that
 * take memory as they go take it hundreds of times: slow builds leave some, and
 * not after each is the whole call made again. */
static const char *fail_each(const method_row *e, int from)
{
    test_heap heap;
    mtc_context ctx;
    const char *wrong = NULL;
    uint64_t hash, after;
    mtc_status usual = run_on_heap(e, &heap, &ctx, &hash, &wrong);
    size_t calls = heap.calls, again = calls / 20 + 1;
    size_t step = e->flags & AS_IT_GOES && calls > 20 ? TEST_FEWER : 1;
    for (size_t k = 1; k <= calls && wrong == NULL; k += step) {
        witness w = WITNESS;
        ctx = test_heap_context(&heap);
        heap.fail_at = k;
        heap.fail_from = from;
        if (run_row(e, &ctx, &w, &wrong) != MTC_NO_MEMORY)
            return "a failed allocation is not NO_MEMORY";
        if (heap.live != 0 || heap.faults != 0)
            return "a failed allocation leaks or upsets the heap";
        if (ctx.error.what == NULL)
            return "a failed allocation does not say what failed";
        if (k % again == 0 &&
            (run_on_heap(e, &heap, &ctx, &after, &wrong) != usual ||
             after != hash))
            return "the call after a failure answers differently";
    }
    return wrong;
}

TEST a_failed_allocation_is_reported_and_leaves_no_trace(const method_row *e,
                                                         int csr)
{
    for (unsigned v = 0; v < VARIANTS; v++)
        for (int from = 0; from < 2; from++) {
            stage_set(&set, N, D, csr, v);
            const char *wrong = fail_each(e, from);
            ASSERTm(wrong, wrong == NULL);
        }
    PASS();
}

/* One call that fills a result: the measured need, the heap's peak and the
 * arena that is just large enough agree to the byte. */
TEST need_is_exact(const method_row *e, int csr)
{
    static double buffer[3 << 17];
    for (unsigned v = 0; v < VARIANTS; v++) {
        const char *wrong = NULL;
        test_heap heap;
        mtc_context ctx, ask = mtc_measure();
        witness none = WITNESS, by_arena = WITNESS;
        uint64_t by_heap;
        stage_set(&set, N, D, csr, v);
        if (run_on_heap(e, &heap, &ctx, &by_heap, &wrong) != MTC_OK)
            continue;                           /* dice that it refuses */
        if (heap.peak == 0)
            continue;                           /* nothing asked for */
        ASSERT(heap.most <= 2);                 /* result and scratch */
        size_t need = ctx.need;
        ASSERT_EQ(MTC_NO_MEMORY, run_row(e, &ask, &none, &wrong));
        ASSERT_EQ_FMT((unsigned long)need, (unsigned long)ask.need, "%lu");
        ASSERT(e->flags & BOUND ? need >= heap.peak : need == heap.peak);
        ASSERT(need <= sizeof buffer);
        size_t bytes = heap.peak;
        mtc_arena arena = mtc_arena_over(buffer, bytes);
        ctx = mtc_arena_context(&arena);
        ASSERT_EQ(MTC_OK, run_row(e, &ctx, &by_arena, &wrong));
        ASSERT_EQ(by_heap, by_arena.hash);
        ASSERT_EQ(bytes, arena.peak);
        ASSERT_EQ(0, arena.used);               /* all came back */
        arena = mtc_arena_over(buffer, bytes - 1);
        ctx = mtc_arena_context(&arena);
        ASSERT_EQ(MTC_NO_MEMORY, run_row(e, &ctx, &none, &wrong));
        ASSERT_EQ_FMT((unsigned long)need, (unsigned long)ctx.need, "%lu");
        ASSERT_EQ(0, arena.used);
        ASSERTm(wrong, wrong == NULL);
    }
    PASS();
}

/* The view without its values. */
static mtc_data shape_of(const mtc_data *X)
{
    return mtc_shape(X->n, X->d, X->row == NULL ? 0 : X->row[X->n]);
}

static void stage_shapes(void)
{
    for (size_t t = 0; t < SCENE_TASKS; t++)
        set.s.task[t] = shape_of(&set.s.task[t]);
    set.s.positive = shape_of(&set.s.positive);
    set.s.square = shape_of(&set.s.square);
}

static int is_among(const method_row *e, const char *const *names)
{
    while (*names != NULL && strcmp(*names, e->name) != 0)
        names++;
    return *names != NULL;
}

/* Calls that still read values before they know what they need; and those
 * that read labels, which the size of a contingency table is made of. */
static const char *const reads_values[] = {
    "kmeans_vote", NULL};
static const char *const reads_labels[] = {
    "contingency", "ec", "logistic", "svm", "trec", "vote", NULL};

TEST a_shape_tells_the_need_of_the_data(const method_row *e, int csr)
{
    for (unsigned v = 0; v < VARIANTS; v++) {
        const char *wrong = NULL;
        test_heap heap;
        mtc_context ctx, data = mtc_measure(), shape = mtc_measure();
        witness none = WITNESS;
        uint64_t hash;
        stage_set(&set, N, D, csr, v);
        if (run_row(e, &data, &none, &wrong) != MTC_NO_MEMORY)
            continue;                           /* dice that it refuses */
        stage_shapes();
        ASSERT_EQ(MTC_NO_MEMORY, run_row(e, &shape, &none, &wrong));
        ASSERT_EQ_FMT((unsigned long)data.need, (unsigned long)shape.need,
                      "%lu");
        for (size_t t = 0; t < SCENE_TASKS; t++)
            if (!is_among(e, reads_labels))
                set.s.labels[t] = NULL;
        ASSERT_EQ(MTC_NO_MEMORY, run_row(e, &shape, &none, &wrong));
        ASSERT_EQ_FMT((unsigned long)data.need, (unsigned long)shape.need,
                      "%lu");
        if (!(e->flags & NO_DATA))
            ASSERT_EQ(MTC_INVALID,
                      run_on_heap(e, &heap, &ctx, &hash, &wrong));
        ASSERTm(wrong, wrong == NULL);
    }
    PASS();
}

/* A call that takes memory as it goes tells no need, and a measuring context
 * gives it none, before it reads a value. */
TEST memory_as_it_goes_has_no_need(const method_row *e, int csr)
{
    const char *wrong = NULL;
    test_heap heap;
    mtc_context ctx, ask = mtc_measure();
    witness none = WITNESS;
    uint64_t hash;
    stage_set(&set, N, D, csr, 0);
    ASSERT_EQ(MTC_OK, run_on_heap(e, &heap, &ctx, &hash, &wrong));
    ASSERT_EQ(0, ctx.need);
    ASSERT(heap.most > 2);
    ASSERT_EQ(MTC_NO_MEMORY, run_row(e, &ask, &none, &wrong));
    ASSERT_EQ(0, ask.need);
    stage_shapes();
    ASSERT_EQ(MTC_NO_MEMORY, run_row(e, &ask, &none, &wrong));
    ASSERT_EQ(MTC_INVALID, run_on_heap(e, &heap, &ctx, &hash, &wrong));
    ASSERTm(wrong, wrong == NULL);
    PASS();
}

/* Cancels at call `at` (from 1), in `stage`; 0 never. */
typedef struct canceler { size_t calls, at; const char *stage; } canceler;

static int cancel_at(void *user, const char *what, size_t done, size_t total)
{
    canceler *c = (canceler *)user;
    (void)done, (void)total;
    c->stage = ++c->calls == c->at ? what : c->stage;
    return c->calls == c->at;
}

TEST canceling_anywhere_leaves_no_trace(const method_row *e, int csr)
{
    for (unsigned v = 0; v < VARIANTS; v += 2) {
        const char *wrong = NULL;
        test_heap heap;
        canceler c = {0, 0, NULL};
        mtc_context ctx = test_heap_context(&heap);
        witness w = WITNESS;
        ctx.progress = cancel_at;
        ctx.user = &c;
        stage_set(&set, N, D, csr, v);
        run_row(e, &ctx, &w, &wrong);
        size_t ticks = c.calls;
        ASSERT(ticks > 0 || v > 0 || !(e->flags & OF_TICKS));
        size_t step = 1 + ticks / CANCELS;  /* all, if there are not many */
        for (size_t at = 1; at <= ticks; at += at < CANCELS / 2 ? 1 : step) {
            c.calls = 0;
            c.at = at;
            ctx.error.what = "nothing";
            ASSERT_EQ(MTC_CANCELLED, run_row(e, &ctx, &w, &wrong));
            ASSERT_STR_EQ(c.stage, ctx.error.what);
            ASSERT_EQ(0, heap.live);
            ASSERT_EQ(0, heap.faults);
        }
        ASSERTm(wrong, wrong == NULL);
    }
    PASS();
}

/* ---- values ------------------------------------------------------------ */

/* Puts v at (BAD_ROW, BAD_COLUMN) of every matrix. */
static void put_value(mtc_real v)
{
    for (size_t t = 0; t < SCENE_TASKS; t++)
        set.x[t][BAD_ROW * D + BAD_COLUMN] = v;
    set.positive[BAD_ROW * D + BAD_COLUMN] = v;
    set.square[BAD_ROW * N + BAD_COLUMN] = v;
    set.square[BAD_COLUMN * N + BAD_ROW] = v;
}

TEST a_value_out_of_range_is_refused_by_its_place(const method_row *e,
                                                  int csr)
{
    mtc_real zero = 0, bad[5] = {0, 0, 0, TEST_MAX, -TEST_MAX};
    bad[0] = TEST_MAX * 2;                              /* +Inf */
    bad[1] = -bad[0];
    bad[2] = bad[0] * zero;                             /* NaN */
    for (size_t b = 0; b < 5; b++) {
        const char *wrong = NULL;
        mtc_context ctx;
        test_heap heap;
        uint64_t hash;
        stage_set(&set, N, D, csr, 0);
        put_value(bad[b]);
        stage_views(&set, task_n, D, csr);
        ASSERT_EQ(MTC_DOMAIN, run_on_heap(e, &heap, &ctx, &hash, &wrong));
        ASSERTm(wrong, wrong == NULL);
        ASSERT(heap.calls == 0 || !is_single(e));       /* checked first */
        ASSERT(ctx.error.what != NULL);
        ASSERT_EQ(0, ctx.need);
        ASSERT((ctx.error.row == BAD_ROW && ctx.error.column == BAD_COLUMN)
               || (e->flags & OF_SQUARE && ctx.error.row == BAD_COLUMN
                   && ctx.error.column == BAD_ROW));
    }
    PASS();
}

/* Ways to spoil data that are legal all the same; n == d: symmetric. */
typedef void spoiler(mtc_real *x, size_t n, size_t d);

static void all_zero(mtc_real *x, size_t n, size_t d)
{
    for (size_t i = 0; i < n * d; i++)
        x[i] = 0;
}

static void minus_zero(mtc_real *x, size_t n, size_t d)
{
    for (size_t i = 0; i < n * d; i++)
        if (x[i] == 0)
            x[i] = -x[i];
}

static void constant(mtc_real *x, size_t n, size_t d)
{
    for (size_t i = 0; i < n * d; i++)
        x[i] = 1;
}

static void equal_rows(mtc_real *x, size_t n, size_t d)
{
    if (n == d)
        constant(x, n, d);
    for (size_t i = 1; i < n && n != d; i++)
        memcpy(x + i * d, x, d * sizeof *x);
}

static void some_zero_rows(mtc_real *x, size_t n, size_t d)
{
    for (size_t i = 0; i < n; i += 4)
        for (size_t j = 0; j < d; j++) {
            x[i * d + j] = 0;
            if (n == d)
                x[j * d + i] = 0;
        }
}

static void denormal(mtc_real *x, size_t n, size_t d)
{
    for (size_t i = 0; i < n * d; i++)
        x[i] *= TEST_MIN / 64;
}

static void tiny(mtc_real *x, size_t n, size_t d)
{
    for (size_t i = 0; i < n * d; i++)
        x[i] *= 16 * TEST_MIN / TEST_EPS;
}

/* A hundredth of what the header admits (1e45; 1e9 in float). */
static void large(mtc_real *x, size_t n, size_t d)
{
    for (size_t i = 0; i < n * d; i++)
        x[i] *= (mtc_real)(sizeof(mtc_real) == 4 ? 1e6 : 1e42);
}

static void one_large(mtc_real *x, size_t n, size_t d)
{
    mtc_real v = (mtc_real)(sizeof(mtc_real) == 4 ? 9e8 : 9e44);
    x[BAD_ROW * d + BAD_COLUMN] = v;
    if (n == d)
        x[BAD_COLUMN * d + BAD_ROW] = v;
}

static void far_away(mtc_real *x, size_t n, size_t d)
{
    for (size_t i = 0; i < n * d; i++)
        x[i] += 1 / TEST_EPS / 8;
}

static const struct {
    const char *name;
    spoiler *spoil;
    int beyond;             /* the rule of numbers: is refused */
} spoilers[] = {
    {"zero", all_zero, 0},
    {"minus_zero", minus_zero, 0},
    {"constant", constant, 0},
    {"equal_rows", equal_rows, 0},
    {"some_zero_rows", some_zero_rows, 0},
    {"denormal", denormal, 1},
    {"tiny", tiny, 1},
    {"far_away", far_away, 0},
    {"large", large, 0},
    {"one_large", one_large, 0}
};

TEST legal_values_are_served(const method_row *e, int csr, spoiler *spoil,
                             int beyond)
{
    const char *wrong = NULL;
    mtc_context ctx;
    test_heap heap;
    uint64_t hash;
    stage_set(&set, N, D, csr, 0);
    for (size_t t = 0; t < SCENE_TASKS; t++)
        spoil(set.x[t], task_n[t], D);
    spoil(set.positive, N, D);
    spoil(set.square, N, N);
    stage_views(&set, task_n, D, csr);
    mtc_status s = run_on_heap(e, &heap, &ctx, &hash, &wrong);
    /* PCA keeps the zeros of CSR views, and cannot center what lies so far. */
    int too_far = csr && spoil == far_away && strncmp(e->name, "pca", 3) == 0;
    if (beyond)
        ASSERT_EQ(MTC_DOMAIN, s);
    else if (too_far)
        ASSERT_EQ(MTC_LIMIT, s);
    else if (e->flags & POSITIVE && s != MTC_OK)
        ASSERT_EQ(MTC_DOMAIN, s);
    else
        ASSERT_EQm(mtc_status_text(s), MTC_OK, s);
    ASSERTm(wrong, wrong == NULL);
    PASS();
}

/* ---- sizes ------------------------------------------------------------- */

/* The first n rows and d columns of every view. */
static void shrink(size_t n, size_t d, size_t k)
{
    for (size_t t = 0; t < SCENE_TASKS; t++) {
        set.s.task[t].n = n;
        set.s.task[t].d = d;
    }
    set.s.positive.n = set.s.square.n = set.s.square.d = n;
    set.s.positive.d = d;
    set.s.k = k;
}

TEST no_sample_and_no_feature_are_refused(const method_row *e, int csr)
{
    const char *wrong = NULL;
    mtc_context ctx;
    test_heap heap;
    uint64_t hash;
    stage_set(&set, N, D, csr, 0);
    shrink(0, D, 1);
    mtc_status s = run_on_heap(e, &heap, &ctx, &hash, &wrong);
    ASSERT_EQm(mtc_status_text(s), MTC_INVALID, s);
    ASSERT_EQ(0, ctx.need);
    shrink(D - 2, 0, 2);
    if (!(e->flags & OF_SQUARE)) {                         /* keeps its d */
        s = run_on_heap(e, &heap, &ctx, &hash, &wrong);
        ASSERT_EQm(mtc_status_text(s), MTC_INVALID, s);
        ASSERT_EQ(0, ctx.need);
    }
    ASSERTm(wrong, wrong == NULL);
    PASS();
}

/* One sample: no neighbor, no fold to hold out, but a cluster of its own. */
TEST one_sample_is_served(const method_row *e, int csr)
{
    static const char *const refuse[] = {"neighbors", "a_distance",
                                         "bridge_features"};
    const char *wrong = NULL;
    mtc_context ctx;
    test_heap heap;
    uint64_t hash;
    int refusable = 0;
    stage_set(&set, N, D, csr, 0);
    shrink(1, D, 1);
    memset(set.label, 0, sizeof set.label);             /* one class */
    if (csr)                                /* square: its first entry */
        set.square_row[1] = 1;
    mtc_status s = run_on_heap(e, &heap, &ctx, &hash, &wrong);
    for (size_t i = 0; i < sizeof refuse / sizeof *refuse; i++)
        refusable |= strcmp(refuse[i], e->name) == 0;
    ASSERTm(mtc_status_text(s),
            s == MTC_OK || (refusable && s == MTC_INVALID));
    ASSERTm(wrong, wrong == NULL);
    PASS();
}

TEST one_feature_is_served(const method_row *e, int csr)
{
    const char *wrong = NULL;
    mtc_context ctx;
    test_heap heap;
    uint64_t hash;
    stage_set(&set, N, D, csr, 0);
    for (size_t i = 1; i < N; i++) {        /* the first column, packed */
        for (size_t t = 0; t < SCENE_TASKS; t++)
            if (i < task_n[t])
                set.x[t][i] = set.x[t][i * D];
        set.positive[i] = set.positive[i * D];
    }
    stage_views(&set, task_n, 1, csr);
    mtc_status s = run_on_heap(e, &heap, &ctx, &hash, &wrong);
    ASSERT_EQm(mtc_status_text(s), MTC_OK, s);
    ASSERTm(wrong, wrong == NULL);
    PASS();
}

TEST no_cluster_and_too_many_are_refused(const method_row *e, int csr)
{
    const size_t k[2] = {0, N + 1};
    for (size_t i = 0; i < (e->flags & OF_N ? 2 : 1); i++) {
        const char *wrong = NULL;
        mtc_context ctx;
        test_heap heap;
        uint64_t hash;
        stage_set(&set, N, D, csr, 0);
        set.s.k = k[i];
        ASSERT_EQ(MTC_INVALID, run_on_heap(e, &heap, &ctx, &hash, &wrong));
        ASSERTm(wrong, wrong == NULL);
        ASSERT(heap.calls == 0 || !is_single(e));
        ASSERT_EQ(0, ctx.need);
        ASSERT(ctx.error.what != NULL);
    }
    PASS();
}

/* Sizes whose product overflows, over a few bytes of memory: refused before
 * anything is read. */
TEST sizes_that_overflow_are_refused(const method_row *e, int csr)
{
    static const size_t n[3] = {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 4 + 1};
    for (size_t z = 0; z < 3; z++) {
        const char *wrong = NULL;
        mtc_context ctx;
        test_heap heap;
        uint64_t hash;
        stage_set(&set, N, D, csr, 0);
        mtc_data *all[5] = {&set.s.task[0], &set.s.task[1], &set.s.task[2],
                            &set.s.positive, &set.s.square};
        for (size_t m = 0; m < 5; m++) {
            all[m]->n = n[z];
            all[m]->stride = all[m]->d;
        }
        set.s.square.d = set.s.square.stride = n[z];
        mtc_status s = run_on_heap(e, &heap, &ctx, &hash, &wrong);
        ASSERTm(mtc_status_text(s),
                s == MTC_TOO_BIG || s == MTC_INVALID
                || (s == MTC_NO_MEMORY && !is_single(e)));  /* its arrays */
        ASSERT(heap.calls == 0 || !is_single(e));
        ASSERTm(wrong, wrong == NULL);
    }
    PASS();
}

/* Nothing stored: all zeros, whether there are arrays or none. */
TEST csr_that_stores_nothing_needs_no_arrays(const method_row *e, int csr)
{
    const char *wrong = NULL;
    mtc_context ctx;
    test_heap heap;
    uint64_t hash, without;
    stage_set(&set, N, D, csr, 0);
    memset(set.x_row, 0, sizeof set.x_row);
    memset(set.square_row, 0, sizeof set.square_row);
    mtc_status s = run_on_heap(e, &heap, &ctx, &hash, &wrong);
    for (size_t t = 0; t < SCENE_TASKS; t++) {
        set.s.task[t].column = NULL;
        set.s.task[t].values = NULL;
    }
    set.s.square.column = NULL;
    set.s.square.values = NULL;
    ASSERT_EQ(s, run_on_heap(e, &heap, &ctx, &without, &wrong));
    ASSERT_EQ(hash, without);
    ASSERTm(wrong, wrong == NULL);
    PASS();
}

/* Rows without entries can have any number of columns: the views are legal,
 * what a call needs for them is not to be had. */
TEST features_without_bound_are_refused(const method_row *e, int csr)
{
    const char *wrong = NULL;
    mtc_context ctx;
    test_heap heap;
    uint64_t hash;
    stage_set(&set, N, D, csr, 0);
    memset(set.x_row, 0, sizeof set.x_row);
    for (size_t t = 0; t < SCENE_TASKS; t++)
        set.s.task[t].d = SIZE_MAX / 2;
    mtc_status s = run_on_heap(e, &heap, &ctx, &hash, &wrong);
    ASSERTm(mtc_status_text(s),
            s == MTC_TOO_BIG || s == MTC_INVALID
            || (s == MTC_NO_MEMORY && !is_single(e))
            || (s == MTC_OK && !(e->flags & OF_D))
            || e->flags & (POSITIVE | OF_SQUARE));
    ASSERTm(wrong, wrong == NULL);
    PASS();
}

/* ---- the arena and free by themselves ---------------------------------- */

/* Its allocator refuses whoever calls it. */
TEST a_measuring_context_has_no_memory(void)
{
    mtc_context ask = mtc_measure();
    ASSERT(ask.allocate(ask.memory, 1) == NULL);
    PASS();
}

TEST arena_gives_back_the_last_block_and_remembers_its_peak(void)
{
    double buffer[32];
    mtc_arena arena = mtc_arena_over(buffer, sizeof buffer);
    mtc_context ctx = mtc_arena_context(&arena);
    void *a = ctx.allocate(ctx.memory, 8);
    void *b = ctx.allocate(ctx.memory, 24);
    ASSERT(a != NULL && b != NULL && a != b);
    ASSERT_EQ(0, (size_t)((unsigned char *)b - (unsigned char *)a)
                     % sizeof(double));
    size_t used = arena.used;
    ctx.release(ctx.memory, a, 8);                      /* not the last */
    ASSERT_EQ(used, arena.used);
    ctx.release(ctx.memory, b, 24);
    ASSERT(arena.used < used);
    ASSERT_EQ(used, arena.peak);
    ASSERT(ctx.allocate(ctx.memory, sizeof buffer) == NULL);
    ASSERT(ctx.allocate(ctx.memory, SIZE_MAX) == NULL);
    ASSERT(ctx.allocate(ctx.memory, SIZE_MAX - 20) == NULL);
    PASS();
}

TEST free_clears_the_whole_result_and_is_harmless_twice(void)
{
    mtc_context ctx = test_context();
    static const mtc_kmeans_result zero;
    mtc_kmeans_result r;
    stage_set(&set, N, D, 0, 0);
    ASSERT_EQ(MTC_OK, mtc_kmeans(&ctx, &set.s.task[0], NULL, &r));
    mtc_free(&ctx, &r.block);
    ASSERT(memcmp(&r.labels, &zero.labels, sizeof r.labels) == 0);
    ASSERT_EQ(0, r.iterations);
    mtc_free(&ctx, &r.block);
    mtc_free(&ctx, NULL);
    PASS();
}

/* ---- all of it --------------------------------------------------------- */

static void name_it(const method_row *e, int csr, const char *more)
{
    char name[64];
    snprintf(name, sizeof name, "%s_%s%s%s", e->name, csr ? "csr" : "dense",
             more[0] != '\0' ? "_" : "", more);
    greatest_set_test_suffix(name);
}

#define ALSO(TEST, ...)                                                   \
    do {                                                                  \
        name_it(e, csr, "");                                              \
        RUN_TESTp(TEST, e, __VA_ARGS__);                                  \
    } while (0)

static void run_call(const method_row *e, int csr)
{
    if (e->flags & BARE)
        return;
    ALSO(a_failed_allocation_is_reported_and_leaves_no_trace, csr);
    ALSO(canceling_anywhere_leaves_no_trace, csr);
    if (is_single(e) && e->flags & AS_IT_GOES)
        ALSO(memory_as_it_goes_has_no_need, csr);
    if (is_single(e) && !(e->flags & AS_IT_GOES))
        ALSO(need_is_exact, csr);
    if (is_single(e) && !(e->flags & AS_IT_GOES) && !is_among(e, reads_values))
        ALSO(a_shape_tells_the_need_of_the_data, csr);
    if (e->flags & OF_K)
        ALSO(no_cluster_and_too_many_are_refused, csr);
    if (e->flags & NO_DATA)
        return;
    ALSO(a_value_out_of_range_is_refused_by_its_place, csr);
    for (size_t s = 0; s < sizeof spoilers / sizeof spoilers[0]; s++) {
        name_it(e, csr, spoilers[s].name);
        RUN_TESTp(legal_values_are_served, e, csr, spoilers[s].spoil,
                  spoilers[s].beyond);
    }
    ALSO(no_sample_and_no_feature_are_refused, csr);
    ALSO(one_sample_is_served, csr);
    ALSO(one_feature_is_served, csr);
    ALSO(sizes_that_overflow_are_refused, csr);
    if (csr) {
        ALSO(features_without_bound_are_refused, csr);
        ALSO(csr_that_stores_nothing_needs_no_arrays, csr);
    }
}

SUITE(memory_suite)
{
    for (int csr = 0; csr < 2; csr++)
        for (size_t r = 0; r < METHOD_ROWS; r++)
            run_call(&method_rows[r], csr);
    RUN_TEST(a_measuring_context_has_no_memory);
    RUN_TEST(arena_gives_back_the_last_block_and_remembers_its_peak);
    RUN_TEST(free_clears_the_whole_result_and_is_harmless_twice);
}
