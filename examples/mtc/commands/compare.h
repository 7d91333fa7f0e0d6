/* SPDX-License-Identifier: MIT
 *
 * compare.h - a comparison of methods: for the commands compare and demo
 */
#ifndef APP_COMPARE_H
#define APP_COMPARE_H

#include "../methods/job.h"

enum { FIGURES = 3 };

typedef struct estimate { double mean, error; } estimate;

/* Whose labels a row is about: the method's own, or one of the two answers
 * between which the guard of the method decides. */
typedef enum side { OWN, SHARED, ALONE } side;

/* What one run of a row came to, besides its figures. */
typedef struct attempt {
    const char *reason;             /* why it cannot run, or NULL */
    double seconds;
    size_t unused[2];               /* clusters that stayed empty, at worst;
                                       of a guard [1]: of each task alone */
    size_t kept, measured;          /* SHARED: tasks */
} attempt;

/* One row of the table. */
typedef struct contender {
    const method *method;
    int pooled;
    side side;
    attempt *run;                   /* [repeats] */
    const char *reason;             /* why it cannot run, or NULL */
    double seconds;                 /* all runs together */
    double *figure;                 /* [repeats * tasks * FIGURES] */
    estimate result[FIGURES];       /* of the means over tasks */
    size_t unused;                  /* clusters that stayed empty, at worst */
    size_t kept, measured;          /* SHARED: tasks, over all repeats */
} contender;

typedef struct comparison {
    app *a;
    const settings *set;
    const tasks *all;
    int truth;
    counts k, pooled_k;             /* pooled_k.n = 0: tasks differ in k */
    contender *row;
    size_t rows, room;
} comparison;

#define COMPARE_OPTIONS \
    "k repeats=3 compared seed=1 preprocess.auto=auto log=auto" \
    READ_OPTIONS " json jobs quiet"

const contender *best_of(const comparison *c, int shared);
estimate difference(const contender *x, const contender *y);
int sign_of(estimate e);
int shares(const contender *r);     /* between tasks? */
const char *name_of(const contender *r);     /* of the method that ran */
const char *kind_of(const contender *r);
comparison compare_tasks(app *a, const settings *set, const tasks *all);
void run_compare(app *a, int argc, char **argv);

#endif
