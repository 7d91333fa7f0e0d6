/* SPDX-License-Identifier: MIT
 *
 * read.c - reading: numbers, LIBSVM, CSV, label files
 *
 * Whatever is not exactly as it should be ends the program with file, line
 * and reason; nothing is guessed, skipped or repaired.  Numbers are decimal
 * and finite.  What the readers know about labels:
 *   - LIBSVM has whole numbers.  CSV may have words too, which are numbered
 *     from 0 in the order in which the run's files show them;
 *   - truth is NULL where a file has none or --labels none is given.
 */
#include "data.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ends the program: `mtc: file:line: reason`. */
static APP_NORETURN APP_PRINTF(4, 5)
void bad_line(app *a, const char *file, size_t line, const char *format, ...)
{
    char reason[200];
    va_list args;
    va_start(args, format);
    vsnprintf(reason, sizeof reason, format, args);
    va_end(args);
    fail(a, BAD_DATA, "%s:%zu: %s", file, line, reason);
}

static const char *skip_space(const char *s)
{
    return s + strspn(s, " \t\r");
}

static int at_gap(const char *s)
{
    return *s == '\0' || strchr(" \t\r", *s) != NULL;
}

/* The lines of a text, one after the other. */
typedef struct lines {
    char *next;
    size_t number;
} lines;

/* The next line with content, without comment and leading space, or NULL. */
static const char *next_line(lines *l)
{
    while (*l->next != '\0') {
        char *line = l->next, *end = line + strcspn(line, "\n");
        l->next = *end == '\n' ? end + 1 : end;
        l->number++;
        *end = '\0';
        line[strcspn(line, "#")] = '\0';
        const char *content = skip_space(line);
        if (*content != '\0')
            return content;
    }
    return NULL;
}

static int starts_like(const char *s, const char *lower)
{
    while (*lower != '\0' && (*s | 32) == *lower) {
        s++;
        lower++;
    }
    return *lower == '\0';
}

/* The number at s.  Returns NULL, or what is wrong with it. */
static const char *real_at(const char *s, double *x, const char **end)
{
    *end = decimal_end(s);
    if (*end == s) {
        const char *word = s + (*s == '+' || *s == '-');
        return starts_like(word, "nan") || starts_like(word, "inf")
                   ? "is not a finite number" : "is not a number";
    }
    *x = strtod(s, NULL);
    return fabs(*x) > APP_REAL_MAX ? "is too large" : NULL;
}

/* A class label at s: a whole number, also in the form 1.0 or +1. */
static const char *label_at(const char *s, int *label, const char **end)
{
    double x;
    const char *wrong = real_at(s, &x, end);
    if (wrong != NULL)
        return wrong;
    if (x != floor(x) || x < INT_MIN || x > INT_MAX)
        return "is not a whole number that fits an int";
    *label = (int)x;
    return NULL;
}

/* Some of the input, cut to what fits a message. */
static const char *quote_length(app *a, const char *s, size_t n)
{
    text t = {NULL, 0, 0};
    put(a, &t, "'%.*s%s'", (int)(n < 30 ? n : 30), s, n < 30 ? "" : "...");
    return t.at;
}

/* A word of it. */
static const char *quote(app *a, const char *s)
{
    return quote_length(a, s, strcspn(s, " \t\r\n"));
}

/* ---- LIBSVM: label index:value ..., indices from 1, ascending ---- */

/* One index:value pair at s, after the column `last` (0: none yet). */
static const char *libsvm_pair(app *a, task *t, size_t line, const char *s,
                               uint64_t *last)
{
    const char *end = s, *number;
    uint64_t index = 0;
    double x = 0;
    if (!whole_at(s, UINT32_MAX, &index, &end) || *end != ':')
        bad_line(a, t->file, line, "%s is not index:value with an index of "
                 "at most %lu", quote(a, s), (unsigned long)UINT32_MAX);
    if (index == 0)
        bad_line(a, t->file, line, "index 0: indices begin at 1");
    if (index <= *last)
        bad_line(a, t->file, line, "index %lu comes after %lu: indices have "
                 "to ascend", (unsigned long)index, (unsigned long)*last);
    number = end + 1;
    const char *wrong = real_at(number, &x, &end);
    if (wrong == NULL && !at_gap(end))
        wrong = "is not a number";
    if (wrong != NULL)
        bad_line(a, t->file, line, "value %s of index %lu %s",
                 quote(a, number), (unsigned long)index, wrong);
    *last = index;
    if (x != 0) {                   /* what is 0 is not stored */
        size_t *used = &t->row[t->n + 1];
        GROW(a, t->values, *used, t->room_values);
        GROW(a, t->column, *used, t->room_column);
        t->values[*used] = (mtc_real)x;
        t->column[(*used)++] = (uint32_t)(index - 1);
    }
    return skip_space(end);
}

