/* SPDX-License-Identifier: MIT           The public part ends at line 1301.
 *
 * mtc.h - multi-task clustering and transfer learning in C99.
 *
 * mtc clusters several related data sets together, and it carries knowledge
 * from a labeled data set to an unlabeled one.  This header is its public
 * interface and its manual.  The library needs a C99 compiler, libc and libm.
 * Compile its three source files with your own:
 *
 *     cc app.c mtc.c linalg.c lp.c -lm
 *
 * START HERE
 *   k-means divides n samples of d features into clusters:
 *
 *     mtc_data X = mtc_dense(n, d, values);         ... values[i*d + j] ...
 *     mtc_kmeans_options opt = mtc_kmeans_defaults();
 *     mtc_kmeans_result res = {0};
 *     opt.clusters = 4;
 *     mtc_status s = mtc_kmeans(NULL, &X, &opt, &res);
 *     if (s != MTC_OK)
 *         puts(mtc_status_text(s));
 *     else
 *         ... res.labels[i], res.centers[z*d + j], res.loss ...
 *     mtc_free(NULL, &res.block);
 *
 *   All learners and methods are called in this way.  Which one fits?
 *     One data set, compact groups                          mtc_kmeans, mtc_ec
 *     One data set, groups of any shape                     mtc_ncut
 *     Several data sets that share their classes            mtc_lssmtc
 *     The same, but small, or with other numbers of groups  mtc_mbc
 *     Several sets of texts that share some classes         mtc_mtcfir
 *     A labeled source with the features of the target      mtc_lssttc
 *     A labeled source, and data between it and the target  mtc_ttl
 *     A labeled source with other features and classes      mtc_trec
 *   A second header, mtc_advice.h, helps to decide: how many clusters there are
 *   (mtc_choose), whether sharing is safe (mtc_guard), and what to call without
 *   a method in mind (mtc_auto).  An installed library has both.
 *
 * CONVENTIONS
 *   Samples are rows, and matrices are row-major: transpose column-major data
 *   first.  Counts are size_t.  Labels are ints that start at 0.  The comment
 *   on a pointer begins with its extent, such as [n*d].  Functions never write
 *   their inputs.  Arguments must not overlap unless the text allows it.
 *
 * SHAPE OF A CALL
 *   A learner or method X has the functions
 *     mtc_X_defaults()              returns options with sensible values
 *     mtc_X(ctx, data, &opt, &res)  does the work; opt may be NULL
 *     mtc_X_assign(ctx, new, ...)   labels new samples, where X can do that
 *   Options: start from mtc_X_defaults(), as zeros would mean 0 clusters.
 *   Results: a result owns one block of memory.  A call that fails leaves the
 *   result, and every other output, as it was: begin with `res = {0}`, and
 *   mtc_free is always safe.  Several threads may read a result.  A copy of the
 *   struct shares its memory: free one of the two.
 *   Lifetime: you may free data and options after the call.  But mtc_svm_assign
 *   reads the training data, and results go on using your own divergence.
 *   Labels: mtc_X_assign gives the label of the nearest center, the lowest on a
 *   tie, unless the text says otherwise.
 *   Tolerance: a run ends, with converged = 1, when an iteration lowers the
 *   objective by no more than `tolerance` times its value.  Tolerance 0 turns
 *   this test off.  k-means also ends when no label changes.
 *   Status: unless the text names others, a call returns OK, NO_MEMORY,
 *   INVALID, DOMAIN, CANCELLED or TOO_BIG, and also LIMIT if it computes
 *   eigenvectors or transport plans.  Running out of iterations is no failure:
 *   the result says converged = 0.
 *
 * MEMORY
 *   All memory comes from the context's allocator.  mtc_arena_over makes one of
 *   a buffer.  A call takes at most two blocks: the result, and scratch that it
 *   releases.  ctx->need reports the bytes of the peak.  Under mtc_measure() a
 *   call checks its arguments, sets `need` and returns NO_MEMORY.  mtc_shape
 *   stands for data that do not exist yet.
 *
 * COST
 *   build/cost (examples/cost.c) prints seconds, and bytes beside the data, for
 *   tasks of n x d and default options.  On one core at 2.5 GHz it printed:
 *     mtc_kmeans  100000 x 10   k 5   .84 s   4.0 MB
 *     mtc_ncut      4000 x 20   k 5  1.2  s   135 MB   as n^2
 *     mtc_lssmtc   10000 x 100  k 5   .85 s   3.9 MB   2 tasks
 *     mtc_mbc      10000 x 100  k 5   .76 s   1.0 MB   2 tasks
 *     mtc_mtcfir     500 x 500  k 5   .65 s    30 MB   2 tasks, as n^2
 *     mtc_ttl       1000 x 200  k 5   .23 s    11 MB   3 domains
 *
 * THREADS, BITS, SWITCHES, VERSIONS
 *   The library has no global state, so calls on different contexts (or NULL)
 *   are independent.  It starts no threads, but a context can lend it some (see
 *   `parallel`; then `need` grows).  The same input and seed give the same bits
 *   for any lanes, compiler and IEEE machine.  Give all files equal switches:
 *     -DMTC_SINGLE     computes in float; sums of very many samples lose digits
 *     -DMTC_NO_MALLOC  needs no <stdlib.h>: all memory comes from the context
 *     -DMTC_FAST       allows fused multiply-add: faster, but bits may differ
 *     -DMTC_API=...    stands before every function: static, or an attribute
 *   Until 1.0 structs may grow with the minor version: compile again.
 *
 * REFERENCES
 *   [GZ09]   Gu, Zhou: learning the shared subspace.  ICDM 2009.
 *   [ZZ10]   Zhang, Zhang: multitask Bregman clustering.  AAAI 2010.
 *   [ZZL19]  Zhang, Zhang, Liu: weighted multi-task clustering.  CJC 42, 2019.
 *   [TSZX15] Tan et al.: transitive transfer learning.  KDD 2015.
 *   [B19]    Berikov: heterogeneous transfer in ensemble clustering.  SLS 2019.
 *   [CXWS12] Chen et al.: marginalized denoising autoencoders.  ICML 2012.
 *   [KDP12]  Kuang, Ding, Park: symmetric NMF.  SDM 2012.
 *   [FCL05]  Fan, Chen, Lin: working set selection for SVM.  JMLR 2005.
 *   [BMDG05] Banerjee et al.: clustering with Bregman divergences.  JMLR 2005.
 */
#ifndef MTC_H
#define MTC_H

#include <stddef.h>
#include <stdint.h>

#define MTC_VERSION_MAJOR 0
#define MTC_VERSION_MINOR 4
#define MTC_VERSION_PATCH 0
#define MTC_VERSION \
    (MTC_VERSION_MAJOR * 10000 + MTC_VERSION_MINOR * 100 + MTC_VERSION_PATCH)

#ifndef MTC_API                     /* e.g. static, or a visibility attribute */
#define MTC_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* A float program must not link with a double library, nor the other way round.
 * So in float all that takes reals, makes views or frees results is renamed. */
#ifdef MTC_SINGLE
typedef float mtc_real;
#define mtc_dense mtc_dense_f
#define mtc_csr mtc_csr_f
#define mtc_shape mtc_shape_f
#define mtc_free mtc_free_f
#define mtc_dot mtc_dot_f
#define mtc_axpy mtc_axpy_f
#define mtc_exp mtc_exp_f
#define mtc_log mtc_log_f
#define mtc_gemm mtc_gemm_f
#define mtc_syrk mtc_syrk_f
#define mtc_cholesky mtc_cholesky_f
#define mtc_triangular_solve mtc_triangular_solve_f
#define mtc_cholesky_solve mtc_cholesky_solve_f
#define mtc_qr mtc_qr_f
#define mtc_jacobi mtc_jacobi_f
#define mtc_symeig mtc_symeig_f
#define mtc_symeig_range mtc_symeig_range_f
#define mtc_eigen_operator mtc_eigen_operator_f
#define mtc_emd mtc_emd_f
#define mtc_assignment mtc_assignment_f
#define mtc_match mtc_match_f
#define mtc_mbc_centroid mtc_mbc_centroid_f
#define mtc_bridge_fit mtc_bridge_fit_f
#define mtc_bridge_score mtc_bridge_score_f
#define mtc_score mtc_score_f
#define mtc_random_real mtc_random_real_f
#define mtc_random_normal mtc_random_normal_f
#else
typedef double mtc_real;
#endif

#define MTC_NONE SIZE_MAX           /* "no such index" */

/* ======================================================================
 * Status, context, memory
 * ====================================================================== */

typedef enum mtc_status {
    MTC_OK = 0,
    MTC_NO_MEMORY = -1,             /* the allocator returned NULL */
    MTC_INVALID = -2,               /* an argument or option is out of range */
    MTC_DOMAIN = -3,                /* a value outside the domain: NaN, Inf */
    MTC_SINGULAR = -4,              /* a matrix is not positive definite */
    MTC_CANCELLED = -5,             /* the progress callback said stop */
    MTC_TOO_BIG = -6,               /* a product of sizes overflows size_t */
    MTC_LIMIT = -7                  /* a bound on work was met with no answer */
} mtc_status;

MTC_API const char *mtc_status_text(mtc_status s);      /* never NULL */
MTC_API const char *mtc_version(void);                  /* of the library */
/* Returns NULL if this build computes as IEEE says, or else what is wrong. */
MTC_API const char *mtc_selftest(void);

/* Where a call failed.  Indices that do not apply are MTC_NONE. */
typedef struct mtc_place {
    const char *what;               /* the argument or reason, static text */
    size_t task, row, column;
} mtc_place;

/* What a call needs from outside.  NULL stands for malloc and free, no
 * progress, no threads and seed 1.  Start from mtc_context_defaults(). */
typedef struct mtc_context {
    /* allocate returns `size` bytes aligned for double, or NULL.  If both are
     * NULL, malloc and free are used. */
    void *(*allocate)(void *memory, size_t size);
    void (*release)(void *memory, void *block, size_t size);
    void *memory;                   /* handed to both */
    /* Called in every iteration or block of rows, or NULL.  stage is a text
     * such as "k-means" or "eigenvalues".  A non-zero return cancels the call.
     * Where lanes are lent, several threads may call it at once. */
    int (*progress)(void *user, const char *stage, size_t done, size_t total);
    void *user;                     /* handed to progress */
    uint64_t seed;                  /* of everything random in a call */
    /* Lends threads, or NULL.  It runs piece(job, 0) to piece(job, n-1), in
     * parallel if it can, and returns when all have returned.  n is at most
     * `lanes`, and no piece calls it again.  See examples/threads.c. */
    void (*parallel)(void *pool, size_t n,
                     void (*piece)(void *job, size_t i), void *job);
    void *pool;                     /* handed to parallel */
    size_t lanes;                   /* 0 and 1 lend none; at most 1024 */
    mtc_place error;                /* out: set only by a call that fails */
    size_t need;                    /* out: peak bytes of the last call, or 0 */
} mtc_context;
MTC_API mtc_context mtc_context_defaults(void);
/* Returns a context whose allocator refuses: see MEMORY.  Set `parallel` and
 * `lanes` as the real call will have them. */
