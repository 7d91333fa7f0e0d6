/* SPDX-License-Identifier: MIT
 *
 * snn.h - shared nearest neighbors, for samtc.c and mtctki.c.
 *
 *   S = sum_b weight_b N_b N_b',    S_ij *= K_ij,    S_ii = 0
 * N_b [n*m]: entry ij is 1 where point j of block b is one of the l nearest of
 * sample i, so that (N N')_ij counts the neighbors that i and j have in common;
 * K the Gaussian kernel.  Clusters of S are found by normalized cut.
 */
#ifndef CMP_SNN_H
#define CMP_SNN_H

#include "compared.h"

/* Tasks as cmp_check_sets wants them, a result to fill, restarts, and for each
 * task k in 1..n: of_each [n_tasks], or the same k for all where it is NULL;
 * start_labels [n_tasks] of [n_t] in 0..k-1, or NULL. */
mtc_status cmp_snn_check(mtc_context *ctx, const mtc_data *tasks,
                         size_t n_tasks, size_t k, const size_t *of_each,
                         const int *const *start_labels, size_t restarts,
                         const void *res);

static inline size_t cmp_snn_k(size_t k, const size_t *of_each, size_t t)
{
    return of_each != NULL ? of_each[t] : k;
}

/* l = ceil(share n / k) within 1..most; 0 if most is. */
size_t cmp_snn_count(mtc_real share, size_t n, size_t k, size_t most);

/* Copies of the m rows named in `rows`; on failure room->status is set. */
mtc_data cmp_snn_rows(cmp_room *room, const mtc_data *X, size_t m,
                      const size_t *rows);

/* S [n*n] += weight / l N N' below the diagonal, `rows` ascending; N the l
 * nearest points of every query.  queries
 * NULL: of the points among themselves, none its own neighbor.  rows [queries]
 * are the queries' places in S; NULL: 0, 1, 2, ...  l = 0 adds nothing. */
mtc_status cmp_snn_add(mtc_context *ctx, const mtc_data *points,
                       const mtc_data *queries, const size_t *rows, size_t l,
                       mtc_real weight, size_t n, mtc_real *S);

/* S_ij *= exp(-|x_i - x_j|^2 / (2 sigma^2)) below the diagonal, the same above;
 * then labels [n] and how many occur, by normalized cut: top k eigenvectors of
 * D^-1/2 S D^-1/2, rows to length 1, k-means. */
mtc_status cmp_snn_cluster(mtc_context *ctx, const mtc_data *X,
                           mtc_real sigma, mtc_real *S, size_t k,
                           size_t restarts, int *labels, size_t *k_effective);

#endif /* CMP_SNN_H */
