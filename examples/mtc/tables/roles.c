/* SPDX-License-Identifier: MIT
 *
 * roles.c - what was understood of columns: features that go, days, signs
 *
 * Thousands, signs and a decimal comma are said, and days are counted from the
 * first one of all files.
 */
#include "csv.h"

#include <math.h>
#include <string.h>

/* ---- leaving out ---- */

void found(app *a, finding *f, const task *t, const attribute *k)
{
    add_once(a, &f->columns, k->name);
    if (f->first == NULL)
        f->first = t;
    f->files += f->last == NULL || t > f->last;     /* they are an array */
    f->last = f->last == NULL || t > f->last ? t : f->last;
}

/* Takes the features with out[j] 1 out of a task. */
void leave_out(app *a, task *t, const int *out)
{
    size_t kept = 0, d = t->d, room = t->n_left;
    for (size_t j = 0; j < d; j++)
        kept += !out[j];
    if (kept == d)
        return;
    mtc_real *to = t->values;
    for (size_t i = 0; i < t->n; i++)
        for (size_t j = 0; j < d; j++)
            if (!out[j])
                *to++ = t->values[i * d + j];
    attribute *features = TAKE(a, kept, attribute);
    attribute *left = TAKE(a, room + d - kept, attribute);
    if (room > 0)
        memcpy(left, t->left, room * sizeof *left);
    for (size_t j = 0, at = 0; j < d; j++)
        if (out[j])
            left[room++] = t->feature[j];
        else
            features[at++] = t->feature[j];
    t->feature = features;
    t->left = left;
    t->n_left = room;
    t->d = kept;
}

/* "f.csv (and 2 more)" */
const char *files_of(app *a, const finding *f)
{
    return f->files < 2 ? f->first->file
                        : formed(a, "%s (and %zu more)", f->first->file,
                                 f->files - 1);
}

/* "f.csv (and 2 more): columns a and b" */
const char *subject(app *a, const finding *f)
{
    return formed(a, "%s: column%s %s", files_of(a, f),
                  f->columns.n == 1 ? "" : "s", listed(a, &f->columns));
}

/* "a, b and c" */
const char *listed(app *a, const words *w)
{
    text t = {NULL, 0, 0};
    for (size_t i = 0; i < w->n && i < 8; i++)
        put(a, &t, "%s%s", i == 0 ? "" : i + 1 == w->n ? " and " : ", ",
            w->at[i]);
    if (w->n > 8)
        put(a, &t, " and %zu more", w->n - 8);
    return t.at;
}

size_t tables_of(const tasks *all)
{
    size_t n = 0;
    for (size_t i = 0; i < all->n; i++)
        n += (size_t)all->at[i].table;
    return n;
}

/* ---- dates ---- */

/* Days since the first one of all tasks; the feature remembers it. */
static void count_days(tasks *all, size_t j)
{
    double first = HUGE_VAL;
    for (size_t i = 0; i < all->n; i++) {
        const task *t = &all->at[i];
        for (size_t r = 0; r < t->n; r++) {
            double x = (double)t->values[r * t->d + j];
            first = x < first ? floor(x) : first;
        }
    }
    if (first < DATES)
        first = TIMES;
    for (size_t i = 0; i < all->n; i++) {
        task *t = &all->at[i];
        t->feature[j].first_day = first;
        for (size_t r = 0; r < t->n; r++)
            t->values[r * t->d + j] -= (mtc_real)first;
    }
}

static void settle_days(app *a, tasks *all)
{
    finding f = {{0, 0, NULL}, NULL, NULL, 0};
    for (size_t j = 0; j < all->at[0].d; j++) {
        size_t dated = 0;
        for (size_t i = 0; i < all->n; i++)
            dated += (size_t)all->at[i].feature[j].date;
        if (dated > 0 && dated < all->n)
            fail(a, BAD_DATA, "%s: column %s has dates in some files, numbers "
                 "in others; --drop %s leaves it out", all->at[0].file,
                 all->at[0].feature[j].name,
                 as_value(a, all->at[0].feature[j].name));
        if (dated == 0)
            continue;
        count_days(all, j);
        found(a, &f, &all->at[0], &all->at[0].feature[j]);
        f.files = all->n;
    }
    if (f.first != NULL)
        inform(a, "days", &f.columns, "%s %s the days since the first date; "
               "times are parts of a day", subject(a, &f),
               f.columns.n == 1 ? "counts" : "count");
}

/* ---- what was understood ---- */

/* Signs of one feature in two files, or in a file and a model: the same one,
 * or none beside a currency. */
