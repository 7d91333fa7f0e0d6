/* SPDX-License-Identifier: MIT
 *
 * test_cli_export.c - `mtc export`: headers that compile anywhere and label as
 * `mtc assign` does.  More of that: make check-export.
 */
#include "cli.h"

#define EVERY_WARNING \
    "-pedantic -Wall -Wextra -Wconversion -Wshadow -Werror "

/* Names that are hard to write in C: of features, and of classes. */
#define FEATURES "\"end */ \"\"q\"\"\",b\\?\?/,/* gr\xc3\xb6\xc3\x9f" "e"
#define CAT "a \"cat\" \\ */ ?\?/"

static void export_setup(void *unused)
{
    cli_setup(unused);
    cli_write("n.csv", FEATURES ",class\n"
              "1,2,9,\"a \"\"cat\"\" \\ */ ?\?/\"\n"
              "1,3,8,\"a \"\"cat\"\" \\ */ ?\?/\"\n"
              "2,2,9,\"a \"\"cat\"\" \\ */ ?\?/\"\n"
              "8,9,1,dog\n9,9,2,dog\n8,7,1,dog\n");
    cli_write("s.csv", FEATURES "\n1,1,8\n2,1,9\n1,2,7\n7,9,2\n8,8,1\n");
    cli_write("m.csv", "2,0.5,0\n0.5,1,0\n0,0,1\n");
}

/* Every kind of model: how it is made; transfers have one task, s.csv. */
static const char *const kinds[] = {
    "cluster kmeans --k 2 n.csv s.csv",
    "cluster kmeans --k 2 --preprocess zscore n.csv s.csv",
    "cluster kmeans --k 2 --preprocess tfidf n.csv s.csv",
    "cluster vote --k 2 --preprocess l2 n.csv s.csv",
    "cluster pcakm --k 2 n.csv s.csv",
    "cluster mbc --k 2,3 n.csv s.csv",
    "cluster mbc --k 2 --divergence kl n.csv s.csv",
    "cluster mbc --k 2 --divergence is --smooth .5 n.csv s.csv",
    "cluster mbc --k 2 --divergence mahalanobis --metric m.csv n.csv s.csv",
    "cluster mbc --k 2 --guard n.csv s.csv",
    "cluster lssmtc --k 2 n.csv s.csv",
    "cluster auto --k 2 n.csv s.csv",
    "transfer svm --source n.csv --target s.csv",
    "transfer svm --kernel rbf --source n.csv --target s.csv",
    "transfer tsvm --source n.csv --target s.csv",
    "transfer lssttc --source n.csv --target s.csv",
    "transfer nb --source n.csv --target s.csv"};
enum { N_KINDS = sizeof kinds / sizeof kinds[0], L2 = 3, KL = 6, SVM = 12,
       RBF = 13, NB = 16 };

/* What headers have of their own, at values of all sizes: the library's, to
 * the last bit. */
#ifdef MTC_SINGLE
enum { N_VALUES = 0 };
#else
enum { N_VALUES = 300 };
#endif
static double some_value(int i)
{
    return (i * 7919 % 1000 + .1) * (i % 3 == 0 ? 1 : i % 3 == 1 ? .7 : 1e-9);
}

static void add_values(char *want)
{
    want += strlen(want);
    for (int i = 0; i < N_VALUES; i++) {
        double x = some_value(i);
        want += sprintf(want, "%.17g %.17g %.17g\n",
                        (double)mtc_log((mtc_real)x),
                        (double)mtc_exp((mtc_real)-x), sqrt(x));
    }
}

/* Saves, exports and assigns kind i as kI.h and oI/; the labels of all tasks
 * go to the end of `want`. */
