/* SPDX-License-Identifier: MIT
 *
 * columns.c - what each column of a table is for
 *
 * An option names a column by the header's word, else by its number from 1;
 * 3-5 are several.  No column is named by two options.  What no option names:
 * a column called label, class or target has the labels, a first one without
 * a name is an index, all others are features.
 */
#include "csv.h"

#include <string.h>

/* Is the value of --labels a name, or a number? */
int by_name(const char *labels)
{
    return labels != NULL && !is(labels, "auto") && !is(labels, "none") &&
           !is(labels, "first") && !is(labels, "last");
}

/* "7" or "3-5", from 1. */
int numbers_of(const char *s, size_t *first, size_t *last)
{
    uint64_t x, y;
    const char *end;
    if (!whole_at(s, SIZE_MAX, &x, &end))
        return 0;
    y = x;
    if (*end == '-' && !whole_at(end + 1, SIZE_MAX, &y, &end))
        return 0;
    *first = (size_t)x;
    *last = (size_t)y;
    return *end == '\0';
}

/* Ends the program: the table has no such column. */
static APP_NORETURN void lacks(app *a, const heading *t, const char *by,
                               const char *name)
{
    words known = {0, 0, NULL};
    for (size_t j = 0; j < t->width; j++)
        add_name(a, &known, t->column[j].name);
    if (!t->header)
        fail(a, BAD_DATA, "%s:%zu: --%s %s: the file has no header; name "
             "columns by number, 1 to %zu, or give --header yes", t->file,
             t->line, by, name, t->width);
    const char *meant = nearest_word(&known, name, known.n);
    fail(a, BAD_DATA, "%s:%zu: no column is named %s (--%s)%s%s%s", t->file,
         t->line, name, by, meant ? "; did you mean " : "",
         meant ? meant : "", meant ? "?" : "");
}

/* The column that is named so, or the first of several; MTC_NONE: none. */
static size_t find_column(app *a, const heading *t, const char *by,
                          const char *name, size_t *last)
{
    size_t first;
    name = in_utf8(a, name);
    int number = numbers_of(name, &first, last);
    for (size_t j = 0; j < t->width && t->header; j++)
        if (!t->column[j].unnamed && strcmp(t->column[j].name, name) == 0)
            return *last = j;
    if (!number)
        return MTC_NONE;
    if (first < 1 || *last < first || *last > t->width)
        fail(a, BAD_DATA, "%s:%zu: --%s %s: columns have numbers from 1 to "
             "%zu", t->file, t->line, by, name, t->width);
    --*last;
    return first - 1;
}

/* Gives the columns of one name a role; 0: there are none. */
static int assign(app *a, heading *t, const char *by, const char *name,
                  purpose as)
{
    size_t last, j = find_column(a, t, by, name, &last);
    if (j == MTC_NONE)
        return 0;
    if (j < last && (as == AS_LABEL || as == AS_ID))
        fail(a, BAD_USAGE, "--%s %s: one column is wanted", by, name);
    for (; j <= last; j++) {
        attribute *k = &t->column[j];
        if (k->asked != NULL && strcmp(k->asked, by) != 0)
            fail(a, BAD_USAGE, "%s: column %s is named by --%s and by --%s",
                 t->file, k->name, k->asked, by);
        k->asked = by;
        k->role = as;
        k->other = 0;
    }
    return 1;
}

/* The name of column j, which `own` is, or its number where that is empty.  One
 * that was there before gets .2, .3 and so on. */
static void name_column(app *a, heading *t, dictionary *seen, size_t j,
                        const char *own)
{
    attribute *k = &t->column[j];
    const char *base = k->unnamed ? formed(a, "%zu", j + 1) : own;
    k->name = base;
    size_t before = find_word(seen, k->name, strlen(k->name));
    k->twin = before != MTC_NONE && !k->unnamed;
    for (size_t copy = 2; before != MTC_NONE; copy++) {
        k->name = formed(a, "%s.%zu", base, copy);
        before = find_word(seen, k->name, strlen(k->name));
    }
    number_word(a, seen, k->name, strlen(k->name));
}

