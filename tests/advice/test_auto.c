/* SPDX-License-Identifier: MIT
 *
 * Guard and auto: what they report is recomputed from their labels, what they
 * keep follows from what they report, and on data made for it sharing is kept
 * where it helps and refused where it cannot.
 */
#include <math.h>

#include "greatest.h"
#include "test_util.h"

enum { MAX_N = 200, MAX_D = 60, WIDE = 200, MAX_T = 3 };

typedef struct auto_problem {
    size_t T, d, k[MAX_T];
    mtc_real x[MAX_T][MAX_N * WIDE], value[MAX_T][MAX_N * MAX_D];
    size_t row[MAX_T][MAX_N + 1];
    uint32_t column[MAX_T][MAX_N * MAX_D];
    int truth[MAX_T][MAX_N];
    mtc_data dense[MAX_T], csr[MAX_T];
} auto_problem;

/* Tasks of counts of words: every class has words of its own, the same in
 * all tasks unless `apart`, where each task has its columns permuted. */
static void auto_text(auto_problem *p, size_t T, size_t n, size_t k,
                      uint64_t seed, size_t length, int apart)
{
    mtc_random r = mtc_random_seed(seed);
    p->T = T;
    p->d = MAX_D;
    for (size_t t = 0; t < T; t++) {
        size_t column[MAX_D];
        p->k[t] = k;
        for (size_t j = 0; j < MAX_D; j++)
            column[j] = j;
        for (size_t j = MAX_D; apart && j > 1; j--) {
            size_t other = mtc_random_below(&r, j), keep = column[j - 1];
            column[j - 1] = column[other];
            column[other] = keep;
        }
        memset(p->x[t], 0, sizeof p->x[t]);
        for (size_t i = 0; i < n; i++) {
            mtc_real *x = p->x[t] + i * MAX_D, square = 0;
            size_t z = (size_t)(p->truth[t][i] = (int)(i % k));
            for (size_t w = 0; w < length; w++) {
                int topical = mtc_random_below(&r, 10) < 4;
                size_t word = topical ? z * 8 + mtc_random_below(&r, 8)
                                      : mtc_random_below(&r, MAX_D);
                x[column[word]] += 1;
            }
            for (size_t j = 0; j < MAX_D; j++)
                square += x[j] * x[j];
            for (size_t j = 0; j < MAX_D; j++)
                x[j] /= (mtc_real)sqrt((double)square);
        }
        test_sparse(n, MAX_D, p->x[t], p->row[t], p->column[t], p->value[t]);
        p->dense[t] = mtc_dense(n, MAX_D, p->x[t]);
        p->csr[t] = mtc_csr(n, MAX_D, p->row[t], p->column[t], p->value[t]);
    }
}

static double auto_ari(size_t n, const int *a, const int *b)
{
    mtc_context ctx = test_context();
    mtc_scores s = {.ari = 0};
    mtc_score(&ctx, n, a, b, &s);
    return (double)s.ari;
}

/* Mean squared distance to the means of the labels, from scratch. */
static double auto_loss(const mtc_data *X, const int *labels, size_t k)
{
    double loss = 0;
    for (size_t z = 0; z < k; z++)
        for (size_t j = 0; j < X->d; j++) {
            double sum = 0, square = 0, count = 0;
            for (size_t i = 0; i < X->n; i++)
                if (labels[i] == (int)z) {
                    double x = (double)X->values[i * X->d + j];
                    sum += x;
                    square += x * x;
                    count += 1;
                }
            loss += count > 0 ? square - sum * sum / count : 0;
        }
    return loss / (double)X->n;
}

/* ---- guard --------------------------------------------------------------- */

static const char *guard_report_is_wrong(const auto_problem *p,
                                         const mtc_guard_options *o,
                                         const mtc_guard_result *r)
{
    for (size_t t = 0; t < p->T; t++) {
        size_t n = p->dense[t].n, k = p->k[t];
        const int *kept = r->kept[t] ? r->shared[t] : r->single[t];
        double margin = o->method == MTC_GUARD_MBC ? 0.025 : 0.1;
        int better = (double)(r->stability_shared[t] -
                              r->stability_single[t]) > margin;
        if (fabs(auto_ari(n, r->single[t], r->shared[t]) -
                 (double)r->agreement[t]) > (double)TOL(1e-12))
            return "agreement";
        if (fabs(auto_loss(&p->dense[t], r->single[t], k) -
                 (double)r->loss_single[t]) > (double)TOL(1e-10) ||
            fabs(auto_loss(&p->dense[t], r->shared[t], k) -
                 (double)r->loss_shared[t]) > (double)TOL(1e-10))
            return "loss";
        if (r->stability_single[t] > 1 || r->stability_shared[t] > 1)
            return "stability";
        if (r->kept[t] != better)
            return "kept";
        if (memcmp(kept, r->labels[t], n * sizeof *kept) != 0)
            return "labels";
    }
    return NULL;
}

TEST guard_keeps_what_it_found_more_stable(mtc_guard_method method)
{
    static auto_problem p;
    mtc_context ctx = test_context();
    for (uint64_t seed = 1; seed <= 3; seed++) {
        mtc_guard_options o = mtc_guard_defaults();
        mtc_guard_result dense, csr;
        auto_text(&p, 2, 60, 3, seed, 9, 0);
        o.method = method;
        o.clusters = 3;
        o.runs = 5;
        ASSERT_EQ(MTC_OK, mtc_guard(&ctx, p.dense, 2, &o, &dense));
        ASSERT_EQ(MTC_OK, mtc_guard(&ctx, p.csr, 2, &o, &csr));
        const char *wrong = guard_report_is_wrong(&p, &o, &dense);
        ASSERTm(wrong, wrong == NULL);
        wrong = guard_report_is_wrong(&p, &o, &csr);
        ASSERTm(wrong, wrong == NULL);
        for (size_t t = 0; t < 2; t++)
            ASSERT(dense.stability_single[t] >= (mtc_real)-0.5);
        mtc_free(&ctx, &dense.block);
        mtc_free(&ctx, &csr.block);
    }
    PASS();
}