/* One sample.  row[n+1], its end, counts up while its pairs are read. */
static void libsvm_row(app *a, task *t, size_t line, const char *s)
{
    const char *end = s;
    int label = 0;
    uint64_t last = 0;
    size_t word = strcspn(s, " \t\r");
    if (memchr(s, ':', word) != NULL)
        bad_line(a, t->file, line, "no label before %s", quote(a, s));
    const char *wrong = label_at(s, &label, &end);
    if (wrong == NULL && !at_gap(end))
        wrong = "is not a number";
    if (wrong != NULL)
        bad_line(a, t->file, line, "label %s %s", quote(a, s), wrong);
    GROW(a, t->row, t->n + 1, t->room_row);
    t->row[t->n + 1] = t->row[t->n];
    for (s = skip_space(end); *s != '\0';)
        s = libsvm_pair(a, t, line, s, &last);
    GROW(a, t->truth, t->n, t->room_truth);
    t->truth[t->n++] = label;
    if (t->d < last)
        t->d = (size_t)last;
}

/* Labels of a run are numbers in all files or words in all: a word's number
 * must not meet another file's label by accident, where the two can meet. */
static void note_labels(app *a, task *t, int words_used)
{
    t->named = words_used;
    if (words_used)
        a->named = t->file;
    else
        a->numbered = t->file;
    if (a->named != NULL && a->numbered != NULL && !a->apart)
        fail(a, BAD_DATA, "%s: labels are words, but in %s they are numbers",
             a->named, a->numbered);
}

/* row[0] = 0 is set here, each further row by its sample.  Arrays are there
 * even if every value is 0 and none is stored. */
static void read_libsvm(app *a, task *t)
{
    char *all = read_file(a, t->file);
    lines l = {all, 0};
    GROW(a, t->values, 0, t->room_values);
    GROW(a, t->column, 0, t->room_column);
    GROW(a, t->row, 0, t->room_row);
    t->row[0] = 0;
    size_t length = strlen(all);
    for (const char *s; (s = next_line(&l)) != NULL;) {
        libsvm_row(a, t, l.number, s);
        if (t->n % 256 == 0)
            safe_point(a, "reading", (size_t)(s - all), length);
    }
    pool_release(all);
    note_labels(a, t, 0);
}

/* ---- CSV: fields by comma, semicolon or tab, quoted where needed ---- */

typedef struct csv {
    const char *file;
    char *next;                     /* the rest of the text */
    char separator;
    size_t line, following;         /* of the record, of what follows it */
    char **field;                   /* of the record, unquoted, trimmed */
    size_t fields, room;
} csv;

/* The separator seen most often in the first line outside quotes. */
static char csv_separator(const char *s)
{
    const char *candidates = ",;\t";
    size_t seen[3] = {0, 0, 0}, best = 0;
    int quoted = 0;
    s += strspn(s, "\r\n");
    for (; *s != '\0' && (quoted || *s != '\n'); s++) {
        const char *c = strchr(candidates, *s);
        if (*s == '"')
            quoted = !quoted;
        else if (!quoted && c != NULL)
            seen[c - candidates]++;
    }
    for (size_t i = 1; i < 3; i++)
        if (seen[i] > seen[best])
            best = i;
    return candidates[best];
}

/* Unquotes the field that opens at c->next in place; returns what follows
 * the closing quote. */
static char *csv_quoted(app *a, csv *c)
{
    char *from = c->next + 1, *to = c->next;
    for (;; from++) {
        if (*from == '\0')
            bad_line(a, c->file, c->line, "a quote is not closed");
        if (*from == '\n')
            c->following++;
        if (*from == '"' && *++from != '"')
            break;
        *to++ = *from;
    }
    /* The text got shorter by two quotes at least, so its end fits here;
     * the separator behind is still untouched. */
    *to = '\0';
    return from + strspn(from, " \r");
}

