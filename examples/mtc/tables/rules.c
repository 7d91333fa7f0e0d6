/* SPDX-License-Identifier: MIT
 *
 * rules.c - columns of numbers that are no features
 *
 * What no option names is judged by a list of rules, over all files that share
 * the column.  The first that holds decides: the column is left out, or stays
 * and a notice says why it may be none.  And values that may stand for missing
 * ones, as 99999, are told.
 */
#include "csv.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FEW_ROWS = 5,                       /* may ascend by chance */
    SOME_ROWS = 12,                     /* tell a clock, a counter, a year */
    CODE_ROWS = 20                      /* tell a code for missing */
};
#define NUMBERS_END (2 / APP_REAL_EPS)  /* from here on some are equal */

/* What the numbers of a column are like, in all files that share it. */
typedef struct pattern {
    int whole, natural, ascends, descends, differ, constant, gaps;
    int even;                       /* they go by one step; */
    int counts, indexes;            /* by 1, from 0 or 1, up or down; up */
    int years;                      /* 1000 to 2100 */
    int epoch;                      /* a clock's, in s, ms, us, ns: 1, 2, 4, 8 */
    int named, timed, yearly, postal;   /* by the name */
    int first;                      /* 1: it is the first column */
    const char *code;               /* 00123, or NULL */
    double only, next;              /* the first value; behind the last */
    size_t rows;                    /* of the shortest file */
} pattern;