MTC_API mtc_context mtc_measure(void);

/* The memory of a result.  Every result begins with it. */
typedef struct mtc_block {
    void *at;
    size_t bytes;                   /* of the block */
    size_t whole;                   /* sizeof the result */
} mtc_block;

/* mtc_free(ctx, &res.block) releases the memory of any result to the allocator
 * that it came from, and sets all of `res` to 0.  It ignores NULL and a result
 * of zeros.  Never pass a copy of the mtc_block alone. */
MTC_API void mtc_free(mtc_context *ctx, mtc_block *block);

/* An allocator over a buffer of yours, which may begin at any address.  Only
 * the block allocated last can be freed; set `used` to 0 to free all. */
typedef struct mtc_arena {
    unsigned char *base;
    size_t size, used, peak;        /* peak: the largest `used` so far */
} mtc_arena;
MTC_API mtc_arena mtc_arena_over(void *buffer, size_t size);
/* Returns a context that allocates from `arena`, which must outlive it. */
MTC_API mtc_context mtc_arena_context(mtc_arena *arena);

/* The library's only source of chance: xoshiro256**, seeded by SplitMix64. */
typedef struct mtc_random {
    uint64_t s[4];
} mtc_random;

MTC_API mtc_random mtc_random_seed(uint64_t seed);
MTC_API uint64_t mtc_random_bits(mtc_random *r);
/* A real in [0,1); a number below n (0 if n is 0); a standard normal. */
MTC_API mtc_real mtc_random_real(mtc_random *r);
MTC_API size_t mtc_random_below(mtc_random *r, size_t n);
MTC_API mtc_real mtc_random_normal(mtc_random *r);

/* ======================================================================
 * Data: a borrowed, read-only view of samples as rows, dense or CSR
 *
 * Scale features that have different units, for example to a standard deviation
 * of 1: whatever uses distances, such as k-means, MBC and LSSMTC, weighs a
 * feature by its spread.  All tasks need the same units.  Weigh the words of
 * texts, for example by tf-idf.  Remove empty CSR columns: they cost memory.
 *
 * Values and weights are 0 or lie within 1e-45..1e45 (float: 1e-9..1e9).  A
 * larger value is refused with MTC_DOMAIN, and so are data of smaller values
 * only; a small value beside larger ones adds nothing.  Distances of dense rows
 * are sums of squared differences, and means are summed from a pivot.  Nothing
 * else is done for data that are tiny or far from 0.
 * ====================================================================== */

typedef struct mtc_data {
    size_t n, d;                    /* samples, features */
    const mtc_real *values;         /* dense [n*stride], CSR [row[n]] */
    size_t stride;                  /* dense: from row to row, >= d */
    const size_t *row;              /* CSR: [n+1], row[0]=0; NULL if dense */
    const uint32_t *column;         /* CSR: [row[n]], ascending in each row */
} mtc_data;
MTC_API mtc_data mtc_dense(size_t n, size_t d, const mtc_real *values);
/* If no value is stored, `column` and `values` may be NULL. */
MTC_API mtc_data mtc_csr(size_t n, size_t d, const size_t *row,
                         const uint32_t *column, const mtc_real *values);
/* Returns a view without values for calls under mtc_measure(): a CSR view with
 * `stored` values, or a dense one if that is 0.  Labels may then be NULL, too,
 * except where the number of classes is read from them. */
MTC_API mtc_data mtc_shape(size_t n, size_t d, size_t stored);

/* Checks X as every call that takes data does first.  On failure ctx->error
 * names `task` (or MTC_NONE), row and column.  Returns OK, INVALID (NULL, n or
 * d 0, stride < d, CSR order), TOO_BIG, or DOMAIN: a value is NaN, Inf or above
 * the range, or all values are below it but not all 0. */
MTC_API mtc_status mtc_data_check(mtc_context *ctx, const mtc_data *X,
                                  size_t task);

/* Products with a view.  They never fail.  `work` points to mtc_data_work(X, Y,
 * p) bytes aligned for double, where Y is NULL for a product of one view.  It
 * may be NULL in products with B, and if both views are dense.  NULL selects
 * plain loops, which are slower and differ in the last digits. */
MTC_API size_t mtc_data_work(const mtc_data *X, const mtc_data *Y, size_t p);
/* Computes C [n*ldc] = X B, where B [d*ldb] has p columns. */
MTC_API void mtc_data_times(const mtc_data *X, size_t p, const mtc_real *B,
    size_t ldb, mtc_real *C, size_t ldc, void *work);
/* Computes C [d*ldc] = X' B, where B [n*ldb] has p columns. */
MTC_API void mtc_data_transpose_times(const mtc_data *X, size_t p,
    const mtc_real *B, size_t ldb, mtc_real *C, size_t ldc, void *work);
/* Computes G [X.n*ldg] = X Y' of views with the same d.  G is exactly symmetric
 * if X == Y.  A CSR Y must have fewer than 2^32 rows. */
MTC_API void mtc_data_gram(const mtc_data *X, const mtc_data *Y,
                           mtc_real *G, size_t ldg, void *work);
/* Writes the squared lengths of the rows to norms [n]. */
MTC_API void mtc_data_norms(const mtc_data *X, mtc_real *norms);
/* Returns the product of row i with v [d]; axpy adds a times row i to v. */
MTC_API mtc_real mtc_data_dot(const mtc_data *X, size_t i, const mtc_real *v);
MTC_API void mtc_data_axpy(const mtc_data *X, size_t i, mtc_real a,
                           mtc_real *v);
/* Returns |x_i - y_j|^2 of rows of any two views with the same d. */
MTC_API mtc_real mtc_data_distance(const mtc_data *X, size_t i,
                                   const mtc_data *Y, size_t j);
/* Writes the mean row of each cluster to means [k*d] and its share of the rows
 * to share [k]; an empty cluster gets zeros.  Labels [n] are 0..k-1. */
MTC_API void mtc_data_means(const mtc_data *X, const int *labels, size_t k,
                            mtc_real *means, mtc_real *share);

/* ======================================================================
 * k-means, and the divergences that it may use
 * ====================================================================== */

/* ---- k-means ----------------------------------------------------------
 * mtc_kmeans divides samples into k clusters around centers.
 *   min  sum_i weight_i d(x_i || u_h(i))   over labels h and centers u
 * It runs Lloyd's iteration from k-means++ seeds several times, and returns the
 * run of lowest loss.  A cluster that becomes empty takes the sample that costs
 * most, unless all samples left are equal.  A sample of weight 0 gets a label
 * and has no other effect.  A step takes O(nnz k) time; memory O(n + k d). */
typedef struct mtc_kmeans_options {
    size_t clusters;                /* k, 1..n; default 2 */
    size_t restarts;                /* >= 1; default 10; 1 with a start */
    size_t iterations;              /* of one restart; default 300 */
    mtc_real tolerance;             /* default 0 */
    const mtc_real *weights;        /* [n] >= 0; NULL: all 1 */
    const int *start_labels;        /* [n] in 0..k-1; NULL: k-means++ */
    const mtc_real *start_centers;  /* [k*d] overrides these; default NULL */
    const struct mtc_divergence *divergence;  /* NULL: squared Euclidean */
} mtc_kmeans_options;

typedef struct mtc_kmeans_result {
    mtc_block block;
    size_t clusters, d;             /* shape of centers */
    int *labels;                    /* [n] */
    mtc_real *centers;              /* [clusters*d]; an empty one stays put */
    mtc_real *objective;            /* [iterations+1] never increasing */
    mtc_real loss;                  /* objective[iterations] */
    size_t iterations;              /* of the restart that won */
    int converged;
    size_t k_effective;             /* clusters with a sample of weight > 0 */
    const struct mtc_divergence *divergence;  /* a copy, with its metric */
} mtc_kmeans_result;
MTC_API mtc_kmeans_options mtc_kmeans_defaults(void);
MTC_API mtc_status mtc_kmeans(mtc_context *ctx, const mtc_data *X,
    const mtc_kmeans_options *opt, mtc_kmeans_result *res);
/* Writes the labels [X.n] of new samples.  You may fill in a result yourself:
 * it needs clusters, d, divergence and centers, which are not checked. */
MTC_API mtc_status mtc_kmeans_assign(mtc_context *ctx, const mtc_data *X,
    const mtc_kmeans_result *res, int *labels);

/* ---- Bregman divergences [BMDG05] -------------------------------------
 * A divergence measures how far x is from a representative y.
 *   d(x||y) = phi(x) - phi(y) - <x - y, grad phi(y)>
 * The library has four.  To make your own, fill in four functions, which all
 * get `user`.  value() is >= 0, and 0 only if x = y; admits() returns 1 if
 * feature j may have the value xj.  Lent threads call them concurrently. */
typedef struct mtc_divergence {
    mtc_real (*value)(const void *user, size_t d, const mtc_real *x,
                      const mtc_real *y);
    void (*gradient)(const void *user, size_t d, const mtc_real *x,
                     mtc_real *g);            /* g = grad phi(x) */
    void (*inverse)(const void *user, size_t d, const mtc_real *g,
                    mtc_real *x);             /* grad phi(x) = g */
    int (*admits)(const void *user, size_t j, mtc_real xj);
    const void *user;
} mtc_divergence;
MTC_API mtc_divergence mtc_sqeuclidean(void);     /* sum (x-y)^2 */
MTC_API mtc_divergence mtc_kl(void);              /* sum x log(x/y) - x + y */
MTC_API mtc_divergence mtc_itakura_saito(void);   /* sum x/y - log(x/y) - 1 */

/* (x-y)' A (x-y) for A = L L'.  L [d*d] is lower, as mtc_cholesky makes it of
 * A.  Calls return MTC_SINGULAR unless the diagonal of L is above 0.  `metric`
 * and L must outlive the divergence; results hold a copy. */
typedef struct mtc_metric {
    size_t d;
    const mtc_real *L;
} mtc_metric;
MTC_API mtc_divergence mtc_mahalanobis(const mtc_metric *metric);

/* ======================================================================
 * Methods that share between tasks
 * ====================================================================== */

/* ---- LSSMTC: one subspace shared by all tasks [GZ09] -------------------
 * mtc_lssmtc clusters several tasks that have the same features and the same
 * number of clusters, so that cluster z means the same in every task.
 *   min lambda sum_k |X_k - P_k M_k|^2 + (1-lambda) sum_k |X_k W - P_k M|^2
 * Each task keeps a soft partition P_k >= 0 and centers M_k of its own.  All
 * tasks share a projection W, and centers M within it. */
typedef enum mtc_subspace_mode {
    MTC_SUBSPACE_RECON,             /* the shared term: |X_k - P_k M W'|^2 */
    MTC_SUBSPACE_PCA,               /* [GZ09] on top `rank` singular vectors */
    MTC_SUBSPACE_LITERAL            /* [GZ09] as printed, if d + c < samples */
} mtc_subspace_mode;

