/* SPDX-License-Identifier: MIT
 *
 * roles.c - columns that are no features
 *
 * Dates, numbers that only name the samples, columns that never vary: left out
 * or kept, but never without a word.  What an option names is never doubted.
 * And what was understood of the numbers is said: signs, thousands, a decimal
 * comma.
 */
#include "../base/data.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    FEW_ROWS = 5,                       /* may ascend by chance */
    EVEN_ROWS = 12                      /* fewer may be even, roughly */
};
#define NUMBERS_END 9007199254740992.0  /* 2^53: from here on some are equal */

/* ---- leaving out ---- */

/* Columns that one sentence speaks of, and where it holds. */
typedef struct finding {
    words columns;
    const task *first, *last;
    size_t files;
} finding;

static void found(app *a, finding *f, const task *t, const attribute *k)
{
    int known = 0;
    for (size_t i = 0; i < f->columns.n; i++)
        known |= strcmp(f->columns.at[i], k->name) == 0;
    if (!known)
        add_word(a, &f->columns, k->name, strlen(k->name));
    if (f->first == NULL)
        f->first = t;
    f->files += f->last != t;
    f->last = t;
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

/* "f.csv (and 2 more): columns a and b" */
static const char *subject(app *a, const finding *f)
{
    text t = {NULL, 0, 0};
    const words *w = &f->columns;
    put(a, &t, "%s", f->first->file);
    if (f->files > 1)
        put(a, &t, " (and %zu more)", f->files - 1);
    put(a, &t, ": column%s", w->n == 1 ? "" : "s");
    for (size_t i = 0; i < w->n && i < 8; i++)
        put(a, &t, "%s %s", i == 0 ? "" : i + 1 == w->n ? " and" : ",",
            w->at[i]);
    if (w->n > 8)
        put(a, &t, " and %zu more", w->n - 8);
    return t.at;
}

static size_t tables_of(const tasks *all)
{
    size_t n = 0;
    for (size_t i = 0; i < all->n; i++)
        n += (size_t)all->at[i].table;
    return n;
}

/* Leaves out the features that are flagged [d], the same in all tasks. */
static void leave_out_all(app *a, tasks *all, const int *out)
{
    for (size_t i = 0; i < all->n; i++)
        leave_out(a, &all->at[i], out);
}

/* Are the features of t those of the same numbers in all tables? */
static int have_same_numbers(const tasks *all, const task *t)
{
    for (size_t i = 0; i < all->n; i++) {
        const task *other = &all->at[i];
        size_t columns = other->table ? t->d : 0;
        if (other->table && other->d != t->d)
            return 0;
        for (size_t j = 0; j < columns; j++)
            if (other->feature[j].number != t->feature[j].number ||
                (other->header && strcmp(other->feature[j].name,
                                         t->feature[j].name) != 0))
                return 0;
    }
    return 1;
}

/* Has the header a number?  Then 3 may be a name, and 3-3 is none. */
int has_numeric_names(const task *t)
{
    size_t first, last;
    for (size_t j = 0; j < t->d; j++)
        if (!t->feature[j].unnamed &&
            numbers_of(t->feature[j].name, &first, &last))
            return 1;
    return 0;
}

/* --use with all features of a task, so that those found are kept: by names,
 * or by numbers where some file has none, or they are many. */
const char *use_all(app *a, const tasks *all, const task *t)
{
    text names = {NULL, 0, 0}, numbers = {NULL, 0, 0}, quoted = numbers;
    int named = t->header, numeric = has_numeric_names(t);
    for (size_t i = 0; i < all->n; i++)
        named &= all->at[i].header || !all->at[i].table;
    for (size_t j = 0; j < t->d; j++) {
        const attribute *k = &t->feature[j];
        if (k->role == AS_WORDS)                /* has an option of its own */
            continue;
        named &= !k->unnamed && !k->twin && strchr(k->name, ',') == NULL;
        put(a, &names, names.length == 0 ? "%s" : ",%s", k->name);
    }
    if (named && (t->d <= 12 || !have_same_numbers(all, t))) {
        put_shell(a, &quoted, names.at);
        return quoted.at + 1;                   /* behind a space */
    }
    for (size_t j = 0; j < t->d; j++) {
        size_t first = t->feature[j].number, last = first;
        if (t->feature[j].role == AS_WORDS)
            continue;
        while (j + 1 < t->d && t->feature[j + 1].number == last + 1 &&
               t->feature[j + 1].role != AS_WORDS) {
            last++;
            j++;
        }
        put(a, &numbers, numbers.length > 0 ? ",%zu" : "%zu", first);
        if (last > first || numeric)
            put(a, &numbers, "-%zu", last);
    }
    return numbers.at;
}

/* ---- dates ---- */

/* Columns of dates are left out, file by file, before columns are matched;
 * with --dates days they stay. */
void settle_date_columns(app *a, const settings *set, tasks *all)
{
    finding f = {{0, 0, NULL}, NULL, NULL, 0};
    if (is(set->dates, "days"))
        return;
    for (size_t i = 0; i < all->n; i++) {
        task *t = &all->at[i];
        if (!t->table)
            continue;
        int *out = TAKE(a, t->d, int), any = 0;
        for (size_t j = 0; j < t->d; j++)
            if (t->feature[j].date) {
                found(a, &f, t, &t->feature[j]);
                any = out[j] = 1;
            }
        if (any)
            leave_out(a, t, out);
        pool_release(out);
    }
    if (f.first != NULL)
        guess(a, "dates", &f.columns, "%s %s dates or times and %s left out; "
              "--dates days makes days of them", subject(a, &f),
              f.columns.n == 1 ? "has" : "have",
              f.columns.n == 1 ? "is" : "are");
}

/* Days since the first one of all tasks; the feature remembers it. */
static void count_days(app *a, tasks *all, size_t n, size_t j)
{
    double first = HUGE_VAL;
    const char *timed = NULL, *dated = NULL;    /* files that have them */
    for (size_t i = 0; i < n; i++) {
        const task *t = &all->at[i];
        for (size_t r = 0; r < t->n; r++) {
            double x = (double)t->values[r * t->d + j];
            first = x < first ? floor(x) : first;
            timed = x < DATES ? t->file : timed;
            dated = x >= DATES ? t->file : dated;
        }
    }
    if (timed != NULL && dated != NULL)
        fail(a, BAD_DATA, "%s: column %s has times without a date, in %s it "
             "has dates; --drop %s leaves it out", timed,
             all->at[0].feature[j].name, dated,
             as_value(a, all->at[0].feature[j].name));
    if (first < DATES)
        first = TIMES;
    for (size_t i = 0; i < n; i++) {
        task *t = &all->at[i];
        t->feature[j].first_day = first;
        for (size_t r = 0; r < t->n; r++)
            t->values[r * t->d + j] -= (mtc_real)first;
    }
}

static void settle_days(app *a, tasks *all)
{
    finding f = {{0, 0, NULL}, NULL, NULL, 0}, times = f;
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
        count_days(a, all, all->n, j);
        const attribute *k = &all->at[0].feature[j];
        finding *to = k->first_day == TIMES ? &times : &f;
        found(a, to, &all->at[0], k);
        to->files = all->n;
    }
    if (f.first != NULL)
        inform(a, "days", &f.columns, "%s %s the days since the first date",
               subject(a, &f), f.columns.n == 1 ? "counts" : "count");
    if (times.first != NULL)
        inform(a, "days", &times.columns, "%s %s times, as parts of a day: "
               "23:59 is far from 0:01", subject(a, &times),
               times.columns.n == 1 ? "has" : "have");
}