/* ---- names ---- */

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
static int names_samples(const char *name)
{
    static const char *const word[] = {"id", "nr", "no", "key", "uuid", "uid",
                                       "userid", "orderid", "rowid",
                                       "customerid", "number"};
    size_t n = strlen(name), first = strcspn(name, "_-. ");
    while (n > 0 && strchr(". :", name[n - 1]) != NULL)
        n--;
    size_t at = n;
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

/* Is one of the words of the name, which are its runs of letters, parted at a
 * capital too, in the list " year yr "? */
static int has_part(const char *name, const char *list)
{
    for (const char *s = name; *s != '\0';) {
        char part[20] = " ";
        size_t n = 1;
        if (!isalpha((unsigned char)*s)) {
            s++;
            continue;
        }
        do {
            if (n + 2 < sizeof part)
                part[n++] = (char)tolower((unsigned char)*s);
            s++;
        } while (isalpha((unsigned char)*s) &&
                 !(isupper((unsigned char)*s) && islower((unsigned char)s[-1])));
        part[n] = ' ';
        part[n + 1] = '\0';
        if (strstr(list, part) != NULL)
            return 1;
    }
    return 0;
}

static const char clock_words[] =
    " time timestamp datetime date ts epoch unixtime unix clock zeit "
    "zeitstempel datum uhrzeit created updated modified recorded ";
static const char year_words[] = " year yr jahr annee ano anno jaar ";
static const char postal_words[] =
    " zip zipcode postcode postal postalcode plz postleitzahl ";

/* ---- what the numbers are like ---- */

/* The n values that column j has, ascending. */
static double *sorted_values(app *a, const task *t, size_t j, size_t *n)
{
    double *x = TAKE(a, t->n, double);
    *n = 0;
    for (size_t i = 0; i < t->n; i++) {
        double value = (double)t->values[i * t->d + j];
        if (value == value)
            x[(*n)++] = value;
    }
    qsort(x, *n, sizeof *x, compare_reals);
    return x;
}

/* Are all of them different?  Numbers of so many digits that not all count
 * are. */
static int all_differ(app *a, const task *t, size_t j)
{
    size_t n = 0;
    int differ = 1;
    double *x = sorted_values(a, t, j, &n);
    for (size_t i = 1; i < n; i++)
        differ &= x[i] != x[i - 1] || fabs(x[i]) >= NUMBERS_END;
    pool_release(x);
    return differ;
}

/* Do values go by one step, as times of measurements do?  These are rounded,
 * 0.02, 0.03, 0.05; few rows may look so by chance. */
static int is_even(const task *t, size_t j, double *step)
{
    double first = (double)t->values[j];
    double last = (double)t->values[(t->n - 1) * t->d + j];
    double slack = t->n < SOME_ROWS ? 1e-3 : 0.4;
    *step = t->n > 1 ? (last - first) / ((double)t->n - 1) : 0;
    for (size_t i = 1; i < t->n; i++) {
        double off = (double)t->values[i * t->d + j] - first -
                     (double)i * *step;
        if (!(fabs(off) <= slack * fabs(*step)))
            return 0;
    }
    return *step != 0;
}

/* Whole, and all within 1989 to 2039 in seconds, or in parts of them. */
static int is_epoch(double x, double unit)
{
    return x == floor(x) && x >= 6e8 * unit && x <= 2.2e9 * unit;
}

/* What one value tells of its column; `before` it stood another. */
static void look_at_value(pattern *p, double x, double before, int first)
{
    static const double unit[] = {1, 1e3, 1e6, 1e9};
    p->constant &= x == p->only && fabs(x) < NUMBERS_END;
    p->whole = p->whole && x == floor(x);
    int near = x == before && fabs(x) >= NUMBERS_END;   /* as far as is known */
    p->ascends &= first || x > before || near;
    p->descends &= first || x < before || near;
    p->years &= x >= 1000 && x <= 2100;
    p->natural &= x >= 0;
    for (int u = 0; u < 4 && p->epoch != 0; u++)
        p->epoch &= is_epoch(x, unit[u]) ? 15 : 15 - (1 << u);
}

/* One column of one task, the i-th. */
static void look_at(app *a, const task *t, size_t i, size_t j, pattern *p,
                    size_t *known)
{
    double before = 0, first = 0, begin = 0, step;
    size_t seen = 0;
    for (size_t r = 0; r < t->n; r++) {
        double x = (double)t->values[r * t->d + j];
        p->gaps |= x != x;
        if (x != x)
            continue;
        if ((*known)++ == 0)
            p->only = x;
        first = r == 0 ? x : first;
        begin = seen++ == 0 ? x : begin;
        look_at_value(p, x, before, seen == 1);
        before = x;
        if (!p->constant && !p->whole && !p->ascends && !p->descends)
            break;                  /* no rule for numbers can hold */
    }
    p->ascends &= seen < 2 || before > begin;
    p->descends &= seen < 2 || before < begin;
    int even = t->n > 1 && is_even(t, j, &step);
    p->even &= even;
    p->counts &= even && fabs(step) == 1 &&
                 (i > 0 || first == 0 || first == 1 || before == 0 ||
                  before == 1);
    p->indexes &= even && step == 1 && t->n > 1 &&
                  (first == 0 || first == 1 || first == p->next);
    p->next = before + 1;
    p->differ &= p->ascends || (p->named && p->whole && all_differ(a, t, j));
    p->rows = i == 0 || t->n < p->rows ? t->n : p->rows;
}

/* Over all tasks, which have the same features. */
static pattern look_at_all(app *a, const tasks *all, size_t j)
{
    const attribute *k = &all->at[0].feature[j];
    size_t known = 0;
    pattern p = {
        .constant = 1, .whole = 1, .ascends = 1, .descends = 1, .years = 1,
        .natural = 1, .even = 1, .counts = 1, .indexes = 1, .differ = 1,
        .epoch = 15, .first = k->number == 1, .named = names_samples(k->name),
        .timed = has_part(k->name, clock_words),
        .yearly = has_part(k->name, year_words) ||
                  is_part(k->name, 0, 4, "year"),
        .postal = has_part(k->name, postal_words)};
    for (size_t i = 0; i < all->n; i++) {
        look_at(a, &all->at[i], i, j, &p, &known);
        p.code = p.code == NULL ? all->at[i].feature[j].code : p.code;
    }
    p.constant &= known > 1;
    return p;
}

/* ---- the rules ---- */

enum { CONSTANT, NAME, INDEX, CLOCK, COUNTER, REPEATS, YEAR, POSTAL, CODE,
       ASCENDING, RULES };

static int holds(const pattern *p, int rule)
{
    int is_long = p->rows >= SOME_ROWS && !p->gaps;     /* and has no gap */
    int rises = p->ascends || p->descends;
    switch (rule) {
    case CONSTANT: return p->constant;
    case NAME: return p->named && p->whole && p->differ;
    case INDEX: return p->first && p->indexes && p->rows > 2 && !p->gaps;
    case CLOCK:
        return is_long && ((p->epoch && (rises || p->timed)) ||
                           (p->even && rises && p->timed));
    case COUNTER: return is_long && p->whole && p->counts;
    case REPEATS: return p->named && p->whole;
    case YEAR: return is_long && p->whole && p->years && p->yearly;
    case POSTAL: return is_long && p->whole && p->natural && p->postal;
    case CODE: return p->code != NULL;
    default:
        return p->ascends && (p->whole || p->even) && p->rows >= FEW_ROWS;
    }
}

/* What is said of one column, of several. */
typedef struct rule {
    const char *code, *one, *more;
    int goes;                           /* 1: the column is left out */
} rule;

static const rule rules[RULES] = {
    {"constant", "never varies", "never vary", 1},
    {"id", "only numbers the samples", "only number the samples", 1},
    {"index", "counts the samples", "count the samples", 1},
    {"clock", "is a clock", "are clocks", 1},
    {"counter", "counts the rows", "count the rows", 1},
    {"id-repeats", "is named like an identifier, but values repeat,",
     "are named like identifiers, but values repeat,", 0},
    {"year", "has years", "have years", 0},
    {"postal", "has postal codes, whose size means nothing,",
     "have postal codes, whose size means nothing,", 0},
    {"code", "has numbers that begin with 0, as codes do,",
     "have numbers that begin with 0, as codes do,", 0},
    {"ascending", "ascends from row to row", "ascend from row to row", 0}};

/* The first rule that holds of the column, or NULL.  What an option names is
 * not doubted; what has a sign, or no name beside others, only varies. */
static const rule *judge(const task *t, const attribute *k, const pattern *p)
{
    if (k->fault != NULL)
        return NULL;
    if (k->asked != NULL || k->role != AS_FEATURE || k->pair > 0)
        return k->pair > 0 && k->asked == NULL && p->constant ? rules : NULL;
    if (k->date || k->sign != NULL || (k->unnamed && t->header))
        return p->constant ? rules : NULL;
    for (int r = 0; r < RULES; r++)
        if (holds(p, r))
            return &rules[r];
    return NULL;
}

enum { NAMES_SHOWN = 8 };

/* "+a,+b" */
static const char *kept_by(app *a, const words *columns)
{
    words w = {0, 0, NULL};
    if (columns->n > NAMES_SHOWN)
        return "+NAME";
    for (size_t i = 0; i < columns->n; i++)
        add_name(a, &w, formed(a, "+%s", columns->at[i]));
    return as_values(a, &w);
}

static void tell_rules(app *a, const finding f[RULES])
{
    for (size_t r = 0; r < RULES; r++) {
        if (f[r].first == NULL)
            continue;
        int one = f[r].columns.n == 1, goes = rules[r].goes;
        guess(a, rules[r].code, &f[r].columns, "%s %s and %s; --%s %s %s %s",
              subject(a, &f[r]), one ? rules[r].one : rules[r].more,
              goes ? (one ? "is left out" : "are left out")
                   : (one ? "stays a feature" : "stay features"),
              goes ? "use" : "drop",
              goes                              ? kept_by(a, &f[r].columns)
              : f[r].columns.n > NAMES_SHOWN ? "NAME"
                                                : as_values(a, &f[r].columns),
              goes ? (one ? "keeps" : "keep") : (one ? "leaves" : "leave"),
              one ? (goes ? "it" : "it out") : (goes ? "them" : "them out"));
    }
}

void apply_rules(app *a, tasks *all)
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
        for (size_t i = 0; i < all->n && r->goes; i++)
            all->at[i].feature[j].why = r->one;
        found(a, &f[r - rules], t, &t->feature[j]);
        f[r - rules].files = all->n;
    }
    tell_rules(a, f);
    for (size_t i = 0; i < all->n; i++)
        leave_out(a, &all->at[i], out);
    pool_release(out);
}

