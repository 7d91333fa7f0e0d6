/* SPDX-License-Identifier: MIT
 *
 * compared.h - the systems that the papers compare themselves with, written
 * on mtc.h alone.
 *
 *     cc app.c examples/compared/compared.c examples/compared/propagate.c ...
 *        examples/advice/desk.c examples/advice/rows.c mtc.c linalg.c lp.c -lm
 *
 * A system has the shape of a method of the library: cmp_X_defaults() gives
 * options, cmp_X() does the work (opt NULL: the defaults), mtc_free(ctx,
 * &res.block) gives a result's one block back.  Contexts, statuses and places
 * of failure are the library's; after a failure the result is as it was.
 * Only ctx->need is not filled: it is 0 after these calls.
 *
 * REFERENCES
 *   [ZGL03]  Zhu, Ghahramani, Lafferty: harmonic functions.  ICML 2003.
 *   [ZBL04]  Zhou et al.: local and global consistency.  NIPS 2004.
 *   [J99]    Joachims: transductive inference with SVMs.  ICML 1999.
 *   [TSZX15] Tan et al.: transitive transfer learning.  KDD 2015.
 *   [DXYY07] Dai, Xue, Yang, Yu: co-clustering based classification for
 *            out-of-domain documents.  KDD 2007.
 *   [LDXYY08] Ling et al.: spectral domain-transfer learning.  KDD 2008.
 *   [ZZL15]  Zhang, Zhang, Liu: smart multitask Bregman clustering and
 *            multitask kernel clustering.  TKDD 10(1), 2015.
 *   [Z15]    Zhang: convex discriminative multitask clustering.  TPAMI 2015.
 * Other papers are named where their system stands.
 */
#ifndef COMPARED_H
#define COMPARED_H

#include "../../mtc.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- label propagation -------------------------------------------------
 * Labels spread from labeled sources over a graph to the target.
 *   harmonic [ZGL03]:    (D_uu - W_uu) f = W_ul Y          labels held fixed
 *   consistency [ZBL04]: (I - a S) F = Y,  a = 1/(1+mu),  S = D^-1/2 W D^-1/2
 * by preconditioned conjugate gradients.  What no label reaches gets the class
 * shares (harmonic) or scores of 0 (consistency), and the most frequent class
 * for a label. */
typedef enum cmp_propagation {
    CMP_HARMONIC,                   /* GFHF */
    CMP_CONSISTENCY                 /* LLGC */
} cmp_propagation;

typedef struct cmp_propagate_options {
    size_t classes;                 /* c >= 1; labels are 0..c-1; default 2 */
    cmp_propagation kind;           /* default CMP_HARMONIC */
    mtc_graph_options graph;        /* default gaussian, 50 neighbors, .125 */
    mtc_real mu;                    /* consistency, > 0; default 1;
                                       grid .1 1 10 100 */
    int mass_normalization;         /* harmonic: scale class masses to their
                                       shares in the sources; default 0 */
    mtc_real tolerance;             /* relative residual; default 1e-10, in
                                       float 1e-5 */
    size_t iterations;              /* for each class; default 1000 */
} cmp_propagate_options;

typedef struct cmp_propagate_result {
    mtc_block block;
    size_t n, classes;              /* n: samples of the target */
    int *labels;                    /* [n] */
    mtc_real *scores;               /* [n*classes] F, or f, whose columns
                                       mass_normalization scales */
    size_t unreached;               /* samples of the target that no label
                                       reaches */
    size_t iterations;              /* most that a class needed */
    mtc_real residual;              /* |b - A x| / |b| of the worst class, over
                                       all samples, in the norm of D^-1 */
    int converged;                  /* 1: residual within tolerance; harmonic,
                                       all scores in [0,1] too, and gradients
                                       moved none by 1e-4; consistency,
                                       every score that of a mu off by 1e-4
                                       (in float 3e-2) at most */
} cmp_propagate_result;

cmp_propagate_options cmp_propagate_defaults(void);
/* source_labels[s] is [sources[s].n], or NULL: samples without labels, which
 * take part in the graph; one source has labels at least.  Harmonic scores of
 * a group whose links to the rest are below the rounding of its own may be
 * wrong: no residual sees it.
 * Returns OK, NO_MEMORY, INVALID, DOMAIN (NaN, Inf; scores of consistency,
 * about 1/mu, that overflow), CANCELLED, TOO_BIG. */
mtc_status cmp_propagate(mtc_context *ctx, const mtc_data *sources,
                         const int *const *source_labels, size_t n_sources,
                         const mtc_data *target,
                         const cmp_propagate_options *opt,
                         cmp_propagate_result *res);

/* ---- transductive SVM [J99] --------------------------------------------
 * A large margin on labeled sources and unlabeled target together; the
 * share of each class in the target is taken to be the sources'. */
typedef struct cmp_tsvm_options {
    size_t classes;                 /* c >= 1; default 2 */
    mtc_kernel kernel;              /* default MTC_KERNEL_LINEAR */
    mtc_real gamma;                 /* 0 (default): 1/d */
    mtc_real cost;                  /* > 0, over the mean of K(x,x): C = cost
                                       on rows of length 1; default 1 */
    mtc_real tolerance;             /* KKT gap of each solve; default 1e-4 */
    size_t iterations;              /* steps of all solves together; 0
                                       (default): 500 000 + 500 N */
} cmp_tsvm_options;

typedef struct cmp_tsvm_result {
    mtc_block block;
    size_t n, problems;             /* n of the target; 0 (c=1), 1 (c=2), c */
    size_t rows;                    /* N: of all sources and the target */
    int *labels;                    /* [n] */
    mtc_real *decisions;            /* [n*problems] sum_i b_i K(x_i / s, x / s)
                                       + bias, where */
    mtc_real *coefficients;         /* [problems*N] b, sources first */
    mtc_real *bias, scale;          /* [problems], s */
    size_t solved, exchanged;       /* SVMs solved, pairs of labels swapped */
    size_t iterations;              /* steps of all solves */
    int converged;                  /* 1: every solve met the tolerance, and
                                       every level had no pair left */
} cmp_tsvm_result;

cmp_tsvm_options cmp_tsvm_defaults(void);
/* source_labels[s] is [sources[s].n]. */
mtc_status cmp_tsvm(mtc_context *ctx, const mtc_data *sources,
                    const int *const *source_labels, size_t n_sources,
                    const mtc_data *target, const cmp_tsvm_options *opt,
                    cmp_tsvm_result *res);

/* ---- does a bridge help? [TSZX15] --------------------------------------
 * Where the target's truth is known: harmonic propagation on rows of length
 * 1, weights exp(-gamma |x-y|^2) between all, class masses scaled to the
 * source's shares; without and with the bridge's samples between. */
