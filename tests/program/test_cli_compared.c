/* SPDX-License-Identifier: MIT
 *
 * test_cli_compared.c - the systems that the papers compare themselves with,
 * as methods of the program: options, JSON, --known, bad input.
 */
#include "cli.h"
#include "golden/cmp_cdsc.h"
#include "golden/cmp_cocc.h"
#include "golden/cmp_cotransfer.h"
#include "golden/cmp_latentmap.h"
#include "golden/cmp_nb.h"

static const double CLOSE = sizeof(mtc_real) == 8 ? 1e-8 : 1e-3;

/* Counts: words 1, 2 speak of class 1, words 3, 4 of class 2. */
static void write_counts(void)
{
    cli_write("s.svm", "1 1:3 2:1\n1 1:2\n2 3:4\n2 3:1 4:2\n");
    cli_write("t.svm", "1 1:1\n2 3:1 4:1\n1 1:1 2:2\n2 4:3\n");
    cli_write("minus.svm", "1 1:1\n1 2:1\n2 3:1 4:-2\n2 3:1\n");
}

/* Source and target share no feature; rows 0 and 2 of the pairs are of the
 * first class. */
static void write_pairs(void)
{
    cli_write("s.svm", "5 1:3\n5 1:2\n7 2:3\n7 2:4\n");
    cli_write("i.svm", "0 1:2 3:2\n0 2:2 4:3\n0 1:1 3:2\n0 2:3 4:1\n");
    cli_write("t.svm", "7 4:2\n5 3:5\n5 3:1\n7 4:3\n7 4:1\n");
    cli_write("v1.svm", "0 1:2\n0 2:2\n0 1:1\n0 2:3\n");
    cli_write("v2.svm", "0 1:2\n0 2:3\n0 1:2\n0 2:1\n");
    cli_write("v3.svm", "7 2:2\n5 1:5\n5 1:1\n7 2:3\n7 2:1\n");
    cli_write("short.svm", "0 1:2\n0 2:3\n0 1:2\n");
    cli_write("known.txt", "# two of five\n0 7\n1 5\n");
}

#define VIEWS "--source s.svm --view1 v1.svm --view2 v2.svm --target v3.svm "

TEST naive_bayes_scores_by_hand(void)
{
    /* T = 6 2 1 1 (sum 10) and 1 1 6 3 (sum 11); both priors 1/2. */
    write_counts();
    RUNS(0, "transfer nb --source s.svm --target t.svm --json -");
    ASSERT(json_is("tasks.0.labels", "[0, 1, 0, 1]"));
    ASSERT(json_is("classes", "[1, 2]"));
    JSON_NEAR("scores.0.0", log(0.6 * 0.5));
    JSON_NEAR("scores.0.1", log(1 / 11. * 0.5));
    JSON_NEAR("scores.1.0", log(0.1 * 0.1 * 0.5));
    JSON_NEAR("scores.1.1", log(6 / 11. * 3 / 11. * 0.5));
    JSON_NEAR("tasks.0.acc", 1);
    ASSERT(json_is("converged", "true"));
    PASS();
}

TEST counts_below_zero_are_refused_by_their_place(void)
{
    static const char *const methods[] = {"nb", "cocc", "tritl"};
    write_counts();
    for (size_t i = 0; i < 3; i++) {
        char args[120];
        sprintf(args, "transfer %s --source s.svm --target minus.svm",
                methods[i]);
        RUNS(1, args);
        ERR_HAS("mtc: minus.svm: ");
        ERR_HAS("need 0 or more, sample 3, feature 4");
        sprintf(args, "transfer %s --source s.svm minus.svm --target t.svm",
                methods[i]);
        RUNS(1, args);
        ERR_HAS("mtc: minus.svm: ");
        ERR_HAS("sample 3, feature 4");
    }
    PASS();
}

