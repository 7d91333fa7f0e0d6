/* SPDX-License-Identifier: MIT
 *
 * rows.c - copies of rows, their lengths and order, sizes and means of
 * clusters; desk.h says what each function does.
 */
#include "desk.h"

/* ---- copies of rows ------------------------------------------------------ */

/* It is not known which rows these will be, so a CSR copy has room for as many
 * values as n rows can have. */
mtc_data adv_rows(adv_desk *desk, const mtc_data *X, size_t n)
{
    size_t most = adv_mul(n, X->d);
    if (X->row == NULL)
        return mtc_dense(0, X->d, ADV_TAKE(desk, most, mtc_real));
    size_t stored = ADV_MIN(X->row[X->n], most);
    const mtc_real *values = ADV_TAKE(desk, stored, mtc_real);
    const uint32_t *column = ADV_TAKE(desk, stored, uint32_t);
    const size_t *row = ADV_TAKE(desk, adv_add(n, 1), size_t);
    return mtc_csr(0, X->d, row, column, values);
}

void adv_add_row(const mtc_data *X, size_t i, mtc_data *copy)
{
    size_t begin = adv_begin(X, i), count = adv_end(X, i) - begin;
    size_t line = copy->n++;
    if (X->row == NULL) {
        ADV_COPY((mtc_real *)copy->values + line * X->d, X->values + begin,
                 count);
        return;
    }
    size_t at = copy->row[line];  /* the arrays are ours: adv_rows */
    ADV_COPY((mtc_real *)copy->values + at, X->values + begin, count);
    ADV_COPY((uint32_t *)copy->column + at, X->column + begin, count);
    ((size_t *)copy->row)[line + 1] = at + count;
}

int adv_drawn(mtc_random *random, size_t left, size_t wanted)
{
    return wanted == left || mtc_random_below(random, left) < wanted;
}

mtc_data adv_draw(adv_desk *desk, const mtc_data *X, size_t wanted,
    uint64_t stream)
{
    mtc_data copy = adv_rows(desk, X, wanted);
    mtc_random random = adv_stream(desk->ctx, stream);
    for (size_t i = 0; i < X->n && desk->status == MTC_OK; i++)
        if (adv_drawn(&random, X->n - i, wanted - copy.n))
            adv_add_row(X, i, &copy);
    return copy;
}

/* ---- lengths ------------------------------------------------------------- */

void adv_unit_rows(size_t n, size_t k, mtc_real *E)
{
    for (size_t i = 0; i < n; i++) {
        mtc_real *row = E + i * k;
        mtc_real length = ADV_SQRT(mtc_dot(k, row, row));
        if (length > 0)
            for (size_t z = 0; z < k; z++)
                row[z] /= length;
    }
}

void adv_unit(mtc_data *copy)
{
    for (size_t i = 0; i < copy->n; i++) {
        size_t begin = adv_begin(copy, i);
        adv_unit_rows(1, adv_end(copy, i) - begin,
                      (mtc_real *)copy->values + begin);
    }
}

mtc_data adv_directions(adv_desk *desk, const mtc_data *X)
{
    mtc_data copy = adv_draw(desk, X, X->n, 0);
    adv_unit(&copy);
    return copy;
}

mtc_real adv_square(const mtc_data *X, size_t i)
{
    size_t begin = adv_begin(X, i), count = adv_end(X, i) - begin;
    const mtc_real *x = count > 0 ? X->values + begin : NULL;
    return mtc_dot(count, x, x);
}

int adv_sparse(const mtc_data *sets, size_t n_sets, mtc_real *zeros)
{
    size_t filled = 0, negative = 0, N = 0, d = sets[0].d;
    for (const mtc_data *X = sets; X < sets + n_sets; X++) {
        N += X->n;
        for (size_t i = 0; i < X->n; i++)
            for (size_t e = adv_begin(X, i); e < adv_end(X, i); e++) {
                filled += X->values[e] != 0;
                negative += X->values[e] < 0;
            }
    }
    if (zeros != NULL)
        *zeros = 1 - (mtc_real)filled / (mtc_real)N / (mtc_real)d;
    return negative == 0 && (double)filled * 10 <= (double)N * (double)d;
}

/* ---- order --------------------------------------------------------------- */

size_t adv_argmax(size_t k, const mtc_real *value)
{
    size_t best = 0;
    for (size_t z = 1; z < k; z++)
        best = value[z] > value[best] ? z : best;
    return best;
}

/* Does a come before b?  A total order: ties by index. */
static int comes_before(const mtc_real *key, size_t a, size_t b)
{
    return key[a] < key[b] || (a < b && key[a] == key[b]);
}

/* heap [n] is in heap order but at the root: no child comes after its parent.
 * The root sinks to its place. */