static int auto_stop(void *stage, const char *now, size_t done, size_t total)
{
    (void)done;
    (void)total;
    return strcmp((const char *)stage, now) == 0;
}

/* The methods within report as they do outside, to the caller's callback. */
TEST guard_and_auto_are_cancelled_within_their_methods(void)
{
    static auto_problem p;
    static char stage[2][16] = {"mbc", "lssmtc"};
    static const mtc_guard_method method[2] = {MTC_GUARD_MBC,
                                               MTC_GUARD_LSSMTC};
    auto_text(&p, 2, 40, 3, 1, 9, 0);
    for (size_t m = 0; m < 2; m++) {
        mtc_context ctx = test_context();
        mtc_guard_options o = mtc_guard_defaults();
        mtc_guard_result r;
        mtc_auto_options all = mtc_auto_defaults();
        mtc_auto_result vote;
        ctx.progress = auto_stop;
        ctx.user = stage[m];
        o.method = method[m];
        o.clusters = all.clusters = 3;
        o.runs = all.runs = 2;
        ASSERT_EQ(MTC_CANCELLED, mtc_guard(&ctx, p.csr, 2, &o, &r));
        if (m == 0)
            ASSERT_EQ(MTC_CANCELLED, mtc_auto(&ctx, p.csr, 2, &all, &vote));
    }
    PASS();
}

/* Small tasks of one population gain by sharing; with the columns of each
 * permuted there is nothing to share, and the guard has to notice. */
TEST guard_tells_related_tasks_from_others(void)
{
    static auto_problem p;
    mtc_context ctx = test_context();
    double loss = 0, gain = 0;
    int kept[2] = {0, 0};
    for (uint64_t seed = 1; seed <= 10; seed++)
        for (int apart = 0; apart < 2; apart++) {
            mtc_guard_options o = mtc_guard_defaults();
            mtc_guard_result r;
            auto_text(&p, 3, 50, 4, seed, 10, apart);
            o.clusters = 4;
            ASSERT_EQ(MTC_OK, mtc_guard(&ctx, p.csr, 3, &o, &r));
            for (size_t t = 0; t < 3; t++) {
                double d = auto_ari(50, p.truth[t], r.labels[t]) -
                           auto_ari(50, p.truth[t], r.single[t]);
                kept[apart] += r.kept[t];
                if (apart)
                    loss -= d / 30;
                else
                    gain += d / 30;
            }
            mtc_free(&ctx, &r.block);
        }
    ASSERT(kept[0] > kept[1]);
    ASSERT(gain > 0.02);
    ASSERT(loss < 0.01);
    PASS();
}

/* Two clusters of 40 % and four of 5 % each, which the vote of all runs of
 * k-means misses: A is as good as the best of ten by loss. */
TEST guard_alone_is_the_vote_of_the_runs_of_low_loss(void)
{
    enum { N = 400, D = 8, SEEDS = 5 };
    static mtc_real x[2][N * D];
    static int truth[N];
    double alone = 0, best = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        mtc_context ctx = test_context();
        mtc_data X[2];
        mtc_guard_options o = mtc_guard_defaults();
        mtc_guard_result r;
        mtc_scores s;
        for (size_t t = 0; t < 2; t++) {
            mtc_random rng = mtc_random_seed(2 * seed + t);
            for (size_t i = 0; i < N * D; i++) {
                size_t a = i / D;
                truth[a] = a < 160 ? 0 : a < 320 ? 1 : (int)(a - 280) / 20;
                x[t][i] = ((int)(i % D) == truth[a] ? 5 : 0) +
                          mtc_random_normal(&rng);
            }
            X[t] = mtc_dense(N, D, x[t]);
        }
        o.clusters = 6;
        ASSERT_EQ(MTC_OK, mtc_guard(&ctx, X, 2, &o, &r));
        for (size_t t = 0; t < 2; t++) {
            mtc_kmeans_options ko = mtc_kmeans_defaults();
            mtc_kmeans_result km;
            ko.clusters = 6;
            ASSERT_EQ(MTC_OK, mtc_score(&ctx, N, truth, r.single[t], &s));
            alone += (double)s.nmi / (2 * SEEDS);
            ASSERT_EQ(MTC_OK, mtc_kmeans(&ctx, &X[t], &ko, &km));
            ASSERT_EQ(MTC_OK, mtc_score(&ctx, N, truth, km.labels, &s));
            best += (double)s.nmi / (2 * SEEDS);
            mtc_free(&ctx, &km.block);
        }
        mtc_free(&ctx, &r.block);
    }
    ASSERT(alone > best - 0.01);
    PASS();
}

TEST guard_without_samples_for_folds_keeps_the_tasks_alone(void)
{
    static auto_problem p;
    mtc_context ctx = test_context();
    mtc_guard_options o = mtc_guard_defaults();
    mtc_guard_result r;
    auto_text(&p, 2, 29, 3, 5, 9, 0);           /* 29 < 10 * 3 */
    o.clusters = 3;
    ASSERT_EQ(MTC_OK, mtc_guard(&ctx, p.dense, 2, &o, &r));
    for (size_t t = 0; t < 2; t++) {
        ASSERT_EQ(0, r.kept[t]);
        ASSERT_EQ(-1, r.stability_single[t]);
        ASSERT_MEM_EQ(r.single[t], r.labels[t], 29 * sizeof(int));
    }
    mtc_free(&ctx, &r.block);
    ASSERT_EQ(MTC_OK, mtc_guard(&ctx, p.dense, 1, &o, &r));    /* T = 1 */
    ASSERT_EQ(0, r.kept[0]);
    mtc_free(&ctx, &r.block);
    PASS();
}

/* Enough samples for folds but no other task: there is nothing to test, and
 * what the memory held before is not taken for labels. */
