/* SPDX-License-Identifier: MIT
 *
 * assign.c - the library's own assignment, by centers that lie in flash.
 *
 * A result is a plain struct: filled with tables of one's own it is a model,
 * and nothing has to be clustered first.  Only what the call reads has to be
 * there (tasks, d, clusters, centers; no divergence is squared Euclidean).
 * Where labels are all that is wanted
 * the header of `mtc export` is a tenth as large (label.c).  Two rooms, each
 * with a dry and a humid regime of its own: temperature, humidity.
 */
#include <stdio.h>

#include "mtc.h"

static const mtc_real office[] = {21, 41,  30, 70};
static const mtc_real cellar[] = {12, 60,  15, 85};

int main(void)
{
    static double buffer[64];
    static const mtc_real readings[] = {22, 45,  28, 66,  13, 79};
    size_t clusters[] = {2, 2};
    mtc_real *centers[] = {(mtc_real *)office, (mtc_real *)cellar}; /* read */
    mtc_mbc_result model = {.tasks = 2, .d = 2, .clusters = clusters,
                            .centers = centers};
    mtc_arena arena = mtc_arena_over(buffer, sizeof buffer);
    mtc_context ctx = mtc_arena_context(&arena);
    mtc_data X = mtc_dense(3, 2, readings);
    for (size_t room = 0; room < model.tasks; room++) {
        int labels[3];
        mtc_status s = mtc_mbc_assign(&ctx, &X, room, &model, labels);
        if (s != MTC_OK) {
            puts(mtc_status_text(s));
            return 1;
        }
        puts(room == 0 ? "in the office" : "in the cellar");
        for (size_t i = 0; i < X.n; i++)
            puts(labels[i] == 0 ? "  dry" : "  humid");
    }
    return 0;
}

/* Prints:
 * in the office
 *   dry
 *   humid
 *   humid
 * in the cellar
 *   dry
 *   dry
 *   humid
 */
