/* SPDX-License-Identifier: MIT
 *
 * app.h - what all files of the program share
 *
 * The library never prints, reads files or leaves the process; the program is
 * where all of that happens.  An error is reported once, at the place where it
 * is seen, and ends the program: 1 for bad data, 2 for bad usage, 130 if
 * Ctrl-C was pressed; nothing is written then.  Every byte, the library's
 * included, comes from one pool that is freed at the end, so that no path out
 * of the program leaks.
 * Included before anything else: it says which parts of POSIX are used.
 * A function is explained where it is defined.
 */
#ifndef APP_H
#define APP_H

#if defined(__unix__) || defined(__APPLE__) || defined(__wasi__)
#define APP_POSIX
#define _XOPEN_SOURCE 600                   /* POSIX of 2001, and timers */
#endif
#if defined(APP_POSIX) && !defined(MTC_NO_THREADS) && !defined(__wasm__)
#define APP_THREADS
#endif
#ifdef _WIN32
#define __USE_MINGW_ANSI_STDIO 1            /* printf as in C99 there, too */
#endif

#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "../../../mtc.h"
#include "letters.h"

enum { STACK_BYTES = 8 << 20 };              /* of a thread */

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF                /* the same figures everywhere */
#endif

#ifdef __GNUC__
#define APP_NORETURN __attribute__((noreturn))
#ifdef _WIN32
#define APP_PRINTF(f, v) __attribute__((format(gnu_printf, f, v)))
#else
#define APP_PRINTF(f, v) __attribute__((format(printf, f, v)))
#endif
#else
#define APP_NORETURN
#define APP_PRINTF(f, v)
#endif

#ifdef MTC_SINGLE
#define APP_REAL_MAX ((double)FLT_MAX)
#define APP_REAL_EPS ((double)FLT_EPSILON)
#else
#define APP_REAL_MAX DBL_MAX
#define APP_REAL_EPS DBL_EPSILON
#endif

#ifdef _WIN32
#define APP_BACKSLASH 1                     /* parts a path there */
#else
#define APP_BACKSLASH 0
#endif

#define READING 0.1                         /* of all progress */

enum { BAD_DATA = 1, BAD_USAGE = 2, INTERRUPTED = 130 };  /* exit statuses */

/* ---- app.c: memory, messages, progress ---- */

/* A block of the pool: this header, then the bytes.  The blocks form a ring
 * through the pool's own header.  Its two words keep what follows aligned. */
typedef struct block { struct block *previous, *next; } block;

/* A file, or a directory (text NULL), that the run will write at its end. */
typedef struct output {
    const char *path;
    char *part;                     /* written under this name for now */
    const char *text;
    size_t length;
    int made;                       /* a directory that was not there */
} output;

typedef struct word_slot { uint32_t hash, number; } word_slot;

/* Words, numbered in order of appearance. */
typedef struct dictionary {
    const char **word;              /* [n] */
    size_t n, room;
    word_slot *slot;                /* [slots] where a word is found again: its
                                       number + 1, 0: it is free */
    size_t slots;                   /* a power of 2 */
    int lent;                       /* 1: words stand where they were met */
} dictionary;

enum { REASON = 200 };              /* bytes of why a trial failed */

/* Names, or any other words. */
typedef struct words { size_t n, room; const char **at; } words;

/* Something that a run has to say of how it understood its data. */
typedef struct remark {
    const char *kind;               /* note or warning */
    const char *code;               /* for programs: it never changes */
    words columns;                  /* that it speaks of; there may be none */
    const char *text;
    const char *file, *option;      /* that the text names first; or NULL */
    int guessed;                    /* 1: --strict refuses it */
} remark;

typedef struct remarks {
    remark *at;                     /* [n] */
    size_t n, room;
} remarks;

/* A stretch of work that may fail without ending the program. */
typedef struct trial {
    jmp_buf back;
    char reason[REASON];            /* "": it did not fail */
    int tells;                      /* 1: its notices are kept, as the reader of
                                       examples/federated does */
} trial;

