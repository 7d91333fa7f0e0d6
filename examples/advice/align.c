/* SPDX-License-Identifier: MIT
 *
 * align.c - how a target's columns are brought to a source's before a transfer.
 *
 *   A1  frame: by means and deviations of the source's columns; of one
 *       deviation for all where the largest is at most 4 times the median
 *   A2  of rows A of the source and B of the target, by the third nearest:
 *         a_i of A to others of A, b_j of B to A, c_j of B to others of B
 *         u = median of a;  limit = its 95 % quantile
 *         strange = mean log b / u - mean log a / u
 *         thin    = mean log b / c + log(n_A / n_B) / d
 *         odd     = (strange + thin) / 2
 *   A3  maps of B, of which the one with the least odd + margin is kept:
 *         as it is 0;  units .05: columns whose deviations differ by more than
 *         3 get the source's mean and deviation;  own .05: all do;
 *         shares .15: they get those of the source's rows weighted by the
 *         shares of classes that five nearest rows give the target
 *
 * strange alone forgives a map that squeezes all rows into one dense class;
 * thin alone prefers own moments where a class is missing.  Reference: none.
 */
#include "desk.h"

#define ALIGN_ROWS ((size_t)2000)  /* of a side that are measured */
#define ALIGN_NEAR ((size_t)3)
#define ALIGN_VOTES ((size_t)5)
/* Smaller deviations are 0, as data of smaller values are refused. */
#define ALIGN_LEAST ADV_BY_TYPE(1e-45, 1e-9)

typedef struct align_job {
    mtc_data X[2];            /* source, target */
    const int *labels;
    int map;                  /* to keep; -1: the least odd */
    size_t classes;
    mtc_align_result r;
    size_t n[2], d;           /* rows of each side that are measured */
    mtc_data side[2];         /* rows of length 1, or framed and mapped: */
    mtc_real *A, *B, *C;      /* [X.n*d] both framed; C the target, mapped */
    mtc_real *in_a;           /* [d] framed deviations of A; its means are 0 */
    mtc_real *mean, *in_b;    /* [d] and of B */
    mtc_real *as[2];          /* [d] mean and deviation that shares give A */
    mtc_real *weight;         /* [A.n] of rows, their sum is 1 */
    mtc_real *a, *key, *vote; /* scratch */
    size_t *order, *count;    /* count [classes] rows of the source */
    int *voted;               /* [n] 1 + classes of target rows */
} align_job;

static void align_shape(adv_carver *c, void *job)
{
    align_job *j = (align_job *)job;
    mtc_align_result *r = &j->r;
    size_t d = r->d, maps = adv_mul(MTC_ALIGN_MAPS, d);
    r->mean = ADV_CARVE(c, d, mtc_real);
    r->deviation = ADV_CARVE(c, d, mtc_real);
    r->scale = ADV_CARVE(c, maps, mtc_real);
    r->shift = ADV_CARVE(c, maps, mtc_real);
    r->factor = ADV_CARVE(c, d, mtc_real);
    r->unit = ADV_CARVE(c, d, unsigned char);
    r->distance = ADV_CARVE(c, j->X[1].n, mtc_real);
    r->share = ADV_CARVE(c, j->classes, mtc_real);
}

/* ---- A1: the frame ------------------------------------------------------- */

/* Means and deviations of columns of dense rows, by weights of the rows, or all
 * alike without. */
static void align_moments(const mtc_data *X, const mtc_real *weight,
    mtc_real *mean, mtc_real *s)
{
    size_t d = X->d;
    mtc_real alike = 1 / (mtc_real)X->n;
    ADV_ZERO(mean, d);
    ADV_ZERO(s, d);
    for (size_t i = 0; i < X->n; i++)
        mtc_data_axpy(X, i, weight != NULL ? weight[i] : alike, mean);
    for (size_t e = 0; e < X->n * d; e++) {
        mtc_real off = X->values[e] - mean[e % d];
        s[e % d] += (weight != NULL ? weight[e / d] : alike) * off * off;
    }
    for (size_t f = 0; f < d; f++) {
        s[f] = ADV_SQRT(s[f]);
        if (s[f] <= ADV_MAX(ADV_TIE * ADV_FABS(mean[f]), ALIGN_LEAST))
            s[f] = 0;
    }
}

