/* SPDX-License-Identifier: MIT
 *
 * test_moved.c - laws of place and size, for every call of the table, dense and
 * CSR: what the library chooses (labels and indices) does not depend on the
 * unit of the data, nor, where a method looks only at differences, on their
 * origin, nor on zeros that a CSR view stores.  A call that cannot follow the
 * law refuses the data with DOMAIN.
 *
 * The data of the table are multiples of 1/256, and a unit is a power of two,
 * so that moved data are exact and have the same answer, not a near one.
 */
#include "greatest.h"
#include "calls.h"
#include "test_util.h"

enum { MN = 40, MD = 20 };

static stage moved;
static size_t moved_n[SCENE_TASKS] = {MN, MD - 2, MN - 7};

/* Is `name` in the list? */
static int among(const char *name, const char *const *list)
{
    for (; *list != NULL; list++)
        if (strcmp(name, *list) == 0)
            return 1;
    return 0;
}

/* Calls whose answer depends on the unit: the cost of the SVM is a number in
 * it, and mSDA adds a feature that is always 1. */
static const char *const of_the_unit[] = {"svm", "mtcfir", NULL};

/* Calls whose answer depends on the origin: cosines, parts that may not be
 * negative, a penalty on weights that far data make small, and columns of one
 * task that may be a multiple of another's. */
static const char *const of_the_origin[] = {
    "svm", "ncut", "lssmtc", "lssttc", "lssmtc_assign", "consistent", "mtcfir",
    "ttl", "ttl_views", "ttl_assign", "bridge_features", "across", NULL};

/* Calls on data of the scene that are not moved here. */
static const char *const of_other_data[] = {
    "kmeans_bregman", "snmf", "ncut_given", NULL};

/* Runs a row over the data as they are now. */
static mtc_status moved_run(const method_row *row, witness *w)
{
    mtc_context ctx = mtc_context_defaults();
    outcome out;
    ctx.allocate = test_allocate;       /* rows take arrays of their own */
    ctx.release = test_release;
    mtc_status s = row->run(&ctx, &moved.s, &out);
    if (s == MTC_OK) {
        row->see(&moved.s, &out, w);
        row->release(&ctx, &out);
    }
    return s;
}

/* x -> factor x + shift in every task, from `first` on. */
static void move_tasks(size_t first, mtc_real factor, mtc_real shift)
{
    for (size_t t = first; t < SCENE_TASKS; t++)
        for (size_t i = 0; i < moved_n[t] * MD; i++)
            moved.x[t][i] = moved.x[t][i] * factor + shift;
}

static mtc_real power_of_two(int e)
{
    mtc_real p = 1;
    for (; e > 0; e--)
        p *= 2;
    for (; e < 0; e++)
        p /= 2;
    return p;
}

TEST the_unit_does_not_matter(const method_row *row, int csr)
{
    const int power[4] = {-100, 100, -140, 140}, small[4] = {-8, 8, -20, 20};
    witness plain = WITNESS;
    stage_set(&moved, MN, MD, csr, 0);
    ASSERT_EQ(MTC_OK, moved_run(row, &plain));
    for (size_t p = 0; p < 4; p++) {
        witness w = WITNESS;
        stage_set(&moved, MN, MD, csr, 0);
        move_tasks(0, power_of_two(sizeof(mtc_real) == 8 ? power[p] : small[p]),
                   0);
        stage_views(&moved, moved_n, MD, csr);
        mtc_status s = moved_run(row, &w);
        ASSERTm(w.wrong, w.wrong == NULL);
        ASSERT_EQm(mtc_status_text(s), MTC_OK, s);
        ASSERT(w.choices == plain.choices || among(row->name, of_the_unit));
    }
    PASS();
}

