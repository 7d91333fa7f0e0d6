/* SPDX-License-Identifier: MIT
 *
 * table.c - a table becomes a task
 *
 * Parted into cells, looked at column by column, each column given its role;
 * then every cell is read once more, as what its column is.  A missing value
 * is NaN until all files are read.
 */
#include "csv.h"
#include "../texts/texts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- labels ---- */

/* The words of the labels, and what is missing. */
typedef struct label_words {
    dictionary words;
    size_t unlabeled;
} label_words;

/* Without the .0 or ,0 that pandas writes behind whole numbers if one is
 * missing. */
static size_t whole_length(const char *s)
{
    size_t n = strlen(s), sign = *s == '-';
    size_t whole = sign + strspn(s + sign, "0123456789");
    return whole > sign && whole + 2 == n && strchr(".,", s[whole]) != NULL &&
           s[whole + 1] == '0' ? whole : n;
}

static size_t number_of(app *a, dictionary *d, const char *s, size_t n)
{
    const char *own = in_utf8(a, s);
    return number_word(a, d, own, own == s ? n : strlen(own));
}

/* 0: the row goes. */
static int take_label(csv *c, size_t i, const char *cell, label_words *l)
{
    task *t = c->t;
    const char *s = cell_text(cell);
    int missing = is_missing_cell(c, cell), drop = is(c->set->missing, "drop");
    t->truth[i] = missing ? -1 : (int)number_of(c->a, &l->words, s,
                                                whole_length(s));
    if (!missing)
        return 1;
    if (!teaches(c->run, c->file) && !drops_unlabeled(c->run, c->file)) {
        l->unlabeled++;
        return 1;
    }
    if (!drop)
        fail(c->a, BAD_DATA, "%s:%zu: the label %s: %s", c->file, line_of(c, i),
             *s == '\0' ? "is empty" : "is a mark of missing values",
             c->run->labels_only
                 ? "score needs one in every row"
                 : "--missing drop leaves such rows out, --labels none all "
                   "labels");
    return 0;
}

/* Labels count if no row lacks one. */
static void settle_labels(csv *c, const label_words *l)
{
    task *t = c->t;
    if (l->unlabeled == 0) {
        label_texts(c->a, t, &l->words);
        return;
    }
    inform(c->a, "unlabeled", NULL, "%s: %zu of %zu labels %s missing, so that "
           "the file is not scored", c->file, l->unlabeled, t->n,
           l->unlabeled == 1 ? "is" : "are");
    t->truth = NULL;
}

/* ---- words that --onehot names ---- */

/* The number of a word in its column; whole numbers are as pandas writes them
 * where none is missing. */
static size_t hot_number(const csv *c, const attribute *k, const char *word)
{
    return number_of(c->a, &c->run->hot[k->hot], word, whole_length(word));
}

/* The words of column j are features. */
void keep_words(csv *c, size_t j)
{
    const dictionary *d = &c->cells[j].values;
    for (size_t w = 0; w < d->n; w++)
        hot_number(c, &c->head.column[j], d->word[w]);
}

/* The place of each word in the order of all. */
static size_t *word_ranks(app *a, const dictionary *d)
{
    const char **sorted = COPY(a, d->word, d->n, const char *);
    size_t *rank = TAKE(a, d->n, size_t);
    qsort(sorted, d->n, sizeof *sorted, compare_words);
    for (size_t i = 0; i < d->n; i++)
        rank[find_word(d, sorted[i], strlen(sorted[i]))] = i;
    pool_release(sorted);
    return rank;
}

/* A word as a 1 among 0; a hole stays one. */
static void take_word(const csv *c, const attribute *k, const char *cell,
                      mtc_real *to)
{
    int hole = is_missing_cell(c, cell);
    for (size_t w = 0; w < c->run->hot[k->hot].n; w++)
        to[w] = hole ? (mtc_real)NAN : 0;
    if (!hole)
        to[c->run->rank[k->hot][hot_number(c, k, cell_text(cell))]] = 1;
}

/* The features that a column of words is. */
static void name_words(const csv *c, const attribute *k, attribute *to)
{
    const dictionary *d = &c->run->hot[k->hot];
    for (size_t w = 0; w < d->n; w++) {
        attribute *own = &to[c->run->rank[k->hot][w]];
        *own = *k;
        own->name = formed(c->a, "%s=%s", k->name, d->word[w]);
        own->word = d->word[w];
    }
}

