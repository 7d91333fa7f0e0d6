/* SPDX-License-Identifier: MIT
 *
 * threads.c - no state outside the arguments: four threads with a context
 * each run every row of calls.h at the same time, and get the bits that one
 * thread gets alone.  Built with the thread sanitizer by `make check-tsan`.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "../promises/calls.h"

enum { THREADS = 4, VARIANTS = 2 };

static void *take(void *memory, size_t size)
{
    (void)memory;
    return malloc(size);
}

static void give(void *memory, void *block, size_t size)
{
    (void)memory, (void)size;
    free(block);
}

/* Hashes of all rows; each thread starts at a row of its own. */
typedef struct lane { size_t first; uint64_t hash[METHOD_ROWS]; } lane;

static void *run_lane(void *argument)
{
    lane *l = (lane *)argument;
    stage *set = (stage *)malloc(sizeof *set);
    for (size_t r = 0; set != NULL && r < METHOD_ROWS; r++) {
        size_t row = (l->first + r) % METHOD_ROWS;
        mtc_context ctx = mtc_context_defaults();
        witness w = WITNESS;
        ctx.allocate = take;
        ctx.release = give;
        for (unsigned v = 0; v < VARIANTS; v++)
            for (int csr = 0; csr < 2; csr++)
                stage_run_one(set, &method_rows[row], &ctx, 24, 9, csr, v, &w);
        l->hash[row] = w.hash;
    }
    free(set);
    return NULL;
}

int main(void)
{
    static lane alone, lanes[THREADS];
    pthread_t thread[THREADS];
    size_t differ = 0;
    run_lane(&alone);
    for (size_t t = 0; t < THREADS; t++) {
        lanes[t].first = t * METHOD_ROWS / THREADS;
        if (pthread_create(&thread[t], NULL, run_lane, &lanes[t]) != 0)
            return puts("no thread to be had"), 2;
    }
    for (size_t t = 0; t < THREADS; t++)
        pthread_join(thread[t], NULL);
    for (size_t t = 0; t < THREADS; t++)
        for (size_t r = 0; r < METHOD_ROWS; r++)
            if (lanes[t].hash[r] != alone.hash[r] && ++differ < 10)
                printf("%s differs\n", method_rows[r].name);
    printf("%d rows in %d threads: %lu differ\n", (int)METHOD_ROWS, THREADS,
           (unsigned long)differ);
    return differ > 0;
}
