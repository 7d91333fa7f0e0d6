/* SPDX-License-Identifier: MIT
 *
 * rows.c - LIBSVM text and tables in, a share for each rank; made-up text;
 * labels and JSON out
 */
#define _POSIX_C_SOURCE 200809L
#include "federated.h"

#include <errno.h>
#include <math.h>
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LARGEST 1e45                /* mtc_data_check has the same bound */

/* In one piece: several ranks may speak at a time. */
void give_up(int status, const char *format, ...)
{
    char text[1000] = "federated_mbc: ";
    size_t begin = strlen(text);
    va_list args;
    va_start(args, format);
    vsnprintf(text + begin, sizeof text - begin - 1, format, args);
    va_end(args);
    strcat(text, "\n");
    fflush(stdout);
    fputs(text, stderr);
    MPI_Abort(MPI_COMM_WORLD, status);
    exit(status);
}

void *zeros(size_t count, size_t size)
{
    void *memory = calloc(count > 0 ? count : 1, size);
    if (memory == NULL)
        give_up(BAD_DATA, "no memory for %zu times %zu bytes", count, size);
    return memory;
}

/* Room for one more: twice as much when it is full. */
static void *grow(void *memory, size_t used, size_t *room, size_t size)
{
    if (used < *room)
        return memory;
    *room = *room < 64 ? 64 : 2 * *room;
    if (*room > SIZE_MAX / size || (memory = realloc(memory, *room * size)) ==
        NULL)
        give_up(BAD_DATA, "no memory for %zu times %zu bytes", *room, size);
    return memory;
}

static const char *skip_blanks(const char *s)
{
    return s + strspn(s, " \t\r\n");
}

int number_at(const char *s, double *x, const char **end)
{
    size_t length = strspn(s, "+-.0123456789eE");   /* no inf, nan, 0x1p4 */
    char *stop;
    *x = strtod(s, &stop);
    *end = stop;
    return length > 0 && stop == s + length && fabs(*x) <= LARGEST &&
           (*stop == '\0' || strchr(" \t\r\n", *stop) != NULL);
}

/* ---- rows ---- */

static void add_value(rows *to, size_t column, mtc_real x)
{
    size_t used = to->row[to->n + 1], room = to->room_value;
    to->values = grow(to->values, used, &to->room_value, sizeof *to->values);
    to->column = grow(to->column, used, &room, sizeof *to->column);
    to->values[used] = x;
    to->column[used] = (uint32_t)column;
    to->row[to->n + 1] = used + 1;
}

/* row[n+1], the end of the row to come, counts up while it is filled.  Arrays
 * are there even if every value is 0. */
static void begin_row(rows *to)
{
    size_t room = to->room_value;
    to->values = grow(to->values, 0, &to->room_value, sizeof *to->values);
    to->column = grow(to->column, 0, &room, sizeof *to->column);
    to->row = grow(to->row, to->n + 1, &to->room_row, sizeof *to->row);
    if (to->n == 0)
        to->row[0] = 0;
    to->row[to->n + 1] = to->row[to->n];
}

/* `label index:value ...`: one row; the label is not used. */
static void take_line(rows *to, const char *path, size_t line, const char *s)
{
    unsigned long long last = 0;
    double x;
    const char *end;
    if (!number_at(s, &x, &end))
        give_up(BAD_DATA, "%s:%zu: '%.*s' is no label: lines are `label "
                "index:value ...`", path, line, (int)strcspn(s, " \t\r\n"), s);
    begin_row(to);
    for (s = skip_blanks(end); *s != '\0'; s = skip_blanks(end)) {
        char *colon;
        int length = (int)strcspn(s, " \t\r\n");
        unsigned long long index = strtoull(s, &colon, 10);
        if (*s < '0' || *s > '9' || *colon != ':' || index > UINT32_MAX ||
            !number_at(colon + 1, &x, &end))
            give_up(BAD_DATA, "%s:%zu: '%.*s' is not index:value", path, line,
                    length, s);
        if (index <= last)
            give_up(BAD_DATA, "%s:%zu: '%.*s': indices begin at 1 and ascend",
                    path, line, length, s);
        last = index;
        if (x != 0)                 /* what is 0 is not stored */
            add_value(to, (size_t)index - 1, (mtc_real)x);
    }
    to->n++;
    to->d = last > to->d ? (size_t)last : to->d;
}

void read_rows(rows *to, const source *from, int part, int parts)
{
    FILE *in = fopen(from->path, "r");
    struct stat about;
    char *text = NULL;
    size_t room = 0, line = 0;
    if (in == NULL || fstat(fileno(in), &about) != 0)
        give_up(BAD_DATA, "%s: %s", from->path, strerror(errno));
    off_t share = about.st_size / parts, at = 0;    /* bytes */
    for (ssize_t length; (length = getline(&text, &room, in)) >= 0;) {
        off_t begin = at;
        line++;
        at += length;
        if (begin >= share * (part + 1) && part + 1 < parts)
            break;                  /* another rank's */
        if (begin < share * part)
            continue;
        if (strlen(text) != (size_t)length)
            give_up(BAD_DATA, "%s:%zu: a zero byte: this is no text",
                    from->path, line);
        text[strcspn(text, "#")] = '\0';            /* a comment */
        if (*skip_blanks(text) != '\0')
            take_line(to, from->path, line, skip_blanks(text));
    }
    if (ferror(in))
        give_up(BAD_DATA, "%s: %s", from->path, strerror(errno));
    free(text);
    fclose(in);
}

