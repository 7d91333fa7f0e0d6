/* SPDX-License-Identifier: MIT
 *
 * test_laws.c - metamorphic laws: how a result must change when its input
 * changes in a way that means nothing, or something known.  A table of
 * methods, from given starts; each law walks it in dense and CSR form.
 *
 *   samples     in another order: the same labels, in that order
 *   features    in another order: the same labels
 *   tasks       in another order: the same labels, in that order
 *   scale       data times 4: the same labels, the objective times 16
 *   copies      every sample twice: the labels twice, the objective doubled
 *   classes     renamed: the labels renamed
 *
 * Then laws of single calls, and the table of calls.h: no result of any row
 * under any options, weights and starts, extreme ones too, has anything wrong
 * with it.
 */
#include "greatest.h"
#include "calls.h"
#include "test_util.h"

enum { LN = 48, LD = 7, LK = 3, HALF = 18 };

/* Two tasks of three blobs each, far enough apart for labels to be sure. */
typedef struct law_data {
    size_t n[2];
    int csr;
    mtc_real x[2][LN * LD];
    int start[2][LN];
    mtc_real values[2][LN * LD];
    uint32_t column[2][LN * LD];
    size_t row[2][LN + 1];
    mtc_data view[2];
} law_data;

typedef struct law_result { int label[2][LN]; mtc_real value; } law_result;

static void law_views(law_data *l)
{
    for (size_t t = 0; t < 2; t++)
        l->view[t] = l->csr ? stage_csr(l->n[t], LD, l->x[t], l->row[t],
                                        l->column[t], l->values[t])
                            : mtc_dense(l->n[t], LD, l->x[t]);
}

static void law_fill(law_data *l, int csr, uint64_t seed)
{
    memset(l, 0, sizeof *l);
    l->csr = csr;
    for (size_t t = 0; t < 2; t++) {
        l->n[t] = HALF + t * 3;
        test_fill(l->x[t], l->n[t] * LD, seed + t, 0, 1);
        for (size_t i = 0; i < l->n[t]; i++) {
            size_t z = (i + t) % LK;
            for (size_t j = 0; j < LD; j++) {
                mtc_real *x = &l->x[t][i * LD + j];
                *x = *x < (mtc_real)0.25 ? 0 : *x;
                *x += j % LK == z ? 5 : 0;
            }
            l->start[t][i] = (int)(i % 5 == 4 ? (z + 1) % LK : z);
        }
    }
    law_views(l);
}

/* ---- the methods ------------------------------------------------------- */

typedef mtc_status law_solver(law_data *l, law_result *r);

static mtc_status law_kmeans(law_data *l, law_result *r)
{
    mtc_context ctx = test_context();
    r->value = 0;
    for (size_t t = 0; t < 2; t++) {
        mtc_kmeans_options o = mtc_kmeans_defaults();
        mtc_kmeans_result k;
        o.clusters = LK;
        o.start_labels = l->start[t];
        mtc_status s = mtc_kmeans(&ctx, &l->view[t], &o, &k);
        if (s != MTC_OK)
            return s;
        memcpy(r->label[t], k.labels, l->n[t] * sizeof(int));
        r->value += k.loss;
        mtc_free(&ctx, &k.block);
    }
    return MTC_OK;
}

static mtc_status law_ncut(law_data *l, law_result *r)
{
    mtc_context ctx = test_context();
    for (size_t t = 0; t < 2; t++) {
        mtc_ncut_options o = mtc_ncut_defaults();
        mtc_ncut_result k;
        o.clusters = LK;
        o.start_labels = l->start[t];
        mtc_status s = mtc_ncut(&ctx, &l->view[t], &o, &k);
        if (s != MTC_OK)
            return s;
        memcpy(r->label[t], k.labels, l->n[t] * sizeof(int));
        r->value = k.cut;
        mtc_free(&ctx, &k.block);
    }
    return MTC_OK;
}

static mtc_status law_lss(law_data *l, law_result *r, mtc_subspace_mode mode)
{
    mtc_context ctx = test_context();
    mtc_lssmtc_options o = mtc_lssmtc_defaults();
    mtc_lssmtc_result k;
    const int *start[2] = {l->start[0], l->start[1]};
    o.clusters = LK;
    o.mode = mode;
    o.subspace = 2;
    o.rank = 5;
    o.start_labels = start;
    mtc_status s = mtc_lssmtc(&ctx, l->view, 2, &o, &k);
    if (s != MTC_OK)
        return s;
    for (size_t t = 0; t < 2; t++)
        memcpy(r->label[t], k.labels[t], l->n[t] * sizeof(int));
    r->value = k.objective[k.iterations];
    mtc_free(&ctx, &k.block);
    return MTC_OK;
}

static mtc_status law_lssmtc(law_data *l, law_result *r)
{
    return law_lss(l, r, MTC_SUBSPACE_RECON);
}

static mtc_status law_lssmtc_pca(law_data *l, law_result *r)
{
    return law_lss(l, r, MTC_SUBSPACE_PCA);
}

/* Task 0 with its starting labels as the source, task 1 the target. */
static mtc_status law_lssttc(law_data *l, law_result *r)
{
    mtc_context ctx = test_context();
    mtc_lssmtc_options o = mtc_lssttc_defaults();
    mtc_lssmtc_result k;
    const int *labels[1] = {l->start[0]};
    o.clusters = LK;
    o.subspace = 2;
    o.rank = 5;
    mtc_status s = mtc_lssttc(&ctx, l->view, labels, 1, &l->view[1], &o, &k);
    if (s != MTC_OK)
        return s;
    memcpy(r->label[0], l->start[0], l->n[0] * sizeof(int));
    memcpy(r->label[1], k.labels[1], l->n[1] * sizeof(int));
    r->value = k.objective[k.iterations];
    mtc_free(&ctx, &k.block);
    return MTC_OK;
}

static mtc_status law_logistic(law_data *l, law_result *r)
{
    mtc_context ctx = test_context();
    mtc_logistic_options o = mtc_logistic_defaults();
    mtc_logistic_result k;
    o.classes = LK;
    mtc_status s = mtc_logistic(&ctx, &l->view[0], l->start[0], &o, &k);
    if (s != MTC_OK)
        return s;
    s = mtc_logistic_assign(&ctx, &l->view[0], &k, r->label[0], NULL);
    if (s == MTC_OK)
        s = mtc_logistic_assign(&ctx, &l->view[1], &k, r->label[1], NULL);
    r->value = k.objective[k.iterations];
    mtc_free(&ctx, &k.block);
    return s;
}

