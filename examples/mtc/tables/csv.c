/* SPDX-License-Identifier: MIT
 *
 * csv.c - tables: fields, records, rows
 *
 * Fields are parted by comma, semicolon, tab or bar, quoted where needed; the
 * first line tells which.  What is not exactly as it should be ends the
 * program with file, line, column and the option that would help; what is
 * understood in one of several ways is said so.  A missing value is NaN until
 * all files are read.
 */
#include "csv.h"
#include "../texts/texts.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Ends the program: `mtc: file:line: reason`. */
void bad_record(const csv *c, const char *reason)
{
    fail(c->a, BAD_DATA, "%s:%zu: %s", c->in.file, c->line, reason);
}

/* ---- fields and records ---- */

/* The quoted field whose first quote is at s; what follows it, or NULL where
 * the window ends first. */
static const char *quoted_field(csv *c, const char *s, field *f)
{
    const char *end = s + 1;
    f->at = end;
    f->kind = QUOTED;
    for (; *end != '"' || end[1] == '"'; end++) {
        if (*end == '\0')
            return NULL;
        if (*end == '"') {
            f->kind |= DOUBLED;
            end++;
        }
        c->following += *end == '\n';
    }
    if (end[1] == '\0' && !c->in.over)
        return NULL;
    f->n = (size_t)(end - f->at);
    return end + 1;
}

/* Behind the blanks at s; a tab is one where it parts no fields. */
static const char *skip_pad(const csv *c, const char *s)
{
    while (*s == ' ' || *s == '\r' || (*s == '\t' && c->separator != '\t'))
        s++;
    return s;
}

/* One field at s; its end, where a separator or the end of a line stands, or
 * NULL where the window ends first. */
static const char *one_field(csv *c, const char *s, field *f)
{
    const char *end;
    s = skip_pad(c, s);
    if (*s == '"') {
        end = quoted_field(c, s, f);
        if (end == NULL)
            return NULL;
        if (decimal_at(f->at, c->point, &f->x) == f->at + f->n && f->n > 0)
            f->kind |= NUMBER;
        return skip_pad(c, end);
    }
    char point = c->point != c->separator ? c->point : '\1';  /* none */
    end = decimal_at(s, point, &f->x);
    f->at = s;
    f->kind = end > s ? NUMBER : 0;
    f->n = (size_t)(end - s);
    end = skip_pad(c, end);
    if (*end == c->separator || *end == '\n' || *end == '\0')
        return end;
    f->kind = 0;
    while (*end != c->separator && *end != '\n' && *end != '\0')
        end++;
    f->n = (size_t)(end - s);
    while (f->n > 0 && skip_pad(c, s + f->n - 1) > s + f->n - 1)
        f->n--;
    return end;
}

/* All fields of the record at the window's beginning; 0 where it ends first.
 * A quote that never closes ends there, too: the text is then over. */
int all_fields(csv *c)
{
    const char *s = c->in.at + c->in.begin;
    c->fields = 0;
    c->read_with = c->point;
    c->following = c->line = c->in.line;
    for (;;) {
        GROW(c->a, c->field, c->fields, c->room);
        field *f = &c->field[c->fields++];
        s = one_field(c, s, f);
        if (s == NULL && c->in.over)
            bad_record(c, "a quote is not closed");
        if (s == NULL || (*s == '\0' && !c->in.over))
            return 0;
        if (*s != c->separator && *s != '\n' && *s != '\0')
            bad_record(c, "text after a closing quote; fields are parted by "
                          "commas, semicolons, tabs or bars");
        if (*s != c->separator)
            break;
        s++;
    }
    c->following += *s == '\n';
    c->next = (size_t)(s - c->in.at) + (*s == '\n');
    return 1;
}

