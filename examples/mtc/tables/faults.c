/* SPDX-License-Identifier: MIT
 *
 * faults.c - all that is wrong with the files, in one message
 *
 * A line for each column that cannot be read, what else it might be, and the
 * command of the user with the options that would go on without it.
 */
#include "csv.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

void add_fault(csv *c, size_t j, remedy r, const example *at,
               const char *format, ...)
{
    faults *f = &c->bad;
    char reason[300];
    va_list args;
    va_start(args, format);
    vsnprintf(reason, sizeof reason, format, args);
    va_end(args);
    GROW(c->a, f->at, f->n, f->room);
    fault *to = &f->at[f->n++];
    to->column = j;
    to->line = at->line;
    to->remedy = r;
    to->value = at->text;
    to->text = COPY(c->a, reason, strlen(reason) + 1, char);
}

/* A column as an option names it: "age", or "7" where it has no name. */
static const char *option_name(const csv *c, size_t j)
{
    const attribute *k = &c->head.column[j];
    text t = {NULL, 0, 0};
    if (c->head.header && !k->unnamed && !k->twin &&
        strchr(k->name, ',') == NULL)
        return k->name;
    put(c->a, &t, "%zu", j + 1);
    return t.at;
}

int has_word(const words *w, const char *s)
{
    int found = 0;
    for (size_t i = 0; i < w->n; i++)
        found |= strcmp(w->at[i], s) == 0;
    return found;
}

/* Adds a word that is not there yet. */
static void add_once(app *a, words *w, const char *s)
{
    if (!has_word(w, s))
        add_word(a, w, s, strlen(s));
}

/* "age,7", or NULL if there are none. */
static const char *joined(app *a, const words *w)
{
    text t = {NULL, 0, 0};
    for (size_t i = 0; i < w->n; i++)
        put(a, &t, i == 0 ? "%s" : ",%s", w->at[i]);
    return t.at;
}

/* "column 2 (age), 'x', is not a number" */
void put_fault(const csv *c, text *t, const fault *f)
{
    const attribute *k = &c->head.column[f->column];
    size_t n = strcspn(f->value, "\r\n");
    put(c->a, t, "column %zu", f->column + 1);
    if (c->head.header && !k->unnamed)
        put(c->a, t, " (%s)", visible(c->a, k->name));
    if (n > 0)
        put(c->a, t, ", '%.*s%s',", some_bytes(f->value, n), f->value,
            n < 30 ? "" : "...");
    put(c->a, t, " %s", n > 0 || strncmp(f->text, "is missing", 10) != 0
                            ? f->text : "is empty");
    if (n == 0 && strncmp(f->text, "is missing", 10) == 0)
        put(c->a, t, "%s", f->text + 10);
}

#define DIGITS "0123456789"

/* Values of column j that are plainly numbers. */
static size_t plain_numbers(const csv *c, size_t j)
{
    const cells *k = &c->cells[j];
    return c->t->n - k->holes - k->words - k->n_odd;
}

/* What stands behind the number that s begins with, without a space: "kg" of
 * 1.5kg; NULL where it has no number, or more than letters behind it. */
static const char *unit_behind(const char *s)
{
    const char *unit = s + (*s == '-' || *s == '+');
    if (!isdigit((unsigned char)*unit))
        return NULL;
    unit += strspn(unit, DIGITS ".,");
    for (s = unit; *s != '\0'; s++)
        if (!isalpha((unsigned char)*s) && !((unsigned char)*s & 128))
            return NULL;
    return s > unit ? unit : NULL;
}

/* Are all words of a column amounts that cannot be read, of one unit or with
 * decimals?  10a and 10b are none. */
int are_amounts(const dictionary *its)
{
    int same = 1, decimals = 0;
    const char *first = its->n > 0 ? unit_behind(its->word[0]) : NULL;
    for (size_t i = 0; i < its->n; i++) {
        const char *unit = unit_behind(its->word[i]);
        if (unit == NULL)
            return 0;
        same &= strcmp(unit, first) == 0;
        decimals |= strpbrk(its->word[i], ".,") != NULL;
    }
    return same || decimals;
}

/* Few words that come again and again: features of 0 and 1 make sense. */
int is_category(const csv *c, size_t j)
{
    const cells *k = &c->cells[j];
    return k->words > 2 && k->amounts + k->dates == 0 &&
           k->words > plain_numbers(c, j) &&
           2 * k->different.n <= k->words && k->different.n <= 100 &&
           !is_short_date(k->word.text) && !are_amounts(&k->different);
}

