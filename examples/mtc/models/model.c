/* SPDX-License-Identifier: MIT
 *
 * model.c - models: labels and distances of new samples
 *
 * Samples come preprocessed, as the method would see them.  Rows are written
 * out and handed to the library's own assignment, a block at a time; of sparse
 * rows only those that are not sure to be nearest to one center.
 */
#include "model.h"

#include <math.h>
#include <string.h>

#define BLOCK_VALUES ((size_t)1 << 18)          /* of rows written out */

const char *rule_name(model_rule rule)
{
    static const char *const name[] = {"nearest", "linear", "kernel"};
    return name[rule];
}

/* Features that are columns of a table: all, or those before words. */
size_t columns_of(const model *m)
{
    return m->texts != NULL ? m->texts->numbers : m->d;
}

/* Have samples a distance from their cluster, or else a score? */
int has_distances(const model *m)
{
    return m->rule == RULE_NEAREST;
}

/* Is it naive Bayes, which counts?  As in its fit, no value is below 0. */
int counts_values(const model *m)
{
    return m->rule == RULE_LINEAR && is(m->method, "nb");
}

/* By its name; it points to the metric, if it has one. */
mtc_divergence divergence_named(const char *name, const file_metric *metric)
{
    return is(name, "mahalanobis") ? mtc_mahalanobis(&metric->factor)
           : is(name, "kl")        ? mtc_kl()
           : is(name, "is")        ? mtc_itakura_saito()
                                   : mtc_sqeuclidean();
}

/* ---- labels of a block of rows ---- */

/* A block: n rows of m->d values each, and where its results go. */
typedef struct sheet {
    app *a;
    const model *m;
    const model_task *k;
    mtc_context ctx;
    size_t n, first;                /* rows; place of the first in the data */
    mtc_real *x;                    /* [n*d], ours */
    mtc_real *f;                    /* [n*problems] */
    const mtc_data *X;              /* the data; and if it is sparse: */
    mtc_real *Ut;                   /* [d*rows] centers by feature, */
    double *square, *dot;           /* [rows] |u|^2; x.u */
    int *labels;                    /* [n] */
    mtc_real *distance;             /* [n] */
} sheet;

static void check_sheet(sheet *s, mtc_status status, const char *subject)
{
    if (s->ctx.error.row != MTC_NONE)
        s->ctx.error.row += s->first;
    check(s->a, &s->ctx, status, subject);
}

static void nearest(sheet *s, const mtc_real *x, const mtc_divergence *div,
                    const char *subject)
{
    mtc_data X = mtc_dense(s->n, s->m->d, x);
    mtc_kmeans_result res = {.clusters = s->k->rows, .d = X.d,
                             .centers = s->k->centers, .divergence = div};
    check_sheet(s, mtc_kmeans_assign(&s->ctx, &X, &res, s->labels), subject);
}

/* Do rows still have to come to length 1, as directions have it? */
static int turns_rows(const model *m)
{
    return m->angles && !is(m->scaled.how, "l2") && !is(m->scaled.how, "tfidf");
}

/* The center that sparse row i is nearest to, whatever rounding does to sums
 * over d features; or -1: there is not one. */
static int sure_center(const sheet *s, size_t i)
{
    const mtc_data *X = s->X;
    size_t k = s->k->rows, best = 0, near = 0;
    double xx = 0, most = 0;
    for (size_t z = 0; z < k; z++) {
        s->dot[z] = 0;
        most = s->square[z] > most ? s->square[z] : most;
    }
    for (size_t p = X->row[i]; p < X->row[i + 1]; p++) {
        const mtc_real *u = s->Ut + X->column[p] * k;
        double x = (double)X->values[p];
        xx += x * x;
        for (size_t z = 0; z < k; z++)
            s->dot[z] += x * (double)u[z];
    }
    double length = turns_rows(s->m) && xx > 0 ? sqrt(xx) : 1;
    xx /= length * length;
    for (size_t z = 0; z < k; z++) {            /* |x - u|^2 - |x|^2 */
        s->dot[z] = s->square[z] - 2 * s->dot[z] / length;
        best = s->dot[z] < s->dot[best] ? z : best;
    }
    double blur = 16 * (double)(X->d + 16) * APP_REAL_EPS * (xx + most);
    for (size_t z = 0; z < k; z++)
        near += !(s->dot[z] > s->dot[best] + blur);
    return near == 1 ? (int)best : -1;
}