static mtc_status law_svm(law_data *l, law_result *r)
{
    mtc_context ctx = test_context();
    mtc_svm_options o = mtc_svm_defaults();
    mtc_svm_result k;
    o.classes = LK;
    o.cost = (mtc_real)0.125;
    o.tolerance = (mtc_real)(sizeof(mtc_real) == 8 ? 1e-6 : 1e-3);
    mtc_status s = mtc_svm(&ctx, &l->view[0], l->start[0], &o, &k);
    if (s != MTC_OK)
        return s;
    s = mtc_svm_assign(&ctx, &l->view[1], &l->view[0], &k, r->label[1], NULL);
    memcpy(r->label[0], l->start[0], l->n[0] * sizeof(int));
    r->value = k.objective[0];
    mtc_free(&ctx, &k.block);
    return s;
}

static mtc_status law_mbc(law_data *l, law_result *r)
{
    mtc_context ctx = test_context();
    mtc_mbc_options o = mtc_mbc_defaults();
    mtc_mbc_result k;
    const int *start[2] = {l->start[0], l->start[1]};
    o.clusters = LK;
    o.start_labels = start;
    mtc_status s = mtc_mbc(&ctx, l->view, 2, &o, &k);
    if (s != MTC_OK)
        return s;
    for (size_t t = 0; t < 2; t++)
        memcpy(r->label[t], k.labels[t], l->n[t] * sizeof(int));
    r->value = k.loss;
    mtc_free(&ctx, &k.block);
    return MTC_OK;
}

/* Cosines of the samples: their unit does not show without layers. */
static mtc_status law_mtcfir(law_data *l, law_result *r)
{
    mtc_context ctx = test_context();
    mtc_mtcfir_options o = mtc_mtcfir_defaults();
    mtc_mtcfir_result k;
    const int *start[2] = {l->start[0], l->start[1]};
    o.clusters = LK;
    o.layers = 0;
    o.tolerance = -1;
    o.iterations = 40;
    o.start_labels = start;
    mtc_status s = mtc_mtcfir(&ctx, l->view, 2, &o, &k);
    if (s != MTC_OK)
        return s;
    r->value = 0;
    for (size_t t = 0; t < 2; t++) {
        memcpy(r->label[t], k.labels[t], l->n[t] * sizeof(int));
        r->value += k.objective[t][k.iterations[t]];
    }
    mtc_free(&ctx, &k.block);
    return MTC_OK;
}

/* Task 0 the source, task 1 bridge and target.  The factors start as
 * constants, which no order of features or classes changes. */
static mtc_status law_ttl(law_data *l, law_result *r)
{
    mtc_context ctx = test_context();
    mtc_ttl_options o = mtc_ttl_defaults();
    mtc_ttl_result k;
    const int *labels[1] = {l->start[0]};
    mtc_real ones[LD * 4], G[LN * LK];
    mtc_ttl_factors f = {.bridge = G, .target = G};
    for (size_t e = 0; e < LD * 4; e++)
        ones[e] = 1;
    for (size_t i = 0; i < l->n[1]; i++)
        for (size_t z = 0; z < LK; z++)
            G[i * LK + z] =
                (int)z == l->start[1][i] ? (mtc_real)0.75 : (mtc_real)0.125;
    for (size_t leg = 0; leg < 2; leg++) {
        for (size_t i = 0; i < 3; i++)
            f.F[leg][i] = f.A[leg][i] = ones;
    }
    o.classes = LK;
    o.features = 4;
    o.common = 2;
    o.iterations = 10;
    o.start_factors = &f;
    mtc_status s = mtc_ttl(&ctx, l->view, labels, 1, &l->view[1], NULL, 1,
                           &l->view[1], &o, &k);
    if (s != MTC_OK)
        return s;
    memcpy(r->label[0], l->start[0], l->n[0] * sizeof(int));
    memcpy(r->label[1], k.labels, l->n[1] * sizeof(int));
    r->value = k.objective[k.iterations];
    mtc_free(&ctx, &k.block);
    return MTC_OK;
}

/* Runs that are given, in all features; task 0 the source of TrEC. */
static mtc_status law_trec(law_data *l, law_result *r)
{
    mtc_context ctx = test_context();
    mtc_trec_options o = mtc_trec_defaults();
    mtc_trec_result k;
    const int *source[2] = {l->start[0], l->start[0]};
    const int *target[2] = {l->start[1], l->start[1]};
    o.ec.clusters = LK;
    o.ec.runs = 2;
    o.ec.columns = LD;
    o.ec.partitions = target;
    o.ec.start_labels = l->start[1];
    o.source_partitions = source;
    o.start_labels = l->start[1];
    o.qmin = 0;
    mtc_status s = mtc_trec(&ctx, &l->view[0], l->start[0], &l->view[1], &o,
                            &k);
    if (s != MTC_OK)
        return s;
    memcpy(r->label[0], l->start[0], l->n[0] * sizeof(int));
    memcpy(r->label[1], k.labels, l->n[1] * sizeof(int));
    r->value = k.objective[k.iterations];
    mtc_free(&ctx, &k.block);
    return MTC_OK;
}

/* What a law may ask of a method. */
enum {
    SCALES = 1,                 /* labels do not depend on the unit */
    SQUARE = 2,                 /* and the objective has its square */
    SYMMETRIC = 4,              /* no task comes first */
    ADDS = 8,                   /* the objective is a sum over samples */
    MEAN = 16                   /* or a mean */
};

static const struct law_row {
    const char *name;
    law_solver *solve;
    unsigned flags;
    double tolerance;           /* of the objective, relative */
} law_rows[] = {
    {"kmeans", law_kmeans, SCALES | SQUARE | SYMMETRIC | ADDS, 1e-12},
    {"ncut", law_ncut, SCALES, 1e-8},
    {"lssmtc", law_lssmtc, SCALES | SQUARE | SYMMETRIC | ADDS, 1e-8},
    {"lssmtc_pca", law_lssmtc_pca, SCALES | SQUARE | SYMMETRIC | ADDS, 1e-8},
    {"lssttc", law_lssttc, SCALES | SQUARE | ADDS, 1e-8},
    {"logistic", law_logistic, MEAN, 1e-8},
    {"svm", law_svm, 0, 1e-4},
    {"mbc", law_mbc, SCALES | SQUARE | SYMMETRIC | MEAN, 1e-10},
    {"mtcfir", law_mtcfir, SCALES | SYMMETRIC, 1e-8},
    {"ttl", law_ttl, SCALES, 1e-8},
    {"trec", law_trec, SCALES, 1e-10},
};

/* ---- the laws ---------------------------------------------------------- */

enum { LAW_SAMPLES, LAW_FEATURES, LAW_TASKS, LAW_SCALE, LAW_COPIES,
       LAW_CLASSES, LAWS };

static const char *const law_names[LAWS] = {
    "samples", "features", "tasks", "scale", "copies", "classes"
};

/* Where sample i of task t is found after the law, and under which label. */
static size_t law_place(int law, const law_data *l, size_t t, size_t i)
{
    return law == LAW_SAMPLES ? l->n[t] - 1 - i : law == LAW_COPIES ? 2 * i
                                                                    : i;
}

