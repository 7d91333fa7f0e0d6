/* SPDX-License-Identifier: MIT
 *
 * fit.c - new files in the features of a model
 *
 * A table goes by the names of its columns where both it and the model have
 * some; else by position, if it has as many columns as the model has features
 * or as its training data had; else it is refused.  LIBSVM text goes by index,
 * or by --names.  A name may differ in case and spaces.  A file that lacks a
 * feature is refused; columns that the model does not know, words that are new
 * in a column of words, and columns of LIBSVM text that the training data never
 * used are left out, and said so: they are as far from all clusters.
 */
#include "model.h"

#include <ctype.h>
#include <string.h>

/* The model's features by name, and names that --names gives. */
typedef struct fitting {
    app *a;
    const model *m;
    const settings *set;
    dictionary known;               /* empty: the model has no names */
    words listed;
    size_t d;                       /* features that are columns */
} fitting;

/* Are two names the same but for case and spaces? */
static int are_alike(const char *x, const char *y)
{
    for (;; x++, y++) {
        x += strspn(x, " ");
        y += strspn(y, " ");
        if (tolower((unsigned char)*x) != tolower((unsigned char)*y))
            return 0;
        if (*x == '\0')
            return 1;
    }
}

/* Has the model a feature of that name? */
static int has_feature(const model *m, const char *name)
{
    size_t f = 0, n = m->names != NULL ? columns_of(m) : 0;
    while (f < n && !are_alike(m->names[f], name))
        f++;
    return f < n;
}

/* Columns of texts, and the numbers beside them. */
static void settle_text_reading(app *a, const model *m, settings *set)
{
    if (set->text.n == 0)
        set->text = m->texts->columns;
    for (size_t f = 0; f < m->texts->numbers; f++) {
        int other = 0;                          /* words, or left out */
        for (size_t h = 0; h < m->n_hot; h++)
            other |= f >= m->hot[h].first && f < m->hot[h].first + m->hot[h].n;
        for (size_t i = 0; i < set->drop.n; i++)
            other |= strcmp(set->drop.at[i], m->names[f]) == 0;
        if (!other)
            add_name(a, &set->use, m->names[f]);
    }
}

/* What the model knows of how its files are read, where no option says it. */
void settle_reading(app *a, const model *m, settings *set)
{
    int filled = 0;
    for (size_t t = 0; t < m->n; t++)
        filled |= m->task[t].fill != NULL;
    if (is(set->missing, "mean") && !filled)
        fail(a, BAD_USAGE, "--missing mean: %s has no means to put in; it was "
             "made without that option", m->file);
    if (set->missing == NULL)
        set->missing = filled ? "mean" : "fail";
    if (set->names != NULL && m->names == NULL)
        fail(a, BAD_USAGE, "--names: the features of %s have none", m->file);
    if (is(set->labels, "auto") &&
        (has_feature(m, "label") || has_feature(m, "class") ||
         has_feature(m, "target")))
        set->labels = "none";
    for (size_t h = 0; h < m->n_hot; h++)
        add_name(a, &set->onehot, m->hot[h].column);
    if (m->first_day != NULL)
        set->dates = "days";
    if (m->texts != NULL)
        settle_text_reading(a, m, set);
}

/* The words that the model knows come first, whatever the files have. */
static reading begin_reading(const fitting *f)
{
    const model *m = f->m;
    reading run = new_reading(f->a, f->set);
    for (size_t h = 0; h < m->n_hot; h++) {
        number_word(f->a, &run.hot_name, m->hot[h].column,
                    strlen(m->hot[h].column));
        GROW(f->a, run.hot, h, run.room_hot);
        memset(&run.hot[h], 0, sizeof *run.hot);
        for (size_t z = 0; z < m->hot[h].n; z++)
            number_word(f->a, &run.hot[h], m->hot[h].word[z],
                        strlen(m->hot[h].word[z]));
    }
    if (m->texts != NULL)
        run.book = new_wordbook(f->a, &m->texts->rules);
    run.needed = m->texts == NULL || f->known.n > 0 ? &f->known : NULL;
    run.left = (const char *const *)m->left;
    run.n_left = m->n_left;
    run.separate = AS_SAVED;
    run.usual = m->decimal != NULL ? *m->decimal : '\0';
    run.widest = f->listed.n > 0      ? f->listed.n
                 : m->columns != NULL ? m->columns[m->d - 1] : m->d;
    return run;
}