TEST guard_of_one_task_measures_nothing(void)
{
    static auto_problem p;
    test_heap heap;                         /* its blocks hold no zeros */
    mtc_context ctx = test_heap_context(&heap);
    mtc_guard_options o = mtc_guard_defaults();
    mtc_guard_result r;
    auto_text(&p, 1, 80, 3, 5, 20, 0);
    o.clusters = 3;
    o.runs = 3;
    ASSERT_EQ(MTC_OK, mtc_guard(&ctx, p.dense, 1, &o, &r));
    ASSERT_EQ(0, r.kept[0]);
    ASSERT_EQ(-1, r.stability_single[0]);
    ASSERT_EQ(-1, r.stability_shared[0]);
    ASSERT_MEM_EQ(r.single[0], r.labels[0], 80 * sizeof(int));
    mtc_free(&ctx, &r.block);
    PASS();
}

TEST guard_takes_a_divergence_and_unequal_numbers_of_clusters(void)
{
    static auto_problem p;
    mtc_context ctx = test_context();
    mtc_guard_options o = mtc_guard_defaults();
    mtc_mbc_options mbc = mtc_mbc_defaults();
    mtc_divergence kl = mtc_kl();
    mtc_guard_result r;
    size_t k[2] = {3, 4};
    auto_text(&p, 2, 60, 3, 8, 30, 0);
    mbc.divergence = &kl;
    mbc.smooth = (mtc_real)0.01;
    mbc.iterations = 20;
    o.mbc = &mbc;
    o.clusters_of = k;
    o.runs = 4;
    ASSERT_EQ(MTC_OK, mtc_guard(&ctx, p.csr, 2, &o, &r));
    ASSERT(auto_ari(60, p.truth[0], r.labels[0]) > 0.8);
    ASSERT(r.stability_single[0] > (mtc_real)0.5);
    ASSERT_EQ(4, r.clusters[1]);
    mtc_free(&ctx, &r.block);
    mbc.smooth = 0;                             /* zeros are outside kl */
    ASSERT_EQ(MTC_DOMAIN, mtc_guard(&ctx, p.csr, 2, &o, &r));
    o.method = MTC_GUARD_LSSMTC;
    ASSERT_EQ(MTC_INVALID, mtc_guard(&ctx, p.csr, 2, &o, &r));
    PASS();
}

TEST bad_guards_are_refused(void)
{
    static auto_problem p;
    mtc_context ctx = test_context();
    mtc_guard_result r;
    auto_text(&p, 2, 30, 3, 1, 9, 0);
    for (int bad = 0; bad < 7; bad++) {
        mtc_guard_options o = mtc_guard_defaults();
        o.method = bad == 0 ? (mtc_guard_method)9 : o.method;
        o.method = bad == 1 ? (mtc_guard_method)2 : o.method;  /* MTCFIR's */
        o.runs = bad == 2 ? 1 : o.runs;
        o.folds = bad == 3 ? 1 : o.folds;
        o.margin = bad == 4 ? TEST_MAX * 2 : o.margin;
        o.clusters = bad == 5 ? 0 : bad == 6 ? 31 : o.clusters;
        ASSERT_EQ(MTC_INVALID, mtc_guard(&ctx, p.dense, 2, &o, &r));
    }
    PASS();
}

TEST no_options_are_the_defaults(void)
{
    static auto_problem p;
    mtc_context ctx = test_context();
    mtc_guard_options go = mtc_guard_defaults();
    mtc_auto_options ao = mtc_auto_defaults();
    mtc_guard_result g[2];
    mtc_auto_result a[2];
    auto_text(&p, 2, 30, 2, 1, 9, 0);
    for (int given = 0; given < 2; given++) {
        ASSERT_EQ(MTC_OK, mtc_guard(&ctx, p.dense, 2, given ? &go : NULL,
                                    &g[given]));
        ASSERT_EQ(MTC_OK, mtc_auto(&ctx, p.dense, 2, given ? &ao : NULL,
                                   &a[given]));
    }
    for (size_t t = 0; t < 2; t++) {
        ASSERT_MEM_EQ(g[0].labels[t], g[1].labels[t], 30 * sizeof(int));
        ASSERT_MEM_EQ(a[0].labels[t], a[1].labels[t], 30 * sizeof(int));
    }
    for (int i = 0; i < 2; i++) {
        mtc_free(&ctx, &g[i].block);
        mtc_free(&ctx, &a[i].block);
    }
    PASS();
}

/* The starts are the guard's own: those in a method's options, here of labels
 * that there are not, are not looked at. */
TEST guard_takes_no_start_from_the_options_of_its_method(void)
{
    static auto_problem p;
    int none[40];
    const int *start[2] = {none, none};
    mtc_context ctx = test_context();
    mtc_mbc_options mbc = mtc_mbc_defaults();
    mtc_lssmtc_options lss = mtc_lssmtc_defaults();
    auto_text(&p, 2, 40, 3, 1, 9, 0);
    for (size_t i = 0; i < 40; i++)
        none[i] = 99;
    for (int method = 0; method < 2; method++) {
        mtc_guard_result r[2];
        for (int given = 0; given < 2; given++) {
            mtc_guard_options o = mtc_guard_defaults();
            o.method = method == 0 ? MTC_GUARD_MBC : MTC_GUARD_LSSMTC;
            o.clusters = 3;
            o.runs = 2;
            o.mbc = &mbc;
            o.lssmtc = &lss;
            mbc.start_labels = given ? start : NULL;
            lss.start_labels = mbc.start_labels;
            ASSERT_EQ(MTC_OK, mtc_guard(&ctx, p.csr, 2, &o, &r[given]));
        }
        for (size_t t = 0; t < 2; t++)
            ASSERT_EQ(0, memcmp(r[0].shared[t], r[1].shared[t], sizeof none));
        mtc_free(&ctx, &r[0].block);
        mtc_free(&ctx, &r[1].block);
    }
    PASS();
}