/* Goes to what is not blank; returns it, 0 at the end of the text. */
char skip_blank(csv *c)
{
    for (;;) {
        const char *s = c->in.at + c->in.begin;
        s += strspn(s, " \r");
        if (*s == '\0' && !c->in.over) {
            more_text(c->a, &c->in);            /* moves the window */
            continue;
        }
        if (*s != '\n')
            return *s;
        c->in.begin = (size_t)(s + 1 - c->in.at);
        c->in.line++;
        if (c->head.width == 1 && c->t->n > 0 && c->blank == 0)
            c->blank = c->in.line - 1;
    }
}

/* The whole line at the window's beginning, within it; its length. */
size_t line_length(csv *c)
{
    for (;;) {
        const char *s = c->in.at + c->in.begin;
        size_t n = strcspn(s, "\n");
        if (s[n] == '\n' || !more_text(c->a, &c->in))
            return n;
    }
}

/* The bytes of the spreadsheet's error, as #N/A, that s begins with, or 0. */
static size_t error_length(const char *s, size_t n)
{
    static const char *const error[] = {"#N/A", "#DIV/0!", "#REF!", "#VALUE!",
                                        "#NUM!", "#NAME?", "#NULL!"};
    for (size_t i = 0; i < sizeof error / sizeof *error; i++) {
        size_t length = strlen(error[i]);
        if (n >= length && memcmp(s, error[i], length) == 0)
            return length;
    }
    return 0;
}

/* Does a comment begin at the window's beginning?  An error is a value. */
int at_comment(csv *c)
{
    if (skip_blank(c) != '#')
        return 0;
    size_t n = line_length(c);
    const char *s = c->in.at + c->in.begin;
    size_t blank = strspn(s, " \r"), length = error_length(s + blank, n - blank);
    if (length == 0)
        return 1;
    const char *end = skip_pad(c, s + blank + length);
    return (c->head.width == 1 || *end != c->separator) &&
           (c->head.width > 1 || end != s + n);
}

/* The fields of a line of n bytes that begins with #. */
static size_t count_fields(const csv *c, const char *s, size_t n)
{
    size_t fields = 1;
    int quoted = 0, opens = 0;                  /* a quote here is one */
    for (size_t i = 0; i < n; i++) {
        int quote = s[i] == '"' && (quoted || opens);
        fields += s[i] == c->separator && !quoted;
        opens = (quote && quoted) || s[i] == c->separator ||
                (opens && s[i] == ' ');
        quoted ^= quote;
    }
    return fields;
}

/* Passes over a comment.  One with as many fields as the rest is doubtful. */
void skip_comment(csv *c)
{
    size_t n = line_length(c);
    const char *s = c->in.at + c->in.begin;
    if (c->head.width > 0 && c->commented == 0 &&
        count_fields(c, s, n) == c->head.width)
        c->commented = c->in.line;
    s += n;
    c->in.begin += n + (*s == '\n');
    c->in.line += *s == '\n';
}

/* The next record that is neither blank nor, from a # on, a comment; 0 at
 * the end of the text. */
int next_record(csv *c)
{
    c->in.begin = c->next;
    c->in.line = c->following;
    while (at_comment(c))
        skip_comment(c);
    c->next = c->in.begin;
    c->following = c->in.line;
    if (skip_blank(c) == '\0')
        return 0;
    while (!all_fields(c))
        more_text(c->a, &c->in);
    return 1;
}

/* A reader of what follows the record, which moves nothing; its fields are to
 * be released.  It has the next line, and small files as a whole. */
csv begin_peek(csv *c)
{
    do {
        (void)more_text(c->a, &c->in);
        (void)all_fields(c);                    /* the window has moved */
    } while (!c->in.over && strchr(c->in.at + c->next, '\n') == NULL);
    csv below = *c;
    below.field = NULL;
    below.room = 0;
    return below;
}

/* The next record of such a reader; 0: the window has no other.  `over`: nor
 * has the text. */
int peek_record(csv *c, int over)
{
    c->in.over = 1;                             /* no text is fetched */
    c->in.begin = c->next;
    c->in.line = c->following;
    while (at_comment(c))
        skip_comment(c);
    if (skip_blank(c) == '\0')
        return 0;
    c->in.over = over;
    return all_fields(c);
}

