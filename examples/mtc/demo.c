/* SPDX-License-Identifier: MIT
 *
 * demo.c - the command demo: all of it on generated data
 *
 * The demonstration is a list of command lines that are run as typed, on
 * files that exist in memory only; then tables of where sharing helps.
 */
#include "compare.h"
#include "model.h"

#include <stdio.h>
#include <string.h>

/* One step: what to run (a leading @ in a word is the data's directory), and
 * what to see in it. */
typedef struct step {
    command_run *run;
    const char *line, *note;
} step;

static const step demo_steps[] = {
    {run_generate, "generate blobs --out @",
     "Two related tasks: three Gaussian clusters each, around the same\n"
     "centers, the second task shifted as a whole."},
    {run_cluster, "cluster kmeans @/blobs1.svm @/blobs2.svm --out @ "
     "--save @/model.json",
     "Each task by itself.  The files' labels only score the result: acc is\n"
     "the best one-to-one matching, nmi and ari need none.  Cluster numbers\n"
     "of the two tasks have nothing to do with one another: no `aligned`."},
    {run_assign, "assign @/model.json @/blobs1.svm --task blobs2",
     "New samples by the model that --save wrote: here those of the first\n"
     "task by the second's centers.  Some are farther from them than any\n"
     "sample of the second task was: that is told."},
    {run_export, "export @/model.json --c model --out @",
     "The same model for a device: one C header with a function, model_label,\n"
     "that needs no library."},
    {run_cluster, "cluster kmeans --pool @/blobs1.svm @/blobs2.svm",
     "Both stacked: cluster numbers now mean the same in both, and `aligned`\n"
     "says how well one matching serves all tasks.  Pooling works as long as\n"
     "the shift between the tasks is smaller than the clusters are apart."},
    {run_choose, "choose @/blobs1.svm @/blobs2.svm",
     "How many clusters, had the files no labels?  How far each number is to\n"
     "be believed, by both files together and by each of them alone."},
    {run_cluster, "cluster pcakm --keep .9 @/blobs1.svm @/blobs2.svm",
     "k-means on the principal components that keep 90 % of the variance."},
    {run_cluster, "cluster lssmtc @/blobs1.svm @/blobs2.svm",
     "The tasks share their clusters through a common subspace: numbers mean\n"
     "the same in both, although nothing was pooled."},
    {run_cluster, "cluster lssmtc --guard @/blobs1.svm @/blobs2.svm",
     "Does sharing help here?  The guard runs both, leaves samples out, and\n"
     "keeps for each task the answer that changes less."},
    {run_cluster, "cluster auto @/blobs1.svm @/blobs2.svm",
     "What to try first: a vote of methods that share and methods that do\n"
     "not, and how far they agree."},
    {run_score, "score @/blobs1.labels @/blobs1.svm",
     "Labels written by --out above, scored from their file."},
    {run_relate, "relate @/blobs1.svm @/blobs2.svm",
     "How far apart the tasks are: mmd compares distributions, a_distance\n"
     "asks how well a classifier tells them apart (2: always), emd moves\n"
     "one task's clusters onto the other's."},
    {run_transfer, "transfer svm --source @/blobs1.svm --target @/blobs2.svm",
     "Labels of the first task teach; the second is labeled.  acc is direct\n"
     "here: classes have names."},
    {run_transfer, "transfer gfhf --source @/blobs1.svm --target @/blobs2.svm",
     "The same by spreading labels over a graph of both tasks ..."},
    {run_transfer, "transfer llgc --source @/blobs1.svm --target @/blobs2.svm",
     "... and with labels that may bend."},
    {run_transfer, "transfer tsvm --source @/blobs1.svm --target @/blobs2.svm",
     "The support vector machine again, which now looks for the gap between\n"
     "the target's samples as well."},
    {run_transfer,
     "transfer lssttc --source @/blobs1.svm --target @/blobs2.svm",
     "lssmtc with the first task's classes held fixed."},
    {run_generate, "generate text --out @",
     "Word counts: three topics, whose words are one in ten; most of those\n"
     "are common to both tasks."},
    {run_cluster, "cluster kmeans @/text1.svm @/text2.svm",
     "k-means on raw counts sees long documents first ..."},
    {run_cluster, "cluster kmeans --preprocess tfidf @/text1.svm @/text2.svm",
     "... and topics once frequent words weigh less."},
    {run_cluster, "cluster vote --preprocess tfidf @/text1.svm @/text2.svm",
     "The consensus of ten such runs, in place of the best of ten."},
    {run_cluster, "cluster ncut --preprocess tfidf @/text1.svm @/text2.svm",
     "The normalized cut looks at all cosines between documents."},
    {run_cluster, "cluster snmf --preprocess tfidf @/text1.svm @/text2.svm",
     "Symmetric NMF looks at nearest neighbors."},
    {run_transfer, "transfer nb --source @/text1.svm --target @/text2.svm",
     "With labels in the first task, naive Bayes is hard to beat on counts."},
    {run_transfer, "transfer cocc --source @/text1.svm --target @/text2.svm",
     "Clusters of words that both tasks share: one of the systems that the\n"
     "papers compare themselves with."},
    {run_generate, "generate moons --out @ --tasks 1",
     "Two half circles that reach into one another."},
    {run_cluster, "cluster kmeans @/moons1.svm",
     "Straight borders cannot part them ..."},
    {run_cluster, "cluster ncut --sigma .1 @/moons1.svm",
     "... but near neighbors, weighed by a narrow Gaussian, can."},
    {run_emd, "emd @/cost.csv",
     "Three sources, three sinks, equal shares: the cheapest plan, and the\n"
     "gap that proves it to be cheapest."},
    {run_cluster, "cluster mbc @/blobs1.svm @/blobs2.svm",
     "Each task has clusters of its own, pulled towards those of the other\n"
     "that they are moved to at least cost: shifted clusters keep their\n"
     "places, and --json shows who corresponds to whom."},
    {run_cluster, "cluster mbc --divergence kl --smooth .1 --k 3,5 "
     "@/text1.svm @/text2.svm",
     "Counts under the Kullback-Leibler divergence, and a finer view of the\n"
     "second task: numbers of clusters may differ."},
    {run_cluster, "cluster mtcfir @/text1.svm @/text2.svm",
     "Raw counts again.  Words that occur together come to stand for each\n"
     "other, in both tasks, and two documents are alike when both tasks see\n"
     "them alike ..."},
    {run_cluster, "cluster mtcfir --variant nF @/text1.svm @/text2.svm",
     "... which without those shared features is of no use here."},
    {run_generate, "generate bridge --out @",
     "A source (bridge1) and a target (bridge3) that share no word, a bridge\n"
     "(bridge2) that has the words of both, and two more candidates: bridge4,\n"
     "near the source, and bridge5, of other topics."},
    {run_bridge, "bridge --source @/bridge1.svm --target @/bridge3.svm "
     "@/bridge2.svm @/bridge4.svm @/bridge5.svm",
     "Which domain is between them?  The score is that of the weaker link: a\n"
     "classifier tells the bridge from neither side as surely."},
    {run_transfer, "transfer ttl --source @/bridge1.svm --bridge @/bridge2.svm "
     "--target @/bridge3.svm",
     "Labels go from source to bridge to target."},
    {run_transfer, "transfer cotransfer --source @/bridge1.svm --bridge "
     "@/bridge2.svm --target @/bridge3.svm",
     "The same way as a random walk, another system to compare with."},
    {run_generate, "generate views --out @",
     "A source in words (views1), a target in bins (views4), and pairs: the\n"
     "same samples in words (views2) and in bins (views3)."},
    {run_transfer, "transfer htlic --source @/views1.svm --view1 @/views2.svm "
     "--view2 @/views3.svm --target @/views4.svm --known @/known.txt",
     "Ten labels of the target are known; words of the pairs and of the\n"
     "source give it features in which they reach further."},
    {run_generate, "generate ensemble --separation .3 --out @",
     "Two spheres and two strips: 16 features in the first file, 24 in the\n"
     "second, which have nothing to do with one another."},
    {run_cluster, "cluster ec @/ensemble2.svm",
     "Ten k-means runs in six random features each, and their vote."},
    {run_transfer,
     "transfer trec --source @/ensemble1.svm --target @/ensemble2.svm",
     "The first file's labels tell how likely two samples are of one class\n"
     "that were together in so many runs; the vote above is then repaired.\n"
     "(--meta both --columns 3 is the published rule: see `mtc help trec`.)"},
};

