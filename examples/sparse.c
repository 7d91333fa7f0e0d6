/* SPDX-License-Identifier: MIT
 *
 * sparse.c - sparse data in compressed rows (CSR): six short texts, each the
 * counts of the words it has, are parted in two topics.
 *
 *     cc examples/sparse.c mtc.c linalg.c lp.c -lm
 */
#include <stdio.h>

#include "../mtc.h"

int main(void)
{
    static const char *const words[] = {"ball", "goal", "team", "vote",
                                        "law", "party", "the"};
    /* Text i has the words column[e] values[e] times, for e from row[i] up to
     * row[i + 1]; columns ascend in a row, and zeros are not stored. */
    static const size_t row[] = {0, 3, 5, 8, 11, 13, 16};
    static const uint32_t column[] = {0, 1, 6,  0, 2,     1, 2, 6,
                                      3, 4, 6,  4, 5,     3, 5, 6};
    static const mtc_real values[] = {2, 1, 1,  1, 2,     2, 1, 1,
                                      2, 1, 1,  2, 1,     1, 2, 1};
    mtc_data X = mtc_csr(6, 7, row, column, values);

    mtc_ncut_options opt = mtc_ncut_defaults();     /* cosines, for text */
    opt.clusters = 2;
    mtc_ncut_result res;
    mtc_status s = mtc_ncut(NULL, &X, &opt, &res);
    if (s != MTC_OK) {
        printf("%s\n", mtc_status_text(s));
        return 1;
    }
    for (size_t i = 0; i < X.n; i++) {
        printf("topic %c:", res.labels[i] == res.labels[0] ? 'A' : 'B');
        for (size_t e = row[i]; e < row[i + 1]; e++)
            printf(" %s", words[column[e]]);
        printf("\n");
    }
    mtc_free(NULL, &res.block);
    return 0;
}

/* Prints:
 * topic A: ball goal the
 * topic A: ball team
 * topic A: goal team the
 * topic B: vote law the
 * topic B: law party
 * topic B: vote party the
 */
