/* SPDX-License-Identifier: MIT
 *
 * join.c - tables of one run: the same features in the same order
 *
 * Where every file is a table with a header, columns go by name, in the order
 * of the first file, in which their values were written; else by position, and
 * tables have the same width.  Then holes are closed, in place: values are the
 * bulk of what the program holds.
 */
#include "../texts/texts.h"
#include "csv.h"

#include <ctype.h>
#include <string.h>

/* ---- the first line ---- */

/* One line cannot be a header in one file and a sample in another. */
void agree_on_headers(app *a, const tasks *all)
{
    const task *with[2] = {NULL, NULL};         /* a sample, a header */
    for (size_t i = 0; i < all->n; i++)
        if (all->at[i].numbered != 0)
            with[all->at[i].numbered > 0] = &all->at[i];
    if (with[0] != NULL && with[1] != NULL)
        fail(a, BAD_DATA, "%s:%zu: numbers would be a sample here, but the "
             "header in %s: say --header yes or --header no", with[0]->file,
             with[0]->line, with[1]->file);
}

/* ---- a first column without a name ---- */

/* Of words, they name the samples; else it is left out. */
static void tell_unnamed(app *a, const settings *set, const tasks *all)
{
    for (size_t i = 0; i < all->n; i++) {
        const task *t = &all->at[i];
        words column = one_column(a, "the first");
        if (t->unnamed && t->id_words)
            guess(a, "names", NULL, "%s: the first column has words and no "
                  "name: they name the samples; --drop 1 leaves them out",
                  t->file);
        else if (t->unnamed && set->use.n == 0)
            guess(a, "index", &column, "%s: the first column has no name and "
                  "is left out; --use +1 keeps it", t->file);
    }
}

/* ---- the same order ---- */

/* The place of a name among the features of a task, or MTC_NONE. */
static size_t place_of(const task *t, const char *name)
{
    for (size_t j = 0; j < t->d; j++)
        if (strcmp(t->feature[j].name, name) == 0)
            return j;
    return MTC_NONE;
}

/* One line of refuse_lack: what `t` lacks, and who has it. */
static void put_lack(app *a, text *out, const tasks *all, const task *t,
                     const char *name)
{
    const task *with = NULL;
    for (size_t i = 0; i < all->n && with == NULL; i++)
        if (place_of(&all->at[i], name) != MTC_NONE)
            with = &all->at[i];
    put(a, out, "%s%s: no column is named %s, as in %s",
        out->length > 0 ? "\n  " : "", visible(a, t->file), visible(a, name),
        visible(a, with->file));
}

/* The names of features that only some files have; *common: how many all of
 * them have. */
words names_apart(app *a, const tasks *all, size_t *common)
{
    dictionary names = {.n = 0};
    words apart = {0, 0, NULL};
    size_t *files = NULL, room = 0;
    for (size_t i = 0; i < all->n; i++)
        for (size_t j = 0; j < all->at[i].d; j++) {
            const char *s = all->at[i].feature[j].name;
            size_t known = names.n, name = number_word(a, &names, s, strlen(s));
            if (name == known) {
                GROW(a, files, known, room);
                files[name] = 0;
            }
            files[name]++;
        }
    *common = 0;
    for (size_t c = 0; c < names.n; c++) {
        *common += files[c] == all->n;
        if (files[c] < all->n)
            add_name(a, &apart, names.word[c]);
    }
    pool_release(files);
    return apart;
}

/* Ends the program: files have different columns. */
static APP_NORETURN void refuse_lack(app *a, const reading *run,
                                     const tasks *all, const words *apart,
                                     size_t common)
{
    text t = {NULL, 0, 0};
    size_t lines = 0;
    for (size_t c = 0; c < apart->n; c++)
        for (size_t i = 0; i < all->n; i++)
            if (place_of(&all->at[i], apart->at[c]) == MTC_NONE &&
                lines++ < 8)
                put_lack(a, &t, all, &all->at[i], apart->at[c]);
    if (lines > 8)
        put(a, &t, "\n  and %zu more", lines - 8);
    if (common == 0)
        fail(a, BAD_DATA, "%-s\n  no column is in all files", t.at);
    put(a, &t, "\n  --match common leaves out what only some files have; "
        "--drop and --use choose columns");
    const change with[] = {{"--match", "common"}};
    refuse(a, run, t.at, with, 1);
}