static int by_names(const fitting *f, const task *t)
{
    return f->known.n > 0 && (t->header || f->listed.n > 0 ||
                              f->m->n_hot > 0);
}

/* The name of the j-th feature of a file that has names. */
static const char *name_at(const fitting *f, const task *t, size_t j)
{
    return f->listed.n > 0 && !t->header ? f->listed.at[j]
                                         : t->feature[j].name;
}

/* The place of a feature in the model by its name, or MTC_NONE. */
static size_t find_feature(const fitting *f, const char *name)
{
    const char *s = in_utf8(f->a, name);
    return find_word(&f->known, s, strlen(s));
}

/* The one column of d that has no place yet and whose name is alike to that of
 * feature e; MTC_NONE: none, or several. */
static size_t find_alike(const fitting *f, const task *t, size_t d,
                         const size_t *place, size_t e)
{
    size_t found = MTC_NONE;
    for (size_t j = 0; j < d; j++) {
        const char *name = in_utf8(f->a, name_at(f, t, j));
        if (place[j] != MTC_NONE || !are_alike(name, f->m->names[e]))
            continue;
        if (found != MTC_NONE)
            return MTC_NONE;
        found = j;
    }
    return found;
}

/* Has a row that stays the word of feature j? */
static int is_word_in_use(const fitting *f, const task *t, size_t j)
{
    int drop = is(f->set->missing, "drop");
    for (size_t i = 0; i < t->n; i++)
        if (t->values[i * t->d + j] == 1 && !(drop && has_hole(t, i)))
            return 1;
    return 0;
}

/* Names that stand nowhere in the model: a word that is new, or a column. */
static void tell_unknown(const fitting *f, const task *t, const size_t *place,
                         size_t d)
{
    words more = {0, 0, NULL};
    size_t fresh = 0;
    for (size_t j = 0; j < d; j++) {
        const char *name = name_at(f, t, j);
        if (place[j] != MTC_NONE)
            continue;
        if (!t->table || t->feature[j].word == NULL)
            add_name(f->a, &more, name);
        else if (fresh < 3 && is_word_in_use(f, t, j)) {
            inform(f->a, "new-word", NULL,
                   "%s: %s is new to %s and left out", t->file, name,
                   f->m->file);
            fresh++;
        }
    }
    if (more.n > 0)
        guess(f->a, "unknown-columns", &more, "%s: %s %s no feature%s of %s: "
              "left out", t->file, as_values(f->a, &more),
              more.n == 1 ? "is" : "are", more.n == 1 ? "" : "s", f->m->file);
}

/* place [d]: where each feature of t stands in the model; MTC_NONE: nowhere,
 * so that it is left out. */
static void places_by_name(const fitting *f, const task *t, size_t *place)
{
    size_t d = f->listed.n > 0 && !t->table ? f->listed.n : t->d;
    size_t *from = TAKE(f->a, f->d, size_t);
    for (size_t j = 0; j < d; j++) {
        place[j] = find_feature(f, name_at(f, t, j));
        if (place[j] != MTC_NONE && from[place[j]]++ > 0)
            fail(f->a, BAD_DATA, "%s:%zu: two columns are named %s", t->file,
                 t->line, name_at(f, t, j));
    }
    for (size_t e = 0; e < f->d; e++) {
        if (from[e] > 0)
            continue;
        size_t j = find_alike(f, t, d, place, e);
        if (j == MTC_NONE)
            fail(f->a, BAD_DATA, "%s:%zu: no column is named %s, which %s "
                 "needs", t->file, t->line, f->m->names[e], f->m->file);
        place[j] = e;
        guess(f->a, "alike-name", NULL, "%s: column '%s' is taken for %s",
              t->file, name_at(f, t, j), f->m->names[e]);
    }
    tell_unknown(f, t, place, d);
    pool_release(from);
}

/* The same of a table by position. */
static void places_by_number(const fitting *f, const task *t, size_t *place)
{
    const model *m = f->m;
    if (t->d != f->d)
        fail(f->a, BAD_DATA, "%s:%zu: %zu features, but %s has %zu; %s",
             t->file, t->line, t->d, m->file, f->d, m->names != NULL && !t->header
             ? "without a header columns go by position" : "--use or --drop "
             "choose columns");
    for (size_t j = 0; j < t->d; j++)
        place[j] = j;
}