/* ---- names of samples ---- */

/* Are characters from..to of the name this word, in any case? */
static int is_part(const char *name, size_t from, size_t to, const char *word)
{
    size_t n = strlen(word), c = 0;
    while (c < n && from + c < to &&
           tolower((unsigned char)name[from + c]) == word[c])
        c++;
    return c == n && from + c == to;
}

/* Is the name, or its last part, that of an identifier, or its first part id,
 * or is it pandas' index, or German as Kundennummer and Artikelnr are?
 * Points at the end do not count: No., Nr. */
int names_samples(const char *name)
{
    static const char *const word[] = {"id", "nr", "no", "key", "uuid", "uid",
                                       "userid", "orderid", "rowid",
                                       "customerid", "number"};
    size_t n = strlen(name);
    while (n > 0 && strchr(". :", name[n - 1]) != NULL)
        n--;
    size_t at = n, first = strcspn(name, "_-. ");
    while (at > 0) {
        char here = at < n ? name[at] : '\0', before = name[at - 1];
        if (strchr("_-. ", before) != NULL ||
            (isupper((unsigned char)here) && islower((unsigned char)before)))
            break;
        at--;
    }
    for (int i = 0; i < (at > 0 ? 11 : 10); i++)     /* a number counts */
        if (is_part(name, at, n, word[i]))
            return 1;
    return is_part(name, 0, first, "id") ||
           (n > 6 && is_part(name, n - 6, n, "nummer")) ||
           (n > 4 && is_part(name, n - 2, n, "nr")) ||
           strncmp(name, "Unnamed: ", 9) == 0;
}

