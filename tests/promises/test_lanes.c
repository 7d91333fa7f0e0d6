/* SPDX-License-Identifier: MIT
 *
 * test_lanes.c - threads that a caller lends: who gets what, what is said when
 * a part fails, and that nothing else depends on them.  The pool is the one of
 * examples/threads.c, with its pieces in a random order; where there are no
 * threads, one thread runs them in a random order.
 */
#define _POSIX_C_SOURCE 200809L
#define MTC_INTERNAL                    /* mtc_share */
#include <stdio.h>
#include <string.h>

#if defined(_WIN32) || defined(MTC_NO_THREADS)
#include "../../mtc.h"
typedef struct thread_pool { int none; } thread_pool;
static void pool_open(thread_pool *p, size_t lanes)
{
    (void)p, (void)lanes;
}
static void pool_close(thread_pool *p)
{
    (void)p;
}
static void pool_parallel(void *pool, size_t n,
                          void (*piece)(void *job, size_t i), void *job)
{
    (void)pool;
    for (size_t i = 0; i < n; i++)
        piece(job, i);
}
#else
#define main threads_page
int threads_page(void);
#include "../../examples/threads.c"
#undef main
#endif

#include "greatest.h"
#include "calls.h"
#include "test_util.h"

/* linalg.c is built for these tests with the same number. */
#ifndef MTC_LANES_LEAST
#define MTC_LANES_LEAST 1000000
#endif

enum {
    ITEMS = 29, MOST = 8, PIECES = 64, A_MILLION = 1000000,
    SMALL_N = 40, SMALL_D = 9, VARIANTS = 3     /* of a row of the table */
};

/* ---- pools --------------------------------------------------------------- */

/* A pool behind the other, which deals the pieces out in a random order. */
typedef struct dealer {
    thread_pool *pool;
    mtc_random r;
    size_t calls;               /* of parallel */
} dealer;

typedef struct deal {
    size_t order[PIECES];
    void (*piece)(void *job, size_t i);
    void *job;
} deal;

static void deal_piece(void *job, size_t i)
{
    deal *d = (deal *)job;
    d->piece(d->job, d->order[i]);
}

static void deal_parallel(void *pool, size_t n,
                          void (*piece)(void *job, size_t i), void *job)
{
    dealer *p = (dealer *)pool;
    deal d = {.piece = piece, .job = job};
    p->calls++;
    for (size_t i = 0; i < n; i++) {
        size_t at = mtc_random_below(&p->r, i + 1);
        d.order[i] = d.order[at];
        d.order[at] = i;
    }
    pool_parallel(p->pool, n, deal_piece, &d);
}

/* Everything on the caller's thread, the last piece first. */
static void backward_parallel(void *pool, size_t n,
                              void (*piece)(void *job, size_t i), void *job)
{
    (void)pool;
    while (n-- > 0)
        piece(job, n);
}

static mtc_context lent(dealer *d, thread_pool *pool, size_t lanes)
{
    mtc_context ctx = test_context();
    *d = (dealer){pool, mtc_random_seed(lanes), 0};
    ctx.parallel = deal_parallel;
    ctx.pool = d;
    ctx.lanes = lanes;
    return ctx;
}

/* ---- a job of items ------------------------------------------------------ */

typedef struct item_job {
    mtc_real value[ITEMS];              /* out */
    int runs[ITEMS];
    size_t lane[ITEMS], inner[ITEMS];   /* who; lanes that the item could use */
    mtc_real scratch[MOST][PIECES];     /* of each lane */
    mtc_status status[ITEMS];           /* to fail with */
} item_job;

/* A sum that takes a while, in the lane's own scratch. */
static mtc_status item_run(mtc_context *ctx, void *job, size_t item,
                           size_t lane)
{
    item_job *j = (item_job *)job;
    mtc_random r = mtc_stream(ctx, item);
    mtc_real sum = 0;
    MTC_TRY(mtc_tick(ctx, "items", item, ITEMS));
    for (int round = 0; round < 200; round++) {
        for (size_t i = 0; i < PIECES; i++)
            j->scratch[lane][i] = mtc_random_real(&r);
        for (size_t i = 0; i < PIECES; i++)
            sum += j->scratch[lane][i];
    }
    j->value[item] = sum;
    j->runs[item]++;
    j->lane[item] = lane;
    j->inner[item] = mtc_lanes(ctx, ITEMS, A_MILLION);
    if (j->status[item] == MTC_OK)
        return MTC_OK;
    return mtc_fail(ctx, j->status[item], "an item", item, MTC_NONE, MTC_NONE);
}

