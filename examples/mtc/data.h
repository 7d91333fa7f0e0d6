/* SPDX-License-Identifier: MIT
 *
 * data.h - data sets: reading, and what is done to them before a method
 */
#ifndef APP_DATA_H
#define APP_DATA_H

#include "app.h"

/* ---- read.c ---- */

/* One data set as read: CSR, or dense where row is NULL. */
typedef struct task {
    const char *file, *name;
    size_t n, d;
    mtc_real *values;               /* CSR [row[n]], dense [n*d] */
    size_t *row;                    /* [n+1] */
    uint32_t *column;               /* [row[n]] */
    int *truth;                     /* [n] labels of the file, or NULL */
    int named;                      /* 1: they stand for words */
    size_t room_values, room_row, room_column, room_truth;
    size_t own;                     /* features of the file itself, <= d */
    mtc_data raw;                   /* as it was before preprocessing; without
                                       values: as it is */
} task;

void read_csv(app *a, task *t, const char *label_option);
int is_csv(const char *path);
int is_libsvm(const char *path);
task read_task(app *a, const char *path, const char *labels);
double *read_column(app *a, const char *path, double low, double high,
                    int whole, size_t *n);
int *read_labels(app *a, const char *path, int low, int high, size_t *n);

/* Some rows of a data set, and a label for each. */
typedef struct known_rows {
    size_t n;
    size_t *row, *line;             /* [n]; line of the file */
    words word;                     /* [n] the labels as they stand there */
    int *label;                     /* [n] */
    int named;                      /* 1: they stand for words */
} known_rows;

known_rows read_known(app *a, const char *path, size_t n, int named);
task read_matrix(app *a, const char *path);

/* ---- tasks.c ---- */

/* The tasks of a run: they share d features, of which the views hold `kept`
 * (fewer than d only where d is huge and most never occur). */
typedef struct tasks {
    size_t n, d, kept;
    task *at;
    const char **names;             /* [kept] of the features, or NULL */
} tasks;

mtc_data view_of(const task *t);
mtc_data own_view(const task *t);
size_t row_begin(const mtc_data *X, size_t i);
size_t column_of(const mtc_data *X, size_t p);
void name_task(app *a, tasks *all, size_t i);
tasks load_tasks(app *a, const words *files, const char *labels);
int compare_reals(const void *x, const void *y);
int *distinct(app *a, size_t n, const int *x, size_t *count);
size_t count_distinct(app *a, size_t n, const int *x);
void preprocess(app *a, tasks *all, const char *how);
void preprocess_each(app *a, tasks *all, const char *how);
task stack_tasks(app *a, const tasks *all);
task rows_at(app *a, const task *t, const size_t *index, size_t m);
task some_rows(app *a, const task *t, size_t step, size_t at, int keep);
void release_rows(task *t);

#endif
