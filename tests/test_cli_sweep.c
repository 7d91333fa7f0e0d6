/* SPDX-License-Identifier: MIT
 *
 * test_cli_sweep.c - the command sweep and pictures of convergence.
 */
#include "cli.h"

/* Each cell is what `cluster` gives for its values and seeds. */
TEST cells_are_what_cluster_gives(void)
{
    static const char *const lambda[] = {".1", ".9"};
    static const int clusters[] = {2, 3};
    double acc[2][2], nmi[2][2], found[2][2], other[2][2], deviation[2][2];
    RUNS(0, "generate siblings --n 60 --out g --quiet");
    for (int i = 0; i < 2; i++)
        for (int s = 0; s < 2; s++) {
            char args[300];
            acc[i][s] = nmi[i][s] = deviation[i][s] = 0;
            for (int seed = 7; seed < 9; seed++) {
                sprintf(args, "cluster mbc g/siblings1.svm g/siblings2.svm "
                        "--lambda %s --k %d --seed %d --json -", lambda[i],
                        clusters[s], seed);
                RUNS(0, args);
                double mean = (json_number("tasks.0.acc") +
                               json_number("tasks.1.acc")) / 2;
                deviation[i][s] = seed == 7 ? mean
                                            : fabs(deviation[i][s] - mean);
                acc[i][s] += mean / 2;
                nmi[i][s] += (json_number("tasks.0.nmi") +
                              json_number("tasks.1.nmi")) / 4;
            }
        }
    RUNS(0, "sweep mbc --lambda .1,.9 --k 2,3 g/siblings1.svm "
            "g/siblings2.svm --repeat 2 --seed 7 --json -");
    for (int i = 0; i < 2; i++)
        for (int s = 0; s < 2; s++) {
            char path[40];
            sprintf(path, "cells.%d.acc", 2 * i + s);
            found[i][s] = json_number(path);
            sprintf(path, "cells.%d.nmi", 2 * i + s);
            other[i][s] = json_number(path);
            sprintf(path, "cells.%d.acc_sd", 2 * i + s);
            ASSERT_IN_RANGE(acc[i][s], found[i][s], 1e-12);
            ASSERT_IN_RANGE(nmi[i][s], other[i][s], 1e-12);
            ASSERT_IN_RANGE(deviation[i][s] / sqrt(2), json_number(path),
                            1e-12);
            sprintf(path, "cells.%d.k", 2 * i + s);
            JSON_NEAR(path, clusters[s]);
        }
    ASSERT(json_is("method", "\"mbc\""));
    PASS();
}

/* Two points far from two others: every seed finds them, and each cluster has
 * the loss of its two points, 4 / 4; one cluster has that of all. */
TEST cells_without_labels_have_stability_and_objective(void)
{
    cli_write("p.csv", "x\n0\n2\n100\n102\n");
    RUNS(0, "sweep kmeans --k 1,2 p.csv --preprocess none --use 1 --json - "
            "--repeat 3");
    JSON_NEAR("cells.0.stability", 1);
    JSON_NEAR("cells.1.stability", 1);
    JSON_NEAR("cells.0.objective", 4 + 10000);
    JSON_NEAR("cells.1.objective", 4);
    ASSERT(json_at(cli_last()->out, "cells.0.acc") == NULL);
    RUNS(0, "sweep kmeans --k 1,2 p.csv --preprocess none --use 1 --repeat 1");
    OUT_HAS("needs two runs a cell");
    RUNS(2, "sweep kmeans --k 1,2 p.csv --use 1 --oracle");
    ERR_HAS("--oracle needs labels");
    PASS();
}

TEST sweeps_of_transfers_have_their_files(void)
{
    RUNS(0, "sweep svm --cost .1,1,10 --source a.csv --target a.csv --json - "
            "--oracle");
    JSON_NEAR("cells.2.cost", 10);
    JSON_NEAR("cells.2.acc", 1);
    JSON_NEAR("oracle", 0);
    PASS();
}

TEST sweeps_that_make_no_sense_are_usage(void)
{
    static const struct { const char *args, *message; } bad[] = {
        {"sweep", "sweep needs a method; known: kmeans"},
        {"sweep nonsense --k 2,3 a.csv", "lssttc mbc"},
        {"sweep kmeans --sigma 1,2 a.csv", "--sigma is not an option of "
                                           "kmeans; it has: --k"},
        {"sweep kmeans --k 2 a.csv", "an option with several values"},
        {"sweep kmeans --k 2,x a.csv", "--k 2,x: sweep takes a list of numb"},
        {"sweep kmeans --k auto,3 a.csv", "--k auto,3: sweep takes a list"},
        {"sweep kmeans --k 2-4,3 a.csv", "--k 2-4,3: sweep takes a list"},
        {"sweep kmeans --k 2, a.csv", "--k 2,: sweep takes a list"},
        {"sweep lssmtc --lambda .1,5 none.csv", "--lambda 5: expected"},
        {"sweep kmeans --k 2,3 --seed x a.csv", "--seed x: expected"},
        {"sweep kmeans --k 2,3 --restarts 1,2 --iterations 1,2 a.csv",
         "two options at most"},
        {"sweep kmeans --k 2,3 --k 4 a.csv", "--k is given twice"},
        {"sweep kmeans --k 1,2 --k=1,3 a.csv", "--k is given twice"},
        {"sweep kmeans --k 2,3 -", "standard input"},
        {"sweep kmeans --k 2,3 a.csv --out w", "only --json and --svg"},
        {"sweep kmeans a.csv --k", "a value is missing"}};
    static char many[9000], args[19000];
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        RUNS(2, bad[i].args);
        ERR_HAS(bad[i].message);
    }
    many[0] = '\0';
    for (int i = 1; i <= 101; i++)
        sprintf(many + strlen(many), "%s%d", i == 1 ? "" : ",", i);
    sprintf(args, "sweep kmeans --restarts %s --iterations %s a.csv", many,
            many);
    RUNS(2, args);
    ERR_HAS("more than 10000 cells");
    PASS();
}