/* The text of a field as a copy of its own. */
char *field_text(app *a, const field *f)
{
    char *s = TAKE(a, f->n + 1, char), *to = s;
    for (size_t i = 0; i < f->n; i++) {
        *to++ = f->at[i];
        i += (f->kind & DOUBLED) && f->at[i] == '"';
    }
    *to = '\0';
    return s;
}

/* ---- what a field means ---- */

/* Is the field this word, in letters of any case? */
int field_is(const field *f, const char *lower)
{
    size_t i = 0;
    while (i < f->n && tolower((unsigned char)f->at[i]) == lower[i])
        i++;
    return i == f->n && lower[i] == '\0';
}

/* The marks of a missing value. */
int is_missing(const field *f)
{
    return f->n == 0 || field_is(f, "na") || field_is(f, "n/a") ||
           field_is(f, "nan") || field_is(f, "null") || field_is(f, "?") ||
           field_is(f, ".");
}

/* Among words what is quoted is one, whatever it is. */
int is_missing_word(const field *f)
{
    return is_missing(f) && (f->n == 0 || !(f->kind & QUOTED));
}

int is_infinite(const field *f)
{
    field rest = *f;
    if (f->n > 0 && (*f->at == '+' || *f->at == '-')) {
        rest.at++;
        rest.n--;
    }
    return field_is(&rest, "inf") || field_is(&rest, "infinity");
}

/* Is the field a word, as only a header or a label can be?  Marks of missing
 * values and the like are faulty numbers; so is what begins with a number and
 * goes on without a letter. */
int is_word(const csv *c, const field *f)
{
    double x;
    const char *end = f->at + f->n, *s = decimal_at(f->at, c->point, &x);
    if (f->kind & NUMBER || is_missing(f) || is_infinite(f) || is_amount(f) ||
        error_length(f->at, f->n) == f->n)
        return 0;
    if (s == f->at)
        return 1;
    while (s < end && strchr("0123456789+-.,;:' \t", *s) != NULL)
        s++;
    return s < end;
}

/* ---- what cannot be read ---- */

/* Some of a field, cut to what fits a message. */
static void put_field(const csv *c, text *t, const field *f)
{
    size_t n = 0;
    while (n < f->n && f->at[n] != '\n' && f->at[n] != '\r')
        n++;
    put(c->a, t, "'%.*s%s'", some_bytes(f->at, n), f->at,
        n < 30 ? "" : "...");
}

/* ---- rows ---- */

/* A field without doubled quotes and in UTF-8, to be released; NULL: it is so
 * already. */
static const char *mended(csv *c, const field *f)
{
    int valid = utf8_valid(f->at, f->n);
    if (valid && !(f->kind & DOUBLED))
        return NULL;
    char *own = field_text(c->a, f);
    if (valid)
        return own;
    const char *s = in_utf8(c->a, own);
    pool_release(own);
    c->latin = 1;
    return s;
}

static size_t word_of(csv *c, dictionary *d, const field *f)
{
    const char *s = mended(c, f);
    if (s == NULL)
        return number_word(c->a, d, f->at, f->n);
    size_t number = number_word(c->a, d, s, strlen(s));
    pool_release((void *)(uintptr_t)s);
    return number;
}

/* Without the .0 or ,0 that pandas writes behind whole numbers if one is
 * missing: 3.0 of one file is the word 3 of another. */
static field whole_word(const field *f)
{
    field w = *f;
    size_t sign = *w.at == '-';
    size_t whole = sign + strspn(w.at + sign, "0123456789");
    if (whole > sign && whole + 2 == w.n && strchr(".,", w.at[whole]) != NULL &&
        w.at[whole + 1] == '0')
        w.n = whole;
    return w;
}

/* The label stays a word until all of them are seen; 0: it is missing, and its
 * row goes. */
