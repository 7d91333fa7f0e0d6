/* SPDX-License-Identifier: MIT
 *
 * data.h - data sets: reading, and what is done to them before a method
 */
#ifndef APP_DATA_H
#define APP_DATA_H

#include "app.h"

#include <stdio.h>

/* ---- amount.c ---- */

enum { MOST_PARTS = 16 };

typedef enum amount_kind { BARE, CURRENCY, PERCENT, UNIT } amount_kind;

/* A number as people write it: runs of digits and the marks between them. */
typedef struct amount {
    amount_kind kind;
    char sign[24];                  /* "$", "EUR", "%", "kg"; "" if BARE */
    int negative, exponent;
    const char *body;               /* from the first digit or mark on */
    size_t length;
    size_t parts;
    unsigned char run[MOST_PARTS];  /* digits of each part, 255: or more */
    char mark[MOST_PARTS];          /* behind it: . , ' or any space */
} amount;

int amount_at(const char *s, size_t n, amount *m);
int amount_fits(const amount *m, char decimal);
int amount_groups(const amount *m, char decimal);
char amount_mark(const amount *m);
int amount_value(const amount *m, char decimal, double *x);
int is_currency(const char *sign);

/* ---- date.c ---- */

/* Days since 1 March of the year 0.  A time alone is one of day 1, as 0 would be
 * no date; 24:00 is one, too.  Dates come later. */
enum { TIMES = 1, DATES = 3 };

typedef struct date {
    double days[2];                 /* if the day comes first; the month */
    int day_first, month_first;     /* 1: it may be read so */
    int slashes;                    /* 1: d/m/y or m/d/y */
} date;

int date_at(const char *s, size_t n, date *d);
int is_short_date(const char *s);
const char *day_text(app *a, double days);

/* ---- words.c ---- */

int compare_words(const void *x, const void *y);
size_t find_word(const dictionary *d, const char *s, size_t n);
size_t number_word(app *a, dictionary *d, const char *s, size_t n);
int class_number(app *a, const char *name);

/* ---- source.c ---- */

void read_text(app *a, const char *path, text *t);
char *read_file(app *a, const char *path);

/* ---- columns.c ---- */

/* What a column of a table is for; the first two are features. */
typedef enum purpose {
    AS_FEATURE, AS_WORDS,           /* numbers; words that --onehot names */
    AS_LABEL, AS_ID,
    AS_SPLIT,                       /* each value is a task: --split */
    AS_INDEX,                       /* first and unnamed: left out, or ids */
    AS_NOTHING,
    AS_TEXT                         /* its words are features */
} purpose;

typedef struct attribute {
    const char *name;               /* by the header, each once; or its number */
    size_t number;                  /* from 1 */
    purpose role;
    const char *asked;              /* the option that names it, or NULL */
    const char *why;                /* it is left out; or NULL */
    const char *fault;              /* what is wrong with it; or NULL; */
    const char *fault_value;        /* this cell */
    size_t fault_line;
    int other;                      /* 1: --use or --text left it out */
    int pair;                       /* of yes and no, see judge.c; 0: none */
    int unnamed;                    /* 1: the header has no name for it */
    int twin;                       /* 1: it got .2 behind a name that was there
                                       before */
    const char *sign;               /* $, EUR, %, kg of its numbers; or NULL */
    char grouped;                   /* what parts thousands; 0: nothing */
    int likely;                     /* 1: it might be a decimal sign */
    int open;                       /* 1: a decimal point might part thousands,
                                       and nothing in the file tells; */
    int told;                       /* 1: which is said even of one file */
    const char *code;               /* 00123, the first such; or NULL */
    int date;                       /* 1: days since 1 March of the year 0, */
    double first_day;               /* or with --dates days since this one */
    size_t hot;                     /* AS_WORDS: place among the run's `hot` */
    size_t turn;                    /* AS_TEXT: place in the text, from 1 */
    const char *word;               /* the feature is one word of its column */
    int constant;                   /* 1: left out, for all values are */
    double only;                    /* this one */
} attribute;

/* The columns of one file. */
typedef struct heading {
    const char *file;
    size_t line, width;             /* of the first record */
    int header;
    attribute *column;              /* [width] */
} heading;