static void sink_root(const mtc_real *key, size_t *heap, size_t root, size_t n)
{
    size_t moving = heap[root];
    for (size_t child; (child = 2 * root + 1) < n; root = child) {
        if (child + 1 < n && comes_before(key, heap[child], heap[child + 1]))
            child++;  /* the later of the two */
        if (!comes_before(key, moving, heap[child]))
            break;
        heap[root] = heap[child];
    }
    heap[root] = moving;
}

/* Heapsort: no extra memory, and one answer for every input.  The heap holds
 * the first k so far, the last of them on top. */
void adv_select(size_t n, const mtc_real *key, size_t k, size_t *order)
{
    for (size_t i = 0; i < k; i++)
        order[i] = i;
    for (size_t i = k / 2; i-- > 0;)
        sink_root(key, order, i, k);
    for (size_t i = k; i < n; i++)
        if (key[i] < key[order[0]]) {  /* a tie loses: its index is higher */
            order[0] = i;
            sink_root(key, order, 0, k);
        }
    for (size_t i = k; i-- > 1;) {  /* the last one left to its place */
        size_t top = order[0];
        order[0] = order[i];
        order[i] = top;
        sink_root(key, order, 0, i);
    }
}

mtc_real adv_nth(size_t n, const mtc_real *key, size_t m, size_t *order)
{
    adv_select(n, key, m + 1, order);
    return key[order[m]];
}

mtc_real adv_median(size_t n, const mtc_real *key, size_t *order)
{
    mtc_real low = adv_nth(n, key, (n - 1) / 2, order);
    return (low + adv_nth(n, key, n / 2, order)) / 2;
}

/* ---- clusters ------------------------------------------------------------ */

size_t adv_count(size_t n, const int *labels, size_t k, size_t *count)
{
    size_t used = 0;
    ADV_ZERO(count, k);
    for (size_t i = 0; i < n; i++)
        used += count[labels[i]]++ == 0;
    return used;
}

void adv_means(const mtc_data *X, size_t k, const int *labels, mtc_real *means,
    mtc_real *share)
{
    mtc_data_means(X, labels, k, means, share);
    adv_fill(X, k, labels, means, share);
}

void adv_fill(const mtc_data *X, size_t k, const int *labels, mtc_real *means,
    mtc_real *used)
{
    size_t d = X->d, first = 0;
    ADV_ZERO(used, k);
    for (size_t i = 0; i < X->n; i++)
        used[labels[i]] = 1;
    while (used[first] == 0)
        first++;
    for (size_t z = 0; z < k; z++) {
        if (used[z] > 0)
            continue;
        ADV_COPY(means + z * d, means + first * d, d);
        if (z < first)
            means[z * d] = ADV_BY_TYPE(1e148, 1e13);  /* see mtc_data_check */
    }
}

/* Zeros that are not stored add a square each: all are counted, and those of
 * the values that are stored taken off. */
void adv_moments(const mtc_data *X, const int *labels, size_t k,
    mtc_real *count, mtc_real *means, mtc_real *squares)
{
    size_t d = X->d;
    ADV_ZERO(count, k);
    ADV_ZERO(means, k * d);
    ADV_ZERO(squares, k * d);
    for (size_t i = 0; i < X->n; i++) {
        int z = labels != NULL ? labels[i] : 0;
        if (z < 0)
            continue;
        count[z] += 1;
        mtc_data_axpy(X, i, 1, means + (size_t)z * d);
    }
    for (size_t e = 0; e < k * d; e++)
        means[e] /= ADV_MAX(count[e / d], 1);
    for (size_t i = 0; i < X->n; i++) {
        int z = labels != NULL ? labels[i] : 0;
        size_t begin = adv_begin(X, i);
        for (size_t e = begin; z >= 0 && e < adv_end(X, i); e++) {
            size_t at = (size_t)z * d + adv_column(X, begin, e);
            mtc_real off = X->values[e] - means[at];
            squares[at] += off * off;
            squares[at] -= X->row != NULL ? means[at] * means[at] : 0;
        }
    }
    for (size_t e = 0; e < k * d && X->row != NULL; e++) {
        squares[e] += count[e / d] * means[e] * means[e];
        squares[e] = ADV_MAX(squares[e], 0);
    }
}

static double pairs_of(size_t count)
{
    return (double)count * ((double)count - 1) / 2;
}

/* Pairs of samples are whole numbers: sums of them are exact. */
mtc_real adv_ari(const size_t *count, size_t n, size_t k)
{
    double A = 0, B = 0, S = 0, all = pairs_of(n);
    for (size_t a = 0; a < k; a++) {
        size_t row = 0, column = 0;
        for (size_t b = 0; b < k; b++) {
            row += count[a * k + b];
            column += count[b * k + a];
            S += pairs_of(count[a * k + b]);
        }
        A += pairs_of(row);
        B += pairs_of(column);
    }
    double M = (A + B) / 2, E = all > 0 ? A * B / all : 0;
    return M == E ? 1 : (mtc_real)((S - E) / (M - E));
}
