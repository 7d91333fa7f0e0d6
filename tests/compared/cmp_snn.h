/* SPDX-License-Identifier: MIT
 *
 * cmp_snn.h - shared nearest neighbors of one dense task by definition, and a
 * few tasks, for the tests of SAMTC and MTCTKI.
 */
#ifndef CMP_TEST_SNN_H
#define CMP_TEST_SNN_H

#include <math.h>

#include "test_util.h"

static inline double snn_far(size_t d, const mtc_real *x, const mtc_real *y)
{
    double sum = 0;
    for (size_t c = 0; c < d; c++)
        sum += ((double)x[c] - (double)y[c]) * ((double)x[c] - (double)y[c]);
    return sum;
}

/* Is j one of the l nearest of i in x [n*d], itself left out? */
static inline int snn_near(size_t n, size_t d, const mtc_real *x, size_t l,
                           size_t i, size_t j)
{
    double far = snn_far(d, x + i * d, x + j * d);
    size_t before = 0;
    for (size_t p = 0; p < n; p++) {
        double other = snn_far(d, x + i * d, x + p * d);
        before += p != i && (other < far || (!(other > far) && p < j));
    }
    return i != j && before < l;
}

/* S [n*n] = K o N N' / l, diagonal 0. */
static inline void snn_plain(size_t n, size_t d, const mtc_real *x, size_t l,
                             double sigma, double *S)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double common = 0, far = snn_far(d, x + i * d, x + j * d);
            for (size_t p = 0; p < n && i != j; p++)
                common += snn_near(n, d, x, l, i, p) &&
                          snn_near(n, d, x, l, j, p);
            S[i * n + j] = common / (double)l * exp(-far / 2 / sigma / sigma);
        }
}

/* T tasks of n samples around k centers at distance `apart`, cluster i % k, the
 * first task's moved by `shift` in all columns from task to task. */
static inline void snn_tasks(test_tasks *p, size_t T, size_t n, size_t d,
                             size_t k, double apart, double shift)
{
    p->tasks = T;
    p->n = T * n;
    p->d = d;
    for (size_t t = 0; t < T; t++) {
        test_fill(p->x[t], n * d, 17 + t, 0, 1);
        for (size_t i = 0; i < n * d; i++)
            p->x[t][i] += (mtc_real)(shift * (double)t);
        for (size_t i = 0; i < n; i++) {
            p->x[t][i * d + i % k] += (mtc_real)apart;
            p->start[t][i] = (int)(i % k);
        }
        p->k[t] = k;
        test_views(p, t, n, d);
    }
}

/* Do labels a and b say the same, up to names 0..9? */
static inline int snn_same(size_t n, const int *a, const int *b)
{
    int to[10], from[10];
    for (int z = 0; z < 10; z++)
        to[z] = from[z] = -1;
    for (size_t i = 0; i < n; i++) {
        if (to[a[i]] < 0 && from[b[i]] < 0) {
            to[a[i]] = b[i];
            from[b[i]] = a[i];
        }
        if (to[a[i]] != b[i] || from[b[i]] != a[i])
            return 0;
    }
    return 1;
}

#endif /* CMP_TEST_SNN_H */