static int keep_label(csv *c, const field *f)
{
    task *t = c->t;
    text reason = {NULL, 0, 0};
    int missing = is_missing_word(f);
    GROW(c->a, t->truth, t->n, t->room_truth);
    t->truth[t->n] = missing ? -1 : (int)word_of(c, &c->labels, f);
    int drops = drops_unlabeled(c->run, t->file);
    if (missing && !teaches(c->run, t->file) && !drops) {
        c->unlabeled++;
        c->last_unlabeled = t->n + 1;
        return 1;
    }
    if (missing && !drops && c->total.line == c->line) {
        c->unlabeled_total = 1;                 /* if it is not the last row */
        return 1;
    }
    if (!missing || is(c->set->missing, "drop"))
        return !missing;
    put(c->a, &reason, "the label ");
    if (f->n > 0)
        put_field(c, &reason, f);
    put(c->a, &reason, "%s: %s",
        f->n == 0 ? "is empty" : " is a mark of missing values",
        c->run->labels_only ? "score needs one in every row"
                            : "--missing drop leaves such rows out, --labels "
                              "none all labels");
    bad_record(c, reason.at);
}

static void keep_field(csv *c, identities *to, const field *f)
{
    const char *s = mended(c, f);
    add_identity(c->a, to, s != NULL ? s : f->at,
                 s != NULL ? strlen(s) : f->n);
    pool_release((void *)(uintptr_t)s);
}

/* The field for `describe --out`.  Quoted, a mark of missing values is a word:
 * its quotes stay. */
static void keep_whole(csv *c, identities *to, const field *f)
{
    text t = {NULL, 0, 0};
    const char *s = mended(c, f);
    if (s == NULL)
        s = field_text(c->a, f);
    if (is_missing(f) && !is_missing_word(f))
        put(c->a, &t, "\"%s\"", s);
    else
        put_csv(c->a, &t, s);
    add_identity(c->a, to, t.at, t.length);
    pool_release((void *)(uintptr_t)s);
    pool_release(t.at);
}

/* An unnamed first column may have words.  While it counts, nothing needs to
 * be kept. */
static void keep_index(csv *c, const field *f)
{
    size_t n = c->t->n;
    int number = (f->kind & NUMBER) != 0;
    if (n == 0) {
        c->base = f->x;
        c->counts = number && (f->x == 0 || f->x == 1);
    }
    if (c->counts && number && f->x == c->base + (double)n)
        return;
    for (size_t i = 0; i < n && c->counts; i++) {
        char s[40];
        int length = sprintf(s, "%.0f", c->base + (double)i);
        add_identity(c->a, &c->t->id, s, (size_t)length);
    }
    c->counts = 0;
    c->id_words |= !number;
    keep_field(c, &c->t->id, f);
}

/* A number, or what will be one when all values are seen. */
static mtc_real feature_value(csv *c, size_t j, const field *f)
{
    int number = f->kind & NUMBER && fabs(f->x) <= APP_REAL_MAX;
    if (number && f->n > 1 && *f->at == '0' && c->set != NULL)
        note_code(c, j, f);
    if (number && c->settled && c->read_with == c->point)
        return (mtc_real)f->x;
    if (number && c->settled) {                 /* a comma is sure by now */
        field again = *f;
        again.kind = 0;
        return memchr(f->at, c->read_with, f->n) == NULL
                   ? (mtc_real)f->x : note_cell(c, j, &again);
    }
    if (!number && c->set == NULL)
        refuse_plain(c, j);
    return number ? note_open(c, j, f) : note_cell(c, j, f);
}

/* The field behind what a text has so far. */
static void add_field(app *a, text *to, const field *f)
{
    for (size_t i = 0; i < f->n && f->kind & DOUBLED; i++) {
        add_bytes(a, to, f->at + i, 1);
        i += f->at[i] == '"';
    }
    if (!(f->kind & DOUBLED))
        add_bytes(a, to, f->at, f->n);
    add_bytes(a, to, "\n", 1);
}

