/* SPDX-License-Identifier: MIT
 *
 * hash.c - the same bits everywhere: a hash of the result of everything the
 * library computes, on generated data, dense and CSR, in a small and a larger
 * shape, under several choices of options.
 *
 *     hash              prints a line "name shape hash" for each
 *     hash small        the small shapes alone
 *     hash FILE [small] compares with such lines: "N equal, N differ"
 *
 * tests/promises/hashes.txt is this program's output; `make check-bits` compares it
 * with what every compiler and machine at hand gives.  Whoever changes what a
 * method computes writes it anew (`make hashes`) and says why.  The program
 * runs on bare metal too (tests/bare/): without files, in an arena.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../promises/calls.h"

typedef struct shape { const char *name; size_t n, d; int csr; } shape;

static const shape shapes[] = {
    {"small-dense", 24, 9, 0}, {"small-csr", 24, 9, 1},
    {"large-dense", 90, 37, 0}, {"large-csr", 90, 37, 1}
};

enum { LINE = 96, VARIANTS = 5 };

static stage set;
static double arena_room[(3u << 20) / sizeof(double)];

static void line_of(const method_row *row, const shape *s, char *line)
{
    static const char digit[] = "0123456789abcdef";
    witness w = WITNESS;
    mtc_arena arena = mtc_arena_over(arena_room, sizeof arena_room);
    for (unsigned v = 0; v < VARIANTS; v++) {   /* each in a clean arena */
        mtc_context ctx = mtc_arena_context(&arena);
        arena.used = 0;
        stage_run_one(&set, row, &ctx, s->n, s->d, s->csr, v, &w);
    }
    strcpy(line, row->name);
    strcat(line, " ");
    strcat(line, s->name);
    strcat(line, " ");
    size_t at = strlen(line);
    for (int b = 60; b >= 0; b -= 4)
        line[at++] = digit[(w.hash >> b) & 15];
    line[at] = '\0';
    if (w.wrong != NULL) {
        strcat(line, " ");
        strcat(line, w.wrong);
    }
}

#ifdef MTC_BARE
#include "../bare/stack.h"

static void stack_line(const char *name, unsigned long bytes)
{
    char line[LINE] = "stack ", digits[24];
    size_t at = sizeof digits - 1;
    digits[at] = '\0';
    do
        digits[--at] = (char)('0' + bytes % 10);
    while ((bytes /= 10) > 0);
    strcat(strcat(strcat(line, name), " "), digits + at);
    puts(line);
}

/* A line "stack name bytes" for each row as well. */
int main(void)
{
    for (size_t r = 0; r < METHOD_ROWS; r++) {
        char line[LINE];
        stack_paint();
        for (size_t s = 0; s < MTC_BARE; s++) {
            line_of(&method_rows[r], &shapes[s], line);
            puts(line);
        }
        stack_line(method_rows[r].name, stack_used());
    }
    return 0;
}
#else
/* The line of `file` that starts as `line` does up to its hash. */
static int stands_in(FILE *file, const char *line)
{
    char other[LINE];
    rewind(file);
    while (fgets(other, sizeof other, file) != NULL) {
        other[strcspn(other, "\r\n")] = '\0';
        if (strcmp(other, line) == 0)
            return 1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    size_t equal = 0, differ = 0, n_shapes = 4;
    FILE *file = NULL;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "small") == 0)
            n_shapes = 2;
        else if ((file = fopen(argv[i], "r")) == NULL)
            return perror(argv[i]), 2;
    }
    for (size_t r = 0; r < METHOD_ROWS; r++)
        for (size_t s = 0; s < n_shapes; s++) {
            char line[LINE];
            line_of(&method_rows[r], &shapes[s], line);
            int same = file != NULL && stands_in(file, line);
            equal += same != 0;
            differ += same == 0;
            if (!same)
                puts(line);
        }
    if (file != NULL) {
        fclose(file);
        printf("%lu equal, %lu differ\n", (unsigned long)equal,
               (unsigned long)differ);
    }
    return file != NULL && differ > 0;
}
#endif
