/* SPDX-License-Identifier: MIT
 *
 * tsvm.c - transductive support vector machine [J99], on mtc_svm.
 *
 *   min 1/2 |w|^2 + C sum_l xi + C- sum_{y*=-1} xi* + C+ sum_{y*=+1} xi*
 * over w, b and labels y* of the target with a given number of positives:
 * the sources' share of it.
 *
 *   A1  SVM on the sources; the target's largest decisions become +1
 *   A2  C- = 1e-5 C*, C+ = C- num+ / num-; both double until they are C*
 *   A3  at each level: solve; exchange the labels of every pair of a positive
 *       and a negative with xi_i + xi_j > 2, largest first; until there is
 *       none.  Each exchange lowers the objective at fixed (w, b).
 * One problem for two classes, else one against the rest.
 *
 *   y*   sign   [N] 1 for +1, 0 for -1     f   f      [N] decisions
 *   C-, C+  costs  [N], over C             b   start  [N] multipliers, |b|
 *   N samples: the sources' first, the target's u last
 *
 * Deviation: pairs are exchanged all at once instead of one by one, and the
 *   last level is solved at C*, not just below it.
 * Deviation: costs are over the mean of K(x,x), so that the answer does not
 *   depend on the unit of the data.
 * Deviation: solves end within a tolerance, so that an exchange may fail to
 *   lower the objective, and labels might go round in a circle: a level ends
 *   where the objective stops falling.  All solves of a call share a number
 *   of steps; a single one may use an eighth of what its problem has.
 * Cost: about 20 to 40 SVMs for each problem, each started at the last.
 */
#define CMP_INTERNAL
#include "compared.h"

#define TSVM_ROUNDS 100                 /* exchanges at one level, at most */
#define TSVM_FALL ((mtc_real)1e-6)      /* least share an exchange gains */

typedef struct tsvm_job {
    mtc_data X;                         /* sources, then the target */
    size_t u0, u;                       /* samples of either */
    mtc_svm_options svm;                /* costs and start are those below */
    size_t left, share;                 /* steps left to this problem, of so
                                           many to begin with */
    int *sign;                          /* [N] 0 negative, 1 positive */
    mtc_real *costs, *start, *f, *key;  /* [N] over C; |b|; w.x + b; to sort */
    size_t *plus, *minus, *spare;       /* [N] offenders of either sign */
    cmp_tsvm_result *r;
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
           : !cmp_is_real(o->gamma, 0, CMP_HUGE) ? "gamma: need 0 or more"
           : !cmp_is_real(o->cost, CMP_TINY, CMP_HUGE) ? "cost: need above 0"
           : !cmp_is_real(o->cost_target / o->cost, 0, CMP_HUGE)
               ? "cost_target: need 0 or more"
           : !cmp_is_real(o->tolerance, 0, CMP_HUGE)
               ? "tolerance: need 0 or more" : NULL;
}

static void tsvm_shape(cmp_carver *c, void *result)
{
    cmp_tsvm_result *r = (cmp_tsvm_result *)result;
    r->labels = CMP_CARVE(c, r->n, int);
    r->decisions = CMP_CARVE(c, cmp_mul(r->n, r->problems), mtc_real);
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
    size_t N = j->u0 + j->u, most = j->share / 8;
    j->svm.iterations = j->left < most ? j->left : most;
    j->svm.iterations += j->svm.iterations == 0;    /* 0: mtc_svm's own */
    mtc_status s = mtc_svm(ctx, &j->X, j->sign, &j->svm, &model);
    if (s != MTC_OK)
        return s;
    s = mtc_svm_assign(ctx, &j->X, &j->X, &model, NULL, j->f);
    *value = model.objective[0];
    for (size_t i = 0; i < N; i++) {
        j->start[i] = cmp_abs(model.coefficients[i]);
        *value += j->start[i] +
                  j->svm.cost * j->costs[i] * tsvm_slack(j, i);
    }
    j->left -= model.iterations < j->left ? model.iterations : j->left;
    j->r->iterations += model.iterations;
    j->r->solved++;
    j->r->converged &= model.converged;
    mtc_free(ctx, &model.block);
    if (s == MTC_OK && !CMP_FINITE(*value))
        s = cmp_fail(ctx, MTC_DOMAIN, "decisions overflow", MTC_NONE,
                     MTC_NONE, MTC_NONE);
    return s;
}

