/* SPDX-License-Identifier: MIT
 *
 * What the tests of TTL and of the choice of a bridge share: views, and texts
 * drawn from topics.
 */
#ifndef TTL_WORLD_H
#define TTL_WORLD_H

#include <math.h>

#include "test_util.h"

#define MAX_N 200
#define MAX_M 240

/* A domain, dense and CSR. */
typedef struct ttl_view {
    mtc_real x[MAX_N * MAX_M], value[MAX_N * MAX_M];
    size_t row[MAX_N + 1];
    uint32_t column[MAX_N * MAX_M];
    mtc_data dense, csr;
    int y[MAX_N];
} ttl_view;

static void view_of(ttl_view *v, size_t n, size_t m)
{
    test_sparse(n, m, v->x, v->row, v->column, v->value);
    v->dense = mtc_dense(n, m, v->x);
    v->csr = mtc_csr(n, m, v->row, v->column, v->value);
}

/* ---- generated triples ------------------------------------------------- */

/* Topics as in a small newspaper.  Words 0..m-1; the source has none of the
 * odd ones, the target none of the even ones, bridges all.  A class has a
 * topic common to all domains (1-shift) and one of the domain's own. */
typedef struct ttl_world {
    size_t m, c;
    double shift, strength;
    uint64_t seed;
} ttl_world;

static double hashed(uint64_t seed, uint64_t a, uint64_t b, uint64_t d)
{
    mtc_random r = mtc_random_seed(seed * 1000003u + a * 8191u + b * 131071u +
                                   d * 524287u + 17u);
    mtc_random_bits(&r);
    return (double)(mtc_random_bits(&r) >> 11) / 9007199254740992.0;
}

/* Weight of a word in topic `id`: one word in six, exponential. */
static double topic(const ttl_world *w, uint64_t id, size_t word)
{
    if (hashed(w->seed, id, word, 1) > 1.0 / 6)
        return 0;
    return -log(1 - hashed(w->seed, id, word, 2));
}

static void load(ttl_view *v, const double *x, size_t n, size_t m)
{
    for (size_t e = 0; e < n * m; e++)
        v->x[e] = (mtc_real)x[e];
    view_of(v, n, m);
}

#define MANY_DRAWS(test)                                                      \
    do {                                                                      \
        if (TEST_FEWER == 1)                                                  \
            RUN_TEST(test);                                                   \
    } while (0)

#endif