static int make_kind(int i, char *want)
{
    static char command[CLI_PATH], labels[CLI_TEXT];
    const char *task[2] = {"n", "s"};
    int transfer = strncmp(kinds[i], "transfer", 8) == 0;
    sprintf(command, "%s --quiet --save k%d.json", kinds[i], i);
    if (cli(command) != 0)
        return 0;
    sprintf(command, "export k%d.json --c k%d --out h --quiet%s", i, i,
            transfer ? "" : " --far");
    if (cli(command) != 0)
        return 0;
    sprintf(command, "assign k%d.json %ss.csv --out o%d --quiet", i,
            transfer ? "" : "n.csv ", i);
    if (cli(command) != 0)
        return 0;
    for (int t = transfer; t < 2; t++) {
        char name[40];
        sprintf(name, "o%d/%s.labels", i, task[t]);
        strcat(want, cli_read(cli_path(name), labels));
    }
    return 1;
}

/* A program that labels the rows of both files by all headers, and tries what
 * has no label. */
static void write_all(void)
{
    static char text[CLI_TEXT];
    char *at = text;
    at += sprintf(at, "#include <stdio.h>\n");
    for (int i = 0; i < N_KINDS; i++)
        at += sprintf(at, "#include \"h/k%d.h\"\n", i);
    at += sprintf(at,
        "static const double n[] = {1,2,9, 1,3,8, 2,2,9, 8,9,1, 9,9,2, "
        "8,7,1};\n"
        "static const double s[] = {1,1,8, 2,1,9, 1,2,7, 7,9,2, 8,8,1};\n"
        "#define TRY(name, task, a, b, c) { name##_real x[3]; \\\n"
        "    x[0] = (name##_real)(a); x[1] = (name##_real)(b); \\\n"
        "    x[2] = (name##_real)(c); \\\n"
        "    printf(\"%%d\\n\", name##_label(task, x)); }\n"
        "#define RUN(name, tasks) for (t = 0; t < tasks; t++) { \\\n"
        "    const double *r = t + 1 < tasks ? n : s; \\\n"
        "    for (i = t + 1 < tasks ? 6 : 5; i > 0; i--, r += 3) \\\n"
        "        TRY(name, t, r[0], r[1], r[2]) }\n"
        "int main(void)\n{\n"
        "    static const char *const words[] = K%d_CLUSTER_WORDS;\n"
        "    const double big = 1e300 * (words[0] != words[1] ? 1e10 : 1);\n"
        "    int t, i;\n", SVM);
    for (int i = 0; i < N_KINDS; i++)
        at += sprintf(at, "    RUN(k%d, K%d_TASKS)\n", i, i);
    sprintf(at,
        "    TRY(k0, -1, 1, 2, 3)\n    TRY(k0, K0_TASKS, 1, 2, 3)\n"
        "    TRY(k0, 0, 1, 2, big)\n    TRY(k0, 0, big - big, 2, 3)\n"
        "    TRY(k1, 1, 1, -big, 3)\n    TRY(k%d, 0, 1, -2, 3)\n"
        "    TRY(k%d, 0, 1, 2, 1e300)\n    TRY(k%d, 0, 1, -2, 3)\n"
        "    printf(\"%%d %%s %%s\\n\", K%d_FEATURES, words[0], words[1]);\n"
        "    for (i = 0; i < %d; i++) {\n"
        "        const double x = (i * 7919 %% 1000 + .1) * (i %% 3 == 0 ? 1\n"
        "                         : i %% 3 == 1 ? .7 : 1e-9);\n"
        "        printf(\"%%.17g %%.17g %%.17g\\n\", "
        "(double)k%d_log((k%d_real)x),\n"
        "            (double)k%d_exp((k%d_real)-x), "
        "(double)k%d_sqrt((k%d_real)x));\n"
        "    }\n    return 0;\n}\n", KL, L2, NB, SVM, N_VALUES, KL, KL, RBF,
        RBF, L2, L2);
    cli_write("all.c", text);
}

TEST every_kind_of_model_labels_as_assign_does(void)
{
    static char want[CLI_TEXT];
    want[0] = '\0';
    for (int i = 0; i < N_KINDS; i++)
        ASSERTm(kinds[i], make_kind(i, want));
    strcat(want, "-1\n-1\n-1\n-1\n-1\n-1\n-1\n-1\n3 " CAT " dog\n");
    add_values(want);
    write_all();
    if (cli_shell("command -v cc >/dev/null") != 0)
        SKIPm("no cc");
    ASSERT_EQ(0, cli_shell("cc -std=c99 -O0 " EVERY_WARNING
                           "all.c -o all 2>cc.txt"));
    ASSERT_EQ(0, cli_start("./all", "", 0));
    ASSERT_STR_EQ(want, cli_last()->out);
    PASS();
}

