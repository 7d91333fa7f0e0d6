/* SPDX-License-Identifier: MIT
 *
 * generate.c - the command generate: synthetic data sets
 *
 * Everything random is drawn from the library's generator, so that a seed
 * gives the same data on every machine.
 */
#include "../methods/job.h"

#include <stdio.h>
#include <string.h>

/* What tells Gaussian clusters from others: dimensions, how far the centers
 * are from 0 in each, how far a task is moved as a whole. */
typedef struct blobs { size_t d; double apart, moved; } blobs;

/* A generator writes the text of task t.  What the tasks share is drawn from
 * only the seed, what is the task's own from the seed and t. */
typedef struct generator {
    const char *name;
    void (*make)(app *a, const settings *set, size_t k, size_t t, text *out);
    blobs b;                        /* make NULL */
    size_t k;                       /* default number of classes */
    size_t tasks;                   /* as many files always; 0: --tasks */
    const char *help;
} generator;

/* The random numbers of task t only. */
static mtc_random own_stream(const settings *set, size_t t)
{
    return mtc_random_seed(set->seed + 1000003 * ((uint64_t)t + 1));
}

/* Gaussian clusters of deviation 1 around k centers that all tasks have; each
 * but the first is moved. */
static void put_blobs(app *a, const settings *set, size_t k, blobs b, size_t t,
                      text *out)
{
    mtc_random shared = mtc_random_seed(set->seed), own = own_stream(set, t);
    double *center = TAKE(a, k * b.d, double), *shift = TAKE(a, b.d, double);
    for (size_t p = 0; p < k * b.d; p++)
        center[p] = b.apart * (double)mtc_random_normal(&shared);
    for (size_t c = 0; c < b.d && t > 0 && b.moved > 0; c++)
        shift[c] = b.moved * (double)mtc_random_normal(&own);
    for (size_t i = 0; i < set->samples; i++) {
        put(a, out, "%zu", i % k + 1);
        for (size_t c = 0; c < b.d; c++)
            put(a, out, " %zu:%.9g", c + 1, center[i % k * b.d + c] +
                shift[c] + (double)mtc_random_normal(&own));
        put(a, out, "\n");
    }
    pool_release(shift);
    pool_release(center);
}

/* A word of a document: now and then one of its topic, out of 20 that the
 * topic has in all tasks or 20 that it has in this one; else background.
 * Squaring the draw makes small numbers frequent, as in real text. */
static size_t draw_word(mtc_random *r, size_t topic, size_t t)
{
    double u = (double)mtc_random_real(r), v = (double)mtc_random_real(r);
    size_t skewed = (size_t)(v * v * 20);
    if (u < 0.07)
        return 100 + topic % 8 * 20 + skewed;       /* the topic's, shared */
    if (u < 0.10)
        return 260 + (topic + t * 3) % 7 * 20 + skewed;     /* task's own */
    return (size_t)(v * v * 100);                   /* background */
}

/* A sample as counts of n words. */
static void put_seen(app *a, text *out, size_t label, size_t n,
                     const size_t *seen)
{
    put(a, out, "%zu", label);
    for (size_t w = 0; w < n; w++)
        if (seen[w] > 0)
            put(a, out, " %zu:%zu", w + 1, seen[w]);
    put(a, out, "\n");
}

/* Documents of 40 to 79 words, as counts. */
static void make_text(app *a, const settings *set, size_t k, size_t t,
                      text *out)
{
    enum { WORDS = 400 };
    mtc_random own = own_stream(set, t);
    for (size_t i = 0; i < set->samples; i++) {
        size_t seen[WORDS] = {0}, length = 40 + mtc_random_below(&own, 40);
        for (size_t w = 0; w < length; w++)
            seen[draw_word(&own, i % k, t)]++;
        put_seen(a, out, i % k + 1, WORDS, seen);
    }
}

/* A word of a text: of its topic by 4 in 10, else background.  `mixed` 0: even
 * words only; 1: odd ones; 2: both; 3: few odd ones. */
