/* SPDX-License-Identifier: MIT
 *
 * tsvm.c - transductive support vector machine [J99], on mtc_svm.
 *
 *   min 1/2 |w|^2 + C sum_l xi + C- sum_{y*=-1} xi* + C+ sum_{y*=+1} xi*
 * over w, b and labels y* of the target with a given number of positives:
 * the sources' share of it.
 *
 *   A1  SVM on the sources; the target's largest decisions become +1
 *   A2  C- = 1e-5 C, C+ = C- num+ / num-; both double until they are C
 *   A3  at each level: solve; exchange the labels of every pair of a positive
 *       and a negative with xi_i + xi_j > 2, largest first; until there is
 *       none.  Each exchange lowers the objective at fixed (w, b).
 * One problem for two classes, else one against the rest.
 *
 * Deviation: pairs are exchanged all at once instead of one by one, and the
 *   last level is solved at C, not just below it.
 * Deviation: samples are divided by the root of the mean of K(x,x): the answer
 *   does not depend on the unit of the data.
 * Deviation: solves end within a tolerance, so that labels might go round in a
 *   circle: a level ends where the objective stops falling.  All solves of a
 *   call share a number of steps; one may use an eighth of its problem's.
 * Cost: about 20 to 40 SVMs for each problem, each started at the last.
 */
#define CMP_INTERNAL
#include "compared.h"

#define TSVM_FALL ((mtc_real)1e-6)      /* least share an exchange gains */

typedef struct tsvm_job {
    cmp_tsvm_result r;
    const cmp_tsvm_options *o;
    cmp_world w;
    mtc_data X;                         /* N samples: sources, then target */
    mtc_svm_options svm;                /* costs and start are those below */
    size_t left, share;                 /* steps of this problem: left, all */
    int *sign;                          /* [N] 0 negative, 1 positive */
    mtc_real *costs, *start, *f, *key;  /* [N] over C; |b|; w.x + b; to sort */
    mtc_real *b, bias;                  /* [N] of the last solve */
    size_t *plus, *minus, *spare;       /* [N] offenders of either sign */
} tsvm_job;

cmp_tsvm_options cmp_tsvm_defaults(void)
{
    return (cmp_tsvm_options){.classes = 2, .kernel = MTC_KERNEL_LINEAR,
                              .cost = 1, .tolerance = (mtc_real)1e-4};
}

static const char *tsvm_wrong(const cmp_tsvm_options *o)
{
    return o->kernel != MTC_KERNEL_LINEAR && o->kernel != MTC_KERNEL_RBF
               ? "kernel: need linear or rbf"
           : !cmp_is_real(o->gamma, 0, ADV_HUGE) ? "gamma: need 0 or more"
           : !cmp_is_real(o->cost, ADV_TINY, ADV_HUGE) ? "cost: need above 0"
           : !(o->tolerance >= 0) ? "tolerance: need 0 or more" : NULL;
}

static void tsvm_shape(adv_carver *c, void *result)
{
    cmp_tsvm_result *r = (cmp_tsvm_result *)result;
    r->labels = ADV_CARVE(c, r->n, int);
    r->decisions = ADV_CARVE(c, adv_mul(r->n, r->problems), mtc_real);
    r->coefficients = ADV_CARVE(c, adv_mul(r->rows, r->problems), mtc_real);
    r->bias = ADV_CARVE(c, r->problems, mtc_real);
}

/* xi = max(0, 1 - y f) of sample i. */
static mtc_real tsvm_slack(const tsvm_job *j, size_t i)
{
    mtc_real slack = 1 - (j->sign[i] ? j->f[i] : -j->f[i]);
    return slack > 0 ? slack : 0;
}

/* Solves for the present signs and costs from the multipliers in `start`;
 * leaves f of all samples, the multipliers in `start`, and the objective
 *   1/2 |w|^2 + sum C_i xi_i,  1/2 |w|^2 = dual objective + sum |b|.
 * mtc_svm cuts the start to the new bounds, and the heavier side gives way so
 * that sum b = 0 holds again after an exchange. */
