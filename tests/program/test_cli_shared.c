/* SPDX-License-Identifier: MIT
 *
 * test_cli_shared.c - methods of `cluster` that share between
 * tasks, guard and auto.
 */
#include "golden/fir.h"
#include "golden/mbc.h"
#include "cli.h"

TEST lssmtc_shares_between_tasks_and_reports_how(void)
{
    RUNS(0, "cluster lssmtc --k 2 --iterations 5 a.csv b.csv --json -");
    ASSERT(json_is("tasks.0.labels.0", "0") ||
           json_is("tasks.0.labels.0", "1"));
    ASSERT_EQ(json_number("tasks.0.labels.0"),
              json_number("tasks.1.labels.0"));     /* named alike */
    ASSERT_EQ(json_number("tasks.0.labels.3"),
              json_number("tasks.1.labels.3"));
    ASSERT(!json_is("objective", "[["));            /* one for all tasks */
    ASSERT(json_at(cli_last()->out, "objective.5") != NULL);
    ASSERT(json_at(cli_last()->out, "objective.6") == NULL);
    JSON_NEAR("relatedness.0.0", 1);
    JSON_NEAR("relatedness.1.1", 1);
    JSON_NEAR("correspondence.0.from", 0);
    JSON_NEAR("correspondence.0.to", 1);
    JSON_NEAR("options.lambda", 0.75);
    JSON_NEAR("options.subspace", 2);               /* as used */
    PASS();
}

TEST lssmtc_starts_from_init_and_needs_one_k(void)
{
    /* lambda 1, offset 0: the objective starts at the squares about the
     * means of the start's clusters, 4 * 5^2 in a and 4 * 1^2 in b. */
    RUNS(0, "cluster lssmtc --k 2 --lambda 1 --offset 0 "
            "--init bad.txt,good.txt a.csv b.csv --json -");
    JSON_NEAR("objective.0", 104);
    RUNS(2, "cluster lssmtc --k 2,3 a.csv b.csv");
    RUNS(2, "cluster lssmtc --k 2 --lambda 1.5 a.csv b.csv");
    RUNS(2, "cluster lssmtc --k 2 --mode exact a.csv b.csv");
    RUNS(0, "cluster asi --k 2 a.csv b.csv --json -");
    ASSERT(json_is("objective", "[["));
    ASSERT(json_is("relatedness", "null"));
    PASS();
}

/* Writes tasks and starts of a worked case as t0.csv, s0.txt, ...; appends
 * ` --k K,.. --init FILE,.. FILE.. --json -` to the command. */
static void write_tasks(size_t tasks, size_t d, const size_t *n,
                        const size_t *k, const double *const *X,
                        const int *const *start, char *args)
{
    char files[100] = "", init[100] = "";
    strcat(args, " --k ");
    for (size_t t = 0; t < tasks; t++) {
        char name[20];
        sprintf(args + strlen(args), t == 0 ? "%d" : ",%d", (int)k[t]);
        sprintf(name, "t%d.csv", (int)t);
        write_numbers(name, n[t] * d, d, X[t]);
        sprintf(files + strlen(files), "%s ", name);
        sprintf(name, "s%d.txt", (int)t);
        write_labels(name, n[t], start[t]);
        sprintf(init + strlen(init), t == 0 ? "%s" : ",%s", name);
    }
    sprintf(args + strlen(args), " --init %s %s--json -", init, files);
}

/* d_M has the scale of the data, not of the loss: it is held to 1e-8 of the
 * first loss, like everything here. */
static enum greatest_test_res mbc_pairs(const golden_mbc *g, double close)
{
    char path[60];
    for (size_t p = 0; p < g->tasks * (g->tasks - 1); p++) {
        size_t t = p / (g->tasks - 1), s = p % (g->tasks - 1);
        s += s >= t;
        for (size_t e = 0; e < g->k[t] * g->k[s]; e++) {
            sprintf(path, "correspondence.%d.weights.%d.%d", (int)p,
                    (int)(e / g->k[s]), (int)(e % g->k[s]));
            ASSERT_IN_RANGEm(g->name, g->W[t][s][e], json_number(path), 1e-6);
        }
        sprintf(path, "d_M.%d.%d", (int)t, (int)s);
        ASSERT_IN_RANGEm(g->name, g->d_M[t][s], json_number(path), close);
    }
    PASS();
}