/* The whole state of a run of the program. */
typedef struct app {
    block pool;
    int argc;                       /* as the program was called, behind its */
    char **argv;                    /* name */
    const char *topic;              /* what `mtc help` would explain */
    trial *trial;                   /* under way, or NULL */
    struct errand *errand;          /* the piece of work that this is for, see
                                       jobs.c; NULL: the program itself */
    struct lane_pool *lanes;        /* lent to single calls; NULL: none */
    int terminal, quiet, verbose;
    size_t told;                    /* of `said`: printed, or hidden */
    int strict;                     /* 1: what would be guessed is refused */
    int answers_json;               /* 1: --json -, so that an error is, too */
    struct cures *cures;            /* of a try at reading, see faults.c */
    int deaf;                       /* 1: nothing is said, nor kept */
    remarks said;                   /* of this run, whether printed or not */
    int percent;                    /* progress as it stands there; -1: none */
    const char *stage;
    double began, shown;            /* times: of the first line, of the last */
    double outer[2], part[2];       /* what is under way, in shares of all */
    double at, base;                /* how far in the part; when the stage
                                       began */
    int whole;                      /* 1: a stage told of the whole part */
    char working_on[80];            /* stands before the stage */
    output *outputs;
    size_t n_outputs, room_outputs, committed;
    const char **inputs;            /* paths of all files that were read */
    size_t n_inputs, room_inputs;
    const char *place[3];           /* of --json, --svg and --save, or NULL */
    dictionary classes;             /* text labels */
    int standard_input;             /* 1: it was read */
    const char *numbered, *named;   /* a file with labels of either kind */
    int apart;                      /* 1: no file's labels mean another's */
} app;

int on_terminal(void);
int is_special(const char *path);
int same_file(const char *path, const char *other);
int move_file(const char *from, const char *to);
FILE *create_file(const char *path);
int make_directory(const char *path);
double now(void);
void pool_free(app *a);
void pool_rewind(app *a, void *mark);
void pool_join(app *a, app *from);
void watch_interrupts(void);
void outlive_pipes(int yes);
int must_stop(app *a);
void progress_outer(app *a, double from, double to);
void progress_part(app *a, size_t i, size_t n);
void show_share(app *a, double done, const char *working_on,
                const char *stage);
void wipe_progress(app *a);
APP_NORETURN
void stop(app *a);
void stop_if_interrupted(app *a);
APP_NORETURN APP_PRINTF(3, 4)
void fail(app *a, int status, const char *format, ...);
void safe_point(app *a, const char *stage, size_t done, size_t total);
void pool_release(void *memory);
void *take(app *a, size_t count, size_t size);
void *grow(app *a, void *array, size_t *room, size_t size);
void *copy(app *a, const void *from, size_t count, size_t size);
mtc_context context_of(app *a, uint64_t seed);
void check(app *a, const mtc_context *ctx, mtc_status s, const char *subject);

#define TAKE(a, count, type) ((type *)take(a, count, sizeof(type)))
#define GROW(a, array, used, room) \
    ((array) = (used) < (room) ? (array) \
               : grow(a, array, &(room), sizeof *(array)))
#define COPY(a, from, count, type) \
    ((type *)copy(a, from, count, sizeof(type)))

/* ---- notices.c: what a run has to say besides its results ---- */

struct text;
/* Something that may be wrong; that was understood so, and how to have it
 * otherwise; the same of columns or rows, which --strict refuses. */
typedef enum saying { WARNING, NOTE, GUESS } saying;

APP_PRINTF(5, 6)
void say(app *a, saying how, const char *code, const words *columns,
         const char *format, ...);
#define warn(a, code, columns, ...) say(a, WARNING, code, columns, __VA_ARGS__)
#define inform(a, code, columns, ...) say(a, NOTE, code, columns, __VA_ARGS__)
#define guess(a, code, columns, ...) say(a, GUESS, code, columns, __VA_ARGS__)
void print_notices(app *a, int fails);
void refuse_guesses(app *a);
words one_column(app *a, const char *name);
void say_again(app *a, const remarks *said);
void json_begin(app *a, struct text *t);
void print_json_error(app *a, int status, const char *reason);

/* ---- number.c ---- */

const char *decimal_at(const char *s, char point, double *x);

/* ---- shown.c: names and cells as people get to see them ---- */

enum { MESSAGE = 16384 };            /* bytes of an error, at most */

int is_control(uint32_t c);
size_t shown_length(const char *s);
void put_shown(app *a, struct text *t, const char *s, const char *but);
int some_bytes(const char *s, size_t n);
const char *visible(app *a, const char *name);
void format_message(char *to, size_t room, const char *format, va_list args);

/* ---- jobs.c: pieces of work, several at once ---- */

