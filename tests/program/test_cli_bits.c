/* SPDX-License-Identifier: MIT
 *
 * test_cli_bits.c - what is printed is what the library says, to the last bit.
 */
#include "../../examples/compared/compared.h"
#include "cli.h"

enum { BIT_N = 40, BIT_D = 4, BIT_K = 3 };

typedef struct bit_data {
    mtc_real X[3][BIT_N * BIT_D];
    int y[3][BIT_N];
    mtc_data view[3];
    const int *labels[3];
} bit_data;

/* Three tasks, positive values, written as bit0.csv .. in full precision. */
static const bit_data *write_bits(void)
{
    static bit_data b;
    double rows[BIT_N * BIT_D];
    mtc_random r = mtc_random_seed(5);
    for (size_t t = 0; t < 3; t++) {
        char name[20];
        for (size_t i = 0; i < BIT_N; i++) {
            b.y[t][i] = (int)(i % BIT_K);
            for (size_t j = 0; j < BIT_D; j++) {
                mtc_real x = (mtc_real)(j == i % BIT_K ? 3 : 1) +
                             (mtc_real)t / 4 + 2 * mtc_random_real(&r);
                b.X[t][i * BIT_D + j] = x;
                rows[i * BIT_D + j] = (double)x;
            }
        }
        sprintf(name, "bit%d.csv", (int)t);
        write_rows(name, BIT_N, BIT_D, rows, b.y[t]);
        b.view[t] = mtc_dense(BIT_N, BIT_D, b.X[t]);
        b.labels[t] = b.y[t];
    }
    return &b;
}

/* Is the array at the path x [n], bit for bit, and no longer? */
static int json_equal(const char *path, size_t n, const mtc_real *x)
{
    char at[80];
    for (size_t i = 0; i < n; i++) {
        sprintf(at, "%s.%d", path, (int)i);
        if (json_number(at) != (double)x[i])
            return 0;
    }
    sprintf(at, "%s.%d", path, (int)n);
    return json_at(cli_last()->out, at) == NULL;
}

static int json_rows(const char *path, size_t m, size_t n, const mtc_real *x)
{
    char at[80];
    for (size_t i = 0; i < m; i++) {
        sprintf(at, "%s.%d", path, (int)i);
        if (!json_equal(at, n, x + i * n))
            return 0;
    }
    return 1;
}

static int json_labels(size_t task, const int *labels)
{
    char at[80];
    for (size_t i = 0; i < BIT_N; i++) {
        sprintf(at, "tasks.%d.labels.%d", (int)task, (int)i);
        if (json_number(at) != labels[i])
            return 0;
    }
    return 1;
}

TEST json_has_the_bits_of_single_learners(void)
{
    const bit_data *b = write_bits();
    mtc_kmeans_options ko = mtc_kmeans_defaults();
    mtc_ncut_options no = mtc_ncut_defaults();
    mtc_ec_options eo = mtc_ec_defaults();
    mtc_kmeans_result km;
    mtc_ncut_result cut;
    mtc_ec_result ec;
    ko.clusters = no.clusters = eo.clusters = BIT_K;
    ASSERT_EQ(MTC_OK, mtc_kmeans(NULL, &b->view[0], &ko, &km));
    RUNS(0, "cluster kmeans bit0.csv --json -");
    ASSERT(json_labels(0, km.labels));
    ASSERT(json_equal("objective", km.iterations + 1, km.objective));
    mtc_free(NULL, &km.block);
    ASSERT_EQ(MTC_OK, mtc_ncut(NULL, &b->view[0], &no, &cut));
    RUNS(0, "cluster ncut --similarity cosine bit0.csv --json -");
    ASSERT(json_labels(0, cut.labels));
    ASSERT(json_equal("cut", 1, &cut.cut));
    mtc_free(NULL, &cut.block);
    ASSERT_EQ(MTC_OK, mtc_ec(NULL, &b->view[0], &eo, &ec));
    RUNS(0, "cluster ec bit0.csv --json -");
    ASSERT(json_labels(0, ec.labels));
    ASSERT(json_equal("ensemble.0.stability", BIT_N, ec.vote.stability));
    ASSERT(json_equal("ensemble.0.singular_values", ec.vote.rank,
                      ec.vote.singular_values));
    mtc_free(NULL, &ec.block);
    PASS();
}

/* The consensus of single runs of k-means, each with a seed of its own, by
 * their losses. */
