/* SPDX-License-Identifier: MIT
 *
 * csv.h - what csv.c, which reads tables, header.c, which understands how they
 * begin, and cells.c, which understands their values, share
 */
#ifndef APP_CSV_H
#define APP_CSV_H

#include "../base/data.h"

/* What a field is. */
enum { NUMBER = 1, QUOTED = 2, DOUBLED = 4 };   /* DOUBLED: has "" in it */

typedef struct field {
    const char *at;                 /* in the window; spaces cut off */
    size_t n;
    double x;                       /* NUMBER */
    int kind;
} field;

/* A value that is not plainly a number, until all values are seen. */
typedef struct odd {
    enum { ODD_AMOUNT, ODD_DATE, ODD_MARK } kind;
    size_t row, line;
    size_t at, n;                   /* its text, in the column's */
} odd;

/* The first value of a kind. */
typedef struct example {
    size_t line;                    /* 0: there is none */
    size_t row;
    const char *text;
} example;

/* The values of one column that are not plainly numbers, and what all of them
 * tell of its decimal sign.  An amount is open if it can be read with either
 * sign. */
typedef struct cells {
    odd *odd;
    size_t n_odd, room_odd;
    char *text;
    size_t length, room;
    size_t amounts, dates, marks, words, holes;
    size_t last_word, last_hole;    /* rows, from 1 */
    size_t last_new;                /* of the last word that was a new one */
    example word, hole;             /* the first */
    example endless;                /* no finite number */
    example code;                   /* a whole number that begins with 0 */
    example only[2];                /* to be read with a point, a comma only */
    example open[2];                /* open, with a point, a comma */
    int none;                       /* 1: some value has neither */
    dictionary different;           /* of the words */
    unsigned totals, again;         /* words for a sum: seen, seen twice */
} cells;

/* What is wrong with a column, and what would help. */
typedef enum remedy {
    BY_DROP,                        /* leave the column out */
    BY_MISSING,                     /* --missing */
    BY_DECIMAL, BY_DATES
} remedy;

typedef struct fault {
    size_t column, line;            /* column from 0 */
    remedy remedy;
    const char *value;              /* the value that shows it, or NULL */
    const char *text;               /* "is not a number" */
} fault;

typedef struct faults {
    fault *at;                      /* [n] */
    size_t n, room;
} faults;

typedef struct csv {
    app *a;
    reading *run;
    const settings *set;            /* NULL: a plain heading */
    stream in;
    task *t;
    char separator, point;
    char read_with;                 /* decimal sign of the record's fields */
    int settled;                    /* 1: the decimal sign is known */
    int shown;                      /* 1: by some value, or by a model */
    const example *mixed;           /* a decimal point, where others have a
                                       comma; or NULL */
    size_t line, following;         /* of the record, of what follows it */
    size_t next;                    /* place of that in the window */
    field *field;
    size_t fields, room;
    heading head;
    cells *cells;                   /* [width] */
    dictionary labels;
    int counts;                     /* the index so far is 0 1 2 or 1 2 3 */
    int id_words;                   /* it has a word */
    double base;                    /* where it begins */
    size_t commented, blank;        /* lines that may be samples; 0: none */
    int among;                      /* 1: an empty record has rows below it */
    int worded;                     /* 1: the header is one by its words, which
                                       may be values */
    int latin;                      /* 1: some word is not UTF-8 */
    size_t last_dated;              /* row, from 1, that has a date */
    size_t unlabeled;               /* rows of a file whose labels only score */
    size_t last_unlabeled;          /* row, from 1 */
    example total;                  /* the last row that begins as a sum */
    size_t total_column;
    int unlabeled_total;            /* 1: it has no label, but should have */
    example figures;                /* the first row that begins as Mean or SD */
    uint32_t figured;               /* such words that were seen: 1 << number */
    int sums;                       /* 1: one of them is a word for a sum */
    int scattered;                  /* 1: a word is there twice, or above others */
    faults bad;
    identities *whole;              /* [width] of `describe --out`: the fields
                                       of each column, as CSV; else NULL */
} csv;

int all_fields(csv *c);
char skip_blank(csv *c);
size_t line_length(csv *c);
int at_comment(csv *c);
void skip_comment(csv *c);
int next_record(csv *c);
csv begin_peek(csv *c);
int peek_record(csv *c, int over);
char *field_text(app *a, const field *f);
int field_is(const field *f, const char *lower);
int is_missing(const field *f);
int is_missing_word(const field *f);
int is_infinite(const field *f);
int is_word(const csv *c, const field *f);
APP_NORETURN
void bad_record(const csv *c, const char *reason);

/* ---- header.c ---- */

void find_start(csv *c);
int read_head(csv *c);

/* ---- cells.c ---- */

int is_amount(const field *f);
void note_total(csv *c);
void note_code(csv *c, size_t j, const field *f);
mtc_real note_open(csv *c, size_t j, const field *f);
mtc_real note_hole(csv *c, size_t j, const field *f);
mtc_real note_cell(csv *c, size_t j, const field *f);
APP_NORETURN
void refuse_plain(const csv *c, size_t j);
void settle_cells(csv *c);
void doubt_texts(const csv *c);

/* ---- faults.c ---- */

APP_PRINTF(5, 6)
void add_fault(csv *c, size_t j, remedy r, const example *at,
               const char *format, ...);
void put_fault(const csv *c, text *t, const fault *f);
int are_amounts(const dictionary *its);
int is_category(const csv *c, size_t j);
int is_naming(const csv *c, size_t j);
int is_prose(const csv *c, size_t j);
void note_faults(const csv *c);

#endif