TEST cocc_and_cdsc_carry_classes_over(void)
{
    write_counts();
    RUNS(0, "transfer cocc --words 2 --start-words class --source s.svm "
            "--target t.svm --json -");
    ASSERT(json_is("tasks.0.labels", "[0, 1, 0, 1]"));
    ASSERT(json_is("word_clusters", "[0, 0, 1, 1]"));
    JSON_NEAR("options.lambda", .25);
    cli_write("words.txt", "0\n0\n1\n");
    RUNS(1, "transfer cocc --init-words words.txt --source s.svm "
            "--target t.svm");
    ERR_HAS("words.txt: 3 clusters of words; the data has 4 features");
    RUNS(0, "transfer cdsc --source s.svm --target t.svm --json -");
    ASSERT(json_is("tasks.0.labels", "[0, 1, 0, 1]"));
    ASSERT(json_number("scores.0.0") > 0);
    JSON_NEAR("scores.0.1", -json_number("scores.0.0"));
    /* Rows of three columns span three directions in the graph of all and
     * three in the target's, and one is that of all: five eigenvectors say
     * what is alike. */
    static char rays[2000];
    size_t at = (size_t)sprintf(rays, "a,b,c,class\n");
    for (int i = 0; i < 30; i++)
        at += (size_t)sprintf(rays + at, "%d,%d,%d,%d\n",
                              1 + i % 7 + 9 * (i % 3 == 0),
                              1 + i % 5 + 9 * (i % 3 == 1),
                              1 + i % 4 + 9 * (i % 3 == 2), i % 3);
    cli_write("rays.csv", rays);
    cli_write("sun.csv", rays);
    RUNS(0, "transfer cdsc --source sun.csv --target rays.csv");
    ERR_HAS("rays: only 5 of 10 eigenvectors say what is alike, and with the "
            "others classes may be turned around; try --preprocess zscore, or ");
    RUNS(0, "transfer cdsc --source sun.csv --target rays.csv --vectors 5");
    ASSERT_STR_EQ("", cli_last()->err);
    PASS();
}

TEST tritl_keeps_concepts_apart_and_says_its_options(void)
{
    write_counts();
    RUNS(0, "transfer tritl --source s.svm --target t.svm --json -");
    ASSERT(json_is("tasks.0.labels", "[0, 1, 0, 1]"));
    ASSERT(json_is("classes", "[1, 2]"));
    JSON_NEAR("options.identical", 20);
    JSON_NEAR("options.alike", 20);
    JSON_NEAR("options.distinct", 10);
    ASSERT(json_is("options.start", "\"informed\""));
    JSON_NEAR("options.iterations", 100);
    JSON_NEAR("iterations", 100);
    ASSERT(json_at(cli_last()->out, "objective.100") != NULL);
    ASSERT(json_at(cli_last()->out, "objective.101") == NULL);
    ASSERT(json_loss() < json_number("objective.0"));
    ASSERT_STR_EQ("", cli_last()->err);
    RUNS(0, "transfer tritl --identical 2 --alike 0 --distinct 0 --start "
            "random --init good.txt --iterations 1 --source s.svm --target "
            "t.svm --json -");
    ASSERT(json_at(cli_last()->out, "objective.2") == NULL);
    RUNS(0, "transfer tritl --source s.svm s.svm --target t.svm --json -");
    ASSERT(json_is("tasks.0.labels", "[0, 1, 0, 1]"));
    RUNS(2, "transfer tritl --identical 0 --alike 0 --distinct 0 --source "
            "s.svm --target t.svm");
    ERR_HAS("one of --identical, --alike, --distinct above 0");
    RUNS(2, "transfer tritl --start words --source s.svm --target t.svm");
    ERR_HAS("informed|random");
    PASS();
}