/* ---- codes for missing ---- */

/* Two or more 9, whatever the sign and the point. */
static int is_nines(double x)
{
    char digits[40];
    size_t nines = 0;
    snprintf(digits, sizeof digits, "%.15g", fabs(x));
    for (const char *s = digits; *s != '\0'; s++) {
        if (*s != '9' && *s != '.')
            return 0;
        nines += *s == '9';
    }
    return nines > 1;
}

/* The others are v's column without it: their ends, how many different ones,
 * the largest step between two. */
typedef struct others {
    double first, last, step;
    size_t n, different, again;         /* again: how often v stands */
} others;

/* x [n] ascending. */
static others without(const double *x, size_t n, double v)
{
    others o = {0, 0, 0, 0, 0, 0};
    for (size_t i = 0; i < n; i++) {
        if (x[i] == v) {
            o.again++;
            continue;
        }
        if (o.n++ == 0)
            o.first = x[i];
        o.different += o.n == 1 || x[i] != o.last;
        o.step = o.n > 1 && x[i] - o.last > o.step ? x[i] - o.last : o.step;
        o.last = x[i];
    }
    return o;
}

/* Does v, the last of x [n] or the first, stand for a missing value? */
static int stands_for_missing(const double *x, size_t n, double v, others *o)
{
    *o = without(x, n, v);
    double gap = v > o->last ? v - o->last : o->first - v;
    double span = o->last - o->first;
    if (2 * o->again > n || o->n < 2)
        return 0;
    if ((is_nines(v) && o->different >= 3 && gap > span) ||
        (o->again >= 3 && o->different >= 10 &&
         gap > (v == 0 ? 3 : 10) * span))
        return 1;
    return (v == -1 || v == -9 || (v < 0 && is_nines(v))) && o->first > 0 &&
           o->again >= 2 && o->different >= 10 && gap > 2 * o->step;
}

