/* SPDX-License-Identifier: MIT
 *
 * judge.c - what each column is, by what its cells are
 *
 * A column is judged over all files that have it, by a list of rules; the first
 * that holds decides.  What can be left out or taken for missing is, and is
 * said; what cannot be read, or would change much, is refused.  What an option
 * names, and what a model needs, is never left out.  Rules that look at the
 * numbers themselves stand in roles.c.
 */
#include "../texts/texts.h"
#include "csv.h"

#include <math.h>
#include <string.h>

enum { FEW = 20 };                  /* one cell in so many may be missing */

/* One column in all files that have it. */
typedef struct span {
    size_t n;
    csv **file;                     /* [n] */
    size_t *at;                     /* [n] its place there, from 0 */
} span;

/* All of it together. */
typedef struct total {
    size_t rows, numbers, dates, words, missing, known;
} total;

enum { EMPTY, LABELS, TEXTS, NAMES, PAIRS, WORDS, SPOTS, DATED, RULES };

typedef struct judging {
    app *a;
    reading *run;
    const settings *set;
    finding found[RULES];
    text pairs, spots;              /* what those two have to say */
    size_t labeled;                 /* classes */
    size_t different;               /* words of the last column of words */
    size_t left;                    /* columns that may be features still */
    int named;                      /* 1: some column names the rows */
} judging;

static attribute *of_file(const span *s, size_t i)
{
    return &s->file[i]->head.column[s->at[i]];
}

static const cells *cells_of(const span *s, size_t i)
{
    return &s->file[i]->cells[s->at[i]];
}

static total sum_up(const span *s)
{
    total t = {0, 0, 0, 0, 0, 0};
    for (size_t i = 0; i < s->n; i++) {
        const cells *k = cells_of(s, i);
        t.rows += s->file[i]->n;
        t.numbers += k->numbers + k->amounts;
        t.dates += k->dates;
        t.words += k->words;
        t.missing += k->holes + k->marks;
    }
    t.known = t.rows - t.missing;
    return t;
}

static void note_finding(judging *g, int rule, const span *s)
{
    for (size_t i = 0; i < s->n; i++)
        found(g->a, &g->found[rule], s->file[i]->t, of_file(s, i));
}

static void leave_out_span(judging *g, int rule, const span *s, const char *why)
{
    note_finding(g, rule, s);
    for (size_t i = 0; i < s->n; i++) {
        of_file(s, i)->role = AS_NOTHING;
        of_file(s, i)->why = why;
    }
}

/* The words of all files, or the values of labels. */
static dictionary all_words(judging *g, const span *s, int values)
{
    dictionary all = {.lent = 1};
    const cells *k = cells_of(s, 0);
    if (s->n == 1)
        return values ? k->values : k->different;
    for (size_t i = 0; i < s->n; i++) {
        const dictionary *d = values ? &cells_of(s, i)->values
                                     : &cells_of(s, i)->different;
        for (size_t w = 0; w < d->n; w++)
            number_word(g->a, &all, d->word[w], strlen(d->word[w]));
    }
    return all;
}

/* ---- yes and no ---- */

/* Two words of one meaning and its opposite; the first is 1. */
static const char *const pairs[][2] = {
    {"yes", "no"}, {"y", "n"}, {"true", "false"}, {"on", "off"},
    {"ja", "nein"}, {"oui", "non"}, {"si", "no"}, {"male", "female"},
    {"m", "f"}, {"j", "n"}, {"s\xc3\xad", "no"}
};
enum { N_PAIRS = sizeof pairs / sizeof pairs[0] };

/* 1 or 0 by a pair; -1: another word. */
static int side_of(int pair, const char *s)
{
    return same_word(s, pairs[pair - 1][0])   ? 1
           : same_word(s, pairs[pair - 1][1]) ? 0 : -1;
}

/* The pair that all the words are of, both of them there; 0: there is none. */
static int pair_of(const dictionary *d)
{
    for (int pair = 1; pair <= N_PAIRS; pair++) {
        int seen[2] = {0, 0}, other = 0;
        for (size_t w = 0; w < d->n && !other; w++) {
            int side = side_of(pair, d->word[w]);
            other = side < 0;
            if (!other)
                seen[side] = 1;
        }
        if (!other && seen[0] && seen[1])
            return pair;
    }
    return 0;
}

