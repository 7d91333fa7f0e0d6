/* SPDX-License-Identifier: MIT
 *
 * lanes.h - processors that no other run uses, for the calls of a run
 *
 *     double *figure = ex_runs_lent(n, width, run, of);   in place of ex_runs
 *     mtc_context ctx = ex_context();                     within a run
 *
 * Runs share the processors first (experiment.h); if there are fewer runs than
 * processors, each lends its calls the same number of lanes.  No figure depends
 * on them.  A piece gets a thread of its own, which is begun and joined: the
 * library shares out only work that takes much longer than that.
 */
#ifndef LANES_H
#define LANES_H

#include "experiment.h"

enum { EX_MOST_LANES = 64 };

static inline size_t *ex_lane_count(void)
{
    static size_t lanes = 1;
    return &lanes;
}

#ifdef EX_THREADS
typedef struct ex_piece {
    void (*piece)(void *job, size_t i);
    void *job;
    size_t i;
} ex_piece;

static inline void *ex_piece_main(void *of)
{
    ex_piece *p = (ex_piece *)of;
    p->piece(p->job, p->i);
    return NULL;
}

/* The `parallel` of a context.  What gets no thread is done here. */
static inline void ex_parallel(void *pool, size_t n,
                               void (*piece)(void *job, size_t i), void *job)
{
    pthread_t thread[EX_MOST_LANES];
    ex_piece of[EX_MOST_LANES];
    size_t begun = 1;
    (void)pool;
    for (; begun < n && begun < EX_MOST_LANES; begun++) {
        of[begun] = (ex_piece){piece, job, begun};
        if (pthread_create(&thread[begun], NULL, ex_piece_main, &of[begun]))
            break;
    }
    piece(job, 0);
    for (size_t i = begun; i < n; i++)
        piece(job, i);
    for (size_t i = 1; i < begun; i++)
        pthread_join(thread[i], NULL);
}
#endif

static inline mtc_context ex_context(void)
{
    mtc_context ctx = mtc_context_defaults();
#ifdef EX_THREADS
    if (*ex_lane_count() > 1) {
        ctx.parallel = ex_parallel;
        ctx.lanes = *ex_lane_count();
    }
#endif
    return ctx;
}

static inline double *ex_runs_lent(size_t n, size_t width, ex_run *run,
                                   const void *of)
{
    size_t jobs = *ex_job_count(), lanes = n < jobs ? jobs / n : 1;
    *ex_lane_count() = lanes < EX_MOST_LANES ? lanes : EX_MOST_LANES;
    return ex_runs(n, width, run, of);
}

#endif /* LANES_H */