typedef struct cmp_bridge_gain {
    mtc_real direct, bridged;       /* accuracies on the target */
    int helps;                      /* bridged > 1.03 direct */
} cmp_bridge_gain;

/* source_labels [source.n] and truth [target.n] in 0..classes-1; values >= 0;
 * gamma > 0.  An error's place counts source 0, bridge 1, target 2.  Returns
 * LIMIT also where a propagation did not converge: gamma is too large. */
mtc_status cmp_bridge_try(mtc_context *ctx, const mtc_data *source,
                          const int *source_labels, const mtc_data *bridge,
                          const mtc_data *target, const int *truth,
                          size_t classes, mtc_real gamma,
                          cmp_bridge_gain *out);

/* ---- multinomial naive Bayes -------------------------------------------
 * Assumes that the words of a document are drawn one by one, with shares that
 * depend on its class only, and that source and target share these.  Values
 * are counts, or any weights >= 0.  With Laplace's 1 for every word,
 *   T[c,w] = 1 + weight of word w in class c of the sources
 *   score[c] = sum_w x_w log(T[c,w] / sum_v T[c,v])
 *              + log((n_c + 1) / (n + classes))
 * No transfer, and often as good as what has it.  O(c nnz); memory O(c d). */
typedef struct cmp_nb_options {
    size_t classes;                 /* c >= 1; labels are 0..c-1; default 2 */
} cmp_nb_options;

typedef struct cmp_nb_result {
    mtc_block block;
    size_t n, classes, d;           /* n: samples of the target */
    int *labels;                    /* [n] */
    mtc_real *scores;               /* [n*classes] log joint */
    mtc_real *words;                /* [d*classes] log T[c,w] / sum_v T[c,v] */
    mtc_real *prior;                /* [classes] log((n_c+1) / (n+classes)) */
} cmp_nb_result;

cmp_nb_options cmp_nb_defaults(void);
/* source_labels[s] is [sources[s].n].  No label is a class that no source has.
 * Returns OK, NO_MEMORY, INVALID, DOMAIN (NaN, Inf, a value below 0),
 * CANCELLED, TOO_BIG. */
mtc_status cmp_nb(mtc_context *ctx, const mtc_data *sources,
                  const int *const *source_labels, size_t n_sources,
                  const mtc_data *target, const cmp_nb_options *opt,
                  cmp_nb_result *res);

/* ---- CoCC: co-clustering based classification --------------------------
 * [DXYY07].  Assumes that source and target share the meaning of
 * words: clusters W^ of words are the bridge.  Values are counts, or any
 * weights >= 0; f(d,w) are the target's, of sum 1, g(c,w) the sources' in each
 * class, of sum 1.  Document clusters D^ and word clusters W^ minimize
 *   L = I(D;W) - I(D^;W^) + lambda (I(C;W) - I(C;W^))              (nats)
 *   d -> argmax_d^ sum_w^ f(w^|d) log f(w^|d^)
 *   w -> argmax_w^ sum_d^ f(w,d^) log f(d^|w^)
 *                  + lambda sum_c g(w,c) log g(c|w^)
 * all documents, then all words, and L never rises.  The label of a document
 * is the number of its cluster.  L has no names for the clusters: they come
 * from the start alone, or from `realign`.
 * Reconstructed: the words' own start, realign.
 * O(nnz + n k c + d k c) an iteration; memory O((n+d+k) c), the start by
 * k-means more. */
typedef enum cmp_word_start {
    CMP_WORDS_KMEANS,               /* k-means on 30 singular directions */
    CMP_WORDS_CLASS,                /* by the class each is most frequent in */
    CMP_WORDS_RANDOM
} cmp_word_start;

typedef struct cmp_cocc_options {
    size_t classes;                 /* c >= 1; default 2 */
    mtc_real lambda;                /* of the sources, 0..1e9; default .25 */
    size_t words;                   /* k >= 1, of which d are used at most;
                                       default 64 */
    cmp_word_start start;           /* default CMP_WORDS_KMEANS */
    size_t iterations;              /* default 20; 0: the start */
    int realign;                    /* 1: clusters get the classes whose words
                                       they share, one to one; for starts that
                                       know nothing of the classes; default
                                       0 */
    const int *start_labels;        /* [n] in 0..c-1; NULL: naive Bayes */
    const int *start_words;         /* [d] in 0..k-1; NULL: by `start` */
} cmp_cocc_options;

typedef struct cmp_cocc_result {
    mtc_block block;
    size_t n, classes, d, words;    /* n: samples of the target; k used */
    int *labels;                    /* [n] */
    int *word_clusters;             /* [d] */
    int *class_of;                  /* [classes] of each document cluster, by
                                       realign; without it 0, 1, ... */
    mtc_real *objective;            /* [iterations+1] L */
    size_t iterations;
    int converged;                  /* 1: L stopped falling */
} cmp_cocc_result;

cmp_cocc_options cmp_cocc_defaults(void);
/* source_labels[s] is [sources[s].n].  An empty cluster stays empty; a document
 * of zeros and a word that nobody uses keep their start.  Returns OK,
 * NO_MEMORY, INVALID, DOMAIN (NaN, Inf, a value below 0), CANCELLED, TOO_BIG,
 * LIMIT (the start by k-means). */
mtc_status cmp_cocc(mtc_context *ctx, const mtc_data *sources,
                    const int *const *source_labels, size_t n_sources,
                    const mtc_data *target, const cmp_cocc_options *opt,
                    cmp_cocc_result *res);

/* ---- CDSC: cross-domain spectral classification ------------------------
 * [LDXYY08].  Assumes that classes cut the graph of all samples
 * weakly, and the target's own graph too, while samples of a source class stay
 * together.  W = max(cosine, 0), diagonal 0; W_O the target's part of it, D the
 * degrees of W + lambda W_O, S = D^-1/2 (W + lambda W_O) D^-1/2, e ~ D^1/2 1.
 *   binary      the smallest eigenvector z, orthogonal to e, of
 *               I - S + beta (I - v v')_sources,  v ~ D^1/2 y on the sources,
 *               y = sqrt(q/p) in class 1, -sqrt(p/q) in class 0, p and q the
 *               degrees of the two; scores x = D^-1/2 z, label x > 0
 *   transducer  V: the bottom eigenvectors of I - S orthogonal to e, Theta
 *               their values; for each class min_a a'(V'CV + Theta)a - 2 a'V'Cy
 *               with |a|^2 = nodes, C trust/2p on the class's p samples,
 *               trust/2q on the other sources; scores V a - mean of the two y
 * Reconstructed: the normalization and weights of both forms; the transducer
 * is another method's way to tie sign and scale to the sources, since one
 * against the rest of the binary form fails for more than two classes.
 * O(N^2 (d + vectors)) for each step of the eigensolver; memory O(N^2). */
