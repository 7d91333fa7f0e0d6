/* SPDX-License-Identifier: MIT
 *
 * test_refusals.c - every option out of its range is refused: by its status,
 * with a reason, before anything is allocated, and with the result untouched.
 * One function a method: case number c spoils one thing; END after the last.
 */
#include "greatest.h"
#include "test_util.h"

enum { N = 6, D = 2, END = 99 };

static const mtc_real rows[N * D] = {0, 1, 1, 0, 2, 2, 5, 5, 6, 5, 5, 7};
static const int two[N] = {0, 0, 0, 1, 1, 1}, wrong[N] = {0, 0, 0, 1, 1, 2};

static mtc_data view(void)
{
    return mtc_dense(N, D, rows);
}

static mtc_real not_a_number(void)
{
    volatile mtc_real zero = 0;
    return zero / zero;
}

#define SPOIL(NAME)                                                       \
    static mtc_status NAME(mtc_context *ctx, int c, void *out)
#define BAD(NUMBER, STATEMENT)                                            \
    case NUMBER: STATEMENT; break

SPOIL(bad_kmeans)
{
    mtc_data X = view();
    mtc_kmeans_options o = mtc_kmeans_defaults(), *p = &o;
    static mtc_real centers[2 * D] = {0, 0, -1, 1}, none[N];
    static mtc_divergence kl;
    kl = mtc_kl();
    switch (c) {
        BAD(0, o.restarts = 0);
        BAD(1, o.tolerance = -1);
        BAD(2, o.tolerance = not_a_number());
        BAD(3, p = NULL);
        BAD(4, o.start_labels = wrong);
        BAD(5, o.weights = none);                       /* all 0 */
        BAD(6, o.clusters = N + 1);
        BAD(7, (o.start_centers = centers, o.divergence = &kl));
        BAD(8, centers[0] = not_a_number(); o.start_centers = centers);
    default: return (mtc_status)END;
    }
    return mtc_kmeans(ctx, &X, p, (mtc_kmeans_result *)out);
}

SPOIL(bad_neighbors)
{
    mtc_data X = view(), Q = view();
    size_t index[4 * N], k = 2, *to = index;
    int own = 0;
    (void)out;
    switch (c) {
        BAD(0, Q.d = 1);
        BAD(1, (own = 1, Q.n = 3));
        BAD(2, to = NULL);
        BAD(3, k = 0);
        BAD(4, k = N + 1);
        BAD(5, (own = 1, k = N));
    default: return (mtc_status)END;
    }
    return mtc_neighbors(ctx, &X, &Q, k, own, 0, to, NULL);
}

SPOIL(bad_graph)
{
    mtc_data X[2] = {view(), view()};
    mtc_graph_options o = mtc_graph_defaults(), *p = &o;
    size_t sets = 2;
    switch (c) {
        BAD(0, o.similarity = (mtc_similarity)7);
        BAD(1, (o.similarity = MTC_GAUSSIAN, o.width = 0));
        BAD(2, (o.similarity = MTC_GAUSSIAN, o.width = not_a_number()));
        BAD(3, sets = 0);
        BAD(4, X[1].d = 1);
        BAD(5, p = NULL);
    default: return (mtc_status)END;
    }
    return mtc_graph_build(ctx, X, sets, p, (mtc_graph *)out);
}

SPOIL(bad_propagate)
{
    mtc_data S = view(), T = view();
    mtc_propagate_options o = mtc_propagate_defaults(), *p = &o;
    const int *labels[1] = {two}, *const *given = labels;
    switch (c) {
        BAD(0, (o.consistency = 1, o.mu = 0));
        BAD(1, (o.consistency = 1, o.mu = not_a_number()));
        BAD(2, T.d = 1);
        BAD(3, given = NULL);
        BAD(4, labels[0] = wrong);
        BAD(5, o.classes = 0);
        BAD(6, labels[0] = NULL);
        BAD(7, o.graph.similarity = (mtc_similarity)-1);
        BAD(8, p = NULL);
    default: return (mtc_status)END;
    }
    return mtc_propagate(ctx, &S, given, 1, &T, p,
                         (mtc_propagate_result *)out);
}

SPOIL(bad_logistic)
{
    mtc_data X = view();
    mtc_logistic_options o = mtc_logistic_defaults(), *p = &o;
    const int *labels = two;
    switch (c) {
        BAD(0, o.ridge = -1);
        BAD(1, o.ridge = not_a_number());
        BAD(2, o.classes = 0);
        BAD(3, labels = wrong);
        BAD(4, labels = NULL);
        BAD(5, p = NULL);
    default: return (mtc_status)END;
    }
    return mtc_logistic(ctx, &X, labels, p, (mtc_logistic_result *)out);
}

