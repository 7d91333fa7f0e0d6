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
 * the progress of all and looks out for Ctrl-C; where there are no threads
 * (see lanes.c) it does one piece after the other.
 */
#include "app.h"

#include <string.h>

typedef struct crew crew;

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
    remarks *said;                  /* [n] by the pieces */
    errand *errands;                /* [jobs] */
    size_t jobs;
    lane_pool *pool;                /* its threads; NULL: none */
    int alone, stopped;             /* alone: the caller does it */
};

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
    enter_progress(c->pool);
    if (c->alone)
        c->stopped = must_stop(c->a);
    int stopped = c->stopped || e->number > c->failed;
    leave_progress(c->pool);
    return stopped;
}

void errand_progress(errand *e, double share, const char *stage)
{
    crew *c = e->crew;
    enter_progress(c->pool);
    e->share = share;
    e->stage = stage;
    strcpy(e->working_on, e->own.working_on);
    if (c->alone)
        show_crew(c);
    leave_progress(c->pool);
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
    enter_progress(c->pool);
    if (c->alone)
        c->stopped = must_stop(c->a);
    e->at_work = !c->stopped && c->next < c->n && c->next < c->failed;
    e->number = c->next;
    c->next += (size_t)e->at_work;
    e->status = 0;
    e->share = 0;
    e->stage = NULL;
    leave_progress(c->pool);
    *own = c->blank;
    own->pool.previous = own->pool.next = &own->pool;
    own->errand = e;
    own->lanes = e->lanes;
    return e->at_work;
}

/* What it holds is now the caller's. */
static void end_errand(crew *c, errand *e)
{
    enter_progress(c->pool);
    e->at_work = 0;
    c->over++;
    pool_join(c->a, &e->own);
    c->said[e->number] = e->own.said;
    if (e->status != 0 && e->status != INTERRUPTED && e->number < c->failed) {
        c->failed = e->number;
        c->status = e->status;
        strcpy(c->reason, e->reason);
    }
    leave_progress(c->pool);
}

/* Errand i takes pieces until none is left. */
static void do_errands(void *crew_of, size_t i)
{
    crew *c = (crew *)crew_of;
    errand *e = &c->errands[i];
    while (begin_errand(c, e)) {
        if (setjmp(e->back) == 0)
            c->work(&e->own, c->of, e->number);
        end_errand(c, e);
    }
}

/* What the first thread does meanwhile. */
static void watch_crew(void *crew_of)
{
    crew *c = (crew *)crew_of;
    enter_progress(c->pool);
    c->stopped |= must_stop(c->a);
    show_crew(c);
    leave_progress(c->pool);
}

/* Does all by threads, or by itself where there are none to be had. */
static void do_all(crew *c)
{
    c->pool = c->jobs > 1 ? open_lanes(c->a, c->jobs + 1) : NULL;
    c->alone = begin_lanes(c->pool) == 0;
    if (c->alone)
        do_errands(c, 0);
    else
        share_work(c->pool, c->jobs, do_errands, c, watch_crew);
    close_lanes(c->pool);
}

/* What the pieces said is said in their order, and the first failure is the
 * program's. */
static void conclude(crew *c)
{
    app *a = c->a;
    if (c->stopped)
        stop(a);
    for (size_t i = 0; i < c->n && i <= c->failed && a->trial == NULL; i++)
        say_again(a, &c->said[i]);
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
    c->said = TAKE(a, n, remarks);
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
    pool_release(c->said);
    pool_release(c);
}
