/* SPDX-License-Identifier: MIT
 *
 * test_memory.c - what no result may depend on: memory, sizes and hostile
 * values.  One table of every public call that allocates; each test walks it
 * with data in dense and in CSR form.
 *
 *   allocation   every allocation fails in turn: told, nothing leaked, the
 *                output untouched, the next call fine
 *   arena        runs in mtc_X_memory() bytes, not in one less
 *   cancel       the progress callback stops it at every of its calls, or at
 *                some ninety of them, the first ones and then evenly
 *   values       NaN, infinity and what has no square are refused by row
 *                and column; zeros of either sign, denormal, large, constant
 *                and equal rows are served
 *   sizes        n = 0, n = 1, d = 1, k = 0, k > n, products that overflow
 */
#include "greatest.h"
#include "test_util.h"

enum { N = 30, M = 20, D = 6, K = 3 };
enum { BAD_ROW = 7, BAD_COLUMN = 2 };       /* where hostile values are put */

/* ---- input ------------------------------------------------------------- */

/* A matrix in both forms, the CSR one a copy of the dense one. */
typedef struct mem_matrix {
    size_t n, d;
    mtc_real x[N * N];
    mtc_real values[N * N];
    uint32_t column[N * N];
    size_t row[N + 1];
} mem_matrix;

/* What the calls of the table read.  The models were fitted beforehand. */
typedef struct mem_input {
    mtc_data X, Y;                          /* N x D, M x D; many zeros */
    mtc_data P;                             /* N x D, all positive */
    mtc_data S;                             /* N x N, symmetric */
    size_t k;
    int x_labels[N], y_labels[M];
    mem_matrix x, y, p, s;
    mtc_kmeans_result kmeans;
    mtc_logistic_result logistic;
    mtc_svm_result svm;
    mtc_lssmtc_result lssmtc;
    mtc_pca_result pca;
    mtc_guard_result guard;
    mtc_auto_result automatic;
    mtc_mbc_result mbc;
    mtc_msda_result msda;
    mtc_mtcfir_result mtcfir;
    mem_matrix fit[2];                      /* what the two were fitted on, */
    mtc_data fitted[2];                     /* never spoilt */
    mtc_ttl_result ttl;
    mtc_ec_result ec;
} mem_input;

static mtc_data mem_view(mem_matrix *m, int csr)
{
    if (!csr)
        return mtc_dense(m->n, m->d, m->x);
    test_sparse(m->n, m->d, m->x, m->row, m->column, m->values);
    return mtc_csr(m->n, m->d, m->row, m->column, m->values);
}

static void mem_views(mem_input *in, int csr)
{
    in->X = mem_view(&in->x, csr);
    in->Y = mem_view(&in->y, csr);
    in->P = mem_view(&in->p, csr);
    in->S = mem_view(&in->s, csr);
}

/* Three blobs: sample i belongs to i mod K, whose feature stands out. */
static void mem_blobs(mem_matrix *m, size_t n, uint64_t seed, int positive)
{
    m->n = n;
    m->d = D;
    test_fill(m->x, n * D, seed, 0, 1);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < D; j++) {
            mtc_real *x = &m->x[i * D + j];
            if (*x < (mtc_real)0.4 && !positive)
                *x = 0;
            if (j == i % K)
                *x += 2;
        }
    m->x[BAD_ROW * D + BAD_COLUMN] += (mtc_real)0.5;    /* stored in CSR */
}

static void mem_similarity(mem_matrix *s, const mem_matrix *x)
{
    s->n = s->d = x->n;
    for (size_t i = 0; i < x->n; i++)
        for (size_t j = 0; j < x->n; j++)
            s->x[i * x->n + j] = mtc_dot(D, x->x + i * D, x->x + j * D);
}

static void mem_fill(mem_input *in, int csr)
{
    in->k = K;
    for (size_t i = 0; i < N; i++)
        in->x_labels[i] = (int)(i % K);
    for (size_t i = 0; i < M; i++)
        in->y_labels[i] = (int)(i % K);
    mem_blobs(&in->x, N, 1, 0);
    mem_blobs(&in->y, M, 2, 0);
    mem_blobs(&in->p, N, 3, 1);
    mem_similarity(&in->s, &in->x);
    mem_views(in, csr);
}

/* ---- the calls: for each run, see and memory --------------------------- */

#define RUN_OF(NAME)                                                      \
    static mtc_status NAME##_run(mtc_context *ctx, const void *input,     \
                                 void *out)
#define SEE_OF(NAME)                                                      \
    static void NAME##_see(const void *input, const void *out,            \
                           test_probe *p)
#define MEMORY_OF(NAME) static size_t NAME##_memory(const void *input)
#define IN const mem_input *in = (const mem_input *)input
#define RELEASE_OF(NAME, FREE, TYPE)                                      \
    static void NAME##_release(mtc_context *ctx, void *out)               \
    {                                                                     \
        FREE(ctx, (TYPE *)out);                                           \
    }

/* Outputs of the calls that write to the caller's arrays. */
typedef struct mem_arrays {
    int labels[N];
    size_t index[N * K];
    mtc_real reals[N * D];
    mtc_real more[2];
} mem_arrays;

/* k-means, from seeds, from labels, and with another divergence. */

static mtc_kmeans_options kmeans_options(const mem_input *in)
{
    mtc_kmeans_options o = mtc_kmeans_defaults();
    o.clusters = in->k;
    o.restarts = 2;
    o.iterations = 20;
    return o;
}

RUN_OF(kmeans)
{
    IN;
    mtc_kmeans_options o = kmeans_options(in);
    return mtc_kmeans(ctx, &in->X, &o, (mtc_kmeans_result *)out);
}

SEE_OF(kmeans)
{
    IN;
    const mtc_kmeans_result *r = (const mtc_kmeans_result *)out;
    test_see_labels(p, r->labels, in->X.n, r->k);
    test_see_reals(p, r->centers, r->k * r->d);
    test_see_reals(p, r->mass, r->k);
    test_see_reals(p, r->objective, r->iterations + 1);
    test_see_size(p, r->k_effective);
}

MEMORY_OF(kmeans)
{
    IN;
    mtc_kmeans_options o = kmeans_options(in);
    return mtc_kmeans_memory(&in->X, &o);
}

RELEASE_OF(kmeans, mtc_kmeans_free, mtc_kmeans_result)

RUN_OF(kmeans_vote)
{
    IN;
    mtc_kmeans_options o = kmeans_options(in);
    o.restarts = 5;
    return mtc_kmeans(ctx, &in->X, &o, (mtc_kmeans_result *)out);
}

MEMORY_OF(kmeans_vote)
{
    IN;
    mtc_kmeans_options o = kmeans_options(in);
    o.restarts = 5;
    return mtc_kmeans_memory(&in->X, &o);
}

RUN_OF(kmeans_from_labels)
{
    IN;
    mtc_kmeans_options o = kmeans_options(in);
    o.start_labels = in->x_labels;
    return mtc_kmeans(ctx, &in->X, &o, (mtc_kmeans_result *)out);
}

RUN_OF(kmeans_kl)
{
    IN;
    mtc_divergence kl = mtc_kl();
    mtc_kmeans_options o = kmeans_options(in);
    o.divergence = &kl;
    return mtc_kmeans(ctx, &in->P, &o, (mtc_kmeans_result *)out);
}

MEMORY_OF(kmeans_kl)
{
    IN;
    mtc_divergence kl = mtc_kl();
    mtc_kmeans_options o = kmeans_options(in);
    o.divergence = &kl;
    return mtc_kmeans_memory(&in->P, &o);
}

RUN_OF(kmeans_assign)
{
    IN;
    mtc_kmeans_options o = kmeans_options(in);
    return mtc_kmeans_assign(ctx, &in->Y, &o, &in->kmeans,
                             ((mem_arrays *)out)->labels);
}

SEE_OF(labels)
{
    IN;
    test_see_labels(p, ((const mem_arrays *)out)->labels, in->Y.n, K);
}

/* Neighbours: of one set among itself, and of Y in X by cosine. */

RUN_OF(neighbors)
{
    IN;
    mem_arrays *a = (mem_arrays *)out;
    return mtc_neighbors(ctx, &in->X, &in->X, in->k, 1, 0, a->index,
                         a->reals);
}

SEE_OF(neighbors)
{
    IN;
    const mem_arrays *a = (const mem_arrays *)out;
    test_see_bytes(p, a->index, in->X.n * in->k * sizeof *a->index);
    test_see_reals(p, a->reals, in->X.n * in->k);
    for (size_t i = 0; i < in->X.n * in->k; i++)
        if (a->index[i] >= in->X.n)
            p->sane = 0;
}

MEMORY_OF(neighbors)
{
    IN;
    return mtc_neighbors_memory(&in->X, &in->X, in->k);
}

RUN_OF(neighbors_cosine)
{
    IN;
    mem_arrays *a = (mem_arrays *)out;
    return mtc_neighbors(ctx, &in->X, &in->Y, in->k, 0, 1, a->index,
                         a->reals);
}

SEE_OF(neighbors_cosine)
{
    IN;
    const mem_arrays *a = (const mem_arrays *)out;
    test_see_bytes(p, a->index, in->Y.n * in->k * sizeof *a->index);
    test_see_reals(p, a->reals, in->Y.n * in->k);
}

MEMORY_OF(neighbors_cosine)
{
    IN;
    return mtc_neighbors_memory(&in->X, &in->Y, in->k);
}

/* Graphs: complete by cosine, nearest by Gauss. */

RUN_OF(graph)
{
    IN;
    mtc_data sets[2] = {in->X, in->Y};
    mtc_graph_options o = mtc_graph_defaults();
    return mtc_graph_build(ctx, sets, 2, &o, (mtc_graph *)out);
}

SEE_OF(graph)
{
    (void)input;
    const mtc_graph *g = (const mtc_graph *)out;
    size_t n = g->weights.n, entries = n * n;
    if (g->weights.row != NULL) {
        entries = g->weights.row[n];
        test_see_bytes(p, g->weights.row, (n + 1) * sizeof(size_t));
        test_see_bytes(p, g->weights.column, entries * sizeof(uint32_t));
    }
    test_see_reals(p, g->weights.values, entries);
    test_see_reals(p, &g->width, 1);
    test_see_size(p, g->components);
}

MEMORY_OF(graph)
{
    IN;
    mtc_data sets[2] = {in->X, in->Y};
    mtc_graph_options o = mtc_graph_defaults();
    return mtc_graph_memory(sets, 2, &o);
}

RELEASE_OF(graph, mtc_graph_free, mtc_graph)

static mtc_graph_options gauss_options(void)
{
    mtc_graph_options o = mtc_graph_defaults();
    o.similarity = MTC_GAUSSIAN;
    o.neighbors = 4;
    return o;
}

RUN_OF(graph_gauss)
{
    IN;
    mtc_graph_options o = gauss_options();
    return mtc_graph_build(ctx, &in->X, 1, &o, (mtc_graph *)out);
}