/* A cell of such a column; another word is missing. */
mtc_real pair_value(const attribute *k, const char *cell)
{
    int side = side_of(k->pair, cell);
    return side < 0 ? (mtc_real)NAN : (mtc_real)side;
}

static void name_pair(judging *g, const span *s, int pair)
{
    text *more = &g->pairs;
    const char *own = of_file(s, 0)->name;
    const char *name = formed(g->a, "%s=%s", own, pairs[pair - 1][0]);
    put(g->a, more, "%s%s: %s is 1, %s is 0", more->length > 0 ? "; " : "",
        own, pairs[pair - 1][0], pairs[pair - 1][1]);
    note_finding(g, PAIRS, s);
    for (size_t i = 0; i < s->n; i++) {
        of_file(s, i)->pair = pair;
        of_file(s, i)->name = name;
    }
}

/* The pair by which a model knows the column, as member=yes; or 0. */
static int pair_of_model(judging *g, const span *s)
{
    const dictionary *needed = g->run->needed;
    for (int pair = 1; pair <= N_PAIRS && needed != NULL; pair++) {
        const char *name = formed(g->a, "%s=%s",
                                  in_utf8(g->a, of_file(s, 0)->name),
                                  pairs[pair - 1][0]);
        if (find_word(needed, name, strlen(name)) != MTC_NONE)
            return pair;
    }
    return 0;
}

static int is_pair(judging *g, const span *s, const total *t)
{
    int pair = pair_of_model(g, s);
    if (pair == 0 && t->words > 0 && t->numbers + t->dates == 0) {
        dictionary d = all_words(g, s, 0);
        pair = d.n <= 64 ? pair_of(&d) : 0;
    }
    if (pair > 0)
        name_pair(g, s, pair);
    return pair > 0;
}

/* ---- labels ---- */

/* A column called label, class or target holds labels if it has whole numbers
 * or words, and few of them.  What a transfer learns from always does. */
static void judge_labels(judging *g, const span *s, const total *t)
{
    const settings *set = g->set;
    int teaching = g->run->labels_only || set->source.n > 0 ||
                   set->origin != NULL || g->run->widest > 0;
    int parts = 0, asked = 0;
    for (size_t i = 0; i < s->n; i++) {
        parts |= cells_of(s, i)->parts;
        asked |= of_file(s, i)->asked != NULL;
    }
    if (teaching || asked)
        return;
    size_t n = all_words(g, s, 1).n, most = t->rows / 10 < 20 ? 20
                                                              : t->rows / 10;
    if (n >= 2 && n <= most && !(parts && t->words == 0)) {
        note_finding(g, LABELS, s);
        g->labeled = n;
        return;
    }
    for (size_t i = 0; i < s->n; i++)
        of_file(s, i)->role = AS_FEATURE;
}

/* ---- what is left out ---- */

/* Is the column named by an option, or a feature of the model? */
static int is_wanted(const judging *g, const span *s)
{
    const dictionary *needed = g->run->needed;
    const char *name = in_utf8(g->a, of_file(s, 0)->name);
    int wanted = needed != NULL &&
                 find_word(needed, name, strlen(name)) != MTC_NONE;
    for (size_t i = 0; i < s->n; i++)
        wanted |= of_file(s, i)->asked != NULL;
    return wanted;
}

static int has_texts_in(judging *g, const span *s, const total *t)
{
    size_t spaces = 0;
    for (size_t i = 0; i < s->n; i++)
        spaces += cells_of(s, i)->spaces;
    return t->words > 2 && 2 * t->words > t->known && spaces >= 3 * t->words &&
           2 * all_words(g, s, 0).n > t->words;
}

/* Does every row of every file have a word of its own? */
static int names_rows(const judging *g, const span *s)
{
    int names = !g->named && g->set->id == NULL;
    for (size_t i = 0; i < s->n; i++) {
        const cells *k = cells_of(s, i);
        names &= s->file[i]->n > 2 && k->words == s->file[i]->n &&
                 k->different.n == k->words;
    }
    return names;
}

static void take_names(judging *g, const span *s)
{
    note_finding(g, NAMES, s);
    g->named = 1;
    for (size_t i = 0; i < s->n; i++)
        of_file(s, i)->role = AS_ID;
}

