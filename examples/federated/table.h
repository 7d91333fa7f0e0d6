/* SPDX-License-Identifier: MIT
 *
 * table.h - tables, CSV and others, by the program's own reader
 */
#ifndef TABLE_H
#define TABLE_H

#include "../../mtc.h"

enum { TABLE_REASON = 200 };        /* bytes of why a table cannot be read */

typedef struct table {
    size_t n, d;
    mtc_real *values;               /* [n*d] */
    uint64_t columns;               /* a number that their names make */
    char reason[TABLE_REASON];      /* "": it was read */
    const char *notices;            /* lines of what the reader understood by
                                       itself; NULL: nothing */
    void *memory;
} table;

/* 1: by its ending the program would read it as a table. */
int is_a_table(const char *path);
/* Options are those of `mtc cluster` that say how columns are read, with their
 * values: options [n].  Free the table also if there is a reason. */
table read_a_table(const char *path, char *const *options, size_t n);
void free_table(table *t);

#endif