/* Takes the next field off the record; returns 1 if another one follows. */
static int csv_field(app *a, csv *c)
{
    char stops[3] = {c->separator, '\n', '\0'};
    c->next += strspn(c->next, " ");
    char *start = c->next, *end, *last;
    if (*start == '"') {
        end = last = csv_quoted(a, c);
        if (*end != '\0' && strchr(stops, *end) == NULL)
            bad_line(a, c->file, c->line, "text after a closing quote");
    } else {
        end = last = start + strcspn(start, stops);
        while (last > start && (last[-1] == ' ' || last[-1] == '\r'))
            last--;
    }
    char stop = *end;
    *last = '\0';
    GROW(a, c->field, c->fields, c->room);
    c->field[c->fields++] = start;
    c->next = stop == '\0' ? end : end + 1;
    c->following += stop == '\n';
    return stop == c->separator;
}

/* Goes to what is not blank; returns it. */
static char csv_skip_blank(csv *c)
{
    for (; *(c->next += strspn(c->next, " \r")) == '\n'; c->next++)
        c->following++;
    return *c->next;
}

/* The next record that is neither blank nor, from a # on, a comment; 0 at
 * the end of the text. */
static int csv_record(app *a, csv *c)
{
    while (csv_skip_blank(c) == '#')
        c->next += strcspn(c->next, "\n");
    if (*c->next == '\0')
        return 0;
    c->line = c->following;
    c->fields = 0;
    while (csv_field(a, c))
        ;
    return 1;
}

static int same_letters(const char *s, const char *lower)
{
    return strlen(s) == strlen(lower) && starts_like(s, lower);
}

/* Is the field a word, as only a header or a label can be?  An empty field,
 * "nan" and the like are faulty numbers, not words; so is what begins with a
 * number and goes on without a letter. */
static int csv_is_word(const char *field)
{
    double x;
    const char *end, *wrong = real_at(field, &x, &end);
    if (wrong == NULL)
        return end[strspn(end, "0123456789+-.,;: \t")] != '\0';
    field += *field == '+' || *field == '-';
    return *field != '\0' && !same_letters(field, "nan") &&
           !same_letters(field, "na") && !same_letters(field, "inf") &&
           !same_letters(field, "infinity");
}

/* The two names by which a column of labels is known. */
static int csv_names_labels(const char *field)
{
    return same_letters(field, "label") || same_letters(field, "class");
}

/* Has the record the name of the labels' column in it? */
static int csv_has_name(const csv *c, const char *labels)
{
    int by_name = !is(labels, "first") && !is(labels, "last") &&
                  !is(labels, "none");
    for (size_t j = 0; j < c->fields; j++)
        if (csv_names_labels(c->field[j]) ||
            (by_name && is(labels, c->field[j])))
            return 1;
    return 0;
}

/* A header has the name of the labels' column in it; or it has words, and no
 * number among them: a sample with one letter too many is no header.  What
 * stands in the labels' column counts only if it is such a name. */
static int csv_is_header(const csv *c, const char *labels)
{
    size_t found = 0, numbers = 0;
    if (csv_has_name(c, labels))
        return 1;
    for (size_t j = 0; j < c->fields; j++) {
        const char *field = c->field[j];
        int first = is(labels, "first") && j == 0;
        int last = is(labels, "last") && j + 1 == c->fields;
        if (first || last)
            continue;
        if (csv_is_word(field))
            found++;
        else
            numbers += *field != '\0';
    }
    return found > 0 && numbers == 0;
}

/* Goes over comments to the first record.  A comment that names the labels'
 * column is the header, as some programs write it. */
static void csv_head(app *a, csv *c, const char *labels)
{
    while (csv_skip_blank(c) == '#') {
        char *line = c->next + 1;
        size_t n = strcspn(line, "\n");
        text copy = {NULL, 0, 0};
        put(a, &copy, "%.*s", (int)n, line);
        csv names = {c->file, copy.at, csv_separator(copy.at), 1, 1, NULL, 0,
                     0};
        c->next = line;
        if (strchr(copy.at, '"') == NULL && csv_record(a, &names) &&
            csv_has_name(&names, labels))
            break;
        c->next += n;
    }
    c->separator = csv_separator(c->next);
}