/* ---- cells that are missing ---- */

/* "'k.A.' and 'x' in 3 rows": the words of a column. */
static void put_spots(judging *g, text *out, const span *s, size_t rows)
{
    dictionary d = all_words(g, s, 0);
    put(g->a, out, "%s%s:", out->length > 0 ? "; " : "", of_file(s, 0)->name);
    for (size_t w = 0; w < d.n && w < 3; w++)
        put(g->a, out, "%s '%s'", w == 0 ? "" : w + 1 == d.n ? " and" : ",",
            d.word[w]);
    if (d.n > 3)
        put(g->a, out, " and %zu more", d.n - 3);
    put(g->a, out, " in %zu row%s", rows, rows == 1 ? "" : "s");
}

/* Words among numbers: so few that they are missing, or a fault. */
static int judge_spots(judging *g, const span *s, const total *t)
{
    const char *missing = g->set->missing;
    size_t gaps = missing == NULL && g->run->widest == 0 ? t->missing : 0;
    if (!is(missing, "fail") && FEW * (t->words + gaps) <= t->rows) {
        note_finding(g, SPOTS, s);
        put_spots(g, &g->spots, s, t->words);
        return 0;
    }
    for (size_t i = 0; i < s->n; i++)
        if (cells_of(s, i)->words > 0)
            add_fault(s->file[i], s->at[i], BY_WORD, &cells_of(s, i)->word,
                      "is not a number (%zu of %zu are none)",
                      cells_of(s, i)->words, s->file[i]->n);
    return 1;
}

/* Gaps of one file: few are filled, more have to be asked for. */
static void judge_gaps(csv *c, size_t j, size_t gaps)
{
    const cells *k = &c->cells[j];
    const char *how = c->set->missing;
    const example *e = k->hole.line == 0 || (k->mark.line > 0 &&
                                             k->mark.line < k->hole.line)
                           ? &k->mark : &k->hole;
    if (gaps == 0 || is(how, "mean") || is(how, "drop") ||
        (how == NULL && (c->run->widest > 0 || FEW * gaps <= c->n)))
        return;
    add_fault(c, j, 2 * gaps > c->n && c->run->widest == 0 ? BY_DROP
                                                           : BY_MISSING,
              e, "is missing (%zu of %zu, %.0f %%)", gaps, c->n,
              100 * (double)gaps / (double)c->n);
}

/* ---- numbers and dates ---- */

static void judge_signs(csv *c, size_t j)
{
    const cells *k = &c->cells[j];
    const attribute *to = &c->head.column[j];
    if (k->other_sign.line > 0)
        add_fault(c, j, BY_DROP, &k->other_sign, "has another sign than '%s' in "
                  "line %zu", k->sign.text, k->sign.line);
    else if ((k->kind == PERCENT || k->kind == UNIT) &&
             k->signed_amounts < k->numbers + k->amounts)
        add_fault(c, j, BY_DROP, &k->sign, "has the sign %s, but other values "
                  "of the column have none", to->sign);
    int other = c->decimal == '.';
    if (k->only[other].line > 0)
        add_fault(c, j, BY_DECIMAL, &k->only[other], "is not a number with the "
                  "decimal sign %c", c->decimal);
}

/* 1: the column has a fault. */
static int judge_dates(csv *c, size_t j)
{
    const cells *k = &c->cells[j];
    int days = is(c->set->dates, "days");
    attribute *to = &c->head.column[j];
    to->date = 1;
    if (k->numbers + k->amounts > 0)
        add_fault(c, j, BY_DROP, &k->date, "is a date, but the column has "
                  "numbers");
    else if (days && k->short_date.line > 0)
        add_fault(c, j, BY_DROP, &k->short_date, "has a year of two digits: "
                  "write four");
    else if (to->asked != NULL && !days && c->run->widest == 0)
        add_fault(c, j, BY_DATES, &k->date, "is a date");
    else if (days && k->slashes && k->day_first == k->month_first)
        add_fault(c, j, BY_DROP, &k->date, k->day_first
                  ? "may have day or month first; write dates as 2024-05-31"
                  : "does not agree with other dates whether day or month "
                    "comes first");
    else
        return 0;
    return 1;
}

