/* SPDX-License-Identifier: MIT
 *
 * csv.h - a table as it is read: sheet.c or jsonl.c part it into cells, survey.c
 * looks at its columns, judge.c decides what each of them is, table.c makes a task
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
    size_t spaces;                  /* between the words of all words */
    size_t signed_amounts;          /* with $, kg or % */
    example word, hole, mark, endless, date, short_date, code;
    example sign, other_sign;       /* the first, and one that differs */
    example only[2], open[2];       /* fit only a point, a comma; either */
    amount_kind kind;
    int none;                       /* 1: some number has neither */
    int day_first, month_first, slashes;
    int parts;                      /* 1: some number is a fraction */
    dictionary different;           /* of the words */
    dictionary values;              /* of labels and --onehot: all but holes */
} cells;

/* What would help against a fault. */
typedef enum remedy {
    BY_DROP, BY_MISSING, BY_WORD, BY_DECIMAL, BY_DATES, BY_NOTHING
} remedy;

/* A record whose line does not follow from the record before. */
typedef struct jump {
    size_t record, line;
} jump;

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
    size_t above;                   /* 1: the header stood above them */
    jump *jump;                     /* [jumps] */
    size_t jumps, room;
    const char *text, *last;        /* the first cell; the last record's */
    char *held;                     /* the file, whose place they take */
    const char *comment;            /* the last above the first record */
    int latin;                      /* 1: some word is not UTF-8 */
    int short_header;               /* 1: R writes no name for row names */
    heading head;
    cells *cells;                   /* [width] */
    size_t *order;                  /* [width] columns in the order of all files
                                       that share them; */
    size_t *place;                  /* [width] of features: in a row of values */
} csv;

/* ---- sheet.c ---- */

void read_sheet(csv *c);
size_t line_of(const csv *c, size_t i);
void note_line(csv *c, size_t line);
const char *next_cell(const char *cell);
const char *skip_cells(const char *cell, size_t n);
const char *cell_text(const char *cell);
int same_word(const char *cell, const char *lower);
int is_missing_cell(const csv *c, const char *cell);

/* ---- jsonl.c ---- */

void read_lines(csv *c, words *names);

/* ---- survey.c ---- */

int read_header(csv *c, words *names);
void leave_out_total(csv *c);
void survey(csv *c);
mtc_real cell_value(const csv *c, size_t j, const char *cell);

/* ---- judge.c ---- */

mtc_real pair_value(const attribute *k, const char *cell);

/* ---- table.c ---- */

void keep_words(csv *c, size_t j);

/* ---- roles.c, rules.c ---- */

/* Columns that one sentence speaks of, and where it holds. */
typedef struct finding {
    words columns;
    const task *first, *last;
    size_t files;
} finding;

void found(app *a, finding *f, const task *t, const attribute *k);
const char *files_of(app *a, const finding *f);
const char *subject(app *a, const finding *f);
size_t tables_of(const tasks *all);
void apply_rules(app *a, tasks *all);
void doubt_codes(app *a, const task *t);

/* ---- join.c ---- */

words names_apart(app *a, const tasks *all, size_t *common);

/* ---- faults.c ---- */

APP_PRINTF(5, 6)
void add_fault(csv *c, size_t j, remedy r, const example *at,
               const char *format, ...);
APP_NORETURN
void refuse_empty(const csv *c);

#endif