/* Target samples of one sign with slack, largest first, ties by index, into
 * `list`; returns how many. */
static size_t tsvm_offenders(tsvm_job *j, int sign, size_t *list)
{
    size_t count = 0;
    for (size_t i = 0; i < j->u; i++) {
        size_t at = j->u0 + i;
        j->key[i] = j->sign[at] == sign ? -tsvm_slack(j, at) : 0;
        count += j->key[i] < 0;
    }
    cmp_sort(j->u, j->key, list, j->spare);
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
        size_t a = j->u0 + j->plus[pairs], b = j->u0 + j->minus[pairs];
        if (!(tsvm_slack(j, a) + tsvm_slack(j, b) > 2 + (mtc_real)1e-6))
            break;                                  /* above rounding */
        j->sign[a] = 0;
        j->sign[b] = 1;
        j->start[a] = j->start[b] = 0;
    }
    j->r->exchanged += pairs;
    return pairs;
}

/* Solves and exchanges while the objective at these costs falls. */
static mtc_status tsvm_level(mtc_context *ctx, tsvm_job *j, mtc_real minus,
                             mtc_real plus)
{
    mtc_real best = CMP_HUGE, value;
    for (int round = 0; round < TSVM_ROUNDS; round++) {
        for (size_t i = 0; i < j->u; i++)
            j->costs[j->u0 + i] = j->sign[j->u0 + i] ? plus : minus;
        mtc_status s = tsvm_solve(ctx, j, &value);
        if (s != MTC_OK)
            return s;
        if (!(value < best - TSVM_FALL * best) || j->left == 0)
            break;
        best = value;
        if (tsvm_exchange(j) == 0)
            return MTC_OK;
    }
    j->r->converged = 0;                            /* pairs may be left */
    return MTC_OK;
}

/* A1, with `found` positives among the sources.  The target's number of
 * positives is the sources' share, rounded, and at least 1 on either side;
 * exchanges keep it.  0: there is nothing to exchange. */
static size_t tsvm_first_signs(tsvm_job *j, size_t found)
{
    mtc_real share = (mtc_real)found / (mtc_real)j->u0 * (mtc_real)j->u;
    size_t plus = (size_t)(share + (mtc_real)0.5);
    if (found == 0 || found == j->u0 || j->u < 2)
        return 0;
    plus = plus < 1 ? 1 : plus > j->u - 1 ? j->u - 1 : plus;    /* num+ */
    for (size_t i = 0; i < j->u; i++)
        j->key[i] = -j->f[j->u0 + i];
    cmp_sort(j->u, j->key, j->plus, j->spare);
    for (size_t i = 0; i < plus; i++)               /* the largest f */
        j->sign[j->u0 + j->plus[i]] = 1;
    return plus;
}

/* One class against the rest (or the other); the signs of the sources are set.
 * Costs of the target grow from almost none to `top`, C* / C, so that the
 * sources settle the plane before the target has a say. */
static mtc_status tsvm_problem(mtc_context *ctx, tsvm_job *j, mtc_real top)
{
    size_t found = 0;
    mtc_real value;
    for (size_t i = 0; i < j->u0 + j->u; i++) {
        j->start[i] = 0;
        j->costs[i] = i < j->u0;                    /* target: no say */
        j->sign[i] = i < j->u0 && j->sign[i];
        found += (size_t)j->sign[i];
    }
    mtc_status s = tsvm_solve(ctx, j, &value);                  /* A1 */
    size_t plus = s == MTC_OK ? tsvm_first_signs(j, found) : 0;
    if (plus == 0)
        return s;
    mtc_real cm = (mtc_real)1e-5 * top;                         /* A2 */
    mtc_real cp = cm * (mtc_real)plus / (mtc_real)(j->u - plus);
    if (cm < CMP_TINY || cp < CMP_TINY)             /* 0 would stay 0 */
        cm = cp = top / 2;
    while (s == MTC_OK && (cm < top || cp < top) && j->left > 0) {
        cm = 2 * cm < top ? 2 * cm : top;           /* the last is C* */
        cp = 2 * cp < top ? 2 * cp : top;
        s = tsvm_level(ctx, j, cm, cp);                         /* A3 */
    }
    j->r->converged &= j->left > 0;
    return s;
}