/* ---- texts ---- */

/* The columns of --text of a record as one text. */
static void take_text(csv *c, const char *record)
{
    app *a = c->a;
    task *t = c->t;
    wordbook *w = book_of(a, c->run);
    size_t turns = 0;
    for (size_t j = 0; j < c->width; j++)
        turns += c->head.column[j].role == AS_TEXT;
    if (turns == 0)
        return;
    if (t->bag == NULL)
        t->bag = TAKE(a, 1, bag);
    w->buffer.length = 0;
    for (size_t turn = 1; turn <= turns; turn++) {
        const char *s = record;
        for (size_t j = 0; j < c->width; j++, s = next_cell(s)) {
            if (c->head.column[j].turn != turn || is_missing_cell(c, s))
                continue;
            add_bytes(a, &w->buffer, cell_text(s), strlen(cell_text(s)));
            add_bytes(a, &w->buffer, "\n", 1);
        }
    }
    add_text(w, t->bag, w->buffer.length > 0 ? w->buffer.at : "",
             w->buffer.length);
}

/* ---- rows ---- */

/* Ends the program: a table of only numbers has this text. */
static APP_NORETURN void refuse_text(const csv *c, size_t i, size_t j,
                                     const char *s)
{
    text shown = {NULL, 0, 0};
    put(c->a, &shown, *s == '\0' ? "is empty" : "'%.*s', is not a number",
        some_bytes(s, strlen(s)), s);
    fail(c->a, BAD_DATA, "%s:%zu: column %zu%s%s%s%s %s", c->file, line_of(c, i),
         j + 1, c->head.header ? " (" : "",
         c->head.header ? c->head.column[j].name : "",
         c->head.header ? ")" : "", *s == '\0' ? "" : ",", shown.at);
}

static void keep_identity(csv *c, identities *to, const char *s)
{
    s = in_utf8(c->a, s);
    add_identity(c->a, to, s, strlen(s));
}

/* The cell behind a number, as most are; NULL: it is none, or it may be a word
 * for missing or of a pair. */
static const char *take_number(const csv *c, const attribute *k, const char *s,
                               mtc_real *to)
{
    double x;
    if (k->pair > 0 || (c->set != NULL && c->set->missing_word.n > 0))
        return NULL;
    const char *end = decimal_at(s, c->decimal, &x);
    if (end == s || *end != '\0' || !(fabs(x) <= APP_REAL_MAX))
        return NULL;
    *to = (mtc_real)x;
    return end + 1;
}

/* Record i, each cell as what its column is; what stands behind it. */
static const char *take_row(csv *c, size_t i, const char *record,
                            label_words *labels)
{
    task *t = c->t;
    mtc_real *row = t->values + i * t->d;
    const char *s = record, *next;
    int whole = 1;
    for (size_t j = 0; j < c->width; j++, s = next) {
        const attribute *k = &c->head.column[j];
        const char *own = cell_text(s);
        mtc_real *to = row + c->place[j];
        if (k->role == AS_FEATURE &&
            (next = take_number(c, k, own, to)) != NULL)
            continue;
        next = next_cell(s);
        if (k->role == AS_FEATURE && c->set == NULL)
            refuse_text(c, i, j, own);
        else if (k->role == AS_FEATURE)
            *to = cell_value(c, j, s);
        else if (k->role == AS_WORDS)
            take_word(c, k, s, to);
        else if (k->role == AS_LABEL)
            whole = take_label(c, i, s, labels);
        else if (k->role == AS_SPLIT)
            keep_identity(c, &t->part, own);
        else if (k->role == AS_ID || (k->role == AS_INDEX && t->id_words))
            keep_identity(c, &t->id, own);
    }
    if (c->set != NULL && c->set->text.n > 0)
        take_text(c, record);
    if (!whole && t->goes == NULL)
        t->goes = TAKE(c->a, c->n, char);
    if (!whole)
        t->goes[i] = 1;
    return s;
}

/* ---- columns ---- */

