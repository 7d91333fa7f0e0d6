/* SPDX-License-Identifier: MIT
 *
 * describe.c - the command describe: what the columns of tables hold
 *
 * Every column with its type, range, missing values, the role that it would
 * have and what is wrong with it.  Nothing is refused but what is no table.
 */
#include "../tables/csv.h"
#include "../methods/job.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A column as it is shown. */
typedef struct portrait {
    const char *name, *type, *role;
    const char *why;                /* it is no feature; or NULL */
    size_t number, values, missing, different;
    double low, high;               /* low > high: there is no range */
    const attribute *of;
} portrait;

static const char *role_name(const csv *c, const attribute *k)
{
    switch (k->proposed) {
    case AS_LABEL: return "labels";
    case AS_ID: return "id";
    case AS_INDEX: return "index";
    case AS_TEXT: return "text";
    case AS_NOTHING: return "left out";
    default: return c->cells[k->number - 1].words > 0 &&
                    k->proposed == AS_WORDS ? "words" : "feature";
    }
}

static const char *type_name(const task *t, size_t j)
{
    const cells *k = &t->sheet->cells[j];
    const attribute *of = &t->feature[j];
    size_t numbers = t->n - k->holes - k->words - k->n_odd + k->amounts;
    int kinds = (numbers > 0) + (k->dates > 0) + (k->words > 0);
    if (kinds > 1)
        return "mixed";
    if (k->words > 0 || (kinds == 0 && k->marks > 0))
        return "words";
    return of->date ? "dates" : numbers > 0 ? "numbers" : "empty";
}

/* Smallest and largest value of column j; NaN is none. */
static void find_range(const task *t, size_t j, portrait *p)
{
    p->low = HUGE_VAL;
    p->high = -HUGE_VAL;
    for (size_t i = 0; i < t->n; i++) {
        double x = (double)t->values[i * t->d + j];
        p->low = x < p->low ? x : p->low;
        p->high = x > p->high ? x : p->high;
    }
    if (t->feature[j].date && p->high < DATES) {
        p->low -= TIMES;                        /* parts of a day */
        p->high -= TIMES;
    }
}

/* How many values column j has; NaN is none. */
static size_t different_numbers(app *a, const task *t, size_t j)
{
    double *x = TAKE(a, t->n, double);
    size_t n = 0, different = 0;
    for (size_t i = 0; i < t->n; i++) {
        double value = (double)t->values[i * t->d + j];
        if (value == value)
            x[n++] = value;
    }
    qsort(x, n, sizeof *x, compare_reals);
    for (size_t i = 0; i < n; i++)
        different += i == 0 || x[i] != x[i - 1];
    pool_release(x);
    return different;
}

/* A run keeps one feature whatever it holds, a constant before a number of the
 * samples: which of t is it?  MTC_NONE: there are others. */
static size_t only_feature(const task *t)
{
    size_t only = MTC_NONE;
    int constant = 0;
    for (size_t j = 0; j < t->d; j++) {
        const attribute *k = &t->feature[j];
        int numbers = strcmp(type_name(t, j), "numbers") == 0;
        if (k->proposed == AS_WORDS || k->proposed == AS_TEXT)
            return MTC_NONE;
        if (k->proposed != AS_FEATURE || !numbers)
            continue;
        const char *why = why_no_feature(t, j);
        if (why == NULL)
            return MTC_NONE;
        int varies = strcmp(why, "it never varies") != 0;
        if (varies && constant)
            continue;
        only = j;
        constant = !varies;
    }
    return only;
}

