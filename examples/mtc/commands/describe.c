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

static const char *role_name(const attribute *k)
{
    switch (k->role) {
    case AS_LABEL: return "labels";
    case AS_ID: return "id";
    case AS_INDEX: return "index";
    case AS_TEXT: return "text";
    case AS_NOTHING: return "left out";
    case AS_WORDS: return "words";
    default: return k->fault != NULL ? "refused"
                    : k->pair > 0    ? "yes or no" : "feature";
    }
}

static const char *type_name(const csv *c, size_t j)
{
    const cells *k = &c->cells[j];
    size_t numbers = k->numbers + k->amounts;
    int kinds = (numbers > 0) + (k->dates > 0) + (k->words > 0);
    if (kinds > 1)
        return "mixed";
    if (k->words > 0)
        return "words";
    return k->dates > 0 ? "dates" : numbers > 0 ? "numbers" : "empty";
}

/* x [n]: numbers and days of a column, of which NaN is none: the range, and how
 * many there are. */
static void look_at_values(double *x, size_t n, portrait *p)
{
    size_t known = 0;
    p->low = HUGE_VAL;
    p->high = -HUGE_VAL;
    for (size_t i = 0; i < n; i++)
        if (x[i] == x[i])
            x[known++] = x[i];
    qsort(x, known, sizeof *x, compare_reals);
    for (size_t i = 0; i < known; i++)
        p->different += i == 0 || x[i] != x[i - 1];
    if (known > 0) {
        p->low = x[0];
        p->high = x[known - 1];
    }
    if (strcmp(p->type, "dates") == 0 && p->high < DATES) {
        p->low -= TIMES;                        /* parts of a day */
        p->high -= TIMES;
    }
}

/* All columns of a table, as they were read. */
static portrait *look_closely(app *a, const task *t)
{
    const csv *c = t->sheet;
    portrait *all = TAKE(a, c->width, portrait);
    double *x = TAKE(a, c->n, double);          /* of one column */
    const char **cell = TAKE(a, c->n, const char *);
    cell[0] = c->text;
    for (size_t i = 1; i < c->n; i++)
        cell[i] = skip_cells(cell[i - 1], c->width);
    for (size_t j = 0; j < c->width; j++) {
        for (size_t i = 0; i < c->n; i++) {
            x[i] = (double)cell_value(c, j, cell[i]);
            cell[i] = next_cell(cell[i]);
        }
        const cells *k = &c->cells[j];
        portrait *p = &all[j];
        p->of = &c->head.column[j];
        p->number = j + 1;
        p->name = p->of->name;
        p->type = type_name(c, j);
        p->missing = k->holes + (k->words == c->n - k->holes - k->marks &&
                                 k->words > 0 ? 0 : k->marks);
        p->values = c->n - p->missing;
        p->different = p->of->pair > 0 ? 0 : k->different.n;
        look_at_values(x, c->n, p);
        p->role = role_name(p->of);
        p->why = p->of->why;
    }
    for (size_t j = 0; j < t->n_left; j++)
        if (t->left[j].why != NULL) {
            all[t->left[j].number - 1].role = "left out";
            all[t->left[j].number - 1].why = t->left[j].why;
        }
    pool_release(x);
    pool_release(cell);
    return all;
}

/* ---- text ---- */

static const char *range_of(app *a, const portrait *p)
{
    if (strcmp(p->type, "words") == 0)
        return formed(a, "%zu different", p->different);
    if (p->low > p->high)
        return "-";
    if (p->of->date && p->low > 2)
        return formed(a, "%s to %s", day_text(a, p->low),
                      day_text(a, p->high));
    int whole = p->low == floor(p->low) && p->high == floor(p->high) &&
                fabs(p->low) < 1e12 && fabs(p->high) < 1e12;
    return whole ? formed(a, "%.0f to %.0f", p->low, p->high)
                 : formed(a, "%.6g to %.6g", p->low, p->high);
}