/* The words of a step's line with @ replaced by the directory. */
static words demo_words(app *a, const char *s, const char *directory)
{
    words w = {0, 0, NULL};
    for (; *s != '\0'; s += strspn(s, " ")) {
        size_t n = strcspn(s, " ");
        text word = {NULL, 0, 0};
        if (*s == '@')
            put(a, &word, "%s%.*s", directory, (int)n - 1, s + 1);
        else
            put(a, &word, "%.*s", (int)n, s);
        add_word(a, &w, word.at, word.length);
        s += n;
    }
    return w;
}

/* The arguments behind "mtc COMMAND" as main would have them. */
static char **demo_arguments(app *a, const words *w)
{
    char **argv = TAKE(a, w->n, char *);
    for (size_t i = 1; i < w->n; i++)
        argv[i - 1] = COPY(a, w->at[i], strlen(w->at[i]) + 1, char);
    return argv;
}

/* Shows the command, runs it, explains it. */
static void run_step(app *a, const step *s, const char *directory)
{
    words w = demo_words(a, s->line, directory);
    printf("\n$ mtc");
    for (size_t i = 0; i < w.n; i++)
        printf(" %s", w.at[i]);
    printf("\n");
    s->run(a, (int)w.n - 1, demo_arguments(a, &w));
    commit(a);
    printf("%s\n", s->note);
}

