/* SPDX-License-Identifier: MIT
 *
 * cluster.c - methods of `cluster`: from options to calls of the library
 *
 * k-means and what is built on it, normalized cuts, SNMF, LSSMTC, MBC and
 * MTCFIR; see guard.c for auto and ensemble.c for ec.
 */
#include "../models/model.h"
#include "job.h"

#include <math.h>
#include <stdlib.h>

/* What every run of k-means has in common. */
static mtc_kmeans_options kmeans_options(const job *j, size_t t)
{
    mtc_kmeans_options opt = mtc_kmeans_defaults();
    opt.clusters = j->k[t];
    opt.restarts = j->set->restarts;
    opt.start_labels = j->start[t];
    return opt;
}

/* k-means of the rows of X, which stand for those of task t. */
static void run_kmeans_on(job *j, size_t t, const mtc_data *X)
{
    mtc_kmeans_options opt = kmeans_options(j, t);
    mtc_kmeans_result res;
    opt.iterations = j->set->iterations;
    opt.tolerance = (mtc_real)j->set->tolerance;
    check(j->a, j->ctx, mtc_kmeans(j->ctx, X, &opt, &res), j->name[t]);
    keep_result(j, t, res.labels, res.objective, res.iterations,
                res.converged, res.k_effective);
    keep_centers(j, t, X->d, res.centers);
    mtc_free(j->ctx, &res.block);
}

void run_kmeans(job *j, size_t t)
{
    run_kmeans_on(j, t, &j->data[t]);
}

/* The labels of k-means, and their loss. */
static int *kmeans_labels(const job *j, size_t t, mtc_context *ctx,
                          const mtc_kmeans_options *opt, mtc_real *loss)
{
    mtc_kmeans_result res;
    check(j->a, ctx, mtc_kmeans(ctx, &j->data[t], opt, &res), j->name[t]);
    int *labels = COPY(j->a, res.labels, j->data[t].n, int);
    *loss = res.loss;
    mtc_free(ctx, &res.block);
    return labels;
}

/* The consensus of those of --restarts runs of k-means whose loss is near the
 * lowest. */
void run_vote(job *j, size_t t)
{
    size_t runs = j->set->restarts;
    const int **labels = TAKE(j->a, runs, const int *);
    mtc_real *losses = TAKE(j->a, runs, mtc_real);
    mtc_kmeans_options one = kmeans_options(j, t);
    mtc_vote_options opt = mtc_vote_defaults();
    mtc_vote_result res;
    mtc_context ctx = *j->ctx;
    one.restarts = 1;
    one.iterations = j->set->iterations;
    one.tolerance = (mtc_real)j->set->tolerance;
    for (size_t r = 0; r < runs; r++, ctx.seed++)
        labels[r] = kmeans_labels(j, t, &ctx, &one, &losses[r]);
    opt.clusters = j->k[t];
    opt.losses = losses;
    check(j->a, j->ctx, mtc_vote(j->ctx, j->data[t].n, labels, runs, &opt,
                                 &res), j->name[t]);
    keep_result(j, t, res.labels, res.objective, res.iterations,
                res.converged, res.k_effective);
    j->out[t].own = (double)res.mean_stability;
    mtc_free(j->ctx, &res.block);
}

/* Principal components, then k-means; constant data has no component and
 * goes to k-means as it is. */
void run_pcakm(job *j, size_t t)
{
    mtc_pca_options opt = mtc_pca_defaults();
    mtc_pca_result pca;
    opt.keep = (mtc_real)j->set->keep;
    check(j->a, j->ctx, mtc_pca(j->ctx, &j->data[t], 1, &opt, &pca),
          j->name[t]);
    mtc_data scores = mtc_dense(j->data[t].n, pca.dimension, pca.scores);
    run_kmeans_on(j, t, pca.dimension > 0 ? &scores : &j->data[t]);
    keep_components(j, t, &pca);
    j->out[t].own = (double)pca.dimension;
    mtc_free(j->ctx, &pca.block);
}

/* The square root of the middle one of the squared distances between samples,
 * of which there are 1000 at most; 1 where half of them are equal. */