/* What sure_center needs. */
static void turn_centers(sheet *s)
{
    size_t k = s->k->rows, d = s->m->d;
    s->Ut = TAKE(s->a, k * d, mtc_real);
    s->square = TAKE(s->a, k, double);
    s->dot = TAKE(s->a, k, double);
    for (size_t z = 0; z < k; z++)
        for (size_t j = 0; j < d; j++) {
            double u = (double)s->k->centers[z * d + j];
            s->Ut[j * k + z] = s->k->centers[z * d + j];
            s->square[z] += u * u;
        }
}

/* The nearest centers of a block, one row at a time where rows are sparse. */
static void nearest_rows(sheet *s, const mtc_divergence *div,
                         const char *subject)
{
    sheet one = *s;
    if (s->Ut == NULL) {
        nearest(s, s->x, div, subject);
        return;
    }
    one.n = 1;
    for (size_t i = 0; i < s->n; i++) {
        s->labels[i] = sure_center(s, s->first + i);
        if (s->labels[i] >= 0)
            continue;
        one.first = s->first + i;
        one.labels = s->labels + i;
        nearest(&one, s->x + i * s->m->d, div, subject);
    }
}

/* What a rule sums up over the features, in their order, of a row and the
 * center u: the cosine's numerator for directions, else the divergence. */
static double sum_of(const model *m, const mtc_divergence *div,
                     const mtc_real *x, const mtc_real *u)
{
    mtc_real sum = 0;
    if (!m->angles && !is(m->divergence, "sqeuclidean"))
        return (double)div->value(div->user, m->d, x, u);
    for (size_t j = 0; j < m->d; j++)
        sum += m->angles ? x[j] * u[j] : (x[j] - u[j]) * (x[j] - u[j]);
    return (double)sum;
}

/* The distance of a row, which has length 1 for directions, from the center u
 * by their sum: squares have a root; kl and is are what they are. */
static mtc_real distance_of(const model *m, const mtc_real *u, double sum)
{
    if (m->angles) {
        double square = (double)mtc_dot(m->d, u, u);
        return (mtc_real)(square > 0 ? 1 - sum / sqrt(square) : 1);
    }
    return (mtc_real)(is(m->divergence, "sqeuclidean") ||
                      is(m->divergence, "mahalanobis") ? sqrt(sum) : sum);
}

/* The last sum at center z of task t that is not far: the largest, of
 * directions the least. */
double model_border(const model *m, size_t t, size_t z)
{
    const mtc_real *u = m->task[t].centers + z * m->d;
    mtc_real radius = m->task[t].radius[z];
    double low = m->angles ? -1e300 : 0, high = 1e300;
    while (nextafter(low, high) < high) {       /* not far is an interval */
        double middle = low / 2 + high / 2;
        if ((distance_of(m, u, middle) > radius) == m->angles)
            low = middle;
        else
            high = middle;
    }
    return m->angles ? high : low;
}

static void label_nearest(sheet *s, const char *subject)
{
    const model *m = s->m;
    size_t d = m->d;
    mtc_divergence div = divergence_named(m->divergence, &m->metric);
    int plain = is(m->divergence, "sqeuclidean");
    for (size_t p = 0; p < s->n * d && !plain; p++)
        s->x[p] += m->smooth;
    mtc_data rows = mtc_dense(s->n, d, s->x);
    if (turns_rows(m))
        unit_rows(&rows, 0, s->x);
    nearest_rows(s, plain ? NULL : &div, subject);
    for (size_t i = 0; i < s->n; i++) {
        const mtc_real *u = s->k->centers + (size_t)s->labels[i] * d;
        s->distance[i] = distance_of(m, u, sum_of(m, &div, s->x + i * d, u));
    }
}

/* The winner among the decisions, and its score. */
static void decide(sheet *s)
{
    size_t P = s->k->problems;
    for (size_t i = 0; i < s->n; i++) {
        const mtc_real *f = s->f + i * P;
        size_t best = 0;
        for (size_t p = 1; p < P; p++)
            best = f[p] > f[best] ? p : best;
        s->labels[i] = s->k->k == 1 ? 0 : P == 1 ? f[0] > 0 : (int)best;
        s->distance[i] = P == 0 ? 0 : P == 1 && s->k->k > 1 && f[0] < 0
                                          ? -f[0] : f[best];
    }
}