/* Are all of them different?  Those that ascend are, and numbers of so many
 * digits that not all count are not for counting. */
static int all_differ(app *a, const task *t, size_t j)
{
    size_t n = 0;
    int differ = 1;
    double *x = TAKE(a, t->n, double);
    for (size_t i = 0; i < t->n; i++) {
        double value = (double)t->values[i * t->d + j];
        if (value == value)
            x[n++] = value;
    }
    qsort(x, n, sizeof *x, compare_reals);
    for (size_t i = 1; i < n; i++)
        differ &= x[i] != x[i - 1] || fabs(x[i]) >= NUMBERS_END;
    pool_release(x);
    return differ;
}

/* 5.2024 as 202405; any other number as it is. */
static double year_first(double x)
{
    double month = floor(x), year = floor(1e4 * (x - month) + 0.5);
    int has_year = x < 13 && fabs(x - month - year / 1e4) < 1e-6;
    return has_year ? 100 * year + month : x;
}

/* Are all numbers of column j as 20240531, 202405, 5.2024 or 20240531235959?
 * 99991231 stands for no end.  In float days are even.  An exchange rate is
 * always about 1.2. */
static int are_day_numbers(const task *t, size_t j)
{
    int any = 0;
    for (size_t i = 0; i < t->n; i++) {
        double value = (double)t->values[i * t->d + j], x = year_first(value);
        double days = x >= 19e12   ? floor(x / 1e6)     /* with seconds */
                      : x >= 19e10 ? floor(x / 1e4)     /* with minutes */
                      : x < 1e6    ? 100 * x : x;       /* months */
        double day = fmod(days, 100), month = fmod(floor(days / 100), 100);
        double year = floor(days / 1e4);
        if (x == x && !(x == floor(x) && day <= 32 && month >= 1 &&
                        month <= 12 && ((year >= 1900 && year < 2100) ||
                                        year == 9999)))
            return 0;
        any |= x == x && floor(value) != floor((double)t->values[j]);
    }
    return any;
}

/* As far as it takes to see that they do not ascend, unless the column is
 * `named` as an identifier. */
static pattern look_at(app *a, const task *t, size_t j, int named)
{
    pattern p = {1, 1, 0, named, 0, 0, NULL, 0};
    double last = -HUGE_VAL;
    for (size_t i = 0; i < t->n && p.whole && (p.ascends || named); i++) {
        double value = (double)t->values[i * t->d + j];
        if (!(value == value))
            continue;
        p.whole = value == floor(value);
        p.ascends &= value > last;
        last = value;
    }
    p.differ = p.ascends || (named && p.whole && all_differ(a, t, j));
    return p;
}