static double median_distance(app *a, const mtc_data *X)
{
    size_t step = (X->n + 999) / 1000, m = (X->n + step - 1) / step, count = 0;
    double *square = TAKE(a, m * (m - 1) / 2, double);
    for (size_t i = 0; i < X->n; i += step)
        for (size_t p = 0; p < i; p += step)
            square[count++] = (double)mtc_data_distance(X, p, X, i);
    qsort(square, count, sizeof *square, compare_reals);
    double middle = count == 0 ? 0 : square[count / 2];
    pool_release(square);
    return middle > 0 ? sqrt(middle) : 1;
}

/* By --similarity; else as auto sees the data: sparse ones have directions. */
static const char *similarity_of(const job *j)
{
    if (j->set->similarity != NULL)
        return j->set->similarity;
    double values = 0, positive = 0;
    for (size_t t = 0; t < j->n; t++) {
        const mtc_data *X = &j->data[t];
        for (size_t i = 0; i < X->n; i++)
            for (size_t p = row_begin(X, i); p < row_begin(X, i + 1); p++) {
                if (X->values[p] < 0)
                    return "local";
                positive += X->values[p] > 0;
            }
        values += (double)X->n * (double)X->d;
    }
    return positive > .1 * values ? "local" : "cosine";
}

void run_ncut(job *j, size_t t)
{
    const char *similarity = similarity_of(j);
    double sigma = j->set->sigma;
    mtc_ncut_options opt = mtc_ncut_defaults();
    mtc_ncut_result res;
    opt.clusters = j->k[t];
    opt.restarts = j->set->restarts;
    opt.start_labels = j->start[t];
    if (t == 0)
        put(j->a, &j->members, ",\n  \"similarity\": \"%s\"", similarity);
    if (is(similarity, "local")) {
        opt.graph.similarity = MTC_SIMILARITY_GAUSSIAN;
        opt.graph.local = 7;
        opt.graph.neighbors = 10;
        opt.graph.loops = 1;
    } else if (is(similarity, "gaussian")) {
        if (!(sigma > 0))
            sigma = median_distance(j->a, &j->data[t]);
        opt.graph.similarity = MTC_SIMILARITY_GAUSSIAN;
        opt.graph.absolute = 1;
        opt.graph.width = (mtc_real)(2 * sigma * sigma);
        put(j->a, &j->members, "%s%s%s", t == 0 ? ",\n  \"sigma\": [" : ", ",
            json_real(j->a, sigma), t + 1 == j->n ? "]" : "");
    }
    check(j->a, j->ctx, mtc_ncut(j->ctx, &j->data[t], &opt, &res),
          j->name[t]);
    keep_result(j, t, res.labels, res.objective, res.iterations,
                res.converged, res.k_effective);
    j->out[t].own = (double)res.cut;
    mtc_free(j->ctx, &res.block);
}

/* Ward's tree; the height is that of the union which the cut leaves out. */
void run_ward(job *j, size_t t)
{
    size_t n = j->data[t].n, k = j->k[t];
    int *labels = TAKE(j->a, n, int);
    mtc_ward_result tree;
    check(j->a, j->ctx, mtc_ward(j->ctx, &j->data[t], &tree),
          j->name[t]);
    check(j->a, j->ctx, mtc_ward_cut(j->ctx, &tree, k, labels), j->name[t]);
    keep_result(j, t, labels, NULL, 0, 1, k);
    j->out[t].own = k > 1 ? (double)tree.height[n - k] : 0;
    mtc_free(j->ctx, &tree.block);
}

/* Clusters cut from the spanning tree; it has no objective. */
void run_genie(job *j, size_t t)
{
    mtc_tree_options opt = mtc_tree_defaults();
    mtc_tree_result tree;
    int *labels = TAKE(j->a, j->data[t].n, int);
    opt.clusters = j->k[t];
    check(j->a, j->ctx, mtc_tree(j->ctx, &j->data[t], &tree), j->name[t]);
    check(j->a, j->ctx, mtc_tree_cut(j->ctx, &tree, &opt, labels), j->name[t]);
    keep_result(j, t, labels, NULL, 0, 1, opt.clusters);
    mtc_free(j->ctx, &tree.block);
}