/* The frame from the source's deviations, which then are framed. */
static void align_scale(align_job *j)
{
    mtc_align_result *r = &j->r;
    size_t m = 0, d = j->d;
    mtc_real squares = 0;
    for (size_t f = 0; f < d; f++)
        if (j->in_a[f] > 0) {
            j->key[m++] = j->in_a[f];
            squares += j->in_a[f] * j->in_a[f];
        }
    if (m > 1) {
        mtc_real most = adv_nth(m, j->key, m - 1, j->order);
        r->spread = m > 2 ? most / adv_median(m, j->key, j->order)
                          : (mtc_real)0.4 * most /
                            adv_nth(m, j->key, 0, j->order);
    }
    r->scaled = r->spread > 4;
    mtc_real all = m > 0 ? ADV_SQRT(squares / (mtc_real)m) : 1;
    for (size_t f = 0; f < d; f++) {
        mtc_real own = j->in_a[f] > 0 ? j->in_a[f] : 1;
        r->deviation[f] = r->scaled ? own : all;
        j->in_a[f] /= r->deviation[f];
    }
}

/* A side's rows, dense; x [X.n*d] is 0. */
static mtc_data align_dense(const mtc_data *X, mtc_real *x)
{
    for (size_t i = 0; i < X->n; i++)
        mtc_data_axpy(X, i, 1, x + i * X->d);
    return mtc_dense(X->n, X->d, x);
}

static void align_enter(const align_job *j, size_t n, mtc_real *x)
{
    for (size_t e = 0; e < n * j->d; e++)
        x[e] = (x[e] - j->r.mean[e % j->d]) / j->r.deviation[e % j->d];
}

static void align_frame(align_job *j)
{
    mtc_data A = align_dense(&j->X[0], j->A), B = align_dense(&j->X[1], j->B);
    align_moments(&A, NULL, j->r.mean, j->in_a);
    align_scale(j);
    align_enter(j, A.n, j->A);
    align_enter(j, B.n, j->B);
    align_moments(&B, NULL, j->mean, j->in_b);
}

/* ---- A2: measures -------------------------------------------------------- */

/* The i-th row of a side that is measured. */
static size_t align_row(const align_job *j, size_t side, size_t i)
{
    return i * j->X[side].n / j->n[side];
}

/* The distance of a row of side s to the third nearest of side t but itself. */
static mtc_real align_near(const align_job *j, size_t s, size_t row, size_t t)
{
    size_t m = 0;
    for (size_t i = 0; i < j->n[t]; i++) {
        size_t other = align_row(j, t, i);
        if (s != t || row != other)
            j->key[m++] = mtc_data_distance(&j->side[s], row, &j->side[t],
                                            other);
    }
    if (m == 0)
        return 0;
    return ADV_SQRT(adv_nth(m, j->key, ADV_MIN(m, ALIGN_NEAR) - 1, j->order));
}

/* a, u and the limit: once, since no map changes the source. */
static void align_source(align_job *j)
{
    size_t n = j->n[0];
    mtc_real sum = 0, at = (mtc_real)0.95 * (mtc_real)(n - 1);
    for (size_t i = 0; i < n; i++) {
        j->a[i] = align_near(j, 0, align_row(j, 0, i), 0);
        sum += j->a[i];
    }
    j->r.width = adv_median(n, j->a, j->order);
    if (!(j->r.width > 0))
        j->r.width = sum / (mtc_real)n;
    size_t low = (size_t)at, high = ADV_MIN(low + 1, n - 1);
    mtc_real from = adv_nth(n, j->a, low, j->order);
    mtc_real to = adv_nth(n, j->a, high, j->order);
    j->r.limit = from + (to - from) * (at - (mtc_real)low);
}