/* The program of the test before: in float, and as C++. */
TEST headers_compile_in_float_and_as_cpp(void)
{
    static char command[CLI_PATH];
    char *at = command;
    if (cli_shell("command -v cc >/dev/null") != 0)
        SKIPm("no cc");
    at += sprintf(at, "cc -std=c99 -fsyntax-only " EVERY_WARNING);
    for (int i = 0; i < N_KINDS; i++)
        at += sprintf(at, "-DK%d_SINGLE ", i);
    strcpy(at, "all.c 2>cc.txt");
    ASSERT_EQ(0, cli_shell(command));
    if (cli_shell("command -v c++ >/dev/null") != 0)
        SKIPm("no c++");
    ASSERT_EQ(0, cli_shell("c++ -std=c++98 -x c++ -fsyntax-only " EVERY_WARNING
                           "all.c 2>cc.txt"));
    PASS();
}

/* ---- random models: a few here, more by make check-export ---- */

enum { RANDOM = 4, ROWS = 16 };

/* Small whole numbers now and then: ties. */
static double draw(mtc_random *rng, int whole)
{
    return whole ? (double)mtc_random_below(rng, 5) - 2
                 : (double)mtc_random_normal(rng);
}

static void put_drawn(char *s, mtc_random *rng, int whole, size_t m, size_t n)
{
    strcat(s, "[");
    for (size_t i = 0; i < m * n; i++)
        sprintf(s + strlen(s), "%s%.17g%s", i % n > 0 ? ", " : i > 0
                ? ", [" : "[", draw(rng, whole),
                i % n == n - 1 ? "]" : "");
    strcat(s, "]");
}

/* rI.json with k centers or classes of d features, rI.csv, rI.txt. */
static void write_random(int i, mtc_random *rng)
{
    static const char *const rule[] = {"nearest", "nearest", "linear",
                                       "kernel"};
    static const char *const method[] = {"kmeans", "vote", "svm", "svm"};
    static char s[CLI_TEXT];
    char name[20];
    size_t d = 1 + mtc_random_below(rng, 9), k = 3 + mtc_random_below(rng, 3);
    int whole = i % 2 == 0, transfer = i == 2 || i == 3;
    sprintf(s, "{\"format\": \"mtc-model\", \"schema\": 2, \"mtc\": \"0\", "
            "\"guard\": false, \"stand_in\": false, \"options\": {}, "
            "\"rule\": \"%s\", \"method\": \"%s\", \"kind\": \"%s\", %s"
            "\"preprocess\": {\"how\": \"%s\"}, \"features\": {\"count\": %d},"
            "\"tasks\": [{\"name\": \"t\", \"k\": %d, ", rule[i], method[i],
            transfer ? "transfer" : "cluster", i < 2 ? "\"angles\": false, "
            "\"divergence\": \"sqeuclidean\", \"smooth\": 0, " : "",
            i % 2 ? "l2" : "none", (int)d, (int)k);
    strcat(s, i == 2 ? "\"weights\": "
              : i == 3 ? "\"gamma\": 0.3, \"support\": " : "\"centers\": ");
    put_drawn(s, rng, whole, i == 3 ? 7 : k, d);
    if (i == 3) {
        strcat(s, ", \"coefficients\": ");
        put_drawn(s, rng, whole, k, 7);
    }
    sprintf(s + strlen(s), ", \"%s\": [", transfer ? "bias" : "radius");
    for (size_t z = 0; z < k; z++)
        strcat(s, z == 0 ? "0" : ", 0");
    strcat(s, "]}]}");
    sprintf(name, "r%d.json", i);
    cli_write(name, s);
    s[0] = '\0';
    for (size_t e = 0; e < ROWS * d; e++)
        sprintf(s + strlen(s), "%.17g%c", draw(rng, whole),
                e % d == d - 1 ? '\n' : ',');
    sprintf(name, "r%d.csv", i);
    cli_write(name, s);
}