/* Sparse rows in the model's order, whose columns stay ascending; place NULL:
 * they go by index. */
static size_t move_rows(const model *m, task *t, const size_t *place)
{
    size_t used = 0, lost = 0, begin = 0;
    for (size_t i = 0; i < t->n; i++) {
        size_t end = t->row[i + 1], first = used;
        for (size_t p = begin; p < end; p++) {
            size_t q = used, column = t->column[p];
            size_t to = place != NULL        ? place[column]
                        : m->columns != NULL ? find_number(m->columns, m->d,
                                                           column + 1)
                                             : column;
            mtc_real x = t->values[p];
            if (to == MTC_NONE) {
                lost++;
                continue;
            }
            for (; q > first && t->column[q - 1] > to; q--) {
                t->column[q] = t->column[q - 1];
                t->values[q] = t->values[q - 1];
            }
            t->column[q] = (uint32_t)to;
            t->values[q] = x;
            used++;
        }
        begin = end;
        t->row[i + 1] = used;
    }
    return lost;
}

/* The place of a column, from 1, among those that are features or could be:
 * labels and names of rows do not count, which new files may lack. */
size_t column_place(const task *t, size_t number)
{
    size_t place = 1, own = t->own > 0 ? t->own : t->d;
    for (size_t j = 0; j < own; j++)
        place += t->feature[j].number < number &&
                 (j == 0 || t->feature[j].number != t->feature[j - 1].number);
    for (size_t j = 0; j < t->n_left; j++)
        place += t->left[j].number < number;
    return place;
}

/* Has the file as many columns as those of the model had? */
static int same_width(const fitting *f, const task *t)
{
    size_t width = f->d + f->m->n_left;
    for (size_t h = 0; h < f->m->n_hot; h++)
        width -= f->m->hot[h].n - 1;
    return column_place(t, SIZE_MAX) == width + 1;
}

/* What the model's files had, but it left out, goes here, too: by its name, or
 * by its place in a file of the same width. */
static void leave_out_again(const fitting *f, task *t)
{
    const model *m = f->m;
    int named = by_names(f, t) && t->header, same = same_width(f, t);
    int *out = TAKE(f->a, t->d, int);
    text gone = {NULL, 0, 0};
    for (size_t j = 0; j < t->d; j++) {
        size_t at = column_place(t, t->feature[j].number);
        for (size_t i = 0; i < m->n_left; i++)
            out[j] |= named ? strcmp(m->left[i], t->feature[j].name) == 0 &&
                              find_feature(f, m->left[i]) == MTC_NONE
                            : same && m->left_place[i] == at;
    }
    for (size_t j = 0; j < t->d && !named; j++)
        if (out[j])
            put(f->a, &gone, "%s%zu", gone.length == 0 ? "" : ",",
                t->feature[j].number);
    if (gone.length > 0)
        guess(f->a, "by-position", NULL, "%s: columns are left out by position, "
              "as in the model: %s; --use says which count", t->file, gone.at);
    leave_out(f->a, t, out);
    pool_release(out);
}

/* Signs and dates are those of the model; days count from its first one. */
static void read_as_model(const fitting *f, task *t, const size_t *place)
{
    const model *m = f->m;
    for (size_t j = 0; j < t->d; j++) {
        const attribute *k = &t->feature[j];
        size_t of = place[j];
        if (of == MTC_NONE || k->word != NULL)
            continue;
        const char *sign = m->signs != NULL && *m->signs[of] != '\0'
                               ? m->signs[of] : NULL;
        double first = m->first_day != NULL ? m->first_day[of] : 0;
        if (!signs_agree(k->sign, sign))
            fail(f->a, BAD_DATA, "%s:%zu: column %s has %s%s, but %s has %s%s",
                 t->file, t->line, k->name, k->sign ? "the sign " : "no sign",
                 k->sign ? k->sign : "", m->file, sign ? "the sign " : "none",
                 sign ? sign : "");
        if (k->date != (first > 0))
            fail(f->a, BAD_DATA, "%s:%zu: column %s has %s, but %s has %s",
                 t->file, t->line, k->name, k->date ? "dates" : "numbers",
                 m->file, k->date ? "numbers" : "dates");
        for (size_t i = 0; i < t->n && k->date; i++) {
            mtc_real *x = &t->values[i * t->d + j];
            if (*x == *x && (*x < DATES) != (first < DATES))
                fail(f->a, BAD_DATA, "%s:%zu: column %s has %s, but %s has %s",
                     t->file, t->line, k->name,
                     *x < DATES ? "times" : "dates", m->file,
                     *x < DATES ? "dates" : "times");
            *x -= (mtc_real)first;
        }
    }
}

