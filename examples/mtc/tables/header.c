/* SPDX-License-Identifier: MIT
 *
 * header.c - how a table begins: its separator, and whether its first line has
 * names
 */
#include "csv.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* ---- the separator ---- */

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

/* ---- names, or a sample? ---- */

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

/* A word, or sodium, which is no missing value in a header. */
static int is_name(const csv *c, const field *f)
{
    return is_word(c, f) || field_equals(f, "Na");
}

/* A number, whatever its decimal sign is. */
static int is_value(const field *f, double *x)
{
    amount m;
    *x = f->x;
    return (f->kind & NUMBER) ||
           (is_amount(f) && amount_at(f->at, f->n, &m) &&
            amount_value(&m, amount_fits(&m, '.') ? '.' : ',', x));
}

/* The numbers of the first record, as names of columns. */
typedef struct series {
    size_t words, numbers;          /* numbers 0: they are no names */
    int leads;                      /* 1: a word, or nothing, is before them */
    int whole;
    double first, last;
} series;

/* Numbers that ascend or descend, and nothing beside them but words; the first
 * field may be empty. */
static series find_series(const csv *c)
{
    series s = {0, 0, 0, 1, 0, 0}, none = s;
    for (size_t j = 0; j < c->fields; j++) {
        const field *f = &c->field[j];
        if (is_word(c, f) || (j == 0 && f->n == 0)) {
            s.words++;
            s.leads |= j == 0;
            continue;
        }
        double x;
        if (!is_value(f, &x) || (s.numbers > 0 && x == s.last) ||
            (s.numbers > 1 && (x > s.last) != (s.last > s.first)))
            return none;
        if (s.numbers++ == 0)
            s.first = x;
        s.last = x;
        s.whole &= x == floor(x);
    }
    return s;
}

/* Are they as many as from `first` on, one by one? */
static int counts_from(const series *s, double first)
{
    return s->whole && s->first == first &&
           s->last == first + (double)s->numbers - 1;
}

/* Has the record a name of the labels' column in it (1), or one that an option
 * gives (2)? */
static int has_name(const csv *c)
{
    const settings *set = c->set;
    series s = find_series(c);                  /* 0,1,2,... may be names */
    int in_row = s.numbers > 2 && counts_from(&s, 0);
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
    int apart;                      /* 1: every one is */
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
    double x;
    if (!is_value(f, &x))
        return;
    r->least = r->n == 0 || x < r->least ? x : r->least;
    r->most = r->n == 0 || x > r->most ? x : r->most;
    r->whole = (r->n == 0 || r->whole) && x == floor(x);
    r->years += (size_t)is_year(x);
    r->n++;
}

