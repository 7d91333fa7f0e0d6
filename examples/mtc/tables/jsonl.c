/* SPDX-License-Identifier: MIT
 *
 * jsonl.c - JSON lines: an object on each line, one or more of its members a
 * text
 *
 * Only the members that are asked for are kept.  What is no JSON ends the
 * program with file, line and reason.
 */
#include "../texts/texts.h"

#include <math.h>
#include <string.h>

enum { DEEPEST_LINE = 64 };

/* A line under way. */
typedef struct line_reader {
    app *a;
    const settings *set;
    const char *file;
    size_t line;
    const char *at;
    text name, value;
    text *texts;                    /* [set->text.n] of this line */
    int *given;                     /* [set->text.n] 0, or as read_once says */
    int *worded;                    /* [set->text.n] 1: not only numbers */
    text id, label;
    int has_id, has_label;          /* as well */
    int label_rank;
    members *survey;                /* of `describe`: what there is; or NULL */
} line_reader;

static APP_NORETURN void bad_jsonl(const line_reader *r, const char *reason)
{
    fail(r->a, BAD_DATA, "%s:%zu: %s", r->file, r->line, reason);
}

static void pass_space(line_reader *r)
{
    r->at += strspn(r->at, " \t\r");
}

static void need_byte(line_reader *r, char c, const char *reason)
{
    pass_space(r);
    if (*r->at != c)
        bad_jsonl(r, reason);
    r->at++;
}

static uint32_t four_digits(line_reader *r)
{
    static const char digits[] = "0123456789abcdef";
    uint32_t x = 0;
    for (int i = 0; i < 4; i++) {
        char c = *r->at;
        const char *found = c == '\0' ? NULL
                            : strchr(digits, c >= 'A' && c <= 'F' ? c | 32 : c);
        if (found == NULL)
            bad_jsonl(r, "\\u needs four hexadecimal digits");
        x = 16 * x + (uint32_t)(found - digits);
        r->at++;
    }
    return x;
}

/* Behind \u: a character, which may come in two halves; half of one is the
 * sign that Unicode has for what cannot be read. */
static uint32_t unicode(line_reader *r)
{
    uint32_t x = four_digits(r);
    if (x == 0)
        bad_jsonl(r, "a NUL in a text");
    if (x < 0xd800 || x >= 0xe000)
        return x;
    if (x >= 0xdc00 || r->at[0] != '\\' || r->at[1] != 'u')
        return 0xfffd;
    const char *before = r->at;
    r->at += 2;
    uint32_t low = four_digits(r);
    if (low >= 0xdc00 && low < 0xe000)
        return 0x10000 + ((x - 0xd800) << 10) + (low - 0xdc00);
    r->at = before;
    return 0xfffd;
}

/* The character behind a backslash. */
static void keep_escaped(line_reader *r, text *to)
{
    static const char from[] = "\"\\/bfnrt", plain[] = "\"\\/\b\f\n\r\t";
    char c = *r->at, bytes[4];
    const char *found = c == '\0' ? NULL : strchr(from, c);
    if (c != 'u' && found == NULL)
        bad_jsonl(r, "an unknown \\ sequence in a text");
    r->at++;
    if (c == 'u') {
        size_t n = utf8_put(unicode(r), bytes);
        add_bytes(r->a, to, bytes, n);
    } else {
        add_bytes(r->a, to, &plain[found - from], 1);
    }
}

/* The string at its first quote, behind what `to` holds. */
static void read_text(line_reader *r, text *to)
{
    r->at++;
    for (;;) {
        size_t n = 0;
        while (r->at[n] != '"' && r->at[n] != '\\' &&
               (unsigned char)r->at[n] >= 32)
            n++;
        add_bytes(r->a, to, r->at, n);
        r->at += n;
        if (*r->at == '\0')
            bad_jsonl(r, "a text has no end on its line");
        if (*r->at != '"' && *r->at != '\\')
            bad_jsonl(r, "a control character in a text");
        r->at++;
        if (r->at[-1] == '"')
            return;
        keep_escaped(r, to);
    }
}

/* A number, true, false or null. */
static size_t word_length(line_reader *r)
{
    static const char *const word[] = {"null", "false", "true"};
    double x;
    size_t n = (size_t)(decimal_at(r->at, '.', &x) - r->at);
    for (int i = 0; i < 3; i++)
        if (strncmp(r->at, word[i], strlen(word[i])) == 0)
            n = strlen(word[i]);
    if (n == 0)
        bad_jsonl(r, "a value is missing, or is none of JSON");
    return n;
}

/* Passes over a string. */
static void skip_text(line_reader *r)
{
    r->value.length = 0;
    read_text(r, &r->value);
}