MEMORY_OF(graph_gauss)
{
    IN;
    mtc_graph_options o = gauss_options();
    return mtc_graph_memory(&in->X, 1, &o);
}

/* Label propagation, both kinds. */

static mtc_propagate_options propagate_options(const mem_input *in,
                                               int consistency)
{
    mtc_propagate_options o = mtc_propagate_defaults();
    o.classes = in->k;
    o.consistency = consistency;
    o.graph.neighbors = 5;
    return o;
}

static mtc_status propagate_any(mtc_context *ctx, const mem_input *in,
                                int consistency, void *out)
{
    mtc_propagate_options o = propagate_options(in, consistency);
    const int *labels[1] = {in->x_labels};
    return mtc_propagate(ctx, &in->X, labels, 1, &in->Y, &o,
                         (mtc_propagate_result *)out);
}

RUN_OF(harmonic)
{
    return propagate_any(ctx, (const mem_input *)input, 0, out);
}

RUN_OF(consistency)
{
    return propagate_any(ctx, (const mem_input *)input, 1, out);
}

SEE_OF(propagate)
{
    IN;
    const mtc_propagate_result *r = (const mtc_propagate_result *)out;
    test_see_labels(p, r->labels, in->Y.n, in->k);
    test_see_reals(p, r->scores, in->Y.n * in->k);
    test_see_reals(p, &r->residual, 1);
    test_see_size(p, r->components);
}

MEMORY_OF(harmonic)
{
    IN;
    mtc_propagate_options o = propagate_options(in, 0);
    return mtc_propagate_memory(&in->X, 1, &in->Y, &o);
}

MEMORY_OF(consistency)
{
    IN;
    mtc_propagate_options o = propagate_options(in, 1);
    return mtc_propagate_memory(&in->X, 1, &in->Y, &o);
}

RELEASE_OF(propagate, mtc_propagate_free, mtc_propagate_result)

/* LSSMTC in its modes and starts, LSSTTC, transductive SVM: X and Y are the
 * tasks, or source and target. */

static mtc_lssmtc_options lssmtc_options(const mem_input *in,
                                         mtc_subspace_mode mode)
{
    mtc_lssmtc_options o = mtc_lssmtc_defaults();
    o.clusters = in->k;
    o.mode = mode;
    o.rank = 4;
    o.subspace = 2;
    o.iterations = 3;
    o.restarts = 2;
    o.start = mode == MTC_PCA ? MTC_START_POOLED : MTC_START_ALIGNED;
    return o;
}

static mtc_status lssmtc_any(mtc_context *ctx, const mem_input *in,
                             mtc_subspace_mode mode, void *out)
{
    mtc_lssmtc_options o = lssmtc_options(in, mode);
    mtc_data tasks[2] = {in->X, in->Y};
    return mtc_lssmtc(ctx, tasks, 2, &o, (mtc_lssmtc_result *)out);
}

static size_t lssmtc_any_memory(const mem_input *in, mtc_subspace_mode mode)
{
    mtc_lssmtc_options o = lssmtc_options(in, mode);
    mtc_data tasks[2] = {in->X, in->Y};
    return mtc_lssmtc_memory(tasks, 2, &o);
}

RUN_OF(lssmtc)
{
    return lssmtc_any(ctx, (const mem_input *)input, MTC_RECON, out);
}

RUN_OF(lssmtc_pca)
{
    return lssmtc_any(ctx, (const mem_input *)input, MTC_PCA, out);
}

RUN_OF(lssmtc_literal)
{
    return lssmtc_any(ctx, (const mem_input *)input, MTC_LITERAL, out);
}

RUN_OF(lssttc)
{
    IN;
    mtc_lssmtc_options o = lssmtc_options(in, MTC_PCA);
    const int *labels[1] = {in->x_labels};
    return mtc_lssttc(ctx, &in->X, labels, 1, &in->Y, &o,
                      (mtc_lssmtc_result *)out);
}

SEE_OF(lssmtc)
{
    IN;
    const mtc_lssmtc_result *r = (const mtc_lssmtc_result *)out;
    const mtc_data *X[2] = {&in->X, &in->Y};
    for (size_t t = 0; t < 2; t++) {
        test_see_labels(p, r->labels[t], X[t]->n, in->k);
        test_see_reals(p, r->P[t], X[t]->n * in->k);
        test_see_reals(p, r->own[t], in->k * r->d);
    }
    test_see_reals(p, r->W, r->d * r->width);
    test_see_reals(p, r->M, in->k * r->width);
    test_see_reals(p, r->objective, r->iterations + 1);
    test_see_reals(p, r->relatedness, 4);
    for (size_t e = 0; e < 4 * in->k; e++)
        test_see_size(p, r->match[e]);
}

MEMORY_OF(lssmtc)
{
    return lssmtc_any_memory((const mem_input *)input, MTC_RECON);
}

MEMORY_OF(lssmtc_pca)
{
    return lssmtc_any_memory((const mem_input *)input, MTC_PCA);
}

MEMORY_OF(lssmtc_literal)
{
    return lssmtc_any_memory((const mem_input *)input, MTC_LITERAL);
}

MEMORY_OF(lssttc)
{
    IN;
    mtc_lssmtc_options o = lssmtc_options(in, MTC_PCA);
    return mtc_lssttc_memory(&in->X, 1, &in->Y, &o);
}

RELEASE_OF(lssmtc, mtc_lssmtc_free, mtc_lssmtc_result)

RUN_OF(lssmtc_assign)
{
    IN;
    mtc_lssmtc_options o = lssmtc_options(in, MTC_RECON);
    return mtc_lssmtc_assign(ctx, &in->X, 0, &o, &in->lssmtc,
                             ((mem_arrays *)out)->labels);
}

static mtc_tsvm_options tsvm_options(const mem_input *in)
{
    mtc_tsvm_options o = mtc_tsvm_defaults();
    o.classes = in->k;
    o.iterations = 1000;                /* hostile numbers would use it up */
    return o;
}

RUN_OF(tsvm)
{
    IN;
    mtc_tsvm_options o = tsvm_options(in);
    const int *labels[1] = {in->x_labels};
    return mtc_tsvm(ctx, &in->X, labels, 1, &in->Y, &o,
                    (mtc_tsvm_result *)out);
}

SEE_OF(tsvm)
{
    IN;
    const mtc_tsvm_result *r = (const mtc_tsvm_result *)out;
    test_see_labels(p, r->labels, in->Y.n, in->k);
    test_see_reals(p, r->decisions, in->Y.n * r->problems);
    test_see_size(p, r->exchanged);
}

MEMORY_OF(tsvm)
{
    IN;
    mtc_tsvm_options o = tsvm_options(in);
    return mtc_tsvm_memory(&in->X, 1, &in->Y, &o);
}

RELEASE_OF(tsvm, mtc_tsvm_free, mtc_tsvm_result)

/* Logistic regression. */

static mtc_logistic_options logistic_options(const mem_input *in)
{
    mtc_logistic_options o = mtc_logistic_defaults();
    o.classes = in->k;
    o.iterations = 20;
    return o;
}

RUN_OF(logistic)
{
    IN;
    mtc_logistic_options o = logistic_options(in);
    return mtc_logistic(ctx, &in->X, in->x_labels, &o,
                        (mtc_logistic_result *)out);
}

SEE_OF(logistic)
{
    (void)input;
    const mtc_logistic_result *r = (const mtc_logistic_result *)out;
    test_see_reals(p, r->W, r->classes * r->d);
    test_see_reals(p, r->bias, r->classes);
    test_see_reals(p, r->objective, r->iterations + 1);
    test_see_reals(p, &r->gradient, 1);
}

MEMORY_OF(logistic)
{
    IN;
    mtc_logistic_options o = logistic_options(in);
    return mtc_logistic_memory(&in->X, &o);
}

RELEASE_OF(logistic, mtc_logistic_free, mtc_logistic_result)

RUN_OF(logistic_assign)
{
    IN;
    mem_arrays *a = (mem_arrays *)out;
    return mtc_logistic_assign(ctx, &in->Y, &in->logistic, a->labels,
                               a->reals);
}

SEE_OF(scored_labels)
{
    IN;
    const mem_arrays *a = (const mem_arrays *)out;
    test_see_labels(p, a->labels, in->Y.n, K);
    test_see_reals(p, a->reals, in->Y.n * K);
}

/* Support vector machines: one against the rest, and a cache too small. */

static mtc_svm_options svm_options(const mem_input *in, mtc_kernel kernel)
{
    mtc_svm_options o = mtc_svm_defaults();
    o.classes = in->k;
    o.kernel = kernel;
    o.iterations = 10000;
    if (kernel == MTC_RBF)
        o.cache = 5 * N * sizeof(mtc_real);
    return o;
}

RUN_OF(svm_linear)
{
    IN;
    mtc_svm_options o = svm_options(in, MTC_LINEAR);
    return mtc_svm(ctx, &in->X, in->x_labels, &o, (mtc_svm_result *)out);
}

RUN_OF(svm_rbf)
{
    IN;
    mtc_svm_options o = svm_options(in, MTC_RBF);
    return mtc_svm(ctx, &in->X, in->x_labels, &o, (mtc_svm_result *)out);
}

SEE_OF(svm)
{
    (void)input;
    const mtc_svm_result *r = (const mtc_svm_result *)out;
    test_see_reals(p, r->coefficients, r->problems * r->n);
    test_see_reals(p, r->bias, r->problems);
    test_see_reals(p, r->objective, r->problems);
    test_see_reals(p, r->gap, r->problems);
    test_see_bytes(p, r->support, r->problems * sizeof *r->support);
}

MEMORY_OF(svm_linear)
{
    IN;
    mtc_svm_options o = svm_options(in, MTC_LINEAR);
    return mtc_svm_memory(&in->X, &o);
}

MEMORY_OF(svm_rbf)
{
    IN;
    mtc_svm_options o = svm_options(in, MTC_RBF);
    return mtc_svm_memory(&in->X, &o);
}

RELEASE_OF(svm, mtc_svm_free, mtc_svm_result)

RUN_OF(svm_assign)
{
    IN;
    mem_arrays *a = (mem_arrays *)out;
    return mtc_svm_assign(ctx, &in->Y, &in->X, &in->svm, a->labels, a->reals);
}

/* Normalised cut. */

static mtc_ncut_options ncut_options(const mem_input *in)
{
    mtc_ncut_options o = mtc_ncut_defaults();
    o.clusters = in->k;
    o.restarts = 2;
    return o;
}

RUN_OF(ncut)
{
    IN;
    mtc_ncut_options o = ncut_options(in);
    return mtc_ncut(ctx, &in->X, &o, (mtc_ncut_result *)out);
}

SEE_OF(ncut)
{
    IN;
    const mtc_ncut_result *r = (const mtc_ncut_result *)out;
    test_see_labels(p, r->labels, in->X.n, in->k);
    test_see_reals(p, r->embedding, in->X.n * in->k);
    test_see_reals(p, r->eigenvalues, in->k);
    test_see_reals(p, &r->cut, 1);
    test_see_reals(p, r->objective, r->iterations + 1);
    test_see_size(p, r->components);
}