typedef enum cmp_cdsc_form {
    CMP_CDSC_AUTO,                  /* binary for two classes */
    CMP_CDSC_BINARY,
    CMP_CDSC_TRANSDUCER
} cmp_cdsc_form;

typedef struct cmp_cdsc_options {
    size_t classes;                 /* c >= 1; binary: 2; default 2 */
    cmp_cdsc_form form;             /* default CMP_CDSC_AUTO */
    mtc_real lambda;                /* of the target's graph, 0..1e9;
                                       default 1 */
    mtc_real beta;                  /* binary: of the classes, 0..1e9;
                                       default 15 */
    size_t vectors;                 /* transducer, >= 1, of which nodes-1 are
                                       used at most; default 10 */
    mtc_real trust;                 /* transducer: in the labels, 0..1e9;
                                       default 3200 */
} cmp_cdsc_options;

typedef struct cmp_cdsc_result {
    mtc_block block;
    size_t n, classes;              /* n: samples of the target */
    cmp_cdsc_form form;             /* used */
    int *labels;                    /* [n] */
    mtc_real *scores;               /* [n*classes]; binary (-x, x), x of mean
                                       square 1 by degrees */
    size_t nodes;                   /* samples of all that have an edge */
    size_t vectors;                 /* transducer: used; binary: 2, or 1 */
    mtc_real *eigenvalues;          /* [vectors] ascending */
    mtc_real *V;                    /* [(sources' samples+n)*vectors]; rows
                                       of 0 without an edge */
    mtc_real *a;                    /* transducer: [classes*vectors] */
    mtc_real *multipliers;          /* transducer: [classes] of |a|^2 = nodes */
    int converged;                  /* 1: the eigenvectors are to tolerance */
} cmp_cdsc_result;

cmp_cdsc_options cmp_cdsc_defaults(void);
/* source_labels[s] is [sources[s].n].  A target sample without an edge gets
 * the most frequent class of the sources.  If the sources have one class with
 * edges (binary) or samples, it is everybody's, and all scores are 0; the
 * transducer gives classes without samples -2 nodes.  Returns OK, NO_MEMORY,
 * INVALID, DOMAIN, CANCELLED, TOO_BIG, LIMIT. */
mtc_status cmp_cdsc(mtc_context *ctx, const mtc_data *sources,
                    const int *const *source_labels, size_t n_sources,
                    const mtc_data *target, const cmp_cdsc_options *opt,
                    cmp_cdsc_result *res);

/* ---- S-MBC: boosting where a task gains by it [ZZL15] -------------------
 * MBC pulls each task's centroids towards the other tasks', which may spoil
 * them.  Whether it did shows in the task's own loss, after assignment,
 *   J_t = 1/n_t sum_i d(x_i || u_h(i))
 * and where plain clustering from the same start has less of it, that is kept.
 *   polish   MBC, then plain steps to a fixed point; and plain steps from the
 *            start: J_t is never above that of k-means from the same start
 *   literal  in every iteration either MBC's centroids or the means
 * Reconstructed: the idea is the original's, the sequence of the steps ours.
 * Read literally the means win nearly always.  Cost: two MBC runs. */
typedef enum cmp_boost_rule {
    CMP_POLISH,
    CMP_LITERAL
} cmp_boost_rule;

typedef struct cmp_smbc_options {
    cmp_boost_rule rule;            /* default CMP_POLISH */
    mtc_mbc_options mbc;            /* default mtc_mbc_defaults(): clusters,
                                       lambda .5, divergence, 100 iterations;
                                       the start: its labels, or its own seeds,
                                       here once;
                                       start_centers: need NULL */
} cmp_smbc_options;

typedef struct cmp_smbc_result {
    mtc_block block;
    size_t tasks, d;
    size_t *clusters;               /* [tasks] K_t */
    int **labels;                   /* [tasks] of [n_t] */
    mtc_real **centers;             /* [tasks] of [K_t*d], of x + smooth */
    mtc_real *own_loss;             /* [tasks] J_t */
    int *boosted;                   /* [tasks] 1: MBC's was kept; literal: in
                                       some iteration */
    mtc_real *own_boosted, *own_plain;  /* [tasks] J_t of both candidates;
                                       literal: of the last iteration */
    mtc_real *objective;            /* [iterations+1] polish: MBC's; literal:
                                       sum of J_t, never increasing */
    mtc_real *trace;                /* [iterations*tasks] literal: J_t; else
                                       NULL */
    int *picks;                     /* [iterations*tasks] literal: 1 where
                                       MBC's centroids were kept */
    size_t iterations;
    int converged;
    mtc_real sigma;                 /* of S-MKC's rbf; else 0 */
} cmp_smbc_result;

cmp_smbc_options cmp_smbc_defaults(void);
/* Tasks share features; cluster numbers are each task's own.  Returns as
 * mtc_mbc. */
mtc_status cmp_smbc(mtc_context *ctx, const mtc_data *tasks, size_t n_tasks,
                    const cmp_smbc_options *opt, cmp_smbc_result *res);

/* ---- S-MKC: S-MBC in the space of a kernel [ZZL15] ----------------------
 * As S-MBC, with squared distances between images under a kernel; the linear
 * one gives S-MBC with the squared Euclidean distance.
 * Reconstructed: hard partitions and exact steps, where the original has
 * multiplicative updates.  rbf: O(N^3) once, O(N^2 K) an iteration, memory
 * N^2; N is the number of samples of all tasks. */
typedef struct cmp_smkc_options {
    mtc_kernel kernel;              /* default MTC_KERNEL_RBF:
                                       exp(-|x-y|^2 / (2 sigma^2)) */
    mtc_real sigma;                 /* 0 (default): the median distance of the
                                       samples of all tasks */
    cmp_smbc_options smbc;          /* default cmp_smbc_defaults(); divergence:
                                       need NULL, squared distances */
} cmp_smkc_options;

/* With rbf d = N: centers stand in coordinates of the kernel's space. */
typedef cmp_smbc_result cmp_smkc_result;

cmp_smkc_options cmp_smkc_defaults(void);
/* Returns as mtc_mbc. */
mtc_status cmp_smkc(mtc_context *ctx, const mtc_data *tasks, size_t n_tasks,
                    const cmp_smkc_options *opt, cmp_smkc_result *res);

