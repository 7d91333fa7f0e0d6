/* SPDX-License-Identifier: MIT
 *
 * rows.c - what a model of ROWS samples takes on a Cortex-M4: bytes of the
 * buffer for k-means and for MBC, which run in just as much; and instructions
 * of a label by an exported header.  Lines for the table of
 * examples/firmware/README.md.  The emulator counts an instruction as a
 * nanosecond (-icount shift=0), the timer has 25 MHz.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "model.h"
#include "mtc.h"

#define SAMPLE_REAL mtc_real
#include "samples.h"

enum { MOST = 500, CLUSTERS = 4 };
static mtc_real rows[2 * MOST][FEATURES];
static double memory[5000];

static void say(const char *what, unsigned long number)
{
    char line[60], digits[20];
    size_t n = 0, at = strlen(what);
    memcpy(line, what, at);
    for (; n == 0 || number > 0; number /= 10)
        digits[n++] = (char)('0' + number % 10);
    while (n > 0)
        line[at++] = digits[--n];
    line[at] = '\0';
    puts(line);
}

static mtc_status kmeans(mtc_context *ctx, const mtc_data *X)
{
    mtc_kmeans_options opt = mtc_kmeans_defaults();
    mtc_kmeans_result res;
    opt.clusters = CLUSTERS;
    opt.iterations = 20;
    return mtc_kmeans(ctx, X, &opt, &res);
}

/* Two tasks of so many rows each. */
static mtc_status mbc(mtc_context *ctx, const mtc_data *X)
{
    const mtc_data both[] = {*X, mtc_dense(X->n, X->d, rows[MOST])};
    mtc_mbc_options opt = mtc_mbc_defaults();
    mtc_mbc_result res;
    opt.clusters = CLUSTERS;
    opt.iterations = 20;
    return mtc_mbc(ctx, both, 2, &opt, &res);
}

static void bytes(const char *name,
                  mtc_status (*call)(mtc_context *, const mtc_data *),
                  const mtc_data *X)
{
    mtc_context ctx = mtc_measure();
    mtc_status s = call(&ctx, X);
    mtc_arena arena = mtc_arena_over(memory, ctx.need);
    say(name, (unsigned long)ctx.need);
    ctx = mtc_arena_context(&arena);
    if (ctx.need > sizeof memory || (s = call(&ctx, X)) != MTC_OK)
        puts(mtc_status_text(s));
}

static unsigned long ticks(void)
{
    return *(volatile uint32_t *)0xe000e018;    /* counts down */
}

static void instructions(void)
{
    int sum = 0;
    *(volatile uint32_t *)0xe000e014 = 0xffffff;
    *(volatile uint32_t *)0xe000e018 = 0;
    *(volatile uint32_t *)0xe000e010 = 5;       /* on, by the core's clock */
    unsigned long from = ticks();
    for (int t = 0; t < MODEL_TASKS; t++)
        for (int i = 0; i < SAMPLES; i++)
            sum += model_label(t, samples[t][i]);
    unsigned long taken = (from - ticks()) & 0xffffff;
    say(sum >= 0 ? "instructions " : "refused ",
        taken * 40 / (MODEL_TASKS * SAMPLES));
}

int main(void)
{
    static const size_t sizes[] = {50, 100, MOST};
    for (size_t i = 0; i < 2 * MOST; i++)
        for (size_t j = 0; j < FEATURES; j++)   /* no row twice */
            rows[i][j] = samples[i / MOST][i % SAMPLES][j] +
                         samples[0][i % MOST / SAMPLES][j] / 8;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const mtc_data X = mtc_dense(sizes[i], FEATURES, rows[0]);
        say("rows ", (unsigned long)sizes[i]);
        bytes("kmeans ", kmeans, &X);
        bytes("mbc ", mbc, &X);
    }
    instructions();
    return 0;
}