/* Passes over the name of a member and its colon. */
static void skip_name(line_reader *r)
{
    pass_space(r);
    if (*r->at != '"')
        bad_jsonl(r, "expected the name of a member in quotes");
    skip_text(r);
    need_byte(r, ':', "expected ':' behind a name");
    pass_space(r);
}

/* Passes over a value that holds no other, or over the begin of one that does:
 * then its last bracket, else 0. */
static char skip_simple(line_reader *r)
{
    char c = *r->at;
    if (c == '[' || c == '{') {
        r->at++;
        return c == '[' ? ']' : '}';
    }
    if (c == '"')
        skip_text(r);
    else
        r->at += word_length(r);
    return 0;
}

/* Passes over a value of any kind, with all that it holds. */
static void skip_value(line_reader *r)
{
    char open[DEEPEST_LINE];
    size_t depth = 0;
    do {
        char end = skip_simple(r);
        if (end != 0 && depth == DEEPEST_LINE)
            bad_jsonl(r, "nested too deeply");
        if (end != 0)
            open[depth++] = end;
        pass_space(r);
        int whole = end == 0 || *r->at == end;
        while (whole && depth > 0 && *r->at == open[depth - 1]) {
            depth--;
            r->at++;
            pass_space(r);
        }
        if (whole && depth > 0)
            need_byte(r, ',', "expected ',' or the end of an array or object");
        if (depth > 0 && open[depth - 1] == '}')
            skip_name(r);
        pass_space(r);
    } while (depth > 0);
}

/* A value that is wanted: a string, or a word as it stands.  0: null. */
static int read_wanted(line_reader *r, text *to, int *is_string)
{
    *is_string = *r->at == '"';
    if (*is_string) {
        read_text(r, to);
        return 1;
    }
    if (*r->at == '[' || *r->at == '{') {
        text reason = {NULL, 0, 0};
        put(r->a, &reason, "%s is an array or an object; a text is wanted",
            quote(r->a, r->name.at));
        bad_jsonl(r, reason.at);
    }
    size_t n = word_length(r);
    int given = *r->at != 'n';
    if (given)
        add_bytes(r->a, to, r->at, n);
    r->at += n;
    return given;
}

/* The same of a member that the line may have named before.  1: null, 2: a
 * value. */
