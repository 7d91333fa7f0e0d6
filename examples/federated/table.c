/* SPDX-License-Identifier: MIT
 *
 * table.c - tables by the program's own reader: what columns hold is decided
 * there, and its words say what is wrong.  Values stay as they are in the file.
 */
#include "../mtc/base/data.h"
#include "../mtc/methods/job.h"
#include "table.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

int is_a_table(const char *path)
{
    return is_table(path) && strcmp(path, "-") != 0;
}

/* FNV-1a, over the names and the ends of them; and over the values of columns
 * that are left out because they never vary here: elsewhere they might. */
static uint64_t names_number(const tasks *all)
{
    uint64_t hash = 14695981039346656037u;
    const task *t = &all->at[0];
    for (size_t j = 0; j < t->n_left; j++) {
        const unsigned char *only = (const unsigned char *)&t->left[j].only;
        size_t bytes = t->left[j].constant ? sizeof(double) : 0;
        for (size_t b = 0; b < bytes; b++)
            hash = (hash ^ only[b]) * 1099511628211u;
    }
    for (size_t c = 0; c < all->kept; c++) {
        const char *s = all->names != NULL ? all->names[c] : "";
        do
            hash = (hash ^ (unsigned char)*s) * 1099511628211u;
        while (*s++ != '\0');
    }
    return hash;
}

static void copy_rows(app *a, const tasks *all, table *t)
{
    const task *from = &all->at[0];
    mtc_data X = view_of(from);
    t->n = X.n;
    t->d = all->kept;
    t->columns = names_number(all);
    t->values = TAKE(a, t->n * t->d, mtc_real);
    for (size_t i = 0; i < t->n; i++)
        mtc_data_axpy(&X, i, 1, t->values + i * t->d);
}

/* Without the advice behind "; --": some options are the program's alone. */
static void copy_notices(app *a, table *t)
{
    text lines = {NULL, 0, 0};
    for (size_t i = 0; i < a->said.n; i++) {
        const char *all = a->said.at[i].text, *advice = strstr(all, "; --");
        int n = (int)(advice != NULL ? (size_t)(advice - all) : strlen(all));
        put(a, &lines, "federated_mbc: %s: %.*s\n", a->said.at[i].kind, n,
            all);
    }
    t->notices = lines.at;
}

table read_a_table(const char *path, char *const *options, size_t n)
{
    table t = {.n = 0};
    trial once = {.reason = "", .tells = 1};
    app *a = calloc(1, sizeof *a);
    char **argv = calloc(n + 4, sizeof *argv);
    if (a == NULL || argv == NULL) {
        strcpy(t.reason, "no memory");
        free(a);
        free(argv);
        return t;
    }
    a->pool.previous = a->pool.next = &a->pool;
    a->percent = -1;
    a->trial = &once;
    memcpy(argv, options, n * sizeof *argv);
    argv[n] = "--quiet";
    argv[n + 1] = "--missing";          /* no rank knows the means of all */
    argv[n + 2] = "fail";
    argv[n + 3] = (char *)path;
    t.memory = a;
    if (setjmp(once.back) == 0) {
        settings set;
        words files = parse_args(a, "cluster", READ_OPTIONS " quiet",
                                 (int)n + 4, argv, &set);
        tasks all = load_tasks(a, &files, &set, 0);
        copy_rows(a, &all, &t);
        copy_notices(a, &t);
    }
    char *command = strstr(once.reason, "\n  try: ");
    if (command != NULL)
        *command = '\0';            /* it would be one of the program */
    snprintf(t.reason, sizeof t.reason, "%s", once.reason);
    free(argv);
    return t;
}

void free_table(table *t)
{
    if (t->memory != NULL)
        pool_free(t->memory);
    free(t->memory);
    t->memory = NULL;
}