typedef enum mtc_start {
    MTC_START_ALIGNED,              /* k-means in each task, centers matched */
    MTC_START_POOLED                /* one k-means on all tasks */
} mtc_start;

typedef struct mtc_lssmtc_options {
    size_t clusters;                /* c, 1..n of each task; default 2 */
    mtc_real lambda;                /* 0..1; 1 shares nothing; default .75 */
    mtc_subspace_mode mode;         /* default MTC_SUBSPACE_RECON */
    size_t subspace;                /* l; default 0: c.  Try 2 4 8 16 */
    size_t rank;                    /* r of mode pca; default 32 */
    mtc_real offset;                /* 0..10, added to every entry of the first
                                       P, as a 0 stays 0; default .2 */
    mtc_start start;                /* default MTC_START_ALIGNED */
    size_t iterations;              /* default 20; 50 for small noisy tasks */
    mtc_real tolerance;             /* default 0 */
    size_t restarts;                /* of the k-means; default 10 */
    const int *const *start_labels; /* [tasks] of [n_k]; NULL: by `start` */
    int match_start;                /* 1 matches their clusters; default 0 */
    const mtc_real *start_W;        /* [d*l], orthonormalized; NULL: computed */
} mtc_lssmtc_options;

typedef struct mtc_lssmtc_result {
    mtc_block block;
    size_t tasks, clusters, d;      /* LSSTTC: sources first, target last */
    size_t subspace, width;         /* rank of W; columns of W and M */
    mtc_real lambda;                /* as in the options */
    int **labels;                   /* [tasks] of [n_k] */
    mtc_real **P;                   /* [tasks] of [n_k*c] */
    mtc_real **centers, **means;    /* [tasks] of [c*d] M_k; means by label */
    mtc_real *W, *M;                /* [d*width], [c*width] */
    mtc_real *objective;            /* [iterations+1], never increasing */
    size_t iterations;
    int converged;
    size_t *k_effective;            /* [tasks] clusters that occur */
    mtc_real *relatedness;          /* [tasks*tasks] 0..1, symmetric: how alike
                                       M_t and M_s are, apart from a shift */
    int *matched;                   /* [tasks] 1 if clusters z resemble those of
                                       task 0 more than by chance, none empty */
} mtc_lssmtc_result;
MTC_API mtc_lssmtc_options mtc_lssmtc_defaults(void);
MTC_API mtc_status mtc_lssmtc(mtc_context *ctx, const mtc_data *tasks,
    size_t n_tasks, const mtc_lssmtc_options *opt, mtc_lssmtc_result *res);
/* Writes the labels [X.n] of new samples of a task, by its `means`. */
MTC_API mtc_status mtc_lssmtc_assign(mtc_context *ctx, const mtc_data *X,
    size_t task, const mtc_lssmtc_result *res, int *labels);

/* ---- MBC: Bregman clustering, centroids transported [ZZ10] ---------------
 * mtc_mbc clusters several tasks that have the same features, and pulls the
 * centroids of each toward those of the others.  This helps if tasks are small
 * and related.  The numbers of clusters may differ.
 *   min  sum_t 1/n_t sum_i d(x_i || u^t_h(i))
 *      + lambda/(T-1) sum_{t != s} <W^ts, D^ts>,  D^ts_zl = d(u^t_z || u^s_l)
 * It finds labels h, centroids u, and for every ordered pair of tasks a plan
 * W^ts of transport between their clusters, with rows that sum to 1/K_t and
 * columns to 1/K_s.
 *
 * `center` removes each task's mean first, for tasks with the same groups at
 * different places, such as sensors that each have an offset.  It needs squared
 * Euclidean or Mahalanobis.  Centroids stay in the caller's coordinates. */
typedef enum mtc_centroid {
    MTC_CENTROID_EXACT,             /* exact; geodesic for your divergences */
    MTC_CENTROID_GEODESIC           /* [ZZ10]: a local best on the geodesic */
} mtc_centroid;

typedef struct mtc_mbc_options {
    size_t clusters;                /* K of every task, 1..n; default 2 */
    const size_t *clusters_of;      /* [tasks] K of each; NULL: clusters */
    mtc_real lambda;                /* >= 0; 0: each by itself; default .5 */
    const mtc_divergence *divergence;  /* NULL: squared Euclidean */
    mtc_real smooth;                /* added to every value; kl and is need it
                                       if there are zeros; default 0 */
    int center;                     /* 1: see above; default 0 */
    mtc_centroid centroid;          /* default MTC_CENTROID_EXACT */
    size_t iterations;              /* default 100 */
    mtc_real tolerance;             /* default 1e-10; 0 ends a run that falls no
                                       more; a negative one ends none */
    size_t restarts;                /* >= 1; default 10; 1 with a start */
    const int *const *start_labels; /* [tasks] of [n_t]; default NULL */
    const mtc_real *const *start_centers;  /* [tasks] of [K_t*d], of x +
                                       smooth; default NULL */
} mtc_mbc_options;

typedef struct mtc_mbc_result {
    mtc_block block;
    size_t tasks, d;
    const mtc_divergence *divergence;  /* NULL: squared Euclidean */
    mtc_real smooth;                /* as it was added */
    size_t *clusters;               /* [tasks] K_t */
    int **labels;                   /* [tasks] of [n_t] */
    mtc_real **centers;             /* [tasks] of [K_t*d], of x + smooth */
    mtc_real **plans;               /* [tasks*tasks] of [K_t*K_s] W^ts at
                                       t*tasks+s; NULL where t = s */
    int *matched;                   /* [tasks] as LSSMTC's; also 0 where K_t is
                                       not K_0, or t > 0 and a start is given */
    mtc_real gap;                   /* largest duality gap of a plan */
    mtc_real *objective;            /* [iterations+1], never increasing */
    mtc_real loss;                  /* objective[iterations] */
    mtc_real *within;               /* [tasks] 1/n sum_i d(x_i || u_h(i)) */
    size_t iterations;
    int converged;
    size_t *k_effective;            /* [tasks] clusters that occur */
    mtc_real *coherence;            /* [tasks*tasks] d_M: the cost of moving
                                       the clusters' shares from t to s */
    mtc_real *relatedness;          /* [tasks*tasks] 1 / (1 + d_M / within_t) */
} mtc_mbc_result;
MTC_API mtc_mbc_options mtc_mbc_defaults(void);
/* Also returns DOMAIN if the divergence refuses a value or overflows. */
MTC_API mtc_status mtc_mbc(mtc_context *ctx, const mtc_data *tasks,
    size_t n_tasks, const mtc_mbc_options *opt, mtc_mbc_result *res);
/* Writes the labels [X.n] of new samples of a task.  You may fill in a result:
 * it needs tasks, d, clusters, divergence, smooth and centers (not checked). */
MTC_API mtc_status mtc_mbc_assign(mtc_context *ctx, const mtc_data *X,
    size_t task, const mtc_mbc_result *res, int *labels);

/* Finds the centroid u [d] = argmin A d(left || u) + B d(u || right), [ZZ10]
 * (14), for A > 0 and B >= 0.  left and right [d] have to be in the domain. */
MTC_API mtc_status mtc_mbc_centroid(mtc_context *ctx,
    const mtc_divergence *div, mtc_centroid how, size_t d, mtc_real A,
    mtc_real B, const mtc_real *left, const mtc_real *right, mtc_real *u);

/* ---- MTCFIR: features and similarities that tasks share [ZZL19] --------
 * mtc_mtcfir clusters several tasks of text with the same features.  Numbers of
 * clusters and classes may differ: it learns how much task s counts for task t.
 *   Z = [X, h1 .. hg]      shared features of all tasks, by mtc_msda
 *   M_t                    similarities within task t that agree with those
 *                          to every other task, by mtc_consistent
 *   min_{Y >= 0} |M_t - Y Y'|^2    clusters of each task, by mtc_snmf
 * Time is O(N^2 d layers + sum_t n_t^2 N); memory O(N d layers + N^2). */
typedef enum mtc_mtcfir_variant {
    MTC_MTCFIR_FULL,                /* the method */
    MTC_MTCFIR_NF,                  /* no shared features: layers = 0 */
    MTC_MTCFIR_NI,                  /* M = max(cosines of the task, 0) */
    MTC_MTCFIR_NR                   /* no relatedness: all tasks count 1 */
} mtc_mtcfir_variant;

typedef struct mtc_mtcfir_options {
    size_t clusters;                /* k of every task, 1..n; default 2 */
    const size_t *clusters_of;      /* [tasks] k of each; NULL: clusters */
    size_t layers;                  /* g; default 3; 0 for images */
    mtc_real noise;                 /* p of mtc_msda; default .5; try to .9 */
    mtc_real ridge;                 /* of mtc_msda, >= 0; default 1e-5 */
    mtc_real neighbor_share;        /* s: l_t = ceil(s n_t / k_t); default .3 */
    const size_t *neighbors_of;     /* [tasks] l of each; NULL: by the share */
    mtc_mtcfir_variant variant;     /* default MTC_MTCFIR_FULL */
    size_t iterations;              /* of symmetric NMF; default 300 */
    mtc_real tolerance;             /* default 1e-6 */
    size_t restarts;                /* of the start's k-means; default 10 */
    const int *const *start_labels; /* [tasks] of [n_t]; NULL: k-means on Z */
} mtc_mtcfir_options;

typedef struct mtc_mtcfir_result {
    mtc_block block;
    size_t tasks, n, d;             /* n: samples of all tasks */
    size_t *clusters;               /* [tasks] k of each */
    int **labels;                   /* [tasks] of [n_t] */
    mtc_real **Y, **objective;      /* [tasks] of [n_t*k_t]; [iterations+1] */
    size_t *iterations;             /* [tasks] */
    int *converged;                 /* [tasks] */
    size_t *k_effective;            /* [tasks] clusters that occur */
    mtc_data *M;                    /* [tasks] factorized: CSR, dense for NI */
    size_t *neighbors;              /* [tasks] l as used */
    mtc_real *threshold;            /* [tasks] eps: cosines that count */
    mtc_real *alpha, *relatedness;  /* [tasks*tasks]; alpha_ts / alpha_tt */
    int *matched;                   /* [tasks] as MBC's */
    struct mtc_msda_result *features;  /* of all tasks; freed with this */
} mtc_mtcfir_result;
MTC_API mtc_mtcfir_options mtc_mtcfir_defaults(void);
/* Also returns SINGULAR: noise 0 and a ridge that is too small. */
MTC_API mtc_status mtc_mtcfir(mtc_context *ctx, const mtc_data *tasks,
    size_t n_tasks, const mtc_mtcfir_options *opt, mtc_mtcfir_result *res);

/* ======================================================================
 * Partitions: what several of them agree on, and one numbering for tasks
 * ====================================================================== */

/* ---- vote: the consensus of several partitions -------------------------
 * mtc_vote finds the k clusters on which several partitions, the runs, agree
 * best.  It makes the normalized cut of H = B B', as mtc_ncut would.
 *   H_ij = sum_r w_r [z_r(i) = z_r(j)]           how often i and j are together
 * B has a column for each cluster of each run, q in all, and H is never formed:
 * m runs take O(n m^2 + n k q + q^3) time. */
