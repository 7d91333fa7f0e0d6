/* SPDX-License-Identifier: MIT
 *
 * program.h - what the fuzz targets of the program share: the files that read,
 * with a window so small that records, numbers and names cross it, and an app
 * whose files are in memory and whose failures come back.
 */
#define APP_WINDOW 24
#include "../../examples/mtc/folder.c"
#include "../../examples/mtc/amount.c"
#include "../../examples/mtc/app.c"
#include "../../examples/mtc/cells.c"
#include "../../examples/mtc/columns.c"
#include "../../examples/mtc/csv.c"
#include "../../examples/mtc/date.c"
#include "../../examples/mtc/faults.c"
#include "../../examples/mtc/header.c"
#include "../../examples/mtc/jobs.c"
#include "../../examples/mtc/join.c"
#include "../../examples/mtc/jsonl.c"
#include "../../examples/mtc/letters.c"
#include "../../examples/mtc/lanes.c"
#include "../../examples/mtc/libsvm.c"
#include "../../examples/mtc/markup.c"
#include "../../examples/mtc/notices.c"
#include "../../examples/mtc/number.c"
#include "../../examples/mtc/options.c"
#include "../../examples/mtc/read.c"
#include "../../examples/mtc/roles.c"
#include "../../examples/mtc/scale.c"
#include "../../examples/mtc/shown.c"
#include "../../examples/mtc/source.c"
#include "../../examples/mtc/stem.c"
#include "../../examples/mtc/stops.c"
#include "../../examples/mtc/tasks.c"
#include "../../examples/mtc/text.c"
#include "../../examples/mtc/tokens.c"
#include "../../examples/mtc/vocabulary.c"
#include "../../examples/mtc/weights.c"
#include "../../examples/mtc/words.c"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The caller's setjmp(refused->back) comes next, pool_free(a) at the end. */
static void begin_trial(app *a, trial *refused)
{
    memset(a, 0, sizeof *a);
    a->pool.previous = a->pool.next = &a->pool;
    a->percent = -1;
    a->in_memory = a->quiet = 1;
    a->trial = refused;
}

/* Writes the pieces of the text to memory, each with that ending; their
 * names. */
static inline words make_files(app *a, const char *ending, const char *s)
{
    words files = {0, 0, NULL};
    for (;; s++) {
        text t = {NULL, 0, 0}, name = {NULL, 0, 0};
        size_t n = strcspn(s, "\x01");
        put(a, &t, "%.*s", (int)n, s);
        put(a, &name, "x%zu.%s", files.n, ending);
        save(a, name.at, &t);
        add_word(a, &files, name.at, name.length);
        s += n;
        if (*s == '\0' || files.n == 4)
            return files;
    }
}
