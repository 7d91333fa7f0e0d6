/* SPDX-License-Identifier: MIT
 *
 * jsonl.c - JSON lines: an object on each line becomes a row of a table
 *
 * Members are columns, in the order in which the lines show them.  A text is a
 * cell in quotes; null, and a member that a line has not, are empty cells.
 */
#include "csv.h"
#include "json.h"

#include <string.h>

/* A value as a cell.  Arrays and objects are words that say nothing. */
static const char *cell_of(const csv *c, const char *name, const json *x)
{
    const settings *set = c->set;
    if (x->type < JSON_NUMBERS)
        return x->type == JSON_NULL    ? ""
               : x->type == JSON_FALSE ? "false"
               : x->type == JSON_TRUE  ? "true" : x->text;
    if (has_word(&set->text, name) || is(set->id, name) ||
        is(set->labels, name))
        fail(c->a, BAD_DATA, "%s:%zu: %s is an array or an object; a text is "
             "wanted", c->file, line_of(c, c->n), quote(c->a, name));
    return x->type == JSON_OBJECT ? "{}" : "[]";
}

/* A file whose lines become rows in place: cells, a gap, and what is not read
 * yet. */
typedef struct lines {
    char *at;
    size_t cells, rest, end, room;  /* where the last two parts begin; all */
    dictionary names;               /* of the members so far */
    size_t *begin, *had;            /* [rows] where; how many there were */
    size_t room_begin, room_had;
} lines;

/* Makes the gap that large, if rows are longer than their lines. */
static void make_room(app *a, lines *l, size_t size)
{
    size_t left = l->end - l->rest;
    if (l->cells + size <= l->rest)
        return;
    while (l->room < l->cells + size + left)
        GROW(a, l->at, l->room, l->room);
    memmove(l->at + l->room - left, l->at + l->rest, left);
    l->rest = l->room - left;
    l->end = l->room;
}

static void add_cell(app *a, lines *l, const char *quote, const char *s)
{
    size_t n = strlen(s) + 1, before = strlen(quote);
    make_room(a, l, before + n);
    memcpy(l->at + l->cells, quote, before);
    memcpy(l->at + l->cells + before, s, n);
    l->cells += before + n;
}

/* The object as a row: a cell for each member that is known by now. */
static void add_row(csv *c, lines *l, const json *object)
{
    app *a = c->a;
    for (size_t m = 0; m < object->n; m++)
        number_word(a, &l->names, object->name[m], strlen(object->name[m]));
    GROW(a, l->begin, c->n, l->room_begin);
    GROW(a, l->had, c->n, l->room_had);
    l->had[c->n] = l->names.n;
    l->begin[c->n] = l->cells;
    for (size_t j = 0; j < l->names.n; j++) {
        const char *name = l->names.word[j];
        const json *x = json_member(object, name);
        add_cell(a, l, x != NULL && x->type == JSON_STRING ? "\"" : "",
                 x != NULL ? cell_of(c, name, x) : "");
    }
    c->n++;
}

/* Gives rows that were read before a member was known an empty cell for it. */
static void even_rows(csv *c, lines *l)
{
    size_t to = l->cells, end = l->cells;
    for (size_t i = 0; i < c->n; i++)
        to += c->width - l->had[i];
    while (l->room < to)
        GROW(c->a, l->at, l->room, l->room);
    for (size_t i = c->n; i-- > 0;) {
        size_t begin = l->begin[i], n = end - begin;
        size_t more = c->width - l->had[i];
        to -= n + more;
        memmove(l->at + to, l->at + begin, n);
        memset(l->at + to + n, 0, more);
        end = begin;
    }
}

/* Reads c->file; the names of its columns are the members'. */
void read_lines(csv *c, words *names)
{
    app *a = c->a;
    lines l = {.at = read_file(a, c->file)};
    l.end = l.room = strlen(l.at) + 1;
    for (size_t line = 1; l.at[l.rest] != '\0'; line++) {
        char *s = l.at + l.rest, *end = s + strcspn(s, "\n");
        l.rest += (size_t)(end - s) + (*end != '\0');
        *end = '\0';
        stop_if_interrupted(a);
        s += strspn(s, " \t\r");
        if (*s == '\0')
            continue;
        note_line(c, line);
        if (*s != '{')
            fail(a, BAD_DATA, "%s:%zu: expected an object in braces", c->file,
                 line);
        json object = json_at(a, c->file, line, s);
        add_row(c, &l, &object);
        json_release(&object);
    }
    c->width = l.names.n;
    for (size_t j = 0; j < c->width; j++)
        add_name(a, names, in_utf8(a, l.names.word[j]));
    even_rows(c, &l);
    pool_release(l.begin);
    pool_release(l.had);
    c->text = c->held = l.at;
}
