/* SPDX-License-Identifier: MIT
 *
 * json.c - a strict reader of JSON (RFC 8259)
 *
 * Whatever is not JSON ends the program with file, line and reason; so does a
 * name that an object has twice, a number beyond the reals, a NUL in a text,
 * and nesting beyond what any file of ours has.  Arrays of numbers take eight
 * bytes for each.
 */
#include "json.h"

#include <math.h>
#include <string.h>

enum { DEEPEST = 64 };

typedef struct json_reader {
    app *a;
    const char *file;
    size_t line;                    /* of what is read next, */
    const char *at;                 /* which ends in NUL */
    text string;                    /* the string under way */
} json_reader;

/* Ends the program: `file:line: reason`. */
static APP_NORETURN void bad_json(json_reader *r, const char *reason)
{
    fail(r->a, BAD_DATA, "%s:%zu: %s", r->file, r->line, reason);
}

static char next(json_reader *r)
{
    char c = *r->at;
    if (c == '\0')
        bad_json(r, "the text ends too early: is the file whole?");
    r->at++;
    r->line += c == '\n';
    return c;
}

/* The next byte that is no space; it stays. */
static char peek_value(json_reader *r)
{
    while (*r->at != '\0' && strchr(" \n\t\r", *r->at) != NULL)
        next(r);
    return *r->at;
}

/* What is wrong with a byte that should not be there. */
static APP_NORETURN void refuse_byte(json_reader *r, const char *expected)
{
    char c = *r->at;
    if (c == '\0')
        next(r);                                /* says so */
    bad_json(r, c > 32 && c < 127
             ? formed(r->a, "expected %s, found '%c'", expected, c)
             : formed(r->a, "expected %s, found the byte %d", expected,
                      (unsigned char)c));
}

/* ---- strings ---- */

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

/* The character behind \u, which may come in two halves; half of one is the sign
 * that Unicode has for what cannot be read. */
static uint32_t read_unicode(json_reader *r)
{
    uint32_t x = hex(r);
    if (x == 0)
        bad_json(r, "a NUL in a text");
    if (x < 0xd800 || x >= 0xe000)
        return x;
    if (x >= 0xdc00 || r->at[0] != '\\' || r->at[1] != 'u')
        return 0xfffd;
    const char *before = r->at;
    r->at += 2;
    uint32_t low = hex(r);
    if (low >= 0xdc00 && low < 0xe000)
        return 0x10000 + ((x - 0xd800) << 10) + (low - 0xdc00);
    r->at = before;
    return 0xfffd;
}

static void keep_escape(json_reader *r)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    char c = next(r), bytes[4];
    const char *at = strchr(from, c);
    if (c != 'u' && at == NULL)
        bad_json(r, "an unknown \\ sequence in a text");
    if (c == 'u')
        add_bytes(r->a, &r->string, bytes, utf8_put(read_unicode(r), bytes));
    else
        add_bytes(r->a, &r->string, &to[at - from], 1);
}

/* The string at its first quote. */
static void read_string(json_reader *r)
{
    r->string.length = 0;
    next(r);
    for (;;) {
        size_t n = 0;
        while (r->at[n] != '"' && r->at[n] != '\\' &&
               (unsigned char)r->at[n] >= 32)
            n++;
        add_bytes(r->a, &r->string, r->at, n);
        r->at += n;
        if (*r->at == '\0' || *r->at == '\n')
            bad_json(r, "a text has no end on its line");
        if ((unsigned char)*r->at < 32)
            bad_json(r, "a control character in a text");
        if (next(r) == '"')
            return;
        keep_escape(r);
    }
}

/* ---- numbers ---- */

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

static double read_number(json_reader *r)
{
    size_t n = strspn(r->at, "0123456789+-.eE");
    double x = 0;
    int fits = is_number(r->at, r->at + n);
    if (fits)
        decimal_at(r->at, '.', &x);
    if (!fits || fabs(x) > APP_REAL_MAX)
        bad_json(r, formed(r->a, "'%.*s' is %s", (int)(n < 30 ? n : 30), r->at,
                           fits ? "too large" : "not a number"));
    r->at += n;
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
    json x = {JSON_NUMBERS, r->line, 0, 0, NULL, NULL, NULL, NULL};
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
    json x = {JSON_OBJECT, r->line, 0, 0, NULL, NULL, NULL, NULL};
    dictionary names = {.n = 0};
    json *at = NULL;
    size_t room = 0;
    next(r);
    char c = peek_value(r);
    while (c != '}') {
        if (c != '"')
            refuse_byte(r, "the name of a member in quotes");
        read_string(r);
        if (number_word(r->a, &names, r->string.at, r->string.length) != x.n)
            fail(r->a, BAD_DATA, "%s:%zu: the member %s is there twice",
                 r->file, r->line, quote(r->a, r->string.at));
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
    pool_release(names.slot);
    x.at = at;
    x.name = names.word;
    return x;
}

/* true, false, null. */
static json read_word(json_reader *r)
{
    static const char *const word[] = {"null", "false", "true"};
    json x = {JSON_NULL, r->line, 0, 0, NULL, NULL, NULL, NULL};
    char c = *r->at;
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
    json x = {JSON_NUMBER, r->line, 0, 0, NULL, NULL, NULL, NULL};
    if (depth >= DEEPEST && (c == '[' || c == '{'))
        bad_json(r, "nested too deeply");
    if (c == '[')
        return read_array(r, depth + 1);
    if (c == '{')
        return read_object(r, depth + 1);
    if (c == '"') {
        read_string(r);
        x.type = JSON_STRING;
        x.text = COPY(r->a, r->string.at, r->string.length + 1, char);
        return x;
    }
    if (c != '-' && !(c >= '0' && c <= '9'))
        return read_word(r);
    const char *digits = r->at;
    x.number = read_number(r);
    char *copy = TAKE(r->a, (size_t)(r->at - digits) + 1, char);
    x.text = memcpy(copy, digits, (size_t)(r->at - digits));
    return x;
}

/* The one value at the reader. */
static json read_all(json_reader *r)
{
    json x = read_value(r, 0);
    if (peek_value(r) != '\0')
        refuse_byte(r, "nothing behind the end");
    pool_release(r->string.at);
    return x;
}

/* The one value at s, in that line of a file. */
json json_at(app *a, const char *file, size_t line, const char *s)
{
    json_reader r = {a, file, line, s, {NULL, 0, 0}};
    return read_all(&r);
}

/* The one value of a file. */
json json_read(app *a, const char *path)
{
    char *s = read_file(a, path);
    json_reader r = {a, path, 1, s, {NULL, 0, 0}};
    char first = peek_value(&r);
    if (first == '\0')
        bad_json(&r, "the file is empty");
    if (first != '{' && first != '[')
        refuse_byte(&r, "JSON, as --save writes a model");
    json x = read_all(&r);
    pool_release(s);
    return x;
}

/* Gives back the memory of a value. */
void json_release(json *x)
{
    for (size_t i = 0; i < x->n && x->at != NULL; i++) {
        json_release(&x->at[i]);
        if (x->name != NULL)
            pool_release((void *)x->name[i]);
    }
    pool_release(x->at);
    pool_release((void *)x->name);
    pool_release((void *)x->text);
    pool_release((void *)x->numbers);
}

/* The member of that name, or NULL. */
const json *json_member(const json *object, const char *name)
{
    for (size_t i = 0; i < object->n; i++)
        if (strcmp(object->name[i], name) == 0)
            return &object->at[i];
    return NULL;
}