TEST bad_options_of_the_guarded_method_are_refused_at_once(void)
{
    static auto_problem p;
    test_heap heap;
    mtc_context ctx = test_heap_context(&heap);
    mtc_guard_result r;
    mtc_divergence kl = mtc_kl();
    auto_text(&p, 2, 30, 3, 1, 9, 0);
    for (int bad = 0; bad < 4; bad++) {
        mtc_guard_options o = mtc_guard_defaults();
        mtc_mbc_options mbc = mtc_mbc_defaults();
        mtc_lssmtc_options lss = mtc_lssmtc_defaults();
        o.clusters = 3;
        o.method = bad < 2 ? MTC_GUARD_MBC : MTC_GUARD_LSSMTC;
        mbc.lambda = bad == 0 ? -1 : mbc.lambda;
        mbc.divergence = bad == 1 ? &kl : NULL;     /* there are zeros */
        lss.lambda = bad == 2 ? 2 : lss.lambda;
        lss.offset = bad == 3 ? -1 : lss.offset;
        o.mbc = &mbc;
        o.lssmtc = &lss;
        ASSERT_EQ(bad == 1 ? MTC_DOMAIN : MTC_INVALID,
                  mtc_guard(&ctx, p.dense, 2, &o, &r));
        ASSERT_EQ(0, heap.calls);
    }
    PASS();
}

/* ---- auto ----------------------------------------------------------------- */

static double auto_mean(const mtc_real *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (double)x[i] / (double)n;
    return sum;
}

TEST auto_finds_the_classes_and_reports_its_families(void)
{
    static const char *const names[] = {"spec", "own", "lsa", "lsaJ", "mbc",
                                        "lss"};
    static auto_problem p;
    mtc_context ctx = test_context();
    mtc_auto_options o = mtc_auto_defaults();
    mtc_auto_result dense, csr;
    auto_text(&p, 2, 80, 3, 4, 40, 0);
    o.clusters = 3;
    o.runs = 4;
    o.geometry = MTC_GEOMETRY_DIRECTIONS;
    ASSERT_EQ(MTC_OK, mtc_auto(&ctx, p.dense, 2, &o, &dense));
    ASSERT_EQ(MTC_OK, mtc_auto(&ctx, p.csr, 2, &o, &csr));
    ASSERT_EQ(6u, dense.families);
    for (size_t f = 0; f < dense.families; f++)
        ASSERT_STR_EQ(names[f], dense.name[f]);
    for (size_t t = 0; t < 2; t++) {
        ASSERT(auto_ari(80, p.truth[t], dense.labels[t]) > 0.9);
        ASSERT(auto_ari(80, csr.labels[t], dense.labels[t]) > 0.99);
        ASSERT_IN_RANGE(auto_mean(dense.by_family + t * dense.families,
                                  dense.families),
                        (double)dense.agreement[t], (double)TOL(1e-12));
        ASSERT(dense.agreement[t] > (mtc_real)0.7);
        ASSERT_EQ(3, dense.k_effective[t]);
        for (size_t z = 0; z < 3; z++) {        /* directions */
            double square = 0;
            for (size_t e = 0; e < MAX_D; e++)
                square += pow((double)dense.centers[t][z * MAX_D + e], 2);
            ASSERT_IN_RANGE(1, square, (double)TOL(1e-12));
        }
    }
    int again[80];
    ASSERT_EQ(MTC_OK, mtc_auto_assign(&ctx, &p.csr[0], 0, &dense, again));
    ASSERT(auto_ari(80, again, dense.labels[0]) > 0.9);
    ASSERT_EQ(MTC_INVALID, mtc_auto_assign(&ctx, &p.csr[0], 2, &dense, again));
    mtc_free(&ctx, &dense.block);
    mtc_free(&ctx, &csr.block);
    PASS();
}

/* One task has nobody to share with; numbers of clusters may differ, and 1 is
 * one of them. */
TEST auto_has_families_for_every_case(void)
{
    static const char *const names[4][4] = {
        {0}, {"kmeans spec own lsa lsaJ ", "spec own lsa lsaJ mbc lss ",
              "spec own lsa lsaJ mbc "},
        {"own kmeans pca gauss ", "own kmeans mbcC pcaJ gauss ",
         "own kmeans mbcC pcaJ gauss "},
        {"kmeans pca gauss knn ownD ", "kmeans mbcC pcaJ gauss knn ownD ",
         "kmeans mbcC pcaJ gauss knn ownD "}};
    static auto_problem p;
    const size_t k[3] = {3, 4, 1};
    mtc_context ctx = test_context();
    auto_text(&p, 3, 60, 3, 7, 40, 0);
    for (int g = 1; g <= 3; g++)
        for (int kind = 0; kind < 3; kind++) {
            mtc_auto_options o = mtc_auto_defaults();
            mtc_auto_result r;
            char found[99] = "";
            o.geometry = (mtc_geometry)g;
            o.clusters = 3;
            o.clusters_of = kind == 2 ? k : NULL;
            o.runs = 3;
            ASSERT_EQ(MTC_OK, mtc_auto(&ctx, p.csr, kind == 0 ? 1 : 3, &o, &r));
            ASSERT_EQ(g, (int)r.geometry);
            for (size_t f = 0; f < r.families; f++)
                strcat(strcat(found, r.name[f]), " ");
            ASSERT_STR_EQ(names[g][kind], found);
            ASSERT(auto_ari(60, p.truth[0], r.labels[0]) > 0.7);
            for (size_t i = 0; i < 60 && kind == 2; i++) {
                ASSERT(r.labels[1][i] >= 0 && r.labels[1][i] < 4);
                ASSERT_EQ(0, r.labels[2][i]);
            }
            mtc_free(&ctx, &r.block);
        }
    PASS();
}

/* ---- kinds of data -------------------------------------------------------- */

typedef enum kind {
    DIAGONAL, TIERS, MOONS, OVERLAP, SPARSE_SIZES, SPARSE_PROFILES
} kind;

