/* SPDX-License-Identifier: MIT
 *
 * cells.c - what the values of a column mean
 *
 * A plain number is one.  All other values are kept as text until the file is
 * read, since it takes a whole column, or more, to understand them: whether
 * 1,301 has a decimal comma, whether - stands for nothing, whether a word is
 * that of a sum below the last row.  Where two readings differ, none is taken:
 * the file is refused, and all that is wrong with it is said at once.
 */
#include "csv.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- one value ---- */

/* Digits in any form that people write. */
int is_amount(const field *f)
{
    amount m;
    return amount_at(f->at, f->n, &m) &&
           (amount_fits(&m, '.') || amount_fits(&m, ','));
}

/* What stands for a missing value among numbers, but is a word elsewhere. */
static int is_mark(const field *f)
{
    return field_is(f, "-") || field_is(f, "--") || field_is(f, "none") ||
           field_is(f, "#n/a") || field_is(f, "#div/0!") ||
           field_is(f, "\xe2\x80\x93") || field_is(f, "\xe2\x80\x94");
}

enum { SUM_WORDS = 12 };

/* The number of a word, a colon behind it or not, or -1. */
static int number_among(const field *f, const char *const *word, int n)
{
    field bare = *f;
    bare.n -= bare.n > 0 && bare.at[bare.n - 1] == ':';
    for (int i = 0; i < n; i++)
        if (field_is(&bare, word[i]))
            return i;
    return -1;
}

/* Words that begin a row of sums.  Pivot tables write the last three. */
static int total_word(const field *f)
{
    static const char *const word[SUM_WORDS] = {
        "total", "sum", "gesamt", "insgesamt", "summe", "average", "mean",
        "durchschnitt", "mittelwert", "grand total", "gesamtsumme",
        "gesamtergebnis"};
    return number_among(f, word, SUM_WORDS);
}

/* The number of a word that begins figures, which instruments write below the
 * rows; those of sums come first; or -1. */
static int figure_word(const field *f)
{
    static const char *const word[] = {
        "sd", "std", "stdev", "std dev", "std. dev.", "standard deviation", "cv",
        "standardabweichung", "sem", "variance", "min", "max", "minimum",
        "maximum", "median", "count"};
    int sum = total_word(f);
    int other = number_among(f, word, (int)(sizeof word / sizeof *word));
    return sum >= 0 || other < 0 ? sum : SUM_WORDS + other;
}

static void note_example(csv *c, example *e, const field *f)
{
    if (e->line > 0)
        return;
    e->line = c->line;
    e->row = c->t->n;
    e->text = field_text(c->a, f);
}

/* Does the record begin as figures do?  Each stands once, below all others. */
static void note_figures(csv *c)
{
    size_t j = 0;
    while (j + 1 < c->fields && c->field[j].n == 0)
        j++;
    int word = figure_word(&c->field[j]);
    if (word < 0) {
        c->scattered |= c->figures.line > 0;
        return;
    }
    c->scattered |= (c->figured >> word & 1) != 0;
    c->figured |= (uint32_t)1 << word;
    c->sums |= word < SUM_WORDS;
    note_example(c, &c->figures, &c->field[j]);
}

/* Has the record a word in it that stands for a sum?  The first of its words
 * counts.  One that has a date is none. */
void note_total(csv *c)
{
    int first = 1;
    date d;
    for (size_t j = 0; j < c->fields; j++) {
        const field *f = &c->field[j];
        if (f->kind & NUMBER || f->n == 0)
            continue;
        if (c->last_dated <= c->t->n && isdigit((unsigned char)*f->at) &&
            date_at(f->at, f->n, &d))
            c->last_dated = c->t->n + 1;
        if (!isalpha((unsigned char)*f->at))
            continue;
        int word = total_word(f);
        if (word >= 0) {
            unsigned bit = 1u << word;
            c->cells[j].again |= c->cells[j].totals & bit;
            c->cells[j].totals |= bit;
        }
        if (word >= 0 && first) {
            c->total.line = c->line;
            c->total.row = c->t->n;
            c->total.text = field_text(c->a, f);
            c->total_column = j;
        }
        first = 0;
    }
    note_figures(c);
}

