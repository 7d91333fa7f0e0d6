/* SPDX-License-Identifier: MIT
 *
 * text.c - text that grows, and whole files
 *
 * All output is composed in memory and written at the end of a command: each
 * file under another name first, then all are moved to their places.  So a
 * run that fails leaves no file, and no file is ever half.  The readers, too,
 * get a whole file as one text, so that lines have no greatest length.
 */
#include "app.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NAMES = 10000 };            /* tried for one file */

/* vprintf to the end of a text. */
void put_args(app *a, text *t, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    if (t->room == 0)
        GROW(a, t->at, t->room, t->room);
    size_t left = t->room - t->length;
    int length = vsnprintf(t->at + t->length, left, format, args);
    if (length < 0)
        fail(a, BAD_DATA, "a text cannot be formatted");
    while (t->room <= t->length + (size_t)length)
        GROW(a, t->at, t->room, t->room);
    if ((size_t)length >= left)
        vsnprintf(t->at + t->length, (size_t)length + 1, format, again);
    va_end(again);
    t->length += (size_t)length;
}

/* printf to the end of a text. */
void put(app *a, text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    put_args(a, t, format, args);
    va_end(args);
}

/* The same as a text of its own. */
char *formed_args(app *a, const char *format, va_list args)
{
    text t = {NULL, 0, 0};
    put_args(a, &t, format, args);
    return t.at;
}

char *formed(app *a, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *s = formed_args(a, format, args);
    va_end(args);
    return s;
}

/* What a task is called in a sentence: with --split a part of one file. */
const char *file_word(const settings *set)
{
    return set->split != NULL ? "part" : "file";
}

/* x to three digits, 1000 and not 1e+03. */
const char *three_digits(app *a, double x)
{
    const char *s = formed(a, "%.3g", x);
    return strstr(s, "e+") != NULL ? formed(a, "%.0f", strtod(s, NULL)) : s;
}

void add_bytes(app *a, text *t, const char *s, size_t n)
{
    while (t->room <= t->length + n)
        GROW(a, t->at, t->room, t->room);
    memcpy(t->at + t->length, s, n);
    t->length += n;
    t->at[t->length] = '\0';
}

/* The field width for `width` characters: printf counts bytes. */
int padded(const char *s, int width)
{
    return width + (int)(strlen(s) - characters(s));
}

/* A name of at most `most` characters: of a longer one head and tail, with an
 * ellipsis (UTF-8) in between. */
const char *cut_name(app *a, const char *name, size_t most)
{
    text t = {NULL, 0, 0};
    name = visible(a, name);
    size_t length = characters(name), at = 0, tail = most / 3;
    put(a, &t, "%s", "");
    for (const char *s = name; *s != '\0'; at++) {
        size_t step;
        utf8_at(s, &step);
        if (length > most && at == most - tail - 1)
            put(a, &t, "\xe2\x80\xa6");
        if (length <= most || at + tail + 1 < most || at + tail >= length)
            put(a, &t, "%.*s", (int)step, s);
        s += step;
    }
    return t.at;
}

/* Words in lines of at most 78 characters. */
void put_wrapped(app *a, text *t, const char *s)
{
    size_t column = 0;
    for (; *(s += strspn(s, " ")) != '\0'; s += strcspn(s, " ")) {
        int n = (int)strcspn(s, " ");
        int fits = column > 0 && column + (size_t)n + 1 <= 78;
        put(a, t, "%s%.*s", column == 0 ? "" : fits ? " " : "\n", n, s);
        column = (fits ? column + 1 : 0) + (size_t)n;
    }
    put(a, t, "\n");
}

/* A name in a column of a table, to the right. */
void put_heading(app *a, text *t, const char *name, size_t width)
{
    const char *shown = cut_name(a, name, width);
    put(a, t, " %*s%s", (int)(width - characters(shown)), "", shown);
}

/* The text in UTF-8: a byte that is not is read as Latin-1. */
void put_utf8(app *a, text *t, const char *s)
{
    for (size_t step; *s != '\0'; s += step) {
        char bytes[4];
        uint32_t c = utf8_at(s, &step);
        c = c == NO_CHARACTER ? (unsigned char)*s : c;
        add_bytes(a, t, bytes, utf8_put(c, bytes));
    }
}

/* The same of names and cells, which mostly are UTF-8. */
const char *in_utf8(app *a, const char *s)
{
    text t = {NULL, 0, 0};
    if (utf8_valid(s, strlen(s)))
        return s;
    put_utf8(a, &t, s);
    return t.at;
}

/* Text for JSON (xml 0, with its quotes) or SVG (xml 1).  In SVG a control
 * character is shown (\x1b), since XML has none. */
