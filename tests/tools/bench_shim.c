/* SPDX-License-Identifier: MIT
 *
 * bench_shim.c - the library as flat functions for bench_peers.py: plain
 * pointers and numbers, no structs.  Work memory is kept from call to call,
 * so that what is timed is the computation.  shim_lend() lends threads to all
 * calls after it.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>

#define main threads_page
int threads_page(void);
#include "../../examples/threads.c"
#include "../../examples/advice/mtc_advice.h"
#undef main

#ifdef MTC_SINGLE
#error "the peers compute in double"
#endif

int shim_lend(size_t lanes);
int shim_ttl(const size_t *n, size_t d, const size_t *row,
             const uint32_t *column, const double *values, const int *labels,
             size_t p1, size_t p2, double *const *factors, const double *GI,
             const double *Gt, size_t sweeps, double *out);
int shim_gemm(size_t n, const double *A, const double *B, double *C);
int shim_cholesky(size_t n, double *A);
int shim_symeig(size_t n, double *A, double *w, double *V);
int shim_symeig_top(size_t n, size_t count, double *A, double *w, double *V);
int shim_gram_dense(size_t n, size_t d, const double *X, double *G);
int shim_gram_csr(size_t n, size_t d, const size_t *row,
                  const uint32_t *column, const double *values, double *G);
int shim_emd(size_t m, size_t n, const double *cost, const double *supply,
             const double *demand, double *plan, double *out);
int shim_kmeans(size_t n, size_t d, const double *X, size_t k,
                const double *centers, size_t steps, int *labels, double *out);
int shim_kmeans_view(size_t n, size_t d, const size_t *row,
                     const uint32_t *column, const double *values, size_t k,
                     const double *centers, size_t steps, int *labels,
                     double *out);
int shim_logistic(size_t n, size_t d, const size_t *row,
                  const uint32_t *column, const double *values,
                  const int *labels, size_t classes, double ridge,
                  double tolerance, double *W, double *out);
int shim_linear_svm(size_t n, size_t d, const size_t *row,
                    const uint32_t *column, const double *values,
                    const int *labels, double tolerance, double *decisions,
                    double *out);
int shim_ncut(size_t n, const double *S, size_t k, int *labels, double *out);
int shim_neighbors(size_t n, size_t d, const double *X, size_t k,
                   size_t *index);
int shim_silhouette(size_t n, size_t d, const double *X, const int *labels,
                    size_t k, double *out);
int shim_svm(size_t n, size_t d, const double *X, const int *labels,
             double cost, double gamma, double tolerance, double *decisions,
             double *out);

int shim_lssmtc(size_t tasks, const size_t *n, size_t d, const size_t *row,
                const uint32_t *column, const double *values,
                const int *start, size_t clusters, size_t subspace, int pca,
                size_t iterations, double *out);
int shim_mbc(size_t d, const size_t *n, const size_t *k, const size_t *row0,
             const uint32_t *column0, const double *values0,
             const size_t *row1, const uint32_t *column1,
             const double *values1, const double *centers0,
             const double *centers1, double lambda, double *out);

int shim_mtcfir(size_t tasks, const size_t *n, size_t d, const size_t *row,
                const uint32_t *column, const double *values,
                const int *start, size_t clusters, size_t layers,
                size_t iterations, double *out);

int shim_auto(size_t tasks, size_t n, size_t d, const double *X, size_t k,
              int *labels);
int shim_choose(size_t tasks, size_t n, size_t d, const double *X, size_t k,
                int *found);

static mtc_context *lent;  /* NULL: nothing is */

/* 1 takes the threads back. */
int shim_lend(size_t lanes)
{
    static thread_pool pool;
    static mtc_context context;
    if (lent != NULL)
        pool_close(&pool);
    lent = NULL;
    if (lanes < 2)
        return MTC_OK;
    pool_open(&pool, lanes);
    context = mtc_context_defaults();
    context.parallel = pool_parallel;
    context.pool = &pool;
    context.lanes = lanes;
    lent = &context;
    return MTC_OK;
}

