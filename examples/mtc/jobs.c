/* SPDX-License-Identifier: MIT
 *
 * jobs.c - pieces of work that do not depend on each other, several at once
 *
 * Every piece has an app of its own, with its own memory, messages and way
 * out, so that nothing but what the pieces were given is shared, and that they
 * only read.  What a piece says is printed when all are done, in the order of
 * the pieces; where one fails, those before it are finished, those behind it
 * are given up, and its message ends the program.  So nobody can tell from
 * what comes out how many worked at once.  The first thread only waits, shows
 * the progress of all and looks out for Ctrl-C.
 * Threads are POSIX's.  Without them, or with -DMTC_NO_THREADS, one piece
 * follows the other.
 */
#define _DARWIN_C_SOURCE                    /* macOS: for the processors */
#include "app.h"

#include <stdio.h>
#include <string.h>

#if defined(APP_POSIX) && !defined(MTC_NO_THREADS) && !defined(__wasm__)
#define APP_THREADS
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>
#endif

enum { MOST_JOBS = 1024, STACK_BYTES = 8 << 20 };

typedef struct crew crew;

/* One piece of work, and what became of it. */
typedef struct errand {
    crew *crew;
    size_t number;
    app own;
    jmp_buf back;                   /* the way out of a failure */
    int status;                     /* as the program's; INTERRUPTED also where
                                       it was given up for another's sake */
    char reason[1024];              /* of the failure */
    text said;                      /* warnings */
    int begun, over;
    double share;                   /* of it that is done */
    const char *stage;
    char working_on[80];
} errand;

struct crew {
    app *a;                         /* for whom it works */
    piece *work;
    void *of;
    errand *errands;                /* [n] */
    size_t n, next, failed;         /* failed: the first that did, or n */
    size_t threads;                 /* at work; 0: the caller does it */
    int stopped;
#ifdef APP_THREADS
    pthread_mutex_t lock;
    pthread_cond_t news;
#endif
};

/* How many jobs there are by default. */
static size_t processors(void)
{
#if defined(APP_THREADS) && defined(_SC_NPROCESSORS_ONLN)
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > MOST_JOBS ? MOST_JOBS : n > 1 ? (size_t)n : 1;
#else
    return 1;
#endif
}

static void lock(crew *c)
{
#ifdef APP_THREADS
    pthread_mutex_lock(&c->lock);
#else
    (void)c;
#endif
}

static void unlock(crew *c)
{
#ifdef APP_THREADS
    pthread_mutex_unlock(&c->lock);
#else
    (void)c;
#endif
}

/* ---- what app.c asks of a piece ---- */

/* Shows how much of all pieces is done, and what the first of those under way
 * does; within the lock. */
static void show_crew(crew *c)
{
    double done = 0;
    const errand *first = NULL;
    for (size_t i = 0; i < c->n; i++) {
        const errand *e = &c->errands[i];
        done += e->over ? 1 : e->share;
        if (first == NULL && e->begun && !e->over && e->stage != NULL)
            first = e;
    }
    if (first != NULL)
        show_share(c->a, done / (double)c->n, first->working_on, first->stage);
}

/* 1: the piece shall end, since Ctrl-C was pressed or one before it failed. */
int errand_stopped(errand *e)
{
    crew *c = e->crew;
    lock(c);
    if (c->threads == 0)
        c->stopped = must_stop(c->a);
    int stopped = c->stopped || e->number > c->failed;
    unlock(c);
    return stopped;
}

void errand_progress(errand *e, double share, const char *stage)
{
    crew *c = e->crew;
    lock(c);
    e->share = share;
    e->stage = stage;
    strcpy(e->working_on, e->own.working_on);
    if (c->threads == 0)
        show_crew(c);
    unlock(c);
}

void errand_say(errand *e, const char *kind, const char *format, va_list args)
{
    char line[1024];
    vsnprintf(line, sizeof line, format, args);
    put(&e->own, &e->said, "mtc: %s: %s\n", kind, line);
}

void errand_reason(errand *e, const char *format, va_list args)
{
    vsnprintf(e->reason, sizeof e->reason, format, args);
}

/* Out of the piece, from any depth. */
void errand_end(errand *e, int status)
{
    e->status = status;
    longjmp(e->back, 1);
}

/* ---- the work ---- */

