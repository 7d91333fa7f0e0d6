/* SPDX-License-Identifier: MIT
 *
 * jsonl.c - JSON lines: an object on each line, one or more of its members a
 * text
 *
 * A line becomes a tree of values (see json.c), of which the members that are
 * asked for are kept.
 */
#include "../texts/texts.h"
#include "json.h"

#include <math.h>
#include <string.h>

/* A line under way. */
typedef struct line_reader {
    app *a;
    const settings *set;
    const char *file;
    size_t line;
    json object;
    int *seen;                      /* [set->text.n] 1: some line has it */
    members *survey;                /* of `describe`: what there is; or NULL */
} line_reader;

/* What a value is as a text: a word or number as it stands, NULL if it is
 * null. */
static const char *value_text(const json *x)
{
    return x->type == JSON_FALSE  ? "false"
           : x->type == JSON_TRUE ? "true" : x->text;
}

/* The member of the line that is wanted, as a text; NULL: it has none. */
static const char *wanted_text(const line_reader *r, const char *name)
{
    const json *x = json_member(&r->object, name);
    if (x == NULL)
        return NULL;
    if (x->type >= JSON_NUMBERS)
        fail(r->a, BAD_DATA, "%s:%zu: %s is an array or an object; a text is "
             "wanted", r->file, r->line, quote(r->a, name));
    return value_text(x);
}

/* label, class or target, the first of them that the line has, if no option
 * names another.  0: no label. */
static int rank_of_label(const line_reader *r, const char *name)
{
    static const char *const usual[] = {"label", "class", "target"};
    const char *labels = r->set->labels;
    if (is(labels, "none"))
        return 0;
    if (by_name(labels))
        return is(labels, name) ? 1 : 0;
    for (int i = 0; i < 3; i++)
        if (is(name, usual[i]))
            return i + 1;
    return 0;
}

/* The label of the line; NULL: it has none. */
static const char *label_text(const line_reader *r)
{
    const char *label = NULL;
    int least = 4;
    for (size_t i = 0; i < r->object.n; i++) {
        const char *name = r->object.name[i];
        int rank = rank_of_label(r, name);
        if (rank == 0 || rank >= least || has_word(&r->set->text, name) ||
            is(r->set->id, name))
            continue;
        least = rank;
        label = wanted_text(r, name);
    }
    return label != NULL && *label != '\0' ? label : NULL;
}

/* ---- what describe shows ---- */

/* The member among those that were seen so far. */
static member *find_member(const line_reader *r, const char *name)
{
    members *all = r->survey;
    size_t at = number_word(r->a, &all->names, name, strlen(name));
    if (at == all->n) {
        GROW(r->a, all->at, all->n, all->room);
        memset(&all->at[all->n], 0, sizeof *all->at);
        all->at[all->n].low = HUGE_VAL;
        all->at[all->n].high = -HUGE_VAL;
        all->at[all->n++].label_rank = rank_of_label(r, name);
    }
    return &all->at[at];
}

/* Notes what the value of a member is like. */
static void survey_value(const line_reader *r, member *m, const json *x)
{
    const char *s = value_text(x);
    m->nested += x->type >= JSON_NUMBERS;
    if (s == NULL || *s == '\0')
        return;
    if (x->type == JSON_NUMBER) {
        number_word(r->a, &m->digits, s, strlen(s));
        m->numbers++;
        m->low = x->number < m->low ? x->number : m->low;
        m->high = x->number > m->high ? x->number : m->high;
        return;
    }
    m->words++;
    for (; *s != '\0'; s++)
        m->spaces += s[0] == ' ' && s[1] != ' ' && s[1] != '\0';
    number_word(r->a, &m->different, value_text(x), strlen(value_text(x)));
}

static void survey_line(const line_reader *r)
{
    for (size_t i = 0; i < r->object.n; i++)
        survey_value(r, find_member(r, r->object.name[i]), &r->object.at[i]);
}

/* ---- what a run takes ---- */

/* The texts of the line, in the order of --text. */
static void take_texts(line_reader *r, wordbook *w, bag *b)
{
    text *t = &w->buffer;
    t->length = 0;
    for (size_t i = 0; i < r->set->text.n; i++) {
        const char *name = r->set->text.at[i], *s = wanted_text(r, name);
        if (s != NULL)
            add_bytes(r->a, t, s, strlen(s));
        add_bytes(r->a, t, "\n", 1);
        r->seen[i] |= s != NULL;
    }
    add_text(w, b, t->at, t->length);
}