/* A column of dates: left out unless --dates days makes numbers of them. */
static void judge_dated(judging *g, const span *s)
{
    int faults = 0;
    for (size_t i = 0; i < s->n; i++)
        if (cells_of(s, i)->dates > 0)
            faults |= judge_dates(s->file[i], s->at[i]);
    if (!faults && !is(g->set->dates, "days"))
        leave_out_span(g, DATED, s, "dates or times");
}

/* What can be read as numbers in each file. */
static void judge_numbers(const span *s)
{
    for (size_t i = 0; i < s->n; i++) {
        const cells *k = cells_of(s, i);
        if (k->endless.line > 0)
            add_fault(s->file[i], s->at[i], BY_DROP, &k->endless,
                      strpbrk(k->endless.text, "nN") != NULL
                          ? "is not a finite number" : "is too large");
        else
            judge_signs(s->file[i], s->at[i]);
        judge_gaps(s->file[i], s->at[i], k->holes + k->marks);
    }
}

/* ---- the list ---- */

/* A column that may be a feature. */
static void judge_feature(judging *g, const span *s, const total *t)
{
    int wanted = is_wanted(g, s);
    if (of_file(s, 0)->other) {                 /* of what --use left out */
        if (names_rows(g, s) && !has_texts_in(g, s, t))
            take_names(g, s);
    } else if (!wanted && t->known == 0)
        leave_out_span(g, EMPTY, s, "empty");
    else if (!wanted && has_texts_in(g, s, t))
        leave_out_span(g, TEXTS, s, "texts");
    else if (!wanted && names_rows(g, s))
        take_names(g, s);
    else if (is_pair(g, s, t))
        judge_numbers(s);
    else if (t->dates > t->numbers && t->dates > t->words)
        judge_dated(g, s);
    else if (t->words > 0 && 2 * t->numbers < t->known && !wanted) {
        g->different = all_words(g, s, 0).n;
        leave_out_span(g, WORDS, s, "words");
    } else {
        if (t->dates > 0)
            judge_dated(g, s);
        if (t->words == 0 || !judge_spots(g, s, t))
            judge_numbers(s);
    }
}

static void judge_span(judging *g, const span *s)
{
    total t = sum_up(s);
    if (of_file(s, 0)->role == AS_LABEL)
        judge_labels(g, s, &t);
    for (size_t i = 0; i < s->n; i++)
        if (of_file(s, i)->role == AS_WORDS) {
            judge_gaps(s->file[i], s->at[i], cells_of(s, i)->holes);
            keep_words(s->file[i], s->at[i]);
        }
    if (of_file(s, 0)->role == AS_FEATURE || of_file(s, 0)->other)
        judge_feature(g, s, &t);
    g->named |= of_file(s, 0)->role == AS_INDEX && t.words > 0;
}

/* ---- the decimal sign ---- */

/* As given, as some number shows, else as the model has it, else a point,
 * unless numbers with and without one stand in one column. */
static char find_decimal(csv *c)
{
    const example *only[2] = {NULL, NULL};
    task *t = c->t;
    char usual = c->run->usual;
    if (is_jsonl(c->file))
        return '.';
    if (c->set->decimal != NULL)
        return *c->set->decimal;
    for (size_t j = 0; j < c->width; j++)
        for (int h = 0; h < 2; h++)
            if (c->cells[j].only[h].line > 0 && only[h] == NULL)
                only[h] = &c->cells[j].only[h];
    t->shown = only[0] != NULL || only[1] != NULL;
    if (t->shown)
        return only[0] != NULL ? '.' : ',';
    for (size_t j = 0; j < c->width; j++) {
        const cells *k = &c->cells[j];
        int marks = (k->open[0].line > 0) + (k->open[1].line > 0);
        t->guessed |= marks > 0;
        if (usual != '.' && usual != ',' && marks > 0 && (marks == 2 || k->none || usual == '?') &&
            c->head.column[j].role == AS_FEATURE)
            add_fault(c, j, BY_DECIMAL, &k->open[k->open[0].line == 0], "may "
                      "have decimals or thousands, and no other value of the "
                      "file tells");
    }
    return usual == ',' ? ',' : '.';
}