TEST latentmap_votes_are_cosines(void)
{
    /* Nothing is missing: one neighbor, the row itself or at 45 degrees. */
    cli_write("s.csv", "x,y,label\n2,0,5\n0,3,7\n");
    cli_write("t.csv", "x,y\n1,0\n0,9\n2,2\n0,0\n");
    RUNS(0, "transfer latentmap --neighbors 1 --source s.csv --target t.csv "
            "--json -");
    ASSERT(json_is("tasks.0.labels", "[0, 1, 0, 0]"));
    JSON_NEAR("scores.0.0", 1);
    JSON_NEAR("scores.0.1", 0);
    JSON_NEAR("scores.1.1", 1);
    JSON_NEAR("scores.2.0", sqrt(.5));
    JSON_NEAR("scores.3.0", 0);
    JSON_NEAR("options.ridge", 1);
    JSON_NEAR("options.rank", 50);
    ASSERT(json_is("options.no-fill", "false"));
    RUNS(0, "transfer latentmap --neighbors 9 --source s.csv --target t.csv "
            "--json -");
    JSON_NEAR("scores.2.0", sqrt(.5));          /* both, equally far */
    JSON_NEAR("scores.2.1", sqrt(.5));
    PASS();
}

/* Word 3 of the target goes with word 1 in the source: filled in, a sample
 * of word 3 only finds it. */
TEST latentmap_fills_what_one_side_lacks(void)
{
    cli_write("s.svm", "1 1:1 3:1\n1 1:2 3:2\n2 2:1 4:1\n2 2:2 4:1\n");
    cli_write("t.svm", "1 1:1\n1 1:3\n2 2:1\n2 2:5\n");
    RUNS(0, "transfer latentmap --source s.svm --target t.svm --json -");
    ASSERT(json_is("tasks.0.labels", "[0, 0, 1, 1]"));
    double filled = json_number("scores.0.0");
    RUNS(0, "transfer latentmap --no-fill --source s.svm --target t.svm "
            "--json -");
    ASSERT(json_is("options.no-fill", "true"));
    ASSERT(json_is("tasks.0.labels", "[0, 0, 1, 1]"));
    ASSERT(filled > json_number("scores.0.0") + .1);
    RUNS(2, "transfer latentmap --ridge 0 --source s.svm --target t.svm");
    RUNS(2, "transfer latentmap --neighbors 0 --source s.svm --target t.svm");
    PASS();
}

TEST cotransfer_walks_over_a_bridge_or_pairs(void)
{
    write_pairs();
    RUNS(0, "transfer cotransfer --source s.svm --bridge i.svm --target "
            "t.svm --json -");
    ASSERT(json_is("tasks.0.labels", "[1, 0, 0, 1, 1]"));
    ASSERT(json_is("classes", "[5, 7]"));
    ASSERT(json_is("converged", "true"));
    JSON_NEAR("tasks.0.acc", 1);
    JSON_NEAR("options.alpha", .05);
    JSON_NEAR("options.stay", .9);
    JSON_NEAR("options.neighbors", 10);
    RUNS(0, "transfer cotransfer " VIEWS "--json -");
    ASSERT(json_is("tasks.0.labels", "[1, 0, 0, 1, 1]"));
    JSON_NEAR("tasks.0.d", 2);
    ASSERT(json_is("options.known", "null"));
    PASS();
}

/* alpha 1: the walk never leaves the labeled samples; half of a class's mass
 * is on its two samples of the source, half on the known one. */
TEST cotransfer_begins_again_at_what_is_known(void)
{
    write_pairs();
    RUNS(0, "transfer cotransfer --alpha 1 --known known.txt " VIEWS
            "--json -");
    ASSERT(json_is("options.known", "\"known.txt\""));
    JSON_NEAR("scores.0.0", 0);
    JSON_NEAR("scores.0.1", .5);
    JSON_NEAR("scores.1.0", .5);
    JSON_NEAR("scores.1.1", 0);
    JSON_NEAR("scores.2.0", 0);
    RUNS(0, "transfer cotransfer --known known.txt " VIEWS "--json -");
    ASSERT(json_is("tasks.0.labels", "[1, 0, 0, 1, 1]"));
    PASS();
}