/* ---- discriminative multi-task clustering, after [Z15] ------------------
 *   min sum_t 1/n_t |X_t W_t - Y_t|^2 + lambda1 sum_t |W_t|^2 + lambda2 R(W)
 * over weights W_t [d*k] and labels, whose one-hot rows less 1/k are Y_t; each
 * task's mean is taken from its rows, and its clusters are of nearly equal
 * size.  R couples the tasks by a matrix that is learned, of trace 1:
 *   feature  tr(B' D^-1 B),  B = [W_1 .. W_T],  D [d*d] of the features
 *   task     tr(G O^-1),  G_ts = <W_t, W_s>,    O [T*T] of the tasks
 * The same number of clusters in each task; cluster z is meant to be the same.
 * Reconstructed: assumptions and regularizers are those of DMTFC and DMTRC;
 * their convex relaxation and its cutting planes are not known to us.  This is
 * an alternation with squared loss, which starts somewhere. */
typedef enum cmp_coupling {
    CMP_COUPLING_FEATURE,
    CMP_COUPLING_TASK
} cmp_coupling;

typedef struct cmp_dmtc_options {
    size_t clusters;                /* k, 1..n of each task; default 2 */
    cmp_coupling coupling;          /* default CMP_COUPLING_FEATURE */
    mtc_real lambda1, lambda2;      /* >= 0, one of them > 0; default 2^-8;
                                       grid 2^-10 2^-8 .. 2^-2 */
    mtc_real slack;                 /* >= 0: clusters have from floor((1-slack)
                                       n/k) to ceil((1+slack) n/k) samples, and
                                       one at least; default .9 */
    size_t iterations;              /* default 20 */
    mtc_real tolerance;             /* relative fall to stop at, once no label
                                       changes; default 1e-6 */
    const int *const *start_labels; /* [tasks] of [n_t]; NULL (default):
                                       k-means of each, centers matched */
} cmp_dmtc_options;

typedef struct cmp_dmtc_result {
    mtc_block block;
    size_t tasks;
    int **labels;                   /* [tasks] of [n_t] */
    mtc_real **scores;              /* [tasks] of [n_t*k] X_t W_t */
    mtc_real *objective;            /* [iterations+1] */
    size_t rank;                    /* q: dimensions that the rows span */
    mtc_real *features;             /* [rank] eigenvalues of D, descending;
                                       NULL with task */
    mtc_real *relatedness;          /* [tasks*tasks] O; NULL with feature */
    size_t iterations;
    int converged;
} cmp_dmtc_result;

cmp_dmtc_options cmp_dmtc_defaults(void);
/* O(N^2 min(N,d)) once; an iteration solves systems of min(q, n_t) rows, with
 * task one of min(T q, N), and a transportation problem for each task.  Memory
 * of N^2 + N min(N,d).  Returns OK, NO_MEMORY, INVALID, DOMAIN (NaN, Inf, an
 * objective that overflows), SINGULAR (lambda1, lambda2 vanish beside the
 * data's variance), CANCELLED, TOO_BIG, LIMIT. */
mtc_status cmp_dmtc(mtc_context *ctx, const mtc_data *tasks, size_t n_tasks,
                    const cmp_dmtc_options *opt, cmp_dmtc_result *res);

/* ---- SAMTC: self-adapted multi-task clustering --------------------------
 * Zhang, Zhang, Liu: self-adapted multi-task clustering.  IJCAI 2016.
 * Tasks share some of their clusters, and only samples of clusters that match
 * may help: clusters of each task by itself; those of two tasks matched by the
 * divergence of their densities; similarities by shared nearest neighbors,
 * within the task and among the matched samples of others; normalized cut.
 * Tasks have the same features; numbers of clusters may differ. */
typedef struct cmp_samtc_options {
    size_t clusters;                /* k of every task, 1..n; default 2 */
    const size_t *clusters_of;      /* [tasks] k of each; NULL: clusters */
    mtc_real mu1;                   /* l_t = ceil(mu1 n_t / k_t) neighbors in
                                       the task, > 0; default .5; grid .1 .3
                                       .5 .7 .9 */
    mtc_real mu2;                   /* l_s = ceil(mu2 n / k) in matched samples
                                       of another: n of them, k pairs of
                                       clusters; > 0; default .1; grid as
                                       mu1's */
    size_t restarts;                /* of every k-means; default 10 */
    const int *const *start_labels; /* [tasks] of [n_t], in 0..k_t-1: first
                                       clusters; NULL: normalized cut of
                                       cosines */
} cmp_samtc_options;

typedef struct cmp_samtc_result {
    mtc_block block;
    size_t tasks;
    size_t *clusters;               /* [tasks] k of each */
    int **labels;                   /* [tasks] of [n_t] */
    size_t *k_effective;            /* [tasks] clusters that occur */
    int **first_labels;             /* [tasks] of [n_t]: where it began */
    mtc_real sigma;                 /* width of the kernel */
    mtc_real **divergence;          /* [tasks*tasks] of [k_t*k_s]: of Jensen
                                       and Shannon, 0..log 2; of an empty
                                       cluster log 2; NULL where s = t */
    int **matched;                  /* [tasks*tasks] of [k_t]: the cluster of s
                                       that each cluster of t is matched with,
                                       or -1; NULL where s = t */
    mtc_real *relatedness;          /* [tasks*tasks] in 0..1; 1 where s = t, 0
                                       where nothing is matched */
    size_t *neighbors;              /* [tasks] l_t */
    mtc_real **S;                   /* [tasks] of [n_t*n_t] similarities */
} cmp_samtc_result;

cmp_samtc_options cmp_samtc_defaults(void);
/* Memory: S of all tasks, and N times all clusters; O(N^2 d + sum_t n_t^2 l)
 * time and the eigenvectors of each S.
 * Returns OK, NO_MEMORY, INVALID, DOMAIN (NaN, Inf), CANCELLED, TOO_BIG,
 * LIMIT. */
mtc_status cmp_samtc(mtc_context *ctx, const mtc_data *tasks, size_t n_tasks,
                     const cmp_samtc_options *opt, cmp_samtc_result *res);

/* ---- MTCTKI: multi-task clustering through instances transfer ------------
 * Zhang, Zhang, Liu, Liu.  Neurocomputing 251, 2017.
 * A linear subspace in which the tasks' means agree while all samples together
 * spread; there, two samples of a task are alike if they have neighbors in
 * common, in the task and in the others; normalized cut.  Tasks have the same
 * features; numbers of clusters may differ. */
typedef enum cmp_mtctki_space {
    CMP_MTCTKI_TCA,                 /* transfer components; default */
    CMP_MTCTKI_RATIO                /* orthonormal: variance traded for the
                                       distance of means */
} cmp_mtctki_space;

