/* SPDX-License-Identifier: MIT
 *
 * json.c - a strict reader of JSON (RFC 8259)
 *
 * Whatever is not JSON ends the program with file, line and reason; so does a
 * name that an object has twice, a number beyond the reals, a NUL in a text,
 * and nesting beyond what any file of ours has.  The text is seen through a
 * window, and arrays of numbers take eight bytes for each, so that a file takes
 * no more memory than what is made of it.
 */
#include "json.h"

#include <math.h>
#include <string.h>

enum { DEEPEST = 16 };

typedef struct json_reader {
    app *a;
    stream in;                      /* in.line: of what is read next */
    text string;                    /* the string under way */
} json_reader;

/* Ends the program: `file:line: reason`. */
static APP_NORETURN void bad_json(json_reader *r, const char *reason)
{
    fail(r->a, BAD_DATA, "%s:%zu: %s", r->in.file, r->in.line, reason);
}

/* The next byte, NUL at the end: the text itself has none. */
static char peek(json_reader *r)
{
    if (r->in.begin == r->in.end && !more_text(r->a, &r->in))
        return '\0';
    return r->in.at[r->in.begin];
}

static char next(json_reader *r)
{
    char c = peek(r);
    if (c == '\0')
        bad_json(r, "the text ends too early: is the file whole?");
    r->in.begin++;
    r->in.line += c == '\n';
    return c;
}

/* The next byte that is no space; it stays. */
static char peek_value(json_reader *r)
{
    char c = peek(r);
    while (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
        next(r);
        c = peek(r);
    }
    return c;
}

/* What is wrong with a byte that should not be there. */
static APP_NORETURN void refuse_byte(json_reader *r, const char *expected)
{
    text t = {NULL, 0, 0};
    char c = peek(r);
    if (c == '\0')
        next(r);                                /* says so */
    put(r->a, &t, "expected %s, found ", expected);
    if (c > 32 && c < 127)
        put(r->a, &t, "'%c'", c);
    else
        put(r->a, &t, "the byte %d", (unsigned char)c);
    bad_json(r, t.at);
}

/* ---- strings ---- */

static void keep_byte(json_reader *r, unsigned c)
{
    if (r->string.room <= r->string.length + 1)
        GROW(r->a, r->string.at, r->string.room, r->string.room);
    r->string.at[r->string.length++] = (char)c;
}

/* Four hexadecimal digits. */
static unsigned hex(json_reader *r)
{
    unsigned x = 0;
    for (int i = 0; i < 4; i++) {
        static const char digits[] = "0123456789abcdef";
        char c = next(r);
        const char *at = strchr(digits, c >= 'A' && c <= 'F' ? c | 32 : c);
        if (at == NULL)
            bad_json(r, "\\u needs four hexadecimal digits");
        x = 16 * x + (unsigned)(at - digits);
    }
    return x;
}

/* A character by its number, which may come in two halves, as UTF-8. */
static void keep_unicode(json_reader *r)
{
    unsigned x = hex(r);
    if (x >= 0xd800 && x < 0xdc00) {
        unsigned low = next(r) == '\\' && next(r) == 'u' ? hex(r) : 0;
        if (low < 0xdc00 || low > 0xdfff)
            bad_json(r, "half of a character: a second \\u is missing");
        x = 0x10000 + ((x - 0xd800) << 10) + (low - 0xdc00);
    } else if (x >= 0xdc00 && x < 0xe000)
        bad_json(r, "half of a character: the first \\u is missing");
    if (x == 0)
        bad_json(r, "a NUL in a text");
    char bytes[4];
    size_t n = utf8_put(x, bytes);
    add_bytes(r->a, &r->string, bytes, n);
}

static void keep_escape(json_reader *r)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    char c = next(r);
    const char *at = strchr(from, c);
    if (c == 'u')
        keep_unicode(r);
    else if (at == NULL)
        bad_json(r, "an unknown \\ sequence in a text");
    else
        keep_byte(r, (unsigned char)to[at - from]);
}