/* Which columns are features, and what an index has to say. */
static void settle_features(csv *c)
{
    task *t = c->t;
    for (size_t p = 0; p < c->width; p++) {
        size_t j = c->order[p];
        const attribute *k = &c->head.column[j];
        size_t hot = k->role == AS_WORDS ? c->run->hot[k->hot].n : 0;
        if (k->role == AS_WORDS && hot == 0 && !c->run->describes)
            refuse_void(c->a, t, k);
        c->place[j] = t->d;
        t->d += k->role == AS_FEATURE ? 1 : hot;
        if (k->role == AS_ID)
            t->id.name = k->name;
        if (k->role == AS_LABEL) {
            t->labels = k->number;
            t->truth = TAKE(c->a, c->n, int);
        }
        if (k->role == AS_INDEX) {
            t->unnamed = 1;
            t->id_words = c->cells[j].words > 0 && c->set->id == NULL;
            if (t->id_words)
                t->id.name = "id";
        }
    }
    t->values = TAKE(c->a, c->n * t->d, mtc_real);
}

/* What is known of them once all rows are read. */
static void keep_columns(csv *c)
{
    task *t = c->t;
    t->feature = TAKE(c->a, t->d, attribute);
    t->left = TAKE(c->a, c->width, attribute);
    for (size_t j = 0; j < c->width; j++) {
        const attribute *k = &c->head.column[j];
        if (k->role == AS_FEATURE)
            t->feature[c->place[j]] = *k;
        else if (k->role == AS_WORDS)
            name_words(c, k, t->feature + c->place[j]);
        else if (c->set != NULL &&
                 (k->why != NULL || (c->head.header && !k->unnamed)) &&
                 (k->role == AS_NOTHING || k->role == AS_ID))
            t->left[t->n_left++] = *k;
    }
}

/* Reads a table into t, whose file is set, as far as its columns are known;
 * their values come once all files are judged. */
void read_table(app *a, reading *run, task *t)
{
    words names = {0, 0, NULL};
    csv *c = t->sheet = TAKE(a, 1, csv);
    c->a = a;
    c->run = run;
    c->set = run->set;
    c->t = t;
    c->file = c->head.file = t->file;
    c->decimal = '.';
    if (is_jsonl(t->file))
        read_lines(c, &names);
    else
        read_sheet(c);
    if (c->n == 0)
        return;
    c->head.line = t->line = line_of(c, 0);
    c->head.header = t->header = is_jsonl(t->file) || read_header(c, &names);
    if (c->n == 0)
        return;
    t->table = 1;
    t->n = t->rows = c->n;
    c->head.width = c->width;
    settle_columns(a, run, &c->head, &names);
    c->cells = TAKE(a, c->width, cells);
    c->place = TAKE(a, c->width, size_t);
    c->order = TAKE(a, c->width, size_t);
    for (size_t j = 0; j < c->width; j++)
        c->order[j] = j;
    if (c->set != NULL) {
        if (!is_jsonl(t->file))
            leave_out_total(c);
        survey(c);
    }
}

/* The values of the table, whose columns are judged. */
static void fill_table(csv *c)
{
    task *t = c->t;
    label_words labels = {.unlabeled = 0};
    for (size_t j = 0; j < c->width; j++) {
        pool_release(c->cells[j].different.word);   /* they may be all cells */
        pool_release(c->cells[j].different.slot);
    }
    t->n = t->rows = c->n;
    settle_features(c);
    const char *record = c->text;
    for (size_t i = 0; i < c->n; i++)
        record = take_row(c, i, record, &labels);
    keep_columns(c);
    if (c->latin)
        inform(c->a, "latin-1", NULL, "%s: words are not UTF-8 and are read as "
               "Latin-1", c->file);
    if (t->truth != NULL)
        settle_labels(c, &labels);
}

/* All tables that were read get their values. */
void settle_tables(app *a, reading *run, const tasks *all)
{
    refuse_faults(a, run);
    run->rank = TAKE(a, run->hot_name.n, size_t *);
    for (size_t h = 0; h < run->hot_name.n; h++)
        run->rank[h] = word_ranks(a, &run->hot[h]);
    for (size_t i = 0; i < all->n; i++) {
        task *t = &all->at[i];
        if (t->sheet == NULL)
            continue;
        t->sheet->t = t;
        if (t->table)
            fill_table(t->sheet);
        if (t->table && t->d == 0 && t->bag == NULL && !run->labels_only &&
            !run->describes && run->widest == 0)
            refuse_empty(t->sheet);
        if (is(run->set != NULL ? run->set->labels : NULL, "none"))
            t->truth = NULL;
        if (run->describes)
            continue;
        pool_release(t->sheet->jump);
        pool_release(t->sheet->held);
        t->sheet = NULL;
    }
}
