/* SPDX-License-Identifier: MIT
 *
 * apart.c - is there a gap between groups, do they touch, or overlap?
 *
 * Where a boundary cuts through one mass, a row beside it has a third of its
 * near neighbors on the other side, whatever the number of rows and columns.
 * Across a gap it has none.
 *
 *   A1  Of more than 500 rows 500 are drawn; then each group that has fewer
 *       than 20 of these gets more of its rows, up to 20.  Sparse rows to unit
 *       length.  D = squared distances over their largest
 *   A2  r_i = the m-th smallest D_ij > 0, with m = min(10, max(1, n_a - 1)) for
 *       a row of group a; 0 if the rows of a are several and all equal.  i and
 *       j are joined if D_ij <= sqrt(r_i r_j);  deg_i = the edges of row i, at
 *       least 1
 *   A3  c_i(b) = edges from row i into another group b.  Of groups a and b
 *         edges = sum over a of c_i(b) + sum over b of c_i(a)
 *         mix   = (sum over a of c_i(b)^2 / deg_i + sum over b of
 *                 c_i(a)^2 / deg_i) / (edges + 2): 2 edges against chance
 *         among = the larger share of a's rows with c_i(b) > deg_i / 2, and of
 *                 b's with c_i(a) > deg_i / 2
 *       If all rows are equal, mix = .5 and among = 0
 *   A4  They overlap if among > .15;  else they touch if mix > .22;  else they
 *       lie apart
 *
 * An edge asks that both ends find the other near, by the mean of their scales:
 * else a far row, or a thin group, would be tied to what lies nearest, however
 * far that is.  A group of five has no 10 near rows, therefore m.
 * Reference: none; the rule is our own, and examples/experiments measures it.
 */
#include "desk.h"

#define APART_ROWS ((size_t)500)     /* that are looked at, */
#define APART_EACH ((size_t)20)      /* and of each group at least */
#define APART_NEAR ((size_t)10)      /* neighbors: r_i */
#define APART_CHANCE ((mtc_real)2)   /* A3: edges added */
#define APART_AMONG ((mtc_real)0.15) /* A4: limits */
#define APART_MIX ((mtc_real)0.22)

typedef struct apart_job {
    const mtc_data *X;
    const int *labels;
    size_t task, k;
    mtc_apart_result r;
    mtc_data rows;      /* A1: copies of those that are looked at */
    int *label;         /* [n] the groups of these */
    mtc_real most;      /* their largest squared distance */
    mtc_real *D;        /* [n] of one row */
    mtc_real *radius;   /* [n] A2: r_i */
    size_t *order;      /* [n] the nearest rows of one */
    size_t *met;        /* [k] c_i(b) of one row */
} apart_job;

static void apart_shape(adv_carver *c, void *job)
{
    apart_job *j = (apart_job *)job;
    size_t k = j->k, pairs = adv_mul(k, k);
    j->r.count = ADV_CARVE(c, k, size_t);
    j->r.border = ADV_CARVE(c, pairs, int);
    j->r.mix = ADV_CARVE(c, pairs, mtc_real);
    j->r.among = ADV_CARVE(c, pairs, mtc_real);
    j->r.edges = ADV_CARVE(c, pairs, size_t);
}

/* ---- A1: the rows that are looked at ------------------------------------- */

/* Marks them in `drawn` [X.n], and counts them by group. */
static mtc_status apart_mark(adv_desk *desk, apart_job *j, int *drawn)
{
    size_t n = j->X->n, most = ADV_MIN(n, APART_ROWS), *count = j->r.count;
    size_t *left = ADV_TAKE(desk, j->k, size_t);
    mtc_random random = adv_stream(desk->ctx, j->task);
    ADV_TRY(desk->status);
    adv_count(n, j->labels, j->k, left);
    for (size_t i = 0; i < n; i++) {
        drawn[i] = adv_drawn(&random, n - i, most - j->r.rows);
        j->r.rows += drawn[i] != 0;
        count[j->labels[i]] += drawn[i] != 0;
    }
    for (size_t z = 0; z < j->k; z++)
        left[z] -= count[z];
    for (size_t i = 0; i < n; i++) {
        size_t z = (size_t)j->labels[i];
        if (drawn[i] || count[z] >= APART_EACH)
            continue;
        size_t wanted = ADV_MIN(APART_EACH - count[z], left[z]);
        drawn[i] = adv_drawn(&random, left[z]--, wanted);
        j->r.rows += drawn[i] != 0;
        count[z] += drawn[i] != 0;
    }
    return MTC_OK;
}

static mtc_status apart_rows(adv_desk *desk, apart_job *j)
{
    int *drawn = ADV_TAKE(desk, j->X->n, int);
    ADV_TRY(desk->status);
    ADV_TRY(apart_mark(desk, j, drawn));
    j->rows = adv_rows(desk, j->X, j->r.rows);
    j->label = ADV_TAKE(desk, j->r.rows, int);
    ADV_TRY(desk->status);
    for (size_t i = 0; i < j->X->n; i++)
        if (drawn[i]) {
            j->label[j->rows.n] = j->labels[i];
            adv_add_row(j->X, i, &j->rows);
        }
    if (adv_sparse(&j->rows, 1, NULL))
        adv_unit(&j->rows);
    j->most = ADV_TINY;
    for (size_t i = 0; i < j->rows.n; i++)
        for (size_t e = 0; e < i; e++) {
            mtc_real square = mtc_data_distance(&j->rows, i, &j->rows, e);
            j->most = ADV_MAX(square, j->most);
        }
    return MTC_OK;
}