typedef struct cmp_mtctki_options {
    size_t clusters;                /* k of every task, 1..n; default 2 */
    const size_t *clusters_of;      /* [tasks] k of each; NULL: clusters */
    cmp_mtctki_space space;
    mtc_real trade;                 /* lambda: tca > 0, ratio 0..1; default
                                       .5 */
    size_t dim;                     /* of the subspace, >= 1; at most the rank
                                       of the data; default 30; grid 10..50 */
    mtc_real mu;                    /* l_t = ceil(mu n_t / k_t) neighbors, > 0;
                                       default .3; grid .1 .3 .5 .7 .9 */
    size_t restarts;                /* of k-means; default 10 */
} cmp_mtctki_options;

typedef struct cmp_mtctki_result {
    mtc_block block;
    size_t tasks;
    size_t *clusters;               /* [tasks] k of each */
    int **labels;                   /* [tasks] of [n_t] */
    size_t *k_effective;            /* [tasks] clusters that occur */
    size_t n, width, dim;           /* samples of all tasks, columns of Z, so
                                       many in use: the others are 0 */
    mtc_real *Z;                    /* [n*width] samples in the subspace, the
                                       tasks' stacked, not yet of length 1 */
    mtc_real sigma;                 /* width of the kernel, rows of length 1 */
    size_t *neighbors;              /* [tasks] l_t in the task itself */
    mtc_real **S;                   /* [tasks] of [n_t*n_t] similarities */
} cmp_mtctki_result;

cmp_mtctki_options cmp_mtctki_defaults(void);
/* O(N^2 d + m^3 + N m^2 + sum_t n_t N l) time, m = min(N, d); memory: a copy
 * of the data, m x m and N x m matrices, S of all tasks.
 * Returns OK, NO_MEMORY, INVALID, DOMAIN (NaN, Inf; a trade that vanishes
 * beside the data's scale), CANCELLED, TOO_BIG, LIMIT. */
mtc_status cmp_mtctki(mtc_context *ctx, const mtc_data *tasks, size_t n_tasks,
                      const cmp_mtctki_options *opt, cmp_mtctki_result *res);

/* ---- TriplexTL: three kinds of word concepts ---------------------------
 * Zhuang et al. 2013.  Assumes that concepts of words are identical in all
 * domains, alike (a domain's own words, one meaning) or distinct (its own).
 * Domains r are the sources, each by itself, and the target; values are >= 0,
 * rows are scaled to sum 1; G holds the sources' labels and is free in the
 * target.  All factors are >= 0:
 *   min  sum_r |X_r - G_r C_r'|^2,   C_r = F1 H1 + F2_r H2 + F3_r H3_r
 * No update raises it; scaling the target's G may.  If alike + distinct >=
 * classes, nothing in it carries the labels: only the start says which class
 * is which.
 * Reconstructed: the start; F2 is scaled by one factor for all domains, since
 * H2 is shared.
 * O(c nnz + R d k c) an iteration, k = identical + alike + distinct, R domains;
 * memory O(nnz + R d (k + c)). */
typedef enum cmp_tritl_start {
    CMP_TRITL_INFORMED,             /* G: soft, by logistic regression */
    CMP_TRITL_RANDOM
} cmp_tritl_start;

typedef struct cmp_tritl_options {
    size_t classes;                 /* c >= 1; labels are 0..c-1; default 2 */
    size_t identical;               /* concepts F1 H1; default 20 */
    size_t alike;                   /* F2 H2; default 20 */
    size_t distinct;                /* F3 H3; default 10; 1 or more in all */
    cmp_tritl_start start;          /* of G; default CMP_TRITL_INFORMED */
    mtc_real exponent;              /* of a factor's change, 1 (default) or
                                       .5: slower */
    size_t iterations;              /* default 100; 0: the start */
    mtc_real tolerance;             /* relative fall to stop at; default 0:
                                       all iterations are taken */
    const int *start_labels;        /* [n] in 0..c-1; NULL: by `start` */
    const mtc_real *start_factors;  /* >= 0, as `factors`; wins; NULL */
} cmp_tritl_options;

typedef struct cmp_tritl_result {
    mtc_block block;
    size_t n;                       /* samples of the target */
    int *labels;                    /* [n] */
    mtc_real *factors;              /* F1 [d*k1], F2 [R*d*k2], F3 [R*d*k3],
                                       H1 [k1*c], H2 [k2*c], H3 [R*k3*c], G
                                       [n*c], one behind the other; R domains,
                                       the target last */
    mtc_real *target;               /* [n*c] that G; rows sum to 1, but in a
                                       start that is given */
    mtc_real *objective;            /* [iterations+1] */
    size_t iterations;
    int converged;                  /* 1: stopped by tolerance */
} cmp_tritl_result;

cmp_tritl_options cmp_tritl_defaults(void);
/* source_labels[s] is [sources[s].n].  Labels are classes of the sources, of a
 * sample of zeros, whose G is 1/c, the lowest.  Returns OK, NO_MEMORY, INVALID,
 * DOMAIN (NaN, Inf, a value below 0), CANCELLED, TOO_BIG. */
mtc_status cmp_tritl(mtc_context *ctx, const mtc_data *sources,
                     const int *const *source_labels, size_t n_sources,
                     const mtc_data *target, const cmp_tritl_options *opt,
                     cmp_tritl_result *res);

/* ---- LatentMap: missing features filled, neighbors in a latent space ----
 * Xie et al. 2009.  Assumes that source (a) and target (b) have some columns
 * in common, and that the others can be predicted from these:
 *   X_a[:,miss] = max(0, M X_b[:,miss]),   M = X_a[:,com] B' (B B' + ridge)^-1
 * with B = X_b[:,com], com the columns that both use, miss those that only b
 * does; and the same from a to b.  Then all rows of length 1, the top `rank`
 * singular directions of them, and a vote of the nearest source samples by
 * cosine.
 * Reconstructed: ridge regression (the paper: a regression for each feature),
 * the weights of the votes.
 * O(N^3 + N^2 d) for the N samples; memory O(N^2 + nnz). */
typedef struct cmp_latentmap_options {
    size_t classes;                 /* c >= 1; labels are 0..c-1; default 2 */
    mtc_real ridge;                 /* > 0; default 1; grid .1 1 10 */
    size_t rank;                    /* >= 1, at most that of the data is used;
                                       default 50 */
    size_t neighbors;               /* >= 1, at most the samples of the sources
                                       are used; default 20 */
    int fill;                       /* default 1; 0: columns stay empty */
} cmp_latentmap_options;

