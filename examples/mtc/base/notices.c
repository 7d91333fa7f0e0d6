/* SPDX-License-Identifier: MIT
 *
 * notices.c - what a run has to say besides its results
 *
 * Every notice has a code that never changes, the columns it speaks of and a
 * sentence.  It is printed at once, unless --quiet is given, and kept, so that
 * the JSON has all of them whether they were printed or not: of a hundred files
 * that say the same only a few are printed.  A guess is a notice about how
 * columns or rows were understood: with --strict it is an error.  What a piece
 * of work says (see jobs.c) is printed when all pieces are done.
 */
#include "app.h"

#include <stdio.h>
#include <string.h>

enum { ALIKE_SHOWN = 5 };               /* notices of one code */

/* `mtc: kind: text`, unless --quiet; the remark is kept already. */
static void print_remark(app *a, const remark *r)
{
    size_t alike = 0;
    for (size_t i = 0; i < a->said.n; i++)
        alike += strcmp(a->said.at[i].code, r->code) == 0;
    if (a->quiet || alike > ALIKE_SHOWN + 1)
        return;
    const char *shown = alike <= ALIKE_SHOWN
                            ? r->text : "there is more of this kind; --json "
                                        "FILE has all of it";
    wipe_progress(a);
    if (has_colors(2))
        fprintf(stderr, "mtc: \033[%sm%s:\033[0m %s\n",
                strcmp(r->kind, "warning") == 0 ? "33" : "36", r->kind, shown);
    else
        fprintf(stderr, "mtc: %s: %s\n", r->kind, shown);
}

/* Keeps a remark whose words live as long as the pool. */
static void keep_remark(app *a, const remark *r)
{
    GROW(a, a->said.at, a->said.n, a->said.room);
    a->said.at[a->said.n++] = *r;
}

/* A text of any length by a format, as it is shown. */
static const char *formatted(app *a, const char *format, va_list args)
{
    text t = {NULL, 0, 0};
    put_args(a, &t, format, args);
    return visible(a, t.at);
}

static words copy_words(app *a, const words *from)
{
    words w = {0, 0, NULL};
    for (size_t i = 0; from != NULL && i < from->n; i++)
        add_word(a, &w, from->at[i], strlen(from->at[i]));
    return w;
}

/* The input that a text names first, or NULL. */
static const char *file_of(const app *a, const char *s)
{
    const char *file = NULL, *first = NULL;
    for (size_t i = 0; i < a->n_inputs; i++) {
        const char *at = strstr(s, a->inputs[i]);
        if (at == NULL || (first != NULL && at > first) ||
            (at == first && strlen(a->inputs[i]) < strlen(file)))
            continue;
        first = at;
        file = a->inputs[i];
    }
    return file;
}

/* The option that a text names first, with its dashes, or NULL. */
static const char *option_of(app *a, const char *s)
{
    text t = {NULL, 0, 0};
    const char *at = strstr(s, "--");
    size_t n = at == NULL ? 0 : strspn(at, "-abcdefghijklmnopqrstuvwxyz");
    if (n < 3)
        return NULL;
    add_bytes(a, &t, at, n);
    return t.at;
}

/* A trial that fails is reported only by its reason, unless it tells all. */
static void say(app *a, const char *kind, int is_guess, const char *code,
                const words *columns, const char *format, va_list args)
{
    if ((a->trial != NULL && !a->trial->tells) || a->deaf)
        return;
    const char *said = formatted(a, format, args);
    remark r = {kind, code, copy_words(a, columns), said, file_of(a, said),
                option_of(a, said), is_guess};
    keep_remark(a, &r);
    if (a->errand == NULL && !(is_guess && a->strict))
        print_remark(a, &r);
}

/* Something that may be wrong. */
void warn(app *a, const char *code, const words *columns, const char *format,
          ...)
{
    va_list args;
    va_start(args, format);
    say(a, "warning", 0, code, columns, format, args);
    va_end(args);
}

/* Something that was understood so, and how to have it otherwise. */
void inform(app *a, const char *code, const words *columns, const char *format,
            ...)
{
    va_list args;
    va_start(args, format);
    say(a, "note", 0, code, columns, format, args);
    va_end(args);
}

/* The same of columns or rows; --strict refuses it: see refuse_guesses. */
void guess(app *a, const char *code, const words *columns, const char *format,
           ...)
{
    va_list args;
    va_start(args, format);
    say(a, "note", 1, code, columns, format, args);
    va_end(args);
}

/* Ends the program with --strict if anything was guessed: all of it is in the
 * one message. */
void refuse_guesses(app *a)
{
    text t = {NULL, 0, 0};
    for (size_t i = 0; i < a->said.n && a->strict; i++)
        if (a->said.at[i].guessed)
            put(a, &t, "%s%s", t.length > 0 ? "\n  " : "",
                a->said.at[i].text);
    if (t.length > 0)
        fail(a, BAD_DATA, "%-s\n  (--strict refuses guesses)", t.at);
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

/* ---- JSON ---- */

static void put_member(app *a, text *t, const char *name, const char *value)
{
    put(a, t, ", \"%s\": ", name);
    if (value == NULL)
        put(a, t, "null");
    else
        put_escaped(a, t, value, 0);
}

/* What the run has said: a list, which may be empty. */
static void put_notices(app *a, text *t)
{
    put(a, t, "\"notices\": [");
    for (size_t i = 0; i < a->said.n; i++) {
        const remark *r = &a->said.at[i];
        put(a, t, "%s\n    {\"code\": \"%s\", \"columns\": [",
            i == 0 ? "" : ",", r->code);
        for (size_t c = 0; c < r->columns.n; c++) {
            put(a, t, c == 0 ? "" : ", ");
            put_escaped(a, t, r->columns.at[c], 0);
        }
        put(a, t, "], \"text\": ");
        put_escaped(a, t, r->text, 0);
        put_member(a, t, "file", r->file);
        put_member(a, t, "option", r->option);
        put(a, t, "}");
    }
    put(a, t, a->said.n > 0 ? "\n  ],\n  " : "],\n  ");
}

/* How every object begins: what wrote it, by which rules, and what there is
 * to be said of the data.  So it is written when all has been said. */
void json_begin(app *a, text *t)
{
    put(a, t, "{\n  \"mtc\": \"%s\",\n  \"schema\": 2,\n  ", mtc_version());
    put_notices(a, t);
}

/* What ended the program, for whoever reads JSON from standard output. */
void print_json_error(app *a, int status, const char *reason)
{
    text t = {NULL, 0, 0};
    a->answers_json = 0;                        /* of one error only */
    json_begin(a, &t);
    put(a, &t, "\"error\": {\"status\": %d, \"text\": ", status);
    put_escaped(a, &t, reason, 0);
    put(a, &t, "}\n}\n");
    fwrite(t.at, 1, t.length, stdout);
}
