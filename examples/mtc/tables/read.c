/* SPDX-License-Identifier: MIT
 *
 * read.c - reading: files of any kind, label files
 *
 * Whatever is not exactly as it should be ends the program with file, line
 * and reason; nothing is skipped or repaired without a word.  Numbers are
 * decimal and finite.  What the readers know about labels:
 *   - LIBSVM has whole numbers.  Tables may have words too, which are
 *     numbered from 0 in the order in which the run's files show them;
 *   - truth is NULL where a file has none or --labels none is given.
 */
#include "../texts/texts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *skip_space(const char *s)
{
    while (*s == ' ' || *s == '\t' || *s == '\r')
        s++;
    return s;
}

int at_gap(const char *s)
{
    return *s == ' ' || *s == '\t' || *s == '\r' || *s == '\0';
}

/* The next line with content, without comment and leading space, or NULL. */
char *next_line(text_lines *l)
{
    while (*l->next != '\0') {
        char *line = l->next, *end = line + strcspn(line, "\n");
        l->next = *end == '\n' ? end + 1 : end;
        l->number++;
        *end = '\0';
        line[strcspn(line, "#")] = '\0';
        line += strspn(line, " \t\r");
        if (*line != '\0')
            return line;
    }
    return NULL;
}

/* Some of the input, cut to what fits a message. */
static const char *quote_length(app *a, const char *s, size_t n)
{
    return formed(a, "'%.*s%s'", some_bytes(s, n), s, n < 30 ? "" : "...");
}

/* A word of it. */
const char *quote(app *a, const char *s)
{
    return quote_length(a, s, strcspn(s, " \t\r\n"));
}

/* ---- files of any kind ---- */

/* Upper and lower case alike. */
int ends_with(const char *s, const char *ending)
{
    size_t n = strlen(s), m = strlen(ending);
    if (n < m)
        return 0;
    for (size_t i = 0; i < m; i++)
        if ((s[n - m + i] | 32) != (ending[i] | 32))
            return 0;
    return 1;
}

/* Standard input is a table. */
int is_table(const char *path)
{
    return ends_with(path, ".csv") || ends_with(path, ".tsv") || is(path, "-");
}

int is_jsonl(const char *path)
{
    return ends_with(path, ".jsonl");
}

int is_libsvm(const char *path)
{
    return ends_with(path, ".svm") || ends_with(path, ".libsvm") ||
           ends_with(path, ".txt");
}

/* Options that name columns are for files that have some: not for LIBSVM text,
 * nor for a directory of texts. */
static void need_no_columns(app *a, const char *path, const reading *run)
{
    const settings *set = run->set;
    const char *by = set->use.n > 0                          ? "use"
                     : set->drop.n > 0                       ? "drop"
                     : set->onehot.n > 0                     ? "onehot"
                     : set->text.n > 0 && !is_folder(path)   ? "text"
                     : needs_id(set, path)                   ? "id" : NULL;
    if (run->widest > 0 && (set->onehot.n > 0 || set->use.n > 0))
        fail(a, BAD_DATA, "%s: the model has columns that only tables have: it "
             "needs a table", path);
    if (by != NULL)
        fail(a, BAD_USAGE, "%s: --%s is for tables", path, by);
}

/* A data file by the ending of its name. */
task read_task(app *a, const char *path, reading *run)
{
    task t = {.file = path};
    if (is_folder(path)) {
        need_no_columns(a, path, run);
        read_folder(a, run, &t);
    } else if (is_table(path) || is_jsonl(path))
        read_table(a, run, &t);
    else if (is_libsvm(path)) {
        need_no_columns(a, path, run);
        read_libsvm(a, &t, run->widest);
    } else {
        pool_release(read_file(a, path));       /* or says that it is not */
        fail(a, BAD_DATA, "%s: unknown kind of file; known are .svm .libsvm "
             ".txt .csv .tsv .jsonl, directories of texts, and - for a table "
             "on standard input", path);
    }
    if (t.n == 0)
        fail(a, BAD_DATA, "%s:1: no samples", path);
    if (is(run->set->labels, "none"))
        t.truth = NULL;
    return t;
}

