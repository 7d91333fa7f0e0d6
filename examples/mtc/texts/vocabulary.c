/* SPDX-License-Identifier: MIT
 *
 * vocabulary.c - which words are features, and rows of their counts
 *
 * Stop words go, the others become their stems; kept are those that are neither
 * in too few texts nor in too many, the most frequent of them.  Features stand
 * in the order of bytes of their words, behind the numbers of a table that
 * --use names.  Bags are rewritten in place: their arrays become the task's.
 */
#include "texts.h"

#include "stem.h"

#include <stdlib.h>
#include <string.h>

/* Tasks that share their features, and how their words become these. */
typedef struct selection {
    app *a;
    const wordbook *book;
    task *at;                       /* [n] */
    size_t n, texts;
    dictionary stems;
    size_t *texts_with;             /* [stems] */
} selection;

/* ---- from words to stems ---- */

static int is_plain(const char *s)
{
    while (*s >= 'a' && *s <= 'z')
        s++;
    return *s == '\0';
}

/* What each word of the book becomes [words]: the number of its stem, or
 * NO_WORD.  `adds`: stems that are new are added. */
static uint32_t *find_stems(app *a, const wordbook *book, dictionary *stems,
                            int adds)
{
    int english = is(book->rules.stem, "english");
    int *stop = mark_stops(book);
    uint32_t *to = TAKE(a, book->words.n, uint32_t);
    for (size_t i = 0; i < book->words.n; i++) {
        const char *word = book->words.word[i];
        char stem[4 * MOST_LETTERS + 8];
        size_t n = strlen(word), number = MTC_NONE;
        memcpy(stem, word, n + 1);
        if (english && is_plain(word))
            n = stem_english(stem, n);
        if (n > 0 && !stop[i])
            number = adds ? number_word(a, stems, stem, n)
                          : find_word(stems, stem, n);
        to[i] = number == MTC_NONE ? NO_WORD : (uint32_t)number;
    }
    pool_release(stop);
    return to;
}

/* Words become what `to` makes of them, below n, and counts of the same are
 * added up; NO_WORD goes, and so do rows that are no samples. */
static void rename_words(app *a, task *t, const uint32_t *to, size_t n)
{
    bag *b = t->bag;
    last_use *last = TAKE(a, n, last_use);
    size_t used = 0, end = 0;
    for (size_t i = 0; i < t->n; i++) {
        size_t row = b->n > t->n ? sample_row(t, i) : i;
        size_t begin = row > i ? b->row[row] : end;
        end = b->row[row + 1];
        for (size_t p = begin; p < end; p++) {
            uint32_t word = to[b->word[p]];
            if (word == NO_WORD)
                continue;
            if (last[word].text == i + 1) {
                b->count[last[word].place] += b->count[p];
                continue;
            }
            last[word].text = (uint32_t)(i + 1);
            last[word].place = used;
            b->word[used] = word;
            b->count[used++] = b->count[p];
        }
        b->row[i + 1] = used;
    }
    b->n = t->n;
    pool_release(last);
}

static void count_texts(selection *s)
{
    s->texts_with = TAKE(s->a, s->stems.n, size_t);
    for (size_t t = 0; t < s->n; t++) {
        const bag *b = s->at[t].bag;
        for (size_t p = 0; p < b->row[b->n]; p++)
            s->texts_with[b->word[p]]++;
        s->texts += b->n;
    }
}

/* ---- choosing ---- */

/* A word that may be kept. */
typedef struct candidate {
    const char *word;               /* what compare_words looks at */
    size_t texts;
    uint32_t number;
} candidate;

/* Most texts first; then by bytes. */
static int compare_texts(const void *x, const void *y)
{
    const candidate *p = (const candidate *)x, *q = (const candidate *)y;
    return p->texts != q->texts ? (p->texts < q->texts) - (p->texts > q->texts)
                                : strcmp(p->word, q->word);
}

/* The words that are features, in order; *kept of them. */
static candidate *choose_words(const selection *s, const settings *set,
                               size_t *kept)
{
    const dictionary *d = &s->stems;
    size_t least = set->min_texts > 0 ? set->min_texts : 2, n = 0;
    double share = set->max_share > 0 ? set->max_share : 0.5;
    size_t most = set->vocabulary > 0 ? set->vocabulary : 10000;
    candidate *list = TAKE(s->a, d->n, candidate);
    for (size_t i = 0; i < d->n; i++) {
        size_t texts = s->texts_with[i];
        candidate c = {d->word[i], texts, (uint32_t)i};
        if (texts >= least && (double)texts / (double)s->texts <= share)
            list[n++] = c;
    }
    if (n == 0)
        fail(s->a, BAD_DATA, "%s: no word is left: none is in at least %zu "
             "texts and at most %g of %zu; see --min-texts, --max-share and "
             "`mtc help texts`", s->at[0].file, least, share, s->texts);
    if (n > most)
        qsort(list, n, sizeof *list, compare_texts);
    *kept = n < most ? n : most;
    qsort(list, *kept, sizeof *list, compare_words);
    return list;
}