/* Do values go up by one step, as times of measurements do?  These are rounded,
 * 0.02, 0.03, 0.05; few rows may look so by chance. */
static int is_even(const task *t, size_t j)
{
    double first = (double)t->values[j];
    double last = (double)t->values[(t->n - 1) * t->d + j];
    double step = (last - first) / ((double)t->n - 1);
    double slack = t->n < EVEN_ROWS ? 1e-3 : 0.4;
    if (!(step > 0))
        return 0;
    for (size_t i = 1; i < t->n; i++) {
        double off = (double)t->values[i * t->d + j] - first - (double)i * step;
        if (!(fabs(off) <= slack * step))
            return 0;
    }
    return t->n > FEW_ROWS;
}

/* Has column j one value in all tasks, and not just once? */
static int is_constant(const tasks *all, size_t j)
{
    double x = NAN;
    size_t known = 0;
    for (size_t i = 0; i < all->n; i++) {
        const task *t = &all->at[i];
        for (size_t r = 0; r < t->n; r++) {
            double value = (double)t->values[r * t->d + j];
            if (!(value == value))
                continue;
            if (!(x == x))
                x = value;
            if (value != x)
                return 0;
            known++;
        }
    }
    return known > 1;
}

/* Over all tasks, which have the same features. */
static pattern look_at_all(app *a, const tasks *all, size_t j, int named)
{
    pattern p = {1, 1, 1, named, 0, 0, NULL, 0};
    for (size_t i = 0; i < all->n && p.whole && (p.ascends || named); i++) {
        pattern own = look_at(a, &all->at[i], j, named);
        p.whole &= own.whole;
        p.ascends &= own.ascends;
        p.differ &= own.differ;
    }
    for (size_t i = 0; i < all->n && p.code == NULL; i++)
        p.code = all->at[i].feature[j].code;
    p.even = 1;
    for (size_t i = 0; i < all->n; i++)
        p.even &= is_even(&all->at[i], j);
    p.days = are_day_numbers(&all->at[0], j);
    p.constant = is_constant(all, j);
    return p;
}

/* Has it one value in each of several tasks, and not the same? */
static int is_each_constant(const tasks *all, size_t j)
{
    int each = all->n > 1;
    for (size_t i = 0; i < all->n && each; i++) {
        tasks one = {1, all->d, all->kept, &all->at[i], NULL};
        each = is_constant(&one, j);
    }
    return each && !is_constant(all, j);
}

/* Columns that may be no features, but stay. */
typedef struct doubts {
    finding again, ascend, codes, days;
    const char *code;                           /* 00123 */
} doubts;

/* Says of columns that only name the samples. */
static void tell_names(app *a, const tasks *all, const finding *left)
{
    int one = left->columns.n == 1;
    if (left->first != NULL)
        guess(a, "id", &left->columns, "%s only number%s the samples and %s "
              "left out; --use %s keeps %s", subject(a, left), one ? "s" : "",
              one ? "is" : "are", use_all(a, all, left->first),
              one ? "it" : "them");
}

static void tell_stays(app *a, const doubts *d)
{
    const finding *again = &d->again, *ascend = &d->ascend, *codes = &d->codes;
    int one = again->columns.n == 1;
    if (again->first != NULL)
        guess(a, "id-repeats", &again->columns, "%s %s named like %s, but "
              "values repeat, so %s; --drop %s leaves %s out",
              subject(a, again), one ? "is" : "are",
              one ? "an identifier" : "identifiers",
              one ? "it stays a feature" : "they stay features",
              as_values(a, &again->columns), one ? "it" : "them");
    one = ascend->columns.n == 1;
    if (ascend->first != NULL)
        guess(a, "ascending", &ascend->columns, "%s ascend%s from row to row "
              "and %s; --drop %s leaves %s out if %s only number%s the "
              "samples", subject(a, ascend), one ? "s" : "",
              one ? "stays a feature" : "stay features",
              as_values(a, &ascend->columns), one ? "it" : "them",
              one ? "it" : "they", one ? "s" : "");
    one = codes->columns.n == 1;
    if (codes->first != NULL)
        guess(a, "code", &codes->columns, "%s %s numbers that begin with 0 "
              "(%s), as codes do, and %s; --drop %s leaves %s out",
              subject(a, codes), one ? "has" : "have", d->code,
              one ? "stays a feature" : "stay features",
              as_values(a, &codes->columns), one ? "it" : "them");
    one = d->days.columns.n == 1;
    if (d->days.first != NULL)
        guess(a, "day-numbers", &d->days.columns, "%s %s numbers as 20240531, "
              "202405 or 05.2024, which may be dates, and %s; --drop %s leaves "
              "%s out",
              subject(a, &d->days), one ? "has" : "have",
              one ? "stays a feature" : "stay features",
              as_values(a, &d->days.columns), one ? "it" : "them");
}