/* A file of one number a line, each in low..high; whole 1: no fractions. */
double *read_column(app *a, const char *path, double low, double high,
                    int whole, size_t *n)
{
    text_lines l = {read_file(a, path), 0};
    double *x = NULL;
    size_t room = 0;
    *n = 0;
    for (const char *s; (s = next_line(&l)) != NULL; ++*n) {
        const char *end;
        GROW(a, x, *n, room);
        const char *wrong = real_at(s, &x[*n], &end);
        if (wrong == NULL && *skip_space(end) != '\0')
            wrong = "is not one number";
        if (wrong == NULL && whole && x[*n] != floor(x[*n]))
            wrong = "is not a whole number";
        if (wrong != NULL)
            fail(a, BAD_DATA, "%s:%zu: %s %s", path, l.number,
                 quote(a, s), wrong);
        if (x[*n] < low || x[*n] > high)
            fail(a, BAD_DATA, "%s:%zu: %s is out of range: %s %.10g", path,
                 l.number, quote(a, s), x[*n] < low ? "below" : "above",
                 x[*n] < low ? low : high);
    }
    if (*n == 0)
        fail(a, BAD_DATA, "%s:1: no numbers", path);
    return x;
}

/* Labels, one a line, in low..high. */
int *read_labels(app *a, const char *path, int low, int high, size_t *n)
{
    double *x = read_column(a, path, low, high, 1, n);
    int *labels = TAKE(a, *n, int);
    for (size_t i = 0; i < *n; i++)
        labels[i] = (int)x[i];
    return labels;
}

/* The labels of known rows as ints: see read_known. */
static void known_labels(app *a, const char *path, known_rows *k, int named)
{
    size_t whole = 0;
    k->label = TAKE(a, k->n, int);
    for (size_t i = 0; i < k->n && named != 1; i++) {
        const char *end, *s = k->word.at[i];
        const char *wrong = label_at(s, &k->label[i], &end);
        if (wrong == NULL && *end != '\0')
            wrong = "is not a number";
        whole += wrong == NULL;
        if (wrong != NULL && named == 0)
            fail(a, BAD_DATA, "%s:%zu: label %s %s", path, k->line[i],
                 quote_length(a, s, strlen(s)), wrong);
    }
    k->named = named == 1 || whole < k->n;
    for (size_t i = 0; i < k->n && k->named; i++)
        k->label[i] = class_number(a, k->word.at[i]);
}

/* Lines `row label`, each row of n from 0 once at most.  Labels are words
 * (named 1), numbers (0), or (-1) numbers if all of them are. */
known_rows read_known(app *a, const char *path, size_t n, int named)
{
    text_lines l = {read_file(a, path), 0};
    known_rows k = {0, NULL, NULL, {0, 0, NULL}, NULL, 0};
    size_t *seen = TAKE(a, n, size_t), room_row = 0, room_line = 0;
    for (const char *s; (s = next_line(&l)) != NULL; k.n++) {
        uint64_t row;
        const char *end;
        if (!whole_at(s, SIZE_MAX, &row, &end) || !at_gap(end))
            fail(a, BAD_DATA, "%s:%zu: %s is not the number of a row", path,
                 l.number, quote(a, s));
        if (row >= n)
            fail(a, BAD_DATA, "%s:%zu: row %s is out of range: rows are 0 "
                 "to %zu", path, l.number, quote(a, s), n - 1);
        if (seen[row] > 0)
            fail(a, BAD_DATA, "%s:%zu: row %zu has a label in line %zu", path,
                 l.number, (size_t)row, seen[row]);
        s = skip_space(end);
        size_t length = strlen(s);
        while (length > 0 && at_gap(s + length - 1))
            length--;
        if (length == 0)
            fail(a, BAD_DATA, "%s:%zu: no label for row %zu", path,
                 l.number, (size_t)row);
        seen[row] = l.number;
        GROW(a, k.row, k.n, room_row);
        GROW(a, k.line, k.n, room_line);
        k.row[k.n] = (size_t)row;
        k.line[k.n] = l.number;
        add_word(a, &k.word, s, length);
    }
    if (k.n == 0)
        fail(a, BAD_DATA, "%s:1: no labels", path);
    known_labels(a, path, &k, named);
    return k;
}

/* A table of numbers without labels. */
task read_matrix(app *a, const char *path)
{
    task t = {.file = path};
    reading plain = new_reading(a, NULL);
    read_table(a, &plain, &t);
    tasks one = {1, 0, 0, &t, NULL};
    settle_tables(a, &plain, &one);
    if (t.header && t.d > 1 && t.feature[0].unnamed)
        fail(a, BAD_DATA, "%s:%zu: the first column has no name; if it numbers "
             "the rows, leave it out", path, t.line);
    return t;
}