/* The columns of --text as one text; `whole` 0: the row goes. */
static void take_text(csv *c, int whole)
{
    app *a = c->a;
    task *t = c->t;
    wordbook *w = book_of(a, c->run);
    size_t turns = 0;
    for (size_t j = 0; j < c->fields; j++)
        turns += c->head.column[j].role == AS_TEXT;
    if (turns == 0)
        return;
    if (t->bag == NULL)
        t->bag = TAKE(a, 1, bag);
    w->buffer.length = 0;
    for (size_t turn = 1; turn <= turns; turn++)
        for (size_t j = 0; j < c->fields; j++) {
            const field *f = &c->field[j];
            attribute *k = &c->head.column[j];
            if (k->turn != turn || is_missing_word(f))
                continue;
            k->worded |= !(f->kind & NUMBER);
            if (k->maybe_text && f->n == own_length(k) &&
                memcmp(f->at, k->name, f->n) == 0)
                doubt_first_text(a, &c->head);
            add_field(a, &w->buffer, f);
        }
    add_text(w, t->bag, w->buffer.length > 0 ? w->buffer.at : "",
             w->buffer.length);
    if (whole || t->d > 0)
        return;
    GROW(a, t->bag->dropped, t->bag->n_dropped, t->bag->room_dropped);
    t->bag->dropped[t->bag->n_dropped++] = t->n;
}

/* Ends the program: the record has more or fewer fields than those before. */
static APP_NORETURN void refuse_width(const csv *c)
{
    text reason = {NULL, 0, 0};
    size_t filled = c->fields;
    while (filled > 0 && c->field[filled - 1].n == 0)
        filled--;
    put(c->a, &reason, "%zu field%s, but %zu before", c->fields,
        c->fields == 1 ? "" : "s", c->head.width);
    if (c->fields > c->head.width && filled <= c->head.width)
        put(c->a, &reason, "; the last of them %s empty: end every line, the "
            "header too, with as many separators",
            c->fields == c->head.width + 1 ? "is" : "are");
    else if (c->head.width == 1 && c->fields == 2 && c->separator == ',' &&
             c->field[0].kind == NUMBER && c->field[1].kind == NUMBER)
        put(c->a, &reason, "; --decimal , if the comma is the decimal sign");
    else if (c->head.width == 1 && c->t->n < 10)
        put(c->a, &reason, "; if line %zu is a title, delete all lines above "
            "the header, or begin them with #", c->head.line);
    else
        put(c->a, &reason, "; %s",
            c->fields == 1 ? "if it is a remark, delete it, or begin it with #"
            : c->fields < c->head.width
                ? "an empty value needs its separator, and one that goes on in "
                  "the next line quotes"
                : "a value that has a separator in it needs quotes");
    bad_record(c, reason.at);
}

/* Do the record and all behind it have nothing but separators?  Spreadsheets
 * write such lines below a table. */
static int is_past_end(csv *c)
{
    int asked = c->among;                       /* of the line above */
    c->among = 0;
    for (size_t j = 0; j < c->fields; j++)
        if (c->field[j].n > 0 || (c->field[j].kind & QUOTED))
            return 0;
    while (!asked) {
        const char *s = c->in.at + c->next;
        while (*s == c->separator || *s == ' ' || *s == '\r' || *s == '\n')
            s++;
        if (*s != '\0')
            break;
        if (!more_text(c->a, &c->in))
            return 1;
        (void)all_fields(c);                    /* the window has moved */
    }
    c->among = 1;
    return 0;
}

/* One sample. */
static void take_row(csv *c)
{
    task *t = c->t;
    size_t d = t->d;
    int whole = 1;
    if (c->fields != c->head.width)
        refuse_width(c);
    while (t->room_values < (t->n + 1) * d)
        GROW(c->a, t->values, t->room_values, t->room_values);
    mtc_real *row = d > 0 ? t->values + t->n * d : NULL, *to = row;
    if (c->set != NULL && d > 0)
        note_total(c);
    for (size_t j = 0; j < c->fields; j++) {
        const field *f = &c->field[j], w = whole_word(f);
        const attribute *k = &c->head.column[j];
        if (k->role == AS_FEATURE)
            *to++ = feature_value(c, j, f);
        else if (k->role == AS_WORDS)
            *to++ = is_missing_word(f)
                        ? note_hole(c, j, f)
                        : (mtc_real)word_of(c, &c->run->hot[k->hot], &w);
        else if (k->role == AS_LABEL)
            whole = keep_label(c, f);
        else if (k->role == AS_ID)
            keep_field(c, &t->id, f);
        else if (k->role == AS_INDEX && c->set->id == NULL)
            keep_index(c, f);
        if (c->whole != NULL)
            keep_whole(c, &c->whole[j], f);
    }
    if (c->set != NULL && c->set->text.n > 0)
        take_text(c, whole);
    t->n++;
}