/* What is to be said of a column that stays. */
static void doubt_column(app *a, doubts *d, const task *t, const attribute *k,
                         pattern l)
{
    if (l.constant)                             /* it goes later */
        return;
    if (l.code != NULL && d->code == NULL)
        d->code = l.code;
    if (l.named && l.whole && !l.differ)
        found(a, &d->again, t, k);
    else if (l.code != NULL)
        found(a, &d->codes, t, k);
    else if (l.days)
        found(a, &d->days, t, k);
    else if (!l.named && ((l.whole && l.ascends) || l.even) && t->d > 1)
        found(a, &d->ascend, t, k);
}

/* May column k of t only name the samples?  What was asked for does not. */
static int may_be_name(const task *t, const attribute *k)
{
    return k->asked == NULL && !(k->unnamed && t->header) && k->sign == NULL;
}

/* The rows of the longest file. */
static size_t most_rows(const tasks *all)
{
    size_t rows = 0;
    for (size_t i = 0; i < all->n; i++)
        rows = all->at[i].n > rows ? all->at[i].n : rows;
    return rows;
}

static void settle_names_of_samples(app *a, tasks *all)
{
    task *t = &all->at[0];
    finding left = {{0, 0, NULL}, NULL, NULL, 0};
    doubts d;
    memset(&d, 0, sizeof d);
    int *out = TAKE(a, t->d, int);
    size_t rows = most_rows(all), kept = t->d;
    for (size_t j = 0; j < t->d; j++) {
        attribute *k = &t->feature[j];
        if (k->role != AS_FEATURE || k->date || !may_be_name(t, k))
            continue;
        int named = names_samples(k->name);
        pattern l = look_at_all(a, all, j, named);
        if (!named && rows < FEW_ROWS && l.code == NULL)
            continue;
        if (named && l.whole && l.differ && kept > 1) {
            found(a, &left, t, k);
            out[j] = 1;
            kept--;
        } else
            doubt_column(a, &d, t, k, l);
    }
    left.files = d.again.files = d.ascend.files = d.codes.files = all->n;
    d.days.files = all->n;
    tell_names(a, all, &left);
    tell_stays(a, &d);
    leave_out_all(a, all, out);
    pool_release(out);
}

/* ---- describe ---- */

/* Column k of all tables from the i-th on that propose it as a feature, as the
 * first column of each: by name if all files have names, else by number. */
static tasks column_in_files(app *a, const tasks *all, size_t i,
                             const attribute *k)
{
    tasks its = {0, 0, 0, TAKE(a, all->n, task), NULL};
    int named = 1;
    for (size_t f = 0; f < all->n; f++)
        named &= all->at[f].header;
    for (; i < all->n; i++) {
        task t = all->at[i];
        size_t j = t.d;
        if (t.table && k->number <= t.d &&
            (!named || strcmp(t.feature[k->number - 1].name, k->name) == 0))
            j = k->number - 1;
        else if (t.table && named)
            for (j = 0; j < t.d && strcmp(t.feature[j].name, k->name) != 0;)
                j++;
        if (j >= t.d || t.n == 0 || t.feature[j].proposed != AS_FEATURE)
            continue;
        t.values += j;                          /* rows stay as long */
        t.feature += j;
        its.at[its.n++] = t;
    }
    return its;
}