/* All files have the same names afterwards: what only some have is refused, or
 * with --match common left out. */
static void settle_names(app *a, const reading *run, tasks *all)
{
    size_t common;
    words apart = names_apart(a, all, &common);
    if (apart.n == 0)
        return;
    if (run->set->match == NULL || common == 0)
        refuse_lack(a, run, all, &apart, common);
    for (size_t i = 0; i < all->n; i++) {
        task *t = &all->at[i];
        int *out = TAKE(a, t->d, int);
        for (size_t j = 0; j < t->d; j++)
            out[j] = has_word(&apart, t->feature[j].name);
        leave_out(a, t, out);
        pool_release(out);
    }
    guess(a, "match", &apart, "only some files have the column%s %s, which "
          "%s left out", apart.n == 1 ? "" : "s", listed(a, &apart),
          apart.n == 1 ? "is" : "are");
}

/* By name, if every file has names. */
static void match_columns(app *a, const reading *run, tasks *all)
{
    const task *first = NULL;
    size_t headers = 0;
    for (size_t i = 0; i < all->n; i++)
        headers += (size_t)all->at[i].header;
    if (headers == all->n) {
        settle_names(a, run, all);
        return;
    }
    if (headers > 0 && run->set->onehot.n > 0)
        fail(a, BAD_DATA, "%s: --onehot needs a header in every file, or in "
             "none", all->at[0].file);
    for (size_t i = 0; i < all->n; i++) {
        const task *t = &all->at[i];
        if (first != NULL && t->table && t->d != first->d)
            fail(a, BAD_DATA, "%s has %zu features, %s has %zu; without "
                 "headers columns go by position: --use or --drop choose "
                 "them", first->file, first->d, t->file, t->d);
        first = first == NULL && t->table ? t : first;
    }
}

/* ---- words that may be one ---- */

/* Tells of the first two words that differ by their case alone: of a column, or
 * of the labels of all files (column NULL). */
void doubt_words(app *a, const char *column, const dictionary *its)
{
    words named = {0, 0, NULL};
    dictionary small = {.n = 0};
    if (column != NULL)
        add_name(a, &named, column);
    for (size_t i = 0; i < its->n; i++) {
        size_t n = strlen(its->word[i]);
        char *word = COPY(a, its->word[i], n + 1, char);
        for (char *s = word; *s != '\0'; s++)
            *s = (char)tolower((unsigned char)*s);
        size_t one = number_word(a, &small, word, n);
        pool_release(word);
        if (one == i)
            continue;
        say(a, column != NULL ? GUESS : NOTE,
            column != NULL ? "onehot" : "labels", &named, "%s%s: the words "
            "%s and %s stay apart; write them alike if they mean the same",
            column != NULL ? "column " : "labels",
            column != NULL ? column : "", its->word[one], its->word[i]);
        return;
    }
}

int has_hole(const task *t, size_t i)
{
    for (size_t p = i * t->d; p < (i + 1) * t->d; p++)
        if (t->values[p] != t->values[p])
            return 1;
    return 0;
}

/* Ends the program: no row has a value there. */
void refuse_void(app *a, const task *t, const attribute *k)
{
    fail(a, BAD_DATA, "%s: column %zu (%s) has no value; --drop %s leaves it "
         "out", t->file, k->number, k->name, as_value(a, k->name));
}

/* Those that share their features, from task i on: with `separate` 1 each has
 * its own, but the sources of a transfer share one. */
tasks part_of(const reading *run, const tasks *all, size_t i)
{
    size_t sources = run->set != NULL ? run->set->source.n : 0;
    size_t first = run->separate != APART ? all->n : sources > 0 ? sources : 1;
    return (tasks){i == 0 ? first : 1, 0, 0, all->at + i, NULL};
}