/* The two lowest values of a column, and the two highest with the other sign. */
typedef struct ends {
    double low[2], high[2];
} ends;

static void note_end(double *end, double x)
{
    if (x < end[0]) {
        end[1] = end[0];
        end[0] = x;
    } else if (x < end[1] && x > end[0])
        end[1] = x;
}

/* Those of each column, row by row. */
static ends *find_ends(app *a, const task *t)
{
    ends *e = TAKE(a, t->d, ends);
    for (size_t j = 0; j < t->d; j++)
        e[j] = (ends){{HUGE_VAL, HUGE_VAL}, {HUGE_VAL, HUGE_VAL}};
    for (size_t i = 0; i < t->n; i++)
        for (size_t j = 0; j < t->d; j++) {
            note_end(e[j].low, (double)t->values[i * t->d + j]);
            note_end(e[j].high, -(double)t->values[i * t->d + j]);
        }
    return e;
}

/* Is it worth to sort the column?  Its ends lie far from the others, or the
 * first may be a code. */
static int may_have_code(const ends *e)
{
    double low = e->low[0], lower = e->low[1];
    double high = -e->high[0], higher = -e->high[1];
    return high - higher > higher - low || lower - low > high - lower ||
           (low < 0 && lower > 0);
}

/* The code for missing of a column; 0: it has none. */
static int find_code(app *a, const task *t, size_t j, double *code, others *o)
{
    size_t n = 0;
    int found = 0;
    double *x = sorted_values(a, t, j, &n);
    for (int last = 1; last >= 0 && n >= CODE_ROWS && !found; last--) {
        *code = x[last ? n - 1 : 0];
        found = stands_for_missing(x, n, *code, o);
    }
    pool_release(x);
    return found;
}

/* Warns of values that may stand for missing ones. */
void doubt_codes(app *a, const task *t)
{
    words columns = {0, 0, NULL}, codes = {0, 0, NULL};
    others o, first = {0, 0, 0, 0, 0, 0};
    ends *end = find_ends(a, t);
    double code;
    for (size_t j = 0; j < t->d; j++) {
        const attribute *k = &t->feature[j];
        if (k->role != AS_FEATURE || k->pair > 0 || k->date ||
            !may_have_code(&end[j]) || !find_code(a, t, j, &code, &o))
            continue;
        add_once(a, &codes, formed(a, "%.15g", code));
        first = columns.n == 0 ? o : first;
        add_name(a, &columns, k->name);
    }
    pool_release(end);
    if (columns.n == 1)
        warn(a, "sentinel", &columns, "%s: column %s has %s in %zu row%s, the "
             "others lie between %.6g and %.6g: a code for missing? "
             "--missing-word %s --missing mean treats it so", t->file,
             columns.at[0], codes.at[0], first.again,
             first.again == 1 ? "" : "s", first.first, first.last,
             codes.at[0]);
    else if (columns.n > 1)
        warn(a, "sentinel", &columns, "%s: columns %s have values that may stand "
             "for missing (%s): --missing-word %s --missing mean treats them "
             "so", t->file, listed(a, &columns), listed(a, &codes),
             as_values(a, &codes));
}