/* What a run of the files would see in each column: it looks at all of them
 * together. */
void compare_files(app *a, tasks *all)
{
    agree_on_index(a, all);
    if (tables_of(all) < all->n)                /* nor would it look */
        return;
    for (size_t i = 0; i < all->n; i++)
        for (size_t j = 0; j < all->at[i].d; j++) {
            const attribute *k = &all->at[i].feature[j];
            if (k->proposed != AS_FEATURE || k->numbers != NULL)
                continue;
            tasks its = column_in_files(a, all, i, k);
            pattern p = look_at_all(a, &its, 0, names_samples(k->name));
            const pattern *kept = COPY(a, &p, 1, pattern);
            for (size_t f = 0; f < its.n; f++)
                its.at[f].feature->numbers = kept;
            pool_release(its.at);
        }
}

/* Says of the columns that are proposed as features what makes them
 * doubtful. */
void doubt_columns(app *a, const tasks *all)
{
    doubts d;
    size_t rows = most_rows(all);
    memset(&d, 0, sizeof d);
    for (size_t i = 0; i < all->n; i++) {
        const task *t = &all->at[i];
        size_t columns = t->table ? t->d : 0;
        for (size_t j = 0; j < columns; j++) {
            const attribute *k = &t->feature[j];
            const pattern *l = k->numbers;
            if (k->proposed != AS_FEATURE || l == NULL || !may_be_name(t, k) ||
                (!l->named && rows < FEW_ROWS && l->code == NULL))
                continue;
            doubt_column(a, &d, t, k, *l);
        }
    }
    tell_stays(a, &d);
}

/* Why would column j be no feature?  NULL: it is one. */
const char *why_no_feature(const task *t, size_t j)
{
    const attribute *k = &t->feature[j];
    const pattern *l = k->numbers;
    if (j == 0 && t->index)
        return "it counts the samples";
    if (l == NULL || k->asked != NULL)
        return NULL;
    if (may_be_name(t, k) && l->named && l->whole && l->differ)
        return "it only numbers the samples";
    return l->constant ? "it never varies" : NULL;
}

/* ---- constants ---- */