TEST mbc_runs_worked_cases_from_files(void)
{
    int wide = sizeof(mtc_real) == 8;
    for (size_t c = 0; c < sizeof golden_mbcs / sizeof *golden_mbcs; c++) {
        const golden_mbc *g = &golden_mbcs[c];
        double close = (wide ? 1e-8 : 1e-3) * (1 + g->loss[0]);
        char args[400], path[60];
        sprintf(args, "cluster mbc --preprocess none --divergence %s "
                "--lambda %.17g "
                "--iterations %d", g->divergence, g->lambda, (int)g->most);
        if (g->metric != NULL) {
            write_numbers("metric.csv", g->d * g->d, g->d, g->metric);
            strcat(args, " --metric metric.csv");
        }
        write_tasks(g->tasks, g->d, g->n, g->k, g->X, g->start, args);
        ASSERT_EQ_FMTm(g->name, 0, cli(args), "%d");
        for (size_t t = 0; t < g->tasks; t++)
            ASSERTm(g->name, json_task_labels(t, g->n[t], g->labels[t]));
        if (wide)
            JSON_NEAR("iterations", (double)g->steps);
        for (size_t i = 0; i <= (wide ? g->steps : 2); i++) {
            sprintf(path, "objective.%d", (int)i);
            ASSERT_IN_RANGEm(g->name, g->loss[i], json_number(path), close);
        }
        CHECK_CALL(mbc_pairs(g, 10 * close));
        JSON_NEAR("d_M.1.1", 0);
        JSON_NEAR("relatedness.0.0", 1);
        ASSERT(json_number("gap") <= 1e-5);
    }
    PASS();
}

TEST mbc_reports_and_refuses(void)
{
    RUNS(0, "cluster mbc --k 2,3 --lambda 7 a.csv b.csv --json -");
    JSON_NEAR("options.lambda", 7);
    ASSERT(json_is("options.divergence", "\"sqeuclidean\""));
    ASSERT(json_at(cli_last()->out, "correspondence.0.weights.1.2") != NULL);
    ASSERT(json_at(cli_last()->out, "correspondence.0.weights.2") == NULL);
    ASSERT(json_at(cli_last()->out, "correspondence.1.weights.2.1") != NULL);
    RUNS(0, "cluster mbc --k 2 --divergence kl --smooth .5 a.csv b.csv "
            "--restarts 3");
    OUT_HAS("a ");
    RUNS(1, "cluster mbc --k 2 --divergence kl a.csv b.csv");
    ERR_HAS("--divergence kl needs values above 0; --smooth .1 adds");
    RUNS(0, "cluster mbc --k 2 --pool a.csv b.csv --json -");
    RUNS(1, "cluster mbc --k 2 --divergence kl a.csv b.csv");
    ERR_HAS("a: ");
    ERR_HAS("domain");
    ERR_HAS("sample 1, feature 1");
    RUNS(2, "cluster mbc --k 2 --lambda -1 a.csv b.csv");
    RUNS(2, "cluster mbc --k 2 --divergence cosine a.csv b.csv");
    RUNS(2, "cluster mbc --k 2 --divergence mahalanobis a.csv b.csv");
    RUNS(2, "cluster mbc --k 2 --metric metric.csv a.csv b.csv");
    cli_write("metric.csv", "1,2\n2,1\n");
    RUNS(1, "cluster mbc --k 2 --divergence mahalanobis --metric metric.csv "
            "a.csv b.csv");
    ERR_HAS("not positive definite");
    cli_write("metric.csv", "1,.5\n.25,1\n");
    RUNS(1, "cluster mbc --k 2 --divergence mahalanobis --metric metric.csv "
            "a.csv b.csv");
    ERR_HAS("not symmetric");
    cli_write("metric.csv", "1\n");
    RUNS(1, "cluster mbc --k 2 --divergence mahalanobis --metric metric.csv "
            "a.csv b.csv");
    RUNS(0, "help mbc");
    OUT_HAS("--lambda X in [0,inf)  (default .5)");
    OUT_HAS("--tolerance X in [0,inf)  (default 1e-10)");
    PASS();
}