/* Does every row have a word of its own? */
int is_naming(const csv *c, size_t j)
{
    const cells *k = &c->cells[j];
    return c->t->n > 2 && k->words == c->t->n &&
           !is_short_date(k->word.text) && k->different.n >= k->words;
}

/* Are the values texts: mostly different, of five words or more on average? */
int is_prose(const csv *c, size_t j)
{
    const cells *k = &c->cells[j];
    size_t spaces = 0;
    for (size_t i = 0; i < k->different.n; i++)
        for (const char *s = k->different.word[i]; *s != '\0'; s++)
            spaces += *s == ' ' && s[1] != ' ';
    return k->words > 2 && k->amounts + k->dates == 0 &&
           2 * k->different.n > k->words && spaces >= 4 * k->different.n;
}

/* What is wrong with the files so far, and the options that would let the
 * program go on. */
typedef struct ailment {
    text lines;
    size_t files;
    words drop, onehot, prose;
    words needed;                   /* features of a model */
    words use;                      /* in place of what --use has */
    const char *id;                 /* NULL: none */
    int missing, decimal, dates;
    int worded;                     /* 1: some column to drop has words */
    int headless;                   /* 1: the first line may have names */
    int header;                     /* 1: it has, since only there is a word */
    int numeric;                    /* 1: some column has few words, and */
    size_t words, values;           /* how many the first such one has */
    int alone;                      /* 1: all fields may be in one */
    size_t worded_line;             /* words where others have numbers, of */
    const char *worded_file;        /* this file, and */
    int titled;                     /* the header has names for few columns */
    int empty_rows;                 /* 1: all that is missing is whole rows */
    int none;                       /* 1: some file would have no features */
    int numbered;                   /* 1: some column would go by number */
    int unlabeled;                  /* 1: some source has no labels */
} ailment;

enum { FILES_SHOWN = 10 };

/* Must column j go? */
static int must_go(const csv *c, size_t j)
{
    int bad = 0;
    for (size_t i = 0; i < c->bad.n; i++)
        bad |= c->bad.at[i].column == j && c->bad.at[i].remedy == BY_DROP;
    return bad;
}

/* What --use still names without the columns that cannot be read, in any file
 * so far. */
static void find_usable(const csv *c, ailment *k)
{
    words use = {0, 0, NULL};
    for (size_t j = 0; j < c->head.width; j++) {
        const char *name = option_name(c, j);
        if (c->head.column[j].role > AS_WORDS || must_go(c, j) ||
            (k->files > 1 && !has_word(&k->use, name)))
            continue;
        add_once(c->a, &use, name);
        k->numbered |= name != c->head.column[j].name;
    }
    k->use = use;
}

/* Does a model need column j?  One without names needs all of as many as it
 * has. */
static int is_needed(const csv *c, size_t j)
{
    const dictionary *known = c->run->needed;
    const char *name = c->head.column[j].name;
    return known != NULL &&
           (known->n == 0 ? c->t->d <= c->run->widest
                          : find_word(known, name, strlen(name)) != MTC_NONE);
}

/* What would help a column that cannot be read. */
static void cure_column(const csv *c, ailment *k, size_t j)
{
    int knows_words = c->run->widest == 0 || c->run->book != NULL;
    const char *name = option_name(c, j);
    size_t its_words = c->cells[j].words;
    int numeric = its_words > 0 && 2 * its_words < plain_numbers(c, j);
    k->worded |= its_words > 0 && !numeric;
    if (is_needed(c, j)) {
        add_once(c->a, &k->needed, c->head.column[j].name);
        return;
    }
    if (!c->head.header && its_words == 1 && c->cells[j].word.row == 0 &&
        plain_numbers(c, j) > 1) {
        k->header = 1;
        return;
    }
    k->numbered |= name != c->head.column[j].name;
    if (is_category(c, j))
        add_once(c->a, &k->onehot, name);
    if (!k->numeric && numeric) {
        k->numeric = 1;
        k->words = its_words;
        k->values = c->t->n;
    }
    if (has_word(&k->drop, name) || has_word(&k->prose, name) ||
        is(k->id, name))
        return;
    if (is_prose(c, j) && knows_words)
        add_once(c->a, &k->prose, name);
    else if (is_naming(c, j) && k->id == NULL && c->set->id == NULL &&
             c->set->use.n == 0)
        k->id = name;
    else
        add_once(c->a, &k->drop, name);
}

