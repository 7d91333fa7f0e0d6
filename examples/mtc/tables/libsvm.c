/* SPDX-License-Identifier: MIT
 *
 * libsvm.c - LIBSVM text: lines `label index:value ...`, indices from 1,
 * ascending; # begins a comment
 */
#include "../base/data.h"

#include <string.h>

/* Ends the program: `mtc: file:line: message`. */
#define BAD_LINE(format, ...) \
    fail(a, BAD_DATA, "%s:%zu: " format, t->file, line, __VA_ARGS__)

/* One index:value pair at s, after the index *last (0: none yet). */
static const char *take_pair(app *a, task *t, size_t line, const char *s,
                             uint64_t *last, size_t widest)
{
    const char *end = s, *number;
    uint64_t index = 0;
    double x;
    for (; *end >= '0' && *end <= '9' && index <= UINT32_MAX; end++)
        index = 10 * index + (uint64_t)(*end - '0');
    number = end + 1;
    if (*end != ':' || index <= *last || index > UINT32_MAX)
        BAD_LINE("%s is not index:value with an index above %lu and at most "
                 "%lu", quote(a, s), (unsigned long)*last,
                 (unsigned long)UINT32_MAX);
    const char *wrong = real_at(number, &x, &end);
    if (wrong != NULL || !at_gap(end))
        BAD_LINE("value %s of index %lu %s", quote(a, number),
                 (unsigned long)index,
                 wrong != NULL ? wrong : "is not a number");
    if (widest > 0 && index > widest)
        BAD_LINE("index %lu: the model has features up to %zu",
                 (unsigned long)index, widest);
    *last = index;
    if (x != 0) {                   /* what is 0 is not stored */
        size_t used = t->row[t->n + 1]++;
        GROW(a, t->values, used, t->room_values);
        GROW(a, t->column, used, t->room_column);
        t->values[used] = (mtc_real)x;
        t->column[used] = (uint32_t)(index - 1);
    }
    return skip_space(end);
}

/* A table that has the wrong name is told so. */
static void check_kind(app *a, const task *t, size_t line, const char *s)
{
    double x;
    const char *end = decimal_at(s, '.', &x), *next = skip_space(end);
    if (end > s && at_gap(end) &&
        (*next == '\0' || strcspn(next, ":") < strcspn(next, " \t")))
        return;
    BAD_LINE("%s: this is no LIBSVM text, `label index:value ...`; a table "
             "has to be named .csv or .tsv, and texts by their folder",
             quote(a, s));
}

/* One sample.  row[n+1], its end, counts up while its pairs are read. */
static void take_line(app *a, task *t, size_t line, const char *s,
                      size_t widest)
{
    const char *end = s;
    int label = 0;
    uint64_t last = 0;
    if (memchr(s, ':', strcspn(s, " \t\r")) != NULL)
        BAD_LINE("no label before %s", quote(a, s));
    const char *wrong = label_at(s, &label, &end);
    if (wrong == NULL && !at_gap(end))
        wrong = "is not a number";
    if (wrong != NULL)
        BAD_LINE("label %s %s", quote(a, s), wrong);
    GROW(a, t->row, t->n + 1, t->room_row);
    t->row[t->n + 1] = t->row[t->n];
    for (s = skip_space(end); *s != '\0';)
        s = take_pair(a, t, line, s, &last, widest);
    GROW(a, t->truth, t->n, t->room_truth);
    t->truth[t->n++] = label;
    if (t->d < last)
        t->d = (size_t)last;
}

/* row[0] = 0 is set here, each further row by its sample.  Arrays are there
 * even if every value is 0 and none is stored.  No index is above `widest`; 0:
 * any may be. */
void read_libsvm(app *a, task *t, size_t widest)
{
    char *all = read_file(a, t->file);
    text_lines in = {all, 0};
    GROW(a, t->values, 0, t->room_values);
    GROW(a, t->column, 0, t->room_column);
    GROW(a, t->row, 0, t->room_row);
    t->row[0] = 0;
    for (const char *s; (s = next_line(&in)) != NULL;) {
        if (t->n % 1024 == 0)
            stop_if_interrupted(a);
        if (t->n == 0 && ends_with(t->file, ".txt"))
            check_kind(a, t, in.number, s);
        take_line(a, t, in.number, s, widest);
    }
    pool_release(all);
    t->rows = t->n;
    note_labels(a, t, 0);
}