/* The values of D^-1/2 W D^-1/2, D = diag(W 1), laid out as those of W. */
static mtc_real *normalized(app *a, const mtc_data *W)
{
    mtc_real *M = TAKE(a, row_begin(W, W->n), mtc_real);
    double *root = TAKE(a, W->n, double);
    for (size_t i = 0; i < W->n; i++) {
        for (size_t p = row_begin(W, i); p < row_begin(W, i + 1); p++)
            root[i] += (double)W->values[p];
        root[i] = sqrt(root[i]);
    }
    for (size_t i = 0; i < W->n; i++)
        for (size_t p = row_begin(W, i); p < row_begin(W, i + 1); p++) {
            double scale = root[i] * root[column_of(W, p)];
            M[p] = (mtc_real)(scale > 0 ? (double)W->values[p] / scale : 0);
        }
    pool_release(root);
    return M;
}

/* Nearest neighbors that a sample keeps: never more than there are. */
size_t bounded_neighbors(double wanted, size_t n)
{
    return wanted < (double)(n - 1) ? (size_t)wanted : n - 1;
}

/* --neighbors of the t-th data set: one for all, or a list. */
static double share_of(const job *j, size_t t)
{
    const reals *share = &j->set->share;
    return share->at[share->n > 1 ? t : 0];
}

/* ceil(share n / k), but for rounding: .07 of 200 / 2 are 7. */
static size_t shared_neighbors(const job *j, size_t t)
{
    size_t n = j->data[t].n;
    double x = share_of(j, t) * (double)n / (double)j->k[t];
    return bounded_neighbors(ceil(x * (1 - 1e-12)), n);
}

/* Symmetric NMF of the normalized cosine graph of nearest neighbors. */
void run_snmf(job *j, size_t t)
{
    const mtc_data *X = &j->data[t];
    mtc_graph_options graph = mtc_graph_defaults();
    mtc_kmeans_options start = kmeans_options(j, t);
    mtc_snmf_options opt = mtc_snmf_defaults();
    mtc_real loss;
    mtc_graph W;
    mtc_snmf_result res;
    graph.neighbors = shared_neighbors(j, t);
    check(j->a, j->ctx, mtc_graph_build(j->ctx, X, 1, &graph, &W),
          j->name[t]);
    mtc_data M = W.weights;
    M.values = normalized(j->a, &W.weights);
    opt.clusters = j->k[t];
    opt.iterations = j->set->iterations;
    opt.tolerance = (mtc_real)j->set->tolerance;
    opt.start_labels = j->start[t] != NULL ? j->start[t]
                       : kmeans_labels(j, t, j->ctx, &start, &loss);
    check(j->a, j->ctx, mtc_snmf(j->ctx, &M, &opt, &res), j->name[t]);
    keep_result(j, t, res.labels, res.objective, res.iterations,
                res.converged, res.k_effective);
    mtc_free(j->ctx, &res.block);
    mtc_free(j->ctx, &W.block);
}

/* The options of lssmtc, asi and lssttc, from the common ones. */
mtc_lssmtc_options shared_options(const job *j, double lambda)
{
    const settings *set = j->set;
    mtc_lssmtc_options opt = mtc_lssmtc_defaults();
    opt.clusters = j->k[0];
    opt.lambda = (mtc_real)lambda;
    opt.mode = (mtc_subspace_mode)word_place("mode", set->mode);
    opt.start = (mtc_start)word_place("start", set->start);
    opt.subspace = set->subspace;
    opt.rank = set->rank > 0 ? set->rank : opt.rank;
    opt.offset = (mtc_real)set->offset;
    opt.iterations = set->iterations;
    opt.tolerance = (mtc_real)set->tolerance;
    opt.restarts = set->restarts > 0 ? set->restarts : opt.restarts;
    return opt;
}

