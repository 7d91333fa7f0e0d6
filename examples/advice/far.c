/* SPDX-License-Identifier: MIT
 *
 * far.c - which rows lie far from all others?
 *
 * A slip of the decimal point, or 9999 for "unknown", makes such a row.
 *
 *   F1  reach_i = the squared distance of row i to its 4th nearest of 500 rows
 *       that are drawn, itself too if it is one of them
 *   F2  usual = the reach that nine of ten rows stay within.  A row is far if
 *       its reach is above 16 usual.  More than one of 20 are no slips but a
 *       tail, and then none is far
 *   F3  Of a small group few rows are drawn: where four or more are far, their
 *       reach is to one another, too, and they are judged again
 *   F4  Left are rows whose reach is also above 4 times the variance of the
 *       rows that are not far: the ends of one column are not
 *
 * Reference: none; the rule is our own.
 */
#include "desk.h"

#define FAR_TIMES ((mtc_real)16)    /* F2: squares, as all limits */
#define FAR_SPREADS ((mtc_real)4)   /* F4 */
#define FAR_DRAWN ((size_t)500)     /* F1: rows */
#define FAR_NEAR ((size_t)4)        /* F1, F3 */
#define FAR_SHARE ((size_t)20)      /* F2 */

typedef struct far_job {
    const mtc_data *X;
    mtc_real *reach;    /* [n] */
    int *far;           /* [n] 0 or -1, so that it serves as labels, too */
    size_t *order;      /* [n] scratch */
} far_job;

/* Takes reach [rows.n] down to the distance of the 4th nearest of `points`. */
static mtc_status far_reach(adv_desk *desk, const mtc_data *points,
    const mtc_data *rows, mtc_real *reach)
{
    size_t pairs = adv_mul(rows->n, FAR_NEAR), *index;
    mtc_real *square;
    ADV_SIZES(desk, pairs, &index);
    ADV_REALS(desk, pairs, &square);
    ADV_TRY(desk->status);
    ADV_TRY(adv_call(desk, ADV_SAME_SEED, mtc_neighbors, points, rows,
                     FAR_NEAR, MTC_DISTANCE_SQEUCLIDEAN, index, square));
    for (size_t i = 0; i < rows->n; i++)
        reach[i] = ADV_MIN(reach[i], square[(i + 1) * FAR_NEAR - 1]);
    return MTC_OK;
}

/* Marks the rows whose reach is above the limit; returns how many. */
static size_t far_mark(const far_job *j, mtc_real limit)
{
    size_t found = 0;
    for (size_t i = 0; i < j->X->n; i++) {
        j->far[i] = j->reach[i] > limit ? -1 : 0;
        found += j->far[i] != 0;
    }
    return found;
}

/* F3 */
static mtc_status far_group(adv_desk *desk, const far_job *j, size_t found)
{
    mtc_data some = adv_rows(desk, j->X, found);
    mtc_real *own = ADV_TAKE(desk, found, mtc_real);
    ADV_TRY(desk->status);
    for (size_t i = 0; i < j->X->n; i++)
        if (j->far[i]) {
            own[some.n] = j->reach[i];
            adv_add_row(j->X, i, &some);
        }
    ADV_TRY(far_reach(desk, &some, &some, own));
    for (size_t i = 0, m = 0; i < j->X->n; i++)
        if (j->far[i])
            j->reach[i] = own[m++];
    return MTC_OK;
}

/* F4: the variance, summed over columns, of the rows that are not marked. */
static mtc_status far_spread(adv_desk *desk, const far_job *j,
    mtc_real *variance)
{
    size_t d = j->X->d;
    mtc_real count, *mean, *square;
    ADV_REALS(desk, d, &mean, &square);
    ADV_TRY(desk->status);
    adv_moments(j->X, j->far, 1, &count, mean, square);
    *variance = 0;
    for (size_t c = 0; c < d; c++)
        *variance += square[c] / count;
    return MTC_OK;
}

static mtc_status far_work(adv_desk *desk, far_job *j)
{
    size_t n = j->X->n, drawn = ADV_MIN(n, FAR_DRAWN), found;
    mtc_real variance, limit;
    mtc_data points = adv_draw(desk, j->X, drawn, 0);
    ADV_REALS(desk, n, &j->reach);
    ADV_SIZES(desk, n, &j->order);
    j->far = ADV_TAKE(desk, n, int);
    ADV_TRY(desk->status);
    for (size_t i = 0; i < n; i++)
        j->reach[i] = ADV_HUGE;
    ADV_TRY(far_reach(desk, &points, j->X, j->reach));
    limit = FAR_TIMES * adv_nth(n, j->reach, n - 1 - n / 10, j->order);
    found = far_mark(j, limit > 0 ? limit : ADV_HUGE);
    if (found > n / FAR_SHARE)
        found = far_mark(j, ADV_HUGE);
    if (found >= FAR_NEAR) {
        ADV_TRY(far_group(desk, j, found));
        found = far_mark(j, limit);
    }
    if (found == 0)
        return MTC_OK;
    ADV_TRY(far_spread(desk, j, &variance));
    far_mark(j, ADV_MAX(limit, FAR_SPREADS * variance));
    return MTC_OK;
}

mtc_status mtc_far_rows(mtc_context *ctx, const mtc_data *X, int *far)
{
    far_job job = {.X = X};
    ADV_TRY(mtc_data_check(ctx, X, MTC_NONE));
    ADV_TRY(adv_require(ctx, far != NULL, "far: is NULL"));
    adv_desk desk = adv_open(ctx, MTC_NONE);
    int look = X->n >= FAR_SHARE && X->row == NULL;
    mtc_status s = look ? far_work(&desk, &job) : desk.status;
    size_t rows = s == MTC_OK ? X->n : 0;
    for (size_t i = 0; i < rows; i++)
        far[i] = look && job.far[i] != 0;
    return adv_close(&desk, s);
}
