/* SPDX-License-Identifier: MIT
 *
 * tokens.c - the words of a text
 *
 * A word is a longest run of letters, or of letters and digits that begins with
 * a letter, in small letters.  Scripts without spaces have none: there each
 * character is a word, and so is each pair of neighbors.  Words are counted as
 * they stand; which of them are left out, and their stems, is decided once for
 * each word when all texts are read.
 */
#include "texts.h"

#include "markup.h"

#include <string.h>

/* ---- rules ---- */

/* The word_length of the rules as two numbers; 0: it is none. */
int settle_length(text_rules *r)
{
    uint64_t low, high;
    const char *end;
    if (!whole_at(r->word_length, MOST_LETTERS, &low, &end) || *end != '-' ||
        !whole_at(end + 1, MOST_LETTERS, &high, &end) || *end != '\0' ||
        low < 1 || high < low)
        return 0;
    r->shortest = (size_t)low;
    r->longest = (size_t)high;
    return 1;
}

/* The words of a file, in small letters. */
static words read_stops(app *a, const char *path)
{
    const text_rules plain = {.markup = "none", .stem = "none", .stop = "none",
                              .token = "alnum", .shortest = 1,
                              .longest = MOST_LETTERS};
    words list = {0, 0, NULL};
    wordbook *w = new_wordbook(a, &plain);
    bag b = {.n = 0};
    const char *s = read_file(a, path);
    add_text(w, &b, s, strlen(s));
    for (size_t i = 0; i < w->words.n; i++)
        add_name(a, &list, w->words.word[i]);
    return list;
}

/* By the options; what a command does not have is as by default. */
static text_rules rules_of(app *a, const settings *set)
{
    text_rules r = {
        .markup = set->markup != NULL ? set->markup : "none",
        .token = set->token != NULL ? set->token : "letters",
        .stem = set->stem != NULL ? set->stem : "none",
        .word_length = set->word_length != NULL ? set->word_length : "2-25",
        .stop = set->stop};
    if (!settle_length(&r))
        fail(a, BAD_USAGE, "--word-length %s: expected A-B, letters from 1 to "
             "%d", r.word_length, MOST_LETTERS);
    if (r.stop != NULL && !is(r.stop, "english") && !is(r.stop, "none")) {
        r.stops = read_stops(a, set->stop);
        r.stop = "list";
    }
    return r;
}

/* flag [words of the book]: 1 for those that are left out. */
int *mark_stops(const wordbook *w)
{
    const text_rules *r = &w->rules;
    int english = is(r->stop, "english");
    const char *const *list = english ? english_stops : r->stops.at;
    size_t n = english ? n_english_stops : r->stops.n;
    int *flag = TAKE(w->a, w->words.n, int);
    for (size_t i = 0; i < n; i++) {
        size_t number = find_word(&w->words, list[i], strlen(list[i]));
        if (number != MTC_NONE)
            flag[number] = 1;
    }
    return flag;
}

wordbook *new_wordbook(app *a, const text_rules *rules)
{
    wordbook *w = TAKE(a, 1, wordbook);
    w->a = a;
    w->rules = *rules;
    w->words.lent = 1;
    w->html = strstr(rules->markup, "html") != NULL;
    w->mail = strstr(rules->markup, "mail") != NULL;
    w->digits = is(rules->token, "alnum");
    for (uint32_t c = 0; c < 128; c++)
        if (kind_of_letter(c) == LETTER_OF_WORD)
            w->small[c] = (char)small_letter(c);
    return w;
}

/* The one of a run, which the first text makes. */
wordbook *book_of(app *a, reading *run)
{
    if (run->book == NULL) {
        text_rules rules = rules_of(a, run->set);
        run->book = new_wordbook(a, &rules);
    }
    return run->book;
}

/* ---- one text ---- */

typedef struct scanner {
    wordbook *w;
    bag *b;
    char word[4 * MOST_LETTERS + 8];
    size_t bytes, letters;          /* of the word under way */
    char before[4];                 /* a character that is a word by itself */
    size_t before_bytes;            /* 0: none stands before */
    int english, the;
} scanner;

static void count_word(scanner *s, const char *word, size_t n)
{
    wordbook *w = s->w;
    bag *b = s->b;
    size_t known = w->words.n;
    size_t number = number_word(w->a, &w->words, word, n);
    if (number == known) {
        GROW(w->a, w->last, number, w->room_last);
        w->last[number].text = 0;
        if (w->left <= n) {
            w->left = 1 << 14;
            w->free = TAKE(w->a, w->left, char);
        }
        w->words.word[number] = memcpy(w->free, word, n);
        w->free += n + 1;
        w->left -= n + 1;
    }
    last_use *last = &w->last[number];
    if (last->text == w->texts) {
        b->count[last->place] += 1;
        return;
    }
    size_t used = b->row[b->n + 1]++;
    GROW(w->a, b->word, used, b->room_word);
    GROW(w->a, b->count, used, b->room_count);
    b->word[used] = (uint32_t)number;
    b->count[used] = 1;
    last->text = w->texts;
    last->place = used;
}

/* Hardly an English text lacks all five of these words.  German and Dutch have
 * "in" or "of", too, but neither "the" nor "and". */
static void tell_english(scanner *s)
{
    const char *w = s->word;
    size_t n = s->bytes;
    int the = n == 3 && (memcmp(w, "the", 3) == 0 || memcmp(w, "and", 3) == 0);
    s->the |= the;
    s->english |= the ||
                  (n == 2 && (memcmp(w, "of", 2) == 0 ||
                              memcmp(w, "to", 2) == 0 ||
                              memcmp(w, "in", 2) == 0));
}

