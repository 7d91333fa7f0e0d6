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
#include "app.h"

#include <stdio.h>
#include <string.h>

#ifdef APP_THREADS
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>
#endif

typedef struct crew crew;

/* What a piece of work has to say. */
typedef struct note {
    size_t number;
    remarks said;
    struct note *next;
} note;

/* One piece of work under way. */
typedef struct errand {
    crew *crew;
    size_t number;
    int at_work;
    lane_pool *lanes;               /* where there are fewer pieces than
                                       processors */
    app own;
    jmp_buf back;                   /* the way out of a failure */
    int status;                     /* as the program's; INTERRUPTED also where
                                       it was given up for another's sake */
    char reason[1024];              /* of the failure */
    double share;                   /* of it that is done */
    const char *stage;
    char working_on[80];
} errand;

struct crew {
    app *a, blank;                  /* for whom it works; what each begins as */
    piece *work;
    void *of;
    size_t n, next, over;           /* pieces: all, not begun, at an end */
    size_t failed;                  /* the first that did, or n */
    int status;
    char reason[1024];              /* why */
    note *notes;
    errand *errands;                /* [jobs] */
    size_t jobs, threads;           /* threads 0: the caller does it */
    int stopped;
#ifdef APP_THREADS
    pthread_t *thread;              /* [jobs] */
    size_t begun;
    pthread_mutex_t lock;
    pthread_cond_t news;
#endif
};

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
    double done = (double)c->over;
    const errand *first = NULL;
    for (size_t i = 0; i < c->jobs; i++) {
        const errand *e = &c->errands[i];
        if (!e->at_work || e->stage == NULL)
            continue;
        done += e->share;
        if (first == NULL || e->number < first->number)
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

/* Out of the piece, from any depth. */
void errand_end(errand *e, int status, const char *reason)
{
    e->status = status;
    copy_word(e->reason, sizeof e->reason, reason, "");
    longjmp(e->back, 1);
}

/* ---- the work ---- */

/* The next piece to do is e's, with nothing in its hands; 0: there is none. */
static int begin_errand(crew *c, errand *e)
{
    app *own = &e->own;
    lock(c);
    if (c->threads == 0)
        c->stopped = must_stop(c->a);
    e->at_work = !c->stopped && c->next < c->n && c->next < c->failed;
    e->number = c->next;
    c->next += (size_t)e->at_work;
    e->status = 0;
    e->share = 0;
    e->stage = NULL;
    unlock(c);
    *own = c->blank;
    own->pool.previous = own->pool.next = &own->pool;
    own->errand = e;
    own->lanes = e->lanes;
    return e->at_work;
}

/* What it holds is now the caller's. */
static void end_errand(crew *c, errand *e)
{
    note *said = NULL;
    if (e->own.said.n > 0) {
        said = TAKE(&e->own, 1, note);
        said->number = e->number;
        said->said = e->own.said;
    }
    lock(c);
    e->at_work = 0;
    c->over++;
    pool_join(c->a, &e->own);
    if (said != NULL) {
        said->next = c->notes;
        c->notes = said;
    }
    if (e->status != 0 && e->status != INTERRUPTED && e->number < c->failed) {
        c->failed = e->number;
        c->status = e->status;
        strcpy(c->reason, e->reason);
    }
    unlock(c);
}

static void do_errands(errand *e)
{
    crew *c = e->crew;
    while (begin_errand(c, e)) {
        if (setjmp(e->back) == 0)
            c->work(&e->own, c->of, e->number);
        end_errand(c, e);
    }
}

#ifdef APP_THREADS
static void *thread_main(void *of)
{
    errand *e = (errand *)of;
    crew *c = e->crew;
    do_errands(e);
    lock(c);
    c->threads--;
    pthread_cond_signal(&c->news);
    unlock(c);
    return NULL;
}

/* Begins up to `jobs` threads, which leave Ctrl-C to this one.  Their stacks
 * are as large as this one's: what runs here runs there. */
static void begin_threads(crew *c)
{
    sigset_t interrupt, before;
    pthread_attr_t how;
    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    if (pthread_attr_init(&how) != 0)
        return;
    pthread_attr_setstacksize(&how, STACK_BYTES);
    pthread_sigmask(SIG_BLOCK, &interrupt, &before);
    lock(c);                        /* none begins before all are there */
    while (c->begun < c->jobs &&
           pthread_create(&c->thread[c->begun], &how, thread_main,
                          &c->errands[c->begun]) == 0)
        c->begun++;
    c->threads = c->begun;
    unlock(c);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&how);
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
    for (size_t i = 0; i < c->begun; i++)
        pthread_join(c->thread[i], NULL);
}

/* Does all by threads, or by itself where there are none to be had. */
static void do_all(crew *c)
{
    c->thread = TAKE(c->a, c->jobs, pthread_t);
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->news, NULL);
    if (c->jobs > 1)
        begin_threads(c);
    if (c->begun > 0)
        wait_for(c);
    else
        do_errands(&c->errands[0]);
    pthread_cond_destroy(&c->news);
    pthread_mutex_destroy(&c->lock);
    pool_release(c->thread);
}
#else
static void do_all(crew *c)
{
    do_errands(&c->errands[0]);
}
#endif

/* The note of lowest number from `least` on, or NULL. */
static const note *first_note(const crew *c, size_t least)
{
    const note *first = NULL;
    for (const note *n = c->notes; n != NULL; n = n->next)
        if (n->number >= least && (first == NULL || n->number < first->number))
            first = n;
    return first;
}

/* What the pieces said is said in their order, and the first failure is the
 * program's. */
static void conclude(crew *c)
{
    app *a = c->a;
    if (c->stopped)
        stop(a);
    for (const note *n = first_note(c, 0); n != NULL && a->trial == NULL;
         n = first_note(c, n->number + 1))
        if (n->number <= c->failed)
            say_again(a, &n->said);
    if (c->failed < c->n)
        fail(a, c->status, "%-s", c->reason);
}

/* Does the pieces 0, 1, ..., n-1 of some work, up to `jobs` at once; 0: as many
 * as there are processors.  What a piece leaves in its memory stays. */
void run_pieces(app *a, size_t jobs, size_t n, piece *work, void *of)
{
    crew *c = TAKE(a, 1, crew);
    jobs = jobs == 0 ? processors() : jobs;
    c->jobs = jobs < n ? jobs : n > 0 ? n : 1;
    c->errands = TAKE(a, c->jobs, errand);
    for (size_t i = 0; i < c->jobs; i++) {
        c->errands[i].crew = c;
        c->errands[i].lanes = open_lanes(a, jobs / c->jobs);
    }
    c->a = a;
    c->work = work;
    c->of = of;
    c->n = c->failed = n;
    c->blank = *a;
    c->blank.trial = NULL;
    memset(&c->blank.said, 0, sizeof c->blank.said);
    c->blank.working_on[0] = '\0';
    c->blank.n_outputs = c->blank.room_outputs = 0;
    c->blank.outputs = NULL;
    progress_outer(&c->blank, 0, 1);
    do_all(c);
    for (size_t i = 0; i < c->jobs; i++)
        close_lanes(c->errands[i].lanes);
    conclude(c);
    pool_release(c->errands);
    pool_release(c);
}