/* Tables of one run become one feature space; AS_SAVED: a model has it. */
void join_columns(app *a, reading *run, tasks *all)
{
    int separate = run->separate;
    tasks part;
    for (size_t i = 0; i < all->n; i += part.n) {
        part = part_of(run, all, i);
        tell_unnamed(a, run->set, &part);
    }
    size_t known = separate == AS_SAVED ? all->n : 0;
    for (size_t i = known; i < all->n; i += part.n) {
        part = part_of(run, all, i);
        match_columns(a, run, &part);
        settle_roles(a, run->set, &part);
    }
    for (size_t i = 0; i < run->hot_name.n && separate != AS_SAVED; i++)
        doubt_words(a, run->hot_name.word[i], &run->hot[i]);
}

/* ---- a task for each value of a column ---- */

enum { MOST_PARTS_OF = 100 };

/* The rows of one value, as a task; `names` of the rows are those of the file, or
 * their numbers. */
static task take_part(app *a, const task *t, const size_t *of, size_t part,
                      const char *name)
{
    task p = *t;
    size_t *index = TAKE(a, t->n, size_t), n = 0;
    p.name = name;
    p.truth = t->truth != NULL ? TAKE(a, t->n, int) : NULL;
    memset(&p.id, 0, sizeof p.id);
    p.id.name = t->id.name != NULL ? t->id.name : "row";
    for (size_t i = 0; i < t->n; i++) {
        if (of[i] != part)
            continue;
        if (t->truth != NULL)
            p.truth[n] = t->truth[i];
        const char *s = t->id.name != NULL ? t->id.text + t->id.at[i]
                                           : formed(a, "%zu", i);
        add_identity(a, &p.id, s, strlen(s));
        index[n++] = i;
    }
    p.values = rows_at(a, t, index, n).values;
    p.n = p.rows = n;
    pool_release(index);
    p.feature = COPY(a, t->feature, t->d, attribute);
    return p;
}

/* --split: one table becomes a task for each value of the column. */
tasks split_tasks(app *a, const reading *run, const tasks *all)
{
    const task *t = &all->at[0];
    const char *by = run->set->split;
    dictionary values = {.n = 0};
    if (all->n != 1 || !t->table || t->bag != NULL)
        fail(a, BAD_USAGE, "--split %s is for one table of numbers", by);
    size_t *of = TAKE(a, t->n, size_t);
    for (size_t i = 0; i < t->n; i++) {
        const char *s = t->part.text + t->part.at[i];
        of[i] = number_word(a, &values, s, strlen(s));
    }
    size_t *rows = TAKE(a, values.n, size_t);
    for (size_t i = 0; i < t->n; i++)
        rows[of[i]]++;
    if (values.n < 2 || values.n > MOST_PARTS_OF)
        fail(a, BAD_DATA, "%s: --split %s: the column has %zu different value%s,"
             " but 2 to %d are wanted", t->file, by, values.n,
             values.n == 1 ? "" : "s", MOST_PARTS_OF);
    tasks parts = {values.n, all->d, all->kept, TAKE(a, values.n, task), NULL};
    for (size_t p = 0; p < values.n; p++) {
        if (rows[p] < 2)
            fail(a, BAD_DATA, "%s: --split %s: only 1 row has '%s'; a task needs "
                 "2 at least", t->file, by, values.word[p]);
        parts.at[p] = take_part(a, t, of, p, *values.word[p] == '\0'
                                                 ? "empty" : values.word[p]);
    }
    pool_release(of);
    pool_release(rows);
    return parts;
}

/* ---- missing values ---- */

/* Has the row no value at all? */
static int is_void(const task *t, size_t i)
{
    for (size_t p = i * t->d; p < (i + 1) * t->d; p++)
        if (t->values[p] == t->values[p])
            return 0;
    return t->bag == NULL;
}

/* Leaves out the rows that have a hole, or no label that they need, or `voids`
 * those without any value, and keeps where the others stood. */