static int law_label(int law, int label)
{
    return law == LAW_CLASSES ? (label + 1) % LK : label;
}

static void law_apply(int law, const law_data *from, law_data *to)
{
    size_t copies = law == LAW_COPIES ? 2 : 1;
    memset(to, 0, sizeof *to);
    to->csr = from->csr;
    for (size_t t = 0; t < 2; t++) {
        size_t u = law == LAW_TASKS ? 1 - t : t;
        to->n[u] = copies * from->n[t];
        for (size_t i = 0; i < from->n[t]; i++)
            for (size_t c = 0; c < copies; c++) {
                size_t at = law_place(law, from, t, i) + c;
                to->start[u][at] = law_label(law, from->start[t][i]);
                for (size_t j = 0; j < LD; j++)
                    to->x[u][at * LD + (law == LAW_FEATURES ? (3 * j + 2) % LD
                                                            : j)] =
                        from->x[t][i * LD + j] * (law == LAW_SCALE ? 4 : 1);
            }
    }
    law_views(to);
}

TEST law_holds(const struct law_row *m, int law, int csr)
{
    static law_data a, b;
    law_result ra, rb;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        law_fill(&a, csr, 10 * seed);
        law_apply(law, &a, &b);
        ASSERT_EQ(MTC_OK, m->solve(&a, &ra));
        ASSERT_EQ(MTC_OK, m->solve(&b, &rb));
        for (size_t t = 0; t < 2; t++)
            for (size_t i = 0; i < a.n[t]; i++) {
                size_t u = law == LAW_TASKS ? 1 - t : t;
                size_t at = law_place(law, &a, t, i);
                ASSERT_EQ(law_label(law, ra.label[t][i]), rb.label[u][at]);
                if (law == LAW_COPIES)
                    ASSERT_EQ(rb.label[u][at], rb.label[u][at + 1]);
            }
        mtc_real want = ra.value;
        if (law == LAW_SCALE && m->flags & SQUARE)
            want *= 16;
        if (law == LAW_COPIES && m->flags & ADDS)
            want *= 2;
        if (law == LAW_CLASSES && m->solve == law_svm)
            continue;                   /* value is that of class 0 */
        if (law == LAW_COPIES && !(m->flags & (ADDS | MEAN)))
            continue;
        /* In float twenty iterations carry rounding on: three digits. */
        mtc_real close = sizeof want == 8 ? (mtc_real)m->tolerance
                                          : (mtc_real)1e-3;
        ASSERT(MTC_FABS(rb.value - want) <= close * MTC_FABS(want));
    }
    PASS();
}

/* ---- laws of single calls ---------------------------------------------- */

/* Weight 2 is a copy; weight 0 is absence. */
TEST weights_of_kmeans_are_copies(void)
{
    mtc_context ctx = test_context();
    static law_data l;
    law_fill(&l, 0, 3);
    mtc_real weight[LN], copied[2 * LN * LD];
    int start[2 * LN];
    size_t n = l.n[0], m = 0;
    for (size_t i = 0; i < n; i++) {
        weight[i] = (mtc_real)(i % 3);
        for (size_t c = 0; c < i % 3; c++, m++) {
            memcpy(copied + m * LD, l.x[0] + i * LD, LD * sizeof(mtc_real));
            start[m] = l.start[0][i];
        }
    }
    mtc_data Y = mtc_dense(m, LD, copied);
    mtc_kmeans_options o = mtc_kmeans_defaults();
    mtc_kmeans_result a, b;
    o.clusters = LK;
    o.start_labels = start;
    ASSERT_EQ(MTC_OK, mtc_kmeans(&ctx, &Y, &o, &b));
    o.start_labels = l.start[0];
    o.weights = weight;
    ASSERT_EQ(MTC_OK, mtc_kmeans(&ctx, &l.view[0], &o, &a));
    ASSERT(MTC_FABS(a.loss - b.loss) <= TOL(1e-12) * a.loss);
    for (size_t e = 0; e < LK * LD; e++)
        ASSERT(MTC_FABS(a.centers[e] - b.centers[e]) <= TOL(1e-12) * 10);
    for (size_t i = 0, at = 0; i < n; at += i % 3, i++)
        if (i % 3 > 0)
            ASSERT_EQ(a.labels[i], b.labels[at]);
    mtc_free(&ctx, &a.block);
    mtc_free(&ctx, &b.block);
    PASS();
}

/* Names of labels mean nothing; truth and prediction may change places in
 * all measures but purity. */
TEST scores_do_not_depend_on_names(void)
{
    mtc_context ctx = test_context();
    int a[60], b[60], renamed[60];
    mtc_random r = mtc_random_seed(5);
    for (size_t run = 0; run < 50; run++) {
        mtc_scores s, t, u;
        for (size_t i = 0; i < 60; i++) {
            a[i] = (int)mtc_random_below(&r, 4);
            b[i] = (int)mtc_random_below(&r, 5);
            renamed[i] = 100 - 7 * a[i];
        }
        ASSERT_EQ(MTC_OK, mtc_score(&ctx, 60, a, b, &s));
        ASSERT_EQ(MTC_OK, mtc_score(&ctx, 60, renamed, b, &t));
        ASSERT_EQ(MTC_OK, mtc_score(&ctx, 60, b, a, &u));
        ASSERT(s.accuracy == t.accuracy && s.purity == t.purity);
        ASSERT(MTC_FABS(s.nmi - t.nmi) <= TOL(1e-14));
        ASSERT(MTC_FABS(s.ari - t.ari) <= TOL(1e-14));
        ASSERT(s.accuracy == u.accuracy);
        ASSERT(MTC_FABS(s.nmi - u.nmi) <= TOL(1e-14));
        ASSERT(MTC_FABS(s.ari - u.ari) <= TOL(1e-14));
    }
    PASS();
}

/* Twice the cost is twice the distance, to the bit; and the way back costs
 * what the way there did. */
TEST transport_scales_and_turns_round(void)
{
    enum { R = 6, C = 9 };
    mtc_real cost[R * C], turned[R * C], supply[R], demand[C];
    mtc_context ctx = test_context();
    for (uint64_t seed = 1; seed < 40; seed++) {
        mtc_emd_info a, b, c;
        test_fill(cost, R * C, seed, 0, 1);
        test_fill(supply, R, seed + 100, 0, 1);
        test_fill(demand, C, seed + 200, 0, 1);
        mtc_real out = 0, in = 0;
        for (size_t i = 0; i < R; i++)
            out += supply[i];
        for (size_t j = 0; j < C; j++)
            in += demand[j];
        for (size_t j = 0; j < C; j++)
            demand[j] *= out / in;
        ASSERT_EQ(MTC_OK, mtc_emd(&ctx, R, C, cost, C, supply, demand, NULL,
                                  NULL, NULL, NULL, &a));
        for (size_t i = 0; i < R; i++)
            for (size_t j = 0; j < C; j++)
                turned[j * R + i] = cost[i * C + j];
        ASSERT_EQ(MTC_OK, mtc_emd(&ctx, C, R, turned, R, demand, supply, NULL,
                                  NULL, NULL, NULL, &b));
        for (size_t e = 0; e < R * C; e++)
            cost[e] *= 2;
        ASSERT_EQ(MTC_OK, mtc_emd(&ctx, R, C, cost, C, supply, demand, NULL,
                                  NULL, NULL, NULL, &c));
        ASSERT(MTC_FABS(a.cost - b.cost) <= TOL(1e-12));
        ASSERT(c.cost == 2 * a.cost);
    }
    PASS();
}