TEST the_origin_does_not_matter(const method_row *row, int csr)
{
    const mtc_real far[3] = {1024, 1048576, 1073741824};
    size_t exact = sizeof(mtc_real) == 8 ? 3 : 1;   /* without rounding */
    witness plain = WITNESS;
    /* Products of rows at 2^30 have no digit of the spread: the fit of a linear
     * SVM or of a regression does not converge, and its labels are any. */
    if (exact == 3 && (strcmp(row->name, "svm_assign") == 0 ||
                       strcmp(row->name, "logistic_assign") == 0))
        exact = 2;
    /* PCA keeps the zeros of CSR views: it has no digits left, and says so. */
    if (exact == 3 && csr && strncmp(row->name, "pca", 3) == 0)
        exact = 2;
    stage_set(&moved, MN, MD, csr, 0);
    ASSERT_EQ(MTC_OK, moved_run(row, &plain));
    for (size_t p = 0; p < exact; p++) {
        witness w = WITNESS;
        stage_set(&moved, MN, MD, csr, 0);
        move_tasks(0, 1, far[p]);
        stage_views(&moved, moved_n, MD, csr);
        mtc_status s = moved_run(row, &w);
        ASSERTm(w.wrong, w.wrong == NULL);
        ASSERT_EQm(mtc_status_text(s), MTC_OK, s);
        ASSERT(w.choices == plain.choices || among(row->name, of_the_origin));
    }
    PASS();
}

/* Beyond 1e45 (float: 1e9) a call refuses the data, and it says where. */
TEST larger_units_are_refused(const method_row *row, int csr)
{
    mtc_context ctx = mtc_context_defaults();
    outcome out;
    ctx.allocate = test_allocate;
    ctx.release = test_release;
    stage_set(&moved, MN, MD, csr, 0);
    move_tasks(0, power_of_two(sizeof(mtc_real) == 8 ? 160 : 40), 0);
    stage_views(&moved, moved_n, MD, csr);
    ASSERT_EQ(MTC_DOMAIN, row->run(&ctx, &moved.s, &out));
    ASSERT_STR_EQ("value is not finite or too large", ctx.error.what);
    ASSERT(ctx.error.row < MN && ctx.error.column < MD);
    PASS();
}

/* The other tasks are so small beside the first that sums of both forget
 * them. */
TEST a_small_task_is_served_or_refused(const method_row *row, int csr)
{
    const int power[3] = {-60, -100, -140}, small[3] = {-8, -12, -20};
    for (size_t p = 0; p < 3; p++) {
        witness w = WITNESS;
        stage_set(&moved, MN, MD, csr, 0);
        move_tasks(1, power_of_two(sizeof(mtc_real) == 8 ? power[p] : small[p]),
                   0);
        stage_views(&moved, moved_n, MD, csr);
        mtc_status s = moved_run(row, &w);
        ASSERTm(w.wrong, w.wrong == NULL);
        ASSERTm(mtc_status_text(s), s == MTC_OK || s == MTC_DOMAIN);
    }
    PASS();
}

/* Every third entry is stored although it may be 0. */
static void store_zeros(size_t t)
{
    size_t e = 0;
    for (size_t i = 0; i < moved_n[t]; i++) {
        moved.x_row[t][i] = e;
        for (size_t j = 0; j < MD; j++) {
            mtc_real v = moved.x[t][i * MD + j];
            if (v == 0 && (i + j) % 3 != 0)
                continue;
            moved.x_column[t][e] = (uint32_t)j;
            moved.x_value[t][e] = v;
            e++;
        }
    }
    moved.x_row[t][moved_n[t]] = e;
    moved.s.task[t] = mtc_csr(moved_n[t], MD, moved.x_row[t],
                              moved.x_column[t], moved.x_value[t]);
}

TEST stored_zeros_do_not_matter(const method_row *row)
{
    witness plain = WITNESS, w = WITNESS;
    stage_set(&moved, MN, MD, 1, 0);
    ASSERT_EQ(MTC_OK, moved_run(row, &plain));
    for (size_t t = 0; t < SCENE_TASKS; t++)
        store_zeros(t);
    ASSERT_EQ(MTC_OK, moved_run(row, &w));
    ASSERTm(w.wrong, w.wrong == NULL);
    ASSERT(w.choices == plain.choices);
    PASS();
}

/* |x - sum_z p_z m_z|^2 of a row x [d] and centers m [c*d]. */
static double left_of(size_t d, size_t c, const mtc_real *x, const mtc_real *p,
    const mtc_real *m)
{
    double sum = 0;
    for (size_t j = 0; j < d; j++) {
        double left = x[j];
        for (size_t z = 0; z < c; z++)
            left -= (double)p[z] * m[z * d + j];
        sum += left * left;
    }
    return sum;
}

