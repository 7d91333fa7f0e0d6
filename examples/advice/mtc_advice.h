/* SPDX-License-Identifier: MIT
 *
 * mtc_advice.h - advice on clusters, written on mtc.h alone.
 *
 * The methods of mtc.h do what they are told.  These calls help to decide: they
 * run several methods, compare the answers, and say what the data support.
 *   mtc_auto     clusters one or more data sets if you have no method in mind
 *   mtc_choose   how many clusters there are, and how sure that is
 *   mtc_far_rows which rows lie far from all others
 *   mtc_apart    whether groups lie apart, touch or overlap
 *   mtc_across   which group of one data set is which of another
 *   mtc_align    how a target is brought to a source before a transfer
 *   mtc_guard    MBC or LSSMTC, but only where sharing is safe
 *   mtc_judge    which of several partitions the rows support
 *   mtc_tree     the minimum spanning tree, and clusters of any shape (Genie)
 *   mtc_ward     Ward's tree, and compact clusters
 *
 * An installed library has all of it.  A program that compiles the files of mtc
 * itself compiles those of examples/advice too:
 *
 *     cc app.c examples/advice/[a-z]*.c mtc.c linalg.c lp.c -lm
 *
 *     mtc_data tasks[2] = {...};
 *     mtc_auto_options opt = mtc_auto_defaults();
 *     mtc_auto_result res = {0};
 *     opt.clusters = 4;
 *     mtc_status s = mtc_auto(NULL, tasks, 2, &opt, &res);
 *     ... res.labels[t][i] ...
 *     mtc_free(NULL, &res.block);
 *
 * The conventions, the shape of a call, contexts and statuses are those of
 * mtc.h.  Scale the features before you call.
 *
 * MEMORY
 *   These calls take memory from the context's allocator as they go, in many
 *   blocks.  They give all of it back but the result's.  They do not know their
 *   need beforehand: ctx->need is 0 afterwards, and a call under mtc_measure()
 *   only returns NO_MEMORY.
 *
 * THREADS
 *   A context can lend threads (`parallel` in mtc.h), and no result depends on
 *   them.  The threads take their memory by malloc.  Only the caller's thread
 *   uses the context's allocator, so it need not be safe among threads.  With
 *   -DMTC_NO_MALLOC these calls use one thread.
 *
 * REFERENCES
 *   [GBC16]  Gagolewski, Bartoszuk, Cena: Genie.  Information Sciences 2016.
 *   [W63]    Ward: hierarchical grouping to optimize an objective.  JASA 1963.
 *   [LW67]   Lance, Williams: hierarchical systems.  Computer Journal 1967.
 */
#ifndef MTC_ADVICE_H
#define MTC_ADVICE_H

#include "../../mtc.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- choose: how many clusters -------------------------------------------
 * mtc_choose finds the number of clusters, says how much it believes in every
 * other number, and names the next best.  It builds a graph of near neighbors
 * and Ward's tree for each task, and compares for every k
 *   usil     how well the spectral embedding of the graph falls into k groups
 *   gap      the eigengap of the graph
 *   height   the step between two heights of the tree
 *   mix      whether one group more would have to cut through a whole one
 * One cluster is likely where every boundary runs through dense rows: mixdep.
 * Each task has its own answer beside the common one; it needs 12 rows, and 6
 * for each cluster.  A task with less than half the largest limit takes no part
 * in the common answer.  The first look is for 12 clusters or fewer; where that
 * is not final, a second goes up to max, and counts if it finds more than 12.
 * Of more than 500 rows the seed draws 500.  Clusters are no classes; one that
 * is curved or long, or of fewer than 40 rows, may come out as several.  Take
 * out copies of rows, and rows far from all others (mtc_far_rows): they are
 * clusters here.
 * Rounding decides between equal distances, as of counts. */
typedef enum mtc_verdict {
    MTC_VERDICT_NONE,               /* no evidence of more than one: k = 1 */
    MTC_VERDICT_CLEAR,              /* sure >= .9, or rows take only k values */
    MTC_VERDICT_UNCLEAR,            /* any other; one far row hides the rest, or
                                       only one k was possible */
    MTC_VERDICT_FEW                 /* too few rows: k = best <= min, p = 0 */
} mtc_verdict;

typedef struct mtc_choose_options {
    size_t min, max;                /* k to choose from; default 1, 48 */
} mtc_choose_options;

