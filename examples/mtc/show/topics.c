/* SPDX-License-Identifier: MIT
 *
 * topics.c - clusters of texts: the words that set each apart, and the texts
 * that are most like it
 *
 * The score of a word is the difference of its mean weight in the cluster and
 * in the rest, over the pooled deviation plus the median of that, so that a
 * rare word does not win by accident.  The texts are those whose direction is
 * nearest to that of the center; one without words has none.
 */
#include "summary.h"
#include "../texts/texts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* sum [k*d] of the weights; returns that of their squares. */
static double *add_weights(profile *p)
{
    const mtc_data *X = &p->as_seen;
    double *squares = TAKE(p->a, p->k * p->d, double);
    p->sum = TAKE(p->a, p->k * p->d, double);
    for (size_t i = 0; i < X->n; i++)
        for (size_t q = row_begin(X, i); q < row_begin(X, i + 1); q++) {
            double x = (double)X->values[q];
            size_t at = (size_t)p->labels[i] * p->d + column_of(X, q);
            p->sum[at] += x;
            squares[at] += x * x;
        }
    return squares;
}

/* Sum of squares around the mean, of n values. */
static double scatter(double sum, double square, double n)
{
    double s = n > 0 ? square - sum * sum / n : 0;
    return s > 0 ? s : 0;
}

/* The median of those of x [n] that are above 0; 1: there are none. */
static double median_above_zero(app *a, size_t n, const double *x)
{
    size_t m = 0;
    double *sorted = TAKE(a, n, double);
    for (size_t i = 0; i < n; i++)
        if (x[i] > 0)
            sorted[m++] = x[i];
    qsort(sorted, m, sizeof *sorted, compare_reals);
    double middle = m == 0       ? 1
                    : m % 2 == 1 ? sorted[m / 2]
                                 : (sorted[m / 2 - 1] + sorted[m / 2]) / 2;
    pool_release(sorted);
    return middle;
}

/* score [k*d], of words that a cluster has less of 0; and sum [k*d]. */
void score_words(profile *p)
{
    double *of_squares = add_weights(p);
    double *all = TAKE(p->a, p->d, double), *square = TAKE(p->a, p->d, double);
    double *pooled = TAKE(p->a, p->d, double);
    for (size_t z = 0; z < p->k; z++)
        for (size_t f = 0; f < p->d; f++) {
            all[f] += p->sum[z * p->d + f];
            square[f] += of_squares[z * p->d + f];
        }
    for (size_t z = 0; z < p->k; z++) {
        double own = (double)p->size[z], rest = (double)p->n - own;
        const double *sum = p->sum + z * p->d;
        const double *squares = of_squares + z * p->d;
        if (!(own > 0 && rest > 0))
            continue;
        for (size_t f = 0; f < p->d; f++)
            pooled[f] = sqrt((scatter(sum[f], squares[f], own) +
                              scatter(all[f] - sum[f], square[f] - squares[f],
                                      rest)) / (double)p->n);
        double middle = median_above_zero(p->a, p->d, pooled);
        for (size_t f = 0; f < p->d; f++) {
            double off = sum[f] / own - (all[f] - sum[f]) / rest;
            p->score[z * p->d + f] = off > 0 ? off / (pooled[f] + middle) : 0;
        }
    }
    pool_release(of_squares);
    pool_release(all);
    pool_release(square);
    pool_release(pooled);
}

/* The words of the largest scores above 0, at most `most` of them. */
size_t best_words(const profile *p, size_t z, size_t most, size_t *best)
{
    const double *score = p->score + z * p->d;
    size_t n = 0;
    for (size_t f = 0; f < p->d; f++) {
        size_t at = n;
        if (!(score[f] > 0) || (n == most && score[f] <= score[best[n - 1]]))
            continue;
        while (at > 0 && score[f] > score[best[at - 1]])
            at--;
        n += n < most;
        memmove(best + at + 1, best + at, (n - 1 - at) * sizeof *best);
        best[at] = f;
    }
    return n;
}

/* ---- texts near the center ---- */

/* The texts of cluster z nearest in direction to its mean; how many. */
static size_t nearest_texts(const profile *p, size_t z, size_t nearest[NEAREST])
{
    const mtc_data *X = &p->as_seen;
    const double *sum = p->sum + z * p->d;
    double best[NEAREST] = {0};
    size_t n = 0;
    for (size_t i = 0; i < p->n; i++) {
        double dot = 0, square = 0;
        if ((size_t)p->labels[i] != z)
            continue;
        for (size_t q = row_begin(X, i); q < row_begin(X, i + 1); q++) {
            double x = (double)X->values[q];
            dot += x * sum[column_of(X, q)];
            square += x * x;
        }
        double near = square > 0 ? dot / sqrt(square) : 0;
        size_t at = n;
        while (at > 0 && near > best[at - 1])
            at--;
        if (!(square > 0) || at == NEAREST)
            continue;
        n += n < NEAREST;
        memmove(best + at + 1, best + at, (n - 1 - at) * sizeof *best);
        memmove(nearest + at + 1, nearest + at,
                (n - 1 - at) * sizeof *nearest);
        best[at] = near;
        nearest[at] = i;
    }
    return n;
}

/* Name and first characters of the texts nearest to the center of cluster z, a
 * line each. */
void put_nearest(text *out, const profile *p, size_t z)
{
    const task *t = p->t;
    size_t nearest[NEAREST];
    size_t n = t->bag != NULL ? nearest_texts(p, z, nearest) : 0;
    for (size_t s = 0; s < n; s++) {
        size_t row = sample_row(t, nearest[s]);
        const char *name = t->id.name != NULL ? t->id.text + t->id.at[row] : "";
        put(p->a, out, "%8s ", "");
        if (*name != '\0')
            put(p->a, out, "%s", cut_name(p->a, name, 40));
        else
            put(p->a, out, "row %zu", row + 1);
        put(p->a, out, ": %s\n", t->bag->opening.text +
                                     t->bag->opening.at[row]);
    }
}

/* ---- JSON ---- */

/* `"words"` and `"nearest"` of each cluster of a task of texts. */
void put_topics(text *t, const report *r, size_t i)
{
    const profile *p = &r->seen->of[i];
    app *a = p->a;
    const task *data = p->t;
    put(a, t, ",\n     \"words\": [");
    for (size_t y = 0; y < p->n_own; y++) {
        size_t best[WORDS_OF_CLUSTER];
        const char *word[WORDS_OF_CLUSTER];
        size_t n = best_words(p, p->own[y], WORDS_OF_CLUSTER, best);
        for (size_t w = 0; w < n; w++)
            word[w] = data->word[best[w]];
        put(a, t, y == 0 ? "" : ",\n       ");
        put_texts(a, t, n, word);
    }
    put(a, t, "],\n     \"nearest\": [");
    for (size_t y = 0; y < p->n_own; y++) {
        size_t nearest[NEAREST];
        size_t n = nearest_texts(p, p->own[y], nearest);
        for (size_t s = 0; s < n; s++)
            nearest[s] = sample_row(data, nearest[s]);
        put(a, t, y == 0 ? "" : ", ");
        put_wholes(a, t, n, nearest);
    }
    put(a, t, "]");
}