/* Far from 0, where soft partitions become nearly singular, the objective is
 * still that of the P and the centers that are returned. */
TEST lssmtc_says_what_its_factors_leave(void)
{
    enum { N = 12, D = 3, C = 4, T = 2 };
    mtc_random rng = mtc_random_seed(5);
    for (int trial = 0; trial < 60; trial++) {
        mtc_real x[T][N * D], total = 0;
        double left = 0;
        mtc_data X[T];
        for (size_t t = 0; t < T; t++) {
            for (size_t i = 0; i < N * D; i++) {
                x[t][i] = 1000 + mtc_random_normal(&rng);
                total += x[t][i] * x[t][i];
            }
            X[t] = mtc_dense(N, D, x[t]);
        }
        mtc_lssmtc_options o = mtc_lssmtc_defaults();
        mtc_lssmtc_result r;
        o.clusters = C;
        o.lambda = 1;
        o.offset = 1;
        o.start = MTC_START_POOLED;
        ASSERT_EQ(MTC_OK, mtc_lssmtc(NULL, X, T, &o, &r));
        for (size_t t = 0; t < T; t++)
            for (size_t i = 0; i < N; i++)
                left += left_of(D, C, x[t] + i * D, r.P[t] + i * C,
                                r.centers[t]);
        ASSERT(fabs(left - (double)r.objective[r.iterations]) <=
               1e5 * TEST_EPS * (double)total);
        mtc_free(NULL, &r.block);
    }
    PASS();
}

/* On directions only the direction of a row counts, also for rows that do not
 * vote and for new ones: the unit of texts may be any. */
TEST auto_labels_directions_in_any_unit(size_t sample)
{
    enum { N = 36, D = 90 };
    static mtc_real x[N * D], plain[N * D];
    const mtc_real far = (mtc_real)(MTC_EPS < 1e-9 ? 1e30 : 1e8);
    const mtc_real units[] = {1, far, 1 / far};
    mtc_random rng = mtc_random_seed(3);
    mtc_data X = mtc_dense(N, D, x);
    for (size_t i = 0; i < N; i++)       /* words of class i % 3, six a row */
        for (size_t e = 0; e < 6; e++)
            plain[i * D + i % 3 * 30 + mtc_random_below(&rng, 12)] += 1;
    for (size_t u = 0; u < 3; u++) {
        mtc_auto_options o = mtc_auto_defaults();
        mtc_auto_result r;
        int labels[N];
        for (size_t e = 0; e < N * D; e++)
            x[e] = plain[e] * units[u];
        o.clusters = 4;                  /* one more than there are */
        o.geometry = MTC_GEOMETRY_DIRECTIONS;
        o.sample = sample;
        ASSERT_EQ(MTC_OK, mtc_auto(NULL, &X, 1, &o, &r));
        ASSERT_EQ(MTC_OK, mtc_auto_assign(NULL, &X, 0, &r, labels));
        for (size_t i = 0; i < N; i++) {
            ASSERT_EQ(r.labels[0][i], labels[i]);
            for (size_t h = 0; h < i; h++)  /* no cluster mixes classes */
                ASSERT(h % 3 == i % 3 || labels[h] != labels[i]);
        }
        mtc_free(NULL, &r.block);
    }
    PASS();
}

/* sum over k = 2, 3, ... of (-t)^k w_k, from the smallest term on. */
static double tail_of(double t, int kl)
{
    double power[60], sum = 0;
    power[0] = 1;
    for (int k = 1; k < 60; k++)
        power[k] = -t * power[k - 1];
    for (int k = 59; k > 1; k--)
        sum += power[k] / (kl ? (double)k * (k - 1) : k);
    return sum;
}

/* Of x = y (1 + t) kl is y sum (-t)^k / (k (k - 1)) and is sum (-t)^k / k, over
 * k from 2 on: they have all their digits, however close x is to y. */
TEST divergences_of_close_numbers_are_exact(mtc_divergence div, int kl)
{
    const int digits = sizeof(mtc_real) == 8 ? 52 : 23;
    for (int e = 1; e <= digits; e++)
        for (int side = -1; side <= 1; side += 2) {
            mtc_real y = 1000, t = power_of_two(-e) * (mtc_real)side;
            mtc_real x = y + y * t;
            double exact = tail_of((double)((x - y) / y), kl) *
                           (kl ? (double)y : 1);
            double found = (double)div.value(div.user, 1, &x, &y);
            ASSERT(fabs(found - exact) <= 400 * TEST_EPS * exact);
        }
    PASS();
}