/* At least `bytes` of memory, the same again next time. */
static void *keep(size_t bytes)
{
    static void *block;
    static size_t size;
    if (bytes > size) {
        free(block);
        block = malloc(bytes);
        size = block == NULL ? 0 : bytes;
    }
    return block;
}

/* C = A B, all n x n. */
int shim_gemm(size_t n, const double *A, const double *B, double *C)
{
    void *work = keep(mtc_gemm_work(n, n, n));
    mtc_gemm(0, 0, n, n, n, 1, A, n, B, n, 0, C, n, work);
    return MTC_OK;
}

int shim_cholesky(size_t n, double *A)
{
    return mtc_cholesky(n, A, n, keep(mtc_gemm_work(n, n, n)));
}

int shim_symeig(size_t n, double *A, double *w, double *V)
{
    return mtc_symeig(lent, n, A, n, w, V, n);
}

/* The `count` largest pairs. */
int shim_symeig_top(size_t n, size_t count, double *A, double *w, double *V)
{
    return mtc_symeig_range(lent, n, A, n, n - count, count, w, V, count);
}

int shim_gram_dense(size_t n, size_t d, const double *X, double *G)
{
    mtc_data view = mtc_dense(n, d, X);
    mtc_data_gram(&view, &view, G, n, keep(mtc_data_work(&view, &view, n)));
    return MTC_OK;
}

int shim_gram_csr(size_t n, size_t d, const size_t *row,
                  const uint32_t *column, const double *values, double *G)
{
    mtc_data view = mtc_csr(n, d, row, column, values);
    mtc_data_gram(&view, &view, G, n, keep(mtc_data_work(&view, &view, n)));
    return MTC_OK;
}

/* out: cost, gap, pivots. */
int shim_emd(size_t m, size_t n, const double *cost, const double *supply,
             const double *demand, double *plan, double *out)
{
    mtc_emd_info info = {0, 0, 0};
    mtc_status s = mtc_emd(lent, m, n, cost, n, supply, demand, NULL, plan,
                           NULL, NULL, &info);
    out[0] = info.cost;
    out[1] = info.gap;
    out[2] = (double)info.pivots;
    return s;
}

/* Dense where there are no rows of a CSR view. */
static mtc_data view_of(size_t n, size_t d, const size_t *row,
                        const uint32_t *column, const double *values)
{
    return row == NULL ? mtc_dense(n, d, values)
                       : mtc_csr(n, d, row, column, values);
}

/* At most so many steps from given centers or, if they are NULL, the best of ten
 * restarts.  out: loss, iterations. */
int shim_kmeans_view(size_t n, size_t d, const size_t *row,
                     const uint32_t *column, const double *values, size_t k,
                     const double *centers, size_t steps, int *labels,
                     double *out)
{
    mtc_data view = view_of(n, d, row, column, values);
    mtc_kmeans_options opt = mtc_kmeans_defaults();
    mtc_kmeans_result res;
    opt.clusters = k;
    opt.start_centers = centers;
    opt.iterations = steps;
    mtc_status s = mtc_kmeans(lent, &view, &opt, &res);
    if (s != MTC_OK)
        return s;
    memcpy(labels, res.labels, n * sizeof *labels);
    out[0] = res.loss;
    out[1] = (double)res.iterations;
    mtc_free(lent, &res.block);
    return MTC_OK;
}

int shim_kmeans(size_t n, size_t d, const double *X, size_t k,
                const double *centers, size_t steps, int *labels, double *out)
{
    return shim_kmeans_view(n, d, NULL, NULL, X, k, centers, steps, labels,
                            out);
}