typedef struct mtc_vote_options {
    size_t clusters;                /* k, 1..n; default 2 */
    const mtc_real *weights;        /* [m] >= 0 of the runs; NULL: equal */
    const mtc_real *losses;         /* [m] >= 0; above 1.02 times the lowest of
                                       weight > 0 a run has no vote; or NULL */
    size_t restarts;                /* of the k-means; default 5 */
    const int *start_labels;        /* [n] start of the k-means; default NULL */
} mtc_vote_options;

typedef struct mtc_vote_result {
    mtc_block block;
    size_t clusters;
    int *labels;                    /* [n] */
    size_t rank;                    /* k, or what the runs can tell apart */
    mtc_real *embedding;            /* [n*rank] rows of length 1, or 0 */
    mtc_real *singular_values;      /* [rank] of D^-1/2 B, descending from 1 */
    mtc_real *stability;            /* [n] mean of H_ij over the others of the
                                       cluster, or 0; w is scaled to sum 1 */
    mtc_real *cluster_stability;    /* [k] mean of these over a cluster */
    mtc_real mean_stability;        /* mean of these over all samples */
    mtc_real *objective;            /* [iterations+1] of the k-means */
    size_t iterations;
    int converged;
    size_t k_effective;             /* clusters that are not empty */
} mtc_vote_result;
MTC_API mtc_vote_options mtc_vote_defaults(void);
/* The labels in runs [m] of [n] are 0..n-1. */
MTC_API mtc_status mtc_vote(mtc_context *ctx, size_t n, const int *const *runs,
    size_t m, const mtc_vote_options *opt, mtc_vote_result *res);

/* ---- EC: ensemble clustering in random subspaces [B19] ------------------
 * mtc_ec clusters one data set by a vote over many k-means partitions, each
 * made in features that are drawn at random.  It suits data whose clusters
 * show in many subspaces, or that have misleading features. */
typedef struct mtc_ec_options {
    size_t clusters;                /* k, 1..n, also of each run; default 2 */
    size_t runs;                    /* L; default 10 */
    size_t columns;                 /* of a run; 0 (default): d/4, at least 3; d
                                       if 9 values in 10 are 0; published 3 */
    size_t iterations;              /* of a run's k-means; default 300 */
    size_t restarts;                /* of the vote's k-means; default 10 */
    const int *const *partitions;   /* [runs] of [n] in 0..n-1; NULL: k-means */
    const size_t *features;         /* [runs*columns]; NULL: drawn, or all */
    const int *start_labels;        /* [n] start of the vote's k-means; NULL */
} mtc_ec_options;

typedef struct mtc_ensemble {       /* the runs of one data set */
    size_t n, d, runs, columns;
    size_t clusters;                /* k_r: the most of any run */
    int *partitions;                /* [runs*n] */
    size_t *features;               /* [runs*columns]; NULL: all d */
    size_t *sizes;                  /* [runs*k_r] samples of each cluster */
    mtc_real *centers;              /* [runs*k_r*columns] their means */
    mtc_real *silhouette;           /* [n] mean over the runs, or NULL */
} mtc_ensemble;

typedef struct mtc_ec_result {
    mtc_block block;
    int *labels;                    /* [n] = vote.labels */
    mtc_ensemble ensemble;
    mtc_vote_result vote;           /* over its partitions */
    mtc_real *support;              /* [runs*k_r*k] the model of assign */
} mtc_ec_result;
MTC_API mtc_ec_options mtc_ec_defaults(void);
MTC_API mtc_status mtc_ec(mtc_context *ctx, const mtc_data *X,
                          const mtc_ec_options *opt, mtc_ec_result *res);
/* Writes the labels [X.n] of new samples.  In each run a sample joins the
 * nearest center.  It gets the cluster whose samples it meets there most. */
MTC_API mtc_status mtc_ec_assign(mtc_context *ctx, const mtc_data *X,
                                 const mtc_ec_result *res, int *labels);

/* ---- one numbering over tasks ------------------------------------------
 * mtc_match numbers the k clusters of a task like those of another task.  It
 * reorders centers [k*d] and renumbers labels [n], which are 0..k-1, so that
 * the squared distances between row z of centers and row z of to [k*d] have the
 * least sum.  A cluster without samples takes a number that is left.  from [k]
 * gets the old numbers, and *matched is as LSSMTC's; both may be NULL. */
MTC_API mtc_status mtc_match(mtc_context *ctx, size_t k, size_t d,
    const mtc_real *to, mtc_real *centers, size_t n, int *labels, size_t *from,
    int *matched);

/* ======================================================================
 * Transfer: from labeled sources to a target without labels
 * ====================================================================== */

/* ---- LSSTTC: LSSMTC from labeled sources to a target [GZ09] -------------
 * mtc_lssttc sorts the samples of a target into the classes of sources with the
 * same features.  Labels are 0..c-1, and source_labels[s] is [sources[s].n].
 * They are kept, and sources count in the shared term alone.  No sample can
 * get a class that no source has.  The target starts from start_labels[0], or
 * from a k-means that begins at the means of classes.  Defaults are lambda .25,
 * mode pca, subspace 16, rank 100.  mtc_lssmtc_assign labels new samples. */
MTC_API mtc_lssmtc_options mtc_lssttc_defaults(void);
MTC_API mtc_status mtc_lssttc(mtc_context *ctx, const mtc_data *sources,
    const int *const *source_labels, size_t n_sources, const mtc_data *target,
    const mtc_lssmtc_options *opt, mtc_lssmtc_result *res);

/* ---- TTL: from a source to a target through bridges [TSZX15] -----------
 * mtc_ttl labels the samples of a target that need not share a feature with the
 * labeled source.  A bridge is unlabeled data that shares features with both.
 *   X ~ G C',  C = F1 A1 + F2 A2       G [n*c] classes, C [m*c], none negative
 *   min  sum over legs and their two sides  |X - G C'|^2         [TSZX15] (7)
 * Two pairs of domains are factorized together: source and bridge (leg 0),
 * bridge and target (leg 1).  The two sides of a leg share F1 A1, each side has
 * an F2 A2 of its own, and both legs share G of the bridge.
 *
 * With features - common >= classes, as by default, the factorization itself
 * carries no labels over; only the start does.  A random start gives chance
 * labels.  The repaired variant fits leg 0 in half of the iterations, learns
 * the target's start again, and then fits leg 1.  The data are copied. */
typedef enum mtc_ttl_variant { MTC_TTL_REPAIRED, MTC_TTL_PUBLISHED }
    mtc_ttl_variant;
typedef enum mtc_ttl_weights {
    MTC_TTL_WEIGHTS_AUTO,           /* repaired: idf if 9 values in 10 are 0 */
    MTC_TTL_WEIGHTS_IDF, MTC_TTL_WEIGHTS_NONE
} mtc_ttl_weights;
typedef enum mtc_ttl_start {
    MTC_TTL_START_INFORMED,         /* by regressions, from domain to domain */
    MTC_TTL_START_RANDOM
} mtc_ttl_start;
typedef enum mtc_ttl_rows {         /* scales each row to sum 1 or to length 1;
                                       AS_GIVEN: larger units weigh more */
    MTC_TTL_ROWS_SUM, MTC_TTL_ROWS_LENGTH, MTC_TTL_ROWS_AS_GIVEN
} mtc_ttl_rows;

/* [leg][0] is shared by the two sides, [leg][1] belongs to the one nearer to
 * the source, [leg][2] to the other.  p is `common` if shared, else `own`. */
typedef struct mtc_ttl_factors {
    mtc_real *F[2][3], *A[2][3];    /* [m*p] [p*classes] */
    mtc_real *bridge, *target;      /* [bridge_n*c] [n*c] G */
} mtc_ttl_factors;

typedef struct mtc_ttl_options {
    size_t classes;                 /* c; labels are 0..c-1; default 2 */
    size_t features;                /* p of F1 and F2 together; default 30 */
    size_t common;                  /* p of F1, 1..features; default 15 */
    mtc_ttl_variant variant;        /* default MTC_TTL_REPAIRED */
    mtc_ttl_weights feature_weights; /* default AUTO; before rows are scaled */
    mtc_ttl_start start;            /* default MTC_TTL_START_INFORMED */
    mtc_ttl_rows rows;              /* default MTC_TTL_ROWS_SUM */
    size_t iterations;              /* in all; default 100 */
    mtc_real tolerance;             /* default 0 */
    const int *start_labels;        /* [target.n]; NULL: by `start` */
    const mtc_ttl_factors *start_factors; /* overrides both; NULL: none */
    const int *known;               /* [target.n] labels, -1: not known; NULL */
    const int *const *bridge_known; /* [bridges] of [n_b] likewise, or NULL */
} mtc_ttl_options;

typedef struct mtc_ttl_result {
    mtc_block block;
    size_t classes, common, own;
    size_t d, n;                    /* features, samples of the target */
    size_t bridge_n;                /* samples of all bridges */
    int *labels;                    /* [n] of the target */
    mtc_real *target;               /* [n*c] G, rows sum to 1 */
    int *bridge_labels;             /* [bridge_n] */
    mtc_real *bridge;               /* [bridge_n*c] G */
    mtc_ttl_factors factors;        /* also a start of another run */
    size_t shared[2];               /* of a leg: features that both use */
    mtc_real *objective;            /* [iterations+1] (7); it may rise */
    size_t iterations;
    int converged;
    size_t k_effective;             /* classes that occur in the target */
    mtc_real *weights;              /* [d] 1, or ln((1+N)/(1+n_e)) / ln(1+N) if
                                       n_e of all N samples have feature e */
    mtc_real *center, *gram;        /* [d*c] [c*c] for assign */
} mtc_ttl_result;
MTC_API mtc_ttl_options mtc_ttl_defaults(void);
/* source_labels[s] is [sources[s].n].  bridges [n_bridges] have the features of
 * the sources.  views [n_bridges] are the same samples with the features of the
 * target; NULL says that all domains have the same features.  All sources make
 * one domain, and so do all bridges.  Known labels of the target and of bridges
 * are kept, and help to find the others.  A class without a label gets samples
 * only from a start that you give.  A sample of zeros gets equal shares, hence
 * label 0.  The task of an error counts sources, then bridges, then the target.
 * Also returns INVALID if source or target shares no feature of idf > 0 with
 * the bridges, and DOMAIN if a value is negative or (7) overflows. */
MTC_API mtc_status mtc_ttl(mtc_context *ctx, const mtc_data *sources,
    const int *const *source_labels, size_t n_sources, const mtc_data *bridges,
    const mtc_data *views, size_t n_bridges, const mtc_data *target,
    const mtc_ttl_options *opt, mtc_ttl_result *res);
/* Writes the labels [X.n] of new samples of the target, by 200 iterations. */
MTC_API mtc_status mtc_ttl_assign(mtc_context *ctx, const mtc_data *X,
                                  const mtc_ttl_result *res, int *labels);