static void refuse_negative(sheet *s, const char *subject)
{
    size_t d = s->m->d;
    for (size_t p = 0; p < s->n * d; p++)
        if (s->x[p] < 0) {
            s->ctx.error = (mtc_place){"values: need 0 or more", MTC_NONE,
                                       p / d, p % d};
            check_sheet(s, MTC_DOMAIN, subject);
        }
}

static void label_linear(sheet *s, const char *subject)
{
    const model_task *k = s->k;
    size_t d = s->m->d;
    if (counts_values(s->m))
        refuse_negative(s, subject);
    for (size_t i = 0; i < s->n; i++)
        for (size_t p = 0; p < k->problems; p++)
            s->f[i * k->problems + p] =
                mtc_dot(d, s->x + i * d, k->weights + p * d) + k->bias[p];
    decide(s);
}

static void label_kernel(sheet *s, const char *subject)
{
    const model_task *k = s->k;
    mtc_data X = mtc_dense(s->n, s->m->d, s->x);
    mtc_data train = mtc_dense(k->n_support, s->m->d, k->support);
    mtc_svm_result res = {
        .classes = k->k, .problems = k->problems, .n = k->n_support,
        .d = s->m->d, .kernel = MTC_KERNEL_RBF, .gamma = k->gamma,
        .coefficients = k->coefficients, .bias = k->bias};
    if (k->n_support > 0)
        check_sheet(s, mtc_svm_assign(&s->ctx, &X, &train, &res, NULL, s->f),
                    subject);
    else
        for (size_t q = 0; q < s->n * k->problems; q++)
            s->f[q] = k->bias[q % k->problems];
    decide(s);
}

/* One row of a view, zeros written out. */
static void write_out(const mtc_data *X, size_t i, mtc_real *to)
{
    memset(to, 0, X->d * sizeof *to);
    for (size_t p = row_begin(X, i), end = p + X->d; p < end; p++) {
        if (X->row != NULL && p == X->row[i + 1])
            break;
        to[X->row != NULL ? X->column[p] : p - row_begin(X, i)] = X->values[p];
    }
}

static void label_sheet(sheet *s, const char *subject)
{
    mtc_data X = mtc_dense(s->n, s->m->d, s->x);
    mtc_status sound = mtc_data_check(&s->ctx, &X, MTC_NONE);
    if (sound == MTC_DOMAIN && s->ctx.error.row == MTC_NONE)
        sound = MTC_OK;             /* tiny rows have a nearest center, too */
    check_sheet(s, sound, subject);
    switch (s->m->rule) {
    case RULE_NEAREST: label_nearest(s, subject); break;
    case RULE_LINEAR: label_linear(s, subject); break;
    case RULE_KERNEL: label_kernel(s, subject); break;
    }
}

/* The cluster or class that center z, or winner z, stands for. */
int model_number(const model_task *k, int z)
{
    return k->number != NULL ? k->number[z] : z;
}

/* Rows of X, preprocessed, of m->d features, by the rule of task t: the center
 * or winner of each [n], and its distance from it, or score, [n].  An error is
 * the subject's. */
void model_label(app *a, const model *m, size_t t, const mtc_data *X,
                 const char *subject, int *winner, mtc_real *distance)
{
    size_t most = BLOCK_VALUES / m->d + 1;
    const model_task *k = &m->task[t];
    most = most < X->n ? most : X->n;
    sheet s = {.a = a, .m = m, .k = k, .ctx = context_of(a, 1), .X = X,
               .x = TAKE(a, most * m->d, mtc_real),
               .f = TAKE(a, most * k->problems, mtc_real)};
    if (m->rule == RULE_NEAREST && is(m->divergence, "sqeuclidean") &&
        X->row != NULL)
        turn_centers(&s);
    for (; s.first < X->n; s.first += s.n) {
        safe_point(a, "assign", s.first, X->n);
        s.n = X->n - s.first < most ? X->n - s.first : most;
        s.labels = winner + s.first;
        s.distance = distance + s.first;
        for (size_t i = 0; i < s.n; i++)
            write_out(X, s.first + i, s.x + i * m->d);
        label_sheet(&s, subject);
    }
    pool_release(s.x);
    pool_release(s.f);
    pool_release(s.Ut);
    pool_release(s.square);
    pool_release(s.dot);
}