/* Name and label of the line's sample. */
static void take_sample(line_reader *r, task *t, dictionary *labels,
                        size_t *unlabeled)
{
    app *a = r->a;
    const char *id = r->set->id != NULL ? wanted_text(r, r->set->id) : NULL;
    const char *name = id != NULL ? in_utf8(a, id) : "";
    const char *label = label_text(r);
    if (r->set->id != NULL)
        add_identity(a, &t->id, name, strlen(name));
    GROW(a, t->truth, t->n, t->room_truth);
    t->truth[t->n] = label == NULL
                         ? -1 : (int)number_word(a, labels, label,
                                                 strlen(label));
    *unlabeled += label == NULL;
    t->n++;
}

/* With --missing drop rows without a label go. */
static void drop_lines(app *a, task *t)
{
    bag *b = t->bag;
    for (size_t i = 0; i < t->n; i++) {
        if (t->truth[i] >= 0)
            continue;
        GROW(a, b->dropped, b->n_dropped, b->room_dropped);
        b->dropped[b->n_dropped++] = i;
    }
}

/* Labels that are there for some rows only do not count, unless the others go,
 * as they must where labels teach.  A target needs none. */
static void settle_line_labels(app *a, const reading *run, task *t,
                               const dictionary *labels, size_t unlabeled)
{
    if (labels->n == 0 && by_name(run->set->labels) &&
        !is(run->set->target, t->file))
        fail(a, BAD_DATA, "%s: no line has a member %s (--labels)", t->file,
             run->set->labels);
    int partly = unlabeled > 0 && labels->n > 0 && t->bag != NULL;
    int drops = partly && drops_unlabeled(run, t->file);
    if (partly && teaches(run, t->file) && !drops)
        fail(a, BAD_DATA, "%s: %zu of %zu labels %s missing: --missing drop "
             "leaves such rows out", t->file, unlabeled, t->n,
             unlabeled == 1 ? "is" : "are");
    if (drops)
        drop_lines(a, t);
    else if (unlabeled > 0 && labels->n > 0)
        inform(a, "unlabeled", NULL, "%s: %zu of %zu labels %s missing, so "
               "that the file is not scored", t->file, unlabeled, t->n,
               unlabeled == 1 ? "is" : "are");
    if (unlabeled > 0 && !drops)
        t->truth = NULL;
    else
        label_texts(a, t, labels);
}

/* What no line has was misspelled. */
static void check_members(const line_reader *r)
{
    for (size_t i = 0; i < r->set->text.n; i++) {
        const char *name = r->set->text.at[i];
        if (!r->seen[i])
            fail(r->a, BAD_DATA, "%s: no line has a member %s (--text)",
                 r->file, name);
    }
}

/* The object on the line that begins at s, whose end is cut off; where the next
 * line begins.  0 members: the line is empty. */
static char *read_line(line_reader *r, char *s)
{
    char *end = s + strcspn(s, "\n"), *next = *end == '\0' ? end : end + 1;
    *end = '\0';
    r->line++;
    stop_if_interrupted(r->a);
    s += strspn(s, " \t\r");
    memset(&r->object, 0, sizeof r->object);
    if (*s == '\0')
        return next;
    if (*s != '{')
        fail(r->a, BAD_DATA, "%s:%zu: expected an object in braces", r->file,
             r->line);
    r->object = json_at(r->a, r->file, r->line, s);
    return next;
}

/* Reads the file t->file. */
void read_jsonl(app *a, reading *run, task *t)
{
    const settings *set = run->set;
    wordbook *w = run->labels_only ? NULL : book_of(a, run);
    dictionary labels;
    size_t unlabeled = 0;
    int surveys = run->describes && set->text.n == 0;
    if (set->text.n == 0 && !run->labels_only && !surveys)
        fail(a, BAD_USAGE, "%s: --text FIELD is missing: which member of the "
             "objects is the text?  `mtc describe %s` lists them", t->file,
             t->file);
    line_reader r;
    memset(&r, 0, sizeof r);
    memset(&labels, 0, sizeof labels);
    r.a = a;
    r.set = set;
    r.file = t->file;
    r.seen = TAKE(a, set->text.n, int);
    if (surveys)
        r.survey = t->members = TAKE(a, 1, members);
    else if (w != NULL)
        t->bag = TAKE(a, 1, bag);
    char *all = read_file(a, t->file);
    for (char *s = all; *s != '\0';) {
        s = read_line(&r, s);
        if (r.object.type != JSON_OBJECT)
            continue;
        if (w != NULL && !surveys)
            take_texts(&r, w, t->bag);
        if (surveys)
            survey_line(&r);
        if (surveys)
            t->n++;
        else
            take_sample(&r, t, &labels, &unlabeled);
        json_release(&r.object);
    }
    pool_release(all);
    t->rows = t->n;
    if (t->n == 0 || surveys)
        return;
    check_members(&r);
    settle_line_labels(a, run, t, &labels, unlabeled);
    if (set->id != NULL)
        t->id.name = set->id;
}
