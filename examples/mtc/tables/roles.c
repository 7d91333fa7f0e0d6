/* SPDX-License-Identifier: MIT
 *
 * roles.c - columns of numbers that are no features
 *
 * What no option names is judged by a list of rules, over all files that share
 * the column.  The first that holds decides: the column is left out, or stays
 * and a notice says why it may be none.  Columns of dates are left out before.
 */
#include "../base/data.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FEW_ROWS = 5 };                  /* may ascend by chance */
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
    if (!has_word(&f->columns, k->name))
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

/* ---- dates ---- */

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

/* ---- rules ---- */

/* Is the last part of the name, or the first, a word for an identifier? */
int names_samples(const char *name)
{
    static const char *const word[] = {"id", "nr", "no", "key", "uuid", "uid",
                                       "userid", "orderid", "rowid",
                                       "customerid", "nummer", "number"};
    size_t n = strlen(name), first = strcspn(name, "_-. ");
    while (n > 0 && strchr(". :", name[n - 1]) != NULL)
        n--;
    for (size_t i = 0; i < sizeof word / sizeof *word; i++) {
        size_t m = strlen(word[i]), at = n - m;
        if (n < m)
            continue;
        int camel = at > 0 && islower((unsigned char)name[at - 1]) &&
                    isupper((unsigned char)name[at]);
        int parted = at == 0 || camel || strchr("_-. ", name[at - 1]) != NULL;
        int same = 1;
        for (size_t c = 0; c < m; c++)
            same &= tolower((unsigned char)name[at + c]) == word[i][c];
        if (same && (parted || (i >= 10 && at > 1)) && (i < 10 || at > 0))
            return 1;
    }
    return (first == 2 && tolower((unsigned char)*name) == 'i' &&
            tolower((unsigned char)name[1]) == 'd') ||
           strncmp(name, "Unnamed: ", 9) == 0;
}

/* Are all of them different?  Numbers of so many digits that not all
 * count are. */
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

/* One column of one task. */
static void look_at(app *a, const task *t, size_t j, pattern *p, size_t *known)
{
    double last = -HUGE_VAL;
    for (size_t i = 0; i < t->n; i++) {
        double x = (double)t->values[i * t->d + j];
        if (!(x == x))
            continue;
        p->only = (*known)++ == 0 ? x : p->only;
        p->constant &= x == p->only;
        p->whole &= x == floor(x);
        p->ascends &= x > last;
        p->counts &= i == 0 ? x == 0 || x == 1 : x == last + 1;
        p->clock &= (x >= 1e9 && x < 2e9) || (x >= 1e12 && x < 2e12);
        last = x;
    }
    p->differ &= p->ascends || (p->named && all_differ(a, t, j));
    p->rows = t->n > p->rows ? t->n : p->rows;
    p->code |= t->feature[j].code != NULL;
}

/* Over all tasks, which have the same features. */
static pattern look_at_all(app *a, const tasks *all, size_t j)
{
    const attribute *k = &all->at[0].feature[j];
    pattern p = {1, 1, 1, 1, 1, 1, names_samples(k->name), 0, k->number == 1,
                 0, 0};
    size_t known = 0;
    for (size_t i = 0; i < all->n; i++)
        look_at(a, &all->at[i], j, &p, &known);
    p.constant &= known > 1;
    return p;
}

static int is_constant(const pattern *p)
{
    return p->constant;
}

static int is_name(const pattern *p)
{
    return p->named && p->whole && p->differ;
}

static int is_index(const pattern *p)
{
    return p->first && p->whole && p->counts && p->rows > 2;
}

static int is_clock(const pattern *p)
{
    return p->clock && p->whole && p->ascends && p->rows >= FEW_ROWS;
}

static int repeats(const pattern *p)
{
    return p->named && p->whole;
}

static int is_code(const pattern *p)
{
    return p->code;
}

static int ascends(const pattern *p)
{
    return p->whole && p->ascends && p->rows >= FEW_ROWS;
}

typedef struct rule {
    const char *code, *why;
    int goes;                           /* 1: the column is left out */
    int (*holds)(const pattern *p);
} rule;

enum { RULES = 7 };
static const rule rules[RULES] = {
    {"constant", "one value", 1, is_constant},
    {"id", "only numbers the samples", 1, is_name},
    {"index", "counts the samples", 1, is_index},
    {"clock", "a clock", 1, is_clock},
    {"id-repeats", "named like an identifier, but values repeat", 0, repeats},
    {"code", "numbers that begin with 0, as codes do", 0, is_code},
    {"ascending", "ascends from row to row", 0, ascends}};