/* ---- the demonstration's table: where sharing helps and where not ---- */

typedef struct demo_case {
    const char *name, *line;        /* as the table says it; the data */
    const char *files;              /* of that data, without number */
    size_t tasks;
    const char *preprocess;
} demo_case;

static const demo_case demo_cases[] = {
    {"same centers, 6 x 30", "generate siblings --n 30 --tasks 6 --out @/c",
     "/c/siblings", 6, "none"},
    {"same centers, 6 x 120", "generate siblings --n 120 --tasks 6 --out @/d",
     "/d/siblings", 6, "none"},
    {"shifted, 4 x 30", "generate blobs --n 30 --tasks 4 --out @/c",
     "/c/blobs", 4, "none"},
    {"unrelated, 4 x 30", "generate strangers --n 30 --tasks 4 --out @/c",
     "/c/strangers", 4, "none"},
    {"topics, 4 x 30", "generate text --n 30 --tasks 4 --out @/c",
     "/c/text", 4, "tfidf"},
    {"turned moons, 3 x 60", "generate moons --n 60 --tasks 3 --out @/c",
     "/c/moons", 3, "none"}};
enum { N_CASES = sizeof demo_cases / sizeof demo_cases[0] };

static words demo_files(app *a, const demo_case *c, const char *directory)
{
    words files = {0, 0, NULL};
    for (size_t t = 1; t <= c->tasks; t++) {
        text name = {NULL, 0, 0};
        put(a, &name, "%s%s%zu.svm", directory, c->files, t);
        add_word(a, &files, name.at, name.length);
    }
    return files;
}

/* One cell: the accuracy, and whether it is above (+) or below (-) the best
 * single-task method by more than the noise. */
static void put_cell(const comparison *c, text *t, const contender *r)
{
    const contender *single = best_of(c, 0);
    if (r->reason != NULL) {
        put(c->a, t, " %9s ", "-");
        return;
    }
    int sign = sign_of(difference(r, single));
    put(c->a, t, " %9.3f%c", r->result[0].mean,
        sign > 0 ? '+' : sign < 0 ? '-' : ' ');
}

/* One row: the data set, its best single-task method, all that share. */
static void put_case(app *a, text *t, const demo_case *d,
                     const char *directory)
{
    settings set;
    words w = demo_words(a, d->line, directory);
    add_word(a, &w, "--quiet", 7);
    run_generate(a, (int)w.n - 1, demo_arguments(a, &w));
    a->quiet = 0;
    commit(a);
    words files = demo_files(a, d, directory);
    set_defaults(a, COMPARE_OPTIONS, &set);
    tasks all = load_tasks(a, &files, &set, 0);
    preprocess(a, &all, d->preprocess);
    comparison c = compare_tasks(a, &set, &all);
    const contender *single = best_of(&c, 0), *shared = best_of(&c, 1);
    if (single == NULL)
        fail(a, BAD_DATA, "%s: no method runs", d->name);
    put(a, t, "%-22s %7.3f %-6s", d->name, single->result[0].mean,
        single->method->name);
    for (size_t i = 0; i < c.rows; i++)
        if (c.row[i].pooled || c.row[i].method->joint)
            put_cell(&c, t, &c.row[i]);
    int sign = shared != NULL ? sign_of(difference(shared, single)) : -1;
    put(a, t, "  %s\n", sign > 0 ? "helps" : sign < 0 ? "does not help"
                                                      : "makes no difference");
}

