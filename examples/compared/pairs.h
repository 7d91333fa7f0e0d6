/* SPDX-License-Identifier: MIT
 *
 * pairs.h - two feature spaces and pairs of samples seen in both, for
 * cotransfer.c and htlic.c.
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
/* A copy of the bridge with 0 in every column that X does not use; on failure
 * room->status is set. */
mtc_data cmp_used_columns(cmp_room *room, const mtc_data *bridge,
                          const mtc_data *X);

#endif /* CMP_PAIRS_H */