/* ---- choosing a bridge [TSZX15] ----------------------------------------
 * These functions tell how well data would serve as the bridge of mtc_ttl.  A
 * triple (source, bridge, target) with the same features has six features: the
 * complexities of the three (1), and the A-distances source-bridge,
 * source-target and bridge-target (2).
 *   score = 1 / (1 + exp(-(bias + weight . features + link t)))          (3)
 *   t = sqrt((1 - source-bridge / 2) (1 - bridge-target / 2)) */
#define MTC_BRIDGE_FEATURES 6
typedef enum mtc_bridge_form {
    MTC_BRIDGE_LINKS,               /* bias and link */
    MTC_BRIDGE_LINEAR               /* bias and weight, as published */
} mtc_bridge_form;
typedef struct mtc_bridge_model {
    mtc_real bias, weight[MTC_BRIDGE_FEATURES];
    mtc_real link;                  /* of t; 0 in the linear form */
} mtc_bridge_model;

/* Computes the six features, out [6].  Each domain needs two samples. */
MTC_API mtc_status mtc_bridge_features(mtc_context *ctx, const mtc_data *source,
    const mtc_data *bridge, const mtc_data *target, mtc_real *out);
/* Learns a model from n triples: features [n*6], and labels [n] that are 1 if
 * the bridge helped.  It is a logistic regression on standardized features. */
MTC_API mtc_status mtc_bridge_fit(mtc_context *ctx, size_t n,
    const mtc_real *features, const int *labels, mtc_bridge_form form,
    mtc_real ridge, mtc_bridge_model *model);
/* Scores a bridge in [0,1]; larger is better.  Pass NULL if you have no model:
 * the score is then 1 - max(source-bridge, bridge-target) / 2. */
MTC_API mtc_real mtc_bridge_score(const mtc_bridge_model *model,
                                  const mtc_real *features);

/* ---- TrEC: ensemble clustering, corrected by a labeled source [B19] ------
 * mtc_trec clusters a target by EC, and corrects the partition by what a
 * labeled source teaches: how likely two samples that h of the L runs put
 * together belong to one class.  h / L is their co-association.  Source and
 * target may have different features and numbers of classes.
 *   min over labels y   sum_ij ([y_i = y_j] - Z_ij)^2                    (2)
 * It moves one sample at a time, never the last of a cluster.  Time is
 * O(L n^2 + moves n (L + k)), and O(pairs n^2) more for BOTH. */
typedef enum mtc_meta {
    MTC_META_PROBABILITY,           /* Z = share of pairs at h in one class,
                                       monotone in h, scaled for target's k */
    MTC_META_BOTH,                  /* published: Z = sign of an RBF SVM of mean
                                       silhouette and co-association */
    MTC_META_COASSOCIATION          /* Z = sign of an SVM of co-association */
} mtc_meta;

typedef struct mtc_trec_options {
    mtc_ec_options ec;              /* of the target; runs, columns and
                                       iterations also of the source */
    size_t source_clusters;         /* of runs; 0: top label + 1, at most n */
    const int *const *source_partitions; /* as ec.partitions */
    const size_t *source_features;  /* as ec.features */
    mtc_meta meta;                  /* default MTC_META_PROBABILITY */
    mtc_real gamma, cost;           /* of the SVM, > 0; default 1/32, 10 */
    size_t pairs;                   /* of the SVM, at most; default 2000 */
    size_t iterations;              /* moves, at most; default 0: 40 with an
                                       SVM, else n/2, at least 40 */
    mtc_real qmin;                  /* stops below this norm; default 5 */
    const int *start_labels;        /* [target.n] to be corrected; NULL: EC's */
} mtc_trec_options;

typedef struct mtc_trec_result {
    mtc_block block;
    int *labels;                    /* [target.n] = target.labels */
    int *start;                     /* [target.n] labels before any move */
    mtc_ensemble source;
    mtc_ec_result target;           /* stability and model after all moves */
    size_t pairs;                   /* of the source that Z was made of */
    mtc_real *same;                 /* [runs+1] Z at h (and mean silhouette) */
    mtc_real gap;                   /* KKT gap of the SVM, or 0 */
    size_t iterations;              /* moves made */
    size_t *moved;                  /* [iterations] the sample of each move */
    int *from, *to;                 /* its clusters before and after */
    mtc_real *objective;            /* [iterations+1] |Z* - Z|, decreasing */
    int converged;                  /* 1: no move helps, or norm < qmin */
} mtc_trec_result;
MTC_API mtc_trec_options mtc_trec_defaults(void);
/* source_labels [source.n] are 0 or more.  New samples of the target are
 * labeled by mtc_ec_assign with &res->target. */
MTC_API mtc_status mtc_trec(mtc_context *ctx, const mtc_data *source,
    const int *source_labels, const mtc_data *target,
    const mtc_trec_options *opt, mtc_trec_result *res);

/* ======================================================================
 * Learners
 * ====================================================================== */

/* ---- nearest neighbors ------------------------------------------------
 * mtc_neighbors finds, for every row of `queries`, the k nearest rows of
 * `points`.  index [n_q*k] gets their numbers, nearest first and the lowest on
 * a tie; key [n_q*k] gets their distances, or is NULL.  NULL queries mean the
 * rows of `points`; then no row is its own neighbor.  Time is O(n_q n d). */
typedef enum mtc_distance {
    MTC_DISTANCE_SQEUCLIDEAN,       /* |x - y|^2 */
    MTC_DISTANCE_COSINE             /* 1 - cosine; 1 from and to a zero row */
} mtc_distance;
MTC_API mtc_status mtc_neighbors(mtc_context *ctx, const mtc_data *points,
    const mtc_data *queries, size_t k, mtc_distance distance, size_t *index,
    mtc_real *key);

/* ---- similarity graphs -------------------------------------------------
 * mtc_graph_build makes a symmetric matrix of weights in [0,1] over the rows of
 * all sets, stacked.  The graph is complete, or joins i and j if i is among the
 * nearest `neighbors` of j, or j among those of i.  It takes O(N^2 d) time. */
typedef enum mtc_similarity {
    MTC_SIMILARITY_COSINE,          /* max(cosine, 0) */
    MTC_SIMILARITY_GAUSSIAN         /* exp(-|x - y|^2 / width) */
} mtc_similarity;

typedef struct mtc_graph_options {
    mtc_similarity similarity;      /* default MTC_SIMILARITY_COSINE */
    size_t neighbors;               /* default 0: complete graph */
    mtc_real width;                 /* gaussian, > 0; default 1 */
    int absolute;                   /* 0 (default): width * mean |x - y|^2 */
    size_t local;                   /* m > 0: also * s_i s_j, the distances to
                                       the m-th nearest; default 0 */
    int loops;                      /* the value of the diagonal: 1, or 0 */
} mtc_graph_options;

typedef struct mtc_graph {
    mtc_block block;
    mtc_data weights;               /* N x N; dense if complete, else CSR */
    mtc_real width;                 /* gaussian: the width that was used */
} mtc_graph;
MTC_API mtc_graph_options mtc_graph_defaults(void);
MTC_API mtc_status mtc_graph_build(mtc_context *ctx, const mtc_data *sets,
    size_t n_sets, const mtc_graph_options *opt, mtc_graph *res);

/* ---- normalized cut ----------------------------------------------------
 * mtc_ncut cuts a similarity graph S, which is built from X by `graph`, into k
 * clusters that are joined weakly.  It runs k-means on the top k eigenvectors
 * of D^-1/2 S D^-1/2, D being the degrees, with rows scaled to length 1. */
typedef struct mtc_ncut_options {
    size_t clusters;                /* k, 1..n; default 2 */
    mtc_graph_options graph;        /* default: complete, cosine */
    size_t restarts;                /* default 10 */
    const int *start_labels;        /* [n] start of the k-means; default NULL */
    int given;                      /* 1: X is S itself, symmetric and >= 0 */
    mtc_real tolerance;             /* as mtc_eigen_operator's; default 0 */
} mtc_ncut_options;

typedef struct mtc_ncut_result {
    mtc_block block;
    int *labels;                    /* [n] */
    mtc_real *embedding;            /* [n*k] rows of length 1, or 0 */
    mtc_real *eigenvalues;          /* [k] descending */
    mtc_real cut;                   /* sum_z cut(z, rest) / volume(z) */
    mtc_real *objective;            /* [iterations+1] of the k-means */
    size_t iterations;
    int converged;
    size_t k_effective;
} mtc_ncut_result;
MTC_API mtc_ncut_options mtc_ncut_defaults(void);
MTC_API mtc_status mtc_ncut(mtc_context *ctx, const mtc_data *X,
    const mtc_ncut_options *opt, mtc_ncut_result *res);

/* ---- symmetric NMF [KDP12] ---------------------------------------------
 * mtc_snmf clusters samples by their similarities M.
 *   min_{Y >= 0} |M - Y Y'|^2,   M [n x n] symmetric, non-negative
 * The label is the argmax of a row of Y; a row of zeros keeps its start. */
typedef struct mtc_snmf_options {
    size_t clusters;                /* k, 1..n; default 2 */
    size_t iterations;              /* default 300 */
    mtc_real tolerance;             /* default 1e-6 */
    const int *start_labels;        /* [n] Y0 = indicator + .2; NULL: random */
} mtc_snmf_options;

typedef struct mtc_snmf_result {
    mtc_block block;
    int *labels;                    /* [n] */
    mtc_real *Y;                    /* [n*k] */
    mtc_real *objective;            /* [iterations+1], never increasing */
    size_t iterations;
    int converged;
    size_t k_effective;             /* clusters that occur */
} mtc_snmf_result;
MTC_API mtc_snmf_options mtc_snmf_defaults(void);
MTC_API mtc_status mtc_snmf(mtc_context *ctx, const mtc_data *M,
    const mtc_snmf_options *opt, mtc_snmf_result *res);

/* ---- logistic regression -----------------------------------------------
 * mtc_logistic fits a linear classifier that gives the probabilities of all
 * classes.  With two classes, ridge r equals the sigmoid form with penalty r/2.
 *   min  mean_i w_i (-log p_{y_i}(x_i)) + ridge/2 |W|^2,  p = softmax(W x+b) */
typedef struct mtc_logistic_options {
    size_t classes;                 /* c, labels are 0..c-1; default 2 */
    mtc_real ridge;                 /* >= 0; default 1e-3 */
    const mtc_real *weights;        /* [n] >= 0, of any sum; NULL: all 1 */
    size_t iterations;              /* Newton steps; default 100 */
    mtc_real tolerance;             /* gradient's length to stop at, relative to
                                       the start; default 1e-8, float 1e-4 */
} mtc_logistic_options;

typedef struct mtc_logistic_result {
    mtc_block block;
    size_t classes, d;
    mtc_real *W, *bias;             /* [classes*d], [classes] */
    mtc_real *objective;            /* [iterations+1], never increasing */
    mtc_real gradient;              /* its length at the end */
    size_t iterations;
    int converged;
} mtc_logistic_result;
MTC_API mtc_logistic_options mtc_logistic_defaults(void);
MTC_API mtc_status mtc_logistic(mtc_context *ctx, const mtc_data *X,
    const int *labels, const mtc_logistic_options *opt,
    mtc_logistic_result *res);