/* Two groups that lie close beside their distance from 0, as time stamps do. */
TEST divergences_tell_far_groups_apart(mtc_divergence div, int csr)
{
    enum { N = 40 };
    const mtc_real far = MTC_EPS < 1e-9 ? (mtc_real)1.7e9 : 2000;
    mtc_real x[N], values[N];
    size_t row[N + 1];
    uint32_t column[N];
    mtc_random rng = mtc_random_seed(7);
    for (size_t i = 0; i < N; i++)
        x[i] = far + (i % 2 == 0 ? 0 : 20) + mtc_random_normal(&rng);
    mtc_data X = csr ? stage_csr(N, 1, x, row, column, values)
                     : mtc_dense(N, 1, x);
    mtc_kmeans_options o = mtc_kmeans_defaults();
    mtc_kmeans_result r;
    o.divergence = &div;
    ASSERT_EQ(MTC_OK, mtc_kmeans(NULL, &X, &o, &r));
    ASSERT(r.converged && r.loss > 0);
    for (size_t i = 2; i < N; i++)
        ASSERT_EQ(r.labels[i % 2], r.labels[i]);
    ASSERT(r.labels[0] != r.labels[1]);
    mtc_free(NULL, &r.block);

    mtc_mbc_options m = mtc_mbc_defaults();
    mtc_mbc_result b;
    mtc_data both[2] = {X, X};
    m.divergence = &div;
    m.restarts = 5;
    ASSERT_EQ(MTC_OK, mtc_mbc(NULL, both, 2, &m, &b));
    for (size_t i = 2; i < N; i++)
        ASSERT_EQ(b.labels[0][i % 2], b.labels[0][i]);
    ASSERT(b.labels[0][0] != b.labels[0][1]);
    mtc_free(NULL, &b.block);
    PASS();
}

/* The nearest of two means, also where these are far from 0. */
TEST lssmtc_assigns_far_samples(void)
{
    const mtc_real far = MTC_EPS < 1e-9 ? (mtc_real)1.7e9 : 40000;
    const mtc_real least = MTC_EPS < 1e-9 ? (mtc_real)0.001 : 1;
    mtc_real x[40], means[2], *of_task = means;
    int labels[40];
    mtc_lssmtc_result model = {.tasks = 1, .clusters = 2, .d = 1,
                               .means = &of_task};
    means[0] = far;
    means[1] = far + 20;
    for (size_t i = 0; i < 40; i++)
        x[i] = far + 10 + (i % 2 == 0 ? -least : least) * (mtc_real)(i / 2 + 1);
    mtc_data X = mtc_dense(40, 1, x);
    ASSERT_EQ(MTC_OK, mtc_lssmtc_assign(NULL, &X, 0, &model, labels));
    for (size_t i = 0; i < 40; i++)
        ASSERT_EQ((int)(i % 2), labels[i]);
    PASS();
}

/* Whether the numbers of two tasks go together does not depend on the unit.
 * Rows of U and V are paired as they were drawn, rows of U and Z by chance. */
TEST a_match_holds_in_any_unit(void)
{
    enum { K = 3, D = 12 };
    mtc_real U[K * D], V[K * D], Z[K * D], scaled[3][K * D];
    const int most = sizeof(mtc_real) == 8 ? 140 : 24;
    mtc_random rng = mtc_random_seed(2);
    for (size_t i = 0; i < K * D; i++) {
        U[i] = mtc_random_normal(&rng);
        V[i] = U[i] + (mtc_real)0.6 * mtc_random_normal(&rng);
    }
    for (size_t i = 0; i < K * D; i++)
        Z[i] = mtc_random_normal(&rng);
    for (int e = -most; e <= most; e += most / 4) {
        mtc_data X[3];
        for (size_t t = 0; t < 3; t++) {
            const mtc_real *from = t == 0 ? U : t == 1 ? V : Z;
            for (size_t i = 0; i < K * D; i++)
                scaled[t][i] = from[i] * power_of_two(e);
            X[t] = mtc_dense(K, D, scaled[t]);
        }
        mtc_mbc_options o = mtc_mbc_defaults();
        mtc_mbc_result r;
        o.clusters = K;
        o.lambda = 0;
        ASSERT_EQ(MTC_OK, mtc_mbc(NULL, X, 3, &o, &r));
        ASSERT(r.matched[1] == 1 && r.matched[2] == 0);
        ASSERT(memcmp(r.labels[0], r.labels[1], K * sizeof(int)) == 0);
        mtc_free(NULL, &r.block);
    }
    PASS();
}