/* Piece i of some work.  `own` is an app for this piece alone; what it leaves
 * there will be the caller's. */
typedef void piece(app *own, void *of, size_t i);

struct errand;
int errand_stopped(struct errand *e);
void errand_progress(struct errand *e, double share, const char *stage);
APP_NORETURN
void errand_end(struct errand *e, int status, const char *reason);
void run_pieces(app *a, size_t jobs, size_t n, piece *work, void *of);

/* ---- lanes.c: processors for a single call ---- */

enum { MOST_JOBS = 1024 };

typedef struct lane_pool lane_pool;
#ifdef APP_THREADS
size_t processors(void);
lane_pool *open_lanes(app *a, size_t lanes);
void settle_lanes(app *a, size_t lanes);
size_t begin_lanes(lane_pool *p);
void share_work(lane_pool *p, size_t n, void (*work)(void *job, size_t i),
                void *job, void (*watch)(void *job));
void close_lanes(lane_pool *p);
void lend_lanes(mtc_context *ctx, lane_pool *p);
void enter_progress(lane_pool *p);
void leave_progress(lane_pool *p);
#else                                       /* there never is a pool */
#define processors() ((size_t)1)
#define open_lanes(a, lanes) ((lane_pool *)NULL)
#define settle_lanes(a, lanes) ((void)(lanes))
#define begin_lanes(p) ((size_t)0)
#define share_work(p, n, work, job, watch) ((void)(work), (void)(watch))
#define close_lanes(p) ((void)(p))
#define lend_lanes(ctx, p) ((void)(p))
#define enter_progress(p) ((void)(p))
#define leave_progress(p) ((void)(p))
#endif

/* ---- text.c: text that grows, and whole files ---- */

typedef struct text {
    char *at;                       /* ends in NUL; NULL while empty */
    size_t length, room;
} text;

APP_PRINTF(3, 4)
void put(app *a, text *t, const char *format, ...);
void put_args(app *a, text *t, const char *format, va_list args);
char *formed_args(app *a, const char *format, va_list args);
APP_PRINTF(2, 3)
char *formed(app *a, const char *format, ...);
const char *three_digits(app *a, double x);
void add_bytes(app *a, text *t, const char *s, size_t n);
int padded(const char *s, int width);
const char *cut_name(app *a, const char *name, size_t most);
void put_wrapped(app *a, text *t, const char *s);
void put_heading(app *a, text *t, const char *name, size_t width);
void put_utf8(app *a, text *t, const char *s);
const char *in_utf8(app *a, const char *s);
void put_escaped(app *a, text *t, const char *s, int xml);
const char *json_text(app *a, const char *s);
void put_csv(app *a, text *t, const char *s);
void put_real(app *a, text *t, double x);
const char *json_real(app *a, double x);
void put_reals(app *a, text *t, size_t n, const mtc_real *x);
void put_matrix(app *a, text *t, size_t m, size_t n, const mtc_real *x);
void put_wholes(app *a, text *t, size_t n, const size_t *x);
void put_texts(app *a, text *t, size_t n, const char *const *word);
void put_ints(app *a, text *t, size_t n, const int *x);
const char *base_name(const char *path);
const char *join_path(app *a, const char *directory, const char *name,
                      const char *ending);
void save(app *a, const char *path, const text *t);
void save_directory(app *a, const char *path);
void commit(app *a);
void note_input(app *a, const char *path);
int is_input(const app *a, const char *path);

/* ---- options.c ---- */

typedef struct counts { size_t n, *at; } counts;
typedef struct reals { size_t n; double *at; } reals;

/* What was done to the columns (scale.c). */
typedef struct preparation {
    double apart;                   /* largest deviation over the median one */
    int scaled;                     /* 1: z-scored */
    words logs;                     /* columns of which logs are taken */
    const char *asked;              /* --preprocess and --log as given */
    words asked_log;
    const char **names;             /* of the features, or NULL */
} preparation;