TEST known_labels_are_the_words_of_the_source(void)
{
    write_pairs();
    cli_write("s.csv", "x,y,label\n3,0,red\n2,0,red\n0,3,deep blue\n"
                       "0,4,deep blue\n");
    cli_write("v1.csv", "2,0\n0,2\n1,0\n0,3\n");
    cli_write("v2.csv", "2,0\n0,3\n2,0\n0,1\n");
    cli_write("t.csv", "0,2\n5,0\n1,0\n0,3\n0,1\n");
    cli_write("k.txt", "1  red\r\n0 deep blue \n");
    RUNS(0, "transfer cotransfer --alpha 1 --source s.csv --view1 v1.csv "
            "--view2 v2.csv --target t.csv --known k.txt --json -");
    ASSERT(json_is("classes", "[\"red\", \"deep blue\"]"));
    JSON_NEAR("scores.1.0", .5);
    JSON_NEAR("scores.0.1", .5);
    cli_write("k.txt", "1 red\n0 green\n");
    RUNS(0, "transfer cotransfer --source s.csv --view1 v1.csv "
            "--view2 v2.csv --target t.csv --known k.txt --json -");
    ERR_HAS("k.txt:2: no source has the label green");
    ASSERT(json_is("classes", "[\"red\", \"deep blue\", \"green\"]"));
    ASSERT(json_is("tasks.0.labels.0", "2"));
    PASS();
}

TEST htlic_learns_from_known_labels_of_the_target(void)
{
    write_pairs();
    RUNS(0, "transfer htlic --known known.txt " VIEWS "--json -");
    ASSERT(json_is("tasks.0.labels", "[1, 0, 0, 1, 1]"));
    ASSERT(json_is("classes", "[5, 7]"));
    JSON_NEAR("tasks.0.acc", 1);
    JSON_NEAR("options.rank", 20);
    JSON_NEAR("options.lambda", .5);
    JSON_NEAR("options.ridge", .01);
    ASSERT(json_at(cli_last()->out, "objective.30") != NULL);
    ASSERT(json_at(cli_last()->out, "objective.31") == NULL);
    ASSERT(json_loss() < json_number("objective.0"));
    ASSERT_STR_EQ("", cli_last()->err);
    cli_write("k.txt", "3 7\n");
    RUNS(0, "transfer htlic --known k.txt " VIEWS "--json -");
    ASSERT(json_is("tasks.0.labels", "[0, 0, 0, 0, 0]"));
    PASS();
}

/* Documents need no labels, or have others. */
TEST htlic_has_classes_of_its_own(void)
{
    write_pairs();
    cli_write("d.csv", "3,0\n2,0\n0,3\n");
    cli_write("v1.csv", "2,0\n0,2\n1,0\n0,3\n");
    cli_write("k.txt", "0 dog\n1 cat\n");
    cli_write("t.csv", "x,y,label\n0,2,dog\n5,0,cat\n1,0,cat\n0,3,dog\n");
    RUNS(0, "transfer htlic --source d.csv --view1 v1.csv --view2 v2.svm "
            "--target t.csv --known k.txt --json -");
    ASSERT(json_is("classes", "[\"dog\", \"cat\"]"));
    ASSERT(json_is("tasks.0.labels", "[0, 1, 1, 0]"));
    JSON_NEAR("tasks.0.acc", 1);
    RUNS(0, "transfer htlic --source s.svm --view1 v1.svm --view2 v2.svm "
            "--target t.csv --known k.txt --json -");
    ASSERT(json_is("classes", "[\"dog\", \"cat\"]"));
    JSON_NEAR("tasks.0.acc", 1);
    cli_write("k.txt", "0 9\n1 5\n");
    RUNS(0, "transfer htlic --known k.txt " VIEWS "--json -");
    ASSERT(json_is("classes", "[5, 9]"));
    ASSERT(json_is("tasks.0.labels", "[1, 0, 0, 1, 1]"));
    JSON_NEAR("tasks.0.acc", .4);
    cli_write("d.svm", "0 1:3\n0 1:2\n0 2:3\n");
    RUNS(0, "transfer htlic --source d.svm --view1 v1.svm --view2 v2.svm "
            "--target v3.svm --known k.txt");
    ASSERT(strstr(cli_last()->err, "no source has") == NULL);
    cli_write("k.txt", "0 dog\n");
    RUNS(1, "transfer htlic --known k.txt " VIEWS);
    ERR_HAS("mtc: k.txt:1: label 'dog' is not a number");
    PASS();
}

