/* SPDX-License-Identifier: MIT
 *
 * main.c - help and main
 */
#include "../methods/job.h"
#include "../models/export.h"
#include "../texts/texts.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

typedef struct command {
    const char *name;
    command_run *run;
    const char *options;            /* NULL: each method has its own */
    const char *usage, *summary, *help;
} command;

static void run_completion(app *a, int argc, char **argv);

static const command commands[] = {
    {"cluster", run_cluster, NULL, "[METHOD] [options] TASK...",
     "find the groups in each of several data sets",
     "Without a method it is auto, and `mtc FILE...` means the same.\n"
     "Each task is clustered separately, or all as one with --pool.  A\n"
     "sentence gives the answer.  Two groups touch if rows at their border have\n"
     "near neighbors on both sides, and overlap if many rows of one lie among\n"
     "the other's; else there is a gap, and they lie apart.  The table below it\n"
     "shows n samples, d features and k clusters.  If a file has labels, it\n"
     "also shows acc (best one-to-one matching), nmi and ari, and below the\n"
     "clusters how many rows of each class they have."},
    {"transfer", run_transfer, NULL,
     "[METHOD] [options] --source FILE... --target FILE [--bridge FILE...]",
     "label one data set with what is learned from another",
     "The labels of the sources are the classes 0, 1, ...: whole numbers in\n"
     "ascending order, others as they appear.  The target's own labels only\n"
     "score the result; acc is direct, without matching (but of trec, which\n"
     "finds clusters).  A class that no source has is never right."},
    {"bridge", run_bridge, BRIDGE_OPTIONS,
     "--source FILE --target FILE CANDIDATE...",
     "rank domains that may connect source and target",
     "This is for `transfer ttl`.  It shows six features of source, candidate\n"
     "and target: complexities (the share of features that are positive in\n"
     "fewer than a tenth of the samples) and A-distances (0: no classifier\n"
     "tells two apart, 2: one always does).  The score is 1 - (the larger\n"
     "distance of the candidate) / 2.  Labels are not used."},
    {"relate", run_relate, RELATE_OPTIONS, "[options] TASK TASK...",
     "how far apart the tasks are",
     "Says which pairs of tasks differ by more than chance, by which columns (of\n"
     "two tasks the second against the first), and which columns look like other\n"
     "units.  --verbose adds the figures.  mmd is the maximum mean discrepancy.\n"
     "a_distance is 0 if a classifier cannot tell two tasks apart and 2 if it\n"
     "always can.  emd is the earth mover's distance between the tasks' k-means\n"
     "partitions.  Below each is its 5/3 % critical value under\n"
     "random reassignment of samples to tasks: a larger figure is a difference.\n"
     "mmd, a_distance and emd decide, so that tasks which do not differ are said\n"
     "to differ in at most 5 % of all cases."},
    {"choose", run_choose, CHOOSE_OPTIONS, "[options] TASK...",
     "how many clusters? a curve, a suggestion, how sure",
     "Builds one graph of near neighbors for each task and gives its belief in\n"
     "every k; the largest is the answer, and `sure` is its belief.  Several\n"
     "tasks have one common answer, and each has its own beside it.  Clusters\n"
     "are not classes: on real text no rule finds their number.  Labels are not\n"
     "used."},
    {"describe", run_describe, DESCRIBE_OPTIONS, "[options] TASK...",
     "what the columns of tables hold, and what is wrong with them",
     "Shows every column with its type, missing values, range and the role that\n"
     "it would have; below it what cannot be read, with line and value.  Numbers\n"
     "that name or count the samples, and columns that never vary, are judged\n"
     "over all files together, as a run of them does; labels, dates and words by\n"
     "each file.  The exit status is 0 whatever the columns hold.  Of .jsonl\n"
     "files it shows the members, unless --text is given.  --out writes the\n"
     "tables as they were read, for other tools."},
    {"compare", run_compare, COMPARE_OPTIONS, "[options] TASK TASK...",
     "every method beside the others: does sharing help this data?",
     "The answer, in words, comes first: which method to take, and whether\n"
     "sharing helped, by acc or by stability.  Each method of cluster runs\n"
     "with its defaults on each task alone (single), on all as one (pooled),\n"
     "or shares between tasks (shared).  With --k auto, or if a file has no\n"
     "labels, all tasks have the number that is chosen for all.\n"
     "With labels in all files: acc, nmi and ari, means over the tasks.\n"
     "Without: loss, the mean squared distance to the own cluster's mean; and\n"
     "the stability when samples are left out, as lssmtc --guard and mbc\n"
     "--guard measure it, of what each would share (guard shared) and of the\n"
     "vote of k-means that both have alone (guard alone): sharing helps if it\n"
     "gains more than the margin of the guard.  Each figure is followed by\n"
     "its standard error over the repeats."},
    {"assign", run_assign, ASSIGN_OPTIONS, "[options] MODEL.json FILE...",
     "label new samples with a saved model",
     "The model is what --save of cluster or transfer wrote.  Columns are\n"
     "matched by name if both have names, otherwise by position; LIBSVM text is\n"
     "matched by index.  Files are read as the model's were: it keeps signs,\n"
     "dates, preprocessing, the words of --onehot and the means for missing\n"
     "values.  A sample is far if it is farther from the center of its cluster\n"
     "than every training sample there.  Distances are Euclidean, 1 - cosine if\n"
     "the model goes by directions, or the divergence (kl, is).  Labels in the\n"
     "files only score."},
    {"export", run_export, EXPORT_OPTIONS, "MODEL.json --c NAME --out DIR",
     "a saved model as one C header, for firmware",
     "DIR/NAME.h needs no library, no libc and no memory but the stack:\n"
     "`int NAME_label(int task, const NAME_real *x)` gives the label of a\n"
     "sample as `mtc assign` does, to the last bit; x is raw, its features in\n"
     "the model's order.  Macros NAME_TASKS, NAME_FEATURES, NAME_CLUSTERS (the\n"
     "largest k) and, where classes have names, NAME_CLUSTER_WORDS, an\n"
     "initializer; NAME stands there in capitals.  -DNAME_SINGLE: in float,\n"
     "where a sample between two clusters may get the other label; AVR, too,\n"
     "has that.  --far adds a function for what `assign` calls far.  Models of\n"
     "auto, vote, kmeans, pcakm, asi, lssmtc, mbc and of --guard; svm, tsvm,\n"
     "lssttc and nb."},
    {"vectorize", run_vectorize, VECTORIZE_OPTIONS,
     "[options] TASK... --out DIR",
     "write texts as LIBSVM files, for other tools",
     "Counts the words of texts and writes NAME.svm for each task.  A line has\n"
     "the class of a text and the weights of its words, or their counts with\n"
     "--preprocess none.  Classes are numbered from 0 in the order of their\n"
     "names; whole numbers stay as they are, and without classes all are 0.\n"
     "words.txt lists the words, one on each line, behind the columns that\n"
     "--use and --onehot name; the cells of these are values, not words.\n"
     "vectorize.json has `options`, `words` (how many, without such columns),\n"
     "`classes` and `tasks`; each task has name, n, values, skipped (texts\n"
     "without a word that is kept) and latin1 (texts that are not UTF-8).\n"
     "`mtc help texts` says what a word is."},
    {"emd", run_emd, EMD_OPTIONS, "[options] COST.csv",
     "the cheapest transport plan, with its proof",
     "Row i, column j of the file: cost of moving one unit from i to j."},
    {"score", run_score, SCORE_OPTIONS, "[options] PREDICTED TRUTH",
     "accuracy, nmi, ari and purity of labels",
     "PREDICTED holds one whole number a line.  So does TRUTH, or it is a\n"
     "data file (.svm .libsvm .txt .csv .tsv .jsonl) with labels, or a\n"
     "directory of texts with a subdirectory for each class.  Rows with the\n"
     "label -1 are no samples and are left out, unless TRUTH has it, too.\n"
     "acc is the share of right rows under the best one-to-one matching of\n"
     "clusters and classes.  direct is the share of rows with equal labels,\n"
     "and - if PREDICTED has a label that TRUTH has not; of clusters, whose\n"
     "numbers mean nothing, it says nothing."},
    {"generate", run_generate, GENERATE_OPTIONS, "[options] NAME --out DIR",
     "write synthetic data sets", "The data:"},
    {"completion", run_completion, "", "bash",
     "print a script that completes command lines",
     "In bash, `source <(mtc completion bash)` turns it on; in zsh, too, behind\n"
     "`autoload -U bashcompinit && bashcompinit`.  `make install` installs it."}
};
enum { N_COMMANDS = sizeof commands / sizeof commands[0] };

