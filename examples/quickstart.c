/* SPDX-License-Identifier: MIT
 *
 * quickstart.c - the smallest whole program: cluster eight points, look at
 * the centers, and compare the labels with the truth.
 *
 *     cc examples/quickstart.c mtc.c linalg.c lp.c -lm
 */
#include <stdio.h>

#include "../mtc.h"

int main(void)
{
    const mtc_real points[] = {1, 1,  1, 2,  2, 1,  2, 2,
                               8, 8,  8, 9,  9, 8,  9, 9};
    const int truth[] = {0, 0, 0, 0, 1, 1, 1, 1};
    mtc_data X = mtc_dense(8, 2, points);

    mtc_kmeans_options opt = mtc_kmeans_defaults();
    opt.clusters = 2;
    mtc_kmeans_result res;
    mtc_status s = mtc_kmeans(NULL, &X, &opt, &res);
    mtc_scores scores;
    if (s == MTC_OK)
        s = mtc_score(NULL, 8, truth, res.labels, &scores);
    if (s != MTC_OK) {
        fprintf(stderr, "%s\n", mtc_status_text(s));
        return 1;
    }
    int first = res.labels[0];              /* clusters come in any order */
    for (int c = 0; c < 2; c++) {
        const mtc_real *u = res.centers + 2 * (c == 0 ? first : 1 - first);
        printf("center %.2f %.2f\n", (double)u[0], (double)u[1]);
    }
    printf("loss %.2f, accuracy %.2f\n", (double)res.loss,
           (double)scores.accuracy);
    mtc_free(NULL, &res.block);
    return 0;
}

/* Prints:
 * center 1.50 1.50
 * center 8.50 8.50
 * loss 4.00, accuracy 1.00
 */