void put_escaped(app *a, text *t, const char *s, int xml)
{
    s = xml ? visible(a, in_utf8(a, s)) : in_utf8(a, s);
    put(a, t, xml ? "" : "\"");
    for (size_t step; *s != '\0'; s += step) {
        uint32_t c = utf8_at(s, &step);
        if (is_control(c))
            put(a, t, "\\u%04lx", (unsigned long)c);
        else if (xml && strchr("&<>\"", *s) != NULL)
            put(a, t, "&#%d;", *s);
        else if (!xml && (c == '"' || c == '\\'))
            put(a, t, "\\%c", *s);
        else
            add_bytes(a, t, s, step);
    }
    put(a, t, xml ? "" : "\"");
}

/* A text of JSON, in its quotes; null where there is none. */
const char *json_text(app *a, const char *s)
{
    text t = {NULL, 0, 0};
    if (s == NULL)
        return "null";
    put_escaped(a, &t, s, 0);
    return t.at;
}

/* A field of CSV, in quotes where it needs them. */
void put_csv(app *a, text *t, const char *s)
{
    if (strpbrk(s, ",;\t|\"#\r\n ") == NULL && *s != '\0') {
        put(a, t, "%s", s);
        return;
    }
    put(a, t, "\"");
    for (; *s != '\0'; s++)
        put(a, t, *s == '"' ? "\"\"" : "%c", *s);
    put(a, t, "\"");
}

/* A real of JSON, which knows no NaN and no infinity. */
void put_real(app *a, text *t, double x)
{
    put(a, t, x - x == 0 ? "%.17g" : "null", x);
}

const char *json_real(app *a, double x)
{
    return x - x == 0 ? formed(a, "%.17g", x) : "null";
}

/* [x, y, ...] */
void put_reals(app *a, text *t, size_t n, const mtc_real *x)
{
    for (size_t i = 0; i < n; i++) {
        put(a, t, i == 0 ? "[" : ", ");
        put_real(a, t, (double)x[i]);
    }
    put(a, t, n == 0 ? "[]" : "]");
}

/* [[...], [...]], row by row. */
void put_matrix(app *a, text *t, size_t m, size_t n, const mtc_real *x)
{
    for (size_t i = 0; i < m; i++) {
        put(a, t, i == 0 ? "[" : ",\n    ");
        put_reals(a, t, n, x + i * n);
    }
    put(a, t, m == 0 ? "[]" : "]");
}

void put_wholes(app *a, text *t, size_t n, const size_t *x)
{
    for (size_t i = 0; i < n; i++)
        put(a, t, i == 0 ? "[%zu" : ", %zu", x[i]);
    put(a, t, n == 0 ? "[]" : "]");
}

/* ["a", "b"] */
void put_texts(app *a, text *t, size_t n, const char *const *word)
{
    for (size_t i = 0; i < n; i++) {
        put(a, t, i == 0 ? "[" : ", ");
        put_escaped(a, t, word[i], 0);
    }
    put(a, t, n == 0 ? "[]" : "]");
}

void put_ints(app *a, text *t, size_t n, const int *x)
{
    for (size_t i = 0; i < n; i++)
        put(a, t, i == 0 ? "[%d" : ", %d", x[i]);
    put(a, t, n == 0 ? "[]" : "]");
}

/* A path with its directory cut off. */
const char *base_name(const char *path)
{
    const char *base = path;
    for (const char *s = path; *s != '\0'; s++)
        if (*s == '/' || (*s == '\\' && APP_BACKSLASH))
            base = s + 1;
    return base;
}

/* DIRECTORY/NAMEending */
const char *join_path(app *a, const char *directory, const char *name,
                      const char *ending)
{
    size_t n = strlen(directory);
    int bare = n > 0 && directory[n - 1] == '/';
    return formed(a, "%s%s%s%s", directory, bare ? "" : "/", name, ending);
}

/* Notes what is to be written; text NULL: a directory. */
static void note_output(app *a, const char *path, const char *at,
                        size_t length)
{
    GROW(a, a->outputs, a->n_outputs, a->room_outputs);
    output *o = &a->outputs[a->n_outputs++];
    o->path = COPY(a, path, strlen(path) + 1, char);
    o->part = NULL;
    o->made = 0;
    o->text = at;
    o->length = length;
}

/* A whole file, or standard output if the path is "-". */
void save(app *a, const char *path, const text *t)
{
    if (t->length > 0 || strcmp(path, "-") != 0)
        note_output(a, path, t->length > 0 ? t->at : "", t->length);
}

/* The directory of files that follow, and those above it. */
void save_directory(app *a, const char *path)
{
    for (size_t n = 1; path[n - 1] != '\0'; n++)
        if (path[n] == '/' || path[n] == '\0')
            note_output(a, formed(a, "%.*s", (int)n, path), NULL, 0);
}