/* Prints the table at once. */
static void demo_table(app *a, const char *directory)
{
    text t = {NULL, 0, 0};
    put(a, &t, "\n%-22s %14s %10s", "tasks x samples", "best single ",
        "pooled ");
    for (size_t i = 0; i < n_methods; i++)
        if (is(methods[i].kind, "cluster") && methods[i].joint &&
            !is_compared(&methods[i]))
            put(a, &t, " %10s", methods[i].name);
    put(a, &t, "   sharing\n");
    for (size_t i = 0; i < N_CASES; i++)
        put_case(a, &t, &demo_cases[i], directory);
    wipe_progress(a);
    printf("\nDoes sharing between tasks help?  Mean accuracy over all tasks "
           "and three seeds;\n+ and - are above and below the best "
           "single-task method by more than noise.\n`mtc compare` prints this "
           "in full for your own data.\n%s", t.at);
}

/* ---- the second table: what a labeled source is worth ---- */

typedef struct demo_transfer {
    const char *data, *alone, *files;
} demo_transfer;

/* The files of a method, and what clusters its target without a source; words
 * where it is made for them. */
static demo_transfer transfer_case(const method *m)
{
    static const demo_transfer words_apart = {
        "no common word", "cluster kmeans --preprocess tfidf @/bridge3.svm",
        "--source @/bridge1.svm --bridge @/bridge2.svm --target "
        "@/bridge3.svm"};
    static const demo_transfer spaces_apart = {
        "no common feature", "cluster ec @/ensemble2.svm",
        "--source @/ensemble1.svm --target @/ensemble2.svm"};
    static const demo_transfer pairs = {
        "pairs, 10 known", "cluster kmeans @/views4.svm",
        "--source @/views1.svm --view1 @/views2.svm --view2 @/views3.svm "
        "--target @/views4.svm --known @/known.txt"};
    static const demo_transfer topics = {
        "topics", "cluster kmeans --preprocess tfidf @/text2.svm",
        "--preprocess tfidf --source @/text1.svm --target @/text2.svm"};
    static const demo_transfer same = {
        "shifted", "cluster kmeans @/c/blobs2.svm",
        "--source @/c/blobs1.svm --target @/c/blobs2.svm"};
    return m->run == run_ttl || m->run == run_cotransfer ? words_apart
           : m->run == run_trec                          ? spaces_apart
           : m->run == run_htlic                         ? pairs
           : m->run == run_nb || m->run == run_cocc || m->run == run_cdsc ||
                   m->run == run_tritl || m->run == run_latentmap
               ? topics
               : same;
}

/* Mean accuracy of a line over three seeds. */
static double demo_accuracy(app *a, command_run *run, const char *line,
                            const char *directory)
{
    double sum = 0;
    for (int seed = 1; seed <= 3; seed++) {
        text whole = {NULL, 0, 0};
        put(a, &whole, "%s --quiet --seed %d", line, seed);
        words w = demo_words(a, whole.at, directory);
        run(a, (int)w.n - 1, demo_arguments(a, &w));
        sum += a->accuracy;
    }
    a->quiet = 0;
    return sum / 3;
}

/* Every method of transfer beside the target clustered alone. */
static void demo_transfers(app *a, const char *directory)
{
    text t = {NULL, 0, 0};
    put(a, &t, "\n%-10s %-18s %18s %14s\n", "method", "source, target",
        "target alone", "with source");
    for (size_t i = 0; i < n_methods; i++) {
        char name[24];
        text line = {NULL, 0, 0};
        if (!is(methods[i].kind, "transfer"))
            continue;
        demo_transfer c = transfer_case(&methods[i]);
        copy_word(name, sizeof name, c.alone + strlen("cluster "), " ");
        put(a, &t, "%-10s %-18s %7.3f %-10s", methods[i].name, c.data,
            demo_accuracy(a, run_cluster, c.alone, directory), name);
        put(a, &line, "transfer %s %s", methods[i].name, c.files);
        put(a, &t, " %14.3f\n",
            demo_accuracy(a, run_transfer, line.at, directory));
    }
    wipe_progress(a);
    printf("\nAnd what is a labeled source worth?  Accuracy on the target, "
           "three seeds; alone by\nthe best matching of clusters and classes, "
           "as for trec.\n%s", t.at);
}

