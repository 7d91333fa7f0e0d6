/* SPDX-License-Identifier: MIT
 *
 * pairs.h - two feature spaces and pairs of samples seen in both, for
 * cotransfer.c and htlic.c.  Copies live until the room is closed; on failure
 * room->status is set.
 */
#ifndef CMP_PAIRS_H
#define CMP_PAIRS_H

#include "compared.h"

/* Sources of one width with labels (NULL: none), and what co-transfer
 * and HTLIC are given beside: view1 as wide as the sources, view2 (NULL: view1
 * is both) as wide as the target, of as many rows; known [target.n] in
 * -1..classes-1, or NULL.  Places count sources, target, view1, view2. */
mtc_status cmp_check_pairs(mtc_context *ctx, const mtc_data *sources,
                           const int *const *labels, size_t n_sources,
                           const mtc_data *target,
                           const mtc_data *view1, const mtc_data *view2,
                           const int *known, size_t classes);
/* A copy of the bridge with 0 in every column that X does not use. */
mtc_data cmp_used_columns(cmp_room *room, const mtc_data *bridge,
                          const mtc_data *X);

/* Cosines up to this are rounding, and count as 0: alone in a column of weights
 * that is scaled to sum 1 they would become 1. */
#define CMP_WEAK (sizeof(mtc_real) == 8 ? (mtc_real)1e-10 : (mtc_real)1e-6)

/* For every row of X its k largest cosines with rows of the view, those above
 * 0, as CSR [X.n x view.n]; k in 1..view.n. */
mtc_data cmp_nearest_cosines(cmp_room *room, const mtc_data *X,
                             const mtc_data *view, size_t k);

/* The Frobenius norm of Z'T, which is not formed. */
mtc_real cmp_product_norm(cmp_room *room, const mtc_data *Z,
                          const mtc_data *T);

/* [X, Y] as CSR, of as many rows as both have. */
mtc_data cmp_beside(cmp_room *room, const mtc_data *X, const mtc_data *Y);

#endif /* CMP_PAIRS_H */