typedef struct cmp_latentmap_result {
    mtc_block block;
    size_t n, classes, source_n;    /* samples of the target, of all sources */
    size_t rank, neighbors;         /* as used */
    size_t common, missing;         /* columns both use; one side only */
    int *labels;                    /* [n] */
    mtc_real *scores;               /* [n*classes] votes: cosines above 0 */
    mtc_real *fill_source;          /* [n*source_n] M'; 0: nothing is filled */
    mtc_real *fill_target;          /* [source_n*n] the same from a to b */
} cmp_latentmap_result;

cmp_latentmap_options cmp_latentmap_defaults(void);
/* source_labels[s] is [sources[s].n]; several sources are one.  Without a
 * common column nothing is filled.  A sample without votes, one of zeros say,
 * gets the most frequent class.  Returns OK, NO_MEMORY, INVALID, DOMAIN (NaN,
 * Inf), SINGULAR (a ridge too small for values so large), CANCELLED, TOO_BIG,
 * LIMIT. */
mtc_status cmp_latentmap(mtc_context *ctx, const mtc_data *sources,
                         const int *const *source_labels, size_t n_sources,
                         const mtc_data *target,
                         const cmp_latentmap_options *opt,
                         cmp_latentmap_result *res);

/* ---- co-transfer -------------------------------------------------------
 * Ng, Wu, Ye: co-transfer learning via joint transition probability graph
 * based method.  CDKD 2012.  Assumes that labels flow by a random walk, within
 * a space to samples that are alike and between the spaces along pairs that
 * were seen together, and that the walk starts again at labeled samples:
 *   U = (1-a) P U + a Q,   P = [ l P_ss  (1-l) P_st ; (1-l) P_ts  l P_tt ]
 * Columns of U [(n_s+n_t) x c], Q and every block of P sum to 1; a column of
 * zeros in a block becomes uniform.  P_ss, P_tt: cosines of nearest neighbors,
 * by union.  P_ts: M = S(target, view 2) S(source, view 1)', each keeping the
 * nearest pairs of every row; P_st: M'.  Q: half a class's mass on its source
 * samples, half on the known target samples.  Label: argmax of U over the
 * classes that a label has.  Reconstructed: the affinities.  One solution, no
 * start. */
typedef struct cmp_cotransfer_options {
    size_t classes;                 /* c >= 1; labels are 0..c-1; default 2 */
    mtc_real alpha;                 /* a: share of steps that start again, in
                                       (0,1]; default .05 */
    mtc_real stay;                  /* l: share that stays in its space, 0..1;
                                       default .9 */
    size_t neighbors;               /* >= 1, of each sample in its own space
                                       and among the pairs; at most all there
                                       are; default 10 */
    size_t iterations;              /* at most; 0 (default): until a step is
                                       below 1e-12 in all (float: 4e-6), or
                                       after 100 000 */
} cmp_cotransfer_options;

typedef struct cmp_cotransfer_result {
    mtc_block block;
    size_t n, n_source, classes;    /* n: samples of the target */
    int *labels;                    /* [n] */
    mtc_real *scores;               /* [n*classes] U on the target */
    mtc_real *source_scores;        /* [n_source*classes] U on the sources,
                                       stacked */
    size_t iterations;
    mtc_real step;                  /* sum |change of U| in the last one */
    int converged;
} cmp_cotransfer_result;

cmp_cotransfer_options cmp_cotransfer_defaults(void);
/* source_labels[s] is [sources[s].n].  view1 and view2: the pairs, row by row,
 * in the sources' features and in the target's.  view2 NULL: view1 is a bridge,
 * of one width with sources and target; its columns that a source uses are
 * view 1, those that the target uses view 2.  known [target.n]: classes, or -1
 * where unknown; NULL: none is known.  A class without a labeled sample has
 * scores of 0; if there is only one with, all labels are that one.  A place of
 * failure counts sources, then target, view1, view2.
 * O((n_s^2 + n_t^2 + (n_s+n_t) pairs) d) once, O((n_s+n_t) neighbors c) an
 * iteration, of which there are 27 / alpha at most; memory: nnz + that.
 * Returns OK, NO_MEMORY, INVALID, DOMAIN (NaN, Inf), CANCELLED, TOO_BIG. */
mtc_status cmp_cotransfer(mtc_context *ctx, const mtc_data *sources,
                          const int *const *source_labels, size_t n_sources,
                          const mtc_data *view1, const mtc_data *view2,
                          const mtc_data *target, const int *known,
                          const cmp_cotransfer_options *opt,
                          cmp_cotransfer_result *res);

/* ---- HTLIC: heterogeneous transfer for image classification -------------
 * Zhu et al., AAAI 2011.  Assumes unlabeled documents F, images with features Z
 * and tags T, the documents' words, and a few labeled samples of a target with
 * the images' features: tags are the bridge.  With G = Z'T and F scaled to
 * Frobenius norm 1,
 *   min lambda |G - V U'|^2 + (1-lambda) |F - W U'|^2
 *       + ridge (|U|^2 + |V|^2 + |W|^2)
 * by exact alternating least squares: V, then W, then U.  The target's new
 * features are X V, rows of length 1; a linear SVM learns from the known.
 * Labels of the documents are not used.  Reconstructed: scale, ridge, SVM. */
typedef struct cmp_htlic_options {
    size_t classes;                 /* c >= 1; default 2 */
    size_t rank;                    /* r >= 1, columns of U, V, W; at most as
                                       many as there are tags; default 20 */
    mtc_real lambda;                /* of the images, 0..1; default .5 */
    mtc_real ridge;                 /* 0..1e9; default .01; 0: least squares of
                                       least length where rank is deficient */
    int append;                     /* 1: the SVM learns from the target's own
                                       features and the new ones; default 0 */
    size_t iterations;              /* rounds of V, W, U; default 30; 0: V of
                                       the start is 0, and nothing learned */
    mtc_real cost;                  /* C of the SVM, > 0; default 10 */
    const mtc_real *start;          /* [tags*rank used] U; NULL: normal
                                       numbers of deviation .1 */
} cmp_htlic_options;

typedef struct cmp_htlic_result {
    mtc_block block;
    size_t n, classes, d, tags;     /* n: samples of the target; d: features */
    size_t rank;                    /* used */
    int *labels;                    /* [n] */
    mtc_real *scores;               /* [n*classes] decisions of the SVM; of a
                                       class without a known sample, which is
                                       never predicted, -1 */
    mtc_real *features;             /* [n*rank] X V, rows of length 1 */
    mtc_real *U, *V;                /* [tags*rank] [d*rank] */
    mtc_real *objective;            /* [iterations+1], never increasing; first
                                       with V = W = 0 */
    size_t iterations;
} cmp_htlic_result;