/* The bias is free, so that a regression has the same weights wherever the data
 * are; two sets that lie apart are told apart there, too, and farther away. */
TEST a_regression_does_not_see_the_origin(int csr)
{
    enum { N = 40 };
    const mtc_real far = MTC_EPS < 1e-9 ? 65536 : 64;
    const mtc_real farther = MTC_EPS < 1e-9 ? 1073741824 : 65536;
    const mtc_real near = MTC_EPS < 1e-9 ? (mtc_real)1e-4 : (mtc_real)0.1;
    mtc_real x[N], values[N], W = 0, out;
    size_t row[N + 1];
    uint32_t column[N];
    int y[N], labels[N];
    mtc_random rng = mtc_random_seed(3);
    for (size_t i = 0; i < N; i++) {      /* 10 of class 0, multiples of 1/4 */
        y[i] = i >= 10;
        x[i] = (mtc_real)(1 + mtc_random_below(&rng, 20)) / 4 +
               (i < 10 ? 0 : 9);
    }
    for (int there = 0; there < 2; there++) {
        mtc_logistic_result r;
        mtc_data X = csr ? stage_csr(N, 1, x, row, column, values)
                         : mtc_dense(N, 1, x);
        ASSERT_EQ(MTC_OK, mtc_logistic(NULL, &X, y, NULL, &r));
        ASSERT_EQ(MTC_OK, mtc_logistic_assign(NULL, &X, &r, labels, NULL));
        ASSERT(memcmp(labels, y, sizeof y) == 0);
        ASSERT(there == 0 || MTC_FABS(r.W[1] - W) <= near * MTC_FABS(W));
        W = r.W[1];
        mtc_free(NULL, &r.block);
        for (size_t i = 0; i < N; i++)
            x[i] += there == 0 ? far : farther;
    }
    mtc_data A = mtc_dense(10, 1, x), B = mtc_dense(N - 10, 1, x + 10);
    ASSERT_EQ(MTC_OK, mtc_a_distance(NULL, &A, &B, &out));
    ASSERT(out == 2 || MTC_EPS > 1e-9);  /* rows of length 1: no float has it */
    PASS();
}

/* So far from 0 that few digits are left: no step may lower the objective by
 * what rounding lets be seen, and a search has to give up. */
TEST a_regression_gives_up_where_rounding_rules(void)
{
    enum { N = 14, D = 4 };
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        mtc_real x[N * D], far = 1 / MTC_EPS / 30;
        mtc_logistic_result r;
        int y[N];
        mtc_random rng = mtc_random_seed(seed);
        for (size_t i = 0; i < N; i++) {
            y[i] = i % 2;
            for (size_t e = 0; e < D; e++)
                x[i * D + e] = far + mtc_random_real(&rng) *
                                     (mtc_real)(y[i] ? 1 : .8);
        }
        mtc_data X = mtc_dense(N, D, x);
        ASSERT_EQ(MTC_OK, mtc_logistic(NULL, &X, y, NULL, &r));
        ASSERT(r.objective[r.iterations] <= r.objective[0]);
        for (size_t i = 0; i < r.iterations; i++)
            ASSERT(r.objective[i + 1] <= r.objective[i]);
        mtc_free(NULL, &r.block);
    }
    PASS();
}

/* Many rows of two values, far from 0 beside their difference: sums of them are
 * rounded by more than that.  Means are the values themselves. */
