/* SPDX-License-Identifier: MIT
 *
 * calls.h - one table of everything the library computes, for the programs
 * that hold all of it to the same promise: hash.c (the same bits everywhere),
 * threads.c (at the same time), fuzz_methods.c (hostile input).
 *
 * A row has three functions.  run() picks its options by throwing dice, field
 * by field: a die that shows 0 (or is missing) means the default, others a
 * legal value, and among hostile dice any value at all.  see() shows every
 * part of a result to a witness that hashes it and says what is wrong with
 * it.  release() gives it back.  A new method is one more row.
 *
 * The hash does not depend on the byte order or the width of size_t.  Arrays
 * the caller has to provide come from the context too, in exact sizes, so
 * that whoever watches over the heap watches over them.
 */
#ifndef CALLS_H
#define CALLS_H

#ifndef MTC_INTERNAL
#define MTC_INTERNAL                    /* no fused multiply-add here either */
#endif
#include "../../mtc.h"
#include "../../examples/advice/mtc_advice.h"

#include "calls/scene.h"
#include "calls/kmeans.h"
#include "calls/graph.h"
#include "calls/ward.h"
#include "calls/classify.h"
#include "calls/spectral.h"
#include "calls/measures.h"
#include "calls/lss.h"
#include "calls/vote_ec.h"
#include "calls/mbc.h"
#include "calls/fir.h"
#include "calls/ttl.h"
#include "calls/auto.h"
#include "calls/choose.h"
#include "calls/lp.h"
#include "calls/linalg.h"

/* ---- the table --------------------------------------------------------- */

typedef union outcome {
    mtc_kmeans_result kmeans;
    mtc_ward_result ward;
    mtc_graph graph;
    mtc_tree_result tree;
    mtc_logistic_result logistic;
    mtc_svm_result svm;
    mtc_ncut_result ncut;
    mtc_snmf_result snmf;
    mtc_pca_result pca;
    mtc_contingency_result contingency;
    mtc_scores score;
    mtc_lssmtc_result lssmtc;
    mtc_vote_result vote;
    mtc_ec_result ec;
    mtc_trec_result trec;
    mtc_mbc_result mbc;
    mtc_msda_result msda;
    mtc_consistent_result consistent;
    mtc_mtcfir_result mtcfir;
    mtc_ttl_result ttl;
    mtc_guard_result guard;
    mtc_judge_result judge;
    mtc_auto_result automatic;
    mtc_choose_result choose;
    mtc_apart_result apart;
    mtc_across_result across;
    mtc_align_result align;
    arrays array;
} outcome;

/* What a row promises beyond finite results, for test_memory.c. */
enum {
    OF_K = 1,                   /* refuses k = 0 */
    OF_N = 2,                   /* and k above a task's samples */
    OF_D = 4,                   /* takes memory for each feature */
    OF_TICKS = 8,                  /* asks the progress callback */
    POSITIVE = 16,              /* refuses values of 0 and below */
    OF_SQUARE = 32,                /* reads `square`, not the tasks */
    NO_DATA = 64,               /* reads no samples */
    BARE = 128,                 /* takes no context: checks nothing */
    EXTRA = 256,                /* takes arrays of its own from the context */
    BOUND = 512,                /* its need is a bound */
    OF_LANES = 1024,            /* uses the lanes that a caller lends */
    AS_IT_GOES = 2048           /* advice: takes memory as it goes, in many
                                   blocks; knows no need beforehand */
};

typedef struct method_row {
    const char *name;
    mtc_status (*run)(mtc_context *ctx, scene *s, void *out);
    void (*see)(const scene *s, const void *out, witness *w);
    void (*release)(mtc_context *ctx, void *out);
    unsigned flags;
} method_row;

static void no_release(mtc_context *ctx, void *out)
{
    (void)ctx, (void)out;
}

