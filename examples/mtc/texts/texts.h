/* SPDX-License-Identifier: MIT
 *
 * texts.h - texts: from bytes to words, from words to features
 *
 * Every text of a run goes through one `wordbook`, which numbers the words as
 * they come; the `bag` of its task keeps how often each occurs.  When all files
 * are read, the words that are features are chosen and bags become sparse rows.
 */
#ifndef APP_TEXTS_H
#define APP_TEXTS_H

#include "../base/data.h"

#define NO_WORD UINT32_MAX
enum { MOST_LETTERS = 250, OPENING_LETTERS = 60 };

/* ---- tokens.c ---- */

/* How texts become words: by the options of a run, or by a model. */
typedef struct text_rules {
    const char *markup, *token, *stem;
    const char *word_length;        /* "2-25" */
    size_t shortest, longest;
    const char *stop;               /* english, none, list; NULL: as the texts
                                       show */
    words stops;                    /* of a list */
} text_rules;

/* Where a word was met last. */
typedef struct last_use {
    uint32_t text;                  /* its number, from 1 */
    size_t place;                   /* of the count in the bag */
} last_use;

/* The texts of one task: rows of (word, count), not in order. */
typedef struct bag {
    const struct wordbook *book;    /* that chose the features; then */
    size_t n;
    size_t *row;                    /* [n+1] */
    uint32_t *word;                 /* [row[n]] */
    mtc_real *count;                /* [row[n]] */
    size_t room_row, room_word, room_count;
    identities opening;             /* the first characters of each text */
    size_t latin1;                  /* texts that are not UTF-8 */
    size_t english;                 /* texts with the, of, and, to or in */
    size_t the;                     /* texts with the or and */
} bag;

typedef struct wordbook {
    app *a;
    text_rules rules;
    int html, mail, digits;
    dictionary words;               /* which stand side by side */
    char *free;                     /* where the next word goes */
    size_t left;                    /* bytes there */
    last_use *last;                 /* [words.n] */
    size_t room_last;
    uint32_t texts;                 /* of all tasks */
    text buffer, converted;
    char small[128];                /* of letters of ASCII; 0: it is none */
} wordbook;

int settle_length(text_rules *r);
wordbook *new_wordbook(app *a, const text_rules *rules);
wordbook *book_of(app *a, reading *run);
void add_text(wordbook *w, bag *b, const char *s, size_t n);
void add_identity(app *a, identities *to, const char *s, size_t n);
int *mark_stops(const wordbook *w);
void label_texts(app *a, task *t, const dictionary *labels);

/* ---- stops.c ---- */

extern const char *const english_stops[];
extern const size_t n_english_stops;
void print_stops(void);

/* ---- folder.c ---- */

int is_folder(const char *path);
int is_jsonl(const char *path);
void read_folder(app *a, reading *run, task *t);

/* ---- vocabulary.c ---- */

void settle_texts(app *a, reading *run, tasks *all, int separate);
void place_words(app *a, const wordbook *book, task *t, dictionary *known,
                 const char *const *names);

/* ---- weights.c ---- */

int has_texts(const tasks *all);
void weigh_texts(app *a, settings *set, const tasks *all, int counted);
void find_balance(app *a, const tasks *all, scaling *s);
void scale_numbers(const task *t, const scaling *s);

#endif