static void settle_decimal(csv *c)
{
    c->decimal = c->t->decimal = find_decimal(c);
    for (size_t j = 0; j < c->width; j++) {
        attribute *to = &c->head.column[j];
        const cells *k = &c->cells[j];
        to->code = to->role == AS_FEATURE ? k->code.text : NULL;
        to->open = c->t->guessed && k->open[0].line > 0;
        to->told = to->open && (to->sign != NULL || c->separator == ';');
    }
}

/* ---- what was decided ---- */

/* What stands in a column of its own, named by --use or --onehot. */
static void tell_words(judging *g)
{
    app *a = g->a;
    const finding *f = &g->found[WORDS];
    const char *names = f->first != NULL ? as_values(a, &f->columns) : "";
    if (f->columns.n == 1)
        guess(a, "words", &f->columns, "%s: %s: %zu different word%s, left out "
              "(--onehot %s makes features of them, --labels %s compares them "
              "with the groups)", files_of(a, f), f->columns.at[0],
              g->different, g->different == 1 ? "" : "s", names, names);
    else if (f->columns.n > 1)
        guess(a, "words", &f->columns, "%s: columns %s have words: left out "
              "(--onehot %s makes features of them)", files_of(a, f),
              listed(a, &f->columns), names);
}

static void tell_labels(judging *g)
{
    app *a = g->a;
    const finding *f = &g->found[LABELS];
    if (f->first == NULL)
        return;
    guess(a, "labels", &f->columns, "%s: %s is taken for labels: %zu classes%s",
          files_of(a, f), f->columns.at[0], g->labeled, g->set->by_labels
              ? " set the number of groups (--k auto: they do not)"
              : ", and is no feature (--labels none: a column like others)");
}

/* One sentence for each rule that held, in the order of what changes most. */
static void tell_judged(judging *g)
{
    app *a = g->a;
    const finding *f = &g->found[SPOTS];
    if (g->found[PAIRS].first != NULL)
        guess(a, "yes-no", &g->found[PAIRS].columns, "%s: %s",
              files_of(a, &g->found[PAIRS]), g->pairs.at);
    if (f->first != NULL)
        guess(a, "missing-word", &f->columns, "%s: %s %s taken for missing",
              files_of(a, f), g->spots.at,
              f->columns.n > 1 || strstr(g->spots.at, " 1 row") == NULL
                  ? "are" : "is");
    tell_labels(g);
    f = &g->found[NAMES];
    if (f->first != NULL)
        guess(a, "names", &f->columns, "%s: %s has the names of the rows",
              files_of(a, f), f->columns.at[0]);
    tell_words(g);
    f = &g->found[TEXTS];
    if (f->first != NULL)
        guess(a, "texts", &f->columns, "%s: %s %s texts: left out (--text %s "
              "clusters by them)", files_of(a, f), listed(a, &f->columns),
              f->columns.n == 1 ? "has" : "have", as_values(a, &f->columns));
    f = &g->found[DATED];
    if (f->first != NULL)
        guess(a, "dates", &f->columns, "%s %s dates or times and %s left out; "
              "--dates days makes days of them", subject(a, f),
              f->columns.n == 1 ? "has" : "have",
              f->columns.n == 1 ? "is" : "are");
    f = &g->found[EMPTY];
    if (f->first != NULL)
        guess(a, "empty", &f->columns, "%s %s empty: left out", subject(a, f),
              f->columns.n == 1 ? "is" : "are");
}

/* ---- all files ---- */

/* Which columns of the tables are one: by name if all tables have names, else
 * by place.  number [files][width], *count of them. */
static size_t **number_columns(app *a, const tasks *all, size_t *count)
{
    size_t **number = TAKE(a, all->n, size_t *);
    dictionary names = {.n = 0};
    int named = 1;
    *count = 0;
    for (size_t i = 0; i < all->n; i++)
        named &= all->at[i].header;
    for (size_t i = 0; i < all->n; i++) {
        const csv *c = all->at[i].sheet;
        if (c == NULL)
            continue;
        number[i] = TAKE(a, c->width, size_t);
        for (size_t j = 0; j < c->width; j++) {
            const char *s = c->head.column[j].name;
            size_t at = named ? number_word(a, &names, s, strlen(s)) : j;
            number[i][j] = at;
            *count = at + 1 > *count ? at + 1 : *count;
        }
    }
    return number;
}

