/* SPDX-License-Identifier: MIT
 *
 * coordinates.h - rows in the dimensions that they span, for dmtc.c and
 * mtctki.c.
 */
#ifndef CMP_COORDINATES_H
#define CMP_COORDINATES_H

#include "compared.h"

/* Eigenvalues of a Gram matrix up to this share of the largest are 0. */
#define CMP_RANK ((mtc_real)(sizeof(mtc_real) == 8 ? 1e-10 : 1e-5))

/* Y [N*q] = X P for the N rows X of all tasks, stacked, and the q right
 * singular vectors P of values that are not 0; values [q], ascending, their
 * squares.  Y and values have room for q = min(N, d).  centered 1: each task's
 * mean is taken from its rows first.  O(N d min(N,d)); memory O(N min(N,d))
 * and a copy of the data. */
mtc_status cmp_coordinates(mtc_context *ctx, const mtc_data *tasks,
                           size_t n_tasks, int centered, mtc_real *Y,
                           mtc_real *values, size_t *q);

#endif /* CMP_COORDINATES_H */