/* W [classes*(d+1)], the bias last; out: iterations, gradient, converged. */
int shim_logistic(size_t n, size_t d, const size_t *row,
                  const uint32_t *column, const double *values,
                  const int *labels, size_t classes, double ridge,
                  double tolerance, double *W, double *out)
{
    mtc_data view = view_of(n, d, row, column, values);
    mtc_logistic_options opt = mtc_logistic_defaults();
    mtc_logistic_result res;
    opt.classes = classes;
    opt.ridge = ridge;
    opt.tolerance = tolerance;
    mtc_status s = mtc_logistic(lent, &view, labels, &opt, &res);
    if (s != MTC_OK)
        return s;
    for (size_t c = 0; c < classes; c++) {
        memcpy(W + c * (d + 1), res.W + c * d, d * sizeof *W);
        W[c * (d + 1) + d] = res.bias[c];
    }
    out[0] = (double)res.iterations;
    out[1] = res.gradient;
    out[2] = res.converged;
    mtc_free(lent, &res.block);
    return MTC_OK;
}

/* Fits and, if decisions [n] are wanted, decides about the training samples.
 * out: dual objective, gap, iterations. */
static int fit_svm(const mtc_data *X, const int *labels,
                   const mtc_svm_options *opt, double *decisions, double *out)
{
    mtc_svm_result res;
    mtc_status s = mtc_svm(lent, X, labels, opt, &res);
    if (s != MTC_OK)
        return s;
    out[0] = res.objective[0];
    out[1] = res.gap[0];
    out[2] = (double)res.iterations;
    if (decisions != NULL)
        s = mtc_svm_assign(lent, X, X, &res, NULL, decisions);
    mtc_free(lent, &res.block);
    return s;
}

/* Two classes, cost 1.  out: dual objective, gap, iterations. */
int shim_linear_svm(size_t n, size_t d, const size_t *row,
                    const uint32_t *column, const double *values,
                    const int *labels, double tolerance, double *decisions,
                    double *out)
{
    mtc_data view = view_of(n, d, row, column, values);
    mtc_svm_options opt = mtc_svm_defaults();
    opt.tolerance = tolerance;
    return fit_svm(&view, labels, &opt, decisions, out);
}

/* S given.  out: the k eigenvalues. */
int shim_ncut(size_t n, const double *S, size_t k, int *labels, double *out)
{
    mtc_data view = mtc_dense(n, n, S);
    mtc_ncut_options opt = mtc_ncut_defaults();
    mtc_ncut_result res;
    opt.clusters = k;
    opt.given = 1;
    mtc_status s = mtc_ncut(lent, &view, &opt, &res);
    if (s != MTC_OK)
        return s;
    memcpy(labels, res.labels, n * sizeof *labels);
    memcpy(out, res.eigenvalues, k * sizeof *out);
    mtc_free(lent, &res.block);
    return MTC_OK;
}

int shim_neighbors(size_t n, size_t d, const double *X, size_t k,
                   size_t *index)
{
    mtc_data view = mtc_dense(n, d, X);
    return mtc_neighbors(lent, &view, NULL, k, MTC_DISTANCE_SQEUCLIDEAN, index,
                         NULL);
}

int shim_silhouette(size_t n, size_t d, const double *X, const int *labels,
                    size_t k, double *out)
{
    mtc_data view = mtc_dense(n, d, X);
    return mtc_silhouette(lent, &view, labels, k, NULL, out);
}

/* Two classes, RBF. */
int shim_svm(size_t n, size_t d, const double *X, const int *labels,
             double cost, double gamma, double tolerance, double *decisions,
             double *out)
{
    mtc_data view = mtc_dense(n, d, X);
    mtc_svm_options opt = mtc_svm_defaults();
    opt.kernel = MTC_KERNEL_RBF;
    opt.cost = cost;
    opt.gamma = gamma;
    opt.tolerance = tolerance;
    return fit_svm(&view, labels, &opt, decisions, out);
}