/* ---- the end of a file ---- */

/* The words of the labels as numbers [n]; returns how many are whole. */
static size_t whole_labels(const csv *c, int *value, size_t *fractions)
{
    size_t whole = 0;
    for (size_t i = 0; i < c->labels.n; i++) {
        double x = 0.5;
        const char *s = c->labels.word[i];
        const char *end = decimal_at(s, c->point, &x);
        int number = end > s && *end == '\0';
        int fits = number && x == floor(x) && fabs(x) <= 2147483647.0;
        value[i] = fits ? (int)x : 0;
        whole += (size_t)fits;
        *fractions += (size_t)(number && x != floor(x));
    }
    return whole;
}

/* A word before nothing but numbers is the end of a header of numbers: as a
 * sample it would be one too many. */
static void doubt_first_label(csv *c, size_t whole)
{
    const task *t = c->t;
    const char *first = c->labels.word[0];
    double x;
    if (c->head.header || whole == 0 || whole + 1 != c->labels.n ||
        decimal_at(first, c->point, &x) != first || t->truth[0] != 0)
        return;
    for (size_t i = 1; i < t->n; i++)
        if (t->truth[i] == 0)
            return;
    fail(c->a, BAD_DATA, "%s:%zu: label '%s' is a word, all others are "
         "numbers; if this is a header, give --header yes or --labels %s",
         t->file, c->head.line, first, first);
}

/* The labels as ints: their values if all are whole numbers, else numbered
 * by appearance over all files of the run.  A row without one becomes holes, in
 * all of its columns, as some may be left out later. */
static void settle_labels(csv *c)
{
    task *t = c->t;
    app *a = c->a;
    size_t fractions = 0;
    int *value = TAKE(a, c->labels.n + 1, int);
    size_t count = whole_labels(c, value, &fractions);
    int whole = count == c->labels.n;
    if (c->labels.n > 0)
        doubt_first_label(c, count);
    if (fractions > 0 && fractions + count == c->labels.n)
        guess(a, "labels", NULL,
              "%s: labels are fractions, each one a class of its own; "
              "--labels none or another column may be meant", t->file);
    for (size_t i = 0; i < t->n; i++) {
        if (t->truth[i] < 0) {
            for (size_t j = i * t->d; j < (i + 1) * t->d; j++)
                t->values[j] = (mtc_real)NAN;
            continue;
        }
        const char *word = c->labels.word[t->truth[i]];
        t->truth[i] = whole ? value[t->truth[i]] : class_number(a, word);
    }
    pool_release(value);
    note_labels(a, t, !whole);
}

/* A first row of words was read as a header, but some word of it is a value of
 * its own column, too.  If all are, it is as likely a sample. */
static void doubt_names(const csv *c)
{
    const task *t = c->t;
    const char *shown = NULL;
    size_t again = 0, columns = 0;
    for (size_t j = 0; j < c->head.width; j++) {
        const attribute *k = &c->head.column[j];
        const dictionary *its =
            k->role == AS_WORDS   ? &c->run->hot[k->hot]
            : k->role == AS_LABEL ? &c->labels
            : c->run->describes   ? &c->cells[j].different : NULL;
        columns += k->role <= AS_LABEL;
        if (its == NULL || k->unnamed ||
            find_word(its, k->name, own_length(k)) == MTC_NONE)
            continue;
        again++;
        if (shown == NULL)
            shown = k->name;
    }
    if (again == 0)
        return;
    if (again == columns && !c->run->describes)
        fail(c->a, BAD_DATA, "%s:%zu: the words of this line are also values "
             "of their columns, so that it may be a sample: say --header yes "
             "or --header no", t->file, c->head.line);
    guess(c->a, "header", NULL, "%s:%zu: this line is taken for the header, "
          "but '%s' is also a value of its column; --header no makes it a "
          "sample", t->file, c->head.line, shown);
}

