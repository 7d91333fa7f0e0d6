/* SPDX-License-Identifier: MIT
 *
 * source.c - text that comes in pieces: a file, standard input, memory
 *
 * A reader sees a window of the text and asks for more where it ends.  What
 * it has not used up moves to the front; the window grows only where one line
 * or record does not fit.  So a file of any size takes no more memory than
 * what is made of it.
 */
#include "../base/data.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#ifndef APP_WINDOW
#define APP_WINDOW 65536                        /* bytes, at first */
#endif

/* The length of an open file, or 0 where it is unknown; at its beginning. */
static size_t length_of(FILE *f)
{
    long length = fseek(f, 0, SEEK_END) == 0 ? ftell(f) : 0;
    rewind(f);
    return length > 0 ? (size_t)length : 0;
}

/* Opens what stands under the path, which is noted as read. */
stream open_source(app *a, const char *path)
{
    stream s;
    memset(&s, 0, sizeof s);
    s.file = path;
    s.line = 1;
    s.room = APP_WINDOW;
    s.at = TAKE(a, s.room, char);
    if (strcmp(path, "-") == 0) {
        if (a->standard_input++)
            fail(a, BAD_USAGE, "-: standard input can be read but once");
        s.stream = stdin;
        return s;
    }
    s.stream = fopen(path, "rb");
    if (s.stream == NULL)
        fail(a, BAD_DATA, "%s: %s", path, strerror(errno));
    note_input(a, path);
    s.total = length_of(s.stream);
    return s;
}

/* Reads up to `room` bytes. */
static size_t fetch(app *a, stream *s, char *to, size_t room)
{
    size_t got = s->total - s->done;
    if (s->rest != NULL) {
        got = got < room ? got : room;
        memcpy(to, s->rest + s->done, got);
        return got;
    }
    got = fread(to, 1, room, s->stream);
    if (got < room && ferror(s->stream))
        fail(a, BAD_DATA, "%s: cannot be read: %s", s->file, strerror(errno));
    return got;
}

/* Ends the program if this is no text in bytes; `from` are new ones. */
static void check_text(app *a, const stream *s, const char *from, size_t n)
{
    const unsigned char *u = (const unsigned char *)from;
    const char *nul = (const char *)memchr(from, '\0', n);
    if (s->done == 0 && n >= 2 &&
        ((u[0] == 0xff && u[1] == 0xfe) || (u[0] == 0xfe && u[1] == 0xff) ||
         (u[0] == 0) != (u[1] == 0)))
        fail(a, BAD_DATA, "%s: this is UTF-16 text; save it as UTF-8",
             s->file);
    if (s->done == 0 && n >= 4 && memcmp(from, "PK\003\004", 4) == 0)
        fail(a, BAD_DATA, "%s: this is a workbook or another archive; save the "
             "sheet as CSV", s->file);
    if (nul == NULL)
        return;
    size_t line = s->line;
    for (const char *p = s->at; p < nul; p++)
        line += *p == '\n';
    fail(a, BAD_DATA, "%s:%zu: a NUL byte: this is not text", s->file, line);
}

/* Moves what stands from `begin` on to the front and reads behind it; 0 if
 * nothing came.  `line` is that of `begin`. */
int more_text(app *a, stream *s)
{
    if (s->over)
        return 0;
    memmove(s->at, s->at + s->begin, s->end - s->begin);
    s->end -= s->begin;
    s->begin = 0;
    if (s->room - s->end < 2 || s->end > s->room / 2)
        GROW(a, s->at, s->room, s->room);
    size_t got = fetch(a, s, s->at + s->end, s->room - s->end - 1);
    check_text(a, s, s->at + s->end, got);
    int marked = s->done == 0 && got >= 3 &&
                 strncmp(s->at, "\xef\xbb\xbf", 3) == 0;
    s->begin = marked ? 3 : 0;                  /* a byte order mark */
    s->done += got;
    s->end += got;
    s->at[s->end] = '\0';
    s->over = got == 0;
    if (got > 0 && s->done > got)
        safe_point(a, "reading", s->done, s->total);
    return got > 0;
}

/* The next line without its end, or NULL; it may be cut up. */
char *source_line(app *a, stream *s)
{
    char *start, *end;
    for (;;) {
        start = s->at + s->begin;
        end = s->end > s->begin
                  ? (char *)memchr(start, '\n', s->end - s->begin) : NULL;
        if (end != NULL || !more_text(a, s))
            break;
    }
    start = s->at + s->begin;
    if (end == NULL && s->begin == s->end)
        return NULL;
    s->begin = end != NULL ? (size_t)(end + 1 - s->at) : s->end;
    if (end != NULL)
        *end = '\0';
    s->line++;
    return start;
}

/* Gives back what only reading needs. */
void close_source(stream *s)
{
    if (s->stream != NULL && s->stream != stdin)
        fclose(s->stream);
    pool_release(s->at);
    s->stream = NULL;
    s->at = NULL;
}
