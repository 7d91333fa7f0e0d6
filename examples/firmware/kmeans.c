/* SPDX-License-Identifier: MIT
 *
 * kmeans.c - k-means on the device itself: no heap, no operating system, less
 * than 6 KB of RAM with the stack.
 *
 * The samples lie in flash (samples.h); the library works in a static buffer.
 * Out goes one label a line, as in the files of `mtc cluster --out`.
 */
#include <stdio.h>

#include "mtc.h"

#define SAMPLE_REAL mtc_real
#include "samples.h"

int main(void)
{
    static double buffer[4096 / sizeof(double)];  /* aligned so */
    mtc_arena arena = mtc_arena_over(buffer, sizeof buffer);
    mtc_context ctx = mtc_arena_context(&arena);
    mtc_data X = mtc_dense(SAMPLES, FEATURES, samples[0][0]);
    mtc_kmeans_options opt = mtc_kmeans_defaults();
    mtc_kmeans_result res;
    opt.clusters = 4;
    opt.iterations = 20;                    /* each one is a real to keep */
    mtc_status s = mtc_kmeans(&ctx, &X, &opt, &res);
    if (s != MTC_OK) {
        puts(mtc_status_text(s));
        return 1;
    }
    for (size_t i = 0; i < X.n; i++) {
        const char line[2] = {(char)('0' + res.labels[i]), '\0'};
        puts(line);
    }
    mtc_free(&ctx, &res.block);
    return 0;
}