MEMORY_OF(ncut)
{
    IN;
    mtc_ncut_options o = ncut_options(in);
    return mtc_ncut_memory(&in->X, &o);
}

RELEASE_OF(ncut, mtc_ncut_free, mtc_ncut_result)

RUN_OF(ncut_given)
{
    IN;
    mtc_ncut_options o = ncut_options(in);
    o.given = 1;
    return mtc_ncut(ctx, &in->S, &o, (mtc_ncut_result *)out);
}

MEMORY_OF(ncut_given)
{
    IN;
    mtc_ncut_options o = ncut_options(in);
    o.given = 1;
    return mtc_ncut_memory(&in->S, &o);
}

/* Symmetric NMF. */

static mtc_snmf_options snmf_options(const mem_input *in)
{
    mtc_snmf_options o = mtc_snmf_defaults();
    o.clusters = in->k;
    o.iterations = 30;
    return o;
}

RUN_OF(snmf)
{
    IN;
    mtc_snmf_options o = snmf_options(in);
    return mtc_snmf(ctx, &in->S, &o, (mtc_snmf_result *)out);
}

SEE_OF(snmf)
{
    IN;
    const mtc_snmf_result *r = (const mtc_snmf_result *)out;
    test_see_labels(p, r->labels, in->S.n, in->k);
    test_see_reals(p, r->Y, in->S.n * in->k);
    test_see_reals(p, r->objective, r->iterations + 1);
    test_see_size(p, r->k_effective);
}

MEMORY_OF(snmf)
{
    IN;
    mtc_snmf_options o = snmf_options(in);
    return mtc_snmf_memory(&in->S, &o);
}

RELEASE_OF(snmf, mtc_snmf_free, mtc_snmf_result)

/* Principal components: by the covariance, and by the Gram matrix (S has as
 * many columns as rows; four rows of it have more). */

RUN_OF(pca)
{
    IN;
    mtc_pca_options o = mtc_pca_defaults();
    return mtc_pca(ctx, &in->X, &o, (mtc_pca_result *)out);
}

static void pca_see_rows(const mtc_pca_result *r, size_t n, test_probe *p)
{
    test_see_size(p, r->dimension);
    test_see_reals(p, r->mean, r->d);
    test_see_reals(p, r->components, r->dimension * r->d);
    test_see_reals(p, r->variance, r->dimension);
    test_see_reals(p, &r->total, 1);
    test_see_reals(p, r->scores, n * r->dimension);
}

SEE_OF(pca)
{
    IN;
    pca_see_rows((const mtc_pca_result *)out, in->X.n, p);
}

MEMORY_OF(pca)
{
    IN;
    mtc_pca_options o = mtc_pca_defaults();
    return mtc_pca_memory(&in->X, &o);
}

static mtc_data few_rows(const mem_input *in)
{
    mtc_data few = in->S;
    if (few.n == N)
        few.n = 4;
    return few;
}

static mtc_pca_options pca_wide_options(void)
{
    mtc_pca_options o = mtc_pca_defaults();
    o.dimension = 3;
    return o;
}

RUN_OF(pca_wide)
{
    mtc_data few = few_rows((const mem_input *)input);
    mtc_pca_options o = pca_wide_options();
    return mtc_pca(ctx, &few, &o, (mtc_pca_result *)out);
}

SEE_OF(pca_wide)
{
    mtc_data few = few_rows((const mem_input *)input);
    pca_see_rows((const mtc_pca_result *)out, few.n, p);
}

MEMORY_OF(pca_wide)
{
    mtc_data few = few_rows((const mem_input *)input);
    mtc_pca_options o = pca_wide_options();
    return mtc_pca_memory(&few, &o);
}

RELEASE_OF(pca, mtc_pca_free, mtc_pca_result)

RUN_OF(pca_assign)
{
    IN;
    return mtc_pca_assign(ctx, &in->Y, &in->pca, ((mem_arrays *)out)->reals);
}

SEE_OF(pca_assign)
{
    IN;
    test_see_reals(p, ((const mem_arrays *)out)->reals,
                   in->Y.n * in->pca.dimension);
}

/* Measures. */

RUN_OF(contingency)
{
    IN;
    return mtc_contingency(ctx, N, in->x_labels, in->x_labels + 0,
                           (mtc_contingency_result *)out);
}

SEE_OF(contingency)
{
    (void)input;
    const mtc_contingency_result *r = (const mtc_contingency_result *)out;
    test_see_bytes(p, r->row_label, r->rows * sizeof *r->row_label);
    test_see_bytes(p, r->column_label, r->columns * sizeof *r->column_label);
    test_see_bytes(p, r->count, r->rows * r->columns * sizeof *r->count);
    test_see_bytes(p, r->match, r->rows * sizeof *r->match);
}

MEMORY_OF(contingency)
{
    (void)input;
    return mtc_contingency_memory(N, K, K);
}

RELEASE_OF(contingency, mtc_contingency_free, mtc_contingency_result)

RUN_OF(score)
{
    IN;
    return mtc_score(ctx, M, in->x_labels, in->y_labels, (mtc_scores *)out);
}

SEE_OF(score)
{
    (void)input;
    const mtc_scores *s = (const mtc_scores *)out;
    const mtc_real all[8] = {s->accuracy, s->nmi, s->nmi_arithmetic,
                             s->nmi_min, s->nmi_max, s->ari, s->purity,
                             s->direct};
    test_see_reals(p, all, 8);
}

RUN_OF(silhouette)
{
    IN;
    mem_arrays *a = (mem_arrays *)out;
    return mtc_silhouette(ctx, &in->X, in->x_labels, in->k, a->reals,
                          a->more);
}

SEE_OF(silhouette)
{
    IN;
    const mem_arrays *a = (const mem_arrays *)out;
    test_see_reals(p, a->reals, in->X.n);
    test_see_reals(p, a->more, 1);
}

MEMORY_OF(silhouette)
{
    IN;
    return mtc_silhouette_memory(&in->X, in->k);
}

RUN_OF(mmd)
{
    IN;
    return mtc_mmd(ctx, &in->X, &in->Y, 0, ((mem_arrays *)out)->more);
}

SEE_OF(real)
{
    (void)input;
    test_see_reals(p, ((const mem_arrays *)out)->more, 1);
}

RUN_OF(a_distance)
{
    IN;
    return mtc_a_distance(ctx, &in->X, &in->Y, ((mem_arrays *)out)->more);
}

RUN_OF(complexity)
{
    IN;
    return mtc_complexity(ctx, &in->X, (mtc_real)0.5,
                          ((mem_arrays *)out)->more);
}

RUN_OF(partition_emd)
{
    IN;
    return mtc_partition_emd(ctx, &in->X, in->x_labels, in->k, &in->Y,
                             in->y_labels, in->k, NULL,
                             ((mem_arrays *)out)->more);
}

/* ---- the table --------------------------------------------------------- */

enum {
    NO_DATA = 1,                    /* reads labels only */
    NEEDS_K = 2,                    /* k = 0 is INVALID */
    K_UP_TO_N = 4,                  /* and so is k > n */
    POSITIVE = 8,                   /* refuses zeros as well */
    TAKES_D = 16,                   /* memory grows with d */
    TICKS = 32,                     /* iterates: reports progress */
    ANY_N = 64                      /* memory does not grow with n */
};

/* Queries of the calls that write to arrays. */

MEMORY_OF(kmeans_assign)
{
    IN;
    return mtc_kmeans_assign_memory(&in->Y, &in->kmeans);
}

MEMORY_OF(svm_assign)
{
    IN;
    return mtc_svm_assign_memory(&in->Y, &in->X, &in->svm);
}

MEMORY_OF(lssmtc_assign)
{
    IN;
    return mtc_lssmtc_assign_memory(&in->lssmtc);
}

MEMORY_OF(pca_assign)
{
    IN;
    return mtc_pca_assign_memory(&in->Y, &in->pca);
}

MEMORY_OF(score)
{
    (void)input;
    return mtc_contingency_memory(M, K, K);
}

MEMORY_OF(mmd)
{
    IN;
    return mtc_mmd_memory(&in->X, &in->Y);
}

MEMORY_OF(a_distance)
{
    IN;
    return mtc_a_distance_memory(&in->X, &in->Y);
}

MEMORY_OF(complexity)
{
    IN;
    return mtc_complexity_memory(&in->X);
}

MEMORY_OF(partition_emd)
{
    IN;
    return mtc_partition_emd_memory(&in->X, in->k, &in->Y, in->k);
}

/* MBC: seeds and restarts on X and Y; kl, smoothed, walking, on P twice. */

static mtc_mbc_options mbc_options(const mem_input *in)
{
    mtc_mbc_options o = mtc_mbc_defaults();
    o.clusters = in->k;
    o.restarts = 3;
    o.spread = 1;
    o.iterations = 10;
    return o;
}

RUN_OF(mbc)
{
    IN;
    mtc_mbc_options o = mbc_options(in);
    mtc_data tasks[2] = {in->X, in->Y};
    return mtc_mbc(ctx, tasks, 2, &o, (mtc_mbc_result *)out);
}

MEMORY_OF(mbc)
{
    IN;
    mtc_mbc_options o = mbc_options(in);
    mtc_data tasks[2] = {in->X, in->Y};
    return mtc_mbc_memory(tasks, 2, &o);
}

static void mbc_look(const mtc_data *X, const mtc_mbc_result *r,
                     test_probe *p)
{
    for (size_t t = 0; t < 2; t++) {
        size_t k = r->clusters[t], other = r->clusters[1 - t];
        test_see_labels(p, r->labels[t], X[t].n, k);
        test_see_reals(p, r->centers[t], k * r->d);
        test_see_reals(p, r->plans[2 * t + 1 - t], k * other);
        test_see_reals(p, r->duals[2 * t + 1 - t], k + other);
        test_see_size(p, r->k_effective[t]);
    }
    test_see_reals(p, r->objective, r->iterations + 1);
    test_see_reals(p, r->within, 2);
    test_see_reals(p, r->coherence, 4);
    test_see_reals(p, r->relatedness, 4);
    test_see_reals(p, r->nmi, 4);
    test_see_reals(p, &r->gap, 1);
}

SEE_OF(mbc)
{
    IN;
    mtc_data tasks[2] = {in->X, in->Y};
    mbc_look(tasks, (const mtc_mbc_result *)out, p);
}

SEE_OF(mbc_kl)
{
    IN;
    mtc_data tasks[2] = {in->P, in->P};
    mbc_look(tasks, (const mtc_mbc_result *)out, p);
}

RUN_OF(mbc_kl)
{
    IN;
    mtc_mbc_options o = mbc_options(in);
    mtc_divergence kl = mtc_kl();
    mtc_data tasks[2] = {in->P, in->P};
    size_t k[2] = {in->k, 1};
    o.divergence = &kl;
    o.clusters_of = k;
    o.centroid = MTC_GEODESIC;
    return mtc_mbc(ctx, tasks, 2, &o, (mtc_mbc_result *)out);
}