/* Problem after problem, each with its share of the steps that are left.
 * Decisions of all stand side by side; the label is the sign of the only one,
 * or the class with the largest. */
static mtc_status tsvm_work(mtc_context *ctx, tsvm_job *j,
                            const cmp_tsvm_options *o, const mtc_data *sources,
                            const int *const *labels, size_t n_sources)
{
    size_t N = j->u0 + j->u, P = j->r->problems;
    size_t steps = o->iterations > 0 ? o->iterations
                                     : cmp_add(500000, cmp_mul(500, N));
    mtc_real top = o->cost_target > 0 ? o->cost_target / o->cost : 1;
    mtc_real length = 0;
    mtc_data_norms(&j->X, j->key);
    for (size_t i = 0; i < N && o->kernel == MTC_KERNEL_LINEAR; i++)
        length += j->key[i] / (mtc_real)N;          /* mean of K(x,x) */
    j->svm.cost = length > 0 ? o->cost / length : o->cost;
    mtc_status s = cmp_check_options(
        ctx, cmp_is_real(j->svm.cost, CMP_TINY, CMP_HUGE)
                 ? NULL : "cost: out of range for these data");
    for (size_t p = 0; s == MTC_OK && p < P; p++) {
        int positive = P == 1 ? 1 : (int)p;
        for (size_t t = 0, at = 0; t < n_sources; at += sources[t++].n)
            for (size_t i = 0; i < sources[t].n; i++)
                j->sign[at + i] = labels[t][i] == positive;
        j->left = steps > j->r->iterations ? steps - j->r->iterations : 0;
        j->share = j->left /= P - p;
        if ((s = cmp_tick(ctx, "tsvm", p, P)) == MTC_OK)
            s = tsvm_problem(ctx, j, top);
        for (size_t i = 0; i < j->u; i++)
            j->r->decisions[i * P + p] = j->f[j->u0 + i];
    }
    for (size_t i = 0; i < j->u; i++) {
        const mtc_real *f = j->r->decisions + i * P;
        j->r->labels[i] = P == 0   ? 0
                          : P == 1 ? f[0] > 0 : (int)cmp_argmax(P, f);
    }
    return s;
}

mtc_status cmp_tsvm(mtc_context *ctx, const mtc_data *sources,
                    const int *const *source_labels, size_t n_sources,
                    const mtc_data *target, const cmp_tsvm_options *opt,
                    cmp_tsvm_result *res)
{
    const cmp_tsvm_options usual = cmp_tsvm_defaults();
    const cmp_tsvm_options *o = opt != NULL ? opt : &usual;
    mtc_status s = cmp_check_options(ctx, res == NULL ? "result"
                                                      : tsvm_wrong(o));
    if (s == MTC_OK)
        s = cmp_check_transfer(ctx, sources, source_labels, n_sources, target,
                               o->classes, 0);
    if (s != MTC_OK)
        return s;
    cmp_room room = cmp_open(ctx);
    cmp_tsvm_result r = {.n = target->n, .converged = 1};
    r.problems = o->classes < 3 ? o->classes - 1 : o->classes;
    tsvm_job job = {.u = target->n, .u0 = cmp_count(sources, n_sources),
                    .svm = mtc_svm_defaults(), .r = &r};
    size_t N = cmp_add(job.u0, job.u);
    cmp_result(&room, tsvm_shape, &r, sizeof r);
    mtc_data *sets = cmp_with_target(&room, sources, n_sources, target);
    job.sign = CMP_TAKE(&room, N, int);
    mtc_real **vector[] = {&job.costs, &job.start, &job.f, &job.key};
    size_t **list[] = {&job.plus, &job.minus, &job.spare};
    for (size_t i = 0; i < 4; i++)
        *vector[i] = CMP_TAKE(&room, N, mtc_real);
    for (size_t i = 0; i < 3; i++)
        *list[i] = CMP_TAKE(&room, N, size_t);
    if (room.status == MTC_OK)
        job.X = cmp_stack(&room, sets, n_sources + 1);
    job.svm.kernel = o->kernel;
    job.svm.gamma = o->gamma;
    job.svm.tolerance = o->tolerance;
    job.svm.costs = job.costs;
    job.svm.start = job.start;
    if ((s = room.status) == MTC_OK)
        s = tsvm_work(ctx, &job, o, sources, source_labels, n_sources);
    return cmp_close(&room, s, &r, sizeof r, res);
}