/* How many of the row's features have a number. */
static size_t numbers_in(const task *t, size_t row)
{
    size_t n = 0;
    for (size_t j = 0; j < t->d; j++) {
        mtc_real x = t->values[row * t->d + j];
        n += x == x;
    }
    return n;
}

/* The line that has words where all others have numbers, and no number: units,
 * a remark, or the header below a title, then with *above 0 rows of numbers
 * before it.  0: there is none. */
static size_t find_worded_line(const csv *c, size_t *above)
{
    const task *t = c->t;
    size_t line = 0, row = 0;
    for (size_t j = 0; j < c->head.width; j++) {
        const cells *k = &c->cells[j];
        size_t others = t->n - k->holes - k->words;
        if (c->head.column[j].role != AS_FEATURE || k->words == 0 ||
            k->words > others)                  /* names of the samples */
            continue;
        if (k->words > 1 || (line > 0 && k->word.line != line))
            return 0;
        line = k->word.line;
        row = k->word.row;
    }
    *above = 0;
    if (line == 0 || t->n < 2 || numbers_in(t, row) > 0)
        return 0;
    for (size_t i = 0; i < row; i++)
        *above += numbers_in(t, i) > 0;
    return line;
}

/* Are the rows that lack a number all without any? */
static int lacks_whole_rows(const task *t)
{
    size_t most = 0, whole = 0, empty = 0;
    for (size_t i = 0; i < t->n; i++) {
        size_t n = numbers_in(t, i);
        if (n > most)
            whole = 0;
        most = n > most ? n : most;
        whole += n == most;
        empty += n == 0;
    }
    return most > 0 && empty > 0 && whole + empty == t->n;
}

/* Does the one column hold several fields?  Its first word may be the header
 * below a title. */
static int is_packed(const csv *c)
{
    const dictionary *its = &c->cells[0].different;
    int digits = 0;
    for (size_t i = 0; i < its->n && i < 2; i++) {
        if (strpbrk(its->word[i], ",; \t") == NULL)
            return 0;
        digits |= strpbrk(its->word[i], DIGITS) != NULL;
    }
    return digits;
}

/* Lines that are no samples. */
static void find_lines(const csv *c, ailment *k)
{
    size_t named = 0, above = 1;
    for (size_t j = 0; j < c->head.width; j++)
        named += !c->head.column[j].unnamed;
    if (k->worded_line == 0) {
        k->worded_line = find_worded_line(c, &above);
        k->worded_file = c->in.file;
    }
    k->titled |= k->worded_line > 0 && above == 0 && c->head.header &&
                 named < 2 && c->head.width > 1;
    k->alone |= c->head.width == 1 && c->cells[0].words > 1 && is_packed(c);
    k->empty_rows = (k->files == 1 || k->empty_rows) && lacks_whole_rows(c->t);
}

/* Has the first record more words than numbers? */
static int has_words_first(const csv *c)
{
    size_t found = 0;
    for (size_t j = 0; j < c->head.width; j++)
        found += c->cells[j].word.line > 0 && c->cells[j].word.row == 0;
    return 2 * found > c->head.width;
}

static void find_cure(const csv *c, ailment *k)
{
    size_t left = 0;
    int labeled = 0;
    find_lines(c, k);
    for (size_t j = 0; j < c->head.width; j++) {
        int bad = must_go(c, j);
        if (bad)
            cure_column(c, k, j);
        left += c->head.column[j].role <= AS_WORDS && !bad;
    }
    for (size_t i = 0; i < c->bad.n; i++) {
        k->missing |= c->bad.at[i].remedy == BY_MISSING;
        k->decimal |= c->bad.at[i].remedy == BY_DECIMAL;
        k->dates |= c->bad.at[i].remedy == BY_DATES;
    }
    if (c->set->use.n > 0)
        find_usable(c, k);
    k->none |= left == 0 && k->prose.n == 0;
    k->headless |= !c->head.header && c->bad.at[0].line == c->head.line;
    k->header &= has_words_first(c);
    for (size_t j = 0; j < c->head.width; j++)
        labeled |= c->head.column[j].role == AS_LABEL;
    k->unlabeled |= !labeled && c->set->source.n > 0 &&
                    teaches(c->run, c->in.file);
}