MEMORY_OF(mbc_kl)
{
    IN;
    mtc_mbc_options o = mbc_options(in);
    mtc_divergence kl = mtc_kl();
    mtc_data tasks[2] = {in->P, in->P};
    size_t k[2] = {in->k, 1};
    o.divergence = &kl;
    o.clusters_of = k;
    return mtc_mbc_memory(tasks, 2, &o);
}

RELEASE_OF(mbc, mtc_mbc_free, mtc_mbc_result)

RUN_OF(mbc_assign)
{
    IN;
    mtc_mbc_options o = mbc_options(in);
    return mtc_mbc_assign(ctx, &in->X, 1, &o, &in->mbc,
                          ((mem_arrays *)out)->labels);
}

MEMORY_OF(mbc_assign)
{
    IN;
    mtc_mbc_options o = mbc_options(in);
    return mtc_mbc_assign_memory(&in->X, 1, &o, &in->mbc);
}

/* MTCFIR and its learners.  X and Y are the tasks; six features make the
 * similarities go by features unless kept, three layers by cosines. */

static mtc_status msda_any(mtc_context *ctx, const mem_input *in,
                           mtc_msda_form form, void *out)
{
    mtc_msda_options o = mtc_msda_defaults();
    mtc_data tasks[2] = {in->X, in->Y};
    o.layers = 1;
    o.form = form;
    return mtc_msda(ctx, tasks, 2, &o, (mtc_msda_result *)out);
}

static size_t msda_any_memory(const mem_input *in, mtc_msda_form form)
{
    mtc_msda_options o = mtc_msda_defaults();
    mtc_data tasks[2] = {in->X, in->Y};
    o.layers = 1;
    o.form = form;
    return mtc_msda_memory(tasks, 2, &o);
}

RUN_OF(msda)
{
    return msda_any(ctx, (const mem_input *)input, MTC_MSDA_PRIMAL, out);
}

RUN_OF(msda_dual)
{
    return msda_any(ctx, (const mem_input *)input, MTC_MSDA_DUAL, out);
}

SEE_OF(msda)
{
    const mtc_msda_result *r = (const mtc_msda_result *)out;
    size_t map = r->dual ? r->n * r->n : (r->d + 1) * r->d;
    (void)input;
    test_see_reals(p, r->h, r->layers * r->n * r->d);
    test_see_reals(p, r->map, r->layers * map);
}

MEMORY_OF(msda)
{
    return msda_any_memory((const mem_input *)input, MTC_MSDA_PRIMAL);
}

MEMORY_OF(msda_dual)
{
    return msda_any_memory((const mem_input *)input, MTC_MSDA_DUAL);
}

RELEASE_OF(msda, mtc_msda_free, mtc_msda_result)

RUN_OF(msda_assign)
{
    IN;
    return mtc_msda_assign(ctx, &in->X, in->fitted, 2, &in->msda,
                           ((mem_arrays *)out)->reals);
}

SEE_OF(msda_assign)
{
    IN;
    test_see_reals(p, ((const mem_arrays *)out)->reals, in->X.n * in->X.d);
}

MEMORY_OF(msda_assign)
{
    IN;
    return mtc_msda_assign_memory(&in->X, in->fitted, 2, &in->msda);
}

static mtc_consistent_options similar_options(const mem_input *in, int keep)
{
    mtc_consistent_options o = mtc_consistent_defaults();
    o.clusters = in->k;
    o.keep = keep;
    return o;
}

RUN_OF(similar)
{
    IN;
    mtc_consistent_options o = similar_options(in, 0);
    mtc_data tasks[2] = {in->X, in->Y};
    return mtc_consistent(ctx, tasks, 2, &o, (mtc_consistent_result *)out);
}

RUN_OF(similar_kept)
{
    IN;
    mtc_consistent_options o = similar_options(in, 1);
    mtc_data tasks[2] = {in->X, in->Y};
    return mtc_consistent(ctx, tasks, 2, &o, (mtc_consistent_result *)out);
}

SEE_OF(similar)
{
    const mtc_consistent_result *r = (const mtc_consistent_result *)out;
    (void)input;
    test_see_reals(p, r->alpha, 4);
    test_see_reals(p, r->relatedness, 4);
    test_see_reals(p, r->threshold, 2);
    for (size_t t = 0; t < 2; t++) {
        test_see_size(p, r->neighbors[t]);
        test_see_reals(p, r->M[t].values, r->M[t].row[r->M[t].n]);
        for (size_t e = 0; r->raw != NULL && e < r->M[t].n; e++)
            test_see_reals(p, r->raw[t] + e * r->M[t].n, r->M[t].n);
    }
}

MEMORY_OF(similar)
{
    IN;
    mtc_consistent_options o = similar_options(in, 0);
    mtc_data tasks[2] = {in->X, in->Y};
    return mtc_consistent_memory(tasks, 2, &o);
}

MEMORY_OF(similar_kept)
{
    IN;
    mtc_consistent_options o = similar_options(in, 1);
    mtc_data tasks[2] = {in->X, in->Y};
    return mtc_consistent_memory(tasks, 2, &o);
}

RELEASE_OF(similar, mtc_consistent_free, mtc_consistent_result)

static mtc_mtcfir_options mtcfir_options(const mem_input *in,
                                         mtc_mtcfir_variant variant)
{
    mtc_mtcfir_options o = mtc_mtcfir_defaults();
    o.clusters = in->k;
    o.variant = variant;
    o.iterations = 4;
    o.restarts = 2;
    o.normalize = variant == MTC_FIR_NI;
    return o;
}

static mtc_status mtcfir_any(mtc_context *ctx, const mem_input *in,
                             mtc_mtcfir_variant variant, void *out)
{
    mtc_mtcfir_options o = mtcfir_options(in, variant);
    mtc_data tasks[2] = {in->X, in->Y};
    return mtc_mtcfir(ctx, tasks, 2, &o, (mtc_mtcfir_result *)out);
}

static size_t mtcfir_any_memory(const mem_input *in,
                                mtc_mtcfir_variant variant)
{
    mtc_mtcfir_options o = mtcfir_options(in, variant);
    mtc_data tasks[2] = {in->X, in->Y};
    return mtc_mtcfir_memory(tasks, 2, &o);
}

RUN_OF(mtcfir)
{
    return mtcfir_any(ctx, (const mem_input *)input, MTC_FIR_FULL, out);
}

RUN_OF(mtcfir_nF)
{
    return mtcfir_any(ctx, (const mem_input *)input, MTC_FIR_NF, out);
}

RUN_OF(mtcfir_nI)
{
    return mtcfir_any(ctx, (const mem_input *)input, MTC_FIR_NI, out);
}

SEE_OF(mtcfir)
{
    IN;
    const mtc_mtcfir_result *r = (const mtc_mtcfir_result *)out;
    const mtc_data *X[2] = {&in->X, &in->Y};
    for (size_t t = 0; t < 2; t++) {
        test_see_labels(p, r->labels[t], X[t]->n, in->k);
        test_see_reals(p, r->Y[t], X[t]->n * in->k);
        test_see_reals(p, r->objective[t], r->iterations[t] + 1);
        test_see_size(p, r->k_effective[t]);
        for (size_t s = 0; s < 2; s++) {
            test_see_reals(p, r->plan[2 * t + s], in->k * in->k);
            test_see_reals(p, r->cosine[2 * t + s], in->k * in->k);
        }
    }
    test_see_reals(p, r->relatedness, 4);
    msda_see(input, r->features, p);
}

MEMORY_OF(mtcfir)
{
    return mtcfir_any_memory((const mem_input *)input, MTC_FIR_FULL);
}

MEMORY_OF(mtcfir_nF)
{
    return mtcfir_any_memory((const mem_input *)input, MTC_FIR_NF);
}

MEMORY_OF(mtcfir_nI)
{
    return mtcfir_any_memory((const mem_input *)input, MTC_FIR_NI);
}

RELEASE_OF(mtcfir, mtc_mtcfir_free, mtc_mtcfir_result)

RUN_OF(mtcfir_assign)
{
    IN;
    return mtc_mtcfir_assign(ctx, &in->X, in->fitted, 2, 1, &in->mtcfir,
                             ((mem_arrays *)out)->labels);
}

SEE_OF(mtcfir_assign)
{
    IN;
    test_see_labels(p, ((const mem_arrays *)out)->labels, in->X.n, K);
}

MEMORY_OF(mtcfir_assign)
{
    IN;
    return mtc_mtcfir_assign_memory(&in->X, in->fitted, 2, 1, &in->mtcfir);
}

/* TTL: a bridge with the features of both, and one with two views. */

static mtc_ttl_options ttl_options(const mem_input *in)
{
    mtc_ttl_options o = mtc_ttl_defaults();
    o.classes = in->k;
    o.features = 5;
    o.common = 3;
    o.sweeps = 8;
    o.chain = 2;
    o.trace = 1;
    return o;
}

RUN_OF(ttl)
{
    IN;
    mtc_ttl_options o = ttl_options(in);
    const int *labels[1] = {in->x_labels};
    return mtc_ttl(ctx, &in->X, labels, 1, &in->P, NULL, 1, &in->Y, &o,
                   (mtc_ttl_result *)out);
}

RUN_OF(ttl_views)
{
    IN;
    mtc_ttl_options o = ttl_options(in);
    const int *labels[1] = {in->x_labels};
    o.rows = MTC_ROWS_LENGTH;
    return mtc_ttl(ctx, &in->X, labels, 1, &in->P, &in->X, 1, &in->Y, &o,
                   (mtc_ttl_result *)out);
}

SEE_OF(ttl)
{
    IN;
    const mtc_ttl_result *r = (const mtc_ttl_result *)out;
    const mtc_ttl_factors *f = r->factors;
    test_see_labels(p, r->labels, in->Y.n, in->k);
    test_see_labels(p, r->bridge_labels[0], in->P.n, in->k);
    test_see_reals(p, r->target, in->Y.n * in->k);
    test_see_reals(p, r->bridge[0], in->P.n * in->k);
    test_see_reals(p, r->objective, r->sweeps + 1);
    test_see_reals(p, r->trace, r->sweeps * r->steps);
    test_see_reals(p, &r->evidence, 1);
    for (size_t leg = 0; leg < 2; leg++) {
        test_see_reals(p, f->F1[leg], r->d * r->common);
        test_see_reals(p, f->A1[leg], r->common * in->k);
        for (size_t i = 0; i < 2; i++) {
            test_see_reals(p, f->F2[leg][i], r->d * r->own);
            test_see_reals(p, f->A2[leg][i], r->own * in->k);
        }
    }
}

MEMORY_OF(ttl)
{
    IN;
    mtc_ttl_options o = ttl_options(in);
    return mtc_ttl_memory(&in->X, 1, &in->P, NULL, 1, &in->Y, &o);
}