static void align_measure(align_job *j, mtc_align_measure *m)
{
    mtc_real u = j->r.width, small = u / 10, least = (mtc_real)1e-6 * u;
    mtc_real b = 0, a = 0, thin = 0;
    m->tried = 1;
    if (!(u > 0))
        return;
    for (size_t i = 0; i < j->n[0]; i++)
        a += mtc_log(ADV_MAX(j->a[i], small) / u) / (mtc_real)j->n[0];
    for (size_t i = 0; i < j->n[1]; i++) {
        size_t row = align_row(j, 1, i);
        mtc_real to = align_near(j, 1, row, 0), own = align_near(j, 1, row, 1);
        b += mtc_log(ADV_MAX(to, small) / u) / (mtc_real)j->n[1];
        thin += mtc_log(ADV_MAX(to, least) / ADV_MAX(own, least)) /
                (mtc_real)j->n[1];
    }
    m->strange = b - a;
    m->thin = thin + mtc_log((mtc_real)j->n[0] / (mtc_real)j->n[1]) /
                     (mtc_real)j->d;
    m->odd = (m->strange + m->thin) / 2;
}

/* ---- A3: maps ------------------------------------------------------------ */

/* Column f of a map gets mean m and deviation s. */
static void align_column(align_job *j, size_t map, size_t f, mtc_real m,
    mtc_real s)
{
    mtc_real *scale = &j->r.scale[map * j->d + f];
    if (!(j->in_a[f] > 0) && j->in_b[f] > 0)
        return;
    *scale = j->in_a[f] > 0 && j->in_b[f] > 0 ? s / j->in_b[f] : 1;
    j->r.shift[map * j->d + f] = m - *scale * j->mean[f];
}

/* C: the target under a map, if it is not sparse. */
static void align_apply(align_job *j, size_t map)
{
    size_t d = j->d, count = j->r.sparse ? 0 : j->X[1].n * d;
    const mtc_real *scale = j->r.scale + map * d, *shift = j->r.shift + map * d;
    for (size_t e = 0; e < count; e++)
        j->C[e] = scale[e % d] * j->B[e] + shift[e % d];
}

/* The class of a target row by its five nearest source rows. */
static int align_class(const align_job *j, size_t row)
{
    size_t near = ADV_MIN(j->n[0], ALIGN_VOTES), n = j->n[0];
    for (size_t i = 0; i < n; i++)
        j->key[i] = mtc_data_distance(&j->side[1], row, &j->side[0],
                                      align_row(j, 0, i));
    adv_select(n, j->key, near, j->order);
    ADV_ZERO(j->vote, j->classes);
    for (size_t r = 0; r < near; r++) {
        int voted = j->labels[align_row(j, 0, j->order[r])];
        j->vote[voted] += 1 - (mtc_real)r / 1000;
    }
    return (int)adv_argmax(j->classes, j->vote);
}

/* Classes of target rows; returns how many are others than before. */
static size_t align_vote(align_job *j)
{
    size_t changed = 0;
    ADV_ZERO(j->r.share, j->classes);
    for (size_t i = 0; i < j->n[1]; i++) {
        int z = align_class(j, align_row(j, 1, i));
        changed += j->voted[i] != z + 1;
        j->voted[i] = z + 1;
        j->r.share[z] += 1;
    }
    for (size_t c = 0; c < j->classes; c++)
        j->r.share[c] /= (mtc_real)j->n[1];
    return changed;
}

