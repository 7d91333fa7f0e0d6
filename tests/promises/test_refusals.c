/* SPDX-License-Identifier: MIT
 *
 * test_refusals.c - every option out of its range is refused: by its status,
 * with a reason, before anything is allocated, and with the result untouched.
 * One function a method: case number c spoils one thing; END after the last.
 */
#include <limits.h>

#include "greatest.h"
#include "test_util.h"
#include "../../examples/compared/compared.h"

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

static mtc_real infinite(void)
{
    volatile mtc_real most = TEST_MAX;
    return most * 2;
}

/* One more than an int can name. */
#define PAST_INT ((size_t)INT_MAX + 1)

#define SPOIL(NAME)                                                       \
    static mtc_status NAME(mtc_context *ctx, int c, void *out)
#define BAD(NUMBER, STATEMENT)                                            \
    case NUMBER: STATEMENT; break

SPOIL(bad_kmeans)
{
    mtc_data X = view();
    mtc_kmeans_options o = mtc_kmeans_defaults();
    static mtc_real centers[2 * D] = {0, 0, -1, 1}, none[N];
    static mtc_divergence kl;
    kl = mtc_kl();
    switch (c) {
        BAD(0, o.restarts = 0);
        BAD(1, o.tolerance = -1);
        BAD(2, o.tolerance = not_a_number());
        BAD(3, out = NULL);
        BAD(4, o.start_labels = wrong);
        BAD(5, o.weights = none);                       /* all 0 */
        BAD(6, o.clusters = N + 1);
        BAD(7, (o.start_centers = centers, o.divergence = &kl));
        BAD(8, centers[0] = not_a_number(); o.start_centers = centers);
        BAD(9, o.tolerance = infinite());
        BAD(10, (kl.value = NULL, o.divergence = &kl));
        BAD(11, (kl.admits = NULL, o.divergence = &kl));
        BAD(12, (kl = mtc_mahalanobis(NULL), o.divergence = &kl));
    default: return (mtc_status)END;
    }
    return mtc_kmeans(ctx, &X, &o, (mtc_kmeans_result *)out);
}

SPOIL(bad_neighbors)
{
    mtc_data X = view(), Q = view(), *queries = &Q;
    mtc_distance distance = MTC_DISTANCE_COSINE;
    size_t index[4 * N], k = 2, *to = index;
    (void)out;
    switch (c) {
        BAD(0, Q.d = 1);
        BAD(1, distance = (mtc_distance)7);
        BAD(2, to = NULL);
        BAD(3, k = 0);
        BAD(4, k = N + 1);
        BAD(5, (queries = NULL, k = N));
        BAD(6, Q.n = 0);
    default: return (mtc_status)END;
    }
    return mtc_neighbors(ctx, &X, queries, k, distance, to, NULL);
}

SPOIL(bad_graph)
{
    mtc_data X[2] = {view(), view()};
    mtc_graph_options o = mtc_graph_defaults();
    size_t sets = 2;
    switch (c) {
        BAD(0, o.similarity = (mtc_similarity)7);
        BAD(1, (o.similarity = MTC_SIMILARITY_GAUSSIAN, o.width = 0));
        BAD(2, (o.similarity = MTC_SIMILARITY_GAUSSIAN, o.width = not_a_number()));
        BAD(3, sets = 0);
        BAD(4, X[1].d = 1);
        BAD(5, out = NULL);
        BAD(6, o.width = infinite());
    default: return (mtc_status)END;
    }
    return mtc_graph_build(ctx, X, sets, &o, (mtc_graph *)out);
}

SPOIL(bad_propagate)
{
    mtc_data S = view(), T = view();
    cmp_propagate_options o = cmp_propagate_defaults();
    const int *labels[1] = {two}, *const *given = labels;
    switch (c) {
        BAD(0, (o.kind = CMP_CONSISTENCY, o.mu = 0));
        BAD(1, (o.kind = CMP_CONSISTENCY, o.mu = not_a_number()));
        BAD(2, T.d = 1);
        BAD(3, given = NULL);
        BAD(4, labels[0] = wrong);
        BAD(5, o.classes = 0);
        BAD(6, labels[0] = NULL);
        BAD(7, out = NULL);
        BAD(8, o.classes = PAST_INT);
        BAD(9, o.mu = infinite());
    default: return (mtc_status)END;
    }
    return cmp_propagate(ctx, &S, given, 1, &T, &o,
                         (cmp_propagate_result *)out);
}

SPOIL(bad_logistic)
{
    mtc_data X = view();
    mtc_logistic_options o = mtc_logistic_defaults();
    const int *labels = two;
    switch (c) {
        BAD(0, o.ridge = -1);
        BAD(1, o.ridge = not_a_number());
        BAD(2, o.classes = 0);
        BAD(3, labels = wrong);
        BAD(4, labels = NULL);
        BAD(5, out = NULL);
        BAD(6, o.classes = PAST_INT);
        BAD(7, o.ridge = infinite());
        BAD(8, o.tolerance = infinite());
    default: return (mtc_status)END;
    }
    return mtc_logistic(ctx, &X, labels, &o, (mtc_logistic_result *)out);
}

SPOIL(bad_svm)
{
    mtc_data X = view();
    mtc_svm_options o = mtc_svm_defaults();
    static mtc_real costs[N];
    const int *labels = two;
    switch (c) {
        BAD(0, o.kernel = (mtc_kernel)9);
        BAD(1, o.cost = 0);
        BAD(2, o.gamma = -1);
        BAD(3, o.tolerance = not_a_number());
        BAD(4, o.classes = 0);
        BAD(5, labels = wrong);
        BAD(6, out = NULL);
        BAD(7, o.classes = PAST_INT);
        BAD(8, o.gamma = infinite());
        BAD(9, o.cost = infinite());
        BAD(10, o.tolerance = infinite());
        BAD(11, (costs[0] = infinite(), o.costs = costs));
    default: return (mtc_status)END;
    }
    return mtc_svm(ctx, &X, labels, &o, (mtc_svm_result *)out);
}