/* Names from the header, then for columns that have none there: pandas' header
 * ,0,1,2 has a 1. */
static void name_columns(app *a, heading *t, const words *names)
{
    dictionary seen = {.n = 0};
    t->column = TAKE(a, t->width, attribute);
    for (size_t j = 0; j < t->width; j++) {
        t->column[j].number = j + 1;
        t->column[j].unnamed = !t->header || *names->at[j] == '\0';
    }
    for (int unnamed = 0; unnamed < 2; unnamed++)
        for (size_t j = 0; j < t->width; j++)
            if (t->column[j].unnamed == unnamed)
                name_column(a, t, &seen, j, unnamed ? "" : names->at[j]);
}

/* The column of the labels that no option names: label, class or target. */
static void find_labels(app *a, heading *t)
{
    static const char *const name[] = {"label", "class", "target"};
    attribute *found = NULL;
    for (size_t i = 0; i < 3 && t->header; i++)
        for (size_t j = 0; j < t->width; j++) {
            attribute *k = &t->column[j];
            if (!same_word(k->name, name[i]) || k->asked != NULL)
                continue;
            if (found == NULL)
                found = k;
            else if (k->role == AS_FEATURE)
                guess(a, "labels", NULL,
                      "%s: column %s has the labels, %s is a feature like "
                      "others; --drop or --labels change that", t->file,
                      found->name, k->name);
        }
    if (found != NULL) {
        found->role = AS_LABEL;
        found->other = 0;
    }
}

static void settle_labels_column(app *a, reading *run, heading *t)
{
    const char *labels = run->set->labels;
    heading bare = *t;                          /* here 1 is no name */
    bare.header = 0;
    if (labels == NULL || is(labels, "auto"))
        find_labels(a, t);
    else if (is(labels, "first"))
        run->labeled |= assign(a, &bare, "labels", "1", AS_LABEL);
    else if (is(labels, "last"))
        run->labeled |= assign(a, &bare, "labels", formed(a, "%zu", t->width),
                               AS_LABEL);
    else if (by_name(labels)) {
        int found = assign(a, t, "labels", labels, AS_LABEL);
        if (!found && !t->header)
            lacks(a, t, "labels", labels);
        run->labeled |= found;
    }
}

/* A dictionary for each column of --onehot, by its name in all files. */
static void settle_words(app *a, reading *run, heading *t)
{
    for (size_t j = 0; j < t->width; j++) {
        attribute *k = &t->column[j];
        if (k->role != AS_WORDS)
            continue;
        size_t known = run->hot_name.n;
        k->hot = number_word(a, &run->hot_name, k->name, strlen(k->name));
        if (k->hot == known) {
            GROW(a, run->hot, known, run->room_hot);
            memset(&run->hot[known], 0, sizeof *run->hot);
        }
    }
}

/* Must the file have the column of --id?  Of a transfer only the target is
 * written; a source may have it, and then it is no feature. */
int needs_id(const settings *set, const char *file)
{
    return set->id != NULL && (set->target == NULL || is(set->target, file));
}

/* Columns of --text, in the order in which it names them. */
static void settle_text_columns(app *a, const reading *run, heading *t)
{
    const words *w = &run->set->text;
    size_t turn = 0;
    for (size_t i = 0; i < w->n; i++) {
        if (!assign(a, t, "text", w->at[i], AS_TEXT))
            lacks(a, t, "text", w->at[i]);
        for (size_t j = 0; j < t->width; j++)
            if (t->column[j].role == AS_TEXT && t->column[j].turn == 0)
                t->column[j].turn = ++turn;
    }
}