static void keep_odd(csv *c, cells *k, const field *f, int kind)
{
    GROW(c->a, k->odd, k->n_odd, k->room_odd);
    odd *o = &k->odd[k->n_odd++];
    while (k->room < k->length + f->n)
        GROW(c->a, k->text, k->room, k->room);
    memcpy(k->text + k->length, f->at, f->n);
    o->kind = kind == ODD_DATE ? ODD_DATE : kind == ODD_MARK ? ODD_MARK
                                                             : ODD_AMOUNT;
    o->row = c->t->n;
    o->line = c->line;
    o->at = k->length;
    o->n = f->n;
    k->length += f->n;
}

/* What an amount tells of the decimal sign.  Once a comma is sure, plain
 * numbers are read with it. */
static void note_amount(csv *c, cells *k, const field *f, const amount *m)
{
    int point = amount_fits(m, '.'), comma = amount_fits(m, ',');
    char mark = amount_mark(m);
    k->amounts++;
    if (mark == '\0')
        k->none = 1;
    else if (point && comma)
        note_example(c, &k->open[mark == ','], f);
    else
        note_example(c, &k->only[comma], f);
    if (mark != '\0' && comma && !point && !c->settled) {
        c->settled = 1;
        c->point = ',';
    }
}

/* A plain number while the decimal sign is not settled.  One that can be read
 * in two ways is kept as text. */
mtc_real note_open(csv *c, size_t j, const field *f)
{
    cells *k = &c->cells[j];
    amount m;
    size_t i = 0;
    while (i < f->n && f->at[i] != c->point && f->at[i] != 'e' &&
           f->at[i] != 'E')
        i++;
    if (i == f->n || f->at[i] != c->point) {
        k->none |= i == f->n;                   /* 1e3 tells nothing */
        return (mtc_real)f->x;
    }
    if (amount_at(f->at, f->n, &m) && amount_fits(&m, '.') &&
        amount_fits(&m, ',')) {
        keep_odd(c, k, f, ODD_AMOUNT);
        note_amount(c, k, f, &m);
        return (mtc_real)NAN;
    }
    note_example(c, &k->only[0], f);
    c->settled = 1;
    return (mtc_real)f->x;
}

/* 00123 is a number that looks like a code: of a place, of an article. */
void note_code(csv *c, size_t j, const field *f)
{
    cells *k = &c->cells[j];
    if (k->code.line == 0 && strspn(f->at, "0123456789") == f->n)
        note_example(c, &k->code, f);
}

/* A word; how many different ones there are says what may be done. */
static void note_word(csv *c, cells *k, const field *f)
{
    note_example(c, &k->word, f);
    k->words++;
    k->last_word = c->t->n + 1;
    size_t before = k->different.n;
    if (number_word(c->a, &k->different, f->at, f->n) == before)
        k->last_new = c->t->n + 1;
}

mtc_real note_hole(csv *c, size_t j, const field *f)
{
    cells *k = &c->cells[j];
    note_example(c, &k->hole, f);
    k->holes++;
    k->last_hole = c->t->n + 1;
    return (mtc_real)NAN;
}

/* A value that is no plain number. */
mtc_real note_cell(csv *c, size_t j, const field *f)
{
    cells *k = &c->cells[j];
    amount m;
    date d;
    if (is_missing_word(f))
        return note_hole(c, j, f);
    if (f->kind & NUMBER || is_infinite(f))
        note_example(c, &k->endless, f);
    else if (is_missing(f) || is_mark(f)) {     /* quoted; or any */
        keep_odd(c, k, f, ODD_MARK);
        k->marks++;
    } else if (date_at(f->at, f->n, &d)) {
        keep_odd(c, k, f, ODD_DATE);
        k->dates++;
    } else if (amount_at(f->at, f->n, &m) &&
               (amount_fits(&m, '.') || amount_fits(&m, ','))) {
        keep_odd(c, k, f, ODD_AMOUNT);
        note_amount(c, k, f, &m);
    } else
        note_word(c, k, f);
    return (mtc_real)NAN;
}

