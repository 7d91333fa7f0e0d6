/* SPDX-License-Identifier: MIT
 *
 * lanes.c - threads: for a single call of the library, and for pieces of work
 *
 * A pool as in examples/threads.c.  Its threads begin with the first work that
 * is shared, and end when the pool is closed.  No result depends on them.
 * Threads are POSIX's; without them there is no pool.
 */
#define _DARWIN_C_SOURCE                    /* macOS: for the processors */
#include "app.h"

#include <string.h>

#ifdef APP_THREADS                          /* else app.h has all of it */
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

struct lane_pool {
    pthread_mutex_t lock;                   /* of all that follows */
    pthread_mutex_t show;                   /* of what its threads share */
    pthread_cond_t work, done;
    pthread_t *thread;                      /* [lanes - 1] */
    size_t threads, lanes;
    void (*work_of)(void *job, size_t i);
    void *job;
    size_t n, next, running;                /* pieces: all, taken, not done */
    int begun, stop;
};

/* Takes pieces until none is left.  Called and left with the lock held. */
static void take_pieces(lane_pool *p)
{
    while (p->next < p->n) {
        size_t i = p->next++;
        pthread_mutex_unlock(&p->lock);
        p->work_of(p->job, i);
        pthread_mutex_lock(&p->lock);
        p->running--;
        if (p->running == 0)
            pthread_cond_signal(&p->done);
    }
}

static void *lane_main(void *pool)
{
    lane_pool *p = (lane_pool *)pool;
    pthread_mutex_lock(&p->lock);
    while (!p->stop) {
        take_pieces(p);
        if (!p->stop)
            pthread_cond_wait(&p->work, &p->lock);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

/* Up to lanes - 1 threads, which leave Ctrl-C to the first one; fewer are
 * slower and nothing else.  Their stacks are as large as the first one's: what
 * runs here runs there.  Returns how many there are. */
size_t begin_lanes(lane_pool *p)
{
    sigset_t interrupt, before;
    pthread_attr_t how;
    if (p == NULL || p->begun)
        return p == NULL ? 0 : p->threads;
    p->begun = 1;
    if (pthread_attr_init(&how) != 0)
        return 0;
    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    pthread_attr_setstacksize(&how, STACK_BYTES);
    pthread_sigmask(SIG_BLOCK, &interrupt, &before);
    while (p->threads + 1 < p->lanes &&
           pthread_create(&p->thread[p->threads], &how, lane_main, p) == 0)
        p->threads++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&how);
    return p->threads;
}

/* Waits until no piece is under way.  `watch` is called now and then: a signal
 * does not end the wait, so it is short. */
static void wait_for_lanes(lane_pool *p, void (*watch)(void *job))
{
    while (p->running > 0 && watch == NULL)
        pthread_cond_wait(&p->done, &p->lock);
    while (p->running > 0) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 50000000;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&p->done, &p->lock, &until);
        pthread_mutex_unlock(&p->lock);
        watch(p->job);
        pthread_mutex_lock(&p->lock);
    }
}

/* Does the pieces 0 ... n-1 of a job.  `watch` NULL: this thread works, too;
 * else it only watches. */
void share_work(lane_pool *p, size_t n, void (*work)(void *job, size_t i),
                void *job, void (*watch)(void *job))
{
    pthread_mutex_lock(&p->lock);
    begin_lanes(p);
    p->work_of = work;
    p->job = job;
    p->n = p->running = n;
    p->next = 0;
    pthread_cond_broadcast(&p->work);
    if (watch == NULL)
        take_pieces(p);
    wait_for_lanes(p, watch);
    p->n = 0;
    pthread_mutex_unlock(&p->lock);
}

/* The `parallel` of a context. */
static void share_out(void *pool, size_t n, void (*work)(void *job, size_t i),
                      void *job)
{
    share_work((lane_pool *)pool, n, work, job, NULL);
}

/* How many jobs there are by default. */
size_t processors(void)
{
#ifdef _SC_NPROCESSORS_ONLN
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > MOST_JOBS ? MOST_JOBS : n > 1 ? (size_t)n : 1;
#else
    return 1;
#endif
}

/* A pool of that many lanes; NULL: there is only one. */
lane_pool *open_lanes(app *a, size_t lanes)
{
    if (lanes < 2)
        return NULL;
    lane_pool *p = TAKE(a, 1, lane_pool);
    p->lanes = lanes;
    p->thread = TAKE(a, lanes - 1, pthread_t);
    pthread_mutex_init(&p->lock, NULL);
    pthread_mutex_init(&p->show, NULL);
    pthread_cond_init(&p->work, NULL);
    pthread_cond_init(&p->done, NULL);
    return p;
}

/* The program has that many from now on; 0: as many as processors. */
void settle_lanes(app *a, size_t lanes)
{
    lanes = lanes > 0 ? lanes : processors();
    if (a->errand != NULL || (a->lanes != NULL && a->lanes->lanes == lanes))
        return;
    close_lanes(a->lanes);
    a->lanes = open_lanes(a, lanes);
}

void close_lanes(lane_pool *p)
{
    if (p == NULL)
        return;
    pthread_mutex_lock(&p->lock);
    p->stop = 1;
    pthread_cond_broadcast(&p->work);
    pthread_mutex_unlock(&p->lock);
    for (size_t t = 0; t < p->threads; t++)
        pthread_join(p->thread[t], NULL);
    pthread_cond_destroy(&p->done);
    pthread_cond_destroy(&p->work);
    pthread_mutex_destroy(&p->show);
    pthread_mutex_destroy(&p->lock);
    pool_release(p->thread);
    pool_release(p);
}

void lend_lanes(mtc_context *ctx, lane_pool *p)
{
    if (p == NULL)
        return;
    ctx->parallel = share_out;
    ctx->pool = p;
    ctx->lanes = p->lanes;
}

/* One thread at a time is between these two: where progress is shown, and where
 * pieces of work begin and end. */
void enter_progress(lane_pool *p)
{
    if (p != NULL)
        pthread_mutex_lock(&p->show);
}

void leave_progress(lane_pool *p)
{
    if (p != NULL)
        pthread_mutex_unlock(&p->show);
}

#endif