/* What the files of a model had, but it left out, is no feature here. */
static void leave_out_as_model(const reading *run, heading *t)
{
    if (run->needed == NULL || !t->header)
        return;
    for (size_t j = 0; j < t->width; j++) {
        attribute *k = &t->column[j];
        const char *name = k->name;
        size_t i = 0;
        if (k->role != AS_FEATURE || k->asked != NULL ||
            find_word(run->needed, name, strlen(name)) != MTC_NONE)
            continue;
        while (i < run->n_left && strcmp(run->left[i], name) != 0)
            i++;
        k->role = i < run->n_left ? AS_NOTHING : AS_FEATURE;
    }
}

/* Columns of --use; +NAME, if no column is named so with the sign. */
static void settle_use(app *a, const reading *run, heading *t)
{
    const char *by = run->widest > 0 ? "use, as in the model" : "use";
    const words *w = &run->set->use;
    for (size_t i = 0; i < w->n; i++)
        if ((w->at[i][0] != '+' || !assign(a, t, by, w->at[i] + 1, AS_FEATURE)) &&
            !assign(a, t, by, w->at[i], AS_FEATURE))
            lacks(a, t, by, w->at[i]);
}

/* Fills t->column; `names` are those of the header. */
void settle_columns(app *a, reading *run, heading *t, const words *names)
{
    const settings *set = run->set;
    name_columns(a, t, names);
    if (set == NULL)                            /* all are features */
        return;
    int chosen = set->text.n > 0 || run->labels_only;
    for (size_t i = 0; i < set->use.n; i++)
        chosen |= set->use.at[i][0] != '+';     /* those are just kept */
    for (size_t j = 0; j < t->width; j++) {
        t->column[j].role = chosen ? AS_NOTHING : AS_FEATURE;
        t->column[j].other = chosen && !run->labels_only;
    }
    if (t->header && t->column[0].unnamed && t->width > 1 &&
        !run->labels_only)
        t->column[0].role = AS_INDEX;
    settle_use(a, run, t);
    for (size_t i = 0; i < set->onehot.n; i++)
        if (!assign(a, t, "onehot", set->onehot.at[i], AS_WORDS))
            lacks(a, t, "onehot", set->onehot.at[i]);
    settle_text_columns(a, run, t);
    for (size_t i = 0; i < set->drop.n; i++)
        run->dropped[i] |= assign(a, t, "drop", set->drop.at[i], AS_NOTHING);
    if (set->split != NULL && !assign(a, t, "split", set->split, AS_SPLIT))
        lacks(a, t, "split", set->split);
    if (set->id != NULL && !assign(a, t, "id", set->id, AS_ID) &&
        needs_id(set, t->file))
        lacks(a, t, "id", set->id);
    settle_labels_column(a, run, t);
    leave_out_as_model(run, t);
    settle_words(a, run, t);
    if (run->first.file == NULL)
        run->first = *t;
}

reading new_reading(app *a, const settings *set)
{
    reading r = {.set = set};
    if (set != NULL)
        r.dropped = TAKE(a, set->drop.n, int);
    return r;
}

/* What no file had was misspelled. */
static void check_names(app *a, const reading *run)
{
    const settings *set = run->set;
    if (run->first.file == NULL || set->view1 != NULL)
        return;                                 /* views are read apart */
    for (size_t i = 0; i < set->drop.n; i++)
        if (!run->dropped[i])
            lacks(a, &run->first, "drop", set->drop.at[i]);
    if (by_name(set->labels) && !run->labeled)
        lacks(a, &run->first, "labels", set->labels);
}

/* All files are read: tables that share their features, which are the parts of
 * the run, are judged together, then all of them get their values. */
void end_reading(app *a, reading *run, const tasks *all)
{
    for (size_t i = 0; i < all->n; i++)
        if (all->at[i].sheet != NULL)
            all->at[i].sheet->t = &all->at[i];
    check_names(a, run);
    if (!run->describes)
        agree_on_headers(a, all);
    tasks part;
    for (size_t i = 0; i < all->n; i += part.n) {
        part = part_of(run, all, i);
        judge_tables(a, run, &part);
    }
    settle_tables(a, run, all);
    doubt_signs(a, all, run->describes);
}