/* Ends the program: a table that is only numbers has something else. */
void refuse_plain(const csv *c, size_t j)
{
    text t = {NULL, 0, 0};
    const field *f = &c->field[j];
    put(c->a, &t, "column %zu", j + 1);
    if (c->head.header && !c->head.column[j].unnamed)
        put(c->a, &t, " (%s)", c->head.column[j].name);
    if (f->n > 0)
        put(c->a, &t, ", '%.*s%s',", some_bytes(f->at, f->n), f->at,
            f->n < 30 ? "" : "...");
    put(c->a, &t, " %s", f->n == 0           ? "is empty"
                         : is_missing(f)     ? "is a missing value"
                         : f->kind & NUMBER  ? "is too large"
                         : is_infinite(f)    ? "is not a finite number"
                                             : "is not a number");
    bad_record(c, t.at);
}

/* ---- the last row ---- */

/* Takes the last row out, and what was counted of it. */
static void leave_out_last(csv *c)
{
    task *t = c->t;
    size_t row = --t->n;
    for (size_t j = 0; j < c->head.width; j++) {
        cells *k = &c->cells[j];
        k->words -= k->last_word == row + 1;
        k->different.n -= k->last_new == row + 1;   /* none is added later */
        k->holes -= k->last_hole == row + 1;
        if (k->hole.row == row)
            k->hole.line = 0;
        if (k->endless.row == row)
            k->endless.line = 0;
        if (k->code.row == row)
            k->code.line = 0;
        for (int h = 0; h < 2; h++) {
            if (k->only[h].row == row)
                k->only[h].line = 0;
            if (k->open[h].row == row)
                k->open[h].line = 0;
        }
        if (k->n_odd == 0 || k->odd[k->n_odd - 1].row != row)
            continue;
        const odd *o = &k->odd[--k->n_odd];
        k->amounts -= o->kind == ODD_AMOUNT;
        k->dates -= o->kind == ODD_DATE;
        k->marks -= o->kind == ODD_MARK;
    }
    c->unlabeled -= c->last_unlabeled == row + 1;
    c->unlabeled_total = 0;
    if (t->id.n > t->n) {
        t->id.n = t->n;
        t->id.length = t->id.at[t->n];
    }
}

/* A last row that begins with a word for a sum, which stands nowhere else in
 * its column. */
static void settle_total(csv *c)
{
    const task *t = c->t;
    if (c->total.line > 0 && c->total.row + 1 == t->n && t->n > 1 &&
        c->cells[c->total_column].again == 0) {
        leave_out_last(c);
        guess(c->a, "total", NULL, "%s:%zu: the last row, '%s', is left out",
              t->file, c->total.line, c->total.text);
    } else if (c->unlabeled_total)
        fail(c->a, BAD_DATA, "%s:%zu: the label is empty: --missing drop "
             "leaves such rows out, --labels none all labels", t->file,
             c->total.line);
}

/* Rows at the end, as Mean and SD; one word alone may be a name. */
static void doubt_figures(csv *c)
{
    const task *t = c->t;
    if (c->figures.line == 0 || c->scattered || c->figures.row >= t->n)
        return;
    size_t rows = t->n - c->figures.row;
    text last = {NULL, 0, 0};
    if (2 * rows >= t->n || (rows == 1 && !c->sums))
        return;
    if (rows == 1)
        put(c->a, &last, "row, '%s', may be a figure", c->figures.text);
    else
        put(c->a, &last, "%zu rows, from '%s' on, may be figures", rows,
            c->figures.text);
    guess(c->a, "figures", NULL, "%s:%zu: the last %s of those above: delete "
          "%s if so", t->file, c->figures.line, last.at,
          rows == 1 ? "it" : "them");
}