static double draw_normal(mtc_random *r)
{
    return (double)mtc_random_normal(r);
}

static double draw_count(mtc_random *r, double rate)  /* Poisson */
{
    double level = exp(-rate), product = 1;
    int count = -1;
    do {
        product *= (double)mtc_random_real(r);
        count++;
    } while (product > level);
    return count;
}

/* Two tasks of one population, in dense form. */
static void auto_make(auto_problem *p, kind what, uint64_t seed)
{
    static const size_t rows[] = {150, 180, 200, 160, 150, 160};
    static const size_t width[] = {2, 3, 2, 5, 200, 200};
    static const size_t classes[] = {3, 3, 2, 4, 3, 4};
    static const double tier[3][3] = {{2, 20, 40}, {8, 45, 300},
                                      {25, 90, 2000}};
    mtc_random r = mtc_random_seed(1000 * seed + (uint64_t)what);
    size_t n = rows[what], d = width[what];
    double center[4][WIDE];
    p->T = 2;
    p->d = d;
    for (size_t z = 0; z < 4; z++)
        for (size_t j = 0; j < d; j++)
            center[z][j] = what == OVERLAP ? 1.25 * draw_normal(&r)
                           : what == DIAGONAL ? 10 + 14.14 * (double)z
                           : 0.5 * pow(draw_normal(&r), 2); /* a gamma's */
    for (size_t t = 0; t < 2; t++) {
        p->k[t] = classes[what];
        for (size_t i = 0; i < n; i++) {
            size_t z = i % classes[what];
            double a = 3.14159265 * (double)mtc_random_real(&r);
            double length = exp(0.6 * draw_normal(&r));
            p->truth[t][i] = (int)z;
            for (size_t j = 0; j < d; j++) {
                double x = center[z][j] + draw_normal(&r);
                if (what == TIERS)
                    x = tier[z][j] * exp(0.25 * draw_normal(&r));
                if (what == MOONS)
                    x = (j == 0 ? z == 0 ? cos(a) : 1 - cos(a)
                         : z == 0 ? sin(a) : 0.5 - sin(a)) +
                        0.08 * draw_normal(&r);
                if (what == SPARSE_SIZES)
                    x = draw_count(&r, (z == 0 ? 0.02 : z == 1 ? 0.1 : 0.35) *
                                       center[0][j]);
                if (what == SPARSE_PROFILES)
                    x = draw_count(&r, 0.15 * length * center[z][j]);
                p->x[t][i * d + j] = (mtc_real)x;
            }
        }
        p->dense[t] = mtc_dense(n, d, p->x[t]);
    }
}

static double auto_nmi(size_t n, const int *a, const int *b)
{
    mtc_context ctx = test_context();
    mtc_scores s = {.nmi = 0};
    mtc_score(&ctx, n, a, b, &s);
    return (double)s.nmi;
}

/* Means over seeds: NMI of auto and of k-means, share of tasks not by A;
 * -1 where a geometry is not the one expected. */
static void auto_try(kind what, mtc_geometry expected, double *found,
                     double *plain, double *graph)
{
    static auto_problem p;
    const uint64_t seeds = what == OVERLAP ? 40 : what == MOONS ? 8
                           : what < SPARSE_SIZES ? 5 : 3;
    *found = *plain = *graph = 0;
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        mtc_context ctx = test_context();
        mtc_auto_options o = mtc_auto_defaults();
        mtc_auto_result r;
        auto_make(&p, what, seed);
        ctx.seed = seed;
        o.clusters = p.k[0];
        if (mtc_auto(&ctx, p.dense, 2, &o, &r) != MTC_OK)
            return;
        for (size_t t = 0; t < 2; t++) {
            size_t n = p.dense[t].n;
            mtc_kmeans_options ko = mtc_kmeans_defaults();
            mtc_kmeans_result km;
            ko.clusters = p.k[0];
            mtc_kmeans(&ctx, &p.dense[t], &ko, &km);
            *found += auto_nmi(n, p.truth[t], r.labels[t]) / (double)(2 * seeds);
            *plain += auto_nmi(n, p.truth[t], km.labels) / (double)(2 * seeds);
            *graph += (r.kept[t] > 0) / (double)(2 * seeds);
            mtc_free(&ctx, &km.block);
        }
        if (r.geometry != expected)
            *found = -99;
        mtc_free(&ctx, &r.block);
    }
}

/* Levels are those of the method's description, not of this program. */
TEST auto_serves_clusters_that_differ_in_place_size_or_shape(void)
{
    double found, plain, graph;
    auto_try(DIAGONAL, MTC_GEOMETRY_DISTANCES, &found, &plain, &graph);
    ASSERT(found >= 0.95);
    auto_try(TIERS, MTC_GEOMETRY_DISTANCES, &found, &plain, &graph);
    ASSERT(found >= 0.95);
    ASSERT(plain < 0.8);
    auto_try(MOONS, MTC_GEOMETRY_DISTANCES, &found, &plain, &graph);
    ASSERT(found >= 0.75);
    ASSERT(plain < 0.4);
    auto_try(OVERLAP, MTC_GEOMETRY_DISTANCES, &found, &plain, &graph);
    ASSERT(found >= plain - 0.01);
    ASSERT(graph <= 0.05);                      /* of 80 tasks */
    PASS();
}

TEST auto_tells_sizes_from_directions(void)
{
    double found, plain, graph;
    auto_try(SPARSE_SIZES, MTC_GEOMETRY_SIZES, &found, &plain, &graph);
    ASSERT(found >= plain - 0.01);
    auto_try(SPARSE_PROFILES, MTC_GEOMETRY_DIRECTIONS, &found, &plain, &graph);
    ASSERT(found >= 0.8);
    PASS();
}