TEST known_files_are_refused_by_their_line(void)
{
    static const struct { const char *text, *message; } bad[] = {
        {"0 7\n5 5\n", "k.txt:2: row '5' is out of range: rows are 0 to 4"},
        {"-1 7\n", "k.txt:1: '-1' is not the number of a row"},
        {"0 7\n1.5 7\n", "k.txt:2: '1.5' is not the number of a row"},
        {"one 7\n", "k.txt:1: 'one' is not the number of a row"},
        {"0 7\n\n0 5\n", "k.txt:3: row 0 has a label in line 1"},
        {"3\n", "k.txt:1: no label for row 3"},
        {"3 seven\n", "k.txt:1: label 'seven' is not a number"},
        {"3 7.5\n", "k.txt:1: label '7.5' is not a whole number"},
        {"3 7 5\n", "k.txt:1: label '7 5' is not a number"},
        {"99999999999999999999999 7\n", "k.txt:1: '999"},
        {"# none\n", "k.txt:1: no labels"}};
    write_pairs();
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        cli_write("k.txt", bad[i].text);
        RUNS(1, "transfer cotransfer --known k.txt " VIEWS);
        ERR_HAS(bad[i].message);
    }
    RUNS(1, "transfer cotransfer --known missing.txt " VIEWS);
    ERR_HAS("missing.txt");
    PASS();
}

#define NAMED "transfer cotransfer --source s.csv --view1 v1.csv --view2 " \
              "v2.csv --target t.csv "

/* Rows are pairs: names of views tell if they are not. */
TEST views_of_other_names_are_not_paired_in_silence(void)
{
    cli_write("s.csv", "id,x,y,label\na,3,0,5\nb,2,0,5\nc,0,3,7\nd,0,4,7\n");
    cli_write("t.csv", "id,u,v\ne,0,2\nf,5,0\n");
    cli_write("v1.csv", "id,x,y\np,2,0\nq,0,2\nr,1,0\n");
    cli_write("v2.csv", "id,u,v\np,2,0\nq,0,3\nr,2,0\n");
    RUNS(0, NAMED "--id id");
    ASSERT_STR_EQ("", cli_last()->err);
    cli_write("v2.csv", "id,u,v\np,2,0\nr,2,0\nq,0,3\n");
    RUNS(0, NAMED "--id id");
    ERR_HAS("warning: v1.csv, v2.csv: rows of the views are taken for the same "
            "samples, but sample 2 is 'q' in one and 'r' in the other\n");
    PASS();
}

/* Texts of a directory have the names of their files. */
TEST views_of_texts_have_names(void)
{
    (void)cli_shell("rm -rf en de && mkdir en de");
    cli_write("en/1", "cat dog cat\n");
    cli_write("en/2", "bond stock\n");
    cli_write("de/1", "katze hund\n");
    cli_write("de/3", "aktie anleihe\n");
    cli_write("s.csv", "t,label\ncat cat,5\ndog cat,5\nbond stock,7\nbond,7\n");
    cli_write("t.csv", "t\nhund\nhund katze\naktie\nanleihe\naktie\n");
    RUNS(0, "transfer cotransfer --source s.csv --view1 en --view2 de "
            "--target t.csv --text t --min-texts 1 --max-share 1");
    ERR_HAS("warning: en, de: rows of the views are taken for the same "
            "samples, but sample 2 is '2' in one and '3' in the other\n");
    (void)cli_shell("mv de/3 de/2");
    RUNS(0, "transfer cotransfer --source s.csv --view1 en --view2 de "
            "--target t.csv --text t --min-texts 1 --max-share 1");
    ASSERT(strstr(cli_last()->err, "views") == NULL);
    PASS();
}