SPOIL(bad_tsvm)
{
    mtc_data S = view(), T = view();
    cmp_tsvm_options o = cmp_tsvm_defaults();
    const int *labels[1] = {two};
    switch (c) {
        BAD(0, o.kernel = (mtc_kernel)9);
        BAD(1, o.cost = -1);
        BAD(2, o.cost = not_a_number());
        BAD(3, o.gamma = -1);
        BAD(4, o.classes = 0);
        BAD(5, T.d = 1);
        BAD(6, out = NULL);
        BAD(7, o.gamma = infinite());
        BAD(8, o.cost = 0);
    default: return (mtc_status)END;
    }
    return cmp_tsvm(ctx, &S, labels, 1, &T, &o, (cmp_tsvm_result *)out);
}

SPOIL(bad_ncut)
{
    mtc_data X = view();
    mtc_ncut_options o = mtc_ncut_defaults();
    switch (c) {
        BAD(0, o.restarts = 0);
        BAD(1, o.start_labels = wrong);
        BAD(2, o.clusters = 0);
        BAD(3, o.graph.similarity = (mtc_similarity)5);
        BAD(4, out = NULL);
        BAD(5, o.tolerance = not_a_number());
        BAD(6, o.tolerance = -1);
    default: return (mtc_status)END;
    }
    return mtc_ncut(ctx, &X, &o, (mtc_ncut_result *)out);
}

