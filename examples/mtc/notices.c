/* SPDX-License-Identifier: MIT
 *
 * notices.c - what a run has to say besides its results
 *
 * Every notice has a code that never changes, the columns it speaks of and a
 * sentence.  It is printed at once, unless --quiet is given, and kept, so that
 * the JSON has all of them whether they were printed or not.  A guess is a
 * notice about how columns or rows were understood: with --strict it is an
 * error.  What a piece of work says (see jobs.c) is printed when all pieces
 * are done.
 */
#include "app.h"

#include <stdio.h>
#include <string.h>

/* `mtc: kind: text`, unless --quiet. */
static void print_remark(app *a, const remark *r)
{
    if (a->quiet)
        return;
    wipe_progress(a);
    if (has_colors(2))
        fprintf(stderr, "mtc: \033[%sm%s:\033[0m %s\n",
                strcmp(r->kind, "warning") == 0 ? "33" : "36", r->kind,
                r->text);
    else
        fprintf(stderr, "mtc: %s: %s\n", r->kind, r->text);
}

/* Keeps a remark whose words live as long as the pool. */
static void keep_remark(app *a, const remark *r)
{
    GROW(a, a->said.at, a->said.n, a->said.room);
    a->said.at[a->said.n++] = *r;
}

/* A text of any length by a format. */
static const char *formatted(app *a, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    size_t room = format_message(NULL, 0, format, again) + 1;
    va_end(again);
    char *s = TAKE(a, room, char);
    format_message(s, room, format, args);
    return s;
}

static words copy_words(app *a, const words *from)
{
    words w = {0, 0, NULL};
    for (size_t i = 0; from != NULL && i < from->n; i++)
        add_word(a, &w, from->at[i], strlen(from->at[i]));
    return w;
}

/* A trial that fails is reported by its reason alone. */
static void say(app *a, const char *kind, const char *code,
                const words *columns, const char *format, va_list args)
{
    if (a->trial != NULL || a->deaf)
        return;
    remark r = {kind, code, copy_words(a, columns),
                formatted(a, format, args)};
    keep_remark(a, &r);
    if (a->errand == NULL)
        print_remark(a, &r);
}

/* Something that may be wrong. */
void warn(app *a, const char *code, const words *columns, const char *format,
          ...)
{
    va_list args;
    va_start(args, format);
    say(a, "warning", code, columns, format, args);
    va_end(args);
}

/* Something that was understood so, and how to have it otherwise. */
void inform(app *a, const char *code, const words *columns, const char *format,
            ...)
{
    va_list args;
    va_start(args, format);
    say(a, "note", code, columns, format, args);
    va_end(args);
}

/* The same of columns or rows; with --strict it ends the program. */
void guess(app *a, const char *code, const words *columns, const char *format,
           ...)
{
    va_list args;
    va_start(args, format);
    if (a->strict)
        fail(a, BAD_DATA, "%s (--strict refuses guesses)",
             formatted(a, format, args));
    say(a, "note", code, columns, format, args);
    va_end(args);
}

words one_column(app *a, const char *name)
{
    words w = {0, 0, NULL};
    add_word(a, &w, name, strlen(name));
    return w;
}

/* What a piece of work has said is said now. */
void say_again(app *a, const remarks *said)
{
    for (size_t i = 0; i < said->n; i++) {
        keep_remark(a, &said->at[i]);
        if (a->errand == NULL)
            print_remark(a, &said->at[i]);
    }
}