/* The labels' column by the option's word or the header; MTC_NONE: none. */
static size_t csv_label_column(app *a, const csv *c, const char *labels,
                               int header)
{
    if (labels == NULL || is(labels, "auto")) {
        for (size_t j = 0; header && j < c->fields; j++)
            if (csv_names_labels(c->field[j]))
                return j;
        return MTC_NONE;
    }
    if (is(labels, "none"))
        return MTC_NONE;
    if (is(labels, "first") || is(labels, "last"))
        return is(labels, "first") ? 0 : c->fields - 1;
    for (size_t j = 0; header && j < c->fields; j++)
        if (is(labels, c->field[j]))
            return j;
    bad_line(a, c->file, c->line, "no column is named %s", labels);
}

/* One sample; the label stays a word until all of them are seen. */
static void csv_row(app *a, csv *c, task *t, size_t label, size_t width,
                    words *labels)
{
    if (c->fields != width)
        bad_line(a, c->file, c->line, "%zu fields, but %zu before", c->fields,
                 width);
    for (size_t j = 0; j < width; j++) {
        const char *field = c->field[j], *end = field;
        double x = 0;
        if (j == label) {
            if (*field == '\0')
                bad_line(a, c->file, c->line, "the label is empty");
            GROW(a, labels->at, labels->n, labels->room);
            labels->at[labels->n++] = field;
            continue;
        }
        const char *wrong = *field == '\0' ? "is empty"
                                           : real_at(field, &x, &end);
        if (wrong == NULL && *end != '\0')
            wrong = "is not a number";
        if (wrong != NULL)
            bad_line(a, c->file, c->line, "column %zu, %s, %s", j + 1,
                     quote_length(a, field, strcspn(field, "\r\n")), wrong);
        size_t used = t->n * t->d + (j > label ? j - 1 : j);
        GROW(a, t->values, used, t->room_values);
        t->values[used] = (mtc_real)x;
    }
    t->n++;
}

/* The slot of a class name: where it is, or the free one where it goes.  A
 * slot holds the class's number + 1; there are always free ones. */
static size_t class_slot(const app *a, const char *name)
{
    size_t hash = 5381;
    for (const char *s = name; *s != '\0'; s++)
        hash = 33 * hash + (unsigned char)*s;
    for (size_t slot = hash % a->room_slots;; slot = (slot + 1) % a->room_slots)
        if (a->slots[slot] == 0 ||
            strcmp(a->class_name[a->slots[slot] - 1], name) == 0)
            return slot;
}

/* The number of a class name: its place in the order of appearance. */
static int class_number(app *a, const char *name)
{
    if (2 * a->n_classes >= a->room_slots || a->n_classes == 0) {
        a->room_slots = 4 * a->n_classes + 61;
        pool_release(a->slots);
        a->slots = TAKE(a, a->room_slots, size_t);
        for (size_t i = 0; i < a->n_classes; i++)
            a->slots[class_slot(a, a->class_name[i])] = i + 1;
    }
    size_t *number = &a->slots[class_slot(a, name)];
    if (*number == 0) {
        GROW(a, a->class_name, a->n_classes, a->room_classes);
        a->class_name[a->n_classes] = name;
        *number = ++a->n_classes;
    }
    return (int)*number - 1;
}

/* The labels as ints: their values if all are whole numbers, else numbered
 * by appearance over all files of the run.  A word before nothing but numbers
 * is the end of a header of numbers: as a sample it would be one too many.
 * `first` is its line, 0 where there is a header already. */
static void csv_labels(app *a, task *t, const words *labels, size_t first)
{
    size_t whole = 0;
    int first_whole = 0;
    t->truth = TAKE(a, labels->n, int);
    for (size_t i = 0; i < labels->n; i++) {
        const char *end;
        int fits = label_at(labels->at[i], &t->truth[i], &end) == NULL &&
                   *end == '\0';
        whole += (size_t)fits;
        first_whole |= fits && i == 0;
    }
    if (first > 0 && whole > 0 && whole + 1 == labels->n && !first_whole &&
        csv_is_word(labels->at[0]))
        bad_line(a, t->file, first, "label '%s' is a word, all others are "
                 "numbers; if this is a header, give --labels %s",
                 labels->at[0], labels->at[0]);
    for (size_t i = 0; whole < labels->n && i < labels->n; i++)
        t->truth[i] = class_number(a, labels->at[i]);
    note_labels(a, t, whole < labels->n);
}