/* Unit, order of features, origin: nothing that the clusters depend on. */
TEST auto_does_not_see_units_order_or_origin(void)
{
    static auto_problem p, q;
    static const kind kinds[3] = {MOONS, OVERLAP, TIERS};
    for (size_t i = 0; i < 3; i++) {
        mtc_context ctx = test_context();
        mtc_auto_options o = mtc_auto_defaults();
        mtc_auto_result r[4];
        for (int change = 0; change < 4; change++) {
            auto_make(&p, kinds[i], 3);
            q = p;
            size_t d = p.d;
            for (size_t t = 0; t < 2; t++) {
                for (size_t e = 0; e < p.dense[t].n * d; e++) {
                    size_t from = e / d * d + (d - 1 - e % d);
                    q.x[t][e] = change == 1 ? 1024 * p.x[t][e]
                                : change == 2 ? p.x[t][from]
                                : change == 3 ? 64 + p.x[t][e] : p.x[t][e];
                }
                q.dense[t] = mtc_dense(p.dense[t].n, d, q.x[t]);
            }
            o.clusters = p.k[0];
            ASSERT_EQ(MTC_OK, mtc_auto(&ctx, q.dense, 2, &o, &r[change]));
        }
        for (int change = 1; change < 4; change++)
            for (size_t t = 0; t < 2; t++) {
                ASSERT_EQ(r[0].kept[t], r[change].kept[t]);
                ASSERT(auto_ari(p.dense[t].n, r[0].labels[t],
                                r[change].labels[t]) > 0.97);
            }
        for (int change = 0; change < 4; change++)
            mtc_free(&ctx, &r[change].block);
    }
    PASS();
}

/* Equal rows, few rows, rows of zeros, a feature that never varies. */
TEST auto_serves_what_is_hardly_data(void)
{
    mtc_real x[2][40];
    for (int what = 0; what < 6; what++)
        for (int g = 0; g <= 3; g++) {
            test_heap heap;
            mtc_context ctx = test_heap_context(&heap);
            mtc_auto_options o = mtc_auto_defaults();
            mtc_auto_result r;
            size_t n = what == 0 ? 11 : what == 1 ? 2 : what == 2 ? 10 : 20;
            mtc_data X[2] = {mtc_dense(n, 2, x[0]), mtc_dense(n, 2, x[1])};
            for (size_t e = 0; e < 40; e++)
                x[0][e] = x[1][e] = what == 3 ? 7 : what == 4 ? 0
                    : what == 5 && e % 2 ? 1
                    : (mtc_real)(e / 2 % 2 ? 50 + e % 7 : e % 5);
            o.runs = 3;
            o.geometry = (mtc_geometry)g;
            for (size_t T = 1; T <= 2; T++) {
                ASSERT_EQ(MTC_OK, mtc_auto(&ctx, X, T, &o, &r));
                ASSERT(what != 4 || g != 0 || r.zeros == 1);
                for (size_t i = 0; i < n && g == 0 && what != 4; i++)
                    if (what == 3)
                        ASSERT_EQ(r.labels[0][0], r.labels[0][i]);
                    else
                        ASSERT_EQ(r.labels[0][i % 2], r.labels[0][i]);
                ASSERT_EQ(what == 3 || what == 4 ? r.k_effective[0] : 2,
                          r.k_effective[0]);
                mtc_free(&ctx, &r.block);
            }
            ASSERT(heap.live == 0 && heap.faults == 0);
        }
    PASS();
}

/* Three arms of a spiral, which no center and no cut of near neighbors finds;
 * and the same rows in another order: the same clusters. */