cmp_htlic_options cmp_htlic_defaults(void);
/* documents [n_documents] sets, and view1, the tags, have the same features;
 * view2, the images, and the target have the same; view1 and view2 the same
 * number of rows.  known [target.n]: classes, or -1 where unknown; one at least
 * is known, and if all known are of one class all labels are that one.  A place
 * of failure counts documents, then target, view1, view2.
 * O((nnz(Z) + nnz(T) + nnz(F)) r) a round, and the SVM; memory nnz, and r for
 * each document, tag, pair, feature, sample.
 * Returns OK, NO_MEMORY, INVALID, DOMAIN (NaN, Inf), CANCELLED, TOO_BIG,
 * LIMIT (also where the SVM did not converge: scale the target's features). */
mtc_status cmp_htlic(mtc_context *ctx, const mtc_data *documents,
                     size_t n_documents, const mtc_data *view1,
                     const mtc_data *view2, const mtc_data *target,
                     const int *known, const cmp_htlic_options *opt,
                     cmp_htlic_result *res);

/* ======================================================================
 * The frame: for the systems' own files
 * ====================================================================== */
#ifdef CMP_INTERNAL

/* Memory, failures, checks and small things about rows are advice's: its desk.h
 * says how each is used. */
#include "../advice/desk.h"

#define CMP_EPS ADV_BY_TYPE(DBL_EPSILON, FLT_EPSILON)

/* A call is a job, which begins with the result.  cmp_run takes the result's
 * block and has the work done, which takes scratch from the desk at any time:
 *
 *     ADV_TRY(cmp_enter(ctx, wrong, 0, &j.w));             nothing taken yet
 *     return cmp_run(ctx, X_shape, X_work, &j, sizeof j.r, res);
 *
 * All memory is 0 when it is taken.  After a failed take all later ones return
 * NULL, and the desk's status says why. */
static inline mtc_status cmp_run(mtc_context *ctx, adv_shape shape,
                                 adv_work work, void *job, size_t bytes,
                                 void *out)
{
    return adv_run(ctx, shape, work, job, job, bytes, out);
}

void cmp_carve_reals(adv_carver *c, size_t count, mtc_real **const *pieces);
#define CMP_CARVE_REALS(c, count, ...) \
    cmp_carve_reals(c, count, (mtc_real **const[]){__VA_ARGS__, NULL})
/* [n_tasks] of [n_t], and of [n_t*wide], wide 0: [n_t*n_t]. */
int **cmp_carve_labels(adv_carver *c, const mtc_data *tasks, size_t n_tasks);
mtc_real **cmp_carve_rows(adv_carver *c, const mtc_data *tasks, size_t n_tasks,
                          size_t wide);
/* INVALID with this text, OK if it is NULL. */
mtc_status cmp_check_options(mtc_context *ctx, const char *wrong);
/* A generator for `stream` of the context's seed: streams are independent. */
mtc_random cmp_stream(const mtc_context *ctx, uint64_t stream);

/* n labels in 0..classes-1. */
mtc_status cmp_check_labels(mtc_context *ctx, const int *labels, size_t n,
                            size_t classes, size_t task);
/* The same; NULL is none, and fine. */
static inline mtc_status cmp_check_start(mtc_context *ctx, const int *labels,
                                         size_t n, size_t classes, size_t task)
{
    return labels == NULL ? MTC_OK
                          : cmp_check_labels(ctx, labels, n, classes, task);
}

/* Tasks of one width, for each k in 1..n: of_each [n_tasks], or the same for
 * all where it is NULL; start_labels [n_tasks] of [n_t] in 0..k-1, or NULL. */
mtc_status cmp_check_tasks(mtc_context *ctx, const char *wrong,
                           const mtc_data *tasks, size_t n_tasks, size_t k,
                           const size_t *of_each,
                           const int *const *start_labels);
static inline size_t cmp_clusters(size_t k, const size_t *of_each, size_t t)
{
    return of_each != NULL ? of_each[t] : k;
}

/* What a transfer is given, CMP_WORLD by the caller's own names; the rest is
 * from cmp_enter, which checks it after `wrong`, a text about its options or
 * NULL, and from cmp_gather.  Places count sources, target, views. */
typedef struct cmp_world {
    const mtc_data *sources, *target;
    const int *const *labels;       /* of the sources */
    size_t n_sources, c;            /* classes */
    const mtc_data *view[2];        /* pairs: as wide as sources and target,
                                       the second NULL: the first is both */
    const int *known;               /* [n] of the target, -1: not; or NULL */
    size_t d, n, u0, N;             /* of the target; samples of the sources,
                                       of all */
    mtc_data *sets;                 /* [n_sources+1] the target last */
    int *y;                         /* [N] classes, -1: unknown */
    mtc_real *count;                /* [2*c] of the sources, of the target */
} cmp_world;
#define CMP_WORLD \
    {.sources = sources, .labels = source_labels, .n_sources = n_sources, \
     .target = target, .c = o->classes}

typedef enum cmp_kind {
    CMP_ALL,                        /* labels of each source */
    CMP_SOME,                       /* of one at least; others have NULL */
    CMP_COUNTS,                     /* of each, and no value is below 0 */
    CMP_PAIRS                       /* of each or none; views, known */
} cmp_kind;
mtc_status cmp_enter(mtc_context *ctx, const char *wrong, cmp_kind kind,
                     cmp_world *w);
mtc_status cmp_gather(adv_desk *desk, cmp_world *w);

/* No stored value below 0; else DOMAIN with its place. */
mtc_status cmp_check_nonnegative(mtc_context *ctx, const mtc_data *X,
                                 size_t task);

/* Samples of all sets; SIZE_MAX on overflow. */
size_t cmp_count(const mtc_data *sets, size_t n_sets);

/* Copies are scratch; on failure desk->status is set.  All rows of all sets,
 * or the m of the only set that `rows` names; dense if all are, else CSR. */
mtc_data cmp_copy(adv_desk *desk, const mtc_data *sets, size_t n_sets,
                  size_t m, const size_t *rows);
#define cmp_stack(desk, sets, n_sets) cmp_copy(desk, sets, n_sets, 0, NULL)
/* Rows scaled to length 1, or of values >= 0 to sum 1; one of zeros stays. */
typedef enum cmp_unit { CMP_LENGTH, CMP_SUM } cmp_unit;
mtc_data cmp_unit_rows(adv_desk *desk, const mtc_data *X, cmp_unit unit);
/* The bridge with 0 in every column that X does not use. */
mtc_data cmp_used_columns(adv_desk *desk, const mtc_data *bridge,
                          const mtc_data *X);