static mtc_status tsvm_solve(mtc_context *ctx, tsvm_job *j, mtc_real *value)
{
    mtc_svm_result model;
    size_t most = j->left < j->share / 8 ? j->left : j->share / 8;
    j->svm.iterations = most > 0 ? most : 1;        /* 0: mtc_svm's own */
    ADV_TRY(mtc_svm(ctx, &j->X, j->sign, &j->svm, &model));
    mtc_status s = mtc_svm_assign(ctx, &j->X, &j->X, &model, NULL, j->f);
    *value = model.objective[0];
    j->bias = model.bias[0];
    for (size_t i = 0; i < j->w.N; i++) {
        j->b[i] = model.coefficients[i];
        j->start[i] = cmp_abs(j->b[i]);
        *value += j->start[i] +
                  j->svm.cost * j->costs[i] * tsvm_slack(j, i);
    }
    j->left -= model.iterations < j->left ? model.iterations : j->left;
    j->r.iterations += model.iterations;
    j->r.solved++;
    j->r.converged &= model.converged;
    mtc_free(ctx, &model.block);
    return s != MTC_OK || ADV_FINITE(*value)
               ? s : adv_refuse(ctx, MTC_DOMAIN, "decisions overflow");
}

/* Target samples of one sign with slack, largest first, ties by index, into
 * `list`; returns how many. */
static size_t tsvm_offenders(tsvm_job *j, int sign, size_t *list)
{
    size_t count = 0;
    for (size_t i = 0; i < j->w.n; i++) {
        size_t at = j->w.u0 + i;
        j->key[i] = j->sign[at] == sign ? -tsvm_slack(j, at) : 0;
        count += j->key[i] < 0;
    }
    cmp_sort(j->w.n, j->key, list, j->spare);
    return count;
}

/* A3: exchanges labels; returns how many pairs.  Both lists descend, so the
 * pairs that qualify are the first ones.  At fixed (w, b) a pair's share
 * C+ xi_i + C- xi_j becomes C- max(0, 2-xi_i) + C+ max(0, 2-xi_j), and xi_i +
 * xi_j > 2 makes that less: 2-xi_i < xi_j and 2-xi_j < xi_i.  Pairs are
 * disjoint, so they fall together.  A sample that changes sides starts again
 * at multiplier 0. */
static size_t tsvm_exchange(tsvm_job *j)
{
    size_t plus = tsvm_offenders(j, 1, j->plus), pairs = 0;
    size_t minus = tsvm_offenders(j, 0, j->minus);
    for (; pairs < plus && pairs < minus; pairs++) {
        size_t a = j->w.u0 + j->plus[pairs], b = j->w.u0 + j->minus[pairs];
        if (!(tsvm_slack(j, a) + tsvm_slack(j, b) > 2 + (mtc_real)1e-6))
            break;                                  /* above rounding */
        j->sign[a] = 0;
        j->sign[b] = 1;
        j->start[a] = j->start[b] = 0;
    }
    j->r.exchanged += pairs;
    return pairs;
}

/* Solves and exchanges while the objective at these costs falls. */
static mtc_status tsvm_level(mtc_context *ctx, tsvm_job *j, mtc_real minus,
                             mtc_real plus)
{
    mtc_real best = ADV_HUGE, value;
    for (int round = 0; round < 100; round++) {
        for (size_t i = 0; i < j->w.n; i++)
            j->costs[j->w.u0 + i] = j->sign[j->w.u0 + i] ? plus : minus;
        ADV_TRY(tsvm_solve(ctx, j, &value));
        if (!(value < best - TSVM_FALL * best) || j->left == 0)
            break;
        best = value;
        if (tsvm_exchange(j) == 0)
            return MTC_OK;
    }
    j->r.converged = 0;                            /* pairs may be left */
    return MTC_OK;
}

/* A1: the target's number of positives is the sources' share, rounded, and at
 * least 1 on either side; exchanges keep it.  0: nothing to exchange. */
static size_t tsvm_first_signs(tsvm_job *j, mtc_real found)
{
    size_t u0 = j->w.u0, u = j->w.n;
    if (!(found > 0 && found < (mtc_real)u0) || u < 2)
        return 0;
    size_t plus = (size_t)(found / (mtc_real)u0 * (mtc_real)u + (mtc_real)0.5);
    plus = plus < 1 ? 1 : plus > u - 1 ? u - 1 : plus;          /* num+ */
    for (size_t i = 0; i < u; i++)
        j->key[i] = -j->f[u0 + i];
    cmp_sort(u, j->key, j->plus, j->spare);
    for (size_t i = 0; i < plus; i++)               /* the largest f */
        j->sign[u0 + j->plus[i]] = 1;
    return plus;
}

/* Class `positive` against the rest (or the other).  Costs of the target grow
 * from almost none to C, so that the sources settle the plane before the target
 * has a say. */