/* Task t of the job from task s of the result; the trace with the first. */
void keep_shared(job *j, size_t t, const mtc_lssmtc_result *res, size_t s)
{
    keep_result(j, t, res->labels[s], t == 0 ? res->objective : NULL,
                res->iterations, res->converged, res->k_effective[s]);
    keep_centers(j, t, res->d, res->means[s]);
    j->set->subspace = res->width;              /* as used */
}

void run_lssmtc(job *j, size_t t)
{
    settle_guard(j->set, 0.5, j->set->iterations);
    mtc_lssmtc_options opt = shared_options(j, j->set->lambda);
    mtc_lssmtc_result res;
    opt.start_labels = starts_of(j, t);
    if (j->set->guard) {
        mtc_guard_options guard = mtc_guard_defaults();
        guard.method = MTC_GUARD_LSSMTC;
        guard.lssmtc = &opt;
        run_guarded(j, &guard);
        return;
    }
    check_job(j, mtc_lssmtc(j->ctx, j->data, j->n, &opt, &res), "lssmtc");
    for (size_t i = 0; i < j->n; i++)
        keep_shared(j, i, &res, i);
    j->relatedness = COPY(j->a, res.relatedness, j->n * j->n, mtc_real);
    keep_numbers(j, res.matched);
    mtc_free(j->ctx, &res.block);
}

/* lssmtc on one task with only the shared term: lambda 0. */
void run_asi(job *j, size_t t)
{
    mtc_lssmtc_options opt = shared_options(j, 0);
    mtc_lssmtc_result res;
    opt.clusters = j->k[t];
    opt.start_labels = starts_of(j, t);
    check(j->a, j->ctx, mtc_lssmtc(j->ctx, &j->data[t], 1, &opt, &res),
          j->name[t]);
    keep_result(j, t, res.labels[0], res.objective, res.iterations,
                res.converged, res.k_effective[0]);
    keep_centers(j, t, res.d, res.means[0]);
    mtc_free(j->ctx, &res.block);
}

/* The matrix of --metric and its factor, which proves it definite. */
static file_metric read_metric(app *a, const char *path, size_t d)
{
    task t = read_matrix(a, path);
    if (t.n != d || t.d != d)
        fail(a, BAD_DATA, "%s: %zu x %zu numbers; the data have %zu features",
             t.file, t.n, t.d, d);
    for (size_t i = 0; i < t.n; i++)
        for (size_t c = 0; c < i; c++)
            if (t.values[i * t.d + c] != t.values[c * t.d + i])
                fail(a, BAD_DATA, "%s: not symmetric in row %zu", t.file,
                     i + 1);
    mtc_real *L = COPY(a, t.values, t.n * t.d, mtc_real);
    if (mtc_cholesky(t.d, L, t.d, NULL) != MTC_OK)
        fail(a, BAD_DATA, "%s: not positive definite", t.file);
    file_metric metric = {t.values, {t.d, L}};
    return metric;
}

/* --divergence of d features; it points to `metric`, if it has one. */
mtc_divergence divergence_of(app *a, const settings *set, size_t d,
                             file_metric *metric)
{
    if (is(set->divergence, "mahalanobis") != (set->metric != NULL))
        fail(a, BAD_USAGE, "--divergence mahalanobis and --metric FILE.csv "
             "go together");
    if (set->metric != NULL)
        *metric = read_metric(a, set->metric, d);
    return divergence_named(set->divergence, metric);
}

/* What mbc knows beyond the common: plans, and members of its own. */
static void keep_mbc(job *j, const mtc_mbc_result *res)
{
    app *a = j->a;
    size_t n = j->n;
    j->relatedness = COPY(a, res->relatedness, n * n, mtc_real);
    j->weights = TAKE(a, n * n, mtc_real *);
    for (size_t p = 0; p < n * n; p++)
        j->weights[p] = res->plans[p] == NULL ? NULL
                        : COPY(a, res->plans[p], j->k[p / n] * j->k[p % n],
                               mtc_real);
    keep_numbers(j, res->matched);
    put(a, &j->members, ",\n  \"d_M\": ");
    put_matrix(a, &j->members, n, n, res->coherence);
    put(a, &j->members, ",\n  \"within\": ");
    put_reals(a, &j->members, n, res->within);
    put(a, &j->members, ",\n  \"gap\": %s", json_real(a, (double)res->gap));
}