/* The string behind its first quote. */
static const char *read_string(json_reader *r)
{
    r->string.length = 0;
    next(r);
    for (char c; (c = next(r)) != '"';) {
        if ((unsigned char)c < 32)
            bad_json(r, c == '\n' ? "a text has no end on its line"
                                  : "a control character in a text");
        if (c == '\\')
            keep_escape(r);
        else
            keep_byte(r, (unsigned char)c);
    }
    keep_byte(r, 0);
    return COPY(r->a, r->string.at, r->string.length, char);
}

/* ---- numbers ---- */

static int in_number(char c)
{
    return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' ||
           c == 'e' || c == 'E';
}

static const char *skip_digits(const char *s)
{
    while (*s >= '0' && *s <= '9')
        s++;
    return s;
}

/* Is it a number as JSON has them, up to `end`? */
static int is_number(const char *s, const char *end)
{
    const char *digits = s += *s == '-';
    s = skip_digits(s);
    if (s == digits || (*digits == '0' && s > digits + 1))
        return 0;
    if (*s == '.') {
        digits = ++s;
        s = skip_digits(s);
        if (s == digits)
            return 0;
    }
    if (*s == 'e' || *s == 'E') {
        s++;
        digits = s += *s == '+' || *s == '-';
        s = skip_digits(s);
        if (s == digits)
            return 0;
    }
    return s == end;
}

/* The whole of a number is in the window before it is looked at. */
static double read_number(json_reader *r)
{
    stream *in = &r->in;
    size_t n = 0;
    double x = 0;
    while (in->begin + n < in->end || more_text(r->a, in)) {
        if (!in_number(in->at[in->begin + n]))
            break;
        if (++n > 1000)
            bad_json(r, "a number of more than 1000 characters");
    }
    char *s = in->at + in->begin, after = s[n];
    s[n] = '\0';
    if (!is_number(s, s + n)) {
        text t = {NULL, 0, 0};
        put(r->a, &t, "'%.30s' is not a number", s);
        bad_json(r, t.at);
    }
    decimal_at(s, '.', &x);
    if (fabs(x) > APP_REAL_MAX) {
        text t = {NULL, 0, 0};
        put(r->a, &t, "'%.30s' is too large", s);
        bad_json(r, t.at);
    }
    s[n] = after;
    in->begin += n;
    return x;
}

/* ---- values ---- */

static json read_value(json_reader *r, int depth);

/* An array grows as `numbers` until another value comes. */
typedef struct json_array {
    double *numbers;
    json *at;
    size_t n, room;
} json_array;

/* Numbers become values of their own. */
static void mix_array(json_reader *r, json_array *v, size_t line)
{
    json *at = NULL;
    size_t room = 0;
    while (room <= v->n)
        GROW(r->a, at, room, room);
    memset(at, 0, room * sizeof *at);
    for (size_t i = 0; i < v->n; i++) {
        at[i].type = JSON_NUMBER;
        at[i].line = line;
        at[i].number = v->numbers[i];
    }
    pool_release(v->numbers);
    v->numbers = NULL;
    v->at = at;
    v->room = room;
}

static json read_array(json_reader *r, int depth)
{
    json x = {JSON_NUMBERS, r->in.line, 0, 0, NULL, NULL, NULL, NULL};
    json_array v = {NULL, NULL, 0, 0};
    next(r);
    if (peek_value(r) == ']') {
        next(r);
        return x;
    }
    for (;;) {
        char c = peek_value(r);
        if (v.at == NULL && c != '-' && !(c >= '0' && c <= '9'))
            mix_array(r, &v, x.line);
        if (v.at == NULL) {
            GROW(r->a, v.numbers, v.n, v.room);
            v.numbers[v.n++] = read_number(r);
        } else {
            GROW(r->a, v.at, v.n, v.room);
            v.at[v.n++] = read_value(r, depth);
        }
        c = peek_value(r);
        if (c != ',' && c != ']')
            refuse_byte(r, "',' or ']' in an array");
        next(r);
        if (c == ']')
            break;
    }
    x.type = v.at != NULL ? JSON_ARRAY : JSON_NUMBERS;
    x.n = v.n;
    x.numbers = v.numbers;
    x.at = v.at;
    return x;
}