/* An app like that of the caller, but with nothing in its hands. */
static void new_errand(crew *c, size_t i)
{
    errand *e = &c->errands[i];
    app *own = &e->own;
    e->crew = c;
    e->number = i;
    *own = *c->a;
    own->pool.previous = own->pool.next = &own->pool;
    own->errand = e;
    own->trial = NULL;
    own->working_on[0] = '\0';
    own->n_outputs = own->room_outputs = 0;
    own->outputs = NULL;
    progress_outer(own, 0, 1);
}

/* The next piece to do, or NULL. */
static errand *next_errand(crew *c)
{
    errand *e = NULL;
    lock(c);
    if (c->threads == 0)
        c->stopped = must_stop(c->a);
    if (!c->stopped && c->next < c->n && c->next < c->failed) {
        e = &c->errands[c->next++];
        e->begun = 1;
    }
    unlock(c);
    return e;
}

static void do_errand(crew *c, errand *e)
{
    if (setjmp(e->back) == 0)
        c->work(&e->own, c->of, e->number);
    lock(c);
    e->over = 1;
    if (e->status != 0 && e->status != INTERRUPTED && e->number < c->failed)
        c->failed = e->number;
    unlock(c);
}

static void do_errands(crew *c)
{
    for (errand *e; (e = next_errand(c)) != NULL;)
        do_errand(c, e);
}

#ifdef APP_THREADS
static void *thread_main(void *of)
{
    crew *c = (crew *)of;
    do_errands(c);
    lock(c);
    c->threads--;
    pthread_cond_signal(&c->news);
    unlock(c);
    return NULL;
}

/* Begins up to `jobs` threads, which leave Ctrl-C to this one.  Their stacks
 * are as large as this one's: what runs here runs there. */
static size_t begin_threads(crew *c, size_t jobs, pthread_t *thread)
{
    size_t n = 0;
    sigset_t interrupt, before;
    pthread_attr_t how;
    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    if (pthread_attr_init(&how) != 0)
        return 0;
    pthread_attr_setstacksize(&how, STACK_BYTES);
    pthread_sigmask(SIG_BLOCK, &interrupt, &before);
    lock(c);                        /* none is over before all have begun */
    while (n < jobs && pthread_create(&thread[n], &how, thread_main, c) == 0)
        n++;
    c->threads = n;
    unlock(c);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&how);
    return n;
}

/* Until no thread works any more: a signal does not end the wait, so it is
 * short. */
static void wait_for(crew *c)
{
    lock(c);
    while (c->threads > 0) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 50000000;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&c->news, &c->lock, &until);
        c->stopped |= must_stop(c->a);
        show_crew(c);
    }
    unlock(c);
}

/* 1: threads did the work, or what of it was to be done. */
static int share_out(crew *c, size_t jobs)
{
    pthread_t *thread = TAKE(c->a, jobs, pthread_t);
    size_t n = jobs > 1 ? begin_threads(c, jobs, thread) : 0;
    if (n > 0)
        wait_for(c);
    for (size_t i = 0; i < n; i++)
        pthread_join(thread[i], NULL);
    pool_release(thread);
    return n > 0;
}
#endif

/* What the pieces hold is the caller's, what they said is said, and the first
 * failure is the program's. */
static void gather(crew *c)
{
    app *a = c->a;
    for (size_t i = 0; i < c->n; i++)
        pool_join(a, &c->errands[i].own);
    if (c->stopped)
        stop(a);
    for (size_t i = 0; i < c->n && i <= c->failed; i++) {
        const errand *e = &c->errands[i];
        if (e->said.length > 0 && a->trial == NULL)
            say_lines(a, e->said.at);
        if (i == c->failed)
            fail(a, e->status, "%s", e->reason);
    }
}

/* Does the pieces 0, 1, ..., n-1 of some work, up to `jobs` at once; 0: as many
 * as there are processors.  What a piece leaves in its memory stays. */
void run_pieces(app *a, size_t jobs, size_t n, piece *work, void *of)
{
    crew *c = TAKE(a, 1, crew);
    c->a = a;
    c->work = work;
    c->of = of;
    c->errands = TAKE(a, n, errand);
    c->n = c->failed = n;
    for (size_t i = 0; i < n; i++)
        new_errand(c, i);
    jobs = jobs == 0 ? processors() : jobs;
    jobs = jobs < n ? jobs : n;
#ifdef APP_THREADS
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->news, NULL);
    if (!share_out(c, jobs))
#endif
        do_errands(c);
#ifdef APP_THREADS
    pthread_cond_destroy(&c->news);
    pthread_mutex_destroy(&c->lock);
#endif
    gather(c);
    pool_release(c->errands);
    pool_release(c);
}