MEMORY_OF(ttl_views)
{
    IN;
    mtc_ttl_options o = ttl_options(in);
    return mtc_ttl_memory(&in->X, 1, &in->P, &in->X, 1, &in->Y, &o);
}

RELEASE_OF(ttl, mtc_ttl_free, mtc_ttl_result)

RUN_OF(ttl_assign)
{
    IN;
    return mtc_ttl_assign(ctx, &in->Y, &in->ttl, ((mem_arrays *)out)->labels);
}

MEMORY_OF(ttl_assign)
{
    IN;
    return mtc_ttl_assign_memory(&in->ttl);
}

/* The choice of a bridge. */

RUN_OF(bridge_features)
{
    IN;
    return mtc_bridge_features(ctx, &in->X, &in->P, &in->Y,
                               ((mem_arrays *)out)->reals);
}

SEE_OF(bridge_features)
{
    (void)input;
    test_see_reals(p, ((const mem_arrays *)out)->reals, MTC_BRIDGE_FEATURES);
}

MEMORY_OF(bridge_features)
{
    IN;
    return mtc_bridge_features_memory(&in->X, &in->P, &in->Y);
}

RUN_OF(bridge_fit)
{
    IN;
    int labels[N];
    mtc_bridge_model model;
    for (size_t i = 0; i < N; i++)
        labels[i] = in->x_labels[i] > 0;
    mtc_status s = mtc_bridge_fit(ctx, N, in->p.x, labels, MTC_BRIDGE_LINKS,
                                  (mtc_real)1e-3, &model);
    if (s == MTC_OK)
        s = mtc_bridge_fit(ctx, N, in->p.x, labels, MTC_BRIDGE_LINEAR,
                           (mtc_real)1e-3, &model);
    if (s == MTC_OK)
        memcpy(((mem_arrays *)out)->reals, model.weight, sizeof model.weight);
    return s;
}

MEMORY_OF(bridge_fit)
{
    (void)input;
    return mtc_bridge_fit_memory(N);
}

RUN_OF(bridge_try)
{
    IN;
    mtc_bridge_gain gain;
    mtc_status s = mtc_bridge_try(ctx, &in->X, in->x_labels, &in->P, &in->Y,
                                  in->y_labels, in->k, 1, &gain);
    if (s == MTC_OK) {
        ((mem_arrays *)out)->more[0] = gain.direct;
        ((mem_arrays *)out)->more[1] = gain.bridged;
    }
    return s;
}

SEE_OF(bridge_try)
{
    (void)input;
    test_see_reals(p, ((const mem_arrays *)out)->more, 2);
}

MEMORY_OF(bridge_try)
{
    IN;
    return mtc_bridge_try_memory(&in->X, &in->P, &in->Y, in->k);
}

/* The vote, EC and TrEC by each kind of rule. */

static mtc_vote_options vote_options(const mem_input *in)
{
    mtc_vote_options o = mtc_vote_defaults();
    o.clusters = in->k;
    return o;
}

static const int voted[2][N] = {{0, 3, 3, 1, 0, 1, 3}, {2, 2, 0, 0, 1}};

RUN_OF(vote)
{
    IN;
    mtc_vote_options o = vote_options(in);
    const int *runs[3] = {in->x_labels, voted[0], voted[1]};
    return mtc_vote(ctx, N, runs, 3, &o, (mtc_vote_result *)out);
}

SEE_OF(vote)
{
    IN;
    const mtc_vote_result *r = (const mtc_vote_result *)out;
    test_see_labels(p, r->labels, N, in->k);
    test_see_reals(p, r->embedding, N * r->rank);
    test_see_reals(p, r->singular_values, r->rank);
    test_see_reals(p, r->stability, N);
    test_see_reals(p, r->cluster_stability, in->k);
    test_see_reals(p, r->objective, r->iterations + 1);
}

RELEASE_OF(vote, mtc_vote_free, mtc_vote_result)

MEMORY_OF(vote)
{
    IN;
    mtc_vote_options o = vote_options(in);
    const int *runs[3] = {in->x_labels, voted[0], voted[1]};
    return mtc_vote_memory(N, runs, 3, &o);
}

static mtc_ec_options ec_options(const mem_input *in)
{
    mtc_ec_options o = mtc_ec_defaults();
    o.clusters = in->k;
    o.runs = 3;
    o.columns = 2;
    o.iterations = 20;
    o.restarts = 2;
    return o;
}

RUN_OF(ec)
{
    IN;
    mtc_ec_options o = ec_options(in);
    return mtc_ec(ctx, &in->X, &o, (mtc_ec_result *)out);
}

static void ec_see_result(const mtc_ec_result *r, test_probe *p)
{
    const mtc_ensemble *e = &r->ensemble;
    test_see_labels(p, r->labels, e->n, r->k);
    test_see_labels(p, e->partitions, e->runs * e->n, e->k);
    test_see_reals(p, e->centers, e->runs * e->k * e->columns);
    if (e->silhouette != NULL)
        test_see_reals(p, e->silhouette, e->n);
    test_see_reals(p, r->embedding, e->n * r->rank);
    test_see_reals(p, r->stability, e->n);
    test_see_reals(p, r->support, e->runs * e->k * r->k);
    test_see_reals(p, r->objective, r->iterations + 1);
}

SEE_OF(ec)
{
    (void)input;
    ec_see_result((const mtc_ec_result *)out, p);
}

RELEASE_OF(ec, mtc_ec_free, mtc_ec_result)

MEMORY_OF(ec)
{
    IN;
    mtc_ec_options o = ec_options(in);
    return mtc_ec_memory(&in->X, &o);
}

RUN_OF(ec_assign)
{
    IN;
    return mtc_ec_assign(ctx, &in->Y, &in->ec, ((mem_arrays *)out)->labels);
}

MEMORY_OF(ec_assign)
{
    IN;
    return mtc_ec_assign_memory(&in->ec);
}

static mtc_trec_options trec_options(const mem_input *in, mtc_meta meta)
{
    mtc_trec_options o = mtc_trec_defaults();
    o.ec = ec_options(in);
    o.meta = meta;
    o.pairs = 40;
    o.qmin = 0;
    return o;
}

SEE_OF(trec)
{
    IN;
    const mtc_trec_result *r = (const mtc_trec_result *)out;
    ec_see_result(&r->target, p);
    test_see_reals(p, r->same, r->target.ensemble.runs + 1);
    test_see_reals(p, r->objective, r->iterations + 1);
    test_see_labels(p, r->start, r->target.ensemble.n, in->k);
}

RELEASE_OF(trec, mtc_trec_free, mtc_trec_result)

#define TREC_OF(NAME, META)                                               \
    RUN_OF(NAME)                                                          \
    {                                                                     \
        IN;                                                               \
        mtc_trec_options o = trec_options(in, META);                      \
        return mtc_trec(ctx, &in->X, in->x_labels, &in->Y, &o,            \
                        (mtc_trec_result *)out);                          \
    }                                                                     \
    MEMORY_OF(NAME)                                                       \
    {                                                                     \
        IN;                                                               \
        mtc_trec_options o = trec_options(in, META);                      \
        return mtc_trec_memory(&in->X, in->x_labels, &in->Y, &o);         \
    }

TREC_OF(trec, MTC_META_PROBABILITY)
TREC_OF(trec_both, MTC_META_BOTH)
TREC_OF(trec_coassociation, MTC_META_COASSOCIATION)

/* Guard and auto, on X and Y: X is large enough for folds, Y is not. */

static mtc_guard_options guard_options(const mem_input *in, mtc_guarded method)
{
    mtc_guard_options o = mtc_guard_defaults();
    o.method = method;
    o.clusters = in->k;
    o.runs = 2;
    o.folds = 2;
    return o;
}

SEE_OF(guard)
{
    IN;
    const mtc_guard_result *r = (const mtc_guard_result *)out;
    mtc_data tasks[2] = {in->X, in->Y};
    for (size_t t = 0; t < 2; t++) {
        test_see_labels(p, r->labels[t], tasks[t].n, in->k);
        test_see_labels(p, r->single[t], tasks[t].n, in->k);
        test_see_labels(p, r->shared[t], tasks[t].n, in->k);
        test_see_reals(p, r->centers[t], in->k * r->d);
        test_see_size(p, r->k_effective[t]);
    }
    test_see_reals(p, r->stability_single, 2);
    test_see_reals(p, r->stability_shared, 2);
    test_see_reals(p, r->agreement, 2);
    test_see_reals(p, r->loss_single, 2);
    test_see_reals(p, r->loss_shared, 2);
}

#define GUARD_OF(NAME, METHOD, GATE)                                      \
    RUN_OF(NAME)                                                          \
    {                                                                     \
        IN;                                                               \
        mtc_guard_options o = guard_options(in, METHOD);                  \
        mtc_data tasks[2] = {in->X, in->Y};                               \
        o.gate = GATE;                                                    \
        return mtc_guard(ctx, tasks, 2, &o, (mtc_guard_result *)out);     \
    }                                                                     \
    MEMORY_OF(NAME)                                                       \
    {                                                                     \
        IN;                                                               \
        mtc_guard_options o = guard_options(in, METHOD);                  \
        mtc_data tasks[2] = {in->X, in->Y};                               \
        o.gate = GATE;                                                    \
        return mtc_guard_memory(tasks, 2, &o);                            \
    }

GUARD_OF(guard_mbc, MTC_GUARD_MBC, MTC_GATE_FOLDS)
GUARD_OF(guard_lssmtc, MTC_GUARD_LSSMTC, MTC_GATE_FOLDS)
GUARD_OF(guard_seeds, MTC_GUARD_MBC, MTC_GATE_SEEDS)
GUARD_OF(guard_mtcfir, MTC_GUARD_MTCFIR, MTC_GATE_FOLDS)
RELEASE_OF(guard, mtc_guard_free, mtc_guard_result)

static mtc_auto_options auto_options(const mem_input *in, int rich,
                                     size_t sample)
{
    mtc_auto_options o = mtc_auto_defaults();
    o.clusters = in->k;
    o.rich = rich;
    o.runs = 2;
    if (sample > 0) {
        o.limit = 2 * M / 3 + 10;       /* X is sampled, Y is not */
        o.sample = sample;
    }
    return o;
}

SEE_OF(auto)
{
    IN;
    const mtc_auto_result *r = (const mtc_auto_result *)out;
    mtc_data tasks[2] = {in->X, in->Y};
    for (size_t t = 0; t < 2; t++) {
        test_see_labels(p, r->labels[t], tasks[t].n, in->k);
        test_see_reals(p, r->centers[t], in->k * r->d);
        test_see_size(p, r->k_effective[t]);
        test_see_size(p, r->voting[t]);
    }
    test_see_reals(p, r->by_family, 2 * r->families);
    test_see_reals(p, r->agreement, 2);
    test_see_reals(p, r->sharing, 2);
}

