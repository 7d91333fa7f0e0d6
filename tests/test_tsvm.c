/* SPDX-License-Identifier: MIT
 *
 * Transductive SVM: it becomes the SVM as the target's cost vanishes, keeps
 * its number of positives, and finds the gap that few labels do not show.
 */
#include <math.h>

#include "greatest.h"
#include "test_util.h"

#define N_TARGET 120

/* Two long clouds side by side, n samples, class i % 2. */
static void two_clouds(mtc_real *x, int *y, size_t n, uint64_t seed)
{
    test_fill(x, 2 * n, seed, -1, 1);
    for (size_t i = 0; i < n; i++) {
        y[i] = (int)(i % 2);
        x[2 * i] = x[2 * i] * 4 + (mtc_real)(i % 2 ? 1.0 : 0.0);
        x[2 * i + 1] = x[2 * i + 1] * (mtc_real)0.6 +
                       (mtc_real)(i % 2 ? 1.5 : -1.5);
    }
}

TEST tsvm_finds_the_gap_that_four_labels_do_not_show(void)
{
    mtc_context ctx = test_context();
    size_t right = 0, before = 0, runs = 12;
    for (uint64_t seed = 1; seed <= runs; seed++) {
        mtc_real x[2 * 4], t[2 * N_TARGET];
        int y[4], truth[N_TARGET], plain[N_TARGET];
        const int *labels[1] = {y};
        two_clouds(x, y, 4, seed);
        two_clouds(t, truth, N_TARGET, seed + 100);
        mtc_data S = mtc_dense(4, 2, x), T = mtc_dense(N_TARGET, 2, t);
        mtc_svm_options so = mtc_svm_defaults();
        mtc_svm_result sr;
        ASSERT_EQ(MTC_OK, mtc_svm(&ctx, &S, y, &so, &sr));
        ASSERT_EQ(MTC_OK, mtc_svm_assign(&ctx, &T, &S, &sr, plain, NULL));
        mtc_svm_free(&ctx, &sr);
        mtc_tsvm_options o = mtc_tsvm_defaults();
        mtc_tsvm_result r;
        ASSERT_EQ(MTC_OK, mtc_tsvm(&ctx, &S, labels, 1, &T, &o, &r));
        for (size_t i = 0; i < N_TARGET; i++) {
            right += r.labels[i] == truth[i];
            before += plain[i] == truth[i];
        }
        mtc_tsvm_free(&ctx, &r);
    }
    ASSERT(right > before);             /* over all runs: local minima occur */
    ASSERT(right > runs * N_TARGET * 92 / 100);
    PASS();
}

TEST tsvm_is_the_svm_when_the_target_costs_nothing(void)
{
    mtc_real x[2 * 20], t[2 * N_TARGET], f[N_TARGET];
    int y[20], truth[N_TARGET];
    const int *labels[2] = {y, y + 8};
    mtc_context ctx = test_context();
    two_clouds(x, y, 20, 3);
    two_clouds(t, truth, N_TARGET, 4);
    mtc_data all = mtc_dense(20, 2, x), T = mtc_dense(N_TARGET, 2, t);
    mtc_data S[2] = {mtc_dense(8, 2, x), mtc_dense(12, 2, x + 16)};
    const mtc_real tight = sizeof(mtc_real) == 8 ? (mtc_real)1e-8
                                                 : (mtc_real)1e-3;
    mtc_svm_options so = mtc_svm_defaults();
    mtc_svm_result sr;
    so.tolerance = tight;
    ASSERT_EQ(MTC_OK, mtc_svm(&ctx, &all, y, &so, &sr));
    ASSERT_EQ(MTC_OK, mtc_svm_assign(&ctx, &T, &all, &sr, NULL, f));
    mtc_svm_free(&ctx, &sr);
    mtc_tsvm_options o = mtc_tsvm_defaults();
    mtc_tsvm_result r;
    o.tolerance = tight;
    o.cost_target = (mtc_real)1e-9;
    ASSERT_EQ(MTC_OK, mtc_tsvm(&ctx, S, labels, 2, &T, &o, &r));
    for (size_t i = 0; i < N_TARGET; i++)
        ASSERT_IN_RANGE(f[i], r.decisions[i],
                        sizeof(mtc_real) == 8 ? (mtc_real)1e-5
                                              : (mtc_real)2e-2);
    mtc_tsvm_free(&ctx, &r);
    PASS();
}