/* `tasks` sets of CSR rows, one behind the other; out: the last objective. */
int shim_lssmtc(size_t tasks, const size_t *n, size_t d, const size_t *row,
                const uint32_t *column, const double *values,
                const int *start, size_t clusters, size_t subspace, int pca,
                size_t iterations, double *out)
{
    mtc_data view[8];
    const int *starts[8];
    static size_t rows[8][2048];
    size_t at = 0;
    for (size_t t = 0; t < tasks && t < 8; at += n[t++]) {
        for (size_t i = 0; i <= n[t]; i++)
            rows[t][i] = row[at + i] - row[at];
        view[t] = mtc_csr(n[t], d, rows[t], column + row[at],
                          values + row[at]);
        starts[t] = start + at;
    }
    mtc_lssmtc_options opt = mtc_lssmtc_defaults();
    mtc_lssmtc_result res;
    opt.clusters = clusters;
    opt.subspace = subspace;
    opt.mode = pca ? MTC_SUBSPACE_PCA : MTC_SUBSPACE_RECON;
    opt.iterations = iterations;
    opt.start_labels = starts;
    mtc_status s = mtc_lssmtc(lent, view, tasks, &opt, &res);
    if (s != MTC_OK)
        return s;
    *out = res.objective[res.iterations];
    mtc_free(lent, &res.block);
    return MTC_OK;
}

/* Two CSR tasks from given centroids; out: loss, iterations, bytes asked. */
int shim_mbc(size_t d, const size_t *n, const size_t *k, const size_t *row0,
             const uint32_t *column0, const double *values0,
             const size_t *row1, const uint32_t *column1,
             const double *values1, const double *centers0,
             const double *centers1, double lambda, double *out)
{
    mtc_data X[2] = {mtc_csr(n[0], d, row0, column0, values0),
                     mtc_csr(n[1], d, row1, column1, values1)};
    const double *centers[2] = {centers0, centers1};
    mtc_mbc_options opt = mtc_mbc_defaults();
    mtc_mbc_result res;
    opt.clusters_of = k;
    opt.lambda = lambda;
    opt.start_centers = centers;
    opt.iterations = 1000;
    mtc_context ctx = mtc_context_defaults();
    mtc_status s = mtc_mbc(&ctx, X, 2, &opt, &res);
    if (s != MTC_OK)
        return s;
    out[0] = res.loss;
    out[1] = (double)res.iterations;
    out[2] = (double)ctx.need;
    mtc_free(lent, &res.block);
    return MTC_OK;
}

/* `tasks` sets of rows, dense [n*d] or (row not NULL) CSR, one behind the
 * other; out: the last objective of each task. */
int shim_mtcfir(size_t tasks, const size_t *n, size_t d, const size_t *row,
                const uint32_t *column, const double *values,
                const int *start, size_t clusters, size_t layers,
                size_t iterations, double *out)
{
    mtc_data view[8];
    const int *starts[8];
    static size_t rows[8][2048];
    size_t at = 0;
    for (size_t t = 0; t < tasks && t < 8; at += n[t++]) {
        view[t] = mtc_dense(n[t], d, values + at * d);
        for (size_t i = 0; row != NULL && i <= n[t]; i++)
            rows[t][i] = row[at + i] - row[at];
        if (row != NULL)
            view[t] = mtc_csr(n[t], d, rows[t], column + row[at],
                              values + row[at]);
        starts[t] = start + at;
    }
    mtc_mtcfir_options opt = mtc_mtcfir_defaults();
    mtc_mtcfir_result res;
    opt.clusters = clusters;
    opt.layers = layers;
    opt.iterations = iterations;
    opt.tolerance = -1;
    opt.start_labels = starts;
    mtc_status s = mtc_mtcfir(lent, view, tasks, &opt, &res);
    if (s != MTC_OK)
        return s;
    for (size_t t = 0; t < tasks; t++)
        out[t] = res.objective[t][res.iterations[t]];
    mtc_free(lent, &res.block);
    return MTC_OK;
}

/* Source, bridge and target as CSR rows of d features, one behind the other;
 * G of bridge and target and all factors given: leg by leg F1 A1, then F2 A2
 * of either side.  As published.  out: first and last objective. */