static void end_word(scanner *s)
{
    const text_rules *r = &s->w->rules;
    tell_english(s);
    if (s->letters >= r->shortest && s->letters <= r->longest)
        count_word(s, s->word, s->bytes);
    s->bytes = s->letters = 0;
    s->before_bytes = 0;                        /* it parts those around it */
}

/* A character of Chinese, Japanese, Thai. */
static void take_alone(scanner *s, uint32_t c)
{
    char pair[8];
    memcpy(pair, s->before, s->before_bytes);
    size_t n = utf8_put(c, pair + s->before_bytes);
    const char *own = pair + s->before_bytes;
    count_word(s, own, n);
    if (s->before_bytes > 0)
        count_word(s, pair, s->before_bytes + n);
    memcpy(s->before, own, n);
    s->before_bytes = n;
}

/* Letters of ASCII, which most are; where they end. */
static const char *take_ascii(scanner *s, const char *at, const char *end)
{
    const wordbook *w = s->w;
    size_t longest = w->rules.longest;
    for (; at < end && (unsigned char)*at < 0x80; at++) {
        char small = w->small[(unsigned char)*at];
        if (small == '\0')
            break;
        s->letters++;
        if (s->letters <= longest)
            s->word[s->bytes++] = small;
    }
    return at;
}

static void scan(scanner *s, const char *at, const char *end)
{
    const wordbook *w = s->w;
    for (at = take_ascii(s, at, end); at < end; at = take_ascii(s, at, end)) {
        uint32_t c = utf8_next(&at, end);
        letter_kind kind = kind_of_letter(c);
        if (kind == LETTER_OF_WORD ||
            (kind == LETTER_DIGIT && w->digits && s->letters > 0)) {
            s->letters++;           /* of too many only the first are kept */
            if (s->letters <= w->rules.longest)
                s->bytes += utf8_put(small_letter(c), s->word + s->bytes);
        } else if (s->letters > 0) {
            end_word(s);
        }
        if (kind == LETTER_ALONE)
            take_alone(s, c);
        else
            s->before_bytes = 0;
    }
    if (s->letters > 0)
        end_word(s);
}

/* Appends a name that ends in NUL. */
void add_identity(app *a, identities *to, const char *s, size_t n)
{
    while (to->room < to->length + n + 1)
        GROW(a, to->text, to->room, to->room);
    GROW(a, to->at, to->n, to->room_at);
    memcpy(to->text + to->length, s, n);
    to->text[to->length + n] = '\0';
    to->at[to->n++] = to->length;
    to->length += n + 1;
}

/* The first characters of a text; what is no character that can be seen is a
 * space, of which one is kept. */
static void keep_opening(wordbook *w, bag *b, const char *s, size_t n)
{
    char opening[4 * OPENING_LETTERS + 1];
    const char *at = s;
    size_t bytes = 0;
    for (size_t letters = 0; letters < OPENING_LETTERS && at < s + n;) {
        uint32_t c = utf8_next(&at, s + n);
        int space = c <= ' ' || (c >= 0x7f && c <= 0xa0);
        if (space && (bytes == 0 || opening[bytes - 1] == ' '))
            continue;
        bytes += utf8_put(space ? ' ' : c, opening + bytes);
        letters++;
    }
    while (bytes > 0 && opening[bytes - 1] == ' ')
        bytes--;
    add_identity(w->a, &b->opening, opening, bytes);
}

/* Counts the words of one text, which ends in NUL. */
void add_text(wordbook *w, bag *b, const char *s, size_t n)
{
    app *a = w->a;
    scanner scan_it = {.w = w, .b = b};
    if (n >= 3 && memcmp(s, "\xef\xbb\xbf", 3) == 0) {  /* byte order mark */
        s += 3;
        n -= 3;
    }
    w->converted.length = 0;
    if (!utf8_valid(s, n)) {
        put_utf8(a, &w->converted, s);
        b->latin1++;
    } else if (w->mail || w->html) {
        add_bytes(a, &w->converted, s, n);
    }
    if (w->converted.length > 0) {
        char *own = w->converted.at;
        n = w->converted.length;
        n = w->mail ? without_headers(own, n) : n;
        n = w->html ? without_html(own, n) : n;
        s = own;
    }
    GROW(a, b->row, b->n + 1, b->room_row);
    if (b->n == 0)
        b->row[0] = 0;
    GROW(a, b->word, b->row[b->n], b->room_word);   /* also if none comes */
    GROW(a, b->count, b->row[b->n], b->room_count);
    b->row[b->n + 1] = b->row[b->n];
    if (w->texts == UINT32_MAX)
        fail(a, BAD_DATA, "more than four billion texts");
    w->texts++;
    scan(&scan_it, s, s + n);
    keep_opening(w, b, s, n);
    b->english += (size_t)scan_it.english;
    b->the += (size_t)scan_it.the;
    b->n++;
}

/* ---- labels ---- */

/* Labels of t, numbers of words so far: whole numbers if all of them are, else
 * classes of the run. */
void label_texts(app *a, task *t, const dictionary *labels)
{
    int *value = TAKE(a, labels->n, int), whole = 1;
    for (size_t i = 0; i < labels->n; i++) {
        const char *end;
        whole &= label_at(labels->word[i], &value[i], &end) == NULL &&
                 *end == '\0';
    }
    for (size_t i = 0; i < t->n; i++)
        if (t->truth[i] >= 0)                   /* else its row will go */
            t->truth[i] = whole ? value[t->truth[i]]
                                : class_number(a, labels->word[t->truth[i]]);
    pool_release(value);
    note_labels(a, t, !whole);
}
