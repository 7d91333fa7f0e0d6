/* SPDX-License-Identifier: MIT
 *
 * readers.c - the file readers of the program under libFuzzer: LIBSVM,
 * CSV with the label in any place, columns of numbers, rows with labels.  The
 * first byte picks the reader, the rest is the file, only in memory.  Any
 * file either is refused with a message or gives data that the library
 * accepts; nothing is read or written out of bounds, nothing leaks.
 */
#include "../../examples/mtc/app.c"
#include "../../examples/mtc/options.c"
#include "../../examples/mtc/read.c"
#include "../../examples/mtc/tasks.c"
#include "../../examples/mtc/text.c"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_one(app *a, unsigned kind)
{
    static const char *const labels[4] = {"last", "first", "none", "label"};
    size_t n = 0;
    if (kind >= 250) {
        known_rows k = read_known(a, "x.txt", 9, (int)kind % 3 - 1);
        for (size_t i = 0; i < k.n; i++)
            if (k.row[i] > 8 || k.word.at[i][0] == '\0' ||
                (k.named && (size_t)k.label[i] >= a->n_classes))
                abort();
        return;
    }
    if (kind % 6 == 5) {
        int *x = read_labels(a, "x.txt", 0, 99, &n);
        for (size_t i = 0; i < n; i++)
            if (x[i] < 0 || x[i] > 99)
                abort();
        return;
    }
    task t = read_task(a, kind % 6 == 4 ? "x.svm" : "x.csv",
                       labels[kind % 4]);
    mtc_data X = view_of(&t);
    mtc_status s = mtc_data_check(NULL, &X, 0);
    if (s != MTC_OK && s != MTC_DOMAIN && !(s == MTC_INVALID && t.d == 0))
        abort();
    if (t.truth != NULL)
        for (size_t i = 0; i < t.n; i++)
            n += t.truth[i] < 0;                /* reads every one */
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static app a;
    static trial refused;                       /* where `fail` comes back */
    if (size == 0)
        return 0;
    memset(&a, 0, sizeof a);
    a.pool.previous = a.pool.next = &a.pool;
    a.percent = -1;
    a.in_memory = a.quiet = 1;
    a.trial = &refused;
    if (setjmp(refused.back) == 0) {
        text t = {NULL, 0, 0};
        t.at = TAKE(&a, size, char);
        t.length = size - 1;
        memcpy(t.at, data + 1, size - 1);
        save(&a, data[0] >= 250 || data[0] % 6 == 5 ? "x.txt"
                 : data[0] % 6 == 4 ? "x.svm" : "x.csv", &t);
        read_one(&a, data[0]);
    }
    pool_free(&a);
    return 0;
}