/* mtc completion bash */
static void run_completion(app *a, int argc, char **argv)
{
    words names = {0, 0, NULL};
    const char *allowed[N_COMMANDS];
    a->topic = "completion";
    if (argc != 1 || !is(argv[0], "bash"))
        fail(a, BAD_USAGE, "completion needs a shell: bash");
    for (size_t i = 0; i < N_COMMANDS; i++) {
        add_name(a, &names, commands[i].name);
        allowed[i] = commands[i].options;
    }
    print_completion(a, &names, allowed);
}

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
            int other = (m->flags & COMPARED) != 0;
            if (strcmp(m->kind, kind) != 0 || other != compared)
                continue;
            printf("  %-10s %s%s\n", m->name, m->summary,
                   m->flags & RECONSTRUCTED ? " *" : "");
            if (compared)
                printf("  %-10s   assumes %s\n", "", m->assumes);
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
    printf("  mtc help     [COMMAND|METHOD|files|texts|words|options]\n  mtc version\n"
           "\nMethods of cluster:\n");
    print_methods("cluster");
    printf("\nMethods of transfer:\n");
    print_methods("transfer");
    printf("\nFiles: .svm .libsvm .txt hold `label index:value ...` lines, "
           "indices from 1\nascending; .csv .tsv and - (standard input) are "
           "tables; see `mtc help files`.\n# begins a comment.  Exit status: 0 fine, 1 bad data "
           "or file, 2 bad\nusage, 130 Ctrl-C: nothing is written then.\n");
}