static portrait look_closely(app *a, const task *t, size_t j)
{
    const csv *c = t->sheet;
    const cells *k = &c->cells[j];
    portrait p;
    memset(&p, 0, sizeof p);
    p.of = &t->feature[j];
    p.number = j + 1;
    p.name = p.of->name;
    p.missing = k->holes + k->marks;
    p.type = type_name(t, j);
    if (strcmp(p.type, "words") == 0)
        p.missing = k->holes;
    p.values = t->n - p.missing;
    p.different = k->different.n;
    if (strcmp(p.type, "words") != 0)
        p.different += different_numbers(a, t, j);
    find_range(t, j, &p);
    p.role = role_name(c, p.of);
    if (p.of->proposed != AS_FEATURE)
        return p;
    if (strcmp(p.type, "words") == 0 || strcmp(p.type, "mixed") == 0)
        p.role = is_category(c, j) ? "onehot"
                 : is_prose(c, j)  ? "text"
                 : is_naming(c, j) && c->set->id == NULL ? "id" : "left out";
    if (p.of->date)
        p.why = "dates or times";
    else if (strcmp(p.type, "empty") == 0)
        p.why = "it is empty";
    else if (strcmp(p.type, "numbers") == 0)
        p.why = why_no_feature(t, j);
    if (p.why != NULL && only_feature(t) == j)
        p.why = NULL;
    if (p.why != NULL)
        p.role = "left out";
    return p;
}

/* What a member of JSON lines is good for: one of them is the label. */
static const char *member_role(const members *all, size_t j, size_t n)
{
    const member *m = &all->at[j];
    int first = m->label_rank > 0;
    for (size_t i = 0; i < all->n; i++)
        first &= all->at[i].label_rank == 0 ||
                 all->at[i].label_rank >= m->label_rank;
    if (first)
        return "labels";
    if (m->words <= 2 || m->numbers + m->nested > 0 ||
        2 * m->different.n <= m->words)
        return "left out";
    return m->spaces >= 4 * m->words                   ? "text"
           : m->words == n && m->different.n == n ? "id" : "left out";
}

/* The same of a member of JSON lines. */
static portrait look_at_member(app *a, const task *t, size_t j)
{
    const member *m = &t->members->at[j];
    attribute *k = TAKE(a, 1, attribute);
    portrait p;
    memset(&p, 0, sizeof p);
    p.of = k;
    p.number = j + 1;
    p.name = k->name = t->members->names.word[j];
    p.values = m->numbers + m->words + m->nested;
    p.missing = t->n - p.values;
    p.type = p.values == 0             ? "empty"
             : m->numbers == p.values ? "numbers"
             : m->words == p.values   ? "words" : "mixed";
    p.different = m->different.n + m->digits.n;
    p.low = m->low;
    p.high = m->high;
    p.role = member_role(t->members, j, t->n);
    if (strcmp(p.role, "left out") == 0 && m->numbers == p.values)
        p.why = "of JSON lines only texts are features";
    return p;
}

/* How many columns there are to show. */
static size_t width_of(const task *t)
{
    return t->members != NULL ? t->members->n : t->d;
}

static portrait portrait_of(app *a, const task *t, size_t j)
{
    return t->members != NULL ? look_at_member(a, t, j)
                              : look_closely(a, t, j);
}

/* Are there faults of the column that matter? */
static const fault *next_fault(const task *t, const portrait *p,
                               const fault *after)
{
    if (t->sheet == NULL)
        return NULL;
    const faults *bad = &t->sheet->bad;
    size_t i = after == NULL ? 0 : (size_t)(after - bad->at) + 1;
    size_t j = p->number - 1;
    if (t->feature[j].proposed != AS_FEATURE)
        return NULL;
    for (; i < bad->n; i++)
        if (bad->at[i].column == j)
            return &bad->at[i];
    return NULL;
}

/* ---- text ---- */

static void put_range(app *a, text *out, const portrait *p)
{
    text t = {NULL, 0, 0};
    if (strcmp(p->type, "words") == 0)
        put(a, &t, "%zu different", p->different);
    else if (p->low > p->high)
        put(a, &t, "-");
    else if (p->of->date && p->low > 2) {
        put_day(a, &t, p->low);
        put(a, &t, " to ");
        put_day(a, &t, p->high);
    } else if (p->low == floor(p->low) && p->high == floor(p->high) &&
               fabs(p->low) < 1e12 && fabs(p->high) < 1e12)
        put(a, &t, "%.0f to %.0f", p->low, p->high);
    else
        put(a, &t, "%.6g to %.6g", p->low, p->high);
    put(a, out, " %-24s", t.at);
}