/* One answer and what it stands on.  Number k - 1 of an array belongs to k; all
 * but p are 0 without a curve: few rows, or <= K values (k may be < min). */
typedef struct mtc_choice {
    size_t k, best, second;         /* the answer; if that is 1, the best of 2
                                       and more; the next one, or 0 */
    mtc_verdict verdict;
    mtc_real sure;                  /* p of k */
    size_t limit;                   /* K of the look that answered: a sixth of
                                       rows drawn, at most 12, or max */
    mtc_real *p;                    /* [limit] belief in k, sum 1; FEW: 0 */
    mtc_real *gap;                  /* [limit] lambda_k - lambda_k+1 */
    mtc_real *usil;                 /* [limit] silhouette of the embedding */
    mtc_real *mix, *mixdep;         /* [limit] edges across; long ones less */
    mtc_real *height;               /* [limit] log of h(k) / h(k+1) */
} mtc_choice;

typedef struct mtc_choose_result {
    mtc_block block;
    mtc_choice common;              /* by means of all curves, or task 0's */
    size_t tasks;
    mtc_choice *task;               /* [tasks] own answers */
} mtc_choose_result;
MTC_API mtc_choose_options mtc_choose_defaults(void);
MTC_API mtc_status mtc_choose(mtc_context *ctx, const mtc_data *tasks,
    size_t n_tasks, const mtc_choose_options *opt, mtc_choose_result *res);

/* ---- far rows: which lie far from all others? ----------------------------
 * mtc_far_rows finds slips of the decimal point, and 9999 for "unknown".  A row
 * is far if its 4th neighbor is four times as far away as those of nine rows in
 * ten, and twice as far as the others deviate from their mean.  If more than
 * one of 20 rows is far from most, they are a tail, and none counts.  Of more
 * than 500 rows the seed draws 500 as neighbors.  Of fewer than 20 rows none is
 * far, nor of CSR.  Writes far [X.n], 0 or 1. */
MTC_API mtc_status mtc_far_rows(mtc_context *ctx, const mtc_data *X, int *far);

/* ---- apart: is there a gap between groups? -------------------------------
 * mtc_apart looks at the boundaries between groups of rows, whatever method
 * made them.  Where a boundary cuts through one mass, a row beside it has near
 * neighbors on both sides; across a gap it has none.
 *   mix      the share of neighbors on the other side, of rows that have any.
 *            It is about a third within a mass; above .22 two groups touch
 *   among    the share of a group's rows with most of their neighbors in the
 *            other.  Above .15 the two overlap
 * Of more than 500 rows the seed draws 500 for each `task`, and more of groups
 * that have fewer than 20 of these.  Rows that look sparse (mtc_auto) count by
 * their directions.  A word near its limit is not firm, and pieces of fewer
 * than ten rows often seem to lie apart. */
typedef enum mtc_border {
    MTC_BORDER_APART, MTC_BORDER_TOUCH, MTC_BORDER_OVERLAP
} mtc_border;

/* Each [groups*groups] is symmetric, with 0 and APART on its diagonal and
 * beside groups without rows. */
typedef struct mtc_apart_result {
    mtc_block block;
    size_t groups, rows;            /* numbers; rows that were looked at */
    size_t *count;                  /* [groups] of these */
    mtc_border worst;               /* of all pairs */
    int *border;                    /* [groups*groups] mtc_border of a pair */
    mtc_real *mix, *among;          /* [groups*groups] */
    size_t *edges;                  /* [groups*groups] from either side */
} mtc_apart_result;
/* Labels [X.n] are 0..groups-1; not all have to be used. */
MTC_API mtc_status mtc_apart(mtc_context *ctx, const mtc_data *X, size_t task,
    const int *labels, size_t groups, mtc_apart_result *res);

/* ---- across: which cluster of one task is which of another? --------------
 * mtc_across gives the clusters of several tasks, from whatever method, one
 * numbering.  Two have the same number only if the data support that they are
 * one group: much nearer to each other than either is to any other cluster of
 * the two tasks.  It says how sure that is, and which groups are in one task
 * alone.  A task whose columns are scaled or moved (other units, an offset) is
 * found by what falls into place then.  Groups are numbered in the order of
 * their first cluster, by task and number.  Groups that lie in one place by
 * chance are joined; with two groups a task there is too little to tell a move.
 * Pass rows as they were clustered, scaled alike in all tasks.  Rows that look
 * sparse (mtc_auto) count by their directions, without maps; nor are maps
 * sought where a task's clusters by the others' groups are above 1000. */
