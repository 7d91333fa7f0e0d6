/* SPDX-License-Identifier: MIT
 *
 * notices.c - what a run has to say besides its results
 *
 * Every notice has a code that never changes, the columns it speaks of and a
 * sentence.  All are kept, for the JSON; before the first output five of them are
 * printed, those that matter most, and how many there are besides.  A guess is a
 * notice about how columns or rows were understood: with --strict it is an
 * error.
 */
#include "app.h"

#include <stdio.h>
#include <string.h>

enum { SHOWN = 5, RANKS = 6 };          /* notices that are printed */

/* How much it matters: warnings, then what changed values, codes for missing,
 * labels, rows, and columns that were left out. */
static int rank_of(const remark *r)
{
    static const char *const values = " moved units far yes-no missing-word "
        "missing scaled decimal-comma thousands sign days header unscaled "
        "weights ";
    static const char *const rows = " names total unlabeled no-label index ";
    char word[64];
    snprintf(word, sizeof word, " %s ", r->code);
    if (strcmp(r->kind, "warning") == 0)
        return strcmp(r->code, "sentinel") == 0 ? 2 : 0;
    return strstr(values, word) != NULL           ? 1
           : strcmp(r->code, "labels") == 0       ? 3
           : strstr(rows, word) != NULL           ? 4 : 5;
}

/* `mtc: kind: text` */
static void print_remark(app *a, const char *kind, const char *s)
{
    wipe_progress(a);
    fprintf(stderr, "mtc: %s: %s\n", kind, s);
}

/* Prints what was not printed yet, unless --quiet: the first five by what they
 * say, with --verbose all.  What was decided of labels, rows and columns says
 * nothing where the run fails. */
void print_notices(app *a, int fails)
{
    size_t printed = 0, hidden = 0;
    for (int rank = 0; rank < RANKS && !a->quiet; rank++)
        for (size_t i = a->told; i < a->said.n; i++) {
            const remark *r = &a->said.at[i];
            int apart = r->guessed && (a->strict || (fails && rank > 1));
            if (rank_of(r) != rank || apart)
                continue;
            if (a->verbose || printed < SHOWN) {
                print_remark(a, r->kind, r->text);
                printed++;
            } else
                hidden++;
        }
    a->told = a->said.n;
    if (hidden > 0) {
        char more[100];
        snprintf(more, sizeof more, "and %lu more: --verbose or --json FILE has "
                 "all", (unsigned long)hidden);
        print_remark(a, "note", more);
    }
}

/* Keeps a remark whose words live as long as the pool. */
static void keep_remark(app *a, const remark *r)
{
    GROW(a, a->said.at, a->said.n, a->said.room);
    a->said.at[a->said.n++] = *r;
}

static words copy_words(app *a, const words *from)
{
    words w = {0, 0, NULL};
    for (size_t i = 0; from != NULL && i < from->n; i++)
        add_name(a, &w, from->at[i]);
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
    const char *at = strstr(s, "--");
    size_t n = at == NULL ? 0 : strspn(at, "-abcdefghijklmnopqrstuvwxyz");
    return n < 3 ? NULL : formed(a, "%.*s", (int)n, at);
}

/* A trial that fails is reported only by its reason, unless it tells all. */
void say(app *a, saying how, const char *code, const words *columns,
         const char *format, ...)
{
    va_list args;
    if ((a->trial != NULL && !a->trial->tells) || a->deaf)
        return;
    va_start(args, format);
    const char *said = visible(a, formed_args(a, format, args));
    va_end(args);
    remark r = {how == WARNING ? "warning" : "note", code,
                copy_words(a, columns), said, file_of(a, said),
                option_of(a, said), how == GUESS};
    keep_remark(a, &r);
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
    add_name(a, &w, name);
    return w;
}

/* What a piece of work has said is said now. */
void say_again(app *a, const remarks *said)
{
    for (size_t i = 0; i < said->n; i++)
        keep_remark(a, &said->at[i]);
}

/* ---- JSON ---- */

/* What the run has said: a list, which may be empty. */
static void put_notices(app *a, text *t)
{
    put(a, t, "\"notices\": [");
    for (size_t i = 0; i < a->said.n; i++) {
        const remark *r = &a->said.at[i];
        put(a, t, "%s\n    {\"code\": \"%s\", \"columns\": ",
            i == 0 ? "" : ",", r->code);
        put_texts(a, t, r->columns.n, r->columns.at);
        put(a, t, ", \"text\": %s, \"file\": %s, \"option\": %s}",
            json_text(a, r->text), json_text(a, r->file),
            json_text(a, r->option));
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
    put(a, &t, "\"error\": {\"status\": %d, \"text\": %s}\n}\n", status,
        json_text(a, reason));
    fwrite(t.at, 1, t.length, stdout);
}