/* Runs a worked case: with as many neighbors, but the command line knows
 * shares of n / k. */
static int run_fir_case(const golden_fir *g)
{
    char args[600];
    sprintf(args, "cluster mtcfir --variant %s --layers %d --noise %.17g "
            "--ridge %.17g --iterations 20 --tolerance 0 --neighbors ",
            g->variant, (int)g->layers, g->noise, g->ridge);
    for (size_t t = 0; t < g->tasks; t++)
        sprintf(args + strlen(args), t == 0 ? "%.3f" : ",%.3f",
                ((double)g->l[t] - .5) * (double)g->k[t] / (double)g->n[t]);
    write_tasks(g->tasks, g->d, g->n, g->k, g->X, g->start, args);
    return cli(args);
}

TEST mtcfir_runs_worked_cases_from_files(void)
{
    size_t cases = sizeof golden_fir_cases / sizeof *golden_fir_cases;
    double near = sizeof(mtc_real) == 8 ? 1e-8 : 1e-2;
    for (size_t c = 0; c < cases; c++) {
        const golden_fir *g = &golden_fir_cases[c];
        char path[60];
        ASSERT_EQ_FMTm(g->name, 0, run_fir_case(g), "%d");
        ASSERT(json_is("objective", "[["));         /* one for each task */
        for (size_t t = 0; t < g->tasks; t++) {
            sprintf(path, "neighbors.%d", (int)t);
            ASSERT_EQm(g->name, (double)g->l_used[t], json_number(path));
            for (size_t i = 0; i < 21; i++) {
                sprintf(path, "objective.%d.%d", (int)t, (int)i);
                ASSERT_IN_RANGEm(g->name, g->objective[t][i],
                                 json_number(path),
                                 near * (1 + g->objective[t][0]));
            }
            if (sizeof(mtc_real) == 8)
                ASSERTm(g->name, json_task_labels(t, g->n[t], g->labels[t]));
            for (size_t s = 0; s < g->tasks; s++) {
                sprintf(path, "relatedness.%d.%d", (int)t, (int)s);
                ASSERT_IN_RANGEm(g->name, g->scaled[g->tasks * t + s],
                                 json_number(path), near);
                sprintf(path, "alpha.%d.%d", (int)t, (int)s);
                ASSERT_IN_RANGEm(g->name, g->alpha[g->tasks * t + s],
                                 json_number(path), near);
            }
            sprintf(path, "threshold.%d", (int)t);
            ASSERT_IN_RANGEm(g->name, g->eps[t], json_number(path), near);
        }
    }
    PASS();
}

TEST mtcfir_takes_its_options_and_refuses_others(void)
{
    RUNS(0, "cluster mtcfir a.csv b.csv --k 2 --variant nI "
            "--layers 1 --noise .2 --ridge 0 --json -");
    JSON_NEAR("options.layers", 1);
    JSON_NEAR("options.noise", 0.2);
    JSON_NEAR("options.ridge", 0);
    ASSERT(json_is("options.variant", "\"nI\""));
    RUNS(0, "cluster mtcfir a.csv --k 2 --json -");
    JSON_NEAR("options.layers", 3);
    JSON_NEAR("options.noise", 0.5);
    JSON_NEAR("options.neighbors", 0.3);
    JSON_NEAR("options.ridge", 1e-5);
    JSON_NEAR("options.iterations", 300);
    ASSERT_IN_RANGE(1e-6, json_number("options.tolerance"), 1e-12);
    ASSERT(json_is("options.variant", "\"full\""));
    ASSERT(json_is("objective", "[["));
    ASSERT(json_is("correspondence", "null"));
    RUNS(0, "cluster mtcfir a.csv b.csv --k 2 --layers 0 --pool");
    RUNS(0, "cluster mtcfir a.csv b.csv --k 1,4 --variant nR");
    RUNS(2, "cluster mtcfir a.csv b.csv --k 2 --noise 1");
    RUNS(2, "cluster mtcfir a.csv b.csv --k 2 --noise 0 --ridge 0");
    RUNS(2, "cluster mtcfir a.csv b.csv --k 2 --variant some");
    /* .07 of 200 / 2 are 7, though 7.000000000000001 in binary. */
    RUNS(0, "generate blobs --n 200 --k 2 --out n --quiet");
    RUNS(0, "cluster mtcfir n/blobs1.svm n/blobs2.svm --k 2 --neighbors .07,.07 "
         "--iterations 2 --json - --quiet");
    JSON_NEAR("neighbors.0", 7);
    JSON_NEAR("neighbors.1", 7);
    RUNS(2, "cluster mtcfir a.csv b.csv --k 2 --neighbors 0");
    RUNS(2, "cluster mtcfir a.csv b.csv --k 2 --neighbors .3,x");
    ERR_HAS("--neighbors x: expected numbers with commas, in (0,1]");
    RUNS(2, "cluster mtcfir a.csv b.csv --k 2 --neighbors .3,.4,.5");
    ERR_HAS("--neighbors has 3 numbers for 2 tasks");
    RUNS(2, "cluster mtcfir a.csv b.csv --k 2 --noise .5,.5");
    RUNS(0, "cluster snmf a.csv b.csv --k 2 --neighbors .5,1 --json -");
    JSON_NEAR("options.neighbors.1", 1);
    RUNS(2, "cluster mtcfir a.csv b.csv --k 2 --lambda .5");
    RUNS(2, "cluster mtcfir a.csv b.csv --k 2,2,2");
    RUNS(0, "help mtcfir");
    OUT_HAS("--layers N in [0,1000]  (default 3)");
    PASS();
}

