/* SPDX-License-Identifier: MIT
 *
 * csv.c - tables: fields, records, headers, rows
 *
 * Fields are parted by comma, semicolon, tab or bar, quoted where needed; the
 * first line tells which.  What is not exactly as it should be ends the
 * program with file, line, column and the option that would help; what is
 * understood in one of several ways is said so.  A missing value is NaN until
 * all files are read.
 */
#include "csv.h"
#include "letters.h"
#include "texts.h"

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

/* "sep=;", as spreadsheets have it. */
static int says_separator(const char *s)
{
    return strncmp(s, "sep=", 4) == 0 && s[4] != '\0' &&
           strchr(",;\t|", s[4]) != NULL && strchr("\r\n", s[5]) != NULL;
}

/* The separator seen most often in the line at s outside quotes.  Commas do
 * not count beside others where they are decimal signs, as they may be where
 * the line has only numbers; nor between digits, unless something is quoted.
 * As often as another, they are in numbers or names.  `sep=;` says it. */
static char find_separator(const char *s, char point)
{
    const char *candidates = ",;\t|";
    size_t seen[4] = {0, 0, 0, 0}, best = 0, decimals = 0;
    int quoted = 0, quotes = 0, numbers = 1;
    s += strspn(s, "\r\n");
    if (says_separator(s))
        return s[4];
    for (; *s != '\0' && (quoted || *s != '\n'); s++) {
        const char *c = strchr(candidates, *s);
        if (*s == '"') {
            quoted = !quoted;
            quotes = 1;
        } else if (!quoted && c != NULL)
            seen[c - candidates]++;
        numbers &= !isalpha((unsigned char)*s);
        decimals += !quoted && isdigit((unsigned char)*s) && s[1] == ',' &&
                    isdigit((unsigned char)s[2]);
    }
    int others = seen[1] + seen[2] + seen[3] > 0;
    if (point == '.' && others && numbers)
        seen[0] = 0;
    if (point == ',' && (others || (decimals > 0 && !quotes)))
        seen[0] = 0;
    for (size_t i = 1; i < 4; i++)
        if (seen[i] > seen[best] || (best == 0 && others && seen[i] == seen[0]))
            best = i;
    return point == ',' && seen[best] == 0 ? ';' : candidates[best];
}

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
static int all_fields(csv *c)
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
static char skip_blank(csv *c)
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
static size_t line_length(csv *c)
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
static int at_comment(csv *c)
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
static void skip_comment(csv *c)
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
static int next_record(csv *c)
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
 * be released.  Small files are in the window as a whole. */
static csv begin_peek(csv *c)
{
    (void)more_text(c->a, &c->in);
    (void)all_fields(c);                        /* the window has moved */
    csv below = *c;
    below.field = NULL;
    below.room = 0;
    return below;
}

/* The next record of such a reader; 0: the window has no other.  `over`: nor
 * has the text. */
static int peek_record(csv *c, int over)
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
static int is_word(const csv *c, const field *f)
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

/* ---- the header ---- */

static int field_equals(const field *f, const char *s)
{
    return strlen(s) == f->n && memcmp(f->at, s, f->n) == 0;
}

static int among(const field *f, const words *w)
{
    for (size_t i = 0; i < w->n; i++)
        if (field_equals(f, w->at[i]))
            return 1;
    return 0;
}

/* The numbers of the first record, as names of columns. */
typedef struct series {
    size_t words, numbers;          /* numbers 0: they are no names */
    int leads;                      /* 1: a word, or nothing, is before them */
    double first, last;
} series;

/* Whole numbers that ascend or descend, and nothing beside them but words; the
 * first field may be empty. */
static series find_series(const csv *c)
{
    series s = {0, 0, 0, 0, 0}, none = s;
    for (size_t j = 0; j < c->fields; j++) {
        const field *f = &c->field[j];
        if (is_word(c, f) || (j == 0 && f->n == 0)) {
            s.words++;
            s.leads |= j == 0;
            continue;
        }
        if (!(f->kind & NUMBER) || f->x != floor(f->x) ||
            (s.numbers > 0 && f->x == s.last) ||
            (s.numbers > 1 && (f->x > s.last) != (s.last > s.first)))
            return none;
        if (s.numbers++ == 0)
            s.first = f->x;
        s.last = f->x;
    }
    return s;
}

/* Has the record a name of the labels' column in it (1), or one that an option
 * gives (2)? */