SPOIL(bad_snmf)
{
    static mtc_real m[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    mtc_data M = mtc_dense(3, 3, m);
    mtc_snmf_options o = mtc_snmf_defaults();
    switch (c) {
        BAD(0, o.tolerance = not_a_number());
        BAD(1, o.start_labels = wrong + 3);
        BAD(2, o.clusters = 0);
        BAD(3, M.n = 2);
        BAD(4, out = NULL);
        BAD(5, o.clusters = 4);
    default: return (mtc_status)END;
    }
    return mtc_snmf(ctx, &M, &o, (mtc_snmf_result *)out);
}

SPOIL(bad_pca)
{
    mtc_data X = view();
    mtc_pca_options o = mtc_pca_defaults();
    size_t n_views = 1;
    switch (c) {
        BAD(0, out = NULL);
        BAD(1, o.keep = -1);
        BAD(2, o.keep = 2);
        BAD(3, o.keep = not_a_number());
        BAD(4, o.mean = (mtc_mean)3);
        BAD(5, n_views = 0);
    default: return (mtc_status)END;
    }
    return mtc_pca(ctx, &X, n_views, &o, (mtc_pca_result *)out);
}

SPOIL(bad_measures)
{
    static const mtc_real above[N * D] = {1, 1, 1, 2, 2, 2, 5, 5, 6, 5, 5, 7};
    mtc_data X = view(), Y = view(), P = mtc_dense(N, D, above);
    mtc_data none = mtc_dense(0, D, rows);
    mtc_metric wide = {D + 1, above};
    mtc_divergence kl = mtc_kl(), metric = mtc_mahalanobis(&wide);
    mtc_real *to = (mtc_real *)out;
    switch (c) {
    case 0: return mtc_a_distance(ctx, &X, &none, to);
    case 1: return mtc_a_distance(ctx, &X, &Y, NULL);
    case 2: return mtc_complexity(ctx, &X, -1, to);
    case 3: return mtc_complexity(ctx, &X, not_a_number(), to);
    case 4: return mtc_silhouette(ctx, &none, two, 2, to, NULL);
    case 5: Y.d = 1; return mtc_a_distance(ctx, &X, &Y, to);
    case 6: return mtc_silhouette(ctx, &X, wrong, 2, to, NULL);
    case 7: return mtc_score(ctx, 0, two, two, (mtc_scores *)out);
    case 8: return mtc_score(ctx, N, NULL, two, (mtc_scores *)out);
    case 9: return mtc_partition_emd(ctx, &X, wrong, 2, &Y, two, 2, NULL, to);
    case 10: return mtc_complexity(ctx, &none, 0, to);
    case 11: return mtc_complexity(ctx, &X, infinite(), to);
    case 12: return mtc_score(ctx, N, two, NULL, (mtc_scores *)out);
    case 13: return mtc_partition_emd(ctx, &X, two, 2, &Y, wrong, 2, NULL, to);
    case 14: return mtc_partition_emd(ctx, &X, two, 2, &P, two, 2, &kl, to);
    case 15: return mtc_partition_emd(ctx, &P, two, 2, &Y, two, 2, &kl, to);
    case 16:
        return mtc_partition_emd(ctx, &X, two, 2, &Y, two, 2, &metric, to);
    case 17:
        kl.admits = NULL;
        return mtc_partition_emd(ctx, &P, two, 2, &P, two, 2, &kl, to);
    default: return (mtc_status)END;
    }
}

SPOIL(bad_lssmtc)
{
    mtc_data X[2] = {view(), view()};
    mtc_lssmtc_options o = mtc_lssmtc_defaults();
    static mtc_real W[D * 2];
    const mtc_real unit[D * 2] = {1, 0, 0, 1};
    const int *labels[2] = {two, wrong};
    const mtc_data *tasks = X;
    switch (c) {
        BAD(0, o.mode = (mtc_subspace_mode)9);
        BAD(1, (o.mode = MTC_SUBSPACE_PCA, o.rank = 0));
        BAD(2, o.offset = 11);
        BAD(3, o.tolerance = not_a_number());
        BAD(4, o.restarts = 0);
        BAD(5, o.start_labels = labels);
        BAD(6, (W[0] = not_a_number(), o.start_W = W));
        BAD(7, out = NULL);
        BAD(8, o.lambda = 2);
        BAD(9, o.start = (mtc_start)9);
        BAD(10, tasks = NULL);
        BAD(11, X[1].d = 1);
        BAD(12, o.offset = infinite());
        BAD(13, o.tolerance = infinite());
        BAD(14, o.lambda = -1);
        BAD(15, (o.clusters = 1, o.subspace = 2, o.start_W = unit));
    default: return (mtc_status)END;
    }
    return mtc_lssmtc(ctx, tasks, 2, &o, (mtc_lssmtc_result *)out);
}

SPOIL(bad_lssttc)
{
    mtc_data S = view(), T = view(), *source = &S, *target = &T;
    mtc_lssmtc_options o = mtc_lssttc_defaults();
    const int *labels[1] = {two}, *const *given = labels;
    size_t sources = 1;
    switch (c) {
        BAD(0, given = NULL);
        BAD(1, sources = 0);
        BAD(2, T.d = 1);
        BAD(3, labels[0] = wrong);
        BAD(4, out = NULL);
        BAD(5, source = NULL);
        BAD(6, target = NULL);
    default: return (mtc_status)END;
    }
    return mtc_lssttc(ctx, source, given, sources, target, &o,
                      (mtc_lssmtc_result *)out);
}

/* Options that all methods over tasks have a like of. */
static const size_t none_of[2] = {2, 0};
static const int *const start_wrong[2] = {two, wrong};
static const int *const start_none[2] = {two, NULL};

SPOIL(bad_mbc)
{
    mtc_data X[2] = {view(), view()};
    mtc_mbc_options o = mtc_mbc_defaults();
    static mtc_divergence kl, half, maha;
    static const mtc_real unit[D * D] = {1, 0, 0, 1};
    mtc_metric metric = {D, unit};
    static const mtc_real *const centers[2] = {rows, NULL};
    const mtc_data *tasks = X;
    size_t T = 2;
    kl = mtc_kl();
    half = kl;
    half.inverse = NULL;
    maha = mtc_mahalanobis(&metric);
    switch (c) {
        BAD(0, out = NULL);
        BAD(1, tasks = NULL);
        BAD(2, T = 0);
        BAD(3, o.clusters = 0);
        BAD(4, o.clusters = N + 1);
        BAD(5, o.clusters_of = none_of);
        BAD(6, o.lambda = -1);
        BAD(7, o.lambda = not_a_number());
        BAD(8, o.divergence = &kl);                     /* rows hold zeros */
        BAD(9, (o.divergence = &half, o.smooth = 1));
        BAD(10, o.smooth = -1);
        BAD(11, o.smooth = not_a_number());
        BAD(12, o.centroid = (mtc_centroid)7);
        BAD(13, o.tolerance = not_a_number());
        BAD(14, o.restarts = 0);
        BAD(15, o.start_labels = start_wrong);
        BAD(16, o.start_labels = start_none);
        BAD(17, o.start_centers = centers);
        BAD(18, X[1].d = 1);
        BAD(19, o.lambda = infinite());
        BAD(20, o.smooth = infinite());
        BAD(21, (half = kl, half.value = NULL, o.divergence = &half));
        BAD(22, (half = kl, half.gradient = NULL, o.divergence = &half));
        BAD(23, (half = kl, half.admits = NULL, o.divergence = &half));
        BAD(24, (maha = mtc_mahalanobis(NULL), o.divergence = &maha));
        BAD(25, (metric.L = NULL, o.divergence = &maha));
        BAD(26, (metric.d = 1, o.divergence = &maha));
        BAD(27, (o.divergence = &kl, o.smooth = 1, o.center = 1));
    default: return (mtc_status)END;
    }
    return mtc_mbc(ctx, tasks, T, &o, (mtc_mbc_result *)out);
}

SPOIL(bad_msda)
{
    mtc_data X[2] = {view(), view()};
    mtc_msda_options o = mtc_msda_defaults();
    const mtc_data *sets = X;
    size_t T = 2;
    switch (c) {
        BAD(0, out = NULL);
        BAD(1, sets = NULL);
        BAD(2, T = 0);
        BAD(3, o.noise = 1);
        BAD(4, o.noise = -1);
        BAD(5, o.noise = not_a_number());
        BAD(6, o.ridge = -1);
        BAD(7, o.ridge = not_a_number());
        BAD(8, X[1].d = 1);
        BAD(9, o.ridge = infinite());
    default: return (mtc_status)END;
    }
    return mtc_msda(ctx, sets, T, &o, (mtc_msda_result *)out);
}

SPOIL(bad_consistent)
{
    mtc_data X[2] = {view(), view()};
    mtc_consistent_options o = mtc_consistent_defaults();
    const mtc_data *tasks = X;
    size_t T = 2;
    switch (c) {
        BAD(0, out = NULL);
        BAD(1, tasks = NULL);
        BAD(2, T = 0);
        BAD(3, o.clusters = 0);
        BAD(4, o.clusters_of = none_of);
        BAD(5, o.neighbor_share = 0);
        BAD(6, o.neighbor_share = not_a_number());
        BAD(7, X[1].d = 1);
        BAD(8, o.neighbor_share = infinite());
        BAD(9, o.direct = o.distances = 1);
    default: return (mtc_status)END;
    }
    return mtc_consistent(ctx, tasks, T, &o, (mtc_consistent_result *)out);
}

SPOIL(bad_mtcfir)
{
    mtc_data X[2] = {view(), view()};
    mtc_mtcfir_options o = mtc_mtcfir_defaults();
    const mtc_data *tasks = X;
    size_t T = 2;
    switch (c) {
        BAD(0, out = NULL);
        BAD(1, tasks = NULL);
        BAD(2, T = 0);
        BAD(3, o.clusters = 0);
        BAD(4, o.clusters_of = none_of);
        BAD(5, o.noise = 1);
        BAD(6, o.ridge = -1);
        BAD(7, o.neighbor_share = 0);
        BAD(8, o.neighbor_share = not_a_number());
        BAD(9, o.variant = (mtc_mtcfir_variant)9);
        BAD(10, o.tolerance = not_a_number());
        BAD(11, o.restarts = 0);
        BAD(12, o.start_labels = start_wrong);
        BAD(13, o.start_labels = start_none);
        BAD(14, X[1].d = 1);
    default: return (mtc_status)END;
    }
    return mtc_mtcfir(ctx, tasks, T, &o, (mtc_mtcfir_result *)out);
}

SPOIL(bad_ttl)
{
    mtc_data S = view(), B = view(), T = view();
    const mtc_data *source = &S, *bridge = &B, *target = &T;
    mtc_ttl_options o = mtc_ttl_defaults();
    const int *labels[1] = {two}, *const *given = labels;
    static mtc_real ones[15 * N], G[15 * N];
    mtc_ttl_factors f = {.bridge = ones, .target = ones};
    size_t bridges = 1, sources = 1;
    mtc_data V = view(), *view_two = NULL;
    int no_result = 0;
    for (size_t e = 0; e < 15 * N; e++)
        ones[e] = 1;
    for (size_t i = 0; i < 6; i++)
        f.F[i / 3][i % 3] = f.A[i / 3][i % 3] = ones;
    G[0] = -1;
    switch (c) {
        BAD(0, out = NULL);
        BAD(1, source = NULL);
        BAD(2, bridge = NULL);
        BAD(3, target = NULL);
        BAD(4, given = NULL);
        BAD(5, labels[0] = NULL);
        BAD(6, labels[0] = wrong);
        BAD(7, bridges = 0);
        BAD(8, sources = 0);
        BAD(9, o.classes = 0);
        BAD(10, o.common = 0);
        BAD(11, o.features = 3);                        /* below common */
        BAD(12, o.variant = (mtc_ttl_variant)5);
        BAD(13, o.start = (mtc_ttl_start)5);
        BAD(14, o.rows = (mtc_ttl_rows)5);
        BAD(15, o.feature_weights = (mtc_ttl_weights)5);
        BAD(16, o.tolerance = -1);
        BAD(17, o.tolerance = not_a_number());
        BAD(18, o.start_labels = wrong);
        BAD(19, (o.start_factors = &f, f.target = G));
        BAD(20, (o.start_factors = &f, f.bridge = NULL));
        BAD(21, B.d = 1);
        BAD(22, T.d = 1);
        BAD(23, o.classes = PAST_INT);
        BAD(24, o.tolerance = infinite());
        BAD(25, (view_two = &V, V.n = N - 1));
        BAD(26, no_result = 1);
        BAD(27, (o.start_factors = &f, f.F[1][2] = NULL));
        BAD(28, (o.start_factors = &f, f.A[0][0] = G));
    default: return (mtc_status)END;
    }
    return mtc_ttl(ctx, source, given, sources, bridge, view_two, bridges,
                   target, &o, no_result ? NULL : (mtc_ttl_result *)out);
}

SPOIL(bad_bridge)
{
    mtc_data X = view(), Y = view();
    mtc_real *to = (mtc_real *)out;
    static mtc_real features[N * MTC_BRIDGE_FEATURES];
    static const mtc_real minus[2 * D] = {1, 2, 3, -1};
    const mtc_real tiny = TEST_MIN / 8;                 /* 1 / it overflows */
    mtc_data below = mtc_dense(2, D, minus);
    mtc_bridge_model *model = (mtc_bridge_model *)out;
    cmp_bridge_gain *gain = (cmp_bridge_gain *)out;
    const mtc_bridge_form LINEAR = MTC_BRIDGE_LINEAR;
    features[7] = c == 8 ? not_a_number() : 1;
    switch (c) {
    case 0: return mtc_bridge_features(ctx, NULL, &X, &X, to);
    case 1: Y.d = 1; return mtc_bridge_features(ctx, &X, &Y, &X, to);
    case 2: return mtc_bridge_features(ctx, &X, &X, &X, NULL);
    case 3: return mtc_bridge_fit(ctx, 0, features, two, LINEAR, 0, model);
    case 4: return mtc_bridge_fit(ctx, N, NULL, two, LINEAR, 0, model);
    case 5: return mtc_bridge_fit(ctx, N, features, wrong, LINEAR, 0, model);
    case 6: return mtc_bridge_fit(ctx, N, features, two, LINEAR, -1, model);
    case 7: return mtc_bridge_fit(ctx, N, features, NULL, LINEAR, 0, model);
    case 8: return mtc_bridge_fit(ctx, N, features, two, LINEAR, 0, model);
    case 9: return cmp_bridge_try(ctx, &X, wrong, &X, &X, two, 2, 1, gain);
    case 10: return cmp_bridge_try(ctx, &X, two, &X, &X, two, 0, 1, gain);
    case 11: return cmp_bridge_try(ctx, &X, two, &X, &X, two, 2, -1, gain);
    case 12: return cmp_bridge_try(ctx, &X, two, &X, &X, NULL, 2, 1, gain);
    case 13: return cmp_bridge_try(ctx, &X, NULL, &X, &X, two, 2, 1, gain);
    case 14: Y.d = 1;
        return cmp_bridge_try(ctx, &X, two, &Y, &X, two, 2, 1, gain);
    case 15: return mtc_bridge_features(ctx, &X, NULL, &X, to);
    case 16: return mtc_bridge_features(ctx, &X, &X, NULL, to);
    case 17: return mtc_bridge_fit(ctx, N, features, two, LINEAR,
                                    infinite(), model);
    case 18: return mtc_bridge_fit(ctx, N, features, two, LINEAR, 1, NULL);
    case 19: return cmp_bridge_try(ctx, NULL, two, &X, &X, two, 2, 1, gain);
    case 20: return cmp_bridge_try(ctx, &X, two, NULL, &X, two, 2, 1, gain);
    case 21: return cmp_bridge_try(ctx, &X, two, &X, NULL, two, 2, 1, gain);
    case 22: return cmp_bridge_try(ctx, &X, two, &X, &X, two, 2, 1, NULL);
    case 23:
        return cmp_bridge_try(ctx, &X, two, &X, &X, two, 2, infinite(), gain);
    case 24: return cmp_bridge_try(ctx, &X, two, &X, &X, two, 2, tiny, gain);
    case 25: return cmp_bridge_try(ctx, &X, two, &below, &X, two, 2, 1, gain);
    case 26: return mtc_bridge_fit(ctx, N, features, two, (mtc_bridge_form)5,
                                   1, model);
    default: return (mtc_status)END;
    }
}

SPOIL(bad_vote)
{
    mtc_vote_options o = mtc_vote_defaults();
    static const mtc_real minus[2] = {1, -1}, none[2] = {0, 0};
    static const int negative[N] = {0, 0, -1, 0, 0, 0};
    const int *runs[2] = {two, two}, *const *given = runs;
    size_t n = N, m = 2;
    switch (c) {
        BAD(0, out = NULL);
        BAD(1, given = NULL);
        BAD(2, m = 0);
        BAD(3, n = 0);
        BAD(4, o.clusters = 0);
        BAD(5, o.clusters = N + 1);
        BAD(6, o.restarts = 0);
        BAD(7, o.weights = minus);
        BAD(8, o.weights = none);
        BAD(9, o.start_labels = wrong);
        BAD(10, runs[1] = NULL);
        BAD(11, runs[1] = negative);
        BAD(12, n = o.clusters = PAST_INT);
    default: return (mtc_status)END;
    }
    return mtc_vote(ctx, n, given, m, &o, (mtc_vote_result *)out);
}

SPOIL(bad_ec)
{
    mtc_data X = view();
    mtc_ec_options o = mtc_ec_defaults();
    static const int *const runs[2] = {two, NULL};
    static const size_t twice[4] = {0, 0, 1, 1}, fine[4] = {0, 1, 0, 1};
    o.columns = 2;
    o.runs = 2;
    switch (c) {
        BAD(0, out = NULL);
        BAD(1, o.clusters = 0);
        BAD(2, o.clusters = N + 1);
        BAD(3, o.runs = 0);
        BAD(4, (o.columns = 0, o.features = fine));
        BAD(5, o.restarts = 0);
        BAD(6, o.partitions = runs);
        BAD(7, o.features = twice);
        BAD(8, o.start_labels = wrong);
        BAD(9, o.runs = PAST_INT);
    default: return (mtc_status)END;
    }
    return mtc_ec(ctx, &X, &o, (mtc_ec_result *)out);
}

SPOIL(bad_trec)
{
    mtc_data X = view(), Y = view();
    mtc_trec_options o = mtc_trec_defaults();
    static const int negative[N] = {0, 0, -1, 0, 0, 0};
    const int *labels = two;
    const mtc_data *source = &X, *target = &Y;
    o.ec.columns = 2;
    switch (c) {
        BAD(0, out = NULL);
        BAD(1, labels = NULL);
        BAD(2, labels = negative);
        BAD(3, source = NULL);
        BAD(4, target = NULL);
        BAD(5, o.meta = (mtc_meta)9);
        BAD(6, (o.meta = MTC_META_BOTH, o.gamma = 0));
        BAD(7, (o.meta = MTC_META_BOTH, o.cost = -1));
        BAD(8, (o.meta = MTC_META_BOTH, o.pairs = 0));
        BAD(9, o.qmin = not_a_number());
        BAD(10, o.start_labels = wrong);
        BAD(11, o.ec.clusters = 0);
        BAD(12, o.gamma = infinite());
        BAD(13, o.cost = infinite());
        BAD(14, o.qmin = infinite());
    default: return (mtc_status)END;
    }
    return mtc_trec(ctx, source, labels, target, &o, (mtc_trec_result *)out);
}

SPOIL(bad_guard)
{
    mtc_data X[2] = {view(), view()};
    mtc_guard_options o = mtc_guard_defaults();
    static const size_t uneven[2] = {2, 1};
    const mtc_data *tasks = X;
    size_t T = 2;
    switch (c) {
        BAD(0, out = NULL);
        BAD(1, tasks = NULL);
        BAD(2, T = 0);
        BAD(3, o.method = (mtc_guard_method)7);
        BAD(4, o.method = (mtc_guard_method)2);
        BAD(5, o.clusters = 0);
        BAD(6, o.clusters = N + 1);
        BAD(7, o.clusters_of = none_of);
        BAD(8, o.runs = 1);
        BAD(9, o.folds = 1);
        BAD(10, o.margin = not_a_number());
        BAD(11, (o.method = MTC_GUARD_LSSMTC, o.clusters_of = uneven));
        BAD(12, X[1].d = 1);
        BAD(13, o.folds = PAST_INT);
    default: return (mtc_status)END;
    }
    return mtc_guard(ctx, tasks, T, &o, (mtc_guard_result *)out);
}

SPOIL(bad_auto)
{
    mtc_data X[2] = {view(), view()};
    mtc_auto_options o = mtc_auto_defaults();
    const mtc_data *tasks = X;
    size_t T = 2;
    switch (c) {
        BAD(0, out = NULL);
        BAD(1, tasks = NULL);
        BAD(2, T = 0);
        BAD(3, o.clusters = 0);
        BAD(4, o.clusters = N + 1);
        BAD(5, o.clusters_of = none_of);
        BAD(6, o.runs = 0);
        BAD(7, o.sample = 0);
        BAD(8, X[1].d = 1);
        BAD(9, o.geometry = (mtc_geometry)4);
    default: return (mtc_status)END;
    }
    return mtc_auto(ctx, tasks, T, &o, (mtc_auto_result *)out);
}

SPOIL(bad_choose)
{
    mtc_data X[2] = {view(), view()};
    mtc_choose_options o = mtc_choose_defaults();
    const mtc_data *tasks = X;
    size_t T = 2;
    switch (c) {
        BAD(0, out = NULL);
        BAD(1, tasks = NULL);
        BAD(2, T = 0);
        BAD(3, o.min = 0);
        BAD(4, o.max = 1);
        BAD(5, o.min = 49);                             /* above max */
        BAD(6, X[1].d = 1);
    default: return (mtc_status)END;
    }
    return mtc_choose(ctx, tasks, T, &o, (mtc_choose_result *)out);
}

SPOIL(bad_far_rows)
{
    mtc_data X = view();
    int *far = (int *)out;
    switch (c) {
        BAD(0, far = NULL);
        BAD(1, X.n = 0);
        BAD(2, X.stride = D - 1);
    default: return (mtc_status)END;
    }
    return mtc_far_rows(ctx, &X, far);
}

SPOIL(bad_apart)
{
    mtc_data X = view();
    int z[N] = {0};
    const int *labels = z;
    size_t k = 2;
    switch (c) {
        BAD(0, out = NULL);
        BAD(1, X.n = 0);
        BAD(2, labels = NULL);
        BAD(3, z[N - 1] = 2);
        BAD(4, z[0] = -1);
        BAD(5, k = 0);
    default: return (mtc_status)END;
    }
    return mtc_apart(ctx, &X, 0, labels, k, (mtc_apart_result *)out);
}

SPOIL(bad_across)
{
    mtc_data X[2] = {view(), view()};
    int z[N] = {0};
    const int *both[2] = {z, z};
    const int *const *labels = both;
    mtc_real zero[D] = {0};
    mtc_across_options o = mtc_across_defaults();
    o.zero = zero;
    switch (c) {
        BAD(0, out = NULL);
        BAD(1, X[1].n = 0);
        BAD(2, labels = NULL);
        BAD(3, both[1] = NULL);
        BAD(4, z[N - 1] = 2 * N);
        BAD(5, zero[D - 1] = infinite());
    default: return (mtc_status)END;
    }
    return mtc_across(ctx, X, 2, labels, &o, (mtc_across_result *)out);
}

SPOIL(bad_align)
{
    mtc_data X = view(), Y = view();
    int z[N] = {0};
    const int *labels = z;
    size_t k = 2;
    switch (c) {
        BAD(0, out = NULL);
        BAD(1, X.n = 0);
        BAD(2, labels = NULL);
        BAD(3, z[N - 1] = 2);
        BAD(4, k = 0);
        BAD(5, Y.d = 1);
    default: return (mtc_status)END;
    }
    return mtc_align(ctx, &X, labels, k, &Y, NULL, (mtc_align_result *)out);
}

SPOIL(bad_ward)
{
    mtc_data X = view();
    mtc_ward_result tree = {.n = N};
    int labels[N];
    size_t k = 0;
    switch (c) {
        BAD(0, out = NULL);
        BAD(1, X.n = 0);
        case 2: return mtc_ward_cut(ctx, &tree, k, labels);
        case 3: return mtc_ward_cut(ctx, &tree, N + 1, labels);
        case 4: return mtc_ward_cut(ctx, NULL, 1, labels);
        case 5: return mtc_ward_cut(ctx, &tree, 1, NULL);
    default: return (mtc_status)END;
    }
    return mtc_ward(ctx, &X, (mtc_ward_result *)out);
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
    {"mbc", bad_mbc}, {"msda", bad_msda}, {"consistent", bad_consistent},
    {"mtcfir", bad_mtcfir}, {"ttl", bad_ttl}, {"bridge", bad_bridge},
    {"vote", bad_vote}, {"ec", bad_ec}, {"trec", bad_trec},
    {"guard", bad_guard}, {"auto", bad_auto},
    {"choose", bad_choose}, {"far_rows", bad_far_rows}, {"apart", bad_apart},
    {"across", bad_across}, {"align", bad_align}, {"ward", bad_ward},
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
    ASSERT_EQ(MTC_INVALID, mtc_lssmtc_assign(&ctx, X, 2, &r, labels));
    mtc_free(&ctx, &r.block);
    ASSERT_EQ(MTC_INVALID, mtc_svm_assign(&ctx, X, X, NULL, labels, NULL));
    mtc_divergence kl = mtc_kl();
    mtc_kmeans_options k = mtc_kmeans_defaults();
    mtc_kmeans_result m;
    ASSERT_EQ(MTC_OK, mtc_kmeans(&ctx, X, &k, &m));
    m.divergence = &kl;                         /* rows hold zeros */
    ASSERT_EQ(MTC_DOMAIN, mtc_kmeans_assign(&ctx, X, &m, labels));
    mtc_free(&ctx, &m.block);
    PASS();
}

/* And pointers that are not there; what they would read is never read. */
TEST assignments_refuse_what_is_missing(void)
{
    mtc_context c = test_context();
    mtc_data X = view();
    int z[N];
    mtc_real reals[N * D];
    mtc_kmeans_result km = {.d = D, .clusters = 1};
    ASSERT_EQ(MTC_INVALID, mtc_kmeans_assign(&c, &X, NULL, z));
    ASSERT_EQ(MTC_INVALID, mtc_kmeans_assign(&c, &X, &km, NULL));
    mtc_logistic_result lr = {.d = D};                  /* classes 0 */
    ASSERT_EQ(MTC_INVALID, mtc_logistic_assign(&c, &X, NULL, z, NULL));
    ASSERT_EQ(MTC_INVALID, mtc_logistic_assign(&c, &X, &lr, z, NULL));
    mtc_svm_result svm = {.n = N, .d = D};              /* classes 0 */
    ASSERT_EQ(MTC_INVALID, mtc_svm_assign(&c, &X, &X, &svm, z, NULL));
    ASSERT_EQ(MTC_INVALID, mtc_pca_assign(&c, &X, 0, NULL, reals));
    mtc_lssmtc_result lss = {.d = D, .tasks = 1};
    ASSERT_EQ(MTC_INVALID, mtc_lssmtc_assign(&c, &X, 0, NULL, z));
    ASSERT_EQ(MTC_INVALID, mtc_lssmtc_assign(&c, &X, 0, &lss, NULL));
    mtc_mbc_result mbc = {.d = D, .tasks = 1};
    ASSERT_EQ(MTC_INVALID, mtc_mbc_assign(&c, &X, 0, NULL, z));
    ASSERT_EQ(MTC_INVALID, mtc_mbc_assign(&c, &X, 0, &mbc, NULL));
    mtc_ttl_result ttl = {.d = D};
    ASSERT_EQ(MTC_INVALID, mtc_ttl_assign(&c, &X, NULL, z));
    ASSERT_EQ(MTC_INVALID, mtc_ttl_assign(&c, &X, &ttl, NULL));
    mtc_ec_result ec = {.ensemble.d = D};
    ASSERT_EQ(MTC_INVALID, mtc_ec_assign(&c, &X, NULL, z));
    ASSERT_EQ(MTC_INVALID, mtc_ec_assign(&c, &X, &ec, NULL));
    PASS();
}

TEST guard_and_auto_assign_refuse_what_is_missing(void)
{
    mtc_context c = test_context();
    mtc_data X = view();
    int z[N];
    size_t one = 1;
    mtc_real origin[D] = {0, 0}, *centers = origin;
    mtc_guard_result g = {.tasks = 1, .d = D, .clusters = &one,
                          .centers = &centers};
    mtc_auto_result a = {.tasks = 1, .d = D, .clusters = &one,
                         .centers = &centers};
    ASSERT_EQ(MTC_INVALID, mtc_guard_assign(&c, &X, 0, NULL, z));
    ASSERT_EQ(MTC_INVALID, mtc_guard_assign(&c, &X, 1, &g, z));
    ASSERT_EQ(MTC_INVALID, mtc_guard_assign(&c, &X, 0, &g, NULL));
    ASSERT_EQ(MTC_INVALID, mtc_auto_assign(&c, &X, 0, NULL, z));
    ASSERT_EQ(MTC_INVALID, mtc_auto_assign(&c, &X, 1, &a, z));
    ASSERT_EQ(MTC_OK, mtc_guard_assign(&c, &X, 0, &g, z));
    ASSERT_EQ(MTC_OK, mtc_auto_assign(&c, &X, 0, &a, z));
    for (size_t i = 0; i < N; i++)
        ASSERT_EQ(0, z[i]);                             /* the one there is */
    static const mtc_geometry as[] = {MTC_GEOMETRY_DISTANCES,
                                      MTC_GEOMETRY_DIRECTIONS};
    for (size_t i = 0; i < 2; i++) {
        a.geometry = as[i];
        a.d = D;
        ASSERT_EQ(MTC_INVALID, mtc_auto_assign(&c, &X, 0, &a, NULL));
        a.d = D + 1;
        ASSERT_EQ(MTC_INVALID, mtc_auto_assign(&c, &X, 0, &a, z));
    }
    PASS();
}

/* New samples are in the domain of the model's divergence. */
TEST mbc_assign_refuses_values_outside_the_domain(void)
{
    mtc_context c = test_context();
    mtc_data X = view();
    size_t one = 1;
    mtc_real origin[D] = {0, 0}, *centers = origin;
    mtc_mbc_result r = {.d = D, .tasks = 1, .clusters = &one,
                        .centers = &centers};
    mtc_divergence kl = mtc_kl();
    int z[N];
    r.divergence = &kl;                                 /* rows hold zeros */
    ASSERT_EQ(MTC_DOMAIN, mtc_mbc_assign(&c, &X, 0, &r, z));
    ASSERT_EQ(0, c.error.row);
    ASSERT_EQ(0, c.error.column);
    PASS();
}

/* One middle of two: each argument in turn. */
TEST mbc_centroid_refuses_its_arguments(void)
{
    mtc_context c = test_context();
    mtc_real L[2] = {1, 2}, R[2] = {3, 4}, u[2], nan = not_a_number();
    mtc_real zero[2] = {1, 0}, bad[2] = {1, nan}, inf = infinite();
    mtc_divergence kl = mtc_kl(), half = {.user = NULL};
#define MIDDLE(DIV, A, B, LEFT, RIGHT, U)                                 \
    mtc_mbc_centroid(&c, DIV, MTC_CENTROID_EXACT, 2, A, B, LEFT, RIGHT, U)
    ASSERT_EQ(MTC_DOMAIN, MIDDLE(NULL, 1, 1, bad, R, u));
    ASSERT_EQ(MTC_DOMAIN, MIDDLE(NULL, 1, 1, L, bad, u));
    ASSERT_EQ(MTC_DOMAIN, MIDDLE(&kl, 1, 1, zero, R, u));
    ASSERT_EQ(MTC_DOMAIN, MIDDLE(&kl, 1, 1, L, zero, u));
    ASSERT_EQ(MTC_INVALID, MIDDLE(NULL, 0, 1, L, R, u));
    ASSERT_EQ(MTC_INVALID, MIDDLE(NULL, 1, -1, L, R, u));
    ASSERT_EQ(MTC_INVALID, MIDDLE(NULL, inf, 1, L, R, u));
    ASSERT_EQ(MTC_INVALID, MIDDLE(NULL, 1, inf, L, R, u));
    ASSERT_EQ(MTC_INVALID, MIDDLE(NULL, 1, 1, L, R, NULL));
    ASSERT_EQ(MTC_INVALID, MIDDLE(&half, 1, 1, L, R, u));
    ASSERT_EQ(MTC_INVALID, mtc_mbc_centroid(&c, NULL, (mtc_centroid)2, 2, 1, 1,
                                            L, R, u));
    ASSERT_EQ(MTC_OK, MIDDLE(NULL, 1, 3, L, R, u));     /* (L + 3 R) / 4 */
    ASSERT_IN_RANGE((mtc_real)2.5, u[0], TOL(1e-12));
    ASSERT_IN_RANGE((mtc_real)3.5, u[1], TOL(1e-12));
#undef MIDDLE
    PASS();
}

/* L L' is definite if L has a diagonal above 0. */
TEST a_metric_that_is_none_is_refused(void)
{
    const mtc_real bad[3] = {-1, 0, not_a_number()};
    mtc_context c = test_context();
    mtc_data X = view();
    mtc_real L[4] = {1, not_a_number(), 0, 1};  /* nothing reads L[1] */
    mtc_metric metric = {2, L};
    mtc_divergence maha = mtc_mahalanobis(&metric);
    mtc_mbc_options o = mtc_mbc_defaults();
    mtc_kmeans_options km = mtc_kmeans_defaults();
    mtc_mbc_result r;
    mtc_kmeans_result means;
    o.divergence = km.divergence = &maha;
    for (size_t e = 0; e < 3; e++) {
        L[3] = bad[e];
        ASSERT_EQ(MTC_SINGULAR, mtc_mbc(&c, &X, 1, &o, &r));
        ASSERT_EQ(1u, c.error.row);
        ASSERT_EQ(1u, c.error.column);
        ASSERT_EQ(MTC_SINGULAR, mtc_kmeans(&c, &X, &km, &means));
    }
    L[3] = 1;
    ASSERT_EQ(MTC_OK, mtc_mbc(&c, &X, 1, &o, &r));
    mtc_free(&c, &r.block);
    ASSERT_EQ(MTC_OK, mtc_kmeans(&c, &X, &km, &means));
    mtc_free(&c, &means.block);
    PASS();
}

/* The contingency table needs both sides; free takes nothing. */
TEST the_rest_takes_null_for_an_answer(void)
{
    mtc_context c = test_context();
    mtc_contingency_result t;
    ASSERT_EQ(MTC_INVALID, mtc_contingency(&c, N, two, NULL, &t));
    ASSERT_EQ(MTC_INVALID, mtc_contingency(&c, N, NULL, two, &t));
    ASSERT_EQ(MTC_INVALID, mtc_contingency(&c, 0, two, two, &t));
    mtc_free(&c, NULL);
    mtc_free(&c, NULL);
    PASS();
}

/* A start from labels is taken: with no iteration it is the result. */
TEST a_start_of_snmf_is_taken(void)
{
    mtc_context ctx = test_context();
    const mtc_real m[9] = {2, 1, 0, 1, 2, 0, 0, 0, 1};
    const int start[3] = {1, 1, 0};
    mtc_data M = mtc_dense(3, 3, m);
    mtc_snmf_options o = mtc_snmf_defaults();
    mtc_snmf_result r;
    o.clusters = 2;
    o.start_labels = start;
    o.iterations = 0;
    ASSERT_EQ(MTC_OK, mtc_snmf(&ctx, &M, &o, &r));
    for (size_t i = 0; i < 3; i++)
        for (size_t z = 0; z < 2; z++)
            ASSERT_IN_RANGE(.2 + (start[i] == (int)z), (double)r.Y[i * 2 + z],
                            (double)TOL(1e-15));
    ASSERT_MEM_EQ(start, r.labels, sizeof start);
    mtc_free(&ctx, &r.block);
    PASS();
}

SUITE(refusals_suite)
{
    for (size_t r = 0; r < sizeof refusals / sizeof refusals[0]; r++) {
        greatest_set_test_suffix(refusals[r].name);
        RUN_TESTp(what_is_out_of_range_is_refused, r);
    }
    RUN_TEST(assignments_refuse_what_does_not_fit);
    RUN_TEST(assignments_refuse_what_is_missing);
    RUN_TEST(guard_and_auto_assign_refuse_what_is_missing);
    RUN_TEST(mbc_assign_refuses_values_outside_the_domain);
    RUN_TEST(mbc_centroid_refuses_its_arguments);
    RUN_TEST(a_metric_that_is_none_is_refused);
    RUN_TEST(the_rest_takes_null_for_an_answer);
    RUN_TEST(a_start_of_snmf_is_taken);
}