typedef struct mtc_across_options {
    int maps;                       /* 1: columns of a task may be scaled or
                                       moved; the default */
    const mtc_real *zero;           /* [d] where the table's zeros lie in the
                                       rows; NULL: at 0 */
} mtc_across_options;

typedef enum mtc_across_kind {      /* what became of a column of a task */
    MTC_ACROSS_AS_IS, MTC_ACROSS_SCALED, MTC_ACROSS_MOVED, MTC_ACROSS_BOTH
} mtc_across_kind;

typedef struct mtc_across_result {
    mtc_block block;
    size_t tasks, groups, d;
    const size_t *clusters;         /* [tasks] numbers that labels use, k_t */
    int **group;                    /* [tasks] of [k_t]; -1: it has no rows */
    mtc_real *sure;                 /* [groups] that it is one group or alone */
    int *perhaps;                   /* [groups] alone, but perhaps this; -1 */
    int *anchored;                  /* [tasks] 1: it shares a group */
    mtc_real **same;                /* [tasks*tasks] of [k_s*k_t] how sure two
                                       clusters are one group; NULL: s = t */
    mtc_real *scale, *offset;       /* [tasks*d] others' = scale x + offset */
    unsigned char *kind;            /* [tasks*d] mtc_across_kind */
    mtc_real *gain;                 /* [tasks] of its map, log odds; 0: none */
    mtc_real *odd;                  /* [tasks*d] how much more widely it spreads
                                       than in the others, if suspicious; 1 */
} mtc_across_result;
MTC_API mtc_across_options mtc_across_defaults(void);
/* Labels [n_t] are 0 and more, and less than all tasks have rows; rows with a
 * label below 0 take no part. */
MTC_API mtc_status mtc_across(mtc_context *ctx, const mtc_data *tasks,
    size_t n_tasks, const int *const *labels, const mtc_across_options *opt,
    mtc_across_result *res);

/* ---- align: how a target is brought to a source --------------------------
 * mtc_align finds how the columns of a target are to be brought to those of a
 * labeled source before a transfer: as they are; those with other deviations to
 * the source's means and deviations (units); all of them (own); or to those
 * that the source would have with the target's shares of classes (shares).  The
 * distances of target rows to source rows tell; no label of the target is read.
 * A row x becomes (x - mean) / deviation in the frame of both and, of the
 * target, scale times this plus shift.  Rows that look sparse (mtc_auto) are
 * taken with length 1 and are left as they are. */
typedef enum mtc_align_map {
    MTC_ALIGN_AS_IS, MTC_ALIGN_UNITS, MTC_ALIGN_OWN, MTC_ALIGN_SHARES
} mtc_align_map;
typedef enum mtc_unit {             /* a column of the target looks like */
    MTC_UNIT_SAME, MTC_UNIT_FACTOR, MTC_UNIT_FAHRENHEIT, MTC_UNIT_CELSIUS
} mtc_unit;
enum { MTC_ALIGN_MAPS = 4 };

typedef struct mtc_align_options {
    int map;                        /* the map to keep, as it is where that does
                                       not apply; default -1: the least odd */
} mtc_align_options;

typedef struct mtc_align_measure {
    int tried;                      /* 0: the map does not apply, or stands
                                       behind the one that is asked for */
    mtc_real strange, thin, odd;    /* odd is the mean of these */
    mtc_real margin;                /* by which it has to be less odd */
} mtc_align_measure;

typedef struct mtc_align_result {
    mtc_block block;
    size_t d;
    int sparse;                     /* 1: rows of length 1, without maps */
    mtc_real spread;                /* of the source's deviations */
    int scaled;                     /* 1: each column by its own deviation */
    mtc_align_map kept;
    int together;                   /* 1: rows as they are are as likely */
    mtc_align_measure of[MTC_ALIGN_MAPS];
    mtc_real width, limit;          /* between near rows of the source: median,
                                       and 95 % of them */
    mtc_real *mean, *deviation;     /* [d] of the frame */
    mtc_real *scale, *shift;        /* [4*d] of each map */
    unsigned char *unit;            /* [d] mtc_unit */
    mtc_real *factor;               /* [d] by which it spreads more; 0 */
    mtc_real *distance;             /* [target.n] from the source, over limit:
                                       above 1 a row is far */
    mtc_real *share;                /* [classes] that shares found, or 0 */
} mtc_align_result;
/* Labels [source.n] are 0..classes-1.  Time is O(n^2 d), of 2000 rows a side
 * at most. */