/* What holds for all files of a run. */
typedef struct reading {
    const settings *set;            /* NULL: a plain table of numbers */
    int labels_only;                /* 1: no feature is wanted */
    int *dropped;                   /* [drop.n] 1: some file has that column */
    int labeled;                    /* 1: some file has the labels' column */
    heading first;                  /* the first table that was read */
    size_t widest;                  /* of a model: largest index of LIBSVM
                                       text; 0: no model says which */
    const dictionary *needed;       /* of a model: names of its features;
                                       empty: it has none */
    const char *const *left;        /* [n_left] of a model: names of columns */
    size_t n_left;                  /* that it left out */
    char usual;                     /* of a model: its decimal sign, ?: it has
                                       both; or 0 */
    int describes;                  /* 1: what is wrong is only noted */
    struct ailment *ailment;        /* what is wrong so far, see faults.c */
    const words *files;             /* of the run, which can be read again; */
    int separate;                   /* NULL: it cannot */
    struct wordbook *book;          /* of texts, see texts.h; or NULL */
    dictionary hot_name, *hot;      /* columns of --onehot; words of each, */
    size_t **rank;                  /* and their places in order */
    size_t room_hot;
} reading;

int by_name(const char *labels);
int numbers_of(const char *s, size_t *first, size_t *last);
int needs_id(const settings *set, const char *file);
const char *as_list(app *a, const words *w);
const char *listed(app *a, const words *w);
const char *as_values(app *a, const words *w);
const char *as_value(app *a, const char *name);
void settle_columns(app *a, reading *run, heading *t, const words *names);
reading new_reading(app *a, const settings *set);

/* ---- table.c, faults.c, libsvm.c, read.c ---- */

/* Names of the samples, by their rows in the file. */
typedef struct identities {
    const char *name;               /* of their column; NULL: there are none */
    char *text;
    size_t *at;                     /* [n] where each begins */
    size_t n, length, room, room_at;
} identities;

/* What was done to features before a method saw them. */
typedef struct scaling {
    const char *how;                /* none, l2, tfidf or zscore */
    mtc_real *idf;                  /* [d] tfidf: factor of the values */
    double *mean, *deviation;       /* zscore: [d]; deviation 0: constant */
    const int *logs;                /* [d] 1: the log was taken first; or NULL */
    size_t numbers;                 /* features beside words: the first, which
                                       have mean, deviation [numbers], */
    double balance;                 /* and are multiplied by this */
} scaling;

/* The matrix of --metric, which a model's file has as well. */
typedef struct file_metric {
    const mtc_real *A;              /* [d*d] */
    mtc_metric factor;              /* A = L L' */
} file_metric;

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
    const scaling *scaled;          /* NULL: before preprocessing */
    const preparation *prepared;    /* of this file by itself; or NULL */
    const struct tasks *parts;      /* that are stacked in it; NULL: none */
    double *fill;                   /* [filled] what stands for missing values,
                                       with --missing mean; or NULL */
    size_t filled;
    size_t holes;                   /* values that were missing */
    identities part;                /* of --split: the value of each row */
    const uint32_t *used;           /* [d] columns of the file, of which only
                                       some are kept; or NULL */
    attribute *feature;             /* [d] of a table */
    attribute *left;                /* [n_left] that could be, but were left */
    size_t n_left;                  /* out */
    char decimal;                   /* sign of a table */
    int shown, guessed;             /* 1: some value shows it; none does, but
                                       some may be read with either */
    struct csv *sheet;              /* for `describe`; else NULL */
    int table, header;              /* 1: it is one; it has a header */
    size_t labels;                  /* number of their column; 0: none */
    int numbered;                   /* 1: of numbers; -1: its first sample may
                                       be one */
    int unnamed, id_words;          /* its index has no name; but words */
    size_t line;                    /* of a table: of its first record */
    size_t rows;                    /* of the file: n and those left out */
    size_t *place;                  /* [n] rows that are samples; NULL: all */
    char *goes;                     /* [rows] 1: it lacks its label; or NULL */
    identities id;
    struct bag *bag;                /* of a task of texts; and then */
    const char *const *word;        /* [d] names of the features, of which */
    size_t numbers;                 /* the first are columns of a table; */
    size_t wordless;                /* texts without a word that is kept */
} task;

/* The tasks of a run: they share d features, of which the views hold `kept`
 * (fewer than d only where d is huge and most never occur). */
typedef struct tasks {
    size_t n, d, kept;
    task *at;
    const char **names;             /* [kept] of the features, or NULL */
} tasks;

/* ---- task.c ---- */

const char *real_at(const char *s, double *x, const char **end);
const char *label_at(const char *s, int *label, const char **end);
void note_labels(app *a, task *t, int words_used);
size_t sample_row(const task *t, size_t i);
size_t find_number(const size_t *x, size_t n, size_t number);
size_t sample_of(const task *t, size_t row);