/* Distances between sets have no direction. */
TEST distances_are_symmetric(void)
{
    mtc_context ctx = test_context();
    static law_data l;
    for (int csr = 0; csr < 2; csr++) {
        mtc_real a, b;
        law_fill(&l, csr, 8);
        ASSERT_EQ(MTC_OK, mtc_partition_emd(&ctx, &l.view[0], l.start[0], LK,
                                            &l.view[1], l.start[1], LK, NULL,
                                            &a));
        ASSERT_EQ(MTC_OK, mtc_partition_emd(&ctx, &l.view[1], l.start[1], LK,
                                            &l.view[0], l.start[0], LK, NULL,
                                            &b));
        ASSERT(MTC_FABS(a - b) <= TOL(1e-11) * a);
    }
    PASS();
}

/* More clusters than a line has room for: P'P is all but singular, and the
 * multiplicative step alone would raise the objective fourfold. */
TEST lssmtc_never_rises_where_clusters_crowd(void)
{
    static const double x[3][18] = {
        {6.5, 9.3125, 0, 6.875, 0, -0.75, 0, 4.1875, 0.25, 8.9375, 3.75, 3, 0,
         1.5, 2.5},
        {4.5, 0.8125, 3.3125, 3.5, 8.4375, 2.875, 8.0625},
        {4.5, 7.75, 1.75, -1.5625, 1.875, 4.0625, 4.4375, 0, 0, 0, 0, 8.125,
         -1.875, 0, 8, 8.1875, 0, 5.875}
    };
    static const size_t n[3] = {15, 7, 18};
    mtc_real values[3][18];
    mtc_data tasks[3];
    mtc_lssmtc_options o = mtc_lssmtc_defaults();
    for (size_t t = 0; t < 3; t++) {
        for (size_t i = 0; i < 18; i++)
            values[t][i] = (mtc_real)x[t][i];
        tasks[t] = mtc_dense(n[t], 1, values[t]);
    }
    o.clusters = 7;
    o.subspace = 2;
    o.offset = (mtc_real)0.44140625;
    o.start = MTC_START_POOLED;
    o.iterations = 6;
    o.restarts = 2;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        mtc_context ctx = test_context();
        mtc_lssmtc_result r;
        ctx.seed = seed;
        ASSERT_EQ(MTC_OK, mtc_lssmtc(&ctx, tasks, 3, &o, &r));
        for (size_t it = 1; it <= r.iterations; it++)
            ASSERT(r.objective[it] <= r.objective[it - 1]);
        mtc_free(&ctx, &r.block);
    }
    PASS();
}

/* The vote asks who is together, not under which name, and in which order of
 * runs: labels of every run renamed and the runs turned round. */
TEST a_vote_does_not_depend_on_names_or_order(void)
{
    enum { N = 30, RUNS = 5 };
    mtc_context ctx = test_context();
    int runs[RUNS][N], renamed[RUNS][N];
    const int *a[RUNS], *b[RUNS];
    for (uint64_t seed = 1; seed <= 30; seed++) {
        mtc_random rng = mtc_random_seed(seed);
        mtc_vote_options o = mtc_vote_defaults();
        mtc_vote_result ra, rb;
        for (size_t r = 0; r < RUNS; r++)
            for (size_t i = 0; i < N; i++) {
                int z = (int)(i % 3);
                runs[r][i] = mtc_random_below(&rng, 8) == 0
                                 ? (int)mtc_random_below(&rng, 3) : z;
                renamed[RUNS - 1 - r][i] = 17 - 5 * runs[r][i];
            }
        for (size_t r = 0; r < RUNS; r++) {
            a[r] = runs[r];
            b[r] = renamed[r];
        }
        o.clusters = 3;
        o.start_labels = runs[0];
        ASSERT_EQ(MTC_OK, mtc_vote(&ctx, N, a, RUNS, &o, &ra));
        ASSERT_EQ(MTC_OK, mtc_vote(&ctx, N, b, RUNS, &o, &rb));
        ASSERT_MEM_EQ(ra.labels, rb.labels, N * sizeof(int));
        ASSERT(MTC_FABS(ra.mean_stability - rb.mean_stability)
               <= TOL(1e-12));
        for (size_t z = 0; z < ra.rank; z++)
            ASSERT(MTC_FABS(ra.singular_values[z] - rb.singular_values[z])
                   <= TOL(1e-10));
        mtc_free(&ctx, &ra.block);
        mtc_free(&ctx, &rb.block);
    }
    PASS();
}

/* The autoencoder on samples in another order. */
TEST features_of_msda_follow_their_samples(void)
{
    mtc_context ctx = test_context();
    static law_data l, turned;
    for (int csr = 0; csr < 2; csr++) {
        mtc_msda_options o = mtc_msda_defaults();
        mtc_msda_result a, b;
        law_fill(&l, csr, 5);
        law_apply(LAW_SAMPLES, &l, &turned);
        o.layers = 2;
        ASSERT_EQ(MTC_OK, mtc_msda(&ctx, l.view, 1, &o, &a));
        ASSERT_EQ(MTC_OK, mtc_msda(&ctx, turned.view, 1, &o, &b));
        for (size_t layer = 0; layer < 2; layer++)
            for (size_t i = 0; i < l.n[0]; i++)
                for (size_t j = 0; j < LD; j++) {
                    size_t at = (layer * l.n[0] + i) * LD + j;
                    size_t to = (layer * l.n[0] + l.n[0] - 1 - i) * LD + j;
                    ASSERT(MTC_FABS(a.h[at] - b.h[to])
                           <= (sizeof(mtc_real) == 8 ? (mtc_real)1e-8
                                                     : (mtc_real)1e-2));
                }
        mtc_free(&ctx, &a.block);
        mtc_free(&ctx, &b.block);
    }
    PASS();
}

/* ---- every row of the table -------------------------------------------- */