TEST sweeps_obey_quiet_and_the_end_of_options(void)
{
    cli_write("--n.csv", "id,x,y\n1,0,0\n2,0,1\n3,9,9\n4,9,8\n");
    RUNS(0, "sweep kmeans --k 1,2 --repeat 2 -- --n.csv");
    OUT_HAS("The stability of kmeans is 1.0000 in all 2 cells.");
    ERR_HAS("note: ");
    RUNS(0, "sweep kmeans --k 1,2 --repeat 2 --quiet --jobs 1 -- --n.csv");
    ASSERT_STR_EQ("", cli_last()->out);
    ASSERT_STR_EQ("", cli_last()->err);
    PASS();
}

TEST sweeps_draw_curves_and_maps(void)
{
    static char svg[CLI_TEXT], other[CLI_TEXT];
    RUNS(0, "sweep kmeans --k 1,2,3 a.csv --svg s.svg");
    OUT_HAS("The accuracy of kmeans goes from ");
    cli_read(cli_path("s.svg"), svg);
    ASSERT(strstr(svg, ">accuracy<") != NULL && strstr(svg, ">NMI<") != NULL);
    RUNS(0, "sweep kmeans --k 3,1,2 a.csv --svg s.svg");
    ASSERT_STR_EQ(svg, cli_read(cli_path("s.svg"), other));
    RUNS(0, "sweep kmeans --k 1,2,3 --restarts 1,2 a.csv --svg s.svg --oracle");
    OUT_HAS("--k 2 --restarts 1 (*).  This choice looked at the labels");
    cli_read(cli_path("s.svg"), svg);
    ASSERT(strstr(svg, "down: k, across: restarts") != NULL);
    ASSERT(strstr(svg, ">1.00<") != NULL);
    PASS();
}

/* As many points as iterations and the start have; of the accuracy as many as
 * iterations. */
TEST convergence_is_drawn(void)
{
    static char svg[CLI_TEXT];
    RUNS(0, "generate siblings --n 60 --out g --quiet");
    RUNS(0, "cluster lssmtc g/siblings1.svm g/siblings2.svm --iterations 5 "
            "--svg-curve c.svg --quiet");
    cli_read(cli_path("c.svg"), svg);
    size_t points[2] = {0, 0};
    const char *s = svg;
    for (int i = 0; i < 2; i++) {
        s = strstr(s, "points=\"");
        ASSERT(s != NULL);
        for (s += 8; *s != '"'; s++)
            points[i] += *s == ',';
    }
    ASSERT_EQ_FMT((size_t)6, points[0], "%zu");
    ASSERT_EQ_FMT((size_t)5, points[1], "%zu");
    ASSERT(strstr(svg, ">objective<") != NULL);
    RUNS(0, "cluster lssmtc g/siblings1.svm g/siblings2.svm --iterations 5 "
            "--svg-curve c.svg --json -");
    ASSERT(strstr(cli_read(cli_path("c.svg"), svg), ">accuracy, ") != NULL);
    RUNS(2, "cluster lssmtc a.csv --svg-curve - --json -");
    ERR_HAS("--svg-curve -: standard output is taken");
    RUNS(0, "cluster vote g/siblings1.svm --svg-curve c.svg");
    ASSERT(strstr(cli_read(cli_path("c.svg"), svg), ">accuracy, ") == NULL);
    RUNS(0, "cluster ncut g/siblings1.svm --svg-curve c.svg");
    ASSERT(strstr(cli_read(cli_path("c.svg"), svg), ">accuracy, ") == NULL);
    RUNS(2, "cluster auto g/siblings1.svm --svg-curve c.svg");
    ERR_HAS("auto has no objective by iteration");
    PASS();
}

SUITE(cli_sweep_suite)
{
    if (!cli_ready())
        return;
    RUN_TEST(there_is_room_for_files);
    SET_SETUP(cli_setup, NULL);
    RUN_TEST(cells_are_what_cluster_gives);
    RUN_TEST(cells_without_labels_have_stability_and_objective);
    RUN_TEST(sweeps_of_transfers_have_their_files);
    RUN_TEST(sweeps_that_make_no_sense_are_usage);
    RUN_TEST(sweeps_obey_quiet_and_the_end_of_options);
    RUN_TEST(sweeps_draw_curves_and_maps);
    RUN_TEST(convergence_is_drawn);
}