/* The columns of c in the order of their numbers, which are below count. */
static void order_columns(csv *c, const size_t *number, size_t count)
{
    size_t *at = TAKE(c->a, count, size_t), n = 0;      /* from 1 */
    for (size_t j = 0; j < c->width; j++)
        at[number[j]] = j + 1;
    for (size_t k = 0; k < count; k++)
        if (at[k] > 0)
            c->order[n++] = at[k] - 1;
    pool_release(at);
}

/* The columns of all tables, each as one; those of the first table first. */
static span *find_spans(app *a, const tasks *all, size_t *n)
{
    size_t **number = number_columns(a, all, n);
    span *s = TAKE(a, *n, span);
    for (size_t i = 0; i < all->n; i++) {
        csv *c = all->at[i].sheet;
        if (c == NULL)
            continue;
        order_columns(c, number[i], *n);
        for (size_t j = 0; j < c->width; j++) {
            span *to = &s[number[i][j]];
            if (to->n == 0) {
                to->file = TAKE(a, all->n, csv *);
                to->at = TAKE(a, all->n, size_t);
            }
            to->file[to->n] = c;
            to->at[to->n++] = j;
        }
    }
    return s;
}

/* A column of words that may be classes: 2 to 20 that repeat. */
static int may_be_classes(judging *g, const span *s)
{
    total t = sum_up(s);
    size_t n = of_file(s, 0)->role == AS_FEATURE && t.words == t.known
                   ? all_words(g, s, 0).n : 0;
    return n >= 2 && n <= 20 && n < t.words;
}

/* What a transfer learns from, where no column is called label, class or
 * target: the one column of words that may be classes. */
static void find_classes(judging *g, const span *s, size_t n)
{
    const settings *set = g->set;
    words may = {0, 0, NULL};
    const span *only = NULL;
    for (size_t k = 0; k < n; k++) {
        if (s[k].n == 0)
            continue;
        if (of_file(&s[k], 0)->role == AS_LABEL)
            return;
        if (!may_be_classes(g, &s[k]))
            continue;
        add_name(g->a, &may, of_file(&s[k], 0)->name);
        only = only == NULL ? &s[k] : only;
    }
    if (set->source.n == 0 || !is(set->labels, "auto") || may.n == 0)
        return;
    if (may.n > 1) {
        const change with[] = {{"--labels", may.at[0]}};
        refuse(g->a, g->run, formed(g->a, "%s: a source needs labels: columns %s "
                                    "may have them", only->file[0]->file,
                                    listed(g->a, &may)), with, 1);
    }
    guess(g->a, "labels", &may, "%s: %s has the classes (--labels names another "
          "column)", only->file[0]->file, may.at[0]);
    for (size_t i = 0; i < only->n; i++)
        of_file(only, i)->role = AS_LABEL;
}

/* Texts that were left out beside one feature or none are what is meant. */
static void refuse_texts(judging *g, const span *s, size_t n)
{
    size_t left = 0;
    const finding *f = &g->found[TEXTS];
    for (size_t k = 0; k < n; k++)
        left += s[k].n > 0 && of_file(&s[k], 0)->role <= AS_WORDS;
    if (f->first == NULL || left > 1 || g->run->describes || g->run->widest > 0)
        return;
    const change with[] = {{"--text", as_list(g->a, &f->columns)}};
    refuse(g->a, g->run, formed(g->a, "%s %s texts, and %s column is a feature",
                                subject(g->a, f),
                                f->columns.n == 1 ? "has" : "have",
                                left == 0 ? "no" : "one other"), with, 1);
}

/* The columns of tables that share their features. */
void judge_tables(app *a, reading *run, const tasks *all)
{
    judging g = {.a = a, .run = run, .set = run->set};
    size_t n;
    span *s = find_spans(a, all, &n);
    for (size_t i = 0; i < all->n; i++)
        if (all->at[i].sheet != NULL)
            settle_decimal(all->at[i].sheet);
    find_classes(&g, s, n);
    for (size_t k = 0; k < n; k++)
        if (s[k].n > 0)
            judge_span(&g, &s[k]);
    refuse_texts(&g, s, n);
    tell_judged(&g);
}
