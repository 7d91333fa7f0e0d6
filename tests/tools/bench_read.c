/* SPDX-License-Identifier: MIT
 *
 * bench_read.c - the program's readers on one file, `-` for standard input
 *
 * usage: bench_read FILE        prints processor seconds, samples, features,
 * the sum of all values, bytes of what was read, bytes at the peak of memory;
 * of JSON lines the member "text", as tf idf
 */
#include "../../examples/mtc/texts/texts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Bytes at the peak; getrusage would count those of whoever started us. */
static long peak(void)
{
    char line[200];
    long kilobytes = 0;
    FILE *f = fopen("/proc/self/status", "r");
    while (f != NULL && fgets(line, sizeof line, f) != NULL)
        if (strncmp(line, "VmHWM:", 6) == 0)
            kilobytes = strtol(line + 6, NULL, 10);
    if (f != NULL)
        fclose(f);
    return 1024 * kilobytes;
}

int main(int argc, char **argv)
{
    static app a;
    settings set;
    double sum = 0;
    memset(&a, 0, sizeof a);
    memset(&set, 0, sizeof set);
    a.pool.previous = a.pool.next = &a.pool;
    a.percent = -1;
    a.quiet = 1;
    words files = {0, 0, NULL};
    for (int i = 1; i < argc; i++)
        add_word(&a, &files, argv[i], strlen(argv[i]));
    if (argc > 1 && is_jsonl(argv[1]))
        add_word(&a, &set.text, "text", 4);
    set.stop = "none";
    set.vocabulary = 1000000;
    clock_t start = clock();
    tasks all = load_tasks(&a, &files, &set, 0);
    preprocess_in_place(&a, &all, set.text.n > 0 ? "tfidf" : "none", NULL);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    long most = peak();
    const task *t = &all.at[0];
    mtc_data X = view_of(t);
    size_t stored = row_begin(&X, X.n);
    for (size_t p = 0; p < stored; p++)
        sum += (double)X.values[p];
    size_t bytes = stored * sizeof *X.values +
                   (t->truth != NULL ? t->n * sizeof *t->truth : 0) +
                   (t->row != NULL ? stored * sizeof *t->column +
                                         (t->n + 1) * sizeof *t->row : 0);
    printf("%.6f %zu %zu %.17g %zu %ld\n", seconds, t->n, t->d, sum, bytes,
           most);
    pool_free(&a);
    return 0;
}
