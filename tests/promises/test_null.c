/* SPDX-License-Identifier: MIT
 *
 * test_null.c - what a stranger passes: NULL for options are the defaults; NULL
 * for a result, an output or data is INVALID and no crash; NaN among the
 * samples that a model shall label is refused; and so are weights and starts
 * that are finite one by one, but not what is made of them.
 */
#include "greatest.h"
#include "test_util.h"

enum { N = 12, D = 3 };

static mtc_real rows[N * D], other[N * D], hole[N * D], nowhere[N * N];
static int truth[N], labels[N];
static mtc_data X, Y, bad;

static void make_data(void)
{
    volatile mtc_real zero = 0;
    test_fill(rows, N * D, 3, 0, 1);
    test_fill(other, N * D, 4, 0, 1);
    for (size_t i = 0; i < N; i++) {
        truth[i] = (int)(i % 2);
        rows[i * D + i % 2] += 6;
        other[i * D + i % 2] += 6;
        for (size_t e = 0; e < D; e++) {            /* none is negative */
            rows[i * D + e] += 4;
            other[i * D + e] += 4;
        }
    }
    memcpy(hole, rows, sizeof hole);
    hole[5] = zero / zero;
    X = mtc_dense(N, D, rows);
    Y = mtc_dense(N, D, other);
    bad = mtc_dense(N, D, hole);
}

#define REFUSED(CALL) ASSERT_EQ(MTC_INVALID, CALL)
#define OUTSIDE(CALL) ASSERT_EQ(MTC_DOMAIN, CALL)

/* Both ways give the same labels, or whatever FIELD is; CALL has `o` for its
 * options and `r` for its result, which is freed in the end but for LAST. */
#define SAME(NAME, FIELD, BYTES, CALL)                                    \
    do {                                                                  \
        mtc_##NAME##_options usual = mtc_##NAME##_defaults(), *o = NULL;   \
        mtc_##NAME##_result a, b, *r = &a;                                \
        ASSERT_EQ(MTC_OK, CALL);                                          \
        o = &usual;                                                       \
        r = &b;                                                           \
        ASSERT_EQ(MTC_OK, CALL);                                          \
        ASSERT_MEM_EQ(a.FIELD, b.FIELD, BYTES);                           \
        mtc_free(&ctx, &a.block);                                         \
        mtc_free(&ctx, &b.block);                                         \
        r = NULL;                                                         \
        REFUSED(CALL);                                                    \
    } while (0)

TEST options_may_be_NULL_and_results_may_not(void)
{
    mtc_context ctx = test_context();
    const mtc_data tasks[2] = {X, Y};
    const int *source[1] = {truth}, *runs[2] = {truth, truth};
    size_t all = N * sizeof(int);
    SAME(kmeans, labels, all, mtc_kmeans(&ctx, &X, o, r));
    SAME(vote, labels, all, mtc_vote(&ctx, N, runs, 2, o, r));
    SAME(logistic, W, 2 * D * sizeof(mtc_real),
         mtc_logistic(&ctx, &X, truth, o, r));
    SAME(svm, bias, sizeof(mtc_real), mtc_svm(&ctx, &X, truth, o, r));
    SAME(ncut, labels, all, mtc_ncut(&ctx, &X, o, r));
    SAME(pca, scores, N * sizeof(mtc_real), mtc_pca(&ctx, &X, 1, o, r));
    SAME(msda, h, N * D * sizeof(mtc_real), mtc_msda(&ctx, tasks, 2, o, r));
    SAME(consistent, relatedness, 4 * sizeof(mtc_real),
         mtc_consistent(&ctx, tasks, 2, o, r));
    SAME(lssmtc, labels[1], all, mtc_lssmtc(&ctx, tasks, 2, o, r));
    SAME(mbc, labels[1], all, mtc_mbc(&ctx, tasks, 2, o, r));
    SAME(mtcfir, labels[1], all, mtc_mtcfir(&ctx, tasks, 2, o, r));
    SAME(ttl, labels, all,
         mtc_ttl(&ctx, &X, source, 1, &Y, NULL, 1, &Y, o, r));
    SAME(ec, labels, all, mtc_ec(&ctx, &X, o, r));
    SAME(trec, target.labels, all, mtc_trec(&ctx, &X, truth, &Y, o, r));
    SAME(guard, labels[1], all, mtc_guard(&ctx, tasks, 2, o, r));
    SAME(auto, labels[1], all, mtc_auto(&ctx, tasks, 2, o, r));
    SAME(choose, common.p, 2 * sizeof(mtc_real),
         mtc_choose(&ctx, tasks, 2, o, r));
    mtc_data_gram(&X, &X, nowhere, N, NULL);        /* no entry below 0 */
    mtc_data M = mtc_dense(N, N, nowhere);
    SAME(snmf, labels, all, mtc_snmf(&ctx, &M, o, r));
    PASS();
}

