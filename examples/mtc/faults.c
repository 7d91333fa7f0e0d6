/* SPDX-License-Identifier: MIT
 *
 * faults.c - all that is wrong with a file, in one message
 *
 * A line for each column that cannot be read, what else it might be, and the
 * command of the user with the options that would go on without it.
 */
#include "csv.h"

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

/* A column as an option names it, behind others: "age,7". */
static void put_option_name(const csv *c, text *t, size_t j)
{
    const attribute *k = &c->head.column[j];
    put(c->a, t, "%s", t->length > 0 ? "," : "");
    if (c->head.header && !k->unnamed && !k->twin &&
        strchr(k->name, ',') == NULL)
        put(c->a, t, "%s", k->name);
    else
        put(c->a, t, "%zu", j + 1);
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
        put(c->a, t, ", '%.*s%s',", (int)(n < 30 ? n : 30), f->value,
            n < 30 ? "" : "...");
    put(c->a, t, " %s", n > 0 || strncmp(f->text, "is missing", 10) != 0
                            ? f->text : "is empty");
    if (n == 0 && strncmp(f->text, "is missing", 10) == 0)
        put(c->a, t, "%s", f->text + 10);
}

/* Few words that come again and again: features of 0 and 1 make sense. */
int is_category(const csv *c, size_t j)
{
    const cells *k = &c->cells[j];
    return k->words > 2 && k->amounts + k->dates == 0 &&
           2 * k->different.n <= k->words && k->different.n <= 100;
}

/* Does every row have a word of its own? */
int is_naming(const csv *c, size_t j)
{
    const cells *k = &c->cells[j];
    return c->t->n > 2 && k->words == c->t->n &&
           (k->different.n == k->words || k->different.n == MOST_DIFFERENT);
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

/* What was misspelled may be the reason. */
static void put_unknown(const csv *c, text *t)
{
    const settings *set = c->set;
    if (by_name(set->labels) && !c->run->labeled)
        put(c->a, t, "\n  no column is named %s (--labels)",
            visible(c->a, set->labels));
    for (size_t i = 0; i < set->drop.n; i++)
        if (!c->run->dropped[i])
            put(c->a, t, "\n  no column is named %s (--drop)",
                visible(c->a, set->drop.at[i]));
}

/* The options that would let the program go on. */
typedef struct cure {
    text drop, use, onehot, prose;  /* use: in place of what --use has */
    const char *id;                 /* NULL: none */
    int missing, decimal, dates;
    int none;                       /* 1: --use would name no column */
} cure;

/* What --use still names without the columns that cannot be read. */
static void put_usable(const csv *c, text *use)
{
    for (size_t j = 0; j < c->head.width; j++) {
        int bad = c->head.column[j].role > AS_WORDS;
        for (size_t i = 0; i < c->bad.n; i++)
            bad |= c->bad.at[i].column == j && c->bad.at[i].remedy == BY_DROP;
        if (!bad)
            put_option_name(c, use, j);
    }
}

static cure find_cure(const csv *c)
{
    const faults *bad = &c->bad;
    int knows_words = c->run->widest == 0 || c->run->book != NULL;
    cure k;
    memset(&k, 0, sizeof k);
    for (size_t i = 0; i < bad->n; i++) {
        const fault *f = &bad->at[i];
        int twice = 0;
        for (size_t h = 0; h < i; h++)
            twice |= bad->at[h].column == f->column;
        k.missing |= f->remedy == BY_MISSING;
        k.decimal |= f->remedy == BY_DECIMAL;
        k.dates |= f->remedy == BY_DATES;
        if (f->remedy != BY_DROP || twice)
            continue;
        if (is_category(c, f->column))
            put_option_name(c, &k.onehot, f->column);
        if (is_prose(c, f->column) && knows_words) {
            put_option_name(c, &k.prose, f->column);
        } else if (is_naming(c, f->column) && k.id == NULL &&
                   c->set->id == NULL && c->set->use.n == 0) {
            text name = {NULL, 0, 0};
            put_option_name(c, &name, f->column);
            k.id = name.at;
        } else {
            put_option_name(c, &k.drop, f->column);
        }
    }
    if (c->set->use.n > 0 && k.drop.length + k.prose.length > 0)
        put_usable(c, &k.use);
    k.none = c->set->use.n > 0 && k.drop.length + k.prose.length > 0 &&
             k.use.length == 0;
    return k;
}

/* A word as a shell takes it. */
static void put_shell(app *a, text *t, const char *s)
{
    int plain = *s != '\0';
    for (const char *p = s; *p != '\0'; p++)
        plain &= strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                        "0123456789_-./,:=+@%", *p) != NULL;
    if (plain) {
        put(a, t, " %s", s);
        return;
    }
    put(a, t, " '");
    for (; *s != '\0'; s++)
        put(a, t, *s == '\'' ? "'\\''" : "%c", *s);
    put(a, t, "'");
}