/* Decimals that a number has if it is printed with up to 15 digits. */
static int decimals_of(double x)
{
    char s[40];
    sprintf(s, "%.15g", x);
    const char *point = strchr(s, '.'), *power = strchr(s, 'e');
    const char *end = power != NULL ? power : s + strlen(s);
    int decimals = point == NULL ? 0 : (int)(end - point - 1);
    return power != NULL ? decimals - atoi(power + 1) : decimals;
}

/* Is the last row the sum of those above it, in every column of numbers?  A
 * column may be empty there (the age of all says nothing).  Two numbers or more
 * make each sum, so that it is not just one of them again, and three or more
 * make one of them. */
static int is_sum(const csv *c)
{
    const task *t = c->t;
    size_t most = 0, sums = 0;
    if (t->n < 4 || c->last_dated == t->n)
        return 0;
    for (size_t j = 0; j < t->d; j++) {
        double sum = 0, last = (double)t->values[(t->n - 1) * t->d + j];
        size_t addends = 0;
        const attribute *k = &t->feature[j];
        purpose role = c->run->describes ? k->proposed : k->role;
        int worded = c->cells[k->number - 1].words > 0;
        if (role != AS_FEATURE || k->date || worded || last != last)
            continue;
        for (size_t i = 0; i + 1 < t->n; i++) {
            double x = (double)t->values[i * t->d + j];
            sum += x == x ? x : 0;
            addends += x == x && x != 0;
        }
        if (!(fabs(sum - last) <= 0.5001 * pow(10, -decimals_of(last))))
            return 0;
        if (last != 0 && addends < 2)
            return 0;
        most = addends > most ? addends : most;
        sums += last != 0;
    }
    return most > 2 && sums > 0;
}

/* ---- the decimal sign ---- */

/* The decimal sign of the file: as given, as some column shows, or else a point
 * if no column is ambiguous; then faults tell. */
static char decimal_of(csv *c)
{
    const example *only[2] = {NULL, NULL};
    if (c->set->decimal != NULL)
        return *c->set->decimal;
    for (size_t j = 0; j < c->head.width; j++)
        for (int h = 0; h < 2; h++)
            if (c->cells[j].only[h].line > 0 && only[h] == NULL)
                only[h] = &c->cells[j].only[h];
    c->shown = only[0] != NULL || only[1] != NULL;
    if (only[0] != NULL && only[1] != NULL)
        c->mixed = only[0];
    if (only[0] != NULL || only[1] != NULL)
        return only[0] != NULL ? '.' : ',';
    char usual = c->run->usual;
    int settles = 0;
    for (size_t j = 0; j < c->head.width; j++) {
        const cells *k = &c->cells[j];
        int marks = (k->open[0].line > 0) + (k->open[1].line > 0);
        settles |= marks == 1 && !k->none && usual == '\0';
        c->t->guessed |= marks > 0 && k->words + k->dates == 0 && usual != ',';
    }
    if (usual == '.' || usual == ',')
        return usual;                           /* as the model's files */
    for (size_t j = 0; j < c->head.width && !settles; j++) {
        const cells *k = &c->cells[j];
        const example *e = &k->open[k->open[0].line == 0];
        if (e->line > 0)
            add_fault(c, j, BY_DECIMAL, e, "may have decimals or "
                      "thousands, and no other value of the file tells");
    }
    return '.';
}

/* ---- columns ---- */

/* The signs of a column agree: one currency, unit or percent, or none.  Plain
 * numbers may stand beside a currency. */