TEST a_transfer_by_the_defaults(void)
{
    mtc_context ctx = test_context();
    mtc_lssmtc_options o = mtc_lssttc_defaults();
    mtc_lssmtc_result a, b;
    const int *source[1] = {truth};
    ASSERT_EQ(MTC_OK, mtc_lssttc(&ctx, &X, source, 1, &Y, NULL, &a));
    ASSERT_EQ(MTC_OK, mtc_lssttc(&ctx, &X, source, 1, &Y, &o, &b));
    ASSERT_MEM_EQ(a.labels[1], b.labels[1], N * sizeof(int));
    mtc_free(&ctx, &a.block);
    mtc_free(&ctx, &b.block);
    REFUSED(mtc_lssttc(&ctx, &X, source, 1, &Y, &o, NULL));
    REFUSED(mtc_lssttc(&ctx, NULL, source, 1, &Y, &o, &a));
    REFUSED(mtc_lssttc(&ctx, &X, NULL, 1, &Y, &o, &a));
    REFUSED(mtc_lssttc(&ctx, &X, source, 1, NULL, &o, &a));
    PASS();
}

/* A model labels nothing that is not there, and no NaN. */
TEST models_refuse_what_is_missing(void)
{
    mtc_context ctx = test_context();
    mtc_kmeans_result km;
    ASSERT_EQ(MTC_OK, mtc_kmeans(&ctx, &X, NULL, &km));
    OUTSIDE(mtc_kmeans_assign(&ctx, &bad, &km, labels));
    REFUSED(mtc_kmeans_assign(&ctx, NULL, &km, labels));
    REFUSED(mtc_kmeans_assign(&ctx, &X, NULL, labels));
    REFUSED(mtc_kmeans_assign(&ctx, &X, &km, NULL));
    mtc_free(&ctx, &km.block);
    mtc_logistic_result lr;
    ASSERT_EQ(MTC_OK, mtc_logistic(&ctx, &X, truth, NULL, &lr));
    OUTSIDE(mtc_logistic_assign(&ctx, &bad, &lr, labels, NULL));
    REFUSED(mtc_logistic_assign(&ctx, NULL, &lr, labels, NULL));
    REFUSED(mtc_logistic_assign(&ctx, &X, NULL, labels, NULL));
    mtc_free(&ctx, &lr.block);
    mtc_svm_result svm;
    ASSERT_EQ(MTC_OK, mtc_svm(&ctx, &X, truth, NULL, &svm));
    OUTSIDE(mtc_svm_assign(&ctx, &bad, &X, &svm, labels, NULL));
    OUTSIDE(mtc_svm_assign(&ctx, &X, &bad, &svm, labels, NULL));
    REFUSED(mtc_svm_assign(&ctx, NULL, &X, &svm, labels, NULL));
    REFUSED(mtc_svm_assign(&ctx, &X, NULL, &svm, labels, NULL));
    REFUSED(mtc_svm_assign(&ctx, &X, &X, NULL, labels, NULL));
    mtc_data narrow = mtc_dense(N, D - 1, rows);
    REFUSED(mtc_svm_assign(&ctx, &narrow, &X, &svm, labels, NULL));
    REFUSED(mtc_svm_assign(&ctx, &X, &narrow, &svm, labels, NULL));
    mtc_free(&ctx, &svm.block);
    mtc_pca_result pca;
    ASSERT_EQ(MTC_OK, mtc_pca(&ctx, &X, 1, NULL, &pca));
    OUTSIDE(mtc_pca_assign(&ctx, &bad, 0, &pca, nowhere));
    REFUSED(mtc_pca_assign(&ctx, &X, 0, NULL, nowhere));
    REFUSED(mtc_pca_assign(&ctx, &X, 0, &pca, NULL));
    REFUSED(mtc_pca_assign(&ctx, &narrow, 0, &pca, nowhere));
    mtc_free(&ctx, &pca.block);
    PASS();
}