int shim_ttl(const size_t *n, size_t d, const size_t *row,
             const uint32_t *column, const double *values, const int *labels,
             size_t p1, size_t p2, double *const *factors, const double *GI,
             const double *Gt, size_t sweeps, double *out)
{
    mtc_data view[3];
    size_t *rows[3] = {NULL, NULL, NULL}, at = 0;
    mtc_ttl_factors f = {.bridge = (double *)GI, .target = (double *)Gt};
    for (size_t t = 0; t < 3; at += n[t++]) {
        rows[t] = malloc((n[t] + 1) * sizeof **rows);
        for (size_t i = 0; rows[t] != NULL && i <= n[t]; i++)
            rows[t][i] = row[at + i] - row[at];
        view[t] = mtc_csr(n[t], d, rows[t], column + row[at],
                          values + row[at]);
    }
    for (size_t leg = 0; leg < 2; leg++) {
        double *const *part = factors + 6 * leg;
        f.F[leg][0] = part[0];
        f.A[leg][0] = part[1];
        for (size_t i = 0; i < 2; i++) {
            f.F[leg][1 + i] = part[2 + 2 * i];
            f.A[leg][1 + i] = part[3 + 2 * i];
        }
    }
    mtc_ttl_options opt = mtc_ttl_defaults();
    mtc_ttl_result res;
    opt.variant = MTC_TTL_PUBLISHED;
    opt.features = p1 + p2;
    opt.common = p1;
    opt.iterations = sweeps;
    opt.start_factors = &f;
    mtc_status s = mtc_ttl(lent, &view[0], &labels, 1, &view[1], NULL, 1,
                           &view[2], &opt, &res);
    if (s == MTC_OK) {
        out[0] = res.objective[0];
        out[1] = res.objective[res.iterations];
        mtc_free(lent, &res.block);
    }
    for (size_t t = 0; t < 3; t++)
        free(rows[t]);
    return s;
}

int shim_vote(size_t n, const int *runs, size_t m, size_t k, int *labels,
              double *out);

/* The vote over runs [m*n].  out: the k singular values. */
int shim_vote(size_t n, const int *runs, size_t m, size_t k, int *labels,
              double *out)
{
    const int *run[64];
    mtc_vote_options opt = mtc_vote_defaults();
    mtc_vote_result res;
    for (size_t r = 0; r < m && r < 64; r++)
        run[r] = runs + r * n;
    opt.clusters = k;
    mtc_status s = mtc_vote(lent, n, run, m < 64 ? m : 64, &opt, &res);
    if (s != MTC_OK)
        return s;
    memcpy(labels, res.labels, n * sizeof *labels);
    for (size_t z = 0; z < k; z++)
        out[z] = z < res.rank ? res.singular_values[z] : 0;
    mtc_free(lent, &res.block);
    return MTC_OK;
}

/* Tasks of n rows, one behind the other. */
enum { TASKS_MOST = 8 };

static void cut_tasks(size_t tasks, size_t n, size_t d, const double *X,
                      mtc_data *view)
{
    for (size_t t = 0; t < TASKS_MOST; t++)
        view[t] = t < tasks ? mtc_dense(n, d, X + t * n * d)
                            : mtc_shape(0, d, 0);
}

int shim_auto(size_t tasks, size_t n, size_t d, const double *X, size_t k,
              int *labels)
{
    mtc_data view[TASKS_MOST];
    mtc_auto_options opt = mtc_auto_defaults();
    mtc_auto_result res;
    cut_tasks(tasks, n, d, X, view);
    opt.clusters = k;
    mtc_status s = mtc_auto(lent, view, tasks, &opt, &res);
    if (s != MTC_OK)
        return s;
    for (size_t t = 0; t < tasks; t++)
        memcpy(labels + t * n, res.labels[t], n * sizeof *labels);
    mtc_free(lent, &res.block);
    return MTC_OK;
}

/* found: k of every task; the k that is given is not asked for. */
int shim_choose(size_t tasks, size_t n, size_t d, const double *X, size_t k,
                int *found)
{
    mtc_data view[TASKS_MOST];
    mtc_choose_result res;
    (void)k;
    cut_tasks(tasks, n, d, X, view);
    mtc_status s = mtc_choose(lent, view, tasks, NULL, &res);
    if (s != MTC_OK)
        return s;
    for (size_t t = 0; t < tasks; t++)
        found[t] = (int)res.task[t].k;
    mtc_free(lent, &res.block);
    return MTC_OK;
}