/* The map `shares`, from the map so far with the least strange. */
static void align_shares(align_job *j)
{
    const mtc_data A = mtc_dense(j->X[0].n, j->d, j->A);
    size_t best = 0;
    for (size_t m = 1; m < MTC_ALIGN_SHARES; m++)
        if (j->r.of[m].tried && j->r.of[m].strange < j->r.of[best].strange)
            best = m;
    adv_count(A.n, j->labels, j->classes, j->count);
    align_apply(j, best);
    for (int step = 0; step < 10 && align_vote(j) > 0; step++) {
        for (size_t i = 0; i < A.n; i++)
            j->weight[i] = j->r.share[j->labels[i]] /
                           (mtc_real)j->count[j->labels[i]];
        align_moments(&A, j->weight, j->as[0], j->as[1]);
        for (size_t f = 0; f < j->d; f++) {
            if (!(j->as[1][f] > 0))
                j->as[1][f] = j->in_a[f];
            align_column(j, MTC_ALIGN_SHARES, f, j->as[0][f], j->as[1][f]);
        }
        align_apply(j, MTC_ALIGN_SHARES);
    }
}

static void align_maps(align_job *j)
{
    static const double margin[] = {0, 0.05, 0.05, 0.15};
    mtc_align_result *r = &j->r;
    size_t d = j->d, asked = j->map < 0 ? MTC_ALIGN_MAPS : (size_t)j->map + 1;
    size_t most = r->sparse || j->X[1].n < 10 ? 1 : asked;
    int units = 0;
    for (size_t f = 0; f < d && most > 1; f++) {
        mtc_real in_a = j->in_a[f], in_b = j->in_b[f];
        int other = in_a > 0 && in_b > 0 && (in_b > 3 * in_a ||
                                             in_a > 3 * in_b);
        units |= other;
        if (other)
            align_column(j, MTC_ALIGN_UNITS, f, 0, in_a);
        align_column(j, MTC_ALIGN_OWN, f, 0, in_a);
    }
    for (size_t m = 0; m < MTC_ALIGN_MAPS; m++) {
        r->of[m].margin = (mtc_real)margin[m];
        if (m >= most || (m == MTC_ALIGN_UNITS && !units))
            continue;
        if (m == MTC_ALIGN_SHARES)
            align_shares(j);
        else
            align_apply(j, m);
        align_measure(j, &r->of[m]);
        if (r->of[m].odd + r->of[m].margin <
            r->of[r->kept].odd + r->of[r->kept].margin)
            r->kept = (mtc_align_map)m;
    }
    if (j->map >= 0)
        r->kept = r->of[j->map].tried ? (mtc_align_map)j->map
                                      : MTC_ALIGN_AS_IS;
    r->together = j->map < 0 && r->kept != MTC_ALIGN_AS_IS &&
                  r->of[0].odd < (mtc_real)0.5;
}

/* ---- what is said besides ------------------------------------------------ */

/* Does column f of the target lie outside of the source's, in other units?
 * One that is constant in the source no map touches. */
static void align_unit(align_job *j, size_t f)
{
    size_t d = j->d, out = 0;
    mtc_real low = ADV_HUGE, high = -ADV_HUGE, s = j->r.deviation[f];
    mtc_real in_a = j->r.kept == MTC_ALIGN_SHARES ? j->as[1][f] : j->in_a[f];
    for (size_t i = 0; i < j->X[0].n; i++) {
        low = ADV_MIN(j->A[i * d + f], low);
        high = ADV_MAX(j->A[i * d + f], high);
    }
    mtc_real more = (high - low) / 10, factor = j->in_b[f] / in_a;
    for (size_t i = 0; i < j->X[1].n; i++)
        out += j->B[i * d + f] < low - more || j->B[i * d + f] > high + more;
    if (2 * out <= j->X[1].n || !(in_a > 0))
        return;
    mtc_real m = j->r.mean[f], t = j->mean[f] * s + m, by = (mtc_real)1.8;
    mtc_real hot = factor / by, cold = factor * by;
    j->r.factor[f] = factor;
    if (hot > (mtc_real)0.7 && hot < (mtc_real)1.4 &&
        ADV_FABS(by * m + 32 - t) < by * in_a * s / 2)
        j->r.unit[f] = MTC_UNIT_FAHRENHEIT;
    else if (cold > (mtc_real)0.7 && cold < (mtc_real)1.4 &&
             ADV_FABS((m - 32) / by - t) < in_a * s / by / 2)
        j->r.unit[f] = MTC_UNIT_CELSIUS;
    else if (factor > 3 || 3 * factor < 1)
        j->r.unit[f] = MTC_UNIT_FACTOR;
}

