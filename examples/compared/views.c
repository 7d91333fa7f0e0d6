/* SPDX-License-Identifier: MIT
 *
 * views.c - what views hold, copies of them, and orders, for several of the
 * compared systems; compared.h says what each of these is.
 */
#define CMP_INTERNAL
#include "compared.h"

/* ---- what views hold ---------------------------------------------------- */

size_t cmp_count(const mtc_data *sets, size_t n_sets)
{
    size_t n = 0;
    for (size_t s = 0; s < n_sets; s++)
        n = adv_add(n, sets[s].n);
    return n;
}

/* What is counted or weighed is 0 or more: the first value that is not. */
mtc_status cmp_check_nonnegative(mtc_context *ctx, const mtc_data *X,
                                 size_t task)
{
    for (size_t i = 0; i < X->n; i++)
        for (size_t begin = adv_begin(X, i), e = begin; e < adv_end(X, i); e++)
            if (X->values[e] < 0)
                return adv_fail(ctx, MTC_DOMAIN, "values: need 0 or more",
                                task, i, adv_column(X, begin, e));
    return MTC_OK;
}

/* ---- copies of views --------------------------------------------------- */

/* A dense row of a copy in CSR keeps all its d entries. */
mtc_data cmp_copy(adv_desk *desk, const mtc_data *sets, size_t n_sets,
                  size_t m, const size_t *rows)
{
    size_t n = rows != NULL ? m : cmp_count(sets, n_sets), stored = 0, at = 0;
    int sparse = 0;
    for (size_t s = 0; desk->status == MTC_OK && s < n_sets; s++) {
        sparse |= sets[s].row != NULL;
        for (size_t i = 0; i < (rows != NULL ? m : sets[s].n); i++) {
            size_t from = rows != NULL ? rows[i] : i;
            stored = adv_add(stored, adv_end(&sets[s], from) -
                                         adv_begin(&sets[s], from));
        }
    }
    mtc_real *value = ADV_TAKE(desk, stored, mtc_real);
    size_t *row = sparse ? ADV_TAKE(desk, adv_add(n, 1), size_t) : NULL;
    uint32_t *column = sparse ? ADV_TAKE(desk, stored, uint32_t) : NULL;
    for (size_t s = 0, line = 0; desk->status == MTC_OK && s < n_sets; s++)
        for (size_t i = 0; i < (rows != NULL ? m : sets[s].n); i++) {
            size_t from = rows != NULL ? rows[i] : i;
            size_t b = adv_begin(&sets[s], from), e = b;
            for (; e < adv_end(&sets[s], from); e++, at++) {
                value[at] = sets[s].values[e];
                if (sparse)
                    column[at] = (uint32_t)adv_column(&sets[s], b, e);
            }
            if (sparse)
                row[++line] = at;
        }
    return sparse ? mtc_csr(n, sets[0].d, row, column, value)
                  : mtc_dense(n, sets[0].d, value);
}

/* Divided by the largest value first: its square may overflow, or be 0. */
mtc_data cmp_unit_rows(adv_desk *desk, const mtc_data *X, cmp_unit unit)
{
    mtc_data copy = cmp_stack(desk, X, 1);
    for (size_t i = 0; desk->status == MTC_OK && i < copy.n; i++) {
        mtc_real *row = (mtc_real *)copy.values + adv_begin(&copy, i);
        size_t stored = adv_end(&copy, i) - adv_begin(&copy, i);
        mtc_real most = 0, sum = 0;
        for (size_t e = 0; e < stored; e++)
            most = cmp_abs(row[e]) > most ? cmp_abs(row[e]) : most;
        for (size_t e = 0; e < stored && most > 0; e++) {
            row[e] /= most;
            sum += unit == CMP_SUM ? row[e] : row[e] * row[e];
        }
        for (size_t e = 0; e < stored && most > 0; e++)
            row[e] /= unit == CMP_SUM ? sum : ADV_SQRT(sum);
    }
    return copy;
}

/* A stored value of 0 is no use. */
mtc_data cmp_used_columns(adv_desk *desk, const mtc_data *bridge,
                          const mtc_data *X)
{
    unsigned char *used = ADV_TAKE(desk, X->d, unsigned char);
    mtc_data copy = cmp_stack(desk, bridge, 1);
    mtc_real *value = (mtc_real *)copy.values;      /* ours */
    for (size_t i = 0; desk->status == MTC_OK && i < X->n; i++)
        for (size_t b = adv_begin(X, i), e = b; e < adv_end(X, i); e++)
            if (X->values[e] < 0 || X->values[e] > 0)
                used[adv_column(X, b, e)] = 1;
    for (size_t i = 0; desk->status == MTC_OK && i < copy.n; i++)
        for (size_t b = adv_begin(&copy, i), e = b; e < adv_end(&copy, i); e++)
            if (!used[adv_column(&copy, b, e)])
                value[e] = 0;
    return copy;
}

