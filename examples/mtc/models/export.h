/* SPDX-License-Identifier: MIT
 *
 * export.h - what the files of `mtc export` share
 *
 * The header is composed of pieces of C: tables of numbers, and for each rule
 * of a model (model.h) the body of one function.  In these pieces @ stands for
 * the name that was asked for and $ for the same in capitals.  Sums run in the
 * order of the library, so that labels are those of `mtc assign`, bit by bit.
 * The pieces keep to what C99 and C++98 have in common.
 */
#ifndef APP_EXPORT_H
#define APP_EXPORT_H

#include "model.h"

/* What is being written. */
typedef struct header {
    app *a;
    const model *m;
    const char *name, *capitals;
    int far;                        /* 1: NAME_far is wanted, too */
    size_t *rows, *problems, *support, *coefficients;   /* [m->n] of tasks */
    text out;
    size_t table_bytes;             /* in double */
} header;

/* A table of numbers: begun, filled and ended. */
typedef struct table {
    header *h;
    size_t n;                       /* numbers so far */
} table;

/* ---- export.c ---- */

void put_code(header *h, const char *code);
table begin_table(header *h, const char *name);
void put_number(table *t, double x);
void put_numbers(table *t, size_t n, const mtc_real *x);
void end_table(table *t);

/* ---- export_math.c ---- */

void begin_function(header *h, const char *prototype);
void put_dot(header *h);
void put_distance(header *h);
void put_sqrt(header *h);
void put_exp(header *h);
void put_log(header *h);
void put_gap(header *h);

/* ---- export_rule.c ---- */

int needs_row(const model *m);
int is_positive(const model *m);
int needs_integers(const model *m);
void put_functions(header *h);

#define EXPORT_OPTIONS "c far out quiet"

void run_export(app *a, int argc, char **argv);

#endif