#define ROW(NAME, FLAGS) \
    {#NAME, NAME##_run, NAME##_see, result_release, FLAGS}
#define ROW_AS(NAME, SEE, FLAGS) \
    {#NAME, NAME##_run, SEE##_see, result_release, FLAGS}
#define ROW_ARRAYS(NAME, SEE, FLAGS) \
    {#NAME, NAME##_run, SEE##_see, arrays_release, FLAGS}

static const method_row method_rows[] = {
    ROW(kmeans, OF_K | OF_N | OF_D | OF_TICKS | OF_LANES),
    ROW_AS(kmeans_bregman, kmeans,
           OF_K | OF_N | OF_D | OF_TICKS | POSITIVE | OF_LANES),
    ROW_AS(kmeans_mahalanobis, kmeans,
           OF_K | OF_N | OF_D | OF_TICKS | EXTRA | OF_LANES),
    ROW_ARRAYS(kmeans_assign, arrays, OF_K | OF_N | OF_D | OF_TICKS),
    ROW_ARRAYS(neighbors, arrays, 0),
    ROW(graph, 0),
    ROW(ward, OF_TICKS | AS_IT_GOES),
    ROW_ARRAYS(ward_cut, arrays, OF_K | OF_N | OF_TICKS | AS_IT_GOES),
    ROW(logistic, OF_K | OF_D | OF_TICKS),
    ROW_ARRAYS(logistic_assign, arrays, OF_K | OF_D | OF_TICKS),
    ROW(svm, OF_K | OF_TICKS),
    ROW_ARRAYS(svm_assign, arrays, OF_K | OF_TICKS),
    ROW(ncut, OF_K | OF_N | OF_TICKS),
    ROW(snmf, OF_K | OF_TICKS | OF_SQUARE),
    ROW(pca, OF_D),
    ROW_AS(pca_wide, pca_wide, OF_D),
    ROW_AS(pca_views, pca_views, OF_D),
    ROW_ARRAYS(pca_assign, arrays, OF_D),
    ROW(contingency, NO_DATA | BOUND),
    {"score", score_run, score_see, no_release, NO_DATA | BOUND},
    ROW_ARRAYS(silhouette, silhouette, OF_K),
    ROW_ARRAYS(a_distance, a_distance, OF_D),
    ROW_ARRAYS(complexity, arrays, OF_D),
    ROW_ARRAYS(partition_emd, arrays, OF_K | OF_D),
    ROW(lssmtc, OF_K | OF_N | OF_D | OF_TICKS),
    ROW_AS(lssttc, lssmtc, OF_K | OF_D | OF_TICKS),
    ROW_ARRAYS(lssmtc_assign, arrays, OF_K | OF_N | OF_D | OF_TICKS),
    ROW_ARRAYS(emd, arrays, NO_DATA),
    ROW_ARRAYS(assignment, arrays, NO_DATA),
    ROW_ARRAYS(functions, arrays, NO_DATA),
    ROW_ARRAYS(random, arrays, NO_DATA),
    ROW_ARRAYS(verbs, verbs, BARE),
    ROW_ARRAYS(means, verbs, BARE),
    ROW_ARRAYS(match, arrays, OF_K | OF_D),
    ROW_ARRAYS(cholesky, arrays, BARE),
    ROW_ARRAYS(qr, arrays, NO_DATA),
    ROW_ARRAYS(jacobi, arrays, NO_DATA),
    ROW_ARRAYS(symeig, arrays, NO_DATA),
    ROW_ARRAYS(symeig_range, arrays, NO_DATA),
    ROW_ARRAYS(eigen_operator, arrays, NO_DATA),
    ROW_ARRAYS(spectral, arrays, NO_DATA),
    ROW_AS(kmeans_vote, kmeans, OF_K | OF_N | OF_D | OF_TICKS),
    ROW_AS(ncut_given, ncut, OF_K | OF_SQUARE),
    ROW(vote, OF_K | OF_N | NO_DATA),
    ROW(ec, OF_K | OF_N | OF_TICKS),
    ROW_ARRAYS(ec_assign, arrays, OF_K | OF_N | OF_TICKS),
    ROW(trec, OF_K | OF_N | OF_TICKS),
    ROW(mbc, OF_K | OF_N | OF_D | OF_TICKS),
    ROW_AS(mbc_mahalanobis, mbc, OF_K | OF_N | OF_D | OF_TICKS | EXTRA),
    ROW_AS(mbc_center, mbc, OF_K | OF_N | OF_D | OF_TICKS),
    ROW_ARRAYS(mbc_assign, arrays, OF_K | OF_N | OF_D | OF_TICKS),
    ROW_ARRAYS(mbc_centroid, arrays, NO_DATA),
    ROW(msda, OF_D | OF_TICKS),
    ROW(consistent, OF_K | OF_N | OF_TICKS),
    ROW(mtcfir, OF_K | OF_N | OF_D | OF_TICKS),
    ROW(ttl, OF_K | OF_D | OF_TICKS),
    ROW_AS(ttl_views, ttl, OF_K | OF_D | OF_TICKS | EXTRA),
    ROW_ARRAYS(ttl_assign, arrays, OF_K | OF_D | OF_TICKS),
    ROW_ARRAYS(bridge_features, arrays, OF_D),
    ROW_ARRAYS(bridge_fit, arrays, NO_DATA),
    ROW(guard, OF_K | OF_N | OF_D | OF_TICKS | OF_LANES | AS_IT_GOES),
    ROW_ARRAYS(guard_assign, arrays,
               OF_K | OF_N | OF_D | OF_TICKS | AS_IT_GOES),
    ROW(auto, OF_K | OF_N | OF_D | OF_TICKS | OF_LANES | AS_IT_GOES),
    ROW_ARRAYS(auto_assign, arrays,
               OF_K | OF_N | OF_D | OF_TICKS | AS_IT_GOES),
    ROW(choose, OF_TICKS | OF_LANES | AS_IT_GOES),
    ROW_ARRAYS(far_rows, arrays, AS_IT_GOES),
    ROW(apart, OF_K | AS_IT_GOES),
    ROW(across, OF_TICKS | AS_IT_GOES),
    ROW(align, OF_K | OF_N | OF_TICKS | AS_IT_GOES),
    ROW(judge, OF_K | OF_N | OF_TICKS | AS_IT_GOES),
    ROW(tree, OF_TICKS | AS_IT_GOES),
    ROW_ARRAYS(tree_cut, arrays, OF_K | OF_N | OF_TICKS | AS_IT_GOES),
};

enum { METHOD_ROWS = sizeof method_rows / sizeof method_rows[0] };

#include "calls/stage.h"

#endif /* CALLS_H */