int signs_agree(const char *x, const char *y)
{
    if (x == NULL || y == NULL)
        return (x == NULL || is_currency(x)) && (y == NULL || is_currency(y));
    return strcmp(x, y) == 0;
}

static void check_signs(app *a, const tasks *all)
{
    const task *first = &all->at[0];
    for (size_t i = 1; i < all->n; i++)
        for (size_t j = 0; j < first->d; j++) {
            const char *x = first->feature[j].sign;
            const char *y = all->at[i].feature[j].sign;
            if (!signs_agree(x, y))
                fail(a, BAD_DATA, "%s: column %s has %s%s, in %s %s%s; --drop "
                     "%s leaves it out", first->file, first->feature[j].name,
                     x ? "the sign " : "no sign", x ? x : "",
                     all->at[i].file, y ? "it has " : "it has none",
                     y ? y : "", first->feature[j].name);
        }
}

/* "$ and %": the signs of the features of all files. */
static const char *all_signs(app *a, const tasks *all)
{
    words known = {0, 0, NULL};
    for (size_t i = 0; i < all->n; i++)
        for (size_t j = 0; j < all->at[i].d && all->at[i].table; j++) {
            const char *sign = all->at[i].feature[j].sign;
            if (sign != NULL)
                add_once(a, &known, sign);
        }
    return listed(a, &known);
}

enum { LIKELY, SURE, SIGN, TWIN, OPEN, READINGS };

/* Is the column such a one?  OPEN: as 1.188 EUR or 1.188 km, or 1.188 between
 * semicolons, and no value tells what the point is. */
static int is_read_so(const attribute *k, int which)
{
    switch (which) {
    case LIKELY: return k->grouped != '\0' && k->likely;
    case SURE: return k->grouped != '\0' && !k->likely;
    case SIGN: return k->sign != NULL;
    case TWIN: return k->twin;
    default: return k->told;
    }
}

/* Says how numbers were read: thousands that may be decimals, thousands, signs,
 * a decimal comma; and of names that stand twice. */
void tell_reading(app *a, const settings *set, const tasks *all)
{
    finding f[READINGS];
    const task *comma = NULL;
    int point = 0, asked = set->decimal != NULL;
    memset(f, 0, sizeof f);
    for (size_t i = 0; i < all->n; i++) {
        const task *t = &all->at[i];
        for (size_t j = 0; j < (t->table ? t->d : 0); j++)
            for (int r = 0; r < READINGS; r++)
                if (t->feature[j].fault == NULL &&
                    is_read_so(&t->feature[j], r))
                    found(a, &f[r], t, &t->feature[j]);
        if (t->table && t->decimal == ',' && comma == NULL)
            comma = t;
        point |= t->shown && t->decimal == '.';
    }
    if (f[TWIN].first != NULL)
        guess(a, "same-name", &f[TWIN].columns, "%s: a name that the header has "
              "again gets .2, .3 and so on; rename the column there, or "
              "--drop it", subject(a, &f[TWIN]));
    if (!asked && comma != NULL)
        inform(a, "decimal-comma", NULL, "%s: the comma is the decimal sign",
               comma->file);
    if (!asked && f[SURE].first != NULL)
        inform(a, "thousands", &f[SURE].columns, "%s: digits stand in groups of "
               "three", subject(a, &f[SURE]));
    if (!asked && f[LIKELY].first != NULL)
        guess(a, "thousands", &f[LIKELY].columns, "%s: commas part thousands; "
              "--decimal , makes them decimal signs", subject(a, &f[LIKELY]));
    if (f[OPEN].first != NULL && !point)
        guess(a, "thousands", &f[OPEN].columns, "%s: points are decimal signs; "
              "--decimal , makes them part thousands", subject(a, &f[OPEN]));
    if (f[SIGN].first != NULL)
        inform(a, "sign", &f[SIGN].columns, "%s: the signs of the numbers (%s) "
               "do not count", subject(a, &f[SIGN]), all_signs(a, all));
}

/* All of it, of tasks with the same features.  Where an option has figures for
 * each of them, none goes. */
void settle_roles(app *a, const settings *set, tasks *all)
{
    int matrix = set->metric != NULL || set->names != NULL ||
                 set->init_words != NULL;
    tell_reading(a, set, all);
    if (tables_of(all) < all->n)
        return;
    check_signs(a, all);
    if (is(set->dates, "days"))
        settle_days(a, all);
    if (matrix)
        return;
    apply_rules(a, all);
    for (size_t i = 0; i < all->n; i++)
        doubt_codes(a, &all->at[i]);
}
