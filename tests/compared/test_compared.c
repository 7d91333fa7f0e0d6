/* SPDX-License-Identifier: MIT
 *
 * The frame of examples/compared, its refusals and its memory; transductive
 * SVM: it becomes the SVM as the target's cost vanishes, keeps its number of
 * positives, finds the gap that few labels do not show, and ends.
 */
#include <math.h>

#define CMP_INTERNAL
#include "../../examples/compared/compared.h"
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
        mtc_free(&ctx, &sr.block);
        cmp_tsvm_options o = cmp_tsvm_defaults();
        cmp_tsvm_result r;
        ASSERT_EQ(MTC_OK, cmp_tsvm(&ctx, &S, labels, 1, &T, &o, &r));
        for (size_t i = 0; i < N_TARGET; i++) {
            right += r.labels[i] == truth[i];
            before += plain[i] == truth[i];
        }
        mtc_free(&ctx, &r.block);
    }
    ASSERT(right > before);             /* over all runs: local minima occur */
    ASSERT(right > runs * N_TARGET * 92 / 100);
    PASS();
}

TEST tsvm_of_one_target_sample_is_the_svm(void)
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
    mtc_real norm[20], sum = 0;
    mtc_data_norms(&all, norm);
    for (size_t i = 0; i < 20; i++)
        sum += norm[i];
    so.tolerance = tight;
    ASSERT_EQ(MTC_OK, mtc_svm(&ctx, &all, y, &so, &sr));
    ASSERT_EQ(MTC_OK, mtc_svm_assign(&ctx, &T, &all, &sr, NULL, f));
    mtc_free(&ctx, &sr.block);
    cmp_tsvm_options o = cmp_tsvm_defaults();
    cmp_tsvm_result r;
    o.tolerance = tight;
    for (size_t i = 0; i < N_TARGET; i++) {
        mtc_data one = mtc_dense(1, 2, t + 2 * i);
        mtc_data_norms(&one, norm);
        o.cost = (sum + norm[0]) / 21;              /* C = 1 */
        ASSERT_EQ(MTC_OK, cmp_tsvm(&ctx, S, labels, 2, &one, &o, &r));
        ASSERT_IN_RANGE(f[i], r.decisions[0],
                        sizeof(mtc_real) == 8 ? (mtc_real)1e-5
                                              : (mtc_real)2e-2);
        mtc_free(&ctx, &r.block);
    }
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
    cmp_tsvm_options o = cmp_tsvm_defaults();
    cmp_tsvm_result r;
    o.classes = 3;
    o.kernel = MTC_KERNEL_RBF;
    ASSERT_EQ(MTC_OK, cmp_tsvm(&ctx, &S, labels, 1, &T, &o, &r));
    for (size_t i = 0; i < 60; i++)
        ASSERT_EQ((int)(i % 3), r.labels[i]);
    mtc_free(&ctx, &r.block);
    ASSERT_EQ(MTC_OK, cmp_tsvm(&ctx, &S, same, 1, &T, &o, &r));
    for (size_t i = 0; i < 60; i++)
        ASSERT_EQ(0, r.labels[i]);
    mtc_free(&ctx, &r.block);
    T.n = 1;
    ASSERT_EQ(MTC_OK, cmp_tsvm(&ctx, &S, labels, 1, &T, &o, &r));
    ASSERT_EQ(0, r.labels[0]);
    mtc_free(&ctx, &r.block);
    o.cost = 0;
    ASSERT_EQ(MTC_INVALID, cmp_tsvm(&ctx, &S, labels, 1, &T, &o, &r));
    PASS();
}

/* No plane parts the sources, so that b grows to a cost near the largest that
 * there may be, and so are the data.  Whether that overflows is up to
 * rounding; that it is told, not. */
TEST tsvm_says_if_its_decisions_overflow(void)
{
    mtc_context ctx = test_context();
    mtc_real big = (mtc_real)(sizeof(mtc_real) == 8 ? 9e147 : 9e12);
    mtc_real x[4] = {(mtc_real)-0.5, 1, 2, -big}, z[3] = {1000000, big, 2};
    const int y[4] = {0, 1, 0, 0}, *labels[1] = {y};
    mtc_data source = mtc_dense(4, 1, x), target = mtc_dense(3, 1, z);
    cmp_tsvm_options o = cmp_tsvm_defaults();
    cmp_tsvm_result r;
    o.cost = (mtc_real)(sizeof(mtc_real) == 8 ? 9e69 : 9e8);
    o.iterations = 200;
    mtc_status s = cmp_tsvm(&ctx, &source, labels, 1, &target, &o, &r);
    if (s == MTC_OK) {
        for (size_t i = 0; i < 3; i++)
            ASSERT(r.decisions[i] - r.decisions[i] == 0);   /* finite */
        mtc_free(&ctx, &r.block);
    } else {
        ASSERT_EQ(MTC_DOMAIN, s);
    }
    PASS();
}