static void help_method(app *a, const method *m)
{
    const char *usage = strcmp(m->kind, "cluster") == 0
        ? "[options] TASK..." : "[options] --source FILE... --target FILE";
    const char *more = m->flags & BRIDGES      ? " --bridge FILE..."
                       : m->flags & ONE_BRIDGE ? " --bridge FILE"
                       : m->flags & VIEWS
                           ? "\n    --view1 FILE --view2 FILE --known FILE"
                           : "";
    printf("mtc %s %s %s%s\n\n%s.\n", m->kind, m->name, usage, more,
           m->summary);
    printf("Assumes %s.\n", m->assumes);
    print_indented(m->help, 0);
    print_options(a, m->options, 1);
}

static void help_command(app *a, const command *c)
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
    if (c->options[0] == '\0')
        return;
    printf("\nOptions:\n");
    print_options(a, c->options, 0);
}

static void help_files(app *a)
{
    printf(
        "Files, by their ending:\n\n"
        "  .csv .tsv             a line for each sample; commas, semicolons, "
        "tabs or\n                        bars, quoted fields, with or without "
        "a header\n"
        "  .svm .libsvm .txt     `label index:value ...`, indices from 1, "
        "ascending\n"
        "  -                     standard input, as CSV\n"
        "  .jsonl, DIRECTORY     texts: see `mtc help texts`\n\n"
        "A task is named after its file.  Labels in files are never used for\n"
        "clustering, only to score it; a transfer uses the sources' labels.\n"
        "If every file has a header, columns are matched by name, otherwise "
        "by\nposition.  # begins a comment.  Outputs are written when all of "
        "them are\ncomplete: a run that fails leaves none, and none ever "
        "overwrites an input.\n\n"
        "Numbers may be written as $1,301.58, 1 301,58 EUR, 7.2%%, (12.5) or\n"
        "12.5-.  Columns of words, that only number the samples, never vary "
        "or hold\ndates, and a last row of totals, are left out with a notice.  "
        "The first column\nof words that are all different names the rows.  Yes "
        "and no are 1 and 0.  Words\nthat are not UTF-8 are read as Latin-1.  "
        "`mtc describe` shows what every column\nholds and is taken for.\n\n"
        "Options:\n");
    print_options(a, FILE_OPTIONS, 0);
}