mtc_data cmp_beside(adv_desk *desk, const mtc_data *X, const mtc_data *Y)
{
    const mtc_data *part[2] = {X, Y};
    size_t stored = 0, at = 0;
    for (size_t i = 0; i < X->n; i++)
        for (int s = 0; s < 2; s++)
            stored += adv_end(part[s], i) - adv_begin(part[s], i);
    size_t *row = ADV_TAKE(desk, adv_add(X->n, 1), size_t);
    uint32_t *column = ADV_TAKE(desk, stored, uint32_t);
    mtc_real *value = ADV_TAKE(desk, stored, mtc_real);
    for (size_t i = 0; desk->status == MTC_OK && i < X->n; i++) {
        for (int s = 0; s < 2; s++)
            for (size_t b = adv_begin(part[s], i), e = b;
                 e < adv_end(part[s], i); e++, at++) {
                column[at] = (uint32_t)((s ? X->d : 0) +
                                        adv_column(part[s], b, e));
                value[at] = part[s]->values[e];
            }
        row[i + 1] = at;
    }
    return mtc_csr(X->n, X->d + Y->d, row, column, value);
}

/* A row at a time: that of feature f is the sum of z_if t_i over
 * the pairs i that have f, whose numbers the list holds feature by feature. */
mtc_real cmp_product_norm(adv_desk *desk, const mtc_data *Z,
                          const mtc_data *T)
{
    size_t stored = Z->row != NULL ? Z->row[Z->n] : Z->n * Z->d;
    union adv_piece *mark = desk->last;
    size_t *end = ADV_TAKE(desk, adv_add(Z->d, 1), size_t);
    size_t *pair = ADV_TAKE(desk, stored, size_t);
    mtc_real *z = ADV_TAKE(desk, stored, mtc_real), sum = 0;
    mtc_real *row = ADV_TAKE(desk, T->d, mtc_real);
    if (desk->status != MTC_OK)
        return 0;
    for (size_t i = 0; i < Z->n; i++)
        for (size_t b = adv_begin(Z, i), e = b; e < adv_end(Z, i); e++)
            end[adv_column(Z, b, e) + 1]++;
    for (size_t f = 0; f < Z->d; f++)
        end[f + 1] += end[f];
    for (size_t i = 0; i < Z->n; i++)               /* end: where f goes on */
        for (size_t b = adv_begin(Z, i), e = b; e < adv_end(Z, i); e++) {
            size_t at = end[adv_column(Z, b, e)]++;
            pair[at] = i;
            z[at] = Z->values[e];
        }
    for (size_t f = 0, at = 0; f < Z->d; f++) {
        size_t first = at;
        for (; at < end[f]; at++)
            mtc_data_axpy(T, pair[at], z[at], row);
        for (at = first; at < end[f]; at++)
            for (size_t i = pair[at], b = adv_begin(T, i), e = b;
                 e < adv_end(T, i); e++) {
                mtc_real *g = &row[adv_column(T, b, e)];
                sum += *g * *g;
                *g = 0;
            }
    }
    adv_release(desk, mark);
    return ADV_SQRT(sum);
}

/* ---- order ------------------------------------------------------------- */

size_t cmp_argmax_of(size_t k, const mtc_real *value, const mtc_real *count)
{
    size_t best = MTC_NONE;
    for (size_t z = 0; z < k; z++)
        if (count[z] > 0 && (best == MTC_NONE || value[z] > value[best]))
            best = z;
    return best;
}

/* Merge sort from runs of one: of equal keys the left one comes first. */
void cmp_sort(size_t n, const mtc_real *key, size_t *order, size_t *spare)
{
    for (size_t i = 0; i < n; i++)
        order[i] = i;
    for (size_t run = 1; run < n; run *= 2) {
        for (size_t begin = 0; begin < n; begin += 2 * run) {
            size_t middle = n - begin < run ? n : begin + run;
            size_t end = n - middle < run ? n : middle + run;
            size_t a = begin, b = middle;
            for (size_t t = begin; t < end; t++)
                spare[t] = b == end || (a < middle && key[order[a]] <=
                                                          key[order[b]])
                               ? order[a++] : order[b++];
        }
        memcpy(order, spare, n * sizeof *order);
    }
}
