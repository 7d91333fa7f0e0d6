/* SPDX-License-Identifier: MIT
 *
 * cost.c - what calls cost: seconds and bytes, by the size of the data.
 *
 *     cc examples/cost.c mtc.c linalg.c lp.c -lm
 *
 * Every task has n rows of d features around k centers.  The bytes are what
 * mtc_measure() says before the call: result and scratch, without the data.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "../mtc.h"

/* Defines a function `name` that makes one call with the default options and k
 * clusters, and frees its result. */
#define CALL(name, method, counted, ...)                                \
    static mtc_status name(mtc_context *ctx, const mtc_data *X,         \
                           const int *labels, size_t k)                 \
    {                                                                   \
        mtc_##method##_options opt = mtc_##name##_defaults();           \
        mtc_##method##_result res = {0};                                \
        opt.counted = k;                                                \
        mtc_status s = mtc_##name(ctx, __VA_ARGS__, &opt, &res);        \
        (void)labels;                                                   \
        mtc_free(ctx, &res.block);                                      \
        return s;                                                       \
    }

CALL(kmeans, kmeans, clusters, X)
CALL(ncut, ncut, clusters, X)
CALL(ec, ec, clusters, X)
CALL(lssmtc, lssmtc, clusters, X, 2)
CALL(mbc, mbc, clusters, X, 2)
CALL(mtcfir, mtcfir, clusters, X, 2)
CALL(lssttc, lssmtc, clusters, X, &labels, 1, X + 1)
CALL(ttl, ttl, classes, X, &labels, 1, X + 1, NULL, 1, X + 2)
CALL(trec, trec, ec.clusters, X, labels, X + 1)

static const struct row {
    const char *name;
    size_t tasks, n, d, k;
    mtc_status (*run)(mtc_context *ctx, const mtc_data *X, const int *labels,
                      size_t k);
} rows[] = {
    {"mtc_kmeans", 1, 1000, 10, 5, kmeans},
    {"mtc_kmeans", 1, 100000, 10, 5, kmeans},
    {"mtc_kmeans", 1, 10000, 100, 20, kmeans},
    {"mtc_ec", 1, 10000, 20, 5, ec},
    {"mtc_ncut", 1, 1000, 20, 5, ncut},
    {"mtc_ncut", 1, 4000, 20, 5, ncut},
    {"mtc_lssmtc", 2, 10000, 100, 5, lssmtc},
    {"mtc_mbc", 2, 10000, 100, 5, mbc},
    {"mtc_mtcfir", 2, 200, 500, 5, mtcfir},
    {"mtc_mtcfir", 2, 500, 500, 5, mtcfir},
    {"mtc_lssttc", 2, 1000, 200, 5, lssttc},
    {"mtc_ttl", 3, 1000, 200, 5, ttl},
    {"mtc_trec", 2, 1000, 20, 5, trec},
};

/* Fills X [n*d] with rows around k centers.  No value is negative. */
static void fill(size_t n, size_t d, size_t k, mtc_random *r, mtc_real *X,
    int *labels)
{
    for (size_t i = 0; i < n; i++) {
        mtc_random place = mtc_random_seed(i % k);
        labels[i] = (int)(i % k);
        for (size_t j = 0; j < d; j++) {
            mtc_real center = 3 + 5 * mtc_random_real(&place);
            mtc_real x = center + mtc_random_normal(r);
            X[i * d + j] = x > 0 ? x : 0;
        }
    }
}

static mtc_status measure(const struct row *b, const mtc_data *X,
    const int *labels)
{
    mtc_context ask = mtc_measure();
    b->run(&ask, X, labels, b->k);
    clock_t start = clock();
    mtc_status s = b->run(NULL, X, labels, b->k);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    printf("%-12s %5u %7u %4u %3u %10.3f %12.0f\n", b->name, (unsigned)b->tasks,
           (unsigned)b->n, (unsigned)b->d, (unsigned)b->k, seconds,
           (double)ask.need);
    return s;
}

int main(void)
{
    mtc_random r = mtc_random_seed(1);
    mtc_status s = MTC_OK;
    printf("%-12s %5s %7s %4s %3s %10s %12s\n", "call", "tasks", "n", "d", "k",
           "seconds", "bytes");
    for (size_t i = 0; s == MTC_OK && i < sizeof rows / sizeof *rows; i++) {
        const struct row *b = &rows[i];
        size_t size = b->n * b->d;
        mtc_real *values =
            (mtc_real *)malloc(b->tasks * size * sizeof *values);
        int *labels = (int *)malloc(b->n * sizeof *labels);
        mtc_data X[3];
        if (values == NULL || labels == NULL)
            return 1;
        for (size_t t = 0; t < b->tasks; t++) {
            fill(b->n, b->d, b->k, &r, values + t * size, labels);
            X[t] = mtc_dense(b->n, b->d, values + t * size);
        }
        s = measure(b, X, labels);
        free(values);
        free(labels);
    }
    puts(mtc_status_text(s));
    return s != MTC_OK;
}