#define AUTO_OF(NAME, RICH, SAMPLE)                                       \
    RUN_OF(NAME)                                                          \
    {                                                                     \
        IN;                                                               \
        mtc_auto_options o = auto_options(in, RICH, SAMPLE);              \
        mtc_data tasks[2] = {in->X, in->Y};                               \
        return mtc_auto(ctx, tasks, 2, &o, (mtc_auto_result *)out);       \
    }                                                                     \
    MEMORY_OF(NAME)                                                       \
    {                                                                     \
        IN;                                                               \
        mtc_auto_options o = auto_options(in, RICH, SAMPLE);              \
        mtc_data tasks[2] = {in->X, in->Y};                               \
        return mtc_auto_memory(tasks, 2, &o);                             \
    }

AUTO_OF(auto_lean, 0, 0)
AUTO_OF(auto_rich, 1, 0)
AUTO_OF(auto_sampled, 0, 12)
RELEASE_OF(auto, mtc_auto_free, mtc_auto_result)

RUN_OF(auto_assign)
{
    IN;
    return mtc_auto_assign(ctx, &in->X, 1, &in->automatic,
                           ((mem_arrays *)out)->labels);
}

MEMORY_OF(auto_assign)
{
    IN;
    return mtc_auto_assign_memory(&in->X, 1, &in->automatic);
}

RUN_OF(guard_assign)
{
    IN;
    return mtc_guard_assign(ctx, &in->X, 0, &in->guard,
                            ((mem_arrays *)out)->labels);
}

MEMORY_OF(guard_assign)
{
    IN;
    return mtc_guard_assign_memory(&in->X, 0, &in->guard);
}

#define OWN(NAME, SEE, RELEASE, TYPE, FLAGS)                              \
    {#NAME, NAME##_run, RELEASE##_release, SEE##_see, NAME##_memory,      \
     sizeof(TYPE), FLAGS}