static size_t draw_half(mtc_random *r, size_t topic, int mixed)
{
    double u = (double)mtc_random_real(r), v = (double)mtc_random_real(r);
    size_t word = u < 0.4 ? 60 + topic * 30 + (size_t)(v * v * 30)
                          : (size_t)(v * v * 60);
    double odd = mixed == 0 ? 0 : mixed == 1 ? 1 : mixed == 2 ? .5 : .05;
    return 2 * word + ((double)mtc_random_real(r) < odd);
}

/* Word counts: source, bridge, target; a domain near the source and one of
 * other topics. */
static void make_bridge(app *a, const settings *set, size_t k, size_t t,
                        text *out)
{
    enum { WORDS = 2 * (60 + 16 * 30) };
    static const int mixed[5] = {0, 2, 1, 3, 2};
    mtc_random own = own_stream(set, t);
    for (size_t i = 0; i < set->samples; i++) {
        size_t seen[WORDS] = {0};
        for (size_t w = 0; w < 12; w++)
            seen[draw_half(&own, i % k + (t == 4 ? 8 : 0), mixed[t])]++;
        put_seen(a, out, i % k + 1, WORDS, seen);
    }
}

static const generator generators[] = {
    {"blobs", NULL, {5, 1.4, 0.7}, 3, 0,
     "Gaussian clusters with shared centers, shifted in each task"},
    {"siblings", NULL, {30, 0.45, 0}, 3, 0,
     "Gaussian clusters with the very same centers, hard to tell apart"},
    {"text", make_text, {0, 0, 0}, 3, 0,
     "word counts of topics that share part of their words"},
    {"bridge", make_bridge, {0, 0, 0}, 2, 5,
     "word counts: source, bridge, target, and two other candidates"}
};
enum { N_GENERATORS = sizeof generators / sizeof generators[0] };

/* A line each, for `mtc help generate`. */
void print_generators(void)
{
    for (size_t i = 0; i < N_GENERATORS; i++)
        printf("  %-9s %s\n", generators[i].name, generators[i].help);
}

static const generator *find_generator(app *a, const char *name)
{
    text known = {NULL, 0, 0};
    for (size_t i = 0; i < N_GENERATORS; i++) {
        if (strcmp(generators[i].name, name) == 0)
            return &generators[i];
        put(a, &known, " %s", generators[i].name);
    }
    fail(a, BAD_USAGE, "unknown data %s; known:%s", name, known.at);
}

/* DIR/NAMEt.svm for t = 1, 2, ... */
void run_generate(app *a, int argc, char **argv)
{
    settings set;
    text summary = {NULL, 0, 0};
    words names = parse_args(a, "generate", GENERATE_OPTIONS, argc, argv, &set);
    need_operands(a, &names, 1, 1, "one NAME of data");
    const generator *g = find_generator(a, names.at[0]);
    size_t k = set.k.n > 0 ? set.k.at[0] : g->k;
    if (set.out == NULL)
        fail(a, BAD_USAGE, "--out DIR is missing");
    if (set.k.n > 1)
        fail(a, BAD_USAGE, "--k: %s takes one number", g->name);
    if (set.samples < k)
        fail(a, BAD_USAGE, "--n %zu: %zu classes need %zu samples or more",
             set.samples, k, k);
    save_directory(a, set.out);
    set.tasks = g->tasks > 0 ? g->tasks : set.tasks;
    for (size_t t = 0; t < set.tasks; t++) {
        text out = {NULL, 0, 0};
        char ending[32];
        sprintf(ending, "%zu.svm", t + 1);
        const char *path = join_path(a, set.out, g->name, ending);
        safe_point(a, "generating", t, set.tasks);
        if (g->make != NULL)
            g->make(a, &set, k, t, &out);
        else
            put_blobs(a, &set, k, g->b, t, &out);
        save(a, path, &out);
        put(a, &summary, "%s: %zu samples, %zu classes\n", path, set.samples,
            k);
    }
    if (!set.quiet)
        save(a, "-", &summary);
}