/* Three tasks of 40 samples around the same centers. */
#define SIBLINGS "s/siblings1.svm s/siblings2.svm s/siblings3.svm "

static int write_siblings(void)
{
    return cli("generate siblings --n 40 --tasks 3 --out s --quiet");
}

TEST guard_reports_what_it_kept_and_why(void)
{
    static const char *const runs[] = {
        "cluster mbc --guard " SIBLINGS,
        "cluster lssmtc --guard --restarts 4 " SIBLINGS};
    ASSERT_EQ(0, write_siblings());
    for (int m = 0; m < 2; m++) {
        char args[300];
        sprintf(args, "%s --json -", runs[m]);
        ASSERT_EQ_FMTm(args, 0, cli(args), "%d");
        ASSERT_STR_EQ("mtc schema notices sentence apart method options "
                      "iterations converged objective tasks relatedness "
                      "correspondence groups maps guard numbered seconds ",
                      json_members(""));
        ASSERT_STR_EQ("stability_single stability_shared kept agreement_ab "
                      "loss_single loss_shared ", json_members("guard.2"));
        for (int t = 0; t < 3; t++) {
            char path[40];
            sprintf(path, "guard.%d.kept", t);
            ASSERT(json_is(path, "\"single\"") || json_is(path, "\"shared\""));
            sprintf(path, "guard.%d.stability_single", t);
            double alone = json_number(path);
            sprintf(path, "guard.%d.stability_shared", t);
            double shared = json_number(path);
            sprintf(path, "guard.%d.kept", t);
            ASSERT(alone > 0 && alone <= 1 && shared > 0 && shared <= 1);
            ASSERT_EQ(shared > alone + (m == 0 ? .025 : .1),
                      json_is(path, "\"shared\""));
            sprintf(path, "guard.%d.loss_single", t);
            ASSERT(json_number(path) > 0 && json_number(path) < 1e9);
        }
        ASSERT(json_at(cli_last()->out, "guard.3") == NULL);
        ASSERT(json_is("objective", "[]"));
        ASSERT(json_is("options.guard", "true"));
        ASSERT_EQ(m == 0 ? 10 : 4, json_number("options.restarts"));
        ASSERT_EQ(m == 0 ? 30 : 20, json_number("options.iterations"));
        JSON_NEAR("options.lambda", .5);    /* the guard's own default */
        ASSERT_EQ(0, cli(runs[m]));
        OUT_HAS("\nsiblings1: ");
        OUT_HAS("(stability alone ");
    }
    /* The answers differ, but what was kept is the more stable one. */
    RUNS(0, "generate siblings --n 30 --seed 22 --out close");
    RUNS(0, "cluster mbc --guard --k 3 close/siblings1.svm close/siblings2.svm");
    OUT_HAS("siblings2: the shared answer (stability alone 0.30, shared 0.33)\n");
    RUNS(0, "cluster lssmtc --guard --lambda .25 --iterations 3 " SIBLINGS
            "--json -");
    JSON_NEAR("options.lambda", .25);
    JSON_NEAR("options.iterations", 3);
    RUNS(0, "cluster lssmtc " SIBLINGS "--json -");
    JSON_NEAR("options.lambda", .75);
    ASSERT(json_at(cli_last()->out, "guard") == NULL);
    PASS();
}