static mtc_status share(mtc_context *ctx, item_job *j, size_t *lanes)
{
    mtc_lane lane[MOST];
    *lanes = mtc_lanes(ctx, ITEMS, A_MILLION);
    memset(j->value, 0, sizeof j->value);
    memset(j->runs, 0, sizeof j->runs);
    return mtc_share(ctx, *lanes, lane, ITEMS, item_run, j);
}

TEST lanes_are_used_where_it_is_worth_it(void)
{
    mtc_context ctx = mtc_context_defaults();
    ASSERT_EQ(1, mtc_lanes(NULL, 10, A_MILLION));
    ctx.lanes = 8;
    ASSERT_EQ(1, mtc_lanes(&ctx, 10, A_MILLION));       /* nobody to run them */
    ctx.parallel = backward_parallel;
    ASSERT_EQ(8, mtc_lanes(&ctx, 10, A_MILLION));
    ASSERT_EQ(3, mtc_lanes(&ctx, 3, A_MILLION));        /* one item each */
    ASSERT_EQ(1, mtc_lanes(&ctx, 1, A_MILLION));
    ASSERT_EQ(8, mtc_lanes(&ctx, 10, SIZE_MAX));        /* no overflow */
    ASSERT_EQ(2, mtc_lanes(&ctx, 2, (MTC_LANES_LEAST + 1) / 2));
    ASSERT_EQ(1, mtc_lanes(&ctx, 2, (MTC_LANES_LEAST - 1) / 2));
    for (ctx.lanes = 0; ctx.lanes < 2; ctx.lanes++)
        ASSERT_EQ(1, mtc_lanes(&ctx, 10, A_MILLION));
    PASS();
}

/* Item i in lane i mod lanes, once, with the bits of one lane; inside an item
 * there are no more lanes. */
TEST every_item_is_done_once_with_the_same_bits(void)
{
    static const size_t counts[] = {2, 3, 8};
    static thread_pool pool;
    static item_job alone, job;
    size_t lanes;
    ASSERT_EQ(MTC_OK, share(NULL, &alone, &lanes));
    ASSERT_EQ(1, lanes);
    pool_open(&pool, MOST);
    for (size_t c = 0; c < 3; c++)
        for (int again = 0; again < 20; again++) {
            dealer d;
            mtc_context ctx = lent(&d, &pool, counts[c]);
            ASSERT_EQ(MTC_OK, share(&ctx, &job, &lanes));
            ASSERT_EQ(counts[c], lanes);
            ASSERT_EQ(1, d.calls);
            ASSERT(memcmp(alone.value, job.value, sizeof job.value) == 0);
            for (size_t i = 0; i < ITEMS; i++) {
                ASSERT_EQ(1, job.runs[i]);
                ASSERT_EQ(i % lanes, job.lane[i]);
                ASSERT_EQ(1, job.inner[i]);
            }
        }
    pool_close(&pool);
    PASS();
}

TEST one_thread_may_run_all_pieces(void)
{
    static item_job alone, job;
    mtc_context ctx = test_context();
    size_t lanes;
    ASSERT_EQ(MTC_OK, share(NULL, &alone, &lanes));
    ctx.parallel = backward_parallel;
    ctx.lanes = 5;
    ASSERT_EQ(MTC_OK, share(&ctx, &job, &lanes));
    ASSERT_EQ(5, lanes);
    ASSERT(memcmp(alone.value, job.value, sizeof job.value) == 0);
    PASS();
}

/* Items 6, 10 and 11 fail: 6 is what the caller hears of with any number of
 * lanes, and no lane but theirs is stopped. */
TEST the_lowest_item_that_fails_is_reported(void)
{
    static thread_pool pool;
    pool_open(&pool, MOST);
    for (size_t n = 1; n <= MOST; n++)
        for (int again = 0; again < 5; again++) {
            static item_job job;
            dealer d;
            mtc_context ctx = lent(&d, &pool, n);
            size_t lanes;
            job.status[6] = MTC_LIMIT;
            job.status[10] = MTC_DOMAIN;
            job.status[11] = MTC_SINGULAR;
            ASSERT_EQ(MTC_LIMIT, share(&ctx, &job, &lanes));
            ASSERT_STR_EQ("an item", ctx.error.what);
            ASSERT_EQ(6, ctx.error.task);
            ASSERT(ctx.parallel == deal_parallel && ctx.lanes == n);
            for (size_t i = 0; i < ITEMS; i++) {
                int after = 0;              /* a failure in its lane */
                for (size_t f = i % n; f < i; f += n)
                    after |= f == 6 || f == 10 || f == 11;
                ASSERT_EQ(!after, job.runs[i]);
            }
        }
    pool_close(&pool);
    PASS();
}