static likeness look_below(csv *c)
{
    likeness l = {1, 1, 1, 0, 1, 1};
    size_t values = 0, years = 0;
    csv below = begin_peek(c);
    range *column = TAKE(c->a, c->fields, range);
    while (peek_record(&below, c->in.over))
        for (size_t j = 0; j < c->fields && j < below.fields; j++)
            add_value(&column[j], &below.field[j]);
    for (size_t j = 0; j < c->fields; j++) {
        const range *r = &column[j];
        double x;
        if (r->n == 0 || has_labels(c, j) || !is_value(&c->field[j], &x))
            continue;
        l.whole &= r->whole;
        l.fractions &= !r->whole;
        l.outside |= x < r->least || x > r->most;
        l.apart &= x < r->least || x > r->most;
        values += r->n;
        years += r->years;
    }
    l.years = 2 * years >= values;
    l.apart &= values > 0;
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
 * words that are like those below are none.  Others, as wavelengths, may be one
 * where all of them are unlike those below. */
static first_row judge_numbers(csv *c, const series *s)
{
    int several = s->leads && s->numbers > 2;
    const char *labels = c->set->labels;
    int numbered = labels != NULL && isdigit((unsigned char)*labels);
    int in_row = s->whole &&
                 fabs(s->last - s->first) == (double)s->numbers - 1;
    int years = s->whole && is_year(s->first) && is_year(s->last) &&
                (s->words > 0 || in_row);
    int counted = counts_from(s, 0) ||
                  (counts_from(s, 1) && s->words + s->numbers > 2);
    int rising = s->whole && s->numbers > 1 && s->last > s->first &&
                 (counted || s->words > 0);
    int few = s->numbers < (c->field[0].n == 0 ? 2 : 3);
    if (s->numbers == 0 || s->numbers + s->words < 2 ||
        (!years && !rising && few))
        return SURELY_SAMPLE;
    likeness l = look_below(c);
    if (!years && !rising)
        return !l.apart ? SURELY_SAMPLE : s->words > 0 ? OPEN : LIKELY_SAMPLE;
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
    int years = s.whole && is_year(s.first) && is_year(s.last);
    int from_one = counts_from(&s, 1);
    const char *row = years                ? "a row of years"
                      : s.last < s.first   ? "a row of descending numbers"
                      : s.words > 0        ? "a row of ascending numbers"
                      : counts_from(&s, 0) ? "0,1,2,..."
                      : from_one           ? "1,2,3,..."
                                           : "a row of ascending numbers";
    if (is_it == OPEN && !c->run->describes)
        fail(c->a, BAD_DATA, "%s:%zu: %s may be a header: say --header yes or "
             "--header no", c->in.file, c->line, row);
    if (is_it != SURELY_SAMPLE && is_it != SURELY_HEADER)
        guess(c->a, "header", NULL, "%s:%zu: %s is taken for %s; --header %s",
              c->in.file, c->line, row, header ? "the header" : "a sample",
              header ? "no makes it a sample" : "yes makes it the header");
    c->t->numbered = header ? 1 : is_it != SURELY_SAMPLE || from_one ? -1 : 0;
    return header;
}

/* Are numbers among the fields, which have all names that the model needs (1),
 * or are all names of the first file (2), in any order?  Of two it may be
 * chance. */
static int repeats_names(const csv *c)
{
    const heading *first = &c->run->first;
    const dictionary *needed = c->run->needed;
    size_t numbers = 0, of_first = 0, of_model = 0;
    dictionary known, own;
    memset(&known, 0, sizeof known);
    memset(&own, 0, sizeof own);
    for (size_t i = 0; i < first->width && first->header; i++) {
        const char *name = first->column[i].unnamed ? "" : first->column[i].name;
        number_word(c->a, &known, name, strlen(name));
    }
    if (known.n == 0 && needed == NULL)
        return 0;
    for (size_t j = 0; j < c->fields; j++) {
        const field *f = &c->field[j];
        number_word(c->a, &own, f->at, f->n);
        numbers += (f->kind & NUMBER) != 0;
        of_first += find_word(&known, f->at, f->n) != MTC_NONE;
        of_model += needed != NULL &&
                    find_word(needed, f->at, f->n) != MTC_NONE;
    }
    if (numbers < 3 || own.n < c->fields)
        return 0;
    if (needed != NULL && needed->n > 2 && of_model == needed->n)
        return 1;
    return of_first == c->fields ? 2 : 0;
}

/* Has the record numbers that are no row of names, as 0,1,2 are? */
static int has_numbers_beside(const csv *c)
{
    series s = find_series(c);
    int numbers = 0;
    double x;
    for (size_t j = 0; j < c->fields; j++)
        numbers |= is_value(&c->field[j], &x);
    return numbers && !counts_from(&s, 0) && !counts_from(&s, 1);
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
    if (named == 1 && set != NULL && has_numbers_beside(c))
        guess(c->a, "header", NULL, "%s:%zu: has a column of labels by its name, "
              "and numbers, and is taken for the header; --header no makes it a "
              "sample", c->in.file, c->line);
    int again = set != NULL ? repeats_names(c) : 0;
    if (again == 1)
        guess(c->a, "header", NULL, "%s:%zu: has the names of the model and is "
              "taken for the header; --header no makes it a sample", c->in.file,
              c->line);
    if (named > 0 || again == 1 || (set != NULL && has_numbers_for_names(c)))
        return 1;
    if (again == 2 && !c->run->describes)
        refuse_sample(c->a, c->in.file, c->line, c->run->first.file);
    for (size_t j = 0; j < c->fields; j++) {
        if (has_labels(c, j))
            continue;
        if (is_name(c, &c->field[j]))
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

/* Is the field one word, as a name in a comment, whose # may stand before it?
 * Titles have several. */
static int is_bare_name(const csv *c, const field *f)
{
    field name = *f;
    while (name.n > 0 && (*name.at == '#' || *name.at == ' ')) {
        name.at++;
        name.n--;
    }
    return (name.n == 0 || is_name(c, &name)) &&
           memchr(name.at, ' ', name.n) == NULL;
}

/* Has the comment as many fields as the record in the line below, words above
 * numbers?  People call the number of a row #.  That record tells the
 * separator. */
static int heads_numbers(csv *c)
{
    int named = 1, numbers = 0;
    (void)all_fields(c);                        /* to its end */
    csv below = *c;
    below.field = NULL;
    below.room = 0;
    if (strchr(c->in.at + c->next, '\n') == NULL)
        below = begin_peek(c);
    c->separator = below.separator =
        is_tsv(c->in.file) ? '\t' : find_separator(c->in.at + c->next, c->point);
    (void)all_fields(c);
    for (size_t j = 0; j < c->fields; j++)
        named &= is_bare_name(c, &c->field[j]);
    if (named && c->fields > 1 && peek_record(&below, c->in.over) &&
        below.line == c->following && below.fields == c->fields)
        for (size_t j = 0; j < below.fields; j++)
            numbers |= below.field[j].n > 0 && !is_word(&below, &below.field[j]);
    pool_release(below.field);
    return numbers;
}

/* Is the comment of n bytes at the window's beginning the header, as some
 * programs write it?  It names the labels' column, or stands above numbers. */
static int is_commented_header(csv *c, size_t n)
{
    const char *line = c->in.at + c->in.begin;
    const char *asked = c->set != NULL ? c->set->header : NULL;
    csv names = *c;
    if (memchr(line, '"', n) != NULL)
        return 0;
    memset(&names.in, 0, sizeof names.in);
    names.in.at = COPY(c->a, line + 1, n, char);
    names.in.at[n - 1] = '\0';
    names.in.over = 1;
    names.field = NULL;
    names.room = 0;
    if (all_fields(&names) && has_name(&names))
        return 1;
    int names_given = c->set != NULL && c->set->names != NULL;
    if (is(asked, "no") || names_given || !heads_numbers(c))
        return 0;
    if (asked == NULL && c->set != NULL)
        guess(c->a, "header", NULL, "%s:%zu: begins with #, but has as many "
              "fields as the next line and is taken for the header; --header "
              "no makes it a comment", c->in.file, c->in.line);
    return 1;
}

/* Goes over comments to the first record and finds the separator. */
void find_start(csv *c)
{
    while (skip_blank(c) == '#') {
        size_t n = line_length(c);
        c->separator = find_separator(c->in.at + c->in.begin, c->point);
        if (!at_comment(c))
            break;                              /* an error of a spreadsheet */
        if (is_commented_header(c, n)) {
            c->in.begin++;
            break;
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

/* Is the record `0,55`, digits behind its comma, and at most a sign as in 0,55 %?
 * 2: a zero leads them, as in 1,05. */
static int is_pair(const csv *c)
{
    const field *f = c->field;
    double x;
    if (c->fields != 2 || (f[0].kind | f[1].kind) & QUOTED ||
        !is_value(&f[0], &x) || !is_value(&f[1], &x) ||
        f[1].at != f[0].at + f[0].n + 1 || !isdigit((unsigned char)*f[1].at) ||
        memchr(f[1].at, '.', f[1].n) != NULL)
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

/* Is the first field again what it is in the next record?  Then it names no
 * row. */
static int repeats_first(csv *c)
{
    csv below = begin_peek(c);
    const field *f = &c->field[0];
    int again = peek_record(&below, c->in.over) &&
                f->n == below.field[0].n &&
                memcmp(f->at, below.field[0].at, f->n) == 0;
    pool_release(below.field);
    return again;
}

/* The header, if there is one, and what each column is for; 0: no samples.
 * R writes no name for a first column of row names. */
int read_head(csv *c)
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
        int bare = last->n > 0 && c->point != c->separator &&
                   (f->kind == 0 || f->x == 0 || f->x == 1);
        if (c->fields == names.n + 1 && c->set != NULL &&
            (f->kind & QUOTED ? !ends_empty(c) : bare) && !repeats_first(c)) {
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