TEST random_models_label_as_assign_does(void)
{
    static char program[CLI_TEXT], want[CLI_TEXT], text[CLI_TEXT];
    mtc_random rng = mtc_random_seed(22);
    char *at = program;
    at += sprintf(at, "#include <stdio.h>\n");
    want[0] = '\0';
    for (int i = 0; i < RANDOM; i++) {
        char command[200];
        write_random(i, &rng);
        sprintf(command, "export r%d.json --c r%d --out . --quiet", i, i);
        RUNS(0, command);
        sprintf(command, "assign r%d.json r%d.csv --header no --labels none "
                "--out . --quiet", i, i);
        RUNS(0, command);
        sprintf(command, "r%d.labels", i);
        strcat(want, cli_read(cli_path(command), text));
        sprintf(command, "r%d.csv", i);
        cli_read(cli_path(command), text);
        for (char *c = strchr(text, '\n'); c != NULL; c = strchr(c, '\n'))
            *c = ',';                           /* now a table of C */
        at += sprintf(at, "#include \"r%d.h\"\nstatic const double x%d[] = "
                      "{%s};\n", i, i, text);
    }
    at += sprintf(at, "int main(void) { int i;\n");
    for (int i = 0; i < RANDOM; i++)
        at += sprintf(at, "for (i = 0; i < %d; i++) printf(\"%%d\\n\", "
                      "r%d_label(0, x%d + i * R%d_FEATURES));\n", ROWS, i, i,
                      i);
    sprintf(at, "return 0; }\n");
    cli_write("random.c", program);
    if (cli_shell("command -v cc >/dev/null") != 0)
        SKIPm("no cc");
    ASSERT_EQ(0, cli_shell("cc -std=c99 -O0 " EVERY_WARNING
                           "random.c -o random 2>cc.txt"));
    ASSERT_EQ(0, cli_start("./random", "", 0));
#ifndef MTC_SINGLE                              /* where sums are rounded */
    ASSERT_STR_EQ(want, cli_last()->out);
#endif
    PASS();
}

/* Two groups, a side of the square each: the centers are (0, .5), (10, .5). */
TEST header_has_the_names_that_were_asked_for(void)
{
    static const char *const wanted[] = {
        "#ifndef SQ_2_H\n", "#define SQ_2_TASKS 1\n",
        "#define SQ_2_FEATURES 2\n", "#define SQ_2_CLUSTERS 2\n",
        "typedef float Sq_2_real;\n", "typedef double Sq_2_real;\n",
        "\nstatic int Sq_2_label(int task, const Sq_2_real *x)\n",
        "SQ_2_R(0.5)", "x[0]  x\n", " *   0  a, 2 clusters\n"};
    static char text[CLI_TEXT];
    RUNS(0, "cluster kmeans --k 2 a.csv --save sq.json --quiet");
    cli_write("sq.txt", "");
    RUNS(0, "export sq.json --c Sq_2 --out .");
    OUT_HAS("./Sq_2.h: Sq_2_label() for 1 task, 2 features");
    cli_read(cli_path("Sq_2.h"), text);
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
        ASSERTm(wanted[i], strstr(text, wanted[i]) != NULL);
    ASSERT(strstr(text, "CLUSTER_WORDS") == NULL);
    ASSERT(strstr(text, "#include") == NULL);
    RUNS(0, "export sq.json --c Sq_2 --out . --quiet");     /* once more */
    /* A method that somebody wrote into the model ends no comment. */
    ASSERT_EQ(0, cli_shell("sed -e 's|\"method\": \"kmeans\"|\"method\": "
                           "\"*/#error\"|' -e 's|\"guard\": false|\"guard\": "
                           "true|' sq.json > odd.json"));
    RUNS(0, "export odd.json --c odd --out . --quiet");
    static char odd[CLI_TEXT];
    cli_read(cli_path("odd.h"), odd);
    ASSERT(strstr(odd, "Model: \\052/#error") != NULL);
    ASSERT_STR_EQ("", cli_last()->out);
    PASS();
}