/* ---- the files of tables/ ---- */

/* An option in a command to paste. */
typedef struct change {
    const char *option;             /* "--drop" */
    const char *value;              /* NULL: it is not needed */
} change;

APP_NORETURN
void refuse(app *a, const reading *run, const char *lines, const change *with,
            size_t n);
void refuse_faults(app *a, const reading *run);
void judge_tables(app *a, reading *run, const tasks *all);
tasks split_tasks(app *a, const reading *run, const tasks *all);
void settle_tables(app *a, reading *run, const tasks *all);
void read_table(app *a, reading *run, task *t);
void read_libsvm(app *a, task *t, size_t widest);
int is_table(const char *path);
int ends_with(const char *s, const char *ending);
int is_libsvm(const char *path);
task read_task(app *a, const char *path, reading *run);
const char *quote(app *a, const char *s);

/* The lines of a text, one after the other. */
typedef struct text_lines {
    char *next;
    size_t number;
} text_lines;

char *next_line(text_lines *l);
const char *skip_space(const char *s);
int at_gap(const char *s);
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

/* ---- cells.c, roles.c, join.c, tasks.c ---- */

void doubt_signs(app *a, const tasks *all, int describes);
void agree_on_headers(app *a, const tasks *all);
void leave_out(app *a, task *t, const int *out);
int signs_agree(const char *x, const char *y);
void tell_reading(app *a, const settings *set, const tasks *all);
void settle_roles(app *a, const settings *set, tasks *all);

enum { APART = 1, AS_SAVED };       /* each its own; those of a model */

int has_hole(const task *t, size_t i);
APP_NORETURN
void refuse_void(app *a, const task *t, const attribute *k);
void doubt_words(app *a, const char *column, const dictionary *its);
tasks part_of(const reading *run, const tasks *all, size_t i);
void join_columns(app *a, reading *run, tasks *all);
void end_reading(app *a, reading *run, const tasks *all);
void settle_holes(app *a, const settings *set, tasks *all);
mtc_data view_of(const task *t);
mtc_data own_view(const task *t);
size_t row_begin(const mtc_data *X, size_t i);
size_t column_of(const mtc_data *X, size_t p);
const char *bare_name(app *a, const char *file);
void name_task(app *a, tasks *all, size_t i);
void lay_out(app *a, task *t, size_t d, const size_t *place);
tasks read_tasks(app *a, const words *files, reading *run);
tasks load_tasks(app *a, const words *files, const settings *set,
                 int separate);
words read_names(app *a, const char *path);
int compare_reals(const void *x, const void *y);
int *distinct(app *a, size_t n, const int *x, size_t *count);
size_t count_distinct(app *a, size_t n, const int *x);
enum { LABELED_ROWS = 20 };         /* labels of fewer may all differ, or be
                                       equal, by chance */
int teaches(const reading *run, const char *file);
int drops_unlabeled(const reading *run, const char *file);
void doubt_equal(app *a, const settings *set, task *t, saying how,
                 const char *code);
void doubt_labels(app *a, const settings *set, tasks *all);
const char *feature_name(app *a, const tasks *all, const task *t, size_t f);
mtc_real log_or_self(mtc_real x, int log);
void feature_spread(app *a, const mtc_data *X, size_t n, const int *logs,
                    double *mean, double *deviation);
void tasks_spread(app *a, const tasks *all, const int *logs, double *mean,
                  double *deviation);
void preprocess_in_place(app *a, tasks *all, const char *how, const int *logs);
void preprocess(app *a, tasks *all, const char *how);
void preprocess_logs(app *a, tasks *all, const char *how, const int *logs);
void unit_rows(const mtc_data *X, size_t before, mtc_real *x);
void scale_task(app *a, task *t, const scaling *s);
void take_logs(app *a, task *t, const int *logs);
int is_of_word(const task *t, size_t f);    /* of --onehot */
double share_of_zeros(const tasks *all, int whole);
int hint_at_scales(app *a, const settings *set, const tasks *all, int scales);
void prepare(app *a, settings *set, tasks *all);
void prepare_each(app *a, settings *set, tasks *all);
void prepare_again(app *a, const settings *set, size_t n, task *rest);
task stack_tasks(app *a, const tasks *all);
task rows_at(app *a, const task *t, const size_t *index, size_t m);
task drawn_rows(app *a, const task *t, size_t most, mtc_random *rng);
void release_rows(task *t);

#endif