/* ---- A2 and A3: edges ---------------------------------------------------- */

/* D of row i.  They are made again where they are needed: n^2 of them would
 * take more memory than the answer is worth. */
static void apart_distances(const apart_job *j, size_t i)
{
    for (size_t e = 0; e < j->rows.n; e++) {
        mtc_real square = mtc_data_distance(&j->rows, i, &j->rows, e);
        mtc_real share = square / j->most;
        j->D[e] = share < ADV_EQUAL ? 0 : share;
    }
}

/* r_i, over the rows that differ from row i; 0 if none does, or none of its
 * group, where that has several rows: a heap of copies has no scale. */
static void apart_scale(const apart_job *j, size_t i)
{
    size_t n = j->rows.n, equal = 0, own = 0;  /* rows, itself too */
    size_t count = j->r.count[j->label[i]];
    size_t others = ADV_MAX(count, 2) - 1;
    apart_distances(j, i);
    for (size_t e = 0; e < n; e++) {
        equal += j->D[e] == 0;
        own += j->D[e] == 0 && j->label[e] == j->label[i];
    }
    j->radius[i] = 0;
    if (own == count && count > 1)
        return;
    size_t near = ADV_MIN(ADV_MIN(others, APART_NEAR), n - equal);
    j->radius[i] = adv_nth(n, j->D, equal + near - 1, j->order);
}

/* A3: adds row i to the sums of its group a, which stand at [a*k+b]. */
static void apart_join(const apart_job *j, size_t i)
{
    size_t k = j->k, degree = 0, a = (size_t)j->label[i];
    const mtc_apart_result *r = &j->r;
    apart_distances(j, i);
    ADV_ZERO(j->met, k);
    for (size_t e = 0; e < j->rows.n; e++) {
        mtc_real limit = ADV_SQRT(j->radius[i] * j->radius[e]);
        if (e == i || j->D[e] > limit * (1 + ADV_TIE))
            continue;
        j->met[j->label[e]]++;
        degree++;
    }
    for (size_t b = 0; b < k; b++) {
        mtc_real met = (mtc_real)j->met[b];
        if (b == a || j->met[b] == 0)
            continue;
        r->edges[a * k + b] += j->met[b];
        r->mix[a * k + b] += met * met / (mtc_real)degree;
        r->among[a * k + b] += 2 * j->met[b] > degree;
    }
}

/* ---- A4: words ----------------------------------------------------------- */

/* Both sides of a pair become one figure each, and the word for it. */
static void apart_pair(apart_job *j, size_t a, size_t b)
{
    mtc_apart_result *r = &j->r;
    size_t ab = a * j->k + b, ba = b * j->k + a;
    size_t edges = r->edges[ab] + r->edges[ba];
    mtc_real mix = (r->mix[ab] + r->mix[ba]) /
                   ((mtc_real)edges + APART_CHANCE);
    mtc_real among = ADV_MAX(r->among[ab] / (mtc_real)r->count[a],
                             r->among[ba] / (mtc_real)r->count[b]);
    if (j->most <= ADV_TINY) {  /* all rows are equal */
        mix = (mtc_real)0.5;
        among = 0;
    }
    mtc_border border = among > APART_AMONG ? MTC_BORDER_OVERLAP
                        : mix > APART_MIX   ? MTC_BORDER_TOUCH
                                            : MTC_BORDER_APART;
    r->edges[ab] = r->edges[ba] = edges;
    r->mix[ab] = r->mix[ba] = mix;
    r->among[ab] = r->among[ba] = among;
    r->border[ab] = r->border[ba] = (int)border;
    r->worst = border > r->worst ? border : r->worst;
}

static mtc_status apart_work(adv_desk *desk, void *job)
{
    apart_job *j = (apart_job *)job;
    mtc_apart_result *r = &j->r;
    size_t k = j->k;
    ADV_TRY(apart_rows(desk, j));
    ADV_REALS(desk, j->rows.n, &j->D, &j->radius);
    ADV_SIZES(desk, j->rows.n, &j->order);
    ADV_SIZES(desk, k, &j->met);
    ADV_TRY(desk->status);
    for (size_t i = 0; i < j->rows.n; i++)
        apart_scale(j, i);
    for (size_t i = 0; i < j->rows.n; i++)
        apart_join(j, i);
    for (size_t a = 0; a < k; a++)
        for (size_t b = 0; b < a; b++)
            if (r->count[a] > 0 && r->count[b] > 0)
                apart_pair(j, a, b);
    return MTC_OK;
}

mtc_status mtc_apart(mtc_context *ctx, const mtc_data *X, size_t task,
    const int *labels, size_t groups, mtc_apart_result *res)
{
    apart_job job = {.X = X, .labels = labels, .task = task, .k = groups,
                     .r.groups = groups};
    ADV_TRY(mtc_data_check(ctx, X, MTC_NONE));
    ADV_TRY(adv_require(ctx, groups > 0 && groups <= INT_MAX,
                        "groups: need 1 or more"));
    ADV_TRY(adv_check_labels(ctx, labels, X->n, groups, MTC_NONE));
    return adv_result(ctx, apart_shape, apart_work, &job, res);
}