/* A word as a shell takes it: abc, 'a b', $'a\nb'. */
void put_shell(app *a, text *t, const char *s)
{
    int plain = *s != '\0', control = 0;
    for (const char *p = s; *p != '\0'; p++) {
        plain &= strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                        "0123456789_-./,:=+@%", *p) != NULL;
        control |= iscntrl((unsigned char)*p) != 0;
    }
    put(a, t, plain ? " " : control ? " $'" : " '");
    for (; *s != '\0'; s++)
        if (iscntrl((unsigned char)*s))
            put(a, t, "\\x%02x", (unsigned char)*s);
        else if (control && (*s == '\'' || *s == '\\'))
            put(a, t, "\\%c", *s);
        else
            put(a, t, *s == '\'' ? "'\\''" : "%c", *s);
    put(a, t, plain ? "" : "'");
}

/* The options of `with` that the command has not yet. */
static void put_changes(app *a, text *t, change *with, size_t n)
{
    for (size_t h = 0; h < n; h++)
        if (with[h].value != NULL && !with[h].done) {
            put_shell(a, t, with[h].option);
            put_shell(a, t, with[h].value);
            with[h].done = 1;
        }
}

/* The command of the user with these changes. */
void put_command(app *a, text *t, change *with, size_t n)
{
    int files = 0;                              /* 1: behind -- */
    put(a, t, "mtc");
    for (int i = 0; i < a->argc; i++) {
        const char *s = a->argv[i];
        size_t length = strcspn(s, "=");        /* --use x, or --use=x */
        change *k = NULL;
        if (!files && is(s, "--")) {
            files = 1;
            put_changes(a, t, with, n);
        }
        for (size_t h = 0; h < n && !files; h++)
            if (with[h].value != NULL && strlen(with[h].option) == length &&
                strncmp(s, with[h].option, length) == 0)
                k = &with[h];
        if (k == NULL || (s[length] == '\0' && i + 1 >= a->argc)) {
            put_shell(a, t, s);
            continue;
        }
        text value = {NULL, 0, 0};
        const char *given = s[length] == '=' ? s + length + 1 : a->argv[++i];
        put(a, &value, "%s%s%s", k->more ? given : "", k->more ? "," : "",
            k->value);
        put_shell(a, t, k->option);
        put_shell(a, t, value.at);
        k->done = 1;
    }
    put_changes(a, t, with, n);
}

/* Names as an option takes them, in quotes if a shell needs them: a,b. */
const char *as_values(app *a, const words *w)
{
    text t = {NULL, 0, 0}, quoted = {NULL, 0, 0};
    for (size_t i = 0; i < w->n; i++) {
        put(a, &t, i == 0 ? "" : ",");
        for (const char *s = w->at[i]; *s != '\0'; s++)
            put(a, &t, *s == ',' ? "\\%c" : "%c", *s);
    }
    put_shell(a, &quoted, t.at);
    return visible(a, quoted.at + 1);           /* behind a space */
}

const char *as_value(app *a, const char *name)
{
    words one = one_column(a, name);
    return as_values(a, &one);
}

/* What was misspelled may be the reason. */
static void put_unknown(app *a, text *t, const reading *run)
{
    const settings *set = run->set;
    if (by_name(set->labels) && !run->labeled)
        put(a, t, "\n  no column is named %s (--labels)",
            visible(a, set->labels));
    for (size_t i = 0; i < set->drop.n; i++)
        if (!run->dropped[i])
            put(a, t, "\n  no column is named %s (--drop)",
                visible(a, set->drop.at[i]));
}

/* Lines that may be no samples. */
static void put_line_advice(app *a, text *t, const ailment *k)
{
    if (k->headless)
        put(a, t, "\n  --header yes, if the first line has the names");
    if (k->worded_line > 0) {
        put(a, t, "\n  ");
        if (k->files > 1)
            put(a, t, "%s: ", visible(a, k->worded_file));
        put(a, t, k->titled
            ? "if line %zu is the header, delete the lines above it, or begin "
              "them with #"
            : "line %zu has no number: if it has units, or is a header or a "
              "remark, delete it, or begin it with #", k->worded_line);
    } else if (k->alone)
        put(a, t, "\n  the table has one column: separate fields by commas, "
            "semicolons, tabs or bars,\n  do not put quotes around a whole "
            "line, and if line 1 is a title, delete it");
}