TEST auto_takes_the_tree_for_spirals_in_any_order(void)
{
    enum { N = 300 };
    static mtc_real x[2][N * 2];
    static int truth[2][N];
    mtc_context ctx = test_context();
    for (size_t i = 0; i < N; i++) {
        double a = 1 + 7 * (double)(i / 3) / (N / 3), arm = 2.0944;
        for (size_t order = 0; order < 2; order++) {
            size_t at = order == 0 ? i : i * 7 % N;
            truth[order][at] = (int)(i % 3);
            x[order][2 * at] = (mtc_real)(a * cos(a + arm * (double)(i % 3)));
            x[order][2 * at + 1] =
                (mtc_real)(a * sin(a + arm * (double)(i % 3)));
        }
    }
    for (size_t order = 0; order < 2; order++) {
        mtc_data X = mtc_dense(N, 2, x[order]);
        mtc_auto_options o = mtc_auto_defaults();
        mtc_auto_result r;
        o.clusters = 3;
        ASSERT_EQ(MTC_OK, mtc_auto(&ctx, &X, 1, &o, &r));
        ASSERT(r.kept[0] > 1);
        ASSERT_IN_RANGE(1, auto_ari(N, truth[order], r.labels[0]), 1e-12);
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

/* Ten binary columns, answers from 1 to 5, blobs in whole numbers: heaps of
 * equal rows must not be taken for clusters. */
TEST auto_serves_repeated_rows_as_kmeans_does(void)
{
    enum { N = 180, D = 10, SEEDS = 4 };
    static mtc_real x[N * D];
    static int truth[N];
    for (int what = 0; what < 3; what++) {
        double found = 0, plain = 0;
        size_t d = what == 0 ? 10 : what == 1 ? 6 : 2;
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            mtc_random rng = mtc_random_seed(seed);
            mtc_context ctx = test_context();
            mtc_data X = mtc_dense(N, d, x);
            mtc_auto_options o = mtc_auto_defaults();
            mtc_auto_result r;
            mtc_kmeans_options ko = mtc_kmeans_defaults();
            mtc_kmeans_result km;
            for (size_t i = 0; i < N; i++)
                for (size_t e = 0; e < d; e++) {
                    size_t z = (size_t)(truth[i] = (int)(i % 3));
                    double noise = draw_normal(&rng);
                    double high = (e / 2 + z) % 3 == 0 ? 0.9 : 0.1;
                    x[i * d + e] = what == 0
                        ? (double)mtc_random_real(&rng) < high
                        : (mtc_real)floor(
                              what == 1 ? fmin(5, fmax(1, 1.9 + 1.5 * (double)
                                              ((z + e) % 3) + 0.7 * noise))
                                        : 3 * (double)((z + e) % 3) + noise);
                }
            o.clusters = ko.clusters = 3;
            ASSERT_EQ(MTC_OK, mtc_auto(&ctx, &X, 1, &o, &r));
            ASSERT_EQ(MTC_OK, mtc_kmeans(&ctx, &X, &ko, &km));
            found += auto_ari(N, truth, r.labels[0]) / SEEDS;
            plain += auto_ari(N, truth, km.labels) / SEEDS;
            mtc_free(&ctx, &r.block);
            mtc_free(&ctx, &km.block);
        }
        ASSERT(found >= plain - 0.03);
        ASSERT(plain > 0.6);                    /* there are clusters */
    }
    PASS();
}

/* With k + 6 kinds of rows there are candidates, with fewer only A; with fewer
 * than k some clusters stay empty. */
TEST auto_needs_some_kinds_of_rows_to_choose(void)
{
    mtc_real x[60];
    mtc_context ctx = test_context();
    for (size_t kinds = 1; kinds <= 12; kinds++) {
        mtc_data X = mtc_dense(60, 1, x);
        mtc_auto_options o = mtc_auto_defaults();
        mtc_auto_result r;
        for (size_t i = 0; i < 60; i++)
            x[i] = (mtc_real)(1 + i % kinds * (i % kinds));
        o.clusters = 3;
        o.runs = 2;
        ASSERT_EQ(MTC_OK, mtc_auto(&ctx, &X, 1, &o, &r));
        for (size_t i = kinds; i < 60; i++)     /* equal rows stay together */
            ASSERT_EQ(r.labels[0][i - kinds], r.labels[0][i]);
        ASSERT_EQ(kinds < 3 ? kinds : 3, r.k_effective[0]);
        ASSERT_EQ(kinds >= 9, r.candidate[0].score > 0);
        ASSERT_EQ(kinds >= 9, r.by_family[3] > -1);     /* knn */
        if (kinds < 9)
            ASSERT_EQ(0, r.kept[0]);
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

/* Where the graph is kept, whoever did not vote goes with the nearest voter. */
TEST auto_follows_the_shape_in_large_tasks(void)
{
    static mtc_real x[1200];
    static int truth[600];
    mtc_random r = mtc_random_seed(5);
    mtc_context ctx = test_context();
    mtc_data X = mtc_dense(600, 2, x);
    mtc_auto_options o = mtc_auto_defaults();
    mtc_auto_result res;
    for (size_t i = 0; i < 600; i++) {          /* a ring around a disc */
        double a = 6.2831853 * (double)mtc_random_real(&r);
        double radius = i % 2 ? 3 : (double)mtc_random_real(&r);
        truth[i] = (int)(i % 2);
        x[2 * i] = (mtc_real)(radius * cos(a));
        x[2 * i + 1] = (mtc_real)(radius * sin(a));
    }
    o.sample = 200;
    ASSERT_EQ(MTC_OK, mtc_auto(&ctx, &X, 1, &o, &res));
    ASSERT(res.kept[0] > 0);
    const mtc_judged *kept = &res.candidate[res.kept[0]];
    ASSERT(kept->edges < res.candidate[0].edges);
    ASSERT(kept->score > res.candidate[0].score + res.margin[0]);
    ASSERT(res.agreement_kept[0] < (mtc_real)0.5);
    ASSERT(auto_ari(600, truth, res.labels[0]) > 0.95);
    mtc_free(&ctx, &res.block);
    PASS();
}

/* More samples than the limit: some vote, spread over all; the others go to
 * the nearest mean. */
TEST auto_samples_large_tasks(void)
{
    static auto_problem p;
    mtc_context ctx = test_context();
    for (int csr = 0; csr < 2; csr++) {
        mtc_auto_options o = mtc_auto_defaults();
        mtc_auto_result r;
        const mtc_data *X = csr ? p.csr : p.dense;
        auto_text(&p, 2, 150, 3, 9, 40, 0);
        o.clusters = 3;
        o.sample = 60;
        o.geometry = MTC_GEOMETRY_SIZES;
        ASSERT_EQ(MTC_OK, mtc_auto(&ctx, X, 2, &o, &r));
        for (size_t t = 0; t < 2; t++) {
            int nearest[150], differ = 0;
            ASSERT(auto_ari(150, p.truth[t], r.labels[t]) > 0.8);
            ASSERT_EQ(MTC_OK, mtc_auto_assign(&ctx, &X[t], t, &r, nearest));
            for (size_t i = 0; i < 150; i++)
                differ += nearest[i] != r.labels[t][i];
            ASSERT(differ <= 60);               /* voters alone may */
        }
        mtc_free(&ctx, &r.block);
        o.sample = 2;                           /* fewer than clusters */
        ASSERT_EQ(MTC_INVALID, mtc_auto(&ctx, X, 2, &o, &r));
    }
    PASS();
}

/* Memory of a sampled task does not grow with the square of its samples. */
TEST auto_memory_is_linear_in_large_tasks(void)
{
    static size_t row[100001];
    size_t peak[2], n[2] = {5001, 100000};
    mtc_auto_options o = mtc_auto_defaults();
    mtc_auto_result r;
    o.sample = 50;
    for (size_t i = 0; i < 2; i++) {
        test_heap heap;
        mtc_context ctx = test_heap_context(&heap);
        mtc_data X = mtc_csr(n[i], 50, row, NULL, NULL);
        ASSERT_EQ(MTC_OK, mtc_auto(&ctx, &X, 1, &o, &r));
        mtc_free(&ctx, &r.block);
        peak[i] = heap.peak;
    }
    ASSERT(peak[0] > 0 && peak[1] < peak[0] + 200 * (size_t)95000);
    PASS();
}

TEST auto_is_the_same_for_a_seed_and_in_an_arena(void)
{
    static auto_problem p;
    mtc_context ctx = test_context();
    mtc_auto_options o = mtc_auto_defaults();
    mtc_auto_result a, b;
    auto_text(&p, 2, 150, 3, 3, 12, 0);     /* eigenpairs by products */
    o.clusters = 3;
    ctx.seed = 77;
    ASSERT_EQ(MTC_OK, mtc_auto(&ctx, p.csr, 2, &o, &a));
    size_t size = (size_t)1 << 24;
    void *memory = malloc(size);
    mtc_arena arena = mtc_arena_over(memory, size);
    mtc_context in = mtc_arena_context(&arena);
    in.seed = 77;
    ASSERT_EQ(MTC_OK, mtc_auto(&in, p.csr, 2, &o, &b));
    for (size_t t = 0; t < 2; t++)
        ASSERT_MEM_EQ(a.labels[t], b.labels[t], 150 * sizeof(int));
    ASSERT_MEM_EQ(a.by_family, b.by_family,
                  2 * a.families * sizeof *a.by_family);
    mtc_free(&ctx, &a.block);
    mtc_free(&in, &b.block);
    ASSERT_EQ(0, arena.used);               /* all came back */
    free(memory);
    PASS();
}

TEST runs_without_number_are_too_big(void)
{
    mtc_context ctx = test_context();
    const mtc_real x[6] = {0, 1, 2, 10, 11, 12};
    mtc_data X[2] = {mtc_dense(6, 1, x), mtc_dense(5, 1, x)};
    mtc_auto_options a = mtc_auto_defaults();
    mtc_auto_result ar;
    mtc_guard_options g = mtc_guard_defaults();
    mtc_guard_result gr;
    for (a.runs = SIZE_MAX; a.runs > SIZE_MAX / 64; a.runs /= 2) {
        g.runs = a.runs;
        ASSERT_EQ(MTC_TOO_BIG, mtc_auto(&ctx, X, 2, &a, &ar));
        ASSERT_EQ(MTC_TOO_BIG, mtc_guard(&ctx, X, 2, &g, &gr));
    }
    PASS();
}

/* More samples than are ever drawn from: too big, and no row is looked up. */
TEST tasks_beyond_counting_are_too_big(void)
{
    mtc_context ctx = test_context();
    const mtc_real x[4] = {0, 1, 10, 11};
    mtc_auto_options o = mtc_auto_defaults();
    mtc_auto_result r;
    static const size_t n[3] = {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 4 + 1};
    for (size_t i = 0; i < 3; i++) {
        mtc_data X = mtc_dense(n[i], 1, x);
        ASSERT_EQ(MTC_TOO_BIG, mtc_auto(&ctx, &X, 1, &o, &r));
    }
    PASS();
}

/* Equal rows have equal labels, also where some vote and others follow: a
 * cluster without a direction takes none. */
TEST directions_without_rows_attract_none(void)
{
    enum { N = 200 };
    static mtc_real x[2 * N];
    mtc_auto_options o = mtc_auto_defaults();
    mtc_auto_result res;
    int of[2] = {-1, -1};
    for (size_t i = 0; i < N; i++) {
        x[2 * i] = i % 2 == 0;
        x[2 * i + 1] = i % 2 == 1;
    }
    mtc_data X = mtc_dense(N, 2, x);
    o.clusters = 4;
    o.sample = 60;
    o.geometry = MTC_GEOMETRY_DIRECTIONS;
    ASSERT_EQ_FMT(MTC_OK, mtc_auto(NULL, &X, 1, &o, &res), "%d");
    for (size_t i = 0; i < N; i++) {
        if (of[i % 2] < 0)
            of[i % 2] = res.labels[0][i];
        ASSERT_EQ_FMT(of[i % 2], res.labels[0][i], "%d");
    }
    ASSERT(of[0] != of[1]);
    mtc_free(NULL, &res.block);
    PASS();
}

SUITE(auto_suite)
{
    RUN_TEST(directions_without_rows_attract_none);
    RUN_TESTp(guard_keeps_what_it_found_more_stable, MTC_GUARD_MBC);
    RUN_TESTp(guard_keeps_what_it_found_more_stable, MTC_GUARD_LSSMTC);
    RUN_TEST(guard_and_auto_are_cancelled_within_their_methods);
    RUN_TEST(guard_tells_related_tasks_from_others);
    RUN_TEST(guard_alone_is_the_vote_of_the_runs_of_low_loss);
    RUN_TEST(guard_without_samples_for_folds_keeps_the_tasks_alone);
    RUN_TEST(guard_of_one_task_measures_nothing);
    RUN_TEST(guard_takes_a_divergence_and_unequal_numbers_of_clusters);
    RUN_TEST(bad_guards_are_refused);
    RUN_TEST(no_options_are_the_defaults);
    RUN_TEST(guard_takes_no_start_from_the_options_of_its_method);
    RUN_TEST(bad_options_of_the_guarded_method_are_refused_at_once);
    RUN_TEST(auto_finds_the_classes_and_reports_its_families);
    RUN_TEST(auto_has_families_for_every_case);
    if (TEST_FEWER == 1)
        RUN_TEST(auto_serves_clusters_that_differ_in_place_size_or_shape);
    RUN_TEST(auto_tells_sizes_from_directions);
    RUN_TEST(auto_does_not_see_units_order_or_origin);
    RUN_TEST(auto_serves_what_is_hardly_data);
    RUN_TEST(auto_takes_the_tree_for_spirals_in_any_order);
    RUN_TEST(auto_serves_repeated_rows_as_kmeans_does);
    RUN_TEST(auto_needs_some_kinds_of_rows_to_choose);
    RUN_TEST(auto_follows_the_shape_in_large_tasks);
    RUN_TEST(auto_samples_large_tasks);
    RUN_TEST(auto_memory_is_linear_in_large_tasks);
    RUN_TEST(auto_is_the_same_for_a_seed_and_in_an_arena);
    RUN_TEST(runs_without_number_are_too_big);
    RUN_TEST(tasks_beyond_counting_are_too_big);
}