/* At most n bytes of a cell, in UTF-8: no character is cut. */
static const char *first_bytes(app *a, const char *s, size_t n)
{
    text t = {NULL, 0, 0};
    const char *known = in_utf8(a, s);
    size_t length = strlen(known);
    for (length = length < n ? length : n; (known[length] & 0xc0) == 0x80;)
        length--;
    put(a, &t, "%.*s", (int)length, known);
    return t.at;
}

static void put_column(app *a, text *out, const task *t, const portrait *p,
                       int width)
{
    const char *name = visible(a, p->name);
    text its = {NULL, 0, 0};
    put(a, &its, "%s", p->type);
    if (p->of->sign != NULL)
        put(a, &its, " (%s)", p->of->sign);
    const char *type = visible(a, its.at);
    put(a, out, "%5zu %-*s %-*s %7zu", p->number, padded(name, width), name,
        padded(type, 13), type, p->missing);
    put_range(a, out, p);
    put(a, out, " %s", p->role);
    if (p->why != NULL)
        put(a, out, ": %s", visible(a, p->why));
    put(a, out, "\n");
    if (p->why != NULL && strcmp(p->type, "empty") == 0)
        put(a, out, "%5s a run asks for --drop\n", "!");
    for (const fault *f = NULL;
         (f = next_fault(t, p, f)) != NULL;)
        put(a, out, "%5s line %zu: '%s' %s\n", "!", f->line,
            visible(a, first_bytes(a, f->value, 30)), visible(a, f->text));
}

static void put_table(app *a, text *out, const task *t)
{
    int width = 4;
    size_t columns = width_of(t);
    const char *many = columns == 1 ? "" : "s";
    for (size_t j = 0; j < columns; j++) {
        portrait p = portrait_of(a, t, j);
        int length = (int)shown_length(p.name);
        width = length > width ? length : width;
    }
    if (t->members != NULL)
        put(a, out, "%s: %zu line%s of JSON, %zu member%s\n",
            visible(a, t->file), t->n, t->n == 1 ? "" : "s", columns, many);
    else
        put(a, out, "%s: %zu row%s, %zu column%s%s\n", visible(a, t->file),
            t->n, t->n == 1 ? "" : "s", columns, many,
            t->header ? "" : ", no header");
    put(a, out, "%5s %-*s %-13s %7s %-24s %s\n", "nr", width, "name", "type",
        "missing", "range", "role");
    for (size_t j = 0; j < columns; j++) {
        portrait p = portrait_of(a, t, j);
        put_column(a, out, t, &p, width);
    }
}

/* ---- JSON ---- */

static void put_json_column(app *a, text *out, const task *t,
                            const portrait *p)
{
    int first = 1;
    put(a, out, "{\"name\": ");
    put_escaped(a, out, p->name, 0);
    put(a, out, ", \"number\": %zu, \"type\": \"%s\", \"sign\": ", p->number,
        p->type);
    if (p->of->sign != NULL)
        put_escaped(a, out, p->of->sign, 0);
    else
        put(a, out, "null");
    put(a, out, ", \"role\": \"%s\", \"why\": ", p->role);
    if (p->why != NULL)
        put_escaped(a, out, p->why, 0);
    else
        put(a, out, "null");
    put(a, out, ", \"values\": %zu, \"missing\": %zu, \"different\": %zu, "
        "\"range\": ", p->values, p->missing, p->different);
    if (p->low > p->high)
        put(a, out, "null");
    else if (p->of->date && p->low > 2) {
        put(a, out, "[\"");
        put_day(a, out, p->low);
        put(a, out, "\", \"");
        put_day(a, out, p->high);
        put(a, out, "\"]");
    } else
        put(a, out, "[%.17g, %.17g]", p->low, p->high);
    put(a, out, ", \"faults\": [");
    for (const fault *f = NULL;
         (f = next_fault(t, p, f)) != NULL; first = 0) {
        put(a, out, "%s{\"line\": %zu, \"value\": ", first ? "" : ", ",
            f->line);
        put_escaped(a, out, f->value, 0);
        put(a, out, ", \"text\": ");
        put_escaped(a, out, f->text, 0);
        put(a, out, "}");
    }
    put(a, out, "]}");
}