static int stop_at_9(void *user, const char *what, size_t done, size_t total)
{
    (void)user, (void)what, (void)total;
    return done == 9;
}

TEST a_piece_can_be_cancelled(void)
{
    static thread_pool pool;
    static item_job job;
    dealer d;
    mtc_context ctx = lent(&d, &pool, 4);
    size_t lanes;
    pool_open(&pool, 4);
    ctx.progress = stop_at_9;
    ASSERT_EQ(MTC_CANCELLED, share(&ctx, &job, &lanes));
    ASSERT_STR_EQ("items", ctx.error.what);
    ASSERT_EQ(0, job.runs[9]);
    ASSERT_EQ(1, job.runs[10]);
    pool_close(&pool);
    PASS();
}

#if !defined(_WIN32) && !defined(MTC_NO_THREADS)

typedef struct sharer {
    thread_pool *pool;
    item_job job;
    mtc_status status;
} sharer;

static void *sharer_run(void *user)
{
    sharer *s = (sharer *)user;
    for (int again = 0; again < 20 && s->status == MTC_OK; again++) {
        dealer d;
        mtc_context ctx = lent(&d, s->pool, 3);
        size_t lanes;
        s->status = share(&ctx, &s->job, &lanes);
    }
    return NULL;
}

TEST two_contexts_may_share_a_pool(void)
{
    static thread_pool pool;
    static sharer two[2];
    static item_job alone;
    pthread_t other;
    size_t lanes;
    ASSERT_EQ(MTC_OK, share(NULL, &alone, &lanes));
    pool_open(&pool, 3);
    two[0].pool = two[1].pool = &pool;
    ASSERT_EQ(0, pthread_create(&other, NULL, sharer_run, &two[1]));
    sharer_run(&two[0]);
    pthread_join(other, NULL);
    pool_close(&pool);
    for (int t = 0; t < 2; t++) {
        ASSERT_EQ(MTC_OK, two[t].status);
        ASSERT(memcmp(alone.value, two[t].job.value, sizeof alone.value) == 0);
    }
    PASS();
}

#endif

/* ---- calls --------------------------------------------------------------- */

static stage set;

TEST too_many_lanes_are_refused(void)
{
    test_heap heap;
    mtc_context ctx = test_heap_context(&heap);
    mtc_kmeans_result r;
    mtc_real w[2], A[4] = {2, 1, 1, 2};
    stage_set(&set, 24, 9, 0, 0);
    ctx.lanes = 1025;
    ASSERT_EQ(MTC_INVALID, mtc_kmeans(&ctx, &set.s.task[0], NULL, &r));
    ASSERT_STR_EQ("lanes: need at most 1024", ctx.error.what);
    ASSERT_EQ(MTC_INVALID, mtc_symeig(&ctx, 2, A, 2, w, NULL, 0));
    ASSERT(heap.calls == 0 && ctx.need == 0);
    ctx.lanes = 1024;                       /* with nobody to run them: one */
    ASSERT_EQ(MTC_OK, mtc_kmeans(&ctx, &set.s.task[0], NULL, &r));
    size_t need = ctx.need;
    mtc_free(&ctx, &r.block);
    ctx.lanes = 0;
    ASSERT_EQ(MTC_OK, mtc_kmeans(&ctx, &set.s.task[0], NULL, &r));
    ASSERT_EQ(need, ctx.need);
    mtc_free(&ctx, &r.block);
    PASS();
}

/* Ten restarts of one k-means, on data without clear clusters: more items than
 * lanes, or fewer. */
