/* SPDX-License-Identifier: MIT
 *
 * program.h - what the fuzz targets of the program share: the files that read,
 * with a window so small that records, numbers and names cross it, and an app
 * whose files are in memory and whose failures come back.
 */
#define APP_WINDOW 24
#include "../../examples/mtc/tables/folder.c"
#include "../../examples/mtc/tables/amount.c"
#include "../../examples/mtc/base/app.c"
#include "../../examples/mtc/tables/cells.c"
#include "../../examples/mtc/tables/columns.c"
#include "../../examples/mtc/tables/csv.c"
#include "../../examples/mtc/tables/date.c"
#include "../../examples/mtc/tables/faults.c"
#include "../../examples/mtc/tables/header.c"
#include "../../examples/mtc/base/jobs.c"
#include "../../examples/mtc/tables/join.c"
#include "../../examples/mtc/tables/jsonl.c"
#include "../../examples/mtc/base/letters.c"
#include "../../examples/mtc/base/lanes.c"
#include "../../examples/mtc/tables/libsvm.c"
#include "../../examples/mtc/texts/markup.c"
#include "../../examples/mtc/base/notices.c"
#include "../../examples/mtc/base/number.c"
#include "../../examples/mtc/base/options.c"
#include "../../examples/mtc/tables/read.c"
#include "../../examples/mtc/tables/roles.c"
#include "../../examples/mtc/tables/scale.c"
#include "../../examples/mtc/base/shown.c"
#include "../../examples/mtc/tables/source.c"
#include "../../examples/mtc/texts/stem.c"
#include "../../examples/mtc/texts/stops.c"
#include "../../examples/mtc/tables/tasks.c"
#include "../../examples/mtc/base/task.c"
#include "../../examples/mtc/base/text.c"
#include "../../examples/mtc/texts/tokens.c"
#include "../../examples/mtc/texts/vocabulary.c"
#include "../../examples/mtc/texts/weights.c"
#include "../../examples/mtc/base/words.c"

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