TEST header_says_what_days_count_from(void)
{
    static char text[CLI_TEXT];
    cli_write("d.csv", "x,when,at\n1,2024-02-28,06:00\n9,2024-03-01,18:00\n");
    RUNS(0, "cluster kmeans --k 2 --dates days d.csv --save d.json --quiet");
    RUNS(0, "export d.json --c day --out .");
    cli_read(cli_path("day.h"), text);
    ASSERT(strstr(text, "x[1]  when, in days since 2024-02-28\n") != NULL);
    ASSERT(strstr(text, "x[2]  at, as part of a day\n") != NULL);
    PASS();
}

/* Around (0, .5) and (10, .5) all samples lie at .5. */
TEST far_is_what_lies_beyond_all_samples(void)
{
    static char text[CLI_TEXT];
    RUNS(0, "cluster kmeans --k 2 a.csv --save far.json --quiet");
    RUNS(0, "export far.json --c beyond --far --out .");
    RUNS(0, "export far.json --c plain --out .");
    ASSERT(strstr(cli_read(cli_path("plain.h"), text), "far") == NULL);
    cli_write("far.c", "#include <stdio.h>\n#include \"beyond.h\"\n"
              "int main(void)\n{\n    static const beyond_real rows[][2] = {\n"
              "        {0, 1}, {0, 0}, {0, (beyond_real)1.001}, {-.5, .5},\n"
              "        {-.75, .5}, {10, .25}, {9, .5}, {(beyond_real)1e300 * "
              "10, 0}};\n    int i;\n    for (i = 0; i < 8; i++)\n"
              "        printf(\"%d \", beyond_far(0, rows[i]));\n"
              "    printf(\"%d\", beyond_far(1, rows[0]));\n"
              "    return 0;\n}\n");
    RUNS(0, "transfer nb --source n.csv --target s.csv --save nb.json --quiet");
    RUNS(2, "export nb.json --c nb --far --out .");
    ERR_HAS("--far: classes of nb have no distance");
    if (cli_shell("command -v cc >/dev/null") != 0)
        SKIPm("no cc");
    ASSERT_EQ(0, cli_shell("cc -std=c99 far.c -o far 2>cc.txt"));
    ASSERT_EQ(0, cli_start("./far", "", 0));
    ASSERT_STR_EQ("0 0 1 0 1 0 1 -1 -1", cli_last()->out);
    PASS();
}

TEST export_says_what_it_cannot_do(void)
{
    RUNS(0, "cluster kmeans --k 2 a.csv --save sq.json --quiet");
    RUNS(2, "export sq.json --out .");
    ERR_HAS("--c NAME is missing");
    RUNS(2, "export sq.json --c sq");
    ERR_HAS("--out DIR is missing");
    RUNS(2, "export --c sq --out .");
    ERR_HAS("one MODEL.json");
    RUNS(2, "export sq.json --c 2sq --out .");
    ERR_HAS("a name of C");
    RUNS(2, "export sq.json --c 'sq-2' --out .");
    RUNS(2, "export sq.json --c '' --out .");
    RUNS(1, "export a.csv --c sq --out .");
    ERR_HAS("a.csv");
    RUNS(0, "cluster ncut --k 2 a.csv --save cut.json --quiet");
    RUNS(2, "export cut.json --c sq --out .");
    ERR_HAS("a model of ncut cannot be exported");
    RUNS(0, "cluster kmeans --k 2 a.csv --save sq.h --quiet");
    RUNS(2, "export sq.h --c sq --out .");
    ERR_HAS("is an input of this command");
    PASS();
}

SUITE(cli_export_suite)
{
    if (!cli_ready())
        return;
    RUN_TEST(there_is_room_for_files);
    SET_SETUP(export_setup, NULL);
    RUN_TEST(every_kind_of_model_labels_as_assign_does);
    RUN_TEST(headers_compile_in_float_and_as_cpp);
    RUN_TEST(random_models_label_as_assign_does);
    RUN_TEST(header_has_the_names_that_were_asked_for);
    RUN_TEST(header_says_what_days_count_from);
    RUN_TEST(far_is_what_lies_beyond_all_samples);
    RUN_TEST(export_says_what_it_cannot_do);
}
