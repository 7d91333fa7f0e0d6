/* SPDX-License-Identifier: MIT
 *
 * csv.h - a table as it is read: sheet.c parts it into cells, survey.c looks
 * at its columns, table.c makes a task of it
 */
#ifndef APP_CSV_H
#define APP_CSV_H

#include "../base/data.h"

/* The first cell of a kind. */
typedef struct example {
    size_t line;                    /* 0: there is none */
    const char *text;
} example;

/* What is in one column. */
typedef struct cells {
    size_t numbers;                 /* plain ones */
    size_t amounts, dates, marks, words, holes;
    size_t n_odd;                   /* amounts, dates, marks */
    size_t signed_amounts;          /* with $, kg or % */
    example word, hole, mark, endless, date, code;
    example sign, other_sign;       /* the first, and one that differs */
    example only[2], open[2];       /* fit only a point, a comma; either */
    amount_kind kind;
    int none;                       /* 1: some number has neither */
    int day_first, month_first, slashes;
    dictionary different;           /* of the words */
} cells;

/* What is wrong with a column, and what would help. */
typedef enum remedy { BY_DROP, BY_MISSING, BY_DECIMAL, BY_DATES } remedy;

typedef struct fault {
    size_t column, line;            /* column from 0 */
    remedy remedy;
    const char *value, *text;
} fault;

typedef struct faults {
    fault *at;                      /* [n] */
    size_t n, room;
} faults;

/* The cells of a file stand one behind the other, a NUL behind each; one that
 * was quoted begins with its quote.  The first record may be the header. */
typedef struct csv {
    app *a;
    reading *run;
    const settings *set;            /* NULL: a plain table of numbers */
    task *t;
    const char *file;
    char separator, decimal;
    size_t n, width;                /* records of samples; fields of each */
    size_t *row, *line;             /* [n] */
    size_t room_row, room_line;
    char *text;
    const char *comment;            /* the last above the first record */
    int short_header;               /* 1: R writes no name for row names */
    heading head;
    cells *cells;                   /* [width] */
    faults bad;
    identities *whole;              /* [width] of `describe --out`; or NULL */
} csv;

/* ---- sheet.c ---- */

void read_sheet(csv *c);
const char *next_cell(const char *cell);
const char *cell_text(const char *cell);
int same_word(const char *cell, const char *lower);
int is_missing_cell(const char *cell);

/* ---- survey.c ---- */

int is_word_cell(const char *cell);
int read_header(csv *c, words *names);
void leave_out_total(csv *c);
void survey(csv *c);
void settle_survey(csv *c);
mtc_real cell_value(const csv *c, size_t j, const char *cell);
int is_category(const csv *c, size_t j);
int is_naming(const csv *c, size_t j);
int is_prose(const csv *c, size_t j);

/* ---- faults.c ---- */

APP_PRINTF(5, 6)
void add_fault(csv *c, size_t j, remedy r, const example *at,
               const char *format, ...);
void note_faults(const csv *c);

#endif