TEST json_has_the_bits_of_a_vote(void)
{
    enum { RUNS_OF = 4 };
    const bit_data *b = write_bits();
    int labels[RUNS_OF][BIT_N];
    const int *runs[RUNS_OF];
    mtc_real losses[RUNS_OF];
    mtc_vote_options opt = mtc_vote_defaults();
    mtc_vote_result res;
    for (size_t r = 0; r < RUNS_OF; r++) {
        mtc_context ctx = test_context();
        mtc_kmeans_options ko = mtc_kmeans_defaults();
        mtc_kmeans_result km;
        ctx.seed = 7 + r;
        ko.clusters = BIT_K;
        ko.restarts = 1;
        ASSERT_EQ(MTC_OK, mtc_kmeans(&ctx, &b->view[0], &ko, &km));
        memcpy(labels[r], km.labels, sizeof labels[r]);
        runs[r] = labels[r];
        losses[r] = km.loss;
        mtc_free(&ctx, &km.block);
    }
    mtc_context ctx = test_context();
    ctx.seed = 7;
    opt.clusters = BIT_K;
    opt.losses = losses;
    ASSERT_EQ(MTC_OK, mtc_vote(&ctx, BIT_N, runs, RUNS_OF, &opt, &res));
    RUNS(0, "cluster vote --restarts 4 --seed 7 bit0.csv --json -");
    ASSERT(json_labels(0, res.labels));
    ASSERT(json_equal("stability", 1, &res.mean_stability));
    ASSERT(json_equal("objective", res.iterations + 1, res.objective));
    mtc_free(&ctx, &res.block);
    PASS();
}

TEST json_has_the_bits_of_methods_that_share(void)
{
    const bit_data *b = write_bits();
    mtc_lssmtc_options lo = mtc_lssmtc_defaults();
    mtc_mbc_options mo = mtc_mbc_defaults();
    mtc_mtcfir_options fo = mtc_mtcfir_defaults();
    mtc_lssmtc_result lss;
    mtc_mbc_result mbc;
    mtc_mtcfir_result fir;
    lo.clusters = mo.clusters = fo.clusters = BIT_K;
    ASSERT_EQ(MTC_OK, mtc_lssmtc(NULL, b->view, 3, &lo, &lss));
    RUNS(0, "cluster lssmtc bit0.csv bit1.csv bit2.csv --json -");
    ASSERT(json_labels(2, lss.labels[2]));
    ASSERT(json_equal("objective", lss.iterations + 1, lss.objective));
    ASSERT(json_rows("relatedness", 3, 3, lss.relatedness));
    mtc_free(NULL, &lss.block);
    ASSERT_EQ(MTC_OK, mtc_mbc(NULL, b->view, 3, &mo, &mbc));
    RUNS(0, "cluster mbc bit0.csv bit1.csv bit2.csv --json -");
    ASSERT(json_labels(1, mbc.labels[1]));
    ASSERT(json_equal("objective", mbc.iterations + 1, mbc.objective));
    ASSERT(json_rows("d_M", 3, 3, mbc.coherence));
    ASSERT(json_rows("correspondence.5.weights", 3, 3, mbc.plans[7]));
    ASSERT(json_equal("within", 3, mbc.within));
    mtc_free(NULL, &mbc.block);
    ASSERT_EQ(MTC_OK, mtc_mtcfir(NULL, b->view, 3, &fo, &fir));
    RUNS(0, "cluster mtcfir bit0.csv bit1.csv bit2.csv --json -");
    ASSERT(json_labels(2, fir.labels[2]));
    ASSERT(json_equal("objective.1", fir.iterations[1] + 1,
                      fir.objective[1]));
    ASSERT(json_rows("alpha", 3, 3, fir.alpha));
    ASSERT(json_rows("relatedness", 3, 3, fir.relatedness));
    mtc_free(NULL, &fir.block);
    PASS();
}

TEST json_has_the_bits_of_guard_and_auto(void)
{
    const bit_data *b = write_bits();
    mtc_guard_options go = mtc_guard_defaults();
    mtc_auto_options ao = mtc_auto_defaults();
    mtc_guard_result guard;
    mtc_auto_result all;
    go.clusters = ao.clusters = BIT_K;
    ASSERT_EQ(MTC_OK, mtc_guard(NULL, b->view, 3, &go, &guard));
    RUNS(0, "cluster mbc --guard bit0.csv bit1.csv bit2.csv --json -");
    for (size_t t = 0; t < 3; t++) {
        static const char *const names[] = {
            "stability_single", "stability_shared", "agreement_ab",
            "loss_single", "loss_shared"};
        const mtc_real *of[] = {guard.stability_single, guard.stability_shared,
                                guard.agreement, guard.loss_single,
                                guard.loss_shared};
        ASSERT(json_labels(t, guard.labels[t]));
        for (size_t i = 0; i < 5; i++) {
            char path[60];
            sprintf(path, "guard.%d.%s", (int)t, names[i]);
            ASSERT_EQm(path, (double)of[i][t], json_number(path));
        }
    }
    mtc_free(NULL, &guard.block);
    ASSERT_EQ(MTC_OK, mtc_auto(NULL, b->view, 3, &ao, &all));
    RUNS(0, "cluster auto bit0.csv bit1.csv bit2.csv --json -");
    for (size_t t = 0; t < 3; t++) {
        char path[60];
        ASSERT(json_labels(t, all.labels[t]));
        sprintf(path, "auto.tasks.%d.agreement", (int)t);
        ASSERT_EQ((double)all.agreement[t], json_number(path));
        sprintf(path, "auto.tasks.%d.agreement_ab", (int)t);
        ASSERT_EQ((double)all.agreement_ab[t], json_number(path));
        sprintf(path, "auto.tasks.%d.candidates.3.score", (int)t);
        ASSERT_EQ((double)all.candidate[t * MTC_AUTO_CANDIDATES + 3].score,
                  json_number(path));
        for (size_t f = 0; f < all.families; f++) {
            sprintf(path, "auto.tasks.%d.families.%s", (int)t, all.name[f]);
            ASSERT_EQm(path, (double)all.by_family[t * all.families + f],
                       json_number(path));
        }
    }
    mtc_free(NULL, &all.block);
    PASS();
}