static void put_column(app *a, text *out, const portrait *p, int width)
{
    const char *name = visible(a, p->name);
    const char *type = p->of->sign == NULL ? p->type
        : visible(a, formed(a, "%s (%s)", p->type, p->of->sign));
    put(a, out, "%5zu %-*s %-*s %7zu %-24s %s", p->number, padded(name, width),
        name, padded(type, 13), type, p->missing, range_of(a, p), p->role);
    if (p->why != NULL)
        put(a, out, ": %s", visible(a, p->why));
    put(a, out, "\n");
    if (p->of->fault != NULL)
        put(a, out, "%5s line %zu: '%s' %s\n", "!", p->of->fault_line,
            cut_name(a, in_utf8(a, p->of->fault_value), 30),
            visible(a, p->of->fault));
}

static void put_table(app *a, text *out, const task *t)
{
    int width = 4;
    size_t columns = t->sheet->width;
    const char *many = columns == 1 ? "" : "s";
    portrait *p = look_closely(a, t);
    for (size_t j = 0; j < columns; j++) {
        int length = (int)shown_length(p[j].name);
        width = length > width ? length : width;
    }
    put(a, out, "%s: %zu row%s, %zu column%s%s\n", visible(a, t->file),
        t->n, t->n == 1 ? "" : "s", columns, many,
        t->header ? "" : ", no header");
    put(a, out, "%5s %-*s %-13s %7s %-24s %s\n", "nr", width, "name", "type",
        "missing", "range", "role");
    for (size_t j = 0; j < columns; j++)
        put_column(a, out, &p[j], width);
}

/* ---- JSON ---- */

static void put_json_column(app *a, text *out, const portrait *p)
{
    put(a, out, "{\"name\": %s, \"number\": %zu, \"type\": \"%s\", "
        "\"sign\": %s, \"role\": \"%s\", \"why\": %s, \"values\": %zu, "
        "\"missing\": %zu, \"different\": %zu, \"range\": ",
        json_text(a, p->name), p->number, p->type, json_text(a, p->of->sign),
        p->role, json_text(a, p->why), p->values, p->missing, p->different);
    if (p->low > p->high)
        put(a, out, "null");
    else if (p->of->date && p->low > 2)
        put(a, out, "[\"%s\", \"%s\"]", day_text(a, p->low),
            day_text(a, p->high));
    else
        put(a, out, "[%.17g, %.17g]", p->low, p->high);
    put(a, out, ", \"faults\": [");
    if (p->of->fault != NULL)
        put(a, out, "{\"line\": %zu, \"value\": %s, \"text\": %s}",
            p->of->fault_line, json_text(a, p->of->fault_value),
            json_text(a, p->of->fault));
    put(a, out, "]}");
}

static void put_json_task(app *a, text *out, const task *t)
{
    put(a, out, "{\"name\": %s, \"file\": %s, \"n\": %zu, \"header\": %s",
        json_text(a, t->name), json_text(a, t->file), t->n,
        t->header ? "true" : "false");
    if (!t->table) {
        put(a, out, ", \"d\": %zu, \"columns\": []}", t->d);
        return;
    }
    const char separator[2] = {t->sheet->separator, '\0'};
    put(a, out, ", \"separator\": %s, \"decimal\": \"%c\", \"columns\": [",
        json_text(a, separator), t->decimal);
    portrait *p = look_closely(a, t);
    for (size_t j = 0; j < t->sheet->width; j++) {
        put(a, out, j == 0 ? "\n      " : ",\n      ");
        put_json_column(a, out, &p[j]);
    }
    put(a, out, "]}");
}

/* ---- the files together ---- */

/* Judges the columns as a run does: of all files together, or of each by itself
 * if they have different columns.  `apart` gets the names that only some
 * have. */
static void judge_columns(app *a, tasks *all, words *apart)
{
    size_t headers = 0, common, alike = 1;
    for (size_t i = 0; i < all->n; i++) {
        headers += (size_t)all->at[i].header;
        alike &= all->at[i].d == all->at[0].d;
    }
    if (headers == all->n)
        *apart = names_apart(a, all, &common);
    size_t n = apart->n == 0 && alike ? all->n : 1;
    for (size_t i = 0; i < all->n && tables_of(all) == all->n; i += n) {
        tasks part = {n, 0, 0, &all->at[i], NULL};
        apply_rules(a, &part);
    }
}