static void put_json_task(app *a, text *out, const task *t)
{
    put(a, out, "{\"name\": ");
    put_escaped(a, out, t->name, 0);
    put(a, out, ", \"file\": ");
    put_escaped(a, out, t->file, 0);
    put(a, out, ", \"n\": %zu, \"header\": %s", t->n,
        t->header ? "true" : "false");
    if (!t->table && t->members == NULL) {
        put(a, out, ", \"d\": %zu, \"columns\": []}", t->d);
        return;
    }
    if (t->table) {
        const char separator[2] = {t->sheet->separator, '\0'};
        put(a, out, ", \"separator\": ");
        put_escaped(a, out, separator, 0);
        put(a, out, ", \"decimal\": \"%c\"", t->decimal);
    }
    put(a, out, ", \"columns\": [");
    for (size_t j = 0; j < width_of(t); j++) {
        portrait p = portrait_of(a, t, j);
        put(a, out, j == 0 ? "\n      " : ",\n      ");
        put_json_column(a, out, t, &p);
    }
    put(a, out, "]}");
}

/* ---- the files together ---- */

/* How many files have each column; their names in `names`. */
static size_t *count_files(app *a, const tasks *all, dictionary *names)
{
    size_t *files = NULL, room = 0;
    for (size_t i = 0; i < all->n; i++) {
        for (size_t j = 0; j < all->at[i].d; j++) {
            const char *name = all->at[i].feature[j].name;
            size_t known = names->n;
            size_t word = number_word(a, names, name, strlen(name));
            if (word == known) {
                GROW(a, files, known, room);
                files[word] = 0;
            }
            files[word]++;
        }
    }
    return files;
}

/* Names that only some files have; "": none, or columns go by number, as they
 * do where a file has no names. */
static const char *names_apart(app *a, const tasks *all, words *apart)
{
    text t = {NULL, 0, 0};
    dictionary names;
    memset(&names, 0, sizeof names);
    for (size_t i = 0; i < all->n; i++)
        if (!all->at[i].header)
            return "";
    size_t *files = count_files(a, all, &names);
    for (size_t i = 0; i < all->n; i++) {
        for (size_t j = 0; j < all->at[i].d; j++) {
            const attribute *k = &all->at[i].feature[j];
            size_t word = find_word(&names, k->name, strlen(k->name));
            if (k->proposed > AS_WORDS || files[word] >= all->n)
                continue;
            files[word] = all->n;               /* once */
            add_word(a, apart, k->name, strlen(k->name));
            put(a, &t, t.length > 0 ? ", %s" : "%s", k->name);
        }
    }
    return t.length > 0 ? t.at : "";
}

static void write_description(app *a, const settings *set, const tasks *all)
{
    text json = {NULL, 0, 0}, table = {NULL, 0, 0};
    words apart = {0, 0, NULL};
    const char *list = names_apart(a, all, &apart);
    if (set->json != NULL) {
        json_begin(a, &json);
        put(a, &json, "\"tasks\": [");
        for (size_t i = 0; i < all->n; i++) {
            put(a, &json, i == 0 ? "\n    " : ",\n    ");
            put_json_task(a, &json, &all->at[i]);
        }
        put(a, &json, "],\n  \"only_some\": [");
        for (size_t i = 0; i < apart.n; i++) {
            put(a, &json, i == 0 ? "" : ", ");
            put_escaped(a, &json, apart.at[i], 0);
        }
        put(a, &json, "]\n}\n");
        save(a, set->json, &json);
    }
    if (set->quiet || is(set->json, "-"))
        return;
    for (size_t i = 0; i < all->n; i++) {
        put(a, &table, i == 0 ? "" : "\n");
        if (all->at[i].table || all->at[i].members != NULL)
            put_table(a, &table, &all->at[i]);
        else if (all->at[i].bag != NULL)
            put(a, &table, "%s: %zu texts%s\n", all->at[i].file, all->at[i].n,
                all->at[i].truth != NULL ? ", with classes" : "");
        else
            put(a, &table, "%s: %zu rows of LIBSVM text, %zu features\n",
                all->at[i].file, all->at[i].n, all->at[i].d);
    }
    if (apart.n > 0)
        put(a, &table, "\nOnly some files have: %s; --match common leaves them "
            "out.\n", list);
    save(a, "-", &table);
}