void run_mbc(job *j, size_t t)
{
    const settings *set = j->set;
    mtc_mbc_options opt = mtc_mbc_defaults();
    mtc_mbc_result res;
    file_metric metric;
    mtc_divergence div = divergence_of(j->a, set, j->d, &metric);
    settle_guard(j->set, set->lambda, 30);
    opt.clusters_of = j->k;
    opt.lambda = (mtc_real)set->lambda;
    opt.divergence = &div;
    opt.smooth = (mtc_real)set->smooth;
    opt.iterations = set->iterations;
    opt.tolerance = (mtc_real)set->tolerance;
    opt.restarts = set->restarts;
    opt.start_labels = starts_of(j, t);
    if (j->set->guard) {
        mtc_guard_options guard = mtc_guard_defaults();
        guard.method = MTC_GUARD_MBC;
        guard.mbc = &opt;
        if (is(set->divergence, "sqeuclidean"))
            opt.divergence = NULL;              /* alone: k-means */
        run_guarded(j, &guard);
        return;
    }
    mtc_status s = mtc_mbc(j->ctx, j->data, j->n, &opt, &res);
    if (s == MTC_DOMAIN && (is(set->divergence, "kl") ||
                            is(set->divergence, "is")))
        inform(j->a, "smooth", NULL, "--divergence %s needs values above 0; "
               "--smooth .1 adds .1 to every value", set->divergence);
    check_job(j, s, "mbc");
    for (size_t i = 0; i < j->n; i++) {
        keep_result(j, i, res.labels[i], i == 0 ? res.objective : NULL,
                    res.iterations, res.converged, res.k_effective[i]);
        keep_centers(j, i, res.d, res.centers[i]);
    }
    keep_divergence(j, &metric);
    keep_mbc(j, &res);
    mtc_free(j->ctx, &res.block);
}

static mtc_mtcfir_options fir_options(const job *j)
{
    const settings *set = j->set;
    mtc_mtcfir_options opt = mtc_mtcfir_defaults();
    size_t *listed = TAKE(j->a, j->n, size_t);
    opt.clusters_of = j->k;
    opt.layers = set->layers;
    opt.noise = (mtc_real)set->noise;
    opt.ridge = (mtc_real)set->ridge;
    opt.neighbor_share = (mtc_real)share_of(j, 0);
    opt.neighbors_of = set->share.n > 1 ? listed : NULL;
    for (size_t t = 0; t < j->n && set->share.n > 1; t++)
        listed[t] = shared_neighbors(j, t);
    opt.variant = (mtc_mtcfir_variant)word_place("variant.fir",
                                                 set->variant_fir);
    opt.iterations = set->iterations;
    opt.tolerance = (mtc_real)set->tolerance;
    opt.restarts = set->restarts;
    return opt;
}

void run_mtcfir(job *j, size_t t)
{
    mtc_mtcfir_options opt = fir_options(j);
    mtc_mtcfir_result res;
    size_t n = j->n;
    opt.start_labels = starts_of(j, t);
    if (opt.noise == 0 && opt.ridge == 0)
        fail(j->a, BAD_USAGE, "--noise 0 needs a --ridge above 0");
    check_job(j, mtc_mtcfir(j->ctx, j->data, n, &opt, &res), "mtcfir");
    for (size_t i = 0; i < n; i++)
        keep_result(j, i, res.labels[i], res.objective[i], res.iterations[i],
                    res.converged[i], res.k_effective[i]);
    j->relatedness = COPY(j->a, res.relatedness, n * n, mtc_real);
    keep_numbers(j, res.matched);
    put(j->a, &j->members, ",\n  \"alpha\": ");
    put_matrix(j->a, &j->members, n, n, res.alpha);
    put(j->a, &j->members, ",\n  \"threshold\": ");
    put_reals(j->a, &j->members, n, res.threshold);
    put(j->a, &j->members, ",\n  \"neighbors\": ");
    put_wholes(j->a, &j->members, n, res.neighbors);
    mtc_free(j->ctx, &res.block);
}
