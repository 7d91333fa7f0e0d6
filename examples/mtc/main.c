/* SPDX-License-Identifier: MIT
 *
 * main.c - help and main
 */
#include "compare.h"
#include "model.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

typedef struct command {
    const char *name;
    command_run *run;
    const char *options;            /* NULL: each method has its own */
    const char *usage, *summary, *help;
} command;

static const command commands[] = {
    {"cluster", run_cluster, NULL, "METHOD [options] TASK...",
     "find the groups in each of several data sets",
     "Each task is clustered by itself, or all as one with --pool.  The table\n"
     "shows n samples, d features, k clusters and, where a file has labels,\n"
     "acc (best one-to-one matching), nmi, ari, and `aligned`, where clusters\n"
     "have one numbering in all tasks:\n"
     "the share that is right when one matching serves all tasks."},
    {"transfer", run_transfer, NULL,
     "METHOD [options] --source FILE... --target FILE [--bridge FILE...]",
     "label one data set by what another one teaches",
     "The sources' labels, in ascending order, are the classes 0, 1, ...; the\n"
     "target's own labels only score the result, and acc is direct, without\n"
     "matching.  A class that no source has is never right."},
    {"bridge", run_bridge, BRIDGE_OPTIONS,
     "--source FILE --target FILE CANDIDATE...",
     "rank domains that may stand between source and target",
     "For `transfer ttl`.  Shows the six features of source, candidate and\n"
     "target: complexities (share of features positive in fewer than a tenth\n"
     "of the samples) and A-distances (0: no classifier tells two apart, 2:\n"
     "one always does).  score = 1 - (the larger distance of the candidate) /\n"
     "2, or by a fit to triples whose outcome is known: --try finds outcomes\n"
     "where labels are known, --triples learns from them.  Without --try\n"
     "labels are not used."},
    {"relate", run_relate, RELATE_OPTIONS, "[options] TASK TASK...",
     "how far apart the tasks are",
     "mmd: maximum mean discrepancy.  a_distance: 0 if a classifier cannot\n"
     "tell two tasks apart, 2 if it always can.  emd: earth mover's distance\n"
     "between the tasks' k-means partitions.  complexity: share of features\n"
     "that are positive in fewer than a tenth of the samples.  Below each\n"
     "stands its level by chance, which one in twenty ways to deal the same\n"
     "samples out to the tasks would reach: what is above it is a difference.\n"
     "JSON adds `chance`, with the same members."},
    {"choose", run_choose, CHOOSE_OPTIONS, "[options] TASK...",
     "how many clusters? a curve, a suggestion, how sure",
     "gap: how clearly a graph of near neighbors falls into k parts; for 1 it\n"
     "is small where there are groups at all.  votes: of twenty subsamples, in\n"
     "how many the gap is largest at k.  For the three best: a, how well the\n"
     "clusters of one half of the samples fit the other half, a0 the same for\n"
     "data without groups, gap* = gap (a - a0).  carry: how well the clusters\n"
     "of one task fit another.  Tasks share one curve, the mean of theirs; the\n"
     "answer of each by itself stands beside it.  Clusters are not classes: on\n"
     "real text no rule finds their number.  Labels are not used.  JSON has\n"
     "`k_choice`: `common` and `tasks`, each k, best, second, verdict, p,\n"
     "support, gap, candidates, votes; and `carry`."},
    {"describe", run_describe, DESCRIBE_OPTIONS, "[options] TASK...",
     "what the columns of tables hold, and what is wrong with them",
     "Shows every column with its type, missing values, range and the role\n"
     "that it would have; below it what cannot be read, with line and value.\n"
     "The exit status is 0 whatever the columns hold.  JSON has `tasks` of\n"
     "name, file, n, header, separator, decimal and `columns`, each with name,\n"
     "number, type, sign, role, why, values, missing, different, range and\n"
     "faults; and `only_some`, columns that not all files have."},
    {"compare", run_compare, COMPARE_OPTIONS, "[options] TASK TASK...",
     "every method beside the others: does sharing help this data?",
     "Each method of cluster runs with its defaults on each task alone\n"
     "(single), on all as one (pooled), or shares between tasks (shared).\n"
     "With labels in all files: acc, nmi and ari, means over the tasks.\n"
     "Without: loss, the mean squared distance to the own cluster's mean; and\n"
     "of lssmtc and mbc, each task alone and shared, the stability when\n"
     "samples are left out, as --guard measures it.  Behind each its standard\n"
     "error over the repeats.  The last sentence tells whether sharing\n"
     "helped, by acc or by stability."},
    {"assign", run_assign, ASSIGN_OPTIONS, "[options] MODEL.json FILE...",
     "labels for new samples by a saved model",
     "The model is what --save of cluster or transfer wrote.  Columns go by\n"
     "name where both have names, else by position, LIBSVM text by index;\n"
     "preprocessing, words of --onehot and means for missing values are the\n"
     "model's own.  far: samples farther from the center of their cluster than\n"
     "every training sample there: new things are told, not forced.  Distances\n"
     "are Euclidean, 1 - cosine where the model goes by directions, or the\n"
     "divergence (kl, is).  JSON has `tasks` of name, n, task, labels,\n"
     "distance, far and, of classes, score; labels of the files only score."},
    {"export", run_export, EXPORT_OPTIONS, "MODEL.json --c NAME --out DIR",
     "a saved model as one C header, for firmware",
     "DIR/NAME.h needs no library, no libc and no memory but the stack:\n"
     "`int NAME_label(int task, const NAME_real *x)` gives the label of a\n"
     "sample as `mtc assign` does, to the last bit; x is raw, its features in\n"
     "the model's order.  Macros NAME_TASKS, NAME_FEATURES, NAME_CLUSTERS (the\n"
     "largest k) and, where classes have names, NAME_CLUSTER_WORDS, an\n"
     "initializer; NAME stands there in capitals.  -DNAME_SINGLE: in float,\n"
     "where a sample between two clusters may get the other label.  Models of\n"
     "auto, vote, kmeans, pcakm, asi, lssmtc, mbc and of --guard; svm, tsvm,\n"
     "lssttc and nb."},
    {"emd", run_emd, EMD_OPTIONS, "[options] COST.csv",
     "the cheapest transport plan, with its proof",
     "Row i, column j of the file: cost of moving one unit from i to j."},
    {"score", run_score, SCORE_OPTIONS, "[options] PREDICTED TRUTH",
     "accuracy, nmi, ari and purity of labels",
     "PREDICTED holds one whole number a line.  So does TRUTH, or it is a\n"
     "data file (.svm .libsvm .txt .csv) with labels.  Rows with the label -1\n"
     "are no samples and are left out, unless TRUTH has it, too."},
    {"generate", run_generate, GENERATE_OPTIONS, "[options] NAME --out DIR",
     "write synthetic data sets", "The data:"},
    {"demo", run_demo, DEMO_OPTIONS, "[--out DIR]",
     "all of it on generated data, in seconds",
     "In the end, a table of data sets on which sharing helps and others.\n"
     "Files are kept in memory, or in DIR, which then has pictures as well."}
};
enum { N_COMMANDS = sizeof commands / sizeof commands[0] };

