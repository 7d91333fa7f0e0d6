/* SPDX-License-Identifier: MIT
 *
 * models.c - models of the program under libFuzzer: the JSON reader, the model
 * reader, a new file in the model's features, its labels.  The first byte picks
 * how the file is read; then comes the model and, behind a byte 1, the file.
 * A model either is refused with a message, or gives labels that it knows;
 * written out again it reads as itself, byte for byte.
 */
#include "program.h"

/* Writing and reading again changes nothing. */
static void check_again(app *a, model *m)
{
    model_write(a, "once.json", m);
    output once = a->outputs[a->n_outputs - 1];
    model again = model_read(a, make_file(a, "once.json", once.text,
                                          once.length));
    model_write(a, "twice.json", &again);
    if (strcmp(once.text, a->outputs[a->n_outputs - 1].text) != 0)
        abort();
}

/* Every sample of every task has a label in range, and a radius beside it. */
static void check_labels(app *a, const model *m, tasks *all)
{
    task *t = &all->at[0];
    int *winner = TAKE(a, t->n, int);
    mtc_real *distance = TAKE(a, t->n, mtc_real);
    for (size_t p = 0; p < t->n * m->d && t->row == NULL; p++)
        t->values[p] = t->values[p] == t->values[p] ? t->values[p] : 0;
    scale_task(a, t, &m->scaled);
    mtc_data X = view_of(t);
    for (size_t of = 0; of < m->n; of++) {
        const model_task *k = &m->task[of];
        model_label(a, m, of, &X, t->file, winner, distance);
        for (size_t i = 0; i < t->n; i++) {
            int label = model_number(k, winner[i]);
            if (label < 0 || (size_t)label >= k->k ||
                (has_distances(m) && (size_t)winner[i] >= k->rows))
                abort();
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const file[4] = {"x.csv", "x.svm", "x.tsv", "x.txt"};
    static app a;
    static trial refused;                       /* where `fail` comes back */
    if (size < 2)
        return 0;
    begin_trial(&a, &refused);
    if (setjmp(refused.back) == 0) {
        settings set;
        words files = {0, 0, NULL};
        char *s = TAKE(&a, size, char);
        memcpy(s, data + 1, size - 1);
        size_t n = strcspn(s, "\x01");
        const char *saved = make_file(&a, "model.json", s, n);
        s += n + (s[n] == 1);
        const char *path = make_file(&a, file[data[0] % 4], s, strlen(s));
        add_word(&a, &files, path, strlen(path));
        memset(&set, 0, sizeof set);
        set.labels = data[0] & 4 ? "auto" : "none";
        set.decimal = ".";
        set.missing = data[0] & 8 ? "drop" : NULL;
        model m = model_read(&a, saved);
        check_again(&a, &m);
        settle_reading(&a, &m, &set);
        tasks all = load_new(&a, &m, &files, &set);
        check_labels(&a, &m, &all);
    }
    pool_free(&a);
    return 0;
}