TEST pairs_are_asked_for_and_compared(void)
{
    static const struct { int status; const char *args, *message; } bad[] = {
        {2, "cotransfer --source s.svm --target t.svm",
         "cotransfer needs --bridge FILE, or --view1 FILE --view2 FILE"},
        {2, "cotransfer --source s.svm --target t.svm --view1 v1.svm",
         "--view1 and --view2 go together"},
        {2, "cotransfer --source s.svm --target t.svm --view2 v1.svm",
         "--view1 and --view2 go together"},
        {2, "cotransfer --bridge i.svm " VIEWS, "cotransfer needs --bridge"},
        {2, "cotransfer --source s.svm --target t.svm --bridge i.svm i.svm",
         "--bridge has 2 files; cotransfer takes one"},
        {2, "htlic --source s.svm --target t.svm --known known.txt",
         "htlic needs --view1 FILE --view2 FILE"},
        {2, "htlic --source s.svm --target t.svm --view1 v1.svm --known "
            "known.txt", "--view1 and --view2 go together"},
        {2, "htlic " VIEWS, "htlic needs --known FILE: it learns from labels "
                            "of the target, not of the source"},
        {2, "htlic --bridge i.svm " VIEWS, "--bridge is not an option"},
        {2, "nb --known known.txt --source s.svm --target t.svm",
         "--known is not an option of nb"},
        {2, "cotransfer --alpha 0 " VIEWS, "(0,1]"},
        {2, "cotransfer --stay 1.5 " VIEWS, "[0,1]"},
        {2, "htlic --lambda 2 --known known.txt " VIEWS, "[0,1]"},
        {2, "htlic --rank 0 --known known.txt " VIEWS, "[1,inf)"},
        {1, "cotransfer --source s.svm --target v3.svm --view1 v1.svm "
            "--view2 short.svm", "v1.svm has 4 samples, short.svm 3"},
        {1, "htlic --source s.svm --target v3.svm --view1 short.svm --view2 "
            "v2.svm --known known.txt", "short.svm has 3 samples, v2.svm 4"},
        {1, "cotransfer --source b.csv --target v3.svm --view1 v1.svm "
            "--view2 v2.svm", "b.csv: a source needs labels"}};
    write_pairs();
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char args[300];
        sprintf(args, "transfer %s", bad[i].args);
        ASSERT_EQ_FMTm(args, bad[i].status, cli(args), "%d");
        ERR_HAS(bad[i].message);
        ASSERT_STR_EQ("", cli_last()->out);
    }
    PASS();
}

/* Do `scores` [n*c] and the labels of the last output equal these? */
static enum greatest_test_res worked(const char *name, size_t n, size_t c,
                                     const double *scores, const int *labels)
{
    for (size_t e = 0; e < n * c; e++) {
        char path[40];
        sprintf(path, "scores.%d.%d", (int)(e / c), (int)(e % c));
        ASSERT_IN_RANGEm(name, scores[e], json_number(path),
                         CLOSE * (1 + fabs(scores[e])));
    }
    ASSERTm(name, json_task_labels(0, n, labels));
    PASS();
}

TEST cotransfer_runs_worked_cases_from_files(void)
{
    for (size_t i = 0; i < 2; i++) {
        const cotransfer_case *g = &cotransfer_cases[i];
        char args[300], known[400] = "";
        for (size_t s = 0; s < g->n_t; s++)
            if (g->known[s] >= 0)
                sprintf(known + strlen(known), "%d %d\n", (int)s,
                        g->known[s]);
        write_rows("s.csv", g->n_s, g->d_s, g->source, g->labels);
        write_rows("t.csv", g->n_t, g->d_t, g->target, NULL);
        write_rows("v1.csv", g->pairs, g->d_s, g->view1, NULL);
        write_rows("v2.csv", g->pairs, g->d_t, g->view2, NULL);
        cli_write("k.txt", known);
        sprintf(args, "transfer cotransfer --neighbors %d --alpha %g --stay "
                "%g --k %d --source s.csv --view1 v1.csv --view2 v2.csv "
                "--target t.csv %s --json -", (int)g->neighbors, g->alpha,
                g->stay, (int)g->c, known[0] != '\0' ? "--known k.txt" : "");
        ASSERT_EQ_FMTm(g->name, 0, cli(args), "%d");
        CHECK_CALL(worked(g->name, g->n_t, g->c, g->U + g->n_s * g->c,
                          g->found));
    }
    PASS();
}

