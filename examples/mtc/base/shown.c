/* SPDX-License-Identifier: MIT
 *
 * shown.c - names and cells as people get to see them
 *
 * File names, columns, cells and models may hold anything: sequences that
 * paint a terminal or turn the direction of a line, newlines that look like
 * messages of this program.  Where such text is shown, control characters
 * (C0, DEL, C1), marks of direction and bytes that are not UTF-8 stand as \x1b
 * or \u202e.  Files with data keep their bytes.
 * Tables escape names where they put them (`visible`), since only there a newline
 * of a name and one of the table are told apart; all that goes to standard
 * output passes `put_shown` besides.  A message is escaped as a whole.  It has
 * lines of its own only if its format says so, with a "\n" or with "%-s" for a
 * text of several lines; names in such a text have been escaped before.
 */
#include "app.h"

#include <stdio.h>
#include <string.h>

/* Must the character not reach a terminal? */
int is_control(uint32_t c)
{
    return c < 32 || c == 127 || (c >= 128 && c < 160) || c == 0x61c ||
           (c >= 0x200e && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
           (c >= 0x2066 && c <= 0x2069);
}

/* Writes a text with such characters escaped, all but those of `but`, as far
 * as there is room; returns the length of all of it. */
static size_t escape_text(char *to, size_t room, const char *s,
                          const char *but)
{
    size_t length = 0, step;
    for (; *s != '\0'; s += step) {
        char mark[12];
        const char *from = s;
        uint32_t c = utf8_at(s, &step);
        size_t n = step;
        uint32_t code = c == NO_CHARACTER ? (unsigned char)*s : c;
        if ((c == NO_CHARACTER || is_control(c)) && !strchr(but, *s)) {
            n = (size_t)sprintf(mark, code < 256 ? "\\x%02lx" : "\\u%04lx",
                                (unsigned long)code);
            from = mark;
        }
        for (size_t i = 0; i < n; i++, length++)
            if (length + 1 < room)
                to[length] = from[i];
    }
    if (room > 0)
        to[length < room ? length : room - 1] = '\0';
    return length;
}

/* How many characters of a line the name takes. */
size_t shown_length(const char *s)
{
    return escape_text(NULL, 0, s, "") - (strlen(s) - characters(s));
}

/* Adds a text with such characters escaped, all but those of `but`. */
void put_shown(app *a, text *t, const char *s, const char *but)
{
    size_t n = escape_text(NULL, 0, s, but);
    while (t->room <= t->length + n)
        GROW(a, t->at, t->room, t->room);
    escape_text(t->at + t->length, n + 1, s, but);
    t->length += n;
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
    if (escape_text(NULL, 0, name, "") == strlen(name))
        return name;
    put_shown(a, &t, name, "");
    return t.at;
}

/* As vsnprintf, for messages. */
void format_message(char *to, size_t room, const char *format, va_list args)
{
    char plain[MESSAGE];
    int lines = strchr(format, '\n') != NULL || strstr(format, "%-s") != NULL;
    vsnprintf(plain, sizeof plain, format, args);
    escape_text(to, room, plain, lines ? "\n" : "");
}