TEST restarts_are_shared(thread_pool *pool, int csr)
{
    mtc_kmeans_options o = mtc_kmeans_defaults();
    mtc_kmeans_result one, many;
    stage_set(&set, SCENE_N, SCENE_D, csr, 0);
    const mtc_data *X = &set.s.task[0];
    o.clusters = 4;
    ASSERT_EQ(MTC_OK, mtc_kmeans(NULL, X, &o, &one));
    for (size_t lanes = 2; lanes <= MOST; lanes++) {
        dealer d;
        mtc_context ctx = lent(&d, pool, lanes);
        ctx.seed = mtc_context_defaults().seed;
        ASSERT_EQ(MTC_OK, mtc_kmeans(&ctx, X, &o, &many));
        ASSERT_EQ(1, d.calls);
        ASSERT_EQ(one.iterations, many.iterations);
        ASSERT(memcmp(one.labels, many.labels, X->n * sizeof(int)) == 0);
        ASSERT(memcmp(one.centers, many.centers,
                      o.clusters * X->d * sizeof(mtc_real)) == 0);
        ASSERT(memcmp(one.objective, many.objective,
                      (one.iterations + 1) * sizeof(mtc_real)) == 0);
        mtc_free(&ctx, &many.block);
    }
    mtc_free(NULL, &one.block);
    PASS();
}

/* Blocks of rows: on a grid the nearest tie. */
TEST neighbors_are_shared(thread_pool *pool)
{
    enum { SIDE = 12, ALL = SIDE * SIDE, NEAR = 6 };
    static size_t index[2][ALL * NEAR];
    static mtc_real x[ALL * 2];
    for (size_t i = 0; i < ALL; i++) {
        x[2 * i] = (mtc_real)(i * 5 % ALL / SIDE);
        x[2 * i + 1] = (mtc_real)(i * 5 % SIDE);
    }
    mtc_data X = mtc_dense(ALL, 2, x);
    ASSERT_EQ(MTC_OK, mtc_neighbors(NULL, &X, NULL, NEAR,
                                    MTC_DISTANCE_SQEUCLIDEAN, index[0], NULL));
    for (size_t lanes = 2; lanes <= MOST; lanes++) {
        dealer d;
        mtc_context ctx = lent(&d, pool, lanes);
        ASSERT_EQ(MTC_OK, mtc_neighbors(&ctx, &X, NULL, NEAR,
                                        MTC_DISTANCE_SQEUCLIDEAN, index[1],
                                        NULL));
        ASSERT_EQ(1, d.calls);
        ASSERT(memcmp(index[0], index[1], sizeof index[0]) == 0);
    }
    PASS();
}

/* Three clear groups of whole numbers: every restart ends with the same loss,
 * to the bit, after other steps and with other numbers of the clusters. */