static void settle_sign(csv *c, size_t j, attribute *to)
{
    const cells *k = &c->cells[j];
    example first = {0, 0, NULL};
    amount_kind kind = BARE;
    size_t bare = c->t->n - k->holes - k->words - k->n_odd;
    for (size_t i = 0; i < k->n_odd; i++) {
        const odd *o = &k->odd[i];
        amount m;
        field f = {k->text + o->at, o->n, 0, 0};
        if (o->kind != ODD_AMOUNT || !amount_at(f.at, f.n, &m))
            continue;
        bare += m.kind == BARE;
        if (m.kind == BARE)
            continue;
        example own = {o->line, o->row, field_text(c->a, &f)};
        if (first.line == 0) {
            first = own;
            kind = m.kind;
            to->sign = COPY(c->a, m.sign, strlen(m.sign) + 1, char);
        } else if (strcmp(to->sign, m.sign) != 0) {
            add_fault(c, j, BY_DROP, &own, "has another sign than '%s' in "
                      "line %zu", first.text, first.line);
            return;
        } else
            pool_release((void *)(uintptr_t)own.text);
    }
    if (bare > 0 && (kind == PERCENT || kind == UNIT))
        add_fault(c, j, BY_DROP, &first, "has the sign %s, but other "
                  "values of the column have none", to->sign);
}

/* A number of column j that does not fit the decimal sign. */
static void refuse_sign(csv *c, size_t j, const example *e, char decimal)
{
    if (c->mixed != NULL)
        add_fault(c, j, BY_DROP, e, "has a decimal comma, but '%s' in line %zu "
                  "has a decimal point", c->mixed->text, c->mixed->line);
    else
        add_fault(c, j, BY_DECIMAL, e, "is not a number with the decimal sign "
                  "%c", decimal);
}

/* The numbers of a column with that decimal sign; `slot` is its feature. */
static void settle_amounts(csv *c, size_t j, size_t slot,
                           char decimal)
{
    const cells *k = &c->cells[j];
    task *t = c->t;
    attribute *to = &t->feature[slot];
    settle_sign(c, j, to);
    for (size_t i = 0; i < k->n_odd; i++) {
        const odd *o = &k->odd[i];
        amount m;
        double x;
        if (o->kind != ODD_AMOUNT || !amount_at(k->text + o->at, o->n, &m))
            continue;
        field f = {k->text + o->at, o->n, 0, 0};
        example e = {o->line, o->row, NULL};
        if (!amount_fits(&m, decimal) || !amount_value(&m, decimal, &x) ||
            !(fabs(x) <= APP_REAL_MAX)) {
            e.text = field_text(c->a, &f);
            refuse_sign(c, j, &e, decimal);
            return;
        }
        if (amount_groups(&m, decimal))
            to->grouped = m.mark[0];
        t->values[o->row * t->d + slot] = (mtc_real)x;
    }
    to->open = t->guessed && k->open[0].line > 0;
    to->told = to->open && (to->sign != NULL || c->separator == ';');
    to->likely = c->set->decimal == NULL && !c->shown && to->grouped == ',';
}

/* Dates of a column, as days. */
static void settle_dates(csv *c, size_t j, size_t slot)
{
    const cells *k = &c->cells[j];
    task *t = c->t;
    int day_first = 1, month_first = 1, slashes = 0;
    attribute *to = &t->feature[slot];
    const odd *last = NULL;
    to->date = 1;
    for (size_t i = 0; i < k->n_odd; i++) {
        const odd *o = &k->odd[i];
        date d;
        if (o->kind != ODD_DATE || !date_at(k->text + o->at, o->n, &d))
            continue;
        day_first &= d.day_first;
        month_first &= d.month_first;
        slashes |= d.slashes;
        last = o;
    }
    field f = {k->text + last->at, last->n, 0, 0};
    example e = {last->line, last->row, field_text(c->a, &f)};
    if (!is(c->set->dates, "days"))
        return;
    if (slashes && day_first == month_first)
        add_fault(c, j, BY_DROP, &e, day_first
                  ? "may have day or month first; write dates as 2024-05-31"
                  : "does not agree with other dates whether day or month "
                    "comes first");
    for (size_t i = 0; i < k->n_odd; i++) {
        const odd *o = &k->odd[i];
        date d;
        if (o->kind == ODD_DATE && date_at(k->text + o->at, o->n, &d))
            t->values[o->row * t->d + slot] =
                (mtc_real)d.days[slashes && !day_first];
    }
}