static int has_name(const csv *c)
{
    const settings *set = c->set;
    series s = find_series(c);                  /* 0,1,2,... may be names */
    int in_row = s.numbers > 2 && s.first == 0 &&
                 s.last + 1 == (double)s.numbers;
    for (size_t j = 0; j < c->fields; j++) {
        const field *f = &c->field[j];
        if (field_is(f, "label") || field_is(f, "class") ||
            field_is(f, "target"))
            return 1;
        if (set == NULL || f->kind & NUMBER || f->n == 0)
            continue;
        if (among(f, &set->use) || among(f, &set->drop) ||
            among(f, &set->onehot) || among(f, &set->text) ||
            (set->id != NULL && field_equals(f, set->id)))
            return 2;
    }
    for (size_t j = 0; set != NULL && by_name(set->labels) && j < c->fields;
         j++)
        if ((in_row || !(c->field[j].kind & NUMBER)) &&
            field_equals(&c->field[j], set->labels))
            return 2;
    return 0;
}

/* Is column j the labels', by its place? */
static int has_labels(const csv *c, size_t j)
{
    return c->set != NULL && ((is(c->set->labels, "first") && j == 0) ||
                              (is(c->set->labels, "last") &&
                               j + 1 == c->fields));
}

/* What stands below the numbers of the first record, as far as the window
 * goes. */
typedef struct likeness {
    int whole;                      /* 1: only whole numbers */
    int fractions;                  /* 1: others, too, in every column */
    int years;                      /* 1: half of them are years, or more */
    int outside;                    /* 1: some number of the first record is
                                       less or more than all below it */
    int named;                      /* 1: the first column has no numbers */
} likeness;

/* The numbers of a column. */
typedef struct range {
    size_t n, years;
    double least, most;
    int whole;
} range;

static int is_year(double x)
{
    return x >= 1900 && x <= 2100;
}

static void add_value(range *r, const field *f)
{
    amount m;
    double x = f->x;
    if (!(f->kind & NUMBER) &&
        (!is_amount(f) || !amount_at(f->at, f->n, &m) ||
         !amount_value(&m, amount_fits(&m, '.') ? '.' : ',', &x)))
        return;
    r->least = r->n == 0 || x < r->least ? x : r->least;
    r->most = r->n == 0 || x > r->most ? x : r->most;
    r->whole = (r->n == 0 || r->whole) && x == floor(x);
    r->years += (size_t)is_year(x);
    r->n++;
}

static likeness look_below(csv *c)
{
    likeness l = {1, 1, 1, 0, 1};
    size_t values = 0, years = 0;
    csv below = begin_peek(c);
    range *column = TAKE(c->a, c->fields, range);
    while (peek_record(&below, c->in.over))
        for (size_t j = 0; j < c->fields && j < below.fields; j++)
            add_value(&column[j], &below.field[j]);
    for (size_t j = 0; j < c->fields; j++) {
        const range *r = &column[j];
        double x = c->field[j].x;
        if (r->n == 0 || has_labels(c, j) || !(c->field[j].kind & NUMBER))
            continue;
        l.whole &= r->whole;
        l.fractions &= !r->whole;
        l.outside |= x < r->least || x > r->most;
        values += r->n;
        years += r->years;
    }
    l.years = 2 * years >= values;
    l.named = column[0].n == 0;
    pool_release(column);
    pool_release(below.field);
    return l;
}

/* What the first record is. */
typedef enum first_row {
    SURELY_SAMPLE,
    LIKELY_SAMPLE,                  /* a notice says so */
    OPEN,                           /* --header has to say it */
    LIKELY_HEADER,
    SURELY_HEADER
} first_row;

/* Is the first record a header of numbers?  Three years behind a word are,
 * unless years stand below them; and numbers from 0 above values that are not
 * whole, or behind an unnamed index; and 1,2,3 above fractions.  Numbers behind
 * words that are like those below are none. */