/* Writes the labels [X.n] of new samples, of the most probable class, and their
 * probabilities [X.n*classes].  Either may be NULL. */
MTC_API mtc_status mtc_logistic_assign(mtc_context *ctx, const mtc_data *X,
    const mtc_logistic_result *res, int *labels, mtc_real *probabilities);

/* ---- support vector machine --------------------------------------------
 * mtc_svm fits a classifier of largest margin by sequential minimal
 * optimization [FCL05].  Two classes make one problem, in which class 1 is
 * positive.  If there are more, each class has a problem against the rest.
 *   min 1/2 a'Qa - sum a,  0 <= a_i <= cost_i,  y'a = 0,  Q_ij = y_i y_j K_ij
 * Scale the data, or the bound on iterations may end the fit. */
typedef enum mtc_kernel { MTC_KERNEL_LINEAR, MTC_KERNEL_RBF } mtc_kernel;

typedef struct mtc_svm_options {
    size_t classes;                 /* c >= 1, labels are 0..c-1; default 2 */
    mtc_kernel kernel;              /* default MTC_KERNEL_LINEAR */
    mtc_real gamma;                 /* exp(-gamma |x-y|^2); 0 (default): 1/d */
    mtc_real cost;                  /* C, 1e-70..1e70 (float 1e-9..1e9); 1 */
    const mtc_real *costs;          /* [n] weights, times C; NULL: all 1 */
    mtc_real tolerance;             /* KKT gap to stop at; default 1e-3 */
    size_t iterations;              /* of a problem; 0 (default): 1000 (n+100),
                                       up to 10^7 if n < 660; fewer if c > 4 */
    size_t cache;                   /* bytes of kernel rows per lane; 64 MiB */
    const mtc_real *start;          /* [problems*n] a, cut to 0..C; NULL: 0 */
} mtc_svm_options;

typedef struct mtc_svm_result {
    mtc_block block;
    size_t classes, problems, n, d; /* problems: 0 (c=1), 1 (c=2), c */
    mtc_kernel kernel;
    mtc_real gamma;                 /* as used, with the default resolved */
    mtc_real *coefficients;         /* [problems*n] y_i a_i of each problem */
    mtc_real *bias;                 /* [problems] */
    mtc_real *objective, *gap;      /* [problems] the minimum above; KKT gap */
    size_t *support;                /* [problems] samples with a_i > 0 */
    size_t iterations;              /* of all problems together */
    int converged;                  /* 1: every gap is within tolerance */
} mtc_svm_result;
MTC_API mtc_svm_options mtc_svm_defaults(void);
MTC_API mtc_status mtc_svm(mtc_context *ctx, const mtc_data *X,
    const int *labels, const mtc_svm_options *opt, mtc_svm_result *res);
/* Writes the labels [X.n] of new samples, by the largest decision, and the
 * decisions [X.n*problems], sum_i coef_i K(x_i, x) + bias.  Either may be NULL.
 * `train` is the X of the fit.  A class without samples never wins. */
MTC_API mtc_status mtc_svm_assign(mtc_context *ctx, const mtc_data *X,
    const mtc_data *train, const mtc_svm_result *res, int *labels,
    mtc_real *decisions);

/* ---- marginalized denoising autoencoder [CXWS12] -----------------------
 * mtc_msda makes new features in layers.  Each layer learns, in closed form, to
 * restore features that are lost with probability `noise`.
 *   h^i = tanh([h^(i-1), 1] W'),   h^0 = the samples of all sets
 * It takes O(N d^2 + d^3) or O(N^2 d + N^3) time.  Returns SINGULAR if a ridge
 * is too small: noise 0 needs one above 0. */
typedef struct mtc_msda_options {
    size_t layers;                  /* 0 or more; default 3 */
    mtc_real noise;                 /* 0..1-1e-6 (float 1-1e-3); default .5 */
    mtc_real ridge;                 /* 0 or more; default 1e-5 */
} mtc_msda_options;

typedef struct mtc_msda_result {
    mtc_block block;
    size_t n, d, layers;            /* n: samples of all sets, set 0 first */
    mtc_real *h;                    /* [layers*n*d] h^1, then h^2 ... */
} mtc_msda_result;
MTC_API mtc_msda_options mtc_msda_defaults(void);
MTC_API mtc_status mtc_msda(mtc_context *ctx, const mtc_data *sets,
    size_t n_sets, const mtc_msda_options *opt, mtc_msda_result *res);

/* ---- consistent similarity [ZZL19] -------------------------------------
 * mtc_consistent makes a similarity M_t of the samples of every task t.  Two
 * samples are alike if their cosines to every task agree; task s counts by how
 * related it is to t.  V_ts are the cosines between the rows of tasks t and s:
 *   A_ij = sum_s alpha_ts |V_ts(i,:) - V_ts(j,:)|^2
 *   alpha_ts = share of V_ts >= eps_t, the median cosine to the l-th nearest
 * Column j of M_t minimizes sum_i A_ij M_ij + beta |M_j|^2 on the simplex, with
 * l entries; it is divided by its largest.  Then M_t is made symmetric. */
typedef struct mtc_consistent_options {
    size_t clusters;                /* k; default 2 */
    const size_t *clusters_of;      /* [tasks] k of each; NULL: `clusters` */
    mtc_real neighbor_share;        /* s: l = ceil(s n_t / k); default .3 */
    const size_t *neighbors_of;     /* [tasks] l, cut to 1..n_t-2; or NULL */
    int uniform;                    /* 1: alpha is 1 everywhere */
    int direct;                     /* 1: M_t is max(V_tt, 0), dense */
    int distances;                  /* 1: A = |x_i - x_j|^2; not with direct */
} mtc_consistent_options;

typedef struct mtc_consistent_result {
    mtc_block block;
    size_t tasks, n;                /* n: samples of all tasks */
    mtc_data *M;                    /* [tasks] n_t x n_t, CSR unless `direct` */
    size_t *neighbors;              /* [tasks] l, as used */
    mtc_real *threshold;            /* [tasks] eps */
    mtc_real *alpha, *relatedness;  /* [tasks*tasks]; alpha_ts / alpha_tt */
} mtc_consistent_result;
MTC_API mtc_consistent_options mtc_consistent_defaults(void);
MTC_API mtc_status mtc_consistent(mtc_context *ctx, const mtc_data *tasks,
    size_t n_tasks, const mtc_consistent_options *opt,
    mtc_consistent_result *res);

/* ---- principal components ----------------------------------------------
 * mtc_pca finds r directions in which the rows X [N*d] of all views vary most.
 *   X - 1 mean' ~ scores * components
 * It takes O(min(N,d)^2) memory, unless `dimension` is given and both N and d
 * are above 1000 (float: 2000): then O((N + d) r).
 * CSR views are not made dense.  Center their columns without zeros yourself: a
 * mean above about 1e7 times the spread (float: 1e3) returns MTC_LIMIT. */
typedef enum mtc_mean {
    MTC_MEAN_COMMON,                /* one mean, over the rows of all views */
    MTC_MEAN_NONE,                  /* nothing is removed: mean is 0 */
    MTC_MEAN_OWN                    /* each view's own mean is removed */
} mtc_mean;

typedef struct mtc_pca_options {
    size_t dimension;               /* r; 0 (default): by `keep` */
    mtc_real keep;                  /* share of `total` to keep; default .95 */
    mtc_mean mean;                  /* what is removed; default COMMON */
    mtc_real tolerance;             /* as mtc_eigen_operator's; default 0 */
} mtc_pca_options;

typedef struct mtc_pca_result {
    mtc_block block;
    size_t dimension, d;            /* r, at most the numerical rank */
    size_t views;                   /* rows of mean: 1, or with OWN n_views */
    mtc_real *mean;                 /* [views*d] */
    mtc_real *components;           /* [r*d] orthonormal; largest entries > 0 */
    mtc_real *variance;             /* [r] sums of squares, descending */
    mtc_real total;                 /* sum of squares of X - 1 mean' */
    mtc_real *scores;               /* [N*r] view 0 first */
} mtc_pca_result;
MTC_API mtc_pca_options mtc_pca_defaults(void);
MTC_API mtc_status mtc_pca(mtc_context *ctx, const mtc_data *views,
    size_t n_views, const mtc_pca_options *opt, mtc_pca_result *res);
/* Writes the scores [X.n*r] of new samples.  `view` says whose mean is removed
 * if the views have their own; otherwise it is not read. */
MTC_API mtc_status mtc_pca_assign(mtc_context *ctx, const mtc_data *X,
    size_t view, const mtc_pca_result *res, mtc_real *scores);

/* ======================================================================
 * Measures.  Only these functions take true labels; clustering never does.
 * ====================================================================== */

/* A table of pairs of labels, which may be any ints, in ascending order. */
typedef struct mtc_contingency_result {
    mtc_block block;
    size_t rows, columns;           /* distinct labels of a and of b */
    int *row_label, *column_label;  /* [rows], [columns] */
    size_t *count;                  /* [rows*columns] */
    size_t *match;                  /* [rows] the matched column, or MTC_NONE */
} mtc_contingency_result;

/* Counts pairs of labels a and b [n], n >= 1; `need` is as if all differed. */
MTC_API mtc_status mtc_contingency(mtc_context *ctx, size_t n, const int *a,
                                   const int *b, mtc_contingency_result *res);

typedef struct mtc_scores {
    mtc_real accuracy;              /* under the best one-to-one matching */
    mtc_real nmi;                   /* I / sqrt(Ha Hb); 0 if one labeling has
                                       a single label, 1 if both do */
    mtc_real ari;                   /* Hubert & Arabie; 1 if max = expected */
    mtc_real purity;                /* of the predicted clusters */
    mtc_real direct;                /* share of equal labels, not matched */
} mtc_scores;

/* Compares two labelings [n], n >= 1, with the memory of mtc_contingency. */
MTC_API mtc_status mtc_score(mtc_context *ctx, size_t n, const int *truth,
                             const int *predicted, mtc_scores *out);

/* Writes the Euclidean silhouette of each sample to values [n] and their mean;
 * either may be NULL.  It is 0 for the only sample of a cluster, and if there
 * is one cluster.  Labels are 0..k-1.  It takes O(n^2 d) time. */
MTC_API mtc_status mtc_silhouette(mtc_context *ctx, const mtc_data *X,
    const int *labels, size_t k, mtc_real *values, mtc_real *mean);

/* Writes the A-distance of two data sets, max(0, 2 (1 - 2 err)).  err is the
 * held-out error, in two folds, of a logistic regression that tells X from Y.
 * Scale the features first. */
MTC_API mtc_status mtc_a_distance(mtc_context *ctx, const mtc_data *X,
                                  const mtc_data *Y, mtc_real *out);

/* Writes the complexity of a domain [TSZX15] (1): the share of features that
 * are positive in fewer than t n samples. */