TEST results_have_nothing_wrong(const method_row *row, size_t n, size_t d)
{
    static stage set;
    static double room[(3u << 20) / sizeof(double)];
    for (int csr = 0; csr < 2; csr++)
        for (unsigned v = 0; v < 16; v++) {
            mtc_arena arena = mtc_arena_over(room, sizeof room);
            mtc_context ctx = mtc_arena_context(&arena);
            witness w = WITNESS;
            stage_run_one(&set, row, &ctx, n, d, csr, v, &w);
            ASSERTm(w.wrong, w.wrong == NULL);
        }
    PASS();
}

/* Values over 1 to 10 decades, some 0: features that are 0 throughout make the
 * dual form the cheaper one and change nothing else. */
TEST features_of_msda_are_the_same_in_both_forms(double noise)
{
    enum { n = 10, d = 3, wide = 30 };
    mtc_context ctx = test_context();
    mtc_real x[n * d], y[n * wide];
    double most = sizeof(mtc_real) == 8 ? 12 : 4;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        mtc_msda_options o = mtc_msda_defaults();
        mtc_msda_result a, b;
        double span = most * (double)(seed % 20 + 1) / 25;
        test_fill(x, n * d, seed, -span / 2, span / 2);
        for (size_t e = 0; e < n * d; e++) {
            mtc_real power = mtc_exp(x[e] * (mtc_real)2.302585);
            x[e] = (e + seed) % 4 == 0 ? 0 : e % 3 == 0 ? -power : power;
        }
        for (size_t e = 0; e < n * wide; e++)
            y[e] = e % wide < d ? x[e / wide * d + e % wide] : 0;
        mtc_data X = mtc_dense(n, d, x), Y = mtc_dense(n, wide, y);
        o.layers = 1;
        o.noise = (mtc_real)noise;
        ASSERT_EQ(MTC_OK, mtc_msda(&ctx, &X, 1, &o, &a));
        mtc_status s = mtc_msda(&ctx, &Y, 1, &o, &b);
        if (s == MTC_SINGULAR && sizeof(mtc_real) == 4) {
            mtc_free(&ctx, &a.block);   /* the least noise is none in float */
            continue;
        }
        ASSERT_EQ(MTC_OK, s);
        for (size_t i = 0; i < n; i++)
            for (size_t f = 0; f < d; f++)
                ASSERT(MTC_FABS(a.h[i * d + f] - b.h[i * wide + f]) <=
                       (mtc_real)0.05);
        mtc_free(&ctx, &a.block);
        mtc_free(&ctx, &b.block);
    }
    PASS();
}

/* Stops whatever has no end under such options. */
static int law_patience(void *user, const char *what, size_t done,
                        size_t total)
{
    (void)what, (void)done, (void)total;
    return ++*(int *)user > 2000;
}

/* Runs a row over the stage as it is set.  NULL, or what is wrong: of the
 * status, of the place of an error, of a result that is no failure. */
static const char *borne_or_refused(stage *set, const method_row *row,
                                    size_t *borne)
{
    static const char earlier[] = "an earlier call's";
    static double room[(3u << 20) / sizeof(double)];
    int ticks = 0;
    outcome out;
    witness w = WITNESS;
    mtc_arena arena = mtc_arena_over(room, sizeof room);
    mtc_context ctx = mtc_arena_context(&arena);
    ctx.progress = law_patience;
    ctx.user = &ticks;
    ctx.error = (mtc_place){earlier, 1, 2, 3};
    mtc_status st = row->run(&ctx, &set->s, &out);
    if ((int)st > MTC_OK || st < MTC_LIMIT)
        return "no status of the header";
    if (st != MTC_OK)
        return ctx.error.what == NULL || ctx.error.what == earlier
                   ? "fails, and does not say why" : NULL;
    ++*borne;
    row->see(&set->s, &out, &w);
    row->release(&ctx, &out);
    return ctx.error.what != earlier || ctx.error.task != 1 ||
                   ctx.error.row != 2 || ctx.error.column != 3
               ? "succeeds, and leaves an error" : w.wrong;
}

/* One option at a time, and it with the next, at the ends of the range of a
 * real and beyond: what is not refused has nothing wrong with it. */
TEST extreme_options_are_refused_or_borne(const method_row *row)
{
    static stage set;
    const unsigned first = 220, values = 22;    /* of hostile_real */
    size_t thrown = 1, borne = 0;
    for (size_t p = 0; p < thrown && p + 1 < SCENE_DICE; p++)
        for (unsigned v = 0; v < values * 2; v++) {
            stage_set(&set, 16, 9, (int)(v & 1), 0);
            set.s.hostile = 1;
            set.dice[p] = (unsigned char)(first + v % values);
            if (v >= values)                    /* HUGE, or TINY */
                set.dice[p + 1] = (unsigned char)(first + (v & 2 ? 18 : 20));
            const char *wrong = borne_or_refused(&set, row, &borne);
            thrown = thrown > set.s.thrown ? thrown : set.s.thrown;
            ASSERTm(wrong, wrong == NULL);
        }
    ASSERT(borne > 0);                          /* it did come to run */
    PASS();
}

/* Weights, costs, supplies, starts: all of one extreme size, or every other
 * one, given wherever a row can take some. */
TEST extreme_numbers_are_refused_or_borne(const method_row *row)
{
    static stage set;
    size_t borne = 0;
    for (size_t v = 0; v < EXTREMES * EXTREMES * 2; v++) {
        size_t a = v % EXTREMES, b = v / EXTREMES % EXTREMES;
        stage_set(&set, 16, 9, (int)(v & 1), 0);
        set.s.hostile = 3;
        if (v >= EXTREMES * EXTREMES)           /* start, or no start */
            memset(set.dice, 1, sizeof set.dice);
        for (size_t i = 0; i < SCENE_PLAIN; i++)
            set.plain[i] = extreme_real(i % 2 == 0 ? a : b);
        const char *wrong = borne_or_refused(&set, row, &borne);
        ASSERTm(wrong, wrong == NULL);
    }
    ASSERT(borne > 0);
    PASS();
}

/* ---- weights: only their ratios count ---------------------------------- */

enum { WEIGHED_N = 12 };
typedef mtc_status weighed_call(mtc_context *ctx, const mtc_data *X,
                                const int *y, const mtc_real *w,
                                mtc_real *out);

static mtc_status weighed_kmeans(mtc_context *ctx, const mtc_data *X,
                                 const int *y, const mtc_real *w,
                                 mtc_real *out)
{
    mtc_kmeans_options o = mtc_kmeans_defaults();
    mtc_kmeans_result r;
    o.start_labels = y;
    o.weights = w;
    mtc_status s = mtc_kmeans(ctx, X, &o, &r);
    if (s == MTC_OK) {
        memcpy(out, r.centers, 4 * sizeof *out);
        mtc_free(ctx, &r.block);
    }
    return s;
}