TEST of_equal_restarts_the_first_is_kept(thread_pool *pool)
{
    enum { n = 60, K = 3, RESTARTS = 30 };
    static mtc_real x[n];
    int first[n];
    mtc_kmeans_options o = mtc_kmeans_defaults();
    mtc_kmeans_result r;
    for (size_t i = 0; i < n; i++)
        x[i] = (mtc_real)(i % K * 1000 + i / K % 3);
    mtc_data X = mtc_dense(n, 1, x);
    o.clusters = K;
    o.restarts = 1;
    ASSERT_EQ(MTC_OK, mtc_kmeans(NULL, &X, &o, &r));
    mtc_real loss = r.loss;
    memcpy(first, r.labels, sizeof first);
    mtc_free(NULL, &r.block);
    o.restarts = RESTARTS;
    for (size_t lanes = 1; lanes <= MOST; lanes++) {
        dealer d;
        mtc_context ctx = lent(&d, pool, lanes);
        ctx.seed = mtc_context_defaults().seed;
        ASSERT_EQ(MTC_OK, mtc_kmeans(&ctx, &X, &o, &r));
        ASSERT(!(r.loss < loss));
        ASSERT(memcmp(first, r.labels, sizeof first) == 0);
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

/* Runs a row of the table on the heap of ctx. */
static mtc_status run_lent(const method_row *e, mtc_context *ctx, int csr,
                           unsigned v, uint64_t *hash)
{
    static outcome out;
    witness w = WITNESS;
    stage_set(&set, SMALL_N, SMALL_D, csr, v);
    mtc_status s = e->run(ctx, &set.s, &out);
    if (s == MTC_OK) {
        e->see(&set.s, &out, &w);
        e->release(ctx, &out);
    }
    *hash = w.hash;
    return s;
}

static int stop_at_once(void *user, const char *what, size_t done, size_t total)
{
    (void)user, (void)what, (void)done, (void)total;
    return 1;
}

static void lend(mtc_context *to, const mtc_context *from)
{
    to->parallel = from->parallel;
    to->pool = from->pool;
    to->lanes = from->lanes;
}

/* Two tasks of several blocks of rows, and a sparse one. */
typedef struct similar_case {
    size_t tasks, d;
    int csr, direct, distances;
    mtc_mtcfir_variant variant;         /* of MTCFIR, in place of both */
} similar_case;

static void similar_scene(const similar_case *c, scene *s)
{
    enum { ROWS = 300, FEW = 140, WIDEST = 400, STORED = 3 };
    static mtc_real values[(ROWS + FEW) * WIDEST];
    static size_t row[ROWS + 1];
    static uint32_t column[ROWS * STORED];
    mtc_random r = mtc_random_seed(7);
    *s = (scene){.tasks = c->tasks, .k = 3};
    for (size_t e = 0; e < (ROWS + FEW) * WIDEST; e++)
        values[e] = mtc_random_real(&r) + (mtc_real)(e % 3 == 0);
    for (size_t i = 0; i <= ROWS; i++)
        row[i] = i * STORED;
    for (size_t e = 0; e < ROWS * STORED; e++)
        column[e] = (uint32_t)(e % STORED * 100 + e * e % 97);
    s->task[0] = c->csr ? mtc_csr(ROWS, c->d, row, column, values)
                        : mtc_dense(ROWS, c->d, values);
    s->task[1] = mtc_dense(FEW, c->d, values + ROWS * WIDEST);
}

static mtc_status similar_run(const similar_case *c, mtc_context *ctx, int fir,
                              uint64_t *hash)
{
    mtc_consistent_options o = mtc_consistent_defaults();
    mtc_mtcfir_options of_fir = mtc_mtcfir_defaults();
    mtc_consistent_result r;
    mtc_mtcfir_result r_fir;
    witness w = WITNESS;
    scene s;
    similar_scene(c, &s);
    o.clusters = of_fir.clusters = s.k;
    o.direct = c->direct;
    o.distances = c->distances;
    of_fir.variant = c->variant;
    of_fir.layers = 1;
    of_fir.iterations = 5;
    of_fir.restarts = 1;
    mtc_status status = fir ? mtc_mtcfir(ctx, s.task, s.tasks, &of_fir, &r_fir)
                            : mtc_consistent(ctx, s.task, s.tasks, &o, &r);
    if (status != MTC_OK)
        return status;
    if (fir)
        mtcfir_see(&s, &r_fir, &w);
    else
        consistent_see(&s, &r, &w);
    mtc_free(ctx, fir ? &r_fir.block : &r.block);
    *hash = w.hash;
    return MTC_OK;
}

typedef struct stopper {
    size_t ticks, last;                 /* so far; the one that stops */
} stopper;

static int stop_at_last(void *user, const char *what, size_t done, size_t total)
{
    stopper *s = (stopper *)user;
    (void)what, (void)done, (void)total;
    return ++s->ticks == s->last;
}

/* Every way to a similarity: by features, by cosines, by distances and direct;
 * alone, and within MTCFIR, which shares its features, too. */
TEST blocks_of_a_similarity_are_shared(thread_pool *pool, int fir)
{
    static const similar_case cases[] = {
        {2, 6, 0, 0, 0, MTC_MTCFIR_FULL}, {2, 200, 0, 0, 0, MTC_MTCFIR_FULL},
        {1, 400, 1, 0, 0, MTC_MTCFIR_NF}, {2, 6, 0, 0, 1, MTC_MTCFIR_NR},
        {2, 400, 0, 0, 0, MTC_MTCFIR_FULL}, {2, 400, 1, 0, 0, MTC_MTCFIR_FULL},
        {2, 6, 0, 1, 0, MTC_MTCFIR_NI}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const similar_case *c = &cases[i];
        uint64_t alone, many;
        ASSERT_EQ(MTC_OK, similar_run(c, NULL, fir, &alone));
        for (size_t lanes = 2; lanes <= 4; lanes++) {
            test_heap heap;
            dealer d;
            mtc_context ctx = test_heap_context(&heap), ask = mtc_measure();
            mtc_context use = lent(&d, pool, lanes);
            lend(&ctx, &use);
            lend(&ask, &use);
            ASSERT_EQ(MTC_OK, similar_run(c, &ctx, fir, &many));
            ASSERT_EQ(alone, many);
            ASSERT(d.calls > 1);
            ASSERT(heap.live == 0 && heap.faults == 0);
            ASSERT_EQ(MTC_NO_MEMORY, similar_run(c, &ask, fir, &many));
            ASSERT_EQ(heap.peak, ask.need);
        }
    }
    PASS();
}

/* The last row of the lists is still a place to stop at. */
TEST a_similarity_can_be_cancelled_to_the_end(void)
{
    static const similar_case features = {2, 6, 0, 0, 0, MTC_MTCFIR_FULL};
    stopper s = {0, 0};
    uint64_t hash;
    mtc_context ctx = mtc_context_defaults();
    ctx.progress = stop_at_last;
    ctx.user = &s;
    ASSERT_EQ(MTC_OK, similar_run(&features, &ctx, 0, &hash));
    s = (stopper){0, s.ticks};
    ASSERT_EQ(MTC_CANCELLED, similar_run(&features, &ctx, 0, &hash));
    ASSERT_STR_EQ("lists", ctx.error.what);
    PASS();
}

/* Many runs, few samples: A2 of a vote needs more room than A3. */
TEST a_vote_of_many_runs_is_the_same(thread_pool *pool)
{
    enum { n = 60, RUNS = 20, K = 8 };
    static int labels[RUNS][n];
    const int *runs[RUNS];
    mtc_vote_options o = mtc_vote_defaults();
    mtc_random r = mtc_random_seed(5);
    mtc_vote_result one, many;
    dealer d;
    mtc_context ctx = lent(&d, pool, 4);
    ctx.seed = mtc_context_defaults().seed;
    o.clusters = K;
    for (size_t i = 0; i < RUNS; i++) {
        for (size_t e = 0; e < n; e++)
            labels[i][e] = (int)mtc_random_below(&r, K);
        runs[i] = labels[i];
    }
    ASSERT_EQ(MTC_OK, mtc_vote(NULL, n, runs, RUNS, &o, &one));
    ASSERT_EQ(MTC_OK, mtc_vote(&ctx, n, runs, RUNS, &o, &many));
    ASSERT_EQ(2, d.calls);  /* for the matrix of A2, and for the starts */
    ASSERT(memcmp(one.labels, many.labels, sizeof labels[0]) == 0);
    mtc_free(NULL, &one.block);
    mtc_free(&ctx, &many.block);
    PASS();
}

/* Products, strips of the reduction and roots, for all pairs and for a few in
 * the middle; the need grows with the lanes, and is told to the byte. */
TEST eigenpairs_are_shared(thread_pool *pool, size_t first, size_t count)
{
    enum { N = 203 };
    static const size_t lanes[] = {1, 2, 3, 7};
    static mtc_real A[N * N], B[N * N], w[2][N], V[2][N * N];
    mtc_random r = mtc_random_seed(11);
    size_t need = 0;
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j <= i; j++)
            A[i * N + j] = mtc_random_normal(&r);
    memcpy(B, A, sizeof A);
    ASSERT_EQ(MTC_OK, mtc_symeig_range(NULL, N, B, N, first, count, w[0], V[0],
                                       count));
    for (size_t l = 0; l < sizeof lanes / sizeof *lanes; l++) {
        test_heap heap;
        dealer d;
        mtc_context ctx = test_heap_context(&heap), ask = mtc_measure();
        mtc_context use = lent(&d, pool, lanes[l]);
        lend(&ctx, &use);
        lend(&ask, &use);
        memcpy(B, A, sizeof A);
        ASSERT_EQ(MTC_OK, mtc_symeig_range(&ctx, N, B, N, first, count, w[1],
                                           V[1], count));
        ASSERT(memcmp(w[0], w[1], count * sizeof **w) == 0);
        ASSERT(memcmp(V[0], V[1], N * count * sizeof **V) == 0);
        ASSERT(lanes[l] == 1 ? d.calls == 0 : d.calls > 10);
        ASSERT_EQ(MTC_NO_MEMORY, mtc_symeig_range(&ask, N, B, N, first, count,
                                                  w[1], V[1], count));
        ASSERT_EQ(heap.peak, ask.need);
        ASSERT(ask.need > need);
        need = ask.need;
        ASSERT(heap.live == 0 && heap.faults == 0);
    }
    PASS();
}

/* Three blocks of rows to label, of either kind, by either kernel. */
TEST decisions_of_an_svm_are_shared(thread_pool *pool, int csr, int rbf)
{
    enum { FEW = 40, ROWS = 300, CLASSES = 3 };
    static int y[FEW], labels[2][ROWS];
    static mtc_real decisions[2][ROWS * CLASSES];
    const similar_case wide = {1, 400, csr, 0, 0, MTC_MTCFIR_FULL};
    mtc_svm_options o = mtc_svm_defaults();
    mtc_svm_result r;
    scene s;
    dealer d;
    mtc_context ctx = lent(&d, pool, 4);
    similar_scene(&wide, &s);
    mtc_data train = s.task[0];
    train.n = FEW;
    for (size_t i = 0; i < FEW; i++)
        y[i] = (int)(i % CLASSES);
    o.classes = CLASSES;
    o.kernel = rbf ? MTC_KERNEL_RBF : MTC_KERNEL_LINEAR;
    ASSERT_EQ(MTC_OK, mtc_svm(NULL, &train, y, &o, &r));
    ASSERT_EQ(MTC_OK, mtc_svm_assign(NULL, &s.task[0], &train, &r, labels[0],
                                     decisions[0]));
    ASSERT_EQ(MTC_OK, mtc_svm_assign(&ctx, &s.task[0], &train, &r, labels[1],
                                     decisions[1]));
    ASSERT_EQ(1, d.calls);
    ASSERT(memcmp(labels[0], labels[1], sizeof labels[0]) == 0);
    ASSERT(memcmp(decisions[0], decisions[1], sizeof decisions[0]) == 0);
    mtc_free(NULL, &r.block);
    PASS();
}

/* Every call of the table that allocates. */
TEST too_many_lanes_are_refused_by_all(void)
{
    for (size_t i = 0; i < METHOD_ROWS; i++) {
        const method_row *e = &method_rows[i];
        test_heap heap;
        mtc_context ctx = test_heap_context(&heap);
        uint64_t hash;
        mtc_status usual = run_lent(e, &ctx, 0, 0, &hash);
        ctx.lanes = 1025;
        if (usual == MTC_OK && (ctx.need > 0 || e->flags & AS_IT_GOES))
            ASSERT_EQm(e->name, MTC_INVALID, run_lent(e, &ctx, 0, 0, &hash));
        ASSERT(heap.live == 0 && heap.faults == 0);
    }
    PASS();
}

/* Every call of the table: the same bits, the need that it tells, to the byte,
 * and a clean end if a piece is cancelled or memory is short.  A row whose flag
 * says OF_LANES does use them. */
TEST no_result_depends_on_lanes(thread_pool *pool, const method_row *e, int csr,
                                size_t lanes)
{
    static double room[5 << 17];
    int single = e->release == result_release &&
                 !(e->flags & (EXTRA | BOUND | AS_IT_GOES));
    for (unsigned v = 0; v < VARIANTS; v++) {
        test_heap heap;
        dealer d;
        uint64_t alone, many;
        mtc_context ctx = test_heap_context(&heap), ask = mtc_measure();
        mtc_context use = lent(&d, pool, lanes);
        mtc_status usual = run_lent(e, &ctx, csr, v, &alone);
        ctx = test_heap_context(&heap);
        lend(&ctx, &use);
        ASSERT_EQ(usual, run_lent(e, &ctx, csr, v, &many));
        ASSERT_EQ(alone, many);
        ASSERT(heap.live == 0 && heap.faults == 0);
        if (e->flags & OF_LANES && v == 0)
            ASSERT(d.calls > 0);
        if (usual != MTC_OK || heap.peak == 0)
            continue;
        if (single) {
            size_t bytes = heap.peak;
            ASSERT_EQ(bytes, ctx.need);
            lend(&ask, &use);
            ASSERT_EQ(MTC_NO_MEMORY, run_lent(e, &ask, csr, v, &many));
            ASSERT_EQ(bytes, ask.need);
            ASSERT(bytes <= sizeof room);
            mtc_arena arena = mtc_arena_over(room, bytes - 1);
            ctx = mtc_arena_context(&arena);
            lend(&ctx, &use);
            ASSERT_EQ(MTC_NO_MEMORY, run_lent(e, &ctx, csr, v, &many));
            ASSERT_EQ(0, arena.used);
        }
        ctx = test_heap_context(&heap);
        lend(&ctx, &use);
        ctx.progress = stop_at_once;
        if (e->flags & OF_TICKS)
            ASSERT_EQ(MTC_CANCELLED, run_lent(e, &ctx, csr, v, &many));
        ASSERT(heap.live == 0 && heap.faults == 0);
    }
    PASS();
}

/* A heap that knows whether pieces are running. */
typedef struct watched {
    test_heap heap;
    int inside;
    size_t pieces, within;      /* that ran; allocations while they did */
} watched;

static void *watched_allocate(void *memory, size_t size)
{
    watched *w = (watched *)memory;
    w->within += w->inside != 0;
    return test_heap_allocate(&w->heap, size);
}

static void watched_release(void *memory, void *block, size_t size)
{
    watched *w = (watched *)memory;
    w->within += w->inside != 0;
    test_heap_release(&w->heap, block, size);
}

static void watched_parallel(void *pool, size_t n,
                             void (*piece)(void *job, size_t i), void *job)
{
    watched *w = (watched *)pool;
    w->inside = 1;
    for (w->pieces += n; n-- > 0;)
        piece(job, n);
    w->inside = 0;
}

/* The caller's allocator may be for one thread: no lane calls it, also not
 * where the library is called from a lane. */
TEST lanes_leave_the_allocator_alone(const method_row *e)
{
    for (unsigned v = 0; v < VARIANTS; v++) {
        watched w = {.inside = 0};
        uint64_t hash;
        mtc_context ctx = test_heap_context(&w.heap);
        ctx.allocate = watched_allocate;
        ctx.release = watched_release;
        ctx.memory = ctx.pool = &w;
        ctx.parallel = watched_parallel;
        ctx.lanes = 3;
        mtc_status s = run_lent(e, &ctx, 0, v, &hash);
        ASSERT(w.pieces > 0 || s != MTC_OK || v > 0 || !(e->flags & OF_LANES));
        ASSERT_EQ(0, w.within);
        ASSERT(w.heap.live == 0 && w.heap.faults == 0);
    }
    PASS();
}

static void every_row(thread_pool *pool)
{
    static const size_t counts[] = {2, 3, 8};
    static char name[64];
    for (size_t r = 0; r < METHOD_ROWS; r++)
        for (int csr = 0; csr < 2; csr++)
            for (size_t c = 0; c < 3; c++) {
                snprintf(name, sizeof name, "%s_%s_%d", method_rows[r].name,
                         csr ? "csr" : "dense", (int)counts[c]);
                greatest_set_test_suffix(name);
                RUN_TESTp(no_result_depends_on_lanes, pool, &method_rows[r],
                          csr, counts[c]);
            }
}

SUITE(lanes_suite)
{
    static thread_pool pool;
    RUN_TEST(lanes_are_used_where_it_is_worth_it);
    RUN_TEST(every_item_is_done_once_with_the_same_bits);
    RUN_TEST(one_thread_may_run_all_pieces);
    RUN_TEST(the_lowest_item_that_fails_is_reported);
    RUN_TEST(a_piece_can_be_cancelled);
#if !defined(_WIN32) && !defined(MTC_NO_THREADS)
    RUN_TEST(two_contexts_may_share_a_pool);
#endif
    RUN_TEST(too_many_lanes_are_refused);
    RUN_TEST(too_many_lanes_are_refused_by_all);
    for (size_t r = 0; r < METHOD_ROWS; r++) {
        greatest_set_test_suffix(method_rows[r].name);
        RUN_TESTp(lanes_leave_the_allocator_alone, &method_rows[r]);
    }
    RUN_TEST(a_similarity_can_be_cancelled_to_the_end);
    pool_open(&pool, MOST);
    RUN_TESTp(restarts_are_shared, &pool, 0);
    RUN_TESTp(restarts_are_shared, &pool, 1);
    RUN_TESTp(neighbors_are_shared, &pool);
    RUN_TESTp(of_equal_restarts_the_first_is_kept, &pool);
    RUN_TESTp(a_vote_of_many_runs_is_the_same, &pool);
    for (int kind = 0; kind < 4; kind++)
        RUN_TESTp(decisions_of_an_svm_are_shared, &pool, kind % 2, kind / 2);
    RUN_TESTp(eigenpairs_are_shared, &pool, 0, 203);
    RUN_TESTp(eigenpairs_are_shared, &pool, 120, 2);
    RUN_TESTp(blocks_of_a_similarity_are_shared, &pool, 0);
    RUN_TESTp(blocks_of_a_similarity_are_shared, &pool, 1);
    every_row(&pool);
    pool_close(&pool);
}