MTC_API mtc_align_options mtc_align_defaults(void);
MTC_API mtc_status mtc_align(mtc_context *ctx, const mtc_data *source,
    const int *labels, size_t classes, const mtc_data *target,
    const mtc_align_options *opt, mtc_align_result *res);

/* ---- judge: which of several partitions do the rows support? -------------
 * mtc_judge compares partitions of the same rows by a walk on the graph of the
 * 5 nearest neighbors, with local widths by the 7th (mtc_graph_build).
 *   score = (I_1 + I_64) / 2 / H^.7
 * I_t is the mutual information (nats) between the clusters at the two ends of
 * t steps, and H is the entropy of one end.  The first partition is kept unless
 * another one scores higher by more than `margin`.  Then, of the others, it is
 * that of the highest score + path: path, -1..1, says how much higher a ridge
 * has to be crossed to another cluster than within one.
 *   - A cluster of fewer than n / (4 k) rows rules another partition out.  If
 *     the first partition has one, margin is 0.
 *   - If partitions without such a cluster cut no edge, only they are compared.
 *   - With fewer than k + 6 rows, or k = 1, the first is kept; scores are 0.
 * Pass distinct rows: no walk leaves a group of equal rows. */
typedef struct mtc_judged {         /* what is said of a partition */
    mtc_real score, entropy;        /* score and H */
    mtc_real path;                  /* 0: too few rows */
    mtc_real info_near, info_far;   /* I_1 and I_64 */
    size_t edges, smallest;         /* edges cut, rows in the least cluster */
    int allowed;                    /* 1: it was compared */
} mtc_judged;

typedef struct mtc_judge_result {
    mtc_block block;
    size_t partitions, kept;        /* how many; the number of the best */
    mtc_real margin;                /* by which the favorite may be lower */
    mtc_judged *of;                 /* [partitions] */
} mtc_judge_result;
/* Labels in partitions [m] of [X.n] are 0..clusters-1.  Time is O(n^2 d). */
MTC_API mtc_status mtc_judge(mtc_context *ctx, const mtc_data *X,
    const int *const *partitions, size_t m, size_t clusters,
    mtc_judge_result *res);

/* ---- guard: a method that shares, only where that is safe ----------------
 * mtc_guard clusters each task by itself (A) and by a method that shares (B).
 * It gives a task B's labels only if they are more stable.  A is a vote over
 * `runs` runs of k-means, and B is a vote over the method from each of these.
 * To measure stability it leaves out one of `folds` parts of the samples at a
 * time, clusters the rest both ways, and gives all samples to the nearest mean.
 * B is kept if its labelings agree with one another (mean ARI) by `margin` more
 * than those of A.  A wrong answer that is stable passes.  It takes 2 R + 6 V
 * runs in all; of the 6 in a fold, 5 are k-means. */
typedef enum mtc_guard_method {
    MTC_GUARD_MBC,                  /* the default */
    MTC_GUARD_LSSMTC
} mtc_guard_method;

typedef struct mtc_guard_options {
    mtc_guard_method method;
    size_t clusters;                /* of every task, 1..n; default 2 */
    const size_t *clusters_of;      /* [tasks], equal for LSSMTC; NULL */
    size_t runs;                    /* R >= 2; default 10 */
    size_t folds;                   /* V >= 2; default 5.  A task below 10 k
                                       samples, or alone, has none: A is kept */
    mtc_real margin;                /* default -1; < 0: MBC .025, LSSMTC .1 */
    /* The method's own options (clusters and starts are not read), or NULL: MBC
     * lambda .5, 30 iterations; LSSMTC recon, .5.  Folds halve its lambda. */
    const mtc_mbc_options *mbc;
    const mtc_lssmtc_options *lssmtc;
} mtc_guard_options;