static mtc_status weighed_logistic(mtc_context *ctx, const mtc_data *X,
                                   const int *y, const mtc_real *w,
                                   mtc_real *out)
{
    mtc_logistic_options o = mtc_logistic_defaults();
    mtc_logistic_result r;
    o.weights = w;
    mtc_status s = mtc_logistic(ctx, X, y, &o, &r);
    if (s == MTC_OK) {
        memcpy(out, r.W, 4 * sizeof *out);
        mtc_free(ctx, &r.block);
    }
    return s;
}

/* Costs: C times them is what counts. */
static mtc_status weighed_svm(mtc_context *ctx, const mtc_data *X,
                              const int *y, const mtc_real *w, mtc_real *out)
{
    mtc_svm_options o = mtc_svm_defaults();
    mtc_svm_result r;
    o.cost = 1 / w[0];
    o.costs = w;
    mtc_status s = mtc_svm(ctx, X, y, &o, &r);
    if (s == MTC_OK) {
        memcpy(out, r.coefficients, WEIGHED_N * sizeof *out);
        mtc_free(ctx, &r.block);
    }
    return s;
}

static mtc_status weighed_vote(mtc_context *ctx, const mtc_data *X,
                               const int *y, const mtc_real *w, mtc_real *out)
{
    const int alike[WEIGHED_N] = {0}, *runs[3] = {y, alike, y};
    mtc_vote_options o = mtc_vote_defaults();
    mtc_vote_result r;
    o.weights = w;
    mtc_status s = mtc_vote(ctx, X->n, runs, 3, &o, &r);
    if (s == MTC_OK) {
        memcpy(out, r.stability, WEIGHED_N * sizeof *out);
        mtc_free(ctx, &r.block);
    }
    return s;
}

/* The plan of supplies, as shares of the first. */
static mtc_status weighed_emd(mtc_context *ctx, const mtc_data *X,
                              const int *y, const mtc_real *w, mtc_real *out)
{
    mtc_real demand[4] = {w[1], w[2], w[3], w[0]}, plan[16];
    mtc_status s = mtc_emd(ctx, 4, 4, X->values, 4, w, demand, NULL, plan,
                           NULL, NULL, NULL);
    (void)y;
    for (size_t e = 0; s == MTC_OK && e < 16; e++)
        out[e] = plan[e] / w[0];
    return s;
}

static const struct { const char *name; weighed_call *call; } weighed[] = {
    {"kmeans", weighed_kmeans}, {"logistic", weighed_logistic},
    {"svm", weighed_svm}, {"vote", weighed_vote}, {"emd", weighed_emd}
};

/* Times a power of two from one end of the range to the other: refused, or
 * the same bits. */
TEST weights_count_by_their_ratios(weighed_call *call)
{
    mtc_context ctx = test_context();
    mtc_real x[WEIGHED_N * 2], w[WEIGHED_N], as_is[16] = {0}, out[16] = {0};
    int y[WEIGHED_N];
    size_t served = 0;
    test_fill(x, WEIGHED_N * 2, 6, 0, 1);
    for (size_t i = 0; i < WEIGHED_N; i++) {
        y[i] = (int)(i % 2);
        x[2 * i] += (mtc_real)(3 * y[i]);
        w[i] = (mtc_real)(1 + i % 4);
    }
    mtc_data X = mtc_dense(WEIGHED_N, 2, x);
    ASSERT_EQ(MTC_OK, call(&ctx, &X, y, w, as_is));
    for (mtc_real scale = MTC_TINY * MTC_EPS; scale < MTC_HUGE / 8; scale *= 2) {
        for (size_t i = 0; i < WEIGHED_N; i++)
            w[i] = (mtc_real)(1 + i % 4) * scale;
        if (call(&ctx, &X, y, w, out) != MTC_OK)
            continue;
        served++;
        ASSERT_EQ(0, memcmp(as_is, out, sizeof out));
    }
    ASSERT(served > 50);                        /* 2^-25 .. 2^25 among them */
    PASS();
}

/* The weights of one cluster are all small beside those of the other: the
 * center of neither moves. */
TEST small_weights_do_not_move_a_center(void)
{
    mtc_context ctx = test_context();
    mtc_real x[4] = {0, (mtc_real)0.3, 8, 9}, w[4] = {1, 1, 1, 1}, u[2];
    const int y[4] = {0, 0, 1, 1};
    mtc_data X = mtc_dense(4, 1, x);
    size_t served = 0;
    for (mtc_real scale = MTC_TINY * MTC_EPS; scale <= 1; scale *= 2) {
        w[0] = w[1] = scale;
        mtc_kmeans_options o = mtc_kmeans_defaults();
        mtc_kmeans_result r;
        o.start_labels = y;
        o.weights = w;
        if (mtc_kmeans(&ctx, &X, &o, &r) != MTC_OK)
            continue;
        memcpy(u, r.centers, sizeof u);
        mtc_free(&ctx, &r.block);
        ASSERT(MTC_FABS(u[0] - x[1] / 2) <= 2 * TEST_EPS);
        ASSERT(u[1] == (mtc_real)8.5);
        served++;
    }
    ASSERT(served >= 25);
    PASS();
}

/* Rows of far smaller numbers than others are rows of their own: kl and is see
 * ratios, so that the means of both clusters have to have all their digits. */
TEST a_divergence_sees_small_and_large_rows(mtc_divergence div, int csr)
{
    const mtc_real tiny = (mtc_real)1e-25, one = (mtc_real).1;
    const mtc_real x[5] = {tiny, tiny, one, one, tiny};
    const int start[5] = {0, 1, 0, 1, 0}, *starts[2] = {start, start};
    size_t row[6];
    uint32_t column[5];
    mtc_real values[5];
    mtc_data X = csr ? stage_csr(5, 1, x, row, column, values)
                     : mtc_dense(5, 1, x), both[2] = {X, X};
    mtc_kmeans_options o = mtc_kmeans_defaults();
    mtc_kmeans_result r;
    o.start_labels = start;
    o.divergence = &div;
    ASSERT_EQ(MTC_OK, mtc_kmeans(NULL, &X, &o, &r));
    ASSERT(r.converged && r.loss >= 0 && r.loss <= 100 * TEST_EPS);
    for (size_t i = 0; i < 5; i++)
        ASSERT(MTC_FABS(r.centers[r.labels[i]] / x[i] - 1) <= 9 * TEST_EPS);
    mtc_free(NULL, &r.block);

    mtc_mbc_options m = mtc_mbc_defaults();
    mtc_mbc_result b;
    m.start_labels = starts;
    m.divergence = &div;
    ASSERT_EQ(MTC_OK, mtc_mbc(NULL, both, 2, &m, &b));
    mtc_real within = 0;
    for (size_t i = 0; i < 5; i++)
        within += div.value(NULL, 1, &x[i], &b.centers[0][b.labels[0][i]]) / 5;
    ASSERT(b.converged);
    ASSERT(MTC_FABS(b.within[0] - within) <= 99 * TEST_EPS * (1 + within));
    ASSERT(b.within[0] <= (mtc_real).05);
    mtc_free(NULL, &b.block);
    PASS();
}