/* Nine tenths of four targets would be all of them: one is left. */
TEST tsvm_leaves_no_class_empty(void)
{
    mtc_context ctx = test_context();
    mtc_real from[10];
    const mtc_real to[4] = {2, -2, 3, (mtc_real)2.5};
    int labels[10];
    const int *const given[1] = {labels};
    for (size_t i = 0; i < 10; i++) {
        from[i] = i == 0 ? -1 : 1 + (mtc_real)i / 10;
        labels[i] = i != 0;
    }
    mtc_data S = mtc_dense(10, 1, from), T = mtc_dense(4, 1, to);
    cmp_tsvm_result r;
    ASSERT_EQ(MTC_OK, cmp_tsvm(&ctx, &S, given, 1, &T, NULL, &r));
    for (size_t i = 0; i < 4; i++)
        ASSERT_EQ(to[i] > 0, r.labels[i]);
    mtc_free(&ctx, &r.block);
    PASS();
}

/* Three groups on a line with labels 1, 2, 3: no source has class 0. */
TEST tsvm_gives_no_class_that_no_source_has(void)
{
    enum { ROWS = 90 };
    mtc_real x[2][ROWS * 2];
    int y[ROWS];
    const int *const given[1] = {y};
    mtc_context ctx = test_context();
    mtc_random rng = mtc_random_seed(1);
    cmp_tsvm_options o = cmp_tsvm_defaults();
    cmp_tsvm_result r;
    for (int e = 0; e < 4 * ROWS; e++) {
        int i = e / 4;
        y[i] = 1 + i % 3;
        x[e % 2][2 * i + e / 2 % 2] = (mtc_real)(e / 2 % 2 ? 0 : i % 3 * 3) +
                                      mtc_random_normal(&rng);
    }
    mtc_data S = mtc_dense(ROWS, 2, x[0]), T = mtc_dense(ROWS, 2, x[1]);
    o.classes = 4;
    ASSERT_EQ(MTC_OK, cmp_tsvm(&ctx, &S, given, 1, &T, &o, &r));
    for (size_t i = 0; i < ROWS; i++)
        ASSERT(r.labels[i] > 0);
    mtc_free(&ctx, &r.block);
    PASS();
}

enum { RAW = 100, RAW_D = 5 };

/* What comes as it comes: noise of 1e6; columns in their own units; features
 * of 1e6 beside 1e-6; an offset; 0 and 1; all the same. */
static void raw_columns(int shape, size_t n, mtc_real *x, int *y,
                        uint64_t seed)
{
    mtc_random g = mtc_random_seed(seed);
    const double unit[RAW_D] = {20000, 9000, 12, 28000, 1};
    for (size_t i = 0; i < n; i++) {
        y[i] = (int)mtc_random_below(&g, 3);
        for (size_t j = 0; j < RAW_D; j++) {
            double z = (double)mtc_random_normal(&g);
            z = shape == 0   ? z * 1e6
                : shape == 1 ? (z + y[i] + 4) * unit[j]
                : shape == 2 ? j == 0 ? z * 1e6 : (z + y[i]) * 1e-6
                : shape == 3 ? z + 1e6
                : shape == 4 ? z > 0
                             : 3;
            x[i * RAW_D + j] = (mtc_real)z;
        }
    }
}

/* A call that does not converge ends when its steps are used up, and a level
 * when its exchanges gain nothing: what looked like a hang. */