typedef struct mtc_guard_result {
    mtc_block block;
    size_t tasks, d;
    size_t *clusters;               /* [tasks] */
    int **labels;                   /* [tasks] of [n_t]: A or B */
    int **single, **shared;         /* [tasks] of [n_t]: A and B */
    int *kept;                      /* [tasks] 1: B, 0: A */
    int *matched;                   /* [tasks] as MBC's */
    mtc_real *stability_single, *stability_shared;  /* [tasks] mean ARI of
                                       folds; -1: not measured */
    mtc_real *agreement;            /* [tasks] ARI of A and B */
    mtc_real *loss_single, *loss_shared;    /* [tasks] mean |x - mean|^2 */
    size_t *k_effective;            /* [tasks] clusters that occur */
    mtc_real **centers;             /* [tasks] of [k_t*d] means; that of no row
                                       is never the nearest */
} mtc_guard_result;
MTC_API mtc_guard_options mtc_guard_defaults(void);
/* Fails as the method does. */
MTC_API mtc_status mtc_guard(mtc_context *ctx, const mtc_data *tasks,
    size_t n_tasks, const mtc_guard_options *opt, mtc_guard_result *res);
/* Writes the labels [X.n] of new samples of a task. */
MTC_API mtc_status mtc_guard_assign(mtc_context *ctx, const mtc_data *X,
    size_t task, const mtc_guard_result *res, int *labels);

/* ---- auto: a vote of methods that share and methods that do not ----------
 * mtc_auto clusters one or more data sets.  Call it first.  It finds the
 * geometry of the data, and then votes in each task over families of methods
 * (mtc_vote), each of weight 1.  Data are sparse if nine values in ten are 0
 * and none is negative.
 *   distances   not sparse.  Five candidates: A, a vote over kmeans, mbcC and
 *               pcaJ; B, over gauss, knn and ownD; and the clusters of mtc_tree
 *               for gini .1, .3, .5.  A stays unless mtc_judge prefers another.
 *   directions  sparse, rows of equal length.  A vote over spec, own, lsa,
 *               lsaJ, mbc, lss; then 15 steps of a mixture on unit rows.
 *   sizes       sparse, rows of unequal length, and families on the rows agree
 *               by .15 more than those on unit rows (otherwise directions).  A
 *               vote over kmeans, mbcC, pcaJ, gauss (of all rows), own.
 *
 *   family  in each task, or in all together          looks at        runs
 *   kmeans  k-means                                   rows            R
 *   mbcC    MBC from each of these, means removed     all tasks       R
 *   pcaJ    k-means on 2 max k components             all tasks       1
 *   gauss   ncut, local widths by the 7th nearest     distinct rows   1
 *   knn     ncut of the 10 nearest, same widths       distinct rows   1
 *   ownD    ncut of mtc_consistent, by distances      distinct rows   1
 *   spec    ncut of the cosines                       rows            1
 *   own     ncut of mtc_consistent, by cosines        rows            1
 *   lsa     k-means on k singular directions          unit rows       1
 *   lsaJ    k-means on 2 max k of them                all tasks       1
 *   mbc     MBC from each of R k-means runs           all tasks       R
 *   lss     LSSMTC from these, if all k are equal     all tasks       R
 *
 * For one task, kmeans replaces mbc and lss, and pca (on k components) replaces
 * mbcC and pcaJ.  Most of the gain over k-means comes from the vote, not from
 * sharing.  In a large task `sample` rows vote, drawn by the seed.  Each other
 * row takes the label of the nearest cluster mean or, if candidate A was not
 * kept, of the nearest row that voted. */
typedef enum mtc_geometry {         /* AUTO: as the data are; the default */
    MTC_GEOMETRY_AUTO, MTC_GEOMETRY_DIRECTIONS, MTC_GEOMETRY_SIZES,
    MTC_GEOMETRY_DISTANCES
} mtc_geometry;
enum { MTC_AUTO_FAMILIES = 6, MTC_AUTO_CANDIDATES = 5 };
typedef struct mtc_auto_options {
    size_t clusters;                /* of every task, 1..n; default 2 */
    const size_t *clusters_of;      /* [tasks] of each; NULL: clusters */
    mtc_geometry geometry;
    size_t runs;                    /* R >= 1; default 10 */
    size_t sample;                  /* k or more; default 2000 */
} mtc_auto_options;