/* Row 1 lies nearest to row 2, and a row far away changes nothing about it. */
TEST a_far_row_ties_no_distances(int csr)
{
    const mtc_real x[4] = {(mtc_real).003, (mtc_real).0007, (mtc_real).0008,
                           60000};
    const size_t one = 1;
    size_t row[5];
    uint32_t column[4];
    mtc_real values[4];
    mtc_data X = csr ? stage_csr(4, 1, x, row, column, values)
                     : mtc_dense(4, 1, x);
    mtc_consistent_options o = mtc_consistent_defaults();
    mtc_consistent_result r;
    o.neighbors_of = &one;
    o.distances = 1;
    ASSERT_EQ(MTC_OK, mtc_consistent(NULL, &X, 1, &o, &r));
    const mtc_data *M = &r.M[0];
    ASSERT_EQ(2, M->row[3] - M->row[2]);
    ASSERT_EQ(0, M->column[M->row[2]]);
    ASSERT_EQ(1, M->column[M->row[2] + 1]);
    ASSERT(M->values[M->row[2] + 1] == 1);
    mtc_free(NULL, &r.block);
    PASS();
}

/* W'W = I, also where the directions differ in size by far. */
TEST the_subspace_of_lssmtc_is_orthonormal(void)
{
    enum { N = 20, D = 4 };
    for (uint64_t seed = 1; seed <= 20; seed++) {
        mtc_real x[N * D];
        mtc_lssmtc_options o = mtc_lssmtc_defaults();
        mtc_lssmtc_result r;
        mtc_data X = mtc_dense(N, D, x);
        test_fill(x, N * D, seed, -1, 1);
        for (size_t i = 0; i < N; i++)
            x[i * D] *= sizeof(mtc_real) == 8 ? 10000 : 100;
        o.clusters = 4;
        ASSERT_EQ(MTC_OK, mtc_lssmtc(NULL, &X, 1, &o, &r));
        for (size_t a = 0; a < r.subspace; a++)
            for (size_t b = 0; b <= a; b++) {
                mtc_real dot = 0;
                for (size_t j = 0; j < D; j++)
                    dot += r.W[j * r.width + a] * r.W[j * r.width + b];
                ASSERT(MTC_FABS(dot - (a == b)) <= 50 * TEST_EPS);
            }
        mtc_free(NULL, &r.block);
    }
    PASS();
}

/* Centers that start far beyond the samples leave no trace but rounding: {1, 2,
 * 3} have the mean 2 and the loss 2, wherever the center was. */
TEST a_far_start_leaves_no_trace(int csr)
{
    const mtc_real x[3] = {1, 2, 3};
    const size_t row[4] = {0, 1, 2, 3};
    const uint32_t column[3] = {0, 0, 0};
    mtc_data X = csr ? mtc_csr(3, 1, row, column, x) : mtc_dense(3, 1, x);
    const mtc_real last = MTC_EPS < 1e-9 ? (mtc_real)1e12 : (mtc_real)1e4;
    for (mtc_real far = 1; far <= last; far *= 10000) {
        mtc_kmeans_options o = mtc_kmeans_defaults();
        mtc_kmeans_result r;
        o.clusters = 1;
        o.start_centers = &far;
        ASSERT_EQ(MTC_OK, mtc_kmeans(NULL, &X, &o, &r));
        ASSERT(r.converged);
        ASSERT(MTC_FABS(r.centers[0] - 2) <= 16 * TEST_EPS * far);
        ASSERT(MTC_FABS(r.loss - 2) <= 16 * TEST_EPS * far);
        mtc_free(NULL, &r.block);
    }
    PASS();
}

/* Two equal rows of different classes have multipliers at the bound.  Where
 * the rounding of their kernel hides the other rows, nothing is proved: the
 * machine is right, or it has not converged. */
TEST an_svm_of_large_rows_is_right_or_says_no(void)
{
    const mtc_real small[6] = {1, 1, 3, -2, -1, (mtc_real)0.5};
    const int y[6] = {0, 1, 1, 0, 0, 0}, right[6] = {0, 0, 1, 0, 0, 0};
    const mtc_real last = MTC_EPS < 1e-9 ? (mtc_real)1e10 : (mtc_real)1e8;
    for (mtc_real unit = 1; unit <= last; unit *= 10) {
        mtc_real x[6];
        int labels[6];
        mtc_data X = mtc_dense(6, 1, x);
        mtc_svm_result r;
        for (size_t i = 0; i < 6; i++)
            x[i] = unit * small[i];
        ASSERT_EQ(MTC_OK, mtc_svm(NULL, &X, y, NULL, &r));
        ASSERT_EQ(MTC_OK, mtc_svm_assign(NULL, &X, &X, &r, labels, NULL));
        ASSERT(!r.converged || memcmp(labels, right, sizeof right) == 0);
        ASSERT(r.converged == (MTC_EPS * unit * unit < (mtc_real)1e-3));
        ASSERT(r.converged == (r.gap[0] <= (mtc_real)1e-3));
        mtc_free(NULL, &r.block);
    }
    PASS();
}

/* Rows of far different sizes: a step that is nothing beside one multiplier
 * moves the decision of a large row by far.  What is called converged is, by
 * the conditions of the optimum written out. */
TEST an_svm_of_rows_of_all_sizes_is_right_or_says_no(void)
{
    const double wide[4] = {-2e5, 3e7, -5e-5, 5e-2};
    const double less[4] = {-2e2, 3e3, -5e-5, 5e-4};
    const double *given = sizeof(mtc_real) == 8 ? wide : less;
    const int y[4] = {0, 0, 0, 1};
    mtc_real x[4];
    double F[4], top = -1e300, bottom = 1e300;
    mtc_data X = mtc_dense(4, 1, x);
    mtc_svm_options o = mtc_svm_defaults();
    mtc_svm_result r;
    o.cost = 100;
    for (size_t i = 0; i < 4; i++)
        x[i] = (mtc_real)given[i];
    ASSERT_EQ(MTC_OK, mtc_svm(NULL, &X, y, &o, &r));
    for (size_t k = 0; k < 4; k++) {
        double b = (double)r.coefficients[k], sign = y[k] == 1 ? 1 : -1;
        F[k] = sign;
        for (size_t i = 0; i < 4; i++)
            F[k] -= (double)r.coefficients[i] * ((double)x[i] * (double)x[k]);
        if (b < (y[k] == 1 ? 100 : 0))
            top = F[k] > top ? F[k] : top;
        if (b > (y[k] == 1 ? 0 : -100))
            bottom = F[k] < bottom ? F[k] : bottom;
    }
    ASSERT(!r.converged || top - bottom <= 2 * (double)o.tolerance);
    mtc_free(NULL, &r.block);
    PASS();
}