TEST tsvm_ends_on_unscaled_data(int shape)
{
    static mtc_real x[2 * RAW * RAW_D];
    static int y[2 * RAW];
    const int *labels[1] = {y};
    mtc_context ctx = test_context();
    for (int kernel = 0; kernel < 2; kernel++)
        for (size_t n = 32; n <= RAW; n += 34) {
            raw_columns(shape, 2 * n, x, y, n);
            mtc_data S = mtc_dense(n, RAW_D, x);
            mtc_data T = mtc_dense(n, RAW_D, x + n * RAW_D);
            cmp_tsvm_options o = cmp_tsvm_defaults();
            cmp_tsvm_result r;
            o.classes = 3;
            o.kernel = kernel ? MTC_KERNEL_RBF : MTC_KERNEL_LINEAR;
            ASSERT_EQ(MTC_OK, cmp_tsvm(&ctx, &S, labels, 1, &T, &o, &r));
            ASSERT(r.iterations <= 500000 + 500 * 2 * n);
            ASSERT(r.solved < 1000);    /* 18 levels, 3 problems, some more */
            mtc_free(&ctx, &r.block);
            if (n > 32)
                continue;
            o.cost = 1024;
            ASSERT_EQ(MTC_OK, cmp_tsvm(&ctx, &S, labels, 1, &T, &o, &r));
            ASSERT(r.iterations <= 500000 + 500 * 2 * n);
            mtc_free(&ctx, &r.block);
        }
    PASS();
}

/* Costs are over the mean of K(x,x): the unit of the data does not matter,
 * to the bit if it is a power of two. */
TEST tsvm_answer_does_not_depend_on_the_unit(void)
{
    static mtc_real x[2 * RAW * RAW_D];
    static int y[2 * RAW];
    const int *labels[1] = {y};
    mtc_context ctx = test_context();
    cmp_tsvm_options o = cmp_tsvm_defaults();
    cmp_tsvm_result a, b;
    o.classes = 3;
    raw_columns(1, 2 * RAW, x, y, 3);
    mtc_data S = mtc_dense(RAW, RAW_D, x);
    mtc_data T = mtc_dense(RAW, RAW_D, x + RAW * RAW_D);
    ASSERT_EQ(MTC_OK, cmp_tsvm(&ctx, &S, labels, 1, &T, &o, &a));
    for (size_t i = 0; i < 2 * RAW * RAW_D; i++)
        x[i] /= 4096;
    ASSERT_EQ(MTC_OK, cmp_tsvm(&ctx, &S, labels, 1, &T, &o, &b));
    ASSERT_EQ(a.iterations, b.iterations);
    ASSERT_MEM_EQ(a.decisions, b.decisions, 3 * RAW * sizeof *a.decisions);
    mtc_free(&ctx, &a.block);
    mtc_free(&ctx, &b.block);
    PASS();
}

