/* SPDX-License-Identifier: MIT
 *
 * summary.h - what summary.c and sentence.c know of the clusters of a task
 */
#ifndef APP_SUMMARY_H
#define APP_SUMMARY_H

#include "../methods/job.h"

/* The clusters of one task; text without names has no features here. */
typedef struct profile {
    app *a;
    const task *t;
    size_t n, d, k, used;           /* used: clusters that have rows */
    int of_words;                   /* 1: sparse, as text is */
    mtc_data as_read;               /* [n x d] before preprocessing */
    mtc_data as_seen;               /* and after */
    const int *labels;              /* [n] */
    size_t *size;                   /* [k] */
    size_t n_own, *own;             /* [n_own] clusters that are shown: with one
                                       numbering over all tasks not all */
    mtc_real *mean;                 /* [k*d] as read; NULL: of words */
    double *whole, *deviation;      /* [d] of the task */
    double *sum;                    /* [k*d] of weights of words; or NULL */
    double *score;                  /* [k*d] by how much a cluster differs; of
                                       words above 0 only */
    double *silhouette;             /* [k+1] of each, and of all; -2: unknown */
    size_t n_classes;               /* of the file's labels; 0: it has none */
    const int *classes;             /* [n_classes] ascending */
    size_t *table;                  /* [k*n_classes] rows of both */
    size_t drawn;                   /* rows that they are of; 0: all */
    mtc_apart_result *borders;      /* between clusters; NULL: it has but one */
} profile;

int is_wordy(const task *t);
profile make_profile(const report *r, size_t i);
mtc_data stacked_as_read(app *a, const tasks *all, const task *whole);
profile pooled_profile(const report *r);
double effect_of(const profile *p, size_t z, size_t f);
const char *size_in_words(double effect, int of_word);
int is_yes_or_no(const task *t, size_t f);
const char *label_name(const report *r, int class, size_t z);
const char *group_name(const report *r, size_t z);
const char *class_name(const report *r, size_t i, int label);
const char *shown_feature(app *a, const tasks *all, const task *t,
                          size_t feature);

/* ---- topics.c ---- */

enum { WORDS_OF_CLUSTER = 10, NEAREST = 2 };

void score_words(profile *p);
size_t best_words(const profile *p, size_t z, size_t most, size_t *best);
void put_nearest(text *out, const profile *p, size_t z);
void put_topics(text *t, const report *r, size_t i);

/* ---- borders.c, sentence.c ---- */

/* What all tasks together tell of the groups. */
typedef struct overview {
    profile *of;                    /* [n] of each task */
    size_t k;                       /* groups that are described; 0: none */
    double *effect;                 /* [k*d] mean over the parted tasks that */
    size_t *found;                  /* [k] have the group: so many */
    int matched;                    /* 1: all tasks have one numbering */
    size_t parted;                  /* tasks of two clusters or more; --pool: 1
                                       at least, if all of them have two */
    mtc_apart_result *pooled;       /* --pool: of all rows; or NULL */
    const char *sentence;           /* the answer, in one line */
} overview;

overview *look_over(const report *r);
void put_profile(text *out, const report *r, size_t i);
mtc_apart_result *find_borders(job *j, const mtc_data *X, size_t number,
                               const int *labels, size_t k, const char *name);
void put_borders(text *out, const report *r, const overview *o);
const char *worst_border(const report *r, const overview *o);
void put_coins(text *out, const report *r, const overview *o);
void put_apart(app *a, text *t, const mtc_apart_result *b);

enum { MANY_TASKS = 12, FEW_SHOWN = 5 };

#endif