/* The same of methods: NAME's result of CALL, ASSIGN(data, result, labels). */
#define LABELS(NAME, CALL, ASSIGN)                                        \
    do {                                                                  \
        mtc_##NAME##_result res, *r = &res;                               \
        ASSERT_EQ(MTC_OK, CALL);                                          \
        OUTSIDE(ASSIGN(&bad, &res, labels));                              \
        REFUSED(ASSIGN(NULL, &res, labels));                              \
        REFUSED(ASSIGN(&X, NULL, labels));                                \
        REFUSED(ASSIGN(&X, &res, NULL));                                  \
        REFUSED(ASSIGN(&narrow, &res, labels));                           \
        ASSERT_EQ(MTC_OK, ASSIGN(&X, &res, labels));                      \
        mtc_free(&ctx, &res.block);                                       \
    } while (0)
#define BY_LSSMTC(A, R, L) mtc_lssmtc_assign(&ctx, A, 1, R, L)
#define BY_MBC(A, R, L) mtc_mbc_assign(&ctx, A, 1, R, L)
#define BY_TTL(A, R, L) mtc_ttl_assign(&ctx, A, R, L)
#define BY_EC(A, R, L) mtc_ec_assign(&ctx, A, R, L)
#define BY_GUARD(A, R, L) mtc_guard_assign(&ctx, A, 1, R, L)
#define BY_AUTO(A, R, L) mtc_auto_assign(&ctx, A, 1, R, L)

TEST methods_label_only_what_is_there(void)
{
    mtc_context ctx = test_context();
    const mtc_data tasks[2] = {X, Y}, narrow = mtc_dense(N, D - 1, rows);
    const int *source[1] = {truth};
    LABELS(lssmtc, mtc_lssmtc(&ctx, tasks, 2, NULL, r), BY_LSSMTC);
    LABELS(mbc, mtc_mbc(&ctx, tasks, 2, NULL, r), BY_MBC);
    LABELS(ttl, mtc_ttl(&ctx, &X, source, 1, &Y, NULL, 1, &Y, NULL, r),
           BY_TTL);
    LABELS(ec, mtc_ec(&ctx, &X, NULL, r), BY_EC);
    LABELS(guard, mtc_guard(&ctx, tasks, 2, NULL, r), BY_GUARD);
    LABELS(auto, mtc_auto(&ctx, tasks, 2, NULL, r), BY_AUTO);
    PASS();
}