void add_table(rows *to, const table *from, int part, int parts)
{
    size_t first = from->n * (size_t)part / (size_t)parts;
    size_t last = from->n * (size_t)(part + 1) / (size_t)parts;
    for (size_t i = first; i < last; i++, to->n++) {
        const mtc_real *x = from->values + i * from->d;
        begin_row(to);
        for (size_t e = 0; e < from->d; e++)
            if (x[e] != 0)
                add_value(to, e, x[e]);
    }
    to->d = from->d > to->d ? from->d : to->d;
}

/* The vocabulary is cut into as many strata as a row has values: a word of
 * each, so columns ascend.  A row depends on seed, task and number alone. */
void generate_rows(rows *to, const shape *like, uint64_t seed, size_t task,
                   size_t first, size_t last)
{
    size_t stratum = like->words / like->values;
    size_t slice = stratum / like->topics > 0 ? stratum / like->topics : 1;
    for (size_t i = first; i < last; i++, to->n++) {
        mtc_random r = mtc_random_seed(seed ^ (uint64_t)task << 48 ^ i << 8);
        size_t topic = mtc_random_below(&r, like->topics);
        begin_row(to);
        for (size_t v = 0; v < like->values; v++) {
            size_t own = mtc_random_below(&r, 2);
            size_t word = own ? topic * slice + mtc_random_below(&r, slice)
                              : mtc_random_below(&r, stratum);
            add_value(to, v * stratum + word % stratum,
                      (mtc_real)(1 + mtc_random_below(&r, 3)));
        }
    }
    to->d = like->words;
}

/* ---- labels in, labels out ---- */

void read_start(const source *of, size_t skip, size_t n, size_t total,
                size_t k, int *labels)
{
    FILE *in = fopen(of->init, "r");
    char *text = NULL;
    size_t room = 0, line = 0, at = 0;
    if (in == NULL)
        give_up(BAD_DATA, "%s: %s", of->init, strerror(errno));
    while (getline(&text, &room, in) >= 0) {
        const char *s = skip_blanks(text), *end;
        double x;
        line++;
        if (*s == '\0')
            continue;
        if (!number_at(s, &x, &end) || *skip_blanks(end) != '\0' ||
            floor(x) < x || x < 0 || x >= (double)k)
            give_up(BAD_DATA, "%s:%zu: '%.*s' is no cluster in 0..%zu",
                    of->init, line, (int)strcspn(s, " \t\r\n"), s, k - 1);
        if (at >= skip && at - skip < n)
            labels[at - skip] = (int)x;
        at++;
    }
    if (ferror(in))
        give_up(BAD_DATA, "%s: %s", of->init, strerror(errno));
    if (at != total)
        give_up(BAD_DATA, "%s has %zu labels, %s %zu rows", of->init, at,
                of->path, total);
    free(text);
    fclose(in);
}

char *joined(const char *a, const char *b, const char *c, const char *d)
{
    size_t room = strlen(a) + strlen(b) + strlen(c) + strlen(d) + 1;
    char *all = zeros(room, 1);
    snprintf(all, room, "%s%s%s%s", a, b, c, d);
    return all;
}

static int same_file(const char *a, const struct stat *b)
{
    struct stat s;
    return a != NULL && stat(a, &s) == 0 && s.st_dev == b->st_dev &&
           s.st_ino == b->st_ino;
}

void check_output(const char *path, const source *inputs, size_t n)
{
    struct stat there;
    if (stat(path, &there) != 0)
        return;
    for (size_t f = 0; f < n; f++)
        if (same_file(inputs[f].path, &there) ||
            same_file(inputs[f].init, &there))
            give_up(BAD_DATA, "%s is an input: choose another place", path);
    if (S_ISDIR(there.st_mode))
        give_up(BAD_DATA, "%s is a directory", path);
}

void make_folder(const char *path, int try_only)
{
    struct stat there;
    int made = mkdir(path, 0777) == 0, error = errno;
    if (made && try_only)
        rmdir(path);
    else if (!made && stat(path, &there) == 0 && !S_ISDIR(there.st_mode))
        give_up(BAD_DATA, "%s is no directory", path);
    else if (!made && error != EEXIST)
        give_up(BAD_DATA, "%s: %s", path, strerror(error));
}

FILE *begin_output(const char *path)
{
    char *beside = joined(path, ".part", "", "");
    FILE *out = fopen(beside, "w");
    free(beside);
    return out;
}

int close_output(FILE *out, const char *path)
{
    int fine = out != NULL && !ferror(out);
    if (out != NULL && fclose(out) != 0)
        fine = 0;
    if (!fine)
        fprintf(stderr, "federated_mbc: %s: %s\n", path, strerror(errno));
    return fine;
}

void end_output(const char *path, int keep)
{
    char *beside = joined(path, ".part", "", "");
    if (keep && rename(beside, path) != 0)
        give_up(BAD_DATA, "%s: %s", path, strerror(errno));
    if (!keep)
        remove(beside);
    free(beside);
}