#define ARRAYS(NAME, SEE, MEMORY, FLAGS)                                  \
    {#NAME, NAME##_run, NULL, SEE##_see, MEMORY, sizeof(mem_arrays), FLAGS}

#define kmeans_from_labels_memory kmeans_memory

static const test_entry calls[] = {
    OWN(kmeans, kmeans, kmeans, mtc_kmeans_result,
        NEEDS_K | K_UP_TO_N | TAKES_D | TICKS),
    OWN(kmeans_vote, kmeans, kmeans, mtc_kmeans_result,
        NEEDS_K | K_UP_TO_N | TAKES_D | TICKS),
    OWN(kmeans_from_labels, kmeans, kmeans, mtc_kmeans_result,
        NEEDS_K | K_UP_TO_N | TAKES_D | TICKS),
    OWN(kmeans_kl, kmeans, kmeans, mtc_kmeans_result,
        NEEDS_K | K_UP_TO_N | POSITIVE | TICKS),
    ARRAYS(kmeans_assign, labels, kmeans_assign_memory, ANY_N),
    ARRAYS(neighbors, neighbors, neighbors_memory, 0),
    ARRAYS(neighbors_cosine, neighbors_cosine, neighbors_cosine_memory, 0),
    OWN(graph, graph, graph, mtc_graph, 0),
    OWN(graph_gauss, graph, graph, mtc_graph, 0),
    OWN(harmonic, propagate, propagate, mtc_propagate_result, NEEDS_K | TICKS),
    OWN(consistency, propagate, propagate, mtc_propagate_result,
        NEEDS_K | TICKS),
    OWN(lssmtc, lssmtc, lssmtc, mtc_lssmtc_result,
        NEEDS_K | K_UP_TO_N | TAKES_D | TICKS),
    OWN(lssmtc_pca, lssmtc, lssmtc, mtc_lssmtc_result,
        NEEDS_K | K_UP_TO_N | TAKES_D | TICKS),
    OWN(lssmtc_literal, lssmtc, lssmtc, mtc_lssmtc_result,
        NEEDS_K | K_UP_TO_N | TAKES_D | TICKS),
    OWN(lssttc, lssmtc, lssmtc, mtc_lssmtc_result,
        NEEDS_K | TAKES_D | TICKS),
    ARRAYS(lssmtc_assign, labels, lssmtc_assign_memory, TAKES_D | ANY_N),
    OWN(tsvm, tsvm, tsvm, mtc_tsvm_result, NEEDS_K | TAKES_D | TICKS),
    OWN(logistic, logistic, logistic, mtc_logistic_result,
        NEEDS_K | TAKES_D | TICKS),
    ARRAYS(logistic_assign, scored_labels, NULL, 0),
    OWN(svm_linear, svm, svm, mtc_svm_result, NEEDS_K | TICKS),
    OWN(svm_rbf, svm, svm, mtc_svm_result, NEEDS_K | TICKS),
    ARRAYS(svm_assign, scored_labels, svm_assign_memory, ANY_N),
    OWN(ncut, ncut, ncut, mtc_ncut_result, NEEDS_K | K_UP_TO_N | TICKS),
    {"ncut_given", ncut_given_run, ncut_release, ncut_see, ncut_given_memory,
     sizeof(mtc_ncut_result), NEEDS_K},
    OWN(snmf, snmf, snmf, mtc_snmf_result, NEEDS_K | TICKS),
    OWN(pca, pca, pca, mtc_pca_result, TAKES_D),
    OWN(pca_wide, pca_wide, pca, mtc_pca_result, 0),
    ARRAYS(pca_assign, pca_assign, pca_assign_memory, ANY_N),
    OWN(contingency, contingency, contingency, mtc_contingency_result,
        NO_DATA),
    {"score", score_run, NULL, score_see, score_memory, sizeof(mtc_scores),
     NO_DATA},
    ARRAYS(silhouette, silhouette, silhouette_memory, NEEDS_K),
    ARRAYS(mmd, real, mmd_memory, 0),
    ARRAYS(a_distance, real, a_distance_memory, TAKES_D),
    ARRAYS(complexity, real, complexity_memory, TAKES_D | ANY_N),
    ARRAYS(partition_emd, real, partition_emd_memory,
           NEEDS_K | TAKES_D | ANY_N),
    OWN(mbc, mbc, mbc, mtc_mbc_result,
        NEEDS_K | K_UP_TO_N | TAKES_D | TICKS),
    OWN(mbc_kl, mbc_kl, mbc, mtc_mbc_result,
        NEEDS_K | K_UP_TO_N | POSITIVE | TICKS),
    ARRAYS(mbc_assign, labels, mbc_assign_memory, ANY_N),
    OWN(msda, msda, msda, mtc_msda_result, TAKES_D | TICKS),
    OWN(msda_dual, msda, msda, mtc_msda_result, TAKES_D | TICKS),
    ARRAYS(msda_assign, msda_assign, msda_assign_memory, ANY_N),
    OWN(similar, similar, similar, mtc_consistent_result,
        NEEDS_K | K_UP_TO_N | TICKS),
    OWN(similar_kept, similar, similar, mtc_consistent_result,
        NEEDS_K | K_UP_TO_N | TICKS),
    OWN(mtcfir, mtcfir, mtcfir, mtc_mtcfir_result,
        NEEDS_K | K_UP_TO_N | TAKES_D | TICKS),
    OWN(mtcfir_nF, mtcfir, mtcfir, mtc_mtcfir_result,
        NEEDS_K | K_UP_TO_N | TAKES_D | TICKS),
    OWN(mtcfir_nI, mtcfir, mtcfir, mtc_mtcfir_result,
        NEEDS_K | K_UP_TO_N | TAKES_D | TICKS),
    ARRAYS(mtcfir_assign, mtcfir_assign, mtcfir_assign_memory, ANY_N),
    OWN(ttl, ttl, ttl, mtc_ttl_result, NEEDS_K | TAKES_D | TICKS),
    OWN(ttl_views, ttl, ttl, mtc_ttl_result, NEEDS_K | TAKES_D | TICKS),
    ARRAYS(ttl_assign, labels, ttl_assign_memory, ANY_N),
    ARRAYS(bridge_features, bridge_features, bridge_features_memory, TAKES_D),
    ARRAYS(bridge_fit, bridge_features, bridge_fit_memory, NO_DATA),
    ARRAYS(bridge_try, bridge_try, bridge_try_memory, NEEDS_K),
    OWN(vote, vote, vote, mtc_vote_result,
        NO_DATA | NEEDS_K | K_UP_TO_N | TICKS),
    OWN(ec, ec, ec, mtc_ec_result, NEEDS_K | K_UP_TO_N | TICKS),
    ARRAYS(ec_assign, labels, ec_assign_memory, ANY_N),
    OWN(trec, trec, trec, mtc_trec_result, NEEDS_K | K_UP_TO_N | TICKS),
    OWN(trec_both, trec, trec, mtc_trec_result,
        NEEDS_K | K_UP_TO_N | TICKS),
    OWN(trec_coassociation, trec, trec, mtc_trec_result,
        NEEDS_K | K_UP_TO_N | TICKS),
    OWN(guard_mbc, guard, guard, mtc_guard_result,
        NEEDS_K | K_UP_TO_N | TAKES_D | TICKS),
    OWN(guard_lssmtc, guard, guard, mtc_guard_result,
        NEEDS_K | K_UP_TO_N | TAKES_D | TICKS),
    OWN(guard_seeds, guard, guard, mtc_guard_result,
        NEEDS_K | K_UP_TO_N | TAKES_D | TICKS),
    OWN(guard_mtcfir, guard, guard, mtc_guard_result,
        NEEDS_K | K_UP_TO_N | TAKES_D | TICKS),
    ARRAYS(guard_assign, labels, guard_assign_memory, ANY_N),
    OWN(auto_lean, auto, auto, mtc_auto_result,
        NEEDS_K | K_UP_TO_N | TAKES_D | TICKS),
    OWN(auto_rich, auto, auto, mtc_auto_result,
        NEEDS_K | K_UP_TO_N | TAKES_D | TICKS),
    OWN(auto_sampled, auto, auto, mtc_auto_result, NEEDS_K | TAKES_D | TICKS),
    ARRAYS(auto_assign, labels, auto_assign_memory, ANY_N),
};

enum { CALLS = sizeof calls / sizeof calls[0] };

/* The inputs, one for each form of data; the tests work on copies. */
static mem_input clean[2];

static void fit_models(mem_input *in)
{
    mtc_context ctx = test_context();
    mtc_pca_options few = mtc_pca_defaults();
    few.dimension = 2;
    kmeans_run(&ctx, in, &in->kmeans);
    logistic_run(&ctx, in, &in->logistic);
    svm_rbf_run(&ctx, in, &in->svm);
    lssmtc_run(&ctx, in, &in->lssmtc);
    mtc_pca(&ctx, &in->X, &few, &in->pca);
    guard_mbc_run(&ctx, in, &in->guard);
    auto_lean_run(&ctx, in, &in->automatic);
    mbc_run(&ctx, in, &in->mbc);
    in->fit[0] = in->x;
    in->fit[1] = in->y;
    for (int t = 0; t < 2; t++)
        in->fitted[t] = mem_view(&in->fit[t], in->X.row != NULL);
    msda_dual_run(&ctx, in, &in->msda);
    mtcfir_run(&ctx, in, &in->mtcfir);
    ttl_run(&ctx, in, &in->ttl);
    ec_run(&ctx, in, &in->ec);
}

static void free_models(mem_input *in)
{
    mtc_context ctx = test_context();
    mtc_kmeans_free(&ctx, &in->kmeans);
    mtc_logistic_free(&ctx, &in->logistic);
    mtc_svm_free(&ctx, &in->svm);
    mtc_lssmtc_free(&ctx, &in->lssmtc);
    mtc_pca_free(&ctx, &in->pca);
    mtc_guard_free(&ctx, &in->guard);
    mtc_auto_free(&ctx, &in->automatic);
    mtc_mbc_free(&ctx, &in->mbc);
    mtc_msda_free(&ctx, &in->msda);
    mtc_mtcfir_free(&ctx, &in->mtcfir);
    mtc_ttl_free(&ctx, &in->ttl);
    mtc_ec_free(&ctx, &in->ec);
}

/* A copy of the clean input, to be spoilt; its views see its own arrays. */
static mem_input *spoilable(int csr)
{
    static mem_input in;
    in = clean[csr];
    mem_views(&in, csr);
    return &in;
}

/* ---- allocation, arena, cancellation ----------------------------------- */

TEST a_failed_allocation_is_told_and_leaves_no_trace(const test_entry *e,
                                                     int csr)
{
    const char *once = test_sweep(e, &clean[csr], 0);
    ASSERTm(once, once == NULL);
    const char *lasting = test_sweep(e, &clean[csr], 1);
    ASSERTm(lasting, lasting == NULL);
    PASS();
}

TEST memory_is_exact(const test_entry *e, int csr)
{
    static test_out out;
    static double buffer[1 << 17];
    size_t bytes = e->memory(&clean[csr]);
    test_heap heap;
    mtc_context ctx = test_heap_context(&heap);
    ASSERT_EQ(MTC_OK, e->run(&ctx, &clean[csr], out.b));
    ASSERT_EQ_FMT((unsigned long)bytes, (unsigned long)heap.peak, "%lu");
    ASSERT(heap.most <= 2);                             /* and scratch */
    ASSERT(heap.live <= 1);                             /* the result's */
    test_probe by_heap = test_finish(e, &ctx, &clean[csr], &out);

    ASSERT(bytes <= sizeof buffer);
    mtc_arena arena = mtc_arena_over(buffer, bytes);
    ctx = mtc_arena_context(&arena);
    ASSERT_EQ(MTC_OK, e->run(&ctx, &clean[csr], out.b));
    test_probe by_arena = test_finish(e, &ctx, &clean[csr], &out);
    ASSERT_EQ(by_heap.hash, by_arena.hash);
    ASSERT_EQ(bytes, arena.peak);
    ASSERT_EQ(0, arena.used);                           /* all came back */

    arena = mtc_arena_over(buffer, bytes - 1);
    ctx = mtc_arena_context(&arena);
    test_poison(&out);
    ASSERT_EQ(MTC_NO_MEMORY, e->run(&ctx, &clean[csr], out.b));
    ASSERT(ctx.error.what != NULL);
    ASSERT_EQ(0, arena.used);
    ASSERT(test_untouched(&out));
    PASS();
}

enum { CANCELS = 60 };          /* places to cancel at, about, of a call */

/* Cancels at call `at` (from 1), in `stage`; 0 never. */
typedef struct canceller { size_t calls, at; const char *stage; } canceller;

static int cancel_at(void *user, const char *stage, size_t done, size_t total)
{
    canceller *c = (canceller *)user;
    (void)done, (void)total;
    c->stage = ++c->calls == c->at ? stage : c->stage;
    return c->calls == c->at;
}

TEST cancelling_anywhere_leaves_no_trace(const test_entry *e, int csr)
{
    static test_out out;
    test_heap heap;
    canceller c = {0, 0, NULL};
    mtc_context ctx = test_heap_context(&heap);
    ctx.progress = cancel_at;
    ctx.user = &c;
    ASSERT_EQ(MTC_OK, e->run(&ctx, &clean[csr], out.b));
    test_finish(e, &ctx, &clean[csr], &out);
    size_t ticks = c.calls;
    ASSERT(ticks > 0 || !(e->flags & TICKS));
    size_t step = 1 + ticks / CANCELS;      /* all, if there are not many */
    for (size_t at = 1; at <= ticks; at += at < CANCELS / 2 ? 1 : step) {
        c.calls = 0;
        c.at = at;
        ctx.error.what = "nothing";
        test_poison(&out);
        ASSERT_EQ(MTC_CANCELLED, e->run(&ctx, &clean[csr], out.b));
        ASSERT_STR_EQ(c.stage, ctx.error.what);
        ASSERT(test_untouched(&out));
        ASSERT_EQ(0, heap.live);
        ASSERT_EQ(0, heap.faults);
    }
    PASS();
}

/* ---- values ------------------------------------------------------------ */

/* Is the input S, in which a spoilt value has a twin and d follows n? */
static int reads_S(const test_entry *e)
{
    return e->run == pca_wide_run || e->run == snmf_run
           || e->run == ncut_given_run;
}

/* Puts v at (BAD_ROW, BAD_COLUMN) of every matrix. */
static void put_value(mem_input *in, mtc_real v)
{
    in->x.x[BAD_ROW * D + BAD_COLUMN] = v;
    in->y.x[BAD_ROW * D + BAD_COLUMN] = v;
    in->p.x[BAD_ROW * D + BAD_COLUMN] = v;
    in->s.x[BAD_ROW * N + BAD_COLUMN] = v;
    in->s.x[BAD_COLUMN * N + BAD_ROW] = v;
}

/* Runs the call on spoilt input; nothing may leak, and what fails leaves the
 * output alone.  *p is what the result looked like, if there was one. */
static mtc_status run_spoilt(const test_entry *e, mem_input *in,
                             mtc_context *ctx, test_heap *heap, test_probe *p)
{
    static test_out out;
    test_probe none = {0, 1};
    *ctx = test_heap_context(heap);
    heap->limit = (size_t)1 << 28;
    test_poison(&out);
    mtc_status s = e->run(ctx, in, out.b);
    *p = none;
    if (s == MTC_OK)
        *p = test_finish(e, ctx, in, &out);
    else
        heap->faults += !test_untouched(&out);
    heap->faults += heap->live;
    return s;
}

TEST a_value_out_of_range_is_refused_by_its_place(const test_entry *e,
                                                  int csr)
{
    mtc_real zero = 0, bad[5] = {0, 0, 0, TEST_MAX, -TEST_MAX};
    bad[0] = TEST_MAX * 2;                              /* +Inf */
    bad[1] = -bad[0];
    bad[2] = bad[0] * zero;                             /* NaN */
    for (size_t b = 0; b < 5; b++) {
        mem_input *in = spoilable(csr);
        mtc_context ctx;
        test_heap heap;
        test_probe p;
        put_value(in, bad[b]);
        if (strncmp(e->name, "pca_wide", 8) == 0)       /* reads four rows */
            in->s.x[3 * N + 3] = bad[b];
        mem_views(in, csr);
        ASSERT_EQ(MTC_DOMAIN, run_spoilt(e, in, &ctx, &heap, &p));
        ASSERT_EQ(0, heap.calls);                       /* checked first */
        ASSERT_EQ(0, heap.faults);
        ASSERT(ctx.error.what != NULL);
        ASSERT((ctx.error.row == BAD_ROW && ctx.error.column == BAD_COLUMN)
               || reads_S(e));
    }
    PASS();
}

/* Ways to spoil data that are legal all the same. */
typedef void spoiler(mtc_real *x, size_t n, size_t d);

static void all_zero(mtc_real *x, size_t n, size_t d)
{
    for (size_t i = 0; i < n * d; i++)
        x[i] = 0;
}

static void minus_zero(mtc_real *x, size_t n, size_t d)
{
    for (size_t i = 0; i < n * d; i++)
        if (x[i] == 0)
            x[i] = -x[i];
}

static void constant(mtc_real *x, size_t n, size_t d)
{
    for (size_t i = 0; i < n * d; i++)
        x[i] = 1;
}

static void equal_rows(mtc_real *x, size_t n, size_t d)
{
    if (n == d)
        constant(x, n, d);                              /* S: symmetric */
    for (size_t i = 1; i < n && n != d; i++)
        memcpy(x + i * d, x, d * sizeof *x);
}

static void some_zero_rows(mtc_real *x, size_t n, size_t d)
{
    for (size_t i = 0; i < n; i += 4)
        for (size_t j = 0; j < d; j++) {
            x[i * d + j] = 0;
            if (n == d)
                x[j * d + i] = 0;
        }
}

static void denormal(mtc_real *x, size_t n, size_t d)
{
    for (size_t i = 0; i < n * d; i++)
        x[i] *= TEST_MIN / 64;
}

static void tiny(mtc_real *x, size_t n, size_t d)
{
    for (size_t i = 0; i < n * d; i++)
        x[i] *= 16 * TEST_MIN / TEST_EPS;
}

/* A hundredth of what the header admits (1e148; 1e13 in float). */
static void large(mtc_real *x, size_t n, size_t d)
{
    for (size_t i = 0; i < n * d; i++)
        x[i] *= (mtc_real)(sizeof(mtc_real) == 4 ? 1e10 : 1e145);
}

static void one_large(mtc_real *x, size_t n, size_t d)
{
    mtc_real v = (mtc_real)(sizeof(mtc_real) == 4 ? 9e12 : 9e147);
    x[BAD_ROW * d + BAD_COLUMN] = v;
    if (n == d)
        x[BAD_COLUMN * d + BAD_ROW] = v;
}

static void far_away(mtc_real *x, size_t n, size_t d)
{
    for (size_t i = 0; i < n * d; i++)
        x[i] += 1 / TEST_EPS / 8;
}

static const struct {
    const char *name;
    spoiler *spoil;
    int extreme;            /* squares near overflow: may be refused */
} spoilers[] = {
    {"zero", all_zero, 0},
    {"minus_zero", minus_zero, 0},
    {"constant", constant, 0},
    {"equal_rows", equal_rows, 0},
    {"some_zero_rows", some_zero_rows, 0},
    {"denormal", denormal, 0},
    {"tiny", tiny, 0},
    {"far_away", far_away, 0},
    {"large", large, 1},
    {"one_large", one_large, 1}
};

TEST legal_values_are_served(const test_entry *e, int csr, spoiler *spoil,
                             int extreme)
{
    mem_input *in = spoilable(csr);
    mtc_context ctx;
    test_heap heap;
    test_probe p;
    mem_matrix *all[4] = {&in->x, &in->y, &in->p, &in->s};
    for (size_t m = 0; m < 4; m++)
        spoil(all[m]->x, all[m]->n, all[m]->d);
    mem_views(in, csr);
    mtc_status s = run_spoilt(e, in, &ctx, &heap, &p);
    ASSERT_EQ(0, heap.faults);
    if (extreme && s != MTC_OK)
        ASSERTm(mtc_status_text(s), s == MTC_DOMAIN || s == MTC_SINGULAR);
    else if (e->flags & POSITIVE && s != MTC_OK)
        ASSERT_EQ(MTC_DOMAIN, s);
    else
        ASSERT_EQm(mtc_status_text(s), MTC_OK, s);
    ASSERTm("a result that is not finite", p.sane);
    PASS();
}

/* ---- sizes ------------------------------------------------------------- */

/* The first n rows and d columns of every view, and k. */
static void shrink(mem_input *in, size_t n, size_t d, size_t k)
{
    mtc_data *all[4] = {&in->X, &in->Y, &in->P, &in->S};
    for (size_t m = 0; m < 4; m++) {
        all[m]->n = n;
        all[m]->d = d;
    }
    in->S.d = n;
    in->k = k;
}

TEST no_sample_and_no_feature_are_refused(const test_entry *e, int csr)
{
    mem_input *in = spoilable(csr);
    mtc_context ctx;
    test_heap heap;
    test_probe p;
    shrink(in, 0, D, 1);
    mtc_status s = run_spoilt(e, in, &ctx, &heap, &p);
    ASSERT_EQm(mtc_status_text(s), MTC_INVALID, s);
    ASSERT_EQ(0, heap.faults);
    shrink(in, M, 0, K);
    if (!reads_S(e)) {                                  /* S keeps its d */
        s = run_spoilt(e, in, &ctx, &heap, &p);
        ASSERT_EQm(mtc_status_text(s), MTC_INVALID, s);
        ASSERT_EQ(0, heap.faults);
    }
    PASS();
}

/* One sample: no neighbour, no fold to hold out, but a cluster of its own. */
TEST one_sample_is_served(const test_entry *e, int csr)
{
    mem_input *in = spoilable(csr);
    mtc_context ctx;
    test_heap heap;
    test_probe p;
    shrink(in, 1, D, 1);
    if (csr)                                /* S: its first entry alone */
        in->s.row[1] = 1;
    if (e->run == svm_assign_run)
        in->X.n = N;                        /* what the model was fitted on */
    mtc_status s = run_spoilt(e, in, &ctx, &heap, &p);
    int refusable = e->run == neighbors_run || e->run == a_distance_run
                    || e->run == bridge_features_run
                    || e->run == lssmtc_literal_run;    /* d + c < N */
    ASSERTm(mtc_status_text(s),
            s == MTC_OK || (refusable && s == MTC_INVALID));
    ASSERT(p.sane);
    ASSERT_EQ(0, heap.faults);
    PASS();
}

TEST one_feature_is_served(const test_entry *e, int csr)
{
    mem_input *in = spoilable(csr);
    mtc_context ctx;
    test_heap heap;
    test_probe p;
    for (size_t i = 1; i < N; i++) {        /* the first column, packed */
        in->x.x[i] = in->x.x[i * D];
        in->p.x[i] = in->p.x[i * D];
        if (i < M)
            in->y.x[i] = in->y.x[i * D];
    }
    in->x.d = in->y.d = in->p.d = 1;
    mem_views(in, csr);
    mtc_status s = run_spoilt(e, in, &ctx, &heap, &p);
    int model = strstr(e->name, "assign") != NULL;      /* fitted on D */
    ASSERT_EQm(mtc_status_text(s), model ? MTC_INVALID : MTC_OK, s);
    ASSERT(p.sane);
    ASSERT_EQ(0, heap.faults);
    PASS();
}

TEST no_cluster_and_too_many_are_refused(const test_entry *e, int csr)
{
    mem_input *in = spoilable(csr);
    mtc_context ctx;
    test_heap heap;
    test_probe p;
    in->k = 0;
    ASSERT_EQ(MTC_INVALID, run_spoilt(e, in, &ctx, &heap, &p));
    ASSERT_EQ(0, heap.faults);
    ASSERT_EQ(0, heap.calls);
    if (e->flags & K_UP_TO_N) {
        in->k = N + 1;
        ASSERT_EQ(MTC_INVALID, run_spoilt(e, in, &ctx, &heap, &p));
        ASSERT_EQ(0, heap.faults);
        ASSERT_EQ(0, heap.calls);
    }
    PASS();
}

/* Sizes whose product overflows, over a few bytes of memory: refused before
 * anything is read, and the query says that there is no such size. */
TEST sizes_that_overflow_are_refused(const test_entry *e, int csr)
{
    static const size_t n[3] = {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 4 + 1};
    for (size_t z = 0; z < 3; z++) {
        mem_input *in = spoilable(csr);
        mtc_data *all[4] = {&in->X, &in->Y, &in->P, &in->S};
        mtc_context ctx;
        test_heap heap;
        test_probe p;
        for (size_t m = 0; m < 4; m++) {
            all[m]->n = n[z];
            all[m]->stride = all[m]->d;
        }
        in->S.d = in->S.stride = n[z];
        mtc_status s = run_spoilt(e, in, &ctx, &heap, &p);
        ASSERTm(mtc_status_text(s), s == MTC_TOO_BIG || s == MTC_INVALID);
        ASSERT_EQ(0, heap.calls);
        ASSERT_EQ(0, heap.faults);
        if (e->memory != NULL && !csr       /* CSR: counts its entries */
            && !(e->flags & ANY_N))
            ASSERT_EQ(SIZE_MAX, e->memory(in));
    }
    PASS();
}

/* Rows without entries can have any number of columns: the views are legal,
 * what a call needs for them is not to be had. */
TEST features_without_bound_are_refused(const test_entry *e, int csr)
{
    mem_input *in = spoilable(csr);
    mtc_data *all[3] = {&in->X, &in->Y, &in->P};
    mtc_context ctx;
    test_heap heap;
    test_probe p;
    memset(in->x.row, 0, sizeof in->x.row);
    memset(in->y.row, 0, sizeof in->y.row);
    memset(in->p.row, 0, sizeof in->p.row);
    for (size_t m = 0; m < 3; m++)
        all[m]->d = SIZE_MAX / 2;
    mtc_status s = run_spoilt(e, in, &ctx, &heap, &p);
    ASSERTm(mtc_status_text(s),
            s == MTC_TOO_BIG || s == MTC_INVALID
            || (s == MTC_OK && !(e->flags & TAKES_D))
            || (s == MTC_DOMAIN && e->flags & POSITIVE));
    ASSERT_EQ(0, heap.faults);
    PASS();
}

/* ---- the arena and free by themselves ---------------------------------- */

TEST arena_gives_back_the_last_block_and_remembers_its_peak(void)
{
    double buffer[32];
    mtc_arena arena = mtc_arena_over(buffer, sizeof buffer);
    mtc_context ctx = mtc_arena_context(&arena);
    void *a = ctx.allocate(ctx.memory, 8);
    void *b = ctx.allocate(ctx.memory, 24);
    ASSERT(a != NULL && b != NULL && a != b);
    ASSERT_EQ(0, (size_t)((unsigned char *)b - (unsigned char *)a)
                     % sizeof(double));
    size_t used = arena.used;
    ctx.release(ctx.memory, a, 8);                      /* not the last */
    ASSERT_EQ(used, arena.used);
    ctx.release(ctx.memory, b, 24);
    ASSERT(arena.used < used);
    ASSERT_EQ(used, arena.peak);
    ASSERT(ctx.allocate(ctx.memory, sizeof buffer) == NULL);
    ASSERT(ctx.allocate(ctx.memory, SIZE_MAX) == NULL);
    ASSERT(ctx.allocate(ctx.memory, SIZE_MAX - 20) == NULL);
    PASS();
}

TEST free_takes_null_and_is_harmless_twice(void)
{
    mtc_context ctx = test_context();
    mtc_kmeans_result r;
    ASSERT_EQ(MTC_OK, kmeans_run(&ctx, &clean[0], &r));
    mtc_kmeans_free(&ctx, &r);
    mtc_kmeans_free(&ctx, &r);
    mtc_kmeans_free(&ctx, NULL);
    mtc_graph_free(&ctx, NULL);
    mtc_propagate_free(&ctx, NULL);
    mtc_logistic_free(&ctx, NULL);
    mtc_svm_free(&ctx, NULL);
    mtc_ncut_free(&ctx, NULL);
    mtc_snmf_free(&ctx, NULL);
    mtc_pca_free(&ctx, NULL);
    mtc_contingency_free(&ctx, NULL);
    mtc_guard_free(&ctx, NULL);
    mtc_auto_free(&ctx, NULL);
    mtc_mbc_free(&ctx, NULL);
    mtc_msda_free(&ctx, NULL);
    mtc_consistent_free(&ctx, NULL);
    mtc_mtcfir_free(&ctx, NULL);
    mtc_ttl_free(&ctx, NULL);
    mtc_vote_free(&ctx, NULL);
    mtc_ec_free(&ctx, NULL);
    mtc_trec_free(&ctx, NULL);
    PASS();
}

/* ---- all of it --------------------------------------------------------- */

static void name_it(const test_entry *e, int csr, const char *more)
{
    char name[64];
    snprintf(name, sizeof name, "%s_%s%s%s", e->name, csr ? "csr" : "dense",
             more[0] != '\0' ? "_" : "", more);
    greatest_set_test_suffix(name);
}

#define ALSO(TEST, ...)                                                   \
    do {                                                                  \
        name_it(e, csr, "");                                              \
        RUN_TESTp(TEST, e, __VA_ARGS__);                                  \
    } while (0)

static void run_call(const test_entry *e, int csr)
{
    ALSO(a_failed_allocation_is_told_and_leaves_no_trace, csr);
    ALSO(cancelling_anywhere_leaves_no_trace, csr);
    if (e->memory != NULL)
        ALSO(memory_is_exact, csr);
    if (e->flags & NEEDS_K)
        ALSO(no_cluster_and_too_many_are_refused, csr);
    if (e->flags & NO_DATA)
        return;
    ALSO(a_value_out_of_range_is_refused_by_its_place, csr);
    for (size_t s = 0; s < sizeof spoilers / sizeof spoilers[0]; s++) {
        name_it(e, csr, spoilers[s].name);
        RUN_TESTp(legal_values_are_served, e, csr, spoilers[s].spoil,
                  spoilers[s].extreme);
    }
    ALSO(no_sample_and_no_feature_are_refused, csr);
    ALSO(one_sample_is_served, csr);
    ALSO(one_feature_is_served, csr);
    ALSO(sizes_that_overflow_are_refused, csr);
    if (csr)
        ALSO(features_without_bound_are_refused, csr);
}

SUITE(memory_suite)
{
    for (int csr = 0; csr < 2; csr++) {
        mem_fill(&clean[csr], csr);
        fit_models(&clean[csr]);
        for (size_t c = 0; c < CALLS; c++)
            run_call(&calls[c], csr);
    }
    RUN_TEST(arena_gives_back_the_last_block_and_remembers_its_peak);
    RUN_TEST(free_takes_null_and_is_harmless_twice);
    free_models(&clean[0]);
    free_models(&clean[1]);
}