/* The values of all options.  What a command does not know stays 0. */
typedef struct settings {
    /* of all methods */
    counts k;
    const char *k_word;             /* auto; NULL: numbers */
    size_t k_min, k_max;            /* of auto */
    int k_range, one_k;             /* --k A-B; all tasks have the same */
    uint64_t seed;
    size_t iterations, restarts;
    double tolerance;
    words init;
    int pool, quiet, strict;
    words log;
    const preparation *prepared;    /* NULL: not asked for, or each file's */
    const char *each;               /* what is prepared by itself, or NULL */
    const char *preprocess, *out, *json, *svg, *save, *task;
    /* of reading */
    const char *labels, *id, *header, *missing, *decimal, *names, *dates;
    const char *match, *split;
    words use, drop, onehot, missing_word;
    int by_labels;                  /* 1: labels set the number of groups */
    words text;                     /* columns, or members of JSON lines */
    const char *markup, *token, *word_length, *stop, *stem;
    size_t min_texts, vocabulary;
    double max_share;
    int preprocess_given, about_texts;      /* 1: not by default */
    int lambda_given, iterations_given;     /* 1: not by default */
    /* pcakm, ncut, snmf */
    double keep, sigma;
    const char *similarity;
    reals share;                    /* --neighbors of snmf, mtcfir */
    /* lssmtc, lssttc, asi; lambda of mbc, too */
    double lambda, offset;
    size_t subspace, rank;
    const char *mode, *start;
    /* mbc */
    double smooth;
    const char *divergence, *metric;
    /* mtcfir */
    size_t layers;
    double noise, ridge;
    const char *variant_fir;
    int guard;
    /* ec, trec */
    size_t runs, columns, moves;
    double qmin;
    const char *meta;
    /* transfer; svm, tsvm; gfhf, llgc */
    words source;
    const char *target;
    const char *align;              /* map of columns; NULL: none is sought */
    double cost, gamma;
    const char *kernel;
    size_t neighbors;
    double width, mu;
    /* the compared systems */
    const char *rule, *start_words, *init_words, *form_cdsc, *space;
    const char *coupling;
    size_t words, vectors, dim;
    size_t identical, alike, distinct;
    double trust, mu1, mu2, trade, lambda1, lambda2, slack, alpha, stay;
    int realign, no_fill, far;
    const char *known;
    /* ttl */
    size_t features, common;
    const char *variant, *start_ttl, *weights, *view1, *view2;
    words bridge;
    /* bridge, compare, emd, export, generate */
    const char *origin;
    size_t repeats, jobs;           /* jobs 0: as many as processors */
    int verbose;
    const char *supply, *demand, *c;
    size_t samples, tasks;
} settings;
const char *file_word(const settings *set);

typedef enum option_type {
    FLAG,                           /* int; takes no value */
    COUNT,                          /* size_t in an interval */
    COUNTS,                         /* the same, or a comma list of them */
    CLUSTERS,                       /* the same, or A-B, auto */
    SEED,                           /* uint64_t */
    REAL,                           /* double in an interval */
    REALS,                          /* the same, or a comma list of them */
    CHOICE,                         /* one of a few words */
    TEXT,                           /* any text: a path, a name */
    PATHS,                          /* a comma list of paths */
    FILES,                          /* all arguments up to the next option */
    HEADING                         /* no option: what follows belongs to it */
} option_type;

/* `name` is what stands after "--"; behind a dot, what tells two options of
 * one name apart.  `allowed` is for the reader and for the check: an interval,
 * the words of a choice; for files just how they are given. */
typedef struct option {
    const char *name;
    option_type type;
    size_t target;                  /* place in settings */
    const char *allowed;
    const char *help;
} option;

#define IN(field) offsetof(settings, field)

size_t copy_word(char *to, size_t room, const char *from, const char *stops);
int whole_at(const char *s, uint64_t most, uint64_t *value, const char **end);
void add_word(app *a, words *w, const char *from, size_t length);
void add_name(app *a, words *w, const char *s);
void add_once(app *a, words *w, const char *s);
int has_word(const words *w, const char *s);
void need_operands(app *a, const words *w, size_t least, size_t most,
                   const char *what);
int looks_like_option(const char *s);
void set_defaults(app *a, const char *allowed, settings *set);
void add_option(app *a, settings *set, const char *name, const char *value);
words parse_args(app *a, const char *topic, const char *allowed, int argc,
                 char **argv, settings *set);
void put_options(app *a, text *t, const char *allowed, const settings *set,
                 int files);
const char *nearest_word(const words *known, const char *typed, size_t n);
int is(const char *word, const char *w);
int word_place(const char *name, const char *word);
void print_indented(const char *s, int indent);
void put_option_names(app *a, text *t, const char *allowed);
void put_choices(app *a, text *t);
void print_options(app *a, const char *allowed, int brief);
void print_manual(app *a, const words *names, const char *const *allowed);

#endif