static mtc_status tsvm_problem(mtc_context *ctx, tsvm_job *j, int positive)
{
    mtc_real value;
    for (size_t i = 0; i < j->w.N; i++) {
        j->start[i] = 0;
        j->costs[i] = i < j->w.u0;                    /* target: no say */
        j->sign[i] = j->w.y[i] == positive;
    }
    ADV_TRY(tsvm_solve(ctx, j, &value));                        /* A1 */
    size_t plus = tsvm_first_signs(j, j->w.count[positive]);
    if (plus == 0)
        return MTC_OK;
    mtc_real cm = (mtc_real)1e-5;                               /* A2 */
    mtc_real cp = cm * (mtc_real)plus / (mtc_real)(j->w.n - plus);
    while ((cm < 1 || cp < 1) && j->left > 0) {
        cm = 2 * cm < 1 ? 2 * cm : 1;
        cp = 2 * cp < 1 ? 2 * cp : 1;
        ADV_TRY(tsvm_level(ctx, j, cm, cp));                    /* A3 */
    }
    j->r.converged &= j->left > 0;
    return MTC_OK;
}

/* Samples over the root of the mean of K(x,x). */
static mtc_status tsvm_begin(adv_desk *desk, tsvm_job *j)
{
    size_t N = j->w.N;
    mtc_real length = 0;
    ADV_REALS(desk, N, &j->costs, &j->start, &j->f, &j->key, &j->b);
    ADV_SIZES(desk, N, &j->plus, &j->minus, &j->spare);
    j->sign = ADV_TAKE(desk, N, int);
    ADV_TRY(cmp_gather(desk, &j->w));
    j->X = cmp_stack(desk, j->w.sets, j->w.n_sources + 1);
    ADV_TRY(desk->status);
    mtc_data_norms(&j->X, j->key);
    for (size_t i = 0; i < N && j->o->kernel == MTC_KERNEL_LINEAR; i++)
        length += j->key[i] / (mtc_real)N;
    j->svm = mtc_svm_defaults();
    j->svm.kernel = j->o->kernel;
    j->svm.gamma = j->o->gamma;
    j->svm.tolerance = j->o->tolerance;
    j->svm.costs = j->costs;
    j->svm.start = j->start;
    j->svm.cost = j->o->cost;
    j->r.scale = length > 0 ? ADV_SQRT(length) : 1;
    for (size_t e = 0; e < adv_end(&j->X, N - 1) && length > 0; e++)
        ((mtc_real *)j->X.values)[e] /= j->r.scale;             /* ours */
    return MTC_OK;
}

/* Problem after problem, each with its share of the steps that are left; the
 * label is the sign of the only decision, or of the classes that the sources
 * have the one with the largest. */
static mtc_status tsvm_work(adv_desk *desk, void *job)
{
    tsvm_job *j = (tsvm_job *)job;
    size_t P = j->r.problems, steps = adv_add(500000, adv_mul(500, j->w.N));
    steps = j->o->iterations > 0 ? j->o->iterations : steps;
    ADV_TRY(tsvm_begin(desk, j));
    for (size_t p = 0; p < P; p++) {
        j->left = steps > j->r.iterations ? steps - j->r.iterations : 0;
        j->share = j->left /= P - p;
        ADV_TRY(adv_tick(desk->ctx, "tsvm", p, P));
        ADV_TRY(tsvm_problem(desk->ctx, j, P == 1 ? 1 : (int)p));
        for (size_t i = 0; i < j->w.n; i++)
            j->r.decisions[i * P + p] = j->f[j->w.u0 + i];
        for (size_t i = 0; i < j->w.N; i++)
            j->r.coefficients[p * j->w.N + i] = j->b[i];
        j->r.bias[p] = j->bias;
    }
    for (size_t i = 0; i < j->w.n; i++) {
        const mtc_real *f = j->r.decisions + i * P;
        j->r.labels[i] = P == 0   ? 0
                         : P == 1 ? f[0] > 0
                                  : (int)cmp_argmax_of(P, f, j->w.count);
    }
    return MTC_OK;
}

mtc_status cmp_tsvm(mtc_context *ctx, const mtc_data *sources,
                    const int *const *source_labels, size_t n_sources,
                    const mtc_data *target, const cmp_tsvm_options *opt,
                    cmp_tsvm_result *res)
{
    const cmp_tsvm_options usual = cmp_tsvm_defaults(),
                           *o = opt != NULL ? opt : &usual;
    tsvm_job j = {.w = CMP_WORLD, .o = o};
    ADV_TRY(cmp_enter(ctx, res == NULL ? "result" : tsvm_wrong(o), CMP_ALL,
                      &j.w));
    j.r.n = target->n;
    j.r.rows = j.w.N;
    j.r.problems = o->classes < 3 ? o->classes - 1 : o->classes;
    j.r.converged = 1;
    return cmp_run(ctx, tsvm_shape, tsvm_work, &j, sizeof j.r, res);
}