/* One file in the model's features. */
static void fit_task(const fitting *f, task *t)
{
    if (t->table)
        leave_out_again(f, t);
    size_t width = t->d > f->listed.n ? t->d : f->listed.n, *place = NULL;
    if (by_names(f, t)) {
        place = TAKE(f->a, width, size_t);
        places_by_name(f, t, place);
    } else if (t->row == NULL) {
        place = TAKE(f->a, width, size_t);
        places_by_number(f, t, place);
    }
    if (t->table)
        read_as_model(f, t, place);
    if (t->row == NULL)
        lay_out(f->a, t, f->d, place);
    else {
        size_t lost = move_rows(f->m, t, place);
        if (lost > 0)
            inform(f->a, "new-features", NULL,
                   "%s: %zu value%s of features that no training sample of "
                   "%s has %s left out", t->file, lost, lost == 1 ? "" : "s",
                   f->m->file, lost == 1 ? "is" : "are");
    }
    t->d = t->own = t->row == NULL ? f->d : f->m->d;
    pool_release(place);
}

/* Texts in the words of the model. */
static void fit_texts(const fitting *f, const reading *run, tasks *all)
{
    const model *m = f->m;
    dictionary known = {.n = 0};
    for (size_t j = f->d; j < m->d; j++)
        number_word(f->a, &known, m->names[j], strlen(m->names[j]));
    for (size_t i = 0; i < all->n; i++)
        if (all->at[i].bag != NULL)
            place_words(f->a, run->book, &all->at[i], &known, m->names);
}

/* The files, each in the features of m, before its preprocessing; values may
 * be missing still, as NaN. */
tasks load_new(app *a, const model *m, const words *files,
               const settings *set)
{
    fitting f = {.a = a, .m = m, .set = set, .d = columns_of(m),
                 .listed = read_names(a, set->names)};
    for (size_t j = 0; j < f.d && m->names != NULL; j++)
        number_word(a, &f.known, m->names[j], strlen(m->names[j]));
    reading run = begin_reading(&f);
    tasks all = read_tasks(a, files, &run);
    all.d = all.kept = m->d;
    all.names = m->names;
    for (size_t i = 0; i < all.n; i++) {
        task *t = &all.at[i];
        if (t->table && t->d == 0 && t->bag == NULL && m->texts == NULL)
            fail(a, BAD_DATA, "%s:1: no features", t->file);
        if (t->bag != NULL && m->texts == NULL)
            fail(a, BAD_DATA, "%s: has texts; %s knows no words", t->file,
                 m->file);
        if (t->table && t->bag == NULL && m->texts != NULL)
            fail(a, BAD_DATA, "%s: has no texts, but %s goes by words; --text "
                 "names their column", t->file, m->file);
        if (t->table && f.listed.n > 0 && (t->header || t->d != f.listed.n))
            fail(a, BAD_DATA, "%s:%zu: --names has %zu names; it is for files "
                 "without a header that have as many columns", t->file, t->line,
                 f.listed.n);
        for (size_t j = 0; t->table && j < f.listed.n; j++) {
            t->feature[j].name = f.listed.at[j];
            t->feature[j].unnamed = 0;
            t->header = 1;
        }
    }
    join_columns(a, &run, &all);
    tell_reading(a, set, &all);
    for (size_t i = 0; i < all.n; i++)
        if (all.at[i].bag == NULL || f.d > 0)
            fit_task(&f, &all.at[i]);
    if (is(set->missing, "drop"))
        settle_holes(a, set, &all);
    if (m->texts != NULL)
        fit_texts(&f, &run, &all);
    refuse_guesses(a);
    progress_outer(a, READING, 1);
    return all;
}