/* The command of the user with these changes. */
void put_command(app *a, text *t, change *with, size_t n)
{
    put(a, t, "mtc");
    for (int i = 0; i < a->argc; i++) {
        const char *s = a->argv[i];
        change *k = NULL;
        for (size_t h = 0; h < n; h++)
            if (with[h].value != NULL && strcmp(s, with[h].option) == 0)
                k = &with[h];
        put_shell(a, t, s);
        if (k == NULL || i + 1 >= a->argc)
            continue;
        text value = {NULL, 0, 0};
        i++;
        put(a, &value, "%s%s%s", k->more ? a->argv[i] : "",
            k->more ? "," : "", k->value);
        put_shell(a, t, value.at);
        k->done = 1;
    }
    for (size_t h = 0; h < n; h++)
        if (with[h].value != NULL && !with[h].done) {
            put_shell(a, t, with[h].option);
            put_shell(a, t, with[h].value);
        }
}

/* What else the columns may be. */
static void put_advice(const csv *c, text *t, const cure *k)
{
    int model = c->run->widest > 0;             /* has its own words, means */
    if (!c->head.header && c->bad.at[0].line == c->head.line)
        put(c->a, t, "\n  --header yes, if the first line has the names");
    if (k->decimal && c->set->decimal == NULL)
        put(c->a, t, "\n  --decimal . or --decimal , says which sign it is");
    if (k->missing)
        put(c->a, t, "\n  --missing drop leaves such rows out%s", model ? ""
            : ", --missing mean fills them in");
    if (k->onehot.length > 0 && !model)
        put(c->a, t, "\n  --onehot %s makes features of the words",
            visible(c->a, k->onehot.at));
    if (k->prose.length > 0)
        put(c->a, t, "\n  --text %s makes features of its words",
            visible(c->a, k->prose.at));
    if (k->dates)
        put(c->a, t, "\n  --dates days makes days of dates");
    if (k->drop.length > 0)
        put(c->a, t, "\n  --labels or --id, if a column has labels or names");
    put_unknown(c, t);
}

/* Ends the program: these columns cannot be read. */
void refuse_file(const csv *c)
{
    app *a = c->a;
    const faults *bad = &c->bad;
    text t = {NULL, 0, 0}, command = {NULL, 0, 0};
    cure k = find_cure(c);
    for (size_t i = 0; i < bad->n; i++) {
        put(a, &t, "%s%s:%zu: ", i == 0 ? "" : "\n  ",
            visible(a, c->in.file), bad->at[i].line);
        put_fault(c, &t, &bad->at[i]);
    }
    put_advice(c, &t, &k);
    if (k.none)
        fail(a, BAD_DATA, "%-s", t.at);
    change with[] = {
        {"--drop", c->set->use.n > 0 ? NULL : k.drop.at, 1, 0},
        {"--use", k.use.at, 0, 0},
        {"--id", k.id, 0, 0},
        {"--text", k.prose.at, 1, 0},
        {"--missing", !k.missing ? NULL : c->run->widest > 0 ? "drop" : "mean",
         0, 0},
        {"--decimal", !k.decimal ? NULL : c->set->decimal == NULL ? "."
                      : *c->set->decimal == '.' ? "," : ".", 0, 0},
        {"--dates", k.dates ? "days" : NULL, 0, 0}
    };
    put_command(a, &command, with, sizeof with / sizeof with[0]);
    fail(a, BAD_DATA, "%-s\n  try: %s", t.at, command.at);
}