SPOIL(bad_svm)
{
    mtc_data X = view();
    mtc_svm_options o = mtc_svm_defaults(), *p = &o;
    const int *labels = two;
    switch (c) {
        BAD(0, o.kernel = (mtc_kernel)9);
        BAD(1, o.cost = 0);
        BAD(2, o.gamma = -1);
        BAD(3, o.tolerance = not_a_number());
        BAD(4, o.classes = 0);
        BAD(5, labels = wrong);
        BAD(6, p = NULL);
    default: return (mtc_status)END;
    }
    return mtc_svm(ctx, &X, labels, p, (mtc_svm_result *)out);
}

SPOIL(bad_tsvm)
{
    mtc_data S = view(), T = view();
    mtc_tsvm_options o = mtc_tsvm_defaults(), *p = &o;
    const int *labels[1] = {two};
    switch (c) {
        BAD(0, o.kernel = (mtc_kernel)9);
        BAD(1, o.cost = -1);
        BAD(2, o.cost_target = not_a_number());
        BAD(3, o.gamma = -1);
        BAD(4, o.classes = 0);
        BAD(5, T.d = 1);
        BAD(6, p = NULL);
    default: return (mtc_status)END;
    }
    return mtc_tsvm(ctx, &S, labels, 1, &T, p, (mtc_tsvm_result *)out);
}

SPOIL(bad_ncut)
{
    mtc_data X = view();
    mtc_ncut_options o = mtc_ncut_defaults(), *p = &o;
    switch (c) {
        BAD(0, o.restarts = 0);
        BAD(1, o.start_labels = wrong);
        BAD(2, o.clusters = 0);
        BAD(3, o.graph.similarity = (mtc_similarity)5);
        BAD(4, p = NULL);
    default: return (mtc_status)END;
    }
    return mtc_ncut(ctx, &X, p, (mtc_ncut_result *)out);
}

