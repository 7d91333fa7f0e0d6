/* SPDX-License-Identifier: MIT
 *
 * vectorize.c - the command vectorize: texts as LIBSVM files, for other tools
 */
#include "../methods/job.h"
#include "../texts/texts.h"

#include <stdlib.h>
#include <string.h>

/* The run's classes in the order of their names; *n of them. */
static const char **sorted_classes(app *a, size_t *n)
{
    const char **list = COPY(a, a->classes.word, a->classes.n, const char *);
    *n = a->classes.n;
    qsort(list, *n, sizeof *list, compare_words);
    return list;
}

/* place [classes]: of each class among the sorted ones. */
static size_t *class_places(app *a)
{
    size_t n, *place = TAKE(a, a->classes.n, size_t);
    const char **list = sorted_classes(a, &n);
    for (size_t c = 0; c < n; c++)
        place[find_word(&a->classes, list[c], strlen(list[c]))] = c;
    pool_release(list);
    return place;
}

/* `label index:value ...` of sample i; place NULL: no class is a word. */
static void put_row(app *a, text *out, const task *t, const size_t *place,
                    size_t i)
{
    mtc_data X = view_of(t);
    int label = t->truth == NULL ? 0
                : t->named       ? (int)place[t->truth[i]]
                                 : t->truth[i];
    put(a, out, "%d", label);
    for (size_t p = X.row[i]; p < X.row[i + 1]; p++)
        if (X.values[p] != 0)
            put(a, out, " %zu:%.17g", (size_t)X.column[p] + 1,
                (double)X.values[p]);
    put(a, out, "\n");
}

/* A line for each sample. */
void write_rows(app *a, const settings *set, const task *t,
                const size_t *place)
{
    text out = {NULL, 0, 0};
    for (size_t i = 0; i < t->n; i++)
        put_row(a, &out, t, place, i);
    save(a, join_path(a, set->out, t->name, ".svm"), &out);
}

/* Options, sizes, texts without a word. */
static void write_sizes(app *a, const settings *set, const tasks *all)
{
    text out = {NULL, 0, 0};
    size_t n;
    const char **list = sorted_classes(a, &n);
    json_begin(a, &out);
    put(a, &out, "\"options\": ");
    put_options(a, &out, VECTORIZE_OPTIONS, set, 1);
    put(a, &out, ",\n  \"words\": %zu,\n  \"classes\": ",
        all->kept - all->at[0].numbers);
    put_texts(a, &out, n, list);
    put(a, &out, ",\n  \"tasks\": [");
    for (size_t i = 0; i < all->n; i++) {
        const task *t = &all->at[i];
        put(a, &out, "%s\n    {\"name\": %s, \"n\": %zu, \"values\": %zu, "
            "\"skipped\": %zu, \"latin1\": %zu}", i == 0 ? "" : ",",
            json_text(a, t->name), t->n, t->row[t->n], t->wordless,
            t->bag->latin1);
    }
    put(a, &out, "]\n}\n");
    save(a, join_path(a, set->out, "vectorize", ".json"), &out);
}

/* What was written, in a line; sizes are in vectorize.json. */
static void print_words(app *a, const settings *set, const tasks *all)
{
    text out = {NULL, 0, 0};
    size_t numbers = all->at[0].numbers;
    if (numbers > 0)
        put(a, &out, "%zu column%s, then ", numbers,
            numbers == 1 ? "" : "s");
    put(a, &out, "%zu words in %s\n", all->kept - numbers,
        join_path(a, set->out, "words", ".txt"));
    save(a, "-", &out);
}

/* mtc vectorize [options] TASK... --out DIR */
void run_vectorize(app *a, int argc, char **argv)
{
    settings set;
    text names = {NULL, 0, 0};
    words files = parse_args(a, "vectorize", VECTORIZE_OPTIONS, argc, argv,
                             &set);
    need_operands(a, &files, 1, SIZE_MAX, "at least one TASK of texts");
    if (set.out == NULL)
        fail(a, BAD_USAGE, "--out DIR is missing");
    tasks all = load_tasks(a, &files, &set, 0);
    if (!has_texts(&all))
        fail(a, BAD_DATA, "%s: has no texts; --text names their column",
             files.at[0]);
    weigh_texts(a, &set, &all, 0);
    preprocess_in_place(a, &all, set.preprocess, NULL);
    size_t *place = class_places(a);
    save_directory(a, set.out);
    for (size_t i = 0; i < all.n; i++)
        write_rows(a, &set, &all.at[i], place);
    for (size_t j = 0; j < all.kept; j++)
        put(a, &names, "%s\n", all.names[j]);
    save(a, join_path(a, set.out, "words", ".txt"), &names);
    wipe_progress(a);
    write_sizes(a, &set, &all);
    if (!set.quiet)
        print_words(a, &set, &all);
}