/* The first date, or the first mark, of a column that has one. */
static example first_odd(const csv *c, const cells *k, int kind)
{
    size_t i = 0;
    while ((int)k->odd[i].kind != kind)
        i++;
    field f = {k->text + k->odd[i].at, k->odd[i].n, 0, 0};
    example e = {k->odd[i].line, k->odd[i].row, field_text(c->a, &f)};
    return e;
}

static void settle_missing(csv *c, size_t j)
{
    const cells *k = &c->cells[j];
    size_t missing = k->holes + k->marks;
    example e = k->hole;
    if (k->marks > 0) {
        example mark = first_odd(c, k, ODD_MARK);
        if (e.line == 0 || mark.line < e.line)
            e = mark;
    }
    if (missing == c->t->n && c->run->widest == 0)
        add_fault(c, j, BY_DROP, &e, "is missing, as all values of the "
                  "column are");
    else
        add_fault(c, j, BY_MISSING, &e, "is missing (%zu of %zu)", missing,
                  c->t->n);
}

/* What the first word of a column is not. */
static const char *why_no_number(const cells *k)
{
    if (k->dates > k->words)
        return "is not a date";
    if (is_short_date(k->word.text))
        return "looks like a date, but its year has two digits: write four";
    return are_amounts(&k->different)
               ? "is not a number: a unit needs a space before it"
               : "is not a number";
}

/* One column of features. */
static void settle_column(csv *c, size_t j, size_t slot,
                          char decimal)
{
    const cells *k = &c->cells[j];
    size_t n = c->t->n;
    size_t numbers = n - k->holes - k->words - k->n_odd + k->amounts;
    const attribute *to = &c->t->feature[slot];
    if (k->endless.line > 0)
        add_fault(c, j, BY_DROP, &k->endless,
                  strpbrk(k->endless.text, "nN") != NULL
                      ? "is not a finite number" : "is too large");
    else if (k->words > 0)
        add_fault(c, j, BY_DROP, &k->word, "%s", why_no_number(k));
    else if (k->dates > 0 && numbers > 0) {
        example e = first_odd(c, k, ODD_DATE);
        add_fault(c, j, BY_DROP, &e, "is a date, but the column has "
                  "numbers");
    } else if (k->dates > 0) {
        settle_dates(c, j, slot);
        if (to->asked != NULL && !is(c->set->dates, "days")) {
            example e = first_odd(c, k, ODD_DATE);
            add_fault(c, j, BY_DATES, &e, "is a date");
        }
    } else if (numbers == 0 && k->marks > 0 && k->holes == 0) {
        example e = first_odd(c, k, ODD_MARK);
        add_fault(c, j, BY_DROP, &e, "is not a number");
    } else if (k->amounts > 0)
        settle_amounts(c, j, slot, decimal);
    int left_out = to->date && !is(c->set->dates, "days");
    if (k->words == 0 && k->holes + k->marks > 0 && !left_out &&
        (numbers > 0 || k->dates > 0 || k->holes > 0) &&
        !is(c->set->missing, "drop") && !is(c->set->missing, "mean"))
        settle_missing(c, j);
}

/* Among words what stands for a missing number is one of them.  A column of
 * nothing but "NA" is empty. */
static void count_marks(csv *c, cells *k)
{
    if (k->holes + k->words + k->marks < c->t->n)
        return;
    field first = {k->text, k->n_odd > 0 ? k->odd[0].n : 0, 0, 0};
    if (k->words == 0 && k->marks > 0 && is_missing(&first)) {
        k->hole = first_odd(c, k, ODD_MARK);
        k->holes = c->t->n;
        k->marks = k->n_odd = 0;
    }
    for (size_t i = 0; i < k->n_odd; i++)
        number_word(c->a, &k->different, k->text + k->odd[i].at, k->odd[i].n);
}

/* Columns of --text that have no words. */
void doubt_texts(const csv *c)
{
    for (size_t j = 0; j < c->head.width; j++) {
        const attribute *k = &c->head.column[j];
        words column = one_column(c->a, k->name);
        if (k->role == AS_TEXT && !k->worded)
            inform(c->a, "text-numbers", &column, "%s: column %s, named by "
                   "--text, holds only numbers", c->t->file, k->name);
    }
}

