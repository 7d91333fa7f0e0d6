/* SPDX-License-Identifier: MIT
 *
 * source.c - a file, or standard input, as one text in memory
 */
#include "../base/data.h"

#include <errno.h>
#include <string.h>

enum { PIECE = 1 << 20 };                       /* bytes read at once */

/* Opens what stands under the path, which is noted as read. */
static FILE *open_source(app *a, const char *path)
{
    if (strcmp(path, "-") == 0) {
        if (a->standard_input++)
            fail(a, BAD_USAGE, "-: standard input can be read but once");
        return stdin;
    }
    FILE *f = fopen(path, "rb");
    if (f == NULL)
        fail(a, BAD_DATA, "%s: %s", path, strerror(errno));
    note_input(a, path);
    return f;
}

/* Ends the program if this is no text in bytes. */
static void check_text(app *a, const char *path, const text *t)
{
    const unsigned char *u = (const unsigned char *)t->at;
    size_t n = t->length, line = 1;
    if (n >= 2 && ((u[0] == 0xff && u[1] == 0xfe) ||
                   (u[0] == 0xfe && u[1] == 0xff) || (u[0] == 0) != (u[1] == 0)))
        fail(a, BAD_DATA, "%s: this is UTF-16 text; save it as UTF-8", path);
    if (n >= 4 && memcmp(u, "PK\003\004", 4) == 0)
        fail(a, BAD_DATA, "%s: this is a workbook or another archive; save the "
             "sheet as CSV", path);
    if (strlen(t->at) == n)
        return;
    for (const char *s = t->at; *s != '\0'; s++)
        line += *s == '\n';
    fail(a, BAD_DATA, "%s:%zu: a NUL byte: this is not text", path, line);
}

/* The whole of a file in place of what t held. */
void read_text(app *a, const char *path, text *t)
{
    FILE *f = open_source(a, path);
    size_t got = 1;
    t->length = 0;
    while (got > 0) {
        while (t->room - t->length < 2)
            GROW(a, t->at, t->room, t->room);
        size_t most = t->room - t->length - 1;
        got = fread(t->at + t->length, 1, most < PIECE ? most : PIECE, f);
        t->length += got;
        if (got > 0 && t->length > PIECE)
            safe_point(a, "reading", 0, 0);
    }
    int broken = ferror(f), why = errno;
    if (f != stdin)
        fclose(f);
    if (broken)
        fail(a, BAD_DATA, "%s: cannot be read: %s", path, strerror(why));
    t->at[t->length] = '\0';
    check_text(a, path, t);
}

/* The same as a text of its own that may be cut up. */
char *read_file(app *a, const char *path)
{
    text t = {NULL, 0, 0};
    read_text(a, path, &t);
    if (strncmp(t.at, "\xef\xbb\xbf", 3) == 0)  /* a byte order mark */
        memmove(t.at, t.at + 3, t.length - 2);
    return t.at;
}