static json read_object(json_reader *r, int depth)
{
    json x = {JSON_OBJECT, r->in.line, 0, 0, NULL, NULL, NULL, NULL};
    dictionary names;
    json *at = NULL;
    size_t room = 0;
    memset(&names, 0, sizeof names);
    next(r);
    char c = peek_value(r);
    while (c != '}') {
        if (c != '"')
            refuse_byte(r, "the name of a member in quotes");
        const char *name = read_string(r);
        if (number_word(r->a, &names, name, strlen(name)) != x.n)
            fail(r->a, BAD_DATA, "%s:%zu: the member %s is there twice",
                 r->in.file, r->in.line, quote(r->a, name));
        if (peek_value(r) != ':')
            refuse_byte(r, "':' behind a name");
        next(r);
        GROW(r->a, at, x.n, room);
        at[x.n++] = read_value(r, depth);
        c = peek_value(r);
        if (c != ',' && c != '}')
            refuse_byte(r, "',' or '}' in an object");
        if (c == ',') {
            next(r);
            c = peek_value(r);
            if (c == '}')
                refuse_byte(r, "the name of a member in quotes");
        }
    }
    next(r);
    x.at = at;
    x.name = names.word;
    return x;
}

/* true, false, null. */
static json read_word(json_reader *r)
{
    static const char *const word[] = {"null", "false", "true"};
    json x = {JSON_NULL, r->in.line, 0, 0, NULL, NULL, NULL, NULL};
    char c = peek(r);
    for (int i = 0; i < 3; i++)
        if (c == word[i][0]) {
            x.type = (json_type)(JSON_NULL + i);
            for (const char *s = word[i]; *s != '\0'; s++)
                if (next(r) != *s)
                    bad_json(r, "an unknown word");
            return x;
        }
    if (c == 'N' || c == 'I')
        bad_json(r, "NaN and Infinity are no numbers of JSON");
    refuse_byte(r, "a value");
}

static json read_value(json_reader *r, int depth)
{
    char c = peek_value(r);
    json x = {JSON_NUMBER, r->in.line, 0, 0, NULL, NULL, NULL, NULL};
    if (depth >= DEEPEST && (c == '[' || c == '{'))
        bad_json(r, "nested too deeply for a model");
    if (c == '[')
        return read_array(r, depth + 1);
    if (c == '{')
        return read_object(r, depth + 1);
    if (c == '"') {
        x.type = JSON_STRING;
        x.text = read_string(r);
        return x;
    }
    if (c != '-' && !(c >= '0' && c <= '9'))
        return read_word(r);
    x.number = read_number(r);
    return x;
}

/* The one value of a file. */
json json_read(app *a, const char *path)
{
    json_reader r;
    memset(&r, 0, sizeof r);
    r.a = a;
    r.in = open_source(a, path);
    if (peek_value(&r) == '\0')
        bad_json(&r, "the file is empty");
    if (peek_value(&r) != '{' && peek_value(&r) != '[')
        refuse_byte(&r, "JSON, as --save writes a model");
    json x = read_value(&r, 0);
    if (peek_value(&r) != '\0')
        refuse_byte(&r, "nothing behind the end");
    close_source(&r.in);
    pool_release(r.string.at);
    return x;
}

/* The member of that name, or NULL. */
const json *json_member(const json *object, const char *name)
{
    for (size_t i = 0; i < object->n; i++)
        if (strcmp(object->name[i], name) == 0)
            return &object->at[i];
    return NULL;
}