/* The first rule that holds of the column, or NULL.  Options are not doubted. */
static const rule *judge(const task *t, const attribute *k, const pattern *p)
{
    if (k->asked != NULL || k->role != AS_FEATURE || k->date ||
        k->sign != NULL || (k->unnamed && t->header))
        return p->constant && k->asked == NULL && k->role == AS_FEATURE
                   ? &rules[0] : NULL;
    for (size_t r = 0; r < RULES; r++)
        if (rules[r].holds(p))
            return &rules[r];
    return NULL;
}

static void tell_rules(app *a, const finding f[RULES])
{
    for (size_t r = 0; r < RULES; r++) {
        const char *names = f[r].first != NULL ? as_values(a, &f[r].columns)
                                               : NULL;
        if (names != NULL && rules[r].goes)
            guess(a, rules[r].code, &f[r].columns, "%s: %s; left out, unless "
                  "--use names it", subject(a, &f[r]), rules[r].why);
        else if (names != NULL)
            guess(a, rules[r].code, &f[r].columns, "%s: %s; stays a feature, "
                  "--drop %s leaves it out", subject(a, &f[r]), rules[r].why,
                  names);
    }
}

static void apply_rules(app *a, tasks *all)
{
    task *t = &all->at[0];
    finding f[RULES];
    int *out = TAKE(a, t->d, int);
    size_t kept = t->d;
    memset(f, 0, sizeof f);
    for (size_t j = 0; j < t->d; j++) {
        pattern p = look_at_all(a, all, j);
        const rule *r = judge(t, &t->feature[j], &p);
        if (r == NULL || (r->goes ? kept == 1 : t->d == 1))
            continue;
        out[j] = r->goes;
        kept -= (size_t)r->goes;
        t->feature[j].constant = r == &rules[0];
        t->feature[j].only = p.only;
        found(a, &f[r - rules], t, &t->feature[j]);
        f[r - rules].files = all->n;
    }
    tell_rules(a, f);
    leave_out_all(a, all, out);
    pool_release(out);
}

/* ---- describe ---- */

/* Feature j of task i in all tables, as the first feature of each: by name if
 * all files have names, else by place. */
static tasks column_in_files(app *a, const tasks *all, size_t i, size_t j)
{
    tasks its = {0, 0, 0, TAKE(a, all->n, task), NULL};
    const char *name = all->at[i].feature[j].name;
    int named = 1;
    for (size_t f = 0; f < all->n; f++)
        named &= all->at[f].header;
    for (; i < all->n; i++) {
        task t = all->at[i];
        size_t at = named ? 0 : j;
        while (named && at < t.d && strcmp(t.feature[at].name, name) != 0)
            at++;
        if (at >= t.d || t.n == 0)
            continue;
        t.values += at;                         /* rows stay as long */
        t.feature += at;
        its.at[its.n++] = t;
    }
    return its;
}

/* What a run of the files would see in each column. */
void compare_files(app *a, tasks *all)
{
    if (tables_of(all) < all->n)
        return;
    for (size_t i = 0; i < all->n; i++)
        for (size_t j = 0; j < all->at[i].d; j++) {
            const attribute *k = &all->at[i].feature[j];
            if (k->numbers != NULL || k->role != AS_FEATURE)
                continue;
            tasks its = column_in_files(a, all, i, j);
            pattern p = look_at_all(a, &its, 0);
            const pattern *kept = COPY(a, &p, 1, pattern);
            for (size_t f = 0; f < its.n; f++)
                its.at[f].feature->numbers = kept;
            pool_release(its.at);
        }
}

/* Says of columns that stay what makes them doubtful. */
void doubt_columns(app *a, const tasks *all)
{
    finding f[RULES];
    memset(f, 0, sizeof f);
    for (size_t i = 0; i < all->n; i++)
        for (size_t j = 0; j < (all->at[i].table ? all->at[i].d : 0); j++) {
            const task *t = &all->at[i];
            const attribute *k = &t->feature[j];
            const rule *r = k->numbers != NULL ? judge(t, k, k->numbers) : NULL;
            if (r != NULL && !r->goes)
                found(a, &f[r - rules], t, k);
        }
    tell_rules(a, f);
}

/* Why would column j be no feature?  NULL: it is one. */
const char *why_no_feature(const task *t, size_t j)
{
    const attribute *k = &t->feature[j];
    const rule *r = k->numbers != NULL ? judge(t, k, k->numbers) : NULL;
    return r != NULL && r->goes ? r->why : NULL;
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
            int fresh = sign != NULL;
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
            if (k->fault == NULL && is_such(k))
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
    apply_rules(a, all);
}
