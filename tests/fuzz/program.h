/* SPDX-License-Identifier: MIT
 *
 * program.h - what the fuzz targets of the program share: an app whose failures
 * come back, and files of their own.
 */
#include "../../examples/mtc/base/app.h"
#include "../../examples/mtc/base/data.h"
#include "../../examples/mtc/base/letters.h"
#include "../../examples/mtc/models/model.h"
#include "../../examples/mtc/texts/texts.h"

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The caller's setjmp(refused->back) comes next, pool_free(a) at the end. */
static void begin_trial(app *a, trial *refused)
{
    memset(a, 0, sizeof *a);
    a->pool.previous = a->pool.next = &a->pool;
    a->percent = -1;
    a->quiet = 1;
    a->trial = refused;
}

/* The path of a file with these bytes, which the next input overwrites. */
static inline const char *make_file(app *a, const char *name, const char *s,
                                    size_t n)
{
    text path = {NULL, 0, 0};
    put(a, &path, "/tmp/mtc_fuzz_%ld_%s", (long)getpid(), name);
    FILE *f = fopen(path.at, "wb");
    if (f == NULL || fwrite(s, 1, n, f) != n || fclose(f) != 0)
        abort();
    return path.at;
}

/* Writes the pieces of the text to files, each with that ending; their
 * names. */
static inline words make_files(app *a, const char *ending, const char *s)
{
    words files = {0, 0, NULL};
    for (;; s++) {
        text name = {NULL, 0, 0};
        size_t n = strcspn(s, "\x01");
        put(a, &name, "x%zu.%s", files.n, ending);
        const char *path = make_file(a, name.at, s, n);
        add_word(a, &files, path, strlen(path));
        s += n;
        if (*s == '\0' || files.n == 4)
            return files;
    }
}