TEST guard_serves_small_single_and_unequal_tasks(void)
{
    ASSERT_EQ(0, write_siblings());
    RUNS(0, "cluster mbc --guard --k 2,3 a.csv b.csv --json -");
    JSON_NEAR("guard.1.stability_shared", -1);      /* below 10 k samples */
    ASSERT(json_is("guard.1.kept", "\"single\""));
    RUNS(0, "cluster mbc --guard --k 2 a.csv b.csv");
    OUT_HAS("b: alone: too few samples");
    RUNS(0, "cluster mbc --guard --k 3,2,4 " SIBLINGS "--json -");
    JSON_NEAR("tasks.2.k", 4);
    ASSERT(json_number("guard.2.stability_single") > 0);
    RUNS(0, "cluster lssmtc --guard s/siblings1.svm");
    OUT_HAS("siblings1: alone");
    RUNS(0, "cluster lssmtc --guard --pool " SIBLINGS "--json -");
    ASSERT(json_at(cli_last()->out, "guard.1") == NULL);
    RUNS(2, "cluster mtcfir --guard --restarts 2 --iterations 3 " SIBLINGS);
    ERR_HAS("--guard is not an option of mtcfir");
    RUNS(2, "cluster lssmtc --guard --k 2,3 a.csv b.csv");
    RUNS(2, "cluster lssmtc --guard --k 2 --restarts 1 a.csv b.csv");
    ERR_HAS("needs 2 runs");
    RUNS(2, "cluster mbc --guard --k 2 --init good.txt,bad.txt a.csv b.csv");
    ERR_HAS("--guard makes its own starts");
    RUNS(2, "cluster mbc --guard --k 2 --gate folds a.csv b.csv");
    PASS();
}

/* Counts of 400 words, and one of a word that no other row has: nine values in
 * ten are 0, so that rows go by direction. */
#define COUNTS "g/text1.svm g/text2.svm g/wide.svm "

TEST auto_reports_how_far_families_agree(void)
{
    static char counts[CLI_TEXT];
    ASSERT_EQ(0, write_siblings());
    RUNS(0, "generate text --n 40 --tasks 3 --out g --quiet");
    cli_read(cli_path("g/text3.svm"), counts);
    cli_write("g/wide.svm", strcat(counts, "1 900:1\n"));
    RUNS(0, "cluster auto --k 3 " COUNTS "--json -");
    ASSERT_STR_EQ("geometry zeros agreement_distances agreement_directions "
                  "tasks ", json_members("auto"));
    ASSERT_STR_EQ("families agreement kept candidates margin agreement_ab "
                  "agreement_kept ", json_members("auto.tasks.2"));
    ASSERT_STR_EQ("spec own lsa lsaJ mbc lss ",
                  json_members("auto.tasks.0.families"));
    ASSERT(json_is("auto.geometry", "\"directions\""));
    ASSERT(json_number("auto.agreement_distances") > 0);
    ASSERT(json_number("auto.zeros") > .9);
    ASSERT(json_is("auto.tasks.0.kept", "null"));
    double sum = 0;
    static const char *const names[] = {"spec", "own", "lsa", "lsaJ", "mbc",
                                        "lss"};
    for (size_t f = 0; f < 6; f++) {
        char path[50];
        sprintf(path, "auto.tasks.0.families.%s", names[f]);
        sum += json_number(path);
    }
    ASSERT_IN_RANGE(sum / 6, json_number("auto.tasks.0.agreement"), 1e-6);
    JSON_NEAR("options.restarts", 10);
    ASSERT(json_is("relatedness", "null"));
    RUNS(0, "cluster auto --k 2,3,2 --restarts 2 " COUNTS "--json -");
    ASSERT_STR_EQ("spec own lsa lsaJ mbc ",             /* no lss: k differ */
                  json_members("auto.tasks.0.families"));
    RUNS(2, "cluster auto --rich " SIBLINGS);
    RUNS(0, "cluster auto " SIBLINGS "--json -");
    ASSERT(json_is("auto.agreement_distances", "null"));
    ASSERT_STR_EQ("name score path near far entropy edges smallest "
                  "allowed ",
                  json_members("auto.tasks.1.candidates.4"));
    ASSERT(json_is("auto.tasks.1.candidates.4.name", "\"tree0.5\""));
    ASSERT(json_number("auto.tasks.1.margin") >= 0);
    RUNS(0, "cluster auto a.csv --json -");
    ASSERT_STR_EQ("kmeans pca gauss knn ownD ",
                  json_members("auto.tasks.0.families"));
    JSON_NEAR("tasks.0.acc", 1);
    RUNS(0, "cluster auto b.csv");
    OUT_HAS("k by choice: too few rows to choose from (12 are needed)");
    RUNS(0, "cluster auto --k 2 b.csv");
    RUNS(2, "cluster auto --k 2 --restarts 1 b.csv");
    RUNS(0, "compare --k 2 --repeats 1 a.csv b.csv --json -");
    ASSERT(compare_row("auto", "shared") > 0);
    PASS();
}