TEST tsvm_serves_three_classes_one_class_and_one_target(void)
{
    mtc_real x[30 * 3], t[60 * 3];
    int y[30], one[30] = {0};
    const int *labels[1] = {y}, *same[1] = {one};
    mtc_context ctx = test_context();
    test_fill(x, 90, 1, 0, 1);
    test_fill(t, 180, 2, 0, 1);
    for (size_t i = 0; i < 30; i++) {
        y[i] = (int)(i % 3);
        x[i * 3 + i % 3] += 2;
    }
    for (size_t i = 0; i < 60; i++)
        t[i * 3 + i % 3] += 2;
    mtc_data S = mtc_dense(30, 3, x), T = mtc_dense(60, 3, t);
    mtc_tsvm_options o = mtc_tsvm_defaults();
    mtc_tsvm_result r;
    o.classes = 3;
    o.kernel = MTC_RBF;
    ASSERT_EQ(MTC_OK, mtc_tsvm(&ctx, &S, labels, 1, &T, &o, &r));
    for (size_t i = 0; i < 60; i++)
        ASSERT_EQ((int)(i % 3), r.labels[i]);
    mtc_tsvm_free(&ctx, &r);
    ASSERT_EQ(MTC_OK, mtc_tsvm(&ctx, &S, same, 1, &T, &o, &r));
    for (size_t i = 0; i < 60; i++)
        ASSERT_EQ(0, r.labels[i]);
    mtc_tsvm_free(&ctx, &r);
    T.n = 1;
    ASSERT_EQ(MTC_OK, mtc_tsvm(&ctx, &S, labels, 1, &T, &o, &r));
    ASSERT_EQ(0, r.labels[0]);
    mtc_tsvm_free(&ctx, &r);
    o.cost = 0;
    ASSERT_EQ(MTC_INVALID, mtc_tsvm(&ctx, &S, labels, 1, &T, &o, &r));
    PASS();
}

/* No plane parts the sources, so that b grows to a cost near the largest real,
 * beside data near the largest there may be.  Whether that overflows is up to
 * rounding; that it is told, not. */
TEST tsvm_says_if_its_decisions_overflow(void)
{
    mtc_context ctx = test_context();
    mtc_real big = (mtc_real)(sizeof(mtc_real) == 8 ? 9e147 : 9e12);
    mtc_real x[4] = {(mtc_real)-0.5, 1, 2, -big}, z[3] = {1000000, big, 2};
    const int y[4] = {0, 1, 0, 0}, *labels[1] = {y};
    mtc_data source = mtc_dense(4, 1, x), target = mtc_dense(3, 1, z);
    mtc_tsvm_options o = mtc_tsvm_defaults();
    mtc_tsvm_result r;
    o.cost = TEST_MAX / 2;
    o.iterations = 200;
    mtc_status s = mtc_tsvm(&ctx, &source, labels, 1, &target, &o, &r);
    if (s == MTC_OK) {
        for (size_t i = 0; i < 3; i++)
            ASSERT(r.decisions[i] - r.decisions[i] == 0);   /* finite */
        mtc_tsvm_free(&ctx, &r);
    } else {
        ASSERT_EQ(MTC_DOMAIN, s);
    }
    PASS();
}

SUITE(tsvm_suite)
{
    RUN_TEST(tsvm_finds_the_gap_that_four_labels_do_not_show);
    RUN_TEST(tsvm_is_the_svm_when_the_target_costs_nothing);
    RUN_TEST(tsvm_serves_three_classes_one_class_and_one_target);
    RUN_TEST(tsvm_says_if_its_decisions_overflow);
}