MTC_API mtc_status mtc_complexity(mtc_context *ctx, const mtc_data *X,
                                  mtc_real t, mtc_real *out);

/* Writes the earth mover's distance between two partitions.  Costs are the
 * divergences d(u_z || v_l) of cluster means (div NULL: squared Euclidean), and
 * marginals are the clusters' shares.  Empty clusters are left out. */
MTC_API mtc_status mtc_partition_emd(mtc_context *ctx, const mtc_data *X,
    const int *x_labels, size_t x_k, const mtc_data *Y, const int *y_labels,
    size_t y_k, const mtc_divergence *div, mtc_real *out);

/* ======================================================================
 * Building blocks: lp.c, and below it linalg.c
 * ====================================================================== */

typedef struct mtc_emd_options {
    size_t pivots;                  /* bound; 0 (default): 1000 (m+n) + m n */
} mtc_emd_options;

typedef struct mtc_emd_info {
    mtc_real cost;                  /* sum plan * cost */
    mtc_real gap;                   /* |cost - dual| / (max |cost| * total) */
    size_t pivots;
} mtc_emd_info;
MTC_API mtc_emd_options mtc_emd_defaults(void);
/* Solves the transportation problem: it minimizes <plan, cost> over plans >= 0
 * with row sums supply [m] and column sums demand [n].  cost is [m*ldc].  The
 * outputs plan [m*n], row_dual [m] and column_dual [n] may each be NULL; the
 * duals satisfy row + column <= cost, with equality where the plan is positive.
 * The plan is optimal up to rounding of the largest cost.  If the totals differ
 * by rounding (a share of 1e-6; float 1e-4), the demand is scaled to fit.
 * INVALID: m or n is 0, totals differ or are 0.  DOMAIN: NaN, Inf, a supply or
 * demand below 0, costs whose sums overflow.  LIMIT: no pivots are left. */
MTC_API mtc_status mtc_emd(mtc_context *ctx, size_t m, size_t n,
    const mtc_real *cost, size_t ldc, const mtc_real *supply,
    const mtc_real *demand, const mtc_emd_options *opt, mtc_real *plan,
    mtc_real *row_dual, mtc_real *column_dual, mtc_emd_info *info);

/* Matches min(m,n) pairs of rows and columns at the least cost, in O(min^2 max)
 * time.  column_of [m] gets each row's column, or MTC_NONE.  row_dual [m] and
 * column_dual [n] prove that the answer is optimal.  The duals and total may be
 * NULL, and so may cost if m or n is 0. */
MTC_API mtc_status mtc_assignment(mtc_context *ctx, size_t m, size_t n,
    const mtc_real *cost, size_t ldc, size_t *column_of, mtc_real *row_dual,
    mtc_real *column_dual, mtc_real *total);

/* ---- linear algebra -----------------------------------------------------
 * lda, ldb, ... are the distances between rows in memory.  A function without a
 * context takes `work` from the caller: mtc_X_work() bytes, aligned for double,
 * whose contents mean nothing afterwards. */

/* exp and log to less than 1 ulp, the same bits everywhere; log(0) is -Inf. */
MTC_API mtc_real mtc_exp(mtc_real x);
MTC_API mtc_real mtc_log(mtc_real x);

/* Returns the dot product, summed in a fixed order. */
MTC_API mtc_real mtc_dot(size_t n, const mtc_real *x, const mtc_real *y);
/* Computes y += a x. */
MTC_API void mtc_axpy(size_t n, mtc_real a, const mtc_real *x, mtc_real *y);

/* Computes C [m*ldc] = alpha op(A) op(B) + beta C, where op(A) is m x k, op(B)
 * is k x n, and op transposes if its flag is 1.  With beta 0, C is not read.
 * NULL work selects plain loops.  mtc_gemm_work grows with its arguments. */
MTC_API size_t mtc_gemm_work(size_t m, size_t n, size_t k);
MTC_API void mtc_gemm(int trans_a, int trans_b, size_t m, size_t n, size_t k,
    mtc_real alpha, const mtc_real *A, size_t lda, const mtc_real *B,
    size_t ldb, mtc_real beta, mtc_real *C, size_t ldc, void *work);
/* Computes C [n*ldc] = alpha A A' + beta C with A n x k, or A' A with A k x n
 * if trans is 1.  Both triangles are equal.  work is as for gemm (n, n, k). */
MTC_API void mtc_syrk(int trans, size_t n, size_t k,
                      mtc_real alpha, const mtc_real *A, size_t lda,
                      mtc_real beta, mtc_real *C, size_t ldc, void *work);

/* Factorizes A = L L' in place: the lower triangle becomes L, the upper 0.
 * Returns SINGULAR, with A destroyed, if a pivot is not above n eps times the
 * largest diagonal entry.  work is NULL or mtc_gemm_work(n, n, n) bytes. */
MTC_API mtc_status mtc_cholesky(size_t n, mtc_real *A, size_t lda, void *work);
/* Replaces B [n*ldb], which has p columns, by op(L)^-1 B for a lower triangular
 * L.  Here and below, work is NULL or mtc_gemm_work(n, p, n) bytes. */
MTC_API void mtc_triangular_solve(int trans, size_t n, size_t p,
    const mtc_real *L, size_t ldl, mtc_real *B, size_t ldb, void *work);
/* Replaces B by (L L')^-1 B. */
MTC_API void mtc_cholesky_solve(size_t n, size_t p, const mtc_real *L,
    size_t ldl, mtc_real *B, size_t ldb, void *work);

/* Computes the thin Householder QR of A [m*lda], m >= n.  A becomes Q, whose
 * columns are orthonormal even if A is rank deficient; R [n*ldr] or NULL gets
 * the upper triangle.  Returns OK, INVALID (m < n) or DOMAIN (NaN, Inf). */
MTC_API size_t mtc_qr_work(size_t m, size_t n);
MTC_API mtc_status mtc_qr(size_t m, size_t n, mtc_real *A, size_t lda,
                          mtc_real *R, size_t ldr, void *work);

/* Symmetric eigenproblems A V = V diag(w).  w is ascending, and column j of
 * V [n*ldv] is the eigenvector of w[j], with its entry of largest magnitude
 * positive.  A [n*lda] is read from its lower triangle and destroyed.  If V is
 * NULL, only values are computed.  These functions return OK, DOMAIN (NaN, Inf)
 * or LIMIT; with a context also INVALID, NO_MEMORY, TOO_BIG, and beyond 500
 * rows CANCELLED.  Those with a context use lanes of at most 2.5 MiB. */

/* Finds all pairs by cyclic Jacobi: accurate on graded matrices too. */
MTC_API size_t mtc_jacobi_work(size_t n);
MTC_API mtc_status mtc_jacobi(size_t n, mtc_real *A, size_t lda, mtc_real *w,
                              mtc_real *V, size_t ldv, void *work);
/* Finds all pairs by divide and conquer on the tridiagonal form. */
MTC_API mtc_status mtc_symeig(mtc_context *ctx, size_t n, mtc_real *A,
                              size_t lda, mtc_real *w, mtc_real *V, size_t ldv);
/* Finds `count` pairs from number `first` on; 0 is the smallest. */
MTC_API mtc_status mtc_symeig_range(mtc_context *ctx, size_t n, mtc_real *A,
                                    size_t lda, size_t first, size_t count,
                                    mtc_real *w, mtc_real *V, size_t ldv);

/* Finds the `count` largest eigenpairs, descending, of a symmetric operator A;
 * negate it for the smallest.  apply computes AV [n*p] = A V [n*p], with rows
 * contiguous and p <= count + 8.  Block Lanczos iterations end when every
 * |A v - w v| <= tolerance * |A|, where |A| is the largest Ritz value met and
 * tolerance 0 means 1e3 eps, or after `applications` calls of apply (0: 4000)
 * and up to 8 more.  A pair is missed with a chance of about 1e-6, or more if
 * the tolerance is above sqrt(eps).  w [count] and V [n*ldv] get the pairs, and
 * *residual (or NULL) the largest |A v - w v| / |A|.  If the applications run
 * out, the call returns LIMIT where `residual` is NULL, else OK; then *residual
 * counts the next pair, too, if the check for missing pairs has not ended.  A
 * failure of apply is returned as it is; count > n is INVALID. */
typedef mtc_status (*mtc_operator)(void *user, size_t n, size_t p,
                                   const mtc_real *V, mtc_real *AV);
MTC_API mtc_status mtc_eigen_operator(mtc_context *ctx, size_t n,
    mtc_operator apply, void *user, size_t count, mtc_real tolerance,
    size_t applications, mtc_real *w, mtc_real *V, size_t ldv,
    mtc_real *residual);

/* Finds the top k eigenpairs of D^-1/2 S D^-1/2, D = diag(S 1), for a symmetric
 * (not checked) S >= 0, dense or CSR: U [n*k], and values [k] descending.  The
 * rows of U are not normalized.  Isolated rows come last: if k includes them,
 * their columns of U and their values are 0.  If the iterations stall, as on a
 * long chain, an S of up to 2000 rows is solved as a dense matrix.  This takes
 * 4 n^2 reals more than ctx->need says.  Returns LIMIT if they are refused. */
MTC_API mtc_status mtc_spectral(mtc_context *ctx, const mtc_data *S, size_t k,
                                mtc_real *U, mtc_real *values);

#ifdef __cplusplus
}
#endif

/* ======================================================================
 * Private to linalg.c, lp.c and mtc.c
 * ====================================================================== */
#ifdef MTC_INTERNAL

#ifdef MTC_SHARED       /* what follows is not exported, whatever MTC_API is */
#undef MTC_API
#define MTC_API
#endif

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#if !defined(MTC_FAST) && (defined(__FAST_MATH__) || \
    defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || \
    (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__))
#error "-ffast-math, or a part of it, changes results; -DMTC_FAST accepts that"
#endif
#if DBL_MANT_DIG < 53
#error "double has fewer than 53 bits (AVR): export a model, which needs float"
#endif
#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD == 2 && !defined(MTC_FAST)
#error "x87 arithmetic: use -msse2 -mfpmath=sse, or -DMTC_FAST to accept"
#endif
#if defined(MTC_FAST) && defined(__clang__)
#pragma clang fp contract(fast)
#elif defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(MTC_FAST) && defined(__GNUC__)
#pragma GCC optimize("fp-contract=fast")
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#endif

#ifdef MTC_SINGLE
#define MTC_SQRT sqrtf
#define MTC_FABS fabsf
#define MTC_EPS FLT_EPSILON
#define MTC_TINY FLT_MIN
#define MTC_HUGE FLT_MAX
#else
#define MTC_SQRT sqrt
#define MTC_FABS fabs
#define MTC_EPS DBL_EPSILON
#define MTC_TINY DBL_MIN
#define MTC_HUGE DBL_MAX
#endif
#define MTC_FINITE(x) ((x) - (x) == 0)      /* false for NaN and Inf */
#define MTC_MIN(a, b) ((a) < (b) ? (a) : (b))
#define MTC_MAX(a, b) ((a) > (b) ? (a) : (b))
#define MTC_BY_TYPE(x, y) ((mtc_real)(sizeof(mtc_real) == 8 ? (x) : (y)))
/* The range of "Data" above.  Fourth powers of these are still normal. */
#define MTC_LEAST MTC_BY_TYPE(1e-45, 1e-9)
#define MTC_MOST MTC_BY_TYPE(1e45, 1e9)