/* All columns of features, when the file is read. */
void settle_cells(csv *c)
{
    task *t = c->t;
    settle_total(c);
    doubt_figures(c);
    char decimal = decimal_of(c);
    t->decimal = decimal;
    t->shown = c->shown;
    int ambiguous = c->bad.n > 0;
    for (size_t j = 0, slot = 0; j < c->head.width; j++) {
        purpose role = c->head.column[j].role;
        cells *k = &c->cells[j];
        int open = k->open[0].line > 0 || k->open[1].line > 0;
        count_marks(c, k);
        if (role == AS_FEATURE && k->code.line > 0)
            t->feature[slot].code = k->code.text;
        if (role == AS_FEATURE && !(ambiguous && open))
            settle_column(c, j, slot, decimal);
        else if (role == AS_WORDS && k->holes > 0 &&
                 !is(c->set->missing, "drop") && !is(c->set->missing, "mean"))
            settle_missing(c, j);
        slot += role <= AS_WORDS;
    }
    if (c->bad.n > 0 && !c->run->describes)
        note_faults(c);
    if ((c->bad.n == 0 || c->run->describes) && is_sum(c)) {
        leave_out_last(c);
        guess(c->a, "total", NULL, "%s: the last row is the sum of those above "
              "it and is left out", t->file);
    }
}

/* A file but t that has a thousand or more in the column of that name; NULL:
 * none has. */
static const task *with_thousands(const tasks *all, const task *t,
                                  const char *name)
{
    for (size_t i = 0; i < all->n; i++) {
        const task *other = &all->at[i];
        size_t d = other != t && other->table ? other->d : 0;
        for (size_t j = 0; j < d; j++) {
            size_t rows = is(other->feature[j].name, name) ? other->n : 0;
            for (size_t r = 0; r < rows; r++)
                if (fabs((double)other->values[r * d + j]) >= 1000)
                    return other;
        }
    }
    return NULL;
}

/* 1.188 of one file, where another has 1188, may well have thousands. */
static void doubt_points(app *a, const tasks *all, const task *t)
{
    for (size_t j = 0; j < t->d && t->guessed; j++) {
        const char *name = t->feature[j].name;
        const task *other = t->feature[j].open
                                ? with_thousands(all, t, name) : NULL;
        words column = one_column(a, name);
        if (other != NULL)
            guess(a, "thousands", &column, "%s: column %s: points are decimal "
                  "signs, but %s has values of 1000 and more there; if they "
                  "part thousands, write both files alike", t->file, name,
                  other->file);
    }
}

/* A file whose values do not tell their decimal sign was read with a point.  If
 * others of the run show a comma, that may be wrong. */
void doubt_signs(app *a, const tasks *all, int describes)
{
    const task *with[2] = {NULL, NULL};         /* a point, a comma */
    for (size_t i = 0; i < all->n; i++) {
        const task *t = &all->at[i];
        if (t->shown && with[t->decimal == ','] == NULL)
            with[t->decimal == ','] = t;
    }
    for (size_t i = 0; i < all->n && with[1] == NULL; i++)
        doubt_points(a, all, &all->at[i]);
    for (size_t i = 0; i < all->n && with[1] != NULL; i++) {
        text why = {NULL, 0, 0};
        if (!all->at[i].guessed)
            continue;
        put(a, &why, "%s: numbers may have decimals or thousands; ",
            all->at[i].file);
        if (with[0] != NULL)
            put(a, &why, "%s has decimal points, %s decimal commas: write one "
                "sign in all files", with[0]->file, with[1]->file);
        else
            put(a, &why, "%s has decimal commas: give --decimal ,",
                with[1]->file);
        if (!describes)
            fail(a, BAD_DATA, "%s", why.at);
        inform(a, "decimal-comma", NULL, "%s", why.at);
    }
}