/* Sums of squares, shares and informations that rounding would take out of
 * their range: exact factors, equal runs, labels that a walk forgets. */
TEST results_stay_in_their_range(uint64_t seed)
{
    enum { N = 24, K = 3 };
    mtc_real M[N * N], x[N];
    int z[N], half[N];
    const int *runs[3] = {z, z, z}, *parts[2] = {z, half};
    mtc_random rng = mtc_random_seed(seed);
    for (size_t i = 0; i < N; i++) {
        z[i] = (int)(i < K ? i : mtc_random_below(&rng, K));
        half[i] = (int)mtc_random_below(&rng, 2);
        x[i] = mtc_random_normal(&rng);
    }
    for (size_t i = 0; i < N * N; i++)
        M[i] = z[i / N] == z[i % N];
    mtc_data S = mtc_dense(N, N, M), X = mtc_dense(N, 1, x);
    mtc_judge_result j;
    ASSERT_EQ(MTC_OK, mtc_judge(NULL, &X, parts, 2, K, &j));
    for (size_t p = 0; p < 2; p++)
        ASSERT(j.of[p].info_near >= 0 && j.of[p].info_far >= 0);
    mtc_free(NULL, &j.block);

    mtc_snmf_options o = mtc_snmf_defaults();
    mtc_snmf_result f;
    o.clusters = K;
    o.start_labels = z;
    ASSERT_EQ(MTC_OK, mtc_snmf(NULL, &S, &o, &f));
    for (size_t i = 0; i <= f.iterations; i++)
        ASSERT(f.objective[i] >= 0);
    mtc_free(NULL, &f.block);

    mtc_vote_options v = mtc_vote_defaults();
    mtc_vote_result r;
    const mtc_real weights[3] = {(mtc_real).1, (mtc_real).7, (mtc_real).3};
    v.clusters = K;
    v.weights = weights;
    ASSERT_EQ(MTC_OK, mtc_vote(NULL, N, runs, 3, &v, &r));
    for (size_t i = 0; i < N; i++)
        ASSERT(r.stability[i] <= 1);
    mtc_free(NULL, &r.block);
    PASS();
}

/* Small data and small weights together keep their squares: the loss and the
 * labels are those of the large ones. */
TEST weighted_squares_do_not_vanish(void)
{
    const mtc_real unit = sizeof(mtc_real) == 8 ? (mtc_real)1e-40
                                                : (mtc_real)1e-8;
    const mtc_real least = sizeof(mtc_real) == 8 ? (mtc_real)1e-44
                                                 : (mtc_real)1e-8;
    mtc_real x[4] = {1, 2, 8, 9}, w[4] = {least, least, 0, least};
    mtc_data X = mtc_dense(4, 1, x);
    mtc_kmeans_options o = mtc_kmeans_defaults();
    mtc_kmeans_result r;
    o.weights = w;
    for (size_t i = 0; i < 4; i++)
        x[i] *= unit;
    ASSERT_EQ(MTC_OK, mtc_kmeans(NULL, &X, &o, &r));
    ASSERT_IN_RANGE(0.5, r.loss / least / unit / unit, 64 * TEST_EPS);
    ASSERT(r.labels[0] == r.labels[1] && r.labels[2] == r.labels[3] &&
           r.labels[1] != r.labels[2]);
    mtc_free(NULL, &r.block);
    PASS();
}

SUITE(laws_suite)
{
    for (size_t m = 0; m < sizeof law_rows / sizeof law_rows[0]; m++)
        for (int law = 0; law < LAWS; law++) {
            if ((law == LAW_SCALE && !(law_rows[m].flags & SCALES)) ||
                (law == LAW_TASKS && !(law_rows[m].flags & SYMMETRIC)) ||
                (law == LAW_COPIES
                 && !(law_rows[m].flags & (ADDS | MEAN))))
                continue;
            for (int csr = 0; csr < 2; csr++) {
                char name[64];
                snprintf(name, sizeof name, "%s_%s_%s", law_rows[m].name,
                         law_names[law], csr ? "csr" : "dense");
                greatest_set_test_suffix(name);
                RUN_TESTp(law_holds, &law_rows[m], law, csr);
            }
        }
    RUN_TEST(weights_of_kmeans_are_copies);
    for (size_t c = 0; c < sizeof weighed / sizeof weighed[0]; c++) {
        greatest_set_test_suffix(weighed[c].name);
        RUN_TESTp(weights_count_by_their_ratios, weighed[c].call);
    }
    RUN_TEST(small_weights_do_not_move_a_center);
    RUN_TEST(weighted_squares_do_not_vanish);
    for (int csr = 0; csr < 2; csr++) {
        RUN_TESTp(a_divergence_sees_small_and_large_rows, mtc_kl(), csr);
        RUN_TESTp(a_divergence_sees_small_and_large_rows, mtc_itakura_saito(),
                  csr);
        RUN_TESTp(a_far_row_ties_no_distances, csr);
        RUN_TESTp(a_far_start_leaves_no_trace, csr);
    }
    RUN_TEST(an_svm_of_large_rows_is_right_or_says_no);
    RUN_TEST(an_svm_of_rows_of_all_sizes_is_right_or_says_no);
    for (uint64_t seed = 1; seed <= 20; seed++)
        RUN_TESTp(results_stay_in_their_range, seed);
    RUN_TEST(scores_do_not_depend_on_names);
    RUN_TEST(transport_scales_and_turns_round);
    RUN_TEST(distances_are_symmetric);
    RUN_TEST(the_subspace_of_lssmtc_is_orthonormal);
    RUN_TEST(lssmtc_never_rises_where_clusters_crowd);
    RUN_TEST(a_vote_does_not_depend_on_names_or_order);
    RUN_TEST(features_of_msda_follow_their_samples);
    greatest_set_test_suffix("half");
    RUN_TESTp(features_of_msda_are_the_same_in_both_forms, .5);
    greatest_set_test_suffix("little");
    RUN_TESTp(features_of_msda_are_the_same_in_both_forms, 1e-3);
    greatest_set_test_suffix("least");
    RUN_TESTp(features_of_msda_are_the_same_in_both_forms, 1e-8);
    for (size_t r = 0; r < METHOD_ROWS; r++) {
        greatest_set_test_suffix(method_rows[r].name);
        RUN_TESTp(results_have_nothing_wrong, &method_rows[r], 24, 9);
        greatest_set_test_suffix(method_rows[r].name);
        RUN_TESTp(extreme_options_are_refused_or_borne, &method_rows[r]);
        greatest_set_test_suffix(method_rows[r].name);
        RUN_TESTp(extreme_numbers_are_refused_or_borne, &method_rows[r]);
    }
}
