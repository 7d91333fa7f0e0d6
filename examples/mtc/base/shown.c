/* SPDX-License-Identifier: MIT
 *
 * shown.c - names and cells as people get to see them
 *
 * File names, columns, cells and models may hold anything: sequences that
 * paint a terminal or turn the direction of a line, newlines that look like
 * messages of this program.  Where such text is shown, control characters
 * (C0, DEL, C1) and marks of direction stand as \x1b or \u202e; so do, on a
 * terminal, bytes that are not UTF-8.  Files with data keep their bytes.
 * Tables escape names where they put them (`visible`), since only there a newline
 * of a name and one of the table are told apart; all that goes to standard
 * output passes `put_shown` besides.  A message escapes every %s.  `%-s` is for
 * text of several lines that was composed with care.
 */
#include "app.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The character at s, of `length` bytes; a byte that is not UTF-8 is its own
 * character. */
static unsigned long code_at(const char *s, size_t length)
{
    const unsigned char *u = (const unsigned char *)s;
    static const unsigned first[5] = {0xff, 0x7f, 0x1f, 0x0f, 0x07};
    unsigned long code = u[0] & first[length];
    for (size_t i = 1; i < length; i++)
        code = code << 6 | (u[i] & 0x3f);
    return code;
}

/* Must the character at s not reach a terminal?  Its code, else 0. */
unsigned long control_at(const char *s)
{
    unsigned long c = code_at(s, utf8_length(s));
    int ascii = c < 32 || c == 127 || (c >= 128 && c < 160);
    int turns = c == 0x61c || (c >= 0x200e && c <= 0x200f) ||
                (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
    return ascii || turns ? c : 0;
}

/* The same; a byte that is not UTF-8 must not reach it, either. */
static unsigned long hidden_at(const char *s)
{
    return utf8_length(s) > 0 ? control_at(s) : (unsigned char)*s;
}

/* How a control character is written. */
static void escape(char *to, unsigned long code)
{
    sprintf(to, code < 256 ? "\\x%02lx" : "\\u%04lx", code);
}

/* How many characters of a line the name takes. */
size_t shown_length(const char *s)
{
    char mark[32];
    size_t n = 0;
    while (*s != '\0') {
        size_t length = utf8_length(s);
        unsigned long control = control_at(s);
        escape(mark, control);
        n += control != 0 ? strlen(mark) : 1;
        s += length > 0 ? length : 1;
    }
    return n;
}

/* Adds a text with such characters escaped, all but those of `but`. */
void put_shown(app *a, text *t, const char *s, const char *but)
{
    const char *plain = s;
    while (*s != '\0') {
        size_t length = utf8_length(s) > 0 ? utf8_length(s) : 1;
        unsigned long control = hidden_at(s);
        if (control != 0 && strchr(but, *s) == NULL) {
            char mark[32];
            escape(mark, control);
            add_bytes(a, t, plain, (size_t)(s - plain));
            put(a, t, "%s", mark);
            plain = s + length;
        }
        s += length;
    }
    add_bytes(a, t, plain, (size_t)(s - plain));
}

/* How many of n bytes a message has room for: none parts a character. */
int some_bytes(const char *s, size_t n)
{
    size_t end = n < 30 ? n : 30;
    while (end > 27 && end < n && (s[end] & 0xc0) == 0x80)
        end--;
    return (int)end;
}

/* A name as it is shown: mostly itself. */
const char *visible(app *a, const char *name)
{
    text t = {NULL, 0, 0};
    if (shown_length(name) == characters(name))
        return name;
    put_shown(a, &t, name, "");
    return t.at;
}

/* ---- messages ---- */

/* Where a message goes: to a stream, or as far as there is room. */
typedef struct sink {
    FILE *stream;                   /* NULL: none */
    char *to;
    size_t room, length;            /* length: also of what had no room */
} sink;

static void pour(sink *k, const char *s, size_t n)
{
    if (k->stream != NULL)
        fwrite(s, 1, n, k->stream);
    for (size_t i = 0; i < n; i++, k->length++)
        if (k->length + 1 < k->room)
            k->to[k->length] = s[i];
}

/* A word of a message: at most `most` bytes of it.  `several`: it may
 * have lines of its own. */
static void pour_word(sink *k, const char *s, size_t most, int several)
{
    size_t step;
    for (size_t at = 0; at < most && s[at] != '\0'; at += step) {
        char mark[32];
        unsigned long control = hidden_at(s + at);
        step = utf8_length(s + at) > 0 ? utf8_length(s + at) : 1;
        escape(mark, control);
        if (control != 0 && !(several && s[at] == '\n'))
            pour(k, mark, strlen(mark));
        else
            pour(k, s + at, step);
    }
}

/* A number of a message, by printf. */
#define POUR_NUMBER(k, one, args, type)                                     \
    do {                                                                    \
        char number[400];                                                   \
        int n = snprintf(number, sizeof number, one, va_arg(args, type));   \
        pour(k, number, n > 0 ? (size_t)n : 0);                             \
    } while (0)

/* One conversion at `format`: its length.  `one` [16] is a copy of it. */
static size_t conversion(const char *format, char *one)
{
    size_t n = 1 + strspn(format + 1, "-+0123456789.*lz");
    n += format[n] != '\0' && n < 15;
    memcpy(one, format, n);
    one[n] = '\0';
    return n;
}

/* As vprintf, for %s, %.*s and numbers; what names hold is escaped. */
static void pour_message(sink *k, const char *format, va_list args)
{
    for (;;) {
        char one[16];
        size_t plain = strcspn(format, "%");
        pour(k, format, plain);
        format += plain;
        if (*format == '\0')
            return;
        format += conversion(format, one);
        const char *point = strchr(one, '.');
        char kind = one[strlen(one) - 1];
        if (kind == 's') {
            long most = point == NULL    ? LONG_MAX
                        : point[1] == '*' ? va_arg(args, int)
                                          : strtol(point + 1, NULL, 10);
            pour_word(k, va_arg(args, const char *), (size_t)most,
                      one[1] == '-');
        } else if (kind == '%')
            pour(k, "%", 1);
        else if (strchr("gfe", kind) != NULL)
            POUR_NUMBER(k, one, args, double);
        else if (strchr(one, 'z') != NULL)
            POUR_NUMBER(k, one, args, size_t);
        else if (strstr(one, "ll") != NULL)
            POUR_NUMBER(k, one, args, unsigned long long);
        else if (strchr(one, 'l') != NULL)
            POUR_NUMBER(k, one, args, unsigned long);
        else
            POUR_NUMBER(k, one, args, int);
    }
}

/* As vsnprintf, for messages: the length that it needs. */
size_t format_message(char *to, size_t room, const char *format, va_list args)
{
    sink k = {NULL, to, room, 0};
    pour_message(&k, format, args);
    if (room > 0)
        to[k.length < room ? k.length : room - 1] = '\0';
    return k.length;
}

/* As vfprintf, to standard error. */
void print_message(const char *format, va_list args)
{
    sink k = {stderr, NULL, 0, 0};
    pour_message(&k, format, args);
}