static void drop_rows(app *a, task *t, int voids)
{
    size_t n = 0, *slot = TAKE(a, t->n, size_t);
    for (size_t i = 0; i < t->n; i++)
        if (voids ? !is_void(t, i)
                  : !has_hole(t, i) && (t->goes == NULL || !t->goes[i])) {
            memmove(t->values + n * t->d, t->values + i * t->d,
                    t->d * sizeof *t->values);
            if (t->truth != NULL)
                t->truth[n] = t->truth[i];
            slot[n++] = i;
        }
    if (n == t->n) {
        pool_release(slot);
        return;
    }
    if (n == 0)
        fail(a, BAD_DATA, "%s: every row has a missing value; --missing mean "
             "fills them in, --drop leaves columns out", t->file);
    int one = t->n - n == 1;
    say(a, voids ? GUESS : NOTE, "missing", NULL,
        "%s: %zu of %zu rows %s %s and %s left out; %s "
        "label is -1", t->file, t->n - n, t->n, one ? "has" : "have",
        voids ? "no value" : "missing values", one ? "is" : "are",
        one ? "its" : "their");
    t->place = slot;
    t->n = n;
}

/* Is feature j another word of the column that the one before it is of? */
static int is_next_word(const task *t, size_t j)
{
    return j > 0 && t->feature[j].word != NULL &&
           t->feature[j - 1].word != NULL &&
           t->feature[j].hot == t->feature[j - 1].hot;
}

/* The means [d] of the values that the tables among n tasks have; the first is
 * one of them. */
static double *known_means(app *a, const task *t, size_t n)
{
    size_t d = t->d, *known = TAKE(a, d, size_t);
    double *mean = TAKE(a, d, double);
    for (size_t i = 0; i < n; i++) {
        size_t rows = t[i].table ? t[i].n : 0;
        for (size_t p = 0; p < rows; p++)
            for (size_t j = 0; j < d; j++) {
                mtc_real x = t[i].values[p * d + j];
                mean[j] += x == x ? (double)x : 0;
                known[j] += x == x;
            }
    }
    for (size_t j = 0; j < d; j++) {
        if (known[j] == 0)
            refuse_void(a, t, &t->feature[j]);
        mean[j] /= (double)known[j];
    }
    pool_release(known);
    return mean;
}

/* Holes get the mean of the feature; one of words is one, however many features
 * they are. */
static void fill_holes(app *a, const settings *set, task *t, double *mean)
{
    size_t holes = 0, d = t->d, *gaps = TAKE(a, d, size_t);
    words columns = {0, 0, NULL};
    for (size_t p = 0; p < t->n * d; p++)
        if (t->values[p] != t->values[p]) {
            t->values[p] = (mtc_real)mean[p % d];
            gaps[p % d]++;
        }
    for (size_t j = 0; j < d; j++) {
        const attribute *k = &t->feature[j];
        if (gaps[j] == 0 || is_next_word(t, j))
            continue;
        holes += gaps[j];
        add_word(a, &columns, k->name, strlen(k->name) -
                 (k->word != NULL ? strlen(k->word) + 1 : 0));
    }
    if (holes > 0)
        say(a, set->missing == NULL ? GUESS : NOTE, "missing", &columns,
            "%s: %zu gap%s in %s %s filled with the column's mean (--missing "
            "drop leaves %s out)", set->split == NULL ? t->file
            : formed(a, "%s, %s", t->file, t->name), holes,
            holes == 1 ? "" : "s", listed(a, &columns),
            holes == 1 ? "is" : "are", holes == 1 ? "its row" : "their rows");
    t->fill = mean;
    t->filled = d;
    t->holes = holes;
    pool_release(gaps);
}

/* By --missing.  Tables of a pool have their means together, as its model. */
void settle_holes(app *a, const settings *set, tasks *all)
{
    double *mean = NULL;
    for (size_t i = 0; i < all->n; i++) {
        task *t = &all->at[i];
        if (!t->table || (t->d == 0 && t->goes == NULL))
            continue;
        if (is(set->missing, "drop"))
            drop_rows(a, t, 0);
        size_t last = is(set->missing, "fail") ? t->n * t->d : 0;
        for (size_t p = 0; p < last; p++)       /* gaps were refused before */
            if (t->values[p] != t->values[p])
                refuse_void(a, t, &t->feature[p % t->d]);
        if (is(set->missing, "drop") || is(set->missing, "fail") || t->d == 0)
            continue;
        if (t->d > 1 && set->view1 == NULL)     /* whose rows are pairs */
            drop_rows(a, t, 1);
        if (mean == NULL || !set->pool)
            mean = known_means(a, t, set->pool ? all->n - i : 1);
        fill_holes(a, set, t, mean);
    }
}