TEST measures_and_blocks_refuse_what_is_missing(void)
{
    mtc_context ctx = test_context();
    mtc_real out, two[2] = {1, 1};
    mtc_scores scores;
    mtc_contingency_result table;
    mtc_divergence d = mtc_sqeuclidean();
    size_t index[N];
    REFUSED(mtc_data_check(&ctx, NULL, MTC_NONE));
    REFUSED(mtc_contingency(&ctx, N, truth, truth, NULL));
    REFUSED(mtc_contingency(&ctx, N, NULL, truth, &table));
    REFUSED(mtc_contingency(&ctx, N, truth, NULL, &table));
    REFUSED(mtc_score(&ctx, N, truth, truth, NULL));
    REFUSED(mtc_score(&ctx, N, NULL, truth, &scores));
    REFUSED(mtc_score(&ctx, N, truth, NULL, &scores));
    REFUSED(mtc_silhouette(&ctx, NULL, truth, 2, nowhere, &out));
    REFUSED(mtc_silhouette(&ctx, &X, NULL, 2, nowhere, &out));
    REFUSED(mtc_a_distance(&ctx, NULL, &Y, &out));
    REFUSED(mtc_a_distance(&ctx, &X, NULL, &out));
    REFUSED(mtc_a_distance(&ctx, &X, &Y, NULL));
    REFUSED(mtc_complexity(&ctx, NULL, 1, &out));
    REFUSED(mtc_complexity(&ctx, &X, 1, NULL));
    REFUSED(mtc_partition_emd(&ctx, &X, truth, 2, &Y, truth, 2, &d, NULL));
    REFUSED(mtc_partition_emd(&ctx, NULL, truth, 2, &Y, truth, 2, &d, &out));
    REFUSED(mtc_partition_emd(&ctx, &X, NULL, 2, &Y, truth, 2, &d, &out));
    REFUSED(mtc_partition_emd(&ctx, &X, truth, 2, NULL, truth, 2, &d, &out));
    REFUSED(mtc_bridge_features(&ctx, &X, &X, &Y, NULL));
    REFUSED(mtc_neighbors(&ctx, NULL, NULL, 2, MTC_DISTANCE_SQEUCLIDEAN, index,
                          nowhere));
    REFUSED(mtc_neighbors(&ctx, &X, NULL, 2, MTC_DISTANCE_SQEUCLIDEAN, NULL,
                          nowhere));
    REFUSED(mtc_emd(&ctx, 2, 2, NULL, 2, two, two, NULL, NULL, NULL, NULL,
                    NULL));
    REFUSED(mtc_emd(&ctx, 2, 2, rows, 2, NULL, two, NULL, NULL, NULL, NULL,
                    NULL));
    REFUSED(mtc_emd(&ctx, 2, 2, rows, 2, two, NULL, NULL, NULL, NULL, NULL,
                    NULL));
    REFUSED(mtc_assignment(&ctx, 2, 2, NULL, 2, index, NULL, NULL, NULL));
    REFUSED(mtc_assignment(&ctx, 2, 2, rows, 2, NULL, NULL, NULL, NULL));
    REFUSED(mtc_symeig(&ctx, 2, NULL, 2, two, NULL, 2));
    REFUSED(mtc_symeig(&ctx, 2, nowhere, 2, NULL, NULL, 2));
    REFUSED(mtc_eigen_operator(&ctx, 2, NULL, NULL, 1, 0, 0, two, nowhere, 1,
                               NULL));
    REFUSED(mtc_spectral(&ctx, NULL, 1, nowhere, two));
    REFUSED(mtc_mbc_centroid(&ctx, &d, MTC_CENTROID_EXACT, 2, 1, 1, NULL, two,
                             two));
    REFUSED(mtc_mbc_centroid(&ctx, &d, MTC_CENTROID_EXACT, 2, 1, 1, two, two,
                             NULL));
    PASS();
}

TEST sums_and_products_that_overflow_are_refused(void)
{
    mtc_context ctx = test_context();
    mtc_real weights[N];
    mtc_kmeans_options ko = mtc_kmeans_defaults();
    mtc_logistic_options lo = mtc_logistic_defaults();
    mtc_kmeans_result km;
    mtc_logistic_result lr;
    ko.weights = lo.weights = weights;
    for (size_t i = 0; i < N; i++)
        weights[i] = TEST_MAX / 2;                  /* in sum */
    OUTSIDE(mtc_kmeans(&ctx, &X, &ko, &km));
    OUTSIDE(mtc_logistic(&ctx, &X, truth, &lo, &lr));
    for (size_t i = 0; i < N; i++)
        weights[i] = (mtc_real)(sizeof(mtc_real) == 8 ? 1e46 : 1e10);
    OUTSIDE(mtc_kmeans(&ctx, &X, &ko, &km));
    PASS();
}

SUITE(null_suite)
{
    make_data();
    RUN_TEST(options_may_be_NULL_and_results_may_not);
    RUN_TEST(a_transfer_by_the_defaults);
    RUN_TEST(models_refuse_what_is_missing);
    RUN_TEST(methods_label_only_what_is_there);
    RUN_TEST(measures_and_blocks_refuse_what_is_missing);
    RUN_TEST(sums_and_products_that_overflow_are_refused);
}