TEST tsvm_steps_are_shared_by_all_solves(void)
{
    static mtc_real x[2 * RAW * RAW_D];
    static int y[2 * RAW];
    const int *labels[1] = {y};
    mtc_context ctx = test_context();
    cmp_tsvm_options o = cmp_tsvm_defaults();
    cmp_tsvm_result r;
    raw_columns(0, 2 * RAW, x, y, 5);
    mtc_data S = mtc_dense(RAW, RAW_D, x);
    mtc_data T = mtc_dense(RAW, RAW_D, x + RAW * RAW_D);
    o.classes = 3;
    for (o.iterations = 1; o.iterations <= 1000; o.iterations *= 10) {
        ASSERT_EQ(MTC_OK, cmp_tsvm(&ctx, &S, labels, 1, &T, &o, &r));
        ASSERT(r.iterations <= o.iterations + 3 && !r.converged);
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

TEST tsvm_serves_any_view(void)
{
    static mtc_real x[4 * RAW], value[2 * RAW];
    static size_t row[RAW + 1];
    static uint32_t column[2 * RAW];
    static int y[2 * RAW];
    const int *labels[1] = {y};
    mtc_context ctx = test_context();
    cmp_tsvm_options o = cmp_tsvm_defaults();
    cmp_tsvm_result a, b;
    two_clouds(x, y, 2 * RAW, 9);
    mtc_data S = mtc_dense(RAW, 2, x);
    mtc_data T = mtc_dense(RAW, 2, x + RAW * 2);
    test_sparse(RAW, 2, x + RAW * 2, row, column, value);
    mtc_data C = mtc_csr(RAW, 2, row, column, value);
    ASSERT_EQ(MTC_OK, cmp_tsvm(&ctx, &S, labels, 1, &T, &o, &a));
    ASSERT_EQ(MTC_OK, cmp_tsvm(&ctx, &S, labels, 1, &C, &o, &b));
    for (size_t i = 0; i < RAW; i++)
        ASSERT_IN_RANGE(a.decisions[i], b.decisions[i], (mtc_real)1e-3);
    mtc_free(&ctx, &a.block);
    mtc_free(&ctx, &b.block);
    PASS();
}

/* ---- the frame --------------------------------------------------------- */

TEST sizes_that_overflow_stay_so(void)
{
    ASSERT_EQ(SIZE_MAX, adv_mul(SIZE_MAX / 2, 3));
    ASSERT_EQ(SIZE_MAX, adv_mul(SIZE_MAX, 1));
    ASSERT_EQ((size_t)0, adv_mul(SIZE_MAX, 0));
    ASSERT_EQ((size_t)12, adv_mul(3, 4));
    ASSERT_EQ(SIZE_MAX, adv_add(SIZE_MAX, 1));
    ASSERT_EQ((size_t)7, adv_add(3, 4));
    PASS();
}

TEST a_room_gives_all_back_and_remembers_its_first_failure(void)
{
    test_heap heap;
    mtc_context ctx = test_heap_context(&heap);
    adv_desk desk = adv_open(&ctx, MTC_NONE);
    double *a = ADV_TAKE(&desk, 10, double);
    ASSERT(a != NULL && a[9] == 0);
    ASSERT(adv_take(&desk, SIZE_MAX / 2, 8) == NULL);
    ASSERT_EQ(MTC_TOO_BIG, desk.status);
    ASSERT(adv_take(&desk, 1, 1) == NULL);          /* none after a failure */
    ASSERT_EQ(MTC_TOO_BIG, adv_close(&desk, desk.status));
    ASSERT(heap.live == 0 && heap.faults == 0);
    heap.fail_at = 2;
    heap.calls = 0;
    desk = adv_open(&ctx, MTC_NONE);
    ASSERT(adv_take(&desk, 3, 4) != NULL);
    ASSERT(adv_take(&desk, 3, 4) == NULL);
    ASSERT_EQ(MTC_NO_MEMORY, adv_close(&desk, desk.status));
    ASSERT(heap.live == 0 && heap.faults == 0);
    PASS();
}

TEST copies_hold_every_row_in_order(void)
{
    const mtc_real x[6] = {1, 0, 2, 0, 3, 0}, y[3] = {0, 0, 4};
    const size_t row[2] = {0, 1};
    const uint32_t column[1] = {2};
    const mtc_real value[1] = {4}, all[9] = {1, 0, 2, 0, 3, 0, 0, 0, 4};
    mtc_context ctx = test_context();
    mtc_data sets[2] = {mtc_dense(2, 3, x), mtc_csr(1, 3, row, column, value)};
    for (int sparse = 0; sparse < 2; sparse++) {
        adv_desk desk = adv_open(&ctx, MTC_NONE);
        sets[1] = sparse ? mtc_csr(1, 3, row, column, value)
                         : mtc_dense(1, 3, y);
        mtc_data S = cmp_stack(&desk, sets, 2);
        mtc_data U = cmp_unit_rows(&desk, &S, CMP_LENGTH);
        ASSERT_EQ(MTC_OK, desk.status);
        ASSERT_EQ(sparse, S.row != NULL);
        ASSERT_EQ(MTC_OK, mtc_data_check(&ctx, &S, 0));
        for (size_t i = 0; i < 3; i++) {
            mtc_real line[3] = {0, 0, 0}, unit[3] = {0, 0, 0};
            mtc_data_axpy(&S, i, 1, line);
            mtc_data_axpy(&U, i, 1, unit);
            ASSERT_MEM_EQ(all + 3 * i, line, sizeof line);
            ASSERT_IN_RANGE((mtc_real)1, mtc_dot(3, unit, unit), TOL(1e-15));
        }
        adv_close(&desk, MTC_OK);
    }
    PASS();
}

TEST sorting_keeps_the_order_of_equal_keys(void)
{
    mtc_real key[57];
    size_t order[57], spare[57];
    for (size_t n = 0; n <= 57; n++) {
        test_fill(key, n, n, 0, 9);
        for (size_t i = 0; i < n; i++)
            key[i] = (mtc_real)(int)key[i];
        cmp_sort(n, key, order, spare);
        for (size_t i = 1; i < n; i++)
            ASSERT(key[order[i - 1]] < key[order[i]] ||
                   (key[order[i - 1]] == key[order[i]] &&
                    order[i - 1] < order[i]));
    }
    PASS();
}

TEST streams_differ_by_seed_and_number(void)
{
    mtc_context ctx = test_context();
    mtc_random a = cmp_stream(&ctx, 0), b = cmp_stream(&ctx, 0);
    mtc_random c = cmp_stream(&ctx, 1), d = cmp_stream(NULL, 0);
    uint64_t first = mtc_random_bits(&a);
    ASSERT(first == mtc_random_bits(&b) && first == mtc_random_bits(&d));
    ASSERT(first != mtc_random_bits(&c));
    ctx.seed = 2;
    a = cmp_stream(&ctx, 0);
    ASSERT(first != mtc_random_bits(&a));
    PASS();
}

/* ---- every call: memory, cancelling, refusals -------------------------- */

enum { CALLS = 5, SMALL = 12 };

typedef struct call_input {
    mtc_data source, target;
    const int *labels[1];
    int call;
} call_input;

static mtc_status run_call(mtc_context *ctx, const call_input *in, void *out)
{
    cmp_propagate_options p = cmp_propagate_defaults();
    cmp_tsvm_options t = cmp_tsvm_defaults();
    p.kind = in->call == 1 ? CMP_CONSISTENCY : CMP_HARMONIC;
    p.graph.neighbors = 4;
    p.classes = t.classes = 3;
    t.kernel = in->call == 3 ? MTC_KERNEL_RBF : MTC_KERNEL_LINEAR;
    if (in->call < 2)
        return cmp_propagate(ctx, &in->source, in->labels, 1, &in->target, &p,
                             (cmp_propagate_result *)out);
    if (in->call < 4)
        return cmp_tsvm(ctx, &in->source, in->labels, 1, &in->target, &t,
                        (cmp_tsvm_result *)out);
    return cmp_bridge_try(ctx, &in->source, in->labels[0], &in->target,
                          &in->target, in->labels[0], 3, 1,
                          (cmp_bridge_gain *)out);
}

/* FNV-1a over the arrays of a result. */
static uint64_t hash_call(const call_input *in, const void *out)
{
    const cmp_propagate_result *r = (const cmp_propagate_result *)out;
    const cmp_tsvm_result *t = (const cmp_tsvm_result *)out;
    const void *part[2] = {out, out};
    size_t bytes[2] = {2 * sizeof(mtc_real), 0};    /* of a gain */
    uint64_t hash = UINT64_C(14695981039346656037);
    if (in->call < 4) {
        part[0] = in->call < 2 ? r->labels : t->labels;
        part[1] = in->call < 2 ? r->scores : t->decisions;
        bytes[0] = SMALL * sizeof(int);
        bytes[1] = 3 * SMALL * sizeof(mtc_real);
    }
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < bytes[k]; i++)
            hash = (hash ^ ((const unsigned char *)part[k])[i]) *
                   UINT64_C(1099511628211);
    return hash;
}

static void release_call(const call_input *in, mtc_context *ctx, void *out)
{
    if (in->call < 4)
        mtc_free(ctx, (mtc_block *)out);
}

static call_input make_input(int call, int sparse)
{
    static mtc_real x[2 * SMALL * 3], value[2 * SMALL * 3];
    static size_t row[2][SMALL + 1];
    static uint32_t column[2 * SMALL * 3];
    static int y[SMALL];
    const size_t half = SMALL * 3;
    test_fill(x, 2 * half, 4, 0, 1);
    for (size_t i = 0; i < SMALL; i++) {
        y[i] = (int)(i % 3);
        x[i * 3 + i % 3] += 2;
        x[half + i * 3 + i % 3] += 2;
    }
    call_input in = {mtc_dense(SMALL, 3, x), mtc_dense(SMALL, 3, x + half),
                     {y}, call};
    if (sparse) {
        test_sparse(SMALL, 3, x, row[0], column, value);
        test_sparse(SMALL, 3, x + half, row[1], column + half, value + half);
        in.source = mtc_csr(SMALL, 3, row[0], column, value);
        in.target = mtc_csr(SMALL, 3, row[1], column + half, value + half);
    }
    return in;
}

/* Once for every allocation, which fails: alone, or with all that follow. */
TEST calls_survive_every_failed_allocation(int call)
{
    static test_out out;
    for (int way = 0; way < 4; way++) {
        call_input in = make_input(call, way % 2);
        test_heap heap;
        mtc_context ctx = test_heap_context(&heap);
        ASSERT_EQ(MTC_OK, run_call(&ctx, &in, out.b));
        uint64_t hash = hash_call(&in, out.b);
        size_t calls = heap.calls;
        release_call(&in, &ctx, out.b);
        ASSERT(heap.live == 0 && heap.faults == 0);
        for (size_t k = 1; k <= calls; k++) {
            ctx = test_heap_context(&heap);
            heap.fail_at = k;
            heap.fail_from = way / 2;
            test_poison(&out);
            ASSERT_EQ(MTC_NO_MEMORY, run_call(&ctx, &in, out.b));
            ASSERT(heap.live == 0 && heap.faults == 0);
            ASSERT(test_untouched(&out));
            heap.fail_at = 0;
            ASSERT_EQ(MTC_OK, run_call(&ctx, &in, out.b));
            ASSERT_EQ(hash, hash_call(&in, out.b));
            release_call(&in, &ctx, out.b);
        }
    }
    PASS();
}

/* Counts the ticks, and cancels at one of them. */
static int stop_at(void *user, const char *stage, size_t done, size_t total)
{
    size_t *ticks = (size_t *)user;
    (void)stage, (void)done, (void)total;
    return ++ticks[0] == ticks[1];
}

TEST calls_stop_at_every_tick(int call)
{
    static test_out out;
    call_input in = make_input(call, 0);
    size_t ticks[2] = {0, 0};
    test_heap heap;
    mtc_context ctx = test_heap_context(&heap);
    ctx.progress = stop_at;
    ctx.user = ticks;
    ASSERT_EQ(MTC_OK, run_call(&ctx, &in, out.b));
    ASSERT_EQ((size_t)0, ctx.need);
    release_call(&in, &ctx, out.b);
    size_t all = ticks[0];
    ASSERT(all > 2);
    for (size_t k = 1; k <= all; k += 1 + all / 64) {
        ticks[0] = 0;
        ticks[1] = k;
        test_poison(&out);
        ASSERT_EQ(MTC_CANCELLED, run_call(&ctx, &in, out.b));
        ASSERT(test_untouched(&out));
        ASSERT(heap.live == 0 && heap.faults == 0);
    }
    PASS();
}

TEST calls_refuse_what_is_not_finite_and_say_where(int call)
{
    static test_out out;
    mtc_context ctx = test_context();
    call_input in = make_input(call, 0);
    mtc_real *bad = (mtc_real *)in.target.values + 7, good = *bad;
    for (int k = 0; k < 2; k++) {
        *bad = (mtc_real)(k ? NAN : INFINITY);
        ASSERT_EQ(MTC_DOMAIN, run_call(&ctx, &in, out.b));
        ASSERT_EQ((size_t)1, ctx.error.task);
        ASSERT_EQ((size_t)2, ctx.error.row);
        ASSERT_EQ((size_t)1, ctx.error.column);
        *bad = good;
    }
    static int wrong[SMALL];
    memcpy(wrong, in.labels[0], sizeof wrong);
    wrong[5] = 3;
    in.labels[0] = wrong;
    ASSERT_EQ(MTC_INVALID, run_call(&ctx, &in, out.b));
    ASSERT(ctx.error.row == 5 && ctx.error.task == 0);
    in = make_input(call, 0);
    in.target.d = 2;
    in.target.stride = 3;
    ASSERT_EQ(MTC_INVALID, run_call(&ctx, &in, out.b));
    PASS();
}

#define PROPAGATE(change) \
    (p = cmp_propagate_defaults(), change, \
     cmp_propagate(&ctx, &in.source, given, 1, &in.target, &p, &pr))
#define TSVM(change) \
    (t = cmp_tsvm_defaults(), change, \
     cmp_tsvm(&ctx, &in.source, given, 1, &in.target, &t, &tr))
#define TRY(classes, gamma) \
    cmp_bridge_try(&ctx, &in.source, given[0], &in.source, &in.target, \
                   given[0], classes, gamma, &gain)

TEST options_out_of_range_are_refused(void)
{
    mtc_context ctx = test_context();
    call_input in = make_input(0, 0);
    const int *given[1] = {in.labels[0]};
    const mtc_real nan = (mtc_real)NAN, infinite = (mtc_real)INFINITY;
    cmp_propagate_options p;
    cmp_propagate_result pr;
    cmp_tsvm_options t;
    cmp_tsvm_result tr;
    cmp_bridge_gain gain;
    ASSERT_EQ(MTC_INVALID, PROPAGATE(p.mu = 0));
    ASSERT_EQ(MTC_INVALID, PROPAGATE(p.mu = nan));
    ASSERT_EQ(MTC_INVALID, PROPAGATE(p.mu = infinite));
    ASSERT_EQ(MTC_INVALID, PROPAGATE(p.kind = (cmp_propagation)7));
    ASSERT_EQ(MTC_INVALID, PROPAGATE(p.classes = 0));
    ASSERT_EQ(MTC_INVALID, PROPAGATE(p.tolerance = -1));
    ASSERT_EQ(MTC_INVALID, PROPAGATE(p.graph.similarity = (mtc_similarity)9));
    ASSERT_EQ(MTC_INVALID, PROPAGATE(p.classes = (size_t)INT_MAX + 1));
    ASSERT_EQ(MTC_INVALID, TSVM(t.kernel = (mtc_kernel)9));
    ASSERT_EQ(MTC_INVALID, TSVM(t.cost = 0));
    ASSERT_EQ(MTC_INVALID, TSVM(t.gamma = -1));
    ASSERT_EQ(MTC_INVALID, TSVM(t.gamma = infinite));
    ASSERT_EQ(MTC_INVALID, TSVM(t.tolerance = nan));
    ASSERT_EQ(MTC_INVALID, TSVM(t.classes = 0));
    ASSERT_EQ(MTC_INVALID, TRY(0, 1));
    ASSERT_EQ(MTC_INVALID, TRY(3, -1));
    ASSERT_EQ(MTC_INVALID, TRY(3, infinite));
    ASSERT_EQ(MTC_INVALID, TRY(3, TEST_MIN / 8));   /* 1 / it overflows */
    ASSERT_EQ(MTC_INVALID, TRY(2, 1));              /* a label of 2 */
    ((mtc_real *)in.source.values)[4] = -1;
    ASSERT_EQ(MTC_DOMAIN, TRY(3, 1));
    ASSERT(ctx.error.row == 1 && ctx.error.column == 1);
    given[0] = NULL;
    ASSERT_EQ(MTC_INVALID, PROPAGATE(p.classes = 3));
    ASSERT_EQ(MTC_INVALID, TSVM(t.classes = 3));
    given[0] = in.labels[0];
    ASSERT_EQ(MTC_INVALID, cmp_tsvm(&ctx, &in.source, given, 1, &in.target,
                                    NULL, NULL));
    ASSERT_EQ(MTC_INVALID, cmp_propagate(&ctx, NULL, given, 1, &in.target,
                                         NULL, &pr));
    PASS();
}

SUITE(compared_suite)
{
    RUN_TEST(tsvm_finds_the_gap_that_four_labels_do_not_show);
    RUN_TEST(tsvm_of_one_target_sample_is_the_svm);
    RUN_TEST(tsvm_serves_three_classes_one_class_and_one_target);
    RUN_TEST(tsvm_says_if_its_decisions_overflow);
    RUN_TEST(tsvm_leaves_no_class_empty);
    RUN_TEST(tsvm_gives_no_class_that_no_source_has);
    for (int shape = 0; shape < 6; shape++)
        RUN_TESTp(tsvm_ends_on_unscaled_data, shape);
    RUN_TEST(tsvm_answer_does_not_depend_on_the_unit);
    RUN_TEST(tsvm_steps_are_shared_by_all_solves);
    RUN_TEST(tsvm_serves_any_view);
    RUN_TEST(sizes_that_overflow_stay_so);
    RUN_TEST(a_room_gives_all_back_and_remembers_its_first_failure);
    RUN_TEST(copies_hold_every_row_in_order);
    RUN_TEST(sorting_keeps_the_order_of_equal_keys);
    RUN_TEST(streams_differ_by_seed_and_number);
    for (int call = 0; call < CALLS; call++) {
        RUN_TESTp(calls_survive_every_failed_allocation, call);
        RUN_TESTp(calls_stop_at_every_tick, call);
        RUN_TESTp(calls_refuse_what_is_not_finite_and_say_where, call);
    }
    RUN_TEST(options_out_of_range_are_refused);
}
