/* SPDX-License-Identifier: MIT
 *
 * start.c - A1 and A5: the first centroids, the last numbers
 */
#include "federated.h"

#include <stdlib.h>
#include <string.h>

/* The generator that mtc_mbc draws the seeds of task t from. */
static mtc_random stream_of(uint64_t seed, uint64_t t)
{
    uint64_t mixed = mtc_random_seed(seed).s[0] ^ t;
    return mtc_random_seed(mtc_random_seed(mixed).s[0]);
}

/* A1 without labels: K different rows of task t (Floyd's algorithm), each from
 * the rank that has it. */
void draw_seeds(job *j, size_t t)
{
    size_t k = j->k[t], d = j->d, *pick = zeros(k, sizeof *pick);
    mtc_random random = stream_of((uint64_t)j->set.seed, t);
    for (size_t z = 0; z < k; z++) {
        size_t top = j->n[t] - k + z, row = mtc_random_below(&random, top + 1);
        mtc_real *u = j->U[t] + z * d;
        for (size_t a = 0; a < z; a++)
            row = pick[a] == row ? top : row;
        pick[z] = row;
        int owner = holder_of(j, t, &row);
        if (owner == j->rank)
            mtc_data_axpy(&j->X[t], row, 1, u);     /* u was 0 */
        send_to_all(j, u, d, owner);
        for (size_t e = 0; e < d; e++)
            u[e] += j->opt.smooth;
    }
    free(pick);
}

/* A1 with labels: all centroids of task t are the mean of its rows, where those
 * of empty clusters stay; of the rows' one cluster if there is one. */
void begin_at_mean(job *j, size_t t)
{
    size_t d = j->d, k = j->k[t];
    mtc_real n = (mtc_real)j->n[t], *all = j->U[t];
    if (j->X[t].n > 0) {
        go_on(j, t, all, d);
        for (size_t i = 0; i < j->X[t].n; i++)
            mtc_data_axpy(&j->X[t], i, 1 / n, all);
        pass_on(j, t, all, d);
    }
    send_to_all(j, all, d, last_holder(j, t));
    for (size_t z = 0; z < k; z++)
        for (size_t e = 0; e < d && j->count[t * j->most + z] >= n; e++)
            all[e] = j->S[t][z * d + e] / n;
    for (size_t e = 0; e < d; e++)
        all[e] += j->opt.smooth;
    for (size_t z = 1; z < k; z++)
        memcpy(all + z * d, all, d * sizeof *all);
}

/* A5. */
void number_clusters(job *j, size_t t)
{
    size_t k = j->k[t], d = j->d, *name = zeros(k, sizeof *name);
    mtc_real *count = j->count + t * j->most, *old = zeros(k, sizeof *old);
    const mtc_real *W = j->plans + t * j->most * j->most;   /* W^0t */
    memcpy(old, count, k * sizeof *old);
    memcpy(j->S[t], j->U[t], k * d * sizeof **j->S);
    for (size_t e = 0; e < k * k && k == j->k[0]; e++)
        if (W[e] > 0)
            name[e % k] = e / k;
    for (size_t i = 0; i < j->X[t].n && k == j->k[0]; i++)
        j->labels[t][i] = (int)name[j->labels[t][i]];
    for (size_t z = 0; z < k && k == j->k[0]; z++) {
        count[name[z]] = old[z];
        memcpy(j->U[t] + name[z] * d, j->S[t] + z * d, d * sizeof **j->U);
    }
    free(name);
    free(old);
}