/* [X, Y] as CSR, of as many rows as both have. */
mtc_data cmp_beside(adv_desk *desk, const mtc_data *X, const mtc_data *Y);
/* The Frobenius norm of Z'T, which is not formed. */
mtc_real cmp_product_norm(adv_desk *desk, const mtc_data *Z,
                          const mtc_data *T);

/* nb.c.  weights [d*classes] += X' onehot(labels): what each word weighs in
 * each class. */
void cmp_class_weights(const mtc_data *X, const int *labels, size_t classes,
                       mtc_real *weights);

/* starts.c.  word [d], in 0..k-1: by k-means of all documents' words; by what
 * they weigh in each class, weights [d*classes]. */
mtc_status cmp_words_by_kmeans(adv_desk *desk, const mtc_data *sets,
                               size_t n_sets, size_t k, int *word);
mtc_status cmp_words_by_class(adv_desk *desk, size_t d, size_t classes,
                              const mtc_real *weights, size_t k, int *word);
/* G [target.n*classes]: probabilities by logistic regression on the sources,
 * labels those of all, and a little more; untouched without a word in common. */
mtc_status cmp_soft_labels(adv_desk *desk, const mtc_data *sources,
                           size_t n_sources, const int *labels,
                           const mtc_data *target, size_t classes,
                           mtc_real *G);

/* labels [n_tasks] of [n_t]: given, checked, or k-means of each task with
 * centers matched. */
mtc_status cmp_matched_labels(mtc_context *ctx, const mtc_data *tasks,
                              size_t n_tasks, size_t k,
                              const int *const *given, int *const *labels);

/* Index of the largest of those of k values with a count above 0, of which
 * there is one at least, the lowest on a tie. */
size_t cmp_argmax_of(size_t k, const mtc_real *value, const mtc_real *count);
/* order [n]: indices that sort key [n] ascending, ties by lowest index;
 * spare [n]. */
void cmp_sort(size_t n, const mtc_real *key, size_t *order, size_t *spare);

/* |x_i - x_j|^2 of rows of a view. */
mtc_real cmp_squared_distance(const mtc_data *X, size_t i, size_t j);
/* The median distance of the samples of all sets together: the root of squared
 * distance number floor(M/2), from 0, of all M; 1 if that is 0, or M is.  Of
 * more than 1000 samples so many, evenly spaced.  On failure desk->status is
 * set. */
mtc_real cmp_median_distance(adv_desk *desk, const mtc_data *sets,
                             size_t n_sets);

/* Shared nearest neighbors, for SAMTC and MTCTKI:
 *   S = sum_b weight_b / l_b N_b N_b',    S_ij *= K_ij,    S_ii = 0
 * N_b [n*m]: entry ij is 1 where point j of block b is one of the l nearest of
 * sample i, so that (N N')_ij counts the neighbors that i and j have in common;
 * K the Gaussian kernel.  Clusters of S are found by normalized cut. */
/* l = ceil(share n / k) within 1..most; 0 if most is. */
size_t cmp_snn_count(mtc_real share, size_t n, size_t k, size_t most);
/* S [n*n] += weight / l N N' below the diagonal; N the l nearest points of
 * every query.  queries NULL: of the points among themselves, none its own
 * neighbor.  rows [queries], ascending: their places in S; NULL: 0, 1, 2, ...
 * l = 0 adds nothing. */
mtc_status cmp_snn_add(adv_desk *desk, const mtc_data *points,
                       const mtc_data *queries, const size_t *rows, size_t l,
                       mtc_real weight, size_t n, mtc_real *S);
/* S_ij *= exp(-|x_i - x_j|^2 / (2 sigma^2)) below the diagonal, the same above;
 * then labels [n] and how many occur. */
mtc_status cmp_snn_cluster(adv_desk *desk, const mtc_data *X, mtc_real sigma,
                           mtc_real *S, size_t k, size_t restarts, int *labels,
                           size_t *k_effective);

/* Eigenvalues of a Gram matrix up to this share of the largest are 0. */
#define CMP_RANK ((mtc_real)(sizeof(mtc_real) == 8 ? 1e-10 : 1e-5))
/* Y [N*q] = X P for the N rows X of all tasks, stacked, and the q right
 * singular vectors P of values that are not 0; values [q], ascending, their
 * squares.  Y and values have room for q = min(N, d).  centered 1: each task's
 * mean is taken from its rows first.  O(N d min(N,d)); memory O(N min(N,d))
 * and a copy of the data. */
mtc_status cmp_coordinates(adv_desk *desk, const mtc_data *tasks,
                           size_t n_tasks, int centered, mtc_real *Y,
                           mtc_real *values, size_t *q);

/* t > 0 with sum_k (b_k / (w_k - w_0 + t))^2 = square, w [m] ascending; where
 * b_0 is 0 and the sum never reaches `square`, the least t. */
mtc_real cmp_secular_root(size_t m, const mtc_real *w, const mtc_real *b,
                          mtc_real square);

/* labels [n] that maximize sum_i F_i,h(i), F [n*k], where clusters have from
 * floor((1-slack) n/k) to ceil((1+slack) n/k) samples, and one at least;
 * *changed becomes 1 if a label does. */
mtc_status cmp_balanced_labels(adv_desk *desk, size_t n, size_t k,
                               const mtc_real *F, mtc_real slack, int *labels,
                               int *changed);

/* ceil(x) and floor(x) of a number >= 0 that rounding may have spoiled: a whole
 * number, give or take 1e-9, stays itself (in float 1e-6 of it).  A number too
 * large for size_t is SIZE_MAX. */
static inline size_t cmp_whole(double x)
{
    return !(x > 0) ? 0 : x < (double)SIZE_MAX ? (size_t)x : SIZE_MAX;
}

static inline double cmp_spoil(mtc_real x)
{
    return sizeof x == 8 ? 1e-9 : 1e-6 * (1 + (double)x);
}

static inline size_t cmp_ceil(mtc_real x)
{
    return cmp_whole(ceil((double)x - cmp_spoil(x)));
}

static inline size_t cmp_floor(mtc_real x)
{
    return cmp_whole(floor((double)x + cmp_spoil(x)));
}

static inline mtc_real cmp_abs(mtc_real x)
{
    return x < 0 ? -x : x;
}

/* Is x a number in low..high?  False for NaN. */
static inline int cmp_is_real(mtc_real x, mtc_real low, mtc_real high)
{
    return x >= low && x <= high;
}

#endif /* CMP_INTERNAL */

#ifdef __cplusplus
}
#endif
#endif /* COMPARED_H */