/* Draws NAME.svg by a command; the page shows it with the command. */
static void demo_picture(app *a, text *page, command_run *run,
                         const char *line, const char *name,
                         const char *directory)
{
    trial *t = TAKE(a, 1, trial);
    words w = demo_words(a, line, directory);
    char **argv = demo_arguments(a, &w);
    a->trial = t;
    if (setjmp(t->back) == 0)
        run(a, (int)w.n - 1, argv);
    a->trial = NULL;
    if (t->reason[0] != '\0') {
        a->n_outputs = 0;
        return;
    }
    put(a, page, "<figure><figcaption><code>mtc");
    for (size_t i = 0; i < w.n; i++) {
        put(a, page, " ");
        put_escaped(a, page, w.at[i], 1);
    }
    put(a, page, "</code></figcaption>\n<img src=\"%s.svg\" alt=\"%s\">"
        "</figure>\n", name, name);
    commit(a);
}

/* A picture by each method of `cluster`, some by other commands, and one page
 * with all of them, in the directory. */
static void demo_pictures(app *a, const char *directory)
{
    static const struct { command_run *run; const char *name, *line; } more[] = {
        {run_transfer, "transfer", "transfer svm --source @/c/blobs1.svm "
         "--target @/c/blobs2.svm --quiet --svg @/transfer.svg"},
        {run_choose, "choose", "choose @/c/siblings1.svm @/c/siblings2.svm "
         "--quiet --svg @/choose.svg"},
        {run_relate, "relate", "relate @/c/siblings1.svm @/c/blobs1.svm "
         "--quiet --svg @/relate.svg"},
        {run_sweep, "sweep", "sweep mbc --lambda .1,.5,.9 --k 2,3,4 "
         "@/c/siblings1.svm @/c/siblings2.svm --quiet --svg @/sweep.svg"},
        {run_cluster, "convergence", "cluster lssmtc @/c/siblings1.svm "
         "@/c/siblings2.svm --quiet --svg-curve @/convergence.svg"}};
    text page = {NULL, 0, 0};
    put(a, &page, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta "
        "charset=\"utf-8\"><title>mtc demo</title>\n<style>body "
        "{font-family: sans-serif; margin: 1em auto; max-width: 70em} img "
        "{max-width: 100%%}</style></head>\n<body><h1>mtc demo</h1>\n");
    for (size_t i = 0; i < n_methods; i++) {
        text line = {NULL, 0, 0};
        if (!is(methods[i].kind, "cluster") || is_compared(&methods[i]))
            continue;
        put(a, &line, "cluster %s @/c/siblings1.svm @/c/siblings2.svm "
            "@/c/siblings3.svm --quiet --svg @/%s.svg", methods[i].name,
            methods[i].name);
        demo_picture(a, &page, run_cluster, line.at, methods[i].name,
                     directory);
    }
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        demo_picture(a, &page, more[i].run, more[i].line, more[i].name,
                     directory);
    put(a, &page, "</body></html>\n");
    const char *path = join_path(a, directory, "index", ".html");
    save(a, path, &page);
    printf("\nPictures, and the commands that draw them: %s\n", path);
}

/* Runs the steps on files in memory, or in a real directory with --out. */
void run_demo(app *a, int argc, char **argv)
{
    settings set;
    text cost = {NULL, 0, 0}, known = {NULL, 0, 0};
    words rest = parse_args(a, "demo", DEMO_OPTIONS, argc, argv, &set);
    need_operands(a, &rest, 0, 0, "no operand");
    const char *directory = set.out != NULL ? set.out : "demo";
    a->in_memory = set.out == NULL;
    save_directory(a, directory);
    printf("What `mtc` does, on generated data%s.\n",
           a->in_memory ? " (nothing is written; with --out DIR the files "
                          "stay)" : "");
    put(a, &cost, "4,1,3\n2,0,5\n3,2,2\n");
    save(a, join_path(a, directory, "cost", ".csv"), &cost);
    for (int i = 0; i < 10; i++)            /* as `generate views` has them */
        put(a, &known, "%d %d\n", i, i % 2 + 1);
    save(a, join_path(a, directory, "known", ".txt"), &known);
    for (size_t i = 0; i < sizeof demo_steps / sizeof demo_steps[0]; i++)
        run_step(a, &demo_steps[i], directory);
    demo_table(a, directory);
    demo_transfers(a, directory);
    if (!a->in_memory)
        demo_pictures(a, directory);
}
