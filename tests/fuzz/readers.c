/* SPDX-License-Identifier: MIT
 *
 * readers.c - the file readers of the program under libFuzzer: LIBSVM, tables
 * under all options, columns of numbers, rows with labels.  Three bytes pick
 * the reader and its options, the rest is the file, only in memory; behind a
 * byte 1 another file of the run begins.  Any file either is refused with a
 * message or gives data that the library accepts; nothing is read or written
 * out of bounds, nothing leaks.
 */
#include "program.h"

/* Options by the bits of two bytes. */
static void draw_options(app *a, settings *set, unsigned x, unsigned y)
{
    static const char *const labels[8] = {"auto", "first", "last", "none",
                                          "label", "y", "2", "1"};
    memset(set, 0, sizeof *set);
    set->labels = labels[x % 8];
    set->missing = x & 8 ? "drop" : x & 16 ? "mean" : "fail";
    set->decimal = x & 32 ? "," : y % 3 == 0 ? "." : NULL;
    set->dates = y % 5 == 0 ? "days" : NULL;
    set->match = y % 7 < 4 ? "common" : NULL;
    set->header = x & 64 ? "yes" : x & 128 ? "no" : NULL;
    if (y & 1)
        add_word(a, &set->use, "1-2", 3);
    if (y & 2)
        add_word(a, &set->use, "x", 1);
    if (y & 4)
        add_word(a, &set->drop, "z", 1);
    if (y & 8)
        add_word(a, &set->drop, "3", 1);
    if (y & 16)
        add_word(a, &set->onehot, "w", 1);
    if (y & 32)
        add_word(a, &set->onehot, "2", 1);
    if (y & 64)
        set->id = y & 128 ? "id" : "1";
}

/* What came out must be whole: shapes, labels, rows, names. */
static void check_tasks(const tasks *all)
{
    for (size_t i = 0; i < all->n; i++) {
        const task *t = &all->at[i];
        mtc_data X = view_of(t);
        mtc_status s = mtc_data_check(NULL, &X, 0);
        if (s != MTC_OK && s != MTC_DOMAIN)
            abort();
        for (size_t p = 0; p < row_begin(&X, X.n); p++)
            if (X.values[p] - X.values[p] != 0)
                abort();
        for (size_t r = 0; r < t->n; r++)
            if (sample_of(t, sample_row(t, r)) != r ||
                sample_row(t, r) >= t->rows ||
                (t->truth != NULL && t->named && t->truth[r] < 0))
                abort();
        if (t->id.name != NULL && (t->id.n != t->rows ||
            t->id.at[t->rows - 1] >= t->id.length))
            abort();
    }
    for (size_t j = 0; j < all->kept && all->names != NULL; j++)
        if (all->names[j] == NULL)
            abort();
}

static void read_one(app *a, unsigned kind, const words *files,
                     const settings *set)
{
    size_t n = 0;
    if (kind == 0) {
        known_rows k = read_known(a, files->at[0], 9, (int)a->apart - 1);
        for (size_t i = 0; i < k.n; i++)
            if (k.row[i] > 8 || k.word.at[i][0] == '\0' ||
                (k.named && (size_t)k.label[i] >= a->classes.n))
                abort();
    } else if (kind == 1) {
        int *x = read_labels(a, files->at[0], 0, 99, &n);
        for (size_t i = 0; i < n; i++)
            if (x[i] < 0 || x[i] > 99)
                abort();
    } else if (kind == 2)
        read_matrix(a, files->at[0]);
    else {
        tasks all = load_tasks(a, files, set, kind == 3);
        check_tasks(&all);
        preprocess(a, &all, kind == 4 ? "zscore" : kind == 5 ? "tfidf" : "l2");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const ending[8] = {"txt", "txt", "csv", "csv", "csv",
                                          "svm", "tsv", "csv"};
    static app a;
    static trial refused;                       /* where `fail` comes back */
    if (size < 3)
        return 0;
    begin_trial(&a, &refused);
    if (setjmp(refused.back) == 0) {
        settings set;
        char *s = TAKE(&a, size - 2, char);
        memcpy(s, data + 3, size - 3);
        a.apart = data[0] / 8 % 3;
        draw_options(&a, &set, data[1], data[2]);
        words files = make_files(&a, ending[data[0] % 8], s);
        if (data[0] >= 192 && files.n > 1)      /* the last names features */
            set.names = files.at[--files.n];
        read_one(&a, data[0] % 8, &files, &set);
    }
    pool_free(&a);
    return 0;
}