/* What else the columns may be. */
static void put_advice(app *a, text *t, const reading *run, const ailment *k)
{
    int model = run->widest > 0;                /* has its own words, means */
    put_line_advice(a, t, k);
    if (k->worded_line > 0 && k->files == 1)
        return;
    if (k->numeric)
        put(a, t, "\n  %zu of %zu values %s: correct %s, or leave %s empty, "
            "which is missing", k->words, k->values,
            k->words == 1 ? "is not a number" : "are not numbers",
            k->words == 1 ? "it" : "them", k->words == 1 ? "it" : "them");
    if (k->decimal && run->set->decimal == NULL)
        put(a, t, "\n  --decimal . or --decimal , says which sign it is");
    if (k->missing)
        put(a, t, "\n  --missing drop leaves such rows out%s", model ? ""
            : ", --missing mean fills them in");
    if (k->numbered)
        put(a, t, "\n  a number is not the same column in all files: give "
            "every column a name");
    if (k->onehot.n > 0 && !model && !k->numbered)
        put(a, t, "\n  --onehot %s makes features of the words",
            as_values(a, &k->onehot));
    if (k->prose.n > 0 && !k->numbered)
        put(a, t, "\n  --text %s makes features of its words",
            as_values(a, &k->prose));
    if (k->needed.n > 0)
        put(a, t, "\n  the model needs column%s %s: mend the file",
            k->needed.n == 1 ? "" : "s", visible(a, joined(a, &k->needed)));
    if (k->dates)
        put(a, t, "\n  --dates days makes days of dates");
    if (k->unlabeled)
        put(a, t, "\n  a source needs labels; --labels says which column has "
            "them");
    else if (k->drop.n > 0 && k->worded)
        put(a, t, "\n  --labels or --id, if a column has labels or names");
    put_unknown(a, t, run);
}

/* These columns of a file cannot be read. */
void note_faults(const csv *c)
{
    app *a = c->a;
    const faults *bad = &c->bad;
    if (c->run->ailment == NULL)
        c->run->ailment = TAKE(a, 1, ailment);
    ailment *k = c->run->ailment;
    k->files++;
    for (size_t i = 0; i < bad->n && k->files <= FILES_SHOWN; i++) {
        put(a, &k->lines, "%s%s:%zu: ", k->lines.length == 0 ? "" : "\n  ",
            visible(a, c->in.file), bad->at[i].line);
        put_fault(c, &k->lines, &bad->at[i]);
    }
    find_cure(c, k);
}

/* Ends the program if some column of some file cannot be read. */
void refuse_faults(app *a, const reading *run)
{
    ailment *k = run->ailment;
    const settings *set = run->set;
    text command = {NULL, 0, 0};
    if (k == NULL)
        return;
    if (k->files > FILES_SHOWN)
        put(a, &k->lines, "\n  and %zu more file%s", k->files - FILES_SHOWN,
            k->files == FILES_SHOWN + 1 ? "" : "s");
    k->numbered &= run->uneven;                 /* else numbers will do */
    if (k->id != NULL && run->first.header && !has_word(&run->shared, k->id)) {
        add_once(a, &k->drop, k->id);           /* a file may lack that */
        k->id = NULL;
    }
    put_advice(a, &k->lines, run, k);
    int uses = set->use.n > 0, gone = k->drop.n + k->prose.n > 0;
    int header = k->header && k->drop.n == 0;   /* numbers may be names then */
    int open = (k->headless && !header && run->widest == 0) ||
               (k->decimal && set->decimal == NULL) || k->unlabeled;
    if (k->none || k->worded_line > 0 || k->needed.n > 0 || k->numbered ||
        (uses && gone && k->use.n == 0) || open)    /* the user knows which */
        fail(a, BAD_DATA, "%-s", k->lines.at);
    change with[] = {
        {"--drop", uses ? NULL : joined(a, &k->drop), 1, 0},
        {"--use", uses && gone ? joined(a, &k->use) : NULL, 0, 0},
        {"--header", k->header ? "yes" : NULL, 0, 0},
        {"--id", k->id, 0, 0},
        {"--text", joined(a, &k->prose), 1, 0},
        {"--missing", !k->missing ? NULL
                      : run->widest > 0 || k->empty_rows ? "drop" : "mean",
         0, 0},
        {"--decimal", !k->decimal ? NULL : *set->decimal == '.' ? "," : ".",
         0, 0},
        {"--dates", k->dates ? "days" : NULL, 0, 0}
    };
    put_command(a, &command, with, sizeof with / sizeof with[0]);
    fail(a, BAD_DATA, "%-s\n  try: %s", k->lines.at, command.at);
}