TEST means_of_far_rows_are_exact(void)
{
    enum { N = 2000 };
    static mtc_real x[N], one[N];
    static int z[N], none[N];
    const mtc_real far = MTC_EPS < 1e-9 ? (mtc_real)1.7e15 : 101325;
    const mtc_real step = MTC_EPS < 1e-9 ? 4 : 10;
    mtc_random rng = mtc_random_seed(1);
    mtc_real out;
    for (size_t i = 0; i < N; i++) {
        z[i] = (int)mtc_random_below(&rng, 2);
        x[i] = far + step * (mtc_real)z[i];
        one[i] = far + step;
    }
    mtc_data X = mtc_dense(N, 1, x), all = mtc_dense(N, 1, one);
    mtc_data few = mtc_dense(N / 3, 1, one), both[2] = {X, X};
    ASSERT_EQ(MTC_OK, mtc_partition_emd(NULL, &all, none, 1, &few, none, 1,
                                        NULL, &out));
    ASSERT(out == 0);

    mtc_kmeans_result km;
    ASSERT_EQ(MTC_OK, mtc_kmeans(NULL, &X, NULL, &km));
    ASSERT(km.converged && km.loss == 0);
    for (size_t i = 0; i < N; i++)
        ASSERT(km.centers[km.labels[i]] == x[i]);
    mtc_free(NULL, &km.block);

    mtc_ec_options o = mtc_ec_defaults();
    mtc_ec_result ec;
    o.runs = 1;
    ASSERT_EQ(MTC_OK, mtc_ec(NULL, &X, &o, &ec));
    for (size_t i = 0; i < N; i++)
        ASSERT(ec.ensemble.centers[ec.ensemble.partitions[i]] == x[i]);
    mtc_free(NULL, &ec.block);

    mtc_mbc_options m = mtc_mbc_defaults();
    mtc_mbc_result mbc;
    m.center = 1;
    ASSERT_EQ(MTC_OK, mtc_mbc(NULL, both, 2, &m, &mbc));
    for (size_t i = 0; i < N; i++)
        ASSERT(MTC_FABS(mbc.centers[0][mbc.labels[0][i]] - x[i]) < step / 8);
    mtc_free(NULL, &mbc.block);
    PASS();
}

/* Directions that differ little: 1 - cosine of (1, 0) and (1, t) is t^2/2, and
 * two groups of nearly parallel rows stay apart. */
TEST close_directions_are_told_apart(int csr)
{
    enum { N = 16, D = 3 };
    const mtc_real t = MTC_EPS < 1e-9 ? (mtc_real)1e-9 : (mtc_real)1e-4;
    const mtc_real far = MTC_EPS < 1e-9 ? 10000 : 100;
    mtc_real p[N * 2], x[N * D], key[N], values[N * D];
    const mtc_real q[2] = {3, 0};
    size_t index[N], row[N + 1];
    uint32_t column[N * D];
    mtc_random rng = mtc_random_seed(4);
    for (size_t i = 0; i < N; i++) {
        p[i * 2] = 1;
        p[i * 2 + 1] = t * (mtc_real)(N - i);
        for (size_t e = 0; e < D; e++)
            x[i * D + e] = far * (mtc_real)(e + 1) + (e == i % 2 ? 5 : 0) +
                           mtc_random_real(&rng) / 2;
    }
    mtc_data Q = mtc_dense(1, 2, q);
    mtc_data P = csr ? stage_csr(N, 2, p, row, column, values)
                     : mtc_dense(N, 2, p);
    ASSERT_EQ(MTC_OK, mtc_neighbors(NULL, &P, &Q, N, MTC_DISTANCE_COSINE,
                                    index, key));
    for (size_t i = 0; i < N; i++) {
        double near = (double)t * (double)(i + 1);
        ASSERT_EQ(N - 1 - i, index[i]);
        ASSERT(fabs((double)key[i] - near * near / 2) <= .001 * near * near);
    }
    mtc_data X = csr ? stage_csr(N, D, x, row, column, values)
                     : mtc_dense(N, D, x);
    mtc_consistent_result r;
    ASSERT_EQ(MTC_OK, mtc_consistent(NULL, &X, 1, NULL, &r));
    const mtc_data *M = r.M;
    for (size_t i = 0; i < N; i++)
        for (size_t e = M->row[i]; e < M->row[i + 1]; e++)
            ASSERT_EQ(i % 2, M->column[e] % 2);
    mtc_free(NULL, &r.block);
    PASS();
}

/* Rows of tenths, each about three times; some of their zeros are stored, and
 * tenths are squared with an error.  The answer is that of the same matrix. */
