/* SPDX-License-Identifier: MIT
 *
 * ward.c - Ward's tree, and cuts of it [W63].
 *
 *   v(a, b) = 2 n_a n_b / (n_a + n_b) |mean_a - mean_b|^2      height sqrt(v)
 *
 * The cost of joining clusters a and b: twice the rise of the sum of squared
 * distances to the means.  Neither means nor rows are needed to update it
 * [LW67]; starting from the squared distances of all rows,
 *
 *   v(ab, c) = ((n_a + n_c) v(a, c) + (n_b + n_c) v(b, c) - n_c v(a, b))
 *              / (n_a + n_b + n_c)
 *
 * The nearest-neighbor chain [M83]: from any cluster go to its nearest, from
 * there to its nearest, and so on, until two are each other's nearest.  These
 * are joined, and the chain goes on from what is left of it: a union is never
 * nearer to a cluster than the nearer of its parts was.  So unions are found in
 * another order than that of their heights, and are sorted afterwards.
 *
 * A union lives on in the slot of its lower row.  A tie goes to the chain's
 * previous slot, or the chain might not end, else to the lowest slot.
 *
 *   [M83]  Murtagh: a survey of recent advances in hierarchical clustering
 *          algorithms.  Computer Journal 26, 1983.
 */
#include "desk.h"

typedef struct ward_job {
    const mtc_data *X;
    mtc_ward_result r;
    mtc_real *V;         /* [n*n] v between the clusters there are */
    size_t *size;        /* [n] samples of a slot; 0: it is gone */
    size_t *chain;       /* [n] slots on the chain */
    size_t length;       /* how many are on it now */
    size_t *low, *high;  /* unions as they are found */
    mtc_real *cost;      /* [n-1] their v */
    size_t *order;       /* [n-1] of them by cost */
} ward_job;

static void ward_shape(adv_carver *c, void *job)
{
    ward_job *j = (ward_job *)job;
    size_t unions = j->X->n - 1;
    j->r.n = j->X->n;
    j->r.first = ADV_CARVE(c, unions, size_t);
    j->r.second = ADV_CARVE(c, unions, size_t);
    j->r.height = ADV_CARVE(c, unions, mtc_real);
}

/* V between single rows: their squared distances. */
static mtc_status ward_begin(mtc_context *ctx, ward_job *j)
{
    size_t n = j->X->n;
    for (size_t i = 0; i < n; i++) {
        ADV_TRY(adv_tick(ctx, "ward", 0, n));
        j->size[i] = 1;
        for (size_t c = 0; c < i; c++) {
            j->V[i * n + c] = mtc_data_distance(j->X, i, j->X, c);
            j->V[c * n + i] = j->V[i * n + c];
        }
    }
    return MTC_OK;
}

/* The slot nearest to `at`.  `last`, the slot before it on the chain or
 * MTC_NONE, wins a tie. */
static size_t ward_nearest(const ward_job *j, size_t at, size_t last)
{
    size_t n = j->X->n, nearest = last;
    const mtc_real *v = j->V + at * n;
    mtc_real least = last == MTC_NONE ? ADV_HUGE : v[last];
    for (size_t c = 0; c < n; c++) {
        if (j->size[c] == 0 || c == at)
            continue;
        if (v[c] < least || nearest == MTC_NONE) {
            least = v[c];
            nearest = c;
        }
    }
    return nearest;
}

/* Joins slot b to slot a < b [LW67]. */
static void ward_join(ward_job *j, size_t a, size_t b)
{
    size_t n = j->X->n;
    mtc_real na = (mtc_real)j->size[a], nb = (mtc_real)j->size[b];
    mtc_real *va = j->V + a * n, *vb = j->V + b * n, ab = va[b];
    for (size_t c = 0; c < n; c++) {
        if (j->size[c] == 0 || c == a || c == b)
            continue;
        mtc_real nc = (mtc_real)j->size[c];
        mtc_real v = ((na + nc) * va[c] + (nb + nc) * vb[c] - nc * ab) /
                     (na + nb + nc);
        va[c] = v > 0 ? v : 0;  /* rounding may leave it below 0 */
        j->V[c * n + a] = va[c];
    }
    j->size[a] += j->size[b];
    j->size[b] = 0;
}

/* Follows the chain to a pair of mutual nearest neighbors. */
static void ward_follow(ward_job *j)
{
    if (j->length == 0)
        j->chain[j->length++] = 0;  /* slot 0 is never gone */
    for (;;) {
        size_t last = j->length > 1 ? j->chain[j->length - 2] : MTC_NONE;
        size_t next = ward_nearest(j, j->chain[j->length - 1], last);
        if (next == last)
            return;
        j->chain[j->length++] = next;
    }
}

static mtc_status ward_work(adv_desk *desk, void *job)
{
    ward_job *j = (ward_job *)job;
    mtc_context *ctx = desk->ctx;
    size_t n = j->X->n, unions = n - 1;
    ADV_REALS(desk, adv_mul(n, n), &j->V);
    ADV_REALS(desk, n, &j->cost);
    ADV_SIZES(desk, n, &j->size, &j->chain, &j->low, &j->high, &j->order);
    ADV_TRY(desk->status);
    ADV_TRY(ward_begin(ctx, j));
    for (size_t e = 0; e < unions; e++) {
        ADV_TRY(adv_tick(ctx, "ward", e, unions));
        ward_follow(j);
        size_t a = j->chain[j->length - 1], b = j->chain[j->length - 2];
        j->length -= 2;
        j->low[e] = ADV_MIN(a, b);
        j->high[e] = ADV_MAX(a, b);
        j->cost[e] = j->V[a * n + b];
        ward_join(j, j->low[e], j->high[e]);
    }
    adv_select(unions, j->cost, unions, j->order);
    for (size_t e = 0; e < unions; e++) {
        j->r.first[e] = j->low[j->order[e]];
        j->r.second[e] = j->high[j->order[e]];
        j->r.height[e] = ADV_SQRT(j->cost[j->order[e]]);
    }
    return MTC_OK;
}

mtc_status mtc_ward(mtc_context *ctx, const mtc_data *X, mtc_ward_result *res)
{
    ward_job job = {.X = X};
    ADV_TRY(mtc_data_check(ctx, X, MTC_NONE));
    return adv_result(ctx, ward_shape, ward_work, &job, res);
}

/* Unions join rows of different clusters, so the first n - k of them leave k,
 * also where heights are equal. */
mtc_status mtc_ward_cut(mtc_context *ctx, const mtc_ward_result *res, size_t k,
    int *labels)
{
    ADV_TRY(adv_require(ctx, res != NULL && labels != NULL,
                        "need a result of mtc_ward, and labels"));
    ADV_TRY(adv_check_clusters(ctx, k, res->n, MTC_NONE));
    for (size_t i = 0; i < res->n; i++)
        labels[i] = (int)i;
    for (size_t e = 0; e < res->n - k; e++)
        adv_link_join(labels, adv_link_root(labels, res->first[e]),
                      adv_link_root(labels, res->second[e]));
    adv_link_number(res->n, labels);
    return MTC_OK;
}