/* ---- rows ---- */

/* Words [n] with their counts in the lower halves, in the order of 7 bits. */
static void sort_by_bits(const uint64_t *from, size_t n, int shift,
                         uint64_t *to)
{
    size_t at[129] = {0};
    for (size_t p = 0; p < n; p++)
        at[(from[p] >> shift & 127) + 1]++;
    for (int k = 1; k < 128; k++)
        at[k] += at[k - 1];
    for (size_t p = 0; p < n; p++)
        to[at[from[p] >> shift & 127]++] = from[p];
}

/* The words of each row, below d, in ascending order. */
static void sort_rows(app *a, bag *b, size_t d)
{
    size_t room = 0;
    for (size_t i = 0; i < b->n; i++)
        room = b->row[i + 1] - b->row[i] > room ? b->row[i + 1] - b->row[i]
                                                : room;
    uint64_t *from = TAKE(a, room, uint64_t), *to = TAKE(a, room, uint64_t);
    for (size_t i = 0; i < b->n; i++) {
        uint32_t *word = b->word + b->row[i];
        mtc_real *count = b->count + b->row[i];
        size_t n = b->row[i + 1] - b->row[i];
        for (size_t p = 0; p < n; p++)
            from[p] = (uint64_t)word[p] << 32 | (uint32_t)count[p];
        for (int shift = 32; d >> (shift - 32) > 0; shift += 7) {
            sort_by_bits(from, n, shift, to);
            uint64_t *sorted = to;
            to = from;
            from = sorted;
        }
        for (size_t p = 0; p < n; p++) {
            word[p] = (uint32_t)(from[p] >> 32);
            count[p] = (mtc_real)(from[p] & UINT32_MAX);
        }
    }
    pool_release(from);
    pool_release(to);
}

/* The numbers of a table before the words of each row. */
static void put_numbers_before(app *a, task *t, size_t m)
{
    const bag *b = t->bag;
    size_t stored = b->row[b->n] + t->n * m;
    mtc_real *values = TAKE(a, stored, mtc_real);
    uint32_t *column = TAKE(a, stored, uint32_t);
    size_t *row = TAKE(a, t->n + 1, size_t), used = 0;
    for (size_t i = 0; i < t->n; i++) {
        for (size_t j = 0; j < m; j++) {
            column[used] = (uint32_t)j;
            values[used++] = t->values[i * m + j];
        }
        for (size_t p = b->row[i]; p < b->row[i + 1]; p++) {
            column[used] = (uint32_t)(m + b->word[p]);
            values[used++] = b->count[p];
        }
        row[i + 1] = used;
    }
    t->values = values;
    t->column = column;
    t->row = row;
}

/* The bag becomes the sparse rows of the task, of d features. */
static void fill_task(app *a, task *t, size_t d, const char *const *names)
{
    bag *b = t->bag;
    t->numbers = t->table ? t->d : 0;
    sort_rows(a, b, d);
    if (t->numbers > 0) {
        put_numbers_before(a, t, t->numbers);
    } else {
        t->values = b->count;
        t->column = b->word;
        t->row = b->row;
    }
    for (size_t i = 0; i < b->n; i++)
        t->wordless += b->row[i] == b->row[i + 1];
    t->d = t->own = d;
    t->word = names;
    t->table = 0;
}

/* Names of all features: of numbers, then words. */
static const char **feature_list(app *a, const task *t, size_t n,
                              const candidate *kept)
{
    size_t m = t->table ? t->d : 0;
    const char **names = TAKE(a, m + n, const char *);
    for (size_t j = 0; j < m; j++)
        names[j] = t->feature[j].name;
    for (size_t j = 0; j < n; j++)
        names[m + j] = kept[j].word;
    return names;
}

/* ---- what is said ---- */

/* English by default where more than half of the texts look so, and a tenth
 * has words that no other language has. */
