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
             "wanted", c->file, c->line[c->n], quote(c->a, name));
    return x->type == JSON_OBJECT ? "{}" : "[]";
}

/* The object as a row: a cell for each member that is known by now. */
static void add_row(csv *c, text *out, dictionary *names, const json *object)
{
    app *a = c->a;
    for (size_t m = 0; m < object->n; m++)
        number_word(a, names, object->name[m], strlen(object->name[m]));
    GROW(a, c->row, c->n, c->room_row);
    c->row[c->n] = out->length;
    for (size_t j = 0; j < names->n; j++) {
        const json *x = json_member(object, names->word[j]);
        const char *s = x != NULL ? cell_of(c, names->word[j], x) : "";
        if (x != NULL && x->type == JSON_STRING)
            add_bytes(a, out, "\"", 1);
        add_bytes(a, out, s, strlen(s) + 1);
    }
    c->n++;
}

/* Gives rows that were read before a member was known an empty cell for it. */
static text even_rows(csv *c, const text *from, const size_t *had)
{
    text even = {NULL, 0, 0};
    for (size_t i = 0; i < c->n; i++) {
        size_t begin = c->row[i];
        size_t end = i + 1 < c->n ? c->row[i + 1] : from->length;
        c->row[i] = even.length;
        add_bytes(c->a, &even, from->at + begin, end - begin);
        for (size_t j = had[i]; j < c->width; j++)
            add_bytes(c->a, &even, "", 1);
    }
    pool_release(from->at);
    return even;
}

/* Reads c->file; the names of its columns are the members'. */
void read_lines(csv *c, words *names)
{
    app *a = c->a;
    text out = {NULL, 0, 0};
    dictionary members;
    size_t *had = NULL, room = 0, line = 1;
    char *all = read_file(a, c->file), *next;
    memset(&members, 0, sizeof members);
    out.room = strlen(all) + 1;                 /* cells are hardly longer */
    out.at = TAKE(a, out.room, char);
    for (char *s = all; *s != '\0'; s = next, line++) {
        next = s + strcspn(s, "\n");
        if (*next != '\0')
            *next++ = '\0';
        stop_if_interrupted(a);
        s += strspn(s, " \t\r");
        if (*s == '\0')
            continue;
        GROW(a, c->line, c->n, c->room_line);
        GROW(a, had, c->n, room);
        c->line[c->n] = line;
        if (*s != '{')
            fail(a, BAD_DATA, "%s:%zu: expected an object in braces", c->file,
                 line);
        json object = json_at(a, c->file, line, s);
        add_row(c, &out, &members, &object);
        json_release(&object);
        had[c->n - 1] = members.n;
    }
    pool_release(all);
    c->width = members.n;
    for (size_t j = 0; j < c->width; j++) {
        const char *name = in_utf8(a, members.word[j]);
        add_word(a, names, name, strlen(name));
    }
    if (c->n > 0 && had[0] < c->width)
        out = even_rows(c, &out, had);
    pool_release(had);
    c->text = out.at;
    c->held[0] = out.at;
    c->held[1] = c->row;
    c->held[2] = c->line;
}
