/* SPDX-License-Identifier: MIT
 *
 * texts.c - the readers of texts under libFuzzer: tables with --text, JSON
 * lines.  Three bytes pick the reader and its options, the rest is the file,
 * only in memory; behind a byte 1 another file of the run begins.  Files either
 * are refused with a message or give whole rows of whole counts under words
 * that ascend; read again in the words of the first reading, they give the
 * same.
 */
#include "program.h"

#include <math.h>

/* Options by the bits of two bytes. */
static void draw_options(app *a, settings *set, unsigned x, unsigned y)
{
    static const char *const markup[4] = {"none", "html", "mail", "mail,html"};
    static const char *const length[4] = {"1-3", "2-25", "3-250", "1-250"};
    memset(set, 0, sizeof *set);
    set->labels = x & 1 ? "none" : "auto";
    set->header = x & 2 ? "no" : NULL;
    set->missing = x & 4 ? "drop" : x & 8 ? "mean" : "fail";
    set->markup = markup[x / 16 % 4];
    set->word_length = length[x / 64];
    set->token = y & 1 ? "alnum" : "letters";
    set->stem = y & 2 ? "english" : "none";
    set->stop = y & 4 ? "none" : y & 8 ? "english" : NULL;
    set->min_texts = 1 + (y & 16) / 16;
    set->max_share = y & 32 ? 0.7 : 1;
    set->vocabulary = y & 64 ? 3 : 1000;
    add_word(a, &set->text, set->header != NULL ? "1" : "t", 1);
    if (y & 128)
        add_word(a, &set->use, set->header != NULL ? "2" : "x", 1);
}

/* Rows whose columns ascend, with counts behind the numbers. */
static void check_rows(const tasks *all)
{
    for (size_t i = 0; i < all->n; i++) {
        const task *t = &all->at[i];
        mtc_data X = view_of(t);
        mtc_status s = mtc_data_check(NULL, &X, 0);
        if (t->bag == NULL || t->row == NULL ||
            (s != MTC_OK && s != MTC_DOMAIN) ||
            t->bag->opening.n < t->rows)
            abort();
        for (size_t r = 0; r < t->n; r++)
            for (size_t p = t->row[r] + t->numbers; p < t->row[r + 1]; p++)
                if (t->column[p] < t->numbers || t->column[p] >= t->d ||
                    t->values[p] < 1 ||
                    t->values[p] != (mtc_real)floor((double)t->values[p]))
                    abort();
    }
    for (size_t j = all->at[0].numbers; j < all->kept; j++)
        if (all->names[j][0] == '\0' ||
            !utf8_valid(all->names[j], strlen(all->names[j])) ||
            (j > all->at[0].numbers &&
             strcmp(all->names[j - 1], all->names[j]) >= 0))
            abort();
}

/* The same texts in words that are known. */
static void check_again(app *a, const words *files, const settings *set,
                        const tasks *all)
{
    text_rules rules = all->at[0].bag->book->rules;
    size_t numbers = all->at[0].numbers;
    dictionary known;
    reading run = new_reading(a, set);
    memset(&known, 0, sizeof known);
    run.book = new_wordbook(a, &rules);
    for (size_t j = numbers; j < all->kept; j++)
        number_word(a, &known, all->names[j], strlen(all->names[j]));
    if (numbers > 0)
        return;
    tasks second = {all->n, 0, 0, TAKE(a, all->n, task), NULL};
    for (size_t i = 0; i < all->n; i++)
        second.at[i] = read_task(a, files->at[i], &run);
    end_reading(a, &run, &second);
    for (size_t i = 0; i < all->n; i++) {
        const task *t = &all->at[i];
        task again = second.at[i];
        place_words(a, run.book, &again, &known, all->names);
        if (again.n != t->n ||
            memcmp(again.row, t->row, (t->n + 1) * sizeof *t->row) != 0 ||
            memcmp(again.column, t->column,
                   t->row[t->n] * sizeof *t->column) != 0 ||
            memcmp(again.values, t->values,
                   t->row[t->n] * sizeof *t->values) != 0)
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const ending[3] = {"csv", "jsonl", "tsv"};
    static app a;
    static trial refused;                       /* where `fail` comes back */
    if (size < 3)
        return 0;
    begin_trial(&a, &refused);
    if (setjmp(refused.back) == 0) {
        settings set;
        char *s = TAKE(&a, size - 2, char);
        memcpy(s, data + 3, size - 3);
        draw_options(&a, &set, data[1], data[2]);
        words files = make_files(&a, ending[data[0] % 3], s);
        tasks all = load_tasks(&a, &files, &set, 0);
        check_rows(&all);
        check_again(&a, &files, &set, &all);
        preprocess(&a, &all, data[0] & 64 ? "tfidf" : "l2");
    }
    pool_free(&a);
    return 0;
}