static void settle_stops(app *a, wordbook *w, const tasks *all)
{
    size_t texts = 0, english = 0, the = 0;
    if (w->rules.stop != NULL)
        return;
    for (size_t t = 0; t < all->n; t++)
        if (all->at[t].bag != NULL) {
            texts += all->at[t].bag->n;
            english += all->at[t].bag->english;
            the += all->at[t].bag->the;
        }
    int is_english = 2 * english > texts && 10 * the > texts;
    w->rules.stop = is_english ? "english" : "none";
    if (is_english)
        inform(a, "stop-words", NULL, "the texts are taken for English (most "
               "have the, of, and, to or in): %zu words that say nothing of a "
               "topic are left out; --stop none keeps them",
               n_english_stops);
}

/* ---- all of it ---- */

/* Words of the bag become features behind its m numbers, below n: all that is
 * left to do for one task. */
static void finish_task(app *a, task *t, const uint32_t *to, size_t n,
                        const char *const *names)
{
    size_t latin = t->bag->latin1;
    if (latin > 0)
        inform(a, "latin-1", NULL, "%s: %zu of %zu texts %s not UTF-8 and %s "
               "read as Latin-1", t->file, latin, t->n,
               latin == 1 ? "is" : "are", latin == 1 ? "is" : "are");
    rename_words(a, t, to, n);
    fill_task(a, t, (t->table ? t->d : 0) + n, names);
    if (t->wordless > 0)
        inform(a, "wordless", NULL, "%s: %zu of %zu texts %s no word that is "
               "kept, so %s", t->file, t->wordless, t->n,
               t->wordless == 1 ? "has" : "have",
               t->wordless == 1 ? "its row is 0" : "their rows are 0");
}

/* Tasks with one vocabulary. */
static void settle_side(app *a, const reading *run, task *at, size_t n)
{
    selection s = {.a = a, .book = run->book, .at = at, .n = n};
    size_t kept = 0;
    uint32_t *to = find_stems(a, run->book, &s.stems, 1);
    for (size_t t = 0; t < n; t++)
        rename_words(a, &at[t], to, s.stems.n);
    pool_release(to);
    count_texts(&s);
    candidate *list = choose_words(&s, run->set, &kept);
    uint32_t *feature = TAKE(a, s.stems.n, uint32_t);
    memset(feature, 0xff, s.stems.n * sizeof *feature);
    for (size_t j = 0; j < kept; j++)
        feature[list[j].number] = (uint32_t)j;
    const char **names = feature_list(a, &at[0], kept, list);
    for (size_t t = 0; t < n; t++) {
        finish_task(a, &at[t], feature, kept, names);
        at[t].bag->book = run->book;
    }
    pool_release(s.texts_with);
    pool_release(list);
    pool_release(feature);
}

/* Every task of a side has texts, and the same numbers beside them. */
static void check_side(app *a, const task *at, size_t n)
{
    const task *with = NULL, *without = NULL;
    for (size_t t = 0; t < n; t++)
        if (at[t].bag != NULL)
            with = &at[t];
        else
            without = &at[t];
    if (with == NULL)
        return;
    if (without != NULL)
        fail(a, BAD_DATA, "%s has texts, %s has none: they share no features",
             with->file, without->file);
    for (size_t t = 1; t < n; t++)
        if ((at[t].table ? at[t].d : 0) != (at[0].table ? at[0].d : 0))
            fail(a, BAD_DATA, "%s has %zu numbers beside its texts, %s %zu",
                 at[0].file, at[0].d, at[t].file, at[t].d);
}

/* Texts become rows: one vocabulary for all tasks; if the target of a transfer
 * has features of its own, another for that. */
void settle_texts(app *a, reading *run, tasks *all, int separate)
{
    size_t first = separate && run->set->source.n > 0 ? all->n - 1 : all->n;
    if (run->book == NULL)
        return;
    if (run->set->names != NULL)
        fail(a, BAD_USAGE, "--names: features of texts are named by their "
             "words");
    settle_stops(a, run->book, all);
    check_side(a, all->at, first);
    check_side(a, all->at + first, all->n - first);
    if (first > 0 && all->at[0].bag != NULL)
        settle_side(a, run, all->at, first);
    if (first < all->n && all->at[first].bag != NULL)
        settle_side(a, run, all->at + first, all->n - first);
}

/* The texts of t in the features of a model: `known` has its words, which stand
 * behind the numbers. */
void place_words(app *a, const wordbook *book, task *t, dictionary *known,
                 const char *const *names)
{
    uint32_t *to = find_stems(a, book, known, 0);
    finish_task(a, t, to, known->n, names);
    pool_release(to);
}
