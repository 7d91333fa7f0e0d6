/* SPDX-License-Identifier: MIT
 *
 * threads.c - all processors for one call: a pool of POSIX threads in a page.
 *
 * The library has no threads of its own; a context lends it some.  No result
 * depends on them.  The pool below waits on a condition, takes the pieces of a
 * call one by one, and sends the caller on when all are done.  The caller works
 * too, so a pool of n lanes has n - 1 threads.  Two contexts may share a pool:
 * they take turns.
 *
 * With OpenMP, all of the pool is
 *
 *     void parallel(void *pool, size_t n, void (*piece)(void *, size_t),
 *                   void *job)
 *     {
 *         #pragma omp parallel for schedule(static, 1)
 *         for (size_t i = 0; i < n; i++)
 *             piece(job, i);
 *     }
 *
 * On an RTOS with a worker task on each further core, which waits on a queue:
 * send {piece, job, i} for i = 1..n-1 to the workers, call piece(job, 0), then
 * take a counting semaphore n - 1 times, which each worker gives when its piece
 * has returned.  The workers' stacks need some 2 KB; the rest is in the block
 * that the call takes.
 */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include <pthread.h>
#include <stdio.h>

#include "../mtc.h"

enum { POOL_MOST = 64 };

typedef struct thread_pool {
    pthread_mutex_t turn;                   /* of the contexts that share it */
    pthread_mutex_t lock;                   /* of all that follows */
    pthread_cond_t work, done;
    pthread_t thread[POOL_MOST];
    size_t threads;
    void (*piece)(void *job, size_t i);
    void *job;
    size_t n, next, running;                /* pieces: all, taken, not done */
    int stop;
} thread_pool;

/* Takes pieces until none is left.  Called and left with the lock held. */
static void pool_take(thread_pool *p)
{
    while (p->next < p->n) {
        size_t i = p->next++;
        pthread_mutex_unlock(&p->lock);
        p->piece(p->job, i);
        pthread_mutex_lock(&p->lock);
        if (--p->running == 0)
            pthread_cond_signal(&p->done);
    }
}

static void *pool_thread(void *pool)
{
    thread_pool *p = (thread_pool *)pool;
    pthread_mutex_lock(&p->lock);
    while (!p->stop) {
        pool_take(p);
        if (!p->stop)
            pthread_cond_wait(&p->work, &p->lock);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

/* The `parallel` of a context. */
static void pool_parallel(void *pool, size_t n,
                          void (*piece)(void *job, size_t i), void *job)
{
    thread_pool *p = (thread_pool *)pool;
    pthread_mutex_lock(&p->turn);
    pthread_mutex_lock(&p->lock);
    p->piece = piece;
    p->job = job;
    p->n = p->running = n;
    p->next = 0;
    pthread_cond_broadcast(&p->work);
    pool_take(p);
    while (p->running > 0)
        pthread_cond_wait(&p->done, &p->lock);
    p->n = 0;
    pthread_mutex_unlock(&p->lock);
    pthread_mutex_unlock(&p->turn);
}

/* Starts up to lanes - 1 threads; fewer are slower and nothing else. */
static void pool_open(thread_pool *p, size_t lanes)
{
    *p = (thread_pool){.threads = 0};
    pthread_mutex_init(&p->turn, NULL);
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->work, NULL);
    pthread_cond_init(&p->done, NULL);
    while (p->threads + 1 < lanes && p->threads < POOL_MOST &&
           pthread_create(&p->thread[p->threads], NULL, pool_thread, p) == 0)
        p->threads++;
}

static void pool_close(thread_pool *p)
{
    pthread_mutex_lock(&p->lock);
    p->stop = 1;
    pthread_cond_broadcast(&p->work);
    pthread_mutex_unlock(&p->lock);
    for (size_t t = 0; t < p->threads; t++)
        pthread_join(p->thread[t], NULL);
    pthread_cond_destroy(&p->done);
    pthread_cond_destroy(&p->work);
    pthread_mutex_destroy(&p->lock);
    pthread_mutex_destroy(&p->turn);
}

enum { SAMPLES = 3000, FEATURES = 16, GROUPS = 5, LANES = 4 };

/* Groups side by side. */
static void make_samples(mtc_real *x)
{
    mtc_random r = mtc_random_seed(7);
    for (size_t i = 0; i < SAMPLES; i++)
        for (size_t j = 0; j < FEATURES; j++)
            *x++ = mtc_random_normal(&r) + (mtc_real)(i % GROUPS * (j % 3));
}

int main(void)
{
    static mtc_real x[SAMPLES * FEATURES];
    static thread_pool pool;
    mtc_data X = mtc_dense(SAMPLES, FEATURES, x);
    mtc_kmeans_options opt = mtc_kmeans_defaults();
    mtc_kmeans_result one, all;
    mtc_context ctx = mtc_context_defaults();
    opt.clusters = GROUPS;
    make_samples(x);
    mtc_status s = mtc_kmeans(&ctx, &X, &opt, &one);

    pool_open(&pool, LANES);
    ctx.parallel = pool_parallel;
    ctx.pool = &pool;
    ctx.lanes = LANES;
    if (s == MTC_OK)
        s = mtc_kmeans(&ctx, &X, &opt, &all);
    pool_close(&pool);
    if (s != MTC_OK) {
        printf("%s\n", mtc_status_text(s));
        return 1;
    }
    size_t differ = 0;
    for (size_t i = 0; i < SAMPLES; i++)
        differ += one.labels[i] != all.labels[i];
    printf("labels that differ with %d lanes: %lu\n", LANES,
           (unsigned long)differ);
    mtc_free(&ctx, &all.block);
    mtc_free(&ctx, &one.block);
    return differ > 0;
}

/* Prints:
 * labels that differ with 4 lanes: 0
 */