TEST auto_sees_repeated_rows_whose_zeros_are_stored(void)
{
    enum { N = 120, KINDS = 40, D = 6 };
    static mtc_real base[KINDS * D], values[2][N * D];
    static uint32_t column[2][N * D];
    static size_t row[2][N + 1];
    mtc_auto_options o = mtc_auto_defaults();
    mtc_auto_result r[2];
    o.clusters = 3;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        mtc_random rng = mtc_random_seed(seed);
        mtc_data X[2];
        size_t used[2] = {0, 0};
        for (size_t e = 0; e < KINDS * D; e++) {
            size_t tenths = 1 + mtc_random_below(&rng, 10);
            tenths += e % D % 3 == e / D % 3 ? 7 : 0;
            base[e] = mtc_random_below(&rng, 10) < 7 ? (mtc_real)tenths / 10
                                                     : 0;
        }
        for (size_t i = 0; i < N; i++) {
            const mtc_real *x = base + D * mtc_random_below(&rng, KINDS);
            row[0][i] = used[0];
            row[1][i] = used[1];
            for (size_t e = 0; e < D; e++) {
                int zero = mtc_random_below(&rng, 100) < 15;
                for (int s = 0; s < 2; s++)
                    if (x[e] > 0 || (s == 1 && zero)) {
                        column[s][used[s]] = (uint32_t)e;
                        values[s][used[s]++] = x[e];
                    }
            }
        }
        for (int s = 0; s < 2; s++) {
            row[s][N] = used[s];
            X[s] = mtc_csr(N, D, row[s], column[s], values[s]);
            ASSERT_EQ(MTC_OK, mtc_auto(NULL, &X[s], 1, &o, &r[s]));
        }
        ASSERT_EQ(r[0].kept[0], r[1].kept[0]);
        for (size_t i = 0; i < N; i++)
            ASSERT_EQ(r[0].labels[0][i], r[1].labels[0][i]);
        mtc_free(NULL, &r[0].block);
        mtc_free(NULL, &r[1].block);
    }
    PASS();
}

#define ROW_RUN(TEST, ...)                                                \
    do {                                                                  \
        greatest_set_test_suffix(row->name);                              \
        RUN_TESTp(TEST, row, __VA_ARGS__);                                \
    } while (0)

SUITE(moved_suite)
{
    for (size_t r = 0; r < METHOD_ROWS; r++) {
        const method_row *row = &method_rows[r];
        if (row->flags & (NO_DATA | BARE))
            continue;
        for (int csr = 0; csr < 2; csr++) {
            ROW_RUN(the_unit_does_not_matter, csr);
            if (!among(row->name, of_other_data))
                ROW_RUN(larger_units_are_refused, csr);
            ROW_RUN(the_origin_does_not_matter, csr);
            ROW_RUN(a_small_task_is_served_or_refused, csr);
        }
        greatest_set_test_suffix(row->name);
        RUN_TESTp(stored_zeros_do_not_matter, row);
    }
    RUN_TEST(auto_sees_repeated_rows_whose_zeros_are_stored);
    RUN_TEST(lssmtc_says_what_its_factors_leave);
    RUN_TESTp(a_regression_does_not_see_the_origin, 0);
    RUN_TESTp(a_regression_does_not_see_the_origin, 1);
    RUN_TEST(a_regression_gives_up_where_rounding_rules);
    RUN_TEST(means_of_far_rows_are_exact);
    RUN_TESTp(close_directions_are_told_apart, 0);
    RUN_TESTp(close_directions_are_told_apart, 1);
    RUN_TEST(a_match_holds_in_any_unit);
    RUN_TEST(lssmtc_assigns_far_samples);
    RUN_TESTp(divergences_of_close_numbers_are_exact, mtc_kl(), 1);
    RUN_TESTp(divergences_of_close_numbers_are_exact, mtc_itakura_saito(), 0);
    for (int csr = 0; csr < 2; csr++) {
        RUN_TESTp(divergences_tell_far_groups_apart, mtc_kl(), csr);
        RUN_TESTp(divergences_tell_far_groups_apart, mtc_itakura_saito(), csr);
    }
    RUN_TESTp(auto_labels_directions_in_any_unit, 2000);
    RUN_TESTp(auto_labels_directions_in_any_unit, 18);
}