/* Tells gcc that sqrt sets no errno, so that it is one instruction. */
#ifdef __GNUC__
__attribute__((const)) extern mtc_real (MTC_SQRT)(mtc_real);
#endif

#define MTC_ZERO(x, n) memset(x, 0, (n) * sizeof *(x))  /* x [n] = 0 */
/* memcpy must not get NULL, even for n = 0: an empty CSR view has no arrays. */
#define MTC_COPY(to, from, n) \
    ((n) > 0 ? (void)memcpy(to, from, (n) * sizeof *(to)) : (void)0)

/* Returns a failure to the caller's caller, where nothing would leak. */
#define MTC_TRY(call)                 \
    do {                              \
        mtc_status tried = (call);    \
        if (tried != MTC_OK)          \
            return tried;             \
    } while (0)

/* A stack of memory.  Without a base it only measures; with one it hands out
 * pieces.  Phases share memory: keep `used`, and set it back. */
#define MTC_PART SIZE_MAX           /* base is in another stack's memory */
typedef struct mtc_stack {
    unsigned char *base;
    size_t used, peak;              /* SIZE_MAX: a sum has overflowed */
    size_t size;                    /* of the block at base, or MTC_PART */
} mtc_stack;

/* Takes `count` objects of `size` bytes, not set; NULL while measuring. */
MTC_API void *mtc_take(mtc_stack *st, size_t count, size_t size);
MTC_API void mtc_take_reals(mtc_stack *st, size_t count,
                            mtc_real **const *pieces);
MTC_API void mtc_take_sizes(mtc_stack *st, size_t count,
                            size_t **const *pieces);
#define MTC_TAKE(st, count, type) ((type *)mtc_take(st, count, sizeof(type)))
#define MTC_REALS(st, count, ...) \
    mtc_take_reals(st, count, (mtc_real **const[]){__VA_ARGS__, NULL})
#define MTC_SIZES(st, count, ...) \
    mtc_take_sizes(st, count, (size_t **const[]){__VA_ARGS__, NULL})

/* A layout takes a job's result from `own`, and its scratch from `tmp`. */
typedef void (*mtc_layout)(mtc_stack *own, mtc_stack *tmp, void *job);
typedef mtc_status (*mtc_work)(mtc_context *ctx, void *job);
/* Measures, allocates, lays out, works, and releases the scratch. */
MTC_API mtc_status mtc_job_run(mtc_context *ctx, mtc_layout layout,
                               mtc_work work, void *job);
/* The same for a job with a result of `size` bytes: a success goes to `out`. */
MTC_API mtc_status mtc_job_result(mtc_context *ctx, mtc_layout layout,
    mtc_work work, void *job, void *result, size_t size, void *out);
/* Allocates scratch; mtc_scratch_end releases it and returns s. */
MTC_API mtc_status mtc_scratch(mtc_context *ctx, size_t bytes, mtc_block *work);
MTC_API mtc_status mtc_scratch_end(mtc_context *ctx, mtc_block *work,
                                   mtc_status s);

/* `items` parts of a job, each with outputs of its own, go to the lanes of a
 * context: lane i takes items i, i + lanes, ...  Each lane has scratch and a
 * context of its own.  A job asks mtc_lanes first, and lays out that many. */
typedef mtc_status (*mtc_item)(mtc_context *ctx, void *job, size_t item,
                               size_t lane);
typedef struct mtc_lane {
    mtc_context ctx;                /* the caller's, with one lane */
    mtc_status status;              /* of its first item that failed */
    size_t item;                    /* and which it was */
} mtc_lane;
/* Returns lanes for items of `each` multiply-adds, 1 if in all < 10^6. */
MTC_API size_t mtc_lanes(const mtc_context *ctx, size_t items, size_t each);
/* Runs all items.  Returns status and error of the lowest item that failed. */
MTC_API mtc_status mtc_share(mtc_context *ctx, size_t lanes, mtc_lane *lane,
                             size_t items, mtc_item run, void *job);

/* a*b, a+b, or SIZE_MAX when that overflows (or an operand is SIZE_MAX). */
MTC_API size_t mtc_mul(size_t a, size_t b);
MTC_API size_t mtc_add(size_t a, size_t b);

/* Both record a failure and return s; mtc_fail also records where it was. */
MTC_API mtc_status mtc_fail(mtc_context *ctx, mtc_status s, const char *what,
                            size_t task, size_t row, size_t column);
MTC_API mtc_status mtc_refuse(mtc_context *ctx, mtc_status s, const char *what);
/* Reports progress; returns OK or CANCELLED. */
MTC_API mtc_status mtc_tick(mtc_context *ctx, const char *stage, size_t done,
                            size_t total);
/* Returns the generator of one of the seed's independent streams. */
MTC_API mtc_random mtc_stream(const mtc_context *ctx, uint64_t stream);
MTC_API mtc_real mtc_tanh(mtc_real x);  /* it errs by 2 ulp at most */
/* Writes to order [k] the indices of the k smallest of key [n], ascending. */
MTC_API void mtc_select_order(size_t n, const mtc_real *key, size_t k,
                              size_t *order);

/* mtc_data_check without the lower bound, for data that are not fitted. */
MTC_API mtc_status mtc_data_sound(mtc_context *ctx, const mtc_data *X,
                                  size_t task);
/* mtc_data_sound that also refuses negative values, with DOMAIN. */
MTC_API mtc_status mtc_data_positive(mtc_context *ctx, const mtc_data *X,
                                     size_t task);
MTC_API int mtc_measuring(const mtc_context *ctx);  /* is only need wanted? */

/* What a layout may ask of a view, which may be a shape. */
static inline int mtc_is_csr(const mtc_data *X)
{
    return X->row != NULL;
}

static inline int mtc_is_shape(const mtc_data *X)
{
    return X->values == NULL && (X->row == NULL || X->stride > 0);
}

static inline size_t mtc_stored(const mtc_data *X)
{
    return X->row == NULL     ? mtc_mul(X->n, X->d)
           : mtc_is_shape(X) ? X->stride : X->row[X->n];
}

/* Row i holds values[e] for e from row_begin to before row_end. */
static inline size_t row_begin(const mtc_data *X, size_t i)
{
    return X->row == NULL ? i * X->stride : X->row[i];
}

static inline size_t row_end(const mtc_data *X, size_t i)
{
    return X->row == NULL ? i * X->stride + X->d : X->row[i + 1];
}

static inline size_t entry_column(const mtc_data *X, size_t begin, size_t e)
{
    return X->row == NULL ? e - begin : X->column[e];
}

/* Computes dist [SIDE*k], the products of rows [count <= SIDE] of X with the
 * columns of U [d*k], or with `squared` the squared distances of dense rows.
 * Sums run over ascending features.  SIDE divides k. */
#define MTC_SIDE ((size_t)4)
MTC_API void mtc_meet(const mtc_data *X, const size_t *rows, size_t count,
    int squared, size_t k, const mtc_real *U, mtc_real *dist);
/* Copies rows from..to-1 of C's lower triangle to columns of the upper one. */
MTC_API void mtc_mirror(size_t from, size_t to, mtc_real *C, size_t ldc);
/* Scales the rows of E [n*k] to length 1; a zero row stays. */
MTC_API void mtc_unit_rows(size_t n, size_t k, mtc_real *E);

/* mtc_X_in is the public call X in mtc_X_work() bytes of the caller. */
MTC_API size_t mtc_emd_work(size_t m, size_t n);
MTC_API mtc_status mtc_emd_in(mtc_context *ctx, size_t m, size_t n,
    const mtc_real *cost, size_t ldc, const mtc_real *supply,
    const mtc_real *demand, const mtc_emd_options *opt, mtc_real *plan,
    mtc_real *row_dual, mtc_real *column_dual, mtc_emd_info *info, void *work);
MTC_API size_t mtc_assignment_work(size_t m, size_t n);
MTC_API mtc_status mtc_assignment_in(mtc_context *ctx, size_t m, size_t n,
    const mtc_real *cost, size_t ldc, size_t *column_of, mtc_real *row_dual,
    mtc_real *column_dual, mtc_real *total, void *work);
MTC_API size_t mtc_symeig_range_work(size_t n, size_t count, size_t lanes);
MTC_API mtc_status mtc_symeig_range_in(mtc_context *ctx, size_t n, mtc_real *A,
    size_t lda, size_t first, size_t count, mtc_real *w, mtc_real *V,
    size_t ldv, size_t lanes, void *work);
MTC_API size_t mtc_spectral_work(size_t n, size_t k, int sparse);
MTC_API mtc_status mtc_spectral_in(mtc_context *ctx, const mtc_data *S,
    size_t k, mtc_real near, mtc_real *U, mtc_real *values, void *work);

/* Finds the top singular vectors of Xc ~ Z V.  Xc [N*d] are n_sets views,
 * stacked, less `mean` in every row.  The smaller Gram matrix is formed if
 * min(N,d) <= full, else it is an operator.  w, V, Z are 0 beyond the rank. */
typedef struct mtc_svd {
    const mtc_data *sets;           /* checked, of one d */
    const mtc_data *last;           /* view n_sets - 1, or NULL: in sets, too */
    size_t n_sets;
    int centered;                   /* 1: `mean` is removed */
    mtc_real *mean;                 /* [d] of all rows */
    size_t mean_step;               /* 0; or d: a mean for each set, its own */
    size_t most;                    /* vectors sought: 1..min(N,d) */
    mtc_real keep;                  /* > 0: the fewest that keep this share */
    size_t full;                    /* 0: always the operator */
    mtc_real tolerance;             /* of the operator; 0: 1e3 eps */
    size_t rank;                    /* out: how many were found */
    mtc_real total, residual;       /* out: |Xc|^2; of the operator, or 0 */
    mtc_real *w;                    /* out [most] their squares, descending */
    mtc_real *V;                    /* out [most*d]; largest entries > 0 */
    mtc_real *Z;                    /* out [N*most] Xc V'; or NULL */
} mtc_svd;
/* Returns OK, DOMAIN, CANCELLED, LIMIT (not for a residual). */
MTC_API size_t mtc_svd_work(const mtc_svd *p);
MTC_API mtc_status mtc_svd_in(mtc_context *ctx, mtc_svd *p, void *work);
/* Z [X.n*ldz] = (X - 1 mean') V', V [r*d]: coordinates of new rows. */
MTC_API size_t mtc_project_work(const mtc_data *X, size_t r);
MTC_API void mtc_project(const mtc_data *X, const mtc_real *mean, size_t r,
    const mtc_real *V, mtc_real *Z, size_t ldz, void *work);

#endif /* MTC_INTERNAL */
#endif /* MTC_H */