TEST json_has_the_bits_of_transfer_methods(void)
{
    const bit_data *b = write_bits();
    mtc_lssmtc_options lo = mtc_lssttc_defaults();
    mtc_ttl_options to = mtc_ttl_defaults();
    mtc_trec_options ro = mtc_trec_defaults();
    cmp_propagate_options po = cmp_propagate_defaults();
    mtc_lssmtc_result lss;
    mtc_ttl_result ttl;
    mtc_trec_result trec;
    cmp_propagate_result gfhf;
    lo.clusters = to.classes = ro.ec.clusters = po.classes = BIT_K;
    ASSERT_EQ(MTC_OK, mtc_lssttc(NULL, b->view, b->labels, 2, &b->view[2],
                                 &lo, &lss));
    RUNS(0, "transfer lssttc --source bit0.csv bit1.csv --target bit2.csv "
            "--json -");
    ASSERT(json_labels(0, lss.labels[2]));
    ASSERT(json_equal("objective", lss.iterations + 1, lss.objective));
    mtc_free(NULL, &lss.block);
    ASSERT_EQ(MTC_OK, mtc_ttl(NULL, b->view, b->labels, 1, &b->view[1], NULL,
                              1, &b->view[2], &to, &ttl));
    RUNS(0, "transfer ttl --source bit0.csv --bridge bit1.csv --target "
            "bit2.csv --json -");
    ASSERT(json_labels(0, ttl.labels));
    ASSERT(json_equal("objective", ttl.iterations + 1, ttl.objective));
    ASSERT(json_rows("target_classes", BIT_N, BIT_K, ttl.target));
    mtc_free(NULL, &ttl.block);
    ASSERT_EQ(MTC_OK, mtc_trec(NULL, &b->view[0], b->labels[0], &b->view[2],
                               &ro, &trec));
    RUNS(0, "transfer trec --source bit0.csv --target bit2.csv --json -");
    ASSERT(json_labels(0, trec.labels));
    ASSERT(json_equal("objective", trec.iterations + 1, trec.objective));
    ASSERT(json_equal("same", ro.ec.runs + 1, trec.same));
    mtc_free(NULL, &trec.block);
    ASSERT_EQ(MTC_OK, cmp_propagate(NULL, b->view, b->labels, 2, &b->view[2],
                                    &po, &gfhf));
    RUNS(0, "transfer gfhf --source bit0.csv bit1.csv --target bit2.csv "
            "--json -");
    ASSERT(json_labels(0, gfhf.labels));
    ASSERT_EQ((double)gfhf.residual, json_number("residual"));
    mtc_free(NULL, &gfhf.block);
    PASS();
}

TEST json_has_the_bits_of_measures(void)
{
    const bit_data *b = write_bits();
    mtc_real distance;
    ASSERT_EQ(MTC_OK, mtc_a_distance(NULL, &b->view[0], &b->view[1],
                                     &distance));
    RUNS(0, "relate bit0.csv bit1.csv --json -");
    ASSERT_EQ((double)distance, json_number("a_distance.0.1"));
    PASS();
}

SUITE(cli_bits_suite)
{
    if (!cli_ready())
        return;
    RUN_TEST(there_is_room_for_files);
    SET_SETUP(cli_setup, NULL);
    RUN_TEST(json_has_the_bits_of_single_learners);
    RUN_TEST(json_has_the_bits_of_a_vote);
    RUN_TEST(json_has_the_bits_of_methods_that_share);
    RUN_TEST(json_has_the_bits_of_guard_and_auto);
    RUN_TEST(json_has_the_bits_of_transfer_methods);
    RUN_TEST(json_has_the_bits_of_measures);
}