static void tell_doubts(csv *c)
{
    const task *t = c->t;
    doubt_texts(c);
    if (c->commented > 0)
        guess(c->a, "comment", NULL,
              "%s:%zu: this line has as many fields as the others but "
              "begins with #, which makes it a comment; in quotes it is a "
              "sample", t->file, c->commented);
    if (c->blank > 0)
        guess(c->a, "blank-line", NULL,
              "%s:%zu: a blank line is no sample; write NA for a "
              "missing value", t->file, c->blank);
    if (c->latin)
        inform(c->a, "latin-1", NULL, "%s: words are not UTF-8 and are read as "
               "Latin-1", t->file);
    if (c->worded)
        doubt_names(c);
}

/* Columns that options leave out, by name: a model tells `assign` of them. */
static void keep_left(csv *c)
{
    task *t = c->t;
    size_t width = c->head.width;
    if (c->set == NULL || !c->head.header)
        return;
    t->left = TAKE(c->a, width, attribute);
    for (size_t j = 0; j < width; j++) {
        const attribute *k = &c->head.column[j];
        if (!k->unnamed && (k->role == AS_NOTHING || k->role == AS_ID))
            t->left[t->n_left++] = *k;
    }
}

/* The columns that are features, and what an index has to say. */
static void settle_features(csv *c)
{
    task *t = c->t;
    t->header = c->head.header;
    t->line = c->head.line;
    t->table = 1;
    for (size_t j = 0; j < c->head.width; j++)
        t->d += c->head.column[j].role <= AS_WORDS;
    t->feature = TAKE(c->a, t->d, attribute);
    for (size_t j = 0, d = 0; j < c->head.width; j++) {
        const attribute *k = &c->head.column[j];
        if (k->role <= AS_WORDS)
            t->feature[d++] = *k;
        if (k->role == AS_ID)
            t->id.name = k->name;
        if (k->role == AS_LABEL)
            t->labels = k->number;
        if (k->role == AS_INDEX && c->set->id == NULL)
            t->id.name = "id";
        t->unnamed |= k->role == AS_INDEX;
    }
    keep_left(c);
}

/* Reads a table into t, whose file is set. */
void read_table(app *a, reading *run, task *t)
{
    csv c;
    memset(&c, 0, sizeof c);
    c.a = a;
    c.run = run;
    c.set = run->set;
    c.t = t;
    c.point = c.set != NULL && is(c.set->decimal, ",") ? ',' : '.';
    c.settled = c.set == NULL || c.set->decimal != NULL;
    c.in = open_source(a, t->file);
    find_start(&c);
    if (next_record(&c) && read_head(&c)) {
        settle_features(&c);
        do
            take_row(&c);
        while (next_record(&c) && !is_past_end(&c));
        if (c.set != NULL)
            settle_cells(&c);
        tell_doubts(&c);
        if (c.unlabeled > 0) {
            inform(a, "unlabeled", NULL,
                   "%s: %zu of %zu labels %s missing, so that the file is "
                   "not scored", t->file, c.unlabeled, t->n,
                   c.unlabeled == 1 ? "is" : "are");
            t->truth = NULL;
        }
        if (t->truth != NULL)
            settle_labels(&c);
        t->index = c.set != NULL && !t->unnamed && looks_like_index(t);
        t->id_words = c.id_words;
        if (t->unnamed && !c.id_words && c.set->id == NULL)
            memset(&t->id, 0, sizeof t->id);
    }
    t->rows = t->n;
    if (run->describes)
        t->sheet = COPY(a, &c, 1, csv);
    close_source(&c.in);
    pool_release(c.field);
}