static first_row judge_numbers(csv *c, const series *s)
{
    double span = s->last - s->first;
    int in_row = fabs(span) == (double)s->numbers - 1;
    int several = s->leads && s->numbers > 2;
    const char *labels = c->set->labels;
    int numbered = labels != NULL && isdigit((unsigned char)*labels);
    int years = is_year(s->first) && is_year(s->last) &&
                (s->words > 0 || in_row);
    int counted = in_row && (s->first == 0 ||
                             (s->first == 1 && s->words + s->numbers > 2));
    if (s->numbers == 0 || s->numbers + s->words < 2 ||
        (!years && (s->numbers < 2 || span < 0 || (!counted && s->words == 0))))
        return SURELY_SAMPLE;
    likeness l = look_below(c);
    if (years && (!l.years || s->words == 0))
        return several ? SURELY_HEADER : OPEN;
    if (years)
        return s->numbers > 1 ? LIKELY_SAMPLE : SURELY_SAMPLE;
    if (s->words == 0 && s->first == 1)         /* --labels 4: a name of it? */
        return l.fractions && !l.whole ? LIKELY_HEADER
               : numbered ? LIKELY_SAMPLE : SURELY_SAMPLE;
    if (s->words == 0 && !l.whole)
        return l.fractions && s->numbers > 2 ? SURELY_HEADER : LIKELY_HEADER;
    if (counted && s->words == 1 && c->field[0].n == 0 &&
        (s->first == 0 || l.named))
        return SURELY_HEADER;
    if (s->words > 0 && l.outside &&
        (several || (counted ? !l.whole : l.fractions)))
        return OPEN;
    return counted || (l.outside && s->numbers > 2) ? LIKELY_SAMPLE
                                                    : SURELY_SAMPLE;
}

/* Is the first record a header of numbers?  Says so, or asks, in doubt. */
static int has_numbers_for_names(csv *c)
{
    series s = find_series(c);
    first_row is_it = judge_numbers(c, &s);
    int header = is_it >= LIKELY_HEADER;
    int years = is_year(s.first) && is_year(s.last);
    const char *row = years          ? "a row of years"
                      : s.words > 0  ? "a row of ascending numbers"
                      : s.first == 0 ? "0,1,2,..." : "1,2,3,...";
    if (is_it == OPEN && !c->run->describes)
        fail(c->a, BAD_DATA, "%s:%zu: %s may be a header: say --header yes or "
             "--header no", c->in.file, c->line, row);
    if (is_it != SURELY_SAMPLE && is_it != SURELY_HEADER)
        guess(c->a, "header", NULL, "%s:%zu: %s is taken for %s; --header %s",
              c->in.file, c->line, row, header ? "the header" : "a sample",
              header ? "no makes it a sample" : "yes makes it the header");
    int from_one = s.first == 1 && s.last == (double)s.numbers;
    c->t->numbered = header ? 1 : is_it != SURELY_SAMPLE || from_one ? -1 : 0;
    return header;
}

/* A header has the name of the labels' column in it; or it has words, and no
 * number among them: a sample with one letter too many is no header.  What
 * stands in the labels' column counts only if it is such a name. */
static int is_header(csv *c)
{
    size_t found = 0, numbers = 0;
    const settings *set = c->set;
    if (set != NULL && set->header != NULL)
        return is(set->header, "yes");
    int named = has_name(c);
    c->worded = named == 1;                     /* it may be a value, too */
    if (named > 0 || (set != NULL && has_numbers_for_names(c)))
        return 1;
    for (size_t j = 0; j < c->fields; j++) {
        if (has_labels(c, j))
            continue;
        if (is_word(c, &c->field[j]))
            found++;
        else
            numbers += c->field[j].n > 0;
    }
    c->worded = found > 0 && numbers == 0;
    return c->worded;
}

/* Ends the program if lines end in CR alone. */
static void refuse_old_lines(csv *c, const char *s)
{
    int quoted = 0;
    c->line = c->in.line;
    for (; *s != '\0' && (quoted || *s != '\n'); s++) {
        quoted ^= *s == '"';
        if (*s == '\r' && !quoted && s[1] != '\n' && s[1] != '\0' &&
            s[1] != '\r')
            bad_record(c, "lines end in CR; save the file with LF or CR LF");
    }
}

/* Goes over comments to the first record and finds the separator.  A comment
 * that names the labels' column is the header, as some programs write it. */
static void find_start(csv *c)
{
    while (skip_blank(c) == '#') {
        size_t n = line_length(c);
        csv names = *c;
        char *line = c->in.at + c->in.begin;
        c->separator = find_separator(line, c->point);
        if (!at_comment(c))
            break;
        if (memchr(line, '"', n) == NULL) {
            memset(&names.in, 0, sizeof names.in);
            names.in.at = COPY(c->a, line + 1, n, char);
            names.in.at[n - 1] = '\0';
            names.in.over = 1;
            names.separator = find_separator(names.in.at, c->point);
            names.field = NULL;
            names.room = 0;
            if (all_fields(&names) && has_name(&names)) {
                c->in.begin++;
                break;
            }
        }
        skip_comment(c);
    }
    const char *s = c->in.at + c->in.begin;
    refuse_old_lines(c, s);
    c->separator = find_separator(s, c->point);
    if (is_tsv(c->in.file))
        c->separator = '\t';
    if (says_separator(s))
        skip_comment(c);
    c->next = c->in.begin;
    c->following = c->in.line;
}