typedef struct mtc_auto_result {
    mtc_block block;
    size_t tasks, d, families;
    mtc_geometry geometry;          /* never AUTO */
    mtc_real zeros;                 /* share of all values */
    mtc_real agreement_distances, agreement_directions; /* mean ARI of families
                                       on rows, on unit rows; -1: not asked */
    const char *name[MTC_AUTO_FAMILIES];    /* static texts */
    size_t *clusters;               /* [tasks] */
    int **labels;                   /* [tasks] of [n_t] */
    mtc_real *by_family;            /* [tasks*families] mean ARI with labels;
                                       -1: it was not asked */
    mtc_real *agreement;            /* [tasks] mean of these */
    /* Distances, 0 otherwise: candidates 0 A (prototypes), 1 B (graph), 2 3 4
     * the tree with gini .1 .3 .5, and what mtc_judge says of them. */
    int *kept;                      /* [tasks] the one that is the answer */
    mtc_judged *candidate;          /* [tasks*5] */
    mtc_real *margin;               /* [tasks] */
    mtc_real *agreement_ab, *agreement_kept;    /* [tasks] ARI of A with B (-1:
                                       not asked), and with the answer */
    int *matched;                   /* [tasks] as MBC's */
    size_t *k_effective;            /* [tasks] clusters that occur */
    mtc_real **centers;             /* [tasks] of [k_t*d] means of rows that
                                       vote; directions: of length 1, less with
                                       rows of zeros; that of no row is never
                                       the nearest */
} mtc_auto_result;
MTC_API mtc_auto_options mtc_auto_defaults(void);
/* Fails as mtc_ec does. */
MTC_API mtc_status mtc_auto(mtc_context *ctx, const mtc_data *tasks,
    size_t n_tasks, const mtc_auto_options *opt, mtc_auto_result *res);
/* Writes the labels [X.n] of new samples of a task, of directions by angles. */
MTC_API mtc_status mtc_auto_assign(mtc_context *ctx, const mtc_data *X,
    size_t task, const mtc_auto_result *res, int *labels);

/* ---- minimum spanning tree, and clusters cut from it [GBC16] -------------
 * mtc_tree joins the rows of X by n - 1 edges of the least total length, found
 * by Prim's algorithm from row 0.  It takes O(n^2 d) time and O(n) memory.
 *
 * mtc_tree_cut makes clusters of it.  Every row begins as a cluster, and edges
 * join two of them until `clusters` are left: the shortest edge, or, while the
 * Gini index of the sizes is above `gini`,
 *   G = sum_{i<j} |size_i - size_j| / ((c - 1) n)     of c clusters
 * the shortest that ends in a cluster of the smallest size.  gini 1 is single
 * linkage, which a few far rows mislead; .3 suits most data.  One tree serves
 * any number of cuts, which take O(n^2) time each. */
typedef struct mtc_tree_result {
    mtc_block block;
    size_t n;                       /* rows; the edges are n - 1 */
    size_t *from, *to;              /* [n-1] ends; `from` joined first */
    mtc_real *length;               /* [n-1] squared, ascending */
} mtc_tree_result;

typedef struct mtc_tree_options {
    size_t clusters;                /* k, 1..n; default 2 */
    mtc_real gini;                  /* in [0,1]; default .3 */
} mtc_tree_options;
MTC_API mtc_tree_options mtc_tree_defaults(void);
MTC_API mtc_status mtc_tree(mtc_context *ctx, const mtc_data *X,
                            mtc_tree_result *res);
/* Writes labels [n], numbered in the order of their first rows. */
MTC_API mtc_status mtc_tree_cut(mtc_context *ctx, const mtc_tree_result *res,
    const mtc_tree_options *opt, int *labels);

/* ---- Ward's tree [W63] --------------------------------------------------
 * mtc_ward begins with every row as a cluster, and joins the two whose union
 * costs least until one is left.  The cost of a union is
 *   v(a, b) = 2 n_a n_b / (n_a + n_b) |mean_a - mean_b|^2
 * A large step from one height to the next is a good place to cut, and a cut
 * at k is a good start for k-means that needs no seed.  It takes O(n^2 d) time
 * and O(n^2) memory. */
typedef struct mtc_ward_result {
    mtc_block block;
    size_t n;                       /* samples; there are n - 1 unions */
    size_t *first, *second;         /* [n-1] the lowest sample of each of the
                                       two clusters, first < second */
    mtc_real *height;               /* [n-1] sqrt(v), ascending */
} mtc_ward_result;
MTC_API mtc_status mtc_ward(mtc_context *ctx, const mtc_data *X,
                            mtc_ward_result *res);
/* Writes labels [n] of k clusters, numbered in the order of first rows. */
MTC_API mtc_status mtc_ward_cut(mtc_context *ctx, const mtc_ward_result *res,
                                size_t k, int *labels);

#ifdef __cplusplus
}
#endif
#endif /* MTC_ADVICE_H */