/* What a run would say of the columns that it keeps. */
static void tell_columns(app *a, const settings *set, const tasks *all)
{
    tasks kept = *all;
    kept.at = COPY(a, all->at, all->n, task);
    for (size_t i = 0; i < all->n; i++) {
        task *t = &kept.at[i];
        if (!t->table)
            continue;
        t->feature = COPY(a, t->feature, t->d, attribute);
        for (size_t j = 0; j < t->d; j++) {
            portrait p = look_closely(a, &all->at[i], j);
            if (strcmp(p.type, "numbers") != 0 ||
                strcmp(p.role, "feature") != 0 ||
                next_fault(t, &p, NULL) != NULL)
                t->feature[j].proposed = AS_NOTHING;
        }
    }
    tell_reading(a, set, &kept);
    doubt_columns(a, &kept);
}

/* ---- --out: the tables as they were read ---- */

/* A table, and which columns [d] are written as numbers. */
typedef struct whole_table {
    const task *t;
    const int *numbers;
} whole_table;

/* Line i of the samples, the names before the first.  Digits alone stay: an
 * identifier may begin with 0, or have more of them than a number holds. */
static void put_sample(app *a, text *out, const void *of, size_t i)
{
    const whole_table *r = (const whole_table *)of;
    const task *t = r->t;
    size_t names = i == 0 && t->header ? t->d : 0;
    for (size_t j = 0; j < names; j++) {
        if (!t->feature[j].unnamed)
            put_csv(a, out, t->feature[j].name);
        put(a, out, j + 1 < t->d ? "," : "\n");
    }
    for (size_t j = 0; j < t->d; j++) {
        const identities *in = &t->sheet->whole[j];
        const char *s = in->text + in->at[i];
        double x = (double)t->values[i * t->d + j];
        int digits = s[strspn(s, "0123456789")] == '\0';
        if (!r->numbers[j] || (digits && x == x))
            put(a, out, "%s", s);
        else if (x == x)
            put(a, out, "%.17g", x);
        else if (t->d == 1)                     /* a blank line is no row */
            put_csv(a, out, "");
        put(a, out, j + 1 < t->d ? "," : "\n");
    }
}

static void write_table(app *a, const settings *set, const task *t)
{
    int *numbers = TAKE(a, t->d, int);
    whole_table r = {t, numbers};
    for (size_t j = 0; j < t->d; j++) {
        portrait p = look_closely(a, t, j);
        numbers[j] = strcmp(p.type, "numbers") == 0 &&
                     p.of->proposed == AS_FEATURE;
    }
    save_pieces(a, join_path(a, set->out, t->name, ".csv"), t->n, put_sample,
                COPY(a, &r, 1, whole_table));
}

/* Of texts there is nothing to write: `vectorize` counts their words. */
static void write_tables(app *a, const settings *set, const tasks *all)
{
    save_directory(a, set->out);
    for (size_t i = 0; i < all->n; i++) {
        const task *t = &all->at[i];
        if (t->table)
            write_table(a, set, t);
        else if (t->row != NULL)
            write_rows(a, set, t, NULL);
    }
}

/* mtc describe [options] TASK... */
void run_describe(app *a, int argc, char **argv)
{
    settings set;
    words files = parse_args(a, "describe", DESCRIBE_OPTIONS, argc, argv,
                             &set);
    need_operands(a, &files, 1, SIZE_MAX, "at least one TASK file");
    reading run = new_reading(a, &set);
    run.describes = 1;
    set.dates = "days";                         /* so that dates are ranges */
    a->apart = 1;
    tasks all = {files.n, 0, 0, TAKE(a, files.n, task), NULL};
    for (size_t i = 0; i < all.n; i++) {
        progress_part(a, i, all.n);
        all.at[i] = read_task(a, files.at[i], &run);
        if (all.at[i].sheet != NULL)
            all.at[i].sheet->t = &all.at[i];
        name_task(a, &all, i);
    }
    end_reading(a, &run);
    doubt_signs(a, &all, 1);
    wipe_progress(a);
    compare_files(a, &all);
    tell_columns(a, &set, &all);
    if (set.out != NULL)
        write_tables(a, &set, &all);
    write_description(a, &set, &all);
}