static APP_NORETURN void cannot_write(app *a, const output *o)
{
    fail(a, BAD_DATA, "%s: %s", o->path, strerror(errno));
}

/* All of an output, and the end of its file. */
static void write_text(app *a, const output *o, FILE *f)
{
    int whole = fwrite(o->text, 1, o->length, f) == o->length, why = errno;
    if (fclose(f) == 0 && whole)
        return;
    errno = whole ? errno : why;
    cannot_write(a, o);
}

/* Nothing can be moved onto a device, a pipe or a link: it is written to. */
static void write_stream(app *a, const output *o)
{
    FILE *f = fopen(o->path, "wb");
    if (f == NULL)
        cannot_write(a, o);
    a->committed++;
    write_text(a, o, f);
}

/* Writes the i-th file under a name of its own beside its place.  What has that
 * name already is not ours: the next is taken. */
static void write_part(app *a, output *o, size_t i)
{
    FILE *f = NULL;
    for (size_t number = i; f == NULL; number++) {
        char *name = formed(a, "%.*s.mtc-%zu.part",
                            (int)(base_name(o->path) - o->path), o->path,
                            number);
        f = create_file(name);
        if (f != NULL)
            o->part = name;
        else if (errno != EEXIST || number == i + MOST_NAMES)
            cannot_write(a, o);
    }
    write_text(a, o, f);
}

/* Was the file read? */
int is_input(const app *a, const char *path)
{
    int there = same_file(path, path);          /* most are new */
    for (size_t k = 0; k < a->n_inputs && there; k++)
        if (same_file(path, a->inputs[k]))
            return 1;
    return 0;
}

static APP_NORETURN void refuse_overwriting(app *a, const char *path)
{
    fail(a, BAD_USAGE, "%s: is an input of this command and would be "
         "overwritten; give the output another name", path);
}

/* No file that was read may be written. */
static void spare_inputs(app *a)
{
    for (size_t i = 0; i < a->n_outputs; i++)
        if (a->outputs[i].text != NULL && is_input(a, a->outputs[i].path))
            refuse_overwriting(a, a->outputs[i].path);
}

/* No two outputs go to one place. */
static void part_outputs(app *a)
{
    const output *o = a->outputs;
    for (size_t i = 0; i < a->n_outputs; i++)
        for (size_t j = 0; j < i; j++)
            if (o[i].text != NULL && o[j].text != NULL &&
                is(o[i].path, o[j].path))
                fail(a, BAD_USAGE, "%s: two outputs would go there; give one "
                     "another name", o[i].path);
}

/* A directory that is there already is fine. */
static void write_directory(app *a, output *o)
{
    int made = make_directory(o->path);
    if (made < 0)
        fail(a, BAD_DATA, "%s: the directory cannot be made: %s", o->path,
             strerror(errno));
    o->made = made;
}

/* Writes everything that the command has saved.  Standard output comes last, as
 * people see it; main sees a failure. */
void commit(app *a)
{
    stop_if_interrupted(a);
    wipe_progress(a);
    print_notices(a, 0);
    spare_inputs(a);
    part_outputs(a);
    outlive_pipes(1);
    for (size_t i = 0; i < a->n_outputs; i++)
        if (a->outputs[i].text == NULL)
            write_directory(a, &a->outputs[i]);
        else if (strcmp(a->outputs[i].path, "-") == 0)
            continue;
        else if (is_special(a->outputs[i].path))
            write_stream(a, &a->outputs[i]);
        else
            write_part(a, &a->outputs[i], i);
    for (output *o = a->outputs; o < a->outputs + a->n_outputs; o++)
        if (o->part != NULL) {
            if (move_file(o->part, o->path) != 0)
                cannot_write(a, o);
            o->part = NULL;
            a->committed++;
        }
    outlive_pipes(0);
    for (size_t i = 0; i < a->n_outputs; i++)
        if (strcmp(a->outputs[i].path, "-") == 0 &&
            a->outputs[i].text != NULL) {
            text shown = {NULL, 0, 0};
            a->committed++;
            put_shown(a, &shown, a->outputs[i].text, "\n");
            fwrite(shown.at, 1, shown.length, stdout);
            pool_release(shown.at);
        }
    a->n_outputs = 0;
}

/* Remembers a file that is read: it must not be written. */
void note_input(app *a, const char *path)
{
    GROW(a, a->inputs, a->n_inputs, a->room_inputs);
    a->inputs[a->n_inputs++] = COPY(a, path, strlen(path) + 1, char);
    for (size_t i = 0; i < 3; i++)
        if (a->place[i] != NULL && same_file(path, a->place[i]))
            refuse_overwriting(a, a->place[i]);
}