/* The methods of one command, a line each: the library's own, then those
 * that the papers compare themselves with, and what each of them assumes. */
static void print_methods(const char *kind)
{
    for (int compared = 0; compared < 2; compared++) {
        if (compared)
            printf("Systems that the papers compare with (*: reconstructed "
                   "in part):\n");
        for (size_t i = 0; i < n_methods; i++) {
            const method *m = &methods[i];
            const assumption *its = assumption_of(m);
            if (strcmp(m->kind, kind) != 0 || is_compared(m) != compared)
                continue;
            printf("  %-10s %s%s\n", m->name, m->summary,
                   its->origin == RECONSTRUCTED ? " *" : "");
            if (compared)
                printf("  %-10s   assumes %s\n", "", its->text);
        }
    }
}

static void print_usage(void)
{
    printf("mtc %s - multi-task clustering and transfer learning\n\n",
           mtc_version());
    for (size_t i = 0; i < N_COMMANDS; i++)
        printf("  mtc %-8s %s\n  %12s   %s\n", commands[i].name,
               commands[i].usage, "", commands[i].summary);
    printf("  mtc help     [COMMAND|METHOD|files|options]\n  mtc version\n"
           "\nMethods of cluster:\n");
    print_methods("cluster");
    printf("\nMethods of transfer:\n");
    print_methods("transfer");
    printf("\nFiles: .svm .libsvm .txt hold `label index:value ...` lines, "
           "indices from 1\nascending; .csv .tsv and - (standard input) are "
           "tables; see `mtc help files`.\n# begins a comment.  Exit status: 0 fine, 1 bad data "
           "or file, 2 bad\nusage, 130 Ctrl-C: nothing is written then.\n");
}

/* A line that can be copied. */
static void print_example(const method *m)
{
    printf("\nExample:\n  mtc %s %s", m->kind, m->name);
    if (strcmp(m->kind, "cluster") == 0)
        printf(" north.csv south.csv --k 3 --out labels --svg picture.svg\n");
    else if (m->run == run_ttl || m->run == run_cotransfer)
        printf(" --source text.svm --bridge both.svm --target images.svm\n");
    else if (m->run == run_htlic)
        printf(" --source text.svm --target images.svm --view1 tags.svm \\\n"
               "      --view2 tagged.svm --known labels.txt\n");
    else
        printf(" --source labeled.csv --target new.csv --out labels\n");
}

static void help_method(const method *m)
{
    const char *usage = strcmp(m->kind, "cluster") == 0
        ? "[options] TASK..." : "[options] --source FILE... --target FILE";
    const char *more = m->run == run_ttl          ? " --bridge FILE..."
                       : m->run == run_cotransfer ? " --bridge FILE"
                       : m->run == run_htlic
                           ? "\n    --view1 FILE --view2 FILE --known FILE"
                           : "";
    printf("mtc %s %s %s%s\n\n%s.\n", m->kind, m->name, usage, more,
           m->summary);
    printf("Assumes %s.\n", assumption_of(m)->text);
    print_indented(m->help, 0);
    print_example(m);
    printf("\nOptions of its own:\n");
    print_options(m->options, 1);
}