static void write_description(app *a, const settings *set, const tasks *all,
                              const words *apart)
{
    text json = {NULL, 0, 0}, table = {NULL, 0, 0};
    if (set->json != NULL) {
        json_begin(a, &json);
        put(a, &json, "\"tasks\": [");
        for (size_t i = 0; i < all->n; i++) {
            put(a, &json, i == 0 ? "\n    " : ",\n    ");
            put_json_task(a, &json, &all->at[i]);
        }
        put(a, &json, "],\n  \"only_some\": ");
        put_texts(a, &json, apart->n, apart->at);
        put(a, &json, "\n}\n");
        save(a, set->json, &json);
    }
    if (set->quiet || is(set->json, "-"))
        return;
    for (size_t i = 0; i < all->n; i++) {
        put(a, &table, i == 0 ? "" : "\n");
        if (all->at[i].table)
            put_table(a, &table, &all->at[i]);
        else if (all->at[i].bag != NULL)
            put(a, &table, "%s: %zu texts%s\n", all->at[i].file, all->at[i].n,
                all->at[i].truth != NULL ? ", with classes" : "");
        else
            put(a, &table, "%s: %zu rows of LIBSVM text, %zu features\n",
                all->at[i].file, all->at[i].n, all->at[i].d);
    }
    if (apart->n > 0)
        put(a, &table, "\nOnly some files have: %s; --match common leaves them "
            "out.\n", listed(a, apart));
    save(a, "-", &table);
}

/* ---- --out: the tables as they were read ---- */

/* Line i of the samples, from its first cell on, the names before the first;
 * the cell behind it.  numbers [width]: columns that are written as such.
 * Digits alone stay: an identifier may begin with 0, or have more of them than
 * a number holds. */
static const char *put_sample(app *a, text *out, const csv *c,
                              const int *numbers, size_t i, const char *cell)
{
    size_t names = i == 0 && c->head.header ? c->width : 0;
    for (size_t j = 0; j < names; j++) {
        if (!c->head.column[j].unnamed)
            put_csv(a, out, c->head.column[j].name);
        put(a, out, j + 1 < c->width ? "," : "\n");
    }
    for (size_t j = 0; j < c->width; j++, cell = next_cell(cell)) {
        const char *s = cell_text(cell);
        double x = (double)cell_value(c, j, cell);
        int digits = s[strspn(s, "0123456789")] == '\0';
        if (numbers[j] && !(digits && x == x)) {
            if (x == x)
                put(a, out, "%.17g", x);
            else if (c->width == 1)             /* a blank line is no row */
                put_csv(a, out, "");
        } else if (*cell == '"' && *s != '\0' && is_missing_cell(c, s))
            put(a, out, "\"%s\"", s);
        else if (*s != '\0')
            put_csv(a, out, in_utf8(a, s));
        put(a, out, j + 1 < c->width ? "," : "\n");
    }
    return cell;
}

static void write_table(app *a, const settings *set, const task *t)
{
    portrait *p = look_closely(a, t);
    int *numbers = TAKE(a, t->sheet->width, int);
    const char *cell = t->sheet->text;
    text out = {NULL, 0, 0};
    for (size_t j = 0; j < t->sheet->width; j++)
        numbers[j] = strcmp(p[j].type, "numbers") == 0 &&
                     p[j].of->role == AS_FEATURE;
    for (size_t i = 0; i < t->sheet->n; i++)
        cell = put_sample(a, &out, t->sheet, numbers, i, cell);
    save(a, join_path(a, set->out, t->name, ".csv"), &out);
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
    reading run = new_reading(a, COPY(a, &set, 1, settings));
    run.describes = 1;
    a->apart = 1;
    tasks all = read_tasks(a, &files, &run);
    wipe_progress(a);
    tell_reading(a, &set, &all);
    words only_some = {0, 0, NULL};
    judge_columns(a, &all, &only_some);
    for (size_t i = 0; i < all.n; i++)
        if (all.at[i].table)
            pool_release(all.at[i].values);     /* cells are looked at now */
    if (set.out != NULL)
        write_tables(a, &set, &all);
    write_description(a, &set, &all, &only_some);
}