static void help_texts(app *a)
{
    printf(
        "Texts, whose words become features:\n\n"
        "  DIRECTORY             every file below it is a text; if files lie "
        "in\n                        subdirectories, the first level's name is "
        "the class\n"
        "  .csv .tsv -           columns that --text names\n"
        "  .jsonl                a JSON object on each line; --text, --labels "
        "and\n                        --id name its members\n\n"
        "A word is a run of letters, and upper and lower case are the same.  "
        "In\nscripts without spaces every character is a word, and so is every "
        "pair of\nneighbors.  Stop words are left out, and so are words that "
        "too few or too\nmany texts have.  All tasks share one vocabulary; for "
        "trec the target has\nits own.  Most methods see rows of length 1, "
        "weighted by tf idf; nb, cocc,\ntritl, ttl and mbc with kl or is see "
        "counts.  --preprocess chooses.\nColumns that --use names stand beside "
        "the words as numbers: they are\nz-scored, then scaled to the length "
        "of the words.  Texts are UTF-8; what is\nnot is read as Latin-1.  "
        "Hidden files, and links that lead out of a\ndirectory, are left "
        "out.\n\n"
        "  mtc cluster auto --k 5 mails/ --markup mail\n"
        "  mtc cluster auto reviews.csv --text title,review --stem english\n"
        "  mtc vectorize north/ south/ --out counts --preprocess none\n\n"
        "Options:\n");
    print_options(a, TEXT_OPTIONS, 0);
}

/* The part of mtc.1 that is written when the program is built. */
static void help_manual(app *a)
{
    words names = {0, 0, NULL};
    const char **allowed = TAKE(a, n_methods + N_COMMANDS, const char *);
    for (size_t i = 0; i < n_methods; i++) {
        allowed[names.n] = methods[i].options;
        add_name(a, &names, methods[i].name);
    }
    for (size_t i = 0; i < N_COMMANDS; i++) {
        if (commands[i].options == NULL)
            continue;
        allowed[names.n] = commands[i].options;
        add_name(a, &names, commands[i].name);
    }
    print_manual(a, &names, allowed);
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
        add_name(a, &known, commands[i].name);
    for (size_t i = 0; i < n_methods; i++) {
        const method *m = &methods[i];
        if (strcmp(m->name, name) == 0)
            fail(a, BAD_USAGE, "%s is a method of `mtc %s`", name, m->kind);
        add_name(a, &known, m->name);
    }
    const char *meant = nearest_word(&known, name, known.n);
    fail(a, BAD_USAGE, "%s %s%s%s%s", what, name,
         meant ? "; did you mean " : "", meant ? meant : "", meant ? "?" : "");
}

/* Help on a method, a command, or everything. */
static void run_help(app *a, const char *kind, const char *topic)
{
    int found = 0;
    if (topic == NULL) {
        print_usage();
        return;
    }
    for (size_t i = 0; i < n_methods; i++)      /* auto is of two commands */
        if (is(methods[i].name, topic) &&
            (kind == NULL || is(methods[i].kind, kind))) {
            printf("%s", found++ ? "\n" : "");
            help_method(a, &methods[i]);
        }
    if (found)
        return;
    const command *c = find_command(topic);
    if (is(topic, "files"))
        help_files(a);
    else if (is(topic, "texts"))
        help_texts(a);
    else if (is(topic, "words"))
        print_stops();
    else if (is(topic, "manual"))
        help_manual(a);
    else if (is(topic, "options"))
        print_options(a, "k k-min=1 k-max=48 init pool seed preprocess.auto=auto "
                      "svg save quiet " FILE_OPTIONS, 0);
    else if (c == NULL)
        fail_unknown(a, "no help on", topic);
    else
        help_command(a, c);
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
    if (name != NULL && is_data_file(name))
        name = "auto";
    run_help(a, c->name, name != NULL ? find_method(a, c->name, name)->name
                                      : c->name);
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
        run_help(a, NULL, argc > 1 ? argv[1] : NULL);
    else if (is(name, "--help") || is(name, "-h"))
        run_help(a, NULL, NULL);
    else if (is(name, "version") || is(name, "--version") || is(name, "-V"))
        printf("mtc %s\n", mtc_version());
    else if (is_data_file(name))                /* mtc FILE... */
        run_cluster(a, argc, argv);
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
        warn(&a, "selftest", NULL,
             "this build is not to be trusted: %s", wrong);
    a.argc = argc > 0 ? argc - 1 : 0;
    a.argv = argv + 1;
    for (int i = 0; i < a.argc; i++)            /* also where that is refused */
        a.answers_json |= is(a.argv[i], "--json=-") ||
                          (is(a.argv[i], "--json") && i + 1 < a.argc &&
                           is(a.argv[i + 1], "-"));
    run_program(&a, a.argc, a.argv);
    commit(&a);
    if (fflush(stdout) != 0 || ferror(stdout))
        fail(&a, BAD_DATA, "standard output: %s", strerror(errno));
    close_lanes(a.lanes);
    pool_free(&a);
    return 0;
}