static void settle_constants(app *a, tasks *all)
{
    const task *t = &all->at[0];
    finding f = {{0, 0, NULL}, NULL, NULL, 0}, each = f;
    int *out = TAKE(a, t->d, int);
    size_t kept = t->d, rows = 0;
    for (size_t i = 0; i < all->n; i++)
        rows += all->at[i].n;
    for (size_t j = 0; j < t->d && rows > 1; j++)
        if (t->feature[j].role == AS_FEATURE && t->feature[j].asked == NULL &&
            kept > 1 && is_constant(all, j)) {
            found(a, &f, t, &t->feature[j]);
            t->feature[j].only = (double)t->values[j];
            out[j] = t->feature[j].constant = 1;
            kept--;
        } else if (t->feature[j].role == AS_FEATURE &&
                   t->feature[j].asked == NULL && is_each_constant(all, j)) {
            found(a, &each, t, &t->feature[j]);
        }
    f.files = each.files = all->n;
    if (each.first != NULL)
        guess(a, "constant", &each.columns, "%s: one value in each file, but "
              "not the same, so %s; --drop %s leaves %s out",
              subject(a, &each), each.columns.n == 1 ? "it stays a feature"
                                                     : "they stay features",
              as_values(a, &each.columns), each.columns.n == 1 ? "it" : "them");
    if (f.first != NULL)
        guess(a, "constant", &f.columns, "%s never var%s and %s left out; "
              "--use %s keeps %s", subject(a, &f),
              f.columns.n == 1 ? "ies" : "y", f.columns.n == 1 ? "is" : "are",
              use_all(a, all, t), f.columns.n == 1 ? "it" : "them");
    leave_out_all(a, all, out);
    pool_release(out);
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

/* "$, %": the signs of the features of all files. */
static const char *all_signs(app *a, const tasks *all)
{
    words known = {0, 0, NULL};
    text t = {NULL, 0, 0};
    for (size_t i = 0; i < all->n; i++)
        for (size_t j = 0; j < all->at[i].d && all->at[i].table; j++) {
            const attribute *k = &all->at[i].feature[j];
            const char *sign = k->sign;
            int fresh = sign != NULL && k->proposed == AS_FEATURE;
            for (size_t w = 0; w < known.n && fresh; w++)
                fresh = strcmp(known.at[w], sign) != 0;
            if (!fresh)
                continue;
            add_word(a, &known, sign, strlen(sign));
            put(a, &t, known.n == 1 ? "%s" : ", %s", sign);
        }
    return t.at;
}

/* Collects one kind of columns of all files, in f: whether column k is such a
 * one. */
static void find_columns(app *a, const tasks *all, finding *f,
                         int (*is_such)(const attribute *k))
{
    for (size_t i = 0; i < all->n; i++) {
        const task *t = &all->at[i];
        size_t columns = t->table ? t->d : 0;
        for (size_t j = 0; j < columns; j++) {
            const attribute *k = &t->feature[j];
            if (k->proposed == AS_FEATURE && is_such(k))
                found(a, f, t, k);
        }
    }
}

static int has_likely_thousands(const attribute *k)
{
    return k->grouped != '\0' && k->likely;
}

static int has_thousands(const attribute *k)
{
    return k->grouped != '\0' && !k->likely;
}

static int has_sign(const attribute *k)
{
    return k->sign != NULL;
}

static int is_twin(const attribute *k)
{
    return k->twin;
}

/* As 1.188 EUR or 1.188 km, or 1.188 between semicolons, and no value tells
 * what the point is. */
static int has_open_point(const attribute *k)
{
    return k->told;
}

/* Says how numbers were read: thousands that may be decimals, thousands, signs,
 * a decimal comma; and of names that stand twice. */
void tell_reading(app *a, const settings *set, const tasks *all)
{
    finding likely = {{0, 0, NULL}, NULL, NULL, 0}, sure = likely;
    finding sign = likely, twin = likely, open = likely;
    const task *comma = NULL;
    int point = 0;
    find_columns(a, all, &likely, has_likely_thousands);
    find_columns(a, all, &sure, has_thousands);
    find_columns(a, all, &sign, has_sign);
    find_columns(a, all, &twin, is_twin);
    find_columns(a, all, &open, has_open_point);
    for (size_t i = 0; i < all->n; i++) {
        const task *t = &all->at[i];
        if (t->table && t->decimal == ',' && comma == NULL)
            comma = t;
        point |= t->shown && t->decimal == '.';
    }
    if (twin.columns.n > 1)
        guess(a, "same-name", &twin.columns, "%s: a name that the header has "
              "again gets .2, .3 and so on; rename the column there, or "
              "--drop it",
              subject(a, &twin));
    if (set->decimal == NULL && comma != NULL)
        inform(a, "decimal-comma", NULL, "%s: the comma is the decimal sign",
               comma->file);
    if (set->decimal == NULL && sure.first != NULL)
        inform(a, "thousands", &sure.columns, "%s: digits stand in groups of "
               "three", subject(a, &sure));
    if (set->decimal == NULL && likely.first != NULL)
        guess(a, "thousands", &likely.columns, "%s: commas part thousands; "
              "--decimal , makes them decimal signs", subject(a, &likely));
    if (open.first != NULL && !point)
        guess(a, "thousands", &open.columns, "%s: points are decimal signs; "
              "--decimal , makes them part thousands", subject(a, &open));
    if (sign.first != NULL)
        inform(a, "sign", &sign.columns, "%s: the signs of the numbers (%s) do "
               "not count", subject(a, &sign), all_signs(a, all));
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
    settle_names_of_samples(a, all);
    settle_constants(a, all);
}