TEST latentmap_nb_and_cdsc_run_worked_cases_from_files(void)
{
    char args[300];
    for (size_t i = 0; i < sizeof latentmap_cases / sizeof *latentmap_cases;
         i++) {
        const latentmap_case *g = &latentmap_cases[i];
        write_rows("s.csv", g->n, g->d, g->source, g->labels);
        write_rows("t.csv", g->m, g->d, g->target, NULL);
        sprintf(args, "transfer latentmap --ridge %g --rank %d --neighbors %d "
                "%s --source s.csv --target t.csv --json -", g->ridge,
                (int)g->rank, (int)g->neighbors, g->fill ? "" : "--no-fill");
        ASSERT_EQ_FMTm(g->name, 0, cli(args), "%d");
        CHECK_CALL(worked(g->name, g->m, g->c, g->scores, g->found));
    }
    for (size_t i = 0; i < sizeof cdsc_cases / sizeof *cdsc_cases; i++) {
        const cdsc_case *g = &cdsc_cases[i];
        write_rows("s.csv", g->n, g->d, g->source, g->labels);
        write_rows("t.csv", g->m, g->d, g->target, NULL);
        sprintf(args, "transfer cdsc --lambda %g %s --source s.csv --target "
                "t.csv --json -", g->lambda, g->transducer ? "" : "--form "
                "binary");
        if (g->transducer)
            sprintf(args + strlen(args), " --form transducer --vectors %d "
                    "--trust %g", (int)g->vectors, g->trust);
        ASSERT_EQ_FMTm(g->name, 0, cli(args), "%d");
        CHECK_CALL(worked(g->name, g->m, g->c, g->scores, g->found));
    }
    const nb_case *g = &nb_cases[0];
    write_rows("s.csv", g->n, g->d, g->source, g->labels);
    write_rows("t.csv", g->m, g->d, g->target, NULL);
    RUNS(0, "transfer nb --source s.csv --target t.csv --json -");
    CHECK_CALL(worked(g->name, g->m, g->c, g->scores, g->found));
    PASS();
}

TEST cocc_runs_worked_cases_from_files(void)
{
    for (size_t i = 0; i < sizeof cocc_cases / sizeof *cocc_cases; i++) {
        const cocc_case *g = &cocc_cases[i];
        char args[300], path[40];
        write_rows("s.csv", g->n, g->d, g->source, g->labels);
        write_rows("t.csv", g->m, g->d, g->target, NULL);
        sprintf(args, "transfer cocc --words %d --lambda %g --iterations %d "
                "--start-words class --source s.csv --target t.csv --json -",
                (int)g->k, g->lambda, (int)g->iterations);
        if (g->given_labels != NULL) {
            write_labels("l.txt", g->m, g->given_labels);
            write_labels("w.txt", g->d, g->given_words);
            strcat(args, " --init l.txt --init-words w.txt");
        }
        ASSERT_EQ_FMTm(g->name, 0, cli(args), "%d");
        ASSERTm(g->name, json_task_labels(0, g->m, g->found));
        for (size_t w = 0; w < g->d; w++) {
            sprintf(path, "word_clusters.%d", (int)w);
            ASSERT_EQm(g->name, g->words[w], json_number(path));
        }
        for (size_t e = 0; e < g->taken && sizeof(mtc_real) == 8; e++) {
            sprintf(path, "objective.%d", (int)e);
            ASSERT_IN_RANGEm(g->name, g->loss[e], json_number(path), CLOSE);
        }
        strcat(args, " --realign");
        ASSERT_EQ_FMTm(g->name, 0, cli(args), "%d");
        ASSERTm(g->name, json_task_labels(0, g->m, g->realigned));
    }
    PASS();
}

