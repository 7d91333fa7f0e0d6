/* SPDX-License-Identifier: MIT
 *
 * fit.c - new files in the features of a model
 *
 * A table goes by the names of its columns where both it and the model have
 * some, else by position; LIBSVM text goes by index, or by --names.  A file
 * that lacks a feature, or has one that the model does not know, is refused.
 * Words that are new in a column of words, and columns of LIBSVM text within
 * the model's width that its training data never used, are left out, and said
 * so: they are as far from all clusters.
 */
#include "model.h"

#include <ctype.h>
#include <stdlib.h>
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

/* 1: the model has a feature of that name, capitals or not. */
static int has_feature(const model *m, const char *lower)
{
    for (size_t f = 0; f < columns_of(m) && m->names != NULL; f++) {
        const char *s = m->names[f], *w = lower;
        while (*w != '\0' && tolower((unsigned char)*s) == *w) {
            s++;
            w++;
        }
        if (*s == '\0' && *w == '\0')
            return 1;
    }
    return 0;
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
            add_word(a, &set->use, m->names[f], strlen(m->names[f]));
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
        add_word(a, &set->onehot, m->hot[h].column, strlen(m->hot[h].column));
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
    if (m->texts != NULL) {
        run.book = new_wordbook(f->a, &m->texts->rules);
        run.own_text = f->set->text.at == m->texts->columns.at;
    }
    run.needed = m->texts == NULL || f->known.n > 0 ? &f->known : NULL;
    run.left = (const char *const *)m->left;
    run.n_left = m->n_left;
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

/* A first column that counts the samples is a feature if the model says so. */
static void doubt_index(const fitting *f, task *t)
{
    if (t->index &&
        (by_names(f, t) ? find_feature(f, name_at(f, t, 0)) != MTC_NONE
                        : t->d == f->d))
        t->index = 0;
}

/* Ends the program: the model has no such feature. */
static APP_NORETURN void refuse_more(const fitting *f, const task *t,
                                     const char *name)
{
    words known = {0, 0, NULL};
    for (size_t j = 0; j < f->d; j++)
        add_word(f->a, &known, f->m->names[j], strlen(f->m->names[j]));
    const char *meant = nearest_word(&known, name, known.n);
    fail(f->a, BAD_DATA, "%s:%zu: column %s is no feature of %s%s%s: --drop %s "
         "leaves it out, --labels or --id say what else it is", t->file,
         t->line, name, f->m->file, meant ? ", which has " : "",
         meant ? meant : "", as_value(f->a, name));
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

/* place [d]: where each feature of t stands in the model; MTC_NONE: nowhere,
 * a word that is new. */
static void places_by_name(const fitting *f, const task *t, size_t *place)
{
    size_t d = f->listed.n > 0 && !t->table ? f->listed.n : t->d;
    size_t *from = TAKE(f->a, f->d, size_t), fresh = 0;
    for (size_t j = 0; j < d; j++) {
        const char *name = name_at(f, t, j);
        place[j] = find_feature(f, name);
        if (place[j] != MTC_NONE && from[place[j]]++ > 0)
            fail(f->a, BAD_DATA, "%s:%zu: two columns are named %s", t->file,
                 t->line, name);
        if (place[j] != MTC_NONE)
            continue;
        if (!t->table || t->feature[j].word == NULL)
            refuse_more(f, t, name);
        if (fresh < 3 && is_word_in_use(f, t, j)) {
            inform(f->a, "new-word", NULL,
                   "%s: %s is new to %s and left out", t->file, name,
                   f->m->file);
            fresh++;
        }
    }
    for (size_t j = 0; j < f->d; j++)
        if (from[j] == 0)
            fail(f->a, BAD_DATA, "%s:%zu: no column is named %s, which %s "
                 "needs", t->file, t->line, f->m->names[j], f->m->file);
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

/* The same of a column of LIBSVM text: there may be billions. */
static size_t place_by_index(const model *m, size_t column)
{
    size_t low = 0, high = m->d;
    if (m->columns == NULL)
        return column;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (m->columns[middle] < column + 1)
            low = middle + 1;
        else
            high = middle;
    }
    return low < m->d && m->columns[low] == column + 1 ? low : MTC_NONE;
}

/* Values of a table in the model's order. */
static void move_table(const fitting *f, task *t, const size_t *place)
{
    size_t d = f->d;
    if (t->n > SIZE_MAX / d)
        fail(f->a, BAD_DATA, "%s: too large", t->file);
    mtc_real *to = TAKE(f->a, t->n * d, mtc_real);
    for (size_t i = 0; i < t->n; i++)
        for (size_t j = 0; j < t->d; j++)
            if (place[j] != MTC_NONE)
                to[i * d + place[j]] = t->values[i * t->d + j];
    pool_release(t->values);
    t->values = to;
}

/* The same of sparse rows, whose columns stay in ascending order; place NULL:
 * they go by index. */
static size_t move_rows(const model *m, task *t, const size_t *place)
{
    size_t used = 0, lost = 0, begin = 0;
    for (size_t i = 0; i < t->n; i++) {
        size_t end = t->row[i + 1], first = used;
        for (size_t p = begin; p < end; p++) {
            size_t q = used, to = place != NULL
                ? place[t->column[p]] : place_by_index(m, t->column[p]);
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

/* Has the file as many columns to choose features from as the model's had?
 * Its index, its dates and what an option names are none of them. */
static int same_choice(const fitting *f, const task *t)
{
    size_t d = f->d;
    for (size_t i = 0; i < f->m->n_left && f->m->left_place != NULL; i++)
        d += f->m->left_place[i] > 0;
    return t->d == d;
}

/* Is a date or an index here what was a feature of the model there?  Then the
 * columns stand otherwise: the labels that were named then may not be now. */
static int stands_elsewhere(const model *m, const task *t)
{
    for (size_t j = 0; j < t->n_left; j++) {
        size_t i = 0, at = without_labels(t, t->left[j].number);
        while (i < m->n_left && m->left_number[i] != at)
            i++;
        if (i == m->n_left)
            return 1;
    }
    return 0;
}

/* What the model's files had, but it left out, goes here, too. */
static void leave_out_again(const fitting *f, task *t)
{
    const model *m = f->m;
    int named = by_names(f, t) && t->header, chosen = same_choice(f, t);
    const size_t *left = chosen ? m->left_place : m->left_number;
    int *out = TAKE(f->a, t->d, int);
    text gone = {NULL, 0, 0};
    for (size_t j = 0; j < t->d; j++) {
        size_t at = chosen ? j + 1 : without_labels(t, t->feature[j].number);
        for (size_t i = 0; i < m->n_left; i++)
            out[j] |= named ? strcmp(m->left[i], t->feature[j].name) == 0 &&
                              find_feature(f, m->left[i]) == MTC_NONE
                            : t->d > f->d && left[i] == at;
    }
    for (size_t j = 0; j < t->d && !named; j++)
        if (out[j])
            put(f->a, &gone, "%s%zu", gone.length == 0 ? "" : ",",
                t->feature[j].number);
    if (gone.length > 0 && !chosen && stands_elsewhere(m, t))
        fail(f->a, BAD_DATA, "%s:%zu: columns do not stand where %s had them; "
             "--labels, --id, --use or --drop say what they are", t->file,
             t->line, m->file);
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
        move_table(f, t, place);
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
    lexicon known;
    memset(&known, 0, sizeof known);
    for (size_t j = f->d; j < m->d; j++) {
        size_t n = strlen(m->names[j]);
        lexicon_number(f->a, &known, m->names[j], n,
                       word_hash(m->names[j], n));
    }
    for (size_t i = 0; i < all->n; i++)
        if (all->at[i].bag != NULL)
            place_words(f->a, run->book, &all->at[i], &known, m->names);
}

/* The files, each in the features of m, before its preprocessing; values may
 * be missing still, as NaN. */
tasks load_new(app *a, const model *m, const words *files,
               const settings *set)
{
    fitting f;
    memset(&f, 0, sizeof f);
    f.a = a;
    f.m = m;
    f.set = set;
    f.listed = read_names(a, set->names);
    f.d = columns_of(m);
    for (size_t j = 0; j < f.d && m->names != NULL; j++)
        number_word(a, &f.known, m->names[j], strlen(m->names[j]));
    tasks all = {files->n, m->d, m->d, TAKE(a, files->n, task), m->names};
    reading run = begin_reading(&f);
    for (size_t i = 0; i < all.n; i++) {
        task *t = &all.at[i];
        progress_part(a, i, all.n);
        *t = read_task(a, files->at[i], &run);
        refuse_faults(a, &run);
        name_task(a, &all, i);
        if (t->table && t->d == 0 && t->bag == NULL)
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
        doubt_index(&f, t);
    }
    end_reading(a, &run);
    doubt_signs(a, &all, 0);
    join_columns(a, &run, &all, AS_SAVED);
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