/* The names in the first record, in UTF-8. */
static words header_names(const csv *c)
{
    words w = {0, 0, NULL};
    int latin = 0;
    for (size_t j = 0; j < c->fields; j++) {
        const char *own = field_text(c->a, &c->field[j]);
        const char *name = in_utf8(c->a, own);
        latin |= strcmp(name, own) != 0;
        GROW(c->a, w.at, w.n, w.room);
        w.at[w.n++] = name;
    }
    if (latin)
        inform(c->a, "latin-1", NULL, "%s: names of columns are not UTF-8 and "
               "are read as Latin-1", c->in.file);
    return w;
}

/* Is the record `0,55`, digits alone behind its comma?  2: a zero leads them,
 * as in 1,05. */
static int is_pair(const csv *c)
{
    const field *f = c->field;
    if (c->fields != 2 || f[0].kind != NUMBER || f[1].kind != NUMBER ||
        f[1].at != f[0].at + f[0].n + 1)
        return 0;
    for (size_t i = 0; i < f[1].n; i++)
        if (!isdigit((unsigned char)f[1].at[i]))
            return 0;
    return f[1].n > 1 && *f[1].at == '0' ? 2 : 1;
}

/* One name above nothing but `0,55`.  If a zero leads behind some comma, that
 * is a decimal sign, and the record is read again; else it may as well part two
 * columns. */
static void doubt_comma(csv *c)
{
    int pair = is_pair(c), zero = pair == 2;
    if (pair == 0 || c->separator != ',' || c->set == NULL ||
        c->set->decimal != NULL || c->run->usual == '.')
        return;
    csv below = begin_peek(c);
    while (pair > 0 && peek_record(&below, c->in.over)) {
        pair = below.fields == 1 ? 1 : is_pair(&below);
        zero |= pair == 2;
    }
    pool_release(below.field);
    if (pair == 0)
        return;
    if (!zero && c->run->usual != ',')
        fail(c->a, BAD_DATA, "%s:%zu: 2 fields, but 1 before; --decimal , if "
             "the comma is the decimal sign, --decimal . if it stands behind "
             "the number of a row; if line %zu is a title, delete all lines "
             "above the header, or begin them with #", c->in.file, c->line,
             c->head.line);
    c->separator = ';';
    (void)all_fields(c);                        /* the window has the line */
    if (c->run->usual != ',')
        guess(c->a, "decimal-comma", NULL, "%s: the header has one name, so "
              "that the comma separates no fields; with --decimal . it does",
              c->in.file);
}

/* Does nothing follow the last separator of any record?  As far as the window
 * goes. */
static int ends_empty(csv *c)
{
    int empty = c->field[c->fields - 1].n == 0;
    csv below = begin_peek(c);
    while (empty && peek_record(&below, c->in.over))
        empty = below.field[below.fields - 1].n == 0;
    pool_release(below.field);
    return empty;
}

/* The header, if there is one, and what each column is for; 0: no samples.
 * R writes no name for a first column of row names. */
static int read_head(csv *c)
{
    words names = {0, 0, NULL};
    c->head.file = c->in.file;
    c->head.line = c->line;
    c->head.header = is_header(c);
    if (c->head.header) {
        names = header_names(c);
        c->head.width = names.n;
        if (!next_record(c))
            return 0;
        if (names.n == 1)
            doubt_comma(c);
        const field *f = &c->field[0], *last = &c->field[c->fields - 1];
        int bare = last->n > 0 && (f->kind == 0 || f->x == 0 || f->x == 1);
        if (c->fields == names.n + 1 && c->set != NULL &&
            (f->kind & QUOTED ? !ends_empty(c) : bare)) {
            GROW(c->a, names.at, names.n, names.room);
            memmove(names.at + 1, names.at, names.n++ * sizeof *names.at);
            names.at[0] = "";
        }
    }
    c->head.width = c->head.header ? names.n : c->fields;
    settle_columns(c->a, c->run, &c->head, &names);
    c->cells = TAKE(c->a, c->head.width, cells);
    for (size_t j = 0; j < c->head.width && c->run->describes; j++) {
        c->head.column[j].proposed = c->head.column[j].role;
        c->head.column[j].role = AS_FEATURE;
    }
    if (c->run->describes && c->set->out != NULL)
        c->whole = TAKE(c->a, c->head.width, identities);
    return 1;
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
