/* SPDX-License-Identifier: MIT
 *
 * static_memory.c - clustering with no heap, as on a microcontroller.
 *
 * An arena over a static buffer replaces malloc.  Under mtc_measure() a call
 * does nothing but say how many bytes it takes; it then keeps to that.  Eight
 * readings of a sensor (temperature, humidity) fall into two regimes; one
 * that comes later is assigned to one of them.
 */
#include <stdio.h>

#include "../mtc.h"

#define ARENA_BYTES 4096

int main(void)
{
    static double buffer[ARENA_BYTES / sizeof(double)];  /* aligned so */
    static const mtc_real readings[] = {
        (mtc_real)21.0, 40, (mtc_real)21.5, 42, (mtc_real)20.5, 41, 22, 43,
        (mtc_real)30.0, 71, (mtc_real)31.0, 69, (mtc_real)29.5, 70, 30, 72};
    static const mtc_real later[] = {29, 68};
    mtc_data X = mtc_dense(8, 2, readings), Y = mtc_dense(1, 2, later);

    mtc_arena arena = mtc_arena_over(buffer, sizeof buffer);
    mtc_context ctx = mtc_arena_context(&arena);
    mtc_kmeans_options opt = mtc_kmeans_defaults();
    opt.clusters = 2;
    opt.iterations = 20;                    /* each one is a real to keep */
    mtc_kmeans_result res;
    mtc_context measure = mtc_measure();
    mtc_kmeans(&measure, &X, &opt, &res);   /* only sets measure.need */
    if (measure.need > sizeof buffer) {
        printf("the buffer is too small: %lu bytes are needed\n",
               (unsigned long)measure.need);
        return 1;
    }
    int label;
    mtc_status s = mtc_kmeans(&ctx, &X, &opt, &res);
    if (s == MTC_OK)
        s = mtc_kmeans_assign(&ctx, &Y, &res, &label);
    if (s != MTC_OK) {
        printf("%s\n", mtc_status_text(s));
        return 1;
    }
    for (size_t i = 0; i < X.n; i++)
        printf("%5.1f %3.0f  %s\n", (double)readings[2 * i],
               (double)readings[2 * i + 1],
               res.labels[i] == res.labels[0] ? "dry" : "humid");
    printf("later: %s\n", label == res.labels[0] ? "dry" : "humid");
    printf("took what it said: %s\n",
           arena.peak <= measure.need ? "yes" : "no");
    mtc_free(&ctx, &res.block);
    printf("left in the arena: %lu bytes\n", (unsigned long)arena.used);
    return 0;
}

/* Prints:
 *  21.0  40  dry
 *  21.5  42  dry
 *  20.5  41  dry
 *  22.0  43  dry
 *  30.0  71  humid
 *  31.0  69  humid
 *  29.5  70  humid
 *  30.0  72  humid
 * later: humid
 * took what it said: yes
 * left in the arena: 0 bytes
 */