static int read_once(line_reader *r, text *to, int named, int *is_string)
{
    if (named) {
        text reason = {NULL, 0, 0};
        put(r->a, &reason, "the member %s is there twice",
            quote(r->a, r->name.at));
        bad_jsonl(r, reason.at);
    }
    to->length = 0;
    return 1 + read_wanted(r, to, is_string);
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

/* The member r->name among those that were seen so far. */
static member *find_member(line_reader *r)
{
    members *all = r->survey;
    size_t at = number_word(r->a, &all->names, r->name.at, r->name.length);
    if (at == all->n) {
        GROW(r->a, all->at, all->n, all->room);
        memset(&all->at[all->n], 0, sizeof *all->at);
        all->at[all->n].low = HUGE_VAL;
        all->at[all->n].high = -HUGE_VAL;
        all->at[all->n++].label_rank = rank_of_label(r, r->name.at);
    }
    return &all->at[at];
}

/* Notes what the value of the member r->name is like. */
static void survey_member(line_reader *r)
{
    int string = 0;
    double x = 0;
    member *m = find_member(r);
    if (m->line == r->line) {                   /* a run refuses it */
        m->twice = m->twice > 0 ? m->twice : r->line;
        skip_value(r);
        return;
    }
    m->line = r->line;
    if (*r->at == '[' || *r->at == '{') {
        m->nested++;
        skip_value(r);
        return;
    }
    r->value.length = 0;
    if (!read_wanted(r, &r->value, &string) || r->value.length == 0)
        return;
    const char *s = r->value.at, *end = decimal_at(s, '.', &x);
    if (!string && *end == '\0') {
        char digits[32];
        int length = sprintf(digits, "%.17g", x);
        number_word(r->a, &m->digits, digits, (size_t)length);
        m->numbers++;
        if (!(fabs(x) < HUGE_VAL))              /* JSON has no infinity */
            return;
        m->low = x < m->low ? x : m->low;
        m->high = x > m->high ? x : m->high;
        return;
    }
    m->words++;
    for (size_t i = 0; i + 1 < r->value.length; i++)
        m->spaces += s[i] == ' ' && s[i + 1] != ' ';
    number_word(r->a, &m->different, s, r->value.length);
}

/* The value of the member r->name. */
static void take_member(line_reader *r)
{
    const char *name = r->name.at;
    int string = 0, rank = rank_of_label(r, name);
    if (r->survey != NULL) {
        survey_member(r);
        return;
    }
    for (size_t i = 0; i < r->set->text.n; i++)
        if (is(name, r->set->text.at[i])) {
            r->given[i] = read_once(r, &r->texts[i], r->given[i], &string);
            r->worded[i] |= string;
            return;
        }
    if (is(name, r->set->id != NULL ? r->set->id : "")) {
        r->has_id = read_once(r, &r->id, r->has_id, &string);
    } else if (rank > 0 && (r->label_rank == 0 || rank <= r->label_rank)) {
        r->has_label = read_once(r, &r->label, rank == r->label_rank, &string);
        r->label_rank = rank;
    } else {
        skip_value(r);
    }
}

/* One object. */
static void read_members(line_reader *r)
{
    need_byte(r, '{', "expected an object in braces");
    pass_space(r);
    while (*r->at != '}') {
        if (*r->at != '"')
            bad_jsonl(r, "expected the name of a member in quotes");
        r->name.length = 0;
        read_text(r, &r->name);
        need_byte(r, ':', "expected ':' behind a name");
        pass_space(r);
        take_member(r);
        pass_space(r);
        if (*r->at == '}')
            break;
        need_byte(r, ',', "expected ',' or '}' in an object");
        pass_space(r);
        if (*r->at == '}')
            bad_jsonl(r, "expected the name of a member in quotes");
    }
    r->at++;
    pass_space(r);
    if (*r->at != '\0')
        bad_jsonl(r, "something stands behind the object");
}

/* The texts of the line, in the order of --text. */
static void take_texts(line_reader *r, wordbook *w, bag *b)
{
    w->buffer.length = 0;
    for (size_t i = 0; i < r->set->text.n; i++) {
        if (r->given[i] && r->texts[i].length > 0)
            add_bytes(r->a, &w->buffer, r->texts[i].at, r->texts[i].length);
        add_bytes(r->a, &w->buffer, "\n", 1);
    }
    add_text(w, b, w->buffer.at, w->buffer.length);
}

/* Name and label of the line's sample. */
static void take_sample(line_reader *r, task *t, dictionary *labels,
                        size_t *unlabeled)
{
    app *a = r->a;
    const char *name = r->has_id == 2 && r->id.length > 0
                           ? in_utf8(a, r->id.at) : "";
    if (r->set->id != NULL)
        add_identity(a, &t->id, name, strlen(name));
    GROW(a, t->truth, t->n, t->room_truth);
    t->truth[t->n] = -1;
    if (r->has_label && r->label.length > 0)
        t->truth[t->n] = (int)number_word(a, labels, r->label.at,
                                          r->label.length);
    else
        ++*unlabeled;
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

/* What no line has was misspelled; what has only numbers may be. */
static void check_members(const line_reader *r, const int *seen)
{
    for (size_t i = 0; i < r->set->text.n; i++) {
        const char *name = r->set->text.at[i];
        words column = one_column(r->a, name);
        if (!seen[i])
            fail(r->a, BAD_DATA, "%s: no line has a member %s (--text)",
                 r->file, name);
        if (!r->worded[i])
            inform(r->a, "text-numbers", &column, "%s: %s, named by --text, "
                   "holds only numbers", r->file, name);
    }
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
    r.texts = TAKE(a, set->text.n, text);
    r.given = TAKE(a, set->text.n, int);
    r.worded = TAKE(a, set->text.n, int);
    int *seen = TAKE(a, set->text.n, int);
    if (surveys)
        r.survey = t->members = TAKE(a, 1, members);
    else if (w != NULL)
        t->bag = TAKE(a, 1, bag);
    stream in = open_source(a, t->file);
    for (char *s; (s = source_line(a, &in)) != NULL;) {
        if (s[strspn(s, " \t\r")] == '\0')
            continue;
        r.line = in.line - 1;
        r.at = s;
        r.has_id = r.has_label = r.label_rank = 0;
        memset(r.given, 0, set->text.n * sizeof *r.given);
        read_members(&r);
        if (surveys) {
            t->n++;
            continue;
        }
        for (size_t i = 0; i < set->text.n; i++)
            seen[i] |= r.given[i] == 2;
        if (w != NULL)
            take_texts(&r, w, t->bag);
        take_sample(&r, t, &labels, &unlabeled);
    }
    close_source(&in);
    t->rows = t->n;
    if (t->n == 0 || surveys)
        return;
    check_members(&r, seen);
    settle_line_labels(a, run, t, &labels, unlabeled);
    if (set->id != NULL)
        t->id.name = set->id;
}