/* How far each target row lies from the source under the kept map. */
static void align_far(align_job *j)
{
    align_apply(j, (size_t)j->r.kept);
    for (size_t i = 0; i < j->X[1].n; i++)
        j->r.distance[i] = j->r.limit > 0
            ? align_near(j, 1, i, 0) / j->r.limit : 0;
}

/* ---- all of it ----------------------------------------------------------- */

static mtc_status align_take(adv_desk *desk, align_job *j)
{
    size_t n_a = j->X[0].n, n_b = j->X[1].n, d = j->d, k = j->classes;
    size_t n = ADV_MAX(j->n[0], j->n[1]), most = ADV_MAX(n, ADV_MAX(d, k));
    ADV_REALS(desk, most, &j->a, &j->key, &j->vote);
    ADV_SIZES(desk, most, &j->order, &j->count);
    j->voted = ADV_TAKE(desk, n, int);
    if (j->r.sparse) {
        j->side[0] = adv_directions(desk, &j->X[0]);
        j->side[1] = adv_directions(desk, &j->X[1]);
        return desk->status;
    }
    ADV_REALS(desk, n_a, &j->weight);
    ADV_REALS(desk, adv_mul(n_a, d), &j->A);
    ADV_REALS(desk, adv_mul(n_b, d), &j->B, &j->C);
    ADV_REALS(desk, d, &j->in_a, &j->mean, &j->in_b, &j->as[0], &j->as[1]);
    j->side[0] = mtc_dense(n_a, d, j->A);
    j->side[1] = mtc_dense(n_b, d, j->C);
    return desk->status;
}

static mtc_status align_work(adv_desk *desk, void *job)
{
    align_job *j = (align_job *)job;
    mtc_align_result *r = &j->r;
    size_t d = j->d;
    r->sparse = adv_sparse(j->X, 2, NULL);
    ADV_TRY(align_take(desk, j));
    for (size_t f = 0; f < d; f++)
        r->deviation[f] = 1;
    for (size_t e = 0; e < MTC_ALIGN_MAPS * d; e++)
        r->scale[e] = 1;
    r->spread = 1;
    if (!r->sparse)
        align_frame(j);
    ADV_TRY(adv_tick(desk->ctx, "align", 0, 1));
    align_source(j);
    align_maps(j);
    for (size_t f = 0; f < d && r->kept != MTC_ALIGN_AS_IS; f++)
        align_unit(j, f);
    align_far(j);
    return MTC_OK;
}

mtc_align_options mtc_align_defaults(void)
{
    return (mtc_align_options){.map = -1};
}

mtc_status mtc_align(mtc_context *ctx, const mtc_data *source,
    const int *labels, size_t classes, const mtc_data *target,
    const mtc_align_options *opt, mtc_align_result *res)
{
    align_job job = {.labels = labels, .classes = classes,
                     .map = opt != NULL ? opt->map : -1};
    ADV_TRY(adv_require(ctx, job.map >= -1 && job.map < MTC_ALIGN_MAPS,
                        "no such map"));
    ADV_TRY(adv_require(ctx, source != NULL && target != NULL, "no data"));
    job.X[0] = *source;
    job.X[1] = *target;
    ADV_TRY(adv_check_sets(ctx, job.X, 2));
    ADV_TRY(adv_check_clusters(ctx, classes, source->n, 0));
    ADV_TRY(adv_check_labels(ctx, labels, source->n, classes, 0));
    job.d = job.r.d = source->d;
    for (size_t side = 0; side < 2; side++)
        job.n[side] = ADV_MIN(job.X[side].n, ALIGN_ROWS);
    return adv_result(ctx, align_shape, align_work, &job, res);
}