SPOIL(bad_snmf)
{
    static mtc_real m[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, start[6];
    mtc_data M = mtc_dense(3, 3, m);
    mtc_snmf_options o = mtc_snmf_defaults(), *p = &o;
    switch (c) {
        BAD(0, o.tolerance = not_a_number());
        BAD(1, (start[0] = -1, o.start = start));
        BAD(2, o.start_labels = wrong + 3);
        BAD(3, o.clusters = 0);
        BAD(4, M.n = 2);
        BAD(5, p = NULL);
    default: return (mtc_status)END;
    }
    return mtc_snmf(ctx, &M, p, (mtc_snmf_result *)out);
}

SPOIL(bad_pca)
{
    mtc_data X = view();
    mtc_pca_options o = mtc_pca_defaults(), *p = &o;
    switch (c) {
        BAD(0, p = NULL);
        BAD(1, o.keep = -1);
        BAD(2, o.keep = 2);
        BAD(3, o.keep = not_a_number());
    default: return (mtc_status)END;
    }
    return mtc_pca(ctx, &X, p, (mtc_pca_result *)out);
}

SPOIL(bad_measures)
{
    mtc_data X = view(), Y = view();
    mtc_real *to = (mtc_real *)out;
    switch (c) {
    case 0: return mtc_mmd(ctx, &X, &Y, -1, to);
    case 1: return mtc_mmd(ctx, &X, &Y, not_a_number(), to);
    case 2: return mtc_complexity(ctx, &X, -1, to);
    case 3: return mtc_complexity(ctx, &X, not_a_number(), to);
    case 4: Y.d = 1; return mtc_mmd(ctx, &X, &Y, 0, to);
    case 5: Y.d = 1; return mtc_a_distance(ctx, &X, &Y, to);
    case 6: return mtc_silhouette(ctx, &X, wrong, 2, to, NULL);
    case 7: return mtc_score(ctx, 0, two, two, (mtc_scores *)out);
    case 8: return mtc_score(ctx, N, NULL, two, (mtc_scores *)out);
    case 9: return mtc_partition_emd(ctx, &X, wrong, 2, &Y, two, 2, NULL, to);
    default: return (mtc_status)END;
    }
}

SPOIL(bad_lssmtc)
{
    mtc_data X[2] = {view(), view()};
    mtc_lssmtc_options o = mtc_lssmtc_defaults(), *p = &o;
    static mtc_real W[D * 2];
    const int *labels[2] = {two, wrong};
    const mtc_data *tasks = X;
    switch (c) {
        BAD(0, o.mode = (mtc_subspace_mode)9);
        BAD(1, (o.mode = MTC_PCA, o.rank = 0));
        BAD(2, o.offset = -1);
        BAD(3, o.tolerance = not_a_number());
        BAD(4, o.restarts = 0);
        BAD(5, o.start_labels = labels);
        BAD(6, (W[0] = not_a_number(), o.start_W = W));
        BAD(7, p = NULL);
        BAD(8, o.lambda = 2);
        BAD(9, o.start = (mtc_start)9);
        BAD(10, tasks = NULL);
        BAD(11, X[1].d = 1);
    default: return (mtc_status)END;
    }
    return mtc_lssmtc(ctx, tasks, 2, p, (mtc_lssmtc_result *)out);
}

SPOIL(bad_lssttc)
{
    mtc_data S = view(), T = view();
    mtc_lssmtc_options o = mtc_lssttc_defaults(), *p = &o;
    const int *labels[1] = {two}, *const *given = labels;
    size_t sources = 1;
    switch (c) {
        BAD(0, given = NULL);
        BAD(1, sources = 0);
        BAD(2, T.d = 1);
        BAD(3, labels[0] = wrong);
        BAD(4, p = NULL);
    default: return (mtc_status)END;
    }
    return mtc_lssttc(ctx, &S, given, sources, &T, p,
                      (mtc_lssmtc_result *)out);
}

static const struct {
    const char *name;
    mtc_status (*spoil)(mtc_context *ctx, int c, void *out);
} refusals[] = {
    {"kmeans", bad_kmeans}, {"neighbors", bad_neighbors},
    {"graph", bad_graph}, {"propagate", bad_propagate},
    {"logistic", bad_logistic}, {"svm", bad_svm}, {"tsvm", bad_tsvm},
    {"ncut", bad_ncut}, {"snmf", bad_snmf}, {"pca", bad_pca},
    {"measures", bad_measures},
    {"lssmtc", bad_lssmtc}, {"lssttc", bad_lssttc},
};

TEST what_is_out_of_range_is_refused(size_t r)
{
    static test_out out;
    for (int c = 0;; c++) {
        static char where[32];
        test_heap heap;
        mtc_context ctx = test_heap_context(&heap);
        snprintf(where, sizeof where, "case %d", c);
        test_poison(&out);
        mtc_status s = refusals[r].spoil(&ctx, c, out.b);
        if ((int)s == END)
            break;
        ASSERTm(where, s == MTC_INVALID || s == MTC_DOMAIN);
        ASSERTm(where, ctx.error.what != NULL);
        ASSERTm(where, heap.calls == 0);
        ASSERTm(where, test_untouched(&out));
    }
    PASS();
}

/* Assignments refuse a model or a task that is not there. */
TEST assignments_refuse_what_does_not_fit(void)
{
    mtc_context ctx = test_context();
    mtc_data X[2] = {view(), view()};
    mtc_lssmtc_options o = mtc_lssmtc_defaults();
    mtc_lssmtc_result r;
    int labels[N];
    ASSERT_EQ(MTC_OK, mtc_lssmtc(&ctx, X, 2, &o, &r));
    ASSERT_EQ(MTC_INVALID, mtc_lssmtc_assign(&ctx, X, 2, &o, &r, labels));
    mtc_lssmtc_free(&ctx, &r);
    ASSERT_EQ(MTC_INVALID, mtc_svm_assign(&ctx, X, X, NULL, labels, NULL));
    mtc_divergence kl = mtc_kl();
    mtc_kmeans_options k = mtc_kmeans_defaults();
    mtc_kmeans_result m;
    ASSERT_EQ(MTC_OK, mtc_kmeans(&ctx, X, &k, &m));
    k.divergence = &kl;                         /* rows hold zeros */
    ASSERT_EQ(MTC_DOMAIN, mtc_kmeans_assign(&ctx, X, &k, &m, labels));
    mtc_kmeans_free(&ctx, &m);
    PASS();
}

/* A start that is given is taken: with no iteration it is the result. */
TEST a_start_of_snmf_is_taken(void)
{
    mtc_context ctx = test_context();
    const mtc_real m[9] = {2, 1, 0, 1, 2, 0, 0, 0, 1};
    const mtc_real start[6] = {1, 2, 3, 4, 6, 5};
    mtc_data M = mtc_dense(3, 3, m);
    mtc_snmf_options o = mtc_snmf_defaults();
    mtc_snmf_result r;
    o.start = start;
    o.iterations = 0;
    ASSERT_EQ(MTC_OK, mtc_snmf(&ctx, &M, &o, &r));
    ASSERT_MEM_EQ(start, r.Y, sizeof start);
    ASSERT(r.labels[0] == 1 && r.labels[1] == 1 && r.labels[2] == 0);
    mtc_snmf_free(&ctx, &r);
    PASS();
}

SUITE(refusals_suite)
{
    for (size_t r = 0; r < sizeof refusals / sizeof refusals[0]; r++) {
        greatest_set_test_suffix(refusals[r].name);
        RUN_TESTp(what_is_out_of_range_is_refused, r);
    }
    RUN_TEST(assignments_refuse_what_does_not_fit);
    RUN_TEST(a_start_of_snmf_is_taken);
}
