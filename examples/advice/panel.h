/* SPDX-License-Identifier: MIT
 *
 * panel.h - panels and ballots, for guard and auto.  Private to
 * examples/advice.
 *
 * Guard and auto run several methods on all tasks, and let the runs vote in
 * each.  A panel has T tasks and m runs.  Run i labels v_t rows of task t: all
 * n_t, or `sample`; the others take no part.  Runs are numbered through: in
 * guard those of A, of A's folds, of B, of B's folds; in auto family after
 * family.  A ballot has the runs that vote in one task.
 */
#ifndef ADV_PANEL_H
#define ADV_PANEL_H

#include "desk.h"

/* ---- a panel: tasks, and runs of methods that label their rows ----------- */

/* A method that shares, and how it runs.  Calls get a copy, and change it. */
typedef struct adv_method {
    int is_mbc;
    mtc_mbc_options mbc;
    mtc_lssmtc_options lss;
} adv_method;

typedef struct adv_panel {
    const mtc_data *tasks;      /* [T] the caller's */
    size_t T, d;
    size_t clusters;            /* k of all tasks, */
    const size_t *clusters_of;  /* or [T] k of each; may be NULL */
    size_t sample;              /* rows of a task that take part, at most */
    size_t most;                /* the largest k */
    int even;                   /* 1: all k are equal, as LSSMTC needs */
    adv_method method;
    size_t m;                   /* runs in all */
    int **runs;                 /* [T] of [m*v_t] their labels */
    mtc_real **centers;         /* [T] of [k_t*d] means, the result's */
} adv_panel;

/* k_t is the task's own, or the same for all. */
static inline size_t adv_clusters(const adv_panel *p, size_t t)
{
    return p->clusters_of == NULL ? p->clusters : p->clusters_of[t];
}

/* v_t: rows of task t that take part. */
static inline size_t adv_panel_rows(const adv_panel *p, size_t t)
{
    return ADV_MIN(p->tasks[t].n, p->sample);
}

/* Labels of run i in task t. */
static inline int *adv_panel_run(const adv_panel *p, size_t t, size_t i)
{
    return p->runs[t] + i * adv_panel_rows(p, t);
}

/* A stream: what for, which run, which task.  Calls without chance have 0. */
static inline uint64_t adv_panel_stream(size_t kind, size_t run, size_t t)
{
    return (uint64_t)kind << 56 ^ (uint64_t)run << 32 ^ (uint64_t)t;
}

/* Checks tasks and clusters, finds d, most and even, and sets the options
 * of both methods: the caller's or, if NULL, those that mtc_advice.h names.
 * Clusters and starts are the panel's. */
mtc_status adv_panel_begin(adv_panel *p, mtc_context *ctx,
    const mtc_mbc_options *mbc, const mtc_lssmtc_options *lss);
/* Multiply-adds of a run on all tasks, of about ten passes. */
size_t adv_panel_work(const adv_panel *p);
/* For each task, labels of its rows and centers: parts of a result. */
int **adv_panel_carve_labels(adv_carver *c, const adv_panel *p);
mtc_real **adv_panel_carve_centers(adv_carver *c, const adv_panel *p);
/* Takes, for each task, `times` labelings of its rows, or of `rows` at most. */
int **adv_panel_labels(adv_desk *desk, const adv_panel *p, size_t times,
    size_t rows);

/* A call of a method, and the run of the panel that it writes. */
typedef struct adv_panel_call {
    const adv_panel *p;
    adv_desk *desk;
    size_t t, T;        /* the first task (0 for a method), and how many */
    const mtc_data *X;  /* [T] views of them */
    size_t run;         /* that it writes */
    uint64_t stream;    /* of task 0; that of task t is stream ^ t */
} adv_panel_call;

/* k-means in task t, on X: the best restart and, unless NULL, its loss. */
mtc_status adv_panel_kmeans(const adv_panel_call *c, size_t t,
    const mtc_data *X, size_t restarts, mtc_real *loss);
/* The method in all tasks, from run `from`. */
mtc_status adv_panel_method(const adv_panel_call *c, adv_method m, size_t from);
/* Renumbers clusters like task 0's, in tasks with as many: centers, the labels
 * that they are the means of and, unless NULL, other labels.  A task with an
 * empty cluster is not `matched`. */
mtc_status adv_panel_match(const adv_panel *p, adv_desk *desk, int **labels,
    int **others, const size_t *k_effective, int *matched);

/* ---- a ballot: the vote of runs in one task ------------------------------ */

typedef struct adv_ballot {
    const adv_panel *p;
    adv_desk *desk;
    size_t t, k, n;    /* the task, its clusters, rows that take part */
    size_t m;          /* runs on the ballot, */
    const int **runs;  /* [p->m] their labels, */
    mtc_real *weight;  /* [p->m] and weights */
    size_t *count;     /* [k*k] rows counted by one or two labelings */
    mtc_real *share;   /* [k] of the rows in each cluster */
} adv_ballot;

/* An empty ballot.  The desk's status says whether there was memory. */
adv_ballot adv_ballot_open(const adv_panel *p, adv_desk *desk, size_t t);
/* Labels of run i of the panel in the ballot's task. */
#define adv_ballot_run(vote, i) adv_panel_run((vote)->p, (vote)->t, i)
/* Puts runs of the panel on the ballot. */
void adv_ballot_add(adv_ballot *vote, size_t first, size_t runs,
    mtc_real weight);
/* z [n]: the vote of the runs on the ballot, which then is empty.  Where they
 * label distinct rows, n counts these.  With losses, those of low loss vote. */
mtc_status adv_ballot_vote(adv_ballot *vote, size_t n, const mtc_real *losses,
    uint64_t stream, int *z);
/* ARI of two labelings of the rows that take part.  `place` [n], unless NULL,
 * is the place of each row in a. */
mtc_real adv_ballot_ari(const adv_ballot *vote, const int *a, const int *place,
    const int *b);

#endif /* ADV_PANEL_H */