TEST help_says_what_compared_systems_assume(void)
{
    static const char *const methods[] = {
        "tsvm", "gfhf", "llgc", "nb", "cocc", "cdsc", "tritl", "latentmap",
        "cotransfer", "htlic", "smbc", "smkc", "samtc", "mtctki", "dmtc"};
    RUNS(0, "help");
    OUT_HAS("Systems that the papers compare with (*: reconstructed in part)");
    OUT_HAS("(Xie et al. 2009) *\n               assumes that missing");
    OUT_HAS("naive Bayes trained on the source\n               assumes");
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        char args[40];
        sprintf(args, "help %s", methods[i]);
        RUNS(0, args);
        OUT_HAS("\nAssumes ");
        if (i >= 4)                             /* the others are certain */
            OUT_HAS("reconstructed");
    }
    RUNS(0, "help cotransfer");
    OUT_HAS("--alpha X in (0,1]  (default .05)");
    OUT_HAS("--known FILE\n");
    RUNS(0, "help htlic");
    OUT_HAS("--view1 FILE --view2 FILE --known FILE\n");
    RUNS(0, "help svm");
    OUT_HAS("\nAssumes that source and target are alike");
    PASS();
}

/* dmtc starts from matched centers and tests no match afterwards. */
TEST unrelated_tasks_are_not_said_to_match(void)
{
    RUNS(0, "generate blobs --tasks 1 --seed 1 --out g");
    RUNS(0, "generate blobs --tasks 1 --seed 2 --out h");
    RUNS(0, "cluster dmtc g/blobs1.svm h/blobs1.svm --k 4");
    ASSERT(strstr(cli_last()->out, "paired") == NULL);
    PASS();
}

/* Clusters in use are counted where a system does not tell. */
TEST boosted_clusters_are_counted(void)
{
    cli_write("one.csv", "1,2\n2,1\n8,9\n9,8\n");
    cli_write("two.csv", "1,1\n2,2\n9,9\n8,8\n");
    RUNS(0, "cluster smbc --k 2 one.csv two.csv --json -");
    JSON_NEAR("tasks.0.k_effective", 2);
    JSON_NEAR("tasks.1.k_effective", 2);
    ASSERT(strstr(cli_last()->err, "clusters are in use") == NULL);
    PASS();
}

SUITE(cli_compared_suite)
{
    if (!cli_ready())
        return;
    RUN_TEST(there_is_room_for_files);
    SET_SETUP(cli_setup, NULL);
    RUN_TEST(naive_bayes_scores_by_hand);
    RUN_TEST(counts_below_zero_are_refused_by_their_place);
    RUN_TEST(cocc_and_cdsc_carry_classes_over);
    RUN_TEST(tritl_keeps_concepts_apart_and_says_its_options);
    RUN_TEST(latentmap_votes_are_cosines);
    RUN_TEST(latentmap_fills_what_one_side_lacks);
    RUN_TEST(cotransfer_walks_over_a_bridge_or_pairs);
    RUN_TEST(cotransfer_begins_again_at_what_is_known);
    RUN_TEST(known_labels_are_the_words_of_the_source);
    RUN_TEST(htlic_learns_from_known_labels_of_the_target);
    RUN_TEST(htlic_has_classes_of_its_own);
    RUN_TEST(known_files_are_refused_by_their_line);
    RUN_TEST(views_of_other_names_are_not_paired_in_silence);
    RUN_TEST(views_of_texts_have_names);
    RUN_TEST(pairs_are_asked_for_and_compared);
    RUN_TEST(cotransfer_runs_worked_cases_from_files);
    RUN_TEST(latentmap_nb_and_cdsc_run_worked_cases_from_files);
    RUN_TEST(cocc_runs_worked_cases_from_files);
    RUN_TEST(help_says_what_compared_systems_assume);
    RUN_TEST(unrelated_tasks_are_not_said_to_match);
    RUN_TEST(boosted_clusters_are_counted);
}