/* The first record is the header or the first sample. */
void read_csv(app *a, task *t, const char *label_option)
{
    char *all = read_file(a, t->file);
    size_t length = strlen(all);
    csv c = {t->file, all, ',', 1, 1, NULL, 0, 0};
    words labels = {0, 0, NULL};
    csv_head(a, &c, label_option);
    if (!csv_record(a, &c))
        return;
    int header = csv_is_header(&c, label_option);
    size_t first = header ? 0 : c.line;
    size_t width = c.fields;
    size_t label = csv_label_column(a, &c, label_option, header);
    t->d = width - (label != MTC_NONE);
    if (!header)
        csv_row(a, &c, t, label, width, &labels);
    while (csv_record(a, &c)) {
        csv_row(a, &c, t, label, width, &labels);
        if (t->n % 256 == 0)
            safe_point(a, "reading", (size_t)(c.next - all), length);
    }
    if (label != MTC_NONE)
        csv_labels(a, t, &labels, first);
}

/* ---- files of any kind ---- */

/* Upper and lower case alike. */
static int ends_with(const char *s, const char *ending)
{
    size_t n = strlen(s), m = strlen(ending);
    if (n < m)
        return 0;
    for (size_t i = 0; i < m; i++)
        if ((s[n - m + i] | 32) != (ending[i] | 32))
            return 0;
    return 1;
}

int is_csv(const char *path)
{
    return ends_with(path, ".csv");
}

int is_libsvm(const char *path)
{
    return ends_with(path, ".svm") || ends_with(path, ".libsvm") ||
           ends_with(path, ".txt");
}

/* A data file by the ending of its name. */
task read_task(app *a, const char *path, const char *labels)
{
    task t;
    memset(&t, 0, sizeof t);
    t.file = path;
    if (is_csv(path))
        read_csv(a, &t, labels);
    else if (is_libsvm(path))
        read_libsvm(a, &t);
    else
        fail(a, BAD_DATA, "%s: unknown kind of file; known are .svm .libsvm "
             ".txt .csv", path);
    if (t.n == 0)
        fail(a, BAD_DATA, "%s:1: no samples", path);
    if (is(labels, "none"))
        t.truth = NULL;
    return t;
}

/* A file of one number a line, each in low..high; whole 1: no fractions. */
double *read_column(app *a, const char *path, double low, double high,
                    int whole, size_t *n)
{
    lines l = {read_file(a, path), 0};
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
            bad_line(a, path, l.number, "%s %s", quote(a, s), wrong);
        if (x[*n] < low || x[*n] > high)
            bad_line(a, path, l.number, "%s is out of range: %s %.10g",
                     quote(a, s), x[*n] < low ? "below" : "above",
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
            bad_line(a, path, k->line[i], "label %s %s",
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
    lines l = {read_file(a, path), 0};
    known_rows k = {0, NULL, NULL, {0, 0, NULL}, NULL, 0};
    size_t *seen = TAKE(a, n, size_t), room_row = 0, room_line = 0;
    for (const char *s; (s = next_line(&l)) != NULL; k.n++) {
        uint64_t row;
        const char *end;
        if (!whole_at(s, SIZE_MAX, &row, &end) || !at_gap(end))
            bad_line(a, path, l.number, "%s is not the number of a row",
                     quote(a, s));
        if (row >= n)
            bad_line(a, path, l.number, "row %s is out of range: rows are 0 "
                     "to %zu", quote(a, s), n - 1);
        if (seen[row] > 0)
            bad_line(a, path, l.number, "row %zu has a label in line %zu",
                     (size_t)row, seen[row]);
        s = skip_space(end);
        size_t length = strlen(s);
        while (length > 0 && at_gap(s + length - 1))
            length--;
        if (length == 0)
            bad_line(a, path, l.number, "no label for row %zu", (size_t)row);
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
    task t;
    memset(&t, 0, sizeof t);
    t.file = path;
    read_csv(a, &t, "none");
    return t;
}