static void help_command(const command *c)
{
    printf("mtc %s %s\n\n%s%s\n", c->name, c->usage, c->summary,
           c->summary[strlen(c->summary) - 1] == '?' ? "" : ".");
    print_indented(c->help, 0);
    if (c->run == run_generate)
        print_generators();
    if (c->options == NULL) {
        printf("\nMethods (`mtc help METHOD` shows the options of one):\n");
        print_methods(c->name);
        return;
    }
    printf("\nOptions:\n");
    print_options(c->options, 0);
}

static void help_files(void)
{
    printf(
        "Files, by their ending:\n\n"
        "  .csv .tsv             a line for each sample; commas, semicolons, "
        "tabs or\n                        bars, quoted fields, with or without "
        "a header\n"
        "  .svm .libsvm .txt     `label index:value ...`, indices from 1, "
        "ascending\n"
        "  -                     standard input, as CSV\n\n"
        "A task is named after its file.  Labels in files are never used for\n"
        "clustering, only to score it; a transfer uses the sources' labels.\n"
        "Where every file has a header, columns are matched by name, else by\n"
        "place.  # begins a comment.  Outputs are written when all of them "
        "are\ncomplete: a run that fails leaves none, and none is ever "
        "written over an\ninput.\n\nOptions:\n");
    print_options(FILE_OPTIONS, 0);
}

static const command *find_command(const char *name)
{
    for (size_t i = 0; i < N_COMMANDS; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

/* Ends the program, with the nearest command or method. */
static APP_NORETURN void fail_unknown(app *a, const char *what,
                                      const char *name)
{
    words known = {0, 0, NULL};
    for (size_t i = 0; i < N_COMMANDS; i++)
        add_word(a, &known, commands[i].name, strlen(commands[i].name));
    for (size_t i = 0; i < n_methods; i++)
        add_word(a, &known, methods[i].name, strlen(methods[i].name));
    const char *meant = nearest_word(&known, name, known.n);
    fail(a, BAD_USAGE, "%s %s%s%s%s", what, name,
         meant ? "; did you mean " : "", meant ? meant : "", meant ? "?" : "");
}

/* Help on a method, a command, or everything. */
static void run_help(app *a, const char *topic)
{
    if (topic == NULL) {
        print_usage();
        return;
    }
    for (size_t i = 0; i < n_methods; i++)
        if (strcmp(methods[i].name, topic) == 0) {
            help_method(&methods[i]);
            return;
        }
    const command *c = find_command(topic);
    if (is(topic, "files"))
        help_files();
    else if (is(topic, "options"))
        print_options("k k-min=1 k-max=12 init pool seed preprocess=none svg "
                      "axes=common save quiet "
                      FILE_OPTIONS, 0);
    else if (c == NULL)
        fail_unknown(a, "no help on", topic);
    else
        help_command(c);
}

/* `--help` anywhere before `--` asks for help on the method, or command. */
static int asks_for_help(int argc, char **argv)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return 1;
    return 0;
}

static void help_with(app *a, const command *c, int argc, char **argv)
{
    const char *name = c->options == NULL ? method_name(argc, argv) : NULL;
    run_help(a, name != NULL ? find_method(a, c->name, name)->name : c->name);
}

/* Finds the command; arguments behind its name go to it. */
static void run_program(app *a, int argc, char **argv)
{
    const char *name = argc > 0 ? argv[0] : "";
    const command *c = find_command(name);
    if (argc == 0)
        fail(a, BAD_USAGE, "a command is missing");
    if (c != NULL && asks_for_help(argc - 1, argv + 1))
        help_with(a, c, argc - 1, argv + 1);
    else if (c != NULL)
        c->run(a, argc - 1, argv + 1);
    else if (is(name, "help"))
        run_help(a, argc > 1 ? argv[1] : NULL);
    else if (is(name, "--help") || is(name, "-h"))
        run_help(a, NULL);
    else if (is(name, "version") || is(name, "--version"))
        printf("mtc %s\n", mtc_version());
    else
        fail_unknown(a, "unknown command", name);
}

int main(int argc, char **argv)
{
    app a;
    memset(&a, 0, sizeof a);
    a.pool.previous = a.pool.next = &a.pool;
    a.terminal = on_terminal();
    a.percent = -1;
    watch_interrupts();
    const char *wrong = mtc_selftest();
    if (wrong != NULL)
        warning(&a, "this build is not to be trusted: %s", wrong);
    a.argc = argc > 0 ? argc - 1 : 0;
    a.argv = argv + 1;
    run_program(&a, a.argc, a.argv);
    commit(&a);
    if (fflush(stdout) != 0 || ferror(stdout))
        fail(&a, BAD_DATA, "standard output: %s", strerror(errno));
    pool_free(&a);
    return 0;
}