/* Related tasks: numbers and colors are common to all.  Unrelated ones: the
 * sentence and JSON say that numbers are not. */
TEST cluster_numbers_mean_the_same_or_are_said_not_to(void)
{
    static const char *const methods[] = {"mbc", "lssmtc", "mtcfir --layers 0",
                                          "mbc --guard"};
    static char svg[CLI_TEXT];
    char args[200];
    RUNS(0, "generate siblings --out g --quiet");
    RUNS(0, "generate blobs --tasks 1 --seed 1 --out g --quiet");
    RUNS(0, "generate blobs --tasks 1 --seed 2 --out h --quiet");
    for (size_t m = 0; m < 4; m++) {
        sprintf(args, "cluster %s g/siblings1.svm g/siblings2.svm --svg p.svg",
                methods[m]);
        RUNS(0, args);
        ASSERT(strstr(cli_last()->out, "chance") == NULL);
        cli_read(cli_path("p.svg"), svg);
        ASSERT(strstr(svg, "Matched clusters have the same color") != NULL);
        strcat(args, " --json -");
        RUNS(0, args);
        JSON_NEAR("numbered.0", 1);
        JSON_NEAR("numbered.1", 1);
        for (int z = 0; z < 3 && m == 0; z++) { /* most of a row is there */
            char path[60];
            double row = 0, own;
            sprintf(path, "correspondence.0.weights.%d.%d", z, z);
            own = json_number(path);
            for (int l = 0; l < 3; l++) {
                sprintf(path, "correspondence.0.weights.%d.%d", z, l);
                row += json_number(path);
            }
            ASSERT(own > 0.6 * row);
        }
        sprintf(args, "cluster %s g/blobs1.svm h/blobs1.svm", methods[m]);
        RUNS(0, args);
        SAYS("none is in both files, as they stand");
        strcat(args, " --json -");
        RUNS(0, args);
        JSON_NEAR("numbered.0", 1);
        JSON_NEAR("numbered.1", 0);
    }
    PASS();
}

SUITE(cli_shared_suite)
{
    if (!cli_ready())
        return;
    RUN_TEST(there_is_room_for_files);
    SET_SETUP(cli_setup, NULL);
    RUN_TEST(lssmtc_shares_between_tasks_and_reports_how);
    RUN_TEST(lssmtc_starts_from_init_and_needs_one_k);
    RUN_TEST(cluster_numbers_mean_the_same_or_are_said_not_to);
    RUN_TEST(mbc_runs_worked_cases_from_files);
    RUN_TEST(mbc_reports_and_refuses);
    RUN_TEST(mtcfir_runs_worked_cases_from_files);
    RUN_TEST(mtcfir_takes_its_options_and_refuses_others);
    RUN_TEST(guard_reports_what_it_kept_and_why);
    RUN_TEST(guard_serves_small_single_and_unequal_tasks);
    RUN_TEST(auto_reports_how_far_families_agree);
}
